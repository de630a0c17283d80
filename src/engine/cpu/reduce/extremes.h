/*-------------------------------------------------------------------------
 *
 * extremes.h
 *	  The keys of least and greatest numbers.
 *
 * Numbers are compared by keys, integers in the order that SQL has them.  As a
 * value, -0 is less than 0; where a position is wanted, they are equal.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_EXTREMES_H
#define GS_CPU_EXTREMES_H

#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/lanes.h"

#define PLAIN(x)			(x)
#define KEY_FLOAT(x)		gs_cpu_key(x)
#define POSITION_KEY(x)		gs_cpu_key((x) + 0.0)
#define LESS(a, b)			((a) < (b))
#define GREATER(a, b)		((a) > (b))

/* The best key of v[0..n-1], n > 0. */
#define BEST(name, type, keytype, key, better) \
static keytype \
name(const type *v, int64_t n) \
{ \
	keytype		best = key(v[0]); \
\
	for (int64_t i = 1; i < n; i++) \
	{ \
		keytype		k = key(v[i]); \
\
		best = better(k, best) ? k : best; \
	} \
	return best; \
}

/*
 * Of floats, a block at a time: numbers other than 0 are compared as they are,
 * in registers; blocks with NaN, or whose best is 0, by keys.
 */
#define FLOAT_BLOCK		512

#define FLOAT_BEST(name, type, load, key, better) \
BEST(name##_by_key, type, int64_t, key, better) \
static bool \
name##_by_value(const type *v, double *result) \
{ \
	lanes		best[4] = {load(v), load(v + 2), load(v + 4), load(v + 6)}; \
	masks		nan = {0, 0}; \
	double		all; \
\
	for (int i = 0; i < FLOAT_BLOCK; i += 8) \
	{ \
		for (int k = 0; k < 4; k++) \
		{ \
			lanes		x = load(v + i + 2 * k); \
			masks		is_better = better(x, best[k]); \
\
			nan |= x != x; \
			best[k] = (lanes) (((masks) x & is_better) | \
							   ((masks) best[k] & ~is_better)); \
		} \
	} \
	all = best[0][0]; \
	for (int k = 1; k < 8; k++) \
		all = better(best[k / 2][k % 2], all) ? best[k / 2][k % 2] : all; \
	*result = all; \
	return nan[0] == 0 && nan[1] == 0 && all != 0; \
} \
static int64_t \
name(const type *v, int64_t n) \
{ \
	int64_t		best = key(v[0]); \
\
	for (int64_t at = 0; at < n; at += FLOAT_BLOCK) \
	{ \
		int64_t		m = n - at < FLOAT_BLOCK ? n - at : FLOAT_BLOCK; \
		double		value; \
		int64_t		k = m == FLOAT_BLOCK && name##_by_value(v + at, &value) ? \
			key(value) : name##_by_key(v + at, m); \
\
		best = better(k, best) ? k : best; \
	} \
	return best; \
}

#define INTEGER_BESTS(suffix, type) \
BEST(min_##suffix##_best, type, type, PLAIN, LESS) \
BEST(max_##suffix##_best, type, type, PLAIN, GREATER) \
BEST(argmin_##suffix##_best, type, type, PLAIN, LESS) \
BEST(argmax_##suffix##_best, type, type, PLAIN, GREATER)

#define FLOAT_BESTS(suffix, type) \
FLOAT_BEST(min_##suffix##_best, type, load_##suffix, KEY_FLOAT, LESS) \
FLOAT_BEST(max_##suffix##_best, type, load_##suffix, KEY_FLOAT, GREATER) \
FLOAT_BEST(argmin_##suffix##_best, type, load_##suffix, POSITION_KEY, LESS) \
FLOAT_BEST(argmax_##suffix##_best, type, load_##suffix, POSITION_KEY, GREATER)

INTEGER_BESTS(int2, int16_t)
INTEGER_BESTS(int4, int32_t)
INTEGER_BESTS(int8, int64_t)
FLOAT_BESTS(float4, float)
FLOAT_BESTS(float8, double)

#endif							/* GS_CPU_EXTREMES_H */
