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

/* Of dates and timestamps the infinite ones are apart. */
typedef struct gs_column_range
{
	int64		low;
	int64		high;			/* less than low: there are no values */
	bool		infinite;		/* there may be infinite ones */
} gs_column_range;

/* Add a column.  False: its range is not known. */
extern bool gs_ranges_find(gs_column_ranges *ranges, Oid relation,
						   AttrNumber attribute, gs_column_range *range);

/*
 * A column's range, without asking for it: from statistics, too, which may be
 * wrong.
 */
extern bool gs_ranges_guess(Oid relation, AttrNumber attribute,
							gs_column_range *range);

/* The infinite values of a type; false: it is no date or timestamp. */
extern bool gs_infinities(Oid type, int64 *least, int64 *most);

/*
 * Have the service find out the ranges that a plan uses.  *grown: one of them is
 * not what it was.
 */
extern gs_status gs_ranges_read(struct gs_report_run *run,
								const struct gs_translation *t, List *tables,
								Snapshot snapshot, bool *grown);

#endif							/* GS_REPORT_RANGES_H */
