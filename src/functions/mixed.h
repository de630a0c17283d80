/*-------------------------------------------------------------------------
 *
 * mixed.h
 *	  The planner's part of calls with integers beside real.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MIXED_H
#define GS_MIXED_H

#include "nodes/primnodes.h"

/* The call without rounding integers to real, or NULL if it has none of those. */
extern Node *gs_mixed_simplify(FuncExpr *call);

#endif							/* GS_MIXED_H */
