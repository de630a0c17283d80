/*-------------------------------------------------------------------------
 *
 * columns_list.c
 *	  What is held, for those who ask.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "service/columns_table.h"

/* A place in the list: a table's number, and a column of it. */
#define COLUMN_BITS		16
#define COLUMN_MASK		((UINT64_C(1) << COLUMN_BITS) - 1)

static int64_t
count_rows(const gs_table_column *c)
{
	const gs_table *t = c->table;
	int64_t		rows = 0;

	for (size_t w = 0; w < t->maps * t->words; w++)
	{
		const gs_page *page = t->map[w / t->words].page + w % t->words * 64;

		for (uint64_t bits = c->held[w]; bits != 0; bits &= bits - 1)
			rows += page[__builtin_ctzll(bits)].rows;
	}
	return rows;
}

static void
describe(const gs_table_column *c, gs_msg_column_entry *to)
{
	const gs_table *t = c->table;
	int64_t		used = 0;
	uint32_t	devices = 0;

	memset(to, 0, sizeof *to);
	to->id = t->id;
	to->attribute = c->attribute;
	to->type = c->type;
	to->matches = c->dictionary != 0 && c->type == GS_BOOL;
	to->rows = count_rows(c);
	for (int i = 0; i < t->segments; i++)
	{
		const gs_segment *s = t->segment[i];
		const gs_values *v = c->slot < s->slots ? &s->values[c->slot] : NULL;

		if (v == NULL || v->memory == NULL)
			continue;
		to->segments++;
		to->bytes += (int64_t) (v->size + v->validity_size);
		to->host_bytes += v->on_host ? (int64_t) v->size : 0;
		used += s->used;
		devices |= UINT32_C(1) << s->device;
	}
	to->devices = __builtin_popcount(devices);
	to->masked = c->type == 0 ? 0 : used - to->rows;
	pthread_mutex_lock(&gs_budget_lock);
	to->hits = c->hits;
	to->last_used = c->item.last_used;
	pthread_mutex_unlock(&gs_budget_lock);
}

/*
 * List up to max columns from *from on.  Returns their number, and sets *from
 * to where to continue, or to 0.
 */
int64_t
gs_columns_list(uint64_t *from, gs_msg_column_entry *to, int64_t max)
{
	int64_t		count = 0;
	gs_table   *t;

	while ((t = gs_tables_next(*from >> COLUMN_BITS)) != NULL)
	{
		uint64_t	at = 0;
		uint64_t	skip = t->number == *from >> COLUMN_BITS ?
			*from & COLUMN_MASK : 0;

		gs_table_read(t);
		for (const gs_table_column *c = t->columns; c != NULL; c = c->next, at++)
		{
			if (at < skip)
				continue;
			if (count == max)
				break;
			describe(c, &to[count++]);
		}
		*from = count == max ? t->number << COLUMN_BITS | at :
			(t->number + 1) << COLUMN_BITS;
		gs_table_unlock(t);
		gs_table_close(t);
		if (count == max)
			return count;
	}
	*from = 0;
	return count;
}
