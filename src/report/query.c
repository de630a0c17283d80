/*-------------------------------------------------------------------------
 *
 * query.c
 *	  Which queries can be made as reports: those that filter, group and
 *	  aggregate one table, or the partitions of one, by what an engine's plan
 *	  can say.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/table.h"
#include "access/tableam.h"
#include "catalog/catalog.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/rel.h"
#include "utils/typcache.h"

#include "report/aggregates.h"
#include "report/query.h"
#include "report/translate.h"

/* What makes up an expression; nothing of it is an error. */
#define PARTS	(PVC_INCLUDE_AGGREGATES | PVC_INCLUDE_WINDOWFUNCS | \
				 PVC_INCLUDE_PLACEHOLDERS)

static bool
refuse(gs_report_query *q, const char *reason)
{
	q->reason = reason;
	return false;
}

/*
 * The visibility map can be trusted for tables whose changes are logged.
 * (A table of another kind, or on another server, has none.)
 */
static const char *
examine_table(Oid oid)
{
	/* the parser has locked it, or whoever expanded its parent */
	Relation	relation = table_open(oid, NoLock);
	const char *reason = NULL;

	if (relation->rd_rel->relkind != RELKIND_RELATION ||
		relation->rd_tableam != GetHeapamTableAmRoutine())
		reason = "it is not over a heap";
	else if (relation->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
		reason = "the table is temporary or unlogged";
	else if (IsCatalogRelation(relation))
		reason = "the table is a system catalog";
	table_close(relation, NoLock);
	return reason;
}

/* Partitions that were pruned are dummies, or absent. */
static bool
add_tables(gs_report_query *q, RelOptInfo *rel)
{
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, q->root);

	if (rte->relkind == RELKIND_PARTITIONED_TABLE)
	{
		for (int i = 0; i < rel->nparts; i++)
		{
			RelOptInfo *part = rel->part_rels[i];

			if (part != NULL && !IS_DUMMY_REL(part) && !add_tables(q, part))
				return false;
		}
		return true;
	}
	if (rte->inh)
		return refuse(q, "other tables inherit from the table");
	q->reason = examine_table(rte->relid);
	if (q->reason != NULL)
		return false;
	q->tables = lappend(q->tables, rel);
	return true;
}

bool
gs_report_query_tables(gs_report_query *q)
{
	RelOptInfo *input = q->input;
	RangeTblEntry *rte;

	if (q->root->parse->groupingSets != NIL)
		return refuse(q, "it has grouping sets");
	if (input->reloptkind != RELOPT_BASEREL || input->rtekind != RTE_RELATION)
		return refuse(q, "it is not over one table");
	if (IS_DUMMY_REL(input))
		return refuse(q, "there is nothing to read");
	rte = planner_rt_fetch(input->relid, q->root);
	if (rte->tablesample != NULL)
		return refuse(q, "it reads a sample");
	if (q->root->rowMarks != NIL)
		return refuse(q, "it locks rows");

	/* what a filter tells must not depend on when it runs */
	if (q->root->qual_security_level > 0)
		return refuse(q, "it has row-level security or a security barrier");
	if (!add_tables(q, input))
		return false;
	if (q->tables == NIL)
		return refuse(q, "there is nothing to read");
	return true;
}

static bool
is_column(const gs_report_query *q, const Node *node)
{
	const Var  *var = (const Var *) node;

	return IsA(node, Var) && (Index) var->varno == q->input->relid &&
		var->varlevelsup == 0 && var->varattno > 0;
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
static List *
group_clauses(const PlannerInfo *root)
{
#if PG_VERSION_NUM >= 160000
	return list_concat_unique(list_copy(root->processed_groupClause),
							  root->parse->groupClause);
#else
	return root->parse->groupClause;
#endif
}

/* Groups come by ascending keys, NULLs last. */
static bool
find_keys(gs_report_query *q)
{
	PlannerInfo *root = q->root;
	List	   *ascending = NIL;
	bool		all_ascend = true;
	ListCell   *cell;

	foreach(cell, group_clauses(root))
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, cell);
		Node	   *key = get_sortgroupclause_expr(clause,
												   root->processed_tlist);
		TypeCacheEntry *type;

		if (!is_column(q, key))
			return refuse(q, "a key is not a column");
		type = lookup_type_cache(exprType(key),
								 TYPECACHE_EQ_OPR | TYPECACHE_LT_OPR);
		if (type->eq_opr != clause->eqop)
			return refuse(q, "a key is not compared as its type is");
		all_ascend &= type->lt_opr == clause->sortop && !clause->nulls_first;
		if (all_ascend)
			ascending = lappend(ascending, clause);
		add_key(q, key, clause->tleSortGroupRef);
	}
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
 * keys or depend on them.  With the latter as keys, too, the groups are the
 * same.
 */
static bool
find_parts(gs_report_query *q, Node *expression)
{
	ListCell   *cell;

	foreach(cell, pull_var_clause(expression, PARTS))
	{
		Node	   *part = lfirst(cell);

		if (IsA(part, Aggref))
			q->aggregates = list_append_unique(q->aggregates, part);
		else if (is_column(q, part))
			add_key(q, part, 0);
		else
			return refuse(q, "it uses more than columns and aggregates");
	}
	return true;
}

static bool
find_filter(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->input->baserestrictinfo)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (info->pseudoconstant)
			return refuse(q, "a condition is the same for all rows");
		q->filter = lappend(q->filter, info->clause);
	}
	q->filter = gs_order_quals(q->root, q->filter);
	foreach(cell, pull_var_clause((Node *) q->filter, PARTS))
	{
		if (!is_column(q, lfirst(cell)))
			return refuse(q, "a condition is not over columns");
	}
	return true;
}

/* What is computed of rows. */
static bool
examine_rows(gs_report_query *q, Node *expression)
{
	if (contain_volatile_functions(expression))
		return refuse(q, "it uses volatile functions");
	if (contain_subplans(expression))
		return refuse(q, "it uses a subquery for each row");
	return true;
}

/* Can the service compute all of it? */
static bool
can_translate(gs_report_query *q)
{
	gs_translation t;
	gs_report_aggregate aggregate;
	gs_operand	filter;
	ListCell   *cell;
	bool		ok;

	gs_translation_init(&t, NIL, NULL);
	ok = gs_translate_filter(&t, q->filter, &filter);
	foreach(cell, q->keys)
	{
		ok = ok && gs_translate_key(&t, lfirst(cell));
	}
	foreach(cell, q->aggregates)
	{
		ok = ok && gs_report_aggregate_add(&t, lfirst(cell),
										   gs_reports_setting, &aggregate);
	}
	if (!ok)
		q->reason = t.reason != NULL ? t.reason : "it is too long";
	return ok;
}

bool
gs_report_query_expressions(gs_report_query *q)
{
	MemoryContext old;
	MemoryContext temporary;
	bool		ok;

	if (!find_keys(q) || !find_parts(q, (Node *) q->target->exprs) ||
		!find_parts(q, (Node *) q->having) || !find_filter(q))
		return false;
	if (list_length(q->keys) > GS_PLAN_KEYS)
		return refuse(q, "it has too many keys");
	if (gs_reports_setting == GS_REPORTS_GPUSCAN &&
		!gs_report_query_is_gpuscan(q))
		return refuse(q, "it has no aggregate of gpuscan's");
	if (contain_subplans((Node *) q->having))
		return refuse(q, "HAVING has a subquery");
	if (!examine_rows(q, (Node *) q->filter) ||
		!examine_rows(q, (Node *) q->aggregates))
		return false;

	/* a translation has room for the longest plan, but is short-lived */
	temporary = AllocSetContextCreate(CurrentMemoryContext,
									  "gpuscan translation",
									  ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(temporary);
	ok = can_translate(q);
	MemoryContextSwitchTo(old);
	if (!ok)
		q->reason = pstrdup(q->reason);
	MemoryContextDelete(temporary);
	return ok;
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
		if (IsA(lfirst(cell), Aggref) && gs_report_is_gpuscan(lfirst(cell)))
			return true;
	}
	return false;
}
