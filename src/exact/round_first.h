/*-------------------------------------------------------------------------
 *
 * round_first.h
 *	  The first step of round_decimal.c: the nearest multiple of a power of ten,
 *	  wherever two doubles hold it.
 *
 * With x the number and P the power, the multiple is m times P or m divided by
 * it.  As long as both are doubles without error, and m is below 2^53, so are m
 * and the error of its product or quotient.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ROUND_FIRST_H
#define GS_ROUND_FIRST_H

#include "exact/exact.h"

#include <math.h>

/* With more places, every double is a multiple or nearer to itself. */
#define GS_MOST_PLACES		323

/* With as many places before the point, all doubles are nearer to 0. */
#define GS_MOST_ZEROS		309

/* Is it decided by x being zero, or by the number of places alone? */
GS_INLINE bool
gs_round_is_clear(double x, int digits, double *result)
{
	*result = x;
	if (x == 0 || digits > GS_MOST_PLACES)
		return true;
	*result = copysign(0.0, x);
	return digits < -GS_MOST_ZEROS + 1;
}

/* x P, rounded to an integer; false if that is 2^53 or more. */
GS_INLINE bool
gs_round_product(double x, double power, double *m)
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

/* Round x / P.  At a tie q is exact, or an integer that is even. */
GS_INLINE bool
gs_round_quotient(double x, double power, double *m)
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

/*
 * The multiple is *r, a double and its error; false if it takes integers.  power
 * is 10^|digits|, or 0 if that is no double.
 */
GS_INLINE bool
gs_round_quickly(double x, int digits, double power, gs_pair *r)
{
	gs_pair		back;
	double		m;

	if (power == 0)
		return false;
	if (digits < 0)
	{
		if (!gs_round_quotient(x, power, &m))
			return false;
		*r = gs_two_product(m, power);
	}
	else
	{
		if (!gs_round_product(x, power, &m))
			return false;
		r->hi = m / power;
		back = gs_two_product(r->hi, power);
		r->lo = ((m - back.hi) - back.lo) / power;
	}
	if (m == 0)
		r->hi = r->lo = copysign(0.0, x);
	return true;
}

/*
 * Is x nearer to its multiple of 10^-digits than other doubles are?  So it is if
 * the multiple is one of more than 2^53: half a step is then less than half of
 * what lies between x and the next double.  power is 10^|digits|, but for
 * roundings; or less, if digits > 0.
 */
#define GS_ROUND_KEPT	0x1.0000000000008p53

GS_INLINE bool
gs_round_keeps(double x, int digits, double power)
{
	return digits > 0 ? fabs(x * power) > GS_ROUND_KEPT :
		fabs(x) > GS_ROUND_KEPT * power;
}

/* Is the multiple of 10^-digits 0, digits < 0?  power is as above. */
GS_INLINE bool
gs_round_vanishes(double x, double power)
{
	return fabs(x) < 0.49 * power;
}

#endif							/* GS_ROUND_FIRST_H */
