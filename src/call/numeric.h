/*-------------------------------------------------------------------------
 *
 * numeric.h
 *	  Results of type numeric, from exact sums.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_NUMERIC_H
#define GS_NUMERIC_H

#include "exact/figures.h"

/* Mean and spread from sums and sums of squares. */
extern Datum gs_numeric_mean(Datum sum, int64_t count);
extern Datum gs_numeric_spread(Datum sum, Datum squares, int64_t n,
							   gs_figure f);
extern Datum gs_numeric_binary(const uint32_t *words, int n, bool negative,
							   int exponent);

#endif							/* GS_NUMERIC_H */
