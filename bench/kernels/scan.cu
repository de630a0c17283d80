/*-------------------------------------------------------------------------
 *
 * scan.cu
 *	  Contests of scans.
 *
 * Sums of integers are checked by their differences: each result minus the
 * previous one must be the element.  The oracle for doubles, which are
 * multiples of 2^-52, is CUB's scan over 128-bit integers, rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"

#include <cmath>
#include <cstring>

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "classic.cuh"
#include "exact/ewma.h"

#define CHUNK	512
#define MASK	((uint8_t *) memory.in + (INT64_C(8) << 30))

/*
 * Count results that are not the previous one (0 at a start) plus the element.
 */
template <typename In, typename Out>
static __global__ void
count_wrong(const In *v, const Out *out, int64_t n, int64_t chunk,
			unsigned long long *wrong)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;
	unsigned long long mine = 0;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		mine += out[i] != (i % chunk == 0 ? 0 : out[i - 1]) + (Out) v[i];
	if (mine != 0)
		atomicAdd(wrong, mine);
}

/* Is `count` on the device zero after f's launches? */
template <typename F>
static bool
none_wrong(F f)
{
	unsigned long long *wrong = (unsigned long long *) memory.scratch;
	unsigned long long result;

	CUDA(cudaMemset(wrong, 0, sizeof *wrong));
	f(wrong);
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpy(&result, wrong, sizeof result, cudaMemcpyDeviceToHost));
	return result == 0;
}

template <typename In, typename Out>
static bool
sums_right(const void *v, int64_t n, int64_t chunk)
{
	return none_wrong([=](unsigned long long *wrong) {
		count_wrong<<<2048, 256>>>((const In *) v, (const Out *) memory.out, n,
								   chunk, wrong);
	});
}

static gs_op
scan_op(gs_type type)
{
	gs_op		op = {};

	op.kind = GS_SCAN_SUM;
	op.type = type;
	return op;
}

static contestant
gpuscan(const gpuscan_call &call, std::function<bool(void)> is_right)
{
	contestant	p;

	p.name = "gpuscan";
	p.run = [=] { execute(call); };
	p.is_right = is_right;
	return p;
}

/* CUB's scan with sums of type Out. */
template <typename In, typename Out>
static contestant
cub_scan(int64_t n, std::function<bool(void)> is_right)
{
	contestant	p;
	size_t		size = 0;
	In		   *const v = (In *) memory.in;
	Out		   *const out = (Out *) memory.out;

	CUDA(cub::DeviceScan::InclusiveScanInit(NULL, size, v, out,
											cuda::std::plus<>(), Out(0), n));
	p.name = "CUB DeviceScan";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub::DeviceScan::InclusiveScanInit(memory.scratch, workspace, v,
												out, cuda::std::plus<>(),
												Out(0), n));
	};
	p.is_right = is_right;
	return p;
}

static void
bench_integers(const char *work, int64_t n, gs_type type, bool small)
{
	const int	width = type == GS_INT4 ? 4 : 8;
	contest		c = {work, n, n * (width + 8)};

	if (!wanted(work))
		return;
	if (type == GS_INT4)
	{
		auto		right = [=] {
			return sums_right<int32_t, int64_t>(memory.in, n, n);
		};

		compete_all(c, small,
					{gpuscan(prepare(scan_op(type), memory.in, n), right),
					 cub_scan<int32_t, int64_t>(n, right)});
	}
	else
	{
		auto		right = [=] {
			return sums_right<int64_t, int64_t>(memory.in, n, n);
		};

		compete_all(c, small,
					{gpuscan(prepare(scan_op(type), memory.in, n), right),
					 cub_scan<int64_t, int64_t>(n, right)});
	}
}

/* int4 to int4, which gpuscan does not offer: the classic algorithms */
static void
bench_classic_scans(void)
{
	const int64_t n = INT64_C(1) << 30;
	contest		c = {"scan int4 to int4", n, n * 8};
	int32_t    *const v = (int32_t *) memory.in;
	int32_t    *const out = (int32_t *) memory.out;
	int32_t    *const space = (int32_t *) memory.expected;
	contestant	p;
	auto		right = [=] {
		return sums_right<int32_t, int32_t>(v, n, n);
	};

	if (!wanted(c.work))
		return;
	compete(c, cub_scan<int32_t, int32_t>(n, right));
	p.is_right = right;
	p.name = "classic: Blelloch, padded";
	p.run = [=] { scan_blelloch(v, n, out, space); };
	compete(c, p);
	p.name = "classic: Fenwick tree";
	p.run = [=] { scan_fenwick(v, n, out, space); };
	compete(c, p);
	p.name = "classic: Hillis-Steele, global memory";
	p.run = [=] { scan_hillis_steele(v, n, out, space); };
	compete(c, p);
}

static void
bench_chunk_scans(void)
{
	const int64_t n = INT64_C(1) << 30;
	static const struct
	{
		const char *name;
		void		(*scan) (const int32_t *v, int64_t n, int32_t *out);
	}			classics[] = {
		{"classic: Hillis-Steele, global memory", chunk_scan_global},
		{"classic: Hillis-Steele, shared memory", chunk_scan_shared},
		{"classic: double-buffered", chunk_scan_double_buffer},
		{"classic: warp shuffle", chunk_scan_shuffle},
		{"classic: coarsened, 4 a thread", chunk_scan_coarsened}
	};
	contest		c = {"scan int4 in chunks of 512", n, n * 8};
	contest		ours = {"scan int4 to int8 in chunks of 512", n / 2, n * 6};
	gs_op		op = scan_op(GS_INT4);

	if (!wanted(c.work) && !wanted(ours.work))
		return;
	op.segment.length = CHUNK;
	compete(ours, gpuscan(prepare(op, memory.in, n / 2), [=] {
		return sums_right<int32_t, int64_t>(memory.in, n / 2, CHUNK);
	}));
	for (const auto &k : classics)
	{
		contestant	p;

		p.name = k.name;
		p.run = [=] {
			k.scan((int32_t *) memory.in, n, (int32_t *) memory.out);
		};
		p.is_right = [=] {
			return sums_right<int32_t, int32_t>(memory.in, n, CHUNK);
		};
		compete(c, p);
	}
}

/* An integer of 128 bits, in units of 2^-52, rounded to double. */
static __device__ double
rounded(__int128 x)
{
	const bool	negative = x < 0;
	unsigned __int128 m = negative ? -(unsigned __int128) x : x;
	int			shift = 0;
	double		r;

	if (m >> 64 != 0)
	{
		shift = 64 - __clzll((long long) (m >> 64));
		/* the last bit is sticky */
		m = m >> shift | ((m & (((unsigned __int128) 1 << shift) - 1)) != 0);
	}
	r = __ull2double_rn((unsigned long long) m) * ldexp(1.0, shift - 52);
	return negative ? -r : r;
}

struct to_integer
{
	__host__ __device__ __int128 operator()(double v) const
	{
		return (int64_t) (v * 0x1p52);
	}
};

/* Count doubles that are not the rounded sum, or float sums far from it. */
static __global__ void
count_unequal(const __int128 *sums, const double *out, int64_t n,
			  double tolerance, unsigned long long *wrong)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;
	unsigned long long mine = 0;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		mine += !(fabs(out[i] - rounded(sums[i])) <= tolerance);
	if (mine != 0)
		atomicAdd(wrong, mine);
}

static std::function<bool(void)>
doubles_right(int64_t n, double tolerance)
{
	return [=] {
		return none_wrong([=](unsigned long long *wrong) {
			count_unequal<<<2048, 256>>>((const __int128 *) memory.expected,
										 (const double *) memory.out, n,
										 tolerance, wrong);
		});
	};
}

static void
bench_doubles(const char *work, int64_t n, bool small)
{
	contest		c = {work, n, n * 16};
	auto		v = thrust::make_transform_iterator((const double *) memory.in,
													to_integer());
	size_t		size = 0;

	if (!wanted(work))
		return;
	fill_double((double *) memory.in, n, 33);
	CUDA(cub::DeviceScan::InclusiveSum(NULL, size, v,
									   (__int128 *) memory.expected, n));
	CUDA(cub::DeviceScan::InclusiveSum(memory.scratch, size, v,
									   (__int128 *) memory.expected, n));
	compete_all(c, small,
				{gpuscan(prepare(scan_op(GS_FLOAT8), memory.in, n),
						 doubles_right(n, 0)),
				 cub_scan<double, double>(n, doubles_right(n, 1e-6))});
}

static __global__ void
round_to_float(const __int128 *sums, float *to, int64_t n)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;

	/* such sums of 2^-23 are integers below 2^53, so this rounds once */
	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		to[i] = __ll2float_rn((long long) (sums[i] >> 29)) * 0x1p-23f;
}

struct widen
{
	__host__ __device__ __int128 operator()(float v) const
	{
		return (int64_t) (v * 0x1p52);
	}
};

static void
bench_floats(void)
{
	const int64_t n = INT64_C(1) << 28;
	contest		c = {"scan float4", n, n * 8};
	auto		v = thrust::make_transform_iterator((const float *) memory.in,
													widen());
	__int128   *sums = (__int128 *) memory.scratch;
	char	   *space = memory.scratch + (INT64_C(4) << 30);
	size_t		size = 0;

	if (!wanted(c.work))
		return;
	fill_float((float *) memory.in, n, 34);
	CUDA(cub::DeviceScan::InclusiveSum(NULL, size, v, sums, n));
	CUDA(cub::DeviceScan::InclusiveSum(space, size, v, sums, n));
	round_to_float<<<2048, 256>>>(sums, (float *) memory.expected, n);
	CUDA(cudaGetLastError());
	compete(c, gpuscan(prepare(scan_op(GS_FLOAT4), memory.in, n), [=] {
		return differing(memory.out, memory.expected, n * 4) == 0;
	}));
	compete(c, cub_scan<float, float>(n, [] { return true; }));
}

static __global__ void
keys_of(const uint8_t *heads, int32_t *keys, int64_t n)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		keys[i] = heads[i];
}

/*
 * Segments: gpuscan reads heads, one byte an element; CUB reads keys that
 * differ between neighbours, here the number of heads so far.
 */
static void
bench_segments(void)
{
	const int64_t n = INT64_C(1) << 28;
	contest		c = {"scan float8, segments of about 100, heads", n, n * 17};
	contest		by_key = {"scan float8, segments of about 100, keys", n,
		n * 20};
	double	   *const v = (double *) memory.in;
	int32_t    *const keys = (int32_t *) (memory.in + n * 8);
	auto		integers = thrust::make_transform_iterator((const double *) v,
														   to_integer());
	gs_op		op = scan_op(GS_FLOAT8);
	gpuscan_call call;
	contestant	p;
	size_t		size = 0;

	if (!wanted(c.work) && !wanted(by_key.work))
		return;
	fill_double(v, n, 35);
	fill_flags(MASK, n, 0.01, 36);
	keys_of<<<2048, 256>>>(MASK, keys, n);
	CUDA(cudaGetLastError());
	CUDA(cub::DeviceScan::InclusiveSum(NULL, size, keys, keys, n));
	CUDA(cub::DeviceScan::InclusiveSum(memory.scratch, size, keys, keys, n));
	CUDA(cub::DeviceScan::InclusiveSumByKey(NULL, size, keys, integers,
											(__int128 *) memory.expected, n));
	CUDA(cub::DeviceScan::InclusiveSumByKey(memory.scratch, size, keys,
											integers,
											(__int128 *) memory.expected, n));
	op.segment.marked = 1;
	call = prepare(op, v, n);
	call.in.mask.values = MASK;
	call.in.mask.present = n;
	compete(c, gpuscan(call, doubles_right(n, 0)));

	CUDA(cub::DeviceScan::InclusiveSumByKey(NULL, size, keys, v,
											(double *) memory.out, n));
	p.name = "CUB DeviceScan::InclusiveSumByKey";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub::DeviceScan::InclusiveSumByKey(memory.scratch, workspace, keys,
												v, (double *) memory.out, n));
	};
	p.is_right = doubles_right(n, 1e-9);
	compete(by_key, p);
}

/* 32 flags become a word of a bitmap */
static __global__ void
pack_flags(const uint8_t *flags, uint32_t *bits, int64_t words)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
		 i < words; i += step)
	{
		uint32_t	word = 0;

		for (int j = 0; j < 32; j++)
			word |= (uint32_t) flags[i * 32 + j] << j;
		bits[i] = word;
	}
}

static __global__ void
clear_nulls(int64_t *v, const uint8_t *flags, int64_t n)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
		v[i] = flags[i] ? v[i] : 0;
}

/* A tenth NULL, the first element not, so that every result has a value. */
static void
bench_nulls(void)
{
	const int64_t n = INT64_C(1) << 28;
	int64_t    *const all = (int64_t *) memory.expected;
	int64_t    *const packed = (int64_t *) memory.in;
	uint32_t   *const bits = (uint32_t *) (memory.in + (INT64_C(4) << 30));
	contest		c = {"scan int8, a tenth NULL", n, 0};
	gpuscan_call call;
	size_t		size = 0;
	int64_t		present;

	if (!wanted(c.work))
		return;
	fill_int8(all, n, INT64_C(1) << 33, 37);
	fill_flags(MASK, n, 0.9, 38);
	CUDA(cudaMemset(MASK, 1, 1));
	pack_flags<<<2048, 256>>>(MASK, bits, n / 32);
	CUDA(cudaGetLastError());
	CUDA(cub::DeviceSelect::Flagged(NULL, size, all, MASK, packed,
									(int64_t *) memory.out, n));
	CUDA(cub::DeviceSelect::Flagged(memory.scratch, size, all, MASK, packed,
									(int64_t *) memory.out, n));
	CUDA(cudaMemcpy(&present, memory.out, sizeof present,
					cudaMemcpyDeviceToHost));
	clear_nulls<<<2048, 256>>>(all, MASK, n);
	CUDA(cudaGetLastError());
	c.bytes = present * 8 + n / 8 + n * 8;
	call = prepare(scan_op(GS_INT8), packed, n);
	call.in.data.present = present;
	call.in.data.validity = (const uint8_t *) bits;
	call.out.validity = (uint8_t *) memory.out + (INT64_C(8) << 30);
	compete(c, gpuscan(call, [=] {
		return sums_right<int64_t, int64_t>(memory.expected, n, n);
	}));
}

/* The steps on the host. */
static std::vector<double>
exponential_means(const double *values, int64_t n, double alpha)
{
	std::vector<double> x(n);
	double		greatest = 0;
	gs_ewma		e;

	CUDA(cudaMemcpy(x.data(), values, n * sizeof(double),
					cudaMemcpyDeviceToHost));
	for (double value : x)
		greatest = fmax(greatest, fabs(value));
	gs_ewma_open(&e, alpha, false, greatest);
	for (int64_t i = 0; i < n; i += GS_EWMA_TILE)
		gs_ewma_next(&e, &x[i], NULL, NULL,
					 (int) std::min<int64_t>(GS_EWMA_TILE, n - i), &x[i]);
	return x;
}

/* Means of an array that the service has: nothing is gathered. */
static void
bench_means(const char *work, int64_t n)
{
	contest		c = {work, n, n * 16};
	gs_op		op = {};
	std::vector<double> expected;
	gpuscan_call call;

	if (!wanted(c.work))
		return;
	op.kind = GS_EWMA;
	op.type = GS_FLOAT8;
	op.ewma.alpha = 0.1;
	op.cached = 1;
	fill_double((double *) memory.in, n, 36);
	expected = exponential_means((const double *) memory.in, n, op.ewma.alpha);
	call = prepare(op, memory.in, n);
	compete(c, gpuscan(call, [=] {
		std::vector<double> means(n);

		CUDA(cudaMemcpy(means.data(),
						call.kernels->column(&call.op, n, GS_COLUMN_VALUES,
											 call.state),
						n * sizeof(double), cudaMemcpyDeviceToHost));
		return memcmp(means.data(), expected.data(), n * sizeof(double)) == 0;
	}));
}

void
bench_scan(void)
{
	const int64_t n = INT64_C(1) << 28;

	fill_int4((int32_t *) memory.in, INT64_C(1) << 30, 1000, 31);
	bench_integers("scan int4 to int8", n, GS_INT4, false);
	bench_classic_scans();
	bench_chunk_scans();
	for (int64_t small = 1000; small <= 10000000; small *= 10)
		bench_integers("scan int4 to int8, small", small, GS_INT4, true);
	fill_int8((int64_t *) memory.in, n, INT64_C(1) << 33, 32);
	bench_integers("scan int8", n, GS_INT8, false);
	bench_nulls();
	bench_doubles("scan float8", n, false);
	for (int64_t small = 1000; small <= 10000000; small *= 10)
		bench_doubles("scan float8, small", small, true);
	bench_means("exponential means float8", n);
	bench_means("exponential means float8, small", 10000000);
	bench_floats();
	bench_segments();
}
