/*-------------------------------------------------------------------------
 *
 * moving.h
 *	  Moving sums of floats, for both engines; their standard deviations
 *	  (moving_moments.h) are found from the same units.
 *
 * Where all bits of an array's values lie close enough together, values are
 * integers in units of the last of these bits, and so are their sums: exact,
 * whatever is added or subtracted.  A sum of a frame is rounded once.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_H
#define GS_MOVING_H

#include "engine/engine.h"

/* Does the operation sum floats, or their squares too? */
GS_INLINE bool
gs_is_float_sum(const gs_op *op)
{
	return (op->kind == GS_MOVING_SUM || op->kind == GS_MOVING_AVG ||
			op->kind == GS_MOVING_STDDEV) &&
		(op->type == GS_FLOAT4 || op->type == GS_FLOAT8);
}

/* So many values in a frame give a result that is not NULL. */
GS_INLINE int64_t
gs_moving_least(const gs_op *op)
{
	return op->kind == GS_MOVING_STDDEV ? 2 : 1;
}

/* Two's complement; also right where a sum beyond 128 bits is a difference's. */
typedef struct gs_wide
{
	uint64_t	low;
	uint64_t	high;
} gs_wide;

/*
 * Where the bits of an array's finite values lie: all positions (gs_split) are
 * from lowest to end - 1.
 */
typedef struct gs_extent
{
	int			lowest;
	int			end;
} gs_extent;

/* No bits. */
#define GS_NO_EXTENT	{INT32_MAX, 0}

/* A mean in units of this position, or a later one, is a normal double. */
#define GS_WIDE_LOWEST	96

/* Bits of a sum without its sign. */
#define GS_WIDE_BITS	126

/* Add x, which is finite, to an extent. */
GS_INLINE void
gs_extent_add(gs_extent *e, double x)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);
	int			lowest;
	int			end;

	if (m == 0)
		return;
	lowest = position + 63 - gs_leading_zeros(m & -m);
	end = position + 64 - gs_leading_zeros(m);
	if (lowest < e->lowest)
		e->lowest = lowest;
	if (end > e->end)
		e->end = end;
}

/* Do sums of up to n values, at least 1, fit?  *base is the unit's position. */
GS_INLINE bool
gs_wide_fits(gs_extent e, int64_t n, int *base)
{
	int			bits = 64 - gs_leading_zeros((uint64_t) n);

	*base = e.end == 0 ? GS_WIDE_LOWEST : e.lowest;
	return *base >= GS_WIDE_LOWEST && e.end - *base + bits <= GS_WIDE_BITS;
}

/* A finite x whose bits fit. */
GS_INLINE gs_wide
gs_wide_of(double x, int base)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);
	int			shift = position - base;
	gs_wide		r = {m, 0};

	if (m == 0 || shift >= 128 || shift <= -64)
	{
		r.low = 0;
		return r;
	}
	if (shift < 0)				/* bits that are zero */
		r.low = m >> -shift;
	else if (shift >= 64)
	{
		r.low = 0;
		r.high = m << (shift - 64);
	}
	else
	{
		r.low = m << shift;
		r.high = (m >> 1) >> (63 - shift);
	}
	if (negative)
	{
		r.low = -r.low;
		r.high = ~r.high + (r.low == 0);
	}
	return r;
}

GS_INLINE gs_wide
gs_wide_of_int64(int64_t x)
{
	gs_wide		r = {(uint64_t) x, (uint64_t) (x >> 63)};

	return r;
}

GS_INLINE gs_wide
gs_wide_add(gs_wide a, gs_wide b)
{
	gs_wide		r;

	r.low = a.low + b.low;
	r.high = a.high + b.high + (r.low < a.low);
	return r;
}

GS_INLINE gs_wide
gs_wide_subtract(gs_wide a, gs_wide b)
{
	gs_wide		r;

	r.low = a.low - b.low;
	r.high = a.high - b.high - (a.low < b.low);
	return r;
}

/* |a|, and whether a is negative. */
GS_INLINE gs_wide
gs_wide_magnitude(gs_wide a, bool *negative)
{
	gs_wide		zero = {0, 0};

	*negative = (a.high >> 63) != 0;
	return *negative ? gs_wide_subtract(zero, a) : a;
}

/*
 * The leading 64 bits of a magnitude, in units of 2^*exponent more; the last
 * bit also stands for all that follow.
 */
GS_INLINE uint64_t
gs_wide_leading(gs_wide a, int *exponent)
{
	int			zeros;

	if (a.high == 0)
	{
		*exponent = 0;
		return a.low;
	}
	zeros = gs_leading_zeros(a.high);
	*exponent = 64 - zeros;
	if (zeros == 0)
		return a.high | (a.low != 0);
	return (a.high << zeros) | (a.low >> (64 - zeros)) |
		((a.low << zeros) != 0);
}

/* 2^e of a normal double. */
GS_INLINE double
gs_wide_power(int e)
{
	return gs_bits_double((uint64_t) (e + 1023) << 52);
}

/*
 * top * 2^exponent, rounded once; an infinity if it is out of range.  The
 * result is a normal double, or zero.
 */
GS_INLINE double
gs_wide_scaled(uint64_t top, int exponent, bool negative)
{
	double		x = (double) top;

	/* powers beyond the range of double, in two steps */
	if (exponent > 1000)
		x = x * gs_wide_power(1000) * gs_wide_power(exponent - 1000);
	else if (exponent < -1000)
		x = x * gs_wide_power(exponent + 100) * gs_wide_power(-100);
	else
		x *= gs_wide_power(exponent);
	return negative ? -x : x;
}

/* The sum rounded to a double; an infinity if it is out of range. */
GS_INLINE double
gs_wide_round(gs_wide sum, int base)
{
	bool		negative;
	int			exponent;
	uint64_t	top;

	sum = gs_wide_magnitude(sum, &negative);
	top = gs_wide_leading(sum, &exponent);
	return gs_wide_scaled(top, exponent + base + GS_ACC_LOWEST, negative);
}

/*
 * The sum of floats rounded to a float: one below the normal range needs no
 * rounding.  24 bits are exact in a double, wherever they are.
 */
GS_INLINE float
gs_wide_round_float(gs_wide sum, int base)
{
	bool		negative;
	int			exponent;
	uint64_t	top;
	float		x;

	sum = gs_wide_magnitude(sum, &negative);
	top = gs_wide_leading(sum, &exponent);
	x = (float) top;
	return (float) ((negative ? -(double) x : (double) x) *
					gs_wide_power(exponent + base + GS_ACC_LOWEST));
}

/* sum / n, rounded once to a double; n < 2^32 */
GS_INLINE double
gs_wide_mean(gs_wide sum, int base, uint32_t n)
{
	bool		negative;
	int			shift = 0;
	int			exponent;
	uint64_t	rest;
	uint64_t	part;
	gs_wide		q;
	uint64_t	top;

	sum = gs_wide_magnitude(sum, &negative);
	if ((sum.high | sum.low) == 0)
		return 0;

	/* as many bits as there are, so that the quotient has at least 95 */
	if (sum.high == 0)
	{
		sum.high = sum.low;
		sum.low = 0;
		shift = 64;
	}
	exponent = gs_leading_zeros(sum.high);
	if (exponent > 0)
	{
		sum.high = (sum.high << exponent) | (sum.low >> (64 - exponent));
		sum.low <<= exponent;
	}
	shift += exponent;

	/* long division, 32 bits at a time */
	q.high = sum.high / n;
	rest = sum.high % n;
	part = rest << 32 | sum.low >> 32;
	q.low = part / n << 32;
	rest = part % n;
	part = rest << 32 | (sum.low & 0xffffffff);
	q.low |= part / n;
	rest = part % n;
	top = gs_wide_leading(q, &exponent) | (rest != 0);
	return gs_wide_scaled(top, exponent - shift + base + GS_ACC_LOWEST,
						  negative);
}

/*
 * For each of the flags GS_SEEN_..., which elements up to one had it: the last
 * one's index and 1; 0 for none.
 */
#define GS_SEEN_FLAGS	4

typedef struct gs_last_seen
{
	uint32_t	end[GS_SEEN_FLAGS];
} gs_last_seen;

/* Of element i alone. */
GS_INLINE gs_last_seen
gs_last_seen_of(double x, uint32_t i)
{
	uint32_t	seen = gs_seen(x);
	gs_last_seen r;

	for (int k = 0; k < GS_SEEN_FLAGS; k++)
		r.end[k] = (seen >> k & 1) ? i + 1 : 0;
	return r;
}

GS_INLINE gs_last_seen
gs_last_seen_merge(gs_last_seen a, gs_last_seen b)
{
	for (int k = 0; k < GS_SEEN_FLAGS; k++)
		a.end[k] = b.end[k] > a.end[k] ? b.end[k] : a.end[k];
	return a;
}

/* The flags of elements from first to the one that s is of. */
GS_INLINE uint32_t
gs_last_seen_since(gs_last_seen s, int64_t first)
{
	uint32_t	seen = 0;

	for (int k = 0; k < GS_SEEN_FLAGS; k++)
		seen |= (uint32_t) (s.end[k] > first) << k;
	return seen;
}

/*
 * Is the standard deviation of n values fixed by special ones among them?  Zeros
 * are like other values, whatever their sign.
 */
GS_INLINE bool
gs_special_stddev(uint32_t seen, int64_t n, double *result)
{
	if (n < 2 || !(seen & (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
						   GS_SEEN_NEGATIVE_INF)))
		return false;
	*result = gs_canonical_nan();
	return true;
}

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * moving/moving_float.c: the results of gs_is_float_sum over n elements,
 * with -0 for each NULL.  before[i] is how many of the elements before i are
 * not NULL, i = 0 to n; NULL if all are.  Returns n, or the index of the first
 * result that is out of range.
 */
extern int64_t gs_moving_floats(const gs_op *op, int64_t n,
								const void *elements, const uint32_t *before,
								void *results);

#ifdef __cplusplus
}
#endif

#endif							/* GS_MOVING_H */
