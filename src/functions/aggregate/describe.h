/*-------------------------------------------------------------------------
 *
 * describe.h
 *	  The row of gpu_describe.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DESCRIBE_H
#define GS_DESCRIBE_H

#define GS_DESCRIBE_FRACTIONS	3

/* Its columns. */
enum
{
	DESCRIBE_COUNT,
	DESCRIBE_NULLS,
	DESCRIBE_NANS,
	DESCRIBE_MIN,
	DESCRIBE_MAX,
	DESCRIBE_SUM,
	DESCRIBE_AVG,
	DESCRIBE_STDDEV,
	DESCRIBE_PERCENTILES,
	DESCRIBE_COLUMNS = DESCRIBE_PERCENTILES + GS_DESCRIBE_FRACTIONS
};

static const double gs_describe_fractions[GS_DESCRIBE_FRACTIONS] = {
	0.25, 0.5, 0.75
};

#endif							/* GS_DESCRIBE_H */
