/*-------------------------------------------------------------------------
 *
 * take.c
 *	  SQL function that gives the elements at places.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "functions/decimal.h"

/* The first position out of range, where an engine has found one. */
pg_noreturn static void
raise_out_of_range(gs_array *positions, int64 n)
{
	gs_reader	reader;
	gs_number	place;

	gs_array_read(positions);
	gs_reader_open(&reader, positions);
	while (reader.i < reader.n)
	{
		if (gs_reader_next(&reader, &place) && (place.i < 1 || place.i > n))
			ereport(ERROR,
					errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
					errmsg("position %lld is out of range",
						   (long long) place.i),
					errdetail("The array has %lld elements.", (long long) n));
	}
	elog(ERROR, "no position is out of range");
}

PG_FUNCTION_INFO_V1(gpu_take);

/* gpu_take(arr, positions) */
Datum
gpu_take(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_builder	builder;

	if (gs_takes_decimals(fcinfo))
		return gs_move_decimals(fcinfo, gpu_take);
	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open(&call, "gpu_take", GS_TAKE, PG_GETARG_DATUM(1));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(0));
	call.op.mask.type = call.mask.type;
	call.op.mask.elements = call.mask.n;
	call.builder = &builder;
	gs_builder_open(&builder, call.mask.elemtype, call.data.n, call.data.flat,
					call.data.nulls || call.mask.nulls ? call.data.n : 0);
	if (call.mask.n > 0)
	{
		if (!gs_call_execute(&call))
			raise_out_of_range(&call.data, call.mask.n);
	}
	else
	{
		/* no engine has such an operation */
		if (gs_array_present(&call.data) > 0)
			raise_out_of_range(&call.data, 0);
		gs_builder_append_nulls(&builder, call.data.n);
		gs_call_answered(&call, "the array is empty");
	}
	gs_call_close(&call);
	return gs_builder_close(&builder);
}
