/*-------------------------------------------------------------------------
 *
 * aggregate_result.c
 *	  From states of the engine to the results of SQL's aggregates.
 *
 * The same bits as the aggregates give when PostgreSQL runs them: compare
 * state/state_result.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "catalog/pg_type.h"

#include "call/call.h"
#include "call/numeric.h"
#include "engine/group_op.h"
#include "exact/exact.h"
#include "functions/reduce.h"
#include "report/aggregate_rules.h"
#include "report/aggregates.h"

/* A column of the groups' states. */
static const char *
states(const gs_report_groups *groups, int aggregate)
{
	return groups->base + groups->layout.column[GS_FETCH_STATE(aggregate)];
}

/* An exact sum of floats. */
static gs_limbs
float_sum(const gs_report_groups *groups, int aggregate, int64 i,
		  int64 *space)
{
	const gs_float_sum *sum =
	(const gs_float_sum *) states(groups, aggregate) + i;
	bool		squares = groups->plan->aggregate[aggregate].kind != GS_AGG_SUM;
	const char *wide = NULL;

	if (sum->wide > 0)
		wide = groups->wide[aggregate] +
			(sum->wide - 1 - groups->wide_first[aggregate]) *
			gs_fetch_width(groups->plan, GS_FETCH_WIDE(aggregate));
	return gs_float_sum_limbs(sum, squares, wide, space);
}

/* The outcome of a rounding as a result. */
static Datum
rounded(gs_rounding rounding, double value, bool *isnull)
{
	if (rounding == GS_OVERFLOW)
		gs_float_overflow();
	*isnull = rounding == GS_UNDEFINED;
	return *isnull ? (Datum) 0 : Float8GetDatum(value);
}

static Datum
float_result(const gs_report_aggregate *a, const gs_report_groups *groups, int64 i,
			 int64 count, bool *isnull)
{
	int64		sum_space[GS_FLOAT_SUM_LIMBS];
	int64		squares_space[GS_FLOAT_SUM_LIMBS];
	gs_limbs	sum;
	gs_limbs	squares;
	double		value = 0;
	bool		sample =
	a->rule == GS_RULE_VAR_SAMP || a->rule == GS_RULE_STDDEV_SAMP;
	gs_rounding rounding;

	sum = float_sum(groups, a->sum, i, sum_space);
	if (a->squares >= 0)
		squares = float_sum(groups, a->squares, i, squares_space);
	else
		squares = sum;
	switch (a->rule)
	{
		case GS_RULE_SUM:
			return gs_round_sum(a->type, sum);
		case GS_RULE_AVG:
			return gs_round_avg(sum, count);
		case GS_RULE_VAR_POP:
		case GS_RULE_VAR_SAMP:
			rounding = gs_limbs_variance(sum, squares, count, sample, &value);
			return rounded(rounding, value, isnull);
		default:
			rounding = gs_limbs_stddev(sum, squares, count, sample, &value);
			return rounded(rounding, value, isnull);
	}
}

static Datum
pair_result(const gs_report_aggregate *a, const gs_report_groups *groups, int64 i,
			int64 count, bool *isnull)
{
	int64		space[5][GS_FLOAT_SUM_LIMBS];
	gs_pair_sums s = {.n = count};
	double		value = 0;
	gs_rounding rounding;

	s.x = float_sum(groups, a->sum, i, space[0]);
	s.y = float_sum(groups, a->sum_y, i, space[1]);
	s.xx = float_sum(groups, a->squares, i, space[2]);
	s.yy = float_sum(groups, a->squares_y, i, space[3]);
	s.xy = float_sum(groups, a->products, i, space[4]);
	switch (a->rule)
	{
		case GS_RULE_COVAR_POP:
		case GS_RULE_COVAR_SAMP:
			rounding = gs_covariance(&s, a->rule == GS_RULE_COVAR_SAMP, &value);
			break;
		case GS_RULE_CORR:
			rounding = gs_correlation(&s, &value);
			break;
		case GS_RULE_SLOPE:
			rounding = gs_slope(&s, &value);
			break;
		case GS_RULE_INTERCEPT:
			rounding = gs_intercept(&s, &value);
			break;
		default:
			rounding = gs_determination(&s, &value);
			break;
	}
	return rounded(rounding, value, isnull);
}

/* sum() gives a bigint for integers that are smaller. */
static Datum
bigint_sum(const gs_integer_sum *sum)
{
	int64		low = (int64) sum->word[0];

	if ((int64) sum->word[1] != low >> 63)
		ereport(ERROR,
				errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				errmsg("bigint out of range"));
	return Int64GetDatum(low);
}

static Datum
integer_result(const gs_report_aggregate *a, const gs_report_groups *groups,
			   int64 i, int64 count, bool *isnull)
{
	const gs_integer_sum *sum =
	(const gs_integer_sum *) states(groups, a->sum) + i;
	const gs_integer_sum *squares;
	bool		sample =
	a->rule == GS_RULE_VAR_SAMP || a->rule == GS_RULE_STDDEV_SAMP;
	gs_result	result;

	if (a->rule == GS_RULE_SUM && a->result_type == INT8OID)
		return bigint_sum(sum);
	result.present = count;
	memcpy(result.isum, sum, sizeof result.isum);
	if (a->rule == GS_RULE_SUM)
		return gs_numeric_sum(&result);
	if (a->rule == GS_RULE_AVG)
		return gs_numeric_avg(&result);
	if (sample && count < 2)
	{
		*isnull = true;
		return (Datum) 0;
	}
	squares = (const gs_integer_sum *) states(groups, a->squares) + i;
	memcpy(result.isquares, squares, sizeof result.isquares);
	return gs_numeric_spread(&result, a->rule == GS_RULE_VAR_POP ||
							 a->rule == GS_RULE_VAR_SAMP ?
							 GS_VARIANCE : GS_STDDEV, sample);
}

Datum
gs_report_aggregate_result(const gs_report_aggregate *a,
						   const gs_report_groups *groups, int64 i, bool *isnull)
{
	int64		count = ((const int64 *) states(groups, a->count))[i];
	const gs_value *values;

	*isnull = false;
	if (a->rule == GS_RULE_COUNT)
		return Int64GetDatum(count);
	if (count == 0)
	{
		*isnull = true;
		return (Datum) 0;
	}
	if (a->rule == GS_RULE_VALUE)
	{
		values = (const gs_value *) states(groups, a->value);
		return gs_datum_from_value(a->type, &values[i]);
	}
	if (a->products >= 0)
		return pair_result(a, groups, i, count, isnull);
	if (a->type == GS_FLOAT4 || a->type == GS_FLOAT8)
		return float_result(a, groups, i, count, isnull);
	return integer_result(a, groups, i, count, isnull);
}

/* Is it 0 or -0?  *negative: which. */
static bool
is_zero(gs_type type, const gs_value *value, bool *negative)
{
	double		x = type == GS_FLOAT4 ? (double) value->f4 : value->f8;

	*negative = signbit(x) != 0;
	return x == 0;
}

/*
 * A least 0 is the only zero, and so is a greatest -0: the engine has 0 above
 * -0.
 */
static bool
zero_depends_on_order(const gs_report_aggregate *a,
					  const gs_report_groups *groups, int64 i)
{
	const gs_value *values = (const gs_value *) states(groups, a->value);
	const int64 *specials;
	bool		negative;

	if (!is_zero(a->type, &values[i], &negative))
		return false;
	if (a->specials < 0)
		return negative;
	specials = (const int64 *) states(groups, a->specials) + i * GS_SPECIALS;
	return !negative && specials[GS_SPECIAL_NEGATIVE_ZERO] > 0;
}

/* Has any group a -0 among its keys? */
static bool
key_depends_on_order(const gs_report_groups *groups, gs_operand key)
{
	const gs_plan *plan = groups->plan;
	const int64 *specials;

	for (int a = 0; a < plan->aggregates; a++)
	{
		if (plan->aggregate[a].kind != GS_AGG_SPECIALS ||
			plan->aggregate[a].a != key ||
			plan->aggregate[a].filter != GS_NOTHING)
			continue;
		specials = (const int64 *) states(groups, a);
		for (int64 i = 0; i < groups->n; i++)
		{
			if (specials[i * GS_SPECIALS + GS_SPECIAL_NEGATIVE_ZERO] > 0)
				return true;
		}
	}
	return false;
}

bool
gs_report_depends_on_order(const gs_report_aggregate *aggregates, int n,
						   const gs_report_groups *groups)
{
	for (int a = 0; a < n; a++)
	{
		const int64 *counts =
		(const int64 *) states(groups, aggregates[a].count);

		for (int64 i = 0; aggregates[a].any_zero && i < groups->n; i++)
		{
			if (counts[i] > 0 &&
				zero_depends_on_order(&aggregates[a], groups, i))
				return true;
		}
	}
	for (int k = 0; k < groups->plan->keys; k++)
	{
		if (key_depends_on_order(groups, groups->plan->key[k]))
			return true;
	}
	return false;
}

Datum
gs_report_key(const gs_report_groups *groups, int k, gs_type type, int64 i,
			  bool *isnull)
{
	const uint8_t *nulls = (const uint8_t *)
	(groups->base + groups->layout.column[GS_FETCH_NULLS]);
	const gs_value *values = (const gs_value *)
	(groups->base + groups->layout.column[GS_FETCH_KEY(k)]);

	*isnull = (nulls[i] >> k & 1) != 0;
	return *isnull ? (Datum) 0 : gs_datum_from_value(type, &values[i]);
}
