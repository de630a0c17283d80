/*-------------------------------------------------------------------------
 *
 * mean.h
 *	  The mean of an exact sum in three doubles, rounded once.
 *
 * A quotient is found as the sum of doubles, each that of the remainder that
 * the one before leaves, which is exact.  The last one needs to tell only on
 * which side of it the quotient is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MEAN_H
#define GS_MEAN_H

#include "exact/exact.h"

typedef struct gs_three
{
	double		x[3];
} gs_three;

/*
 * An equal sum, of which the first is the nearest double or its neighbour, and
 * the second that of the rest.
 */
GS_INLINE gs_three
gs_three_sorted(gs_three s)
{
	for (int pass = 0; pass < 3; pass++)
	{
		gs_pair		low = gs_two_sum(s.x[1], s.x[2]);
		gs_pair		high = gs_two_sum(s.x[0], low.hi);

		s.x[0] = high.hi;
		s.x[1] = high.lo;
		s.x[2] = low.lo;
	}
	return s;
}

/* Is x zero, or so large that what follows does not underflow? */
GS_INLINE bool
gs_has_remainders(double x)
{
	uint64_t	magnitude = gs_double_bits(x) << 1;

	return magnitude == 0 || (magnitude >= UINT64_C(0x100) << 53 &&
							  magnitude < UINT64_C(0x7d0) << 53);
}

/*
 * Divide the first by n, and leave the remainder of all; false if an exponent
 * is near either end.
 */
GS_INLINE bool
gs_three_divide(gs_three *s, double n, double *quotient)
{
	gs_pair		product;

	*s = gs_three_sorted(*s);
	if (!gs_has_remainders(s->x[0]))
		return false;
	*quotient = s->x[0] / n;
	product = gs_two_product(*quotient, n);
	s->x[0] = (s->x[0] - product.hi) - product.lo;
	return true;
}

/*
 * (a + b + c) / n, an integer from 1 to 2^31, rounded once.  False if that
 * takes an accumulator; always, where anything is not finite.
 */
GS_INLINE bool
gs_mean_of_three(double a, double b, double c, double n, double *mean)
{
	gs_three	s = {{a, b, c}};
	gs_pair		rest;
	double		first;
	double		next;
	double		error;
	uint64_t	bits;

	if (b == 0 && c == 0)
	{
		*mean = a / n;
		return gs_has_remainders(a);
	}
	if (!gs_three_divide(&s, n, &first))
		return false;

	/* as a rule, an estimate of the next one is enough */
	next = (s.x[0] + (s.x[1] + s.x[2])) / n;
	error = ((s.x[0] < 0 ? -s.x[0] : s.x[0]) +
			 (s.x[1] < 0 ? -s.x[1] : s.x[1])) / n * 0x1p-50;
	if (gs_round_surely(first, next, error, mean))
		return true;
	if (!gs_three_divide(&s, n, &rest.hi) ||
		!gs_three_divide(&s, n, &rest.lo))
		return false;
	s = gs_three_sorted(s);
	if (s.x[0] != 0)
	{
		/* as gs_round_to_odd */
		bits = gs_double_bits(rest.lo);
		if ((rest.lo > 0) != (s.x[0] > 0))
			bits--;
		rest.lo = gs_bits_double(bits | 1);
	}
	*mean = first + gs_round_to_odd(rest);
	return true;
}

#endif							/* GS_MEAN_H */
