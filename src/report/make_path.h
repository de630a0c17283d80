/*-------------------------------------------------------------------------
 *
 * make_path.h
 *	  A report's path: what it carries, and the plan that it becomes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_MAKE_PATH_H
#define GS_REPORT_MAKE_PATH_H

#include "report/query.h"

/*
 * The report of q->target, with these costs, of a relation of groups.  The
 * aggregation is an ordinary path that gives the same.
 */
extern Path *gs_report_make_path(gs_report_query *q, RelOptInfo *grouped,
								 const Path *costs, Path *aggregation);

/*
 * Is it a report's?  NULL is none.  And of such a path, the query: what is computed of
 * which rows, and what gives these.
 */
extern bool gs_report_is_path(const Path *path);
extern void gs_report_path_query(const Path *path, gs_report_query *q);

/* PostgreSQL sorts few of many rows, so that it has read them all first. */
extern bool gs_report_sorts_few(const gs_report_query *q);

#endif							/* GS_REPORT_MAKE_PATH_H */
