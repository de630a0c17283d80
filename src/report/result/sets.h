/*-------------------------------------------------------------------------
 *
 * sets.h
 *	  Grouping sets: each is a report of its own over the same rows, or is
 *	  merged from the groups of one with more keys.
 *
 * A query without any has one set, of all keys.  There may be one more set than
 * the query has, hidden behind these: of all keys, only to merge others from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_SETS_H
#define GS_REPORT_SETS_H

#include "nodes/pg_list.h"

#include "report/result/result.h"

typedef struct gs_report_set
{
	int			own_keys;
	int		   *own;			/* their places among all keys */
	bool	   *needed;			/* these, then all aggregates */

	int			keys;			/* all */
	int			groupings;
	int		   *grouping;		/* their values */

	/* the groups: their keys are its own, or those of the set they are from */
	gs_report_shape shape;
	int		   *place;			/* of the shape's keys among all keys */
	gs_report_groups *groups;	/* to merge others from; NULL: not kept */

	/* a group; NULL: it is as the tuple has it */
	Datum	   *values;
	bool	   *isnull;
	gs_report_result *result;	/* NULL: not made */
} gs_report_set;

/*
 * sets, groupings: as the planner found them (query.h).  hidden: add the hidden
 * set, which *n does not count.  needed: which of all keys and aggregates.
 */
extern gs_report_set *gs_report_make_sets(List *sets, List *groupings,
										  bool hidden, int keys, int aggregates,
										  const bool *needed, int *n);

/* Its groups will be its own. */
extern void gs_report_set_alone(gs_report_set *set);

/* Has it all keys of the other one? */
extern bool gs_report_set_covers(const gs_report_set *set,
								 const gs_report_set *other);

/*
 * Merge its groups from those that another set has kept, and keep them, too, in
 * the current memory context.  False: there is no room.
 */
extern bool gs_report_set_merge(gs_report_set *set, const gs_report_set *from,
								gs_report_memory *memory);

/* Make results of them.  Returns as gs_report_result_add does. */
extern const char *gs_report_set_results(gs_report_set *set,
										 gs_report_memory *memory);

/* The set's next group as a tuple: keys, aggregates, groupings. */
extern bool gs_report_set_next(gs_report_set *set, Datum *values,
							   bool *isnull);
extern void gs_report_rewind_sets(gs_report_set *set, int n);
extern void gs_report_free_sets(gs_report_set *set, int n,
								gs_report_memory *memory);

/* What is kept only to merge others from. */
extern void gs_report_free_groups(gs_report_set *set, int n,
								  gs_report_memory *memory);

#endif							/* GS_REPORT_SETS_H */
