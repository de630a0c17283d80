/*-------------------------------------------------------------------------
 *
 * pairs.cuh
 *	  Pairs of group and value in device memory: appended, sorted, divided.
 *
 * A value is a Key: uint32_t or uint64_t, in the order of the values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_PAIRS_CUH
#define GS_GROUP_PAIRS_CUH

#include "kernels/plan/plan.cuh"

#include <cub/device/device_radix_sort.cuh>

#define THREADS		256
#define WARPS		(THREADS / GS_WARP)
#define BLOCKS		8			/* a multiprocessor */
#define ITEMS		8			/* of a thread in a tile */
#define TILE		(THREADS * ITEMS)

/* What the host reads back; all zero before a kernel runs. */
typedef struct pairs_report
{
	unsigned long long n;		/* pairs appended */
	unsigned long long set;		/* as in group_values */
	unsigned long long clear;
	unsigned long long failed;	/* select.cuh: 1 if a bound was wrong */
} pairs_report;

/* An array of pairs, and another of the same size for sorts. */
template <typename Key> struct pair_arrays
{
	uint32_t   *group[2];
	Key		   *value[2];
};

/* What a sort of pairs has to look at. */
typedef struct pair_bits
{
	int			low;			/* bits of values: low to high - 1 */
	int			high;
	int			group;			/* bits of a group's number */
} pair_bits;

/* The pairs of a group in sorted ones; none if first = end. */
typedef struct pair_span
{
	uint32_t	first;
	uint32_t	end;
} pair_span;

static inline cudaError_t
grid_of(int64_t n, int a_block, unsigned int *blocks)
{
	int			count;

	GS_TRY(gs_grid(gs_divide_up(n, a_block), BLOCKS, &count));
	*blocks = (unsigned int) count;
	return cudaSuccess;
}

/* Wait for what the stream has put into a report in device memory. */
static inline cudaError_t
read_report(const pairs_report *from, pairs_report *to,
			gs_exec_context *context)
{
	GS_TRY(group_report(context, from, sizeof *to));
	memcpy(to, context->report, sizeof *to);
	return cudaSuccess;
}

/* ----------
 * Append
 * ----------
 */

/*
 * The row of item i of the calling thread in a tile.  The items i of a warp's
 * lanes are consecutive.
 */
__device__ static inline int64_t
item_row(int64_t tile, int i)
{
	return tile * TILE + (gs_warp() * ITEMS + i) * GS_WARP + gs_lane();
}

/*
 * Append the pairs of a tile whose bits are set in `kept`, in any order, to
 * those that *n counts.  Those beyond the capacity are counted only.  The
 * whole block calls this.
 */
template <typename Key>
__device__ static inline void
append_pairs(uint32_t kept, const uint32_t (&group)[ITEMS],
			 const Key (&value)[ITEMS], unsigned long long *n,
			 int64_t capacity, uint32_t *to_group, Key *to_value)
{
	__shared__ uint32_t before[WARPS];
	__shared__ unsigned long long first;
	const uint32_t lower = (UINT32_C(1) << gs_lane()) - 1;
	uint32_t	lanes[ITEMS];
	uint32_t	count = 0;
	int64_t		at;

#pragma unroll
	for (int i = 0; i < ITEMS; i++)
	{
		lanes[i] = __ballot_sync(GS_ALL_LANES, kept >> i & 1);
		count += __popc(lanes[i]);
	}
	if (gs_lane() == 0)
		before[gs_warp()] = count;
	__syncthreads();
	if (threadIdx.x == 0)
	{
		uint32_t	sum = 0;

		for (int w = 0; w < WARPS; w++)
		{
			uint32_t	own = before[w];

			before[w] = sum;
			sum += own;
		}
		first = sum == 0 ? 0 : atomicAdd(n, (unsigned long long) sum);
	}
	__syncthreads();
	at = (int64_t) first + before[gs_warp()];
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
	{
		int64_t		place = at + __popc(lanes[i] & lower);

		if ((kept >> i & 1) != 0 && place < capacity)
		{
			to_group[place] = group[i];
			to_value[place] = value[i];
		}
		at += __popc(lanes[i]);
	}
}

/* ----------
 * Sort
 * ----------
 */

/*
 * Sort n pairs by group, then by value; they stay in the first array.  Without
 * a workspace, only set the size that CUB needs.
 */
template <typename Key>
static cudaError_t
sort_pairs(pair_arrays<Key> *p, int64_t n, pair_bits bits, void *workspace,
		   size_t *workspace_size, cudaStream_t stream)
{
	cub::DoubleBuffer<uint32_t> group(p->group[0], p->group[1]);
	cub::DoubleBuffer<Key> value(p->value[0], p->value[1]);
	size_t		by_value = *workspace_size;
	size_t		by_group = *workspace_size;

	if (bits.low < bits.high)
		GS_TRY(cub::DeviceRadixSort::SortPairs(workspace, by_value, value,
											   group, (int) n, bits.low,
											   bits.high, stream));
	if (bits.group > 0)
		GS_TRY(cub::DeviceRadixSort::SortPairs(workspace, by_group, group,
											   value, (int) n, 0, bits.group,
											   stream));
	if (workspace == NULL)
		*workspace_size = by_value > by_group ? by_value : by_group;
	p->group[0] = group.Current();
	p->group[1] = group.Alternate();
	p->value[0] = value.Current();
	p->value[1] = value.Alternate();
	return cudaSuccess;
}

/* After an error of CUB's, a size that cannot be allocated. */
template <typename Key>
static size_t
sort_workspace_size(int64_t n, pair_bits bits)
{
	pair_arrays<Key> none = {};
	size_t		size = 0;

	if (sort_pairs(&none, n, bits, NULL, &size, 0) != cudaSuccess)
		return SIZE_MAX / 4;
	return size;
}

/* ----------
 * Groups
 * ----------
 */

/* The spans of the groups that n sorted pairs have; n is not 0. */
__global__ static void
__launch_bounds__(THREADS)
find_spans(const uint32_t *group, int64_t n, pair_span *span)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		uint32_t	g = group[i];

		if (i == 0 || group[i - 1] != g)
			span[g].first = (uint32_t) i;
		if (i == n - 1 || group[i + 1] != g)
			span[g].end = (uint32_t) i + 1;
	}
}

/* Spans of all groups; groups without pairs have empty ones. */
static inline cudaError_t
make_spans(const uint32_t *group, int64_t n, pair_span *span, int64_t groups,
		   cudaStream_t stream)
{
	unsigned int blocks;

	GS_TRY(cudaMemsetAsync(span, 0, groups * sizeof(pair_span), stream));
	if (n == 0)
		return cudaSuccess;
	GS_TRY(grid_of(n, THREADS, &blocks));
	find_spans<<<blocks, THREADS, 0, stream>>>(group, n, span);
	return gs_launched();
}

/* The places of a percentile among n values. */
__device__ static inline void
percentile_places(double fraction, uint32_t n, uint32_t (&place)[2])
{
	double		f = fraction * (double) (n - 1);

	place[0] = (uint32_t) floor(f);
	place[1] = (uint32_t) ceil(f);
}

/* The value of a key, as what an SQL type has. */
__device__ static inline gs_value
key_value(int type, uint64_t key)
{
	return group_value(type, (int64_t) (key ^ UINT64_C(0x8000000000000000)));
}

__device__ static inline gs_value
key_value(int type, uint32_t key)
{
	return group_value(type, (int32_t) (key ^ UINT32_C(0x80000000)));
}

#endif							/* GS_GROUP_PAIRS_CUH */
