/*-------------------------------------------------------------------------
 *
 * result.h
 *	  A report's groups, in this session.
 *
 * All of them are fetched before the first is used, so that the service is
 * free, and that whatever fails does so while the ordinary plan can still
 * take over.  They stay as they came; results are made of them one by one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_RESULT_H
#define GS_REPORT_RESULT_H

#include "report/aggregates.h"

typedef struct gs_report_result gs_report_result;

/*
 * Fetch the groups of a run that has been finished, into the current memory
 * context.  The run may end then, its plan must stay.
 */
extern gs_status gs_report_result_fetch(gs_report_run *run, gs_report_result **result);

/*
 * The next groups, if there are more; from the first on after a rewind.  They
 * stay until the next call.
 */
extern bool gs_report_result_next(gs_report_result *result, gs_report_groups **groups);
extern void gs_report_result_rewind(gs_report_result *result);
extern void gs_report_result_free(gs_report_result *result);

#endif							/* GS_REPORT_RESULT_H */
