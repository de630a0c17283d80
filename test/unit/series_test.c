/*-------------------------------------------------------------------------
 *
 * series_test.c
 *	  Even grids, triangles and exponentially weighted means against MPFR.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/ewma.h"
#include "exact/grid.h"
#include "exact/triangle.h"
#include "harness.h"
#include "oracle.h"

#include <math.h>

/* From 2^-2148 to 2^2051: sums of products of two doubles. */
#define EXACT_BITS	4400

/* For recurrences: what they lose is nothing beside the bounds. */
#define BITS		2400

#define ROUNDS		4000

typedef enum number_kind
{
	SMALL_INTEGER,
	DECIMAL,
	UNIFORM,
	ANY_DOUBLE,
	KINDS
} number_kind;

static double
random_number(number_kind kind)
{
	double		x;

	switch (kind)
	{
		case SMALL_INTEGER:
			return (double) (random_below(21) - 10);
		case DECIMAL:
			return (double) (random_below(2000001) - 1000000) / 100;
		case UNIFORM:
			return random_uniform() * (one_in(2) ? 1 : -1);
		default:
			do
				x = gs_bits_double(random_bits());
			while (!gs_is_finite(x));
			return one_in(4) ? ldexp(x, -1000) : x;
	}
}

static void
must_be_exact(int lost)
{
	if (lost != 0)
		abort();
}

/* r += sign x y */
static void
add_product(mpfr_t r, double x, double y, int sign)
{
	mpfr_t		product;

	mpfr_init2(product, EXACT_BITS);
	mpfr_set_d(product, x, MPFR_RNDN);
	must_be_exact(mpfr_mul_d(product, product, sign * y, MPFR_RNDN));
	must_be_exact(mpfr_add(r, r, product, MPFR_RNDN));
	mpfr_clear(product);
}

static void
one_line(number_kind kind)
{
	double		origin = random_number(kind);
	double		width = fabs(random_number(kind));
	double		k = trunc(ldexp(random_uniform(), (int) random_below(54)));
	gs_line		line;
	double		first;
	mpfr_t		exact;

	if (width == 0)
		return;
	k *= one_in(2) ? 1 : -1;
	line = gs_grid_line(origin, width, k);
	mpfr_init2(exact, EXACT_BITS);
	mpfr_set_d(exact, origin, MPFR_RNDN);
	add_product(exact, width, k, 1);
	first = mpfr_get_d(exact, MPFR_RNDU);
	expect(line.nearest == mpfr_get_d(exact, MPFR_RNDN) &&
		   line.first == first,
		   "%a + %a %a: %a and %a", origin, k, width, line.nearest, line.first);
	mpfr_clear(exact);
}

/* Twice the area. */
static void
set_area(mpfr_t r, const gs_triangle *t, gs_point b)
{
	mpfr_set_zero(r, 1);
	add_product(r, t->c.x, b.y, 1);
	add_product(r, t->c.x, t->a.y, -1);
	add_product(r, t->a.x, b.y, -1);
	add_product(r, t->c.y, b.x, -1);
	add_product(r, t->c.y, t->a.x, 1);
	add_product(r, t->a.y, b.x, 1);
	mpfr_abs(r, r, MPFR_RNDN);
}

/* The largest triangle of several points, some of them near a line. */
static void
one_triangle(number_kind kind)
{
	gs_triangle t;
	gs_point	a = {random_number(kind), random_number(kind)};
	gs_point	c = {random_number(kind), random_number(kind)};
	bool		near = one_in(3);
	mpfr_t		most;
	mpfr_t		area;

	mpfr_inits2(EXACT_BITS, most, area, (mpfr_ptr) NULL);
	gs_triangle_open(&t, a, c);
	mpfr_set_si(most, -1, MPFR_RNDN);
	for (int i = 0; i < 10; i++)
	{
		gs_point	b = {random_number(kind), random_number(kind)};
		bool		larger;

		if (near)
			b.y = a.y + (c.y - a.y) * ((b.x - a.x) / (c.x - a.x));
		if (!gs_is_finite(b.y))
			continue;
		if (one_in(4))
			b.x = -b.x;
		set_area(area, &t, b);
		larger = mpfr_cmp(area, most) > 0;
		if (larger)
			mpfr_set(most, area, MPFR_RNDN);
		expect(gs_triangle_grow(&t, b) == larger,
			   "(%a, %a) with (%a, %a) and (%a, %a): not %d", b.x, b.y,
			   a.x, a.y, c.x, c.y, larger);
	}
	mpfr_clears(most, area, (mpfr_ptr) NULL);
}

/* The definition: sums of elements, of their magnitudes, and of weights. */
typedef struct means
{
	mpfr_t		decay;
	mpfr_t		sum;
	mpfr_t		magnitudes;
	mpfr_t		weight;
	mpfr_t		term;
} means;

static void
add_element(means *m, double x, int gap, double alpha, bool adjust, bool first)
{
	double		gain = adjust || first ? 1 : alpha;

	mpfr_pow_ui(m->term, m->decay, (unsigned long) gap, MPFR_RNDN);
	mpfr_mul(m->sum, m->sum, m->term, MPFR_RNDN);
	mpfr_mul(m->magnitudes, m->magnitudes, m->term, MPFR_RNDN);
	mpfr_mul(m->weight, m->weight, m->term, MPFR_RNDN);
	mpfr_set_d(m->term, x, MPFR_RNDN);
	mpfr_mul_d(m->term, m->term, gain, MPFR_RNDN);
	mpfr_add(m->sum, m->sum, m->term, MPFR_RNDN);
	mpfr_abs(m->term, m->term, MPFR_RNDN);
	mpfr_add(m->magnitudes, m->magnitudes, m->term, MPFR_RNDN);
	mpfr_add_d(m->weight, m->weight, gain, MPFR_RNDN);
	if (adjust)
		return;
	mpfr_div(m->sum, m->sum, m->weight, MPFR_RNDN);
	mpfr_div(m->magnitudes, m->magnitudes, m->weight, MPFR_RNDN);
	mpfr_set_si(m->weight, 1, MPFR_RNDN);
}

/* Is it as near as ewma.h says?  Bounds of underflow are those of the scale. */
static void
expect_mean(means *m, double result, int64_t position, double greatest)
{
	mpfr_t		mean;
	mpfr_t		bound;

	mpfr_inits2(BITS, mean, bound, (mpfr_ptr) NULL);
	mpfr_div(mean, m->sum, m->weight, MPFR_RNDN);
	mpfr_div(bound, m->magnitudes, m->weight, MPFR_RNDN);
	mpfr_mul_d(bound, bound, ldexp((double) position + 10, -100), MPFR_RNDN);
	mpfr_abs(m->term, mean, MPFR_RNDN);
	mpfr_mul_d(m->term, m->term, 0x1.00000001p-53, MPFR_RNDN);
	mpfr_add(bound, bound, m->term, MPFR_RNDN);
	mpfr_set_d(m->term, greatest, MPFR_RNDN);
	mpfr_mul_2si(m->term, m->term, -1000, MPFR_RNDN);
	mpfr_add(bound, bound, m->term, MPFR_RNDN);
	mpfr_add_d(bound, bound, 0x1p-1074, MPFR_RNDN);
	mpfr_sub_d(m->term, mean, result, MPFR_RNDN);
	expect(mpfr_cmpabs(m->term, bound) <= 0, "position %d: %a, not %a",
		   (int) position, result, mpfr_get_d(mean, MPFR_RNDN));
	mpfr_clears(mean, bound, (mpfr_ptr) NULL);
}

/*
 * Is the sum of quick steps as near as ewma.h says, and a mean that is sure the
 * nearest double?  The greatest magnitude so far is such as they ask for.
 */
static void
expect_quick_mean(means *m, gs_pair sum, double doubt, int64_t position)
{
	mpfr_t		error;
	double		mean = 0;

	mpfr_init2(error, BITS);
	mpfr_sub_d(error, m->sum, sum.hi, MPFR_RNDN);
	mpfr_sub_d(error, error, sum.lo, MPFR_RNDN);
	expect(mpfr_cmp_d(error, doubt) <= 0 && mpfr_cmp_d(error, -doubt) >= 0,
		   "position %d: quick steps err by %a, not %a", (int) position,
		   mpfr_get_d(error, MPFR_RNDN), doubt);
	expect(!gs_ewma_is_sure(sum, doubt, &mean) ||
		   mean == mpfr_get_d(m->sum, MPFR_RNDN),
		   "position %d: %a, not %a", (int) position, mean,
		   mpfr_get_d(m->sum, MPFR_RNDN));
	mpfr_clear(error);
}

static void
step_quickly(gs_pair *sum, double x, double alpha, int64_t position)
{
	if (position % GS_EWMA_QUICK == 0)
		*sum = gs_fast_two_sum(sum->hi, sum->lo);
	*sum = gs_ewma_quick_step(gs_two_sum(1, -alpha), *sum, alpha, x);
}

#define ELEMENTS	1500

static void
one_series(number_kind kind, bool adjust, bool gaps)
{
	static double x[ELEMENTS];
	static double result[ELEMENTS];
	static int32_t gap[ELEMENTS];
	int			n = 1 + (int) random_below(one_in(4) ? ELEMENTS : 300);
	double		alpha = one_in(3) ? 0.5 : 1 - random_uniform();
	double		greatest = 0;
	double		most = 0;		/* so far */
	int64_t		position = 0;
	gs_pair		quick = {0, 0};
	gs_ewma		e;
	means		m;

	for (int i = 0; i < n; i++)
	{
		x[i] = random_number(kind);
		gap[i] = !gaps || one_in(2) ? 1 : 1 + (int32_t) random_below(100);
		greatest = fmax(greatest, fabs(x[i]));
	}
	gs_ewma_open(&e, alpha, adjust, greatest);
	for (int at = 0; at < n; at += GS_EWMA_TILE)
		gs_ewma_next(&e, x + at, NULL, gaps ? gap + at : NULL,
					 n - at < GS_EWMA_TILE ? n - at : GS_EWMA_TILE,
					 result + at);
	mpfr_inits2(BITS, m.decay, m.sum, m.magnitudes, m.weight, m.term,
				(mpfr_ptr) NULL);
	mpfr_set_si(m.decay, 1, MPFR_RNDN);
	mpfr_sub_d(m.decay, m.decay, alpha, MPFR_RNDN);
	mpfr_set_zero(m.sum, 1);
	mpfr_set_zero(m.magnitudes, 1);
	mpfr_set_zero(m.weight, 1);
	for (int i = 0; i < n; i++)
	{
		position += gap[i];
		add_element(&m, x[i], gap[i], alpha, adjust, i == 0);
		expect_mean(&m, result[i], position, greatest);
		if (i == 0)
			quick.hi = x[0];
		step_quickly(&quick, x[i], alpha, i);
		most = fmax(most, fabs(x[i]));
		if (!gaps && !adjust && most >= 0x1p-700 && greatest < 0x1p900)
			expect_quick_mean(&m, quick, gs_ewma_doubt(alpha) * most, i);
	}
	mpfr_clears(m.decay, m.sum, m.magnitudes, m.weight, m.term,
				(mpfr_ptr) NULL);
}

void
test_series(void)
{
	for (int kind = 0; kind < KINDS; kind++)
	{
		test_begin("even grids of numbers, kind %d", kind);
		for (int i = 0; i < ROUNDS; i++)
			one_line((number_kind) kind);
		test_end();
		test_begin("triangles, kind %d", kind);
		for (int i = 0; i < ROUNDS / 10; i++)
			one_triangle((number_kind) kind);
		test_end();
		for (int form = 0; form < 4; form++)
		{
			test_begin("exponentially weighted means, kind %d, form %d",
					   kind, form);
			for (int i = 0; i < 10; i++)
				one_series((number_kind) kind, form % 2, form / 2);
			test_end();
		}
	}
}
