/*-------------------------------------------------------------------------
 *
 * ranges.c
 *	  Between which integers a column's values lie, as this session knows it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "optimizer/cost.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "report/table/run.h"
#include "report/translate/translate.h"

/* Entries are forgotten, all of them, when there are more. */
#define RANGES_MAX	10000

typedef struct range_key
{
	Oid			relation;
	int32		attribute;
} range_key;

typedef struct known_range
{
	range_key	key;
	int64		low;
	int64		high;			/* less than low: there are no values */
} known_range;

static HTAB *known_ranges;

/* A relation has changed, or all have. */
static void
forget_relation(Datum arg pg_attribute_unused(), Oid relation)
{
	HASH_SEQ_STATUS status;
	known_range *range;

	hash_seq_init(&status, known_ranges);
	while ((range = hash_seq_search(&status)) != NULL)
	{
		if (relation == InvalidOid || range->key.relation == relation)
			hash_search(known_ranges, &range->key, HASH_REMOVE, NULL);
	}
}

static known_range *
range_of(Oid relation, AttrNumber attribute, HASHACTION action, bool *found)
{
	range_key	key = {.relation = relation, .attribute = attribute};
	HASHCTL		control = {
		.keysize = sizeof(range_key),
		.entrysize = sizeof(known_range)
	};

	if (known_ranges == NULL)
	{
		known_ranges = hash_create("gpuscan ranges", 64, &control,
								   HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(forget_relation, (Datum) 0);
	}
	if (action == HASH_ENTER && hash_get_num_entries(known_ranges) >= RANGES_MAX)
		forget_relation((Datum) 0, InvalidOid);
	return hash_search(known_ranges, &key, action, found);
}

bool
gs_ranges_find(gs_column_ranges *ranges, Oid relation, AttrNumber attribute,
			   int64 *low, int64 *high)
{
	known_range *known = range_of(relation, attribute, HASH_FIND, NULL);
	int			i = 0;

	while (i < ranges->n && ranges->attribute[i] != attribute)
		i++;
	ranges->attribute[i] = attribute;
	ranges->n = Max(ranges->n, i + 1);
	if (known == NULL)
	{
		ranges->missing = true;
		return false;
	}
	*low = known->low;
	*high = known->high;
	return true;
}

/* ----------
 * Statistics
 * ----------
 */

static int64
integer_from(Oid type, Datum value)
{
	return type == INT2OID ? DatumGetInt16(value) :
		type == INT4OID || type == DATEOID ? DatumGetInt32(value) :
		DatumGetInt64(value);
}

/* Widen a range by the values in a slot of a column's statistics. */
static bool
add_statistics(HeapTuple statistics, int kind, int64 *low, int64 *high)
{
	AttStatsSlot slot;

	if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return false;
	for (int i = 0; i < slot.nvalues; i++)
	{
		int64		value = integer_from(slot.valuetype, slot.values[i]);

		*low = Min(*low, value);
		*high = Max(*high, value);
	}
	free_attstatsslot(&slot);
	return true;
}

bool
gs_ranges_guess(Oid relation, AttrNumber attribute, int64 *low, int64 *high)
{
	known_range *known = range_of(relation, attribute, HASH_FIND, NULL);
	bool		found = false;

	if (known != NULL)
	{
		*low = known->low;
		*high = known->high;
		return true;
	}
	*low = PG_INT64_MAX;
	*high = PG_INT64_MIN;
	for (int inherited = 0; inherited <= 1; inherited++)
	{
		HeapTuple	statistics = SearchSysCache3(STATRELATTINH,
												 ObjectIdGetDatum(relation),
												 Int16GetDatum(attribute),
												 BoolGetDatum(inherited != 0));

		if (!HeapTupleIsValid(statistics))
			continue;
		found |= add_statistics(statistics, STATISTIC_KIND_HISTOGRAM, low, high);
		found |= add_statistics(statistics, STATISTIC_KIND_MCV, low, high);
		ReleaseSysCache(statistics);
	}
	return found;
}

/* ----------
 * Finding out
 * ----------
 */

/* How many values, the least and the greatest, of each column. */
enum
{
	COUNT,
	LEAST,
	GREATEST,
	AGGREGATES
};

/* The plan's column of an attribute. */
static int
column_of(const gs_translation *t, AttrNumber attribute)
{
	int			c = 0;

	while (t->column[c].attribute != attribute)
		c++;
	return c;
}

/*
 * With all columns of the report that the ranges are for, so that they are read
 * in one go.
 */
static void
make_plan(const gs_translation *t, gs_plan *plan, gs_aggregate *aggregate)
{
	static const int kinds[AGGREGATES] = {
		[COUNT] = GS_AGG_COUNT,[LEAST] = GS_AGG_MIN,[GREATEST] = GS_AGG_MAX
	};

	memset(plan, 0, sizeof *plan);
	plan->columns = t->plan.columns;
	plan->column = t->plan.column;
	plan->filter = GS_NOTHING;
	plan->aggregates = t->ranges.n * AGGREGATES;
	plan->aggregate = aggregate;
	for (int i = 0; i < plan->aggregates; i++)
	{
		aggregate[i].kind = kinds[i % AGGREGATES];
		aggregate[i].a = GS_COLUMN(column_of(t, t->ranges.attribute[i / AGGREGATES]));
		aggregate[i].b = 0;
		aggregate[i].filter = GS_NOTHING;
	}
}

static int64
integer_of(int type, const gs_value *value)
{
	return type == GS_INT2 ? value->i2 : type == GS_INT4 ? value->i4 : value->i8;
}

/* Remember the range; returns whether it is another one than before. */
static bool
remember(const gs_translation *t, AttrNumber attribute, int64 low, int64 high)
{
	bool		found;
	known_range *range = range_of(t->relation, attribute, HASH_ENTER, &found);
	bool		same = found && range->low <= low && range->high >= high;

	if (!found || range->high < range->low)
	{
		range->low = low;
		range->high = high;
	}
	range->low = Min(range->low, low);
	range->high = Max(range->high, high);
	return !same;
}

static gs_status
take_ranges(gs_report_run *run, const gs_translation *t, bool *grown)
{
	gs_groups_layout layout;
	gs_status	status = gs_report_ask_groups(run, 0, 1);
	char	   *group;

	gs_lay_groups(run->plan, 1, &layout);
	group = palloc(layout.size);
	if (status == GS_OK)
		status = gs_report_take_groups(run, 1, group);
	for (int i = 0; status == GS_OK && i < t->ranges.n; i++)
	{
		const size_t *column = layout.column;
		int			first = i * AGGREGATES;
		int			type = run->plan->column[run->plan->aggregate[first].a];
		int64		count = *(const int64 *) (group + column[GS_FETCH_STATE(first + COUNT)]);
		const gs_value *least = (const gs_value *) (group + column[GS_FETCH_STATE(first + LEAST)]);
		const gs_value *greatest = (const gs_value *) (group + column[GS_FETCH_STATE(first + GREATEST)]);

		*grown |= remember(t, t->ranges.attribute[i],
						   count == 0 ? 0 : integer_of(type, least),
						   count == 0 ? -1 : integer_of(type, greatest));
	}
	pfree(group);
	return status;
}

gs_status
gs_ranges_read(gs_report_run *run, const gs_translation *t, List *tables,
			   Snapshot snapshot, bool *grown)
{
	gs_aggregate *aggregate = palloc0(t->ranges.n * AGGREGATES *
									  sizeof(gs_aggregate));
	gs_stage	stage = {.finish = NULL};
	gs_report_input input = {
		.tables = tables,
		.named = t->relation,
		.column = t->column,
		.snapshot = snapshot,
		.workers = max_parallel_workers_per_gather
	};
	gs_status	status;

	*grown = false;
	make_plan(t, &stage.plan, aggregate);
	status = gs_report_read(run, &stage, 1, &input);
	if (status == GS_OK)
		status = gs_report_finish(run);
	if (status == GS_OK)
		status = take_ranges(run, t, grown);
	gs_report_end(run);
	return status;
}
