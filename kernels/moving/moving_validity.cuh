/*-------------------------------------------------------------------------
 *
 * moving_validity.cuh
 *	  Moving frames: which results are not NULL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_VALIDITY_CUH
#define GS_MOVING_VALIDITY_CUH

#include "kernels/moving/moving.cuh"

/* Rows `first` and following ones: which frames have `least` values or more? */
__global__ static void
__launch_bounds__(THREADS)
make_validity(frame f, const uint32_t *before, int64_t present, int64_t least,
			  int64_t first, int64_t rows, uint64_t *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
		 i < 64 * rows; i += step)
	{
		int64_t		at = 64 * first + i;

		gs_put_valid(to, i, at < f.n &&
					 count_values(before, f.first(at), f.last(at), f.n,
								  present) >= least);
	}
}

#endif							/* GS_MOVING_VALIDITY_CUH */
