/*-------------------------------------------------------------------------
 *
 * correlate.h
 *	  A correlation from leading bits.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CORRELATE_H
#define GS_CORRELATE_H

#include "exact/bigint.h"

#include <math.h>

/*
 * |A| / sqrt(B C), all of them positive, by the leading 64 bits of each: *least
 * and *greatest are the same double, or the two of which one is the rounded
 * result.  False if neither is known.
 *
 * In twice the precision of a double the root and the quotient err by less than
 * 2^-98; bits that are left out add 2^-63 for A and half of that for each of B
 * and C.
 */
GS_INLINE bool
gs_correlate_quickly(gs_leading a, gs_leading b, gs_leading c, double *least,
					 double *greatest)
{
	gs_pair		x = gs_leading_fraction(a);
	gs_pair		y = gs_leading_fraction(b);
	gs_pair		z = gs_leading_fraction(c);
	int			exponent = b.exponent + c.exponent + 128;
	gs_pair		product;
	gs_pair		back;
	double		root;
	double		root_rest;
	double		q;
	double		rest;
	double		error;

	if (exponent & 1)
	{
		y.hi *= 2;
		y.lo *= 2;
		exponent--;
	}
	exponent = a.exponent + 64 - exponent / 2;
	if (a.top == 0 || exponent < -1000)
		return false;
	product = gs_two_product(y.hi, z.hi);
	product.lo += y.hi * z.lo + y.lo * z.hi;
	root = sqrt(product.hi);
	back = gs_two_product(root, root);
	root_rest = ((product.hi - back.hi) - back.lo + product.lo) / (2 * root);
	q = x.hi / root;
	back = gs_two_product(q, root);
	rest = ((x.hi - back.hi) - back.lo + x.lo - q * root_rest) / root;
	error = a.sticky || b.sticky || c.sticky ? 0x1p-61 * q : 0x1p-96 * q;
	*least = ldexp(q + (rest - error), exponent);
	*greatest = ldexp(q + (rest + error), exponent);
	return true;
}

#endif							/* GS_CORRELATE_H */
