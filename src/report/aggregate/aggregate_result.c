/*-------------------------------------------------------------------------
 *
 * aggregate_result.c
 *	  From states of the engine to the results of SQL's aggregates.
 *
 * They have the bits that the aggregates give when PostgreSQL runs them:
 * compare call/figures.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "call/figures.h"
#include "engine/finish.h"
#include "engine/group_op.h"
#include "report/aggregate/aggregate_rules.h"
#include "report/aggregate/aggregates.h"
#include "report/translate/scales.h"
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

gs_sums
gs_report_sums(const gs_report_aggregate *a, const gs_report_groups *groups,
			   int64 i, int64 count, int64 (*space)[GS_FLOAT_SUM_LIMBS])
{
	gs_sums		s = {.n = count};
	const gs_integer_sum *sum;
	const gs_integer_sum *squares;

	if (gs_is_float(a->type))
	{
		s.x = gs_report_float_sum(groups, a->sum, i, space[0]);
		if (a->squares >= 0)
			s.xx = gs_report_float_sum(groups, a->squares, i, space[1]);
		if (a->sum_y >= 0)
			s.y = gs_report_float_sum(groups, a->sum_y, i, space[2]);
		if (a->squares_y >= 0)
			s.yy = gs_report_float_sum(groups, a->squares_y, i, space[3]);
		if (a->products >= 0)
			s.xy = gs_report_float_sum(groups, a->products, i, space[4]);
		return s;
	}
	sum = (const gs_integer_sum *) states(groups, a->sum) + i;
	if (a->offset != 0)
	{
		gs_report_shift(a, sum, count, (gs_integer_sum *) space[0]);
		sum = (const gs_integer_sum *) space[0];
	}
	squares = a->squares < 0 ? sum :
		(const gs_integer_sum *) states(groups, a->squares) + i;
	s = gs_sums_of_integers(count, sum->word, lengthof(sum->word),
							squares->word, a->value_of.scale);

	/* it is the largest one of the group's values, and known only now */
	if (a->display >= 0)
		s.display = ((const gs_value *) states(groups, a->display))[i].i4;
	return s;
}

/* PostgreSQL's state of avg(), of small integers. */
static Datum
average_state(const gs_sums *s)
{
	bool		isnull;
	Datum		state[] = {
		Int64GetDatum(s->n),
		gs_figure_result(GS_FIGURE_SUM_BIGINT, s, &isnull)
	};

	return PointerGetDatum(construct_array(state, lengthof(state), INT8OID,
										   sizeof(int64), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

static gs_rounding
figure_result(const gs_report_aggregate *a, const gs_report_groups *groups,
			  int64 i, int64 count, Datum *value)
{
	int64		space[5][GS_FLOAT_SUM_LIMBS];
	gs_sums		sums = gs_report_sums(a, groups, i, count, space);

	if (a->result_type != INT8ARRAYOID)
		return gs_figure_datum(a->figure, &sums, value);
	*value = average_state(&sums);
	return GS_ROUNDED;
}

/* One of the argument's values. */
static Datum
chosen_value(const gs_report_aggregate *a, const gs_value *state)
{
	gs_value	reversed;

	if (!a->descending)
		return gs_report_datum(&a->value_of, state);
	reversed = gs_report_reversed(a->type, *state);
	return gs_report_datum(&a->value_of, &reversed);
}

static gs_rounding
result_of(const gs_report_aggregate *a, const gs_report_groups *groups, int64 i,
		  Datum *value)
{
	int64		count = ((const int64 *) states(groups, a->count))[i];

	*value = (Datum) 0;
	if (a->rule == GS_RULE_COUNT)
		*value = Int64GetDatum(count);
	else if (a->state != 0 && (count > 0 || OidIsValid(a->output)))
		*value = gs_report_state(a, groups, i, count);
	else if (a->rule == GS_RULE_DESCRIPTION)
		return gs_report_description(a, groups, i, count, value);
	else if (count == 0)
		return GS_UNDEFINED;
	else if (a->rule == GS_RULE_VALUE)
		*value = chosen_value(a, (const gs_value *)
							  states(groups, a->value) + i);
	else if (a->rule == GS_RULE_INTERVAL)
		*value = gs_report_interval(a, groups, i, count);
	else if (gs_rule_has_parameters(a->rule))
		*value = gs_report_parameters_result(a, groups, i, count);
	else
		return figure_result(a, groups, i, count, value);
	return GS_ROUNDED;
}

gs_rounding
gs_report_aggregate_result(const gs_report_aggregate *a,
						   const gs_report_groups *groups, int64 i,
						   Datum *value)
{
	gs_rounding outcome = result_of(a, groups, i, value);

	if (OidIsValid(a->output) && outcome == GS_ROUNDED)
		*value = CStringGetDatum(OidOutputFunctionCall(a->output, *value));
	return outcome;
}

void
gs_report_aggregate_results(const gs_report_aggregate *a,
							const gs_report_groups *groups, Datum *values,
							uint8 *outcomes)
{
	bool		sums = a->rule == GS_RULE_FIGURE &&
		a->figure == GS_FIGURE_SUM && a->type == GS_FLOAT8 && a->state == 0;
	const int64 *count = (const int64 *) states(groups, a->count);
	const gs_float_sum *sum = sums ?
		(const gs_float_sum *) states(groups, a->sum) : NULL;
	double		number;

	if (a->rule == GS_RULE_COUNT && !OidIsValid(a->output))
	{
		for (int64 i = 0; i < groups->n; i++)
			values[i] = Int64GetDatum(count[i]);
		memset(outcomes, GS_ROUNDED, groups->n);
		return;
	}
	for (int64 i = 0; i < groups->n; i++)
	{
		if (sums && count[i] > 0 && gs_round_short_sum(&sum[i], &number))
		{
			values[i] = Float8GetDatum(number);
			outcomes[i] = GS_ROUNDED;
		}
		else
			outcomes[i] = gs_report_aggregate_result(a, groups, i, &values[i]);
	}
}

bool
gs_report_has_state(const gs_report_aggregate *a, int state)
{
	const int	of[] = {
		a->count, a->value, a->sum, a->squares, a->display, a->sum_y,
		a->squares_y, a->products, a->specials, a->specials_y, a->greatest,
		a->rows
	};
	bool		has = false;

	for (int i = 0; i < (int) lengthof(of); i++)
		has |= of[i] == state;
	for (int i = 0; i < GS_INTERVAL_PARTS; i++)
		has |= a->part[i] == state;
	for (int i = 0; i < a->fractions; i++)
		has |= a->fraction[i].state == state;
	return has;
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

/* Has any group a NaN, which would have to be first? */
static bool
has_nan_first(const gs_report_aggregate *a, const gs_report_groups *groups)
{
	const int64 *specials;

	if (!a->descending || a->specials < 0)
		return false;
	specials = (const int64 *) states(groups, a->specials);
	for (int64 i = 0; i < groups->n; i++)
	{
		if (specials[i * GS_SPECIALS + GS_SPECIAL_NAN] > 0)
			return true;
	}
	return false;
}

const char *
gs_report_cannot_show(const gs_report_aggregate *aggregates, int n,
					  const gs_report_groups *groups)
{
	for (int a = 0; a < n; a++)
	{
		const int64 *counts =
		(const int64 *) states(groups, aggregates[a].count);

		if (gs_report_shift_overflows(&aggregates[a], groups) ||
			gs_report_interval_overflows(&aggregates[a], groups))
			return "an expression may raise an error";
		if (has_nan_first(&aggregates[a], groups))
			return "values in descending order have a NaN";
		for (int64 i = 0; aggregates[a].any_zero && i < groups->n; i++)
		{
			if (counts[i] > 0 &&
				zero_depends_on_order(&aggregates[a], groups, i))
				return GS_ORDER_DECIDES;
		}
	}
	for (int k = 0; k < groups->plan->keys; k++)
	{
		if (key_depends_on_order(groups, groups->plan->key[k]))
			return GS_ORDER_DECIDES;
	}
	return NULL;
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

gs_rounding
gs_report_key(const gs_report_groups *groups, const gs_report_value *key,
			  int64 i, Datum *value)
{
	const gs_value *v = key_at(groups, key->place, i);

	if (key->of_row != NULL && v != NULL)
		v = key->of_row_null[v->i4] ? NULL : &key->of_row[v->i4];
	*value = v == NULL ? (Datum) 0 : gs_report_datum(key, v);
	return v == NULL ? GS_UNDEFINED : GS_ROUNDED;
}

gs_rounding
gs_report_mean(const gs_report_groups *groups, const gs_report_value *sum,
			   int64 i, Datum *value)
{
	const gs_value *v = key_at(groups, sum->place, i);
	int64		count = ((const int64 *) states(groups, 0))[i];
	uint64		word;
	gs_sums		sums;

	*value = (Datum) 0;
	if (v == NULL)
		return GS_UNDEFINED;
	word = (uint64) v->i8;
	sums = gs_sums_of_integers(count, &word, 1, NULL, sum->scale);
	return gs_figure_datum(GS_FIGURE_AVG, &sums, value);
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

/* Loops without calls, of values that Datums have as they are. */
#define KEYS_AS(datum) \
	for (int64 i = 0; i < groups->n; i++) \
	{ \
		bool		null = (nulls[i] >> key->place & 1) != 0; \
\
		values[i] = null ? (Datum) 0 : (datum); \
		outcomes[i] = null ? GS_UNDEFINED : GS_ROUNDED; \
	}

void
gs_report_keys(const gs_report_groups *groups, const gs_report_value *key,
			   Datum *values, uint8 *outcomes)
{
	const uint8 *nulls = (const uint8 *)
	(groups->base + groups->layout.column[GS_FETCH_NULLS]);
	const gs_value *v = (const gs_value *)
	(groups->base + groups->layout.column[GS_FETCH_KEY(key->place)]);
	bool		plain = key->form == GS_FORM_VALUE && key->of_row == NULL;

	if (plain && key->type == GS_INT4)
		KEYS_AS(Int32GetDatum(v[i].i4))
	else if (plain && key->type == GS_INT8)
		KEYS_AS(Int64GetDatum(v[i].i8))
	else if (plain && key->type == GS_FLOAT8)
		KEYS_AS(Float8GetDatum(v[i].f8))
	else
	{
		for (int64 i = 0; i < groups->n; i++)
			outcomes[i] = gs_report_key(groups, key, i, &values[i]);
	}
}
