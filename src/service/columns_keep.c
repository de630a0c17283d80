/*-------------------------------------------------------------------------
 *
 * columns_keep.c
 *	  Rows that a report has read are written into segments.
 *
 * They are pending: nobody uses them until gs_reading_look finds that their
 * pages have not changed.  If a page has an extract with the same LSN, the
 * columns that it lacks are written into its rows.  Otherwise its rows are
 * appended to a segment.  Of reports that read a page at the same time, the
 * first one keeps it.
 *
 * What finds no memory is not kept.  Memory that is needed may cost other
 * columns of the same table theirs, so a place is looked for again once
 * memory has been found (columns_room.c).
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/engine_cpu.h"
#include "service/columns_table.h"

/* Rows of pages that follow each other, in the batch and in the segment. */
typedef struct stretch
{
	gs_segment *segment;
	uint64_t	columns;
	int64_t		from;			/* row of the batch */
	int64_t		to;				/* row of the segment */
	int64_t		n;
} stretch;

/* A batch that is being kept. */
typedef struct keeping
{
	gs_reading *r;
	gs_table   *t;
	const gs_batch *batch;
	uint64_t	nulls;			/* bit c: column c has some */
	stretch		run;
} keeping;

/* ----------
 * Writing
 * ----------
 */

static gs_status
write_bits(gs_values *v, const uint8_t *from, int64_t from_first,
		   int64_t to, int64_t n)
{
	int64_t		first = to / 8;

	gs_bits_copy(v->bits, to, from, from_first, n);
	return gs_service.engine->write(v->validity + first, v->bits + first,
									(size_t) ((to + n + 7) / 8 - first));
}

/* Values as the frame has them, which has room for them. */
static gs_status
write_values(const gs_values *v, gs_type type, const gs_column_data *data,
			 const stretch *run)
{
	char	   *from = (char *) data->values + run->from * gs_type_width(type);
	char	   *to = v->memory + run->to * v->frame.width;
	size_t		size = (size_t) (run->n * v->frame.width);

	if (v->frame.unit != 0)
		return gs_cpu_scale(to, &v->frame, type, data->values, data->validity,
							run->from, run->n) ? GS_OK : GS_INVALID;
	gs_frame_store(&v->frame, type, from, run->n);
	if (!v->on_host)
		return gs_service.engine->write(to, from, size);
	memcpy(to, from, size);
	return GS_OK;
}

static gs_status
write_column(const keeping *k, int column, const stretch *run)
{
	const gs_table_column *c = k->r->column[column];
	const gs_column_data *data = &k->batch->column[column];
	gs_values  *v;
	gs_status	status;

	if (c->type == 0)
		return GS_OK;
	v = &run->segment->values[c->slot];
	gs_device_use(run->segment->device);
	status = write_values(v, (gs_type) c->type, data, run);
	if (status == GS_OK && v->bits != NULL)
		status = write_bits(v, data->validity, run->from, run->to, run->n);
	if (data->low > data->high)
		return status;
	if (v->low > v->high)
	{
		v->low = data->low;
		v->high = data->high;
	}
	v->low = data->low < v->low ? data->low : v->low;
	v->high = data->high > v->high ? data->high : v->high;
	return status;
}

static gs_status
write_run(keeping *k)
{
	gs_status	status = GS_OK;

	for (int i = 0; i < k->r->columns && k->run.n > 0; i++)
	{
		if ((k->run.columns >> i & 1) != 0 && status == GS_OK)
			status = write_column(k, i, &k->run);
	}
	k->run.n = 0;
	return status;
}

/* A page's rows, from row `from` of the batch on, have their place. */
static gs_status
add_to_run(keeping *k, const gs_pending *p, int64_t from)
{
	stretch    *run = &k->run;
	gs_status	status = GS_OK;

	if (run->segment != p->segment || run->columns != p->columns ||
		run->from + run->n != from || run->to + run->n != p->first)
	{
		status = write_run(k);
		run->segment = p->segment;
		run->columns = p->columns;
		run->from = from;
		run->to = p->first;
	}
	run->n += p->page.rows;
	return status;
}

/* ----------
 * Finding a place
 * ----------
 */

/* Is the page to be kept by this report? */
static bool
is_wanted(const gs_reading *r, const gs_page_rows *page)
{
	uint32_t	map = page->block / r->map_blocks;
	uint32_t	i = page->block % r->map_blocks;

	return page->keep != GS_KEEP_NOT &&
		(page->keep == GS_KEEP_SETTLED ||
		 gs_bit(gs_reading_map_page(r, map)->visible, i)) &&
		!gs_bit(r->table->loading + map * r->words, i);
}

/* Into the rows of the page's extract, if it has not changed. */
static bool
place_in_extract(const keeping *k, gs_pending *p)
{
	const gs_table *t = k->t;
	uint32_t	map = p->page.block / t->map_blocks;
	uint32_t	i = p->page.block % t->map_blocks;
	const gs_page *page = &t->map[map].page[i];

	if (!gs_bit(t->live + map * t->words, i) || page->lsn != p->page.lsn ||
		page->rows != p->page.rows)
		return false;
	p->segment = page->segment;
	p->first = page->first;
	p->appended = false;
	for (int c = 0; c < k->r->columns; c++)
	{
		if (!gs_bit(k->r->column[c]->held + map * t->words, i))
			p->columns |= UINT64_C(1) << c;
	}
	return true;
}

static bool
place_behind(const keeping *k, gs_pending *p, int64_t from)
{
	p->segment = gs_room_find(k->r, k->batch, from, p->page.rows);
	if (p->segment == NULL)
		return false;
	p->first = (uint32_t) p->segment->used;
	p->appended = true;
	p->columns = k->r->columns == 64 ? UINT64_MAX :
		(UINT64_C(1) << k->r->columns) - 1;
	return true;
}

/* Find a place where all columns have memory; false if there is none. */
static bool
place(const keeping *k, gs_pending *p, int64_t from)
{
	gs_room		room;

	do
	{
		p->columns = 0;
		if (!place_in_extract(k, p) && !place_behind(k, p, from))
			return false;
		room = gs_room_make(k->r, k->batch, from, p->page.rows, p->segment,
							p->columns, k->nulls);
	} while (room == GS_ROOM_MADE);
	return room == GS_ROOM_THERE;
}

static gs_pending *
next_pending(gs_reading *r)
{
	if (r->pendings == r->pendings_max)
	{
		int64_t		max = 2 * r->pendings_max + 256;
		gs_pending *larger = realloc(r->pending,
									 (size_t) max * sizeof *larger);

		if (larger == NULL)
			return NULL;
		r->pending = larger;
		r->pendings_max = max;
	}
	return &r->pending[r->pendings];
}

/* The pages that a map page has. */
static uint32_t
pages_of(const gs_reading *r, uint32_t map)
{
	uint32_t	left = r->blocks - map * r->map_blocks;

	return left < r->map_blocks ? left : r->map_blocks;
}

/* Keep a page, whose rows are those from row `from` of the batch on. */
static gs_status
keep_page(keeping *k, const gs_page_rows *page, int64_t from)
{
	gs_reading *r = k->r;
	gs_pending *p;
	uint32_t	map = page->block / r->map_blocks;
	uint32_t	i = page->block % r->map_blocks;

	if (r->full || !is_wanted(r, page))
		return GS_OK;
	p = next_pending(r);
	if (p != NULL)
		*p = (gs_pending) {.page = *page};
	if (p == NULL || !gs_room_pages(k->t, map, pages_of(r, map)) || !place(k, p, from))
	{
		r->full = true;
		return GS_OK;
	}
	r->pendings++;
	p->segment->writers++;
	if (p->appended)
	{
		p->segment->used += page->rows;
		p->segment->pending += page->rows;
	}
	k->t->loading[map * r->words + i / 64] |= UINT64_C(1) << (i % 64);
	return add_to_run(k, p, from);
}

/*
 * Keep the rows of pages, in the order of these, as far as there is memory.
 * The batch is private: it must not change meanwhile, and its values are lost.
 */
gs_status
gs_reading_keep(gs_reading *r, const gs_batch *batch, const gs_page_rows *page,
				int64_t pages)
{
	keeping		k = {.r = r, .t = r->table, .batch = batch};
	gs_status	status = GS_OK;
	int64_t		from = 0;

	r->pages_read += pages;
	r->rows_read += batch->n;
	if (r->table == NULL || r->full)
		return GS_OK;
	for (int c = 0; c < r->columns; c++)
	{
		if (r->column[c]->type != 0 && batch->column[c].validity != NULL)
			k.nulls |= UINT64_C(1) << c;
	}
	gs_table_write(k.t);
	r->full = !gs_room_maps(k.t, r->maps);
	for (int64_t i = 0; i < pages && status == GS_OK; i++)
	{
		status = keep_page(&k, &page[i], from);
		from += page[i].rows;
	}
	if (status == GS_OK)
		status = write_run(&k);
	gs_table_unlock(k.t);
	return status;
}
