/*-------------------------------------------------------------------------
 *
 * plan_reference.c
 *	  Expressions of plans, a row at a time; see plan_reference.h.
 *
 * Integers are computed in 128 bits and then tested against the type's range.
 * Floats follow what PostgreSQL's float8_mul() and others do.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_reference.h"

#include <math.h>
#include <string.h>

#include "test/common/compare.h"

#include "exact/elementary.h"

gs_type
plan_type(const gs_plan *plan, gs_operand operand)
{
	const gs_instruction *in;

	if (operand < 0x1000)
		return (gs_type) plan->column[operand];
	if (operand < 0x2000)
		return (gs_type) plan->constant[operand - 0x1000].type;
	in = &plan->code[operand - 0x2000];
	switch (in->code)
	{
		case GS_CODE_LT:
		case GS_CODE_LE:
		case GS_CODE_EQ:
		case GS_CODE_NE:
		case GS_CODE_GE:
		case GS_CODE_GT:
		case GS_CODE_AND:
		case GS_CODE_OR:
		case GS_CODE_NOT:
		case GS_CODE_IS_NULL:
		case GS_CODE_IN:
			return GS_BOOL;
		case GS_CODE_CAST:
		case GS_CODE_LOOKUP:
			return (gs_type) in->to;
		case GS_CODE_SEARCH:
		case GS_CODE_FIND:
			return GS_INT4;
		default:
			return (gs_type) in->type;
	}
}

bool
plan_reads_b(int code)
{
	return code <= GS_CODE_DIVIDE ||
		(code >= GS_CODE_LT && code <= GS_CODE_OR) ||
		(code >= GS_CODE_CHOOSE && code <= GS_CODE_GREATEST) ||
		(code >= GS_CODE_FLOOR_DIVIDE && code <= GS_CODE_SHIFT_RIGHT) ||
		code == GS_CODE_CHECK || code == GS_CODE_POWER;
}

bool
plan_reads_c(int code)
{
	return code == GS_CODE_CHOOSE || code == GS_CODE_CHECK;
}

static int
compare_double(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a > b) - (a < b);
}

int
plan_compare_sql(gs_type type, gs_value a, gs_value b)
{
	if (is_float(type))
		return compare_double(value_double(type, a), value_double(type, b));
	return (value_int(type, a) > value_int(type, b)) -
		(value_int(type, a) < value_int(type, b));
}

int
plan_compare_total(gs_type type, gs_value a, gs_value b)
{
	int			c = plan_compare_sql(type, a, b);

	if (c == 0 && is_float(type) && value_double(type, a) == 0)
		return !!signbit(value_double(type, b)) -
			!!signbit(value_double(type, a));
	return c;
}

gs_value
plan_canonical(gs_type type, gs_value v, bool zero)
{
	gs_value	r;

	memset(&r, 0, sizeof r);
	if (type == GS_FLOAT8 && isnan(v.f8))
		r.i8 = INT64_C(0x7ff8000000000000);
	else if (type == GS_FLOAT4 && isnan(v.f4))
		r.i4 = 0x7fc00000;
	else if (is_float(type) && zero && value_double(type, v) == 0)
		return r;
	else if (type == GS_FLOAT8 || type == GS_INT8)
		r.i8 = v.i8;
	else if (type == GS_FLOAT4 || type == GS_INT4)
		r.i4 = v.i4;
	else
		r.i2 = v.i2;
	return r;
}

plan_cell
plan_null(void)
{
	plan_cell	cell;

	memset(&cell, 0, sizeof cell);
	cell.null = true;
	return cell;
}

static plan_cell
error_cell(uint32_t errors)
{
	plan_cell	cell = plan_null();

	cell.errors = errors;
	return cell;
}

static plan_cell
bool_cell(bool x)
{
	plan_cell	cell;

	memset(&cell, 0, sizeof cell);
	cell.v.i2 = x;
	return cell;
}

static bool
is_true(plan_cell cell)
{
	return cell.errors == 0 && !cell.null && cell.v.i2;
}

static bool
is_false(plan_cell cell)
{
	return cell.errors == 0 && !cell.null && !cell.v.i2;
}

static plan_cell
integer_cell(gs_type type, __int128 x)
{
	plan_cell	cell;

	memset(&cell, 0, sizeof cell);
	switch (type)
	{
		case GS_INT2:
			cell.v.i2 = (int16_t) x;
			break;
		case GS_INT4:
			cell.v.i4 = (int32_t) x;
			break;
		default:
			cell.v.i8 = (int64_t) x;
	}
	return value_int(type, cell.v) == x ? cell : error_cell(GS_ERROR_RANGE);
}

static plan_cell
integer_arithmetic(int code, gs_type type, __int128 a, __int128 b)
{
	switch (code)
	{
		case GS_CODE_ADD:
			return integer_cell(type, a + b);
		case GS_CODE_SUBTRACT:
			return integer_cell(type, a - b);
		case GS_CODE_MULTIPLY:
			return integer_cell(type, a * b);
		case GS_CODE_DIVIDE:
			return b == 0 ? error_cell(GS_ERROR_DIVISION) :
				integer_cell(type, a / b);
		case GS_CODE_NEGATE:
			return integer_cell(type, -a);
		default:
			return integer_cell(type, a < 0 ? -a : a);
	}
}

/* float4_pl, float4_mi, float4_mul, float4_div and those of float8 */
#define FLOAT_ARITHMETIC(name, type, abs) \
static uint32_t \
name(int code, type a, type b, type *result) \
{ \
	volatile type r = 0; \
\
	switch (code) \
	{ \
		case GS_CODE_ADD: \
			r = a + b; \
			break; \
		case GS_CODE_SUBTRACT: \
			r = a - b; \
			break; \
		case GS_CODE_MULTIPLY: \
			r = a * b; \
			break; \
		case GS_CODE_DIVIDE: \
			if (b == 0 && !isnan(a)) \
				return GS_ERROR_DIVISION; \
			r = a / b; \
			break; \
		case GS_CODE_NEGATE: \
			r = -a; \
			break; \
		default: \
			r = abs(a); \
	} \
	*result = r; \
	if (code == GS_CODE_NEGATE || code == GS_CODE_ABS) \
		return 0; \
	if (isinf(r) && !isinf(a) && (code == GS_CODE_DIVIDE || !isinf(b))) \
		return GS_ERROR_RANGE; \
	if (code == GS_CODE_MULTIPLY && r == 0 && a != 0 && b != 0) \
		return GS_ERROR_RANGE; \
	if (code == GS_CODE_DIVIDE && r == 0 && a != 0 && !isinf(b)) \
		return GS_ERROR_RANGE; \
	return 0; \
}

FLOAT_ARITHMETIC(float4_arithmetic, float, fabsf)
FLOAT_ARITHMETIC(float8_arithmetic, double, fabs)

static plan_cell
arithmetic(int code, gs_type type, gs_value a, gs_value b)
{
	plan_cell	cell = bool_cell(false);
	uint32_t	errors;

	if (!is_float(type))
		return integer_arithmetic(code, type, value_int(type, a),
								  value_int(type, b));
	if (type == GS_FLOAT4)
		errors = float4_arithmetic(code, a.f4, b.f4, &cell.v.f4);
	else
		errors = float8_arithmetic(code, a.f8, b.f8, &cell.v.f8);
	return errors ? error_cell(errors) : cell;
}

static bool
comparison(int code, int c)
{
	switch (code)
	{
		case GS_CODE_LT:
			return c < 0;
		case GS_CODE_LE:
			return c <= 0;
		case GS_CODE_EQ:
			return c == 0;
		case GS_CODE_NE:
			return c != 0;
		case GS_CODE_GE:
			return c >= 0;
		default:
			return c > 0;
	}
}

static plan_cell
cast_from_integer(gs_type to, int64_t x)
{
	plan_cell	cell = bool_cell(false);

	if (to == GS_FLOAT4)
		cell.v.f4 = (float) x;
	else if (to == GS_FLOAT8)
		cell.v.f8 = (double) x;
	else
		cell = integer_cell(to, x);
	return cell;
}

static plan_cell
cast_from_float(gs_type to, double x)
{
	plan_cell	cell = bool_cell(false);

	if (to == GS_FLOAT8)
		cell.v.f8 = x;
	else if (to == GS_FLOAT4)
	{
		cell.v.f4 = (float) x;
		if ((isinf(cell.v.f4) && !isinf(x)) || (cell.v.f4 == 0 && x != 0))
			return error_cell(GS_ERROR_RANGE);
	}
	else
	{
		x = rint(x);
		if (!(x >= -0x1p63 && x < 0x1p63))
			return error_cell(GS_ERROR_RANGE);
		cell = integer_cell(to, (int64_t) x);
	}
	return cell;
}

static plan_cell
in_list(const gs_plan *plan, const gs_instruction *in, plan_cell a)
{
	for (int32_t i = 0; i < in->count; i++)
	{
		if (plan_compare_sql((gs_type) in->type, a.v,
							 plan->list[in->first + i]) == 0)
			return bool_cell(true);
	}
	return in->list_null ? plan_null() : bool_cell(false);
}

/* An entry of a look-up's table; false: it is NULL. */
bool
plan_table_entry(const gs_plan *plan, const gs_instruction *in, int64_t place,
				 gs_value *value)
{
	int64_t		entries = in->on_null >= in->count ? in->on_null + INT64_C(1) :
		in->count;
	const char *bytes = (const char *) (in->first < 0 ?
										plan->table[-1 - in->first].value :
										plan->list + in->first);
	const char *bits = bytes + (entries * in->width + 7) / 8 * 8;
	int64_t		x = 0;

	/* the sign is in the last byte */
	memcpy(&x, bytes + place * in->width, (size_t) in->width);
	x = (int64_t) ((uint64_t) x << (64 - 8 * in->width)) >> (64 - 8 * in->width);
	value->i8 = x;
	if (in->to == GS_BOOL)
		value->i8 = x & 1;
	return !in->list_null || (bits[place / 8] >> place % 8 & 1) == 0;
}

static plan_cell
look_up(const gs_plan *plan, const gs_instruction *in, plan_cell a)
{
	plan_cell	cell = bool_cell(false);
	__int128	place = in->on_null;

	if (a.null && place < 0)
		return plan_null();
	if (!a.null)
		place = (__int128) value_int((gs_type) in->type, a.v) - in->low;
	if (place < 0 || (!a.null && place >= in->count))
		return error_cell(GS_ERROR_LOOKUP);
	if (!plan_table_entry(plan, in, (int64_t) place, &cell.v))
		return plan_null();
	cell.v = plan_canonical((gs_type) in->to, cell.v, false);
	return cell;
}

/* How far a shift goes, as the processor has it. */
static int
shift_count(gs_type type, int64_t b)
{
	return (int) (b & (type == GS_INT8 ? 63 : 31));
}

static plan_cell
integer_function(int code, gs_type type, int64_t a, int64_t b)
{
	__int128	quotient;

	switch (code)
	{
		case GS_CODE_FLOOR_DIVIDE:
		case GS_CODE_MODULO:
			if (b == 0)
				return error_cell(GS_ERROR_DIVISION);
			quotient = (__int128) a / b;
			if (code == GS_CODE_MODULO)
				return integer_cell(type, a - quotient * b);
			return integer_cell(type, quotient * b != a && (a < 0) != (b < 0) ?
								quotient - 1 : quotient);
		case GS_CODE_BIT_AND:
			return integer_cell(type, a & b);
		case GS_CODE_BIT_OR:
			return integer_cell(type, a | b);
		case GS_CODE_BIT_XOR:
			return integer_cell(type, a ^ b);
		case GS_CODE_BIT_NOT:
			return integer_cell(type, -(__int128) a - 1);
		case GS_CODE_SHIFT_RIGHT:
			return integer_cell(type, a >> shift_count(type, b));
		default:
			a = (int64_t) ((uint64_t) a << shift_count(type, b));
			return integer_cell(type, type == GS_INT2 ? (int16_t) a :
								type == GS_INT4 ? (int32_t) a : a);
	}
}

static plan_cell
float_function(int code, double a)
{
	plan_cell	cell = bool_cell(false);

	if (code == GS_CODE_SQRT && a < 0)
		return error_cell(GS_ERROR_RANGE);
	cell.v.f8 = code == GS_CODE_FLOOR ? floor(a) : code == GS_CODE_CEIL ? ceil(a) :
		code == GS_CODE_TRUNC ? trunc(a) : code == GS_CODE_ROUND ? rint(a) : sqrt(a);
	return cell;
}

/* Finite arguments: what test/unit/elementary_test.c tests; else POSIX has it. */
static plan_cell
elementary(int code, double a, double b)
{
	bool		is_power = code == GS_CODE_POWER;
	bool		finite = isfinite(a) && (!is_power || isfinite(b));
	plan_cell	cell = bool_cell(false);
	gs_rounding rounding = GS_ROUNDED;
	double		r = 0;

	gs_elementary_init();
	if (is_power ? (a == 0 && b < 0) || (a < 0 && b == b && b != floor(b)) :
		code != GS_CODE_EXP && a <= 0)
		return error_cell(GS_ERROR_RANGE);
	if (!finite)
	{
		r = is_power ? pow(a, b) : code == GS_CODE_EXP ? exp(a) : log(a);
		cell.v.f8 = isnan(r) ? gs_canonical_nan() : r;
		return cell;
	}
	switch (code)
	{
		case GS_CODE_EXP:
			rounding = gs_exp(a, &r);
			break;
		case GS_CODE_LN:
			r = gs_ln(a);
			break;
		case GS_CODE_LOG10:
			r = gs_log10(a);
			break;
		default:
			rounding = gs_power(a, b, &r);
	}
	if (rounding == GS_OVERFLOW || (!isnormal(r) && r != 0) ||
		(r == 0 && (code == GS_CODE_EXP || (is_power && a != 0))))
		return error_cell(GS_ERROR_RANGE);
	cell.v.f8 = r;
	return cell;
}

static int64_t
floor_quotient(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/*
 * The first day of a month, both counted from January 2000: 365 days a year, and
 * one more for each leap year before.
 */
static int64_t
first_day(int64_t month)
{
	static const int before[] = {
		0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334
	};
	int64_t		year = 2000 + floor_quotient(month, 12);
	int			m = (int) (month - 12 * floor_quotient(month, 12));
	bool		leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	int64_t		last = year - 1;
	int64_t		leaps = floor_quotient(last, 4) - floor_quotient(last, 100) +
		floor_quotient(last, 400) - (1999 / 4 - 1999 / 100 + 1999 / 400);

	return 365 * (year - 2000) + leaps + before[m] + (m > 1 && leap);
}

static plan_cell
calendar(int code, int32_t a)
{
	int64_t		month = (int64_t) (a / 30.436875);

	if (code == GS_CODE_MONTH_START)
		return integer_cell(GS_INT4, first_day(a));
	while (first_day(month) > a)
		month--;
	while (first_day(month + 1) <= a)
		month++;
	return integer_cell(GS_INT4, month);
}

static plan_cell
search(const gs_plan *plan, const gs_instruction *in, plan_cell a)
{
	int32_t		n = 0;

	while (n < in->count && plan_compare_sql((gs_type) in->type,
											 plan->list[in->first + n], a.v) <= 0)
		n++;
	return integer_cell(GS_INT4, n);
}

/* The bytes of an index may be anything. */
static plan_cell
find(const gs_plan *plan, const gs_instruction *in, plan_cell a)
{
	const char *index = in->first < 0 ?
		(const char *) plan->table[-1 - in->first].value :
		(const char *) (plan->list + in->first);
	const size_t numbers = (((size_t) 1 << in->width) + 2) / 2 * 8;
	const int64_t wanted = value_int((gs_type) in->type, a.v);
	const unsigned __int128 product = (unsigned __int128)
		((uint64_t) wanted * (uint64_t) in->low) << in->width;
	int32_t		range[2];

	memcpy(range, index + (size_t) (product >> 64) * sizeof(int32_t), sizeof range);
	if (range[0] < 0 || range[1] > in->count ||
		(int64_t) range[1] - range[0] > 32)
		range[1] = range[0];
	for (int32_t i = range[0]; i < range[1]; i++)
	{
		if (memcmp(index + numbers + (size_t) i * 8, &wanted, 8) == 0)
			return integer_cell(GS_INT4, i + 1);
	}
	return integer_cell(GS_INT4, 0);
}

static plan_cell
check(gs_type type, plan_cell a, plan_cell b, plan_cell c)
{
	if (a.errors | b.errors | c.errors)
		return error_cell(a.errors | b.errors | c.errors);
	if (a.null || b.null || c.null)
		return plan_null();
	return plan_compare_sql(type, b.v, a.v) <= 0 &&
		plan_compare_sql(type, a.v, c.v) <= 0 ? a : error_cell(GS_ERROR_RANGE);
}

static plan_cell
logic(int code, plan_cell a, plan_cell b)
{
	if (code == GS_CODE_AND && (is_false(a) || is_false(b)))
		return bool_cell(false);
	if (code == GS_CODE_OR && (is_true(a) || is_true(b)))
		return bool_cell(true);
	if (a.errors | b.errors)
		return error_cell(a.errors | b.errors);
	if (a.null || b.null)
		return plan_null();
	return bool_cell(code == GS_CODE_AND);
}

static plan_cell
extreme(int code, gs_type type, plan_cell a, plan_cell b)
{
	int			c;

	if (a.errors | b.errors)
		return error_cell(a.errors | b.errors);
	if (a.null || b.null)
		return a.null ? b : a;
	c = plan_compare_sql(type, a.v, b.v);
	return (code == GS_CODE_LEAST ? c <= 0 : c >= 0) ? a : b;
}

plan_cell
plan_compute(const gs_plan *plan, const gs_instruction *in, plan_cell a,
			 plan_cell b, plan_cell c)
{
	gs_type		type = (gs_type) in->type;
	int			code = in->code;

	if (code == GS_CODE_AND || code == GS_CODE_OR)
		return logic(code, a, b);
	if (code == GS_CODE_LEAST || code == GS_CODE_GREATEST)
		return extreme(code, type, a, b);
	if (code == GS_CODE_CHOOSE)
		return a.errors ? a : is_true(a) ? b : c;
	if (code == GS_CODE_CHECK)
		return check(type, a, b, c);
	if (!plan_reads_b(code))
		b = bool_cell(false);
	if (a.errors | b.errors)
		return error_cell(a.errors | b.errors);
	if (code == GS_CODE_IS_NULL)
		return bool_cell(a.null);
	if (code == GS_CODE_LOOKUP)
		return look_up(plan, in, a);
	if (a.null || b.null)
		return plan_null();
	if (code <= GS_CODE_ABS)
		return arithmetic(code, type, a.v, b.v);
	if (code <= GS_CODE_GT)
		return bool_cell(comparison(code, plan_compare_sql(type, a.v, b.v)));
	if (code == GS_CODE_NOT)
		return bool_cell(!a.v.i2);
	if (code == GS_CODE_IN)
		return in_list(plan, in, a);
	if (code == GS_CODE_SEARCH)
		return search(plan, in, a);
	if (code == GS_CODE_FIND)
		return find(plan, in, a);
	if (code == GS_CODE_MONTH || code == GS_CODE_MONTH_START)
		return calendar(code, a.v.i4);
	if (code >= GS_CODE_FLOOR && code <= GS_CODE_SQRT)
		return float_function(code, a.v.f8);
	if (code >= GS_CODE_EXP)
		return elementary(code, a.v.f8, b.v.f8);
	if (code >= GS_CODE_FLOOR_DIVIDE && code <= GS_CODE_BIT_NOT)
		return integer_function(code, type, value_int(type, a.v),
								value_int(type, b.v));
	if (is_float(type))
		return cast_from_float((gs_type) in->to, value_double(type, a.v));
	return cast_from_integer((gs_type) in->to, value_int(type, a.v));
}

plan_cell
plan_column_cell(const plan_case *c, int column, int64_t row)
{
	plan_cell	cell = bool_cell(false);

	if (c->null[column][row])
		return plan_null();
	cell.v = c->value[column][row];
	return cell;
}

plan_cell
plan_constant_cell(const gs_plan *plan, int constant)
{
	plan_cell	cell = bool_cell(false);

	if (plan->constant[constant].null)
		return plan_null();
	cell.v = plan->constant[constant].value;
	return cell;
}

plan_cell
plan_operand_cell(const plan_case *c, int64_t row, const plan_cell *result,
				  gs_operand operand)
{
	if (operand == GS_NOTHING)
		return bool_cell(true);
	if (operand < 0x1000)
		return plan_column_cell(c, operand, row);
	if (operand < 0x2000)
		return plan_constant_cell(&c->plan, operand - 0x1000);
	return result[operand - 0x2000];
}

void
plan_compute_row(const plan_case *c, int64_t row, plan_cell *result)
{
	for (int i = 0; i < c->plan.instructions; i++)
	{
		const gs_instruction *in = &c->plan.code[i];
		bool		two = plan_reads_b(in->code);
		bool		three = plan_reads_c(in->code);

		result[i] = plan_compute(&c->plan, in,
								 plan_operand_cell(c, row, result, in->a),
								 plan_operand_cell(c, row, result,
												   two ? in->b : GS_NOTHING),
								 plan_operand_cell(c, row, result,
												   three ? in->c : GS_NOTHING));
	}
}
