/*-------------------------------------------------------------------------
 *
 * elementary.c
 *	  Exponential, logarithm and power, rounded once.
 *
 * A result is computed as the sum of two doubles, with a bound of the error.
 * If the sum rounds to the same double wherever in these bounds it is, that is
 * the result (Ziv, ACM TOMS 17, 1991).  Of random arguments, one of 2^20
 * exponentials or logarithms remains, of powers one of 2^11 to 2^20: it is
 * computed again in fixed point, to less than 2^-360 of itself.  The first step
 * is elementary_first.h's.
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
#define MULTIPLY_ADD(x, y, z)	((x) * (y) + (z))
#define TABLE			gs_elementary
#include "exact/elementary_first.h"
#undef TARGET
#undef QUICK
#undef PRODUCT
#undef MULTIPLY_ADD
#undef TABLE

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
	int			position;
	uint64_t	m;
	gs_first	first = exp_first(x, result);

	if (first != GS_UNDECIDED)
		return first == GS_DECIDED ? GS_ROUNDED : GS_OVERFLOW;
	m = gs_split(x, &position, &exact.negative);
	gs_fixed_set(&exact.magnitude, m, position + GS_ACC_LOWEST);
	return exp_slowly(&exact, false, result);
}

double
gs_ln(double x)
{
	gs_signed	exact;
	gs_leading	v;
	double		result;

	if (ln_first(x, &result) == GS_DECIDED)
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

gs_rounding
gs_power(double x, double y, double *result)
{
	gs_first	first = power_first(x, y, result);

	if (first != GS_UNDECIDED)
		return first == GS_DECIDED ? GS_ROUNDED : GS_OVERFLOW;
	return power_slowly(fabs(x), y, x < 0 && is_odd(y), result);
}
