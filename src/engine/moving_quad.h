/*-------------------------------------------------------------------------
 *
 * moving_quad.h
 *	  Integers of 256 bits, for sums of squares and products of moving frames.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_QUAD_H
#define GS_MOVING_QUAD_H

#include "engine/moving.h"
#include "exact/bigint.h"

#define GS_QUAD_WORDS	4

/* Two's complement, least significant word first. */
typedef struct gs_quad
{
	uint64_t	word[GS_QUAD_WORDS];
} gs_quad;

/* a + b, or a - b */
GS_INLINE gs_quad
gs_quad_add(gs_quad a, gs_quad b, bool minus)
{
	uint64_t	sign = -(uint64_t) minus;
	unsigned __int128 carry = minus;

	for (int i = 0; i < GS_QUAD_WORDS; i++)
	{
		carry += (unsigned __int128) a.word[i] + (b.word[i] ^ sign);
		a.word[i] = (uint64_t) carry;
		carry >>= 64;
	}
	return a;
}

/* r += x y, or -= */
GS_INLINE void
gs_quad_add_product(gs_quad *r, gs_wide x, gs_wide y, bool minus)
{
	typedef unsigned __int128 wide;
	bool		negative_x;
	bool		negative_y;
	gs_wide		a = gs_wide_magnitude(x, &negative_x);
	gs_wide		b = gs_wide_magnitude(y, &negative_y);
	wide		ll = (wide) a.low * b.low;
	wide		lh = (wide) a.low * b.high;
	wide		hl = (wide) a.high * b.low;
	wide		hh = (wide) a.high * b.high;
	wide		middle = (ll >> 64) + (uint64_t) lh + (uint64_t) hl;
	wide		high = (middle >> 64) + (lh >> 64) + (hl >> 64) + hh;
	const uint64_t product[GS_QUAD_WORDS] = {
		(uint64_t) ll, (uint64_t) middle, (uint64_t) high,
		(uint64_t) (high >> 64)
	};
	bool		subtract = (negative_x != negative_y) != minus;
	uint64_t	sign = -(uint64_t) subtract;
	wide		carry = subtract;

	for (int i = 0; i < GS_QUAD_WORDS; i++)
	{
		carry += (wide) r->word[i] + (product[i] ^ sign);
		r->word[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

/* n s - a b */
GS_INLINE gs_quad
gs_quad_centred(int64_t n, gs_quad s, gs_wide a, gs_wide b)
{
	unsigned __int128 carry = 0;

	for (int i = 0; i < GS_QUAD_WORDS; i++)
	{
		carry += (unsigned __int128) s.word[i] * (uint64_t) n;
		s.word[i] = (uint64_t) carry;
		carry >>= 64;
	}
	gs_quad_add_product(&s, a, b, true);
	return s;
}

GS_INLINE gs_leading
gs_quad_leading(gs_quad a)
{
	gs_leading	r = {0, 0, false, a.word[GS_QUAD_WORDS - 1] >> 63 != 0};
	int			k = GS_QUAD_WORDS - 1;
	int			shift;
	uint64_t	rest = 0;

	if (r.negative)
	{
		unsigned __int128 carry = 1;

		for (int i = 0; i < GS_QUAD_WORDS; i++)
		{
			carry += ~a.word[i];
			a.word[i] = (uint64_t) carry;
			carry >>= 64;
		}
	}
	while (k > 0 && a.word[k] == 0)
		k--;
	if (a.word[k] == 0)
		return r;
	shift = gs_leading_zeros(a.word[k]);
	r.top = a.word[k] << shift;
	r.exponent = 64 * k - shift;
	if (k > 0)
	{
		r.top |= (a.word[k - 1] >> 1) >> (63 - shift);
		rest = a.word[k - 1] << shift;
	}
	for (int i = 0; i < k - 1; i++)
		rest |= a.word[i];
	r.sticky = rest != 0;
	return r;
}

#endif							/* GS_MOVING_QUAD_H */
