/*-------------------------------------------------------------------------
 *
 * window.h
 *	  Window functions, as the planner knows them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOW_H
#define GS_WINDOW_H

#include "fmgr.h"

typedef struct gs_series_window
{
	PGFunction	function;
	bool		moving;			/* else from the first row to the current one */
	const char *aggregate;		/* that is the same over a frame of one's own */
} gs_series_window;

/* window.c; NULL: it is none of these. */
extern const gs_series_window *gs_series_window_of(PGFunction function);

/* window_plan.c */
extern void gs_window_init(void);

#endif							/* GS_WINDOW_H */
