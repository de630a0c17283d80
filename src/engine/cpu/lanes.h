/*-------------------------------------------------------------------------
 *
 * lanes.h
 *	  Two doubles at a time.
 *
 * These are the compiler's vector types: a register on every machine with
 * SIMD, scalar code elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_LANES_H
#define GS_CPU_LANES_H

#include "exact/exact.h"

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

typedef double lanes __attribute__((vector_size(16)));
typedef int64_t masks __attribute__((vector_size(16)));
typedef uint64_t words __attribute__((vector_size(16)));

typedef double lanes_unaligned
			__attribute__((vector_size(16), aligned(8), may_alias));

ALWAYS_INLINE lanes
load_float8(const double *v)
{
	return *(const lanes_unaligned *) v;
}

ALWAYS_INLINE lanes
load_float4(const float *v)
{
	return (lanes) {v[0], v[1]};
}

ALWAYS_INLINE void
store_float8(double *v, lanes x)
{
	*(lanes_unaligned *) v = x;
}

ALWAYS_INLINE void
store_float4(float *v, lanes x)
{
	v[0] = (float) x[0];
	v[1] = (float) x[1];
}

/* The error of hi = a + b. */
ALWAYS_INLINE lanes
sum_error(lanes hi, lanes a, lanes b)
{
	lanes		d = hi - a;

	return (a - (hi - d)) + (b - d);
}

/* Are all bits 0, except signs of zeros? */
ALWAYS_INLINE bool
is_zero(masks rest)
{
	return (uint64_t) (rest[0] | rest[1]) << 1 == 0;
}

#endif							/* GS_CPU_LANES_H */
