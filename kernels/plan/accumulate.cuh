/*-------------------------------------------------------------------------
 *
 * accumulate.cuh
 *	  Adding a batch's rows to the records of their groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ACCUMULATE_CUH
#define GS_GROUP_ACCUMULATE_CUH

#include "kernels/plan/engine.cuh"
#include "kernels/plan/plain.cuh"
#include "kernels/histogram/histogram_bucket.cuh"

typedef struct group_accumulation
{
	group_job  *job;			/* but what is read ahead, and how shared
								 * memory is used */
	group_layout *layout;
	const group_key_job *keys;
	const evaluate_range *ranges;	/* job->ranges */
	const plain_step *steps;	/* job->steps */
	group_memory *device;		/* for parameters */
} group_accumulation;

extern cudaError_t group_accumulate(const group_accumulation *g,
									gs_exec_context *context);

extern bool group_can_compute(const evaluate_program *p);

#endif							/* GS_GROUP_ACCUMULATE_CUH */
