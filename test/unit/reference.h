/*-------------------------------------------------------------------------
 *
 * reference.h
 *	  What an operation gives, said as plainly as can be.
 *
 *-------------------------------------------------------------------------
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "harness.h"

extern outcome reference(const gs_op *op, const test_array *a);

/* As SQL orders two values of a type; -0 is equal to 0. */
extern int	compare_sql(gs_type type, gs_value a, gs_value b);

/* The bucket of a value, numbered as in gs_result.counts. */
extern int32_t bucket_of(const gs_op *op, double x);

#endif							/* REFERENCE_H */
