/*-------------------------------------------------------------------------
 *
 * elementary.c
 *	  Roots, exponentials, logarithms, powers and relative changes of many
 *	  doubles, rounded once, and multiples of powers of ten.
 *
 * The loops, of elementary_lanes.h, compute every element in two doubles,
 * without branches, and note where that decides the result: nearly everywhere.
 * The few others are left to who called.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/fused.h"
#include "exact/elementary.h"

#include <math.h>
#include <stdlib.h>

#define TARGET
#define QUICK(name)		name##_2
#define PRODUCT			gs_two_product
#define MULTIPLY_ADD(x, y, z)	((x) * (y) + (z))
#define TABLE			gs_elementary
#include "engine/cpu/map/elementary_lanes.h"

static void
roots_2(const double *x, int n, double *result)
{
	for (int i = 0; i < n; i++)
		result[i] = sqrt(x[i]);
}

#ifdef HAS_WIDER_LANES

#include <immintrin.h>

/* Compilers make no vectors of sqrt(), which may set errno. */
#define ROOTS(lanes, target, load, root, store) \
static target void \
roots_##lanes(const double *x, int n, double *result) \
{ \
	int			i = 0; \
\
	for (; i + lanes <= n; i += lanes) \
		store(result + i, root(load(x + i))); \
	roots_2(x + i, n - i, result + i); \
}

ROOTS(4, FMA_4, _mm256_loadu_pd, _mm256_sqrt_pd, _mm256_storeu_pd)

#define TARGET			FMA_4
#define QUICK(name)		name##_4
#define PRODUCT			fused_4
#define MULTIPLY_ADD	__builtin_fma
#define FUSED
#define TABLE			gs_elementary
#include "engine/cpu/map/elementary_lanes.h"

ROOTS(8, FMA_8, _mm512_loadu_pd, _mm512_sqrt_pd, _mm512_storeu_pd)

#define TARGET			FMA_8
#define QUICK(name)		name##_8
#define PRODUCT			fused_8
#define MULTIPLY_ADD	__builtin_fma
#define FUSED
#define TABLE			gs_elementary
#include "engine/cpu/map/elementary_lanes.h"
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
gs_cpu_changes(const double *from, int n, double *result, uint8_t *known)
{
	IN_LANES(changes, from, n, result, known)
}

void
gs_cpu_lines(const double *y0, const double *y1, const double *run,
			 const double *length, int n, double *result, uint8_t *known)
{
	IN_LANES(lines, y0, y1, run, length, n, result, known)
}

static void
roots(const double *x, int n, double *result)
{
	IN_LANES(roots, x, n, result)
}

bool
gs_cpu_roots(const double *x, int n, double *result)
{
	int			others = 0;

	roots(x, n, result);
	for (int i = 0; i < n; i++)
		others |= !(x[i] >= 0);
	return others == 0;
}

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
	double		power = gs_double_power_of_ten(abs(digits));

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
