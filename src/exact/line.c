/*-------------------------------------------------------------------------
 *
 * line.c
 *	  Changes, straight lines and areas below them, rounded once.
 *
 * A result is computed as the sum of two doubles, with a bound of the error.
 * If the sum rounds to the same double wherever in these bounds it is, that is
 * the result (after Ziv, ACM TOMS 17, 1991).  If not, if numbers are so large
 * or small that the bound might not hold, or where it takes more than a double,
 * the quotient of two integers is computed.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"
#include "exact/line.h"

#include <math.h>

/* *d = a - b; false if that is no double. */
static inline bool
subtract(gs_pair a, gs_pair b, double *d)
{
	gs_pair		high = gs_two_sum(a.hi, -b.hi);
	gs_pair		low = gs_two_sum(a.lo, -b.lo);
	gs_pair		sum = gs_two_sum(high.hi, low.hi);

	*d = sum.hi;
	return high.lo == 0 && low.lo == 0 && sum.lo == 0;
}

/* r = a - b */
static void
big_difference(gs_big *r, gs_pair a, gs_pair b)
{
	gs_big		from;
	gs_big		by;

	gs_big_from_pair(&from, a);
	gs_big_from_pair(&by, b);
	gs_big_difference(r, &from, &by);
}

static gs_rounding
round_quotient(const gs_big *a, const gs_big *b, double *result)
{
	gs_big		q;

	gs_big_divide(&q, a, b);
	return gs_leading_to_double(gs_big_leading(&q), result);
}

gs_rounding
gs_relative_change(gs_pair from, gs_pair to, double *result)
{
	gs_big		change;
	gs_big		base;

	if (from.hi == to.hi && from.lo == to.lo)
	{
		*result = 0;			/* not -0, whatever the sign of from */
		return GS_ROUNDED;
	}
	if (from.lo == 0 && to.lo == 0 &&
		gs_change_quickly(from.hi, to.hi, result))
		return GS_ROUNDED;
	big_difference(&change, to, from);
	gs_big_from_pair(&base, from);
	return round_quotient(&change, &base, result);
}

double
gs_line_at(gs_pair x0, gs_pair y0, gs_pair x1, gs_pair y1, gs_pair x)
{
	double		value = y0.hi + y1.hi;
	double		run;
	double		length;
	gs_big		weight;
	gs_big		factor;
	gs_big		first;
	gs_big		second;

	if (!gs_is_finite(y0.hi) || !gs_is_finite(y1.hi))
		return value != value ? gs_canonical_nan() : value;
	if (y0.hi == y1.hi && y0.lo == y1.lo)
		return value == 0 ? value : y0.hi;
	if (y0.lo == 0 && y1.lo == 0 && subtract(x, x0, &run) &&
		subtract(x1, x0, &length) &&
		gs_line_quickly(y0.hi, y1.hi, run, length, &value))
		return value;

	/* (y0 (x1 - x) + y1 (x - x0)) / (x1 - x0) */
	big_difference(&weight, x, x1);
	gs_big_from_pair(&factor, y0);
	gs_big_multiply(&first, &factor, &weight);
	big_difference(&weight, x, x0);
	gs_big_from_pair(&factor, y1);
	gs_big_multiply(&second, &factor, &weight);
	gs_big_difference(&factor, &second, &first);
	big_difference(&weight, x1, x0);
	(void) round_quotient(&factor, &weight, &value);	/* between y0 and y1 */
	return value;
}

double
gs_interpolate(gs_pair low, gs_pair high, double proportion)
{
	double		value = low.hi + high.hi;
	gs_acc2		a;

	if (!gs_is_finite(low.hi) || !gs_is_finite(high.hi))
		return value != value ? gs_canonical_nan() : value;
	if (low.lo == 0 && high.lo == 0 &&
		gs_interpolate_quickly(low.hi, high.hi, proportion, &value))
		return value;
	gs_acc2_init(&a);
	gs_acc2_add_product(&a, low.hi, 1);
	gs_acc2_add_product(&a, low.lo, 1);
	gs_acc2_add_product(&a, low.hi, -proportion);
	gs_acc2_add_product(&a, low.lo, -proportion);
	gs_acc2_add_product(&a, high.hi, proportion);
	gs_acc2_add_product(&a, high.lo, proportion);
	(void) gs_acc2_round(&a, &value);	/* between two doubles: in range */
	return value;
}

/* sum += y x */
static void
add_product(gs_acc2 *sum, gs_pair y, double x)
{
	gs_acc2_add_product(sum, y.hi, x);
	if (y.lo != 0)
		gs_acc2_add_product(sum, y.lo, x);
}

void
gs_area_add(gs_acc2 *sum, gs_pair y, gs_pair x0, gs_pair x1)
{
	double		length;

	/* parts of a length have both signs, which is for numbers alone */
	sum->seen |= gs_seen(y.hi);
	if (!gs_is_finite(y.hi) || y.hi == 0)
		return;
	if (subtract(x1, x0, &length))
	{
		add_product(sum, y, length);
		return;
	}
	add_product(sum, y, x1.hi);
	add_product(sum, y, x1.lo);
	add_product(sum, y, -x0.hi);
	add_product(sum, y, -x0.lo);
}

double
gs_area_mean(const gs_acc2 *sum, gs_pair x0, gs_pair x1, unsigned int n)
{
	gs_big		area;
	gs_big		length;
	double		mean;

	gs_big_from_limbs(&area, gs_acc2_limbs(sum));
	if (area.words == 0 || (sum->seen & (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
										 GS_SEEN_NEGATIVE_INF)))
	{
		(void) gs_acc2_round(sum, &mean);	/* zero, or no number */
		return mean;
	}
	big_difference(&length, x1, x0);
	gs_big_multiply_small(&length, n);
	(void) round_quotient(&area, &length, &mean);	/* among the values */
	return mean;
}
