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

/* An integer as the sum of two doubles; lo is 0 where hi alone is exact. */
GS_INLINE gs_pair
gs_pair_normal(int64_t x)
{
	gs_pair		r = gs_pair_from_int64(x);

	return gs_fast_two_sum(r.hi, r.lo);
}

#ifdef __cplusplus
extern "C"
{
#endif

/* (to - from) / from, where from is not 0. */
extern gs_rounding gs_relative_change(gs_pair from, gs_pair to,
									  double *result);

/*
 * The same from each of n doubles to the next one, from[1] to from[n], which may
 * be anything: result[i] where known[i] is 1.  Elsewhere call the above.
 */
extern void gs_relative_changes(const double *from, int n, double *result,
								uint8_t *known);

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
