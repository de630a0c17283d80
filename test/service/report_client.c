/*-------------------------------------------------------------------------
 *
 * report_client.c
 *	  The client's part of a report, message by message.
 *
 *-------------------------------------------------------------------------
 */
#include "report_client.h"

/* Receive an answer of a kind; all but SUMMARY and OPENED are small. */
static bool
receive(report_client *r, gs_message kind, void *answer, size_t size)
{
	const gs_outcome *outcome =
		(const gs_outcome *) (r->c.buffer + sizeof(gs_header));

	uint32_t	got;

	r->status = GS_INVALID;
	do
		got = client_receive(&r->c);
	while (got == GS_MSG_WAITING && kind == GS_MSG_SUMMARY);
	if (got != (uint32_t) kind || r->c.got != (ssize_t) size)
		return false;
	memcpy(answer, r->c.buffer, size);
	r->status = (gs_status) outcome->status;
	return r->status == GS_OK;
}

static bool
exchange_pages(report_client *r, void *message, gs_message kind, size_t size)
{
	client_send(&r->c, message, kind, size);
	return receive(r, GS_MSG_PAGES, &r->pages, sizeof r->pages);
}

/* The bytes of a table, in parts of which the first is small. */
bool
report_lookup(report_client *r, int i, const gs_plan_table *table)
{
	int64_t		size = table->size * (int64_t) sizeof(gs_value);

	for (int64_t at = 0; at < size;)
	{
		gs_msg_lookup m = {.table = i, .first = at, .size = size - at};
		gs_msg_fed	fed;

		if (at == 0 && m.size > 3)
			m.size = 3;
		if (m.size > (int64_t) r->c.welcome.slot_size)
			m.size = (int64_t) r->c.welcome.slot_size;
		memcpy(report_slot(r, 0), (const char *) table->value + at,
			   (size_t) m.size);
		client_send(&r->c, &m, GS_MSG_LOOKUP, sizeof m);
		if (!receive(r, GS_MSG_FED, &fed, sizeof fed))
			return false;
		at += m.size;
	}
	return true;
}

static bool
send_tables(report_client *r, const gs_plan *plan)
{
	for (int i = 0; i < plan->tables; i++)
	{
		if ((r->opened.lacking >> i & 1) != 0 &&
			!report_lookup(r, i, &plan->table[i]))
			return false;
	}
	return true;
}

/* The stages in parts, of which the first two are small. */
bool
report_begin_stages(report_client *r, const gs_stage *stage, int stages,
					int lanes)
{
	static _Thread_local union
	{
		gs_msg_report report;
		gs_msg_plan plan;
		char		space[GS_MESSAGE_MAX];
	}			m;
	size_t		size = gs_stages_packed_size(stage, stages);
	char	   *packed = calloc(1, size + 8);
	size_t		at = size < 4 ? size : 4;

	r->plan = &stage->plan;
	r->lane = 0;
	gs_stages_pack(stage, stages, packed);
	m.report = (gs_msg_report) {
		.plan_size = (int64_t) size, .lanes = lanes
	};
	memcpy(m.space + sizeof m.report, packed, at);
	client_send(&r->c, &m, GS_MSG_REPORT, sizeof m.report + at);
	while (at < size)
	{
		size_t		part = at == 4 ? 1 : GS_MESSAGE_MAX - sizeof m.plan;

		part = part < size - at ? part : size - at;
		m.plan = (gs_msg_plan) {.first = (int64_t) at};
		memcpy(m.space + sizeof m.plan, packed + at, part);
		client_send(&r->c, &m, GS_MSG_PLAN, sizeof m.plan + part);
		at += part;
	}
	free(packed);
	return receive(r, GS_MSG_OPENED, &r->opened, sizeof r->opened) &&
		send_tables(r, &stage->plan);
}

bool
report_begin(report_client *r, const gs_plan *plan, int lanes)
{
	const gs_stage stage = {.plan = *plan};
	bool		good = report_begin_stages(r, &stage, 1, lanes);

	r->plan = plan;
	return good;
}

void
report_table(report_client *r, const gs_table_id *id, uint32_t blocks,
			 uint32_t map_blocks, bool keep, const int16_t *attribute)
{
	r->table = (gs_msg_table) {
		.id = *id, .blocks = blocks, .map_blocks = map_blocks, .keep = keep,
		.xmin = r->xmin
	};
	for (int i = 0; i < GS_PLAN_COLUMNS; i++)
		r->table.attribute[i] = attribute != NULL && i < r->plan->columns ?
			attribute[i] : (int16_t) (i + 1);
	memcpy(r->table.dictionary, r->dictionary, sizeof r->dictionary);
	client_send(&r->c, &r->table, GS_MSG_TABLE, sizeof r->table);
}

/* A map page of these, as MAP has it; how many bytes that are. */
static size_t
put_map_page(const report_client *r, const void *map, uint32_t at, char *to)
{
	uint32_t	blocks = r->table.map_blocks;
	const gs_map_page *page = (const gs_map_page *)
		((const char *) map + at * gs_map_size(blocks));
	uint64_t	n = r->table.blocks - (uint64_t) at * blocks;
	gs_map_part part = {.lsn = page->lsn, .all = 1};
	size_t		size;

	n = n < blocks ? n : blocks;
	for (uint64_t i = 0; i < n; i++)
		part.all &= page->visible[i / 64] >> (i % 64) & 1;
	size = gs_map_part_size(part.all != 0, blocks);
	memcpy(to, &part, sizeof part);
	memcpy(to + sizeof part, page->visible, size - sizeof part);
	return size;
}

/* The first part is small. */
bool
report_map(report_client *r, const void *map, bool final)
{
	static _Thread_local union
	{
		gs_msg_map	map;
		char		space[GS_MESSAGE_MAX];
	}			m;
	uint32_t	maps = report_maps(r);
	uint32_t	at = 0;

	while (at < maps)
	{
		size_t		size = sizeof m.map;

		m.map = (gs_msg_map) {
			.first = at, .final = final, .whole = r->whole
		};
		do
			size += put_map_page(r, map, at++, m.space + size);
		while (m.map.first > 0 && at < maps &&
			   size + gs_map_part_size(false, r->table.map_blocks) <= sizeof m);
		m.map.count = at - m.map.first;
		client_send(&r->c, &m, GS_MSG_MAP, size);
	}
	return receive(r, GS_MSG_PAGES, &r->pages, sizeof r->pages);
}

bool
report_look(report_client *r, const void *map)
{
	size_t		size = gs_map_size(r->table.map_blocks);
	uint32_t	most = (uint32_t) (r->c.welcome.slot_size / size);
	uint32_t	maps = report_maps(r);

	for (uint32_t at = 0; at < maps; at += most)
	{
		gs_msg_map	m = {.first = at, .count = maps - at};

		m.count = m.count < most ? m.count : most;
		memcpy(report_slot(r, 0), (const char *) map + at * size,
			   m.count * size);
		if (!exchange_pages(r, &m, GS_MSG_LOOK, sizeof m))
			return false;
	}
	return true;
}

bool
report_usable(report_client *r, uint64_t *usable)
{
	size_t		words = gs_map_words(r->table.map_blocks);

	for (uint32_t i = 0; i < report_maps(r); i++)
	{
		gs_msg_map	m = {.first = i, .count = 1};

		if (!exchange_pages(r, &m, GS_MSG_USABLE, sizeof m))
			return false;
		memcpy(usable + i * words, report_slot(r, 0),
			   words * sizeof(uint64_t));
	}
	return true;
}

bool
report_lsns(report_client *r, uint32_t most, uint64_t *lsn)
{
	const gs_listed_page *page =
	(const gs_listed_page *) report_slot(r, 0);
	uint32_t	at = 0;

	memset(lsn, 0, r->table.blocks * sizeof *lsn);
	while (at < r->table.blocks)
	{
		gs_msg_lsns m = {.first = at, .count = most};

		if (!exchange_pages(r, &m, GS_MSG_LSNS, sizeof m) ||
			r->pages.verify > most)
			return false;
		if (r->pages.verify == 0)
			break;
		for (int64_t i = 0; i < r->pages.verify; i++)
		{
			if (page[i].block < at || page[i].block >= r->table.blocks ||
				page[i].lsn == 0)
				return false;
			lsn[page[i].block] = page[i].lsn;
			at = page[i].block + 1;
		}
	}
	return true;
}

bool
report_verified(report_client *r, uint32_t map, const uint64_t *bits)
{
	gs_msg_map	m = {.first = map, .count = 1};

	memcpy(report_slot(r, 0), bits,
		   gs_map_words(r->table.map_blocks) * sizeof(uint64_t));
	return exchange_pages(r, &m, GS_MSG_VERIFIED, sizeof m);
}

/* With a page for each row. */
int64_t
report_rows_max(const report_client *r)
{
	return gs_slot_rows(r->plan, 1, r->c.welcome.slot_size);
}

bool
report_rows(report_client *r, int64_t rows, const void *const *values,
			const bool *const *null, const gs_page_rows *page, int64_t pages)
{
	gs_msg_feed_rows m = {
		.rows_max = rows, .pages_max = pages, .rows = rows, .pages = pages,
		.lane = r->lane
	};
	char	   *slot = report_slot(r, r->lane);
	gs_rows_layout layout;
	gs_msg_fed	fed;

	r->lane = (r->lane + 1) % r->opened.lanes;
	gs_lay_rows(r->plan, rows, pages, &layout);
	if (pages > 0)
		memcpy(slot + layout.pages, page, (size_t) pages * sizeof *page);
	for (int c = 0; c < r->plan->columns && rows > 0; c++)
	{
		uint8_t    *bits = (uint8_t *) slot + layout.validity[c];

		memcpy(slot + layout.values[c], values[c],
			   (size_t) rows * (size_t) gs_type_width(r->plan->column[c]));
		if (null[c] == NULL)
			continue;
		m.nulls |= UINT64_C(1) << c;
		memset(bits, 0, ((size_t) rows + 7) / 8);
		for (int64_t i = 0; i < rows; i++)
			bits[i / 8] |= (uint8_t) (!null[c][i] << i % 8);
	}
	client_send(&r->c, &m, GS_MSG_FEED_ROWS, sizeof m);
	return receive(r, GS_MSG_FED, &fed, sizeof fed);
}

bool
report_finish(report_client *r)
{
	gs_msg_finish_report m = {.groups_max = r->groups_max};

	client_send(&r->c, &m, GS_MSG_FINISH_REPORT, sizeof m);
	return receive(r, GS_MSG_SUMMARY, &r->summary, sizeof r->summary);
}

bool
report_groups(report_client *r, int column, int64_t first, int64_t count)
{
	gs_msg_groups m = {.first = first, .count = count, .column = column};

	return exchange_pages(r, &m, GS_MSG_GROUPS, sizeof m);
}

void
report_end(report_client *r)
{
	gs_header	m;

	client_send(&r->c, &m, GS_MSG_END, sizeof m);
}
