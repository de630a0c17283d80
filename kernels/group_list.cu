/*-------------------------------------------------------------------------
 *
 * group_list.cu
 *	  From a bitmap of rows to a list of them.
 *
 * A list lets all threads work on rows that count.  Blocks come in any order,
 * and with them the rows; within a block they ascend.
 *
 *-------------------------------------------------------------------------
 */
#include "group_accumulate.cuh"

#define THREADS		256
#define WARPS		(THREADS / GS_WARP)

__global__ void
list_kernel(const uint32_t *bits, int64_t n, uint32_t *list, uint32_t *count)
{
	__shared__ uint32_t warp_count[WARPS];
	__shared__ uint32_t block_first;
	int64_t		first = ((int64_t) blockIdx.x * THREADS + threadIdx.x) * 32;
	uint32_t	word = 0;
	uint32_t	before = 0;
	uint32_t	inclusive;

	if (first < n)
		word = bits[first / 32];
	if (first < n && n - first < 32)
		word &= (1u << (n - first)) - 1;
	inclusive = __popc(word);
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		uint32_t	earlier = __shfl_up_sync(GS_ALL_LANES, inclusive, d);

		if (gs_lane() >= d)
			inclusive += earlier;
	}
	if (gs_lane() == GS_WARP - 1)
		warp_count[gs_warp()] = inclusive;
	__syncthreads();
	if (threadIdx.x == 0)
	{
		uint32_t	sum = 0;

		for (int w = 0; w < WARPS; w++)
			sum += warp_count[w];
		block_first = sum == 0 ? 0 : atomicAdd(count, sum);
	}
	__syncthreads();
	for (int w = 0; w < gs_warp(); w++)
		before += warp_count[w];
	before += block_first + inclusive - __popc(word);

	/* each lane's word in turn, so that a warp writes neighbours */
	for (int l = 0; l < GS_WARP; l++)
	{
		uint32_t	its = __shfl_sync(GS_ALL_LANES, word, l);
		uint32_t	at = __shfl_sync(GS_ALL_LANES, before, l);

		if (its >> gs_lane() & 1)
			list[at + __popc(its & ((1u << gs_lane()) - 1))] =
				(uint32_t) (first - gs_lane() * 32 + l * 32 + gs_lane());
	}
}

cudaError_t
group_list_rows(const uint32_t *bits, int64_t n, uint32_t *list,
				uint32_t *count, cudaStream_t stream)
{
	GS_TRY(cudaMemsetAsync(count, 0, sizeof *count, stream));
	list_kernel<<<(unsigned int) gs_divide_up(n, THREADS * 32), THREADS, 0,
		stream>>>(bits, n, list, count);
	return gs_launched();
}
