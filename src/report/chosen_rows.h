/*-------------------------------------------------------------------------
 *
 * chosen_rows.h
 *	  Aggregates of some of a group's rows, which its other rows decide: gpu_argmin,
 *	  gpu_argmax, gpu_first and gpu_last, of those where another column is least or
 *	  greatest; and sum(DISTINCT ...) and the like, of one for each value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_CHOSEN_ROWS_H
#define GS_REPORT_CHOSEN_ROWS_H

#include "report/translate/translate.h"

/* Is any of these aggregates one? */
extern bool gs_has_chosen_rows(const List *aggregates);

/*
 * If so, the rows of t, whose filter has been translated, become those of a plan
 * before it, and *keys and *aggregates expressions of what they have.  Else it
 * leaves all as it is.  False, with t->reason: it cannot be done.
 */
extern bool gs_translate_chosen_rows(gs_translation *t, List **keys,
									 List **aggregates);

#endif							/* GS_REPORT_CHOSEN_ROWS_H */
