/*-------------------------------------------------------------------------
 *
 * report_rows.c
 *	  The rows of a report, its end, and its groups.
 *
 * A client may change its slot while gpuscand reads it.  Engines compute
 * nonsense then, but no more, as long as they are not told ranges, and flags
 * are 0 or 1.  Rows that are to be held, whose ranges are found here, and flags
 * are therefore copied first.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/report_state.h"

static _Atomic uint64_t reports;
static _Atomic uint64_t held_rows;
static _Atomic uint64_t fed_rows;

static gs_report *
report_of(gs_connection *c)
{
	return c->request.report;
}

/* ----------
 * Rows
 * ----------
 */

/* Rows that were fed. */
typedef struct fed_batch
{
	gs_batch	batch;
	gs_column_data column[GS_PLAN_COLUMNS];
	const gs_page_rows *page;
	int64_t		pages;
} fed_batch;

/*
 * Where the rows' columns are; if they are to be held, or are flags, in the
 * report's copy.  False: flags are not 0 or 1.
 */
static bool
find_columns(gs_connection *c, const gs_msg_feed_rows *feed,
			 const gs_rows_layout *layout, fed_batch *rows)
{
	gs_report  *report = report_of(c);
	const char *slot = gs_staging_slot(c->grant.slot[feed->lane]);
	bool		keep = feed->pages > 0;
	int64_t		n = feed->rows;

	rows->batch.n = n;
	rows->batch.column = rows->column;
	for (int i = 0; i < report->rows->columns; i++)
	{
		gs_type		type = report->rows->column[i];
		size_t		width = (size_t) gs_type_width(type);
		gs_column_data *column = &rows->column[i];
		bool		nulls = (feed->nulls >> i & 1) != 0;
		bool		copied = keep || type == GS_BOOL;
		const char *base = copied ? report->copy : slot;

		if (copied)
			memcpy(report->copy + layout->values[i], slot + layout->values[i],
				   (size_t) n * width);
		if (keep && nulls)
			memcpy(report->copy + layout->validity[i],
				   slot + layout->validity[i], ((size_t) n + 7) / 8);
		*column = (gs_column_data) {
			.values = base + layout->values[i],
			.width = (int32_t) width,
			.low = 1
		};
		if (nulls)
			column->validity = (const uint8_t *) (keep ? report->copy : slot) +
				layout->validity[i];
		if (keep && nulls && gs_count_bits(column->validity, n) == n)
			column->validity = NULL;
		if (keep)
			gs_find_range(type, column, n);
		if (type == GS_BOOL &&
			!gs_validate_flags((const uint8_t *) column->values, n))
			return false;
	}
	return true;
}

/*
 * The pages, from the copy.  NULL if they are valid, else what is wrong.  The
 * report has their rows now.
 */
static const char *
find_pages(gs_report *report, const char *slot, const gs_msg_feed_rows *feed,
		   const gs_rows_layout *layout, fed_batch *rows)
{
	gs_reading *reading = report->readings;
	gs_page_rows *page = (gs_page_rows *) (report->copy + layout->pages);
	int64_t		left = feed->rows;

	memcpy(page, slot + layout->pages, (size_t) feed->pages * sizeof *page);
	for (int64_t i = 0; i < feed->pages; i++)
	{
		uint32_t	block = page[i].block;
		uint64_t   *done = reading->done;
		size_t		word;
		uint64_t	bit;

		if (block >= reading->blocks || page[i].rows > left ||
			page[i].keep > GS_KEEP_SETTLED)
			return "FEED_ROWS with a page out of range";
		word = block / reading->map_blocks * reading->words +
			block % reading->map_blocks / 64;
		bit = UINT64_C(1) << (block % reading->map_blocks % 64);
		if ((done[word] & bit) != 0)
			return "FEED_ROWS with a page that the report has";
		done[word] |= bit;
		left -= page[i].rows;
	}
	if (left > 0)
		return "FEED_ROWS with rows of no page";
	rows->page = page;
	rows->pages = feed->pages;
	return NULL;
}

/* Are the numbers of a FEED_ROWS possible, and does it come in turn? */
static const char *
validate_rows(const gs_connection *c, const gs_msg_feed_rows *feed,
			  gs_rows_layout *layout)
{
	const gs_report *report = c->request.report;
	int			columns;

	if (report == NULL || !report->opened || report->lacking != 0 ||
		report->finished || report->readings == NULL)
		return "FEED_ROWS out of turn";
	if (feed->pages > 0 && (report->reading != GS_OK ||
							!report->readings->keep ||
							!report->readings->decided))
		return "FEED_ROWS of pages out of turn";
	columns = report->rows->columns;
	if (feed->lane < 0 || feed->lane >= report->lanes ||
		feed->rows_max < 0 || feed->rows_max > GS_PLAN_BATCH_MAX ||
		feed->pages_max < 0 ||
		feed->pages_max > (int64_t) (gs_service.slot_size /
									 sizeof(gs_page_rows)) ||
		feed->rows < 0 || feed->rows > feed->rows_max ||
		feed->pages < 0 || feed->pages > feed->pages_max ||
		(columns < 64 && feed->nulls >> columns != 0))
		return "FEED_ROWS with a number out of range";
	gs_lay_rows(report->rows, feed->rows_max, feed->pages_max, layout);
	return layout->size > gs_service.slot_size ?
		"FEED_ROWS beyond its slot" : NULL;
}

/*
 * Memory for what is copied, and for pages that are kept; codes need their
 * dictionary.
 */
static gs_status
prepare(gs_connection *c, const gs_msg_feed_rows *feed)
{
	gs_report  *report = report_of(c);
	bool		copies = feed->pages > 0;

	if (report->reading == GS_NOT_CACHED)
		return GS_NOT_CACHED;
	for (int i = 0; i < report->rows->columns; i++)
		copies |= report->rows->column[i] == GS_BOOL;
	if (copies && report->copy == NULL &&
		gs_execution_take(&c->request, gs_service.slot_size))
		report->copy = aligned_alloc(GS_STAGING_ALIGN, gs_service.slot_size);
	if (copies && report->copy == NULL)
		return GS_NO_MEMORY;
	return gs_execution_take(&c->request, feed->pages *
							 (int64_t) sizeof(gs_pending)) ?
		GS_OK : GS_NO_MEMORY;
}

static gs_status
take_rows(gs_connection *c, const fed_batch *rows)
{
	gs_status	status = GS_OK;

	if (rows->batch.n > 0)
		status = gs_report_feed(c, &rows->batch);
	if (status == GS_OK && rows->pages > 0)
	{
		gs_execution_busy(c);
		status = gs_reading_keep(report_of(c)->readings, &rows->batch,
								 rows->page, rows->pages);
		gs_execution_done(c);
	}
	if (status == GS_OK)
		atomic_fetch_add(&fed_rows, (uint64_t) rows->batch.n);
	return status;
}

bool
gs_handle_rows(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_feed_rows *feed = message;
	gs_report  *report = report_of(c);
	gs_rows_layout layout;
	fed_batch	rows;
	const char *wrong;
	gs_status	status;
	gs_msg_fed	answer;

	(void) size;
	if (c->request.failed)
		return true;
	wrong = validate_rows(c, feed, &layout);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	memset(&rows, 0, sizeof rows);
	status = prepare(c, feed);
	if (status == GS_OK && feed->pages > 0)
		wrong = find_pages(report, gs_staging_slot(c->grant.slot[feed->lane]),
						   feed, &layout, &rows);
	if (status == GS_OK && wrong == NULL &&
		!find_columns(c, feed, &layout, &rows))
		wrong = "FEED_ROWS with flags that are not 0 or 1";
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	if (status == GS_OK)
		status = take_rows(c, &rows);
	memset(&answer, 0, sizeof answer);
	gs_execution_outcome(c, &answer.outcome, status);
	return gs_execution_answer(c, &answer, GS_MSG_FED, sizeof answer,
							   &answer.outcome);
}

/* ----------
 * The end, and what comes of it
 * ----------
 */

/* NULL if a GROUPS is valid, else what is wrong. */
static const char *
validate_groups(const gs_report *report, const gs_msg_groups *groups,
				gs_groups_layout *layout)
{
	size_t		size;

	if (report == NULL || !report->finished || report->summary.errors != 0)
		return "GROUPS out of turn";
	if (groups->first < 0 || groups->first >= report->summary.groups ||
		groups->count < 1 ||
		groups->count > report->summary.groups - groups->first ||
		groups->count > (int64_t) gs_service.slot_size ||
		groups->lane < 0 || groups->lane >= report->lanes)
		return "GROUPS with a number out of range";
	if (groups->column == -1)
	{
		gs_lay_groups(report->groups, groups->count, layout);
		size = layout->size;
	}
	else
	{
		size_t		width = groups->column < 0 ||
			groups->column >= GS_FETCH_COLUMNS ? 0 :
			gs_fetch_width(report->groups, groups->column);

		if (width == 0)
			return "GROUPS of a column that is not there";
		size = width * (size_t) groups->count;
	}
	return size > gs_service.slot_size ? "GROUPS beyond its slot" : NULL;
}

static gs_status
fetch(gs_connection *c, const gs_msg_groups *groups,
	  const gs_groups_layout *layout)
{
	const gs_report *report = report_of(c);
	char	   *slot = gs_staging_slot(c->grant.slot[groups->lane]);
	gs_status	status = GS_OK;

	if (groups->column >= 0)
		return gs_service.plan_engine->fetch(report->run, groups->column,
											 groups->first, groups->count,
											 slot);
	for (int i = 0; i < GS_FETCH_COLUMNS && status == GS_OK; i++)
	{
		bool		wide = i > GS_FETCH_NULLS && (i - GS_FETCH_NULLS) % 2 == 0;

		if (gs_fetch_width(report->groups, i) == 0)
			continue;
		if (!wide)
			status = gs_service.plan_engine->fetch(report->run, i,
												   groups->first,
												   groups->count,
												   slot + layout->column[i]);
		else if (report->groups->of_rows && groups->first % 64 == 0)
			status = gs_service.plan_engine->fetch(report->run, i,
												   groups->first / 64,
												   (groups->count + 63) / 64,
												   slot + layout->column[i]);
	}
	return status;
}

/* All groups, into lane 0's slot, if they are few and fit. */
static gs_status
fetch_few(gs_connection *c, int64_t most, bool *fetched)
{
	const gs_report *report = report_of(c);
	gs_msg_groups all = {.count = report->summary.groups, .column = -1};
	gs_groups_layout layout;
	gs_status	status;

	if (all.count < 1 || all.count > most ||
		validate_groups(report, &all, &layout) != NULL)
		return GS_OK;
	gs_execution_busy(c);
	status = fetch(c, &all, &layout);
	gs_execution_done(c);
	*fetched = status == GS_OK;
	return status;
}

bool
gs_handle_finish(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_finish_report *finish = message;
	gs_report  *report = report_of(c);
	const gs_report_work *work;
	bool		fetched = false;
	bool		sent;
	gs_status	status;
	gs_msg_summary answer;

	(void) size;
	if (c->request.failed)
		return true;
	if (report == NULL || !report->opened || report->lacking != 0 ||
		report->finished)
		return gs_malformed(c, "FINISH_REPORT out of turn");
	if (finish->groups_max < 0)
		return gs_malformed(c, "FINISH_REPORT with a number out of range");
	if (report->readings != NULL)
		gs_reading_leave(report->readings);
	status = report->reading == GS_NOT_CACHED ? GS_NOT_CACHED :
		gs_report_compute(c);
	work = &report->work;
	if (gs_service.host_cache_size == 0)
		gs_report_leave(report);
	report->finished = true;
	if (status == GS_OK)
		status = fetch_few(c, finish->groups_max, &fetched);
	memset(&answer, 0, sizeof answer);
	gs_execution_outcome(c, &answer.outcome, status);
	if (status == GS_OK)
	{
		answer.groups = report->summary.groups;
		answer.rows = report->summary.rows;
		answer.errors = report->summary.errors;
		answer.stage = report->at;
		answer.fetched = fetched;
		answer.segments = work->segments;
		answer.held_bytes = work->bytes;
		answer.compute_us = work->ns / 1000;
		memcpy(answer.work, report->made,
			   ((size_t) report->at + 1) * sizeof *answer.work);
		atomic_fetch_add(&held_rows, (uint64_t) work->rows);
		atomic_fetch_add(&reports, 1);
	}
	atomic_fetch_add(&gs_calls, 1);
	sent = gs_execution_answer(c, &answer, GS_MSG_SUMMARY, sizeof answer,
							   &answer.outcome);

	/* the client does not wait for values that move to the device */
	gs_report_leave(report);
	return sent;
}

bool
gs_handle_groups(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_groups *groups = message;
	gs_groups_layout layout;
	const char *wrong;
	gs_status	status;
	gs_msg_pages answer;

	(void) size;
	if (c->request.failed)
		return true;
	wrong = validate_groups(report_of(c), groups, &layout);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	gs_execution_busy(c);
	status = fetch(c, groups, &layout);
	gs_execution_done(c);
	if (status == GS_INVALID)
		return gs_malformed(c, "GROUPS of more than there is");
	memset(&answer, 0, sizeof answer);
	gs_execution_outcome(c, &answer.outcome, status);
	return gs_execution_answer(c, &answer, GS_MSG_PAGES, sizeof answer,
							   &answer.outcome);
}

void
gs_report_counts(gs_msg_state *state)
{
	state->reports = atomic_load(&reports);
	state->report_held = atomic_load(&held_rows);
	state->report_fed = atomic_load(&fed_rows);
	state->report_verified = gs_report_verified_pages();
}
