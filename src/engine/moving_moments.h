/*-------------------------------------------------------------------------
 *
 * moving_moments.h
 *	  The standard deviation of moving frames of floats, in integers.
 *
 * As moving_pairs.h: where the bits of all values lie close enough together, a
 * frame's sum is an integer of 128 bits, and the sum of squares one of 256.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_MOMENTS_H
#define GS_MOVING_MOMENTS_H

#include "engine/moving_pairs.h"

typedef struct gs_moving_moments
{
	int			base;			/* the unit (gs_wide_fits) */
	int64_t		n;
	gs_wide		sum;
	gs_quad		squares;
} gs_moving_moments;

/* A value enters, or leaves; it is finite. */
static inline void
gs_moving_moments_change(gs_moving_moments *s, double x, bool leaves)
{
	gs_wide		a = gs_wide_of(x, s->base);

	s->n += leaves ? -1 : 1;
	s->sum = leaves ? gs_wide_subtract(s->sum, a) : gs_wide_add(s->sum, a);
	gs_quad_add_product(&s->squares, a, a, leaves);
}

/* By integers of any length. */
static inline gs_rounding
gs_moving_stddev_slowly(const gs_moving_moments *s, int unit, double *result)
{
	int64_t		limb[2][GS_QUAD_LIMBS];
	const uint64_t word[] = {s->sum.low, s->sum.high};
	gs_limbs	sum = gs_quad_limbs(word, 2, limb[0]);
	gs_limbs	squares = gs_quad_limbs(s->squares.word, GS_QUAD_WORDS,
										limb[1]);

	sum.lowest = unit;
	squares.lowest = 2 * unit;
	return gs_limbs_stddev(sum, squares, s->n, true, result);
}

/* Of the sample, as gs_limbs_stddev; a frame has less than 2^31 values. */
static inline gs_rounding
gs_moving_moments_stddev(const gs_moving_moments *s, double *result)
{
	const int	unit = s->base + GS_ACC_LOWEST;
	gs_leading	v;

	if (s->n < 2)
		return GS_UNDEFINED;
	v = gs_quad_leading(gs_quad_centred(s->n, s->squares, s->sum, s->sum));
	v.exponent += 2 * unit;
	*result = 0;
	if (v.top == 0 || gs_stddev_quickly(v, s->n, result))
		return GS_ROUNDED;
	return gs_moving_stddev_slowly(s, unit, result);
}

#endif							/* GS_MOVING_MOMENTS_H */
