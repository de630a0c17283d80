/*-------------------------------------------------------------------------
 *
 * map.c
 *	  What a table's visibility map says.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/visibilitymap.h"
#include "access/visibilitymapdefs.h"
#include "port/pg_bswap.h"
#include "storage/bufmgr.h"

#include "report/table/map.h"

StaticAssertDecl(VISIBILITYMAP_ALL_VISIBLE == 1, "the lower of two bits");

/*
 * The bits of 32 pages: of the map's two for each, the one that says whether it
 * is all-visible.
 */
static inline uint64
all_visible(uint64 word)
{
	const uint64 lower = UINT64CONST(0x5555555555555555);

#ifdef WORDS_BIGENDIAN
	word = pg_bswap64(word);
#endif
	word &= lower;
	if (word == lower)
		return PG_UINT32_MAX;	/* as of most tables' pages */
	word = (word | word >> 1) & UINT64CONST(0x3333333333333333);
	word = (word | word >> 2) & UINT64CONST(0x0f0f0f0f0f0f0f0f);
	word = (word | word >> 4) & UINT64CONST(0x00ff00ff00ff00ff);
	word = (word | word >> 8) & UINT64CONST(0x0000ffff0000ffff);
	return (word | word >> 16) & UINT64CONST(0x00000000ffffffff);
}

/* Are the first n pages all-visible? */
static bool
are_all_visible(const uint64 *from, BlockNumber n)
{
	const uint64 lower = UINT64CONST(0x5555555555555555);
	uint64		all = lower;

	for (int i = 0; i < (int) (n / 32); i++)
		all &= from[i];
	return all == lower &&
		(n % 32 == 0 ||
		 (~all_visible(from[n / 32]) << (64 - n % 32)) == 0);
}

/* The bits of the first n pages, and some more. */
static void
compress(const uint64 *from, BlockNumber n, uint64 *to)
{
	const int	words = GS_MAP_BYTES / (int) sizeof(uint64);

	for (int i = 0; i < (int) ((n + 63) / 64); i++)
	{
		to[i] = all_visible(from[2 * i]);
		if (2 * i + 1 < words)
			to[i] |= all_visible(from[2 * i + 1]) << 32;
	}
}

/* Clear all bits but the first n. */
void
gs_map_first_bits(uint64 *words, BlockNumber n)
{
	BlockNumber word = n / 64;

	if (n % 64 != 0)
		words[word++] &= (UINT64CONST(1) << (n % 64)) - 1;
	for (; word < (BlockNumber) GS_MAP_WORDS; word++)
		words[word] = 0;
}

/*
 * Copy a page of the map of a table that has so many pages.  The lock makes
 * LSN and bits belong together.  A page that the map does not have yet says
 * that no page is all-visible.
 */
void
gs_map_copy(Relation relation, uint32 number, BlockNumber blocks, gs_map *to)
{
	BlockNumber n = gs_map_pages(number, blocks);
	Buffer		buffer = InvalidBuffer;
	const uint64 *from;

	/* only to pin the right page of the map */
	(void) visibilitymap_get_status(relation, number * GS_MAP_BLOCKS, &buffer);
	if (!BufferIsValid(buffer))
	{
		memset(to, 0, sizeof(*to));
		return;
	}
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	to->lsn = BufferGetLSNAtomic(buffer);
	from = (const uint64 *) PageGetContents(BufferGetPage(buffer));
	to->all = are_all_visible(from, n);
	if (to->all)
		memset(to->visible, 0xff, (n + 63) / 64 * sizeof(uint64));
	else
		compress(from, n, to->visible);
	UnlockReleaseBuffer(buffer);
	gs_map_first_bits(to->visible, n);
}
