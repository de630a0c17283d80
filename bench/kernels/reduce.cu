/*-------------------------------------------------------------------------
 *
 * reduce.cu
 *	  Contests of reductions.
 *
 * Doubles are multiples of 2^-52, floats of 2^-23, so the oracle adds them as
 * integers, upper and lower parts separately, by atomic additions.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

#include <cublas_v2.h>
#include <cub/device/device_reduce.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "classic.cuh"

/* An element as an integer, split so that 2^30 of either part can be added. */
template <typename T> static __device__ int64_t as_integer(T v) { return v; }

template <> __device__ int64_t
as_integer<double>(double v)
{
	return (int64_t) (v * 0x1p52);
}

template <> __device__ int64_t
as_integer<float>(float v)
{
	return (int64_t) (v * 0x1p23f);
}

struct integer_sum
{
	unsigned long long upper;	/* units of 2^26 */
	unsigned long long lower;
	unsigned long long absolute;	/* upper part of the sum of magnitudes */
};

template <typename T>
static __global__ void
add_as_integers(const T *v, int64_t n, integer_sum *sum)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;
	integer_sum	mine = {};

	for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
		 i += step)
	{
		const int64_t x = as_integer(v[i]);

		mine.upper += (uint64_t) (x >> 26);
		mine.lower += (uint64_t) (x & 0x3ffffff);
		mine.absolute += (uint64_t) ((x < 0 ? -x : x) >> 26);
	}
	atomicAdd(&sum->upper, mine.upper);
	atomicAdd(&sum->lower, mine.lower);
	atomicAdd(&sum->absolute, mine.absolute);
}

typedef struct oracle
{
	__int128	sum;
	double		absolute;		/* approximate */
} oracle;

template <typename T>
static oracle
oracle_of(const T *v, int64_t n)
{
	integer_sum *there = (integer_sum *) memory.expected;
	integer_sum	sum;
	oracle		r;

	CUDA(cudaMemset(there, 0, sizeof *there));
	add_as_integers<<<2048, 256>>>(v, n, there);
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpy(&sum, there, sizeof sum, cudaMemcpyDeviceToHost));
	r.sum = ((__int128) (int64_t) sum.upper << 26) + (int64_t) sum.lower;
	r.absolute = (double) sum.absolute * 0x1p26;
	return r;
}

static double
double_on_device(const void *at)
{
	double		v;

	CUDA(cudaMemcpy(&v, at, sizeof v, cudaMemcpyDeviceToHost));
	return v;
}

static gs_op
reduction(gs_kind kind, gs_type type)
{
	gs_op		op = {};

	op.kind = kind;
	op.type = type;
	return op;
}

/* A sum of doubles with intermediate rounding must only be close. */
static bool
is_near(double sum, double expected)
{
	return std::fabs(sum - expected) <= 1e-3 && sum != 0;
}

/* cuBLAS, if installed */
static void
compete_cublas(const contest &c, double absolute)
{
	typedef cublasStatus_t (*create_function) (cublasHandle_t *);
	typedef cublasStatus_t (*mode_function) (cublasHandle_t,
											 cublasPointerMode_t);
	typedef cublasStatus_t (*dasum_function) (cublasHandle_t, int64_t,
											  const double *, int64_t,
											  double *);
	void	   *library = dlopen("libcublas.so.13", RTLD_NOW);
	cublasHandle_t handle;
	create_function create;
	mode_function set_mode;
	dasum_function dasum;
	contestant	p;

	if (library == NULL)
	{
		printf("cuBLAS left out: %s\n", dlerror());
		return;
	}
	create = (create_function) dlsym(library, "cublasCreate_v2");
	set_mode = (mode_function) dlsym(library, "cublasSetPointerMode_v2");
	dasum = (dasum_function) dlsym(library, "cublasDasum_v2_64");
	if (create == NULL || set_mode == NULL || dasum == NULL ||
		create(&handle) != CUBLAS_STATUS_SUCCESS ||
		set_mode(handle, CUBLAS_POINTER_MODE_DEVICE) != CUBLAS_STATUS_SUCCESS)
	{
		printf("cuBLAS left out: it does not start\n");
		return;
	}
	p.name = "cublasDasum (of magnitudes)";
	p.run = [=] {
		dasum(handle, c.n, (double *) memory.in, 1, (double *) memory.out);
	};
	p.is_right = [=] {
		return std::fabs(double_on_device(memory.out) / absolute - 1) < 1e-7;
	};
	compete(c, p);
}

static void
bench_double_sum(void)
{
	const int64_t n = INT64_C(1) << 30;
	contest		c = {"sum float8", n, n * 8};
	const gpuscan_call call = prepare(reduction(GS_SUM, GS_FLOAT8), memory.in,
									  n);
	double	   *const v = (double *) memory.in;
	double	   *const sums = (double *) memory.out;
	contestant	p;
	double		exact;
	oracle		o;
	size_t		size = 0;

	if (!wanted(c.work))
		return;
	fill_double(v, n, 21);
	o = oracle_of(v, n);
	exact = (double) o.sum * 0x1p-52;
	p.name = "gpuscan (exact)";
	p.run = [=] { execute(call); };
	p.is_right = [=] {
		gs_result	result;
		double		sum;

		get_result(call, &result);
		return gs_acc_round(&result.sum, &sum) == GS_ROUNDED && sum == exact;
	};
	compete(c, p);

	CUDA(cub::DeviceReduce::Sum(NULL, size, v, sums, n));
	p.name = "CUB DeviceReduce::Sum";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub::DeviceReduce::Sum(memory.scratch, workspace, v, sums, n));
	};
	p.is_right = [=] { return is_near(double_on_device(sums), exact); };
	compete(c, p);

	static double by_thrust;
	p.name = "thrust::reduce";
	p.run = [=] {
		by_thrust = thrust::reduce(thrust::device, v, v + n, 0.0);
	};
	p.is_right = [=] { return is_near(by_thrust, exact); };
	compete(c, p);

	p.is_right = [=] { return is_near(double_on_device(sums), exact); };
	p.name = "classic: strides, warp shuffle";
	p.run = [=] { reduce_shuffle(v, n, sums); };
	compete(c, p);
	p.name = "classic: a sum a thread, coarsened";
	p.run = [=] { reduce_coarsened(v, n, sums); };
	compete(c, p);
	p.name = "classic: tree in shared memory";
	p.run = [=] { reduce_shared(v, n, sums); };
	compete(c, p);
	compete_cublas(c, o.absolute * 0x1p-52);
	p.name = "classic: tree in global memory";
	p.before = [=] {
		CUDA(cudaMemcpyAsync(memory.expected, v, n * 8,
							 cudaMemcpyDeviceToDevice));
	};
	p.run = [=] { reduce_global((double *) memory.expected, n, sums); };
	compete(c, p);
}

/* Compare the oracle's sum with gpuscan's result. */
static bool
sum_is(const gpuscan_call &call, const oracle &o)
{
	gs_result	result;
	float		sum;

	get_result(call, &result);
	if (call.op.type == GS_FLOAT4)
		return gs_acc_round_float(&result.sum, &sum) == GS_ROUNDED &&
			sum == (float) (int64_t) o.sum * 0x1p-23f;
	return result.isum[0] == (uint64_t) o.sum &&
		result.isum[1] == (uint64_t) (o.sum >> 64);
}

template <typename T> struct value_of { static T get(const gs_value &v); };
template <> int32_t value_of<int32_t>::get(const gs_value &v) { return v.i4; }
template <> int64_t value_of<int64_t>::get(const gs_value &v) { return v.i8; }
template <> float value_of<float>::get(const gs_value &v) { return v.f4; }

template <typename T>
static cudaError_t
cub_extreme(gs_kind kind, void *space, size_t &size, const T *v, void *out,
			int64_t n)
{
	if (kind == GS_MIN)
		return cub::DeviceReduce::Min(space, size, v, (T *) out, n);
	return cub::DeviceReduce::Max(space, size, v, (T *) out, n);
}

/* CUB's result is the oracle. */
template <typename T>
static void
bench_extreme(const std::string &work, gs_kind kind, gs_type type, int64_t n)
{
	const T    *v = (const T *) memory.in;
	contest		c = {work, n, n * (int64_t) sizeof(T)};
	const gpuscan_call call = prepare(reduction(kind, type), v, n);
	contestant	p;
	size_t		size = 0;
	T			extreme;

	if (!wanted(work))
		return;
	CUDA(cub_extreme(kind, NULL, size, v, memory.expected, n));
	CUDA(cub_extreme(kind, memory.scratch, size, v, memory.expected, n));
	CUDA(cudaMemcpy(&extreme, memory.expected, sizeof extreme,
					cudaMemcpyDeviceToHost));
	p.name = "gpuscan";
	p.run = [=] { execute(call); };
	p.is_right = [=] {
		gs_result	result;

		get_result(call, &result);
		return value_of<T>::get(result.value) == extreme;
	};
	compete(c, p);
	p.name = kind == GS_MIN ? "CUB DeviceReduce::Min" : "CUB DeviceReduce::Max";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub_extreme(kind, memory.scratch, workspace, v, memory.out, n));
	};
	p.is_right = [=] {
		return differing(memory.out, memory.expected, sizeof(T)) == 0;
	};
	compete(c, p);
}

/* Sum, min and max of one type, against CUB. */
template <typename T, typename Sum>
static void
bench_type(const std::string &name, gs_type type)
{
	const int64_t n = INT64_C(1) << 28;
	const T    *v = (const T *) memory.in;
	const oracle o = oracle_of(v, n);
	contest		c = {"sum " + name, n, n * (int64_t) sizeof(T)};
	const gpuscan_call call = prepare(reduction(GS_SUM, type), v, n);
	contestant	p;
	size_t		size = 0;

	if (wanted(c.work))
	{
		p.name = "gpuscan";
		p.run = [=] { execute(call); };
		p.is_right = [=] { return sum_is(call, o); };
		compete(c, p);
		CUDA(cub::DeviceReduce::Reduce(NULL, size, v, (Sum *) memory.out, n,
									   cuda::std::plus<>(), Sum(0)));
		p.name = "CUB DeviceReduce::Reduce";
		p.run = [=] {
			size_t		workspace = size;

			CUDA(cub::DeviceReduce::Reduce(memory.scratch, workspace, v,
										   (Sum *) memory.out, n,
										   cuda::std::plus<>(), Sum(0)));
		};
		p.is_right = [=] {
			Sum			sum;

			CUDA(cudaMemcpy(&sum, memory.out, sizeof sum,
							cudaMemcpyDeviceToHost));
			return type == GS_FLOAT4 ?
				std::fabs((double) sum - (double) o.sum * 0x1p-23) < 10 :
				sum == (Sum) o.sum;
		};
		compete(c, p);
	}

	bench_extreme<T>("min " + name, GS_MIN, type, n);
	bench_extreme<T>("max " + name, GS_MAX, type, n);
}

/*
 * No library has these: moments, that is sum and sum of squares, in one read;
 * and the least and greatest element with them.
 */
static void
bench_moments(const char *work, gs_kind kind, int64_t n)
{
	contest		c = {work, n, n * 8};
	gpuscan_call call;
	contestant	p;
	oracle		o;

	if (!wanted(c.work))
		return;
	fill_double((double *) memory.in, n, 24);
	o = oracle_of((const double *) memory.in, n);
	call = prepare(reduction(kind, GS_FLOAT8), memory.in, n);
	p.name = "gpuscan (exact)";
	p.run = [=] { execute(call); };
	p.is_right = [=] {
		gs_result	result;
		double		sum;
		double		squares;

		get_result(call, &result);
		return gs_acc_round(&result.sum, &sum) == GS_ROUNDED &&
			sum == (double) o.sum * 0x1p-52 &&
			gs_acc2_round(&result.squares, &squares) == GS_ROUNDED &&
			std::fabs(squares / n - 1.0 / 3) < 1e-2;
	};
	compete_all(c, n < 1 << 20, {p});
}

static void
bench_argmin(void)
{
	const int64_t n = INT64_C(1) << 28;
	contest		c = {"argmin float8", n, n * 8};
	double	   *const v = (double *) memory.in;
	double	   *const least = (double *) memory.out;
	int64_t    *const place = (int64_t *) memory.out + 32;
	gpuscan_call call;
	contestant	p;
	size_t		size = 0;
	int64_t		expected;

	if (!wanted(c.work))
		return;
	fill_double(v, n, 25);
	CUDA(cub::DeviceReduce::ArgMin(NULL, size, v, least, place, n));
	CUDA(cub::DeviceReduce::ArgMin(memory.scratch, size, v, least, place, n));
	CUDA(cudaMemcpy(&expected, place, sizeof expected, cudaMemcpyDeviceToHost));
	call = prepare(reduction(GS_ARGMIN, GS_FLOAT8), v, n);
	p.name = "gpuscan";
	p.run = [=] { execute(call); };
	p.is_right = [=] {
		gs_result	result;

		get_result(call, &result);
		return result.position == expected + 1;
	};
	compete(c, p);
	p.name = "CUB DeviceReduce::ArgMin";
	p.run = [=] {
		size_t		workspace = size;

		CUDA(cub::DeviceReduce::ArgMin(memory.scratch, workspace, v, least,
									   place, n));
	};
	p.is_right = [=] {
		int64_t		got;

		CUDA(cudaMemcpy(&got, place, sizeof got, cudaMemcpyDeviceToHost));
		return got == expected;
	};
	compete(c, p);
}

static void
bench_small_sums(void)
{
	double	   *const v = (double *) memory.in;
	double	   *const sum = (double *) memory.out;

	for (int64_t n = 1000; n <= 10000000; n *= 10)
	{
		contest		c = {"sum float8, small", n, n * 8};
		const gpuscan_call call = prepare(reduction(GS_SUM, GS_FLOAT8), v, n);
		contestant	ours;
		contestant	cub;
		double		exact;
		size_t		size = 0;

		if (!wanted(c.work))
			return;
		fill_double(v, n, 26);
		exact = (double) oracle_of(v, n).sum * 0x1p-52;
		ours.name = "gpuscan (exact)";
		ours.run = [=] { execute(call); };
		ours.is_right = [=] {
			gs_result	result;
			double		rounded;

			get_result(call, &result);
			return gs_acc_round(&result.sum, &rounded) == GS_ROUNDED &&
				rounded == exact;
		};
		CUDA(cub::DeviceReduce::Sum(NULL, size, v, sum, n));
		cub.name = "CUB DeviceReduce::Sum";
		cub.run = [=] {
			size_t		workspace = size;

			CUDA(cub::DeviceReduce::Sum(memory.scratch, workspace, v, sum, n));
		};
		cub.is_right = [=] { return is_near(double_on_device(sum), exact); };
		compete_all(c, true, {ours, cub});
	}
}

void
bench_reduce(void)
{
	const int64_t n = INT64_C(1) << 28;

	bench_double_sum();
	fill_int4((int32_t *) memory.in, n, INT32_MAX, 22);
	bench_type<int32_t, int64_t>("int4", GS_INT4);
	fill_int8((int64_t *) memory.in, n, INT64_C(1) << 33, 23);
	bench_type<int64_t, int64_t>("int8", GS_INT8);
	fill_float((float *) memory.in, n, 24);
	bench_type<float, float>("float4", GS_FLOAT4);
	bench_moments("sum and squares float8", GS_MOMENTS, INT64_C(1) << 28);
	bench_moments("stats float8", GS_STATS, INT64_C(1) << 28);
	bench_moments("stats float8, 100,000", GS_STATS, 100000);
	bench_argmin();
	bench_small_sums();
}
