/*-------------------------------------------------------------------------
 *
 * statement.h
 *	  Statements from planning to their end, as gpuscan_statements() counts
 *	  them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_STATEMENT_H
#define GS_REPORT_STATEMENT_H

#include "report/query.h"
#include "report/report.h"

extern void gs_statement_init(void);

/* While a statement is planned: an aggregation is no report, or may be one. */
extern void gs_statement_refused(const gs_report_query *q);
extern void gs_statement_offered(void);

/* While one is planned: is it a cursor's? */
extern bool gs_statement_is_cursor(void);

/* While one is executed: is it run for some of its rows only, as SELECT INTO is? */
extern bool gs_statement_is_partial(void);

/* Tell why there is no report, once it is known that this plan is taken. */
extern void gs_statement_tell(int level, const gs_report_query *q);

/*
 * There is a report in the plan, whose ordinary plan costs so much; of these subqueries
 * of rewriting.h, too.
 */
extern void gs_statement_planned(const List *rewritten, Cost ordinary);

/* The scan is begun as a part of a statement's execution. */
extern void gs_statement_add_scan(gs_report_scan *scan, EState *estate,
								  int eflags);

#endif							/* GS_REPORT_STATEMENT_H */
