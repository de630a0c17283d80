/*-------------------------------------------------------------------------
 *
 * product_test.c
 *	  Products: the value against MPFR, the tree against its definition.
 *
 *-------------------------------------------------------------------------
 */
#include "harness.h"

#include <math.h>
#include <mpfr.h>

#define BITS	2000

#define MAX_FACTORS		100

static void
set_product(mpfr_t to, gs_product x)
{
	mpfr_t		lo;

	mpfr_init2(lo, BITS);
	mpfr_set_d(to, x.hi, MPFR_RNDN);
	mpfr_set_d(lo, x.lo, MPFR_RNDN);
	mpfr_add(to, to, lo, MPFR_RNDN);
	mpfr_mul_2si(to, to, (long) x.exponent, MPFR_RNDN);
	mpfr_clear(lo);
}

/* |x - y| <= n 2^-103 |y|, as product.h guarantees for n multiplications? */
static bool
is_near(mpfr_t x, mpfr_t y, int64_t n)
{
	mpfr_t		d;
	bool		near;

	if (mpfr_zero_p(y))
		return mpfr_zero_p(x);
	mpfr_init2(d, BITS);
	mpfr_sub(d, x, y, MPFR_RNDN);
	mpfr_div(d, d, y, MPFR_RNDN);
	mpfr_mul_2ui(d, d, 103, MPFR_RNDN);
	near = mpfr_cmp_si(d, n) <= 0 && mpfr_cmp_si(d, -n) >= 0;
	mpfr_clear(d);
	return near;
}

/*
 * Is r a possible result for n factors with the product x: x (1 + n 2^-103) or
 * x (1 - n 2^-103), rounded?  The two are mostly the same.
 */
static bool
is_rounded(double r, mpfr_t x, int64_t n)
{
	double		wanted[2];
	mpfr_t		d;

	mpfr_init2(d, BITS);
	for (int i = 0; i < 2; i++)
	{
		mpfr_mul_si(d, x, i == 0 ? -n : n, MPFR_RNDN);
		mpfr_div_2ui(d, d, 103, MPFR_RNDN);
		mpfr_add(d, d, x, MPFR_RNDN);
		wanted[i] = mpfr_get_d(d, MPFR_RNDN);
	}
	mpfr_clear(d);
	return gs_double_bits(r) == gs_double_bits(wanted[0]) ||
		gs_double_bits(r) == gs_double_bits(wanted[1]);
}

static bool
is_normal(gs_product x)
{
	return fabs(x.hi) >= 1 && fabs(x.hi) < 2 && fabs(x.lo) <= 0x1p-53;
}

static gs_product
from_value(gs_type type, gs_value v)
{
	if (type == GS_FLOAT4 || type == GS_FLOAT8)
		return gs_product_from_double(value_double(type, v));
	return gs_product_from_int64(value_int(type, v));
}

static void
fill_values(test_array *a, data_kind kind)
{
	double		v[MAX_FACTORS];
	float		f[MAX_FACTORS];

	fill_double(v, (int) a->n, kind);
	fill_float(f, (int) a->n, kind);
	for (int64_t i = 0; i < a->n; i++)
	{
		if (a->type == GS_FLOAT8)
			a->v[i].f8 = v[i];
		else if (a->type == GS_FLOAT4)
			a->v[i].f4 = f[i];
		else if (kind == DATA_SMALL_INTEGERS)
			a->v[i].i8 = (int64_t) v[i];
		else
			a->v[i].i8 = (int64_t) random_bits() >> random_below(64);
	}
}

static void
test_values(gs_type type, data_kind kind)
{
	test_begin("products of %s: %s", data_names[kind],
			   type == GS_FLOAT8 ? "double" :
			   type == GS_FLOAT4 ? "real" : "bigint");
	for (int array = 0; array < 300; array++)
	{
		test_array	a = array_new(type, 1 + random_below(MAX_FACTORS));
		gs_op		op = {.kind = GS_PRODUCT, .type = type};
		outcome		o;
		mpfr_t		product;
		mpfr_t		result;
		double		rounded = 0;
		double		wanted;
		bool		special = false;

		fill_values(&a, kind);
		mpfr_init2(product, BITS);
		mpfr_init2(result, BITS);
		mpfr_set_si(product, 1, MPFR_RNDN);
		for (int64_t i = 0; i < a.n; i++)
		{
			gs_product	factor = from_value(type, a.v[i]);

			if (type == GS_FLOAT4 || type == GS_FLOAT8)
				mpfr_mul_d(product, product, value_double(type, a.v[i]),
						   MPFR_RNDN);
			else
				mpfr_mul_si(product, product, value_int(type, a.v[i]),
							MPFR_RNDN);
			if (gs_product_is_special(factor.hi))
				special = true;
			else
				expect(is_normal(factor), "factor %a + %a", factor.hi,
					   factor.lo);
		}
		o = execute(&op, &a, CUT_NONE);
		if (special)
		{
			wanted = mpfr_get_d(product, MPFR_RNDN);
			expect(gs_product_round(o.result.product, &rounded) &&
				   (isnan(wanted) ? gs_double_bits(rounded) ==
					UINT64_C(0x7ff8000000000000) :
					gs_double_bits(rounded) == gs_double_bits(wanted)),
				   "special product %a, not %a", rounded, wanted);
		}
		else
		{
			expect(is_normal(o.result.product), "product %a + %a",
				   o.result.product.hi, o.result.product.lo);
			set_product(result, o.result.product);
			expect(is_near(result, product, a.n - 1),
				   "product %a * 2^%lld is not near",
				   o.result.product.hi, (long long) o.result.product.exponent);
			if (gs_product_round(o.result.product, &rounded))
				expect(is_rounded(rounded, product, a.n - 1),
					   "product of %lld: %a", (long long) a.n, rounded);
			else
				expect(isinf(mpfr_get_d(product, MPFR_RNDN)),
					   "product of %lld is in range", (long long) a.n);
		}
		mpfr_clear(product);
		mpfr_clear(result);
		outcome_free(&o);
		array_free(&a);
	}
	test_end();
}

/*
 * One multiplication of factors that make its error large: hi near 1 or with
 * few zeros, lo almost half a unit of hi.
 */
static void
test_multiplication(void)
{
	mpfr_t		x[3];

	test_begin("multiplications of pairs of doubles");
	for (int i = 0; i < 3; i++)
		mpfr_init2(x[i], BITS);
	for (int i = 0; i < 300000; i++)
	{
		gs_product	a[2];
		gs_product	r;

		for (int j = 0; j < 2; j++)
		{
			double		hi = 1 + random_uniform();
			double		lo = ldexp(1 - ldexp(random_uniform(),
											 -(int) random_below(53)), -53);

			if (random_below(3) == 0)
				hi = 1 + ldexp(random_uniform(), -(int) random_below(52));
			if (random_bits() & 1)
				lo = -lo;
			a[j] = gs_product_one();
			a[j].hi = hi;
			a[j].lo = hi + lo == hi ? lo : lo / 2;
			if (random_bits() & 1)
			{
				a[j].hi = -a[j].hi;
				a[j].lo = -a[j].lo;
			}
			set_product(x[j], a[j]);
		}
		r = gs_product_multiply(a[0], a[1]);
		expect(is_normal(r), "%a + %a", r.hi, r.lo);
		mpfr_mul(x[0], x[0], x[1], MPFR_RNDN);
		set_product(x[2], r);
		expect(is_near(x[2], x[0], 1), "(%a + %a) * (%a + %a) = %a + %a",
			   a[0].hi, a[0].lo, a[1].hi, a[1].lo, r.hi, r.lo);
	}
	for (int i = 0; i < 3; i++)
		mpfr_clear(x[i]);
	test_end();
}

/* Rounding of products near every limit. */
static void
test_rounding(void)
{
	static const double interesting[] = {
		0, 0x1p-54, 0x1p-55, 0x1p-53, 0x1.8p-54, 0x1p-105, 0x1p-64, 0x1p-63,
		0x1p-300
	};

	test_begin("rounding of products");
	for (int i = 0; i < 200000; i++)
	{
		gs_product	x = gs_product_one();
		mpfr_t		exact;
		double		wanted;
		double		result = 0;
		bool		in_range;

		if (random_below(3) > 0)
			x.hi = 1 + random_uniform();
		else if (random_bits() & 1)
			x.hi = 2 - 0x1p-52;
		x.lo = interesting[random_below(9)];
		if (random_bits() & 1)
			x.lo += ldexp(random_uniform(), -55 - (int) random_below(60));
		if (random_bits() & 1)
			x.lo = -x.lo;
		if (random_bits() & 1)
			x.hi = -x.hi;
		/* as gs_product_multiply leaves it */
		if (x.hi + x.lo != x.hi)
			continue;
		switch (random_below(5))
		{
			case 0:
				x.exponent = 1020 + random_below(6);
				break;
			case 1:
				x.exponent = -1080 + random_below(60);
				break;
			case 2:
				x.exponent = (int64_t) random_bits() >> random_below(64);
				break;
			default:
				x.exponent = random_below(200) - 100;
		}
		if (x.exponent > 5000 || x.exponent < -5000)
		{
			in_range = gs_product_round(x, &result);
			expect(x.exponent > 0 ? !in_range : in_range && result == 0 &&
				   !signbit(result) == !signbit(x.hi), "2^%lld gives %a",
				   (long long) x.exponent, result);
			continue;
		}
		mpfr_init2(exact, BITS);
		set_product(exact, x);
		wanted = mpfr_get_d(exact, MPFR_RNDN);
		in_range = gs_product_round(x, &result);
		if (isinf(wanted))
			expect(!in_range, "(%a + %a) * 2^%lld is in range", x.hi, x.lo,
				   (long long) x.exponent);
		else
			expect(in_range &&
				   gs_double_bits(result) == gs_double_bits(wanted),
				   "(%a + %a) * 2^%lld: %a, not %a", x.hi, x.lo,
				   (long long) x.exponent, result, wanted);
		mpfr_clear(exact);
	}
	test_end();
}

/* B(k, j) by its definition. */
static gs_product
block_product(const gs_product *factors, int k, int64_t j)
{
	if (k == 0)
		return factors[j];
	return gs_product_multiply(block_product(factors, k - 1, 2 * j),
							   block_product(factors, k - 1, 2 * j + 1));
}

/* The stack gives F(n) for every n, even if whole blocks are pushed. */
static void
test_stack(void)
{
	enum
	{
		N = 700
	};
	gs_product	factors[N];
	gs_product_stack s;

	test_begin("products by a stack of blocks");
	memset(&s, 0, sizeof s);
	for (int i = 0; i < N; i++)
	{
		factors[i] = gs_product_from_double(random_normal());
		factors[i].starts = random_below(40) == 0;
	}
	for (int64_t n = 1; n <= N; n++)
	{
		gs_product	f = gs_product_one();
		gs_product_stack blocks;
		int64_t		at = 0;

		memset(&blocks, 0, sizeof blocks);
		for (int k = 10; k >= 0; k--)
		{
			if (n >> k & 1)
			{
				gs_product	b = block_product(factors, k, at >> k);

				f = at == 0 ? b : gs_product_multiply(f, b);
				gs_product_stack_push(&blocks, b, k);
				at += 1 << k;
			}
		}
		gs_product_stack_push(&s, factors[n - 1], 0);
		expect(same_product(gs_product_stack_fold(&s), f),
			   "F(%lld) by elements", (long long) n);
		expect(same_product(gs_product_stack_fold(&blocks), f),
			   "F(%lld) by blocks", (long long) n);
	}
	test_end();
}

void
test_product(void)
{
	static const data_kind kinds[] = {
		DATA_UNIFORM, DATA_NORMAL, DATA_LOGNORMAL_10, DATA_SUBNORMAL,
		DATA_NEAR_OVERFLOW, DATA_MIXED, DATA_ZEROS, DATA_INFINITIES, DATA_NAN,
		DATA_SMALL_INTEGERS, DATA_ANY_BITS
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
	{
		test_values(GS_FLOAT8, kinds[i]);
		test_values(GS_FLOAT4, kinds[i]);
	}
	test_values(GS_INT8, DATA_SMALL_INTEGERS);
	test_values(GS_INT8, DATA_ANY_BITS);
	test_multiplication();
	test_rounding();
	test_stack();
}
