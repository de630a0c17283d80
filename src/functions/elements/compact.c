/*-------------------------------------------------------------------------
 *
 * compact.c
 *	  SQL functions that keep some of an array's elements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"

#include "call/array_iteration.h"
#include "functions/bound.h"
#include "functions/decimal.h"
#include "functions/elements/chain.h"

/* Bytes of a mask counted between two interrupt checks: below 0.1 ms. */
#define MASK_PIECE		(1024 * 1024)

/* How many elements are true? */
static int64
count_true(gs_array *mask)
{
	int64		present = gs_array_present(mask);
	int64		count = 0;

	for (int64 i = 0; i < present; i += MASK_PIECE)
	{
		int64		end = Min(i + MASK_PIECE, present);

		CHECK_FOR_INTERRUPTS();
		for (int64 j = i; j < end; j++)
			count += mask->values[j] != 0;
	}
	return count;
}

/* Execute a call whose operation is complete; `bits` as in gs_builder_open. */
static Datum
compact(gs_call *call, int64 bits)
{
	gs_builder	builder;

	call->builder = &builder;
	gs_builder_open(&builder,
					call->op.kind == GS_WHERE ? INT4OID : call->data.elemtype,
					call->data.n, NULL, bits);
	gs_call_execute(call);
	gs_call_close(call);
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_compact);

Datum
gpu_compact(PG_FUNCTION_ARGS)
{
	gs_call		call;

	gs_call_open(&call, "gpu_compact", GS_COMPACT, PG_GETARG_DATUM(0));
	gs_call_set_mask(&call, "keep", PG_GETARG_DATUM(1));
	return compact(&call,
				   !call.data.nulls ? 0 : count_true(&call.mask));
}

PG_FUNCTION_INFO_V1(gpu_where);

Datum
gpu_where(PG_FUNCTION_ARGS)
{
	gs_call		call;

	gs_call_open(&call, "gpu_where", GS_WHERE, PG_GETARG_DATUM(0));
	return compact(&call, 0);
}

PG_FUNCTION_INFO_V1(gpu_count_where);

Datum
gpu_count_where(PG_FUNCTION_ARGS)
{
	gs_call		call;
	int64		count;

	gs_call_open_elements(&call, "gpu_count_where", PG_GETARG_DATUM(0));
	count = count_true(&call.data);
	gs_call_close_elements(&call);
	PG_RETURN_INT64(count);
}

/*
 * Open the call for arguments (arr, op, bound), leaving the bound to the
 * caller; false if an argument is NULL.
 */
static bool
filter_open(FunctionCallInfo fcinfo, gs_call *call, gs_compare *compare)
{
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		return false;
	*compare = gs_comparison_from_text(PG_GETARG_TEXT_PP(1));
	if (PG_ARGISNULL(2))
		return false;
	gs_call_open(call, "gpu_filter", GS_FILTER, PG_GETARG_DATUM(0));
	return true;
}

static Datum
filter_by_double(FunctionCallInfo fcinfo)
{
	gs_call		call;
	gs_compare	compare;

	if (!filter_open(fcinfo, &call, &compare))
		PG_RETURN_NULL();
	gs_bound_by_double(&call.op, compare, PG_GETARG_FLOAT8(2));
	return compact(&call, 0);
}

static Datum
filter_by_bigint(FunctionCallInfo fcinfo)
{
	gs_call		call;
	gs_compare	compare;

	if (!filter_open(fcinfo, &call, &compare))
		PG_RETURN_NULL();
	gs_bound_by_int64(&call.op, compare, PG_GETARG_INT64(2));
	return compact(&call, 0);
}

static Datum
filter_by_numeric(FunctionCallInfo fcinfo)
{
	gs_call		call;
	gs_compare	compare;

	if (!filter_open(fcinfo, &call, &compare))
		PG_RETURN_NULL();
	gs_bound_by_numeric(&call.op, compare, PG_GETARG_NUMERIC(2));
	return compact(&call, 0);
}

/* Overloads for one element type each */
PG_FUNCTION_INFO_V1(gpu_filter_bigint);

Datum
gpu_filter_bigint(PG_FUNCTION_ARGS)
{
	return filter_by_bigint(fcinfo);
}

/* The bound is of the elements' type. */
PG_FUNCTION_INFO_V1(gpu_filter_time);

Datum
gpu_filter_time(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_compare	compare;

	if (!filter_open(fcinfo, &call, &compare))
		PG_RETURN_NULL();
	gs_bound_by_int64(&call.op, compare,
					  gs_number_from_datum(PG_GETARG_DATUM(2),
										   call.op.type).i);
	return compact(&call, 0);
}

/* Overloads for anyarray */
extern Datum gpu_filter_any_numeric(PG_FUNCTION_ARGS);

#define FILTER_ANY(type) \
PG_FUNCTION_INFO_V1(gpu_filter_any_##type); \
\
Datum \
gpu_filter_any_##type(PG_FUNCTION_ARGS) \
{ \
	if (gs_takes_decimals(fcinfo)) \
		return gs_compare_decimals(fcinfo, gpu_filter_any_numeric, true); \
	gs_require_elements(fcinfo, GS_NUMBERS); \
	return filter_by_##type(fcinfo); \
}

FILTER_ANY(double)
FILTER_ANY(bigint)
FILTER_ANY(numeric)

bool
gs_is_filter(PGFunction function)
{
	return function == gpu_filter_bigint || function == gpu_filter_any_double ||
		function == gpu_filter_any_bigint || function == gpu_filter_any_numeric;
}

Datum
gs_filter(Datum array, gs_compare compare, Oid type, Datum bound)
{
	gs_call		call;

	gs_call_open(&call, "gpu_filter", GS_FILTER, array);
	gs_bound_by_datum(&call.op, compare, type, bound);
	return compact(&call, 0);
}
