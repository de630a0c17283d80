/*-------------------------------------------------------------------------
 *
 * reduce_merge.cuh
 *	  Reductions: totals merged across threads, warps and blocks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_MERGE_CUH
#define GS_REDUCE_MERGE_CUH

#include "kernels/reduce/reduce_tile.cuh"

/*
 * The merged totals of the first `lanes` lanes, in lane 0.  They are first
 * merged without acc, which nearly always succeeds, and checked once at the
 * end; if that failed, they are merged again with acc.
 */
template <class R>
__device__ static inline typename R::total
warp_merge(typename R::total total, int lanes, block_acc *acc)
{
	typedef typename R::total T;

	if constexpr (R::QUICK)
	{
		T			quick = total;
		uint32_t	lost = 0;

#pragma unroll
		for (int d = lanes / 2; d > 0; d /= 2)
		{
			uint32_t	bits = 0;

			quick.merge_quickly(gs_shuffle_down(quick, d), &bits);
			lost |= gs_lane() < d ? bits : 0;
		}
		if (!__any_sync(GS_ALL_LANES, lost != 0))
			return quick;
	}
#pragma unroll
	for (int d = lanes / 2; d > 0; d /= 2)
	{
		T			other = gs_shuffle_down(total, d);

		if (gs_lane() < d)
			total.merge(other, acc);
	}
	return total;
}

/* The merged totals of a block's threads, in thread 0. */
template <class R>
__device__ static typename R::total
block_merge(typename R::total total, const R &nothing, block_acc *acc)
{
	typedef typename R::total T;
	__shared__ char buffer[WARPS * sizeof(T)] __attribute__((aligned(16)));
	T		   *of_warp = (T *) buffer;

	total = warp_merge<R>(total, GS_WARP, acc);
	__syncthreads();
	if (gs_lane() == 0)
		of_warp[gs_warp()] = total;
	__syncthreads();
	if (gs_warp() == 0)
	{
		R			r = own_copy(nothing);

		total = gs_lane() < WARPS ? of_warp[gs_lane()] : r.close(acc);
		total = warp_merge<R>(total, WARPS, acc);
	}
	return total;
}

/*
 * Add a block's accumulators to the state, once all its threads have used
 * them.
 */
__device__ static void
flush_acc(const block_acc *acc, reduce_state *state)
{
	__syncthreads();
	if (!acc->touched)
		return;
	for (int i = threadIdx.x; i < GS_ACC_LIMBS; i += THREADS)
		gs_limb_atomic_add(state->sum.limb + i, acc->sum.limb[i]);
	for (int i = threadIdx.x; i < GS_ACC2_LIMBS; i += THREADS)
		gs_limb_atomic_add(state->squares.limb + i, acc->squares.limb[i]);
	if (threadIdx.x < GS_SPECIALS)
		atomicAdd(&state->special[threadIdx.x], acc->special[threadIdx.x]);
	if (threadIdx.x == 0)
	{
		atomicOr(&state->sum.seen, acc->sum.seen);
		atomicOr(&state->squares.seen, acc->squares.seen);
	}
}

/*
 * Merge the totals of all blocks in the last block to finish; returns true in
 * that block only.
 */
template <class R>
__device__ static bool
grid_merge(typename R::total *total, const R &nothing, block_acc *acc,
		   typename R::total *of_block, reduce_state *state)
{
	__shared__ bool last;
	R			r = own_copy(nothing);

	if (gridDim.x == 1)
		return true;
	if (threadIdx.x == 0)
	{
		of_block[blockIdx.x] = *total;
		__threadfence();
		last = atomicInc(&state->done, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return false;
	__threadfence();
	*total = r.close(acc);
	for (int i = threadIdx.x; i < gridDim.x; i += THREADS)
		total->merge(of_block[i], acc);
	*total = block_merge(*total, nothing, acc);
	return true;
}

#endif							/* GS_REDUCE_MERGE_CUH */
