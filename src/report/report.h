/*-------------------------------------------------------------------------
 *
 * report.h
 *	  The custom scan of reports: what its planning, execution and display
 *	  share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_H
#define GS_REPORT_H

#include "commands/explain.h"
#include "nodes/extensible.h"

#include "report/aggregates.h"
#include "report/result.h"
#include "report/run.h"
#include "report/translate.h"

/*
 * The scan's tuples (custom_scan_tlist): the keys, then the aggregates, then
 * columns that only the filter needs, which are never filled in, but give the
 * Vars of custom_exprs something to refer to.  custom_exprs is the filter, the
 * plan's qual is HAVING.
 *
 * custom_private of the plan: the relation that the query names, then the
 * tables; the numbers of keys and of aggregates.
 */
#define GS_REPORT_RELATIONS	0
#define GS_REPORT_NUMBERS	1

/* What EXPLAIN ANALYZE tells, of all executions. */
typedef struct gs_report_totals
{
	int64		reports;		/* that the service made */
	int64		fallbacks;		/* others, for this reason the last time */
	char		reason[200];
	int64		groups;
	char		engine[16];
	gs_report_stats stats;
} gs_report_totals;

/* Where tuples come from. */
typedef enum gs_report_source
{
	GS_REPORT_NOT_MADE,
	GS_REPORT_GROUPS,			/* the service made the report */
	GS_REPORT_CHILD				/* the ordinary plan makes it */
} gs_report_source;

typedef struct gs_report_scan
{
	CustomScanState css;

	/* of the plan */
	Oid			relation;
	List	   *tables;			/* OIDs */
	gs_report_shape shape;		/* needed: by the projection and HAVING */

	/* of an execution */
	gs_report_source source;
	MemoryContext context;
	gs_report_run run;
	gs_report_result *result;

	gs_report_totals totals;
} gs_report_scan;

/* path.c */
extern void gs_report_init(void);

/* scan.c */
extern const CustomScanMethods gs_report_scan_methods;

/* explain.c */
extern void gs_report_explain(CustomScanState *node, List *ancestors,
							  ExplainState *es);

#endif							/* GS_REPORT_H */
