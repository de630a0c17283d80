/*-------------------------------------------------------------------------
 *
 * ewma.h
 *	  Exponentially weighted means, in pairs of doubles over a fixed tree.
 *
 * An element that lies k positions back weighs (1 - alpha)^k.  Such a mean has
 * as many bits as all elements before it together, so results cannot be exact.
 * To get the same ones, every engine does the same steps instead.  Only what is
 * not NULL is an element here; its gap is how many positions it lies after the
 * element before it, 1 where nothing is NULL between them.
 *
 * A step is sum = keep sum + gain x.  With P = (1 - alpha)^gap,
 *
 *		keep				gain
 *		P / (P + alpha)		alpha / (P + alpha)		pandas' adjust=False
 *		P					1						adjust=True
 *
 * which is 1 - alpha and alpha for a gap of 1 without adjustment.  There the sum
 * is the result.  With adjustment the same steps with 1 for every x give the
 * weight, and the result is their quotient.  The first element's keep is 0, and
 * its gain 1.
 *
 * GS_EWMA_RUN elements from a multiple of it on are a run.  In a run the steps
 * begin with 0: they give, up to each element, its partial sum, and the product
 * of what all of them keep.  A run as a whole, or two blocks one after the
 * other, make a block (keep, sum):
 *
 *		(keep, sum)(keep', sum') = (keep' keep, keep' sum + sum')
 *
 * What comes before run r folds, from the left, the blocks of r's binary digits,
 * the largest first, as in product.h.  The sum at an element is the product
 * there times the fold's sum, plus the partial sum.
 *
 * Numbers are hi + lo, hi = round(hi + lo) but for intermediate ones.  Products
 * of doubles are Dekker's, never by fused multiplication, so that they have the
 * same bits where they underflow, too.  With u = 2^-53 a multiplication errs by
 * 7 u^2 of the product (product.h), an addition by 3 u^2 of the sum of the
 * magnitudes (Joldes, Muller and Popescu, ACM TOMS 44, 2017, SloppyDWPlusDW), a
 * division by 16 u^2.  An element n positions back has been multiplied, by
 * factors that are such products themselves, as if n times, and added less than
 * n + 80 times; the factors of a gap are quotients of two sums whose errors are
 * those of P.  So without the last rounding a result errs by less than
 * (n + 10) 2^-100 of the mean of the magnitudes, n being the position.  To that
 * comes what underflows: unless the greatest magnitude of the array is between
 * 2^-30 and 2^900, elements are scaled by a power of two, that one to [1, 2), so
 * this is below n 2^-1040 of it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EWMA_H
#define GS_EWMA_H

#include "exact/exact.h"

#define GS_EWMA_RUN		32		/* elements */
#define GS_EWMA_RUNS	8		/* in a tile */
#define GS_EWMA_TILE	(GS_EWMA_RUN * GS_EWMA_RUNS)
#define GS_EWMA_LEVELS	64
#define GS_EWMA_GAPS	64		/* gaps whose factors are kept */

/* A factor, whose hi is top + rest, both of 26 bits (Veltkamp). */
typedef struct gs_factor
{
	double		hi;
	double		lo;
	double		top;
	double		rest;
} gs_factor;

GS_INLINE gs_factor
gs_factor_of(gs_pair x)
{
	double		c = x.hi * 134217729.0; /* 2^27 + 1 */
	double		top = c - (c - x.hi);
	gs_factor	r = {x.hi, x.lo, top, x.hi - top};

	return r;
}

/*
 * a x; hi is not rounded from hi + lo, but lo is below 4 u hi.  Where nothing
 * underflows, what Dekker's steps give is exact, and so is a fused
 * multiplication, which the device has in one step.
 */
GS_INLINE gs_pair
gs_factor_times(gs_factor a, gs_pair x)
{
	gs_pair		r = {a.hi * x.hi, 0};
	double		c;
	double		top;
	double		rest;

#ifdef __CUDA_ARCH__
	if ((__double2hiint(r.hi) & INT32_MAX) >= (1023 - 900) << 20 || x.hi == 0)
	{
		r.lo = __fma_rn(a.hi, x.hi, -r.hi) + (a.hi * x.lo + a.lo * x.hi);
		return r;
	}
#endif
	c = x.hi * 134217729.0;
	top = c - (c - x.hi);
	rest = x.hi - top;
	r.lo = ((a.top * top - r.hi) + a.top * rest + a.rest * top) +
		a.rest * rest;
	r.lo += a.hi * x.lo + a.lo * x.hi;
	return r;
}

GS_INLINE gs_pair
gs_pair_plus(gs_pair a, gs_pair b)
{
	gs_pair		s = gs_two_sum(a.hi, b.hi);

	return gs_fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

/* a / b, b > 0 */
GS_INLINE gs_pair
gs_pair_over(gs_pair a, gs_pair b)
{
	gs_pair		q = {a.hi / b.hi, 0};
	gs_pair		back = gs_factor_times(gs_factor_of(b), q);

	return gs_fast_two_sum(q.hi, ((a.hi - back.hi) - back.lo + a.lo) / b.hi);
}

GS_INLINE gs_pair
gs_pair_times(gs_pair a, gs_pair b)
{
	gs_pair		r = gs_factor_times(gs_factor_of(a), b);

	return gs_fast_two_sum(r.hi, r.lo);
}

/* What an element's gap makes of it. */
typedef struct gs_ewma_step
{
	gs_factor	keep;
	gs_factor	gain;
} gs_ewma_step;

GS_INLINE gs_ewma_step
gs_ewma_step_of(double alpha, bool adjust, int64_t gap)
{
	gs_pair		alpha_pair = {alpha, 0};
	gs_pair		one = {1, 0};
	gs_pair		base = gs_two_sum(1, -alpha);
	gs_pair		power = one;
	gs_pair		all;
	gs_ewma_step r;

	if (gap == 1)
	{
		r.keep = gs_factor_of(base);
		r.gain = gs_factor_of(adjust ? one : alpha_pair);
		return r;
	}
	for (; gap > 0; gap >>= 1)
	{
		if (gap & 1)
			power = gs_pair_times(power, base);
		base = gs_pair_times(base, base);
	}
	r.keep = gs_factor_of(power);
	r.gain = gs_factor_of(one);
	if (adjust)
		return r;
	all = gs_pair_plus(power, alpha_pair);
	r.keep = gs_factor_of(gs_pair_over(power, all));
	r.gain = gs_factor_of(gs_pair_over(alpha_pair, all));
	return r;
}

/* The array's first element, whatever is before it. */
GS_INLINE gs_ewma_step
gs_ewma_first_step(void)
{
	gs_pair		zero = {0, 0};
	gs_pair		one = {1, 0};
	gs_ewma_step r = {gs_factor_of(zero), gs_factor_of(one)};

	return r;
}

/* A block, or a fold of blocks. */
typedef struct gs_ewma_block
{
	gs_pair		keep;
	gs_pair		sum;
	gs_pair		weight;			/* if adjusted */
} gs_ewma_block;

/* A block after another. */
GS_INLINE gs_ewma_block
gs_ewma_join(bool adjust, gs_ewma_block a, gs_ewma_block b)
{
	gs_factor	keep = gs_factor_of(b.keep);

	b.keep = gs_pair_times(b.keep, a.keep);
	b.sum = gs_pair_plus(gs_factor_times(keep, a.sum), b.sum);
	if (adjust)
		b.weight = gs_pair_plus(gs_factor_times(keep, a.weight), b.weight);
	return b;
}

/*
 * A power of two by which elements are multiplied, given their greatest finite
 * magnitude or 0; it and its reciprocal are normal numbers.
 */
GS_INLINE double
gs_ewma_scale(double greatest)
{
	int			exponent = (int) (gs_double_bits(greatest) >> 52);

	if (exponent >= 1023 - 30 && exponent < 1023 + 900)
		return 1;
	return gs_bits_double((uint64_t) (exponent < 1 ? 2045 :
									  exponent > 2044 ? 2 :
									  2046 - exponent) << 52);
}

/* ----------
 * Means without the tree
 *
 * Where all gaps are 1, steps one after the other, shorter ones, come so near
 * to the mean that both its rounding and that of the definition's result are
 * known, nearly always (as in elementary.c): then these are the same double.
 * ----------
 */

#ifdef __CUDA_ARCH__
#define GS_EWMA_FMA		__fma_rn
#else
#define GS_EWMA_FMA		__builtin_fma	/* callers have a target that has it */
#endif

/* keep sum + gain x, the upper part not rounded from both. */
GS_INLINE gs_pair
gs_ewma_quick_step(gs_pair keep, gs_pair sum, double gain, double x)
{
	double		kept = keep.hi * sum.hi;
	double		gained = gain * x;
	double		low = GS_EWMA_FMA(keep.hi, sum.hi, -kept);
	gs_pair		r = gs_two_sum(kept, gained);

	low = GS_EWMA_FMA(keep.hi, sum.lo, GS_EWMA_FMA(keep.lo, sum.hi, low));
	r.lo += low + GS_EWMA_FMA(gain, x, -gained);
	return r;
}

/*
 * So much of the greatest magnitude M, 2^-700 or more, may either result err, if
 * the sum is rounded to a pair again after GS_EWMA_QUICK steps or fewer.  A quick
 * step adds less than 4 u M to the lower part, where there is so never more
 * than 34 u M; it rounds this three times, and leaves out less than u of it.
 * That is less than 150 u^2 M a step, 1 / alpha times this at last.  The
 * definition's result errs by less than (20 / alpha + 500) u^2 M, with
 * adjustment, and what underflows is below 2^-1040.
 */
#define GS_EWMA_QUICK	8

GS_INLINE double
gs_ewma_doubt(double alpha)
{
	return (80 / alpha + 300) * 0x1p-104;
}

/* Is this the mean, where the sum is in doubt by so much? */
GS_INLINE bool
gs_ewma_is_sure(gs_pair sum, double doubt, double *mean)
{
	double		rest;

	*mean = sum.hi + sum.lo;
	rest = (sum.hi - *mean) + sum.lo;
	return *mean + (rest - doubt) == *mean + (rest + doubt);
}

typedef struct gs_ewma
{
	double		alpha;
	bool		adjust;
	double		scale;
	int64_t		elements;		/* so far */
	int			steps;			/* how many gaps' are known */
	gs_ewma_step step[GS_EWMA_GAPS];	/* of gap i + 1 */

	/* up to each element of a run without gaps */
	gs_factor	product[GS_EWMA_RUN];
	gs_pair		weight[GS_EWMA_RUN];

	int			depth;			/* digits of the number of runs that are 1 */
	gs_ewma_block block[GS_EWMA_LEVELS];
	gs_ewma_block fold[GS_EWMA_LEVELS];
} gs_ewma;

#ifdef __cplusplus
extern "C"
{
#endif

/* 0 < alpha <= 1; `greatest` is the greatest finite magnitude, or 0. */
extern void gs_ewma_open(gs_ewma *e, double alpha, bool adjust,
						 double greatest);

/*
 * The means up to each of the next n <= GS_EWMA_TILE elements, whose last bits
 * may be in `low`, and with these gaps; NULL: none of the former, only 1 of the
 * latter.  Fewer than GS_EWMA_TILE only at the end.
 */
extern void gs_ewma_next(gs_ewma *e, const double *x, const double *low,
						 const int32_t *gap, int n, double *result);

#ifdef __cplusplus
}
#endif

#endif							/* GS_EWMA_H */
