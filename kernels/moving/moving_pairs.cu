/*-------------------------------------------------------------------------
 *
 * moving_pairs.cu
 *	  Correlations of moving frames.
 *
 * As moving.cu does it: pairs are spread out as doubles, zeros for one that has
 * a NULL, and a frame's sums are differences of prefix sums, in integers
 * (src/engine/moving_pairs.h).  Where an element is not finite, or the bits are
 * too far apart, the host computes the results.
 *
 * The state consists of:
 *
 *		report
 *		before			which pairs have no NULL; then how many before each
 *		y, x			elements
 *		ahead_y, ahead_x	prefix sums of them and of their squares
 *		ahead_xy		prefix sums of the products
 *		results, their validity
 *		workspace		CUB's
 *
 * Determinism: prefix sums are integers; each correlation is computed from
 * these by one thread, in the definition's steps.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/moving/moving_float.cuh"

#include "engine/moving_pairs.h"

#include <cub/device/device_scan.cuh>
#include <stdlib.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

typedef struct pairs_report
{
	moving_report y;
	moving_report x;
} pairs_report;

struct alignas(16) wide_product
{
	gs_quad		sum;
};

struct add_products
{
	__host__ __device__ wide_product
	operator()(wide_product a, wide_product b) const
	{
		wide_product r = {gs_quad_add(a.sum, b.sum, false)};

		return r;
	}
};

typedef struct pairs_state
{
	pairs_report *report;
	uint32_t   *before;			/* n + 1 */
	double	   *y;
	double	   *x;
	wide_moments *ahead_y;
	wide_moments *ahead_x;
	wide_product *ahead_xy;
	double	   *result;
	uint64_t   *validity;
	void	   *workspace;
	size_t		workspace_size;
} pairs_state;

static pairs_state
lay_pairs(int64_t n, void *state)
{
	pairs_state s = {};
	char	   *at = (char *) state;

	s.report = (pairs_report *) gs_part(&at, sizeof(pairs_report));
	s.before = (uint32_t *) gs_part(&at, (n + 1) * sizeof(uint32_t));
	s.y = (double *) gs_part(&at, n * sizeof(double));
	s.x = (double *) gs_part(&at, n * sizeof(double));
	s.ahead_y = (wide_moments *) gs_part(&at, n * sizeof(wide_moments));
	s.ahead_x = (wide_moments *) gs_part(&at, n * sizeof(wide_moments));
	s.ahead_xy = (wide_product *) gs_part(&at, n * sizeof(wide_product));
	s.result = (double *) gs_part(&at, n * sizeof(double));
	s.validity = (uint64_t *)
		gs_part(&at, GS_VALIDITY_ROWS(n) * sizeof(uint64_t));
	s.workspace = at;
	return s;
}

/* ----------
 * Batches
 * ----------
 */

/* One array of a batch, with the ranks of its values if it has a bitmap. */
template <typename T> struct ranked_values
{
	const T    *value;
	const uint32_t *validity;
	const uint32_t *ranks;

	__device__ bool
	find(int64_t i, double *x) const
	{
		int64_t		rank;
		bool		present = find_value(validity, ranks, i, &rank);

		*x = present ? (double) value[rank] : 0;
		return present;
	}
};

template <typename T>
__global__ static void
__launch_bounds__(THREADS)
spread_pairs(ranked_values<T> ys, ranked_values<T> xs, int64_t n, double *y,
			 double *x, uint32_t *present, pairs_report *report)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;
	float_seen	seen_y;
	float_seen	seen_x;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < n;
		 i += step)
	{
		double		u;
		double		v;
		bool		has_y = ys.find(i, &u);
		bool		has_x = xs.find(i, &v);
		bool		pair = has_y && has_x;

		/* -0 is like 0 here */
		y[i] = u = pair && u != 0 ? u : 0;
		x[i] = v = pair && v != 0 ? v : 0;
		present[i] = pair;
		seen_y.add(u);
		seen_x.add(v);
	}
	seen_y.tell(&report->y);
	seen_x.tell(&report->x);
}

/* Of one array. */
static size_t
ranks_size(int64_t n)
{
	return gs_aligned(gs_bitmap_ranks_size(n)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(n));
}

template <typename T>
static cudaError_t
rank(const gs_device_span *span, int64_t n, char *scratch, cudaStream_t stream,
	 ranked_values<T> *to)
{
	uint32_t   *ranks = (uint32_t *)
		gs_part(&scratch, gs_bitmap_ranks_size(n));

	to->value = (const T *) span->values;
	to->validity = (const uint32_t *) span->validity;
	to->ranks = ranks;
	if (span->validity == NULL)
		return cudaSuccess;
	return gs_bitmap_ranks(span->validity, n, ranks, scratch, stream);
}

template <typename T>
static cudaError_t
add_batch(const gs_device_input *in, void *state, char *scratch,
		  cudaStream_t stream)
{
	pairs_state s = lay_pairs(in->all, state);
	ranked_values<T> ys;
	ranked_values<T> xs;
	unsigned int blocks;

	GS_TRY(rank(&in->data, in->n, scratch, stream, &ys));
	GS_TRY(rank(&in->mask, in->n, scratch + ranks_size(in->n), stream, &xs));
	GS_TRY(grid_of(in->n, &blocks));
	spread_pairs<T><<<blocks, THREADS, 0, stream>>>
		(ys, xs, in->n, s.y + in->first, s.x + in->first, s.before + in->first,
		 s.report);
	return gs_launched();
}

/* ----------
 * Frames
 * ----------
 */

struct product_of
{
	const double *y;
	const double *x;
	const pairs_report *report;

	__host__ __device__ wide_product
	operator()(uint32_t i) const
	{
		wide_product r = {{{0}}};

		gs_quad_add_product(&r.sum, wide_of(&report->y, y[i]),
							wide_of(&report->x, x[i]), false);
		return r;
	}
};

static cudaError_t
add_up(const double *v, const moving_report *report, wide_moments *ahead,
	   int64_t n, void *workspace, size_t *size, cudaStream_t stream)
{
	return cub::DeviceScan::InclusiveScan
		(workspace, *size,
		 thrust::make_transform_iterator(v, moving_stddev<double>(NULL, report)),
		 ahead, add_parts(), (int) n, stream);
}

/* All prefix sums; without a workspace, only set the size that CUB needs. */
static cudaError_t
make_sums(pairs_state *s, int64_t n, cudaStream_t stream)
{
	size_t		size[3] = {s->workspace_size, s->workspace_size,
	s->workspace_size};
	product_of	products = {s->y, s->x, s->report};

	GS_TRY(cub::DeviceScan::ExclusiveSum(s->workspace, size[0], s->before,
										 s->before, (int) (n + 1), stream));
	GS_TRY(add_up(s->y, &s->report->y, s->ahead_y, n, s->workspace, &size[1],
				  stream));
	GS_TRY(add_up(s->x, &s->report->x, s->ahead_x, n, s->workspace, &size[1],
				  stream));
	GS_TRY(cub::DeviceScan::InclusiveScan
		   (s->workspace, size[2],
			thrust::make_transform_iterator
			(thrust::counting_iterator<uint32_t>(0), products),
			s->ahead_xy, add_products(), (int) n, stream));
	for (int k = 0; k < 3; k++)
	{
		if (s->workspace_size < size[k])
			s->workspace_size = size[k];
	}
	return cudaSuccess;
}

/* After an error of CUB's, a size that cannot be allocated. */
static size_t
workspace_size(int64_t n)
{
	pairs_state none = {};

	return n > 0 && make_sums(&none, n, 0) != cudaSuccess ? SIZE_MAX / 4 :
		none.workspace_size;
}

/* The result of frame i; false if there is none.  The sums have their units. */
__device__ static inline bool
correlate(frame f, const pairs_state &s, int64_t i, gs_moving_pairs *sums)
{
	int64_t		first = f.first(i);
	int64_t		last = f.last(i);
	wide_moments y = difference(s.ahead_y, first, last);
	wide_moments x = difference(s.ahead_x, first, last);
	double		r;
	bool		valid;

	sums->n = (int64_t) s.before[last + 1] - (int64_t) s.before[first];
	sums->y = y.sum;
	sums->yy = y.squares;
	sums->x = x.sum;
	sums->xx = x.squares;
	sums->xy = s.ahead_xy[last].sum;
	if (first > 0)
		sums->xy = gs_quad_add(sums->xy, s.ahead_xy[first - 1].sum, true);
	valid = gs_moving_pairs_correlation(sums, &r) != GS_UNDEFINED;
	s.result[i] = valid ? r : 0;
	return valid;
}

__global__ static void
__launch_bounds__(THREADS)
make_correlations(frame f, pairs_state s)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;
	gs_moving_pairs sums;

	if (!sums_are_wide(&s.report->y, f, &sums.base_y) ||
		!sums_are_wide(&s.report->x, f, &sums.base_x))
		return;					/* pairs_complete follows */
	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
		 i < 64 * GS_VALIDITY_ROWS(f.n); i += step)
	{
		gs_put_valid(s.validity, i, i < f.n && correlate(f, s, i, &sums));
	}
}

/* ----------
 * The family
 * ----------
 */

static size_t
pairs_state_size(const gs_op *, int64_t n)
{
	return (size_t) lay_pairs(n, NULL).workspace + workspace_size(n);
}

static size_t
pairs_report_size(const gs_op *)
{
	return sizeof(pairs_report);
}

static size_t
pairs_scratch_size(const gs_op *, int64_t n)
{
	return 2 * ranks_size(n);
}

static cudaError_t
start_report(moving_report *report, cudaStream_t stream)
{
	GS_TRY(cudaMemsetAsync(report, 0xff, offsetof(moving_report, end), stream));
	return cudaMemsetAsync(&report->end, 0,
						   sizeof *report - offsetof(moving_report, end),
						   stream);
}

static cudaError_t
pairs_start(const gs_op *, int64_t n, void *state, cudaStream_t stream)
{
	pairs_state s = lay_pairs(n, state);

	GS_TRY(start_report(&s.report->y, stream));
	GS_TRY(start_report(&s.report->x, stream));
	return cudaMemsetAsync(s.before + n, 0, sizeof *s.before, stream);
}

static cudaError_t
pairs_batch(const gs_op *op, const gs_device_input *in,
			const gs_device_output *, void *state, void *scratch,
			cudaStream_t stream)
{
	char	   *space = (char *) scratch;

	GS_BY_TYPE(op->type, add_batch, (in, state, space, stream))
}

static cudaError_t
pairs_arrange(const gs_op *op, int64_t n, int64_t, void *state,
			  cudaStream_t stream)
{
	pairs_state s = lay_pairs(n, state);
	unsigned int blocks;

	if (n == 0)
		return cudaSuccess;
	s.workspace_size = workspace_size(n);
	GS_TRY(make_sums(&s, n, stream));
	GS_TRY(grid_of(n, &blocks));
	make_correlations<<<blocks, THREADS, 0, stream>>>(frame(op, n), s);
	return gs_launched();
}

/* It takes the memory of the elements and the results, and 4 bytes a pair. */
static cudaError_t
compute_on_host(const gs_op *op, int64_t n, const pairs_state *s,
				cudaStream_t stream)
{
	size_t		doubles = n * sizeof(double);
	size_t		bits = GS_VALIDITY_ROWS(n) * sizeof(uint64_t);
	size_t		counts = (n + 1) * sizeof(uint32_t);
	double	   *memory = (double *) malloc(3 * doubles + bits + counts);
	double	   *x = memory + n;
	double	   *result = memory + 2 * n;
	uint64_t   *validity = (uint64_t *) (memory + 3 * n);
	uint32_t   *before = (uint32_t *) (validity + GS_VALIDITY_ROWS(n));
	cudaError_t error;

	if (memory == NULL)
		return cudaErrorMemoryAllocation;
	error = cudaMemcpyAsync(memory, s->y, doubles, cudaMemcpyDeviceToHost,
							stream);
	if (error == cudaSuccess)
		error = cudaMemcpyAsync(x, s->x, doubles, cudaMemcpyDeviceToHost,
								stream);
	if (error == cudaSuccess)
		error = cudaMemcpyAsync(before, s->before, counts,
								cudaMemcpyDeviceToHost, stream);
	if (error == cudaSuccess)
		error = cudaStreamSynchronize(stream);
	if (error == cudaSuccess)
	{
		gs_moving_correlations(op, n, memory, x, before, result, validity);
		error = cudaMemcpyAsync(s->result, result, doubles,
								cudaMemcpyHostToDevice, stream);
	}
	if (error == cudaSuccess)
		error = cudaMemcpyAsync(s->validity, validity, bits,
								cudaMemcpyHostToDevice, stream);
	if (error == cudaSuccess)
		error = cudaStreamSynchronize(stream);
	free(memory);
	return error;
}

static cudaError_t
pairs_complete(const gs_op *op, int64_t n, int64_t, void *report, void *state,
			   cudaStream_t stream)
{
	const pairs_report *r = (const pairs_report *) report;
	pairs_state s = lay_pairs(n, state);
	int			base;

	if (n == 0 ||
		(!r->y.special && !r->x.special &&
		 sums_are_wide(&r->y, frame(op, n), &base) &&
		 sums_are_wide(&r->x, frame(op, n), &base)))
		return cudaSuccess;
	return compute_on_host(op, n, &s, stream);
}

static void
pairs_result(const gs_op *, const void *, gs_result *result)
{
	result->results = result->n;
}

static const void *
pairs_column(const gs_op *, int64_t n, gs_column column, void *state)
{
	pairs_state s = lay_pairs(n, state);

	return column == GS_COLUMN_VALUES ? (const void *) s.result : s.validity;
}

const gs_kernels gs_moving_pairs_kernels = {
	.name = "moving pairs",
	.state_size = pairs_state_size,
	.report_size = pairs_report_size,
	.scratch_size = pairs_scratch_size,
	.start = pairs_start,
	.batch = pairs_batch,
	.result = pairs_result,
	.arrange = pairs_arrange,
	.column = pairs_column,
	.complete = pairs_complete
};
