/*-------------------------------------------------------------------------
 *
 * product.h
 *	  Products in double-double with a separate exponent, over a fixed tree.
 *
 * The exact product of n doubles has up to 53 n bits, too many for a long
 * array.  To get the same result, every engine evaluates the same tree of
 * multiplications instead, and that tree depends on the elements' indexes
 * alone.  Let B(k, j) be the product of the 2^k elements from j 2^k on, as the
 * balanced binary tree of multiplications: B(k, j) = B(k-1, 2j) * B(k-1,
 * 2j+1).  The product of the first n elements folds, from the left, the blocks
 * of n's binary digits, the largest first:
 *
 *		F(13) = (B(3, 0) * B(2, 2)) * B(0, 12)
 *
 * The down-sweep of Blelloch's scan computes this (Prefix sums and their
 * applications, 1990).  A sequential machine computes it in order, with two
 * multiplications an element and a stack of blocks (gs_product_stack).  An
 * inclusive scan gives F(i + 1) at index i, an exclusive one F(i), a reduction
 * F(n).
 *
 * A NULL counts as 1 at its index, and so does whatever lies beyond the end.
 * Multiplication by 1 is exact, so neither changes anything.  In a segmented
 * scan the tree stays the same and its values carry a flag: a block in which a
 * segment starts is not multiplied by what comes before it.
 *
 * A value is hi + lo, where hi = round(hi + lo) and 1 <= |hi| < 2, times
 * 2^exponent, so nothing overflows or underflows before the end.  Zeros,
 * infinities and NaN are in hi, with lo and exponent 0.
 *
 * A multiplication errs by less than 2^-103 of its result (Joldes, Muller and
 * Popescu, ACM TOMS 44, 2017, algorithm DWTimesDW1: 7 u^2 with u = 2^-53).
 * Proof: lo is at most u, so the omitted term, a.lo b.lo, is at most u^2.  The
 * two products of a hi and a lo are below 2 u and rounded to u^2; their sum is
 * below 4 u and rounded to 2 u^2.  Together with the error of a.hi b.hi, at
 * most u, or 2 u if |a.hi b.hi| >= 2, it is at most 4 u and rounded to 2 u^2,
 * or below 6 u and rounded to 4 u^2.  That makes 7 u^2 of a result that is at
 * least 1 - u, or 9 u^2 of one that is at least 2 - 2 u.
 *
 * So the relative error of the product of n factors is less than n 2^-103
 * before it is rounded, and its error after that less than 1/2 + n 2^-50 units
 * in the last place.  It is the nearest double unless the true product is that
 * close to halfway between two doubles; then it is one of the two.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PRODUCT_H
#define GS_PRODUCT_H

#include "exact/exact.h"

typedef struct gs_product
{
	double		hi;
	double		lo;
	int64_t		exponent;
	int32_t		starts;			/* a segment starts inside this block */
} gs_product;

/* hi + lo, hi normalised and finite, scaled to 1 <= |hi| < 2. */
GS_INLINE gs_product
gs_product_scale(double hi, double lo, int64_t exponent)
{
	gs_product	r;
	uint64_t	bits = gs_double_bits(hi);
	int			e = (int) ((bits >> 52) & 0x7ff) - 1023;
	double		scale = gs_bits_double((uint64_t) (1023 - e) << 52);

	/* powers of two: exact */
	r.hi = hi * scale;
	r.lo = lo * scale;
	r.exponent = exponent + e;
	r.starts = 0;
	return r;
}

GS_INLINE gs_product
gs_product_one(void)
{
	gs_product	r;

	r.hi = 1;
	r.lo = 0;
	r.exponent = 0;
	r.starts = 0;
	return r;
}

GS_INLINE bool
gs_product_is_special(double hi)
{
	return hi == 0 || !gs_is_finite(hi);
}

GS_INLINE gs_product
gs_product_from_double(double x)
{
	if (gs_product_is_special(x))
	{
		gs_product	r = gs_product_one();

		r.hi = x;
		return r;
	}
	if ((gs_double_bits(x) << 1) >> 53 == 0)	/* subnormal */
		return gs_product_scale(x * 18014398509481984.0, 0, -54);
	if ((gs_double_bits(x) << 1) >> 53 == 2046) /* its scale is subnormal */
		return gs_product_scale(x * 0.5, 0, 1);
	return gs_product_scale(x, 0, 0);
}

GS_INLINE gs_product
gs_product_from_int64(int64_t x)
{
	gs_pair		r = gs_pair_from_int64(x);

	if (x == 0)
		return gs_product_from_double(0);
	r = gs_two_sum(r.hi, r.lo);
	return gs_product_scale(r.hi, r.lo, 0);
}

/* a * b, where a comes before b. */
GS_INLINE gs_product
gs_product_multiply(gs_product a, gs_product b)
{
	gs_product	r;
	gs_pair		p;
	double		cross;

	if (b.starts)
		return b;
	if (gs_product_is_special(a.hi) || gs_product_is_special(b.hi))
	{
		r.hi = a.hi * b.hi;
		r.lo = 0;
		r.exponent = 0;
	}
	else
	{
		p = gs_two_product(a.hi, b.hi);
		cross = a.hi * b.lo;
		cross = cross + a.lo * b.hi;
		p = gs_fast_two_sum(p.hi, p.lo + cross);
		r = gs_product_scale(p.hi, p.lo, a.exponent + b.exponent);
	}
	r.starts = a.starts;
	return r;
}

/*
 * The blocks of the elements so far, largest first, and their folds: fold[i] =
 * block[0] * ... * block[i].  The carry of a scan.
 */
#define GS_PRODUCT_LEVELS 64

typedef struct gs_product_stack
{
	int64_t		n;				/* elements so far */
	int			depth;			/* digits of n that are 1 */
	gs_product	block[GS_PRODUCT_LEVELS];
	gs_product	fold[GS_PRODUCT_LEVELS];
} gs_product_stack;

/* F(n) */
GS_INLINE gs_product
gs_product_stack_fold(const gs_product_stack *s)
{
	return s->depth == 0 ? gs_product_one() : s->fold[s->depth - 1];
}

/*
 * Append a block of 2^level elements; n is a multiple of 2^level.
 */
GS_INLINE void
gs_product_stack_push(gs_product_stack *s, gs_product block, int level)
{
	int64_t		carry = s->n >> level;

	s->n += INT64_C(1) << level;
	for (; carry & 1; carry >>= 1)
		block = gs_product_multiply(s->block[--s->depth], block);
	s->block[s->depth] = block;
	s->fold[s->depth] = s->depth == 0 ? block :
		gs_product_multiply(s->fold[s->depth - 1], block);
	s->depth++;
}

/*
 * The value, rounded once; false if it is out of double's range.  Underflow
 * gives a subnormal or a zero of the right sign.
 *
 * hi is hi + lo rounded to nearest, so lo matters only where a subnormal has
 * fewer bits than hi, and there only if the bits dropped from hi are exactly
 * half a unit.
 */
GS_INLINE bool
gs_product_round(gs_product x, double *result)
{
	uint64_t	bits = gs_double_bits(x.hi);
	uint64_t	sign = bits & UINT64_C(0x8000000000000000);
	uint64_t	m = (bits & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	uint64_t	half;
	uint64_t	rest;
	int			drop;

	if (gs_product_is_special(x.hi))
	{
		*result = x.hi != x.hi ? gs_canonical_nan() : x.hi;
		return true;
	}
	if (x.exponent > 1023)
		return false;
	if (x.exponent >= -1022)
	{
		m &= UINT64_C(0xfffffffffffff);
		m |= (uint64_t) (x.exponent + 1023) << 52;
	}
	else if (x.exponent < -1075)
		m = 0;
	else
	{
		drop = (int) (-1022 - x.exponent);
		half = UINT64_C(1) << (drop - 1);
		rest = m & (2 * half - 1);
		m >>= drop;
		if (rest > half ||
			(rest == half && (x.lo == 0 ? m & 1 : (x.lo > 0) == (x.hi > 0))))
			m++;				/* a carry into the exponent is right */
	}
	*result = gs_bits_double(sign | m);
	return true;
}

#endif							/* GS_PRODUCT_H */
