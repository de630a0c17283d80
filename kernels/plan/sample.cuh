/*-------------------------------------------------------------------------
 *
 * sample.cuh
 *	  What is chosen from a sample of a batch's rows, on the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_SAMPLE_CUH
#define GS_GROUP_SAMPLE_CUH

#include "kernels/plan/block.cuh"

/*
 * Choose the windows of float sums that have none, and the hot groups, if
 * there is room for some; which columns are worth fetching ahead.  The results
 * are in *input->job and its group_reported.
 */
extern cudaError_t group_sample(const group_accumulation *g,
								const group_input *input,
								cudaStream_t stream);

#endif							/* GS_GROUP_SAMPLE_CUH */
