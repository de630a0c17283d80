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
#include <time.h>

/* Failed expectations that a test prints; the rest are counted. */
#define MAX_COMPLAINTS	5

static char test_name[200];
static long expectations;
static long complaints;
static clock_t began;
static int64_t comparisons;		/* expectations of all tests */
static int	passed;
static int	failed;

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
		passed++;
	else
		failed++;
	comparisons += expectations;
	printf("%s %d - %s", ok ? "ok" : "not ok", passed + failed, test_name);
	if (!ok)
		printf(" (%ld of %ld)", complaints, expectations);
	printf(", %.1f s\n", (double) (clock() - began) / CLOCKS_PER_SEC);
	fflush(stdout);
}

/* The last lines, and the program's exit status. */
int
tests_finish(void)
{
	printf("1..%d\n%lld comparisons\n%d passed, %d failed\n",
		   passed + failed, (long long) comparisons, passed, failed);
	return failed > 0 || passed == 0;
}

void *
allocate(size_t size)
{
	void	   *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		abort();
	return p;
}

int
main(int argc, char **argv)
{
	uint64_t	seed = seed_of(argc > 1 ? argv[1] : "");
	int64_t		plans = argc > 2 ? strtoll(argv[2], NULL, 0) : 300;

	printf("# seed %llu: make -C test/unit check SEED=%llu\n",
		   (unsigned long long) seed, (unsigned long long) seed);
	random_seed(seed);
	test_op();
	test_bits();
	test_change_width();
	test_exact();
	test_regression();
	test_line();
	test_elementary();
	test_series();
	test_product();
	test_engine();
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
	test_elementary_blocks();
	test_expressions_of_parts();
	return tests_finish();
}
