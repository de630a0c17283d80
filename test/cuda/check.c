/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Does the CUDA engine give the CPU engine's bits?
 *
 * Random and hostile arrays go through both engines, every operation on every
 * type, in all sizes that are near some boundary, cut into feeds in several
 * ways.  All that comes out must be the same: values bit for bit, NULLs,
 * counts, statuses, positions.  Outputs are poisoned beforehand, and end in
 * canaries.  Each array goes through the CUDA engine a second time, from a copy
 * in the engine's own memory.  Threads do all of it at once, as connections to
 * a service do.
 *
 *		check [--small] [--seed=N] [--only=NAME] [--threads=N]
 *			[--memory-limit=BYTES] [--times] [--device=N]
 *
 * Each run has another seed, unless it is given one, and prints it.  --small
 * does what compute-sanitizer gets through in a minute.  NAME is a family's
 * (reduce, scan, ...).  --times prints how long warm calls take.
 *
 * check.h says what is in which file.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <pthread.h>
#include <time.h>

#define MAX_THREADS		256

check_options options = {.threads = 8};

void
fail(const char *message)
{
	fprintf(stderr, "%s\n", message);
	exit(2);
}

double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static void *
thread_main(void *number)
{
	try_all((uint64_t) (uintptr_t) number);
	return NULL;
}

static void
try_in_threads(void)
{
	pthread_t	thread[MAX_THREADS];

	for (int i = 0; i < options.threads; i++)
	{
		if (pthread_create(&thread[i], NULL, thread_main,
						   (void *) (uintptr_t) (i + 1)) != 0)
			fail("could not start a thread");
	}
	for (int i = 0; i < options.threads; i++)
		pthread_join(thread[i], NULL);
}

static void
read_options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
	{
		const char *value = strchr(argv[i], '=');

		value = value == NULL ? "" : value + 1;
		if (strcmp(argv[i], "--small") == 0)
			options.small = true;
		else if (strcmp(argv[i], "--times") == 0)
			options.times = true;
		else if (strncmp(argv[i], "--seed=", 7) == 0)
			options.seed = strtoull(value, NULL, 0);
		else if (strncmp(argv[i], "--only=", 7) == 0)
			options.only = value;
		else if (strncmp(argv[i], "--threads=", 10) == 0)
			options.threads = atoi(value) > MAX_THREADS ? MAX_THREADS :
				atoi(value);
		else if (strncmp(argv[i], "--memory-limit=", 15) == 0)
			options.memory_limit = strtoull(value, NULL, 0);
		else if (strncmp(argv[i], "--device=", 9) == 0)
			options.device = atoi(value);
		else
		{
			fprintf(stderr, "unknown option \"%s\"\n", argv[i]);
			exit(2);
		}
	}
}

int
main(int argc, char **argv)
{
	gs_cuda_info info;
	char		message[200];
	int64_t		comparisons = 0;
	int			good = 0;
	int			bad = 0;
	double		start = now_ms();

	options.seed = seed_of("");
	read_options(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	info.devices = 1;
	info.device[0] = options.device;
	if (gs_cuda_open(options.memory_limit, &info, message,
					 sizeof message) != GS_OK)
	{
		printf("%s\n", message);
		return 2;
	}
	printf("# %s, driver %s, CUDA %s, %.1f of %.1f GB in use; opened in %.0f ms;"
		   " seed %llu\n", info.name, info.driver, info.runtime,
		   info.memory_used / 1e9, info.memory_total / 1e9, now_ms() - start,
		   (unsigned long long) options.seed);
	if (options.small)
		try_small();
	else
		try_in_threads();
	print_totals(&comparisons, &good, &bad);
	printf("# %.1f s\n", (now_ms() - start) / 1000);
	if (options.times)
		print_times();
	printf("%lld comparisons\n%d passed, %d failed\n",
		   (long long) comparisons, good, bad);
	return bad > 0 || good == 0;
}
