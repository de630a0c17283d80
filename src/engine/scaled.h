/*-------------------------------------------------------------------------
 *
 * scaled.h
 *	  Values of 8 bytes as integers k, with one unit for all of a column:
 *	  k / unit for double precision, k * unit for int8.
 *
 * Prices are numbers of cents, regular times are numbers of seconds.  The
 * division is IEEE's, rounded correctly, so it gives the same bits everywhere; a
 * value has a k only if these are its bits: -0, NaN, infinities, and what has
 * more digits than the unit, have none.
 *
 * Adding GS_SCALED_SHIFT moves a number below 2^51 to where doubles are
 * integers, whose last bits are k.  On a CPU this compiles to vector
 * instructions, which conversions to int64_t do not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCALED_H
#define GS_SCALED_H

#include <math.h>

#include "engine/engine.h"
#include "exact/exact.h"

#define GS_SCALED_SHIFT	6755399441055744.0	/* 1.5 * 2^52 */
#define GS_SCALED_MAX	2251799813685248.0	/* 2^51 */

GS_INLINE uint64_t
gs_unscale_float8(int64_t k, int64_t unit)
{
	double		x = gs_bits_double(gs_double_bits(GS_SCALED_SHIFT) +
								   (uint64_t) k) - GS_SCALED_SHIFT;

	return gs_double_bits(x / (double) unit);
}

GS_INLINE uint64_t
gs_unscale_int8(int64_t k, int64_t unit)
{
	return (uint64_t) k * (uint64_t) unit;
}

/* Has a value, given by its bits, a k?  If not, *k is anything. */
GS_INLINE bool
gs_scale_float8(uint64_t value, int64_t unit, int64_t *k)
{
	double		x = gs_bits_double(value) * (double) unit;

	*k = (int64_t) (gs_double_bits(x + GS_SCALED_SHIFT) -
					gs_double_bits(GS_SCALED_SHIFT));
	return (fabs(x) < GS_SCALED_MAX) &
		(gs_unscale_float8(*k, unit) == value);
}

GS_INLINE bool
gs_scale_int8(uint64_t value, int64_t unit, int64_t *k)
{
	*k = (int64_t) value / unit;
	return gs_unscale_int8(*k, unit) == value;
}

#endif							/* GS_SCALED_H */
