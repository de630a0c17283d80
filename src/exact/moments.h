/*-------------------------------------------------------------------------
 *
 * moments.h
 *	  Variances, deviations and figures of pairs from exact sums that are short.
 *
 * As exact.c and regression.c, which say how figures follow, but in integers of
 * few words: the sums of nearly all groups fit, since the bits of their values
 * are not far apart.  Every figure is a quotient of two integers, or the root of
 * one, of which 64 bits are found, and whether any follow.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOMENTS_H
#define GS_MOMENTS_H

#include "exact/correlate.h"
#include "exact/figures.h"

/* A sum has so many words of 64 bits: as many as a gs_float_sum, and more. */
#define GS_SHORT_WORDS	5
#define GS_LONG_WORDS	(2 * GS_SHORT_WORDS)

/*
 * A magnitude in units of 2^exponent, least significant word first; the last of
 * its words is not 0.
 */
typedef struct gs_short
{
	int			words;			/* 0: it is zero */
	int			exponent;
	bool		negative;
	uint64_t	word[GS_SHORT_WORDS];
} gs_short;

/* The same of products. */
typedef struct gs_long
{
	int			words;
	int			exponent;
	bool		negative;
	uint64_t	word[GS_LONG_WORDS];
} gs_long;

/* As gs_sums, of those that the figure needs. */
typedef struct gs_short_sums
{
	int64_t		n;
	bool		x_finite;		/* all of them */
	bool		y_finite;
	gs_short	x;
	gs_short	y;
	gs_short	xx;
	gs_short	yy;
	gs_short	xy;
} gs_short_sums;

/* ----------
 * Sums
 * ----------
 */

/* From two's complement. */
GS_INLINE void
gs_short_make(gs_short *r, const uint64_t *word, int words, int exponent)
{
	uint64_t	sign = words == 0 ? 0 :
		(uint64_t) ((int64_t) word[words - 1] >> 63);
	uint64_t	carry = sign & 1;

	r->negative = carry != 0;
	r->exponent = exponent;
	r->words = 0;
	for (int i = 0; i < words; i++)
	{
		r->word[i] = (word[i] ^ sign) + carry;
		carry = carry != 0 && r->word[i] == 0;
		if (r->word[i] != 0)
			r->words = i + 1;
	}
}

/* False: it takes too many words. */
GS_INLINE bool
gs_short_from_limbs(gs_short *r, const int64_t *limb, int n, int lowest)
{
	uint64_t	word[GS_SHORT_WORDS] = {0};
	uint32_t	high = 0;		/* what is beyond the words, all the same */
	int			first = 0;		/* limb that is not 0 */
	int			used = 0;
	int64_t		carry = 0;

	/* the last limb may have more than 32 bits */
	for (int i = 0; i < n + 2; i++)
	{
		uint32_t	digit;

		carry += i < n ? limb[i] : 0;
		digit = (uint32_t) carry;
		carry >>= 32;
		if (used == 0 && digit == 0)
		{
			first++;
			continue;
		}
		if (used < 2 * GS_SHORT_WORDS)
			word[used / 2] |= (uint64_t) digit << 32 * (used % 2);
		else if (used == 2 * GS_SHORT_WORDS)
			high = digit;
		if (used >= 2 * GS_SHORT_WORDS &&
			(digit != high || digit + 1 > 1 ||
			 digit >> 31 != word[GS_SHORT_WORDS - 1] >> 63))
			return false;
		used++;
	}
	if (used <= 2 * GS_SHORT_WORDS)
	{
		/* the sign goes on; it is what the carry has */
		for (int i = used; i < 2 * GS_SHORT_WORDS; i++)
			word[i / 2] |= (uint64_t) (uint32_t) carry << 32 * (i % 2);
		if (word[GS_SHORT_WORDS - 1] >> 63 != (uint64_t) (carry < 0))
			return false;
	}
	gs_short_make(r, word, GS_SHORT_WORDS, lowest + 32 * first);
	return true;
}

/* ----------
 * Magnitudes of n words
 * ----------
 */

/* r = a b; r has the words of both */
GS_INLINE void
gs_words_multiply(uint64_t *r, const uint64_t *a, int a_words,
				  const uint64_t *b, int b_words)
{
	for (int i = 0; i < b_words; i++)
		r[i] = 0;
	for (int i = 0; i < a_words; i++)
	{
		unsigned __int128 carry = 0;

		for (int j = 0; j < b_words; j++)
		{
			carry += (unsigned __int128) a[i] * b[j] + r[i + j];
			r[i + j] = (uint64_t) carry;
			carry >>= 64;
		}
		r[i + b_words] = (uint64_t) carry;
	}
}

GS_INLINE bool
gs_words_below(const uint64_t *a, const uint64_t *b, int n)
{
	while (n > 0 && a[n - 1] == b[n - 1])
		n--;
	return n > 0 && a[n - 1] < b[n - 1];
}

/* a + b, or a - b; returns what is carried, or borrowed */
GS_INLINE bool
gs_words_add(uint64_t *r, const uint64_t *a, const uint64_t *b, int n,
			 bool minus)
{
	uint64_t	sign = -(uint64_t) minus;
	unsigned __int128 carry = minus;

	for (int i = 0; i < n; i++)
	{
		carry += (unsigned __int128) a[i] + (b[i] ^ sign);
		r[i] = (uint64_t) carry;
		carry >>= 64;
	}
	return (carry != 0) != minus;
}

/*
 * Shift to the top of n words, which are as many or more and may be the same
 * ones; the first bit is set then.  Returns by how many bits.
 */
GS_INLINE int
gs_words_to_top(uint64_t *to, int n, const uint64_t *word, int words)
{
	int			bits = gs_leading_zeros(word[words - 1]);
	int			zeros = n - words;

	for (int i = n - 1; i >= zeros; i--)
		to[i] = word[i - zeros] << bits |
			(i > zeros ? (word[i - zeros - 1] >> 1) >> (63 - bits) : 0);
	for (int i = 0; i < zeros; i++)
		to[i] = 0;
	return 64 * zeros + bits;
}

/*
 * The next 64 bits of u / v, both of n words, u below v, v's first bit set; u
 * becomes what is left (Knuth, TAOCP 2, 4.3.1, algorithm D).
 */
GS_INLINE uint64_t
gs_words_digit(uint64_t *u, const uint64_t *v, int n)
{
	typedef unsigned __int128 wide;
	uint64_t	digit = u[n - 1] >= v[n - 1] ? UINT64_MAX :
		(uint64_t) (((wide) u[n - 1] << 64 | (n > 1 ? u[n - 2] : 0)) /
					v[n - 1]);
	wide		product = 0;
	uint64_t	borrow = 0;
	uint64_t	above = 0;		/* of u, 64 bits further up */

	for (int i = 0; i <= n; i++)
	{
		uint64_t	from = above;
		uint64_t	part;

		if (i < n)
		{
			product += (wide) digit * v[i];
			above = u[i];
		}
		part = (uint64_t) product;
		product >>= 64;
		if (i < n)
			u[i] = from - part - borrow;
		else
			above = from - part - borrow;
		borrow = from < part || (borrow != 0 && from == part);
	}

	/* the digit is too large by at most two */
	while (above != 0)
	{
		digit--;
		above += gs_words_add(u, u, v, n, false);
	}
	return digit;
}

/*
 * u / v, or its root, in units of 2^exponent; both have n words and their first
 * bits set.
 */
GS_INLINE gs_leading
gs_words_quotient(uint64_t *u, const uint64_t *v, int n, int exponent,
				  bool root)
{
	typedef unsigned __int128 wide;
	gs_leading	r = {0, 0, false, false};
	bool		whole = !gs_words_below(u, v, n);
	uint64_t	rest = 0;
	wide		x;

	if (whole)
		gs_words_add(u, u, v, n, true);
	x = (wide) gs_words_digit(u, v, n) << 64;
	exponent -= 128;
	if (root)
		x |= gs_words_digit(u, v, n);
	for (int i = 0; i < n; i++)
		rest |= u[i];
	if (whole)
	{
		rest |= (uint64_t) x & 1;
		x = x >> 1 | (wide) 1 << 127;
		exponent++;
	}
	if (!root)
	{
		r.top = (uint64_t) (x >> 64);
		r.exponent = exponent + 64;
		r.sticky = rest != 0 || (uint64_t) x != 0;
		return r;
	}
	if (exponent & 1)
	{
		rest |= (uint64_t) x & 1;
		x >>= 1;
		exponent++;
	}
	r.top = gs_integer_root(x);
	r.exponent = exponent / 2;
	r.sticky = rest != 0 || (wide) r.top * r.top != x;
	return r;
}

/* ----------
 * Products, and what follows from them
 * ----------
 */

GS_INLINE void
gs_long_trim(gs_long *r)
{
	while (r->words > 0 && r->word[r->words - 1] == 0)
		r->words--;
	if (r->words == 0)
		r->negative = false;
}

GS_INLINE void
gs_long_from_short(gs_long *r, const gs_short *a)
{
	r->words = a->words;
	r->exponent = a->exponent;
	r->negative = a->negative;
	for (int i = 0; i < a->words; i++)
		r->word[i] = a->word[i];
}

/* r = a b */
GS_INLINE void
gs_long_multiply(gs_long *r, const gs_short *a, const gs_short *b)
{
	r->words = a->words == 0 || b->words == 0 ? 0 : a->words + b->words;
	r->exponent = a->exponent + b->exponent;
	r->negative = a->negative != b->negative;
	if (r->words > 0)
		gs_words_multiply(r->word, a->word, a->words, b->word, b->words);
	gs_long_trim(r);
}

GS_INLINE uint64_t
gs_long_word(const gs_long *a, int i)
{
	return i >= 0 && i < a->words ? a->word[i] : 0;
}

/* Lower the unit to 2^exponent, if it is above.  False: there is no room. */
GS_INLINE bool
gs_long_lower(gs_long *r, int exponent)
{
	int			by = r->exponent > exponent ? r->exponent - exponent : 0;
	int			zeros = by / 64;
	int			bits = by % 64;
	int			words = r->words + zeros +
		((gs_long_word(r, r->words - 1) >> 1) >> (63 - bits) != 0);

	if (by == 0)
		return true;
	if (words > GS_LONG_WORDS)
		return false;
	for (int i = words - 1; i >= 0; i--)
		r->word[i] = gs_long_word(r, i - zeros) << bits |
			(gs_long_word(r, i - zeros - 1) >> 1) >> (63 - bits);
	r->words = words;
	r->exponent = exponent;
	return true;
}

/* Zeros above it, to n words. */
GS_INLINE void
gs_long_pad(gs_long *r, int n)
{
	for (int i = r->words; i < n; i++)
		r->word[i] = 0;
}

/* r -= a; false: that takes too many words.  a may change. */
GS_INLINE bool
gs_long_subtract(gs_long *r, gs_long *a)
{
	if (a->words == 0)
		return true;
	if (r->words == 0)
	{
		*r = *a;
		r->negative = !a->negative;
		return true;
	}
	if (!gs_long_lower(r, a->exponent) || !gs_long_lower(a, r->exponent))
		return false;
	gs_long_pad(r, a->words);
	gs_long_pad(a, r->words);
	if (r->words < a->words)
		r->words = a->words;
	if (r->negative != a->negative)
	{
		if (gs_words_add(r->word, r->word, a->word, r->words, false))
		{
			if (r->words == GS_LONG_WORDS)
				return false;
			r->word[r->words++] = 1;
		}
	}
	else if (gs_words_below(r->word, a->word, r->words))
	{
		gs_words_add(r->word, a->word, r->word, r->words, true);
		r->negative = !r->negative;
	}
	else
		gs_words_add(r->word, r->word, a->word, r->words, true);
	gs_long_trim(r);
	return true;
}

/* r = a b - c d */
GS_INLINE bool
gs_long_cross(gs_long *r, const gs_short *a, const gs_short *b,
			  const gs_short *c, const gs_short *d)
{
	gs_long		other;

	gs_long_multiply(r, a, b);
	gs_long_multiply(&other, c, d);
	return gs_long_subtract(r, &other);
}

/* r = n products - a b */
GS_INLINE bool
gs_long_centred(gs_long *r, int64_t n, const gs_short *products,
				const gs_short *a, const gs_short *b)
{
	uint64_t	word = (uint64_t) n;
	gs_short	number;

	gs_short_make(&number, &word, 1, 0);
	return gs_long_cross(r, products, &number, a, b);
}

/* The leading bits of one that is not zero. */
GS_INLINE gs_leading
gs_long_leading(const gs_long *a)
{
	int			bits = gs_leading_zeros(a->word[a->words - 1]);
	uint64_t	next = a->words > 1 ? a->word[a->words - 2] : 0;
	gs_leading	r = {a->word[a->words - 1] << bits | (next >> 1) >> (63 - bits),
		a->exponent + 64 * (a->words - 1) - bits, next << bits != 0,
	a->negative};

	for (int i = 0; i < a->words - 2; i++)
		r.sticky |= a->word[i] != 0;
	return r;
}

/* a / b, or its root; b is not zero. */
GS_INLINE gs_leading
gs_long_quotient(const gs_long *a, const gs_long *b, bool root)
{
	uint64_t	u[GS_LONG_WORDS];
	uint64_t	v[GS_LONG_WORDS];
	int			n = a->words > b->words ? a->words : b->words;
	int			exponent = a->exponent - b->exponent;
	gs_leading	r = {0, 0, false, false};

	if (a->words == 0)
		return r;
	exponent -= gs_words_to_top(u, n, a->word, a->words);
	exponent += gs_words_to_top(v, n, b->word, b->words);
	r = gs_words_quotient(u, v, n, exponent, root);
	r.negative = a->negative != b->negative;
	return r;
}

/* a^2 / (b c), or its root, of none that is zero. */
GS_INLINE gs_leading
gs_long_correlation(const gs_long *a, const gs_long *b, const gs_long *c,
					bool root)
{
	uint64_t	u[2 * GS_LONG_WORDS];
	uint64_t	v[2 * GS_LONG_WORDS];
	int			n = a->words * 2 > b->words + c->words ? a->words * 2 :
		b->words + c->words;
	int			words = a->words * 2;
	int			exponent = 2 * a->exponent - b->exponent - c->exponent;
	gs_leading	r;

	gs_words_multiply(u, a->word, a->words, a->word, a->words);
	words -= u[words - 1] == 0;
	exponent -= gs_words_to_top(u, n, u, words);
	words = b->words + c->words;
	gs_words_multiply(v, b->word, b->words, c->word, c->words);
	words -= v[words - 1] == 0;
	exponent += gs_words_to_top(v, n, v, words);
	r = gs_words_quotient(u, v, n, exponent, root);
	r.negative = root && a->negative;
	return r;
}

/* ----------
 * Figures
 * ----------
 */

GS_INLINE gs_rounding
gs_round_nan(double *result)
{
	*result = gs_canonical_nan();
	return GS_ROUNDED;
}

/* a / (n by), or its root */
GS_INLINE gs_rounding
gs_long_share(const gs_long *a, int64_t n, int64_t by, bool root,
			  double *result)
{
	unsigned __int128 divisor = (unsigned __int128) n * (uint64_t) by;
	gs_long		d;

	d.word[0] = (uint64_t) divisor;
	d.word[1] = (uint64_t) (divisor >> 64);
	d.words = 2;
	d.exponent = 0;
	d.negative = false;
	gs_long_trim(&d);
	return gs_leading_to_double(gs_long_quotient(a, &d, root), result);
}

/*
 * The figure of one variable, of squares, that gs_figure_real gives.  False: it
 * takes longer integers.
 */
GS_INLINE bool
gs_short_variance(gs_figure f, const gs_short_sums *s, gs_rounding *rounding,
				  double *result)
{
	gs_long		v;
	int64_t		by = f == GS_FIGURE_SXX ? 1 :
		gs_figure_least(f) == 2 ? s->n - 1 : s->n;

	if (s->n < gs_figure_least(f))
	{
		*rounding = GS_UNDEFINED;
		return true;
	}
	if (!s->x_finite)
	{
		*rounding = gs_round_nan(result);
		return true;
	}
	if (!gs_long_centred(&v, s->n, &s->xx, &s->x, &s->x))
		return false;
	*rounding = gs_long_share(&v, s->n, by, f == GS_FIGURE_STDDEV_POP ||
							  f == GS_FIGURE_STDDEV_SAMP, result);
	return true;
}

/* Of two spreads that are not 0. */
GS_INLINE gs_rounding
gs_long_correlate(const gs_long *a, const gs_long *b, const gs_long *c,
				  bool root, double *result)
{
	double		other;

	*result = 0;
	if (a->words == 0)
		return GS_ROUNDED;
	if (root && gs_correlate_quickly(gs_long_leading(a), gs_long_leading(b),
									 gs_long_leading(c), result, &other) &&
		*result == other)
	{
		*result = a->negative ? -*result : *result;
		return GS_ROUNDED;
	}
	return gs_leading_to_double(gs_long_correlation(a, b, c, root), result);
}

/* The same of a line, or a correlation. */
GS_INLINE bool
gs_short_line(gs_figure f, const gs_short_sums *s, gs_rounding *rounding,
			  double *result)
{
	bool		line = f == GS_FIGURE_SLOPE || f == GS_FIGURE_INTERCEPT;
	gs_long		a;
	gs_long		b;
	gs_long		c;

	*rounding = GS_UNDEFINED;
	if (!gs_long_centred(&b, s->n, &s->xx, &s->x, &s->x))
		return false;
	if (s->x_finite && b.words == 0)
		return true;
	if (!line && !gs_long_centred(&c, s->n, &s->yy, &s->y, &s->y))
		return false;
	if (!line && s->y_finite && c.words == 0)
	{
		*result = 1;
		*rounding = f == GS_FIGURE_R2 ? GS_ROUNDED : GS_UNDEFINED;
		return true;
	}
	if (!s->x_finite || !s->y_finite)
	{
		*rounding = gs_round_nan(result);
		return true;
	}
	if (!(f == GS_FIGURE_INTERCEPT ?
		  gs_long_cross(&a, &s->y, &s->xx, &s->x, &s->xy) :
		  gs_long_centred(&a, s->n, &s->xy, &s->x, &s->y)))
		return false;
	*rounding = line ?
		gs_leading_to_double(gs_long_quotient(&a, &b, false), result) :
		gs_long_correlate(&a, &b, &c, f == GS_FIGURE_CORR, result);
	return true;
}

/* Of pairs. */
GS_INLINE bool
gs_short_of_pairs(gs_figure f, const gs_short_sums *s, gs_rounding *rounding,
				  double *result)
{
	gs_long		a;
	gs_long		b;

	if (s->n < gs_figure_least(f))
	{
		*rounding = GS_UNDEFINED;
		return true;
	}
	if (gs_figure_has_squares(f))
		return gs_short_line(f, s, rounding, result);
	if (!s->x_finite || !s->y_finite)
		*rounding = gs_round_nan(result);
	else if (f != GS_FIGURE_WEIGHTED_AVG)
	{
		if (!gs_long_centred(&a, s->n, &s->xy, &s->x, &s->y))
			return false;
		*rounding = gs_long_share(&a, s->n, f == GS_FIGURE_SXY ? 1 :
								  gs_figure_least(f) == 2 ? s->n - 1 : s->n,
								  false, result);
	}
	else if (s->x.words == 0)
		*rounding = GS_NO_WEIGHT;
	else
	{
		gs_long_from_short(&a, &s->xy);
		gs_long_from_short(&b, &s->x);
		*rounding = gs_leading_to_double(gs_long_quotient(&a, &b, false),
										 result);
	}
	return true;
}

#endif							/* GS_MOMENTS_H */
