/*-------------------------------------------------------------------------
 *
 * engine.h
 *	  What an engine does, without a word of PostgreSQL or CUDA.
 *
 * An engine executes one operation (gs_op) over one array.  The array arrives
 * in batches, in order, so that an input larger than any buffer streams
 * through while the engine carries state from batch to batch.  The life of an
 * execution:
 *
 *		gs_op_check(&op)					is the operation valid?
 *		engine->begin(&op, n, NULL, &run)	state for one execution
 *		engine->shape(run, &batch, &depth)	how to cut the array into batches
 *		engine->feed(run, &in, &out)		once per batch, in order
 *		engine->wait(run)					once per feed, in order
 *		engine->finish(run, &result)		what is known only at the end
 *		engine->fetch(run, ...)				orders, groups, frames: any range
 *		engine->end(run)					always, even after an error
 *
 * feed may return before the work is done.  Until the matching wait returns,
 * the engine owns the memory that in and out point to, and out->n and
 * out->present are not set.  The CPU engine does all its work in feed.  An
 * empty array is executed without any feed.
 *
 * While several feeds are in flight, the place of the later ones' results is
 * unknown, because it depends on how many results the earlier ones give.  An
 * engine that buffers results (output_at_wait) therefore reads out->values and
 * out->validity in wait only, by which time the place is known.
 *
 * Every engine gives the same bits: a result follows from the data alone
 * (exact.h, product.h), never from batches, threads or hardware.
 *
 * Elements are packed: an array of n elements, p of them not NULL, has p
 * values one after the other and, if p < n, a bitmap of n bits, least
 * significant first, in which a 1 means that the element has a value.  This is
 * PostgreSQL's own layout, and no step expands it.
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
 * Every batch of an array, except the last, holds a multiple of this many
 * elements, so that bitmaps start on a byte (indeed on a 64-bit word) and a
 * product's tree (product.h) gets whole leaves.
 */
#define GS_BATCH_ALIGN	1024

/* Alignment, in bytes, of cached values and bitmaps. */
#define GS_CACHE_ALIGN	256

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

GS_INLINE bool
gs_is_float(gs_type type)
{
	return type == GS_FLOAT4 || type == GS_FLOAT8;
}

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
	GS_FAMILY_REDUCE,			/* the whole result is in gs_result */
	GS_FAMILY_SCAN,
	GS_FAMILY_HISTOGRAM,		/* finish writes buckets + 3 int8 to
								 * gs_result.counts */
	GS_FAMILY_MAP,
	GS_FAMILY_COMPACT,
	GS_FAMILY_ORDER,			/* fetch gives the results */
	GS_FAMILY_GROUP,			/* by fetch; plan.h says what it computes */
	GS_FAMILY_EXPRESSION,		/* as reductions */
	GS_FAMILY_SEGMENT,			/* fetch gives the results */
	GS_FAMILY_MOVING			/* fetch gives the results */
} gs_family;

#define GS_FAMILIES	(GS_FAMILY_MOVING + 1)

/* When a result is NULL. */
typedef enum gs_null_result
{
	GS_NEVER_NULL,
	GS_NULL_IF_DATA,			/* elements are NULL */
	GS_NULL_IF_EITHER,			/* elements are NULL, or there is a mask, which
								 * may have NULLs */
	GS_NULL_IF_INCLUSIVE,		/* elements are NULL; exclusive scans give none:
								 * a sum of nothing is 0, a product of nothing
								 * 1 */
	GS_NULL_OR_EXCLUSIVE,		/* elements are NULL, or a run starts with the
								 * result of nothing */
	GS_NULL_OR_FIRST,			/* elements are NULL, or gs_op.diff makes the
								 * first one */
	GS_NULL_FIRST,				/* the first, and where elements are NULL */
	GS_ANY_NULL					/* whatever the elements are */
} gs_null_result;

/* The arrays that an operation has beside the data. */
typedef struct gs_arguments
{
	enum
	{
		GS_NO_MASK,
		GS_MASK_IF_MARKED,		/* gs_op.segment */
		GS_MASK_IF_PAIRS,		/* gs_op.expression or gs_op.power */
		GS_ALWAYS_MASK
	}			when;
	int			mask_type;		/* gs_type, or as gs_operation.output */
	int			third_type;		/* gs_type, or as output; 0: there is none */
	bool		all_of_mask;	/* comes with each batch, and of the third; */
	bool		all_of_data;	/* of the data */
} gs_arguments;

/* A row of operations.h, where its columns are explained. */
typedef struct gs_operation
{
	const char *name;
	gs_family	family;
	unsigned	types;			/* bit 1 << type is set */
	gs_arguments arguments;
	int			output;			/* gs_type, or as in operations.h */
	gs_null_result null_result;
	float		float_ns;
	float		other_ns;
} gs_operation;

/* The columns of results that fetch gives. */
typedef enum gs_column
{
	GS_COLUMN_VALUES,			/* orders, segments, moving frames; 0 where
								 * NULL */

	/*
	 * Which of these are not NULL, of segments and moving frames: row i has
	 * the bits of results 64 i and following ones, least significant first, 0
	 * beyond the last (uint64_t)
	 */
	GS_COLUMN_VALIDITY,

	/*
	 * int64_t: GS_DISTINCT, GS_GROUP_COUNT, GS_SEGMENT_COUNT; the elements that
	 * sums (below) are of
	 */
	GS_COLUMN_COUNTS,

	/*
	 * GS_GROUP: keys (gs_value), 1 where the key is NULL (uint8_t), and the
	 * states of aggregates (gs_aggregate_kind); a median is a percentile
	 */
	GS_COLUMN_KEYS,
	GS_COLUMN_KEY_NULLS,
	GS_COLUMN_SUMS,				/* also GS_SEGMENT_AVG, GS_MOVING_AVG and
								 * GS_MOVING_STDDEV of integers */
	GS_COLUMN_WIDE_SUMS,		/* floats */
	GS_COLUMN_SQUARES,			/* also GS_MOVING_STDDEV of integers */
	GS_COLUMN_WIDE_SQUARES,		/* floats */
	GS_COLUMN_MIN,
	GS_COLUMN_MAX,
	GS_COLUMN_MEDIANS,

	GS_COLUMNS					/* one more than the last */
} gs_column;

/* What GS_GROUP computes of each group: bits of gs_op.aggregates. */
#define GS_GROUP_COUNT		1
#define GS_GROUP_SUM		2
#define GS_GROUP_SQUARES	4
#define GS_GROUP_MIN		8
#define GS_GROUP_MAX		16
#define GS_GROUP_MEDIAN		32
#define GS_GROUP_ALL		63

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
 * The formula of the server's width_bucket(float8, ...), where d = |operand -
 * low|, w = |high - low|, b = buckets, and (int32) is C's conversion of a
 * double:
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

/* An element, in the member of its type; bool is an int2 of 0 or 1. */
typedef union gs_value
{
	int16_t		i2;
	int32_t		i4;
	int64_t		i8;
	float		f4;
	double		f8;
} gs_value;

/*
 * The expression of GS_EXPRESSION, and of GS_ARITHMETIC: instructions of a
 * plan (plan.h), of which the last gives the values.  Elements, constants and
 * values are of the operation's type.
 *
 * Of one array, a GS_EXPRESSION may be of the elements that a filter keeps
 * (gs_op.filter), or of the differences of elements, filtered before or not.
 * Differences of integers are int8, and so are then constants and values
 * (gs_expression_type).  Elements that are left out or NULL, or have a NULL for
 * a difference, do not count, whatever the expression is.  Without steps it is
 * the reduction of the elements or differences themselves.
 */
#define GS_EXPRESSION_STEPS		8
#define GS_EXPRESSION_CONSTANTS	4

typedef struct gs_step
{
	int16_t		code;			/* gs_code, of those of arithmetic */
	int16_t		a;				/* gs_operand; column 0 is the data, 1 the
								 * mask */
	int16_t		b;				/* GS_NOTHING if it takes one */
	int16_t		unused;
} gs_step;

/* Of what in the array is the expression? */
typedef enum gs_differences
{
	GS_NO_DIFFERENCES,			/* of the elements */
	GS_DIFFERENCES_KEEP,		/* of what GS_DIFF gives, */
	GS_DIFFERENCES_NULL			/* if exclusive */
} gs_differences;

typedef struct gs_expression
{
	int32_t		arrays;			/* 1, or 2: there is a mask */
	int32_t		steps;			/* at least 1, but for filters and differences */
	int32_t		constants;
	int32_t		differences;	/* gs_differences; GS_EXPRESSION of one array */
	gs_step		step[GS_EXPRESSION_STEPS];
	gs_value	constant[GS_EXPRESSION_CONSTANTS];
} gs_expression;

/*
 * An operation: its kind, the type of the elements, and the parameters of its
 * kind.  All others are zero.  It travels to the service as it is; pointers and
 * cached have no meaning there, until the service has set them (wire.c).
 */
typedef struct gs_op
{
	int32_t		kind;			/* gs_kind */
	int32_t		type;			/* gs_type of the elements */

	/* What the kind does not say of the second array, the mask. */
	struct
	{
		int64_t		elements;	/* if all of it comes with each batch
								 * (gs_is_placement); at least 1 */
		int32_t		type;		/* gs_type: GS_GROUP, GS_TAKE,
								 * GS_CHOOSE_EITHER */
	}			mask;

	/* scans */
	struct
	{
		int32_t		exclusive;	/* leave the element itself out */
	}			scan;

	/*
	 * Scans, which start again at each segment, or have none; segments.  They
	 * have one of these two.
	 */
	struct
	{
		int32_t		marked;		/* each true element of the mask starts one */
		int64_t		length;		/* each has so many elements; 0: marked, or
								 * none */
	}			segment;

	/* GS_HISTOGRAM_WIDTH and, of all these, GS_HISTOGRAM_EDGES */
	struct
	{
		double		low;		/* GS_HISTOGRAM_WIDTH; low > high reverses */
		double		high;
		int32_t		buckets;	/* at least 1 */
		int32_t		formula;	/* gs_bucket_formula; GS_HISTOGRAM_WIDTH */
		const double *edges;	/* buckets + 1, strictly ascending;
								 * GS_HISTOGRAM_EDGES */
	}			histogram;

	/* GS_SEARCH */
	struct
	{
		const int64_t *keys;	/* ascending (search.h) */
		int32_t		count;		/* of keys; at least 1 */
		int32_t		left;		/* keys that equal the element do not count */
	}			search;

	/* GS_FILTER; GS_EXPRESSION of one array: before all else */
	struct
	{
		int32_t		compare;	/* gs_compare; GS_EXPRESSION: 0: no filter */
		int32_t		integer_bound;	/* ibound holds the bound, else bound */
		double		bound;
		int64_t		ibound;
	}			filter;

	/* GS_BETWEEN, GS_CLIP (range.h) */
	struct
	{
		gs_value	low;
		gs_value	high;
		int32_t		outside;	/* GS_BETWEEN: the reverse */
	}			range;

	/* GS_CHOOSE */
	struct
	{
		gs_value	constant;
		int32_t		has_constant;	/* else NULL */
		int32_t		where_false;	/* the element where the mask is false */
	}			choose;

	/* GS_POWER */
	struct
	{
		double		constant;	/* the exponent of all elements, */
		int32_t		constant_is_base;	/* or the base for all */
		int32_t		of_pairs;	/* none: the mask has the exponents */
	}			power;

	struct
	{
		int32_t		compare;	/* gs_compare; GS_COMPARE */
	}			pairs;
	struct
	{
		int32_t		digits;		/* decimal places; GS_ROUND */
	}			round;
	struct
	{
		int32_t		places;		/* GS_SHIFT */
	}			shift;
	struct
	{
		int32_t		null_first; /* GS_DIFF: else the first element stays */
	}			diff;
	struct
	{
		int32_t		both_sides; /* GS_AREA: distances from the element before
								 * count, too */
	}			area;

	/* orders, except GS_DISTINCT and GS_TRANSPOSE */
	struct
	{
		int32_t		descending; /* greatest first; the order of equals stays */
	}			order;
	struct
	{
		int64_t		columns;	/* values of a row; GS_TRANSPOSE */
	}			transpose;

	/*
	 * Moving frames but GS_EWMA: so many elements before and after each; at
	 * least 0
	 */
	struct
	{
		int32_t		preceding;
		int32_t		following;
	}			moving;

	/* GS_MOVING_PERCENTILE */
	struct
	{
		double		fraction;	/* 0 to 1 */
		int32_t		discrete;	/* an element, not interpolated */
	}			percentile;

	/* GS_EWMA */
	struct
	{
		double		alpha;		/* above 0, at most 1 */
		int32_t		adjust;
	}			ewma;

	int32_t		aggregates;		/* GS_GROUP, GS_EXPRESSION: GS_GROUP_...; at
								 * least one; GS_EXPRESSION: no median */
	gs_expression expression;	/* GS_EXPRESSION, GS_ARITHMETIC */

	/*
	 * The input is in the engine's own memory (gs_engine.reserve), its values
	 * and bitmaps aligned to GS_CACHE_ALIGN.  If there is no output, every
	 * feed but the last takes the full batch size.  An engine that has such
	 * memory executes a gs_is_placement() only if the arrays are there.
	 */
	int32_t		cached;
} gs_op;

/* A part of an array: n elements, of which `present` are not NULL. */
typedef struct gs_span
{
	const void *values;			/* `present` values, packed, aligned to their
								 * width */
	const uint8_t *validity;	/* n bits from bit 0 on; NULL: all present */
	int64_t		present;
} gs_span;

/*
 * One batch of the input.  The mask is a second array of as many elements,
 * which tells the elements apart: heads (scans, segments), keep (GS_COMPACT) or
 * a condition (GS_CHOOSE), which are bool, the keys (GS_GROUP), the other factors
 * (GS_DOT), or a second array like the first (GS_EXPRESSION, GS_MOVING_CORR, maps
 * of pairs).  gs_mask_type() gives its type.
 *
 * Of a gs_is_placement(), each batch has all of the array that its results come
 * from: of the data, or of the mask, which may have another number of elements,
 * and of the third array, which has as many as the mask (gs_has_third).
 */
typedef struct gs_input
{
	int64_t		n;				/* elements in this batch */
	gs_span		data;
	gs_span		mask;
	gs_span		third;
} gs_input;

/*
 * Where one batch's output goes: capacity for gs_input.n results, and as many
 * bits of validity, rounded up to 64.
 */
typedef struct gs_output
{
	void	   *values;
	uint8_t    *validity;		/* NULL only if !gs_gives_null(op) */
	int64_t		n;				/* set: results, including NULLs */
	int64_t		present;		/* set: values written, packed */
} gs_output;

/* What finish gives. */
typedef struct gs_result
{
	int64_t		n;				/* elements of the whole array */
	int64_t		present;		/* of these, not NULL */

	gs_value	value;			/* undefined if present is 0 */
	gs_value	greatest;		/* undefined if present is 0 */
	int64_t		errors;			/* GS_EXPRESSION: GS_ERROR_... (plan.h); if a
								 * difference is out of range, that alone;
								 * GS_AREA: 0 or 1 */
	int64_t		position;		/* counted from 1, NULLs too; 0 if none */
	int64_t		results;		/* orders, GS_GROUP, segments, moving frames:
								 * how many can be fetched */
	gs_product	product;

	/* sums of integers: two's complement, least significant word first */
	uint64_t	isum[2];
	uint64_t	isquares[3];

	/* sums of floats */
	gs_acc		sum;
	gs_acc2		squares;
	int64_t		special[GS_SPECIALS];	/* of floats: how many there are */

	/*
	 * Set by the caller, for histograms: memory for buckets + 3 counts: below
	 * the range, the buckets, at or above the range, NaN.
	 */
	int64_t    *counts;
} gs_result;

typedef enum gs_status
{
	GS_OK = 0,
	GS_INVALID,					/* invalid operation, or malformed batch */
	GS_NO_MEMORY,
	GS_BIGINT_RANGE,			/* a result is out of range of int8 */
	GS_FLOAT_OVERFLOW,			/* a rounded result is out of range */
	GS_DEVICE_LOST,				/* the device failed; try another engine */
	GS_NOT_CACHED,				/* the service has not cached the arrays */
	GS_VALUE_ERROR				/* GS_ARITHMETIC, GS_TAKE, elements.h,
								 * interpolate.h: an element has no result,
								 * or the engine did not find it */
} gs_status;

/* Why a call failed. */
typedef struct gs_error
{
	gs_status	status;
	int32_t		answer;			/* GS_VALUE_ERROR: why there is no result
								 * (gs_answer, elements.h); 0: not known */
	int64_t		position;		/* GS_BIGINT_RANGE, GS_FLOAT_OVERFLOW, and
								 * GS_VALUE_ERROR if why is known: of the first
								 * such result, counted from 1 */
	char		message[200];	/* English, for logs; may be empty */
} gs_error;

typedef struct gs_run gs_run;	/* an execution; each engine has its own */

/*
 * Where the arguments come from (client.h).  Only an engine that runs in
 * another process needs this, because it may have the arguments cached.
 */
typedef struct gs_sources gs_sources;

/* So many arrays can be reduced at once (gs_engine.reduce). */
#define GS_REDUCE_ARRAYS	32

/* Where an execution spent its time, and what the cache saved. */
typedef struct gs_run_stats
{
	double		wait_ms;		/* until the engine accepted the operation */
	double		staging_ms;		/* copying to and from shared memory */
	double		device_ms;		/* waiting for answers */
	int			cache_hits;		/* toasted arguments found in the cache */
	int			cache_misses;	/* toasted arguments not found */
	int64_t		cache_saved;	/* bytes that the hits saved sending */
} gs_run_stats;

/*
 * How values are held.  Without a unit: in their type's width as they are, or
 * integers in fewer bytes, unsigned, to which base is added.  With a unit, of
 * GS_FLOAT8 or GS_INT8 alone: likewise integers in 1, 2 or 4 bytes, whose sums
 * with base are the values in units (scaled.h).
 */
typedef struct gs_encoding
{
	int32_t		width;			/* bytes */
	int64_t		base;			/* 0 if values are as they are */
	int64_t		unit;			/* 0: none */
} gs_encoding;

/*
 * An engine.  Functions that can fail return a status, and gs_engine.error has
 * the details.  After a status other than GS_OK only error and end may follow.
 */
#define GS_DEVICES_MAX	16

typedef struct gs_engine
{
	const char *name;			/* "cpu", "cuda" */

	/*
	 * So many bytes of the host's memory begin and feed allocate for so many
	 * elements, at most, beyond what finish and fetch take through
	 * gs_engine_reserve.  NULL: none that grow with them.
	 */
	int64_t		(*memory) (const gs_op *op, int64_t n);

	/*
	 * op, what it points to, and the sources stay valid until end; sources
	 * may be NULL.  n is the number of elements of the whole array.
	 */
	gs_status	(*begin) (const gs_op *op, int64_t n,
						  const gs_sources *sources, gs_run **run);

	/*
	 * The maximum number of elements per feed, a multiple of GS_BATCH_ALIGN,
	 * and how many feeds may be in flight before a wait.
	 */
	void		(*shape) (const gs_run *run, int64_t *batch, int *depth);
	gs_status	(*feed) (gs_run *run, const gs_input *in, gs_output *out);
	gs_status	(*wait) (gs_run *run);
	gs_status	(*finish) (gs_run *run, gs_result *result);

	/*
	 * After finish, any number of times: n rows of a column of an order, of
	 * GS_GROUP, of segments or of moving frames, from `first` on, counted from
	 * 0, of gs_column_width() bytes each.  There are gs_column_rows().
	 */
	gs_status	(*fetch) (gs_run *run, gs_column column, int64_t first,
						  int64_t n, void *to);
	const gs_error *(*error) (const gs_run *run);
	void		(*end) (gs_run *run);

	/*
	 * Where feed would copy the next batch's data.values.  A caller that has
	 * to produce the values anyway can write them there, and feed copies
	 * nothing.  NULL, or a function that returns NULL: feed reads data.values
	 * in place.
	 */
	void	   *(*input_buffer) (const gs_run *run);

	/* out->values and out->validity are read in wait, not in feed */
	bool		output_at_wait;

	/* begin reads edges from the sources if op has none */
	bool		reads_sources;

	/* Call before end.  NULL: the engine has no statistics. */
	void		(*stats) (const gs_run *run, gs_run_stats *stats);

	/*
	 * The engine's own memory, in which arrays stay cached across executions.
	 * reserve allocates, aligned to GS_CACHE_ALIGN, or returns NULL. put
	 * copies into it and is done with `from` when it returns; it may clear up
	 * to 16 bytes behind, which the caller must have reserved; write does the
	 * same, and leaves what is behind as it is; get copies out of it. widen makes unsigned integers
	 * of 1, 2 or 4 bytes those of as many or more, up to 8, in other memory,
	 * aligned as reserve has it: to[i] = from[i] + add, modulo. scale and
	 * unscale make values of 8 bytes those of an encoding with a unit, and the
	 * reverse, likewise; of what is not NULL (validity: a bit a row; NULL: no
	 * row is) scale refuses what the encoding does not hold: GS_VALUE_ERROR.
	 * release frees memory that nothing in flight reads.
	 */
	void	   *(*reserve) (size_t size);
	gs_status	(*put) (void *to, const void *from, size_t size);
	gs_status	(*write) (void *to, const void *from, size_t size);
	gs_status	(*get) (void *to, const void *from, size_t size);
	gs_status	(*widen) (void *to, int to_width, const void *from,
						  int from_width, int64_t n, uint64_t add);
	gs_status	(*scale) (void *to, const gs_encoding *encoding, gs_type type,
						  const void *from, const uint8_t *validity,
						  int64_t n);
	gs_status	(*unscale) (void *to, gs_type type, const void *from,
							const gs_encoding *encoding, int64_t n);
	void		(*release) (void *memory, size_t size);

	/*
	 * Memory of the host that the engine reads where it is, slower than its
	 * own, as does the caller, who also writes there.  put, write and get copy to
	 * and from it at the link's rate, and widen, scale and unscale take it on
	 * either side.  Like reserve and release.
	 */
	void	   *(*reserve_host) (size_t size);
	void		(*release_host) (void *memory, size_t size);

	/*
	 * An engine may have several devices, numbered from 0.  What a thread
	 * reserves or begins is on the one that it uses, the first unless this
	 * has been called.  A thread that goes on with an execution uses the device
	 * on which that began.  Each device reads the memory of all, its own
	 * fastest.  NULL: there is one, or they are the same.
	 */
	void		(*use) (int device);

	/*
	 * Does the engine have the arrays already? Then feed uses in->n and
	 * ignores the rest of its input.
	 */
	bool		(*has_arrays) (const gs_run *run);

	/*
	 * Reduce 1 to GS_REDUCE_ARRAYS arrays of the engine's own memory at once,
	 * each as an execution with one feed would.  op has no mask, and
	 * gs_can_reduce_each(op->kind).  An array has less than
	 * GS_ACC_ADDITIONS / 2 elements.  A failure is that of all.  NULL: the
	 * engine has nothing better than such executions.
	 */
	gs_status	(*reduce) (const gs_op *op, int count, const gs_input *in,
						   gs_result *result, gs_error *error);

	bool		on_device;		/* its memory is a device's, not the host's */
} gs_engine;

extern const gs_engine gs_engine_cpu;

/*
 * If not NULL, the CPU engine calls this every few milliseconds in a long
 * finish or fetch, and where feed of groups makes room for more of them.  It
 * may jump out, to code that calls end, instead of returning.
 */
extern void (*gs_engine_pause) (void);

/*
 * If not NULL, it is called likewise, also during feed, on whichever of the
 * engine's threads; and it returns.
 */
extern void (*gs_engine_progress) (void);

/*
 * If not NULL, the CPU engine calls this before it allocates what grows with
 * the groups or with their values: may the execution have so many bytes more?
 * It never gives back any before its end.  false makes it GS_NO_MEMORY.
 * `owner` is the calling thread's gs_engine_owner.
 */
extern bool (*gs_engine_reserve) (void *owner, size_t bytes);

/* Whose execution this thread works for.  The engine's own threads inherit it. */
extern __thread void *gs_engine_owner;

/*
 * The CPU engine may execute a plan, and sort, on so many threads.  All but the
 * caller's are the engine's own; all executions together have one less of
 * these.  They block all signals, and last no longer than the call.  There are
 * none while gs_engine_pause is set: a jump would leave them behind.
 */
#define GS_ENGINE_THREADS_MAX	64
extern int	gs_engine_threads;

/*
 * example.c: an operation with usual parameters, which float types from 0.5 to
 * 1.5 and integers of some hundreds suit; false if there is none on that type.
 * A histogram or search has one bucket or key, and a mask that comes with each
 * batch one element of int4, or of its own type.
 */
extern bool gs_op_example(gs_kind kind, gs_type type, gs_op *op);

/* operation.c: what follows from the operation alone */
extern const gs_operation *gs_operation_of(gs_kind kind);
extern gs_family gs_family_of(gs_kind kind);
extern const char *gs_family_name(gs_family family);
extern gs_status gs_op_check(const gs_op *op);
extern bool gs_is_reduction(gs_kind kind);	/* is all in gs_result? */
extern bool gs_can_reduce_each(gs_kind kind);	/* gs_engine.reduce */
extern bool gs_is_scan(gs_kind kind);
extern bool gs_is_histogram(gs_kind kind);
extern bool gs_is_map(gs_kind kind);
extern bool gs_is_placement(gs_kind kind);
extern bool gs_is_compaction(gs_kind kind);
extern bool gs_is_order(gs_kind kind);
extern bool gs_is_ranks(gs_kind kind);
extern bool gs_has_positions(gs_kind kind); /* an order of positions, or ranks */
extern bool gs_has_one_zero(gs_kind kind);	/* an order that takes -0 for 0 */
extern bool gs_is_segments(gs_kind kind);
extern bool gs_is_moving(gs_kind kind);
extern bool gs_is_fetched(gs_kind kind);	/* does fetch give the results? */
extern bool gs_fetches_each(gs_kind kind);	/* a result for each element? */
extern bool gs_is_series(const gs_op *op);	/* of orders and moving frames: are
											 * they GS_COLUMN_VALUES? */

/* the edges of GS_HISTOGRAM_EDGES, the keys of GS_SEARCH: 8 bytes each */
extern bool gs_has_edges(gs_kind kind);
extern int64_t gs_edge_count(const gs_op *op);
extern const void *gs_edges(const gs_op *op);
extern void gs_set_edges(gs_op *op, const void *edges);

extern bool gs_has_mask(const gs_op *op);	/* does the input have a mask? */
extern gs_type gs_mask_type(const gs_op *op);
extern bool gs_has_third(const gs_op *op);	/* does it have a third array? */
extern gs_type gs_third_type(const gs_op *op);

/* of how many elements a batch of n, of `all`, has the data, or the mask */
extern int64_t gs_data_elements(const gs_op *op, int64_t n, int64_t all);
extern int64_t gs_mask_elements(const gs_op *op, int64_t n);
extern gs_type gs_expression_type(const gs_op *op); /* of the values */
extern bool gs_gives_null(const gs_op *op, bool data_has_nulls);
extern int	gs_type_width(gs_type type);	/* bytes */
extern bool gs_has_output(const gs_op *op);
extern gs_status gs_range_status(const gs_op *op);
extern gs_type gs_output_type(const gs_op *op); /* of what feed or fetch give */
extern bool gs_has_column(const gs_op *op, gs_column column);

/* how many rows a column of so many results has */
extern int64_t gs_column_rows(gs_column column, int64_t results);

/* of orders; of segments and moving frames, values and counts */
extern gs_type gs_column_type(const gs_op *op, gs_column column);
extern size_t gs_column_width(const gs_op *op, gs_column column);	/* bytes */
extern size_t gs_result_width(const gs_op *op); /* of orders and moving frames:
												 * in all columns but counts
												 * and validity */

/* GS_COLUMN_VALIDITY of n results: its rows, and whether none has another bit */
#define GS_VALIDITY_ROWS(n)	(((n) + 63) / 64)
extern bool gs_validity_fits(const uint64_t *validity, int64_t n);

/* The number of 1s among the first n bits. */
extern int64_t gs_count_bits(const uint8_t *bits, int64_t n);

/* The index of the 1 that `rank` others precede. */
extern int64_t gs_find_bit(const uint8_t *bits, int64_t rank);

#ifdef __cplusplus
}
#endif

#endif							/* GS_ENGINE_H */
