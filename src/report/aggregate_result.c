/*-------------------------------------------------------------------------
 *
 * aggregate_result.c
 *	  From states of the engine to the results of SQL's aggregates.
 *
 * They have the bits that the aggregates give when PostgreSQL runs them:
 * compare state/state_result.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "call/call.h"
#include "call/decimal.h"
#include "call/numeric.h"
#include "engine/group_op.h"
#include "exact/exact.h"
#include "functions/reduce.h"
#include "report/aggregate_rules.h"
#include "report/aggregates.h"
#include "state/state.h"

gs_limbs
gs_report_float_sum(const gs_report_groups *groups, int aggregate, int64 i,
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
static gs_report_outcome
rounded(gs_rounding rounding, double number, Datum *value)
{
	*value = Float8GetDatum(number);
	return rounding == GS_OVERFLOW ? GS_RESULT_OVERFLOW :
		rounding == GS_UNDEFINED ? GS_RESULT_NULL : GS_RESULT_VALUE;
}

static gs_report_outcome
rounded_sum(gs_type type, gs_limbs sum, Datum *value)
{
	double		number = 0;
	float		number4 = 0;
	gs_rounding rounding;

	if (type == GS_FLOAT8)
	{
		rounding = gs_limbs_round(sum, &number);
		return rounded(rounding, number, value);
	}
	rounding = gs_limbs_round_float(sum, &number4);
	*value = Float4GetDatum(number4);
	return rounding == GS_OVERFLOW ? GS_RESULT_OVERFLOW : GS_RESULT_VALUE;
}

static gs_report_outcome
float_result(const gs_report_aggregate *a, const gs_report_groups *groups, int64 i,
			 int64 count, Datum *value)
{
	int64		sum_space[GS_FLOAT_SUM_LIMBS];
	int64		squares_space[GS_FLOAT_SUM_LIMBS];
	gs_limbs	sum;
	gs_limbs	squares;
	double		number = 0;
	bool		sample =
	a->rule == GS_RULE_VAR_SAMP || a->rule == GS_RULE_STDDEV_SAMP;
	gs_rounding rounding;

	sum = gs_report_float_sum(groups, a->sum, i, sum_space);
	if (a->squares >= 0)
		squares = gs_report_float_sum(groups, a->squares, i, squares_space);
	else
		squares = sum;
	switch (a->rule)
	{
		case GS_RULE_SUM:
			return rounded_sum(a->type, sum, value);
		case GS_RULE_AVG:
			rounding = gs_limbs_mean(sum, count, &number);
			break;
		case GS_RULE_VAR_POP:
		case GS_RULE_VAR_SAMP:
			rounding = gs_limbs_variance(sum, squares, count, sample, &number);
			break;
		default:
			rounding = gs_limbs_stddev(sum, squares, count, sample, &number);
			break;
	}
	return rounded(rounding, number, value);
}

static gs_report_outcome
pair_result(const gs_report_aggregate *a, const gs_report_groups *groups, int64 i,
			int64 count, Datum *value)
{
	int64		space[5][GS_FLOAT_SUM_LIMBS];
	gs_pair_sums s = {.n = count};
	double		number = 0;
	gs_rounding rounding;

	s.x = gs_report_float_sum(groups, a->sum, i, space[0]);
	s.y = gs_report_float_sum(groups, a->sum_y, i, space[1]);
	s.xx = gs_report_float_sum(groups, a->squares, i, space[2]);
	s.yy = gs_report_float_sum(groups, a->squares_y, i, space[3]);
	s.xy = gs_report_float_sum(groups, a->products, i, space[4]);
	switch (a->rule)
	{
		case GS_RULE_COVAR_POP:
		case GS_RULE_COVAR_SAMP:
			rounding = gs_covariance(&s, a->rule == GS_RULE_COVAR_SAMP, &number);
			break;
		case GS_RULE_CORR:
			rounding = gs_correlation(&s, &number);
			break;
		case GS_RULE_SLOPE:
			rounding = gs_slope(&s, &number);
			break;
		case GS_RULE_INTERCEPT:
			rounding = gs_intercept(&s, &number);
			break;
		default:
			rounding = gs_determination(&s, &number);
			break;
	}
	return rounded(rounding, number, value);
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

/* An exact sum of integers as a numeric. */
static Datum
decimal_sum(const gs_report_groups *groups, int aggregate, int64 i, int scale)
{
	const gs_integer_sum *sum =
	(const gs_integer_sum *) states(groups, aggregate) + i;

	return gs_decimal_make(sum->word, lengthof(sum->word), scale);
}

/* The largest display scale of a group's values. */
static int
display_scale(const gs_report_groups *groups, int aggregate, int64 i)
{
	return ((const gs_value *) states(groups, aggregate))[i].i4;
}

/*
 * What it is at the display scale that PostgreSQL gives it, the largest one of
 * its addends, which is known only now.
 */
static Datum
displayed(Datum sum, int scale)
{
	return DirectFunctionCall2(numeric_round, sum, Int32GetDatum(scale));
}

/* Of integers and decimals. */
static gs_report_outcome
integer_result(const gs_report_aggregate *a, const gs_report_groups *groups,
			   int64 i, int64 count, Datum *value)
{
	int			scale = a->value_of.scale;
	bool		sample =
	a->rule == GS_RULE_VAR_SAMP || a->rule == GS_RULE_STDDEV_SAMP;
	Datum		sum;
	Datum		squares;

	if (a->result_type == INT8OID)
	{
		*value = bigint_sum((const gs_integer_sum *) states(groups, a->sum) + i);
		return GS_RESULT_VALUE;
	}
	if (a->result_type == INT8ARRAYOID)
	{
		/* the state of avg() */
		Datum		state[] = {
			Int64GetDatum(count),
			bigint_sum((const gs_integer_sum *) states(groups, a->sum) + i)
		};

		*value = PointerGetDatum(construct_array(state, lengthof(state), INT8OID,
												 sizeof(int64), FLOAT8PASSBYVAL,
												 TYPALIGN_DOUBLE));
		return GS_RESULT_VALUE;
	}
	if (sample && count < 2)
		return GS_RESULT_NULL;
	sum = decimal_sum(groups, a->sum, i, scale);
	if (a->display >= 0)
		sum = displayed(sum, display_scale(groups, a->display, i));
	*value = sum;
	if (a->rule == GS_RULE_SUM)
		return GS_RESULT_VALUE;
	if (a->rule == GS_RULE_AVG)
	{
		*value = gs_numeric_mean(sum, count);
		return GS_RESULT_VALUE;
	}
	squares = decimal_sum(groups, a->squares, i, 2 * scale);
	if (a->display >= 0)
		squares = displayed(squares, 2 * display_scale(groups, a->display, i));
	*value = gs_numeric_spread_of(sum, squares, count,
								  a->rule == GS_RULE_VAR_POP ||
								  a->rule == GS_RULE_VAR_SAMP ?
								  GS_VARIANCE : GS_STDDEV, sample);
	return GS_RESULT_VALUE;
}

static gs_report_outcome
result_of(const gs_report_aggregate *a, const gs_report_groups *groups, int64 i,
		  Datum *value)
{
	int64		count = ((const int64 *) states(groups, a->count))[i];

	*value = (Datum) 0;
	if (a->rule == GS_RULE_COUNT)
	{
		*value = Int64GetDatum(count);
		return GS_RESULT_VALUE;
	}
	if (a->state != 0 && (count > 0 || OidIsValid(a->output)))
	{
		*value = gs_report_state(a, groups, i, count);
		return GS_RESULT_VALUE;
	}
	if (count == 0)
		return GS_RESULT_NULL;
	if (a->rule == GS_RULE_VALUE)
	{
		*value = gs_report_datum(&a->value_of, (const gs_value *)
								 states(groups, a->value) + i);
		return GS_RESULT_VALUE;
	}
	if (gs_rule_has_parameters(a->rule))
		return gs_report_parameters_result(a, groups, i, count, value);
	if (a->products >= 0)
		return pair_result(a, groups, i, count, value);
	if (a->type == GS_FLOAT4 || a->type == GS_FLOAT8)
		return float_result(a, groups, i, count, value);
	return integer_result(a, groups, i, count, value);
}

gs_report_outcome
gs_report_aggregate_result(const gs_report_aggregate *a,
						   const gs_report_groups *groups, int64 i,
						   Datum *value)
{
	gs_report_outcome outcome = result_of(a, groups, i, value);

	if (OidIsValid(a->output) && outcome == GS_RESULT_VALUE)
		*value = CStringGetDatum(OidOutputFunctionCall(a->output, *value));
	return outcome;
}

/*
 * Round a sum that has no more than 96 bits and a sign, of numbers alone, as
 * that of most groups.  False: it is another one.
 */
static inline bool
round_short_sum(const gs_float_sum *sum, double *result)
{
	int			lowest = GS_ACC_LOWEST + 32 * sum->first;
	uint32		sign = (uint32) ((int32) sum->limb[GS_FLOAT_SUM_LIMBS - 1] >> 31);
	uint32		other = (sum->seen ^ GS_SEEN_NOT_NEGATIVE_ZERO) |
		(uint32) sum->wide;
	unsigned __int128 bits;
	uint64		scale_bits;
	double		scale;

	for (int i = 3; i < GS_FLOAT_SUM_LIMBS; i++)
		other |= sum->limb[i] ^ sign;
	if (other != 0 || lowest < DBL_MIN_EXP - 1 || lowest > DBL_MAX_EXP - 98)
		return false;
	bits = (unsigned __int128) ((uint64) sign << 32 | sum->limb[2]) << 64 |
		((uint64) sum->limb[1] << 32 | sum->limb[0]);
	scale_bits = (uint64) (lowest + DBL_MAX_EXP - 1) << (DBL_MANT_DIG - 1);
	memcpy(&scale, &scale_bits, sizeof scale);

	/* the conversion rounds, and the product is exact, since it is normal */
	*result = (double) (__int128) bits * scale;
	return true;
}

void
gs_report_aggregate_results(const gs_report_aggregate *a,
							const gs_report_groups *groups, Datum *values,
							uint8 *outcomes)
{
	bool		sums = a->rule == GS_RULE_SUM && a->type == GS_FLOAT8 &&
		a->state == 0;
	const int64 *count = (const int64 *) states(groups, a->count);
	const gs_float_sum *sum = sums ?
		(const gs_float_sum *) states(groups, a->sum) : NULL;
	double		number;

	for (int64 i = 0; i < groups->n; i++)
	{
		if (sums && count[i] > 0 && round_short_sum(&sum[i], &number))
		{
			values[i] = Float8GetDatum(number);
			outcomes[i] = GS_RESULT_VALUE;
		}
		else
			outcomes[i] = gs_report_aggregate_result(a, groups, i, &values[i]);
	}
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
	const gs_value *values;
	const int64 *specials;
	bool		negative;

	if (gs_rule_has_parameters(a->rule))
		return gs_report_percentile_is_zero(a, groups, i);
	values = (const gs_value *) states(groups, a->value);
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

/* Key k of group i; NULL if it is. */
static const gs_value *
key_at(const gs_report_groups *groups, int k, int64 i)
{
	const uint8 *nulls = (const uint8 *)
	(groups->base + groups->layout.column[GS_FETCH_NULLS]);
	const gs_value *keys = (const gs_value *)
	(groups->base + groups->layout.column[GS_FETCH_KEY(k)]);

	return (nulls[i] >> k & 1) != 0 ? NULL : &keys[i];
}

gs_report_outcome
gs_report_key(const gs_report_groups *groups, int k,
			  const gs_report_value *key, int64 i, Datum *value)
{
	const gs_value *v = key_at(groups, k, i);

	*value = v == NULL ? (Datum) 0 : gs_report_datum(key, v);
	return v == NULL ? GS_RESULT_NULL : GS_RESULT_VALUE;
}

int32
gs_report_greatest_code(const gs_report_groups *groups, int k)
{
	int32		most = -1;

	for (int64 i = 0; i < groups->n; i++)
	{
		const gs_value *v = key_at(groups, k, i);

		if (v != NULL)
			most = Max(most, v->i4 < 0 ? INT32_MAX : v->i4);
	}
	return most;
}

void
gs_report_keys(const gs_report_groups *groups, int k,
			   const gs_report_value *key, Datum *values, uint8 *outcomes)
{
	for (int64 i = 0; i < groups->n; i++)
		outcomes[i] = gs_report_key(groups, k, key, i, &values[i]);
}
