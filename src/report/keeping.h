/*-------------------------------------------------------------------------
 *
 * keeping.h
 *	  The rows that a report reads to keep them, and whether that pays.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_KEEPING_H
#define GS_REPORT_KEEPING_H

#include "report/report.h"

/* Would the ordinary plan be taken first, since reading pays only after more runs? */
extern bool gs_report_waits(gs_report_scan *scan);

/*
 * Does it pay now?  Counts the run.  *first: the report would read rows that are kept
 * for the next ones.
 */
extern bool gs_report_is_time_to_read(gs_report_scan *scan, bool *first);

/*
 * Read the dimensions' rows, in this execution's memory.  Returns why that is not
 * possible, or NULL.
 */
extern const char *gs_report_read_dimensions(gs_report_scan *scan);

/*
 * Read those dimensions whose tables the service has turned out not to make; false,
 * with a reason if that fails: there is none.  And those of which it has lost a table,
 * anew.
 */
extern bool gs_report_read_refused(gs_report_scan *scan, const char **reason);
extern const char *gs_report_renew_held(gs_report_scan *scan);

/*
 * It has been made: its statistics before that; and, if it was not the first, how long
 * it has taken.
 */
extern void gs_report_note_reading(const gs_report_scan *scan,
								   const gs_report_stats *before);
extern void gs_report_note_time(const gs_report_scan *scan, double ms);

#endif							/* GS_REPORT_KEEPING_H */
