/*-------------------------------------------------------------------------
 *
 * plan_table.c
 *	  Every instruction on all pairs of values that are special for its type.
 *
 * A plan's rows are the pairs, each a group of its own.  One run has all rows
 * that give no error; of the others some run alone.  Where an operand can be
 * an error itself, it is the quotient of a pair.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/index.h"
#include "test/common/compare.h"
#include "test/common/random.h"

/* Rows with an error that are tried for each instruction. */
#define ERRORS_TRIED	12

static const double numbers[] = {
	0.0, -0.0, 1, -1, 2, -3, 0.5, -0.5, 1.5, 2.5, -2.5, 7, 100, 32767, 32767.5,
	32768, -32768, -32768.5, -32769, 2147483647, 2147483647.5, 2147483648.0,
	-2147483648.0, -2147483648.5, -2147483649.0, 9007199254740993.0, 0x1p62,
	-0x1p62, 0x1p63, -0x1p63, 1e-30, -1e30, 1e-200, 1e200, 3.4e38, 5e-324,
	-1e-45, 1.7976931348623157e308, INFINITY, -INFINITY, NAN
};

#define NUMBERS		((int) (sizeof numbers / sizeof *numbers))

/* The special values of a type, ascending; the number of them. */
static int
specials_of(gs_type type, gs_value *v)
{
	int			n = 0;

	for (int i = 0; i < NUMBERS + 4; i++)
	{
		double		x = i < NUMBERS ? numbers[i] : 0;
		gs_value	value = plan_null().v;
		int			at = 0;

		if (type == GS_FLOAT8)
			value.f8 = x;
		else if (type == GS_FLOAT4)
			value.f4 = (float) x;
		else if (type == GS_BOOL)
			value.i2 = i % 2;
		else if (i >= NUMBERS || (fabs(x) < 0x1p62 && x == rint(x)))
		{
			/* and the limits */
			int64_t		k = i < NUMBERS ? (int64_t) x : i % 2 ? INT64_MIN +
				i / 2 % 2 : INT64_MAX - i / 2 % 2;

			if (i >= NUMBERS && type == GS_INT4)
				k = k < 0 ? INT32_MIN + (k & 1) : INT32_MAX - (~k & 1);
			value.i8 = k;
			if (type == GS_INT2)
				value.i2 = (int16_t) k;
			else if (type == GS_INT4)
				value.i4 = (int32_t) k;
		}
		value = plan_canonical(type, value, false);
		while (at < n && plan_compare_total(type, v[at], value) < 0)
			at++;
		if (at < n && plan_compare_total(type, v[at], value) == 0)
			continue;
		memmove(&v[at + 1], &v[at], sizeof *v * (n - at));
		v[at] = value;
		n++;
	}
	return n;
}

/* Columns: the row's number, a, b, and a boolean that is true or false. */
static plan_case *
new_case(gs_type type)
{
	plan_case  *c = calloc(1, sizeof *c);
	gs_value	v[NUMBERS + 4];
	int			n = specials_of(type, v);

	c->column[0] = GS_INT4;
	c->column[1] = c->column[2] = type;
	c->column[3] = GS_BOOL;
	c->plan.columns = 4;
	c->plan.column = c->column;
	c->plan.code = c->code;
	c->plan.constant = c->constant;
	c->plan.key = c->key;
	c->plan.aggregate = c->aggregate;
	c->plan.filter = GS_NOTHING;
	c->plan.keys = 1;
	c->rows = (n + 1) * (n + 1);
	c->counts = calloc(c->rows, 1);
	for (int i = 0; i < 4; i++)
	{
		c->value[i] = calloc(c->rows, sizeof(gs_value));
		c->null[i] = calloc(c->rows, 1);
	}
	for (int i = 0; i < c->rows; i++)
	{
		int			a = i / (n + 1);
		int			b = i % (n + 1);

		c->value[0][i].i4 = i;
		c->null[1][i] = a == n;
		c->null[2][i] = b == n;
		if (a < n)
			c->value[1][i] = v[a];
		if (b < n)
			c->value[2][i] = v[b];
		c->value[3][i].i2 = (a + b) % 2;
		c->null[3][i] = (a + b) % 7 == 0;
	}
	c->list = calloc(n + 1, sizeof *c->list);
	c->list_capacity = n + 1;
	c->plan.list = c->list;
	for (int i = 0; i < n; i++)
	{
		/* every other one, and not both zeros */
		if (i % 2 == 0 && (i == 0 ||
						   plan_compare_sql(type, v[i - 1], v[i]) != 0))
			c->list[c->plan.list_length++] = v[i];
	}
	return c;
}

/* The list as a table, from the least value, around 0, or beyond the greatest. */
static void
set_table(plan_case *c, gs_instruction *in, gs_type form)
{
	int			n = c->plan.list_length;
	gs_value   *value = malloc((size_t) n * sizeof *value);
	bool	   *null = calloc((size_t) n, sizeof *null);

	memcpy(value, c->list, (size_t) n * sizeof *value);
	null[2 % n] = true;
	in->low = form == GS_INT4 ? -2 : form == GS_INT8 ? INT64_MAX - 2 :
		value_int((gs_type) in->type, c->list[0]);
	in->to = in->type;
	in->on_null = form == GS_INT4 ? 1 : -1;
	plan_add_table(c, in, value, null, n);
	free(value);
	free(null);
}

/* The list as an index. */
static void
set_index(plan_case *c, gs_instruction *in)
{
	int32_t		n = c->plan.list_length;
	int64_t		number[NUMBERS + 4];
	int32_t		row[NUMBERS + 4];
	uint64_t	factor;

	for (int32_t i = 0; i < n; i++)
		number[i] = value_int((gs_type) in->type, c->list[i]);
	free(c->list);
	c->list_capacity = (int32_t) gs_index_size(n);
	c->list = calloc((size_t) c->list_capacity, sizeof *c->list);
	in->count = gs_index_make(number, n, c->list, row, &factor);
	in->width = (int16_t) gs_index_bits(n);
	in->low = (int64_t) factor;
	c->plan.list = c->list;
	c->plan.list_length = c->list_capacity;
}

static gs_operand
add(plan_case *c, gs_code code, gs_type type, gs_operand x, gs_operand y,
	gs_operand z)
{
	gs_instruction *in = &c->code[c->plan.instructions];

	memset(in, 0, sizeof *in);
	in->code = code;
	in->type = type;
	in->a = x;
	in->b = y;
	in->c = z;
	return GS_RESULT(c->plan.instructions++);
}

/* Run the case; its last instruction's result is seen in each row's group. */
static bool
try_result(const plan_target *target, plan_case *c, plan_check check,
		   plan_tally *tally)
{
	gs_operand	result = GS_RESULT(c->plan.instructions - 1);
	plan_cell	cell[8];
	bool		error[(NUMBERS + 5) * (NUMBERS + 5)];
	int64_t		errors = 0;
	bool		good;

	c->key[0] = GS_COLUMN(0);
	c->aggregate[0] = (gs_aggregate)
	{
		.kind = GS_AGG_COUNT, .a = result,
			.b = GS_NOTHING, .filter = GS_NOTHING
	};
	c->aggregate[1] = c->aggregate[0];
	c->aggregate[1].kind = plan_type(&c->plan, result) == GS_BOOL ?
		GS_AGG_BIT_OR : GS_AGG_MIN;
	c->plan.aggregates = 2;
	for (int64_t i = 0; i < c->rows; i++)
	{
		plan_compute_row(c, i, cell);
		error[i] = cell[c->plan.instructions - 1].errors != 0;
		c->counts[i] = !error[i];
		errors += error[i];
	}
	good = check(target, c, tally);
	memset(c->counts, 0, c->rows);
	for (int i = 0; i < ERRORS_TRIED && errors > 0; i++)
	{
		int64_t		row = random_below(c->rows);

		while (!error[row])
			row = (row + 1) % c->rows;
		c->counts[row] = true;
		good &= check(target, c, tally);
		c->counts[row] = false;
	}
	return good;
}

/*
 * Ways to try an instruction: which operand can be an error, 0: none; then, where
 * constants have loops of their own, with one, and one and an error.
 */
#define BY_CONSTANT		3
#define ERROR_BY_CONSTANT	4

static int
ways_to_try(gs_code code, gs_type type)
{
	if (type == GS_BOOL)
		return 1;
	if (code == GS_CODE_LEAST || code == GS_CODE_GREATEST)
		return ERROR_BY_CONSTANT + 1;
	return type == GS_INT8 &&
		(code == GS_CODE_FLOOR_DIVIDE || code == GS_CODE_MODULO) ?
		BY_CONSTANT + 1 : BY_CONSTANT;
}

static bool
try_code(const plan_target *target, gs_code code, gs_type type, gs_type to,
		 int errors, plan_check check, plan_tally *tally)
{
	plan_case  *c = new_case(type);
	gs_operand	a = GS_COLUMN(1);
	gs_operand	b = GS_COLUMN(2);
	gs_instruction *in;
	bool		good;

	if (errors >= BY_CONSTANT)
	{
		if (errors == ERROR_BY_CONSTANT)
			a = add(c, GS_CODE_DIVIDE, type, a, b, 0);
		c->constant[c->plan.constants] = (gs_constant) {.type = type, .value.i8 = 9};
		b = GS_CONSTANT(c->plan.constants++);
	}
	else if (errors > 0 && type != GS_BOOL)
	{
		gs_operand	quotient = add(c, GS_CODE_DIVIDE, type, a, b, 0);

		if (errors == 1)
			a = quotient;
		else
			b = quotient;
	}
	if (code == GS_CODE_CHOOSE)
	{
		gs_operand	test = GS_COLUMN(3);

		if (errors == 1 && type != GS_BOOL)
			test = add(c, GS_CODE_GT, type, a, b, 0);
		add(c, code, type, test, GS_COLUMN(1), b);
	}
	else if (code == GS_CODE_CHECK)
		add(c, code, type, a, b, GS_COLUMN(1));
	else if (type != GS_BOOL && (code == GS_CODE_AND || code == GS_CODE_OR))
	{
		gs_operand	x = add(c, GS_CODE_GT, type, a, GS_COLUMN(1), 0);
		gs_operand	y = add(c, GS_CODE_LE, type, b, GS_COLUMN(2), 0);

		add(c, code, GS_BOOL, x, y, 0);
	}
	else
		add(c, code, type, a, b, 0);
	in = &c->code[c->plan.instructions - 1];
	in->to = to;
	if (code == GS_CODE_IN || code == GS_CODE_SEARCH)
		in->count = c->plan.list_length;
	if (code == GS_CODE_IN)
		in->list_null = to == GS_BOOL;
	if (code == GS_CODE_LOOKUP)
		set_table(c, in, to);
	if (code == GS_CODE_FIND)
		set_index(c, in);
	good = gs_plan_check(&c->plan) == GS_OK &&
		try_result(target, c, check, tally);
	plan_case_free(c);
	return good;
}

/* Has the instruction this type, for a result of that one? */
static bool
exists(gs_code code, gs_type type, gs_type to)
{
	bool		integer = type >= GS_INT2 && type <= GS_INT8;

	if (code == GS_CODE_CAST)
		return type != GS_BOOL && to != GS_BOOL;
	if (code == GS_CODE_IN)
		return to <= GS_INT2;
	if (code == GS_CODE_LOOKUP)
		return integer && to >= GS_INT2 && to <= GS_INT8;
	if (to != GS_BOOL)
		return false;
	if (code == GS_CODE_MONTH || code == GS_CODE_MONTH_START)
		return type == GS_INT4;
	if ((code >= GS_CODE_FLOOR && code <= GS_CODE_SQRT) || code >= GS_CODE_EXP)
		return type == GS_FLOAT8;
	if (code >= GS_CODE_FLOOR_DIVIDE && code <= GS_CODE_BIT_NOT)
		return integer;
	if (code == GS_CODE_FIND)
		return integer;
	if (code <= GS_CODE_ABS || code >= GS_CODE_CHECK)
		return type != GS_BOOL;
	if (code == GS_CODE_NOT)
		return type == GS_BOOL;
	return true;
}

bool
plan_try_table(const plan_target *target, plan_check check, plan_tally *tally)
{
	bool		good = true;

	for (int code = 1; code < GS_CODES; code++)
	{
		for (int type = GS_BOOL; type < GS_TYPES; type++)
		{
			for (int to = GS_BOOL; to < GS_TYPES; to++)
			{
				for (int errors = 0; errors < ways_to_try((gs_code) code, (gs_type) type) &&
					 exists((gs_code) code, (gs_type) type, (gs_type) to);
					 errors++)
					good &= try_code(target, (gs_code) code, (gs_type) type,
									 (gs_type) to, errors, check, tally);
			}
		}
	}
	return good;
}
