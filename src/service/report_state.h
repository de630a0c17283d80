/*-------------------------------------------------------------------------
 *
 * report_state.h
 *	  A report, as shared by the files that handle its messages.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_STATE_H
#define GS_REPORT_STATE_H

#include "service/columns.h"

/* What a report has used of held columns. */
typedef struct gs_report_work
{
	uint32_t	segments;
	int64_t		bytes;
	int64_t		rows;
	int64_t		ns;				/* the engine's time */
} gs_report_work;

/* Of an execution that has, or waits for, memory (report_admission.c). */
typedef struct gs_admission
{
	int64_t		began;			/* grows from one to the next; 0: it has none */
	int64_t		until;			/* when it stops waiting; 0: it is not in the queue */
	struct gs_admission *before;
	struct gs_admission *after;
} gs_admission;

struct gs_report
{
	/* the stages, whose plans point into `packed` */
	gs_stage	stage[GS_STAGES_MAX];
	int			stages;
	const gs_plan *rows;		/* the first one's plan, which reads the tables */
	const gs_plan *groups;		/* the last one's */
	char	   *packed;
	int64_t		plan_size;
	int64_t		plan_received;

	/* the first plan's tables, and what has them */
	gs_plan_table table[GS_DEVICES_MAX][GS_PLAN_TABLES];	/* on each device */
	const gs_plan_table *tables[GS_DEVICES_MAX];
	gs_held_lookup *lookup[GS_PLAN_TABLES];
	uint32_t	lacking;		/* bit i: table i is not complete */

	bool		opened;			/* what is lacking may still come */
	bool		fed;			/* with rows that are not held */
	bool		finished;
	int			lanes;
	int			at;				/* the stage whose execution this is */
	bool		settled;		/* whether it has slices */
	bool		sliced;			/* it has (engine/devices.h) */
	gs_plan_run *run;
	gs_admission admission;
	gs_error	error;			/* of what is between stages, without a run */
	gs_status	ahead;			/* of feeding while the client was busy */
	int64_t		told;			/* when a client that waits last was */
	gs_report_work work;
	gs_stage_work made[GS_STAGES_MAX];	/* by each stage up to `at` */
	gs_summary	summary;

	gs_reading *readings;		/* of the tables, the current one first */
	gs_status	reading;		/* how the current one began */

	/* what a client can still change in its slot is used from here */
	char	   *copy;
};

/* report_state.c */
extern void gs_report_leave(gs_report *report);
extern void gs_report_close(gs_report *report);

/*
 * report_lookups.c.  find: the tables of the first plan, of which some may be
 * lacking; leave undoes that.
 */
extern gs_status gs_lookups_find(gs_connection *c);
extern void gs_lookups_leave(gs_report *report);

/* report_admission.c */
extern void gs_admission_begin(gs_admission *a);
extern void gs_admission_end(gs_admission *a);
extern bool gs_admission_await(gs_admission *a, bool (*waits) (void));

/*
 * report_devices.c.  wake: this many devices are to work soon.
 */
extern void gs_report_wake(int devices);
extern void gs_report_on_devices(gs_connection *c, uint32_t devices,
								 void (*work) (void *state, int device),
								 void *state, int64_t *told,
								 atomic_bool *gone);

/* report_run.c */
extern gs_status gs_report_start(gs_connection *c);
extern gs_status gs_report_begin(gs_connection *c);
extern bool gs_report_make_room(gs_connection *c, int *restarts);
extern bool gs_report_tell_progress(gs_connection *c, int64_t *told);
extern gs_status gs_report_feed(gs_connection *c, const gs_batch *batch);
extern gs_status gs_report_compute(gs_connection *c);

/*
 * report_stages.c: the groups that have been found become the rows of the next
 * stage, which is executed.
 */
extern gs_status gs_report_next_stage(gs_connection *c, int64_t *told);

/* report.c */
extern uint64_t gs_report_verified_pages(void);

#endif							/* GS_REPORT_STATE_H */
