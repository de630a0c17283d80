/*-------------------------------------------------------------------------
 *
 * pages.c
 *	  Pages of a heap, and the tuples that a snapshot sees on them.
 *
 * They are read by a sequential scan of PostgreSQL's own, one page after
 * another as we name them.  So predicate locks, statistics and the choice of
 * buffers are as in any sequential scan, and so is what is done for each page:
 * it is pruned, and its tuples are tested while its lock is held.  Where a test
 * is about the snapshot alone, as almost always, the loop over the tuples is
 * ours: PostgreSQL's own makes calls for each of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tableam.h"
#include "access/transam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/spccache.h"

#include "report/table/pages.h"

#define CACHE_LINE		64		/* bytes, at least */

/*
 * Once so many pages in a row needed no reading ahead, since they were in
 * shared buffers, only every nth is looked for.
 */
#define PREFETCH_TRIES	64
#define PREFETCH_STEP	16

/* Pages of which the session knows the buffers: 512 MB of tables. */
#define LAST_BUFFERS	65536

/*
 * Start a scan.  Its rs_nblocks is the table's size from now on: tuples on
 * later pages are too new for the snapshot.
 */
HeapScanDesc
gs_pages_open(Relation relation, Snapshot snapshot)
{
	return (HeapScanDesc) table_beginscan_strat(relation, snapshot, 0, NULL,
												true, false);
}

void
gs_pages_close(HeapScanDesc scan)
{
	table_endscan(&scan->rs_base);
}

static Buffer
read_buffer(HeapScanDesc scan, BlockNumber block)
{
	return ReadBufferExtended(scan->rs_base.rs_rd, MAIN_FORKNUM, block,
							  RBM_NORMAL, scan->rs_strategy);
}

/*
 * The same, for pages that are looked at again and again: where one is in shared
 * buffers takes longer to find out than to look at it there, so the buffer that it
 * was in is tried first.
 */
static Buffer
read_again(HeapScanDesc scan, BlockNumber block)
{
	static Buffer *last;		/* that had a page whose number ends so */
	Relation	relation = scan->rs_base.rs_rd;
	Buffer	   *buffer;

	if (last == NULL)
		last = MemoryContextAllocZero(TopMemoryContext,
									  LAST_BUFFERS * sizeof(Buffer));
	buffer = &last[block % LAST_BUFFERS];
#if PG_VERSION_NUM >= 140000
	if (*buffer > 0 && ReadRecentBuffer(relation->rd_locator, MAIN_FORKNUM,
										block, *buffer))
		return *buffer;
#else
	(void) relation;
#endif
	return *buffer = read_buffer(scan, block);
}

/* The LSN that a page has now. */
XLogRecPtr
gs_page_lsn(HeapScanDesc scan, BlockNumber block)
{
	Buffer		buffer = read_again(scan, block);
	XLogRecPtr	lsn = BufferGetLSNAtomic(buffer);

	ReleaseBuffer(buffer);
	return lsn;
}

/*
 * Is what the snapshot sees of a page decided by nothing but the snapshot and
 * the tuples?  Not if conflicts of serializable transactions, or
 * old_snapshot_threshold, may raise errors.
 */
static bool
is_simple(HeapScanDesc scan)
{
	Snapshot	snapshot = scan->rs_base.rs_snapshot;

#if PG_VERSION_NUM < 170000
	if (old_snapshot_threshold >= 0)
		return false;
#elif PG_VERSION_NUM >= 190000
	/* pruning takes more there */
	return false;
#endif
	return snapshot->snapshot_type == SNAPSHOT_MVCC &&
		!CheckForSerializableConflictOutNeeded(scan->rs_base.rs_rd, snapshot);
}

/*
 * Do a tuple's hints alone tell that the snapshot sees it?  HeapTupleSatisfies-
 * Visibility says the same of such a tuple: it was inserted by a transaction
 * that committed before any that the snapshot takes for running, and not
 * deleted.  *before: one that is known to be of this kind.
 */
static inline bool
is_plainly_visible(HeapTupleHeader tuple, Snapshot snapshot,
				   TransactionId *before)
{
	uint16		hints = tuple->t_infomask &
	(HEAP_XMIN_FROZEN | HEAP_XMAX_INVALID);
	TransactionId xmin = HeapTupleHeaderGetRawXmin(tuple);

	if (hints == (HEAP_XMIN_FROZEN | HEAP_XMAX_INVALID))
		return true;
	if (hints != (HEAP_XMIN_COMMITTED | HEAP_XMAX_INVALID))
		return false;
	if (xmin == *before)
		return true;
	if (!TransactionIdPrecedes(xmin, snapshot->xmin))
		return false;
	*before = xmin;
	return true;
}

static bool
is_visible(HeapScanDesc scan, ItemId item, OffsetNumber offset)
{
	HeapTupleData tuple;

	tuple.t_tableOid = RelationGetRelid(scan->rs_base.rs_rd);
	tuple.t_data = (HeapTupleHeader) PageGetItem(BufferGetPage(scan->rs_cbuf),
												 item);
	tuple.t_len = ItemIdGetLength(item);
	ItemPointerSet(&tuple.t_self, scan->rs_cblock, offset);
	return HeapTupleSatisfiesVisibility(&tuple, scan->rs_base.rs_snapshot,
										scan->rs_cbuf);
}

/* Note which of the tuples of the page in scan->rs_cbuf the snapshot sees. */
static void
find_visible(HeapScanDesc scan)
{
	Page		page = BufferGetPage(scan->rs_cbuf);
	Snapshot	snapshot = scan->rs_base.rs_snapshot;
	bool		all = PageIsAllVisible(page) && !snapshot->takenDuringRecovery;
	OffsetNumber lines = PageGetMaxOffsetNumber(page);
	TransactionId before = InvalidTransactionId;
	int			n = 0;

	for (OffsetNumber i = FirstOffsetNumber; i <= lines; i++)
	{
		ItemId		item = PageGetItemId(page, i);

		if (ItemIdIsNormal(item) &&
			(all || is_plainly_visible((HeapTupleHeader)
									   PageGetItem(page, item), snapshot,
									   &before) ||
			 is_visible(scan, item, i)))
			scan->rs_vistuples[n++] = i;
	}
	scan->rs_ntuples = n;
}

/* What a sequential scan does for a page. */
static void
read_simple(HeapScanDesc scan)
{
#if PG_VERSION_NUM < 190000
	heap_page_prune_opt(scan->rs_base.rs_rd, scan->rs_cbuf);
#endif
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_SHARE);
	find_visible(scan);
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_UNLOCK);
}

/*
 * Read a page that is pinned, in scan->rs_cbuf until gs_page_release, and note
 * which of its tuples the snapshot sees, in rs_vistuples.
 */
void
gs_page_read(HeapScanDesc scan, BlockNumber block, Buffer buffer)
{
	CHECK_FOR_INTERRUPTS();
	scan->rs_cbuf = buffer;
	scan->rs_cblock = block;
	if (is_simple(scan))
		read_simple(scan);
	else
	{
#if PG_VERSION_NUM >= 170000
		heap_prepare_pagescan(&scan->rs_base);
#else
		/* it pins the page itself, and releases what was pinned */
		heapgetpage(&scan->rs_base, block);
#endif
	}

	/* pgstat_count_heap_getnext(), of all at once */
	pgstat_count_index_tuples(scan->rs_base.rs_rd, scan->rs_ntuples);
}

/*
 * Is the page that has been read settled: does the snapshot see all of its
 * tuples, for what their hints say?  Then each snapshot that takes neither
 * *newest nor an earlier transaction for running sees just these, as long as the
 * page has *lsn: what might change that is in the WAL.
 *
 * A page without an LSN, whose rows were written without WAL, is not: once the
 * table has been truncated, another one at the same place may have none, either,
 * as long as it is empty.
 *
 * The page may have changed since it was read, but what the snapshot sees of it
 * has not.
 */
bool
gs_page_is_settled(HeapScanDesc scan, XLogRecPtr *lsn, TransactionId *newest)
{
	Page		page = BufferGetPage(scan->rs_cbuf);
	TransactionId before = InvalidTransactionId;
	OffsetNumber lines;
	bool		settled =
	scan->rs_base.rs_snapshot->snapshot_type == SNAPSHOT_MVCC;

	*newest = InvalidTransactionId;
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_SHARE);
	lines = PageGetMaxOffsetNumber(page);
	for (OffsetNumber i = FirstOffsetNumber; i <= lines && settled; i++)
	{
		ItemId		item = PageGetItemId(page, i);
		HeapTupleHeader tuple;

		if (!ItemIdIsNormal(item))
			continue;
		tuple = (HeapTupleHeader) PageGetItem(page, item);
		settled = is_plainly_visible(tuple, scan->rs_base.rs_snapshot,
									 &before);
		if (before != *newest && (*newest == InvalidTransactionId ||
								  TransactionIdFollows(before, *newest)))
			*newest = before;
	}
	*lsn = BufferGetLSNAtomic(scan->rs_cbuf);
	LockBuffer(scan->rs_cbuf, BUFFER_LOCK_UNLOCK);
	return settled && !XLogRecPtrIsInvalid(*lsn);
}

void
gs_page_release(HeapScanDesc scan)
{
	Buffer		buffer = scan->rs_cbuf;

	scan->rs_cbuf = InvalidBuffer;
	ReleaseBuffer(buffer);
}

/* Prefetch as many pages ahead as the tablespace's setting says. */
void
gs_prefetch_init(gs_prefetch *p, Relation relation)
{
	p->relation = relation;
	p->distance =
		get_tablespace_io_concurrency(relation->rd_rel->reltablespace);
	p->there = 0;
}

/*
 * Page i of n in ascending order is about to be read: prefetch the one that
 * will be read `distance` pages later, and before the first page those until
 * then.  The operating system itself reads ahead of neighbours.
 */
void
gs_pages_prefetch(gs_prefetch *p, const BlockNumber *block, int n, int i)
{
	int			last = Min(i + p->distance, n - 1);

	if (p->distance == 0)
		return;
	for (int k = i == 0 ? 1 : i + p->distance; k <= last; k++)
	{
		if (block[k] == block[k - 1] + 1 ||
			(p->there >= PREFETCH_TRIES && k % PREFETCH_STEP != 0))
			continue;
		if (PrefetchBuffer(p->relation, MAIN_FORKNUM, block[k]).initiated_io)
			p->there = 0;
		else
			p->there++;
	}
}

#if PG_VERSION_NUM >= 170000
/* The page that the read stream is to read next. */
static BlockNumber
next_block(ReadStream *stream pg_attribute_unused(), void *arg,
		   void *per_buffer pg_attribute_unused())
{
	gs_page_stream *s = arg;

	return s->ahead < s->n ? s->block[s->ahead++] : InvalidBlockNumber;
}
#endif

/* block and prefetch are used until the stream is closed. */
void
gs_page_stream_open(gs_page_stream *s, HeapScanDesc scan,
					gs_prefetch *prefetch pg_attribute_unused(),
					const BlockNumber *block, int n)
{
	memset(s, 0, sizeof(gs_page_stream));
	s->scan = scan;
	s->block = block;
	s->n = n;
	s->pinned = InvalidBuffer;
#if PG_VERSION_NUM >= 170000
	s->stream = read_stream_begin_relation(READ_STREAM_DEFAULT,
										   scan->rs_strategy,
										   scan->rs_base.rs_rd, MAIN_FORKNUM,
										   next_block, s, 0);
#else
	s->prefetch = prefetch;
#endif
}

/*
 * Pin the next page, if there is another: while it is on its way to the
 * processor, other work can be done.
 */
void
gs_page_stream_pin(gs_page_stream *s)
{
	const char *page;

	if (s->next == s->n)
		return;
#if PG_VERSION_NUM >= 170000
	s->pinned = read_stream_next_buffer(s->stream, NULL);
#else
	gs_pages_prefetch(s->prefetch, s->block, s->n, s->next);
	s->pinned = read_buffer(s->scan, s->block[s->next]);
#endif
	s->next++;
	s->lsn = BufferGetLSNAtomic(s->pinned);
	page = BufferGetPage(s->pinned);
	for (int i = 0; i < BLCKSZ; i += CACHE_LINE)
		__builtin_prefetch(page + i);
}

/* The page that was pinned; the pin is the caller's from now on. */
Buffer
gs_page_stream_take(gs_page_stream *s)
{
	Buffer		buffer = s->pinned;

	s->pinned = InvalidBuffer;
	return buffer;
}

void
gs_page_stream_close(gs_page_stream *s)
{
	if (BufferIsValid(s->pinned))
		ReleaseBuffer(s->pinned);
#if PG_VERSION_NUM >= 170000
	read_stream_end(s->stream);
#endif
}
