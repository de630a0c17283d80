/*-------------------------------------------------------------------------
 *
 * select.cuh
 *	  Percentiles of groups without sorting all pairs.
 *
 * As Floyd and Rivest do ("Expected time bounds for selection", 1975): a
 * sorted sample of each group gives two bounds between which the wanted places
 * almost certainly are.  One pass over all pairs then counts for each group
 * what lies
 *
 *		below, at the low bound, inside, at the high bound, above
 *
 * and keeps the pairs inside, which are few and are sorted.  Equal values
 * cannot be many inside: frequent ones are bounds.  If the counts show that a
 * place is not within its group's bounds, or too many pairs were kept, all
 * are sorted after all.
 *
 * Of 10^8 pairs of 100 groups, the sample has 10^4 a group.  Bounds for the
 * median are 260 places away from it there, so that 5 % of all pairs are kept.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_SELECT_CUH
#define GS_GROUP_SELECT_CUH

#include "kernels/plan/pairs.cuh"

/* Where sorting all pairs takes longer: from so many on. */
#define SELECT_MIN			(INT64_C(1) << 20)

/*
 * One of how many pairs is in the sample: one of 64, or fewer if the sample
 * would exceed SAMPLE_MAX, but SAMPLE_GROUP for each group on average.  Groups
 * are too many if that makes it more than one of SAMPLE_LEAST.
 */
#define SAMPLE_STEP			64
#define SAMPLE_MAX			(INT64_C(1) << 20)
#define SAMPLE_GROUP		2048
#define SAMPLE_LEAST		16

/*
 * How far the bounds are from a place in a sample of s: in standard deviations
 * of a binomial distribution, and then some for its tails where that is
 * small.
 */
#define BOUND_DEVIATIONS	5.0
#define BOUND_EXTRA			10.0

/* One of how many pairs may be kept. */
#define KEEP_LEAST			4

/* Blocks a multiprocessor, and bytes of each for counts. */
#define NARROW_BLOCKS		4
#define NARROW_SHARED		(47 * 1024)

/* Where a value is. */
enum pair_part
{
	PART_BELOW,
	PART_LOW,
	PART_INSIDE,
	PART_HIGH,
	PART_ABOVE,
	PARTS
};

template <typename Key> struct alignas(2 * sizeof(Key)) pair_bounds
{
	Key			low;
	Key			high;
};

/*
 * The values at the places of a percentile, from spans of sorted pairs: those
 * of all or, if there are bounds, those inside.
 */
template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
take_places(const Key *value, const pair_span *span,
			const pair_bounds<Key> *bounds, const uint32_t *count,
			double fraction, int type, int64_t groups, gs_value *state)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += step)
	{
		uint32_t	inside = span[g].end - span[g].first;
		uint32_t	before = 0;
		uint32_t	n = inside;
		uint32_t	place[2];

		if (bounds != NULL)
		{
			const uint32_t *c = count + g * PARTS;

			before = c[PART_BELOW] + c[PART_LOW];
			n += before + c[PART_HIGH] + c[PART_ABOVE];
		}
		if (n == 0)
			continue;
		percentile_places(fraction, n, place);
		for (int i = 0; i < 2; i++)
		{
			Key			key;

			if (place[i] < before)
				key = bounds[g].low;
			else if (place[i] - before < inside)
				key = value[span[g].first + (place[i] - before)];
			else
				key = bounds[g].high;
			state[2 * g + i] = key_value(type, key);
		}
	}
}

/* One pair of each `every` pairs, at a place that has no pattern. */
template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
take_sample(const uint32_t *group, const Key *value, int64_t n,
			uint32_t every, uint32_t *to_group, Key *to_value)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		/* the finalizer of splitmix64 */
		uint64_t	h = (uint64_t) i * UINT64_C(0x9e3779b97f4a7c15);
		int64_t		from;

		h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
		from = i * every + (uint32_t) (h >> 32) % every;
		to_group[i] = group[from];
		to_value[i] = value[from];
	}
}

/* Bounds from the sorted sample; none where it has too few of a group. */
template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
make_bounds(const Key *sample, const pair_span *span, double fraction,
			int64_t groups, pair_bounds<Key> *bounds)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += step)
	{
		double		s = span[g].end - span[g].first;
		double		center = s * fraction;
		double		away = BOUND_DEVIATIONS *
			sqrt(s * fraction * (1 - fraction)) + BOUND_EXTRA;
		const Key  *own = sample + span[g].first;

		bounds[g].low = center - away >= 0 ?
			own[(uint32_t) (center - away)] : 0;
		bounds[g].high = center + away < s ?
			own[(uint32_t) (center + away)] : (Key) ~(Key) 0;
	}
}

template <typename Key>
__device__ static inline pair_part
part_of(Key key, const pair_bounds<Key> &bounds)
{
	if (key < bounds.low)
		return PART_BELOW;
	if (key == bounds.low)
		return PART_LOW;
	if (key < bounds.high)
		return PART_INSIDE;
	return key == bounds.high ? PART_HIGH : PART_ABOVE;
}

/*
 * Count the parts of all groups, and keep the pairs inside.  A block has each
 * count `copies` times, a power of 2, for its lanes.
 */
template <typename Key>
__global__ static void
__launch_bounds__(THREADS)
narrow(const uint32_t *group, const Key *value, int64_t n,
	   const pair_bounds<Key> *bounds, int groups, int copies,
	   int64_t capacity, uint32_t *to_group, Key *to_value, uint32_t *count,
	   pairs_report *report)
{
	extern __shared__ uint32_t own_count[];
	const int	copy = gs_lane() & (copies - 1);

	for (int i = threadIdx.x; i < groups * PARTS * copies; i += THREADS)
		own_count[i] = 0;
	__syncthreads();
	for (int64_t tile = blockIdx.x; tile * TILE < n; tile += gridDim.x)
	{
		uint32_t	g[ITEMS];
		Key			key[ITEMS];
		uint32_t	kept = 0;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			int64_t		row = min(item_row(tile, i), n - 1);

			g[i] = __ldg(group + row);
			key[i] = value[row];
		}
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			pair_part	part = part_of(key[i], bounds[g[i]]);

			if (item_row(tile, i) >= n)
				continue;
			atomicAdd(own_count + (g[i] * PARTS + part) * copies + copy, 1);
			kept |= (uint32_t) (part == PART_INSIDE) << i;
		}
		append_pairs(kept, g, key, &report->n, capacity, to_group, to_value);
	}
	__syncthreads();
	for (int i = threadIdx.x; i < groups * PARTS; i += THREADS)
	{
		uint32_t	sum = 0;

		for (int c = 0; c < copies; c++)
			sum += own_count[i * copies + c];
		if (sum > 0)
			atomicAdd(count + i, sum);
	}
}

/* Are all places within the bounds? */
__global__ static void
__launch_bounds__(THREADS)
check_bounds(const uint32_t *count, double fraction, int64_t groups,
			 pairs_report *report)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t g = (int64_t) blockIdx.x * THREADS + threadIdx.x; g < groups;
		 g += step)
	{
		const uint32_t *c = count + g * PARTS;
		uint32_t	end = c[PART_BELOW] + c[PART_LOW] + c[PART_INSIDE] +
			c[PART_HIGH];
		uint32_t	n = end + c[PART_ABOVE];
		uint32_t	place[2];

		if (n == 0)
			continue;
		percentile_places(fraction, n, place);
		if (place[0] < c[PART_BELOW] || place[1] >= end)
			report->failed = 1;
	}
}

/* The memory of a selection. */
template <typename Key> struct selection
{
	pairs_report *report;
	uint32_t   *count;			/* PARTS for each group */
	pair_bounds<Key> *bounds;
	pair_span  *span;			/* first of the sample, then of what is kept */
	pair_arrays<Key> sample;
	pair_arrays<Key> kept;
	void	   *workspace;
	size_t		workspace_size;

	int64_t		sampled;
	uint32_t	every;			/* one of how many pairs is in the sample */
	int64_t		capacity;		/* of kept */
	int			copies;			/* as in narrow */
};

/* Choose the sizes; false: sort all pairs. */
template <typename Key>
static bool
plan_selection(selection<Key> *s, int64_t n, int64_t groups)
{
	int64_t		every = SAMPLE_STEP;

	if (n < SELECT_MIN || groups > n / (SAMPLE_GROUP * SAMPLE_LEAST))
		return false;
	if (every < n / SAMPLE_MAX)
		every = n / SAMPLE_MAX;
	if (every > n / (SAMPLE_GROUP * groups))
		every = n / (SAMPLE_GROUP * groups);
	s->every = (uint32_t) every;
	s->sampled = n / every;
	s->capacity = n / KEEP_LEAST;
	s->copies = GS_WARP;
	while (s->copies > 0 &&
		   groups * PARTS * s->copies * sizeof(uint32_t) > NARROW_SHARED)
		s->copies /= 2;
	return s->copies > 0;
}

template <typename Key>
static void
lay_pairs(pair_arrays<Key> *p, int64_t n, char **at)
{
	for (int i = 0; i < 2; i++)
	{
		p->group[i] = (uint32_t *) gs_part(at, n * sizeof(uint32_t));
		p->value[i] = (Key *) gs_part(at, n * sizeof(Key));
	}
}

template <typename Key>
static size_t
lay_selection(selection<Key> *s, int64_t groups, char *memory)
{
	char	   *at = memory;

	s->report = (pairs_report *) gs_part(&at, sizeof *s->report);
	s->count = (uint32_t *) gs_part(&at, groups * PARTS * sizeof(uint32_t));
	s->bounds = (pair_bounds<Key> *) gs_part(&at, groups * sizeof *s->bounds);
	s->span = (pair_span *) gs_part(&at, groups * sizeof(pair_span));
	lay_pairs(&s->sample, s->sampled, &at);
	lay_pairs(&s->kept, s->capacity, &at);
	s->workspace = gs_part(&at, s->workspace_size);
	return at - memory;
}

/* Find the bounds, then count the parts and keep what is inside. */
template <typename Key>
static cudaError_t
narrow_pairs(selection<Key> *s, const group_values *v, double fraction,
			 int64_t groups, pair_bits bits, cudaStream_t stream)
{
	const uint32_t *group = (const uint32_t *) v->group.at;
	const Key  *value = (const Key *) v->value.at;
	size_t		counts_size = groups * PARTS * sizeof(uint32_t);
	unsigned int blocks;
	int			narrow_blocks;

	GS_TRY(grid_of(s->sampled, THREADS, &blocks));
	take_sample<Key><<<blocks, THREADS, 0, stream>>>
		(group, value, s->sampled, s->every, s->sample.group[0],
		 s->sample.value[0]);
	GS_TRY(gs_launched());
	GS_TRY(sort_pairs(&s->sample, s->sampled, bits, s->workspace,
					  &s->workspace_size, stream));
	GS_TRY(make_spans(s->sample.group[0], s->sampled, s->span, groups,
					  stream));
	GS_TRY(grid_of(groups, THREADS, &blocks));
	make_bounds<Key><<<blocks, THREADS, 0, stream>>>
		(s->sample.value[0], s->span, fraction, groups, s->bounds);
	GS_TRY(gs_launched());

	GS_TRY(cudaMemsetAsync(s->report, 0, sizeof *s->report, stream));
	GS_TRY(cudaMemsetAsync(s->count, 0, counts_size, stream));
	GS_TRY(gs_grid(gs_divide_up(v->n, TILE), NARROW_BLOCKS, &narrow_blocks));
	narrow<Key><<<narrow_blocks, THREADS, counts_size * s->copies, stream>>>
		(group, value, v->n, s->bounds, (int) groups, s->copies, s->capacity,
		 s->kept.group[0], s->kept.value[0], s->count, s->report);
	GS_TRY(gs_launched());
	check_bounds<<<blocks, THREADS, 0, stream>>>(s->count, fraction, groups,
												 s->report);
	return gs_launched();
}

/*
 * The states of a percentile, or *done = false, with the pairs as they were:
 * sort them.
 */
template <typename Key>
static cudaError_t
select_percentiles(group_values *v, double fraction, int type, int64_t groups,
				   pair_bits bits, void *states, bool *done,
				   gs_exec_context *context)
{
	cudaStream_t stream = context->compute;
	selection<Key> s = {};
	pairs_report report;
	int64_t		kept;
	unsigned int blocks;

	*done = false;
	if (!plan_selection(&s, v->n, groups))
		return cudaSuccess;
	s.workspace_size = sort_workspace_size<Key>(s.capacity, bits);
	GS_TRY(group_reserve(&v->work, lay_selection(&s, groups, NULL), context->compute));
	lay_selection(&s, groups, v->work.at);

	GS_TRY(narrow_pairs(&s, v, fraction, groups, bits, stream));
	GS_TRY(read_report(s.report, &report, context));
	kept = (int64_t) report.n;
	if (report.failed != 0 || kept > s.capacity)
		return cudaSuccess;
	if (kept > 0)
		GS_TRY(sort_pairs(&s.kept, kept, bits, s.workspace,
						  &s.workspace_size, stream));
	GS_TRY(make_spans(s.kept.group[0], kept, s.span, groups, stream));
	GS_TRY(grid_of(groups, THREADS, &blocks));
	take_places<Key><<<blocks, THREADS, 0, stream>>>
		(s.kept.value[0], s.span, s.bounds, s.count, fraction, type, groups,
		 (gs_value *) states);
	GS_TRY(gs_launched());
	*done = true;
	return cudaSuccess;
}

#endif							/* GS_GROUP_SELECT_CUH */
