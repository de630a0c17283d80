/*-------------------------------------------------------------------------
 *
 * fixed.h
 *	  Fixed-point numbers, their exponential and their logarithm.
 *
 * Numbers are from 0 to 2^64, in steps of 2^-448.  Operations cut off what is
 * below a step; functions of x, unless they say otherwise, err by less than
 * 2^-430 of x or of 1, whichever is more.
 *
 * They compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FIXED_H
#define GS_FIXED_H

#include "exact/bigint.h"

#define GS_FIXED_WORDS	8
#define GS_FIXED_BITS	(64 * (GS_FIXED_WORDS - 1)) /* after the point */
#define GS_FIXED_TOP	(GS_FIXED_WORDS - 1)	/* the word before the point */

/* The exponential of x / 2^GS_FIXED_HALVINGS is a short series. */
#define GS_FIXED_HALVINGS	12

/* On the device, code that runs once in a million times has no registers of its own. */
#ifdef __CUDACC__
#define GS_FIXED_FUNCTION __host__ __device__ __noinline__ static inline
#else
#define GS_FIXED_FUNCTION static inline
#endif

typedef unsigned __int128 gs_fixed_wide;

typedef struct gs_fixed
{
	uint64_t	word[GS_FIXED_WORDS];	/* least significant first */
} gs_fixed;

/* A gs_fixed of either sign: the magnitude, and whether it is negative. */
typedef struct gs_signed
{
	gs_fixed	magnitude;
	bool		negative;
} gs_signed;

/* To the left, to the right if negative. */
GS_FIXED_FUNCTION void
gs_fixed_shift(gs_fixed *r, int left)
{
	int			words = left >= 0 ? left / 64 : -((-left + 63) / 64);
	int			bits = left - 64 * words;	/* to the left */
	gs_fixed	from = *r;

	for (int i = 0; i < GS_FIXED_WORDS; i++)
	{
		int			k = i - words;
		uint64_t	word = k >= 0 && k < GS_FIXED_WORDS ? from.word[k] : 0;
		uint64_t	below = k >= 1 && k <= GS_FIXED_WORDS ? from.word[k - 1] : 0;

		r->word[i] = bits == 0 ? word : word << bits | below >> (64 - bits);
	}
}

/* m * 2^exponent; what is below a step is cut off. */
GS_INLINE void
gs_fixed_set(gs_fixed *r, uint64_t m, int exponent)
{
	memset(r, 0, sizeof *r);
	r->word[GS_FIXED_TOP] = m;
	gs_fixed_shift(r, exponent);
}

GS_INLINE bool
gs_fixed_is_zero(const gs_fixed *a)
{
	uint64_t	any = 0;

	for (int i = 0; i < GS_FIXED_WORDS; i++)
		any |= a->word[i];
	return any == 0;
}

GS_INLINE bool
gs_fixed_below(const gs_fixed *a, const gs_fixed *b)
{
	for (int i = GS_FIXED_TOP; i >= 0; i--)
	{
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i];
	}
	return false;
}

GS_INLINE void
gs_fixed_add(gs_fixed *r, const gs_fixed *a)
{
	gs_fixed_wide carry = 0;

	for (int i = 0; i < GS_FIXED_WORDS; i++)
	{
		carry += (gs_fixed_wide) r->word[i] + a->word[i];
		r->word[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

/* a <= r */
GS_INLINE void
gs_fixed_subtract(gs_fixed *r, const gs_fixed *a)
{
	uint64_t	borrow = 0;

	for (int i = 0; i < GS_FIXED_WORDS; i++)
	{
		gs_fixed_wide difference = (gs_fixed_wide) r->word[i] -
			a->word[i] - borrow;

		r->word[i] = (uint64_t) difference;
		borrow = (uint64_t) (difference >> 64) & 1;
	}
}

GS_FIXED_FUNCTION void
gs_fixed_multiply(gs_fixed *r, const gs_fixed *a)
{
	uint64_t	product[2 * GS_FIXED_WORDS] = {0};

	for (int i = 0; i < GS_FIXED_WORDS; i++)
	{
		gs_fixed_wide carry = 0;

		for (int j = 0; j < GS_FIXED_WORDS; j++)
		{
			carry += (gs_fixed_wide) r->word[i] * a->word[j] + product[i + j];
			product[i + j] = (uint64_t) carry;
			carry >>= 64;
		}
		product[i + GS_FIXED_WORDS] = (uint64_t) carry;
	}
	memcpy(r->word, product + GS_FIXED_TOP, sizeof r->word);
}

GS_INLINE void
gs_fixed_multiply_small(gs_fixed *r, uint64_t m)
{
	gs_fixed_wide carry = 0;

	for (int i = 0; i < GS_FIXED_WORDS; i++)
	{
		carry += (gs_fixed_wide) r->word[i] * m;
		r->word[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

GS_FIXED_FUNCTION void
gs_fixed_divide_small(gs_fixed *r, uint64_t d)
{
	gs_fixed_wide rest = 0;

	for (int i = GS_FIXED_TOP; i >= 0; i--)
	{
		rest = rest << 64 | r->word[i];
		r->word[i] = (uint64_t) (rest / d);
		rest %= d;
	}
}

/* Leading bits; sticky, whatever follows them. */
GS_INLINE gs_leading
gs_fixed_leading(const gs_fixed *a)
{
	gs_leading	r = {.sticky = true};
	int			i = GS_FIXED_TOP;
	int			shift;

	while (i > 0 && a->word[i] == 0)
		i--;
	if (a->word[i] == 0)
		return r;
	shift = gs_leading_zeros(a->word[i]);
	r.top = a->word[i] << shift;
	if (i > 0 && shift > 0)
		r.top |= a->word[i - 1] >> (64 - shift);
	r.exponent = 64 * (i - GS_FIXED_TOP) - shift;
	return r;
}

/* r = atanh(1 / n), n > 1: 1/n + 1/(3 n^3) + 1/(5 n^5) + ... */
GS_INLINE void
gs_fixed_atanh_inverse(gs_fixed *r, uint64_t n)
{
	gs_fixed	power;

	gs_fixed_set(&power, 1, 0);
	gs_fixed_divide_small(&power, n);
	*r = power;
	for (uint64_t k = 3; !gs_fixed_is_zero(&power); k += 2)
	{
		gs_fixed	term;

		gs_fixed_divide_small(&power, n * n);
		term = power;
		gs_fixed_divide_small(&term, k);
		gs_fixed_add(r, &term);
	}
}

/* r = ln 2: 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749) */
GS_INLINE void
gs_fixed_ln2(gs_fixed *r)
{
	gs_fixed	part;

	gs_fixed_atanh_inverse(r, 26);
	gs_fixed_multiply_small(r, 18);
	gs_fixed_atanh_inverse(&part, 8749);
	gs_fixed_multiply_small(&part, 8);
	gs_fixed_add(r, &part);
	gs_fixed_atanh_inverse(&part, 4801);
	gs_fixed_multiply_small(&part, 2);
	gs_fixed_subtract(r, &part);
}

/* r = e^r, for r < 1 */
GS_INLINE void
gs_fixed_exp_of_fraction(gs_fixed *r)
{
	gs_fixed	x = *r;
	gs_fixed	term;

	gs_fixed_shift(&x, -GS_FIXED_HALVINGS);
	gs_fixed_set(&term, 1, 0);
	*r = term;
	for (uint64_t k = 1; !gs_fixed_is_zero(&term); k++)
	{
		gs_fixed_multiply(&term, &x);
		gs_fixed_divide_small(&term, k);
		gs_fixed_add(r, &term);
	}
	for (int i = 0; i < GS_FIXED_HALVINGS; i++)
		gs_fixed_multiply(r, r);
}

/* *n = the integer part of x / ln 2, *rest = x - *n ln 2 */
GS_INLINE void
gs_fixed_reduce(const gs_fixed *x, const gs_fixed *ln2, int *n, gs_fixed *rest)
{
	/* 1.4427 is below 1 / ln 2; so n is too small, by one or two at most */
	gs_fixed	multiple = *ln2;

	*n = (int) ((double) x->word[GS_FIXED_TOP] * 1.4427);
	gs_fixed_multiply_small(&multiple, (uint64_t) *n);
	*rest = *x;
	gs_fixed_subtract(rest, &multiple);
	while (!gs_fixed_below(rest, ln2))
	{
		gs_fixed_subtract(rest, ln2);
		++*n;
	}
}

/*
 * r * 2^*exponent = e^x, 1 <= r <= 2, for |x| < 2^11.  ln2 is what
 * gs_fixed_ln2 gives.
 */
GS_FIXED_FUNCTION void
gs_fixed_exp(gs_fixed *r, int *exponent, const gs_signed *x,
			 const gs_fixed *ln2)
{
	gs_fixed	rest;

	gs_fixed_reduce(&x->magnitude, ln2, exponent, &rest);
	*r = rest;
	if (x->negative)
	{
		/* -x = -(n + 1) ln 2 + (ln 2 - rest) */
		*r = *ln2;
		gs_fixed_subtract(r, &rest);
		*exponent = -*exponent - 1;
	}
	gs_fixed_exp_of_fraction(r);
}

/* r = ln(1 + x), x small: x - x^2 / 2 + x^3 / 3 - ... */
GS_INLINE void
gs_fixed_ln_of_one_plus(gs_fixed *r, const gs_fixed *x)
{
	gs_fixed	power = *x;

	*r = *x;
	for (uint64_t k = 2; !gs_fixed_is_zero(&power); k++)
	{
		gs_fixed	term;

		gs_fixed_multiply(&power, x);
		term = power;
		gs_fixed_divide_small(&term, k);
		if (k % 2 == 0)
			gs_fixed_subtract(r, &term);
		else
			gs_fixed_add(r, &term);
	}
}

/* ln (m 2^exponent), to less than 2^-40. */
GS_INLINE double
gs_rough_ln(uint64_t m, int exponent)
{
	double		x = (double) m * 0x1p-52;
	double		z;
	double		power;
	double		sum = 0;

	exponent += 52;
	if (x > 1.4142)
	{
		x /= 2;
		exponent++;
	}
	z = power = (x - 1) / (x + 1);	/* |z| < 0.172 */
	for (int k = 1; k < 25; k += 2)
	{
		sum += power / k;
		power *= z * z;
	}
	return 2 * sum + exponent * 0.69314718055994530942;
}

/*
 * r = ln x, x = m 2^exponent, 2^52 <= m < 2^53.
 *
 * With y a little less than ln x, ln x = y + ln(1 + (x e^-y - 1)), and what is
 * in parentheses is small and not negative.
 */
GS_INLINE void
gs_fixed_ln(gs_signed *r, uint64_t m, int exponent, const gs_fixed *ln2)
{
	double		y = gs_rough_ln(m, exponent) - 0x1p-32;
	bool		negative;
	int			position;
	uint64_t	digits = gs_split(y, &position, &negative);
	gs_signed	opposite = {.negative = !negative};
	gs_fixed	one;
	gs_fixed	product;
	gs_fixed	factor;
	gs_fixed	rest;
	int			by;

	gs_fixed_set(&opposite.magnitude, digits, position + GS_ACC_LOWEST);
	gs_fixed_exp(&product, &by, &opposite, ln2);
	gs_fixed_set(&factor, m, -52);
	gs_fixed_multiply(&product, &factor);
	gs_fixed_shift(&product, by + exponent + 52);
	gs_fixed_set(&one, 1, 0);
	gs_fixed_subtract(&product, &one);
	gs_fixed_ln_of_one_plus(&rest, &product);

	r->negative = negative;
	r->magnitude = opposite.magnitude;
	if (!negative)
		gs_fixed_add(&r->magnitude, &rest);
	else if (gs_fixed_below(&rest, &r->magnitude))
		gs_fixed_subtract(&r->magnitude, &rest);
	else
	{
		gs_fixed_subtract(&rest, &r->magnitude);
		r->magnitude = rest;
		r->negative = false;
	}
}

/* r = 1 / a, which is `near`, to some 50 bits: each step doubles them. */
GS_INLINE void
gs_fixed_inverse(gs_fixed *r, const gs_fixed *a, double near)
{
	bool		negative;
	int			position;
	uint64_t	digits = gs_split(near, &position, &negative);

	gs_fixed_set(r, digits, position + GS_ACC_LOWEST);
	for (int bits = 50; bits < GS_FIXED_BITS; bits *= 2)
	{
		/* r (2 - a r) */
		gs_fixed	product = *a;
		gs_fixed	factor;

		gs_fixed_multiply(&product, r);
		gs_fixed_set(&factor, 2, 0);
		gs_fixed_subtract(&factor, &product);
		gs_fixed_multiply(r, &factor);
	}
}

#endif							/* GS_FIXED_H */
