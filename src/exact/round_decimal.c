/*-------------------------------------------------------------------------
 *
 * round_decimal.c
 *	  The nearest multiple of a power of ten, rounded once to a double or float.
 *
 * With x the number and P the power, the multiple is m times P or m divided by
 * it.  As long as both are doubles without error, and m is below 2^53, so are m
 * and the error of its product or quotient.  For others, m is found with the
 * leading bits of an integer of any length.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"
#include "exact/elementary.h"

#include <math.h>

/* Powers of ten up to this one are doubles. */
#define DOUBLE_POWER	22

/* With more places, every double is a multiple or nearer to itself. */
#define MOST_PLACES		323

/* With as many places before the point, all doubles are nearer to 0. */
#define MOST_ZEROS		309

static const double power_of_ten[DOUBLE_POWER + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
	1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

double
gs_double_power_of_ten(int exponent)
{
	return exponent > DOUBLE_POWER ? 0 : power_of_ten[exponent];
}

/* x P, rounded to an integer; false if that is 2^53 or more. */
static bool
round_product(double x, double power, double *m)
{
	gs_pair		p = gs_two_product(x, power);
	double		rest;

	if (!(fabs(p.hi) < 0x1p53))
		return false;
	if (fabs(p.hi) < 0.25)		/* where p.lo may not be exact */
	{
		*m = 0;
		return true;
	}
	*m = rint(p.hi);
	rest = p.hi - *m;
	if (rest == 0.5 && p.lo > 0)
		++*m;
	if (rest == -0.5 && p.lo < 0)
		--*m;
	return true;
}

/* The same of x / P.  At a tie q is exact, or an integer that is even. */
static bool
round_quotient(double x, double power, double *m)
{
	double		q = x / power;
	gs_pair		p;
	gs_pair		rest;

	if (!(fabs(q) < 0x1p53))
		return false;
	*m = rint(q);
	p = gs_two_product(*m, power);
	rest = gs_two_sum(x - p.hi, -p.lo); /* x - m P */
	if (rest.hi - power / 2 + rest.lo > 0)
		++*m;
	else if (rest.hi + power / 2 + rest.lo < 0)
		--*m;
	return true;
}

/* The multiple is *r, a double and its error; false if it takes integers. */
static bool
round_quickly(double x, int digits, gs_pair *r)
{
	gs_pair		back;
	double		power;
	double		m;

	if (digits < -DOUBLE_POWER || digits > DOUBLE_POWER)
		return false;
	power = power_of_ten[digits < 0 ? -digits : digits];
	if (digits < 0)
	{
		if (!round_quotient(x, power, &m))
			return false;
		*r = gs_two_product(m, power);
	}
	else
	{
		if (!round_product(x, power, &m))
			return false;
		r->hi = m / power;
		back = gs_two_product(r->hi, power);
		r->lo = ((m - back.hi) - back.lo) / power;
	}
	if (m == 0)
		*r = (gs_pair) {copysign(0, x), copysign(0, x)};
	return true;
}

/* The integer nearest to a value below 2^63. */
static int64_t
nearest_integer(gs_leading v)
{
	int			drop = -v.exponent;
	uint64_t	half;
	uint64_t	rest;
	uint64_t	m;

	if (v.top == 0 || drop > 64)
		return 0;
	half = UINT64_C(1) << (drop - 1);
	rest = v.top & (half - 1);
	m = drop == 64 ? 0 : v.top >> drop;
	if ((v.top & half) != 0 && (rest != 0 || v.sticky || m % 2 != 0))
		m++;
	return (int64_t) m;
}

static void
set_power_of_ten(gs_big *r, int exponent)
{
	gs_big_from_pair(r, (gs_pair) {1, 0});
	for (; exponent > 0; exponent--)
		gs_big_multiply_small(r, 10);
}

/* The multiple; false if it is nearer to x than other doubles are. */
static bool
round_slowly(double x, int digits, gs_leading *r)
{
	gs_big		a;
	gs_big		power;
	gs_big		v;
	gs_leading	leading;
	int64_t		m;

	gs_big_from_pair(&a, (gs_pair) {fabs(x), 0});
	set_power_of_ten(&power, digits < 0 ? -digits : digits);
	if (digits < 0)
		gs_big_divide(&v, &a, &power);
	else
		gs_big_multiply(&v, &a, &power);
	leading = gs_big_leading(&v);
	if (leading.exponent + 64 > 54)
		return false;
	m = nearest_integer(leading);
	if (m == 0)
	{
		*r = (gs_leading) {.negative = x < 0};
		return true;
	}
	gs_big_from_pair(&a, gs_pair_from_int64(m));
	if (digits < 0)
		gs_big_multiply(&v, &a, &power);
	else
		gs_big_divide(&v, &a, &power);
	*r = gs_big_leading(&v);
	r->negative = x < 0;
	return true;
}

/* Neither zero nor the whole number of places decides. */
static inline bool
is_clear(double x, int digits, double *result)
{
	*result = x;
	if (x == 0 || digits > MOST_PLACES)
		return true;
	*result = copysign(0, x);
	return digits < -MOST_ZEROS + 1;
}

gs_rounding
gs_round_decimal(double x, int digits, double *result)
{
	gs_pair		r;
	gs_leading	v;

	if (is_clear(x, digits, result))
		return GS_ROUNDED;
	if (round_quickly(x, digits, &r))
	{
		*result = r.hi;
		return gs_is_finite(r.hi) ? GS_ROUNDED : GS_OVERFLOW;
	}
	if (round_slowly(x, digits, &v))
		return gs_leading_to_double(v, result);
	*result = x;
	return GS_ROUNDED;
}

gs_rounding
gs_round_decimal_float(float x, int digits, float *result)
{
	double		clear;
	gs_pair		r;
	gs_leading	v;

	if (is_clear(x, digits, &clear))
	{
		*result = (float) clear;
		return GS_ROUNDED;
	}
	if (round_quickly(x, digits, &r))
	{
		*result = (float) gs_round_to_odd(r);
		return gs_is_finite(*result) ? GS_ROUNDED : GS_OVERFLOW;
	}
	if (round_slowly(x, digits, &v))
		return gs_leading_to_float(v, result);
	*result = x;
	return GS_ROUNDED;
}
