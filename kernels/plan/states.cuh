/*-------------------------------------------------------------------------
 *
 * states.cuh
 *	  The states of groups on the device.
 *
 * A group has a record of 64-bit words in global memory: the number of its
 * rows, then what each action adds up.  What is rarely added to is in a second
 * record, so that the first ones of many groups fit in the cache: the rows that
 * a count leaves out, NaN and the like.  An action is what one or several
 * aggregates of a plan need.  Sums are fixed-point numbers in words of
 * GROUP_WORD_BITS bits, the last of them signed and of 64, so that many
 * additions fit before carries must be propagated (group_normalise).
 *
 * A float is added as a multiple of 2^unit, of which there is one for an
 * action and execution: the window.  It is chosen from a sample, such that the
 * largest values fit.  Bits below it are added to a word of the rare record;
 * what loses bits even there, or is too large, to an accumulator (gs_acc,
 * gs_acc2) that the group then gets.  So sums are exact, whatever the sample.
 *
 * In shared memory (accumulate.cu), sums have digits of
 * GROUP_DIGIT_BITS bits in 32-bit words, since these are the fastest to add to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_STATES_CUH
#define GS_GROUP_STATES_CUH

#include <stddef.h>

#include "kernels/plan/plan.cuh"
#include "kernels/histogram/histogram_bucket.cuh"

#define GROUP_DIGIT_BITS	18
#define GROUP_WORD_BITS		(2 * GROUP_DIGIT_BITS)
#define GROUP_WORD_MASK		((INT64_C(1) << GROUP_WORD_BITS) - 1)

/* So many rows may be added before carries must be propagated; < 2^27. */
#define GROUP_NORMALISE_ROWS	(INT64_C(100) << 20)

/* So many additions to a digit fit, and this many before it is looked at. */
#define GROUP_DIGIT_ADDITIONS	(1 << 14)

#define GROUP_ACTIONS		(2 * GS_PLAN_AGGREGATES)

/* A record's words: 2 GB; indexes of them, some twice as large, are int. */
#define GROUP_WORDS_MAX		(1 << 28)

/* How far above its unit the lowest bit of a float can be; of a product. */
#define GROUP_SUM_ROOM		(4 * GROUP_DIGIT_BITS - 1 - 53)
#define GROUP_PRODUCT_ROOM	(8 * GROUP_DIGIT_BITS - 1 - 106)

/* Of a sum, such that infinities are beyond the window. */
#define GROUP_UNIT_MAX		(2045 - GROUP_SUM_ROOM)

/* The rare words of a float sum. */
#define GROUP_SEEN			0	/* GS_SEEN_..., but not NOT_NEGATIVE_ZERO */
#define GROUP_NEGATIVE_ZEROS 1	/* how many of the addends are -0 */
#define GROUP_BELOW			2	/* GROUP_WORD_BITS bits below the unit */
#define GROUP_RARE_WORDS	3	/* of a float sum */

typedef struct group_action
{
	int32_t		kind;			/* gs_aggregate_kind; what is not here needs
								 * values.cu */
	int32_t		type;			/* gs_type of the arguments */
	gs_operand	of_a;			/* of the plan */
	gs_operand	of_b;
	gs_operand	of_filter;
	int16_t		most_digits;	/* of a sum */
	int32_t		word;			/* first in the record */
	int32_t		words;			/* of a sum, including the signed one */
	int32_t		unit;			/* of floats; known at the end */
	int32_t		rare;			/* first rare word; of a float sum: GROUP_SEEN, .. */
	int32_t		count;			/* rare word of the count of its values, if
								 * needed */

	int32_t		single;			/* 64-bit word in shared memory; -1: none */

	/* GS_AGG_HISTOGRAM */
	gs_aggregate histogram;
	int32_t		is_ordinary;	/* width_rule_serves() */
	width_rule	rule;			/* if it does */
	plain_width_rule plain_rule;	/* else */

	/* accumulators of what does not fit: of each group, 0 or its number + 1 */
	uint32_t   *wide_of;
	char	   *wide;			/* gs_acc or gs_acc2 each */
	uint32_t   *wide_count;
	uint32_t	wide_capacity;

	/* of the batch */
	int16_t		digits;			/* that a sum's addends have */
	int32_t		replicated;		/* first 32-bit word in shared memory */
	group_column a;
	group_column b;
	const uint32_t *filter;		/* bits; NULL: all */
	int32_t		a_slot;			/* of arguments that are computed with the
								 * rows, and in memory for a sample; -1: they
								 * are in memory */
	int32_t		b_slot;
	int32_t		sparse;			/* it does not add all rows */
	int32_t		again;			/* it reads the same as the action before that
								 * reads values */
} group_action;

/* What a 32-bit word in shared memory adds to which word of the record. */
typedef struct group_digit
{
	int32_t		word;
	int8_t		shift;
	int8_t		is_signed;
	int8_t		is_xor;
	int8_t		is_rare;
} group_digit;

/* The layout of records, and all actions. */
typedef struct group_layout
{
	int32_t		actions;
	int32_t		words;			/* of a record */
	int32_t		rare_words;		/* of a record of what is rare */
	int32_t		singles;		/* 64-bit words a group in shared memory */
	int32_t		replicated;		/* of the batch: 32-bit words, of which the
								 * first counts rows */
	int32_t		of_aggregate[GS_PLAN_AGGREGATES];	/* action; -1: values */
	group_action action[GROUP_ACTIONS];
} group_layout;

/* The part of a layout that is in use. */
static inline size_t
group_layout_size(const group_layout *layout)
{
	return offsetof(group_layout, action) +
		layout->actions * sizeof(group_action);
}

/* false: the records would be too large */
extern bool group_layout_make(const gs_plan *plan, group_layout *layout);

static inline __host__ __device__ bool
group_is_sum(int kind)
{
	return kind == GS_AGG_SUM || kind == GS_AGG_SQUARES ||
		kind == GS_AGG_PRODUCTS;
}

/* Does it add floats? */
static inline __host__ __device__ bool
group_adds_floats(const group_action *a)
{
	return group_is_sum(a->kind) && group_is_float(a->type);
}

static inline __host__ __device__ size_t
group_wide_size(int kind)
{
	return kind == GS_AGG_SUM ? sizeof(gs_acc) : sizeof(gs_acc2);
}

/* What a word starts with. */
static inline __host__ __device__ int64_t
group_neutral(int kind)
{
	switch (kind)
	{
		case GS_AGG_MIN:
			return INT64_MAX;
		case GS_AGG_MAX:
			return INT64_MIN;
		case GS_AGG_BIT_AND:
			return -1;
		default:
			return 0;
	}
}

/* What the host learns at the end of an execution. */
typedef struct group_reported
{
	uint32_t	errors;			/* of expressions: GS_ERROR_... */
	uint32_t	flags;			/* GROUP_FLAG_... */
	uint32_t	wide[GROUP_ACTIONS];	/* accumulators in use */
	int32_t		window[GROUP_ACTIONS];	/* unit + 1; 0: none yet */
	uint32_t	groups;			/* that have rows */
	uint32_t	unused;
	unsigned long long rows;	/* that count */
} group_reported;

/* The accumulators are used up: the execution has failed. */
#define GROUP_FLAG_FULL		1

/* The unit of a sum that has no window yet: everything is unusual. */
#define GROUP_NO_UNIT		8192

static inline __host__ __device__ int
group_unit_of(int window)
{
	return window == 0 ? GROUP_NO_UNIT : window - 1;
}

#define GROUP_PREFETCHED	16

/* Everything that the kernels of a batch read. */
typedef struct group_job
{
	int64_t		first;			/* rows first to end - 1 */
	int64_t		end;
	int64_t		sampled;		/* rows before this may be in the sample of
								 * values */
	const uint32_t *rows;		/* bits of those that count; NULL: all */
	int32_t		ranges;			/* that rows must be in, too */
	int32_t		steps;			/* of a plain program */
	const uint32_t *ids;		/* groups of the rows; NULL: dense keys */
	int64_t    *records;
	int64_t    *rare;
	int64_t		groups;
	group_reported *reported;
	const struct evaluate_program *program; /* executed with the rows; NULL:
											 * none, or a plain one */
	int32_t		slots;			/* of either program */

	/*
	 * Columns that are read, some of them, first those of ranges.  If few rows
	 * are in the ranges, only what these need is fetched ahead.
	 */
	int32_t		columns;
	int32_t		columns_of_ranges;
	int32_t		few;
	const void *column[GROUP_PREFETCHED];
	int8_t		width[GROUP_PREFETCHED];
	int32_t		plain;			/* neither keys nor arguments have bitmaps */
	int32_t		lead;			/* the first action that has an argument, if
								 * that is in memory, and plain; -1: none */
	int32_t		ahead;			/* accumulate_ahead.cuh does it */

	/*
	 * Shared memory: its first hot_first places are the first groups, which
	 * may be all or none.  Behind them hot groups have 2^hot_shift places
	 * each, so that they have a replica for each lane.
	 */
	int32_t		replicas;
	int32_t		local_groups;	/* places in use */
	int32_t		hot;			/* other groups are in global memory only */
	int32_t		hot_first;
	int32_t		hot_shift;
	int32_t		hot_max;		/* hot groups, at most */
	int32_t		hots;			/* how many there are */
	uint32_t	hot_group[32];	/* by group % 32: a group or GROUP_NONE */
	uint16_t	hot_place[32];	/* the first place that it has */
	uint32_t	group_of_hot[32];	/* the reverse */
} group_job;

#endif							/* GS_GROUP_STATES_CUH */
