/*-------------------------------------------------------------------------
 *
 * result.h
 *	  A report's groups, in this session.
 *
 * All of them are fetched (fetch.h) before the first is used, so that the
 * service is free, and that whatever fails does so while the ordinary plan can
 * still take over.  The results are made as they come, while the service
 * fetches the next groups: they are smaller than the states.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_RESULT_H
#define GS_REPORT_RESULT_H

#include "report/aggregate/aggregates.h"

/* What is made of a group: keys, then aggregates. */
typedef struct gs_report_shape
{
	int			keys;
	int			aggregates;
	const gs_report_value *key;
	const gs_report_aggregate *aggregate;
	const gs_row_value *value;	/* of rows: each key's; NULL: they are groups.
								 * Groups may come as rows: all is keys then */
	const bool *needed;			/* others are not made */
} gs_report_shape;

/*
 * Bytes of this session's memory that groups take: of all grouping sets together,
 * their results and the states to merge others from, no more than the ordinary
 * plan's hash table might.
 */
typedef struct gs_report_memory
{
	double		limit;
	double		used;
	double		peak;
	double		file;			/* bytes of results that had no room */
} gs_report_memory;

extern void gs_report_memory_init(gs_report_memory *memory);

/* False: there is no room. */
extern bool gs_report_memory_take(gs_report_memory *memory, double size);

typedef struct gs_report_result gs_report_result;

/*
 * Make results of groups, in the current memory context.  add: of some more of
 * them; returns NULL, or why the ordinary plan must give them.  Of rows there are
 * as many gs_report_groups as keys, of one key each.
 */
extern gs_report_result *gs_report_result_begin(const gs_report_shape *shape,
												gs_report_memory *memory);
extern const char *gs_report_result_add(gs_report_result *result,
										const gs_report_groups *groups);
extern void gs_report_result_finish(gs_report_result *result);

/*
 * The next group, if there is one, from the first on after a rewind: sets what
 * is needed of it.  That stays until the next call.
 */
extern bool gs_report_result_next(gs_report_result *result, Datum *values,
								  bool *isnull);
extern void gs_report_result_rewind(gs_report_result *result);
extern void gs_report_result_free(gs_report_result *result);

#endif							/* GS_REPORT_RESULT_H */
