/*-------------------------------------------------------------------------
 *
 * segment_round.cuh
 *	  Rounding an accumulator, or its quotient by an integer, once.
 *
 * For the host too, where it can be tested without a device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SEGMENT_ROUND_CUH
#define GS_SEGMENT_ROUND_CUH

#include "kernels/round.cuh"

/* Two more digits than limbs: 64 bits behind the last one, for a quotient. */
#define GS_DIGITS		(GS_ACC_LIMBS + 2)
#define GS_DIGITS_LOWEST	(GS_ACC_LOWEST - 64)

/* A magnitude in digits of 32 bits, least significant first, and its sign. */
typedef struct gs_digits
{
	uint32_t	digit[GS_DIGITS];
	bool		negative;
	bool		more;			/* something follows the last digit */
} gs_digits;

/* The digits of an accumulator's limbs. */
GS_INLINE void
gs_digits_from_limbs(gs_digits *d, const int64_t *limb)
{
	int64_t		carry = 0;

	for (int k = 0; k < GS_ACC_LIMBS; k++)
		carry = (limb[k] + carry) >> 32;
	d->negative = carry < 0;
	d->more = false;
	d->digit[0] = d->digit[1] = 0;
	carry = 0;
	for (int k = 0; k < GS_ACC_LIMBS; k++)
	{
		carry += d->negative ? -limb[k] : limb[k];
		d->digit[k + 2] = (uint32_t) carry;
		carry >>= 32;
	}
}

GS_INLINE void
gs_digits_divide(gs_digits *d, uint32_t n)
{
	uint64_t	rest = 0;

	for (int k = GS_DIGITS - 1; k >= 0; k--)
	{
		rest = rest << 32 | d->digit[k];
		d->digit[k] = (uint32_t) (rest / n);
		rest %= n;
	}
	d->more = rest != 0;
}

GS_INLINE gs_top
gs_digits_top(const gs_digits *d)
{
	gs_top		t = {0, 0, d->more};
	int			k = GS_DIGITS - 1;
	uint64_t	next;

	while (k > 0 && d->digit[k] == 0)
		k--;
	if (d->digit[k] == 0)
		return t;
	t.bits = (uint64_t) d->digit[k] << 32 | (k > 0 ? d->digit[k - 1] : 0);
	t.exponent = 32 * (k - 1) + GS_DIGITS_LOWEST;
	next = (uint64_t) (k > 1 ? d->digit[k - 2] : 0) << 32;
	while (!(t.bits >> 63))
	{
		t.bits = t.bits << 1 | next >> 63;
		next <<= 1;
		t.exponent--;
	}
	t.more |= next != 0;
	for (int i = 0; i < k - 2; i++)
		t.more |= d->digit[i] != 0;
	return t;
}

/* To nearest, ties to even; infinity if out of range. */
GS_INLINE double
gs_digits_to_double(const gs_digits *d)
{
	return gs_top_to_double(gs_digits_top(d), d->negative);
}

GS_INLINE float
gs_digits_to_float(const gs_digits *d)
{
	return gs_top_to_float(gs_digits_top(d), d->negative);
}

#endif							/* GS_SEGMENT_ROUND_CUH */
