/*-------------------------------------------------------------------------
 *
 * join_tables.c
 *	  What decides the rows of a dimension's relations: tables, conditions, more.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"

#include "report/join.h"
#include "report/translate/lookup.h"

/* The next table or the like among them; since 16 outer joins have numbers, too. */
int
gs_join_next_table(const PlannerInfo *root, Relids relids, int i)
{
	do
	{
		i = bms_next_member(relids, i);
	} while (i >= 0 && root->simple_rel_array[i] == NULL);
	return i;
}

/* Is it evaluated where these relations are joined, without others? */
static bool
is_evaluated_within(const PlannerInfo *root, Relids of, Relids relids)
{
	return bms_is_subset(bms_intersect(of, root->all_baserels), relids);
}

/* Are there conditions that do not always hold for the same rows? */
static bool
has_varying_conditions(const PlannerInfo *root, const RelOptInfo *rel,
					   Relids relids)
{
	List	   *all = list_concat_copy(rel->baserestrictinfo, rel->joininfo);
	ListCell   *cell;

	foreach(cell, all)
	{
		const RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (is_evaluated_within(root, info->clause_relids, relids) &&
			gs_varies((Node *) info->clause))
			return true;
	}
	return false;
}

/* Whoever has made an operator class may replace what its operators call. */
static bool
has_others_operators(const EquivalenceClass *class)
{
	ListCell   *cell;

	foreach(cell, class->ec_opfamilies)
	{
		if (lfirst_oid(cell) >= FirstGenbkiObjectId)
			return true;
	}
	return false;
}

/* Equalities are in classes: two members, or one and a constant, are a condition. */
static bool
has_varying_members(const PlannerInfo *root, Relids relids)
{
	ListCell   *cell;
	ListCell   *lc;

	foreach(cell, root->eq_classes)
	{
		const EquivalenceClass *class = lfirst(cell);
		int			within = class->ec_has_const;
		bool		varies = has_others_operators(class);

		foreach(lc, class->ec_members)
		{
			const EquivalenceMember *member = lfirst(lc);

			if (!bms_overlap(member->em_relids, relids) ||
				!is_evaluated_within(root, member->em_relids, relids))
				continue;
			within++;
			varies |= gs_varies((Node *) member->em_expr);
		}
		if (within > 1 && varies)
			return true;
	}
	return false;
}

/* False: more than tables decides what the relations give. */
static bool add_tables(const PlannerInfo *root, Relids relids, List **tables);

/* All that the planner has of a subquery. */
static Relids
all_relations(const PlannerInfo *root)
{
	Relids		all = NULL;

	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		if (root->simple_rel_array[i] != NULL)
			all = bms_add_member(all, i);
	}
	return all;
}

/* A subquery of FROM, as the planner has left it. */
static bool
add_subquery_tables(const PlannerInfo *root, List **tables)
{
	const Query *query = root->parse;

	if (query->setOperations != NULL || query->hasTargetSRFs ||
		gs_varies((Node *) query->targetList) ||
		gs_varies((Node *) query->jointree) || gs_varies(query->havingQual) ||
		gs_varies((Node *) query->groupClause) ||
		gs_varies((Node *) query->distinctClause) ||
		gs_varies((Node *) query->sortClause) ||
		gs_varies(query->limitOffset) || gs_varies(query->limitCount))
		return false;
	return add_tables(root, all_relations(root), tables);
}

static bool
add_tables(const PlannerInfo *root, Relids relids, List **tables)
{
	int			i = -1;

	if (has_varying_members(root, relids))
		return false;
	while ((i = gs_join_next_table(root, relids, i)) >= 0)
	{
		const RangeTblEntry *rte = root->simple_rte_array[i];
		const RelOptInfo *rel = root->simple_rel_array[i];

		/* rows that a policy shows are not kept for others, whoever these may be */
		if (rte->inh || rte->tablesample != NULL ||
			rte->securityQuals != NIL || has_varying_conditions(root, rel, relids))
			return false;
		if (rte->rtekind == RTE_RELATION)
			*tables = lappend_oid(*tables, rte->relid);
		else if (rte->rtekind != RTE_SUBQUERY || rel->subroot == NULL ||
				 !add_subquery_tables(rel->subroot, tables))
			return false;
	}
	return true;
}

List *
gs_join_tables(const PlannerInfo *root, Relids relids, const List *keys)
{
	List	   *tables = NIL;

	return !gs_varies((Node *) keys) && add_tables(root, relids, &tables) ?
		tables : NIL;
}

/* Of a WITH query that has been planned by itself; NULL: it is another one. */
static const PlannerInfo *
root_of_with(const PlannerInfo *root, const RangeTblEntry *rte)
{
	ListCell   *cell;

	if (rte->rtekind != RTE_CTE || rte->self_reference || rte->ctelevelsup > 0)
		return NULL;
	foreach(cell, root->parse->cteList)
	{
		int			i = foreach_current_index(cell);

		if (strcmp(lfirst_node(CommonTableExpr, cell)->ctename, rte->ctename) == 0 &&
			i < list_length(root->cte_plan_ids) &&
			list_nth_int(root->cte_plan_ids, i) > 0)
			return list_nth(root->glob->subroots,
							list_nth_int(root->cte_plan_ids, i) - 1);
	}
	return NULL;
}

List *
gs_join_tables_read(const PlannerInfo *root, Relids relids)
{
	List	   *tables = NIL;
	Relids		all = bms_copy(relids);
	int			i = -1;
	ListCell   *cell;

	/* parents come before their children */
	foreach(cell, root->append_rel_list)
	{
		const AppendRelInfo *child = lfirst_node(AppendRelInfo, cell);

		if (bms_is_member(child->parent_relid, all))
			all = bms_add_member(all, child->child_relid);
	}
	while ((i = gs_join_next_table(root, all, i)) >= 0)
	{
		const RangeTblEntry *rte = root->simple_rte_array[i];
		const PlannerInfo *subquery = root->simple_rel_array[i]->subroot;

		if (subquery == NULL)
			subquery = root_of_with(root, rte);
		if (rte->rtekind == RTE_RELATION)
			tables = list_append_unique_oid(tables, rte->relid);
		else if (subquery != NULL)
			tables = list_concat_unique_oid(tables,
											gs_join_tables_read(subquery,
																all_relations(subquery)));
	}
	return tables;
}

/* What is read of a relation, and which rows of it. */
static List *
identity_of(PlannerInfo *root, int relid)
{
	const RangeTblEntry *rte = root->simple_rte_array[relid];
	const RelOptInfo *rel = root->simple_rel_array[relid];
	List	   *parts = list_make1(list_make1_oid(rte->relid));
	ListCell   *cell;

	if (rte->rtekind == RTE_CTE)
		parts = lappend(parts, gs_subquery_with(root, rel));
	parts = list_concat(parts, rte->values_lists);
	parts = list_concat(parts, rte->functions);
	parts = lappend(parts, rte->subquery);
	foreach(cell, rel->baserestrictinfo)
		parts = lappend(parts, lfirst_node(RestrictInfo, cell)->clause);
	foreach(cell, rel->joininfo)
		parts = lappend(parts, lfirst_node(RestrictInfo, cell)->clause);
	return parts;
}

List *
gs_join_identity(PlannerInfo *root, Relids relids)
{
	List	   *parts = NIL;
	int			i = -1;

	while ((i = gs_join_next_table(root, relids, i)) >= 0)
		parts = list_concat(parts, identity_of(root, i));
	return parts;
}
