/*-------------------------------------------------------------------------
 *
 * decimal.h
 *	  Functions of arrays of numeric, for those that take any array.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_FUNCTIONS_DECIMAL_H
#define GS_FUNCTIONS_DECIMAL_H

#include "fmgr.h"

/* Is the first argument an array of numeric? */
extern bool gs_takes_decimals(FunctionCallInfo fcinfo);

/*
 * Call a function that compares elements, with bounds of type numeric if there
 * are any.  Does it give elements, or something else?
 */
extern Datum gs_compare_decimals(FunctionCallInfo fcinfo, PGFunction function,
								 bool gives_elements);

/* Call a function that only moves elements, which stay as they are. */
extern Datum gs_move_decimals(FunctionCallInfo fcinfo, PGFunction function);

#endif							/* GS_FUNCTIONS_DECIMAL_H */
