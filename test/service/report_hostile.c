/*-------------------------------------------------------------------------
 *
 * report_hostile.c
 *	  Invalid messages of reports: gpuscand refuses them, and survives.
 *
 * As in hostile.c: members out of range and messages out of turn must be
 * refused; of whatever else is corrupted, each message must be answered or end
 * the connection.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <stddef.h>

#include "heap.h"
#include "test/common/random.h"

#define BLOCKS		100			/* two map pages */

/* The state of a connection when the message comes. */
typedef enum state
{
	IDLE,
	PART,						/* a part of the plan is there */
	LACKING,					/* a look-up table of 1000 values */
	OPENED,
	UNMAPPED,					/* in a table without a map */
	TABLED,						/* in a table, whose map is to come */
	UNSURE,						/* pages are to be verified */
	DECIDED,
	FINISHED,					/* with five groups */
	STATES
} state;

static backend b;
static heap h;					/* of which nothing is held */
static heap held;				/* of which pages are to be verified */
static uint32_t relation = 3000;

/* Messages with data */
static union
{
	gs_msg_report message;
	char		space[4096];
}			report;
static union
{
	gs_msg_plan message;
	char		space[4096];
}			plan;
static struct
{
	gs_msg_map	message;
	struct
	{
		gs_map_part part;
		uint64_t	visible;
	}			pages[2];
}			map = {.message = {{GS_MSG_MAP, sizeof map}, 0, 2, 0, 0}};
static gs_msg_lookup lookup = {{GS_MSG_LOOKUP, sizeof lookup},
.size = 1000 * sizeof(gs_value)};
static gs_msg_table table = {{GS_MSG_TABLE, sizeof table},
.id = {1, 0, 2, 0}, .blocks = BLOCKS, .map_blocks = HEAP_MAP_BLOCKS,
.keep = 1, .attribute = {1, 2, 3}};
static gs_msg_map usable = {{GS_MSG_USABLE, sizeof usable}, 1, 1, 0, 0};
static gs_msg_lsns lsns = {{GS_MSG_LSNS, sizeof lsns}, 30, 40};
static gs_msg_map verified = {{GS_MSG_VERIFIED, sizeof verified}, 0, 1, 0, 0};
static gs_msg_feed_rows feed = {{GS_MSG_FEED_ROWS, sizeof feed},
.rows_max = 100, .pages_max = 10, .rows = 60, .pages = 2, .nulls = 7};
static gs_msg_feed_rows feed_alone = {{GS_MSG_FEED_ROWS, sizeof feed_alone},
.rows_max = 100, .pages_max = 0, .rows = 60};
static gs_msg_map look = {{GS_MSG_LOOK, sizeof look}, 0, 2, 0, 0};
static gs_msg_finish_report finish = {{GS_MSG_FINISH_REPORT, sizeof finish}, 5};
static gs_msg_groups groups = {{GS_MSG_GROUPS, sizeof groups},
.first = 1, .count = 4, .column = -1};
static gs_msg_groups sums = {{GS_MSG_GROUPS, sizeof sums},
.first = 0, .count = 5, .column = GS_FETCH_STATE(1)};
static struct
{
	gs_msg_dictionary message;
	char		values[24];
}			dictionary = {{{GS_MSG_DICTIONARY, sizeof dictionary},
.database = 1, .relation = 2, .attribute = 3, .map = 1, .count = 3},
{1, 0, 0, 0, 'a', 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 'b', 'c', 'd', 'e', 'f', 'g'}};
static gs_msg_list list = {{GS_MSG_LIST_COLUMNS, sizeof list}, 0};
static gs_header end = {GS_MSG_END, sizeof end};

#define IN(s)	(1u << (s))

static const struct
{
	const char *name;
	void	   *message;
	state state;				/* where it is tried */
	unsigned	in;				/* where it may come: bits of states */
	gs_message	answer;			/* 0: none */
}			messages[] = {
	{"REPORT", &report, IDLE, IN(IDLE), GS_MSG_OPENED},
	{"PLAN", &plan, PART, IN(PART), GS_MSG_OPENED},
	{"LOOKUP", &lookup, LACKING, IN(LACKING), GS_MSG_FED},
	{"TABLE", &table, OPENED,
	IN(LACKING) | IN(OPENED) | IN(UNMAPPED) | IN(TABLED) | IN(UNSURE) |
		IN(DECIDED), 0},
	{"MAP", &map, TABLED, IN(TABLED) | IN(UNSURE), GS_MSG_PAGES},
	{"USABLE", &usable, DECIDED, IN(UNSURE) | IN(DECIDED), GS_MSG_PAGES},
	{"LSNS", &lsns, UNSURE, IN(UNSURE) | IN(DECIDED), GS_MSG_PAGES},
	{"VERIFIED", &verified, UNSURE, IN(UNSURE), GS_MSG_PAGES},
	{"FEED_ROWS", &feed, DECIDED, IN(DECIDED), GS_MSG_FED},
	{"FEED_ROWS without pages", &feed_alone, UNMAPPED,
		IN(UNMAPPED) | IN(TABLED) | IN(UNSURE) | IN(DECIDED), GS_MSG_FED},
	{"LOOK", &look, DECIDED, IN(DECIDED), GS_MSG_PAGES},
	{"FINISH_REPORT", &finish, DECIDED,
		IN(OPENED) | IN(UNMAPPED) | IN(TABLED) | IN(UNSURE) | IN(DECIDED),
	GS_MSG_SUMMARY},
	{"GROUPS", &groups, FINISHED, IN(FINISHED), GS_MSG_PAGES},
	{"GROUPS of a column", &sums, FINISHED, IN(FINISHED), GS_MSG_PAGES},
	{"LIST_COLUMNS", &list, IDLE, IN(STATES) - 1, GS_MSG_COLUMN_ENTRIES},
	{"DICTIONARY", &dictionary, IDLE, IN(STATES) - 1, GS_MSG_CODES},
	{"DICTIONARY in a report", &dictionary, DECIDED, IN(STATES) - 1,
	GS_MSG_CODES},
	{"END", &end, OPENED, (IN(STATES) - 1) & ~IN(IDLE), 0},
};

#define MESSAGES	(sizeof messages / sizeof *messages)

static const int64_t wrong[] = {
	-1, 0, 1, 2, 3, 7, 8, 63, 64, 255, 1025, 65535, 65536,
	INT32_MAX, INT32_MIN, UINT32_MAX, INT64_C(1) << 32, INT64_C(1) << 40,
	INT64_MAX, INT64_MIN
};

#define WRONG		(sizeof wrong / sizeof *wrong)

/* The plan of a report over three columns, in one message, or in two. */
static void
make_messages(void)
{
	gs_stage	stage = {.finish = NULL};
	size_t		size;
	size_t		first = 50;

	client_open(&b.r.c);
	backend_begin(&b, &h, 7);
	client_close(&b.r.c);
	stage.plan = b.plan;
	size = gs_stages_packed_size(&stage, 1);
	report.message = (gs_msg_report) {
		{GS_MSG_REPORT, (uint32_t) (sizeof report.message + size)},
		.plan_size = (int64_t) size, .lanes = 1
	};
	gs_stages_pack(&stage, 1, report.space + sizeof report.message);
	plan.message = (gs_msg_plan) {
		{GS_MSG_PLAN, (uint32_t) (sizeof plan.message + size - first)},
		.first = (int64_t) first
	};
	memcpy(plan.space + sizeof plan.message,
		   report.space + sizeof report.message + first, size - first);
}

static bool
begin_and_map(heap *of)
{
	if (!backend_begin(&b, of, 7))
		return false;
	backend_copy_map(&b);
	return backend_map(&b, false);
}

/* Pages are held, but a map page's LSN has changed since. */
static bool
make_unsure(void)
{
	heap_init(&held, ++relation, BLOCKS);
	if (!backend_report(&b, &held, 7))
		return false;
	heap_change(&held, 5);
	heap_vacuum(&held, 0, INT64_MAX);
	return begin_and_map(&held) && b.held.verify > 0;
}

/* What FEED_ROWS, LOOK and others find in the slot. */
static void
fill_slot(const void *message)
{
	char	   *slot = report_slot(&b.r, 0);
	gs_rows_layout layout;
	const gs_page_rows pages[2] = {{3, 20, 5, 1, 0}, {70, 40, 6, 1, 0}};

	memset(slot, 0, SLOT_SIZE);
	if (message == &look)
		memcpy(slot, b.map, sizeof b.map);
	if (message != &feed)
		return;
	gs_lay_rows(&b.plan, feed.rows_max, feed.pages_max, &layout);
	memcpy(slot + layout.pages, pages, sizeof pages);
}

static gs_value lookup_value[1000];

/* Begin a report that sends a table unless the service has it. */
static bool
begin_with_table(uint64_t number, int64_t size)
{
	const gs_plan_table of = {number, size, lookup_value};
	gs_plan		with = b.plan;

	with.tables = 1;
	with.table = &of;
	return report_begin(&b.r, &with, 1);
}

/* The same in two steps; here the service lacks it. */
static bool
open_with_table(void)
{
	const gs_plan_table of = {7, 1000, lookup_value};
	gs_stage	stage = {.plan = b.plan};
	union
	{
		gs_msg_report message;
		char		space[4096];
	}			m;
	size_t		size;

	stage.plan.tables = 1;
	stage.plan.table = &of;
	size = gs_stages_packed_size(&stage, 1);
	m.message = (gs_msg_report) {
		{GS_MSG_REPORT, (uint32_t) (sizeof m.message + size)},
		.plan_size = (int64_t) size, .lanes = 1
	};
	gs_stages_pack(&stage, 1, m.space + sizeof m.message);
	client_send_raw(&b.r.c, &m, sizeof m.message + size);
	if (client_receive(&b.r.c) != GS_MSG_OPENED)
		return false;
	memcpy(&b.r.opened, b.r.c.buffer, sizeof b.r.opened);
	return b.r.opened.outcome.status == GS_OK && b.r.opened.lacking == 1;
}

/* Bring a new connection into a state. */
static void
enter(state s)
{
	uint32_t	from = 0;
	bool		good = true;
	gs_msg_report part = report.message;

	/* a damaged plan may have taken all memory */
	if (s >= LACKING && !service_has_released())
		check(false, "memory is not released");
	client_open(&b.r.c);
	if (s == IDLE)
		return;
	if (s == PART)
	{
		char		copy[sizeof part + 50];

		part.header.length = sizeof copy;
		memcpy(copy, &part, sizeof part);
		memcpy(copy + sizeof part, report.space + sizeof part, 50);
		client_send_raw(&b.r.c, copy, sizeof copy);
		return;
	}
	if (s == LACKING)
	{
		check(open_with_table(), "a table is not lacking");
		return;
	}
	h.id.relation = ++relation;
	if (s == OPENED)
		good = report_begin(&b.r, &b.plan, 1);
	else if (s == UNMAPPED)
	{
		good = report_begin(&b.r, &b.plan, 1);
		report_table(&b.r, &h.id, BLOCKS, HEAP_MAP_BLOCKS, false, NULL);
	}
	else if (s == TABLED)
	{
		good = backend_begin(&b, &h, 7);
		backend_copy_map(&b);
		for (int i = 0; i < 2; i++)
		{
			map.pages[i].part = (gs_map_part) {.lsn = b.map[i].lsn};
			map.pages[i].visible = b.map[i].visible;
		}
	}
	else if (s == UNSURE)
		good = make_unsure();
	else
		good = begin_and_map(&h) && b.held.verify == 0;
	if (s == FINISHED)
	{
		good = good && backend_usable(&b);
		while (from < b.blocks && good)
			good = backend_read(&b, &from, 60);
		good = good && report_finish(&b.r) && b.r.summary.groups == 5;
	}
	if (!good)
		check(false, "state %d", s);
}

/* The answer to a message, or to what follows if it has none. */
static uint32_t
answer_to(const void *message, size_t length, bool answered)
{
	gs_header	ask = {GS_MSG_STATUS, sizeof ask};

	client_send_raw(&b.r.c, message, length);
	if (!answered)
		client_send_raw(&b.r.c, &ask, sizeof ask);
	return client_receive(&b.r.c);
}

/* Members and values that are out of range in that state. */
#define OF(type, member)	offsetof(type, member), \
	sizeof(((type *) 0)->member), #member
#define VALUES			8

static const struct
{
	void	   *message;
	state state;
	size_t		at;
	size_t		width;
	const char *member;
	int			count;
	int64_t		value[VALUES];
}			out_of_range[] = {
	{&report, IDLE, OF(gs_msg_report, plan_size), 6,
	{-1, 0, 1, INT64_MAX, INT64_MIN, (INT64_C(1) << 32) + 1}},
	{&report, IDLE, OF(gs_msg_report, lanes), 5,
	{-1, 0, GS_MAX_LANES + 1, INT32_MAX, INT32_MIN}},
	{&plan, PART, OF(gs_msg_plan, first), 6,
	{-1, 0, 49, 51, INT64_MAX, INT64_MIN}},
	{&lookup, LACKING, OF(gs_msg_lookup, table), 6,
	{-1, 1, 31, 32, INT32_MAX, INT32_MIN}},
	{&lookup, LACKING, OF(gs_msg_lookup, first), 5,
	{-1, 1, 8000, INT64_MAX, INT64_MIN}},
	{&lookup, LACKING, OF(gs_msg_lookup, size), 6,
	{-1, 0, 8001, SLOT_SIZE + 1, INT64_MAX, INT64_MIN}},
	{&table, OPENED, OF(gs_msg_table, id.database), 1, {0}},
	{&table, OPENED, OF(gs_msg_table, id.relation), 1, {0}},
	{&table, OPENED, OF(gs_msg_table, map_blocks), 5,
	{0, 1, 63, GS_MAP_BLOCKS_MAX + 1, UINT32_MAX}},
	{&table, OPENED, OF(gs_msg_table, keep), 4, {-1, 2, 256, INT32_MIN}},
	{&table, OPENED, OF(gs_msg_table, attribute[0]), 3, {-7, 0, INT16_MIN}},
	{&table, OPENED, OF(gs_msg_table, attribute[2]), 3, {-7, 0, INT16_MIN}},
	{&table, OPENED, OF(gs_msg_table, dictionary[1]), 2, {1, -1}},
	{&map, TABLED, OF(gs_msg_map, first), 4, {1, 2, INT32_MAX, UINT32_MAX}},
	{&map, TABLED, OF(gs_msg_map, count), 4, {0, 3, INT32_MAX, UINT32_MAX}},
	{&map, TABLED, OF(gs_msg_map, final), 4, {-1, 2, 256, INT32_MIN}},
	{&map, TABLED, OF(gs_msg_map, whole), 4, {-1, 2, 256, INT32_MIN}},
	{&map, TABLED, sizeof(gs_msg_map) + OF(gs_map_part, all), 4,
	{1, 2, 256, UINT32_MAX}},
	{&finish, DECIDED, OF(gs_msg_finish_report, groups_max), 2, {-1, INT64_MIN}},
	{&usable, DECIDED, OF(gs_msg_map, first), 3, {2, INT32_MAX, UINT32_MAX}},
	{&usable, DECIDED, OF(gs_msg_map, count), 4, {0, 2, INT32_MAX, UINT32_MAX}},
	{&lsns, UNSURE, OF(gs_msg_lsns, first), 3, {BLOCKS, INT32_MAX, UINT32_MAX}},
	{&lsns, UNSURE, OF(gs_msg_lsns, count), 4,
	{0, SLOT_SIZE / 16 + 1, INT32_MAX, UINT32_MAX}},
	{&verified, UNSURE, OF(gs_msg_map, first), 3, {2, INT32_MAX, UINT32_MAX}},
	{&verified, UNSURE, OF(gs_msg_map, count), 4, {0, 3, INT32_MAX, UINT32_MAX}},
	{&look, DECIDED, OF(gs_msg_map, first), 3, {1, 2, UINT32_MAX}},
	{&look, DECIDED, OF(gs_msg_map, count), 4, {0, 3, INT32_MAX, UINT32_MAX}},
	{&feed, DECIDED, OF(gs_msg_feed_rows, rows_max), 7,
		{-1, 0, 59, 1 << 16, GS_PLAN_BATCH_MAX + 1, INT64_MAX, INT64_MIN}},
	{&feed, DECIDED, OF(gs_msg_feed_rows, pages_max), 6,
		{-1, 0, 1, 4096, INT64_MAX, INT64_MIN}},
	{&feed, DECIDED, OF(gs_msg_feed_rows, rows), 6,
		{-1, 0, 59, 61, INT64_MAX, INT64_MIN}},
	{&feed, DECIDED, OF(gs_msg_feed_rows, pages), 5,
		{-1, 1, 11, INT64_MAX, INT64_MIN}},
	{&feed, DECIDED, OF(gs_msg_feed_rows, nulls), 4,
		{8, 15, INT64_MIN, -1}},
	{&feed, DECIDED, OF(gs_msg_feed_rows, lane), 4,
	{-1, 1, INT32_MAX, INT32_MIN}},
	{&feed, UNSURE, OF(gs_msg_feed_rows, pages), 1, {1}},
	{&feed, UNMAPPED, OF(gs_msg_feed_rows, pages), 1, {1}},
	{&groups, FINISHED, OF(gs_msg_groups, first), 5,
	{-1, 2, 5, INT64_MAX, INT64_MIN}},
	{&groups, FINISHED, OF(gs_msg_groups, count), 6,
	{-1, 0, 5, INT64_C(1) << 32, INT64_MAX, INT64_MIN}},
	{&groups, FINISHED, OF(gs_msg_groups, column), 8,
		{-2, 1, GS_FETCH_STATE(2), GS_FETCH_WIDE(0), GS_FETCH_COLUMNS, 256,
	INT32_MAX, INT32_MIN}},
	{&sums, FINISHED, OF(gs_msg_groups, column), 2,
	{GS_FETCH_WIDE(1), GS_FETCH_KEY(1)}},
	{&groups, FINISHED, OF(gs_msg_groups, lane), 4,
	{-1, 1, INT32_MAX, INT32_MIN}},
	{&dictionary, IDLE, OF(gs_msg_dictionary, database), 1, {0}},
	{&dictionary, IDLE, OF(gs_msg_dictionary, relation), 1, {0}},
	{&dictionary, IDLE, OF(gs_msg_dictionary, attribute), 3,
	{-1, 0, INT32_MIN}},
	{&dictionary, IDLE, OF(gs_msg_dictionary, map), 4,
	{-1, 2, INT32_MAX, INT32_MIN}},
	{&dictionary, IDLE, OF(gs_msg_dictionary, count), 7,
	{-1, 0, 2, 4, GS_DICTIONARY_COUNT + 1, INT32_MAX, INT32_MIN}},
	{&dictionary, IDLE, sizeof(gs_msg_dictionary), 4, "size of a value", 6,
	{0, 5, 12, INT32_MAX, INT32_MIN, -1}},
};

#define OUT_OF_RANGE	(sizeof out_of_range / sizeof *out_of_range)

static void
test_ranges(void)
{
	char		copy[4096];

	for (size_t i = 0; i < OUT_OF_RANGE; i++)
	{
		const gs_header *header = out_of_range[i].message;
		int			missed = 0;

		for (int j = 0; j < out_of_range[i].count; j++)
		{
			memcpy(copy, header, header->length);
			memcpy(copy + out_of_range[i].at, &out_of_range[i].value[j],
				   out_of_range[i].width);
			enter(out_of_range[i].state);
			if (out_of_range[i].state >= OPENED)
				fill_slot(header);
			missed += answer_to(copy, header->length, true) !=
				GS_MSG_REFUSED;
			client_close(&b.r.c);
		}
		check(missed == 0, "kind %d: %s out of range", (int) header->kind,
			  out_of_range[i].member);
	}
}

/* What is in the slot, and contradicts itself or the message. */
static void
test_contents(void)
{
	static const gs_page_rows bad[][2] = {
		{{3, 20, 5, 1, 0}, {3, 40, 5, 1, 0}},	/* twice */
		{{3, 20, 5, 1, 0}, {100, 40, 5, 1, 0}}, /* behind the table's end */
		{{3, 20, 5, 1, 0}, {UINT32_MAX, 40, 5, 1, 0}},
		{{3, 20, 5, 1, 0}, {4, 41, 5, 1, 0}},	/* too many rows */
		{{3, 20, 5, 1, 0}, {4, 39, 5, 1, 0}},
		{{3, UINT32_MAX, 5, 1, 0}, {4, 61, 5, 1, 0}},
		{{3, 20, 5, 3, 7}, {4, 40, 5, 1, 0}},	/* no such way to be held */
		{{3, 20, 5, UINT32_MAX, 7}, {4, 40, 5, 1, 0}},
	};
	int			missed = 0;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
	{
		enter(DECIDED);
		fill_slot(&feed);
		memcpy(report_slot(&b.r, 0), bad[i], sizeof bad[i]);
		missed += answer_to(&feed, sizeof feed, true) != GS_MSG_REFUSED;
		client_close(&b.r.c);
	}
	check(missed == 0, "pages that are wrong");

	/* a page that was fed before, or is held */
	enter(DECIDED);
	fill_slot(&feed);
	check(answer_to(&feed, sizeof feed, true) == GS_MSG_FED &&
		  answer_to(&feed, sizeof feed, true) == GS_MSG_REFUSED,
		  "pages that were fed before");
	client_close(&b.r.c);
	enter(UNSURE);
	check(backend_map(&b, true) && b.held.usable == BLOCKS - 64, "held pages");
	fill_slot(&feed);
	check(answer_to(&feed, sizeof feed, true) == GS_MSG_REFUSED,
		  "cannot be fed");
	client_close(&b.r.c);

	missed = 0;
	for (int i = 0; i < 3; i++)
	{
		enter(TABLED);
		map.pages[1].visible |=
			UINT64_C(1) << (i == 0 ? 36 : i == 1 ? 37 : 63);
		missed += answer_to(&map, sizeof map, true) != GS_MSG_REFUSED;
		client_close(&b.r.c);
	}
	check(missed == 0, "bits of pages behind the table's end");
}

/* Tables are found again by number and size, in the same connection. */
static void
test_tables(void)
{
	int			missed = 0;

	enter(LACKING);
	report_end(&b.r);			/* before it has come */
	missed += !begin_with_table(7, 1000) || b.r.opened.lacking != 1;
	report_end(&b.r);
	missed += !begin_with_table(7, 1000) || b.r.opened.lacking != 0;
	report_end(&b.r);
	missed += !begin_with_table(7, 999) || b.r.opened.lacking != 1;
	report_end(&b.r);
	missed += !begin_with_table(8, 1000) || b.r.opened.lacking != 1;
	report_end(&b.r);
	for (int i = 0; i < 2; i++)
	{
		missed += !begin_with_table(0, 1000) || b.r.opened.lacking != 1;
		report_end(&b.r);
	}
	missed += !begin_with_table(7, 1000) || b.r.opened.lacking != 0;
	client_close(&b.r.c);
	client_open(&b.r.c);
	missed += !begin_with_table(7, 1000) || b.r.opened.lacking != 1;
	client_close(&b.r.c);

	/* beyond all memory */
	client_open(&b.r.c);
	missed += begin_with_table(9, INT32_MAX) || b.r.status != GS_NO_MEMORY;
	report_end(&b.r);
	missed += begin_with_table(9, 0);
	client_close(&b.r.c);
	enter(LACKING);
	missed += answer_to(&lookup, sizeof lookup, true) != GS_MSG_FED ||
		answer_to(&lookup, sizeof lookup, true) != GS_MSG_REFUSED;
	client_close(&b.r.c);
	check(missed == 0 && service_is_idle(), "look-up tables");
}

/* Each message in each state: refused, unless it may come. */
static void
test_turns(void)
{
	int			missed = 0;

	for (size_t i = 0; i < MESSAGES; i++)
	{
		const gs_header *header = messages[i].message;

		for (state s = IDLE; s < STATES; s++)
		{
			bool		may = (messages[i].in & IN(s)) != 0;
			uint32_t	answer;

			enter(s);
			if (s >= OPENED)
				fill_slot(header);
			answer = answer_to(header, header->length,
							   !may || messages[i].answer != 0);
			if (answer != (!may ? GS_MSG_REFUSED : messages[i].answer == 0 ?
						   GS_MSG_STATE : messages[i].answer))
			{
				printf("# %s in state %d: %d\n", messages[i].name, s,
					   (int) answer);
				missed++;
			}
			client_close(&b.r.c);
		}
	}
	check(missed == 0 && service_is_idle(), "messages in and out of turn");
}

/* Each word of each message, with all of the plan's. */
static void
test_words(void)
{
	char		copy[4096];
	int			silent = 0;
	int			sent = 0;

	for (size_t i = 0; i < MESSAGES; i++)
	{
		const gs_header *header = messages[i].message;

		for (size_t at = 8; at + 4 <= header->length; at += 4)
		{
			for (size_t j = 0; j < WRONG; j++)
			{
				size_t		width = j % 2 == 0 &&
					at + 8 <= header->length ? 8 : 4;

				if (!is_taken())
					continue;
				memcpy(copy, header, header->length);
				memcpy(copy + at, &wrong[j], width);
				enter(messages[i].state);
				if (messages[i].state >= OPENED)
					fill_slot(header);
				silent += answer_to(copy, header->length, false) == UINT32_MAX;
				client_close(&b.r.c);
				sent++;
			}
		}
	}
	check(silent == 0 && service_is_idle(), "%d messages with wrong words",
		  sent);
}

/* The pages at the beginning of the slot stay as they are. */
#define PAGES_SIZE	64

static _Atomic bool scribbling;

static void *
scribble(void *memory)
{
	while (scribbling)
		random_fill(memory, SLOT_SIZE - PAGES_SIZE);
	return NULL;
}

/* Rows that change while they are read, and are held afterwards. */
static void
test_scribbling(void)
{
	int			silent = 0;

	for (int i = 0; i < 100; i++)
	{
		pthread_t	thread;
		uint32_t	kind;

		if (!is_taken())
			continue;
		enter(DECIDED);
		fill_slot(&feed);
		scribbling = true;
		pthread_create(&thread, NULL, scribble, 
					   report_slot(&b.r, 0) + PAGES_SIZE);
		kind = answer_to(&feed, sizeof feed, true);
		scribbling = false;
		pthread_join(thread, NULL);
		silent += kind != GS_MSG_FED && kind != GS_MSG_REFUSED;
		fill_slot(&look);
		if (kind == GS_MSG_FED)
			silent += answer_to(&look, sizeof look, true) != GS_MSG_PAGES ||
				answer_to(&finish, sizeof finish, true) != GS_MSG_SUMMARY;
		client_close(&b.r.c);
		if (kind != GS_MSG_FED)
			continue;
		client_open(&b.r.c);
		silent += !begin_and_map(&h) || b.held.usable != 2 ||
			answer_to(&finish, sizeof finish, true) != GS_MSG_SUMMARY;
		client_close(&b.r.c);
	}
	check(silent == 0 && service_is_idle(), "rows that change");
}

void
test_report_hostile(void)
{
	heap_init(&h, ++relation, BLOCKS);
	make_messages();
	test_ranges();
	test_contents();
	test_tables();
	test_turns();
	test_words();
	test_scribbling();
}
