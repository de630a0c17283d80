/*-------------------------------------------------------------------------
 *
 * status.c
 *	  SQL functions that show the state of the service, and stop it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/timestamp.h"

#include "admin/enable.h"
#include "client/link.h"
#include "pg/row_type.h"
#include "supervisor/service_control.h"
#include "supervisor/shared.h"

#define STATUS_COLUMNS	30

PG_FUNCTION_INFO_V1(gpuscan_status);
PG_FUNCTION_INFO_V1(gpuscan_stop);

/* Ask the service for its state. */
static bool
ask_state(gs_msg_state *state)
{
	gs_header	ask;

	return gs_ask_service(&ask, GS_MSG_STATUS, sizeof(ask), state,
						  GS_MSG_STATE, sizeof(*state));
}

/* Set a text column; an empty text becomes NULL. */
static void
set_text(Datum *values, bool *nulls, int column, const char *text)
{
	nulls[column] = text[0] == '\0';
	if (!nulls[column])
		values[column] = CStringGetTextDatum(text);
}

/* Fill the columns that come from the service. */
static void
fill_from_service(const gs_msg_state *state, Datum *values, bool *nulls)
{
	set_text(values, nulls, 2, state->engine);
	set_text(values, nulls, 3, state->device);
	set_text(values, nulls, 4, state->driver);
	values[5] = Int64GetDatum(state->memory_total);
	values[6] = Int64GetDatum(state->memory_used);
	values[7] = Int64GetDatum(state->staging_total);
	values[8] = Int64GetDatum(state->staging_free);
	values[9] = Int64GetDatum(state->cache_entries);
	values[10] = Int64GetDatum(state->cache_bytes);
	values[11] = Int32GetDatum(state->connections);
	values[12] = Int64GetDatum(state->calls);
	values[15] = TimestampTzGetDatum(state->started_at -
									 (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
									 USECS_PER_DAY);
	values[16] = Int64GetDatum(state->cache_size);
	values[17] = Int64GetDatum(state->cache_hits);
	values[18] = Int64GetDatum(state->cache_misses);
	values[19] = Int64GetDatum(state->cache_saved);
	values[20] = Int64GetDatum(state->columns);
	values[21] = Int64GetDatum(state->column_bytes);
	values[22] = Int64GetDatum(state->reports);
	values[23] = Int64GetDatum(state->report_held);
	values[24] = Int64GetDatum(state->report_fed);
	values[25] = Int64GetDatum(state->report_verified);
	for (int i = 5; i <= 25; i++)
		nulls[i] = i == 13 || i == 14;
	values[28] = Int64GetDatum(state->host_cache_size);
	values[29] = Int64GetDatum(state->host_bytes);
	nulls[28] = nulls[29] = false;
}

/* Not everyone may see what reveals other users' calls, in all databases. */
static void
hide_activity(bool *nulls)
{
	static const int columns[] = {
		6,						/* memory_used */
		8,						/* staging_free */
		9, 10,					/* cache_entries, cache_bytes */
		11, 12, 13,				/* connections, calls, fallbacks */
		17, 18, 19,				/* cache_hits, cache_misses, cache_saved */
		20, 21,					/* columns, column_bytes */
		22, 23, 24, 25,			/* reports, ... */
		29						/* host_column_bytes */
	};

	for (int i = 0; i < (int) lengthof(columns); i++)
		nulls[columns[i]] = true;
}

/*
 * Why the service does not run, or is for reports alone; empty if there is
 * nothing to say.
 */
static void
find_reason(gs_service_state state, bool answers, char *reason, size_t size)
{
	bool		runs = state == GS_SERVICE_RUNNING;
	const char *why;

	if (state == GS_SERVICE_STOPPED && max_worker_processes == 0)
		strlcpy(reason, gs_no_worker_left, size);
	if (runs && !answers)
		strlcpy(reason, gs_link_error(), size);
	else if (!runs && state != GS_SERVICE_STOPPED)
		return;
	else if (gs_link_hopeless(&why))
		strlcpy(reason, why, size);
	else if (reason[0] != '\0')
		return;
	else if (gs_link_hopeless_for_arrays(&why))
		snprintf(reason, size, "%s %s", runs ?
				 "Reports are computed on the CPU, functions over arrays in the session." :
				 "It starts with the next report, and computes it on the CPU.",
				 why);
	else if (!runs)
		strlcpy(reason, "It starts with the next call or report that wants it.",
				size);
}

static HeapTuple
make_status(TupleDesc desc)
{
	static const char *const names[] = {
		[GS_SERVICE_STOPPED] = "stopped",
		[GS_SERVICE_STARTING] = "starting",
		[GS_SERVICE_RUNNING] = "running",
		[GS_SERVICE_STOPPING] = "stopping",
		[GS_SERVICE_FAILED] = "failed"
	};
	gs_shared  *s = gs_shared_get();
	Datum		values[STATUS_COLUMNS];
	bool		nulls[STATUS_COLUMNS];
	char		reason[512];
	gs_service_state state;
	gs_msg_state answer;
	bool		begun;

	memset(nulls, true, sizeof(nulls));
	if (ask_state(&answer))
		fill_from_service(&answer, values, nulls);

	/* read this afterwards: asking may have found that the service has gone */
	LWLockAcquire(&s->lock, LW_SHARED);
	state = s->state;
	begun = s->started_at != 0;
	strlcpy(reason, s->reason, sizeof(reason));
	LWLockRelease(&s->lock);
	find_reason(state, !nulls[2], reason, sizeof(reason));
	values[0] = CStringGetTextDatum(state == GS_SERVICE_STOPPED && !begun ?
									"not started" : names[state]);
	nulls[0] = false;
	set_text(values, nulls, 1, reason);
	values[13] = Int64GetDatum(pg_atomic_read_u64(&s->fallbacks));
	values[14] = Int64GetDatum(pg_atomic_read_u64(&s->restarts));
	nulls[13] = nulls[14] = false;
	values[26] = CStringGetTextDatum(gs_loaded_by());
	values[27] = BoolGetDatum(gs_database_is_enabled());
	nulls[26] = nulls[27] = false;
	if (!has_privs_of_role(GetUserId(), ROLE_PG_MONITOR))
		hide_activity(nulls);
	return heap_form_tuple(desc, values, nulls);
}

/* One row per service; there is one. */
Datum
gpuscan_status(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	if (context->call_cntr == 0)
	{
		HeapTuple	tuple = make_status(context->tuple_desc);

		SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
	}
	SRF_RETURN_DONE(context);
}

/* Stop the service; the next call that wants it starts it again. */
Datum
gpuscan_stop(PG_FUNCTION_ARGS pg_attribute_unused())
{
	gs_link_close();
	PG_RETURN_BOOL(gs_service_stop());
}
