/*-------------------------------------------------------------------------
 *
 * plan_program.c
 *	  Random instructions; see plan_random.h.
 *
 * An instruction is added with operands that exist, computed for all rows, and
 * kept if that gives no error (now and then, if it does).  A division by what
 * may be 0 comes with an instruction that hides its errors, or with a
 * comparison that can be the filter.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_builder.h"

#include <stdlib.h>
#include <string.h>

#include "engine/index.h"
#include "test/common/compare.h"
#include "test/common/random.h"

/*
 * Add an instruction, if there is room for it and it gives no error, or errors
 * are welcome.  Its result, or GS_NOTHING.
 */
static gs_operand
add(plan_builder *b, gs_instruction in, bool errors)
{
	plan_case  *c = b->c;
	int			at = c->plan.instructions;
	plan_cell  *cell;
	bool		bad = false;

	if (at >= GS_PLAN_CODE || (b->entries + 1) * c->rows > MAX_CELLS)
		return GS_NOTHING;
	cell = plan_new_cells(b);
	for (int64_t row = 0; row < c->rows; row++)
	{
		cell[row] = plan_compute(&c->plan, &in, plan_cell_of(b, in.a, row),
								 plan_cell_of(b, in.b, row),
								 plan_cell_of(b, in.c, row));
		bad |= cell[row].errors != 0;
	}
	if (bad && !errors)
	{
		free(cell);
		return GS_NOTHING;
	}
	c->code[at] = in;
	c->plan.instructions++;
	plan_add_entry(b, GS_RESULT(at), cell);
	return GS_RESULT(at);
}

static gs_operand
add3(plan_builder *b, gs_code code, gs_type type, gs_operand x, gs_operand y,
	 gs_operand z)
{
	gs_instruction in = {.code = code, .type = type, .a = x, .b = y, .c = z};

	return add(b, in, one_in(3));
}

/* Room for n more values. */
static gs_value *
extend_list(plan_case *c, int64_t n)
{
	if (c->plan.list_length + n > c->list_capacity)
	{
		c->list_capacity = 2 * c->list_capacity + n + 16;
		c->list = realloc(c->list, sizeof *c->list * c->list_capacity);
		c->plan.list = c->list;
	}
	return c->list + c->plan.list_length;
}

static int64_t
add_to_list(plan_case *c, gs_value v)
{
	*extend_list(c, 1) = v;
	return c->plan.list_length++;
}

/* Do so many bytes, extended, give the value? */
static bool
fits(gs_type type, gs_value v, int width)
{
	int64_t		x = type == GS_BOOL ? v.i2 : value_int(type, v);

	if (type == GS_FLOAT4 || type == GS_FLOAT8)
		return width >= (int) gs_type_width(type);
	return width == 8 || (x >= -(INT64_C(1) << (8 * width - 1)) &&
						  x < INT64_C(1) << (8 * width - 1));
}

static int16_t
pick_width(gs_type type, const gs_value *value, const bool *null, int64_t n)
{
	int			width = one_in(2) ? 1 : 1 << random_below(4);

	for (int64_t i = 0; i < n; i++)
	{
		while (!null[i] && !fits(type, value[i], width))
			width *= 2;
	}
	if (type == GS_FLOAT4 || type == GS_FLOAT8)
		while (width < (int) gs_type_width(type))
			width *= 2;
	return (int16_t) width;
}

/* Room for a table of so many values, in the list or beside it. */
static char *
make_table(plan_case *c, gs_instruction *in, int64_t size)
{
	gs_plan_table *table = &c->table[c->plan.tables];
	char	   *bytes;

	if (size == 0 || c->only_list || c->plan.tables == GS_PLAN_TABLES || one_in(2))
	{
		bytes = (char *) extend_list(c, size);
		in->first = c->plan.list_length;
		c->plan.list_length += (int32_t) size;
		return bytes;
	}
	in->first = GS_TABLE(c->plan.tables++);
	bytes = malloc((size_t) size * sizeof(gs_value));
	*table = (gs_plan_table) {
		.number = one_in(4) ? 0 : random_bits(),
		.size = size,
		.value = (gs_value *) bytes
	};
	c->plan.table = c->table;
	return bytes;
}

void
plan_add_table(plan_case *c, gs_instruction *in, const gs_value *value,
			   const bool *null, int64_t n)
{
	gs_type		type = (gs_type) in->to;
	int64_t		entries = in->on_null >= n ? in->on_null + INT64_C(1) : n;
	int64_t		size;
	char	   *bytes;
	char	   *bits;

	in->count = (int32_t) n;
	in->width = pick_width(type, value, null, n);
	in->list_null = one_in(4);
	for (int64_t i = 0; i < n; i++)
		in->list_null |= null[i];
	size = (entries * in->width + 7) / 8;
	bytes = make_table(c, in, size +
					   (in->list_null ? (entries + 63) / 64 : 0));
	bits = bytes + 8 * size;
	if (in->list_null)
		size += (entries + 63) / 64;
	for (char *at = bytes; at < bytes + 8 * size; at++)
		*at = (char) random_bits();
	for (int64_t i = 0; i < n; i++)
	{
		gs_value	v = value[i];

		/* what is cut may be anything */
		if (type == GS_BOOL)
			v.i8 = (v.i2 & 1) | (int64_t) (random_bits() << 1);
		else if (type == GS_INT2 && in->width > 2)
			v.i8 = v.i2 & 0xFFFF;
		if (!null[i])
			memcpy(bytes + i * in->width, &v, (size_t) in->width);
		if (in->list_null)
			bits[i / 8] = (char) ((bits[i / 8] & ~(1 << i % 8)) |
								  null[i] << i % 8);
	}
}

/* IN, SEARCH: the list is kept in order while it grows. */
static void
add_in(plan_builder *b)
{
	plan_case  *c = b->c;
	bool		searches = one_in(3);
	gs_type		type = plan_pick_type(b, searches);
	plan_entry *e = plan_pick(b, type, false);
	gs_instruction in = {.code = searches ? GS_CODE_SEARCH : GS_CODE_IN,
	.type = type};
	int64_t		wanted = random_below(one_in(10) ? 500 : 8);

	if (e == NULL)
		return;
	in.a = e->operand;
	in.list_null = !searches && one_in(4);
	in.first = c->plan.list_length;
	for (int64_t i = 0; i < wanted; i++)
	{
		gs_value	v = plan_likely_value(b, type, e);
		int64_t		at = in.first;

		while (at < c->plan.list_length &&
			   plan_compare_sql(type, c->list[at], v) < 0)
			at++;
		if (at < c->plan.list_length &&
			plan_compare_sql(type, c->list[at], v) == 0)
			continue;
		add_to_list(c, v);
		memmove(&c->list[at + 1], &c->list[at],
				sizeof v * (c->plan.list_length - 1 - at));
		c->list[at] = v;
	}
	in.count = c->plan.list_length - in.first;
	add(b, in, false);
}

static void
add_look_up(plan_builder *b)
{
	plan_case  *c = b->c;
	gs_type		type = (gs_type) (GS_INT2 + random_below(3));
	plan_entry *e = plan_pick(b, type, false);
	gs_instruction in = {.code = GS_CODE_LOOKUP};
	int64_t		low = INT64_MAX;
	int64_t		high = INT64_MIN;
	int64_t		size;
	gs_value   *value;
	bool	   *null;

	if (e == NULL)
		return;
	for (int64_t i = 0; i < c->rows; i++)
	{
		int64_t		x = value_int(e->type, e->cell[i].v);

		if (e->cell[i].null)
			continue;
		low = x < low ? x : low;
		high = x > high ? x : high;
	}
	if (low > high || (uint64_t) high - (uint64_t) low > 3000)
		low = high = value_int(e->type, plan_random_value(e->type));
	in.type = e->type;
	in.to = plan_pick_type(b, false);
	in.a = e->operand;
	in.low = low - (low > INT64_MIN + 10 ? random_below(3) : 0);
	size = (int64_t) ((uint64_t) high - (uint64_t) in.low) + 1;
	size += random_below(3);
	value = calloc((size_t) size, sizeof *value);
	null = calloc((size_t) size, sizeof *null);
	for (int64_t i = 0; i < size; i++)
	{
		value[i] = plan_random_value(in.to);
		null[i] = one_in(6);
	}
	in.on_null = (int32_t) (one_in(2) ? -1 : random_below(size + 1));
	plan_add_table(c, &in, value, null, size);
	free(value);
	free(null);
	add(b, in, one_in(3));
}

static gs_value
integer_value(gs_type type, int64_t x)
{
	gs_value	v = {0};

	if (type == GS_INT8)
		v.i8 = x;
	else if (type == GS_INT4)
		v.i4 = (int32_t) x;
	else
		v.i2 = (int16_t) x;
	return v;
}

/* Of numbers that rows have, and of others; *found: how many there are. */
static gs_operand
add_find(plan_builder *b, gs_type type, gs_operand a, int32_t *found)
{
	plan_case  *c = b->c;
	gs_instruction in = {.code = GS_CODE_FIND, .type = type, .a = a};
	int32_t		n = (int32_t) random_below(one_in(5) ? 3000 : 20);
	int64_t		number[3000];
	int32_t		row[3000];
	gs_value   *index;
	int64_t		size;
	uint64_t	factor;

	for (int32_t i = 0; i < n; i++)
		number[i] = c->rows > 0 && one_in(2) ?
			value_int(type, plan_cell_of(b, a, random_below(c->rows)).v) :
			value_int(type, plan_random_value(type));
	index = malloc((size_t) gs_index_size(n) * sizeof *index);
	in.width = (int16_t) gs_index_bits(n);
	in.count = gs_index_make(number, n, index, row, &factor);
	in.low = (int64_t) factor;
	if (in.count < 0)
		abort();
	size = gs_index_starts(in.width) + in.count;
	memcpy(make_table(c, &in, size), index, (size_t) size * sizeof *index);
	free(index);
	*found = in.count;
	return add(b, in, false);
}

/* Integers or flags, which are mostly false, of numbers from `low` on. */
static gs_operand
add_table(plan_builder *b, gs_type type, gs_operand a, int64_t low, int64_t size,
		  gs_type to, int64_t values)
{
	gs_instruction in = {.code = GS_CODE_LOOKUP, .type = type, .to = to, .a = a,
	.low = low};
	gs_value   *value = calloc((size_t) size, sizeof *value);
	bool	   *null = calloc((size_t) size, sizeof *null);

	for (int64_t i = 0; i < size; i++)
	{
		value[i] = integer_value(to == GS_BOOL ? GS_INT2 : to,
								 one_in(3) ? random_below(values) : 0);
		null[i] = one_in(20);
	}
	in.on_null = (int32_t) (one_in(2) ? -1 : random_below(size + 1));
	plan_add_table(b->c, &in, value, null, size);
	free(value);
	free(null);
	return add(b, in, one_in(2));
}

static gs_operand
add_limit(plan_builder *b, gs_code code, gs_type type, gs_operand a, int64_t limit)
{
	return a == GS_NOTHING || one_in(5) ? a :
		add3(b, code, type, a,
			 plan_add_constant(b, type, integer_value(type, limit), false), 0);
}

/*
 * As a join has it: a flag by a number within limits, or by what that has in a table
 * or in an index.
 */
static gs_operand
add_probe(plan_builder *b)
{
	plan_case  *c = b->c;
	plan_entry *e = plan_pick(b, (gs_type) (GS_INT2 + random_below(3)), false);
	gs_type		type;
	int64_t		size = 1 + random_below(one_in(3) ? 300 : 20);
	int64_t		low;
	int32_t		found;
	gs_operand	a;

	if (e == NULL || c->rows == 0)
		return GS_NOTHING;
	type = e->type;
	a = e->operand;
	if (one_in(4))
	{
		a = add_find(b, type, a, &found);
		a = add_limit(b, GS_CODE_GREATEST, GS_INT4, a, -random_below(2));
		return a == GS_NOTHING ? a :
			add_table(b, GS_INT4, a, 0, found + 1, GS_BOOL, 2);
	}
	low = value_int(type, e->cell[random_below(c->rows)].v);
	if (low < INT16_MIN + 1000 || low > INT16_MAX - 1000)
		low = random_below(100);
	low -= random_below(size);
	a = add_limit(b, GS_CODE_LEAST, type, a, low + size - 1);
	a = add_limit(b, GS_CODE_GREATEST, type, a, low);
	if (a == GS_NOTHING)
		return a;
	low -= random_below(2);
	size += 2;
	if (one_in(2))
		return add_table(b, type, a, low, size, GS_BOOL, 2);
	a = add_table(b, type, a, low, size, GS_INT4, size);
	return a == GS_NOTHING ? a : add_table(b, GS_INT4, a, 0, size, GS_BOOL, 2);
}

gs_operand
plan_add_conditions(plan_builder *b)
{
	gs_operand	all = GS_NOTHING;

	for (int n = 2 + (int) random_below(3); n > 0; n--)
	{
		gs_type		type = plan_pick_type(b, true);
		gs_operand	one = one_in(2) ? add_probe(b) : one_in(3) ?
			plan_pick_operand(b, GS_BOOL, true) :
			add3(b, (gs_code) (GS_CODE_LT + random_below(6)), type,
				 plan_pick_operand(b, type, false),
				 plan_add_constant(b, type, plan_random_value(type), false), 0);

		if (one == GS_NOTHING)
			continue;
		all = all == GS_NOTHING ? one :
			add(b, (gs_instruction) {.code = GS_CODE_AND, .type = GS_BOOL,
				.a = all, .b = one}, true);
		if (all == GS_NOTHING)
			break;
	}
	return all;
}

static void
add_find_any(plan_builder *b)
{
	plan_entry *e = plan_pick(b, (gs_type) (GS_INT2 + random_below(3)), false);
	int32_t		found;

	if (e != NULL)
		add_find(b, e->type, e->operand, &found);
}

static void
add_cast(plan_builder *b)
{
	gs_type		type = plan_pick_type(b, true);
	gs_instruction in = {.code = GS_CODE_CAST, .type = type};

	in.to = (uint8_t) (GS_INT2 + random_below(5));
	in.a = plan_pick_operand(b, type, false);
	add(b, in, one_in(3));
}

/* CASE, COALESCE, NULLIF, BETWEEN */
static void
add_shape(plan_builder *b)
{
	gs_type		type = plan_pick_type(b, false);
	gs_operand	x = plan_pick_operand(b, type, false);
	gs_operand	y = plan_pick_operand(b, type, false);
	gs_operand	test;

	switch (random_below(4))
	{
		case 0:
			test = add3(b, GS_CODE_IS_NULL, type, x, 0, 0);
			if (test != GS_NOTHING)
				add3(b, GS_CODE_CHOOSE, type, test, y, x);
			break;
		case 1:
			test = add3(b, GS_CODE_EQ, type, x, y, 0);
			if (test != GS_NOTHING)
				add3(b, GS_CODE_CHOOSE, type, test,
					 plan_add_constant(b, type, plan_null().v, true), x);
			break;
		case 2:
			test = add3(b, GS_CODE_GE, type, x, y, 0);
			y = plan_pick_operand(b, type, false);
			y = add3(b, GS_CODE_LE, type, x, y, 0);
			if (test != GS_NOTHING && y != GS_NOTHING)
				add3(b, GS_CODE_AND, GS_BOOL, test, y, 0);
			break;
		default:
			test = plan_pick_operand(b, GS_BOOL, false);
			add3(b, GS_CODE_CHOOSE, type, test, x, y);
	}
}

/* A division by what may be 0, and what keeps its errors from counting. */
static void
add_guarded(plan_builder *b)
{
	gs_type		type = plan_pick_type(b, true);
	gs_operand	zero = plan_add_constant(b, type, plan_null().v, false);
	gs_operand	x = plan_pick_operand(b, type, true);
	gs_operand	y = plan_pick_operand(b, type, true);
	bool		equal = one_in(2);
	gs_instruction divide = {.code = GS_CODE_DIVIDE, .type = type, .a = x,
	.b = y};
	gs_instruction test = divide;
	gs_operand	is_zero;
	gs_operand	quotient;

	test.code = equal ? GS_CODE_EQ : GS_CODE_NE;
	test.a = y;
	test.b = zero;
	is_zero = add(b, test, true);
	quotient = add(b, divide, true);
	if (is_zero == GS_NOTHING || quotient == GS_NOTHING)
		return;
	if (!equal && one_in(2))
	{
		b->quotient = quotient;
		b->not_zero = is_zero;
	}
	else if (one_in(2))
	{
		gs_operand	other = plan_pick_operand(b, type, false);

		add3(b, GS_CODE_CHOOSE, type, is_zero, equal ? other : quotient,
			 equal ? quotient : other);
	}
	else
	{
		test.code = GS_CODE_GT;
		test.a = quotient;
		test.b = plan_pick_operand(b, type, false);
		quotient = add(b, test, true);
		if (quotient != GS_NOTHING)
			add3(b, equal ? GS_CODE_OR : GS_CODE_AND, GS_BOOL, is_zero,
				 quotient, 0);
	}
}

/* One of integers, of doubles, of days or months, or one that checks. */
static void
add_function(plan_builder *b)
{
	gs_type		type = (gs_type) (GS_INT2 + random_below(3));
	gs_code		code;

	switch (random_below(5))
	{
		case 0:
			code = (gs_code) (GS_CODE_FLOOR + random_below(5));
			type = GS_FLOAT8;
			break;
		case 4:
			code = (gs_code) (GS_CODE_EXP + random_below(4));
			type = GS_FLOAT8;
			break;
		case 1:
			code = (gs_code) (GS_CODE_MONTH + random_below(2));
			type = GS_INT4;
			break;
		case 2:
			code = GS_CODE_CHECK;
			type = plan_pick_type(b, true);
			break;
		default:
			code = (gs_code) (GS_CODE_FLOOR_DIVIDE + random_below(8));
	}
	add3(b, code, type, plan_pick_operand(b, type, false),
		 one_in(2) ? plan_add_constant(b, type, plan_random_value(type), false) :
		 plan_pick_operand(b, type, false), plan_pick_operand(b, type, false));
}

void
plan_add_instruction(plan_builder *b)
{
	int			kind = (int) random_below(14);
	gs_type		type = plan_pick_type(b, kind < 4);
	bool		errors = kind == 5 && one_in(2);
	gs_code		code;

	switch (kind)
	{
		case 0:
		case 1:
		case 2:
		case 3:
			code = (gs_code) (GS_CODE_ADD + random_below(6));
			break;
		case 4:
			code = (gs_code) (GS_CODE_LT + random_below(6));
			break;
		case 5:
			type = GS_BOOL;
			code = (gs_code) (GS_CODE_AND + random_below(3));
			break;
		case 6:
			code = one_in(3) ? GS_CODE_IS_NULL :
				one_in(2) ? GS_CODE_LEAST : GS_CODE_GREATEST;
			break;
		case 7:
			add_cast(b);
			return;
		case 8:
			add_in(b);
			return;
		case 9:
			if (one_in(3))
				add_find_any(b);
			else
				add_look_up(b);
			return;
		case 10:
			add_shape(b);
			return;
		case 11:
		case 12:
			add_function(b);
			return;
		default:
			add_guarded(b);
			return;
	}
	add3(b, code, type, plan_pick_operand(b, type, errors),
		 plan_pick_operand(b, type, errors), 0);
}
