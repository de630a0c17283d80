/*-------------------------------------------------------------------------
 *
 * row_queue.cuh
 *	  Rows that a warp finds one part of a batch after the other, and keeps until
 *	  there are enough for all of its lanes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ROW_QUEUE_CUH
#define GS_GROUP_ROW_QUEUE_CUH

#include "kernels/plan/execute.cuh"

/* The numbers of a lane's rows; the mask of those that there are. */
template <int N>
__device__ static inline uint32_t
group_number_rows(int64_t row, int64_t n, uint32_t *number)
{
	uint32_t	mask = 0;

#pragma unroll
	for (int r = 0; r < N; r++)
	{
		number[r] = (uint32_t) (row + r * GS_WARP);
		if (row + r * GS_WARP < n)
			mask |= 1u << r;
	}
	return mask;
}

/*
 * Rows of a warp that wait in shared memory, fewer than two times 32 * N.  All
 * lanes call its functions.
 */
template <int N> struct row_queue
{
	uint32_t   *row;
	uint32_t	rows;

	__device__ bool is_full() const
	{
		return rows >= N * GS_WARP;
	}

	/*
	 * Let rows wait, unless they are most of 32 * N; then false.  Not if the queue is
	 * full.
	 */
	__device__ bool put_few(const uint32_t *number, uint32_t mask)
	{
		const uint32_t before = (1u << gs_lane()) - 1;

		if (gs_warp_sum(__popc(mask)) > N * GS_WARP / 2)
			return false;
#pragma unroll
		for (int r = 0; r < N; r++)
		{
			const uint32_t lanes = __ballot_sync(GS_ALL_LANES, mask >> r & 1);

			if (mask >> r & 1)
				row[rows + __popc(lanes & before)] = number[r];
			rows += __popc(lanes);
		}
		__syncwarp();
		return true;
	}

	/* up to N a lane; the mask of those that there are */
	__device__ uint32_t take(uint32_t *number)
	{
		const uint32_t n = is_full() ? N * GS_WARP : rows;
		uint32_t	mask = 0;

		rows -= n;
#pragma unroll
		for (int r = 0; r < N; r++)
		{
			const uint32_t at = r * GS_WARP + gs_lane();

			number[r] = at < n ? row[rows + at] : 0;
			mask |= (at < n ? 1u : 0u) << r;
		}
		__syncwarp();
		return mask;
	}
};

#endif							/* GS_GROUP_ROW_QUEUE_CUH */
