/*-------------------------------------------------------------------------
 *
 * figures.h
 *	  The SQL values of figures (exact/figures.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CALL_FIGURES_H
#define GS_CALL_FIGURES_H

#include "engine/engine.h"
#include "exact/figures.h"

/* The sums of a reduction; of decimals, if scale is not 0. */
extern gs_sums gs_result_sums(const gs_result *result, gs_type type, int scale);

/*
 * Double precision, real or bigint as the figure has it; of integers all but
 * GS_FIGURE_SUM_BIGINT are numeric.  In the current memory context.
 */
extern gs_rounding gs_figure_datum(gs_figure f, const gs_sums *s,
								   Datum *value);

/* The same; NULL sets *isnull, and what is out of range is an error. */
extern Datum gs_figure_result(gs_figure f, const gs_sums *s, bool *isnull);

/* Raise the error that a rounding stands for; true: the result is NULL. */
extern bool gs_rounding_is_null(gs_rounding rounding);

#endif							/* GS_CALL_FIGURES_H */
