/*-------------------------------------------------------------------------
 *
 * aggregates.h
 *	  SQL's aggregates, made of those of the engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_AGGREGATES_H
#define GS_REPORT_AGGREGATES_H

#include "exact/figures.h"
#include "protocol/report.h"
#include "report/table/run.h"
#include "report/translate/translate.h"

/* A percentile. */
typedef struct gs_report_fraction
{
	double		fraction;
	bool		isnull;			/* so is the result, and there is no state */
	int			state;
} gs_report_fraction;

/*
 * How an Aggref's result follows from the engine's states: of them, numbers of
 * the plan's aggregates, -1 if it is not needed.
 */
typedef struct gs_report_aggregate
{
	int			rule;			/* aggregate_rules.h's */
	gs_figure	figure;			/* GS_RULE_FIGURE */
	bool		gpuscan;		/* an aggregate of gpuscan's */
	gs_type		type;			/* of what the engine has of the argument */
	gs_report_value value_of;	/* how SQL has the argument */
	Oid			result_type;
	int			state;			/* gs_state_kind, if that is the result, or 0 */
	Oid			output;			/* if its text is wanted: the function that
								 * makes it */
	bool		by_reference;	/* the result */
	int16		length;			/* its pg_type.typlen */
	int			count;
	int			value;			/* least, greatest, bits */
	int			sum;			/* of the argument; of pairs, of x */

	/* of intervals: the sums; what no value's part is below or above (around 0) */
	int			part[GS_INTERVAL_PARTS];
	int64		part_low[GS_INTERVAL_PARTS];
	int64		part_high[GS_INTERVAL_PARTS];
	int			squares;
	int			display;		/* of decimals: the largest display scale, if it
								 * is not the same for all */
	int			sum_y;			/* of pairs */
	int			squares_y;
	int			products;
	int			specials;		/* of floats, what PostgreSQL's max() is of; of
								 * pairs, of x */
	int			specials_y;
	int			greatest;		/* of a summary, or if `bounded`; the least is
								 * `value` */
	int			rows;			/* of a description: all of the group's */
	int			buckets;		/* of a histogram, which is `value` */

	/*
	 * Of integers and decimals: to all of those that the sum is of, `offset` is
	 * added, and if `bounded`, what comes out must be within low and high.
	 */
	int64		offset;
	bool		bounded;
	int64		low;
	int64		high;
	bool		descending;		/* the engine has reversed values, and there
								 * must be no NaN */
	bool		any_zero;		/* of -0 and 0 it is the one that PostgreSQL
								 * meets first or last: its min(), max(), or
								 * which its sort puts anywhere */

	/* percentiles: `shape` is the array of them, NULL: there is one */
	int			fractions;
	const gs_report_fraction *fraction;
	const struct ArrayType *shape;
} gs_report_aggregate;

/*
 * Add what an aggregate needs to the plan.  False, with t->reason, if it is
 * not one that gpuscan.reports, `reports`, lets the service compute.
 */
extern bool gs_report_aggregate_add(gs_translation *t, Aggref *aggref,
									gs_reports_choice reports,
									gs_report_aggregate *result);

/*
 * aggregate_given.c: what groups give to a plan whose rows they are: key k, which
 * the expression has become; and an aggregate's result, all[number - 1], of which
 * a mean takes all[spare - 1] and the one behind, too.
 */
extern void gs_report_give_key(const gs_translation *t, int k,
							   Expr *expression, gs_given *given);

/* Its type, and how it is finished. */
extern void gs_report_finish_key(const gs_translation *t, int k,
								 gs_given *given);

/* The operand that an expression has become, but for how it is finished. */
extern void gs_report_give_value(const gs_translation *t, gs_operand operand,
								 Expr *expression, gs_given *given);
extern void gs_report_give_aggregate(const gs_translation *t,
									 const gs_report_aggregate *a,
									 gs_given *all, int number, int spare);

/* Does the setting allow the aggregate of such values?  Else there is a reason. */
extern bool gs_report_allows(gs_translation *t, Oid function,
							 const gs_report_value *value,
							 gs_reports_choice reports);

/* Are the record's distinct values counted without its rows being sorted? */
extern bool gs_report_is_small_record(const RowExpr *row);

/* Is it an aggregate of gpuscan's? */
extern bool gs_report_is_gpuscan(const Aggref *aggref);

/* Groups that were fetched, and where their parts are. */
typedef struct gs_report_groups
{
	const gs_plan *plan;
	gs_groups_layout layout;
	const char *base;
	int64		first;			/* number of the first group that is here */
	int64		n;

	/*
	 * An aggregate's wide sums, those of these groups: the first one's place
	 * among all.  NULL: none is wide.
	 */
	const char *wide[GS_PLAN_AGGREGATES];
	int64		wide_first[GS_PLAN_AGGREGATES];
	double		size;			/* of groups that are kept: bytes that count */
} gs_report_groups;

/* Is its result made of this state of the plan's? */
extern bool gs_report_has_state(const gs_report_aggregate *a, int state);

/*
 * The result for group i of those here, in the current memory context.  It may
 * be an error, which is one when the group's turn comes, as in the ordinary
 * plan.
 */
extern gs_rounding gs_report_aggregate_result(const gs_report_aggregate *a,
											  const gs_report_groups *groups,
											  int64 i, Datum *value);

/* The results for all groups; outcomes are gs_rounding. */
extern void gs_report_aggregate_results(const gs_report_aggregate *a,
										const gs_report_groups *groups,
										Datum *values, uint8 *outcomes);

/*
 * Why the ordinary plan must give the results of these groups, or NULL.
 *
 * -0 equals 0, and which of them PostgreSQL gives, as a least or greatest value
 * or as a key, depends on the order of its rows.
 */
extern const char *gs_report_cannot_show(const gs_report_aggregate *aggregates,
										 int n,
										 const gs_report_groups *groups);

/* Where the values of rows are among the plan's. */
typedef struct gs_row_value
{
	int			value;			/* of a mean: the sum */
	int			count;			/* of a mean: of how many; else -1 */
} gs_row_value;

/* The mean in row i, of a sum and the count behind it. */
extern gs_rounding gs_report_mean(const gs_report_groups *groups,
								  const gs_report_value *sum, int64 i,
								  Datum *value);

/* Are the ranks in an aggregate's states possible? */
extern bool gs_report_ranks_are_possible(const gs_report_aggregate *a,
										 const gs_report_groups *groups);

/* The value of a key in group i. */
extern gs_rounding gs_report_key(const gs_report_groups *groups,
								    const gs_report_value *key, int64 i,
								    Datum *value);

/*
 * The greatest code, or row, of the plan's key k, -1 if there is none, INT32_MAX if any is not
 * possible.
 */
extern int32 gs_report_greatest_code(const gs_report_groups *groups, int k);

/* The values of key k. */
extern void gs_report_keys(const gs_report_groups *groups,
						   const gs_report_value *key, Datum *values,
						   uint8 *outcomes);

#endif							/* GS_REPORT_AGGREGATES_H */
