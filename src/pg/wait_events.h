/*-------------------------------------------------------------------------
 *
 * wait_events.h
 *	  What gpuscan's processes wait for, as pg_stat_activity shows it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WAIT_EVENTS_H
#define GS_WAIT_EVENTS_H

typedef enum gs_wait
{
	GS_WAIT_ANSWER,				/* the service's answer */
	GS_WAIT_STAGING,			/* staging memory for a call or a report */
	GS_WAIT_START,				/* the service's start */
	GS_WAIT_STOP,				/* its end */
	GS_WAIT_SUPERVISOR			/* the supervisor: for something to do */
} gs_wait;

extern uint32 gs_wait_event(gs_wait wait);

#endif							/* GS_WAIT_EVENTS_H */
