/*-------------------------------------------------------------------------
 *
 * columns_tier.c
 *	  Columns' values move between the device and the host.
 *
 * The caller has the table's lock for writing.  Whoever reads values has it for
 * reading, so values may move even while a report uses their column.  They move a
 * segment at a time: no longer than a report takes to read them once.
 *
 *-------------------------------------------------------------------------
 */
#include "service/columns_table.h"

void
gs_values_release(gs_values *v)
{
	if (v->memory != NULL && v->on_host)
		gs_budget_release_host(v->memory, v->size);
	else
		gs_budget_release(v->memory, v->size);
	v->memory = NULL;
}

/* The first of a table's segments where a column has values in a tier, or NULL. */
gs_segment *
gs_table_column_segment(const gs_table_column *c, bool on_host)
{
	const gs_table *t = c->table;

	for (int i = 0; i < t->segments; i++)
	{
		gs_segment *s = t->segment[i];

		if (c->slot < s->slots && s->values[c->slot].memory != NULL &&
			s->values[c->slot].on_host == on_host)
			return s;
	}
	return NULL;
}

/* Values have been copied: they are where they were copied to. */
static void
have_moved(gs_values *v, char *memory)
{
	gs_values_release(v);
	v->memory = memory;
	v->on_host = !v->on_host;
	atomic_fetch_add(&gs_progress, 1);
}

/* Move some values of a column to the host; the caller has gs_budget_lock. */
gs_demoted
gs_table_column_demote(gs_table_column *c)
{
	const gs_segment *s = gs_table_column_segment(c, false);
	gs_values  *v;
	char	   *memory;

	if (s == NULL)
		return GS_DEMOTE_NOTHING;
	v = &s->values[c->slot];
	memory = gs_budget_reserve_host(&c->item, v->size);
	if (memory == NULL)
		return GS_DEMOTE_NO_ROOM;
	if (gs_service.engine->get(memory, v->memory, v->size) != GS_OK)
	{
		gs_budget_release_host(memory, v->size);
		return GS_DEMOTE_NO_ROOM;
	}
	have_moved(v, memory);
	return GS_DEMOTED;
}

/*
 * Move some values of a column, which is in use, to the device if there is room
 * or what is colder.
 */
void
gs_table_column_promote(gs_table_column *c)
{
	const gs_segment *s = gs_table_column_segment(c, true);
	gs_values  *v;
	size_t		size;
	char	   *memory;

	if (s == NULL)
		return;
	size = s->values[c->slot].size;
	gs_device_use(s->device);
	pthread_mutex_lock(&gs_budget_lock);
	memory = gs_budget_reserve_colder(&c->item, size);
	pthread_mutex_unlock(&gs_budget_lock);
	if (memory == NULL)
		return;

	/* columns may have been evicted for it, and segments with them */
	v = gs_table_column_segment(c, true) == s ? &s->values[c->slot] : NULL;
	if (v != NULL && gs_service.engine->write(memory, v->memory, size) == GS_OK)
		have_moved(v, memory);
	else
		gs_budget_release(memory, size);
}
