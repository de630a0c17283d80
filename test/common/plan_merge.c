/*-------------------------------------------------------------------------
 *
 * plan_merge.c
 *	  The results of two parts of the rows, added up; see plan_compare.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <stdlib.h>
#include <string.h>

/* The aggregate that counts the values of aggregate i; -1: none does. */
static int
count_of(const gs_plan *plan, int i)
{
	for (int j = 0; j < plan->aggregates; j++)
	{
		if (plan->aggregate[j].kind == GS_AGG_COUNT &&
			plan->aggregate[j].a == plan->aggregate[i].a &&
			plan->aggregate[j].filter == plan->aggregate[i].filter)
			return j;
	}
	return -1;
}

bool
plan_can_merge(const plan_case *c, int i)
{
	switch (c->plan.aggregate[i].kind)
	{
		case GS_AGG_PERCENTILE:
		case GS_AGG_MODE:
		case GS_AGG_DISTINCT:
			return false;
		case GS_AGG_MIN:
		case GS_AGG_MAX:
		case GS_AGG_BIT_AND:
			return count_of(&c->plan, i) >= 0;
		default:
			return true;
	}
}

/* State j of aggregate i, which result r has. */
static uint8_t *
state_at(const gs_plan *plan, const plan_result *r, int i, int64_t j)
{
	return r->state[i] + plan_state_size(plan, i) * j;
}

static const plan_wide *
wide_at(const plan_result *r, int i, const gs_float_sum *sum)
{
	return sum->wide > 0 ? &r->wide[i][sum->wide - 1] : NULL;
}

static void
merge_float_sum(const gs_plan *plan, int i, const plan_result *a, int64_t x,
				const plan_result *b, int64_t y, plan_result *r, int64_t to)
{
	bool		squares = plan_is_squares(plan, i);
	const gs_float_sum *sa = (gs_float_sum *) state_at(plan, a, i, x);
	const gs_float_sum *sb = (gs_float_sum *) state_at(plan, b, i, y);
	gs_float_sum *sum = (gs_float_sum *) state_at(plan, r, i, to);
	plan_big	total;
	plan_big	other;
	plan_wide	wide;
	bool		is_wide;

	plan_sum_to_big(sa, squares, wide_at(a, i, sa), &total);
	plan_sum_to_big(sb, squares, wide_at(b, i, sb), &other);
	plan_big_add(&total, &other);
	plan_sum_from_big(&total, sa->seen | sb->seen, squares, sum, &wide,
					  &is_wide);
	if (!is_wide)
		return;
	r->wide[i] = realloc(r->wide[i], sizeof wide * (r->wides[i] + 1));
	r->wide[i][r->wides[i]++] = wide;
	sum->wide = (int32_t) r->wides[i];
}

/* A wide sum of one part keeps its contents, but gets a new place. */
static void
copy_state(const gs_plan *plan, int i, const plan_result *a, int64_t x,
		   plan_result *r, int64_t to)
{
	uint8_t    *state = state_at(plan, r, i, to);
	gs_float_sum *sum = (gs_float_sum *) state;

	memcpy(state, state_at(plan, a, i, x), plan_state_size(plan, i));
	if (!plan_is_float_sum(plan, i) || sum->wide == 0)
		return;
	r->wide[i] = realloc(r->wide[i], sizeof(plan_wide) * (r->wides[i] + 1));
	r->wide[i][r->wides[i]++] = a->wide[i][sum->wide - 1];
	sum->wide = (int32_t) r->wides[i];
}

static void
add_counts(const int64_t *a, const int64_t *b, int64_t *to, size_t size)
{
	for (size_t k = 0; k < size / sizeof *to; k++)
		to[k] = a[k] + b[k];
}

static void
add_words(const gs_integer_sum *a, const gs_integer_sum *b,
		  gs_integer_sum *to)
{
	unsigned __int128 carry = 0;

	for (int k = 0; k < 3; k++)
	{
		carry += (unsigned __int128) a->word[k] + b->word[k];
		to->word[k] = (uint64_t) carry;
		carry >>= 64;
	}
}

static int64_t
counted(const gs_plan *plan, const plan_result *r, int i, int64_t j)
{
	int			count = count_of(plan, i);

	return count < 0 ? 1 : *(int64_t *) state_at(plan, r, count, j);
}

static void
merge_state(const gs_plan *plan, int i, const plan_result *a, int64_t x,
			const plan_result *b, int64_t y, plan_result *r, int64_t to)
{
	const gs_aggregate *agg = &plan->aggregate[i];
	void	   *va = state_at(plan, a, i, x);
	void	   *vb = state_at(plan, b, i, y);
	void	   *v = state_at(plan, r, i, to);
	gs_type		type = agg->a == GS_NOTHING ? GS_BOOL :
		plan_type(plan, agg->a);
	int			c;

	switch (agg->kind)
	{
		case GS_AGG_COUNT:
		case GS_AGG_SPECIALS:
		case GS_AGG_HISTOGRAM:
			add_counts(va, vb, v, plan_state_size(plan, i));
			break;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			if (plan_is_float_sum(plan, i))
				merge_float_sum(plan, i, a, x, b, y, r, to);
			else
				add_words(va, vb, v);
			break;
		case GS_AGG_BIT_OR:
			*(int64_t *) v = *(int64_t *) va | *(int64_t *) vb;
			break;
		case GS_AGG_BIT_XOR:
			*(int64_t *) v = *(int64_t *) va ^ *(int64_t *) vb;
			break;
		default:
			if (counted(plan, a, i, x) == 0)
				memcpy(v, vb, sizeof(gs_value));
			else if (counted(plan, b, i, y) == 0)
				memcpy(v, va, sizeof(gs_value));
			else if (agg->kind == GS_AGG_BIT_AND)
				*(int64_t *) v = *(int64_t *) va & *(int64_t *) vb;
			else
			{
				c = plan_compare_total(type, *(gs_value *) va,
									   *(gs_value *) vb);
				memcpy(v, (agg->kind == GS_AGG_MIN ? c <= 0 : c >= 0) ? va : vb,
					   sizeof(gs_value));
			}
	}
}

/* The next group of either: less than 0 if only a has it. */
static int
next_of(const gs_plan *plan, const plan_result *a, int64_t i,
		const plan_result *b, int64_t j)
{
	if (i == a->summary.groups)
		return 1;
	if (j == b->summary.groups)
		return -1;
	return plan_compare_groups(plan, a, i, b, j);
}

static void
merge_group(const plan_case *c, int which, const plan_result *a, int64_t i,
			const plan_result *b, int64_t j, plan_result *r, int64_t to)
{
	const plan_result *from = which <= 0 ? a : b;
	int64_t		at = which <= 0 ? i : j;

	for (int k = 0; k < c->plan.keys; k++)
		r->key[k][to] = from->key[k][at];
	r->nulls[to] = from->nulls[at];
	for (int n = 0; n < c->plan.aggregates; n++)
	{
		if (!plan_can_merge(c, n))
			continue;
		if (which != 0)
			copy_state(&c->plan, n, from, at, r, to);
		else
			merge_state(&c->plan, n, a, i, b, j, r, to);
	}
}

void
plan_merge(const plan_case *c, const plan_result *a, const plan_result *b,
		   plan_result *r)
{
	int64_t		groups = 0;

	memset(r, 0, sizeof *r);
	r->summary.errors = a->summary.errors | b->summary.errors;
	r->summary.rows = a->summary.rows + b->summary.rows;
	if (r->summary.errors != 0)
		return;
	r->summary.groups = a->summary.groups + b->summary.groups;
	plan_result_allocate(&c->plan, r);
	for (int64_t i = 0, j = 0; i < a->summary.groups || j < b->summary.groups;)
	{
		int			which = next_of(&c->plan, a, i, b, j);

		merge_group(c, which, a, i, b, j, r, groups++);
		i += which <= 0;
		j += which >= 0;
	}
	r->summary.groups = groups;
}
