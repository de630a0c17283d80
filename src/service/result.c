/*-------------------------------------------------------------------------
 *
 * result.c
 *	  What a request gives, when its array is complete.
 *
 * RESULT has all of a reduction, and says how much there is of what is larger:
 * a histogram's counts and the results of an order come afterwards, in parts, as
 * the client asks for them.  As in request.c, each function takes one message
 * whose length has been checked, and checks the rest of it.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/service.h"

/* What the engine knows when it has had all of the array. */
gs_status
gs_result_take(gs_connection *c, gs_result *result)
{
	gs_request *r = &c->request;
	gs_status	status;

	memset(result, 0, sizeof *result);
	result->counts = r->counts;
	gs_request_busy(c);
	status = gs_service.engine->finish(r->run, result);
	gs_request_done(c);
	result->counts = NULL;
	r->results = result->results;
	return status;
}

/* The end of a request that has been fed, with `status` so far. */
static bool
send_result(gs_connection *c, gs_status status)
{
	gs_request *r = &c->request;
	size_t		counts = ((size_t) r->op.buckets + 3) * sizeof(int64_t);
	gs_msg_result answer;

	memset(&answer, 0, sizeof answer);
	if (status == GS_OK)
		status = gs_result_take(c, &answer.result);
	if (status == GS_OK && r->op.resident && r->counts != NULL &&
		counts <= gs_service.chunk_size)
		memcpy(gs_staging_chunk(c->borrower.chunk[0]), r->counts, counts);
	gs_request_outcome(c, &answer.outcome, status);
	r->finished = true;
	atomic_fetch_add(&gs_calls, 1);
	return gs_request_sent(gs_send(c, &answer, GS_MSG_RESULT, sizeof answer),
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
		if (!gs_request_wait(c))
			return false;
	}
	if (r->failed)
		return true;
	if (!r->started || r->finished || r->fed < r->n)
		return gs_malformed(c, "FINISH out of turn");
	return send_result(c, GS_OK);
}

/*
 * Where all that a request without output needs is here, do it without being
 * asked.  A histogram's counts are in slot 0 at once if they fit; a reduction
 * is over with its result.
 */
bool
gs_result_go_on(gs_connection *c)
{
	gs_request *r = &c->request;

	if (r->failed || !r->started || !r->op.resident || r->load != 0 ||
		gs_has_output(&r->op))
		return true;
	if (!send_result(c, gs_resident_feed_all(c)))
		return false;
	if (gs_is_reduction((gs_kind) r->op.kind) && !r->failed)
		gs_request_abandon(c);	/* there is nothing to be asked for */
	return true;
}

bool
gs_result_counts(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_counts *counts = message;
	gs_request *r = &c->request;
	int64_t		total = (int64_t) r->op.buckets + 3;
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
		counts->count > (int64_t) (gs_service.chunk_size / sizeof(int64_t)))
		return gs_malformed(c, "COUNTS with a number out of range");
	memcpy(gs_staging_chunk(c->borrower.chunk[0]), r->counts + counts->first,
		   (size_t) counts->count * sizeof(int64_t));
	return gs_send(c, &counted, GS_MSG_COUNTED, sizeof counted);
}

/* NULL if a TAKE is sound, else what is wrong. */
static const char *
check_take(const gs_request *r, const gs_msg_take *take)
{
	int			width;

	if (!r->finished || !gs_is_order((gs_kind) r->op.kind))
		return "TAKE out of turn";
	if (!gs_has_column(&r->op, (gs_column) take->column))
		return "TAKE of a column that is not there";
	width = gs_type_width(gs_column_type(&r->op, (gs_column) take->column));
	if (take->first < 0 || take->first >= r->results ||
		take->count < 1 || take->count > r->results - take->first ||
		take->count > (int64_t) (gs_service.chunk_size / (size_t) width) ||
		take->slot < 0 || take->slot >= r->slots)
		return "TAKE with a number out of range";
	return NULL;
}

bool
gs_result_part(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_take *take = message;
	gs_request *r = &c->request;
	const char *wrong;
	gs_msg_took took;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "TAKE outside a request");
	if (r->failed)
		return true;
	wrong = check_take(r, take);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(&took, 0, sizeof took);
	gs_request_busy(c);
	gs_request_outcome(c, &took.outcome, gs_service.engine->take(r->run,
				(gs_column) take->column, take->first, take->count,
				gs_staging_chunk(c->borrower.chunk[take->slot])));
	gs_request_done(c);
	return gs_request_sent(gs_send(c, &took, GS_MSG_TOOK, sizeof took), &took.outcome);
}
