/*-------------------------------------------------------------------------
 *
 * adjacent.c
 *	  SQL functions that compare each element with the one before it.
 *
 * NULLs are skipped: an element is compared with the last non-NULL element
 * before it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "access/htup_details.h"
#include "common/int.h"
#include "funcapi.h"

#include "call/array_iteration.h"
#include "pg/row_type.h"

/* value - before, rounded once to the type; integers have 64 bits. */
static gs_number
difference(gs_number value, gs_number before, gs_type type, int64 position)
{
	gs_number	r;

	if (!gs_is_float(type))
	{
		if (pg_sub_s64_overflow(value.i, before.i, &r.i))
			ereport(ERROR,
					errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					errmsg("bigint out of range"),
					errdetail("The result at element %lld is out of range.",
							  (long long) position));
		return r;
	}
	if (type == GS_FLOAT4)
		r.d = (float) value.d - (float) before.d;
	else
		r.d = value.d - before.d;
	if (isinf(r.d) && !isinf(value.d) && !isinf(before.d))
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("value out of range: overflow"),
				errdetail("The result at element %lld is out of range.",
						  (long long) position));
	return r;
}

PG_FUNCTION_INFO_V1(gpu_diff);

/* The first element stays as it is; a NULL gives NULL. */
Datum
gpu_diff(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	gs_type		type;
	gs_number	before = {0};
	bool		any = false;

	gs_call_open_elements(&call, "gpu_diff", PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	type = reader.is_float ? reader.type : GS_INT8;
	gs_writer_open(&writer, type, reader.n, call.data.flat,
				   call.data.nulls ? reader.n : 0);
	while (reader.i < reader.n)
	{
		gs_number	value;
		gs_number	result;

		if (!gs_reader_next(&reader, &value))
		{
			gs_writer_put(&writer, (Datum) 0, true);
			continue;
		}
		result = any ? difference(value, before, type, reader.i) : value;
		gs_writer_put(&writer, gs_datum_from_number(result, type), false);
		before = value;
		any = true;
	}
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

PG_FUNCTION_INFO_V1(gpu_changes);

/* NULL is different from any value, and not from NULL. */
Datum
gpu_changes(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	gs_number	before = {0};
	bool		had = false;

	gs_require_numbers(fcinfo, true);
	gs_call_open_elements(&call, "gpu_changes", PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, GS_BOOL, reader.n, call.data.flat, 0);
	while (reader.i < reader.n)
	{
		gs_number	value = {0};
		bool		first = reader.i == 0;
		bool		has = gs_reader_next(&reader, &value);
		bool		same = has == had &&
			(!has || gs_number_equals(value, before, reader.is_float));

		gs_writer_put(&writer, BoolGetDatum(first || !same), false);
		before = value;
		had = has;
	}
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

/*
 * Read the next run of equal elements: its first element and its length.  If
 * *has_ahead, *ahead is the element after the run.
 */
static bool
next_run(gs_reader *reader, gs_number *ahead, bool *has_ahead,
		 gs_number *value, int64 *count)
{
	if (!*has_ahead && !gs_reader_next_value(reader, ahead))
		return false;
	*value = *ahead;
	*count = 0;
	do
		(*count)++;
	while ((*has_ahead = gs_reader_next_value(reader, ahead)) &&
		   gs_number_equals(*value, *ahead, reader->is_float));
	return true;
}

PG_FUNCTION_INFO_V1(gpu_unique);

Datum
gpu_unique(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	gs_number	ahead;
	gs_number	value;
	bool		has_ahead = false;
	int64		count;

	gs_call_open_elements(&call, "gpu_unique", PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, reader.type, reader.n, NULL, 0);
	while (next_run(&reader, &ahead, &has_ahead, &value, &count))
		gs_writer_put(&writer, gs_datum_from_number(value, reader.type),
					  false);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

/* State of gpu_rle between rows. */
typedef struct rle_state
{
	gs_call		call;
	gs_reader	reader;
	gs_number	ahead;
	bool		has_ahead;
} rle_state;

PG_FUNCTION_INFO_V1(gpu_rle);

Datum
gpu_rle(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	rle_state  *state;
	gs_number	value;
	int64		count;
	Datum		values[2];
	bool		nulls[2] = {false, false};
	HeapTuple	row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		state = palloc0(sizeof(rle_state));
		gs_call_open_elements(&state->call, "gpu_rle",
							  PointerGetDatum(PG_GETARG_ARRAYTYPE_P_COPY(0)));
		gs_reader_open(&state->reader, &state->call.data);
		gs_call_close_elements(&state->call);
		context->user_fctx = state;
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	state = context->user_fctx;
	if (!next_run(&state->reader, &state->ahead, &state->has_ahead, &value,
				  &count))
		SRF_RETURN_DONE(context);
	values[0] = gs_datum_from_number(value, state->reader.type);
	values[1] = Int32GetDatum((int32) count);
	row = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(row));
}
