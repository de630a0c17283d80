/*-------------------------------------------------------------------------
 *
 * join_with.c
 *	  WITH queries of their own plans, as dimensions.
 *
 * Of several scans of a WITH query the first one has its rows, so that a plan which
 * may be begun more than once can have none.  A dimension reads the query by a plan
 * of its own, if that gives the same rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "report/join.h"
#include "report/translate/dimension.h"

/* Which of equal rows does a set operation give?  They look the same, of these types. */
static bool
may_choose(const SetOperationStmt *operation)
{
	ListCell   *type;
	ListCell   *collation;

	if (!IsA(operation, SetOperationStmt))
		return false;
	forboth(type, operation->colTypes, collation, operation->colCollations)
	{
		if (!operation->all &&
			(!OidIsValid(gs_dimension_key_type(lfirst_oid(type))) ||
			 lfirst_oid(type) == BPCHAROID ||
			 (OidIsValid(lfirst_oid(collation)) &&
			  !get_collation_isdeterministic(lfirst_oid(collation)))))
			return true;
	}
	return may_choose((const SetOperationStmt *) operation->larg) ||
		may_choose((const SetOperationStmt *) operation->rarg);
}

/* May two executions give different rows, or does another table decide on them? */
static bool
may_differ(Node *node, void *context)
{
	const Query *query = (const Query *) node;
	const RangeTblEntry *rte = (const RangeTblEntry *) node;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Query:
			return query->commandType != CMD_SELECT || query->cteList != NIL ||
				query->limitCount != NULL || query->limitOffset != NULL ||
				query->hasDistinctOn || query->hasWindowFuncs ||
				query->rowMarks != NIL ||
				(query->setOperations != NULL &&
				 may_choose((const SetOperationStmt *) query->setOperations)) ||
				query_tree_walker(unconstify(Query *, query), may_differ,
								  context, QTW_EXAMINE_RTES_BEFORE);
		case T_RangeTblEntry:
			return (rte->rtekind == RTE_CTE && !rte->self_reference) ||
				rte->tablesample != NULL;
		case T_SetOperationStmt:
			return false;
		case T_Aggref:
			return !gs_subquery_is_taken((const Aggref *) node) ||
				expression_tree_walker(node, may_differ, context);
		default:
			return expression_tree_walker(node, may_differ, context);
	}
}

bool
gs_with_may_differ(Query *with)
{
	return may_differ((Node *) with, NULL) ||
		contain_volatile_functions((Node *) with);
}

static bool
has_outer_columns(const PlannerInfo *root, Query *query)
{
	for (int level = 1; level <= (int) root->query_level; level++)
	{
		if (contain_vars_of_level((Node *) query, level))
			return true;
	}
	return false;
}

/* SELECT column FROM the first table of a query, for each of those. */
static void
select_columns(Query *query, const List *columns)
{
	ListCell   *cell;

	foreach(cell, columns)
	{
		const TargetEntry *entry = lfirst_node(TargetEntry, cell);
		const Node *expression = (const Node *) entry->expr;

		if (entry->resjunk)
			continue;
		query->targetList = lappend(query->targetList,
									makeTargetEntry((Expr *)
													makeVar(1, entry->resno,
															exprType(expression),
															exprTypmod(expression),
															exprCollation(expression), 0),
													entry->resno,
													pstrdup(entry->resname), false));
	}
}

/* WITH RECURSIVE of its own: it refers to itself. */
static Query *
select_from(const CommonTableExpr *with)
{
	Query	   *query = makeNode(Query);
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblRef *ref = makeNode(RangeTblRef);
	CommonTableExpr *own = copyObject(unconstify(CommonTableExpr *, with));

	own->cterefcount = 1;
	rte->rtekind = RTE_CTE;
	rte->ctename = pstrdup(with->ctename);
	rte->coltypes = copyObject(with->ctecoltypes);
	rte->coltypmods = copyObject(with->ctecoltypmods);
	rte->colcollations = copyObject(with->ctecolcollations);
	rte->eref = makeAlias(with->ctename, copyObject(with->ctecolnames));
	rte->inFromCl = true;
	ref->rtindex = 1;
	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->hasRecursive = true;
	query->cteList = list_make1(own);
	query->rtable = list_make1(rte);
	query->jointree = makeFromExpr(list_make1(ref), NULL);
	select_columns(query, castNode(Query, own->ctequery)->targetList);
	return query;
}

Query *
gs_subquery_with(const PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];
	ListCell   *cell;

	if (rte->rtekind != RTE_CTE || rte->self_reference)
		return NULL;
	for (Index level = 0; level < rte->ctelevelsup; level++)
		root = root->parent_root;
	foreach(cell, root->parse->cteList)
	{
		const CommonTableExpr *with = lfirst_node(CommonTableExpr, cell);
		Query	   *query = castNode(Query, with->ctequery);

		if (strcmp(with->ctename, rte->ctename) == 0)
			return gs_with_may_differ(query) ||
				has_outer_columns(root, query) ? NULL :
				with->cterecursive ? select_from(with) : query;
	}
	return NULL;
}

/* Conditions stay outside of the query. */
RelOptInfo *
gs_subquery_add_with(PlannerInfo *root, const RelOptInfo *rel)
{
	Query	   *with = gs_subquery_with(root, rel);
	Bitmapset  *used = NULL;
	Query	   *query;
	ListCell   *cell;

	/* does something need all of the row? */
	foreach(cell, rel->baserestrictinfo)
		pull_varattnos((Node *) lfirst_node(RestrictInfo, cell)->clause,
					   rel->relid, &used);
	if (with == NULL || rel->attr_needed[0 - rel->min_attr] != NULL ||
		bms_is_member(0 - FirstLowInvalidHeapAttributeNumber, used))
		return NULL;
	with = copyObject(with);
	with->limitOffset = (Node *) makeConst(INT8OID, -1, InvalidOid,
										   sizeof(int64), Int64GetDatum(0),
										   false, FLOAT8PASSBYVAL);
	query = gs_subquery_from(rel, gs_subquery_entry(with));
	if (query == NULL)
		return NULL;
	select_columns(query, with->targetList);
	return gs_subquery_add(root, query);
}
