/*-------------------------------------------------------------------------
 *
 * classic_scan.cu
 *	  Textbook prefix sums.
 *
 * First within chunks of 512, one a block, to compare the ways to scan a
 * block; then over whole arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"
#include "classic.cuh"

#define CHUNK	512
#define WARP	32

/* Hillis and Steele, Data parallel algorithms, 1986: in global memory. */
static __global__ void
chunk_global_kernel(const int32_t *v, int32_t *out)
{
	const int64_t i = (int64_t) blockIdx.x * CHUNK + threadIdx.x;

	out[i] = v[i];
	for (int d = 1; d < CHUNK; d *= 2)
	{
		int32_t		before;

		__syncthreads();
		before = threadIdx.x >= d ? out[i - d] : 0;
		__syncthreads();
		out[i] += before;
	}
}

/* Hillis and Steele in shared memory. */
static __global__ void
chunk_shared_kernel(const int32_t *v, int32_t *out)
{
	__shared__ int32_t sum[CHUNK];
	const int64_t i = (int64_t) blockIdx.x * CHUNK + threadIdx.x;

	sum[threadIdx.x] = v[i];
	for (int d = 1; d < CHUNK; d *= 2)
	{
		int32_t		before;

		__syncthreads();
		before = threadIdx.x >= d ? sum[threadIdx.x - d] : 0;
		__syncthreads();
		sum[threadIdx.x] += before;
	}
	out[i] = sum[threadIdx.x];
}

/* Two buffers: reading one and writing the other saves half the barriers. */
static __global__ void
chunk_double_buffer_kernel(const int32_t *v, int32_t *out)
{
	__shared__ int32_t buffer[2][CHUNK];
	const int64_t i = (int64_t) blockIdx.x * CHUNK + threadIdx.x;
	int			from = 0;

	buffer[0][threadIdx.x] = v[i];
	for (int d = 1; d < CHUNK; d *= 2)
	{
		__syncthreads();
		buffer[1 - from][threadIdx.x] = buffer[from][threadIdx.x] +
			(threadIdx.x >= d ? buffer[from][threadIdx.x - d] : 0);
		from = 1 - from;
	}
	out[i] = buffer[from][threadIdx.x];
}

static __device__ int32_t
warp_scan(int32_t sum)
{
	for (int d = 1; d < WARP; d *= 2)
	{
		int32_t		before = __shfl_up_sync(0xffffffffu, sum, d);

		if (threadIdx.x % WARP >= d)
			sum += before;
	}
	return sum;
}

/* Scan the threads' sums over a block of whole warps, at most 32 of them. */
static __device__ int32_t
block_scan(int32_t sum)
{
	__shared__ int32_t warp_sum[WARP];
	const int	warp = threadIdx.x / WARP;

	sum = warp_scan(sum);
	if (threadIdx.x % WARP == WARP - 1)
		warp_sum[warp] = sum;
	__syncthreads();
	if (warp == 0)
	{
		int32_t		mine = threadIdx.x < blockDim.x / WARP ?
			warp_sum[threadIdx.x] : 0;

		warp_sum[threadIdx.x] = warp_scan(mine);
	}
	__syncthreads();
	return warp == 0 ? sum : sum + warp_sum[warp - 1];
}

/* Warps exchange registers. */
static __global__ void
chunk_shuffle_kernel(const int32_t *v, int32_t *out)
{
	const int64_t i = (int64_t) blockIdx.x * CHUNK + threadIdx.x;

	out[i] = block_scan(v[i]);
}

/* Four neighbours a thread, read and written at once. */
static __global__ void
chunk_coarsened_kernel(const int4 *v, int4 *out)
{
	const int64_t i = (int64_t) blockIdx.x * (CHUNK / 4) + threadIdx.x;
	int4		x = v[i];
	int32_t		before;

	x.y += x.x;
	x.z += x.y;
	x.w += x.z;
	before = block_scan(x.w) - x.w;
	out[i] = make_int4(x.x + before, x.y + before, x.z + before, x.w + before);
}

void
chunk_scan_global(const int32_t *v, int64_t n, int32_t *out)
{
	chunk_global_kernel<<<n / CHUNK, CHUNK>>>(v, out);
	CUDA(cudaGetLastError());
}

void
chunk_scan_shared(const int32_t *v, int64_t n, int32_t *out)
{
	chunk_shared_kernel<<<n / CHUNK, CHUNK>>>(v, out);
	CUDA(cudaGetLastError());
}

void
chunk_scan_double_buffer(const int32_t *v, int64_t n, int32_t *out)
{
	chunk_double_buffer_kernel<<<n / CHUNK, CHUNK>>>(v, out);
	CUDA(cudaGetLastError());
}

void
chunk_scan_shuffle(const int32_t *v, int64_t n, int32_t *out)
{
	chunk_shuffle_kernel<<<n / CHUNK, CHUNK>>>(v, out);
	CUDA(cudaGetLastError());
}

void
chunk_scan_coarsened(const int32_t *v, int64_t n, int32_t *out)
{
	chunk_coarsened_kernel<<<n / CHUNK, CHUNK / 4>>>((const int4 *) v,
													 (int4 *) out);
	CUDA(cudaGetLastError());
}

/* One of log2(n) passes over the whole array. */
static __global__ void
hillis_steele_kernel(const int32_t *from, int32_t *to, int64_t n, int64_t d)
{
	const int64_t i = (int64_t) blockIdx.x * CHUNK + threadIdx.x;

	if (i < n)
		to[i] = i >= d ? from[i] + from[i - d] : from[i];
}

void
scan_hillis_steele(const int32_t *v, int64_t n, int32_t *out,
				   int32_t *temporary)
{
	const int64_t blocks = (n + CHUNK - 1) / CHUNK;
	const int32_t *from = v;
	int			passes = 0;

	while (INT64_C(1) << passes < n)
		passes++;
	for (int pass = 0; pass < passes; pass++)
	{
		/* start so that the last pass writes to out */
		int32_t    *to = (passes - pass) % 2 == 1 ? out : temporary;

		hillis_steele_kernel<<<blocks, CHUNK>>>(from, to, n,
												INT64_C(1) << pass);
		CUDA(cudaGetLastError());
		from = to;
	}
}

/* Add to each block's elements the sum of all blocks before it. */
static __global__ void
add_kernel(int32_t *v, int64_t n, int share, const int32_t *sums)
{
	const int64_t first = (int64_t) blockIdx.x * share;

	if (blockIdx.x == 0)
		return;
	for (int64_t i = first + threadIdx.x; i < first + share && i < n;
		 i += blockDim.x)
		v[i] += sums[blockIdx.x - 1];
}

/* Scan blocks, then their sums in the same way, then add those. */
template <typename Level>
static void
scan_levels(const int32_t *v, int64_t n, int32_t *out, int32_t *temporary,
			int share, int threads, Level level)
{
	const int64_t blocks = (n + share - 1) / share;

	level(v, n, out, temporary, blocks);
	if (blocks == 1)
		return;
	scan_levels(temporary, blocks, temporary, temporary + blocks, share,
				threads, level);
	add_kernel<<<blocks, threads>>>(out, n, share, temporary);
	CUDA(cudaGetLastError());
}

/*
 * Blelloch, Prefix sums and their applications, 1990: up-sweep and down-sweep
 * in shared memory.  Padding, one index in every 32, keeps strides of powers
 * of two from conflicting in one bank.
 */
#define BLELLOCH_THREADS	512
#define BLELLOCH_SHARE		(2 * BLELLOCH_THREADS)
#define PADDED(i)			((i) + (i) / WARP)

static __global__ void
blelloch_kernel(const int32_t *v, int64_t n, int32_t *out, int32_t *sums)
{
	__shared__ int32_t tree[PADDED(BLELLOCH_SHARE)];
	const int	t = threadIdx.x;
	const int64_t first = (int64_t) blockIdx.x * BLELLOCH_SHARE + t;
	int32_t		mine[2];

	for (int i = 0; i < 2; i++)
	{
		int64_t		at = first + i * BLELLOCH_THREADS;

		mine[i] = at < n ? v[at] : 0;
		tree[PADDED(t + i * BLELLOCH_THREADS)] = mine[i];
	}
	for (int d = 1; d < BLELLOCH_SHARE; d *= 2)
	{
		__syncthreads();
		if (t < BLELLOCH_SHARE / 2 / d)
			tree[PADDED((2 * t + 2) * d - 1)] +=
				tree[PADDED((2 * t + 1) * d - 1)];
	}
	__syncthreads();
	if (t == 0)
	{
		sums[blockIdx.x] = tree[PADDED(BLELLOCH_SHARE - 1)];
		tree[PADDED(BLELLOCH_SHARE - 1)] = 0;
	}
	for (int d = BLELLOCH_SHARE / 2; d > 0; d /= 2)
	{
		__syncthreads();
		if (t < BLELLOCH_SHARE / 2 / d)
		{
			int			left = PADDED((2 * t + 1) * d - 1);
			int			right = PADDED((2 * t + 2) * d - 1);
			int32_t		x = tree[left];

			tree[left] = tree[right];
			tree[right] += x;
		}
	}
	__syncthreads();
	for (int i = 0; i < 2; i++)
	{
		int64_t		at = first + i * BLELLOCH_THREADS;

		if (at < n)
			out[at] = tree[PADDED(t + i * BLELLOCH_THREADS)] + mine[i];
	}
}

void
scan_blelloch(const int32_t *v, int64_t n, int32_t *out, int32_t *temporary)
{
	scan_levels(v, n, out, temporary, BLELLOCH_SHARE, BLELLOCH_THREADS,
				[](const int32_t *v, int64_t n, int32_t *out, int32_t *sums,
				   int64_t blocks) {
		blelloch_kernel<<<blocks, BLELLOCH_THREADS>>>(v, n, out, sums);
		CUDA(cudaGetLastError());
	});
}

/*
 * Fenwick, A new data structure for cumulative frequency tables, 1994: the
 * entry i (from 1) holds the sum of the lowbit(i) elements up to i, and a
 * prefix is the sum of the entries met by clearing one bit after the other.
 */
#define FENWICK_SHARE	1024

static __global__ void
fenwick_kernel(const int32_t *v, int64_t n, int32_t *out, int32_t *sums)
{
	__shared__ int32_t tree[FENWICK_SHARE + 1];
	const int64_t at = (int64_t) blockIdx.x * FENWICK_SHARE + threadIdx.x;
	const int	i = threadIdx.x + 1;
	int32_t		sum = 0;

	tree[i] = at < n ? v[at] : 0;
#pragma unroll
	for (int d = 1; d < FENWICK_SHARE; d *= 2)
	{
		__syncthreads();
		if (i % (2 * d) == 0)
			tree[i] += tree[i - d];
	}
	__syncthreads();
	for (int k = i; k > 0; k &= k - 1)
		sum += tree[k];
	if (at < n)
		out[at] = sum;
	if (i == FENWICK_SHARE)
		sums[blockIdx.x] = sum;
}

void
scan_fenwick(const int32_t *v, int64_t n, int32_t *out, int32_t *temporary)
{
	scan_levels(v, n, out, temporary, FENWICK_SHARE, FENWICK_SHARE,
				[](const int32_t *v, int64_t n, int32_t *out, int32_t *sums,
				   int64_t blocks) {
		fenwick_kernel<<<blocks, FENWICK_SHARE>>>(v, n, out, sums);
		CUDA(cudaGetLastError());
	});
}
