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
	int			distance;		/* of prefetching */

	/* of one map page */
	gs_map_page *map;
	uint64	   *bits;
	uint64	   *doubts;
	BlockNumber *list;			/* of pages */
	uint64	   *lsns;			/* NULL until they are needed */
} gs_table_run;

/* freshness.c */
extern gs_status gs_table_decide(gs_table_run *t, int64 *usable);
extern gs_status gs_table_ask_usable(gs_table_run *t, uint32 number);
extern int	gs_table_list(gs_table_run *t, uint32 number,
						  const uint64 *bits);

#endif							/* GS_REPORT_TABLE_H */
