/*-------------------------------------------------------------------------
 *
 * extreme_rows.h
 *	  Aggregates of rows where another column is least or greatest: gpu_argmin,
 *	  gpu_argmax, gpu_first and gpu_last.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_EXTREME_ROWS_H
#define GS_REPORT_EXTREME_ROWS_H

#include "report/translate/translate.h"

/* Is any of these aggregates one? */
extern bool gs_has_extreme_rows(const List *aggregates);

/*
 * If so, the rows of t, whose filter has been translated, become those of a plan
 * before it, and *keys and *aggregates expressions of what they have.  Else it
 * leaves all as it is.  False, with t->reason: it cannot be done.
 */
extern bool gs_translate_extreme_rows(gs_translation *t, List **keys,
									  List **aggregates);

#endif							/* GS_REPORT_EXTREME_ROWS_H */
