/*-------------------------------------------------------------------------
 *
 * bound.h
 *	  A filter's bound of any type, compared exactly.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_BOUND_H
#define GS_BOUND_H

#include "utils/numeric.h"

#include "engine/engine.h"

/* Complete a GS_FILTER, whose type is set: element, compare, bound. */
extern void gs_bound_by_int64(gs_op *op, gs_compare compare, int64 bound);
extern void gs_bound_by_double(gs_op *op, gs_compare compare, double bound);
extern void gs_bound_by_numeric(gs_op *op, gs_compare compare, Numeric bound);

#endif							/* GS_BOUND_H */
