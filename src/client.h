/*-------------------------------------------------------------------------
 *
 * client.h
 *	  The engine that forwards to the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CLIENT_H
#define GS_CLIENT_H

#include "portability/instr_time.h"

#include "engine.h"

/* Where the time of the last execution went. */
typedef struct gs_client_times
{
	instr_time	wait;			/* for chunks to be lent */
	instr_time	staging;		/* copying to and from shared memory */
	instr_time	device;			/* for the service to answer */
} gs_client_times;

extern const gs_engine gs_engine_service;
extern gs_client_times gs_client_last;

#endif							/* GS_CLIENT_H */
