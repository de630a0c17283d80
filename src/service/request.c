/*-------------------------------------------------------------------------
 *
 * request.c
 *	  The life of one request in gpuscand, from BEGIN to END.
 *
 * What it gives is in result.c, what stays of its arrays in cached_request.c.
 *
 * Each function takes one message whose length has been checked, and no more
 * than that; every member is checked here, against protocol.h and against what
 * the client was lent.  A message that is wrong ends the connection; a request
 * that the engine cannot do ends with a status, and the connection goes on.
 *
 * What belongs to a request (an execution in the engine, chunks, private
 * memory) is in c->request and c->borrower, and gs_request_abandon gives it
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
gs_request_busy(gs_connection *c)
{
	atomic_store(&c->busy_since, gs_look_now() / 1000000);
}

/*
 * The engine has taken what it got, which says little: a device that has come
 * to a stop takes more all the same.
 */
void
gs_request_idle(gs_connection *c)
{
	atomic_store(&c->busy_since, 0);
}

/* The engine has finished what it got. */
void
gs_request_done(gs_connection *c)
{
	atomic_store(&c->busy_since, 0);
	atomic_fetch_add(&gs_progress, 1);
}

/* What the client is told of a status, and what follows from it here. */
void
gs_request_outcome(gs_connection *c, gs_outcome *outcome, gs_status status)
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
gs_request_sent(bool ok, const gs_outcome *outcome)
{
	if (outcome->status == GS_DEVICE_LOST)
		gs_device_failed(outcome->message);
	return ok;
}

/* Leave to take so much private memory; gs_request_abandon gives it back. */
static bool
may_take(gs_request *r, int64_t size)
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

	return may_take(r, size) ? malloc((size_t) size) : NULL;
}

/* Give back everything that the request has. */
void
gs_request_abandon(gs_connection *c)
{
	gs_request *r = &c->request;

	if (r->run != NULL)
	{
		gs_request_busy(c);
		gs_service.engine->end(r->run);
		gs_request_idle(c);
	}
	gs_staging_return(&c->borrower);
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
		!may_take(r, r->n * ORDER_WIDTH))
		return GS_NO_MEMORY;
	gs_request_busy(c);
	while ((status = gs_service.engine->begin(&r->op, r->n, NULL, &r->run)) ==
		   GS_NO_MEMORY && gs_cache_make_room())
	{
		if (r->run != NULL)
			gs_service.engine->end(r->run);
		r->run = NULL;
	}
	gs_request_idle(c);
	if (status != GS_OK)
		return status;
	gs_service.engine->shape(r->run, &r->chunk, &r->depth);
	r->elements = gs_chunk_elements(&r->op, gs_service.chunk_size);
	if (r->chunk < r->elements)
		r->elements = r->chunk;
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
		gs_request_busy(c);
		status = gs_service.engine->feed(c->request.run, in, out);
		if (status == GS_OK)
			status = gs_service.engine->wait(c->request.run);
		gs_request_done(c);
	}
	if (status == GS_OK)
		status = gs_result_take(c, result);
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
		r->op.chunk > GS_MAX_ELEMENTS ||
		!gs_numbers_are_sound(&r->op, call->n, call->present,
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
	gs_request_outcome(c, &answer->outcome,
				execute_call(c, &in, &out, &answer->result));
	answer->n = out.n;
	answer->present = out.present;
	if (answer->outcome.status == GS_OK)
		reply = gs_call_reply_size(&r->op, in.n);
	if (answer->outcome.status == GS_OK && r->counts != NULL)
		memcpy(results, r->counts, reply);
	atomic_fetch_add(&gs_calls, 1);
	ok = gs_send(c, answer, GS_MSG_RESULT, sizeof *answer + reply);
	ok = gs_request_sent(ok, &answer->outcome);
	gs_request_abandon(c);
	return ok;
}

/*
 * Wait until chunks have been lent.  The client is told now and then that it
 * waits; that it sends nothing meanwhile, so anything readable is its end.
 */
static bool
wait_for_chunks(gs_connection *c)
{
	struct pollfd fds[2] = {
		{.fd = c->borrower.ready_fd, .events = POLLIN},
		{.fd = c->socket, .events = POLLIN}
	};

	while (!gs_staging_lent(&c->borrower))
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
begin_is_sound(const gs_msg_begin *begin, const gs_op *op)
{
	static const double unit[] = {0, 1};
	gs_op		trial = *op;

	if (begin->n < 0 || begin->n > GS_MAX_ELEMENTS ||
		begin->only_kept < 0 || begin->only_kept > 1 ||
		begin->slots < 1 || begin->slots > GS_MAX_SLOTS ||
		op->buckets < 0 || op->buckets > GS_MAX_BUCKETS ||
		op->chunk > GS_MAX_ELEMENTS)
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
begin_edges(gs_connection *c, const gs_stored *stored)
{
	gs_request *r = &c->request;
	int64_t		n = (int64_t) r->op.buckets + 1;

	if (stored->database != 0)
	{
		r->edges_stored = *stored;
		r->entry[GS_EDGES] = gs_cache_find_edges(stored, n);
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
 * Have chunks lent, as many as the request has use for: the client copies into
 * them, or the results, or a histogram's counts come back in them.  False: the
 * connection is to end.
 */
static bool
borrow(gs_connection *c, int slots, gs_status *status)
{
	gs_request *r = &c->request;
	gs_borrower *b = &c->borrower;

	b->step = gs_has_output(&r->op) ? 2 : 1;
	b->least = b->step;
	if (r->op.resident && r->load == 0 && !gs_has_output(&r->op))
	{
		/* the answer to a reduction is a message */
		if (gs_is_reduction((gs_kind) r->op.kind))
			return true;
		if (gs_is_histogram((gs_kind) r->op.kind))
			slots = 1;
	}
	b->most = b->step * slots;
	if (!gs_staging_borrow(b))
	{
		*status = GS_NO_MEMORY;
		return true;
	}
	return wait_for_chunks(c);
}

bool
gs_request_begin(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_begin *begin = message;
	gs_request *r = &c->request;
	gs_borrower *b = &c->borrower;
	gs_msg_lent lent;
	gs_status	status = GS_OK;

	(void) size;
	if (r->open)
		return gs_malformed(c, "BEGIN within a request");
	gs_op_from_wire(&r->op, &begin->op);
	if (!begin_is_sound(begin, &r->op))
		return gs_malformed(c, "BEGIN with an unsound operation");
	r->open = true;
	r->n = begin->n;
	if (!gs_resident_begin(c, begin, &status))
		return false;
	if (status == GS_OK && !borrow(c, begin->slots, &status))
		return false;
	if (status == GS_OK)
		status = r->op.kind == GS_HISTOGRAM_EDGES ?
			begin_edges(c, &begin->argument[GS_EDGES].stored) : start(c);

	memset(&lent, 0, sizeof lent);
	gs_request_outcome(c, &lent.outcome, status);
	if (status == GS_OK)
	{
		r->slots = b->lent / b->step;
		lent.slots = r->slots;
		lent.elements = r->elements;
		lent.resident = r->op.resident;
		lent.hit = r->hit;
		lent.load = r->load;
		memcpy(lent.input, b->chunk, r->slots * sizeof(uint32_t));
		if (b->step == 2)
			memcpy(lent.output, b->chunk + r->slots,
				   r->slots * sizeof(uint32_t));
	}
	return gs_request_sent(gs_send(c, &lent, GS_MSG_LENT, sizeof lent),
						   &lent.outcome) &&
		gs_result_go_on(c);
}

bool
gs_request_edges(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_edges *edges = message;
	gs_request *r = &c->request;
	int64_t		total = (int64_t) r->op.buckets + 1;
	gs_status	status = GS_OK;
	gs_msg_taken	taken;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "EDGES outside a request");
	if (r->failed)
		return true;
	if (r->edges == NULL || r->started)
		return gs_malformed(c, "EDGES without need");
	if (edges->count < 1 || edges->count > total - r->edges_taken ||
		edges->count > (int64_t) (gs_service.chunk_size / sizeof(double)))
		return gs_malformed(c, "EDGES with a number out of range");
	memcpy(r->edges + r->edges_taken, gs_staging_chunk(c->borrower.chunk[0]),
		   (size_t) edges->count * sizeof(double));
	r->edges_taken += edges->count;
	if (r->edges_taken == total)
	{
		if (gs_op_check(&r->op) != GS_OK)
			return gs_malformed(c, "EDGES that do not ascend");
		if (r->edges_stored.database != 0)
			gs_cache_keep_edges(&r->edges_stored, r->edges, total);
		status = start(c);
	}
	memset(&taken, 0, sizeof taken);
	gs_request_outcome(c, &taken.outcome, status);
	taken.elements = r->elements;
	return gs_request_sent(gs_send(c, &taken, GS_MSG_TAKEN, sizeof taken),
						   &taken.outcome) &&
		gs_result_go_on(c);
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
		(r->op.resident && !gs_has_output(&r->op)))
		return "FEED out of turn";
	if (feed->n < 1 || feed->n > r->elements || feed->n > r->n - r->fed ||
		(feed->n < r->n - r->fed && feed->n % GS_CHUNK_ALIGN != 0) ||
		!gs_numbers_are_sound(&r->op, feed->n, feed->present,
							  feed->mask_present))
		return "FEED with a number out of range";
	if (feed->slot < 0 || feed->slot >= r->slots || r->under_way[feed->slot])
		return "FEED of a slot that is not free";
	gs_lay_input(&r->op, false, feed->n, feed->present, feed->mask_present,
				 &layout);
	if (r->op.resident)
		gs_resident_input(r, feed->n, &r->input[feed->slot]);
	else if (!gs_find_input(&r->op, gs_staging_chunk(c->borrower.chunk[feed->slot]),
							&layout, feed->n, feed->present,
							feed->mask_present, &r->input[feed->slot]))
		return "FEED with data that does not fit its numbers";
	memset(&r->output[feed->slot], 0, sizeof(gs_output));
	if (gs_has_output(&r->op))
		gs_find_output(&r->op,
					   gs_staging_chunk(c->borrower.chunk[r->slots + feed->slot]),
					   feed->n, &r->output[feed->slot]);
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

	/* the engine may have less room than there are slots */
	if (r->feeds == r->depth && !gs_request_wait(c))
		return false;
	if (r->failed)
		return true;
	gs_request_busy(c);
	status = gs_service.engine->feed(r->run, &r->input[feed->slot],
									 &r->output[feed->slot]);
	gs_request_idle(c);
	r->fed += feed->n;
	r->under_way[feed->slot] = true;
	r->order[(r->first + r->feeds++) % GS_MAX_SLOTS] = feed->slot;
	if (status == GS_OK)
		return true;			/* gs_request_wait answers */
	memset(&done, 0, sizeof done);
	gs_request_outcome(c, &done.outcome, status);
	return gs_request_sent(gs_send(c, &done, GS_MSG_DONE, sizeof done), &done.outcome);
}

/* Wait for the feed that is done next, and tell the client. */
bool
gs_request_wait(gs_connection *c)
{
	gs_request *r = &c->request;
	int			slot = r->order[r->first];
	gs_status	status;
	gs_msg_done		done;

	gs_request_busy(c);
	status = gs_service.engine->wait(r->run);
	gs_request_done(c);
	r->first = (r->first + 1) % GS_MAX_SLOTS;
	r->feeds--;
	r->under_way[slot] = false;
	memset(&done, 0, sizeof done);
	gs_request_outcome(c, &done.outcome, status);
	if (status == GS_OK)
	{
		done.n = r->output[slot].n;
		done.present = r->output[slot].present;
	}
	return gs_request_sent(gs_send(c, &done, GS_MSG_DONE, sizeof done), &done.outcome);
}

bool
gs_request_end(gs_connection *c, const void *message, size_t size)
{
	(void) message;
	(void) size;
	if (!c->request.open)
		return gs_malformed(c, "END outside a request");
	gs_request_abandon(c);
	return true;
}
