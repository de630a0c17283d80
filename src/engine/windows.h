/*-------------------------------------------------------------------------
 *
 * windows.h
 *	  Window functions over the rows of a relation, and their order.
 *
 * Between a stage and the next one (finish.h) the rows of the relation may be
 * sorted, and columns of it be computed by window functions, as SQL's
 *
 *		function(argument) FILTER (WHERE ...) OVER
 *			(PARTITION BY ... ORDER BY ... frame)
 *
 * Where the order leaves rows equal, they stay in the order of the relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_H
#define GS_WINDOWS_H

#include "engine/finish.h"
#include "exact/figures.h"

#ifdef __cplusplus
extern "C"
{
#endif

#define GS_WINDOWS_MAX			4		/* different orders */
#define GS_WINDOW_FUNCTIONS_MAX	32
#define GS_WINDOW_COLUMNS_MAX	8		/* of an order, with its partition's */
#define GS_WINDOW_FIRST_MAX		16		/* ranks of each partition */

/* A column of the relation, compared as gs_compare_values has it. */
typedef struct gs_sort_column
{
	int16_t		column;
	uint8_t		descending;		/* 0 or 1 */
	uint8_t		nulls_first;	/* 0 or 1, descending or not */
} gs_sort_column;

/* Rows with the same first `partition` columns are one partition. */
typedef struct gs_window
{
	int16_t		partition;
	int16_t		columns;		/* with these; at least 0 */
	gs_sort_column column[GS_WINDOW_COLUMNS_MAX];
} gs_window;

typedef enum gs_window_kind
{
	GS_WINDOW_ROW_NUMBER = 1,	/* int8 */
	GS_WINDOW_RANK,				/* int8 */
	GS_WINDOW_DENSE_RANK,		/* int8 */
	GS_WINDOW_PERCENT_RANK,		/* float8 */
	GS_WINDOW_CUME_DIST,		/* float8 */
	GS_WINDOW_NTILE,			/* int4: of `offset` buckets, at least 1 */

	/*
	 * Of the argument's type: its value `offset` rows on, or back if that is
	 * negative; the default if the partition has no such row.
	 */
	GS_WINDOW_SHIFT,

	/* of the argument's type, of the frame's first, last, offset'th row */
	GS_WINDOW_FIRST,
	GS_WINDOW_LAST,
	GS_WINDOW_NTH,

	/*
	 * Aggregates of the frame's rows where the filter is true and the
	 * argument is not NULL; of no such row they are NULL, but for the count.
	 */
	GS_WINDOW_COUNT,			/* int8; without an argument: of rows */
	GS_WINDOW_SUM,				/* int8 of integers; of floats float8, exact and
								 * rounded once */
	GS_WINDOW_AVERAGE,			/* of floats: float8, likewise */
	GS_WINDOW_MIN,				/* numbers, of the argument's type, as */
	GS_WINDOW_MAX,				/* GS_AGG_MIN and GS_AGG_MAX have it */
	GS_WINDOW_PERCENTILE,		/* of numbers: float8, between two values */
	GS_WINDOW_PERCENTILE_DISC,	/* of numbers: a value, of the argument's type */
	GS_WINDOW_FIGURE,			/* of floats, or of pairs of float8, of which the
								 * second column has x: float8, exact and rounded
								 * once; NULL where the figure is undefined */

	GS_WINDOW_KINDS				/* one more than the last */
} gs_window_kind;

typedef enum gs_frame_mode
{
	GS_FRAME_ROWS = 1,
	GS_FRAME_RANGE,				/* offsets are distances of the order's one
								 * column, which has integers; if there are no
								 * offsets, any order may be */
	GS_FRAME_GROUPS				/* of peers */
} gs_frame_mode;

/*
 * The start's bound is not behind the end's in this list, unless the end is
 * unbounded; with two offsets on one side a frame may have no rows.
 */
typedef enum gs_frame_bound
{
	GS_BOUND_UNBOUNDED = 1,		/* the partition's first or last row */
	GS_BOUND_PRECEDING,			/* by an offset, which is at least 0 */
	GS_BOUND_CURRENT,			/* in the other modes than rows: with its peers */
	GS_BOUND_FOLLOWING
} gs_frame_bound;

typedef struct gs_frame_end
{
	uint8_t		bound;			/* gs_frame_bound */
	int64_t		offset;
} gs_frame_end;

typedef struct gs_window_function
{
	uint8_t		kind;			/* gs_window_kind */
	uint8_t		mode;			/* gs_frame_mode; 0: it has no frame */

	/*
	 * 0 or 1: of an extreme or a float's sum: a zero whose sign depends on the
	 * order of rows is GS_ERROR_RANGE, as gs_finish.zeros has it.
	 */
	uint8_t		zeros;
	uint8_t		has_default;	/* GS_WINDOW_SHIFT; else NULL */
	int16_t		window;
	int16_t		result;			/* the column that it computes */
	int16_t		argument;		/* a column, or GS_NOTHING */
	int16_t		second;			/* likewise: of a figure of pairs, x; of other
								 * figures, averages of floats and counts of an
								 * argument, only rows where it is not NULL count */
	int16_t		filter;			/* a boolean column, or GS_NOTHING: all rows */
	uint8_t		figure;			/* gs_figure, from GS_FIGURE_VAR_POP on */
	gs_frame_end start;
	gs_frame_end end;

	/*
	 * With offsets of GS_FRAME_RANGE: finite values are from low to high, and a
	 * distance that leads beyond these is GS_ERROR_RANGE.  The least and the
	 * greatest integer of the column's type are infinite: at any distance such a
	 * row has its peers.  INT64_MIN and INT64_MAX: all values are finite, and may
	 * be anywhere.
	 */
	int64_t		low;
	int64_t		high;
	int64_t		offset;
	double		fraction;		/* of percentiles: 0 to 1 */
	gs_value	by_default;		/* of the argument's type */
} gs_window_function;

typedef struct gs_windows
{
	int16_t		windows;
	int16_t		functions;
	int16_t		order;			/* rows come in this window's order; -1: as
								 * they were */
	gs_window	window[GS_WINDOWS_MAX];
	gs_window_function function[GS_WINDOW_FUNCTIONS_MAX];
	int64_t		limit;			/* with an order and without functions: only so
								 * many rows, the first; 0: all */
	int64_t		first;			/* with an order, of which all functions are, and
								 * which they need no rows behind: only rows
								 * whose rank is no greater, up to
								 * GS_WINDOW_FIRST_MAX; 0: all */
} gs_windows;

/*
 * Is it valid for a relation of these columns, of which `finish` tells how they
 * come?  Each column of kind GS_FINISH_WINDOW is one function's result.
 */
extern gs_status gs_windows_check(const gs_windows *w, const uint8_t *type,
								  int columns, const gs_finish *finish);

/*
 * Set w->first, and the order that it needs, if a plan that reads the rows has a
 * filter that leaves rows of small ranks alone.
 */
extern void gs_windows_narrow(gs_windows *w, const gs_plan *plan);

/* What engines ask of valid ones. */

/* Ascending integers that frames are ranges of: complements if they descend. */
typedef struct gs_window_range
{
	int64_t		low;			/* the function's, or their complements */
	int64_t		high;
	int64_t		least;			/* integer of the type; the greatest is ~least */
} gs_window_range;

extern gs_window_range gs_window_range_of(const gs_window_function *f,
										  gs_type type, bool descending);

typedef enum gs_window_target
{
	GS_TARGET_VALUE,
	GS_TARGET_PEERS,
	GS_TARGET_BEFORE,			/* all values */
	GS_TARGET_BEHIND,
	GS_TARGET_ERROR				/* GS_ERROR_RANGE */
} gs_window_target;

/* Where does an end's distance lead, from a value?  To *target, if to a value. */
GS_INLINE gs_window_target
gs_window_find_target(const gs_window_range *r, const gs_frame_end *end,
					  int64_t value, int64_t *target)
{
	uint64_t	offset = (uint64_t) end->offset;
	bool		back = end->bound == GS_BOUND_PRECEDING;
	bool		beyond;

	if (value < r->low || value > r->high)
		return value == r->least || value == ~r->least ? GS_TARGET_PEERS :
			GS_TARGET_ERROR;
	*target = (int64_t) ((uint64_t) value + (back ? 0 - offset : offset));
	beyond = back ? *target > value : *target < value;
	if (!beyond && *target >= r->low && *target <= r->high)
		return GS_TARGET_VALUE;
	if (r->low != INT64_MIN || r->high != INT64_MAX)
		return GS_TARGET_ERROR;
	return back ? GS_TARGET_BEFORE : GS_TARGET_BEHIND;
}

/* Are there offsets that are distances of values? */
extern bool gs_window_has_distances(const gs_window_function *f);
/* Does its result depend on rows before and peers alone? */
extern bool gs_window_looks_back(const gs_window_function *f);
extern bool gs_window_is_never_null(const gs_window_function *f);
extern bool gs_window_has_functions(const gs_windows *w, int window);

/* Is it a column that a function of the window computes? */
extern bool gs_window_computes(const gs_windows *w, int window, int column);

/*
 * Where the results are, if they are integers; that of sums is not known.  type: the
 * argument's; 0: there is none.
 */
extern void gs_window_set_range(const gs_window_function *f, gs_type type,
								gs_relation *relation);

/* What function f gives; 0: there is no such function. */
extern gs_type gs_window_type(const gs_windows *w, int f, const uint8_t *type);

/* Bytes that gs_windows_compute allocates at most, for so many rows. */
extern int64_t gs_windows_memory(const gs_windows *w, const uint8_t *type,
								 int columns, int64_t rows);

/* Is it a figure of pairs? */
extern bool gs_window_is_of_pairs(const gs_window_function *f);

/*
 * Who waits for the result, and is asked whether that is still so: after each sort,
 * and at least once for each column and each function.
 */
typedef struct gs_windows_caller
{
	bool		(*waits) (void *who);
	void	   *who;
} gs_windows_caller;

/*
 * Compute the functions' columns of a relation as gs_relation_lay makes it, and
 * put its rows in order, in place.  Of fewer rows relation->rows is set.  Sets
 * bits of *errors: an integer that does not fit.  GS_NO_MEMORY, or GS_INVALID: nobody
 * waits any more.  caller may be NULL.
 */
extern gs_status gs_windows_compute(const gs_windows *w, const uint8_t *type,
									gs_relation *relation,
									const gs_windows_caller *caller,
									uint32_t *errors);

/*
 * Figures of frames that are known: from start[i] to end[i] - 1 in n places, at
 * least one, and neither ever goes back.  Where it is not present a place has
 * zeros, y and x; y is NULL unless f is of pairs.  Results that are not valid are
 * zeros.  False: nobody waits any more.
 */
extern bool gs_window_figures(const gs_window_function *f, int64_t n,
							  const double *y, const double *x,
							  const uint8_t *present, const uint32_t *start,
							  const uint32_t *end,
							  const gs_windows_caller *caller, double *result,
							  uint8_t *valid, uint32_t *errors);

#ifdef __cplusplus
}
#endif

#endif							/* GS_WINDOWS_H */
