/*-------------------------------------------------------------------------
 *
 * finish.cuh
 *	  Records of groups: their start, their carries, and the states that they
 *	  end as.
 *
 * `order` has the numbers of the groups in the order of the results.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_FINISH_CUH
#define GS_GROUP_FINISH_CUH

#include "kernels/plan/states.cuh"

/* Where the records of groups are. */
typedef struct group_records
{
	int64_t    *records;
	int64_t    *rare;
	int32_t		words;
	int32_t		rare_words;
} group_records;

/*
 * New records, of groups first to groups - 1, which, if `accumulators`, have
 * no accumulators yet.
 */
extern cudaError_t group_records_init(int64_t *records, int64_t *rare,
									  int64_t first, int64_t groups,
									  const group_layout *layout,
									  bool accumulators, cudaStream_t stream);

/* Move the records of group g to number[g]; or one number a group. */
extern cudaError_t group_records_move(const int64_t *from, int64_t *to,
									  const uint32_t *number, int64_t groups,
									  int words, cudaStream_t stream);
extern cudaError_t group_numbers_move(const uint32_t *from, uint32_t *to,
									  const uint32_t *number, int64_t groups,
									  cudaStream_t stream);

/* Propagate carries. */
extern cudaError_t group_records_normalise(const group_records *g,
										   int64_t groups,
										   const group_layout *layout,
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

/* States first to first + n - 1, of `size` bytes each. */
extern cudaError_t group_states(const group_action *a,
								const group_records *g, const uint32_t *order,
								const uint32_t *wide, int64_t first, int64_t n,
								size_t size, char *to, cudaStream_t stream);
extern cudaError_t group_wide_sums(const group_action *a,
								   const group_records *g,
								   const uint32_t *order, int64_t groups,
								   const uint32_t *wide, int64_t first,
								   int64_t n, char *to, cudaStream_t stream);
extern cudaError_t group_gather(const int64_t *from, const uint32_t *order,
								int64_t n, int words, int64_t *to,
								cudaStream_t stream);

#endif							/* GS_GROUP_FINISH_CUH */
