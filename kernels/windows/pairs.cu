/*-------------------------------------------------------------------------
 *
 * pairs.cu
 *	  Variances and deviations of frames, and figures of their pairs: from
 *	  differences of prefix sums.
 *
 * Where the bits of all x lie close enough together, and so do those of all y,
 * the sums of a frame are integers of 128 and 256 bits
 * (src/engine/moving_pairs.h), and a thread finds the figure.  How many values of
 * a frame are not finite is counted; they are in no sum.
 *
 * Where bits are too far apart, the host computes the figures: it gets the values
 * in the order of places, with zeros for what is not present, and the frames.
 *
 * Determinism: sums are integers, and each figure is rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/moving_pairs.h"
#include "kernels/windows/frames.cuh"
#include "kernels/windows/summands.cuh"

#include <memory>
#include <new>

/* The columns: x, and y if the figure is of pairs. */
typedef struct figure_columns
{
	bool		pairs;
	const windows_found *found_x;
	const windows_found *found_y;
	summands	x;
	summands	y;
} figure_columns;

static figure_columns
columns_of(windows_call *c)
{
	const windows_run *run = c->run;
	const gs_window_function *f = c->f;
	figure_columns r = {};

	r.pairs = gs_window_is_of_pairs(f);
	r.x = {c->places, c->present, c->argument, c->type};
	r.found_x = &run->found[f->argument];
	if (!r.pairs)
		return r;
	r.y = r.x;
	r.found_y = r.found_x;
	r.x.values = run->relation->column[f->second].values;
	r.found_x = &run->found[f->second];
	return r;
}

/* ----------
 * On the device
 * ----------
 */

struct alignas(16) window_product
{
	gs_quad		sum;
};

struct add_products
{
	__host__ __device__ window_product
	operator()(window_product a, window_product b) const
	{
		window_product r = {gs_quad_add(a.sum, b.sum, false)};

		return r;
	}
};

/* Of two values of a place, which may be the same one. */
struct product_at
{
	wide_at		a;
	wide_at		b;

	__device__ window_product
	operator()(uint32_t i) const
	{
		window_product r = {};

		gs_quad_add_product(&r.sum, a(i), b(i), false);
		return r;
	}
};

/* Is it not finite? */
struct infinite_at
{
	summands	s;

	__device__ uint32_t
	operator()(uint32_t i) const
	{
		double		x;

		return find_summand(s, i, &x) && !gs_is_finite(x);
	}
};

/* Prefix sums, from 0 to n; those of y are there if it is of pairs. */
typedef struct figure_sums
{
	windows_frames frames;
	const uint32_t *counts;
	const uint32_t *infinite_x; /* NULL: all are finite */
	const uint32_t *infinite_y;
	int			base_x;
	int			base_y;
	const gs_wide *x;
	const gs_wide *y;
	const window_product *xx;
	const window_product *yy;	/* NULL: the figure does not need it */
	const window_product *xy;
	gs_figure	figure;
	windows_report *report;
} figure_sums;

template <bool PAIRS>
struct figure_of
{
	typedef double result;
	figure_sums s;

	__device__ double
	operator()(const windows_places &p, uint32_t i, bool *valid) const
	{
		gs_moving_pairs sums = {};
		bool		x_finite;
		bool		y_finite = true;
		gs_rounding rounding;
		uint32_t	from;
		uint32_t	to;
		double		x = 0;

		frame_of(p, s.frames, i, &from, &to);
		sums.n = count_of(s.counts, from, to);
		sums.base_x = s.base_x;
		sums.x = gs_wide_subtract(s.x[to], s.x[from]);
		if (s.xx != NULL)
			sums.xx = gs_quad_add(s.xx[to].sum, s.xx[from].sum, true);
		x_finite = s.infinite_x == NULL ||
			s.infinite_x[to] == s.infinite_x[from];
		if (PAIRS)
		{
			sums.base_y = s.base_y;
			sums.y = gs_wide_subtract(s.y[to], s.y[from]);
			sums.xy = gs_quad_add(s.xy[to].sum, s.xy[from].sum, true);
			if (s.yy != NULL)
				sums.yy = gs_quad_add(s.yy[to].sum, s.yy[from].sum, true);
			y_finite = s.infinite_y == NULL ||
				s.infinite_y[to] == s.infinite_y[from];
		}
		rounding = gs_moving_pairs_figure(&sums, s.figure, y_finite, x_finite,
										  &x);
		if (rounding != GS_ROUNDED && rounding != GS_UNDEFINED)
			windows_error(s.report, GS_ERROR_RANGE);
		*valid = rounding == GS_ROUNDED;
		return x;
	}
};

static cudaError_t
sum_values(windows_call *c, const summands &s, int base, const gs_wide **sums)
{
	const wide_at at = {s, base};
	gs_wide    *memory;

	GS_TRY(windows_take_sums(c, &memory));
	*sums = memory;
	return windows_prefix(c->run, c->places.n, at, add_wide(), memory);
}

static cudaError_t
sum_products(windows_call *c, const wide_at &a, const wide_at &b,
			 const window_product **sums)
{
	const product_at at = {a, b};
	window_product *memory;

	GS_TRY(windows_take_sums(c, &memory));
	*sums = memory;
	return windows_prefix(c->run, c->places.n, at, add_products(), memory);
}

static cudaError_t
count_infinite(windows_call *c, const summands &s, const windows_found *found,
			   const uint32_t **counts)
{
	const infinite_at at = {s};
	uint32_t   *memory;

	*counts = NULL;
	if (found->special == 0)
		return cudaSuccess;
	GS_TRY(windows_take_sums(c, &memory));
	*counts = memory;
	return windows_prefix(c->run, c->places.n, at, windows_add(), memory);
}

static cudaError_t
compute_figures(windows_call *c, const figure_columns &columns, figure_sums *s)
{
	const wide_at x = {columns.x, s->base_x};
	const wide_at y = {columns.y, s->base_y};
	bool		squares = gs_figure_has_squares(s->figure);

	s->frames = windows_frames_of(c);
	s->report = c->run->report;
	GS_TRY(windows_count_present(c, &s->counts));
	GS_TRY(count_infinite(c, columns.x, columns.found_x, &s->infinite_x));
	GS_TRY(sum_values(c, columns.x, s->base_x, &s->x));
	if (squares)
		GS_TRY(sum_products(c, x, x, &s->xx));
	if (!columns.pairs)
		return windows_compute(c, figure_of<false> {*s});
	GS_TRY(count_infinite(c, columns.y, columns.found_y, &s->infinite_y));
	GS_TRY(sum_values(c, columns.y, s->base_y, &s->y));
	GS_TRY(sum_products(c, x, y, &s->xy));
	if (squares)
		GS_TRY(sum_products(c, y, y, &s->yy));
	return windows_compute(c, figure_of<true> {*s});
}

/* ----------
 * On the host
 * ----------
 */

/* Of each place. */
typedef struct gathered_places
{
	double	   *y;				/* NULL unless it is of pairs */
	double	   *x;
	uint8_t    *present;
	uint32_t   *start;
	uint32_t   *end;
} gathered_places;

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
gather_places(const __grid_constant__ windows_places p,
			  const __grid_constant__ windows_frames frames,
			  const __grid_constant__ figure_columns columns,
			  const __grid_constant__ gathered_places to)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < p.n;
		 i += step)
	{
		double		x = 0;
		double		y = 0;

		to.present[i] = find_summand(columns.x, i, &x);
		to.x[i] = x;
		if (to.y != NULL)
		{
			(void) find_summand(columns.y, i, &y);
			to.y[i] = y;
		}
		frame_of(p, frames, i, &to.start[i], &to.end[i]);
	}
}

/* What the host has found. */
struct found_figure
{
	typedef double result;
	const double *value;
	const uint8_t *valid;
	uint32_t	errors;
	windows_report *report;

	__device__ double
	operator()(const windows_places &, uint32_t i, bool *is_valid) const
	{
		if (errors != 0)
			windows_error(report, errors);
		*is_valid = valid[i] != 0;
		return value[i];
	}
};

/* The host's memory. */
typedef struct host_places
{
	std::unique_ptr<double[]> y;
	std::unique_ptr<double[]> x;
	std::unique_ptr<double[]> result;
	std::unique_ptr<uint8_t[]> present;
	std::unique_ptr<uint8_t[]> valid;
	std::unique_ptr<uint32_t[]> start;
	std::unique_ptr<uint32_t[]> end;
} host_places;

static bool
allocate_places(host_places *h, uint32_t n, bool pairs)
{
	if (pairs)
		h->y.reset(new (std::nothrow) double[n]);
	h->x.reset(new (std::nothrow) double[n]);
	h->result.reset(new (std::nothrow) double[n]);
	h->present.reset(new (std::nothrow) uint8_t[n]);
	h->valid.reset(new (std::nothrow) uint8_t[n]);
	h->start.reset(new (std::nothrow) uint32_t[n]);
	h->end.reset(new (std::nothrow) uint32_t[n]);
	return (h->y || !pairs) && h->x && h->result && h->present && h->valid &&
		h->start && h->end;
}

static cudaError_t
take_places(windows_run *run, uint32_t n, bool pairs, gathered_places *to)
{
	if (pairs)
		GS_TRY(windows_take(run, n * sizeof(double), (void **) &to->y));
	GS_TRY(windows_take(run, n * sizeof(double), (void **) &to->x));
	GS_TRY(windows_take(run, n, (void **) &to->present));
	GS_TRY(windows_take(run, n * sizeof(uint32_t), (void **) &to->start));
	return windows_take(run, n * sizeof(uint32_t), (void **) &to->end);
}

template <typename T>
static cudaError_t
copy_to_host(windows_call *c, T *to, const T *from)
{
	return cudaMemcpyAsync(to, from, c->places.n * sizeof(T),
						   cudaMemcpyDeviceToHost, windows_stream(c->run));
}

static cudaError_t
compute_on_host(windows_call *c, const figure_columns &columns)
{
	cudaStream_t stream = windows_stream(c->run);
	uint32_t	n = c->places.n;
	gathered_places places = {};
	host_places host;
	unsigned int blocks;
	uint32_t	errors = 0;

	if (!allocate_places(&host, n, columns.pairs))
		return cudaErrorMemoryAllocation;
	GS_TRY(take_places(c->run, n, columns.pairs, &places));
	GS_TRY(windows_grid(n, &blocks));
	gather_places<<<blocks, WINDOWS_THREADS, 0, stream>>>
		(c->places, windows_frames_of(c), columns, places);
	GS_TRY(gs_launched());
	if (columns.pairs)
		GS_TRY(copy_to_host(c, host.y.get(), places.y));
	GS_TRY(copy_to_host(c, host.x.get(), places.x));
	GS_TRY(copy_to_host(c, host.present.get(), places.present));
	GS_TRY(copy_to_host(c, host.start.get(), places.start));
	GS_TRY(copy_to_host(c, host.end.get(), places.end));
	GS_TRY(cudaStreamSynchronize(stream));
	c->run->stopped =
		!gs_window_figures(c->f, n, host.y.get(), host.x.get(),
						   host.present.get(), host.start.get(),
						   host.end.get(), c->run->caller, host.result.get(),
						   host.valid.get(), &errors);
	if (c->run->stopped)
		return cudaSuccess;
	GS_TRY(cudaMemcpyAsync(places.x, host.result.get(), n * sizeof(double),
						   cudaMemcpyHostToDevice, stream));
	GS_TRY(cudaMemcpyAsync(places.present, host.valid.get(), n,
						   cudaMemcpyHostToDevice, stream));
	GS_TRY(windows_compute(c, found_figure {places.x, places.present, errors,
											 c->run->report}));

	/* the host's memory is in use until then */
	return cudaStreamSynchronize(stream);
}

cudaError_t
windows_figure(windows_call *c)
{
	const figure_columns columns = columns_of(c);
	figure_sums s = {};

	s.figure = (gs_figure) c->f->figure;
	if (gs_wide_fits(windows_extent_of(columns.found_x), c->places.n,
					 &s.base_x) &&
		(!columns.pairs ||
		 gs_wide_fits(windows_extent_of(columns.found_y), c->places.n,
					  &s.base_y)))
		return compute_figures(c, columns, &s);
	return compute_on_host(c, columns);
}
