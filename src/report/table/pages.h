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
#if PG_VERSION_NUM >= 170000
#include "storage/read_stream.h"
#endif

/* Prefetching of a relation's pages. */
typedef struct gs_prefetch
{
	Relation	relation;
	int			distance;		/* pages; 0: none are prefetched */
	int			there;			/* pages in a row that were in shared buffers */
} gs_prefetch;

/*
 * The pages of a list, in ascending order, one after the other.  Those to come
 * are read ahead, since 17 by a read stream, before by prefetching.
 */
typedef struct gs_page_stream
{
	HeapScanDesc scan;
	const BlockNumber *block;
	int			n;
	int			next;			/* of these, the one to be pinned next */
	Buffer		pinned;			/* and not taken yet, or InvalidBuffer */
	XLogRecPtr	lsn;			/* what will be read of it is not older */
#if PG_VERSION_NUM >= 170000
	int			ahead;			/* how many the read stream has been given */
	ReadStream *stream;
#else
	gs_prefetch *prefetch;
#endif
} gs_page_stream;

extern HeapScanDesc gs_pages_open(Relation relation, Snapshot snapshot);
extern void gs_pages_close(HeapScanDesc scan);
extern XLogRecPtr gs_page_lsn(HeapScanDesc scan, BlockNumber block);
extern void gs_page_stream_open(gs_page_stream *s, HeapScanDesc scan,
								gs_prefetch *prefetch,
								const BlockNumber *block, int n);
extern void gs_page_stream_pin(gs_page_stream *s);
extern Buffer gs_page_stream_take(gs_page_stream *s);
extern void gs_page_stream_close(gs_page_stream *s);
extern void gs_page_read(HeapScanDesc scan, BlockNumber block, Buffer buffer);
extern bool gs_page_is_settled(HeapScanDesc scan, XLogRecPtr *lsn,
							   TransactionId *newest);
extern void gs_page_release(HeapScanDesc scan);
extern void gs_prefetch_init(gs_prefetch *p, Relation relation);
extern void gs_pages_prefetch(gs_prefetch *p, const BlockNumber *block, int n,
							  int i);

#endif							/* GS_REPORT_PAGES_H */
