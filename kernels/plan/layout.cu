/*-------------------------------------------------------------------------
 *
 * layout.cu
 *	  Which actions a plan needs, and where their words are: host code.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "kernels/plan/states.cuh"

/* Digits of a sum: of an integer of so many bits, of a float. */
static int
digits_of(int kind, int type)
{
	bool		plain = kind == GS_AGG_SUM;

	switch (type)
	{
		case GS_INT2:
			return plain ? 1 : 2;
		case GS_INT4:
			return plain ? 2 : 4;
		default:
			return plain ? 4 : 8;
	}
}

static int
add_rare(group_layout *layout, int words)
{
	int			first = layout->rare_words;

	layout->rare_words += words;
	return first;
}

static int
add_words(group_layout *layout, int words)
{
	int			first = layout->words;

	layout->words += words;
	return first;
}

/* Place a new action's words. */
static void
place(group_layout *layout, group_action *action)
{
	action->single = -1;
	switch (action->kind)
	{
		case GS_AGG_COUNT:
			action->rare = add_rare(layout, 1);
			break;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			action->most_digits = (int16_t) digits_of(action->kind,
													  action->type);
			action->words = (action->most_digits + 1) / 2 + 1;
			action->word = add_words(layout, action->words);
			if (group_is_float(action->type))
				action->rare = add_rare(layout, GROUP_RARE_WORDS);
			break;
		case GS_AGG_BIT_XOR:
			action->word = add_words(layout, 1);
			break;
		case GS_AGG_SPECIALS:
			action->rare = add_rare(layout, GS_SPECIALS);
			break;
		case GS_AGG_HISTOGRAM:
			action->word = add_words(layout, action->histogram.buckets + 3);
			break;
		default:
			action->word = add_words(layout, 1);
			action->single = layout->singles++;
	}
}

/* The action for this, which may be there already. */
static int
find_action(group_layout *layout, const gs_plan *plan,
			const gs_aggregate *aggregate, int kind, gs_operand b)
{
	group_action *action;

	for (int i = 0; i < layout->actions; i++)
	{
		action = &layout->action[i];
		if (action->kind == kind && action->of_a == aggregate->a &&
			action->of_b == b && action->of_filter == aggregate->filter &&
			(kind != GS_AGG_HISTOGRAM ||
			 (action->histogram.buckets == aggregate->buckets &&
			  action->histogram.formula == aggregate->formula &&
			  action->histogram.low == aggregate->low &&
			  action->histogram.high == aggregate->high)))
			return i;
	}
	action = &layout->action[layout->actions++];
	memset(action, 0, sizeof *action);
	action->kind = kind;
	action->type = aggregate->a == GS_NOTHING ? 0 :
		gs_operand_type(plan, aggregate->a);
	action->of_a = aggregate->a;
	action->of_b = b;
	action->of_filter = aggregate->filter;
	action->histogram = *aggregate;
	if (kind == GS_AGG_HISTOGRAM)
	{
		gs_op		op;

		memset(&op, 0, sizeof op);
		op.histogram.low = aggregate->low;
		op.histogram.high = aggregate->high;
		op.histogram.buckets = aggregate->buckets;
		op.histogram.formula = aggregate->formula;
		action->is_ordinary = width_rule_serves(&op);
		action->rule = width_rule_of(&op);
		action->plain_rule = plain_width_rule_of(&op);
	}
	action->unit = GROUP_NO_UNIT;
	place(layout, action);
	return layout->actions - 1;
}

/* Extremes read a float4 as it is, others as a double. */
static bool
reads_same(const group_action *a, const group_action *b)
{
	bool		a_extreme = a->kind == GS_AGG_MIN || a->kind == GS_AGG_MAX;
	bool		b_extreme = b->kind == GS_AGG_MIN || b->kind == GS_AGG_MAX;

	return a->of_a == b->of_a && a->of_filter == b->of_filter &&
		a->of_b == GS_NOTHING && b->of_b == GS_NOTHING &&
		(a->type != GS_FLOAT4 || a_extreme == b_extreme);
}

static void
find_repeats(group_layout *layout)
{
	const group_action *before = NULL;

	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];

		if (a->kind == GS_AGG_COUNT)
			continue;
		a->again = before != NULL && reads_same(a, before);
		before = a;
	}
}

/*
 * Whether there were values, or values but -0, takes their number.
 */
static bool
needs_count(const group_action *a)
{
	return group_is_sum(a->kind) ? group_is_float(a->type) :
		a->kind != GS_AGG_COUNT && a->kind != GS_AGG_SPECIALS &&
		a->kind != GS_AGG_HISTOGRAM;
}

/* Would its words be too many? */
static bool
is_too_large(const group_layout *layout, const gs_aggregate *aggregate)
{
	return aggregate->kind == GS_AGG_HISTOGRAM &&
		aggregate->buckets > GROUP_WORDS_MAX - layout->words;
}

bool
group_layout_make(const gs_plan *plan, group_layout *layout)
{
	memset(layout, 0, sizeof *layout);
	layout->words = 1;
	for (int i = 0; i < plan->aggregates; i++)
	{
		const gs_aggregate *aggregate = &plan->aggregate[i];
		gs_operand	b = aggregate->kind == GS_AGG_PRODUCTS ? aggregate->b :
			GS_NOTHING;
		int			found = -1;

		if (is_too_large(layout, aggregate))
			return false;
		if (aggregate->kind < GS_AGG_PERCENTILE)
			found = find_action(layout, plan, aggregate, aggregate->kind, b);
		layout->of_aggregate[i] = found;

		if (found >= 0 && needs_count(&layout->action[found]))
		{
			int			count = find_action(layout, plan, aggregate,
											GS_AGG_COUNT, b);

			layout->action[found].count = layout->action[count].rare;
		}
	}

	find_repeats(layout);

	/* whole sectors of memory */
	if (layout->words > 2)
		layout->words = (layout->words + 3) / 4 * 4;
	return true;
}
