/*-------------------------------------------------------------------------
 *
 * dimension.h
 *	  A table, or whatever else PostgreSQL can scan, whose rows those of the
 *	  report's own table look up by key: a join.
 *
 * The rows come through a plan of PostgreSQL's, and stay in the session's memory
 * for an execution.  What an expression gives for each of them is a table of the
 * report's plan, in which the report's rows find their place by the key.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_DIMENSION_H
#define GS_REPORT_DIMENSION_H

#include "nodes/execnodes.h"
#include "nodes/nodes.h"
#include "nodes/primnodes.h"

#define GS_DIMENSIONS_MAX	16

/* More rows are not read. */
#define GS_DIMENSION_ROWS	(1 << 24)

typedef struct gs_dimension
{
	JoinType	kind;			/* JOIN_INNER, JOIN_LEFT, JOIN_SEMI, JOIN_ANTI */
	List	   *columns;		/* Vars: what the plan's rows have, in this order */

	/*
	 * Expressions over these Vars, and over the report's table and earlier
	 * dimensions: pair by pair they are equal, by the default equality of their
	 * types.  NIL: there is one row at most.
	 */
	List	   *inner_keys;
	List	   *outer_keys;

	PlanState  *plan;			/* NULL when planning */
	double		rows_expected;	/* when planning */

	struct gs_dimension_rows *rows; /* dimension.c's, when executing */
} gs_dimension;

/*
 * Executing: read all rows, into the current memory context, in which what is
 * made of them lives, too.  scan: the report's.  NULL, or English: why that
 * cannot be done.
 */
extern const char *gs_dimension_read(gs_dimension *d, PlanState *scan);

#endif							/* GS_REPORT_DIMENSION_H */
