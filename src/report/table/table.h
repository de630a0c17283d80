/*-------------------------------------------------------------------------
 *
 * table.h
 *	  One table of a report, while it is dealt with.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_TABLE_H
#define GS_REPORT_TABLE_H

#include "access/heapam.h"

#include "report/table/map.h"
#include "report/table/pages.h"
#include "report/table/run_private.h"

typedef struct gs_table_run
{
	gs_report_run *run;
	struct gs_report_private *p;
	Relation	relation;
	HeapScanDesc scan;
	BlockNumber blocks;
	uint32		map_pages;
	bool		keep;
	gs_row_shape shape;
	gs_prefetch prefetch;

	/* of some map pages, pages that */
	uint64	   *unusable;		/* must be read */
	uint64	   *unchanged;		/* may be held, since they have been read; NULL:
								 * none has been */
	uint32		first_map;		/* of these map pages */

	int64		pages_read;

	/* of columns of codes (dictionary_growth.c): how many pages there will be */
	int64		pages_expected; /* 0: it does not matter */
	int64		pages_watched;
	int			part;

	bool		verified;		/* VERIFIED has been sent, and not answered yet */

	gs_map	   *maps;			/* all of the map, as MAP says it */
	XLogRecPtr	wal_end;		/* before it was copied: what has been done to a
								 * page since then gave it a later LSN */

	/* of one map page that is read; NULL: none has been */
	gs_map	   *map;
	uint64	   *bits;
	BlockNumber *list;			/* of pages; NULL: none have been listed */
} gs_table_run;

/* The pages of so many map pages are read at a time. */
#define GS_READ_MAPS	32

/* After so many pages, others hear how many there were. */
#define PROGRESS_PAGES	32

/* freshness.c */
extern XLogRecPtr gs_table_copy_map(Relation relation, BlockNumber blocks,
									gs_map *maps);
extern gs_status gs_table_tell_map(gs_table_run *t, bool final, bool whole);
extern gs_status gs_table_send_map(gs_table_run *t, bool final,
								   gs_msg_pages *answer);
extern void gs_table_add_held(gs_table_run *t, const gs_msg_pages *answer);
extern gs_status gs_table_decide(gs_table_run *t, int64 *usable);
extern uint32 gs_table_maps_max(void);
extern gs_status gs_table_ask_usable(gs_table_run *t, uint32 first,
									 uint32 count, uint64 *usable);
extern int	gs_table_list(gs_table_run *t, uint32 number,
						  const uint64 *bits);

/* table.c */
extern bool gs_table_may_hold(Relation relation, Snapshot snapshot);
extern void gs_table_columns(Oid table, const gs_report_input *input,
							 int columns, gs_report_column *own);
extern gs_table_run *gs_table_open(gs_report_run *run, Relation relation,
								   const gs_report_column *column,
								   Snapshot snapshot, bool keep);
extern void gs_table_close(gs_table_run *t);
extern gs_status gs_table_tell(gs_table_run *t);

/* table_read.c */
extern void gs_table_watch(gs_table_run *t, int64 pages);
extern gs_status gs_table_read_visible(gs_table_run *t, uint32 number,
									   uint64 *bits);
extern gs_status gs_table_read_others(gs_table_run *t, uint32 first,
									  uint32 count, const uint64 *bits);

#endif							/* GS_REPORT_TABLE_H */
