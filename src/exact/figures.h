/*-------------------------------------------------------------------------
 *
 * figures.h
 *	  What follows from exact sums: means, variances, correlations.
 *
 * Of real numbers a figure is a double, rounded once.  Of integers it is
 * exact: a bigint here, or what PostgreSQL's numeric computes
 * (call/figures.c).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FIGURES_H
#define GS_FIGURES_H

#include "exact/exact.h"

typedef enum gs_figure
{
	GS_FIGURE_SUM,
	GS_FIGURE_SUM_REAL,			/* in single precision */
	GS_FIGURE_SUM_BIGINT,		/* of integers: in 64 bits */
	GS_FIGURE_AVG,

	/* with sums of squares */
	GS_FIGURE_VAR_POP,
	GS_FIGURE_VAR_SAMP,
	GS_FIGURE_STDDEV_POP,
	GS_FIGURE_STDDEV_SAMP,
	GS_FIGURE_SXX,				/* sum of squared deviations; of reals */

	/* of pairs of real numbers */
	GS_FIGURE_CORR,
	GS_FIGURE_SLOPE,
	GS_FIGURE_INTERCEPT,
	GS_FIGURE_R2,

	/* without sums of squares */
	GS_FIGURE_COVAR_POP,
	GS_FIGURE_COVAR_SAMP,
	GS_FIGURE_SXY,				/* sum of products of deviations */
	GS_FIGURE_WEIGHTED_AVG		/* of y by x */
} gs_figure;

GS_INLINE bool
gs_figure_is_of_pairs(gs_figure f)
{
	return f >= GS_FIGURE_CORR;
}

GS_INLINE bool
gs_figure_has_squares(gs_figure f)
{
	return f >= GS_FIGURE_VAR_POP && f < GS_FIGURE_COVAR_POP;
}

/* Of fewer values it is undefined. */
GS_INLINE int
gs_figure_least(gs_figure f)
{
	return f == GS_FIGURE_VAR_SAMP || f == GS_FIGURE_STDDEV_SAMP ||
		f == GS_FIGURE_COVAR_SAMP ? 2 : 1;
}

GS_INLINE gs_sums
gs_sums_of_reals(int64_t n, gs_limbs sum, gs_limbs squares)
{
	gs_sums		s;

	memset(&s, 0, sizeof s);
	s.n = n;
	s.x = sum;
	s.xx = squares;
	return s;
}

/* The sum has so many words, and that of squares three. */
GS_INLINE gs_sums
gs_sums_of_integers(int64_t n, const uint64_t *sum, int words,
					const uint64_t *squares, int scale)
{
	gs_sums		s;

	memset(&s, 0, sizeof s);
	s.n = n;
	s.sum = sum;
	s.words = words;
	s.squares = squares;
	s.scale = s.display = scale;
	return s;
}

#ifdef __cplusplus
extern "C"
{
#endif

/* Of real numbers. */
extern gs_rounding gs_figure_real(gs_figure f, const gs_sums *s,
								  double *result);

/* GS_FIGURE_SUM_BIGINT */
extern gs_rounding gs_figure_bigint(const gs_sums *s, int64_t *result);

#ifdef __cplusplus
}
#endif

#endif							/* GS_FIGURES_H */
