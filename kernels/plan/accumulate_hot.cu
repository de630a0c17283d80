/*-------------------------------------------------------------------------
 *
 * accumulate_hot.cu
 *	  Kernels for few groups in shared memory, the others in global memory.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/accumulate_kernel.cuh"

cudaError_t
group_launch_hot(const group_accumulation *g, const group_launch *l)
{
	return launch_mode<ADD_HOT>(g, l);
}
