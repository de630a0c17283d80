/*-------------------------------------------------------------------------
 *
 * elementary_first.h
 *	  The first step of elementary.c's functions: the result, wherever two
 *	  doubles decide it; the short ones first.
 *
 * Who includes this file describes it as elementary_quick.h wants it.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/elementary_quick.h"

#include <math.h>

#ifndef GS_FIRST_STEP
#define GS_FIRST_STEP

typedef enum gs_first
{
	GS_DECIDED,
	GS_UNDECIDED,
	GS_TOO_LARGE				/* the result would be infinite */
} gs_first;
#endif

#define FIRST_INLINE	static inline TARGET

/*
 * r 2^floor(n / 128) where k is that of exp_of; r is a normal number that its
 * error does not touch.
 */
FIRST_INLINE gs_first
QUICK(round_scaled) (gs_pair r, double error, uint64_t k, double *result)
{
	int			n = (int) (int64_t) (k - GS_SHIFT_BITS);
	int			exponent = (n - (n & (GS_EXP_ENTRIES - 1))) / GS_EXP_ENTRIES;

	if (exponent < -1021 || exponent > 1022 ||
		!gs_round_surely(r.hi, r.lo, error, result))
		return GS_UNDECIDED;
	*result *= gs_bits_double((uint64_t) (exponent + 1023) << 52);
	return GS_DECIDED;
}

FIRST_INLINE gs_first
QUICK(exp_first) (double x, double *result)
{
	gs_pair		r = {x, 0};
	uint64_t	k;

	if (QUICK(exp_shortly) (x, result))
		return GS_DECIDED;
	if (x > 710)
		return GS_TOO_LARGE;
	*result = 0;
	if (x < -750)
		return GS_DECIDED;
	r = QUICK(exp_of) (r, &k);
	return QUICK(round_scaled) (r, GS_ERROR * r.hi, k, result);
}

/* ln_of, of subnormal numbers too. */
FIRST_INLINE gs_pair
QUICK(ln_of_any) (double x)
{
	bool		small = gs_double_bits(x) >> 52 == 0;

	return QUICK(ln_of) (small ? x * 0x1p54 : x, small ? -54 : 0);
}

FIRST_INLINE gs_first
QUICK(ln_first) (double x, double *result)
{
	gs_pair		r;

	if (QUICK(ln_shortly) (x, result))
		return GS_DECIDED;
	r = QUICK(ln_of_any) (x);
	return gs_round_surely(r.hi, r.lo, GS_ERROR * fabs(r.hi), result) ?
		GS_DECIDED : GS_UNDECIDED;
}

/* Of products in two doubles, errors of 2^-104 are added to ln_of's. */
FIRST_INLINE gs_first
QUICK(log10_first) (double x, double *result)
{
	gs_pair		ln = QUICK(ln_of_any) (x);
	gs_pair		r = PRODUCT(ln.hi, TABLE.pair_log10_e.hi);

	r.lo = MULTIPLY_ADD(ln.hi, TABLE.pair_log10_e.lo,
						MULTIPLY_ADD(ln.lo, TABLE.pair_log10_e.hi, r.lo));
	r = gs_fast_two_sum(r.hi, r.lo);
	return gs_round_surely(r.hi, r.lo, 2 * GS_ERROR * fabs(r.hi), result) ?
		GS_DECIDED : GS_UNDECIDED;
}

FIRST_INLINE bool
QUICK(is_odd) (double y)
{
	return y == floor(y) && y / 2 != floor(y / 2);
}

/* x^y, x > 0, y not 0 */
FIRST_INLINE gs_first
QUICK(power_of_positive) (double x, double y, double *result)
{
	gs_pair		ln;
	gs_pair		product;
	gs_pair		r;
	double		high;
	uint64_t	k;

	if (QUICK(power_shortly) (x, y, result))
		return GS_DECIDED;
	ln = QUICK(ln_of_any) (x);
	high = ln.hi * y;
	if (high > 710)
		return GS_TOO_LARGE;
	/* nothing, or nearer to 1 than to its neighbours */
	*result = high < -750 ? 0 : 1;
	if (high < -750 || fabs(high) < 0x1p-56)
		return GS_DECIDED;
	product = PRODUCT(ln.hi, y);
	product = gs_fast_two_sum(product.hi,
							  MULTIPLY_ADD(ln.lo, y, product.lo));
	r = QUICK(exp_of) (product, &k);
	return QUICK(round_scaled) (r, (1 + fabs(high)) * GS_ERROR * r.hi, k,
								result);
}

/* The arguments of gs_power */
FIRST_INLINE gs_first
QUICK(power_first) (double x, double y, double *result)
{
	double		magnitude = fabs(x);
	gs_first	first = GS_DECIDED;

	*result = gs_canonical_nan();
	if (x < 0 && floor(y) != y)
		return GS_DECIDED;
	if (y == 2)					/* often halfway between two doubles */
	{
		*result = x * x;
		return gs_is_finite(*result) ? GS_DECIDED : GS_TOO_LARGE;
	}
	*result = y == 0 || magnitude == 1 ? 1 : 0;
	if (y != 0 && magnitude != 1 && magnitude != 0)
		first = QUICK(power_of_positive) (magnitude, y, result);
	if (gs_double_bits(x) >> 63 && QUICK(is_odd) (y))
		*result = -*result;
	return first;
}

#undef FIRST_INLINE
