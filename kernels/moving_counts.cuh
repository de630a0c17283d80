/*-------------------------------------------------------------------------
 *
 * moving_counts.cuh
 *	  Moving frames: how many elements of each are not NULL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_COUNTS_CUH
#define GS_MOVING_COUNTS_CUH

#include "moving.cuh"

/* Of frames `start` and following ones. */
__global__ static void
__launch_bounds__(THREADS)
make_counts(frame f, const uint32_t *before, int64_t present, int64_t start,
			int64_t n, int64_t *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		to[i] = count_values(before, f.first(start + i), f.last(start + i),
							 f.n, present);
}

#endif							/* GS_MOVING_COUNTS_CUH */
