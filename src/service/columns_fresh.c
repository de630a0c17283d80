/*-------------------------------------------------------------------------
 *
 * columns_fresh.c
 *	  Which extracts of pages are true, by the visibility map.
 *
 * Setting a page's bit gives its map page a new LSN; clearing it may do so, and
 * whoever changes a page clears its bit first.  So an extract of a page that
 * was the same while its bit was set, and the map page had some LSN, is true as
 * long as the bit is set and the map page has this LSN.  gs_map_record.noted
 * is that LSN, one for all extracts of a map page's pages:
 *
 *	- The bit is not set: the extract is dropped, unless a later LSN is noted.
 *	- It is, and the map page has the noted LSN: the extract is used.
 *	- It is, and the map page has another LSN: bits were set, or cleared.  A page
 *	  that has the LSN that it had when it was read has not changed; others are
 *	  dropped.  Then the map page's LSN is noted instead, if it is a later one.
 *
 * A page is read between MAP and LOOK.  If its bit was set in MAP, and the
 * backend says in LOOK that nobody changed the page before it was read, what was
 * read becomes its extract.
 *
 * An extract of a settled page needs no bit.  It is true as long as the page has
 * its LSN, for snapshots that are late enough; so each report verifies it.  If
 * the page's bit is set by then, it is from then on an extract as all others.
 *
 * The LSNs of a map page only grow.  A backend may have looked before another
 * one whose message came first: what it says of an LSN that is not later than
 * the noted one changes nothing.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/columns_table.h"

/* The map pages of a reading of which something may be held. */
uint32_t
gs_reading_maps_held(const gs_reading *r)
{
	if (r->table == NULL)
		return 0;
	return r->table->maps < r->maps ? r->table->maps : r->maps;
}

/* The pages of a word of a map page that are held in all wanted columns. */
static uint64_t
held_word(const gs_reading *r, size_t word)
{
	uint64_t	held = r->table->live[word];

	for (int i = 0; i < r->columns; i++)
	{
		if (r->column[i]->type != 0)
			held &= r->column[i]->held[word];
	}
	return held;
}

/* The pages that the table has of a map page's. */
static uint64_t
pages_of(const gs_reading *r, uint32_t map)
{
	uint64_t	left = r->blocks - (uint64_t) map * r->map_blocks;

	return left < r->map_blocks ? left : r->map_blocks;
}

/* Are bits behind the table's end, or behind the map page's, set? */
static bool
bits_behind(const gs_reading *r, uint32_t map)
{
	const gs_map_page *page = gs_reading_map_page(r, map);
	uint64_t	n = pages_of(r, map);

	for (size_t w = n / 64; w < r->words; w++)
	{
		uint64_t	bits = page->visible[w];

		if (w == n / 64)
			bits &= UINT64_MAX << (n % 64);
		if (bits != 0)
			return true;
	}
	return false;
}

/* Set the bits of all pages that the table has, and no others. */
static void
set_all(const gs_reading *r, uint32_t map, uint64_t *visible)
{
	uint64_t	n = pages_of(r, map);

	memset(visible, 0xff, n / 64 * sizeof *visible);
	memset(visible + n / 64, 0, (r->words - n / 64) * sizeof *visible);
	if (n % 64 != 0)
		visible[n / 64] = (UINT64_C(1) << (n % 64)) - 1;
}

/* Copy a map page of the bytes that are left; false if it is invalid. */
static bool
take_map_page(gs_reading *r, uint32_t map, const char **from, size_t *left)
{
	gs_map_page *page = (gs_map_page *)
		(r->map + map * gs_map_size(r->map_blocks));
	gs_map_part part;
	size_t		size;

	if (*left < sizeof part)
		return false;
	memcpy(&part, *from, sizeof part);
	size = gs_map_part_size(part.all != 0, r->map_blocks);
	if (part.all > 1 || *left < size)
		return false;
	page->lsn = part.lsn;
	if (part.all != 0)
		set_all(r, map, page->visible);
	else
		memcpy(page->visible, *from + sizeof part, size - sizeof part);
	*from += size;
	*left -= size;
	return !bits_behind(r, map);
}

/* Copy a part of the map, of so many bytes; false if it is invalid. */
bool
gs_reading_map(gs_reading *r, uint32_t first, uint32_t count,
			   const char *from, size_t size)
{
	if (r->received == r->maps)
		r->received = 0;		/* once more, after verification */
	if (count < 1 || first != r->received || count > r->maps - first)
		return false;
	for (uint32_t m = first; m < first + count; m++)
	{
		if (!take_map_page(r, m, &from, &size))
			return false;
	}
	r->received += count;
	return size == 0;
}

/* ----------
 * Dropping what is not true any more
 * ----------
 */

/* The pages of a word of a map page that the table has. */
static uint64_t
inside_word(const gs_reading *r, uint32_t map, size_t w)
{
	uint64_t	first = (uint64_t) map * r->map_blocks + w * 64;

	if (first >= r->blocks)
		return 0;
	return r->blocks - first >= 64 ? UINT64_MAX :
		(UINT64_C(1) << (r->blocks - first)) - 1;
}

/* Is a later LSN noted?  A map page that is not there has none. */
static bool
is_older(const gs_reading *r, uint32_t map)
{
	uint64_t	lsn = gs_reading_map_page(r, map)->lsn;

	return lsn != 0 && lsn < r->table->map[map].noted;
}

/*
 * A word's extracts of pages behind the end, and of those that are not settled
 * and whose bit is not set.
 */
static uint64_t
stale_word(const gs_reading *r, size_t word)
{
	const gs_table *t = r->table;
	uint32_t	map = (uint32_t) (word / r->words);
	size_t		w = word % r->words;

	if (map >= r->maps)
		return t->live[word];
	if (is_older(r, map))
		return 0;
	return t->live[word] & ~(gs_reading_map_page(r, map)->visible[w] |
							 (t->settled[word] & inside_word(r, map, w)));
}

/*
 * Are all pages of a map page that are extracts all-visible?  So it is mostly: a large
 * table has many such words, and each report looks at all of them.
 */
static bool
all_visible(const gs_reading *r, uint32_t map)
{
	const uint64_t *live = r->table->live + map * r->words;
	const uint64_t *visible = gs_reading_map_page(r, map)->visible;
	uint64_t	others = 0;

	for (size_t w = 0; w < r->words; w++)
		others |= live[w] & ~visible[w];
	return others == 0;
}

static bool
has_stale(const gs_reading *r)
{
	for (uint32_t m = 0; m < r->table->maps; m++)
	{
		if (m < r->maps && all_visible(r, m))
			continue;
		for (size_t w = 0; w < r->words; w++)
		{
			if (stale_word(r, m * r->words + w) != 0)
				return true;
		}
	}
	return false;
}

static void
drop_stale(gs_reading *r)
{
	for (size_t w = 0; w < r->table->maps * r->words; w++)
		gs_pages_drop(r->table, w, stale_word(r, w));
	gs_table_sweep(r->table);
}

/* ----------
 * Deciding
 * ----------
 */

/* Has the map page the noted LSN? */
bool
gs_reading_is_fresh(const gs_reading *r, uint32_t map)
{
	return r->table->map[map].noted == gs_reading_map_page(r, map)->lsn;
}

/* The bits of a word that the report uses if the map page's LSN is noted. */
uint64_t
gs_reading_wanted(const gs_reading *r, uint32_t map, size_t w)
{
	size_t		word = map * r->words + w;

	return held_word(r, word) & gs_reading_map_page(r, map)->visible[w] &
		~r->table->settled[word];
}

/* Does a snapshot with this xmin know that the transaction has ended? */
static bool
precedes(uint32_t transaction, uint32_t xmin)
{
	/* below 3 are those that have always been there */
	return transaction < 3 || (int32_t) (transaction - xmin) < 0;
}

/* Those that it uses if they are verified each by itself. */
uint64_t
gs_reading_wanted_settled(const gs_reading *r, uint32_t map, size_t w)
{
	size_t		word = map * r->words + w;
	uint64_t	wanted = r->table->settled[word];

	if (wanted != 0)
		wanted &= held_word(r, word);
	for (uint64_t bits = wanted; bits != 0; bits &= bits - 1)
	{
		int			i = __builtin_ctzll(bits);

		if (!precedes(r->table->map[map].page[w * 64 + i].newest, r->xmin))
			wanted &= ~(UINT64_C(1) << i);
	}
	return wanted;
}

/* What was verified before an extract was replaced says nothing of the new one. */
static void
forget_replaced(gs_reading *r)
{
	for (uint32_t m = 0; m < gs_reading_maps_held(r); m++)
	{
		if (r->verified && r->changes[m] != r->table->map[m].changes)
			memset(r->unchanged + m * r->words, 0,
				   r->words * sizeof(uint64_t));
		r->changes[m] = r->table->map[m].changes;
	}
}

/* Is there an extract of a settled page among a map page's?  Mostly not. */
static bool
has_settled(const gs_reading *r, uint32_t map)
{
	const uint64_t *settled = r->table->settled + map * r->words;
	uint64_t	any = 0;

	for (size_t w = 0; w < r->words; w++)
		any |= settled[w];
	return any != 0;
}

/* How many pages are to be verified? */
static int64_t
count_unverified(const gs_reading *r)
{
	int64_t		count = 0;

	for (uint32_t m = 0; m < gs_reading_maps_held(r); m++)
	{
		bool		fresh = gs_reading_is_fresh(r, m);

		if (fresh && !has_settled(r, m))
			continue;
		for (size_t w = 0; w < r->words; w++)
		{
			uint64_t	bits = gs_reading_wanted_settled(r, m, w) &
			~r->unchanged[m * r->words + w];

			if (!fresh)
				bits |= gs_reading_wanted(r, m, w);
			if (bits != 0)
				count += __builtin_popcountll(bits);
		}
	}
	return count;
}

/* What all of these words say; the loop is one that compilers make vectors of. */
static void
keep_bits(uint64_t *restrict words, const uint64_t *restrict of, size_t n)
{
	for (size_t w = 0; w < n; w++)
		words[w] &= of[w];
}

/* Those that a report uses of a fresh map page's pages, none of which is settled. */
static void
mark_fresh(const gs_reading *r, uint32_t map)
{
	size_t		first = map * r->words;
	uint64_t   *done = r->done + first;

	memcpy(done, gs_reading_map_page(r, map)->visible,
		   r->words * sizeof *done);
	keep_bits(done, r->table->live + first, r->words);
	for (int i = 0; i < r->columns; i++)
	{
		if (r->column[i]->type != 0)
			keep_bits(done, r->column[i]->held + first, r->words);
	}
}

/* Those that it uses of another one's. */
static void
mark_others(const gs_reading *r, uint32_t map)
{
	bool		fresh = gs_reading_is_fresh(r, map);

	for (size_t w = 0; w < r->words; w++)
	{
		size_t		word = map * r->words + w;

		r->done[word] = gs_reading_wanted_settled(r, map, w) &
			r->unchanged[word];
		if (fresh)
			r->done[word] |= gs_reading_wanted(r, map, w);
	}
}

/* The bits that are set: mostly all are, so several words are looked at together. */
static int64_t
count_bits(const uint64_t *words, size_t n)
{
	int64_t		count = 0;
	size_t		w = 0;

	for (; w + 8 <= n; w += 8)
	{
		uint64_t	all = UINT64_MAX;

		for (size_t i = w; i < w + 8; i++)
			all &= words[i];
		if (all == UINT64_MAX)
			count += 8 * 64;
		else
		{
			for (size_t i = w; i < w + 8; i++)
				count += __builtin_popcountll(words[i]);
		}
	}
	for (; w < n; w++)
		count += __builtin_popcountll(words[w]);
	return count;
}

/* Are there extracts of a map page's pages that the report does not use? */
bool
gs_reading_has_unused(const gs_reading *r, uint32_t map)
{
	const uint64_t *live = r->table->live + map * r->words;
	const uint64_t *done = r->done + map * r->words;
	uint64_t	unused = 0;

	for (size_t w = 0; w < r->words; w++)
		unused |= live[w] & ~done[w];
	return unused != 0;
}

/* Set r->done to the pages that the report uses; returns their number. */
static int64_t
mark_usable(gs_reading *r)
{

	for (uint32_t m = 0; m < gs_reading_maps_held(r); m++)
	{
		if (gs_reading_is_fresh(r, m) && !has_settled(r, m))
			mark_fresh(r, m);
		else
			mark_others(r, m);
	}
	return count_bits(r->done, gs_reading_maps_held(r) * r->words);
}

/* The caller has the table's lock. */
static gs_status
decide(gs_reading *r, bool final, gs_msg_pages *answer)
{
	forget_replaced(r);
	if (!final)
	{
		answer->verify = count_unverified(r);
		if (answer->verify > 0)
			return GS_OK;
	}
	answer->usable = mark_usable(r);
	if (answer->usable > 0 && !gs_reading_pin(r))
		return GS_NO_MEMORY;
	for (int i = 0; i < r->pins; i++)
	{
		answer->rows += r->pin[i].rows;
		answer->masked += r->pin[i].n - r->pin[i].rows;
	}
	r->decided = true;
	return GS_OK;
}

static void
count_hits(gs_reading *r)
{
	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < r->columns; i++)
	{
		r->column[i]->hits++;
		gs_item_use(&r->column[i]->item);
	}
	pthread_mutex_unlock(&gs_budget_lock);
}

/*
 * All of the map is here: decide which extracts the report uses, unless some
 * must be verified first.  `final`: do without these.
 */
gs_status
gs_reading_decide(gs_reading *r, bool final, gs_msg_pages *answer)
{
	gs_table   *t = r->table;
	gs_status	status = GS_OK;

	if (t == NULL)
		r->decided = true;
	else
	{
		/*
		 * Reports over pages that do not change do not wait for each other.
		 * And while the table is locked for reading, memory that is found for
		 * masks cannot cost any of its columns theirs.
		 */
		gs_table_read(t);
		while (has_stale(r))
		{
			gs_table_unlock(t);
			gs_table_write(t);
			drop_stale(r);
			gs_table_unlock(t);
			gs_table_read(t);
		}
		status = decide(r, final, answer);
		gs_table_unlock(t);
		if (answer->usable > 0)
			count_hits(r);
	}
	return status;
}

/* The pages that need not be read. */
void
gs_reading_usable(const gs_reading *r, uint32_t first, uint32_t count,
				  uint64_t *to)
{
	memcpy(to, r->done + first * r->words,
		   count * r->words * sizeof(uint64_t));
}
