/*-------------------------------------------------------------------------
 *
 * test_main.c
 *	  Tests of gpuscand and its protocol.
 *
 * Usage: test PATH_OF_GPUSCAND SEED EVERY 2>>service.log, in a directory where it
 * may create files.  Both may be built with a sanitizer, whose reports, in that log or
 * in the exit status, are failures.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "test/common/random.h"

static bool
log_is_clean(void)
{
	static char line[4096];
	FILE	   *log = fopen("service.log", "r");
	bool		clean = log != NULL;

	while (log != NULL && fgets(line, sizeof line, log) != NULL)
		clean = clean && strstr(line, "Sanitizer") == NULL &&
			strstr(line, "runtime error") == NULL;
	if (log != NULL)
		fclose(log);
	return clean;
}

/* A test, and its name. */
typedef struct test
{
	const char *name;
	void		(*run) (void);
} test;

#define TEST(name)	{#name, test_##name}

/* Those that one gpuscand serves, and those that start others. */
static const test of_one[] = {
	TEST(valid_requests), TEST(hostile), TEST(scribble), TEST(cache),
	TEST(reductions), TEST(loads), TEST(report_plans),
	TEST(report_stages), TEST(report_fresh),
	TEST(report_random), TEST(report_dictionary), TEST(report_hostile), TEST(report_scatter),
	TEST(report_shared), TEST(concurrency)
};
static const test of_others[] = {
	TEST(lifecycle), TEST(cache_size), TEST(patience),
	TEST(report_shared_little), TEST(report_codes), TEST(report_width),
	TEST(report_memory), TEST(report_tiers), TEST(report_random_tiers),
	TEST(report_shared_tiers), TEST(report_stages_ends),
	TEST(report_devices), TEST(unread)
};

static void
run(const test *tests, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		time_t		began = time(NULL);

		tests[i].run();
		test_end(tests[i].name, began);
	}
}

int
main(int argc, char **argv)
{
	char	   *patient[] = {"--debug-patience=3600000", NULL};
	time_t		began = time(NULL);
	service		s;

	if (argc < 4)
		return 2;
	gpuscand = argv[1];
	seed = seed_of(argv[2]);
	attempts_per_taken = atoi(argv[3]);
	random_seed(seed);
	printf("# seed %llu: make -C test/service check SEED=%llu\n",
		   (unsigned long long) seed, (unsigned long long) seed);
	signal(SIGPIPE, SIG_IGN);
	umask(077);
	service_start(&s, patient);
	check(strcmp(s.said, GS_READY "cpu") == 0, "gpuscand is ready");
	test_end("start", began);
	run(of_one, sizeof of_one / sizeof *of_one);
	check(service_end(&s, SIGTERM) == 0, "gpuscand ends in order");
	test_end("end", time(NULL));
	run(of_others, sizeof of_others / sizeof *of_others);
	check(log_is_clean(), "the sanitizer reports nothing");
	test_end("log", time(NULL));
	return tests_finish();
}
