/*-------------------------------------------------------------------------
 *
 * gpuscan.c
 *	  The module: its settings, and what it tells about itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "call/call.h"
#include "pg/row_type.h"
#include "pg/settings.h"
#include "supervisor/shared.h"
#include "supervisor/supervisor.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

static void
look_for_cancel(void)
{
	CHECK_FOR_INTERRUPTS();
}

void
_PG_init(void)
{
	gs_engine_pause = look_for_cancel;
	gs_settings_define();
	MarkGUCPrefixReserved("gpuscan");

	if (process_shared_preload_libraries_in_progress)
	{
		gs_shared_request_space();
		gs_supervisor_preload();
	}
}

/* Why the last call's engine: words, or what was expected of either. */
static const char *
last_reason(const gs_call_record *last)
{
	if (last->reason[0] != '\0')
		return last->reason;
	return psprintf("estimated %.3g ms on the CPU, %.3g ms on the GPU",
					last->estimate.cpu / 1000, last->estimate.gpu / 1000);
}

PG_FUNCTION_INFO_V1(gpuscan_last_call);

/* One row about this session's last call, none before the first. */
Datum
gpuscan_last_call(PG_FUNCTION_ARGS)
{
	const gs_call_record *last = &gs_last_call;
	FuncCallContext *context;
	Datum		values[12];
	bool		nulls[12] = {false};
	HeapTuple	tuple;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		context->max_calls = last->function == NULL ? 0 : 1;
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	if (context->call_cntr >= context->max_calls)
		SRF_RETURN_DONE(context);

	values[0] = CStringGetTextDatum(last->function);
	values[1] = Int64GetDatum(last->elements);
	values[2] = CStringGetTextDatum(last->engine);
	values[3] = CStringGetTextDatum(last_reason(last));
	values[4] = BoolGetDatum(last->stats.cache_hits > 0 && last->stats.cache_misses == 0);
	values[5] = Float8GetDatum(last->stats.wait_ms);
	values[6] = Float8GetDatum(last->stats.staging_ms);
	values[7] = Float8GetDatum(last->stats.device_ms);
	values[8] = Float8GetDatum(last->total_ms);
	values[9] = Int32GetDatum(last->stats.cache_hits);
	values[10] = Int32GetDatum(last->stats.cache_misses);
	values[11] = Int64GetDatum(last->stats.cache_saved);
	tuple = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
}
