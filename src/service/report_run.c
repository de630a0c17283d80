/*-------------------------------------------------------------------------
 *
 * report_run.c
 *	  The engine's part of a report.
 *
 * What follows is the first stage's part, whose rows are the tables'; others take
 * their rows from groups (report_stages.c).
 *
 * If the engine has several devices, each gets the segments that it holds, on a
 * thread of its own.
 *
 * The engine gets rows that were read as they come.  It gets what is held while
 * the client is busy, reading pages for the most part, and the rest at the end.
 * If it finds no memory, some of what is held and not in use is evicted, and
 * the execution starts again, as long as it has had no rows that would have to
 * be read again.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <string.h>

#include "engine/devices.h"
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
		memset(r->fed, 0, sizeof r->fed);
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

/*
 * The next reading of which a device lacks a segment, after r->fed[device] has been
 * set to it; NULL: it has all.
 */
static gs_reading *
next_reading(const gs_report *report, int device)
{
	for (gs_reading *r = report->readings; r != NULL; r = r->next)
	{
		int		   *at = &r->fed[device];

		while (*at < r->pins && gs_pin_device(&r->pin[*at]) != device)
			(*at)++;
		if (*at < r->pins)
			return r;
	}
	return NULL;
}

/* A device's part of what is held, for a thread of its own. */
typedef struct device_feed
{
	gs_connection *c;
	int			device;
	bool		all;			/* of its segments, or the next one */
	bool		started;
	pthread_t	thread;
	gs_report_work work;
	gs_status	status;
} device_feed;

/* Feed the next of a device's segments that are pinned. */
static gs_status
feed_next(device_feed *feed)
{
	gs_report  *report = feed->c->request.report;
	gs_reading *reading = next_reading(report, feed->device);
	int			at = reading->fed[feed->device]++;
	gs_column_data column[GS_PLAN_COLUMNS];
	gs_batch	batch;
	gs_status	status;

	gs_device_use(feed->device);
	gs_reading_lock(reading);
	gs_reading_pinned(reading, at, &batch, column);
	status = feed_pinned(feed->c, &reading->pin[at], &batch);
	gs_reading_unlock(reading);
	atomic_fetch_add(&gs_progress, 1);
	feed->work.segments++;
	feed->work.rows += reading->pin[at].rows;
	for (int i = 0; i < report->rows->columns; i++)
		feed->work.bytes += batch.n * column[i].width;
	return status;
}

static void *
feed_device(void *argument)
{
	device_feed *feed = argument;

	gs_execution_own(feed->c);
	do
		feed->status = feed_next(feed);
	while (feed->status == GS_OK && feed->all &&
		   next_reading(feed->c->request.report, feed->device) != NULL);
	return NULL;
}

static gs_status
take_work(gs_report *report, const device_feed *feed)
{
	report->work.segments += feed->work.segments;
	report->work.rows += feed->work.rows;
	report->work.bytes += feed->work.bytes;
	return feed->status;
}

/*
 * Wait for a device's thread, and tell the client that there is progress.  False:
 * it has gone.
 */
static bool
join(gs_connection *c, device_feed *feed, int64_t *told)
{
	struct timespec until;
	bool		there = true;

	do
	{
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += GS_WAITING_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		there = there && gs_report_tell_progress(c, told);
	} while (pthread_timedjoin_np(feed->thread, NULL, &until) != 0);
	return there;
}

/*
 * Let all devices have their next segments, or all of them, at the same time.  A
 * device that gets no thread has to wait for another call.
 */
static gs_status
feed_devices(gs_connection *c, bool all, int64_t *told)
{
	gs_report  *report = c->request.report;
	device_feed feed[GS_DEVICES_MAX];
	device_feed *own = NULL;
	bool		spreads = gs_service.devices > 1 &&
		gs_plan_spreads(report->run);
	int			n = 0;
	bool		there = true;
	int64_t		since = gs_monotonic_ns();
	gs_status	status;

	for (int i = 0; i < gs_service.devices && (n == 0 || spreads); i++)
	{
		if (next_reading(report, i) != NULL)
			feed[n++] = (device_feed) {.c = c,.device = i,.all = all && spreads};
	}
	gs_execution_busy(c);
	own = &feed[0];
	for (int i = 1; i < n; i++)
		feed[i].started = pthread_create(&feed[i].thread, NULL, feed_device,
										 &feed[i]) == 0;
	if (n > 1)
		(void) feed_device(own);
	else
		own->status = feed_next(own);
	status = take_work(report, own);
	for (int i = 1; i < n; i++)
	{
		if (!feed[i].started)
			continue;
		there = join(c, &feed[i], told) && there;
		if (take_work(report, &feed[i]) != GS_OK && status == GS_OK)
			status = feed[i].status;
	}
	gs_execution_done(c);
	report->work.ns += gs_monotonic_ns() - since;
	return status == GS_OK && !there ? GS_INVALID : status;
}

/* Is something pinned that no device has got? */
static bool
is_left(const gs_report *report)
{
	for (int i = 0; i < gs_service.devices; i++)
	{
		if (next_reading(report, i) != NULL)
			return true;
	}
	return false;
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
		is_left(report);
}

/*
 * Do so.  A failure is told in the next answer that can tell it; the client does
 * not wait for one now.
 */
void
gs_report_go_ahead(gs_connection *c)
{
	int64_t		told = INT64_MAX;
	int			restarts = 0;
	gs_status	status;

	do
		status = feed_devices(c, false, &told);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	c->request.report->ahead = status;
}

static gs_status
compute(gs_connection *c)
{
	gs_report  *report = c->request.report;
	int64_t		told = gs_now_us(CLOCK_MONOTONIC);
	gs_status	status = GS_OK;
	int64_t		since;

	while (status == GS_OK && is_left(report))
	{
		status = feed_devices(c, true, &told);

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
