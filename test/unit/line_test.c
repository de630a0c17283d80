/*-------------------------------------------------------------------------
 *
 * line_test.c
 *	  Relative changes, straight lines and areas against MPFR.
 *
 * Random numbers of kinds for which the short way suffices, of kinds for which
 * it does not, and some whose results are halfway between two doubles.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "exact/line.h"
#include "harness.h"
#include "oracle.h"

#include <math.h>

/* From 2^-2148 to 2^2050: products of two doubles. */
#define EXACT_BITS	4400

#define ROUNDS		20000
#define MOST		12
#define CHANGES		1000

typedef enum number_kind
{
	SMALL_INTEGER,
	INTEGER,
	HALVES,
	DECIMAL,
	UNIFORM,
	ANY_DOUBLE,
	KINDS
} number_kind;

static gs_pair
random_number(number_kind kind)
{
	gs_pair		r = {0, 0};

	switch (kind)
	{
		case SMALL_INTEGER:
			return gs_pair_normal(random_below(2001) - 1000);
		case INTEGER:
			return gs_pair_normal((int64_t) random_bits() >> random_below(64));
		case HALVES:
			r.hi = ldexp((double) (random_below(4096) - 2048), -11);
			break;
		case DECIMAL:
			r.hi = (double) (random_below(2000001) - 1000000) / 100;
			break;
		case UNIFORM:
			r.hi = random_uniform() * (one_in(2) ? 1 : -1);
			break;
		default:
			do
				r.hi = gs_bits_double(random_bits());
			while (!gs_is_finite(r.hi));
			if (one_in(4))
				r.hi = ldexp(r.hi, -1000);
			if (r.hi == 0)
				r.hi = 0;		/* -0 is for test_special */
	}
	return r;
}

static void
must_be_exact(int lost)
{
	if (lost != 0)
		abort();
}

/* r += sign (a.hi + a.lo) */
static void
add(mpfr_t r, gs_pair a, int sign)
{
	must_be_exact(mpfr_add_d(r, r, sign * a.hi, MPFR_RNDN));
	must_be_exact(mpfr_add_d(r, r, sign * a.lo, MPFR_RNDN));
}

/* r = a - b */
static void
set_difference(mpfr_t r, gs_pair a, gs_pair b)
{
	mpfr_set_zero(r, 1);
	add(r, a, 1);
	add(r, b, -1);
}

/* r += y (a - b) */
static void
add_area(mpfr_t r, gs_pair y, gs_pair a, gs_pair b)
{
	const gs_pair zero = {0, 0};
	mpfr_t		height;
	mpfr_t		length;

	mpfr_inits2(EXACT_BITS, height, length, (mpfr_ptr) NULL);
	set_difference(height, y, zero);
	set_difference(length, a, b);
	must_be_exact(mpfr_mul(length, length, height, MPFR_RNDN));
	must_be_exact(mpfr_add(r, r, length, MPFR_RNDN));
	mpfr_clears(height, length, (mpfr_ptr) NULL);
}

static void
expect_quotient(const char *what, gs_rounding rounding, double result,
				mpfr_t numerator, mpfr_t denominator)
{
	double		wanted = 0;
	mpfr_t		q;

	mpfr_init(q);
	if (!mpfr_zero_p(numerator))
	{
		oracle_divide(q, numerator, denominator);
		wanted = mpfr_get_d(q, MPFR_RNDN);
	}
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
one_change(number_kind kind)
{
	gs_pair		from = random_number(kind);
	gs_pair		to = one_in(50) ? from : random_number(kind);
	mpfr_t		change;
	mpfr_t		base;
	double		result = 0;
	gs_rounding rounding;

	if (from.hi == 0)
		return;
	if (one_in(4) && kind != INTEGER)
		to.hi = from.hi *
			(1 + ldexp(random_uniform(), -(int) random_below(60)));
	if (!gs_is_finite(to.hi))
		return;
	mpfr_inits2(EXACT_BITS, change, base, (mpfr_ptr) NULL);
	set_difference(change, to, from);
	set_difference(base, from, (gs_pair) {0, 0});
	rounding = gs_relative_change(from, to, &result);
	expect_quotient("change", rounding, result, change, base);
	mpfr_clears(change, base, (mpfr_ptr) NULL);
}

/* Of integers: nearly all are decided, and those are the same. */
static void
integer_changes(void)
{
	int			decided = 0;

	for (int i = 0; i < 20000; i++)
	{
		int64_t		from = (int64_t) random_bits() >> random_below(60);
		int64_t		to = one_in(2) ? (int64_t) random_bits() >> random_below(60) :
			(int64_t) ((uint64_t) from + random_below(5) - 2);
		double		result;
		double		wanted;

		if (from == 0 || !gs_change_of_integers(from, to, &result))
			continue;
		decided++;
		expect(gs_relative_change(gs_pair_normal(from), gs_pair_normal(to),
								  &wanted) == GS_ROUNDED &&
			   gs_double_bits(result) == gs_double_bits(wanted),
			   "from %lld to %lld: %a, not %a", (long long) from,
			   (long long) to, result, wanted);
	}
	expect(decided > 15000, "%d of 20000 are decided", decided);
}

/* Of many at once: those that are known are the same. */
static void
many_changes(number_kind kind)
{
	double		from[CHANGES + 1];
	double		result[CHANGES];
	uint8_t		known[CHANGES];
	int			all = 0;

	for (int i = 0; i <= CHANGES; i++)
		from[i] = i > 0 && one_in(4) ? from[i - 1] *
			(1 + ldexp(random_uniform(), -(int) random_below(60))) :
			one_in(100) ? (double) INFINITY : random_number(kind).hi;
	gs_cpu_most_lanes = 2 << random_below(3);
	gs_cpu_changes(from, CHANGES, result, known);
	gs_cpu_most_lanes = 8;
	for (int i = 0; i < CHANGES; i++)
	{
		gs_rounding rounding;
		double		wanted;

		if (!known[i])
			continue;
		all++;
		rounding = gs_relative_change((gs_pair) {from[i], 0},
									  (gs_pair) {from[i + 1], 0}, &wanted);
		expect(rounding == GS_ROUNDED &&
			   gs_double_bits(result[i]) == gs_double_bits(wanted),
			   "from %a to %a: %a, not %a", from[i], from[i + 1], result[i],
			   wanted);
	}
	expect(kind != UNIFORM || all > CHANGES / 2, "%d are known", all);
}

static int
compare_numbers(const void *a, const void *b)
{
	const gs_pair *x = a;
	const gs_pair *y = b;

	if (x->hi != y->hi)
		return x->hi < y->hi ? -1 : 1;
	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Ascending numbers, all different; how many there are. */
static int
random_times(gs_pair *x, int n, number_kind kind)
{
	int			different = 1;

	for (int i = 0; i < n; i++)
		x[i] = random_number(kind);
	qsort(x, n, sizeof(gs_pair), compare_numbers);
	for (int i = 1; i < n; i++)
	{
		if (compare_numbers(&x[i], &x[different - 1]) != 0)
			x[different++] = x[i];
	}
	return different;
}

static void
one_line(number_kind times, number_kind values)
{
	gs_pair		x[3];
	gs_pair		y0 = random_number(values);
	gs_pair		y1 = random_number(values);
	mpfr_t		area;
	mpfr_t		length;
	double		result;

	if (random_times(x, 3, times) < 3)
		return;
	if (one_in(10))
	{
		/* they cancel */
		y1.hi = -y0.hi;
		y1.lo = -y0.lo;
	}
	mpfr_inits2(EXACT_BITS, area, length, (mpfr_ptr) NULL);
	mpfr_set_zero(area, 1);
	add_area(area, y0, x[2], x[1]);
	add_area(area, y1, x[1], x[0]);
	set_difference(length, x[2], x[0]);
	result = gs_line_at(x[0], y0, x[2], y1, x[1]);
	expect_quotient("line", GS_ROUNDED, result, area, length);
	mpfr_clears(area, length, (mpfr_ptr) NULL);
}

/* Of many at once, as of many changes. */
static void
many_lines(number_kind times, number_kind values)
{
	double		y0[CHANGES];
	double		y1[CHANGES];
	double		run[CHANGES];
	double		length[CHANGES];
	double		result[CHANGES];
	uint8_t		known[CHANGES];
	int			all = 0;

	for (int i = 0; i < CHANGES; i++)
	{
		y0[i] = one_in(100) ? (double) INFINITY : random_number(values).hi;
		y1[i] = one_in(10) ? -y0[i] : one_in(10) ? y0[i] :
			random_number(values).hi;
		length[i] = fabs(random_number(times).hi);
		run[i] = one_in(10) ? length[i] / 2 : length[i] * random_uniform();
	}
	gs_cpu_most_lanes = 2 << random_below(3);
	gs_cpu_lines(y0, y1, run, length, CHANGES, result, known);
	gs_cpu_most_lanes = 8;
	for (int i = 0; i < CHANGES; i++)
	{
		double		wanted;

		if (!known[i])
			continue;
		all++;
		if (!(run[i] > 0 && run[i] < length[i]))
			continue;
		wanted = gs_line_at((gs_pair) {0, 0}, (gs_pair) {y0[i], 0},
							(gs_pair) {length[i], 0}, (gs_pair) {y1[i], 0},
							(gs_pair) {run[i], 0});
		expect(gs_double_bits(result[i]) == gs_double_bits(wanted),
			   "from %a to %a, %a of %a: %a, not %a", y0[i], y1[i], run[i],
			   length[i], result[i], wanted);
	}
	expect(values != UNIFORM || times != UNIFORM || all > CHANGES / 2,
		   "%d are known", all);
}

static void
one_area(number_kind times, number_kind values)
{
	gs_pair		x[MOST];
	int			n = random_times(x, MOST, times);
	unsigned int divisor = 1 + (unsigned int) random_below(2);
	mpfr_t		area;
	mpfr_t		length;
	gs_acc2		sum;

	if (n < 2)
		return;
	mpfr_inits2(EXACT_BITS, area, length, (mpfr_ptr) NULL);
	mpfr_set_zero(area, 1);
	gs_acc2_init(&sum);
	for (int i = 1; i < n; i++)
	{
		gs_pair		y = random_number(values);

		gs_area_add(&sum, y, x[i - 1], x[i]);
		add_area(area, y, x[i], x[i - 1]);
	}
	set_difference(length, x[n - 1], x[0]);
	must_be_exact(mpfr_mul_ui(length, length, divisor, MPFR_RNDN));
	expect_quotient("mean", GS_ROUNDED,
					gs_area_mean(&sum, x[0], x[n - 1], divisor), area, length);
	mpfr_clears(area, length, (mpfr_ptr) NULL);
}

static double
line_between(double y0, double y1)
{
	return gs_line_at((gs_pair) {0, 0}, (gs_pair) {y0, 0}, (gs_pair) {2, 0},
					  (gs_pair) {y1, 0}, (gs_pair) {1, 0});
}

static double
mean_of(double y0, double y1)
{
	gs_acc2		sum;

	gs_acc2_init(&sum);
	gs_area_add(&sum, (gs_pair) {y0, 0}, (gs_pair) {-DBL_MAX, 0},
				(gs_pair) {0, 0});
	gs_area_add(&sum, (gs_pair) {y1, 0}, (gs_pair) {0, 0},
				(gs_pair) {DBL_MAX, 0});
	return gs_area_mean(&sum, (gs_pair) {-DBL_MAX, 0}, (gs_pair) {DBL_MAX, 0},
						1);
}

static void
test_special(void)
{
	static const struct
	{
		double		y0;
		double		y1;
		double		between;
	}			cases[] = {
		{INFINITY, 1, INFINITY}, {1, -INFINITY, -INFINITY},
		{INFINITY, INFINITY, INFINITY}, {INFINITY, -INFINITY, NAN},
		{NAN, 1, NAN}, {INFINITY, NAN, NAN}, {-0.0, -0.0, -0.0},
		{-0.0, 0, 0}, {-1, 1, 0}, {DBL_MAX, DBL_MAX, DBL_MAX},
		{DBL_MAX, -DBL_MAX, 0}, {DBL_TRUE_MIN, 0, 0}
	};

	test_begin("lines and areas of special values");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
	{
		double		wanted = isnan(cases[i].between) ? gs_canonical_nan() :
			cases[i].between;
		double		line = line_between(cases[i].y0, cases[i].y1);
		double		mean = mean_of(cases[i].y0, cases[i].y1);

		expect(gs_double_bits(line) == gs_double_bits(wanted),
			   "between %a and %a: %a", cases[i].y0, cases[i].y1, line);
		expect(gs_double_bits(mean) == gs_double_bits(wanted),
			   "mean of %a and %a: %a", cases[i].y0, cases[i].y1, mean);
	}
	test_end();
}

void
test_line(void)
{
	test_begin("changes of integers");
	integer_changes();
	test_end();
	for (int kind = 0; kind < KINDS; kind++)
	{
		test_begin("changes of numbers, kind %d", kind);
		for (int i = 0; i < ROUNDS; i++)
			one_change((number_kind) kind);
		for (int i = 0; i < ROUNDS / 200; i++)
			many_changes((number_kind) kind);
		test_end();
		for (int values = 0; values < KINDS; values++)
		{
			test_begin("lines and areas, times of kind %d, values of kind %d",
					   kind, values);
			for (int i = 0; i < ROUNDS / 20; i++)
			{
				one_line((number_kind) kind, (number_kind) values);
				one_area((number_kind) kind, (number_kind) values);
			}
			for (int i = 0; i < ROUNDS / 200; i++)
				many_lines((number_kind) kind, (number_kind) values);
			test_end();
		}
	}
	test_special();
}
