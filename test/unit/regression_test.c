/*-------------------------------------------------------------------------
 *
 * regression_test.c
 *	  Covariance, correlation and regression against MPFR: random pairs.
 *
 * Results computed in multi-word integers must have the same bits as the same
 * formulas in MPFR, with numbers as wide as necessary.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"
#include "exact/figures.h"
#include "harness.h"
#include "oracle.h"

#include <math.h>

#define MOST		40
#define ARRAYS		600

/* From 2^-3222 to 2^3136: products of three sums. */
#define EXACT_BITS	9000

/* Sums over pairs, A, B and C of regression.c, the intercept's numerator. */
typedef struct pair_oracle
{
	int			n;
	mpfr_t		x;
	mpfr_t		y;
	mpfr_t		xx;
	mpfr_t		yy;
	mpfr_t		xy;
	mpfr_t		a;
	mpfr_t		b;
	mpfr_t		c;
	mpfr_t		intercept;
	mpfr_t		product;
} pair_oracle;

static void
must_be_exact(int lost)
{
	if (lost != 0)
		abort();
}

static void
add_product(pair_oracle *o, mpfr_t sum, double x, double y)
{
	must_be_exact(mpfr_set_d(o->product, x, MPFR_RNDN));
	must_be_exact(mpfr_mul_d(o->product, o->product, y, MPFR_RNDN));
	must_be_exact(mpfr_add(sum, sum, o->product, MPFR_RNDN));
}

/* r = n p - s t */
static void
centre(pair_oracle *o, mpfr_t r, mpfr_t p, mpfr_t s, mpfr_t t)
{
	must_be_exact(mpfr_mul_si(r, p, o->n, MPFR_RNDN));
	must_be_exact(mpfr_mul(o->product, s, t, MPFR_RNDN));
	must_be_exact(mpfr_sub(r, r, o->product, MPFR_RNDN));
}

static void
oracle_of(pair_oracle *o, const double *x, const double *y, int n)
{
	mpfr_inits2(EXACT_BITS, o->x, o->y, o->xx, o->yy, o->xy, o->a, o->b, o->c,
				o->intercept, o->product, (mpfr_ptr) NULL);
	o->n = n;
	mpfr_set_zero(o->x, 1);
	mpfr_set_zero(o->y, 1);
	mpfr_set_zero(o->xx, 1);
	mpfr_set_zero(o->yy, 1);
	mpfr_set_zero(o->xy, 1);
	for (int i = 0; i < n; i++)
	{
		add_product(o, o->x, x[i], 1);
		add_product(o, o->y, y[i], 1);
		add_product(o, o->xx, x[i], x[i]);
		add_product(o, o->yy, y[i], y[i]);
		add_product(o, o->xy, x[i], y[i]);
	}
	centre(o, o->a, o->xy, o->x, o->y);
	centre(o, o->b, o->xx, o->x, o->x);
	centre(o, o->c, o->yy, o->y, o->y);
	must_be_exact(mpfr_mul(o->intercept, o->y, o->xx, MPFR_RNDN));
	must_be_exact(mpfr_mul(o->product, o->x, o->xy, MPFR_RNDN));
	must_be_exact(mpfr_sub(o->intercept, o->intercept, o->product, MPFR_RNDN));
}

static void
oracle_free(pair_oracle *o)
{
	mpfr_clears(o->x, o->y, o->xx, o->yy, o->xy, o->a, o->b, o->c,
				o->intercept, o->product, (mpfr_ptr) NULL);
}

/* A result against a numerator and a denominator. */
static void
expect_quotient(const char *what, gs_rounding rounding, double result,
				mpfr_t numerator, mpfr_t denominator)
{
	mpfr_t		q;
	double		wanted;

	if (mpfr_zero_p(denominator))
	{
		expect(rounding == GS_UNDEFINED, "%s is defined: %a", what, result);
		return;
	}
	mpfr_init(q);
	oracle_divide(q, numerator, denominator);
	wanted = mpfr_zero_p(q) ? 0 : mpfr_get_d(q, MPFR_RNDN);
	mpfr_clear(q);
	if (isinf(wanted))
		expect(rounding == GS_OVERFLOW, "%s: %a, not out of range", what,
			   result);
	else
		expect(rounding == GS_ROUNDED &&
			   gs_double_bits(result) == gs_double_bits(wanted),
			   "%s: %a (%d), not %a", what, result, rounding, wanted);
}

static void
expect_covariance(const gs_sums *s, pair_oracle *o)
{
	mpfr_t		divisor;

	mpfr_init2(divisor, 64);
	for (int sample = 0; sample < 2; sample++)
	{
		double		result = 0;
		gs_rounding rounding = gs_figure_real(sample ? GS_FIGURE_COVAR_SAMP :
											  GS_FIGURE_COVAR_POP, s, &result);

		mpfr_set_si(divisor, o->n * (o->n - sample), MPFR_RNDN);
		expect_quotient("covariance", rounding, result, o->a, divisor);
	}
	mpfr_clear(divisor);
}

static void
expect_deviations(const gs_sums *s, pair_oracle *o)
{
	double		result = 0;
	gs_rounding rounding = gs_figure_real(GS_FIGURE_SXX, s, &result);
	mpfr_t		n;

	mpfr_init2(n, 64);
	mpfr_set_si(n, o->n, MPFR_RNDN);
	expect_quotient("squared deviations", rounding, result, o->b, n);
	rounding = gs_figure_real(GS_FIGURE_SXY, s, &result);
	expect_quotient("products of deviations", rounding, result, o->a, n);
	mpfr_clear(n);
}

static void
expect_correlation(const gs_sums *s, pair_oracle *o)
{
	double		result = 0;
	gs_rounding rounding = gs_figure_real(GS_FIGURE_CORR, s, &result);
	double		wanted = 0;
	mpfr_t		aa;
	mpfr_t		bc;
	mpfr_t		q;

	mpfr_inits2(2 * EXACT_BITS, aa, bc, q, (mpfr_ptr) NULL);
	must_be_exact(mpfr_sqr(aa, o->a, MPFR_RNDN));
	must_be_exact(mpfr_mul(bc, o->b, o->c, MPFR_RNDN));
	if (mpfr_zero_p(bc))
		expect(rounding == GS_UNDEFINED, "correlation is defined: %a", result);
	else
	{
		oracle_divide(q, aa, bc);
		oracle_root(q, q);
		mpfr_setsign(q, q, mpfr_sgn(o->a) < 0, MPFR_RNDN);
		if (!mpfr_zero_p(q))
			wanted = mpfr_get_d(q, MPFR_RNDN);
		expect(rounding == GS_ROUNDED &&
			   gs_double_bits(result) == gs_double_bits(wanted),
			   "correlation: %a (%d), not %a", result, rounding, wanted);
	}

	rounding = gs_figure_real(GS_FIGURE_R2, s, &result);
	if (mpfr_zero_p(o->c) && !mpfr_zero_p(o->b))
		expect(rounding == GS_ROUNDED && result == 1,
			   "r2 of a constant: %a", result);
	else
		expect_quotient("r2", rounding, result, aa, bc);
	mpfr_clears(aa, bc, q, (mpfr_ptr) NULL);
}

/* Sums over pairs in accumulators. */
typedef struct pair_accumulators
{
	gs_acc		x;
	gs_acc		y;
	gs_acc2		xx;
	gs_acc2		yy;
	gs_acc2		xy;
} pair_accumulators;

static gs_sums
accumulate(pair_accumulators *a, const double *x, const double *y, int n)
{
	gs_sums		s = {0};

	gs_acc_init(&a->x);
	gs_acc_init(&a->y);
	gs_acc2_init(&a->xx);
	gs_acc2_init(&a->yy);
	gs_acc2_init(&a->xy);
	for (int i = 0; i < n; i++)
	{
		gs_acc_add(&a->x, x[i]);
		gs_acc_add(&a->y, y[i]);
		gs_acc2_add_product(&a->xx, x[i], x[i]);
		gs_acc2_add_product(&a->yy, y[i], y[i]);
		gs_acc2_add_product(&a->xy, x[i], y[i]);
	}
	s.n = n;
	s.x = gs_acc_limbs(&a->x);
	s.y = gs_acc_limbs(&a->y);
	s.xx = gs_acc2_limbs(&a->xx);
	s.yy = gs_acc2_limbs(&a->yy);
	s.xy = gs_acc2_limbs(&a->xy);
	return s;
}

static void
test_pairs(const double *x, const double *y, int n)
{
	static pair_accumulators accumulators;
	gs_sums		s = accumulate(&accumulators, x, y, n);
	pair_oracle o;
	double		result = 0;
	gs_rounding rounding;

	oracle_of(&o, x, y, n);
	expect_covariance(&s, &o);
	expect_deviations(&s, &o);
	expect_correlation(&s, &o);
	rounding = gs_figure_real(GS_FIGURE_SLOPE, &s, &result);
	expect_quotient("slope", rounding, result, o.a, o.b);
	rounding = gs_figure_real(GS_FIGURE_INTERCEPT, &s, &result);
	expect_quotient("intercept", rounding, result, o.intercept, o.b);
	rounding = gs_figure_real(GS_FIGURE_WEIGHTED_AVG, &s, &result);
	if (n > 0 && mpfr_zero_p(o.x))
		expect(rounding == GS_NO_WEIGHT, "weights that sum to 0: %d", rounding);
	else
		expect_quotient("weighted mean", rounding, result, o.xy, o.x);
	oracle_free(&o);

	expect(gs_pairs_possible(&s), "sums of %d pairs are not possible", n);
	/* more than Cauchy and Schwarz allow */
	accumulators.xy.limb[GS_ACC2_LIMBS - 1]++;
	expect(n == 0 || !gs_pairs_possible(&s),
		   "impossible sums of %d pairs are possible", n);
}

/* Numbers of one kind whose sums of squares are finite. */
static void
fill_finite(double *v, int n, data_kind kind)
{
	fill_double(v, n, kind);
	for (int i = 0; i < n; i++)
	{
		if (!gs_is_finite(v[i]))
			v[i] = 0;
	}
}

/* y as in real data: near a line, on it, all equal, or of any kind. */
static void
fill_second(double *y, const double *x, int n)
{
	double		slope = ldexp(random_normal(), (int) random_below(80) - 40);
	int			noise = -(int) random_below(60);

	switch (random_below(5))
	{
		case 0:
			for (int i = 0; i < n; i++)
				y[i] = x[i] * slope + ldexp(random_normal(), noise);
			break;
		case 1:
			for (int i = 0; i < n; i++)
				y[i] = -0.5 * x[i];
			break;
		case 2:
			for (int i = 0; i < n; i++)
				y[i] = slope;
			break;
		default:
			fill_finite(y, n, (data_kind) random_below(DATA_KINDS));
	}
	for (int i = 0; i < n; i++)
	{
		if (!gs_is_finite(y[i]))
			y[i] = slope;
	}
}

/* Sums of integers that just fit a bigint, and that just do not. */
static void
test_bigint(void)
{
	const uint64_t sums[][3] = {
		{INT64_MAX, 0, 0}, {(uint64_t) INT64_MIN, UINT64_MAX, UINT64_MAX},
		{0, 0, 0}, {(uint64_t) INT64_MIN, 0, 0}, {INT64_MAX, UINT64_MAX, UINT64_MAX},
		{0, 1, 0}, {0, 0, 1}
	};

	test_begin("sums in 64 bits");
	for (int i = 0; i < 7; i++)
	{
		gs_sums		s = gs_sums_of_integers(1, sums[i], 3, NULL, 0);
		int64_t		result = -1;
		gs_rounding rounding = gs_figure_bigint(&s, &result);

		expect(i < 3 ? rounding == GS_ROUNDED && result == (int64_t) sums[i][0] :
			   rounding == GS_INTEGER_OVERFLOW, "sum %d: %d", i, rounding);
		s.n = 0;
		expect(gs_figure_bigint(&s, &result) == GS_UNDEFINED, "of nothing");
	}
	test_end();
}

static void
test_not_finite(void)
{
	static pair_accumulators accumulators;
	const double x[] = {1, 2, NAN};
	const double same[] = {3, 3, 3};
	const double y[] = {5, INFINITY, 6};
	gs_sums		s = accumulate(&accumulators, x, x + 1, 2);
	double		result = 0;

	test_begin("pairs that are not finite");
	expect(gs_slope(&s, &result) == GS_ROUNDED && isnan(result),
		   "slope with NaN: %a", result);
	s = accumulate(&accumulators, same, y, 3);
	expect(gs_slope(&s, &result) == GS_UNDEFINED &&
		   gs_correlation(&s, &result) == GS_UNDEFINED &&
		   gs_determination(&s, &result) == GS_UNDEFINED &&
		   gs_intercept(&s, &result) == GS_UNDEFINED,
		   "a line through equal x: %a", result);
	expect(gs_covariance(&s, true, &result) == GS_ROUNDED && isnan(result),
		   "covariance with infinity: %a", result);
	expect(gs_deviation_products(&s, &result) == GS_ROUNDED && isnan(result),
		   "products of deviations with infinity: %a", result);
	expect(gs_squared_deviations(&s, &result) == GS_ROUNDED && result == 0,
		   "squared deviations of equal x: %a", result);
	s = accumulate(&accumulators, y, same, 3);
	expect(gs_squared_deviations(&s, &result) == GS_ROUNDED && isnan(result),
		   "squared deviations with infinity: %a", result);
	expect(gs_determination(&s, &result) == GS_ROUNDED && result == 1,
		   "r2 of equal y: %a", result);
	expect(gs_correlation(&s, &result) == GS_UNDEFINED,
		   "correlation of equal y: %a", result);
	expect(gs_intercept(&s, &result) == GS_ROUNDED && isnan(result),
		   "intercept with infinity: %a", result);
	test_end();
}

/* Words that make a quotient's digits hard to estimate. */
static void
random_big(gs_big *r, mpz_t z)
{
	static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001,
	0xfffffffe, 0xffffffff};

	r->words = 1 + (int) random_below(12);
	r->lowest = 32 * (int) random_below(4);
	r->negative = random_below(2) == 0;
	r->sticky = false;
	for (int i = 0; i < r->words; i++)
		r->word[i] = random_below(3) == 0 ? (uint32_t) random_bits() :
			words[random_below(7)];
	if (r->word[r->words - 1] == 0)
		r->word[r->words - 1] = 1 + (uint32_t) random_below(3);
	mpz_import(z, r->words, -1, sizeof(uint32_t), 0, 0, r->word);
	mpz_mul_2exp(z, z, r->lowest);
	if (r->negative)
		mpz_neg(z, z);
}

/* In units of 2^lowest. */
static void
big_to_mpz(mpz_t z, const gs_big *a)
{
	mpz_import(z, a->words, -1, sizeof(uint32_t), 0, 0, a->word);
	if (a->negative)
		mpz_neg(z, z);
}

static void
test_big(void)
{
	gs_big		a;
	gs_big		b;
	gs_big		r;
	mpz_t		x;
	mpz_t		y;
	mpz_t		wanted;
	mpz_t		rest;
	mpz_t		z;

	mpz_inits(x, y, wanted, rest, z, NULL);
	test_begin("long integers");
	for (int i = 0; i < 200000; i++)
	{
		random_big(&a, x);
		random_big(&b, y);

		gs_big_difference(&r, &a, &b);
		mpz_sub(wanted, x, y);
		big_to_mpz(z, &r);
		mpz_mul_2exp(z, z, r.words == 0 ? 0 : r.lowest);
		expect(mpz_cmp(z, wanted) == 0, "difference %d", i);

		gs_big_divide(&r, &a, &b);
		if (r.lowest > 0)
			mpz_mul_2exp(y, y, r.lowest);
		else
			mpz_mul_2exp(x, x, -r.lowest);
		mpz_tdiv_qr(wanted, rest, x, y);
		big_to_mpz(z, &r);
		expect(mpz_cmp(z, wanted) == 0 && r.sticky == (mpz_sgn(rest) != 0) &&
			   mpz_sizeinbase(z, 2) >= 128, "quotient %d", i);
	}
	test_end();
	mpz_clears(x, y, wanted, rest, z, NULL);
}

void
test_regression(void)
{
	double		x[MOST];
	double		y[MOST];

	for (int kind = 0; kind < DATA_KINDS; kind++)
	{
		test_begin("pairs of %s", data_names[kind]);
		for (int i = 0; i < ARRAYS; i++)
		{
			int			n = (int) random_below(i % 3 ? 6 : MOST);

			fill_finite(x, n, (data_kind) kind);
			fill_second(y, x, n);
			test_pairs(x, y, n);
		}
		test_end();
	}
	test_bigint();
	test_not_finite();
	test_big();
}
