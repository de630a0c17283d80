/*-------------------------------------------------------------------------
 *
 * elementary_test.c
 *	  Exponentials, logarithms, powers and decimal rounding against MPFR.
 *
 * Random arguments, those whose results are closest to halfway between two
 * doubles, powers that are doubles or exactly halfway, and results among the
 * subnormal numbers and at both ends of the range.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "engine/elements.h"
#include "exact/elementary.h"
#include "exact/fixed.h"
#include "harness.h"
#include "oracle.h"

#include <math.h>

#define TARGET
#define QUICK(name)		name
#define PRODUCT			gs_two_product
#define MULTIPLY_ADD(x, y, z)	((x) * (y) + (z))
#define TABLE			gs_elementary
#include "exact/elementary_quick.h"

#define ROUNDS		40000

/* Bits of what gs_fixed_exp and gs_fixed_ln are compared with. */
#define FIXED_BITS	600

typedef int (*rounded) (mpfr_ptr r, mpfr_srcptr x, mpfr_rnd_t how);

static double
signed_uniform(void)
{
	return one_in(2) ? random_uniform() : -random_uniform();
}

/* Near 1, as far as some bits. */
static double
near_one(void)
{
	return 1 + ldexp(signed_uniform(), -1 - (int) random_below(52));
}

static double
any_positive(void)
{
	double		x;

	do
		x = fabs(gs_bits_double(random_bits()));
	while (!gs_is_finite(x) || x == 0);
	return x;
}

/* With an overflow as an infinity, and subnormals rounded once. */
static double
nearest_double(mpfr_t r, int inexact)
{
	inexact = mpfr_check_range(r, inexact, MPFR_RNDN);
	mpfr_subnormalize(r, inexact, MPFR_RNDN);
	return mpfr_get_d(r, MPFR_RNDN);
}

static double
wanted_of(rounded f, double x)
{
	mpfr_t		r;
	mpfr_t		from;
	double		result;
	int			inexact;

	mpfr_inits2(53, r, from, (mpfr_ptr) NULL);
	mpfr_set_d(from, x, MPFR_RNDN);
	inexact = f(r, from, MPFR_RNDN);
	result = nearest_double(r, inexact);
	mpfr_clears(r, from, (mpfr_ptr) NULL);
	return result;
}

static void
expect_same(const char *what, double x, double y, gs_rounding rounding,
			double got, double wanted)
{
	if (isinf(wanted))
		expect(rounding == GS_OVERFLOW, "%s of %a, %a: %a, not too large",
			   what, x, y, got);
	else
		expect(rounding == GS_ROUNDED &&
			   gs_double_bits(got) == gs_double_bits(wanted),
			   "%s of %a, %a: %a (%d), not %a", what, x, y, got, rounding,
			   wanted);
}

static void
one_exp(double x)
{
	double		result = -1;
	gs_rounding rounding = gs_exp(x, &result);

	expect_same("exp", x, 0, rounding, result, wanted_of(mpfr_exp, x));
}

static void
one_ln(double x)
{
	expect_same("ln", x, 0, GS_ROUNDED, gs_ln(x), wanted_of(mpfr_log, x));
}

static void
one_log10(double x)
{
	expect_same("log10", x, 0, GS_ROUNDED, gs_log10(x),
				wanted_of(mpfr_log10, x));
}

static void
one_power(double x, double y)
{
	mpfr_t		r;
	mpfr_t		a;
	mpfr_t		b;
	double		result = -1;
	double		wanted;
	gs_rounding rounding = gs_power(x, y, &result);

	mpfr_inits2(53, r, a, b, (mpfr_ptr) NULL);
	mpfr_set_d(a, x, MPFR_RNDN);
	mpfr_set_d(b, y, MPFR_RNDN);
	wanted = nearest_double(r, mpfr_pow(r, a, b, MPFR_RNDN));
	if (isnan(wanted))
		wanted = gs_canonical_nan();
	expect_same("power", x, y, rounding, result, wanted);
	mpfr_clears(r, a, b, (mpfr_ptr) NULL);
}

/* f(halfway between two doubles), rounded: its inverse comes close to there. */
static double
beside_halfway(rounded f, double x)
{
	mpfr_t		a;
	double		result;

	mpfr_init2(a, 54);
	mpfr_set_d(a, x, MPFR_RNDN);
	mpfr_nextabove(a);
	f(a, a, MPFR_RNDN);
	result = mpfr_get_d(a, MPFR_RNDN);
	mpfr_clear(a);
	return result;
}

static void
test_exp(void)
{
	static const double special[] = {
		0, -0.0, 1, -1, 709.78271289338397, 709.78271289338409, 710, 1e308,
		-708.39641853226408, -745.13321910194111, -745.13321910194122, -1e308,
		0x1p-54, -0x1p-54, 0x1p-53, -0x1p-53, 5e-324, -5e-324
	};

	test_begin("exponentials");
	for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
		one_exp(special[i]);
	for (int i = 0; i < ROUNDS; i++)
	{
		one_exp(signed_uniform() * 745);
		one_exp(ldexp(signed_uniform(), -(int) random_below(64)));
		one_exp(beside_halfway(mpfr_log, any_positive()));
		if (i % 16 == 0)
			one_exp(-708 - 38 * random_uniform());
	}
	test_end();
}

static void
test_ln(void)
{
	static const double special[] = {1, 5e-324, DBL_MIN, DBL_MAX, 2, 0.5, 10};

	test_begin("logarithms");
	for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
		one_ln(special[i]);
	for (int i = 0; i < ROUNDS; i++)
	{
		one_ln(any_positive());
		one_ln(near_one());
		one_ln(beside_halfway(mpfr_exp, signed_uniform() * 700));
		one_ln(beside_halfway(mpfr_exp, ldexp(signed_uniform(),
											  -(int) random_below(50))));
	}
	test_end();
}

static void
test_log10(void)
{
	static const double special[] = {1, 5e-324, DBL_MIN, DBL_MAX, 2, 0.5, 1e23};
	double		power = 1;

	test_begin("decimal logarithms");
	for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
		one_log10(special[i]);
	for (int i = 0; i <= 22; i++)
	{
		expect(gs_log10(power) == i, "log10 of 10^%d: %a", i, gs_log10(power));
		power *= 10;
	}
	for (int i = 0; i < ROUNDS; i++)
	{
		one_log10(any_positive());
		one_log10(near_one());
		one_log10(beside_halfway(mpfr_exp10, signed_uniform() * 300));
		one_log10(beside_halfway(mpfr_exp10, ldexp(signed_uniform(),
												   -(int) random_below(50))));
	}
	test_end();
}

static double
some_sign(double x)
{
	return one_in(2) ? x : -x;
}

static void
test_power(void)
{
	test_begin("powers");
	one_power(2, 1023);
	one_power(2, 1024);
	one_power(2, -1074);
	one_power(2, -1075);
	one_power(-2, -1075);
	one_power(-0.0, 3);
	one_power(-0.0, 0.5);
	one_power(-0.0, 0);
	one_power(-3, 0.5);
	one_power(0x1.fffffffffffffp-1, 0x1p62);
	one_power(0x1.0000000000001p0, -0x1p62);
	one_power(1.5, 5e-324);
	for (int i = 0; i < ROUNDS; i++)
	{
		double		x = ldexp(1 + random_uniform(), (int) random_below(400) - 200);

		one_power(x, signed_uniform() * 5);
		one_power(near_one(), ldexp(signed_uniform(), (int) random_below(64)));
		one_power(some_sign(1 + (double) random_below(300)),
				  (double) random_below(80) - 40);

		/* roots, and what is a double or halfway between two */
		one_power(some_sign(1 + (double) random_below(1 << 28)), 2);
		one_power((double) random_below(1000) / 4 + 0.25,
				  ldexp((double) random_below(64) - 32,
						-(int) random_below(5)));
		x = (double) (1 + random_below(1 << 13));
		one_power(x * x * x * x, (double) (1 + random_below(12)) / 4);
		one_power(ldexp(x, -(int) random_below(1074)),
				  (double) (1 + random_below(6)) / 2);

		/* whose square is close to halfway */
		one_power(beside_halfway(mpfr_sqrt, 1 + 3 * random_uniform()), 2);

		/* subnormal */
		if (i % 16 == 0)
			one_power(x + 1, -(708 + 38 * random_uniform()) / log(x + 1));
	}
	test_end();
}

/* Elements of a block, which ends amid a vector. */
#define BLOCK		1021
#define BLOCKS		150

/* Anything at all, or what has a result that is a normal number. */
static double
any_argument(int kind)
{
	switch (random_below(4))
	{
		case 0:
			return gs_bits_double(random_bits());
		case 1:
			return kind == 1 ? near_one() : ldexp(signed_uniform(),
												  -(int) random_below(64));
		case 2:
			return kind == 0 ? signed_uniform() * 745 : any_positive();
		default:
			return (double) random_below(20) - 4;
	}
}

/*
 * Each known result of a block is that of the function for one element.
 * Returns how many are not known.
 */
static int
expect_block(int kind, bool usual)
{
	static const double special[] = {
		0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 5e-324, -5e-324, DBL_MIN,
		DBL_MAX, -DBL_MAX, 699.9, 700, -700, 709.8, -745.2, 0x1p-56, 0x1p-57
	};
	const int	specials = sizeof special / sizeof special[0];
	double		x[BLOCK];
	double		y[BLOCK];
	double		result[BLOCK];
	uint8_t		known[BLOCK];
	int			unknown = 0;

	for (int i = 0; i < BLOCK; i++)
	{
		x[i] = i % 5 == 0 ? special[i / 5 % specials] : any_argument(kind);
		y[i] = i % 7 == 0 ? special[i / 7 % specials] : any_argument(0);
		if (usual)
		{
			x[i] = kind == 0 ? signed_uniform() * 699 :
				ldexp(1 + random_uniform(), (int) random_below(100) - 50);
			y[i] = signed_uniform() * 9;
		}
	}
	if (kind == 0)
		gs_cpu_exps(x, BLOCK, result, known);
	else if (kind == 1)
		gs_cpu_lns(x, BLOCK, result, known);
	else
		gs_cpu_powers(x, y, BLOCK, result, known);
	for (int i = 0; i < BLOCK; i++)
	{
		double		wanted = -1;
		gs_rounding rounding = GS_ROUNDED;

		if (!known[i])
		{
			unknown++;
			continue;
		}
		expect(gs_is_finite(x[i]) && (kind == 0 || x[i] > 0) &&
			   (kind != 2 || gs_is_finite(y[i])),
			   "%a, %a: known, by function %d", x[i], y[i], kind);
		if (kind == 0)
			rounding = gs_exp(x[i], &wanted);
		else if (kind == 1)
			wanted = gs_ln(x[i]);
		else
			rounding = gs_power(x[i], y[i], &wanted);
		expect_same(kind == 0 ? "exp of a block" : kind == 1 ?
					"ln of a block" : "power of a block", x[i], y[i],
					rounding, result[i], wanted);
	}
	return unknown;
}

/* Blocks of all functions; of all usual ones together, nearly all are known. */
static void
expect_blocks(void)
{
	int			unknown[3] = {0};

	for (int i = 0; i < BLOCKS; i++)
	{
		bool		usual = i % 2 == 0;
		int			n = expect_block(i % 3, usual);

		if (usual)
			unknown[i % 3] += n;
	}
	for (int kind = 0; kind < 3; kind++)
		expect(unknown[kind] < BLOCKS / 6 * BLOCK / 50,
			   "function %d: %d not known", kind, unknown[kind]);
}

/*
 * Results that two doubles do not decide: e^(2^-53) is 2^-107 above halfway
 * between 1 and the next double, ln(1 + 6/2^52) is halfway but for 2^-100 of
 * itself, and the square of an odd number of 27 bits may be halfway.
 */
static void
expect_undecided(void)
{
	const double x[] = {0x1p-53, 1 + 0x6p-52, 0x7ffffffp0};
	const double y = 2;
	double		result;
	uint8_t		known[3];

	gs_cpu_exps(&x[0], 1, &result, &known[0]);
	gs_cpu_lns(&x[1], 1, &result, &known[1]);
	gs_cpu_powers(&x[2], &y, 1, &result, &known[2]);
	for (int i = 0; i < 3; i++)
		expect(known[i] == 0, "function %d of %a: decided", i, x[i]);
}

/* Each known rounding of a block is that of the function for one element. */
static void
expect_rounded_block(int digits, bool usual)
{
	static const double special[] = {
		0, -0.0, 0.5, -0.5, 1.5, 2.5, 0.25, -0.25, 0.125, 0.375, 1.005, 2.675,
		INFINITY, -INFINITY, NAN, 5e-324, -5e-324, DBL_MIN, DBL_MAX, -DBL_MAX,
		0x1p51 + 0.5, 0x1p52 - 0.5, -0x1p52 + 0.5, 0x1p52, 0x1p52 + 1, 0x1p53,
		0x1p53 + 2, 5, 15, 25, -50, 150, 4503599627370497.5e2, 1e22, 1.5e22
	};
	const int	specials = sizeof special / sizeof special[0];
	double		x[BLOCK];
	double		result[BLOCK];
	uint8_t		known[BLOCK];
	bool		all;
	int			unknown = 0;

	for (int i = 0; i < BLOCK; i++)
	{
		/* near ties of this many places, too */
		double		tie = ((double) random_below(2000000) - 1e6 + 0.5) *
			pow(10, -digits);

		x[i] = i % 3 == 0 ? signed_uniform() * 1e6 * pow(10, -digits) :
			i % 3 == 1 ? tie : nextafter(tie, signed_uniform());
		if (!usual && i % 5 == 0)
			x[i] = special[i / 5 % specials];
		else if (!usual && i % 5 == 1)
			x[i] = gs_bits_double(random_bits());
		else if (!usual && i % 5 == 2)
			x[i] = some_sign(ldexp(1 + random_uniform(),
								   (int) random_below(126) - 30));
	}
	memset(known, 1, sizeof known);
	all = gs_cpu_rounds(x, digits, BLOCK, result, known);
	for (int i = 0; i < BLOCK; i++)
	{
		double		wanted = isnan(x[i]) ? gs_canonical_nan() : x[i];
		gs_rounding rounding = GS_ROUNDED;

		if (!known[i])
		{
			unknown++;
			continue;
		}
		if (gs_is_finite(x[i]))
			rounding = gs_round_decimal(x[i], digits, &wanted);
		expect(rounding == GS_ROUNDED &&
			   gs_double_bits(result[i]) == gs_double_bits(wanted),
			   "%a to %d places: %a, not %a", x[i], digits, result[i], wanted);
	}
	expect(all == (unknown == 0), "%d not known, but all are", unknown);
	expect(!usual || unknown == 0 || abs(digits) > 22,
		   "%d places: %d of %d not known", digits, unknown, BLOCK);
}

/* Blocks, in vectors of every width that this CPU has. */
void
test_elementary_blocks(void)
{
	const int	most = gs_cpu_most_lanes;

	gs_elementary_init();
	for (int lanes = 2; lanes <= most; lanes *= 2)
	{
		test_begin("exponentials, logarithms and powers in up to %d lanes", lanes);
		gs_cpu_most_lanes = lanes;
		expect_undecided();
		expect_blocks();
		test_end();
	}
	for (int lanes = 2; lanes <= most; lanes *= 2)
	{
		test_begin("blocks of decimal rounding in up to %d lanes", lanes);
		gs_cpu_most_lanes = lanes;
		for (int i = 0; i < 300; i++)
			expect_rounded_block(i % 50 - 25, i % 4 == 0);
		test_end();
	}
	gs_cpu_most_lanes = most;
}

/* *r = a */
static void
set_fixed(mpfr_t r, const gs_fixed *a)
{
	mpz_t		z;

	mpz_init(z);
	mpz_import(z, GS_FIXED_WORDS, -1, sizeof(uint64_t), 0, 0, a->word);
	mpfr_set_z_2exp(r, z, -GS_FIXED_BITS, MPFR_RNDN);
	mpz_clear(z);
}

static void
expect_close(const char *what, double x, mpfr_t got, mpfr_t wanted)
{
	mpfr_sub(got, got, wanted, MPFR_RNDN);
	expect(mpfr_zero_p(got) || mpfr_get_exp(got) < -420,
		   "%s of %a errs by 2^%ld", what, x, (long) mpfr_get_exp(got));
}

static void
one_fixed(double x, const gs_fixed *ln2)
{
	gs_signed	a;
	gs_fixed	r;
	int			exponent;
	int			position;
	uint64_t	m = gs_split(x, &position, &a.negative);
	mpfr_t		got;
	mpfr_t		wanted;

	mpfr_inits2(FIXED_BITS, got, wanted, (mpfr_ptr) NULL);
	gs_fixed_set(&a.magnitude, m, position + GS_ACC_LOWEST);
	gs_fixed_exp(&r, &exponent, &a, ln2);
	set_fixed(got, &r);
	mpfr_set_d(wanted, x, MPFR_RNDN);
	mpfr_exp(wanted, wanted, MPFR_RNDN);
	mpfr_div_2si(wanted, wanted, exponent, MPFR_RNDN);
	expect_close("exponential", x, got, wanted);

	gs_fixed_ln(&a, m, position + GS_ACC_LOWEST, ln2);
	set_fixed(got, &a.magnitude);
	mpfr_setsign(got, got, a.negative, MPFR_RNDN);
	mpfr_set_d(wanted, fabs(x), MPFR_RNDN);
	mpfr_log(wanted, wanted, MPFR_RNDN);
	expect_close("logarithm", x, got, wanted);
	mpfr_clears(got, wanted, (mpfr_ptr) NULL);
}

static void
test_fixed(void)
{
	gs_fixed	ln2;
	mpfr_t		got;
	mpfr_t		wanted;

	test_begin("fixed-point exponentials and logarithms");
	mpfr_inits2(FIXED_BITS, got, wanted, (mpfr_ptr) NULL);
	gs_fixed_ln2(&ln2);
	set_fixed(got, &ln2);
	mpfr_const_log2(wanted, MPFR_RNDN);
	expect_close("logarithm", 2, got, wanted);
	mpfr_clears(got, wanted, (mpfr_ptr) NULL);
	one_fixed(1, &ln2);
	for (int i = 0; i < ROUNDS / 20; i++)
	{
		one_fixed(near_one(), &ln2);
		one_fixed(signed_uniform() * 745, &ln2);
		one_fixed(ldexp(0.5 + random_uniform(), -(int) random_below(60)),
				  &ln2);
	}
	test_end();
}

/* Does a pair err by less than half the bound that rounding takes? */
static void
expect_pair(const char *what, double x, gs_pair got, mpfr_t wanted,
			double error)
{
	mpfr_t		r;

	mpfr_init2(r, FIXED_BITS);
	mpfr_set_d(r, got.hi, MPFR_RNDN);
	mpfr_add_d(r, r, got.lo, MPFR_RNDN);
	mpfr_sub(r, r, wanted, MPFR_RNDN);
	if (!mpfr_zero_p(wanted))
		mpfr_div(r, r, wanted, MPFR_RNDN);
	expect(mpfr_zero_p(r) || mpfr_get_exp(r) < ilogb(error), "%s of %a errs by 2^%ld", what, x,
		   (long) mpfr_get_exp(r));
	mpfr_clear(r);
}

/* The exponential, of x + low too. */
static void
one_exp_pair(double x, double low)
{
	gs_pair		from = {x, low};
	uint64_t	k;
	gs_pair		r = exp_short(from, &k);
	int64_t		n = (int64_t) (k - GS_SHIFT_BITS);
	mpfr_t		wanted;

	mpfr_init2(wanted, FIXED_BITS);
	mpfr_set_d(wanted, x, MPFR_RNDN);
	mpfr_add_d(wanted, wanted, low, MPFR_RNDN);
	mpfr_exp(wanted, wanted, MPFR_RNDN);
	mpfr_div_2si(wanted, wanted,
				 (n - (n & (GS_EXP_ENTRIES - 1))) / GS_EXP_ENTRIES, MPFR_RNDN);
	expect_pair("short exponential", x, r, wanted, GS_EXP_SHORT_ERROR);
	expect_pair("exponential", x, exp_of(from, &k), wanted, GS_ERROR);
	mpfr_clear(wanted);
}

static void
one_ln_pair(double x)
{
	mpfr_t		wanted;

	mpfr_init2(wanted, FIXED_BITS);
	mpfr_set_d(wanted, x, MPFR_RNDN);
	mpfr_log(wanted, wanted, MPFR_RNDN);
	expect_pair("short logarithm", x, ln_short(x, 0), wanted,
				GS_LN_SHORT_ERROR);
	expect_pair("logarithm", x, ln_of(x, 0), wanted, GS_ERROR);
	mpfr_clear(wanted);
}

static void
test_pairs(void)
{
	test_begin("errors of exponentials and logarithms in two doubles");
	for (int i = 0; i < ROUNDS; i++)
	{
		double		x = signed_uniform() *
			(one_in(2) ? 745 : ldexp(1, -(int) random_below(40)));

		one_exp_pair(x, one_in(2) ? 0 : x * 0x1p-53 * signed_uniform());
		one_ln_pair(near_one());
		one_ln_pair(ldexp(1 + random_uniform(), (int) random_below(2000) - 1000));
	}
	test_end();
}

/* The nearest multiple of 10^-digits to x, exactly; then rounded. */
static void
one_rounding(double x, int digits)
{
	float		real = (float) x;
	double		wanted;
	double		result = -1;
	float		real_result = -1;
	gs_rounding rounding = gs_round_decimal(x, digits, &result);
	mpq_t		q;
	mpz_t		power;
	mpz_t		m;

	mpq_init(q);
	mpz_inits(power, m, (mpz_ptr) NULL);
	mpz_ui_pow_ui(power, 10, (unsigned long) abs(digits));
	for (int i = 0; i < 2; i++)
	{
		mpfr_t		r;

		/* m = floor (x 10^digits + 1/2), less 1 at a tie if it is odd */
		mpq_set_d(q, i == 0 ? x : real);
		if (digits >= 0)
			mpz_mul(mpq_numref(q), mpq_numref(q), power);
		else
			mpz_mul(mpq_denref(q), mpq_denref(q), power);
		mpz_mul_2exp(mpq_numref(q), mpq_numref(q), 1);
		mpz_add(mpq_numref(q), mpq_numref(q), mpq_denref(q));
		mpz_mul_2exp(mpq_denref(q), mpq_denref(q), 1);
		mpz_fdiv_q(m, mpq_numref(q), mpq_denref(q));
		if (mpz_divisible_p(mpq_numref(q), mpq_denref(q)) && mpz_odd_p(m))
			mpz_sub_ui(m, m, 1);
		mpq_set_z(q, m);
		if (digits >= 0)
			mpz_set(mpq_denref(q), power);
		else
			mpz_mul(mpq_numref(q), mpq_numref(q), power);
		mpq_canonicalize(q);
		if (i == 0)
		{
			mpfr_init2(r, 53);
			wanted = nearest_double(r, mpfr_set_q(r, q, MPFR_RNDN));
			expect_same("rounding", x, digits, rounding, result,
						wanted == 0 ? copysign(0, x) : wanted);
		}
		else
		{
			/* enough bits, so that it rounds to a float as q does */
			mpfr_init2(r, 2000);
			mpfr_set_q(r, q, MPFR_RNDN);
			wanted = mpfr_get_flt(r, MPFR_RNDN);
			rounding = gs_round_decimal_float(real, digits, &real_result);
			expect_same("rounding a float", real, digits, rounding,
						real_result,
						wanted == 0 ? copysign(0, real) : wanted);
		}
		mpfr_clear(r);
	}
	mpz_clears(power, m, (mpz_ptr) NULL);
	mpq_clear(q);
}

static void
test_round(void)
{
	test_begin("decimal rounding");
	for (int i = 0; i < ROUNDS; i++)
	{
		int			digits = (int) random_below(50) - 25;
		double		x = some_sign(ldexp(random_uniform(),
										(int) random_below(120) - 60));

		one_rounding(x, digits);
		one_rounding((double) random_below(200000) / 8 - 12500,
					 (int) random_below(6) - 3);
		one_rounding((double) ((int64_t) random_bits() >> random_below(60)),
					 (int) random_below(22) - 20);
		if (i % 8 != 0)
			continue;
		x = some_sign(any_positive());
		if (fabs(x) < FLT_MAX)
			one_rounding(x, (int) random_below(700) - 350);
		x = ldexp(1 + random_uniform(), (int) random_below(126));
		one_rounding(x, 15 - (int) log10(x));
	}
	test_end();
}

/* The error of an instruction follows from the result; where it is known without. */
static void
one_instruction(int code, double x, double y)
{
	double		result;
	double		wanted;
	gs_rounding rounding = code == GS_CODE_EXP ? gs_exp(x, &wanted) :
		gs_power(x, y, &wanted);
	bool		fails = rounding != GS_ROUNDED || fabs(wanted) < DBL_MIN;
	uint32_t	errors = gs_elementary_instruction(code, x, y, &result);

	expect(errors == (fails ? GS_ERROR_RANGE : 0),
		   "the errors of instruction %d of %a and %a are %u", code, x, y,
		   errors);
	expect(fails || result == wanted, "instruction %d of %a and %a gives %a",
		   code, x, y, result);
	if (rounding == GS_ROUNDED && fabs(wanted) < 0.999 * DBL_MIN)
		expect(gs_is_below_normal(code, x, y),
			   "instruction %d of %a and %a computes a result", code, x, y);
}

static void
test_instructions(void)
{
	test_begin("instructions at the end of the normal numbers");
	for (int i = 0; i < ROUNDS; i++)
	{
		double		ln = -708.4 + ldexp(signed_uniform(),
										7 - (int) random_below(20));
		double		x = one_in(2) ? any_positive() : near_one();

		one_instruction(GS_CODE_EXP, ln, 0);
		if (log(x) != 0)
			one_instruction(GS_CODE_POWER, x, ln / log(x));
		x = floor(random_below(1000) + 2);
		one_instruction(GS_CODE_POWER, -x, floor(ln / log(x)));
	}
	test_end();
}

void
test_elementary(void)
{
	mpfr_exp_t	least = mpfr_get_emin();
	mpfr_exp_t	greatest = mpfr_get_emax();

	gs_elementary_init();
	test_fixed();
	test_pairs();

	/* those of doubles, for mpfr_subnormalize */
	mpfr_set_emin(-1073);
	mpfr_set_emax(1024);
	test_exp();
	test_ln();
	test_log10();
	test_power();
	test_instructions();
	test_round();
	mpfr_set_emin(least);
	mpfr_set_emax(greatest);
}
