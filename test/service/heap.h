/*-------------------------------------------------------------------------
 *
 * heap.h
 *	  A table, as a backend sees it: pages that change, their LSNs, and the
 *	  visibility map; and a backend that makes a report of it.
 *
 * Rows have three columns, whose values follow from page, row and the version
 * of the page.  Everything is as in PostgreSQL as far as gpuscand can tell: a
 * change of a page clears its bit and gives it a new LSN; setting bits gives
 * the map page a new LSN, and no bit is set as long as some report would see
 * other rows.  A page that has changed is settled at once, for those who see the
 * change: the time of the change, which begins before ids of transactions wrap
 * around, is the one that made it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef HEAP_H
#define HEAP_H

#include "report_client.h"

#define HEAP_MAP_BLOCKS	64
#define HEAP_MAPS		4
#define HEAP_BLOCKS		(HEAP_MAPS * HEAP_MAP_BLOCKS)
#define HEAP_COLUMNS	3		/* int4, few different; int8; float8 */

/* A map page of so many pages, as gs_map_page. */
typedef struct heap_map
{
	uint64_t	lsn;
	uint64_t	visible;
} heap_map;

typedef struct heap
{
	gs_table_id id;
	uint32_t	blocks;
	uint64_t	lsn;			/* the last one given */
	int64_t		time;			/* counts changes */
	uint64_t	page_lsn[HEAP_BLOCKS];
	int			version[HEAP_BLOCKS];
	int64_t		changed[HEAP_BLOCKS];	/* when */
	heap_map	map[HEAP_MAPS];
} heap;

extern void heap_init(heap *h, uint32_t relation, uint32_t blocks);
extern void heap_change(heap *h, uint32_t block);

/* The transaction that made what page or snapshot is of this time. */
extern uint32_t heap_xid(int64_t time);

/* Set all bits of a map page, but of pages that changed at `oldest` or later. */
extern void heap_vacuum(heap *h, uint32_t map, int64_t oldest);
extern void heap_vacuum_all(heap *h);

/* What a report of some of the columns is made by, step by step. */
typedef struct backend
{
	report_client r;
	heap	   *h;
	int			columns;
	int16_t		attribute[HEAP_COLUMNS];
	uint8_t		column[HEAP_COLUMNS];
	gs_aggregate aggregate[2];
	gs_plan		plan;

	/* taken at the beginning */
	int64_t		snapshot;
	uint32_t	blocks;
	int			version[HEAP_BLOCKS];

	heap_map	map[HEAP_MAPS]; /* as it was copied last */
	gs_msg_pages held;			/* the last answer to MAP */
	uint64_t	usable[HEAP_MAPS];	/* pages that need not be read */
	uint64_t	settled[HEAP_MAPS]; /* pages that were read as such */
	bool		settles;		/* those whose bit is not set can be */
	bool		settles_all;	/* all can be */
	int64_t		verified;
	int64_t		fed;			/* pages that were read and may be kept */
	int64_t		count;			/* the result */
	int64_t		sum;
} backend;

/* The snapshot, REPORT and TABLE.  columns: bit c: attribute c + 1. */
extern bool backend_begin(backend *b, heap *h, unsigned columns);
extern void backend_copy_map(backend *b);
extern bool backend_map(backend *b, bool final);

/* LSNS, and VERIFIED of the pages that have these LSNs now. */
extern bool backend_verify(backend *b);
extern bool backend_usable(backend *b);

/* Read pages from `from` on that are to be read, up to so many. */
extern bool backend_read(backend *b, uint32_t *from, int most);
extern bool backend_look(backend *b);

/* FINISH_REPORT and GROUPS: is the result right?  Then END. */
extern bool backend_finish(backend *b);

/* All of it; b->held tells what was held, b->fed how much was read. */
extern bool backend_report(backend *b, heap *h, unsigned columns);

extern int64_t heap_rows(uint32_t block, int version);

#endif							/* HEAP_H */
