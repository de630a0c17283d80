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
#include "nodes/plannodes.h"

/* So many subqueries of a statement at the most are examined. */
#define GS_LATERALS_MAX	4

/* How many may there be to rewrite?  This looks at range tables alone. */
extern int	gs_lateral_candidates(const Query *query);

/*
 * A copy of the statement in which one of these, counted from 0, numbers the rows of
 * all groups at once; NULL: it cannot be rewritten.  In the copy it is no candidate
 * any more.
 */
extern Query *gs_lateral_rewrite(const Query *query, ParamListInfo parameters,
								 int which, int number);

/* Is an index scanned for each row of something? */
extern bool gs_lateral_repeats_index(const PlannedStmt *plan);

/* The number that it was rewritten with; -1: it was not. */
extern int	gs_lateral_number(const Query *subquery);

#endif							/* GS_REPORT_LATERAL_H */
