/*-------------------------------------------------------------------------
 *
 * fetch.h
 *	  A report's groups, from the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_FETCH_H
#define GS_REPORT_FETCH_H

#include "report/result/top.h"

/* Memory that is used again and again. */
typedef struct gs_report_buffer
{
	char	   *data;
	size_t		size;
} gs_report_buffer;

extern void gs_report_enlarge(gs_report_buffer *b, size_t size);
extern void gs_report_release(gs_report_buffer *b);

/*
 * Fetch the groups of a run that has been finished.  The run may end then.
 * Results are made of them, and kept has their states, unless these are NULL.
 * kept->base is NULL: there was no room.  top: not all groups are needed
 * (top.h), or NIL; *n learns how many have been fetched.
 */
extern gs_status gs_report_fetch(gs_report_run *run,
								 const gs_report_shape *shape,
								 const List *top, gs_report_result *result,
								 gs_report_groups *kept,
								 gs_report_memory *memory, int64 *n);

/* Likewise of a run that has rows. */
extern gs_status gs_report_fetch_rows(gs_report_run *run,
									  const gs_report_shape *shape,
									  gs_report_result *result);

#endif							/* GS_REPORT_FETCH_H */
