/*-------------------------------------------------------------------------
 *
 * engine_cpu.h
 *	  What the files of the CPU engine share.
 *
 * engine_cpu.c owns an execution: it checks the input and passes it to the
 * family of the operation.  Each family keeps its own state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_ENGINE_H
#define GS_CPU_ENGINE_H

#include <pthread.h>

#include "engine/elements.h"

/*
 * Elements of one feed.  The input, and for scans the output, stay in the L2
 * cache, and a caller that checks for interrupts between feeds never waits
 * long (the slowest scans need some 200 ns an element).
 */
#define CPU_BATCH	(32 * 1024)

/* Elements that are expanded, or tried on a fast path, at a time. */
#define CPU_BLOCK	512

/* The size of the next block. */
static inline int
gs_cpu_block_size(int64_t left)
{
	return left < CPU_BLOCK ? (int) left : CPU_BLOCK;
}

/*
 * Is result i not NULL?  They are told in order, so that bits beyond the last
 * become 0.
 */
static inline void
gs_cpu_put_valid(uint64_t *validity, int64_t i, bool valid)
{
	uint64_t   *row = &validity[i / 64];

	*row = (i % 64 == 0 ? 0 : *row) | (uint64_t) valid << i % 64;
}

/* What a family of operations does; see gs_engine. */
typedef struct cpu_family
{
	/* gs_engine.memory; NULL: little */
	int64_t		(*memory) (const gs_op *op, int64_t n);
	gs_status	(*begin) (gs_run *run); /* sets run->state */
	gs_status	(*feed) (gs_run *run, const gs_input *in, gs_output *out);
	void		(*finish) (gs_run *run, gs_result *result); /* may be NULL */

	/* results that exist; NULL: there is nothing to fetch */
	void		(*fetch) (gs_run *run, gs_column column, int64_t first,
						  int64_t n, void *to);
	void		(*end) (gs_run *run);	/* NULL: free run->state */
} cpu_family;

struct gs_run
{
	const gs_op *op;
	int64_t		n;				/* elements of the whole array */
	int64_t		fed;			/* elements before this batch */
	int64_t		present;		/* of these, not NULL */
	int64_t		results;		/* finished: how many can be fetched */
	const cpu_family *family;
	void	   *state;			/* the family's state; a single allocation,
								 * unless the family has an end */
	gs_error	error;			/* finish and fetch set it, too */
};

/*
 * What feed returns where an element of the batch, counted from 0, has no result
 * (engine_cpu.c).
 */
extern gs_status gs_cpu_value_error(gs_run *run, gs_answer answer,
									int64_t element);

/* A row of a table of functions, by element type. */
#define BY_INTEGER(name) \
	[GS_INT2] = name##_int2, [GS_INT4] = name##_int4, [GS_INT8] = name##_int8
#define BY_NUMBER(name) \
	BY_INTEGER(name), [GS_FLOAT4] = name##_float4, [GS_FLOAT8] = name##_float8

extern const cpu_family gs_cpu_reduction;
extern const cpu_family gs_cpu_dot;
extern const cpu_family gs_cpu_area;
extern const cpu_family gs_cpu_scan;
extern const cpu_family gs_cpu_histogram;
extern const cpu_family gs_cpu_search;
extern const cpu_family gs_cpu_elementwise;
extern const cpu_family gs_cpu_elements;
extern const cpu_family gs_cpu_change;
extern const cpu_family gs_cpu_diff;
extern const cpu_family gs_cpu_place;
extern const cpu_family gs_cpu_interpolate;
extern const cpu_family gs_cpu_compaction;
extern const cpu_family gs_cpu_unique;
extern const cpu_family gs_cpu_order;
extern const cpu_family gs_cpu_transpose;
extern const cpu_family gs_cpu_moving;
extern const cpu_family gs_cpu_moving_pairs;
extern const cpu_family gs_cpu_group;
extern const cpu_family gs_cpu_segments;

/* order/order.c: keys and positions of an order, each twice */
#define CPU_ORDER_WIDTH	(2 * (8 + 4))

/* order/order.c: malloc for large arrays */
extern void *gs_cpu_allocate(size_t size);

/* Values that are only moved, of any type. */
typedef uint16_t gs_bits16 __attribute__((may_alias));
typedef uint32_t gs_bits32 __attribute__((may_alias));
typedef uint64_t gs_bits64 __attribute__((may_alias));

/* bits.c; a flag is a byte of 0 or 1 */
extern void gs_cpu_bits_to_flags(const uint8_t *bits, int64_t at, int n,
								 uint8_t *flags);
extern void gs_cpu_flags_to_bits(const uint8_t *flags, int n, uint8_t *bits,
								 int64_t at);
extern int	gs_cpu_find_flag(const uint8_t *flags, int rank);
extern int64_t gs_cpu_element(const gs_span *span, int64_t n, int64_t value);
extern void gs_cpu_set_bits(uint8_t *bits, int64_t n);
extern void gs_cpu_copy_bits(const uint8_t *from, int64_t n, uint8_t *to);
extern int	gs_cpu_pack(const void *dense, const uint8_t *flags, int n,
						int width, void *packed);

/* width.c */
extern void gs_cpu_change_width(const void *from, int from_width, void *to,
								int to_width, int64_t n, uint64_t add);

/* Numbers as doubles; integers beyond 2^53 are rounded. */
extern void gs_cpu_to_doubles(gs_type type, const void *from, int n,
							  double *to);

/* scaled.c */
extern bool gs_cpu_scaled_range(gs_type type, int64_t unit, const void *values,
								const uint8_t *validity, int64_t first,
								int64_t n, int64_t *low, int64_t *high);
extern bool gs_cpu_scale(void *to, const gs_encoding *encoding, gs_type type,
						 const void *values, const uint8_t *validity,
						 int64_t first, int64_t n);
extern void gs_cpu_unscale(void *to, gs_type type, const void *from,
						   const gs_encoding *encoding, int64_t n);

/*
 * Reads a span block by block; every block but the last has a multiple of 8
 * elements.
 */
typedef struct cpu_reader
{
	const uint8_t *values;		/* the next value */
	const uint8_t *validity;	/* NULL: no NULLs */
	int			width;
	int64_t		at;				/* the next element */
} cpu_reader;

extern cpu_reader gs_cpu_reader(const gs_span *span, int64_t n, int width);

/* The number 1, neutral for products. */
static inline gs_value
gs_cpu_one(gs_type type)
{
	gs_value	one = {0};

	switch (type)
	{
		case GS_FLOAT8:
			one.f8 = 1;
			break;
		case GS_FLOAT4:
			one.f4 = 1;
			break;
		case GS_INT8:
			one.i8 = 1;
			break;
		case GS_INT4:
			one.i4 = 1;
			break;
		default:
			one.i2 = 1;
	}
	return one;
}

/*
 * The next n elements, with `null` for a NULL; either the span's own memory or
 * scratch.  If there can be NULLs, flags says which elements have a value.
 */
extern const void *gs_cpu_read(cpu_reader *r, int n, gs_value null,
							   void *scratch, uint8_t *flags);

/*
 * The elements of one or two arrays that have values in all of them, a block at
 * a time.
 */
typedef struct cpu_pairs
{
	cpu_reader	reader[2];
	int			arrays;
	int			width;
	bool		nulls;
	uint64_t	dense[2][CPU_BLOCK];
	uint64_t	packed[2][CPU_BLOCK];
	const void *column[2];		/* of the block, packed */
	uint8_t		flags[CPU_BLOCK];	/* which of its elements have values */
} cpu_pairs;

extern void gs_cpu_pairs_open(cpu_pairs *p, const gs_input *in, int arrays,
							  int width);
extern int	gs_cpu_pairs_next(cpu_pairs *p, int n);

/* The next n elements of a mask: 1 where it is true, not NULL. */
extern void gs_cpu_read_mask(cpu_reader *r, int n, uint8_t *flags);

/*
 * Integers in SQL's order of floats: NaN is the greatest, all NaN are equal,
 * and -0 is less than 0.
 */
static inline int64_t
gs_cpu_key(double x)
{
	int64_t		bits = (int64_t) gs_double_bits(x);

	if (x != x)
		return INT64_MAX;
	return bits ^ ((bits >> 63) & INT64_MAX);
}

static inline double
gs_cpu_unkey(int64_t key)
{
	if (key == INT64_MAX)
		return gs_canonical_nan();
	return gs_bits_double((uint64_t) (key ^ ((key >> 63) & INT64_MAX)));
}

/*
 * reduce/sum.c.  Tests set how many lanes may be taken; 2 are on every
 * machine.
 */
extern int	gs_cpu_most_lanes;

/* Doubles in the widest vectors of this CPU that it allows: 2, 4 or 8. */
extern int	gs_cpu_lanes(void);
extern void gs_cpu_sum_float4(gs_acc *a, const float *v, int64_t n);
extern void gs_cpu_sum_float8(gs_acc *a, const double *v, int64_t n);
extern void gs_cpu_squares_float4(gs_acc2 *a, const float *v, int64_t n);
extern void gs_cpu_squares_float8(gs_acc2 *a, const double *v, int64_t n);
extern void gs_cpu_products_float4(gs_acc2 *a, const float *v, const float *w,
								   int64_t n);
extern void gs_cpu_products_float8(gs_acc2 *a, const double *v,
								   const double *w, int64_t n);

/*
 * map/elementary.c: exponentials, logarithms and powers of n doubles, which
 * may be anything: result[i] where known[i] is 1, and never NaN there.
 * Elsewhere exact/elementary.h has to say.  After gs_elementary_init.
 */
extern void gs_cpu_exps(const double *x, int n, double *result,
						uint8_t *known);
extern void gs_cpu_lns(const double *x, int n, double *result,
					   uint8_t *known);
extern void gs_cpu_powers(const double *x, const double *y, int n,
						  double *result, uint8_t *known);

/* From each of n doubles to the next one, x[1] to x[n] (gs_relative_change) */
extern void gs_cpu_changes(const double *x, int n, double *result,
						   uint8_t *known);

/*
 * y0 + (y1 - y0) run / length, of n of each, which may be anything; where that is
 * not known, gs_line_at has to say
 */
extern void gs_cpu_lines(const double *y0, const double *y1,
						 const double *run, const double *length, int n,
						 double *result, uint8_t *known);

/* Roots; are all x at least 0? */
extern bool gs_cpu_roots(const double *x, int n, double *result);

/*
 * Elements rounded as by gs_round_decimal, which must say where that is not
 * known.  Are all known?  If so, known may be left unset.  Infinities are
 * known to stay, and NaN is the canonical one.
 */
extern bool gs_cpu_rounds(const double *x, int digits, int n, double *result,
						  uint8_t *known);

/*
 * histogram/histogram.c: the indexes of values in gs_result.counts of a
 * GS_HISTOGRAM_WIDTH
 */
extern void gs_cpu_bucket_numbers(const gs_op *op, const void *values, int n,
								  int32_t *number);

/*
 * threads.c: threads that help the caller's, which calls the same work.  Some are
 * taken first, at most as many as are wanted, maybe none; they are started, or
 * as many as can be, and joined, and given back.  None are where gs_engine_pause
 * may jump out.
 */
typedef struct cpu_helper
{
	const struct cpu_helpers *all;
	pthread_t	thread;
} cpu_helper;

typedef struct cpu_helpers
{
	int			n;				/* that have been started */
	void		(*work) (void *state, int helper);
	void	   *state;
	void	   *owner;
	cpu_helper	helper[GS_ENGINE_THREADS_MAX - 1];
} cpu_helpers;

extern int	gs_cpu_take_helpers(int wanted);
extern void gs_cpu_start_helpers(cpu_helpers *h, int wanted,
								 void (*work) (void *state, int helper),
								 void *state);
extern void gs_cpu_join_helpers(cpu_helpers *h);
extern void gs_cpu_give_helpers(int taken);

/*
 * order/sort.c: keys, unsigned integers of 4 or 8 bytes, sorted in ascending
 * order.  The sort is stable, which shows in the positions that move with the
 * keys.  The other_ arrays are as large again, to move keys into.
 */
typedef struct cpu_keys
{
	int			width;			/* bytes of a key */
	int64_t		n;				/* at most INT32_MAX */
	void	   *key;
	void	   *other_key;
	uint32_t   *position;		/* NULL: keys only */
	uint32_t   *other_position;
	uint32_t   *counts;			/* for gs_cpu_select: gs_cpu_select_counts()
								 * of them */
	bool		sorted;
} cpu_keys;

extern void gs_cpu_sort(cpu_keys *k);

/*
 * Keys with positions, aligned to 64 bytes, of so many bits.  It is faster where
 * the first bits differ, above all if keys that share these are in order already.
 */
extern void gs_cpu_sort_bits(cpu_keys *k, int bits);
extern size_t gs_cpu_select_counts(int64_t n);
extern const void *gs_cpu_select(cpu_keys *k, int64_t first, int64_t n);
extern void gs_cpu_pause(void);

static inline uint64_t
gs_cpu_get_key(const void *keys, int width, int64_t i)
{
	return width == 4 ? ((const uint32_t *) keys)[i] :
		((const uint64_t *) keys)[i];
}

static inline void
gs_cpu_set_key(void *keys, int width, int64_t i, uint64_t key)
{
	if (width == 4)
		((uint32_t *) keys)[i] = (uint32_t) key;
	else
		((uint64_t *) keys)[i] = key;
}

/* scan/product.c */
extern void gs_cpu_multiply(gs_product_stack *s, gs_type type,
							const void *values, int n);
extern int	gs_cpu_prefix_product(gs_product_stack *s, gs_type type,
								  const void *values, const uint8_t *heads,
								  double *out, int n);

/*
 * scan/cumsum.c: exact prefix sums.  The total is in two doubles while they
 * can hold it.
 */
typedef struct cpu_prefix
{
	bool		wide;			/* the total is in acc */
	double		s;				/* else the total is s - ne; ne is never -0 */
	double		ne;
	gs_acc		acc;
} cpu_prefix;

/*
 * The prefix sums of n elements; a head starts a new sum (heads may be NULL).
 * Returns n, or the index of the first element whose rounded sum is out of
 * range.
 */
extern void gs_cpu_prefix_init(cpu_prefix *p);
extern int	gs_cpu_prefix_float4(cpu_prefix *p, const float *v,
								 const uint8_t *heads, float *out, int n);
extern int	gs_cpu_prefix_float8(cpu_prefix *p, const double *v,
								 const uint8_t *heads, double *out, int n);

/* Add a finite double to a, leaving a->seen as it is. */
static inline void
gs_cpu_add_finite(gs_acc *a, double x)
{
	uint64_t	m;
	int			position;
	bool		negative;

	m = gs_split(x, &position, &negative);
	gs_limbs_add(a->limb, m, position, negative);
	a->additions++;
}

/* An integer of n words, two's complement, += x */
static inline void
gs_cpu_add_wide(uint64_t *words, int n, __int128 x)
{
	unsigned __int128 carry = 0;

	for (int i = 0; i < n; i++)
	{
		uint64_t	word = i == 0 ? (uint64_t) x :
			i == 1 ? (uint64_t) (x >> 64) : (uint64_t) (x >> 127);

		carry += (unsigned __int128) words[i] + word;
		words[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

/* The bits up to the first that is set. */
static inline int
gs_cpu_bit_length(uint64_t x)
{
	return x == 0 ? 0 : 64 - __builtin_clzll(x);
}

#endif							/* GS_CPU_ENGINE_H */
