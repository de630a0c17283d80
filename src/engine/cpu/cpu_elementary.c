/*-------------------------------------------------------------------------
 *
 * cpu_elementary.c
 *	  Exponentials, logarithms and powers of many doubles, rounded once, and
 *	  multiples of powers of ten.
 *
 * The loops, of cpu_elementary_lanes.h, compute every element in two doubles,
 * without branches, and note where that decides the result: nearly everywhere.
 * The few others are left to who called.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_engine.h"
#include "exact/elementary.h"

#include <math.h>

#define TARGET
#define QUICK(name)		name##_2
#define PRODUCT			gs_two_product
#include "engine/cpu/cpu_elementary_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDER_LANES

#define FMA_4			__attribute__((target("avx2,fma")))

static inline __attribute__((always_inline)) FMA_4 gs_pair
fused_4(double x, double y)
{
	double		p = x * y;

	return (gs_pair) {p, __builtin_fma(x, y, -p)};
}

#define TARGET			FMA_4
#define QUICK(name)		name##_4
#define PRODUCT			fused_4
#include "engine/cpu/cpu_elementary_lanes.h"

#define AVX512			"avx512f,avx512dq,avx512bw,avx512vl"
#ifdef __clang__
#define FMA_8			__attribute__((target(AVX512)))
#else
#define FMA_8			__attribute__((target(AVX512 ",prefer-vector-width=512")))
#endif

static inline __attribute__((always_inline)) FMA_8 gs_pair
fused_8(double x, double y)
{
	double		p = x * y;

	return (gs_pair) {p, __builtin_fma(x, y, -p)};
}

#define TARGET			FMA_8
#define QUICK(name)		name##_8
#define PRODUCT			fused_8
#include "engine/cpu/cpu_elementary_lanes.h"
#endif

#ifdef HAS_WIDER_LANES
#define IN_LANES(name, ...) \
	switch (gs_cpu_lanes()) \
	{ \
		case 8: \
			name##_8(__VA_ARGS__); \
			return; \
		case 4: \
			name##_4(__VA_ARGS__); \
			return; \
		default: \
			name##_2(__VA_ARGS__); \
	}
#else
#define IN_LANES(name, ...) name##_2(__VA_ARGS__);
#endif

void
gs_cpu_exps(const double *x, int n, double *result, uint8_t *known)
{
	IN_LANES(exps, x, n, result, known)
}

void
gs_cpu_lns(const double *x, int n, double *result, uint8_t *known)
{
	IN_LANES(lns, x, n, result, known)
}

void
gs_cpu_powers(const double *x, const double *y, int n, double *result,
			  uint8_t *known)
{
	IN_LANES(powers, x, y, n, result, known)
}

static void
round_to_integers(const double *x, int n, double *result)
{
	IN_LANES(round_to_integers, x, n, result)
}

static void
round_to_places(const double *x, double power, int n, double *result,
				uint8_t *known)
{
	IN_LANES(round_to_places, x, power, n, result, known)
}

static void
round_to_zeros(const double *x, double power, int n, double *result,
			   uint8_t *known)
{
	IN_LANES(round_to_zeros, x, power, n, result, known)
}

bool
gs_cpu_rounds(const double *x, int digits, int n, double *result,
			  uint8_t *known)
{
	double		power = gs_double_power_of_ten(digits < 0 ? -digits : digits);

	if (digits == 0)
	{
		round_to_integers(x, n, result);
		return true;
	}
	if (power == 0)
		memset(known, 0, n);
	else if (digits > 0)
		round_to_places(x, power, n, result, known);
	else
		round_to_zeros(x, power, n, result, known);
	return memchr(known, 0, n) == NULL;
}
