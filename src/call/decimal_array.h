/*-------------------------------------------------------------------------
 *
 * decimal_array.h
 *	  Arrays of numeric as arrays of bigint and one scale, and back.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DECIMAL_ARRAY_H
#define GS_DECIMAL_ARRAY_H

#include "fmgr.h"
#include "utils/array.h"

/*
 * numeric[] as bigint[] of the same shape: the elements times 10^*scale, which
 * is the greatest of their display scales and at least *scale.  Raises an error
 * in the name of `function` if they have more than 18 digits, or are no numbers.
 */
extern ArrayType *gs_decimal_array_read(const char *function, Datum array,
										int *scale);

/* Multiply the elements of such a bigint[], in place, by 10^(to - from). */
extern void gs_decimal_array_raise(const char *function, ArrayType *integers,
								   int from, int to);

/* A value, likewise. */
extern int64 gs_decimal_value_read(const char *function, Datum value,
								   int scale);

/* bigint[] as numeric[] of the same shape: the elements times 10^-scale. */
extern Datum gs_decimal_array_make(Datum integers, int scale);

/*
 * Argument i, an array, and scale 0; but numeric[] as bigint[], with its scale.
 */
extern Datum gs_decimal_argument(FunctionCallInfo fcinfo, int i,
								 const char *function, int *scale);

#endif							/* GS_DECIMAL_ARRAY_H */
