/*-------------------------------------------------------------------------
 *
 * top.c
 *	  ORDER BY an aggregate or a key ... LIMIT: which groups can be among the first.
 *
 * The key's values, or the aggregate's results, are made of slices of groups and
 * compared as a sort compares them, and the best are kept in a heap.  Where nothing
 * else chooses among equals, these are the groups.  Else they are all that are not
 * behind the last of these: whatever was not when its turn came is kept, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "lib/binaryheap.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/sortsupport.h"

#include "report/result/top.h"

/* Groups of which states are fetched at a time. */
#define SLICE_GROUPS	65536

/* Fewer groups, or not GS_TOP_SHARE times those that are wanted, are fetched as they are. */
#define TOP_MIN			4096

/* Equal groups that are kept at least. */
#define CANDIDATES_MIN	16384

typedef struct ranked_group
{
	Datum		value;
	bool		isnull;
	int64		group;
} ranked_group;

typedef struct top_search
{
	gs_report_run *run;
	const gs_report_value *key; /* or NULL: */
	const gs_report_aggregate *aggregate;
	bool		by_reference;	/* what is compared */
	int16		length;			/* its pg_type.typlen */
	SortSupportData sort;
	int			wanted;
	binaryheap *heap;			/* of ranked_groups; the last comes first */
	ranked_group *space;		/* of those in the heap */
	int			used;
	ranked_group *candidate;	/* where equals matter */
	int			candidates;
	int			candidates_max; /* 0: they do not */
	bool		unclear;		/* a group has no result, but an error; or there
								 * are too many equals */

	/* a slice's states and results */
	gs_report_groups groups;
	char	   *states;
	Datum	   *value;
	uint8	   *outcome;
	MemoryContext context;		/* of results */
} top_search;

static int
compare(const ranked_group *a, const ranked_group *b, SortSupport sort)
{
	return ApplySortComparator(a->value, a->isnull, b->value, b->isnull, sort);
}

static int
compare_in_heap(Datum a, Datum b, void *sort)
{
	return compare((ranked_group *) DatumGetPointer(a),
				   (ranked_group *) DatumGetPointer(b), sort);
}

static void
set_group(const top_search *s, ranked_group *to, const ranked_group *g)
{
	*to = *g;
	if (!g->isnull)
		to->value = datumCopy(g->value, !s->by_reference, s->length);
}

static void
free_group(const top_search *s, ranked_group *g)
{
	if (s->by_reference && !g->isnull)
		pfree(DatumGetPointer(g->value));
}

static ranked_group *
last_of(const top_search *s)
{
	return (ranked_group *) DatumGetPointer(binaryheap_first(s->heap));
}

/* Forget what is behind the last one by now. */
static void
prune(top_search *s)
{
	int			kept = 0;

	for (int i = 0; i < s->candidates; i++)
	{
		ranked_group *g = &s->candidate[i];

		if (compare(g, last_of(s), &s->sort) <= 0)
			s->candidate[kept++] = *g;
		else
			free_group(s, g);
	}
	s->candidates = kept;
}

static void
add_candidate(top_search *s, const ranked_group *g)
{
	if (s->candidates == s->candidates_max)
	{
		prune(s);
		s->unclear = s->candidates > s->candidates_max / 2;
	}
	if (!s->unclear)
		set_group(s, &s->candidate[s->candidates++], g);
}

static void
take(top_search *s, const ranked_group *g)
{
	int			place = -1;

	if (s->used == s->wanted)
		place = compare(g, last_of(s), &s->sort);
	if (place > 0)
		return;
	if (s->candidates_max > 0)
		add_candidate(s, g);
	if (place == 0)
		return;
	if (s->used == s->wanted)
	{
		ranked_group *last = last_of(s);

		free_group(s, last);
		set_group(s, last, g);
		binaryheap_replace_first(s->heap, PointerGetDatum(last));
		return;
	}
	set_group(s, &s->space[s->used], g);
	binaryheap_add_unordered(s->heap, PointerGetDatum(&s->space[s->used]));
	if (++s->used == s->wanted)
		binaryheap_build(s->heap);
}

/* ----------
 * Slices
 * ----------
 */

/* Is a sum wide?  Then it is elsewhere. */
static bool
has_wide(const top_search *s, int state)
{
	const gs_float_sum *sum = (const gs_float_sum *)
	(s->groups.base + s->groups.layout.column[GS_FETCH_STATE(state)]);
	bool		wide = false;

	if (gs_fetch_width(s->run->groups, GS_FETCH_WIDE(state)) == 0)
		return false;
	for (int64 i = 0; i < s->groups.n; i++)
		wide |= sum[i].wide != 0;
	return wide;
}

/* Is it a column of what is compared? */
static bool
is_needed(const top_search *s, int column)
{
	int			state = (column - GS_FETCH_STATE(0)) /
		(GS_FETCH_STATE(1) - GS_FETCH_STATE(0));

	if (s->key != NULL)
		return column == GS_FETCH_KEY(s->key->place) ||
			column == GS_FETCH_NULLS;
	return column >= GS_FETCH_STATE(0) && column == GS_FETCH_STATE(state) &&
		gs_report_has_state(s->aggregate, state);
}

static gs_status
fetch_slice(top_search *s, int64 first, int64 n)
{
	gs_report_groups *g = &s->groups;
	size_t		end = 0;

	g->plan = s->run->groups;
	g->base = s->states;
	g->first = first;
	g->n = n;
	for (int column = 0; column < GS_FETCH_COLUMNS; column++)
	{
		gs_status	status;

		if (!is_needed(s, column))
			continue;
		g->layout.column[column] = end;
		status = gs_report_column_part(s->run, column, first, n,
									   s->states + end);
		if (status != GS_OK)
			return status;
		end += MAXALIGN(gs_fetch_width(g->plan, column) * n);
	}
	for (int a = 0; s->key == NULL && a < g->plan->aggregates; a++)
		s->unclear |= gs_report_has_state(s->aggregate, a) && has_wide(s, a);
	return GS_OK;
}

static void
make_results(top_search *s)
{
	MemoryContext old = MemoryContextSwitchTo(s->context);

	/* others may have made the codes and ranks */
	s->unclear |= s->key != NULL ? !gs_report_key_is_possible(s->key, &s->groups) :
		!gs_report_ranks_are_possible(s->aggregate, &s->groups);
	MemoryContextReset(s->context);
	if (s->unclear)
		;
	else if (s->key != NULL)
		gs_report_keys(&s->groups, s->key, s->value, s->outcome);
	else
		gs_report_aggregate_results(s->aggregate, &s->groups, s->value,
									s->outcome);
	MemoryContextSwitchTo(old);
}

/* Look at all groups, as long as all have a result. */
static gs_status
look(top_search *s)
{
	int64		groups = s->run->summary.groups;

	for (int64 first = 0; first < groups; first += SLICE_GROUPS)
	{
		int64		n = Min(SLICE_GROUPS, groups - first);
		gs_status	status = fetch_slice(s, first, n);

		CHECK_FOR_INTERRUPTS();
		if (status == GS_OK && !s->unclear)
			make_results(s);
		for (int64 i = 0; i < n && status == GS_OK && !s->unclear; i++)
		{
			const ranked_group g = {
				s->value[i], s->outcome[i] == GS_UNDEFINED, first + i
			};

			s->unclear = s->outcome[i] != GS_ROUNDED && !g.isnull;
			if (!s->unclear)
				take(s, &g);
		}
		if (status != GS_OK || s->unclear)
			return status;
	}
	return GS_OK;
}

/* ----------
 * All of it
 * ----------
 */

/* Bytes of what is needed of a group. */
static size_t
find_width(const top_search *s)
{
	size_t		width = 0;

	for (int column = 0; column < GS_FETCH_COLUMNS; column++)
	{
		if (is_needed(s, column))
			width += gs_fetch_width(s->run->groups, column);
	}
	return width;
}

static void
begin(top_search *s, const List *top)
{
	s->sort.ssup_cxt = CurrentMemoryContext;
	s->sort.ssup_collation = (Oid) list_nth_int(top, GS_TOP_COLLATION);
	s->sort.ssup_nulls_first = list_nth_int(top, GS_TOP_NULLS_FIRST) != 0;
	PrepareSortSupportFromOrderingOp((Oid) list_nth_int(top, GS_TOP_OPERATOR),
									 &s->sort);
	s->heap = binaryheap_allocate(s->wanted, compare_in_heap, &s->sort);
	s->space = palloc(s->wanted * sizeof *s->space);
	s->candidate = palloc(s->candidates_max * sizeof *s->candidate);
	s->states = palloc(SLICE_GROUPS * find_width(s) +
					   GS_FETCH_COLUMNS * MAXIMUM_ALIGNOF);
	s->value = palloc(SLICE_GROUPS * sizeof *s->value);
	s->outcome = palloc(SLICE_GROUPS);
	s->context = AllocSetContextCreate(CurrentMemoryContext, "gpuscan top",
									   ALLOCSET_DEFAULT_SIZES);
}

static int
compare_groups(const void *a, const void *b)
{
	int64		x = ((const ranked_group *) a)->group;
	int64		y = ((const ranked_group *) b)->group;

	return (x > y) - (x < y);
}

/* Groups as ranges, which ascend. */
static gs_group_range *
make_ranges(ranked_group *group, int groups, int *n)
{
	gs_group_range *range = palloc(groups * sizeof *range);

	*n = 0;
	qsort(group, groups, sizeof *group, compare_groups);
	for (int i = 0; i < groups; i++)
	{
		if (i > 0 && group[i].group == group[i - 1].group + 1)
			range[*n - 1].n++;
		else
			range[(*n)++] = (gs_group_range) {group[i].group, 1};
	}
	return range;
}

/*
 * Could the states of a group that is not fetched say that the ordinary plan has to
 * run, for an error or a NaN?
 */
static bool
needs_all(const gs_report_shape *shape)
{
	bool		needs = false;

	for (int i = 0; i < shape->aggregates; i++)
	{
		const gs_report_aggregate *a = &shape->aggregate[i];

		needs |= a->bounded || a->part[GS_INTERVAL_DAYS] >= 0 ||
			(a->descending && a->specials >= 0);
	}
	return needs;
}

gs_status
gs_report_find_top(gs_report_run *run, const gs_report_shape *shape,
				   const List *top, gs_group_range **ranges, int *n)
{
	top_search	s = {.run = run, .wanted = list_nth_int(top, GS_TOP_GROUPS)};
	int			entry = list_nth_int(top, GS_TOP_ENTRY);
	int64		groups = run->summary.groups;
	gs_status	status;

	if (entry < shape->keys)
	{
		s.key = &shape->key[entry];
		s.by_reference = gs_report_by_reference(s.key);
		s.length = s.key->length;
	}
	else
	{
		s.aggregate = &shape->aggregate[entry - shape->keys];
		s.by_reference = s.aggregate->by_reference;
		s.length = s.aggregate->length;
	}

	*ranges = NULL;
	*n = 0;
	if (groups < TOP_MIN || groups / GS_TOP_SHARE < s.wanted || needs_all(shape))
		return GS_OK;
	if (list_nth_int(top, GS_TOP_TIES) != 0)
		s.candidates_max = 2 * s.wanted + CANDIDATES_MIN;
	begin(&s, top);
	status = look(&s);
	MemoryContextDelete(s.context);
	if (status != GS_OK || s.unclear)
		return status;
	if (s.candidates_max > 0)
	{
		prune(&s);
		*ranges = make_ranges(s.candidate, s.candidates, n);
	}
	else
		*ranges = make_ranges(s.space, s.used, n);
	return GS_OK;
}
