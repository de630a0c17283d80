/*-------------------------------------------------------------------------
 *
 * execution.c
 *	  The engine's part of a request: from its start to the release of all it
 *	  has.
 *
 * What belongs to a request (an execution in the engine, slots, private
 * memory, cache entries) is in c->request and c->grant.  gs_execution_end
 * releases it, whatever state the request is in.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/service.h"

/*
 * Limit, in bytes and for all clients together, on private memory whose size a
 * client chooses: edges, counts, and what the CPU engine needs for orders and
 * groups.  Of groups nobody knows how many there will be, so their memory is
 * reserved as it grows (gs_execution_grow).  A client that finds too little
 * left gets GS_NO_MEMORY.
 */
#define PRIVATE_MEMORY_MAX	(INT64_C(4) << 30)

/* The CPU engine has keys and positions of an order, each twice. */
#define ORDER_WIDTH			(2 * (8 + 4))

static _Atomic int64_t private_memory;

/* The request whose execution this thread has started. */
static _Thread_local gs_request *started;

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

/*
 * Fill in the outcome that the client gets; a status other than GS_OK fails
 * the request.
 */
void
gs_execution_outcome(gs_connection *c, gs_outcome *outcome, gs_status status)
{
	gs_request *r = &c->request;

	memset(outcome, 0, sizeof *outcome);
	outcome->status = status;
	if (status == GS_OK)
		return;
	r->failed = true;
	if (r->run != NULL)
	{
		const gs_error *error = gs_service.engine->error(r->run);

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

	if (outcome->status == GS_DEVICE_LOST)
		gs_device_failed(outcome->message);
	return sent;
}

/*
 * Reserve so much private memory, until gs_execution_end; false if there is
 * not enough.
 */
static bool
may_reserve(gs_request *r, int64_t size)
{
	if (atomic_fetch_add(&private_memory, size) + size > PRIVATE_MEMORY_MAX)
	{
		atomic_fetch_sub(&private_memory, size);
		return false;
	}
	r->reserved += (size_t) size;
	return true;
}

/* Allocate private memory for a request; NULL if there is not enough. */
void *
gs_execution_reserve(gs_request *r, int64_t count, size_t width)
{
	int64_t		size = count * (int64_t) width;

	return may_reserve(r, size) ? malloc((size_t) size) : NULL;
}

/* gs_engine_reserve: memory for the groups of this thread's execution */
bool
gs_execution_grow(size_t bytes)
{
	return may_reserve(started, (int64_t) bytes);
}

/* Release everything that the request has. */
void
gs_execution_end(gs_connection *c)
{
	gs_request *r = &c->request;

	if (r->run != NULL)
	{
		gs_execution_busy(c);
		gs_service.engine->end(r->run);
		gs_execution_idle(c);
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
		r->counts = gs_execution_reserve(r, (int64_t) r->op.buckets + 3,
										 sizeof(int64_t));
		if (r->counts == NULL)
			return GS_NO_MEMORY;
	}
	if (strcmp(gs_service.engine->name, gs_engine_cpu.name) == 0 &&
		gs_is_order((gs_kind) r->op.kind) &&
		!may_reserve(r, r->n * ORDER_WIDTH))
		return GS_NO_MEMORY;
	started = r;
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
