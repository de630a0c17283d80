/*-------------------------------------------------------------------------
 *
 * report_state.c
 *	  The release of what a report has.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "service/report_state.h"

/* What is held is not used any more. */
void
gs_report_leave(gs_report *report)
{
	while (report->readings != NULL)
	{
		gs_reading *r = report->readings;

		report->readings = r->next;
		gs_reading_close(r);
		free(r);
	}
}

/* Release everything but the execution, which has ended. */
void
gs_report_close(gs_report *report)
{
	gs_report_leave(report);
	gs_lookups_leave(report);
	free(report->packed);
	free(report->copy);
	free(report);
}
