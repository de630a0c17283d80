/*-------------------------------------------------------------------------
 *
 * moving_pairs.h
 *	  Figures of frames of pairs, or of values x, in integers of 256 bits.
 *
 * Where the bits of all x lie close enough together, and so do those of all y
 * (moving.h), sums of frames are integers of 128 bits, and sums of squares and
 * products integers of 256 bits, which also hold n times the latter less the
 * products of the former.  A correlation does not depend on the units; of other
 * figures the integers are those of moments.h.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_PAIRS_H
#define GS_MOVING_PAIRS_H

#include "engine/moving_quad.h"
#include "exact/moments.h"

typedef struct gs_moving_pairs
{
	int			base_x;			/* the units of x and y (gs_wide_fits); without y,
								 * its sums are not used */
	int			base_y;
	int64_t		n;
	gs_wide		x;
	gs_wide		y;
	gs_quad		xx;
	gs_quad		yy;
	gs_quad		xy;
} gs_moving_pairs;

/* A pair enters, or leaves; both are finite. */
GS_INLINE void
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

/* The same of x alone. */
GS_INLINE void
gs_moving_values_change(gs_moving_pairs *s, double x, bool leaves)
{
	gs_wide		a = gs_wide_of(x, s->base_x);

	s->n += leaves ? -1 : 1;
	s->x = leaves ? gs_wide_subtract(s->x, a) : gs_wide_add(s->x, a);
	gs_quad_add_product(&s->xx, a, a, leaves);
}

/*
 * |A| / sqrt(B C), A not 0, B and C positive, all below 2^252 and the rounded
 * result either `least` or the next double: which of them A^2 / (B C) tells,
 * compared with the square of the number half way between.
 */
GS_INLINE double
gs_moving_pairs_slowly(gs_quad a, gs_quad b, gs_quad c, double least)
{
	const uint64_t bits = gs_double_bits(least);
	const uint64_t middle = ((bits & 0xfffffffffffff) | 0x10000000000000) * 2 + 1;
	const int	shift = 2 * (1076 - (int) (bits >> 52));	/* middle's unit is
															 * 2^(-shift / 2) */
	const gs_quad zero = {{0}};
	uint64_t	half[2 * GS_QUAD_WORDS];
	uint64_t	square[2];
	uint64_t	limit[2 * GS_QUAD_WORDS + 2];

	if (a.word[GS_QUAD_WORDS - 1] >> 63)
		a = gs_quad_add(zero, a, true);
	gs_words_multiply(half, b.word, GS_QUAD_WORDS, c.word, GS_QUAD_WORDS);
	gs_words_multiply(square, &middle, 1, &middle, 1);
	gs_words_multiply(limit, half, 2 * GS_QUAD_WORDS, square, 2);
	gs_words_multiply(half, a.word, GS_QUAD_WORDS, a.word, GS_QUAD_WORDS);

	/* A^2 2^shift has no more bits than the other one, but for rounding */
	for (int i = 2 * GS_QUAD_WORDS + 1; i >= 0; i--)
	{
		int			k = i - shift / 64;
		int			left = shift % 64;
		uint64_t	word = k >= 0 && k < 2 * GS_QUAD_WORDS ?
			half[k] << left : 0;

		if (left > 0 && k >= 1 && k <= 2 * GS_QUAD_WORDS)
			word |= half[k - 1] >> (64 - left);
		if (word != limit[i])
			return word < limit[i] ? least : gs_bits_double(bits + 1);
	}
	return gs_bits_double(bits + (bits & 1));
}

/* As gs_correlation, of pairs that are finite. */
GS_INLINE gs_rounding
gs_moving_pairs_correlation(const gs_moving_pairs *s, double *result)
{
	gs_quad		b = gs_quad_centred(s->n, s->xx, s->x, s->x);
	gs_quad		c = gs_quad_centred(s->n, s->yy, s->y, s->y);
	gs_quad		a = gs_quad_centred(s->n, s->xy, s->x, s->y);
	gs_leading	top_b = gs_quad_leading(b);
	gs_leading	top_c = gs_quad_leading(c);
	gs_leading	top_a = gs_quad_leading(a);
	double		greatest;

	if (top_b.top == 0 || top_c.top == 0)
		return GS_UNDEFINED;
	*result = 0;
	if (top_a.top == 0)
		return GS_ROUNDED;

	/* integers of 252 bits are not far enough apart for this to fail */
	(void) gs_correlate_quickly(top_a, top_b, top_c, result, &greatest);
	if (*result != greatest)
		*result = gs_moving_pairs_slowly(a, b, c, *result);
	if (top_a.negative)
		*result = -*result;
	return GS_ROUNDED;
}

GS_INLINE void
gs_short_from_wide(gs_short *r, gs_wide a, int exponent)
{
	const uint64_t word[] = {a.low, a.high};

	gs_short_make(r, word, 2, exponent);
}

/*
 * As gs_figure_real, of figures from GS_FIGURE_VAR_POP on.  Were all y finite, and
 * all x?  Others are in no sum.
 */
GS_INLINE gs_rounding
gs_moving_pairs_figure(const gs_moving_pairs *s, gs_figure f, bool y_finite,
					   bool x_finite, double *result)
{
	const int	unit_x = s->base_x + GS_ACC_LOWEST;
	const int	unit_y = s->base_y + GS_ACC_LOWEST;
	gs_rounding rounding = GS_UNDEFINED;
	gs_short_sums sums;

	if (s->n < gs_figure_least(f))
		return GS_UNDEFINED;
	if (f == GS_FIGURE_CORR && y_finite && x_finite)
		return gs_moving_pairs_correlation(s, result);
	sums.n = s->n;
	sums.x_finite = x_finite;
	gs_short_from_wide(&sums.x, s->x, unit_x);
	gs_short_make(&sums.xx, s->xx.word, GS_QUAD_WORDS, 2 * unit_x);

	/* the units of what is compared are the same, so the words suffice */
	if (!gs_figure_is_of_pairs(f))
	{
		(void) gs_short_variance(f, &sums, &rounding, result);
		return rounding;
	}
	sums.y_finite = y_finite;
	gs_short_from_wide(&sums.y, s->y, unit_y);
	gs_short_make(&sums.yy, s->yy.word, GS_QUAD_WORDS, 2 * unit_y);
	gs_short_make(&sums.xy, s->xy.word, GS_QUAD_WORDS, unit_x + unit_y);
	(void) gs_short_of_pairs(f, &sums, &rounding, result);
	return rounding;
}

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * moving/moving_pairs.c: the results of GS_MOVING_CORR and their validity, for
 * pairs with zeros for one that has a NULL.  before[i] is how many of the pairs
 * before i have none, i = 0 to n; NULL if all.
 */
extern void gs_moving_correlations(const gs_op *op, int64_t n, double *y,
								   double *x, uint32_t *before, double *result,
								   uint64_t *validity);

#ifdef __cplusplus
}
#endif

#endif							/* GS_MOVING_PAIRS_H */
