/*-------------------------------------------------------------------------
 *
 * stddev.h
 *	  The standard deviation from the leading bits of n squares - sum^2.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STDDEV_H
#define GS_STDDEV_H

#include "exact/bigint.h"

#include <math.h>

/*
 * sqrt(v / (n (n - 1))), v positive, 2 <= n < 2^31; false if the leading bits
 * do not determine how it rounds.
 *
 * In twice the precision of a double the quotient and the root err by less than
 * 2^-98; bits that are left out add 2^-64.
 */
GS_INLINE bool
gs_stddev_quickly(gs_leading v, int64_t n, double *result)
{
	gs_pair		x = gs_leading_fraction(v);
	int			exponent = v.exponent + 64;
	gs_pair		divisor = gs_pair_from_int64(n * (n - 1));
	gs_pair		q;
	gs_pair		back;
	double		root;
	double		rest;

	divisor = gs_fast_two_sum(divisor.hi, divisor.lo);
	if (exponent & 1)
	{
		x.hi *= 2;
		x.lo *= 2;
		exponent--;
	}
	if (exponent < -1800 || exponent > 1800)
		return false;
	q.hi = x.hi / divisor.hi;
	back = gs_two_product(q.hi, divisor.hi);
	q.lo = ((x.hi - back.hi) - back.lo + x.lo - q.hi * divisor.lo) /
		divisor.hi;
	root = sqrt(q.hi);
	back = gs_two_product(root, root);
	rest = ((q.hi - back.hi) - back.lo + q.lo) / (2 * root);
	if (!gs_round_surely(root, rest, (v.sticky ? 0x1p-62 : 0x1p-96) * root,
						 result))
		return false;

	/* the power is a normal double, and so is the result */
	*result *= gs_bits_double((uint64_t) (exponent / 2 + 1023) << 52);
	return true;
}

#endif							/* GS_STDDEV_H */
