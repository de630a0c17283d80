/*-------------------------------------------------------------------------
 *
 * pair_sums.h
 *	  Exact sums over frames of pairs, or of values, that move, and figures of
 *	  them.
 *
 * They are integers (engine/moving_pairs.h) where the bits of all elements lie
 * close enough together, and else in the limbs that they lie in.  Pairs enter
 * and leave them from one frame to the next.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_PAIR_SUMS_H
#define GS_CPU_PAIR_SUMS_H

#include "engine/cpu/moving/moving.h"
#include "engine/moving_pairs.h"

/* Over pairs first .. end - 1. */
typedef struct cpu_pair_sums
{
	/* given; zeros for a pair that has a NULL */
	const double *y;			/* NULL: of values x alone */
	const double *x;

	bool		open;			/* these are set: */
	bool		wide;
	gs_extent	extent_y;
	gs_extent	extent_x;

	int64_t		first;
	int64_t		end;
	int64_t		special_y;		/* so many are not finite, and in no sum */
	int64_t		special_x;
	gs_moving_pairs integer;	/* but its n */

	/* if not wide; below 2^33 times the changes since carries are propagated */
	int64_t		changes;
	int64_t		sum_y[GS_ACC_LIMBS];
	int64_t		sum_x[GS_ACC_LIMBS];
	int64_t		yy[GS_ACC2_LIMBS];
	int64_t		xx[GS_ACC2_LIMBS];
	int64_t		xy[GS_ACC2_LIMBS];
} cpu_pair_sums;

/* Of n elements, up to `most` in a frame; none has entered. */
extern void cpu_pair_sums_open(cpu_pair_sums *p, int64_t n, int64_t most);

/* To a frame, neither of whose ends is before that of the last one. */
extern void cpu_pair_sums_move(cpu_pair_sums *p, int64_t first, int64_t end);

/* As gs_figure_real, of the frame's n pairs; from GS_FIGURE_VAR_POP on. */
extern gs_rounding cpu_pair_sums_figure(const cpu_pair_sums *p, gs_figure f,
										int64_t n, double *result);

#endif							/* GS_CPU_PAIR_SUMS_H */
