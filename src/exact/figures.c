/*-------------------------------------------------------------------------
 *
 * figures.c
 *	  From exact sums to figures, by the functions of exact.c and regression.c.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/figures.h"

static gs_rounding
round_to_float(gs_limbs sum, double *result)
{
	float		rounded = 0;
	gs_rounding rounding = gs_limbs_round_float(sum, &rounded);

	*result = rounded;
	return rounding;
}

gs_rounding
gs_figure_real(gs_figure f, const gs_sums *s, double *result)
{
	bool		sample = gs_figure_least(f) == 2;

	if (s->n < gs_figure_least(f))
		return GS_UNDEFINED;
	switch (f)
	{
		case GS_FIGURE_SUM:
			return gs_limbs_round(s->x, result);
		case GS_FIGURE_SUM_REAL:
			return round_to_float(s->x, result);
		case GS_FIGURE_SUM_BIGINT:
			break;
		case GS_FIGURE_AVG:
			return gs_limbs_mean(s->x, s->n, result);
		case GS_FIGURE_VAR_POP:
		case GS_FIGURE_VAR_SAMP:
			return gs_limbs_variance(s->x, s->xx, s->n, sample, result);
		case GS_FIGURE_STDDEV_POP:
		case GS_FIGURE_STDDEV_SAMP:
			return gs_limbs_stddev(s->x, s->xx, s->n, sample, result);
		case GS_FIGURE_SXX:
			return gs_squared_deviations(s, result);
		case GS_FIGURE_CORR:
			return gs_correlation(s, result);
		case GS_FIGURE_SLOPE:
			return gs_slope(s, result);
		case GS_FIGURE_INTERCEPT:
			return gs_intercept(s, result);
		case GS_FIGURE_R2:
			return gs_determination(s, result);
		case GS_FIGURE_COVAR_POP:
		case GS_FIGURE_COVAR_SAMP:
			return gs_covariance(s, sample, result);
		case GS_FIGURE_SXY:
			return gs_deviation_products(s, result);
		case GS_FIGURE_WEIGHTED_AVG:
			return gs_weighted_mean(s, result);
	}
	return GS_UNDEFINED;
}

gs_rounding
gs_figure_bigint(const gs_sums *s, int64_t *result)
{
	uint64_t	sign = (uint64_t) ((int64_t) s->sum[0] >> 63);

	if (s->n < 1)
		return GS_UNDEFINED;
	for (int i = 1; i < s->words; i++)
	{
		if (s->sum[i] != sign)
			return GS_INTEGER_OVERFLOW;
	}
	*result = (int64_t) s->sum[0];
	return GS_ROUNDED;
}
