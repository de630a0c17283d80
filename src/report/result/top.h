/*-------------------------------------------------------------------------
 *
 * top.h
 *	  ORDER BY an aggregate or a key ... LIMIT: which groups can be among the first.
 *
 * Of very many groups only what the order is of is fetched then, and of those that
 * can be shown the rest.  PostgreSQL sorts these.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TOP_H
#define GS_REPORT_TOP_H

#include "report/result/result.h"

/* The order, as the planner has it: a list of integers. */
typedef enum gs_report_top
{
	GS_TOP_ENTRY,				/* its place among the keys, then aggregates */
	GS_TOP_GROUPS,				/* so many are wanted */
	GS_TOP_TIES,				/* 0 or 1: more of the order chooses among groups that
								 * are equal by it */
	GS_TOP_OPERATOR,			/* OIDs */
	GS_TOP_COLLATION,
	GS_TOP_NULLS_FIRST			/* 0 or 1 */
} gs_report_top;

/* It pays if there are so many times the groups that are wanted. */
#define GS_TOP_SHARE	4

/* No more than this many are wanted. */
#define GS_TOP_MAX		100000

/* Groups that stand one after the other. */
typedef struct gs_group_range
{
	int64		first;
	int64		n;
} gs_group_range;

/*
 * Of a run that has been finished: *ranges of the groups that can be among the
 * first, in ascending order, *n of them; NULL: all of them, since there are not
 * many more, or what is fetched does not tell.
 */
extern gs_status gs_report_find_top(gs_report_run *run,
									const gs_report_shape *shape,
									const List *top,
									gs_group_range **ranges, int *n);

/*
 * fetch.c: are a key's codes, which others may have made, those of values, or of
 * rows?
 */
extern bool gs_report_key_is_possible(const gs_report_value *key,
									  const gs_report_groups *groups);

#endif							/* GS_REPORT_TOP_H */
