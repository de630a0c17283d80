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
#include "tcop/pquery.h"

#include "pg/settings.h"
#include "report/query.h"

/* Is the session in EXPLAIN (VERBOSE), or (ANALYZE), if that tells, too? */
static bool
is_explained(bool analyze_tells)
{
	bool		verbose = false;
	bool		analyze = false;
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

			if (strcmp(e->defname, "verbose") == 0)
				verbose = defGetBoolean(e);
			else if (strcmp(e->defname, "analyze") == 0)
				analyze = defGetBoolean(e);
		}
	}
	return verbose || (analyze && analyze_tells);
}

/*
 * EXPLAIN (VERBOSE) tells it of all queries that could be reports by the setting,
 * others of those that use an aggregate of gpuscan's.  EXPLAIN (ANALYZE) tells it
 * if it was found by an execution, as that one's did.
 */
void
gs_report_tell_reason(const gs_report_query *q)
{
	bool		explained = is_explained(q->lost);
	int			level = explained ? NOTICE : DEBUG1;

	if (message_level_is_interesting(level) &&
		(gs_report_query_is_gpuscan(q) ||
		 (explained && gs_reports_setting != GS_REPORTS_GPUSCAN)))
		ereport(level,
				errmsg("gpuscan makes no report: %s", q->reason),
				q->detail == NULL ? 0 :
				errdetail_internal("%s", q->detail));
}
