/*-------------------------------------------------------------------------
 *
 * unit.h
 *	  The framework of the unit tests: counting, random numbers, random arrays.
 *
 * A test is one line of output; it passes if all of its expectations hold.
 * All random numbers derive from one seed, which is printed and can be given
 * as the program's argument.
 *
 *-------------------------------------------------------------------------
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

/* A test: expectations between its begin and its end. */
extern void test_begin(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern bool expect(bool condition, const char *format,...)
			__attribute__((format(printf, 2, 3)));
extern void test_end(void);
extern int	tests_finish(void);

/* malloc that aborts instead of returning NULL. */
extern void *allocate(size_t size);

/* Random numbers. */
extern void random_seed(uint64_t seed);
extern uint64_t random_bits(void);
extern int64_t random_below(int64_t bound);
extern double random_uniform(void); /* in [0, 1) */
extern double random_normal(void);

/* Kinds of data that are hard for exact sums. */
typedef enum data_kind
{
	DATA_UNIFORM,
	DATA_NORMAL,
	DATA_MONEY,
	DATA_LOGNORMAL_2,
	DATA_LOGNORMAL_10,
	DATA_CANCEL,
	DATA_TIES,
	DATA_SUBNORMAL,
	DATA_NEAR_OVERFLOW,
	DATA_EDGE_OF_OVERFLOW,
	DATA_MIXED,
	DATA_BINADES,
	DATA_ZEROS,
	DATA_NEGATIVE_ZEROS,
	DATA_INFINITIES,
	DATA_NAN,
	DATA_SMALL_INTEGERS,
	DATA_ANY_BITS,
	DATA_KINDS
} data_kind;

extern const char *const data_names[DATA_KINDS];

extern void fill_double(double *v, int n, data_kind kind);

/* The same in the range and precision of float. */
extern void fill_float(float *v, int n, data_kind kind);

/* The tests. */
extern void test_exact(void);
extern void test_regression(void);
extern void test_product(void);
extern void test_op(void);
extern void test_bits(void);
extern void test_engine(void);

#endif							/* UNIT_H */
