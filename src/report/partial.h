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

#endif							/* GS_REPORT_PARTIAL_H */
