/*-------------------------------------------------------------------------
 *
 * statements.c
 *	  gpuscan_statements(): what became of statements that are reports, or could
 *	  be, and gpuscan_statements_reset().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/timestamp.h"

#include "pg/row_type.h"
#include "supervisor/shared.h"
#include "supervisor/statements.h"

#define COLUMNS		18

PG_FUNCTION_INFO_V1(gpuscan_statements);
PG_FUNCTION_INFO_V1(gpuscan_statements_reset);

/* As pg_stat_statements has it. */
static bool
may_see(const gs_statement *s)
{
	return s->key.user == GetUserId() ||
		has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS);
}

/*
 * A text in this database's encoding.  Of what has no place there, the bytes
 * that are no ASCII are question marks: one statement of another database must
 * not hide all others.
 */
static Datum
readable(const char *text, int encoding)
{
	MemoryContext context = CurrentMemoryContext;
	char	   *copy = pstrdup(text);
	char	   *volatile result = copy;

	PG_TRY();
	{
		result = pg_any_to_server(copy, (int) strlen(copy), encoding);
	}
	PG_CATCH();
	{
		int			code = geterrcode();

		if (code != ERRCODE_UNTRANSLATABLE_CHARACTER &&
			code != ERRCODE_CHARACTER_NOT_IN_REPERTOIRE)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		FlushErrorState();
		for (char *c = copy; *c != '\0'; c++)
			if (IS_HIGHBIT_SET(*c))
				*c = '?';
	}
	PG_END_TRY();
	return CStringGetTextDatum(result);
}

static void
set_mean(Datum *values, bool *nulls, int column, double ms, int64 n)
{
	values[column] = Float8GetDatum(ms);
	values[column + 1] = Float8GetDatum(n == 0 ? 0 : ms / n);
	nulls[column + 1] = n == 0;
}

static void
describe(const gs_statement *s, Datum *values, bool *nulls)
{
	bool		seen = may_see(s);

	memset(nulls, false, COLUMNS * sizeof *nulls);
	values[0] = ObjectIdGetDatum(s->key.user);
	values[1] = ObjectIdGetDatum(s->key.database);
	nulls[2] = !seen || !s->key.is_query_id;
	values[2] = Int64GetDatum(s->key.id);
	values[3] = seen ? readable(s->text, s->encoding) :
		CStringGetTextDatum("<insufficient privilege>");
	values[4] = Int64GetDatum(s->reports + s->ordinary);
	values[5] = Int64GetDatum(s->reports);
	values[6] = Int64GetDatum(s->ordinary);
	values[7] = Int64GetDatum(s->refused);
	nulls[8] = !seen || s->reason[0] == '\0';
	if (!nulls[8])
		values[8] = readable(s->reason, s->encoding);
	set_mean(values, nulls, 9, s->report_ms, s->reports);
	set_mean(values, nulls, 11, s->ordinary_ms, s->ordinary);
	values[13] = Float8GetDatum(s->estimated_ms);
	values[14] = Int64GetDatum(s->held_rows);
	values[15] = Int64GetDatum(s->read_rows);
	values[16] = Int64GetDatum(s->groups);
	values[17] = TimestampTzGetDatum(s->last_used);
}

/* A row for each statement. */
Datum
gpuscan_statements(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS];
	HeapTuple	tuple;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;
		gs_statement *list;

		/* if counting is impossible, for this reason, say so */
		(void) gs_shared_get();
		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		context->max_calls = gs_statements_list(&list);
		context->user_fctx = list;
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	if (context->call_cntr >= context->max_calls)
		SRF_RETURN_DONE(context);
	describe((gs_statement *) context->user_fctx + context->call_cntr, values,
			 nulls);
	tuple = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
}

Datum
gpuscan_statements_reset(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	(void) gs_shared_get();
	PG_RETURN_INT64(gs_statements_forget());
}
