/*-------------------------------------------------------------------------
 *
 * group_op.h
 *	  GS_GROUP and GS_EXPRESSION, operations over arrays, as plans (group.h).
 *
 * The plan's columns are the elements and, if there is one, the mask.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_OP_H
#define GS_GROUP_OP_H

#include "engine/group.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define GS_GROUP_OP_COLUMNS		2
#define GS_GROUP_OP_AGGREGATES	6	/* bits of GS_GROUP_ALL */

/* The plan of an operation, and what it points to: not to be copied. */
typedef struct gs_group_op
{
	gs_plan		plan;
	uint8_t		column[GS_GROUP_OP_COLUMNS];
	gs_operand	key;
	gs_aggregate aggregate[GS_GROUP_OP_AGGREGATES];
	gs_instruction code[GS_EXPRESSION_STEPS];
	gs_constant constant[GS_EXPRESSION_CONSTANTS];
} gs_group_op;

/* A batch of it, likewise. */
typedef struct gs_group_op_batch
{
	gs_batch	batch;
	gs_column_data column[GS_GROUP_OP_COLUMNS];
} gs_group_op_batch;

/* A plan for a valid operation. */
extern void gs_group_op_plan(const gs_op *op, gs_group_op *g);

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
									  const gs_group_engine *engine,
									  gs_group_run *run, gs_result *result);

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
