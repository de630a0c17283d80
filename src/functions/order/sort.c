/*-------------------------------------------------------------------------
 *
 * sort.c
 *	  SQL functions that return elements in order: all of them, the first
 *	  ones, the distinct ones.
 *
 * An engine orders the elements that are not NULL.  The functions here put
 * NULLs, or the positions of NULLs, before or after them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "call/decimal.h"
#include "call/decimal_array.h"
#include "exact/exact.h"
#include "functions/decimal.h"
#include "functions/order/sort.h"
#include "pg/row_type.h"

/* Elements examined between two interrupt checks: below 1 ms. */
#define NULLS_PIECE		(INT64_C(1) << 20)

void
gs_sorting_open(gs_sorting *s, gs_call *call, const char *function,
				gs_kind kind, FunctionCallInfo fcinfo, int options)
{
	gs_require_option(fcinfo, options, "descending");
	memset(s, 0, sizeof(gs_sorting));
	gs_call_open(call, function, kind, PG_GETARG_DATUM(0));
	call->op.order.descending = PG_GETARG_BOOL(options);
	call->fetch_arg = s;
	s->nulls = call->data.n - gs_array_present(&call->data);
	s->nulls_first = PG_ARGISNULL(options + 1) ? call->op.order.descending :
		PG_GETARG_BOOL(options + 1);
}

static void
append_nulls(gs_sorting *s)
{
	gs_output	nulls = {.n = s->nulls};

	if (s->nulls == 0)
		return;
	nulls.values = gs_builder_reserve(&s->builder, 0);
	nulls.validity = palloc_extended((s->nulls + 7) / 8,
									 MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	gs_builder_commit(&s->builder, &nulls);
	pfree(nulls.validity);
}

/* Buffers are sized for this number of results. */
static void
check_results(const gs_call *call, const gs_sorting *s)
{
	if (call->result.results + s->nulls != call->data.n)
		elog(ERROR, "%lld results of %lld elements with %lld nulls",
			 (long long) call->result.results, (long long) call->data.n,
			 (long long) s->nulls);
}

static gs_status
fetch_sorted(gs_call *call, const gs_engine *engine)
{
	gs_sorting *s = call->fetch_arg;
	gs_status	status;

	check_results(call, s);
	gs_builder_reset(&s->builder);
	if (s->nulls_first)
		append_nulls(s);
	status = gs_call_fetch(call, engine, GS_COLUMN_VALUES,
						   call->result.results, &s->builder);
	if (!s->nulls_first)
		append_nulls(s);
	return status;
}

PG_FUNCTION_INFO_V1(gpu_sort);

Datum
gpu_sort(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_sorting	s;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_sorting_open(&s, &call, "gpu_sort", GS_SORT, fcinfo, 1);
	gs_builder_open(&s.builder, call.data.elemtype, call.data.n, NULL,
					s.nulls > 0 ? call.data.n : 0);
	call.fetch = fetch_sorted;
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&s.builder);
}

/* Store the positions of all NULLs. */
static void
find_nulls(const gs_array *a, int32 *position)
{
	for (int64 i = 0; i < a->n; i++)
	{
		if (i % NULLS_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
		if (!(a->bitmap[i / 8] & (1 << (i % 8))))
			*position++ = (int32) i + 1;
	}
}

static gs_status
fetch_positions(gs_call *call, const gs_engine *engine)
{
	gs_sorting *s = call->fetch_arg;
	int64		n = call->result.results;

	check_results(call, s);
	if (s->nulls > 0)
		find_nulls(&call->data, s->nulls_first ? s->position : s->position + n);
	return engine->fetch(call->run, GS_COLUMN_VALUES, 0, n,
						 s->nulls_first ? s->position + s->nulls : s->position);
}

void
gs_sorting_positions(gs_sorting *s, gs_call *call, int32 *position)
{
	s->position = position;
	call->fetch = fetch_positions;
	gs_call_execute(call);
}

PG_FUNCTION_INFO_V1(gpu_argsort);

Datum
gpu_argsort(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_sorting	s;
	gs_output	positions = {0};

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_sorting_open(&s, &call, "gpu_argsort", GS_ARGSORT, fcinfo, 1);
	positions.n = positions.present = call.data.n;
	gs_builder_open(&s.builder, INT4OID, positions.n, NULL, 0);
	positions.values = gs_builder_reserve(&s.builder, positions.n);
	gs_sorting_positions(&s, &call, positions.values);
	gs_builder_commit(&s.builder, &positions);
	gs_call_close(&call);
	return gs_builder_close(&s.builder);
}

/* As many results as fit. */
static gs_status
fetch_first(gs_call *call, const gs_engine *engine)
{
	gs_builder *builder = call->fetch_arg;

	gs_builder_reset(builder);
	return gs_call_fetch(call, engine, GS_COLUMN_VALUES,
						 Min(call->result.results, builder->capacity), builder);
}

int64
gs_order_key(gs_type type, Datum value)
{
	switch (type)
	{
		case GS_INT2:
			return DatumGetInt16(value);
		case GS_INT4:
			return DatumGetInt32(value);
		case GS_INT8:
			return DatumGetInt64(value);
		case GS_FLOAT4:
			return gs_order_key_of_double(DatumGetFloat4(value));
		default:
			return gs_order_key_of_double(DatumGetFloat8(value));
	}
}

void
gs_check_topk(int32 k)
{
	if (k < 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("k must not be negative, but is %d", k));
}

Datum
gs_topk(Datum array, int32 k, bool largest)
{
	gs_call		call;
	gs_builder	builder;

	gs_call_open(&call, "gpu_topk", GS_SELECT, array);
	call.op.order.descending = largest;
	gs_builder_open(&builder, call.data.elemtype, Min(k, call.data.n), NULL, 0);
	call.fetch = fetch_first;
	call.fetch_arg = &builder;
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

PG_FUNCTION_INFO_V1(gpu_topk);

Datum
gpu_topk(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "k");
	gs_require_option(fcinfo, 2, "largest");
	gs_check_topk(PG_GETARG_INT32(1));
	return gs_topk(PG_GETARG_DATUM(0), PG_GETARG_INT32(1), PG_GETARG_BOOL(2));
}

/* All results; only the engine knows how many there are. */
static gs_status
fetch_distinct(gs_call *call, const gs_engine *engine)
{
	gs_builder_open(call->fetch_arg, call->data.elemtype, call->result.results,
					NULL, 0);
	return fetch_first(call, engine);
}

PG_FUNCTION_INFO_V1(gpu_distinct);

Datum
gpu_distinct(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_builder	builder;

	gs_call_open(&call, "gpu_distinct", GS_DISTINCT, PG_GETARG_DATUM(0));
	call.fetch = fetch_distinct;
	call.fetch_arg = &builder;
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

/* The rows of gpu_value_counts, in memory that lasts for all its calls. */
typedef struct value_counts
{
	MemoryContext context;
	int			width;
	char	   *values;
	int64	   *counts;
	bool		decimals;		/* values are times 10^scale */
	int			scale;
} value_counts;

static gs_status
fetch_value_counts(gs_call *call, const gs_engine *engine)
{
	value_counts *rows = call->fetch_arg;
	int64		n = call->result.results;
	MemoryContext old = MemoryContextSwitchTo(rows->context);
	gs_status	status;

	rows->width = gs_type_width(call->data.type);
	rows->values = gs_alloc_large(Max(n, 1) * rows->width);
	rows->counts = gs_alloc_large(Max(n, 1) * sizeof(int64));
	MemoryContextSwitchTo(old);
	status = engine->fetch(call->run, GS_COLUMN_VALUES, 0, n, rows->values);
	if (status == GS_OK)
		status = engine->fetch(call->run, GS_COLUMN_COUNTS, 0, n, rows->counts);
	return status;
}

/* Execute, and keep the rows in memory that lasts for all calls. */
static void
count_values(FunctionCallInfo fcinfo, FuncCallContext *context)
{
	value_counts *rows;
	gs_call		call;

	rows = MemoryContextAlloc(context->multi_call_memory_ctx,
							  sizeof(value_counts));
	rows->context = context->multi_call_memory_ctx;
	rows->decimals = gs_takes_decimals(fcinfo);
	gs_call_open(&call, "gpu_value_counts", GS_DISTINCT,
				 gs_decimal_argument(fcinfo, 0, "gpu_value_counts",
									 &rows->scale));
	call.fetch = fetch_value_counts;
	call.fetch_arg = rows;
	gs_call_execute(&call);
	gs_call_close(&call);
	context->user_fctx = rows;
	context->max_calls = call.result.results;
}

PG_FUNCTION_INFO_V1(gpu_value_counts);

Datum
gpu_value_counts(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	const value_counts *rows;
	Datum		values[2];
	bool		nulls[2] = {false, false};
	HeapTuple	row;
	uint64		i;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;

		context = SRF_FIRSTCALL_INIT();
		count_values(fcinfo, context);
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = gs_row_type(fcinfo);
		MemoryContextSwitchTo(old);
	}
	context = SRF_PERCALL_SETUP();
	rows = context->user_fctx;
	i = context->call_cntr;
	if (i >= context->max_calls)
		SRF_RETURN_DONE(context);
	values[0] = rows->decimals ?
		gs_decimal_make((const uint64 *) rows->values + i, 1, rows->scale) :
		fetch_att(rows->values + i * rows->width, true, rows->width);
	values[1] = Int64GetDatum(rows->counts[i]);
	row = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(row));
}
