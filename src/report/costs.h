/*-------------------------------------------------------------------------
 *
 * costs.h
 *	  What reports cost, in the planner's units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_COSTS_H
#define GS_REPORT_COSTS_H

#include "report/query.h"

/*
 * Joins are often estimated badly.  So a plan has a report over one although it is
 * estimated at so many times the ordinary plan, whose time an execution measures
 * first (tries.c); it is put in its place at this share of its cost.
 */
#define GS_REPORT_MEASURED_TIMES	4
#define GS_REPORT_MEASURED_SHARE	0.9

/* Are most of its tables' pages not all-visible?  Then it is no report. */
extern bool gs_report_is_hidden(const gs_report_query *q);

/*
 * What a path costs, step by step: reading the tables (false, with a reason: no), the
 * groups, or rows, of which the ordinary plan's estimate is one; grouping sets; and
 * codes, beside what the ordinary plan costs.
 */
extern bool gs_report_cost_tables(gs_report_query *q, Path *path);
extern void gs_report_cost_groups(const gs_report_query *q,
								  const Path *aggregation, Path *path);
extern void gs_report_cost_sets(gs_report_query *q, Path *path);
extern void gs_report_cost_codes(gs_report_query *q, Path *path, Cost ordinary);

/* How many groups there are, before HAVING, by the planner's estimate. */
extern double gs_report_ordinary_groups(const Path *aggregation);

/* False, with a reason: the ordinary plan costs less. */
extern bool gs_report_is_worth(gs_report_query *q, const Path *path,
							   Cost ordinary);
extern void gs_report_refuse_as_dear(gs_report_query *q, const char *reason,
									 Cost cost, Cost ordinary);

#endif							/* GS_REPORT_COSTS_H */
