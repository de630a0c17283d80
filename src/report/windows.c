/*-------------------------------------------------------------------------
 *
 * windows.c
 *	  Which queries with window functions can be made as reports.
 *
 * The planner has put the windows' partitions and orders, and what else is used
 * of each row, into the target of the rows below; these expressions are the
 * keys.  What is computed of them and of functions is the scan's projection.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/stratnum.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "report/report.h"
#include "report/statement.h"
#include "report/windows.h"

/* What a row costs for each window, of a comparison in PostgreSQL's sort. */
#define SORT_SHARE		4
#define FUNCTION_SHARE	1

/* More rows than this are not worth it. */
#define LIMIT_MAX		1000000

/* A row that is fetched and made a tuple, of one that a scan gives. */
#define TUPLE_SHARE		0.3

/* ----------
 * Windows
 * ----------
 */

/* Expressions that do not depend on the row tell no rows apart. */
static bool
is_of_row(Node *expression)
{
	return contain_var_clause(expression);
}

/* Add the expressions that clauses have, and which way each is sorted. */
static bool
find_order(gs_report_query *q, const List *clauses, List **order,
		   List **ways)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		Node	   *expression = get_sortgroupclause_expr(clause,
														  q->root->processed_tlist);
		TypeCacheEntry *type = lookup_type_cache(exprType(expression),
												 TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR |
												 TYPECACHE_GT_OPR);
		bool		descending = type->gt_opr == clause->sortop;

		if (type->eq_opr != clause->eqop ||
			(!descending && type->lt_opr != clause->sortop))
			return gs_refuse(q, "a window's rows are not in their type's usual order");
		if (contain_volatile_functions(expression))
			return gs_refuse(q, "it uses volatile functions");
		if (!is_of_row(expression))
			continue;
		*order = lappend(*order, expression);
		*ways = lappend_int(*ways,
							(descending ? GS_WAY_DESCENDING : 0) |
							(clause->nulls_first ? GS_WAY_NULLS_FIRST : 0));
	}
	return true;
}

static bool
add_window(gs_report_query *q, const List *partition_clauses,
		   const List *order_clauses, const WindowClause *window)
{
	List	   *partition = NIL;
	List	   *order = NIL;
	List	   *integers = list_make2_int((int) window->winref,
										  window->frameOptions);

	if (!find_order(q, partition_clauses, &partition, &integers) ||
		!find_order(q, order_clauses, &order, &integers))
		return false;
	q->windows = lappend(q->windows,
						 list_make3(partition, order,
									list_make2(window->startOffset,
											   window->endOffset)));
	q->window_integers = lappend(q->window_integers, integers);
	return true;
}

static List *
pathkeys_of_clauses(const gs_report_query *q, List *clauses)
{
	return make_pathkeys_for_sortclauses(q->root, clauses,
										 q->root->processed_tlist);
}

static List *
pathkeys_of(const gs_report_query *q, const WindowClause *window)
{
	return pathkeys_of_clauses(q, list_concat_copy(window->partitionClause,
												   window->orderClause));
}

/* Rows come in the order that the query wants, if a window has it. */
static void
choose_order(gs_report_query *q, const List *used)
{
	List	   *wanted = q->root->sort_pathkeys;
	int			n = 0;
	ListCell   *cell;

	foreach(cell, used)
	{
		List	   *pathkeys = pathkeys_of(q, lfirst(cell));
		bool		fits = wanted != NIL &&
			pathkeys_contained_in(wanted, pathkeys);

		if (fits || n == 0)
			q->order = n;
		if (fits)
		{
			q->pathkeys = pathkeys;
			return;
		}
		n++;
	}
}

/* ----------
 * Keys and functions
 * ----------
 */

/* Is it computed for each row before the windows? */
static bool
is_below(const gs_report_query *q, Node *node)
{
	const PathTarget *below = q->root->upper_targets[UPPERREL_GROUP_AGG];

	return list_member(below->exprs, node) && is_of_row(node);
}

static bool
find_parts(Node *node, void *query)
{
	gs_report_query *q = query;

	if (node == NULL || list_member(q->keys, node))
		return false;
	if (IsA(node, WindowFunc))
	{
		q->aggregates = list_append_unique(q->aggregates, node);
		return false;
	}
	if (is_below(q, node))
	{
		q->keys = lappend(q->keys, node);
		q->key_refs = lappend_int(q->key_refs, 0);
		return false;
	}
	if (IsA(node, Var) || IsA(node, PlaceHolderVar) || IsA(node, Aggref))
		return !gs_refuse(q, "it uses something other than columns and window functions");
	return expression_tree_walker(node, find_parts, query);
}

/* The conditions by which WindowAgg stops early; the query may have no others. */
static List *
conditions_of(const WindowClause *window pg_attribute_unused(),
			  const WindowFunc *function pg_attribute_unused())
{
#if PG_VERSION_NUM >= 170000
	List	   *conditions = NIL;
	ListCell   *cell;

	foreach(cell, function->runCondition)
	{
		WindowFuncRunCondition *c = lfirst_node(WindowFuncRunCondition, cell);
		WindowFunc *of = copyObject(unconstify(WindowFunc *, function));
		Expr	   *left = c->wfunc_left ? (Expr *) of : c->arg;
		Expr	   *right = c->wfunc_left ? c->arg : (Expr *) of;

		conditions = lappend(conditions,
							 make_opclause(c->opno, BOOLOID, false, left, right,
										   InvalidOid, c->inputcollid));
	}
	return conditions;
#elif PG_VERSION_NUM >= 150000
	return window->runCondition;
#else
	return NIL;
#endif
}

/* The window's partition, of which the condition leaves so many rows; 0: unknown. */
static int64
rows_left(const gs_report_query *q, const OpExpr *condition, List **partition)
{
	const WindowFunc *function;
	const Const *number;
	int			strategy;
	ListCell   *window;
	ListCell   *integers;

	if (!IsA(condition, OpExpr) || list_length(condition->args) != 2)
		return 0;
	function = linitial(condition->args);
	number = lsecond(condition->args);
	strategy = get_op_opfamily_strategy(condition->opno, INTEGER_BTREE_FAM_OID);
	if (!IsA(function, WindowFunc) || !IsA(number, Const) ||
		number->constisnull ||
		(number->consttype != INT8OID && number->consttype != INT4OID) ||
		(function->winfnoid != GS_ROW_NUMBER && function->winfnoid != GS_RANK) ||
		(strategy != BTLessStrategyNumber &&
		 strategy != BTLessEqualStrategyNumber))
		return 0;
	forboth(window, q->windows, integers, q->window_integers)
	{
		if (list_nth_int(lfirst(integers), GS_WINDOW_REFERENCE) ==
			(int) function->winref)
			*partition = list_nth(lfirst(window), GS_WINDOW_PARTITION);
	}
	return (number->consttype == INT4OID ? DatumGetInt32(number->constvalue) :
			DatumGetInt64(number->constvalue)) -
		(strategy == BTLessStrategyNumber);
}

/* PostgreSQL takes these conditions to leave all rows. */
static void
expect_rows(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->having)
	{
		List	   *partition = NIL;
		int64		left = rows_left(q, lfirst(cell), &partition);
		double		most;

		if (left <= 0)
			continue;
		most = (double) left * gs_report_groups_by(q, partition);
		if (q->most_rows == 0 || most < q->most_rows)
			q->most_rows = most;
	}
}

static bool
find_windows(gs_report_query *q)
{
	List	   *used = NIL;
	ListCell   *cell;
	ListCell   *function;

	foreach(cell, q->root->parse->windowClause)
	{
		WindowClause *window = lfirst_node(WindowClause, cell);
		bool		has = false;

		foreach(function, q->aggregates)
		{
			const WindowFunc *f = lfirst_node(WindowFunc, function);

			if (f->winref != window->winref)
				continue;
			q->having = list_concat_unique(q->having,
										   conditions_of(window, f));
			has = true;
		}
		if (!has)
			continue;
		if (!add_window(q, window->partitionClause, window->orderClause,
						window))
			return false;
		used = lappend(used, window);
	}
	expect_rows(q);
	choose_order(q, used);
	return true;
}

/* ----------
 * Sorted rows without functions
 * ----------
 */

void
gs_windows_find_tuples(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->target->exprs)
	{
		q->keys = lappend(q->keys, lfirst(cell));
		q->key_refs = lappend_int(q->key_refs, 0);
	}
}

static const WindowClause no_clause;

static bool
is_among(const List *clauses, const void *clause)
{
	return get_sortgroupref_clause_noerr(((const SortGroupClause *) clause)->tleSortGroupRef,
										 unconstify(List *, clauses)) != NULL;
}

/*
 * What ORDER BY has of DISTINCT ON is the partition, with the rest of DISTINCT ON
 * behind it, in any order; the rest of ORDER BY is the order.
 */
static bool
find_distinct(gs_report_query *q)
{
	const Query *query = q->root->parse;
	List	   *partition = NIL;
	List	   *order = NIL;
	ListCell   *cell;

	foreach(cell, query->sortClause)
	{
		if (is_among(query->distinctClause, lfirst(cell)))
			partition = lappend(partition, lfirst(cell));
		else
			order = lappend(order, lfirst(cell));
	}
	foreach(cell, query->distinctClause)
	{
		if (!is_among(query->sortClause, lfirst(cell)))
			partition = lappend(partition, lfirst(cell));
	}
	gs_windows_find_tuples(q);
	q->first = 1;
	q->order = 0;
	if (!add_window(q, partition, order, &no_clause))
		return false;
	q->pathkeys = pathkeys_of_clauses(q, query->sortClause);
	return true;
}

/* LIMIT is known when the query is planned. */
static bool
find_limit(gs_report_query *q)
{
	const Query *query = q->root->parse;
	const Const *count = (const Const *) query->limitCount;
	const Const *offset = (const Const *) query->limitOffset;
	double		limit;

	if (q->root->sort_pathkeys == NIL)
		return gs_refuse(q, "ORDER BY leaves all of its rows equal");
	if (count == NULL || !IsA(count, Const) || count->constisnull ||
		(offset != NULL && (!IsA(offset, Const) || offset->constisnull)))
		return gs_refuse(q, "LIMIT or OFFSET is not known when the query is planned");
	if (query->limitOption != LIMIT_OPTION_COUNT)
		return gs_refuse(q, "it uses WITH TIES");
	limit = (double) DatumGetInt64(count->constvalue);
	if (offset != NULL)
		limit += (double) DatumGetInt64(offset->constvalue);
	if (limit < 1 || limit > LIMIT_MAX)
		return gs_refuse(q, "LIMIT is large");
	q->limit = (int) limit;
	gs_windows_find_tuples(q);
	q->order = 0;
	if (!add_window(q, NIL, query->sortClause, &no_clause))
		return false;
	q->pathkeys = pathkeys_of_clauses(q, query->sortClause);
	return true;
}

/*
 * Rows of a table, or of all its partitions that are not pruned: before version 17, a
 * parent's tuples are those that pass the filter.
 */
static double
tuples_of(const PlannerInfo *root, RelOptInfo *rel)
{
	double		tuples = 0;

	if (rel == NULL || IS_DUMMY_REL(rel))
		return 0;
	if (root->simple_rte_array[rel->relid]->relkind !=
		RELKIND_PARTITIONED_TABLE)
		return rel->tuples;
	for (int i = 0; i < rel->nparts; i++)
		tuples += tuples_of(root, rel->part_rels[i]);
	return tuples;
}

bool
gs_windows_few_rows(const PlannerInfo *root, const RelOptInfo *rows)
{
	double		most = 0;
	int			relid = -1;

	if (rows->cheapest_total_path->total_cost < GS_REPORT_REQUEST_COST)
		return false;
	while ((relid = bms_next_member(rows->relids, relid)) >= 0)
	{
		RelOptInfo *rel = root->simple_rel_array[relid];

		if (rel != NULL && rel->rtekind == RTE_RELATION)
			most = Max(most, tuples_of(root, rel));
	}
	return rows->rows * GS_FEW_OF <= most;
}

bool
gs_windows_are_few(const PlannerInfo *root, const RelOptInfo *rows)
{
	const Query *query = root->parse;

	if (query->commandType != CMD_SELECT || root->parent_root != NULL ||
		root->tuple_fraction > 0 || gs_statement_is_cursor() ||
		query->rowMarks != NIL || query->setOperations != NULL ||
		query->limitCount != NULL || query->limitOffset != NULL ||
		query->distinctClause != NIL ||
		query->hasWindowFuncs || query->hasTargetSRFs || query->hasAggs ||
		query->groupClause != NIL || query->groupingSets != NIL ||
		query->havingQual != NULL)
		return false;
	return gs_windows_few_rows(root, rows);
}

bool
gs_windows_is_of_few(const gs_report_query *q)
{
	return q->upper == UPPERREL_FINAL ||
		(q->upper == UPPERREL_ORDERED && q->root->parse->limitCount == NULL);
}

bool
gs_windows_find(gs_report_query *q)
{
	const Query *query = q->root->parse;

	q->order = -1;
	if (gs_windows_is_of_few(q) || q->aggregated)
	{
		if (q->windows != NIL)
			q->order = 0;
		gs_windows_find_tuples(q);
		return is_of_row((Node *) q->keys) || gs_refuse(q, "it shows no column");
	}
	if (query->hasAggs || query->groupClause != NIL ||
		query->groupingSets != NIL || query->havingQual != NULL)
		return gs_refuse(q, "its window functions are of groups");
	if (query->hasTargetSRFs)
		return gs_refuse(q, "it returns sets");
	if (q->upper != UPPERREL_WINDOW && query->hasWindowFuncs)
		return gs_refuse(q, "it sorts results of window functions");
	if (q->upper == UPPERREL_DISTINCT)
		return find_distinct(q);
	if (q->upper == UPPERREL_ORDERED)
		return find_limit(q);
	if (find_parts((Node *) q->target->exprs, q) || !find_windows(q) ||
		find_parts((Node *) q->having, q))
		return false;
	return q->aggregates != NIL || gs_refuse(q, "it has no window functions");
}

bool
gs_windows_unsort(gs_report_query *q)
{
	if (q->upper != UPPERREL_WINDOW || q->pathkeys == NIL)
		return false;
	q->pathkeys = NIL;
	return true;
}

/* ----------
 * Paths
 * ----------
 */

/* Where do the rows of windows come from? */
static Path *
below_windows(Path *path)
{
	for (;;)
	{
		if (IsA(path, WindowAggPath))
			path = ((WindowAggPath *) path)->subpath;
		else if (IsA(path, SortPath) || IsA(path, IncrementalSortPath))
			path = ((SortPath *) path)->subpath;
		else if (IsA(path, ProjectionPath))
			path = ((ProjectionPath *) path)->subpath;
		else
			return path;
	}
}

/*
 * What gives the rows before they are sorted.  The input's own cheapest path may have
 * been freed: where it has the order, and in the final step, the planner passes it to
 * add_path, which frees what is no better than another path.  A path that add_path
 * has kept is there, and so is what stands below it.
 */
static Path *
input_path(const gs_report_query *q, const RelOptInfo *rel)
{
	Path	   *best = linitial(rel->pathlist);
	ListCell   *cell;

	if (q->upper == UPPERREL_DISTINCT)
		return q->input->cheapest_total_path;
	foreach(cell, rel->pathlist)
	{
		Path	   *path = lfirst(cell);

		if (path->total_cost < best->total_cost)
			best = path;
	}
	return below_windows(best);
}

/* Over a report, its scan must be in the plan. */
static bool
is_over_stage(const gs_report_query *q, Path *path)
{
	path = below_windows(path);
	return q->stage == NULL ||
		(IsA(path, SubqueryScanPath) &&
		 ((const SubqueryScanPath *) path)->subpath == q->stage);
}

/* The ordinary path is one of its own: those that the planner has may be freed. */
static Path *
sort_rows(const gs_report_query *q, RelOptInfo *rel)
{
	PlannerInfo *root = q->root;
	Path	   *path = input_path(q, rel);
	List	   *pathkeys = root->sort_pathkeys;

	if (!is_over_stage(q, path))
		return NULL;
	if (q->upper == UPPERREL_DISTINCT &&
		list_length(pathkeys) < list_length(root->distinct_pathkeys))
		pathkeys = root->distinct_pathkeys;
	if (pathkeys != NIL &&		/* conditions may leave one value of each */
		!gs_windows_is_of_few(q))
		path = (Path *) create_sort_path(root, rel, path, pathkeys,
										 q->upper == UPPERREL_ORDERED ?
										 root->limit_tuples : -1);
	if (q->upper == UPPERREL_DISTINCT)
		path = (Path *) create_upper_unique_path(root, rel, path,
												 list_length(root->distinct_pathkeys),
												 ((const Path *) linitial(rel->pathlist))->rows);
	return equal(path->pathtarget->exprs, q->target->exprs) ? path :
		(Path *) create_projection_path(root, rel, path, q->target);
}

Path *
gs_windows_ordinary(const gs_report_query *q, RelOptInfo *rel)
{
	Path	   *best = NULL;
	ListCell   *cell;

	if (q->upper != UPPERREL_WINDOW)
		return sort_rows(q, rel);
	foreach(cell, rel->pathlist)
	{
		Path	   *path = lfirst(cell);

		if (IsA(path, WindowAggPath) && is_over_stage(q, path) &&
			(best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	return best;
}

Path *
gs_windows_child(Path *ordinary, PathTarget *target)
{
	WindowAggPath *path;

	if (!IsA(ordinary, WindowAggPath))
		return ordinary;		/* whose target's expressions are the keys */
	path = makeNode(WindowAggPath);
	*path = *(const WindowAggPath *) ordinary;
	path->path.pathtarget = target;
	return &path->path;
}

double
gs_windows_rows(const gs_report_query *q, double rows)
{
	if (q->limit > 0)
		rows = Min(rows, q->limit);
	return q->most_rows > 0 ? Min(rows, q->most_rows) : rows;
}

Cost
gs_windows_cost(const gs_report_query *q, double rows)
{
	double		given = gs_windows_rows(q, rows);

	return rows * (cpu_operator_cost *
				   (SORT_SHARE * list_length(q->windows) +
					FUNCTION_SHARE * list_length(q->aggregates))) +
		given * TUPLE_SHARE * cpu_tuple_cost;
}
