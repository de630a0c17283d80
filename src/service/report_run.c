/*-------------------------------------------------------------------------
 *
 * report_run.c
 *	  The engine's part of a report.
 *
 * What follows is the first stage's part, whose rows are the tables'; others take
 * their rows from groups (report_stages.c).
 *
 * The engine gets rows that were read as they come.  It gets what is held while
 * the client is busy, reading pages for the most part, and the rest at the end.
 * If it finds no memory, some of what is held and not in use is evicted, and
 * the execution starts again, as long as it has had no rows that would have to
 * be read again.
 *
 *-------------------------------------------------------------------------
 */
#include "service/report_state.h"

/*
 * How often.  Each time a report begins again from the first row, and memory
 * may be lacking for other reasons.
 */
#define RESTARTS	2

/* Begin the execution of the stage that is next. */
gs_status
gs_report_begin(gs_connection *c)
{
	gs_report  *report = c->request.report;
	const gs_plan *plan = &report->stage[report->at].plan;
	gs_status	status;

	while ((status = gs_service.plan_engine->begin(plan, &report->run)) ==
		   GS_NO_MEMORY && gs_evict_part())
		gs_execution_restart(c);
	return status;
}

/* Begin the execution: all stages are here. */
gs_status
gs_report_start(gs_connection *c)
{
	gs_status	status;

	gs_execution_own(c);
	gs_execution_busy(c);
	status = gs_report_begin(c);
	gs_execution_idle(c);
	return status;
}

/* After GS_NO_MEMORY: make room and begin again; false if that is no use. */
static bool
restart(gs_connection *c, int *restarts)
{
	gs_report  *report = c->request.report;

	if (report->fed || ++*restarts > RESTARTS || !gs_evict_part())
		return false;
	gs_execution_restart(c);
	for (gs_reading *r = report->readings; r != NULL; r = r->next)
		r->fed = 0;
	report->work = (gs_report_work) {0};
	report->at = 0;
	return gs_report_begin(c) == GS_OK;
}

/* Feed rows that are not held. */
gs_status
gs_report_feed(gs_connection *c, const gs_batch *batch)
{
	gs_report  *report = c->request.report;
	int			restarts = 0;
	gs_status	status;

	if (report->ahead != GS_OK)
		return report->ahead;
	gs_execution_busy(c);
	do
		status = gs_service.plan_engine->feed(report->run, batch);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	gs_execution_done(c);
	report->fed = true;
	return status;
}

/* A pin's own mask, in the engine's memory until free_mask. */
static gs_status
send_mask(const gs_pin *pin, gs_batch *batch, size_t *size)
{
	size_t		bytes = ((size_t) pin->n + 63) / 64 * sizeof(uint64_t);
	char	   *mask;

	*size = 0;
	if (pin->mask == NULL)
		return GS_OK;			/* it is shared, or there is none */
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

/* Feed a segment's columns where they are. */
static gs_status
feed_pinned(gs_connection *c, const gs_pin *pin, gs_batch *batch)
{
	gs_report  *report = c->request.report;
	size_t		size;
	gs_status	status = send_mask(pin, batch, &size);

	if (status == GS_OK)
		status = gs_service.plan_engine->feed(report->run, batch);
	free_mask(batch, size);
	return status;
}

/* The next one of which the engine lacks a segment; NULL: it has all. */
static gs_reading *
next_reading(const gs_report *report)
{
	gs_reading *r = report->readings;

	while (r != NULL && r->fed == r->pins)
		r = r->next;
	return r;
}

/* Feed the next of the segments that are pinned. */
static gs_status
feed_next(gs_connection *c)
{
	gs_report  *report = c->request.report;
	gs_reading *reading = next_reading(report);
	const gs_pin *pin = &reading->pin[reading->fed];
	int64_t		since = gs_monotonic_ns();
	gs_column_data column[GS_PLAN_COLUMNS];
	gs_batch	batch;
	gs_status	status;

	gs_execution_busy(c);
	gs_reading_lock(reading);
	gs_reading_pinned(reading, reading->fed++, &batch, column);
	status = feed_pinned(c, pin, &batch);
	gs_reading_unlock(reading);
	gs_execution_done(c);
	report->work.segments++;
	report->work.rows += pin->rows;
	for (int i = 0; i < report->rows->columns; i++)
		report->work.bytes += batch.n * column[i].width;
	report->work.ns += gs_monotonic_ns() - since;
	return status;
}

/*
 * Can a segment be fed while the client is busy?  Not while it waits to know
 * which pages it must read.
 */
bool
gs_report_is_ahead(const gs_connection *c)
{
	const gs_report *report = c->request.report;

	return report != NULL && report->opened && report->lacking == 0 &&
		!report->finished &&
		!c->request.failed && report->ahead == GS_OK &&
		report->readings != NULL && report->readings->feedable &&
		next_reading(report) != NULL;
}

/* Do so.  A failure is told in the next answer that can tell it. */
void
gs_report_go_ahead(gs_connection *c)
{
	int			restarts = 0;
	gs_status	status;

	do
		status = feed_next(c);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	c->request.report->ahead = status;
}

/*
 * Tell a client that waits for a long report that there is progress.  False: it
 * has gone.
 */
bool
gs_report_tell_progress(gs_connection *c, int64_t *told)
{
	int64_t		now = gs_now_us(CLOCK_MONOTONIC);

	if (now - *told < GS_WAITING_MS * INT64_C(1000))
		return true;
	*told = now;
	return gs_send_waiting(c);
}

static gs_status
compute(gs_connection *c)
{
	gs_report  *report = c->request.report;
	int64_t		told = gs_now_us(CLOCK_MONOTONIC);
	gs_status	status = GS_OK;
	int64_t		since;

	while (status == GS_OK && next_reading(report) != NULL)
	{
		status = feed_next(c);

		/* nobody gets the answer then, and the connection ends with it */
		if (status == GS_OK && !gs_report_tell_progress(c, &told))
			status = GS_INVALID;
	}
	if (status != GS_OK)
		return status;
	since = gs_monotonic_ns();
	gs_execution_busy(c);
	status = gs_service.plan_engine->finish(report->run, &report->summary);
	gs_execution_done(c);
	while (status == GS_OK && report->summary.errors == 0 &&
		   report->at < report->stages - 1)
		status = gs_report_next_stage(c, &told);
	report->work.ns += gs_monotonic_ns() - since;
	return status;
}

/* Feed what is held and has not been fed, and finish. */
gs_status
gs_report_compute(gs_connection *c)
{
	gs_status	status = c->request.report->ahead;
	int			restarts = 0;

	if (status != GS_OK)
		return status;
	do
		status = compute(c);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	return status;
}
