/*-------------------------------------------------------------------------
 *
 * wait_events.c
 *	  What gpuscan's processes wait for, as pg_stat_activity shows it.
 *
 * From PostgreSQL 17 on extensions name their wait events; the server gives a
 * name its number when a process first asks for it, and the same one to all
 * others.  Before, all are "Extension".
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "pg/wait_events.h"

#if PG_VERSION_NUM >= 170000

static const char *const names[] = {
	[GS_WAIT_ANSWER] = "GpuscanAnswer",
	[GS_WAIT_STAGING] = "GpuscanStaging",
	[GS_WAIT_START] = "GpuscanStart",
	[GS_WAIT_STOP] = "GpuscanStop",
	[GS_WAIT_SUPERVISOR] = "GpuscanSupervisor"
};

uint32
gs_wait_event(gs_wait wait)
{
	static uint32 event[lengthof(names)];

	if (event[wait] == 0)
		event[wait] = WaitEventExtensionNew(names[wait]);
	return event[wait];
}

#else

uint32
gs_wait_event(gs_wait wait pg_attribute_unused())
{
	return PG_WAIT_EXTENSION;
}

#endif
