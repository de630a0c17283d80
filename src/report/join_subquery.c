/*-------------------------------------------------------------------------
 *
 * join_subquery.c
 *	  Subqueries that a query has for each row, as dimensions.
 *
 * (SELECT avg(x) FROM t WHERE k = outer) is what SELECT k, avg(x) FROM t GROUP BY k
 * gives for the row's k; and so is (SELECT x FROM t WHERE k = outer), if k is unique: by
 * SELECT k, x FROM t.  PostgreSQL has planned the former, and still has its parse
 * tree; the latter is planned here, like a subquery of FROM, and may be a report
 * itself.  It becomes a table of the query's range table that only a report reads.
 *
 * So is EXISTS (SELECT FROM t WHERE t.k = k AND t.x <> x): by SELECT k, min(x), max(x);
 * and EXISTS (SELECT FROM t WHERE t.k = k) that is no join, as it is OR-ed with
 * others: by SELECT k.
 *
 * The ordinary plan evaluates a subquery for the rows that need it, this way it is
 * evaluated for all.  So what may raise an error for one of them is not taken.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "report/aggregate/aggregate_kinds.h"
#include "report/join.h"
#include "report/translate/dimension.h"

/* ----------
 * What raises no error
 * ----------
 */

static bool
function_may_raise(Oid function, void *context)
{
	(void) context;
	switch (function)
	{
		case F_NUMERIC_EQ:
		case F_NUMERIC_NE:
		case F_NUMERIC_LT:
		case F_NUMERIC_LE:
		case F_NUMERIC_GT:
		case F_NUMERIC_GE:
		case F_NUMERIC_ADD:
		case F_NUMERIC_SUB:
		case F_NUMERIC_MUL:
		case F_NUMERIC_UMINUS:
			return false;
		default:
			return !get_func_leakproof(function);
	}
}

static bool
is_named(const Aggref *aggref, const char *name)
{
	return aggref->aggfnoid < FirstGenbkiObjectId &&
		strcmp(get_func_name(aggref->aggfnoid), name) == 0;
}

/* Those of floats may overflow. */
static bool
is_exact(const Aggref *aggref)
{
	switch (list_length(aggref->aggargtypes) == 1 ?
			linitial_oid(aggref->aggargtypes) : InvalidOid)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case NUMERICOID:
			return true;
		default:
			return false;
	}
}

/* That of floats is rounded once, so that it does not overflow. */
static bool
is_exact_average(const Aggref *aggref)
{
	return gs_known_aggregate(aggref->aggfnoid).gpuscan &&
		strcmp(get_func_name(aggref->aggfnoid), "gpu_avg") == 0;
}

bool
gs_subquery_is_taken(const Aggref *aggref)
{
	return aggref->aggkind == AGGKIND_NORMAL && aggref->agglevelsup == 0 &&
		(is_named(aggref, "count") || is_named(aggref, "min") ||
		 is_named(aggref, "max") || is_exact_average(aggref) ||
		 ((is_named(aggref, "sum") || is_named(aggref, "avg")) &&
		  is_exact(aggref)));
}

/* Of what is to be asked; NULL: everything. */
static const char rows_alone[] = "expressions of a row";

static bool may_raise(Node *node, void *context);

/* Each of those that are AND-ed is evaluated for some row. */
static bool
conditions_may_raise(Node *quals, void *context)
{
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) quals))
	{
		if (may_raise(lfirst(cell), context))
			return true;
	}
	return false;
}

static bool
may_raise(Node *node, void *context)
{
	if (node == NULL || (context == rows_alone && !IsA(node, List) &&
						 !IsA(node, RangeTblRef) &&
						 !contain_var_clause(node)))
		return false;
	switch (nodeTag(node))
	{
		case T_Aggref:
			if (!gs_subquery_is_taken((const Aggref *) node))
				return true;
			break;
		case T_Param:
			return ((const Param *) node)->paramkind != PARAM_EXTERN;
		case T_OpExpr:
		case T_FuncExpr:
		case T_ScalarArrayOpExpr:
		case T_DistinctExpr:
			if (check_functions_in_node(node, function_may_raise, NULL))
				return true;
			break;
		case T_Var:
			return ((const Var *) node)->varlevelsup != 0;
		case T_FromExpr:
			return may_raise((Node *) ((FromExpr *) node)->fromlist, context) ||
				conditions_may_raise(((FromExpr *) node)->quals, context);
		case T_JoinExpr:
			return may_raise(((JoinExpr *) node)->larg, context) ||
				may_raise(((JoinExpr *) node)->rarg, context) ||
				conditions_may_raise(((JoinExpr *) node)->quals, context);
		case T_BoolExpr:
		case T_CaseExpr:
		case T_CoalesceExpr:
			/* not all may be evaluated: then constants must raise none, too */
			context = NULL;
			break;
		case T_Const:
		case T_RelabelType:
		case T_NullTest:
		case T_BooleanTest:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_List:
		case T_TargetEntry:
		case T_RangeTblRef:
			break;
		default:
			return true;
	}
	return expression_tree_walker(node, may_raise, context);
}

bool
gs_subquery_may_raise(const Aggref *aggref)
{
	return may_raise((Node *) aggref, NULL);
}

bool
gs_subquery_row_may_raise(Node *node)
{
	return may_raise(node, unconstify(char *, &rows_alone[0]));
}

/* ----------
 * Scalar subqueries with aggregates, and EXISTS
 * ----------
 */

/* The equalities that tie a subquery to a row: taken out of its conditions. */
typedef struct correlation
{
	const SubPlan *plan;
	List	   *outer;
	List	   *inner;
	List	   *pairs;			/* gs_join_pair, of both */
} correlation;

/* What the row gives for a parameter; NULL: it is none of these. */
static Expr *
outer_of(const SubPlan *plan, const Node *node)
{
	const Param *param = (const Param *) node;
	ListCell   *cell;
	ListCell   *arg;

	if (!IsA(param, Param) || param->paramkind != PARAM_EXEC)
		return NULL;
	forboth(cell, plan->parParam, arg, plan->args)
	{
		if (lfirst_int(cell) == param->paramid)
			return lfirst(arg);
	}
	return NULL;
}

/* Does it need what neither the row gives nor the query's user: another subquery's? */
static bool
has_other_parameter(Node *node, void *plan)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((const Param *) node)->paramkind == PARAM_EXEC)
		return outer_of(plan, node) == NULL;
	return expression_tree_walker(node, has_other_parameter, plan);
}

/* The same, if it is relabelled: as varchar that is compared with text is. */
static Expr *
outer_side(const SubPlan *plan, const Node *node)
{
	const RelabelType *relabelled = (const RelabelType *) node;
	Expr	   *outer;
	RelabelType *result;

	if (!IsA(node, RelabelType))
		return outer_of(plan, node);
	outer = outer_of(plan, (const Node *) relabelled->arg);
	if (outer == NULL)
		return NULL;
	result = makeNode(RelabelType);
	*result = *relabelled;
	result->arg = outer;
	return (Expr *) result;
}

static bool
take_equality(correlation *c, const OpExpr *op)
{
	Node	   *inner;
	Expr	   *outer;
	gs_join_pair *pair;

	if (!IsA(op, OpExpr) || list_length(op->args) != 2)
		return false;
	inner = linitial(op->args);
	outer = outer_side(c->plan, lsecond(op->args));
	if (outer == NULL)
	{
		inner = lsecond(op->args);
		outer = outer_side(c->plan, linitial(op->args));
	}
	if (outer == NULL || !contain_var_clause(inner) ||
		!OidIsValid(gs_dimension_key_type(exprType(inner))) ||
		!gs_dimension_is_equality(op->opno, exprType(inner)) ||
		(type_is_collatable(exprType(inner)) && !OidIsValid(op->inputcollid)))
		return false;
	c->outer = lappend(c->outer, outer);
	c->inner = lappend(c->inner, inner);
	pair = palloc0(sizeof *pair);
	pair->outer = outer;
	pair->inner = (Expr *) inner;
	pair->equality = op->opno;
	pair->collation = op->inputcollid;
	c->pairs = lappend(c->pairs, pair);
	return true;
}

/* The planner has made lists of conditions; whoever plans again wants an AND. */
static Node *
take_equalities(correlation *c, Node *quals)
{
	List	   *rest = NIL;
	ListCell   *cell;

	foreach(cell, castNode(List, quals))
	{
		if (!take_equality(c, lfirst(cell)))
			rest = lappend(rest, lfirst(cell));
	}
	return rest == NIL ? NULL : (Node *) make_ands_explicit(rest);
}

/* False: it reads from other things than tables in inner joins. */
static bool
examine_sources(correlation *c, Query *query, Node *node)
{
	ListCell   *cell;

	if (IsA(node, RangeTblRef))
		return gs_subquery_is_table(rt_fetch(((RangeTblRef *) node)->rtindex,
									   query->rtable));
	if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		join->quals = take_equalities(c, join->quals);
		return join->jointype == JOIN_INNER &&
			examine_sources(c, query, join->larg) &&
			examine_sources(c, query, join->rarg);
	}
	if (!IsA(node, FromExpr))
		return false;
	foreach(cell, ((FromExpr *) node)->fromlist)
	{
		if (!examine_sources(c, query, lfirst(cell)))
			return false;
	}
	((FromExpr *) node)->quals = take_equalities(c,
												 ((FromExpr *) node)->quals);
	return true;
}

/*
 * Does it give one row, of aggregates over all rows; or a column, or, if EXISTS asks,
 * anything, of the rows that its conditions leave?
 */
static bool
is_taken(const Query *query, SubLinkType type)
{
	return (type == EXISTS_SUBLINK ? !query->hasAggs :
			type == EXPR_SUBLINK && list_length(query->targetList) == 1) &&
		query->groupClause == NIL &&
		query->groupingSets == NIL && query->havingQual == NULL &&
		!query->hasWindowFuncs && !query->hasTargetSRFs &&
		query->distinctClause == NIL && query->setOperations == NULL &&
		query->limitCount == NULL && query->limitOffset == NULL &&
		query->cteList == NIL && query->rowMarks == NIL;
}

/* Do its conditions leave a row at most?  If there were more, it would be an error. */
static bool
is_unique(const PlannerInfo *sub, const correlation *c)
{
	const List *from = sub->parse->jointree->fromlist;

	return list_length(from) == 1 && IsA(linitial(from), RangeTblRef) &&
		gs_join_has_unique_index(sub->simple_rel_array[linitial_node(RangeTblRef,
																	from)->rtindex],
								 c->pairs);
}

/* A key that has been found is not NULL. */
static Expr *
make_found(const RelOptInfo *rel)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) gs_subquery_column(rel, 1);
	test->nulltesttype = IS_NOT_NULL;
	test->location = -1;
	return (Expr *) test;
}

/* What stands for an aggregate of a row's group, or of no group; or for a column. */
typedef struct replacement
{
	const SubPlan *plan;
	const RelOptInfo *rel;
	const List *parts;
	int			keys;
} replacement;

static Node *
replace_parts(Node *node, void *context)
{
	const replacement *r = context;
	CoalesceExpr *coalesce;
	Expr	   *outer;
	ListCell   *cell;

	if (node == NULL)
		return NULL;
	outer = outer_of(r->plan, node);
	if (outer != NULL)
		return copyObject((Node *) outer);
	if (!IsA(node, Aggref) && !IsA(node, Var))
		return expression_tree_mutator(node, replace_parts, context);
	foreach(cell, r->parts)
	{
		Var		   *column;

		if (!equal(lfirst(cell), node))
			continue;
		column = gs_subquery_column(r->rel, r->keys + foreach_current_index(cell) + 1);
		if (IsA(node, Var) || !is_named((Aggref *) node, "count"))
			return (Node *) column;
		coalesce = makeNode(CoalesceExpr);
		coalesce->coalescetype = INT8OID;
		coalesce->args = list_make2(column,
									makeConst(INT8OID, -1, InvalidOid,
											  sizeof(int64), Int64GetDatum(0),
											  false, FLOAT8PASSBYVAL));
		coalesce->location = -1;
		return (Node *) coalesce;
	}
	elog(ERROR, "a part of a subquery is not found");
}

/* Without a row there is nothing to compute, and the result is NULL. */
static Expr *
make_of_row(const RelOptInfo *rel, Expr *computed)
{
	CaseExpr   *result;
	CaseWhen   *when;

	if (IsA(computed, Var) && ((const Var *) computed)->varno == (int) rel->relid)
		return computed;
	when = makeNode(CaseWhen);
	when->expr = make_found(rel);
	when->result = computed;
	when->location = -1;
	result = makeNode(CaseExpr);
	result->casetype = exprType((Node *) computed);
	result->casecollid = exprCollation((Node *) computed);
	result->args = list_make1(when);
	result->defresult = (Expr *) makeNullConst(result->casetype,
											   exprTypmod((Node *) computed),
											   result->casecollid);
	result->location = -1;
	return (Expr *) result;
}

/* A dimension whose rows are looked up by its first columns. */
static void
add_dimension(gs_report_query *q, RelOptInfo *rel, List *outer)
{
	gs_dimension *dimension = palloc0(sizeof *dimension);

	dimension->kind = JOIN_LEFT;
	dimension->rows_expected = rel->rows;
	dimension->outer_keys = outer;
	for (int i = 1; i <= list_length(outer); i++)
		dimension->inner_keys = lappend(dimension->inner_keys,
										gs_subquery_column(rel, i));
	dimension->tables = gs_join_tables(q->root, rel->relids,
									   dimension->inner_keys);
	dimension->tables_read = gs_join_tables_read(q->root, rel->relids);
	q->dimensions = lappend(q->dimensions, dimension);
	q->dimension_rels = lappend(q->dimension_rels, rel);
	q->dimension_sources = lappend(q->dimension_sources, rel);
}

/* What it gives, by columns of a new dimension; NULL: it stays a subquery. */
static Expr *
make_dimension(gs_report_query *q, const SubPlan *plan)
{
	const PlannerInfo *sub = list_nth(q->root->glob->subroots,
									  plan->plan_id - 1);
	correlation c = {.plan = plan};
	replacement r = {.plan = plan};
	Query	   *query;
	Expr	   *result = NULL;
	List	   *parts = NIL;
	bool		of_row;

	/* HAVING that is always true has gone, but it gives a row of no rows */
	if (plan->parParam == NIL || contain_subplans((Node *) plan->args) ||
		!is_taken(sub->parse, plan->subLinkType) || sub->hasHavingQual ||
		sub->qual_security_level > 0)
		return NULL;
	query = copyObject(sub->parse);
	if (plan->subLinkType == EXPR_SUBLINK)
	{
		result = linitial_node(TargetEntry, query->targetList)->expr;
		parts = pull_var_clause((Node *) result, PVC_INCLUDE_AGGREGATES |
								PVC_INCLUDE_PLACEHOLDERS);
	}
	of_row = result != NULL && !query->hasAggs;
	if (!examine_sources(&c, query, (Node *) query->jointree) ||
		c.inner == NIL || list_length(c.inner) > GS_DIMENSION_KEYS ||
		may_raise((Node *) query->jointree, NULL) ||
		may_raise((Node *) c.inner, NULL) ||
		may_raise((Node *) parts, NULL) ||
		has_other_parameter((Node *) result, unconstify(SubPlan *, plan)) ||
		contain_subplans((Node *) result) ||
		(of_row && !is_unique(sub, &c)) ||
		contain_volatile_functions((Node *) query))
		return NULL;
	gs_subquery_group_by(query, c.inner, parts);
	if (of_row)
	{
		query->groupClause = NIL;
		query->hasAggs = false;
	}
	r.rel = gs_subquery_add(q->root, query);
	if (r.rel == NULL)
		return NULL;
	r.parts = parts;
	r.keys = list_length(c.inner);
	add_dimension(q, unconstify(RelOptInfo *, r.rel), c.outer);
	if (result == NULL)
		return make_found(r.rel);
	result = (Expr *) replace_parts((Node *) result, &r);
	return of_row ? make_of_row(r.rel, result) : result;
}

/* A subquery for each row, and what stands for it. */
typedef struct replaced_subquery
{
	int			plan_id;
	Expr	   *by;
} replaced_subquery;

static Expr *
replacement_of(const gs_report_query *q, const SubPlan *plan)
{
	ListCell   *cell;

	foreach(cell, q->subqueries)
	{
		const replaced_subquery *r = lfirst(cell);

		if (r->plan_id == plan->plan_id)
			return r->by;
	}
	return NULL;
}

/* The subquery that is executed for each row; NULL: the node is something else. */
static const SubPlan *
subquery_of(const Node *node)
{
	if (IsA(node, AlternativeSubPlan))
		node = linitial(((const AlternativeSubPlan *) node)->subplans);
	return IsA(node, SubPlan) ? (const SubPlan *) node : NULL;
}

static bool
find_subqueries(Node *node, void *query)
{
	gs_report_query *q = query;
	const SubPlan *plan = node == NULL ? NULL : subquery_of(node);
	replaced_subquery *r;
	Expr	   *by;

	if (node == NULL)
		return false;
	if (plan != NULL && replacement_of(q, plan) == NULL)
	{
		by = make_dimension(q, plan);
		if (by == NULL)
			return !gs_is_membership(plan);
		r = palloc(sizeof *r);
		r->plan_id = plan->plan_id;
		r->by = by;
		q->subqueries = lappend(q->subqueries, r);
		return false;
	}
	return expression_tree_walker(node, find_subqueries, query);
}

/*
 * Of alternatives, the one that the planner chooses for a condition of so many rows,
 * as its fix_alternative_subplan does.
 */
static const SubPlan *
find_cheapest(const AlternativeSubPlan *alternatives, double rows)
{
	const SubPlan *best = NULL;
	Cost		least = 0;
	ListCell   *cell;

	foreach(cell, alternatives->subplans)
	{
		const SubPlan *plan = lfirst_node(SubPlan, cell);
		Cost		cost = plan->startup_cost + 2 * rows * plan->per_call_cost;

		if (best == NULL || cost <= least)
		{
			best = plan;
			least = cost;
		}
	}
	return best;
}

/*
 * EXISTS of which the ordinary plan, too, would read all rows first is x IN (SELECT
 * ...); but it is never NULL.  The planner drops a subquery of alternatives that nothing
 * chooses, so it gets one to choose.
 */
static Node *
choose_memberships(Node *node, void *query)
{
	const gs_report_query *q = query;
	const SubPlan *best;
	AlternativeSubPlan *chosen;
	BooleanTest *test;

	if (node == NULL)
		return NULL;
	if (!IsA(node, AlternativeSubPlan))
		return expression_tree_mutator(node, choose_memberships, query);
	best = find_cheapest((AlternativeSubPlan *) node,
						 Min(q->fact->rows, q->input->rows));
	if (!gs_is_membership(best) || gs_is_membership_of_rows(best))
		return node;
	chosen = makeNode(AlternativeSubPlan);
	chosen->subplans = list_make1(copyObject(unconstify(SubPlan *, best)));
	test = makeNode(BooleanTest);
	test->arg = PG_VERSION_NUM >= 140000 ? (Expr *) chosen :
		linitial(chosen->subplans);
	test->booltesttype = IS_TRUE;
	test->location = -1;
	return (Node *) test;
}

/* True: one of those in it stays. */
static bool
find_in(Node *node, gs_report_query *q)
{
	return contain_subplans(node) &&
		find_subqueries(choose_memberships(node, q), q);
}

static bool
find_in_aggregates(Node *node, void *query)
{
	if (node == NULL)
		return false;
	return IsA(node, Aggref) ? find_in(node, query) :
		expression_tree_walker(node, find_in_aggregates, query);
}

/* What is computed of rows, not of groups. */
static bool
find_in_groups(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, gs_report_query_clauses(q))
	{
		if (find_in(get_sortgroupclause_expr(lfirst(cell),
											 q->root->processed_tlist), q))
			return true;
	}
	return find_in_aggregates((Node *) q->target->exprs, q) ||
		find_in_aggregates((Node *) q->having, q);
}

void
gs_join_find_subqueries(gs_report_query *q)
{
	ListCell   *cell;

	if (q->root->glob->subplans == NIL ||
		gs_report_query_is_volatile(q) ||
		find_in((Node *) q->conditions, q))
		return;
	foreach(cell, q->fact->baserestrictinfo)
	{
		if (find_in((Node *) lfirst_node(RestrictInfo, cell)->clause, q))
			return;
	}
	if (!q->of_rows && !q->aggregated)
		(void) find_in_groups(q);
}

static Node *
replace_subqueries(Node *node, void *query)
{
	const SubPlan *plan = node == NULL ? NULL : subquery_of(node);
	Expr	   *by = NULL;

	if (node == NULL)
		return NULL;
	if (plan != NULL)
		by = replacement_of(query, plan);
	return by != NULL ? copyObject((Node *) by) :
		expression_tree_mutator(node, replace_subqueries, query);
}

List *
gs_join_replace_subqueries(const gs_report_query *q, List *conditions)
{
	if (contain_subplans((Node *) conditions))
		conditions = (List *) choose_memberships((Node *) conditions,
												 unconstify(gs_report_query *, q));
	return q->subqueries == NIL ? conditions :
		(List *) replace_subqueries((Node *) conditions,
									unconstify(gs_report_query *, q));
}

/* ----------
 * EXISTS with values that differ
 * ----------
 */

/* min(x) or max(x), by the type's order; NULL: there is none for the type. */
static Aggref *
make_extreme(const char *name, const gs_join_pair *differing)
{
	Expr	   *x = copyObject(differing->inner);
	Oid			type = exprType((Node *) x);
	Aggref	   *result = makeNode(Aggref);

	if (type == VARCHAROID)
	{
		type = TEXTOID;
		x = (Expr *) makeRelabelType(x, type, -1, exprCollation((Node *) x),
									 COERCE_IMPLICIT_CAST);
	}

	/* a search by name alone would go over all of them */
	result->aggfnoid = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
									   CStringGetDatum(name),
									   PointerGetDatum(buildoidvector(&type, 1)),
									   ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
	result->aggtype = type;
	result->aggcollid = result->inputcollid = differing->collation;
	result->aggargtypes = list_make1_oid(type);
	result->args = list_make1(makeTargetEntry(x, 1, NULL, false));
	result->aggkind = AGGKIND_NORMAL;
	result->aggsplit = AGGSPLIT_SIMPLE;
	result->aggno = result->aggtransno = -1;
	result->location = -1;
	return OidIsValid(result->aggfnoid) ? result : NULL;
}

gs_join_unit *
gs_join_group_unit(PlannerInfo *root, gs_join_unit *unit, const List *pairs,
				   const gs_join_pair *differing)
{
	Aggref	   *least = make_extreme("min", differing);
	Aggref	   *most = make_extreme("max", differing);
	List	   *keys = NIL;
	Query	   *query;
	RelOptInfo *rel;
	ListCell   *cell;

	if (unit->grouped != NULL)
		return unit->grouped;
	if (unit->rel->reloptkind != RELOPT_BASEREL || least == NULL || most == NULL)
		return NULL;
	foreach(cell, pairs)
	{
		Expr	   *key = ((const gs_join_pair *) lfirst(cell))->inner;

		if (!OidIsValid(gs_dimension_key_type(exprType((Node *) key))))
			return NULL;
		keys = lappend(keys, key);
	}
	query = gs_subquery_group_table(root, unit->rel, keys,
									list_make2(least, most));
	if (query == NULL)
		return NULL;
	rel = gs_subquery_add(root, query);
	if (rel == NULL)
		return NULL;
	unit->grouped = palloc0(sizeof *unit);
	unit->grouped->kind = JOIN_LEFT;
	unit->grouped->relids = unit->grouped->joined = rel->relids;
	unit->grouped->rel = unit->grouped->source = rel;
	return unit->grouped;
}

List *
gs_join_grouped_pairs(const gs_join_unit *grouped, const List *pairs)
{
	List	   *result = NIL;
	ListCell   *cell;

	foreach(cell, pairs)
	{
		gs_join_pair *pair = palloc(sizeof *pair);

		*pair = *(const gs_join_pair *) lfirst(cell);
		pair->inner = (Expr *) gs_subquery_column(grouped->rel,
										 foreach_current_index(cell) + 1);
		result = lappend(result, pair);
	}
	return result;
}

/* outer <> the column */
static Expr *
differs_from(const gs_join_pair *differing, const RelOptInfo *rel, int column)
{
	Expr	   *result = make_opclause(get_negator(differing->equality), BOOLOID,
									   false, differing->outer,
									   (Expr *) gs_subquery_column(rel, column),
									   InvalidOid, differing->collation);

	set_opfuncid((OpExpr *) result);
	return result;
}

Expr *
gs_join_grouped_condition(const gs_join_unit *grouped, JoinType kind,
						  const List *pairs, const gs_join_pair *differing)
{
	int			keys = list_length(pairs);
	Expr	   *exists = make_orclause(list_make2(differs_from(differing, grouped->rel,
																keys + 1),
												  differs_from(differing, grouped->rel,
																keys + 2)));
	BooleanTest *test;

	if (kind == JOIN_SEMI)
		return exists;
	test = makeNode(BooleanTest);
	test->arg = exists;
	test->booltesttype = IS_NOT_TRUE;
	test->location = -1;
	return (Expr *) test;
}
