/*-------------------------------------------------------------------------
 *
 * run_messages.c
 *	  A report's messages to the service, and its end when one fails.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "report/session/link_owner.h"
#include "report/table/run_private.h"

static void
leave_link(const gs_report_run *run)
{
	const struct gs_report_private *p = run->private;

	gs_link_disown(p->number, p->exchange.unanswered > 0);
}

/* End with the reason of a failure; returns its status. */
gs_status
gs_report_fail(gs_report_run *run, gs_status status)
{
	const char *message = run->private->exchange.error.message;

	if (message[0] != '\0')
		strlcpy(run->reason, message, sizeof(run->reason));
	else if (status == GS_NO_MEMORY)
		strlcpy(run->reason, "the service has not enough memory",
				sizeof(run->reason));
	else if (status == GS_NOT_CACHED)
		strlcpy(run->reason, "the service has lost a dictionary",
				sizeof(run->reason));
	else
		snprintf(run->reason, sizeof(run->reason),
				 "the service failed with status %d", (int) status);
	leave_link(run);
	return status;
}

/* End because we decided not to go on. */
gs_status
gs_report_refuse(gs_report_run *run, const char *reason)
{
	strlcpy(run->reason, reason, sizeof(run->reason));
	if (run->private != NULL)
		leave_link(run);
	return GS_INVALID;
}

/* Send a message that is not answered. */
gs_status
gs_report_tell(gs_report_run *run, void *message, gs_message kind,
			   size_t length)
{
	if (gs_link_send(message, kind, length))
		return GS_OK;
	return gs_report_fail(run, gs_exchange_lost(&run->private->exchange));
}

/* Send a message that PAGES answers. */
gs_status
gs_report_send(gs_report_run *run, void *message, gs_message kind,
			   size_t length)
{
	gs_status	status;

	CHECK_FOR_INTERRUPTS();
	status = gs_exchange_send(&run->private->exchange, message, kind, length);
	return status == GS_OK ? GS_OK : gs_report_fail(run, status);
}

gs_status
gs_report_receive(gs_report_run *run, gs_msg_pages *answer)
{
	gs_exchange *x = &run->private->exchange;
	gs_status	status = gs_exchange_receive(x, answer, GS_MSG_PAGES,
											 sizeof(*answer), sizeof(*answer),
											 NULL);

	if (status == GS_OK)
		status = gs_exchange_check(x, &answer->outcome);
	return status == GS_OK ? GS_OK : gs_report_fail(run, status);
}

/* Send a message that PAGES answers, and wait for that. */
gs_status
gs_report_ask(gs_report_run *run, void *message, gs_message kind,
			  size_t length, gs_msg_pages *answer)
{
	gs_status	status = gs_report_send(run, message, kind, length);

	return status == GS_OK ? gs_report_receive(run, answer) : status;
}
