/*-------------------------------------------------------------------------
 *
 * link_owner.c
 *	  Which report has the session's link?
 *
 * An error of PostgreSQL's within a report leaves the conversation wherever it
 * was.  Then the (sub)transaction ends, and with it the link is closed, which
 * makes the service release everything.  What is in the executor's memory may
 * be gone by then, gs_report_run among it: so the owner is remembered by a
 * number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"

#include "client/link.h"
#include "report/session/link_owner.h"

/* The number of the report that has the link; 0: none. */
static uint64 owner = 0;

static void
abandon(void)
{
	if (owner != 0)
		gs_link_close();
	owner = 0;
}

static void
end_of_transaction(XactEvent event, void *arg pg_attribute_unused())
{
	if (event != XACT_EVENT_PRE_COMMIT &&
		event != XACT_EVENT_PARALLEL_PRE_COMMIT &&
		event != XACT_EVENT_PRE_PREPARE)
		abandon();
}

static void
end_of_subtransaction(SubXactEvent event,
					  SubTransactionId mine pg_attribute_unused(),
					  SubTransactionId parent pg_attribute_unused(),
					  void *arg pg_attribute_unused())
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		abandon();
}

static void
register_callbacks(void)
{
	static bool registered = false;

	if (registered)
		return;
	RegisterXactCallback(end_of_transaction, NULL);
	RegisterSubXactCallback(end_of_subtransaction, NULL);
	registered = true;
}

bool
gs_link_is_owned(void)
{
	return owner != 0;
}

uint64
gs_link_own(void)
{
	static uint64 reports = 0;

	register_callbacks();
	return owner = ++reports;
}

void
gs_link_disown(uint64 number, bool unanswered)
{
	gs_header	end;

	if (owner == 0 || owner != number)
		return;
	if (unanswered)
		gs_link_close();
	else if (gs_session_link.fd != PGINVALID_SOCKET)
		(void) gs_link_send(&end, GS_MSG_END, sizeof(end));
	owner = 0;
}
