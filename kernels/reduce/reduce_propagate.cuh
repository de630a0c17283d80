/*-------------------------------------------------------------------------
 *
 * reduce_propagate.cuh
 *	  Reductions: carries of the state's limbs, between batches.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_PROPAGATE_CUH
#define GS_REDUCE_PROPAGATE_CUH

#include "kernels/reduce/reduce.cuh"

/*
 * Elements after which carries are propagated, at the end of a batch.  An
 * element makes about one addition to a limb, a few at most.
 */
#define PROPAGATE_EACH	(GS_ACC_ADDITIONS / 16)

__global__ static void
propagate_kernel(reduce_state *state)
{
	int64_t    *limb = threadIdx.x == 0 ? state->sum.limb :
		state->squares.limb;
	int			limbs = threadIdx.x == 0 ? GS_ACC_LIMBS : GS_ACC2_LIMBS;
	int64_t		carry = 0;

	for (int i = 0; i < limbs - 1; i++)
	{
		carry += limb[i];
		limb[i] = carry & 0xffffffff;
		carry >>= 32;
	}
	limb[limbs - 1] += carry;
}

/* After a batch: propagate carries before the limbs can overflow. */
static inline cudaError_t
propagate(const gs_device_input *in, reduce_state *state, cudaStream_t stream)
{
	if (in->first / PROPAGATE_EACH == (in->first + in->n) / PROPAGATE_EACH)
		return cudaSuccess;
	propagate_kernel<<<1, 2, 0, stream>>> (state);
	return gs_launched();
}

#endif							/* GS_REDUCE_PROPAGATE_CUH */
