/*-------------------------------------------------------------------------
 *
 * aggregated_rows.c
 *	  Aggregates that the service does not know, such as string_agg and array_agg:
 *	  PostgreSQL computes them of the rows of a report.
 *
 *		GroupAggregate
 *		  ->  Sort
 *				->  Custom Scan (GpuscanReport)
 *					  ->  the ordinary plan's rows
 *
 * Each row costs the session as much as one that a scan gives, so it pays if
 * they are few: few of many that the filter passes; if all aggregates are
 * DISTINCT, or do not care how often a value comes, few different ones, which are
 * the groups of a report; or of gpu_topk, the first of each group.
 *
 * The service's rows come in another order than the table's.  So each aggregate
 * must sort its values, or not depend on their order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "pg/settings.h"
#include "report/aggregate/aggregate_kinds.h"
#include "report/aggregated_rows.h"
#include "report/windows.h"

static void
refuse(gs_report_query *q, const char *reason, const char *hint)
{
	q->reason = reason;
	q->hint = hint;
	q->detail = NULL;
}

/* ----------
 * Which aggregates
 * ----------
 */

/*
 * Do equal values look the same?  Those of a numeric column do, if a report has
 * them.
 */
static bool
has_one_look(Node *e)
{
	return gs_equal_is_same(exprType(e), exprCollation(e)) ||
		(IsA(e, Var) && exprType(e) == NUMERICOID);
}

static bool
have_one_look(const List *entries)
{
	ListCell   *cell;

	foreach(cell, entries)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (!IsA(entry->expr, Const) && !has_one_look((Node *) entry->expr))
			return false;
	}
	return true;
}

/* The bit of aggregate_kinds.h, or NONE. */
static int
type_bit(Node *e)
{
	gs_report_column column;
	gs_type		type;

	if (!gs_column_form_of(exprType(e), exprTypmod(e), exprCollation(e),
						   &column, &type))
		return NONE;
	return column.form == GS_FORM_DECIMAL ? DECIMALS :
		column.form == GS_FORM_CODE ? CODES :
		column.form == GS_FORM_VALUE ? 1 << type : NONE;
}

static bool
is_known_exact(const Aggref *aggref)
{
	known_aggregate known = gs_known_aggregate(aggref->aggfnoid);
	int			types;
	ListCell   *cell;

	if (known.kind == NULL)
		return false;
	if (known.kind->rule == GS_RULE_COUNT && known.kind->kind == GS_AGG_COUNT)
		return true;
	types = known.gpuscan ? known.kind->types : known.kind->same;
	foreach(cell, aggref->args)
	{
		Node	   *e = (Node *) lfirst_node(TargetEntry, cell)->expr;

		if (!IsA(e, Const) && !(types & type_bit(e)))
			return false;
	}
	return known.gpuscan || known.kind->rule == GS_RULE_FIGURE ||
		have_one_look(aggref->args);
}

static Node *
argument(const Aggref *aggref, int i)
{
	return (Node *) list_nth_node(TargetEntry, aggref->args, i)->expr;
}

/* Among the greatest values zeros, too, have their order. */
static bool
is_topk(const Aggref *aggref)
{
	known_aggregate known = gs_known_aggregate(aggref->aggfnoid);
	Oid			type;

	if (!known.gpuscan || known.kind != NULL ||
		strcmp(get_func_name(aggref->aggfnoid), "gpu_topk") != 0)
		return false;
	type = exprType(argument(aggref, 0));
	return type == FLOAT4OID || type == FLOAT8OID ||
		has_one_look(argument(aggref, 0));
}

/* Rows that ORDER BY leaves equal may come in any order, as in any plan. */
static bool
ignores_order(const Aggref *aggref)
{
	if (aggref->aggdistinct != NIL || AGGKIND_IS_ORDERED_SET(aggref->aggkind))
		return have_one_look(aggref->args);
	return aggref->aggorder != NIL || is_known_exact(aggref) ||
		is_topk(aggref);
}

static bool
ignores_repetition(const Aggref *aggref)
{
	const aggregate_kind *kind = gs_known_aggregate(aggref->aggfnoid).kind;

	if (contain_volatile_functions((Node *) aggref))
		return false;
	if (aggref->aggdistinct != NIL)
		return true;
	return kind != NULL && kind->rule == GS_RULE_VALUE &&
		(kind->kind == GS_AGG_MIN || kind->kind == GS_AGG_MAX ||
		 kind->kind == GS_AGG_BIT_AND || kind->kind == GS_AGG_BIT_OR) &&
		kind->extreme == NULL;
}

static List *
aggregates_of(const gs_report_query *q)
{
	List	   *parts = pull_var_clause((Node *) list_make2(q->target->exprs,
															q->having),
										PVC_INCLUDE_AGGREGATES |
										PVC_RECURSE_WINDOWFUNCS |
										PVC_RECURSE_PLACEHOLDERS);
	List	   *aggregates = NIL;
	ListCell   *cell;

	foreach(cell, parts)
	{
		if (IsA(lfirst(cell), Aggref))
			aggregates = lappend(aggregates, lfirst(cell));
	}
	return aggregates;
}

/* *repeated: does it matter how often a value comes? */
static bool
examine_aggregates(gs_report_query *q, bool *repeated)
{
	bool		unknown = false;
	const Aggref *ordered = NULL;
	ListCell   *cell;

	*repeated = false;
	foreach(cell, aggregates_of(q))
	{
		const Aggref *aggref = lfirst(cell);

		unknown |= gs_known_aggregate(aggref->aggfnoid).kind == NULL;
		*repeated |= !ignores_repetition(aggref);
		if (ordered == NULL && !ignores_order(aggref))
			ordered = aggref;
	}
	if (unknown && ordered != NULL)
		refuse(q, psprintf("the result of %s may depend on the order of rows",
						   get_func_name(ordered->aggfnoid)),
			   gs_known_aggregate(ordered->aggfnoid).kind == NULL ?
			   "Give it an ORDER BY, as in array_agg(x ORDER BY x)." : NULL);
	return unknown && ordered == NULL;
}

/* A known k that is not 0 or less; else 0. */
static int
known_k(const Aggref *aggref)
{
	const Const *k = (const Const *) argument(aggref, 1);
	const Const *largest = list_length(aggref->args) < 3 ? NULL :
		(const Const *) argument(aggref, 2);

	return !IsA(k, Const) || k->constisnull ||
		(largest != NULL && (!IsA(largest, Const) || largest->constisnull)) ?
		0 : Max(DatumGetInt32(k->constvalue), 0);
}

static bool
is_of_largest(const Aggref *aggref)
{
	return list_length(aggref->args) < 3 ||
		DatumGetBool(((const Const *) argument(aggref, 2))->constvalue);
}

/*
 * If all aggregates are of a group's k greatest values, or of its least ones, its
 * first rows are enough.
 */
static const Aggref *
find_top(const gs_report_query *q, int *k)
{
	const Aggref *top = NULL;
	ListCell   *cell;

	*k = 0;
	foreach(cell, aggregates_of(q))
	{
		const Aggref *aggref = lfirst(cell);

		if (!is_topk(aggref) || known_k(aggref) == 0 ||
			!contain_var_clause(argument(aggref, 0)) ||
			aggref->aggfilter != NULL || aggref->aggdistinct != NIL ||
			(top != NULL && (is_of_largest(aggref) != is_of_largest(top) ||
							 !equal(argument(aggref, 0), argument(top, 0)))))
			return NULL;
		top = aggref;
		*k = Max(*k, known_k(aggref));
	}
	return top;
}

/* Of several looks, the first row's would be the group's. */
static bool
examine_keys(gs_report_query *q)
{
	const PathTarget *target = q->input->cheapest_total_path->pathtarget;
	int			i = 0;
	ListCell   *cell;

	foreach(cell, target->exprs)
	{
		if (get_pathtarget_sortgroupref(target, i++) != 0 &&
			!has_one_look(lfirst(cell)))
		{
			refuse(q, "equal values of a key may look different", NULL);
			return false;
		}
	}
	return true;
}

/* ----------
 * Paths
 * ----------
 */

/* An aggregation of rows that are sorted by the keys, or in any order. */
static const AggPath *
find_aggregation(const gs_report_query *q, const RelOptInfo *grouped)
{
	const AggPath *best = NULL;
	ListCell   *cell;

	foreach(cell, grouped->pathlist)
	{
		const AggPath *agg = lfirst(cell);

		if (IsA(agg, AggPath) && agg->aggsplit == AGGSPLIT_SIMPLE &&
			(agg->aggstrategy == AGG_HASHED ||
			 pathkeys_contained_in(q->root->group_pathkeys,
								   agg->subpath->pathkeys)) &&
			(best == NULL || agg->path.total_cost < best->path.total_cost))
			best = agg;
	}
	return best;
}

/* The same of other rows. */
static Path *
aggregate_rows(const gs_report_query *q, RelOptInfo *grouped,
			   const AggPath *ordinary, Path *rows)
{
	AggPath    *agg = makeNode(AggPath);
	List	   *pathkeys = q->root->group_pathkeys;
	double		share = Min(rows->rows / Max(q->input->rows, 1), 1);

	*agg = *ordinary;
	agg->path.parallel_aware = agg->path.parallel_safe = false;
	agg->path.parallel_workers = 0;
	if (agg->aggstrategy != AGG_HASHED && pathkeys != NIL)
	{
		rows = (Path *) create_sort_path(q->root, grouped, rows, pathkeys, -1);
		agg->path.pathkeys = list_truncate(list_copy(ordinary->path.pathkeys),
										   list_length(pathkeys));
	}
	agg->subpath = rows;
	agg->path.total_cost = rows->total_cost + share *
		(ordinary->path.total_cost - ordinary->subpath->total_cost);
	agg->path.startup_cost = agg->aggstrategy == AGG_SORTED ?
		rows->startup_cost : agg->path.total_cost;
	return &agg->path;
}

/* How many different ones are there at most, by what is known of each column? */
static double
most_different(const gs_report_query *rows)
{
	double		most = 1;

	for (int k = 0; k < list_length(rows->keys); k++)
		most *= rows->key_values[k];
	return most;
}

/* A report of the input's rows, of which *rows says more; or NULL. */
static Path *
find_rows(gs_report_query *q, RelOptInfo *grouped, gs_report_query *rows)
{
	Path	   *ordinary = q->input->cheapest_total_path;
	Path	   *path;

	rows->root = q->root;
	rows->input = q->input;
	rows->aggregated = true;
	rows->target = ordinary->pathtarget;
	if (!gs_report_examine(rows))
		return NULL;
	path = rows->stage != NULL ? NULL :
		gs_report_find_path(rows, grouped, ordinary, ordinary->total_cost);
	if (path == NULL && rows->reason != NULL)
		refuse(q, rows->reason, rows->hint);
	return path;
}

/* Rows of different values: no more than so many groups are worth it. */
static Path *
find_different(gs_report_query *q, RelOptInfo *grouped)
{
	gs_report_query rows = {.upper = UPPERREL_DISTINCT, .distinct = true};
	Path	   *path = find_rows(q, grouped, &rows);

	return path != NULL &&
		most_different(&rows) * GS_FEW_OF <= q->input->rows ? path : NULL;
}

/*
 * How many rows may be equal by the value?  As far as statistics tell; else all.
 */
static double
most_equal(const gs_report_query *q, Node *value)
{
	VariableStatData statistics;
	AttStatsSlot slot;
	double		most = q->input->rows;

	examine_variable(q->root, value, 0, &statistics);
	if (HeapTupleIsValid(statistics.statsTuple))
	{
		most = 0;
		if (get_attstatsslot(&slot, statistics.statsTuple, STATISTIC_KIND_MCV,
							 InvalidOid, ATTSTATSSLOT_NUMBERS))
		{
			most = slot.numbers[0] * q->input->rows;
			free_attstatsslot(&slot);
		}
	}
	ReleaseVariableStats(statistics);
	return most;
}

/*
 * The first k rows of each group, by the value.  The aggregate puts 0 above -0, and a
 * window takes them for equal: so of floats, all rows that equal the last one come
 * along.
 */
static Path *
find_first(gs_report_query *q, RelOptInfo *grouped, double groups,
		   const Aggref *top, int k)
{
	const PathTarget *target = q->input->cheapest_total_path->pathtarget;
	gs_report_query rows = {
		.upper = UPPERREL_DISTINCT,
		.of_rows = true,
		.first = k,
		.most_rows = k * groups
	};
	List	   *keys = NIL;
	List	   *integers = list_make2_int(0, 0);

	if (!has_one_look(argument(top, 0)))
	{
		rows.first = -k;
		rows.most_rows += most_equal(q, argument(top, 0));
	}
	if (rows.most_rows * GS_FEW_OF > q->input->rows || !examine_keys(q))
		return NULL;
	for (int i = 0; i < list_length(target->exprs); i++)
	{
		Node	   *e = list_nth(target->exprs, i);

		if (get_pathtarget_sortgroupref(target, i) == 0 ||
			!contain_var_clause(e))
			continue;
		keys = lappend(keys, e);
		integers = lappend_int(integers, 0);
	}
	integers = lappend_int(integers,
						   is_of_largest(top) ? GS_WAY_DESCENDING : 0);
	rows.windows = list_make1(list_make3(keys, list_make1(argument(top, 0)),
										 list_make2(NULL, NULL)));
	rows.window_integers = list_make1(integers);
	return find_rows(q, grouped, &rows);
}

static Path *
find_few(gs_report_query *q, RelOptInfo *grouped)
{
	gs_report_query rows = {.upper = UPPERREL_FINAL, .of_rows = true};

	if (!gs_windows_few_rows(q->root, q->input))
	{
		refuse(q, "the rows of an aggregate that the service does not know are not few",
			   NULL);
		return NULL;
	}
	return examine_keys(q) ? find_rows(q, grouped, &rows) : NULL;
}

bool
gs_aggregated_rows_add(gs_report_query *q, RelOptInfo *grouped)
{
	const AggPath *ordinary = find_aggregation(q, grouped);
	const Aggref *top;
	Path	   *rows = NULL;
	Path	   *path;
	bool		repeated;
	int			k;

	if (ordinary == NULL ||
		(gs_reports_setting == GS_REPORTS_GPUSCAN &&
		 !gs_report_query_is_gpuscan(q)) ||
		!examine_aggregates(q, &repeated))
		return false;
	top = find_top(q, &k);
	if (!repeated)
		rows = find_different(q, grouped);
	else if (top != NULL)
		rows = find_first(q, grouped, ordinary->numGroups, top, k);
	if (rows == NULL)
		rows = find_few(q, grouped);
	if (rows == NULL)
		return false;
	path = aggregate_rows(q, grouped, ordinary, rows);
	add_path(grouped, path);
	return list_member_ptr(grouped->pathlist, path);
}
