/*-------------------------------------------------------------------------
 *
 * elementary_quick.h
 *	  Exponentials and logarithms in two doubles, for elementary.c.
 *
 * There are no branches and no conversions of doubles to integers, so compilers
 * make vectors of a loop around these functions; cpu_elementary.c has such
 * loops.  Of arguments out of range they return something.
 *
 * Who includes this file describes by
 *
 *		TARGET			the attribute of functions, if they need one
 *		QUICK(name)		a name for this kind alone
 *		PRODUCT(x, y)	gs_two_product, or what does the same
 *		MULTIPLY_ADD(x, y, z)	x y + z, rounded once or twice
 *		TABLE			gs_elementary, or a copy of it
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SHIFT
#include "exact/elementary_table.h"

/* Added and subtracted, it rounds what is below 2^51 to an integer. */
#define GS_SHIFT		0x1.8p52
#define GS_SHIFT_BITS	UINT64_C(0x4338000000000000)
#endif

#define QUICK_INLINE	static inline __attribute__((always_inline)) TARGET

/*
 * e^(x.hi + x.lo) = (r.hi + r.lo) 2^floor(n / 128), to less than 2^-76 of
 * itself, where |x.hi| < 750 and |x.lo| is below a unit in the last place of
 * x.hi.  *k - GS_SHIFT_BITS is n.
 *
 * x = n ln 2 / 128 + r, where |r| < 2^-8.5: x.hi less the first part of n ln 2 /
 * 128 is a double, and the parts of r are summed without error but for those
 * below 2^-43, which gives 2^-96.  e^r - 1 - r - r^2 / 2 is below 2^-28 and is
 * computed in a double with an error of less than 2^-78, most of it from
 * roundings; the terms that are left out are below 2^-83, what r's lower part
 * adds to the cube is below 2^-79.
 */
QUICK_INLINE gs_pair
QUICK(exp_of) (gs_pair x, uint64_t *k)
{
	double		shifted = x.hi * TABLE.steps_per_one + GS_SHIFT;
	double		n = shifted - GS_SHIFT;
	uint64_t	i = gs_double_bits(shifted) & (GS_EXP_ENTRIES - 1);
	double		t = TABLE.power[i].hi;
	double		t_low = TABLE.power[i].lo;
	gs_pair		r = gs_two_sum(x.hi - n * TABLE.step[0],
							   -n * TABLE.step[1]);
	gs_pair		square;
	gs_pair		p;
	gs_pair		product;
	double		rest;

	r = gs_fast_two_sum(r.hi, r.lo - n * TABLE.step[2] + x.lo);
	square = PRODUCT(r.hi, r.hi);
	rest = 1.0 / 120 + r.hi * (1.0 / 720 + r.hi * (1.0 / 5040));
	rest = r.hi * square.hi * (1.0 / 6 + r.hi * (1.0 / 24 + r.hi * rest));
	p = gs_fast_two_sum(r.hi, square.hi / 2);
	p = gs_fast_two_sum(p.hi, p.lo + (r.lo + (square.lo / 2 + r.hi * r.lo +
											  rest)));

	/* t (1 + p) */
	product = PRODUCT(t, p.hi);
	rest = t_low + (product.lo + t * p.lo + t_low * p.hi);
	r = gs_fast_two_sum(t, product.hi);
	r.lo += rest;
	*k = gs_double_bits(shifted);
	return r;
}

/*
 * ln (2^start x) = r.hi + r.lo, x being normal, to less than 2^-76 of itself.
 *
 * x = 2^e m, and m times its table's inverse is 1 + z, exactly, in two doubles;
 * |z| <= 2^-8.  ln(1 + z) = z - z^2 / 2 + z^3 (1/3 - z u): u's error is below
 * 2^-53, so that of what is in parentheses is below 2^-60 and of the whole
 * below 2^-76 of z; the terms left out are below 2^-83 of it.  Other than
 * beside 1, where it is the only term, |z| is less than the result.
 */
QUICK_INLINE gs_pair
QUICK(ln_of) (double x, int start)
{
	uint64_t	bits = gs_double_bits(x);
	uint64_t	i = bits >> 44 & (GS_LN_ENTRIES - 1);
	double		e;
	double		m;
	double		high;
	double		inverse;
	double		u;
	gs_pair		z;
	gs_pair		square;
	gs_pair		cube;
	gs_pair		c;
	gs_pair		s;
	double		rest;

	/* the exponent by way of the last bits of a double */
	e = gs_bits_double(GS_SHIFT_BITS + (bits >> 52) - 1023 +
					   (uint64_t) (start + TABLE.ln[i].exponent)) -
		GS_SHIFT;
	bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
	m = gs_bits_double(bits);
	high = gs_bits_double(bits & ~UINT64_C(0xffff));
	inverse = TABLE.ln[i].inverse;
	z = gs_two_sum(high * inverse - 1, (m - high) * inverse);

	u = 1.0 / 7 - z.hi * (1.0 / 8 - z.hi * (1.0 / 9 - z.hi * (1.0 / 10)));
	u = 1.0 / 4 - z.hi * (1.0 / 5 - z.hi * (1.0 / 6 - z.hi * u));
	c = gs_fast_two_sum(TABLE.third.hi, -z.hi * u);
	c.lo += TABLE.third.lo;
	square = PRODUCT(z.hi, z.hi);
	square.lo += 2 * z.hi * z.lo;
	cube = PRODUCT(square.hi, z.hi);
	cube.lo += square.hi * z.lo + square.lo * z.hi;
	rest = cube.lo * c.hi + cube.hi * c.lo;
	c = PRODUCT(cube.hi, c.hi);
	rest += c.lo;

	s = gs_two_sum(e * TABLE.ln2_high, TABLE.ln[i].ln.hi);
	rest += s.lo;
	s = gs_two_sum(s.hi, z.hi);
	rest += s.lo;
	s = gs_two_sum(s.hi, -square.hi / 2);
	rest += s.lo;
	s = gs_two_sum(s.hi, c.hi);
	rest += s.lo + (z.lo - square.lo / 2) + TABLE.ln[i].ln.lo +
		e * TABLE.ln2_low;
	return gs_fast_two_sum(s.hi, rest);
}

#undef QUICK_INLINE
