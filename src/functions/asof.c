/*-------------------------------------------------------------------------
 *
 * asof.c
 *	  gpu_asof: the last of ascending times that is not after each of others.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/elementwise.h"
#include "functions/ascending.h"

/* What the times of which no engine finds the last are. */
pg_noreturn static void
raise_not_ascending(Datum times)
{
	gs_array	array;
	gs_ascending ignored;

	gs_array_open(&array, times);
	gs_ascending_open(&ignored, &array, "times", "time");
	elog(ERROR, "the times are ascending");
}

PG_FUNCTION_INFO_V1(gpu_asof);

/* gpu_asof(times, at) */
Datum
gpu_asof(PG_FUNCTION_ARGS)
{
	Datum		times = PG_GETARG_DATUM(0);
	gs_call		call;
	gs_builder	builder;
	Datum		result;

	gs_call_open(&call, "gpu_asof", GS_ASOF, PG_GETARG_DATUM(1));
	gs_array_open_lazily(&call.mask, times);
	call.op.segment_length = call.mask.n;
	if (ARR_NDIM(call.mask.flat) > 1)
		raise_not_ascending(times);
	if (call.mask.n > 0)
	{
		if (!gs_call_map(&call, INT4OID, call.data.flat, true, &result))
			raise_not_ascending(times);
		return result;
	}
	/* no engine has such an operation */
	gs_builder_open(&builder, INT4OID, call.data.n, call.data.flat, call.data.n);
	gs_builder_append_nulls(&builder, call.data.n);
	gs_call_answered(&call, "there are no times");
	gs_call_close(&call);
	return gs_builder_close(&builder);
}
