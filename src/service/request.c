/*-------------------------------------------------------------------------
 *
 * request.c
 *	  The life of one request in gpuscand, from BEGIN to END.
 *
 * What it gives is in result.c, what stays of its arrays in resident.c.
 *
 * Each function takes one message whose length has been checked, and no more
 * than that; every member is checked here, against protocol.h and against what
 * the client was lent.  A message that is wrong ends the connection; a request
 * that the engine cannot do ends with a status, and the connection goes on.
 *
 * What belongs to a request (an execution in the engine, slots, private
 * memory) is in c->request and c->grant, and gs_execution_abandon gives it
 * back whatever state the request is in.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "service/service.h"

/*
 * Private memory whose size a client chooses: edges, counts, and what the CPU
 * engine keeps of an order.  All clients together get this much, in bytes; who
 * finds too little is told GS_NO_MEMORY.
 */
#define PRIVATE_MEMORY_MAX	(INT64_C(4) << 30)

/* The CPU engine keeps keys and positions of an order, twice. */
#define ORDER_WIDTH			(2 * (8 + 4))

/* Well below the shortest --response-timeout, 1 s: who waits hears of us. */
#define WAITING_MS		250

static _Atomic int64_t private_memory;

/* The engine gets the request. */
void
gs_execution_busy(gs_connection *c)
{
	atomic_store(&c->busy_since, gs_monotonic_ns() / 1000000);
}

/*
 * The engine has taken what it got, which says little: a device that has come
 * to a stop takes more all the same.
 */
void
gs_execution_idle(gs_connection *c)
{
	atomic_store(&c->busy_since, 0);
}

/* The engine has finished what it got. */
void
gs_execution_done(gs_connection *c)
{
	atomic_store(&c->busy_since, 0);
	atomic_fetch_add(&gs_progress, 1);
}

/* What the client is told of a status, and what follows from it here. */
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
 * After the client has been told.  A device that has failed does not recover
 * within a process: all others are told by the end of their connections.
 */
bool
gs_execution_answered(bool ok, const gs_outcome *outcome)
{
	if (outcome->status == GS_DEVICE_LOST)
		gs_device_failed(outcome->message);
	return ok;
}

/* Leave to take so much private memory; gs_execution_abandon gives it back. */
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

/* Private memory of a request; NULL if there is none. */
static void *
reserve(gs_request *r, int64_t count, size_t width)
{
	int64_t		size = count * (int64_t) width;

	return may_reserve(r, size) ? malloc((size_t) size) : NULL;
}

/* Give back everything that the request has. */
void
gs_execution_abandon(gs_connection *c)
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

/* Begin in the engine; the operation is complete. */
static gs_status
start(gs_connection *c)
{
	gs_request *r = &c->request;
	gs_status	status;

	if (gs_is_histogram((gs_kind) r->op.kind))
	{
		r->counts = reserve(r, (int64_t) r->op.buckets + 3, sizeof(int64_t));
		if (r->counts == NULL)
			return GS_NO_MEMORY;
	}
	if (gs_is_order((gs_kind) r->op.kind) &&
		strcmp(gs_service.engine->name, gs_engine_cpu.name) == 0 &&
		!may_reserve(r, r->n * ORDER_WIDTH))
		return GS_NO_MEMORY;
	gs_execution_busy(c);
	while ((status = gs_service.engine->begin(&r->op, r->n, NULL, &r->run)) ==
		   GS_NO_MEMORY && gs_cache_evict())
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

/* All of a CALL between its data and its results. */
static gs_status
execute_call(gs_connection *c, const gs_input *in, gs_output *out,
			 gs_result *result)
{
	gs_status	status = start(c);

	if (status == GS_OK && in->n > 0)
	{
		gs_execution_busy(c);
		status = gs_service.engine->feed(c->request.run, in, out);
		if (status == GS_OK)
			status = gs_service.engine->wait(c->request.run);
		gs_execution_done(c);
	}
	if (status == GS_OK)
		status = gs_execution_finish(c, result);
	return status;
}

/*
 * Take a CALL apart.  NULL if it is sound, else what is wrong with it.
 */
static const char *
read_call(gs_request *r, const gs_msg_call *call, size_t size, gs_input *in)
{
	const char *data = (const char *) (call + 1);
	gs_input_layout layout;

	gs_op_from_wire(&r->op, &call->op);
	if (r->op.buckets < 0 || r->op.buckets > GS_MAX_BUCKETS ||
		r->op.segment_length > GS_MAX_ELEMENTS ||
		!gs_validate_counts(&r->op, call->n, call->present,
							  call->mask_present))
		return "CALL with a number out of range";
	gs_lay_input(&r->op, true, call->n, call->present, call->mask_present,
				 &layout);
	if (layout.size > gs_service.call_size ||
		size != sizeof *call + layout.size)
		return "CALL with a wrong amount of data";
	if (r->op.kind == GS_HISTOGRAM_EDGES)
		r->op.edges = (const double *) (data + layout.edges);
	if (gs_op_check(&r->op) != GS_OK || gs_is_order((gs_kind) r->op.kind))
		return "CALL with an unsound operation";
	if (gs_call_reply_size(&r->op, call->n) > gs_service.call_size)
		return "CALL with too large a result";
	if (!gs_find_input(&r->op, data, &layout, call->n, call->present,
					   call->mask_present, in))
		return "CALL with data that does not fit its numbers";
	r->n = call->n;
	return NULL;
}

bool
gs_request_call(gs_connection *c, const void *message, size_t size)
{
	gs_msg_result *answer = (gs_msg_result *) c->out;
	char	   *results = c->out + sizeof *answer;
	gs_request *r = &c->request;
	size_t		reply = 0;
	const char *wrong;
	gs_input	in;
	gs_output	out;
	bool		ok;

	if (r->open)
		return gs_malformed(c, "CALL within a request");
	wrong = read_call(r, message, size, &in);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(&out, 0, sizeof out);
	if (gs_has_output(&r->op))
		gs_find_output(&r->op, results, in.n, &out);
	gs_execution_outcome(c, &answer->outcome,
				execute_call(c, &in, &out, &answer->result));
	answer->n = out.n;
	answer->present = out.present;
	if (answer->outcome.status == GS_OK)
		reply = gs_call_reply_size(&r->op, in.n);
	if (answer->outcome.status == GS_OK && r->counts != NULL)
		memcpy(results, r->counts, reply);
	atomic_fetch_add(&gs_calls, 1);
	ok = gs_send(c, answer, GS_MSG_RESULT, sizeof *answer + reply);
	ok = gs_execution_answered(ok, &answer->outcome);
	gs_execution_abandon(c);
	return ok;
}

/*
 * Wait until slots have been lent.  The client is told now and then that it
 * waits; that it sends nothing meanwhile, so anything readable is its end.
 */
static bool
wait_for_grant(gs_connection *c)
{
	struct pollfd fds[2] = {
		{.fd = c->grant.ready_fd, .events = POLLIN},
		{.fd = c->socket, .events = POLLIN}
	};

	while (!gs_staging_is_granted(&c->grant))
	{
		gs_msg_waiting	waiting;
		int			ready = poll(fds, 2, WAITING_MS);

		if (ready < 0 && errno != EINTR)
			return false;
		if (ready > 0 && fds[1].revents != 0)
			return false;
		if (ready == 0)
		{
			waiting.progress = atomic_load(&gs_progress);
			if (!gs_send(c, &waiting, GS_MSG_WAITING, sizeof waiting))
				return false;
		}
	}
	return true;
}

/* Is the operation of a BEGIN sound, whose edges are still to come? */
static bool
validate_begin(const gs_msg_begin *begin, const gs_op *op)
{
	static const double unit[] = {0, 1};
	gs_op		trial = *op;

	if (begin->n < 0 || begin->n > GS_MAX_ELEMENTS ||
		begin->only_cached < 0 || begin->only_cached > 1 ||
		begin->lanes < 1 || begin->lanes > GS_MAX_LANES ||
		op->buckets < 0 || op->buckets > GS_MAX_BUCKETS ||
		op->segment_length > GS_MAX_ELEMENTS)
		return false;
	if (op->kind == GS_HISTOGRAM_EDGES && op->buckets > 0)
	{
		trial.buckets = 1;
		trial.edges = unit;
	}
	return gs_op_check(&trial) == GS_OK;
}

/* Edges, as far as BEGIN has to do with them: kept ones, or room for them. */
static gs_status
begin_edges(gs_connection *c, const gs_toast_id *id)
{
	gs_request *r = &c->request;
	int64_t		n = (int64_t) r->op.buckets + 1;

	if (id->database != 0)
	{
		r->edges_id = *id;
		r->entry[GS_EDGES] = gs_cache_find_edges(id, n);
	}
	if (r->entry[GS_EDGES] != NULL)
	{
		r->hit |= 1u << GS_EDGES;
		r->op.edges = gs_entry_edges(r->entry[GS_EDGES]);
		return start(c);
	}
	r->edges = reserve(r, n, sizeof(double));
	r->op.edges = r->edges;
	return r->edges == NULL ? GS_NO_MEMORY : GS_OK;
}

/*
 * Have slots lent, as many as the request has use for: the client copies into
 * them, or the results, or a histogram's counts come back in them.  False: the
 * connection is to end.
 */
static bool
borrow(gs_connection *c, int lanes, gs_status *status)
{
	gs_request *r = &c->request;
	gs_grant *b = &c->grant;

	b->step = gs_has_output(&r->op) ? 2 : 1;
	b->min_slots = b->step;
	if (r->op.cached && r->load == 0 && !gs_has_output(&r->op))
	{
		/* the answer to a reduction is a message */
		if (gs_is_reduction((gs_kind) r->op.kind))
			return true;
		if (gs_is_histogram((gs_kind) r->op.kind))
			lanes = 1;
	}
	b->max_slots = b->step * lanes;
	if (!gs_staging_acquire(b))
	{
		*status = GS_NO_MEMORY;
		return true;
	}
	return wait_for_grant(c);
}

bool
gs_request_begin(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_begin *begin = message;
	gs_request *r = &c->request;
	gs_grant *b = &c->grant;
	gs_msg_granted grant;
	gs_status	status = GS_OK;

	(void) size;
	if (r->open)
		return gs_malformed(c, "BEGIN within a request");
	gs_op_from_wire(&r->op, &begin->op);
	if (!validate_begin(begin, &r->op))
		return gs_malformed(c, "BEGIN with an unsound operation");
	r->open = true;
	r->n = begin->n;
	if (!gs_cached_begin(c, begin, &status))
		return false;
	if (status == GS_OK && !borrow(c, begin->lanes, &status))
		return false;
	if (status == GS_OK)
		status = r->op.kind == GS_HISTOGRAM_EDGES ?
			begin_edges(c, &begin->argument[GS_EDGES].toast_id) : start(c);

	memset(&grant, 0, sizeof grant);
	gs_execution_outcome(c, &grant.outcome, status);
	if (status == GS_OK)
	{
		r->lanes = b->granted / b->step;
		grant.lanes = r->lanes;
		grant.elements = r->elements;
		grant.cached = r->op.cached;
		grant.hit = r->hit;
		grant.load = r->load;
		memcpy(grant.input, b->slot, r->lanes * sizeof(uint32_t));
		if (b->step == 2)
			memcpy(grant.output, b->slot + r->lanes,
				   r->lanes * sizeof(uint32_t));
	}
	return gs_execution_answered(gs_send(c, &grant, GS_MSG_GRANTED, sizeof grant),
						   &grant.outcome) &&
		gs_result_continue(c);
}

bool
gs_request_edges(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_edges *edges = message;
	gs_request *r = &c->request;
	int64_t		total = (int64_t) r->op.buckets + 1;
	gs_status	status = GS_OK;
	gs_msg_accepted	accepted;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "EDGES outside a request");
	if (r->failed)
		return true;
	if (r->edges == NULL || r->started)
		return gs_malformed(c, "EDGES without need");
	if (edges->count < 1 || edges->count > total - r->edges_received ||
		edges->count > (int64_t) (gs_service.slot_size / sizeof(double)))
		return gs_malformed(c, "EDGES with a number out of range");
	memcpy(r->edges + r->edges_received, gs_staging_slot(c->grant.slot[0]),
		   (size_t) edges->count * sizeof(double));
	r->edges_received += edges->count;
	if (r->edges_received == total)
	{
		if (gs_op_check(&r->op) != GS_OK)
			return gs_malformed(c, "EDGES that do not ascend");
		if (r->edges_id.database != 0)
			gs_cache_add_edges(&r->edges_id, r->edges, total);
		status = start(c);
	}
	memset(&accepted, 0, sizeof accepted);
	gs_execution_outcome(c, &accepted.outcome, status);
	accepted.elements = r->elements;
	return gs_execution_answered(gs_send(c, &accepted, GS_MSG_ACCEPTED, sizeof accepted),
						   &accepted.outcome) &&
		gs_result_continue(c);
}

/*
 * Find a FEED's input and output.  NULL if it is sound, else what is wrong.
 */
static const char *
read_feed(gs_connection *c, const gs_msg_feed *feed)
{
	gs_request *r = &c->request;
	gs_input_layout layout;

	if (!r->started || r->finished || r->load != 0 ||
		(r->op.cached && !gs_has_output(&r->op)))
		return "FEED out of turn";
	if (feed->n < 1 || feed->n > r->elements || feed->n > r->n - r->fed ||
		(feed->n < r->n - r->fed && feed->n % GS_BATCH_ALIGN != 0) ||
		!gs_validate_counts(&r->op, feed->n, feed->present,
							  feed->mask_present))
		return "FEED with a number out of range";
	if (feed->lane < 0 || feed->lane >= r->lanes || r->under_way[feed->lane])
		return "FEED of a lane that is not free";
	gs_lay_input(&r->op, false, feed->n, feed->present, feed->mask_present,
				 &layout);
	if (r->op.cached)
		gs_cached_input(r, feed->n, &r->input[feed->lane]);
	else if (!gs_find_input(&r->op, gs_staging_slot(c->grant.slot[feed->lane]),
							&layout, feed->n, feed->present,
							feed->mask_present, &r->input[feed->lane]))
		return "FEED with data that does not fit its numbers";
	memset(&r->output[feed->lane], 0, sizeof(gs_output));
	if (gs_has_output(&r->op))
		gs_find_output(&r->op,
					   gs_staging_slot(c->grant.slot[r->lanes + feed->lane]),
					   feed->n, &r->output[feed->lane]);
	return NULL;
}

bool
gs_request_feed(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_feed *feed = message;
	gs_request *r = &c->request;
	const char *wrong;
	gs_status	status;
	gs_msg_done done;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "FEED outside a request");
	if (r->failed)
		return true;
	wrong = read_feed(c, feed);
	if (wrong != NULL)
		return gs_malformed(c, wrong);

	/* the engine may have less room than there are lanes */
	if (r->feeds == r->depth && !gs_execution_wait(c))
		return false;
	if (r->failed)
		return true;
	gs_execution_busy(c);
	status = gs_service.engine->feed(r->run, &r->input[feed->lane],
									 &r->output[feed->lane]);
	gs_execution_idle(c);
	r->fed += feed->n;
	r->under_way[feed->lane] = true;
	r->order[(r->first + r->feeds++) % GS_MAX_LANES] = feed->lane;
	if (status == GS_OK)
		return true;			/* gs_execution_wait answers */
	memset(&done, 0, sizeof done);
	gs_execution_outcome(c, &done.outcome, status);
	return gs_execution_answered(gs_send(c, &done, GS_MSG_DONE, sizeof done), &done.outcome);
}

/* Wait for the feed that is done next, and tell the client. */
bool
gs_execution_wait(gs_connection *c)
{
	gs_request *r = &c->request;
	int			lane = r->order[r->first];
	gs_status	status;
	gs_msg_done		done;

	gs_execution_busy(c);
	status = gs_service.engine->wait(r->run);
	gs_execution_done(c);
	r->first = (r->first + 1) % GS_MAX_LANES;
	r->feeds--;
	r->under_way[lane] = false;
	memset(&done, 0, sizeof done);
	gs_execution_outcome(c, &done.outcome, status);
	if (status == GS_OK)
	{
		done.n = r->output[lane].n;
		done.present = r->output[lane].present;
	}
	return gs_execution_answered(gs_send(c, &done, GS_MSG_DONE, sizeof done), &done.outcome);
}

bool
gs_request_end(gs_connection *c, const void *message, size_t size)
{
	(void) message;
	(void) size;
	if (!c->request.open)
		return gs_malformed(c, "END outside a request");
	gs_execution_abandon(c);
	return true;
}
