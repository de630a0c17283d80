/*-------------------------------------------------------------------------
 *
 * report_run.c
 *	  The engine's part of a report.
 *
 * The engine gets rows that were read as they come, and what is held at the
 * end.  If it finds no memory, some of what is held and not in use is evicted,
 * and the execution starts again, as long as it has had no rows that would
 * have to be read again.
 *
 *-------------------------------------------------------------------------
 */
#include "service/report_state.h"

/*
 * How often.  Each time a report begins again from the first row, and memory
 * may be lacking for other reasons.
 */
#define RESTARTS	2

static gs_status
begin(gs_connection *c)
{
	gs_report  *report = c->request.report;
	gs_status	status;

	while ((status = gs_service.group_engine->begin(&report->plan,
													&report->run)) ==
		   GS_NO_MEMORY && gs_evict_part())
		gs_execution_restart(c);
	return status;
}

/* Begin the execution: the plan is complete. */
gs_status
gs_report_start(gs_connection *c)
{
	gs_status	status;

	gs_execution_own(c);
	gs_execution_busy(c);
	status = begin(c);
	gs_execution_idle(c);
	return status;
}

/* After GS_NO_MEMORY: make room and begin again; false if that is no use. */
static bool
restart(gs_connection *c, int *restarts)
{
	if (c->request.report->fed || ++*restarts > RESTARTS || !gs_evict_part())
		return false;
	gs_execution_restart(c);
	return begin(c) == GS_OK;
}

/* Feed rows that are not held. */
gs_status
gs_report_feed(gs_connection *c, const gs_batch *batch)
{
	gs_report  *report = c->request.report;
	int			restarts = 0;
	gs_status	status;

	gs_execution_busy(c);
	do
		status = gs_service.group_engine->feed(report->run, batch);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	gs_execution_done(c);
	report->fed = true;
	return status;
}

/* The rows that count, in the engine's memory, until free_mask. */
static gs_status
send_mask(const gs_pin *pin, gs_batch *batch, size_t *size)
{
	size_t		bytes = ((size_t) pin->n + 63) / 64 * sizeof(uint64_t);
	char	   *mask;

	*size = 0;
	if (pin->mask == NULL)
		return GS_OK;
	do
		mask = gs_service.engine->reserve(bytes + 16);
	while (mask == NULL && gs_evict());
	if (mask == NULL)
		return GS_NO_MEMORY;
	*size = bytes + 16;
	batch->rows = (const uint8_t *) mask;
	return gs_service.engine->write(mask, pin->mask, bytes);
}

static void
free_mask(gs_batch *batch, size_t size)
{
	if (size > 0)
		gs_service.engine->release((void *) batch->rows, size);
}

/* Feed one of the segments that are pinned. */
static gs_status
feed_pin(gs_connection *c, gs_reading *reading, int pin, gs_report_work *work)
{
	const gs_report *report = c->request.report;
	gs_column_data column[GS_PLAN_COLUMNS];
	gs_batch	batch;
	size_t		size;
	gs_status	status;

	gs_execution_busy(c);
	gs_reading_lock(reading);
	gs_reading_pinned(reading, pin, &batch, column);
	status = send_mask(&reading->pin[pin], &batch, &size);
	if (status == GS_OK)
		status = gs_service.group_engine->feed(report->run, &batch);
	free_mask(&batch, size);
	gs_reading_unlock(reading);
	gs_execution_done(c);
	work->segments++;
	work->rows += reading->pin[pin].rows;
	for (int i = 0; i < report->plan.columns; i++)
		work->bytes += batch.n * column[i].width;
	return status;
}

/*
 * Tell a client that waits for a long report that there is progress.  If it has
 * gone, the answer will find out.
 */
static void
tell_progress(gs_connection *c, int64_t *told)
{
	int64_t		now = gs_now_us(CLOCK_MONOTONIC);

	if (now - *told < GS_WAITING_MS * INT64_C(1000))
		return;
	*told = now;
	(void) gs_send_waiting(c);
}

static gs_status
compute(gs_connection *c, gs_report_work *work)
{
	gs_report  *report = c->request.report;
	int64_t		told = gs_now_us(CLOCK_MONOTONIC);
	gs_status	status = GS_OK;

	*work = (gs_report_work) {0};
	for (gs_reading *r = report->readings; r != NULL; r = r->next)
	{
		for (int i = 0; i < r->pins && status == GS_OK; i++)
		{
			status = feed_pin(c, r, i, work);
			tell_progress(c, &told);
		}
	}
	gs_execution_busy(c);
	if (status == GS_OK)
		status = gs_service.group_engine->finish(report->run,
												 &report->summary);
	gs_execution_done(c);
	return status;
}

/* Feed all that is held, and finish. */
gs_status
gs_report_compute(gs_connection *c, gs_report_work *work)
{
	int			restarts = 0;
	gs_status	status;

	do
		status = compute(c, work);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	return status;
}
