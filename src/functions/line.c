/*-------------------------------------------------------------------------
 *
 * line.c
 *	  SQL functions of relative changes, and of lines through points: values
 *	  between them, and mean values.
 *
 * Each result is exact and rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "exact/line.h"
#include "functions/ascending.h"
#include "functions/choice.h"

static inline gs_pair
pair_of(gs_number value, bool is_float)
{
	return is_float ? (gs_pair) {value.d, 0} : gs_pair_normal(value.i);
}

/* to / before - 1, with infinities and NaN as SQL's operators have them. */
static double
relative_change(gs_number to, gs_number before, bool is_float, int64 position)
{
	double		result;

	if (is_float && (to.d != to.d || before.d != before.d))
		return gs_canonical_nan();
	if (is_float ? before.d == 0 : before.i == 0)
		ereport(ERROR,
				errcode(ERRCODE_DIVISION_BY_ZERO),
				errmsg("division by zero"),
				errdetail("The divisor of element %lld is zero.",
						  (long long) position));
	if (is_float && (!gs_is_finite(to.d) || !gs_is_finite(before.d)))
		return to.d / before.d - 1;
	if (gs_relative_change(pair_of(before, is_float), pair_of(to, is_float),
						   &result) == GS_OVERFLOW)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("value out of range: overflow"),
				errdetail("The result at element %lld is out of range.",
						  (long long) position));
	return result;
}

PG_FUNCTION_INFO_V1(gpu_pct_change);

/* NULL where an element, or the one before it, is. */
Datum
gpu_pct_change(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_reader	reader;
	gs_writer	writer;
	gs_number	before = {0};
	bool		had = false;

	gs_call_open_elements(&call, "gpu_pct_change", PG_GETARG_DATUM(0));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, FLOAT8OID, reader.n, call.data.flat, reader.n);
	while (reader.i < reader.n)
	{
		gs_number	value = {0};
		gs_number	change = {0};
		bool		has = gs_reader_next(&reader, &value);

		if (has && had)
			change.d = relative_change(value, before, reader.is_float,
									   reader.i);
		gs_writer_put(&writer, gs_datum_from_number(change, GS_FLOAT8),
					  !has || !had);
		before = value;
		had = has;
	}
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

/* Points whose values are not NULL, by time. */
typedef struct points
{
	gs_ascending times;
	gs_number  *value;
	bool		is_float;		/* the values are */
} points;

static void
open_points(points *p, const gs_array *times, const gs_array *values)
{
	gs_reader	reader;
	int64		n = 0;

	gs_ascending_open_times(&p->times, times, values);
	p->value = gs_alloc_large(Max(values->n, 1) * sizeof(gs_number));
	gs_reader_open(&reader, values);
	p->is_float = reader.is_float;
	while (gs_reader_next_value(&reader, &p->value[n]))
		p->times.value[n++] = p->times.value[reader.i - 1];
	p->times.n = n;
}

static void
close_points(points *p)
{
	pfree(p->value);
	gs_ascending_close(&p->times);
}

static inline gs_pair
time_at(const points *p, int64 i)
{
	return pair_of(p->times.value[i], p->times.is_float);
}

static inline gs_pair
value_at(const points *p, int64 i)
{
	return pair_of(p->value[i], p->is_float);
}

/* The value at a time; false before the first point and after the last. */
static bool
interpolate(points *p, gs_number time, double *result)
{
	int64		after = gs_ascending_count(&p->times, time);

	if (after == 0)
		return false;
	if (gs_number_equals(p->times.value[after - 1], time, p->times.is_float))
	{
		*result = value_at(p, after - 1).hi;
		return true;
	}
	if (after == p->times.n)
		return false;
	*result = gs_line_at(time_at(p, after - 1), value_at(p, after - 1),
						 time_at(p, after), value_at(p, after),
						 pair_of(time, p->times.is_float));
	return true;
}

PG_FUNCTION_INFO_V1(gpu_interpolate);

/* gpu_interpolate(times, vals, at) */
Datum
gpu_interpolate(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	times;
	gs_array	values;
	points		p;
	gs_reader	reader;
	gs_writer	writer;

	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	gs_array_open(&times, PG_GETARG_DATUM(0));
	gs_array_open(&values, PG_GETARG_DATUM(1));
	open_points(&p, &times, &values);
	gs_array_close(&times);
	gs_array_close(&values);
	gs_call_open_elements(&call, "gpu_interpolate", PG_GETARG_DATUM(2));
	gs_reader_open(&reader, &call.data);
	gs_writer_open(&writer, FLOAT8OID, reader.n, call.data.flat, reader.n);
	while (reader.i < reader.n)
	{
		gs_number	time;
		gs_number	value = {0};
		bool		found = gs_reader_next(&reader, &time) &&
			interpolate(&p, time, &value.d);

		gs_writer_put(&writer, gs_datum_from_number(value, GS_FLOAT8), !found);
	}
	close_points(&p);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

/*
 * The area between the first point and the last; twice that if linear.  Of
 * several points at one time the first counts.
 */
static void
add_areas(const points *p, bool linear, gs_acc2 *area)
{
	int64		before = 0;

	gs_acc2_init(area);
	for (int64 i = 1; i < p->times.n; i++)
	{
		if (i % GS_INTERRUPT_ELEMENTS == 0)
		{
			CHECK_FOR_INTERRUPTS();
			gs_acc2_propagate(area);
		}
		if (gs_number_equals(p->times.value[before], p->times.value[i],
							 p->times.is_float))
			continue;
		gs_area_add(area, value_at(p, before), time_at(p, before),
					time_at(p, i));
		if (linear)
			gs_area_add(area, value_at(p, i), time_at(p, before),
						time_at(p, i));
		before = i;
	}
}

PG_FUNCTION_INFO_V1(gpu_time_weighted_avg);

/* gpu_time_weighted_avg(times, vals, method) */
Datum
gpu_time_weighted_avg(PG_FUNCTION_ARGS)
{
	static const char *const methods[] = {"locf", "linear", NULL};
	bool		linear = gs_choice("method", PG_GETARG_TEXT_PP(2), methods) == 1;
	gs_call		call;
	gs_array	values;
	points		p;
	gs_acc2		area;
	int64		last;
	gs_number	mean = {0};
	bool		isnull;

	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	gs_call_open_elements(&call, "gpu_time_weighted_avg", PG_GETARG_DATUM(0));
	gs_array_open(&values, PG_GETARG_DATUM(1));
	open_points(&p, &call.data, &values);
	last = p.times.n - 1;
	isnull = last < 0 ||
		gs_number_equals(p.times.value[0], p.times.value[last],
						 p.times.is_float);
	if (!isnull)
	{
		add_areas(&p, linear, &area);
		mean.d = gs_area_mean(&area, time_at(&p, 0), time_at(&p, last),
							  linear ? 2 : 1);
	}
	close_points(&p);
	gs_array_close(&values);
	gs_call_close_elements(&call);
	if (isnull)
		PG_RETURN_NULL();
	return gs_datum_from_number(mean, GS_FLOAT8);
}
