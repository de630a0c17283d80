/*-------------------------------------------------------------------------
 *
 * elementwise.h
 *	  Functions whose result has an element for each of their arrays'.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTWISE_H
#define GS_ELEMENTWISE_H

#include "call/call.h"

/* An error if the dimensions of two arrays differ. */
extern bool gs_same_shape(const ArrayType *a, const ArrayType *b);
extern void gs_require_same_shape(const ArrayType *a, const ArrayType *b);

/*
 * The results of a map, of which call has the operation and the arrays, as an
 * array of this shape; `nulls`: one may be NULL.  Closes the call.  False: an
 * engine has refused the arrays (gs_call_execute).
 */
extern bool gs_call_map(gs_call *call, Oid elemtype, const ArrayType *shape,
						bool nulls, Datum *result);

/* Raise the error of the element that an engine has no result for. */
pg_noreturn extern void gs_raise_value_error(const gs_op *op,
											 const gs_error *error);

#endif							/* GS_ELEMENTWISE_H */
