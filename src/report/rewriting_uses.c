/*-------------------------------------------------------------------------
 *
 * rewriting_uses.c
 *	  What the queries around a subquery do with its columns.
 *
 * If the subquery gives rows of more groups, or its LIMIT is a condition around it,
 * these expressions may be evaluated for more rows than before.  That must not
 * raise an error, or give something else.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#if PG_VERSION_NUM >= 180000
#include "access/table.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/rel.h"
#endif

#include "report/join.h"
#include "report/rewriting_uses.h"

/* ----------
 * What an expression refers to
 * ----------
 */

static bool
note_references(Node *node, void *context)
{
	gs_references *r = context;
	bool		stops;
	Index		level = 0;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Query:
			r->depth++;
			stops = query_tree_walker((Query *) node, note_references, r, 0);
			r->depth--;
			return stops;
		case T_Var:
			level = ((const Var *) node)->varlevelsup;
			if (level == r->depth)
				r->own = bms_add_member(r->own,
										(int) ((const Var *) node)->varno);
			if (level == r->depth + 1)
				r->around = bms_add_member(r->around,
										   (int) ((const Var *) node)->varno);
			break;
		case T_Aggref:
			level = ((const Aggref *) node)->agglevelsup;
			break;
		case T_GroupingFunc:
			level = ((const GroupingFunc *) node)->agglevelsup;
			break;
		default:
			break;
	}
	r->outer |= level > r->depth;
	return expression_tree_walker(node, note_references, context);
}

gs_references
gs_references_of(const Node *expression)
{
	gs_references	r = {0};

	note_references(unconstify(Node *, expression), &r);
	return r;
}

/* What there is to know of a query is that of its parts. */
bool
gs_query_refers_outside(Query *query)
{
	gs_references	r = {0};

	query_tree_walker(query, note_references, &r, 0);
	return r.outer;
}

/* Are columns of these relations used, or, with whole, all of a row at once? */
typedef struct uses
{
	Relids		relations;
	bool		whole;
	Index		depth;
} uses;

static bool
is_used(Node *node, void *context)
{
	uses	   *u = context;
	const Var  *var = (const Var *) node;
	bool		used;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return var->varlevelsup == u->depth &&
			(!u->whole || var->varattno == 0) &&
			bms_is_member((int) var->varno, u->relations);
	if (!IsA(node, Query))
		return expression_tree_walker(node, is_used, context);
	u->depth++;
	used = query_tree_walker((Query *) node, is_used, context, 0);
	u->depth--;
	return used;
}

bool
gs_is_used_whole(Query *around, int relation)
{
	uses		u = {.relations = bms_make_singleton(relation),.whole = true};

	return query_tree_walker(around, is_used, &u, 0);
}

bool
gs_are_used(Query *query, Relids relations)
{
	uses		u = {.relations = relations};

	return query_tree_walker(query, is_used, &u, QTW_IGNORE_JOINALIASES);
}

/* By items of FROM, which may be pulled up.  A join's column may be one of it. */
static uses
uses_of(const Query *query, int relation)
{
	uses		u = {.relations = bms_make_singleton(relation)};
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		if (lfirst_node(RangeTblEntry, cell)->rtekind == RTE_JOIN)
			u.relations = bms_add_member(u.relations,
										 foreach_current_index(cell) + 1);
	}
	return u;
}

static bool
is_used_laterally(const Query *query, int relation)
{
	uses		u = uses_of(query, relation);
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->lateral && foreach_current_index(cell) + 1 != relation &&
			range_table_entry_walker(rte, is_used, &u, 0))
			return true;
	}
	return false;
}

/* ----------
 * What may raise an error, or differ
 * ----------
 */

/*
 * Since 18 a column may stand for an expression of others, which the planner puts in
 * its place later.
 */
#if PG_VERSION_NUM >= 180000
static bool
virtual_may_raise(Oid table, AttrNumber column)
{
	Relation	relation = table_open(table, NoLock);
	const TupleDesc columns = RelationGetDescr(relation);
	bool		found = false;

	for (int i = 1; i <= columns->natts && !found; i++)
	{
		if ((i == column || column == 0) &&
			TupleDescAttr(columns, i - 1)->attgenerated == ATTRIBUTE_GENERATED_VIRTUAL)
			found = gs_subquery_row_may_raise(build_generation_expression(relation, i));
	}
	table_close(relation, NoLock);
	return found;
}

/* The queries around a node, the innermost first. */
static bool
uses_virtual(Node *node, void *queries)
{
	const Var  *var = (const Var *) node;
	const RangeTblEntry *rte;
	bool		found;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		List	   *around = lcons(node, list_copy(queries));

		found = query_tree_walker((Query *) node, uses_virtual, around,
								  QTW_IGNORE_JOINALIASES);
		list_free(around);
		return found;
	}
	if (!IsA(node, Var))
		return expression_tree_walker(node, uses_virtual, queries);
	queries = list_copy_tail(queries, (int) var->varlevelsup);
	rte = rt_fetch(var->varno, linitial_node(Query, (List *) queries)->rtable);
	if (rte->rtekind == RTE_JOIN)
		return var->varattno == 0 ?
			uses_virtual((Node *) rte->joinaliasvars, queries) :
			uses_virtual(list_nth(rte->joinaliasvars, var->varattno - 1), queries);
	return rte->rtekind == RTE_RELATION && virtual_may_raise(rte->relid, var->varattno);
}
#endif

bool
gs_uses_virtual_that_may_raise(Query *statement)
{
#if PG_VERSION_NUM >= 180000
	return uses_virtual((Node *) statement, NIL);
#else
	(void) statement;
	return false;
#endif
}

bool
gs_rewriting_may_differ(Node *node)
{
	return gs_subquery_row_may_raise(node) || contain_volatile_functions(node);
}

/* From PostgreSQL 18 on, HAVING and the targets refer to what GROUP BY has. */
static bool
may_groups_differ(const Query *query)
{
#if PG_VERSION_NUM >= 180000
	ListCell   *cell;

	foreach(cell, query->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

		if (rte->rtekind == RTE_GROUP && gs_rewriting_may_differ((Node *) rte->groupexprs))
			return true;
	}
#else
	(void) query;
#endif
	return false;
}

/* Those of other relations alone are evaluated for the same rows. */
static bool
is_harmless_condition(Node *quals, uses *u)
{
	ListCell   *cell;

	foreach(cell, make_ands_implicit((Expr *) quals))
	{
		Node	   *condition = lfirst(cell);

		if (contain_volatile_functions(condition) ||
			(gs_subquery_row_may_raise(condition) && is_used(condition, u)))
			return false;
	}
	return true;
}

static bool
are_harmless_conditions(Node *node, uses *u)
{
	ListCell   *cell;

	if (IsA(node, JoinExpr))
		return are_harmless_conditions(((JoinExpr *) node)->larg, u) &&
			are_harmless_conditions(((JoinExpr *) node)->rarg, u) &&
			is_harmless_condition(((JoinExpr *) node)->quals, u);
	if (!IsA(node, FromExpr))
		return true;
	foreach(cell, ((FromExpr *) node)->fromlist)
	{
		if (!are_harmless_conditions(lfirst(cell), u))
			return false;
	}
	return is_harmless_condition(((FromExpr *) node)->quals, u);
}

/*
 * May the conditions of a query around the subquery be evaluated for more rows?  And
 * what the query gives, which conditions above it may refer to?  What the statement
 * gives is evaluated for rows of its joins alone.
 */
static bool
is_harmless_around(const Query *query, int relation, bool is_statement)
{
	uses		u = uses_of(query, relation);

	switch (query->commandType)
	{
		case CMD_SELECT:
		case CMD_INSERT:
		case CMD_UPDATE:
		case CMD_DELETE:
			return are_harmless_conditions((Node *) query->jointree, &u) &&
				!gs_rewriting_may_differ(query->havingQual) &&
				(query->havingQual == NULL || !may_groups_differ(query)) &&
				(is_statement || !(may_groups_differ(query) ||
								   gs_rewriting_may_differ((Node *) query->targetList)));
		default:
			return false;
	}
}

bool
gs_rewriting_keeps_harmless(const Query *query, int relation, bool is_statement)
{
	return is_harmless_around(query, relation, is_statement) &&
		!is_used_laterally(query, relation);
}
