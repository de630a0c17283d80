/*-------------------------------------------------------------------------
 *
 * group_op.h
 *	  GS_GROUP and GS_EXPRESSION, operations over arrays, as plans (plan.h).
 *
 * The plan's columns are the elements and, if there is one, the mask.  A filter
 * is the plan's, unless differences follow: these are the plan's elements then,
 * and the engine filters and subtracts before it feeds the plan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_OP_H
#define GS_GROUP_OP_H

#include "engine/plan.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define GS_GROUP_OP_COLUMNS		2
#define GS_GROUP_OP_AGGREGATES	6	/* bits of GS_GROUP_ALL */
#define GS_GROUP_OP_CODE		(GS_EXPRESSION_STEPS + 2)	/* and a filter's */
#define GS_GROUP_OP_CONSTANTS	(GS_EXPRESSION_CONSTANTS + 1)

/* The plan of an operation, and what it points to: not to be copied. */
typedef struct gs_group_op
{
	gs_plan		plan;
	uint8_t		column[GS_GROUP_OP_COLUMNS];
	gs_operand	key;
	gs_aggregate aggregate[GS_GROUP_OP_AGGREGATES];
	gs_instruction code[GS_GROUP_OP_CODE];
	gs_constant constant[GS_GROUP_OP_CONSTANTS];
} gs_group_op;

/* A batch of it, likewise. */
typedef struct gs_group_op_batch
{
	gs_batch	batch;
	gs_column_data column[GS_GROUP_OP_COLUMNS];
} gs_group_op_batch;

/* A plan for a valid operation. */
extern void gs_group_op_plan(const gs_op *op, gs_group_op *g);

/* Has the engine to make the plan's elements first? */
static inline bool
gs_has_prologue(const gs_op *op)
{
	return op->kind == GS_EXPRESSION &&
		op->expression.differences != GS_NO_DIFFERENCES;
}

/*
 * The operations over arrays that make the plan's elements: a GS_FILTER, unless
 * its compare is 0, then a GS_DIFF.
 */
extern void gs_prologue(const gs_op *op, gs_op *filter, gs_op *diff);

/*
 * A batch of at least one element, where it lies.  `resident` is not set: of a
 * cached array, only the start is aligned as it says.
 */
extern void gs_group_op_input(const gs_op *op, const gs_input *in,
							  gs_group_op_batch *b);

/* Is an operation of a valid kind and type a valid GS_EXPRESSION? */
extern bool gs_expression_is_valid(const gs_op *op);

/*
 * End a plan's execution that was fed completely, and make the result of a
 * GS_EXPRESSION of it.
 */
extern gs_status gs_expression_finish(const gs_op *op,
									  const gs_plan_engine *engine,
									  gs_plan_run *run, gs_result *result);

/* The result where a difference is out of range. */
extern void gs_expression_wrong(gs_result *result);

/* The column of the plan's results; -1: there is none. */
extern int	gs_group_op_column(const gs_op *op, gs_column column);

/* The number after that of the last wide sum of these. */
extern int64_t gs_wide_end(const gs_float_sum *sums, int64_t n);

/*
 * Are these results of a column within what there can be, of so many groups?
 * For results from another process: looks at all that becomes an index.
 */
extern bool gs_group_op_valid(const gs_op *op, gs_column column,
							  const void *results, int64_t n, int64_t groups);

/* The size in bytes of a result in a column that there is. */
extern size_t gs_group_op_width(const gs_op *op, gs_column column);

#ifdef __cplusplus
}
#endif

#endif							/* GS_GROUP_OP_H */
