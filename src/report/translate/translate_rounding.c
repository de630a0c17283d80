/*-------------------------------------------------------------------------
 *
 * translate_rounding.c
 *	  numeric: rounded to some digits, also quotients.
 *
 * A quotient of numerics has as many digits as PostgreSQL finds enough, which
 * depends on the operands' sizes (select_div_scale() of its numeric.c).  If it
 * is rounded to fewer digits, the exact quotient gives the same result, as long
 * as no number where that rounding changes, a multiple of 10^-k or a number
 * halfway between two, lies between them.  Written as an integer over a divisor,
 * the exact quotient, unless it is such a number itself, is at least
 * 10^-k / (2 * divisor) away from each.  PostgreSQL's is at most
 * 10^-scale / 2 away from the exact one.  So 10^scale > 10^k * divisor is enough.
 * Its scale is at least 16 - 4 * weight, where 10000^weight is about the
 * quotient's size: an operand that is too large for the scale to be enough is an
 * error of the plan.
 *
 * By a constant divisor, it is known how large the dividend may be.  Any other
 * quotient is made one of integers, n / divisor, times 10^-k.  It is above
 * 10000^weight (its size is found by the operands' first digits), so that 10^scale
 * is above 10^16 * 10^k * divisor / n: up to n = 10^16 that is enough.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"

#include "call/decimal.h"
#include "report/translate/translate_parts.h"

/* As in numeric.c: least significant digits of a quotient; digits in base 10000. */
#define QUOTIENT_DIGITS		16
#define WEIGHT_DIGITS		4
#define NUMERIC_BASE		10000

/* In so many decimal places, or those of its sum, a mean is compared. */
#define MEAN_PLACES			6

/* A divisor: an integer times 10^-scale. */
typedef struct divisor
{
	int64		value;
	int			scale;
} divisor;

static gs_constant
integer_constant(int64 value)
{
	gs_constant c;

	memset(&c, 0, sizeof c);
	c.type = GS_INT8;
	c.value.i8 = value;
	return c;
}

/* An integer of any scale, with a scale. */
static bool
put_integer(gs_translation *t, int64 value, int scale, gs_operand *r)
{
	return gs_put_scaled(t, integer_constant(value), scale, NULL, r);
}

/* a, an error if its magnitude exceeds the limit, which has a's scale. */
static bool
put_check(gs_translation *t, gs_operand a, int64 limit, gs_operand *r)
{
	int			scale = gs_scale_of(t, a);
	gs_instruction in = {.code = GS_CODE_CHECK, .type = GS_INT8, .a = a};

	return put_integer(t, -limit, scale, &in.b) &&
		put_integer(t, limit, scale, &in.c) &&
		gs_put_displayed(t, in, gs_display_of(t, a), r);
}

/* ----------
 * Quotients
 * ----------
 */

static int
count_digits(int64 value)
{
	int			n = 1;

	for (; value >= 10; value /= 10)
		n++;
	return n;
}

/* A constant that is not 0 and has few digits, without zeros at the end. */
static bool
read_divisor(Expr *e, divisor *d)
{
	const Const *constant = (const Const *) e;

	if (!IsA(e, Const) || constant->constisnull)
		return false;
	d->scale = gs_decimal_scale(constant->constvalue);
	if (d->scale < 0 ||
		gs_decimal_find(constant->constvalue, d->scale, &d->value) !=
		GS_DECIMAL_EQUAL ||
		d->value == 0 || d->value < -gs_power_of_ten[GS_DECIMAL_DIGITS] ||
		d->value > gs_power_of_ten[GS_DECIMAL_DIGITS])
		return false;
	for (; d->scale > 0 && d->value % 10 == 0; d->scale--)
		d->value /= 10;
	return true;
}

/*
 * Up to which magnitude, times 10^scale, a dividend has a quotient of `digits`
 * decimal places at least; PG_INT64_MAX: up to any; 0: not even small ones may.
 *
 * numeric.c compares the first digits, of base 10000, of both operands: with the
 * dividend's above the divisor's, the quotient's weight is the difference of
 * theirs, else one less.  So it is `weight` at most up to a first digit like
 * the divisor's that is weight + 1 places further left.
 */
static int64
most_dividend(const divisor *d, int scale, int digits)
{
	int			weight = QUOTIENT_DIGITS - digits;
	int			exponent = (d->scale + WEIGHT_DIGITS - 1) / WEIGHT_DIGITS;
	int64		first = Abs(d->value);

	weight = weight >= 0 ? weight / WEIGHT_DIGITS :
		-((WEIGHT_DIGITS - 1 - weight) / WEIGHT_DIGITS);

	/* the divisor's own weight is -exponent, once its digits are whole */
	for (int i = d->scale; i < exponent * WEIGHT_DIGITS; i++)
	{
		if (first > PG_INT64_MAX / 10)
			return 0;
		first *= 10;
	}
	for (; first >= NUMERIC_BASE; first /= NUMERIC_BASE)
		exponent--;
	exponent = (weight + 1 - exponent) * WEIGHT_DIGITS + scale;
	if (exponent < 0)
		return 0;
	if (exponent > GS_DECIMAL_DIGITS ||
		first + 1 > PG_INT64_MAX / gs_power_of_ten[exponent])
		return PG_INT64_MAX;
	return (first + 1) * gs_power_of_ten[exponent] - 1;
}

/* ----------
 * Rounding
 * ----------
 */

/* a / d as an integer, of a's scale less d's.  how: GS_CODE_FLOOR and others; ROUND: half away from 0. */
static bool
put_rounded(gs_translation *t, gs_code how, gs_operand a, int64 d, int scale,
			gs_operand *r)
{
	gs_operand	by;
	gs_operand	other;

	/* a division by 1.00, say, takes its decimal places away */
	if (d == 1 && scale == 0)
	{
		*r = a;
		return true;
	}
	if (!put_integer(t, d, scale, &by))
		return false;
	switch (how)
	{
		case GS_CODE_FLOOR:
			return gs_put_binary(t, GS_CODE_FLOOR_DIVIDE, a, by, r);
		case GS_CODE_CEIL:
			return gs_put_unary(t, GS_CODE_NEGATE, a, &a) &&
				gs_put_binary(t, GS_CODE_FLOOR_DIVIDE, a, by, r) &&
				gs_put_unary(t, GS_CODE_NEGATE, *r, r);
		case GS_CODE_TRUNC:
			return gs_put_binary(t, GS_CODE_DIVIDE, a, by, r);
		default:
			break;
	}

	/* a >> 63 is -1 for what is negative: half of an even divisor goes down */
	return (d % 2 != 0 ||
			(put_integer(t, 63, 0, &other) &&
			 gs_put_binary(t, GS_CODE_SHIFT_RIGHT, a, other, &other) &&
			 gs_put_binary(t, GS_CODE_ADD, a, other, &a))) &&
		put_integer(t, d / 2, 0, &other) &&
		gs_put_binary(t, GS_CODE_ADD, a, other, &a) &&
		gs_put_binary(t, GS_CODE_FLOOR_DIVIDE, a, by, r);
}

/*
 * a / d, rounded to `digits` decimal places, which may be negative: then to
 * tens, hundreds and so on.
 */
static bool
put_quotient(gs_translation *t, gs_code how, gs_operand a, const divisor *d,
			 int digits, gs_operand *r)
{
	int			scale = Max(gs_scale_of(t, a), 0);
	int			most = Max(scale, d->scale);
	int			factor = most - scale + Max(digits, 0);
	int			more = most - d->scale + Max(-digits, 0);
	int64		by = Abs(d->value);
	bool		divides = by != 1 || d->scale != 0;

	for (; factor > 0 && more > 0 && most > 0; factor--, more--, most--)
		;
	for (; factor > 0 && most > 0 && by % 10 == 0; factor--, most--)
		by /= 10;
	if (factor > GS_DECIMAL_DIGITS || more > GS_DECIMAL_DIGITS ||
		by > PG_INT64_MAX / 2 / gs_power_of_ten[more])
		return gs_untranslated(t, "a number is rounded to too many or too few digits");
	by *= gs_power_of_ten[more];
	if (divides)
	{
		int64		limit = most_dividend(d, scale, digits + count_digits(by));

		if (limit == 0)
			return gs_untranslated(t, "a quotient is rounded to too many digits");
		if (limit != PG_INT64_MAX && !put_check(t, a, limit, &a))
			return false;
	}
	if (d->value < 0 && !gs_put_unary(t, GS_CODE_NEGATE, a, &a))
		return false;

	/* the result shows all of its decimal places, even if the operand does not */
	return ((factor == 0 && gs_display_of(t, a) == GS_NOTHING) ||
			(put_integer(t, gs_power_of_ten[factor], factor, r) &&
			 gs_put_binary(t, GS_CODE_MULTIPLY, a, *r, &a))) &&
		put_rounded(t, how, a, by, most, r) &&
		(digits >= 0 ||
		 (put_integer(t, gs_power_of_ten[-digits], 0, &a) &&
		  gs_put_binary(t, GS_CODE_MULTIPLY, *r, a, r)));
}

/* Half of a quotient of what is not negative goes up. */
static bool
put_nearest(gs_translation *t, gs_operand a, gs_operand by, gs_operand *r)
{
	gs_operand	two;

	return put_integer(t, 2, 0, &two) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, a, two, r) &&
		gs_put_binary(t, GS_CODE_ADD, *r, by, r) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, by, two, &by) &&
		gs_put_binary(t, GS_CODE_DIVIDE, *r, by, r);
}

/* a / by as an integer, of a's scale less by's, which is positive. */
static bool
put_rounded_by(gs_translation *t, gs_code how, gs_operand a, gs_operand by,
			   gs_operand *r)
{
	gs_operand	zero;
	gs_operand	is_negative;
	gs_operand	negative;

	switch (how)
	{
		case GS_CODE_FLOOR:
			return gs_put_binary(t, GS_CODE_FLOOR_DIVIDE, a, by, r);
		case GS_CODE_CEIL:
			return gs_put_unary(t, GS_CODE_NEGATE, a, &a) &&
				gs_put_binary(t, GS_CODE_FLOOR_DIVIDE, a, by, r) &&
				gs_put_unary(t, GS_CODE_NEGATE, *r, r);
		case GS_CODE_TRUNC:
			return gs_put_binary(t, GS_CODE_DIVIDE, a, by, r);
		default:
			return put_integer(t, 0, gs_scale_of(t, a), &zero) &&
				gs_put_binary(t, GS_CODE_LT, a, zero, &is_negative) &&
				gs_put_unary(t, GS_CODE_ABS, a, &a) &&
				put_nearest(t, a, by, r) &&
				gs_put_unary(t, GS_CODE_NEGATE, *r, &negative) &&
				gs_put_choose(t, is_negative, negative, *r, r);
	}
}

/* times 10^n, as its scale says */
static bool
put_places(gs_translation *t, gs_operand a, int n, gs_operand *r)
{
	gs_operand	factor;

	*r = a;
	return n <= 0 ||
		(put_integer(t, gs_power_of_ten[n], n, &factor) &&
		 gs_put_binary(t, GS_CODE_MULTIPLY, a, factor, r));
}

/* a / b, rounded to `digits` decimal places. */
static bool
put_quotient_of_two(gs_translation *t, gs_code how, gs_operand a, gs_operand b,
					int digits, gs_operand *r)
{
	int			more = Max(gs_scale_of(t, b), 0) + digits -
		Max(gs_scale_of(t, a), 0);
	gs_operand	zero;
	gs_operand	is_negative;
	gs_operand	negative;

	if (digits < 0 || more > GS_DECIMAL_DIGITS || more < -GS_DECIMAL_DIGITS)
		return gs_untranslated(t, "a quotient is rounded to too many or too few digits");
	return put_places(t, a, more, &a) && put_places(t, b, -more, &b) &&
		put_check(t, a, gs_power_of_ten[QUOTIENT_DIGITS], &a) &&
		put_integer(t, 0, gs_scale_of(t, b), &zero) &&
		gs_put_binary(t, GS_CODE_LT, b, zero, &is_negative) &&
		gs_put_unary(t, GS_CODE_NEGATE, a, &negative) &&
		gs_put_choose(t, is_negative, negative, a, &a) &&
		gs_put_unary(t, GS_CODE_ABS, b, &b) &&
		put_rounded_by(t, how, a, b, r);
}

/* The operands of a quotient; false: it is something else. */
static bool
is_quotient(Expr *e, Expr **a, Expr **b)
{
	OpExpr	   *quotient = (OpExpr *) e;

	if (!IsA(e, OpExpr))
		return false;
	set_opfuncid(quotient);
	if (quotient->opfuncid != F_NUMERIC_DIV)
		return false;
	*a = linitial(quotient->args);
	*b = lsecond(quotient->args);
	return true;
}

/* a / constant, whose parts these are; false: it is no such quotient. */
static bool
take_apart(Expr *e, Expr **dividend, divisor *d)
{
	Expr	   *a;
	Expr	   *b;

	if (!is_quotient(e, &a, &b) || !read_divisor(b, d))
		return false;
	*dividend = a;
	return true;
}

bool
gs_translate_rounding(gs_translation *t, gs_code how, Expr *e, int digits,
					  gs_operand *r)
{
	divisor		d = {.value = 1};
	Expr	   *dividend;
	Expr	   *by;
	gs_operand	a;
	gs_operand	b;

	if (digits > GS_DECIMAL_DIGITS || digits < -GS_DECIMAL_DIGITS)
		return gs_untranslated(t, "a number is rounded to too many or too few digits");
	if (!take_apart(e, &e, &d) && is_quotient(e, &dividend, &by))
		return gs_translate(t, dividend, &a) && gs_translate(t, by, &b) &&
			put_quotient_of_two(t, how, a, b, digits, r);
	return gs_translate(t, e, &a) && put_quotient(t, how, a, &d, digits, r);
}

/*
 * a / constant, compared with another constant: as a, which is compared with the
 * product of both.  The other constant, too, is a number where rounding changes
 * the result, but only quotients near it matter: rounding does not take one that
 * is twice as large, or has the other sign, to the other side of the constant.
 */
bool
gs_translate_quotient(gs_translation *t, Expr *e, Datum *bound, gs_code *code,
					  gs_operand *r)
{
	OpExpr	   *quotient = (OpExpr *) e;
	int			digits = gs_decimal_scale(*bound);
	gs_decimal_place place;
	divisor		d;
	int			scale;
	int64		product;

	if (digits < 0 || !take_apart(e, &e, &d) || !gs_translate(t, e, r))
		return false;
	scale = Max(gs_scale_of(t, *r), 0);
	*bound = DirectFunctionCall2(numeric_mul, *bound,
								 ((Const *) lsecond(quotient->args))->constvalue);
	place = gs_decimal_find(*bound, scale, &product);
	digits += count_digits(Abs(d.value)) + Max(scale - d.scale, 0);
	if ((place != GS_DECIMAL_EQUAL && place != GS_DECIMAL_BETWEEN) ||
		product == PG_INT64_MIN || product == PG_INT64_MAX ||
		Abs(product) + 1 > most_dividend(&d, scale, digits) / 2)
		return gs_untranslated(t, "a quotient is compared with a number of too many digits");
	if (d.value < 0)
		*code = gs_code_exchanged(*code);
	return true;
}

/* ----------
 * Means
 * ----------
 */

const gs_given *
gs_mean_of(const gs_translation *t, Expr *e)
{
	const Var  *var = (const Var *) gs_resolve(t, (Node *) e);

	return t->given != NULL && IsA(var, Var) && var->varno == GS_GROUP_VAR &&
		t->given[var->varattno - 1].count > 0 ?
		&t->given[var->varattno - 1] : NULL;
}

bool
gs_translate_presence(gs_translation *t, Expr *e, gs_operand *r)
{
	const gs_given *mean = gs_mean_of(t, e);
	const bool	outer = t->private->by_bytes;
	bool		done;

	if (mean != NULL)
		return gs_translate_given(t, mean->sum, r);
	t->private->by_bytes |= IsA(gs_resolve(t, (Node *) e), Var);
	done = gs_translate_any(t, e, r);
	t->private->by_bytes = outer;
	return done;
}

/*
 * A mean's sum, compared with what lies between two products: it is at or below
 * the lower one, or at or above the upper one, else there is an error, by dividing
 * by 0.
 */
static bool
put_between(gs_translation *t, gs_code code, gs_operand sum, gs_operand low,
			gs_operand high, gs_operand *r)
{
	gs_operand	below;
	gs_operand	above;
	gs_operand	one;
	gs_operand	zero;

	return gs_put_binary(t, GS_CODE_LE, sum, low, &below) &&
		gs_put_binary(t, GS_CODE_GE, sum, high, &above) &&
		gs_put_bool_to_int4(t, below, &below) &&
		gs_put_bool_to_int4(t, above, &above) &&
		gs_put_integer(t, 1, &one) && gs_put_integer(t, 0, &zero) &&
		gs_put_binary(t, GS_CODE_SUBTRACT, above, below, r) &&
		gs_put_binary(t, GS_CODE_DIVIDE, one, *r, r) &&
		gs_put_binary(t, code, *r, zero, r);
}

/*
 * The sum with the product of the count and the constant.  With k decimal places,
 * of the constant and of the sum, a mean that is not equal to the constant is at
 * least 10^-k / count away from it, and at least 10^-k / |sum| times itself: with
 * both below 2 * 10^(16 - k), it stays on its side when it is rounded.  Of a
 * constant with more decimal places, a mean must be outside of the two neighbours
 * that have so many.
 */
bool
gs_compare_mean(gs_translation *t, gs_code code, const gs_given *mean,
				Datum bound, gs_operand *r)
{
	const char *refusal = "an average is compared with a number of too many digits";
	gs_decimal_place place;
	int64		integer;
	int64		limit;
	gs_operand	sum;
	gs_operand	count;
	gs_operand	low;
	gs_operand	high;
	int			digits;
	int			scale;

	if (!gs_translate_given(t, mean->sum, &sum) ||
		!gs_translate_given(t, mean->count, &count))
		return false;
	if (gs_decimal_scale(bound) < 0)
		return gs_untranslated(t, refusal);
	bound = DirectFunctionCall1(numeric_trim_scale, bound);
	scale = Max(gs_scale_of(t, sum), 0);
	digits = Max(scale, Min(gs_decimal_scale(bound), MEAN_PLACES));
	place = gs_decimal_find(bound, digits, &integer);
	if (digits >= QUOTIENT_DIGITS ||
		(place != GS_DECIMAL_EQUAL && place != GS_DECIMAL_BETWEEN))
		return gs_untranslated(t, refusal);
	limit = 2 * gs_power_of_ten[QUOTIENT_DIGITS - digits];
	if (!put_check(t, count, limit - 1, &count) ||
		!put_check(t, sum, limit * gs_power_of_ten[scale] - 1, &sum) ||
		!put_integer(t, integer, digits, &low) ||
		!gs_put_binary(t, GS_CODE_MULTIPLY, count, low, &low) ||
		!gs_align_decimals(t, &sum, &low))
		return false;
	if (place == GS_DECIMAL_EQUAL)
		return gs_put_binary(t, code, sum, low, r);
	return put_integer(t, 1, digits, &high) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, count, high, &high) &&
		gs_put_binary(t, GS_CODE_ADD, low, high, &high) &&
		put_between(t, code, sum, low, high, r);
}

/* As a column of a precision and scale has it. */
bool
gs_translate_typmod(gs_translation *t, Expr *e, int32 typmod, gs_operand *r)
{
	int			precision = (typmod - (int) VARHDRSZ) >> 16 & 0xFFFF;
	int			scale = (typmod - (int) VARHDRSZ) & 0x7FF;

	if (typmod < (int) VARHDRSZ)
		return gs_translate(t, e, r);
	return gs_translate_rounding(t, GS_CODE_ROUND, e, scale, r) &&
		(precision > GS_DECIMAL_DIGITS ||
		 put_check(t, *r, gs_power_of_ten[precision] - 1, r));
}
