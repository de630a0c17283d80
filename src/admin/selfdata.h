/*-------------------------------------------------------------------------
 *
 * selfdata.h
 *	  Random operations and adversarial random data, for gpuscan_selfcheck().
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SELFDATA_H
#define GS_SELFDATA_H

#include "engine/engine.h"

typedef struct gs_random
{
	uint64		state;
} gs_random;

extern int64 gs_random_size(gs_random *r);
extern bool gs_random_op(gs_random *r, gs_family family, gs_type type,
						 gs_op *op);
extern void gs_random_span(gs_random *r, gs_type type, int64 n,
						   gs_span *span);
extern void gs_random_positions(gs_random *r, int64 n, int64 elements,
								gs_span *span);
extern void gs_random_ascending(gs_random *r, gs_type type, int64 n,
								gs_span *span);
extern void gs_random_among(gs_random *r, gs_type type, int64 n,
							const gs_span *ascending, gs_span *span);

#endif							/* GS_SELFDATA_H */
