/*-------------------------------------------------------------------------
 *
 * cache_status.c
 *	  SQL functions that tell of the service's copies of stored arrays.
 *
 * The copies, and all that is known of them, are the service's; here they get
 * the names that they have in SQL.  A relation of another database has none
 * that could be found from here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "catalog/pg_depend.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "array/array.h"
#include "client/link.h"
#include "pg/row_type.h"

#define CACHE_COLUMNS	8

/* What gpuscan_cache keeps from row to row: what the service said last. */
typedef struct cache_state
{
	union
	{
		gs_msg_entries head;
		char		space[GS_MESSAGE_MAX];
	}			told;
	int64		row;			/* the next one of it */
	Oid			toast;			/* the last one looked up, and its owner */
	Oid			owner;
} cache_state;

PG_FUNCTION_INFO_V1(gpuscan_cache);
PG_FUNCTION_INFO_V1(gpuscan_cache_clear);

/* Ask for entries from `from` on; none if there is no service. */
static void
ask_entries(cache_state *state, uint64 from)
{
	gs_msg_list ask = {.from = from};

	if (!gs_ask_service(&ask, GS_MSG_LIST, sizeof(ask), &state->told,
						GS_MSG_ENTRIES, sizeof(state->told)) ||
		state->told.head.count < 0 ||
		state->told.head.header.length != sizeof(gs_msg_entries) +
		state->told.head.count * sizeof(gs_msg_entry))
	{
		state->told.head.count = 0;
		state->told.head.next = 0;
	}
	state->row = 0;
}

/* The next entry, NULL after the last. */
static const gs_msg_entry *
next_entry(cache_state *state)
{
	const gs_msg_entry *entries = (gs_msg_entry *) (&state->told.head + 1);

	while (state->row >= state->told.head.count)
	{
		if (state->told.head.next == 0)
			return NULL;
		ask_entries(state, state->told.head.next);
	}
	return &entries[state->row++];
}

/*
 * The table that a TOAST table belongs to: what the latter depends on.
 * InvalidOid if it has gone.
 */
static Oid
owner_of_toast(Oid toast)
{
	Relation	depend = table_open(DependRelationId, AccessShareLock);
	Oid			result = InvalidOid;
	ScanKeyData key[2];
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key[0], Anum_pg_depend_classid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(RelationRelationId));
	ScanKeyInit(&key[1], Anum_pg_depend_objid, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(toast));
	scan = systable_beginscan(depend, DependDependerIndexId, true, NULL, 2,
							  key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_depend row = (Form_pg_depend) GETSTRUCT(tuple);

		if (row->refclassid == RelationRelationId &&
			row->deptype == DEPENDENCY_INTERNAL)
			result = row->refobjid;
	}
	systable_endscan(scan);
	table_close(depend, AccessShareLock);
	return result;
}

static HeapTuple
make_row(cache_state *state, const gs_msg_entry *entry, TupleDesc desc)
{
	Datum		values[CACHE_COLUMNS];
	bool		nulls[CACHE_COLUMNS] = {false};
	char	   *database = get_database_name(entry->stored.database);
	NameData	name;

	nulls[0] = database == NULL;
	if (database != NULL)
		namestrcpy(&name, database);
	values[0] = NameGetDatum(&name);
	nulls[1] = entry->stored.database != MyDatabaseId;
	if (!nulls[1] && state->toast != entry->stored.relation)
	{
		state->toast = entry->stored.relation;
		state->owner = owner_of_toast(state->toast);
	}
	nulls[1] = nulls[1] || state->owner == InvalidOid;
	values[1] = ObjectIdGetDatum(state->owner);
	values[2] = ObjectIdGetDatum(entry->stored.value);
	values[3] = ObjectIdGetDatum(gs_type_oid(entry->type));
	values[4] = Int64GetDatum(entry->n);
	values[5] = Int64GetDatum(entry->bytes);
	values[6] = Int64GetDatum(entry->hits);
	values[7] = TimestampTzGetDatum(entry->last_used -
									(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
									USECS_PER_DAY);
	return heap_form_tuple(desc, values, nulls);
}

/* One row a copy. */
Datum
gpuscan_cache(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	const gs_msg_entry *entry;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		context->user_fctx = palloc0(sizeof(cache_state));
		MemoryContextSwitchTo(old);
		ask_entries(context->user_fctx, 0);
	}
	context = SRF_PERCALL_SETUP();
	entry = next_entry(context->user_fctx);
	if (entry == NULL)
		SRF_RETURN_DONE(context);
	SRF_RETURN_NEXT(context,
					HeapTupleGetDatum(make_row(context->user_fctx, entry,
											   context->tuple_desc)));
}

/* Forget all copies; those in use as soon as they are not. */
Datum
gpuscan_cache_clear(PG_FUNCTION_ARGS pg_attribute_unused())
{
	gs_header	ask;
	gs_msg_cleared cleared;

	if (!gs_ask_service(&ask, GS_MSG_CLEAR, sizeof(ask), &cleared,
						GS_MSG_CLEARED, sizeof(cleared)))
		PG_RETURN_INT64(0);
	PG_RETURN_INT64(cleared.count);
}
