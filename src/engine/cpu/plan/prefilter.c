/*-------------------------------------------------------------------------
 *
 * prefilter.c
 *	  Conditions of a filter, one after the other, so that the rest of the program is
 *	  for the rows that may pass.
 *
 * A row for which a condition is false does not count, whatever the others have;
 * where it is NULL or an error, the whole filter tells.  If at most half of a tile's
 * rows are left, its columns are packed.  Then the whole program is executed for
 * them, with what has been computed already: that is less than it saves.
 *
 * The order of conditions does not matter for what they give: false wins over an
 * error.  So one that leaves fewer rows for what it costs comes to be tested before
 * others, whatever the order in which the query has them.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

/* So many tiles are not tested at most after one that was in vain. */
#define UNTESTED_MAX	15

/* Instructions that a condition saves, at least. */
#define SAVED_MIN		3

/*
 * In simple instructions: a search in an index; to list the rows that a condition
 * leaves, of all; and to pack their columns, of those.
 */
#define FIND_PRICE	10
#define LIST_PRICE	2
#define PACK_PRICE	4

/* Rows by which conditions are compared, at least; and after which old ones count half. */
#define TESTED_MIN	256
#define TESTED_MAX	(64 * GROUP_TILE)

static bool
needs(const group_condition *c, int instruction)
{
	return (c->needs[instruction / 64] >> instruction % 64 & 1) != 0;
}

static int
add_needs(const gs_plan *plan, gs_operand operand, group_condition *c)
{
	int			i = operand - GS_RESULT(0);
	const gs_instruction *in;
	int			operands;

	if (operand < GS_RESULT(0) || needs(c, i))
		return 0;
	c->needs[i / 64] |= UINT64_C(1) << i % 64;
	in = &plan->code[i];
	c->price += in->code == GS_CODE_FIND ? FIND_PRICE : 1;
	operands = gs_code_operands(in->code);
	return 1 + add_needs(plan, in->a, c) +
		(operands > 1 ? add_needs(plan, in->b, c) : 0) +
		(operands > 2 ? add_needs(plan, in->c, c) : 0);
}

/* The column whose values are compared with constants, in all of it; else -1. */
static int
column_of(const gs_plan *plan, gs_operand operand)
{
	const gs_instruction *in;
	int			column;

	if (operand < GS_RESULT(0))
		return -1;
	in = &plan->code[operand - GS_RESULT(0)];
	if (in->code == GS_CODE_AND)
	{
		column = column_of(plan, in->a);
		return column == column_of(plan, in->b) ? column : -1;
	}
	if (in->code < GS_CODE_LT || in->code > GS_CODE_GT)
		return -1;
	if (in->a < GS_CONSTANT(0) && in->b >= GS_CONSTANT(0) && in->b < GS_RESULT(0))
		return in->a;
	return in->b < GS_CONSTANT(0) && in->a >= GS_CONSTANT(0) &&
		in->a < GS_RESULT(0) ? in->b : -1;
}

/* Both limits of a column are one condition: each may leave out few rows. */
static void
add_conditions(gs_plan_run *run, gs_operand operand, int instructions)
{
	const gs_plan *plan = run->plan;
	group_condition *c = &run->condition[run->conditions];
	const gs_instruction *in;

	if (operand < GS_RESULT(0) || run->conditions == GROUP_CONDITIONS)
		return;
	in = &plan->code[operand - GS_RESULT(0)];
	if (in->code == GS_CODE_AND && column_of(plan, operand) < 0)
	{
		add_conditions(run, in->a, instructions);
		add_conditions(run, in->b, instructions);
		return;
	}
	*c = (group_condition) {.operand = operand};
	if (instructions - add_needs(plan, operand, c) >= SAVED_MIN)
		run->conditions++;
}

/* After gs_group_compile, which says what is executed. */
void
gs_group_plan_prefilter(gs_plan_run *run)
{
	int			instructions = 0;

	for (int i = 0; i < run->plan->instructions; i++)
		instructions += run->step[i].run != NULL;
	add_conditions(run, run->plan->filter, instructions);
}

/* Which of n rows may be true?  Clear the flags of the others. */
static void
clear_false(gs_plan_run *run, const group_condition *c, int n, uint8_t *keep)
{
	group_vector v;
	const uint8_t *value;

	for (int i = 0; i < run->plan->instructions; i++)
	{
		if (needs(c, i))
			run->step[i].run(run, &run->step[i], n);
	}
	v = gs_group_vector(run, c->operand);
	value = v.values;
	if (v.states == NULL)
	{
		for (int i = 0; i < n; i++)
			keep[i] &= value[i];
		return;
	}
	for (int i = 0; i < n; i++)
		keep[i] &= value[i] | (v.states[i] != 0);
}

/* Values that are where they go to are before the places that they go to. */
static void
pack_columns(gs_plan_run *run, int kept)
{
	for (int i = 0; i < run->plan->columns; i++)
	{
		group_column *c = &run->column[i];

		if (!c->used)
			continue;
		gs_group_gather(c->vector.values, gs_type_width(c->type), run->selected,
						kept, c->space->values);
		c->vector.values = c->space->values;
		if (c->vector.states == NULL)
			continue;
		gs_group_gather(c->vector.states, 1, run->selected, kept,
						c->space->states);
		c->vector.states = c->space->states;
	}
}

/* What it takes to leave out a row. */
static double
rank_of(const group_condition *c)
{
	double		share = c->left / c->tested;

	return (c->price + LIST_PRICE + PACK_PRICE * share) / (1 - share);
}

/* Condition i has left so many of n rows. */
static void
note_test(gs_plan_run *run, int i, int n, int kept)
{
	group_condition *c = &run->condition[i];
	group_condition *before = c - 1;
	group_condition swapped;

	c->tested += n;
	c->left += kept;
	if (c->tested > TESTED_MAX)
	{
		c->tested /= 2;
		c->left /= 2;
	}
	if (i == 0 || c->tested < TESTED_MIN || before->tested < TESTED_MIN ||
		rank_of(c) >= rank_of(before))
		return;
	swapped = *c;
	*c = *before;
	*before = swapped;
}

int
gs_group_prefilter(gs_plan_run *run, const gs_batch *batch, int64_t at, int n,
				   bool *packed)
{
	*packed = false;
	for (int i = 0; i < run->conditions && n > 0; i++)
	{
		group_condition *c = &run->condition[i];
		int			kept;

		if (c->untested > 0)
		{
			c->untested--;
			continue;
		}
		if (*packed || !gs_group_masks(batch, at, n))
			memset(run->keep, 1, n);
		else
			gs_cpu_bits_to_flags(batch->rows, at, n, run->keep);
		clear_false(run, c, n, run->keep);
		kept = gs_group_list(run->keep, n, run->selected);
		if (kept > n / 2)
		{
			c->pause = 2 * c->pause < UNTESTED_MAX ? 2 * c->pause + 1 : UNTESTED_MAX;
			c->untested = c->pause;
			note_test(run, i, n, kept);
			continue;
		}
		c->pause = 0;
		note_test(run, i, n, kept);
		pack_columns(run, kept);
		*packed = true;
		n = kept;
	}
	return n;
}
