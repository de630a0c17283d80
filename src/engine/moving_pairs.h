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

#include "engine/moving.h"
#include "exact/bigint.h"

#define GS_QUAD_WORDS	4

/* Two's complement, least significant word first. */
typedef struct gs_quad
{
	uint64_t	word[GS_QUAD_WORDS];
} gs_quad;

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

/* r += x y, or -= */
static inline void
gs_quad_add_product(gs_quad *r, gs_wide x, gs_wide y, bool minus)
{
	typedef unsigned __int128 wide;
	bool		negative_x;
	bool		negative_y;
	gs_wide		a = gs_wide_magnitude(x, &negative_x);
	gs_wide		b = gs_wide_magnitude(y, &negative_y);
	wide		ll = (wide) a.low * b.low;
	wide		lh = (wide) a.low * b.high;
	wide		hl = (wide) a.high * b.low;
	wide		hh = (wide) a.high * b.high;
	wide		middle = (ll >> 64) + (uint64_t) lh + (uint64_t) hl;
	wide		high = (middle >> 64) + (lh >> 64) + (hl >> 64) + hh;
	const uint64_t product[GS_QUAD_WORDS] = {
		(uint64_t) ll, (uint64_t) middle, (uint64_t) high,
		(uint64_t) (high >> 64)
	};
	bool		subtract = (negative_x != negative_y) != minus;
	uint64_t	sign = -(uint64_t) subtract;
	wide		carry = subtract;

	for (int i = 0; i < GS_QUAD_WORDS; i++)
	{
		carry += (wide) r->word[i] + (product[i] ^ sign);
		r->word[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

/* n s - a b */
static inline gs_quad
gs_quad_centred(int64_t n, gs_quad s, gs_wide a, gs_wide b)
{
	unsigned __int128 carry = 0;

	for (int i = 0; i < GS_QUAD_WORDS; i++)
	{
		carry += (unsigned __int128) s.word[i] * (uint64_t) n;
		s.word[i] = (uint64_t) carry;
		carry >>= 64;
	}
	gs_quad_add_product(&s, a, b, true);
	return s;
}

static inline gs_leading
gs_quad_leading(gs_quad a)
{
	gs_leading	r = {.negative = a.word[GS_QUAD_WORDS - 1] >> 63 != 0};
	int			k = GS_QUAD_WORDS - 1;
	int			shift;
	uint64_t	rest = 0;

	if (r.negative)
	{
		unsigned __int128 carry = 1;

		for (int i = 0; i < GS_QUAD_WORDS; i++)
		{
			carry += ~a.word[i];
			a.word[i] = (uint64_t) carry;
			carry >>= 64;
		}
	}
	while (k > 0 && a.word[k] == 0)
		k--;
	if (a.word[k] == 0)
		return r;
	shift = __builtin_clzll(a.word[k]);
	r.top = a.word[k] << shift;
	r.exponent = 64 * k - shift;
	if (k > 0)
	{
		r.top |= (a.word[k - 1] >> 1) >> (63 - shift);
		rest = a.word[k - 1] << shift;
	}
	for (int i = 0; i < k - 1; i++)
		rest |= a.word[i];
	r.sticky = rest != 0;
	return r;
}

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
