/*-------------------------------------------------------------------------
 *
 * execution.c
 *	  The engine's part of a request: from its start to the release of all it
 *	  has.
 *
 * What belongs to a request (an execution in the engine, slots, private
 * memory, cache entries, what a report has) is in c->request and c->grant.
 * gs_execution_end releases it, whatever state the request is in.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "service/report_state.h"

/*
 * Limit, in bytes and for all clients together, on private memory whose size a
 * client chooses: edges, counts, and what the CPU engine needs for orders and
 * groups.  Of groups nobody knows how many there will be, so their memory is
 * reserved as it grows (gs_execution_grow).  A client that finds too little
 * left gets GS_NO_MEMORY.  --memory-limit, which is the device's, limits it
 * further if the CPU is the device.
 */
#define PRIVATE_MEMORY_MAX	(INT64_C(4) << 30)

static _Atomic int64_t private_memory;

static int64_t
private_memory_max(void)
{
	uint64_t	limit = gs_service.memory_limit;

	return gs_service.engine->memory != NULL && limit > 0 &&
		limit < PRIVATE_MEMORY_MAX ? (int64_t) limit : PRIVATE_MEMORY_MAX;
}

/* The engine starts to work for this connection. */
void
gs_execution_busy(gs_connection *c)
{
	atomic_store(&c->busy_since, gs_monotonic_ns() / 1000000);
}

/*
 * The engine has accepted work, which is no sign of progress: a device that
 * hangs still accepts more.
 */
void
gs_execution_idle(gs_connection *c)
{
	atomic_store(&c->busy_since, 0);
}

/* The engine has finished some work. */
void
gs_execution_done(gs_connection *c)
{
	atomic_store(&c->busy_since, 0);
	atomic_fetch_add(&gs_progress, 1);
}

/* Why the engine failed; NULL: it has not begun. */
static const gs_error *
error_of(const gs_request *r)
{
	if (r->report != NULL)
		return r->report->run == NULL ? &r->report->error :
			gs_service.plan_engine->error(r->report->run);
	return r->run == NULL ? NULL : gs_service.engine->error(r->run);
}

/*
 * Fill in the outcome that the client gets; a status other than GS_OK fails
 * the request.
 */
void
gs_execution_outcome(gs_connection *c, gs_outcome *outcome, gs_status status)
{
	gs_request *r = &c->request;
	const gs_error *error;

	memset(outcome, 0, sizeof *outcome);
	outcome->status = status;
	if (status == GS_OK)
		return;
	r->failed = true;
	error = error_of(r);
	if (error != NULL)
	{
		outcome->answer = error->answer;
		outcome->position = error->position;
		memcpy(outcome->message, error->message, sizeof outcome->message);
		outcome->message[sizeof outcome->message - 1] = '\0';
	}
}

/*
 * Send an answer with its outcome.  If the device was lost, this process ends,
 * which tells all other clients.
 */
bool
gs_execution_answer(gs_connection *c, void *answer, gs_message kind,
					size_t length, const gs_outcome *outcome)
{
	bool		sent = gs_send(c, answer, kind, length);

	gs_device_note(outcome->status);
	if (outcome->status == GS_DEVICE_LOST)
		gs_device_failed(gs_device_noted(), outcome->message);
	return sent;
}

/*
 * Wait for slots, as c->grant asks for them.  The client regularly gets
 * WAITING.
 * Not possible: there is not enough memory.  False: the connection is to end.
 */
bool
gs_execution_acquire(gs_connection *c, bool *possible)
{
	struct pollfd fds[2] = {
		{.fd = c->grant.ready_fd, .events = POLLIN},
		{.fd = c->socket, .events = POLLRDHUP}
	};

	*possible = gs_staging_acquire(&c->grant);
	while (*possible && !gs_staging_is_granted(&c->grant))
	{
		int			ready = poll(fds, 2, GS_WAITING_MS);

		if (ready < 0 && errno != EINTR)
			return false;
		if (ready > 0 && fds[1].revents != 0)
			return false;
		if (ready == 0 && !gs_send_waiting(c))
			return false;
	}
	*possible = *possible && gs_staging_allocate(&c->grant);
	return true;
}

/*
 * Reserve so much private memory, until gs_execution_end; false if there is
 * not enough.
 */
bool
gs_execution_take(gs_request *r, int64_t size)
{
	if (atomic_fetch_add(&private_memory, size) + size > private_memory_max())
	{
		atomic_fetch_sub(&private_memory, size);
		return false;
	}
	r->reserved += (size_t) size;
	return true;
}

/* Some of that is not needed any more. */
void
gs_execution_give(gs_request *r, int64_t size)
{
	atomic_fetch_sub(&private_memory, size);
	r->reserved -= (size_t) size;
}

/* Allocate private memory for a request; NULL if there is not enough. */
void *
gs_execution_reserve(gs_request *r, int64_t count, size_t width)
{
	int64_t		size = count * (int64_t) width;

	return gs_execution_take(r, size) ? malloc((size_t) size) : NULL;
}

/*
 * gs_engine_reserve: memory for the groups of an execution, on whichever of its
 * threads.
 */
bool
gs_execution_grow(void *request, size_t bytes)
{
	gs_request *r = request;

	if (!gs_execution_take(r, (int64_t) bytes))
		return false;
	r->grown += bytes;
	return true;
}

/* This thread's execution is that of this connection's request. */
void
gs_execution_own(gs_connection *c)
{
	gs_engine_owner = &c->request;
}

/* End the execution of a report, which is to begin again. */
void
gs_execution_restart(gs_connection *c)
{
	gs_request *r = &c->request;

	if (r->report->run != NULL)
		gs_service.plan_engine->end(r->report->run);
	r->report->run = NULL;
	gs_execution_give(r, (int64_t) r->grown);
	r->grown = 0;
}

/* Release everything that the request has. */
void
gs_execution_end(gs_connection *c)
{
	gs_request *r = &c->request;

	if (r->counted)
		gs_device_end(r->device);
	if (r->run != NULL)
	{
		gs_device_use(r->device);
		gs_execution_busy(c);
		gs_service.engine->end(r->run);
		gs_execution_idle(c);
	}
	if (r->report != NULL)
	{
		gs_execution_busy(c);
		gs_execution_restart(c);
		gs_execution_idle(c);
		gs_admission_end(&r->report->admission);
		gs_report_close(r->report);
	}
	gs_staging_release(&c->grant);
	for (int i = 0; i < GS_ARGUMENTS; i++)
	{
		if (r->entry[i] != NULL)
			gs_cache_release(r->entry[i]);
	}
	free(r->edges);
	free(r->counts);
	atomic_fetch_sub(&private_memory, (int64_t) r->reserved);
	memset(r, 0, sizeof *r);
}

/* Begin the execution: the operation is complete. */
gs_status
gs_execution_start(gs_connection *c)
{
	gs_request *r = &c->request;
	gs_status	status;

	if (gs_is_histogram((gs_kind) r->op.kind))
	{
		r->counts = gs_execution_reserve(r, (int64_t) r->op.histogram.buckets + 3,
										 sizeof(int64_t));
		if (r->counts == NULL)
			return GS_NO_MEMORY;
	}
	if (gs_service.engine->memory != NULL &&
		!gs_execution_take(r, gs_service.engine->memory(&r->op, r->n)))
		return GS_NO_MEMORY;
	r->device = r->entry[GS_DATA] != NULL ?
		gs_entry_device(r->entry[GS_DATA]) : gs_device_least_busy();
	gs_device_begin(r->device);
	r->counted = true;
	gs_device_use(r->device);
	gs_execution_own(c);
	gs_execution_busy(c);
	while ((status = gs_service.engine->begin(&r->op, r->n, NULL, &r->run)) ==
		   GS_NO_MEMORY && gs_evict())
	{
		if (r->run != NULL)
			gs_service.engine->end(r->run);
		r->run = NULL;
	}
	gs_execution_idle(c);
	if (status != GS_OK)
		return status;
	gs_service.engine->shape(r->run, &r->batch, &r->depth);
	r->elements = gs_slot_elements(&r->op, gs_service.slot_size);
	if (r->batch < r->elements)
		r->elements = r->batch;
	r->started = true;
	return GS_OK;
}

/* Wait for the oldest feed in flight, and send its DONE. */
bool
gs_execution_wait(gs_connection *c)
{
	gs_request *r = &c->request;
	int			lane = r->order[r->first];
	gs_status	status;
	gs_msg_done done;

	gs_device_use(r->device);
	gs_execution_busy(c);
	status = gs_service.engine->wait(r->run);
	gs_execution_done(c);
	r->first = (r->first + 1) % GS_MAX_LANES;
	r->feeds--;
	r->in_flight[lane] = false;
	memset(&done, 0, sizeof done);
	gs_execution_outcome(c, &done.outcome, status);
	if (status == GS_OK)
	{
		done.n = r->output[lane].n;
		done.present = r->output[lane].present;
	}
	return gs_execution_answer(c, &done, GS_MSG_DONE, sizeof done,
							   &done.outcome);
}

/* Get what the engine knows once the array is complete. */
gs_status
gs_execution_finish(gs_connection *c, gs_result *result)
{
	gs_request *r = &c->request;
	gs_status	status;

	memset(result, 0, sizeof *result);
	result->counts = r->counts;
	gs_execution_busy(c);
	status = gs_service.engine->finish(r->run, result);
	gs_execution_done(c);
	result->counts = NULL;
	r->results = result->results;
	return status;
}
