/*-------------------------------------------------------------------------
 *
 * adjacent.c
 *	  SQL functions that compare each element with the one before it.
 *
 * NULLs are skipped, but where functions say otherwise: an element is compared
 * with the last non-NULL element before it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/timestamp.h"

#include "call/array_iteration.h"
#include "functions/choice.h"
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

/*
 * value - before, by the operator of dates or timestamps: an integer, or an
 * interval that is put where `space` is.  That operator makes an interval in
 * memory of its own, so it is asked only where it would raise an error, or know
 * of infinite intervals.
 */
static Datum
difference_of_times(Oid type, gs_number value, gs_number before,
					Interval *space, int64 position)
{
	int64		difference;
	Datum		result;

	if (type == DATEOID)
		return DirectFunctionCall2(date_mi,
								   DateADTGetDatum((DateADT) value.i),
								   DateADTGetDatum((DateADT) before.i));
	if (!gs_time_is_finite(type, value.i) || !gs_time_is_finite(type, before.i))
	{
		result = DirectFunctionCall2(timestamp_mi, TimestampGetDatum(value.i),
									 TimestampGetDatum(before.i));
		*space = *DatumGetIntervalP(result);
		pfree(DatumGetPointer(result));
		return IntervalPGetDatum(space);
	}
	if (pg_sub_s64_overflow(value.i, before.i, &difference))
		ereport(ERROR,
				errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				errmsg("interval out of range"),
				errdetail("The result at element %lld is out of range.",
						  (long long) position));

	/* whole days apart, as interval_justify_hours() has it */
	space->month = 0;
	space->day = (int32) (difference / USECS_PER_DAY);
	space->time = difference % USECS_PER_DAY;
	return IntervalPGetDatum(space);
}

PG_FUNCTION_INFO_V1(gpu_diff);

/* What becomes of the first element that is not NULL? */
typedef enum first_element
{
	FIRST_KEEP,
	FIRST_NULL,
	FIRST_DROP
} first_element;

static Oid
type_of_difference(const gs_array *a)
{
	if (a->elemtype == DATEOID)
		return INT4OID;
	if (gs_is_time(a->elemtype))
		return INTERVALOID;
	return gs_is_float(a->type) ? a->elemtype : INT8OID;
}

/*
 * gpu_diff(arr, first); gpu_diff(arr), of 1.0, keeps the first element.  A NULL
 * gives NULL.
 */
Datum
gpu_diff(PG_FUNCTION_ARGS)
{
	static const char *const words[] = {"keep", "null", "drop", NULL};
	first_element first = PG_NARGS() == 1 ? FIRST_KEEP :
		gs_choice("first", PG_GETARG_TEXT_PP(1), words);
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	Interval	interval;
	Oid			type;
	gs_type		inside;
	gs_number	before = {0};
	bool		times;
	bool		any = false;

	gs_call_open_elements(&call, "gpu_diff", PG_GETARG_DATUM(0));
	type = call.data.elemtype;
	times = gs_is_time(type);
	if (times && first == FIRST_KEEP)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("the first element cannot be kept"),
				errdetail("It is of type %s, and differences are of type %s.",
						  format_type_be(type),
						  format_type_be(type_of_difference(&call.data))),
				errhint("Make it \"null\" or \"drop\"."));
	gs_reader_open(&reader, &call.data);
	inside = reader.is_float ? reader.type : GS_INT8;
	gs_writer_open(&writer, type_of_difference(&call.data), reader.n,
				   first == FIRST_DROP ? NULL : call.data.flat,
				   call.data.nulls || first == FIRST_NULL ? reader.n : 0);
	while (reader.i < reader.n)
	{
		gs_number	value;
		Datum		result = (Datum) 0;

		if (!gs_reader_next(&reader, &value))
		{
			gs_writer_put(&writer, (Datum) 0, true);
			continue;
		}
		if (any && times)
			result = difference_of_times(type, value, before, &interval,
										 reader.i);
		else if (any)
			result = gs_datum_from_number(difference(value, before, inside,
													 reader.i), inside);
		else if (first == FIRST_KEEP)
			result = gs_datum_from_number(value, inside);
		if (any || first != FIRST_DROP)
			gs_writer_put(&writer, result, !any && first == FIRST_NULL);
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

	gs_require_elements(fcinfo, GS_ANY_ELEMENTS);
	gs_call_open_elements(&call, "gpu_changes", PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, BOOLOID, reader.n, call.data.flat, 0);
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
	gs_writer_open(&writer, call.data.elemtype, reader.n, NULL, 0);
	while (next_run(&reader, &ahead, &has_ahead, &value, &count))
		gs_writer_put(&writer, gs_datum_from_number(value, reader.type),
					  false);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

/* State of gpu_rle between rows. */
/* The element that begins a run; of reader.n, if none does. */
typedef struct rle_state
{
	gs_call		call;
	gs_reader	reader;
	gs_number	ahead;
	bool		has_ahead;		/* it is not NULL */
	bool		at_end;
} rle_state;

/* The next element, NULL or not. */
static void
look_ahead(rle_state *s)
{
	s->at_end = s->reader.i == s->reader.n;
	s->has_ahead = !s->at_end && gs_reader_next(&s->reader, &s->ahead);
}

/* The same as next_run, of NULLs too: *has tells of which. */
static bool
next_run_of_any(rle_state *s, gs_number *value, bool *has, int64 *count)
{
	if (s->at_end)
		return false;
	*value = s->ahead;
	*has = s->has_ahead;
	*count = 0;
	do
	{
		(*count)++;
		look_ahead(s);
	} while (!s->at_end && s->has_ahead == *has &&
			 (!*has ||
			  gs_number_equals(*value, s->ahead, s->reader.is_float)));
	return true;
}

/* nulls: those of NULLs are runs, too, and counts are bigint. */
static Datum
run_lengths(FunctionCallInfo fcinfo, bool nulls)
{
	FuncCallContext *context;
	rle_state  *state;
	gs_number	value = {0};
	bool		has = true;
	int64		count;
	Datum		values[2];
	bool		isnull[2] = {false, false};
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
		if (nulls)
			look_ahead(state);
		context->user_fctx = state;
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	state = context->user_fctx;
	if (nulls ? !next_run_of_any(state, &value, &has, &count) :
		!next_run(&state->reader, &state->ahead, &state->has_ahead, &value,
				  &count))
		SRF_RETURN_DONE(context);
	values[0] = gs_datum_from_number(value, state->reader.type);
	isnull[0] = !has;
	values[1] = nulls ? Int64GetDatum(count) : Int32GetDatum((int32) count);
	row = heap_form_tuple(context->tuple_desc, values, isnull);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(row));
}

PG_FUNCTION_INFO_V1(gpu_rle);
PG_FUNCTION_INFO_V1(gpu_rle_any);

/* That of 1.0 */
Datum
gpu_rle(PG_FUNCTION_ARGS)
{
	return run_lengths(fcinfo, false);
}

Datum
gpu_rle_any(PG_FUNCTION_ARGS)
{
	return run_lengths(fcinfo, true);
}
