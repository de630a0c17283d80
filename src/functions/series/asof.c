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
#include "functions/elements/ascending.h"

/* Raise an error if the times are not as they have to be. */
static void
check_times(Datum times)
{
	gs_array	array;
	gs_ascending ascending;

	gs_array_open(&array, times);
	gs_ascending_open(&ascending, &array, "times", "time");
	gs_ascending_close(&ascending);
	gs_array_close(&array);
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
	call.op.mask.elements = call.mask.n;
	/* an engine checks them with the first element that it has */
	if (ARR_NDIM(call.mask.flat) > 1 || call.data.n == 0)
		check_times(times);
	if (call.mask.n > 0)
	{
		if (gs_call_map(&call, INT4OID, call.data.flat, true, &result))
			return result;
		check_times(times);
		elog(ERROR, "an engine refused times that ascend");
	}
	/* no engine has such an operation */
	gs_builder_open(&builder, INT4OID, call.data.n, call.data.flat, call.data.n);
	gs_builder_append_nulls(&builder, call.data.n);
	gs_call_answered(&call, "there are no times");
	gs_call_close(&call);
	return gs_builder_close(&builder);
}
