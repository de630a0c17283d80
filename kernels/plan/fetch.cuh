/*-------------------------------------------------------------------------
 *
 * fetch.cuh
 *	  What the host gets of groups: keys, states, and sums that are wide.
 *
 * `order` has the numbers of the groups in the order of the results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_FETCH_CUH
#define GS_GROUP_FETCH_CUH

#include "kernels/plan/engine.cuh"
#include "kernels/plan/records.cuh"

/* What a column of results is. */
typedef enum group_result_kind
{
	GROUP_RESULT_KEY,			/* gs_value, 0 where NULL */
	GROUP_RESULT_NULLS,			/* uint8_t: bit k for key k */
	GROUP_RESULT_STATE,			/* of an action */
	GROUP_RESULT_WORDS			/* int64_t, words_each of each group */
} group_result_kind;

typedef struct group_result
{
	int32_t		what;			/* group_result_kind */
	int32_t		width;			/* bytes of a result */
	int32_t		words_each;		/* GROUP_RESULT_WORDS; else 1 */
	int32_t		key;
	int32_t		type;			/* of the key; or as in group_action, like these: */
	int32_t		kind;
	int32_t		word;
	int32_t		words;
	int32_t		rare;
	int32_t		count;
	int32_t		window;			/* of a float sum, in group_reported */
	int32_t		stride;			/* of `source`: words from a group to the next */
	const int64_t *source;		/* of group 0 */
	const uint32_t *wide_of;
	char	   *wide;
	const uint32_t *number;		/* of wide sums: group_merge_wide; NULL: there are
								 * none */
	char	   *to;				/* in device memory */
	int64_t		room;			/* bytes there; those behind the results become 0 */
} group_result;

/* Which groups. */
typedef struct group_selection
{
	group_key_job keys;
	group_records records;
	const uint32_t *order;
	const group_reported *reported;
	int64_t		first;			/* of the order */
	int64_t		n;				/* -1: as many as are reported; at most `most` */
} group_selection;

/* Begin to make columns of these groups; nobody waits. */
extern cudaError_t group_make_results(const group_selection *from, int64_t most,
									  const group_result *column, int columns,
									  cudaStream_t stream);

/*
 * Once all rows have come: merge windows and accumulators of a float sum, and
 * count those sums that are wide: number[i] is how many there are up to the
 * i-th group.
 */
extern cudaError_t group_merge_wide(const group_action *a,
									const group_records *g,
									const uint32_t *order,
									int64_t groups, uint32_t *number,
									group_memory *scratch,
									cudaStream_t stream);

/* Wide sums first to first + n - 1, in the order of their groups. */
extern cudaError_t group_wide_sums(const group_action *a,
								   const group_records *g,
								   const uint32_t *order, int64_t groups,
								   const uint32_t *wide, int64_t first,
								   int64_t n, char *to, cudaStream_t stream);

#endif							/* GS_GROUP_FETCH_CUH */
