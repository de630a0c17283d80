/*-------------------------------------------------------------------------
 *
 * cumulative.c
 *	  SQL functions that return a running result for every element.
 *
 * All of them take (arr, exclusive, chunk, heads).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "call/call.h"

/* Elements examined between two interrupt checks: below 0.1 ms. */
#define HEADS_PIECE		65536

static bool
is_null(const gs_array *a, int64 i)
{
	return (a->bitmap[i / 8] & (1 << (i % 8))) == 0;
}

/* Does a segment start at a NULL element?  The array has a bitmap. */
static bool
head_at_null(const gs_array *data, const gs_array *heads)
{
	const char *head = heads->values;

	for (int64 i = 0; i < data->n;)
	{
		if (i % HEADS_PIECE == 0)
			CHECK_FOR_INTERRUPTS();
		if (i % 8 == 0 && i + 8 <= data->n && data->bitmap[i / 8] == 0xff)
		{
			head += heads->bitmap == NULL ? 8 :
				pg_number_of_ones[heads->bitmap[i / 8]];
			i += 8;
			continue;
		}
		if (heads->bitmap == NULL || !is_null(heads, i))
		{
			if (*head++ && is_null(data, i))
				return true;
		}
		i++;
	}
	return false;
}

/*
 * Will a result be NULL?  An exclusive scan that can return NULL does so at
 * its first element, an inclusive one where a segment starts with a NULL.
 */
static bool
result_has_nulls(gs_call *call)
{
	const gs_array *data = &call->data;

	if (data->n == 0 || !gs_gives_null(&call->op, data->nulls))
		return false;
	if (call->op.scan.exclusive)
		return true;
	(void) gs_array_bitmap(&call->data);
	if (is_null(data, 0))
		return true;
	if (call->op.segment.marked)
		return head_at_null(data, &call->mask);
	for (int64 i = call->op.segment.length; i > 0 && i < data->n;
		 i += call->op.segment.length)
	{
		CHECK_FOR_INTERRUPTS();
		if (is_null(data, i))
			return true;
	}
	return false;
}

/* What is not computed, but an element, is of the elements' type. */
static Oid
result_type(const gs_call *call)
{
	if (call->op.kind == GS_SCAN_MIN || call->op.kind == GS_SCAN_MAX)
		return call->data.elemtype;
	return gs_type_oid(gs_output_type(&call->op));
}

static Datum
scan(FunctionCallInfo fcinfo, const char *function, gs_kind kind)
{
	gs_call		call;
	gs_builder	builder;
	int64		chunk;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	gs_require_option(fcinfo, 1, "exclusive");
	chunk = gs_chunk_argument(fcinfo, 2, 3);

	gs_call_open(&call, function, kind, PG_GETARG_DATUM(0));
	call.op.scan.exclusive = PG_GETARG_BOOL(1);
	call.op.segment.length = chunk;
	if (!PG_ARGISNULL(3))
	{
		call.op.segment.marked = true;
		gs_call_set_mask(&call, "heads", PG_GETARG_DATUM(3));
	}

	call.builder = &builder;
	gs_builder_open(&builder, result_type(&call), call.data.n,
					call.data.flat,
					result_has_nulls(&call) ? call.data.n : 0);
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_builder_close(&builder);
}

#define SCAN(function, kind) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return scan(fcinfo, #function, kind); \
}

SCAN(gpu_cumsum, GS_SCAN_SUM)
SCAN(gpu_cumcount, GS_SCAN_COUNT)
SCAN(gpu_cumprod, GS_SCAN_PRODUCT)
SCAN(gpu_cummin, GS_SCAN_MIN)
SCAN(gpu_cummax, GS_SCAN_MAX)
SCAN(gpu_cumbit_and, GS_SCAN_BIT_AND)
SCAN(gpu_cumbit_or, GS_SCAN_BIT_OR)
SCAN(gpu_cumbit_xor, GS_SCAN_BIT_XOR)
SCAN(gpu_cumbool_and, GS_SCAN_BIT_AND)
SCAN(gpu_cumbool_or, GS_SCAN_BIT_OR)
