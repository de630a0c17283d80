/*-------------------------------------------------------------------------
 *
 * translate_decimals.c
 *	  numeric: integers that stand for a value times 10^scale.
 *
 * The results have the digits and the display scale that PostgreSQL gives: of a
 * sum, the larger scale of both operands; of a product, the sum of both.  A
 * value of another scale is multiplied by a power of ten, which is a product
 * with 1.00, say.  What does not fit into 64 bits is an error of the plan,
 * though none of SQL.  A quotient, whose digits are PostgreSQL's choice, is only
 * computed if it is rounded or compared with a constant (translate_rounding.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

#include "call/decimal.h"
#include "report/translate/translate_parts.h"

/* Values with more decimals would hardly fit. */
#define MOST_SCALE		(2 * GS_DECIMAL_DIGITS)

/* A double is exact up to 2^53, which is 2^63 / 1024. */
#define BEYOND_DOUBLES	1024

/* The largest power of ten that is exact, times this, as a double. */
#define EXACT_POWER		22

/* The most decimal places of what becomes a float of 24 bits by way of a double. */
#define REAL_SCALE		8

/* ceil(numeric) and floor(numeric), whose macros have other names in 13 */
#define CEIL_OF_NUMERIC		1711
#define FLOOR_OF_NUMERIC	1712

int
gs_scale_of(const gs_translation *t, gs_operand operand)
{
	if (operand >= GS_RESULT(0))
		return t->private->scale[operand - GS_RESULT(0)];
	if (operand >= GS_CONSTANT(0))
		return t->private->constant_scale[operand - GS_CONSTANT(0)];
	return t->column[operand].scale;
}

gs_operand
gs_display_of(const gs_translation *t, gs_operand operand)
{
	return operand < GS_RESULT(0) ? GS_NOTHING :
		t->private->display[operand - GS_RESULT(0)];
}

/* The one that is known. */
static int
either_scale(int a, int b)
{
	return a == GS_ANY_SCALE ? b : a;
}

/* Operands that must have the same scale do. */
int
gs_result_scale(const gs_translation *t, const gs_instruction *in)
{
	int			a = gs_scale_of(t, in->a);
	int			b;

	switch (in->code)
	{
		case GS_CODE_NEGATE:
		case GS_CODE_ABS:
		case GS_CODE_CHECK:
			return a;
		case GS_CODE_CAST:
			return in->to == GS_INT8 ? a : 0;
		case GS_CODE_MULTIPLY:
			b = gs_scale_of(t, in->b);
			return a == GS_ANY_SCALE || b == GS_ANY_SCALE ? GS_ANY_SCALE :
				a + b;
		case GS_CODE_DIVIDE:
		case GS_CODE_FLOOR_DIVIDE:
			b = gs_scale_of(t, in->b);
			return a == GS_ANY_SCALE || b == GS_ANY_SCALE ? GS_ANY_SCALE :
				a - b;
		case GS_CODE_ADD:
		case GS_CODE_SUBTRACT:
		case GS_CODE_MODULO:
		case GS_CODE_LEAST:
		case GS_CODE_GREATEST:
			return either_scale(a, gs_scale_of(t, in->b));
		case GS_CODE_CHOOSE:
			return either_scale(gs_scale_of(t, in->b), gs_scale_of(t, in->c));
		case GS_CODE_LOOKUP:
			/* it stands for an unknown value */
			return in->count == 0 ? GS_ANY_SCALE : 0;
		default:
			return 0;
	}
}

/* ----------
 * Constants
 * ----------
 */

bool
gs_put_decimal(gs_translation *t, Datum value, gs_operand *r)
{
	Numeric		number = DatumGetNumeric(value);
	int			scale = gs_decimal_scale(value);
	gs_constant c;
	int64		integer;

	if (scale < 0 || scale > MOST_SCALE ||
		!gs_decimal_read((const char *) number, scale, &integer))
		return gs_untranslated(t, "a numeric constant has too many digits");
	memset(&c, 0, sizeof c);
	c.type = GS_INT8;
	c.value.i8 = integer;
	return gs_put_scaled(t, c, scale, NULL, r);
}

/* ----------
 * Scales
 * ----------
 */

/* The number itself, with more decimal places. */
static bool
put_rescaled(gs_translation *t, gs_operand a, int more, gs_operand *r)
{
	const gs_constant *known = gs_known_constant(t, a);
	gs_operand	power;
	gs_constant c;

	if (more > GS_DECIMAL_DIGITS)
		return gs_untranslated(t, "scales of numeric differ too much");
	memset(&c, 0, sizeof c);
	c.type = GS_INT8;
	if (known != NULL &&
		!__builtin_mul_overflow(known->value.i8, gs_power_of_ten[more],
								&c.value.i8))
		return gs_put_scaled(t, c, gs_scale_of(t, a) + more, NULL, r);
	c.value.i8 = gs_power_of_ten[more];
	return gs_put_scaled(t, c, more, NULL, &power) &&
		gs_put_binary(t, GS_CODE_MULTIPLY, a, power, r);
}

bool
gs_align_decimals(gs_translation *t, gs_operand *a, gs_operand *b)
{
	int			x = gs_scale_of(t, *a);
	int			y = gs_scale_of(t, *b);

	if (x == y || x == GS_ANY_SCALE || y == GS_ANY_SCALE)
		return true;
	return x < y ? put_rescaled(t, *a, y - x, a) :
		put_rescaled(t, *b, x - y, b);
}

/* The display scale, as an operand. */
static bool
put_display(gs_translation *t, gs_operand a, gs_operand *r)
{
	*r = gs_display_of(t, a);
	return *r != GS_NOTHING ||
		gs_put_integer(t, Max(gs_scale_of(t, a), 0), r);
}

bool
gs_put_display(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_operand	is_null;
	gs_operand	null;

	return put_display(t, a, r) && gs_put_null(t, GS_INT4, &null) &&
		gs_put_unary(t, GS_CODE_IS_NULL, a, &is_null) &&
		gs_put_choose(t, is_null, null, *r, r);
}

/* How a result's display scale follows from those of both operands. */
static bool
put_display_of_two(gs_translation *t, gs_code code, gs_operand a, gs_operand b,
				   gs_operand *r)
{
	*r = GS_NOTHING;
	if (code == GS_CODE_DIVIDE || (gs_display_of(t, a) == GS_NOTHING &&
								   gs_display_of(t, b) == GS_NOTHING))
		return true;
	return put_display(t, a, &a) && put_display(t, b, &b) &&
		gs_put_binary(t, code == GS_CODE_MULTIPLY ? GS_CODE_ADD :
					  GS_CODE_GREATEST, a, b, r);
}

bool
gs_put_choice(gs_translation *t, gs_operand a, gs_operand b, gs_operand c,
			  gs_operand *r)
{
	int			x = gs_scale_of(t, b);
	int			y = gs_scale_of(t, c);
	gs_operand	display = gs_display_of(t, x == GS_ANY_SCALE ? c : b);
	gs_instruction in = {.code = GS_CODE_CHOOSE, .a = a};

	if (x != GS_ANY_SCALE && y != GS_ANY_SCALE &&
		(x != y || display != gs_display_of(t, c)))
	{
		gs_operand	first;
		gs_operand	second;

		if (!put_display(t, b, &first) || !put_display(t, c, &second) ||
			!gs_put_choose(t, a, first, second, &display))
			return false;
	}
	if (!gs_align_decimals(t, &b, &c))
		return false;
	in.type = gs_operand_type(&t->plan, b);
	in.b = b;
	in.c = c;
	return gs_put_displayed(t, in, display, r);
}

/* ----------
 * Comparisons
 * ----------
 */

/* FALSE or TRUE, but NULL of NULL: is it in a list of nothing, or not? */
static bool
put_unless_null(gs_translation *t, gs_operand a, bool value, gs_operand *r)
{
	const gs_instruction in = {
		.code = GS_CODE_IN,
		.type = GS_INT8,
		.a = a,
		.first = t->plan.list_length
	};

	return gs_put(t, in, r) &&
		(!value || gs_put_unary(t, GS_CODE_NOT, *r, r));
}

/*
 * A comparison with a constant of any scale and size, as one with an integer:
 * what is below the constant is at or below the next lower integer.
 */
static bool
put_bound(gs_translation *t, gs_code code, gs_operand a, Datum bound,
		  gs_operand *r)
{
	gs_decimal_place place;
	gs_constant c;
	gs_operand	limit;

	memset(&c, 0, sizeof c);
	c.type = GS_INT8;
	place = gs_decimal_find(bound, gs_scale_of(t, a), &c.value.i8);
	if (place != GS_DECIMAL_EQUAL)
	{
		bool		is_above = place != GS_DECIMAL_BELOW;

		if (code == GS_CODE_EQ || code == GS_CODE_NE)
			return put_unless_null(t, a, code == GS_CODE_NE, r);
		if (place != GS_DECIMAL_BETWEEN)
			return put_unless_null(t, a, is_above == (code == GS_CODE_LT ||
													  code == GS_CODE_LE), r);
		code = code == GS_CODE_LT ? GS_CODE_LE :
			code == GS_CODE_GE ? GS_CODE_GT : code;
	}
	return gs_put_scaled(t, c, gs_scale_of(t, a), NULL, &limit) &&
		gs_put_binary(t, code, a, limit, r);
}

static bool
compare_with_constant(gs_translation *t, gs_code code, Expr *a, Expr *b,
					  gs_operand *r)
{
	bool		known = gs_is_known(t, b);
	bool		isnull = false;
	Datum		datum = known ? gs_evaluate(t, b, &isnull) : (Datum) 0;
	const gs_given *mean = gs_mean_of(t, a);
	gs_operand	operand;
	gs_operand	other;

	if (mean != NULL && known && !isnull)
		return gs_compare_mean(t, code, mean, datum, r);
	if (!(known && !isnull &&
		  gs_translate_quotient(t, a, &datum, &code, &operand)) &&
		!(mean != NULL ? gs_translate_given(t, mean->sum, &operand) :
		  gs_translate(t, a, &operand)))
		return false;
	if (!known)
		return gs_put_unknown(t, b, GS_INT8, &other) &&
			gs_put_binary(t, code, operand, other, r);
	if (!isnull && gs_scale_of(t, operand) != GS_ANY_SCALE)
		return put_bound(t, code, operand, datum, r);
	return gs_put_null(t, GS_INT8, &other) &&
		gs_put_binary(t, code, operand, other, r);
}

static Expr *
call_numeric(Oid function, List *args)
{
	return (Expr *) makeFuncExpr(function, NUMERICOID, args, InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

/* The number times 10^digits, with as few decimal places. */
static Expr *
shift_digits(Expr *e, int digits)
{
	char	   *power = psprintf("1e%d", digits);
	Datum		value = DirectFunctionCall3(numeric_in, CStringGetDatum(power),
											ObjectIdGetDatum(InvalidOid),
											Int32GetDatum(-1));

	return call_numeric(F_NUMERIC_MUL,
						list_make2(e, makeConst(NUMERICOID, -1, InvalidOid, -1,
												value, false, false)));
}

/* Is it of a dimension, and of any scale, as averages are? */
static bool
is_of_any_scale(const gs_translation *t, Expr *e)
{
	return exprTypmod((Node *) e) < 0 && gs_find_dimension(t, e) != NULL;
}

/*
 * x < y, where y is of a dimension, whose numbers may differ in scale and have more
 * digits than are taken: x is also below the least number that is not below y and has
 * x's decimal places.  Planning knows no numbers.
 */
static bool
compare_with_dimension(gs_translation *t, gs_code code, Expr *x, Expr *y,
					   gs_operand *r)
{
	bool		up = code == GS_CODE_LT || code == GS_CODE_GE;
	gs_instruction in = {.code = code, .type = GS_INT8};
	int			scale;

	if (!gs_translate(t, x, &in.a))
		return false;
	scale = gs_scale_of(t, in.a);
	if (t->state != NULL && scale >= 0)
		y = shift_digits(call_numeric(up ? CEIL_OF_NUMERIC : FLOOR_OF_NUMERIC,
									  list_make1(shift_digits(y, scale))),
						 -scale);
	return gs_translate(t, y, &in.b) && gs_align_decimals(t, &in.a, &in.b) &&
		gs_put(t, in, r);
}

/* ----------
 * Expressions
 * ----------
 */

static bool
translate_two(gs_translation *t, List *args, gs_operand *a, gs_operand *b)
{
	return gs_translate(t, linitial(args), a) &&
		gs_translate(t, lsecond(args), b);
}

/* a * b is exact as long as its scale is not too large. */
static bool
is_product(gs_translation *t, gs_operand a, gs_operand b)
{
	return gs_scale_of(t, a) + gs_scale_of(t, b) <= MOST_SCALE ||
		gs_untranslated(t, "a product has too many decimal places");
}

bool
gs_translate_decimal(gs_translation *t, gs_code code, List *args,
					 gs_operand *r)
{
	bool		compares = code >= GS_CODE_LT && code <= GS_CODE_GT;
	bool		orders = compares && code != GS_CODE_EQ && code != GS_CODE_NE;
	gs_instruction in = {.code = code, .type = GS_INT8};
	gs_operand	display;

	if (compares && gs_has_no_column(lsecond(args)))
		return compare_with_constant(t, code, linitial(args), lsecond(args), r);
	if (compares && gs_has_no_column(linitial(args)))
		return compare_with_constant(t, gs_code_exchanged(code), lsecond(args),
									 linitial(args), r);
	if (orders && is_of_any_scale(t, lsecond(args)))
		return compare_with_dimension(t, code, linitial(args), lsecond(args), r);
	if (orders && is_of_any_scale(t, linitial(args)))
		return compare_with_dimension(t, gs_code_exchanged(code), lsecond(args),
									  linitial(args), r);
	if (!translate_two(t, args, &in.a, &in.b))
		return false;
	if (compares)
		return gs_align_decimals(t, &in.a, &in.b) && gs_put(t, in, r);
	return put_display_of_two(t, code, in.a, in.b, &display) &&
		(code == GS_CODE_MULTIPLY ? is_product(t, in.a, in.b) :
		 gs_align_decimals(t, &in.a, &in.b)) &&
		gs_put_displayed(t, in, display, r);
}

bool
gs_translate_product(gs_translation *t, Expr *expression, gs_operand *a,
					 gs_operand *b)
{
	OpExpr	   *e = (OpExpr *) expression;

	if (!IsA(e, OpExpr))
		return false;
	set_opfuncid(e);
	return e->opfuncid == F_NUMERIC_MUL && translate_two(t, e->args, a, b) &&
		gs_display_of(t, *a) == GS_NOTHING &&
		gs_display_of(t, *b) == GS_NOTHING && is_product(t, *a, *b);
}

/*
 * The nearest double: the quotient of two that are exact is rounded once.  An
 * integer that is not exact is an error, since then it cannot be multiplied.
 */
bool
gs_decimal_to_float8(gs_translation *t, gs_operand a, gs_operand *r)
{
	int			scale = Max(gs_scale_of(t, a), 0);
	gs_operand	factor;
	gs_constant c;

	if (scale > EXACT_POWER)
		return gs_untranslated(t, "a number with too many decimal places is cast");
	memset(&c, 0, sizeof c);
	c.type = GS_INT8;
	c.value.i8 = BEYOND_DOUBLES;
	if (!gs_put_constant(t, c, NULL, &factor) ||
		!gs_put_binary(t, GS_CODE_MULTIPLY, a, factor, &a) ||
		!gs_put_cast(t, GS_FLOAT8, a, &a))
		return false;
	c.type = GS_FLOAT8;
	c.value.f8 = BEYOND_DOUBLES;
	for (int i = 0; i < scale; i++)
		c.value.f8 *= 10;
	return gs_put_constant(t, c, NULL, &factor) &&
		gs_put_binary(t, GS_CODE_DIVIDE, a, factor, r);
}

/*
 * The nearest float of 24 bits.  The nearest double leads to it unless it is halfway
 * between two of these, as the number itself is not: then that is at least 1 part in
 * 10^scale * 2^25 away, further than a double's rounding.
 */
bool
gs_decimal_to_float4(gs_translation *t, gs_operand a, gs_operand *r)
{
	if (gs_scale_of(t, a) > REAL_SCALE)
		return gs_untranslated(t, "a number with too many decimal places is cast");
	return gs_decimal_to_float8(t, a, r) && gs_put_cast(t, GS_FLOAT4, *r, r);
}
