/*-------------------------------------------------------------------------
 *
 * moving_special.cuh
 *	  Moving frames: what the report says that differences of sums do not give.
 *
 * Where elements are NaN, infinite or -0, the results of frames that have them
 * are mended: a scan over the elements finds, for each, the last ones before
 * it that are NaN, infinite, or anything but -0.  That overwrites the prefix
 * sums, which have been used.
 *
 * Where the elements' bits are too far apart for prefix sums, the host
 * computes the results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_SPECIAL_CUH
#define GS_MOVING_SPECIAL_CUH

#include "kernels/moving/moving_float.cuh"

#include <cub/device/device_scan.cuh>
#include <stdlib.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct alignas(16) last_seen
{
	gs_last_seen seen;
};

template <typename T> struct last_seen_of
{
	const T    *element;

	__host__ __device__ last_seen
	operator()(uint32_t i) const
	{
		last_seen	r = {gs_last_seen_of(element[i], i)};

		return r;
	}
};

struct merge_last_seen
{
	__host__ __device__ last_seen
	operator()(last_seen a, last_seen b) const
	{
		last_seen	r = {gs_last_seen_merge(a.seen, b.seen)};

		return r;
	}
};

/* Without a workspace, only set the size that CUB needs. */
template <class M>
static cudaError_t
find_last_seen(const moving_state<M> &s, int64_t n, size_t *workspace_size,
			   cudaStream_t stream)
{
	static_assert(sizeof(last_seen) <= sizeof(typename M::part),
				  "overwrites prefix sums");
	last_seen_of<typename M::element> make = {s.element};

	return cub::DeviceScan::InclusiveScan
		(s.workspace, *workspace_size,
		 thrust::make_transform_iterator
		 (thrust::counting_iterator<uint32_t>(0), make),
		 (last_seen *) s.ahead, merge_last_seen(), (int) n, stream);
}

__device__ static inline void
put_special(double x, double *to)
{
	*to = x;
}

/* The device's conversion does not keep a NaN's bits. */
__device__ static inline void
put_special(double x, float *to)
{
	*to = __int_as_float(x != x ? 0x7fc00000 : __float_as_int((float) x));
}

/* Only now is it known which results are out of range. */
template <bool SQUARES, typename R>
__global__ static void
__launch_bounds__(THREADS)
mend_results(frame f, const uint32_t *before, int64_t present,
			 const last_seen *ahead, R *result, moving_report *report)
{
	int64_t		step = (int64_t) gridDim.x * THREADS;

	for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < f.n;
		 i += step)
	{
		int64_t		first = f.first(i);
		int64_t		last = f.last(i);
		int64_t		count = count_values(before, first, last, f.n, present);
		uint32_t	seen = gs_last_seen_since(ahead[last].seen, first);
		double		x;

		if (count == 0)
			continue;
		if (SQUARES ? gs_special_stddev(seen, count, &x) :
			gs_special_sum(seen, &x))
			put_special(x, &result[i]);
		else if (!gs_is_finite(result[i]))
			atomicMin(&report->out_of_range, (unsigned long long) i + 1);
	}
}

template <class M>
static cudaError_t
mend(const gs_op *op, int64_t n, int64_t present, moving_report *report,
	 void *state, cudaStream_t stream)
{
	moving_state<M> s = lay_state<M>(n, state);
	moving_state<M> none = {};
	unsigned int blocks;

	GS_TRY(find_last_seen<M>(none, n, &s.workspace_size, stream));
	GS_TRY(find_last_seen<M>(s, n, &s.workspace_size, stream));
	GS_TRY(cudaMemsetAsync(&s.report->out_of_range, 0xff,
						   sizeof s.report->out_of_range, stream));
	GS_TRY(grid_of(n, &blocks));
	mend_results<M::squares><<<blocks, THREADS, 0, stream>>>
		(frame(op, n), present < n ? s.before : NULL, present,
		 (const last_seen *) s.ahead, s.result, s.report);
	GS_TRY(gs_launched());
	GS_TRY(cudaMemcpyAsync(report, s.report, sizeof *report,
						   cudaMemcpyDeviceToHost, stream));
	return cudaStreamSynchronize(stream);
}

/*
 * Compute all results on the host, whose functions need no unit: it takes the
 * memory of the elements, the results, and 4 bytes an element there.
 */
template <class M>
static cudaError_t
compute_on_host(const gs_op *op, int64_t n, int64_t present, moving_report *report,
		 void *state, cudaStream_t stream)
{
	moving_state<M> s = lay_state<M>(n, state);
	size_t		elements = n * sizeof(typename M::element);
	size_t		results = n * sizeof(typename M::result);
	size_t		counts = (n + 1) * sizeof(uint32_t);
	cudaError_t error = cudaSuccess;
	char	   *memory;
	uint32_t   *before;
	int64_t		done;

	memory = (char *) malloc(elements + results + counts);
	if (memory == NULL)
		return cudaErrorMemoryAllocation;
	before = (uint32_t *) (memory + elements + results);
	error = cudaMemcpyAsync(memory, s.element, elements,
							cudaMemcpyDeviceToHost, stream);
	if (error == cudaSuccess && present < n)
		error = cudaMemcpyAsync(before, s.before, n * sizeof(uint32_t),
								cudaMemcpyDeviceToHost, stream);
	if (error == cudaSuccess)
		error = cudaStreamSynchronize(stream);
	if (error == cudaSuccess)
	{
		before[n] = (uint32_t) present;
		done = gs_moving_floats(op, n, memory, present < n ? before : NULL,
								memory + elements);
		report->out_of_range = done < n ? done + 1 : ULLONG_MAX;
		error = done < n ? cudaSuccess :
			cudaMemcpyAsync(s.result, memory + elements, results,
							cudaMemcpyHostToDevice, stream);
	}
	if (error == cudaSuccess)
		error = cudaStreamSynchronize(stream);
	free(memory);
	return error;
}

/* After the report. */
template <class M>
static cudaError_t
complete(const gs_op *op, int64_t n, int64_t present, moving_report *report,
		 void *state, cudaStream_t stream)
{
	int			base;

	if (n == 0)
		return cudaSuccess;
	if (!sums_are_wide(report, frame(op, n), &base))
		return compute_on_host<M>(op, n, present, report, state, stream);
	return report->special ?
		mend<M>(op, n, present, report, state, stream) : cudaSuccess;
}

#endif							/* GS_MOVING_SPECIAL_CUH */
