/*-------------------------------------------------------------------------
 *
 * ewma.cuh
 *	  Exponentially weighted means: the state, and what kernels are given.
 *
 * ewma.cu has the story.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EWMA_CUH
#define GS_EWMA_CUH

#include "kernels/common.cuh"

#include "exact/ewma.h"
/*
 * Of 2^28 float8 on an H200: 2.08 ms with 128 threads, 2.29 with 256; an exact
 * running sum takes 1.25.
 */
#define THREADS		128
#define BLOCKS		16			/* a multiprocessor */
#define MEANS_BLOCKS	6		/* for the means; by shared memory */
#define GROUP		(THREADS * GS_EWMA_RUN)	/* elements; a thread has a run */
#define CHUNK		THREADS		/* groups */
#define LEVELS		28			/* of the tree over runs */
#define GROUP_LEVEL	7
#define CHUNK_LEVEL	14

static_assert(1 << GROUP_LEVEL == THREADS && 1 << CHUNK_LEVEL == THREADS * CHUNK,
			  "levels of groups and chunks");

#define WARPS		(THREADS / GS_WARP)

static_assert(GS_EWMA_RUN == GS_WARP, "a warp's lanes have a run side by side");

/* A row of shared memory: threads that go through runs use different banks. */
#define ROW			(GS_EWMA_RUN + 1)

/* What is known of the elements. */
typedef struct ewma_found
{
	/* elements before the first one of each kind; ULLONG_MAX: all */
	unsigned long long before_nan;
	unsigned long long before_infinity;
	unsigned long long before_minus_infinity;

	unsigned int greatest;		/* the high word of the greatest finite
								 * magnitude, whose exponent matters */

	/* by near_means() (ewma_near.cuh) */
	unsigned int doubtful;		/* a mean is in doubt */
	unsigned int most;			/* as greatest, infinities and NaN too */
	unsigned int least;			/* the least of the blocks' greatest, finite
								 * or not */

	const void *values;			/* the elements */
} ewma_found;

/* What is before something, a fold of blocks. */
typedef struct ewma_fold
{
	gs_pair		sum;
	gs_pair		weight;			/* if adjusted */
	bool		any;			/* there is something */
} ewma_fold;

/* The layout of the state. */
typedef struct ewma_state
{
	ewma_found *found;
	gs_ewma_step *step;			/* of gap i + 1, i < GS_EWMA_GAPS */

	/* nodes (below): all runs, as whole ones; whole groups; a tree over whole
	 * chunks */
	void	   *run;
	void	   *group;
	void	   *chunk;
	ewma_fold  *before;			/* what is before each group but the first */

	bool	   *plain;			/* of each group: no element is tiny but 0 */
	uint32_t   *place;			/* of each element, from 0, NULLs too */
	uint32_t   *upto;			/* how many elements there are up to each place */
	void	   *values;			/* unless they are cached */
	double	   *mean;			/* after each element, if there are NULLs */
	double	   *result;			/* at each place */
	size_t		size;
} ewma_state;

/* More than there are whole chunks, as one of them may be partial. */
static int
chunk_leaves(int64_t groups)
{
	int			leaves = 1;

	while (leaves <= groups / CHUNK)
		leaves *= 2;
	return leaves;
}

static ewma_state
lay_state(const gs_op *op, int64_t n, void *state)
{
	const int64_t groups = gs_divide_up(n, GROUP);
	char	   *at = (char *) state;
	ewma_state	s;

	s.found = (ewma_found *) gs_part(&at, sizeof(ewma_found));
	s.step = (gs_ewma_step *)
		gs_part(&at, GS_EWMA_GAPS * sizeof(gs_ewma_step));
	s.run = gs_part(&at, groups * THREADS * sizeof(gs_ewma_block));
	s.group = gs_part(&at, groups * sizeof(gs_ewma_block));
	s.chunk = gs_part(&at, 2 * chunk_leaves(groups) * sizeof(gs_ewma_block));
	s.before = (ewma_fold *) gs_part(&at, groups * sizeof(ewma_fold));
	s.plain = (bool *) gs_part(&at, groups * sizeof(bool));
	s.place = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.upto = (uint32_t *) gs_part(&at, n * sizeof(uint32_t));
	s.values = gs_part(&at, op->cached ? 0 :
					   n * gs_type_width((gs_type) op->type));
	s.mean = (double *) gs_part(&at, n * sizeof(double));
	s.result = (double *) gs_part(&at, n * sizeof(double));
	s.size = at - (char *) state;
	return s;
}

/* What the kernels read and write. */
typedef struct ewma_args
{
	ewma_state	s;
	int64_t		present;
	double		alpha;
	bool		adjust;
	double	   *mean;			/* after each element */

	/* where all gaps are 1 */
	gs_ewma_step even;
	gs_pair		product[GS_EWMA_RUN];	/* up to each element of a run */
	gs_pair		weight[GS_EWMA_RUN];
	gs_pair		kept_by[LEVELS];	/* blocks of 2^k runs */
	gs_pair		weight_of[LEVELS];
	bool		quick;			/* steps by quick_run(), where elements allow */
	int			near;			/* near_levels() */
} ewma_args;

static_assert(sizeof(ewma_args) <= 4096, "they are a kernel's arguments");

#endif							/* GS_EWMA_CUH */
