/*-------------------------------------------------------------------------
 *
 * elementary.c
 *	  Exponential, logarithm and power, rounded once.
 *
 * A result is computed as the sum of two doubles, with a bound of the error.
 * If the sum rounds to the same double wherever in these bounds it is, that is
 * the result (Ziv, ACM TOMS 17, 1991).  Of random arguments, one of 2^20
 * exponentials or logarithms remains, of powers one of 2^11 to 2^20: it is
 * computed again in fixed point, to less than 2^-360 of itself.
 *
 * That decides.  Exponentials and logarithms of doubles are never halfway
 * between two doubles, but for e^0 and ln 1, nor closer to there than 2^-118 of
 * themselves; e^x of tiny x is not closer than 2^-160 (Lefevre and Muller, 15th
 * IEEE Symposium on Computer Arithmetic, 2001).  A power can be a double or
 * halfway between two; such powers are found first, in integers.  How close
 * others come has not been searched; as there are 2^128 of them, one that is
 * closer than 2^-200 would be a wonder.  Even there, the result would be one of
 * the two nearest doubles, and the same on every machine.
 *
 * After Tang, ACM TOMS 15 and 16, 1989 and 1990: an argument is reduced by one
 * of a table, and a short series gives the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/elementary.h"
#include "exact/elementary_table.h"

#include <math.h>

/* Added and subtracted, it rounds what is below 2^51 to an integer. */
#define SHIFT			0x1.8p52

/*
 * Two doubles
 */

/*
 * e^(x.hi + x.lo) = (r.hi + r.lo) 2^*exponent, to less than 2^-76 of itself,
 * where |x.hi| < 750 and |x.lo| is below a unit in the last place of x.hi.
 *
 * x = k ln 2 / 128 + r, where |r| < 2^-8.5: x.hi less the first part of k ln 2 /
 * 128 is a double, and the parts of r are summed without error but for those
 * below 2^-43, which gives 2^-96.  e^r - 1 - r - r^2 / 2 is below 2^-28 and is
 * computed in a double with an error of less than 2^-78, most of it from
 * roundings; the terms that are left out are below 2^-83, what r's lower part
 * adds to the cube is below 2^-79.
 */
static inline gs_pair
exp_quickly(gs_pair x, int *exponent)
{
	double		k = x.hi * gs_elementary.steps_per_one + SHIFT - SHIFT;
	int			n = (int) k;
	gs_pair		t = gs_elementary.power[n & (GS_EXP_ENTRIES - 1)];
	gs_pair		r = gs_two_sum(x.hi - k * gs_elementary.step[0],
							   -k * gs_elementary.step[1]);
	gs_pair		square;
	gs_pair		p;
	gs_pair		product;
	double		rest;

	r = gs_fast_two_sum(r.hi, r.lo - k * gs_elementary.step[2] + x.lo);
	square = gs_two_product(r.hi, r.hi);
	rest = 1.0 / 120 + r.hi * (1.0 / 720 + r.hi * (1.0 / 5040));
	rest = r.hi * square.hi * (1.0 / 6 + r.hi * (1.0 / 24 + r.hi * rest));
	p = gs_fast_two_sum(r.hi, square.hi / 2);
	p = gs_fast_two_sum(p.hi, p.lo + (r.lo + (square.lo / 2 + r.hi * r.lo +
											  rest)));

	/* t (1 + p) */
	product = gs_two_product(t.hi, p.hi);
	rest = t.lo + (product.lo + t.hi * p.lo + t.lo * p.hi);
	r = gs_fast_two_sum(t.hi, product.hi);
	r.lo += rest;
	*exponent = (n - (n & (GS_EXP_ENTRIES - 1))) / GS_EXP_ENTRIES;
	return r;
}

/*
 * ln x = r.hi + r.lo, to less than 2^-76 of itself.
 *
 * x = 2^e m, and m times its table's inverse is 1 + z, exactly, in two doubles;
 * |z| <= 2^-8.  ln(1 + z) = z - z^2 / 2 + z^3 (1/3 - z u): u's error is below
 * 2^-53, so that of what is in parentheses is below 2^-60 and of the whole
 * below 2^-76 of z; the terms left out are below 2^-83 of it.  Other than
 * beside 1, where it is the only term, |z| is less than the result.
 */
static inline gs_pair
ln_quickly(double x)
{
	uint64_t	bits = gs_double_bits(x);
	int			e = 0;
	int			i;
	double		m;
	double		high;
	double		inverse;
	double		u;
	gs_pair		z;
	gs_pair		square;
	gs_pair		cube;
	gs_pair		c;
	gs_pair		s;
	double		rest;

	if (bits >> 52 == 0)
	{
		bits = gs_double_bits(x * 0x1p54);
		e = -54;
	}
	i = (int) (bits >> 44) & (GS_LN_ENTRIES - 1);
	e += (int) (bits >> 52) - 1023 + gs_elementary.ln[i].exponent;
	bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
	m = gs_bits_double(bits);
	high = gs_bits_double(bits & ~UINT64_C(0xffff));
	inverse = gs_elementary.ln[i].inverse;
	z = gs_two_sum(high * inverse - 1, (m - high) * inverse);

	u = 1.0 / 7 - z.hi * (1.0 / 8 - z.hi * (1.0 / 9 - z.hi * (1.0 / 10)));
	u = 1.0 / 4 - z.hi * (1.0 / 5 - z.hi * (1.0 / 6 - z.hi * u));
	c = gs_fast_two_sum(gs_elementary.third.hi, -z.hi * u);
	c.lo += gs_elementary.third.lo;
	square = gs_two_product(z.hi, z.hi);
	square.lo += 2 * z.hi * z.lo;
	cube = gs_two_product(square.hi, z.hi);
	cube.lo += square.hi * z.lo + square.lo * z.hi;
	rest = cube.lo * c.hi + cube.hi * c.lo;
	c = gs_two_product(cube.hi, c.hi);
	rest += c.lo;

	s = gs_two_sum(e * gs_elementary.ln2_high, gs_elementary.ln[i].ln.hi);
	rest += s.lo;
	s = gs_two_sum(s.hi, z.hi);
	rest += s.lo;
	s = gs_two_sum(s.hi, -square.hi / 2);
	rest += s.lo;
	s = gs_two_sum(s.hi, c.hi);
	rest += s.lo + (z.lo - square.lo / 2) + gs_elementary.ln[i].ln.lo +
		e * gs_elementary.ln2_low;
	return gs_fast_two_sum(s.hi, rest);
}

/* r 2^exponent, a normal number that its error does not touch. */
static inline bool
round_scaled(gs_pair r, double error, int exponent, double *result)
{
	if (exponent < -1021 || exponent > 1022 ||
		!gs_round_surely(r.hi, r.lo, error, result))
		return false;
	*result *= gs_bits_double((uint64_t) (exponent + 1023) << 52);
	return true;
}

/*
 * Fixed point
 */

static gs_rounding
exp_slowly(const gs_signed *x, bool negative, double *result)
{
	gs_fixed	r;
	int			exponent;
	gs_leading	v;

	gs_fixed_exp(&r, &exponent, x, &gs_elementary.ln2);
	v = gs_fixed_leading(&r);
	v.exponent += exponent;
	v.negative = negative;
	return gs_leading_to_double(v, result);
}

/* |x| as m 2^*exponent, 2^52 <= m < 2^53. */
static uint64_t
split_normally(double x, int *exponent)
{
	bool		negative;
	uint64_t	m = gs_split(x, exponent, &negative);
	int			shift = __builtin_clzll(m) - 11;

	*exponent += GS_ACC_LOWEST - shift;
	return m << shift;
}

static void
ln_slowly(double x, gs_signed *r)
{
	int			exponent;
	uint64_t	m = split_normally(x, &exponent);

	gs_fixed_ln(r, m, exponent, &gs_elementary.ln2);
}

/*
 * Functions
 */

gs_rounding
gs_exp(double x, double *result)
{
	gs_signed	exact;
	gs_pair		r;
	int			exponent;
	int			position;
	uint64_t	m;

	if (x > 710)
		return GS_OVERFLOW;
	if (x < -750)
	{
		*result = 0;
		return GS_ROUNDED;
	}
	r = exp_quickly((gs_pair) {x, 0}, &exponent);
	if (round_scaled(r, 0x1p-75 * r.hi, exponent, result))
		return GS_ROUNDED;
	m = gs_split(x, &position, &exact.negative);
	gs_fixed_set(&exact.magnitude, m, position + GS_ACC_LOWEST);
	return exp_slowly(&exact, false, result);
}

double
gs_ln(double x)
{
	gs_signed	exact;
	gs_leading	v;
	gs_pair		r = ln_quickly(x);
	double		result;

	if (x == 1)
		return 0;
	if (gs_round_surely(r.hi, r.lo, 0x1p-75 * fabs(r.hi), &result))
		return result;
	ln_slowly(x, &exact);
	v = gs_fixed_leading(&exact.magnitude);
	v.negative = exact.negative;
	(void) gs_leading_to_double(v, &result);
	return result;
}

/* The root of a square of an odd number below 2^53; 0 if it is none. */
static uint64_t
integer_root(uint64_t m)
{
	uint64_t	root = (uint64_t) sqrt((double) m);

	return root * root == m ? root : 0;
}

/*
 * x^y, x > 0, if that is a double, or halfway between two: x = m 2^e and y = n
 * 2^f, where m and n are odd.  For f < 0, x must be a power of 2^-f.  Then m^n
 * has more than 54 bits if n is greater than 34, unless m is 1; and if n is
 * negative, the power has no end.
 */
static bool
power_is_short(double x, double y, gs_leading *v)
{
	int			e;
	int			f;
	uint64_t	m = split_normally(x, &e);
	uint64_t	n = split_normally(y, &f);
	uint64_t	product = 1;

	e += __builtin_ctzll(m);
	m >>= __builtin_ctzll(m);
	f += __builtin_ctzll(n);
	n >>= __builtin_ctzll(n);
	for (; f < 0; f++)
	{
		if (e % 2 != 0 || (m = integer_root(m)) == 0 || (m == 1 && e == 0))
			return false;
		e /= 2;
	}
	if (f > 11 || n << f > 1100 || (m > 1 && (y < 0 || n << f > 34)))
		return false;
	n <<= f;
	for (uint64_t i = 0; m > 1 && i < n; i++)
	{
		product *= m;
		if (product >> 54 != 0)
			return false;
	}
	*v = (gs_leading) {
		.top = product << __builtin_clzll(product),
		.exponent = (y < 0 ? -e : e) * (int) n - __builtin_clzll(product)
	};
	return true;
}

static gs_rounding
power_slowly(double x, double y, bool negative, double *result)
{
	gs_leading	v;
	gs_signed	ln;
	int			exponent;
	uint64_t	m;

	if (power_is_short(x, y, &v))
	{
		v.negative = negative;
		return gs_leading_to_double(v, result);
	}
	ln_slowly(x, &ln);
	m = split_normally(y, &exponent);
	gs_fixed_multiply_small(&ln.magnitude, m);
	gs_fixed_shift(&ln.magnitude, exponent);
	ln.negative ^= y < 0;
	return exp_slowly(&ln, negative, result);
}

static inline bool
is_odd(double y)
{
	return y == floor(y) && y / 2 != floor(y / 2);
}

gs_rounding
gs_power(double x, double y, double *result)
{
	bool		negative = false;
	gs_pair		ln;
	gs_pair		product;
	gs_pair		r;
	int			exponent;
	double		high;

	if (x < 0 && floor(y) != y)
	{
		*result = gs_canonical_nan();
		return GS_ROUNDED;
	}
	if (gs_double_bits(x) >> 63)
	{
		negative = is_odd(y);
		x = -x;
	}
	if (y == 0 || x == 1 || x == 0)
	{
		*result = y == 0 || x == 1 ? 1 : 0;
		if (negative)
			*result = -*result;
		return GS_ROUNDED;
	}
	ln = ln_quickly(x);
	high = ln.hi * y;
	if (high > 710)
		return GS_OVERFLOW;
	if (high < -750 || fabs(high) < 0x1p-56)
	{
		/* nothing, or nearer to 1 than to its neighbours */
		*result = high < -750 ? 0 : 1;
		if (negative)
			*result = -*result;
		return GS_ROUNDED;
	}
	product = gs_two_product(ln.hi, y);
	product = gs_fast_two_sum(product.hi, product.lo + ln.lo * y);
	r = exp_quickly(product, &exponent);
	if (!round_scaled(r, (1 + fabs(high)) * 0x1p-75 * r.hi, exponent,
					  result))
		return power_slowly(x, y, negative, result);
	if (negative)
		*result = -*result;
	return GS_ROUNDED;
}
