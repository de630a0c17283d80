/*-------------------------------------------------------------------------
 *
 * elementary.c
 *	  Exponential, logarithm and power, rounded once.
 *
 * A result is computed as the sum of two doubles, with a bound of the error.
 * If the sum rounds to the same double wherever in these bounds it is, that is
 * the result (Ziv, ACM TOMS 17, 1991).  Of random arguments, one of 2^20
 * exponentials or logarithms remains, of powers one of 2^11 to 2^20: it is
 * computed again in fixed point, to less than 2^-360 of itself.  The first step
 * is elementary_first.h's, the second elementary_slow.h's.
 *
 * That decides.  Exponentials and logarithms of doubles are never halfway
 * between two doubles, but for e^0 and ln 1, nor closer to there than 2^-118 of
 * themselves; e^x of tiny x is not closer than 2^-160 (Lefevre and Muller, 15th
 * IEEE Symposium on Computer Arithmetic, 2001).  A power can be a double or
 * halfway between two; such powers are found first, in integers.  How close
 * others come has not been searched; as there are 2^128 of them, one that is
 * closer than 2^-200 would be a wonder.  Even there, the result would be one of
 * the two nearest doubles, and the same on every machine.
 *
 * After Tang, ACM TOMS 15 and 16, 1989 and 1990: an argument is reduced by one
 * of a table, and a short series gives the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/elementary.h"
#include "exact/elementary_slow.h"

#include <math.h>

#define TARGET
#define QUICK(name)		name
#define PRODUCT			gs_two_product
#define MULTIPLY_ADD(x, y, z)	((x) * (y) + (z))
#define TABLE			gs_elementary
#include "exact/elementary_first.h"
#undef TARGET
#undef QUICK
#undef PRODUCT
#undef MULTIPLY_ADD
#undef TABLE

gs_rounding
gs_exp(double x, double *result)
{
	gs_first	first = exp_first(x, result);

	if (first != GS_UNDECIDED)
		return first == GS_DECIDED ? GS_ROUNDED : GS_OVERFLOW;
	return gs_exp_slowly(&gs_elementary, x, result);
}

double
gs_ln(double x)
{
	double		result;

	return ln_first(x, &result) == GS_DECIDED ? result :
		gs_ln_slowly(&gs_elementary, x);
}

double
gs_log10(double x)
{
	double		result;

	return log10_first(x, &result) == GS_DECIDED ? result :
		gs_log10_slowly(&gs_elementary, x);
}

gs_rounding
gs_power(double x, double y, double *result)
{
	gs_first	first = power_first(x, y, result);

	if (first != GS_UNDECIDED)
		return first == GS_DECIDED ? GS_ROUNDED : GS_OVERFLOW;
	return gs_power_slowly(&gs_elementary, x, y, result);
}
