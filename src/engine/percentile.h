/*-------------------------------------------------------------------------
 *
 * percentile.h
 *	  Where among ordered values a percentile lies, and its value there.
 *
 * As SQL's percentile_cont and percentile_disc have it.  An interpolated value
 * is rounded once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PERCENTILE_H
#define GS_PERCENTILE_H

#include "exact/line.h"

/* A part of the way from the value of a rank, counted from 0, to the next. */
typedef struct gs_place
{
	int64_t		rank;
	double		proportion;		/* 0 to 1; 0: there need be no next one */
} gs_place;

/* Of n > 0 values; the fraction is 0 to 1. */
GS_INLINE gs_place
gs_percentile_place(double fraction, bool discrete, int64_t n)
{
	gs_place	r = {0, 0};
	double		place = fraction * (double) (discrete ? n : n - 1);

	if (discrete)
	{
		r.rank = (int64_t) ceil(place) - 1;
		r.rank = r.rank > 0 ? r.rank : 0;
		return r;
	}
	r.rank = (int64_t) floor(place);
	r.proportion = place - (double) r.rank;
	return r;
}

/*
 * PostgreSQL's percentile_disc takes one of n values: the first that has the
 * fraction at or before it.  Is it the one at or before fraction * (n - 1), 0, or
 * the next, 1?  It is either; rounding does not change this as long as n < 2^32.
 */
GS_INLINE int
gs_percentile_element(double fraction, int64_t n)
{
	return gs_percentile_place(fraction, true, n).rank >
		gs_percentile_place(fraction, false, n).rank;
}

/* A value, exactly: lo is a zero where hi alone is it, and keeps a -0. */
GS_INLINE gs_pair
gs_percentile_float(double x)
{
	gs_pair		r = {x, -0.0};

	return r;
}

GS_INLINE gs_pair
gs_percentile_integer(int64_t x)
{
	return gs_pair_normal(x);
}

/*
 * The value part of the way from low to high, where doubles decide it; false if
 * they do not.
 */
GS_INLINE bool
gs_percentile_quickly(gs_pair low, gs_pair high, double proportion,
					  double *result)
{
	double		sum = low.hi + high.hi;

	if (proportion == 0)
		*result = low.hi == low.hi ? low.hi + low.lo : gs_canonical_nan();
	else if (!gs_is_finite(low.hi) || !gs_is_finite(high.hi))
		*result = sum == sum ? sum : gs_canonical_nan();
	else
		return low.lo == 0 && high.lo == 0 &&
			gs_interpolate_quickly(low.hi, high.hi, proportion, result);
	return true;
}

/* The percentile's value, in any case. */
static inline double
gs_percentile_value(gs_pair low, gs_pair high, double proportion)
{
	double		value;

	return gs_percentile_quickly(low, high, proportion, &value) ? value :
		gs_interpolate(low, high, proportion);
}

#endif							/* GS_PERCENTILE_H */
