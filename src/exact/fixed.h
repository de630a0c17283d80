/*-------------------------------------------------------------------------
 *
 * fixed.h
 *	  Fixed-point numbers, their exponential and their logarithm.
 *
 * Numbers are from 0 to 2^64, in steps of 2^-448.  Operations cut off what is
 * below a step; functions of x, unless they say otherwise, err by less than
 * 2^-430 of x or of 1, whichever is more.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FIXED_H
#define GS_FIXED_H

#include "exact/bigint.h"

#define GS_FIXED_WORDS	8
#define GS_FIXED_BITS	(64 * (GS_FIXED_WORDS - 1)) /* after the point */

typedef struct gs_fixed
{
	uint64_t	word[GS_FIXED_WORDS];	/* least significant first */
} gs_fixed;

/* m * 2^exponent; what is below a step is cut off. */
extern void gs_fixed_set(gs_fixed *r, uint64_t m, int exponent);
extern bool gs_fixed_is_zero(const gs_fixed *a);
extern bool gs_fixed_below(const gs_fixed *a, const gs_fixed *b);

extern void gs_fixed_add(gs_fixed *r, const gs_fixed *a);
extern void gs_fixed_subtract(gs_fixed *r, const gs_fixed *a);	/* a <= r */
extern void gs_fixed_multiply(gs_fixed *r, const gs_fixed *a);
extern void gs_fixed_multiply_small(gs_fixed *r, uint64_t m);
extern void gs_fixed_divide_small(gs_fixed *r, uint64_t d);
extern void gs_fixed_shift(gs_fixed *r, int left);	/* right if negative */

/* Leading bits; sticky, whatever follows them. */
extern gs_leading gs_fixed_leading(const gs_fixed *a);

/* r = atanh(1 / n), n > 1 */
extern void gs_fixed_atanh_inverse(gs_fixed *r, uint64_t n);

/* r = ln 2 */
extern void gs_fixed_ln2(gs_fixed *r);

/* A gs_fixed of either sign: the magnitude, and whether it is negative. */
typedef struct gs_signed
{
	gs_fixed	magnitude;
	bool		negative;
} gs_signed;

/*
 * r * 2^*exponent = e^x, 1 <= r <= 2, for |x| < 2^11.  ln2 is what
 * gs_fixed_ln2 gives.
 */
extern void gs_fixed_exp(gs_fixed *r, int *exponent, const gs_signed *x,
						 const gs_fixed *ln2);

/* r = ln (m 2^exponent), 2^52 <= m < 2^53 */
extern void gs_fixed_ln(gs_signed *r, uint64_t m, int exponent,
						const gs_fixed *ln2);

#endif							/* GS_FIXED_H */
