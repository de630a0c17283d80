/*-------------------------------------------------------------------------
 *
 * resample.c
 *	  gpu_resample: an aggregate of a series in each bucket of time.
 *
 * Buckets lie between the lines of a grid, origin + k width.  The first one
 * holds the first time, the last one the last, and none between is left out.
 * Those that have times are segments of the values, which an engine reduces.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/int.h"

#include "exact/grid.h"
#include "exact/line.h"
#include "exact/mean.h"
#include "functions/choice.h"
#include "functions/elements/ascending.h"
#include "pg/row_type.h"

/* Results fetched at a time. */
#define FETCHED_RESULTS	65536

typedef enum aggregate
{
	SUM,
	AVG,
	MIN,
	MAX,
	COUNT,
	FIRST,
	LAST
} aggregate;

static const char *const aggregates[] = {
	"sum", "avg", "min", "max", "count", "first", "last", NULL
};

/* A bucket of time. */
typedef struct bucket
{
	bool		is_float;
	gs_number	origin;
	gs_number	width;
	double		k;				/* floats: the number of its line */
	gs_number	start;			/* floats: rounded */
	gs_number	end;			/* the first time that is not in it */
	bool		endless;		/* integers: there is none */
	double		next;			/* floats: the next one's start */
} bucket;

pg_noreturn static void
too_far(void)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("times are too far from the origin"),
			errhint("Choose an origin closer to the times, or a larger width."));
}

pg_noreturn static void
out_of_range(void)
{
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("a bucket begins beyond the range of the times' type"));
}

static void
open_grid(bucket *b, gs_type type, Datum width, Datum origin)
{
	memset(b, 0, sizeof(bucket));
	b->is_float = gs_is_float(type);
	b->width = gs_number_from_datum(width, type);
	b->origin = gs_number_from_datum(origin, type);
	if (b->is_float ? !(b->width.d > 0 && gs_is_finite(b->width.d)) :
		b->width.i <= 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("width must be a number above 0"));
	if (b->is_float && !gs_is_finite(b->origin.d))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("origin must be finite"));
}

/* Floats: line k + 1 ends the bucket that begins at `start`. */
static void
set_line(bucket *b, double start, double k)
{
	gs_line		end = gs_grid_line(b->origin.d, b->width.d, k + 1);

	b->k = k;
	b->start.d = start;
	b->end.d = end.first;
	b->next = end.nearest;
}

static void
find_float(bucket *b, double time)
{
	double		k = floor((time - b->origin.d) / b->width.d);

	if (!(fabs(k) < GS_GRID_LINES / 2))
		too_far();
	/* the quotient is hardly off */
	while (gs_grid_line(b->origin.d, b->width.d, k).first > time)
		k--;
	while (gs_grid_line(b->origin.d, b->width.d, k + 1).first <= time)
		k++;
	set_line(b, gs_grid_line(b->origin.d, b->width.d, k).nearest, k);
}

static void
set_start(bucket *b, int64 start)
{
	b->start.i = start;
	b->endless = pg_add_s64_overflow(start, b->width.i, &b->end.i);
}

static void
find_integer(bucket *b, int64 time)
{
	int64		rest;
	int64		start;

	if (pg_sub_s64_overflow(time, b->origin.i, &rest))
		too_far();
	rest %= b->width.i;
	if (rest < 0)
		rest += b->width.i;
	if (pg_sub_s64_overflow(time, rest, &start))
		out_of_range();
	set_start(b, start);
}

/* The bucket of a time. */
static void
find_bucket(bucket *b, gs_number time)
{
	if (b->is_float)
		find_float(b, time.d);
	else
		find_integer(b, time.i);
}

static void
next_bucket(bucket *b)
{
	if (b->is_float)
		set_line(b, b->next, b->k + 1);
	else
		set_start(b, b->end.i);
}

/* From the first time's to the last one's. */
static int64
count_buckets(const bucket *grid, const gs_ascending *times)
{
	bucket		first = *grid;
	bucket		last = *grid;
	uint64		between;

	if (times->n == 0)
		return 0;
	find_bucket(&first, times->value[0]);
	find_bucket(&last, times->value[times->n - 1]);
	between = grid->is_float ? (uint64) (last.k - first.k) :
		((uint64) last.start.i - (uint64) first.start.i) / grid->width.i;
	return (int64) Min(between, (uint64) PG_INT64_MAX - 1) + 1;
}

/* Where results go, and what is known of the buckets. */
typedef struct results
{
	aggregate	aggregate;
	gs_type		type;			/* of the times */
	gs_writer	starts;
	gs_writer	values;
	int64		buckets;
	uint8	   *used;			/* a bit for each: it has times */
	int64		segments;		/* buckets that have times */
	int64		bucket;			/* the next one to get a result */
} results;

static void
put_start(results *r, gs_number start)
{
	Datum		datum = gs_datum_from_number(start, r->type);
	gs_number	stored = gs_number_from_datum(datum, r->type);

	if (gs_is_float(r->type) ? !gs_is_finite(stored.d) : stored.i != start.i)
		out_of_range();
	gs_writer_put(&r->starts, datum, false);
}

static int64
find_end(const bucket *b, const gs_ascending *times, int64 first)
{
	int64		i = first;

	if (b->endless)
		return times->n;
	if (b->is_float)
	{
		while (i < times->n && times->value[i].d < b->end.d)
			i++;
	}
	else
	{
		while (i < times->n && times->value[i].i < b->end.i)
			i++;
	}
	return i;
}

/* Write where buckets start, and mark the first time in each that has any. */
static void
find_heads(results *r, bucket *b, const gs_ascending *times, char *heads)
{
	memset(heads, 0, times->n);
	for (int64 i = 0, k = 0; i < times->n; k++)
	{
		int64		end;

		CHECK_FOR_INTERRUPTS();
		if (k == 0)
			find_bucket(b, times->value[0]);
		else
			next_bucket(b);
		put_start(r, b->start);
		end = find_end(b, times, i);
		if (end == i)
			continue;
		r->used[k / 8] |= 1 << (k % 8);
		r->segments++;
		heads[i] = true;
		i = end;
	}
}

static void
put(results *r, double value, bool isnull)
{
	CHECK_FOR_INTERRUPTS();
	gs_writer_put(&r->values, Float8GetDatum(value), isnull);
	r->bucket++;
}

/* Write the result of the next bucket that has times. */
static void
put_result(results *r, double value, bool isnull)
{
	while (!(r->used[r->bucket / 8] & (1 << (r->bucket % 8))))
		put(r, 0, r->aggregate != COUNT);
	put(r, value, isnull);
}

static void
open_values(results *r)
{
	gs_writer_open(&r->values, FLOAT8OID, r->buckets, NULL, r->buckets);
	r->bucket = 0;
}

/*
 * The first or the last value of each bucket.
 */
static void
pick_values(results *r, const gs_array *values, const char *heads)
{
	gs_reader	reader;
	gs_number	picked = {0};
	bool		found = false;

	open_values(r);
	gs_reader_open(&reader, values);
	for (int64 i = 0; i < values->n; i++)
	{
		gs_number	value;

		if (heads[i] && i > 0)
			put_result(r, picked.d, !found);
		found &= !heads[i];
		if (gs_reader_next(&reader, &value) && !(found && r->aggregate == FIRST))
		{
			picked.d = reader.is_float ? value.d : (double) value.i;
			found = true;
		}
	}
	if (values->n > 0)
		put_result(r, picked.d, !found);
}

/*
 * All others are reductions of segments, by an engine.
 */
static const gs_kind kinds[] = {
	[SUM] = GS_SEGMENT_SUM,
	[AVG] = GS_SEGMENT_AVG,
	[MIN] = GS_SEGMENT_MIN,
	[MAX] = GS_SEGMENT_MAX,
	[COUNT] = GS_SEGMENT_COUNT
};

/* A sum of integers in 128 bits, divided by n and rounded once. */
static double
divide_sum(const uint64 *sum, int64 n)
{
	/* of fewer than 2^31 elements, each of these is a double */
	double		high = ldexp((double) (int64) sum[1], 64);
	double		middle = ldexp((double) (sum[0] >> 32), 32);
	double		low = (double) (uint32) sum[0];
	double		r;
	gs_acc		acc;

	if (gs_mean_of_three(high, middle, low, (double) n, &r))
		return r;
	gs_acc_init(&acc);
	gs_acc_add(&acc, high);
	gs_acc_add(&acc, middle);
	gs_acc_add(&acc, low);
	(void) gs_acc_mean(&acc, n, &r);
	return r;
}

/* Result i of some, not NULL, of n values. */
static double
result_at(const gs_call *call, const results *r, const void *column, int64 i,
		  int64 n)
{
	gs_number	value;
	gs_type		type = gs_column_type(&call->op, GS_COLUMN_VALUES);
	int			width = gs_type_width(type);

	if (r->aggregate == COUNT)
		return (double) n;
	if (gs_has_column(&call->op, GS_COLUMN_SUMS))
		return divide_sum((const uint64 *) column + 2 * i,
						  r->aggregate == SUM ? 1 : n);
	value = gs_number_from_datum(fetch_att((const char *) column + i * width,
										   true, width), type);
	return gs_is_float(type) ? value.d : (double) value.i;
}

static gs_status
fetch_results(gs_call *call, const gs_engine *engine)
{
	results    *r = call->fetch_arg;
	gs_column	column = gs_has_column(&call->op, GS_COLUMN_SUMS) ?
		GS_COLUMN_SUMS : GS_COLUMN_VALUES;
	int64		n = call->result.results;
	bool		counted = gs_has_column(&call->op, GS_COLUMN_COUNTS);
	int64	   *counts = palloc0(FETCHED_RESULTS * sizeof(int64));
	uint64		validity[FETCHED_RESULTS / 64];
	uint64	   *fetched = palloc(FETCHED_RESULTS * 2 * sizeof(uint64));
	gs_status	status = GS_OK;

	if (n != r->segments)
		elog(ERROR, "%lld results of %lld buckets that have times",
			 (long long) n, (long long) r->segments);
	if (call->result.position != 0)
		gs_float_overflow();
	open_values(r);
	for (int64 at = 0; at < n && status == GS_OK; at += FETCHED_RESULTS)
	{
		int64		part = Min(n - at, FETCHED_RESULTS);

		CHECK_FOR_INTERRUPTS();
		status = counted ?
			engine->fetch(call->run, GS_COLUMN_COUNTS, at, part, counts) :
			engine->fetch(call->run, GS_COLUMN_VALIDITY, at / 64,
						  GS_VALIDITY_ROWS(part), validity);
		if (status == GS_OK && r->aggregate != COUNT)
			status = engine->fetch(call->run, column, at, part, fetched);
		for (int64 i = 0; status == GS_OK && i < part; i++)
		{
			bool		isnull = r->aggregate != COUNT &&
				(counted ? counts[i] == 0 : !(validity[i / 64] >> i % 64 & 1));

			put_result(r, isnull ? 0 :
					   result_at(call, r, fetched, i, counts[i]), isnull);
		}
	}
	pfree(counts);
	pfree(fetched);
	return status;
}

/* The array as double precision: engines round sums of real to real. */
static Datum
widen(Datum real_array)
{
	gs_array	array;
	gs_reader	reader;
	gs_writer	writer;

	gs_array_open(&array, real_array);
	gs_reader_open(&reader, &array);
	gs_writer_open(&writer, FLOAT8OID, array.n, array.flat,
				   array.nulls ? array.n : 0);
	for (int64 i = 0; i < array.n; i++)
	{
		gs_number	value = {0};
		bool		isnull = !gs_reader_next(&reader, &value);

		gs_writer_put(&writer, Float8GetDatum(value.d), isnull);
	}
	gs_array_close(&array);
	return gs_writer_close(&writer);
}

static void
open_call(gs_call *call, const results *r, Datum values)
{
	if (r->aggregate == FIRST || r->aggregate == LAST)
	{
		gs_call_open_elements(call, "gpu_resample", values);
		return;
	}
	gs_call_open(call, "gpu_resample", kinds[r->aggregate], values);
	if (r->aggregate != SUM || call->op.type == GS_FLOAT8)
		return;
	if (call->op.type == GS_FLOAT4)
	{
		gs_call_close(call);
		gs_call_open(call, "gpu_resample", GS_SEGMENT_SUM, widen(values));
	}
	else						/* sums of 128 bits */
		call->op.kind = GS_SEGMENT_AVG;
}

/* Reduce each bucket's values, and close the call. */
static void
reduce_buckets(gs_call *call, results *r, Datum heads)
{
	call->op.segment.marked = 1;
	gs_call_set_mask(call, "heads", heads);
	call->fetch = fetch_results;
	call->fetch_arg = r;
	gs_call_execute(call);
	gs_call_close(call);
}

PG_FUNCTION_INFO_V1(gpu_resample);

/* gpu_resample(times, vals, width, aggregate, origin) */
Datum
gpu_resample(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	array;
	gs_ascending times;
	gs_builder	heads;
	gs_output	all = {0};
	bucket		grid;
	results		r = {0};
	Datum		row[2];
	bool		nulls[2] = {false, false};

	gs_require_elements(fcinfo, GS_NUMBERS);
	r.aggregate = gs_choice("aggregate", PG_GETARG_TEXT_PP(3), aggregates);
	gs_array_open(&array, PG_GETARG_DATUM(0));
	open_call(&call, &r, PG_GETARG_DATUM(1));
	gs_ascending_open_times(&times, &array, &call.data);
	r.type = array.type;
	open_grid(&grid, r.type, PG_GETARG_DATUM(2), PG_GETARG_DATUM(4));
	r.buckets = count_buckets(&grid, &times);
	gs_writer_open(&r.starts, gs_type_oid(r.type), r.buckets, NULL, 0);
	r.used = palloc0(r.buckets / 8 + 1);
	gs_builder_open(&heads, BOOLOID, times.n, NULL, 0);
	all.n = all.present = times.n;
	all.values = gs_builder_reserve(&heads, times.n);
	find_heads(&r, &grid, &times, all.values);
	gs_ascending_close(&times);
	gs_array_close(&array);
	if (r.aggregate == FIRST || r.aggregate == LAST)
	{
		pick_values(&r, &call.data, all.values);
		gs_call_close_elements(&call);
	}
	else
	{
		gs_builder_commit(&heads, &all);
		reduce_buckets(&call, &r, gs_builder_close(&heads));
	}
	row[0] = gs_writer_close(&r.starts);
	row[1] = gs_writer_close(&r.values);
	return HeapTupleGetDatum(heap_form_tuple(gs_row_type(fcinfo), row, nulls));
}
