/*-------------------------------------------------------------------------
 *
 * bigint.h
 *	  Integers of any length, for exact formulas.
 *
 * exact.c and regression.c evaluate their formulas in these: magnitudes with a
 * sign and a scale.  The scales of two numbers that are compared, added or
 * subtracted differ by whole words, as those of all sums of doubles do among
 * each other, those of all sums of products of two doubles, and so on.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_BIGINT_H
#define GS_BIGINT_H

#include "exact/exact.h"

#include <math.h>

/* The longest magnitude: the square of n * squares. */
#define GS_BIG_WORDS		(2 * (GS_ACC2_LIMBS + 4))

typedef struct gs_big
{
	int			words;			/* words above these are zero */
	int			lowest;			/* word 0 counts units of 2^lowest */
	bool		negative;
	bool		sticky;			/* something non-zero lies below word 0 */
	uint32_t	word[GS_BIG_WORDS]; /* least significant first */
} gs_big;

/* A value's leading bits: top * 2^exponent, top >= 2^63, and a sticky bit. */
typedef struct gs_leading
{
	uint64_t	top;			/* 0 for the value 0 */
	int			exponent;
	bool		sticky;
	bool		negative;
} gs_leading;

#ifdef __cplusplus
extern "C"
{
#endif

extern void gs_big_from_limbs(gs_big *r, gs_limbs a);
extern void gs_big_from_pair(gs_big *r, gs_pair a); /* both finite */

/* r *= m, r = a * b, r = a - b; the latter two with signs */
extern void gs_big_multiply_small(gs_big *r, uint64_t m);
extern void gs_big_multiply(gs_big *r, const gs_big *a, const gs_big *b);
extern void gs_big_difference(gs_big *r, const gs_big *a, const gs_big *b);

/* |r| >= |a|?  If so, gs_big_subtract sets r = |r| - |a|. */
extern bool gs_big_not_below(const gs_big *r, const gs_big *a);
extern void gs_big_subtract(gs_big *r, const gs_big *a);

/*
 * r = r / (a b), to at least 128 bits; a remainder sets the sticky bit.  a and
 * b are below 2^63, r is exact.
 */
extern void gs_big_divide_small(gs_big *r, uint64_t a, uint64_t b);

/* r = a / b, to at least 128 bits; a remainder sets the sticky bit. */
extern void gs_big_divide(gs_big *r, const gs_big *a, const gs_big *b);

extern gs_leading gs_big_leading(const gs_big *a);

/*
 * The square root of |a|: the leading 64 bits, and whether any follow.  a has
 * at least 128 bits or is exact.
 */
extern gs_leading gs_big_root(const gs_big *a);

/* As gs_leading_to_double. */
extern gs_rounding gs_leading_to_float(gs_leading v, float *result);

/* A value's leading bits, in [1/2, 1): times 2^(exponent + 64). */
GS_INLINE gs_pair
gs_leading_fraction(gs_leading v)
{
	gs_pair		r;

	r.hi = (double) (v.top >> 11) * 0x1p-53;
	r.lo = (double) (v.top & 0x7ff) * 0x1p-64;
	return r;
}

#ifdef __cplusplus
}
#endif

/*
 * floor(sqrt(t)), t >= 2^126 (after Zimmermann, Karatsuba square root, 1999).
 *
 * The upper half of the root, s, is the root of the upper half of t.  The
 * conversion and sqrt err by less than half a unit in the last place of s, so
 * they may give s + 1 but never less than s.  The lower half is at most (t -
 * s^2 2^64) / (2 s 2^32), and smaller by at most one.
 */
GS_INLINE uint64_t
gs_integer_root(unsigned __int128 t)
{
	uint64_t	upper = (uint64_t) (t >> 64);
	uint64_t	s = (uint64_t) sqrt((double) upper);
	unsigned __int128 low;
	uint64_t	root;

	if (s > UINT32_MAX || s * s > upper)
		s--;
	low = (((unsigned __int128) (upper - s * s) << 32) |
		   (uint32_t) (t >> 32)) / (2 * s);
	root = s << 32 | (low > UINT32_MAX ? UINT32_MAX : (uint32_t) low);
	if ((unsigned __int128) root * root > t)
		root--;
	return root;
}

/* Round to `bits` leading bits, 1 <= bits <= 63; the rest becomes zero. */
GS_INLINE gs_leading
gs_round_leading(gs_leading v, int bits)
{
	int			drop = 64 - bits;
	uint64_t	half = UINT64_C(1) << (drop - 1);
	uint64_t	rest = v.top & (2 * half - 1);

	v.top -= rest;
	if (rest > half || (rest == half && (v.sticky || (v.top & (2 * half)))))
	{
		v.top += 2 * half;
		if (v.top == 0)			/* carried out of the top */
		{
			v.top = UINT64_C(1) << 63;
			v.exponent++;
		}
	}
	v.sticky = false;
	return v;
}

/*
 * Round to a double; GS_OVERFLOW if that is out of range.  A result below the
 * normal range keeps as many bits as a subnormal has.
 */
GS_INLINE gs_rounding
gs_leading_to_double(gs_leading v, double *result)
{
	int			e = v.exponent + 63;	/* of the leading bit */
	double		magnitude;

	if (v.top == 0 || e < -1075)
		magnitude = 0;
	else if (e == -1075)		/* above half the smallest double, or exactly
								 * half */
		magnitude = v.top > UINT64_C(1) << 63 || v.sticky ? DBL_TRUE_MIN : 0;
	else
	{
		v = gs_round_leading(v, e < -1022 ? e + 1075 : 53);
		e = v.exponent + 63;
		if (e > 1023)
			return GS_OVERFLOW;
		/* both ways are exact: the remaining bits fit */
		if (e < -1022)
			magnitude = ldexp((double) (v.top >> 11), v.exponent + 11);
		else
		{
			uint64_t	bits = ((uint64_t) (e + 1022) << 52) + (v.top >> 11);

			memcpy(&magnitude, &bits, sizeof bits);
		}
	}
	*result = v.negative ? -magnitude : magnitude;
	return GS_ROUNDED;
}

#endif							/* GS_BIGINT_H */
