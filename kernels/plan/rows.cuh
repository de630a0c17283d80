/*-------------------------------------------------------------------------
 *
 * rows.cuh
 *	  The rows of a plan of rows, in device memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ROWS_CUH
#define GS_GROUP_ROWS_CUH

#include "kernels/plan/plan.cuh"

/* Columns of the same operand are one. */
typedef struct group_rows
{
	int			columns;
	int			column_of[GS_PLAN_AGGREGATES];
	gs_operand	of[GS_PLAN_AGGREGATES];
	int			width[GS_PLAN_AGGREGATES];	/* bytes of a value */
	bool		nulls[GS_PLAN_AGGREGATES];	/* the bits of what is not NULL count,
											 * else all is */
	int64_t		n;				/* rows so far */
	int64_t		capacity;
	group_memory memory;		/* of all columns; 0 where bits may be added */
	size_t		values_at[GS_PLAN_AGGREGATES];	/* where they are in it */
	size_t		bits_at[GS_PLAN_AGGREGATES];
	group_memory ranks;

	/* only those of a slice, by an integer; 0: all */
	int			slices;
	int			slice;
	gs_operand	by;
	group_memory slice_bits;
} group_rows;

#endif							/* GS_GROUP_ROWS_CUH */
