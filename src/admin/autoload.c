/*-------------------------------------------------------------------------
 *
 * autoload.c
 *	  The columns that a service held are loaded again by the next one.
 *
 * With gpuscan.autoload, the supervisor starts a background worker for each
 * service that is ready.  It reads from a file which columns the one before held,
 * and starts another worker for each database, one after the other, which reads
 * them as gpuscan_load() does.  Then it writes what is held now into the file, every
 * minute and when the configuration is reloaded, as long as its service runs.  Until
 * then the file stays as it is.
 *
 * The file names columns as the service does, by where the table is stored, and
 * has nothing of their contents.  A table that has been rewritten since is not found,
 * and left out.  The workers read alone, without parallel workers, so that sessions
 * come first.  Nor do they keep a database from being dropped: the service's worker
 * ends the database's as soon as somebody else wants it without sessions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <unistd.h>

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_database.h"
#include "libpq/pqsignal.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "storage/fd.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "storage/procsignal.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "admin/autoload.h"
#include "admin/load.h"
#include "admin/service_list.h"
#include "client/link.h"
#include "pg/settings.h"
#include "protocol/report.h"
#include "supervisor/shared.h"

/* Base backups leave its directory out. */
#define COLUMNS_FILE	"pg_stat_tmp/gpuscan.columns"

#define WRITE_MS		60000

/* Who drops a database waits 5 s for its sessions to end. */
#define LOOK_MS			200

/* ----------
 * The file: a line for each column, those of a table together
 * ----------
 */

typedef struct file_line
{
	gs_table_id id;
	int16		attribute;
} file_line;

static bool
read_line(FILE *file, file_line *line)
{
	int			attribute;

	memset(line, 0, sizeof(*line));
	if (fscanf(file, "%u %u %u %d", &line->id.database, &line->id.tablespace,
			   &line->id.relation, &attribute) != 4 ||
		attribute < GS_ATTRIBUTE_LEAST || attribute > MaxHeapAttributeNumber)
		return false;
	line->attribute = (int16) attribute;
	return true;
}

static bool
is_same_table(const gs_table_id *a, const gs_table_id *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Write what this service holds; nothing if it has ended. */
static void
write_file(int service)
{
	gs_service_list *list = palloc0(sizeof(*list));
	FILE	   *file = AllocateFile(COLUMNS_FILE ".tmp", PG_BINARY_W);
	const gs_msg_column_entry *entry;
	bool		good = file != NULL;

	gs_service_list_begin(list, GS_MSG_LIST_COLUMNS, GS_MSG_COLUMN_ENTRIES,
						  sizeof(gs_msg_column_entry));
	while (good && (entry = gs_service_list_next(list)) != NULL)
	{
		if (entry->attribute != 0 && entry->rows > 0 && entry->matches == 0)
			good = fprintf(file, "%u %u %u %d\n", entry->id.database,
						   entry->id.tablespace, entry->id.relation,
						   (int) entry->attribute) > 0;
	}
	if (file != NULL && FreeFile(file) != 0)
		good = false;
	if (!good)
		ereport(LOG,
				errcode_for_file_access(),
				errmsg("could not write file \"%s\": %m", COLUMNS_FILE ".tmp"));
	else if (gs_session_link.fd != PGINVALID_SOCKET &&
			 gs_session_link.service == service)
		(void) durable_rename(COLUMNS_FILE ".tmp", COLUMNS_FILE, LOG);
	pfree(list);
}

/* The databases in the file. */
static List *
find_databases(void)
{
	FILE	   *file = AllocateFile(COLUMNS_FILE, PG_BINARY_R);
	List	   *databases = NIL;
	file_line	line;

	if (file == NULL)
		return NIL;
	while (read_line(file, &line))
		databases = list_append_unique_oid(databases, line.id.database);
	FreeFile(file);
	return databases;
}

static bool
is_running(int service)
{
	gs_shared  *s = gs_shared_get();
	bool		running;

	LWLockAcquire(&s->lock, LW_SHARED);
	running = s->state == GS_SERVICE_RUNNING && s->service == service;
	LWLockRelease(&s->lock);
	return running;
}

/* ----------
 * A database's worker
 * ----------
 */

/* What cannot be loaded is left out: a report will read it if it is asked for. */
static void
load_table(const gs_table_id *id, const int16 *attribute, int attributes)
{
	MemoryContext context = CurrentMemoryContext;
	Oid			table;

	StartTransactionCommand();
	PushActiveSnapshot(GetTransactionSnapshot());
	PG_TRY();
	{
		table = RelidByRelfilenumber(id->tablespace, id->relation);
		if (OidIsValid(table))
			gs_load_again(table, attribute, attributes);
		PopActiveSnapshot();
		CommitTransactionCommand();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		AbortCurrentTransaction();
		ereport(LOG,
				errmsg("gpuscan: columns were not loaded again: %s",
					   error->message));
		FreeErrorData(error);
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CHECK_FOR_INTERRUPTS();
}

/* A database's lines. */
static List *
read_lines(Oid database)
{
	FILE	   *file = AllocateFile(COLUMNS_FILE, PG_BINARY_R);
	List	   *lines = NIL;
	file_line	line;

	if (file == NULL)
		return NIL;
	while (read_line(file, &line))
	{
		if (line.id.database == database)
			lines = lappend(lines, memcpy(palloc(sizeof(line)), &line,
										  sizeof(line)));
	}
	FreeFile(file);
	return lines;
}

void
gs_autoload_database(Datum database)
{
	int16		attribute[MaxHeapAttributeNumber];
	gs_table_id id = {0};
	int			service;
	int			n = 0;
	ListCell   *cell;

	memcpy(&service, MyBgworkerEntry->bgw_extra, sizeof service);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	BackgroundWorkerInitializeConnectionByOid(DatumGetObjectId(database),
											  InvalidOid, 0);
	SetConfigOption("max_parallel_maintenance_workers", "0", PGC_SUSET,
					PGC_S_OVERRIDE);
	pgstat_report_activity(STATE_RUNNING, "loading columns again");
	MemoryContextSwitchTo(TopMemoryContext);
	foreach(cell, read_lines(DatumGetObjectId(database)))
	{
		const file_line *line = lfirst(cell);

		/* else loading would start another one */
		if (!is_running(service))
			return;
		if (n > 0 && (!is_same_table(&line->id, &id) ||
					  n == MaxHeapAttributeNumber))
		{
			load_table(&id, attribute, n);
			n = 0;
		}
		id = line->id;
		attribute[n++] = line->attribute;
	}
	if (n > 0)
		load_table(&id, attribute, n);
}

/* ----------
 * A service's worker
 * ----------
 */

/*
 * Does somebody drop, rename, move or copy the database?  All of these lock it
 * before they wait for its sessions to end.
 */
static bool
is_wanted_alone(Oid database)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, InvalidOid, DatabaseRelationId, database, 0);
	if (LockAcquire(&tag, RowExclusiveLock, true, true) == LOCKACQUIRE_NOT_AVAIL)
		return true;
	(void) LockRelease(&tag, RowExclusiveLock, true);
	return false;
}

static void
await_worker(BackgroundWorkerHandle *handle, Oid database)
{
	pid_t		pid;

	while (GetBackgroundWorkerPid(handle, &pid) != BGWH_STOPPED)
	{
		if (is_wanted_alone(database))
			TerminateBackgroundWorker(handle);
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT |
						 WL_EXIT_ON_PM_DEATH, LOOK_MS, PG_WAIT_EXTENSION);
		ResetLatch(MyLatch);
		CHECK_FOR_INTERRUPTS();
	}
}

static void
load_database(Oid database, int service)
{
	BackgroundWorker worker;
	BackgroundWorkerHandle *handle;

	memset(&worker, 0, sizeof(worker));
	worker.bgw_flags = BGWORKER_SHMEM_ACCESS |
		BGWORKER_BACKEND_DATABASE_CONNECTION;
	worker.bgw_start_time = BgWorkerStart_ConsistentState;
	worker.bgw_restart_time = BGW_NEVER_RESTART;
	worker.bgw_main_arg = ObjectIdGetDatum(database);
	worker.bgw_notify_pid = MyProcPid;
	memcpy(worker.bgw_extra, &service, sizeof service);
	strlcpy(worker.bgw_library_name, "gpuscan", BGW_MAXLEN);
	strlcpy(worker.bgw_function_name, "gs_autoload_database", BGW_MAXLEN);
	strlcpy(worker.bgw_name, "gpuscan autoload of a database", BGW_MAXLEN);
	strlcpy(worker.bgw_type, "gpuscan autoload", BGW_MAXLEN);
	if (RegisterDynamicBackgroundWorker(&worker, &handle))
		await_worker(handle, database);
	else
		ereport(LOG,
				errmsg("gpuscan: columns were not loaded again: no background worker is left"));
}

static void
wait_for_change(void)
{
	/* who waits for the service resets the latch, too */
	if (!ConfigReloadPending)
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT |
						 WL_EXIT_ON_PM_DEATH, WRITE_MS, PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
	if (ConfigReloadPending)
	{
		ConfigReloadPending = false;
		ProcessConfigFile(PGC_SIGHUP);
	}
}

void
gs_autoload_main(Datum argument)
{
	int			service = DatumGetInt32(argument);
	ListCell   *cell;

	pqsignal(SIGHUP, SignalHandlerForConfigReload);
	pqsignal(SIGTERM, die);
	BackgroundWorkerUnblockSignals();
	BackgroundWorkerInitializeConnectionByOid(InvalidOid, InvalidOid, 0);
	pgstat_report_activity(STATE_UNDEFINED, "autoload");
	foreach(cell, find_databases())
	{
		if (is_running(service))
			load_database(lfirst_oid(cell), service);
	}
	while (gs_autoload_setting && is_running(service))
	{
		write_file(service);
		wait_for_change();
	}
	if (!gs_autoload_setting)
		(void) unlink(COLUMNS_FILE);
}
