/*-------------------------------------------------------------------------
 *
 * reduce.c
 *	  Reductions of several cached arrays, in one message each way.
 *
 * They are no request: nothing is granted, loaded or left open.  Arrays that
 * are not cached get no result.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/service.h"

/* NULL if the message is valid, else what is wrong. */
static const char *
check_reduce(const gs_msg_reduce *reduce, size_t size, const gs_op *op)
{
	const gs_reduce_array *array = (const gs_reduce_array *) (reduce + 1);

	if (reduce->count < 1 || reduce->count > GS_REDUCE_ARRAYS ||
		size != sizeof *reduce + (size_t) reduce->count * sizeof *array)
		return "REDUCE of a wrong length";
	if (gs_op_check(op) != GS_OK || !gs_can_reduce_each((gs_kind) op->kind))
		return "REDUCE with an invalid operation";
	for (int64_t i = 0; i < reduce->count; i++)
	{
		if (array[i].n < 1 || array[i].n > GS_REDUCE_ELEMENTS ||
			array[i].argument.toast_id.database == 0)
			return "REDUCE with an array out of range";
	}
	return NULL;
}

/* By executions of the engine, one after the other. */
static gs_status
reduce_one_by_one(gs_connection *c, const gs_op *op, int count,
				  gs_entry **entry, const int64_t *n, gs_result *result)
{
	gs_request *r = &c->request;
	gs_status	status = GS_OK;

	for (int i = 0; i < count && status == GS_OK; i++)
	{
		r->op = *op;
		r->n = n[i];
		r->entry[GS_DATA] = entry[i];
		entry[i] = NULL;		/* gs_execution_end releases it */
		status = gs_execution_start(c);
		if (status == GS_OK)
			status = gs_result_feed_all(c);
		if (status == GS_OK)
			status = gs_execution_finish(c, &result[i]);
		if (status == GS_OK)
			gs_execution_end(c);
	}
	return status;
}

/* By the engine's own way. */
static gs_status
reduce_together(gs_connection *c, const gs_op *op, int count,
				gs_entry *const *entry, const int64_t *n, gs_result *result,
				gs_error *error)
{
	gs_input	in[GS_REDUCE_ARRAYS];
	gs_status	status;

	memset(in, 0, sizeof in);
	for (int i = 0; i < count; i++)
	{
		in[i].n = n[i];
		gs_entry_span(entry[i], 0, n[i], &in[i].data);
	}
	gs_device_use(gs_entry_device(entry[0]));
	gs_execution_busy(c);
	status = gs_service.engine->reduce(op, count, in, result, error);
	gs_execution_done(c);
	return status;
}

bool
gs_reduce_arrays(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_reduce *reduce = message;
	const gs_reduce_array *array = (const gs_reduce_array *) (reduce + 1);
	gs_msg_reduced *answer = (gs_msg_reduced *) c->out;
	gs_result  *result = (gs_result *) (answer + 1);
	gs_entry   *entry[GS_REDUCE_ARRAYS];
	int64_t		n[GS_REDUCE_ARRAYS];
	int			count = 0;
	const char *wrong;
	gs_op		op;
	gs_error	error = {.status = GS_OK};	/* of engine->reduce */
	gs_status	status;

	if (c->request.open)
		return gs_malformed(c, "REDUCE within a request");
	gs_op_receive(&op, &reduce->op);
	wrong = check_reduce(reduce, size, &op);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	op.cached = 1;
	answer->cached = 0;
	answer->unused = 0;
	for (int i = 0; i < (int) reduce->count; i++)
	{
		n[count] = array[i].n;
		entry[count] = gs_cache_find_complete(&array[i].argument,
											  (gs_type) op.type, n[count]);
		if (entry[count] == NULL)
			continue;
		answer->cached |= 1u << i;
		count++;
	}
	memset(result, 0, (size_t) count * sizeof *result);
	if (count > 0 && gs_service.engine->reduce != NULL)
		status = reduce_together(c, &op, count, entry, n, result, &error);
	else
		status = reduce_one_by_one(c, &op, count, entry, n, result);
	gs_execution_outcome(c, &answer->outcome, status);
	if (error.status != GS_OK)
		memcpy(answer->outcome.message, error.message,
			   sizeof answer->outcome.message);
	for (int i = 0; i < count; i++)
	{
		if (entry[i] != NULL)
			gs_cache_release(entry[i]);
	}
	gs_execution_end(c);
	atomic_fetch_add(&gs_calls, (uint64_t) count);
	return gs_execution_answer(c, answer, GS_MSG_REDUCED, sizeof *answer +
							   (status == GS_OK ? (size_t) count : 0) *
							   sizeof *result, &answer->outcome);
}
