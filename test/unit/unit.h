/*-------------------------------------------------------------------------
 *
 * unit.h
 *	  The frame of the unit tests: what passes and fails is counted.
 *
 * A test is a line of output; it passes if all it expects holds.  All random
 * numbers follow from one seed, another one each time, which is printed and can
 * be given as the program's argument; a second one is the number of random plans.
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
#include "test/common/data.h"
#include "test/common/random.h"

/* A test: expectations between its begin and its end. */
extern void test_begin(const char *format,...)
			__attribute__((format(printf, 1, 2)));
extern bool expect(bool condition, const char *format,...)
			__attribute__((format(printf, 2, 3)));
extern void test_end(void);

/* malloc that aborts instead of returning NULL. */
extern void *allocate(size_t size);

/* The tests. */
extern void test_exact(void);
extern void test_regression(void);
extern void test_line(void);
extern void test_elementary(void);
extern void test_elementary_blocks(void);
extern void test_series(void);
extern void test_product(void);
extern void test_op(void);
extern void test_bits(void);
extern void test_change_width(void);
extern void test_scaled(void);
extern void test_scatter(void);
extern void test_engine(void);
extern void test_group_op(void);
extern void test_moving_prefixes(void);
extern void test_moving_moments(void);
extern void test_places(void);
extern void test_interpolations(void);
extern void test_moving_totals(void);
extern void test_moving_pairs(void);
extern void test_segments(void);
extern void test_expressions(void);
extern void test_expressions_of_parts(void);
extern void test_plan(void);
extern void test_message_values(void);
extern void test_group_many(void);
extern void test_group(uint64_t seed, int64_t plans);
extern void test_windows(uint64_t seed, int64_t cases);

#endif							/* UNIT_H */
