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

#include "call/array_iteration.h"
#include "functions/collected.h"
#include "functions/order.h"
#include "functions/reduce.h"
#include "pg/row_type.h"

/* The columns of the row. */
enum
{
	DESCRIBE_COUNT,
	DESCRIBE_NULLS,
	DESCRIBE_NANS,
	DESCRIBE_MIN,
	DESCRIBE_MAX,
	DESCRIBE_SUM,
	DESCRIBE_AVG,
	DESCRIBE_STDDEV,
	DESCRIBE_PERCENTILES,
	DESCRIBE_COLUMNS = DESCRIBE_PERCENTILES + 3
};

static const double fractions[] = {0.25, 0.5, 0.75};

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

/* Columns from the sorted elements, of which there is at least one. */
static gs_status
fetch_columns(gs_call *call, const gs_engine *engine)
{
	Datum	   *values = call->fetch_arg;
	gs_type		type = call->data.type;
	gs_percentiles p = {.n = lengthof(fractions), .fraction = fractions,
	.result = values + DESCRIBE_PERCENTILES};
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
	values[DESCRIBE_NANS] = Int64GetDatum(nans);
	values[DESCRIBE_MIN] = gs_datum_from_number(least, type);
	values[DESCRIBE_MAX] = gs_datum_from_number(greatest, type);
	call->fetch_arg = &p;
	status = gs_fetch_percentiles(call, engine);
	call->fetch_arg = values;
	return status;
}

/* A row about an array, and about more NULLs than it has. */
static Datum
describe(FunctionCallInfo fcinfo, Datum array, int64 more_nulls)
{
	Datum		values[DESCRIBE_COLUMNS] = {0};
	bool		nulls[DESCRIBE_COLUMNS] = {false};
	gs_call		call;
	gs_type		type;
	int64		present;

	gs_call_open(&call, "gpu_describe", GS_MOMENTS, array);
	gs_array_read(&call.data);
	type = call.data.type;
	gs_call_execute(&call);
	present = call.result.present;
	values[DESCRIBE_COUNT] = Int64GetDatum(present);
	values[DESCRIBE_NULLS] = Int64GetDatum(call.data.n - present + more_nulls);
	values[DESCRIBE_NANS] = Int64GetDatum(0);
	if (present > 0)
	{
		values[DESCRIBE_SUM] = gs_finish_sum(type, &call.result,
											 &nulls[DESCRIBE_SUM]);
		values[DESCRIBE_AVG] = gs_finish_avg(type, &call.result,
											 &nulls[DESCRIBE_AVG]);
		values[DESCRIBE_STDDEV] =
			gs_finish_stddev_samp(type, &call.result, &nulls[DESCRIBE_STDDEV]);
		call.op.kind = GS_SORT;
		call.fetch = fetch_columns;
		call.fetch_arg = values;
		gs_call_execute(&call);
	}
	else
		memset(nulls + DESCRIBE_MIN, true, DESCRIBE_COLUMNS - DESCRIBE_MIN);
	gs_call_close(&call);
	return HeapTupleGetDatum(heap_form_tuple(gs_row_type(fcinfo), values,
											 nulls));
}

PG_FUNCTION_INFO_V1(gpu_describe);

Datum
gpu_describe(PG_FUNCTION_ARGS)
{
	return describe(fcinfo, PG_GETARG_DATUM(0), 0);
}

PG_FUNCTION_INFO_V1(gpu_describe_collect);

/* gpu_describe_collect(bytea, value) */
Datum
gpu_describe_collect(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(gs_collect(fcinfo, GS_NUMBERS, NULL, NULL));
}

PG_FUNCTION_INFO_V1(gpu_describe_final);

/* gpu_describe_final(bytea, E): the value is there for its type */
Datum
gpu_describe_final(PG_FUNCTION_ARGS)
{
	Oid			type;
	gs_collected *c = gs_collected_argument(fcinfo, GS_NUMBERS, &type);

	if (c == NULL)
		return describe(fcinfo, PointerGetDatum(construct_empty_array(type)),
						0);
	return describe(fcinfo, gs_collected_values(c), c->nulls);
}
