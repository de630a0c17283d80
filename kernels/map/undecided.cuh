/*-------------------------------------------------------------------------
 *
 * undecided.cuh
 *	  Results that a kernel does not have: errors, and those that it leaves to the
 *	  host.
 *
 * The latter are few, each would keep a warp for half a millisecond, and the results
 * go to the host anyway.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_UNDECIDED_CUH
#define GS_UNDECIDED_CUH

#include "kernels/common.cuh"

#include "engine/elements.h"

/*
 * The value of this place is not there.  done may be the host's memory, where a
 * read takes less than an atomic operation.
 */
static __device__ __forceinline__ void
gs_note_error(gs_done *done, int64_t place, gs_answer answer)
{
	const unsigned long long error =
		~((unsigned long long) place << GS_ANSWER_BITS | answer);
	unsigned long long *first = (unsigned long long *) &done->value_error;

	if (*(volatile unsigned long long *) first < error)
		atomicMax(first, error);
}

/*
 * Deal with a result of x, or of x and y, that is an error, or UNANSWERED: then
 * it goes into the batch's list.  If that is full, the number in done says so.
 */
template <typename T>
static __device__ __forceinline__ void
gs_leave_to_host(gs_answer answer, T x, T y, int64_t place, gs_done *done,
				 gs_undecided *list)
{
	unsigned long long at;

	if (answer != GS_UNANSWERED)
	{
		gs_note_error(done, place, answer);
		return;
	}
	at = atomicAdd((unsigned long long *) &done->undecided, 1ull);
	if (at < GS_UNDECIDED_MAX)
	{
		list[at].place = place;
		memcpy(&list[at].value[0], &x, sizeof x);
		memcpy(&list[at].value[1], &y, sizeof y);
	}
}

#endif							/* GS_UNDECIDED_CUH */
