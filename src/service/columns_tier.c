/*-------------------------------------------------------------------------
 *
 * columns_tier.c
 *	  Columns' values move between the device and the host.
 *
 * The caller has the table's lock for writing.  Whoever reads values has it for
 * reading, so values may move even while a report uses their column.  They move a
 * segment at a time: no longer than a report takes to read them once.  On the host
 * they may have a unit (columns_scaled.c), which they get or lose on the way.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "service/columns_table.h"

/* So many values say whether a unit is worth trying on all. */
#define SAMPLE	4096

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
have_moved(const gs_segment *s, gs_values *v, char *memory, gs_encoding frame)
{
	gs_values_release(v, s->device);
	v->memory = memory;
	v->size = gs_values_size(s, frame);
	v->frame = frame;
	v->on_host = !v->on_host;
	atomic_fetch_add(&gs_progress, 1);
}

/*
 * Would a unit make values on the device smaller on the host?  Those of rows that
 * are pending (gs_pending) are not known so far.
 */
static bool
find_unit(const gs_segment *s, const gs_values *v, gs_type type,
		  gs_encoding *scaled)
{
	int64_t		n = s->used < SAMPLE ? s->used : SAMPLE;
	gs_column_data sample = {.validity = v->bits};
	void	   *values;
	bool		found;

	if (v->frame.width < 8 || s->writers > 0)
		return false;
	values = malloc((size_t) n * 8);
	sample.values = values;
	found = values != NULL &&
		gs_service.engine->get(values, v->memory, (size_t) n * 8) == GS_OK &&
		gs_scaled_for(type, &v->frame, &sample, 0, n, scaled);
	free(values);
	return found;
}

/* Copy values to the host, with a unit or without, as it is found to be possible. */
static char *
copy_to_host(const gs_table_column *c, const gs_segment *s,
			 const gs_values *v, gs_encoding *frame)
{
	const gs_engine *engine = gs_service.engine;
	size_t		size;
	char	   *memory;

	if (find_unit(s, v, (gs_type) c->type, frame))
	{
		size = gs_values_size(s, *frame);
		memory = gs_budget_reserve_host(&c->item, size);
		if (memory != NULL &&
			engine->scale(memory, frame, (gs_type) c->type, v->memory,
						  (const uint8_t *) v->validity, s->used) == GS_OK)
			return memory;
		if (memory != NULL)
			gs_budget_release_host(memory, size);
	}
	*frame = v->frame;
	memory = gs_budget_reserve_host(&c->item, v->size);
	if (memory == NULL || engine->get(memory, v->memory, v->size) == GS_OK)
		return memory;
	gs_budget_release_host(memory, v->size);
	return NULL;
}

/*
 * Move some values of a column from a device, or any one, to the host; the caller
 * has gs_budget_lock.
 */
gs_demoted
gs_table_column_demote(gs_table_column *c, int device)
{
	const gs_segment *s = gs_table_column_segment(c, device, false);
	const int	used = gs_device_in_use();
	gs_encoding frame;
	char	   *memory;

	if (s == NULL)
		return GS_DEMOTE_NOTHING;
	gs_device_use(s->device);
	memory = copy_to_host(c, s, &s->values[c->slot], &frame);
	gs_device_use(used);
	if (memory == NULL)
		return GS_DEMOTE_NO_ROOM;
	have_moved(s, &s->values[c->slot], memory, frame);
	return GS_DEMOTED;
}

/* Copy values to the device. */
static gs_status
copy_to_device(const gs_table_column *c, const gs_segment *s,
			   const gs_values *v, char *memory)
{
	if (v->frame.unit != 0)
		return gs_service.engine->unscale(memory, (gs_type) c->type,
										  v->memory, &v->frame, s->used);
	return gs_service.engine->write(memory, v->memory, v->size);
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
	gs_encoding frame;
	size_t		size;
	int			device;
	char	   *memory;

	if (s == NULL)
		return;
	frame = s->values[c->slot].frame;
	if (frame.unit != 0)
		frame = gs_frame_plain((gs_type) c->type);
	size = gs_values_size(s, frame);
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
	if (v != NULL && copy_to_device(c, s, v, memory) == GS_OK)
		have_moved(s, v, memory, frame);
	else
		gs_budget_release(memory, size, device);
}
