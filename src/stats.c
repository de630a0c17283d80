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

/* gpu_stats(E[]) */
Datum
gpu_stats_array(PG_FUNCTION_ARGS)
{
	gs_array	array;
	gs_cursor	cursor;
	gs_state   *s = gs_state_new(GS_STATE_STATS);

	gs_array_open(&array, PG_GETARG_DATUM(0));
	gs_cursor_open(&cursor, &array);
	while (cursor.n < array.n)
	{
		gs_span		span;

		CHECK_FOR_INTERRUPTS();
		gs_cursor_next(&cursor, Min(array.n - cursor.n, SPAN), NULL, &span);
		s = add_span(s, array.type, &span);
	}
	gs_cursor_close(&cursor);
	gs_array_close(&array);
	if (s->n == 0)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(in_one_form(s));
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
