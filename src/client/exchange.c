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

#include "client/client_run.h"
#include "pg/settings.h"

/* The link has failed: another engine must take over. */
gs_status
gs_run_lost(gs_run *run)
{
	run->error.status = GS_DEVICE_LOST;
	strlcpy(run->error.message, gs_link_error(), sizeof(run->error.message));
	return GS_DEVICE_LOST;
}

/* After copying from the service's memory: is the copy good? */
gs_status
gs_run_copied(gs_run *run)
{
	return gs_link_copied() ? GS_OK : gs_run_lost(run);
}

/* The service has violated the protocol. */
gs_status
gs_run_protocol_error(gs_run *run)
{
	gs_link_close();
	run->error.status = GS_DEVICE_LOST;
	strlcpy(run->error.message, "The service has violated the protocol.",
			sizeof(run->error.message));
	return GS_DEVICE_LOST;
}

gs_status
gs_run_send(gs_run *run, void *message, gs_message kind, size_t length)
{
	if (!gs_link_send(message, kind, length))
		return gs_run_lost(run);
	run->unanswered++;
	return GS_OK;
}

/* Receive an answer of the given kind and of min to max bytes. */
gs_status
gs_run_receive(gs_run *run, void *answer, gs_message kind, size_t min,
			   size_t max, size_t *size)
{
	const gs_header *header = answer;
	instr_time	start;
	instr_time	end;
	ssize_t		got;

	INSTR_TIME_SET_CURRENT(start);
	got = gs_link_receive(answer, max, gs_response_timeout * 1000);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(run->device, end, start);
	if (got < 0)
		return gs_run_lost(run);
	if (header->kind != kind || got < (ssize_t) min)
		return gs_run_protocol_error(run);
	run->unanswered--;
	if (size != NULL)
		*size = (size_t) got;
	return GS_OK;
}

/* Take over a status other than GS_OK from an answer. */
gs_status
gs_run_check_outcome(gs_run *run, const gs_outcome *outcome)
{
	if (outcome->status == GS_OK)
		return GS_OK;

	/* no more answers will come, until END */
	run->unanswered = 0;
	run->error.status = outcome->status;
	run->error.position = outcome->position;
	strlcpy(run->error.message, outcome->message,
			sizeof(run->error.message));
	return outcome->status;
}

/* The address of a slot in the staging memory. */
char *
gs_run_slot(uint32 slot)
{
	return gs_session_link.staging +
		(size_t) slot * gs_session_link.slot_size;
}
