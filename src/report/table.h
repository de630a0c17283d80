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

#include "report/map.h"
#include "report/pages.h"
#include "report/run_private.h"

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

	uint64	   *unusable;		/* pages of some map pages that must be read */

	char	   *maps;			/* all of the map, as MAP says it */
	XLogRecPtr	wal_end;		/* before it was copied: what has been done to a
								 * page since then gave it a later LSN */

	/* of one map page */
	gs_map_page *map;
	uint64	   *bits;
	uint64	   *doubts;
	BlockNumber *list;			/* of pages */
	uint64	   *unchanged;		/* since the map was copied, if they were read */
	uint64	   *lsns;			/* NULL until they are needed */
} gs_table_run;

/* What MAP says of a map page. */
static inline gs_map_page *
gs_table_map(const gs_table_run *t, uint32 number)
{
	return (gs_map_page *) (t->maps + number * gs_map_size(GS_MAP_BLOCKS));
}

/* freshness.c */
extern gs_status gs_table_decide(gs_table_run *t, int64 *usable);
extern uint32 gs_table_usable_max(void);
extern gs_status gs_table_ask_usable(gs_table_run *t, uint32 first,
									 uint32 count, uint64 *usable,
									 uint64 *doubts);
extern int	gs_table_list(gs_table_run *t, uint32 number,
						  const uint64 *bits);

#endif							/* GS_REPORT_TABLE_H */
