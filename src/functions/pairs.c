/*-------------------------------------------------------------------------
 *
 * pairs.c
 *	  Covariance, correlation and the least-squares line of two arrays, or of
 *	  the pairs in a moving frame, each rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"

#include "functions/frame.h"
#include "functions/pairs.h"

typedef Datum (*figure) (const gs_state *s, bool *isnull);

static Datum
of_arrays(FunctionCallInfo fcinfo, const char *function, figure f)
{
	gs_call		call;
	gs_array	other;
	gs_pairs		p;
	gs_state   *s = gs_state_new(GS_STATE_PAIRS);
	double		y;
	double		x;

	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	gs_array_open(&other, PG_GETARG_DATUM(1));
	gs_pairs_open(&p, &call.data, &other);
	while (p.ys.i < p.ys.n)
	{
		if (gs_pairs_next(&p, &y, &x))
			s = gs_state_add_pair(s, y, x);
	}
	gs_array_close(&other);
	gs_call_close_elements(&call);
	return f(s, &fcinfo->isnull);
}

#define OF_ARRAYS(name, figure) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	return of_arrays(fcinfo, #name, figure); \
}

OF_ARRAYS(gpu_covar_pop, gs_state_covar_pop)
OF_ARRAYS(gpu_covar_samp, gs_state_covar_samp)
OF_ARRAYS(gpu_corr, gs_state_corr)
OF_ARRAYS(gpu_regr_slope, gs_state_regr_slope)
OF_ARRAYS(gpu_regr_intercept, gs_state_regr_intercept)
OF_ARRAYS(gpu_regr_r2, gs_state_regr_r2)

/* The correlation of each frame's pairs, which enter and leave. */
static void
move_correlation(gs_writer *w, const gs_pairs *all, int64 preceding,
				 int64 following)
{
	gs_pairs	entering = *all;
	gs_pairs	leaving = *all;
	gs_frame	frame;
	int64		n = all->ys.n;
	double		y;
	double		x;

	gs_frame_open(&frame, GS_FLOAT8, CurrentMemoryContext);
	gs_frame_open_state(&frame, GS_STATE_PAIRS);
	for (int64 i = 0; i < n; i++)
	{
		Datum		result;
		bool		isnull = false;

		while (entering.ys.i < n && entering.ys.i <= i + following)
		{
			if (gs_pairs_next(&entering, &y, &x))
				gs_frame_keep_state(&frame,
									gs_state_add_pair(frame.state, y, x));
		}
		while (leaving.ys.i < i - preceding)
		{
			if (gs_pairs_next(&leaving, &y, &x))
				gs_frame_keep_state(&frame,
									gs_state_remove_pair(frame.state, y, x));
		}
		result = gs_state_corr(frame.state, &isnull);
		gs_writer_put(w, result, isnull);
	}
}

PG_FUNCTION_INFO_V1(gpu_moving_corr);

/* gpu_moving_corr(y, x, preceding, following) */
Datum
gpu_moving_corr(PG_FUNCTION_ARGS)
{
	gs_call		call;
	gs_array	other;
	gs_writer	writer;
	gs_pairs		p;
	int64		preceding;
	int64		following;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	preceding = gs_frame_argument(fcinfo, 2, "preceding");
	following = gs_frame_argument(fcinfo, 3, "following");
	gs_call_open_elements(&call, "gpu_moving_corr", PG_GETARG_DATUM(0));
	gs_array_open(&other, PG_GETARG_DATUM(1));
	gs_pairs_open(&p, &call.data, &other);
	gs_writer_open(&writer, FLOAT8OID, call.data.n, call.data.flat,
				   call.data.n);
	move_correlation(&writer, &p, preceding, following);
	gs_array_close(&other);
	gs_call_close_elements(&call);
	return gs_writer_close(&writer);
}
