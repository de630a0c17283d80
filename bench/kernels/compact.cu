/*-------------------------------------------------------------------------
 *
 * compact.cu
 *	  Contests of compactions.
 *
 * gpuscan's results are checked against CUB's, and CUB's against gpuscan's.
 *
 *-------------------------------------------------------------------------
 */
#include "bench.h"

#include <string>

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#define FLAGS	((uint8_t *) memory.in + (INT64_C(8) << 30))

struct below
{
	double		bound;

	__device__ bool operator()(double v) const
	{
		return v < bound;
	}
};

/*
 * CUB's number of results is at the start of scratch, its workspace after it.
 */
static int64_t
cub_kept(void)
{
	int64_t		kept;

	CUDA(cudaMemcpy(&kept, memory.scratch, sizeof kept,
					cudaMemcpyDeviceToHost));
	return kept;
}

typedef std::function<cudaError_t(void *space, size_t &size, void *out)>
	selection;

/* Run a CUB selection into `out`. */
static void
select_by(const selection &s, size_t size, void *out)
{
	CUDA(s(memory.scratch + 256, size, out));
}

static void
contest_of(const std::string &work, int64_t n, int64_t in_bytes, int width,
		   const gpuscan_call &call, const char *name, const selection &s,
		   bool small)
{
	size_t		size = 0;
	contest		c = {work, n, 0};
	contestant	ours;
	contestant	cub;
	int64_t		kept;

	CUDA(s(NULL, size, memory.expected));
	select_by(s, size, memory.expected);
	CUDA(cudaDeviceSynchronize());
	kept = cub_kept();
	c.bytes = in_bytes + kept * width;

	ours.name = "gpuscan";
	ours.run = [=] { execute(call); };
	ours.is_right = [=] {
		gs_done		done;

		CUDA(cudaMemcpy(&done, call.out.done, sizeof done,
						cudaMemcpyDeviceToHost));
		return done.n == kept && done.present == kept &&
			differing(memory.out, memory.expected, kept * width) == 0;
	};
	cub.name = name;
	cub.run = [=] { select_by(s, size, memory.out); };
	cub.is_right = [=] {
		return cub_kept() == kept &&
			differing(memory.out, memory.expected, kept * width) == 0;
	};
	compete_all(c, small, {ours, cub});
}

static void
bench_flags(const std::string &work, int64_t n, double rate, bool small)
{
	gs_op		op = {};
	gpuscan_call call;

	if (!wanted(work))
		return;
	fill_flags(FLAGS, n, rate, 11);
	op.kind = GS_COMPACT;
	op.type = GS_FLOAT8;
	call = prepare(op, memory.in, n);
	call.in.mask.values = FLAGS;
	call.in.mask.present = n;
	contest_of(work, n, n * 9, 8, call, "CUB DeviceSelect::Flagged",
			   [=](void *space, size_t &size, void *out) {
		return cub::DeviceSelect::Flagged(space, size, (double *) memory.in,
										  FLAGS, (double *) out,
										  (int64_t *) memory.scratch, n);
	}, small);
}

static void
bench_predicate(const std::string &work, int64_t n, double rate, bool small)
{
	gs_op		op = {};

	if (!wanted(work))
		return;
	op.kind = GS_FILTER;
	op.type = GS_FLOAT8;
	op.filter.compare = GS_LT;
	op.filter.bound = rate;
	contest_of(work, n, n * 8, 8, prepare(op, memory.in, n),
			   "CUB DeviceSelect::If",
			   [=](void *space, size_t &size, void *out) {
		return cub::DeviceSelect::If(space, size, (double *) memory.in,
									 (double *) out,
									 (int64_t *) memory.scratch, n,
									 below{rate});
	}, small);
}

static void
bench_positions(const std::string &work, int64_t n, double rate)
{
	gs_op		op = {};

	if (!wanted(work))
		return;
	fill_flags(FLAGS, n, rate, 12);
	op.kind = GS_WHERE;
	op.type = GS_BOOL;
	contest_of(work, n, n, 4, prepare(op, FLAGS, n),
			   "CUB DeviceSelect::Flagged, counting iterator",
			   [=](void *space, size_t &size, void *out) {
		return cub::DeviceSelect::Flagged(space, size,
										  thrust::counting_iterator<int32_t>(1),
										  FLAGS, (int32_t *) out,
										  (int64_t *) memory.scratch, n);
	}, false);
}

void
bench_compact(void)
{
	const int64_t n = INT64_C(1) << 28;

	fill_unit((double *) memory.in, n, 9);
	bench_flags("compaction float8 by flags, half kept", n, 0.5, false);
	bench_flags("compaction float8 by flags, 1 % kept", n, 0.01, false);
	bench_flags("compaction float8 by flags, 99 % kept", n, 0.99, false);
	bench_predicate("compaction float8 by predicate, half kept", n, 0.5, false);
	bench_predicate("compaction float8 by predicate, 1 % kept", n, 0.01, false);
	bench_predicate("compaction float8 by predicate, 99 % kept", n, 0.99,
					false);
	bench_positions("positions of true, half true", n, 0.5);
	for (int64_t small = 1000; small <= 10000000; small *= 10)
		bench_flags("compaction float8 by flags, small", small, 0.5, true);
	for (int64_t small = 1000; small <= 10000000; small *= 10)
		bench_predicate("compaction float8 by predicate, small", small, 0.5,
						true);
}
