/*-------------------------------------------------------------------------
 *
 * moving_pairs.h
 *	  The correlation of moving frames of pairs, in integers of 256 bits.
 *
 * Where the bits of all x lie close enough together, and so do those of all y
 * (moving.h), sums of frames are integers of 128 bits, and sums of squares and
 * products integers of 256 bits, which also hold n times the latter less the
 * products of the former.  A correlation does not depend on the units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_PAIRS_H
#define GS_MOVING_PAIRS_H

#include "engine/moving_quad.h"

typedef struct gs_moving_pairs
{
	int			base_x;			/* the units of x and y (gs_wide_fits) */
	int			base_y;
	int64_t		n;
	gs_wide		x;
	gs_wide		y;
	gs_quad		xx;
	gs_quad		yy;
	gs_quad		xy;
} gs_moving_pairs;

/* A pair enters, or leaves; both are finite. */
static inline void
gs_moving_pairs_change(gs_moving_pairs *s, double y, double x, bool leaves)
{
	gs_wide		a = gs_wide_of(x, s->base_x);
	gs_wide		b = gs_wide_of(y, s->base_y);

	s->n += leaves ? -1 : 1;
	s->x = leaves ? gs_wide_subtract(s->x, a) : gs_wide_add(s->x, a);
	s->y = leaves ? gs_wide_subtract(s->y, b) : gs_wide_add(s->y, b);
	gs_quad_add_product(&s->xx, a, a, leaves);
	gs_quad_add_product(&s->yy, b, b, leaves);
	gs_quad_add_product(&s->xy, a, b, leaves);
}

/* The limbs of an integer, 32 bits each but for the last, which has a sign. */
#define GS_QUAD_LIMBS	(2 * GS_QUAD_WORDS)

static inline gs_limbs
gs_quad_limbs(const uint64_t *word, int words, int64_t *limb)
{
	gs_limbs	r = {limb, 2 * words, 0, GS_SEEN_NOT_NEGATIVE_ZERO};

	for (int i = 0; i < words; i++)
	{
		limb[2 * i] = (int64_t) (word[i] & 0xffffffff);
		limb[2 * i + 1] = i < words - 1 ? (int64_t) (word[i] >> 32) :
			(int64_t) word[i] >> 32;
	}
	return r;
}

/* By integers of any length. */
static inline gs_rounding
gs_moving_pairs_slowly(const gs_moving_pairs *s, double *result)
{
	int64_t		limb[5][GS_QUAD_LIMBS];
	const uint64_t x[] = {s->x.low, s->x.high};
	const uint64_t y[] = {s->y.low, s->y.high};
	gs_pair_sums sums = {
		.n = s->n,
		.x = gs_quad_limbs(x, 2, limb[0]),
		.y = gs_quad_limbs(y, 2, limb[1]),
		.xx = gs_quad_limbs(s->xx.word, GS_QUAD_WORDS, limb[2]),
		.yy = gs_quad_limbs(s->yy.word, GS_QUAD_WORDS, limb[3]),
		.xy = gs_quad_limbs(s->xy.word, GS_QUAD_WORDS, limb[4])
	};

	return gs_correlation(&sums, result);
}

/* As gs_correlation. */
static inline gs_rounding
gs_moving_pairs_correlation(const gs_moving_pairs *s, double *result)
{
	gs_leading	b = gs_quad_leading(gs_quad_centred(s->n, s->xx, s->x, s->x));
	gs_leading	c = gs_quad_leading(gs_quad_centred(s->n, s->yy, s->y, s->y));
	gs_leading	a;

	if (b.top == 0 || c.top == 0)
		return GS_UNDEFINED;
	a = gs_quad_leading(gs_quad_centred(s->n, s->xy, s->x, s->y));
	if (gs_correlate_quickly(a, b, c, result))
		return GS_ROUNDED;
	return gs_moving_pairs_slowly(s, result);
}

#endif							/* GS_MOVING_PAIRS_H */
