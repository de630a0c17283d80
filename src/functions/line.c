/*-------------------------------------------------------------------------
 *
 * line.c
 *	  SQL functions of lines through points: values between them, and mean
 *	  values.
 *
 * Each result is exact and rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "engine/cpu/cpu_engine.h"
#include "exact/line.h"
#include "functions/ascending.h"
#include "functions/choice.h"

static inline gs_pair
pair_of(gs_number value, bool is_float)
{
	return is_float ? (gs_pair) {value.d, 0} : gs_pair_normal(value.i);
}

/* Elements whose results are computed at a time. */
#define BLOCK		1024

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

/* Products of doubles that are added up together, which is faster. */
typedef struct products
{
	gs_acc2    *sum;
	int			n;
	double		value[BLOCK];
	double		length[BLOCK];
} products;

static void
add_products(products *p)
{
	CHECK_FOR_INTERRUPTS();
	gs_cpu_products_float8(p->sum, p->value, p->length, p->n);
	gs_acc2_propagate(p->sum);
	p->n = 0;
}

/* Is the time between two points a double?  Integers below 2^53 are. */
static inline bool
length_between(const points *p, int64 i, int64 j, double *length)
{
	const int64 limit = INT64CONST(1) << 52;
	gs_number	from = p->times.value[i];
	gs_number	to = p->times.value[j];
	gs_pair		difference;

	if (p->times.is_float)
	{
		difference = gs_two_sum(to.d, -from.d);
		*length = difference.hi;
		return difference.lo == 0 && gs_is_finite(difference.hi);
	}
	*length = (double) to.i - (double) from.i;
	return from.i > -limit && to.i < limit;
}

/* Add the value of a point times the time between two. */
static inline void
add_area(products *areas, const points *p, int64 i, int64 from, int64 to)
{
	double		length;

	if (p->is_float && length_between(p, from, to, &length))
	{
		areas->value[areas->n] = p->value[i].d;
		areas->length[areas->n++] = length;
		if (areas->n == BLOCK)
			add_products(areas);
		return;
	}
	gs_area_add(areas->sum, value_at(p, i), time_at(p, from), time_at(p, to));
}

/*
 * The area between the first point and the last; twice that if linear.  Of
 * several points at one time the first counts.
 */
static void
add_areas(const points *p, bool linear, gs_acc2 *area)
{
	products	areas;
	int64		before = 0;

	areas.sum = area;
	areas.n = 0;
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
		add_area(&areas, p, before, before, i);
		if (linear)
			add_area(&areas, p, i, before, i);
		before = i;
	}
	add_products(&areas);
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
