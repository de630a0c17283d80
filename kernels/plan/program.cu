/*-------------------------------------------------------------------------
 *
 * program.cu
 *	  From a plan to what the device evaluates: host code.
 *
 * Only results that something needs are computed.  Each gets a slot, which is
 * reused after its last use.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/elements.h"
#include "kernels/plan/evaluate.cuh"

/* All slots of a warp fit in shared memory. */
#define MAX_SLOTS	200

typedef struct allocation
{
	const gs_plan *plan;
	gs_operand	filter;			/* if it is not ranges */
	int			last_use[GS_PLAN_CODE];		/* step; -1: not needed */
	int			slot[GS_PLAN_CODE];
	bool		used[MAX_SLOTS];
} allocation;

static void
use(allocation *a, gs_operand o, int at)
{
	if (group_is_result(o) && a->last_use[o - GS_RESULT(0)] < at)
		a->last_use[o - GS_RESULT(0)] = at;
}

static evaluate_operand
place_of(const allocation *a, gs_operand o)
{
	evaluate_operand r = {FROM_NOWHERE, 0};

	if (o == GS_NOTHING)
		return r;
	if (group_is_result(o))
	{
		r.from = FROM_SLOT;
		r.index = (int16_t) a->slot[o - GS_RESULT(0)];
	}
	else if (group_is_column(o))
	{
		r.from = FROM_COLUMN;
		r.index = o;
	}
	else
	{
		r.from = FROM_CONSTANT;
		r.index = (int16_t) (o - GS_CONSTANT(0));
	}
	return r;
}

static int
find_slot(allocation *a, evaluate_program *p)
{
	for (int s = 0; s < MAX_SLOTS; s++)
	{
		if (a->used[s])
			continue;
		a->used[s] = true;
		if (s >= p->slots)
			p->slots = s + 1;
		return s;
	}
	return -1;
}

static void
end_use(allocation *a, gs_operand o, int at)
{
	if (group_is_result(o) && a->last_use[o - GS_RESULT(0)] == at)
		a->used[a->slot[o - GS_RESULT(0)]] = false;
}

/* Find out which results are needed, and up to which step. */
static void
find_uses(allocation *a)
{
	const gs_plan *plan = a->plan;

	for (int i = 0; i < plan->instructions; i++)
		a->last_use[i] = -1;
	use(a, a->filter, GS_PLAN_CODE);
	for (int k = 0; k < plan->keys; k++)
		use(a, plan->key[k], GS_PLAN_CODE);
	for (int i = 0; i < plan->aggregates; i++)
	{
		use(a, plan->aggregate[i].a, GS_PLAN_CODE);
		if (plan->aggregate[i].kind == GS_AGG_PRODUCTS)
			use(a, plan->aggregate[i].b, GS_PLAN_CODE);
		use(a, plan->aggregate[i].filter, GS_PLAN_CODE);
	}
	for (int i = plan->instructions - 1; i >= 0; i--)
	{
		if (a->last_use[i] < 0)
			continue;
		use(a, plan->code[i].a, i);
		if (gs_code_operands(plan->code[i].code) > 1)
			use(a, plan->code[i].b, i);
		if (gs_code_operands(plan->code[i].code) > 2)
			use(a, plan->code[i].c, i);
	}
}

static bool
add_steps(allocation *a, evaluate_program *p)
{
	for (int i = 0; i < a->plan->instructions; i++)
	{
		const gs_instruction *code = &a->plan->code[i];
		evaluate_step *step;

		if (a->last_use[i] < 0)
			continue;
		step = &p->step[p->steps++];
		step->code = *code;
		p->elementary |= gs_code_is_elementary(code->code);
		step->operands = gs_code_operands(code->code);
		step->a = place_of(a, code->a);
		step->b = place_of(a, step->operands > 1 ? code->b : GS_NOTHING);
		step->c = place_of(a, step->operands > 2 ? code->c : GS_NOTHING);

		/* the result may take the place of an operand, which is read before */
		end_use(a, code->a, i);
		if (step->operands > 1)
			end_use(a, code->b, i);
		if (step->operands > 2)
			end_use(a, code->c, i);
		a->slot[i] = find_slot(a, p);
		if (a->slot[i] < 0)
			return false;
		step->slot = a->slot[i];
	}
	return true;
}

/* A key or argument that is no column is computed, once. */
static void
add_output(allocation *a, evaluate_program *p, gs_operand o)
{
	evaluate_output *output;

	if (o == GS_NOTHING || group_is_column(o))
		return;
	for (int i = 0; i < p->outputs; i++)
	{
		if (p->output[i].of == o)
			return;
	}
	output = &p->output[p->outputs++];
	output->operand = place_of(a, o);
	output->of = o;
	output->type = gs_operand_type(a->plan, o);
	output->width = gs_type_width((gs_type) output->type);
}

static void
add_filter(allocation *a, evaluate_program *p, gs_operand o)
{
	evaluate_filter *filter;

	if (o == GS_NOTHING)
		return;
	for (int i = 0; i < p->filters; i++)
	{
		if (p->filter_of[i].of == o)
			return;
	}
	filter = &p->filter_of[p->filters++];
	filter->operand = place_of(a, o);
	filter->of = o;
}

static void
add_check(allocation *a, evaluate_program *p, gs_operand o, gs_operand filter)
{
	evaluate_check check = {place_of(a, o), place_of(a, filter)};

	if (!group_is_result(o))
		return;
	for (int i = 0; i < p->checks; i++)
	{
		if (memcmp(&p->check[i], &check, sizeof check) == 0)
			return;
	}
	p->check[p->checks++] = check;
}

bool
group_program_make(const gs_plan *plan, evaluate_program *p)
{
	allocation	a;

	memset(&a, 0, sizeof a);
	memset(p, 0, sizeof *p);
	a.plan = plan;
	a.filter = plan->filter;
	if (group_ranges_add(plan, plan->filter, p->range, &p->ranges))
		a.filter = GS_NOTHING;
	else
	{
		p->ranges = 0;
		group_prefilter_make(plan, &p->prefilter);
	}
	find_uses(&a);
	if (!add_steps(&a, p))
		return false;
	p->filter = place_of(&a, a.filter);
	for (int k = 0; k < plan->keys; k++)
	{
		add_output(&a, p, plan->key[k]);
		add_check(&a, p, plan->key[k], GS_NOTHING);
	}
	for (int i = 0; i < plan->aggregates; i++)
	{
		const gs_aggregate *aggregate = &plan->aggregate[i];

		add_filter(&a, p, aggregate->filter);
		add_output(&a, p, aggregate->a);
		add_check(&a, p, aggregate->a, aggregate->filter);
		if (aggregate->kind != GS_AGG_PRODUCTS)
			continue;
		add_output(&a, p, aggregate->b);
		add_check(&a, p, aggregate->b, aggregate->filter);
	}
	if (plan->constants > 0)
		memcpy(p->constant, plan->constant,
			   plan->constants * sizeof(gs_constant));
	for (int i = 0; i < plan->tables; i++)
		p->table[i] = plan->table[i].value;
	return true;
}

bool
group_program_is_empty(const evaluate_program *p)
{
	return p->filter.from == FROM_NOWHERE && p->outputs == 0 &&
		p->filters == 0;
}

bool
group_program_is_arguments(const gs_plan *plan, const evaluate_program *p)
{
	bool		computed_keys = false;

	for (int k = 0; k < plan->keys; k++)
		computed_keys |= !group_is_column(plan->key[k]);
	for (int i = 0; i < p->outputs; i++)
	{
		if (p->output[i].operand.from != FROM_SLOT)
			return false;
	}
	return p->filter.from == FROM_NOWHERE && p->filters == 0 &&
		p->outputs > 0 && !computed_keys && !p->elementary;
}

static bool
operand_is_nullable(const evaluate_program *p, evaluate_operand o)
{
	return (o.from == FROM_COLUMN && p->column[o.index].validity != NULL) ||
		(o.from == FROM_CONSTANT && p->constant[o.index].null);
}

bool
group_program_gives_null(const evaluate_program *p)
{
	for (int i = 0; i < p->steps; i++)
	{
		const evaluate_step *step = &p->step[i];

		if (operand_is_nullable(p, step->a) ||
			operand_is_nullable(p, step->b) ||
			operand_is_nullable(p, step->c) ||
			step->code.code == GS_CODE_LOOKUP ||
			(step->code.code == GS_CODE_IN && step->code.list_null))
			return true;
	}
	return false;
}
