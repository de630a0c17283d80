/*-------------------------------------------------------------------------
 *
 * merge.c
 *	  The groups of a grouping set, merged from those of one with more keys.
 *
 * States are exact, so the results have the bits that they would have if the
 * service had made them of the rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "engine/group_op.h"
#include "report/result/merge.h"

/* Is the aggregate of the plan a largest display scale? */
static bool
is_display(const gs_report_aggregate *aggregate, int aggregates, int state)
{
	for (int a = 0; a < aggregates; a++)
	{
		if (aggregate[a].display == state)
			return true;
	}
	return false;
}

bool
gs_report_can_merge(const gs_plan *plan, const gs_report_aggregate *aggregate,
					int aggregates)
{
	for (int a = 0; a < plan->aggregates; a++)
	{
		if (!gs_states_can_merge(plan, a))
			return false;
		if (gs_states_need_counts(plan, a) && gs_states_count(plan, a) < 0 &&
			!is_display(aggregate, aggregates, a))
			return false;
	}
	return true;
}

/* Of so many groups: the states, and what it takes to merge them (find_equals). */
static double
groups_size(const gs_report_groups *groups)
{
	return (double) groups->layout.size +
		(double) groups->n * (sizeof(uint32) + sizeof(int64));
}

/* They grow by so many bytes. */
static bool
take(gs_report_groups *groups, double size, gs_report_memory *memory)
{
	if (!gs_report_memory_take(memory, size))
		return false;
	groups->size += size;
	return true;
}

bool
gs_report_keep_begin(gs_report_groups *groups, const gs_plan *plan, int64 n,
					 gs_report_memory *memory)
{
	memset(groups, 0, sizeof *groups);
	groups->plan = plan;
	groups->n = n;
	gs_lay_groups(plan, n, &groups->layout);
	if (!take(groups, groups_size(groups), memory))
		return false;
	groups->base = palloc_extended(Max(groups->layout.size, 1),
								   MCXT_ALLOC_HUGE);
	return true;
}

void
gs_report_keep_end(gs_report_groups *kept, gs_report_memory *memory)
{
	if (kept->base == NULL)
		return;
	for (int a = 0; a < kept->plan->aggregates; a++)
	{
		if (kept->wide[a] != NULL)
			pfree(unconstify(char *, kept->wide[a]));
	}
	pfree(unconstify(char *, kept->base));
	kept->base = NULL;
	memory->used -= kept->size;
}

/* A column of them, of what fetch gives. */
static char *
column_of(const gs_report_groups *groups, int column)
{
	return unconstify(char *, groups->base) + groups->layout.column[column];
}

/* Their wide sums, which come in the order of the groups. */
static bool
keep_wide(gs_report_groups *kept, const gs_report_groups *part, int a,
		  gs_report_memory *memory)
{
	size_t		width = gs_fetch_width(part->plan, GS_FETCH_WIDE(a));
	int64		end = gs_wide_end((const gs_float_sum *)
								  column_of(part, GS_FETCH_STATE(a)), part->n);
	char	   *wide = unconstify(char *, kept->wide[a]);

	if (!take(kept, (double) (end - part->wide_first[a]) * width, memory))
		return false;
	wide = wide == NULL ?
		palloc_extended(end * width, MCXT_ALLOC_HUGE) :
		repalloc_huge(wide, end * width);
	memcpy(wide + part->wide_first[a] * width, part->wide[a],
		   (end - part->wide_first[a]) * width);
	kept->wide[a] = wide;
	return true;
}

bool
gs_report_keep(gs_report_groups *kept, const gs_report_groups *part,
			   gs_report_memory *memory)
{
	const gs_plan *plan = kept->plan;

	for (int c = 0; c < GS_FETCH_STATE(plan->aggregates); c++)
	{
		size_t		width = gs_fetch_width(plan, c);
		bool		wide = c > GS_PLAN_KEYS && (c - GS_PLAN_KEYS) % 2 == 0;

		if (!wide && width > 0)
			memcpy(column_of(kept, c) + part->first * width,
				   column_of(part, c), part->n * width);
	}
	for (int a = 0; a < plan->aggregates; a++)
	{
		if (part->wide[a] != NULL && !keep_wide(kept, part, a, memory))
		{
			gs_report_keep_end(kept, memory);
			return false;
		}
	}
	return true;
}

/* ----------
 * Which groups become one
 * ----------
 */

typedef struct comparison
{
	int			n;				/* keys that are compared */
	int			key[GS_PLAN_KEYS];
	gs_type		type[GS_PLAN_KEYS];
	const gs_value *values[GS_PLAN_KEYS];
	const uint8 *nulls;
} comparison;

static void
plan_comparison(const gs_report_groups *from, const bool *has_key,
				comparison *c)
{
	c->n = 0;
	c->nulls = (const uint8 *) column_of(from, GS_FETCH_NULLS);
	for (int k = 0; k < from->plan->keys; k++)
	{
		if (!has_key[k])
			continue;
		c->key[c->n] = k;
		c->type[c->n] = gs_operand_type(from->plan, from->plan->key[k]);
		c->values[c->n++] = (const gs_value *) column_of(from,
														 GS_FETCH_KEY(k));
	}
}

/* As the engine orders groups: ascending, NULL last. */
static int
compare_groups(const void *x, const void *y, void *context)
{
	const comparison *c = context;
	uint32		a = *(const uint32 *) x;
	uint32		b = *(const uint32 *) y;

	for (int i = 0; i < c->n; i++)
	{
		int			a_null = c->nulls[a] >> c->key[i] & 1;
		int			b_null = c->nulls[b] >> c->key[i] & 1;
		int			order = a_null != 0 || b_null != 0 ? a_null - b_null :
			gs_compare_values(c->type[i], c->values[i][a], c->values[i][b]);

		if (order != 0)
			return order;
	}
	return 0;
}

/* Without keys there is one group, even of none. */
static void
find_equals(const gs_report_groups *from, comparison *c, gs_merge *merge)
{
	int64		n = from->n;
	uint32	   *order = palloc_extended(Max(n, 1) * sizeof *order,
										MCXT_ALLOC_HUGE);
	int64	   *end = palloc_extended(Max(n, 1) * sizeof *end,
									  MCXT_ALLOC_HUGE);

	for (int64 i = 0; i < n; i++)
		order[i] = (uint32) i;
	if (c->n > 0)
		qsort_arg(order, n, sizeof *order, compare_groups, c);
	merge->n = n > 0 || c->n == 0 ? 1 : 0;
	for (int64 i = 1; i < n; i++)
	{
		if (c->n > 0 && compare_groups(&order[i - 1], &order[i], c) != 0)
			end[merge->n++ - 1] = i;
	}
	if (merge->n > 0)
		end[merge->n - 1] = n;
	merge->order = order;
	merge->end = end;
}

/* ----------
 * One of them
 * ----------
 */

static void
merge_keys(const gs_report_groups *from, const bool *has_key,
		   const gs_merge *merge, gs_report_groups *to)
{
	const uint8 *from_nulls = (const uint8 *) column_of(from, GS_FETCH_NULLS);
	uint8	   *nulls = (uint8 *) column_of(to, GS_FETCH_NULLS);

	memset(nulls, 0, to->n);
	for (int k = 0; k < to->plan->keys; k++)
	{
		const gs_value *keys = (const gs_value *) column_of(from,
															GS_FETCH_KEY(k));
		gs_value   *result = (gs_value *) column_of(to, GS_FETCH_KEY(k));
		int64		at = 0;

		for (int64 i = 0; i < to->n; at = merge->end[i], i++)
		{
			if (!has_key[k])
			{
				result[i].i8 = 0;
				nulls[i] |= 1 << k;
				continue;
			}
			result[i] = keys[merge->order[at]];
			nulls[i] |= from_nulls[merge->order[at]] & 1 << k;
		}
	}
}

static bool
merge_states(const gs_report_groups *from, const int64 *present, int a,
			 const gs_merge *merge, gs_report_groups *to,
			 gs_report_memory *memory)
{
	size_t		width = gs_fetch_width(to->plan, GS_FETCH_WIDE(a));
	gs_states	states = {
		.state = column_of(from, GS_FETCH_STATE(a)),
		.wide = from->wide[a]
	};
	char	   *result = column_of(to, GS_FETCH_STATE(a));
	int64		wides = gs_states_merge(to->plan, a, &states, present, merge,
										result, NULL);
	char	   *wide;

	/* they are rare, and how many there are is known only now */
	if (wides == 0)
		return true;
	if (!take(to, (double) wides * width, memory))
		return false;
	wide = palloc_extended(wides * width, MCXT_ALLOC_HUGE);
	(void) gs_states_merge(to->plan, a, &states, present, merge, result, wide);
	to->wide[a] = wide;
	return true;
}

bool
gs_report_merge(const gs_report_groups *from, const bool *has_key,
				gs_report_groups *to, gs_report_memory *memory)
{
	comparison	c;
	gs_merge	merge;
	bool		ok;

	plan_comparison(from, has_key, &c);
	find_equals(from, &c, &merge);
	ok = gs_report_keep_begin(to, from->plan, merge.n, memory);
	if (ok)
		merge_keys(from, has_key, &merge, to);
	for (int a = 0; a < to->plan->aggregates && ok; a++)
	{
		int			count = gs_states_need_counts(to->plan, a) ?
			gs_states_count(to->plan, a) : -1;

		/* what has none is a largest display scale, which is not negative */
		ok = merge_states(from, count < 0 ? NULL :
						  (const int64 *) column_of(from, GS_FETCH_STATE(count)),
						  a, &merge, to, memory);
	}
	if (!ok)
		gs_report_keep_end(to, memory);
	pfree(unconstify(uint32 *, merge.order));
	pfree(unconstify(int64_t *, merge.end));
	return ok;
}
