/*-------------------------------------------------------------------------
 *
 * plan_finish.c
 *	  The values that follow from the states of groups, by whole numbers of any
 *	  length; see plan_reference.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/percentile.h"
#include "exact/figures.h"
#include "test/common/compare.h"

/* Units below those of the sum, for quotients. */
#define FRACTION_WORDS	4
#define UNIT			(-1074 - 32 * FRACTION_WORDS)

static plan_cell
error_cell(void)
{
	plan_cell	cell = plan_null();

	cell.errors = GS_ERROR_RANGE;
	return cell;
}

static bool
bit_of(const plan_big *x, int i)
{
	return i >= 0 && (x->word[i / 32] >> i % 32 & 1) != 0;
}

/*
 * The absolute value of sum / n, in units of 2^UNIT; what is left behind these
 * makes the last bit odd.
 */
static bool
divide(const plan_big *sum, uint64_t n, plan_big *q)
{
	bool		negative = sum->word[PLAN_BIG_WORDS - 1] >> 31 != 0;
	uint64_t	carry = negative;
	unsigned __int128 rest = 0;

	memset(q, 0, sizeof *q);
	for (int i = 0; i + FRACTION_WORDS < PLAN_BIG_WORDS; i++)
	{
		carry += negative ? (uint32_t) ~sum->word[i] : sum->word[i];
		q->word[i + FRACTION_WORDS] = (uint32_t) carry;
		carry >>= 32;
	}
	for (int i = PLAN_BIG_WORDS - 1; i >= 0; i--)
	{
		rest = rest << 32 | q->word[i];
		q->word[i] = (uint32_t) (rest / n);
		rest %= n;
	}
	if (rest != 0)
		q->word[0] |= 1;
	return negative;
}

/* To so many bits, of which the lowest is of 2^lowest or more; ties to even. */
static double
round_to(const plan_big *x, int bits, int lowest)
{
	int			top = 32 * PLAN_BIG_WORDS - 1;
	int			last;
	uint64_t	kept = 0;
	bool		sticky = false;

	while (top >= 0 && !bit_of(x, top))
		top--;
	last = top - bits + 1;
	if (last + UNIT < lowest)
		last = lowest - UNIT;
	for (int i = top; i >= last; i--)
		kept = kept << 1 | bit_of(x, i);
	for (int i = 0; i < last - 1; i++)
		sticky |= bit_of(x, i);
	if (bit_of(x, last - 1) && (sticky || (kept & 1) != 0))
		kept++;
	return ldexp((double) kept, last + UNIT);
}

static plan_cell
float_cell(gs_type type, double x)
{
	plan_cell	cell = plan_null();

	cell.null = false;
	if (type == GS_FLOAT4)
		cell.v.f4 = (float) x;
	else
		cell.v.f8 = x;
	return cell;
}

/* A sum or an average. */
static plan_cell
quotient(const gs_float_sum *state, const plan_wide *wide, uint64_t n,
		 gs_type type)
{
	const uint32_t both = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;
	plan_big	sum;
	plan_big	q;
	bool		negative;
	double		x;

	if ((state->seen & GS_SEEN_NAN) || (state->seen & both) == both)
		return float_cell(type, NAN);
	if (state->seen & both)
		return float_cell(type, state->seen & GS_SEEN_POSITIVE_INF ?
						  INFINITY : -INFINITY);
	plan_sum_to_big(state, false, wide, &sum);
	negative = divide(&sum, n, &q);
	x = type == GS_FLOAT4 ? round_to(&q, FLT_MANT_DIG, -149) :
		round_to(&q, DBL_MANT_DIG, -1074);
	if (x > (type == GS_FLOAT4 ? (double) FLT_MAX : DBL_MAX))
		return error_cell();
	if (x == 0)
		negative |= (state->seen & GS_SEEN_NOT_NEGATIVE_ZERO) == 0;
	return float_cell(type, negative ? -x : x);
}

static const plan_wide *
wide_of(const plan_result *r, int aggregate, const gs_float_sum *state)
{
	return state->wide == 0 ? NULL : &r->wide[aggregate][state->wide - 1];
}

/* Other figures by the project's own arithmetic, which has tests of its own. */
static plan_cell
figure(const gs_plan *plan, const plan_result *r, const gs_finish *f,
	   int64_t group, int64_t n, gs_type type)
{
	const gs_float_sum *sum = (const gs_float_sum *) r->state[f->of] + group;
	int64_t		space[GS_FIGURE_SUMS][GS_FLOAT_SUM_LIMBS];
	int			aggregate[GS_FIGURE_SUMS];
	double		x = 0;
	gs_sums		sums = {.n = n};
	gs_limbs   *const limbs[] = {
		&sums.x, &sums.y, &sums.xx, &sums.yy, &sums.xy
	};
	gs_rounding rounding;

	if (f->figure == GS_FIGURE_SUM || f->figure == GS_FIGURE_SUM_REAL)
		return quotient(sum, wide_of(r, f->of, sum), 1, type);
	if (f->figure == GS_FIGURE_AVG)
		return quotient(sum, wide_of(r, f->of, sum), (uint64_t) n, type);
	gs_finish_sums(plan, f, aggregate);
	for (int k = 0; k < GS_FIGURE_SUMS; k++)
	{
		if (aggregate[k] < 0)
			continue;
		sum = (const gs_float_sum *) r->state[aggregate[k]] + group;
		*limbs[k] = gs_float_sum_limbs(sum, k >= GS_SUM_XX,
									   wide_of(r, aggregate[k], sum), space[k]);
	}
	rounding = gs_figure_real((gs_figure) f->figure, &sums, &x);
	return rounding == GS_ROUNDED ? float_cell(type, x) :
		rounding == GS_UNDEFINED ? plan_null() : error_cell();
}

static int64_t
integer_state(const plan_result *r, int aggregate, int64_t group)
{
	return ((const int64_t *) r->state[aggregate])[group];
}

static int64_t
negative_zeros(const plan_result *r, const gs_finish *f, int64_t group)
{
	return ((const int64_t *) r->state[f->specials])
		[group * GS_SPECIALS + GS_SPECIAL_NEGATIVE_ZERO];
}

static plan_cell
value_cell(const plan_result *r, const gs_finish *f, int64_t group,
		   gs_type type)
{
	plan_cell	cell = plan_null();
	double		x;

	cell.null = false;
	cell.v = ((const gs_value *) r->state[f->of])[group];
	if (!is_float(type) || !f->zeros)
		return cell;
	x = value_double(type, cell.v);
	if (x == 0 && (f->specials < 0 ? signbit(x) != 0 :
				   signbit(x) == 0 && negative_zeros(r, f, group) > 0))
		return error_cell();
	return cell;
}

static gs_pair
pair_of(gs_type type, gs_value v)
{
	return is_float(type) ? gs_percentile_float(value_double(type, v)) :
		gs_percentile_integer(value_int(type, v));
}

static plan_cell
percentile(const gs_plan *plan, const plan_result *r, const gs_finish *f,
		   int64_t group, int64_t n)
{
	const gs_aggregate *a = &plan->aggregate[f->of];
	const gs_value *pair = (const gs_value *) r->state[f->of] + 2 * group;
	gs_type		type = plan_type(plan, a->a);
	double		place = a->fraction * (double) (n - 1);
	double		part = place - floor(place);

	return float_cell(GS_FLOAT8,
					  gs_percentile_value(pair_of(type, pair[0]),
										  pair_of(type, pair[part != 0]), part));
}

plan_cell
plan_finish(const gs_plan *plan, const plan_result *r, const gs_finish *f,
			int64_t group)
{
	gs_type		type = gs_finish_type(plan, f);
	plan_cell	cell = plan_null();
	const uint64_t *word;
	int64_t		n;

	if (f->kind == GS_FINISH_KEY)
	{
		if (f->zeros && negative_zeros(r, f, group) > 0)
			return error_cell();
		cell.null = (r->nulls[group] >> f->of & 1) != 0;
		if (!cell.null)
			cell.v = r->key[f->of][group];
		return cell;
	}
	if (f->kind == GS_FINISH_ROW)
	{
		cell.null = (r->validity[f->of][group / 64] >> group % 64 & 1) == 0;
		if (!cell.null)
			cell.v = plan_row_value(type, r->state[f->of] + (size_t) group *
									plan_state_size(plan, f->of));
		return cell;
	}
	if (f->kind == GS_FINISH_COUNT)
	{
		cell.null = false;
		cell.v.i8 = integer_state(r, f->of, group);
		return cell;
	}
	n = integer_state(r, f->count, group);
	if (n == 0)
		return cell;
	if (f->kind == GS_FINISH_VALUE)
		return value_cell(r, f, group, type);
	if (f->kind == GS_FINISH_FIGURE)
		return figure(plan, r, f, group, n, type);
	if (f->kind == GS_FINISH_PERCENTILE)
		return percentile(plan, r, f, group, n);
	if (f->kind == GS_FINISH_ELEMENT)
	{
		/* the first with the fraction at or before it */
		const double fraction = plan->aggregate[f->of].fraction;
		int64_t		place = (int64_t) ceil(fraction * (double) n);

		place = place < 1 ? 1 : place;
		cell.null = false;
		cell.v = ((const gs_value *) r->state[f->of])
			[2 * group + (place - 1 > (int64_t) (fraction * (double) (n - 1)))];
		return cell;
	}
	word = ((const gs_integer_sum *) r->state[f->of])[group].word;
	if (word[1] != (word[0] >> 63 ? UINT64_MAX : 0) || word[2] != word[1])
		return error_cell();
	cell.null = false;
	cell.v.i8 = (int64_t) word[0];
	return cell;
}
