/*-------------------------------------------------------------------------
 *
 * plan_damage.c
 *	  Damaged plans, and which of them are still valid; see plan_random.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_reference.h"

#include <math.h>

#include "test/common/compare.h"
#include "test/common/random.h"

/* A number that is wrong, nearly right, or right. */
static int64_t
wrong_number(int64_t right)
{
	switch (random_below(6))
	{
		case 0:
			return right + 1;
		case 1:
			return right - 1;
		case 2:
			return random_below(300) - 10;
		case 3:
			return (int64_t) random_bits();
		case 4:
			return one_in(2) ? INT64_MAX : INT64_MIN;
		default:
			return random_below(8);
	}
}

/* An operand that may not exist, or is of another type. */
static gs_operand
wrong_operand(const gs_plan *plan)
{
	switch (random_below(6))
	{
		case 0:
			return GS_COLUMN(random_below(plan->columns + 2));
		case 1:
			return GS_CONSTANT(random_below(plan->constants + 2));
		case 2:
		case 3:
			return GS_RESULT(random_below(plan->instructions + 2));
		case 4:
			return GS_NOTHING;
		default:
			return (gs_operand) random_bits();
	}
}

static bool
has_list(const gs_instruction *in)
{
	return in->code == GS_CODE_IN || in->code == GS_CODE_LOOKUP ||
		in->code == GS_CODE_SEARCH || in->code == GS_CODE_FIND;
}

/* A list that ends one too late, perhaps behind all lists. */
static void
damage_list(const gs_plan *plan, gs_instruction *in)
{
	if (in->first < 0 || one_in(10))
	{
		/* of a table, or of none */
		in->first = -(int32_t) random_below(plan->tables + 3);
		in->count += (int32_t) random_below(9);
		return;
	}
	switch (random_below(4))
	{
		case 0:
			in->count = plan->list_length - in->first + 1;
			break;
		case 1:
			in->on_null = plan->list_length - in->first;
			break;
		case 2:
			in->first = plan->list_length - in->count + 1;
			break;
		default:
			in->on_null = -2;
	}
}

static void
damage_instruction(const gs_plan *plan, gs_instruction *in)
{
	if (has_list(in) && one_in(2))
	{
		damage_list(plan, in);
		return;
	}
	switch (random_below(10))
	{
		case 0:
			in->code = (uint8_t) wrong_number(in->code);
			break;
		case 1:
			in->type = (uint8_t) wrong_number(in->type);
			break;
		case 2:
			in->to = (uint8_t) wrong_number(in->to);
			break;
		case 3:
			in->list_null = (uint8_t) wrong_number(in->list_null);
			in->width = (int16_t) wrong_number(in->width);
			break;
		case 4:
			in->a = wrong_operand(plan);
			break;
		case 5:
			in->b = wrong_operand(plan);
			break;
		case 6:
			in->c = wrong_operand(plan);
			break;
		case 7:
			in->first = (int32_t) wrong_number(in->first);
			break;
		case 8:
			in->count = (int32_t) wrong_number(in->count);
			break;
		default:
			in->on_null = (int32_t) wrong_number(in->on_null);
	}
}

static void
damage_aggregate(const gs_plan *plan, gs_aggregate *agg)
{
	static const double numbers[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1, 2,
	-1, 0.5};
	double		number = numbers[random_below(sizeof numbers /
											  sizeof *numbers)];

	switch (random_below(9))
	{
		case 0:
		case 1:
			agg->kind = (int32_t) wrong_number(agg->kind);
			break;
		case 2:
			agg->a = wrong_operand(plan);
			break;
		case 3:
			agg->b = wrong_operand(plan);
			break;
		case 4:
			agg->filter = wrong_operand(plan);
			break;
		case 5:
			agg->buckets = (int32_t) wrong_number(agg->buckets);
			break;
		case 6:
			agg->formula = (int32_t) wrong_number(agg->formula);
			break;
		case 7:
			agg->low = number;
			break;
		default:
			agg->high = number;
			agg->fraction = number;
	}
}

static void
damage_number(gs_plan *plan)
{
	switch (random_below(8))
	{
		case 0:
			plan->of_rows = one_in(2) ? 1 - plan->of_rows :
				(int16_t) wrong_number(plan->of_rows);
			break;
		case 6:
			plan->columns = (int32_t) wrong_number(plan->columns);
			break;
		case 1:
			plan->instructions = (int32_t) wrong_number(plan->instructions);
			break;
		case 2:
			plan->constants = (int32_t) wrong_number(plan->constants);
			break;
		case 3:
			plan->keys = (int32_t) wrong_number(plan->keys);
			break;
		case 4:
			plan->aggregates = (int32_t) wrong_number(plan->aggregates);
			break;
		case 5:
			plan->tables -= (int32_t) random_below(plan->tables + 2);
			break;
		default:
			/* nobody can see that an array is shorter than said */
			plan->list_length -= (int32_t) random_below(plan->list_length + 2);
	}
}

static void
damage_something(plan_case *c)
{
	gs_plan    *plan = &c->plan;
	gs_constant *k;
	int64_t		i;

	switch (random_below(8))
	{
		case 0:
			plan->filter = wrong_operand(plan);
			break;
		case 1:
			c->key[random_below(GS_PLAN_KEYS)] = wrong_operand(plan);
			break;
		case 2:
			i = random_below(GS_PLAN_COLUMNS);
			if (plan->columns > 0)
				i %= plan->columns;
			c->column[i] = (uint8_t) wrong_number(c->column[i]);
			break;
		case 3:
			i = random_below(plan->constants + 1) % GS_PLAN_CONSTANTS;
			k = &c->constant[i];
			if (one_in(2))
				k->type = (int32_t) wrong_number(k->type);
			else
				k->null = (int32_t) wrong_number(k->null);
			break;
		case 4:
			if (plan->list_length < 1)
				break;
			i = random_below(plan->list_length);
			c->list[i].i8 = (int64_t) random_bits();
			break;
		case 5:
			if (plan->aggregates > 0)
				damage_aggregate(plan,
								 &c->aggregate[random_below(plan->aggregates)]);
			break;
		default:
			if (plan->instructions < 1)
				break;
			i = random_below(plan->instructions);
			/* rather one with a list */
			for (int more = 10; more > 0 && !has_list(&c->code[i]); more--)
				i = random_below(plan->instructions);
			damage_instruction(plan, &c->code[i]);
	}
}

void
plan_damage(plan_case *c)
{
	for (int64_t i = random_below(3); i >= 0; i--)
		damage_something(c);
	if (one_in(10))
		damage_number(&c->plan);
}

static bool
is_type(int64_t type)
{
	return type >= GS_BOOL && type <= GS_FLOAT8;
}

static bool
is_number(int64_t type)
{
	return is_type(type) && type != GS_BOOL;
}

/* Does the operand exist, for instruction `before`? */
static bool
exists(const gs_plan *plan, gs_operand operand, int before)
{
	if (operand < 0)
		return false;
	if (operand < 0x1000)
		return operand < plan->columns;
	if (operand < 0x2000)
		return operand - 0x1000 < plan->constants;
	return operand - 0x2000 < before;
}

static bool
has_type(const gs_plan *plan, gs_operand operand, int before, gs_type type)
{
	return exists(plan, operand, before) && plan_type(plan, operand) == type;
}

static bool
value_is_valid(int type, gs_value v)
{
	return type != GS_BOOL || v.i2 == 0 || v.i2 == 1;
}

static bool
list_is_valid(const gs_plan *plan, const gs_instruction *in, int type)
{
	int64_t		end = (int64_t) in->first + in->count;

	if (in->first < 0 || in->count < 0 || end > plan->list_length)
		return false;
	for (int64_t i = in->first; i < end; i++)
	{
		if (!value_is_valid(type, plan->list[i]) ||
			(i > in->first &&
			 plan_compare_sql((gs_type) type, plan->list[i - 1],
							  plan->list[i]) >= 0))
			return false;
	}
	return true;
}

/* NULL's entry may lie behind the others. */
static bool
table_is_valid(const gs_plan *plan, const gs_instruction *in)
{
	int64_t		entries = in->on_null >= in->count ?
		in->on_null + INT64_C(1) : in->count;
	int64_t		bytes;

	if (in->first < -plan->tables || in->count < 0 || in->on_null < -1 ||
		in->list_null > 1 || in->width < 1 || in->width > 8 ||
		(in->width & (in->width - 1)) != 0 ||
		(is_float((gs_type) in->to) && in->width < (int) gs_type_width(in->to)))
		return false;
	bytes = (entries * in->width + 7) / 8 * 8;
	if (in->list_null)
		bytes += (entries + 63) / 64 * 8;
	if (in->first < 0)
		return bytes <= plan->table[-1 - in->first].size * 8;
	return in->first * INT64_C(8) + bytes <= plan->list_length * INT64_C(8);
}

static bool
index_is_valid(const gs_plan *plan, const gs_instruction *in)
{
	int64_t		size;

	if (in->width < 0 || in->width > 30 || in->count < 0 ||
		in->first < -plan->tables)
		return false;
	size = ((INT64_C(1) << in->width) + 2) / 2 + in->count;
	return size <= (in->first < 0 ? plan->table[-1 - in->first].size :
					(int64_t) plan->list_length - in->first);
}

static bool
instruction_is_valid(const gs_plan *plan, int i)
{
	const gs_instruction *in = &plan->code[i];
	gs_type		type = (gs_type) in->type;
	int			code = in->code;
	bool		a = has_type(plan, in->a, i, type);
	bool		b = has_type(plan, in->b, i, type);

	if (code < GS_CODE_ADD || code >= GS_CODES || !is_type(type))
		return false;
	if (code <= GS_CODE_DIVIDE)
		return is_number(type) && a && b;
	if (code <= GS_CODE_ABS)
		return is_number(type) && a;
	if (code <= GS_CODE_GT)
		return a && b;
	if (code == GS_CODE_AND || code == GS_CODE_OR)
		return type == GS_BOOL && a && b;
	if (code == GS_CODE_NOT)
		return type == GS_BOOL && a;
	if (code == GS_CODE_IS_NULL)
		return a;
	if (code == GS_CODE_CHOOSE)
		return has_type(plan, in->a, i, GS_BOOL) && b &&
			has_type(plan, in->c, i, type);
	if (code == GS_CODE_CAST)
		return is_number(type) && is_number(in->to) && a;
	if (code == GS_CODE_IN)
		return a && in->list_null <= 1 && list_is_valid(plan, in, type);
	if (code == GS_CODE_LOOKUP)
		return is_number(type) && !is_float(type) && is_type(in->to) && a &&
			table_is_valid(plan, in);
	if (code == GS_CODE_SEARCH)
		return is_number(type) && a && list_is_valid(plan, in, type);
	if (code == GS_CODE_FIND)
		return is_number(type) && !is_float(type) && a &&
			index_is_valid(plan, in);
	if (code == GS_CODE_CHECK)
		return is_number(type) && a && b && has_type(plan, in->c, i, type);
	if (code == GS_CODE_MONTH || code == GS_CODE_MONTH_START)
		return type == GS_INT4 && a;
	if ((code >= GS_CODE_FLOOR && code <= GS_CODE_SQRT) ||
		(code >= GS_CODE_EXP && code < GS_CODE_POWER))
		return type == GS_FLOAT8 && a;
	if (code == GS_CODE_POWER)
		return type == GS_FLOAT8 && a && b;
	if (code == GS_CODE_BIT_NOT)
		return is_number(type) && !is_float(type) && a;
	if (code >= GS_CODE_FLOOR_DIVIDE)
		return is_number(type) && !is_float(type) && a && b;
	return a && b;				/* LEAST, GREATEST */
}

static bool
aggregate_is_valid(const gs_plan *plan, const gs_aggregate *agg)
{
	int			all = plan->instructions;
	gs_type		type;

	if (agg->kind < GS_AGG_COUNT || agg->kind >= GS_AGGREGATE_KINDS ||
		(agg->kind == GS_AGG_VALUE) != plan->of_rows)
		return false;
	if (agg->filter != GS_NOTHING &&
		!has_type(plan, agg->filter, all, GS_BOOL))
		return false;
	if (plan->of_rows)
		return agg->filter == GS_NOTHING && exists(plan, agg->a, all);
	if (agg->kind == GS_AGG_COUNT && agg->a == GS_NOTHING)
		return true;
	if (!exists(plan, agg->a, all))
		return false;
	type = plan_type(plan, agg->a);
	switch (agg->kind)
	{
		case GS_AGG_COUNT:
		case GS_AGG_DISTINCT:
			return true;
		case GS_AGG_PRODUCTS:
			return type != GS_BOOL && has_type(plan, agg->b, all, type);
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
			return !is_float(type);
		case GS_AGG_BIT_XOR:
			return !is_float(type) && type != GS_BOOL;
		case GS_AGG_SPECIALS:
			return is_float(type);
		case GS_AGG_HISTOGRAM:
			return type != GS_BOOL && agg->buckets >= 1 &&
				agg->buckets <= INT32_MAX - 3 && isfinite(agg->low) &&
				isfinite(agg->high) && agg->low != agg->high &&
				(agg->formula == 1 || agg->formula == 2);
		case GS_AGG_PERCENTILE:
			return type != GS_BOOL && agg->fraction >= 0 && agg->fraction <= 1;
		default:
			return type != GS_BOOL;
	}
}

static bool
is_count(int32_t n, int32_t most)
{
	return n >= 0 && n <= most;
}

bool
plan_is_valid(const gs_plan *plan)
{
	if (!is_count(plan->columns, GS_PLAN_COLUMNS) ||
		!is_count(plan->instructions, GS_PLAN_CODE) ||
		!is_count(plan->constants, GS_PLAN_CONSTANTS) ||
		!is_count(plan->keys, GS_PLAN_KEYS) ||
		!is_count(plan->aggregates, GS_PLAN_AGGREGATES) ||
		!is_count(plan->tables, GS_PLAN_TABLES) ||
		plan->list_length < 0 || plan->of_rows < 0 || plan->of_rows > 1 ||
		(plan->of_rows && plan->keys > 0))
		return false;
	for (int i = 0; i < plan->columns; i++)
	{
		if (!is_type(plan->column[i]))
			return false;
	}
	for (int i = 0; i < plan->constants; i++)
	{
		const gs_constant *k = &plan->constant[i];

		if (!is_type(k->type) || k->null < 0 || k->null > 1 ||
			(!k->null && !value_is_valid(k->type, k->value)))
			return false;
	}
	for (int i = 0; i < plan->instructions; i++)
	{
		if (!instruction_is_valid(plan, i))
			return false;
	}
	if (plan->filter != GS_NOTHING &&
		!has_type(plan, plan->filter, plan->instructions, GS_BOOL))
		return false;
	for (int k = 0; k < plan->keys; k++)
	{
		if (!exists(plan, plan->key[k], plan->instructions) ||
			(plan->key[k] >= 0x1000 && plan->key[k] < 0x2000))
			return false;
	}
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (!aggregate_is_valid(plan, &plan->aggregate[i]))
			return false;
	}
	return true;
}
