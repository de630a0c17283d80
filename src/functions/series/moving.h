/*-------------------------------------------------------------------------
 *
 * moving.h
 *	  Operations over a frame around each element, by an engine.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FUNCTIONS_MOVING_H
#define GS_FUNCTIONS_MOVING_H

#include "call/call.h"

/*
 * Execute and close a call of the family GS_FAMILY_MOVING; returns the array
 * of results, NULL where all of a frame is.
 */
extern Datum gs_moving_execute(gs_call *call);

#endif							/* GS_FUNCTIONS_MOVING_H */
