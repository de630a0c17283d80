/*-------------------------------------------------------------------------
 *
 * columns_look.c
 *	  From rows that a report has read to extracts that others may use.
 *
 * columns_fresh.c says when what was read is true.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "service/columns_table.h"

/* A look at some map pages. */
typedef struct look
{
	gs_reading *r;
	uint32_t	first;
	uint32_t	count;
	const char *from;			/* NULL: nothing is true */
	uint64_t   *confirmed;		/* of each of these pages: it was read, and has
								 * not changed */
} look;

static const gs_map_page *
looked_at(const look *l, uint32_t map)
{
	return (const gs_map_page *)
		(l->from + (map - l->first) * gs_map_size(l->r->map_blocks));
}

/*
 * Has the page of a pending one not been changed between MAP and its reading?
 * gs_reading_keep has seen to its bit in MAP.  What is known of a settled page
 * does not depend on MAP.
 */
static bool
is_true(const look *l, const gs_pending *p)
{
	uint32_t	map = p->page.block / l->r->map_blocks;

	return l->from != NULL &&
		gs_bit(looked_at(l, map)->visible,
			   p->page.block % l->r->map_blocks) &&
		(p->page.settled ||
		 looked_at(l, map)->lsn == gs_reading_map_page(l->r, map)->lsn);
}

/* Is the extract still there into whose rows columns were written? */
static bool
is_there(const gs_table *t, const gs_pending *p)
{
	uint32_t	map = p->page.block / t->map_blocks;
	uint32_t	i = p->page.block % t->map_blocks;
	const gs_page *page = &t->map[map].page[i];

	return gs_bit(t->live + map * t->words, i) && page->lsn == p->page.lsn &&
		page->segment == p->segment && page->first == p->first;
}

static bool
is_looked_at(const look *l, const gs_pending *p)
{
	return p->page.block / l->r->map_blocks - l->first < l->count;
}

static void
find_confirmed(look *l)
{
	const gs_reading *r = l->r;

	for (int64_t i = 0; i < r->pendings; i++)
	{
		const gs_pending *p = &r->pending[i];
		uint32_t	map = p->page.block / r->map_blocks - l->first;
		uint32_t	at = p->page.block % r->map_blocks;

		if (is_looked_at(l, p) && !p->page.settled && is_true(l, p) &&
			(p->appended || is_there(r->table, p)))
			l->confirmed[map * r->words + at / 64] |=
				UINT64_C(1) << (at % 64);
	}
}

/* A word's extracts that are true under the noted LSN. */
static uint64_t
unsettled(const gs_table *t, size_t word)
{
	return t->live[word] & ~t->settled[word];
}

/*
 * Note a map page's LSN, for extracts of its pages that are about to come.
 * Those that are there must be true under it, too: if an older LSN is noted,
 * only those stay that this report has read again, and found unchanged, and
 * those of settled pages.  False if a later one is noted.
 */
static bool
note(const look *l, uint32_t map)
{
	gs_table   *t = l->r->table;
	uint64_t	lsn = gs_reading_map_page(l->r, map)->lsn;
	bool		any = false;

	if (t->map[map].noted == lsn)
		return true;
	for (size_t w = 0; w < t->words; w++)
		any |= unsettled(t, map * t->words + w) != 0;
	if (any && t->map[map].noted > lsn)
		return false;
	for (size_t w = 0; w < t->words; w++)
	{
		size_t		word = map * t->words + w;

		gs_pages_drop(t, word, unsettled(t, word) &
					  ~l->confirmed[(map - l->first) * t->words + w]);
	}
	t->map[map].noted = lsn;
	return true;
}

/* False: what it was to become a part of is gone. */
static bool
publish(gs_reading *r, const gs_pending *p)
{
	gs_table   *t = r->table;
	uint32_t	map = p->page.block / t->map_blocks;
	uint32_t	i = p->page.block % t->map_blocks;
	size_t		word = map * t->words + i / 64;
	uint64_t	bit = UINT64_C(1) << (i % 64);

	if (p->appended)
	{
		if ((t->live[word] & bit) != 0)
			gs_page_drop(t, map, i);
		t->map[map].page[i] = (gs_page) {
			p->page.lsn, p->segment, p->first, p->page.rows, p->page.newest
		};
		t->live[word] |= bit;
		t->settled[word] |= p->page.settled ? bit : 0;
		t->map[map].changes++;
		p->segment->live += p->page.rows;
		gs_bits_set(p->segment->bits, p->first, p->page.rows);
		gs_segment_changed(p->segment);
	}
	else if (!is_there(t, p))
		return false;
	if (!p->page.settled)
		t->settled[word] &= ~bit;
	for (int c = 0; c < r->columns; c++)
	{
		if (p->columns >> c & 1)
			r->column[c]->held[word] |= bit;
	}
	return true;
}

/* It is an extract now, or never will be. */
static void
settle(gs_table *t, const gs_pending *p)
{
	uint32_t	map = p->page.block / t->map_blocks;
	uint32_t	i = p->page.block % t->map_blocks;

	t->loading[map * t->words + i / 64] &= ~(UINT64_C(1) << (i % 64));
	p->segment->writers--;
	if (p->appended)
		p->segment->pending -= p->page.rows;
}

/*
 * Pages that have not changed, from map page `first` on: which of the rows that
 * were read since MAP are extracts from now on?  from NULL: none.  The answer
 * counts them.
 */
void
gs_reading_look(gs_reading *r, uint32_t first, uint32_t count,
				const char *from, gs_msg_pages *answer)
{
	look		l = {r, first, count, from, NULL};
	int64_t		left = 0;

	if (r->pendings == 0)
		return;
	l.confirmed = calloc(count * r->words, sizeof(uint64_t));
	if (l.confirmed == NULL)
		l.from = NULL;
	gs_table_write(r->table);
	if (l.from != NULL)
		find_confirmed(&l);
	for (int64_t i = 0; i < r->pendings; i++)
	{
		gs_pending *p = &r->pending[i];

		if (!is_looked_at(&l, p))
		{
			r->pending[left++] = *p;
			continue;
		}
		if (is_true(&l, p) &&
			(p->page.settled || note(&l, p->page.block / r->map_blocks)) &&
			publish(r, p))
		{
			answer->usable++;
			answer->rows += p->page.rows;
		}
		settle(r->table, p);
	}
	r->pendings = left;
	gs_table_sweep(r->table);
	gs_table_unlock(r->table);
	free(l.confirmed);
}
