/*-------------------------------------------------------------------------
 *
 * relation.cu
 *	  gs_relations_cuda: what is between two stages, on the device.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/run.cuh"
#include "kernels/windows/windows.cuh"

static gs_status
relation_make(gs_plan_run *run, const gs_stage *next, gs_relation *relation,
			  uint32_t *errors)
{
	cudaError_t error;

	memset(relation, 0, sizeof *relation);
	if (!run->finished)
		return group_fail(run, GS_INVALID, "there are no results");
	if (next->windows != NULL && !gs_windows_cuda_takes(next))
		return GS_OK;			/* the host makes it */
	error = run->plan->of_rows ?
		group_rows_relation(run, next, relation, errors) :
		group_finish_relation(run, next, relation, errors);

	/* what has begun may still use the relation, which is to be released */
	if (error != cudaSuccess)
		(void) cudaStreamSynchronize(stream_of(run));
	return group_outcome(run, error);
}

extern "C" const gs_relation_engine gs_relations_cuda = {
	relation_make,
	gs_windows_cuda,
	group_relation_free
};
