/*-------------------------------------------------------------------------
 *
 * columns_drop.c
 *	  How extracts, segments, columns and tables go.
 *
 * The caller has the table's lock for writing.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "service/columns_table.h"

/* A page's extract is not true any more, or not wanted. */
void
gs_page_drop(gs_table *t, uint32_t map, uint32_t page)
{
	size_t		word = map * t->words + page / 64;
	uint64_t	bit = UINT64_C(1) << (page % 64);
	const gs_page *p = &t->map[map].page[page];

	t->live[word] &= ~bit;
	t->settled[word] &= ~bit;
	for (gs_table_column *c = t->columns; c != NULL; c = c->next)
		c->held[word] &= ~bit;
	p->segment->live -= p->rows;
	gs_bits_clear(p->segment->bits, p->first, p->rows);
	gs_segment_changed(p->segment);
}

/* The extracts of these bits of a word of `live`. */
void
gs_pages_drop(gs_table *t, size_t word, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1)
		gs_page_drop(t, (uint32_t) (word / t->words),
					 (uint32_t) (word % t->words * 64 +
								 __builtin_ctzll(bits)));
}

/* Drop a segment, and what it has. */
static void
drop_segment(gs_table *t, gs_segment *s)
{
	/* pages without rows, too */
	for (size_t w = 0; w < t->maps * t->words; w++)
	{
		uint32_t	map = (uint32_t) (w / t->words);

		for (uint64_t bits = t->live[w]; bits != 0; bits &= bits - 1)
		{
			uint32_t	i = (uint32_t) (w % t->words * 64 +
										__builtin_ctzll(bits));

			if (t->map[map].page[i].segment == s)
				gs_page_drop(t, map, i);
		}
	}
	t->segment[s->index] = t->segment[--t->segments];
	t->segment[s->index]->index = s->index;
	gs_segment_release(s);
}

/*
 * Drop segments of whose rows more than half do not count any more.  Engines
 * read all rows of a segment, so a report never reads more than twice what
 * it needs; and what is read again costs no more than what has changed since
 * the segment was filled.
 */
void
gs_table_sweep(gs_table *t)
{
	for (int i = t->segments - 1; i >= 0; i--)
	{
		gs_segment *s = t->segment[i];
		int64_t		dead = s->used - s->live - s->pending;

		if (s->writers == 0 && dead > s->used / 2)
			drop_segment(t, s);
	}
}

static void
free_values(const gs_segment *s, gs_values *v)
{
	gs_budget_release(v->memory, v->size, s->device);
	gs_budget_release(v->validity, v->validity_size, s->device);
	gs_columns_free(v->bits, ((size_t) s->capacity + 7) / 8, 1);
	*v = (gs_values) {0};
}

/* Give up a reference. */
void
gs_segment_release(gs_segment *s)
{
	if (atomic_fetch_sub(&s->refs, 1) > 1)
		return;
	gs_segment_changed(s);
	for (int i = 0; i < s->slots; i++)
		free_values(s, &s->values[i]);
	free(s->values);
	gs_columns_free(s->bits, ((size_t) s->capacity + 63) / 64,
					sizeof(uint64_t));
	free(s);
}

/* Drop what no column holds any more. */
static void
drop_empty(gs_table *t, const gs_table_column *dropped)
{
	for (size_t w = 0; w < t->maps * t->words; w++)
	{
		uint64_t	alone = dropped->held[w];

		if (alone == 0)
			continue;
		for (gs_table_column *c = t->columns; c != NULL; c = c->next)
			alone &= ~c->held[w];
		gs_pages_drop(t, w, alone);
	}
}

/* Drop a column that nobody uses; the caller has gs_budget_lock, too. */
void
gs_table_column_drop(gs_table_column *c)
{
	gs_table   *t = c->table;
	gs_table_column **link = &t->columns;

	while (*link != c)
		link = &(*link)->next;
	*link = c->next;
	atomic_fetch_sub(&t->count, 1);
	gs_item_remove(&c->item);
	for (int i = 0; i < t->segments; i++)
	{
		if (c->slot < t->segment[i]->slots)
			free_values(t->segment[i], &t->segment[i]->values[c->slot]);
	}
	drop_empty(t, c);
	gs_columns_free(c->held, c->words, sizeof(uint64_t));
	free(c);
	gs_table_sweep(t);
}

/*
 * Free a table that nobody uses; the caller has gs_budget_lock instead of the
 * table's, and has made sure that it is not found any more.
 */
void
gs_table_free(gs_table *t)
{
	while (t->columns != NULL)
	{
		gs_table_column  *c = t->columns;

		t->columns = c->next;
		gs_item_remove(&c->item);
		gs_columns_free(c->held, c->words, sizeof(uint64_t));
		free(c);
	}
	for (int i = 0; i < t->segments; i++)
		gs_segment_release(t->segment[i]);
	for (uint32_t m = 0; m < t->maps; m++)
		gs_columns_free(t->map[m].page, t->map[m].pages, sizeof(gs_page));
	gs_columns_free(t->map, t->maps, sizeof *t->map);
	gs_columns_free(t->live, GS_PAGE_BITS * t->maps * t->words,
					sizeof(uint64_t));
	free(t->segment);
	pthread_rwlock_destroy(&t->lock);
	free(t);
}
