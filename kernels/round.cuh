/*-------------------------------------------------------------------------
 *
 * round.cuh
 *	  Rounding the leading bits of a number, once.
 *
 * For the host too, where it can be tested without a device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ROUND_CUH
#define GS_ROUND_CUH

#include "exact/exact.h"

/* The 64 leading bits, top * 2^exponent, and whether any follow. */
typedef struct gs_top
{
	uint64_t	bits;			/* 0 for zero */
	int			exponent;
	bool		more;
} gs_top;

/* To nearest, ties to even; infinity if out of range. */
GS_INLINE double
gs_top_to_double(gs_top t, bool negative)
{
	uint64_t	sign = (uint64_t) negative << 63;
	int			exponent = t.exponent + 63;
	bool		normal = exponent >= -1022;
	int			drop = normal ? 11 : GS_ACC_LOWEST - t.exponent;
	uint64_t	m;
	uint64_t	half;
	uint64_t	rest;

	if (t.bits == 0 || drop > 64)
		return gs_bits_double(t.bits == 0 ? 0 : sign);
	if (exponent > 1023)
		return gs_bits_double(sign | UINT64_C(0x7ff) << 52);
	m = drop == 64 ? 0 : t.bits >> drop;
	half = t.bits >> (drop - 1) & 1;
	rest = t.bits & ((UINT64_C(1) << (drop - 1)) - 1);
	if (half && (rest != 0 || t.more || (m & 1)))
		m++;

	/* the leading bit of a normal number adds one to the exponent */
	if (normal)
		m += (uint64_t) (exponent + 1022) << 52;
	if (m >= UINT64_C(0x7ff) << 52)
		m = UINT64_C(0x7ff) << 52;
	return gs_bits_double(sign | m);
}

/* The same, by way of a double rounded to odd. */
GS_INLINE float
gs_top_to_float(gs_top t, bool negative)
{
	int			exponent = t.exponent + 63;
	uint64_t	m = t.bits >> 11 | ((t.bits & 0x7ff) != 0 || t.more);

	if (t.bits == 0)
		return 0;

	/* beyond what floats tell from 0, or from infinity */
	if (exponent < -200)
		exponent = -200;
	if (exponent > 200)
		exponent = 200;
	return (float) gs_bits_double((uint64_t) negative << 63 |
								  (uint64_t) (exponent + 1023) << 52 |
								  (m & UINT64_C(0xfffffffffffff)));
}

#endif							/* GS_ROUND_CUH */
