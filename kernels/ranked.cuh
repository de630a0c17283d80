/*-------------------------------------------------------------------------
 *
 * ranked.cuh
 *	  Elements of an array with NULLs, whose values are packed: a value is found
 *	  by its rank.
 *
 * A warp goes through the elements of a block of ranks, 32 at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_RANKED_CUH
#define GS_RANKED_CUH

#include "kernels/common.cuh"

/* An array with the ranks of its values; without NULLs ranks is NULL. */
template <typename T>
struct ranked
{
	const T    *values;
	const uint8_t *validity;
	const uint32_t *ranks;

	/* The index of the first value of a block of ranks. */
	__device__ uint32_t
	first_of(int64_t block) const
	{
		return ranks == NULL ? (uint32_t) (block * GS_RANK_BLOCK) :
			ranks[block];
	}

	/* Which of the 32 elements from `at` on, a multiple of 32, have values? */
	__device__ uint32_t
	present(int64_t at, int64_t n) const
	{
		const uint32_t within = n - at >= 32 ? UINT32_MAX :
			((uint32_t) 1 << (n - at)) - 1;

		return ranks == NULL ? within :
			((const uint32_t *) validity)[at / 32] & within;
	}
};

/* Scratch memory for the ranks of one array. */
static size_t
ranks_size(int64_t n)
{
	return gs_aligned(gs_bitmap_ranks_size(n)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(n));
}

template <typename T>
static cudaError_t
find_ranks(const gs_device_span *span, int64_t n, char *scratch,
		   cudaStream_t stream, ranked<T> *to)
{
	uint32_t   *ranks = (uint32_t *)
		gs_part(&scratch, gs_bitmap_ranks_size(n));

	to->values = (const T *) span->values;
	to->validity = span->validity;
	to->ranks = NULL;
	if (span->validity == NULL)
		return cudaSuccess;
	to->ranks = ranks;
	return gs_bitmap_ranks(span->validity, n, ranks, scratch, stream);
}

#endif							/* GS_RANKED_CUH */
