/*-------------------------------------------------------------------------
 *
 * columns_table.h
 *	  What is held of a table, as shared by the files of columns.
 *
 * Rows are in segments, page after page as they came; a page that is dropped
 * leaves its rows behind, which do not count any more, until the segment is
 * dropped.  A row has the same place in all columns.
 *
 * A table's lock is taken for reading where segments are read and for writing
 * where anything changes.  Whoever has it may take gs_budget_lock, which
 * protects who uses what; the other way round it is only tried.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COLUMNS_TABLE_H
#define GS_COLUMNS_TABLE_H

#include "service/columns.h"

/* A column without values, for reports that want none. */
#define NO_ATTRIBUTE	0

/* A column in a segment. */
typedef struct gs_values
{
	char	   *memory;			/* the engine's: a value a row; NULL: none */
	size_t		size;
	bool		on_host;		/* it is the host's (gs_engine.reserve_host) */
	gs_encoding	frame;			/* a unit: only on the host */

	/* a bit a row, once there is a NULL */
	uint8_t    *bits;
	char	   *validity;		/* the engine's copy */
	size_t		validity_size;

	/* the integers, if low <= high */
	int64_t		low;
	int64_t		high;
} gs_values;

/* Which of a segment's first rows are live, for all reports. */
struct gs_mask
{
	_Atomic int refs;			/* the segment, and pins */
	int			device;
	int64_t		n;				/* rows; those behind are not live */
	char	   *memory;			/* the engine's */
};

struct gs_segment
{
	_Atomic int refs;			/* the table, and pins */
	int			index;			/* in gs_table.segment */
	int			device;			/* that has it */
	int64_t		capacity;		/* rows */
	int64_t		used;
	int64_t		live;			/* of extracts */
	int64_t		pending;		/* appended, not extracts so far */
	int64_t		writers;		/* gs_pendings of it */
	uint64_t   *bits;			/* which rows are live */
	_Atomic(gs_mask *) mask;	/* of these, as they are; NULL: not made */
	int			slots;
	gs_values  *values;			/* in the columns' slots */
};

/* The extract of a page, if its bit in `live` is set. */
typedef struct gs_page
{
	uint64_t	lsn;
	gs_segment *segment;
	uint32_t	first;			/* row */
	uint32_t	rows;
	uint32_t	newest;			/* of a settled page */
} gs_page;

struct gs_table_column
{
	gs_item		item;			/* first */
	gs_table   *table;
	int16_t		attribute;
	uint8_t		type;			/* gs_type; 0: NO_ATTRIBUTE */
	int16_t		scale;			/* of numerics; or a pattern's code */
	uint64_t	dictionary;		/* id of that of its codes, or patterns; 0: none */
	int			slot;
	struct gs_table_column *next;
	uint64_t   *held;			/* a bit a page: it is in the extract */
	size_t		words;			/* of that; as many as the table's, or more */

	/* under gs_budget_lock */
	int			users;
	int64_t		hits;
};

/* What is known of a page of the visibility map. */
typedef struct gs_map_record
{
	uint64_t	noted;			/* the LSN under which all extracts of its
								 * pages, but settled ones, are known to be
								 * true */
	uint32_t	changes;		/* grows when one of these is new */
	gs_page    *page;
	uint32_t	pages;			/* that `page` has room for, up to map_blocks */
} gs_map_record;

#define GS_PAGE_BITS	3

struct gs_table
{
	gs_table_id id;
	uint32_t	map_blocks;
	size_t		words;			/* of a map page's bits */
	uint64_t	number;			/* in the order of their coming */

	pthread_rwlock_t lock;		/* protects what follows */
	uint32_t	maps;			/* map pages that there is room for */
	gs_map_record *map;

	/* a bit a page, one bitmap behind the other: GS_PAGE_BITS */
	uint64_t   *live;			/* it has an extract */
	uint64_t   *settled;		/* that was made of a settled page, and is not
								 * known to be true under `noted` */
	uint64_t   *loading;		/* someone has it pending */

	gs_table_column  *columns;
	_Atomic int64_t count;		/* of columns */
	gs_segment **segment;
	int			segments;

	/* under gs_budget_lock */
	int			users;
	bool		listed;			/* it can be found */
	gs_table   *next;			/* in its bucket */
};

/* columns_fresh.c */
extern uint32_t gs_reading_maps_held(const gs_reading *r);
extern bool gs_reading_is_fresh(const gs_reading *r, uint32_t map);
extern uint64_t gs_reading_wanted(const gs_reading *r, uint32_t map,
								  size_t w);
extern bool gs_reading_has_unused(const gs_reading *r, uint32_t map);
extern uint64_t gs_reading_wanted_settled(const gs_reading *r, uint32_t map,
										  size_t w);

/* columns.c */
extern void gs_table_read(gs_table *t);
extern void gs_table_write(gs_table *t);
extern bool gs_table_try_write(gs_table *t);
extern void gs_table_unlock(gs_table *t);
extern gs_table *gs_table_open(const gs_table_id *id, uint32_t map_blocks);
extern void gs_table_close(gs_table *t);
extern gs_table_column *gs_table_column_find(gs_table *t, int16_t attribute,
											 uint8_t type,
											 uint64_t dictionary,
											 int16_t scale);
extern gs_table_column *gs_table_column_open(gs_table *t, int16_t attribute,
											 uint8_t type,
											 uint64_t dictionary,
											 int16_t scale);
extern void *gs_columns_zeros(size_t count, size_t width);
extern void gs_columns_free(void *memory, size_t count, size_t width);
extern gs_table *gs_tables_next(uint64_t number);

/* columns_pin.c */
extern void gs_segment_changed(gs_segment *s);
extern bool gs_reading_pin(gs_reading *r);
extern void gs_reading_unpin(gs_reading *r);

/* columns_drop.c */
extern void gs_page_drop(gs_table *t, uint32_t map, uint32_t page);
extern void gs_pages_drop(gs_table *t, size_t word, uint64_t bits);
extern void gs_table_sweep(gs_table *t);
extern void gs_segment_release(gs_segment *s);
extern void gs_table_column_drop(gs_table_column *c);
extern void gs_table_free(gs_table *t);

/* columns_tier.c */
extern void gs_values_release(gs_values *v, int device);
extern gs_segment *gs_table_column_segment(const gs_table_column *c,
										   int device, bool on_host);
extern gs_demoted gs_table_column_demote(gs_table_column *c, int device);
extern void gs_table_column_promote(gs_table_column *c);

/* columns_scaled.c */
extern bool gs_scaled_for(gs_type type, const gs_encoding *plain,
						  const gs_column_data *data, int64_t first,
						  int64_t n, gs_encoding *scaled);
extern bool gs_scaled_with(gs_type type, const gs_encoding *plain,
						   const gs_column_data *data, int64_t first,
						   int64_t n, int64_t low, int64_t high,
						   gs_encoding *scaled);
extern bool gs_scaled_change(const gs_values *plain, int64_t n,
							 const gs_encoding *scaled, char *to);
extern bool gs_scaled_holds(const gs_encoding *scaled, gs_type type,
							const gs_column_data *data, int64_t first,
							int64_t n);
extern bool gs_scaled_widen(gs_encoding *scaled, gs_type type,
							const gs_column_data *data, int64_t first,
							int64_t n);

/* columns_width.c */
extern gs_encoding gs_frame_plain(gs_type type);
extern gs_encoding gs_frame_for(gs_type type, int64_t low, int64_t high);
extern bool gs_frame_holds(const gs_encoding *frame, gs_type type, int64_t low,
						   int64_t high);
extern void gs_frame_store(const gs_encoding *frame, gs_type type,
						   char *values, int64_t n);

/* columns_room.c */
typedef enum gs_room
{
	GS_ROOM_THERE,
	GS_ROOM_MADE,
	GS_ROOM_NONE
} gs_room;

extern size_t gs_values_size(const gs_segment *s, gs_encoding frame);
extern bool gs_room_maps(gs_table *t, uint32_t maps);
extern bool gs_room_pages(gs_table *t, uint32_t map, uint32_t pages);
extern gs_room gs_room_make(const gs_reading *r, const gs_batch *batch,
							int64_t from, int64_t rows, gs_segment *s,
							uint64_t columns, uint64_t nulls);
extern gs_segment *gs_room_find(gs_reading *r, const gs_batch *batch,
								int64_t from, int64_t page_rows);

/* columns_bits.c */
extern void gs_bits_set(uint64_t *bits, int64_t first, int64_t n);
extern void gs_bits_clear(uint64_t *bits, int64_t first, int64_t n);
extern void gs_bits_copy(uint8_t *to, int64_t first, const uint8_t *from,
						 int64_t from_first, int64_t n);

static inline bool
gs_bit(const uint64_t *bits, size_t i)
{
	return (bits[i / 64] >> (i % 64) & 1) != 0;
}

#endif							/* GS_COLUMNS_TABLE_H */
