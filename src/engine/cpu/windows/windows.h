/*-------------------------------------------------------------------------
 *
 * windows.h
 *	  Windows over a relation (engine/windows.h) on the CPU: what files share.
 *
 * compute.c drives, one window after the other.  keys.c makes words of the
 * columns that rows are sorted by, and order.c sorts them: an order says which
 * row each place has.  move.c brings columns into the order of places, where
 * ranks.c, values.c, counts.c, extremes.c, sums.c, percentiles.c and pairs.c
 * compute a function for one partition after the other; the frames of its places are
 * frames.c's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CPU_WINDOWS_H
#define CPU_WINDOWS_H

#include "engine/cpu/engine_cpu.h"
#include "engine/sort_keys.h"

/* Row numbers have 31 bits (cpu_keys). */
#define WINDOWS_ROWS_MAX	((int64_t) INT32_MAX)

/* Rows, or places, at a time. */
#define WINDOWS_BLOCK		1024

/* With this place begins: */
#define HEAD_PEERS			1	/* rows that are equal in the order */
#define HEAD_PARTITION		2

/* Rows in order. */
typedef struct window_order
{
	int64_t		n;
	const uint32_t *row;		/* of each place; NULL: the same */
	const uint8_t *head;		/* HEAD_... of each place */
	bool		unique;			/* no two rows are peers */
	int			width;			/* of the sorted keys, if there is one word */
} window_order;

/* What all windows take, one after the other; for all rows. */
typedef struct window_space
{
	void	   *key;			/* 8 bytes a row: keys; then results */
	void	   *other_key;		/* likewise; then arguments */
	uint32_t   *row;
	uint32_t   *other_row;		/* then the queue of an extreme */
	uint8_t    *head;
	uint8_t    *present;
	uint8_t    *valid;
	int64_t    *range;			/* NULL unless frames are ranges of values */
	uint8_t    *range_null;
	void	   *ranking;		/* NULL unless there are percentiles, or pairs */
} window_space;

/*
 * One function, in the order of places.  Flags are bytes of 0 or 1.
 */
typedef struct window_run
{
	const gs_window_function *f;
	const gs_window *window;
	window_order order;
	gs_type		type;			/* of the argument; 0: there is none */
	const void *argument;
	const double *second;		/* of rows */
	const uint8_t *present;		/* does it count, or, of a function without
								 * filter: is it not NULL?  NULL: all */
	void	   *result;
	uint8_t    *valid;			/* is it not NULL?  NULL: all are */

	/* of frames that are ranges: ascending integers, but for NULLs */
	const int64_t *range;
	const uint8_t *range_null;
	gs_window_range values;

	uint32_t   *queue;			/* a place for each row */
	void	   *ranking;		/* cpu_window_ranking_size of all rows */
	uint32_t	errors;
} window_run;

/* Computes places first to end - 1, which are a partition. */
typedef void (*window_partition) (window_run *r, void *state, int64_t first,
								  int64_t end);

/* ----------
 * keys.c, order.c
 * ----------
 */

extern void cpu_window_keys(const gs_window *w, const gs_relation *relation,
							const uint8_t *type, gs_sort_keys *keys);

/* The word of n rows, up to WINDOWS_BLOCK, at places from `at` on. */
extern void cpu_window_word(const gs_sort_keys *keys, int word,
							const uint32_t *row, int64_t at, int n,
							uint64_t *to);

/*
 * Put a column in the order whose sorted keys these are; false: they do not have
 * its values.
 */
extern bool cpu_window_unpack(const gs_sort_keys *keys,
							  const window_order *order, const void *key,
							  gs_column_data *column, uint8_t *flags);

/*
 * Sort; `heads`: they are wanted.  The keys, rows and heads of the space are
 * those of the order.
 */
extern void cpu_window_sort(const gs_sort_keys *keys, int64_t rows, bool heads,
							window_space *space, window_order *order);

/* Only rows of the first ranks in their partitions, with heads. */
extern void cpu_window_sort_top(const gs_sort_keys *keys, int64_t rows,
								int64_t first, window_space *space,
								window_order *order);

/* Only the first `limit` rows, without heads; false: sort instead. */
extern bool cpu_window_first(const gs_sort_keys *keys, int64_t rows,
							 int64_t limit, window_space *space,
							 window_order *order);

/* ----------
 * move.c
 * ----------
 */

/* to[i] = from[row[i]] */
extern void cpu_window_gather(const void *from, int width,
							  const uint32_t *row, int64_t n, void *to);

/* The flags of bits, in the order of places; false: all are 1, and not set. */
extern bool cpu_window_flags(const uint8_t *bits, const window_order *order,
							 uint8_t *flags);

/* Of what is present, only where a column of booleans is true. */
extern void cpu_window_filter(const gs_column_data *column, window_run *r,
							  uint8_t *flags);

/* All rows of a column in the order of places; scratch: 8 bytes a row. */
extern void cpu_window_permute(gs_column_data *column, int64_t rows,
							   const window_order *order, void *scratch,
							   uint8_t *flags);

/* The bits of flags; those beyond the last are 0. */
extern void cpu_window_bits(const uint8_t *flags, int64_t n, uint8_t *bits);

/* A function's result becomes its column. */
extern void cpu_window_store(gs_column_data *column, const window_run *r);

/* ----------
 * Functions
 * ----------
 */

extern void cpu_window_ranks(window_run *r, void *state, int64_t first,
							 int64_t end);
extern void cpu_window_shift(window_run *r, void *state, int64_t first,
							 int64_t end);
extern void cpu_window_value(window_run *r, void *state, int64_t first,
							 int64_t end);
extern void cpu_window_count(window_run *r, void *state, int64_t first,
							 int64_t end);
extern void cpu_window_integers(window_run *r, void *state, int64_t first,
								int64_t end);
extern void cpu_window_extreme(window_run *r, void *state, int64_t first,
							   int64_t end);

extern void cpu_window_percentile(window_run *r, void *state, int64_t first,
								  int64_t end);
extern size_t cpu_window_ranking_size(int64_t rows);

/* In the memory of a ranking, which is larger. */
extern void cpu_window_figure(window_run *r, void *state, int64_t first,
							  int64_t end);

/* What all partitions share, of sums of floats; found when it is needed. */
typedef struct window_summing
{
	bool		found;
	bool		wide;			/* sums fit in 128 bits */
	int			base;			/* of these */
	int			first;			/* else the limbs that are not zero */
	int			limbs;
} window_summing;

extern void cpu_window_floats(window_run *r, void *state, int64_t first,
							  int64_t end);

/* ----------
 * frames.c
 * ----------
 */

/*
 * Computes n places from `at` on, whose frames are from start[i] to end[i] - 1, or
 * none.  Neither ever goes back in a partition.
 */
typedef void (*window_step) (window_run *r, void *state, int64_t at, int n,
							 const uint32_t *start, const uint32_t *end);

/* All places of a partition, in order. */
extern void cpu_window_frames(window_run *r, int64_t first, int64_t end,
							  window_step step, void *state);

/* The place after these peers, or the partition's end. */
static inline int64_t
window_next_peers(const window_run *r, int64_t at, int64_t end)
{
	do
		at++;
	while (at < end && !(r->order.head[at] & HEAD_PEERS));
	return at;
}

static inline bool
window_is_present(const window_run *r, int64_t i)
{
	return r->present == NULL || r->present[i];
}

static inline int64_t
window_integer(const void *values, gs_type type, int64_t i)
{
	switch (type)
	{
		case GS_INT8:
			return ((const int64_t *) values)[i];
		case GS_INT4:
			return ((const int32_t *) values)[i];
		case GS_INT2:
			return ((const int16_t *) values)[i];
		default:
			return ((const uint8_t *) values)[i];
	}
}

static inline double
window_float(const void *values, gs_type type, int64_t i)
{
	return type == GS_FLOAT4 ? ((const float *) values)[i] :
		((const double *) values)[i];
}

/*
 * Make a sliding content that of a frame: `add` and `drop` are called for places
 * that come and go, `clear` where all do.
 */
#define WINDOW_SLIDE(from, to, start, finish, clear, add, drop) \
	do { \
		if ((to) <= (start)) \
		{ \
			clear; \
			(from) = (to) = (start); \
		} \
		for (; (to) < (finish); (to)++) \
			add; \
		for (; (from) < (start); (from)++) \
			drop; \
	} while (0)

#endif							/* CPU_WINDOWS_H */
