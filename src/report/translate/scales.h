/*-------------------------------------------------------------------------
 *
 * scales.h
 *	  Columns whose equal values can look different: numeric ones, and those of
 *	  floats.
 *
 * Which of several equal values a key, a least or greatest value, a mode or a
 * percentile shows depends, in PostgreSQL, on the order of rows and on the plan.
 * So none is taken whose equal values may differ (gs_equals_look_same):
 *
 *	- numeric shows a display scale.  A column without one is held only where
 *	  all values have the same.  A report assumes the one that the session has
 *	  met last.  A value that has another one ends it: then there is another try,
 *	  or, if even that meets such a value, the ordinary plan.
 *	- Of floats, -0 and 0 are equal.  The engine counts the -0 of a group.  Where
 *	  one might be shown, the ordinary plan runs (gs_report_cannot_show).
 *	- char(n) is padded to the same length, and held only where that is known
 *	  (has_codes() of column.c); so are texts of no other collations than
 *	  deterministic ones, whose equal values have the same bytes.
 *
 * Intervals, arrays and records are not taken at all.  What has made the ordinary
 * plan run is remembered for a while, and not tried again (losses.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_SCALES_H
#define GS_REPORT_SCALES_H

#include "access/attnum.h"

/* Why results cannot be made. */
#define GS_ORDER_DECIDES	"the result is 0 or -0 depending on the order of rows"

/* Of a column of a table that a query names. */
extern int	gs_scale_assumed(Oid relation, AttrNumber attribute);

/* A value has this scale. */
extern void gs_scale_learn(Oid relation, AttrNumber attribute, int scale);

#endif							/* GS_REPORT_SCALES_H */
