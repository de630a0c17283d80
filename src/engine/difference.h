/*-------------------------------------------------------------------------
 *
 * difference.h
 *	  Differences of elements: GS_DIFF, the same on all engines.
 *
 * As SQL's operator has them, but integers are subtracted as int8, and every
 * NaN is the canonical one.  Each sets *wrong if the result is out of range.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DIFFERENCE_H
#define GS_DIFFERENCE_H

#include "exact/exact.h"

GS_INLINE int64_t
gs_difference_int8(int64_t a, int64_t b, bool *wrong)
{
	int64_t		r = (int64_t) ((uint64_t) a - (uint64_t) b);

	/* the signs differ, and the result's is not that of a */
	*wrong |= ((a ^ b) & (a ^ r)) < 0;
	return r;
}

GS_INLINE float
gs_difference_float4(float a, float b, bool *wrong)
{
	float		r = a - b;

	*wrong |= !gs_is_finite(r) & (r == r) & gs_is_finite(a) & gs_is_finite(b);
	return r == r ? r : (float) gs_canonical_nan();
}

GS_INLINE double
gs_difference_float8(double a, double b, bool *wrong)
{
	double		r = a - b;

	*wrong |= !gs_is_finite(r) & (r == r) & gs_is_finite(a) & gs_is_finite(b);
	return r == r ? r : gs_canonical_nan();
}

#endif							/* GS_DIFFERENCE_H */
