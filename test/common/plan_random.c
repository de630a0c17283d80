/*-------------------------------------------------------------------------
 *
 * plan_random.c
 *	  Random plans; see plan_random.h.
 *
 * Columns come first.  Then the program grows: an instruction is added with
 * operands that exist, computed for all rows, and kept if that gives no error
 * (now and then, if it does).  Those with errors are only used where a row
 * with an error will not count, or where another instruction hides it.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_reference.h"

#include <stdlib.h>
#include <string.h>

#include "test/common/compare.h"
#include "test/common/random.h"

#define MAX_ENTRIES	(GS_PLAN_COLUMNS + GS_PLAN_CODE)

/* Computed values of all cases together stay below this. */
#define MAX_CELLS	(INT64_C(3) * 1000 * 1000)

#define ANY_TYPE	0

/* A column, or the result of an instruction. */
typedef struct entry
{
	gs_operand	operand;
	gs_type		type;
	plan_cell  *cell;			/* of each row */
	bool		errors;			/* in some row */
} entry;

typedef struct builder
{
	plan_case  *c;
	int			entries;
	entry		entry[MAX_ENTRIES];
	bool	   *counts;			/* rows that count, once there is a filter */
} builder;

static void
add_entry(builder *b, gs_operand operand, plan_cell *cell)
{
	entry	   *e = &b->entry[b->entries++];

	e->operand = operand;
	e->type = plan_type(&b->c->plan, operand);
	e->cell = cell;
	e->errors = false;
	for (int64_t i = 0; i < b->c->rows; i++)
		e->errors |= cell[i].errors != 0;
}

static plan_cell *
new_cells(const builder *b)
{
	return calloc(b->c->rows + 1, sizeof(plan_cell));
}

static void
add_columns(builder *b)
{
	plan_case  *c = b->c;

	c->plan.columns = (int32_t) (one_in(40) ? random_below(GS_PLAN_COLUMNS + 1) :
								 1 + random_below(8));
	for (int i = 0; i < c->plan.columns; i++)
	{
		plan_cell  *cell = new_cells(b);

		c->column[i] = (uint8_t) (GS_BOOL + random_below(GS_FLOAT8));
		plan_fill_column(c, i);
		for (int64_t row = 0; row < c->rows; row++)
			cell[row] = plan_column_cell(c, i, row);
		add_entry(b, GS_COLUMN(i), cell);
	}
}

static bool
is_integer(gs_type type)
{
	return type >= GS_INT2 && type <= GS_INT8;
}

/* A constant; the last one if there is no room. */
static gs_operand
add_constant(builder *b, gs_type type, gs_value v, bool null)
{
	plan_case  *c = b->c;
	int			at = c->plan.constants;

	if (at == GS_PLAN_CONSTANTS)
	{
		for (at--; at > 0 && c->constant[at].type != (int32_t) type;)
			at--;
		if (c->constant[at].type != (int32_t) type)
			abort();			/* programs are too short for that */
		return GS_CONSTANT(at);
	}
	c->constant[at].type = type;
	c->constant[at].null = null;
	c->constant[at].value = plan_canonical(type, v, false);
	if (null)
		memset(&c->constant[at].value, 0, sizeof(gs_value));
	c->plan.constants++;
	return GS_CONSTANT(at);
}

/* Any entry of a type; NULL: there is none. */
static entry *
pick(builder *b, gs_type type, bool with_errors)
{
	entry	   *found = NULL;
	int			seen = 0;

	for (int i = 0; i < b->entries; i++)
	{
		entry	   *e = &b->entry[i];

		if ((type == ANY_TYPE || e->type == type) &&
			(with_errors || !e->errors) && one_in(++seen))
			found = e;
	}
	return found;
}

/* A value that occurs, or any. */
static gs_value
likely_value(builder *b, gs_type type, const entry *e)
{
	if (e != NULL && e->type == type && b->c->rows > 0 && !one_in(4))
	{
		const plan_cell *cell = &e->cell[random_below(b->c->rows)];

		if (!cell->null && cell->errors == 0)
			return cell->v;
	}
	return plan_random_value(type);
}

/* An operand of a type: an entry or a constant. */
static gs_operand
pick_operand(builder *b, gs_type type, bool with_errors)
{
	entry	   *e = pick(b, type, with_errors);

	if (e == NULL || one_in(5))
		return add_constant(b, type, likely_value(b, type, e), one_in(10));
	return e->operand;
}

static gs_type
pick_type(builder *b, bool number)
{
	entry	   *e = pick(b, ANY_TYPE, false);

	if (e != NULL && !(number && e->type == GS_BOOL) && !one_in(8))
		return e->type;
	return number ? (gs_type) (GS_INT2 + random_below(5)) :
		(gs_type) (GS_BOOL + random_below(GS_FLOAT8));
}

static plan_cell
cell_of(const builder *b, gs_operand operand, int64_t row)
{
	if (operand >= 0x1000 && operand < 0x2000)
		return plan_constant_cell(&b->c->plan, operand - 0x1000);
	for (int i = 0; i < b->entries; i++)
	{
		if (b->entry[i].operand == operand)
			return b->entry[i].cell[row];
	}
	return plan_null();			/* GS_NOTHING */
}

/*
 * Add an instruction, if there is room for it and it gives no error, or errors
 * are welcome.  Its result, or GS_NOTHING.
 */
static gs_operand
add(builder *b, gs_instruction in, bool errors)
{
	plan_case  *c = b->c;
	int			at = c->plan.instructions;
	plan_cell  *cell;
	bool		bad = false;

	if (at >= GS_PLAN_CODE || (b->entries + 1) * c->rows > MAX_CELLS)
		return GS_NOTHING;
	cell = new_cells(b);
	for (int64_t row = 0; row < c->rows; row++)
	{
		cell[row] = plan_compute(&c->plan, &in, cell_of(b, in.a, row),
								 cell_of(b, in.b, row), cell_of(b, in.c, row));
		bad |= cell[row].errors != 0;
	}
	if (bad && !errors)
	{
		free(cell);
		return GS_NOTHING;
	}
	c->code[at] = in;
	c->plan.instructions++;
	add_entry(b, GS_RESULT(at), cell);
	return GS_RESULT(at);
}

static gs_operand
add3(builder *b, gs_code code, gs_type type, gs_operand x, gs_operand y,
	 gs_operand z)
{
	gs_instruction in = {.code = code,.type = type,.a = x,.b = y,.c = z};

	return add(b, in, one_in(60));
}

static int64_t
add_to_list(plan_case *c, gs_value v, bool null)
{
	if (c->plan.list_length == c->list_capacity)
	{
		c->list_capacity = 2 * c->list_capacity + 16;
		c->list = realloc(c->list, sizeof *c->list * c->list_capacity);
		c->list_nulls = realloc(c->list_nulls, c->list_capacity);
		c->plan.list = c->list;
		c->plan.list_nulls = c->list_nulls;
	}
	memset(&c->list[c->plan.list_length], 0, sizeof *c->list);
	c->list[c->plan.list_length] = v;
	c->list_nulls[c->plan.list_length] = null;
	return c->plan.list_length++;
}

/* IN: the list is kept in order while it grows. */
static void
add_in(builder *b)
{
	plan_case  *c = b->c;
	gs_type		type = pick_type(b, false);
	entry	   *e = pick(b, type, false);
	gs_instruction in = {.code = GS_CODE_IN,.type = type};
	int64_t		wanted = random_below(one_in(10) ? 500 : 8);

	if (e == NULL)
		return;
	in.a = e->operand;
	in.list_null = one_in(4);
	in.first = c->plan.list_length;
	for (int64_t i = 0; i < wanted; i++)
	{
		gs_value	v = likely_value(b, type, e);
		int64_t		at = in.first;

		while (at < c->plan.list_length &&
			   plan_compare_sql(type, c->list[at], v) < 0)
			at++;
		if (at < c->plan.list_length &&
			plan_compare_sql(type, c->list[at], v) == 0)
			continue;
		add_to_list(c, v, false);
		memmove(&c->list[at + 1], &c->list[at],
				sizeof v * (c->plan.list_length - 1 - at));
		c->list[at] = v;
	}
	in.count = c->plan.list_length - in.first;
	add(b, in, false);
}

static void
add_look_up(builder *b)
{
	plan_case  *c = b->c;
	entry	   *e = pick(b, (gs_type) (GS_INT2 + random_below(3)), false);
	gs_instruction in = {.code = GS_CODE_LOOKUP};
	int64_t		low = INT64_MAX;
	int64_t		high = INT64_MIN;
	int64_t		size;

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
	in.to = pick_type(b, false);
	in.a = e->operand;
	in.low = low - (low > INT64_MIN + 10 ? random_below(3) : 0);
	in.first = c->plan.list_length;
	size = (int64_t) ((uint64_t) high - (uint64_t) in.low) + 1 + random_below(3);
	for (int64_t i = 0; i < size; i++)
		add_to_list(c, plan_random_value(in.to), one_in(6));
	in.count = (int32_t) size;
	in.on_null = (int32_t) (one_in(2) ? -1 : random_below(size));
	add(b, in, one_in(8));
}

static void
add_cast(builder *b)
{
	gs_type		type = pick_type(b, true);
	gs_instruction in = {.code = GS_CODE_CAST,.type = type};

	in.to = (uint8_t) (GS_INT2 + random_below(5));
	in.a = pick_operand(b, type, false);
	add(b, in, one_in(60));
}

/* CASE, COALESCE, NULLIF, BETWEEN */
static void
add_shape(builder *b)
{
	gs_type		type = pick_type(b, false);
	gs_operand	x = pick_operand(b, type, false);
	gs_operand	y = pick_operand(b, type, false);
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
					 add_constant(b, type, plan_random_value(type), true), x);
			break;
		case 2:
			test = add3(b, GS_CODE_GE, type, x, y, 0);
			y = add3(b, GS_CODE_LE, type, x, pick_operand(b, type, false), 0);
			if (test != GS_NOTHING && y != GS_NOTHING)
				add3(b, GS_CODE_AND, GS_BOOL, test, y, 0);
			break;
		default:
			add3(b, GS_CODE_CHOOSE, type, pick_operand(b, GS_BOOL, false), x, y);
	}
}

/* A division by what may be 0, and what keeps its errors from counting. */
static void
add_guarded(builder *b)
{
	gs_type		type = pick_type(b, true);
	gs_operand	zero = add_constant(b, type, (gs_value) {0}, false);
	gs_operand	x = pick_operand(b, type, true);
	gs_operand	y = pick_operand(b, type, true);
	bool		equal = one_in(2);
	gs_instruction divide = {.code = GS_CODE_DIVIDE,.type = type,.a = x,.b = y};
	gs_instruction test = {.code = equal ? GS_CODE_EQ : GS_CODE_NE,
	.type = type,.a = y,.b = zero};
	gs_operand	is_zero;
	gs_operand	quotient;

	is_zero = add(b, test, true);
	quotient = add(b, divide, true);
	if (is_zero == GS_NOTHING || quotient == GS_NOTHING)
		return;
	if (one_in(2))
	{
		gs_operand	other = pick_operand(b, type, false);

		add3(b, GS_CODE_CHOOSE, type, is_zero, equal ? other : quotient,
			 equal ? quotient : other);
	}
	else
	{
		test.code = GS_CODE_GT;
		test.a = quotient;
		test.b = pick_operand(b, type, false);
		quotient = add(b, test, true);
		if (quotient != GS_NOTHING)
			add3(b, equal ? GS_CODE_OR : GS_CODE_AND, GS_BOOL, is_zero,
				 quotient, 0);
	}
}

static void
add_instruction(builder *b)
{
	int			kind = (int) random_below(12);
	gs_type		type = pick_type(b, kind < 4);
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
			add_look_up(b);
			return;
		case 10:
			add_shape(b);
			return;
		default:
			add_guarded(b);
			return;
	}
	add3(b, code, type, pick_operand(b, type, errors),
		 pick_operand(b, type, errors), 0);
}

static bool
is_true(plan_cell cell)
{
	return cell.errors == 0 && !cell.null && cell.v.i2;
}

/* Does the operand give no error in rows that count, and pass the filter? */
static bool
is_harmless(const builder *b, gs_operand operand, gs_operand filter)
{
	for (int64_t row = 0; row < b->c->rows; row++)
	{
		if (b->counts[row] && cell_of(b, operand, row).errors != 0 &&
			(filter == GS_NOTHING || is_true(cell_of(b, filter, row))))
			return false;
	}
	return true;
}

/* An operand of a type for a key or an aggregate. */
static gs_operand
pick_argument(builder *b, gs_type type, gs_operand filter, bool key)
{
	for (int attempt = 0; attempt < 20; attempt++)
	{
		entry	   *e = pick(b, type, true);

		if (e == NULL || (!key && one_in(20)))
			break;
		if (is_harmless(b, e->operand, filter) || one_in(300))
			return e->operand;
	}
	if (key)
		return GS_NOTHING;
	if (type == ANY_TYPE)
		type = GS_INT4;
	return add_constant(b, type, plan_random_value(type), one_in(8));
}

/* The filter, and which rows count by it and the rows' mask. */
static void
add_filter(builder *b)
{
	plan_case  *c = b->c;

	b->counts = calloc(c->rows + 1, 1);
	if (one_in(3))
	{
		int64_t		rarity = 1 + random_below(10);

		c->counts = calloc(c->rows + 1, 1);
		for (int64_t row = 0; row < c->rows; row++)
			c->counts[row] = one_in(2) || !one_in(rarity);
	}
	for (int64_t row = 0; row < c->rows; row++)
		b->counts[row] = c->counts == NULL || c->counts[row];
	c->plan.filter = GS_NOTHING;
	if (one_in(2))
		return;
	c->plan.filter = pick_argument(b, GS_BOOL, GS_NOTHING, false);
	for (int64_t row = 0; row < c->rows; row++)
		b->counts[row] = b->counts[row] &&
			is_true(cell_of(b, c->plan.filter, row));
}

static void
add_keys(builder *b)
{
	plan_case  *c = b->c;
	int			keys = (int) (one_in(4) ? random_below(GS_PLAN_KEYS + 1) :
							  random_below(4));

	for (int i = 0; i < keys; i++)
	{
		gs_operand	key = pick_argument(b, ANY_TYPE, GS_NOTHING, true);

		if (key != GS_NOTHING)
			c->key[c->plan.keys++] = key;
	}
}

static gs_type
argument_type(builder *b, int kind)
{
	gs_type		type = pick_type(b, true);

	switch (kind)
	{
		case GS_AGG_COUNT:
		case GS_AGG_DISTINCT:
			return pick_type(b, false);
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
			if (one_in(3))
				return GS_BOOL;
			/* numbers as others */
			__attribute__((fallthrough));
		case GS_AGG_BIT_XOR:
			return is_integer(type) ? type :
				(gs_type) (GS_INT2 + random_below(3));
		case GS_AGG_SPECIALS:
			return is_float(type) ? type : one_in(2) ? GS_FLOAT4 : GS_FLOAT8;
		default:
			return type;
	}
}

static void
add_aggregate(builder *b)
{
	plan_case  *c = b->c;
	gs_aggregate *agg = &c->aggregate[c->plan.aggregates];
	gs_type		type;

	agg->kind = (int32_t) (1 + random_below(GS_AGGREGATE_KINDS - 1));
	agg->b = GS_NOTHING;
	agg->filter = one_in(3) ? pick_argument(b, GS_BOOL, GS_NOTHING, false) :
		GS_NOTHING;
	if (c->plan.aggregates > 0 && one_in(5))
	{
		/* beside one that may need to know how many there are */
		agg[0] = agg[-1];
		agg->kind = GS_AGG_COUNT;
		c->plan.aggregates++;
		return;
	}
	type = argument_type(b, agg->kind);
	agg->a = agg->kind == GS_AGG_COUNT && one_in(3) ? GS_NOTHING :
		pick_argument(b, type, agg->filter, false);
	if (agg->kind == GS_AGG_PRODUCTS)
		agg->b = pick_argument(b, type, agg->filter, false);
	if (agg->kind == GS_AGG_HISTOGRAM)
	{
		static const double bound[] = {-10, -1, 0, 1, 2.5, 10, 1000, 1e7,
		-1.7e308, 1.7e308, 1e-310};

		agg->buckets = (int32_t) (1 + random_below(one_in(4) ? 300 : 12));
		agg->formula = (int32_t) (1 + random_below(2));
		agg->low = bound[random_below(sizeof bound / sizeof *bound)];
		agg->high = agg->low;
		while (agg->high == agg->low)
			agg->high = bound[random_below(sizeof bound / sizeof *bound)];
	}
	if (agg->kind == GS_AGG_PERCENTILE)
		agg->fraction = one_in(3) ? 0.5 : one_in(3) ? (double) random_below(2) :
			random_uniform();
	c->plan.aggregates++;
}

static int64_t
random_rows(int64_t max)
{
	int64_t		n = one_in(30) ? 0 : one_in(20) ? 1 : one_in(4) ?
		random_below(40) : one_in(2) ? random_below(600) : random_below(max) + 1;

	return n < max ? n : max;
}

plan_case *
plan_case_new(uint64_t seed, int64_t max_rows)
{
	plan_case  *c = calloc(1, sizeof *c);
	builder    *b = calloc(1, sizeof *b);
	int64_t		steps;
	int64_t		aggregates;

	random_seed(seed);
	b->c = c;
	c->seed = seed;
	c->rows = random_rows(max_rows);
	c->plan.column = c->column;
	c->plan.code = c->code;
	c->plan.constant = c->constant;
	c->plan.key = c->key;
	c->plan.aggregate = c->aggregate;
	add_columns(b);
	steps = one_in(4) ? 0 : random_below(one_in(20) ? 200 : 24);
	for (int64_t i = 0; i < steps &&
		 c->plan.constants < GS_PLAN_CONSTANTS / 2; i++)
		add_instruction(b);
	add_filter(b);
	add_keys(b);
	aggregates = random_below(one_in(20) ? GS_PLAN_AGGREGATES : 10);
	for (int64_t i = 0; i < aggregates; i++)
		add_aggregate(b);
	if (c->list != NULL && memchr(c->list_nulls, 1, c->plan.list_length) ==
		NULL && one_in(2))
		c->plan.list_nulls = NULL;
	for (int i = 0; i < b->entries; i++)
		free(b->entry[i].cell);
	free(b->counts);
	free(b);
	return c;
}

void
plan_case_free(plan_case *c)
{
	for (int i = 0; i < GS_PLAN_COLUMNS; i++)
	{
		free(c->value[i]);
		free(c->null[i]);
	}
	free(c->counts);
	free(c->list);
	free(c->list_nulls);
	free(c);
}
