/*-------------------------------------------------------------------------
 *
 * numeric.h
 *	  Results of type numeric, from exact integers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_NUMERIC_H
#define GS_NUMERIC_H

#include "engine/engine.h"

/* What gs_numeric_spread computes. */
typedef enum gs_spread
{
	GS_VARIANCE,
	GS_STDDEV
} gs_spread;

/* Of integers; of decimals, times 10^scale. */
extern Datum gs_numeric_sum(const gs_result *result, int scale);
extern Datum gs_numeric_avg(const gs_result *result, int scale);
extern Datum gs_numeric_spread(const gs_result *result, int scale,
							   gs_spread spread, bool sample);

/* Mean and spread from sums and sums of squares. */
extern Datum gs_numeric_mean(Datum sum, int64_t count);
extern Datum gs_numeric_spread_of(Datum sum, Datum squares, int64_t n,
								  gs_spread spread, bool sample);
extern Datum gs_numeric_binary(const uint32_t *words, int n, bool negative,
							   int exponent);

#endif							/* GS_NUMERIC_H */
