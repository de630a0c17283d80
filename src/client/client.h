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
 * The arguments of an execution.  The service may have copies of arrays that
 * are stored; what it lacks and can keep, begin sends.
 */
struct gs_sources
{
	gs_array   *array[GS_ARRAYS];	/* NULL: there is none */
	gs_array   *edges;			/* NULL: op.edges has them */
	const double *(*read_edges) (gs_array *edges);
	bool		only_kept;		/* GS_NOT_KEPT if the service has no copies */
};

extern const gs_engine gs_engine_service;

#endif							/* GS_CLIENT_H */
