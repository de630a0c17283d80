/*-------------------------------------------------------------------------
 *
 * elementary_quick.h
 *	  Exponentials and logarithms in two doubles, for elementary.c; rounding to
 *	  decimal places.
 *
 * The short ones are less exact, at half the cost; they decide nearly all
 * results.
 *
 * There are no branches and no conversions of doubles to integers, so compilers
 * make vectors of a loop around these functions; map/elementary.c has such
 * loops.  Of arguments out of range they return something.
 *
 * Who includes this file describes by
 *
 *		TARGET			the attribute of functions, if they need one
 *		QUICK(name)		a name for this kind alone
 *		PRODUCT(x, y)	gs_two_product, or what does the same
 *		MULTIPLY_ADD(x, y, z)	x y + z, rounded once or twice
 *		FUSED			defined if it is once
 *		TABLE			gs_elementary, or a copy of it
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SHIFT
#include "exact/elementary_table.h"
#include "exact/round_first.h"

#include <math.h>

/* Added and subtracted, it rounds what is below 2^51 to an integer. */
#define GS_SHIFT		0x1.8p52
#define GS_SHIFT_BITS	UINT64_C(0x4338000000000000)

/* Bounds of the errors, as parts of the results; twice what is shown below. */
#define GS_ERROR		0x1p-75
#define GS_EXP_SHORT_ERROR	0x1p-65
#define GS_LN_SHORT_ERROR	0x1p-67
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
					   (uint64_t) start + (i >= GS_LN_UPPER)) -
		GS_SHIFT;
	bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
	m = gs_bits_double(bits);
	high = gs_bits_double(bits & ~UINT64_C(0xffff));
	inverse = TABLE.inverse[i];
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

	s = gs_two_sum(e * TABLE.ln2_high + TABLE.ln[i].hi, z.hi);
	rest += s.lo;
	s = gs_two_sum(s.hi, -square.hi / 2);
	rest += s.lo;
	s = gs_two_sum(s.hi, c.hi);
	rest += s.lo + (z.lo - square.lo / 2) + TABLE.ln[i].lo +
		e * TABLE.ln2_low;
	return gs_fast_two_sum(s.hi, rest);
}

/*
 * As exp_of, but to less than 2^-66, of the larger sum x.hi + x.lo too, where
 * |x.lo| < 2^-15.
 *
 * n ln 2 / 128 is as there.  e^r - 1 - r, below 2^-17, is computed in a double
 * with an error of less than 2^-69: r was rounded to a double, 2^-70.5, and the
 * terms left out are below 2^-71.  Each of the four roundings of what is added
 * to the table's power and its product with r adds 2^-71 or less.
 */
QUICK_INLINE gs_pair
QUICK(exp_short) (gs_pair x, uint64_t *k)
{
	double		shifted = MULTIPLY_ADD(x.hi, TABLE.steps_per_one, GS_SHIFT);
	double		n = shifted - GS_SHIFT;
	uint64_t	i = gs_double_bits(shifted) & (GS_EXP_ENTRIES - 1);
	double		t = TABLE.power[i].hi;
	double		t_low = TABLE.power[i].lo;
	double		high = MULTIPLY_ADD(-n, TABLE.step[0], x.hi);
	double		low = MULTIPLY_ADD(-n, TABLE.step[1],
								   MULTIPLY_ADD(-n, TABLE.step[2], x.lo));
	double		r = high + low;
	gs_pair		product = PRODUCT(t, high);
	gs_pair		sum = gs_fast_two_sum(t, product.hi);
	double		p;

	p = MULTIPLY_ADD(r, 1.0 / 720, 1.0 / 120);
	p = MULTIPLY_ADD(r, p, 1.0 / 24);
	p = MULTIPLY_ADD(r, p, 1.0 / 6);
	p = MULTIPLY_ADD(r, p, 0.5);
	p = MULTIPLY_ADD(r * r, p, low);
	p = MULTIPLY_ADD(t, p, MULTIPLY_ADD(t_low, r, t_low));
	sum.lo += product.lo + p;
	*k = gs_double_bits(shifted);
	return sum;
}

/*
 * As ln_of, but to less than 2^-68, and r.lo can be larger than half a unit of
 * r.hi.
 *
 * z and z^2 are exact, but for 2^-79.  z^3 (1/3 - z u), below 2^-25.5, is
 * computed in a double with an error of 2^-52 of itself, and roundings of what
 * is added to the leading parts, which is as small, are below 2^-78 each.  The
 * result is at least 2^-8, or z alone, and then all of these are less by z: the
 * first is below 2^-69.5 of it, the last rounding below 2^-70.5.
 */
QUICK_INLINE gs_pair
QUICK(ln_short) (double x, int start)
{
	uint64_t	bits = gs_double_bits(x);
	uint64_t	i = bits >> 44 & (GS_LN_ENTRIES - 1);
	double		e;
	double		p;
	gs_pair		z;
	gs_pair		square;
	gs_pair		sum;
	double		rest;

	e = gs_bits_double(GS_SHIFT_BITS + (bits >> 52) - 1023 +
					   (uint64_t) start + (i >= GS_LN_UPPER)) -
		GS_SHIFT;
	bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
	z = PRODUCT(gs_bits_double(bits), TABLE.inverse[i]);
	z.hi -= 1;
	square = PRODUCT(z.hi, z.hi);

	p = MULTIPLY_ADD(z.hi, 1.0 / 9, -1.0 / 8);
	p = MULTIPLY_ADD(z.hi, p, 1.0 / 7);
	p = MULTIPLY_ADD(z.hi, p, -1.0 / 6);
	p = MULTIPLY_ADD(z.hi, p, 1.0 / 5);
	p = MULTIPLY_ADD(z.hi, p, -1.0 / 4);
	p = MULTIPLY_ADD(z.hi, p, 1.0 / 3);
	rest = MULTIPLY_ADD(e, TABLE.ln2_low, TABLE.ln[i].lo);
	rest = MULTIPLY_ADD(z.lo, square.hi - z.hi, rest) + z.lo;
	rest = MULTIPLY_ADD(square.lo, -0.5, rest);
	rest = MULTIPLY_ADD(z.hi * square.hi, p, rest);

	sum = gs_fast_two_sum(MULTIPLY_ADD(e, TABLE.ln2_high, TABLE.ln[i].hi),
						  z.hi);
	rest += sum.lo;
	sum = gs_fast_two_sum(sum.hi, -0.5 * square.hi);
	sum.lo += rest;
	return sum;
}

/*
 * Results that the short ways decide; false, and any result, elsewhere.  Limits
 * are well inside those where results are subnormal or infinite.
 */
QUICK_INLINE bool
QUICK(exp_shortly) (double x, double *result)
{
	uint64_t	k;
	gs_pair		r = QUICK(exp_short) ((gs_pair) {x, 0}, &k);
	bool		sure = gs_round_surely(r.hi, r.lo, GS_EXP_SHORT_ERROR * r.hi,
								   result);

	*result *= gs_bits_double(((k >> 7) + 1023) << 52);
	return (fabs(x) < 700) & sure;
}

QUICK_INLINE bool
QUICK(is_normal) (double x)
{
	return (x >= 0x1p-1022) & (x <= 0x1.fffffffffffffp1023);
}

QUICK_INLINE bool
QUICK(ln_shortly) (double x, double *result)
{
	gs_pair		r = QUICK(ln_short) (x, 0);

	return gs_round_surely(r.hi, r.lo, GS_LN_SHORT_ERROR * fabs(r.hi), result) &
		QUICK(is_normal) (x);
}

QUICK_INLINE bool
QUICK(power_shortly) (double x, double y, double *result)
{
	gs_pair		ln = QUICK(ln_short) (x, 0);
	double		high = fabs(ln.hi * y);
	gs_pair		product = PRODUCT(ln.hi, y);
	gs_pair		r;
	double		error;
	uint64_t	k;
	bool		sure;

	/* the parts of ln may overlap */
	product = gs_fast_two_sum(product.hi,
							  MULTIPLY_ADD(ln.lo, y, product.lo));
	r = QUICK(exp_short) (product, &k);
	error = (GS_EXP_SHORT_ERROR + high * GS_LN_SHORT_ERROR) * r.hi;
	sure = gs_round_surely(r.hi, r.lo, error, result);
	*result *= gs_bits_double(((k >> 7) + 1023) << 52);
	return QUICK(is_normal) (x) & (high >= 0x1p-56) & (high < 700) & sure;
}

/*
 * m / power, correctly rounded, where inverse is 1 / power, rounded, and all are
 * far from the ends of the range.  q is first one of the doubles beside the
 * quotient, and so the last step gives the nearest (Markstein, IBM Journal of
 * Research and Development 34, 1990).
 */
QUICK_INLINE double
QUICK(divide) (double m, double power, double inverse)
{
#ifdef FUSED
	double		q = m * inverse;

	q = MULTIPLY_ADD(MULTIPLY_ADD(-q, power, m), inverse, q);
	return MULTIPLY_ADD(MULTIPLY_ADD(-q, power, m), inverse, q);
#else
	(void) inverse;
	return m / power;
#endif
}

/*
 * |x| to the nearest integer, half to even: added to 2^52, it is rounded to
 * units.  All doubles from there on are integers.
 */
QUICK_INLINE double
QUICK(magnitude_rounded) (double magnitude)
{
	double		rounded = (magnitude + 0x1p52) - 0x1p52;

	return magnitude < 0x1p52 ? rounded : magnitude;
}

/*
 * As gs_round_decimal of round_decimal.c, power being 10^digits, digits >= 0: m
 * is x power, rounded, or x is kept.
 */
QUICK_INLINE bool
QUICK(round_to_places_shortly) (double x, double power, double inverse,
								double *result)
{
	gs_pair		p = PRODUCT(fabs(x), power);
	double		m = QUICK(magnitude_rounded) (p.hi);
	double		rest = p.hi - m;

	m += (rest == 0.5) & (p.lo > 0) ? 1.0 : 0.0;
	m -= (rest == -0.5) & (p.lo < 0) ? 1.0 : 0.0;
	*result = p.hi > GS_ROUND_KEPT ? x :
		copysign(QUICK(divide) (m, power, inverse), x);
	return (p.hi < 0x1p52) | (p.hi > GS_ROUND_KEPT);
}

#undef QUICK_INLINE
