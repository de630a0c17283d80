/*-------------------------------------------------------------------------
 *
 * request.c
 *	  The messages of a request, from CALL or BEGIN to END.
 *
 * What delivers results is in result.c.
 *
 * Each function handles one message whose length has been checked, and
 * validates every other member here, against protocol.h and against what the
 * client was granted.  An invalid message ends the connection; a request that
 * the engine cannot execute ends with a status, and the connection goes on.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <string.h>

#include "service/service.h"

/* Execute a CALL. */
static gs_status
execute_call(gs_connection *c, const gs_input *in, gs_output *out,
			 gs_result *result)
{
	gs_status	status = gs_execution_start(c);

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

/* Nothing is larger than it may be; gs_op_check does the rest. */
static bool
is_within_limits(const gs_op *op)
{
	if (gs_is_histogram((gs_kind) op->kind))
		return op->histogram.buckets >= 0 &&
			op->histogram.buckets <= GS_MAX_BUCKETS;
	if (op->kind == GS_SEARCH)
		return op->search.count >= 0 && op->search.count <= GS_MAX_BUCKETS + 1;
	return op->segment.length <= GS_MAX_ELEMENTS &&
		op->transpose.columns <= GS_MAX_ELEMENTS;
}

/* Read a CALL.  NULL if it is valid, else what is wrong. */
static const char *
read_call(gs_request *r, const gs_msg_call *call, size_t size, gs_input *in)
{
	const char *data = (const char *) (call + 1);
	gs_input_layout layout;

	gs_op_receive(&r->op, &call->op);
	if (!is_within_limits(&r->op) ||
		!gs_validate_counts(&r->op, call->n, call->present,
							call->mask_present))
		return "CALL with a number out of range";
	gs_lay_input(&r->op, true, call->n, call->present, call->mask_present,
				 &layout);
	if (layout.size > gs_service.call_size ||
		size != sizeof *call + layout.size)
		return "CALL with a wrong amount of data";
	if (gs_has_edges((gs_kind) r->op.kind))
		gs_set_edges(&r->op, data + layout.edges);
	if (gs_op_check(&r->op) != GS_OK ||
		gs_is_fetched((gs_kind) r->op.kind) ||
		gs_is_placement((gs_kind) r->op.kind))
		return "CALL with an invalid operation";
	if (gs_call_reply_size(&r->op, call->n) > gs_service.call_size)
		return "CALL with too large a result";
	if (!gs_find_input(&r->op, data, &layout, call->n, call->present,
					   call->mask_present, NULL, in))
		return "CALL with data that does not match its numbers";
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
	ok = gs_execution_answer(c, answer, GS_MSG_RESULT,
							 sizeof *answer + reply, &answer->outcome);
	gs_execution_end(c);
	return ok;
}

/* Is a BEGIN valid?  Its edges are still to come. */
static bool
validate_begin(const gs_msg_begin *begin, const gs_op *op)
{
	static const double any_edges[] = {0, 1};
	gs_op		trial = *op;

	if (begin->n < 0 || begin->n > GS_MAX_ELEMENTS ||
		begin->only_cached < 0 || begin->only_cached > 1 ||
		begin->lanes < 1 || begin->lanes > GS_MAX_LANES ||
		!is_within_limits(op) ||
		(op->kind == GS_CHOOSE_EITHER && op->mask.elements < begin->n))
		return false;
	if (gs_has_edges((gs_kind) op->kind))
	{
		trial.histogram.buckets = op->histogram.buckets > 0 ? 1 : 0;
		trial.search.count = op->search.count > 0 ? 1 : 0;
		gs_set_edges(&trial, any_edges);
	}
	return gs_op_check(&trial) == GS_OK;
}

/* The edges of a BEGIN: find cached ones, or allocate memory for them. */
static gs_status
begin_edges(gs_connection *c, const gs_toast_id *id)
{
	gs_request *r = &c->request;
	int64_t		n = gs_edge_count(&r->op);

	/* the cache has edges of histograms only, which other keys would not be */
	if (id->database != 0 && r->op.kind == GS_HISTOGRAM_EDGES)
	{
		r->edges_id = *id;
		r->entry[GS_EDGES] = gs_cache_find_edges(id, n);
	}
	if (r->entry[GS_EDGES] != NULL)
	{
		r->hit |= 1u << GS_EDGES;
		gs_set_edges(&r->op, gs_entry_edges(r->entry[GS_EDGES]));
		return gs_execution_start(c);
	}
	r->edges = gs_execution_reserve(r, n, sizeof(double));
	gs_set_edges(&r->op, r->edges);
	return r->edges == NULL ? GS_NO_MEMORY : GS_OK;
}

/*
 * Acquire as many slots as the request can use: the client puts its input
 * there, or the results or a histogram's counts come back in them.  False: the
 * connection is to end.
 */
static bool
acquire_slots(gs_connection *c, int lanes, gs_status *status)
{
	gs_request *r = &c->request;
	gs_grant   *g = &c->grant;
	bool		possible;

	g->step = gs_has_output(&r->op) ? 2 : 1;
	g->min_slots = g->step;
	if (r->op.cached && r->load == 0 && !gs_has_output(&r->op))
	{
		/* the answer to a reduction is a message */
		if (gs_is_reduction((gs_kind) r->op.kind))
			return true;
		if (gs_is_histogram((gs_kind) r->op.kind))
			lanes = 1;
	}
	g->max_slots = g->step * lanes;
	if (!gs_execution_acquire(c, &possible))
		return false;
	if (!possible)
		*status = GS_NO_MEMORY;
	return true;
}

bool
gs_request_begin(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_begin *begin = message;
	gs_request *r = &c->request;
	gs_grant   *g = &c->grant;
	gs_msg_granted grant;
	gs_status	status = GS_OK;

	(void) size;
	if (r->open)
		return gs_malformed(c, "BEGIN within a request");
	gs_op_receive(&r->op, &begin->op);
	if (!validate_begin(begin, &r->op))
		return gs_malformed(c, "BEGIN with an invalid operation");
	r->open = true;
	r->n = begin->n;
	if (!gs_arguments_find(c, begin, &status))
		return false;
	if (status == GS_OK && !acquire_slots(c, begin->lanes, &status))
		return false;
	if (status == GS_OK)
		status = gs_has_edges((gs_kind) r->op.kind) ?
			begin_edges(c, &begin->argument[GS_EDGES].toast_id) :
			gs_execution_start(c);

	memset(&grant, 0, sizeof grant);
	gs_execution_outcome(c, &grant.outcome, status);
	if (status == GS_OK)
	{
		r->lanes = g->granted / g->step;
		grant.lanes = r->lanes;
		grant.elements = r->elements;
		grant.cached = r->op.cached;
		grant.hit = r->hit;
		grant.load = r->load;
		memcpy(grant.input, g->slot, r->lanes * sizeof(uint32_t));
		if (g->step == 2)
			memcpy(grant.output, g->slot + r->lanes,
				   r->lanes * sizeof(uint32_t));
	}
	return gs_execution_answer(c, &grant, GS_MSG_GRANTED, sizeof grant,
							   &grant.outcome) &&
		gs_result_continue(c);
}

bool
gs_request_edges(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_edges *edges = message;
	gs_request *r = &c->request;
	int64_t		total = gs_edge_count(&r->op);
	gs_status	status = GS_OK;
	gs_msg_accepted accepted;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "EDGES outside a request");
	if (r->failed)
		return true;
	if (r->edges == NULL || r->started)
		return gs_malformed(c, "EDGES that are not needed");
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
		status = gs_execution_start(c);
	}
	memset(&accepted, 0, sizeof accepted);
	gs_execution_outcome(c, &accepted.outcome, status);
	accepted.elements = r->elements;
	return gs_execution_answer(c, &accepted, GS_MSG_ACCEPTED, sizeof accepted,
							   &accepted.outcome) &&
		gs_result_continue(c);
}

/* Find a LOAD's data.  NULL if it is valid, else what is wrong. */
static const char *
read_load(gs_connection *c, const gs_msg_load *load, gs_span *part)
{
	gs_request *r = &c->request;
	gs_type		type;
	bool		nulls;
	gs_input_layout layout;
	const char *base;

	if (load->argument < 0 || load->argument >= GS_ARRAYS ||
		(r->load & 1u << load->argument) == 0)
		return "LOAD of what is not to be loaded";
	if (load->lane < 0 || load->lane >= r->lanes)
		return "LOAD of a lane that is not granted";
	type = gs_argument_type(&r->op, load->argument);
	nulls = gs_entry_has_nulls(r->entry[load->argument]);
	if (load->n < 1 || load->present < 0 || load->present > load->n ||
		load->n > gs_load_elements(type, nulls, gs_service.slot_size))
		return "LOAD with a number out of range";
	gs_lay_load(type, nulls, load->n, load->present, &layout);
	base = gs_staging_slot(c->grant.slot[load->lane]);
	part->values = base + layout.values;
	part->validity = nulls ? (const uint8_t *) base + layout.validity : NULL;
	part->present = load->present;
	if (type == GS_BOOL && !gs_validate_flags(part->values, load->present))
		return "LOAD with flags that are not 0 or 1";
	return NULL;
}

bool
gs_request_load(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_load *load = message;
	gs_request *r = &c->request;
	gs_entry   *entry;
	const char *wrong;
	gs_span		part;
	gs_msg_loaded loaded;
	gs_status	status;

	(void) size;
	if (!r->open)
		return gs_malformed(c, "LOAD outside a request");
	if (r->failed)
		return true;
	wrong = read_load(c, load, &part);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	entry = r->entry[load->argument];
	gs_execution_busy(c);
	status = gs_entry_load(entry, &part, load->n);
	gs_execution_done(c);
	if (status == GS_INVALID)
		return gs_malformed(c, "LOAD with data that does not match its numbers");
	if (status == GS_OK && gs_cache_loaded(entry))
		r->load &= ~(1u << load->argument);
	gs_execution_outcome(c, &loaded.outcome, status);
	if (status == GS_DEVICE_LOST)
		snprintf(loaded.outcome.message, sizeof loaded.outcome.message,
				 "could not copy to the engine's memory");
	return gs_execution_answer(c, &loaded, GS_MSG_LOADED, sizeof loaded,
							   &loaded.outcome) &&
		gs_result_continue(c);
}

/* Find a FEED's input and output.  NULL if it is valid, else what is wrong. */
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
	if (feed->lane < 0 || feed->lane >= r->lanes || r->in_flight[feed->lane])
		return "FEED of a lane that is not free";
	gs_lay_input(&r->op, false, feed->n, feed->present, feed->mask_present,
				 &layout);
	if (r->op.cached)
		gs_arguments_input(r, feed->n, &r->input[feed->lane]);
	else if (!gs_find_input(&r->op, gs_staging_slot(c->grant.slot[feed->lane]),
							&layout, feed->n, feed->present,
							feed->mask_present,
							gs_staging_bitmaps(c->grant.slot[feed->lane]),
							&r->input[feed->lane]))
		return "FEED with data that does not match its numbers";
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

	/* the engine may allow fewer feeds in flight than there are lanes */
	if (r->feeds == r->depth && !gs_execution_wait(c))
		return false;
	if (r->failed)
		return true;
	gs_execution_busy(c);
	status = gs_service.engine->feed(r->run, &r->input[feed->lane],
									 &r->output[feed->lane]);
	gs_execution_idle(c);
	r->fed += feed->n;
	r->in_flight[feed->lane] = true;
	r->order[(r->first + r->feeds++) % GS_MAX_LANES] = feed->lane;
	if (status == GS_OK)
		return true;			/* gs_execution_wait answers */
	memset(&done, 0, sizeof done);
	gs_execution_outcome(c, &done.outcome, status);
	return gs_execution_answer(c, &done, GS_MSG_DONE, sizeof done,
							   &done.outcome);
}

bool
gs_request_end(gs_connection *c, const void *message, size_t size)
{
	(void) message;
	(void) size;
	if (!c->request.open)
		return gs_malformed(c, "END outside a request");
	gs_execution_end(c);
	return true;
}
