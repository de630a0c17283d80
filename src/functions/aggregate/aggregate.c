/*-------------------------------------------------------------------------
 *
 * aggregate.c
 *	  Support functions of aggregates over sums.
 *
 * Transition functions add a row's value to a state, inverse transition
 * functions remove it, and gpu_state_merge adds another state.  Called by an
 * aggregate, they change the state in place; otherwise they change a copy.
 * They keep nothing outside of the state, so it can be sent to other processes
 * and servers. Final functions only read the state.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "nodes/nodes.h"

#include "exact/exact.h"
#include "state/state.h"

static gs_state *
state_argument(FunctionCallInfo fcinfo, int i)
{
	Pointer		p = DatumGetPointer(PG_GETARG_DATUM(i));

	return (gs_state *) (VARATT_IS_EXTENDED(p) ?
						 (Pointer) PG_DETOAST_DATUM(PG_GETARG_DATUM(i)) : p);
}

/* Like AggCheckCallContext: may the first argument be changed in place? */
static inline bool
in_aggregate(FunctionCallInfo fcinfo)
{
	const Node *context = fcinfo->context;

	return context != NULL &&
		(IsA(context, AggState) || IsA(context, WindowAggState));
}

/*
 * The first argument, to be modified: in place in an aggregate, else a copy.
 */
static inline gs_state *
state_to_change(FunctionCallInfo fcinfo)
{
	gs_state   *s = state_argument(fcinfo, 0);
	gs_state   *copy;

	if (likely(in_aggregate(fcinfo)))
		return s;
	copy = palloc(VARSIZE(s));
	memcpy(copy, s, VARSIZE(s));
	return copy;
}

static pg_noinline void
wrong_kind(void)
{
	ereport(ERROR,
			errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			errmsg("the function does not accept this kind of state"));
}

/* States of integers and of pairs do not accept doubles. */
static inline bool
accepts_doubles(const gs_state *s)
{
	return !gs_state_is_integer(s->kind) && s->kind != GS_STATE_PAIRS;
}

static pg_noinline Datum
add_double(FunctionCallInfo fcinfo, double x)
{
	gs_state   *s = state_to_change(fcinfo);

	if (unlikely(!accepts_doubles(s)))
		wrong_kind();
	PG_RETURN_POINTER(gs_state_add_double(s, x));
}

/*
 * Check the state after a removal.  A window frame removes only what it has
 * added, so there only checks that cost nothing are made.
 */
static inline gs_state *
after_removal(FunctionCallInfo fcinfo, gs_state *s)
{
	bool		in_window =
		AggCheckCallContext(fcinfo, NULL) == AGG_CONTEXT_WINDOW;

	if (unlikely(!in_window || s->has_specials || s->n == 0))
		gs_state_check_removal(s, !in_window);
	return s;
}

static Datum
remove_double(FunctionCallInfo fcinfo, double x)
{
	gs_state   *s = state_to_change(fcinfo);

	/* a minimum or maximum cannot be removed */
	if (unlikely(!accepts_doubles(s) || s->kind == GS_STATE_STATS))
		wrong_kind();
	PG_RETURN_POINTER(after_removal(fcinfo, gs_state_remove_double(s, x)));
}

static pg_noinline Datum
add_integer(FunctionCallInfo fcinfo, int64 x)
{
	gs_state   *s = state_to_change(fcinfo);

	if (unlikely(!gs_state_is_integer(s->kind) && s->kind != GS_STATE_STATS))
		wrong_kind();
	PG_RETURN_POINTER(gs_state_add_integer(s, x));
}

static Datum
remove_integer(FunctionCallInfo fcinfo, int64 x)
{
	gs_state   *s = state_to_change(fcinfo);

	if (unlikely(!gs_state_is_integer(s->kind)))
		wrong_kind();
	PG_RETURN_POINTER(after_removal(fcinfo, gs_state_remove_integer(s, x)));
}

/*
 * Add to a state, with an inlined fast path for nearly every row of an
 * aggregate: otherwise calls and checks would be half of the work.
 */
static inline Datum
add_double_to_state(FunctionCallInfo fcinfo, double x)
{
	gs_state   *s = (gs_state *) PG_GETARG_POINTER(0);

	if (likely(in_aggregate(fcinfo) && !VARATT_IS_EXTENDED(s)))
	{
		if (s->kind == GS_STATE_REALS && likely(gs_state_add_real(s, x)))
			PG_RETURN_POINTER(s);
		if (s->kind == GS_STATE_MOMENTS)
			PG_RETURN_POINTER(gs_state_add_double(s, x));
	}
	return add_double(fcinfo, x);
}

static inline Datum
add_integer_to_state(FunctionCallInfo fcinfo, int64 x)
{
	gs_state   *s = (gs_state *) PG_GETARG_POINTER(0);

	if (likely(in_aggregate(fcinfo) && !VARATT_IS_EXTENDED(s) &&
			   gs_state_is_integer(s->kind)))
		PG_RETURN_POINTER(gs_state_add_integer(s, x));
	return add_integer(fcinfo, x);
}

#define TRANSITION(function, step, argument) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return step(fcinfo, argument(1)); \
}

TRANSITION(gpu_state_add_int2, add_integer_to_state, PG_GETARG_INT16)
TRANSITION(gpu_state_add_int4, add_integer_to_state, PG_GETARG_INT32)
TRANSITION(gpu_state_add_int8, add_integer_to_state, PG_GETARG_INT64)
TRANSITION(gpu_state_add_float4, add_double_to_state, PG_GETARG_FLOAT4)
TRANSITION(gpu_state_add_float8, add_double_to_state, PG_GETARG_FLOAT8)
TRANSITION(gpu_state_remove_int2, remove_integer, PG_GETARG_INT16)
TRANSITION(gpu_state_remove_int4, remove_integer, PG_GETARG_INT32)
TRANSITION(gpu_state_remove_int8, remove_integer, PG_GETARG_INT64)
TRANSITION(gpu_state_remove_float4, remove_double, PG_GETARG_FLOAT4)
TRANSITION(gpu_state_remove_float8, remove_double, PG_GETARG_FLOAT8)

/* gpu_state_add_pair(gpu_state, y, x), and the same for removal */
#define PAIR_TRANSITION(function, step, after) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	gs_state   *s = state_to_change(fcinfo); \
\
	if (unlikely(s->kind != GS_STATE_PAIRS)) \
		wrong_kind(); \
	s = step(s, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2)); \
	PG_RETURN_POINTER(after(fcinfo, s)); \
}

#define UNCHECKED(fcinfo, s)	(s)

PAIR_TRANSITION(gpu_state_add_pair, gs_state_add_pair, UNCHECKED)
PAIR_TRANSITION(gpu_state_remove_pair, gs_state_remove_pair, after_removal)

PG_FUNCTION_INFO_V1(gpu_state_merge);

Datum
gpu_state_merge(PG_FUNCTION_ARGS)
{
	gs_state   *s = state_to_change(fcinfo);

	PG_RETURN_POINTER(gs_state_merge(s, state_argument(fcinfo, 1)));
}

/*
 * Final functions; NULL without elements, or with too few.  `integer`: of
 * states of integers.
 */
static Datum
result(FunctionCallInfo fcinfo, gs_figure f, bool integer)
{
	gs_state   *s = state_argument(fcinfo, 0);

	if ((s->kind == GS_STATE_PAIRS) != gs_figure_is_of_pairs(f) ||
		gs_state_is_integer(s->kind) != integer ||
		(gs_figure_has_squares(f) && !gs_state_has_squares(s->kind)))
		wrong_kind();
	return gs_state_result(s, f, &fcinfo->isnull);
}

#define FINAL(function, figure, integer) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	return result(fcinfo, figure, integer); \
}

FINAL(gpu_state_sum, GS_FIGURE_SUM, false)
FINAL(gpu_state_sum_real, GS_FIGURE_SUM_REAL, false)
FINAL(gpu_state_sum_bigint, GS_FIGURE_SUM_BIGINT, true)
FINAL(gpu_state_sum_numeric, GS_FIGURE_SUM, true)
FINAL(gpu_state_avg, GS_FIGURE_AVG, false)
FINAL(gpu_state_avg_numeric, GS_FIGURE_AVG, true)
FINAL(gpu_state_var_pop, GS_FIGURE_VAR_POP, false)
FINAL(gpu_state_var_samp, GS_FIGURE_VAR_SAMP, false)
FINAL(gpu_state_stddev_pop, GS_FIGURE_STDDEV_POP, false)
FINAL(gpu_state_stddev_samp, GS_FIGURE_STDDEV_SAMP, false)
FINAL(gpu_state_var_pop_numeric, GS_FIGURE_VAR_POP, true)
FINAL(gpu_state_var_samp_numeric, GS_FIGURE_VAR_SAMP, true)
FINAL(gpu_state_stddev_pop_numeric, GS_FIGURE_STDDEV_POP, true)
FINAL(gpu_state_stddev_samp_numeric, GS_FIGURE_STDDEV_SAMP, true)
FINAL(gpu_state_covar_pop, GS_FIGURE_COVAR_POP, false)
FINAL(gpu_state_covar_samp, GS_FIGURE_COVAR_SAMP, false)
FINAL(gpu_state_corr, GS_FIGURE_CORR, false)
FINAL(gpu_state_regr_slope, GS_FIGURE_SLOPE, false)
FINAL(gpu_state_regr_intercept, GS_FIGURE_INTERCEPT, false)
FINAL(gpu_state_regr_r2, GS_FIGURE_R2, false)
FINAL(gpu_state_weighted_avg, GS_FIGURE_WEIGHTED_AVG, false)

PG_FUNCTION_INFO_V1(gpu_state_count);

Datum
gpu_state_count(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(state_argument(fcinfo, 0)->n);
}

/*
 * The lesser and the greater of two floats: NaN is above all numbers, -0 just
 * below 0.  The final function makes NaN canonical, which it may not be if the
 * group has only one element.
 */
#define EXTREMES(suffix, type, TYPE) \
static inline bool \
is_below_##suffix(type a, type b) \
{ \
	if (a == 0 && b == 0) \
		return signbit(a) && !signbit(b); \
	return a < b || (b != b && a == a); \
} \
\
PG_FUNCTION_INFO_V1(gpu_lesser_##suffix); \
Datum \
gpu_lesser_##suffix(PG_FUNCTION_ARGS) \
{ \
	type		a = PG_GETARG_##TYPE(0); \
	type		b = PG_GETARG_##TYPE(1); \
\
	PG_RETURN_##TYPE(is_below_##suffix(b, a) ? b : a); \
} \
\
PG_FUNCTION_INFO_V1(gpu_greater_##suffix); \
Datum \
gpu_greater_##suffix(PG_FUNCTION_ARGS) \
{ \
	type		a = PG_GETARG_##TYPE(0); \
	type		b = PG_GETARG_##TYPE(1); \
\
	PG_RETURN_##TYPE(is_below_##suffix(a, b) ? b : a); \
} \
\
PG_FUNCTION_INFO_V1(gpu_canonical_##suffix); \
Datum \
gpu_canonical_##suffix(PG_FUNCTION_ARGS) \
{ \
	type		a = PG_GETARG_##TYPE(0); \
\
	PG_RETURN_##TYPE(a != a ? (type) gs_canonical_nan() : a); \
}

EXTREMES(float4, float, FLOAT4)
EXTREMES(float8, double, FLOAT8)
