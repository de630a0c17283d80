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
gs_values_release(gs_values *v, int device)
{
	if (v->memory != NULL && v->on_host)
		gs_budget_release_host(v->memory, v->size);
	else
		gs_budget_release(v->memory, v->size, device);
	v->memory = NULL;
}

/*
 * The first of a table's segments of a device, or any one, where a column has
 * values in a tier; NULL: there is none.
 */
gs_segment *
gs_table_column_segment(const gs_table_column *c, int device, bool on_host)
{
	const gs_table *t = c->table;

	for (int i = 0; i < t->segments; i++)
	{
		gs_segment *s = t->segment[i];

		if ((s->device == device || device == GS_ALL_DEVICES) &&
			c->slot < s->slots && s->values[c->slot].memory != NULL &&
			s->values[c->slot].on_host == on_host)
			return s;
	}
	return NULL;
}

/* Values have been copied: they are where they were copied to. */
static void
have_moved(gs_values *v, char *memory, int device)
{
	gs_values_release(v, device);
	v->memory = memory;
	v->on_host = !v->on_host;
	atomic_fetch_add(&gs_progress, 1);
}

/*
 * Move some values of a column from a device, or any one, to the host; the caller
 * has gs_budget_lock.
 */
gs_demoted
gs_table_column_demote(gs_table_column *c, int device)
{
	const gs_segment *s = gs_table_column_segment(c, device, false);
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
	have_moved(v, memory, s->device);
	return GS_DEMOTED;
}

/*
 * Move some values of a column, which is in use, to the device if there is room
 * or what is colder.
 */
void
gs_table_column_promote(gs_table_column *c)
{
	const gs_segment *s = gs_table_column_segment(c, GS_ALL_DEVICES, true);
	gs_values  *v;
	size_t		size;
	int			device;
	char	   *memory;

	if (s == NULL)
		return;
	size = s->values[c->slot].size;
	device = s->device;
	gs_device_use(device);
	pthread_mutex_lock(&gs_budget_lock);
	memory = gs_budget_reserve_colder(&c->item, size);
	pthread_mutex_unlock(&gs_budget_lock);
	if (memory == NULL)
		return;

	/* columns may have been evicted for it, and segments with them */
	v = gs_table_column_segment(c, GS_ALL_DEVICES, true) == s ?
		&s->values[c->slot] : NULL;
	if (v != NULL && gs_service.engine->write(memory, v->memory, size) == GS_OK)
		have_moved(v, memory, device);
	else
		gs_budget_release(memory, size, device);
}
