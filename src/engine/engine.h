/*-------------------------------------------------------------------------
 *
 * engine.h
 *	  What an engine does, stated without PostgreSQL and without CUDA.
 *
 * An engine executes one operation (gs_op) over one array.  The array comes in
 * chunks, in order, so that an input larger than any buffer streams through
 * with a carried state.  The life of an execution:
 *
 *		gs_op_check(&op)					is the description valid?
 *		engine->begin(&op, n, NULL, &run)	state for one execution
 *		engine->shape(run, &chunk, &depth)	how to cut the array
 *		engine->feed(run, &in, &out)		once a chunk, in order
 *		engine->wait(run)					once a feed, in order
 *		engine->finish(run, &result)		what is known only at the end
 *		engine->take(run, ...)				orders: some of the results
 *		engine->end(run)					always, after an error too
 *
 * feed may return before its work is done.  Until the matching wait returns,
 * the memory that in and out point to belongs to the engine, and out->n and
 * out->present are not set.  The CPU engine does everything in feed.  An empty
 * array is executed with no feed at all.
 *
 * With several feeds in flight, the place of a later feed's results depends on
 * how many results the earlier ones give.  An engine that stores results
 * elsewhere until they are wanted (late_output) therefore reads out->values
 * and out->validity only in wait, when that number is known.
 *
 * Every engine gives the same bits: a result follows from the data alone
 * (exact.h, product.h), never from chunks, threads or hardware.
 *
 * Elements are packed: an array of n elements of which p are not NULL has p
 * values, one after the other, and, when p < n, a bitmap of n bits, least
 * significant first, in which a 1 says that the element has a value.  This is
 * PostgreSQL's own layout; it is never expanded on the way.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ENGINE_H
#define GS_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/operations.h"
#include "exact/exact.h"
#include "exact/product.h"

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * Every chunk but the last of an array holds a multiple of this many elements:
 * bitmaps then start on a byte (on a 64-bit word, even), and a product's tree
 * (product.h) meets whole leaves.
 */
#define GS_CHUNK_ALIGN	1024

/* What lies in an engine's own memory starts on a multiple of this. */
#define GS_RESIDENT_ALIGN	256

/* Element types.  The values are part of the protocol. */
typedef enum gs_type
{
	GS_BOOL = 1,				/* one byte, 0 or 1 */
	GS_INT2,
	GS_INT4,
	GS_INT8,
	GS_FLOAT4,
	GS_FLOAT8
} gs_type;

#define GS_TYPES	(GS_FLOAT8 + 1)

/*
 * Kinds of operations: the rows of operations.h, numbered from 1.  The values
 * are part of the protocol.
 */
typedef enum gs_kind
{
	GS_NO_KIND,
#define GS_KIND(kind, ...)	kind,
	GS_OPERATIONS(GS_KIND)
#undef GS_KIND
	GS_KINDS					/* one more than the last */
} gs_kind;

/* Families of operations: those that an engine executes in the same way. */
typedef enum gs_family
{
	GS_NO_FAMILY,
	GS_FAMILY_REDUCE,			/* all of the result is in gs_result */
	GS_FAMILY_SCAN,
	GS_FAMILY_HISTOGRAM,		/* finish writes buckets + 3 int8 to
								 * gs_result.counts */
	GS_FAMILY_COMPACT,
	GS_FAMILY_ORDER				/* take gives the results */
} gs_family;

#define GS_FAMILIES	(GS_FAMILY_ORDER + 1)

/* When a result is NULL. */
typedef enum gs_null_result
{
	GS_NEVER_NULL,
	GS_NULL_IF_DATA,			/* elements are NULL */
	GS_NULL_IF_INCLUSIVE,		/* the same, but no addends give 0, no factors
								 * 1: an exclusive scan gives none */
	GS_NULL_OR_EXCLUSIVE		/* elements are NULL, or a run's first result
								 * is that of nothing */
} gs_null_result;

/* A row of operations.h, where its columns are explained. */
typedef struct gs_operation
{
	const char *name;
	gs_family	family;
	unsigned	types;			/* bit 1 << type is set */
	int			output;			/* gs_type, or as in operations.h */
	gs_null_result null_result;
	float		float_ns;
	float		other_ns;
} gs_operation;

/* What take can give: one column of results, or the other. */
typedef enum gs_column
{
	GS_COLUMN_VALUES,
	GS_COLUMN_COUNTS			/* GS_DISTINCT */
} gs_column;

/* How GS_FILTER compares: element, operator, bound. */
typedef enum gs_compare
{
	GS_LT = 1,
	GS_LE,
	GS_EQ,
	GS_NE,
	GS_GE,
	GS_GT
} gs_compare;

/*
 * Which formula the server's width_bucket(float8, ...) has.  With
 * d = |operand - low|, w = |high - low|, buckets b, and C's conversion of a
 * double to an integer:
 */
typedef enum gs_bucket_formula
{
	/* (int32) (b * d / w + 1) */
	GS_BUCKET_PRODUCT_FIRST = 1,

	/*
	 * min(b - 1, (int32) (b * (d / w))) + 1, where d and w are of halved
	 * numbers if w is beyond the range of double
	 */
	GS_BUCKET_QUOTIENT_FIRST
} gs_bucket_formula;

/* An operation.  Unused members are zero. */
typedef struct gs_op
{
	int32_t		kind;			/* gs_kind */
	int32_t		type;			/* gs_type of the elements */

	/* scans */
	int32_t		exclusive;		/* leave the element itself out */
	int32_t		segmented;		/* the mask's true elements start a run */
	int64_t		chunk;			/* a run starts every so many elements; 0: no */

	/* histograms */
	double		low;			/* GS_HISTOGRAM_WIDTH; low > high reverses */
	double		high;
	int32_t		buckets;		/* at least 1 */
	int32_t		formula;		/* gs_bucket_formula, GS_HISTOGRAM_WIDTH */
	const double *edges;		/* buckets + 1 of them, strictly ascending */

	/* GS_FILTER */
	int32_t		compare;		/* gs_compare */
	int32_t		integer_bound;	/* ibound holds the bound, else bound */
	double		bound;
	int64_t		ibound;

	/* orders, but for GS_DISTINCT */
	int32_t		descending;		/* the greatest first; equals as before */

	/*
	 * The input lies in the engine's own memory (gs_engine.reserve), values
	 * and bitmaps from a GS_RESIDENT_ALIGN on.  Where there is no output, every
	 * feed but the last takes as many elements as it can.
	 */
	int32_t		resident;
} gs_op;

/* A part of an array: n elements, of which `present` are not NULL. */
typedef struct gs_span
{
	const void *values;			/* `present` values, packed, aligned to their
								 * width */
	const uint8_t *validity;	/* n bits from bit 0 on; NULL: all present */
	int64_t		present;
} gs_span;

/* One chunk of the input. */
typedef struct gs_input
{
	int64_t		n;				/* elements in this chunk */
	gs_span		data;
	gs_span		mask;			/* bool; heads (scans) or keep (GS_COMPACT) */
} gs_input;

/*
 * Where one chunk's output goes.  There is room for gs_input.n results;
 * validity has room for as many bits, rounded up to 64.
 */
typedef struct gs_output
{
	void	   *values;
	uint8_t    *validity;		/* NULL only if !gs_gives_null(op) */
	int64_t		n;				/* set: results, NULLs among them */
	int64_t		present;		/* set: values written, packed */
} gs_output;

/* An element, in the member of its type; bool is an int2 of 0 or 1. */
typedef union gs_value
{
	int16_t		i2;
	int32_t		i4;
	int64_t		i8;
	float		f4;
	double		f8;
} gs_value;

/* What finish gives. */
typedef struct gs_result
{
	int64_t		n;				/* elements of the whole array */
	int64_t		present;		/* of these, not NULL */

	gs_value	value;			/* undefined if present is 0 */
	gs_value	greatest;		/* likewise */
	int64_t		position;		/* counted from 1, NULLs too; 0 if none */
	int64_t		results;		/* of an order: how many can be taken */
	gs_product	product;

	/* sums of integers: two's complement, least significant word first */
	uint64_t	isum[2];
	uint64_t	isquares[3];

	/* sums of floats */
	gs_acc		sum;
	gs_acc2		squares;
	int64_t		special[GS_SPECIALS];	/* of floats: how many there are */

	/*
	 * Set by the caller, for histograms: room for buckets + 3 counts: below
	 * the range, the buckets, at or above the range, NaN.
	 */
	int64_t    *counts;
} gs_result;

typedef enum gs_status
{
	GS_OK = 0,
	GS_INVALID,					/* gs_op_check refuses, or a malformed chunk */
	GS_NO_MEMORY,
	GS_BIGINT_RANGE,			/* a prefix sum is out of range of int8 */
	GS_FLOAT_OVERFLOW,			/* a rounded prefix is out of range */
	GS_DEVICE_LOST,				/* it failed; another engine can answer */
	GS_NOT_KEPT					/* the service has no copy of the arrays */
} gs_status;

/* Why a call failed. */
typedef struct gs_error
{
	gs_status	status;
	int64_t		position;		/* GS_BIGINT_RANGE, GS_FLOAT_OVERFLOW: of the
								 * first such result, counted from 1 */
	char		message[200];	/* English, for logs; may be empty */
} gs_error;

typedef struct gs_run gs_run;	/* an execution; each engine has its own */

/*
 * Where the arguments come from (client.h): more than an engine needs, unless
 * it is another process that may have them already.
 */
typedef struct gs_sources gs_sources;

/* Where the time of an execution went, and what did not have to be sent. */
typedef struct gs_run_stats
{
	double		wait_ms;		/* for the engine to accept the operation */
	double		staging_ms;		/* copying to and from shared memory */
	double		device_ms;		/* for answers */
	int			cache_hits;		/* stored arguments that the engine had */
	int			cache_misses;	/* .. and had not */
	int64_t		cache_saved;	/* bytes of the former */
} gs_run_stats;

/*
 * An engine.  Functions that can fail return a status, and say more in the
 * run's error (gs_engine.error).  After a status other than GS_OK only error
 * and end may follow.
 */
typedef struct gs_engine
{
	const char *name;			/* "cpu", "cuda" */

	/*
	 * op and what it points to stay valid until end, and so do the sources,
	 * which may be NULL.  n is the number of elements of the whole array.
	 */
	gs_status	(*begin) (const gs_op *op, int64_t n,
						  const gs_sources *sources, gs_run **run);

	/*
	 * The most elements that one feed takes, a multiple of GS_CHUNK_ALIGN, and
	 * how many feeds may be under way before a wait.
	 */
	void		(*shape) (const gs_run *run, int64_t *chunk, int *depth);
	gs_status	(*feed) (gs_run *run, const gs_input *in, gs_output *out);
	gs_status	(*wait) (gs_run *run);
	gs_status	(*finish) (gs_run *run, gs_result *result);

	/*
	 * After finish, any number of times: n results of an order, from `first`
	 * on, counted from 0; gs_column_type() says of which type.
	 */
	gs_status	(*take) (gs_run *run, gs_column column, int64_t first,
						 int64_t n, void *to);
	const gs_error *(*error) (const gs_run *run);
	void		(*end) (gs_run *run);

	/*
	 * Where feed would copy the next chunk's data.values to: who makes them up
	 * anyway makes them there, and feed finds them in place.  NULL, or a
	 * function that returns NULL: feed copies nothing.
	 */
	void	   *(*room) (const gs_run *run);

	/* wait, not feed, is told where the results go */
	bool		late_output;

	/* begin reads edges from the sources if it needs them and op has none */
	bool		reads_sources;

	/* Before end; NULL: the engine has nothing to tell. */
	void		(*stats) (const gs_run *run, gs_run_stats *stats);

	/*
	 * The engine's own memory, in which an array can stay for any number of
	 * executions.  reserve finds room, aligned to GS_RESIDENT_ALIGN, or
	 * returns NULL; put copies into it, and needs `from` no more when it
	 * returns; it may clear the 16 bytes behind, which must be there.  release
	 * gives room back, when nothing under way reads it.
	 */
	void	   *(*reserve) (size_t size);
	gs_status	(*put) (void *to, const void *from, size_t size);
	void		(*release) (void *memory, size_t size);

	/*
	 * Are the arrays with the engine already?  Then feed is told how many
	 * elements, and looks at nothing else of its input.
	 */
	bool		(*has_arrays) (const gs_run *run);
} gs_engine;

extern const gs_engine gs_engine_cpu;

/*
 * If not NULL, the CPU engine calls this every few milliseconds where finish
 * or take work for long.  It need not return, but may jump to where end is
 * called.
 */
extern void (*gs_engine_pause) (void);

/* operation.c: what follows from the description alone. */
extern const gs_operation *gs_operation_of(gs_kind kind);
extern gs_family gs_family_of(gs_kind kind);
extern const char *gs_family_name(gs_family family);
extern gs_status gs_op_check(const gs_op *op);
extern bool gs_is_reduction(gs_kind kind);
extern bool gs_is_scan(gs_kind kind);
extern bool gs_is_histogram(gs_kind kind);
extern bool gs_is_compaction(gs_kind kind);
extern bool gs_is_order(gs_kind kind);
extern bool gs_has_mask(const gs_op *op);		/* does the input have one? */
extern bool gs_gives_null(const gs_op *op, bool data_has_nulls);
extern int	gs_type_width(gs_type type);		/* bytes */
extern bool gs_has_output(const gs_op *op);
extern gs_type gs_output_type(const gs_op *op); /* if it has output */
extern bool gs_has_column(const gs_op *op, gs_column column);
extern gs_type gs_column_type(const gs_op *op, gs_column column);	/* orders */

/* The number of 1s among the first n bits. */
extern int64_t gs_count_bits(const uint8_t *bits, int64_t n);

#ifdef __cplusplus
}
#endif

#endif							/* GS_ENGINE_H */
