/*-------------------------------------------------------------------------
 *
 * prefilter.cu
 *	  What rows can be tested for before a plan's program: host code.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/evaluate.cuh"

#include "engine/arithmetic.h"

static int64_t
integer_of(const gs_constant *k)
{
	return k->type == GS_INT8 ? k->value.i8 :
		k->type == GS_INT4 ? k->value.i4 : k->value.i2;
}

static bool
is_integer(int type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

/* What a LOOKUP's operand makes of a column: its value, within limits. */
typedef struct limited
{
	gs_operand	column;
	bool		has_least;
	bool		has_most;
	int64_t		least;
	int64_t		most;
} limited;

/* Add LEAST or GREATEST with a constant, outermost first; false: it is neither. */
static bool
add_limit(const gs_plan *plan, const gs_instruction *code, limited *l)
{
	const gs_constant *k = &plan->constant[code->b - GS_CONSTANT(0)];

	if (code->b < GS_CONSTANT(0) || group_is_result(code->b) || k->null)
		return false;
	if (code->code == GS_CODE_GREATEST && !l->has_least && !l->has_most)
	{
		l->has_least = true;
		l->least = integer_of(k);
		return true;
	}
	if (code->code == GS_CODE_LEAST && !l->has_most)
	{
		l->has_most = true;
		l->most = integer_of(k);
		return true;
	}
	return false;
}

/* Is it the value of a column, cast to wider integers and limited? */
static bool
find_limited(const gs_plan *plan, gs_operand o, limited *l)
{
	memset(l, 0, sizeof *l);
	while (group_is_result(o))
	{
		const gs_instruction *code = &plan->code[o - GS_RESULT(0)];

		if (!is_integer(code->type) ||
			(code->code == GS_CODE_CAST ?
			 !is_integer(code->to) || code->to < code->type :
			 !add_limit(plan, code, l)))
			return false;
		o = code->a;
	}
	l->column = o;
	return group_is_column(o) && is_integer(plan->column[o]);
}

/* A row fails where this LOOKUP is false. */
static void
add_probe(const gs_plan *plan, const gs_instruction *code, evaluate_prefilter *f)
{
	evaluate_probe *probe = &f->probe[f->probes];
	const int64_t high = (int64_t) ((uint64_t) code->low + (uint32_t) code->count) - 1;
	limited		l;
	int64_t		first;
	int64_t		last;

	if (code->to != GS_BOOL || code->count < 1 || high < code->low ||
		f->probes == EVALUATE_PROBES || !find_limited(plan, code->a, &l))
		return;
	first = l.has_least ? l.least : code->low;
	last = l.has_most ? l.most : high;
	if (first < code->low || last > high || first > last)
		return;
	memset(probe, 0, sizeof *probe);
	probe->column = l.column;
	probe->table = code->first;
	probe->first = first;
	probe->span = (uint32_t) (last - first);
	probe->offset = (int32_t) (first - code->low);
	probe->width = code->width;
	if (code->list_null)
		probe->nulls = (int32_t) (gs_lookup_values(code) * sizeof(gs_value));
	probe->below = l.has_least;
	probe->above = l.has_most;
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
