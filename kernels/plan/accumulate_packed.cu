/*-------------------------------------------------------------------------
 *
 * accumulate_packed.cu
 *	  Kernels for all groups in shared memory, in fewer replicas.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/accumulate_kernel.cuh"

cudaError_t
group_launch_packed(const group_accumulation *g, const group_launch *l)
{
	return launch_mode<ADD_PACKED>(g, l);
}
