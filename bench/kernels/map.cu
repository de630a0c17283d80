/*-------------------------------------------------------------------------
 *
 * map.cu
 *	  A result for each element: arithmetic, roots, exponentials and the like,
 *	  differences, places among edges and other elements, elements from other
 *	  places; runs of equal neighbours.  Against CUB and Thrust.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"

#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reverse.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "engine/plan.h"
#include "engine/search.h"

#define ELEMENTS	(INT64_C(1) << 28)
#define FIRST		((const double *) memory.in)
#define SECOND		((const double *) memory.in + ELEMENTS)
#define EDGES		1000

/* Whether as many results as expected are what `peer` writes there. */
static contestant
ours(const gpuscan_call &call, int64_t bytes)
{
	contestant	c;

	c.name = "gpuscan";
	c.run = [=] { execute(call); };
	c.is_right = [=] {
		return differing(memory.out, memory.expected, bytes) == 0;
	};
	return c;
}

template <typename Run>
static void
contest_of(const std::string &work, int64_t bytes, int64_t result_bytes,
		   const gpuscan_call &call, const char *name, Run run,
		   int64_t n = ELEMENTS)
{
	contest		c = {work, n, bytes};
	contestant	peer;

	run((void *) memory.expected);
	CUDA(cudaDeviceSynchronize());
	peer.name = name;
	peer.run = [=] { run((void *) memory.out); };
	peer.is_right = [=] {
		return differing(memory.out, memory.expected, result_bytes) == 0;
	};
	compete_all(c, false, {ours(call, result_bytes), peer});
}

struct product
{
	__device__ double operator()(double a, double b) const
	{
		return a * b;
	}
};

struct times
{
	double		x;

	__device__ double operator()(double a) const
	{
		return a * x;
	}
};

static gs_op
arithmetic(gs_code code, int arrays)
{
	gs_op		op = {};

	op.kind = GS_ARITHMETIC;
	op.type = GS_FLOAT8;
	op.expression.arrays = arrays;
	op.expression.steps = 1;
	op.expression.step[0].code = code;
	op.expression.step[0].a = GS_COLUMN(0);
	op.expression.step[0].b = arrays == 2 ? GS_COLUMN(1) : GS_CONSTANT(0);
	if (arrays == 1)
	{
		op.expression.constants = 1;
		op.expression.constant[0].f8 = 2.5;
	}
	return op;
}

static void
bench_arithmetic(void)
{
	const std::string of_two = "product of two float8 arrays";
	const std::string by_value = "float8 array times a value";
	double	   *second = (double *) memory.in + ELEMENTS;

	if (wanted(of_two))
	{
		gpuscan_call call = prepare(arithmetic(GS_CODE_MULTIPLY, 2), FIRST,
									ELEMENTS);

		fill_double(second, ELEMENTS, 22);
		call.in.mask.values = SECOND;
		call.in.mask.present = ELEMENTS;
		contest_of(of_two, ELEMENTS * 24, ELEMENTS * 8, call,
				   "thrust::transform", [=](void *to) {
			thrust::transform(thrust::device, FIRST, FIRST + ELEMENTS, SECOND,
							  (double *) to, product());
		});
	}
	if (wanted(by_value))
		contest_of(by_value, ELEMENTS * 16, ELEMENTS * 8,
				   prepare(arithmetic(GS_CODE_MULTIPLY, 1), FIRST, ELEMENTS),
				   "thrust::transform", [=](void *to) {
			thrust::transform(thrust::device, FIRST, FIRST + ELEMENTS,
							  (double *) to, times{2.5});
		});
}

/* CUDA's own, which are off by a unit or two in the last place. */
struct root
{
	__device__ double operator()(double a) const
	{
		return sqrt(a);
	}
};

struct exponential
{
	__device__ double operator()(double a) const
	{
		return exp(a);
	}
};

struct logarithm
{
	__device__ double operator()(double a) const
	{
		return log(a);
	}
};

struct power
{
	__device__ double operator()(double a) const
	{
		return pow(a, 1.5);
	}
};

struct rounding
{
	__device__ double operator()(double a) const
	{
		return rint(a * 100) / 100;
	}
};

struct far
{
	const double *expected;
	const double *got;

	__device__ bool operator()(int64_t i) const
	{
		return !(fabs(got[i] - expected[i]) <= 0x1p-49 * fabs(expected[i]));
	}
};

/* All but the results that the kernels leave to the host? */
static bool
all_near(const gpuscan_call &call, const double *expected, const double *got,
		 int64_t n)
{
	gs_done		done;

	CUDA(cudaMemcpy(&done, call.out.done, sizeof done, cudaMemcpyDefault));
	return thrust::count_if(thrust::device,
							thrust::counting_iterator<int64_t>(0),
							thrust::counting_iterator<int64_t>(n),
							far{expected, got}) <= done.undecided;
}

/* Of positive elements; theirs may be another double beside the true value. */
template <typename Function>
static void
bench_elements(const std::string &work, gs_kind kind, const char *name,
			   Function function)
{
	const int64_t bytes = ELEMENTS * 16;
	contest		c = {work, ELEMENTS, bytes};
	contestant	peer;
	contestant	we;
	gpuscan_call call;
	gs_op		op = {};

	if (!wanted(work))
		return;
	op.kind = kind;
	op.type = GS_FLOAT8;
	op.power.constant = 1.5;
	op.round.digits = 2;
	peer.name = name;
	peer.run = [=] {
		thrust::transform(thrust::device, FIRST, FIRST + ELEMENTS,
						  (double *) memory.out, function);
	};
	peer.is_right = [] { return true; };
	thrust::transform(thrust::device, FIRST, FIRST + ELEMENTS,
					  (double *) memory.expected, function);
	call = prepare(op, FIRST, ELEMENTS);
	we = ours(call, ELEMENTS * 8);
	we.is_right = [=] {
		return all_near(call, (const double *) memory.expected,
						(const double *) memory.out, ELEMENTS);
	};
	compete_all(c, false, {we, peer});
}

static void
bench_elementary(void)
{
	thrust::transform(thrust::device, FIRST, FIRST + ELEMENTS,
					  (double *) memory.in,
					  [] __device__(double x) { return fabs(x) + 0.01; });
	bench_elements("square roots of float8", GS_SQRT, "sqrt() of CUDA", root());
	bench_elements("exponentials of float8", GS_EXP, "exp() of CUDA",
				   exponential());
	bench_elements("logarithms of float8", GS_LN, "log() of CUDA", logarithm());
	bench_elements("powers of float8", GS_POWER, "pow() of CUDA", power());
	bench_elements("float8 to two places", GS_ROUND, "rint() of CUDA",
				   rounding());
}

struct change
{
	const double *value;

	__device__ double operator()(int64_t i) const
	{
		return i == 0 ? 0 : (value[i] - value[i - 1]) / value[i - 1];
	}
};

static void
bench_changes(void)
{
	const std::string work = "changes of float8 neighbours";
	contest		c = {work, ELEMENTS, ELEMENTS * 16};
	contestant	peer;
	contestant	we;
	gpuscan_call call;
	gs_op		op = {};
	auto		all = thrust::counting_iterator<int64_t>(0);

	if (!wanted(work))
		return;
	op.kind = GS_PCT_CHANGE;
	op.type = GS_FLOAT8;
	call = prepare(op, FIRST, ELEMENTS);
	call.out.validity = (uint8_t *) memory.in + ELEMENTS * 8;
	thrust::transform(thrust::device, all, all + ELEMENTS,
					  (double *) memory.expected, change{FIRST});
	peer.name = "thrust::transform";
	peer.run = [=] {
		thrust::transform(thrust::device, all, all + ELEMENTS,
						  (double *) memory.out, change{FIRST});
	};
	peer.is_right = [] { return true; };
	we = ours(call, ELEMENTS * 8);
	we.is_right = [=] {
		return all_near(call, (const double *) memory.expected + 1,
						(const double *) memory.out, ELEMENTS - 1);
	};
	compete_all(c, false, {we, peer});
}

static void
bench_differences(void)
{
	const std::string work = "differences of float8 neighbours";
	gs_op		op = {};
	size_t		size = 0;

	if (!wanted(work))
		return;
	op.kind = GS_DIFF;
	op.type = GS_FLOAT8;
	CUDA(cub::DeviceAdjacentDifference::SubtractLeftCopy(NULL, size, FIRST,
														 (double *) memory.out,
														 ELEMENTS));
	contest_of(work, ELEMENTS * 16, ELEMENTS * 8,
			   prepare(op, FIRST, ELEMENTS),
			   "CUB DeviceAdjacentDifference", [=](void *to) {
		size_t		space = size;

		CUDA(cub::DeviceAdjacentDifference::SubtractLeftCopy
			 (memory.scratch, space, FIRST, (double *) to, ELEMENTS));
	});
}

struct less_one
{
	__device__ int32_t operator()(int32_t position) const
	{
		return position - 1;
	}
};

/* The bitmap of the results, behind them. */
#define BITS		((uint8_t *) (memory.out + ELEMENTS * 8))

/* Random positions, or ascending ones; Thrust's are counted from 0. */
static void
bench_take(const std::string &work, int64_t n, bool random)
{
	int32_t    *position = (int32_t *) (memory.in + 2 * ELEMENTS * 8);
	int32_t    *from_0 = position + ELEMENTS;
	gs_op		op = {};
	gpuscan_call call;

	if (!wanted(work))
		return;
	/* from -n / 2 on */
	fill_int4(position, n, (int32_t) n, 24);
	if (random)
		thrust::transform(thrust::device, position, position + n, position,
						  [=] __device__(int32_t x) {
							  return x + (int32_t) (n / 2) + 1;
						  });
	else
		thrust::sequence(thrust::device, position, position + n, 1);
	thrust::transform(thrust::device, position, position + n, from_0,
					  less_one());
	op.kind = GS_TAKE;
	op.type = GS_INT4;
	op.mask.type = GS_FLOAT8;
	op.mask.elements = n;
	call = prepare(op, position, n);
	call.in.mask.values = FIRST;
	call.in.mask.present = n;
	call.out.validity = BITS;
	contest_of(work, n * 20, n * 8, call, "thrust::gather", [=](void *to) {
		thrust::gather(thrust::device, from_0, from_0 + n, FIRST,
					   (double *) to);
	}, n);
}

static void
bench_places(void)
{
	const std::string reversed = "float8 in reverse order";
	const std::string shifted = "float8 one place later";
	gs_op		op = {};
	gpuscan_call call;

	bench_take("float8 at 10,000,000 random positions", 10000000, true);
	bench_take("float8 at random positions", ELEMENTS, true);
	bench_take("float8 at ascending positions", ELEMENTS, false);
	op.type = GS_FLOAT8;
	if (wanted(reversed))
	{
		op.kind = GS_REVERSE;
		contest_of(reversed, ELEMENTS * 16, ELEMENTS * 8,
				   prepare(op, FIRST, ELEMENTS), "thrust::reverse_copy",
				   [=](void *to) {
			thrust::reverse_copy(thrust::device, FIRST, FIRST + ELEMENTS,
								 (double *) to);
		});
	}
	if (wanted(shifted))
	{
		op.kind = GS_SHIFT;
		op.shift.places = 1;
		call = prepare(op, FIRST, ELEMENTS);
		call.out.validity = BITS;
		contest_of(shifted, ELEMENTS * 16, (ELEMENTS - 1) * 8, call,
				   "cudaMemcpyAsync", [=](void *to) {
			CUDA(cudaMemcpyAsync(to, FIRST, (ELEMENTS - 1) * 8,
								 cudaMemcpyDeviceToDevice));
		});
	}
}

struct choice
{
	const double *a;
	const double *b;
	const uint8_t *condition;

	__device__ double operator()(int64_t i) const
	{
		return condition[i] ? a[i] : b[i];
	}
};

static void
bench_choose(void)
{
	const std::string work = "either of two float8 arrays";
	uint8_t    *condition = (uint8_t *) (memory.in + 2 * ELEMENTS * 8);
	gs_op		op = {};
	gpuscan_call call;

	if (!wanted(work))
		return;
	fill_double((double *) memory.in + ELEMENTS, ELEMENTS, 25);
	fill_flags(condition, ELEMENTS, 0.5, 26);
	op.kind = GS_CHOOSE_EITHER;
	op.type = GS_BOOL;
	op.mask.type = GS_FLOAT8;
	op.mask.elements = ELEMENTS;
	call = prepare(op, condition, ELEMENTS);
	call.in.mask.values = FIRST;
	call.in.third.values = SECOND;
	call.in.mask.present = call.in.third.present = ELEMENTS;
	call.out.validity = BITS;
	contest_of(work, ELEMENTS * 25, ELEMENTS * 8, call, "thrust::tabulate",
			   [=](void *to) {
		thrust::tabulate(thrust::device, (double *) to,
						 (double *) to + ELEMENTS,
						 choice{FIRST, SECOND, condition});
	});
}

/* The line through the points next to x, rounded at every step. */
struct on_line
{
	const double *x;
	const double *y;
	int64_t		n;

	__device__ double operator()(double at) const
	{
		const int64_t i = thrust::upper_bound(thrust::seq, x, x + n, at) - x;

		if (x[i - 1] == at)
			return y[i - 1];
		return y[i - 1] + (y[i] - y[i - 1]) *
			((at - x[i - 1]) / (x[i] - x[i - 1]));
	}
};

/* Among n elements, which are n numbers from 0 on. */
static void
bench_interpolation(int64_t n, bool random)
{
	const std::string how = random ? "random float8" : "ascending float8";
	const std::string count = how + " among 10,000,000";
	const std::string line = how + " on lines through 10,000,000";
	const double *x = FIRST;
	const double *y = SECOND;
	double	   *at = (double *) memory.in + 2 * ELEMENTS;
	gs_op		op = {};
	gpuscan_call call;

	if (!wanted(count) && !wanted(count + ", edges") && !wanted(line))
		return;
	thrust::sequence(thrust::device, (double *) memory.in,
					 (double *) memory.in + n);
	fill_double((double *) memory.in + ELEMENTS, n, 27);
	fill_unit(at, n, 28);
	thrust::transform(thrust::device, at, at + n,
					  thrust::counting_iterator<int64_t>(0), at,
					  [=] __device__(double unit, int64_t i) {
						  return random ? unit * (double) (n - 1) :
							  fmin((double) i + unit, (double) (n - 1));
					  });
	op.type = GS_FLOAT8;
	op.mask.elements = n;
	if (wanted(count))
	{
		op.kind = GS_ASOF;
		call = prepare(op, at, n);
		call.in.mask.values = x;
		call.in.mask.present = n;
		call.out.validity = BITS;
		contest_of(count, n * 20, n * 4, call, "thrust::upper_bound",
				   [=](void *to) {
			thrust::upper_bound(thrust::device, x, x + n, at, at + n,
								(int32_t *) to);
		}, n);
	}
	/* the search of gpu_searchsorted, whose edges come from the host */
	if (wanted(count + ", edges"))
	{
		std::vector<int64_t> keys(n);
		gs_op		search = {};

		for (int64_t i = 0; i < n; i++)
			keys[i] = gs_search_key((double) i);
		search.kind = GS_SEARCH;
		search.type = GS_FLOAT8;
		search.search.count = (int32_t) n;
		search.search.keys = keys.data();
		contest_of(count + ", edges", n * 20, n * 4, prepare(search, at, n),
				   "thrust::upper_bound", [=](void *to) {
			thrust::upper_bound(thrust::device, x, x + n, at, at + n,
								(int32_t *) to);
		}, n);
	}
	if (wanted(line))
	{
		contestant	peer;
		contestant	we;
		contest		c = {line, n, n * 32};

		op.kind = GS_INTERPOLATE;
		call = prepare(op, at, n);
		call.in.mask.values = x;
		call.in.third.values = y;
		call.in.mask.present = call.in.third.present = n;
		call.out.validity = BITS;
		peer.name = "thrust::transform";
		peer.run = [=] {
			thrust::transform(thrust::device, at, at + n, (double *) memory.out,
							  on_line{x, y, n});
		};
		peer.is_right = [] { return true; };
		thrust::transform(thrust::device, at, at + n,
						  (double *) memory.expected, on_line{x, y, n});
		we = ours(call, n * 8);
		/* near the zeros of a line theirs have few digits */
		we.is_right = [=] {
			return thrust::count_if
				(thrust::device, thrust::counting_iterator<int64_t>(0),
				 thrust::counting_iterator<int64_t>(n),
				 [a = (const double *) memory.out,
				  b = (const double *) memory.expected] __device__(int64_t i) {
					 return !(fabs(a[i] - b[i]) <= 0x1p-50);
				 }) == 0;
		};
		compete_all(c, false, {we, peer});
	}
}

static void
bench_interpolations(void)
{
	bench_interpolation(10000000, true);
	bench_interpolation(10000000, false);
}

/* Twice the area from point i to the next. */
struct trapezium
{
	const double *x;
	const double *y;

	__device__ double operator()(int64_t i) const
	{
		return (y[i] + y[i + 1]) * (x[i + 1] - x[i]);
	}
};

static void
bench_area(void)
{
	const std::string work = "area below lines through float8";
	const thrust::counting_iterator<int64_t> first(0);
	double	   *area = (double *) malloc(sizeof(double));
	contest		c = {work, ELEMENTS, ELEMENTS * 16};
	contestant	peer;
	contestant	we;
	gs_op		op = {};
	gpuscan_call call;

	if (!wanted(work))
		return;
	thrust::sequence(thrust::device, (double *) memory.in,
					 (double *) memory.in + ELEMENTS);
	fill_double((double *) memory.in + ELEMENTS, ELEMENTS, 29);
	op.kind = GS_AREA;
	op.type = GS_FLOAT8;
	op.area.both_sides = 1;
	call = prepare(op, FIRST, ELEMENTS);
	call.in.mask.values = SECOND;
	call.in.mask.present = ELEMENTS;
	peer.name = "thrust::transform_reduce";
	peer.run = [=] {
		*area = thrust::transform_reduce(thrust::device, first,
										 first + (ELEMENTS - 1),
										 trapezium{FIRST, SECOND}, 0.0,
										 thrust::plus<double>());
	};
	peer.is_right = [] { return true; };
	peer.run();
	we.name = "gpuscan";
	we.run = [=] { execute(call); };
	we.is_right = [=] {
		gs_result	result;
		double		exact;

		get_result(call, &result);
		(void) gs_acc2_round(&result.squares, &exact);
		return result.errors == 0 && fabs(exact - *area) <= 1e-6;
	};
	compete_all(c, false, {we, peer});
}

/* Runs of the given length, on the average. */
static void
bench_unique(const std::string &work, int32_t length)
{
	int32_t    *values = (int32_t *) memory.in;
	int64_t    *kept = (int64_t *) memory.scratch;
	gs_op		op = {};
	size_t		size = 0;
	int64_t		runs;

	if (!wanted(work))
		return;
	fill_int4(values, ELEMENTS, 2 * length, 23);
	thrust::transform(thrust::device, values, values + ELEMENTS, values,
					  [=] __device__(int32_t x) { return x == 0; });
	op.kind = GS_UNIQUE;
	op.type = GS_INT4;
	CUDA(cub::DeviceSelect::Unique(NULL, size, values, (int32_t *) memory.out,
								   kept, ELEMENTS));
	CUDA(cub::DeviceSelect::Unique(memory.scratch + 256, size, values,
								   (int32_t *) memory.out, kept, ELEMENTS));
	CUDA(cudaMemcpy(&runs, kept, sizeof runs, cudaMemcpyDeviceToHost));
	contest_of(work, (ELEMENTS + runs) * 4, runs * 4,
			   prepare(op, values, ELEMENTS), "CUB DeviceSelect::Unique",
			   [=](void *to) {
		size_t		space = size;

		CUDA(cub::DeviceSelect::Unique(memory.scratch + 256, space, values,
									   (int32_t *) to, kept, ELEMENTS));
	});
}

static void
bench_search(void)
{
	const std::string work = "places of float8 among 1,000 edges";
	const std::string times = "places of float8 among 1,000 times";
	static int64_t keys[EDGES];
	double		edges[EDGES];
	double	   *on_device = (double *) memory.in + ELEMENTS;
	gs_op		op = {};
	gs_op		asof = {};
	gpuscan_call call;
	auto		peer = [](void *to) {
		thrust::upper_bound(thrust::device, SECOND, SECOND + EDGES, FIRST,
							FIRST + ELEMENTS, (int32_t *) to);
	};

	if (!wanted(work) && !wanted(times))
		return;
	for (int i = 0; i < EDGES; i++)
	{
		edges[i] = -1 + 2.0 * i / EDGES;
		keys[i] = gs_search_key(edges[i]);
	}
	CUDA(cudaMemcpy(on_device, edges, sizeof edges, cudaMemcpyHostToDevice));
	op.kind = GS_SEARCH;
	op.type = GS_FLOAT8;
	op.search.count = EDGES;
	op.search.keys = keys;
	if (wanted(work))
		contest_of(work, ELEMENTS * 12, ELEMENTS * 4,
				   prepare(op, FIRST, ELEMENTS), "thrust::upper_bound", peer);

	/* the search of gpu_asof; no element is below all edges */
	asof.kind = GS_ASOF;
	asof.type = GS_FLOAT8;
	asof.mask.elements = EDGES;
	if (wanted(times))
	{
		call = prepare(asof, FIRST, ELEMENTS);
		call.in.mask.values = on_device;
		call.in.mask.present = EDGES;
		call.out.validity = BITS;
		contest_of(times, ELEMENTS * 12, ELEMENTS * 4, call,
				   "thrust::upper_bound", peer);
	}
}

void
bench_map(void)
{
	fill_double((double *) memory.in, ELEMENTS, 21);
	bench_arithmetic();
	bench_differences();
	bench_search();
	bench_places();
	bench_choose();
	bench_elementary();
	bench_changes();
	bench_unique("runs of int4, short", 2);
	bench_unique("runs of int4, long", 1000);
	bench_interpolations();
	bench_area();
}
