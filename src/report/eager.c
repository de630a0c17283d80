/*-------------------------------------------------------------------------
 *
 * eager.c
 *	  Eager aggregation: the many rows of a left join's inner side are grouped by
 *	  the join's key before they are joined.
 *
 *	SELECT id, count(v), max(v) FROM one LEFT JOIN many ON k = id GROUP BY id
 *
 * gives what this gives, if id tells the rows of one apart:
 *
 *	SELECT id, coalesce(n, 0), m FROM one LEFT JOIN
 *	(SELECT k, count(v) AS n, max(v) AS m FROM many GROUP BY k) AS g ON k = id
 *
 * The latter is planned here, as a subquery.  The one over many rows may be a report;
 * the rest is PostgreSQL's.  The custom scan only says that what comes out of it are
 * the query's aggregates.
 *
 * The ordinary plan does not aggregate rows of many that find none of one.  So there
 * are only aggregates that raise no error.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "report/eager.h"
#include "report/join.h"

typedef struct eager
{
	PlannerInfo *root;
	const gs_report_query *q;
	int			one;			/* range table indexes */
	int			many;
	int			join;
	List	   *inner_keys;		/* of many's rows */
	List	   *keys;			/* the query's, */
	List	   *columns;		/* other columns of one, which follow from them, */
	List	   *aggregates;		/* and Aggrefs of many's rows */
} eager;

static bool
is_of(const eager *e, Node *node, int relid)
{
	Relids		relids = pull_varnos(e->root, node);

#if PG_VERSION_NUM >= 160000
	relids = bms_difference(relids, e->root->outer_join_rels);
#endif
	return bms_membership(relids) == BMS_SINGLETON &&
		bms_is_member(relid, relids);
}

/* ----------
 * The query
 * ----------
 */

/* Is it a left join of two, and of nothing else?  A third would repeat rows of one. */
static bool
find_sides(eager *e)
{
	const SpecialJoinInfo *join;

	if (list_length(e->root->join_info_list) != 1 ||
		bms_num_members(e->root->all_baserels) != 2)
		return false;
	join = linitial(e->root->join_info_list);
	return join->jointype == JOIN_LEFT &&
		bms_get_singleton_member(join->syn_lefthand, &e->one) &&
		bms_get_singleton_member(join->syn_righthand, &e->many) &&
		e->root->simple_rte_array[e->many]->rtekind == RTE_RELATION;
}

/* The columns by which the query groups. */
static List *
key_columns(const eager *e)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, e->keys)
	{
		if (IsA(lfirst(cell), Var))
			columns = lappend(columns, lfirst(cell));
	}
	return columns;
}

/* A function that never gives the same value twice. */
static bool
is_series(const RangeTblEntry *rte)
{
	const RangeTblFunction *function = linitial(rte->functions);
	const FuncExpr *call = (const FuncExpr *) function->funcexpr;

	return list_length(rte->functions) == 1 && IsA(call, FuncExpr) &&
		call->funcid < FirstGenbkiObjectId &&
		strcmp(get_func_name(call->funcid), "generate_series") == 0;
}

/* Is each row of one a group? */
static bool
has_groups_of_one(const eager *e)
{
	const RangeTblEntry *rte = e->root->simple_rte_array[e->one];
	List	   *columns = key_columns(e);
	List	   *constraints = NIL;
	ListCell   *cell;

	if (rte->rtekind == RTE_RELATION)
		return rte->tablesample == NULL &&
			(!rte->inh || rte->relkind == RELKIND_PARTITIONED_TABLE) &&
			check_functional_grouping(rte->relid, (Index) e->one, 0, columns,
									  &constraints);
	if (rte->rtekind != RTE_FUNCTION || !is_series(rte))
		return false;
	foreach(cell, columns)
	{
		if (((const Var *) lfirst(cell))->varattno == 1)
			return true;
	}
	return false;
}

static bool
is_count_of_rows(const Aggref *aggref)
{
	return aggref->aggstar;
}

static bool
is_count(const Aggref *aggref)
{
	return aggref->aggfnoid < FirstGenbkiObjectId &&
		strcmp(get_func_name(aggref->aggfnoid), "count") == 0;
}

/* Of many's rows; a row of one that finds none counts only for count(*). */
static bool
is_taken(const eager *e, const Aggref *aggref)
{
	if (aggref->aggorder != NIL || aggref->aggdistinct != NIL ||
		gs_subquery_may_raise(aggref))
		return false;
	if (is_count_of_rows(aggref))
		return aggref->aggfilter == NULL;
	return is_of(e, (Node *) aggref->args, e->many) &&
		!contain_nonstrict_functions((Node *) aggref->args) &&
		(aggref->aggfilter == NULL ||
		 is_of(e, (Node *) aggref->aggfilter, e->many));
}

/* False: all of it is made of keys, columns and aggregates. */
static bool
find_parts(Node *node, void *context)
{
	eager	   *e = context;

	if (node == NULL || list_member(e->keys, node))
		return false;
	if (IsA(node, Aggref))
	{
		e->aggregates = list_append_unique(e->aggregates, node);
		return !is_taken(e, (Aggref *) node);
	}
	if (IsA(node, Var))
	{
		e->columns = list_append_unique(e->columns, node);
		return ((Var *) node)->varno != e->one ||
			((Var *) node)->varattno <= 0;
	}
	return expression_tree_walker(node, find_parts, context);
}

static bool
find_keys(eager *e)
{
	ListCell   *cell;

	foreach(cell, e->root->parse->groupClause)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		Node	   *key = get_sortgroupclause_expr(clause,
												   e->root->processed_tlist);

		if (IsA(key, Const))
			continue;
		if (!is_of(e, key, e->one))
			return false;
		e->keys = list_append_unique(e->keys, key);
	}
	return true;
}

static bool
examine_query(eager *e)
{
	const Query *parse = e->root->parse;

	return parse->commandType == CMD_SELECT && parse->groupClause != NIL &&
		parse->groupingSets == NIL && !parse->hasTargetSRFs &&
		parse->rowMarks == NIL && parse->hasAggs &&
		e->root->qual_security_level == 0 &&
		e->root->placeholder_list == NIL && !e->root->hasLateralRTEs &&
		find_sides(e) && !contain_volatile_functions((Node *) parse) &&
		find_keys(e) && has_groups_of_one(e) &&
		!find_parts((Node *) e->q->target->exprs, e) &&
		!find_parts((Node *) e->q->having, e) && e->aggregates != NIL;
}

/* ----------
 * Its other form
 * ----------
 */

/* An equality of a value of one and a value of many, which is replaced. */
static bool
replace_key(eager *e, OpExpr *op)
{
	int			place;
	Node	   *inner;
	ListCell   *cell;

	if (!IsA(op, OpExpr) || list_length(op->args) != 2)
		return false;
	place = is_of(e, linitial(op->args), e->many) ? 0 : 1;
	cell = list_nth_cell(op->args, place);
	inner = lfirst(cell);
	if (!is_of(e, inner, e->many) ||
		!is_of(e, list_nth(op->args, 1 - place), e->one) ||
		!gs_join_is_equality(op->opno, exprType(inner)) ||
		op->inputcollid != exprCollation(inner))
		return false;
	e->inner_keys = lappend(e->inner_keys, inner);
	lfirst(cell) = makeVar(e->many, (AttrNumber) list_length(e->inner_keys),
						   exprType(inner), exprTypmod(inner),
						   exprCollation(inner), 0);
	return true;
}

/*
 * The planner has made lists of conditions; whoever plans again wants an AND.  Those
 * on many alone are among the conditions of its rows.
 */
static bool
replace_conditions(eager *e, Node **quals, bool joins, bool of_many)
{
	List	   *rest = NIL;
	ListCell   *cell;

	foreach(cell, castNode(List, *quals))
	{
		Node	   *qual = lfirst(cell);

		if ((joins || of_many) && is_of(e, qual, e->many))
			continue;
		if (!(!of_many && is_of(e, qual, e->one)) &&
			!(joins && replace_key(e, (OpExpr *) qual)))
			return false;
		rest = lappend(rest, qual);
	}
	*quals = rest == NIL ? NULL : (Node *) make_ands_explicit(rest);
	return true;
}

static bool
replace_keys(eager *e, Node *node, bool of_many)
{
	ListCell   *cell;

	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		e->join = join->rtindex;
		return join->jointype == JOIN_LEFT &&
			replace_conditions(e, &join->quals, true, of_many) &&
			replace_keys(e, join->larg, false) &&
			replace_keys(e, join->rarg, true);
	}
	if (!IsA(node, FromExpr))
		return IsA(node, RangeTblRef);
	foreach(cell, ((FromExpr *) node)->fromlist)
	{
		if (!replace_keys(e, lfirst(cell), of_many))
			return false;
	}
	return replace_conditions(e, &((FromExpr *) node)->quals, false, of_many);
}

/* What is computed of many's rows below the join. */
static List *
below_join(const eager *e, List *expressions)
{
#if PG_VERSION_NUM >= 160000
	return (List *) remove_nulling_relids((Node *) expressions,
										  bms_make_singleton(e->join), NULL);
#else
	(void) e;
	return expressions;
#endif
}

static void
add_entry(Query *query, Expr *expression)
{
	query->targetList = lappend(query->targetList,
								makeTargetEntry(copyObject(expression),
												list_length(query->targetList) + 1,
												NULL, false));
}

/* What a row of one gets of an aggregate. */
static Expr *
above_join(const eager *e, const Aggref *aggref, int column)
{
	Var		   *var = makeVar(e->many, (AttrNumber) column, aggref->aggtype, -1,
							  aggref->aggcollid, 0);
	CoalesceExpr *coalesce;

#if PG_VERSION_NUM >= 160000
	var->varnullingrels = bms_make_singleton(e->join);
#endif
	if (!is_count(aggref))
		return (Expr *) var;
	coalesce = makeNode(CoalesceExpr);
	coalesce->coalescetype = INT8OID;
	coalesce->args = list_make2(var,
								makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
										  Int64GetDatum(is_count_of_rows(aggref) ? 1 : 0),
										  false, FLOAT8PASSBYVAL));
	coalesce->location = -1;
	return (Expr *) coalesce;
}

/* In place of many there is the subquery that groups it. */
static bool
replace_many(eager *e, Query *query)
{
	Query	   *groups = gs_subquery_group_table(e->root,
												 find_base_rel(e->root, e->many),
												 below_join(e, e->inner_keys),
												 below_join(e, e->aggregates));

	if (groups == NULL)
		return false;
	lfirst(list_nth_cell(query->rtable, e->many - 1)) = gs_subquery_entry(groups);
	return true;
}

/* It gives the keys, columns and aggregates.  NULL: it has no such form. */
static Query *
make_query(eager *e)
{
	Query	   *query = copyObject(e->root->parse);
	ListCell   *cell;
	int			column;

	if (!replace_keys(e, (Node *) query->jointree, false) ||
		e->inner_keys == NIL || contain_subplans((Node *) query->jointree) ||
		!replace_many(e, query))
		return NULL;
	query->targetList = query->groupClause = query->distinctClause = NIL;
	query->sortClause = query->windowClause = query->cteList = NIL;
	query->limitCount = query->limitOffset = query->havingQual = NULL;
	query->hasAggs = query->hasWindowFuncs = query->hasDistinctOn = false;
	query->hasSubLinks = false;
	foreach(cell, e->keys)
		add_entry(query, lfirst(cell));
	foreach(cell, e->columns)
		add_entry(query, lfirst(cell));
	column = list_length(e->inner_keys);
	foreach(cell, e->aggregates)
		add_entry(query, above_join(e, lfirst(cell), ++column));
	return query;
}

/* ----------
 * Path and plan
 * ----------
 */

static const CustomScanMethods scan_methods;

static Plan *
plan_groups(PlannerInfo *root pg_attribute_unused(),
			RelOptInfo *rel pg_attribute_unused(), CustomPath *path, List *tlist,
			List *clauses pg_attribute_unused(), List *children)
{
	CustomScan *scan = makeNode(CustomScan);
	ListCell   *cell;

	foreach(cell, linitial(path->custom_private))
		scan->custom_scan_tlist = lappend(scan->custom_scan_tlist,
										  makeTargetEntry(copyObject(lfirst(cell)),
														  foreach_current_index(cell) + 1,
														  NULL, false));
	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = copyObject(lsecond(path->custom_private));
	scan->flags = path->flags;
	scan->custom_plans = children;
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "GpuscanEager",
	.PlanCustomPath = plan_groups,
};

static Path *
make_path(const eager *e, RelOptInfo *grouped, Path *child)
{
	CustomPath *custom = makeNode(CustomPath);
	Path	   *path = &custom->path;

	path->pathtype = T_CustomScan;
	path->parent = grouped;
	path->pathtarget = e->q->target;
	path->rows = ((const Path *) linitial(grouped->pathlist))->rows;
	path->startup_cost = child->startup_cost + e->q->target->cost.startup;
	path->total_cost = child->total_cost + e->q->target->cost.startup +
		(cpu_tuple_cost + e->q->target->cost.per_tuple) * child->rows;
	custom->custom_paths = list_make1(child);
	custom->custom_private =
		list_make2(list_concat(list_concat_copy(e->keys, e->columns),
							   e->aggregates), e->q->having);
	custom->methods = &path_methods;
#ifdef CUSTOMPATH_SUPPORT_PROJECTION
	custom->flags = CUSTOMPATH_SUPPORT_PROJECTION;
#endif
	return path;
}

bool
gs_eager_add(const gs_report_query *q, RelOptInfo *grouped)
{
	eager		e = {.root = q->root, .q = q};
	Query	   *query;
	RelOptInfo *rel;
	RelOptInfo *groups;
	Path	   *path;

	if (q->input->reloptkind != RELOPT_JOINREL || !examine_query(&e))
		return false;
	query = make_query(&e);
	rel = query == NULL ? NULL : gs_subquery_add(q->root, query);
	if (rel == NULL)
		return false;
	groups = find_base_rel(rel->subroot, e.many);
	if (groups->subroot == NULL ||
		!gs_report_is_path(fetch_upper_rel(groups->subroot, UPPERREL_FINAL,
										   NULL)->cheapest_total_path))
		return false;
	path = make_path(&e, grouped, rel->cheapest_total_path);
	add_path(grouped, path);
	return list_member_ptr(grouped->pathlist, path);
}

/* ----------
 * Execution: the child's rows are the scan's.
 * ----------
 */

static void
begin_scan(CustomScanState *state, EState *estate, int eflags)
{
	const CustomScan *plan = (CustomScan *) state->ss.ps.plan;

	state->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans),
											   estate, eflags));
}

static TupleTableSlot *
next_row(ScanState *state)
{
	TupleTableSlot *row = ExecProcNode(linitial(((CustomScanState *) state)->custom_ps));

	return TupIsNull(row) ? NULL : ExecCopySlot(state->ss_ScanTupleSlot, row);
}

static bool
recheck(ScanState *state pg_attribute_unused(),
		TupleTableSlot *row pg_attribute_unused())
{
	return true;
}

static TupleTableSlot *
execute_scan(CustomScanState *state)
{
	return ExecScan(&state->ss, next_row, recheck);
}

static void
end_scan(CustomScanState *state)
{
	ExecEndNode(linitial(state->custom_ps));
}

static void
rescan(CustomScanState *state)
{
	PlanState  *child = linitial(state->custom_ps);

	ExecScanReScan(&state->ss);
	if (state->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(child, state->ss.ps.chgParam);
	if (child->chgParam == NULL)
		ExecReScan(child);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "GpuscanEager",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = execute_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
};

static Node *
create_state(CustomScan *plan pg_attribute_unused())
{
	CustomScanState *state = makeNode(CustomScanState);

	state->methods = &exec_methods;
	return (Node *) state;
}

static const CustomScanMethods scan_methods = {
	.CustomName = "GpuscanEager",
	.CreateCustomScanState = create_state,
};

void
gs_eager_init(void)
{
	RegisterCustomScanMethods(&scan_methods);
}
