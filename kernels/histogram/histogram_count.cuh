/*-------------------------------------------------------------------------
 *
 * histogram_count.cuh
 *	  Reading values once and counting them by bucket.
 *
 * histogram.cu describes the counters.  A counter's functions:
 *
 *		open()		prepare the block's shared memory
 *		all(k)		count k; every lane of the warp calls
 *		one(k)		count k; some lanes call
 *		pause(n)	every thread of the block calls after n values of it
 *		close()		the block is done
 *
 * Barriers separate open from the first count, and the last count from close.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_HISTOGRAM_COUNT_CUH
#define GS_HISTOGRAM_COUNT_CUH

#include "kernels/common.cuh"

extern __shared__ __align__(16) char gs_shared[];

typedef struct device_limits
{
	int			multiprocessors;
	int			shared;			/* the most that a block can have, in bytes */
} device_limits;

static inline cudaError_t
get_device_limits(device_limits *limits)
{
	int			device;

	GS_TRY(cudaGetDevice(&device));
	GS_TRY(cudaDeviceGetAttribute(&limits->multiprocessors,
								  cudaDevAttrMultiProcessorCount, device));
	return cudaDeviceGetAttribute(&limits->shared,
								  cudaDevAttrMaxSharedMemoryPerBlockOptin,
								  device);
}

typedef struct shared_counter
{
	unsigned long long *counts;
	int			bins;

	shared_counter(unsigned long long *counts, int bins)
		: counts(counts), bins(bins) {}

	static size_t shared_size(int bins)
	{
		return (size_t) bins * sizeof(uint32_t);
	}

	__device__ uint32_t *count(int k)
	{
		return (uint32_t *) gs_shared + k;
	}

	__device__ void open()
	{
		for (int k = threadIdx.x; k < bins; k += blockDim.x)
			*count(k) = 0;
	}

	__device__ void one(int k)
	{
		atomicAdd(count(k), 1);
	}

	__device__ void all(int k)
	{
		one(k);
	}

	__device__ void pause(int n) {}

	__device__ void close()
	{
		for (int k = threadIdx.x; k < bins; k += blockDim.x)
		{
			if (*count(k) != 0)
				atomicAdd(&counts[k], (unsigned long long) *count(k));
		}
	}
} shared_counter;

/* Is k the same in all lanes?  Then a single addition does for all. */
static __device__ __forceinline__ bool
all_equal(int k)
{
	return __all_sync(GS_ALL_LANES, k == __shfl_sync(GS_ALL_LANES, k, 0));
}

typedef struct packed_counter
{
	unsigned long long *counts;
	int			bins;
	int			counted;		/* values since the last move */

	/* a move leaves counts below this, so they stay below 2^16 */
	static const int full = 1 << 15;

	packed_counter(unsigned long long *counts, int bins)
		: counts(counts), bins(bins), counted(0) {}

	static size_t shared_size(int bins)
	{
		return ((size_t) bins + 1) / 2 * sizeof(uint32_t);
	}

	__device__ uint32_t *word(int i)
	{
		return (uint32_t *) gs_shared + i;
	}

	__device__ void open()
	{
		for (int i = threadIdx.x; i < (bins + 1) / 2; i += blockDim.x)
			*word(i) = 0;
	}

	__device__ void add(int k, uint32_t n)
	{
		atomicAdd(word(k >> 1), n << ((k & 1) * 16));
	}

	__device__ void one(int k)
	{
		add(k, 1);
	}

	__device__ void all(int k)
	{
		if (all_equal(k))
		{
			if (gs_lane() == 0)
				add(k, GS_WARP);
		}
		else
			add(k, 1);
	}

	__device__ void move(uint32_t threshold)
	{
		for (int i = threadIdx.x; i < (bins + 1) / 2; i += blockDim.x)
		{
			uint32_t	pair = *word(i);
			uint32_t	low = pair & 0xffff;
			uint32_t	high = pair >> 16;

			if (low < threshold && high < threshold)
				continue;
			if (low >= threshold)
			{
				atomicAdd(&counts[2 * i], (unsigned long long) low);
				low = 0;
			}
			if (high >= threshold)
			{
				atomicAdd(&counts[2 * i + 1], (unsigned long long) high);
				high = 0;
			}
			*word(i) = high << 16 | low;
		}
	}

	__device__ void pause(int n)
	{
		counted += n;
		if (counted + n <= full)
			return;
		__syncthreads();
		move(full);
		__syncthreads();
		counted = 0;
	}

	__device__ void close()
	{
		move(1);
	}
} packed_counter;

typedef struct global_counter
{
	unsigned long long *counts;

	explicit global_counter(unsigned long long *counts) : counts(counts) {}

	__device__ void open() {}

	__device__ void one(int k)
	{
		atomicAdd(&counts[k], 1ull);
	}

	__device__ void all(int k)
	{
		if (!all_equal(k))
			one(k);
		else if (gs_lane() == 0)
			atomicAdd(&counts[k], (unsigned long long) GS_WARP);
	}

	__device__ void pause(int n) {}
	__device__ void close() {}
} global_counter;

/* The values that a block counts at a time, its tile. */
template <typename T>
__host__ __device__ static constexpr int
count_tile()
{
	return GS_COUNT_THREADS * GS_COUNT_VECTORS *
		(int) (sizeof(uint4) / sizeof(T));
}

/* Call f on each of the values in 16 bytes. */
template <typename T, typename F>
static __device__ __forceinline__ void
each_value(uint4 vector, F f)
{
	T			v[sizeof(uint4) / sizeof(T)];

	memcpy(v, &vector, sizeof v);
#pragma unroll
	for (int i = 0; i < (int) (sizeof(uint4) / sizeof(T)); i++)
		f(v[i]);
}

static __device__ __forceinline__ void
load_vectors(uint4 (&to)[GS_COUNT_VECTORS], const uint4 *from)
{
#pragma unroll
	for (int i = 0; i < GS_COUNT_VECTORS; i++)
		to[i] = __ldcs(&from[i * GS_COUNT_THREADS + threadIdx.x]);
}

/*
 * Blocks go over the tiles in a grid-stride loop, and the block whose turn it
 * is counts the tail tile.  rule_at is the offset of the rule's part of shared
 * memory.
 */
template <typename T, typename Rule, typename Counter>
static __global__ void __launch_bounds__(GS_COUNT_THREADS, 1)
count(const T *values, int64_t n, Rule rule, Counter counter, int rule_at)
{
	const int	tile_vectors = GS_COUNT_THREADS * GS_COUNT_VECTORS;
	const int	tile_values = count_tile<T>();
	const uint4 *vectors = (const uint4 *) values;
	const int64_t tiles = n / tile_values;
	int64_t		tile = blockIdx.x;
	uint4		next[GS_COUNT_VECTORS];

	if (tile < tiles)
		load_vectors(next, vectors + tile * tile_vectors);
	rule.open(gs_shared + rule_at);
	counter.open();
	__syncthreads();
	while (tile < tiles)
	{
		uint4		now[GS_COUNT_VECTORS];

		/* the last tile is loaded twice: a branch would delay the loads */
		memcpy(now, next, sizeof now);
		load_vectors(next, vectors + (tile + gridDim.x < tiles ?
									  tile + gridDim.x : tile) * tile_vectors);
		tile += gridDim.x;
#pragma unroll
		for (int i = 0; i < GS_COUNT_VECTORS; i++)
			each_value<T>(now[i], [&](T v) {
				counter.all(rule.bucket((double) v));
			});
		counter.pause(tile_values);
	}
	if (tile == tiles)
	{
		for (int64_t i = tiles * tile_values + threadIdx.x; i < n;
			 i += GS_COUNT_THREADS)
			counter.one(rule.bucket((double) values[i]));
	}
	__syncthreads();
	counter.close();
}

typedef enum counter_kind
{
	COUNT_SHARED,
	COUNT_PACKED,
	COUNT_PARTITIONED,
	COUNT_GLOBAL
} counter_kind;

typedef struct counter_plan
{
	counter_kind kind;
	int			blocks;
	int			rule_at;
	int			shared;
} counter_plan;

template <typename T, typename Rule, typename Counter>
static cudaError_t
launch_count(const T *values, int64_t n, const Rule &rule,
			 const Counter &counter, const counter_plan &plan,
			 cudaStream_t stream)
{
	if (plan.shared > 48 * 1024)
		GS_TRY((gs_allow_shared<count<T, Rule, Counter>>()));
	count<T, Rule, Counter>
		<<<plan.blocks, GS_COUNT_THREADS, plan.shared, stream>>>
		(values, n, rule, counter, plan.rule_at);
	return gs_launched();
}

#endif							/* GS_HISTOGRAM_COUNT_CUH */
