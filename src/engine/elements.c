/*-------------------------------------------------------------------------
 *
 * elements.c
 *	  The result for one element: exact, and rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/elements.h"
#include "exact/elementary.h"

bool
gs_is_of_elements(gs_kind kind)
{
	return kind == GS_SQRT || kind == GS_EXP || kind == GS_LN ||
		kind == GS_POWER || kind == GS_ROUND || kind == GS_PCT_CHANGE;
}

static bool
is_flag(int32_t value)
{
	return value == 0 || value == 1;
}

bool
gs_elements_are_valid(const gs_op *op)
{
	if (op->kind == GS_ROUND)
		return op->round.digits >= -GS_MOST_DIGITS &&
			op->round.digits <= GS_MOST_DIGITS;
	if (op->kind == GS_POWER)
		return is_flag(op->power.of_pairs) &&
			is_flag(op->power.constant_is_base) &&
			!(op->power.of_pairs && op->power.constant_is_base);
	return true;
}

static int64_t
integer_of(gs_type type, const gs_value *x)
{
	return type == GS_INT2 ? x->i2 : type == GS_INT4 ? x->i4 : x->i8;
}

double
gs_double_from_value(gs_type type, const gs_value *x)
{
	if (type == GS_FLOAT8)
		return x->f8;
	if (type == GS_FLOAT4)
		return x->f4;
	return (double) integer_of(type, x);
}

static bool
is_float(gs_type type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

static gs_answer
elementary_of(gs_kind kind, double x, double y, double *result)
{
	gs_answer	answer = gs_answer_specially(kind, x, y, result);
	gs_rounding rounding = GS_ROUNDED;

	if (answer != GS_UNANSWERED)
		return answer;
	if (kind == GS_EXP)
		rounding = gs_exp(x, result);
	else if (kind == GS_LN)
		*result = gs_ln(x);
	else
		rounding = gs_power(x, y, result);
	return rounding == GS_OVERFLOW ? GS_OUT_OF_RANGE :
		gs_answer_checked(kind, x, *result);
}

uint32_t
gs_elementary_instruction(int code, double x, double y, double *result)
{
	const gs_kind kind = gs_kind_of_code(code);
	gs_answer	answer = gs_answer_specially(kind, x, y, result);

	if (answer == GS_UNANSWERED && gs_is_below_normal(code, x, y))
		answer = GS_UNDERFLOW;
	else if (answer == GS_UNANSWERED && code == GS_CODE_LOG10)
	{
		*result = gs_log10(x);
		answer = GS_ANSWERED;
	}
	else if (answer == GS_UNANSWERED)
		answer = elementary_of(kind, x, y, result);
	return gs_errors_of_answer(answer, *result);
}

static gs_answer
power_of(const gs_op *op, const gs_value *x, const gs_value *y, double *result)
{
	gs_type		type = (gs_type) op->type;
	double		element = gs_double_from_value(type, x);

	if (op->power.of_pairs)
		return elementary_of(GS_POWER, element, gs_double_from_value(type, y),
							 result);
	return op->power.constant_is_base ?
		elementary_of(GS_POWER, op->power.constant, element, result) :
		elementary_of(GS_POWER, element, op->power.constant, result);
}

/* digits < 0 */
static gs_answer
round_integer(gs_type type, int64_t x, int digits, gs_value *result)
{
	int64_t		rounded = 0;
	int64_t		most = type == GS_INT2 ? INT16_MAX :
		type == GS_INT4 ? INT32_MAX : INT64_MAX;

	if (-digits <= GS_INTEGER_ZEROS &&
		!gs_round_integer(x, gs_integer_power_of_ten(-digits), &rounded))
		return GS_OUT_OF_RANGE;
	if (rounded > most || rounded < -most - 1)
		return GS_OUT_OF_RANGE;
	if (type == GS_INT2)
		result->i2 = (int16_t) rounded;
	else if (type == GS_INT4)
		result->i4 = (int32_t) rounded;
	else
		result->i8 = rounded;
	return GS_ANSWERED;
}

static gs_answer
round_float(gs_type type, double x, int digits, gs_value *result)
{
	gs_rounding rounding = GS_ROUNDED;

	if (!gs_is_finite(x))
	{
		if (x != x)
			x = gs_canonical_nan();
		if (type == GS_FLOAT4)
			result->f4 = (float) x;
		else
			result->f8 = x;
	}
	else if (type == GS_FLOAT4)
		rounding = gs_round_decimal_float((float) x, digits, &result->f4);
	else
		rounding = gs_round_decimal(x, digits, &result->f8);
	return rounding == GS_OVERFLOW ? GS_OUT_OF_RANGE : GS_ANSWERED;
}

static gs_answer
change_of(gs_type type, const gs_value *to, const gs_value *before,
		  double *result)
{
	gs_answer	answer = gs_answer_change(gs_double_from_value(type, to),
										  gs_double_from_value(type, before),
										  result);
	gs_pair		pair[2];

	if (answer != GS_UNANSWERED)
		return answer;
	if (!is_float(type) &&
		gs_change_of_integers(integer_of(type, before), integer_of(type, to),
							  result))
		return GS_ANSWERED;
	for (int i = 0; i < 2; i++)
	{
		const gs_value *x = i == 0 ? before : to;

		pair[i] = is_float(type) ?
			(gs_pair) {gs_double_from_value(type, x), 0} :
			gs_pair_normal(integer_of(type, x));
	}
	return gs_relative_change(pair[0], pair[1], result) == GS_OVERFLOW ?
		GS_OUT_OF_RANGE : GS_ANSWERED;
}

gs_answer
gs_element(const gs_op *op, const gs_value *x, const gs_value *y,
		   gs_value *result)
{
	gs_type		type = (gs_type) op->type;
	int			digits = op->round.digits;

	switch (op->kind)
	{
		case GS_ROUND:
			if (is_float(type))
				return round_float(type, gs_double_from_value(type, x), digits,
								   result);
			*result = *x;
			return digits >= 0 ? GS_ANSWERED :
				round_integer(type, integer_of(type, x), digits, result);
		case GS_PCT_CHANGE:
			return change_of(type, x, y, &result->f8);
		case GS_POWER:
			return power_of(op, x, y, &result->f8);
		default:
			return elementary_of((gs_kind) op->kind,
								 gs_double_from_value(type, x), 0,
								 &result->f8);
	}
}
