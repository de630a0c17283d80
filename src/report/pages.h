/*-------------------------------------------------------------------------
 *
 * pages.h
 *	  Pages of a heap, and the tuples that a snapshot sees on them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_PAGES_H
#define GS_REPORT_PAGES_H

#include "access/heapam.h"

/* Prefetching of a relation's pages. */
typedef struct gs_prefetch
{
	Relation	relation;
	int			distance;		/* pages; 0: none are prefetched */
	int			there;			/* pages in a row that were in shared buffers */
} gs_prefetch;

extern HeapScanDesc gs_pages_open(Relation relation, Snapshot snapshot);
extern void gs_pages_close(HeapScanDesc scan);
extern XLogRecPtr gs_page_lsn(HeapScanDesc scan, BlockNumber block);
extern Buffer gs_page_pin(HeapScanDesc scan, BlockNumber block,
						  XLogRecPtr *lsn);
extern void gs_page_read(HeapScanDesc scan, BlockNumber block, Buffer buffer);
extern bool gs_page_is_settled(HeapScanDesc scan, XLogRecPtr *lsn,
							   TransactionId *newest);
extern void gs_page_release(HeapScanDesc scan);
extern void gs_prefetch_init(gs_prefetch *p, Relation relation);
extern void gs_pages_prefetch(gs_prefetch *p, const BlockNumber *block, int n,
							  int i);

#endif							/* GS_REPORT_PAGES_H */
