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
 * Adding GS_SCALED_SHIFT moves a number from -2^51 to 2^51 to where doubles are
 * integers, whose last bits are k; the sign and the exponent of what is beyond
 * become others.  There is no comparison, and no conversion from double, so that
 * loops compile to vector instructions on any CPU.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCALED_H
#define GS_SCALED_H

#include "engine/engine.h"
#include "exact/exact.h"

#define GS_SCALED_SHIFT			6755399441055744.0	/* 1.5 * 2^52 */
#define GS_SCALED_SHIFT_BITS	UINT64_C(0x4338000000000000)

/* k / unit, as bits */
GS_INLINE uint64_t
gs_unscale_float8(int64_t k, int64_t unit)
{
	double		x = gs_bits_double(GS_SCALED_SHIFT_BITS + (uint64_t) k) -
		GS_SCALED_SHIFT;

	return gs_double_bits(x / (double) unit);
}

GS_INLINE uint64_t
gs_unscale_int8(int64_t k, int64_t unit)
{
	return (uint64_t) k * (uint64_t) unit;
}

/* Find the k of x, which is near it; 0 if it is from -2^51 to 2^51. */
GS_INLINE uint64_t
gs_round_scaled(double x, int64_t *k)
{
	uint64_t	bits = gs_double_bits(x + GS_SCALED_SHIFT);

	*k = (int64_t) (bits - GS_SCALED_SHIFT_BITS);
	return (bits ^ GS_SCALED_SHIFT_BITS) >> 52;
}

/* Find the k of a value, given by its bits; not 0: it has none. */
GS_INLINE uint64_t
gs_scale_float8(uint64_t value, int64_t unit, int64_t *k)
{
	uint64_t	beyond = gs_round_scaled(gs_bits_double(value) * (double) unit,
										 k);

	return beyond | (gs_unscale_float8(*k, unit) ^ value);
}

GS_INLINE uint64_t
gs_scale_int8(uint64_t value, int64_t unit, int64_t *k)
{
	uint64_t	beyond = gs_round_scaled((double) (int64_t) value *
										 (1.0 / (double) unit), k);

	return beyond | (gs_unscale_int8(*k, unit) ^ value);
}

#endif							/* GS_SCALED_H */
