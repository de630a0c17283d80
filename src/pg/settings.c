/*-------------------------------------------------------------------------
 *
 * settings.c
 *	  gpuscan's settings.
 *
 * gpuscan.engine and gpuscan.cache are a session's.  The others belong to the
 * server: the supervisor reads them when the configuration is reloaded, and
 * restarts gpuscand if its command line has changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <limits.h>

#include "protocol/protocol.h"
#include "pg/settings.h"

int			gs_engine_setting = GS_ENGINE_AUTO;
int			gs_service_engine_setting = GS_SERVICE_CUDA;
bool		gs_cache_setting = true;
int			gs_device = 0;
int			gs_staging_size = 256 * 1024;
int			gs_memory_limit = 0;
int			gs_cache_size = -1;
int			gs_copy_threads_setting = -1;
int			gs_response_timeout = 10;
int			gs_chunk_size = GS_CHUNK_SIZE_DEFAULT / 1024;
int			gs_debug_delay = 0;
int			gs_debug_fail_after = 0;

static const struct config_enum_entry engine_options[] = {
	{"auto", GS_ENGINE_AUTO, false},
	{"cpu", GS_ENGINE_CPU, false},
	{"gpu", GS_ENGINE_GPU, false},
	{NULL, 0, false}
};

static const struct config_enum_entry engines[] = {
	{"cuda", GS_SERVICE_CUDA, false},
	{"cpu", GS_SERVICE_CPU, false},
	{NULL, 0, false}
};

/* Chunks are a power of two. */
static bool
check_chunk_size(int *value, void **extra pg_attribute_unused(),
				 GucSource source pg_attribute_unused())
{
	if ((*value & (*value - 1)) == 0)
		return true;
	GUC_check_errdetail("gpuscan.chunk_size must be a power of two.");
	return false;
}

static void
define_for_users(void)
{
	DefineCustomEnumVariable("gpuscan.engine",
							 "Which engine executes gpuscan's functions.",
							 "auto chooses by size and operation; gpu fails where there is none.",
							 &gs_engine_setting,
							 GS_ENGINE_AUTO,
							 engine_options,
							 PGC_USERSET,
							 0,
							 NULL, NULL, NULL);
	DefineCustomBoolVariable("gpuscan.cache",
							 "Whether this session uses the service's copies "
							 "of stored arrays.",
							 NULL,
							 &gs_cache_setting, true,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable("gpuscan.service_engine",
							 "What the service computes with.",
							 "With cpu, it needs no GPU: for tests.",
							 &gs_service_engine_setting, GS_SERVICE_CUDA,
							 engines, PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.device",
							"The CUDA device that the service uses.",
							"Counted from 0.",
							&gs_device, 0, 0, 1023,
							PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.staging_size",
							"Memory through which sessions and service "
							"exchange data, for all sessions together.",
							NULL,
							&gs_staging_size, 256 * 1024,
							2 * GS_CHUNK_SIZE_MIN / 1024, INT_MAX,
							PGC_SIGHUP, GUC_UNIT_KB, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.memory_limit",
							"The most device memory that the service uses.",
							"Zero is no limit.",
							&gs_memory_limit, 0, 0, GS_DEVICE_SIZE_MAX >> 20,
							PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.cache_size",
							"Memory of the service in which it keeps copies "
							"of stored arrays.",
							"It is a part of gpuscan.memory_limit.  Zero "
							"keeps none, -1 is a quarter of the limit, or of "
							"the device's memory where there is no limit.",
							&gs_cache_size, -1, -1, GS_DEVICE_SIZE_MAX >> 20,
							PGC_SIGHUP, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.copy_threads",
							"Threads of a session that share the copying of "
							"large arrays.",
							"Zero and one are none but the session's own, "
							"-1 is half of the cores, at most 4.",
							&gs_copy_threads_setting, -1,
							-1, GS_COPY_THREADS_MAX,
							PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.response_timeout",
							"How long the service may make no progress "
							"before the CPU takes over.",
							NULL,
							&gs_response_timeout, 10, 1, 86400,
							PGC_SIGHUP, GUC_UNIT_S, NULL, NULL, NULL);
}

static void
define_for_developers(void)
{
	DefineCustomIntVariable("gpuscan.chunk_size",
							"The pieces in which staging memory is used.",
							"A power of two.  Tiny ones make every array "
							"span several, for tests.",
							&gs_chunk_size, GS_CHUNK_SIZE_DEFAULT / 1024,
							GS_CHUNK_SIZE_MIN / 1024,
							GS_CHUNK_SIZE_MAX / 1024,
							PGC_SIGHUP, GUC_UNIT_KB | GUC_NOT_IN_SAMPLE,
							check_chunk_size, NULL, NULL);
	DefineCustomIntVariable("gpuscan.debug_delay",
							"Time that the service adds to each chunk, "
							"for tests.",
							NULL,
							&gs_debug_delay, 0, 0, 3600 * 1000,
							PGC_SIGHUP, GUC_UNIT_MS | GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);
	DefineCustomIntVariable("gpuscan.debug_fail_after",
							"Chunks after which the service behaves as if "
							"its device had failed, for tests.",
							"Zero is never.",
							&gs_debug_fail_after, 0, 0, INT_MAX,
							PGC_SIGHUP, GUC_NOT_IN_SAMPLE,
							NULL, NULL, NULL);
}

void
gs_settings_define(void)
{
	define_for_users();
	define_for_developers();
}
