/*-------------------------------------------------------------------------
 *
 * plan_print.c
 *	  Plans, rows and states as text.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "test/common/compare.h"

#define ROWS_PRINTED	12

static const char *const code_names[GS_CODES] = {
	[GS_CODE_ADD] = "+",[GS_CODE_SUBTRACT] = "-",[GS_CODE_MULTIPLY] = "*",
	[GS_CODE_DIVIDE] = "/",[GS_CODE_NEGATE] = "negate",
	[GS_CODE_ABS] = "abs",[GS_CODE_LT] = "<",[GS_CODE_LE] = "<=",
	[GS_CODE_EQ] = "=",[GS_CODE_NE] = "<>",[GS_CODE_GE] = ">=",
	[GS_CODE_GT] = ">",[GS_CODE_AND] = "and",[GS_CODE_OR] = "or",
	[GS_CODE_NOT] = "not",[GS_CODE_IS_NULL] = "is null",
	[GS_CODE_CHOOSE] = "choose",[GS_CODE_LEAST] = "least",
	[GS_CODE_GREATEST] = "greatest",[GS_CODE_CAST] = "cast",
	[GS_CODE_IN] = "in",[GS_CODE_LOOKUP] = "lookup",
	[GS_CODE_FLOOR_DIVIDE] = "floor /",[GS_CODE_MODULO] = "%",
	[GS_CODE_BIT_AND] = "&",[GS_CODE_BIT_OR] = "|",[GS_CODE_BIT_XOR] = "#",
	[GS_CODE_SHIFT_LEFT] = "<<",[GS_CODE_SHIFT_RIGHT] = ">>",
	[GS_CODE_BIT_NOT] = "~",[GS_CODE_FLOOR] = "floor",[GS_CODE_CEIL] = "ceil",
	[GS_CODE_TRUNC] = "trunc",[GS_CODE_ROUND] = "round",
	[GS_CODE_SQRT] = "sqrt",[GS_CODE_MONTH] = "month",
	[GS_CODE_MONTH_START] = "month start",[GS_CODE_CHECK] = "check",
	[GS_CODE_SEARCH] = "search",[GS_CODE_FIND] = "find",
	[GS_CODE_EXP] = "exp",[GS_CODE_LN] = "ln",[GS_CODE_LOG10] = "log10",
	[GS_CODE_POWER] = "^"
};

static const char *const aggregate_names[GS_AGGREGATE_KINDS] = {
	[GS_AGG_COUNT] = "count",[GS_AGG_SUM] = "sum",
	[GS_AGG_SQUARES] = "squares",[GS_AGG_PRODUCTS] = "products",
	[GS_AGG_MIN] = "min",[GS_AGG_MAX] = "max",[GS_AGG_BIT_AND] = "bit_and",
	[GS_AGG_BIT_OR] = "bit_or",[GS_AGG_BIT_XOR] = "bit_xor",
	[GS_AGG_SPECIALS] = "specials",[GS_AGG_HISTOGRAM] = "histogram",
	[GS_AGG_PERCENTILE] = "percentile",[GS_AGG_MODE] = "mode",
	[GS_AGG_DISTINCT] = "distinct",
	[GS_AGG_VALUE] = "value"
};

static void
print_value(gs_type type, gs_value v)
{
	if (is_float(type))
		printf("%.17g", value_double(type, v));
	else
		printf("%" PRId64, value_int(type, v));
	if (is_float(type) && value_double(type, v) != value_double(type, v))
		printf("(%" PRIx64 ")", value_bits(type, v));
}

static void
print_operand(const gs_plan *plan, gs_operand operand)
{
	if (operand == GS_NOTHING)
		printf(" *");
	else if (operand < 0x1000)
		printf(" c%d", operand);
	else if (operand >= 0x2000)
		printf(" r%d", operand - 0x2000);
	else if (plan->constant[operand - 0x1000].null)
		printf(" null");
	else
	{
		printf(" ");
		print_value((gs_type) plan->constant[operand - 0x1000].type,
					plan->constant[operand - 0x1000].value);
	}
}

static void
note(bool *used, gs_operand operand)
{
	if (operand >= 0)
		used[operand] = true;
}

/* Which columns and instructions do results depend on? */
static void
find_used(const gs_plan *plan, bool *used)
{
	memset(used, 0, 0x3000);
	note(used, plan->filter);
	for (int k = 0; k < plan->keys; k++)
		note(used, plan->key[k]);
	for (int i = 0; i < plan->aggregates; i++)
	{
		note(used, plan->aggregate[i].filter);
		note(used, plan->aggregate[i].a);
		if (plan->aggregate[i].kind == GS_AGG_PRODUCTS)
			note(used, plan->aggregate[i].b);
	}
	for (int i = plan->instructions - 1; i >= 0; i--)
	{
		const gs_instruction *in = &plan->code[i];

		if (!used[GS_RESULT(i)])
			continue;
		note(used, in->a);
		if (plan_reads_b(in->code))
			note(used, in->b);
		if (plan_reads_c(in->code))
			note(used, in->c);
	}
}

static void
print_list(const gs_plan *plan, const gs_instruction *in)
{
	gs_type		type = (gs_type) (in->code == GS_CODE_LOOKUP ? in->to : in->type);

	printf(" (");
	for (int i = 0; i < in->count && i < 30; i++)
	{
		gs_value	value;

		if (in->code != GS_CODE_LOOKUP)
			value = plan->list[in->first + i];
		else if (!plan_table_entry(plan, in, i, &value))
		{
			printf(" null");
			continue;
		}
		printf(" ");
		print_value(type, value);
	}
	printf(" )%s of %d", in->count > 30 ? " ..." : "", in->count);
	if (in->code == GS_CODE_IN)
		printf("%s", in->list_null ? " and null" : "");
	else if (in->code == GS_CODE_LOOKUP)
		printf(" of %d bytes from %" PRId64 ", null at %d", in->width, in->low,
			   in->on_null);
}

static void
print_instruction(const gs_plan *plan, int i)
{
	const gs_instruction *in = &plan->code[i];

	printf("#   r%d = %s %s", i, type_names[in->type], code_names[in->code]);
	print_operand(plan, in->a);
	if (plan_reads_b(in->code))
		print_operand(plan, in->b);
	if (plan_reads_c(in->code))
		print_operand(plan, in->c);
	if (in->code == GS_CODE_CAST || in->code == GS_CODE_LOOKUP)
		printf(" to %s", type_names[in->to]);
	if (in->code == GS_CODE_IN || in->code == GS_CODE_LOOKUP ||
		in->code == GS_CODE_SEARCH)
		print_list(plan, in);
	if (in->code == GS_CODE_FIND)
		printf(" of %d, %d bits, factor %" PRId64, in->count, in->width, in->low);
	printf("\n");
}

static void
print_aggregate(const gs_plan *plan, int i)
{
	const gs_aggregate *agg = &plan->aggregate[i];

	printf("#   a%d = %s", i, aggregate_names[agg->kind]);
	print_operand(plan, agg->a);
	if (agg->kind == GS_AGG_PRODUCTS)
		print_operand(plan, agg->b);
	if (agg->kind == GS_AGG_HISTOGRAM)
		printf(" %d buckets from %.17g to %.17g, formula %d", agg->buckets,
			   agg->low, agg->high, agg->formula);
	if (agg->kind == GS_AGG_PERCENTILE)
		printf(" at %.17g", agg->fraction);
	if (agg->filter != GS_NOTHING)
	{
		printf(" filter");
		print_operand(plan, agg->filter);
	}
	printf("\n");
}

void
plan_print(const plan_case *c)
{
	const gs_plan *plan = &c->plan;
	bool		used[0x3000];

	find_used(plan, used);
	printf("#   %" PRId64 " rows%s\n", c->rows,
		   c->counts != NULL ? ", of which some do not count" : "");
	for (int i = 0; i < plan->columns; i++)
	{
		if (!used[i])
			continue;
		printf("#   c%d %s:", i, type_names[c->column[i]]);
		for (int64_t row = 0; row < c->rows && row < ROWS_PRINTED; row++)
		{
			printf(c->counts != NULL && !c->counts[row] ? " -" : " ");
			if (c->null[i][row])
				printf("null");
			else
				print_value((gs_type) c->column[i], c->value[i][row]);
		}
		printf("\n");
	}
	for (int i = 0; i < plan->instructions; i++)
	{
		if (used[GS_RESULT(i)])
			print_instruction(plan, i);
	}
	if (plan->filter != GS_NOTHING)
	{
		printf("#   where");
		print_operand(plan, plan->filter);
		printf("\n");
	}
	for (int k = 0; k < plan->keys; k++)
	{
		printf(k == 0 ? "#   by" : "");
		print_operand(plan, plan->key[k]);
		printf(k == plan->keys - 1 ? "\n" : ",");
	}
	for (int i = 0; i < plan->aggregates; i++)
		print_aggregate(plan, i);
}

void
plan_print_state(const plan_case *c, int aggregate, const void *state)
{
	const gs_aggregate *agg = &c->plan.aggregate[aggregate];
	size_t		size = plan_state_size(&c->plan, aggregate);
	gs_float_sum sum;

	if (plan_is_float_sum(&c->plan, aggregate))
	{
		memcpy(&sum, state, sizeof sum);
		printf(" seen %x first %d wide %d limbs", sum.seen, sum.first,
			   sum.wide);
		for (int i = 0; i < GS_FLOAT_SUM_LIMBS; i++)
			printf(" %08x", sum.limb[i]);
		return;
	}
	for (size_t at = 0; at < size && at < 400; at += 8)
	{
		uint64_t	word = 0;

		memcpy(&word, (const char *) state + at,
			   size - at < sizeof word ? size - at : sizeof word);
		if (agg->kind == GS_AGG_COUNT || agg->kind >= GS_AGG_SPECIALS)
			printf(" %" PRId64, (int64_t) word);
		else
			printf(" %016" PRIx64, word);
	}
}
