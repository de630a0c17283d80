/*-------------------------------------------------------------------------
 *
 * plan_reference.h
 *	  What a plan (engine/plan.h) gives, computed as plainly as possible.
 *
 * Nothing is shared with any engine but the header.  plan_reference.c computes
 * expressions, a row at a time; plan_state.c the states of a group from a list
 * of its values; plan_groups.c finds the groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_PLAN_REFERENCE_H
#define TEST_PLAN_REFERENCE_H

#include "engine/finish.h"
#include "test/common/plan_random.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* The value of an operand in a row. */
typedef struct plan_cell
{
	gs_value	v;
	bool		null;
	uint32_t	errors;			/* GS_ERROR_...; not 0: there is no value */
} plan_cell;

extern gs_type plan_type(const gs_plan *plan, gs_operand operand);

/* Has an instruction a second operand, or a third one? */
extern bool plan_reads_b(int code);
extern bool plan_reads_c(int code);
extern plan_cell plan_null(void);

/* SQL's order, in which -0 equals 0; the other one has it just below. */
extern int	plan_compare_sql(gs_type type, gs_value a, gs_value b);
extern int	plan_compare_total(gs_type type, gs_value a, gs_value b);

/* The one NaN; with `zero`, 0 for -0. */
extern gs_value plan_canonical(gs_type type, gs_value v, bool zero);

extern plan_cell plan_column_cell(const plan_case *c, int column, int64_t row);
extern plan_cell plan_constant_cell(const gs_plan *plan, int constant);

/* An entry of a look-up's table; false: it is NULL. */
extern bool plan_table_entry(const gs_plan *plan, const gs_instruction *in,
							 int64_t place, gs_value *value);

/* An instruction's result, given its operands'. */
extern plan_cell plan_compute(const gs_plan *plan, const gs_instruction *in,
							  plan_cell a, plan_cell b, plan_cell c);

/* Results of all instructions in a row, and the value of an operand then. */
extern void plan_compute_row(const plan_case *c, int64_t row,
							 plan_cell *result);
extern plan_cell plan_operand_cell(const plan_case *c, int64_t row,
								   const plan_cell *result,
								   gs_operand operand);

/*
 * A whole number in two's complement, least significant word first: of units
 * of 2^-1074 or 2^-2148 for floats.
 */
#define PLAN_BIG_WORDS	144

typedef struct plan_big
{
	uint32_t	word[PLAN_BIG_WORDS];
} plan_big;

extern void plan_big_add(plan_big *sum, const plan_big *addend);

/* The values that an aggregate sees of a group. */
typedef struct plan_values
{
	int64_t		n;
	gs_value   *a;				/* undefined for COUNT of nothing */
	gs_value   *b;				/* PRODUCTS */
} plan_values;

/* A sum of floats too wide for gs_float_sum. */
typedef union plan_wide
{
	gs_acc		acc;
	gs_acc2		acc2;
} plan_wide;

extern size_t plan_state_size(const gs_plan *plan, int aggregate);

/*
 * The state of these values; true: it is a wide sum, which has no place yet.
 */
extern bool plan_state(const gs_plan *plan, int aggregate,
					   const plan_values *values, void *state,
					   plan_wide *wide);

/* Between a float sum's state and a number. */
extern void plan_sum_from_big(const plan_big *sum, uint32_t seen,
							  bool squares, gs_float_sum *state,
							  plan_wide *wide, bool *is_wide);
extern void plan_sum_to_big(const gs_float_sum *state, bool squares,
							const plan_wide *wide, plan_big *sum);
extern bool plan_is_float_sum(const gs_plan *plan, int aggregate);
extern bool plan_is_squares(const gs_plan *plan, int aggregate);

/* The results of an execution, by the reference or an engine. */
typedef struct plan_result
{
	gs_summary	summary;
	gs_value   *key[GS_PLAN_KEYS];
	uint8_t    *nulls;
	uint8_t    *state[GS_PLAN_AGGREGATES];
	plan_wide  *wide[GS_PLAN_AGGREGATES];
	int64_t		wides[GS_PLAN_AGGREGATES];
} plan_result;

/* Room for what the summary says there is; wide sums excepted. */
extern void plan_result_allocate(const gs_plan *plan, plan_result *r);
extern void plan_result_free(plan_result *r);

/* What rows first to first + n - 1 give. */
extern void plan_reference(const plan_case *c, int64_t first, int64_t n,
						   plan_result *result);

/* plan_finish.c: what a group becomes in the rows of another plan */
extern plan_cell plan_finish(const gs_plan *plan, const plan_result *r,
							 const gs_finish *f, int64_t group);

/* The order of group i of a and group j of b. */
extern int	plan_compare_groups(const gs_plan *plan, const plan_result *a,
								int64_t i, const plan_result *b, int64_t j);

#ifdef __cplusplus
}
#endif

#endif							/* TEST_PLAN_REFERENCE_H */
