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

#include "pg/compat.h"

#include "call/call.h"
#include "call/numeric.h"
#include "state/state.h"

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

/* gpu_stats(E[]) */
Datum
gpu_stats_array(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_figures	figures;

	gs_call_open(&call, "gpu_stats", GS_STATS, PG_GETARG_DATUM(0));
	gs_call_execute(&call);
	gs_call_close(&call);
	if (call.result.present == 0)
		PG_RETURN_NULL();
	gs_figures_from_stats(&figures, call.op.type, &call.result);
	PG_RETURN_POINTER(gs_state_from_figures(&figures));
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
