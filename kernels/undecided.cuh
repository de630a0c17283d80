/*-------------------------------------------------------------------------
 *
 * undecided.cuh
 *	  Results that a kernel leaves to the host.
 *
 * There are few, each would keep a warp for half a millisecond, and the results
 * go to the host anyway.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_UNDECIDED_CUH
#define GS_UNDECIDED_CUH

#include "common.cuh"

#include "engine/elements.h"

/*
 * Deal with a result of x, or of x and y, that is an error, or UNANSWERED: then
 * it goes into the batch's list.  On an error, and where the list is full, the
 * operation has no results.
 */
template <typename T>
static __device__ __forceinline__ void
gs_leave_to_host(gs_answer answer, T x, T y, int64_t place, gs_done *done,
				 gs_undecided *list)
{
	if (answer == GS_UNANSWERED)
	{
		const unsigned long long at = atomicAdd
			((unsigned long long *) &done->undecided, 1ull);

		if (at < GS_UNDECIDED_MAX)
		{
			list[at].place = place;
			memcpy(&list[at].value[0], &x, sizeof x);
			memcpy(&list[at].value[1], &y, sizeof y);
			return;
		}
	}
	done->overflow = 1;
}

#endif							/* GS_UNDECIDED_CUH */
