/*-------------------------------------------------------------------------
 *
 * bitmap_rank.cu
 *	  Ranks: from a bitmap of NULLs to the indexes of packed values.
 *
 * Values are packed, so an element's value has as index the number of elements
 * with values before it.  A kernel that processes the elements in tiles needs
 * that number for the first element of each tile.  This pass over the bitmap,
 * a 64th of the data, counts it beforehand.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/lookback.cuh"

/* A piece is 16 bytes, a quarter of a rank block. */
#define BITS		128
#define SHARE		(GS_RANK_BLOCK / BITS)

/* A warp reads rows of 32 pieces, one a lane; a tile is a block's rows. */
#define ROWS		GS_RANK_ROWS
#define WARPS		(GS_RANK_THREADS / GS_WARP)
#define TILE_BITS	((int64_t) BITS * GS_RANK_THREADS * ROWS)

size_t
gs_bitmap_ranks_size(int64_t n)
{
	return (gs_divide_up(n, GS_RANK_BLOCK) + 2) * sizeof(uint32_t);
}

/* The counter of tiles, in a word of its own, and the tile states. */
size_t
gs_bitmap_ranks_scratch_size(int64_t n)
{
	return (1 + gs_divide_up(n, TILE_BITS)) * sizeof(gs_u128);
}

/* The number of 1s among a piece's first `left` bits; left may be negative. */
__device__ static uint32_t
count_bits(const ulonglong2 &piece, int64_t left)
{
	const uint64_t word[2] = {piece.x, piece.y};
	uint32_t	count = 0;

#pragma unroll
	for (int i = 0; i < 2; i++, left -= 64)
		count += __popcll(left >= 64 ? word[i] : left <= 0 ? 0 :
						  word[i] & ((UINT64_C(1) << left) - 1));
	return count;
}

/* The index of a piece's first 1. */
__device__ static int
first_bit(const ulonglong2 &piece)
{
	return piece.x != 0 ? __ffsll(piece.x) - 1 : 64 + __ffsll(piece.y) - 1;
}

__global__ static void
__launch_bounds__(GS_RANK_THREADS)
bitmap_ranks_kernel(const uint8_t *validity, int64_t n, uint32_t *table,
					gs_u128 *scratch)
{
	__shared__ uint32_t warp_total[WARPS];
	__shared__ int64_t tile;
	__shared__ uint32_t before;
	gs_u128    *tiles = scratch + 1;
	const int64_t blocks = gs_divide_up(n, GS_RANK_BLOCK);
	int64_t		first;			/* index of this lane's piece in the first
								 * row */
	ulonglong2	piece[ROWS];
	uint32_t	count[ROWS];	/* of each piece */
	uint32_t	rank[ROWS];		/* rank of each piece in the warp */
	uint32_t	sum = 0;		/* total of the rows so far */

	if (threadIdx.x == 0)
		tile = atomicAdd((unsigned int *) scratch, 1u);
	__syncthreads();
	first = tile * TILE_BITS +
		(gs_warp() * ROWS * GS_WARP + gs_lane()) * (int64_t) BITS;
#pragma unroll
	for (int i = 0; i < ROWS; i++)
	{
		piece[i] = make_ulonglong2(0, 0);
		if (first + i * GS_WARP * BITS < n)
			piece[i] = ((const ulonglong2 *) (validity + first / 8))
				[i * GS_WARP];
	}
#pragma unroll
	for (int i = 0; i < ROWS; i++)
	{
		uint32_t	inclusive;

		count[i] = count_bits(piece[i], n - first - i * GS_WARP * BITS);
		inclusive = count[i];

#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			uint32_t	earlier = __shfl_up_sync(GS_ALL_LANES, inclusive, d);

			if (gs_lane() >= d)
				inclusive += earlier;
		}
		rank[i] = sum + inclusive - count[i];
		sum += __shfl_sync(GS_ALL_LANES, inclusive, GS_WARP - 1);
	}
	if (gs_lane() == 0)
		warp_total[gs_warp()] = sum;
	__syncthreads();

	if (gs_warp() == 0)
	{
		gs_count_part total = {0};
		gs_count_part prefix = {0};

		for (int i = 0; i < WARPS; i++)
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

	sum = before;
	for (int i = 0; i < gs_warp(); i++)
		sum += warp_total[i];
#pragma unroll
	for (int i = 0; i < ROWS; i++)
	{
		int64_t		at = first + i * GS_WARP * BITS;

		if (gs_lane() % SHARE == 0 && at < n)
			table[at / GS_RANK_BLOCK] = sum + rank[i];
		if (count[i] > 0 && sum + rank[i] == 0)
			table[blocks + 1] = (uint32_t) at + first_bit(piece[i]);
	}
	/* the last tile knows how many values there are, or that there is none */
	if (tile == gridDim.x - 1 && threadIdx.x == GS_RANK_THREADS - 1)
	{
		sum += warp_total[WARPS - 1];
		table[blocks] = sum;
		if (sum == 0)
			table[blocks + 1] = (uint32_t) n;
	}
}

cudaError_t
gs_bitmap_ranks(const uint8_t *validity, int64_t n, uint32_t *table,
				void *scratch, cudaStream_t stream)
{
	int64_t		tiles = gs_divide_up(n, TILE_BITS);

	GS_TRY(cudaMemsetAsync(scratch, 0, gs_bitmap_ranks_scratch_size(n),
						   stream));
	bitmap_ranks_kernel<<<(unsigned int) tiles, GS_RANK_THREADS, 0, stream>>>
		(validity, n, table, (gs_u128 *) scratch);
	return gs_launched();
}
