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

typedef struct gs_window_function
{
	PGFunction	function;
	bool		moving;			/* else from the first row to the current one */
	const char *aggregate;		/* that is the same over a frame of one's own */
} gs_window_function;

/* window.c; NULL: it is none of these. */
extern const gs_window_function *gs_window_function_of(PGFunction function);

/* window_plan.c */
extern void gs_window_init(void);

#endif							/* GS_WINDOW_H */
