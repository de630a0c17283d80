/*-------------------------------------------------------------------------
 *
 * regression.c
 *	  Covariance, correlation, the least-squares line, sums of deviations and
 *	  weighted means, each rounded once.
 *
 * The former are quotients of three integers, which the exact sums over n pairs
 * give without any loss:
 *
 *		A = n sum(x y) - sum(x) sum(y)
 *		B = n sum(x^2) - sum(x)^2
 *		C = n sum(y^2) - sum(y)^2
 *
 * A weighted mean is sum(x y) / sum(x), of values y with weights x.
 *
 * The slope is A / B and the squared correlation A^2 / (B C).  The intercept,
 * (sum(y) - sum(x) A / B) / n, becomes (sum(y) sum(x^2) - sum(x) sum(x y)) / B
 * once n is cancelled.  The correlation is the square root of a quotient known
 * to 128 bits and a sticky bit, which gives 64 bits of the root and its sticky
 * bit; nearly always, the leading bits of A, B and C determine how it rounds.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/correlate.h"

/* r = a b - c d */
static void
cross_product(gs_big *r, gs_limbs a, gs_limbs b, gs_limbs c, gs_limbs d)
{
	gs_big		factor[2];
	gs_big		product[2];

	gs_big_from_limbs(&factor[0], a);
	gs_big_from_limbs(&factor[1], b);
	gs_big_multiply(&product[0], &factor[0], &factor[1]);
	gs_big_from_limbs(&factor[0], c);
	gs_big_from_limbs(&factor[1], d);
	gs_big_multiply(&product[1], &factor[0], &factor[1]);
	gs_big_difference(r, &product[0], &product[1]);
}

/* r = n products - a b */
static void
centred(gs_big *r, int64_t n, gs_limbs products, gs_limbs a, gs_limbs b)
{
	gs_big		factor[2];
	gs_big		product;

	gs_big_from_limbs(&factor[0], a);
	gs_big_from_limbs(&factor[1], b);
	gs_big_multiply(&product, &factor[0], &factor[1]);
	gs_big_from_limbs(&factor[0], products);
	gs_big_multiply_small(&factor[0], (uint64_t) n);
	gs_big_difference(r, &factor[0], &product);
}

static bool
is_finite(gs_limbs sum)
{
	return !(sum.seen & (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
						 GS_SEEN_NEGATIVE_INF));
}

/* Are all x equal, so that there is no line?  If not, b is their spread. */
static bool
is_constant(int64_t n, gs_limbs squares, gs_limbs sum, gs_big *b)
{
	centred(b, n, squares, sum, sum);
	return is_finite(sum) && b->words == 0;
}

/* NaN if any x or y was not finite; false if the quotient must be computed. */
static bool
not_finite(const gs_sums *s, double *result)
{
	if (is_finite(s->x) && is_finite(s->y))
		return false;
	*result = gs_canonical_nan();
	return true;
}

static gs_rounding
round_quotient(const gs_big *a, const gs_big *b, double *result)
{
	gs_big		q;

	gs_big_divide(&q, a, b);
	return gs_leading_to_double(gs_big_leading(&q), result);
}

gs_rounding
gs_squared_deviations(const gs_sums *s, double *result)
{
	gs_big		b;

	if (s->n < 1)
		return GS_UNDEFINED;
	centred(&b, s->n, s->xx, s->x, s->x);
	gs_big_divide_small(&b, (uint64_t) s->n, 1);
	*result = gs_canonical_nan();
	return !is_finite(s->x) ? GS_ROUNDED :
		gs_leading_to_double(gs_big_leading(&b), result);
}

/* A / (n by) */
static gs_rounding
share_of_products(const gs_sums *s, int64_t by, double *result)
{
	gs_big		a;

	if (not_finite(s, result))
		return GS_ROUNDED;
	centred(&a, s->n, s->xy, s->x, s->y);
	gs_big_divide_small(&a, (uint64_t) s->n, (uint64_t) by);
	return gs_leading_to_double(gs_big_leading(&a), result);
}

gs_rounding
gs_deviation_products(const gs_sums *s, double *result)
{
	return s->n < 1 ? GS_UNDEFINED : share_of_products(s, 1, result);
}

gs_rounding
gs_covariance(const gs_sums *s, bool sample, double *result)
{
	return s->n < (sample ? 2 : 1) ? GS_UNDEFINED :
		share_of_products(s, sample ? s->n - 1 : s->n, result);
}

/* The quotient A^2 / (B C). */
static void
squared_correlation(const gs_big *a, const gs_big *b, const gs_big *c,
					gs_big *q)
{
	gs_big		numerator;
	gs_big		denominator;

	gs_big_multiply(&numerator, a, a);
	gs_big_multiply(&denominator, b, c);
	gs_big_divide(q, &numerator, &denominator);
}

gs_rounding
gs_correlation(const gs_sums *s, double *result)
{
	gs_big		a;
	gs_big		b;
	gs_big		c;
	gs_big		q;
	gs_leading	root;
	double		other;

	if (s->n < 1 || is_constant(s->n, s->xx, s->x, &b) ||
		is_constant(s->n, s->yy, s->y, &c))
		return GS_UNDEFINED;
	if (not_finite(s, result))
		return GS_ROUNDED;
	centred(&a, s->n, s->xy, s->x, s->y);
	if (gs_correlate_quickly(gs_big_leading(&a), gs_big_leading(&b),
							 gs_big_leading(&c), result, &other) &&
		*result == other)
	{
		if (a.negative)
			*result = -*result;
		return GS_ROUNDED;
	}
	squared_correlation(&a, &b, &c, &q);
	root = gs_big_root(&q);
	root.negative = a.negative;
	return gs_leading_to_double(root, result);
}

gs_rounding
gs_determination(const gs_sums *s, double *result)
{
	gs_big		a;
	gs_big		b;
	gs_big		c;
	gs_big		q;

	if (s->n < 1 || is_constant(s->n, s->xx, s->x, &b))
		return GS_UNDEFINED;
	if (is_constant(s->n, s->yy, s->y, &c))
	{
		*result = 1;
		return GS_ROUNDED;
	}
	if (not_finite(s, result))
		return GS_ROUNDED;
	centred(&a, s->n, s->xy, s->x, s->y);
	squared_correlation(&a, &b, &c, &q);
	return gs_leading_to_double(gs_big_leading(&q), result);
}

gs_rounding
gs_slope(const gs_sums *s, double *result)
{
	gs_big		a;
	gs_big		b;

	if (s->n < 1 || is_constant(s->n, s->xx, s->x, &b))
		return GS_UNDEFINED;
	if (not_finite(s, result))
		return GS_ROUNDED;
	centred(&a, s->n, s->xy, s->x, s->y);
	return round_quotient(&a, &b, result);
}

gs_rounding
gs_intercept(const gs_sums *s, double *result)
{
	gs_big		a;
	gs_big		b;

	if (s->n < 1 || is_constant(s->n, s->xx, s->x, &b))
		return GS_UNDEFINED;
	if (not_finite(s, result))
		return GS_ROUNDED;
	cross_product(&a, s->y, s->xx, s->x, s->xy);
	return round_quotient(&a, &b, result);
}

gs_rounding
gs_weighted_mean(const gs_sums *s, double *result)
{
	gs_big		a;
	gs_big		b;

	if (s->n < 1)
		return GS_UNDEFINED;
	if (not_finite(s, result))
		return GS_ROUNDED;
	gs_big_from_limbs(&a, s->xy);
	gs_big_from_limbs(&b, s->x);
	if (b.words == 0)
		return GS_NO_WEIGHT;
	return round_quotient(&a, &b, result);
}

bool
gs_pairs_possible(const gs_sums *s)
{
	gs_big		a;
	gs_big		b;
	gs_big		c;
	gs_big		aa;
	gs_big		bc;

	centred(&a, s->n, s->xy, s->x, s->y);
	centred(&b, s->n, s->xx, s->x, s->x);
	centred(&c, s->n, s->yy, s->y, s->y);
	gs_big_multiply(&aa, &a, &a);
	gs_big_multiply(&bc, &b, &c);
	return !b.negative && !c.negative && gs_big_not_below(&bc, &aa);
}
