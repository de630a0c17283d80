/*-------------------------------------------------------------------------
 *
 * ewma_near.cuh
 *	  Exponentially weighted means of what is near, in one pass.
 *
 * What lies far enough back weighs next to nothing.  So a block goes through
 * its elements and a few runs before them, by the quick steps of ewma.h, and
 * nobody waits for what precedes those.  That their results are the
 * definition's is known only once all blocks are done: the kernels after this
 * one do nothing if it is so, and all of the work if not.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EWMA_NEAR_CUH
#define GS_EWMA_NEAR_CUH

#include "kernels/moving/ewma_run.cuh"

#define NEAR_THREADS	192		/* what Turing's shared memory has room for */
#define NEAR_WARPS		(NEAR_THREADS / GS_WARP)
#define NEAR_BLOCKS		4		/* a multiprocessor, as shared memory lets it have */
#define NEAR_LEVELS		6		/* at most so: a third of a block's threads */

/* What lies further back than 2^levels runs weighs so little. */
#define NEAR_WEIGHT		0x1p-130

/*
 * A part of the array may so be smaller by 2^30 than the greatest magnitude:
 * what is left out is below 2^-100 of that part's.
 */
#define NEAR_RANGE		(30u << 20)
#define NEAR_LEAST		((1023u - 700) << 20)
#define NEAR_SMALL		((1023u - 30) << 20)	/* where gs_ewma_scale() is 1 */
#define NEAR_GREAT		((1023u + 900) << 20)

/*
 * How many levels there have to be; 0: means cannot be computed so.  Not those
 * of bigints, which are no doubles, and with adjustment the first means would
 * need the definition.
 */
static int
near_levels(const gs_op *op, const ewma_args *a)
{
	int			levels = 1;

	if (op->type == GS_INT8 || a->adjust || a->alpha == 1)
		return 0;
	while (levels <= NEAR_LEVELS && a->kept_by[levels].hi > NEAR_WEIGHT)
		levels++;
	return levels <= NEAR_LEVELS ? levels : 0;
}

/* Are the means of near_means() those of the definition? */
__device__ static inline bool
near_is_right(const ewma_args &a)
{
	const ewma_found *f = a.s.found;

	return a.near > 0 && f->doubtful == 0 && f->most >= NEAR_SMALL &&
		f->most < NEAR_GREAT && f->least >= NEAR_LEAST &&
		f->most - f->least < NEAR_RANGE;
}

/* A run without gaps; what is given for the sum is what precedes it. */
__device__ static inline void
near_sum(const ewma_args &a, const double *x, gs_pair *sum)
{
	const gs_pair keep = {a.even.keep.hi, a.even.keep.lo};

#pragma unroll
	for (int i = 0; i < GS_EWMA_RUN; i++)
	{
		if (i % GS_EWMA_QUICK == 0)
			*sum = gs_fast_two_sum(sum->hi, sum->lo);
		*sum = gs_ewma_quick_step(keep, *sum, a.alpha, x[i]);
	}
}

/* near_sum, and the means in place of the elements.  Is one in doubt? */
__device__ static inline bool
near_run(const ewma_args &a, double *x, gs_pair sum, double doubt)
{
	const gs_pair keep = {a.even.keep.hi, a.even.keep.lo};
	bool		doubtful = false;

#pragma unroll
	for (int i = 0; i < GS_EWMA_RUN; i++)
	{
		double		mean;

		if (i % GS_EWMA_QUICK == 0)
			sum = gs_fast_two_sum(sum.hi, sum.lo);
		sum = gs_ewma_quick_step(keep, sum, a.alpha, x[i]);
		doubtful |= !gs_ewma_is_sure(sum, doubt, &mean);
		x[i] = mean;
	}
	return doubtful;
}

/*
 * Load the block's elements, side by side.  Before the first there are zeros;
 * the last one goes on, so that there is no more doubt beyond it than before.
 * Returns the high word of the greatest magnitude of this thread's.
 */
template <typename T>
__device__ static unsigned int
load_near(const T *values, int64_t start, int64_t present, double *shared)
{
	const int	BATCH = 8;
	const int64_t first = start + threadIdx.x;
	const bool	whole = start >= 0 &&
		start + NEAR_THREADS * GS_EWMA_RUN <= present;
	double	   *to = shared + gs_warp() * ROW + gs_lane();
	unsigned int greatest = 0;

#pragma unroll 1
	for (int j = 0; j < GS_EWMA_RUN; j += BATCH)
	{
		T			x[BATCH];

#pragma unroll
		for (int k = 0; k < BATCH; k++)
		{
			const int64_t i = first + (j + k) * NEAR_THREADS;

			x[k] = whole ? values[i] : i < 0 ? T(0) :
				values[min(i, present - 1)];
		}
#pragma unroll
		for (int k = 0; k < BATCH; k++)
		{
			to[(j + k) * NEAR_WARPS * ROW] = (double) x[k];
			greatest = max(greatest, high_word((double) x[k]));
		}
	}
	return greatest;
}

/* The greatest of all threads of the block. */
__device__ static unsigned int
greatest_near(unsigned int greatest)
{
	__shared__ unsigned int all;

	if (threadIdx.x == 0)
		all = 0;
	__syncthreads();
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		greatest = max(greatest, __shfl_xor_sync(GS_ALL_LANES, greatest, d));
	if (gs_lane() == 0)
		atomicMax(&all, greatest);
	__syncthreads();
	return all;
}

/*
 * What precedes each thread's run, of 2^a.near runs: joined with as many before
 * in each step, twice as many as before.
 */
__device__ static gs_pair
fold_near(const ewma_args &a, gs_pair sum)
{
	__shared__ gs_pair fold[NEAR_THREADS];
	const int	i = threadIdx.x;

	for (int level = 0; level < a.near; level++)
	{
		const gs_pair keep = a.kept_by[level];

		fold[i] = gs_fast_two_sum(sum.hi, sum.lo);
		__syncthreads();
		if (i >= 1 << level)
		{
			const gs_pair before = fold[i - (1 << level)];
			const double kept = keep.hi * before.hi;
			const gs_pair s = gs_two_sum(kept, sum.hi);

			sum.lo += s.lo + __fma_rn(keep.hi, before.lo, __fma_rn
									  (keep.lo, before.hi, __fma_rn
									   (keep.hi, before.hi, -kept)));
			sum.hi = s.hi;
		}
		__syncthreads();
	}
	fold[i] = sum;
	__syncthreads();
	if (i > 0)
		return fold[i - 1];
	return {0, 0};
}

template <typename T>
static __global__ void __launch_bounds__(NEAR_THREADS, NEAR_BLOCKS)
near_means(const __grid_constant__ ewma_args a)
{
	extern __shared__ double shared[];
	const int	halo = 1 << a.near;	/* runs */
	const int64_t own = (int64_t) blockIdx.x * (NEAR_THREADS - halo) *
		GS_EWMA_RUN;
	const int64_t end = min(own + (NEAR_THREADS - halo) * GS_EWMA_RUN,
							a.present);
	const T    *values = (const T *) a.s.found->values;
	const unsigned int greatest = greatest_near(load_near
												(values, own - halo *
												 GS_EWMA_RUN, a.present,
												 shared));
	double	   *x = shared + threadIdx.x * ROW;
	const double *from = shared + (halo + gs_warp()) * ROW + gs_lane();
	gs_pair		sum = {0, 0};
	bool		doubtful = false;

	/* before the first element there is a mean as it is */
	if (own == 0 && threadIdx.x == halo)
		sum.hi = x[0];
	near_sum(a, x, &sum);
	sum = fold_near(a, sum);
	if (own == 0 && threadIdx.x == halo)
		sum.hi = x[0];
	if (threadIdx.x >= halo)
		doubtful = near_run(a, x, sum, gs_ewma_doubt(a.alpha) *
							__hiloint2double((int) greatest + 1, 0));
	doubtful = __syncthreads_or(doubtful);
	if (threadIdx.x == 0)
	{
		atomicMax(&a.s.found->most, greatest);
		atomicMin(&a.s.found->least, greatest);
		if (doubtful)
			a.s.found->doubtful = 1;
	}
#pragma unroll 4
	for (int64_t i = own + threadIdx.x; i < end;
		 i += NEAR_THREADS, from += NEAR_WARPS * ROW)
		__stcs(&a.mean[i], *from);
}

template <typename T>
static cudaError_t
launch_near(const ewma_args &a, cudaStream_t stream)
{
	const int64_t own = (NEAR_THREADS - (1 << a.near)) * GS_EWMA_RUN;

	GS_TRY((gs_allow_shared<near_means<T>>()));
	near_means<T><<<(unsigned int) gs_divide_up(a.present, own), NEAR_THREADS,
		NEAR_THREADS * ROW * sizeof(double), stream>>>(a);
	return gs_launched();
}

#endif							/* GS_EWMA_NEAR_CUH */
