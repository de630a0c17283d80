/*-------------------------------------------------------------------------
 *
 * figures.c
 *	  From exact sums to figures: by the functions of moments.h, if the sums are
 *	  short, else by those of exact.c and regression.c.
 *
 *-------------------------------------------------------------------------
 */
#include "exact/moments.h"

static gs_rounding
round_to_float(gs_limbs sum, double *result)
{
	float		rounded = 0;
	gs_rounding rounding = gs_limbs_round_float(sum, &rounded);

	*result = rounded;
	return rounding;
}

static bool
find_short(gs_short *r, gs_limbs a)
{
	return gs_short_from_limbs(r, a.limb, a.n, a.lowest);
}

static bool
is_finite(gs_limbs a)
{
	return !(a.seen & (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
					   GS_SEEN_NEGATIVE_INF));
}

/* False: the sums are not short. */
static bool
find_quickly(gs_figure f, const gs_sums *s, gs_rounding *rounding,
			 double *result)
{
	bool		pairs = gs_figure_is_of_pairs(f);
	bool		squares = gs_figure_has_squares(f);
	gs_short_sums sums;

	sums.n = s->n;
	sums.x_finite = is_finite(s->x);
	sums.y_finite = is_finite(s->y);
	if (!find_short(&sums.x, s->x) ||
		(squares && !find_short(&sums.xx, s->xx)) ||
		(pairs && !(find_short(&sums.y, s->y) && find_short(&sums.xy, s->xy))) ||
		(pairs && squares && !find_short(&sums.yy, s->yy)))
		return false;
	return pairs ? gs_short_of_pairs(f, &sums, rounding, result) :
		gs_short_variance(f, &sums, rounding, result);
}

gs_rounding
gs_figure_real(gs_figure f, const gs_sums *s, double *result)
{
	bool		sample = gs_figure_least(f) == 2;
	gs_rounding rounding;

	if (s->n < gs_figure_least(f))
		return GS_UNDEFINED;
	if ((gs_figure_has_squares(f) || gs_figure_is_of_pairs(f)) &&
		find_quickly(f, s, &rounding, result))
		return rounding;
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
