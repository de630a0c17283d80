/*-------------------------------------------------------------------------
 *
 * options.c
 *	  The command line of gpuscand.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/service.h"

#ifndef GS_VERSION
#error "GS_VERSION is not defined"
#endif

static const char usage[] =
"gpuscand computes for the PostgreSQL extension gpuscan, which starts it.\n"
"\n"
"Usage: gpuscand --socket=PATH [OPTION]...\n"
"\n"
"  --engine=auto|cpu|cuda   what computes (default: auto, CUDA where there is a\n"
"                           device, else the CPU, for reports alone)\n"
"  --devices=all|N,...      CUDA devices, counted from 0 (default: all that are idle\n"
"                           enough); one named several times, or any on the CPU,\n"
"                           is as many logical ones, for tests\n"
"  --socket=PATH            Unix socket to listen on; PATH.lock is the lock file\n"
"  --lifeline=FD            inherited socket: gpuscand sends \"ready ENGINE\" there, or\n"
"                           why it could not start, and ends when it closes\n"
"  --incarnation=HEX        the start of the server that clients must belong to\n"
"  --staging-size=SIZE      memory shared with clients (default: 256MB)\n"
"  --chunk-size=SIZE        slot size of this memory, a power of two\n"
"                           (default: 4MB)\n"
"  --memory-limit=SIZE      maximum device memory (default: 0, no limit)\n"
"  --cache-size=SIZE        part of it for caching toasted arrays and columns of\n"
"                           tables (default: a quarter of the limit, else of the\n"
"                           device's memory; on the CPU an eighth of the host's,\n"
"                           at most 4GB)\n"
"  --host-cache-size=SIZE   memory of the host for columns that do not fit there\n"
"                           (default: a quarter of it; on the CPU 0)\n"
"  --threads=N              threads that compute a report on the CPU (default: 0,\n"
"                           half of the cores)\n"
"  --response-timeout=S     seconds that a batch may take (default: 10)\n"
"  --debug-delay=MS         for tests: delay each batch\n"
"  --debug-fail-after=N     for tests: after N batches, behave as if the device\n"
"                           had failed (default: 0, never)\n"
"  --debug-fail-device=N    for tests: only what is computed on this one of the\n"
"                           engine's devices, counted from 0\n"
"  --debug-patience=MS      for tests: how long to wait for a value that another\n"
"                           client loads without progress (default: 1000)\n"
"  --help                   show this and exit\n"
"  --version                show the version and exit\n"
"\n"
"SIZE is a number of bytes, or of kB, MB or GB.\n";

static const struct option options[] = {
	{"engine", required_argument, NULL, 'e'},
	{"devices", required_argument, NULL, 'd'},
	{"socket", required_argument, NULL, 's'},
	{"lifeline", required_argument, NULL, 'l'},
	{"incarnation", required_argument, NULL, 'i'},
	{"staging-size", required_argument, NULL, 'g'},
	{"chunk-size", required_argument, NULL, 'c'},
	{"memory-limit", required_argument, NULL, 'm'},
	{"cache-size", required_argument, NULL, 'C'},
	{"host-cache-size", required_argument, NULL, 'H'},
	{"threads", required_argument, NULL, 'T'},
	{"response-timeout", required_argument, NULL, 't'},
	{"debug-delay", required_argument, NULL, 'D'},
	{"debug-fail-after", required_argument, NULL, 'F'},
	{"debug-fail-device", required_argument, NULL, 'f'},
	{"debug-patience", required_argument, NULL, 'P'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0}
};

static void
wrong(const char *what, const char *value)
{
	fprintf(stderr, "gpuscand: %s: \"%s\"\n"
			"Try \"gpuscand --help\" for more information.\n", what, value);
	exit(GS_EXIT_USAGE);
}

static uint64_t
parse_number(const char *text, int base, uint64_t min, uint64_t max,
			 const char **end)
{
	char	   *stop;
	uint64_t	value;

	errno = 0;
	value = strtoull(text, &stop, base);
	if (errno != 0 || stop == text || *text == '-' || *text == '+' ||
		(end == NULL && *stop != '\0') || value < min || value > max)
		wrong("number out of range", text);
	if (end != NULL)
		*end = stop;
	return value;
}

static uint64_t
parse_size(const char *text, uint64_t min, uint64_t max)
{
	static const struct
	{
		const char *name;
		int			shift;
	}			units[] = {{"", 0}, {"kB", 10}, {"MB", 20}, {"GB", 30}};
	const char *unit;
	uint64_t	value = parse_number(text, 10, 0, max, &unit);

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
	{
		if (strcmp(unit, units[i].name) == 0)
		{
			if (value > max >> units[i].shift ||
				value << units[i].shift < min)
				wrong("size out of range", text);
			return value << units[i].shift;
		}
	}
	wrong("unknown unit of size", text);
	return 0;
}

/* "all", or numbers of devices, separated by commas */
static void
parse_devices(const char *text)
{
	gs_config  *c = &gs_service;

	c->all_devices = strcmp(text, "all") == 0;
	c->devices = 0;
	while (!c->all_devices)
	{
		if (c->devices == GS_DEVICES_MAX)
			wrong("too many devices", text);
		c->device[c->devices++] = (int) parse_number(text, 10, 0, 1023, &text);
		if (*text == '\0')
			break;
		if (*text++ != ',')
			wrong("not a list of devices", text - 1);
	}
}

static void
parse_option(int option, const char *value)
{
	gs_config  *c = &gs_service;

	switch (option)
	{
		case 'e':
			if (strcmp(value, "cpu") == 0)
				c->wanted = GS_WANT_CPU;
			else if (strcmp(value, "cuda") == 0)
				c->wanted = GS_WANT_CUDA;
			else if (strcmp(value, "auto") == 0)
				c->wanted = GS_WANT_ANY;
			else
				wrong("unknown engine", value);
			break;
		case 'd':
			parse_devices(value);
			break;
		case 's':
			if (strlen(value) > 90) /* limited by sun_path, with suffixes */
				wrong("path of the socket too long", value);
			c->socket = value;
			break;
		case 'l':
			c->lifeline = (int) parse_number(value, 10, 3, INT_MAX, NULL);
			break;
		case 'i':
			c->incarnation = parse_number(value, 16, 0, UINT64_MAX, NULL);
			break;
		case 'g':
			c->staging_size = parse_size(value, 2 * GS_SLOT_SIZE_MIN,
										 UINT64_C(1) << 40);
			break;
		case 'c':
			c->slot_size = (uint32_t) parse_size(value, GS_SLOT_SIZE_MIN,
												 GS_SLOT_SIZE_MAX);
			if ((c->slot_size & (c->slot_size - 1)) != 0)
				wrong("slot size is not a power of two", value);
			break;
		case 'm':
			c->memory_limit = parse_size(value, 0, GS_DEVICE_SIZE_MAX);
			break;
		case 'C':
			c->cache_size = parse_size(value, 0, GS_DEVICE_SIZE_MAX);
			break;
		case 'H':
			c->host_cache_size = parse_size(value, 0, GS_DEVICE_SIZE_MAX);
			break;
		case 'T':
			c->threads = (int) parse_number(value, 10, 0, GS_ENGINE_THREADS_MAX,
											NULL);
			break;
		case 't':
			c->response_timeout = (int) parse_number(value, 10, 1, 86400, NULL);
			break;
		case 'D':
			c->delay = (int) parse_number(value, 10, 0, 3600000, NULL);
			break;
		case 'F':
			c->fail_after = (int64_t) parse_number(value, 10, 0, INT64_MAX,
												   NULL);
			break;
		case 'f':
			c->fail_device = (int) parse_number(value, 10, 0,
												GS_DEVICES_MAX - 1, NULL);
			break;
		case 'P':
			c->patience = (int) parse_number(value, 10, 0, 3600000, NULL);
			break;
		case 'h':
			fputs(usage, stdout);
			exit(GS_EXIT_ORDERLY);
		case 'V':
			puts("gpuscand (gpuscan) " GS_VERSION);
			exit(GS_EXIT_ORDERLY);
		default:
			fputs("Try \"gpuscand --help\" for more information.\n", stderr);
			exit(GS_EXIT_USAGE);
	}
}

void
gs_options(int argc, char **argv)
{
	gs_config  *c = &gs_service;
	int			option;

	c->all_devices = true;
	c->lifeline = -1;
	c->fail_device = GS_ALL_DEVICES;
	c->staging_size = UINT64_C(256) << 20;
	c->slot_size = GS_SLOT_SIZE_DEFAULT;
	c->cache_size = c->host_cache_size = GS_CACHE_DEFAULT;
	c->response_timeout = 10;
	c->patience = 1000;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		parse_option(option, optarg);
	if (optind < argc)
		wrong("unexpected argument", argv[optind]);
	if (c->socket == NULL)
		wrong("missing option", "--socket");
	c->staging_size -= c->staging_size % c->slot_size;
	if (c->staging_size < 2 * (uint64_t) c->slot_size)
		wrong("staging memory is less than two slots", "--staging-size");
	c->call_size = c->slot_size / GS_CALL_FRACTION;
	if (c->call_size > GS_MESSAGE_MAX - sizeof(gs_msg_result))
		c->call_size = (GS_MESSAGE_MAX - sizeof(gs_msg_result)) /
			GS_STAGING_ALIGN * GS_STAGING_ALIGN;
}
