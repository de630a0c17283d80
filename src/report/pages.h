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

extern HeapScanDesc gs_pages_open(Relation relation, Snapshot snapshot);
extern void gs_pages_close(HeapScanDesc scan);
extern XLogRecPtr gs_page_lsn(HeapScanDesc scan, BlockNumber block);
extern XLogRecPtr gs_page_fetch(HeapScanDesc scan, BlockNumber block);
extern void gs_page_read(HeapScanDesc scan, BlockNumber block);
extern void gs_page_release(HeapScanDesc scan);
extern int	gs_pages_distance(Relation relation);
extern void gs_pages_prefetch(Relation relation, const BlockNumber *block,
							  int n, int i, int distance);

#endif							/* GS_REPORT_PAGES_H */
