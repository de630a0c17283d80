/*-------------------------------------------------------------------------
 *
 * elementary_first.cuh
 *	  exact/elementary_first.h on the device: exponentials, logarithms, powers.
 *
 * They look up a table, which each block has a copy of.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ELEMENTARY_FIRST_CUH
#define GS_ELEMENTARY_FIRST_CUH

#include "engine/elements.h"	/* first: it has another GS_SHIFT */
#include "exact/elementary_table.h"

/* The table, where a kernel has copied it. */
static __shared__ gs_elementary_table the_table;

#define TARGET			__device__
#define QUICK(name)		name
#define PRODUCT			gs_two_product
#define MULTIPLY_ADD	__fma_rn
#define FUSED
#define TABLE			the_table
#include "exact/elementary_first.h"

/* By all threads of the block, which have to wait for each other after it. */
__device__ static inline void
copy_table(const gs_elementary_table *from)
{
	const uint64_t *word = (const uint64_t *) from;

	for (int i = threadIdx.x; i < (int) (sizeof the_table / 8); i += blockDim.x)
		((uint64_t *) &the_table)[i] = word[i];
}

#endif							/* GS_ELEMENTARY_FIRST_CUH */
