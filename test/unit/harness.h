/*-------------------------------------------------------------------------
 *
 * harness.h
 *	  Runs an operation on an engine, from and to plain arrays.
 *
 * Inputs are packed into memory of exactly their size, so that
 * AddressSanitizer sees a read beyond them; outputs end in canaries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "test/common/compare.h"
#include "unit.h"

/* An array as tests see it: a value and a flag for each element. */
typedef struct test_array
{
	gs_type		type;
	int64_t		n;
	gs_value   *v;
	bool	   *valid;
	bool	   *mask;			/* heads or keep */
	bool	   *mask_valid;
} test_array;

/* The results of an execution. */
typedef struct outcome
{
	gs_status	status;
	int64_t		position;		/* of an error */
	int32_t		answer;			/* gs_error.answer */
	gs_result	result;			/* counts: of distinct values too */
	test_array	out;			/* scans, compactions and orders */
} outcome;

/* How an array is cut into feeds. */
typedef enum cut
{
	CUT_NONE,
	CUT_MIN,					/* GS_BATCH_ALIGN elements a feed */
	CUT_RANDOM
} cut;

extern test_array array_new(gs_type type, int64_t n);
extern void array_free(test_array *a);

/*
 * GS_DOT, GS_EXPRESSION: element i of the mask, unless mask_valid[i] is false:
 * the elements in reverse order.
 */
extern gs_value other_factor(const test_array *a, int64_t i);

/* As a value lies in memory: a bool is a byte there, in a gs_value an int2. */
extern gs_value value_load(gs_type type, const uint8_t *from);

/* Elements at .. at + n - 1 as a span, in memory of its own. */
extern gs_span span_of(const test_array *a, int64_t at, int64_t n);
extern void span_free(gs_span *span);

/* The size of the next feed, of so many elements that are left. */
extern int64_t piece_size(cut how, int64_t left);

extern outcome execute(const gs_op *op, const test_array *a, cut how);
extern void test_refused_results(void);
extern void outcome_free(outcome *o);

#endif							/* HARNESS_H */
