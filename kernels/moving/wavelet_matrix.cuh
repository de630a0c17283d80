/*-------------------------------------------------------------------------
 *
 * wavelet_matrix.cuh
 *	  The k-th least of any range of ranks.
 *
 * A wavelet matrix (Claude and Navarro, SPIRE 2012) of n numbers from 0 to
 * n - 1.  Level by level, from the highest bit on, it has that bit of each;
 * then the numbers move, those with a 0 before those with a 1, each part in its
 * order.  So the numbers of a range, which stand side by side, still do so on
 * each level, in two ranges.  The k-th is found bit by bit: if more than k of
 * the range have a 0, so has it; else it is among those with a 1.  That takes
 * two looks a level, however long the range is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WAVELET_MATRIX_CUH
#define GS_WAVELET_MATRIX_CUH

#include "kernels/moving/moving.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#define LEVELS			31		/* an array has fewer than 2^31 elements */

/* 32 ranks of a level. */
struct __align__(8) matrix_word
{
	uint32_t	bits;			/* 1 beyond the last rank */
	uint32_t	zeros;			/* of the ranks before them */
};

struct matrix
{
	matrix_word *word;
	uint32_t   *zeros;			/* of each level */
	int64_t		words;			/* of a level, one for the end of the ranks */
	int			levels;

	__host__ __device__ matrix_word *
	level(int k) const
	{
		return word + k * words;
	}
};

/* Levels and words of a matrix of n ranks. */
static inline int
levels_for(int64_t n)
{
	int			levels = 0;

	while (n > INT64_C(1) << levels)
		levels++;
	return levels;
}

static inline int64_t
words_for(int64_t n)
{
	return n / 32 + 1;
}

/* ----------
 * Making it
 * ----------
 */

/* A level's bits, each warp a word at a time. */
__global__ static void
__launch_bounds__(THREADS)
mark_bits(const uint32_t *rank, int64_t n, int64_t words, int bit,
		  matrix_word *level)
{
	int64_t		step = (int64_t) gridDim.x * (THREADS / GS_WARP);

	for (int64_t w = (int64_t) blockIdx.x * (THREADS / GS_WARP) + gs_warp();
		 w < words; w += step)
	{
		int64_t		i = w * 32 + gs_lane();
		uint32_t	bits = __ballot_sync(GS_ALL_LANES,
										 i >= n || (rank[i] >> bit & 1));

		if (gs_lane() == 0)
			level[w].bits = bits;
	}
}

struct zeros_of_word
{
	__host__ __device__ uint32_t
	operator()(const matrix_word &word) const
	{
#ifdef __CUDA_ARCH__
		return __popc(~word.bits);
#else
		return __builtin_popcount(~word.bits);
#endif
	}
};

/*
 * Move the ranks to their places on the next level, and complete this one;
 * *all becomes its number of zeros.
 */
__global__ static void
__launch_bounds__(THREADS)
move_ranks(const uint32_t *rank, int64_t n, int64_t words,
		   const uint32_t *zeros, matrix_word *level, uint32_t *next,
		   uint32_t *all)
{
	int64_t		step = (int64_t) gridDim.x * (THREADS / GS_WARP);
	uint32_t	total = zeros[words - 1] + __popc(~level[words - 1].bits);

	if (blockIdx.x == 0 && threadIdx.x == 0)
		*all = total;
	for (int64_t w = (int64_t) blockIdx.x * (THREADS / GS_WARP) + gs_warp();
		 w < words; w += step)
	{
		int64_t		i = w * 32 + gs_lane();
		uint32_t	bits = level[w].bits;
		uint32_t	before = zeros[w] +
			__popc(~bits & ((UINT32_C(1) << gs_lane()) - 1));

		if (gs_lane() == 0)
			level[w].zeros = zeros[w];
		if (i < n)
			next[bits >> gs_lane() & 1 ? total + (uint32_t) i - before :
				 before] = rank[i];
	}
}

/*
 * The zeros before each word of a level; without a workspace, only set the size
 * that CUB needs.
 */
static cudaError_t
count_zeros(void *workspace, size_t *size, const matrix_word *level,
			int64_t words, uint32_t *zeros, cudaStream_t stream)
{
	return cub::DeviceScan::ExclusiveSum
		(workspace, *size,
		 thrust::make_transform_iterator(level, zeros_of_word()), zeros,
		 (int) words, stream);
}

/*
 * All levels, of n ranks, which move between two arrays; `zeros` is memory for
 * m.words numbers, and the workspace for count_zeros.
 */
static cudaError_t
fill_matrix(const matrix &m, int64_t n, uint32_t *rank, uint32_t *next,
			uint32_t *zeros, void *workspace, size_t workspace_size,
			cudaStream_t stream)
{
	unsigned int blocks;

	GS_TRY(grid_of(m.words * GS_WARP, &blocks));
	for (int k = 0; k < m.levels; k++)
	{
		uint32_t   *moved = next;

		mark_bits<<<blocks, THREADS, 0, stream>>>
			(rank, n, m.words, m.levels - 1 - k, m.level(k));
		GS_TRY(gs_launched());
		GS_TRY(count_zeros(workspace, &workspace_size, m.level(k), m.words,
						   zeros, stream));
		move_ranks<<<blocks, THREADS, 0, stream>>>
			(rank, n, m.words, zeros, m.level(k), next, m.zeros + k);
		GS_TRY(gs_launched());
		next = rank;
		rank = moved;
	}
	return cudaSuccess;
}

/* ----------
 * Ranges
 * ----------
 */

/* Ranks first .. end - 1 of a level, of which the k-th is wanted. */
struct walk
{
	uint32_t	first;
	uint32_t	end;
	uint32_t	k;
	uint32_t	rank;			/* its bits so far */

	/* to the ones, given the zeros before the two ends and of all */
	__device__ void
	to_ones(uint32_t a, uint32_t b, uint32_t zeros, uint32_t bit)
	{
		first = zeros + first - a;
		end = zeros + end - b;
		rank |= bit;
	}
};

__device__ static inline uint32_t
zeros_before(const matrix_word *level, uint32_t i)
{
	uint2		word = __ldg((const uint2 *) level + i / 32);

	return word.y + __popc(~word.x & ((UINT32_C(1) << (i % 32)) - 1));
}

/* A level down; true if the rank after the k-th goes another way, *next. */
__device__ static inline bool
descend(const matrix_word *level, uint32_t zeros, uint32_t bit, walk *w,
		walk *next)
{
	const uint32_t a = zeros_before(level, w->first);
	const uint32_t b = zeros_before(level, w->end);

	*next = *w;
	if (w->k >= b - a)
	{
		w->k -= b - a;
		w->to_ones(a, b, zeros, bit);
		return false;
	}
	w->first = a;
	w->end = b;
	next->k = 0;
	next->to_ones(a, b, zeros, bit);
	return w->k + 1 == b - a;
}

/* The k-th of ranks first .. end - 1, and, if wanted, the one after it. */
__device__ static inline uint32_t
find_ranks(const matrix &m, uint32_t first, uint32_t end, uint32_t k,
		   bool wanted, uint32_t *after)
{
	walk		low = {first, end, k, 0};
	walk		high = low;
	walk		other;
	bool		apart = false;

	for (int i = 0; i < m.levels; i++)
	{
		const uint32_t bit = UINT32_C(1) << (m.levels - 1 - i);
		const uint32_t zeros = m.zeros[i];

		if (apart)
			(void) descend(m.level(i), zeros, bit, &high, &other);
		if (descend(m.level(i), zeros, bit, &low, &other) && wanted && !apart)
		{
			high = other;
			apart = true;
		}
	}
	*after = high.rank;
	return low.rank;
}

#endif							/* GS_WAVELET_MATRIX_CUH */
