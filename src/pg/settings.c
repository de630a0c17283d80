/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  gpuscan's settings.
 *
 * gpuscan.engine and gpuscan.cache belong to a session.  The others belong to
 * the server: the supervisor reads them when the configuration is reloaded,
 * and restarts gpuscand if its command line has changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <limits.h>

#include "pg/settings.h"
#include "protocol/protocol.h"

int			gs_engine_setting = GS_ENGINE_AUTO;
int			gs_service_engine_setting = GS_SERVICE_AUTO;
int			gs_reports_setting = GS_REPORTS_EXACT;
bool		gs_cache_setting = true;
bool		gs_autoload_setting = false;
char	   *gs_devices;
int			gs_staging_size = 256 * 1024;
int			gs_memory_limit = 0;
int			gs_cache_size = -1;
int			gs_host_cache_size = -1;
int			gs_copy_threads_setting = -1;
int			gs_service_threads = 0;
int			gs_response_timeout = 10;
int			gs_chunk_size = GS_SLOT_SIZE_DEFAULT / 1024;
int			gs_debug_delay = 0;
int			gs_debug_fail_after = 0;
int			gs_debug_fail_device = -1;
int			gs_debug_held_rows = GS_HELD_ROWS_DEFAULT;
int			gs_debug_pause = GS_PAUSE_NEVER;

static const struct config_enum_entry engine_options[] = {
	{"auto", GS_ENGINE_AUTO, false},
	{"cpu", GS_ENGINE_CPU, false},
	{"gpu", GS_ENGINE_GPU, false},
	{NULL, 0, false}
};

static const struct config_enum_entry engines[] = {
	{"auto", GS_SERVICE_AUTO, false},
	{"cuda", GS_SERVICE_CUDA, false},
	{"cpu", GS_SERVICE_CPU, false},
	{NULL, 0, false}
};

static const struct config_enum_entry reports_options[] = {
	{"off", GS_REPORTS_OFF, false},
	{"gpuscan", GS_REPORTS_GPUSCAN, false},
	{"exact", GS_REPORTS_EXACT, false},
	{"all", GS_REPORTS_ALL, false},
	{NULL, 0, false}
};

static const struct config_enum_entry pause_points[] = {
	{"never", GS_PAUSE_NEVER, false},
	{"examine", GS_PAUSE_EXAMINE, false},
	{"map", GS_PAUSE_MAP, false},
	{"decided", GS_PAUSE_DECIDED, false},
	{"page", GS_PAUSE_PAGE, false},
	{"look", GS_PAUSE_LOOK, false},
	{"finish", GS_PAUSE_FINISH, false},
	{NULL, 0, false}
};

/* The size of a slot of staging memory must be a power of two. */
static bool
check_chunk_size(int *value, void **extra pg_attribute_unused(),
				 GucSource source pg_attribute_unused())
{
	if ((*value & (*value - 1)) == 0)
		return true;
	GUC_check_errdetail("gpuscan.chunk_size must be a power of two.");
	return false;
}

/* What the service's --devices takes (options.c). */
static bool
check_devices(char **value, void **extra pg_attribute_unused(),
			  GucSource source pg_attribute_unused())
{
	const char *at = *value;

	if (strcmp(at, "all") == 0)
		return true;
	for (int devices = 1; devices <= GS_DEVICES_MAX; devices++)
	{
		size_t		digits = strspn(at, "0123456789");

		if (digits < 1 || digits > 4 || atoi(at) > 1023)
			break;
		at += digits;
		if (*at == '\0')
			return true;
		if (*at++ != ',')
			break;
	}
	GUC_check_errdetail("gpuscan.devices must be \"all\", or a list of up to %d "
						"numbers, separated by commas.", GS_DEVICES_MAX);
	return false;
}

static void
define_for_users(void)
{
	DefineCustomEnumVariable("gpuscan.engine",
							 "Selects the engine that executes gpuscan's functions.",
							 "auto chooses by operation and array size; gpu "
							 "raises an error if there is no GPU.",
							 &gs_engine_setting,
							 GS_ENGINE_AUTO,
							 engine_options,
							 PGC_USERSET,
							 0,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("gpuscan.cache",
							 "Lets this session use arrays that the service "
							 "has cached.",
							 NULL,
							 &gs_cache_setting, true,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable("gpuscan.reports",
							 "Selects the queries over tables that the service "
							 "may answer.",
							 "gpuscan: those that use one of gpuscan's "
							 "aggregates; exact: also those with built-in "
							 "aggregates, if the result is the same; all: also "
							 "those with built-in sums and averages of floats, "
							 "which are then rounded once.",
							 &gs_reports_setting,
							 GS_REPORTS_EXACT,
							 reports_options,
							 PGC_USERSET,
							 0,
							 NULL, NULL, NULL);
	DefineCustomEnumVariable("gpuscan.service_engine",
							 "Selects what the service computes with.",
							 "auto uses CUDA if there is a device, otherwise "
							 "the CPU, for reports only; cpu is meant for "
							 "tests.",
							 &gs_service_engine_setting, GS_SERVICE_AUTO,
							 engines, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("gpuscan.devices",
							   "Sets the CUDA devices that the service uses.",
							   "all means those that are idle enough; or a list "
							   "of numbers, separated by commas, that counts "
							   "devices from 0.  One that is named several times "
							   "is as many logical devices, and so is any on the "
							   "CPU, for tests.",
							   &gs_devices, "all",
							   PGC_SIGHUP, 0, check_devices, NULL, NULL);
	DefineCustomIntVariable("gpuscan.staging_size",
							"Sets the memory through which all sessions "
							"exchange data with the service.",
							NULL,
							&gs_staging_size, 256 * 1024,
							2 * GS_SLOT_SIZE_MIN / 1024, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.memory_limit",
							"Sets the maximum device memory that the service "
							"uses.",
							"Zero means no limit.  Without a device it is host "
							"memory for what reports compute.",
							&gs_memory_limit, 0, 0, GS_DEVICE_SIZE_MAX >> 20,
							PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.cache_size",
							"Sets the service's memory for caching toasted "
							"arrays and columns of tables.",
							"It is a part of gpuscan.memory_limit.  Zero "
							"disables the cache; -1 means a quarter of the "
							"limit or, without a limit, of the device's memory; "
							"without a device, an eighth of the host's memory, "
							"at most 4 GB.",
							&gs_cache_size, -1, -1, GS_DEVICE_SIZE_MAX >> 20,
							PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.host_cache_size",
							"Sets the service's memory of the host for columns "
							"of tables that do not fit gpuscan.cache_size.",
							"-1 means a quarter of the host's memory or, "
							"without a device, none.",
							&gs_host_cache_size, -1, -1,
							GS_DEVICE_SIZE_MAX >> 20,
							PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomBoolVariable("gpuscan.autoload",
							 "Has a new service load the columns that the last "
							 "one held.",
							 "Which ones is kept in a file.",
							 &gs_autoload_setting, false,
							 PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.copy_threads",
							"Sets the number of threads with which a session "
							"copies large arrays.",
							"Zero and one mean only the session's own thread; "
							"-1 means half of the cores, at most 4.",
							&gs_copy_threads_setting, -1,
							-1, GS_COPY_THREADS_MAX,
							PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.service_threads",
							"Sets the number of threads with which the service "
							"computes a report without a GPU.",
							"Zero means half of the cores.",
							&gs_service_threads, 0, 0, GS_ENGINE_THREADS_MAX,
							PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.response_timeout",
							"Sets how long the service may go without progress "
							"before calls fall back to the CPU.",
							"A call that gets no answer while others do falls "
							"back after ten times as long.",
							&gs_response_timeout, 10, 1, 86400,
							PGC_SIGHUP, GUC_UNIT_S, NULL, NULL, NULL);
}

static void
define_for_developers(void)
{
	DefineCustomIntVariable("gpuscan.chunk_size",
							"Sets the size of a slot of staging memory.",
							"It must be a power of two.  With tiny slots, "
							"every array spans several, for tests.",
							&gs_chunk_size, GS_SLOT_SIZE_DEFAULT / 1024,
							GS_SLOT_SIZE_MIN / 1024,
							GS_SLOT_SIZE_MAX / 1024,
							PGC_SIGHUP, GUC_UNIT_KB | GUC_NOT_IN_SAMPLE,
							check_chunk_size, NULL, NULL);
	DefineCustomIntVariable("gpuscan.debug_delay",
							"Delays each batch in the service, for tests.",
							NULL,
							&gs_debug_delay, 0, 0, 3600 * 1000,
							PGC_SIGHUP, GUC_UNIT_MS | GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.debug_fail_after",
							"Sets the number of batches after which the service "
							"behaves as if its device had failed, for tests.",
							"Zero means never.",
							&gs_debug_fail_after, 0, 0, INT_MAX,
							PGC_SIGHUP, GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.debug_fail_device",
							"Sets which of the service's devices seems to fail, "
							"for tests.",
							"-1 means each.",
							&gs_debug_fail_device, -1, -1, GS_DEVICES_MAX - 1,
							PGC_SIGHUP, GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.debug_held_rows",
							"Sets how many rows a table of a join must have for "
							"the service to make its look-up tables, for tests.",
							"-1 means that it never does.",
							&gs_debug_held_rows, GS_HELD_ROWS_DEFAULT, -1, INT_MAX,
							PGC_USERSET, GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);
	DefineCustomEnumVariable("gpuscan.debug_pause",
							 "Names the point at which a report waits, for "
							 "tests.",
							 "It waits while another session holds an advisory "
							 "lock.",
							 &gs_debug_pause, GS_PAUSE_NEVER, pause_points,
							 PGC_SUSET, GUC_NOT_IN_SAMPLE,
							 NULL, NULL, NULL);
}

void
gs_settings_define(void)
{
	define_for_users();
	define_for_developers();
}
