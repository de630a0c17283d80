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

#include "call/elementwise.h"
#include "engine/cpu/engine_cpu.h"
#include "engine/interpolate.h"
#include "exact/line.h"
#include "functions/choice.h"
#include "functions/elements/ascending.h"

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

/* Feed all times to an execution of GS_INTERPOLATE. */
static gs_status
feed_times(gs_run *run, gs_input *in, gs_array *at, gs_builder *builder)
{
	gs_status	status = GS_OK;
	gs_cursor	cursor;
	int64		batch;
	int			depth;
	uint8	   *validity;

	gs_engine_cpu.shape(run, &batch, &depth);
	validity = palloc(batch / 8);
	gs_cursor_open(&cursor, at);
	for (int64 i = 0; i < at->n && status == GS_OK; i += in->n)
	{
		gs_output	out = {.validity = validity};

		CHECK_FOR_INTERRUPTS();
		in->n = Min(batch, at->n - i);
		gs_cursor_next(&cursor, in->n, NULL, &in->data);
		out.values = gs_builder_reserve(builder, in->n);
		status = gs_engine_cpu.feed(run, in, &out);
		if (status == GS_OK)
			gs_builder_commit(builder, &out);
	}
	gs_cursor_close(&cursor);
	return status;
}

/*
 * Values are floats, and the times that are asked for are of the type that the
 * points have in memory.
 */
static Datum
interpolate_floats(points *p, gs_array *at)
{
	const gs_op op = {.kind = GS_INTERPOLATE,.type = at->type,
	.mask = {.elements = p->times.n}};
	gs_input	in = {
		.mask = {.values = p->times.value,.present = p->times.n},
		.third = {.values = p->value,.present = p->times.n}
	};
	gs_builder	builder;
	gs_run	   *volatile run = NULL;
	gs_run	   *begun;
	volatile gs_status status = GS_OK;

	gs_builder_open(&builder, FLOAT8OID, at->n, at->flat, at->n);
	PG_TRY();
	{
		status = gs_engine_cpu.begin(&op, at->n, NULL, &begun);
		run = begun;
		if (status == GS_OK)
			status = feed_times(run, &in, at, &builder);
	}
	PG_FINALLY();
	{
		if (run != NULL)
			gs_engine_cpu.end(run);
	}
	PG_END_TRY();
	if (status == GS_NO_MEMORY)
		ereport(ERROR,
				errcode(ERRCODE_OUT_OF_MEMORY),
				errmsg("out of memory"));
	if (status != GS_OK)
		elog(ERROR, "gpu_interpolate failed with status %d", (int) status);
	return gs_builder_close(&builder);
}

/* Is no time the least or the greatest integer? */
static bool
ends_lines(const points *p, gs_type type)
{
	gs_value	first = {.i8 = p->times.value[0].i};
	gs_value	last = {.i8 = p->times.value[p->times.n - 1].i};

	return gs_ends_line(type, first) && gs_ends_line(type, last);
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

/*
 * As one operation, if points are as it takes them.  False: they are not, or
 * there is an error.
 */
static bool
interpolate_by_engine(FunctionCallInfo fcinfo, Datum *result)
{
	gs_call		call;

	gs_call_open(&call, "gpu_interpolate", GS_INTERPOLATE, PG_GETARG_DATUM(2));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(0));
	gs_array_open_lazily(&call.third, PG_GETARG_DATUM(1));
	call.op.mask.elements = call.mask.n;
	if (call.data.n > 0 && call.mask.n > 0 && call.mask.n == call.third.n &&
		ARR_NDIM(call.mask.flat) == 1 && !call.mask.nulls &&
		call.third.type == GS_FLOAT8 && !call.third.nulls)
		return gs_call_map(&call, FLOAT8OID, call.data.flat, true, result);
	gs_call_close(&call);
	return false;
}

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
	if (interpolate_by_engine(fcinfo, &result))
		return result;
	gs_array_open(&times, PG_GETARG_DATUM(0));
	gs_array_open(&values, PG_GETARG_DATUM(1));
	open_points(&p, &times, &values);
	gs_call_open_elements(&call, "gpu_interpolate", PG_GETARG_DATUM(2));
	if (p.is_float && p.times.n > 0 &&
		call.data.type == (p.times.is_float ? GS_FLOAT8 : GS_INT8) &&
		ends_lines(&p, call.data.type))
		result = interpolate_floats(&p, &call.data);
	else
		result = interpolate_each(&p, &call.data);
	close_points(&p);
	gs_array_close(&times);
	gs_array_close(&values);
	gs_call_answered(&call, "the points are not as an engine takes them");
	gs_call_close(&call);
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
	gs_number	from = p->times.value[i];
	gs_number	to = p->times.value[j];

	return p->times.is_float ?
		gs_distance_of_doubles(from.d, to.d, length) :
		gs_distance_of_integers(from.i, to.i, length);
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

/*
 * As one operation, if points are as it takes them.  False: they are not, or
 * there is an error.
 */
static bool
average_by_engine(FunctionCallInfo fcinfo, bool linear, double *mean)
{
	gs_call		call;
	gs_value	first;
	gs_value	last;
	gs_type		type;
	bool		done;

	gs_call_open(&call, "gpu_time_weighted_avg", GS_AREA, PG_GETARG_DATUM(0));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(1));
	call.op.area.both_sides = linear;
	done = call.data.n > 1 && call.data.n == call.mask.n &&
		ARR_NDIM(call.data.flat) == 1 && !call.data.nulls &&
		call.mask.type == GS_FLOAT8 && !call.mask.nulls;
	if (done)
		gs_call_execute(&call);
	type = call.data.type;
	first = call.result.value;
	last = call.result.greatest;
	done = done && call.result.errors == 0 && gs_ends_line(type, first) &&
		gs_ends_line(type, last);
	if (done)
		*mean = gs_area_mean(&call.result.squares, gs_exact_number(type, first),
							 gs_exact_number(type, last), linear ? 2 : 1);
	gs_call_close(&call);
	return done;
}

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
	if (average_by_engine(fcinfo, linear, &mean.d))
		return gs_datum_from_number(mean, GS_FLOAT8);
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
	gs_call_answered(&call, "the points are not as an engine takes them");
	gs_call_close(&call);
	if (isnull)
		PG_RETURN_NULL();
	return gs_datum_from_number(mean, GS_FLOAT8);
}
