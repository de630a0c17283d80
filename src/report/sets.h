/*-------------------------------------------------------------------------
 *
 * sets.h
 *	  Grouping sets: each is a report of its own over the same rows.
 *
 * A query without any has one set, of all keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_SETS_H
#define GS_REPORT_SETS_H

#include "nodes/pg_list.h"

#include "report/result.h"

typedef struct gs_report_set
{
	gs_report_shape shape;		/* its own keys, and all aggregates */
	int		   *place;			/* of its keys among all keys */

	int			keys;			/* all */
	int			groupings;
	int		   *grouping;		/* their values */

	/* a group; NULL: it is as the tuple has it */
	Datum	   *values;
	bool	   *isnull;
	gs_report_result *result;	/* NULL: not made */
} gs_report_set;

/*
 * sets, groupings: as the planner found them (query.h).  needed: which of all
 * keys and aggregates.
 */
extern gs_report_set *gs_report_make_sets(List *sets, List *groupings,
										  int keys, int aggregates,
										  const bool *needed, int *n);

/* The set's next group as a tuple: keys, aggregates, groupings. */
extern bool gs_report_set_next(gs_report_set *set, Datum *values,
							   bool *isnull);
extern void gs_report_rewind_sets(gs_report_set *set, int n);
extern void gs_report_free_sets(gs_report_set *set, int n);

#endif							/* GS_REPORT_SETS_H */
