/*-------------------------------------------------------------------------
 *
 * interpolate.h
 *	  Where numbers lie among ascending ones, and the lines and areas between:
 *	  GS_ASOF, GS_INTERPOLATE and GS_AREA, the same on all engines.
 *
 * The order is SQL's: NaN is above all numbers, and -0 equals 0.
 *
 * The inline functions compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_INTERPOLATE_H
#define GS_INTERPOLATE_H

#include "engine/engine.h"
#include "exact/line.h"

/* Is a above b?  Of any numbers' type. */
#define GS_IS_ABOVE(a, b)	((a) > (b) || ((a) != (a) && (b) == (b)))

/*
 * b - a, if it is a finite double without rounding.  Integers
 * are only tried where their own doubles are exact.
 */
GS_INLINE bool
gs_distance_of_doubles(double a, double b, double *distance)
{
	gs_pair		d = gs_two_sum(b, -a);

	*distance = d.hi;
	return d.lo == 0 && gs_is_finite(d.hi);
}

GS_INLINE bool
gs_distance_of_integers(int64_t a, int64_t b, double *distance)
{
	const int64_t limit = INT64_C(1) << 52;

	*distance = (double) b - (double) a;
	return a > -limit && a < limit && b > -limit && b < limit;
}

/*
 * May ascending numbers end here, so that lines end there, too?  The least
 * integer and the greatest stand for the infinite dates and times of SQL.
 */
GS_INLINE bool
gs_ends_line(gs_type type, gs_value x)
{
	switch (type)
	{
		case GS_INT4:
			return x.i4 > INT32_MIN && x.i4 < INT32_MAX;
		case GS_INT8:
			return x.i8 > INT64_MIN && x.i8 < INT64_MAX;
		case GS_FLOAT4:
			return gs_is_finite(x.f4);
		case GS_FLOAT8:
			return gs_is_finite(x.f8);
		default:
			return true;
	}
}

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * interpolate.c: a number of any type, and gs_line_at of them, whose y are
 * floats
 */
extern gs_pair gs_exact_number(gs_type type, gs_value x);
extern double gs_line_between(gs_type type, gs_value x0, gs_value x1,
							  gs_value x, double y0, double y1);

#ifdef __cplusplus
}
#endif

#endif							/* GS_INTERPOLATE_H */
