/*-------------------------------------------------------------------------
 *
 * eager.h
 *	  Eager aggregation: the many rows of a left join's inner side are grouped by
 *	  the join's key before they are joined.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_EAGER_H
#define GS_REPORT_EAGER_H

#include "report/query.h"

/* Add such a path to the groups', if it has a report.  False: there is none. */
extern bool gs_eager_add(const gs_report_query *q, RelOptInfo *grouped);

extern void gs_eager_init(void);

#endif							/* GS_REPORT_EAGER_H */
