/*-------------------------------------------------------------------------
 *
 * plan_state.c
 *	  The states of aggregates, from lists of values; see plan_reference.h.
 *
 * Sums are whole numbers of 4608 bits, to which each addend is added with its
 * carries.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test/common/compare.h"

bool
plan_is_squares(const gs_plan *plan, int aggregate)
{
	int			kind = plan->aggregate[aggregate].kind;

	return kind == GS_AGG_SQUARES || kind == GS_AGG_PRODUCTS;
}

bool
plan_is_float_sum(const gs_plan *plan, int aggregate)
{
	const gs_aggregate *agg = &plan->aggregate[aggregate];

	return (agg->kind == GS_AGG_SUM || plan_is_squares(plan, aggregate)) &&
		is_float(plan_type(plan, agg->a));
}

/* Bytes of a value in memory. */
static size_t
row_width(gs_type type)
{
	switch (type)
	{
		case GS_BOOL:
			return 1;
		case GS_INT2:
			return 2;
		case GS_INT4:
		case GS_FLOAT4:
			return 4;
		default:
			return 8;
	}
}

gs_value
plan_row_value(gs_type type, const void *from)
{
	gs_value	v = {.i8 = 0};

	if (type == GS_BOOL)
		v.i2 = *(const uint8_t *) from;
	else
		memcpy(&v, from, row_width(type));
	return v;
}

size_t
plan_state_size(const gs_plan *plan, int aggregate)
{
	const gs_aggregate *agg = &plan->aggregate[aggregate];

	switch (agg->kind)
	{
		case GS_AGG_COUNT:
		case GS_AGG_DISTINCT:
			return sizeof(int64_t);
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			return plan_is_float_sum(plan, aggregate) ?
				sizeof(gs_float_sum) : sizeof(gs_integer_sum);
		case GS_AGG_SPECIALS:
			return sizeof(int64_t) * GS_SPECIALS;
		case GS_AGG_HISTOGRAM:
			return sizeof(int64_t) * (agg->buckets + 3);
		case GS_AGG_PERCENTILE:
			return sizeof(gs_value) * 2;
		case GS_AGG_VALUE:
			return row_width(plan_type(plan, agg->a));
		default:
			return sizeof(gs_value);
	}
}

void
plan_big_add(plan_big *sum, const plan_big *addend)
{
	uint64_t	carry = 0;

	for (int i = 0; i < PLAN_BIG_WORDS; i++)
	{
		carry += (uint64_t) sum->word[i] + addend->word[i];
		sum->word[i] = (uint32_t) carry;
		carry >>= 32;
	}
}

/* Add m * 2^position, or subtract it. */
static void
big_add(plan_big *sum, unsigned __int128 m, int position, bool negative)
{
	int			at = position / 32;
	uint64_t	part[5];
	int64_t		carry = 0;

	/* m, shifted by less than 32, in words */
	for (int i = 0; i < 5; i++)
	{
		part[i] = (uint32_t) m;
		m >>= 32;
		part[i] <<= position % 32;
		if (i > 0)
		{
			part[i] += part[i - 1] >> 32;
			part[i - 1] &= 0xffffffff;
		}
	}
	for (int i = at; i < PLAN_BIG_WORDS && (i < at + 5 || carry != 0); i++)
	{
		int64_t		addend = i < at + 5 ? (int64_t) part[i - at] : 0;

		carry += (int64_t) sum->word[i] + (negative ? -addend : addend);
		sum->word[i] = (uint32_t) carry;
		carry >>= 32;
	}
}

/* A finite x is +- m * 2^exponent. */
static uint64_t
fraction_of(double x, int *exponent)
{
	double		f = frexp(fabs(x), exponent);

	*exponent -= 53;
	return (uint64_t) ldexp(f, 53);
}

/* Add x * y, a finite product of finite numbers, in units of 2^lowest. */
static void
big_add_product(plan_big *sum, double x, double y, int lowest)
{
	int			ex;
	int			ey;
	unsigned __int128 m = (unsigned __int128) fraction_of(x, &ex) *
		fraction_of(y, &ey);
	int			position = ex + ey - lowest;

	if (m == 0)
		return;
	/* numbers that are not normal have fewer bits */
	for (; position < 0; position++)
		m >>= 1;
	big_add(sum, m, position, signbit(x) != signbit(y));
}

/* What this addend was; the product's, if there are two factors. */
static uint32_t
seen_of(double x, double y)
{
	if (isnan(x) || isnan(y) || (isinf(x) && y == 0) || (x == 0 && isinf(y)))
		return GS_SEEN_NAN | GS_SEEN_NOT_NEGATIVE_ZERO;
	if (isinf(x) || isinf(y))
		return GS_SEEN_NOT_NEGATIVE_ZERO |
			(signbit(x) == signbit(y) ? GS_SEEN_POSITIVE_INF :
			 GS_SEEN_NEGATIVE_INF);
	if ((x == 0 || y == 0) && signbit(x) != signbit(y))
		return 0;
	return GS_SEEN_NOT_NEGATIVE_ZERO;
}

void
plan_sum_from_big(const plan_big *sum, uint32_t seen, bool squares,
				  gs_float_sum *state, plan_wide *wide, bool *is_wide)
{
	uint32_t	sign = sum->word[PLAN_BIG_WORDS - 1] >> 31 ? 0xffffffff : 0;
	int			limbs = squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	int64_t    *limb = squares ? wide->acc2.limb : wide->acc.limb;
	int			first = 0;

	memset(state, 0, sizeof *state);
	memset(wide, 0, sizeof *wide);
	*is_wide = false;
	state->seen = seen;
	while (first < PLAN_BIG_WORDS && sum->word[first] == 0)
		first++;
	if (first == PLAN_BIG_WORDS)
		return;
	/* the words behind must repeat the sign of the last limb */
	for (int i = first + GS_FLOAT_SUM_LIMBS; i < PLAN_BIG_WORDS; i++)
		*is_wide |= sum->word[i] != sign;
	if (first + GS_FLOAT_SUM_LIMBS <= PLAN_BIG_WORDS)
		*is_wide |= (sum->word[first + GS_FLOAT_SUM_LIMBS - 1] >> 31) !=
			(sign & 1);
	if (!*is_wide)
	{
		state->first = first;
		for (int i = 0; i < GS_FLOAT_SUM_LIMBS; i++)
			state->limb[i] = first + i < PLAN_BIG_WORDS ?
				sum->word[first + i] : sign;
		return;
	}
	if (squares)
		wide->acc2.seen = seen;
	else
		wide->acc.seen = seen;
	for (int i = 0; i < limbs; i++)
		limb[i] = sum->word[i];
	limb[limbs - 1] = (int64_t) (sum->word[limbs - 1] |
								 (uint64_t) sum->word[limbs] << 32);
}

void
plan_sum_to_big(const gs_float_sum *state, bool squares,
				const plan_wide *wide, plan_big *sum)
{
	int			limbs = squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS;
	uint32_t	sign = state->limb[GS_FLOAT_SUM_LIMBS - 1] >> 31 ?
		0xffffffff : 0;

	memset(sum, 0, sizeof *sum);
	if (state->wide > 0)
	{
		for (int i = 0; i < limbs; i++)
		{
			int64_t		limb = squares ? wide->acc2.limb[i] :
				wide->acc.limb[i];

			big_add(sum, limb < 0 ? -(unsigned __int128) limb :
					(unsigned __int128) limb, 32 * i, limb < 0);
		}
		return;
	}
	for (int i = 0; i < PLAN_BIG_WORDS; i++)
	{
		int			k = i - state->first;

		sum->word[i] = k < 0 ? 0 : k < GS_FLOAT_SUM_LIMBS ? state->limb[k] :
			sign;
	}
}

static bool
float_sum(int kind, gs_type type, const plan_values *values, void *state,
		  plan_wide *wide)
{
	bool		squares = kind != GS_AGG_SUM;
	int			lowest = squares ? 2 * -1074 : -1074;
	plan_big	sum;
	uint32_t	seen = 0;
	bool		is_wide;

	memset(&sum, 0, sizeof sum);
	for (int64_t i = 0; i < values->n; i++)
	{
		double		x = value_double(type, values->a[i]);
		double		y = kind == GS_AGG_SQUARES ? x : kind == GS_AGG_SUM ? 1 :
			value_double(type, values->b[i]);

		seen |= seen_of(x, y);
		if (isfinite(x) && isfinite(y))
			big_add_product(&sum, x, y, lowest);
	}
	plan_sum_from_big(&sum, seen, squares, state, wide, &is_wide);
	return is_wide;
}

static void
integer_sum(int kind, gs_type type, const plan_values *values, void *state)
{
	plan_big	sum;

	memset(&sum, 0, sizeof sum);
	for (int64_t i = 0; i < values->n; i++)
	{
		__int128	x = value_int(type, values->a[i]);

		if (kind == GS_AGG_SQUARES)
			x *= x;
		else if (kind == GS_AGG_PRODUCTS)
			x *= value_int(type, values->b[i]);
		big_add(&sum, x < 0 ? -(unsigned __int128) x : (unsigned __int128) x,
				0, x < 0);
	}
	memcpy(state, sum.word, sizeof(gs_integer_sum));
}

static _Thread_local gs_type order_type;

static int
order_total(const void *a, const void *b)
{
	return plan_compare_total(order_type, *(const gs_value *) a,
							  *(const gs_value *) b);
}

/* The values in ascending order, -0 as 0 if `zero`; the caller frees them. */
static gs_value *
sorted(gs_type type, const plan_values *values, bool zero)
{
	gs_value   *v = malloc(sizeof *v * (values->n + 1));

	for (int64_t i = 0; i < values->n; i++)
		v[i] = plan_canonical(type, values->a[i], zero);
	order_type = type;
	qsort(v, values->n, sizeof *v, order_total);
	return v;
}

static void
extreme(int kind, gs_type type, const plan_values *values, gs_value *best)
{
	for (int64_t i = 0; i < values->n; i++)
	{
		gs_value	v = plan_canonical(type, values->a[i], false);
		int			c = i > 0 ? plan_compare_total(type, v, *best) : 0;

		if (i == 0 || (kind == GS_AGG_MIN ? c < 0 : c > 0))
			*best = v;
	}
}

static void
bits(int kind, gs_type type, const plan_values *values, gs_value *result)
{
	for (int64_t i = 0; i < values->n; i++)
	{
		gs_value	v = plan_canonical(type, values->a[i], false);

		if (i == 0)
			*result = v;
		else if (kind == GS_AGG_BIT_AND)
			result->i8 &= v.i8;
		else if (kind == GS_AGG_BIT_OR)
			result->i8 |= v.i8;
		else
			result->i8 ^= v.i8;
	}
}

static void
specials(gs_type type, const plan_values *values, int64_t *count)
{
	for (int64_t i = 0; i < values->n; i++)
	{
		double		x = value_double(type, values->a[i]);

		if (isnan(x))
			count[GS_SPECIAL_NAN]++;
		else if (isinf(x))
			count[x > 0 ? GS_SPECIAL_POSITIVE_INF : GS_SPECIAL_NEGATIVE_INF]++;
		else if (x == 0 && signbit(x))
			count[GS_SPECIAL_NEGATIVE_ZERO]++;
	}
}

/* The server's width_bucket(float8, ...); the place among the counts. */
static int
bucket_of(const gs_aggregate *agg, double x)
{
	bool		up = agg->low < agg->high;
	volatile double d = up ? x - agg->low : agg->low - x;
	volatile double w = up ? agg->high - agg->low : agg->low - agg->high;
	volatile double t;

	if (isnan(x))
		return agg->buckets + 2;
	if (up ? x < agg->low : x > agg->low)
		return 0;
	if (up ? x >= agg->high : x <= agg->high)
		return agg->buckets + 1;
	if (agg->formula == GS_BUCKET_PRODUCT_FIRST)
	{
		t = agg->buckets * d;
		t = t / w;
		t = t + 1;
		return t < agg->buckets + 2.0 ? (int) t : agg->buckets + 1;
	}
	if (isinf(w))
	{
		d = fabs(x / 2 - agg->low / 2);
		w = fabs(agg->high / 2 - agg->low / 2);
	}
	t = d / w;
	t = agg->buckets * t;
	return t >= agg->buckets ? agg->buckets : (int) t + 1;
}

static void
histogram(const gs_aggregate *agg, gs_type type, const plan_values *values,
		  int64_t *count)
{
	for (int64_t i = 0; i < values->n; i++)
		count[bucket_of(agg, value_double(type, values->a[i]))]++;
}

static void
percentile(const gs_aggregate *agg, gs_type type, const plan_values *values,
		   gs_value *result)
{
	gs_value   *v = sorted(type, values, false);
	double		place = agg->fraction * (double) (values->n - 1);

	if (values->n > 0)
	{
		result[0] = v[(int64_t) floor(place)];
		result[1] = v[(int64_t) ceil(place)];
	}
	free(v);
}

static void
runs(int kind, gs_type type, const plan_values *values, void *state)
{
	gs_value   *v = sorted(type, values, true);
	int64_t		longest = 0;
	int64_t		distinct = 0;

	for (int64_t i = 0, end; i < values->n; i = end)
	{
		for (end = i; end < values->n &&
			 plan_compare_sql(type, v[i], v[end]) == 0;)
			end++;
		distinct++;
		if (end - i > longest && kind == GS_AGG_MODE)
		{
			longest = end - i;
			memcpy(state, &v[i], sizeof *v);
		}
	}
	if (kind == GS_AGG_DISTINCT)
		memcpy(state, &distinct, sizeof distinct);
	free(v);
}

bool
plan_state(const gs_plan *plan, int aggregate, const plan_values *values,
		   void *state, plan_wide *wide)
{
	const gs_aggregate *agg = &plan->aggregate[aggregate];
	gs_type		type = agg->a == GS_NOTHING ? GS_BOOL :
		plan_type(plan, agg->a);
	gs_value	value;

	memset(state, 0, plan_state_size(plan, aggregate));
	switch (agg->kind)
	{
		case GS_AGG_COUNT:
			memcpy(state, &values->n, sizeof values->n);
			break;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			if (is_float(type))
				return float_sum(agg->kind, type, values, state, wide);
			integer_sum(agg->kind, type, values, state);
			break;
		case GS_AGG_VALUE:
			if (values->n == 0)
				break;
			value = plan_canonical(type, values->a[0], false);
			if (type == GS_BOOL)
				*(uint8_t *) state = (uint8_t) value.i2;
			else
				memcpy(state, &value, row_width(type));
			break;
		case GS_AGG_MIN:
		case GS_AGG_MAX:
			extreme(agg->kind, type, values, state);
			break;
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
		case GS_AGG_BIT_XOR:
			bits(agg->kind, type, values, state);
			break;
		case GS_AGG_SPECIALS:
			specials(type, values, state);
			break;
		case GS_AGG_HISTOGRAM:
			histogram(agg, type, values, state);
			break;
		case GS_AGG_PERCENTILE:
			percentile(agg, type, values, state);
			break;
		default:
			runs(agg->kind, type, values, state);
	}
	return false;
}
