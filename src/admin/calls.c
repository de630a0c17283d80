/*-------------------------------------------------------------------------
 *
 * calls.c
 *	  gpuscan_calls(): what has computed calls and reports, of all sessions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "funcapi.h"

#include "pg/row_type.h"
#include "supervisor/shared.h"

PG_FUNCTION_INFO_V1(gpuscan_calls);

/* A row for each counter. */
Datum
gpuscan_calls(PG_FUNCTION_ARGS)
{
	static const char *const text[GS_COUNTERS][3] = {
		[GS_CALLS_GPU] = {"call", "gpu", "service"},
		[GS_CALLS_SERVICE] = {"call", "cpu", "service"},
		[GS_CALLS_BACKEND] = {"call", "cpu", "backend"},
		[GS_REPORTS_GPU] = {"report", "gpu", "service"},
		[GS_REPORTS_SERVICE] = {"report", "cpu", "service"},
		[GS_REPORTS_ORDINARY] = {"report", "cpu", "backend"}
	};
	FuncCallContext *context;
	Datum		values[4];
	bool		nulls[4] = {false};
	HeapTuple	tuple;
	gs_shared  *s = gs_shared_get();
	int			i;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	i = (int) context->call_cntr;
	if (i >= GS_COUNTERS)
		SRF_RETURN_DONE(context);
	for (int c = 0; c < 3; c++)
		values[c] = CStringGetTextDatum(text[i][c]);
	values[3] = Int64GetDatum(pg_atomic_read_u64(&s->counter[i]));
	tuple = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
}
