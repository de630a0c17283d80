/*-------------------------------------------------------------------------
 *
 * classic_reduce.cu
 *	  Textbook sums, one idea after another.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"
#include "classic.cuh"

#define THREADS	1024
#define WARP	32

static int64_t
blocks_for(int64_t n)
{
	return (n + THREADS - 1) / THREADS;
}

/* A tree in global memory: log2(1024) rounds, each halving what is left. */
static __global__ void
global_kernel(double *v, int64_t n, double *sums)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	for (int d = THREADS / 2; d > 0; d /= 2)
	{
		if (threadIdx.x < d && i + d < n)
			v[i] += v[i + d];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = v[i];
}

/* A tree in shared memory. */
static __global__ void
shared_kernel(const double *v, int64_t n, double *sums)
{
	__shared__ double tree[THREADS];
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	tree[threadIdx.x] = i < n ? v[i] : 0;
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2)
	{
		if (threadIdx.x < d)
			tree[threadIdx.x] += tree[threadIdx.x + d];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = tree[0];
}

/* Level after level of blocks, until one sum is left, in sums[0]. */
template <typename Level>
static void
reduce_levels(const double *v, int64_t n, double *sums, Level level)
{
	double	   *from = sums;
	double	   *to = sums + blocks_for(n);

	level(v, n, sums);
	for (n = blocks_for(n); n > 1; n = blocks_for(n))
	{
		double	   *swap = from;

		level(from, n, to);
		from = to;
		to = swap;
	}
	if (from != sums)
		CUDA(cudaMemcpyAsync(sums, from, sizeof *sums,
							 cudaMemcpyDeviceToDevice));
}

void
reduce_global(double *v, int64_t n, double *sums)
{
	reduce_levels(v, n, sums, [](const double *from, int64_t n, double *to) {
		global_kernel<<<blocks_for(n), THREADS>>>((double *) from, n, to);
		CUDA(cudaGetLastError());
	});
}

void
reduce_shared(const double *v, int64_t n, double *sums)
{
	reduce_levels(v, n, sums, [](const double *from, int64_t n, double *to) {
		shared_kernel<<<blocks_for(n), THREADS>>>(from, n, to);
		CUDA(cudaGetLastError());
	});
}

/* Threads stride over the input; warps shuffle; a block shares. */
static __global__ void
shuffle_kernel(const double *v, int64_t n, double *sums)
{
	__shared__ double warp_sum[WARP];
	const int64_t step = (int64_t) gridDim.x * THREADS;
	double		sum = 0;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		sum += v[i];
	for (int d = WARP / 2; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, d);
	if (threadIdx.x % WARP == 0)
		warp_sum[threadIdx.x / WARP] = sum;
	__syncthreads();
	if (threadIdx.x < WARP)
	{
		sum = threadIdx.x < THREADS / WARP ? warp_sum[threadIdx.x] : 0;
		for (int d = WARP / 2; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffffu, sum, d);
		if (threadIdx.x == 0)
			sums[blockIdx.x] = sum;
	}
}

void
reduce_shuffle(const double *v, int64_t n, double *sums)
{
	const int	blocks = 2 * 132;

	shuffle_kernel<<<blocks, THREADS>>>(v, n, sums + 1);
	CUDA(cudaGetLastError());
	shuffle_kernel<<<1, THREADS>>>(sums + 1, blocks, sums);
	CUDA(cudaGetLastError());
}

/* Each thread adds up its elements, four at a time, and writes a sum. */
static __global__ void
coarsened_kernel(const double *v, int64_t n, double *sums)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;
	const int64_t first = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
	double		sum[4] = {0, 0, 0, 0};
	int64_t		i = first;

	for (; i + 3 * step < n; i += 4 * step)
	{
		for (int j = 0; j < 4; j++)
			sum[j] += v[i + j * step];
	}
	for (; i < n; i += step)
		sum[0] += v[i];
	sums[first] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void
reduce_coarsened(const double *v, int64_t n, double *sums)
{
	const int	blocks = 2 * 132;

	coarsened_kernel<<<blocks, THREADS>>>(v, n, sums + 1);
	CUDA(cudaGetLastError());
	shuffle_kernel<<<1, THREADS>>>(sums + 1, blocks * THREADS, sums);
	CUDA(cudaGetLastError());
}
