/*-------------------------------------------------------------------------
 *
 * order.h
 *	  Percentiles, for functions that share them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ORDER_H
#define GS_ORDER_H

#include "call/call.h"
#include "functions/order/multiset.h"

/*
 * Percentiles of one array: what gs_fetch_percentiles finds call->fetch_arg to
 * be.
 */
typedef struct gs_percentiles
{
	bool		discrete;		/* elements, not interpolated */
	bool		decimals;		/* of integers that are times 10^scale */
	int			scale;
	int			n;
	const double *fraction;
	const bool *null;			/* which of them are NULL; NULL: none */
	Datum	   *result;
} gs_percentiles;

/*
 * low + proportion (high - low) of elements, 0 <= proportion < 1, in double
 * precision.
 */
extern Datum gs_interpolated(gs_type type, const void *low, const void *high,
							 double proportion);
extern gs_status gs_fetch_percentiles(gs_call *call, const gs_engine *engine);
extern void gs_check_fraction(double fraction);

/* Argument 1 of an aggregate's call, where it had no rows. */
extern void gs_check_unused_fraction(FunctionCallInfo fcinfo);
extern Datum gs_percentile(FunctionCallInfo fcinfo, gs_call *call,
						   double fraction, bool discrete);

/* Of at least one value of this type; fractions and results are in arrays. */
extern Datum gs_percentiles_of_multiset(const gs_multiset *m, Oid type,
										ArrayType *fractions, bool discrete);

#endif							/* GS_ORDER_H */
