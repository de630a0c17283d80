/*-------------------------------------------------------------------------
 *
 * result.c
 *	  The messages that deliver a request's results.
 *
 * RESULT contains all of a reduction.  Of larger results it tells only the
 * size: the counts of a histogram and the results of an order or of groups
 * follow in parts, as the client asks for them.  As in request.c, each
 * function handles one message whose length has been checked, and validates
 * the rest of it.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/service.h"

/* Answer a request that has been fed completely, with `status` so far. */
static bool
send_result(gs_connection *c, gs_status status)
{
	gs_request *r = &c->request;
	size_t		counts = ((size_t) r->op.histogram.buckets + 3) *
		sizeof(int64_t);
	gs_msg_result answer;

	memset(&answer, 0, sizeof answer);
	if (status == GS_OK)
		status = gs_execution_finish(c, &answer.result);
	if (status == GS_OK && r->op.cached && r->counts != NULL &&
		counts <= gs_service.slot_size)
		memcpy(gs_staging_slot(c->grant.slot[0]), r->counts, counts);
	gs_execution_outcome(c, &answer.outcome, status);
	r->finished = true;
	atomic_fetch_add(&gs_calls, 1);
	return gs_execution_answer(c, &answer, GS_MSG_RESULT, sizeof answer,
							   &answer.outcome);
}

bool
gs_result_finish(gs_connection *c, const void *message, size_t size)
{
	gs_request *r = &c->request;

	(void) message;
	(void) size;
	if (!r->open)
		return gs_malformed(c, "FINISH outside a request");
	while (r->feeds > 0 && !r->failed)
	{
		if (!gs_execution_wait(c))
			return false;
	}
	if (r->failed)
		return true;
	if (!r->started || r->finished || r->fed < r->n)
		return gs_malformed(c, "FINISH out of turn");
	return send_result(c, GS_OK);
}

/* Feed all of the cached arrays of a request without output. */
gs_status
gs_result_feed_all(gs_connection *c)
{
	gs_request *r = &c->request;
	gs_status	status = GS_OK;

	while (status == GS_OK && r->fed < r->n)
	{
		int64_t		n = r->n - r->fed < r->batch ? r->n - r->fed : r->batch;
		gs_input	in;

		gs_arguments_input(r, n, &in);
		gs_execution_busy(c);
		status = gs_service.engine->feed(r->run, &in, &r->output[0]);
		if (status == GS_OK)
			status = gs_service.engine->wait(r->run);
		gs_execution_done(c);
		r->fed += n;
	}
	return status;
}

/*
 * If a request without output has all its arguments in the cache, execute it
 * without FEED and FINISH.  A histogram's counts are in lane 0's input slot at
 * once if they fit; a reduction ends with its result.
 */
bool
gs_result_continue(gs_connection *c)
{
	gs_request *r = &c->request;

	if (r->failed || !r->started || !r->op.cached || r->load != 0 ||
		gs_has_output(&r->op))
		return true;
	if (!send_result(c, gs_result_feed_all(c)))
		return false;
	if (gs_is_reduction((gs_kind) r->op.kind) && !r->failed)
		gs_execution_end(c);	/* no END follows */
	return true;
}

bool
gs_result_counts(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_counts *counts = message;
	gs_request *r = &c->request;
	int64_t		total = (int64_t) r->op.histogram.buckets + 3;
	gs_header	counted;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "COUNTS outside a request");
	if (r->failed)
		return true;
	if (!r->finished || r->counts == NULL)
		return gs_malformed(c, "COUNTS out of turn");
	if (counts->first < 0 || counts->first >= total ||
		counts->count < 1 || counts->count > total - counts->first ||
		counts->count > (int64_t) (gs_service.slot_size / sizeof(int64_t)))
		return gs_malformed(c, "COUNTS with a number out of range");
	memcpy(gs_staging_slot(c->grant.slot[0]), r->counts + counts->first,
		   (size_t) counts->count * sizeof(int64_t));
	return gs_send(c, &counted, GS_MSG_COUNTED, sizeof counted);
}

/* NULL if a FETCH is valid, else what is wrong. */
static const char *
validate_fetch(const gs_request *r, const gs_msg_fetch *fetch)
{
	size_t		width;
	int64_t		rows;

	if (!r->finished || !gs_is_fetched((gs_kind) r->op.kind))
		return "FETCH out of turn";
	if (!gs_has_column(&r->op, (gs_column) fetch->column))
		return "FETCH of a column that is not there";
	width = gs_column_width(&r->op, (gs_column) fetch->column);
	rows = gs_column_rows((gs_column) fetch->column, r->results);
	if (fetch->first < 0 || fetch->first >= rows ||
		fetch->count < 1 || fetch->count > rows - fetch->first ||
		fetch->count > (int64_t) (gs_service.slot_size / width) ||
		fetch->lane < 0 || fetch->lane >= r->lanes)
		return "FETCH with a number out of range";
	return NULL;
}

bool
gs_result_fetch(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_fetch *fetch = message;
	gs_request *r = &c->request;
	const char *wrong;
	gs_msg_fetched fetched;
	gs_status	status;
	void	   *to;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "FETCH outside a request");
	if (r->failed)
		return true;
	wrong = validate_fetch(r, fetch);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(&fetched, 0, sizeof fetched);
	gs_execution_busy(c);
	to = gs_staging_slot(c->grant.slot[fetch->lane]);
	status = gs_service.engine->fetch(r->run, (gs_column) fetch->column,
									  fetch->first, fetch->count, to);
	gs_execution_outcome(c, &fetched.outcome, status);
	gs_execution_done(c);
	return gs_execution_answer(c, &fetched, GS_MSG_FETCHED, sizeof fetched,
							   &fetched.outcome);
}
