/*-------------------------------------------------------------------------
 *
 * range.h
 *	  Ranges of elements: GS_BETWEEN and GS_CLIP, the same on all engines.
 *
 * gs_op.range has the range's ends: low and high, in SQL's order of the
 * elements' type (arithmetic.h).  So a high end that is NaN is above all
 * floats, and a range is empty if low is above high.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_RANGE_H
#define GS_RANGE_H

#include <math.h>

#include "engine/engine.h"

/*
 * What GS_BETWEEN asks for, so that C's operators, for which a comparison with
 * NaN is false, decide it.
 */
#define GS_RANGE(suffix, type, member) \
typedef struct gs_range_##suffix \
{ \
	type		low; \
	type		high; \
	bool		outside; \
} gs_range_##suffix; \
\
GS_INLINE bool \
gs_within_##suffix(const gs_range_##suffix *r, type x) \
{ \
	return ((x >= r->low) & (x <= r->high)) != r->outside; \
} \
\
/* The ends of a GS_CLIP. */ \
GS_INLINE gs_range_##suffix \
gs_ends_##suffix(const gs_op *op) \
{ \
	gs_range_##suffix r; \
\
	r.low = op->range.low.member; \
	r.high = op->range.high.member; \
	r.outside = op->range.outside != 0; \
	return r; \
}

#define GS_INTEGER_RANGE(suffix, type, member) \
GS_RANGE(suffix, type, member) \
\
GS_INLINE gs_range_##suffix \
gs_range_of_##suffix(const gs_op *op) \
{ \
	return gs_ends_##suffix(op); \
} \
\
GS_INLINE type \
gs_clip_##suffix(const gs_range_##suffix *r, type x) \
{ \
	type		y = x < r->low ? r->low : x; \
\
	return y > r->high ? r->high : y; \
}

/*
 * With a high end that is NaN, all are within but those below the low end: below
 * NaN are all numbers.
 */
#define GS_FLOAT_RANGE(suffix, type, member, infinity, before) \
GS_RANGE(suffix, type, member) \
\
GS_INLINE gs_range_##suffix \
gs_range_of_##suffix(const gs_op *op) \
{ \
	gs_range_##suffix r = gs_ends_##suffix(op); \
\
	if (r.high == r.high) \
		return r; \
	r.outside = !r.outside; \
	r.high = r.low != r.low ? infinity : before(r.low, -infinity); \
	r.low = r.low == -infinity ? infinity : -infinity; \
	return r; \
} \
\
/* NaN is above all numbers, but no number; what is below it becomes NaN. */ \
GS_INLINE type \
gs_clip_##suffix(const gs_range_##suffix *r, type x) \
{ \
	type		y = (x >= r->low) | (x != x) ? x : r->low; \
\
	y = y > r->high ? r->high : y; \
	return y == y ? y : (type) gs_canonical_nan(); \
}

GS_INTEGER_RANGE(int2, int16_t, i2)
GS_INTEGER_RANGE(int4, int32_t, i4)
GS_INTEGER_RANGE(int8, int64_t, i8)
GS_FLOAT_RANGE(float4, float, f4, HUGE_VALF, nextafterf)
GS_FLOAT_RANGE(float8, double, f8, HUGE_VAL, nextafter)

#endif							/* GS_RANGE_H */
