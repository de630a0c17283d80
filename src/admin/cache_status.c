/*-------------------------------------------------------------------------
 *
 * cache_status.c
 *	  SQL functions that show the service's cache of toasted arrays, and
 *	  clear all that it has cached.
 *
 * The cache belongs to the service.  This file translates its entries into
 * SQL's names.  A relation of another database cannot be looked up from here,
 * and is shown as NULL.
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

#include "admin/service_list.h"
#include "array/array.h"
#include "client/link.h"
#include "pg/row_type.h"

#define CACHE_COLUMNS	8

/* The state of gpuscan_cache from row to row. */
typedef struct cache_state
{
	gs_service_list list;		/* of gs_msg_entry */
	Oid			toast;			/* the last TOAST table looked up, and its
								 * owner */
	Oid			owner;
} cache_state;

PG_FUNCTION_INFO_V1(gpuscan_cache);
PG_FUNCTION_INFO_V1(gpuscan_cache_clear);

/*
 * The table that a TOAST table belongs to, which it depends on.  InvalidOid if
 * it is gone.
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
	char	   *database = get_database_name(entry->toast_id.database);
	NameData	name;

	nulls[0] = database == NULL;
	if (database != NULL)
		namestrcpy(&name, database);
	values[0] = NameGetDatum(&name);
	nulls[1] = entry->toast_id.database != MyDatabaseId;
	if (!nulls[1] && state->toast != entry->toast_id.relation)
	{
		state->toast = entry->toast_id.relation;
		state->owner = owner_of_toast(state->toast);
	}
	nulls[1] = nulls[1] || state->owner == InvalidOid;
	values[1] = ObjectIdGetDatum(state->owner);
	values[2] = ObjectIdGetDatum(entry->toast_id.value);
	values[3] = ObjectIdGetDatum(gs_type_oid(entry->type));
	values[4] = Int64GetDatum(entry->n);
	values[5] = Int64GetDatum(entry->bytes);
	values[6] = Int64GetDatum(entry->hits);
	values[7] = TimestampTzGetDatum(entry->last_used -
									(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
									USECS_PER_DAY);
	return heap_form_tuple(desc, values, nulls);
}

/* One row per cached value. */
Datum
gpuscan_cache(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	cache_state *state;
	const gs_msg_entry *entry;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		context->user_fctx = state = palloc0(sizeof(cache_state));
		MemoryContextSwitchTo(old);
		gs_service_list_begin(&state->list, GS_MSG_LIST, GS_MSG_ENTRIES,
							  sizeof(gs_msg_entry));
	}
	context = SRF_PERCALL_SETUP();
	state = context->user_fctx;
	entry = gs_service_list_next(&state->list);
	if (entry == NULL)
		SRF_RETURN_DONE(context);
	SRF_RETURN_NEXT(context,
					HeapTupleGetDatum(make_row(state, entry,
											   context->tuple_desc)));
}

/*
 * Clear the cache, of arrays and of columns; values in use go as soon as they
 * are not.
 */
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
