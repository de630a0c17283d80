/*-------------------------------------------------------------------------
 *
 * sets.c
 *	  Grouping sets: each is a report of its own over the same rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/sets.h"

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
	bool	   *of_set = palloc((n + aggregates) * sizeof(bool));

	set->keys = keys;
	set->place = integers_of(places);
	set->groupings = list_length(groupings);
	set->grouping = integers_of(groupings);
	set->shape.keys = n;
	set->shape.aggregates = aggregates;
	for (int k = 0; k < n; k++)
		of_set[k] = needed[set->place[k]];
	memcpy(of_set + n, needed + keys, aggregates * sizeof(bool));
	set->shape.needed = of_set;
}

gs_report_set *
gs_report_make_sets(List *sets, List *groupings, int keys, int aggregates,
					const bool *needed, int *n)
{
	gs_report_set *set;
	List	   *all = NIL;

	if (sets == NIL)
	{
		for (int k = 0; k < keys; k++)
			all = lappend_int(all, k);
		set = palloc0(sizeof *set);
		make_set(set, all, NIL, keys, aggregates, needed);
		*n = 1;
		return set;
	}
	*n = list_length(sets);
	set = palloc0(*n * sizeof *set);
	for (int i = 0; i < *n; i++)
	{
		make_set(&set[i], list_nth(sets, i), list_nth(groupings, i), keys,
				 aggregates, needed);
		set[i].values = palloc0((keys + aggregates) * sizeof(Datum));
		set[i].isnull = palloc((keys + aggregates) * sizeof(bool));
		memset(set[i].isnull, true, (keys + aggregates) * sizeof(bool));
	}
	return set;
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
gs_report_free_sets(gs_report_set *set, int n)
{
	for (int i = 0; i < n; i++)
	{
		if (set[i].result != NULL)
			gs_report_result_free(set[i].result);
		set[i].result = NULL;
	}
}
