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

#include "call/figures.h"
#include "engine/cpu/engine_cpu.h"
#include "functions/reduce/pairs.h"
#include "state/state.h"

/* Sums of floats as the CPU engine has them. */
typedef struct engine_sums
{
	gs_acc		y;
	gs_acc		x;
	gs_acc2		yy;
	gs_acc2		xx;
	gs_acc2		xy;
} engine_sums;

#define ADD_SUMS(suffix, type) \
static void \
add_sums_##suffix(engine_sums *s, const type *y, const type *x, int64 n) \
{ \
	gs_cpu_sum_##suffix(&s->y, y, n); \
	gs_cpu_sum_##suffix(&s->x, x, n); \
	gs_cpu_squares_##suffix(&s->yy, y, n); \
	gs_cpu_squares_##suffix(&s->xx, x, n); \
	gs_cpu_products_##suffix(&s->xy, y, x, n); \
}

ADD_SUMS(float4, float)
ADD_SUMS(float8, double)

static bool
are_finite(const engine_sums *s)
{
	return !((s->y.seen | s->x.seen) &
			 (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF));
}

/*
 * The sums of whole arrays of one type of float, several times as fast as by
 * pairs, and piece by piece, so that the five sums find a piece in the cache.
 * False if that is not what these are: of a pair that has a NULL neither
 * counts, and nor does a product of one that is not finite.
 */
static bool
sum_arrays(engine_sums *s, gs_array *ys, gs_array *xs)
{
	gs_cursor	y_cursor;
	gs_cursor	x_cursor;
	int64		n;

	if (ys->type != xs->type || !gs_is_float(ys->type) || ys->n != xs->n ||
		ys->nulls || xs->nulls)
		return false;
	memset(s, 0, sizeof *s);
	gs_cursor_open(&y_cursor, ys);
	gs_cursor_open(&x_cursor, xs);
	for (int64 at = 0; at < ys->n && are_finite(s); at += n)
	{
		gs_span		y;
		gs_span		x;

		CHECK_FOR_INTERRUPTS();
		n = Min(ys->n - at, CPU_BATCH);
		gs_cursor_next(&y_cursor, n, NULL, &y);
		gs_cursor_next(&x_cursor, n, NULL, &x);
		if (ys->type == GS_FLOAT4)
			add_sums_float4(s, y.values, x.values, n);
		else
			add_sums_float8(s, y.values, x.values, n);
	}
	gs_cursor_close(&y_cursor);
	gs_cursor_close(&x_cursor);
	return are_finite(s);
}

/* By one of the service's operations. */
static void
sum_array(const char *function, Datum array, gs_acc *sum, gs_acc2 *squares)
{
	gs_call		call;

	gs_call_open(&call, function, GS_MOMENTS, array);
	gs_call_execute(&call);
	gs_call_close(&call);
	*sum = call.result.sum;
	*squares = call.result.squares;
}

/* The sums of pairs by the service; false, too, if it is not to be asked. */
static bool
sum_by_service(engine_sums *s, const char *function, Datum ys, Datum xs,
			   int64 *n)
{
	gs_call		call;
	bool		asked;

	gs_call_open(&call, function, GS_DOT, ys);
	gs_array_open_lazily(&call.mask, xs);
	*n = call.data.n;
	asked = call.data.type == call.mask.type && gs_is_float(call.data.type) &&
		!call.data.nulls && !call.mask.nulls && call.mask.n == *n && *n > 0 &&
		gs_call_is_for_service(&call);
	if (asked)
	{
		gs_call_execute(&call);
		s->xy = call.result.squares;
		sum_array(function, ys, &s->y, &s->yy);
		sum_array(function, xs, &s->x, &s->xx);
	}
	gs_call_close(&call);
	return asked && are_finite(s);
}

static Datum
of_pairs(gs_pairs *p, gs_figure f, bool *isnull)
{
	gs_state   *s = gs_state_new(GS_STATE_PAIRS);
	gs_limbs_buffer buffer[GS_PAIR_WINDOWS];
	gs_sums		sums;
	double		y;
	double		x;

	while (p->ys.i < p->ys.n)
	{
		if (gs_pairs_next(p, &y, &x))
			s = gs_state_add_pair(s, y, x);
	}
	sums = gs_state_sums(s, buffer);
	return gs_figure_result(f, &sums, isnull);
}

static Datum
of_sums(const engine_sums *s, int64 n, gs_figure f, bool *isnull)
{
	gs_sums		sums = {
		.n = n,
		.x = gs_acc_limbs(&s->x),
		.y = gs_acc_limbs(&s->y),
		.xx = gs_acc2_limbs(&s->xx),
		.yy = gs_acc2_limbs(&s->yy),
		.xy = gs_acc2_limbs(&s->xy)
	};

	return gs_figure_result(f, &sums, isnull);
}

static Datum
of_arrays(FunctionCallInfo fcinfo, const char *function, gs_figure f)
{
	gs_call		call;
	gs_array	other;
	gs_pairs	p;
	engine_sums s;
	int64		n;
	Datum		result;

	if (sum_by_service(&s, function, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), &n))
		return of_sums(&s, n, f, &fcinfo->isnull);
	gs_call_open(&call, function, GS_SUM, PG_GETARG_DATUM(0));
	gs_array_open_lazily(&other, PG_GETARG_DATUM(1));
	if (sum_arrays(&s, &call.data, &other))
		result = of_sums(&s, other.n, f, &fcinfo->isnull);
	else
	{
		gs_array_read(&call.data);
		gs_array_read(&other);
		gs_pairs_open(&p, &call.data, &other);
		result = of_pairs(&p, f, &fcinfo->isnull);
	}
	gs_array_close(&other);
	gs_call_close_elements(&call);
	return result;
}

#define OF_ARRAYS(name, figure) \
PG_FUNCTION_INFO_V1(name); \
\
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	return of_arrays(fcinfo, #name, figure); \
}

OF_ARRAYS(gpu_covar_pop, GS_FIGURE_COVAR_POP)
OF_ARRAYS(gpu_covar_samp, GS_FIGURE_COVAR_SAMP)
OF_ARRAYS(gpu_corr, GS_FIGURE_CORR)
OF_ARRAYS(gpu_regr_slope, GS_FIGURE_SLOPE)
OF_ARRAYS(gpu_regr_intercept, GS_FIGURE_INTERCEPT)
OF_ARRAYS(gpu_regr_r2, GS_FIGURE_R2)
