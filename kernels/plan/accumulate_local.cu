/*-------------------------------------------------------------------------
 *
 * accumulate_local.cu
 *	  Kernels for all groups in shared memory, in 32 replicas.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/accumulate_kernel.cuh"

cudaError_t
group_launch_local(const group_accumulation *g, const group_launch *l)
{
	return launch_mode<ADD_LOCAL>(g, l);
}
