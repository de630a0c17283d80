/*-------------------------------------------------------------------------
 *
 * elementary_slow.h
 *	  The second step of elementary.c's functions: in fixed point, where two
 *	  doubles do not decide the result; for the host and, with nvcc, the device.
 *
 * Each takes the table that gs_elementary_init makes, or a copy of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTARY_SLOW_H
#define GS_ELEMENTARY_SLOW_H

#include "exact/elementary_table.h"

#include <math.h>

/* x is not 0. */
GS_INLINE int
gs_trailing_zeros(uint64_t x)
{
	return 63 - gs_leading_zeros(x & (0 - x));
}

/* |x| as m 2^*exponent, 2^52 <= m < 2^53. */
GS_INLINE uint64_t
gs_split_normally(double x, int *exponent)
{
	bool		negative;
	uint64_t	m = gs_split(x, exponent, &negative);
	int			shift = gs_leading_zeros(m) - 11;

	*exponent += GS_ACC_LOWEST - shift;
	return m << shift;
}

GS_INLINE gs_rounding
gs_exp_of_fixed(const gs_elementary_table *table, const gs_signed *x,
				bool negative, double *result)
{
	gs_fixed	r;
	int			exponent;
	gs_leading	v;

	gs_fixed_exp(&r, &exponent, x, &table->ln2);
	v = gs_fixed_leading(&r);
	v.exponent += exponent;
	v.negative = negative;
	return gs_leading_to_double(v, result);
}

GS_INLINE void
gs_ln_as_fixed(const gs_elementary_table *table, double x, gs_signed *r)
{
	int			exponent;
	uint64_t	m = gs_split_normally(x, &exponent);

	gs_fixed_ln(r, m, exponent, &table->ln2);
}

GS_INLINE gs_rounding
gs_exp_slowly(const gs_elementary_table *table, double x, double *result)
{
	gs_signed	exact;
	int			position;
	uint64_t	m = gs_split(x, &position, &exact.negative);

	gs_fixed_set(&exact.magnitude, m, position + GS_ACC_LOWEST);
	return gs_exp_of_fixed(table, &exact, false, result);
}

GS_INLINE double
gs_double_of_fixed(const gs_signed *x)
{
	gs_leading	v = gs_fixed_leading(&x->magnitude);
	double		result = 0;		/* it is not beyond the doubles */

	v.negative = x->negative;
	(void) gs_leading_to_double(v, &result);
	return result;
}

GS_INLINE double
gs_ln_slowly(const gs_elementary_table *table, double x)
{
	gs_signed	exact;

	gs_ln_as_fixed(table, x, &exact);
	return gs_double_of_fixed(&exact);
}

GS_INLINE double
gs_log10_slowly(const gs_elementary_table *table, double x)
{
	gs_signed	exact;

	gs_ln_as_fixed(table, x, &exact);
	gs_fixed_multiply(&exact.magnitude, &table->log10_e);
	return gs_double_of_fixed(&exact);
}

/* The root of a square of an odd number below 2^53; 0 if it is none. */
GS_INLINE uint64_t
gs_root_of_square(uint64_t m)
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
GS_INLINE bool
gs_power_is_short(double x, double y, gs_leading *v)
{
	int			e;
	int			f;
	uint64_t	m = gs_split_normally(x, &e);
	uint64_t	n = gs_split_normally(y, &f);
	uint64_t	product = 1;

	e += gs_trailing_zeros(m);
	m >>= gs_trailing_zeros(m);
	f += gs_trailing_zeros(n);
	n >>= gs_trailing_zeros(n);
	for (; f < 0; f++)
	{
		if (e % 2 != 0 || (m = gs_root_of_square(m)) == 0 ||
			(m == 1 && e == 0))
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
	v->top = product << gs_leading_zeros(product);
	v->exponent = (y < 0 ? -e : e) * (int) n - gs_leading_zeros(product);
	v->sticky = false;
	v->negative = false;
	return true;
}

/* x is negative only if y is an integer. */
GS_INLINE gs_rounding
gs_power_slowly(const gs_elementary_table *table, double x, double y,
				double *result)
{
	const bool	negative = x < 0 && y / 2 != floor(y / 2);
	const double magnitude = fabs(x);
	gs_leading	v;
	gs_signed	ln;
	int			exponent;
	uint64_t	m;

	if (gs_power_is_short(magnitude, y, &v))
	{
		v.negative = negative;
		return gs_leading_to_double(v, result);
	}
	gs_ln_as_fixed(table, magnitude, &ln);
	m = gs_split_normally(y, &exponent);
	gs_fixed_multiply_small(&ln.magnitude, m);
	gs_fixed_shift(&ln.magnitude, exponent);
	ln.negative ^= y < 0;
	return gs_exp_of_fixed(table, &ln, negative, result);
}

#endif							/* GS_ELEMENTARY_SLOW_H */
