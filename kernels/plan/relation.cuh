/*-------------------------------------------------------------------------
 *
 * relation.cuh
 *	  Relations in device memory (engine/relation.h), and what makes them.
 *
 *		relation.cu			what the service asks for
 *		finish_values.cu	from the records of groups to values
 *		finish_figures.cu	the same of variances, deviations, figures of pairs
 *		relation_memory.cu	their memory, and what is found out about columns
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_RELATION_CUH
#define GS_GROUP_RELATION_CUH

#include "kernels/device/device.h"
#include "engine/relation.h"

extern "C" const gs_relation_engine gs_relations_cuda;

/*
 * What kernels find out about a relation.  It is at the beginning of its memory,
 * zeros at first.
 */
typedef struct group_found
{
	uint32_t	errors;			/* GS_ERROR_... */
	uint32_t	undecided;		/* 1: some values take the host */
	unsigned long long nulls;	/* a bit for each column that has some */

	/*
	 * Integers: the greatest of all values but NULL, the sign bit inverted, and
	 * that of their complements: 0 of none.
	 */
	unsigned long long highest[GS_PLAN_COLUMNS];
	unsigned long long lowest[GS_PLAN_COLUMNS];
} group_found;

static inline group_found *
group_found_of(const gs_relation *relation)
{
	return (group_found *) relation->memory;
}

/*
 * Make a relation of so many rows, 0 included, whose columns have bitmaps, all
 * still without content; its memory is relation->memory.  A column has whole
 * words of 64 rows, and 16 bytes more.
 */
extern cudaError_t group_relation_allocate(const uint8_t *type, int columns,
										   int64_t rows, gs_relation *relation,
										   cudaStream_t stream);

/* Nothing in flight may use it.  A relation of zeros has nothing. */
extern void group_relation_free(gs_relation *relation);

/*
 * Of columns whose bits are set: low and high, if they are of integers, and
 * whether they have NULLs: else they have no bitmap any more.  Then wait for all
 * of that, and set bits of *errors that kernels have set in group_found.
 * Columns that are known to have no NULL may come without a bitmap.
 */
extern cudaError_t group_find_ranges(const uint8_t *type, uint64_t columns,
									 gs_relation *relation,
									 gs_exec_context *context,
									 uint32_t *errors);

/*
 * The same, where a kernel has found out already what is in group_found of these
 * columns.
 */
extern cudaError_t group_take_found(const uint8_t *type, uint64_t columns,
									gs_relation *relation,
									gs_exec_context *context,
									uint32_t *errors);

/* All columns of a stage but those of windows; or these. */
extern uint64_t group_columns_of(const gs_stage *next, bool windows);

/* ----------
 * finish_values.cu: plans that are not of rows
 * ----------
 */

/* gs_relation_engine.make */
extern cudaError_t group_finish_relation(gs_plan_run *run,
										 const gs_stage *next,
										 gs_relation *relation,
										 uint32_t *errors);

/* ----------
 * finish_figures.cu
 * ----------
 */

/* Is it a figure of squares or products? */
extern bool group_is_long_figure(const gs_finish *finish);

/* One column of these; it may be undecided. */
extern cudaError_t group_finish_figure(gs_plan_run *run,
									   const gs_finish *finish,
									   const gs_relation *relation,
									   int column);

/* The value's place in group_found. */
__host__ __device__ static inline unsigned long long
group_found_key(int64_t value)
{
	return (unsigned long long) value ^ UINT64_C(0x8000000000000000);
}

#ifdef __CUDACC__

/* By a whole warp: does a column have NULLs, as far as each thread knows? */
__device__ static inline void
group_found_nulls(group_found *found, int column, bool nulls)
{
	unsigned long long bit = 1ull << column;

	if (__any_sync(GS_ALL_LANES, nulls) && gs_lane() == 0 &&
		!(*(volatile unsigned long long *) &found->nulls & bit))
		atomicOr(&found->nulls, bit);
}

/* The greatest of each, of all threads of the warp. */
__device__ static inline void
group_most_of_warp(unsigned long long *a, unsigned long long *b)
{
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
	{
		unsigned long long other_a = __shfl_xor_sync(GS_ALL_LANES, *a, d);
		unsigned long long other_b = __shfl_xor_sync(GS_ALL_LANES, *b, d);

		*a = other_a > *a ? other_a : *a;
		*b = other_b > *b ? other_b : *b;
	}
}

/* The range of what each thread has found; low > high: nothing. */
__device__ static inline void
group_found_range(group_found *found, int column, int64_t low, int64_t high)
{
	unsigned long long highest = low > high ? 0 : group_found_key(high);
	unsigned long long lowest = low > high ? 0 : ~group_found_key(low);

	group_most_of_warp(&highest, &lowest);
	if (gs_lane() != 0)
		return;

	/* most have nothing new */
	if (highest > *(volatile unsigned long long *) &found->highest[column])
		atomicMax(&found->highest[column], highest);
	if (lowest > *(volatile unsigned long long *) &found->lowest[column])
		atomicMax(&found->lowest[column], lowest);
}

__device__ static inline void
group_found_error(group_found *found, uint32_t errors)
{
	if ((*(volatile uint32_t *) &found->errors & errors) != errors)
		atomicOr(&found->errors, errors);
}

#endif							/* __CUDACC__ */

#endif							/* GS_GROUP_RELATION_CUH */
