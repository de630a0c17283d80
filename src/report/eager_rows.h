/*-------------------------------------------------------------------------
 *
 * eager_rows.h
 *	  Queries whose groups are rows, but for the many rows of a left join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_EAGER_ROWS_H
#define GS_REPORT_EAGER_ROWS_H

#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"

/*
 * Does each group come from one row of what the query has in FROM, but for the left
 * join's inner side, the relation many?  And does nothing above that join add to its rows,
 * or make NULLs of them?
 */
extern bool gs_eager_groups_are_rows(const Query *query, const JoinExpr *join,
									 int many);

#endif							/* GS_REPORT_EAGER_ROWS_H */
