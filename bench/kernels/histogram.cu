/*-------------------------------------------------------------------------
 *
 * histogram.cu
 *	  Contests of histograms.
 *
 * The oracle is one global atomic addition a value, using the server's formula
 * as written.  CUB multiplies by a reciprocal and so moves some values across
 * an edge: one in a million of its counts may be off.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cub/device/device_histogram.cuh>

#include "classic.cuh"

#define MOST_BINS	((1 << 20) + 3)

/* Counts in gpuscan's order: below, the buckets, above, NaN. */
static __global__ void
count_plainly(const double *v, int64_t n, double low, double high, int buckets,
			  unsigned long long *counts)
{
	int64_t		step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
	{
		int			k = buckets + 2;

		if (v[i] < low)
			k = 0;
		else if (v[i] >= high)
			k = buckets + 1;
		else if (v[i] == v[i])
			k = (int) __dadd_rn(__ddiv_rn(__dmul_rn(buckets,
													__dsub_rn(v[i], low)),
										  __dsub_rn(high, low)), 1);
		atomicAdd(&counts[k], 1ull);
	}
}

static __global__ void
count_edges_plainly(const double *v, int64_t n, const double *edges,
					int buckets, unsigned long long *counts)
{
	int64_t		step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
	{
		int			k = 0;

		while (k <= buckets && v[i] >= edges[k])
			k++;
		atomicAdd(&counts[k], 1ull);
	}
}

/* Compare counts of type T with the expected ones. */
template <typename T>
static bool
counts_right(const T *counts, int buckets, int64_t n, double tolerance)
{
	std::vector<T> got(buckets);
	std::vector<unsigned long long> expected(buckets);
	double		off = 0;

	CUDA(cudaMemcpy(got.data(), counts, buckets * sizeof(T),
					cudaMemcpyDeviceToHost));
	CUDA(cudaMemcpy(expected.data(), memory.expected + 8, buckets * 8,
					cudaMemcpyDeviceToHost));
	for (int i = 0; i < buckets; i++)
		off += std::abs((double) got[i] - (double) expected[i]);
	return off <= tolerance * n;
}

static contestant
gpuscan(const gs_op &op, int64_t n)
{
	gpuscan_call call = prepare(op, memory.in, n);
	contestant	p;

	p.name = "gpuscan";
	p.before = nullptr;
	p.run = [=] { execute(call); };
	p.is_right = [=] {
		return counts_right((long long *) call.state + 1, op.histogram.buckets, n, 0);
	};
	return p;
}

static contestant
cub_even(int64_t n, double low, double high, int buckets)
{
	contestant	p;
	size_t		size = 0;

	CUDA(cub::DeviceHistogram::HistogramEven(NULL, size, (double *) memory.in,
											 (int *) memory.out, buckets + 1,
											 low, high, n));
	p.name = "CUB HistogramEven";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub::DeviceHistogram::HistogramEven(memory.scratch, workspace,
												 (double *) memory.in,
												 (int *) memory.out,
												 buckets + 1, low, high, n));
	};
	p.is_right = [=] {
		return counts_right((int *) memory.out, buckets, n, 1e-6);
	};
	return p;
}

static gs_op
width_op(double low, double high, int buckets)
{
	gs_op		op = {};

	op.kind = GS_HISTOGRAM_WIDTH;
	op.type = GS_FLOAT8;
	op.histogram.low = low;
	op.histogram.high = high;
	op.histogram.buckets = buckets;
	op.histogram.formula = GS_BUCKET_PRODUCT_FIRST;
	return op;
}

static void
expect_width(int64_t n, double low, double high, int buckets)
{
	CUDA(cudaMemset(memory.expected, 0, MOST_BINS * 8));
	/* contention on one count is slow, but the result is right */
	count_plainly<<<2048, 256>>>((double *) memory.in, n, low, high, buckets,
								 (unsigned long long *) memory.expected);
	CUDA(cudaGetLastError());
}

static void
bench_width(const char *work, int64_t n, double low, double high, int buckets,
			bool small)
{
	contest		c = {work, n, n * 8};

	if (!wanted(work))
		return;
	if (small)
		fill_unit((double *) memory.in, n, 77);
	expect_width(n, low, high, buckets);
	compete_all(c, small, {gpuscan(width_op(low, high, buckets), n),
						   cub_even(n, low, high, buckets)});
	if (!small && buckets == 256)
	{
		contestant	p;

		p.name = "in shared memory, merged at the end";
		p.run = [=] {
			histogram_shared((double *) memory.in, n, low, high, buckets,
							 (unsigned long long *) memory.out);
		};
		p.is_right = [=] {
			return counts_right((long long *) memory.out, buckets, n, 1e-6);
		};
		compete(c, p);
	}
}

static void
bench_edges(int64_t n)
{
	contest		c = {"histogram float8, 256 given edges", n, n * 8};
	std::vector<double> edges;
	gs_op		op = {};
	double	   *there = (double *) (memory.scratch + (INT64_C(1) << 30));
	size_t		size = 0;
	contestant	p;

	if (!wanted(c.work))
		return;
	for (int i = 0; i < 256; i++)
		edges.push_back((i + 0.9 * (i * 2654435761u % 1000) / 1000) / 256);
	op.kind = GS_HISTOGRAM_EDGES;
	op.type = GS_FLOAT8;
	op.histogram.buckets = 255;
	op.histogram.edges = edges.data();
	CUDA(cudaMemcpy(there, edges.data(), 256 * 8, cudaMemcpyHostToDevice));
	CUDA(cudaMemset(memory.expected, 0, 258 * 8));
	count_edges_plainly<<<2048, 256>>>((double *) memory.in, n, there, 255,
									   (unsigned long long *) memory.expected);
	CUDA(cudaGetLastError());
	compete(c, gpuscan(op, n));
	CUDA(cub::DeviceHistogram::HistogramRange(NULL, size, (double *) memory.in,
											  (int *) memory.out, 256, there,
											  n));
	p.name = "CUB HistogramRange";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub::DeviceHistogram::HistogramRange(memory.scratch, workspace,
												  (double *) memory.in,
												  (int *) memory.out, 256,
												  there, n));
	};
	p.is_right = [=] {
		return counts_right((int *) memory.out, 255, n, 0);
	};
	compete(c, p);
}

/* int4 in 10 bins: the textbook kernels */
static void
bench_textbook(int64_t n)
{
	contest		c = {"histogram int4, 10 bins", n, n * 4};
	gs_op		op = width_op(0, 10, 10);
	contestant	p;

	if (!wanted(c.work))
		return;
	fill_int4((int32_t *) memory.in, n, 10, 5);
	add_to_all((int32_t *) memory.in, n, 5);
	CUDA(cudaMemset(memory.expected, 0, 16 * 8));
	histogram_global((int32_t *) memory.in, n,
					 (unsigned long long *) memory.expected + 1);
	op.type = GS_INT4;
	compete(c, gpuscan(op, n));
	p.name = "a global atomic addition an element";
	p.run = [=] {
		CUDA(cudaMemsetAsync(memory.out, 0, 10 * 8));
		histogram_global((int32_t *) memory.in, n,
						 (unsigned long long *) memory.out);
	};
	p.is_right = [=] {
		return counts_right((long long *) memory.out, 10, n, 0);
	};
	compete(c, p);
}

void
bench_histogram(void)
{
	const int64_t n = INT64_C(1) << 28;

	fill_unit((double *) memory.in, n, 3);
	bench_width("histogram float8, 10 buckets", n, 0, 1, 10, false);
	bench_width("histogram float8, 256 buckets", n, 0, 1, 256, false);
	bench_width("histogram float8, 4,096 buckets", n, 0, 1, 4096, false);
	bench_width("histogram float8, 65,536 buckets", n, 0, 1, 65536, false);
	bench_width("histogram float8, 1,048,576 buckets", n, 0, 1, 1 << 20, false);
	bench_edges(n);
	bench_width("histogram float8, 256 buckets, all in one", n, -300,
				0.5 * 1000, 256, false);
	for (int64_t small = 1000; small <= 10000000; small *= 10)
		bench_width("histogram float8, 256 buckets, small", small, 0, 1, 256,
					true);
	bench_textbook(n);
}
