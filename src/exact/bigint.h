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

/*
 * Round to a double or float; GS_OVERFLOW if that is out of range.  A result
 * below the normal range keeps as many bits as a subnormal has.
 */
extern gs_rounding gs_leading_to_double(gs_leading v, double *result);
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

#endif							/* GS_BIGINT_H */
