/*-------------------------------------------------------------------------
 *
 * segment.c
 *	  SQL functions that reduce each segment of an array.
 *
 * A segment starts at the first element, and wherever heads is true or after
 * every chunk of elements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "call/array_iteration.h"
#include "call/decimal_array.h"
#include "call/figures.h"

/* Results fetched at a time where they need more than copying. */
#define FETCHED_RESULTS	65536

typedef struct segment_results
{
	gs_builder	builder;
	gs_writer	writer;			/* averages of integers, instead */
	int			scale;			/* the integers are decimals times 10^scale */
} segment_results;

static void
check_range(const gs_call *call)
{
	if (call->result.position == 0)
		return;
	if (gs_is_float(call->data.type))
		gs_float_overflow();
	ereport(ERROR,
			errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			errmsg("bigint out of range"));
}

/* Extremes are elements, so they may be times. */
static Oid
result_type(const gs_call *call, gs_column column)
{
	if (call->op.kind == GS_SEGMENT_MIN || call->op.kind == GS_SEGMENT_MAX)
		return call->data.elemtype;
	return gs_type_oid(gs_column_type(&call->op, column));
}

static gs_status
fetch_column(gs_call *call, const gs_engine *engine, gs_builder *builder,
			 gs_column column)
{
	int64		n = call->result.results;

	gs_builder_open(builder, result_type(call, column), n, NULL,
					gs_gives_null(&call->op, call->data.nulls) ? n : 0);
	return gs_call_fetch(call, engine, column, n, builder);
}

/* Append averages of integers. */
static void
append_averages(segment_results *r, const int64 *counts,
				const uint64 (*sums)[2], int64 n)
{
	gs_writer  *writer = &r->writer;

	for (int64 i = 0; i < n; i++)
	{
		gs_sums		segment = gs_sums_of_integers(counts[i], sums[i],
												  lengthof(sums[i]), NULL,
												  r->scale);
		MemoryContext old;
		Datum		average;
		bool		isnull;

		/* computing a numeric leaves garbage behind */
		old = MemoryContextSwitchTo(writer->context);
		average = gs_figure_result(GS_FIGURE_AVG, &segment, &isnull);
		MemoryContextSwitchTo(old);
		gs_writer_put(writer, average, isnull);
		MemoryContextReset(writer->context);
	}
}

static gs_status
fetch_averages(gs_call *call, const gs_engine *engine, segment_results *r)
{
	int64		n = call->result.results;
	int64	   *counts = palloc(FETCHED_RESULTS * sizeof(int64));
	uint64		(*sums)[2] = palloc(FETCHED_RESULTS * sizeof(*sums));
	gs_status	status = GS_OK;

	gs_writer_open_numeric(&r->writer, n, NULL);
	for (int64 at = 0; at < n && status == GS_OK; at += FETCHED_RESULTS)
	{
		int64		part = Min(n - at, FETCHED_RESULTS);

		CHECK_FOR_INTERRUPTS();
		status = engine->fetch(call->run, GS_COLUMN_COUNTS, at, part, counts);
		if (status == GS_OK)
			status = engine->fetch(call->run, GS_COLUMN_SUMS, at, part, sums);
		if (status == GS_OK)
			append_averages(r, counts, (const uint64 (*)[2]) sums, part);
	}
	pfree(counts);
	pfree(sums);
	return status;
}

static gs_status
fetch_segments(gs_call *call, const gs_engine *engine)
{
	segment_results *r = call->fetch_arg;

	check_range(call);
	if (call->op.kind == GS_SEGMENT_COUNT)
		return fetch_column(call, engine, &r->builder, GS_COLUMN_COUNTS);
	if (gs_has_column(&call->op, GS_COLUMN_SUMS))
		return fetch_averages(call, engine, r);
	return fetch_column(call, engine, &r->builder, GS_COLUMN_VALUES);
}

/* The arguments are (arr, heads, chunk). */
static Datum
segments(FunctionCallInfo fcinfo, const char *function, gs_kind kind)
{
	gs_call		call;
	segment_results results;

	if (PG_ARGISNULL(0) || (PG_ARGISNULL(1) && PG_ARGISNULL(2)))
		PG_RETURN_NULL();
	gs_call_open(&call, function, kind,
				 gs_decimal_argument(fcinfo, 0, function, &results.scale));
	call.op.segment.length = gs_chunk_argument(fcinfo, 2, 1);
	if (call.op.segment.length == 0)
	{
		call.op.segment.marked = 1;
		gs_call_set_mask(&call, "heads", PG_GETARG_DATUM(1));
	}
	call.fetch = fetch_segments;
	call.fetch_arg = &results;
	gs_call_execute(&call);
	gs_call_close(&call);
	return gs_has_column(&call.op, GS_COLUMN_SUMS) ?
		gs_writer_close(&results.writer) : gs_builder_close(&results.builder);
}

#define SEGMENTS(function, kind) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return segments(fcinfo, #function, kind); \
}

SEGMENTS(gpu_segment_sum, GS_SEGMENT_SUM)
SEGMENTS(gpu_segment_avg, GS_SEGMENT_AVG)
SEGMENTS(gpu_segment_min, GS_SEGMENT_MIN)
SEGMENTS(gpu_segment_max, GS_SEGMENT_MAX)
SEGMENTS(gpu_segment_count, GS_SEGMENT_COUNT)
