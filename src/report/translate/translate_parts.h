/*-------------------------------------------------------------------------
 *
 * translate_parts.h
 *	  A plan while it is made: what the files of translation share.
 *
 * Functions that return a bool return false, with t->reason, if it cannot be
 * done.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TRANSLATE_PARTS_H
#define GS_REPORT_TRANSLATE_PARTS_H

#include "datatype/timestamp.h"

#include "report/translate/lookup.h"
#include "report/translate/translate.h"

/* Where a row finds a dimension's; GS_NOTHING: that has not been put. */
typedef struct gs_dimension_place
{
	gs_operand	operand;
	gs_dimension_index *index;
} gs_dimension_place;

/*
 * The plan's arrays.
 *
 * Operands that stand for a numeric are integers, times 10^scale; those of
 * other types have the scale 0.  A numeric's display scale is the same, but
 * where it depends on the row: then it is an operand of its own.
 */
typedef struct gs_translation_private
{
	uint8_t		column[GS_PLAN_COLUMNS];
	gs_instruction code[GS_PLAN_CODE];
	bool		raises[GS_PLAN_CODE];	/* can the result be an error? */
	int			scale[GS_PLAN_CODE];
	gs_operand	display[GS_PLAN_CODE];	/* GS_NOTHING: the scale */
	bool		is_code[GS_PLAN_CODE];
	gs_dictionary *dictionary[GS_PLAN_CODE];	/* of these codes */
	gs_constant constant[GS_PLAN_CONSTANTS];
	int			constant_scale[GS_PLAN_CONSTANTS];

	/* what a constant stands for whose value is not known yet, else NULL */
	Expr	   *source[GS_PLAN_CONSTANTS];
	gs_value   *list;
	int32		list_space;
	gs_plan_table table[GS_PLAN_TABLES];
	gs_operand	key[GS_PLAN_KEYS];
	gs_aggregate aggregate[GS_PLAN_AGGREGATES];

	/* what a CaseTestExpr stands for, or GS_NOTHING */
	gs_operand	case_value;

	/*
	 * Is it of no account which codes' values are equal, since there is a table
	 * for each?  Columns of types whose equal values may look different, whose
	 * values have been taken without asking.
	 */
	bool		by_bytes;
	bool		unasked[GS_PLAN_COLUMNS];
	gs_dimension_place place[GS_DIMENSIONS_MAX];
} gs_translation_private;

/* How far a translation has come: small, as each level of an expression has it. */
typedef struct gs_translation_mark
{
	int			columns;
	int			instructions;
	int			constants;
	int			list_length;
	int			tables;
	int			ranges;
	bool		missing;
	Expr	   *unknown;
	bool		more_unknown;
} gs_translation_mark;

/* translate.c */
extern gs_translation_mark gs_mark(const gs_translation *t);

/* Forget what has been put since, but for aggregates. */
extern void gs_forget(gs_translation *t, const gs_translation_mark *before);
extern bool gs_untranslated(gs_translation *t, const char *reason);
extern bool gs_untranslated_hint(gs_translation *t, const char *reason,
								 const char *hint);
extern bool gs_put(gs_translation *t, gs_instruction in, gs_operand *r);
extern bool gs_put_displayed(gs_translation *t, gs_instruction in,
							 gs_operand display, gs_operand *r);
extern bool gs_put_unary(gs_translation *t, gs_code code, gs_operand a,
						 gs_operand *r);
extern bool gs_put_binary(gs_translation *t, gs_code code, gs_operand a,
						  gs_operand b, gs_operand *r);
extern bool gs_put_choose(gs_translation *t, gs_operand a, gs_operand b,
						  gs_operand c, gs_operand *r);
extern bool gs_put_constant(gs_translation *t, gs_constant value,
							Expr *source, gs_operand *r);
extern bool gs_put_scaled(gs_translation *t, gs_constant value, int scale,
						  Expr *source, gs_operand *r);
extern bool gs_put_boolean(gs_translation *t, bool value, gs_operand *r);

/* A constant of type int4, int8 or float8, which can hold it. */
extern bool gs_put_number(gs_translation *t, gs_type type, int64 value,
						  gs_operand *r);
extern bool gs_put_integer(gs_translation *t, int32 value, gs_operand *r);
extern bool gs_put_bigint(gs_translation *t, int64 value, gs_operand *r);
extern bool gs_put_null(gs_translation *t, gs_type type, gs_operand *r);
extern bool gs_put_cast(gs_translation *t, gs_type to, gs_operand a,
						gs_operand *r);

/* The operand's constant, if that is what it is, and its value is known. */
extern const gs_constant *gs_known_constant(const gs_translation *t,
											gs_operand operand);
extern bool gs_can_raise(const gs_translation *t, gs_operand operand);

/*
 * Do equal values look the same, but for zeros?  Else which of them is shown
 * depends on the plan: see scales.h.  Of a key, or a value that an aggregate
 * chooses: `of`.
 */
extern bool gs_equals_look_same(gs_translation *t, const char *of,
								gs_operand operand);

/* As gs_translate_any, of a value that is shown as it is. */
extern bool gs_translate_of_one_look(gs_translation *t, const char *of,
									 Expr *expression, gs_operand *r);

/* The engine's type for what is computed of an SQL type's values. */
extern bool gs_computed_type(Oid type, gs_type *result);

/* translate_any.c */
extern bool gs_is_stack_short(gs_translation *t);	/* with a reason */

/* translate_columns.c */
extern bool gs_translate_column(gs_translation *t, Var *var, gs_operand *r);

/* Of codes; NULL when planning. */
extern gs_dictionary *gs_dictionary_of(const gs_translation *t,
									   gs_operand operand);

/*
 * translate_known.c: of expressions without a column.  gs_is_known: may it be
 * evaluated?  Else gs_put_unknown puts what stands for a value.
 */
extern bool gs_has_no_column(Expr *expression);
extern bool gs_is_known(const gs_translation *t, Expr *expression);
extern Datum gs_evaluate(gs_translation *t, Expr *expression, bool *isnull);
extern bool gs_put_unknown(gs_translation *t, Expr *expression, gs_type type,
						   gs_operand *r);

/*
 * The first parameter in it whose subquery must not be executed yet.  Those
 * before it have been, if they had to.
 */
extern Param *gs_unknown_parameter(gs_translation *t, Expr *expression);

/* translate_constant.c */
extern bool gs_put_value(gs_translation *t, Expr *expression, bool sure,
						 gs_operand *r);
extern bool gs_convert(gs_type from, gs_value value, gs_type to,
					   gs_value *result);
extern gs_value *gs_extend_list(gs_translation *t, int n);

/*
 * IN, of n values behind the end of the plan's list (gs_extend_list), in any
 * order.
 */
extern bool gs_put_in_list(gs_translation *t, gs_instruction in, int n,
						   gs_operand *r);

/* An instruction with a list of n values, none of which is NULL. */
extern bool gs_put_listed(gs_translation *t, gs_instruction in,
						  const gs_value *values, int n, gs_operand *r);

/*
 * How many of n thresholds, which ascend strictly, are not above a; and what a
 * table has for an integer from 0 to n - 1.
 */
extern bool gs_put_search(gs_translation *t, gs_operand a,
						  const gs_value *thresholds, int n, gs_operand *r);
extern bool gs_put_table(gs_translation *t, gs_operand a, gs_type type,
						 const gs_value *results, int n, gs_operand *r);
extern bool gs_put_in(gs_translation *t, gs_operand a, Expr *array,
					  gs_type type, gs_operand *r);

/* translate_expression.c: what is made of other expressions */
extern bool gs_translate_compound(gs_translation *t, Expr *expression,
								  gs_operand *r);

/* A boolean; and *r, or GS_NOTHING, AND quals, in this order. */
extern bool gs_translate_condition(gs_translation *t, Expr *condition,
								   gs_operand *r);
extern bool gs_add_qual(gs_translation *t, gs_operand qual, gs_operand *r);
extern bool gs_add_quals(gs_translation *t, List *quals, gs_operand *r);

/* CASE or COALESCE whose values have codes */
extern bool gs_is_choice_of_texts(const gs_translation *t, Expr *e);

/* translate_decimals.c: of type numeric */
extern int	gs_scale_of(const gs_translation *t, gs_operand operand);
extern gs_operand gs_display_of(const gs_translation *t, gs_operand operand);
extern int	gs_result_scale(const gs_translation *t, const gs_instruction *in);
extern bool gs_put_decimal(gs_translation *t, Datum value, gs_operand *r);
extern bool gs_translate_decimal(gs_translation *t, gs_code code, List *args,
								 gs_operand *r);
extern bool gs_align_decimals(gs_translation *t, gs_operand *a,
							  gs_operand *b);
extern bool gs_decimal_to_float8(gs_translation *t, gs_operand a,
								 gs_operand *r);
extern bool gs_decimal_to_float4(gs_translation *t, gs_operand a,
								 gs_operand *r);

/* The factors of a product of numerics, if the expression is one. */
extern bool gs_translate_product(gs_translation *t, Expr *expression,
								 gs_operand *a, gs_operand *b);

/* The display scale where the value is not NULL. */
extern bool gs_put_display(gs_translation *t, gs_operand a, gs_operand *r);

/* As gs_put_choose; b and c may have different scales. */
extern bool gs_put_choice(gs_translation *t, gs_operand a, gs_operand b,
						  gs_operand c, gs_operand *r);

/*
 * translate_rounding.c: a numeric as GS_CODE_FLOOR, CEIL, TRUNC or ROUND have
 * it, to so many decimal places; ROUND: half away from 0.
 */
extern bool gs_translate_rounding(gs_translation *t, gs_code how, Expr *e,
								  int digits, gs_operand *r);

/*
 * A quotient by a constant that is compared with another: what is compared in its
 * place, and how, with which bound.  False: it is no such quotient.
 */
extern bool gs_translate_quotient(gs_translation *t, Expr *e, Datum *bound,
								  gs_code *code, gs_operand *r);

/*
 * A comparison of a mean, of which another plan gives the sum and the count, with
 * a constant.  gs_mean_of: NULL: the expression is no such mean.
 */
extern const gs_given *gs_mean_of(const gs_translation *t, Expr *e);
extern bool gs_compare_mean(gs_translation *t, gs_code code,
							const gs_given *mean, Datum bound, gs_operand *r);

/* What is NULL where the expression is, of codes or of a mean, too. */
extern bool gs_translate_presence(gs_translation *t, Expr *e, gs_operand *r);

/* As a column of a precision and scale has it. */
extern bool gs_translate_typmod(gs_translation *t, Expr *e, int32 typmod,
								gs_operand *r);

/* translate_buckets.c: width_bucket(), by bounds and by thresholds */
extern bool gs_translate_buckets(gs_translation *t, bool decimal, List *args,
								 gs_operand *r);
extern bool gs_translate_places(gs_translation *t, List *args, gs_operand *r);

/* translate_dates.c: false without a reason if it is another function */
extern bool gs_translate_dates(gs_translation *t, Oid function, List *args,
							   gs_operand *r);

/* translate_operators.c: by function OIDs, which must be set */
extern bool gs_translate_function(gs_translation *t, Oid oid, List *args,
								  gs_operand *r);
extern bool gs_translate_null_if(gs_translation *t, OpExpr *e,
								 gs_operand *r);
extern bool gs_translate_distinct(gs_translation *t, OpExpr *e,
								  gs_operand *r);
extern bool gs_translate_in(gs_translation *t, ScalarArrayOpExpr *e,
							gs_operand *r);

/* 1, 0, or NULL */
extern bool gs_put_bool_to_int4(gs_translation *t, gs_operand a,
								gs_operand *r);

/*
 * translate_intervals.c: what codes of intervals stand for.  Of an infinite one all
 * three are errors.
 */
typedef struct gs_interval_parts
{
	gs_operand	part[GS_INTERVAL_PARTS];

	/* of codes, executing: no value is less, or greater; they are around 0 */
	int64		low[GS_INTERVAL_PARTS];
	int64		high[GS_INTERVAL_PARTS];
} gs_interval_parts;

extern bool gs_put_interval_parts(gs_translation *t, gs_operand code,
								  gs_interval_parts *parts);

/* translate_times.c: is it one of the functions that are put there? */
extern bool gs_is_of_times(Expr *expression);

/* translate_subquery.c: of gs_is_membership */
extern bool gs_translate_membership(gs_translation *t, const SubPlan *plan,
									gs_operand *r);

/* translate_leaks.c */
extern bool gs_leaks(Node *expression);

/*
 * translate_codes.c.  The plan is right if, when the report has been made,
 * gs_must_not_grow: the dictionary, a column's, has no more than n values;
 * gs_must_lack: it has none of these, or no more than n at all, -1 if that does
 * not tell.
 */
extern bool gs_translate_codes(gs_translation *t, Expr *expression,
							   gs_operand *r);
extern void gs_must_not_grow(gs_translation *t, const gs_dictionary *d,
							 int32 n);
extern void gs_must_lack(gs_translation *t, const gs_dictionary *d, int32 n,
						 Datum *value, int values);

/* The codes of a dictionary's values in another one, which must lack the others: -1. */
extern int32 *gs_find_codes(gs_translation *t, const gs_dictionary *from,
							const gs_dictionary *to);

/*
 * translate_values.c: an expression that has one column in it, or one choice
 * among texts, and nothing else that rows have.  False without a reason if it is
 * another one.
 */
extern Node *gs_resolve(const gs_translation *t, Node *node);
extern bool gs_has_short_table(const gs_translation *t, Expr *expression);
extern bool gs_translate_values(gs_translation *t, Expr *expression,
								gs_operand *r);
extern bool gs_has_few_values(gs_translation *t, int32 n);
extern bool gs_translate_of_choice(gs_translation *t, Expr *expression,
								   gs_operand *r);

/*
 * In place of an expression with a parameter whose subquery must not be executed
 * yet: a row needs that.
 */
extern bool gs_put_need(gs_translation *t, Expr *expression, Param *param,
						gs_lookup *lookup, gs_operand *r);

/* Planning: it is evaluated so many times. */
extern void gs_add_evaluation(gs_translation *t, Expr *expression,
							  double times);

/* translate_place.c: put once a translation; NULL, with a reason: it cannot be. */
extern const gs_dimension_place *gs_dimension_place_of(gs_translation *t,
													   gs_dimension *d);

/*
 * translate_dimension.c.  gs_find_dimension: whose columns are all that rows have
 * in the expression; NULL: it is of none, of several, or of the table, too.
 * gs_is_of_table: has it no column of a dimension?
 * gs_add_joins: as gs_add_quals, with what the joins ask of a row, and these
 * conditions on what it finds.
 */
extern gs_dimension *gs_find_dimension(const gs_translation *t,
									   Expr *expression);
extern bool gs_is_of_table(const gs_translation *t, Expr *expression);
extern bool gs_translate_of_dimension(gs_translation *t, gs_dimension *d,
									  Expr *expression, gs_operand *r);
extern bool gs_add_joins(gs_translation *t, List *conditions, gs_operand *r);

/*
 * translate_lookup.c: what a row's value, the operand, has in a table of
 * results, which is empty when planning; and what is known of these results.
 */
extern bool gs_put_lookup(gs_translation *t, const gs_domain *domain,
						  gs_operand operand, const gs_lookup *lookup,
						  gs_operand *r);

/*
 * The same in steps: results, which are integers if the bits of a float are, become the table of n places, in the current memory
 * context, which are those of the rows, or if row is NULL in their order; one that
 * is -1, and what comes behind them, has the last result.  Then the table is put;
 * errors: NULL, or where there was one; lookup: of what kind results are.
 */
extern int64 gs_lookup_integer(gs_type type, gs_value value);
extern void gs_lookup_pack(const gs_lookup *lookup, const int32 *row, int32 n,
						   gs_lookup_table *table);

/* An instruction that reads a table, which becomes the plan's. */
extern bool gs_put_with_table(gs_translation *t, gs_instruction in,
							  const gs_lookup_table *table, gs_operand *r);

/* Of one that is used again: the service may keep it if it is large enough. */
extern void gs_lookup_number(gs_lookup_table *table);
extern uint64 gs_lookup_next_number(void);
extern bool gs_lookup_pack_errors(const gs_lookup *lookup, const int32 *row,
								  int32 n, gs_lookup_table *table);
extern bool gs_put_lookup_table(gs_translation *t, const gs_domain *domain,
								gs_operand operand, const gs_lookup *lookup,
								const gs_lookup_table *table,
								const gs_lookup_table *errors, gs_operand *r);

/*
 * The code in a dictionary: of this session, to which its values are added, or a
 * column's, which must have them; and what has codes of the former, from the
 * codes.
 */
extern bool gs_put_text(gs_translation *t, gs_dictionary *texts, Expr *e,
						gs_operand *r);
extern bool gs_put_texts(gs_translation *t, gs_dictionary *texts,
						 gs_operand code, gs_operand *r);
extern void gs_describe_lookup(gs_translation *t, const gs_lookup *lookup,
							   gs_operand r);

/*
 * translate_granule.c: how long, in microseconds, the result of an expression of
 * a timestamp stays the same, from any multiple of that on.  0: it may change
 * at any time.  With a time zone, this is a granule where the session's zone
 * allows it, which gs_granule_in_zone finds out: it may have a shorter one, or
 * none, between low and high, which are finite.
 */
extern int64 gs_granule(const gs_translation *t, Expr *expression, Oid type);
extern int64 gs_granule_in_zone(int64 granule, TimestampTz low,
								TimestampTz high);

/*
 * What is known of functions of times: how many values there are, or that it is
 * so many microseconds from one to the next; 0: it is not.
 */
extern void gs_unit_values(Expr *expression, int *values, int64 *step);

#endif							/* GS_REPORT_TRANSLATE_PARTS_H */
