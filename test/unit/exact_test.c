/*-------------------------------------------------------------------------
 *
 * exact_test.c
 *	  Exact sums against MPFR: many small random arrays of all kinds of data.
 *
 * Each array and all of its prefixes are summed by the accumulator, element by
 * element and in parts, and by the engine; results derived from sums of
 * squares are computed too.  All results must have the oracle's bits.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "harness.h"
#include "oracle.h"

#include <math.h>

/* Arrays of each kind of data, for each of the two types. */
#define ARRAYS		700

static const gs_rounding rounded = GS_ROUNDED;

/* Mostly small; some go through several blocks of the engine. */
static int
random_size(void)
{
	switch (random_below(60))
	{
		case 0:
		case 5:
			return (int) random_below(3000);
		case 1:
			return 510 + (int) random_below(5);
		case 2:
		case 3:
		case 4:
			return (int) random_below(300);
		default:
			return (int) random_below(24);
	}
}

static bool
same_double(double a, double b)
{
	return gs_double_bits(a) == gs_double_bits(b);
}

static bool
same_float(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* Compare a rounding with the oracle's, which overflows to infinity. */
static void
expect_double(const char *what, gs_rounding rounding, double result,
			  double wanted, bool finite_only, int n)
{
	if (finite_only && isinf(wanted))
		expect(rounding == GS_OVERFLOW, "%s of %d: %a, not out of range",
			   what, n, result);
	else
		expect(rounding == GS_ROUNDED && same_double(result, wanted),
			   "%s of %d: %a (%d), not %a", what, n, result, rounding,
			   wanted);
}

static void
expect_float(const char *what, gs_rounding rounding, float result,
			 float wanted, bool finite_only, int n)
{
	if (finite_only && isinf(wanted))
		expect(rounding == GS_OVERFLOW, "%s of %d: %a, not out of range",
			   what, n, result);
	else
		expect(rounding == GS_ROUNDED && same_float(result, wanted),
			   "%s of %d: %a (%d), not %a", what, n, result, rounding,
			   wanted);
}

/* The sum in two accumulators, one after the other merged into the other. */
static void
test_accumulator(const double *v, int n, oracle_sum *s, bool finite)
{
	gs_acc		a;
	gs_acc		b;
	double		result = 0;
	float		result4 = 0;
	gs_rounding rounding;

	gs_acc_init(&a);
	gs_acc_init(&b);
	for (int i = 0; i < n; i++)
	{
		gs_acc_add(random_bits() & 1 ? &a : &b, v[i]);
		if (random_below(16) == 0)
			gs_acc_propagate(&a);
		if (random_below(64) == 0)
			a.additions = GS_ACC_ADDITIONS;
	}
	gs_acc_merge(&a, &b);
	rounding = gs_acc_round(&a, &result);
	expect_double("accumulated sum", rounding, result, oracle_round(s), finite,
				  n);
	rounding = gs_acc_round_float(&a, &result4);
	expect_float("accumulated sum as float", rounding, result4,
				 oracle_round_float(s), finite, n);
}

static void
test_moments(const test_array *a, oracle_sum *s, bool finite)
{
	gs_op		op = {.kind = random_bits() & 1 ? GS_MOMENTS : GS_STATS,
	.type = a->type};
	outcome		o = execute(&op, a, CUT_RANDOM);
	const gs_acc *sum = &o.result.sum;
	const gs_acc2 *squares = &o.result.squares;
	int			n = (int) a->n;
	double		result = 0;
	gs_rounding rounding;

	rounding = gs_acc_round(sum, &result);
	expect_double("sum", rounding, result, oracle_round(s), finite, n);
	rounding = gs_acc_mean(sum, n, &result);
	expect_double("mean", rounding, result, oracle_mean(s), finite, n);
	rounding = gs_acc2_sqrt(squares, &result);
	expect_double("norm", rounding, result, oracle_norm(s), finite, n);
	for (int sample = 0; sample < 2; sample++)
	{
		if (n <= sample)
		{
			expect(gs_variance(sum, squares, n, sample, &result) ==
				   GS_UNDEFINED, "variance of %d is defined", n);
			expect(gs_stddev(sum, squares, n, sample, &result) ==
				   GS_UNDEFINED, "stddev of %d is defined", n);
			continue;
		}
		rounding = gs_variance(sum, squares, n, sample, &result);
		expect_double("variance", rounding, result,
					  oracle_variance(s, sample), true, n);
		rounding = gs_stddev(sum, squares, n, sample, &result);
		expect_double("stddev", rounding, result, oracle_stddev(s, sample),
					  true, n);
	}
	outcome_free(&o);
}

/* Every prefix; the first that overflows must be reported. */
static void
test_prefixes(const test_array *a, oracle_sum *s)
{
	gs_op		op = {.kind = GS_SCAN_SUM, .type = a->type};
	outcome		o = execute(&op, a, CUT_RANDOM);
	int64_t		overflow = 0;

	oracle_reset(s);
	for (int64_t i = 0; i < a->n; i++)
	{
		double		wanted;
		bool		finite;

		oracle_add(s, value_double(a->type, a->v[i]));
		finite = !s->positive && !s->negative;
		wanted = a->type == GS_FLOAT4 ? oracle_round_float(s) :
			oracle_round(s);
		if (finite && isinf(wanted))
		{
			overflow = i + 1;
			break;
		}
		if (o.status == GS_OK)
			expect(same_double(value_double(a->type, o.out.v[i]), wanted),
				   "prefix %lld: %a, not %a", (long long) i + 1,
				   value_double(a->type, o.out.v[i]), wanted);
	}
	if (overflow > 0)
		expect(o.status == GS_FLOAT_OVERFLOW && o.position == overflow,
			   "status %d at %lld, not an overflow at %lld", o.status,
			   (long long) o.position, (long long) overflow);
	else
		expect(o.status == GS_OK && o.out.n == a->n, "status %d, %lld results",
			   o.status, (long long) o.out.n);
	outcome_free(&o);
}

static void
test_array_of(data_kind kind, gs_type type, oracle_sum *s)
{
	int			n = random_size();
	test_array	a = array_new(type, n);
	double	   *v = allocate(sizeof(double) * n);
	float	   *f = allocate(sizeof(float) * n);
	bool		finite;

	if (type == GS_FLOAT8)
		fill_double(v, n, kind);
	else
		fill_float(f, n, kind);
	oracle_reset(s);
	for (int i = 0; i < n; i++)
	{
		if (type == GS_FLOAT8)
			a.v[i].f8 = v[i];
		else
		{
			a.v[i].f4 = f[i];
			v[i] = f[i];
		}
		oracle_add(s, v[i]);
	}
	finite = !s->positive && !s->negative;
	if (n > 0)
	{
		double		again = oracle_mpfr_sum(v, n);

		expect(again == oracle_round(s) || (isnan(again) && s->nan) ||
			   (s->positive && s->negative), "MPFR disagrees with itself");
		test_accumulator(v, n, s, finite);
		test_moments(&a, s, finite);
	}
	test_prefixes(&a, s);
	array_free(&a);
	free(v);
	free(f);
}

/*
 * So many additions that carries must be propagated first, which random arrays
 * do not reach.  Here a limb is as full as it can be, and the next addition
 * would make it overflow.
 */
static void
test_many_additions(void)
{
	enum
	{
		LIMB = 34
	};
	const double unit = ldexp(1, 32 * LIMB + GS_ACC_LOWEST);
	const double wanted = 0x1p63 * unit;
	gs_acc		full;
	gs_acc		a;
	gs_acc		b;
	gs_acc2		a2;
	gs_acc2		b2;
	double		result;

	test_begin("limbs full to the brim");
	gs_acc_init(&full);
	full.seen = GS_SEEN_NOT_NEGATIVE_ZERO;
	full.additions = GS_ACC_ADDITIONS;
	full.limb[LIMB] = INT64_MAX - 1;
	gs_acc_init(&b);
	gs_acc_add(&b, 4 * unit);
	a = full;
	gs_acc_merge(&a, &b);
	expect(gs_acc_round(&a, &result) == rounded && result == wanted,
		   "merged: %a", result);
	expect(a.additions < 4, "%d additions", a.additions);
	a = full;
	for (int i = 0; i < 500; i++)
		gs_cpu_sum_float8(&a, &(double) {unit}, 1);
	expect(gs_acc_round(&a, &result) == rounded && result == wanted,
		   "summed: %a", result);

	gs_acc2_init(&a2);
	a2.seen = GS_SEEN_NOT_NEGATIVE_ZERO;
	a2.additions = GS_ACC_ADDITIONS;
	a2.limb[2 * LIMB] = INT64_MAX - 1;
	gs_acc2_init(&b2);
	gs_acc2_add_product(&b2, 4 * unit, unit);
	gs_acc2_merge(&a2, &b2);
	expect(gs_acc2_round(&a2, &result) == rounded && result == wanted * unit,
		   "merged products: %a", result);
	test_end();
}

/*
 * Squares whose sum is a tie except for one that is far too small for a
 * double: the fast path must not lose it.
 */
static void
test_tiny_squares(void)
{
	enum
	{
		N = 1200
	};
	double		v[N];

	test_begin("tiny squares");
	for (int i = 0; i < 300; i++)
	{
		int			n = 8 + (int) random_below(N - 8);
		double		result = 0;
		gs_acc2		a;

		memset(v, 0, sizeof v);
		v[0] = 1;
		v[1] = v[2] = 0x1p-27;
		v[3 + random_below(n - 3)] =
			ldexp(1, -30 - (int) random_below(1045));
		gs_acc2_init(&a);
		gs_cpu_squares_float8(&a, v, n);
		expect(gs_acc2_round(&a, &result) == rounded &&
			   result == 1 + DBL_EPSILON, "sum of %d squares: %a", n, result);
	}
	test_end();
}

/* Rounded to odd and then to float, as the sum itself rounded to float. */
static void
test_round_to_odd(void)
{
	mpfr_t		sum;

	test_begin("rounding to odd");
	mpfr_init2(sum, 2200);
	for (int i = 0; i < 50000; i++)
	{
		gs_pair		x;
		float		result;
		float		wanted;

		/* often a tie, with something far below */
		x.hi = (float) random_normal();
		if (random_below(3) > 0)
			x.hi += ldexp(random_normal() < 0 ? -1 : 1,
						  ilogb(x.hi) - 24);
		x.lo = ldexp(random_normal(), -20 - (int) random_below(120));
		if (random_below(10) == 0)
			x.lo = 0;
		if (random_below(10) == 0)
			x.hi = -x.lo;
		mpfr_set_d(sum, x.hi, MPFR_RNDN);
		mpfr_add_d(sum, sum, x.lo, MPFR_RNDN);
		wanted = mpfr_zero_p(sum) ? (float) (x.hi + x.lo) :
			mpfr_get_flt(sum, MPFR_RNDN);
		result = (float) gs_round_to_odd(x);
		expect(same_float(result, wanted), "%a + %a: %a, not %a", x.hi, x.lo,
			   result, wanted);
	}
	mpfr_clear(sum);
	test_end();
}

/* Sums of products of different factors: dot products. */
static void
test_dot(void)
{
	test_begin("dot products");
	for (int array = 0; array < 500; array++)
	{
		int			n = 1 + (int) random_below(30);
		double		x[30];
		double		y[30];
		double		result = 0;
		double		wanted;
		gs_acc2		a;
		mpfr_t		sum;
		mpfr_t		product;
		gs_rounding rounding;

		fill_double(x, n, array % 2 ? DATA_MIXED : DATA_CANCEL);
		fill_double(y, n, array % 3 ? DATA_NORMAL : DATA_SUBNORMAL);
		gs_acc2_init(&a);
		mpfr_init2(sum, 4400);
		mpfr_init2(product, 106);
		mpfr_set_zero(sum, 1);
		for (int i = 0; i < n; i++)
		{
			gs_acc2_add_product(&a, x[i], y[i]);
			mpfr_set_d(product, x[i], MPFR_RNDN);
			mpfr_mul_d(product, product, y[i], MPFR_RNDN);
			mpfr_add(sum, sum, product, MPFR_RNDN);
		}
		wanted = mpfr_get_d(sum, MPFR_RNDN);
		rounding = gs_acc2_round(&a, &result);
		expect_double("dot product", rounding, result, wanted, true, n);
		mpfr_clear(sum);
		mpfr_clear(product);
	}
	test_end();
}

/*
 * Norms at a tie: of 3 k and 4 k the norm is 5 k, which may have 54 bits.  And
 * norms next to a tie, by a square that may be arbitrarily small.  Over the
 * whole range of double.
 */
static void
test_norm_ties(void)
{
	mpfr_t		squares;
	mpfr_t		root;
	mpfr_t		d;

	test_begin("norms near ties");
	mpfr_init2(squares, 4400);
	mpfr_init2(root, 400);
	mpfr_init2(d, 53);
	for (int i = 0; i < 20000; i++)
	{
		int64_t		k = (INT64_C(1) << 51) + 1 +
			2 * (int64_t) random_below(INT64_C(375000000000000));
		int			e = -1074 + (int) random_below(2040);
		double		x[3];
		double		result = 0;
		double		wanted;
		gs_acc2		a;
		gs_rounding rounding;

		x[0] = ldexp((double) (3 * k), e);
		x[1] = ldexp((double) (4 * k), e);
		x[2] = ldexp((double) random_below(3),
					 -1074 + (int) random_below(e + 1075));
		gs_acc2_init(&a);
		mpfr_set_zero(squares, 1);
		for (int j = 0; j < 3; j++)
		{
			double		sign = j == 2 && (i & 1) ? -1 : 1;

			gs_acc2_add_product(&a, x[j], sign * x[j]);
			mpfr_set_d(d, x[j], MPFR_RNDN);
			mpfr_mul_d(root, d, sign * x[j], MPFR_RNDN);
			mpfr_add(squares, squares, root, MPFR_RNDN);
		}
		oracle_root(root, squares);
		wanted = mpfr_get_d(root, MPFR_RNDN);
		rounding = gs_acc2_sqrt(&a, &result);
		expect_double("norm", rounding, result, wanted, true, 3);
	}
	mpfr_clear(squares);
	mpfr_clear(root);
	mpfr_clear(d);
	test_end();
}

/* As if every element occurred up to 2^30 times. */
static void
repeat(gs_acc *sum, gs_acc2 *squares, oracle_sum *s, int64_t times)
{
	gs_acc_propagate(sum);
	gs_acc2_propagate(squares);
	for (int i = 0; i < GS_ACC_LIMBS; i++)
		sum->limb[i] *= times;
	for (int i = 0; i < GS_ACC2_LIMBS; i++)
		squares->limb[i] *= times;
	s->n *= times;
	if (mpfr_mul_si(s->sum, s->sum, times, MPFR_RNDN) != 0 ||
		mpfr_mul_si(s->squares, s->squares, times, MPFR_RNDN) != 0)
		abort();
}

/*
 * Deviations that are ties.  The deviation of two elements is half their
 * distance, which is a tie if it has 54 bits or is an odd multiple of the
 * smallest double.  With a third element, the mean of the two or nearly so,
 * the root is not a tie.  The elements may occur so often that n (n - 1) takes
 * more than one word.
 */
static void
test_deviation_ties(void)
{
	oracle_sum	s;

	test_begin("deviations near ties");
	oracle_init(&s, true);
	for (int i = 0; i < 20000; i++)
	{
		int			e = -1074 +
			(int) random_below(random_bits() & 1 ? 4 : 2040);
		int			n = 2 + (int) random_below(4) / 3;
		double		x[3];
		double		result = 0;
		gs_acc		sum;
		gs_acc2		squares;

		x[0] = ldexp((double) (random_bits() >> (11 + random_below(53))), e);
		x[1] = -ldexp((double) (random_bits() >> (11 + random_below(53))), e);
		x[2] = x[0] / 2 + x[1] / 2;
		gs_acc_init(&sum);
		gs_acc2_init(&squares);
		oracle_reset(&s);
		for (int j = 0; j < n; j++)
		{
			gs_acc_add(&sum, x[j]);
			gs_acc2_add_product(&squares, x[j], x[j]);
			oracle_add(&s, x[j]);
		}
		for (int j = (int) random_below(3); j > 0; j--)
			repeat(&sum, &squares, &s, 1 + random_below(INT64_C(1) << 30));
		for (int sample = 0; sample < 2; sample++)
		{
			gs_rounding rounding = gs_stddev(&sum, &squares, s.n, sample,
											 &result);

			expect_double("stddev", rounding, result,
						  oracle_stddev(&s, sample), true, n);
			rounding = gs_variance(&sum, &squares, s.n, sample, &result);
			expect_double("variance", rounding, result,
						  oracle_variance(&s, sample), true, n);
		}
	}
	oracle_clear(&s);
	test_end();
}

/*
 * Sums of 96 bits and less, which are rounded without big integers: as if there
 * were zeros below them, which makes them long.  Means are often near ties.
 */
static void
test_short_sums(void)
{
	test_begin("short sums and means");
	for (int i = 0; i < 200000; i++)
	{
		int64_t		limb[12] = {0};
		gs_limbs	all = {limb, 12, GS_ACC_LOWEST, GS_SEEN_NOT_NEGATIVE_ZERO};
		gs_limbs	few = {limb + 3, 9, 0, GS_SEEN_NOT_NEGATIVE_ZERO};
		int64_t		n = 1 + random_below(INT64_C(1) << random_below(62));
		__int128	value = (__int128) random_bits() << 32 >> random_below(64);
		double		expected = 0;
		double		result = 0;
		gs_rounding rounding;

		if (i % 2 == 0)
		{
			n = 1 + random_below(INT64_C(1) << random_below(42));
			value = (__int128) ((UINT64_C(1) << 53 | random_bits() >> 11) | 1) *
				n + (int) random_below(3) - 1;
		}
		if (random_bits() & 1)
			value = -value;
		all.lowest += 32 * (int) random_below(60);
		few.lowest = all.lowest + 96;
		for (int k = 0; k < 9; k++)
			limb[3 + k] = k < 4 ? (int64_t) (uint32_t) (value >> (32 * k)) :
				value < 0 ? (int64_t) UINT32_MAX : 0;
		limb[11] = value < 0 ? -1 : 0;

		rounding = gs_limbs_round(all, &expected);
		expect(gs_limbs_round(few, &result) == rounding, "outcome of a sum");
		expect(memcmp(&result, &expected, sizeof result) == 0,
			   "sum is %a, not %a", result, expected);
		rounding = gs_limbs_mean(all, n, &expected);
		expect(gs_limbs_mean(few, n, &result) == rounding, "outcome of a mean");
		expect(memcmp(&result, &expected, sizeof result) == 0,
			   "mean is %a, not %a", result, expected);
	}
	test_end();
}

/* A sum of zeros may have no limbs; what lies before them is none of its. */
static void
test_no_limbs(void)
{
	const int64_t before[] = {-1, 0};
	gs_limbs	none = {before + 1, 0, 32 * GS_ACC_LIMBS + GS_ACC_LOWEST,
	GS_SEEN_NOT_NEGATIVE_ZERO};
	double		result = 1;
	float		real = 1;

	test_begin("a sum without limbs");
	expect(gs_limbs_round(none, &result) == GS_ROUNDED && result == 0, "sum");
	expect(gs_limbs_round_float(none, &real) == GS_ROUNDED && real == 0,
		   "sum as real");
	result = 1;
	expect(gs_limbs_mean(none, 3, &result) == GS_ROUNDED && result == 0,
		   "mean");
	test_end();
}

/* Between two doubles of every kind, or two integers, now and then at ties. */
static void
test_interpolation(void)
{
	mpfr_t		low;
	mpfr_t		high;
	mpfr_t		part;

	test_begin("interpolation");
	mpfr_init2(low, 4400);
	mpfr_init2(high, 4400);
	mpfr_init2(part, 4400);
	for (int i = 0; i < 60000; i++)
	{
		double		proportion = random_uniform();
		double		result;
		double		wanted;
		gs_pair		x[2];
		double		v[2];

		if (i & 1)
			proportion = (double) random_below(64) / 64;
		if (i % 3 == 0)
		{
			int64_t		n[2];

			for (int j = 0; j < 2; j++)
				n[j] = (int64_t) random_bits() >> random_below(64);
			for (int j = 0; j < 2; j++)
				x[j] = gs_pair_from_int64(n[(n[0] > n[1]) ^ j]);
			mpfr_set_si(low, n[n[0] > n[1]], MPFR_RNDN);
			mpfr_set_si(high, n[n[0] <= n[1]], MPFR_RNDN);
		}
		else
		{
			fill_double(v, 2, (data_kind) random_below(DATA_KINDS));
			if (random_below(4) == 0)	/* neighbours, or nearly */
				v[1] = gs_bits_double(gs_double_bits(v[0]) + random_below(9));
			if (isnan(v[0]) || isnan(v[1]))
			{
				x[0] = (gs_pair) {v[0], 0};
				x[1] = (gs_pair) {v[1], 0};
				expect(gs_double_bits(gs_interpolate(x[0], x[1], proportion))
					   == gs_double_bits(gs_canonical_nan()), "not NaN");
				continue;
			}
			x[v[0] > v[1]] = (gs_pair) {v[0], 0};
			x[v[0] <= v[1]] = (gs_pair) {v[1], 0};
			mpfr_set_d(low, x[0].hi, MPFR_RNDN);
			mpfr_set_d(high, x[1].hi, MPFR_RNDN);
		}
		result = gs_interpolate(x[0], x[1], proportion);
		if (mpfr_inf_p(low) || mpfr_inf_p(high))
		{
			mpfr_add(part, low, high, MPFR_RNDN);
			wanted = mpfr_nan_p(part) ? gs_canonical_nan() :
				mpfr_get_d(part, MPFR_RNDN);
		}
		else
		{
			mpfr_sub(part, high, low, MPFR_RNDN);
			mpfr_mul_d(part, part, proportion, MPFR_RNDN);
			mpfr_add(part, part, low, MPFR_RNDN);
			wanted = mpfr_zero_p(part) ? 0 : mpfr_get_d(part, MPFR_RNDN);
		}
		expect(same_double(result, wanted), "%a of %a + %a and %a + %a: "
			   "%a, not %a", proportion, x[0].hi, x[0].lo, x[1].hi, x[1].lo,
			   result, wanted);
	}
	mpfr_clear(low);
	mpfr_clear(high);
	mpfr_clear(part);
	test_end();
}

/*
 * Two blocks, of which the second has a few elements that are hundreds of times
 * the first's.  A lane holds one, but the lanes' totals take more than 53 bits.
 */
static int
fill_steps(double *v)
{
	const int	n = 2048;

	for (int i = 0; i < n; i++)
		v[i] = i < n / 2 ? random_normal() / 8 : 0;
	for (int i = n / 2; i < n / 2 + 32; i++)
		v[i] = 300 + fabs(random_normal());
	v[0] = 0.75;
	return n;
}

/* Some kind of data, then another: what fits the first block may not fit on. */
static int
fill_two_kinds(double *v)
{
	int			n = (int) random_below(2500);
	int			m = (int) random_below(2500);

	fill_double(v, n, (data_kind) random_below(DATA_KINDS));
	fill_double(v + n, m, (data_kind) random_below(DATA_KINDS));
	return n + m;
}

static bool
same_acc(gs_acc *a, gs_acc *b)
{
	gs_acc_propagate(a);
	gs_acc_propagate(b);
	return a->seen == b->seen && memcmp(a->limb, b->limb, sizeof a->limb) == 0;
}

static bool
same_acc2(gs_acc2 *a, gs_acc2 *b)
{
	gs_acc2_propagate(a);
	gs_acc2_propagate(b);
	return a->seen == b->seen && memcmp(a->limb, b->limb, sizeof a->limb) == 0;
}

/* The engine's sums of v, w and their products are those of the elements. */
static void
expect_sums(const double *v, const double *w, int n)
{
	static float x[5000];
	static float y[5000];
	gs_acc		sum[4];
	gs_acc2		squares[8];

	for (int i = 0; i < 4; i++)
		gs_acc_init(&sum[i]);
	for (int i = 0; i < 8; i++)
		gs_acc2_init(&squares[i]);
	for (int i = 0; i < n; i++)
	{
		x[i] = (float) v[i];
		y[i] = (float) w[i];
		gs_acc_add(&sum[0], v[i]);
		gs_acc_add(&sum[1], x[i]);
		gs_acc2_add_product(&squares[0], v[i], v[i]);
		gs_acc2_add_product(&squares[1], x[i], x[i]);
		gs_acc2_add_product(&squares[2], v[i], w[i]);
		gs_acc2_add_product(&squares[3], x[i], y[i]);
	}
	gs_cpu_sum_float8(&sum[2], v, n);
	gs_cpu_sum_float4(&sum[3], x, n);
	gs_cpu_squares_float8(&squares[4], v, n);
	gs_cpu_squares_float4(&squares[5], x, n);
	gs_cpu_products_float8(&squares[6], v, w, n);
	gs_cpu_products_float4(&squares[7], x, y, n);
	for (int i = 0; i < 2; i++)
		expect(same_acc(&sum[i], &sum[i + 2]), "sum %d of %d, %d lanes", i, n,
			   gs_cpu_most_lanes);
	for (int i = 0; i < 4; i++)
		expect(same_acc2(&squares[i], &squares[i + 4]),
			   "products %d of %d, %d lanes", i, n, gs_cpu_most_lanes);
}

/* Sums in lanes of every width that this CPU has. */
static void
test_lanes(void)
{
	double		v[5000];
	double		w[5000];
	const int	most = gs_cpu_most_lanes;

	for (int lanes = 2; lanes <= most; lanes *= 2)
	{
		test_begin("sums in up to %d lanes", lanes);
		gs_cpu_most_lanes = lanes;
		for (int i = 0; i < 300; i++)
		{
			int			n = i % 4 == 0 ? fill_steps(v) : fill_two_kinds(v);

			if (i % 3 == 0)
				memcpy(w, v, sizeof v);
			else
				fill_double(w, n, (data_kind) random_below(DATA_KINDS));
			expect_sums(v, w, n);
		}
		test_end();
	}
	gs_cpu_most_lanes = most;
}

void
test_exact(void)
{
	oracle_sum	s;

	oracle_init(&s, true);
	for (int kind = 0; kind < DATA_KINDS; kind++)
	{
		for (gs_type type = GS_FLOAT4; type <= GS_FLOAT8; type++)
		{
			test_begin("exact sums of %s: %s", data_names[kind],
					   type == GS_FLOAT8 ? "double" : "real");
			for (int i = 0; i < ARRAYS; i++)
				test_array_of((data_kind) kind, type, &s);
			test_end();
		}
	}
	oracle_clear(&s);
	test_lanes();
	test_many_additions();
	test_tiny_squares();
	test_round_to_odd();
	test_dot();
	test_norm_ties();
	test_deviation_ties();
	test_short_sums();
	test_no_limbs();
	test_interpolation();
}
