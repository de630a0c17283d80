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
#include "utils/date.h"
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
	gs_column_range range;
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
			   gs_column_range *range)
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
	*range = known->range;
	return true;
}

bool
gs_infinities(Oid type, int64 *least, int64 *most)
{
	*least = type == DATEOID ? DATEVAL_NOBEGIN : PG_INT64_MIN;
	*most = type == DATEOID ? DATEVAL_NOEND : PG_INT64_MAX;
	return type == DATEOID || type == TIMESTAMPOID || type == TIMESTAMPTZOID;
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
add_statistics(HeapTuple statistics, int kind, gs_column_range *range)
{
	AttStatsSlot slot;
	int64		least;
	int64		most;

	if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return false;
	for (int i = 0; i < slot.nvalues; i++)
	{
		int64		value = integer_from(slot.valuetype, slot.values[i]);

		if (gs_infinities(slot.valuetype, &least, &most) &&
			(value == least || value == most))
		{
			range->infinite = true;
			continue;
		}
		range->low = Min(range->low, value);
		range->high = Max(range->high, value);
	}
	free_attstatsslot(&slot);
	return true;
}

bool
gs_ranges_guess(Oid relation, AttrNumber attribute, gs_column_range *range)
{
	known_range *known = range_of(relation, attribute, HASH_FIND, NULL);
	bool		found = false;

	if (known != NULL)
	{
		*range = known->range;
		return true;
	}
	range->low = PG_INT64_MAX;
	range->high = PG_INT64_MIN;
	range->infinite = false;
	for (int inherited = 0; inherited <= 1; inherited++)
	{
		HeapTuple	statistics = SearchSysCache3(STATRELATTINH,
												 ObjectIdGetDatum(relation),
												 Int16GetDatum(attribute),
												 BoolGetDatum(inherited != 0));

		if (!HeapTupleIsValid(statistics))
			continue;
		found |= add_statistics(statistics, STATISTIC_KIND_HISTOGRAM, range);
		found |= add_statistics(statistics, STATISTIC_KIND_MCV, range);
		ReleaseSysCache(statistics);
	}
	return found;
}

/* ----------
 * Finding out
 * ----------
 */

/*
 * Of each column how many values, the least and the greatest; of times, these of the
 * finite ones, and how many are infinite.
 */
enum
{
	COUNT,
	LEAST,
	GREATEST,
	INFINITE,
	AGGREGATES
};

/* Columns of which a plan has the aggregates. */
#define PLAN_RANGES		(GS_PLAN_AGGREGATES / AGGREGATES)

/* The plan's column of an attribute. */
static int
column_of(const gs_translation *t, AttrNumber attribute)
{
	int			c = 0;

	while (t->column[c].attribute != attribute)
		c++;
	return c;
}

/* With what each column may take: two constants and four instructions. */
typedef struct range_plan
{
	gs_stage	stage;
	gs_aggregate aggregate[PLAN_RANGES * AGGREGATES];
	gs_constant constant[PLAN_RANGES * 2];
	gs_instruction code[PLAN_RANGES * 4];
} range_plan;

static gs_operand
put(range_plan *p, gs_code code, gs_type type, gs_operand a, gs_operand b)
{
	gs_plan    *plan = &p->stage.plan;

	p->code[plan->instructions] = (gs_instruction) {
		.code = code,.type = type,.a = a,.b = b
	};
	return GS_RESULT(plan->instructions++);
}

static gs_operand
put_constant(range_plan *p, gs_type type, int64 value)
{
	gs_plan    *plan = &p->stage.plan;
	gs_constant *k = &p->constant[plan->constants];

	k->type = type;
	if (type == GS_INT4)
		k->value.i4 = (int32) value;
	else
		k->value.i8 = value;
	return GS_CONSTANT(plan->constants++);
}

/* Count infinite times, and leave them out of the others. */
static void
set_apart(range_plan *p, gs_operand column, int64 least, int64 most,
		  gs_aggregate *aggregate)
{
	gs_type		type = p->stage.plan.column[column];
	gs_operand	below = put(p, GS_CODE_EQ, type, column,
							put_constant(p, type, least));
	gs_operand	above = put(p, GS_CODE_EQ, type, column,
							put_constant(p, type, most));
	gs_operand	infinite = put(p, GS_CODE_OR, GS_BOOL, below, above);
	gs_operand	finite = put(p, GS_CODE_NOT, GS_BOOL, infinite, 0);

	for (int k = 0; k < AGGREGATES; k++)
		aggregate[k].filter = k == INFINITE ? infinite : finite;
}

/*
 * Of n columns, with all those of the report, so that they are read in one go.
 */
static void
make_plan(const gs_translation *t, const AttrNumber *attribute, int n,
		  range_plan *p)
{
	static const int kinds[AGGREGATES] = {
		[COUNT] = GS_AGG_COUNT,[LEAST] = GS_AGG_MIN,[GREATEST] = GS_AGG_MAX,
		[INFINITE] = GS_AGG_COUNT
	};
	gs_plan    *plan = &p->stage.plan;

	memset(p, 0, sizeof *p);
	plan->columns = t->plan.columns;
	plan->column = t->plan.column;
	plan->code = p->code;
	plan->constant = p->constant;
	plan->filter = GS_NOTHING;
	plan->aggregates = n * AGGREGATES;
	plan->aggregate = p->aggregate;
	for (int i = 0; i < n; i++)
	{
		gs_operand	column = GS_COLUMN(column_of(t, attribute[i]));
		gs_aggregate *aggregate = &p->aggregate[i * AGGREGATES];
		int64		least;
		int64		most;

		for (int k = 0; k < AGGREGATES; k++)
		{
			aggregate[k].kind = kinds[k];
			aggregate[k].a = column;
			aggregate[k].filter = GS_NOTHING;
		}
		if (gs_infinities(get_atttype(t->relation, attribute[i]), &least, &most))
			set_apart(p, column, least, most, aggregate);
	}
}

static int64
integer_of(int type, const gs_value *value)
{
	return type == GS_INT2 ? value->i2 : type == GS_INT4 ? value->i4 : value->i8;
}

/* Remember the range; returns whether it is another one than before. */
static bool
remember(const gs_translation *t, AttrNumber attribute, gs_column_range now)
{
	bool		found;
	known_range *known = range_of(t->relation, attribute, HASH_ENTER, &found);
	gs_column_range before = known->range;
	gs_column_range *range = &known->range;

	if (!found || before.high < before.low)
		*range = now;
	else if (now.low <= now.high)
	{
		range->low = Min(before.low, now.low);
		range->high = Max(before.high, now.high);
	}
	range->infinite = now.infinite || (found && before.infinite);
	return !found || range->low != before.low || range->high != before.high ||
		range->infinite != before.infinite;
}

static gs_status
take_ranges(gs_report_run *run, const gs_translation *t,
			const AttrNumber *attribute, int n, bool *grown)
{
	gs_groups_layout layout;
	gs_status	status = gs_report_ask_groups(run, 0, 1);
	char	   *group;

	gs_lay_groups(run->plan, 1, &layout);
	group = palloc(layout.size);
	if (status == GS_OK)
		status = gs_report_take_groups(run, 1, group);
	for (int i = 0; status == GS_OK && i < n; i++)
	{
		const int	type = run->plan->column[run->plan->aggregate[i * AGGREGATES].a];
		gs_column_range range = {.low = 0,.high = -1};
		const void *state[AGGREGATES];
		int64		least;
		int64		most;

		for (int k = 0; k < AGGREGATES; k++)
			state[k] = group + layout.column[GS_FETCH_STATE(i * AGGREGATES + k)];
		if (*(const int64 *) state[COUNT] > 0)
		{
			range.low = integer_of(type, state[LEAST]);
			range.high = integer_of(type, state[GREATEST]);
		}
		range.infinite = *(const int64 *) state[INFINITE] > 0 &&
			gs_infinities(get_atttype(t->relation, attribute[i]), &least, &most);
		*grown |= remember(t, attribute[i], range);
	}
	pfree(group);
	return status;
}

gs_status
gs_ranges_read(gs_report_run *run, const gs_translation *t, List *tables,
			   Snapshot snapshot, bool *grown)
{
	range_plan *p = palloc(sizeof *p);
	gs_report_input input = {
		.tables = tables,
		.named = t->relation,
		.column = t->column,
		.snapshot = snapshot,
		.workers = max_parallel_workers_per_gather
	};
	gs_status	status = GS_OK;

	*grown = false;
	for (int i = 0; i < t->ranges.n && status == GS_OK; i += PLAN_RANGES)
	{
		const AttrNumber *attribute = &t->ranges.attribute[i];
		int			n = Min(t->ranges.n - i, PLAN_RANGES);

		make_plan(t, attribute, n, p);
		status = gs_report_read(run, &p->stage, 1, &input);
		if (status == GS_OK)
			status = gs_report_finish(run);
		if (status == GS_OK)
			status = take_ranges(run, t, attribute, n, grown);
		gs_report_end(run);
	}
	pfree(p);
	return status;
}
