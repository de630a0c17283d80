/*-------------------------------------------------------------------------
 *
 * columns_pin.c
 *	  The rows that a report uses, from its decision to its end.
 *
 * Most reports use all rows of a segment that are live, and these change
 * seldom.  So their mask is in the engine's memory once for all of them; it
 * never changes, but is replaced by another one when rows come or go
 * (gs_segment_changed).  A report that does not use some of the live rows has a
 * mask of its own.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/columns_table.h"

/* Bytes of a mask; engines may read 16 more. */
static size_t
mask_bytes(int64_t n)
{
	return ((size_t) n + 63) / 64 * sizeof(uint64_t);
}

static size_t
mask_size(int64_t n)
{
	return mask_bytes(n) + 16;
}

/* ----------
 * Masks that reports share
 * ----------
 */

static void
release_mask(gs_mask *mask)
{
	if (mask == NULL || atomic_fetch_sub(&mask->refs, 1) > 1)
		return;
	gs_budget_release(mask->memory, mask_size(mask->n), mask->device);
	free(mask);
}

/* Other rows of the segment are live than before; it is locked for writing. */
void
gs_segment_changed(gs_segment *s)
{
	release_mask(atomic_exchange(&s->mask, NULL));
}

static gs_mask *
make_shared_mask(const gs_segment *s)
{
	gs_mask    *mask = calloc(1, sizeof *mask);

	if (mask == NULL)
		return NULL;
	mask->n = s->used;
	mask->refs = 1;
	mask->device = s->device;
	gs_device_use(s->device);
	pthread_mutex_lock(&gs_budget_lock);
	mask->memory = gs_budget_reserve(mask_size(mask->n));
	pthread_mutex_unlock(&gs_budget_lock);
	if (mask->memory != NULL &&
		gs_service.engine->write(mask->memory, s->bits,
								 mask_bytes(mask->n)) == GS_OK)
		return mask;
	release_mask(mask);
	return NULL;
}

/*
 * The mask of a segment's live rows, with a reference to it; NULL: there is no
 * memory for one.  Others may make it at the same time.
 */
static gs_mask *
shared_mask(gs_segment *s)
{
	gs_mask    *mask = atomic_load(&s->mask);

	if (mask == NULL)
	{
		gs_mask    *made = make_shared_mask(s);

		if (made == NULL)
			return NULL;
		if (atomic_compare_exchange_strong(&s->mask, &mask, made))
			mask = made;
		else
			release_mask(made);
	}
	atomic_fetch_add(&mask->refs, 1);
	return mask;
}

/* ----------
 * Pins
 * ----------
 */

/* A pin's own mask begins with all live rows of its segment. */
static bool
make_mask(gs_pin *pin)
{
	if (pin->mask != NULL)
		return true;
	pin->mask = malloc(mask_bytes(pin->n));
	if (pin->mask == NULL)
		return false;
	memcpy(pin->mask, pin->segment->bits, mask_bytes(pin->n));
	return true;
}

/* Extracts that the report does not use: their rows do not count. */
static bool
mask_unused(gs_reading *r, size_t word, uint64_t bits)
{
	for (; bits != 0; bits &= bits - 1)
	{
		const gs_page *page = &r->table->map[word / r->words].page
			[word % r->words * 64 + __builtin_ctzll(bits)];
		gs_pin	   *pin = &r->pin[page->segment->index];

		if (!make_mask(pin))
			return false;
		gs_bits_clear(pin->mask, page->first, page->rows);
		pin->rows -= page->rows;
	}
	return true;
}

/* Mask the rows that are not live, if the pin has no mask so far. */
static bool
mask_dead(gs_pin *pin)
{
	if (pin->mask != NULL || pin->rows == pin->n)
		return true;
	pin->shared = shared_mask(pin->segment);
	if (pin->shared == NULL)
		return make_mask(pin);
	/* rows that were appended since it was made are not live so far */
	pin->n = pin->shared->n;
	return true;
}

static void
release_masks(gs_pin *pin)
{
	release_mask(pin->shared);
	free(pin->mask);
}

/* The same of all of them, page by page of the map: few have any. */
static bool
mask_all_unused(gs_reading *r)
{
	const gs_table *t = r->table;
	bool		ok = true;

	for (uint32_t m = 0; m < t->maps && ok; m++)
	{
		bool		inside = m < r->maps;

		if (inside && !gs_reading_has_unused(r, m))
			continue;
		for (size_t w = m * r->words; w < (m + 1) * r->words && ok; w++)
			ok = mask_unused(r, w, t->live[w] & ~(inside ? r->done[w] : 0));
	}
	return ok;
}

/* Pin the segments that have rows for the report; the table is locked. */
bool
gs_reading_pin(gs_reading *r)
{
	const gs_table *t = r->table;
	int			pins = 0;
	bool		ok;

	r->pin = calloc((size_t) t->segments, sizeof *r->pin);
	if (r->pin == NULL)
		return false;
	for (int i = 0; i < t->segments; i++)
	{
		gs_segment *s = t->segment[i];

		r->pin[i] = (gs_pin) {.segment = s, .n = s->used, .rows = s->live};
	}
	ok = mask_all_unused(r);
	for (int i = 0; i < t->segments; i++)
	{
		gs_pin		pin = r->pin[i];

		if (ok && pin.rows > 0 && (ok = mask_dead(&pin)))
		{
			atomic_fetch_add(&pin.segment->refs, 1);
			r->pin[pins++] = pin;
		}
		else
			release_masks(&pin);
	}
	r->pins = pins;
	return ok;
}

void
gs_reading_unpin(gs_reading *r)
{
	for (int i = 0; i < r->pins; i++)
	{
		gs_segment_release(r->pin[i].segment);
		release_masks(&r->pin[i]);
	}
	free(r->pin);
	r->pin = NULL;
	r->pins = 0;
}

/* ----------
 * Their rows
 * ----------
 */

int
gs_pin_device(const gs_pin *pin)
{
	return pin->segment->device;
}

/* Between these two, what is pinned can be read. */
void
gs_reading_lock(gs_reading *r)
{
	if (r->pins > 0)
		gs_table_read(r->table);
}

void
gs_reading_unlock(gs_reading *r)
{
	if (r->pins > 0)
		gs_table_unlock(r->table);
}

/* A pinned segment's rows, but for a mask of the pin's own. */
void
gs_reading_pinned(const gs_reading *r, int pin, gs_batch *batch,
				  gs_column_data *column)
{
	const gs_segment *s = r->pin[pin].segment;
	const gs_mask *shared = r->pin[pin].shared;

	memset(batch, 0, sizeof *batch);
	batch->n = r->pin[pin].n;
	batch->rows = shared == NULL ? NULL : (const uint8_t *) shared->memory;
	batch->column = column;
	batch->resident = 1;
	batch->device = s->device;
	for (int i = 0; i < r->columns; i++)
	{
		const gs_table_column *c = r->column[i];
		const gs_values *v;

		if (c->type == 0)
			continue;
		v = &s->values[c->slot];
		column[i] = (gs_column_data) {
			.values = v->memory,
			.validity = (const uint8_t *) v->validity,
			.width = v->frame.width,
			.base = v->frame.base,
			.unit = v->frame.unit,
			.on_host = v->on_host,
			.low = v->low,
			.high = v->high
		};
	}
}
