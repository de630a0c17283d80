/*-------------------------------------------------------------------------
 *
 * columns_reading.c
 *	  A report's reading of a table, from its beginning to its end.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/columns_table.h"

static bool
is_empty(const gs_table_column *c)
{
	const gs_table *t = c->table;

	for (size_t w = 0; w < t->maps * t->words; w++)
	{
		if (c->held[w] != 0)
			return false;
	}
	for (int i = 0; i < t->segments; i++)
	{
		if (c->slot < t->segment[i]->slots &&
			t->segment[i]->values[c->slot].memory != NULL)
			return false;
	}
	return true;
}

/*
 * The reading's columns are not in use any more.  Those of which nothing is
 * held go, unless the table is busy: then they are left to eviction.  Others get
 * nearer to the device, where that is worth it.
 */
static void
close_columns(gs_reading *r)
{
	gs_table   *t = r->table;
	bool		locked = gs_table_try_write(t);

	for (int i = 0; i < r->columns && locked; i++)
		gs_table_column_promote(r->column[i]);
	pthread_mutex_lock(&gs_budget_lock);
	for (int i = 0; i < r->columns; i++)
	{
		gs_table_column  *c = r->column[i];

		if (--c->users == 0 && locked && is_empty(c))
			gs_table_column_drop(c);
	}
	pthread_mutex_unlock(&gs_budget_lock);
	if (locked)
		gs_table_unlock(t);
}

static uint64_t
maps_of(const gs_msg_table *table)
{
	return ((uint64_t) table->blocks + table->map_blocks - 1) /
		table->map_blocks;
}

int64_t
gs_reading_size(const gs_msg_table *table)
{
	size_t		each = gs_map_size(table->map_blocks) + sizeof(uint32_t) +
		2 * gs_map_words(table->map_blocks) * sizeof(uint64_t);

	return table->keep ? (int64_t) (maps_of(table) * each) : 0;
}

typedef gs_table_column *(*open_column) (gs_table *t, int16_t attribute,
										 uint8_t type, uint64_t dictionary,
										 int16_t scale);

/* Those from the r->columns-th on, as far as the function opens them. */
static void
open_each(gs_reading *r, const gs_msg_table *table, const gs_plan *plan,
		  int columns, open_column open)
{
	while (r->columns < columns)
	{
		int			i = r->columns;

		r->column[i] = plan->columns == 0 ?
			open(r->table, NO_ATTRIBUTE, 0, 0, 0) :
			open(r->table, table->attribute[i], plan->column[i],
				 table->dictionary[i], table->scale[i]);
		if (r->column[i] == NULL)
			break;
		r->columns++;
	}
}

static int
count_devices(const gs_table *t)
{
	uint32_t	devices = 0;

	for (int i = 0; i < t->segments; i++)
		devices |= UINT32_C(1) << t->segment[i]->device;
	return __builtin_popcount(devices);
}

/* Find what is held of the table; nothing is if there is no memory. */
static void
open_columns(gs_reading *r, const gs_msg_table *table, const gs_plan *plan)
{
	gs_table   *t = gs_table_open(&table->id, table->map_blocks);
	int			columns = plan->columns > 0 ? plan->columns : 1;

	if (t == NULL)
		return;
	r->table = t;

	/* mostly all are there: others compute with the table meanwhile */
	gs_table_read(t);
	open_each(r, table, plan, columns, gs_table_column_find);
	r->devices = count_devices(t);
	gs_table_unlock(t);
	if (r->columns < columns)
	{
		gs_table_write(t);
		open_each(r, table, plan, columns, gs_table_column_open);
		gs_table_unlock(t);
	}
	if (r->columns < columns)
	{
		close_columns(r);
		gs_table_close(t);
		r->table = NULL;
		r->columns = 0;
	}
}

/* The dictionaries stay as long as the reading; false: one of them has gone. */
static bool
use_dictionaries(gs_reading *r, const gs_msg_table *table, const gs_plan *plan)
{
	for (int i = 0; i < plan->columns; i++)
	{
		if (table->dictionary[i] == 0)
			continue;
		r->dictionary[i] = gs_held_dictionary_use(table->dictionary[i],
												  table->id.database);
		if (r->dictionary[i] == NULL)
			return false;
	}
	return true;
}

static void
release_dictionaries(gs_reading *r)
{
	for (int i = 0; i < GS_PLAN_COLUMNS; i++)
	{
		if (r->dictionary[i] != NULL)
			gs_held_dictionary_release(r->dictionary[i]);
		r->dictionary[i] = NULL;
	}
}

/*
 * r is zero.  GS_NO_MEMORY, or GS_NOT_CACHED for lack of a dictionary: it must
 * be closed, and nothing else.
 */
gs_status
gs_reading_open(gs_reading *r, const gs_msg_table *table, const gs_plan *plan)
{
	r->keep = table->keep != 0;
	r->blocks = table->blocks;
	r->map_blocks = table->map_blocks;
	r->maps = (uint32_t) maps_of(table);
	r->words = gs_map_words(table->map_blocks);
	r->xmin = table->xmin;
	r->decided = r->maps == 0;
	if (!use_dictionaries(r, table, plan))
		return GS_NOT_CACHED;
	if (!r->keep || r->maps == 0)
		return GS_OK;
	r->map = malloc(r->maps * gs_map_size(r->map_blocks));
	r->done = calloc(r->maps * r->words, sizeof(uint64_t));
	r->unchanged = calloc(r->maps * r->words, sizeof(uint64_t));
	r->changes = calloc(r->maps, sizeof(uint32_t));
	if (r->map == NULL || r->done == NULL || r->unchanged == NULL ||
		r->changes == NULL)
		return GS_NO_MEMORY;
	if (gs_service.cache_size > 0)
		open_columns(r, table, plan);
	return GS_OK;
}

/* Nothing more of the table is read; what is pending is not held. */
void
gs_reading_leave(gs_reading *r)
{
	gs_msg_pages ignored = {0};

	gs_reading_look(r, 0, r->maps, NULL, &ignored);
	free(r->map);
	free(r->done);
	free(r->unchanged);
	free(r->changes);
	free(r->pending);
	r->map = NULL;
	r->done = NULL;
	r->unchanged = NULL;
	r->changes = NULL;
	r->pending = NULL;
	r->keep = false;
}

void
gs_reading_close(gs_reading *r)
{
	gs_reading_leave(r);
	gs_reading_unpin(r);
	if (r->table != NULL)
	{
		close_columns(r);
		gs_table_close(r->table);
		r->table = NULL;
	}
	release_dictionaries(r);
}
