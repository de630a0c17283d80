/*-------------------------------------------------------------------------
 *
 * sum.c
 *	  Exact sums of floats, of their squares and of products, fast.
 *
 * A block of elements is summed in independent lanes.  A lane's total starts
 * from a number so large, 3 * 2^k, that adding an element never moves it to
 * another binade.  Two more operations then find what the addition rounds off
 * (Dekker's condition holds), and this is added in the same way to a second
 * part of the total, with a lower start.  What the second addition rounds off
 * must be zero, as it nearly always is.  The two parts, less their starts, are
 * then the exact sum, which goes to the accumulator.
 *
 * sum_lanes.h has these loops for lanes of two doubles, which every x86-64
 * has, of four and of eight: the widest that the CPU has are taken, when it
 * runs.  Whatever is taken, the sums are the same.
 *
 * If it is not zero, or the first part has left its binade (as with infinities
 * and NaN), the block is retried with a start that fits it, then with a third
 * part, and otherwise added to the accumulator element by element.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"

#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDER_LANES
#include <immintrin.h>
#endif

#define ALWAYS_INLINE	static inline __attribute__((always_inline))

/*
 * All elements of a block are below 2^top, and a lane has at most BLOCK / 2 of
 * them, so its sum is less than 2^(top + LOG_LANE).
 */
#define BLOCK			1024
#define LOG_LANE		9

/* Starts must be normal numbers, far from overflow. */
#define MIN_TOP			(-850)
#define MAX_TOP			1000

/*
 * Factors that are zero or at least this have products whose last bits are
 * well inside double's range.
 */
#define MIN_FACTOR		0x1p-400

/* In the middle of a binade, 2^(top + LOG_LANE) away from its ends. */
ALWAYS_INLINE double
start_for(int top)
{
	return gs_bits_double(((uint64_t) (top + LOG_LANE + 1 + 1023) << 52) |
						  (UINT64_C(1) << 51));
}

/*
 * The parts of a total: bits down to 2^(top - 85) fit in two, down to
 * 2^(top - 128) in three.
 */
#define FEW_PARTS		2
#define MOST_PARTS		3

/* The start of a part, each below the one before. */
ALWAYS_INLINE double
part_start(int top, int part)
{
	return start_for(top + part * (LOG_LANE + 1 - 53));
}

#define LANES			2
#define NAME(name)		name##_2
#define TARGET
#define TOTALS			4
#define PRODUCT_TOTALS	1
#include "engine/cpu/reduce/sum_lanes.h"
#undef LANES
#undef NAME
#undef TARGET
#undef TOTALS
#undef PRODUCT_TOTALS

#ifdef HAS_WIDER_LANES

#define LANES			4
#define NAME(name)		name##_4
#define TARGET			__attribute__((target("avx2,fma")))
#define TOTALS			4
#define PRODUCT_TOTALS	2
#define FUSED(x, y, p)	((lanes) _mm256_fmsub_pd((__m256d) (x), \
												 (__m256d) (y), (__m256d) (p)))
#include "engine/cpu/reduce/sum_lanes.h"
#undef LANES
#undef NAME
#undef TARGET
#undef TOTALS
#undef PRODUCT_TOTALS
#undef FUSED

#define LANES			8
#define NAME(name)		name##_8
#define TARGET			__attribute__((target("avx512f,avx512dq")))
#define TOTALS			4
#define PRODUCT_TOTALS	4
#define FUSED(x, y, p)	((lanes) _mm512_fmsub_pd((__m512d) (x), \
												 (__m512d) (y), (__m512d) (p)))
#include "engine/cpu/reduce/sum_lanes.h"

#endif							/* HAS_WIDER_LANES */

/*
 * How blocks are added: false, with the accumulator unchanged, if a block
 * cannot be with this top and so many parts.
 */
typedef struct block_sums
{
	int			(*find_top_float4) (const float *v, int n);
	int			(*find_top_float8) (const double *v, int n);
	bool		(*sum_float4) (gs_acc *a, const float *v, int n, int top,
							   int parts);
	bool		(*sum_float8) (gs_acc *a, const double *v, int n, int top,
							   int parts);
	bool		(*products_float4) (gs_acc2 *a, const float *v,
									const float *w, int n, int top,
									int parts);
	bool		(*products_float8) (gs_acc2 *a, const double *v,
									const double *w, int n, int top,
									int parts);
	bool		(*squares_float4) (gs_acc2 *a, const float *v, int n, int top,
								   int parts);
	bool		(*squares_float8) (gs_acc2 *a, const double *v, int n,
								   int top, int parts);
} block_sums;

#define BLOCK_SUMS(lanes) { \
	find_top_float4_##lanes, find_top_float8_##lanes, \
	sum_float4_##lanes, sum_float8_##lanes, \
	products_float4_##lanes, products_float8_##lanes, \
	squares_float4_##lanes, squares_float8_##lanes \
}

/* cpu/engine_cpu.h; the one thing here that is set at run time */
int			gs_cpu_most_lanes = 8;

int
gs_cpu_lanes(void)
{
#ifdef HAS_WIDER_LANES
	if (gs_cpu_most_lanes >= 8 && __builtin_cpu_supports("avx512f") &&
		__builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl"))
		return 8;
	if (gs_cpu_most_lanes >= 4 && __builtin_cpu_supports("avx2") &&
		__builtin_cpu_supports("fma"))
		return 4;
#endif
	return 2;
}

static const block_sums *
block_sums_here(void)
{
	static const block_sums of_2 = BLOCK_SUMS(2);
#ifdef HAS_WIDER_LANES
	static const block_sums of_4 = BLOCK_SUMS(4);
	static const block_sums of_8 = BLOCK_SUMS(8);
	int			most = gs_cpu_lanes();

	if (most > 2)
		return most > 4 ? &of_8 : &of_4;
#endif
	return &of_2;
}

static int
bounded_top(int top)
{
	return top < MIN_TOP ? MIN_TOP : top < MAX_TOP ? top : MAX_TOP;
}

/* The block's own top, for sums, squares and products. */
#define FIND_TOPS(suffix, type) \
static int \
find_sum_top_##suffix(const block_sums *sums, const type *v, int n) \
{ \
	return sums->find_top_##suffix(v, n); \
} \
\
static int \
find_products_top_##suffix(const block_sums *sums, const type *v, \
						   const type *w, int n) \
{ \
	return sums->find_top_##suffix(v, n) + sums->find_top_##suffix(w, n); \
} \
\
static int \
find_squares_top_##suffix(const block_sums *sums, const type *v, int n) \
{ \
	return 2 * sums->find_top_##suffix(v, n); \
}

FIND_TOPS(float4, float)
FIND_TOPS(float8, double)

#define ONE_BY_ONE(suffix, type) \
static void \
add_sum_##suffix(gs_acc *a, const type *v, int n) \
{ \
	for (int i = 0; i < n; i++) \
		gs_acc_add(a, v[i]); \
} \
\
static void \
add_products_##suffix(gs_acc2 *a, const type *v, const type *w, int n) \
{ \
	for (int i = 0; i < n; i++) \
		gs_acc2_add_product(a, v[i], w[i]); \
} \
\
static void \
add_squares_##suffix(gs_acc2 *a, const type *v, int n) \
{ \
	add_products_##suffix(a, v, v, n); \
}

ONE_BY_ONE(float4, float)
ONE_BY_ONE(float8, double)

/*
 * An array in blocks: in lanes with the previous top, else with the block's
 * own, else with more parts, else element by element.  Where lanes or few parts
 * fail, they usually go on failing, so the next few blocks go the same way.
 */
#define SLOW_BLOCKS		3
#define WIDE_BLOCKS		15

#define BY_BLOCKS(name, find_top, acc, parameters, ...) \
void \
gs_cpu_##name parameters \
{ \
	const block_sums *sums = block_sums_here(); \
	bool		has_top = false; \
	int			top = 0; \
	int			slow_blocks = 0; \
	int			wide_blocks = 0; \
\
	for (int64_t at = 0; at < n; at += BLOCK) \
	{ \
		int			m = n - at < BLOCK ? (int) (n - at) : BLOCK; \
\
		/* the product of two elements is four additions */ \
		if (a->additions > GS_ACC_ADDITIONS - 4 * BLOCK) \
			acc##_propagate(a); \
		if (slow_blocks == 0) \
		{ \
			int			parts = wide_blocks > 0 ? MOST_PARTS : FEW_PARTS; \
\
			wide_blocks -= wide_blocks > 0; \
			if (has_top && sums->name(a, __VA_ARGS__, m, top, parts)) \
				continue; \
			top = bounded_top(find_top(sums, __VA_ARGS__, m)); \
			has_top = true; \
			if (sums->name(a, __VA_ARGS__, m, top, FEW_PARTS)) \
				continue; \
			wide_blocks = WIDE_BLOCKS; \
			if (sums->name(a, __VA_ARGS__, m, top, MOST_PARTS)) \
				continue; \
			slow_blocks = SLOW_BLOCKS + 1; \
		} \
		add_##name(a, __VA_ARGS__, m); \
		slow_blocks--; \
	} \
}

#define SUMS(suffix, type) \
BY_BLOCKS(sum_##suffix, find_sum_top_##suffix, gs_acc, \
		  (gs_acc *a, const type *v, int64_t n), v + at) \
BY_BLOCKS(squares_##suffix, find_squares_top_##suffix, gs_acc2, \
		  (gs_acc2 *a, const type *v, int64_t n), v + at) \
BY_BLOCKS(products_##suffix, find_products_top_##suffix, gs_acc2, \
		  (gs_acc2 *a, const type *v, const type *w, int64_t n), \
		  v + at, w + at)

SUMS(float4, float)
SUMS(float8, double)
