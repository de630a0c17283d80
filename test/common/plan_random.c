/*-------------------------------------------------------------------------
 *
 * plan_random.c
 *	  Random plans; see plan_random.h.
 *
 * Columns come first, then the program, then filter, keys and aggregates.
 * Operands with errors are used where a row with an error will not count.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_builder.h"

#include <stdlib.h>
#include <string.h>

#include "test/common/compare.h"
#include "test/common/random.h"

void
plan_add_entry(plan_builder *b, gs_operand operand, plan_cell *cell)
{
	plan_entry *e = &b->entry[b->entries++];

	e->operand = operand;
	e->type = plan_type(&b->c->plan, operand);
	e->cell = cell;
	e->errors = false;
	for (int64_t i = 0; i < b->c->rows; i++)
		e->errors |= cell[i].errors != 0;
}

plan_cell *
plan_new_cells(const plan_builder *b)
{
	return calloc(b->c->rows + 1, sizeof(plan_cell));
}

/* The builder learns of a column. */
static void
add_column(plan_builder *b, int i)
{
	plan_cell  *cell = plan_new_cells(b);

	for (int64_t row = 0; row < b->c->rows; row++)
		cell[row] = plan_column_cell(b->c, i, row);
	plan_add_entry(b, GS_COLUMN(i), cell);
}

static void
add_columns(plan_builder *b)
{
	plan_case  *c = b->c;

	c->plan.columns = (int32_t) (1 + random_below(8));
	if (one_in(40))
		c->plan.columns = (int32_t) random_below(GS_PLAN_COLUMNS + 1);
	for (int i = 0; i < c->plan.columns; i++)
	{
		c->column[i] = (uint8_t) (GS_BOOL + random_below(GS_FLOAT8));
		if (b->many && i < 2)
			c->column[i] = (uint8_t) (i == 1 ? GS_FLOAT8 :
									  one_in(3) ? GS_INT4 : GS_INT8);
		plan_fill_column(c, i);
		add_column(b, i);
	}
}

static void
take_columns(plan_builder *b, const plan_columns *from)
{
	plan_case  *c = b->c;

	c->plan.columns = from->columns;
	for (int i = 0; i < from->columns; i++)
	{
		c->column[i] = from->type[i];
		c->value[i] = from->value[i];
		c->null[i] = from->null[i];
		add_column(b, i);
	}
}

/* A constant; the last one if there is no room. */
gs_operand
plan_add_constant(plan_builder *b, gs_type type, gs_value v, bool null)
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
plan_entry *
plan_pick(plan_builder *b, gs_type type, bool with_errors)
{
	plan_entry *found = NULL;
	int			seen = 0;

	for (int i = 0; i < b->entries; i++)
	{
		plan_entry *e = &b->entry[i];

		if ((type == ANY_TYPE || e->type == type) &&
			(with_errors || !e->errors) && one_in(++seen))
			found = e;
	}
	return found;
}

/* A value that occurs, or any. */
gs_value
plan_likely_value(plan_builder *b, gs_type type, const plan_entry *e)
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
gs_operand
plan_pick_operand(plan_builder *b, gs_type type, bool with_errors)
{
	plan_entry *e = plan_pick(b, type, with_errors);

	if (e == NULL || one_in(5))
		return plan_add_constant(b, type, plan_likely_value(b, type, e),
								 one_in(10));
	return e->operand;
}

gs_type
plan_pick_type(plan_builder *b, bool number)
{
	plan_entry *e = plan_pick(b, ANY_TYPE, false);

	if (e != NULL && !(number && e->type == GS_BOOL) && !one_in(8))
		return e->type;
	return number ? (gs_type) (GS_INT2 + random_below(5)) :
		(gs_type) (GS_BOOL + random_below(GS_FLOAT8));
}

plan_cell
plan_cell_of(const plan_builder *b, gs_operand operand, int64_t row)
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

static bool
is_true(plan_cell cell)
{
	return cell.errors == 0 && !cell.null && cell.v.i2;
}

/* Does the operand give no error in rows that count, and pass the filter? */
static bool
is_harmless(const plan_builder *b, gs_operand operand, gs_operand filter)
{
	for (int64_t row = 0; row < b->c->rows; row++)
	{
		if (b->counts[row] && plan_cell_of(b, operand, row).errors != 0 &&
			(filter == GS_NOTHING || is_true(plan_cell_of(b, filter, row))))
			return false;
	}
	return true;
}

/* An operand of a type for a key or an aggregate. */
static gs_operand
pick_argument(plan_builder *b, gs_type type, gs_operand filter, bool key)
{
	for (int attempt = 0; attempt < 20; attempt++)
	{
		plan_entry *e = plan_pick(b, type, true);

		if (b->masked != NULL && one_in(2) &&
			(type == ANY_TYPE || type == b->masked->type))
			e = b->masked;
		if (e == NULL || (!key && one_in(20)))
			break;
		if (is_harmless(b, e->operand, filter) || one_in(20))
			return e->operand;
	}
	if (key)
		return GS_NOTHING;
	if (type == ANY_TYPE)
		type = GS_INT4;
	return plan_add_constant(b, type, plan_random_value(type), one_in(8));
}

/* Does any row that counts pass the filter? */
static bool
passes_some(const plan_builder *b, gs_operand filter)
{
	for (int64_t row = 0; row < b->c->rows; row++)
	{
		if (b->counts[row] && is_true(plan_cell_of(b, filter, row)))
			return true;
	}
	return false;
}

/* Rows in which some operand is an error do not count: so it can be used. */
static void
mask_errors(plan_builder *b)
{
	plan_case  *c = b->c;

	for (int attempt = 0; attempt < 20; attempt++)
	{
		plan_entry *e = plan_pick(b, ANY_TYPE, true);

		if (e == NULL || !e->errors)
			continue;
		if (c->counts == NULL)
		{
			c->counts = malloc(c->rows + 1);
			memset(c->counts, 1, c->rows + 1);
		}
		for (int64_t row = 0; row < c->rows; row++)
			c->counts[row] &= e->cell[row].errors == 0;
		b->masked = e;
		return;
	}
}

/* The filter, and which rows count by it and the rows' mask. */
static void
add_filter(plan_builder *b)
{
	plan_case  *c = b->c;

	b->counts = calloc(c->rows + 1, 1);
	if (!b->all && one_in(b->many ? 9 : 3))
	{
		int64_t		rarity = 1 + random_below(10);

		c->counts = calloc(c->rows + 1, 1);
		for (int64_t row = 0; row < c->rows; row++)
			c->counts[row] = one_in(2) || !one_in(rarity);
	}
	if (!b->all && one_in(b->many ? 9 : 2))
		mask_errors(b);
	for (int64_t row = 0; row < c->rows; row++)
		b->counts[row] = c->counts == NULL || c->counts[row];
	c->plan.filter = GS_NOTHING;
	for (int attempt = !b->arguments && one_in(b->many ? 6 : 2) ? 5 : 0;
		 attempt > 0; attempt--)
	{
		gs_operand	filter = b->not_zero != GS_NOTHING && one_in(2) ?
			b->not_zero : pick_argument(b, GS_BOOL, GS_NOTHING, false);

		if (one_in(3))
		{
			gs_operand	all = plan_add_conditions(b);

			if (all != GS_NOTHING &&
				(is_harmless(b, all, GS_NOTHING) || one_in(20)))
				filter = all;
		}

		/* rarely one that nothing passes */
		if (passes_some(b, filter) || one_in(20))
			c->plan.filter = filter;
	}
	for (int64_t row = 0; row < c->rows && c->plan.filter != GS_NOTHING; row++)
		b->counts[row] &= is_true(plan_cell_of(b, c->plan.filter, row));
}

static void
add_keys(plan_builder *b)
{
	plan_case  *c = b->c;
	int			keys = (int) (one_in(4) ? random_below(GS_PLAN_KEYS + 1) :
							  random_below(4));

	if (b->many && c->plan.columns > 0)
	{
		c->key[c->plan.keys++] = GS_COLUMN(0);
		keys = one_in(4) ? keys - (keys > 1) : 0;
	}
	for (int i = 0; i < keys; i++)
	{
		gs_operand	key = pick_argument(b, ANY_TYPE, GS_NOTHING, true);

		if (key != GS_NOTHING && (!b->arguments || key < GS_CONSTANT(0)))
			c->key[c->plan.keys++] = key;
	}
}

static bool
is_integer(gs_type type)
{
	return type >= GS_INT2 && type <= GS_INT8;
}

static gs_type
argument_type(plan_builder *b, int kind)
{
	gs_type		type = plan_pick_type(b, true);

	switch (kind)
	{
		case GS_AGG_COUNT:
		case GS_AGG_DISTINCT:
			return plan_pick_type(b, false);
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

static bool
needs_values(int kind)
{
	return kind >= GS_AGG_PERCENTILE && kind <= GS_AGG_DISTINCT;
}

static void
add_aggregate(plan_builder *b)
{
	plan_case  *c = b->c;
	gs_aggregate *agg = &c->aggregate[c->plan.aggregates];
	gs_type		type;

	agg->kind = (int32_t) (1 + random_below(GS_AGG_VALUE - 1));
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
	if (c->plan.aggregates > 0 && needs_values(agg[-1].kind) && one_in(2) &&
		gs_operand_type(&c->plan, agg[-1].a) != GS_BOOL)
	{
		/* beside one that needs the same values */
		agg[0] = agg[-1];
		agg->kind = (int32_t) (GS_AGG_PERCENTILE + random_below(3));
		agg->fraction = agg->kind == GS_AGG_PERCENTILE ? random_uniform() : 0;
		c->plan.aggregates++;
		return;
	}
	if (b->many && c->plan.columns > 1 &&
		(c->plan.aggregates == 0 || one_in(3)))
	{
		agg->kind = (int32_t) (GS_AGG_SUM + random_below(3));
		agg->a = agg->b = GS_COLUMN(1);
		c->plan.aggregates++;
		return;
	}
	type = argument_type(b, agg->kind);
	if (b->masked != NULL && b->masked->type != GS_BOOL && one_in(2))
	{
		agg->kind = one_in(2) ? GS_AGG_SUM : GS_AGG_SQUARES;
		type = b->masked->type;
	}
	if (b->quotient != GS_NOTHING && one_in(4))
	{
		/* errors in rows that do not count */
		agg->kind = one_in(2) ? GS_AGG_SUM : GS_AGG_MIN;
		agg->filter = b->not_zero;
		agg->a = b->quotient;
		c->plan.aggregates++;
		return;
	}
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

static bool
is_constant(gs_operand o)
{
	return o >= GS_CONSTANT(0) && o < GS_RESULT(0);
}

/* May it be in a plan that computes nothing but arguments, row by row? */
static bool
has_plain_arguments(const gs_aggregate *agg)
{
	return agg->filter == GS_NOTHING && !needs_values(agg->kind) &&
		!is_constant(agg->a) && !is_constant(agg->b);
}

static int64_t
random_rows(int64_t max)
{
	int64_t		n = one_in(30) ? 0 : one_in(20) ? 1 :
		1 + random_below(one_in(4) ? 40 : one_in(2) ? 600 : max);

	/* it asks for many */
	if (max > 2 * MANY_ROWS && !one_in(4))
		n = max / 2 + random_below(max / 2);
	return n < max ? n : max;
}

/* A column of a plan of rows: whatever there is, now and then with errors. */
static void
add_value(plan_builder *b)
{
	plan_case  *c = b->c;
	plan_entry *e = one_in(30) ? plan_pick(b, ANY_TYPE, true) : NULL;

	c->aggregate[c->plan.aggregates++] = (gs_aggregate) {
		.kind = GS_AGG_VALUE,
		.a = e != NULL ? e->operand :
			pick_argument(b, ANY_TYPE, GS_NOTHING, false),
		.b = GS_NOTHING,
		.filter = GS_NOTHING
	};
}

/* from: NULL: random rows, max_rows at most */
static plan_case *
make_case(uint64_t seed, int64_t max_rows, const plan_columns *from,
		  bool of_rows)
{
	plan_case  *c = calloc(1, sizeof *c);
	plan_builder *b = calloc(1, sizeof *b);
	int64_t		steps;
	int64_t		aggregates;

	random_seed(seed);
	b->c = c;
	b->quotient = GS_NOTHING;
	b->not_zero = GS_NOTHING;
	c->seed = seed;
	c->rows = from != NULL ? from->rows : random_rows(max_rows);
	b->many = from == NULL && c->rows >= MANY_ROWS;
	b->all = from != NULL;
	c->only_list = from != NULL;
	b->arguments = one_in(5);
	c->plan.column = c->column;
	c->plan.code = c->code;
	c->plan.constant = c->constant;
	c->plan.key = c->key;
	c->plan.aggregate = c->aggregate;
	if (from != NULL)
		take_columns(b, from);
	else
		add_columns(b);
	steps = one_in(4) ? 0 : random_below(one_in(20) ? 200 : 24);
	for (int64_t i = 0; i < steps &&
		 c->plan.constants < GS_PLAN_CONSTANTS / 2; i++)
		plan_add_instruction(b);
	add_filter(b);
	c->plan.of_rows = of_rows && one_in(4);
	if (!c->plan.of_rows)
		add_keys(b);
	aggregates = random_below(one_in(20) ? GS_PLAN_AGGREGATES : 10);
	for (int64_t i = 0; i < aggregates && c->plan.of_rows; i++)
		add_value(b);
	for (int64_t i = b->many ? -1 : 0;
		 i < aggregates && !c->plan.of_rows; i++)
	{
		add_aggregate(b);
		if (b->arguments &&
			!has_plain_arguments(&c->aggregate[c->plan.aggregates - 1]))
			c->plan.aggregates--;
	}
	for (int i = 0; i < b->entries; i++)
		free(b->entry[i].cell);
	free(b->counts);
	free(b);
	return c;
}

plan_case *
plan_case_new(uint64_t seed, int64_t max_rows, bool of_rows)
{
	return make_case(seed, max_rows, NULL, of_rows);
}

plan_case *
plan_case_over(uint64_t seed, const plan_columns *from, bool of_rows)
{
	return make_case(seed, from->rows, from, of_rows);
}

void
plan_case_free(plan_case *c)
{
	for (int i = 0; i < GS_PLAN_COLUMNS; i++)
	{
		free(c->value[i]);
		free(c->null[i]);
	}
	for (int i = 0; i < GS_PLAN_TABLES; i++)
		free((void *) c->table[i].value);
	free(c->counts);
	free(c->list);
	free(c);
}
