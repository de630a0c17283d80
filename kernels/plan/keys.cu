/*-------------------------------------------------------------------------
 *
 * keys.cu
 *	  From keys to group numbers.
 *
 * Where the keys' ranges multiply to little, a group's number follows from its
 * keys: dense.  Otherwise it is found in a hash table of open addressing, in
 * which a new combination of keys gets the next number.  A thread that finds an
 * empty place locks it, writes the keys, and then publishes their number;
 * others that come to the place meanwhile look again until it is there.
 *
 * A batch may exceed what was: then dense groups get other numbers, or all
 * groups move into a hash table; or that gets a larger capacity, and the
 * batch's rows are looked up again.
 *
 * Determinism: numbers from the hash table depend on timing. No result does:
 * groups are put in the order of their keys.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/engine.cuh"
#include "kernels/plan/load.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#define THREADS			256
#define BLOCKS			8		/* a multiprocessor */
#define ROWS			8		/* a thread loads at a time */

/*
 * Dense keys may have this many groups, or as many as the batch has rows, if
 * their records have at most so many bytes: most of them may never be used.
 */
#define DENSE_MIN		65536
#define DENSE_MAX		(INT64_C(1) << 28)
#define DENSE_BYTES		(INT64_C(4) << 30)

/* Tuples at first, how much more each time, and places of the table a tuple. */
#define HASH_CAPACITY	(1 << 20)
#define HASH_GROWTH		4
#define HASH_PLACES		2
#define HASH_MAX		(1 << 30)

/* One block puts so many groups in order. */
#define ORDER_FEW		4096

/* Places of the table without a group, and while one is written. */
#define EMPTY			UINT32_C(0xffffffff)
#define LOCKED			UINT32_C(0xfffffffe)

static cudaError_t
grid_for(int64_t n, int *blocks)
{
	return gs_grid(gs_divide_up(n, THREADS), BLOCKS, blocks);
}

/* ----------
 * Ranges
 * ----------
 */

/* range[2 k], range[2 k + 1]: the least and the greatest of key k. */
__global__ void
ranges_kernel(group_key_job keys, const uint32_t *rows, int64_t n,
			  uint32_t wanted, long long *range)
{
	for (int k = 0; k < keys.keys; k++)
	{
		const group_column &c = keys.column[k];
		long long	low = INT64_MAX;
		long long	high = INT64_MIN;

		if ((wanted >> k & 1) == 0)
			continue;
		for (int64_t first = (int64_t) blockIdx.x * THREADS * ROWS;
			 first < n; first += (int64_t) gridDim.x * THREADS * ROWS)
		{
			uint32_t	row[ROWS];
			uint32_t	mask = 0;
			int64_t		x[ROWS];

#pragma unroll
			for (int r = 0; r < ROWS; r++)
			{
				row[r] = (uint32_t) first + r * THREADS + threadIdx.x;
				if (row[r] < n)
					mask |= 1u << r;
			}
			mask = group_rows_with_bit<ROWS>(rows, row, mask);
			mask = group_rows_with_bit<ROWS>(c.validity, row, mask);
			group_load_rows<ROWS, 0>(c.values, c.format, c.base, row, mask,
									 x);
			GROUP_EACH_ROW(ROWS, false, mask, {
				long long	key = group_ordered(c.type, x[r]);

				low = min(low, key);
				high = max(high, key);
			})
		}
#pragma unroll
		for (int d = GS_WARP / 2; d > 0; d /= 2)
		{
			low = min(low, __shfl_xor_sync(GS_ALL_LANES, low, d));
			high = max(high, __shfl_xor_sync(GS_ALL_LANES, high, d));
		}
		if (gs_lane() == 0 && low <= high)
		{
			if (low < *(volatile long long *) (range + 2 * k))
				atomicMin(range + 2 * k, low);
			if (high > *(volatile long long *) (range + 2 * k + 1))
				atomicMax(range + 2 * k + 1, high);
		}
	}
}

cudaError_t
group_keys_measure(group_keys *keys, uint32_t measured, gs_exec_context *context)
{
	long long  *range = (long long *) context->report;
	const size_t size = 2 * keys->job.keys * sizeof(long long);

	keys->measured = measured;
	GS_TRY(group_reserve(&keys->ranges, size, context->compute));
	for (int k = 0; k < keys->job.keys; k++)
	{
		range[2 * k] = INT64_MAX;
		range[2 * k + 1] = INT64_MIN;
	}
	return cudaMemcpyAsync(keys->ranges.at, range, size, cudaMemcpyHostToDevice,
						   context->compute);
}

/* Extend the keys' ranges to those of a batch. */
static cudaError_t
extend_ranges(group_keys *keys, const uint32_t *rows, int64_t n,
			  const bool *known, const int64_t *low, const int64_t *high,
			  gs_exec_context *context)
{
	const long long *range = (const long long *) context->report;
	uint32_t	unknown = 0;
	uint32_t	wanted;
	int			blocks;

	for (int k = 0; k < keys->job.keys; k++)
		unknown |= (uint32_t) !known[k] << k;
	wanted = unknown & ~keys->measured;
	if (wanted != 0)
	{
		if (keys->measured == 0)
			GS_TRY(group_keys_measure(keys, 0, context));
		GS_TRY(grid_for(n, &blocks));
		ranges_kernel<<<blocks, THREADS, 0, context->compute>>>
			(keys->job, rows, n, wanted, (long long *) keys->ranges.at);
		GS_TRY(gs_launched());
	}
	if (unknown != 0)
		GS_TRY(group_report(context, keys->ranges.at,
							2 * keys->job.keys * sizeof(long long)));
	keys->measured = 0;
	for (int k = 0; k < keys->job.keys; k++)
	{
		const int64_t least = known[k] ? low[k] : range[2 * k];
		const int64_t greatest = known[k] ? high[k] : range[2 * k + 1];

		if (least < keys->lowest[k])
			keys->lowest[k] = least;
		if (greatest > keys->highest[k])
			keys->highest[k] = greatest;
	}
	return cudaSuccess;
}

/* Lay out dense numbers for the ranges; false: there are too many. */
static bool
lay_out_dense(const group_keys *keys, int64_t max_groups, group_dense *dense,
			  int64_t *groups)
{
	uint64_t	product = 1;

	for (int k = keys->job.keys - 1; k >= 0; k--)
	{
		bool		empty = keys->lowest[k] > keys->highest[k];
		uint64_t	span = (uint64_t) keys->highest[k] -
			(uint64_t) keys->lowest[k];

		if (!empty && span >= (uint64_t) max_groups)
			return false;
		dense->low[k] = empty ? 0 : keys->lowest[k];
		dense->size[k] = empty ? 0 : span + 1;
		dense->stride[k] = product;
		product *= dense->size[k] + 1;	/* below 2^57 */
		if (product > (uint64_t) max_groups)
			return false;
	}
	*groups = (int64_t) product;
	return true;
}

/* ----------
 * The hash table
 * ----------
 */

typedef struct tuple
{
	int64_t		key[GS_PLAN_KEYS];
	uint32_t	nulls;
} tuple;

__device__ static inline uint32_t
hash_tuple(const tuple &t, int keys)
{
	uint64_t	h = t.nulls;

#pragma unroll
	for (int k = 0; k < GS_PLAN_KEYS; k++)
	{
		if (k >= keys)
			break;
		h = (h ^ (uint64_t) t.key[k]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	h *= UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t) (h >> 32);
}

/* Other threads' writes are in the L2 cache, not in this multiprocessor's. */
__device__ static inline bool
is_tuple(const group_hash &hash, uint32_t group, const tuple &t, int keys)
{
	if (__ldcg(hash.nulls + group) != t.nulls)
		return false;
#pragma unroll
	for (int k = 0; k < GS_PLAN_KEYS; k++)
	{
		if (k < keys &&
			__ldcg((const long long *) hash.tuples + (size_t) group * keys + k)
			!= t.key[k])
			return false;
	}
	return true;
}

__device__ static inline void
write_tuple(const group_hash &hash, uint32_t group, const tuple &t, int keys)
{
	hash.nulls[group] = (uint8_t) t.nulls;
#pragma unroll
	for (int k = 0; k < GS_PLAN_KEYS; k++)
	{
		if (k < keys)
			hash.tuples[(size_t) group * keys + k] = t.key[k];
	}
	__threadfence();
}

/* The group of a tuple; GROUP_NONE: there is no room for a new one. */
__device__ static uint32_t
find_or_add(const group_hash &hash, const tuple &t, int keys)
{
	uint32_t	at = hash_tuple(t, keys) & hash.mask;

	for (;;)
	{
		volatile uint32_t *place = hash.table + at;
		uint32_t	found = *place;

		if (found == EMPTY)
			found = atomicCAS(hash.table + at, EMPTY, LOCKED);
		if (found == EMPTY)
		{
			uint32_t	group = atomicAdd(hash.count, 1);

			if (group >= hash.capacity)
			{
				hash.count[1] = 1;
				*place = EMPTY;
				return GROUP_NONE;
			}
			write_tuple(hash, group, t, keys);
			*place = group;
			return group;
		}
		if (found == LOCKED)
		{
			if (*(volatile uint32_t *) (hash.count + 1) != 0)
				return GROUP_NONE;
			continue;
		}
		__threadfence();
		if (is_tuple(hash, found, t, keys))
			return found;
		at = (at + 1) & hash.mask;
	}
}

__device__ static inline tuple
read_tuple(const group_key_job &keys, int64_t row)
{
	tuple		t;

	t.nulls = 0;
#pragma unroll
	for (int k = 0; k < GS_PLAN_KEYS; k++)
	{
		t.key[k] = 0;
		if (k >= keys.keys)
			continue;
		if (group_bit(keys.column[k].validity, row))
			t.key[k] = group_ordered(keys.column[k].type,
									 group_load(keys.column[k], row));
		else
			t.nulls |= 1u << k;
	}
	return t;
}

__global__ void
find_kernel(group_key_job keys, const uint32_t *rows, int64_t n, uint32_t *ids)
{
	for (int64_t row = (int64_t) blockIdx.x * THREADS + threadIdx.x; row < n;
		 row += (int64_t) gridDim.x * THREADS)
	{
		uint32_t	id = GROUP_NONE;

		if (group_bit(rows, row))
		{
			if (*(volatile uint32_t *) (keys.hash.count + 1) != 0)
				return;			/* all of it will be done again */
			id = find_or_add(keys.hash, read_tuple(keys, row), keys.keys);
		}
		ids[row] = id;
	}
}

/* Put tuples into an empty table. */
__global__ void
fill_table_kernel(group_hash hash, int keys, uint32_t n)
{
	for (uint32_t g = blockIdx.x * THREADS + threadIdx.x; g < n;
		 g += gridDim.x * THREADS)
	{
		tuple		t;
		uint32_t	at;

		t.nulls = hash.nulls[g];
#pragma unroll
		for (int k = 0; k < GS_PLAN_KEYS; k++)
			t.key[k] = k < keys ? hash.tuples[(size_t) g * keys + k] : 0;
		at = hash_tuple(t, keys) & hash.mask;
		while (atomicCAS(hash.table + at, EMPTY, g) != EMPTY)
			at = (at + 1) & hash.mask;
	}
}

/* Give the table room for `capacity` tuples, of which there are n. */
static cudaError_t
grow_table(group_keys *keys, int64_t capacity, uint32_t n,
		   gs_exec_context *context)
{
	group_hash *hash = &keys->job.hash;
	int			words = keys->job.keys;
	int64_t		places = 1;
	int			blocks;

	if (capacity > HASH_MAX)
		return cudaErrorMemoryAllocation;
	while (places < capacity * HASH_PLACES)
		places *= 2;
	GS_TRY(group_grow(&keys->tuples, capacity * words * sizeof(int64_t),
					  (size_t) n * words * sizeof(int64_t),
					  context->compute));
	GS_TRY(group_grow(&keys->nulls, capacity, n, context->compute));
	GS_TRY(group_reserve(&keys->table, places * sizeof(uint32_t), context->compute));
	GS_TRY(group_reserve(&keys->counts, 2 * sizeof(uint32_t), context->compute));
	hash->tuples = (int64_t *) keys->tuples.at;
	hash->nulls = (uint8_t *) keys->nulls.at;
	hash->table = (uint32_t *) keys->table.at;
	hash->count = (uint32_t *) keys->counts.at;
	hash->capacity = (uint32_t) capacity;
	hash->mask = (uint32_t) (places - 1);
	GS_TRY(cudaMemsetAsync(hash->table, 0xff, places * sizeof(uint32_t),
						   context->compute));
	((uint32_t *) context->report)[0] = n;
	((uint32_t *) context->report)[1] = 0;
	GS_TRY(cudaMemcpyAsync(hash->count, context->report, 2 * sizeof(uint32_t),
						   cudaMemcpyHostToDevice, context->compute));
	if (n == 0)
		return cudaSuccess;
	GS_TRY(grid_for(n, &blocks));
	fill_table_kernel<<<blocks, THREADS, 0, context->compute>>>
		(*hash, words, n);
	return gs_launched();
}

/* ----------
 * From one numbering to another
 * ----------
 */

__global__ void
dense_to_dense_kernel(group_dense from, group_dense to, int keys,
					  int64_t groups, uint32_t *number)
{
	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += (int64_t) gridDim.x * THREADS)
	{
		uint64_t	r = 0;

		for (int k = 0; k < keys; k++)
		{
			uint64_t	code = group_dense_code(from, g, k);

			code = code == from.size[k] ? to.size[k] :
				code + (uint64_t) from.low[k] - (uint64_t) to.low[k];
			r += code * to.stride[k];
		}
		number[g] = (uint32_t) r;
	}
}

/* All groups, also those without rows, become tuples. */
__global__ void
dense_to_tuples_kernel(group_dense from, group_hash hash, int keys,
					   int64_t groups)
{
	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += (int64_t) gridDim.x * THREADS)
	{
		uint32_t	nulls = 0;

		for (int k = 0; k < keys; k++)
		{
			uint64_t	code = group_dense_code(from, g, k);
			bool		null = code == from.size[k];

			if (null)
				nulls |= 1u << k;
			hash.tuples[g * keys + k] = null ? 0 :
				(int64_t) (code + (uint64_t) from.low[k]);
		}
		hash.nulls[g] = (uint8_t) nulls;
	}
}

static cudaError_t
begin_hash(group_keys *keys, int64_t n, gs_exec_context *context)
{
	int64_t		groups = keys->known ? keys->groups : 0;
	int64_t		capacity = n < HASH_CAPACITY ? n : HASH_CAPACITY;
	group_dense dense = keys->job.dense;
	int			blocks;

	keys->job.hashed = 1;
	keys->groups = groups;
	GS_TRY(grow_table(keys, capacity + groups, 0, context));
	if (groups == 0)
		return cudaSuccess;
	GS_TRY(grid_for(groups, &blocks));
	dense_to_tuples_kernel<<<blocks, THREADS, 0, context->compute>>>
		(dense, keys->job.hash, keys->job.keys, groups);
	GS_TRY(gs_launched());
	return grow_table(keys, capacity + groups, (uint32_t) groups, context);
}

cudaError_t
group_keys_prepare(group_keys *keys, const uint32_t *rows, int64_t n,
				   const bool *known, const int64_t *low, const int64_t *high,
				   uint32_t **renumber, gs_exec_context *context)
{
	int64_t		max_groups = n > DENSE_MIN ? n : DENSE_MIN;
	group_dense old = keys->job.dense;
	int64_t		groups;
	int			blocks;

	*renumber = NULL;
	if (!keys->known)
	{
		for (int k = 0; k < keys->job.keys; k++)
		{
			keys->lowest[k] = INT64_MAX;
			keys->highest[k] = INT64_MIN;
		}
	}
	if (keys->job.hashed)
		return cudaSuccess;
	GS_TRY(extend_ranges(keys, rows, n, known, low, high, context));
	if (max_groups > DENSE_MAX)
		max_groups = DENSE_MAX;
	if (max_groups > DENSE_BYTES / keys->record_size)
		max_groups = DENSE_BYTES / keys->record_size;
	if (keys->known && keys->groups > max_groups)
		max_groups = keys->groups;
	if (!lay_out_dense(keys, max_groups, &keys->job.dense, &groups))
	{
		keys->job.dense = old;
		GS_TRY(begin_hash(keys, n, context));
	}
	else if (!keys->known)
		keys->groups = groups;
	else if (memcmp(&old, &keys->job.dense, sizeof old) != 0)
	{
		GS_TRY(group_reserve(&keys->number, keys->groups * sizeof(uint32_t), context->compute));
		GS_TRY(grid_for(keys->groups, &blocks));
		dense_to_dense_kernel<<<blocks, THREADS, 0, context->compute>>>
			(old, keys->job.dense, keys->job.keys, keys->groups,
			 (uint32_t *) keys->number.at);
		GS_TRY(gs_launched());
		*renumber = (uint32_t *) keys->number.at;
		keys->groups = groups;
	}
	keys->known = true;
	return cudaSuccess;
}

/* ----------
 * The groups of rows
 * ----------
 */

__global__ void
dense_ids_kernel(group_key_job keys, const uint32_t *rows, int64_t n,
				 uint32_t *ids)
{
	for (int64_t row = (int64_t) blockIdx.x * THREADS + threadIdx.x; row < n;
		 row += (int64_t) gridDim.x * THREADS)
		ids[row] = group_bit(rows, row) ? group_dense_number(keys, row) :
			GROUP_NONE;
}

cudaError_t
group_keys_find(group_keys *keys, const uint32_t *rows, int64_t n,
				gs_exec_context *context)
{
	uint32_t   *ids;
	uint32_t   *count = (uint32_t *) context->report;
	int			blocks;

	GS_TRY(group_reserve(&keys->ids, n * sizeof(uint32_t), context->compute));
	ids = (uint32_t *) keys->ids.at;
	GS_TRY(grid_for(n, &blocks));
	if (!keys->job.hashed)
	{
		dense_ids_kernel<<<blocks, THREADS, 0, context->compute>>>
			(keys->job, rows, n, ids);
		return gs_launched();
	}
	for (;;)
	{
		int64_t		capacity = keys->job.hash.capacity;
		int64_t		more = capacity * HASH_GROWTH;

		find_kernel<<<blocks, THREADS, 0, context->compute>>>
			(keys->job, rows, n, ids);
		GS_TRY(gs_launched());
		GS_TRY(group_report(context, keys->counts.at, 2 * sizeof(uint32_t)));
		if (count[1] == 0)
			break;
		if (more > HASH_MAX && capacity < HASH_MAX)
			more = HASH_MAX;
		GS_TRY(grow_table(keys, more, (uint32_t) capacity, context));
	}
	keys->groups = count[0];
	return cudaSuccess;
}

/* ----------
 * Results
 * ----------
 */

typedef struct has_rows
{
	const int64_t *records;
	int			stride;

	__device__ bool operator()(uint32_t group) const
	{
		return records[(size_t) group * stride] != 0;
	}
} has_rows;

typedef struct tuple_less
{
	const int64_t *tuples;
	const uint8_t *nulls;
	int			keys;

	__device__ bool operator()(uint32_t a, uint32_t b) const
	{
		for (int k = 0; k < keys; k++)
		{
			bool		a_null = nulls[a] >> k & 1;
			bool		b_null = nulls[b] >> k & 1;
			int64_t		x = tuples[(size_t) a * keys + k];
			int64_t		y = tuples[(size_t) b * keys + k];

			if (a_null || b_null)
			{
				if (a_null != b_null)
					return b_null;
			}
			else if (x != y)
				return x < y;
		}
		return false;
	}
} tuple_less;

/* Few dense groups, by one block: those with rows, in order. */
__global__ void
order_few_kernel(const int64_t *records, int stride, int groups, bool all,
				 uint32_t *order, group_reported *to)
{
	__shared__ uint32_t warp_count[THREADS / GS_WARP];
	__shared__ unsigned long long rows;
	uint32_t	before = 0;

	if (threadIdx.x == 0)
		rows = 0;
	for (int first = 0; first < groups; first += THREADS)
	{
		int			g = first + threadIdx.x;
		int64_t		mine = g < groups ? records[(size_t) g * stride] : 0;
		bool		exists = mine != 0 || (all && g < groups);
		uint32_t	ballot = __ballot_sync(GS_ALL_LANES, exists);

		__syncthreads();
		if (gs_lane() == 0)
			warp_count[gs_warp()] = __popc(ballot);
		if (mine != 0)
			atomicAdd(&rows, (unsigned long long) mine);
		__syncthreads();
		for (int w = 0; w < THREADS / GS_WARP; w++)
		{
			if (w == gs_warp() && exists)
				order[before + __popc(ballot & ((1u << gs_lane()) - 1))] = g;
			before += warp_count[w];
		}
	}
	__syncthreads();
	if (threadIdx.x == 0)
	{
		to->groups = before;
		to->rows = rows;
	}
}

__global__ void
rows_kernel(const int64_t *records, int stride, int64_t groups, group_reported *to)
{
	unsigned long long sum = 0;

	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += (int64_t) gridDim.x * THREADS)
		sum += (unsigned long long) records[(size_t) g * stride];
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		sum += __shfl_xor_sync(GS_ALL_LANES, sum, d);
	if (gs_lane() == 0 && sum != 0)
		atomicAdd(&to->rows, sum);
}

bool
group_keys_are_few(const group_keys *keys)
{
	return !keys->job.hashed && keys->groups <= ORDER_FEW;
}

cudaError_t
group_keys_order_few(group_keys *keys, const int64_t *records, int stride,
					 group_reported *device, cudaStream_t stream)
{
	GS_TRY(group_reserve(&keys->ids, keys->groups * sizeof(uint32_t), stream));
	order_few_kernel<<<1, THREADS, 0, stream>>>
		(records, stride, (int) keys->groups, keys->job.keys == 0,
		 (uint32_t *) keys->ids.at, device);
	return gs_launched();
}

cudaError_t
group_keys_order(group_keys *keys, const int64_t *records, int stride,
				 group_reported *device, group_reported *host,
				 gs_exec_context *context)
{
	thrust::counting_iterator<uint32_t> all(0);
	has_rows	exists = {records, stride};
	tuple_less	less = {keys->job.hash.tuples, keys->job.hash.nulls,
		keys->job.keys};
	size_t		select_size = 0;
	size_t		sort_size = 0;
	int			blocks;
	uint32_t   *order;

	GS_TRY(group_reserve(&keys->ids, keys->groups * sizeof(uint32_t),
						 context->compute));
	order = (uint32_t *) keys->ids.at;
	GS_TRY(cub::DeviceSelect::If(NULL, select_size, all, order,
								 &device->groups, (int) keys->groups, exists,
								 context->compute));
	if (keys->job.hashed)
		GS_TRY(cub::DeviceMergeSort::SortKeys(NULL, sort_size, order,
											  keys->groups, less,
											  context->compute));
	GS_TRY(group_reserve(&keys->number, select_size > sort_size ?
						 select_size : sort_size, context->compute));
	GS_TRY(cub::DeviceSelect::If(keys->number.at, select_size, all, order,
								 &device->groups, (int) keys->groups, exists,
								 context->compute));
	GS_TRY(grid_for(keys->groups, &blocks));
	GS_TRY(cudaMemsetAsync(&device->rows, 0, sizeof device->rows,
						   context->compute));
	rows_kernel<<<blocks, THREADS, 0, context->compute>>>
		(records, stride, keys->groups, device);
	GS_TRY(gs_launched());
	GS_TRY(group_report(context, device, sizeof *device));
	memcpy(host, context->report, sizeof *host);
	if (keys->job.hashed && host->groups > 1)
		GS_TRY(cub::DeviceMergeSort::SortKeys(keys->number.at, sort_size,
											  order, host->groups, less,
											  context->compute));
	return cudaSuccess;
}

void
group_keys_free(group_keys *keys)
{
	group_free(&keys->table);
	group_free(&keys->tuples);
	group_free(&keys->nulls);
	group_free(&keys->counts);
	group_free(&keys->ranges);
	group_free(&keys->number);
	group_free(&keys->ids);
}
