/*-------------------------------------------------------------------------
 *
 * elements.h
 *	  What the maps give for an element that are no steps of plans: roots,
 *	  exponentials, logarithms, powers, decimal rounding, relative changes.
 *
 * Engines compute many elements at once, each in its own way; what such a way
 * does not decide is asked of gs_element(), which is exact and slow.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTS_H
#define GS_ELEMENTS_H

#include "engine/plan.h"
#include "exact/line.h"

#include <math.h>

/* Of an element: its result is there, or not yet, or there is none. */
typedef enum gs_answer
{
	GS_ANSWERED,
	GS_UNANSWERED,				/* finite, with a result that may be out of
								 * range */
	GS_OUT_OF_RANGE,
	GS_UNDERFLOW,				/* of floats: it is not 0, but nearest to it */
	GS_ROOT_OF_NEGATIVE,
	GS_LOGARITHM_OF_ZERO,
	GS_LOGARITHM_OF_NEGATIVE,
	GS_ZERO_TO_NEGATIVE,
	GS_COMPLEX_POWER,
	GS_DIVISION_BY_ZERO
} gs_answer;

/* Can it be why an element has no result? */
GS_INLINE bool
gs_is_value_error(int32_t answer)
{
	return answer >= GS_OUT_OF_RANGE && answer <= GS_DIVISION_BY_ZERO;
}

#define GS_MOST_DIGITS	INT16_MAX

/*
 * That of a step of arithmetic with these errors (arithmetic.h), of which there
 * are some; underflow: the result, of floats, is 0.
 */
GS_INLINE gs_answer
gs_answer_of_errors(uint32_t errors, bool underflow)
{
	if (errors & GS_ERROR_DIVISION)
		return GS_DIVISION_BY_ZERO;
	return underflow ? GS_UNDERFLOW : GS_OUT_OF_RANGE;
}

/* Powers of infinities and NaN, those of POSIX */
GS_INLINE double
gs_power_of_special(double x, double y)
{
	if (x == 1 || y == 0)
		return 1;
	if (x != x || y != y)
		return gs_canonical_nan();
	if (!gs_is_finite(y))
	{
		if (fabs(x) == 1)
			return 1;
		return (fabs(x) > 1) == (y > 0) ? HUGE_VAL : 0;
	}
	if (x < 0 && fmod(y, 2.0) != 0)
		return y > 0 ? x : -0.0;
	return y > 0 ? HUGE_VAL : 0;
}

/*
 * Of an element of SQL's functions sqrt, exp, ln, power(x, y), all but what
 * exact/elementary.h is for.
 */
GS_INLINE gs_answer
gs_answer_specially(int kind, double x, double y, double *result)
{
	*result = x;
	if (kind == GS_POWER)
	{
		if (x == 0 && y < 0)
			return GS_ZERO_TO_NEGATIVE;
		if (x < 0 && y == y && floor(y) != y)
			return GS_COMPLEX_POWER;
		if (gs_is_finite(x) && gs_is_finite(y))
			return GS_UNANSWERED;
		*result = gs_power_of_special(x, y);
		return GS_ANSWERED;
	}
	if (x != x)
	{
		*result = gs_canonical_nan();
		return GS_ANSWERED;
	}
	if (kind == GS_SQRT)
	{
		*result = sqrt(x);
		return x < 0 ? GS_ROOT_OF_NEGATIVE : GS_ANSWERED;
	}
	if (kind == GS_LN && x <= 0)
		return x < 0 ? GS_LOGARITHM_OF_NEGATIVE : GS_LOGARITHM_OF_ZERO;
	if (gs_is_finite(x))
		return GS_UNANSWERED;
	*result = x > 0 ? x : 0;
	return GS_ANSWERED;
}

/* What SQL says of a result that is exact but for its one rounding. */
GS_INLINE gs_answer
gs_answer_checked(int kind, double x, double result)
{
	return result == 0 && (kind == GS_EXP || (kind == GS_POWER && x != 0)) ?
		GS_UNDERFLOW : GS_ANSWERED;
}

/* Instructions of a plan that are such functions; for the answers, log10 is ln. */
GS_INLINE bool
gs_code_is_elementary(int code)
{
	return code >= GS_CODE_EXP && code <= GS_CODE_POWER;
}

GS_INLINE int
gs_kind_of_code(int code)
{
	return code == GS_CODE_EXP ? GS_EXP : code == GS_CODE_POWER ? GS_POWER :
		GS_LN;
}

/*
 * The error of an instruction.  That of a C library depends on the library where
 * the result is subnormal: whether that is an error is not for us to say.
 */
GS_INLINE uint32_t
gs_errors_of_answer(gs_answer answer, double result)
{
	return answer != GS_ANSWERED ||
		(result != 0 && fabs(result) < DBL_MIN) ? GS_ERROR_RANGE : 0;
}

/*
 * Is the result of such an instruction, of finite numbers, certainly below the
 * normal ones?  That is an error, which is known without the result: there, two
 * doubles do not decide it.  ln 2^-1022 is -708.39642, and a logarithm's error of
 * some units is far less than what is between that and the limit.
 */
GS_INLINE bool
gs_is_below_normal(int code, double x, double y)
{
	if (code == GS_CODE_POWER)
		return x != 0 && log(fabs(x)) * y < -708.3965;
	return code == GS_CODE_EXP && x < -708.3965;
}

/*
 * What SQL says of to / before - 1, of integers without error or doubles: what
 * is UNANSWERED is for gs_relative_change.
 */
GS_INLINE gs_answer
gs_answer_change(double to, double before, double *result)
{
	*result = gs_canonical_nan();
	if (to != to || before != before)
		return GS_ANSWERED;
	if (before == 0)
		return GS_DIVISION_BY_ZERO;
	if (gs_is_finite(to) && gs_is_finite(before))
		return GS_UNANSWERED;
	*result = to / before - 1;
	if (*result != *result)
		*result = gs_canonical_nan();
	return GS_ANSWERED;
}

/*
 * The multiple of 10^zeros, a power that is given, nearest to x, of two the even
 * one; false if it does not fit a bigint.  Of more than 19 zeros it is 0.
 */
GS_INLINE bool
gs_round_integer(int64_t x, uint64_t power, int64_t *result)
{
	uint64_t	magnitude = x < 0 ? 0 - (uint64_t) x : (uint64_t) x;
	uint64_t	count = magnitude / power;
	uint64_t	rest = magnitude % power;
	uint64_t	most = (uint64_t) INT64_MAX + (x < 0);

	if (rest > power - rest || (rest == power - rest && count % 2 != 0))
		count++;
	if (count > most / power)
		return false;
	*result = (int64_t) (x < 0 ? 0 - count * power : count * power);
	return true;
}

#define GS_INTEGER_ZEROS	19	/* 10^19 fits 64 bits */

/* 10^zeros, up to GS_INTEGER_ZEROS */
GS_INLINE uint64_t
gs_integer_power_of_ten(int zeros)
{
	uint64_t	power = 1;

	for (int i = 0; i < zeros; i++)
		power *= 10;
	return power;
}

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * Is it one of these operations, and are its own members valid?
 */
extern bool gs_is_of_elements(gs_kind kind);
extern bool gs_elements_are_valid(const gs_op *op);

/*
 * The result for an element x, of gs_output_type(op).  Of a power of two arrays
 * y is the exponent; of a relative change, the element before x.  After
 * gs_elementary_init.
 */
extern gs_answer gs_element(const gs_op *op, const gs_value *x,
							const gs_value *y, gs_value *result);

/* Of an elementary instruction, after gs_elementary_init: *result, or an error. */
extern uint32_t gs_elementary_instruction(int code, double x, double y,
										  double *result);

/* A number of any type, as SQL casts it. */
extern double gs_double_from_value(gs_type type, const gs_value *x);

#ifdef __cplusplus
}
#endif

#endif							/* GS_ELEMENTS_H */
