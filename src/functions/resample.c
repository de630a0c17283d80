/*-------------------------------------------------------------------------
 *
 * resample.c
 *	  gpu_resample: an aggregate of a series in each bucket of time.
 *
 * Buckets lie between the lines of a grid, origin + k width.  The first one
 * holds the first time, the last one the last, and none between is left out.
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
#include "functions/ascending.h"
#include "functions/choice.h"
#include "functions/frame.h"
#include "pg/row_type.h"

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
			errhint("Choose an origin near to the times, or a larger width."));
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

/* What a bucket's values have come to. */
typedef struct total
{
	aggregate	aggregate;
	int64		n;				/* that are not NULL */
	gs_number	value;			/* the one that is the result */
	gs_frame	frame;			/* for its state: of reals, as a sum */
} total;

static void
add_real(total *t, double x)
{
	gs_frame   *f = &t->frame;

	if (f->state == NULL)
		gs_frame_open_state(f, GS_STATE_REALS);
	if (!gs_state_add_real(f->state, x))
		gs_frame_keep_state(f, gs_state_add_double(f->state, x));
}

static void
add_value(total *t, gs_number value)
{
	bool		first = t->n++ == 0;
	gs_pair		parts;

	switch (t->aggregate)
	{
		case SUM:
		case AVG:
			if (t->frame.is_float)
				add_real(t, value.d);
			else
			{
				parts = gs_pair_normal(value.i);
				add_real(t, parts.hi);
				if (parts.lo != 0)
					add_real(t, parts.lo);
			}
			break;
		case MIN:
			if (first || gs_number_is_below(value, t->value,
											t->frame.is_float))
				t->value = value;
			break;
		case MAX:
			if (first || gs_number_is_below(t->value, value,
											t->frame.is_float))
				t->value = value;
			break;
		case FIRST:
			if (first)
				t->value = value;
			break;
		default:
			t->value = value;
			break;
	}
}

/* Of a sum or mean, whose values are some. */
static double
round_sum(const total *t)
{
	const gs_state *s = t->frame.state;
	gs_limbs_buffer buffer;
	gs_rounding rounding;
	double		r;

	if (t->aggregate == SUM)
		rounding = gs_state_sum(s, &r);
	else if (s->n == t->n)
		rounding = gs_state_mean(s, &r);
	else						/* some integers are two numbers */
		rounding = gs_limbs_mean(gs_state_limbs(s, GS_SUM_WINDOW, &buffer),
								 t->n, &r);
	if (rounding == GS_OVERFLOW)
		gs_float_overflow();
	return r;
}

static double
result_of(const total *t)
{
	if (t->aggregate == COUNT)
		return (double) t->n;
	if (t->aggregate == SUM || t->aggregate == AVG)
		return round_sum(t);
	return t->frame.is_float ? t->value.d : (double) t->value.i;
}

/* Where results go. */
typedef struct results
{
	gs_type		type;			/* of the times */
	gs_writer	starts;
	gs_writer	values;
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

/* Write a bucket's result, and empty it. */
static void
end_bucket(results *r, const bucket *b, total *t)
{
	gs_number	value = {0};
	bool		isnull = t->n == 0 && t->aggregate != COUNT;

	if (!isnull)
		value.d = result_of(t);
	put_start(r, b->start);
	gs_writer_put(&r->values, gs_datum_from_number(value, GS_FLOAT8), isnull);
	if (t->frame.state != NULL)
		pfree(t->frame.state);
	t->frame.state = NULL;
	t->n = 0;
}

static void
aggregate_buckets(results *r, bucket *b, const gs_ascending *times,
				  gs_reader *values, total *t)
{
	for (int64 i = 0; i < times->n; i++)
	{
		gs_number	time = times->value[i];
		gs_number	value;

		if (i == 0)
			find_bucket(b, time);
		while (!b->endless && (b->is_float ? time.d >= b->end.d :
							   time.i >= b->end.i))
		{
			CHECK_FOR_INTERRUPTS();
			end_bucket(r, b, t);
			next_bucket(b);
		}
		if (gs_reader_next(values, &value))
			add_value(t, value);
	}
	if (times->n > 0)
		end_bucket(r, b, t);
}

PG_FUNCTION_INFO_V1(gpu_resample);

/* gpu_resample(times, vals, width, aggregate, origin) */
Datum
gpu_resample(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	array;
	gs_ascending times;
	gs_reader	reader;
	bucket		grid;
	total		t = {0};
	results		r;
	int64		buckets;
	Datum		row[2];
	bool		nulls[2] = {false, false};

	gs_require_elements(fcinfo, GS_NUMBERS);
	t.aggregate = gs_choice("aggregate", PG_GETARG_TEXT_PP(3), aggregates);
	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_call_open_elements(&call, "gpu_resample", PG_GETARG_DATUM(1));
	gs_ascending_open_times(&times, &array, &call.data);
	r.type = array.type;
	open_grid(&grid, r.type, PG_GETARG_DATUM(2), PG_GETARG_DATUM(4));
	buckets = count_buckets(&grid, &times);
	gs_writer_open(&r.starts, gs_type_oid(r.type), buckets, NULL, 0);
	gs_writer_open(&r.values, FLOAT8OID, buckets, NULL, buckets);
	gs_reader_open(&reader, &call.data);
	gs_frame_open(&t.frame, reader.type, CurrentMemoryContext);
	aggregate_buckets(&r, &grid, &times, &reader, &t);
	gs_ascending_close(&times);
	gs_array_close(&array);
	gs_call_close_elements(&call);
	row[0] = gs_writer_close(&r.starts);
	row[1] = gs_writer_close(&r.values);
	return HeapTupleGetDatum(heap_form_tuple(gs_row_type(fcinfo), row, nulls));
}
