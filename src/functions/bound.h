/*-------------------------------------------------------------------------
 *
 * bound.h
 *	  Comparisons with a bound of any type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_BOUND_H
#define GS_BOUND_H

#include "utils/numeric.h"

#include "engine/engine.h"

/* What an operator is called: <, <=, =, <>, !=, >=, >.  An error if it is none. */
extern gs_compare gs_comparison_from_text(const text *op);

/* Set comparison and bound of a GS_FILTER whose element type is set. */
extern void gs_bound_by_int64(gs_op *op, gs_compare compare, int64 bound);
extern void gs_bound_by_double(gs_op *op, gs_compare compare, double bound);
extern void gs_bound_by_numeric(gs_op *op, gs_compare compare, Numeric bound);

#endif							/* GS_BOUND_H */
