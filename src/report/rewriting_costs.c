/*-------------------------------------------------------------------------
 *
 * rewriting_costs.c
 *	  Whether a statement in other words is worth its plans, and costs less.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/planmain.h"

#include "report/report.h"
#include "report/rewriting.h"
#include "report/session/runs.h"

/*
 * What costs less, for each entry of its range tables, is not worth more plans: they
 * take up to some milliseconds.  INDEX_PAYS: those that read an index for each group
 * have to cost so many times as much, since a sort of all rows seldom costs less.
 *
 * Those with groups are plain joins, each of whose plans takes some 0.1 ms.  An index
 * that is read for each row costs less than to group all rows; and conditions that may
 * raise an error are evaluated for its rows alone.
 */
#define LATERAL_COST	(15 * GS_REPORT_REQUEST_COST)
#define GROUPS_COST		(2 * GS_REPORT_REQUEST_COST)
#define INDEX_PAYS		20

/*
 * How many times as much as one sort of all rows must many scans be estimated at, or
 * many of an index, to take longer?  With 3,000,000 rows of 1,000 groups, a scan of
 * all took 1 ms for 130 of its cost, an index that is cached for 600 to 1,000, and the
 * sort, on disk, for 44 to 77.
 */
#define SCAN_TIMES	5
#define INDEX_TIMES	25

/*
 * To keep and read a WITH query's rows takes more than the pages that most of a plan's
 * cost is of: 390 ms where 800,000 groups, read twice, were estimated at 18,300.
 */
#define REST_COST_PER_MS	100

/* Groups that are joined may cost so many times what joined rows cost that are grouped. */
#define GROUPS_MORE	1.25

bool
gs_rewriting_is_large(const PlannedStmt *plan)
{
	return plan->planTree->total_cost >= GROUPS_COST * list_length(plan->rtable);
}

Cost
gs_rewriting_cost(const PlannedStmt *plan, int options)
{
	const Plan *top = plan->planTree;
	double		share = (options & CURSOR_OPT_FAST_PLAN) == 0 ? 1 :
		cursor_tuple_fraction;

	return top->startup_cost + share * (top->total_cost - top->startup_cost);
}

/*
 * What a plan costs if the ordinary plans stand in place of its reports, which are their
 * children.  False: it is not told, such as for a report that is read more than once.
 */
static bool
add_children(const Plan *plan, bool repeated, Cost *cost)
{
	const Plan *child;

	if (plan == NULL)
		return true;
	switch (nodeTag(plan))
	{
		case T_CustomScan:
			if (((const CustomScan *) plan)->methods != &gs_report_scan_methods)
				return false;
			child = linitial(((const CustomScan *) plan)->custom_plans);
			*cost += Max(child->total_cost - plan->total_cost, 0);
			return !repeated && add_children(child, false, cost);
		case T_SubqueryScan:
			return add_children(((const SubqueryScan *) plan)->subplan,
								repeated, cost);
		case T_Append:
		case T_MergeAppend:
		case T_RecursiveUnion:
			return false;
		default:
			return add_children(plan->lefttree, repeated, cost) &&
				add_children(plan->righttree, repeated || IsA(plan, NestLoop),
							 cost);
	}
}

bool
gs_rewriting_is_safe(Cost plan, bool repeats_index, Cost other,
					 const gs_rewriting *rewriting, Cost sort)
{
	if (rewriting->of_groups)
		return other <= plan * GROUPS_MORE;
	return plan - other + sort >= sort * (repeats_index ? INDEX_TIMES : SCAN_TIMES);
}

bool
gs_rewriting_is_surely_safe(const PlannedStmt *plan, bool has_report,
							const PlannedStmt *other,
							const gs_rewriting *rewriting, Cost sort, int options)
{
	Cost		most = other->planTree->total_cost;
	bool		repeats = has_report || gs_rewriting_repeats_index(plan, InvalidOid);

	return (options & CURSOR_OPT_FAST_PLAN) == 0 && other->subplans == NIL &&
		add_children(other->planTree, false, &most) &&
		gs_rewriting_is_safe(plan->planTree->total_cost, repeats, most, rewriting,
							 sort);
}

/* The reports of a plan that are not in others. */
typedef struct plan_reports
{
	int			n;
	Cost		startup;		/* before they have results */
	bool		known;			/* this session has made all of them; */
	double		ms;				/* which took so long */
} plan_reports;

static void
add_reports(const Plan *plan, plan_reports *r)
{
	gs_attempt	attempt;
	const gs_runs *runs;
	const List *children = NIL;
	ListCell   *cell;

	if (plan == NULL)
		return;
	if (IsA(plan, CustomScan) &&
		((const CustomScan *) plan)->methods == &gs_report_scan_methods)
	{
		attempt = gs_report_attempt((const CustomScan *) plan);
		runs = gs_runs_known(&attempt);
		r->n++;
		r->startup += plan->startup_cost;
		r->known &= runs != NULL && runs->reports > 0;
		r->ms += runs == NULL ? 0 : runs->report_ms;
		return;
	}
	if (IsA(plan, Append))
		children = ((const Append *) plan)->appendplans;
	else if (IsA(plan, MergeAppend))
		children = ((const MergeAppend *) plan)->mergeplans;
	else if (IsA(plan, SubqueryScan))
		children = list_make1(((const SubqueryScan *) plan)->subplan);
	foreach(cell, children)
		add_reports(lfirst(cell), r);
	add_reports(plan->lefttree, r);
	add_reports(plan->righttree, r);
}

static plan_reports
reports_of(const PlannedStmt *plan)
{
	plan_reports r = {.known = true};
	ListCell   *cell;

	add_reports(plan->planTree, &r);
	foreach(cell, plan->subplans)
		add_reports(lfirst(cell), &r);
	return r;
}

/* What else the planner expects the statement to take, in milliseconds. */
static double
rest_of(const PlannedStmt *plan, const plan_reports *r)
{
	return Max(plan->planTree->total_cost - r->startup, 0) / REST_COST_PER_MS;
}

/*
 * Does it take less to make the report of a WITH query once for each of its readers
 * than to read all of its groups?  Until the report has been made here, columns may
 * have to be read.  other: the plan with a report for each; NULL: as good as can be.
 */
static bool
is_repeating_better(const PlannedStmt *plan, const PlannedStmt *other, int readers)
{
	const plan_reports r = reports_of(plan);
	double		rest = 0;

	if (other != NULL)
	{
		const plan_reports then = reports_of(other);

		rest = rest_of(other, &then);
	}
	return r.n > 0 && r.known &&
		rest_of(plan, &r) > (readers - 1) * r.ms + rest;
}

bool
gs_rewriting_is_worth_plans(const PlannedStmt *plan, const gs_rewriting *rewriting)
{
	bool		repeats = gs_rewriting_repeats_index(plan, rewriting->many);
	Cost		least = list_length(plan->rtable) *
		(rewriting->of_groups ? GROUPS_COST :
		 repeats ? INDEX_PAYS * LATERAL_COST : LATERAL_COST);

	if (rewriting->reads > 0)
		return is_repeating_better(plan, NULL, rewriting->reads);
	return plan->planTree->total_cost >= least &&
		!(rewriting->of_groups && repeats);
}

bool
gs_rewriting_is_better(const PlannedStmt *plan, const PlannedStmt *other,
					   const gs_rewriting *rewriting, int options)
{
	if (rewriting->reads > 0)
		return is_repeating_better(plan, other, rewriting->reads);
	return gs_rewriting_cost(other, options) < gs_rewriting_cost(plan, options);
}
