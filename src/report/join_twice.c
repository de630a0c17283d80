/*-------------------------------------------------------------------------
 *
 * join_twice.c
 *	  Dimensions' plans, which a query's plan has twice: below its ordinary plan,
 *	  and as a child of the report.
 *
 * Paths may become plans twice.  But the planner gives the tables of a subquery
 * their final numbers when it is done with the subquery's plan, and changes what it
 * has noted of inheritance in place.  What it notes of min and max from an index
 * would break another plan, one that computes them from rows; and it asserts that keys
 * of grouping sets are noted once.  So a subquery over partitions, or with such paths,
 * becomes a second table of the query, with the same paths, and with notes of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"
#include "rewrite/rewriteManip.h"

#include "report/join.h"
#include "report/stages.h"

/* ----------
 * What can be read apart
 * ----------
 */

static bool is_readable(const PlannerInfo *root, int relid, bool by_copies);

/* May the subquery have min and max from an index, or grouping sets? */
static bool
has_noting_path(const PlannerInfo *root)
{
	ListCell   *rel;
	ListCell   *cell;

	if (root->parse->groupingSets != NIL)
		return true;
	foreach(rel, root->upper_rels[UPPERREL_GROUP_AGG])
	{
		foreach(cell, lfirst_node(RelOptInfo, rel)->pathlist)
		{
			if (IsA(lfirst(cell), MinMaxAggPath))
				return true;
		}
	}
	return false;
}

/*
 * by_copies: of what is noted of its tables.  Of min and max, and of grouping sets, that
 * is noted where the paths of a subquery's own subqueries say, which are not copied.
 */
static bool
can_be_planned_twice(const PlannerInfo *root, bool by_copies)
{
	if (root->rowMarks != NIL || (!by_copies && (root->append_rel_list != NIL ||
												 has_noting_path(root))))
		return false;
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		const RelOptInfo *rel = root->simple_rel_array[i];

		if (rel != NULL && IS_SIMPLE_REL(rel) &&
			(!is_readable(root, i, by_copies) ||
			 (rel->subroot != NULL && has_noting_path(rel->subroot))))
			return false;
	}
	return true;
}

static bool
is_readable(const PlannerInfo *root, int relid, bool by_copies)
{
	const RangeTblEntry *rte = root->simple_rte_array[relid];
	const PlannerInfo *subquery = root->simple_rel_array[relid]->subroot;

	switch (rte->rtekind)
	{
		case RTE_RELATION:
		case RTE_VALUES:
		case RTE_FUNCTION:
		case RTE_RESULT:
			return true;
		case RTE_SUBQUERY:
			/* UNION ALL may be tables or the like that others inherit from */
			return rte->inh ||
				(subquery != NULL && can_be_planned_twice(subquery, by_copies));
		default:
			return false;
	}
}

/* These, and all that inherit from them. */
static Relids
with_children(const PlannerInfo *root, Relids relids)
{
	Relids		all = bms_copy(relids);
	ListCell   *cell;

	/* parents come before their children */
	foreach(cell, root->append_rel_list)
	{
		const AppendRelInfo *child = lfirst_node(AppendRelInfo, cell);

		if (bms_is_member(child->parent_relid, all))
			all = bms_add_member(all, child->child_relid);
	}
	return all;
}

bool
gs_join_can_be_read_apart(const PlannerInfo *root, Relids relids)
{
	Relids		all = with_children(root, relids);
	int			i = -1;

	while ((i = gs_join_next_table(root, all, i)) >= 0)
	{
		if (!is_readable(root, i, false))
			return false;
	}
	return true;
}

bool
gs_join_can_be_copied(const PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	/* whole rows are not columns of it */
	return rte->rtekind == RTE_SUBQUERY && !rte->inh &&
		rel->attr_needed[0 - rel->min_attr] == NULL &&
		is_readable(root, (int) rel->relid, true);
}

/* ----------
 * Copies
 * ----------
 */

/* The conditions of a relation as those of another one. */
static List *
renumber_conditions(const List *conditions, Index from, Index to)
{
	List	   *result = NIL;
	ListCell   *cell;

	foreach(cell, conditions)
	{
		RestrictInfo *info = makeNode(RestrictInfo);

		*info = *lfirst_node(RestrictInfo, cell);
		info->clause = copyObject(info->clause);
		ChangeVarNodes((Node *) info->clause, (int) from, (int) to, 0);
		info->orclause = NULL;
		result = lappend(result, info);
	}
	return result;
}

/* With notes of its own, and so all subqueries that it has. */
static PlannerInfo *
copy_notes(const PlannerInfo *root)
{
	PlannerInfo *copy = makeNode(PlannerInfo);
	size_t		size = root->simple_rel_array_size * sizeof(RelOptInfo *);

	*copy = *root;
	copy->append_rel_list = copyObject(root->append_rel_list);
#if PG_VERSION_NUM >= 180000
	copy->partPruneInfos = list_copy(root->partPruneInfos);
#endif
	copy->simple_rel_array = palloc(size);
	memcpy(copy->simple_rel_array, root->simple_rel_array, size);
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];

		if (rel == NULL || rel->subroot == NULL)
			continue;
		copy->simple_rel_array[i] = makeNode(RelOptInfo);
		*copy->simple_rel_array[i] = *rel;
		copy->simple_rel_array[i]->subroot = copy_notes(rel->subroot);
	}
	return copy;
}

RelOptInfo *
gs_join_copy(PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *of = root->simple_rte_array[rel->relid];
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	int			relid = list_length(root->parse->rtable) + 1;
	RelOptInfo *final = fetch_upper_rel(rel->subroot, UPPERREL_FINAL, NULL);
	RelOptInfo *copy;
	ListCell   *cell;

	if (relid != root->simple_rel_array_size || root->plan_params != NIL ||
		IS_DUMMY_REL(final))
		return NULL;
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = of->subquery;
	rte->security_barrier = of->security_barrier;
	rte->alias = of->alias;
	rte->eref = of->eref;
	root->parse->rtable = lappend(root->parse->rtable, rte);
	expand_planner_arrays(root, 1);
	root->simple_rte_array[relid] = rte;
	copy = build_simple_rel(root, relid, NULL);

	/* these are noted before gs_join_separate */
	copy->subroot = has_noting_path(rel->subroot) ?
		copy_notes(rel->subroot) : rel->subroot;
	copy->baserestrictinfo = renumber_conditions(rel->baserestrictinfo,
												 rel->relid, (Index) relid);
	copy->baserestrictcost = rel->baserestrictcost;
	copy->baserestrict_min_security = rel->baserestrict_min_security;
	copy->tuples = rel->tuples;
	copy->rows = rel->rows;
	foreach(cell, rel->subroot->parse->targetList)
	{
		if (!lfirst_node(TargetEntry, cell)->resjunk)
			add_column_to_pathtarget(copy->reltarget, (Expr *)
									 gs_subquery_column(copy,
														foreach_current_index(cell) + 1),
									 0);
	}
	copy->reltarget->width = rel->reltarget->width;
	add_path(copy, gs_subquery_path(root, copy, final->cheapest_total_path));
	set_cheapest(copy);
	return copy;
}

void
gs_join_separate(PlannerInfo *root)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];

		for (int k = 1; k < i && rel != NULL && rel->subroot != NULL; k++)
		{
			const RelOptInfo *before = root->simple_rel_array[k];

			if (before == NULL || before->subroot != rel->subroot)
				continue;
			rel->subroot = copy_notes(rel->subroot);
			break;
		}
	}
}
