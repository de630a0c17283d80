/*-------------------------------------------------------------------------
 *
 * check.h
 *	  What the parts of check share.
 *
 *		check.c			options, threads, totals
 *		sizes.c			which operations, types and sizes are tried
 *		cases.c			a random operation over random data
 *		arrays.c		random arrays, packed as engines take them
 *		engines.c		a case on both engines, and what comes of it
 *		execution.c		a case on an engine, in feeds
 *		outcome.c		are two outcomes the same?
 *		times.c			how long warm calls take
 *		worker.c		what a thread works with
 *
 *-------------------------------------------------------------------------
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda_engine.h"
#include "test/common/compare.h"
#include "test/common/data.h"
#include "test/common/random.h"

#define MAX_BUCKETS		70000

/* The command line. */
typedef struct check_options
{
	bool		small;
	bool		times;
	uint64_t	seed;
	const char *only;			/* a family; NULL: all */
	int			threads;
	uint64_t	memory_limit;
	int			device;
} check_options;

extern check_options options;

/* Memory handed out from a block, all of it taken back at once. */
typedef struct arena
{
	char	   *base;
	size_t		size;
	size_t		used;
	bool		registered;		/* with CUDA */
} arena;

/* What one thread works with, beside its stream of random numbers. */
typedef struct worker
{
	arena		memory;
	int64_t    *counts[2];		/* of histograms */
	double	   *edges;
} worker;

/* An operation over an array. */
typedef struct array_case
{
	gs_op		op;
	int64_t		n;
	gs_span		data;
	gs_span		mask;
	gs_span		third;
	data_kind	values;
	null_pattern nulls;
	int64_t		cut;			/* elements a feed, or one of these */
	uint64_t	part;			/* GS_SELECT: which part is taken */

	/* where the arrays are copied to, if op.cached */
	gs_span		data_copy;
	gs_span		mask_copy;
	gs_span		third_copy;
} array_case;

#define CUT_RANDOM		0
#define CUT_MAX			(-1)	/* feeds as large as the engine takes */

/* All that an execution gives. */
typedef struct outcome
{
	gs_status	status;
	int32_t		answer;
	int64_t		position;
	gs_result	result;
	int64_t		n;				/* results */
	int64_t		present;
	uint8_t    *values;
	uint8_t    *bits;
	int64_t    *taken_counts;	/* GS_DISTINCT */
	uint8_t    *column[GS_COLUMNS]; /* of groups or segments; NULL: there
									 * is none */
	int64_t		rows[GS_COLUMNS];
	difference	problem;		/* what is wrong already */
} outcome;

/* check.c */
extern void fail(const char *message) __attribute__((noreturn));
extern double now_ms(void);

/* worker.c */
extern void worker_init(worker *w, uint64_t number, size_t size,
						bool registered);
extern void worker_end(worker *w);
extern void *arena_take(arena *a, size_t size);

/* sizes.c */
extern void try_small(void);
extern void try_all(uint64_t thread);	/* what thread 1, 2, ... tries */

/* cases.c */
extern bool is_tried(int kind, int type);
extern void random_case(worker *w, array_case *c, int kind, gs_type type,
						int64_t n, data_kind values, null_pattern nulls);
extern void describe_case(const array_case *c, char *text, size_t size);
extern int	ascending(const void *a, const void *b);	/* of doubles */

/* arrays.c */
extern void scatter_specials(gs_span *span, gs_type type);
extern gs_span random_span(arena *a, gs_type type, int64_t n, data_kind kind,
						   null_pattern nulls);
extern gs_span random_flags(arena *a, int64_t n, int64_t density,
							null_pattern nulls);

/* engines.c */
extern void try_case(worker *w, const array_case *c);
extern void print_totals(int64_t *comparisons, int *good, int *bad);

/* execution.c */
extern outcome execute(worker *w, const gs_engine *engine,
					   const array_case *c, int64_t *counts);

/* outcome.c */
extern bool same_outcome(const gs_op *op, const outcome *got,
						 const outcome *wanted, difference *d);

/* times.c */
extern void print_times(void);

#endif							/* CHECK_H */
