/*-------------------------------------------------------------------------
 *
 * partial.c
 *	  Reports over some of a table's partitions: those that are heap tables.
 *	  The others, such as foreign tables, are aggregated in the ordinary way.
 *
 *	Finalize HashAggregate
 *	  -> Append
 *		   -> Custom Scan (GpuscanReport): the heap tables' groups
 *		   -> Partial HashAggregate
 *				-> Append: the other partitions' rows
 *
 * Both give an aggregate's transition state for each group.  PostgreSQL has such
 * plans too (enable_partitionwise_aggregate), but calls no hook where it makes
 * the parts of them.
 *
 * Where enable_partitionwise_aggregate is on and each group lies in one partition,
 * PostgreSQL has aggregated the other partitions already, or let their servers
 * do so.  Then the report is of the heap tables' whole groups.
 *
 * Which of several equal values is taken, the -0 or the 0, depends on the order
 * of the partitions, which is another one here: so there are only keys of which
 * the equal ones are the same.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planner.h"
#include "optimizer/prep.h"
#include "optimizer/tlist.h"

#include "report/aggregate/aggregate_kinds.h"
#include "report/costs.h"
#include "report/make_path.h"
#include "report/partial.h"

/* What the final aggregation needs: keys, and states of all aggregates. */
static PathTarget *
partial_target(const gs_report_query *q)
{
	PathTarget *target = create_empty_pathtarget();
	List	   *rest = list_copy(q->having);
	ListCell   *cell;
	int			i = 0;

	foreach(cell, q->target->exprs)
	{
		Index		ref = get_pathtarget_sortgroupref(q->target, i);

		if (ref != 0 &&
			get_sortgroupref_clause_noerr(ref, q->root->parse->groupClause) != NULL)
			add_column_to_pathtarget(target, lfirst(cell), ref);
		else
			rest = lappend(rest, lfirst(cell));
		i++;
	}
	add_new_columns_to_pathtarget(target,
								  pull_var_clause((Node *) rest,
												  PVC_INCLUDE_AGGREGATES |
												  PVC_RECURSE_WINDOWFUNCS |
												  PVC_INCLUDE_PLACEHOLDERS));
	foreach(cell, target->exprs)
	{
		Aggref	   *state;

		if (!IsA(lfirst(cell), Aggref))
			continue;
		state = makeNode(Aggref);
		*state = *lfirst_node(Aggref, cell);
		mark_partial_aggref(state, AGGSPLIT_INITIAL_SERIAL);
		lfirst(cell) = state;
	}
	return set_pathtarget_cost_width(q->root, target);
}

static Path *
append(const gs_report_query *q, RelOptInfo *parent, List *paths)
{
#if PG_VERSION_NUM >= 190000
	AppendPathInput input = {.subpaths = paths};

	return (Path *) create_append_path(q->root, parent, input, NIL, NULL, 0,
									   false, -1);
#elif PG_VERSION_NUM >= 140000
	return (Path *) create_append_path(q->root, parent, paths, NIL, NIL, NULL,
									   0, false, -1);
#else
	return (Path *) create_append_path(q->root, parent, paths, NIL, NIL, NULL,
									   0, false, NIL, -1);
#endif
}

static Path *
aggregate(const gs_report_query *q, RelOptInfo *grouped, Path *input,
		  PathTarget *target, List *having, AggSplit split)
{
	List	   *clauses = gs_report_query_grouped_by(q);
	AggStrategy strategy = AGG_HASHED;
	AggClauseCosts costs;

	memset(&costs, 0, sizeof costs);
#if PG_VERSION_NUM >= 140000
	get_agg_clause_costs(q->root, split, &costs);
#else
	get_agg_clause_costs(q->root, (Node *) target->exprs, split, &costs);
#endif
	if (clauses == NIL)			/* no rows give no groups */
		strategy = gs_report_query_clauses(q) != NIL ? AGG_SORTED : AGG_PLAIN;
	return (Path *) create_agg_path(q->root, grouped, input, target, strategy,
									split, clauses, having, &costs,
									Min(gs_report_key_groups(q),
										clamp_row_est(input->rows)));
}

/* An ordinary aggregation of these partitions. */
static Path *
aggregate_partitions(const gs_report_query *q, RelOptInfo *grouped,
					 List *partitions, AggSplit split)
{
	List	   *paths = NIL;
	ListCell   *cell;

	foreach(cell, partitions)
		paths = lappend(paths,
						((RelOptInfo *) lfirst(cell))->cheapest_total_path);
	return aggregate(q, grouped, append(q, q->input, paths), q->target,
					 q->having, split);
}

static bool
examine_keys(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->keys)
	{
		Node	   *key = lfirst(cell);

		if (!gs_equal_is_same(exprType(key), exprCollation(key)))
			return gs_refuse(q, "not all partitions are heap tables, and equal values of a key may look different");
	}
	return true;
}

/* The groups of other partitions, if all groups lie in one: paths. */
static List *
whole_groups(const gs_report_query *q)
{
	List	   *paths = NIL;
	ListCell   *cell;
	ListCell   *other;

	foreach(cell, q->others)
	{
		const RelOptInfo *rel = lfirst(cell);
		Path	   *path = NULL;

		foreach(other, q->root->upper_rels[UPPERREL_GROUP_AGG])
		{
			const RelOptInfo *groups = lfirst(other);

			if (bms_equal(groups->relids, rel->relids))
				path = groups->cheapest_total_path;
		}
		if (path == NULL)
			return NIL;
		paths = lappend(paths, path);
	}
	return paths;
}

/* A hash aggregation, the child of reports here, cannot sort. */
static bool
examine_order(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->aggregates)
	{
		const Aggref *aggref = lfirst_node(Aggref, cell);

		if (aggref->aggorder != NIL || aggref->aggdistinct != NIL)
			return gs_refuse(q, "not all partitions are heap tables, and an aggregate has DISTINCT or ORDER BY");
	}
	return true;
}

static Cost
least_cost(const RelOptInfo *grouped)
{
	Cost		least = INFINITY;
	ListCell   *cell;

	foreach(cell, grouped->pathlist)
		least = Min(least, ((const Path *) lfirst(cell))->total_cost);
	return least;
}

bool
gs_report_add_partial(gs_report_query *q, RelOptInfo *grouped)
{
	PathTarget *target = q->target;
	List	   *having = q->having;
	Cost		ordinary = least_cost(grouped);
	AggSplit	split = AGGSPLIT_SIMPLE;
	List	   *whole;
	Path		costs;
	Path	   *child;
	Path	   *report;
	Path	   *rest;
	Path	   *path;
	ListCell   *cell;

	if (q->root->parse->groupingSets != NIL)
		return gs_refuse(q, "not all partitions are heap tables, and it has grouping sets");
	if (!grouping_is_hashable(q->root->parse->groupClause))
		return gs_refuse(q, "groups cannot be hashed");
	memset(&costs, 0, sizeof costs);
	if (!gs_report_cost_tables(q, &costs) ||
		!gs_report_is_worth(q, &costs, ordinary))
		return false;

	/* HAVING is of whole groups */
	whole = whole_groups(q);
	if (whole == NIL)
	{
		split = AGGSPLIT_INITIAL_SERIAL;
		q->target = partial_target(q);
		q->having = NIL;
	}
	if (!gs_report_query_expressions(q) || !examine_order(q) ||
		(whole == NIL && !examine_keys(q)))
		return false;
	q->pathkeys = NIL;
	child = aggregate_partitions(q, grouped, q->tables, split);
	costs.rows = child->rows;
	costs.startup_cost += q->evaluation + q->coding;
	costs.total_cost += q->evaluation + q->coding + cpu_tuple_cost * child->rows +
		q->target->cost.startup + q->target->cost.per_tuple * child->rows;
	q->saving = ordinary - costs.total_cost;
	foreach(cell, q->others)
		q->saving -= ((const RelOptInfo *) lfirst(cell))->cheapest_total_path->total_cost;
	report = gs_report_make_path(q, grouped, &costs, child);
	if (whole != NIL)
		path = append(q, grouped, lcons(report, whole));
	else
	{
		rest = aggregate_partitions(q, grouped, q->others, split);
		path = append(q, grouped, list_make2(report, rest));
		path->pathtarget = q->target;
		path = aggregate(q, grouped, path, target, having,
						 AGGSPLIT_FINAL_DESERIAL);
	}
	if (gs_report_is_worth(q, path, ordinary))
		add_path(grouped, path);
	return q->reason == NULL;
}
