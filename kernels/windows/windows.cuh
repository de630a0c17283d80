/*-------------------------------------------------------------------------
 *
 * windows.cuh
 *	  Windows over a relation (engine/windows.h) in device memory: what files
 *	  share.
 *
 * windows.cu drives, one window after the other.  look.cu finds what is in
 * columns; keys.cuh makes words of those that rows are sorted by, and order.cu
 * sorts them: then places (places.cuh) say which row comes where, and which of
 * them are a partition or peers.  ranks.cu, values.cu, counts.cu, extremes.cu, sums.cu,
 * percentiles.cu and pairs.cu compute a function of each place; frames are frames.cuh's.
 * move.cu brings the rows of the relation into an order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_WINDOWS_CUH
#define GS_WINDOWS_CUH

#include "engine/moving.h"
#include "engine/windows.h"
#include "kernels/device/device.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Does gs_windows_cuda compute the windows of a stage?  All that are valid. */
extern bool gs_windows_cuda_takes(const gs_stage *next);

/*
 * As gs_windows_compute, of a relation in device memory (engine/relation.h) that
 * nothing in flight uses.  *error tells of a failure; a caller that no longer
 * waits is none.
 */
extern gs_status gs_windows_cuda(const gs_stage *next, gs_relation *relation,
								 const gs_windows_caller *caller,
								 uint32_t *errors, gs_error *error);

#ifdef __cplusplus
}
#endif

#define WINDOWS_THREADS		256
#define WINDOWS_BLOCKS		8	/* a multiprocessor */

/*
 * windows_grid: rows that a thread takes in a short block, and how many of these
 * follow each other at least, lest the last of them run alone for long.
 */
#define WINDOWS_TURNS		8
#define WINDOWS_WAVES		8

/* As many rows as a batch may have: sums of limbs have no carries (sums.cu). */
#define WINDOWS_ROWS_MAX	GS_PLAN_BATCH_MAX

/* What look.cu finds of the values of a column that are not NULL. */
typedef struct windows_found
{
	long long	low;			/* integers in their order, of which equal ones */
	long long	high;			/* have the same; low > high: there are none */
	unsigned int nulls;			/* 1: there are some */

	/* floats: gs_extent, if end > 0, of those that are not special */
	unsigned int lowest;
	unsigned int end;
	unsigned int special;		/* 1: there are some */

	/* GS_INT8 of an order: as gs_sort_found has them; 0: not looked for */
	unsigned long long step;
	long long	value;
} windows_found;

/* In device memory. */
typedef struct windows_report
{
	windows_found column[GS_PLAN_COLUMNS];
	unsigned int errors;		/* GS_ERROR_... */
	unsigned int falls;			/* what keys do (order.cu) */
} windows_report;

#define WINDOWS_PIECES		64

/* One computation. */
typedef struct windows_run
{
	const gs_windows *w;
	const uint8_t *type;
	gs_relation *relation;
	gs_exec_context *context;
	windows_report *report;		/* on the device */
	uint64_t	looked;			/* columns of which there is all but steps: */
	uint64_t	stepped;		/* of which there are steps, too */
	windows_found found[GS_PLAN_COLUMNS];
	char	   *piece[WINDOWS_PIECES];	/* memory that has been taken */
	int			pieces;
	const gs_windows_caller *caller;
	bool		stopped;		/* nobody waits any more */
} windows_run;

static inline void
windows_ask(windows_run *run)
{
	if (!run->stopped && run->caller != NULL)
		run->stopped = !run->caller->waits(run->caller->who);
}

/* Places: the rows in an order. */
typedef struct windows_places
{
	uint32_t	n;
	const uint32_t *row;		/* of each place; NULL: the same */

	/*
	 * Numbers, from 1 on, of each place's partition and of its peers; where
	 * number k starts is start[k - 1], and start[k] where it ends.  NULL: all
	 * places are one partition; peers are not needed.
	 */
	const uint32_t *partition;
	const uint32_t *partition_start;
	const uint32_t *peers;
	const uint32_t *peers_start;
} windows_places;

/* Where a function's results go, whatever the order. */
typedef struct windows_output
{
	void	   *values;
	uint32_t   *validity;		/* NULL: none is NULL; of another order than
								 * that of rows all bits are set before */
	const uint32_t *row;		/* as in the places */
} windows_output;

/* Which rows an aggregate counts.  NULL: all, as far as this is concerned. */
typedef struct windows_present
{
	const uint8_t *validity;	/* bits of the argument */
	const uint8_t *second;		/* and of the second one */
	const uint8_t *filter;		/* values of a column of booleans, and bits */
	const uint8_t *filter_validity;
} windows_present;

/* One function. */
typedef struct windows_call
{
	windows_run *run;
	const gs_window_function *f;
	const gs_window *window;
	windows_places places;
	windows_output output;
	gs_type		type;			/* of the argument; 0: there is none */
	const void *argument;		/* values of rows */
	windows_present present;
	bool		all;			/* are present */
	const int64_t *range;		/* of frames that are ranges (frames.cuh) */
	const uint8_t *range_validity;
	gs_window_range values;
} windows_call;

static inline cudaStream_t
windows_stream(const windows_run *run)
{
	return run->context->patient;
}

/* Bytes of scratch, until they are given back. */
static inline cudaError_t
windows_take(windows_run *run, size_t size, void **memory)
{
	if (run->pieces == WINDOWS_PIECES)
		return cudaErrorMemoryAllocation;
	GS_TRY(gs_memory_acquire(size > 0 ? size : 1, &run->piece[run->pieces]));
	*memory = run->piece[run->pieces++];
	return cudaSuccess;
}

/* So many pieces stay.  Nothing in flight may use the others. */
static inline void
windows_keep(windows_run *run, int pieces)
{
	while (run->pieces > pieces)
		gs_memory_give_back(run->piece[--run->pieces]);
}

/*
 * A grid for rows that blocks take one after the other, as often as they have to: no
 * more blocks than run at once.  For kernels that tell, at a block's end, what it has
 * found.
 */
static inline cudaError_t
windows_long_blocks(int64_t n, unsigned int *blocks)
{
	int			count;

	GS_TRY(gs_grid(gs_divide_up(n, WINDOWS_THREADS), WINDOWS_BLOCKS, &count));
	*blocks = (unsigned int) (count > 0 ? count : 1);
	return cudaSuccess;
}

/*
 * The same, but of many rows so many blocks that each is soon done.  Only when a block
 * ends gets a kernel of a stream of higher priority its turn: other sessions' reports
 * would wait for milliseconds.
 */
static inline cudaError_t
windows_grid(int64_t n, unsigned int *blocks)
{
	int64_t		turns = gs_divide_up(n, WINDOWS_THREADS * WINDOWS_TURNS);

	GS_TRY(windows_long_blocks(n, blocks));
	if (turns >= WINDOWS_WAVES * (int64_t) *blocks)
		*blocks = (unsigned int) turns;
	return cudaSuccess;
}

/* Call something of CUB's twice: with the memory that it asks for. */
template <typename Call>
static cudaError_t
windows_with_workspace(windows_run *run, Call call)
{
	size_t		size = 0;
	void	   *workspace;

	GS_TRY(call((void *) NULL, size));
	GS_TRY(windows_take(run, size, &workspace));
	return call(workspace, size);
}

/* ----------
 * look.cu, order.cu, move.cu
 * ----------
 */

/*
 * Find what is in these columns, unless it is in run->found already, and steps of
 * those that rows are sorted by.
 */
extern cudaError_t windows_look(windows_run *run, uint64_t columns,
								uint64_t sorted);

/*
 * Sort the rows by a window's columns.  Peers are found if they are wanted; of
 * no heads at all, neither partitions.
 */
extern cudaError_t windows_sort(windows_run *run, const gs_window *window,
								bool heads, bool peers,
								windows_places *places);

/* Only rows of the first ranks in their partitions. */
extern cudaError_t windows_sort_top(windows_run *run, const gs_window *window,
									int64_t first, bool heads, bool peers,
									windows_places *places);

/* Only the first rows, as many as places->n says, without heads. */
extern cudaError_t windows_sort_first(windows_run *run,
									  const gs_window *window, int64_t limit,
									  windows_places *places);

/* Bring a column into the order of places. */
extern cudaError_t windows_permute(windows_run *run, int column,
								   const windows_places *places);

/* Set n bits; those that follow in the last word become zero. */
extern cudaError_t windows_set_bits(windows_run *run, uint32_t *bits,
									int64_t n);

/* ----------
 * Functions
 * ----------
 */

extern cudaError_t windows_ranks(windows_call *c);
extern cudaError_t windows_shift(windows_call *c);
extern cudaError_t windows_value(windows_call *c);
extern cudaError_t windows_count(windows_call *c);
extern cudaError_t windows_integers(windows_call *c);
extern cudaError_t windows_extreme(windows_call *c);
extern cudaError_t windows_floats(windows_call *c);
extern cudaError_t windows_percentile(windows_call *c);
extern cudaError_t windows_figure(windows_call *c);

/*
 * counts.cu: counts[i] is how many of the places before i are present, i = 0 to n;
 * NULL if all are.
 */
extern cudaError_t windows_count_present(windows_call *c,
										 const uint32_t **counts);

/* range.cu: the ascending integers that frames are ranges of. */
extern cudaError_t windows_find_range(windows_call *c);

#endif							/* GS_WINDOWS_CUH */
