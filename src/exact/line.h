/*-------------------------------------------------------------------------
 *
 * line.h
 *	  Changes, straight lines and areas below them, rounded once.
 *
 * Values are exact: a double and 0, or an integer as gs_pair_normal gives it.
 * Unless a function says otherwise they are finite.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_LINE_H
#define GS_LINE_H

#include "exact/exact.h"

#include <math.h>

/* An integer as the sum of two doubles; lo is 0 where hi alone is exact. */
GS_INLINE gs_pair
gs_pair_normal(int64_t x)
{
	gs_pair		r = gs_pair_from_int64(x);

	return gs_fast_two_sum(r.hi, r.lo);
}

/*
 * Binary exponents of numbers that floats hold, and whose products of three, or
 * quotients, and these products' errors are normal numbers.
 */
#define GS_MODERATE		120

GS_INLINE bool
gs_is_moderate(double x)
{
	unsigned int exponent = (gs_double_bits(x) >> 52) & 0x7ff;

	return x == 0 ||
		(exponent > 1023 - GS_MODERATE && exponent < 1023 + GS_MODERATE);
}

/*
 * low + proportion (high - low), to 2^-103 of what is added to low, and to
 * 2^-53 of what the leading part of the sum leaves.  The middle of two doubles
 * is often halfway between two others, which no bound decides; but their sum
 * rounds as its half does.  False if they do not decide it.
 */
GS_INLINE bool
gs_interpolate_quickly(double low, double high, double proportion,
					   double *result)
{
	gs_pair		rise = gs_two_sum(high, -low);
	gs_pair		product;
	gs_pair		sum;
	double		rest;

	if (!gs_is_moderate(low) || !gs_is_moderate(high) ||
		!gs_is_moderate(proportion))
		return false;
	if (proportion == 0.5)
	{
		*result = (low + high) / 2 + 0.0;	/* not -0 */
		return true;
	}
	product = gs_two_product(rise.hi, proportion);
	product.lo += rise.lo * proportion;
	sum = gs_two_sum(low, product.hi);
	rest = sum.lo + product.lo;
	return gs_round_surely(sum.hi, rest,
						   0x1p-100 * fabs(product.hi) + 0x1p-50 * fabs(rest),
						   result);
}

/*
 * The relative change where two doubles decide it; false if they do not.
 *
 * Where to - from is a double, as it is if neither is more than twice the
 * other (Sterbenz), its quotient is the result; 0, not -0, of equals.  Else q is
 * the quotient of its leading part, whose remainder is a double.  The quotient
 * of what q leaves is taken by a float, and errs by less than 2^-22 of itself,
 * which is below 2^-74 of q.
 */
GS_INLINE bool
gs_change_quickly(double from, double to, double *result)
{
	gs_pair		change = gs_two_sum(to, -from);
	double		q = change.hi / from;
	double		inverse = 1 / (float) from;
	gs_pair		product = gs_two_product(q, from);
	double		rest = ((change.hi - product.hi) - product.lo + change.lo) *
		inverse;
	bool		sure = gs_round_surely(q, rest, 0x1p-22 * fabs(rest), result);

	if (change.lo != 0)
		return sure && gs_is_moderate(from) && gs_is_moderate(change.hi);
	*result = q + 0.0;
	return gs_is_finite(q);
}

/*
 * The relative change of integers.  The remainder errs by less than 2^-102 of
 * the whole: six terms are rounded that are below 2^-51 of it.
 */
GS_INLINE bool
gs_change_of_integers(int64_t from, int64_t to, double *result)
{
	uint64_t	distance = to > from ? (uint64_t) to - (uint64_t) from :
		(uint64_t) from - (uint64_t) to;
	gs_pair		base = gs_pair_normal(from);
	gs_pair		change = gs_fast_two_sum((double) (distance >> 32) * 0x1p32,
										 (double) (uint32_t) distance);
	double		q = change.hi / base.hi;
	gs_pair		product = gs_two_product(q, base.hi);
	double		rest = ((change.hi - product.hi) - product.lo + change.lo -
						q * base.lo) / base.hi;
	bool		sure = gs_round_surely(q, rest, 0x1p-100 * fabs(q), result);

	if (distance == 0)
		*result = 0;
	else if (to < from)
		*result = -*result;
	return sure;
}

/*
 * y0 + (y1 - y0) run / length, to 2^-101 of the quotient, which is what is
 * added to y0, and to 2^-53 of what the leading part of the sum leaves; false if
 * that does not decide the result.
 */
GS_INLINE bool
gs_line_quickly(double y0, double y1, double run, double length,
				double *result)
{
	gs_pair		rise = gs_two_sum(y1, -y0);
	gs_pair		product;
	gs_pair		back;
	gs_pair		sum;
	double		q;
	double		rest;

	if (!gs_is_moderate(y0) || !gs_is_moderate(y1) || !gs_is_moderate(run) ||
		!gs_is_moderate(length))
		return false;
	product = gs_two_product(rise.hi, run);
	product.lo += rise.lo * run;
	q = product.hi / length;
	back = gs_two_product(q, length);
	rest = ((product.hi - back.hi) - back.lo + product.lo) / length;
	sum = gs_two_sum(y0, q);
	rest += sum.lo;
	return gs_round_surely(sum.hi, rest,
						   0x1p-98 * fabs(q) + 0x1p-50 * fabs(rest), result);
}

#ifdef __cplusplus
extern "C"
{
#endif

/* (to - from) / from, where from is not 0. */
extern gs_rounding gs_relative_change(gs_pair from, gs_pair to,
									  double *result);

/*
 * Where the line through (x0, y0) and (x1, y1) is at x, x0 < x < x1: between y0
 * and y1.  These may be anything: NaN between two infinities, or beside NaN,
 * else an infinity if either is one.
 */
extern double gs_line_at(gs_pair x0, gs_pair y0, gs_pair x1, gs_pair y1,
						 gs_pair x);

/*
 * sum += y (x1 - x0), x0 < x1.  y may be anything.  The caller calls
 * gs_acc2_propagate at least every 2^24 times.
 */
extern void gs_area_add(gs_acc2 *sum, gs_pair y, gs_pair x0, gs_pair x1);

/* sum / (n (x1 - x0)), x0 < x1; NaN and infinities as of gs_limbs_round. */
extern double gs_area_mean(const gs_acc2 *sum, gs_pair x0, gs_pair x1,
						   unsigned int n);

#ifdef __cplusplus
}
#endif

#endif							/* GS_LINE_H */
