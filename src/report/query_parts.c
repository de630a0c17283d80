/*-------------------------------------------------------------------------
 *
 * query_parts.c
 *	  What a query's groups consist of: keys, grouping sets, aggregates, and what
 *	  is computed of these.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "utils/typcache.h"

#include "report/aggregate/aggregate_kinds.h"
#include "report/join.h"
#include "report/query.h"
#include "report/translate/translate.h"

/* What makes up an expression; nothing of it is an error. */
#define PARTS	(PVC_INCLUDE_AGGREGATES | PVC_INCLUDE_WINDOWFUNCS | \
				 PVC_INCLUDE_PLACEHOLDERS)

/* Each set may be a report. */
#define GROUPING_SETS_MAX	32

static bool
is_column(const gs_report_query *q, const Node *node)
{
	const Var  *var = (const Var *) node;

	return IsA(node, Var) && var->varlevelsup == 0 && var->varattno > 0 &&
		((Index) var->varno == q->fact->relid ||
		 gs_report_is_dimension(q, var->varno));
}

bool
gs_query_is_of_columns(gs_report_query *q, Node *node, const char *reason)
{
	ListCell   *cell;

	foreach(cell, pull_var_clause(node, PARTS))
	{
		const Var  *var = lfirst(cell);

		if (!is_column(q, (const Node *) var))
			return gs_refuse(q, IsA(var, Var) && var->varattno <= 0 ?
							 "it needs system columns or whole rows" : reason);
	}
	return true;
}

/* Where is it in the list of integers?  -1: nowhere. */
static int
place_of(const List *list, int value)
{
	int			place = 0;
	ListCell   *cell;

	foreach(cell, list)
	{
		if (lfirst_int(cell) == value)
			return place;
		place++;
	}
	return -1;
}

static void
add_key(gs_report_query *q, Node *expression, Index ref)
{
	if (list_member(q->keys, expression))
		return;
	q->keys = lappend(q->keys, expression);
	q->key_refs = lappend_int(q->key_refs, (int) ref);
}

/*
 * The planner may have put keys into the order of ORDER BY.  Since 16 it leaves
 * constant ones out; but with these, too, no rows give no groups.
 */
List *
gs_report_query_clauses(const gs_report_query *q)
{
	const PlannerInfo *root = q->root;
	List	   *clauses = q->distinct ? root->parse->distinctClause :
		root->parse->groupClause;

#if PG_VERSION_NUM >= 160000
	return list_concat_unique(list_copy(q->distinct ?
										root->processed_distinctClause :
										root->processed_groupClause), clauses);
#else
	return clauses;
#endif
}

/* Since 16 not those that are constant, or equal to others. */
List *
gs_report_query_grouped_by(const gs_report_query *q)
{
#if PG_VERSION_NUM >= 160000
	if (!q->distinct)
		return q->root->processed_groupClause;
#endif
	return gs_report_query_clauses(q);
}

bool
gs_report_is_in_order(const Node *key)
{
	gs_report_column column;
	gs_type		type;

	return gs_column_form_of(exprType(key), exprTypmod(key),
							 exprCollation(key), &column, &type) &&
		column.form != GS_FORM_CODE;
}

/* The planner has made a list of references of each set. */
static bool
find_sets(gs_report_query *q)
{
	ListCell   *cell;
	ListCell   *ref;

	if (list_length(q->root->parse->groupingSets) > GROUPING_SETS_MAX)
		return gs_refuse(q, "it has too many grouping sets");
	foreach(cell, q->root->parse->groupingSets)
	{
		List	   *places = NIL;

		foreach(ref, (List *) lfirst(cell))
		{
			int			place = place_of(q->key_refs, lfirst_int(ref));

			if (place < 0)
				return gs_refuse(q, "two of its keys are the same");
			places = lappend_int(places, place);
		}
		q->sets = lappend(q->sets, places);
	}
	return true;
}

/* As the executor has it: a bit for each argument, 1: the set lacks it. */
static bool
find_grouping_values(gs_report_query *q)
{
	ListCell   *set;
	ListCell   *cell;
	ListCell   *ref;

	foreach(set, q->sets)
	{
		List	   *values = NIL;

		foreach(cell, q->groupings)
		{
			int			value = 0;

			foreach(ref, lfirst_node(GroupingFunc, cell)->refs)
			{
				int			place = place_of(q->key_refs, lfirst_int(ref));

				if (place < 0)
					return gs_refuse(q, "two of its keys are the same");
				value = value << 1 |
					!list_member_int((List *) lfirst(set), place);
			}
			values = lappend_int(values, value);
		}
		q->grouping_values = lappend(q->grouping_values, values);
	}
	return true;
}

/* Groups come by ascending keys, NULLs last. */
static bool
find_keys(gs_report_query *q)
{
	PlannerInfo *root = q->root;
	List	   *ascending = NIL;
	bool		all_ascend = true;
	ListCell   *cell;

	foreach(cell, gs_report_query_clauses(q))
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		Node	   *key = get_sortgroupclause_expr(clause,
												   root->processed_tlist);
		TypeCacheEntry *type;

		if (IsA(key, Const))
		{
			/* a constant does not tell groups apart */
			if (root->parse->groupingSets != NIL)
				return gs_refuse(q, "a grouping set has a constant");
			continue;
		}
		if (!gs_query_is_of_columns(q, key, "a key is not computed from columns"))
			return false;
		type = lookup_type_cache(exprType(key),
								 TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR);
		if (type->eq_opr != clause->eqop)
			return gs_refuse(q, "a key is not compared by the default equality of its type");
		all_ascend &= type->lt_opr == clause->sortop &&
			!clause->nulls_first && gs_report_is_in_order(key);
		if (all_ascend)
			ascending = lappend(ascending, clause);
		add_key(q, key, clause->tleSortGroupRef);
	}
	if (q->keys == NIL && gs_report_query_clauses(q) != NIL)
		return gs_refuse(q, "all keys are constants");
	if (root->parse->groupingSets != NIL)
		return find_sets(q);
	if (root->sort_pathkeys == NIL || ascending == NIL)
		return true;
	q->pathkeys = make_pathkeys_for_sortclauses(root, ascending,
												root->processed_tlist);
	if (!pathkeys_contained_in(root->sort_pathkeys, q->pathkeys))
		q->pathkeys = NIL;
	return true;
}

/*
 * Of what is computed for groups: its aggregates, and its columns, which are
 * part of a key or depend on keys.  With the latter as keys, too, the groups
 * are the same.
 */
static bool
find_parts(Node *node, void *query)
{
	gs_report_query *q = query;
	const Aggref *aggregate = (const Aggref *) node;

	if (node == NULL || list_member(q->keys, node))
		return false;
	switch (nodeTag(node))
	{
		case T_Aggref:

			/* an antijoin's own columns, which are NULL, are none */
			if (!gs_query_is_of_columns(q, (Node *) list_make3(aggregate->aggdirectargs,
													  aggregate->args,
													  aggregate->aggfilter),
							   "an aggregate is not computed from columns"))
				return true;
			q->aggregates = list_append_unique(q->aggregates, node);
			return false;
		case T_Var:
			if (!is_column(q, node) || q->sets != NIL)
				return !gs_refuse(q, "it uses something other than columns and aggregates");
			add_key(q, node, 0);
			return false;
		case T_GroupingFunc:
			if (q->sets == NIL)
				return !gs_refuse(q, "it uses GROUPING without grouping sets");
			q->groupings = list_append_unique(q->groupings, node);
			return false;
		case T_WindowFunc:
		case T_PlaceHolderVar:
			return !gs_refuse(q, "it uses something other than columns and aggregates");
		default:
			return expression_tree_walker(node, find_parts, query);
	}
}

bool
gs_query_find_parts(gs_report_query *q)
{
	return find_keys(q) && !find_parts((Node *) q->target->exprs, q) &&
		!find_parts((Node *) q->having, q) && find_grouping_values(q);
}

bool
gs_report_query_is_gpuscan(const gs_report_query *q)
{
	List	   *parts = list_concat(pull_var_clause((Node *) q->target->exprs,
													PARTS),
									pull_var_clause((Node *) q->having, PARTS));
	ListCell   *cell;

	foreach(cell, parts)
	{
		const Node *part = lfirst(cell);

		if (IsA(part, WindowFunc) ?
			gs_known_aggregate(((const WindowFunc *) part)->winfnoid).gpuscan :
			IsA(part, Aggref) && gs_report_is_gpuscan((const Aggref *) part))
			return true;
	}
	return false;
}
