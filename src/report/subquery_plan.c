/*-------------------------------------------------------------------------
 *
 * subquery_plan.c
 *	  Subqueries that only a report reads: made of what a query has, and planned.
 *
 * Such a subquery becomes a table of the query's range table, as one of FROM is, and
 * may be a report itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/joininfo.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "rewrite/rewriteManip.h"

#include "report/join.h"
#include "report/stages.h"

/* ----------
 * Planning
 * ----------
 */

static PlannerInfo *
plan_any(PlannerInfo *root, Query *query)
{
#if PG_VERSION_NUM >= 190000
	return subquery_planner(root->glob, query,
							choose_plan_name(root->glob, "subquery", false),
							root, NULL, false, 0.0, NULL);
#elif PG_VERSION_NUM >= 170000
	return subquery_planner(root->glob, query, root, false, 0.0, NULL);
#else
	return subquery_planner(root->glob, query, root, false, 0.0);
#endif
}

/*
 * Of these relations, the two that are joined first: those of the fewest rows among those
 * that a condition joins.
 */
static void
choose_pair(PlannerInfo *root, const List *rels, RelOptInfo **one,
			RelOptInfo **other)
{
	double		least = INFINITY;
	bool		joined = false;
	ListCell   *a;
	ListCell   *b;

	foreach(a, rels)
	{
		for_each_cell(b, rels, lnext(rels, a))
		{
			double		rows = ((RelOptInfo *) lfirst(a))->rows *
				((RelOptInfo *) lfirst(b))->rows;
			bool		have = have_relevant_joinclause(root, lfirst(a),
														 lfirst(b));

			if (have < joined || (have == joined && rows >= least))
				continue;
			joined = have;
			least = rows;
			*one = lfirst(a);
			*other = lfirst(b);
		}
	}
}

/*
 * In place of PostgreSQL's search of all orders: one.  All rows are wanted, so that most
 * orders cost about as much, with the smallest tables first.
 */
static RelOptInfo *
join_in_one_order(PlannerInfo *root, int levels_needed, List *rels)
{
	if (root->join_info_list != NIL || root->hasLateralRTEs ||
		root->placeholder_list != NIL)
		return standard_join_search(root, levels_needed, rels);
	rels = list_copy(rels);
	while (list_length(rels) > 1)
	{
		RelOptInfo *a = NULL;
		RelOptInfo *b = NULL;
		RelOptInfo *both;

		choose_pair(root, rels, &a, &b);
		both = make_join_rel(root, a, b);
		generate_partitionwise_join_paths(root, both);
		if (!bms_equal(both->relids, root->all_baserels))
			generate_useful_gather_paths(root, both, false);
		set_cheapest(both);
		rels = lappend(list_delete_ptr(list_delete_ptr(rels, a), b), both);
	}
	return linitial(rels);
}

/*
 * Their rows are wanted in no order, and the query waits for the plan: it takes a
 * third less time without merge joins.
 */
static PlannerInfo *
plan_query(PlannerInfo *root, Query *query)
{
	bool		mergejoin = enable_mergejoin;
	join_search_hook_type search = join_search_hook;
	PlannerInfo *volatile planned = NULL;

	enable_mergejoin = false;
	if (search == NULL)
		join_search_hook = join_in_one_order;
	PG_TRY();
	{
		planned = plan_any(root, query);
	}
	PG_FINALLY();
	{
		enable_mergejoin = mergejoin;
		join_search_hook = search;
	}
	PG_END_TRY();
	return planned;
}

static Alias *
name_columns(const Query *query)
{
	List	   *names = NIL;

	for (int i = 1; i <= list_length(query->targetList); i++)
		names = lappend(names, makeString(psprintf("column%d", i)));
	return makeAlias("subquery", names);
}

RangeTblEntry *
gs_subquery_entry(Query *query)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = query;
	rte->eref = name_columns(query);
	return rte;
}

Var *
gs_subquery_column(const RelOptInfo *rel, int column)
{
	const Node *expression = (const Node *)
		list_nth_node(TargetEntry, rel->subroot->parse->targetList, column - 1)->expr;

	return makeVar(rel->relid, (AttrNumber) column, exprType(expression),
				   exprTypmod(expression), exprCollation(expression), 0);
}

RelOptInfo *
gs_subquery_add(PlannerInfo *root, Query *query)
{
	RangeTblEntry *rte = gs_subquery_entry(query);
	int			relid = list_length(root->parse->rtable) + 1;
	RelOptInfo *rel;
	RelOptInfo *final;

	if (relid != root->simple_rel_array_size || root->plan_params != NIL)
		return NULL;
	root->parse->rtable = lappend(root->parse->rtable, rte);
	expand_planner_arrays(root, 1);
	root->simple_rte_array[relid] = rte;
	rel = build_simple_rel(root, relid, NULL);
	rel->subroot = plan_query(root, query);
	final = fetch_upper_rel(rel->subroot, UPPERREL_FINAL, NULL);
	if (IS_DUMMY_REL(final))
		return NULL;
	set_subquery_size_estimates(root, rel);
	for (int i = 1; i <= list_length(query->targetList); i++)
		add_column_to_pathtarget(rel->reltarget, (Expr *) gs_subquery_column(rel, i), 0);
	add_path(rel, gs_subquery_path(root, rel, final->cheapest_total_path));
	set_cheapest(rel);
	return rel;
}

void
gs_subquery_group_by(Query *query, const List *keys, const List *aggregates)
{
	ListCell   *cell;

	query->targetList = NIL;
	query->groupClause = NIL;
	query->hasAggs = aggregates != NIL;
	query->hasSubLinks = false;
	foreach(cell, keys)
	{
		SortGroupClause *clause = makeNode(SortGroupClause);
		TargetEntry *entry = makeTargetEntry(copyObject(lfirst(cell)),
											 list_length(query->targetList) + 1,
											 NULL, false);

		entry->ressortgroupref = entry->resno;
		clause->tleSortGroupRef = entry->ressortgroupref;
		get_sort_group_operators(exprType((Node *) entry->expr), true, true,
								 false, &clause->sortop, &clause->eqop, NULL,
								 &clause->hashable);
		query->targetList = lappend(query->targetList, entry);
		query->groupClause = lappend(query->groupClause, clause);
	}
	foreach(cell, aggregates)
		query->targetList = lappend(query->targetList,
									makeTargetEntry(copyObject(lfirst(cell)),
													list_length(query->targetList) + 1,
													NULL, false));
}

/* ----------
 * Making
 * ----------
 */

bool
gs_subquery_is_table(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION && rte->tablesample == NULL &&
		rte->securityQuals == NIL;
}

static bool
has_parameter(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
		return true;
	return expression_tree_walker(node, has_parameter, context);
}

bool
gs_subquery_gives(Node *node)
{
	return has_parameter(node, NULL);
}

Query *
gs_subquery_from(const RelOptInfo *rel, RangeTblEntry *rte)
{
	Query	   *query = makeNode(Query);
	RangeTblRef *ref = makeNode(RangeTblRef);
	List	   *quals = NIL;
	ListCell   *cell;

	foreach(cell, rel->baserestrictinfo)
	{
		const RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (info->pseudoconstant || contain_subplans((Node *) info->clause))
			return NULL;
		quals = lappend(quals, copyObject(info->clause));
	}
	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->rtable = list_make1(rte);
	ref->rtindex = 1;
	query->jointree = makeFromExpr(list_make1(ref), quals == NIL ? NULL :
								   (Node *) make_ands_explicit(quals));
	ChangeVarNodes(query->jointree->quals, (int) rel->relid, 1, 0);
	return gs_subquery_gives(query->jointree->quals) ? NULL : query;
}

Query *
gs_subquery_group_table(PlannerInfo *root, const RelOptInfo *rel,
						const List *keys, const List *aggregates)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];
	Query	   *query = NULL;

	if (gs_subquery_is_table(rte))
		query = gs_subquery_from(rel, copyObject(unconstify(RangeTblEntry *, rte)));
	if (query == NULL)
		return NULL;
#if PG_VERSION_NUM >= 160000
	if (rte->perminfoindex != 0)
	{
		query->rteperminfos = list_make1(copyObject(getRTEPermissionInfo(root->parse->rteperminfos,
																		 unconstify(RangeTblEntry *, rte))));
		linitial_node(RangeTblEntry, query->rtable)->perminfoindex = 1;
	}
#endif
	gs_subquery_group_by(query, keys, aggregates);
	ChangeVarNodes((Node *) query->targetList, (int) rel->relid, 1, 0);
	return gs_subquery_gives((Node *) query->targetList) ? NULL : query;
}
