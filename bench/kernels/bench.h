/*-------------------------------------------------------------------------
 *
 * bench.h
 *	  What the parts of bench/kernels share.
 *
 * A contest is one piece of work over one input.  The contestants are
 * gpuscan's kernel, those of libraries, and the classic algorithms.  Each
 * contestant is first run into poisoned memory and checked, and only then
 * timed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BENCH_H
#define BENCH_H

#include <functional>
#include <string>
#include <vector>

#include "kernels/kernels.h"

#define CUDA(call)	check_cuda((call), #call)

extern void check_cuda(cudaError_t error, const char *what);

/* The memory that all contests share. */
typedef struct arena
{
	char	   *in;				/* ARENA_SIZE bytes each */
	char	   *out;
	char	   *expected;
	char	   *scratch;
} arena;

#define ARENA_SIZE	(INT64_C(9) << 30)

extern arena memory;

typedef struct contest
{
	std::string work;
	int64_t		n;
	int64_t		bytes;			/* that must be read and written */
} contest;

typedef struct contestant
{
	std::string name;
	std::function<void(void)> run;
	std::function<bool(void)> is_right;
	std::function<void(void)> before;	/* not timed; may be empty */
} contestant;

/* Does the command line select this contest? */
extern bool wanted(const std::string &work);

/* Poison, run, check, time, print, record. */
extern void compete(const contest &c, const contestant &p);

/*
 * compete() with several contestants.  Small inputs are timed by the host's
 * clock, from the call to the end of the wait for it, and contestants alternate,
 * so that a busy host slows all of them.
 */
extern void compete_all(const contest &c, bool small,
						const std::vector<contestant> &all);

/*
 * compete_all() for executions that wait for the device themselves: any input
 * is timed by the host's clock.
 */
extern void compete_whole(const contest &c,
						  const std::vector<contestant> &all);

/* gpuscan's kernels: the memory of an operation, and all its launches. */
typedef struct gpuscan_call
{
	const gs_kernels *kernels;
	gs_op		op;
	gs_device_input in;
	gs_device_output out;
	char	   *state;
	char	   *work;			/* scratch */
} gpuscan_call;

extern gpuscan_call prepare(const gs_op &op, const void *values, int64_t n);
extern void execute(const gpuscan_call &call);
extern void get_result(const gpuscan_call &call, gs_result *result);

/* Random inputs (bench.cu).  Doubles are multiples of 2^-52 in [-1, 1). */
extern void fill_double(double *to, int64_t n, uint64_t seed);
extern void fill_unit(double *to, int64_t n, uint64_t seed);	/* in [0, 1) */
extern void fill_float(float *to, int64_t n, uint64_t seed);	/* [-1, 1) */
extern void fill_int4(int32_t *to, int64_t n, int32_t below, uint64_t seed);
extern void fill_int8(int64_t *to, int64_t n, int64_t below, uint64_t seed);
extern void fill_flags(uint8_t *to, int64_t n, double rate, uint64_t seed);

/* How many of n bytes, or 8-byte words, differ. */
extern int64_t differing(const void *a, const void *b, int64_t bytes);

/* The parts. */
extern void bench_reduce(void);
extern void bench_scan(void);
extern void bench_histogram(void);
extern void bench_compact(void);
extern void bench_map(void);
extern void bench_groups(void);

#endif							/* BENCH_H */
