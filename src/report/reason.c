/*-------------------------------------------------------------------------
 *
 * reason.c
 *	  Why a query is no report.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "commands/defrem.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "tcop/pquery.h"

#include "pg/settings.h"
#include "report/aggregate/aggregate_kinds.h"
#include "report/make_path.h"
#include "report/query.h"
#include "report/statement.h"

/* ----------
 * Reasons that have to be looked for
 * ----------
 */

static bool is_over_report(const PlannerInfo *root);

/* Is a report in this subquery's plan? */
static bool
makes_report(const PlannerInfo *root)
{
	static const UpperRelationKind stages[] =
	{UPPERREL_GROUP_AGG, UPPERREL_DISTINCT};
	ListCell   *cell;

	for (int i = 0; i < (int) lengthof(stages); i++)
	{
		foreach(cell, root->upper_rels[stages[i]])
		{
			if (gs_report_is_path(lfirst_node(RelOptInfo,
											  cell)->cheapest_total_path))
				return true;
		}
	}
	return is_over_report(root);
}

static bool
is_over_report(const PlannerInfo *root)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		const RelOptInfo *rel = root->simple_rel_array[i];

		if (rel != NULL && rel->subroot != NULL && makes_report(rel->subroot))
			return true;
	}
	return false;
}

/* join.c has found the reason. */
static void
tell_join(gs_report_query *q)
{
	if (q->reason == NULL)
		q->reason = "it does not read from a table";
	if (q->detail == NULL)
		q->hint = "Aggregate before the join, then join the groups.";
}

void
gs_report_input_reason(gs_report_query *q)
{
	const RangeTblEntry *rte;

	/* who has followed a hint has no need of it */
	if (is_over_report(q->root))
		q->detail = GS_OVER_REPORT;
	if (q->input->reloptkind != RELOPT_BASEREL)
	{
		tell_join(q);
		return;
	}
	rte = planner_rt_fetch(q->input->relid, q->root);
	if (rte->rtekind == RTE_SUBQUERY && !rte->inh &&
		rte->subquery->hasWindowFuncs)
		q->reason = "it aggregates results of window functions";
	else if (rte->rtekind == RTE_SUBQUERY || rte->rtekind == RTE_CTE)
		q->reason = "it reads from a subquery";
	else
		q->reason = "it does not read from a table";
}

/*
 * Is there a subquery that is not executed once, to give values to look up?  *reason:
 * why.
 */
static bool
has_subquery(Node *node, void *reason)
{
	const SubPlan *plan = (const SubPlan *) node;
	bool		compares;

	if (node == NULL)
		return false;
	if (IsA(node, SubLink) || (IsA(node, AlternativeSubPlan) &&
							   list_length(((AlternativeSubPlan *) node)->subplans) > 1) ||
		(IsA(node, SubPlan) && !gs_is_membership(plan)))
	{
		compares = IsA(node, SubPlan) && plan->parParam == NIL &&
			(plan->subLinkType == ANY_SUBLINK || plan->subLinkType == ALL_SUBLINK);
		*(const char **) reason = compares ?
			"it compares with a subquery's rows other than by equality of up to 4 keys" :
			"it runs a subquery for each row";
		return true;
	}
	return expression_tree_walker(node, has_subquery, reason);
}

bool
gs_report_subquery_reason(gs_report_query *q, Node *expression)
{
	const char *reason;

	if (!contain_subplans(expression) || !has_subquery(expression, &reason))
		return false;
	q->reason = reason;
	return true;
}

/* ----------
 * Telling them
 * ----------
 */

/* Is the session in EXPLAIN with this option? */
static bool
is_explained(const char *name)
{
	bool		given = false;
	ListCell   *cell;
	ListCell   *option;

	if (ActivePortal == NULL || ActivePortal->commandTag != CMDTAG_EXPLAIN)
		return false;
	foreach(cell, ActivePortal->stmts)
	{
		ExplainStmt *explain =
		(ExplainStmt *) lfirst_node(PlannedStmt, cell)->utilityStmt;

		if (explain == NULL || !IsA(explain, ExplainStmt))
			continue;
		foreach(option, explain->options)
		{
			DefElem    *e = lfirst_node(DefElem, option);

			if (strcmp(e->defname, name) == 0)
				given = defGetBoolean(e);
		}
	}
	return given;
}

bool
gs_report_tells_reasons(void)
{
	return message_level_is_interesting(DEBUG1) || is_explained("verbose");
}

/*
 * EXPLAIN (VERBOSE) tells it of all queries that could be reports by the setting,
 * others of those that use an aggregate of gpuscan's.  EXPLAIN (ANALYZE) tells
 * what an execution has found out, and EXPLAIN showed as its reason then.
 */
void
gs_report_tell_reason(const gs_report_query *q)
{
	bool		explained = is_explained("verbose") ||
	(q->recalled && is_explained("analyze"));
	int			level = explained ? NOTICE : DEBUG1;

	if (message_level_is_interesting(level) &&
		(gs_report_query_is_gpuscan(q) ||
		 (explained && gs_reports_setting != GS_REPORTS_GPUSCAN)))
		gs_statement_tell(level, q);
}
