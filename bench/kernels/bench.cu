/*-------------------------------------------------------------------------
 *
 * bench.cu
 *	  Kernels against libraries and classic algorithms: times and table.
 *
 *		bench [--json FILE] [--only NAME] [PATTERN...]
 *
 * runs the contests whose names contain a pattern, or all, with the
 * contestants whose names contain NAME, or all.  Times are medians of 15, by
 * events, with the host out of the way.  For small inputs they are medians of
 * 501, by the host's clock around call and synchronisation, with contestants
 * alternating; for groups they are medians of 15, by the clock, too.  "of copy"
 * is bytes over time, relative to a device-to-device copy in the same run.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"
#include "fill.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define REPEATS			15
#define REPEATS_SMALL	501
#define COPY_SIZE		(INT64_C(4) << 30)
#define HOLD_NS			100000	/* launches take a few microseconds each */

typedef struct record
{
	contest		of;
	std::string name;
	bool		right;
	bool		clock;			/* timed by the host's clock, not by events */
	bool		small;
	double		ms;
} record;

arena		memory;
static std::vector<record> records;
static std::vector<std::string> patterns;
static std::string only;		/* contestants */
static double copy_rate;		/* bytes read and written per ms */

void
check_cuda(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
	exit(2);
}

bool
wanted(const std::string &work)
{
	for (const std::string &p : patterns)
	{
		if (work.find(p) != std::string::npos)
			return true;
	}
	return patterns.empty();
}

static double
median(std::vector<double> times)
{
	std::sort(times.begin(), times.end());
	return times[times.size() / 2];
}

/*
 * Keep the device busy for this long, so that the work launched meanwhile
 * waits for the device, not the device for the host (as NVIDIA's nvbench
 * does).
 */
static __global__ void
hold(int64_t ns)
{
	int64_t		begin;
	int64_t		now;

	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
	do
		asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
	while (now - begin < ns);
}

static double
time_by_events(const contestant &p)
{
	std::vector<double> times;
	cudaEvent_t begin;
	cudaEvent_t end;

	CUDA(cudaEventCreate(&begin));
	CUDA(cudaEventCreate(&end));
	for (int i = 0; i < REPEATS + 2; i++)
	{
		float		ms;

		if (p.before)
			p.before();
		hold<<<1, 1>>>(HOLD_NS);
		CUDA(cudaGetLastError());
		CUDA(cudaEventRecord(begin));
		p.run();
		CUDA(cudaEventRecord(end));
		CUDA(cudaEventSynchronize(end));
		CUDA(cudaEventElapsedTime(&ms, begin, end));
		if (i >= 2)
			times.push_back(ms);
	}
	CUDA(cudaEventDestroy(begin));
	CUDA(cudaEventDestroy(end));
	return median(times);
}

static double
time_once_by_clock(const contestant &p)
{
	auto		begin = std::chrono::steady_clock::now();

	p.run();
	CUDA(cudaDeviceSynchronize());

	std::chrono::duration<double, std::milli> ms =
		std::chrono::steady_clock::now() - begin;

	return ms.count();
}

/* The first few are not counted. */
static std::vector<double>
time_by_clock(const std::vector<contestant> &all, int repeats)
{
	const int	warm_up = repeats / 50 + 2;
	std::vector<std::vector<double>> times(all.size());
	std::vector<double> medians;

	for (int i = 0; i < repeats + warm_up; i++)
		for (size_t k = 0; k < all.size(); k++)
		{
			double		ms = time_once_by_clock(all[k]);

			if (i >= warm_up)
				times[k].push_back(ms);
		}
	for (const std::vector<double> &of : times)
		medians.push_back(median(of));
	return medians;
}

static bool
right(const contest &c, const contestant &p)
{
	if (p.before)
		p.before();
	CUDA(cudaMemset(memory.out, 0xa5,
					std::min(ARENA_SIZE, std::max(c.bytes, INT64_C(1) << 26))));
	p.run();
	CUDA(cudaDeviceSynchronize());
	CUDA(cudaGetLastError());
	return p.is_right();
}

static void
keep(const record &r)
{
	const contest &c = r.of;

	records.push_back(r);
	if (r.small)
		printf("%-44s %11lld  %-34s %9.2f us%s\n", c.work.c_str(),
			   (long long) c.n, r.name.c_str(), r.ms * 1000,
			   r.right ? "" : "  WRONG RESULT");
	else
		printf("%-44s %11lld  %-34s %9.3f ms %7.1f GB/s %6.1f %%%s\n",
			   c.work.c_str(), (long long) c.n, r.name.c_str(), r.ms,
			   c.bytes / r.ms * 1e-6, c.bytes / r.ms / copy_rate * 100,
			   r.right ? "" : "  WRONG RESULT");
	fflush(stdout);
}

void
compete(const contest &c, const contestant &p)
{
	if (p.name.find(only) != std::string::npos)
	{
		bool		is_right = right(c, p);

		keep({c, p.name, is_right, false, false, time_by_events(p)});
	}
}

static void
compete_by_clock(const contest &c, bool small,
				 const std::vector<contestant> &all)
{
	std::vector<contestant> present;
	std::vector<bool> are_right;
	std::vector<double> times;

	for (const contestant &p : all)
	{
		if (p.name.find(only) == std::string::npos)
			continue;
		present.push_back(p);
		are_right.push_back(right(c, p));
	}
	times = time_by_clock(present, small ? REPEATS_SMALL : REPEATS);
	for (size_t k = 0; k < present.size(); k++)
		keep({c, present[k].name, are_right[k], true, small, times[k]});
}

void
compete_all(const contest &c, bool small, const std::vector<contestant> &all)
{
	if (small)
		compete_by_clock(c, true, all);
	else
	{
		for (const contestant &p : all)
			compete(c, p);
	}
}

void
compete_whole(const contest &c, const std::vector<contestant> &all)
{
	compete_by_clock(c, false, all);
}

static void
bench_copy(void)
{
	contest		c = {"copy, device to device", COPY_SIZE / 8, 2 * COPY_SIZE};
	contestant	p;

	fill_double((double *) memory.in, COPY_SIZE / 8, 1);
	p.name = "cudaMemcpyAsync";
	p.run = [] {
		CUDA(cudaMemcpyAsync(memory.out, memory.in, COPY_SIZE,
							 cudaMemcpyDeviceToDevice));
	};
	p.is_right = [] {
		return differing(memory.out, memory.in, COPY_SIZE) == 0;
	};
	copy_rate = c.bytes / time_by_events(p);
	compete(c, p);
	if (!records.empty())
		copy_rate = c.bytes / records.back().ms;
}

/* gpuscan's kernels */

static size_t
aligned(size_t size)
{
	return (size + GS_DEVICE_ALIGN - 1) / GS_DEVICE_ALIGN * GS_DEVICE_ALIGN;
}

gpuscan_call
prepare(const gs_op &op, const void *values, int64_t n)
{
	gpuscan_call call = {};

	call.kernels = gs_kernels_of(&op);
	call.op = op;
	call.in.n = n;
	call.in.all = n;
	call.in.data.values = values;
	call.in.data.present = n;
	call.state = memory.scratch;
	call.out.done = (gs_done *)
		(call.state + aligned(gs_kernels_state_size(call.kernels, &op, n)));
	call.out.undecided = (gs_undecided *)
		((char *) call.out.done + GS_DEVICE_ALIGN);
	call.work = (char *) call.out.undecided +
		aligned(GS_UNDECIDED_MAX * sizeof(gs_undecided));
	call.out.values = memory.out;
	if (call.work + gs_kernels_scratch_size(call.kernels, &op, n) >
		memory.scratch + ARENA_SIZE)
	{
		fprintf(stderr, "too little scratch memory\n");
		exit(2);
	}
	CUDA(cudaMemset(call.out.done, 0, sizeof *call.out.done));
	return call;
}

/* Data that request the fallback (gs_done.fallback) would count as wrong. */
void
execute(const gpuscan_call &call)
{
	const bool	has_output = gs_has_output(&call.op);

	if (call.kernels->start != NULL)
		CUDA(call.kernels->start(&call.op, call.in.n, call.state, 0));
	CUDA(call.kernels->batch(&call.op, &call.in, has_output ? &call.out : NULL,
							call.state, call.work, 0));
	if (call.kernels->arrange != NULL)
		CUDA(call.kernels->arrange(&call.op, call.in.n, call.in.data.present,
								   call.state, 0));
}

void
get_result(const gpuscan_call &call, gs_result *result)
{
	std::vector<uint8_t> report(gs_kernels_report_size(call.kernels, &call.op));

	CUDA(cudaMemcpy(report.data(), call.state, report.size(),
					cudaMemcpyDeviceToHost));
	if (call.kernels->result != NULL)
		call.kernels->result(&call.op, report.data(), result);
}

/* random inputs */

struct to_double
{
	__device__ double operator()(uint64_t bits) const
	{
		return (double) ((int64_t) bits >> 11) * 0x1p-52;
	}
};

struct to_unit
{
	__device__ double operator()(uint64_t bits) const
	{
		return (double) (bits >> 11) * 0x1p-53;
	}
};

struct to_float
{
	__device__ float operator()(uint64_t bits) const
	{
		return (float) ((int64_t) bits >> 40) * 0x1p-23f;
	}
};

template <typename T>
struct to_integer
{
	T			below;

	__device__ T operator()(uint64_t bits) const
	{
		return (T) (bits % (uint64_t) below) - below / 2;
	}
};

struct to_flag
{
	double		rate;

	__device__ uint8_t operator()(uint64_t bits) const
	{
		return (double) (bits >> 11) * 0x1p-53 < rate;
	}
};

void
fill_double(double *to, int64_t n, uint64_t seed)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, n, seed, to_double());
	CUDA(cudaGetLastError());
}

void
fill_unit(double *to, int64_t n, uint64_t seed)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, n, seed, to_unit());
	CUDA(cudaGetLastError());
}

void
fill_float(float *to, int64_t n, uint64_t seed)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, n, seed, to_float());
	CUDA(cudaGetLastError());
}

void
fill_int4(int32_t *to, int64_t n, int32_t below, uint64_t seed)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, n, seed,
										to_integer<int32_t>{below});
	CUDA(cudaGetLastError());
}

void
fill_int8(int64_t *to, int64_t n, int64_t below, uint64_t seed)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, n, seed,
										to_integer<int64_t>{below});
	CUDA(cudaGetLastError());
}

void
fill_flags(uint8_t *to, int64_t n, double rate, uint64_t seed)
{
	fill<<<FILL_BLOCKS, FILL_THREADS>>>(to, n, seed, to_flag{rate});
	CUDA(cudaGetLastError());
}

static __global__ void
count_differing(const uint8_t *a, const uint8_t *b, int64_t n,
				unsigned long long *count)
{
	const int64_t step = (int64_t) gridDim.x * blockDim.x;
	const int64_t first = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long mine = 0;

	for (int64_t i = first; i < n / 8; i += step)
		mine += ((const uint64_t *) a)[i] != ((const uint64_t *) b)[i];
	for (int64_t i = n / 8 * 8 + first; i < n; i += step)
		mine += a[i] != b[i];
	if (mine != 0)
		atomicAdd(count, mine);
}

int64_t
differing(const void *a, const void *b, int64_t bytes)
{
	unsigned long long *count;
	unsigned long long result;

	CUDA(cudaMalloc(&count, sizeof *count));
	CUDA(cudaMemset(count, 0, sizeof *count));
	count_differing<<<FILL_BLOCKS, FILL_THREADS>>>
		((const uint8_t *) a, (const uint8_t *) b, bytes, count);
	CUDA(cudaGetLastError());
	CUDA(cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost));
	CUDA(cudaFree(count));
	return (int64_t) result;
}

static void
write_json(const char *path)
{
	FILE	   *f = fopen(path, "w");
	cudaDeviceProp device;
	int			driver;
	const char *comma = "";

	if (f == NULL)
	{
		perror(path);
		exit(2);
	}
	CUDA(cudaGetDeviceProperties(&device, 0));
	CUDA(cudaDriverGetVersion(&driver));
	fprintf(f, "{\n\"device\": \"%s\",\n\"multiprocessors\": %d,\n"
			"\"driver\": %d,\n\"runtime\": %d,\n\"copy_gb_per_s\": %.1f,\n"
			"\"results\": [\n", device.name, device.multiProcessorCount,
			driver, CUDART_VERSION, copy_rate * 1e-6);
	for (const record &r : records)
	{
		fprintf(f, "%s{\"work\": \"%s\", \"n\": %lld, \"contestant\": \"%s\", "
				"\"right\": %s, \"timed_by\": \"%s\", \"ms\": %.6f, "
				"\"bytes\": %lld, \"of_copy\": %.4f}", comma,
				r.of.work.c_str(), (long long) r.of.n, r.name.c_str(),
				r.right ? "true" : "false", r.clock ? "clock" : "events", r.ms,
				(long long) r.of.bytes, r.of.bytes / r.ms / copy_rate);
		comma = ",\n";
	}
	fprintf(f, "\n]\n}\n");
	fclose(f);
}

int
main(int argc, char **argv)
{
	const char *json = NULL;
	int			wrong = 0;

	for (int i = 1; i < argc; i++)
	{
		if (strcmp(argv[i], "--json") == 0 && i + 1 < argc)
			json = argv[++i];
		else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
			only = argv[++i];
		else
			patterns.push_back(argv[i]);
	}
	CUDA(cudaMalloc((void **) &memory.in, ARENA_SIZE));
	CUDA(cudaMalloc((void **) &memory.out, ARENA_SIZE));
	CUDA(cudaMalloc((void **) &memory.expected, ARENA_SIZE));
	CUDA(cudaMalloc((void **) &memory.scratch, ARENA_SIZE));
	bench_copy();
	bench_reduce();
	bench_scan();
	bench_histogram();
	bench_compact();
	bench_map();
	bench_groups();
	if (json != NULL)
		write_json(json);
	for (const record &r : records)
		wrong += !r.right;
	if (wrong > 0)
		printf("%d wrong results\n", wrong);
	return wrong == 0 ? 0 : 1;
}
