/*-------------------------------------------------------------------------
 *
 * moving.c
 *	  SQL functions that reduce a frame around each element of an array.
 *
 * An engine computes sums, extremes and means of floats; standard deviations
 * and means of integers are computed here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "call/decimal_array.h"
#include "engine/moving_moments.h"
#include "functions/frame.h"
#include "functions/moving.h"

/* Counts that are fetched at a time. */
#define COUNTS_PIECE	(INT64_C(1) << 17)

/*
 * By an engine
 */

/*
 * Move results together: those of frames without a value are NULL.  Fetch how
 * many values each frame has.
 */
static gs_status
take_nulls_out(gs_call *call, const gs_engine *engine, gs_output *out)
{
	int			width = ((gs_builder *) call->fetch_arg)->width;
	char	   *values = out->values;
	int64	   *count = palloc(Min(out->n, COUNTS_PIECE) * sizeof(int64));
	gs_status	status = GS_OK;

	out->present = 0;
	out->validity = palloc0(out->n / 8 + 1);
	for (int64 at = 0; at < out->n && status == GS_OK; at += COUNTS_PIECE)
	{
		int64		n = Min(out->n - at, COUNTS_PIECE);

		status = engine->fetch(call->run, GS_COLUMN_COUNTS, at, n, count);
		for (int64 i = at; i < at + n && status == GS_OK; i++)
		{
			if (count[i - at] == 0)
				continue;
			memmove(values + out->present++ * width, values + i * width,
					width);
			out->validity[i / 8] |= 1 << (i % 8);
		}
	}
	pfree(count);
	return status;
}

static gs_status
fetch_results(gs_call *call, const gs_engine *engine)
{
	gs_builder *builder = call->fetch_arg;
	int64		n = call->data.n;
	gs_output	out = {.n = n, .present = n};
	gs_status	status;

	if (call->result.results != n)
		elog(ERROR, "%lld results of %lld elements",
			 (long long) call->result.results, (long long) n);
	gs_builder_reset(builder);
	/* all in one call, so that an engine can compute them into the array */
	out.values = gs_builder_reserve(builder, n);
	status = engine->fetch(call->run, GS_COLUMN_VALUES, 0, n, out.values);
	if (status == GS_OK && call->data.nulls)
		status = take_nulls_out(call, engine, &out);
	if (status == GS_OK)
		gs_builder_commit(builder, &out);
	if (out.validity != NULL)
		pfree(out.validity);
	return status;
}

/* Extremes are elements, so they may be times. */
static Oid
result_type(const gs_call *call)
{
	if (call->op.kind == GS_MOVING_MIN || call->op.kind == GS_MOVING_MAX)
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
					call->data.nulls ? call->data.n : 0);
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
	call.op.preceding = (int32) preceding;
	call.op.following = (int32) following;
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

/*
 * In the backend
 */

/* Write the result of a frame; NULL if it is empty. */
static void
put_result(gs_writer *w, const gs_moving *what, const gs_frame *f, bool isnull)
{
	Datum		result = (Datum) 0;
	MemoryContext old = CurrentMemoryContext;

	/* computing a numeric leaves garbage behind */
	if (w->is_numeric)
		MemoryContextSwitchTo(w->context);
	if (!isnull)
		result = what->result(f, &isnull);
	MemoryContextSwitchTo(old);
	gs_writer_put(w, result, isnull);
	if (w->is_numeric)
		MemoryContextReset(w->context);
}

/* The values that leave the frame are read a second time. */
static void
move_sums(gs_writer *w, const gs_moving *what, const gs_array *a,
		  int64 preceding, int64 following, int scale)
{
	gs_reader	entering;
	gs_reader	leaving;
	gs_frame	frame;
	gs_number	value;
	int64		present = -1;	/* the last element that is not NULL */

	gs_reader_open(&entering, a);
	gs_reader_open(&leaving, a);
	gs_frame_open(&frame, a->type, CurrentMemoryContext);
	frame.scale = scale;
	for (int64 i = 0; i < a->n; i++)
	{
		int64		first = Max(i - preceding, 0);

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		while (entering.i < a->n && entering.i <= i + following)
		{
			if (gs_reader_next(&entering, &value))
			{
				present = entering.i - 1;
				what->enter(&frame, present, value);
			}
		}
		while (leaving.i < first)
		{
			if (gs_reader_next(&leaving, &value))
				what->leave(&frame, value);
		}
		put_result(w, what, &frame, present < first);
	}
}

/*
 * Are all elements finite floats, and their bits so close together that sums of
 * frames are integers?
 */
static bool
sums_are_wide(const gs_array *a, int64 preceding, int64 following, int *base)
{
	int64		most = Min(preceding, a->n) + Min(following, a->n) + 1;
	gs_extent	extent = GS_NO_EXTENT;
	gs_reader	reader;
	gs_number	value;

	if (!gs_is_float(a->type))
		return false;
	gs_reader_open(&reader, a);
	while (gs_reader_next_value(&reader, &value))
	{
		if (!gs_is_finite(value.d))
			return false;
		gs_extent_add(&extent, value.d);
	}
	return gs_wide_fits(extent, most, base);
}

/* Standard deviations, from sums that are integers. */
static void
move_wide_stddev(gs_writer *w, const gs_array *a, int64 preceding,
				 int64 following, int base)
{
	gs_moving_moments moments = {.base = base};
	gs_reader	entering;
	gs_reader	leaving;
	gs_number	value;

	gs_reader_open(&entering, a);
	gs_reader_open(&leaving, a);
	for (int64 i = 0; i < a->n; i++)
	{
		double		result = 0;
		gs_rounding rounding;

		if (i % GS_INTERRUPT_ELEMENTS == 0)
			CHECK_FOR_INTERRUPTS();
		while (entering.i < a->n && entering.i <= i + following)
		{
			if (gs_reader_next(&entering, &value))
				gs_moving_moments_change(&moments, value.d, false);
		}
		while (leaving.i < i - preceding)
		{
			if (gs_reader_next(&leaving, &value))
				gs_moving_moments_change(&moments, value.d, true);
		}
		rounding = gs_moving_moments_stddev(&moments, &result);
		gs_writer_put(w, Float8GetDatum(result), rounding == GS_UNDEFINED);
	}
}

static Datum
moving_sums(FunctionCallInfo fcinfo, const char *function,
			const gs_moving *what)
{
	gs_call		call;
	gs_writer	writer;
	int64		preceding;
	int64		following;
	int			scale;
	int			base;
	const gs_array *a = &call.data;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	preceding = gs_frame_argument(fcinfo, 1, "preceding");
	following = gs_frame_argument(fcinfo, 2, "following");
	gs_call_open_elements(&call, function,
						  gs_decimal_argument(fcinfo, 0, function, &scale));
	if (gs_is_float(a->type))
		gs_writer_open(&writer, FLOAT8OID, a->n, a->flat, a->n);
	else
		gs_writer_open_numeric(&writer, a->n, a->flat);
	if (what == &gs_moving_stddev &&
		sums_are_wide(a, preceding, following, &base))
		move_wide_stddev(&writer, a, preceding, following, base);
	else
		move_sums(&writer, what, a, preceding, following, scale);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}

PG_FUNCTION_INFO_V1(gpu_moving_stddev);

Datum
gpu_moving_stddev(PG_FUNCTION_ARGS)
{
	return moving_sums(fcinfo, "gpu_moving_stddev", &gs_moving_stddev);
}

PG_FUNCTION_INFO_V1(gpu_moving_avg);

/* Means of integers are of type numeric, and take longer than their sums. */
Datum
gpu_moving_avg(PG_FUNCTION_ARGS)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);

	if (type == FLOAT4ARRAYOID || type == FLOAT8ARRAYOID)
		return moving(fcinfo, "gpu_moving_avg", GS_MOVING_AVG);
	return moving_sums(fcinfo, "gpu_moving_avg", &gs_moving_avg);
}
