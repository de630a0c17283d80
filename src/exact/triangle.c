/*-------------------------------------------------------------------------
 *
 * triangle.c
 *	  Which of many points makes the largest triangle with two others?
 *
 * Twice the area is |(cx - ax)(y - ay) - (cy - ay)(x - ax)|.  It is computed in
 * doubles, with a bound of the error, which nearly always tells which is larger;
 * where it does not in pairs of doubles, and where these do not exactly.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"
#include "exact/triangle.h"

#include <math.h>

/* Where products underflow, no bound holds. */
#define LEAST	0x1p-900

/* hi + lo, at most error away from twice an area. */
typedef struct area
{
	gs_pair		size;
	double		error;
} area;

/* (cx - ax)(y - ay) or (cy - ay)(x - ax); *exact stays true if hi is that. */
static gs_pair
side_product(double c, double a, double b, double base, bool *exact)
{
	gs_pair		from = gs_two_sum(c, -a);
	gs_pair		to = gs_two_sum(b, -base);
	gs_pair		r = gs_two_product(from.hi, to.hi);

	*exact = *exact && from.lo == 0 && to.lo == 0 && r.lo == 0 &&
		(from.hi == 0 || to.hi == 0 || fabs(r.hi) > LEAST);
	r.lo += from.hi * to.lo + from.lo * to.hi;
	return r;
}

static area
area_in_pairs(const gs_triangle *t, gs_point b)
{
	bool		exact = true;
	gs_pair		p = side_product(t->c.x, t->a.x, b.y, t->a.y, &exact);
	gs_pair		q = side_product(t->c.y, t->a.y, b.x, t->a.x, &exact);
	gs_pair		sum = gs_two_sum(p.hi, -q.hi);
	area		r;

	exact = exact && sum.lo == 0;
	sum = gs_two_sum(sum.hi, sum.lo + (p.lo - q.lo));
	if (sum.hi < 0)
		sum = (gs_pair) {-sum.hi, -sum.lo};
	r.size = sum;
	r.error = exact ? 0 : 0x1p-98 * (fabs(p.hi) + fabs(q.hi)) + LEAST;
	return r;
}

/* sum += sign times what the area is the magnitude of */
static void
add_area(gs_acc2 *sum, const gs_triangle *t, gs_point b, double sign)
{
	gs_acc2_add_product(sum, sign * t->c.x, b.y);
	gs_acc2_add_product(sum, -sign * t->c.x, t->a.y);
	gs_acc2_add_product(sum, -sign * t->a.x, b.y);
	gs_acc2_add_product(sum, -sign * t->c.y, b.x);
	gs_acc2_add_product(sum, sign * t->c.y, t->a.x);
	gs_acc2_add_product(sum, sign * t->a.y, b.x);
}

/* 1, 0 or -1 */
static int
sign_of(const gs_acc2 *sum)
{
	gs_big		value;

	gs_big_from_limbs(&value, gs_acc2_limbs(sum));
	return value.words == 0 ? 0 : value.negative ? -1 : 1;
}

static int
orientation(const gs_triangle *t, gs_point b)
{
	gs_acc2		sum;

	gs_acc2_init(&sum);
	add_area(&sum, t, b, 1);
	return sign_of(&sum);
}

static bool
is_larger_exactly(const gs_triangle *t, gs_point b)
{
	gs_acc2		difference;

	gs_acc2_init(&difference);
	add_area(&difference, t, b, orientation(t, b));
	add_area(&difference, t, t->best, -orientation(t, t->best));
	return sign_of(&difference) > 0;
}

static bool
is_larger(const gs_triangle *t, gs_point b)
{
	area		one = area_in_pairs(t, b);
	area		other = area_in_pairs(t, t->best);
	double		more = (one.size.hi - other.size.hi) +
		(one.size.lo - other.size.lo);
	double		error = one.error + other.error;

	if (error == 0 && one.size.hi < INFINITY && other.size.hi < INFINITY)
		return one.size.hi > other.size.hi;
	if (fabs(more) > 2 * error && fabs(more) < INFINITY)
		return more > 0;
	return is_larger_exactly(t, b);
}

void
gs_triangle_open(gs_triangle *t, gs_point a, gs_point c)
{
	*t = (gs_triangle) {
		.a = a,
		.c = c,
		.width = c.x - a.x,
		.height = c.y - a.y
	};
}

bool
gs_triangle_grow(gs_triangle *t, gs_point b)
{
	double		p = t->width * (b.y - t->a.y);
	double		q = t->height * (b.x - t->a.x);
	double		size = fabs(p - q);
	double		error = 0x1p-50 * (fabs(p) + fabs(q)) + LEAST;

	/* true if it is not known, also for overflows, whose difference is NaN */
	if (t->any && !(size - t->area > error + t->error) &&
		(t->area - size > error + t->error || !is_larger(t, b)))
		return false;
	t->any = true;
	t->best = b;
	t->area = size;
	t->error = error;
	return true;
}
