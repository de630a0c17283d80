/*-------------------------------------------------------------------------
 *
 * state_result.c
 *	  Results of states as SQL types, for aggregates and window functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "call/call.h"
#include "call/numeric.h"
#include "state/state.h"

static Datum
null_result(bool *isnull)
{
	*isnull = true;
	return (Datum) 0;
}

/* The outcome of a rounding as a result. */
static Datum
rounded(gs_rounding rounding, const double *value, bool *isnull)
{
	if (rounding == GS_OVERFLOW)
		gs_float_overflow();
	if (rounding == GS_UNDEFINED)
		return null_result(isnull);
	return Float8GetDatum(*value);
}

Datum
gs_state_sum_double(const gs_state *s, bool *isnull)
{
	double		value = 0;
	gs_rounding rounding;

	if (s->n == 0)
		return null_result(isnull);
	rounding = gs_state_sum(s, &value);
	return rounded(rounding, &value, isnull);
}

Datum
gs_state_sum_real(const gs_state *s, bool *isnull)
{
	float		value = 0;

	if (s->n == 0)
		return null_result(isnull);
	if (gs_state_sum_float(s, &value) == GS_OVERFLOW)
		gs_float_overflow();
	return Float4GetDatum(value);
}

Datum
gs_state_avg_double(const gs_state *s, bool *isnull)
{
	double		value = 0;
	gs_rounding rounding = gs_state_mean(s, &value);

	return rounded(rounding, &value, isnull);
}

Datum
gs_state_sum_bigint(const gs_state *s, bool *isnull)
{
	int64		low = (int64) s->sum.integer[0];

	if (s->n == 0)
		return null_result(isnull);
	if ((int64) s->sum.integer[1] != low >> 63)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("bigint out of range"));
	return Int64GetDatum(low);
}

/* Sums of integers in the form of an engine's result, for numeric.c. */
static void
engine_result(const gs_state *s, gs_result *result)
{
	result->present = s->n;
	memcpy(result->isum, s->sum.integer, sizeof result->isum);
	if (s->kind == GS_STATE_INTEGER_MOMENTS)
		memcpy(result->isquares, s->tail, sizeof result->isquares);
}

Datum
gs_state_sum_numeric(const gs_state *s, bool *isnull)
{
	gs_result	result;

	if (s->n == 0)
		return null_result(isnull);
	engine_result(s, &result);
	return gs_numeric_sum(&result, 0);
}

Datum
gs_state_avg_numeric(const gs_state *s, bool *isnull)
{
	gs_result	result;

	if (s->n == 0)
		return null_result(isnull);
	engine_result(s, &result);
	return gs_numeric_avg(&result, 0);
}

static Datum
spread(const gs_state *s, gs_spread kind, bool sample, bool *isnull)
{
	double		value = 0;
	gs_rounding rounding;
	gs_result	result;

	if (s->n < (sample ? 2 : 1))
		return null_result(isnull);
	if (gs_state_is_integer(s->kind))
	{
		engine_result(s, &result);
		return gs_numeric_spread(&result, 0, kind, sample);
	}
	rounding = (kind == GS_STDDEV ? gs_state_stddev : gs_state_variance)
		(s, sample, &value);
	return rounded(rounding, &value, isnull);
}

Datum
gs_state_var_pop(const gs_state *s, bool *isnull)
{
	return spread(s, GS_VARIANCE, false, isnull);
}

Datum
gs_state_var_samp(const gs_state *s, bool *isnull)
{
	return spread(s, GS_VARIANCE, true, isnull);
}

Datum
gs_state_stddev_pop(const gs_state *s, bool *isnull)
{
	return spread(s, GS_STDDEV, false, isnull);
}

Datum
gs_state_stddev_samp(const gs_state *s, bool *isnull)
{
	return spread(s, GS_STDDEV, true, isnull);
}

static gs_rounding
population_covariance(const gs_pair_sums *s, double *result)
{
	return gs_covariance(s, false, result);
}

static gs_rounding
sample_covariance(const gs_pair_sums *s, double *result)
{
	return gs_covariance(s, true, result);
}

static Datum
pair_result(const gs_pair_sums *s,
			gs_rounding (*compute) (const gs_pair_sums *s, double *result),
			bool *isnull)
{
	double		value = 0;
	gs_rounding rounding = compute(s, &value);

	return rounded(rounding, &value, isnull);
}

#define PAIR_RESULT(name, compute) \
Datum \
gs_sums_##name(const gs_pair_sums *s, bool *isnull) \
{ \
	return pair_result(s, compute, isnull); \
} \
\
Datum \
gs_state_##name(const gs_state *s, bool *isnull) \
{ \
	gs_limbs_buffer buffer[GS_PAIR_WINDOWS]; \
	gs_pair_sums sums = gs_state_pair_sums(s, buffer); \
\
	return gs_sums_##name(&sums, isnull); \
}

PAIR_RESULT(covar_pop, population_covariance)
PAIR_RESULT(covar_samp, sample_covariance)
PAIR_RESULT(corr, gs_correlation)
PAIR_RESULT(regr_slope, gs_slope)
PAIR_RESULT(regr_intercept, gs_intercept)
PAIR_RESULT(regr_r2, gs_determination)

/* As sum(v * w) / sum(w), it is an error if weights sum to zero. */
Datum
gs_state_weighted_avg(const gs_state *s, bool *isnull)
{
	gs_limbs_buffer buffer[GS_PAIR_WINDOWS];
	gs_pair_sums sums = gs_state_pair_sums(s, buffer);
	Datum		result = pair_result(&sums, gs_weighted_mean, isnull);

	if (*isnull && s->n > 0)
		ereport(ERROR,
				errcode(ERRCODE_DIVISION_BY_ZERO),
				errmsg("the weights sum to zero"));
	return result;
}
