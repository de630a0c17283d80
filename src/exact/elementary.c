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

#define TARGET
#define QUICK(name)		name
#define PRODUCT			gs_two_product
#include "exact/elementary_quick.h"
#undef TARGET
#undef QUICK
#undef PRODUCT

/*
 * Two doubles
 */

/* As exp_of, 2^*exponent being apart. */
static inline gs_pair
exp_quickly(gs_pair x, int *exponent)
{
	uint64_t	k;
	gs_pair		r = exp_of(x, &k);
	int			n = (int) (int64_t) (k - GS_SHIFT_BITS);

	*exponent = (n - (n & (GS_EXP_ENTRIES - 1))) / GS_EXP_ENTRIES;
	return r;
}

/* As ln_of, of subnormal numbers too. */
static inline gs_pair
ln_quickly(double x)
{
	if (gs_double_bits(x) >> 52 == 0)
		return ln_of(x * 0x1p54, -54);
	return ln_of(x, 0);
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
