/*-------------------------------------------------------------------------
 *
 * classic_histogram.cu
 *	  Textbook histograms.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"
#include "classic.cuh"

#define THREADS	256

static __global__ void
global_kernel(const int32_t *v, int64_t n, unsigned long long *counts)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < n)
		atomicAdd(&counts[v[i]], 1ull);
}

/* One global atomic addition an element, whose value is its bucket. */
void
histogram_global(const int32_t *v, int64_t n, unsigned long long *counts)
{
	global_kernel<<<(n + THREADS - 1) / THREADS, THREADS>>>(v, n, counts);
	CUDA(cudaGetLastError());
}

static __global__ void
shared_kernel(const double *v, int64_t n, double low, double scale, int buckets,
			  unsigned long long *counts)
{
	extern __shared__ unsigned int mine[];
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int i = threadIdx.x; i < buckets; i += THREADS)
		mine[i] = 0;
	__syncthreads();
	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		int			k = (int) ((v[i] - low) * scale);

		if (k >= 0 && k < buckets)
			atomicAdd(&mine[k], 1);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < buckets; i += THREADS)
		atomicAdd(&counts[i], (unsigned long long) mine[i]);
}

/* Privatisation: one histogram a block, in shared memory, merged at the end. */
void
histogram_shared(const double *v, int64_t n, double low, double high,
				 int buckets, unsigned long long *counts)
{
	CUDA(cudaMemsetAsync(counts, 0, buckets * sizeof *counts));
	shared_kernel<<<1024, THREADS, buckets * sizeof(unsigned int)>>>
		(v, n, low, buckets / (high - low), buckets, counts);
	CUDA(cudaGetLastError());
}

static __global__ void
add_kernel(int32_t *v, int64_t n, int32_t what)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < n)
		v[i] += what;
}

void
add_to_all(int32_t *v, int64_t n, int32_t what)
{
	add_kernel<<<(n + THREADS - 1) / THREADS, THREADS>>>(v, n, what);
	CUDA(cudaGetLastError());
}
