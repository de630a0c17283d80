/*-------------------------------------------------------------------------
 *
 * compare.h
 *	  Are values, or results of two executions, the same bit for bit?
 *
 * A function that finds a difference describes it and returns false.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TEST_COMPARE_H
#define TEST_COMPARE_H

#include "engine/engine.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Indexed by gs_type. */
extern const char *const type_names[GS_TYPES];

extern bool is_float(gs_type type);

/* The least and the greatest value of integers or booleans. */
extern int64_t type_min(gs_type type);
extern int64_t type_max(gs_type type);

/* A value's bits, or the value as a number. */
extern uint64_t value_bits(gs_type type, gs_value v);
extern int64_t value_int(gs_type type, gs_value v);
extern double value_double(gs_type type, gs_value v);

typedef struct difference
{
	char		text[300];
} difference;

/* Describe a difference; returns false. */
extern bool differ(difference *d, const char *format,...)
			__attribute__((format(printf, 2, 3)));

extern bool same_product(gs_product x, gs_product y);
extern bool same_value(gs_type type, const char *what, gs_value got,
					   gs_value wanted, difference *d);

/* Compare the numbers of elements. */
extern bool same_sizes(const gs_result *got, const gs_result *wanted,
					   difference *d);

/*
 * Compare all results of a reduction except sums of floats: only the caller
 * knows whether it wants accumulators or rounded values.
 */
extern bool same_reduction(const gs_op *op, const gs_result *got,
						   const gs_result *wanted, difference *d);
extern bool has_float_sum(const gs_op *op);

/* Compare the counts of a histogram. */
extern bool same_counts(const gs_op *op, const gs_result *got,
						const gs_result *wanted, difference *d);

#ifdef __cplusplus
}
#endif

#endif							/* TEST_COMPARE_H */
