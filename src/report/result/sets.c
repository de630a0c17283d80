/*-------------------------------------------------------------------------
 *
 * sets.c
 *	  Grouping sets: each is a report of its own over the same rows, or is
 *	  merged from the groups of one with more keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/result/merge.h"
#include "report/result/sets.h"

static int *
integers_of(const List *list)
{
	int		   *r = palloc((list_length(list) + 1) * sizeof(int));
	int			n = 0;
	ListCell   *cell;

	foreach(cell, list)
		r[n++] = lfirst_int(cell);
	return r;
}

static void
make_set(gs_report_set *set, List *places, List *groupings, int keys,
		 int aggregates, const bool *needed)
{
	int			n = list_length(places);

	set->own_keys = n;
	set->own = integers_of(places);
	set->keys = keys;
	set->groupings = list_length(groupings);
	set->grouping = integers_of(groupings);
	set->needed = palloc((n + aggregates) * sizeof(bool));
	for (int k = 0; k < n; k++)
		set->needed[k] = needed[set->own[k]];
	memcpy(set->needed + n, needed + keys, aggregates * sizeof(bool));
	set->shape.aggregates = aggregates;
	gs_report_set_alone(set);
}

static List *
all_places(int keys)
{
	List	   *all = NIL;

	for (int k = 0; k < keys; k++)
		all = lappend_int(all, k);
	return all;
}

gs_report_set *
gs_report_make_sets(List *sets, List *groupings, bool hidden, int keys,
					int aggregates, const bool *needed, int *n)
{
	gs_report_set *set;

	if (sets == NIL)
	{
		set = palloc0(sizeof *set);
		make_set(set, all_places(keys), NIL, keys, aggregates, needed);
		*n = 1;
		return set;
	}
	*n = list_length(sets);
	set = palloc0((*n + hidden) * sizeof *set);
	for (int i = 0; i < *n; i++)
	{
		make_set(&set[i], list_nth(sets, i), list_nth(groupings, i), keys,
				 aggregates, needed);
		set[i].values = palloc0((keys + aggregates) * sizeof(Datum));
		set[i].isnull = palloc((keys + aggregates) * sizeof(bool));
		memset(set[i].isnull, true, (keys + aggregates) * sizeof(bool));
	}
	if (hidden)
		make_set(&set[*n], all_places(keys), NIL, keys, aggregates, needed);
	return set;
}

void
gs_report_set_alone(gs_report_set *set)
{
	set->shape.keys = set->own_keys;
	set->shape.needed = set->needed;
	set->place = set->own;
}

static bool
has_key(const gs_report_set *set, int place)
{
	for (int k = 0; k < set->own_keys; k++)
	{
		if (set->own[k] == place)
			return true;
	}
	return false;
}

bool
gs_report_set_covers(const gs_report_set *set, const gs_report_set *other)
{
	for (int k = 0; k < other->own_keys; k++)
	{
		if (!has_key(set, other->own[k]))
			return false;
	}
	return true;
}

bool
gs_report_set_merge(gs_report_set *set, const gs_report_set *from,
					gs_report_memory *memory)
{
	int			n = from->shape.keys;
	int			aggregates = from->shape.aggregates;
	bool	   *needed = palloc((n + aggregates) * sizeof(bool));
	bool	   *kept = palloc((n + 1) * sizeof(bool));

	memcpy(needed + n, set->needed + set->own_keys, aggregates * sizeof(bool));
	for (int k = 0; k < n; k++)
	{
		kept[k] = has_key(set, from->place[k]);
		needed[k] = kept[k] && from->shape.needed[k];
	}
	set->shape = from->shape;
	set->shape.needed = needed;
	set->place = from->place;
	set->groups = palloc(sizeof *set->groups);
	if (gs_report_merge(from->groups, kept, set->groups, memory))
		return true;
	set->groups = NULL;
	return false;
}

const char *
gs_report_set_results(gs_report_set *set, gs_report_memory *memory)
{
	const char *reason;

	set->result = gs_report_result_begin(&set->shape, memory);
	reason = gs_report_result_add(set->result, set->groups);
	gs_report_result_finish(set->result);
	return reason;
}

/* Keys that the set lacks are NULL. */
static void
make_tuple(const gs_report_set *set, Datum *values, bool *isnull)
{
	int			n = set->shape.keys;
	int			aggregates = set->shape.aggregates;

	memset(isnull, true, set->keys * sizeof(bool));
	for (int k = 0; k < n; k++)
	{
		if (!set->shape.needed[k])
			continue;
		values[set->place[k]] = set->values[k];
		isnull[set->place[k]] = set->isnull[k];
	}
	memcpy(values + set->keys, set->values + n, aggregates * sizeof(Datum));
	memcpy(isnull + set->keys, set->isnull + n, aggregates * sizeof(bool));
	for (int g = 0; g < set->groupings; g++)
	{
		values[set->keys + aggregates + g] = Int32GetDatum(set->grouping[g]);
		isnull[set->keys + aggregates + g] = false;
	}
}

bool
gs_report_set_next(gs_report_set *set, Datum *values, bool *isnull)
{
	if (set->values == NULL)
		return gs_report_result_next(set->result, values, isnull);
	if (!gs_report_result_next(set->result, set->values, set->isnull))
		return false;
	make_tuple(set, values, isnull);
	return true;
}

void
gs_report_rewind_sets(gs_report_set *set, int n)
{
	for (int i = 0; i < n; i++)
		gs_report_result_rewind(set[i].result);
}

void
gs_report_free_groups(gs_report_set *set, int n, gs_report_memory *memory)
{
	for (int i = 0; i < n; i++)
	{
		if (set[i].groups != NULL)
			gs_report_keep_end(set[i].groups, memory);
		set[i].groups = NULL;
	}
}

void
gs_report_free_sets(gs_report_set *set, int n, gs_report_memory *memory)
{
	gs_report_free_groups(set, n, memory);
	for (int i = 0; i < n; i++)
	{
		if (set[i].result != NULL)
			gs_report_result_free(set[i].result);
		set[i].result = NULL;
	}
}
