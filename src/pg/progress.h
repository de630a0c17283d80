/*-------------------------------------------------------------------------
 *
 * progress.h
 *	  What a session's long work has come to, for gpuscan_progress().
 *
 * It is told where PostgreSQL's own commands tell it, and as they do: without
 * track_activities, nobody hears of it, and an error that ends the
 * (sub)transaction ends it.  Of work within other work, only the outer one is
 * told, and none within a command that tells its own, such as COPY.  Not on 13,
 * which keeps to itself whether there is one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PROGRESS_H
#define GS_PROGRESS_H

typedef enum gs_work
{
	GS_WORK_CALL,				/* over an array; of it, the operation's kind */
	GS_WORK_REPORT,				/* of it, the table's OID */
	GS_WORK_LOAD,				/* of it, the table's OID */
	GS_WORKS
} gs_work;

typedef enum gs_phase
{
	GS_PHASE_STARTING,			/* until there is a service to work with */
	GS_PHASE_PASSING,			/* elements */
	GS_PHASE_VERIFYING,			/* pages, of all tables together */
	GS_PHASE_READING,			/* pages of one table */
	GS_PHASE_COMPUTING,			/* nothing is counted */
	GS_PHASE_FETCHING,			/* groups */
	GS_PHASES
} gs_phase;

/* The numbers, as they are told. */
typedef enum gs_progress
{
	GS_PROGRESS_WORK,
	GS_PROGRESS_OF,
	GS_PROGRESS_PHASE,
	GS_PROGRESS_DONE,
	GS_PROGRESS_TOTAL,			/* 0: it is not known */
	GS_PROGRESS_NUMBERS
} gs_progress;

/* Stands for us where PostgreSQL's commands have numbers of their own. */
#define GS_PROGRESS_COMMAND	0x67707363

extern void gs_progress_begin(gs_work work, int64 of);
extern void gs_progress_phase(gs_phase phase, int64 total);
extern void gs_progress_done(int64 done);
extern void gs_progress_end(void);

#endif							/* GS_PROGRESS_H */
