/*-------------------------------------------------------------------------
 *
 * moving_test.c
 *	  Moving sums and means of floats from prefixes, as the kernels compute
 *	  them, against the CPU engine.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/moving.h"
#include "unit.h"

#include <float.h>

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
