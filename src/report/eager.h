/*-------------------------------------------------------------------------
 *
 * eager.h
 *	  Eager aggregation: the many rows of a left join's inner side are grouped by
 *	  the join's key before they are joined.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_EAGER_H
#define GS_REPORT_EAGER_H

#include "nodes/parsenodes.h"

/* May it be a query of which this can be done?  This looks at few things. */
extern bool gs_eager_is_candidate(const Query *query);

/*
 * Do it; the subquery that groups the many rows is marked with the number (rewriting.h);
 * many: as there.  whole: the statement needs all rows of the query.  False: it cannot
 * be done, and the query may be anything now.
 */
extern bool gs_eager_rewrite(Query *query, bool is_statement, bool whole,
							 int number, Oid *many);

#endif							/* GS_REPORT_EAGER_H */
