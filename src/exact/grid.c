/*-------------------------------------------------------------------------
 *
 * grid.c
 *	  The lines of an even grid: origin + k width.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/grid.h"

#include <math.h>

/* The sign of the difference between what an accumulator holds and x. */
static double
rest_of(const gs_acc2 *sum, double x)
{
	gs_acc2		rest = *sum;
	double		r;

	gs_acc2_add_product(&rest, -x, 1);
	(void) gs_acc2_round(&rest, &r);
	return r;
}

static gs_line
line_exactly(double origin, double width, double k)
{
	gs_acc2		sum;
	gs_line		r;

	gs_acc2_init(&sum);
	gs_acc2_add_product(&sum, width, k);
	gs_acc2_add_product(&sum, origin, 1);
	if (gs_acc2_round(&sum, &r.nearest) == GS_OVERFLOW)
	{
		r.nearest = k > 0 ? INFINITY : -INFINITY;
		r.first = k > 0 ? INFINITY : -DBL_MAX;
		return r;
	}
	r.first = rest_of(&sum, r.nearest) > 0 ?
		nextafter(r.nearest, INFINITY) : r.nearest;
	return r;
}

gs_line
gs_grid_line(double origin, double width, double k)
{
	gs_pair		product;
	gs_pair		sum;
	gs_pair		rest;
	gs_line		r;
	double		tail;

	/* neither does a product underflow nor anything overflow? */
	if (!(fabs(origin) < 0x1p900 && width < 0x1p900 && width > 0x1p-900))
		return line_exactly(origin, width, k);
	product = gs_two_product(width, k);
	sum = gs_two_sum(origin, product.hi);
	rest = gs_two_sum(sum.lo, product.lo);
	sum = gs_two_sum(sum.hi, rest.hi);
	rest.hi = sum.lo;

	/*
	 * What is rounded to odd below the last bit that matters leaves the last
	 * rounding right (Boldo and Melquiond, IEEE TC 57, 2008).
	 */
	tail = gs_round_to_odd(rest);
	r.nearest = sum.hi + tail;
	r.first = (sum.hi - r.nearest) + tail > 0 ?
		nextafter(r.nearest, INFINITY) : r.nearest;
	return r;
}
