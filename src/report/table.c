/*-------------------------------------------------------------------------
 *
 * table.c
 *	  The rows of one table for a report: what the service holds of it, and what
 *	  it lacks.
 *
 * freshness.c finds out which pages need not be read.  All others are, map page
 * by map page: first those that are all-visible, whose
 * rows the service may keep if, after that, the map still says so (LOOK), and
 * then the others.  The bits by which they are told apart are copied once more
 * before.  It does no harm if they are not those of MAP any longer: the service
 * keeps nothing of a map page that has changed, nor of a page whose bit is not
 * set in LOOK.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "access/tableam.h"
#include "access/xlog.h"
#include "catalog/catalog.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/snapmgr.h"

#include "report/pages.h"
#include "report/pause.h"
#include "report/table.h"

/* Why can a report not read this table?  NULL: it can. */
static const char *
refusal(Relation relation, Snapshot snapshot)
{
	if (relation->rd_tableam != GetHeapamTableAmRoutine())
		return "the table's access method is not heap";
	if (!IsMVCCSnapshot(snapshot))
		return "the snapshot is not an ordinary one";
	return NULL;
}

/*
 * Can copies of its pages be told from what the table becomes?  That takes WAL.
 * While old_snapshot_threshold is set, only reading a page tells whether the
 * snapshot is too old for it.
 * A column that this transaction has added, which takes an exclusive lock, may
 * be rolled back, and another one get its number, with another default.  A
 * parallel worker does not know of its leader's locks.
 */
static bool
may_hold(Relation relation)
{
#if PG_VERSION_NUM < 170000
	if (old_snapshot_threshold >= 0)
		return false;
#endif
	return RelationNeedsWAL(relation) && !IsCatalogRelation(relation) &&
		!IsParallelWorker() &&
		!CheckRelationLockedByMe(relation, AccessExclusiveLock, false);
}

static gs_status
send_table(gs_table_run *t, const AttrNumber *attribute)
{
	const RelFileLocator *place = &t->relation->rd_locator;
	gs_msg_table message = {
		.id = {
			.database = MyDatabaseId,
			.tablespace = place->spcOid,
			.relation = place->relNumber
		},
		.blocks = t->blocks,
		.map_blocks = GS_MAP_BLOCKS,
		.keep = t->keep
	};

	for (int c = 0; c < t->run->plan->columns; c++)
		message.attribute[c] = attribute[c];
	return gs_report_tell(t->run, &message, GS_MSG_TABLE, sizeof(message));
}

/* Add a page to the batch's list. */
static void
note_page(struct gs_report_private *p, BlockNumber block, int rows,
		  XLogRecPtr lsn)
{
	gs_page_rows *page = (gs_page_rows *) (p->slot[p->lane] +
										   p->layout.pages) + p->pages++;

	page->block = block;
	page->rows = rows;
	page->lsn = lsn;
}

/* Read the n pages of the list.  keep: their rows may be kept. */
static gs_status
read_pages(gs_table_run *t, int n, bool keep, int64 *rows)
{
	struct gs_report_private *p = t->p;
	gs_status	status = gs_batch_begin(t->run);
	XLogRecPtr	next = gs_page_fetch(t->scan, t->list[0]);

	*rows = 0;
	for (int i = 0; i < n && status == GS_OK; i++)
	{
		XLogRecPtr	lsn = next;
		int			tuples;

		gs_pages_prefetch(t->relation, t->list, n, i, t->distance);
		gs_page_read(t->scan, t->list[i]);
		tuples = t->scan->rs_ntuples;
		if (tuples > p->rows_max)
			return gs_report_refuse(t->run, "a page's rows do not fit a slot");
		if (p->rows.rows + tuples > p->rows_max ||
			(keep && p->pages == p->pages_max))
		{
			status = gs_batch_send(t->run, keep);
			if (status == GS_OK)
				status = gs_batch_begin(t->run);
			if (status != GS_OK)
				return status;
		}
		if (keep)
			note_page(p, t->list[i], tuples, lsn);
		if (i + 1 < n)
			next = gs_page_fetch(t->scan, t->list[i + 1]);
		gs_rows_add(&t->shape, BufferGetPage(t->scan->rs_cbuf),
					t->scan->rs_vistuples, tuples, &p->rows);
		gs_page_release(t->scan);
		*rows += tuples;
		gs_report_pause(GS_PAUSE_PAGE);
	}
	return status == GS_OK ? gs_batch_send(t->run, keep) : status;
}

/* Look at a map page again.  The answer tells what the service keeps. */
static gs_status
look_again(gs_table_run *t, uint32 number, gs_msg_pages *answer)
{
	gs_msg_map	message = {.first = number, .count = 1};
	gs_map_page *map = (gs_map_page *) t->p->slot[0];
	gs_status	status = gs_batch_drain(t->run);

	if (status != GS_OK)
		return status;
	gs_report_pause(GS_PAUSE_LOOK);
	gs_map_copy(t->relation, number, t->blocks, map);
	return gs_report_ask(t->run, &message, GS_MSG_LOOK, sizeof(message),
						 answer);
}

/* Read n pages that are all-visible, to be kept. */
static gs_status
read_visible(gs_table_run *t, uint32 number, int n)
{
	gs_report_stats *stats = &t->run->stats;
	gs_msg_pages answer;
	int64		rows;
	gs_status	status = read_pages(t, n, true, &rows);

	if (status == GS_OK)
		status = look_again(t, number, &answer);
	if (status != GS_OK)
		return status;
	stats->kept_rows += answer.rows;
	stats->kept_pages += answer.usable;
	stats->read_rows += rows - answer.rows;
	stats->read_pages += n - answer.usable;
	return GS_OK;
}

/* Read n pages for this report alone. */
static gs_status
read_once(gs_table_run *t, int n)
{
	int64		rows;
	gs_status	status = read_pages(t, n, false, &rows);

	t->run->stats.read_rows += rows;
	t->run->stats.read_pages += n;
	return status;
}

/* Set t->bits for the pages of a map page that must be read. */
static gs_status
find_unusable(gs_table_run *t, uint32 number, bool usable)
{
	gs_status	status = GS_OK;

	memset(t->bits, 0, GS_MAP_WORDS * sizeof(uint64));
	if (usable)
		status = gs_batch_drain(t->run);
	if (usable && status == GS_OK)
		status = gs_table_ask_usable(t, number);
	for (int i = 0; i < GS_MAP_WORDS; i++)
		t->bits[i] = ~t->bits[i];
	gs_map_first_bits(t->bits, gs_map_pages(number, t->blocks));
	return status;
}

/* Read what the service lacks of a map page's pages. */
static gs_status
read_map_page(gs_table_run *t, uint32 number, bool usable)
{
	gs_status	status = find_unusable(t, number, usable);
	int			n;

	if (status != GS_OK || gs_table_list(t, number, t->bits) == 0)
		return status;
	gs_map_copy(t->relation, number, t->blocks, t->map);
	for (int i = 0; i < GS_MAP_WORDS; i++)
	{
		uint64		bits = t->bits[i];
		uint64		visible = t->map->visible[i];

		t->run->stats.hidden_pages += pg_popcount64(bits & ~visible);
		t->doubts[i] = t->keep ? bits & visible : 0;
		t->bits[i] = bits & ~t->doubts[i];
	}
	n = gs_table_list(t, number, t->doubts);
	if (n > 0)
		status = read_visible(t, number, n);
	n = gs_table_list(t, number, t->bits);
	if (status == GS_OK && n > 0)
		status = read_once(t, n);
	return status;
}

/* Read all pages that the service lacks. */
static gs_status
read_rest(gs_table_run *t, bool usable)
{
	instr_time	waited = t->p->exchange.device;
	instr_time	start;
	instr_time	end;
	gs_status	status = GS_OK;

	INSTR_TIME_SET_CURRENT(start);
	for (uint32 m = 0; m < t->map_pages && status == GS_OK; m++)
		status = read_map_page(t, m, usable);
	if (status == GS_OK)
		status = gs_batch_drain(t->run);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	INSTR_TIME_ADD(end, waited);
	INSTR_TIME_SUBTRACT(end, t->p->exchange.device);
	t->run->stats.read_ms += INSTR_TIME_GET_MILLISEC(end);
	return status;
}

static gs_status
add_table(gs_table_run *t, const AttrNumber *attribute)
{
	int64		usable = 0;
	gs_status	status;

	if (t->blocks == 0)
		return GS_OK;
	status = send_table(t, attribute);
	if (status == GS_OK && t->keep)
		status = gs_table_decide(t, &usable);
	gs_report_pause(GS_PAUSE_DECIDED);
	if (status == GS_OK && usable < t->blocks)
		status = read_rest(t, usable > 0);
	return status;
}

gs_status
gs_report_table(gs_report_run *run, Relation relation,
				const AttrNumber *attribute, Snapshot snapshot)
{
	const char *reason = refusal(relation, snapshot);
	gs_table_run *t;
	gs_status	status;

	if (reason != NULL)
		return gs_report_refuse(run, reason);
	t = palloc0(sizeof(gs_table_run));
	if (!gs_row_shape_init(&t->shape, RelationGetDescr(relation), run->plan,
						   attribute))
		return gs_report_refuse(run, "a column is stored in another way");
	t->run = run;
	t->p = run->private;
	t->relation = relation;
	t->keep = may_hold(relation);
	t->distance = gs_pages_distance(relation);
	t->scan = gs_pages_open(relation, snapshot);
	t->blocks = t->scan->rs_nblocks;
	t->map_pages = (t->blocks + (uint64) GS_MAP_BLOCKS - 1) / GS_MAP_BLOCKS;
	t->map = palloc(gs_map_size(GS_MAP_BLOCKS));
	t->bits = palloc(GS_MAP_WORDS * sizeof(uint64));
	t->doubts = palloc(GS_MAP_WORDS * sizeof(uint64));
	t->list = palloc(GS_MAP_BLOCKS * sizeof(BlockNumber));
	status = add_table(t, attribute);
	gs_pages_close(t->scan);
	if (t->lsns != NULL)
		pfree(t->lsns);
	pfree(t->list);
	pfree(t->doubts);
	pfree(t->bits);
	pfree(t->map);
	pfree(t);
	return status;
}
