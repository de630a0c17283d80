/*-------------------------------------------------------------------------
 *
 * partial.h
 *	  Reports over some of a table's partitions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_PARTIAL_H
#define GS_REPORT_PARTIAL_H

#include "report/query.h"

/*
 * Add a path that makes a report of q->tables, and aggregates q->others in the
 * ordinary way.  False, with a reason: it cannot be done, or does not pay.
 */
extern bool gs_report_add_partial(gs_report_query *q, RelOptInfo *grouped);

/* path.c, of the tables: what reading them costs; false, with a reason: no. */
extern bool gs_report_cost_tables(gs_report_query *q, Path *path);

/* False, with a reason: the ordinary plan costs less. */
extern bool gs_report_is_worth(gs_report_query *q, const Path *path,
							   Cost ordinary);

/*
 * The report of q->target, with these costs, of a relation of groups.  The
 * aggregation is an ordinary path that gives the same.
 */
extern Path *gs_report_make_path(gs_report_query *q, RelOptInfo *grouped,
								 const Path *costs, Path *aggregation);

#endif							/* GS_REPORT_PARTIAL_H */
