/*-------------------------------------------------------------------------
 *
 * plan.c
 *	  What follows from a plan alone.
 *
 * gs_plan_check is the boundary that a plan from another process has to pass:
 * one that it accepts cannot make an engine read or write out of bounds.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/arithmetic.h"
#include "engine/index.h"

#define BIT(type)		(1u << (type))
#define BOOL			BIT(GS_BOOL)
#define INTEGERS		(BIT(GS_INT2) | BIT(GS_INT4) | BIT(GS_INT8))
#define FLOATS			(BIT(GS_FLOAT4) | BIT(GS_FLOAT8))
#define NUMBERS			(INTEGERS | FLOATS)
#define ANY				(NUMBERS | BOOL)

/* What operands are numbered from, by what they are. */
#define FIRST_CONSTANT	GS_CONSTANT(0)
#define FIRST_RESULT	GS_RESULT(0)

static bool
is_type(int type, unsigned types)
{
	return type >= GS_BOOL && type <= GS_FLOAT8 && (types & BIT(type)) != 0;
}

static gs_type
result_type(const gs_instruction *i)
{
	if (i->code >= GS_CODE_LT && i->code <= GS_CODE_IS_NULL)
		return GS_BOOL;
	if (i->code == GS_CODE_IN)
		return GS_BOOL;
	if (i->code == GS_CODE_CAST || i->code == GS_CODE_LOOKUP)
		return (gs_type) i->to;
	if (i->code == GS_CODE_SEARCH || i->code == GS_CODE_FIND)
		return GS_INT4;
	return (gs_type) i->type;
}

/* Of an operand that exists. */
gs_type
gs_operand_type(const gs_plan *plan, gs_operand operand)
{
	if (operand >= FIRST_RESULT)
		return result_type(&plan->code[operand - FIRST_RESULT]);
	if (operand >= FIRST_CONSTANT)
		return (gs_type) plan->constant[operand - FIRST_CONSTANT].type;
	return (gs_type) plan->column[operand];
}

/* Does the operand exist before instruction `before`, with such a type? */
static bool
operand_is(const gs_plan *plan, gs_operand operand, int before, unsigned types)
{
	bool		exists;

	if (operand >= FIRST_RESULT)
		exists = operand - FIRST_RESULT < before;
	else if (operand >= FIRST_CONSTANT)
		exists = operand - FIRST_CONSTANT < plan->constants;
	else
		exists = operand >= 0 && operand < plan->columns;
	return exists && (types & BIT(gs_operand_type(plan, operand))) != 0;
}

/* A boolean is 0 or 1. */
static bool
value_is_valid(int type, gs_value value)
{
	return type != GS_BOOL || value.i2 == 0 || value.i2 == 1;
}

int
gs_compare_values(gs_type type, gs_value a, gs_value b)
{
	switch (type)
	{
		case GS_INT4:
			return gs_compare_int4(a.i4, b.i4);
		case GS_INT8:
			return gs_compare_int8(a.i8, b.i8);
		case GS_FLOAT4:
			return gs_compare_float4(a.f4, b.f4);
		case GS_FLOAT8:
			return gs_compare_float8(a.f8, b.f8);
		default:
			return gs_compare_int2(a.i2, b.i2);
	}
}

/* IN, SEARCH: values, ascending. */
static bool
list_is_valid(const gs_plan *plan, const gs_instruction *in)
{
	const gs_value *list = plan->list;

	if (in->first < 0 || in->count < 0 ||
		in->count > plan->list_length - in->first)
		return false;
	for (int32_t i = in->first; i < in->first + in->count; i++)
	{
		if (!value_is_valid(in->type, list[i]) ||
			(i > in->first &&
			 gs_compare_values((gs_type) in->type, list[i - 1], list[i]) >= 0))
			return false;
	}
	return true;
}

/* Are there so many values where a table is? */
static bool
table_has(const gs_plan *plan, int32_t first, int64_t size)
{
	if (first >= 0)
		return first <= plan->list_length && size <= plan->list_length - first;
	return first >= GS_TABLE(plan->tables - 1) &&
		size <= plan->table[GS_TABLE(first)].size;
}

/* FIND: any bytes are an index, in which something may not be found. */
static bool
index_is_valid(const gs_plan *plan, const gs_instruction *in)
{
	return in->width >= 0 && in->width <= GS_INDEX_BITS && in->count >= 0 &&
		table_has(plan, in->first, gs_index_starts(in->width) + in->count);
}

/* LOOKUP: any entries are values. */
static bool
table_is_valid(const gs_plan *plan, const gs_instruction *in)
{
	bool		is_float = in->to == GS_FLOAT4 || in->to == GS_FLOAT8;

	return (in->width == 1 || in->width == 2 || in->width == 4 ||
			in->width == 8) &&
		(!is_float || in->width >= gs_type_width(in->to)) &&
		in->list_null <= 1 && in->count >= 0 && in->on_null >= -1 &&
		table_has(plan, in->first, gs_lookup_size(in));
}

/* Instructions: the types that `type` may be, and how many operands are read. */
static const struct
{
	unsigned	types;
	int			operands;
}			rules[GS_CODES] = {
	[GS_CODE_ADD] = {NUMBERS, 2},
	[GS_CODE_SUBTRACT] = {NUMBERS, 2},
	[GS_CODE_MULTIPLY] = {NUMBERS, 2},
	[GS_CODE_DIVIDE] = {NUMBERS, 2},
	[GS_CODE_NEGATE] = {NUMBERS, 1},
	[GS_CODE_ABS] = {NUMBERS, 1},
	[GS_CODE_LT] = {ANY, 2},
	[GS_CODE_LE] = {ANY, 2},
	[GS_CODE_EQ] = {ANY, 2},
	[GS_CODE_NE] = {ANY, 2},
	[GS_CODE_GE] = {ANY, 2},
	[GS_CODE_GT] = {ANY, 2},
	[GS_CODE_AND] = {BOOL, 2},
	[GS_CODE_OR] = {BOOL, 2},
	[GS_CODE_NOT] = {BOOL, 1},
	[GS_CODE_IS_NULL] = {ANY, 1},
	[GS_CODE_CHOOSE] = {ANY, 3},
	[GS_CODE_LEAST] = {ANY, 2},
	[GS_CODE_GREATEST] = {ANY, 2},
	[GS_CODE_CAST] = {NUMBERS, 1},
	[GS_CODE_IN] = {ANY, 1},
	[GS_CODE_LOOKUP] = {INTEGERS, 1},
	[GS_CODE_FLOOR_DIVIDE] = {INTEGERS, 2},
	[GS_CODE_MODULO] = {INTEGERS, 2},
	[GS_CODE_BIT_AND] = {INTEGERS, 2},
	[GS_CODE_BIT_OR] = {INTEGERS, 2},
	[GS_CODE_BIT_XOR] = {INTEGERS, 2},
	[GS_CODE_SHIFT_LEFT] = {INTEGERS, 2},
	[GS_CODE_SHIFT_RIGHT] = {INTEGERS, 2},
	[GS_CODE_BIT_NOT] = {INTEGERS, 1},
	[GS_CODE_FLOOR] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_CEIL] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_TRUNC] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_ROUND] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_SQRT] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_MONTH] = {BIT(GS_INT4), 1},
	[GS_CODE_MONTH_START] = {BIT(GS_INT4), 1},
	[GS_CODE_CHECK] = {NUMBERS, 3},
	[GS_CODE_SEARCH] = {NUMBERS, 1},
	[GS_CODE_FIND] = {INTEGERS, 1},
	[GS_CODE_EXP] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_LN] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_LOG10] = {BIT(GS_FLOAT8), 1},
	[GS_CODE_POWER] = {BIT(GS_FLOAT8), 2}
};

int
gs_code_operands(int code)
{
	return rules[code].operands;
}

gs_code
gs_code_exchanged(gs_code code)
{
	switch (code)
	{
		case GS_CODE_LT:
			return GS_CODE_GT;
		case GS_CODE_LE:
			return GS_CODE_GE;
		case GS_CODE_GE:
			return GS_CODE_LE;
		case GS_CODE_GT:
			return GS_CODE_LT;
		default:
			return code;
	}
}

static bool
instruction_is_valid(const gs_plan *plan, int at)
{
	const gs_instruction *i = &plan->code[at];
	unsigned	type;

	if (i->code >= GS_CODES || !is_type(i->type, rules[i->code].types))
		return false;
	type = BIT(i->type);
	if (!operand_is(plan, i->a, at, i->code == GS_CODE_CHOOSE ? BOOL : type) ||
		(rules[i->code].operands > 1 && !operand_is(plan, i->b, at, type)) ||
		(rules[i->code].operands > 2 && !operand_is(plan, i->c, at, type)))
		return false;
	switch (i->code)
	{
		case GS_CODE_CAST:
			return is_type(i->to, NUMBERS);
		case GS_CODE_IN:
			return i->list_null <= 1 && list_is_valid(plan, i);
		case GS_CODE_SEARCH:
			return list_is_valid(plan, i);
		case GS_CODE_LOOKUP:
			return is_type(i->to, ANY) && table_is_valid(plan, i);
		case GS_CODE_FIND:
			return index_is_valid(plan, i);
		default:
			return true;
	}
}

/* A histogram as an operation of its own. */
static bool
histogram_is_valid(const gs_aggregate *a, gs_type type)
{
	const gs_op op = {
		.kind = GS_HISTOGRAM_WIDTH,
		.type = type,
		.histogram = {
			.low = a->low,
			.high = a->high,
			.buckets = a->buckets,
			.formula = a->formula
		}
	};

	return gs_op_check(&op) == GS_OK;
}

static bool
aggregate_is_valid(const gs_plan *plan, const gs_aggregate *a)
{
	const int	all = plan->instructions;
	unsigned	types;

	if (plan->of_rows)
		return a->kind == GS_AGG_VALUE && a->filter == GS_NOTHING &&
			operand_is(plan, a->a, all, ANY);
	if (a->filter != GS_NOTHING && !operand_is(plan, a->filter, all, BOOL))
		return false;
	switch (a->kind)
	{
		case GS_AGG_COUNT:
			return a->a == GS_NOTHING || operand_is(plan, a->a, all, ANY);
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
			types = INTEGERS | BOOL;
			break;
		case GS_AGG_BIT_XOR:
			types = INTEGERS;
			break;
		case GS_AGG_SPECIALS:
			types = FLOATS;
			break;
		case GS_AGG_DISTINCT:
			types = ANY;
			break;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
		case GS_AGG_MIN:
		case GS_AGG_MAX:
		case GS_AGG_HISTOGRAM:
		case GS_AGG_PERCENTILE:
		case GS_AGG_MODE:
			types = NUMBERS;
			break;
		default:
			return false;
	}
	if (!operand_is(plan, a->a, all, types))
		return false;
	if (a->kind == GS_AGG_PRODUCTS)
		return operand_is(plan, a->b, all, BIT(gs_operand_type(plan, a->a)));
	if (a->kind == GS_AGG_HISTOGRAM)
		return histogram_is_valid(a, gs_operand_type(plan, a->a));
	if (a->kind == GS_AGG_PERCENTILE)
		return a->fraction >= 0 && a->fraction <= 1;
	return true;
}

static bool
is_array(const void *array, int32_t count, int32_t most)
{
	return count >= 0 && count <= most && (count == 0 || array != NULL);
}

gs_status
gs_plan_check(const gs_plan *plan)
{
	if (!is_array(plan->column, plan->columns, GS_PLAN_COLUMNS) ||
		!is_array(plan->code, plan->instructions, GS_PLAN_CODE) ||
		!is_array(plan->constant, plan->constants, GS_PLAN_CONSTANTS) ||
		!is_array(plan->key, plan->keys, GS_PLAN_KEYS) ||
		!is_array(plan->aggregate, plan->aggregates, GS_PLAN_AGGREGATES) ||
		!is_array(plan->list, plan->list_length, INT32_MAX) ||
		!is_array(plan->table, plan->tables, GS_PLAN_TABLES) ||
		(plan->of_rows != 0 && (plan->of_rows != 1 || plan->keys > 0)))
		return GS_INVALID;
	for (int i = 0; i < plan->columns; i++)
	{
		if (!is_type(plan->column[i], ANY))
			return GS_INVALID;
	}
	for (int i = 0; i < plan->constants; i++)
	{
		const gs_constant *c = &plan->constant[i];

		if (!is_type(c->type, ANY) || (c->null != 0 && c->null != 1) ||
			(!c->null && !value_is_valid(c->type, c->value)))
			return GS_INVALID;
	}
	for (int i = 0; i < plan->tables; i++)
	{
		if (plan->table[i].size < 1 || plan->table[i].size > INT32_MAX)
			return GS_INVALID;
	}
	for (int i = 0; i < plan->instructions; i++)
	{
		if (!instruction_is_valid(plan, i))
			return GS_INVALID;
	}
	if (plan->filter != GS_NOTHING &&
		!operand_is(plan, plan->filter, plan->instructions, BOOL))
		return GS_INVALID;
	for (int i = 0; i < plan->keys; i++)
	{
		gs_operand	key = plan->key[i];

		if (!operand_is(plan, key, plan->instructions, ANY) ||
			(key >= FIRST_CONSTANT && key < FIRST_RESULT))
			return GS_INVALID;
	}
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (!aggregate_is_valid(plan, &plan->aggregate[i]))
			return GS_INVALID;
	}
	return GS_OK;
}

/* Is it an aggregate whose state is a gs_float_sum? */
static bool
is_float_sum(const gs_plan *plan, const gs_aggregate *a)
{
	return a->kind >= GS_AGG_SUM && a->kind <= GS_AGG_PRODUCTS &&
		is_type(gs_operand_type(plan, a->a), FLOATS);
}

size_t
gs_state_size(const gs_plan *plan, int aggregate)
{
	const gs_aggregate *a = &plan->aggregate[aggregate];

	switch (a->kind)
	{
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			return is_float_sum(plan, a) ? sizeof(gs_float_sum) :
				sizeof(gs_integer_sum);
		case GS_AGG_MIN:
		case GS_AGG_MAX:
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
		case GS_AGG_BIT_XOR:
		case GS_AGG_MODE:
			return sizeof(gs_value);
		case GS_AGG_PERCENTILE:
			return 2 * sizeof(gs_value);
		case GS_AGG_SPECIALS:
			return GS_SPECIALS * sizeof(int64_t);
		case GS_AGG_HISTOGRAM:
			return ((size_t) a->buckets + 3) * sizeof(int64_t);
		case GS_AGG_VALUE:
			return (size_t) gs_type_width(gs_operand_type(plan, a->a));
		default:				/* GS_AGG_COUNT, GS_AGG_DISTINCT */
			return sizeof(int64_t);
	}
}

/* 0: there is no such column. */
size_t
gs_fetch_width(const gs_plan *plan, int column)
{
	int			at = column - GS_FETCH_STATE(0);

	if (column < 0)
		return 0;
	if (column < GS_FETCH_NULLS)
		return column < plan->keys ? sizeof(gs_value) : 0;
	if (column == GS_FETCH_NULLS)
		return plan->of_rows ? 0 : sizeof(uint8_t);
	if (at / 2 >= plan->aggregates)
		return 0;
	if (at % 2 == 0)
		return gs_state_size(plan, at / 2);
	if (plan->of_rows)
		return sizeof(uint64_t);
	if (!is_float_sum(plan, &plan->aggregate[at / 2]))
		return 0;
	return plan->aggregate[at / 2].kind == GS_AGG_SUM ? sizeof(gs_acc) :
		sizeof(gs_acc2);
}

gs_limbs
gs_float_sum_limbs(const gs_float_sum *sum, bool squares, const void *wide,
				   int64_t *space)
{
	const int	last = GS_FLOAT_SUM_LIMBS - 1;
	gs_limbs	r;

	if (sum->wide > 0)
		return squares ? gs_acc2_limbs(wide) : gs_acc_limbs(wide);
	for (int i = 0; i < last; i++)
		space[i] = sum->limb[i];
	space[last] = (int32_t) sum->limb[last];	/* the sign */
	r.limb = space;
	r.n = GS_FLOAT_SUM_LIMBS;
	r.lowest = (squares ? GS_ACC2_LOWEST : GS_ACC_LOWEST) + 32 * sum->first;
	r.seen = sum->seen;
	return r;
}

bool
gs_float_sum_make(const int64_t *limb, int n, int first, uint32_t seen,
				  gs_float_sum *sum)
{
	int			skip = 0;
	uint32_t	sign;

	memset(sum, 0, sizeof *sum);
	sum->seen = seen;
	while (skip < n && (uint32_t) limb[skip] == 0)
		skip++;
	if (skip == n)
		return true;
	sign = gs_limb_at(limb, n, skip + GS_FLOAT_SUM_LIMBS - 1) >> 31 ?
		UINT32_MAX : 0;
	for (int i = skip + GS_FLOAT_SUM_LIMBS; i <= n; i++)
	{
		if (gs_limb_at(limb, n, i) != sign)
			return false;
	}
	sum->first = first + skip;
	for (int i = 0; i < GS_FLOAT_SUM_LIMBS; i++)
		sum->limb[i] = gs_limb_at(limb, n, skip + i);
	return true;
}
