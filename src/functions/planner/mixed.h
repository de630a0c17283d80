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

/*
 * The call that does not round integers to real; NULL if this one does not, or
 * nothing can be done.
 */
extern Node *gs_mixed_simplify(FuncExpr *call);

#endif							/* GS_MIXED_H */
