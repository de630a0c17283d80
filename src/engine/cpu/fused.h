/*-------------------------------------------------------------------------
 *
 * fused.h
 *	  Products in two doubles by fused multiplication, for loops that compilers
 *	  make vectors of: of four doubles (AVX2 with FMA), and of eight (AVX-512).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_FUSED_H
#define GS_CPU_FUSED_H

#include "exact/exact.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDER_LANES

#define FMA_4			__attribute__((target("avx2,fma")))

#define AVX512			"avx512f,avx512dq,avx512bw,avx512vl"
#ifdef __clang__
#define FMA_8			__attribute__((target(AVX512)))
#else
#define FMA_8			__attribute__((target(AVX512 ",prefer-vector-width=512")))
#endif

#define FUSED(lanes) \
static inline __attribute__((always_inline)) FMA_##lanes gs_pair \
fused_##lanes(double x, double y) \
{ \
	double		p = x * y; \
\
	return (gs_pair) {p, __builtin_fma(x, y, -p)}; \
}

FUSED(4)
FUSED(8)

#undef FUSED
#endif

#endif							/* GS_CPU_FUSED_H */
