/*-------------------------------------------------------------------------
 *
 * reductions.h
 *	  Reductions of several arrays that the service has cached.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCTIONS_H
#define GS_REDUCTIONS_H

#include "protocol/protocol.h"

extern bool gs_reductions_ask(const gs_op *op, int count,
							  const gs_reduce_array *array, uint32 *cached,
							  gs_result *result);

#endif							/* GS_REDUCTIONS_H */
