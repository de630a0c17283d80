/*-------------------------------------------------------------------------
 *
 * map.h
 *	  What a table's visibility map says.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_MAP_H
#define GS_REPORT_MAP_H

#include "storage/block.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

#include "protocol/report.h"

/* Bytes of bits in a map page, and the pages that they say something of. */
#define GS_MAP_BYTES	((int) (BLCKSZ - MAXALIGN(SizeOfPageHeaderData)))
#define GS_MAP_BLOCKS	(GS_MAP_BYTES * 4)
#define GS_MAP_WORDS	((GS_MAP_BLOCKS + 63) / 64)

/* A copy of a map page. */
typedef struct gs_map
{
	XLogRecPtr	lsn;
	bool		all;			/* all of the pages that the table has are
								 * all-visible */
	uint64		visible[GS_MAP_WORDS];	/* a bit for each page; none for others */
} gs_map;

extern void gs_map_copy(Relation relation, uint32 number, BlockNumber blocks,
						gs_map *to);
extern void gs_map_first_bits(uint64 *words, BlockNumber n);

/* The map pages of a table of so many pages. */
static inline uint32
gs_map_count(BlockNumber blocks)
{
	return (uint32) ((blocks + (uint64) GS_MAP_BLOCKS - 1) / GS_MAP_BLOCKS);
}

/* The pages of map page `number`, of a table of so many. */
static inline BlockNumber
gs_map_pages(uint32 number, BlockNumber blocks)
{
	return Min(blocks - number * (BlockNumber) GS_MAP_BLOCKS,
			   (BlockNumber) GS_MAP_BLOCKS);
}

#endif							/* GS_REPORT_MAP_H */
