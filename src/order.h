/*-------------------------------------------------------------------------
 *
 * order.h
 *	  What depends on the elements' order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ORDER_H
#define GS_ORDER_H

#include "call.h"

extern void gs_check_fraction(double fraction);
extern Datum gs_percentile(FunctionCallInfo fcinfo, gs_call *call,
						   double fraction, bool discrete);

#endif							/* GS_ORDER_H */
