/*-------------------------------------------------------------------------
 *
 * columns_status.c
 *	  gpuscan_columns(): the columns of tables that the service holds.
 *
 * The service knows tables by where they are stored.  This file finds their
 * names.  A table of another database cannot be looked up from here, and one
 * that has been dropped or rewritten is no more: they are shown as NULL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_attribute.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "admin/service_list.h"
#include "pg/row_type.h"
#include "protocol/report.h"

#define COLUMNS_COLUMNS	10

PG_FUNCTION_INFO_V1(gpuscan_columns);

/* False if there is no such column, or not any more. */
static bool
column_name(Oid relation, int attribute, Name name)
{
	HeapTuple	tuple = SearchSysCacheAttNum(relation, (int16) attribute);

	if (!HeapTupleIsValid(tuple))
		return false;
	*name = ((Form_pg_attribute) GETSTRUCT(tuple))->attname;
	ReleaseSysCache(tuple);
	return true;
}

static HeapTuple
make_row(const gs_msg_column_entry *entry, TupleDesc desc)
{
	Datum		values[COLUMNS_COLUMNS];
	bool		nulls[COLUMNS_COLUMNS] = {false};
	char	   *database = get_database_name(entry->id.database);
	Oid			relation = InvalidOid;
	NameData	database_name;
	NameData	column;

	if (entry->id.database == MyDatabaseId)
		relation = RelidByRelfilenumber(entry->id.tablespace,
										entry->id.relation);
	nulls[0] = database == NULL;
	if (database != NULL)
		namestrcpy(&database_name, database);
	nulls[1] = !OidIsValid(relation);
	nulls[2] = nulls[1] ||
		!column_name(relation, entry->attribute, &column);
	values[0] = NameGetDatum(&database_name);
	values[1] = ObjectIdGetDatum(relation);
	values[2] = NameGetDatum(&column);
	values[3] = Int64GetDatum(entry->segments);
	values[4] = Int64GetDatum(entry->rows);
	values[5] = Int64GetDatum(entry->masked);
	values[6] = Int64GetDatum(entry->bytes);
	values[7] = Int64GetDatum(entry->hits);
	values[8] = TimestampTzGetDatum(entry->last_used -
									(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
									USECS_PER_DAY);
	values[9] = Int32GetDatum(entry->devices);
	return heap_form_tuple(desc, values, nulls);
}

/* One row per column that is held. */
Datum
gpuscan_columns(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	const gs_msg_column_entry *entry;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		context->user_fctx = palloc0(sizeof(gs_service_list));
		MemoryContextSwitchTo(old);
		gs_service_list_begin(context->user_fctx, GS_MSG_LIST_COLUMNS,
							  GS_MSG_COLUMN_ENTRIES,
							  sizeof(gs_msg_column_entry));
	}
	context = SRF_PERCALL_SETUP();
	entry = gs_service_list_next(context->user_fctx);
	if (entry == NULL)
		SRF_RETURN_DONE(context);
	SRF_RETURN_NEXT(context,
					HeapTupleGetDatum(make_row(entry, context->tuple_desc)));
}
