/*-------------------------------------------------------------------------
 *
 * moving.c
 *	  SQL functions that reduce a frame around each element of an array.
 *
 * An engine computes them; means and standard deviations of integers are made
 * here, of the sums that it gives.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/array_iteration.h"
#include "call/decimal_array.h"
#include "call/figures.h"
#include "functions/reduce/pairs.h"
#include "functions/series/frame.h"
#include "functions/series/moving.h"

static gs_status
fetch_results(gs_call *call, const gs_engine *engine)
{
	gs_builder *builder = call->fetch_arg;

	if (call->result.results != call->data.n)
		elog(ERROR, "%lld results of %lld elements",
			 (long long) call->result.results, (long long) call->data.n);
	gs_builder_reset(builder);
	return gs_call_fetch(call, engine, GS_COLUMN_VALUES, call->data.n, builder);
}

/* Extremes and the like are elements, so they may be times. */
static Oid
result_type(const gs_call *call)
{
	if (call->op.kind == GS_MOVING_MIN || call->op.kind == GS_MOVING_MAX ||
		(call->op.kind == GS_MOVING_PERCENTILE && call->op.percentile.discrete))
		return call->data.elemtype;
	return gs_type_oid(gs_column_type(&call->op, GS_COLUMN_VALUES));
}

Datum
gs_moving_execute(gs_call *call)
{
	gs_builder	builder;

	call->fetch = fetch_results;
	call->fetch_arg = &builder;
	gs_builder_open(&builder, result_type(call), call->data.n, call->data.flat,
					gs_gives_null(&call->op, call->data.nulls) ?
					call->data.n : 0);
	gs_call_execute(call);
	gs_call_close(call);
	return gs_builder_close(&builder);
}

static Datum
moving(FunctionCallInfo fcinfo, const char *function, gs_kind kind)
{
	gs_call		call;
	int64		preceding;
	int64		following;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	preceding = gs_frame_argument(fcinfo, 1, "preceding");
	following = gs_frame_argument(fcinfo, 2, "following");
	gs_call_open(&call, function, kind, PG_GETARG_DATUM(0));
	call.op.moving.preceding = (int32) preceding;
	call.op.moving.following = (int32) following;
	return gs_moving_execute(&call);
}

#define MOVING(figure, kind) \
PG_FUNCTION_INFO_V1(gpu_moving_##figure); \
Datum \
gpu_moving_##figure(PG_FUNCTION_ARGS) \
{ \
	return moving(fcinfo, "gpu_moving_" #figure, kind); \
}

MOVING(sum, GS_MOVING_SUM)
MOVING(min, GS_MOVING_MIN)
MOVING(max, GS_MOVING_MAX)

PG_FUNCTION_INFO_V1(gpu_moving_corr);

/* gpu_moving_corr(y, x, preceding, following) */
Datum
gpu_moving_corr(PG_FUNCTION_ARGS)
{
	gs_call		call;
	int64		preceding;
	int64		following;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	preceding = gs_frame_argument(fcinfo, 2, "preceding");
	following = gs_frame_argument(fcinfo, 3, "following");
	gs_call_open(&call, "gpu_moving_corr", GS_MOVING_CORR, PG_GETARG_DATUM(0));
	gs_array_open_lazily(&call.mask, PG_GETARG_DATUM(1));
	gs_pairs_require(&call.data, &call.mask);
	call.op.moving.preceding = (int32) preceding;
	call.op.moving.following = (int32) following;
	return gs_moving_execute(&call);
}

/*
 * Means and standard deviations of integers, which are of type numeric
 */

/* Results that are made of fetched sums at a time. */
#define TOTALS_PIECE	65536

typedef struct numeric_results
{
	gs_writer	writer;
	int			scale;			/* the integers are decimals times 10^scale */
	int64		count[TOTALS_PIECE];
	uint64		sum[TOTALS_PIECE][2];
	uint64		squares[TOTALS_PIECE][3];
} numeric_results;

/* How many values frames `at` and following have: all elements, or fetched. */
static gs_status
count_values(gs_call *call, const gs_engine *engine, int64 at, int64 n,
			 int64 *count)
{
	if (call->data.nulls)
		return engine->fetch(call->run, GS_COLUMN_COUNTS, at, n, count);
	for (int64 i = at; i < at + n; i++)
		count[i - at] = Min(i, call->op.moving.preceding) + 1 +
			Min(call->data.n - 1 - i, call->op.moving.following);
	return GS_OK;
}

static gs_status
fetch_totals(gs_call *call, const gs_engine *engine, numeric_results *r,
			 int64 at, int64 n)
{
	gs_status	status = count_values(call, engine, at, n, r->count);

	if (status == GS_OK)
		status = engine->fetch(call->run, GS_COLUMN_SUMS, at, n, r->sum);
	if (status == GS_OK && gs_has_column(&call->op, GS_COLUMN_SQUARES))
		status = engine->fetch(call->run, GS_COLUMN_SQUARES, at, n, r->squares);
	return status;
}

/* Write the results of n frames; those with too few values are NULL. */
static void
put_numerics(const gs_op *op, numeric_results *r, int64 n)
{
	gs_writer  *w = &r->writer;

	for (int64 i = 0; i < n; i++)
	{
		gs_sums		total =
			gs_sums_of_integers(r->count[i], r->sum[i], lengthof(r->sum[i]),
								r->squares[i], r->scale);
		bool		isnull;
		Datum		result;
		MemoryContext old;

		/* computing a numeric leaves garbage behind */
		old = MemoryContextSwitchTo(w->context);
		result = gs_figure_result(op->kind == GS_MOVING_AVG ?
								  GS_FIGURE_AVG : GS_FIGURE_STDDEV_SAMP,
								  &total, &isnull);
		MemoryContextSwitchTo(old);
		gs_writer_put(w, result, isnull);
		MemoryContextReset(w->context);
	}
}

static gs_status
fetch_numerics(gs_call *call, const gs_engine *engine)
{
	numeric_results *r = call->fetch_arg;
	int64		n = call->data.n;
	gs_status	status = GS_OK;

	gs_writer_open_numeric(&r->writer, n, call->data.flat);
	for (int64 at = 0; at < n && status == GS_OK; at += TOTALS_PIECE)
	{
		int64		part = Min(n - at, TOTALS_PIECE);

		CHECK_FOR_INTERRUPTS();
		status = fetch_totals(call, engine, r, at, part);
		if (status == GS_OK)
			put_numerics(&call->op, r, part);
	}
	return status;
}

static Datum
moving_numerics(FunctionCallInfo fcinfo, const char *function, gs_kind kind)
{
	gs_call		call;
	numeric_results *r;
	int64		preceding;
	int64		following;
	Datum		result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	preceding = gs_frame_argument(fcinfo, 1, "preceding");
	following = gs_frame_argument(fcinfo, 2, "following");
	r = palloc0(sizeof(numeric_results));
	gs_call_open(&call, function, kind,
				 gs_decimal_argument(fcinfo, 0, function, &r->scale));
	call.op.moving.preceding = (int32) preceding;
	call.op.moving.following = (int32) following;
	call.fetch = fetch_numerics;
	call.fetch_arg = r;
	gs_call_execute(&call);
	gs_call_close(&call);
	result = gs_writer_close(&r->writer);
	pfree(r);
	return result;
}

#define MOVING_RATIO(figure, kind) \
PG_FUNCTION_INFO_V1(gpu_moving_##figure); \
Datum \
gpu_moving_##figure(PG_FUNCTION_ARGS) \
{ \
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0); \
\
	return (type == FLOAT4ARRAYOID || type == FLOAT8ARRAYOID ? moving : \
			moving_numerics) (fcinfo, "gpu_moving_" #figure, kind); \
}

MOVING_RATIO(avg, GS_MOVING_AVG)
MOVING_RATIO(stddev, GS_MOVING_STDDEV)
