/*-------------------------------------------------------------------------
 *
 * prefilter.cu
 *	  What rows can be tested for before a plan's program: host code.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/evaluate.cuh"

static bool
is_integer(int type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

/* Narrow the limits by LEAST or GREATEST with a constant; false: it is neither. */
static bool
add_limit(const gs_plan *plan, const gs_instruction *code, evaluate_probe *probe)
{
	const gs_constant *k;
	int64_t		limit;

	if ((code->code != GS_CODE_LEAST && code->code != GS_CODE_GREATEST) ||
		code->b < GS_CONSTANT(0) || group_is_result(code->b))
		return false;
	k = &plan->constant[code->b - GS_CONSTANT(0)];
	if (k->null)
		return false;
	limit = group_ordered_constant(k);
	if (code->code == GS_CODE_LEAST)
		probe->most = limit < probe->most ? limit : probe->most;
	else
		probe->least = limit > probe->least ? limit : probe->least;
	return true;
}

/*
 * What leads from an operand to what it is of: casts to wider integers, and
 * limits, which are put in any order if they leave any value.
 */
static gs_operand
find_source(const gs_plan *plan, gs_operand o, evaluate_probe *probe)
{
	probe->least = INT64_MIN;
	probe->most = INT64_MAX;
	while (group_is_result(o))
	{
		const gs_instruction *code = &plan->code[o - GS_RESULT(0)];

		if (!is_integer(code->type) ||
			(code->code == GS_CODE_CAST ?
			 !is_integer(code->to) || code->to < code->type :
			 !add_limit(plan, code, probe)))
			break;
		o = code->a;
	}
	return probe->least <= probe->most ? o : GS_NOTHING;
}

/* What is found is at least 0: whether it is limited to that does not matter. */
static bool
leads_through(const gs_instruction *code, const evaluate_probe *probe)
{
	return probe->most == INT64_MAX &&
		((code->code == GS_CODE_FIND && probe->least <= 0) ||
		 (code->code == GS_CODE_LOOKUP && probe->least == INT64_MIN &&
		  is_integer(code->to)));
}

/* A row fails where this LOOKUP is false. */
static void
add_probe(const gs_plan *plan, const gs_instruction *code, evaluate_prefilter *f)
{
	evaluate_probe *probe = &f->probe[f->probes];
	gs_operand	o;

	if (code->to != GS_BOOL || f->probes == EVALUATE_PROBES)
		return;
	memset(probe, 0, sizeof *probe);
	probe->flag = *code;
	o = find_source(plan, code->a, probe);
	if (group_is_result(o) && leads_through(&plan->code[o - GS_RESULT(0)], probe))
	{
		probe->through = plan->code[o - GS_RESULT(0)];
		o = find_source(plan, probe->through.a, probe);
	}
	if (!group_is_column(o) || !is_integer(plan->column[o]))
		return;
	probe->column = o;
	f->probes++;
}

static void
add_conditions(const gs_plan *plan, gs_operand o, evaluate_prefilter *f)
{
	const gs_instruction *code;

	if (!group_is_result(o))
		return;
	code = &plan->code[o - GS_RESULT(0)];
	if (code->code == GS_CODE_AND)
	{
		add_conditions(plan, code->a, f);
		add_conditions(plan, code->b, f);
	}
	else if (code->code == GS_CODE_LOOKUP)
		add_probe(plan, code, f);
	else
		(void) group_ranges_add(plan, o, f->range, &f->ranges);
}

void
group_prefilter_make(const gs_plan *plan, evaluate_prefilter *f)
{
	add_conditions(plan, plan->filter, f);
}

/*
 * A comparison with NULL is not false, so that an error in the rest of the filter
 * counts: ranges are for columns without.
 */
void
group_prefilter_place(evaluate_prefilter *f, const group_column *column)
{
	f->placed = 0;
	for (int i = 0; i < f->ranges; i++)
	{
		const group_column *c = &column[f->range[i].column];
		evaluate_range range = f->range[i];

		if (c->validity != NULL)
			continue;
		f->range[i] = f->range[f->placed];
		group_range_place(&range, c);
		f->range[f->placed++] = range;
	}
	for (int i = 0; i < f->probes; i++)
		f->probe[i].c = column[f->probe[i].column];
}
