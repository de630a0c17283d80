/*-------------------------------------------------------------------------
 *
 * stages.c
 *	  Reports over reports.
 *
 * The planner plans a subquery apart, and what it has found to be a report is
 * among the subquery's paths.  The outer scan's child is the ordinary
 * aggregation over that path, so that the subquery's scan is in the plan, with
 * all that an execution needs of it, and makes the report of its own if the one
 * of both cannot be made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planmain.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/typcache.h"

#include "report/chosen_rows.h"
#include "report/make_path.h"
#include "report/result/top.h"
#include "report/stages.h"
#include "report/tid_fetch.h"
#include "report/translate/translate_parts.h"

Node *
gs_make_given(int number, const Node *of)
{
	return (Node *) makeVar(GS_GROUP_VAR, (AttrNumber) number, exprType(of),
							exprTypmod(of), exprCollation(of), 0);
}

/* ----------
 * Expressions of a query's groups, as the planner has them
 * ----------
 */

/* The place of an expression in a list; -1: it is not there. */
static int
place_in(const List *list, const Node *node)
{
	int			place = 0;
	ListCell   *cell;

	foreach(cell, list)
	{
		if (equal(lfirst(cell), node))
			return place;
		place++;
	}
	return -1;
}

static Node *
replace_parts(Node *node, void *query)
{
	const gs_report_query *q = query;
	int			place;

	if (node == NULL)
		return NULL;
	place = place_in(q->keys, node);
	if (place >= 0)
		return gs_make_given(place + 1, node);
	if (!IsA(node, Aggref) && !IsA(node, WindowFunc))
		return expression_tree_mutator(node, replace_parts, query);
	place = place_in(q->aggregates, node);
	return place < 0 ? node :
		gs_make_given(list_length(q->keys) + place + 1, node);
}

/* ----------
 * Expressions of rows that are groups
 * ----------
 */

/* Vars of the subquery become what it gives; those of a scan's tuples stay. */
static Node *
replace_columns(Node *node, void *given)
{
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var) || var->varno == INDEX_VAR)
		return expression_tree_mutator(node, replace_columns, given);
	if (var->varattno < 1 || var->varattno > list_length((List *) given))
		return node;			/* which is refused when it is translated */
	return copyObject(list_nth((List *) given, var->varattno - 1));
}

Expr *
gs_stage_expression(const gs_report_query *q, Expr *expression)
{
	return q->stage == NULL ? expression :
		(Expr *) replace_columns((Node *) expression, q->given);
}

List *
gs_stage_conditions(const gs_report_query *q)
{
	return q->stage == NULL ? q->filter :
		list_concat_copy(q->below_having,
						 (List *) replace_columns((Node *) q->filter,
												  q->given));
}

/* ----------
 * Planning
 * ----------
 */

/* The path that makes a report of all of the subquery, and nothing else. */
static Path *
find_path(PlannerInfo *sub)
{
	UpperRelationKind kind = sub->parse->distinctClause != NIL ?
		UPPERREL_DISTINCT : sub->parse->hasWindowFuncs ?
		UPPERREL_WINDOW : UPPERREL_GROUP_AGG;
	ListCell   *rel;
	ListCell   *cell;

	foreach(rel, sub->upper_rels[kind])
	{
		foreach(cell, lfirst_node(RelOptInfo, rel)->pathlist)
		{
			Path	   *path = lfirst(cell);

			if (gs_report_is_path(path) &&
				tlist_same_exprs(make_tlist_from_pathtarget(path->pathtarget),
								 sub->processed_tlist))
				return path;
		}
	}
	return NULL;
}

/* Why rows of the subquery are not the groups of its report. */
static const char *
examine_subquery(const RangeTblEntry *rte, const PlannerInfo *sub)
{
	const Query *query = sub->parse;

	if (rte->security_barrier)
		return "it reads from a view with a security barrier";
	if (query->limitCount != NULL || query->limitOffset != NULL)
		return "a subquery has LIMIT";
	if (query->hasTargetSRFs ||
		query->setOperations != NULL || query->groupingSets != NIL ||
		sub->rowMarks != NIL)
		return "it reads from a subquery";
	if (sub->init_plans != NIL)
		return "a subquery has a subquery of its own";
	return NULL;
}

bool
gs_stage_find(gs_report_query *q)
{
	RangeTblEntry *rte = planner_rt_fetch(q->input->relid, q->root);
	PlannerInfo *sub = q->input->subroot;
	gs_report_query inner = {.root = sub};
	ListCell   *cell;
	Path	   *path;

	if (rte->rtekind != RTE_SUBQUERY || rte->inh || sub == NULL)
		return false;
	path = find_path(sub);
	if (path == NULL)
		return false;
	q->reason = examine_subquery(rte, sub);
	if (q->reason != NULL)
		return false;
	if (q->root->parse->groupingSets != NIL)
		return gs_refuse(q, "it has grouping sets over a subquery");
	if (!bms_is_empty(q->input->lateral_relids))
		return gs_refuse(q, "it reads from a subquery");
	gs_report_path_query(path, &inner);
	q->stages = inner.stages + (inner.of_rows ? 0 : 1) + q->of_rows;
	if (q->stages > GS_STAGES_MAX)
		return gs_refuse(q, "there are too many subqueries in one another");
	foreach(cell, sub->processed_tlist)
		q->given = lappend(q->given,
						   replace_parts((Node *) lfirst_node(TargetEntry, cell)->expr,
										 &inner));
	q->below_having = (List *) replace_parts((Node *) inner.having, &inner);
	if (contain_volatile_functions((Node *) q->given) ||
		contain_volatile_functions((Node *) q->below_having))
		return gs_refuse(q, "it reads from a subquery");
	if (contain_subplans((Node *) q->given) ||
		contain_subplans((Node *) q->below_having))
		return gs_refuse(q, "a subquery has a subquery of its own");
	q->relations = inner.relations;

	/* the ordinary plan reads from the same report */
	q->saving = inner.saving;
	q->stage = path;
	return true;
}

Path *
gs_subquery_path(PlannerInfo *root, RelOptInfo *rel, Path *path)
{
#if PG_VERSION_NUM >= 160000
	return (Path *) create_subqueryscan_path(root, rel, path, false, NIL, NULL);
#else
	return (Path *) create_subqueryscan_path(root, rel, path, NIL, NULL);
#endif
}

Path *
gs_stage_aggregation(gs_report_query *q, RelOptInfo *grouped,
					 const Path *ordinary, double groups)
{
	PlannerInfo *root = q->root;
	List	   *clauses = gs_report_query_grouped_by(q);
	List	   *order = q->distinct ? root->distinct_pathkeys :
		root->group_pathkeys;
	AggStrategy strategy = AGG_SORTED;
	const AggClauseCosts no_costs = {0};	/* NULL is for DISTINCT alone */
	Path	   *path;

	path = gs_subquery_path(root, q->input, q->stage);
	if (gs_report_query_clauses(q) == NIL)
		strategy = AGG_PLAIN;
	else if (clauses != NIL &&
			 (q->distinct || (IsA(ordinary, AggPath) &&
							  ((const AggPath *) ordinary)->aggstrategy == AGG_HASHED)))
		strategy = AGG_HASHED;
	if (strategy == AGG_HASHED && !grouping_is_hashable(clauses))
		strategy = AGG_SORTED;
	if (strategy != AGG_HASHED && order != NIL)
		path = (Path *) create_sort_path(root, q->input, path, order, -1);
	return (Path *) create_agg_path(root, grouped, path, q->target, strategy,
									AGGSPLIT_SIMPLE, clauses, NIL, &no_costs,
									groups);
}

void
gs_stage_drop_paths(const gs_report_query *q, RelOptInfo *grouped,
					const Path *path)
{
	const PlannerInfo *root = q->root;
	ListCell   *cell;

	if (root->parse->hasWindowFuncs ||
		(root->parse->distinctClause != NIL && !q->distinct))
		return;
	foreach(cell, grouped->pathlist)
	{
		const Path *other = lfirst(cell);

		if (other->total_cost >= path->total_cost &&
			(root->sort_pathkeys == NIL ||
			 !pathkeys_contained_in(root->sort_pathkeys, other->pathkeys)))
			grouped->pathlist = foreach_delete_current(grouped->pathlist, cell);
	}
}

/* ----------
 * Translation
 * ----------
 */

List *
gs_stage_expressions(const gs_report_query *q, const List *expressions)
{
	List	   *list = NIL;
	ListCell   *cell;

	foreach(cell, expressions)
		list = lappend(list, gs_stage_expression(q, lfirst(cell)));
	return list;
}

void
gs_stage_rows(const gs_report_query *q, gs_report_rows *rows)
{
	*rows = (gs_report_rows) {
		.keys = gs_stage_expressions(q, q->computed_keys),
		.functions = gs_stage_expressions(q, q->computed_aggregates),
		.windows = gs_stage_expressions(q, q->windows),
		.integers = q->window_integers,
		.order = q->order,
		.sorted = q->pathkeys != NIL,
		.first = q->first,
		.limit = q->limit,
		.by_tid = q->by_tid,
		.tids = gs_tid_columns(q->by_tid, list_length(q->tables))
	};
}

/* Translate what gives the rows of t, and tell t of it. */
static bool
translate_groups(gs_translation *before, List *filter, List *keys,
				 List *aggregates, gs_translation *t)
{
	int			all = list_length(keys) + list_length(aggregates);
	gs_given   *given = palloc0((all + 2 * list_length(aggregates) + 1) *
								sizeof *given);
	int			n = 0;
	ListCell   *cell;

	if (!gs_translate_filter(before, filter, &before->plan.filter) ||
		!gs_translate_chosen_rows(before, &keys, &aggregates))
		return false;
	foreach(cell, keys)
	{
		if (!gs_translate_key(before, lfirst(cell)))
			return false;
	}
	foreach(cell, aggregates)
	{
		gs_report_aggregate aggregate;

		if (!gs_report_aggregate_add(before, lfirst_node(Aggref, cell),
									 gs_reports_setting, &aggregate))
			return false;
		gs_report_give_aggregate(before, &aggregate, given,
								 list_length(keys) + n + 1, all + 2 * n + 1);
		n++;
	}
	n = 0;
	foreach(cell, keys)
	{
		gs_report_give_key(before, n, lfirst(cell), &given[n]);
		n++;
	}
	t->before = before;
	t->given = given;
	return true;
}

/* Of groups, or of rows. */
static bool
translate_rows(gs_translation *before, List *filter, const gs_report_rows *rows,
			   bool of_rows, gs_translation *t)
{
	gs_report_rows in_any_order = *rows;

	if (!of_rows)
		return translate_groups(before, filter, rows->keys, rows->functions, t);
	in_any_order.sorted = false;
	if (rows->limit == 0)
		in_any_order.order = -1;
	return gs_translate_filter(before, filter, &before->plan.filter) &&
		gs_translate_rows(before, &in_any_order, t);
}

static bool
untranslated(const gs_translation *before, gs_translation *t)
{
	t->reason = before->reason;
	t->hint = before->hint;
	t->recalled = before->recalled;
	t->in_vain |= before->in_vain;
	return false;
}

bool
gs_stage_plan(const gs_report_query *q, gs_translation *t)
{
	gs_report_query inner = {0};
	gs_report_rows rows;
	gs_translation *before;

	if (q->stage == NULL)
		return true;
	before = palloc(sizeof *before);
	gs_report_path_query(q->stage, &inner);
	gs_translation_init(before, inner.stage != NULL ? InvalidOid :
						linitial_oid(inner.relations), NIL, NULL);
	before->dimensions = inner.dimensions;
	if (!gs_stage_plan(&inner, before))
		return untranslated(before, t);
	gs_stage_rows(&inner, &rows);
	return translate_rows(before, gs_stage_conditions(&inner), &rows,
						  inner.of_rows, t) ||
		untranslated(before, t);
}

/* ----------
 * Executing
 * ----------
 */

/* In what the subquery's scan computes of its tuples: these are what it gives. */
static Node *
replace_tuples(Node *node, void *context)
{
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var) || var->varno != INDEX_VAR)
		return expression_tree_mutator(node, replace_tuples, context);
	return gs_make_given(var->varattno, node);
}

List *
gs_stage_having(const gs_report_scan *scan)
{
	return (List *) replace_tuples((Node *) scan->css.ss.ps.plan->qual, NULL);
}

/* The subquery's columns, in their order. */
static List *
find_given(const CustomScan *plan)
{
	List	   *given = NIL;
	ListCell   *cell;

	foreach(cell, plan->scan.plan.targetlist)
		given = lappend(given,
						replace_tuples((Node *) lfirst_node(TargetEntry, cell)->expr,
									   NULL));
	return given;
}

static bool
has_stage(const gs_report_scan *scan)
{
	return scan->stages > 1 + (scan->of_rows || scan->chosen_rows);
}

gs_report_scan *
gs_stage_scan(const gs_report_scan *scan)
{
	PlanState  *state = has_stage(scan) ? linitial(scan->css.custom_ps) : NULL;

	while (state != NULL && !gs_report_is_scan(state))
		state = IsA(state, SubqueryScanState) ?
			((SubqueryScanState *) state)->subplan : outerPlanState(state);
	return (gs_report_scan *) state;
}

List *
gs_report_tables(gs_report_scan *scan)
{
	List	   *tables = NIL;
	ListCell   *cell;

	for (gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		tables = list_append_unique_oid(tables, s->relation);
		foreach(cell, s->dimensions)
			tables = list_concat_unique_oid(tables,
											((gs_dimension *) lfirst(cell))->tables_read);
	}
	return tables;
}

static List *
entries(const gs_translation *t, int first, int n)
{
	List	   *list = NIL;

	for (int i = first; i < first + n; i++)
		list = lappend(list, list_nth_node(TargetEntry, t->tlist, i)->expr);
	return list;
}

void
gs_stage_scan_rows(const gs_report_scan *scan, const gs_translation *t,
				   gs_report_rows *rows)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *integers = gs_report_list(plan, GS_REPORT_WINDOW_INTEGERS);

	*rows = (gs_report_rows) {
		.keys = entries(t, 0, scan->shown),
		.functions = entries(t, scan->shown, scan->functions),
		.windows = list_nth(plan->custom_exprs, GS_REPORT_WINDOWS),
		.integers = integers,
		.order = scan->order,
		.sorted = scan->ordered,
		.first = scan->first,
		.limit = scan->limit
	};
}

bool
gs_stage_begin(gs_report_scan *scan, const gs_asked *asked, gs_translation *t,
			   List **filter)
{
	CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *tlist = scan->entries;
	List	   *conditions;
	List	   *given;
	gs_report_rows rows;
	gs_report_scan *inner;
	gs_translation *before;

	*filter = list_nth(plan->custom_exprs, GS_REPORT_FILTER);
	if (!has_stage(scan))
	{
		gs_translation_init(t, scan->relation, tlist, &scan->css.ss.ps);
		t->needed = asked->needed;
		t->passed = asked->passed;
		t->dimensions = scan->dimensions;
		return true;
	}
	inner = gs_stage_scan(scan);
	if (inner == NULL)
	{
		gs_translation_init(t, InvalidOid, tlist, &scan->css.ss.ps);
		return gs_untranslated(t, "the subquery's report is not in the plan");
	}
	given = find_given((CustomScan *) inner->css.ss.ps.plan);
	tlist = (List *) replace_columns((Node *) tlist, given);
	*filter = list_concat(gs_stage_having(inner), *filter);
	gs_translation_init(t, InvalidOid, tlist, &scan->css.ss.ps);
	t->needed = asked->needed;
	t->passed = asked->passed;
	before = palloc(sizeof *before);
	if (!gs_stage_begin(inner, asked, before, &conditions))
		return untranslated(before, t);
	gs_stage_scan_rows(inner, before, &rows);
	return translate_rows(before, conditions, &rows, inner->of_rows, t) ||
		untranslated(before, t);
}

/* Conditions on keys alone are among those of rows. */
static bool
is_of_aggregates(const List *conditions, const gs_report_shape *shape)
{
	List	   *vars = pull_var_clause((Node *) conditions, 0);
	ListCell   *cell;

	foreach(cell, vars)
	{
		int			number = lfirst_node(Var, cell)->varattno;

		if (number <= shape->keys || number > shape->keys + shape->aggregates)
			return false;
	}
	return true;
}

/*
 * Only groups that can be among the first, as top.h has them; the order is of an
 * aggregate.  given[spare - 1] is free.
 */
static bool
translate_top(gs_translation *t, gs_given *given, int spare, List *shown,
			  const List *top)
{
	int			number = list_nth_int(top, GS_TOP_ENTRY) + 1;
	const Node *result = list_nth(shown, number - 1);
	const TypeCacheEntry *type = lookup_type_cache(exprType(result),
												   TYPECACHE_GT_OPR | TYPECACHE_LT_OPR);
	Oid			operator = (Oid) list_nth_int(top, GS_TOP_OPERATOR);
	gs_sort_column by = {
		.descending = operator == type->gt_opr,
		.nulls_first = list_nth_int(top, GS_TOP_NULLS_FIRST) != 0
	};
	gs_operand	column;

	if (!IsA(result, Aggref) || given[number - 1].ranked.form == GS_FORM_CODE ||
		(operator != type->gt_opr && operator != type->lt_opr) ||
		!gs_put_given(t, number, &column))
		return false;
	by.column = (int16) column;
	return gs_translate_first(t, given, spare, by,
							  list_nth_int(top, GS_TOP_GROUPS),
							  list_nth_int(top, GS_TOP_TIES) != 0);
}

bool
gs_stage_add_values(gs_translation *before, List *shown, List *having,
					const List *top, gs_report_shape *shape,
					gs_translation *t)
{
	int			n = shape->keys + shape->aggregates;
	int			spare = n + 2 * shape->aggregates + 1;
	gs_given   *given = palloc0(spare * sizeof *given);
	gs_report_value *key = palloc0(n * sizeof *key);
	gs_row_value *value = palloc0(n * sizeof *value);
	bool		pays = having != NIL || top != NIL;

	t->before = before;
	t->given = given;
	t->givens = n;
	t->plan.of_rows = 1;
	for (int i = 0; i < n; i++)
	{
		bool		is_key = i < shape->keys;

		if (!shape->needed[i])
			continue;
		if (is_key)
			gs_report_finish_key(before, shape->key[i].place, &given[i]);
		else
			gs_report_give_aggregate(before, &shape->aggregate[i - shape->keys],
									 given, i + 1,
									 n + 2 * (i - shape->keys) + 1);
		if (!gs_translate_shown(t, i + 1, list_nth(shown, i), &value[i],
								&key[i]))
			return false;
		if (is_key)
			key[i] = shape->key[i]; /* it may be a row's number */
		else
			pays |= gs_state_size(&before->plan, given[i].finish.of) >
				sizeof(gs_value);
		key[i].place = 0;
	}
	if (!pays || !is_of_aggregates(having, shape) ||
		(top != NIL && !translate_top(t, given, spare, shown, top)) ||
		!gs_translate_filter(t, having, &t->plan.filter))
		return false;
	shape->keys = n;
	shape->aggregates = 0;
	shape->key = key;
	shape->value = value;
	return true;
}

int
gs_stage_list(const gs_translation *t, gs_stage *stage)
{
	int			n = t->before == NULL ? 0 : gs_stage_list(t->before, stage);

	stage[n].plan = t->plan;
	stage[n].finish = t->before == NULL ? NULL : t->finish;
	stage[n].windows = t->windows;
	if (t->windows != NULL)
		gs_windows_narrow(t->windows, &t->plan);
	return n + 1;
}

const gs_translation *
gs_stage_of(const gs_translation *t, int stage)
{
	int			after = 0;

	for (const gs_translation *b = t; b->before != NULL; b = b->before)
		after++;
	for (after -= stage; after > 0; after--)
		t = t->before;
	return t;
}

bool
gs_stages_absent_have_come(const gs_translation *t)
{
	for (; t != NULL; t = t->before)
	{
		if (gs_absent_have_come(t))
			return true;
	}
	return false;
}
