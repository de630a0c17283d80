/*-------------------------------------------------------------------------
 *
 * moving_test.c
 *	  Moving sums and means of floats from prefixes, as the kernels compute
 *	  them, against the CPU engine; moving standard deviations in integers,
 *	  against sums of each frame.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/moving.h"
#include "engine/moving_moments.h"
#include "unit.h"

#include <float.h>
#include <math.h>

#define MOST	200				/* elements */

typedef struct series
{
	gs_op		op;
	int64_t		n;
	int			base;
	double		v[MOST];
	uint32_t	before[MOST + 1];	/* values before each element */
	gs_wide		ahead[MOST];
	gs_last_seen seen[MOST];
} series;

static double
random_element(bool large, int64_t specials)
{
	static const double special[] = {
		__builtin_nan(""), __builtin_inf(), -__builtin_inf(), -0.0, -0.0, -0.0,
		0.0
	};

	if (one_in(specials))
		return special[random_below(sizeof special / sizeof *special)];
	return (double) (random_below(2001) - 1000) * (large ? DBL_MAX / 2048 : 1);
}

/* NULLs are stored as -0. */
static void
fill(series *s)
{
	bool		large = one_in(3);
	bool		nulls = one_in(2);
	int64_t		specials = one_in(4) ? 1 : 1 + random_below(30);
	gs_extent	e = GS_NO_EXTENT;

	s->n = 1 + random_below(MOST);
	s->before[0] = 0;
	for (int64_t i = 0; i < s->n; i++)
	{
		bool		null = nulls && one_in(3);

		s->v[i] = null ? -0.0 : random_element(large, specials);
		s->before[i + 1] = s->before[i] + !null;
		if (!gs_is_special(s->v[i]))
			gs_extent_add(&e, s->v[i]);
	}
	expect(gs_wide_fits(e, s->n, &s->base), "bits are close together");
	for (int64_t i = 0; i < s->n; i++)
	{
		s->ahead[i] = gs_wide_of(s->v[i], s->base);
		s->seen[i] = gs_last_seen_of(s->v[i], (uint32_t) i);
		if (i > 0)
		{
			s->ahead[i] = gs_wide_add(s->ahead[i - 1], s->ahead[i]);
			s->seen[i] = gs_last_seen_merge(s->seen[i - 1], s->seen[i]);
		}
	}
}

/* false if the result is out of range */
static bool
from_prefixes(const series *s, int64_t i, double *result)
{
	int64_t		first = i > s->op.preceding ? i - s->op.preceding : 0;
	int64_t		last = s->n - 1 - i < s->op.following ? s->n - 1 :
		i + s->op.following;
	uint32_t	n = s->before[last + 1] - s->before[first];
	gs_wide		sum = s->ahead[last];

	*result = 0;
	if (n == 0 ||
		gs_special_sum(gs_last_seen_since(s->seen[last], first), result))
		return true;
	if (first > 0)
		sum = gs_wide_subtract(sum, s->ahead[first - 1]);
	*result = s->op.kind == GS_MOVING_AVG ?
		gs_wide_mean(sum, s->base, n) : gs_wide_round(sum, s->base);
	return gs_is_finite(*result);
}

void
test_moving_prefixes(void)
{
	test_begin("moving sums from prefixes, with NaN, infinities and -0");
	for (int run = 0; run < 2000; run++)
	{
		series		s = {.op = {.kind = one_in(2) ? GS_MOVING_SUM :
		GS_MOVING_AVG, .type = GS_FLOAT8}};
		double		expected[MOST];
		int64_t		done;
		int64_t		same = 0;

		fill(&s);
		s.op.preceding = (int32_t) random_below(one_in(2) ? 4 : MOST);
		s.op.following = (int32_t) random_below(one_in(2) ? 4 : MOST);
		done = gs_moving_floats(&s.op, s.n, s.v, s.before, expected);
		while (same < s.n)
		{
			double		x;

			if (!from_prefixes(&s, same, &x) ||
				gs_double_bits(x) != gs_double_bits(expected[same]))
				break;
			same++;
		}
		expect(same == done, "run %d: %lld results, not %lld", run,
			   (long long) same, (long long) done);
	}
	test_end();
}

/* Small integers, decimals, or values of all bits within some binades. */
static double
random_value(int kind, int scale)
{
	double		x = kind == 0 ? (double) random_below(5) :
		kind == 1 ? (double) (random_below(2000001) - 1000000) / 100 :
		ldexp(random_uniform() - 0.5, (int) random_below(8));

	return ldexp(x, scale);
}

void
test_moving_moments(void)
{
	test_begin("moving standard deviations");
	for (int run = 0; run < 2000; run++)
	{
		const int	kind = (int) random_below(3);
		const int	scale = one_in(3) ? (int) random_below(1900) - 900 : 0;
		const int	preceding = (int) random_below(one_in(2) ? 4 : MOST);
		gs_moving_moments s = {0};
		gs_extent	e = GS_NO_EXTENT;
		double		v[MOST];

		for (int i = 0; i < MOST; i++)
		{
			v[i] = random_value(kind, scale);
			gs_extent_add(&e, v[i]);
		}
		if (!gs_wide_fits(e, MOST, &s.base))
		{
			expect(scale < -800, "bits are close together");
			continue;
		}
		for (int i = 0; i < MOST; i++)
		{
			gs_acc		sum;
			gs_acc2		squares;
			int			first = i < preceding ? 0 : i - preceding;
			double		wanted = 0;
			double		result = 0;
			gs_rounding rounding;
			gs_rounding wanted_rounding;

			gs_acc_init(&sum);
			gs_acc2_init(&squares);
			for (int k = first; k <= i; k++)
			{
				gs_acc_add(&sum, v[k]);
				gs_acc2_add_product(&squares, v[k], v[k]);
			}
			gs_moving_moments_change(&s, v[i], false);
			if (i > preceding)
				gs_moving_moments_change(&s, v[first - 1], true);
			rounding = gs_moving_moments_stddev(&s, &result);
			wanted_rounding = gs_stddev(&sum, &squares, i - first + 1, true,
										&wanted);
			expect(rounding == wanted_rounding &&
				   gs_double_bits(result) == gs_double_bits(wanted),
				   "%d values: %a (%d), not %a (%d)", i - first + 1, result,
				   rounding, wanted, wanted_rounding);
		}
	}
	test_end();
}
