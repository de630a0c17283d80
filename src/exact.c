/*-------------------------------------------------------------------------
 *
 * exact.c
 *	  From exact sums to results: one rounding, at the end.
 *
 * What happens once an element is in exact.h.  What happens once a result is
 * here: an accumulator becomes a magnitude (a non-negative integer of 32-bit
 * words, least significant first), the result's formula is evaluated in
 * integers, and the leading 64 bits, with a sticky bit for all that follow,
 * are rounded.
 *
 *-------------------------------------------------------------------------
 */
#include "exact.h"

#include <math.h>

/* The longest magnitude: n * squares, and room to divide it by n (n - 1). */
#define DIVISION_WORDS	6
#define BIG_WORDS		(GS_ACC2_LIMBS + 4 + DIVISION_WORDS)

typedef struct big
{
	int			words;			/* those beyond are zero */
	int			lowest;			/* word 0 counts units of 2^lowest */
	bool		negative;
	bool		sticky;			/* something non-zero lies below word 0 */
	uint32_t	word[BIG_WORDS];
} big;

/* A value's leading bits: top * 2^exponent, top >= 2^63, and a sticky bit. */
typedef struct leading
{
	uint64_t	top;			/* 0 for the value 0 */
	int			exponent;
	bool		sticky;
	bool		negative;
} leading;

/*
 * Propagate carries, so that all limbs but the last lie in [0, 2^32).
 */
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

/* The magnitude of an accumulator, without leading and trailing zero words. */
static void
big_from_limbs(big *r, gs_limbs a)
{
	const int64_t *limb = a.limb;
	int			n = a.n;
	int64_t		carry = 0;
	int			skip = 0;

	r->negative = false;
	r->sticky = false;
	r->words = 0;
	r->lowest = a.lowest;

	/* the sign is that of the carry that comes out at the top */
	for (int i = 0; i < n; i++)
		carry = (limb[i] + carry) >> 32;
	r->negative = carry < 0;

	carry = 0;
	for (int i = 0; i < n + 1; i++)
	{
		int64_t		sum = carry;

		if (i < n)
			sum += r->negative ? -limb[i] : limb[i];
		carry = sum >> 32;
		if (i == skip && (uint32_t) sum == 0)
			skip++;
		else
		{
			r->word[i - skip] = (uint32_t) sum;
			if ((uint32_t) sum != 0)
				r->words = i - skip + 1;
		}
	}
	if (r->words > 0)
		r->lowest += 32 * skip;
}

/* r *= m */
static void
big_multiply_small(big *r, uint64_t m)
{
	unsigned __int128 carry = 0;

	for (int i = 0; i < r->words; i++)
	{
		carry += (unsigned __int128) r->word[i] * m;
		r->word[i] = (uint32_t) carry;
		carry >>= 32;
	}
	for (; carry != 0; carry >>= 32)
		r->word[r->words++] = (uint32_t) carry;
}

/* r = a^2 */
static void
big_square(big *r, const big *a)
{
	r->words = 2 * a->words;
	r->lowest = 2 * a->lowest;
	r->negative = false;
	r->sticky = false;
	memset(r->word, 0, sizeof(uint32_t) * r->words);
	for (int i = 0; i < a->words; i++)
	{
		uint64_t	carry = 0;

		for (int j = 0; j < a->words; j++)
		{
			carry += (uint64_t) a->word[i] * a->word[j] + r->word[i + j];
			r->word[i + j] = (uint32_t) carry;
			carry >>= 32;
		}
		r->word[i + a->words] = (uint32_t) carry;
	}
	while (r->words > 0 && r->word[r->words - 1] == 0)
		r->words--;
}

/* The same value with word 0 moved down to `lowest`, whole words below. */
static void
big_lower(big *r, int lowest)
{
	int			by = (r->lowest - lowest) / 32;

	if (r->words == 0 || by <= 0)
		return;
	memmove(r->word + by, r->word, sizeof(uint32_t) * r->words);
	memset(r->word, 0, sizeof(uint32_t) * by);
	r->words += by;
	r->lowest -= 32 * by;
}

/* r >= a, both not negative?  Their lowest differ by whole words. */
static bool
big_not_below(const big *r, const big *a)
{
	int			top = (a->lowest - r->lowest) / 32 + a->words;

	if (a->words == 0 || r->words == 0)
		return a->words == 0;
	if (r->words != top)
		return r->words > top;
	for (int i = 1; i <= r->words || i <= a->words; i++)
	{
		uint32_t	from_r = i <= r->words ? r->word[r->words - i] : 0;
		uint32_t	from_a = i <= a->words ? a->word[a->words - i] : 0;

		if (from_r != from_a)
			return from_r > from_a;
	}
	return true;
}

/* r = r - a, where r >= a >= 0; their lowest differ by whole words. */
static void
big_subtract(big *r, const big *a)
{
	int64_t		borrow = 0;
	int			offset;

	if (a->words == 0 || r->words == 0)
		return;
	big_lower(r, a->lowest);
	offset = (a->lowest - r->lowest) / 32;
	for (int i = offset; i < r->words; i++)
	{
		int64_t		difference = (int64_t) r->word[i] + borrow;

		if (i - offset < a->words)
			difference -= a->word[i - offset];
		r->word[i] = (uint32_t) difference;
		borrow = difference >> 32;
	}
	while (r->words > 0 && r->word[r->words - 1] == 0)
		r->words--;
}

/* r = floor(r / d) in its units; a remainder sets the sticky bit. */
static void
big_divide_small(big *r, uint64_t d)
{
	uint64_t	remainder = 0;

	for (int i = r->words - 1; i >= 0; i--)
	{
		unsigned __int128 dividend =
			((unsigned __int128) remainder << 32) | r->word[i];

		r->word[i] = (uint32_t) (dividend / d);
		remainder = (uint64_t) (dividend % d);
	}
	r->sticky |= remainder != 0;
	while (r->words > 0 && r->word[r->words - 1] == 0)
		r->words--;
}

static leading
big_leading(const big *a)
{
	leading		r = {0, a->lowest, a->sticky, a->negative};
	int			top = a->words - 1;
	int			shift;

	if (a->words == 0)
		return r;
	shift = __builtin_clz(a->word[top]);
	r.exponent = a->lowest + 32 * (top - 1) - shift;
	r.top = (uint64_t) a->word[top] << 32;
	if (top >= 1)
		r.top |= a->word[top - 1];
	r.top <<= shift;
	if (top >= 2)
	{
		if (shift > 0)
			r.top |= a->word[top - 2] >> (32 - shift);
		r.sticky |= (uint32_t) (a->word[top - 2] << shift) != 0;
		for (int i = top - 3; i >= 0 && !r.sticky; i--)
			r.sticky = a->word[i] != 0;
	}
	return r;
}

/* Round to `bits` leading bits, 1 <= bits <= 63; the rest becomes zero. */
static leading
round_leading(leading v, int bits)
{
	int			drop = 64 - bits;
	uint64_t	half = UINT64_C(1) << (drop - 1);
	uint64_t	rest = v.top & (2 * half - 1);

	v.top -= rest;
	if (rest > half || (rest == half && (v.sticky || (v.top & (2 * half)))))
	{
		v.top += 2 * half;
		if (v.top == 0)			/* carried out of the top */
		{
			v.top = UINT64_C(1) << 63;
			v.exponent++;
		}
	}
	v.sticky = false;
	return v;
}

/*
 * Round to a double; GS_OVERFLOW if that is out of range.  A result below the
 * normal range keeps as many bits as a subnormal has.
 */
static gs_rounding
leading_to_double(leading v, double *result)
{
	int			e = v.exponent + 63;	/* of the leading bit */
	double		magnitude;

	if (v.top == 0 || e < -1075)
		magnitude = 0;
	else if (e == -1075)		/* above half the least double, or just half */
		magnitude = v.top > UINT64_C(1) << 63 || v.sticky ? DBL_TRUE_MIN : 0;
	else
	{
		v = round_leading(v, e < -1022 ? e + 1075 : 53);
		if (v.exponent + 63 > 1023)
			return GS_OVERFLOW;
		/* both steps exact: the bits that are left fit */
		magnitude = ldexp((double) (v.top >> 11), v.exponent + 11);
	}
	*result = v.negative ? -magnitude : magnitude;
	return GS_ROUNDED;
}

static gs_rounding
leading_to_float(leading v, float *result)
{
	int			e = v.exponent + 63;
	double		odd;

	if (v.top == 0 || e < -200)
		odd = 0;
	else if (e > 200)
		return GS_OVERFLOW;
	else
		odd = ldexp((double) ((v.top >> 11) |
							  ((v.top & 0x7ff) != 0 || v.sticky)),
					v.exponent + 11);
	*result = (float) (v.negative ? -odd : odd);
	return isinf(*result) ? GS_OVERFLOW : GS_ROUNDED;
}

/*
 * The rounded square root of the value rounded to 53 bits, or to what a
 * subnormal has.
 */
static gs_rounding
leading_sqrt(leading v, double *result)
{
	int			half;
	double		scaled;

	if (v.exponent + 63 < -1022)
	{
		(void) leading_to_double(v, &scaled);
		*result = sqrt(scaled);
		return GS_ROUNDED;
	}
	v = round_leading(v, 53);
	half = (v.exponent + 64) / 2;
	scaled = ldexp((double) (v.top >> 11), v.exponent + 11 - 2 * half);
	*result = ldexp(sqrt(scaled), half);	/* exact, or out of range */
	return isinf(*result) ? GS_OVERFLOW : GS_ROUNDED;
}

/* Do the addends alone decide?  An infinity or NaN does. */
static bool
special_sum(uint32_t seen, double *result)
{
	const uint32_t both = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;

	if ((seen & GS_SEEN_NAN) || (seen & both) == both)
		*result = gs_canonical_nan();
	else if (seen & GS_SEEN_POSITIVE_INF)
		*result = HUGE_VAL;
	else if (seen & GS_SEEN_NEGATIVE_INF)
		*result = -HUGE_VAL;
	else if (!(seen & GS_SEEN_NOT_NEGATIVE_ZERO))
		*result = -0.0;
	else
		return false;
	return true;
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

void
gs_acc_add_fix(gs_acc *a, gs_fix v, int base)
{
	bool		negative = v.hi < 0;
	uint64_t	lo = v.lo;
	uint64_t	hi = (uint64_t) v.hi;

	if (negative)
	{
		lo = 0 - lo;
		hi = 0 - hi - (lo != 0);
	}
	if (a->additions >= GS_ACC_ADDITIONS - 1)
		gs_acc_propagate(a);
	if (lo != 0)
		gs_limbs_add(a->limb, lo, base, negative);
	if (hi != 0)
		gs_limbs_add(a->limb, hi, base + 64, negative);
	a->additions += 2;
}

gs_rounding
gs_limbs_round(gs_limbs a, double *result)
{
	big			b;

	if (special_sum(a.seen, result))
		return GS_ROUNDED;
	big_from_limbs(&b, a);
	return leading_to_double(big_leading(&b), result);
}

gs_rounding
gs_limbs_round_float(gs_limbs a, float *result)
{
	big			b;
	double		special;

	if (special_sum(a.seen, &special))
	{
		*result = (float) special;
		return GS_ROUNDED;
	}
	big_from_limbs(&b, a);
	return leading_to_float(big_leading(&b), result);
}

gs_rounding
gs_limbs_mean(gs_limbs sum, int64_t n, double *result)
{
	big			b;

	if (n < 1)
		return GS_UNDEFINED;
	if (special_sum(sum.seen, result))
		return GS_ROUNDED;
	big_from_limbs(&b, sum);
	big_lower(&b, b.lowest - 32 * DIVISION_WORDS);
	big_divide_small(&b, (uint64_t) n);
	return leading_to_double(big_leading(&b), result);
}

gs_rounding
gs_acc2_sqrt(const gs_acc2 *squares, double *result)
{
	big			b;

	if (special_sum(squares->seen, result))
	{
		*result = fabs(*result);	/* squares of nothing but zeros are 0 */
		return GS_ROUNDED;
	}
	big_from_limbs(&b, gs_acc2_limbs(squares));
	return leading_sqrt(big_leading(&b), result);
}

/* v = n squares, s2 = sum^2 */
static void
moments(gs_limbs sum, gs_limbs squares, int64_t n, big *v, big *s2)
{
	big			s;

	big_from_limbs(&s, sum);
	big_square(s2, &s);
	big_from_limbs(v, squares);
	big_multiply_small(v, (uint64_t) n);
}

/* The variance of finite elements, unrounded; n is large enough. */
static leading
variance_leading(gs_limbs sum, gs_limbs squares, int64_t n, bool sample)
{
	big			s2;
	big			v;

	moments(sum, squares, n, &v, &s2);
	big_subtract(&v, &s2);		/* not negative, by Cauchy and Schwarz */
	big_lower(&v, v.lowest - 32 * DIVISION_WORDS);
	big_divide_small(&v, (uint64_t) n);
	big_divide_small(&v, (uint64_t) (sample ? n - 1 : n));
	return big_leading(&v);
}

/* What needs no arithmetic; false if the variance is to be computed. */
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

	if (variance_special(sum, n, sample, &rounding, result))
		return rounding;
	return leading_to_double(variance_leading(sum, squares, n, sample),
							 result);
}

gs_rounding
gs_limbs_stddev(gs_limbs sum, gs_limbs squares, int64_t n, bool sample,
				double *result)
{
	gs_rounding rounding;

	if (variance_special(sum, n, sample, &rounding, result))
		return rounding;
	return leading_sqrt(variance_leading(sum, squares, n, sample), result);
}

bool
gs_limbs_possible(gs_limbs sum, gs_limbs squares, int64_t n)
{
	big			s2;
	big			v;

	moments(sum, squares, n, &v, &s2);
	return !v.negative && big_not_below(&v, &s2);
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
