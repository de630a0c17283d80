/*-------------------------------------------------------------------------
 *
 * pairs.c
 *	  Covariance, correlation and the least-squares line of two arrays, each
 *	  rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/array_iteration.h"
#include "state/state.h"

/* An integer beyond 2^53 is rounded, as the aggregates' argument would be. */
static inline double
double_of(gs_number value, bool is_float)
{
	return is_float ? value.d : (double) value.i;
}

static gs_state *
add_pairs(gs_reader *ys, gs_reader *xs)
{
	gs_state   *s = gs_state_new(GS_STATE_PAIRS);

	while (ys->i < ys->n)
	{
		gs_number	y = {0};
		gs_number	x;
		bool		has_y = gs_reader_next(ys, &y);

		if (gs_reader_next(xs, &x) && has_y)
			s = gs_state_add_pair(s, double_of(y, ys->is_float),
								  double_of(x, xs->is_float));
	}
	return s;
}

typedef Datum (*figure) (const gs_state *s, bool *isnull);

static Datum
of_arrays(FunctionCallInfo fcinfo, const char *function, figure f)
{
	gs_call		call;
	gs_array	other;
	gs_reader	ys;
	gs_reader	xs;
	gs_state   *s;

	gs_call_open_elements(&call, function, PG_GETARG_DATUM(0));
	gs_array_open(&other, PG_GETARG_DATUM(1));
	if (call.data.n != other.n)
		ereport(ERROR,
				errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				errmsg("arrays of different lengths are not arrays of pairs"),
				errdetail("They have %lld and %lld elements.",
						  (long long) call.data.n, (long long) other.n));
	gs_reader_open(&ys, &call.data);
	gs_reader_open(&xs, &other);
	s = add_pairs(&ys, &xs);
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
