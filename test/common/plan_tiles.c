/*-------------------------------------------------------------------------
 *
 * plan_tiles.c
 *	  Sums of a column by a key, without NULLs, over more rows than random
 *	  plans have of that kind: engines have a short way for these, tile after
 *	  tile.  Some have a filter of ranges that many rows pass.  Others
 *	  aggregate integers, columns and what is computed of them, in any order.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <math.h>
#include <stdlib.h>

#include "test/common/random.h"

/* Less than a tile; a few; more than any device has in flight at a time. */
#define LEAST_ROWS	700
#define FEW_ROWS	9000
#define MANY_ROWS	1300000

enum
{
	KEY,
	VALUE,
	DAY,						/* 0 to 999 */
	WEIGHT,						/* -1 to 1, and special ones */
	COLUMNS
};

typedef enum values
{
	ORDINARY,					/* in [-1, 1) */
	ZEROS,						/* most of them are 0 */
	SPECIAL						/* ordinary, but for one in 50 */
} values;

static double
special_value(void)
{
	static const double special[] = {
		0.0, -0.0, 1e-300, -1e300, 0x1p-30, 5e-324, NAN, -NAN, INFINITY,
		-INFINITY, 0.25, -0.25
	};

	return special[random_below(sizeof special / sizeof *special)];
}

static double
value_of(values kind)
{
	if (kind == ZEROS && !one_in(5))
		return one_in(9) ? -0.0 : 0.0;
	return kind == SPECIAL && one_in(50) ? special_value() :
		2 * random_uniform() - 1;
}

static void
add_column(plan_case *c, int column, gs_type type)
{
	c->column[column] = type;
	c->value[column] = calloc(c->rows, sizeof(gs_value));
	c->null[column] = calloc(c->rows, 1);
	c->plan.columns = column + 1;
}

static void
add_aggregate(plan_case *c, int kind, gs_operand of)
{
	c->aggregate[c->plan.aggregates++] = (gs_aggregate)
	{
		.kind = kind, .a = of, .b = GS_NOTHING, .filter = GS_NOTHING
	};
}

/* The key's numbers ascend from `low`. */
static plan_case *
new_case(gs_type type, int64_t low, int64_t groups, values kind, int64_t rows)
{
	plan_case  *c = calloc(1, sizeof *c);

	c->rows = rows;
	c->plan.column = c->column;
	c->plan.code = c->code;
	c->plan.constant = c->constant;
	c->plan.key = c->key;
	c->plan.aggregate = c->aggregate;
	c->plan.filter = GS_NOTHING;
	add_column(c, KEY, type);
	add_column(c, VALUE, GS_FLOAT8);
	for (int64_t i = 0; i < rows; i++)
	{
		int64_t		key = low + random_below(groups);

		if (type == GS_INT2)
			c->value[KEY][i].i2 = (int16_t) key;
		else if (type == GS_INT4)
			c->value[KEY][i].i4 = (int32_t) key;
		else
			c->value[KEY][i].i8 = key;
		c->value[VALUE][i].f8 = value_of(kind);
	}
	c->key[0] = GS_COLUMN(KEY);
	c->plan.keys = 1;
	add_aggregate(c, GS_AGG_SUM, GS_COLUMN(VALUE));
	return c;
}

static bool
try_case(const plan_target *target, plan_case *c, plan_check check,
		 plan_tally *tally)
{
	bool		good = check(target, c, tally);

	plan_case_free(c);
	return good;
}

/* The result of a column and a constant of its type. */
static gs_operand
compute(plan_case *c, gs_code code, int column, gs_value with)
{
	gs_type		type = (gs_type) c->column[column];

	c->constant[c->plan.constants] = (gs_constant) {.type = type, .value = with};
	c->code[c->plan.instructions] = (gs_instruction)
	{
		.code = code, .type = type, .a = GS_COLUMN(column),
			.b = GS_CONSTANT(c->plan.constants++), .c = GS_NOTHING
	};
	return GS_RESULT(c->plan.instructions++);
}

/* A day within the first 700 days and a weight that compares so. */
static bool
try_filter(const plan_target *target, gs_code code, double weight,
		   int64_t rows, plan_check check, plan_tally *tally)
{
	plan_case  *c = new_case(GS_INT4, 0, 50, SPECIAL, rows);
	gs_operand	day;
	gs_operand	heavy;

	add_column(c, DAY, GS_INT4);
	add_column(c, WEIGHT, GS_FLOAT8);
	for (int64_t i = 0; i < c->rows; i++)
	{
		c->value[DAY][i].i4 = (int32_t) random_below(1000);
		c->value[WEIGHT][i].f8 = one_in(4) ? special_value() :
			2 * random_uniform() - 1;
	}
	add_aggregate(c, GS_AGG_COUNT, GS_COLUMN(VALUE));
	day = compute(c, GS_CODE_LT, DAY, (gs_value) {.i4 = 700});
	heavy = compute(c, code, WEIGHT, (gs_value) {.f8 = weight});
	c->code[c->plan.instructions] = (gs_instruction)
	{
		.code = GS_CODE_AND, .type = GS_BOOL, .a = day, .b = heavy,
			.c = GS_NOTHING
	};
	c->plan.filter = GS_RESULT(c->plan.instructions++);
	return try_case(target, c, check, tally);
}

/* Whole days, weeks of them, and what is computed of both, by a key or not. */
static bool
try_integers(const plan_target *target, plan_check check, plan_tally *tally)
{
	static const int kinds[] = {GS_AGG_SUM, GS_AGG_MIN, GS_AGG_MAX, GS_AGG_COUNT};
	plan_case  *c = new_case(GS_INT4, 0, 50, ORDINARY, LEAST_ROWS);
	gs_operand	of[4] = {GS_COLUMN(DAY), GS_COLUMN(WEIGHT)};

	add_column(c, DAY, GS_INT8);
	add_column(c, WEIGHT, GS_INT8);
	for (int64_t i = 0; i < c->rows; i++)
	{
		c->value[DAY][i].i8 = random_below(1000);
		c->value[WEIGHT][i].i8 = 7 * random_below(50) - 100;
	}
	of[2] = compute(c, GS_CODE_MULTIPLY, DAY, (gs_value) {.i8 = 2});
	of[3] = compute(c, GS_CODE_ADD, WEIGHT, (gs_value) {.i8 = -3});
	c->plan.keys = one_in(2);
	c->plan.aggregates = 0;
	for (int64_t i = 2 + random_below(3); i > 0; i--)
		add_aggregate(c, one_in(2) ? GS_AGG_SUM : kinds[random_below(4)],
					  of[random_below(4)]);
	return try_case(target, c, check, tally);
}

bool
plan_try_tiles(const plan_target *target, plan_check check, bool brief,
			   plan_tally *tally)
{
	static const gs_type types[] = {GS_INT2, GS_INT4, GS_INT8};
	static const int64_t groups[] = {1, 100, 3000};
	static const double weights[] = {
		0.0, -0.0, 0.25, -0.25, 5e-324, -5e-324, INFINITY, -INFINITY, NAN
	};
	bool		good = true;

	for (int t = 0; t < 3; t++)
	{
		for (int g = 0; g < 3; g++)
		{
			/* in several of the forms that a column can have */
			for (int i = 0; i < (brief ? 1 : 6); i++)
				good &= try_case(target, new_case(types[t], -100, groups[g],
												  (values) (i % 3), FEW_ROWS),
								 check, tally);
		}
	}
	for (int i = 0; i < (brief ? 50 : 1000); i++)	/* few have the forms it takes */
		good &= try_integers(target, check, tally);
	if (brief)
		return try_filter(target, GS_CODE_GE, -0.25, FEW_ROWS, check,
						  tally) && good;
	for (int code = GS_CODE_LT; code <= GS_CODE_GT; code++)
	{
		for (int i = 0; i < (int) (sizeof weights / sizeof *weights); i++)
			good &= try_filter(target, (gs_code) code, weights[i], FEW_ROWS,
							   check, tally);
	}

	/* few and many pass, from one of a block's tiles to the next */
	good &= try_filter(target, GS_CODE_GT, 0.875, MANY_ROWS, check, tally);
	good &= try_filter(target, GS_CODE_GE, -0.75, MANY_ROWS, check, tally);
	for (int g = 0; g < 3; g++)
		good &= try_case(target, new_case(GS_INT4, 0, groups[g], SPECIAL,
										  MANY_ROWS), check, tally);
	return good;
}
