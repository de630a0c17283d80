/*-------------------------------------------------------------------------
 *
 * moving.h
 *	  Aggregates over a frame that moves.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_AGGREGATE_H
#define GS_MOVING_AGGREGATE_H

#include "functions/series/frame.h"

typedef struct gs_moving_aggregate
{
	gs_frame	frame;
	const gs_moving *what;
	Oid			type;			/* of the values */
	ArrayType  *parameter;		/* of all rows; NULL: none, or a NULL */
	int64		entered;		/* values that are not NULL */
	int64		left;
	int64		nulls;			/* in the frame */
} gs_moving_aggregate;

/* Where the states of a window aggregate live. */
extern MemoryContext gs_window_context(FunctionCallInfo fcinfo);

/* Argument 0 of an inverse transition function. */
extern void *gs_window_state(FunctionCallInfo fcinfo);

/*
 * Argument 0 of a transition function, to which argument 1 is added, one of
 * these elements (call.h).  The
 * parameter, NULL if there is none, must be the one of all rows of a frame; its
 * `names` are for the error.
 */
extern gs_moving_aggregate *gs_moving_add(FunctionCallInfo fcinfo,
										  int elements, const gs_moving *what,
										  const ArrayType *parameter,
										  const char *names);

/* Argument 0 of a final function; NULL: there is no value in the frame. */
extern const gs_moving_aggregate *gs_moving_argument(FunctionCallInfo fcinfo);

#endif							/* GS_MOVING_AGGREGATE_H */
