/*-------------------------------------------------------------------------
 *
 * gpuscan.c
 *	  The module: what happens when PostgreSQL loads it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "admin/enable.h"
#include "ahead/ahead.h"
#include "engine/engine.h"
#include "functions/aggregate/window.h"
#include "pg/settings.h"
#include "report/report.h"
#include "supervisor/shared.h"
#include "supervisor/supervisor.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static void
check_for_interrupts(void)
{
	CHECK_FOR_INTERRUPTS();
}

void
_PG_init(void)
{
	gs_engine_pause = check_for_interrupts;
	gs_settings_define();
	MarkGUCPrefixReserved("gpuscan");
	gs_report_init();
	gs_ahead_init();
	gs_window_init();
	gs_enable_init();

	if (process_shared_preload_libraries_in_progress)
	{
		gs_shared_request_space();
		gs_supervisor_preload();
	}
}
