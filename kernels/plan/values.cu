/*-------------------------------------------------------------------------
 *
 * values.cu
 *	  Aggregates that need the values of a group in their order: percentiles,
 *	  modes, distinct values.
 *
 * The values of all batches are collected with their groups, and sorted by
 * both in the end, once for all aggregates that need them: CUB sorts them by
 * the bits in which values differ, and then, being stable, by the bits that the
 * numbers of groups have.
 *
 *		percentiles			are at places of a group's values
 *		distinct values		start where a value is not the one before
 *		modes				are the longest stretches between such starts
 *
 * Source: CUB's radix sort; select.cuh after Floyd and Rivest, 1975.
 * Determinism: values that compare equal are equal results, and of several
 * modes the least counts.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/select.cuh"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

/* Sorted pairs that a warp takes at a time. */
#define STRETCH		1024

static bool
is_wide(int type)
{
	return type == GS_INT8 || type == GS_FLOAT8;
}

/* ----------
 * Collect
 * ----------
 */

/* The keys of a tile's rows that are kept, from a column of one format. */
template <group_format format, typename Key>
__device__ static inline void
load_keys(const group_column &argument, int64_t tile, uint32_t kept,
		  Key (&key)[ITEMS])
{
	const Key	sign = (Key) 1 << (8 * sizeof(Key) - 1);
	group_column column = argument;
	int64_t		value[ITEMS];

	column.format = format;
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		value[i] = (kept >> i & 1) != 0 ?
			group_load(column, item_row(tile, i)) : 0;
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		key[i] = sign ^ (Key) group_strictly_ordered(column.type, value[i]);
}

template <typename Key>
__device__ static inline void
load_any_keys(const group_column &argument, int64_t tile, uint32_t kept,
			  Key (&key)[ITEMS])
{
#define LOAD(format) \
	case format: \
		load_keys<format>(argument, tile, kept, key); \
		break

	switch (argument.format)
	{
			LOAD(GROUP_U1);
			LOAD(GROUP_U2);
			LOAD(GROUP_U4);
			LOAD(GROUP_S2);
			LOAD(GROUP_S4);
			LOAD(GROUP_WORD);
			LOAD(GROUP_FLOAT4);
	}
#undef LOAD
}

/* Add bits to those in memory, for a warp. */
__device__ static inline void
add_bits(unsigned long long *to, unsigned long long bits)
{
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		bits |= gs_shuffle_xor(bits, d);
	if (gs_lane() == 0 && bits != 0)
		atomicOr(to, bits);
}

template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
collect(const uint32_t *group, group_column argument, const uint32_t *filter,
		int64_t n, int64_t capacity, uint32_t *to_group, Key *to_value,
		pairs_report *report)
{
	Key			set = 0;
	Key			clear = 0;

	for (int64_t tile = blockIdx.x; tile * TILE < n; tile += gridDim.x)
	{
		uint32_t	g[ITEMS];
		Key			key[ITEMS];
		uint32_t	kept = 0;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			g[i] = item_row(tile, i) < n ?
				__ldg(group + item_row(tile, i)) : GROUP_NONE;
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			if (g[i] != GROUP_NONE && group_bit(filter, item_row(tile, i)) &&
				group_bit(argument.validity, item_row(tile, i)))
				kept |= UINT32_C(1) << i;
		load_any_keys(argument, tile, kept, key);
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			if ((kept >> i & 1) != 0)
			{
				set |= key[i];
				clear |= (Key) ~key[i];
			}
		append_pairs(kept, g, key, &report->n, capacity, to_group, to_value);
	}
	add_bits(&report->set, set);
	add_bits(&report->clear, clear);
}

template <typename Key>
static cudaError_t
add(group_values *v, const uint32_t *group, const group_column *argument,
	const uint32_t *filter, int64_t n, gs_exec_context *context)
{
	cudaStream_t stream = context->compute;
	int64_t		room = v->n + n;
	size_t		groups_size = room * sizeof(uint32_t);
	size_t		values_size = room * sizeof(Key);
	pairs_report *report;
	pairs_report added;
	unsigned int blocks;

	if (groups_size > v->group.size)
		GS_TRY(group_grow(&v->group, groups_size > 2 * v->group.size ?
						  groups_size : 2 * v->group.size,
						  v->n * sizeof(uint32_t), stream));
	if (values_size > v->value.size)
		GS_TRY(group_grow(&v->value, values_size > 2 * v->value.size ?
						  values_size : 2 * v->value.size,
						  v->n * sizeof(Key), stream));
	GS_TRY(group_reserve(&v->work, sizeof *report, context->compute));
	report = (pairs_report *) v->work.at;
	GS_TRY(cudaMemsetAsync(report, 0, sizeof *report, stream));
	GS_TRY(grid_of(n, TILE, &blocks));
	collect<Key><<<blocks, THREADS, 0, stream>>>
		(group, *argument, filter, n, n, (uint32_t *) v->group.at + v->n,
		 (Key *) v->value.at + v->n, report);
	GS_TRY(gs_launched());
	GS_TRY(read_report(report, &added, context));
	v->n += added.n;
	v->set |= added.set;
	v->clear |= added.clear;
	return v->n > INT32_MAX ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t
group_values_add(group_values *v, const uint32_t *group,
				 const group_column *argument, const uint32_t *filter,
				 int64_t n, gs_exec_context *context)
{
	if (n == 0)
		return cudaSuccess;
	if (is_wide(argument->type))
		return add<uint64_t>(v, group, argument, filter, n, context);
	return add<uint32_t>(v, group, argument, filter, n, context);
}

__global__ static void
__launch_bounds__(THREADS)
renumber(uint32_t *group, int64_t n, const uint32_t *number)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		group[i] = __ldg(number + group[i]);
}

cudaError_t
group_values_renumber(group_values *v, const uint32_t *number,
					  cudaStream_t stream)
{
	unsigned int blocks;

	if (v->n == 0)
		return cudaSuccess;
	GS_TRY(grid_of(v->n, THREADS, &blocks));
	renumber<<<blocks, THREADS, 0, stream>>>((uint32_t *) v->group.at, v->n,
											 number);
	return gs_launched();
}

/* ----------
 * Runs of equal values of a group among sorted pairs
 * ----------
 */

/* -0 and 0 are one value for modes, and for what is different. */
template <typename Key>
__device__ static inline Key
as_one_zero(Key key, bool is_float)
{
	const Key	zero = (Key) 1 << (8 * sizeof(Key) - 1);

	return is_float && key == zero - 1 ? zero : key;
}

/* Does a run start at pair i? */
template <typename Key> struct starts_run
{
	const uint32_t *group;
	const Key  *value;
	bool		is_float;

	__device__ bool
	operator()(uint32_t i) const
	{
		return i == 0 || group[i] != group[i - 1] ||
			as_one_zero(value[i], is_float) !=
			as_one_zero(value[i - 1], is_float);
	}
};

/*
 * Count the runs of each group.  A warp adds up what it finds in a stretch as
 * long as that is of one group: most are, if there are few groups.
 */
template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
count_runs(starts_run<Key> starts, int64_t n, unsigned long long *count)
{
	int64_t		step = (int64_t) gridDim.x * WARPS;

	for (int64_t stretch = (int64_t) blockIdx.x * WARPS + gs_warp();
		 stretch * STRETCH < n; stretch += step)
	{
		int64_t		end = min(stretch * STRETCH + STRETCH, n);
		uint32_t	current = starts.group[stretch * STRETCH];
		uint32_t	found = 0;

		for (int64_t row = stretch * STRETCH; row < end; row += GS_WARP)
		{
			int64_t		i = min(row + gs_lane(), end - 1);
			uint32_t	g = starts.group[i];
			bool		start = row + gs_lane() < end && starts((uint32_t) i);
			uint32_t	lanes = __ballot_sync(GS_ALL_LANES, start);

			if (__all_sync(GS_ALL_LANES, g == current))
			{
				found += __popc(lanes);
				continue;
			}
			if (gs_lane() == 0 && found > 0)
				atomicAdd(count + current, (unsigned long long) found);
			if (start)
				atomicAdd(count + g, 1ULL);
			found = 0;
			current = gs_shuffle(g, GS_WARP - 1);
		}
		if (gs_lane() == 0 && found > 0)
			atomicAdd(count + current, (unsigned long long) found);
	}
}

/* For each group, its longest run so far, in a warp's lanes. */
__device__ static inline void
offer_longest(unsigned long long *longest, uint32_t group,
			  unsigned long long mine)
{
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		mine = max(mine, gs_shuffle_xor(mine, d));
	if (gs_lane() == 0 && mine > 0)
		atomicMax(longest + group, mine);
}

/*
 * The longest run of each group: its length and, inverted, its number, so that
 * the first of several is the maximum.  Runs are those of n sorted pairs.
 */
__global__ static void
__launch_bounds__(THREADS)
find_longest(const uint32_t *group, int64_t n, const uint32_t *start,
			 const int64_t *count, unsigned long long *longest)
{
	int64_t		step = (int64_t) gridDim.x * WARPS;
	int64_t		runs = *count;

	for (int64_t stretch = (int64_t) blockIdx.x * WARPS + gs_warp();
		 stretch * STRETCH < runs; stretch += step)
	{
		int64_t		end = min(stretch * STRETCH + STRETCH, runs);
		uint32_t	current = group[start[stretch * STRETCH]];
		unsigned long long best = 0;

		for (int64_t row = stretch * STRETCH; row < end; row += GS_WARP)
		{
			/* lanes beyond the end repeat the last run, which does no harm */
			int64_t		i = min(row + gs_lane(), end - 1);
			uint32_t	first = start[i];
			uint32_t	next = i + 1 < runs ? start[i + 1] : (uint32_t) n;
			uint32_t	g = group[first];
			unsigned long long run =
				(unsigned long long) (next - first) << 32 | (uint32_t) ~i;

			if (__all_sync(GS_ALL_LANES, g == current))
			{
				best = max(best, run);
				continue;
			}
			offer_longest(longest, current, best);
			atomicMax(longest + g, run);
			best = 0;
			current = gs_shuffle(g, GS_WARP - 1);
		}
		offer_longest(longest, current, best);
	}
}

/* From a group's longest run to its value, in the same place. */
template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
take_modes(const Key *value, const uint32_t *start, int type, int64_t groups,
		   unsigned long long *state)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += step)
	{
		unsigned long long longest = state[g];

		if (longest != 0)
			((gs_value *) state)[g] =
				key_value(type, as_one_zero(value[start[(uint32_t) ~longest]],
											group_is_float(type)));
	}
}

/*
 * The modes, or without a workspace, only the size that CUB needs.  The starts
 * of runs go where there is space for n numbers.
 */
template <typename Key>
static cudaError_t
modes(const starts_run<Key> &starts, int64_t n, int type, int64_t groups,
	  uint32_t *start, int64_t *count, void *states, void *workspace,
	  size_t *workspace_size, cudaStream_t stream)
{
	unsigned int blocks;

	GS_TRY(cub::DeviceSelect::If(workspace, *workspace_size,
								 thrust::counting_iterator<uint32_t>(0), start,
								 count, n, starts, stream));
	if (workspace == NULL)
		return cudaSuccess;
	GS_TRY(grid_of(n, STRETCH * WARPS, &blocks));
	find_longest<<<blocks, THREADS, 0, stream>>>
		(starts.group, n, start, count, (unsigned long long *) states);
	GS_TRY(gs_launched());
	GS_TRY(grid_of(groups, THREADS, &blocks));
	take_modes<<<blocks, THREADS, 0, stream>>>
		(starts.value, start, type, groups, (unsigned long long *) states);
	return gs_launched();
}

/* ----------
 * Results
 * ----------
 */

/* The bits in which values differ, and those of the groups' numbers. */
static pair_bits
bits_of(const group_values *v, int64_t groups)
{
	uint64_t	differ = v->set & v->clear;
	pair_bits	bits = {0, 0, 0};

	if (differ != 0)
	{
		bits.low = __builtin_ctzll(differ);
		bits.high = 64 - __builtin_clzll(differ);
	}
	if (groups > 1)
		bits.group = 64 - __builtin_clzll((uint64_t) groups - 1);
	return bits;
}

template <typename Key>
static cudaError_t
sort_values(group_values *v, pair_bits bits, cudaStream_t stream)
{
	size_t		size = sort_workspace_size<Key>(v->n, bits);
	pair_arrays<Key> p;

	GS_TRY(group_reserve(&v->work, gs_aligned(size), stream));
	GS_TRY(group_reserve(&v->other_group, v->n * sizeof(uint32_t), stream));
	GS_TRY(group_reserve(&v->other_value, v->n * sizeof(Key), stream));
	p.group[0] = (uint32_t *) v->group.at;
	p.group[1] = (uint32_t *) v->other_group.at;
	p.value[0] = (Key *) v->value.at;
	p.value[1] = (Key *) v->other_value.at;
	GS_TRY(sort_pairs(&p, v->n, bits, v->work.at, &size, stream));
	if ((char *) p.group[0] != v->group.at)
		group_swap(&v->group, &v->other_group);
	if ((char *) p.value[0] != v->value.at)
		group_swap(&v->value, &v->other_value);
	v->sorted = true;
	return cudaSuccess;
}

template <typename Key>
static cudaError_t
finish_sorted(group_values *v, const gs_aggregate *aggregate, int type,
			  int64_t groups, void *states, cudaStream_t stream)
{
	const starts_run<Key> starts = {
		(const uint32_t *) v->group.at, (const Key *) v->value.at,
		group_is_float(type)
	};
	size_t		size = 0;
	char	   *at = NULL;
	int64_t    *count;
	pair_span  *span;
	unsigned int blocks;

	if (aggregate->kind == GS_AGG_MODE)
		GS_TRY(modes(starts, v->n, type, groups, NULL, NULL, NULL, NULL,
					 &size, stream));

	/* first without memory, for the size */
	for (int pass = 0; pass < 2; pass++)
	{
		count = (int64_t *) gs_part(&at, sizeof *count);
		span = (pair_span *) gs_part(&at, groups * sizeof(pair_span));
		if (pass == 0)
		{
			GS_TRY(group_reserve(&v->work, (size_t) at + gs_aligned(size), stream));
			at = v->work.at;
		}
	}
	switch (aggregate->kind)
	{
		case GS_AGG_MODE:
			return modes(starts, v->n, type, groups,
						 (uint32_t *) v->other_value.at, count, states, at,
						 &size, stream);
		case GS_AGG_DISTINCT:
			GS_TRY(grid_of(v->n, STRETCH * WARPS, &blocks));
			count_runs<<<blocks, THREADS, 0, stream>>>
				(starts, v->n, (unsigned long long *) states);
			return gs_launched();
		default:
			GS_TRY(make_spans(starts.group, v->n, span, groups, stream));
			GS_TRY(grid_of(groups, THREADS, &blocks));
			take_places<Key><<<blocks, THREADS, 0, stream>>>
				(starts.value, span, NULL, NULL, aggregate->fraction, type,
				 groups, (gs_value *) states);
			return gs_launched();
	}
}

template <typename Key>
static cudaError_t
values_finish(group_values *v, const gs_aggregate *aggregate, int type,
			  int64_t groups, void *states, gs_exec_context *context)
{
	pair_bits	bits = bits_of(v, groups);
	bool		done = false;

	if (!v->sort && !v->sorted)
		GS_TRY(select_percentiles<Key>(v, aggregate->fraction, type, groups,
									   bits, states, &done, context));
	if (done)
		return cudaSuccess;
	if (!v->sorted)
		GS_TRY(sort_values<Key>(v, bits, context->compute));
	return finish_sorted<Key>(v, aggregate, type, groups, states,
							  context->compute);
}

cudaError_t
group_values_finish(group_values *v, const gs_aggregate *aggregate, int type,
					int64_t groups, void *states, gs_exec_context *context)
{
	size_t		width = aggregate->kind == GS_AGG_PERCENTILE ?
		sizeof(gs_value[2]) : sizeof(int64_t);

	if (groups == 0)
		return cudaSuccess;
	GS_TRY(cudaMemsetAsync(states, 0, groups * width, context->compute));
	if (v->n == 0)
		return cudaSuccess;
	if (is_wide(type))
		return values_finish<uint64_t>(v, aggregate, type, groups, states, context);
	return values_finish<uint32_t>(v, aggregate, type, groups, states, context);
}

void
group_values_free(group_values *v)
{
	group_free(&v->group);
	group_free(&v->value);
	group_free(&v->other_group);
	group_free(&v->other_value);
	group_free(&v->work);
}
