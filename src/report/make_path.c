/*-------------------------------------------------------------------------
 *
 * make_path.c
 *	  A report's path: what it carries, and the plan that it becomes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "report/costs.h"
#include "report/join.h"
#include "report/make_path.h"
#include "report/report.h"
#include "report/rewriting.h"
#include "report/statement.h"
#include "report/tid_fetch.h"
#include "report/windows.h"

/*
 * The path, made to give the custom scan's keys and aggregates, of all groups,
 * in its order.
 */
static Path *
make_child(const gs_report_query *q, RelOptInfo *grouped,
		   Path *aggregation)
{
	PathTarget *target = create_empty_pathtarget();
	Path	   *path;
	ListCell   *cell;
	ListCell   *ref;

	forboth(cell, q->keys, ref, q->key_refs)
		add_column_to_pathtarget(target, lfirst(cell), (Index) lfirst_int(ref));
	foreach(cell, q->aggregates)
		add_column_to_pathtarget(target, lfirst(cell), 0);
	foreach(cell, q->groupings)
		add_column_to_pathtarget(target, lfirst(cell), 0);
	if (q->of_rows || q->aggregated)
		path = gs_windows_child(aggregation, target);
	else if (IsA(aggregation, GroupingSetsPath))
	{
		GroupingSetsPath *sets = makeNode(GroupingSetsPath);

		*sets = *(const GroupingSetsPath *) aggregation;
		sets->qual = NIL;
		path = &sets->path;
	}
	else if (IsA(aggregation, AggPath))
	{
		AggPath    *agg = makeNode(AggPath);

		*agg = *(const AggPath *) aggregation;
		agg->qual = NIL;
		path = &agg->path;
	}
	else
	{
		GroupPath  *group = makeNode(GroupPath);

		*group = *(const GroupPath *) aggregation;
		group->qual = NIL;
		path = &group->path;
	}
	if (path != aggregation)
		path->pathtarget = set_pathtarget_cost_width(q->root, target);
	if (!q->of_rows && !q->aggregated)
		path->rows = gs_report_ordinary_groups(aggregation);
	if (!pathkeys_contained_in(q->pathkeys, path->pathkeys))
		path = (Path *) create_sort_path(q->root, grouped, path, q->pathkeys,
										 -1);
	return path;
}

/* custom_private of the path is a list of lists, in this order. */
typedef enum path_list
{
	PATH_KEYS,
	PATH_AGGREGATES,
	PATH_COMPUTED,				/* as in the plan */
	PATH_HAVING,
	PATH_FILTER,
	PATH_RELATIONS,				/* as in the plan, and the rest, too */
	PATH_HASH,
	PATH_SETS,
	PATH_GROUPINGS,
	PATH_GROUPING_VALUES,
	PATH_HIDDEN,				/* sets */
	PATH_JOIN,					/* of each dimension: its outer keys, inner
								 * keys, columns, and filter */
	PATH_JOIN_KINDS,
	PATH_JOIN_TABLES,
	PATH_JOIN_TABLES_READ,
	PATH_JOIN_HELD,
	PATH_COSTS,					/* as in the plan */
	PATH_STAGE,					/* of the report below, and how many there are */
	PATH_GIVEN,
	PATH_BELOW_HAVING,
	PATH_STAGES,
	PATH_WINDOWS,				/* as in windows.h */
	PATH_WINDOW_INTEGERS,
	PATH_ROWS,					/* from GS_REPORT_OF_ROWS on */
	PATH_TOP,
	PATH_BY_TID,				/* as in tid_fetch.h */
	PATH_REWRITTEN,				/* numbers of rewriting.h */
	PATH_LISTS
} path_list;

static List *
list_of(const CustomPath *path, path_list which)
{
	return list_nth(path->custom_private, which);
}

static Plan *
plan_report(PlannerInfo *root, RelOptInfo *rel pg_attribute_unused(),
			CustomPath *path, List *tlist, List *clauses pg_attribute_unused(),
			List *children)
{
	CustomScan *scan = makeNode(CustomScan);
	List	   *keys = list_of(path, PATH_KEYS);
	List	   *aggregates = list_of(path, PATH_AGGREGATES);
	List	   *groupings = list_of(path, PATH_GROUPINGS);
	List	   *filter = list_of(path, PATH_FILTER);
	List	   *computed = list_of(path, PATH_COMPUTED);
	List	   *join = list_of(path, PATH_JOIN);
	List	   *windows = list_of(path, PATH_WINDOWS);
	List	   *scan_tlist = NIL;
	List	   *entries;
	List	   *counts;
	ListCell   *cell;

	gs_join_separate(root);
	gs_statement_planned(list_of(path, PATH_REWRITTEN),
						 ((const Plan *) linitial(children))->total_cost);
	entries = list_concat(list_concat_copy(keys, aggregates), groupings);
	entries = list_concat(entries,
						  gs_tid_columns(list_of(path, PATH_BY_TID),
										 list_length(list_of(path, PATH_RELATIONS)) - 1));
	entries = list_concat_unique(entries,
								 pull_var_clause((Node *) list_make4(filter, join,
																  windows, computed),
												 PVC_RECURSE_AGGREGATES));
	foreach(cell, entries)
		scan_tlist = lappend(scan_tlist,
							 makeTargetEntry(copyObject(lfirst(cell)),
											 list_length(scan_tlist) + 1,
											 NULL, false));
	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = copyObject(list_of(path, PATH_HAVING));
	scan->flags = path->flags;
	scan->custom_plans = children;
	scan->custom_exprs = copyObject(list_concat(list_make3(filter, windows, computed),
												join));

	/* in the order of gs_report_private_list and gs_report_count */
	counts = list_make5_int(list_length(keys), list_length(aggregates),
							list_length(groupings),
							linitial_int(list_of(path, PATH_HIDDEN)),
							linitial_int(list_of(path, PATH_STAGES)));
	counts = lappend_int(counts, path->path.pathkeys != NIL);
	counts = list_concat(counts, list_of(path, PATH_ROWS));
	scan->custom_private =
		list_make5(list_of(path, PATH_RELATIONS), counts,
				   list_of(path, PATH_HASH), list_of(path, PATH_SETS),
				   list_of(path, PATH_GROUPING_VALUES));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_KINDS));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_TABLES));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_TABLES_READ));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_JOIN_HELD));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_COSTS));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_WINDOW_INTEGERS));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_TOP));
	scan->custom_private = lappend(scan->custom_private,
								   list_of(path, PATH_BY_TID));
	scan->custom_scan_tlist = scan_tlist;
	scan->methods = &gs_report_scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "GpuscanReport",
	.PlanCustomPath = plan_report,
};

bool
gs_report_is_path(const Path *path)
{
	return path != NULL && IsA(path, CustomPath) &&
		((const CustomPath *) path)->methods == &path_methods;
}

/* As far as a translation in planning needs them. */
static List *
dimensions_of(const CustomPath *path)
{
	List	   *dimensions = NIL;
	ListCell   *cell;
	ListCell   *kind;

	forboth(cell, list_of(path, PATH_JOIN),
			kind, list_of(path, PATH_JOIN_KINDS))
	{
		gs_dimension *d = palloc0(sizeof *d);

		d->kind = (JoinType) lfirst_int(kind);
		d->outer_keys = linitial((List *) lfirst(cell));
		d->inner_keys = lsecond((List *) lfirst(cell));
		d->columns = lthird((List *) lfirst(cell));
		d->filter = lfourth((List *) lfirst(cell));
		d->share = 1;
		dimensions = lappend(dimensions, d);
	}
	return dimensions;
}

void
gs_report_path_query(const Path *path, gs_report_query *q)
{
	const CustomPath *custom = (const CustomPath *) path;
	const List *hash = list_of(custom, PATH_HASH);
	const List *stage = list_of(custom, PATH_STAGE);

	q->keys = list_of(custom, PATH_KEYS);
	q->aggregates = list_of(custom, PATH_AGGREGATES);
	q->computed_keys = q->keys;
	q->computed_aggregates = q->aggregates;
	if (list_of(custom, PATH_COMPUTED) != NIL)
	{
		q->computed_keys = linitial(list_of(custom, PATH_COMPUTED));
		q->computed_aggregates = lsecond(list_of(custom, PATH_COMPUTED));
	}
	q->having = list_of(custom, PATH_HAVING);
	q->filter = list_of(custom, PATH_FILTER);
	q->relations = list_of(custom, PATH_RELATIONS);
	q->hash = (uint64) (uint32) list_nth_int(hash, GS_REPORT_HASH_HIGH) << 32 |
		(uint32) list_nth_int(hash, GS_REPORT_HASH_LOW);
	q->parametric = list_nth_int(hash, GS_REPORT_HASH_PARAMETERS) != 0;
	q->stage = stage == NIL ? NULL : linitial(stage);
	q->given = list_of(custom, PATH_GIVEN);
	q->below_having = list_of(custom, PATH_BELOW_HAVING);
	q->dimensions = dimensions_of(custom);
	q->saving = list_nth_int(list_of(custom, PATH_COSTS), GS_REPORT_SAVING);
	q->stages = linitial_int(list_of(custom, PATH_STAGES));
	q->windows = list_of(custom, PATH_WINDOWS);
	q->window_integers = list_of(custom, PATH_WINDOW_INTEGERS);
	q->of_rows = linitial_int(list_of(custom, PATH_ROWS)) != 0;
	q->order = lsecond_int(list_of(custom, PATH_ROWS));
	q->first = lthird_int(list_of(custom, PATH_ROWS));
	q->limit = lfourth_int(list_of(custom, PATH_ROWS));
}

static List *
relations_of(const gs_report_query *q)
{
	List	   *relations;
	ListCell   *cell;

	if (q->stage != NULL)
		return q->relations;
	relations = list_make1_oid(gs_report_query_table(q));
	foreach(cell, q->tables)
	{
		RelOptInfo *rel = lfirst(cell);

		relations = lappend_oid(relations,
								planner_rt_fetch(rel->relid, q->root)->relid);
	}
	return relations;
}

static List *
join_of(const gs_report_query *q)
{
	List	   *join = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		const gs_dimension *d = lfirst(cell);

		join = lappend(join, list_make4(d->outer_keys, d->inner_keys,
										d->columns, d->filter));
	}
	return join;
}

static List *
kinds_of(const gs_report_query *q)
{
	List	   *kinds = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
		kinds = lappend_int(kinds, ((const gs_dimension *) lfirst(cell))->kind);
	return kinds;
}

static List *
join_tables_of(const gs_report_query *q)
{
	List	   *tables = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
		tables = lappend(tables, ((const gs_dimension *) lfirst(cell))->tables);
	return tables;
}

static List *
join_tables_read_of(const gs_report_query *q)
{
	List	   *tables = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
		tables = lappend(tables,
						 ((const gs_dimension *) lfirst(cell))->tables_read);
	return tables;
}

static List *
join_held_of(const gs_report_query *q)
{
	List	   *held = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		const gs_dimension *d = lfirst(cell);

		held = lappend(held, OidIsValid(d->held) ?
					   lcons_oid(d->held, list_copy(d->held_tables)) : NIL);
	}
	return held;
}

static int
whole_cost(Cost cost)
{
	return (int) Max(Min(cost, INT_MAX / 2), -INT_MAX / 2);
}

/* -1: it is none of the dimensions. */
static int
number_of(const gs_report_query *q, const gs_dimension *dimension)
{
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		if (lfirst(cell) == dimension)
			return foreach_current_index(cell);
	}
	return -1;
}

/* In the order of gs_report_cost. */
static List *
costs_of(const gs_report_query *q)
{
	List	   *costs = list_make3_int(whole_cost(q->saving),
									   whole_cost(q->first_cost),
									   whole_cost(q->first_by_workers));
	ListCell   *cell;

	foreach(cell, q->dimensions)
		costs = lappend_int(costs, whole_cost(((const gs_dimension *) lfirst(cell))->cost));
	foreach(cell, q->dimensions)
	{
		uint64		guess = ((const gs_dimension *) lfirst(cell))->guess;

		costs = lappend_int(costs, (int) (guess >> 32));
		costs = lappend_int(costs, (int) guess);
	}
	foreach(cell, q->dimensions)
		costs = lappend_int(costs, (int) (((const gs_dimension *) lfirst(cell))->share *
										  GS_DIMENSION_SHARES));
	foreach(cell, q->dimensions)
		costs = lappend_int(costs, number_of(q, ((const gs_dimension *) lfirst(cell))->parent));
	foreach(cell, q->dimensions)
		costs = lappend_int(costs, whole_cost(((const gs_dimension *) lfirst(cell))->first_by_workers));
	return costs;
}

bool
gs_report_sorts_few(const gs_report_query *q)
{
	return gs_windows_is_of_few(q) && q->root->sort_pathkeys != NIL;
}

/* Which subqueries of rewriting.h does it make, here or in the reports below? */
static List *
rewritten_of(const gs_report_query *q)
{
	int			number = gs_rewriting_number(q->root->parse);
	List	   *rewritten = q->stage == NULL ? NIL :
		list_copy(list_of((const CustomPath *) q->stage, PATH_REWRITTEN));

	return number < 0 ? rewritten : lappend_int(rewritten, number);
}

/* NIL: they are the keys and aggregates that the scan's tuples have. */
static List *
computed_of(const gs_report_query *q)
{
	return equal(q->computed_keys, q->keys) &&
		equal(q->computed_aggregates, q->aggregates) ? NIL :
		list_make2(q->computed_keys, q->computed_aggregates);
}

static List *
private_of(const gs_report_query *q)
{
	List	   *list[PATH_LISTS] = {
		[PATH_KEYS] = q->keys,
		[PATH_AGGREGATES] = q->aggregates,
		[PATH_COMPUTED] = computed_of(q),
		[PATH_HAVING] = q->having,
		[PATH_FILTER] = q->filter,
		[PATH_RELATIONS] = relations_of(q),
		/* in the order of gs_report_hash */
		[PATH_HASH] = list_make3_int((int) (q->hash >> 32), (int) q->hash,
									 q->parametric),
		[PATH_SETS] = q->sets,
		[PATH_GROUPINGS] = q->groupings,
		[PATH_GROUPING_VALUES] = q->grouping_values,
		[PATH_HIDDEN] = list_make1_int(q->hidden),
		[PATH_JOIN] = join_of(q),
		[PATH_JOIN_KINDS] = kinds_of(q),
		[PATH_JOIN_TABLES] = join_tables_of(q),
		[PATH_JOIN_TABLES_READ] = join_tables_read_of(q),
		[PATH_JOIN_HELD] = join_held_of(q),
		[PATH_COSTS] = costs_of(q),
		[PATH_STAGE] = q->stage == NULL ? NIL : list_make1(q->stage),
		[PATH_GIVEN] = q->given,
		[PATH_BELOW_HAVING] = q->below_having,
		[PATH_STAGES] = list_make1_int(q->stages),
		[PATH_WINDOWS] = q->windows,
		[PATH_WINDOW_INTEGERS] = q->window_integers,
		[PATH_ROWS] = list_make5_int(q->of_rows, q->order, q->first, q->limit,
									 q->aggregated || gs_report_sorts_few(q)),
		[PATH_TOP] = q->top,
		[PATH_BY_TID] = q->by_tid,
		[PATH_REWRITTEN] = rewritten_of(q)
	};
	List	   *all = NIL;

	for (int i = 0; i < PATH_LISTS; i++)
		all = lappend(all, list[i]);
	return all;
}

Path *
gs_report_make_path(gs_report_query *q, RelOptInfo *grouped,
					const Path *costs, Path *aggregation)
{
	CustomPath *custom = makeNode(CustomPath);
	Path	   *path = &custom->path;

	path->rows = costs->rows;
	path->startup_cost = costs->startup_cost;
	path->total_cost = costs->total_cost;
	path->pathtype = T_CustomScan;
	path->parent = grouped;
	path->pathtarget = q->target;
	path->pathkeys = q->pathkeys;
	custom->custom_paths = lcons(make_child(q, grouped, aggregation),
								 gs_report_dimension_paths(q));
	custom->custom_private = private_of(q);
	custom->methods = &path_methods;
#ifdef CUSTOMPATH_SUPPORT_PROJECTION
	custom->flags = CUSTOMPATH_SUPPORT_PROJECTION;
#endif
	return path;
}
