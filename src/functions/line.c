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

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "miscadmin.h"

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
	const gs_number *value;		/* the array's, or the copy */
	gs_number  *copy;			/* NULL: the array has to stay open */
	bool		is_float;		/* the values are */
} points;

static void
open_points(points *p, const gs_array *times, const gs_array *values)
{
	gs_reader	reader;
	gs_number  *time = NULL;
	int64		n = 0;

	gs_ascending_open_times(&p->times, times, values);
	p->is_float = gs_is_float(values->type);
	p->copy = NULL;
	p->value = gs_array_numbers(values);
	if (p->value != NULL)
		return;
	p->value = p->copy = gs_alloc_large(Max(values->n, 1) * sizeof(gs_number));
	if (values->bitmap != NULL)
		time = gs_ascending_own(&p->times);
	gs_reader_open(&reader, values);
	while (gs_reader_next_value(&reader, &p->copy[n]))
	{
		if (time != NULL)
			time[n] = time[reader.i - 1];
		n++;
	}
	p->times.n = n;
}

static void
close_points(points *p)
{
	if (p->copy != NULL)
		pfree(p->copy);
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

/* Lines through floats, at times that are floats: a block of results. */
typedef struct lines
{
	/* of those between two points, by number */
	double		y0[BLOCK];
	double		y1[BLOCK];
	double		run[BLOCK];
	double		length[BLOCK];
	double		at[BLOCK];
	int64		after[BLOCK];	/* the second point */
	double	   *to[BLOCK];		/* the result's place */
	int			n;
} lines;

static void
compute_lines(const lines *l, const points *p)
{
	double		result[BLOCK];
	uint8		known[BLOCK];

	gs_cpu_lines(l->y0, l->y1, l->run, l->length, l->n, result, known);
	for (int i = 0; i < l->n; i++)
	{
		int64		after = l->after[i];

		*l->to[i] = known[i] ? result[i] :
			gs_line_at(time_at(p, after - 1), value_at(p, after - 1),
					   time_at(p, after), value_at(p, after),
					   (gs_pair) {l->at[i], 0});
	}
}

/* The values at n times, at most BLOCK, those that there are, packed. */
static void
interpolate_block(points *p, const gs_number *at, int n, gs_output *out)
{
	const gs_number *time = p->times.value;
	double	   *to = out->values;
	lines		l;

	l.n = 0;
	memset(out->validity, 0, BLOCK / 8);
	for (int i = 0; i < n; i++)
	{
		double		x = at[i].d;
		int64		after = gs_ascending_count(&p->times, at[i]);
		gs_pair		run;
		gs_pair		length;

		if (after == 0 || (after == p->times.n && !(time[after - 1].d == x)))
			continue;
		out->validity[i / 8] |= 1 << (i % 8);
		if (time[after - 1].d == x)
		{
			double		value = p->value[after - 1].d;

			*to++ = value == value ? value : gs_canonical_nan();
			continue;
		}
		run = gs_two_sum(x, -time[after - 1].d);
		length = gs_two_sum(time[after].d, -time[after - 1].d);
		l.y0[l.n] = p->value[after - 1].d;
		l.y1[l.n] = p->value[after].d;
		l.run[l.n] = run.hi;
		/* no line of this length is known */
		l.length[l.n] = run.lo == 0 && length.lo == 0 ? length.hi : INFINITY;
		l.at[l.n] = x;
		l.after[l.n] = after;
		l.to[l.n++] = to++;
	}
	compute_lines(&l, p);
	out->n = n;
	out->present = to - (double *) out->values;
}

/* Are all times between the first point and the last? */
static bool
all_between(const points *p, const gs_number *at, int64 n)
{
	double		first;
	double		last;
	bool		outside = false;

	if (p->times.n == 0)
		return false;
	first = p->times.value[0].d;
	last = p->times.value[p->times.n - 1].d;
	for (int64 i = 0; i < n; i++)
		outside |= !(at[i].d >= first) | !(at[i].d <= last);
	return !outside;
}

/* Everything is float8, and no time is NULL. */
static Datum
interpolate_floats(points *p, const gs_array *at)
{
	const gs_number *time = gs_array_numbers(at);
	gs_builder	builder;

	gs_builder_open(&builder, FLOAT8OID, at->n, at->flat,
					all_between(p, time, at->n) ? 0 : at->n);
	for (int64 i = 0; i < at->n; i += BLOCK)
	{
		uint8		validity[BLOCK / 8];
		int			n = (int) Min(BLOCK, at->n - i);
		gs_output	out = {.validity = validity};

		CHECK_FOR_INTERRUPTS();
		out.values = gs_builder_reserve(&builder, n);
		interpolate_block(p, time + i, n, &out);
		gs_builder_commit(&builder, &out);
	}
	return gs_builder_close(&builder);
}

static Datum
interpolate_each(points *p, const gs_array *at)
{
	gs_reader	reader;
	gs_writer	writer;

	gs_reader_open(&reader, at);
	gs_writer_open(&writer, FLOAT8OID, reader.n, at->flat, reader.n);
	while (reader.i < reader.n)
	{
		gs_number	time;
		gs_number	value = {0};
		bool		found = gs_reader_next(&reader, &time) &&
			interpolate(p, time, &value.d);

		gs_writer_put(&writer, gs_datum_from_number(value, GS_FLOAT8), !found);
	}
	return gs_writer_close(&writer);
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
	Datum		result;

	gs_require_elements(fcinfo, GS_NUMBERS | GS_TIMES);
	gs_array_open(&times, PG_GETARG_DATUM(0));
	gs_array_open(&values, PG_GETARG_DATUM(1));
	open_points(&p, &times, &values);
	gs_call_open_elements(&call, "gpu_interpolate", PG_GETARG_DATUM(2));
	if (p.is_float && p.times.is_float && call.data.type == GS_FLOAT8 &&
		call.data.bitmap == NULL)
		result = interpolate_floats(&p, &call.data);
	else
		result = interpolate_each(&p, &call.data);
	close_points(&p);
	gs_array_close(&times);
	gs_array_close(&values);
	gs_call_close_elements(&call);
	return result;
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
 * Add the areas from point `before`, after which point i is the next one, up to
 * point `end`; of several at one time the first counts.  Returns which does.
 */
static int64
add_each(products *areas, const points *p, bool linear, int64 before, int64 i,
		 int64 end)
{
	for (; i <= end; i++)
	{
		if (gs_number_equals(p->times.value[before], p->times.value[i],
							 p->times.is_float))
			continue;
		add_area(areas, p, before, before, i);
		if (linear)
			add_area(areas, p, i, before, i);
		before = i;
	}
	gs_acc2_propagate(areas->sum);
	return before;
}

/*
 * Add the areas of n intervals from point i on; false: a length is 0 or no
 * double.
 */
static bool
add_block(gs_acc2 *area, const points *p, bool linear, int64 i, int n)
{
	const gs_number *time = p->times.value + i;
	double		value[BLOCK + 1];
	double		length[BLOCK];
	int			others = 0;

	if (!p->is_float || !p->times.is_float)
		return false;
	for (int k = 0; k < n; k++)
	{
		gs_pair		difference = gs_two_sum(time[k + 1].d, -time[k].d);

		length[k] = difference.hi;
		others += !(difference.lo == 0) | !(difference.hi > 0) |
			!(difference.hi <= DBL_MAX);
		value[k] = p->value[i + k].d;
	}
	value[n] = p->value[i + n].d;
	if (others > 0)
		return false;
	gs_cpu_products_float8(area, value, length, n);
	if (linear)
		gs_cpu_products_float8(area, value + 1, length, n);
	gs_acc2_propagate(area);
	return true;
}

/* The area between the first point and the last; twice that if linear. */
static void
add_areas(const points *p, bool linear, gs_acc2 *area)
{
	products	areas;
	int64		before = 0;
	int64		n;

	areas.sum = area;
	areas.n = 0;
	gs_acc2_init(area);
	for (int64 i = 1; i < p->times.n; i += n)
	{
		CHECK_FOR_INTERRUPTS();
		n = Min(BLOCK, p->times.n - i);
		if (before == i - 1 && add_block(area, p, linear, before, (int) n))
			before += n;
		else
			before = add_each(&areas, p, linear, before, i, i + n - 1);
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
