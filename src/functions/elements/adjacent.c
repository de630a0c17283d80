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

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/timestamp.h"

#include "call/array_iteration.h"
#include "call/decimal.h"
#include "call/decimal_array.h"
#include "functions/choice.h"
#include "functions/decimal.h"
#include "functions/elements/chain.h"
#include "pg/row_type.h"

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

static const char *const first_words[] = {"keep", "null", "drop", NULL};

static Oid
type_of_difference(const gs_array *a)
{
	if (a->elemtype == DATEOID)
		return INT4OID;
	if (gs_is_time(a->elemtype))
		return INTERVALOID;
	return gs_is_float(a->type) ? a->elemtype : INT8OID;
}

/* Dates and timestamps, in the backend. */
static Datum
diff_of_times(gs_call *call, first_element first)
{
	gs_reader	reader;
	gs_writer	writer;
	Interval	interval;
	Oid			type = call->data.elemtype;
	gs_number	before = {0};
	bool		any = false;

	if (first == FIRST_KEEP)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("the first element cannot be kept"),
				errdetail("It has type %s, but differences have type %s.",
						  format_type_be(type),
						  format_type_be(type_of_difference(&call->data))),
				errhint("Make it \"null\" or \"drop\"."));
	gs_array_read(&call->data);
	gs_reader_open(&reader, &call->data);
	gs_writer_open(&writer, type_of_difference(&call->data), reader.n,
				   first == FIRST_DROP ? NULL : call->data.flat,
				   call->data.nulls || first == FIRST_NULL ? reader.n : 0);
	while (reader.i < reader.n)
	{
		gs_number	value;

		if (!gs_reader_next(&reader, &value))
		{
			gs_writer_put(&writer, (Datum) 0, true);
			continue;
		}
		if (any)
			gs_writer_put(&writer,
						  difference_of_times(type, value, before, &interval,
											  reader.i), false);
		else if (first == FIRST_NULL)
			gs_writer_put(&writer, (Datum) 0, true);
		before = value;
		any = true;
	}
	gs_call_close_elements(call);
	return gs_writer_close(&writer);
}

/* A NULL gives NULL. */
Datum
gpu_diff(PG_FUNCTION_ARGS)
{
	first_element first = gs_choice("first", PG_GETARG_TEXT_PP(1), first_words);
	gs_call		call;
	gs_builder	builder;

	gs_call_open(&call, "gpu_diff", GS_DIFF, PG_GETARG_DATUM(0));
	if (gs_is_time(call.data.elemtype))
		return diff_of_times(&call, first);
	call.op.diff.null_first = first != FIRST_KEEP;
	call.builder = &builder;
	gs_builder_open(&builder, type_of_difference(&call.data), call.data.n,
					first == FIRST_DROP ? NULL : call.data.flat,
					call.data.nulls || call.op.diff.null_first ? call.data.n : 0);
	gs_call_execute(&call);

	/* before the first element there are only NULLs, so any of them may go */
	if (first == FIRST_DROP && call.result.present > 0)
		gs_builder_drop_null(&builder);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

bool
gs_is_diff(PGFunction function)
{
	return function == gpu_diff;
}

const char *
gs_diff_first(const char *word, gs_differences *differences)
{
	for (int i = 0; first_words[i] != NULL; i++)
	{
		if (pg_strcasecmp(word, first_words[i]) == 0)
		{
			*differences = i == FIRST_KEEP ? GS_DIFFERENCES_KEEP :
				GS_DIFFERENCES_NULL;
			return first_words[i];
		}
	}
	return NULL;
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

	if (gs_takes_decimals(fcinfo))
		return gs_compare_decimals(fcinfo, gpu_changes, false);
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
 * What an operation over runs (GS_UNIQUE, GS_RUN_STARTS) gives for an array, as
 * an array.
 */
static Datum
runs(const char *function, gs_kind kind, Datum array)
{
	gs_call		call;
	gs_builder	builder;

	gs_call_open(&call, function, kind, array);
	call.builder = &builder;
	gs_builder_open(&builder,
					kind == GS_UNIQUE ? call.data.elemtype : INT4OID,
					call.data.n, NULL, 0);
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_unique);

Datum
gpu_unique(PG_FUNCTION_ARGS)
{
	return runs("gpu_unique", GS_UNIQUE, PG_GETARG_DATUM(0));
}

/* Bits of a bitmap read between two interrupt checks: below 0.1 ms. */
#define BITS_PIECE		(32 * 1024)

/* State of gpu_rle between rows. */
typedef struct rle_state
{
	/* runs of values */
	const char *value;			/* the first value of each */
	const int32 *start;			/* and its position among the values, from 1 */
	int64		runs;
	int64		run;			/* the one that the next row is of */

	/* values that have had their rows, and all */
	int64		passed;
	int64		values;

	/* NULL: there are no NULLs; else the same of elements */
	uint8	   *bitmap;
	int64		passed_elements;
	int64		elements;

	int			width;			/* of an element */
	bool		decimals;		/* elements are values times 10^scale */
	int			scale;
} rle_state;

static rle_state *
begin_runs(FunctionCallInfo fcinfo)
{
	rle_state  *s = palloc0(sizeof(rle_state));
	Datum		array = gs_decimal_argument(fcinfo, 0, "gpu_rle", &s->scale);
	ArrayType  *values = DatumGetArrayTypeP(runs("gpu_rle", GS_UNIQUE, array));
	ArrayType  *starts = DatumGetArrayTypeP(runs("gpu_rle", GS_RUN_STARTS,
												 array));
	gs_array	a;

	s->decimals = gs_takes_decimals(fcinfo);
	s->value = ARR_DATA_PTR(values);
	s->start = (const int32 *) ARR_DATA_PTR(starts);
	s->runs = ArrayGetNItems(ARR_NDIM(starts), ARR_DIMS(starts));
	gs_array_open_lazily(&a, array);
	s->width = gs_type_width(a.type);
	s->elements = a.n;
	s->values = gs_array_present(&a);
	if (s->values < s->elements)
	{
		s->bitmap = palloc((a.n + 7) / 8);
		memcpy(s->bitmap, gs_array_bitmap(&a), (a.n + 7) / 8);
	}
	gs_array_close(&a);
	return s;
}

/*
 * If the next element has a value, how many have one, from it on, but no more
 * than `most`: a longer stretch of values is of several runs, and is not to be
 * read to its end for each.  If it has none, how many have none.
 */
static int64
alike(const rle_state *s, int64 most, bool *has)
{
	int64		first = s->passed_elements;
	int64		end = s->elements;
	int64		i = first;

	*has = (s->bitmap[i / 8] >> (i % 8) & 1) != 0;
	if (*has)
		end = Min(end, first + most);
	while (i < end && (s->bitmap[i / 8] >> (i % 8) & 1) == *has)
	{
		if (++i % BITS_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return i - first;
}

/* The next run: its first element, NULL if not *has, and its length. */
static bool
next_run(rle_state *s, Datum *value, bool *has, int64 *count)
{
	int64		left = 0;		/* values of the run that have had no row */

	if (s->run < s->runs)
		left = (s->run + 1 < s->runs ? s->start[s->run + 1] - 1 : s->values) -
			s->passed;
	*has = left > 0;
	*count = left;
	if (s->bitmap != NULL && s->passed_elements < s->elements)
		*count = alike(s, left, has);
	if (*count == 0)
		return false;
	s->passed_elements += *count;
	if (!*has)
		return true;
	*value = s->decimals ?
		gs_decimal_make((const uint64 *) s->value + s->run, 1, s->scale) :
		fetch_att(s->value + s->run * s->width, true, s->width);
	s->passed += *count;
	if (*count == left)
		s->run++;
	return true;
}

PG_FUNCTION_INFO_V1(gpu_rle);

Datum
gpu_rle(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	bool		has;
	int64		count;
	Datum		values[2] = {0};
	bool		isnull[2] = {false, false};
	HeapTuple	row;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->user_fctx = begin_runs(fcinfo);
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	if (!next_run(context->user_fctx, &values[0], &has, &count))
		SRF_RETURN_DONE(context);
	isnull[0] = !has;
	values[1] = Int64GetDatum(count);
	row = heap_form_tuple(context->tuple_desc, values, isnull);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(row));
}
