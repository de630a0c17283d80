/*-------------------------------------------------------------------------
 *
 * pairs.cu
 *	  Correlations of frames.
 *
 * The host computes them, as it does those of arrays where integers of 256 bits do
 * not (moving_pairs.cu): it gets the pairs in the order of places, with zeros for what
 * is none, and each partition is two arrays (src/engine/moving_pairs.h).
 *
 * Determinism: each correlation is exact, and rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/moving_pairs.h"
#include "kernels/windows/places.cuh"

#include <memory>
#include <new>

/* Of each place. */
typedef struct window_pairs
{
	double	   *y;
	double	   *x;
	uint8_t    *present;
} window_pairs;

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
gather_pairs(const __grid_constant__ windows_places p,
			 const __grid_constant__ windows_present present,
			 const uint8_t *validity, const double *y, const double *x,
			 const __grid_constant__ window_pairs to)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < p.n;
		 i += step)
	{
		uint32_t	row = row_of(p, i);
		bool		pair = is_present(present, row) && bit_of(validity, row);

		to.y[i] = pair ? y[row] : 0;
		to.x[i] = pair ? x[row] : 0;
		to.present[i] = pair;
	}
}

/* What the host has found. */
struct correlation_of
{
	typedef double result;
	const double *value;
	const uint8_t *valid;

	__device__ double
	operator()(const windows_places &, uint32_t i, bool *is_valid) const
	{
		*is_valid = valid[i] != 0;
		return value[i];
	}
};

/* The host's memory. */
typedef struct host_pairs
{
	std::unique_ptr<double[]> y;
	std::unique_ptr<double[]> x;
	std::unique_ptr<double[]> result;
	std::unique_ptr<uint8_t[]> present;	/* then: which results are valid */
	std::unique_ptr<uint32_t[]> before;
	std::unique_ptr<uint64_t[]> validity;
	std::unique_ptr<uint32_t[]> partition;	/* NULL: all are one */
} host_pairs;

static bool
allocate_pairs(host_pairs *h, uint32_t n, bool partitions)
{
	h->y.reset(new (std::nothrow) double[n]);
	h->x.reset(new (std::nothrow) double[n]);
	h->result.reset(new (std::nothrow) double[n]);
	h->present.reset(new (std::nothrow) uint8_t[n]);
	h->before.reset(new (std::nothrow) uint32_t[(size_t) n + 1]);
	h->validity.reset(new (std::nothrow) uint64_t[GS_VALIDITY_ROWS(n)]);
	if (partitions)
		h->partition.reset(new (std::nothrow) uint32_t[n]);
	return h->y && h->x && h->result && h->present && h->before &&
		h->validity && (h->partition || !partitions);
}

/* Of a partition's places, first to end - 1. */
static void
correlate_partition(const gs_window_function *f, host_pairs *h,
					uint32_t first, uint32_t end)
{
	uint32_t	n = end - first;
	uint8_t    *present = h->present.get() + first;
	uint32_t   *before = h->before.get();
	gs_op		op = {};

	op.kind = GS_MOVING_CORR;
	op.type = GS_FLOAT8;
	op.moving.preceding = (int32_t) f->start.offset;
	op.moving.following = (int32_t) f->end.offset;
	before[0] = 0;
	for (uint32_t i = 0; i < n; i++)
		before[i + 1] = before[i] + present[i];
	gs_moving_correlations(&op, n, h->y.get() + first, h->x.get() + first,
						   before, h->result.get() + first, h->validity.get());
	for (uint32_t i = 0; i < n; i++)
		present[i] = h->validity[i / 64] >> (i % 64) & 1;
}

static void
correlate_pairs(windows_call *c, host_pairs *h)
{
	uint32_t	n = c->places.n;
	uint32_t	end;

	for (uint32_t first = 0; first < n && !c->run->stopped; first = end)
	{
		end = h->partition ? first + 1 : n;
		while (end < n && h->partition[end] == h->partition[first])
			end++;
		correlate_partition(c->f, h, first, end);
		windows_ask(c->run);
	}
}

template <typename T>
static cudaError_t
copy_to_host(windows_call *c, T *to, const T *from)
{
	return cudaMemcpyAsync(to, from, c->places.n * sizeof(T),
						   cudaMemcpyDeviceToHost, windows_stream(c->run));
}

cudaError_t
windows_correlation(windows_call *c)
{
	const gs_column_data *second = &c->run->relation->column[c->f->second];
	cudaStream_t stream = windows_stream(c->run);
	uint32_t	n = c->places.n;
	host_pairs	host;
	window_pairs pairs;
	unsigned int blocks;

	if (!allocate_pairs(&host, n, c->places.partition != NULL))
		return cudaErrorMemoryAllocation;
	GS_TRY(windows_take(c->run, n * sizeof(double), (void **) &pairs.y));
	GS_TRY(windows_take(c->run, n * sizeof(double), (void **) &pairs.x));
	GS_TRY(windows_take(c->run, n, (void **) &pairs.present));
	GS_TRY(windows_grid(n, &blocks));
	gather_pairs<<<blocks, WINDOWS_THREADS, 0, stream>>>
		(c->places, c->present, second->validity, (const double *) c->argument,
		 (const double *) second->values, pairs);
	GS_TRY(gs_launched());
	GS_TRY(copy_to_host(c, host.y.get(), pairs.y));
	GS_TRY(copy_to_host(c, host.x.get(), pairs.x));
	GS_TRY(copy_to_host(c, host.present.get(), pairs.present));
	if (host.partition)
		GS_TRY(copy_to_host(c, host.partition.get(), c->places.partition));
	GS_TRY(cudaStreamSynchronize(stream));
	correlate_pairs(c, &host);
	if (c->run->stopped)
		return cudaSuccess;
	GS_TRY(cudaMemcpyAsync(pairs.y, host.result.get(), n * sizeof(double),
						   cudaMemcpyHostToDevice, stream));
	GS_TRY(cudaMemcpyAsync(pairs.present, host.present.get(), n,
						   cudaMemcpyHostToDevice, stream));
	GS_TRY(windows_compute(c, correlation_of {pairs.y, pairs.present}));

	/* the host's memory is in use until then */
	return cudaStreamSynchronize(stream);
}
