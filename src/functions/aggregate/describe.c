/*-------------------------------------------------------------------------
 *
 * describe.c
 *	  gpu_describe: an overview of an array, or of a group's values, in one row.
 *
 * A stored array is read once.  An engine then executes two operations over
 * it: moments, and a sort, which gives minimum, maximum, percentiles and the
 * number of NaN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/numeric.h"

#include "call/array_iteration.h"
#include "call/decimal.h"
#include "call/decimal_array.h"
#include "call/figures.h"
#include "call/numeric.h"
#include "functions/aggregate/describe.h"
#include "functions/aggregate/moving.h"
#include "functions/decimal.h"
#include "functions/order/collected.h"
#include "functions/order/decimal_order.h"
#include "functions/order/order.h"
#include "functions/reduce/reduce.h"
#include "pg/row_type.h"

/* What fetch_columns needs: gs_call.fetch_arg. */
typedef struct description
{
	Datum	   *values;			/* of the row */
	bool		decimals;		/* integers are these times 10^scale */
	int			scale;
} description;

static gs_status
take_element(gs_call *call, const gs_engine *engine, int64 rank,
			 gs_number *number)
{
	int			width = gs_type_width(call->data.type);
	gs_value	element;
	gs_status	status = engine->fetch(call->run, GS_COLUMN_VALUES, rank, 1,
									   &element);

	if (status == GS_OK)
		*number = gs_number_from_datum(fetch_att((char *) &element, true,
												 width), call->data.type);
	return status;
}

/* Count NaN, which are the last of the sorted elements. */
static gs_status
count_nans(gs_call *call, const gs_engine *engine, int64 *count)
{
	int64		low = 0;
	int64		high = call->result.results;

	while (gs_is_float(call->data.type) && low < high)
	{
		int64		middle = low + (high - low) / 2;
		gs_number	number;
		gs_status	status = take_element(call, engine, middle, &number);

		if (status != GS_OK)
			return status;
		if (isnan(number.d))
			high = middle;
		else
			low = middle + 1;
	}
	*count = gs_is_float(call->data.type) ? call->result.results - low : 0;
	return GS_OK;
}

static Datum
make_element(const description *d, gs_type type, gs_number number)
{
	return d->decimals ?
		gs_decimal_make((const uint64 *) &number.i, 1, d->scale) :
		gs_datum_from_number(number, type);
}

/* Columns from the sorted elements, of which there is at least one. */
static gs_status
fetch_columns(gs_call *call, const gs_engine *engine)
{
	description *d = call->fetch_arg;
	gs_type		type = call->data.type;
	gs_percentiles p = {.n = GS_DESCRIBE_FRACTIONS, .fraction = gs_describe_fractions,
		.result = d->values + DESCRIBE_PERCENTILES,.decimals = d->decimals,
	.scale = d->scale};
	int64		nans;
	gs_number	least;
	gs_number	greatest;
	gs_status	status = count_nans(call, engine, &nans);

	if (status == GS_OK)
		status = take_element(call, engine, 0, &least);
	if (status == GS_OK)
		status = take_element(call, engine, call->result.results - 1,
							  &greatest);
	if (status != GS_OK)
		return status;
	d->values[DESCRIBE_NANS] = Int64GetDatum(nans);
	d->values[DESCRIBE_MIN] = make_element(d, type, least);
	d->values[DESCRIBE_MAX] = make_element(d, type, greatest);
	call->fetch_arg = &p;
	status = gs_fetch_percentiles(call, engine);
	call->fetch_arg = d;
	return status;
}

/* Columns from the moments of elements, of which there is at least one. */
static void
set_moments(const gs_call *call, const description *d, bool *nulls)
{
	gs_sums		sums = gs_result_sums(&call->result, call->data.type,
									  d->scale);

	d->values[DESCRIBE_SUM] =
		gs_figure_result(d->decimals ? GS_FIGURE_SUM :
						 gs_sum_figure(call->data.type), &sums,
						 &nulls[DESCRIBE_SUM]);
	d->values[DESCRIBE_AVG] = gs_figure_result(GS_FIGURE_AVG, &sums,
											   &nulls[DESCRIBE_AVG]);
	d->values[DESCRIBE_STDDEV] = gs_figure_result(GS_FIGURE_STDDEV_SAMP, &sums,
												  &nulls[DESCRIBE_STDDEV]);
}

static Datum
make_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	return HeapTupleGetDatum(heap_form_tuple(gs_row_type(fcinfo), values,
											 nulls));
}

/* A row about an array, and about more NULLs than it has; *scale: of decimals. */
static Datum
describe(FunctionCallInfo fcinfo, Datum array, int64 more_nulls,
		 const int *scale)
{
	Datum		values[DESCRIBE_COLUMNS] = {0};
	bool		nulls[DESCRIBE_COLUMNS] = {false};
	description d = {values, scale != NULL, scale != NULL ? *scale : 0};
	gs_call		call;
	int64		present;

	gs_call_open(&call, "gpu_describe", GS_MOMENTS, array);
	gs_array_read(&call.data);
	gs_call_execute(&call);
	present = call.result.present;
	values[DESCRIBE_COUNT] = Int64GetDatum(present);
	values[DESCRIBE_NULLS] = Int64GetDatum(call.data.n - present + more_nulls);
	values[DESCRIBE_NANS] = Int64GetDatum(0);
	if (present > 0)
	{
		set_moments(&call, &d, nulls);
		call.op.kind = GS_SORT;
		call.fetch = fetch_columns;
		call.fetch_arg = &d;
		gs_call_execute(&call);
	}
	else
		memset(nulls + DESCRIBE_MIN, true, DESCRIBE_COLUMNS - DESCRIBE_MIN);
	gs_call_close(&call);
	return make_row(fcinfo, values, nulls);
}

static bool
is_nan(Datum value)
{
	return numeric_is_nan(DatumGetNumeric(value));
}

/*
 * A row about a state's values of type numeric that no engine can describe, of
 * which there is at least one.
 */
static Datum
describe_sorted(FunctionCallInfo fcinfo, Datum array, int64 nulls_seen)
{
	Datum		values[DESCRIBE_COLUMNS] = {0};
	bool		nulls[DESCRIBE_COLUMNS] = {false};
	gs_percentiles p = {.n = GS_DESCRIBE_FRACTIONS, .fraction = gs_describe_fractions,
	.result = values + DESCRIBE_PERCENTILES};
	gs_decimals d;
	Datum		sum;
	Datum		squares;
	int64		nans = 0;

	gs_decimals_sort(&d, array);
	gs_decimals_moments(&d, &sum, &squares);
	while (nans < d.n && is_nan(d.value[d.n - 1 - nans]))
		nans++;
	values[DESCRIBE_COUNT] = Int64GetDatum(d.n);
	values[DESCRIBE_NULLS] = Int64GetDatum(nulls_seen);
	values[DESCRIBE_NANS] = Int64GetDatum(nans);
	values[DESCRIBE_MIN] = d.value[0];
	values[DESCRIBE_MAX] = gs_decimals_element(&d, d.n - 1);
	values[DESCRIBE_SUM] = sum;
	values[DESCRIBE_AVG] = gs_numeric_mean(sum, d.n);
	nulls[DESCRIBE_STDDEV] = d.n < 2;
	if (d.n >= 2)
		values[DESCRIBE_STDDEV] = gs_numeric_spread(sum, squares, d.n,
													GS_FIGURE_STDDEV_SAMP);
	gs_decimals_percentiles(&d, &p);
	return make_row(fcinfo, values, nulls);
}

PG_FUNCTION_INFO_V1(gpu_describe);

Datum
gpu_describe(PG_FUNCTION_ARGS)
{
	int			scale;
	Datum		array = gs_decimal_argument(fcinfo, 0, "gpu_describe", &scale);

	return describe(fcinfo, array, 0, gs_takes_decimals(fcinfo) ? &scale : NULL);
}

PG_FUNCTION_INFO_V1(gpu_describe_collect);

/* gpu_describe_collect(bytea, value) */
Datum
gpu_describe_collect(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(gs_collect(fcinfo, GS_NUMBERS | GS_DECIMALS, NULL,
								 NULL));
}

PG_FUNCTION_INFO_V1(gpu_describe_final);

/* gpu_describe_final(bytea, E): the value is there for its type */
Datum
gpu_describe_final(PG_FUNCTION_ARGS)
{
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, GS_NUMBERS | GS_DECIMALS,
											&type);
	Datum		values;
	ArrayType  *integers;
	int			scale = 0;

	values = c != NULL ? gs_collected_values(c) :
		PointerGetDatum(construct_empty_array(type));
	if (type != NUMERICOID)
		return describe(fcinfo, values, c != NULL ? c->nulls : 0, NULL);
	integers = gs_decimal_array_try("gpu_describe", values, &scale);
	if (integers == NULL)
		return describe_sorted(fcinfo, values, c->nulls);
	return describe(fcinfo, PointerGetDatum(integers), c != NULL ? c->nulls : 0,
					&scale);
}

/*
 * A moving frame: its values in order, and their moments
 */

static const gs_moving *
moments_of(const gs_frame *f)
{
	return f->decimals ? &gs_moving_decimal_stddev : &gs_moving_stddev;
}

static void
enter_value(gs_frame *f, int64 row, gs_number value)
{
	gs_moving_percentile.enter(f, row, value);
	moments_of(f)->enter(f, row, value);
}

static void
leave_value(gs_frame *f, gs_number value)
{
	gs_moving_percentile.leave(f, value);
	moments_of(f)->leave(f, value);
}

static const gs_moving moving_description = {enter_value, leave_value, NULL};

PG_FUNCTION_INFO_V1(gpu_frame_describe);

/* gpu_frame_describe(internal, value) */
Datum
gpu_frame_describe(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(gs_moving_add(fcinfo, GS_NUMBERS | GS_DECIMALS,
									&moving_description, NULL, NULL));
}

static bool
is_nan_number(const gs_frame *f, gs_number value)
{
	return f->decimals ? is_nan(gs_decimal_of(value)) :
		f->is_float && isnan(value.d);
}

/* How many values are NaN, which are the last ones. */
static int64
count_nans_of_frame(const gs_frame *f)
{
	int64		low = 0;
	int64		high = gs_multiset_count(f->values);

	while (low < high)
	{
		int64		middle = low + (high - low) / 2;

		if (is_nan_number(f, gs_multiset_at(f->values, middle)))
			high = middle;
		else
			low = middle + 1;
	}
	return gs_multiset_count(f->values) - low;
}

/* Columns about the values of a frame, of which there is at least one. */
static void
describe_values(const gs_frame *f, Datum *values, bool *nulls)
{
	const gs_moving *avg = f->decimals ? &gs_moving_decimal_avg : &gs_moving_avg;

	values[DESCRIBE_COUNT] = Int64GetDatum(gs_multiset_count(f->values));
	values[DESCRIBE_NANS] = Int64GetDatum(count_nans_of_frame(f));
	values[DESCRIBE_MIN] = gs_multiset_percentile(f->values, 0, true);
	values[DESCRIBE_MAX] = gs_multiset_percentile(f->values, 1, true);
	values[DESCRIBE_SUM] = f->decimals ?
		gs_moving_decimal_sum.result(f, &nulls[DESCRIBE_SUM]) :
		gs_state_result(f->state, gs_sum_figure(f->type), &nulls[DESCRIBE_SUM]);
	values[DESCRIBE_AVG] = avg->result(f, &nulls[DESCRIBE_AVG]);
	values[DESCRIBE_STDDEV] = moments_of(f)->result(f, &nulls[DESCRIBE_STDDEV]);
	for (int i = 0; i < GS_DESCRIBE_FRACTIONS; i++)
		values[DESCRIBE_PERCENTILES + i] =
			gs_multiset_percentile(f->values, gs_describe_fractions[i], false);
}

PG_FUNCTION_INFO_V1(gpu_frame_describe_final);

/* gpu_frame_describe_final(internal, E): the value is there for its type */
Datum
gpu_frame_describe_final(PG_FUNCTION_ARGS)
{
	const gs_moving_aggregate *a = PG_ARGISNULL(0) ? NULL :
		(const gs_moving_aggregate *) PG_GETARG_POINTER(0);
	Datum		values[DESCRIBE_COLUMNS] = {0};
	bool		nulls[DESCRIBE_COLUMNS] = {false};

	values[DESCRIBE_NULLS] = Int64GetDatum(a != NULL ? a->nulls : 0);
	if (a != NULL && a->entered > a->left)
		describe_values(&a->frame, values, nulls);
	else
		memset(nulls + DESCRIBE_MIN, true, DESCRIBE_COLUMNS - DESCRIBE_MIN);
	return make_row(fcinfo, values, nulls);
}
