/*-------------------------------------------------------------------------
 *
 * columns_room.c
 *	  Memory for rows that are to be kept.
 *
 * The caller has the table's lock for writing.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <string.h>

#include "service/columns_table.h"

/*
 * Rows of a segment at most: not too much is evicted, or read again, with it.  A device
 * gets twice as many if values of 8 bytes of so many rows take no more than this part of
 * what it may hold: each segment costs a report some 0.1 ms on an H200, however many rows
 * it has.
 */
#define SEGMENT_ROWS		(INT64_C(1) << 24)
#define SEGMENT_SHARE		64

/*
 * If memory is short, a segment may have fewer rows than would be best, but
 * not fewer than these, or than a part of what would be best.
 */
#define SEGMENT_ROWS_MIN	16384
#define SEGMENT_PART_MIN	16

/* Capacities are multiples of this, so that bitmaps are whole words. */
#define SEGMENT_GRAIN		64

/* Kernels may read 16 bytes more than there are. */
#define READ_BEHIND			16

/* ----------
 * Map pages
 * ----------
 */

/* Replace an array by a larger one. */
static bool
enlarge(void *memory, size_t old, size_t count, size_t width)
{
	void	  **array = memory;
	void	   *larger = gs_columns_zeros(count, width);

	if (larger == NULL)
		return false;
	if (old > 0)
		memcpy(larger, *array, old * width);
	gs_columns_free(*array, old, width);
	*array = larger;
	return true;
}

static void
add_users(gs_table_column *c, int users)
{
	pthread_mutex_lock(&gs_budget_lock);
	c->users += users;
	pthread_mutex_unlock(&gs_budget_lock);
}

static bool
enlarge_column(gs_table_column *c, size_t words)
{
	bool		enlarged;

	add_users(c, 1);			/* so it is not evicted itself */
	enlarged = enlarge(&c->held, c->words, words, sizeof(uint64_t));
	add_users(c, -1);
	if (enlarged)
		c->words = words;
	return enlarged;
}

static bool
enlarge_columns(gs_table *t, size_t words)
{
	for (gs_table_column *c = t->columns; c != NULL;)
	{
		if (c->words >= words)
			c = c->next;
		else if (!enlarge_column(c, words))
			return false;
		else
			c = t->columns;		/* others may have been evicted */
	}
	return true;
}

/* Room for so many map pages; false if there is no memory. */
bool
gs_room_maps(gs_table *t, uint32_t maps)
{
	gs_map_record *map;
	uint64_t   *bits;
	size_t		words = maps * t->words;
	size_t		before = t->maps * t->words;

	if (maps <= t->maps)
		return true;
	map = gs_columns_zeros(maps, sizeof *map);
	bits = gs_columns_zeros(GS_PAGE_BITS * words, sizeof *bits);
	if (map == NULL || bits == NULL || !enlarge_columns(t, words))
	{
		gs_columns_free(map, maps, sizeof *map);
		gs_columns_free(bits, GS_PAGE_BITS * words, sizeof *bits);
		return false;
	}
	if (t->maps > 0)
	{
		memcpy(map, t->map, t->maps * sizeof *map);
		for (int i = 0; i < GS_PAGE_BITS; i++)
			memcpy(bits + i * words, t->live + i * before,
				   before * sizeof *bits);
	}
	gs_columns_free(t->map, t->maps, sizeof *map);
	gs_columns_free(t->live, GS_PAGE_BITS * before, sizeof *bits);
	t->map = map;
	t->live = bits;
	t->settled = bits + words;
	t->loading = bits + 2 * words;
	t->maps = maps;
	return true;
}

/* Room for the extracts of so many of a map page's pages. */
bool
gs_room_pages(gs_table *t, uint32_t map, uint32_t pages)
{
	gs_map_record *m = &t->map[map];
	uint32_t	more = m->pages + m->pages / 2;

	if (pages <= m->pages)
		return true;
	if (more > t->map_blocks)
		more = t->map_blocks;
	if (more < pages)
		more = pages;
	if (!enlarge(&m->page, m->pages, more, sizeof(gs_page)))
		return false;
	m->pages = more;
	return true;
}

/* ----------
 * A column in a segment
 * ----------
 */

/* The engine's memory, which counts as held. */
static void *
reserve(size_t size)
{
	void	   *memory;

	pthread_mutex_lock(&gs_budget_lock);
	memory = gs_budget_reserve(size);
	pthread_mutex_unlock(&gs_budget_lock);
	return memory;
}

static size_t
aligned(size_t size)
{
	return (size + READ_BEHIND + GS_CACHE_ALIGN - 1) / GS_CACHE_ALIGN *
		GS_CACHE_ALIGN;
}

static bool
make_slot(gs_segment *s, int slot)
{
	gs_values  *larger;

	if (slot < s->slots)
		return true;
	larger = realloc(s->values, (size_t) (slot + 1) * sizeof *larger);
	if (larger == NULL)
		return false;
	memset(larger + s->slots, 0, (size_t) (slot + 1 - s->slots) *
		   sizeof *larger);
	s->values = larger;
	s->slots = slot + 1;
	return true;
}

size_t
gs_values_size(const gs_segment *s, gs_encoding frame)
{
	return aligned((size_t) s->capacity * (size_t) frame.width);
}

/* Memory for values in either tier, each of which would have its own frame. */
static bool
reserve_values(const gs_segment *s, const gs_table_column *c,
			   gs_encoding near, gs_encoding far, gs_values *v)
{
	pthread_mutex_lock(&gs_budget_lock);
	v->memory = gs_budget_reserve_tiered(&c->item, gs_values_size(s, near),
										 gs_values_size(s, far), &v->on_host);
	pthread_mutex_unlock(&gs_budget_lock);
	v->frame = v->on_host ? far : near;
	v->size = gs_values_size(s, v->frame);
	return v->memory != NULL;
}

/* Memory for values such as the batch's from row `from` on. */
static bool
make_values(gs_segment *s, const gs_table_column *c, const gs_batch *batch,
			const gs_column_data *data, int64_t from)
{
	gs_values  *v = &s->values[c->slot];
	gs_type		type = (gs_type) c->type;
	gs_encoding	near = gs_frame_for(type, data->low, data->high);
	gs_encoding	far = near;

	if (gs_service.host_cache_size > 0 &&
		!gs_scaled_for(type, &near, data, from, batch->n - from, &far))
		far = near;
	v->low = 1;
	v->high = 0;
	return reserve_values(s, c, near, far, v);
}

/* Copy a column's rows into wider memory. */
static gs_status
copy_wider(const gs_segment *s, const gs_table_column *c, const gs_values *v,
		   gs_values *wide)
{
	if (v->frame.unit != wide->frame.unit)
		return gs_service.engine->unscale(wide->memory, (gs_type) c->type,
										  v->memory, &v->frame, s->used);
	return gs_service.engine->widen(wide->memory, wide->frame.width,
									v->memory, v->frame.width, s->used,
									(uint64_t) v->frame.base -
									(uint64_t) wide->frame.base);
}

/* Integers on the host get a unit instead of 8 bytes; false: they cannot. */
static bool
change_to_unit(gs_segment *s, const gs_table_column *c, gs_encoding frame)
{
	gs_values  *v = &s->values[c->slot];
	gs_values	scaled = *v;

	scaled.frame = frame;
	scaled.size = gs_values_size(s, frame);
	pthread_mutex_lock(&gs_budget_lock);
	scaled.memory = gs_budget_reserve_host(&c->item, scaled.size);
	pthread_mutex_unlock(&gs_budget_lock);
	if (scaled.memory == NULL)
		return false;
	if (!gs_scaled_change(v, s->used, &frame, scaled.memory))
	{
		gs_values_release(&scaled, s->device);
		return false;
	}
	gs_values_release(v, s->device);
	*v = scaled;
	return true;
}

/*
 * Memory for values such as the batch's from row `from` on, and for those that
 * are there.
 */
static bool
widen_values(gs_segment *s, const gs_table_column *c, const gs_batch *batch,
			 const gs_column_data *data, int64_t from)
{
	gs_values  *v = &s->values[c->slot];
	gs_type		type = (gs_type) c->type;
	bool		any = v->low <= v->high;
	int64_t		low = any && v->low < data->low ? v->low : data->low;
	int64_t		high = any && v->high > data->high ? v->high : data->high;
	gs_encoding	near = gs_frame_for(type, low, high);
	gs_encoding	far = near;
	gs_values	wide = *v;

	if (v->frame.unit != 0)
	{
		near = gs_frame_plain(type);
		far = v->frame;
		if (!gs_scaled_widen(&far, type, data, from, batch->n - from))
			far = near;
	}
	else if (v->on_host && any &&
			 gs_scaled_with(type, &near, data, from, batch->n - from, low, high,
							&far) && change_to_unit(s, c, far))
		return true;
	else
		far = near;
	if (!reserve_values(s, c, near, far, &wide) ||
		copy_wider(s, c, v, &wide) != GS_OK)
	{
		gs_values_release(&wide, s->device);
		return false;
	}
	gs_values_release(v, s->device);
	*v = wide;
	return true;
}

/* A bitmap, in which no row is NULL so far. */
static bool
make_validity(gs_segment *s, const gs_table_column *c)
{
	gs_values  *v = &s->values[c->slot];
	size_t		bytes = (size_t) s->capacity / 8;
	uint8_t    *bits = gs_columns_zeros(bytes, 1);
	char	   *validity = bits == NULL ? NULL : reserve(aligned(bytes));

	if (bits != NULL)
		memset(bits, 0xff, bytes);
	if (validity == NULL ||
		gs_service.engine->write(validity, bits, bytes) != GS_OK)
	{
		gs_budget_release(validity, aligned(bytes), s->device);
		gs_columns_free(bits, bytes, 1);
		return false;
	}
	v->bits = bits;
	v->validity = validity;
	v->validity_size = aligned(bytes);
	return true;
}

/* Do rows of a batch fit the frame of what is held? */
static bool
is_held(const gs_values *v, gs_type type, const gs_column_data *data,
		int64_t from, int64_t rows)
{
	return v->frame.unit != 0 ?
		gs_scaled_holds(&v->frame, type, data, from, rows) :
		gs_frame_holds(&v->frame, type, data->low, data->high);
}

static gs_room
make_room(const gs_reading *r, const gs_batch *batch, int64_t from,
		  int64_t rows, gs_segment *s, uint64_t columns, uint64_t nulls)
{
	for (int i = 0; i < r->columns; i++)
	{
		const gs_table_column *c = r->column[i];
		const gs_column_data *data = &batch->column[i];

		if ((columns >> i & 1) == 0 || c->type == 0)
			continue;
		if (!make_slot(s, c->slot))
			return GS_ROOM_NONE;
		if (s->values[c->slot].memory == NULL)
			return make_values(s, c, batch, data, from) ? GS_ROOM_MADE :
				GS_ROOM_NONE;
		if (!is_held(&s->values[c->slot], (gs_type) c->type, data, from, rows))
			return widen_values(s, c, batch, data, from) ? GS_ROOM_MADE :
				GS_ROOM_NONE;
		if ((nulls >> i & 1) != 0 && s->values[c->slot].bits == NULL)
			return make_validity(s, c) ? GS_ROOM_MADE : GS_ROOM_NONE;
	}
	return GS_ROOM_THERE;
}

/*
 * Memory of columns (bit c: column c of the reading) in a segment for so many
 * rows of the batch from row `from` on, and others such as the batch's, with a
 * bitmap for some.  If any was lacking, one has been added, but other columns
 * may have been evicted, and pages with them.
 */
gs_room
gs_room_make(const gs_reading *r, const gs_batch *batch, int64_t from,
			 int64_t rows, gs_segment *s, uint64_t columns, uint64_t nulls)
{
	gs_room		room;

	s->writers++;				/* so the segment stays */
	gs_device_use(s->device);
	room = make_room(r, batch, from, rows, s, columns, nulls);
	s->writers--;
	return room;
}

/* ----------
 * Segments
 * ----------
 */

/* The pages that may be kept, and which nobody has read so far. */
static int64_t
count_left(const gs_reading *r)
{
	const gs_table *t = r->table;
	int64_t		left = 0;

	for (uint32_t m = 0; m < r->maps; m++)
	{
		for (size_t w = 0; w < r->words; w++)
		{
			size_t		word = m * r->words + w;

			left += __builtin_popcountll(gs_reading_map_page(r, m)->visible[w] &
										 ~(r->done[word] | t->live[word] |
										   t->loading[word]));
		}
	}
	return left;
}

/*
 * Are so many rows of a table worth several devices?  Logical ones are for tests,
 * of which few have that many.
 */
static bool
is_spread(int64_t rows)
{
	return rows / gs_service.devices >=
		(gs_service.logical_devices ? SEGMENT_GRAIN : GS_SPREAD_ROWS_MIN);
}

/* The rows at hand, and those still to be read, by this report or another one. */
static double
rows_to_come(const gs_reading *r, int64_t rows)
{
	return (double) rows + (double) count_left(r) * (double) r->rows_read /
		(double) r->pages_read;
}

static int64_t
rows_of(const gs_table *t)
{
	int64_t		rows = 0;

	for (int i = 0; i < t->segments; i++)
		rows += t->segment[i]->used;
	return rows;
}

/* Of a segment. */
static double
most_rows(void)
{
	bool		many = gs_service.engine->on_device &&
		gs_service.cache_share / SEGMENT_SHARE >= 2 * SEGMENT_ROWS * sizeof(int64_t);

	return many ? 2 * SEGMENT_ROWS : SEGMENT_ROWS;
}

/*
 * How many rows a new segment should have: those to come, and some more for pages
 * that are added later, in segments that are all of about the same size, as many on
 * each device if the table is spread: a device that has one more takes longer.  Tables
 * that grow in small parts get some each time they have grown by a quarter.
 */
static int64_t
best_capacity(double to_come, int64_t used, bool spread)
{
	int			devices = spread ? gs_service.devices : 1;
	double		growth = (double) used / 4 / devices;
	double		best = to_come * 1.1 > growth ? to_come * 1.1 : growth;

	/*
	 * A device's part of all rows, and room for later ones.  That makes the last segment
	 * smaller, so there is little of it if there are several devices.
	 */
	double		part = ((double) used + to_come) * (spread ? 1.03 : 1.1) / devices;
	double		most = part / (double) ((int64_t) (part / most_rows()) + 1);

	return (int64_t) (best < most ? best : most);
}

/* One of the table's own; if it is spread, the one that has the fewest rows of it. */
static int
device_for(const gs_table *t, bool spread)
{
	int64_t		rows[GS_DEVICES_MAX] = {0};
	int			first = (int) (t->number % (uint64_t) gs_service.devices);
	int			best = first;

	if (!spread)
		return first;
	for (int i = 0; i < t->segments; i++)
		rows[t->segment[i]->device] += t->segment[i]->capacity;
	for (int i = 1; i < gs_service.devices; i++)
	{
		int			device = (first + i) % gs_service.devices;

		if (rows[device] < rows[best])
			best = device;
	}
	return best;
}

/*
 * A segment that nobody knows so far, for values such as the batch's from row
 * `from` on.
 */
static gs_segment *
make_segment(gs_reading *r, const gs_batch *batch, int64_t from,
			 int64_t capacity, int device)
{
	gs_segment *s = calloc(1, sizeof *s);
	bool		ok = s != NULL;

	if (s == NULL)
		return NULL;
	atomic_store(&s->refs, 1);
	s->capacity = capacity;
	s->device = device;
	gs_device_use(device);
	s->bits = gs_columns_zeros((size_t) capacity / 64, sizeof(uint64_t));
	ok = s->bits != NULL;
	for (int i = 0; i < r->columns && ok; i++)
	{
		const gs_table_column *c = r->column[i];

		ok = c->type == 0 || (make_slot(s, c->slot) &&
							  (s->values[c->slot].memory != NULL ||
							   make_values(s, c, batch, &batch->column[i],
										   from)));
	}
	if (ok)
		return s;
	gs_segment_release(s);
	return NULL;
}

static bool
add_segment(gs_table *t, gs_segment *s)
{
	gs_segment **larger = realloc(t->segment,
								  (size_t) (t->segments + 1) * sizeof *larger);

	if (larger == NULL)
		return false;
	t->segment = larger;
	t->segment[t->segments] = s;
	s->index = t->segments++;
	return true;
}

/*
 * A segment with room for so many rows of a page, from row `from` of the batch
 * on; NULL if there is no memory.
 */
gs_segment *
gs_room_find(gs_reading *r, const gs_batch *batch, int64_t from,
			 int64_t page_rows)
{
	gs_table   *t = r->table;
	gs_segment *s = NULL;
	double		to_come;
	int64_t		used;
	int64_t		capacity;
	int64_t		least;
	bool		spread;

	for (int i = 0; i < t->segments; i++)
	{
		s = t->segment[i];
		if (s->capacity - s->used >= page_rows)
			return s;
	}
	to_come = rows_to_come(r, batch->n - from);
	used = rows_of(t);
	spread = is_spread(used + (int64_t) to_come);
	capacity = best_capacity(to_come, used, spread);
	least = capacity / SEGMENT_PART_MIN;
	least = least < SEGMENT_ROWS_MIN ? least : SEGMENT_ROWS_MIN;
	least = least > page_rows ? least : page_rows;
	least = least > 1 ? least : 1;
	capacity = capacity > least ? capacity : least;
	for (s = NULL; s == NULL && capacity >= least; capacity /= 2)
		s = make_segment(r, batch, from, (capacity + SEGMENT_GRAIN - 1) /
						 SEGMENT_GRAIN * SEGMENT_GRAIN, device_for(t, spread));
	if (s != NULL && !add_segment(t, s))
	{
		gs_segment_release(s);
		s = NULL;
	}
	return s;
}
