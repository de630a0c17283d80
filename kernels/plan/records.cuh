/*-------------------------------------------------------------------------
 *
 * records.cuh
 *	  Records of groups: their start, and their carries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_RECORDS_CUH
#define GS_GROUP_RECORDS_CUH

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

#endif							/* GS_GROUP_RECORDS_CUH */
