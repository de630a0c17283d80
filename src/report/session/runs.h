/*-------------------------------------------------------------------------
 *
 * runs.h
 *	  How often this session has run its queries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_RUNS_H
#define GS_REPORT_RUNS_H

#include "report/session/losses.h"

typedef struct gs_runs
{
	gs_attempt	query;
	int			runs;			/* since it last read rows of joins, or ever */
	bool		was_report;
	double		ordinary_ms;	/* its ordinary plan, the last time; 0: never */
	double		report_ms;		/* a report that read no rows of joins, lately at best; */
	int			reports;		/* of so many */
	uint64		asked;			/* runs.c's */
} gs_runs;

/* A query's, which the caller counts; nothing, if it is not known. */
extern gs_runs *gs_runs_of(const gs_attempt *query);

/* The same, to look at; NULL: it is not known, and no other one is forgotten for it. */
extern const gs_runs *gs_runs_known(const gs_attempt *query);

#endif							/* GS_REPORT_RUNS_H */
