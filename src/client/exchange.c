/*-------------------------------------------------------------------------
 *
 * exchange.c
 *	  The messages of one execution by the service.
 *
 * Every failure becomes the status of the execution: a link that has failed
 * is a lost device to whoever drives the engine.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "utils/timestamp.h"

#include "client/exchange.h"
#include "engine/elements.h"
#include "pg/settings.h"

/* The link has failed: another engine must take over. */
gs_status
gs_exchange_lost(gs_exchange *x)
{
	x->error.status = GS_DEVICE_LOST;
	strlcpy(x->error.message, gs_link_error(), sizeof(x->error.message));
	return GS_DEVICE_LOST;
}

/* After copying from the service's memory: is the copy good? */
gs_status
gs_exchange_copied(gs_exchange *x)
{
	return gs_link_copied() ? GS_OK : gs_exchange_lost(x);
}

/* The service has violated the protocol. */
gs_status
gs_exchange_violated(gs_exchange *x)
{
	gs_link_close();
	x->error.status = GS_DEVICE_LOST;
	strlcpy(x->error.message, "The service has violated the protocol.",
			sizeof(x->error.message));
	return GS_DEVICE_LOST;
}

/* Send a message that will be answered. */
gs_status
gs_exchange_send(gs_exchange *x, void *message, gs_message kind,
				 size_t length)
{
	if (!gs_link_send(message, kind, length))
		return gs_exchange_lost(x);
	x->unanswered++;
	return GS_OK;
}

/*
 * Receive an answer of the given kind and of min to max bytes; and, unless NULL,
 * a descriptor, which the caller must close even after a failure.  The service may
 * say before that it is still busy.
 */
gs_status
gs_exchange_receive_memory(gs_exchange *x, void *answer, gs_message kind,
						   size_t min, size_t max, size_t *size,
						   int *descriptor)
{
	const gs_header *header = answer;
	instr_time	start;
	instr_time	end;
	ssize_t		got;

	INSTR_TIME_SET_CURRENT(start);
	do
		got = gs_link_receive_memory(answer, max, gs_response_timeout * 1000,
									 kind, descriptor);
	while (got >= 0 && header->kind == GS_MSG_WAITING);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(x->device, end, start);
	if (got < 0)
		return gs_exchange_lost(x);
	if (header->kind != kind || got < (ssize_t) min)
		return gs_exchange_violated(x);
	x->unanswered--;
	if (size != NULL)
		*size = (size_t) got;
	return GS_OK;
}

gs_status
gs_exchange_receive(gs_exchange *x, void *answer, gs_message kind, size_t min,
					size_t max, size_t *size)
{
	return gs_exchange_receive_memory(x, answer, kind, min, max, size, NULL);
}

/*
 * Receive an answer that may take long, because other sessions hold all slots,
 * or there is much to compute.  But if the service as a whole makes no
 * progress, which need not be its own fault, the CPU is the better choice.
 */
gs_status
gs_exchange_await(gs_exchange *x, void *answer, gs_message kind, size_t size)
{
	gs_header  *header = answer;
	gs_msg_waiting waiting;
	uint64		progress = 0;
	TimestampTz since = GetCurrentTimestamp();

	Assert(size >= sizeof(waiting));
	for (;;)
	{
		TimestampTz now;

		if (gs_link_receive(answer, size, gs_response_timeout * 1000,
							kind) < 0)
			return gs_exchange_lost(x);
		if (header->kind == kind && header->length == size)
			break;
		if (header->kind != GS_MSG_WAITING)
			return gs_exchange_violated(x);
		if (x->impatient)
		{
			strlcpy(x->error.message, "other sessions hold all slots",
					sizeof(x->error.message));
			return x->error.status = GS_NO_MEMORY;
		}
		memcpy(&waiting, answer, sizeof(waiting));
		now = GetCurrentTimestamp();
		if (waiting.progress != progress)
			since = now;
		progress = waiting.progress;
		if (TimestampDifferenceExceeds(since, now, gs_response_timeout * 1000))
		{
			strlcpy(x->error.message, "the service makes no progress",
					sizeof(x->error.message));
			return x->error.status = GS_NO_MEMORY;
		}
	}
	x->unanswered--;
	return GS_OK;
}

/* Take over a status other than GS_OK from an answer. */
gs_status
gs_exchange_check(gs_exchange *x, const gs_outcome *outcome)
{
	if (outcome->status == GS_OK)
		return GS_OK;
	if (outcome->status == GS_VALUE_ERROR && outcome->answer != GS_ANSWERED &&
		!gs_is_value_error(outcome->answer))
		return gs_exchange_violated(x);

	/* no more answers will come, until END */
	x->unanswered = 0;
	x->error.status = outcome->status;
	x->error.answer = outcome->answer;
	x->error.position = outcome->position;
	strlcpy(x->error.message, outcome->message, sizeof(x->error.message));
	return outcome->status;
}

/* The address of a slot in the staging memory. */
char *
gs_staging_slot(uint32 slot)
{
	return gs_session_link.staging +
		(size_t) slot * gs_session_link.slot_size;
}
