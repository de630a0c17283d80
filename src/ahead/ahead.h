/*-------------------------------------------------------------------------
 *
 * ahead.h
 *	  The custom scan that asks for reductions of stored arrays, several rows
 *	  ahead: what its planning and execution share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_AHEAD_H
#define GS_AHEAD_H

#include "nodes/extensible.h"
#include "nodes/primnodes.h"

#include "engine/engine.h"

/*
 * custom_exprs are the calls: FuncExprs of one argument, a column of the
 * child's.  custom_scan_tlist is the child's targetlist.
 */
extern const CustomScanMethods gs_ahead_scan_methods;

/* path.c */
extern void gs_ahead_init(void);
extern Var *gs_ahead_argument(const FuncExpr *call);
extern bool gs_ahead_kind(Oid function, gs_kind *kind);

#endif							/* GS_AHEAD_H */
