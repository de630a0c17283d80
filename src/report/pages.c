/*-------------------------------------------------------------------------
 *
 * pages.c
 *	  Pages of a heap, and the tuples that a snapshot sees on them.
 *
 * A sequential scan of PostgreSQL's own does the work, one page after another
 * as we name them.  So visibility, pruning, predicate locks, conflicts of
 * serializable transactions, statistics and the choice of buffers are as in
 * any sequential scan.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/tableam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/spccache.h"

#include "report/pages.h"

#define CACHE_LINE		64		/* bytes, at least */

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

static XLogRecPtr
look_at(HeapScanDesc scan, BlockNumber block, bool prefetch)
{
	Buffer		buffer = read_buffer(scan, block);
	const char *page = BufferGetPage(buffer);
	XLogRecPtr	lsn = BufferGetLSNAtomic(buffer);

	for (int i = 0; prefetch && i < BLCKSZ; i += CACHE_LINE)
		__builtin_prefetch(page + i);
	ReleaseBuffer(buffer);
	return lsn;
}

/* The LSN that a page has now. */
XLogRecPtr
gs_page_lsn(HeapScanDesc scan, BlockNumber block)
{
	return look_at(scan, block, false);
}

/*
 * Prepare for a page that will be read soon: while it is on its way to the
 * processor, other work can be done.  Returns the LSN that it has: what will be
 * read is not older.
 */
XLogRecPtr
gs_page_fetch(HeapScanDesc scan, BlockNumber block)
{
	return look_at(scan, block, true);
}

/*
 * Pin a page, in scan->rs_cbuf, until gs_page_release, and note which of its
 * tuples the snapshot sees, in rs_vistuples.
 */
void
gs_page_read(HeapScanDesc scan, BlockNumber block)
{
	CHECK_FOR_INTERRUPTS();
#if PG_VERSION_NUM >= 170000
	scan->rs_cbuf = read_buffer(scan, block);
	scan->rs_cblock = block;
	heap_prepare_pagescan(&scan->rs_base);
#else
	heapgetpage(&scan->rs_base, block);
#endif

	/* pgstat_count_heap_getnext(), of all at once */
	pgstat_count_index_tuples(scan->rs_base.rs_rd, scan->rs_ntuples);
}

void
gs_page_release(HeapScanDesc scan)
{
	Buffer		buffer = scan->rs_cbuf;

	scan->rs_cbuf = InvalidBuffer;
	ReleaseBuffer(buffer);
}

/* How many pages to prefetch; 0: none. */
int
gs_pages_distance(Relation relation)
{
	return get_tablespace_io_concurrency(relation->rd_rel->reltablespace);
}

/*
 * Page i of n in ascending order is about to be read: prefetch the one that
 * will be read `distance` pages later, and before the first page those until
 * then.  The operating system itself reads ahead of neighbours.
 */
void
gs_pages_prefetch(Relation relation, const BlockNumber *block, int n, int i,
				  int distance)
{
	for (int k = i == 0 ? 1 : i + distance; k <= i + distance && k < n; k++)
	{
		if (distance > 0 && block[k] != block[k - 1] + 1)
			(void) PrefetchBuffer(relation, MAIN_FORKNUM, block[k]);
	}
}
