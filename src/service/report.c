/*-------------------------------------------------------------------------
 *
 * report.c
 *	  The messages of a report, from REPORT to LOOK, but for rows.
 *
 * protocol/report.h has their order.  As in request.c, each function handles
 * one message whose length has been checked, and validates every other member
 * here.  Which pages of a table need not be read is decided elsewhere
 * (columns.h).
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/report_state.h"

/* Bytes of a plan at most: beyond any list of values that fits a query. */
#define PLAN_SIZE_MAX	(INT64_C(1) << 32)

static _Atomic uint64_t verified_pages;

static gs_report *
report_of(gs_connection *c)
{
	return c->request.report;
}

/* ----------
 * The plan
 * ----------
 */

/* Where the tables are is not the client's to say. */
static void
take_tables(gs_report *report)
{
	gs_plan    *plan = &report->stage[0].plan;

	for (int i = 0; i < gs_service.devices; i++)
	{
		memcpy(report->table[i], plan->table,
			   (size_t) plan->tables * sizeof *plan->table);
		report->tables[i] = report->table[i];
	}
	plan->table = report->table[0];
	plan->copy = report->tables;
}

/* All stages are here.  False: the connection is to end. */
static bool
open_report(gs_connection *c)
{
	gs_report  *report = report_of(c);
	gs_msg_opened opened;
	gs_status	status = GS_NO_MEMORY;
	bool		possible;

	report->stages = gs_stages_unpack(report->packed,
									  (size_t) report->plan_size,
									  report->stage);
	if (gs_stages_check(report->stage, report->stages) != GS_OK)
		return gs_malformed(c, "REPORT with an invalid plan");
	take_tables(report);
	report->rows = &report->stage[0].plan;
	report->groups = &report->stage[report->stages - 1].plan;
	c->grant.step = 1;
	c->grant.min_slots = 1;
	c->grant.max_slots = report->lanes;
	if (!gs_execution_acquire(c, &possible))
		return false;
	if (possible)
		status = gs_lookups_find(c);
	if (status == GS_OK && report->lacking == 0)
		status = gs_report_start(c);
	memset(&opened, 0, sizeof opened);
	gs_execution_outcome(c, &opened.outcome, status);
	if (status == GS_OK)
	{
		report->opened = true;
		report->lanes = c->grant.granted;
		opened.lacking = report->lacking;
		opened.lanes = report->lanes;
		memcpy(opened.slot, c->grant.slot, report->lanes * sizeof(uint32_t));
	}
	return gs_execution_answer(c, &opened, GS_MSG_OPENED, sizeof opened,
							   &opened.outcome);
}

/* The next bytes of the stages.  False: the connection is to end. */
static bool
add_to_plan(gs_connection *c, const void *bytes, size_t size)
{
	gs_report  *report = report_of(c);

	if (size < 1 ||
		(int64_t) size > report->plan_size - report->plan_received)
		return gs_malformed(c, "a part of a plan of a wrong size");
	memcpy(report->packed + report->plan_received, bytes, size);
	report->plan_received += (int64_t) size;
	return report->plan_received < report->plan_size || open_report(c);
}

bool
gs_handle_begin(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_report *begin = message;
	gs_request *r = &c->request;
	gs_report  *report;
	gs_msg_opened refused;

	if (r->open)
		return gs_malformed(c, "REPORT within a request");
	if (begin->plan_size < 1 || begin->plan_size > PLAN_SIZE_MAX ||
		begin->lanes < 1 || begin->lanes > GS_MAX_LANES)
		return gs_malformed(c, "REPORT with a number out of range");
	r->open = true;
	report = calloc(1, sizeof *report);
	if (report != NULL)
		report->packed = gs_execution_reserve(r, begin->plan_size, 1);
	if (report == NULL || report->packed == NULL)
	{
		free(report);
		memset(&refused, 0, sizeof refused);
		gs_execution_outcome(c, &refused.outcome, GS_NO_MEMORY);
		return gs_send(c, &refused, GS_MSG_OPENED, sizeof refused);
	}
	r->report = report;
	report->plan_size = begin->plan_size;
	report->lanes = begin->lanes;
	return add_to_plan(c, begin + 1, size - sizeof *begin);
}

bool
gs_handle_plan(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_plan *part = message;
	gs_report  *report = report_of(c);

	if (c->request.failed)
		return true;
	if (report == NULL || report->opened ||
		part->first != report->plan_received)
		return gs_malformed(c, "PLAN out of turn");
	return add_to_plan(c, part + 1, size - sizeof *part);
}

/* ----------
 * Tables
 * ----------
 */

/* NULL if a TABLE is valid, else what is wrong. */
static const char *
validate_table(const gs_report *report, const gs_msg_table *table)
{
	if (table->id.database == 0 || table->id.relation == 0)
		return "TABLE without an id";
	if (table->map_blocks < 64 || table->map_blocks > GS_MAP_BLOCKS_MAX ||
		table->keep < 0 || table->keep > 1)
		return "TABLE with a number out of range";
	for (int i = 0; i < report->rows->columns; i++)
	{
		if (table->attribute[i] == 0 ||
			table->attribute[i] < GS_ATTRIBUTE_LEAST)
			return "TABLE with a column out of range";
		if (table->dictionary[i] != 0 && report->rows->column[i] != GS_INT4 &&
			report->rows->column[i] != GS_BOOL)
			return "TABLE with codes that are no int4";
	}
	return NULL;
}

/*
 * Whatever fails here is told in the answer to MAP; a dictionary that has gone
 * in that to FEED_ROWS or FINISH_REPORT, if these come first.
 */
bool
gs_handle_table(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_table *table = message;
	gs_report  *report = report_of(c);
	gs_reading *reading;
	const char *wrong;

	(void) size;
	if (c->request.failed)
		return true;
	if (report == NULL || !report->opened || report->finished)
		return gs_malformed(c, "TABLE out of turn");
	wrong = validate_table(report, table);
	if (wrong != NULL)
		return gs_malformed(c, wrong);
	if (report->readings != NULL)
		gs_reading_leave(report->readings);
	report->reading = GS_NO_MEMORY;
	reading = calloc(1, sizeof *reading);
	if (reading == NULL)
		return gs_malformed(c, "no memory for another table");
	reading->next = report->readings;
	report->readings = reading;
	if (gs_execution_take(&c->request, gs_reading_size(table)))
	{
		report->reading = gs_reading_open(reading, table, report->rows);
		gs_report_wake(reading->devices);
	}
	else
		reading->keep = table->keep != 0;
	return true;
}

/* ----------
 * The visibility map
 * ----------
 */

/*
 * The reading that a message about pages is for; NULL: it is out of turn.
 * `complete`: all of the map must be here.
 */
static gs_reading *
reading_of(gs_connection *c, bool complete)
{
	const gs_report *report = report_of(c);

	if (report == NULL || !report->opened || report->finished ||
		report->readings == NULL || !report->readings->keep)
		return NULL;
	if (complete && (report->reading != GS_OK ||
					 report->readings->received < report->readings->maps))
		return NULL;
	return report->readings;
}

/*
 * Are a message's map pages some of the table's, and do they fit in a slot,
 * with so many bytes each?
 */
static bool
validate_maps(const gs_reading *reading, const gs_msg_map *map, size_t each)
{
	return map->count >= 1 && map->first < reading->maps &&
		map->count <= reading->maps - map->first &&
		map->count <= gs_service.slot_size / each;
}

static void *
slot_of(gs_connection *c)
{
	return gs_staging_slot(c->grant.slot[0]);
}

static bool
answer_pages(gs_connection *c, gs_msg_pages *answer, gs_status status)
{
	gs_execution_outcome(c, &answer->outcome, status);
	return gs_execution_answer(c, answer, GS_MSG_PAGES, sizeof *answer,
							   &answer->outcome);
}

bool
gs_handle_map(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_map *map = message;
	gs_report  *report = report_of(c);
	gs_reading *reading = reading_of(c, false);
	gs_status	status;
	gs_msg_pages answer;

	if (c->request.failed)
		return true;
	if (reading == NULL || reading->decided)
		return gs_malformed(c, "MAP out of turn");
	memset(&answer, 0, sizeof answer);
	status = report->reading;
	if (status != GS_OK)
		return answer_pages(c, &answer, status);
	if (map->final < 0 || map->final > 1 || map->whole < 0 || map->whole > 1 ||
		!gs_reading_map(reading, map->first, map->count,
						(const char *) (map + 1), size - sizeof *map))
		return gs_malformed(c, "MAP with a number out of range");
	if (reading->received < reading->maps)
		return true;
	gs_execution_busy(c);
	status = gs_reading_decide(reading, map->final != 0, &answer);
	gs_execution_done(c);
	reading->feedable = reading->decided && answer.usable == reading->blocks;
	if (map->whole != 0 && !reading->feedable)
	{
		report->readings = reading->next;
		gs_reading_close(reading);
		free(reading);
	}
	return answer_pages(c, &answer, status);
}

bool
gs_handle_usable(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_map *map = message;
	gs_reading *reading = reading_of(c, true);
	gs_msg_pages answer;

	(void) size;
	if (c->request.failed)
		return true;
	if (reading == NULL)
		return gs_malformed(c, "USABLE out of turn");
	if (!validate_maps(reading, map, reading->words * sizeof(uint64_t)))
		return gs_malformed(c, "USABLE with a number out of range");
	gs_reading_usable(reading, map->first, map->count, slot_of(c));
	reading->feedable = reading->decided;
	memset(&answer, 0, sizeof answer);
	return answer_pages(c, &answer, GS_OK);
}

bool
gs_handle_lsns(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_lsns *lsns = message;
	gs_reading *reading = reading_of(c, true);
	gs_msg_pages answer;

	(void) size;
	if (c->request.failed)
		return true;
	if (reading == NULL)
		return gs_malformed(c, "LSNS out of turn");
	if (lsns->count < 1 || lsns->first >= reading->blocks ||
		lsns->count > gs_service.slot_size / sizeof(gs_listed_page))
		return gs_malformed(c, "LSNS with a number out of range");
	memset(&answer, 0, sizeof answer);
	answer.verify = gs_reading_lsns(reading, lsns->first, lsns->count,
									slot_of(c));
	return answer_pages(c, &answer, GS_OK);
}

bool
gs_handle_verified(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_map *map = message;
	gs_reading *reading = reading_of(c, true);
	const uint64_t *bits = slot_of(c);
	gs_msg_pages answer;
	int64_t		verified = 0;

	(void) size;
	if (c->request.failed)
		return true;
	if (reading == NULL || reading->decided)
		return gs_malformed(c, "VERIFIED out of turn");
	if (!validate_maps(reading, map, reading->words * sizeof(uint64_t)))
		return gs_malformed(c, "VERIFIED with a number out of range");
	for (uint32_t i = 0; i < map->count; i++)
		verified += gs_reading_verified(reading, map->first + i,
										bits + i * reading->words);
	atomic_fetch_add(&verified_pages, (uint64_t) verified);
	memset(&answer, 0, sizeof answer);
	return answer_pages(c, &answer, GS_OK);
}

bool
gs_handle_look(gs_connection *c, const void *message, size_t size)
{
	const gs_msg_map *map = message;
	gs_reading *reading = reading_of(c, true);
	gs_msg_pages answer;

	(void) size;
	if (c->request.failed)
		return true;
	if (reading == NULL || !reading->decided)
		return gs_malformed(c, "LOOK out of turn");
	if (!validate_maps(reading, map, gs_map_size(reading->map_blocks)))
		return gs_malformed(c, "LOOK with a number out of range");
	memset(&answer, 0, sizeof answer);
	gs_reading_look(reading, map->first, map->count, slot_of(c), &answer);
	return answer_pages(c, &answer, GS_OK);
}

uint64_t
gs_report_verified_pages(void)
{
	return atomic_load(&verified_pages);
}
