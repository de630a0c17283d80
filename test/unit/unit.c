/*-------------------------------------------------------------------------
 *
 * unit.c
 *	  The framework of the unit tests; see unit.h.
 *
 *-------------------------------------------------------------------------
 */
#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Failed expectations that a test prints; the rest are counted. */
#define MAX_COMPLAINTS	5

static char test_name[200];
static long expectations;
static long complaints;
static clock_t began;

/* Of all tests, in memory that both processes share. */
typedef struct totals
{
	_Atomic int64_t comparisons;	/* expectations */
	_Atomic int passed;
	_Atomic int failed;
} totals;

static totals *all;

void
test_begin(const char *format,...)
{
	va_list		args;

	va_start(args, format);
	vsnprintf(test_name, sizeof test_name, format, args);
	va_end(args);
	expectations = 0;
	complaints = 0;
	began = clock();
}

bool
expect(bool condition, const char *format,...)
{
	va_list		args;

	expectations++;
	if (condition || complaints++ >= MAX_COMPLAINTS)
		return condition;
	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	return false;
}

void
test_end(void)
{
	bool		ok = complaints == 0 && expectations > 0;

	if (ok)
		all->passed++;
	else
		all->failed++;
	all->comparisons += expectations;
	printf("%s - %s", ok ? "ok" : "not ok", test_name);
	if (!ok)
		printf(" (%ld of %ld)", complaints, expectations);
	printf(", %.1f s\n", (double) (clock() - began) / CLOCKS_PER_SEC);
	fflush(stdout);
}

/* The last lines, and the program's exit status. */
static int
tests_finish(void)
{
	printf("%lld comparisons\n%d passed, %d failed\n",
		   (long long) all->comparisons, all->passed, all->failed);
	return all->failed > 0 || all->passed == 0;
}

void *
allocate(size_t size)
{
	void	   *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		abort();
	return p;
}

/* All but test_engine(), which takes more than half of the time. */
static void
test_others(uint64_t seed, int64_t plans)
{
	test_op();
	test_bits();
	test_change_width();
	test_scaled();
	test_scatter();
	test_exact();
	test_regression();
	test_line();
	test_elementary();
	test_series();
	test_product();
	test_group_op();
	test_moving_prefixes();
	test_moving_moments();
	test_moving_totals();
	test_moving_pairs();
	test_segments();
	test_places();
	test_interpolations();
	test_expressions();
	test_plan();
	test_message_values();
	test_group_many();
	test_group(seed, plans);
	test_windows(seed, plans);
	test_elementary_blocks();
	test_expressions_of_parts();
}

/* Two processes, for two cores. */
int
main(int argc, char **argv)
{
	uint64_t	seed = seed_of(argc > 1 ? argv[1] : "");
	int64_t		plans = argc > 2 ? strtoll(argv[2], NULL, 0) : 150;
	pid_t		other;
	int			status;

	all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		abort();
	printf("# seed %llu: make -C test/unit check SEED=%llu\n",
		   (unsigned long long) seed, (unsigned long long) seed);
	fflush(stdout);
	random_seed(seed);
	other = fork();
	if (other == 0)
	{
		test_engine();
		exit(0);
	}
	test_others(seed, plans);
	if (other < 0 || waitpid(other, &status, 0) != other || status != 0)
	{
		printf("the tests of the engine ended early\n");
		all->failed++;
	}
	return tests_finish();
}
