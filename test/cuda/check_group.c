/*-------------------------------------------------------------------------
 *
 * check_group.c
 *	  Does the CUDA engine give of random plans what the reference gives?
 *
 *		check_group [--plans=N] [--seed=S] [--rows=N] [--threads=N]
 *			[--device=N] [--devices=N] [--brief] [--cpu]
 *
 * The seeds of the plans follow each other, from S on, or from one that is
 * another each time, and printed.  --rows is the most that a plan runs over.
 * --brief: little beside the random plans, for tools under which all takes
 * long.  --cpu: the CPU engine instead; no device is needed.  --devices: so many
 * logical ones in one, over which batches are spread.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/devices.h"
#include "kernels/cuda_engine.h"
#include "test/common/plan_stages.h"
#include "test/common/random.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS	256

/* One plan in so many has up to --rows rows, the others up to MAX_FEW. */
#define MANY_IN		16
#define MAX_FEW		3000

static plan_target target = {&gs_plan_cuda, &gs_engine_cuda, true, 0};
static int64_t plans = 2000;
static uint64_t seed;
static int64_t max_rows = 100000;
static int	threads = 4;
static int	device;
static int	logical;			/* devices in that one; 0: one */
static bool brief;

static void
read_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
	{
		const char *value = strchr(argv[i], '=');

		value = value == NULL ? "" : value + 1;
		if (strncmp(argv[i], "--plans=", 8) == 0)
			plans = strtoll(value, NULL, 0);
		else if (strncmp(argv[i], "--seed=", 7) == 0)
			seed = strtoull(value, NULL, 0);
		else if (strncmp(argv[i], "--rows=", 7) == 0)
			max_rows = strtoll(value, NULL, 0);
		else if (strncmp(argv[i], "--threads=", 10) == 0)
			threads = atoi(value);
		else if (strncmp(argv[i], "--device=", 9) == 0)
			device = atoi(value);
		else if (strcmp(argv[i], "--brief") == 0)
			brief = true;
		else if (strcmp(argv[i], "--cpu") == 0)
			target = (plan_target) {&gs_plan_cpu, &gs_engine_cpu, true, 0};
		else if (strncmp(argv[i], "--devices=", 10) == 0)
			logical = atoi(value);
		else
		{
			fprintf(stderr, "unknown option \"%s\"\n", argv[i]);
			exit(2);
		}
	}
	if (logical < 0 || logical > GS_DEVICES_MAX || plans < 1 || max_rows < 1 || threads < 1 || threads > MAX_THREADS)
	{
		fprintf(stderr, "an option is out of range\n");
		exit(2);
	}
}

/* A thread's share of the plans, and what became of them. */
typedef struct share
{
	pthread_t	thread;
	int			number;
	plan_tally	tally;
} share;

static void *
try_share(void *arg)
{
	share	   *s = arg;
	plan_tally	stages = {0};

	for (int64_t i = s->number; i < plans; i += threads)
	{
		uint64_t	at = seed + (uint64_t) i;

		plan_try(&target, at, at % MANY_IN == 0 || max_rows < MAX_FEW ?
				 max_rows : MAX_FEW, &s->tally);
		plan_try_damaged(&target, at, &s->tally);
		plan_try_stages(&target, at, MAX_FEW, &stages);
	}
	s->tally.passed += stages.passed;
	s->tally.failed += stages.failed;
	return NULL;
}

static int
first_device(void)
{
	return 0;
}

static void
open_device(void)
{
	gs_cuda_info info = {1, {device}};
	char		message[200];

	info.devices = logical > 0 ? logical : 1;
	for (int i = 0; i < info.devices; i++)
		info.device[i] = device;

	if (gs_cuda_open(0, &info, message, sizeof message) != GS_OK)
	{
		printf("%s\n", message);
		exit(2);
	}
	printf("# %s, driver %s, CUDA %s\n", info.name, info.driver,
		   info.runtime);
	if (logical > 0)
	{
		target.engine = gs_plan_devices(target.engine, logical,
										gs_engine_cuda.use, first_device);
		target.of_rows = false;	/* they are not in order */
		target.devices = logical;
	}
}

/* The random plans, each once more, damaged, and as many stages. */
static bool
try_random(plan_tally *all)
{
	static share shares[MAX_THREADS];
	bool		good = true;

	for (int i = 0; i < threads; i++)
	{
		shares[i].number = i;
		if (pthread_create(&shares[i].thread, NULL, try_share, &shares[i]) != 0)
		{
			fprintf(stderr, "could not start a thread\n");
			exit(2);
		}
	}
	for (int i = 0; i < threads; i++)
	{
		const plan_tally *t = &shares[i].tally;

		pthread_join(shares[i].thread, NULL);
		good &= t->failed == 0;
		all->passed += t->passed;
		all->failed += t->failed;
		all->errors += t->errors;
		all->empty += t->empty;
		all->groups += t->groups;
		all->wide += t->wide;
		all->valid += t->valid;
	}
	printf("# of %" PRId64 " plans, %" PRId64 " with errors, %" PRId64
		   " without rows; %" PRId64 " groups, %" PRId64 " wide sums; %"
		   PRId64 " damaged ones valid\n", plans, all->errors, all->empty,
		   all->groups, all->wide, all->valid);
	return good;
}

/* A line a test; how many of them failed. */
static int
report(const char *name, bool good)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	return !good;
}

int
main(int argc, char **argv)
{
	plan_tally	all = {0};
	int			tests;
	int			failed = 0;

	seed = seed_of("");
	read_options(argc, argv);
	tests = brief ? 2 : 3;
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("# seed %" PRIu64 "\n", seed);
	if (target.engine == &gs_plan_cuda)
		open_device();
	if (!brief)
		failed += report("instructions on special values",
						 plan_try_instructions(&target, &all));
	failed += report("sums over many rows",
					 plan_try_many(&target, brief, &all));
	failed += report("random plans", try_random(&all));
	printf("%" PRId64 " comparisons\n%d passed, %d failed\n",
		   all.passed + all.failed, tests - failed, failed);
	return failed > 0;
}
