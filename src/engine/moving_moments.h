/*-------------------------------------------------------------------------
 *
 * moving_moments.h
 *	  The standard deviation of moving frames of floats, in integers.
 *
 * As moving_pairs.h: where the bits of all values lie close enough together, a
 * frame's sum is an integer of 128 bits, and the sum of squares one of 256.
 *
 * The functions here compile for the host and, with nvcc, for the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_MOMENTS_H
#define GS_MOVING_MOMENTS_H

#include "engine/moving_quad.h"
#include "exact/stddev.h"

/*
 * sqrt(v / (n (n - 1))) in units of 2^unit, rounded once; v is positive, and
 * the result a normal double, or an infinity.
 */
GS_INLINE double
gs_moving_stddev_slowly(gs_quad v, int64_t n, int unit)
{
	typedef unsigned __int128 wide;
	const uint64_t divisor = (uint64_t) n * (uint64_t) (n - 1);
	uint64_t	word[GS_QUAD_WORDS + 3];
	wide		rest = 0;
	wide		x;
	uint64_t	root;
	int			k = GS_QUAD_WORDS + 2;
	int			zeros;

	/*
	 * Long division, with a remainder below 2^62; three words more, so that
	 * the quotient has at least 128 bits.
	 */
	for (int i = GS_QUAD_WORDS + 2; i >= 0; i--)
	{
		rest = rest << 64 | (i >= 3 ? v.word[i - 3] : 0);
		word[i] = (uint64_t) (rest / divisor);
		rest %= divisor;
	}
	while (k > 2 && word[k] == 0)
		k--;

	/* its leading 128 bits, or 127 so that their unit is an even power of 2 */
	zeros = gs_leading_zeros(word[k]) / 2 * 2;
	x = (wide) word[k] << 64 | word[k - 1];
	if (zeros > 0)
		x = x << zeros | word[k - 2] >> (64 - zeros);
	rest |= (uint64_t) (word[k - 2] << zeros);
	for (int i = 0; i < k - 2; i++)
		rest |= word[i];
	root = gs_integer_root(x);
	if (rest != 0 || (wide) root * root != x)
		root |= 1;
	return gs_wide_scaled(root, (64 * (k - 4) - zeros) / 2 + unit, false);
}

/*
 * The standard deviation of a sample of n finite values, less than 2^31, in
 * units of the base (gs_wide_fits); an infinity if it is out of range.  0 of
 * fewer than two.
 */
GS_INLINE double
gs_wide_stddev(gs_wide sum, gs_quad squares, int base, int64_t n)
{
	const int	unit = base + GS_ACC_LOWEST;
	gs_quad		centred;
	gs_leading	v;
	double		result = 0;

	if (n < 2)
		return 0;
	centred = gs_quad_centred(n, squares, sum, sum);
	v = gs_quad_leading(centred);
	v.exponent += 2 * unit;
	if (v.top == 0 || gs_stddev_quickly(v, n, &result))
		return result;
	return gs_moving_stddev_slowly(centred, n, unit);
}

#endif							/* GS_MOVING_MOMENTS_H */
