/*-------------------------------------------------------------------------
 *
 * aggregated_rows.h
 *	  Aggregates that the service does not know, such as string_agg and array_agg:
 *	  PostgreSQL computes them of the rows of a report.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_AGGREGATED_ROWS_H
#define GS_REPORT_AGGREGATED_ROWS_H

#include "report/query.h"

/*
 * Add such a path to the groups', if the rows are few and their order is of no
 * account.  False: there is none, with a reason if it is another one than that
 * the aggregates are not known.
 */
extern bool gs_aggregated_rows_add(gs_report_query *q, RelOptInfo *grouped);

/*
 * path.c: may there be a report?  And the path of one that gives q->target, as
 * does the child, an ordinary path; what it is to be cheaper than may be more.
 * False or NULL, with a reason: no.
 */
extern bool gs_report_examine(gs_report_query *q);
extern Path *gs_report_find_path(gs_report_query *q, RelOptInfo *grouped,
								 Path *child, Cost ordinary);

#endif							/* GS_REPORT_AGGREGATED_ROWS_H */
