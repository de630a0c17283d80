/*-------------------------------------------------------------------------
 *
 * progress.c
 *	  gpuscan_progress(): what long work of all sessions has come to.
 *
 * Another server process writes what is read here, and any extension may do so
 * under our number: everything is bounded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#if PG_VERSION_NUM >= 140000
#include "utils/backend_progress.h"
#include "utils/backend_status.h"
#endif

#include "engine/engine.h"
#include "pg/progress.h"
#include "pg/row_type.h"

static const char *const works[GS_WORKS] = {"call", "report", "load"};

static const char *const phases[GS_PHASES] = {
	"starting", "passing elements", "verifying pages", "reading pages",
	"computing", "fetching groups"
};

/* The next session at work, from *i on, counted from 1; NULL: there is none. */
static const PgBackendStatus *
next_session(int *i)
{
	while (++*i <= pgstat_fetch_stat_numbackends())
	{
		const LocalPgBackendStatus *local =
			pgstat_get_local_beentry_by_index(*i);

		if (local != NULL && (int) local->backendStatus.st_progress_command ==
			GS_PROGRESS_COMMAND)
			return &local->backendStatus;
	}
	return NULL;
}

/* As pg_stat_activity has it. */
static bool
may_see(const PgBackendStatus *session)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), session->st_userid);
}

/* What is done, on what, and how far it is. */
static void
describe(const PgBackendStatus *session, Datum *values, bool *nulls)
{
	const int64 *number = session->st_progress_param;
	uint64		work = (uint64) number[GS_PROGRESS_WORK];
	uint64		phase = (uint64) number[GS_PROGRESS_PHASE];
	const char *operation = NULL;

	if (work >= GS_WORKS || phase >= GS_PHASES)
		return;
	nulls[2] = nulls[5] = nulls[6] = false;
	values[2] = CStringGetTextDatum(works[work]);
	if (work == GS_WORK_CALL)
		operation =
			gs_operation_of((gs_kind) (uint32) number[GS_PROGRESS_OF])->name;
	if (operation != NULL)
		values[3] = CStringGetTextDatum(operation);
	nulls[3] = operation == NULL;
	nulls[4] = work == GS_WORK_CALL || session->st_databaseid != MyDatabaseId;
	values[4] = ObjectIdGetDatum((Oid) number[GS_PROGRESS_OF]);
	values[5] = CStringGetTextDatum(phases[phase]);
	values[6] = Int64GetDatum(number[GS_PROGRESS_DONE]);
	nulls[7] = number[GS_PROGRESS_TOTAL] == 0;
	values[7] = Int64GetDatum(number[GS_PROGRESS_TOTAL]);
}

PG_FUNCTION_INFO_V1(gpuscan_progress);

/* A row for each session at work. */
Datum
gpuscan_progress(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	const PgBackendStatus *session;
	const char *database;
	Datum		values[8];
	bool		nulls[8];
	HeapTuple	tuple;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		context->user_fctx = palloc0(sizeof(int));
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	session = next_session(context->user_fctx);
	if (session == NULL)
		SRF_RETURN_DONE(context);

	memset(nulls, true, sizeof(nulls));
	nulls[0] = false;
	values[0] = Int32GetDatum(session->st_procpid);
	database = get_database_name(session->st_databaseid);
	nulls[1] = database == NULL;
	if (database != NULL)
		values[1] = CStringGetTextDatum(database);
	if (may_see(session))
		describe(session, values, nulls);
	tuple = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
}
