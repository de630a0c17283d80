/*-------------------------------------------------------------------------
 *
 * aggregate_rules.h
 *	  How an aggregate's result follows from states of the engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_AGGREGATE_RULES_H
#define GS_REPORT_AGGREGATE_RULES_H

#include "report/aggregate/aggregates.h"
#include "state/state.h"

typedef enum gs_aggregate_rule
{
	GS_RULE_COUNT,
	GS_RULE_VALUE,				/* the state is the result */
	GS_RULE_FIGURE,				/* it follows from exact sums */
	GS_RULE_STATS,				/* a gpu_stats */
	GS_RULE_INTERVAL,			/* a sum or an average of intervals */
	GS_RULE_DESCRIPTION,		/* a row of gpu_describe */

	/* with parameters: aggregate_parameters.c */
	GS_RULE_MEDIAN,
	GS_RULE_PERCENTILE,			/* between two values */
	GS_RULE_ELEMENT,			/* one of the values */
	GS_RULE_HISTOGRAM
} gs_aggregate_rule;

static inline bool
gs_rule_has_parameters(gs_aggregate_rule rule)
{
	return rule >= GS_RULE_MEDIAN;
}

/* Add what such an aggregate of `a` needs to the plan. */
extern bool gs_report_parameters_add(gs_translation *t, const Aggref *aggref,
									 gs_operand a, gs_operand filter,
									 gs_report_aggregate *r);

/* Its result, where there are values, or for a histogram, rows. */
extern Datum gs_report_parameters_result(const gs_report_aggregate *a,
										 const gs_report_groups *groups,
										 int64 i, int64 count);

/*
 * aggregate_ranks.c: of codes, those that depend on the order of values.  *r:
 * of the argument's codes; then of their ranks.
 */
extern bool gs_report_ranks_put(gs_translation *t, Oid collation,
								bool descending, Expr *argument,
								gs_operand *r, gs_report_value *value);

/*
 * aggregate_descending.c: is an ordered-set aggregate's order its type's own,
 * and if so, does it descend?  What the engine gets instead of values that do,
 * but for codes; and a value of what it gives of these.
 */
extern bool gs_report_has_usual_order(const Aggref *aggref, bool *descending);
extern bool gs_report_put_reversed(gs_translation *t, gs_operand a,
								   gs_operand *r);
extern gs_value gs_report_reversed(gs_type type, gs_value v);

/*
 * aggregate_shifts.c: is the sum of another operand there, *summed, from which
 * that of `a` follows?  *r learns how.
 */
extern bool gs_report_find_shifted(gs_translation *t, gs_operand a,
								   gs_operand filter, gs_report_aggregate *r,
								   gs_operand *summed);

/* Is a value out of range in any group? */
extern bool gs_report_shift_overflows(const gs_report_aggregate *a,
									  const gs_report_groups *groups);
extern void gs_report_shift(const gs_report_aggregate *a,
							const gs_integer_sum *sum, int64 count,
							gs_integer_sum *shifted);

/*
 * aggregate_intervals.c.
 * Add what a sum or an average of intervals needs; is that out of range in any
 * group; and the result.
 */
extern bool gs_report_interval_add(gs_translation *t, const Aggref *aggref,
								   gs_operand filter, gs_report_aggregate *r);
extern bool gs_report_interval_overflows(const gs_report_aggregate *a,
										 const gs_report_groups *groups);
extern Datum gs_report_interval(const gs_report_aggregate *a,
								const gs_report_groups *groups, int64 i,
								int64 count);
extern Datum gs_report_interval_between(Datum low, Datum high,
										double proportion);

/* Of a group with values. */
extern bool gs_report_fraction_add(gs_translation *t, gs_operand a,
								   gs_operand filter, gs_report_fraction *f);
extern Datum gs_report_percentile(const gs_report_aggregate *a,
								  const gs_report_fraction *f,
								  const gs_report_groups *groups, int64 i,
								  int64 n);

/* aggregate_records.c: an integer for each different pair of small values. */
extern bool gs_report_record_put(gs_translation *t, const RowExpr *row,
								 gs_operand *r);

/* aggregate_description.c */
extern bool gs_report_description_add(gs_translation *t, gs_operand a,
									  gs_operand filter,
									  gs_report_aggregate *r);
extern gs_rounding gs_report_description(const gs_report_aggregate *a,
										 const gs_report_groups *groups,
										 int64 i, int64 count, Datum *value);

/* Is a percentile of a group 0, and might PostgreSQL give -0? */
extern bool gs_report_percentile_is_zero(const gs_report_aggregate *a,
										 const gs_report_groups *groups,
										 int64 i);

/*
 * aggregate_state.c: an aggregate's transition state instead of its result.
 *
 * gs_report_partial: of which aggregate of what does Citus' worker_partial_agg
 * want the state?  NULL: it has to see to that itself.
 */
struct known_aggregate;

extern Aggref *gs_report_partial(const Aggref *aggref);

/*
 * That state is wanted: of AGGSPLIT_SIMPLE, which is Citus', the text.  False,
 * with t->reason: it is of no known kind.
 */
extern bool gs_report_state_add(gs_translation *t,
								const struct known_aggregate *known,
								const Aggref *aggref, AggSplit split,
								gs_report_aggregate *r);

/* A gpu_state or gpu_stats. */
extern Datum gs_report_state(const gs_report_aggregate *a,
							 const gs_report_groups *groups, int64 i,
							 int64 count);

/*
 * aggregate_result.c: the exact sums of group i, in the space of which there is
 * room for five of floats; and one of floats.
 */
extern gs_sums gs_report_sums(const gs_report_aggregate *a,
							  const gs_report_groups *groups, int64 i,
							  int64 count, int64 (*space)[GS_FLOAT_SUM_LIMBS]);

extern gs_limbs gs_report_float_sum(const gs_report_groups *groups,
									int aggregate, int64 i, int64 *space);

/* A column of the groups' states. */
static inline const char *
states(const gs_report_groups *groups, int aggregate)
{
	return groups->base + groups->layout.column[GS_FETCH_STATE(aggregate)];
}

#endif							/* GS_REPORT_AGGREGATE_RULES_H */
