/*-------------------------------------------------------------------------
 *
 * test_main.c
 *	  Tests of gpuscand and its protocol.
 *
 * Usage: test PATH_OF_GPUSCAND, in a directory where it may create files.
 * Both may be built with a sanitizer, whose reports, in gpuscand's log or in
 * its exit status, are failures.
 *
 *-------------------------------------------------------------------------
 */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

static bool
log_is_clean(void)
{
	static char line[4096];
	FILE	   *log = fopen("service.log", "r");
	bool		clean = log != NULL;

	while (log != NULL && fgets(line, sizeof line, log) != NULL)
	{
		if (strstr(line, "Sanitizer") == NULL &&
			strstr(line, "runtime error") == NULL)
			continue;
		fputs(line, stdout);
		clean = false;
	}
	if (log != NULL)
		fclose(log);
	return clean;
}

int
main(int argc, char **argv)
{
	char	   *patient[] = {"--debug-patience=3600000", NULL};
	service		s;

	if (argc != 2)
		return 2;
	gpuscand = argv[1];
	signal(SIGPIPE, SIG_IGN);
	umask(077);
	unlink("service.log");
	service_start(&s, patient);
	check(strcmp(s.said, GS_READY "cpu") == 0, "gpuscand is ready");
	test_valid_requests();
	test_hostile();
	test_scribble();
	test_cache();
	test_reductions();
	test_loads();
	test_report_plans();
	test_report_fresh();
	test_report_random();
	test_report_dictionary();
	test_report_hostile();
	test_report_shared();
	test_concurrency();
	check(service_end(&s, SIGTERM) == 0, "gpuscand ends in order");
	test_lifecycle();
	test_cache_size();
	test_patience();
	test_report_shared_little();
	test_report_codes();
	test_report_width();
	test_report_memory();
	check(log_is_clean(), "the sanitizer reports nothing");
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}
