/*-------------------------------------------------------------------------
 *
 * searchsorted.h
 *	  The planner's part of gpu_searchsorted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SEARCHSORTED_H
#define GS_SEARCHSORTED_H

#include "nodes/primnodes.h"

extern Node *gs_searchsorted_simplify(FuncExpr *call);

#endif							/* GS_SEARCHSORTED_H */
