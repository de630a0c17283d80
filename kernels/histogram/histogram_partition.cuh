/*-------------------------------------------------------------------------
 *
 * histogram_partition.cuh
 *	  Counting many values in more buckets than shared memory holds.
 *
 * The counts are cut into parts that do fit.  A first kernel reads the values
 * tile by tile and writes, for each value, its 16-bit index within its part,
 * ordered by part within the tile, and a table of where in the tile each
 * part's run of indexes begins and how long it is.  A second kernel counts
 * part by part in shared memory, reading only that part's runs.  So a value of
 * 8 bytes costs 4 bytes more of memory traffic, and the random accesses stay
 * on the chip.
 *
 * The second kernel's blocks are assigned to the parts in proportion to the
 * values in them, so that skewed data cost nothing.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_HISTOGRAM_PARTITION_CUH
#define GS_HISTOGRAM_PARTITION_CUH

#include "kernels/histogram/histogram_count.cuh"

#define PARTITION_TILE		(GS_PARTITION_THREADS * GS_PARTITION_ITEMS)
#define MAX_PARTS			64

/* Indexes are read 16 bytes at a time, so each run is aligned to that. */
#define RUN_ALIGN			8
#define TILE_BUFFER_SIZE			(PARTITION_TILE + MAX_PARTS * RUN_ALIGN)

/* A part has a multiple of this many counts. */
#define PART_UNIT			1024

/* How the counts are cut. */
typedef struct parts_of
{
	int			parts;
	int			units;			/* of PART_UNIT counts each */
	uint32_t	inverse;		/* 2^20 / units, rounded up */

	/* exact for k below 2^22, as the inverse errs by less than 2^-20 */
	__device__ int part(int k) const
	{
		return (int) (((uint32_t) k / PART_UNIT * inverse) >> 20);
	}

	__device__ int index(int k, int part) const
	{
		return k - part * units * PART_UNIT;
	}

	__host__ __device__ int size() const
	{
		return units * PART_UNIT;
	}
} parts_of;

/*
 * One part's run in one tile: its start in units of 16 bytes, and its length.
 */
typedef struct tile_run
{
	uint16_t	start;
	uint16_t	length;
} tile_run;

/* What the two kernels share, in scratch memory. */
typedef struct partition_space
{
	uint16_t   *indexes;		/* TILE_BUFFER_SIZE a tile */
	tile_run   *runs;			/* by part, then by tile */
	uint32_t   *totals;			/* values in each part */
	int			tiles;
} partition_space;

static inline int
partition_tiles(int64_t n)
{
	return (int) gs_divide_up(n, PARTITION_TILE);
}

static inline size_t
partition_scratch_size(int bins, int64_t n)
{
	int			tiles = partition_tiles(n);

	/* more than needed if the device's limits rule out partitioning */
	if (n < GS_PARTITION_MIN || bins > (1 << 22))
		return 0;
	return tiles * (TILE_BUFFER_SIZE * sizeof(uint16_t) +
					MAX_PARTS * sizeof(tile_run)) +
		MAX_PARTS * sizeof(uint32_t);
}

static inline partition_space
partition_space_at(void *scratch, int64_t n)
{
	partition_space s;

	s.tiles = partition_tiles(n);
	s.indexes = (uint16_t *) scratch;
	s.runs = (tile_run *) (s.indexes + (size_t) s.tiles * TILE_BUFFER_SIZE);
	s.totals = (uint32_t *) (s.runs + (size_t) s.tiles * MAX_PARTS);
	return s;
}

/*
 * Cut the counts so that the parts fit into shared memory and load all
 * multiprocessors evenly; parts is 0 if there would be too many.
 */
static inline parts_of
cut_into_parts(int bins, const device_limits *limits)
{
	parts_of	p = {0};
	/* the kernel has a few bytes of static shared memory too */
	int			max_units = (limits->shared - 256) /
		(PART_UNIT * (int) sizeof(uint32_t));
	int			units = (bins + PART_UNIT - 1) / PART_UNIT;
	int			parts;

	if (bins > (1 << 22))
		return p;
	if (max_units > 65536 / PART_UNIT)
		max_units = 65536 / PART_UNIT;
	parts = (units + max_units - 1) / max_units;
	if (parts < limits->multiprocessors)
		parts = limits->multiprocessors / (limits->multiprocessors / parts);
	if (parts > MAX_PARTS)
		parts = (units + max_units - 1) / max_units;
	if (parts > MAX_PARTS)
		return p;
	p.units = (units + parts - 1) / parts;
	if (p.units < 2)
		p.units = 2;
	p.parts = (units + p.units - 1) / p.units;
	p.inverse = ((1u << 20) + p.units - 1) / p.units;
	return p;
}

/* The shared memory of a block of partition(). */
typedef struct partition_tile
{
	uint4		indexes[TILE_BUFFER_SIZE / RUN_ALIGN];
	int			length[MAX_PARTS]; /* of the runs */
	int			start[MAX_PARTS + 1];	/* of the runs, in indexes */
} partition_tile;

/* Compute where the runs start, from their lengths.  One warp calls. */
static __device__ void
place_runs(partition_tile *tile, int parts)
{
	int			lane = gs_lane();
	int			before = 0;

	for (int i = 0; i < parts; i += GS_WARP)
	{
		int			length = i + lane < parts ? tile->length[i + lane] : 0;
		int			padded = (length + RUN_ALIGN - 1) / RUN_ALIGN * RUN_ALIGN;
		int			sum = padded;

		for (int d = 1; d < GS_WARP; d *= 2)
		{
			int			other = __shfl_up_sync(GS_ALL_LANES, sum, d);

			if (lane >= d)
				sum += other;
		}
		if (i + lane < parts)
			tile->start[i + lane] = before + sum - padded;
		before += __shfl_sync(GS_ALL_LANES, sum, GS_WARP - 1);
	}
	if (lane == 0)
		tile->start[parts] = before;
}

/* Claim an index in a part's run.  Every lane calls, with part -1 for none. */
static __device__ __forceinline__ int
claim_index(partition_tile *tile, int part)
{
	int			number = 0;

	if (!all_equal(part))
		return part >= 0 ? atomicAdd(&tile->length[part], 1) : 0;
	if (part >= 0 && gs_lane() == 0)
		number = atomicAdd(&tile->length[part], GS_WARP);
	return __shfl_sync(GS_ALL_LANES, number, 0) + gs_lane();
}

template <typename T, typename Rule>
static __global__ void __launch_bounds__(GS_PARTITION_THREADS, 2)
partition(const T *values, int64_t n, Rule rule, parts_of parts,
		  partition_space space)
{
	const int	per_vector = sizeof(uint4) / sizeof(T);
	const int	vectors = GS_PARTITION_ITEMS / per_vector;
	__shared__ partition_tile tile;
	const int64_t first = (int64_t) blockIdx.x * PARTITION_TILE;
	const uint4 *from = (const uint4 *) (values + first);
	const int	here = (int) min(n - first, (int64_t) PARTITION_TILE);
	uint4		loaded[vectors];
	int			bucket[GS_PARTITION_ITEMS];
	int			number[GS_PARTITION_ITEMS];
	uint4	   *to;

#pragma unroll
	for (int i = 0; i < vectors; i++)
	{
		int			at = i * GS_PARTITION_THREADS + threadIdx.x;

		loaded[i] = at * per_vector < here ? __ldcs(&from[at]) :
			make_uint4(0, 0, 0, 0);
	}
	if (threadIdx.x < MAX_PARTS)
		tile.length[threadIdx.x] = 0;
	__syncthreads();
#pragma unroll
	for (int i = 0; i < vectors; i++)
	{
		int			at = (i * GS_PARTITION_THREADS + threadIdx.x) * per_vector;
		int			j = 0;

		each_value<T>(loaded[i], [&](T v) {
			int			item = i * per_vector + j;
			bool		is_there = at + j < here;

			bucket[item] = is_there ? rule.bucket((double) v) : -1;
			number[item] = claim_index(&tile, is_there ?
									   parts.part(bucket[item]) : -1);
			j++;
		});
	}
	__syncthreads();
	if (threadIdx.x < GS_WARP)
		place_runs(&tile, parts.parts);
	__syncthreads();
#pragma unroll
	for (int i = 0; i < GS_PARTITION_ITEMS; i++)
	{
		int			part = parts.part(bucket[i]);

		if (bucket[i] >= 0)
			((uint16_t *) tile.indexes)[tile.start[part] + number[i]] =
				(uint16_t) parts.index(bucket[i], part);
	}
	if (threadIdx.x < parts.parts)
	{
		int			part = threadIdx.x;
		tile_run	run;

		run.start = (uint16_t) (tile.start[part] / RUN_ALIGN);
		run.length = (uint16_t) tile.length[part];
		space.runs[(size_t) part * space.tiles + blockIdx.x] = run;
		atomicAdd(&space.totals[part], (uint32_t) run.length);
	}
	__syncthreads();
	to = (uint4 *) (space.indexes + (size_t) blockIdx.x * TILE_BUFFER_SIZE);
	for (int i = threadIdx.x; i < tile.start[parts.parts] / RUN_ALIGN;
		 i += GS_PARTITION_THREADS)
		to[i] = tile.indexes[i];
}

/* A block counts every `step`-th of a part's tiles, from `first` on. */
typedef struct part_share
{
	int			part;
	int			first;
	int			step;
} part_share;

/*
 * This block's share.  Every part has one block, and the others are assigned
 * by the cumulative number of values up to each part.
 */
static __device__ part_share
share_of_block(const uint32_t *totals, int parts, int64_t n)
{
	const int	others = gridDim.x - parts;
	part_share	share = {0};
	int64_t		sum = 0;
	int			begin = 0;

	for (share.part = 0; share.part < parts; share.part++)
	{
		int			end;

		sum += totals[share.part];
		end = share.part + 1 + (int) ((others * sum + n / 2) / n);
		if ((int) blockIdx.x < end)
		{
			share.first = blockIdx.x - begin;
			share.step = end - begin;
			break;
		}
		begin = end;
	}
	return share;
}

/* Count the indexes of one run.  One warp calls. */
static __device__ __forceinline__ void
count_run(uint32_t *counters, const uint4 *indexes, int length)
{
	for (int i = gs_lane(); i * RUN_ALIGN < length; i += GS_WARP)
	{
		int			left = length - i * RUN_ALIGN;

		each_value<uint16_t>(__ldcs(&indexes[i]), [&](uint16_t index) {
			if (left-- > 0)
				atomicAdd(&counters[index], 1);
		});
	}
}

static __global__ void __launch_bounds__(GS_COUNT_THREADS, 1)
count_parts(parts_of parts, partition_space space, int64_t n, int bins,
			unsigned long long *counts)
{
	uint32_t   *counters = (uint32_t *) gs_shared;
	const int	warps = GS_COUNT_THREADS / GS_WARP;
	__shared__ part_share share;
	const tile_run *runs;
	int			first;

	if (threadIdx.x == 0)
		share = share_of_block(space.totals, parts.parts, n);
	for (int i = threadIdx.x; i < parts.size(); i += GS_COUNT_THREADS)
		counters[i] = 0;
	__syncthreads();
	runs = space.runs + (size_t) share.part * space.tiles;
	for (int64_t tile = share.first + (int64_t) share.step * (gs_warp());
		 tile < space.tiles; tile += share.step * warps)
	{
		tile_run	run = runs[tile];

		count_run(counters, (const uint4 *)
				  (space.indexes + tile * TILE_BUFFER_SIZE) + run.start,
				  run.length);
	}
	__syncthreads();
	first = share.part * parts.size();
	for (int i = threadIdx.x; i < parts.size() && first + i < bins;
		 i += GS_COUNT_THREADS)
	{
		if (counters[i] != 0)
			atomicAdd(&counts[first + i], (unsigned long long) counters[i]);
	}
}

template <typename T, typename Rule>
static cudaError_t
launch_partitioned(const T *values, int64_t n, const Rule &rule,
				   unsigned long long *counts, int bins, void *scratch,
				   const device_limits *limits, cudaStream_t stream)
{
	parts_of	parts = cut_into_parts(bins, limits);
	partition_space space = partition_space_at(scratch, n);
	size_t		shared = parts.size() * sizeof(uint32_t);
	int			blocks = limits->multiprocessors;

	if (blocks < parts.parts)
		blocks = parts.parts;
	GS_TRY(cudaMemsetAsync(space.totals, 0, MAX_PARTS * sizeof(uint32_t),
						   stream));
	GS_TRY(gs_allow_shared<count_parts>());
	partition<<<space.tiles, GS_PARTITION_THREADS, 0, stream>>>
		(values, n, rule, parts, space);
	GS_TRY(gs_launched());
	count_parts<<<blocks, GS_COUNT_THREADS, shared, stream>>>
		(parts, space, n, bins, counts);
	return gs_launched();
}

#endif							/* GS_HISTOGRAM_PARTITION_CUH */
