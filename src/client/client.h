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

#include "array/array.h"
#include "engine/engine.h"

/* Where the time of the last execution went, and what did not have to be sent. */
typedef struct gs_client_times
{
	instr_time	wait;			/* for chunks to be lent */
	instr_time	staging;		/* copying to and from shared memory */
	instr_time	device;			/* for the service to answer */
	int			hits;			/* stored arguments that the service had */
	int			misses;			/* .. and those that it had not */
	int64		saved;			/* bytes of the former */
} gs_client_times;

/*
 * What the next execution is over.  The service may have copies of arrays that
 * are stored; what it lacks and can keep, begin sends.
 */
typedef struct gs_client_offer
{
	gs_array   *array[GS_ARRAYS];	/* NULL: there is none */
	gs_array   *edges;			/* NULL: op.edges has them */
	const double *(*read_edges) (gs_array *edges);
	bool		only_kept;		/* GS_NOT_KEPT if the service has no copies */
} gs_client_offer;

extern const gs_engine gs_engine_service;
extern gs_client_times gs_client_last;

extern void gs_client_offer_arrays(const gs_client_offer *offer);

#endif							/* GS_CLIENT_H */
