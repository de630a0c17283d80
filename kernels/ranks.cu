/*-------------------------------------------------------------------------
 *
 * ranks.cu
 *	  From a bitmap of NULLs to the places of packed values.
 *
 * Values are packed, so where an element's value lies follows from how many
 * elements before it have one.  A kernel that takes the elements in tiles
 * needs that number for each tile's first: a pass over the bitmap, a 64th of
 * the data, counts it beforehand.
 *
 *-------------------------------------------------------------------------
 */
#include "lookback.cuh"

/* One thread's 16 bytes, a fourth of a rank block. */
#define BITS		128
#define SHARE		(GS_RANK_BLOCK / BITS)
#define TILE_BITS	((int64_t) BITS * GS_RANK_THREADS)

size_t
gs_ranks_size(int64_t n)
{
	return (gs_divide_up(n, GS_RANK_BLOCK) + 1) * sizeof(uint32_t);
}

/* A counter of tiles, in a word of its own, and what they publish. */
size_t
gs_ranks_scratch_size(int64_t n)
{
	return (1 + gs_divide_up(n, TILE_BITS)) * sizeof(gs_u128);
}

/* How many of the bits at 16 bytes from `first` on are 1, bits from n on not. */
__device__ static int
count_bits(const uint8_t *validity, int64_t first, int64_t n)
{
	uint64_t	word[2];
	int			count = 0;

	if (first >= n)
		return 0;
	memcpy(word, __builtin_assume_aligned(validity + first / 8, 16), 16);
#pragma unroll
	for (int i = 0; i < 2; i++)
	{
		int64_t		left = n - first - 64 * i;

		if (left < 64)
			word[i] &= left <= 0 ? 0 : (UINT64_C(1) << left) - 1;
		count += __popcll(word[i]);
	}
	return count;
}

__global__ static void
__launch_bounds__(GS_RANK_THREADS)
ranks_kernel(const uint8_t *validity, int64_t n, uint32_t *table,
			 gs_u128 *scratch)
{
	__shared__ uint32_t warp_total[GS_RANK_THREADS / GS_WARP];
	__shared__ int64_t tile;
	__shared__ uint32_t before;
	gs_u128    *tiles = scratch + 1;
	int64_t		first;
	uint32_t	count;
	uint32_t	inclusive;

	if (threadIdx.x == 0)
		tile = atomicAdd((unsigned int *) scratch, 1u);
	__syncthreads();
	first = tile * TILE_BITS + threadIdx.x * BITS;
	count = count_bits(validity, first, n);
	inclusive = count;
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		uint32_t	earlier = __shfl_up_sync(GS_ALL_LANES, inclusive, d);

		if (gs_lane() >= d)
			inclusive += earlier;
	}
	if (gs_lane() == GS_WARP - 1)
		warp_total[gs_warp()] = inclusive;
	__syncthreads();

	if (gs_warp() == 0)
	{
		gs_count_part total = {0};
		gs_count_part prefix = {0};

		for (int i = 0; i < GS_RANK_THREADS / GS_WARP; i++)
			total.count += warp_total[i];
		if (tile > 0)
		{
			if (gs_lane() == 0)
				gs_publish(tiles, tile, total, GS_TILE_AGGREGATE);
			prefix = gs_look_back<gs_count_part>(tiles, tile);
		}
		if (gs_lane() == 0)
		{
			before = (uint32_t) prefix.count;
			gs_publish(tiles, tile, gs_count_part::combine(prefix, total),
					   GS_TILE_PREFIX);
		}
	}
	__syncthreads();

	inclusive += before;
	for (int i = 0; i < gs_warp(); i++)
		inclusive += warp_total[i];
	if (threadIdx.x % SHARE == 0 && first < n)
		table[first / GS_RANK_BLOCK] = inclusive - count;
	/* the thread with the last bit tells the whole number */
	if (first < n && first + BITS >= n)
		table[gs_divide_up(n, GS_RANK_BLOCK)] = inclusive;
}

cudaError_t
gs_ranks(const uint8_t *validity, int64_t n, uint32_t *table, void *scratch,
		 cudaStream_t stream)
{
	int64_t		tiles = gs_divide_up(n, TILE_BITS);

	GS_TRY(cudaMemsetAsync(scratch, 0, gs_ranks_scratch_size(n), stream));
	ranks_kernel<<<(unsigned int) tiles, GS_RANK_THREADS, 0, stream>>>
		(validity, n, table, (gs_u128 *) scratch);
	return gs_launched();
}
