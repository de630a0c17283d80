/*-------------------------------------------------------------------------
 *
 * columns_verify.c
 *	  Pages that have the LSN that they had when they were read have not changed.
 *
 * columns_fresh.c says which extracts a report uses only if it has compared
 * these LSNs.  Where the map page has another LSN than the noted one, all of its
 * extracts are compared, so that its LSN can be noted; else those of settled
 * pages alone.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/columns_table.h"

/*
 * Are all of a map page's extracts to be verified?  Settled ones, too, if their bits
 * have been set since: else each report would verify them again.
 */
static bool
verifies_all(const gs_reading *r, uint32_t map)
{
	const gs_map_page *page = gs_reading_map_page(r, map);

	if (gs_reading_is_fresh(r, map))
		return false;
	for (size_t w = 0; w < r->words; w++)
	{
		if (gs_reading_wanted(r, map, w) != 0 ||
			(gs_reading_wanted_settled(r, map, w) & page->visible[w]) != 0)
			return true;
	}
	return false;
}

/*
 * List pages to be verified, from page `first` on, up to so many.  Returns how
 * many these are.
 */
uint32_t
gs_reading_lsns(const gs_reading *r, uint32_t first, uint32_t count,
				gs_listed_page *to)
{
	uint32_t	n = 0;

	if (r->table == NULL)
		return 0;
	gs_table_read(r->table);
	for (uint32_t m = first / r->map_blocks;
		 m < gs_reading_maps_held(r) && n < count; m++)
	{
		bool		all = verifies_all(r, m);

		for (size_t w = 0; w < r->words && n < count; w++)
		{
			uint64_t	bits = all ? r->table->live[m * r->words + w] :
			gs_reading_wanted_settled(r, m, w);

			for (; bits != 0 && n < count; bits &= bits - 1)
			{
				uint32_t	i = (uint32_t) (w * 64 + __builtin_ctzll(bits));
				uint32_t	block = m * r->map_blocks + i;

				if (block >= first && block < r->blocks)
					to[n++] = (gs_listed_page) {
						.lsn = r->table->map[m].page[i].lsn, .block = block
					};
			}
		}
	}
	gs_table_unlock(r->table);
	return n;
}

/* What is done with a word of extracts, some of which are verified. */
typedef struct outcome
{
	uint64_t	dropped;
	uint64_t	confirmed;		/* not settled any more */
	uint64_t	unchanged;		/* settled */
	uint64_t	verified;
} outcome;

static outcome
judge(const gs_reading *r, uint32_t map, size_t w, bool all)
{
	const gs_table *t = r->table;
	const gs_map_page *page = gs_reading_map_page(r, map);
	uint64_t	live = t->live[map * r->words + w];
	uint64_t	settled = gs_reading_wanted_settled(r, map, w);
	uint64_t	listed = all ? live : settled;
	uint64_t	bits = r->unchanged[map * r->words + w];
	outcome		o = {
		.dropped = listed & ~bits,
		.verified = listed & bits,
		.unchanged = settled & bits
	};

	/* the snapshot must see all of a page that others will take as it is */
	if (all || t->map[map].noted == page->lsn)
		o.confirmed = settled & bits & page->visible[w];
	return o;
}

/* Does it change what is held? */
static bool
changes_table(const gs_reading *r, uint32_t map, bool all)
{
	for (size_t w = 0; w < r->words && !all; w++)
	{
		outcome		o = judge(r, map, w, all);

		if (o.dropped != 0 || o.confirmed != 0)
			return true;
	}
	return all;
}

static int64_t
apply(gs_reading *r, uint32_t map, bool all)
{
	gs_table   *t = r->table;
	int64_t		verified = 0;
	bool		dropped = false;

	for (size_t w = 0; w < r->words; w++)
	{
		size_t		word = map * r->words + w;
		outcome		o = judge(r, map, w, all);

		if (o.dropped != 0)
			gs_pages_drop(t, word, o.dropped);
		dropped |= o.dropped != 0;
		if (o.confirmed != 0)
			t->settled[word] &= ~o.confirmed;
		r->unchanged[word] = o.unchanged;
		verified += __builtin_popcountll(o.verified);
	}
	if (all)
		t->map[map].noted = gs_reading_map_page(r, map)->lsn;
	if (dropped)
		gs_table_sweep(t);
	return verified;
}

/* Is what LSNS has listed of a map page still what is held? */
static bool
is_as_listed(const gs_reading *r, uint32_t map)
{
	return map < gs_reading_maps_held(r) &&
		r->changes[map] == r->table->map[map].changes;
}

/* Is there a later LSN to note? */
static bool
is_later(const gs_reading *r, uint32_t map)
{
	return gs_reading_map_page(r, map)->lsn > r->table->map[map].noted &&
		verifies_all(r, map);
}

/*
 * Pages of a map page have the LSNs that their extracts had; other extracts
 * that were listed go.  Not if there are new ones since then.  Returns the number
 * of extracts that stay.
 *
 * Reports over settled pages that do not change do not wait for each other.
 */
int64_t
gs_reading_verified(gs_reading *r, uint32_t map, const uint64_t *bits)
{
	gs_table   *t = r->table;
	uint64_t   *unchanged = r->unchanged + map * r->words;
	int64_t		verified = 0;

	if (t == NULL)
		return 0;
	r->verified = true;

	/* a copy: the client may change what is in its slot */
	memcpy(unchanged, bits, r->words * sizeof(uint64_t));
	gs_table_read(t);
	if (is_as_listed(r, map) && changes_table(r, map, is_later(r, map)))
	{
		gs_table_unlock(t);
		gs_table_write(t);
	}
	if (is_as_listed(r, map))
		verified = apply(r, map, is_later(r, map));
	else
		memset(unchanged, 0, r->words * sizeof(uint64_t));
	gs_table_unlock(t);
	return verified;
}
