/*-------------------------------------------------------------------------
 *
 * eager.c
 *	  Eager aggregation: the many rows of a left join's inner side are grouped by
 *	  the join's key before they are joined.
 *
 *		SELECT id, count(v), max(v) FROM one LEFT JOIN many ON k = id GROUP BY id
 *
 * gives what this gives, if id tells the rows of one apart:
 *
 *		SELECT id, coalesce(n, 0), m FROM one LEFT JOIN
 *		(SELECT k, count(v) AS n, max(v) AS m FROM many GROUP BY k) AS g ON k = id
 *
 * whose subquery may be a report (rewriting.h).  The query has no groups any more, so
 * that one around it may be a report over all of it.
 *
 * The former aggregates the rows of many that find one, the latter all; and conditions
 * on aggregates may be evaluated for all groups.  So what may raise an error there is
 * not taken.  Conditions on rows of many are evaluated for the same rows, unless an
 * index finds these.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"

#include "report/eager.h"
#include "report/eager_rows.h"
#include "report/join.h"
#include "report/rewriting.h"
#include "report/rewriting_uses.h"

typedef struct eager
{
	Query	   *query;
	List	   *aggregates;		/* Aggrefs of many's rows, each once */
	JoinExpr   *join;			/* the left join of many, */
	RangeTblRef *inner;			/* its inner side: */
	int			many;			/* range table indexes: of its rows, */
	int			groups;			/* and of their groups */
	List	   *keys;			/* many's sides of equalities, */
	List	   *conditions;		/* and conditions on its rows */
} eager;

bool
gs_eager_is_candidate(const Query *query)
{
	ListCell   *cell;

	if (!query->hasAggs || query->groupClause == NIL ||
		query->groupingSets != NIL || query->hasTargetSRFs)
		return false;
	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_JOIN &&
			(rte->jointype == JOIN_LEFT || rte->jointype == JOIN_RIGHT))
			return true;
	}
	return false;
}

static bool
is_of(const Node *node, int relation)
{
	Relids		own = gs_references_of(node).own;

	return bms_membership(own) == BMS_SINGLETON && bms_is_member(relation, own);
}

/* ----------
 * Aggregates
 * ----------
 */

/*
 * Of the query itself.  True: there is something else of its groups, in a subquery of
 * an expression, say.
 */
typedef struct aggregate_search
{
	List	   *found;
	Index		depth;
} aggregate_search;

static bool
find_aggregates(Node *node, void *context)
{
	aggregate_search *s = context;
	bool		stops;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Aggref:
			if (((Aggref *) node)->agglevelsup != s->depth)
				break;
			s->found = list_append_unique(s->found, node);
			return s->depth > 0;
		case T_GroupingFunc:
			if (((GroupingFunc *) node)->agglevelsup == s->depth)
				return true;
			break;
		case T_Query:
			s->depth++;
			stops = query_tree_walker((Query *) node, find_aggregates, s, 0);
			s->depth--;
			return stops;
		default:
			break;
	}
	return expression_tree_walker(node, find_aggregates, context);
}

/* In a row that finds none, all columns of many are NULL. */
static Node *
replace_by_nulls(Node *node, void *many)
{
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && var->varno == *(int *) many)
		return (Node *) makeNullConst(var->vartype, var->vartypmod,
									  var->varcollid);
	return expression_tree_mutator(node, replace_by_nulls, many);
}

/* NULL: it is not known, or differs. */
static const Const *
value_of_nulls(const eager *e, const void *expression)
{
	Node	   *node = replace_by_nulls(copyObject(unconstify(void *, expression)),
										unconstify(int *, &e->many));

	node = eval_const_expressions(NULL, node);
	return IsA(node, Const) ? (const Const *) node : NULL;
}

static bool
is_count(const Aggref *aggref)
{
	return aggref->aggfnoid < FirstGenbkiObjectId &&
		strcmp(get_func_name(aggref->aggfnoid), "count") == 0;
}

/*
 * How many rows does it take of a row that finds none?  -1: it is not known; or one, by
 * another aggregate than a count.
 */
static int
number_of_nulls(const eager *e, const Aggref *aggref)
{
	const Const *filter = aggref->aggfilter == NULL ? NULL :
		value_of_nulls(e, aggref->aggfilter);
	const Const *argument = aggref->args == NIL ? NULL :
		value_of_nulls(e, linitial_node(TargetEntry, aggref->args)->expr);

	if ((filter != NULL &&
		 (filter->constisnull || !DatumGetBool(filter->constvalue))) ||
		(argument != NULL && argument->constisnull))
		return 0;
	return is_count(aggref) && (aggref->aggfilter == NULL || filter != NULL) &&
		(aggref->args == NIL || argument != NULL) ? 1 : -1;
}

static bool
is_taken(const eager *e, Aggref *aggref)
{
	Aggref		plain = *aggref;
	Relids		own = gs_references_of((Node *) aggref).own;

	/* values are told apart without errors */
	plain.aggdistinct = NIL;
	return aggref->aggorder == NIL && !gs_subquery_may_raise(&plain) &&
		(own == NULL || is_of((Node *) aggref, e->many)) &&
		number_of_nulls(e, aggref) >= 0;
}

static bool
are_taken(const eager *e)
{
	ListCell   *cell;

	foreach(cell, e->aggregates)
	{
		if (!is_taken(e, lfirst(cell)))
			return false;
	}
	return true;
}

/* ----------
 * Joins
 * ----------
 */

/* The left join of many, which is the one that aggregates read, if they tell. */
static bool
find_join(eager *e, Node *node)
{
	JoinExpr   *join = (JoinExpr *) node;
	Node	   *inner;
	ListCell   *cell;

	if (IsA(node, FromExpr))
	{
		foreach(cell, ((FromExpr *) node)->fromlist)
		{
			if (find_join(e, lfirst(cell)))
				return true;
		}
		return false;
	}
	if (!IsA(node, JoinExpr))
		return false;
	inner = join->jointype == JOIN_LEFT ? join->rarg :
		join->jointype == JOIN_RIGHT ? join->larg : NULL;
	if (inner != NULL && IsA(inner, RangeTblRef) &&
		(e->many == 0 || e->many == ((RangeTblRef *) inner)->rtindex))
	{
		e->join = join;
		e->inner = (RangeTblRef *) inner;
		e->many = e->inner->rtindex;
		return true;
	}
	return find_join(e, join->larg) || find_join(e, join->rarg);
}

static bool
find_many(eager *e)
{
	Relids		read = gs_references_of((Node *) e->aggregates).own;
	RangeTblEntry *rte;
	bool		may_raise = false;	/* for the same rows */

	if (read != NULL && !bms_get_singleton_member(read, &e->many))
		return false;
	if (!find_join(e, (Node *) e->query->jointree))
		return false;
	rte = rt_fetch(e->many, e->query->rtable);

	/* a report over a table with row-level security is not made */
	return !rte->lateral && !rte->security_barrier &&
		rte->securityQuals == NIL && gs_rewriting_reads_table(rte, &may_raise);
}

/* ----------
 * Keys
 * ----------
 */

/* A key is evaluated for each group; without groups, for the rows that are given. */
static bool
is_given(const Query *query, const TargetEntry *key, bool is_statement)
{
	return is_statement && !key->resjunk && query->havingQual == NULL &&
		query->limitCount == NULL && query->limitOffset == NULL;
}

static bool
examine_keys(eager *e, bool is_statement)
{
	ListCell   *cell;

	foreach(cell, e->query->groupClause)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		const TargetEntry *entry = get_sortgroupclause_tle(clause,
														   e->query->targetList);

		if (gs_subquery_row_may_raise((Node *) entry->expr) &&
			!is_given(e->query, entry, is_statement))
			return false;
	}
	return true;
}

/* ----------
 * The join's conditions
 * ----------
 */

static bool
take_equality(eager *e, OpExpr *op)
{
	for (int i = 0; IsA(op, OpExpr) && list_length(op->args) == 2 && i < 2; i++)
	{
		ListCell   *cell = list_nth_cell(op->args, i);
		Node	   *inner = lfirst(cell);
		Relids		outer = gs_references_of(list_nth(op->args, 1 - i)).own;

		if (!is_of(inner, e->many) || outer == NULL ||
			bms_is_member(e->many, outer) || !gs_rewriting_ties(op, inner) ||
			checkExprHasSubLink(inner))
			continue;
		e->keys = lappend(e->keys, inner);
		lfirst(cell) = makeVar(e->groups, (AttrNumber) list_length(e->keys),
							   exprType(inner), exprTypmod(inner),
							   exprCollation(inner), 0);
		return true;
	}
	return false;
}

static bool
take_conditions(eager *e)
{
	ListCell   *cell;
	List	   *rest = NIL;

	foreach(cell, make_ands_implicit((Expr *) e->join->quals))
	{
		Node	   *qual = lfirst(cell);

		if (is_of(qual, e->many) && !checkExprHasSubLink(qual))
			e->conditions = lappend(e->conditions, qual);
		else if (bms_is_member(e->many, gs_references_of(qual).own) &&
				 !take_equality(e, (OpExpr *) qual))
			return false;
		else
			rest = lappend(rest, qual);
	}
	e->join->quals = (Node *) make_ands_explicit(rest);
	return e->keys != NIL;
}

/* ----------
 * Groups of many's rows
 * ----------
 */

/* Of many's columns below the join, where there is nothing else. */
static Node *
move_below(const eager *e, Node *expression)
{
#if PG_VERSION_NUM >= 160000
	expression = remove_nulling_relids(expression,
									   bms_make_singleton(e->join->rtindex), NULL);
#endif
	ChangeVarNodes(expression, e->many, 1, 0);
	return expression;
}

/* What was the entry of many's rows stands for nothing then. */
static Query *
take_rows(eager *e)
{
	Query	   *groups = makeNode(Query);
	RangeTblEntry *rte = rt_fetch(e->many, e->query->rtable);
	RangeTblEntry *nothing = makeNode(RangeTblEntry);
	RangeTblRef *ref = makeNode(RangeTblRef);

	groups->commandType = CMD_SELECT;
	groups->canSetTag = true;
	groups->rtable = list_make1(rte);
#if PG_VERSION_NUM >= 160000
	if (rte->perminfoindex != 0)
	{
		groups->rteperminfos =
			list_make1(copyObject(getRTEPermissionInfo(e->query->rteperminfos,
													   rte)));
		rte->perminfoindex = 1;
	}
#endif
	ref->rtindex = 1;
	groups->jointree = makeFromExpr(list_make1(ref), e->conditions == NIL ? NULL :
									move_below(e, (Node *) make_ands_explicit(e->conditions)));
	nothing->rtekind = RTE_RESULT;
	nothing->eref = copyObject(rte->eref);
	lfirst(list_nth_cell(e->query->rtable, e->many - 1)) = nothing;
	return groups;
}

static void
add_groups(eager *e, int number)
{
	Query	   *groups = take_rows(e);

	gs_subquery_group_by(groups, (List *) move_below(e, (Node *) e->keys),
						 (List *) move_below(e, (Node *) copyObject(e->aggregates)));
	gs_rewriting_mark(groups, number);
	e->query->rtable = lappend(e->query->rtable, gs_subquery_entry(groups));
	e->inner->rtindex = e->groups;
}

/* What a row of the others gets of an aggregate. */
static Node *
above_join(const eager *e, const Aggref *aggref, int column)
{
	Var		   *var = makeVar(e->groups, (AttrNumber) column, aggref->aggtype, -1,
							  aggref->aggcollid, 0);
	CoalesceExpr *coalesce;

#if PG_VERSION_NUM >= 160000
	var->varnullingrels = bms_make_singleton(e->join->rtindex);
#endif
	if (!is_count(aggref))
		return (Node *) var;
	coalesce = makeNode(CoalesceExpr);
	coalesce->coalescetype = INT8OID;
	coalesce->args = list_make2(var,
								makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
										  Int64GetDatum(number_of_nulls(e, aggref)),
										  false, FLOAT8PASSBYVAL));
	coalesce->location = -1;
	return (Node *) coalesce;
}

static Node *
replace_aggregates(Node *node, void *context)
{
	const eager *e = context;
	int			column = list_length(e->keys);
	ListCell   *cell;

	if (node == NULL || IsA(node, Query))
		return node;
	if (!IsA(node, Aggref))
		return expression_tree_mutator(node, replace_aggregates, context);
	foreach(cell, e->aggregates)
	{
		column++;
		if (equal(lfirst(cell), node))
			return above_join(e, lfirst(cell), column);
	}
	elog(ERROR, "an aggregate of a left join is not found");
}

/* ----------
 * HAVING
 * ----------
 */

/*
 * What does not depend on groups is evaluated for the same rows as before, so it may be
 * anything.
 */
static Node *
without_others(Node *node, void *context)
{
	const eager *e = context;

	if (node == NULL || IsA(node, CaseExpr) || IsA(node, Query))
		return node;
	if (!IsA(node, List) &&
		!bms_is_member(e->groups, gs_references_of(node).own))
		return (Node *) makeNullConst(exprType(node), -1, exprCollation(node));
	return expression_tree_mutator(node, without_others, context);
}

static bool
is_having_harmless(const eager *e)
{
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) e->query->havingQual))
	{
		if (gs_subquery_row_may_raise(without_others(lfirst(cell),
													 unconstify(eager *, e))))
			return false;
	}
	return true;
}

/* ----------
 * The query
 * ----------
 */

/* From PostgreSQL 18 on, HAVING and the targets refer to what GROUP BY has. */
static void
drop_group_entry(Query *query)
{
#if PG_VERSION_NUM >= 180000
	ListCell   *cell;

	if (!query->hasGroupRTE)
		return;
	query->targetList = (List *)
		flatten_group_exprs(NULL, query, (Node *) query->targetList);
	query->havingQual = flatten_group_exprs(NULL, query, query->havingQual);
	query->hasGroupRTE = false;
	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_GROUP)
		{
			rte->rtekind = RTE_RESULT;
			rte->groupexprs = NIL;
		}
	}
#else
	(void) query;
#endif
}

/* Columns of joins may be of many; and what is left that uses many's rows itself? */
static bool
uses_many(const eager *e)
{
	Relids		relations = bms_make_singleton(e->many);
	ListCell   *cell;

	foreach(cell, e->query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_JOIN)
			relations = bms_add_member(relations,
									   foreach_current_index(cell) + 1);
	}
	return gs_are_used(e->query, relations);
}

static bool
is_sorted_by(const Query *query, Index ref)
{
	ListCell   *cell;

	foreach(cell, query->windowClause)
	{
		const WindowClause *window = lfirst_node(WindowClause, cell);

		if (get_sortgroupref_clause_noerr(ref, window->partitionClause) != NULL ||
			get_sortgroupref_clause_noerr(ref, window->orderClause) != NULL)
			return true;
	}
	return get_sortgroupref_clause_noerr(ref, query->sortClause) != NULL ||
		get_sortgroupref_clause_noerr(ref, query->distinctClause) != NULL;
}

/* Without groups, and what only they need. */
static void
drop_keys(Query *query)
{
	AttrNumber	columns = 0;
	ListCell   *cell;

	query->groupClause = NIL;
	query->hasAggs = false;
	foreach(cell, query->targetList)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, cell);

		if (entry->resjunk && !is_sorted_by(query, entry->ressortgroupref))
			query->targetList = foreach_delete_current(query->targetList, cell);
		else
			entry->resno = ++columns;
	}
}

static bool
examine(eager *e, bool is_statement)
{
	aggregate_search s = {0};

	if (contain_volatile_functions((Node *) e->query) ||
		find_aggregates((Node *) e->query->targetList, &s) ||
		find_aggregates(e->query->havingQual, &s))
		return false;
	e->aggregates = s.found;
	if (!find_many(e) || !are_taken(e) ||
		!examine_keys(e, is_statement))
		return false;
	e->groups = list_length(e->query->rtable) + 1;
	return gs_eager_groups_are_rows(e->query, e->join, e->many) &&
		take_conditions(e);
}

static Oid
table_of(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && rte->relkind == RELKIND_RELATION ?
		rte->relid : InvalidOid;
}

bool
gs_eager_rewrite(Query *query, bool is_statement, bool whole, int number,
				 Oid *many)
{
	eager		e = {.query = query};
	FromExpr   *from = query->jointree;

	drop_group_entry(query);
	if (!examine(&e, is_statement))
		return false;
	*many = table_of(rt_fetch(e.many, query->rtable));
	query->targetList = (List *) replace_aggregates((Node *) query->targetList, &e);
	query->havingQual = replace_aggregates(query->havingQual, &e);
	add_groups(&e, number);
	if (uses_many(&e) || !is_having_harmless(&e) ||
		(!is_statement &&
		 gs_rewriting_may_differ((Node *) query->targetList)))
		return false;
	from->quals = (Node *)
		make_ands_explicit(list_concat(make_ands_implicit((Expr *) from->quals),
									   make_ands_implicit((Expr *) query->havingQual)));
	if (!whole && gs_subquery_row_may_raise((Node *) from))
		return false;
	query->havingQual = NULL;
	drop_keys(query);
	return true;
}
