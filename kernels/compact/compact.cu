/*-------------------------------------------------------------------------
 *
 * compact.cu
 *	  Compactions: the selected elements, in order.
 *
 * The host turns a filter's comparison into a range of the column's own type,
 * so that the kernel (compact.cuh) compares without conversions, and one
 * kernel a type serves all operators and bounds.
 *
 * A mask without NULLs is read as it is.  One with NULLs, whose values are
 * packed, is first turned into a bitmap in which a 1 means true: an eighth of
 * a byte an element beside the bytes of the data.  The starts of runs, too,
 * are found before values, or positions, are moved.
 *
 * Source, determinism: those of compact.cuh.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/compact/compact.cuh"

#include <limits>
#include <math.h>

/* The kernel's static shared memory, rounded up. */
#define STATIC_SHARED	512

/* The layout of a batch's scratch memory. */
typedef struct compact_scratch
{
	compact_progress progress;
	uint32_t   *keep_bits;
	uint32_t   *keep_ranks;
	uint32_t   *data_ranks;
	void	   *ranks_scratch;
	size_t		size;
} compact_scratch;

static size_t
bitmap_size(int64_t n)
{
	return gs_divide_up(n, 64) * 8;
}

/* One word for the tickets, and one a tile. */
static size_t
progress_size(int64_t tiles)
{
	return (tiles + 1) * GS_COMPACT_SPREAD * sizeof(uint64_t);
}

/* Lay out scratch for n elements; with a null pointer, only size is valid. */
static compact_scratch
scratch_at(void *scratch, int64_t n)
{
	/* 8-byte values and the fewest threads make the smallest tiles */
	int64_t		max_tiles = gs_divide_up(n, tile_size<uint64_t>(GS_WARP));
	char	   *at = (char *) scratch;
	compact_scratch s;

	s.progress.tiles = (uint64_t *) gs_part(&at, progress_size(max_tiles));
	s.progress.tickets = (unsigned int *) s.progress.tiles;
	s.progress.tiles += GS_COMPACT_SPREAD;
	s.keep_bits = (uint32_t *) gs_part(&at, bitmap_size(n));
	s.keep_ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.data_ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.ranks_scratch = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.size = at - (char *) scratch;
	return s;
}

static bool
is_of_runs(const gs_op *op)
{
	return op->kind == GS_UNIQUE || op->kind == GS_RUN_STARTS;
}

/* For runs: the last value of earlier batches. */
static size_t
compact_state_size(const gs_op *op, int64_t n)
{
	return is_of_runs(op) ? sizeof(gs_value) : 0;
}

static size_t
compact_scratch_size(const gs_op *op, int64_t chunk)
{
	return scratch_at(NULL, chunk).size;
}

/*
 * Bit i becomes 1 if element i of the mask is true.  A warp handles
 * GS_RANK_BLOCK elements, 32 at a time.
 */
static __global__ void __launch_bounds__(GS_COMPACT_THREADS)
find_true(const uint8_t *values, const uint32_t *validity,
		  const uint32_t *ranks, int64_t n, uint32_t *bits)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	int64_t		block = (int64_t) blockIdx.x * (GS_COMPACT_THREADS / GS_WARP) +
		gs_warp();
	uint32_t	rank;

	if (block * GS_RANK_BLOCK >= n)
		return;
	rank = ranks[block];
	for (int i = 0; i < words; i++)
	{
		int64_t		word = block * words + i;
		int64_t		left = n - word * GS_WARP;
		uint32_t	present;
		bool		mine;

		if (left <= 0)
			break;
		present = validity[word];
		if (left < GS_WARP)
			present &= (1u << left) - 1;
		mine = present >> gs_lane() & 1;
		if (mine)
			mine = values[rank + __popc(present & ((1u << gs_lane()) - 1))] & 1;
		rank += __popc(present);
		present = __ballot_sync(GS_ALL_LANES, mine);
		if (gs_lane() == 0)
			bits[word] = present;
	}
}

static cudaError_t
make_keep_bits(const gs_device_span *mask, int64_t n, const compact_scratch *s,
			   cudaStream_t stream)
{
	int64_t		blocks = gs_divide_up(n, GS_RANK_BLOCK);

	GS_TRY(gs_bitmap_ranks(mask->validity, n, s->keep_ranks, s->ranks_scratch,
						   stream));
	blocks = gs_divide_up(blocks, GS_COMPACT_THREADS / GS_WARP);
	find_true<<<(unsigned int) blocks, GS_COMPACT_THREADS, 0, stream>>>
		((const uint8_t *) mask->values, (const uint32_t *) mask->validity,
		 s->keep_ranks, n, s->keep_bits);
	return gs_launched();
}

/* Reduce the threads of a block to fit little shared memory. */
template <typename Payload>
static cudaError_t
fit_stages(int *threads, int *shared)
{
	int			device;
	int			max_shared;

	GS_TRY(cudaGetDevice(&device));
	GS_TRY(cudaDeviceGetAttribute(&max_shared,
								  cudaDevAttrMaxSharedMemoryPerBlockOptin,
								  device));
	for (;;)
	{
		const int	tile = tile_size<typename Payload::type>(*threads);

		*shared = 2 * compact_stage<Payload>::size(tile);
		if (*shared + STATIC_SHARED <= max_shared || *threads == GS_WARP)
			return cudaSuccess;
		*threads /= 2;
	}
}

template <typename Keep, typename Payload>
static cudaError_t
launch_compact(const Keep &keep, const Payload &payload, int64_t n,
			   const gs_device_output *to, const compact_scratch *s,
			   cudaStream_t stream)
{
	compact_output out = {to->values, (uint32_t *) to->validity, to->done};
	int			threads = GS_COMPACT_THREADS;
	int64_t		tiles;
	int			shared;
	int			blocks;

	GS_TRY(fit_stages<Payload>(&threads, &shared));
	tiles = gs_divide_up(n, tile_size<typename Payload::type>(threads));
	GS_TRY(gs_grid(tiles, GS_COMPACT_BLOCKS, &blocks));
	if (blocks == 0)
		blocks = 1;				/* to report that there is nothing */
	GS_TRY(cudaMemsetAsync(s->progress.tickets, 0, progress_size(tiles),
						   stream));
	if (Payload::has_nulls)
		GS_TRY(cudaMemsetAsync(out.validity, 0, bitmap_size(n), stream));
	if (shared + STATIC_SHARED > 48 * 1024)
		GS_TRY((gs_allow_shared<compact<Keep, Payload>>()));
	compact<<<blocks, threads, shared, stream>>>
		(keep, payload, n, out, s->progress);
	return gs_launched();
}

/* Compact by a mask; T is as wide as the payload's elements. */
template <typename T, typename Payload>
static cudaError_t
compact_by_mask(const gs_device_span *mask, const Payload &payload, int64_t n,
				const gs_device_output *out, const compact_scratch *s,
				cudaStream_t stream)
{
	if (mask->validity == NULL)
	{
		flag_keep<T> keep = {(const uint8_t *) mask->values};

		return launch_compact(keep, payload, n, out, s, stream);
	}
	else
	{
		bit_keep<T> keep = {s->keep_bits};

		GS_TRY(make_keep_bits(mask, n, s, stream));
		return launch_compact(keep, payload, n, out, s, stream);
	}
}

/* Elements of a width, whatever their type. */
template <typename T>
static cudaError_t
compact_values(const gs_device_input *in, const gs_device_output *out,
			   const compact_scratch *s, cudaStream_t stream)
{
	const T    *values = (const T *) in->data.values;

	if (in->data.validity == NULL)
	{
		dense_values<T> payload = {values};

		return compact_by_mask<T>(&in->mask, payload, in->n, out, s, stream);
	}
	else
	{
		sparse_values<T> payload = {values,
			(const uint32_t *) in->data.validity, s->data_ranks};

		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, s->data_ranks,
							   s->ranks_scratch, stream));
		return compact_by_mask<T>(&in->mask, payload, in->n, out, s, stream);
	}
}

static cudaError_t
compact_positions(const gs_device_input *in, const gs_device_output *out,
				  const compact_scratch *s, cudaStream_t stream)
{
	positions	payload = {(uint32_t) (in->first + 1)};

	return compact_by_mask<uint32_t>(&in->data, payload, in->n, out, s, stream);
}

/*
 * The lowest of a type's integers that is not below, where below(x) is true up
 * to some integer and false from there on; false if there is none.
 */
template <typename T, typename Below>
static bool
first_not_below(Below below, T *result)
{
	int64_t		low = std::numeric_limits<T>::min();
	int64_t		high = std::numeric_limits<T>::max();

	if (below(high))
		return false;
	while (low < high)
	{
		int64_t		middle = low + (int64_t) (((uint64_t) high - low) / 2);

		if (below(middle))
			low = middle + 1;
		else
			high = middle;
	}
	*result = (T) low;
	return true;
}

template <typename T>
static range_keep<T>
empty_range(void)
{
	range_keep<T> r = {1, 0, false};

	return r;
}

/* The integers of a type in [first not below, first not below_or_equal). */
template <typename T, typename Below, typename BelowOrEqual>
static range_keep<T>
integer_range(Below below, BelowOrEqual below_or_equal)
{
	range_keep<T> r = {0, std::numeric_limits<T>::max(), false};
	T			end;

	if (!first_not_below<T>(below, &r.low))
		return empty_range<T>();
	if (first_not_below<T>(below_or_equal, &end))
	{
		if (end == std::numeric_limits<T>::min())
			return empty_range<T>();
		r.high = end - 1;
	}
	return r;
}

/*
 * The values that compare <, <= or = to a bound.  SQL compares as int8 if both
 * are integers, else as float8, where NaN equals NaN and is above all else.
 */
template <typename T>
struct range_finder
{
	static range_keep<T>
	find(const gs_op *op, gs_compare compare)
	{
		const int64_t i = op->filter.ibound;
		const double d = op->filter.bound;

		if (op->filter.integer_bound)
			return integer_range<T>(
				[=](int64_t v) { return compare == GS_EQ && v < i; },
				[=](int64_t v) { return compare == GS_LT ? v < i : v <= i; });
		if (d != d)
			return integer_range<T>(
				[=](int64_t v) { return compare == GS_EQ; },
				[=](int64_t v) { return true; });
		return integer_range<T>(
			[=](int64_t v) { return compare == GS_EQ && (double) v < d; },
			[=](int64_t v) {
				return compare == GS_LT ? (double) v < d : (double) v <= d;
			});
	}
};

static double
next_after(double from, double to)
{
	return nextafter(from, to);
}

static float
next_after(float from, float to)
{
	return nextafterf(from, to);
}

template <typename T>
static range_keep<T>
float_range(const gs_op *op, gs_compare compare)
{
	const T		infinity = std::numeric_limits<T>::infinity();
	const double bound = op->filter.integer_bound ? (double) op->filter.ibound : op->filter.bound;
	range_keep<T> r = {-infinity, infinity, false};

	if (bound != bound)
	{
		/* everything but NaN is below it */
		if (compare == GS_LE)
			r = empty_range<T>();
		r.outside = compare != GS_LT;
		return r;
	}
	if (compare == GS_LT && bound == -infinity)
		return empty_range<T>();
	r.high = (T) bound;
	if (compare == GS_LT ? r.high >= bound : r.high > bound)
		r.high = next_after(r.high, -infinity);
	if (compare == GS_EQ)
	{
		r.low = (T) bound;
		if (r.low < bound)
			r.low = next_after(r.low, infinity);
	}
	return r;
}

template <>
struct range_finder<float>
{
	static range_keep<float>
	find(const gs_op *op, gs_compare compare)
	{
		return float_range<float>(op, compare);
	}
};

template <>
struct range_finder<double>
{
	static range_keep<double>
	find(const gs_op *op, gs_compare compare)
	{
		return float_range<double>(op, compare);
	}
};

template <typename T>
static range_keep<T>
range_of(const gs_op *op)
{
	gs_compare	compare = (gs_compare) op->filter.compare;
	bool		negated = compare == GS_GE || compare == GS_GT ||
		compare == GS_NE;
	range_keep<T> r;

	if (negated)
		compare = compare == GS_GE ? GS_LT : compare == GS_GT ? GS_LE : GS_EQ;
	r = range_finder<T>::find(op, compare);
	r.outside = r.outside != negated;
	return r;
}

/* A comparison with NULL is never true, so only the packed values matter. */
template <typename T>
static cudaError_t
filter_values(const gs_op *op, const gs_device_span *data,
			  const gs_device_output *out, const compact_scratch *s,
			  cudaStream_t stream)
{
	dense_values<T> payload = {(const T *) data->values};

	return launch_compact(range_of<T>(op), payload, data->present, out, s,
						  stream);
}

static cudaError_t
filter_chunk(const gs_op *op, const gs_device_span *data,
			 const gs_device_output *out, const compact_scratch *s,
			 cudaStream_t stream)
{
	GS_BY_TYPE(op->type, filter_values, (op, data, out, s, stream))
}

template <typename T>
static __device__ __forceinline__ bool
differ(T a, T b)
{
	return a != b;
}

/* NaN equals NaN. */
static __device__ __forceinline__ bool
differ(float a, float b)
{
	return !(a == b || (a != a && b != b));
}

static __device__ __forceinline__ bool
differ(double a, double b)
{
	return !(a == b || (a != a && b != b));
}

/*
 * Bit i becomes 1 if value i differs from the one before it; before the first
 * one there is *last, or NULL: nothing.
 */
template <typename T>
static __global__ void __launch_bounds__(GS_COMPACT_THREADS)
find_starts(const T *values, int64_t n, const T *last, uint32_t *bits)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const int64_t warp = (int64_t) blockIdx.x *
		(GS_COMPACT_THREADS / GS_WARP) + gs_warp();
	T			value[words];
	T			before[words];

#pragma unroll
	for (int j = 0; j < words; j++)
	{
		const int64_t i = (warp * words + j) * GS_WARP + gs_lane();

		value[j] = i < n ? values[i] : T(0);
		before[j] = i > 0 && i < n ? values[i - 1] : T(0);
	}
#pragma unroll
	for (int j = 0; j < words; j++)
	{
		const int64_t word = warp * words + j;
		const int64_t i = word * GS_WARP + gs_lane();
		bool		starts = i < n;
		uint32_t	mine;

		if (i > 0)
			starts = starts && differ(value[j], before[j]);
		else if (last != NULL)
			starts = starts && differ(value[j], *last);
		mine = __ballot_sync(GS_ALL_LANES, starts);
		if (gs_lane() == 0 && word * GS_WARP < n)
			bits[word] = mine;
	}
}

/* NULLs are no part of runs, so only the packed values matter. */
template <typename T, typename Payload>
static cudaError_t
compact_runs(const gs_device_input *in, const Payload &payload,
			 const gs_device_output *out, const compact_scratch *s, void *state,
			 cudaStream_t stream)
{
	const int64_t n = in->data.present;
	const T    *values = (const T *) in->data.values;
	bit_keep<typename Payload::type> keep = {s->keep_bits};

	if (n > 0)
	{
		int64_t		blocks = gs_divide_up(n, (int64_t) GS_RANK_BLOCK *
										  (GS_COMPACT_THREADS / GS_WARP));

		find_starts<T><<<(unsigned int) blocks, GS_COMPACT_THREADS, 0, stream>>>
			(values, n, in->before > 0 ? (const T *) state : NULL,
			 s->keep_bits);
		GS_TRY(gs_launched());
		GS_TRY(cudaMemcpyAsync(state, values + n - 1, sizeof(T),
							   cudaMemcpyDeviceToDevice, stream));
	}
	return launch_compact(keep, payload, n, out, s, stream);
}

template <typename T>
static cudaError_t
runs_of_values(const gs_op *op, const gs_device_input *in,
			   const gs_device_output *out, const compact_scratch *s,
			   void *state, cudaStream_t stream)
{
	dense_values<T> first = {(const T *) in->data.values};
	positions	where = {(uint32_t) (in->before + 1)};

	return op->kind == GS_UNIQUE ?
		compact_runs<T>(in, first, out, s, state, stream) :
		compact_runs<T>(in, where, out, s, state, stream);
}

static cudaError_t
runs_chunk(const gs_op *op, const gs_device_input *in,
		   const gs_device_output *out, const compact_scratch *s, void *state,
		   cudaStream_t stream)
{
	GS_BY_TYPE(op->type, runs_of_values, (op, in, out, s, state, stream))
}

static cudaError_t
compact_chunk(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *out, void *state, void *scratch,
			  cudaStream_t stream)
{
	compact_scratch s = scratch_at(scratch, in->n);

	if (op->kind == GS_WHERE)
		return compact_positions(in, out, &s, stream);
	if (is_of_runs(op))
		return runs_chunk(op, in, out, &s, state, stream);
	if (op->kind == GS_FILTER)
		return filter_chunk(op, &in->data, out, &s, stream);
	switch (gs_type_width((gs_type) op->type))
	{
		case 2:
			return compact_values<uint16_t>(in, out, &s, stream);
		case 4:
			return compact_values<uint32_t>(in, out, &s, stream);
		case 8:
			return compact_values<uint64_t>(in, out, &s, stream);
		default:
			return cudaErrorInvalidValue;
	}
}

const gs_kernels gs_compact_kernels = {
	.name = "compact",
	.state_size = compact_state_size,
	.scratch_size = compact_scratch_size,
	.batch = compact_chunk
};
