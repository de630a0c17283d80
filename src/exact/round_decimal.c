/*-------------------------------------------------------------------------
 *
 * round_decimal.c
 *	  The nearest multiple of a power of ten, rounded once to a double or float.
 *
 * Where two doubles do not hold it (round_first.h), it is found with the leading
 * bits of an integer of any length.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"
#include "exact/elementary.h"
#include "exact/round_first.h"

#include <math.h>

/* Powers of ten up to this one are doubles. */
#define DOUBLE_POWER	22

static const double power_of_ten[DOUBLE_POWER + 1] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
	1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

double
gs_double_power_of_ten(int exponent)
{
	return exponent > DOUBLE_POWER ? 0 : power_of_ten[exponent];
}

static bool
round_quickly(double x, int digits, gs_pair *r)
{
	double		power = gs_double_power_of_ten(digits < 0 ? -digits : digits);

	return gs_round_quickly(x, digits, power, r);
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

gs_rounding
gs_round_decimal(double x, int digits, double *result)
{
	gs_pair		r;
	gs_leading	v;

	if (gs_round_is_clear(x, digits, result))
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

	if (gs_round_is_clear(x, digits, &clear))
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
