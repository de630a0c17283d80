/*-------------------------------------------------------------------------
 *
 * client.h
 *	  The engine that forwards to the service.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CLIENT_H
#define GS_CLIENT_H

#include "array/array.h"
#include "engine/engine.h"

/*
 * The arguments of an execution.  The service may have cached those that are
 * toasted; begin sends those that it lacks but can cache.
 */
struct gs_sources
{
	gs_array   *array[GS_ARRAYS];	/* NULL: no such argument */
	gs_array   *edges;			/* NULL: the operation has them, if any */
	const double *(*read_edges) (gs_array *edges);
	bool		only_cached;	/* fail with GS_NOT_CACHED rather than send */
};

extern const gs_engine gs_engine_client;

#endif							/* GS_CLIENT_H */
