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

/* The LSN that a page has now. */
XLogRecPtr
gs_page_lsn(HeapScanDesc scan, BlockNumber block)
{
	Buffer		buffer = read_buffer(scan, block);
	XLogRecPtr	lsn = BufferGetLSNAtomic(buffer);

	ReleaseBuffer(buffer);
	return lsn;
}

/*
 * Pin a page, in scan->rs_cbuf, until the next one is read, and note which of
 * its tuples the snapshot sees, in rs_vistuples.  lsn, if not NULL: the LSN
 * that the page had before anybody looked at it, so that what has been read is
 * never older.
 */
void
gs_page_read(HeapScanDesc scan, BlockNumber block, XLogRecPtr *lsn)
{
	CHECK_FOR_INTERRUPTS();
#if PG_VERSION_NUM >= 170000
	if (BufferIsValid(scan->rs_cbuf))
		ReleaseBuffer(scan->rs_cbuf);
	scan->rs_cbuf = InvalidBuffer;
	scan->rs_cbuf = read_buffer(scan, block);
	scan->rs_cblock = block;
	if (lsn != NULL)
		*lsn = BufferGetLSNAtomic(scan->rs_cbuf);
	heap_prepare_pagescan(&scan->rs_base);
#else
	if (lsn != NULL)
		*lsn = gs_page_lsn(scan, block);
	heapgetpage(&scan->rs_base, block);
#endif
	pgstat_count_index_tuples(scan->rs_base.rs_rd, scan->rs_ntuples);
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
