/*-------------------------------------------------------------------------
 *
 * lateral.h
 *	  Subqueries of FROM that give the first rows of each row's group.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_LATERAL_H
#define GS_REPORT_LATERAL_H

#include "nodes/params.h"
#include "nodes/parsenodes.h"

/* May it be one?  This looks at few things. */
extern bool gs_lateral_is_candidate(const RangeTblEntry *rte);

/*
 * Let it number the rows of all groups at once, and be marked with the number
 * (rewriting.h).  False: it cannot be rewritten.
 */
extern bool gs_lateral_rewrite(Query *around, int relation,
							   ParamListInfo parameters, int number);

#endif							/* GS_REPORT_LATERAL_H */
