/*-------------------------------------------------------------------------
 *
 * scales.h
 *	  numeric columns without a scale of their own: which one do all values have?
 *
 * Results show the values' display scales, so that a column is held only where
 * one is that of all.  A report assumes the one that the session has met last.
 * A value that has another one ends it: then there is another try, or, if even
 * that meets such a value, the ordinary plan, and the column is lost (losses.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_SCALES_H
#define GS_REPORT_SCALES_H

#include "access/attnum.h"

/* Of a column of a table that a query names. */
extern int	gs_scale_assumed(Oid relation, AttrNumber attribute);

/* A value has this scale. */
extern void gs_scale_learn(Oid relation, AttrNumber attribute, int scale);

#endif							/* GS_REPORT_SCALES_H */
