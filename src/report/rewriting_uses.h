/*-------------------------------------------------------------------------
 *
 * rewriting_uses.h
 *	  What the queries around a subquery do with its columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_REWRITING_USES_H
#define GS_REPORT_REWRITING_USES_H

#include "nodes/parsenodes.h"

/* Of an expression in a query, or of that query; seen from there. */
typedef struct gs_references
{
	Index		depth;			/* of what is looked at, below the query */
	Relids		own;			/* relations of the query itself */
	bool		outer;			/* and columns of the queries around it; */
	Relids		around;			/* relations of the one next to it */
} gs_references;

extern gs_references gs_references_of(const Node *expression);

/* Does a query refer to columns of those around it? */
extern bool gs_query_refers_outside(Query *query);

/* Is all of a relation's row used at once?  Is one of these used in the query at all? */
extern bool gs_is_used_whole(Query *around, int relation);
extern bool gs_are_used(Query *query, Relids relations);

/*
 * May what a query has around a relation of its FROM be evaluated for more rows of
 * it: conditions, other items of FROM, and, but for the statement itself, what it
 * gives, which conditions above it may refer to?
 */
extern bool gs_rewriting_keeps_harmless(const Query *query, int relation,
									  bool is_statement);

/* Do columns that it uses stand for what may raise an error? */
extern bool gs_uses_virtual_that_may_raise(Query *statement);

/* May this raise an error for a row, or differ the next time? */
extern bool gs_rewriting_may_differ(Node *node);

#endif							/* GS_REPORT_REWRITING_USES_H */
