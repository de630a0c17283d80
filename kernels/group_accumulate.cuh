/*-------------------------------------------------------------------------
 *
 * group_accumulate.cuh
 *	  Adding a batch's rows to the records of their groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ACCUMULATE_CUH
#define GS_GROUP_ACCUMULATE_CUH

#include "group_engine.cuh"
#include "histogram_bucket.cuh"

typedef struct group_accumulation
{
	group_job  *job;			/* but how shared memory is used */
	group_layout *layout;
	const group_key_job *keys;
	group_memory *device;		/* group_accumulate_scratch_size() bytes */
} group_accumulation;

extern size_t group_accumulate_scratch_size(const group_layout *layout);
extern cudaError_t group_accumulate(const group_accumulation *g,
									gs_exec_context *context);

extern bool group_can_compute(const evaluate_program *p);

/* Rows whose bit is set, in a list, and how many; in no particular order. */
extern cudaError_t group_list_rows(const uint32_t *bits, int64_t n,
								   uint32_t *list, uint32_t *count,
								   cudaStream_t stream);

/* The actions' columns must be set. */
extern cudaError_t group_choose_units(group_layout *layout, int64_t n,
									  group_memory *scratch,
									  gs_exec_context *context);

#endif							/* GS_GROUP_ACCUMULATE_CUH */
