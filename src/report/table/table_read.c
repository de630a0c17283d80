/*-------------------------------------------------------------------------
 *
 * table_read.c
 *	  Pages of a table are read, and their rows are sent to the service.
 *
 * Which rows the service may keep: those of a page that is all-visible, if MAP
 * said so and the page has not changed in between; and those of a page that is
 * settled (protocol/report.h).  LOOK tells which pages these are.
 *
 * A page that has not changed since MAP has an LSN that is not later than the
 * end of the WAL was then: who changes a page clears its bit, which MAP has
 * seen set, before the change is in the WAL.  The same LSN of the map page would
 * say this of all of its pages at once, but it does not stay: a bit of another
 * page that is set changes it, and on 17.11 and 18.6 one that is cleared, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"

#include "pg/progress.h"
#include "report/session/pause.h"
#include "report/table/pages.h"
#include "report/table/table.h"

/* Add a page to the batch's list. */
static void
note_page(struct gs_report_private *p, const gs_page_rows *page)
{
	((gs_page_rows *) (p->slot[p->lane] + p->layout.pages))[p->pages++] =
		*page;
	p->kept += page->keep != GS_KEEP_NOT;
}

/* Are there so many new values in the batch that it must go? */
static bool
codes_are_full(const struct gs_report_private *p, int columns)
{
	for (int c = 0; c < columns; c++)
	{
		if (p->column[c].form == GS_FORM_CODE &&
			gs_dictionary_is_full(p->column[c].dictionary))
			return true;
	}
	return false;
}

/*
 * Is there room for a page's rows in the batch?  If not, begin another one.
 */
static gs_status
make_room(gs_table_run *t, int tuples, gs_page_keep keep)
{
	struct gs_report_private *p = t->p;
	gs_status	status;

	if (tuples > p->rows_max)
		return gs_report_refuse(t->run, "a page's rows do not fit into a slot");
	if (p->rows.rows + tuples <= p->rows_max &&
		(keep == GS_KEEP_NOT || p->pages < p->pages_max) &&
		!codes_are_full(p, t->run->plan->columns))
		return GS_OK;
	status = gs_batch_send(t->run);
	return status == GS_OK ? gs_batch_begin(t->run) : status;
}

/* The page that has just been read, as the service is told of it. */
static gs_page_rows
describe_page(const gs_table_run *t, BlockNumber block, XLogRecPtr before,
			  gs_page_keep keep)
{
	gs_page_rows page = {
		.block = block,
		.rows = t->scan->rs_ntuples,
		.lsn = before,
		.keep = keep
	};
	XLogRecPtr	lsn;

	if (keep != GS_KEEP_SETTLED)
		return page;
	if (gs_page_is_settled(t->scan, &lsn, &page.newest))
		page.lsn = lsn;
	else
		page.keep = GS_KEEP_NOT;
	return page;
}

/*
 * May the page be held?  What has been read of one that is all-visible is what
 * it was when the map was copied, if it has the LSN now that it had before it
 * was read, and that is not a later one.
 */
static bool
is_unchanged(const gs_table_run *t, const gs_page_rows *page)
{
	if (page->keep != GS_KEEP_VISIBLE)
		return page->keep == GS_KEEP_SETTLED;
	return page->lsn <= t->wal_end &&
		BufferGetLSNAtomic(t->scan->rs_cbuf) == page->lsn;
}

static void
note_unchanged(gs_table_run *t, BlockNumber block)
{
	uint32		map = block / GS_MAP_BLOCKS - t->first_map;
	BlockNumber at = block % GS_MAP_BLOCKS;

	t->unchanged[map * GS_MAP_WORDS + at / 64] |=
		UINT64CONST(1) << (at % 64);
}

/* Read a page into a batch, the next one being on its way. */
static gs_status
read_page(gs_table_run *t, gs_page_stream *stream, BlockNumber block,
		  gs_page_keep keep, int64 *rows)
{
	struct gs_report_private *p = t->p;
	XLogRecPtr	before = stream->lsn;
	gs_page_rows page;
	gs_status	status;

	gs_page_read(t->scan, block, gs_page_stream_take(stream));
	page = describe_page(t, block, before, keep);
	status = make_room(t, page.rows, keep);
	if (status != GS_OK)
		return status;
	if (keep != GS_KEEP_NOT)
		note_page(p, &page);
	gs_page_stream_pin(stream);
	gs_rows_add(&t->shape, BufferGetPage(t->scan->rs_cbuf), page.block,
				t->scan->rs_vistuples, page.rows, &p->rows);
	if (is_unchanged(t, &page))
		note_unchanged(t, page.block);
	gs_page_release(t->scan);
	if (p->rows.odd.reason != NULL)
	{
		t->run->odd = p->rows.odd;
		return gs_report_refuse(t->run, p->rows.odd.reason);
	}
	*rows += page.rows;
	return GS_OK;
}

/* So many pages are to be read, about, by this and other processes. */
void
gs_table_watch(gs_table_run *t, int64 pages)
{
	t->pages_expected = 0;
	t->pages_watched = 0;
	t->part = 0;
	for (int c = 0; c < t->run->plan->columns; c++)
	{
		if (t->p->column[c].form != GS_FORM_CODE)
			continue;
		gs_dictionary_watch(t->p->column[c].dictionary);
		if (pages >= GS_GROWTH_PARTS)
			t->pages_expected = pages;
	}
}

/* A page more: would the others be read in vain? */
static gs_status
watch_codes(gs_table_run *t)
{
	int64		part;

	if (t->pages_expected == 0)
		return GS_OK;
	part = ++t->pages_watched * GS_GROWTH_PARTS / t->pages_expected;
	if (part == t->part || part > GS_GROWTH_PARTS)
		return GS_OK;
	t->part = (int) part;
	for (int c = 0; c < t->run->plan->columns; c++)
	{
		gs_dictionary *d = t->p->column[c].dictionary;
		const char *reason = t->p->column[c].form != GS_FORM_CODE ? NULL :
			gs_dictionary_outlook(d, t->part);

		if (reason == NULL)
			continue;
		gs_dictionary_refuse(d, reason);
		return gs_report_refuse(t->run, reason);
	}
	return GS_OK;
}

/*
 * Read the n pages of the list, if any, into a batch, and others as they are
 * full.  keep: as what those that can be are to be held.
 */
static gs_status
read_pages(gs_table_run *t, int n, gs_page_keep keep, int64 *rows)
{
	gs_status	status = GS_OK;
	gs_page_stream stream;

	*rows = 0;
	if (n == 0)
		return GS_OK;
	gs_page_stream_open(&stream, t->scan, &t->prefetch, t->list, n);
	gs_page_stream_pin(&stream);
	for (int i = 0; i < n && status == GS_OK; i++)
	{
		if (t->pages_read++ % PROGRESS_PAGES == 0)
			gs_progress_done(t->pages_read - 1);
		status = read_page(t, &stream, t->list[i], keep, rows);
		if (status == GS_OK)
			status = watch_codes(t);
		if (status == GS_OK)
			gs_report_pause(GS_PAUSE_PAGE);
	}
	gs_page_stream_close(&stream);
	return status;
}

/* Begin to read pages of some map pages. */
static gs_status
begin_reading(gs_table_run *t, uint32 first, uint32 count)
{
	if (t->unchanged == NULL)
		t->unchanged = palloc(Min(t->map_pages, GS_READ_MAPS) *
							  GS_MAP_WORDS * sizeof(uint64));
	t->first_map = first;
	memset(t->unchanged, 0, count * GS_MAP_WORDS * sizeof(uint64));
	return gs_batch_begin(t->run);
}

/*
 * Tell which of the pages that were read may be held.  The answer tells what
 * the service keeps.
 */
static gs_status
tell_unchanged(gs_table_run *t, uint32 count, gs_msg_pages *answer)
{
	gs_msg_map	message = {.first = t->first_map, .count = count};
	gs_status	status = gs_batch_drain(t->run);

	if (status != GS_OK)
		return status;
	gs_report_pause(GS_PAUSE_LOOK);
	for (uint32 i = 0; i < count; i++)
	{
		gs_map_page *map = (gs_map_page *)
			(t->p->slot[0] + i * gs_map_size(GS_MAP_BLOCKS));

		map->lsn = t->maps[t->first_map + i].lsn;
		memcpy(map->visible, t->unchanged + i * GS_MAP_WORDS,
			   GS_MAP_WORDS * sizeof(uint64));
	}
	return gs_report_ask(t->run, &message, GS_MSG_LOOK, sizeof(message),
						 answer);
}

/*
 * Send what is left of a batch, and tell what may be held of map pages of which
 * so many pages with so many rows have been read.
 */
static gs_status
end_reading(gs_table_run *t, uint32 count, bool keep, int64 pages, int64 rows)
{
	gs_report_stats *stats = &t->run->stats;
	gs_msg_pages answer = {.usable = 0};
	gs_status	status = gs_batch_send(t->run);

	if (status == GS_OK && keep)
		status = tell_unchanged(t, count, &answer);
	if (status != GS_OK)
		return status;
	stats->kept_rows += answer.rows;
	stats->kept_pages += answer.usable;
	stats->read_rows += rows - answer.rows;
	stats->read_pages += pages - answer.usable;
	return GS_OK;
}

/* Read n pages of a map page that are all-visible, to be kept. */
static gs_status
read_visible(gs_table_run *t, uint32 number, int n)
{
	gs_status	status = begin_reading(t, number, 1);
	int64		rows;

	if (status == GS_OK)
		status = read_pages(t, n, GS_KEEP_VISIBLE, &rows);
	return status == GS_OK ? end_reading(t, 1, true, n, rows) : status;
}

/*
 * Of a map page's pages that must be read, read those that are all-visible, if
 * any may be kept.  Bits of the others stay set.
 */
gs_status
gs_table_read_visible(gs_table_run *t, uint32 number, uint64 *bits)
{
	int			n;

	if (gs_table_list(t, number, bits) == 0)
		return GS_OK;
	if (t->map == NULL)
	{
		t->map = palloc(sizeof(gs_map));
		t->bits = palloc(GS_MAP_WORDS * sizeof(uint64));
	}
	gs_map_copy(t->relation, number, t->blocks, t->map);
	for (int i = 0; i < GS_MAP_WORDS; i++)
	{
		uint64		visible = t->map->visible[i];

		t->run->stats.hidden_pages += pg_popcount64(bits[i] & ~visible);
		t->bits[i] = t->keep ? bits[i] & visible : 0;
		bits[i] &= ~t->bits[i];
	}
	n = gs_table_list(t, number, t->bits);
	return n > 0 ? read_visible(t, number, n) : GS_OK;
}

/* Read the pages whose bits are set, of some map pages. */
gs_status
gs_table_read_others(gs_table_run *t, uint32 first, uint32 count,
					 const uint64 *bits)
{
	gs_status	status = begin_reading(t, first, count);
	int64		pages = 0;
	int64		rows = 0;

	for (uint32 i = 0; i < count && status == GS_OK; i++)
	{
		int			n = gs_table_list(t, first + i, bits + i * GS_MAP_WORDS);
		int64		more;

		status = read_pages(t, n, t->keep ? GS_KEEP_SETTLED : GS_KEEP_NOT, &more);
		pages += n;
		rows += more;
	}
	if (status != GS_OK || pages == 0)
		return status;
	return end_reading(t, count, t->keep, pages, rows);
}
