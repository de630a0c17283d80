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
 * they are few: few of many that the filter passes, or, if all aggregates are
 * DISTINCT, or do not care how often a value comes, few different ones, which are
 * the groups of a report.
 *
 * The service's rows come in another order than the table's.  So each aggregate
 * must sort its values, or not depend on their order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"

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

/* Rows that ORDER BY leaves equal may come in any order, as in any plan. */
static bool
ignores_order(const Aggref *aggref)
{
	if (aggref->aggdistinct != NIL || AGGKIND_IS_ORDERED_SET(aggref->aggkind))
		return have_one_look(aggref->args);
	return aggref->aggorder != NIL || is_known_exact(aggref);
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
	return list_concat(pull_var_clause((Node *) q->target->exprs,
									   PVC_INCLUDE_AGGREGATES |
									   PVC_RECURSE_WINDOWFUNCS |
									   PVC_RECURSE_PLACEHOLDERS),
					   pull_var_clause((Node *) q->having,
									   PVC_INCLUDE_AGGREGATES |
									   PVC_RECURSE_PLACEHOLDERS));
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

		if (!IsA(aggref, Aggref))
			continue;
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

/* A report of the rows, or of the different ones; or NULL. */
static Path *
find_rows(gs_report_query *q, RelOptInfo *grouped, bool distinct)
{
	Path	   *ordinary = q->input->cheapest_total_path;
	Path	   *path;
	gs_report_query rows = {
		.root = q->root,
		.input = q->input,
		.upper = distinct ? UPPERREL_DISTINCT : UPPERREL_FINAL,
		.distinct = distinct,
		.of_rows = !distinct,
		.aggregated = true,
		.target = ordinary->pathtarget
	};

	if (!distinct && !gs_windows_few_rows(q->root, q->input))
	{
		refuse(q, "the rows of an aggregate that the service does not know are not few",
			   NULL);
		return NULL;
	}
	if (!gs_report_examine(&rows))
		return NULL;
	path = rows.stage != NULL ? NULL :
		gs_report_find_path(&rows, grouped, ordinary, ordinary->total_cost);
	if (path == NULL && rows.reason != NULL)
		refuse(q, rows.reason, rows.hint);
	return path != NULL && distinct &&
		most_different(&rows) * GS_FEW_OF > q->input->rows ? NULL : path;
}

bool
gs_aggregated_rows_add(gs_report_query *q, RelOptInfo *grouped)
{
	const AggPath *ordinary = find_aggregation(q, grouped);
	Path	   *rows = NULL;
	Path	   *path;
	bool		repeated;

	if (ordinary == NULL || !examine_aggregates(q, &repeated))
		return false;
	if (!repeated)
		rows = find_rows(q, grouped, true);
	if (rows == NULL && examine_keys(q))
		rows = find_rows(q, grouped, false);
	if (rows == NULL)
		return false;
	path = aggregate_rows(q, grouped, ordinary, rows);
	add_path(grouped, path);
	return list_member_ptr(grouped->pathlist, path);
}
