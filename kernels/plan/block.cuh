/*-------------------------------------------------------------------------
 *
 * block.cuh
 *	  What a block of the accumulating kernel works on: its rows, its shared
 *	  memory, and the places of states.
 *
 * All functions handle the ROWS rows that a thread has at a time; of those,
 * bit r of a mask says whether row r takes part.  FULL: all do, and are THREADS
 * apart.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_BLOCK_CUH
#define GS_GROUP_BLOCK_CUH

#include "kernels/plan/accumulate.cuh"
#include "kernels/plan/execute.cuh"
#include "kernels/plan/plain.cuh"

#define THREADS		GS_GROUP_THREADS
#define ROWS		GS_GROUP_ROWS

#define GROUP_TILE	(THREADS * ROWS)
#define WARP_ROWS	(GS_WARP * ROWS)	/* of a tile, for each warp */

/* A warp's list of rows that pass a filter: how many, and these. */
#define LIST_WORDS	(1 + WARP_ROWS)

#define EACH_ROW(mask, ...)	GROUP_EACH_ROW(ROWS, FULL, mask, __VA_ARGS__)

/*
 * Where states are.  Kernels are compiled for each, and for what their actions
 * do, since tests of either in the loops would cost as much as the work.
 */
typedef enum add_mode
{
	ADD_LOCAL,					/* all in shared memory, in 32 replicas */
	ADD_PACKED,					/* all in shared memory, in fewer replicas */
	ADD_HOT						/* some in shared memory, in 32 replicas; the
								 * others in global memory */
} add_mode;

#define KINDS_FLOAT_SUMS	1	/* and counts, always */
#define KINDS_FLOAT_SQUARES	2
#define KINDS_EXTREMES		4
#define KINDS_INTEGER_SUMS	8	/* and arguments may come from plain programs */
#define KINDS_OTHERS		16
#define KINDS_PROGRAMS		32	/* arguments may come from other programs */
#define KINDS_HISTOGRAMS	64
#define KINDS_FLOATS	(KINDS_FLOAT_SUMS | KINDS_FLOAT_SQUARES | \
						 KINDS_EXTREMES)
#define KINDS_SUMS		(KINDS_FLOAT_SUMS | KINDS_INTEGER_SUMS)
#define KINDS_COLUMNS	(KINDS_FLOATS | KINDS_INTEGER_SUMS | \
						 KINDS_HISTOGRAMS | KINDS_OTHERS)
#define KINDS_ALL		(KINDS_COLUMNS | KINDS_PROGRAMS)
#define KINDS_COMPUTED	(KINDS_INTEGER_SUMS | KINDS_PROGRAMS)

/* What the kernel reads, on the device. */
typedef struct group_input
{
	const group_job *job;
	const group_layout *layout;
	const group_key_job *keys;
	const group_digit *digits;
	const evaluate_range *ranges;
	const plain_step *steps;
} group_input;

/* What a launch needs beside the accumulation. */
typedef struct group_launch
{
	int			kinds;			/* KINDS_... of the actions */
	int			blocks;
	group_input input;
	cudaStream_t stream;
} group_launch;

extern cudaError_t group_launch_local(const group_accumulation *g,
									  const group_launch *l);
extern cudaError_t group_launch_packed(const group_accumulation *g,
									   const group_launch *l);
extern cudaError_t group_launch_hot(const group_accumulation *g,
									const group_launch *l);

/* What adding reads of an action; a copy for each block, in shared memory. */
typedef struct add_action
{
	const void *a;
	const void *b;
	const uint32_t *a_validity;	/* NULL if it is computed */
	const uint32_t *b_validity;
	const uint32_t *filter;
	int64_t		a_base;
	int64_t		b_base;
	const group_action *all;	/* in global memory */
	int32_t		word;
	int32_t		rare;
	int32_t		replicated;		/* times replicas */
	int32_t		single;			/* times groups */
	int32_t		unit;
	int8_t		kind;
	int8_t		type;
	int8_t		a_format;
	int8_t		b_format;
	int8_t		digits;
	int8_t		sparse;			/* are there bitmaps? */
	int8_t		again;			/* the values of the action before */
	int16_t		a_slot;			/* computed with the rows; -1: in memory */
	int16_t		b_slot;
} add_action;

/* What adding needs of a key of dense groups. */
typedef struct add_key
{
	const void *values;
	const uint32_t *validity;
	int64_t		base;
	uint64_t	low;
	uint32_t	size;
	uint32_t	stride;
	int32_t		format;
	int32_t		type;
} add_key;

/*
 * A block's shared memory.  States are found by their places in it, not by
 * pointers, from which the compiler could not tell that they are in shared
 * memory: it then adds by way of global memory's path, which takes longer.
 */
extern __shared__ __align__(16) uint32_t group_shared[];

__device__ static inline int64_t *
group_shared_words(void)
{
	return (int64_t *) group_shared;
}

/* What belongs to it. */
typedef struct block_states
{
	const group_job *job;		/* a copy in shared memory */
	int32_t		replicated;		/* [group][word][replica], from this thread's
								 * replica on; in 32-bit words */
	int32_t		single;			/* [single][group]; in 64-bit words */
	int64_t    *records;
	int64_t    *rare;
	int32_t		replicas;
	int32_t		hot_lane;		/* which place of a hot group is this lane's */
	int32_t		group_words;	/* replicated ones of a group, times replicas */
	int32_t		record_words;
	int32_t		rare_words;
	int32_t		ranges;			/* of the filter; in 32-bit words */
	int32_t		steps;			/* of a plain program; in 32-bit words */
	int32_t		list;			/* each warp's, of rows that count; in 32-bit
								 * words */
	int32_t		slot;			/* of computed values; in 64-bit words */
	slots<ROWS> slots;			/* computed values, for execute_step() */
} block_states;

/*
 * A thread's rows.  target[r] is a group's place in shared memory or, less
 * than 0, the complement of a group that is in global memory only.
 */
typedef struct thread_rows
{
	uint32_t	counted;		/* mask of those that have a group */
	uint32_t	seen;			/* counts in shared memory before, OR-ed */
	uint32_t	row[ROWS];
	int32_t		target[ROWS];
} thread_rows;

/* The value of this thread's row r in a slot. */
__device__ static inline int64_t *
slot_value(const block_states &b, int slot, int r)
{
	return group_shared_words() + b.slot + (slot * ROWS + r) * THREADS +
		threadIdx.x;
}

/* How many replicas there are. */
template <add_mode MODE>
__device__ static inline int
replicas_of(const block_states &b)
{
	return MODE == ADD_PACKED ? b.replicas : GS_WARP;
}

/* The group whose record it is. */
template <add_mode MODE>
__device__ static inline uint32_t
record_group(const block_states &b, int32_t target)
{
	if (MODE == ADD_HOT && target < 0)
		return (uint32_t) ~target;
	if (MODE != ADD_LOCAL && target >= b.job->hot_first)
		return b.job->group_of_hot[(target - b.job->hot_first) >>
								   b.job->hot_shift];
	return (uint32_t) target;
}

template <add_mode MODE>
__device__ static inline bool
is_local(int32_t target)
{
	return MODE != ADD_HOT || target >= 0;
}

__device__ static inline int64_t *
record_word(const block_states &b, uint32_t group, int word)
{
	return b.records + (size_t) group * b.record_words + word;
}

__device__ static inline int64_t *
rare_word(const block_states &b, uint32_t group, int word)
{
	return b.rare + (size_t) group * b.rare_words + word;
}

__device__ static inline void
add_word(int64_t *word, int64_t addend)
{
	atomicAdd((unsigned long long *) word, (unsigned long long) addend);
}

/* Where a group's replicated words are; `word` is times replicas. */
__device__ static inline uint32_t *
replicated_word(const block_states &b, int32_t target, int word)
{
	return group_shared + b.replicated + target * b.group_words + word;
}

/* The place of a group. */
template <add_mode MODE>
__device__ static inline int32_t
target_of(const block_states &b, uint32_t group, bool any_hot)
{
	int			i = group % 32;

	if (MODE == ADD_LOCAL)
		return (int32_t) group;
	if (any_hot && b.job->hot_group[i] == group)
		return b.job->hot_place[i] + b.hot_lane;
	return MODE == ADD_HOT ? (int32_t) ~group : (int32_t) group;
}

/* What the count was before, if it is in shared memory. */
template <add_mode MODE>
__device__ static inline uint32_t
count_one(const block_states &b, int32_t target, int replicated, int word)
{
	if (is_local<MODE>(target))
		return atomicAdd(replicated_word(b, target, replicated), 1u);
	add_word(record_word(b, (uint32_t) ~target, word), 1);
	return 0;
}

/* The same of several rows, where all groups are in shared memory. */
__device__ static inline uint32_t
count_more(const block_states &b, int32_t target, uint32_t rows)
{
	return atomicAdd(replicated_word(b, target, 0), rows);
}

/* Floats as float8; what is exact for a float4. */
__device__ static inline void
widen_floats(int64_t *x)
{
#pragma unroll
	for (int r = 0; r < ROWS; r++)
		x[r] = __double_as_longlong(__int_as_float((int) x[r]));
}

/* Bring the block's next tile to the L2 cache: one warp does it for all. */
__device__ static inline void
prefetch_tile(const group_job *job, int64_t first, int64_t end)
{
	int			rows = (int) (end - first < GROUP_TILE ? end - first :
							  GROUP_TILE);
	int			columns = job->few ? job->columns_of_ranges : job->columns;

	if (gs_warp() != 0)
		return;
	for (int i = 0; i < columns; i++)
		group_prefetch((const char *) job->column[i] + first * job->width[i],
					   rows * job->width[i]);
}

/* Do only some rows count? */
static inline __host__ __device__ bool
is_filtered(const group_job *job)
{
	return job->rows != NULL || job->ranges > 0;
}

/* Bytes of shared memory for the lists of those that do. */
static inline __host__ __device__ size_t
list_size(const group_job *job)
{
	return !is_filtered(job) ? 0 :
		THREADS / GS_WARP * LIST_WORDS * sizeof(uint32_t);
}

/* Bytes of shared memory for so many groups. */
static inline size_t
states_size(const group_layout *layout, const group_job *job, int64_t groups,
			int replicas)
{
	return layout->actions * sizeof(add_action) +
		job->ranges * sizeof(evaluate_range) +
		job->steps * sizeof(plain_step) + list_size(job) +
		slots_size<ROWS, THREADS>(job->slots) +
		(size_t) groups * (layout->singles * sizeof(int64_t) +
						   (size_t) layout->replicated * replicas *
						   sizeof(uint32_t));
}

#endif							/* GS_GROUP_BLOCK_CUH */
