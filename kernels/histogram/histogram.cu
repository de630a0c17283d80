/*-------------------------------------------------------------------------
 *
 * histogram.cu
 *	  Histograms: counts of the values in buckets.
 *
 * One kernel reads the values once, asks a rule (histogram_bucket.cuh) for
 * each value's bucket, and passes that to one of three counters:
 *
 * - shared_counter: 32-bit counts in shared memory, one set a block, added to
 *   the counts in global memory at the end.  The hardware adds the ones of
 *   lanes with the same address in one step, so skewed data cost nothing, and
 *   several copies of a few counts gain nothing (measured with 8 and 32).
 * - packed_counter: 16-bit counts, two to a word, for twice as many buckets.
 *   After every 32,768 values a block moves each count of 32,768 or more to
 *   global memory, so that none can reach 65,536.
 * - global_counter: atomic additions to global memory, in effect in the L2
 *   cache.  For few values, and for more buckets than the others can hold.
 *
 * Many values in very many buckets are first partitioned
 * (histogram_partition.cuh).
 *
 * The state of an execution is the counts and, for given edges, also the edges
 * and the cells in which they are searched.
 *
 * Determinism: counts are integers, added in any order; a value's bucket
 * depends on the value alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/histogram/histogram_bucket.cuh"
#include "kernels/histogram/histogram_count.cuh"
#include "kernels/histogram/histogram_partition.cuh"

/* The most cells for edges that are searched in global memory. */
#define MAX_CELLS	(1 << 22)

/* The layout of an execution's state. */
typedef struct histogram_state
{
	unsigned long long *counts; /* buckets + 3, at the start */
	double	   *edges;
	uint32_t   *starts;
} histogram_state;

static int
count_bins(const gs_op *op)
{
	return op->histogram.buckets + 3;
}

static int
count_cells(const gs_op *op)
{
	int			cells = GS_SHARED_CELLS;

	if (op->histogram.buckets > GS_SHARED_EDGES_MAX)
	{
		while (cells < MAX_CELLS && cells < 2 * (int64_t) op->histogram.buckets)
			cells *= 2;
	}
	return cells;
}

static size_t
histogram_report_size(const gs_op *op)
{
	return count_bins(op) * sizeof(int64_t);
}

static size_t
edges_size(const gs_op *op)
{
	return (op->histogram.buckets + (size_t) 1) * sizeof(double);
}

static size_t
histogram_state_size(const gs_op *op, int64_t n)
{
	size_t		size = gs_aligned(histogram_report_size(op));

	if (op->kind == GS_HISTOGRAM_EDGES)
		size += gs_aligned(edges_size(op)) +
			gs_aligned((count_cells(op) + 1) * sizeof(uint32_t));
	return size;
}

static histogram_state
state_at(const gs_op *op, void *state)
{
	histogram_state s;
	char	   *edges = (char *) state + gs_aligned(histogram_report_size(op));

	s.counts = (unsigned long long *) state;
	s.edges = (double *) edges;
	s.starts = (uint32_t *) (edges + gs_aligned(edges_size(op)));
	return s;
}

static size_t
histogram_scratch_size(const gs_op *op, int64_t chunk)
{
	return partition_scratch_size(count_bins(op), chunk);
}

/* starts[i] is the number of edges whose cell is below i. */
static __global__ void
find_cell_starts(cell_map map, const double *edges, int n, uint32_t *starts)
{
	int			cell = blockIdx.x * blockDim.x + threadIdx.x;
	int			first = 0;
	int			few = n;

	if (cell > map.cells)
		return;
	while (few > 0)
	{
		int			half = few >> 1;

		if (cell_of(&map, edges[first + half]) < cell)
		{
			first += half + 1;
			few -= half + 1;
		}
		else
			few = half;
	}
	starts[cell] = first;
}

static cudaError_t
histogram_start(const gs_op *op, int64_t n, void *state, cudaStream_t stream)
{
	histogram_state s = state_at(op, state);
	cell_map	map;

	GS_TRY(cudaMemsetAsync(s.counts, 0, histogram_report_size(op), stream));
	if (op->kind != GS_HISTOGRAM_EDGES)
		return cudaSuccess;
	GS_TRY(cudaMemcpyAsync(s.edges, op->histogram.edges, edges_size(op),
						   cudaMemcpyHostToDevice, stream));
	map = cell_map_of(op->histogram.edges, op->histogram.buckets + 1, count_cells(op));
	find_cell_starts<<<map.cells / 256 + 1, 256, 0, stream>>>
		(map, s.edges, op->histogram.buckets + 1, s.starts);
	return gs_launched();
}

/*
 * Choose the counter for n values in `bins` bins.  The rule's part of shared
 * memory follows the counter's.
 */
static counter_plan
plan_counter(const device_limits *limits, int bins, int64_t n, int tile_values,
			 size_t rule_shared)
{
	counter_plan plan = {COUNT_GLOBAL, limits->multiprocessors, 0, 0};
	const size_t capacity = limits->shared - rule_shared;
	const int64_t tiles = gs_divide_up(n, tile_values);
	size_t		size = 0;

	if (tiles < plan.blocks)
		plan.blocks = (int) tiles;
	if (n / plan.blocks * GS_SHARED_MIN < bins)
		;						/* not worth clearing and merging */
	else if (shared_counter::shared_size(bins) <= capacity)
	{
		plan.kind = COUNT_SHARED;
		size = shared_counter::shared_size(bins);
	}
	else if (packed_counter::shared_size(bins) <= capacity)
	{
		plan.kind = COUNT_PACKED;
		size = packed_counter::shared_size(bins);
	}
	else if (n >= GS_PARTITION_MIN && cut_into_parts(bins, limits).parts > 0)
		plan.kind = COUNT_PARTITIONED;
	plan.rule_at = (int) (size + 15) / 16 * 16;
	plan.shared = plan.rule_at + (int) rule_shared;
	return plan;
}

/* Count n values by a rule that needs no shared memory. */
template <typename T, typename Rule>
static cudaError_t
count_by(const T *values, int64_t n, const Rule &rule, int bins,
		 unsigned long long *counts, void *scratch,
		 const device_limits *limits, cudaStream_t stream)
{
	counter_plan plan = plan_counter(limits, bins, n, count_tile<T>(), 0);

	switch (plan.kind)
	{
		case COUNT_SHARED:
			return launch_count(values, n, rule,
								shared_counter(counts, bins), plan, stream);
		case COUNT_PACKED:
			return launch_count(values, n, rule, packed_counter(counts, bins),
								plan, stream);
		case COUNT_PARTITIONED:
			return launch_partitioned(values, n, rule, counts, bins, scratch,
									  limits, stream);
		default:
			return launch_count(values, n, rule, global_counter(counts), plan,
								stream);
	}
}

/*
 * Count n values between given edges: with few edges all in shared memory,
 * with many all in global memory.
 */
template <typename T>
static cudaError_t
count_by_edges(const gs_op *op, const T *values, int64_t n,
			   const histogram_state *s, const device_limits *limits,
			   cudaStream_t stream)
{
	const int	bins = count_bins(op);
	global_edges_rule global_rule;
	shared_edges_rule shared_rule;
	counter_plan plan;

	global_rule.map = cell_map_of(op->histogram.edges, op->histogram.buckets + 1, count_cells(op));
	global_rule.edges = s->edges;
	global_rule.starts = s->starts;
	global_rule.buckets = op->histogram.buckets;
	shared_rule.global_rule = global_rule;
	if (op->histogram.buckets <= GS_SHARED_EDGES_MAX)
	{
		plan = plan_counter(limits, bins, n, count_tile<T>(),
							shared_edges_rule::shared_size(op->histogram.buckets,
														 GS_SHARED_CELLS));
		if (plan.kind == COUNT_SHARED)
			return launch_count(values, n, shared_rule,
								shared_counter(s->counts, bins), plan,
								stream);
	}
	plan = plan_counter(limits, bins, n, count_tile<T>(), 0);
	plan.shared = 0;
	return launch_count(values, n, global_rule, global_counter(s->counts), plan,
						stream);
}

/* Rare, so the one counter for any number of buckets suffices. */
template <typename T>
static cudaError_t
count_by_plain_rule(const gs_op *op, const T *values, int64_t n,
					const histogram_state *s, const device_limits *limits,
					cudaStream_t stream)
{
	counter_plan plan = plan_counter(limits, count_bins(op), n,
									 count_tile<T>(), 0);

	plan.shared = 0;
	return launch_count(values, n, plain_width_rule_of(op),
						global_counter(s->counts), plan, stream);
}

template <typename T>
static cudaError_t
count_chunk(const gs_op *op, const gs_device_span *data,
			const histogram_state *s, void *scratch, cudaStream_t stream)
{
	const T    *values = (const T *) data->values;
	device_limits limits;

	if (data->present == 0)
		return cudaSuccess;
	GS_TRY(get_device_limits(&limits));
	if (op->kind == GS_HISTOGRAM_EDGES)
		return count_by_edges(op, values, data->present, s, &limits, stream);
	if (width_rule_serves(op))
		return count_by(values, data->present, width_rule_of(op),
						count_bins(op), s->counts, scratch, &limits, stream);
	return count_by_plain_rule(op, values, data->present, s, &limits, stream);
}

/* NULLs are not counted, so only the packed values matter. */
static cudaError_t
histogram_chunk(const gs_op *op, const gs_device_input *in,
				const gs_device_output *out, void *state, void *scratch,
				cudaStream_t stream)
{
	histogram_state s = state_at(op, state);

	GS_BY_TYPE(op->type, count_chunk, (op, &in->data, &s, scratch, stream))
}

static void
histogram_result(const gs_op *op, const void *report, gs_result *result)
{
	memcpy(result->counts, report, histogram_report_size(op));
}

const gs_kernels gs_histogram_kernels = {
	.name = "histogram",
	.state_size = histogram_state_size,
	.report_size = histogram_report_size,
	.scratch_size = histogram_scratch_size,
	.start = histogram_start,
	.batch = histogram_chunk,
	.result = histogram_result
};
