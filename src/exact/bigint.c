/*-------------------------------------------------------------------------
 *
 * bigint.c
 *	  Integers of any length, for exact formulas.
 *
 * Division is Knuth's algorithm D (TAOCP 2, 4.3.1).  It stops once the
 * quotient has as many bits as a correct rounding needs; a sticky bit stands
 * for the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/bigint.h"

#include <math.h>
#include <string.h>

/* Words of a quotient; the first may be zero. */
#define QUOTIENT_WORDS	6

/* The magnitude of an accumulator, without leading and trailing zero words. */
void
gs_big_from_limbs(gs_big *r, gs_limbs a)
{
	const int64_t *limb = a.limb;
	int			n = a.n;
	int64_t		carry = 0;
	int			skip = 0;

	r->negative = false;
	r->sticky = false;
	r->words = 0;
	r->lowest = a.lowest;

	/* the carry out of the top has the sign */
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

/* Drop leading zero words; zero has no sign. */
static void
trim(gs_big *r)
{
	while (r->words > 0 && r->word[r->words - 1] == 0)
		r->words--;
	if (r->words == 0)
		r->negative = false;
}

/* In the units of an accumulator's limb. */
static void
from_double(gs_big *r, double x)
{
	int			position;
	uint64_t	m = gs_split(x, &position, &r->negative);
	unsigned __int128 shifted = (unsigned __int128) m << (position & 31);

	r->lowest = GS_ACC_LOWEST + (position & ~31);
	r->sticky = false;
	r->words = 3;
	for (int i = 0; i < 3; i++)
		r->word[i] = (uint32_t) (shifted >> (32 * i));
	trim(r);
}

void
gs_big_from_pair(gs_big *r, gs_pair a)
{
	gs_big		hi;
	gs_big		lo;

	if (a.lo == 0)
	{
		from_double(r, a.hi);
		return;
	}
	from_double(&hi, a.hi);
	from_double(&lo, -a.lo);
	gs_big_difference(r, &hi, &lo);
}

void
gs_big_multiply_small(gs_big *r, uint64_t m)
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
	trim(r);					/* m may be 0 */
}

void
gs_big_multiply(gs_big *r, const gs_big *a, const gs_big *b)
{
	r->words = a->words + b->words;
	r->lowest = a->lowest + b->lowest;
	r->negative = a->negative != b->negative;
	r->sticky = false;
	memset(r->word, 0, sizeof(uint32_t) * r->words);
	for (int i = 0; i < a->words; i++)
	{
		uint64_t	carry = 0;

		for (int j = 0; j < b->words; j++)
		{
			carry += (uint64_t) a->word[i] * b->word[j] + r->word[i + j];
			r->word[i + j] = (uint32_t) carry;
			carry >>= 32;
		}
		r->word[i + b->words] = (uint32_t) carry;
	}
	trim(r);
}

/* Keep the value, but lower word 0's unit to 2^lowest, by whole words. */
static void
lower(gs_big *r, int lowest)
{
	int			by = (r->lowest - lowest) / 32;

	if (r->words == 0 || by <= 0)
		return;
	memmove(r->word + by, r->word, sizeof(uint32_t) * r->words);
	memset(r->word, 0, sizeof(uint32_t) * by);
	r->words += by;
	r->lowest -= 32 * by;
}

bool
gs_big_not_below(const gs_big *r, const gs_big *a)
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

void
gs_big_subtract(gs_big *r, const gs_big *a)
{
	int64_t		borrow = 0;
	int			offset;

	if (a->words == 0 || r->words == 0)
		return;
	lower(r, a->lowest);
	offset = (a->lowest - r->lowest) / 32;
	for (int i = offset; i < r->words; i++)
	{
		int64_t		difference = (int64_t) r->word[i] + borrow;

		if (i - offset < a->words)
			difference -= a->word[i - offset];
		r->word[i] = (uint32_t) difference;
		borrow = difference >> 32;
	}
	trim(r);
}

/* r = |r| + |a|, where neither is zero */
static void
add(gs_big *r, const gs_big *a)
{
	uint64_t	carry = 0;
	int			offset;

	lower(r, a->lowest);
	offset = (a->lowest - r->lowest) / 32;
	for (int i = r->words; i < offset; i++)
		r->word[i] = 0;
	for (int i = offset; i - offset < a->words || carry != 0; i++)
	{
		if (i < r->words)
			carry += r->word[i];
		if (i - offset < a->words)
			carry += a->word[i - offset];
		r->word[i] = (uint32_t) carry;
		carry >>= 32;
		if (i >= r->words)
			r->words = i + 1;
	}
}

void
gs_big_difference(gs_big *r, const gs_big *a, const gs_big *b)
{
	if (a->words == 0 || b->words == 0)
	{
		*r = a->words == 0 ? *b : *a;
		r->negative ^= a->words == 0 && b->words > 0;
	}
	else if (a->negative != b->negative)
	{
		*r = *a;
		add(r, b);
	}
	else if (gs_big_not_below(a, b))
	{
		*r = *a;
		gs_big_subtract(r, b);
	}
	else
	{
		*r = *b;
		gs_big_subtract(r, a);
		r->negative = !b->negative;
	}
	trim(r);
}

/* r = floor(r / d) in its units */
static void
divide_by_word(gs_big *r, uint64_t d)
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
	trim(r);
}

/*
 * w words have at least 32 w - 31 bits; a divisor below 2^64 removes 64 of
 * them, and two divisors below 2^63 remove 126.
 */
void
gs_big_divide_small(gs_big *r, uint64_t a, uint64_t b)
{
	uint64_t	d;
	bool		two = __builtin_mul_overflow(a, b, &d);
	int			words = two ? 9 : 7;

	if (r->words < words)
		lower(r, r->lowest - 32 * (words - r->words));
	divide_by_word(r, two ? a : d);
	if (two)
		divide_by_word(r, b);
}

/* Copy a, shifted left by fewer than 32 bits, over zeros; n words in all. */
static void
shift_to_top(uint32_t *to, int n, const gs_big *a, int shift)
{
	uint64_t	bits = 0;
	int			zeros = n - a->words - 1;

	memset(to, 0, sizeof(uint32_t) * zeros);
	for (int i = 0; i <= a->words; i++)
	{
		if (i < a->words)
			bits |= (uint64_t) a->word[i] << shift;
		to[zeros + i] = (uint32_t) bits;
		bits >>= 32;
	}
}

/*
 * The quotient of u[n], ..., u[0] and v[n - 1], ..., v[0], which is one digit;
 * u becomes the remainder.  The leading bit of v is set.
 */
static uint32_t
divide_step(uint32_t *u, const uint32_t *v, int n)
{
	uint64_t	top = (uint64_t) u[n] << 32 | u[n - 1];
	uint64_t	digit = u[n] >= v[n - 1] ? UINT32_MAX : top / v[n - 1];
	int64_t		borrow = 0;
	uint64_t	product = 0;

	for (int i = 0; i <= n; i++)
	{
		if (i < n)
			product += digit * v[i];
		borrow += (int64_t) u[i] - (uint32_t) product;
		u[i] = (uint32_t) borrow;
		borrow >>= 32;
		product >>= 32;
	}

	/* the digit is too large by at most two */
	while (borrow < 0)
	{
		uint64_t	carry = 0;

		digit--;
		for (int i = 0; i <= n; i++)
		{
			carry += (uint64_t) u[i] + (i < n ? v[i] : 0);
			u[i] = (uint32_t) carry;
			carry >>= 32;
		}
		borrow += carry;
	}
	return (uint32_t) digit;
}

void
gs_big_divide(gs_big *r, const gs_big *a, const gs_big *b)
{
	uint32_t	u[GS_BIG_WORDS + QUOTIENT_WORDS];
	uint32_t	v[GS_BIG_WORDS + 1];
	int			shift = __builtin_clz(b->word[b->words - 1]);
	int			n = b->words;

	/* v has one zero word more than divide_step reads */
	if (n < a->words + 1 - QUOTIENT_WORDS)
		n = a->words + 1 - QUOTIENT_WORDS;
	shift_to_top(v, n + 1, b, shift);
	shift_to_top(u, n + QUOTIENT_WORDS, a, shift);
	for (int i = QUOTIENT_WORDS - 1; i >= 0; i--)
		r->word[i] = divide_step(u + i, v, n);

	r->words = QUOTIENT_WORDS;
	r->lowest = a->lowest + 32 * (a->words + 1 - n - QUOTIENT_WORDS) -
		(b->lowest + 32 * (b->words - n));
	r->negative = a->negative != b->negative;
	r->sticky = false;
	for (int i = 0; i < n; i++)
		r->sticky |= u[i] != 0;
	trim(r);
}

gs_leading
gs_big_leading(const gs_big *a)
{
	gs_leading	r = {0, a->lowest, a->sticky, a->negative};
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

gs_leading
gs_big_root(const gs_big *a)
{
	gs_leading	r = {0, 0, a->sticky, false};
	unsigned __int128 t = 0;
	int			words = a->words;
	int			shift;

	if (words == 0)
		return r;
	for (int i = 1; i <= 4; i++)
		t = t << 32 | (i <= words ? a->word[words - i] : 0);
	r.exponent = a->lowest + 32 * (words - 4);
	shift = __builtin_clz(a->word[words - 1]);
	shift -= (r.exponent - shift) & 1;
	if (shift < 0)
	{
		r.sticky |= t & 1;
		t >>= 1;
	}
	else if (shift > 0)
	{
		t <<= shift;
		if (words > 4)
			t |= a->word[words - 5] >> (32 - shift);
	}
	for (int i = 0; i < words - 4 && !r.sticky; i++)
		r.sticky = (uint32_t) (i == words - 5 && shift > 0 ?
							   a->word[i] << shift : a->word[i]) != 0;
	r.exponent = (r.exponent - shift) / 2;
	r.top = gs_integer_root(t);
	r.sticky |= (unsigned __int128) r.top * r.top != t;
	return r;
}

gs_rounding
gs_leading_to_float(gs_leading v, float *result)
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
