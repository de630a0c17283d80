/*-------------------------------------------------------------------------
 *
 * batch.c
 *	  Rows on their way to the service, a slot's worth at a time.
 *
 * The lanes are filled in turn.  While one is being filled, the service works
 * on the others.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "report/table/run_private.h"

static gs_status
receive_fed(gs_report_run *run)
{
	struct gs_report_private *p = run->private;
	gs_msg_fed	fed;
	gs_status	status = gs_exchange_receive(&p->exchange, &fed, GS_MSG_FED,
											 sizeof(fed), sizeof(fed), NULL);

	p->in_flight--;
	if (status == GS_OK)
		status = gs_exchange_check(&p->exchange, &fed.outcome);
	return status == GS_OK ? GS_OK : gs_report_fail(run, status);
}

/* Begin a batch, in the next lane, as soon as that is free. */
gs_status
gs_batch_begin(gs_report_run *run)
{
	struct gs_report_private *p = run->private;
	char	   *slot = p->slot[p->lane];
	gs_status	status = GS_OK;

	if (p->in_flight == p->lanes)
		status = receive_fed(run);
	p->pages = 0;
	p->kept = 0;
	p->rows.rows = 0;
	p->rows.rows_max = p->rows_max;
	p->rows.nulls = 0;
	p->rows.odd.reason = NULL;
	for (int c = 0; c < run->plan->columns; c++)
	{
		p->rows.values[c] = slot + p->layout.values[c];
		p->rows.validity[c] = (uint8 *) slot + p->layout.validity[c];
	}
	return status;
}

/*
 * Have the service know the new values of columns of codes.  Nothing else is
 * under way then, so that its answer is the next one.
 */
static gs_status
update_codes(gs_report_run *run)
{
	struct gs_report_private *p = run->private;
	const char *reason;
	gs_status	status = GS_OK;

	for (int c = 0; c < run->plan->columns && status == GS_OK; c++)
	{
		gs_dictionary *d = p->column[c].dictionary;

		if (p->column[c].form != GS_FORM_CODE || !gs_dictionary_has_pending(d))
			continue;
		status = gs_batch_drain(run);
		if (status == GS_OK &&
			gs_dictionary_update(d, (int32 *) p->rows.values[c],
								 p->rows.rows, &reason) != GS_OK)
			status = gs_report_refuse(run, reason);
	}
	return status;
}

/* Send the batch, unless it is empty; with its list of pages, if any is kept. */
gs_status
gs_batch_send(gs_report_run *run)
{
	struct gs_report_private *p = run->private;
	gs_msg_feed_rows feed = {
		.rows_max = p->rows_max,
		.pages_max = p->pages_max,
		.rows = p->rows.rows,
		.pages = p->kept > 0 ? p->pages : 0,
		.nulls = p->rows.nulls,
		.lane = p->lane
	};
	gs_status	status;

	if (feed.rows == 0 && feed.pages == 0)
		return GS_OK;
	status = update_codes(run);
	if (status != GS_OK)
		return status;
	status = gs_exchange_send(&p->exchange, &feed, GS_MSG_FEED_ROWS,
							  sizeof(feed));
	p->in_flight++;
	p->lane = (p->lane + 1) % p->lanes;
	return status == GS_OK ? GS_OK : gs_report_fail(run, status);
}

/* Wait until the service is done with all batches. */
gs_status
gs_batch_drain(gs_report_run *run)
{
	gs_status	status = GS_OK;

	while (status == GS_OK && run->private->in_flight > 0)
		status = receive_fed(run);
	return status;
}
