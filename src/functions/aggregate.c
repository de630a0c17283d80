/*-------------------------------------------------------------------------
 *
 * aggregate.c
 *	  The functions that aggregates over sums are made of.
 *
 * Transition functions take a state and a row's value, inverse ones take it
 * away again, gpu_state_merge adds another state.  In an aggregate's memory
 * they change the state in place; called by anybody else, a copy.  They keep
 * nothing outside of the state, so that it can travel between processes and
 * servers.  Final functions only read.
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

/* As AggCheckCallContext: is the first argument the aggregate's to change? */
static inline bool
in_aggregate(FunctionCallInfo fcinfo)
{
	const Node *context = fcinfo->context;

	return context != NULL &&
		(IsA(context, AggState) || IsA(context, WindowAggState));
}

/* The first argument, for being changed. */
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
			errmsg("the state is not of the kind that the function takes"));
}

/* Sums of integers take integers, those of pairs pairs, others every number. */
static inline bool
takes_doubles(const gs_state *s)
{
	return !gs_state_is_integer(s->kind) && s->kind != GS_STATE_PAIRS;
}

static pg_noinline Datum
add_double(FunctionCallInfo fcinfo, double x)
{
	gs_state   *s = state_to_change(fcinfo);

	if (unlikely(!takes_doubles(s)))
		wrong_kind();
	PG_RETURN_POINTER(gs_state_add_double(s, x));
}

/*
 * What is left after a removal.  A window frame, which removes only what it has
 * added, is looked at as far as that costs nothing.
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

	/* a least or greatest cannot be taken away */
	if (unlikely(!takes_doubles(s) || s->kind == GS_STATE_STATS))
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
 * The same, but what nearly every row of an aggregate needs is here, in a
 * straight line: beside it calls and checks would be half of the work.
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

#define AS_IT_IS(fcinfo, s)	(s)

PAIR_TRANSITION(gpu_state_add_pair, gs_state_add_pair, AS_IT_IS)
PAIR_TRANSITION(gpu_state_remove_pair, gs_state_remove_pair, after_removal)

PG_FUNCTION_INFO_V1(gpu_state_merge);

Datum
gpu_state_merge(PG_FUNCTION_ARGS)
{
	gs_state   *s = state_to_change(fcinfo);

	PG_RETURN_POINTER(gs_state_merge(s, state_argument(fcinfo, 1)));
}

/*
 * What an aggregate gives of a state; NULL of no elements, or of too few.
 */
#define FINAL(function, final, integer, squares) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	gs_state   *s = state_argument(fcinfo, 0); \
\
	if (s->kind == GS_STATE_PAIRS || \
		gs_state_is_integer(s->kind) != integer || \
		(squares && !gs_state_has_squares(s->kind))) \
		wrong_kind(); \
	return final(s, &fcinfo->isnull); \
}

FINAL(gpu_state_sum, gs_state_sum_double, false, false)
FINAL(gpu_state_sum_real, gs_state_sum_real, false, false)
FINAL(gpu_state_sum_bigint, gs_state_sum_bigint, true, false)
FINAL(gpu_state_sum_numeric, gs_state_sum_numeric, true, false)
FINAL(gpu_state_avg, gs_state_avg_double, false, false)
FINAL(gpu_state_avg_numeric, gs_state_avg_numeric, true, false)
FINAL(gpu_state_var_pop, gs_state_var_pop, false, true)
FINAL(gpu_state_var_samp, gs_state_var_samp, false, true)
FINAL(gpu_state_stddev_pop, gs_state_stddev_pop, false, true)
FINAL(gpu_state_stddev_samp, gs_state_stddev_samp, false, true)
FINAL(gpu_state_var_pop_numeric, gs_state_var_pop, true, true)
FINAL(gpu_state_var_samp_numeric, gs_state_var_samp, true, true)
FINAL(gpu_state_stddev_pop_numeric, gs_state_stddev_pop, true, true)
FINAL(gpu_state_stddev_samp_numeric, gs_state_stddev_samp, true, true)

#define PAIR_FINAL(function, final) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	gs_state   *s = state_argument(fcinfo, 0); \
\
	if (s->kind != GS_STATE_PAIRS) \
		wrong_kind(); \
	return final(s, &fcinfo->isnull); \
}

PAIR_FINAL(gpu_state_covar_pop, gs_state_covar_pop)
PAIR_FINAL(gpu_state_covar_samp, gs_state_covar_samp)
PAIR_FINAL(gpu_state_corr, gs_state_corr)
PAIR_FINAL(gpu_state_regr_slope, gs_state_regr_slope)
PAIR_FINAL(gpu_state_regr_intercept, gs_state_regr_intercept)
PAIR_FINAL(gpu_state_regr_r2, gs_state_regr_r2)

PG_FUNCTION_INFO_V1(gpu_state_count);

Datum
gpu_state_count(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(state_argument(fcinfo, 0)->n);
}

/*
 * The lesser and the greater of two floats: NaN above all, -0 just below 0.
 * Only a state of no more than one element can be another NaN than the
 * canonical one, which is what the final function is for.
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
