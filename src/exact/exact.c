/*-------------------------------------------------------------------------
 *
 * exact.c
 *	  From exact sums to results, with one rounding at the end.
 *
 * exact.h has the work per element; this file has the work per result.  An
 * accumulator becomes an integer of any length (bigint.h), the result's
 * formula is evaluated in such integers, and the leading 64 bits, with a
 * sticky bit for all that follow, are rounded.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"

#include <math.h>

/* Propagate carries: all limbs but the last come into [0, 2^32). */
static void
propagate(int64_t *limb, int n)
{
	int64_t		carry = 0;

	for (int i = 0; i < n - 1; i++)
	{
		int64_t		sum = limb[i] + carry;

		limb[i] = sum & 0xffffffff;
		carry = sum >> 32;
	}
	limb[n - 1] += carry;
}

void
gs_acc_init(gs_acc *a)
{
	memset(a, 0, sizeof *a);
}

void
gs_acc2_init(gs_acc2 *a)
{
	memset(a, 0, sizeof *a);
}

void
gs_acc_propagate(gs_acc *a)
{
	propagate(a->limb, GS_ACC_LIMBS);
	a->additions = 1;
}

void
gs_acc2_propagate(gs_acc2 *a)
{
	propagate(a->limb, GS_ACC2_LIMBS);
	a->additions = 1;
}

void
gs_acc_merge(gs_acc *a, const gs_acc *b)
{
	gs_acc		other = *b;

	/* propagated, b counts as one addition */
	gs_acc_propagate(&other);
	if (a->additions >= GS_ACC_ADDITIONS)
		gs_acc_propagate(a);
	a->seen |= other.seen;
	a->additions++;
	for (int i = 0; i < GS_ACC_LIMBS; i++)
		a->limb[i] += other.limb[i];
}

void
gs_acc2_merge(gs_acc2 *a, const gs_acc2 *b)
{
	gs_acc2		other = *b;

	gs_acc2_propagate(&other);
	if (a->additions >= GS_ACC_ADDITIONS)
		gs_acc2_propagate(a);
	a->seen |= other.seen;
	a->additions++;
	for (int i = 0; i < GS_ACC2_LIMBS; i++)
		a->limb[i] += other.limb[i];
}

/* A magnitude, in units of 2^exponent, and a sign. */
typedef struct short_sum
{
	unsigned __int128 magnitude;
	int			exponent;
	bool		negative;
} short_sum;

/*
 * A sum that has no more than 96 bits, as those of most groups: without the
 * loops of a gs_big.  Its limbs must be propagated.
 */
static bool
is_short(gs_limbs a, short_sum *sum)
{
	bool		negative = a.n > 0 && a.limb[a.n - 1] < 0;
	unsigned __int128 magnitude = 0;

	for (int i = 3; i < a.n; i++)
	{
		if (a.limb[i] != (negative ? (i < a.n - 1 ? (int64_t) UINT32_MAX : -1) : 0))
			return false;
	}
	for (int i = a.n < 3 ? a.n - 1 : 2; i >= 0; i--)
	{
		if (a.limb[i] != (i < a.n - 1 ? (int64_t) (uint32_t) a.limb[i] :
						  (int64_t) (int32_t) a.limb[i]))
			return false;
		magnitude = magnitude << 32 | (uint32_t) a.limb[i];
	}
	if (negative)
		magnitude = ((unsigned __int128) 1 << (a.n < 3 ? 32 * a.n : 96)) -
			magnitude;
	*sum = (short_sum) {magnitude, a.lowest, negative};
	return true;
}

/* The leading bits; sticky: something non-zero lies below them all. */
static gs_leading
short_leading(short_sum sum, bool sticky)
{
	unsigned __int128 magnitude = sum.magnitude;
	gs_leading	leading = {.exponent = sum.exponent};
	int			bits;

	if (magnitude == 0)
		return leading;
	bits = magnitude >> 64 != 0 ?
		128 - __builtin_clzll((uint64_t) (magnitude >> 64)) :
		64 - __builtin_clzll((uint64_t) magnitude);
	leading.exponent += bits - 64;
	leading.negative = sum.negative;
	leading.sticky = sticky ||
		(bits > 64 && (uint64_t) (magnitude << (128 - bits)) != 0);
	leading.top = bits > 64 ? (uint64_t) (magnitude >> (bits - 64)) :
		(uint64_t) magnitude << (64 - bits);
	return leading;
}

/* The leading bits of sum / n. */
static gs_leading
short_mean(short_sum sum, uint64_t n)
{
	unsigned __int128 magnitude = sum.magnitude;
	int			shift;

	/* n has 63 bits at most: 64 and more are left */
	if (magnitude != 0 && n > 1)
	{
		shift = magnitude >> 64 != 0 ?
			__builtin_clzll((uint64_t) (magnitude >> 64)) :
			64 + __builtin_clzll((uint64_t) magnitude);
		magnitude <<= shift;
		sum.exponent -= shift;
		sum.magnitude = magnitude / n;
	}
	return short_leading(sum, n > 1 && magnitude % n != 0);
}

static gs_leading
leading_of(gs_limbs a)
{
	short_sum	sum;
	gs_big		b;

	if (is_short(a, &sum))
		return short_leading(sum, false);
	gs_big_from_limbs(&b, a);
	return gs_big_leading(&b);
}

gs_rounding
gs_limbs_round(gs_limbs a, double *result)
{
	if (gs_special_sum(a.seen, result))
		return GS_ROUNDED;
	return gs_leading_to_double(leading_of(a), result);
}

gs_rounding
gs_limbs_round_float(gs_limbs a, float *result)
{
	double		special;

	if (gs_special_sum(a.seen, &special))
	{
		*result = (float) special;
		return GS_ROUNDED;
	}
	return gs_leading_to_float(leading_of(a), result);
}

gs_rounding
gs_limbs_mean(gs_limbs sum, int64_t n, double *result)
{
	short_sum	small;
	gs_big		b;

	if (n < 1)
		return GS_UNDEFINED;
	if (gs_special_sum(sum.seen, result))
		return GS_ROUNDED;
	if (is_short(sum, &small))
		return gs_leading_to_double(short_mean(small, (uint64_t) n), result);
	gs_big_from_limbs(&b, sum);
	gs_big_divide_small(&b, (uint64_t) n, 1);
	return gs_leading_to_double(gs_big_leading(&b), result);
}

gs_rounding
gs_acc2_sqrt(const gs_acc2 *squares, double *result)
{
	gs_big		b;

	if (gs_special_sum(squares->seen, result))
	{
		*result = fabs(*result);	/* squares of zeros only are 0 */
		return GS_ROUNDED;
	}
	gs_big_from_limbs(&b, gs_acc2_limbs(squares));
	return gs_leading_to_double(gs_big_root(&b), result);
}

/* v = n squares, s2 = sum^2 */
static void
moments(gs_limbs sum, gs_limbs squares, int64_t n, gs_big *v, gs_big *s2)
{
	gs_big		s;

	gs_big_from_limbs(&s, sum);
	gs_big_multiply(s2, &s, &s);
	gs_big_from_limbs(v, squares);
	gs_big_multiply_small(v, (uint64_t) n);
}

/* v = the variance of finite elements, unrounded; n is large enough. */
static void
variance(gs_big *v, gs_limbs sum, gs_limbs squares, int64_t n, bool sample)
{
	gs_big		s2;

	moments(sum, squares, n, v, &s2);
	gs_big_subtract(v, &s2);	/* not negative, by Cauchy and Schwarz */
	gs_big_divide_small(v, (uint64_t) n, (uint64_t) (sample ? n - 1 : n));
}

/*
 * The cases that need no arithmetic; false if the variance must be computed.
 */
static bool
variance_special(gs_limbs sum, int64_t n, bool sample,
				 gs_rounding *rounding, double *result)
{
	const uint32_t not_finite = GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
		GS_SEEN_NEGATIVE_INF;

	*rounding = GS_ROUNDED;
	if (n < (sample ? 2 : 1))
		*rounding = GS_UNDEFINED;
	else if (sum.seen & not_finite)
		*result = gs_canonical_nan();
	else
		return false;
	return true;
}

gs_rounding
gs_limbs_variance(gs_limbs sum, gs_limbs squares, int64_t n, bool sample,
				  double *result)
{
	gs_rounding rounding;
	gs_big		v;

	if (variance_special(sum, n, sample, &rounding, result))
		return rounding;
	variance(&v, sum, squares, n, sample);
	return gs_leading_to_double(gs_big_leading(&v), result);
}

gs_rounding
gs_limbs_stddev(gs_limbs sum, gs_limbs squares, int64_t n, bool sample,
				double *result)
{
	gs_rounding rounding;
	gs_big		v;

	if (variance_special(sum, n, sample, &rounding, result))
		return rounding;
	variance(&v, sum, squares, n, sample);
	return gs_leading_to_double(gs_big_root(&v), result);
}

gs_rounding
gs_acc_round(const gs_acc *a, double *result)
{
	return gs_limbs_round(gs_acc_limbs(a), result);
}

gs_rounding
gs_acc_round_float(const gs_acc *a, float *result)
{
	return gs_limbs_round_float(gs_acc_limbs(a), result);
}

gs_rounding
gs_acc2_round(const gs_acc2 *a, double *result)
{
	return gs_limbs_round(gs_acc2_limbs(a), result);
}

gs_rounding
gs_acc_mean(const gs_acc *sum, int64_t n, double *result)
{
	return gs_limbs_mean(gs_acc_limbs(sum), n, result);
}

gs_rounding
gs_variance(const gs_acc *sum, const gs_acc2 *squares, int64_t n, bool sample,
			double *result)
{
	return gs_limbs_variance(gs_acc_limbs(sum), gs_acc2_limbs(squares), n,
							 sample, result);
}

gs_rounding
gs_stddev(const gs_acc *sum, const gs_acc2 *squares, int64_t n, bool sample,
		  double *result)
{
	return gs_limbs_stddev(gs_acc_limbs(sum), gs_acc2_limbs(squares), n,
						   sample, result);
}
