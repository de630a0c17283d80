/*-------------------------------------------------------------------------
 *
 * client.c
 *	  The engine that forwards to the service.
 *
 * To call.c this is an engine like any other.  A small operation is gathered
 * and travels as one message each way (CALL).  For a larger one, begin borrows
 * chunks of the service's memory, feed copies into them, unless the caller has
 * put the values there himself, and wait copies the results out: as many feeds
 * are under way as slots were lent, so while one is filled, others compute or
 * wait to be emptied.  protocol.h has the messages.
 *
 * If the service keeps the arrays, they are loaded in begin, as far as it has no
 * copies of them, and all that moves afterwards are results.
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
#include "utils/timestamp.h"

#include "client/client_run.h"
#include "array/parallel_copy.h"
#include "pg/settings.h"

/* The operation goes on elsewhere: the link has failed. */
static gs_status
lost(gs_run *run)
{
	run->error.status = GS_DEVICE_LOST;
	strlcpy(run->error.message, gs_link_error(), sizeof(run->error.message));
	return GS_DEVICE_LOST;
}

/* Something was copied out of the service's memory. */
static gs_status
copied(gs_run *run)
{
	return gs_link_copied() ? GS_OK : lost(run);
}

/* The service does not keep to the protocol. */
gs_status
gs_run_unsound(gs_run *run)
{
	gs_link_close();
	run->error.status = GS_DEVICE_LOST;
	strlcpy(run->error.message, "The service answers out of turn.",
			sizeof(run->error.message));
	return GS_DEVICE_LOST;
}

gs_status
gs_run_send(gs_run *run, void *message, gs_message kind, size_t length)
{
	if (!gs_link_send(message, kind, length))
		return lost(run);
	run->unanswered++;
	return GS_OK;
}

/* Receive an answer of a known kind and of so many bytes at least. */
gs_status
gs_run_receive(gs_run *run, void *answer, gs_message kind, size_t least,
			   size_t most, size_t *size)
{
	const gs_header *header = answer;
	instr_time	start;
	instr_time	end;
	ssize_t		got;

	INSTR_TIME_SET_CURRENT(start);
	got = gs_link_receive(answer, most, gs_response_timeout * 1000);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(run->device, end, start);
	if (got < 0)
		return lost(run);
	if (header->kind != kind || got < (ssize_t) least)
		return gs_run_unsound(run);
	run->unanswered--;
	if (size != NULL)
		*size = (size_t) got;
	return GS_OK;
}

/* What the service says has become of the operation. */
gs_status
gs_run_heed(gs_run *run, const gs_outcome *outcome)
{
	if (outcome->status == GS_OK)
		return GS_OK;

	/* it answers nothing more, but for END */
	run->unanswered = 0;
	run->error.status = outcome->status;
	run->error.position = outcome->position;
	strlcpy(run->error.message, outcome->message,
			sizeof(run->error.message));
	return outcome->status;
}

/* Copy a chunk's input to where gs_lay_input says. */
static void
copy_input(const gs_op *op, bool edges, const gs_input *in, char *to,
		   gs_input_layout *layout)
{
	gs_lay_input(op, edges, in->n, in->data.present, in->mask.present, layout);
	if (layout->values > layout->edges)
		gs_copy(to + layout->edges, op->edges,
				((size_t) op->buckets + 1) * sizeof(double));
	if (in->data.values != to + layout->values)
		gs_copy(to + layout->values, in->data.values,
				(size_t) in->data.present * gs_type_width(op->type));
	if (in->data.present < in->n)
		gs_copy(to + layout->validity, in->data.validity, gs_bitmap_size(in->n));
	if (!gs_has_mask(op))
		return;
	gs_copy(to + layout->mask, in->mask.values, (size_t) in->mask.present);
	if (in->mask.present < in->n)
		gs_copy(to + layout->mask_validity, in->mask.validity,
				gs_bitmap_size(in->n));
}

/* Copy a chunk's results out, as many as the service says. */
static void
copy_output(const gs_op *op, int64 fed, int64 n, int64 present,
			const char *from, gs_output *out)
{
	gs_output_layout layout;

	gs_lay_output(op, fed, &layout);
	out->n = Min(n, fed);
	out->present = Min(present, out->n);
	gs_copy(out->values, from + layout.values,
			(size_t) out->present * gs_type_width(gs_output_type(op)));
	if (out->validity == NULL)
		return;
	if (out->present < out->n)
		gs_copy(out->validity, from + layout.validity, gs_bitmap_size(out->n));
	else
		memset(out->validity, 0xff, gs_bitmap_size(out->n));
}

/* Could all of it travel in one message each way? */
static bool
is_small(const gs_op *op, int64 n)
{
	gs_input_layout layout;

	if (n > GS_MESSAGE_MAX || op->buckets > GS_MESSAGE_MAX ||
		gs_is_order(op->kind))
		return false;

	/* at the most: all present, and bitmaps all the same */
	gs_lay_input(op, true, n, n, gs_has_mask(op) ? n : 0, &layout);
	return layout.size + 2 * (gs_bitmap_size(n) + GS_STAGING_ALIGN) <=
		gs_session_link.call_size &&
		gs_call_reply_size(op, n) <= gs_session_link.call_size;
}

/* The call's memory fits the reply's: both begin with a header. */
static gs_status
send_call(gs_run *run, const gs_input *in)
{
	char	   *buffer = gs_session_link.buffer;
	gs_msg_call    *call = (gs_msg_call *) buffer;
	gs_input_layout layout;

	gs_run_read_edges(run);
	memset(call, 0, sizeof(gs_msg_call));
	gs_wire_from_op(&call->op, run->op);
	call->n = in->n;
	call->present = in->data.present;
	call->mask_present = gs_has_mask(run->op) ? in->mask.present : 0;
	copy_input(run->op, true, in, buffer + sizeof(gs_msg_call), &layout);
	run->finishing = true;
	return gs_run_send(run, call, GS_MSG_CALL, sizeof(gs_msg_call) + layout.size);
}

/* Does the service go on by itself, when it has all arguments? */
static bool
goes_on(const gs_run *run)
{
	return run->lent.resident && !gs_has_output(run->op);
}

static gs_status
receive_result(gs_run *run)
{
	char	   *buffer = gs_session_link.buffer;
	size_t		size;
	gs_status	status = gs_run_receive(run, buffer, GS_MSG_RESULT,
										sizeof(gs_msg_result), GS_MESSAGE_MAX,
										&size);

	if (status != GS_OK)
		return status;
	memcpy(&run->answer, buffer, sizeof(gs_msg_result));
	status = gs_run_heed(run, &run->answer.outcome);
	if (status != GS_OK)
		return status;
	if (goes_on(run) && gs_is_reduction(run->op->kind))
		run->begun = false;		/* that was all of it */
	if (!run->small)
		return GS_OK;
	run->data = buffer + sizeof(gs_msg_result);
	if (size < sizeof(gs_msg_result) + gs_call_reply_size(run->op, run->n))
		return gs_run_unsound(run);
	return GS_OK;
}

/*
 * Wait until chunks have been lent.  Others may have them all for long, but if
 * the service as a whole makes no progress, the CPU is the better choice; that
 * is not the service's fault.
 */
static gs_status
wait_for_chunks(gs_run *run)
{
	union
	{
		gs_msg_lent		lent;
		gs_msg_waiting	waiting;
	}			answer;
	uint64		progress = 0;
	TimestampTz since = GetCurrentTimestamp();

	for (;;)
	{
		TimestampTz now;

		if (gs_link_receive(&answer, sizeof(answer),
							gs_response_timeout * 1000) < 0)
			return lost(run);
		if (answer.lent.header.kind == GS_MSG_LENT)
			break;
		if (answer.lent.header.kind != GS_MSG_WAITING)
			return gs_run_unsound(run);
		now = GetCurrentTimestamp();
		if (answer.waiting.progress != progress)
			since = now;
		progress = answer.waiting.progress;
		if (TimestampDifferenceExceeds(since, now, gs_response_timeout * 1000))
		{
			strlcpy(run->error.message,
					"no staging memory has become free",
					sizeof(run->error.message));
			return run->error.status = GS_NO_MEMORY;
		}
	}
	run->unanswered--;
	run->lent = answer.lent;
	return gs_run_heed(run, &run->lent.outcome);
}

/* Is what was lent inside the memory that we have mapped? */
static bool
lent_is_sound(const gs_run *run)
{
	const gs_msg_lent *lent = &run->lent;
	uint32		chunks = gs_session_link.staging_size /
		gs_session_link.chunk_size;
	bool		need = !lent->resident || lent->load != 0 ||
		!gs_is_reduction(run->op->kind);

	if (lent->slots < (need ? 1 : 0) || lent->slots > GS_MAX_SLOTS ||
		(lent->load & ~((1u << GS_ARRAYS) - 1)) != 0)
		return false;
	for (int i = 0; i < GS_ARRAYS; i++)
	{
		if ((lent->load & (1u << i)) != 0 && run->sources->array[i] == NULL)
			return false;
	}
	for (int i = 0; i < lent->slots; i++)
	{
		if (lent->input[i] >= chunks || lent->output[i] >= chunks)
			return false;
	}
	return true;
}

char *
gs_run_chunk(uint32 chunk)
{
	return gs_session_link.staging +
		(size_t) chunk * gs_session_link.chunk_size;
}

static gs_status
begin_large(gs_run *run)
{
	gs_msg_begin begin = {.n = run->n};
	int64		chunk = gs_chunk_elements(run->op,
										  gs_session_link.chunk_size);
	instr_time	start;
	gs_status	status;

	gs_wire_from_op(&begin.op, run->op);
	begin.slots = (int32) Min(Max((run->n + chunk - 1) / chunk, 1), 4);
	gs_run_describe_arguments(run, &begin);
	run->begun = true;
	INSTR_TIME_SET_CURRENT(start);
	status = gs_run_send(run, &begin, GS_MSG_BEGIN, sizeof(begin));
	if (status == GS_OK)
		status = wait_for_chunks(run);
	gs_add_time(&run->wait, start);
	if (status != GS_OK)
		return status;
	if (!lent_is_sound(run))
		return gs_run_unsound(run);
	gs_run_count_hits(run, &begin);
	status = gs_run_send_arguments(run);
	if (status == GS_OK && goes_on(run))
	{
		run->finishing = true;
		run->unanswered++;
	}
	return status;
}

static gs_status
service_begin(const gs_op *op, int64_t n, const gs_sources *sources,
			  gs_run **result)
{
	static const gs_sources none;
	gs_run	   *run = palloc0(sizeof(gs_run));

	*result = run;				/* first: an error may be thrown below */
	run->op = op;
	run->n = n;
	run->sources = sources == NULL ? &none : sources;
	run->small = is_small(op, n);
	return run->small ? GS_OK : begin_large(run);
}

/* What is fed to a service that has all arguments is a number of results. */
static bool
service_has_arrays(const gs_run *run)
{
	return run->lent.resident;
}

static void
service_shape(const gs_run *run, int64_t *chunk, int *depth)
{
	*chunk = run->small ? GS_MESSAGE_MAX :
		goes_on(run) ? (int64_t) TYPEALIGN64(GS_CHUNK_ALIGN, run->n) :
		run->lent.elements;
	*depth = run->small || goes_on(run) ? 1 : run->lent.slots;
}

static gs_status
send_finish(gs_run *run)
{
	gs_header	finish;

	run->finishing = true;
	return gs_run_send(run, &finish, GS_MSG_FINISH, sizeof(finish));
}

/* The slot that is fed next. */
static int
next_slot(const gs_run *run)
{
	return (run->first + run->count) %
		(run->small || goes_on(run) ? 1 : run->lent.slots);
}

/* In a slot the values come first. */
static void *
service_room(const gs_run *run)
{
	return run->small ? NULL : gs_run_chunk(run->lent.input[next_slot(run)]);
}

static gs_status
service_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	int			slot = next_slot(run);
	gs_input_layout layout;
	gs_msg_feed		feed;
	instr_time	start;
	gs_status	status;

	/* whoever feeds less than shape allows, must not begin what is small */
	Assert(!run->small || in->n == run->n);
	run->input[slot] = *in;
	run->output[slot] = out;
	run->count++;
	run->fed += in->n;
	if (run->small)
		return send_call(run, in);
	if (goes_on(run))
		return GS_OK;

	memset(&feed, 0, sizeof(feed));
	feed.n = in->n;
	feed.slot = slot;
	if (!run->lent.resident)
	{
		INSTR_TIME_SET_CURRENT(start);
		copy_input(run->op, false, in, gs_run_chunk(run->lent.input[slot]),
				   &layout);
		gs_add_time(&run->staging, start);
		feed.present = in->data.present;
		feed.mask_present = gs_has_mask(run->op) ? in->mask.present : 0;
	}
	status = gs_run_send(run, &feed, GS_MSG_FEED, sizeof(feed));
	if (status == GS_OK && run->fed == run->n)
		status = send_finish(run);
	return status;
}

static gs_status
service_wait(gs_run *run)
{
	int			slot = run->first;
	gs_msg_done		done;
	instr_time	start;
	gs_status	status;

	run->count--;
	if (run->small)
	{
		status = receive_result(run);
		if (status == GS_OK && gs_has_output(run->op))
			copy_output(run->op, run->input[slot].n, run->answer.n,
						run->answer.present, run->data, run->output[slot]);
		return status;
	}
	if (goes_on(run))
		return GS_OK;
	run->first = (slot + 1) % run->lent.slots;
	status = gs_run_receive(run, &done, GS_MSG_DONE, sizeof(done),
							sizeof(done), NULL);
	if (status == GS_OK)
		status = gs_run_heed(run, &done.outcome);
	if (status != GS_OK || !gs_has_output(run->op))
		return status;
	INSTR_TIME_SET_CURRENT(start);
	copy_output(run->op, run->input[slot].n, done.n, done.present,
				gs_run_chunk(run->lent.output[slot]), run->output[slot]);
	gs_add_time(&run->staging, start);
	return copied(run);
}

/* A large histogram's counts come a chunk's worth at a time. */
static gs_status
fetch_counts(gs_run *run, int64_t *counts)
{
	int64		total = (int64) run->op->buckets + 3;
	int64		room = gs_session_link.chunk_size / sizeof(int64);

	if (run->lent.resident && total <= room)
	{
		/* they have come with the result */
		memcpy(counts, gs_run_chunk(run->lent.input[0]),
			   total * sizeof(int64));
		return copied(run);
	}
	for (int64 first = 0; first < total; first += room)
	{
		gs_msg_counts	ask = {.first = first, .count = Min(room, total - first)};
		gs_header	counted;
		gs_status	status;

		CHECK_FOR_INTERRUPTS();
		status = gs_run_send(run, &ask, GS_MSG_COUNTS, sizeof(ask));
		if (status == GS_OK)
			status = gs_run_receive(run, &counted, GS_MSG_COUNTED,
									sizeof(counted), sizeof(counted), NULL);
		if (status != GS_OK)
			return status;
		memcpy(counts + first, gs_run_chunk(run->lent.input[0]),
			   ask.count * sizeof(int64));
	}
	return copied(run);
}

static gs_status
service_finish(gs_run *run, gs_result *result)
{
	int64_t    *counts = result->counts;
	gs_status	status = GS_OK;
	gs_input	nothing = {0};

	/* an empty array has never been fed */
	if (!run->finishing)
		status = run->small ? send_call(run, &nothing) : send_finish(run);
	if (status == GS_OK && (!run->small || run->n == 0))
		status = receive_result(run);
	if (status != GS_OK)
		return status;
	*result = run->answer.result;
	result->counts = counts;
	if (gs_is_order(run->op->kind) &&
		(result->results < 0 || result->results > run->n))
		return gs_run_unsound(run);
	if (!gs_is_histogram(run->op->kind))
		return GS_OK;
	if (!run->small)
		return fetch_counts(run, counts);
	memcpy(counts, run->data, gs_call_reply_size(run->op, run->n));
	return GS_OK;
}

/* Ask for the next part of what take gives: in the ring, a slot each. */
static gs_status
ask_for(gs_run *run, gs_column column, int64 first, int64 count, int slot)
{
	gs_msg_take	take = {.first = first, .count = count};

	take.column = column;
	take.slot = slot;
	return gs_run_send(run, &take, GS_MSG_TAKE, sizeof(take));
}

/* Results come a slot's worth at a time; others are made ready meanwhile. */
static gs_status
service_take(gs_run *run, gs_column column, int64_t first, int64_t n,
			 void *to)
{
	int			width = gs_type_width(gs_column_type(run->op, column));
	int64		room = gs_session_link.chunk_size / width;
	int			slots = run->lent.slots;
	int64		asked = 0;
	gs_status	status = GS_OK;

	for (int64 at = 0; at < n && status == GS_OK; at += room)
	{
		gs_msg_took	took;
		instr_time	start;

		CHECK_FOR_INTERRUPTS();
		for (; asked < n && asked < at + slots * room && status == GS_OK;
			 asked += room)
			status = ask_for(run, column, first + asked, Min(room, n - asked),
							 asked / room % slots);
		if (status == GS_OK)
			status = gs_run_receive(run, &took, GS_MSG_TOOK, sizeof(took),
									sizeof(took), NULL);
		if (status == GS_OK)
			status = gs_run_heed(run, &took.outcome);
		if (status != GS_OK)
			break;
		INSTR_TIME_SET_CURRENT(start);
		gs_copy((char *) to + at * width,
				gs_run_chunk(run->lent.input[at / room % slots]),
				(size_t) Min(room, n - at) * width);
		gs_add_time(&run->staging, start);
		status = copied(run);
	}
	return status;
}

static const gs_error *
service_error(const gs_run *run)
{
	return &run->error;
}

static void
service_stats(const gs_run *run, gs_run_stats *stats)
{
	stats->wait_ms = INSTR_TIME_GET_MILLISEC(run->wait);
	stats->staging_ms = INSTR_TIME_GET_MILLISEC(run->staging);
	stats->device_ms = INSTR_TIME_GET_MILLISEC(run->device);
	stats->cache_hits = run->hits;
	stats->cache_misses = run->misses;
	stats->cache_saved = run->saved;
}

static void
service_end(gs_run *run)
{
	gs_header	end;

	if (run->unanswered > 0)
		gs_link_close();
	else if (run->begun && gs_session_link.fd != PGINVALID_SOCKET)
		(void) gs_link_send(&end, GS_MSG_END, sizeof(end));
	pfree(run);
}

const gs_engine gs_engine_service = {
	.name = "gpu",
	.begin = service_begin,
	.shape = service_shape,
	.feed = service_feed,
	.wait = service_wait,
	.finish = service_finish,
	.take = service_take,
	.error = service_error,
	.end = service_end,
	.room = service_room,
	.late_output = true,
	.reads_sources = true,
	.stats = service_stats,
	.has_arrays = service_has_arrays
};
