/*-------------------------------------------------------------------------
 *
 * path.c
 *	  The planner's part of reports: a custom scan in place of the scan and
 *	  the aggregation of a table.
 *
 * The custom scan computes the keys and aggregates of all groups; HAVING and
 * what else is computed of them are its qual and its projection.  Its child,
 * made of the cheapest ordinary plan, gives the very same keys and aggregates,
 * and so can take its place at any time before the first group was used.
 *
 * Nothing has to be loaded beforehand: the functions that gpuscan's aggregates
 * are made of have gpuscan_aggregate_support as their support function, which
 * the planner calls for the cost of an aggregation, before it calls the hook
 * here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"

#include "pg/settings.h"
#include "report/aggregated_rows.h"
#include "report/costs.h"
#include "report/make_path.h"
#include "report/partial.h"
#include "report/query.h"
#include "report/report.h"
#include "report/session/pause.h"
#include "report/stages.h"
#include "report/statement.h"
#include "report/windows.h"

static create_upper_paths_hook_type previous_hook = NULL;

PG_FUNCTION_INFO_V1(gpuscan_aggregate_support);
PG_FUNCTION_INFO_V1(gpuscan_result);

/* Its call loads the library; the cost is the declared one. */
Datum
gpuscan_aggregate_support(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_POINTER(NULL);
}

/*
 * The final function of aggregates whose transition function is a built-in
 * one, and cannot load the library.
 */
Datum
gpuscan_result(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}

/*
 * SELECT DISTINCT may be planned as a sort, which cannot compute anything else:
 * here it is an aggregation.
 */
static Path *
make_distinct(gs_report_query *q, RelOptInfo *grouped)
{
	List	   *clauses = gs_report_query_clauses(q);
	const Path *path = linitial(grouped->pathlist);

	if (!grouping_is_hashable(clauses))
		return NULL;
	return (Path *) create_agg_path(q->root, grouped,
									q->input->cheapest_total_path, q->target,
									AGG_HASHED, AGGSPLIT_SIMPLE, clauses, NIL,
									NULL, path->rows);
}

/* The path's cost; with LIMIT, of as many of its rows. */
static Cost
cost_of(const gs_report_query *q, const Path *path)
{
	double		share = q->upper == UPPERREL_ORDERED &&
		q->root->limit_tuples > 0 ?
		Min(q->root->limit_tuples / Max(path->rows, 1), 1) : 1;

	return path->startup_cost +
		share * (path->total_cost - path->startup_cost);
}

/*
 * What the ordinary plan costs, and, of its paths that aggregate as their last
 * step, the cheapest.  (Others, such as the partitionwise ones, cannot be told
 * to give what the custom scan gives.)
 */
static Path *
cheapest_aggregation(gs_report_query *q, RelOptInfo *grouped, Cost *least)
{
	Path	   *best = NULL;
	ListCell   *cell;

	*least = INFINITY;
	foreach(cell, grouped->pathlist)
		*least = Min(*least, cost_of(q, lfirst(cell)));
	if (q->of_rows)
		return gs_windows_ordinary(q, grouped);
	foreach(cell, grouped->pathlist)
	{
		Path	   *path = lfirst(cell);

		if ((IsA(path, AggPath) || IsA(path, GroupPath) ||
			 IsA(path, GroupingSetsPath)) &&
			(best == NULL || path->total_cost < best->total_cost))
			best = path;
	}
	return q->distinct && best == NULL ? make_distinct(q, grouped) : best;
}

/*
 * Who turns PostgreSQL's own ways off does not want another one of the kind.  What
 * costs little is asked first.
 */
static bool
settings_allow(gs_report_query *q)
{
	if (gs_engine_setting == GS_ENGINE_CPU)
		q->reason = "gpuscan.engine is cpu";
	else if (!enable_seqscan)
		q->reason = "enable_seqscan is off";
	else if (!enable_hashagg && q->root->parse->groupClause != NIL)
		q->reason = "enable_hashagg is off";
	else if (gs_reports_setting == GS_REPORTS_GPUSCAN && !q->aggregated &&
			 !gs_report_query_is_gpuscan(q))
		q->reason = "it has no aggregate of gpuscan's";
	return q->reason == NULL;
}

Path *
gs_report_find_path(gs_report_query *q, RelOptInfo *grouped, Path *child,
					Cost ordinary)
{
	Path		costs;

	q->rows = child->rows;
	memset(&costs, 0, sizeof costs);
	if (!gs_report_cost_tables(q, &costs) ||
		!gs_report_is_worth(q, &costs, ordinary) ||
		!gs_report_query_expressions(q))
		return NULL;
	costs.startup_cost += q->unheld_cost;
	costs.total_cost += q->unheld_cost;
	gs_report_cost_groups(q, child, &costs);
	gs_report_cost_sets(q, &costs);
	gs_report_cost_codes(q, &costs, ordinary);
	if (!gs_report_is_worth(q, &costs, ordinary))
		return NULL;
	q->saving += ordinary - costs.total_cost;
	if (costs.total_cost >= ordinary)
	{
		costs.total_cost = ordinary * GS_REPORT_MEASURED_SHARE;
		costs.startup_cost = Min(costs.startup_cost, costs.total_cost);
	}
	return gs_report_make_path(q, grouped, &costs, child);
}

bool
gs_report_examine(gs_report_query *q)
{
	gs_report_pause(GS_PAUSE_EXAMINE);
	return settings_allow(q) && gs_report_query_tables(q);
}

/* Add a path that makes a report, if that can be done and pays. */
static bool
add_report(gs_report_query *q, RelOptInfo *grouped)
{
	Path	   *path;
	Path	   *aggregation;
	Cost		ordinary;

	if (!gs_report_examine(q))
		return false;
	if (q->others != NIL)
		return gs_report_add_partial(q, grouped);
	aggregation = cheapest_aggregation(q, grouped, &ordinary);
	if (aggregation == NULL)
	{
		q->reason = q->of_rows ? "its windows are planned in another way" :
			"partitions are aggregated one by one";
		return false;
	}
	if (q->stage != NULL && !q->of_rows)
		aggregation = gs_stage_aggregation(q, grouped, aggregation,
										   gs_report_ordinary_groups(aggregation));
	path = gs_report_find_path(q, grouped, aggregation, ordinary);
	if (path == NULL)
		return false;
	if (gs_report_sorts_few(q))
		path = (Path *) create_sort_path(q->root, grouped, path,
										 q->root->sort_pathkeys, -1);
	if (q->stage != NULL)
		gs_stage_drop_paths(q, grouped, path);
	else if (gs_windows_is_of_few(q))
		grouped->pathlist = NIL;

	/* its paths may be the input's, and below the child: add_path would free them */
	if (q->upper == UPPERREL_ORDERED)
		grouped->pathlist = lappend(grouped->pathlist, path);
	else
		add_path(grouped, path);

	/* its order may be of no use */
	if (!list_member_ptr(grouped->pathlist, path))
		gs_report_refuse_as_dear(q, "the ordinary plan costs about as much",
								 path->total_cost, ordinary);
	return q->reason == NULL;
}

/* Groups; rows with window functions; the first rows of an order; few of many. */
static bool
may_give(const PlannerInfo *root, UpperRelationKind stage,
		 const RelOptInfo *input)
{
	const Query *query = root->parse;

	switch (stage)
	{
		case UPPERREL_GROUP_AGG:
		case UPPERREL_WINDOW:
		case UPPERREL_DISTINCT:
			return true;
		case UPPERREL_ORDERED:
			return gs_windows_are_few(root, input) ||
				(query->limitCount != NULL && !query->hasAggs &&
				 query->groupClause == NIL && query->groupingSets == NIL &&
				 query->distinctClause == NIL && !query->hasWindowFuncs);
		case UPPERREL_FINAL:
			return query->sortClause == NIL && gs_windows_are_few(root, input);
		default:
			return false;
	}
}

/*
 * Would no report be worth it, even if all of it were held?  Then none is examined,
 * which takes up to some tenths of a millisecond, unless somebody is told why there is
 * none.  A report over another one costs what that does.
 */
static bool
is_too_small(gs_report_query *q, const RelOptInfo *grouped)
{
	const Cost	least = GS_REPORT_REQUEST_COST * GS_REPORT_MEASURED_SHARE /
		GS_REPORT_MEASURED_TIMES;
	ListCell   *cell;

	if (q->input->rtekind == RTE_SUBQUERY || gs_report_tells_reasons())
		return false;
	foreach(cell, grouped->pathlist)
	{
		if (((const Path *) lfirst(cell))->total_cost < least)
		{
			/* nobody is told the detail, which says that costs have decided */
			q->reason = "the ordinary plan costs less";
			q->detail = "A request to the service costs more.";
			return true;
		}
	}
	return false;
}

static void
consider_report(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input,
				RelOptInfo *grouped, void *extra)
{
	gs_report_query q = {.root = root, .input = input};

	if (previous_hook != NULL)
		previous_hook(root, stage, input, grouped, extra);

	/* partitions, one by one, are no report */
	if (gs_reports_setting == GS_REPORTS_OFF ||
		!may_give(root, stage, input) || IS_OTHER_REL(input))
		return;
	q.upper = stage;
	q.distinct = stage == UPPERREL_DISTINCT && !root->parse->hasDistinctOn;
	q.of_rows = stage != UPPERREL_GROUP_AGG && !q.distinct;
	q.target = stage == UPPERREL_GROUP_AGG ? grouped->reltarget :
		root->upper_targets[stage];
	if (stage == UPPERREL_GROUP_AGG)
		q.having = gs_order_quals(root,
								  (List *) ((GroupPathExtraData *) extra)->havingQual);
	if (!is_too_small(&q, grouped) &&
		(add_report(&q, grouped) ||
		 (stage == UPPERREL_GROUP_AGG && gs_aggregated_rows_add(&q, grouped))))
		gs_statement_offered();
	else if (stage == UPPERREL_GROUP_AGG ||
			 input->reloptkind == RELOPT_BASEREL)
	{
		gs_report_tell_reason(&q);
		gs_statement_refused(&q);
	}
}

void
gs_report_init(void)
{
	RegisterCustomScanMethods(&gs_report_scan_methods);
	previous_hook = create_upper_paths_hook;
	create_upper_paths_hook = consider_report;
	gs_statement_init();
}
