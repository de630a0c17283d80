/*-------------------------------------------------------------------------
 *
 * reference.h
 *	  The results of operations, computed as plainly as possible.
 *
 *-------------------------------------------------------------------------
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "harness.h"

extern outcome reference(const gs_op *op, const test_array *a);

/* Append a result. */
extern void emit(outcome *o, bool valid, gs_value v);

/* reference_moving.c */
extern void reference_of_frames(const gs_op *op, const test_array *a,
								outcome *o);
extern void reference_of_means(const gs_op *op, const test_array *a,
							   outcome *o);

/* reference_elements.c */
extern void reference_of_elements(const gs_op *op, const test_array *a,
								  outcome *o);

/* Compare two values of a type in SQL's order; -0 equals 0. */
extern int	compare_sql(gs_type type, gs_value a, gs_value b);

/* Compare two values in that order, but with -0 below 0. */
extern int	compare_value(gs_type type, gs_value a, gs_value b);

/* The value, or the one NaN that results have. */
extern gs_value canonical(gs_type type, gs_value v);

/* The bucket of a value, numbered as in gs_result.counts. */
extern int32_t bucket_of(const gs_op *op, double x);

#endif							/* REFERENCE_H */
