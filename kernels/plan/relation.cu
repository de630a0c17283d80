/*-------------------------------------------------------------------------
 *
 * relation.cu
 *	  gs_relations_cuda: what is between two stages, on the device.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/run.cuh"

static bool
relation_makes(const gs_plan *plan, const gs_stage *next)
{
	return plan->of_rows && next->windows == NULL;
}

static cudaError_t
make(gs_plan_run *run, const gs_stage *next, gs_relation *relation,
	 uint32_t *errors)
{
	return group_rows_relation(run, next, relation, errors);
}

static gs_status
relation_make(gs_plan_run *run, const gs_stage *next, gs_relation *relation,
			  uint32_t *errors)
{
	cudaError_t error;

	memset(relation, 0, sizeof *relation);
	if (!run->finished)
		return group_fail(run, GS_INVALID, "there are no results");
	error = make(run, next, relation, errors);

	/* what has begun may still use the relation, which is to be released */
	if (error != cudaSuccess)
		(void) cudaStreamSynchronize(stream_of(run));
	return group_outcome(run, error);
}

static gs_status
relation_windows(const gs_stage *, gs_relation *, const gs_windows_caller *,
				 uint32_t *, gs_error *error)
{
	return gs_device_fail(error, GS_INVALID, "there are no windows");
}

static void
relation_release(gs_relation *relation)
{
	group_relation_free(relation);
}

extern "C" const gs_relation_engine gs_relations_cuda = {
	relation_makes,
	relation_make,
	relation_windows,
	relation_release
};
