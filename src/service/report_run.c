/*-------------------------------------------------------------------------
 *
 * report_run.c
 *	  The engine's part of a report.
 *
 * What follows is the first stage's part, whose rows are the tables'; others take
 * their rows from groups (report_stages.c).
 *
 * If the engine has several devices, each gets the segments that it holds, at the
 * same time as the others.
 *
 * The engine gets rows that were read as they come.  It gets what is held while
 * the client is busy, reading pages for the most part, and the rest at the end.
 * If it finds no memory, it waits for others to give some back
 * (report_admission.c), or some of what is held and not in use is evicted, and the
 * execution starts again, as long as it has had no rows that would have to be read
 * again.
 *
 *-------------------------------------------------------------------------
 */
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

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

	gs_admission_begin(&report->admission);
	while ((status = gs_service.plan_engine->begin(plan, &report->run)) ==
		   GS_NO_MEMORY && gs_evict_part())
		gs_execution_restart(c);
	report->sliced = report->settled = false;
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

static void
forget_fed(gs_report *report)
{
	for (gs_reading *r = report->readings; r != NULL; r = r->next)
		memset(r->fed, 0, sizeof r->fed);
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
 * Who waits for what this thread computes; NULL: nobody.  unasked: maybe only
 * from its next message on, which is not read meanwhile.
 */
static __thread gs_connection *waiting;
static __thread bool unasked;

static void
begin_waiting(gs_connection *c, bool only_once_it_asks)
{
	c->request.report->told = gs_now_us(CLOCK_MONOTONIC);
	waiting = c;
	unasked = only_once_it_asks;
}

/* Only the next message of a report is one whose answer may be that it takes long. */
static bool
has_asked(const gs_connection *c)
{
	gs_header	header;

	return recv(c->socket, &header, sizeof header,
				MSG_PEEK | MSG_DONTWAIT) == sizeof header &&
		header.kind >= GS_MSG_REPORT && header.kind <= GS_MSG_SCATTER;
}

/* gs_engine_progress.  Who has gone is found out later, once more. */
void
gs_report_progress(void)
{
	atomic_fetch_add(&gs_progress, 1);
	if (waiting != NULL && (!unasked || has_asked(waiting)) &&
		!gs_report_tell_progress(waiting, &waiting->request.report->told))
		waiting = NULL;
}

static bool
client_waits(void)
{
	gs_report_progress();
	return waiting != NULL;
}

/*
 * After GS_NO_MEMORY: end the execution, and find memory for another one; false if
 * there is none.  Executions that are in progress give theirs back soon; what is held
 * would have to be read again.
 */
bool
gs_report_make_room(gs_connection *c, int *restarts)
{
	gs_execution_restart(c);
	return gs_admission_await(&c->request.report->admission, client_waits) ||
		(waiting != NULL && ++*restarts <= RESTARTS && gs_evict_part());
}

/* The same, and begin again; false if that is no use. */
static bool
restart(gs_connection *c, int *restarts)
{
	gs_report  *report = c->request.report;

	if (report->fed || !gs_report_make_room(c, restarts))
		return false;
	forget_fed(report);
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
	begin_waiting(c, false);
	do
	{
		report->settled = true;
		gs_execution_busy(c);
		status = gs_service.plan_engine->feed(report->run, batch);
		gs_execution_done(c);
	}
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	waiting = NULL;
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

/* Feed a segment's columns where they are; the batch stays if all of it does. */
static gs_status
feed_pinned(gs_connection *c, const gs_pin *pin, gs_batch *batch, bool stays)
{
	size_t		size;
	gs_status	status = send_mask(pin, batch, &size);

	batch->stays = stays && size == 0;
	if (status == GS_OK)
		status = gs_service.plan_engine->feed(c->request.report->run, batch);
	free_mask(batch, size);
	return status;
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

/*
 * Before the first rows: if windows are computed next, each device gets the rows
 * of some of their partitions, if it can, and if what is held is worth it.
 */
static gs_status
settle(gs_report *report)
{
	gs_operand	by = GS_NOTHING;
	int64_t		rows = 0;

	if (report->settled)
		return GS_OK;
	report->settled = true;
	for (const gs_reading *r = report->readings; r != NULL; r = r->next)
	{
		for (int i = 0; i < r->pins; i++)
			rows += r->pin[i].rows;
	}
	if (gs_service.devices > 1 && report->stages > 1 &&
		(gs_service.logical_devices || rows >= GS_SHARE_ROWS_MIN))
		by = gs_plan_slices(report->rows, &report->stage[1]);
	if (by == GS_NOTHING)
		return GS_OK;
	report->sliced = true;
	return gs_plan_slice(report->run, by);
}

/* Feeding devices. */
typedef struct device_feed
{
	gs_connection *c;
	bool		all;			/* of their segments, or the next one of each */
	atomic_bool gone;			/* the client has */
	gs_report_work work[GS_DEVICES_MAX];
	gs_status	status[GS_DEVICES_MAX];
} device_feed;

/* Feed a device a segment. */
static gs_status
feed_pin(device_feed *feed, gs_reading *reading, int at, bool stays)
{
	const gs_pin *pin = &reading->pin[at];
	gs_column_data column[GS_PLAN_COLUMNS];
	gs_batch	batch;
	gs_report_work *work;
	bool		waited = waiting != NULL;
	gs_status	status;

	gs_reading_pinned(reading, at, &batch, column);
	status = feed_pinned(feed->c, pin, &batch, stays);
	gs_report_progress();
	if (waited && waiting == NULL)
		atomic_store(&feed->gone, true);
	work = &feed->work[batch.device];
	work->segments++;
	work->rows += pin->rows;
	for (int i = 0; i < feed->c->request.report->rows->columns; i++)
		work->bytes += batch.n * column[i].width;
	return status;
}

/*
 * So many segments are fed before the device is waited for: that is some
 * milliseconds, in which writers wait for the table's lock, and nothing tells the
 * watch that there is progress.
 */
#define SEGMENTS_AHEAD	8

/*
 * Feed a device the next segment and, if it is no processor, which is done with a
 * segment when it has been fed, those that follow in its table, so that the device
 * seldom waits for the host.
 */
static gs_status
feed_next(device_feed *feed, int device)
{
	gs_reading *reading = next_reading(feed->c->request.report, device);
	int			segments = 0;
	bool		more;
	gs_status	status;

	gs_reading_lock(reading);
	do
	{
		int			at = reading->fed[device]++;

		more = gs_service.engine->on_device &&
			!atomic_load(&feed->gone) && ++segments < SEGMENTS_AHEAD &&
			next_reading(feed->c->request.report, device) == reading;
		status = feed_pin(feed, reading, at, more);
	} while (status == GS_OK && more);
	gs_reading_unlock(reading);
	return status;
}

static void
feed_device(void *state, int device)
{
	device_feed *feed = state;
	const gs_report *report = feed->c->request.report;

	do
		feed->status[device] = feed_next(feed, device);
	while (feed->status[device] == GS_OK && feed->all &&
		   !atomic_load(&feed->gone) && next_reading(report, device) != NULL);
	gs_device_note(feed->status[device]);
}

/*
 * Let all devices have their next segments, or all of them, at the same time.
 * One processor gets one, so that the client is told often.
 */
static gs_status
feed_devices(gs_connection *c, bool all, int64_t *told)
{
	gs_report  *report = c->request.report;
	device_feed feed = {.c = c};
	bool		several;
	uint32_t	devices = 0;
	int64_t		since = gs_monotonic_ns();
	gs_status	status = GS_OK;

	status = settle(report);
	if (status != GS_OK)
		return status;
	several = gs_service.devices > 1 &&
		(report->sliced || gs_plan_spreads(report->run));
	for (int i = 0; i < gs_service.devices && (devices == 0 || several); i++)
	{
		if (next_reading(report, i) != NULL)
			devices |= UINT32_C(1) << i;
	}
	feed.all = all && (gs_service.engine->on_device ||
					   (devices & (devices - 1)) != 0);
	gs_execution_busy(c);
	gs_report_on_devices(c, devices, feed_device, &feed, told, &feed.gone);
	gs_execution_done(c);
	for (int i = 0; i < gs_service.devices; i++)
	{
		report->work.segments += feed.work[i].segments;
		report->work.rows += feed.work[i].rows;
		report->work.bytes += feed.work[i].bytes;
		if (status == GS_OK)
			status = feed.status[i];
	}
	report->work.ns += gs_monotonic_ns() - since;
	return status == GS_OK && atomic_load(&feed.gone) ? GS_INVALID : status;
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

	begin_waiting(c, true);
	do
		status = feed_devices(c, false, &told);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	waiting = NULL;
	c->request.report->ahead = status;
}

/* The stage at hand has been finished; *since: when the one before it was. */
static void
note_stage(gs_report *report, int64_t *since)
{
	int64_t		now = gs_monotonic_ns();
	int64_t		ns = now - *since;

	report->made[report->at] = (gs_stage_work) {
		.rows = report->summary.rows,
		.groups = report->summary.groups,
		.us = (report->at == 0 ? report->work.ns + ns : ns) / 1000
	};
	report->work.ns += ns;
	*since = now;
}

static gs_status
compute(gs_connection *c)
{
	gs_report  *report = c->request.report;
	int64_t    *told = &report->told;
	gs_status	status = GS_OK;
	int64_t		since;

	while (status == GS_OK && is_left(report))
	{
		status = feed_devices(c, true, told);

		/* nobody gets the answer then, and the connection ends with it */
		if (status == GS_OK && !gs_report_tell_progress(c, told))
			status = GS_INVALID;
	}
	if (status != GS_OK)
		return status;
	since = gs_monotonic_ns();
	gs_execution_busy(c);
	status = gs_service.plan_engine->finish(report->run, &report->summary);
	gs_execution_done(c);
	note_stage(report, &since);
	while (status == GS_OK && report->summary.errors == 0 &&
		   report->at < report->stages - 1)
	{
		status = gs_report_next_stage(c, told);
		note_stage(report, &since);
	}
	return status;
}

/* Feed what is held and has not been fed, and finish. */
gs_status
gs_report_compute(gs_connection *c)
{
	gs_report  *report = c->request.report;
	gs_status	status = report->ahead;
	int			restarts = 0;

	if (status != GS_OK)
		return status;
	begin_waiting(c, false);
	do
		status = compute(c);
	while (status == GS_NO_MEMORY && restart(c, &restarts));
	waiting = NULL;
	return status;
}
