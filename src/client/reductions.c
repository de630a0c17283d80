/*-------------------------------------------------------------------------
 *
 * reductions.c
 *	  Reductions of several arrays that the service has cached.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "port/pg_bitutils.h"

#include "client/link.h"
#include "client/reductions.h"

/*
 * Reduce those of 1 to GS_REDUCE_ARRAYS arrays that are cached: bit i of
 * *cached tells whether array i is, and their results come in the same order.
 * False if the service cannot do it.
 */
bool
gs_reductions_ask(const gs_op *op, int count, const gs_reduce_array *array,
				  uint32 *cached, gs_result *result)
{
	gs_msg_reduce *reduce;
	const gs_msg_reduced *answer;
	const char *reason;
	size_t		results;

	if (gs_link_acquire_for_arrays(false, &reason) != GS_AVAILABLE)
		return false;
	reduce = (gs_msg_reduce *) gs_session_link.buffer;
	memset(reduce, 0, sizeof(*reduce));
	reduce->op = *op;
	reduce->count = count;
	memcpy(reduce + 1, array, count * sizeof(*array));

	/* the answer takes the question's place */
	answer = (const gs_msg_reduced *) reduce;
	if (!gs_ask_service(reduce, GS_MSG_REDUCE,
						sizeof(*reduce) + count * sizeof(*array),
						reduce, GS_MSG_REDUCED, GS_MESSAGE_MAX))
		return false;
	if (answer->header.length < sizeof(*answer) ||
		answer->outcome.status != GS_OK)
		return false;
	results = pg_popcount((const char *) &answer->cached,
						  sizeof(answer->cached));
	if (results > (size_t) count || (answer->cached >> (count - 1)) > 1 ||
		answer->header.length != sizeof(*answer) + results * sizeof(gs_result))
		return false;
	*cached = answer->cached;
	memcpy(result, answer + 1, results * sizeof(gs_result));
	return true;
}
