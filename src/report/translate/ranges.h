/*-------------------------------------------------------------------------
 *
 * ranges.h
 *	  Between which integers a column's values lie, as this session knows it.
 *
 * A plan that needs a range is made, and asks for it; the service finds it out;
 * and the plan is made once more.  Ranges are remembered: they may be older
 * than the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_RANGES_H
#define GS_REPORT_RANGES_H

#include "access/attnum.h"
#include "nodes/pg_list.h"
#include "utils/snapshot.h"

#include "engine/plan.h"

struct gs_translation;
struct gs_report_run;

/* Columns, of a named table, whose ranges a plan uses. */
typedef struct gs_column_ranges
{
	int			n;
	AttrNumber	attribute[GS_PLAN_COLUMNS];
	bool		missing;		/* one of them is not known */
} gs_column_ranges;

/* Add a column.  False: its range is not known.  high < low: it has no values. */
extern bool gs_ranges_find(gs_column_ranges *ranges, Oid relation,
						   AttrNumber attribute, int64 *low, int64 *high);

/*
 * A column's range, without asking for it: from statistics, too, which may be
 * wrong.
 */
extern bool gs_ranges_guess(Oid relation, AttrNumber attribute, int64 *low,
							int64 *high);

/*
 * Have the service find out the ranges that a plan uses.  *grown: one of them is
 * not what it was.
 */
extern gs_status gs_ranges_read(struct gs_report_run *run,
								const struct gs_translation *t, List *tables,
								Snapshot snapshot, bool *grown);

#endif							/* GS_REPORT_RANGES_H */
