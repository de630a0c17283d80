/*-------------------------------------------------------------------------
 *
 * columns.h
 *	  Columns of tables that gpuscand holds, and what of them is still true.
 *
 * What is held of a table's page is its extract: the rows that it had when a
 * backend read it, in some columns.  A report reads a table like this:
 *
 *		gs_reading_open			what is held of these columns is in use
 *		gs_reading_map			the visibility map, part by part
 *		gs_reading_decide		which extracts the report uses: they are pinned;
 *								or some must be verified first
 *		gs_reading_lsns			which ones, and the LSNs that their pages had
 *		gs_reading_verified		which have them still; then the map again
 *		gs_reading_keep			rows that were read now; pending
 *		gs_reading_look			the map once more: which of these are extracts
 *								from now on
 *		gs_reading_leave		nothing more is read or kept
 *		gs_reading_pinned		the rows, as batches for an engine
 *		gs_reading_close		always
 *
 * Any number of connections read a table at the same time, each with a
 * gs_reading of its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COLUMNS_H
#define GS_COLUMNS_H

#include "protocol/report.h"
#include "service/dictionary.h"
#include "service/service.h"

typedef struct gs_table gs_table;
typedef struct gs_table_column gs_table_column;
typedef struct gs_segment gs_segment;
typedef struct gs_mask gs_mask;

/* A page whose rows were written, and which is not an extract so far. */
typedef struct gs_pending
{
	gs_page_rows page;
	gs_segment *segment;
	uint32_t	first;			/* row in it */
	uint64_t	columns;		/* bit c: column c of the reading was written */
	bool		appended;		/* else written into an extract's rows */
} gs_pending;

/* Rows of a segment that a report uses. */
typedef struct gs_pin
{
	gs_segment *segment;
	int64_t		n;				/* rows from the segment's first one on */
	int64_t		rows;			/* of these, that count */

	/* which; all n if there is neither of these masks */
	gs_mask    *shared;
	uint64_t   *mask;
} gs_pin;

typedef struct gs_reading
{
	struct gs_reading *next;

	/* set by gs_reading_open */
	gs_table   *table;			/* NULL: nothing can be held */
	int			columns;		/* at least one, even if the plan has none */
	gs_table_column  *column[GS_PLAN_COLUMNS];
	int			devices;		/* that held some of it then */
	gs_held_dictionary *dictionary[GS_PLAN_COLUMNS];	/* whose codes they are,
														 * or NULL */
	bool		keep;
	uint32_t	blocks;
	uint32_t	map_blocks;
	uint32_t	maps;			/* map pages */
	size_t		words;			/* of each map page's bits */
	uint32_t	xmin;			/* the snapshot's */

	/* the map, as it came; and pages whose rows the report has */
	char	   *map;
	uint64_t   *done;
	uint64_t   *unchanged;		/* settled pages that were verified, as long as
								 * changes are these; zeros until any were */
	bool		verified;		/* some were */
	uint32_t   *changes;		/* gs_map_record.changes at gs_reading_decide */
	uint32_t	received;		/* map pages */
	bool		decided;

	/* rows that were read */
	bool		full;			/* no memory for more */
	int64_t		pages_read;		/* that may be kept */
	int64_t		rows_read;
	gs_pending *pending;
	int64_t		pendings;
	int64_t		pendings_max;

	gs_pin	   *pin;
	int			pins;
	int			fed[GS_DEVICES_MAX];	/* of those before this one, each
										 * device's, to the engine */
	bool		feedable;		/* it can be fed before the report's end */
} gs_reading;

static inline const gs_map_page *
gs_reading_map_page(const gs_reading *r, uint32_t map)
{
	return (const gs_map_page *) (r->map + map * gs_map_size(r->map_blocks));
}

/* Memory that gs_reading_open allocates, and each page that is kept. */
extern int64_t gs_reading_size(const gs_msg_table *table);

/* columns_reading.c */
extern gs_status gs_reading_open(gs_reading *r, const gs_msg_table *table,
								 const gs_plan *plan);
extern void gs_reading_leave(gs_reading *r);
extern void gs_reading_close(gs_reading *r);

/* columns_pin.c */
extern int	gs_pin_device(const gs_pin *pin);
extern void gs_reading_lock(gs_reading *r);
extern void gs_reading_unlock(gs_reading *r);
extern void gs_reading_pinned(const gs_reading *r, int pin, gs_batch *batch,
							  gs_column_data *column);

/* columns_fresh.c */
extern bool gs_reading_map(gs_reading *r, uint32_t first, uint32_t count,
						   const char *from, size_t size);
extern gs_status gs_reading_decide(gs_reading *r, bool final,
								   gs_msg_pages *answer);
extern void gs_reading_usable(const gs_reading *r, uint32_t first,
							  uint32_t count, uint64_t *to);
/* columns_verify.c */
extern uint32_t gs_reading_lsns(const gs_reading *r, uint32_t first,
								uint32_t count, gs_listed_page *to);
extern int64_t gs_reading_verified(gs_reading *r, uint32_t map,
								   const uint64_t *bits);

/* columns_look.c */
extern void gs_reading_look(gs_reading *r, uint32_t first, uint32_t count,
							const char *from, gs_msg_pages *answer);

/* columns_keep.c */
extern gs_status gs_reading_keep(gs_reading *r, const gs_batch *batch,
								 const gs_page_rows *page, int64_t pages);

/* columns.c, columns_list.c: what is held, for those who ask */
extern int64_t gs_columns_clear(void);
extern void gs_columns_stats(gs_msg_state *state);
extern int64_t gs_columns_list(uint64_t *from, gs_msg_column_entry *to,
							   int64_t max);

#endif							/* GS_COLUMNS_H */
