/*-------------------------------------------------------------------------
 *
 * plain.cuh
 *	  Plain programs: those of integers that neither fail nor see a NULL.
 *
 * Whether a program is plain depends on the ranges of a batch's columns.  Then
 * values have no states, and nothing has to be checked.  The ranges of what is
 * computed also say how many digits its sum takes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_PLAIN_CUH
#define GS_GROUP_PLAIN_CUH

#include "kernels/plan/evaluate.cuh"

#define PLAIN_STEPS		16

/* A slot, a column or a constant. */
typedef struct plain_operand
{
	const void *values;			/* of a column; NULL: it is none */
	int64_t		base;			/* of a column; a constant's value */
	int16_t		format;			/* of a column */
	int16_t		slot;			/* -1: none */
} plain_operand;

typedef struct plain_step
{
	plain_operand a;
	plain_operand b;
	int32_t		code;			/* GS_CODE_ADD, SUBTRACT, MULTIPLY; CAST: a as
								 * it is */
	int32_t		slot;
} plain_step;

typedef struct plain_interval
{
	int64_t		low;
	int64_t		high;
} plain_interval;

/* Where the results of steps are, at the end those of the outputs. */
typedef struct plain_program
{
	int			steps;
	plain_step	step[PLAIN_STEPS];
	plain_interval interval[PLAIN_STEPS];	/* of slots */
} plain_program;

/* The integers that a column may have. */
extern plain_interval group_plain_column(gs_type type,
										 const gs_column_data *data);

/* Make a program that does what *p does; false: it is not plain. */
extern bool group_plain_make(const gs_plan *plan, const gs_batch *batch,
							 const evaluate_program *p, plain_program *plain);

#endif							/* GS_GROUP_PLAIN_CUH */
