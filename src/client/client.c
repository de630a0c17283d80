/*-------------------------------------------------------------------------
 *
 * client.c
 *	  The engine that forwards to the service.
 *
 * To call.c this is an engine like any other.  A small operation travels as
 * one message each way (CALL).  For a larger one, begin obtains lanes of the
 * service's staging memory, feed copies a batch into its input slot, unless
 * the caller has already put the values there (input_buffer), and wait copies
 * the results out.  As many feeds can be in flight as lanes were granted:
 * while one lane is filled, others compute or wait to be emptied.  protocol.h
 * describes the messages, exchange.c sends them.
 *
 * If the service caches the arrays, begin loads what the cache lacks
 * (arguments.c), and from then on only results move.
 *
 * The link must be open (gs_link_acquire).  When it fails, the status is
 * GS_DEVICE_LOST.  An execution that ends before all answers have come, for
 * whatever reason, closes the link.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"

#include "array/parallel_copy.h"
#include "client/client_run.h"
#include "engine/group_op.h"
#include "pg/settings.h"

/* Copy a batch's input, as laid out by gs_lay_input. */
static void
copy_input(const gs_op *op, bool edges, const gs_input *in, char *to,
		   gs_input_layout *layout)
{
	gs_lay_input(op, edges, in->n, in->data.present, in->mask.present, layout);
	if (layout->values > layout->edges)
		gs_copy(to + layout->edges, gs_edges(op),
				(size_t) gs_edge_count(op) * sizeof(double));
	if (in->data.values != to + layout->values)
		gs_copy(to + layout->values, in->data.values,
				(size_t) in->data.present * gs_type_width(op->type));
	if (in->data.present < in->n)
		gs_copy(to + layout->validity, in->data.validity,
				gs_bitmap_size(in->n));
	if (!gs_has_mask(op))
		return;
	gs_copy(to + layout->mask, in->mask.values,
			(size_t) in->mask.present * gs_type_width(gs_mask_type(op)));
	if (in->mask.present < in->n)
		gs_copy(to + layout->mask_validity, in->mask.validity,
				gs_bitmap_size(in->n));
}

/*
 * Copy a batch's results out, as many as the service reports.  False if there
 * cannot be so many, or their bitmap has another number of ones.
 */
static bool
copy_output(const gs_op *op, int64 fed, int64 n, int64 present,
			const char *from, gs_output *out)
{
	gs_output_layout layout;

	if (present < 0 || present > n || n > fed ||
		(n < fed && !gs_is_compaction(op->kind)) ||
		(present < n && out->validity == NULL))
		return false;
	gs_lay_output(op, fed, &layout);
	out->n = n;
	out->present = present;
	gs_copy(out->values, from + layout.values,
			(size_t) out->present * gs_type_width(gs_output_type(op)));
	if (out->validity == NULL)
		return true;
	if (present == n)
	{
		memset(out->validity, 0xff, gs_bitmap_size(n));
		return true;
	}
	gs_copy(out->validity, from + layout.validity, gs_bitmap_size(n));
	return gs_count_bits(out->validity, n) == present;
}

/* Does the whole operation fit one message each way? */
static bool
is_small(const gs_op *op, int64 n)
{
	gs_input_layout layout;

	if (n > GS_MESSAGE_MAX || op->histogram.buckets > GS_MESSAGE_MAX ||
		op->search.count > GS_MESSAGE_MAX ||
		gs_is_fetched(op->kind) || gs_is_placement(op->kind))
		return false;

	/* upper bound: all present, plus bitmaps */
	gs_lay_input(op, true, n, n, gs_has_mask(op) ? n : 0, &layout);
	return layout.size + 2 * (gs_bitmap_size(n) + GS_STAGING_ALIGN) <=
		gs_session_link.call_size &&
		gs_call_reply_size(op, n) <= gs_session_link.call_size;
}

/* Send the whole operation as a CALL. */
static gs_status
send_call(gs_run *run, const gs_input *in)
{
	char	   *buffer = gs_session_link.buffer;
	gs_msg_call *call = (gs_msg_call *) buffer;
	gs_input_layout layout;

	gs_run_read_edges(run);
	memset(call, 0, sizeof(gs_msg_call));
	call->op = *run->op;
	call->n = in->n;
	call->present = in->data.present;
	call->mask_present = gs_has_mask(run->op) ? in->mask.present : 0;
	copy_input(run->op, true, in, buffer + sizeof(gs_msg_call), &layout);
	run->finishing = true;
	return gs_exchange_send(&run->exchange, call, GS_MSG_CALL,
							sizeof(gs_msg_call) + layout.size);
}

/*
 * Does the service compute the result, without FEED and FINISH, as soon as it
 * has all arguments?
 */
static bool
needs_no_feed(const gs_run *run)
{
	return run->grant.cached && !gs_has_output(run->op);
}

static gs_status
receive_result(gs_run *run)
{
	char	   *buffer = gs_session_link.buffer;
	size_t		size;
	gs_status	status = gs_exchange_receive(&run->exchange, buffer,
											 GS_MSG_RESULT,
											 sizeof(gs_msg_result),
											 GS_MESSAGE_MAX, &size);

	if (status != GS_OK)
		return status;
	memcpy(&run->answer, buffer, sizeof(gs_msg_result));
	status = gs_exchange_check(&run->exchange, &run->answer.outcome);
	if (status != GS_OK)
		return status;
	if (needs_no_feed(run) && gs_is_reduction(run->op->kind))
		run->begun = false;		/* END is not due */
	if (!run->small)
		return GS_OK;
	run->data = buffer + sizeof(gs_msg_result);
	if (size < sizeof(gs_msg_result) + gs_call_reply_size(run->op, run->n))
		return gs_exchange_violated(&run->exchange);
	return GS_OK;
}

/* Is the grant within the memory that we have mapped? */
static bool
validate_grant(const gs_run *run)
{
	const gs_msg_granted *grant = &run->grant;
	uint32		slots = gs_session_link.staging_size /
		gs_session_link.slot_size;
	bool		needs_lane = !grant->cached || grant->load != 0 ||
		!gs_is_reduction(run->op->kind);

	if (gs_is_placement(run->op->kind) && run->n > 0 && !grant->cached)
		return false;
	if (grant->lanes < (needs_lane ? 1 : 0) || grant->lanes > GS_MAX_LANES ||
		(grant->load & ~((1u << GS_ARRAYS) - 1)) != 0)
		return false;
	for (int i = 0; i < GS_ARRAYS; i++)
	{
		if ((grant->load & (1u << i)) != 0 && run->sources->array[i] == NULL)
			return false;
	}
	for (int i = 0; i < grant->lanes; i++)
	{
		if (grant->input[i] >= slots || grant->output[i] >= slots)
			return false;
	}
	return true;
}

static gs_status
begin_large(gs_run *run)
{
	gs_msg_begin begin = {.n = run->n};
	int64		slot = gs_slot_elements(run->op,
										gs_session_link.slot_size);
	instr_time	start;
	gs_status	status;

	begin.op = *run->op;
	begin.lanes = (int32) Min(Max((run->n + slot - 1) / slot, 1), 4);
	gs_run_describe_arguments(run, &begin);
	run->begun = true;
	INSTR_TIME_SET_CURRENT(start);
	status = gs_exchange_send(&run->exchange, &begin, GS_MSG_BEGIN,
							  sizeof(begin));
	if (status == GS_OK)
		status = gs_exchange_await(&run->exchange, &run->grant,
								   GS_MSG_GRANTED, sizeof(run->grant));
	gs_add_time(&run->wait, start);
	if (status == GS_OK)
		status = gs_exchange_check(&run->exchange, &run->grant.outcome);
	if (status != GS_OK)
		return status;
	if (!validate_grant(run))
		return gs_exchange_violated(&run->exchange);
	gs_run_count_hits(run, &begin);
	status = gs_run_send_arguments(run);
	if (status == GS_OK && needs_no_feed(run))
	{
		run->finishing = true;
		run->exchange.unanswered++;
	}
	return status;
}

static gs_status
service_begin(const gs_op *op, int64_t n, const gs_sources *sources,
			  gs_run **result)
{
	static const gs_sources none;
	gs_run	   *run = palloc0(sizeof(gs_run));

	*result = run;				/* first: what follows may throw */
	run->op = op;
	run->n = n;
	run->sources = sources == NULL ? &none : sources;
	run->small = is_small(op, n);
	return run->small ? GS_OK : begin_large(run);
}

/* Are the arrays cached?  Then feed only asks for so many results. */
static bool
service_has_arrays(const gs_run *run)
{
	return run->grant.cached;
}

static void
service_shape(const gs_run *run, int64_t *batch, int *depth)
{
	*batch = run->small ? GS_MESSAGE_MAX :
		needs_no_feed(run) ? (int64_t) TYPEALIGN64(GS_BATCH_ALIGN, run->n) :
		run->grant.elements;
	*depth = run->small || needs_no_feed(run) ? 1 : run->grant.lanes;
}

static gs_status
send_finish(gs_run *run)
{
	gs_header	finish;

	run->finishing = true;
	return gs_exchange_send(&run->exchange, &finish, GS_MSG_FINISH,
							sizeof(finish));
}

/* The lane to feed next. */
static int
next_lane(const gs_run *run)
{
	return (run->first + run->count) %
		(run->small || needs_no_feed(run) ? 1 : run->grant.lanes);
}

/* A slot begins with the values. */
static void *
service_input_buffer(const gs_run *run)
{
	return run->small ? NULL :
		gs_staging_slot(run->grant.input[next_lane(run)]);
}

static gs_status
service_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	int			lane = next_lane(run);
	gs_input_layout layout;
	gs_msg_feed feed;
	instr_time	start;
	gs_status	status;

	/* a caller that feeds less than shape allows must not begin a small one */
	Assert(!run->small || in->n == run->n);
	run->input[lane] = *in;
	run->output[lane] = out;
	run->count++;
	run->fed += in->n;
	if (run->small)
		return send_call(run, in);
	if (needs_no_feed(run))
		return GS_OK;

	memset(&feed, 0, sizeof(feed));
	feed.n = in->n;
	feed.lane = lane;
	if (!run->grant.cached)
	{
		INSTR_TIME_SET_CURRENT(start);
		copy_input(run->op, false, in, gs_staging_slot(run->grant.input[lane]),
				   &layout);
		gs_add_time(&run->staging, start);
		feed.present = in->data.present;
		feed.mask_present = gs_has_mask(run->op) ? in->mask.present : 0;
	}
	status = gs_exchange_send(&run->exchange, &feed, GS_MSG_FEED,
							  sizeof(feed));
	if (status == GS_OK && run->fed == run->n)
		status = send_finish(run);
	return status;
}

static gs_status
service_wait(gs_run *run)
{
	int			lane = run->first;
	gs_msg_done done;
	instr_time	start;
	gs_status	status;

	run->count--;
	if (run->small)
	{
		status = receive_result(run);
		if (status == GS_OK && gs_has_output(run->op) &&
			!copy_output(run->op, run->input[lane].n, run->answer.n,
						 run->answer.present, run->data, run->output[lane]))
			return gs_exchange_violated(&run->exchange);
		return status;
	}
	if (needs_no_feed(run))
		return GS_OK;
	run->first = (lane + 1) % run->grant.lanes;
	status = gs_exchange_receive(&run->exchange, &done, GS_MSG_DONE,
								 sizeof(done), sizeof(done), NULL);
	if (status == GS_OK)
		status = gs_exchange_check(&run->exchange, &done.outcome);
	if (status != GS_OK || !gs_has_output(run->op))
		return status;
	INSTR_TIME_SET_CURRENT(start);
	if (!copy_output(run->op, run->input[lane].n, done.n, done.present,
					 gs_staging_slot(run->grant.output[lane]),
					 run->output[lane]))
		return gs_exchange_violated(&run->exchange);
	gs_add_time(&run->staging, start);
	return gs_exchange_copied(&run->exchange);
}

/* Fetch a large histogram's counts, a slot's worth at a time. */
static gs_status
fetch_counts(gs_run *run, int64_t *counts)
{
	int64		total = (int64) run->op->histogram.buckets + 3;
	int64		per_slot = gs_session_link.slot_size / sizeof(int64);

	if (run->grant.cached && total <= per_slot)
	{
		/* they came with the result */
		memcpy(counts, gs_staging_slot(run->grant.input[0]),
			   total * sizeof(int64));
		return gs_exchange_copied(&run->exchange);
	}
	for (int64 first = 0; first < total; first += per_slot)
	{
		gs_msg_counts ask = {.first = first};
		gs_header	counted;
		gs_status	status;

		CHECK_FOR_INTERRUPTS();
		ask.count = Min(per_slot, total - first);
		status = gs_exchange_send(&run->exchange, &ask, GS_MSG_COUNTS,
								  sizeof(ask));
		if (status == GS_OK)
			status = gs_exchange_receive(&run->exchange, &counted,
										 GS_MSG_COUNTED, sizeof(counted),
										 sizeof(counted), NULL);
		if (status != GS_OK)
			return status;
		memcpy(counts + first, gs_staging_slot(run->grant.input[0]),
			   ask.count * sizeof(int64));
	}
	return gs_exchange_copied(&run->exchange);
}

static gs_status
service_finish(gs_run *run, gs_result *result)
{
	int64_t    *counts = result->counts;
	gs_status	status = GS_OK;
	gs_input	nothing = {0};

	/* an empty array is never fed */
	if (!run->finishing)
		status = run->small ? send_call(run, &nothing) : send_finish(run);
	if (status == GS_OK && (!run->small || run->n == 0))
		status = receive_result(run);
	if (status != GS_OK)
		return status;
	*result = run->answer.result;
	result->counts = counts;
	if (gs_is_fetched(run->op->kind) &&
		(result->results < 0 || result->results > run->n))
		return gs_exchange_violated(&run->exchange);
	if (!gs_is_histogram(run->op->kind))
		return GS_OK;
	if (!run->small)
		return fetch_counts(run, counts);
	memcpy(counts, run->data, gs_call_reply_size(run->op, run->n));
	return GS_OK;
}

/*
 * Ask for the next part of results that are fetched, in the next lane of the
 * ring.
 */
static gs_status
ask_for(gs_run *run, gs_column column, int64 first, int64 count, int lane)
{
	gs_msg_fetch fetch = {.first = first, .count = count};

	fetch.column = column;
	fetch.lane = lane;
	return gs_exchange_send(&run->exchange, &fetch, GS_MSG_FETCH,
							sizeof(fetch));
}

/* Can these be rows of a column?  What their values may be is up to SQL. */
static bool
are_valid(const gs_run *run, gs_column column, int64 first, int64 n,
		  const void *rows)
{
	int64		results = run->answer.result.results;

	if (column == GS_COLUMN_VALIDITY)
		return first + n < GS_VALIDITY_ROWS(results) ||
			gs_validity_fits(rows, results - 64 * first);
	return run->op->kind != GS_GROUP ||
		gs_group_op_valid(run->op, column, rows, n, results);
}

/* Fetch results a slot's worth at a time, requesting further ones ahead. */
static gs_status
service_fetch(gs_run *run, gs_column column, int64_t first, int64_t n,
			  void *to)
{
	Size		width = gs_column_width(run->op, column);
	int64		per_slot = gs_session_link.slot_size / width;
	int			lanes = run->grant.lanes;
	int64		asked = 0;
	gs_status	status = GS_OK;

	for (int64 at = 0; at < n && status == GS_OK; at += per_slot)
	{
		int64		count = Min(per_slot, n - at);
		gs_msg_fetched fetched;
		instr_time	start;

		CHECK_FOR_INTERRUPTS();
		for (; asked < n && asked < at + lanes * per_slot && status == GS_OK;
			 asked += per_slot)
			status = ask_for(run, column, first + asked,
							 Min(per_slot, n - asked),
							 asked / per_slot % lanes);
		if (status == GS_OK)
			status = gs_exchange_receive(&run->exchange, &fetched,
										 GS_MSG_FETCHED, sizeof(fetched),
										 sizeof(fetched), NULL);
		if (status == GS_OK)
			status = gs_exchange_check(&run->exchange, &fetched.outcome);
		if (status != GS_OK)
			break;
		INSTR_TIME_SET_CURRENT(start);
		gs_copy((char *) to + at * width,
				gs_staging_slot(run->grant.input[at / per_slot % lanes]),
				(size_t) count * width);
		gs_add_time(&run->staging, start);
		status = gs_exchange_copied(&run->exchange);
		if (status == GS_OK &&
			!are_valid(run, column, first + at, count, (char *) to + at * width))
			return gs_exchange_violated(&run->exchange);
	}
	return status;
}

static const gs_error *
service_error(const gs_run *run)
{
	return &run->exchange.error;
}

static void
service_stats(const gs_run *run, gs_run_stats *stats)
{
	stats->wait_ms = INSTR_TIME_GET_MILLISEC(run->wait);
	stats->staging_ms = INSTR_TIME_GET_MILLISEC(run->staging);
	stats->device_ms = INSTR_TIME_GET_MILLISEC(run->exchange.device);
	stats->cache_hits = run->hits;
	stats->cache_misses = run->misses;
	stats->cache_saved = run->saved;
}

static void
service_end(gs_run *run)
{
	gs_header	end;

	if (run->exchange.unanswered > 0)
		gs_link_close();
	else if (run->begun && gs_session_link.fd != PGINVALID_SOCKET)
		(void) gs_link_send(&end, GS_MSG_END, sizeof(end));
	pfree(run);
}

const gs_engine gs_engine_client = {
	.name = "gpu",
	.begin = service_begin,
	.shape = service_shape,
	.feed = service_feed,
	.wait = service_wait,
	.finish = service_finish,
	.fetch = service_fetch,
	.error = service_error,
	.end = service_end,
	.input_buffer = service_input_buffer,
	.output_at_wait = true,
	.reads_sources = true,
	.stats = service_stats,
	.has_arrays = service_has_arrays
};
