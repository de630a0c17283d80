/*-------------------------------------------------------------------------
 *
 * stats.c
 *	  gpu_stats: an exact summary of numbers that can be stored and merged.
 *
 * It is a state (state.h) of its own kind, brought to its one form before it
 * leaves an aggregate, so that the same numbers give the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "compat.h"

#include "miscadmin.h"

#include "call.h"
#include "numeric.h"
#include "state.h"

/* Elements of an array between two looks for a cancel: 1 ms. */
#define SPAN	65536

static const gs_state *
stats_argument(FunctionCallInfo fcinfo)
{
	return (const gs_state *) PG_DETOAST_DATUM(PG_GETARG_DATUM(0));
}

static gs_state *
in_one_form(const gs_state *s)
{
	gs_figures	figures;

	gs_state_get_figures(s, &figures);
	return gs_state_from_figures(&figures);
}

PG_FUNCTION_INFO_V1(gpu_stats_final);

/* The result of gpu_stats_agg and gpu_rollup; NULL for no elements. */
Datum
gpu_stats_final(PG_FUNCTION_ARGS)
{
	const gs_state *s = stats_argument(fcinfo);

	if (s->n == 0)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(in_one_form(s));
}

PG_FUNCTION_INFO_V1(gpu_stats_array);

/* Add the values of a span. */
static gs_state *
add_span(gs_state *s, gs_type type, const gs_span *span)
{
	int			width = gs_type_width(type);

	for (int64 i = 0; i < span->present; i++)
	{
		const gs_value *v = (const gs_value *)
			((const char *) span->values + i * width);

		switch (type)
		{
			case GS_INT2:
				s = gs_state_add_double(s, v->i2);
				break;
			case GS_INT4:
				s = gs_state_add_double(s, v->i4);
				break;
			case GS_INT8:
				s = gs_state_add_integer(s, v->i8);
				break;
			case GS_FLOAT4:
				s = gs_state_add_double(s, v->f4);
				break;
			default:
				s = gs_state_add_double(s, v->f8);
				break;
		}
	}
	return s;
}

/* A value of an engine's as a double. */
static double
value_as_double(gs_type type, gs_value v)
{
	switch (type)
	{
		case GS_INT2:
			return v.i2;
		case GS_INT4:
			return v.i4;
		case GS_INT8:
			return (double) v.i8;
		case GS_FLOAT4:
			return v.f4;
		default:
			return v.f8;
	}
}

/* Is the filter's result, zeros alone, -0 at i? */
static bool
is_negative(const gs_builder *zeros, gs_type type, int64 i)
{
	return type == GS_FLOAT4 ? signbit(((const float *) zeros->values)[i]) :
		signbit(((const double *) zeros->values)[i]);
}

/* How many elements are -0?  False if the service cannot tell. */
static bool
count_negative_zeros(gs_call *call, int64 *count)
{
	gs_builder	zeros;
	bool		executed;

	call->op.kind = GS_FILTER;
	call->op.compare = GS_EQ;
	call->builder = &zeros;
	gs_builder_open(&zeros, call->data.type, call->data.n, NULL, 0);
	executed = gs_call_execute_kept(call);
	call->builder = NULL;
	for (int64 i = 0; executed && i < zeros.present; i++)
	{
		if (i % SPAN == 0)
			CHECK_FOR_INTERRUPTS();
		*count += is_negative(&zeros, call->data.type, i);
	}
	pfree(zeros.array);
	return executed;
}

/*
 * The summary of an array of which the service has a copy; in one form.  It
 * takes several operations, whose costs are small beside that of reading the
 * array here.  NULL: there is no copy, or elements that are not finite, whose
 * numbers no operation counts.
 */
static gs_state *
stats_of_copy(gs_call *call)
{
	gs_type		type = call->data.type;
	bool		is_float = type == GS_FLOAT4 || type == GS_FLOAT8;
	gs_figures	f;

	if (!gs_call_execute_kept(call))
		return NULL;
	if (call->result.present == 0)
		return gs_state_new(GS_STATE_STATS);
	if (is_float && (call->result.sum.seen &
					 (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
					  GS_SEEN_NEGATIVE_INF)) != 0)
		return NULL;
	gs_figures_from_moments(&f, type, &call->result);
	for (int i = 0; i < 2; i++)
	{
		call->op.kind = i == 0 ? GS_MIN : GS_MAX;
		if (!gs_call_execute_kept(call))
			return NULL;
		f.extreme[i] = value_as_double(type, call->result.value);
	}
	if (is_float && f.extreme[0] <= 0 && f.extreme[1] >= 0 &&
		!count_negative_zeros(call, &f.special[GS_SPECIAL_NEGATIVE_ZERO]))
		return NULL;
	return gs_state_from_figures(&f);
}

static gs_state *
stats_of_array(gs_array *array)
{
	gs_state   *s = gs_state_new(GS_STATE_STATS);
	gs_cursor	cursor;

	gs_cursor_open(&cursor, array);
	while (cursor.n < array->n)
	{
		gs_span		span;

		CHECK_FOR_INTERRUPTS();
		gs_cursor_next(&cursor, Min(array->n - cursor.n, SPAN), NULL, &span);
		s = add_span(s, array->type, &span);
	}
	gs_cursor_close(&cursor);
	return in_one_form(s);
}

/* gpu_stats(E[]) */
Datum
gpu_stats_array(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_state   *s;

	gs_call_open(&call, "gpu_stats", GS_MOMENTS, PG_GETARG_DATUM(0));
	s = stats_of_copy(&call);
	if (s == NULL)
		s = stats_of_array(&call.data);
	gs_call_close(&call);
	if (s->n == 0)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(s);
}

static Datum
extreme(FunctionCallInfo fcinfo, int which)
{
	const gs_state *s = stats_argument(fcinfo);
	double		value[2];

	if (s->n == 0)
		PG_RETURN_NULL();
	gs_state_extremes(s, &value[0], &value[1]);
	PG_RETURN_FLOAT8(value[which]);
}

PG_FUNCTION_INFO_V1(gpu_stats_min);

Datum
gpu_stats_min(PG_FUNCTION_ARGS)
{
	return extreme(fcinfo, 0);
}

PG_FUNCTION_INFO_V1(gpu_stats_max);

Datum
gpu_stats_max(PG_FUNCTION_ARGS)
{
	return extreme(fcinfo, 1);
}

PG_FUNCTION_INFO_V1(gpu_sum_exact);

/* The sum as a numeric, not rounded at all. */
Datum
gpu_sum_exact(PG_FUNCTION_ARGS)
{
	const gs_state *s = stats_argument(fcinfo);
	gs_figures	f;
	double		special;

	if (s->n == 0)
		PG_RETURN_NULL();
	gs_state_get_figures(s, &f);
	if (f.special[GS_SPECIAL_NAN] > 0 || f.special[GS_SPECIAL_POSITIVE_INF] > 0 ||
		f.special[GS_SPECIAL_NEGATIVE_INF] > 0)
	{
		(void) gs_state_sum(s, &special);
		return DirectFunctionCall1(float8_numeric, Float8GetDatum(special));
	}
	return gs_numeric_binary(f.window[GS_SUM_WINDOW].word,
							 f.window[GS_SUM_WINDOW].words,
							 f.window[GS_SUM_WINDOW].negative,
							 32 * f.window[GS_SUM_WINDOW].first + GS_ACC_LOWEST);
}
