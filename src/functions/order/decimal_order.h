/*-------------------------------------------------------------------------
 *
 * decimal_order.h
 *	  numeric in order, of any digits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DECIMAL_ORDER_H
#define GS_DECIMAL_ORDER_H

#include "fmgr.h"

#include "engine/percentile.h"
#include "functions/order/order.h"

/*
 * Below, equal to or above 0 as a is to b.  Of equal values the one with fewer
 * decimal places comes first: it stands for all of them.
 */
extern int	gs_decimal_compare(Datum a, Datum b);

/*
 * gs_decimal_compare for the greatest: of equal values, that one is the
 * greater.
 */
extern int	gs_decimal_greatest(Datum a, Datum b);

/* The elements of a numeric[], without NULLs, in this order. */
typedef struct gs_decimals
{
	Datum	   *value;
	int64		n;
} gs_decimals;

extern void gs_decimals_sort(gs_decimals *d, Datum array);

/* The element of this rank, or the one that stands for it. */
extern Datum gs_decimals_element(const gs_decimals *d, int64 rank);

/* Keep the k greatest or least of sorted elements, best first. */
extern void gs_decimals_best(gs_decimals *d, int64 k, bool largest);

/* The sum of the elements, and of their squares. */
extern void gs_decimals_moments(const gs_decimals *d, Datum *sum,
								Datum *squares);

/* The least of the most frequent elements, if there are any. */
extern Datum gs_decimals_mode(const gs_decimals *d, int64 *distinct);

/*
 * low + (high - low) * proportion, in numeric's arithmetic.  The proportion is
 * that of the place, but of the fraction's shortest decimal form, and has as
 * many decimal places.
 */
extern Datum gs_decimal_between(Datum low, Datum high, double fraction,
								gs_place place, int64 n);

/* Percentiles of sorted elements, of which there is at least one. */
extern void gs_decimals_percentiles(const gs_decimals *d,
									const gs_percentiles *p);

#endif							/* GS_DECIMAL_ORDER_H */
