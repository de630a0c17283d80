/*-------------------------------------------------------------------------
 *
 * moving.cu
 *	  Moving frames: sums and extremes of the elements near each.
 *
 * Batches are spread out, one element for each NULL too, and stay on the
 * device.  When all are there, all results are computed, whatever the frame's
 * size by a few passes:
 *
 * - A sum is the difference of two prefix sums, which are exact; of floats, and
 *	 of their squares for standard deviations, in moving_float.cuh.  For means
 *	 and standard deviations of integers these differences are the results,
 *	 made as they are fetched.
 *
 * - For extremes the array is cut into blocks as long as a frame.  `ahead` has
 *	 the extreme from the start of each element's block to the element, `rest`
 *	 from the element to the end of its block.  A frame is the end of a block
 *	 and the start of the next, so its extreme is that of two of these (van
 *	 Herk, Pattern Recognition Letters 13, 1992; Gil and Werman, IEEE PAMI 15,
 *	 1993).  Elements are compared as keys (common.cuh).
 *
 * The state consists of:
 *
 *		report
 *		before			how many values there are before each element
 *		elements		or their keys
 *		ahead, rest		prefix sums (moving_special.cuh overwrites them); or both,
 *						of extremes
 *		results			but those that are made as they are fetched
 *		workspace		CUB's
 *
 * Determinism: prefix sums are integers, keys compare exactly, and each
 * result is rounded once from these.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/moving/moving_float.cuh"
#include "kernels/moving/moving_special.cuh"
#include "kernels/moving/moving_validity.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>

/* ----------
 * Batches
 * ----------
 */

/*
 * Element i of a batch goes to element[i], and how many values of the array
 * come before it to before[i].  Without a bitmap, all elements have values.
 */
template <class M>
__global__ static void
__launch_bounds__(THREADS)
spread(const typename M::type *value, const uint32_t *validity,
	   const uint32_t *ranks, int64_t n, uint32_t values_before, M moving,
	   typename M::element *element, uint32_t *before, moving_report *report)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;
	float_seen	seen;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		int64_t		rank;
		bool		present = find_value(validity, ranks, i, &rank);

		element[i] = present ? moving.of(value[rank]) : moving.neutral();
		before[i] = values_before + (uint32_t) rank;
		if constexpr (M::floats)
		{
			if (present)
				seen.add(value[rank]);
		}
	}
	if constexpr (M::floats)
		seen.tell(report);
}

template <class M>
static cudaError_t
add_batch(const gs_op *op, const gs_device_input *in, void *state,
		  void *scratch, cudaStream_t stream)
{
	moving_state<M> s = lay_state<M>(in->all, state);
	char	   *at = (char *) scratch;
	uint32_t   *ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(in->n));
	unsigned int blocks;

	if (in->data.validity != NULL)
		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, ranks, at, stream));
	GS_TRY(grid_of(in->n, &blocks));
	spread<M><<<blocks, THREADS, 0, stream>>>
		((const typename M::type *) in->data.values,
		 (const uint32_t *) in->data.validity, ranks, in->n,
		 (uint32_t) in->before, M(op, s.report), s.element + in->first,
		 s.before + in->first, s.report);
	return gs_launched();
}

/* ----------
 * Frames
 * ----------
 */

template <class M>
__global__ static void
__launch_bounds__(THREADS)
make_results(M moving, frame f, const uint32_t *before, int64_t present,
			 const typename M::part *ahead, const typename M::part *rest,
			 typename M::result *result, moving_report *report)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < f.n;
		 i += step)
	{
		int64_t		first = f.first(i);
		int64_t		last = f.last(i);
		int64_t		count = count_values(before, first, last, f.n, present);
		typename M::result r = 0;

		if (count > 0 &&
			!moving.finish(f, ahead, rest, first, last, count, &r))
			atomicMin(&report->out_of_range, (unsigned long long) i + 1);
		result[i] = r;
	}
}

__device__ static inline void
put_sum(gs_wide sum, uint64_t *to)
{
	to[0] = sum.low;
	to[1] = sum.high;
}

__device__ static inline void
put_sum(const wide_moments &total, uint64_t *to)
{
	put_sum(total.sum, to);
}

/* Of means there are none. */
__device__ static inline void
put_squares(gs_wide, uint64_t *)
{
}

__device__ static inline void
put_squares(const wide_moments &total, uint64_t *to)
{
	for (int k = 0; k < 3; k++)
		to[k] = total.squares.word[k];
}

/* How many elements of frames `start` and following ones are not NULL. */
__global__ static void
__launch_bounds__(THREADS)
make_counts(frame f, const uint32_t *before, int64_t present, int64_t start,
			int64_t n, int64_t *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
		to[i] = count_values(before, f.first(start + i), f.last(start + i),
							 f.n, present);
}

/* The column of sums, or of squares. */
template <class P>
__global__ static void
__launch_bounds__(THREADS)
make_totals(frame f, const P *ahead, bool squares, int64_t start, int64_t n,
			uint64_t *to)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		auto		total = difference(ahead, f.first(start + i),
									   f.last(start + i));

		if (squares)
			put_squares(total, to + 3 * i);
		else
			put_sum(total, to + 2 * i);
	}
}

/* Without a workspace, only set the size that CUB needs, for either scan. */
template <class M>
static cudaError_t
make_parts(M moving, frame f, moving_state<M> *s, cudaStream_t stream)
{
	if constexpr (M::extremes)
	{
		auto		blocks = thrust::make_transform_iterator
			(thrust::counting_iterator<uint32_t>(0),
			 block_of {f.block_length()});
		auto		reversed = thrust::make_transform_iterator
			(thrust::counting_iterator<uint32_t>(0),
			 block_from_end {f.block_length(), (uint32_t) (f.n - 1)});

		size_t		size = s->workspace_size;

		GS_TRY(cub::DeviceScan::InclusiveScanByKey
			   (s->workspace, size, blocks, s->element, s->ahead, moving,
				(int) f.n, same_block(), stream));
		GS_TRY(cub::DeviceScan::InclusiveScanByKey
			   (s->workspace, s->workspace_size, reversed,
				thrust::make_reverse_iterator(s->element + f.n),
				thrust::make_reverse_iterator(s->rest + f.n), moving,
				(int) f.n, same_block(), stream));
		if (s->workspace_size < size)
			s->workspace_size = size;
		return cudaSuccess;
	}
	else
		return cub::DeviceScan::InclusiveScan
			(s->workspace, s->workspace_size,
			 thrust::make_transform_iterator
			 ((const typename M::element *) s->element, moving), s->ahead,
			 add_parts(), (int) f.n, stream);
}

/* After an error of CUB's, a size that cannot be allocated. */
template <class M>
static size_t
workspace_size(const gs_op *op, int64_t n)
{
	moving_state<M> none = {};

	if (n > 0 && make_parts<M>(M(op, NULL), frame(op, n), &none, 0) != cudaSuccess)
		return SIZE_MAX / 4;
	if constexpr (M::floats)
	{
		size_t		size = 0;

		if (n > 0 && find_last_seen<M>(none, n, &size, 0) != cudaSuccess)
			return SIZE_MAX / 4;
		if (none.workspace_size < size)
			return size;
	}
	return none.workspace_size;
}

template <class M>
static cudaError_t
arrange(const gs_op *op, int64_t n, int64_t present, void *state,
		cudaStream_t stream)
{
	moving_state<M> s = lay_state<M>(n, state);
	frame		f(op, n);
	unsigned int blocks;

	s.workspace_size = workspace_size<M>(op, n);
	GS_TRY(make_parts<M>(M(op, s.report), f, &s, stream));
	if constexpr (M::totals)
		return cudaSuccess;
	else
	{
		GS_TRY(grid_of(n, &blocks));
		make_results<M><<<blocks, THREADS, 0, stream>>>
			(M(op, s.report), f, present < n ? s.before : NULL, present, s.ahead,
			 s.rest, s.result, s.report);
		return gs_launched();
	}
}

template <class M>
static cudaError_t
take(const gs_op *op, int64_t n, int64_t present, gs_column column,
	 int64_t first, int64_t count, void *state, void *to, cudaStream_t stream)
{
	moving_state<M> s = lay_state<M>(n, state);
	const frame f(op, n);
	const uint32_t *before = present < n ? s.before : NULL;
	unsigned int blocks;

	if (column == GS_COLUMN_VALUES)
		return cudaMemcpyAsync(to, s.result + first,
							   count * sizeof(typename M::result),
							   cudaMemcpyDeviceToDevice, stream);
	if (column == GS_COLUMN_VALIDITY)
	{
		GS_TRY(grid_of(64 * count, &blocks));
		make_validity<<<blocks, THREADS, 0, stream>>>
			(f, before, present, gs_moving_least(op), first, count,
			 (uint64_t *) to);
		return gs_launched();
	}
	if constexpr (M::totals)
	{
		GS_TRY(grid_of(count, &blocks));
		if (column == GS_COLUMN_COUNTS)
			make_counts<<<blocks, THREADS, 0, stream>>>
				(f, before, present, first, count, (int64_t *) to);
		else
			make_totals<<<blocks, THREADS, 0, stream>>>
				(f, s.ahead, column == GS_COLUMN_SQUARES, first, count,
				 (uint64_t *) to);
		return gs_launched();
	}
	return cudaErrorInvalidValue;
}

/* ----------
 * The family
 * ----------
 */

template <class M>
static size_t
state_size(const gs_op *op, int64_t n)
{
	return (size_t) lay_state<M>(n, NULL).workspace +
		workspace_size<M>(op, n);
}

typedef moving_float<float, false> float_sum;
typedef moving_float<double, false> double_sum;
typedef moving_float<float, true> float_mean;
typedef moving_float<double, true> double_mean;

/* Return a template's result for the kind of operation and type. */
#define AVG_TYPE	(GS_TYPES)	/* more than types of sums */
#define STDDEV_TYPE	(2 * GS_TYPES)

#define BY_KIND(op, call, none) \
	switch ((op)->kind == GS_MOVING_SUM ? (op)->type : \
			(op)->kind == GS_MOVING_AVG ? AVG_TYPE + (op)->type : \
			(op)->kind == GS_MOVING_STDDEV ? STDDEV_TYPE + (op)->type : \
			-(op)->type) \
	{ \
		case GS_INT2: \
			return call(moving_integer_sum<int16_t>); \
		case GS_INT4: \
			return call(moving_integer_sum<int32_t>); \
		case GS_INT8: \
			return call(moving_wide_sum); \
		case GS_FLOAT4: \
			return call(float_sum); \
		case GS_FLOAT8: \
			return call(double_sum); \
		case AVG_TYPE + GS_INT2: \
			return call(moving_total<int16_t>); \
		case AVG_TYPE + GS_INT4: \
			return call(moving_total<int32_t>); \
		case AVG_TYPE + GS_INT8: \
			return call(moving_total<int64_t>); \
		case STDDEV_TYPE + GS_INT2: \
			return call(moving_moments<int16_t>); \
		case STDDEV_TYPE + GS_INT4: \
			return call(moving_moments<int32_t>); \
		case STDDEV_TYPE + GS_INT8: \
			return call(moving_moments<int64_t>); \
		case AVG_TYPE + GS_FLOAT4: \
			return call(float_mean); \
		case AVG_TYPE + GS_FLOAT8: \
			return call(double_mean); \
		case STDDEV_TYPE + GS_FLOAT4: \
			return call(moving_stddev<float>); \
		case STDDEV_TYPE + GS_FLOAT8: \
			return call(moving_stddev<double>); \
		case -GS_INT2: \
			return call(moving_extreme<int16_t>); \
		case -GS_INT4: \
			return call(moving_extreme<int32_t>); \
		case -GS_INT8: \
			return call(moving_extreme<int64_t>); \
		case -GS_FLOAT4: \
			return call(moving_extreme<float>); \
		case -GS_FLOAT8: \
			return call(moving_extreme<double>); \
		default: \
			return none; \
	}

static size_t
moving_state_size(const gs_op *op, int64_t n)
{
#define STATE_SIZE(M) state_size<M>(op, n)
	BY_KIND(op, STATE_SIZE, SIZE_MAX / 4)
}

static size_t
moving_report_size(const gs_op *op)
{
	return sizeof(moving_report);
}

/* Ranks, which spread elements that are not NULL. */
static size_t
moving_scratch_size(const gs_op *op, int64_t n)
{
	return gs_aligned(gs_bitmap_ranks_size(n)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(n));
}

static cudaError_t
moving_start(const gs_op *op, int64_t n, void *state, cudaStream_t stream)
{
	moving_report *report = (moving_report *) state;

	GS_TRY(cudaMemsetAsync(report, 0xff, offsetof(moving_report, end),
						   stream));
	return cudaMemsetAsync(&report->end, 0,
						   sizeof *report - offsetof(moving_report, end),
						   stream);
}

static cudaError_t
moving_batch(const gs_op *op, const gs_device_input *in,
			 const gs_device_output *, void *state, void *scratch,
			 cudaStream_t stream)
{
#define ADD_BATCH(M) add_batch<M>(op, in, state, scratch, stream)
	BY_KIND(op, ADD_BATCH, cudaErrorInvalidValue)
}

static cudaError_t
moving_arrange(const gs_op *op, int64_t n, int64_t present, void *state,
			   cudaStream_t stream)
{
#define ARRANGE(M) arrange<M>(op, n, present, state, stream)
	if (n == 0)
		return cudaSuccess;
	BY_KIND(op, ARRANGE, cudaErrorInvalidValue)
}

static cudaError_t
moving_fetch(const gs_op *op, int64_t n, int64_t present, gs_column column,
			 int64_t first, int64_t count, void *state, void *to,
			 cudaStream_t stream)
{
#define TAKE(M) \
	take<M>(op, n, present, column, first, count, state, to, stream)
	BY_KIND(op, TAKE, cudaErrorInvalidValue)
}

static cudaError_t
moving_complete(const gs_op *op, int64_t n, int64_t present, void *report,
				void *state, cudaStream_t stream)
{
	moving_report *r = (moving_report *) report;

	if (!gs_is_float_sum(op))
		return cudaSuccess;
#define COMPLETE(M) complete<M>(op, n, present, r, state, stream)
	if (op->type == GS_FLOAT4)
		return op->kind == GS_MOVING_AVG ? COMPLETE(float_mean) :
			op->kind == GS_MOVING_STDDEV ? COMPLETE(moving_stddev<float>) :
			COMPLETE(float_sum);
	return op->kind == GS_MOVING_AVG ? COMPLETE(double_mean) :
		op->kind == GS_MOVING_STDDEV ? COMPLETE(moving_stddev<double>) :
		COMPLETE(double_sum);
}

static void
moving_result(const gs_op *op, const void *report, gs_result *result)
{
	unsigned long long position =
		((const moving_report *) report)->out_of_range;

	result->results = result->n;
	result->position = position == ULLONG_MAX ? 0 : (int64_t) position;
}

const gs_kernels gs_moving_kernels = {
	.name = "moving",
	.state_size = moving_state_size,
	.report_size = moving_report_size,
	.scratch_size = moving_scratch_size,
	.start = moving_start,
	.batch = moving_batch,
	.result = moving_result,
	.arrange = moving_arrange,
	.fetch = moving_fetch,
	.complete = moving_complete
};
