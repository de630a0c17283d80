/*-------------------------------------------------------------------------
 *
 * report.h
 *	  The messages of a report over tables.
 *
 * A report is a plan (engine/plan.h) whose rows come from tables, or several
 * stages (engine/finish.h), of which the first is such a plan.  gpuscand holds columns of tables (service/columns.h), and decides what of them is
 * still true; a backend tells it what the visibility map says, and reads what
 * gpuscand lacks.
 *
 *		backend							gpuscand
 *		REPORT, with the plans		->		their first part, and
 *		PLAN						->		others until all has been sent
 *									<-	WAITING, repeated while other sessions
 *										hold all slots
 *									<-	OPENED
 *		TABLE						->		for each table (a partition is one);
 *										the first need not wait for OPENED
 *		MAP							->		its visibility map, in parts
 *									<-	PAGES	once all is there
 *		LOOKUP						->		for each look-up table that gpuscand
 *									<-	FED		lacks: its bytes, in parts, in lane
 *										0's slot; before FEED_ROWS
 *		LSNS						->		if pages are to be verified: which
 *									<-	PAGES	ones, until all are listed
 *		VERIFIED					->		parts of the map; then MAP from its
 *									<-	PAGES	beginning again
 *		USABLE						->		if pages are to be read: which ones
 *									<-	PAGES
 *		FEED_ROWS					->		rows of these; no lane may be fed
 *									<-	FED		again before its FED
 *		LOOK						->		may rows be kept?
 *									<-	PAGES
 *		FINISH_REPORT				->		at once, even if FEDs are still to come
 *									<-	WAITING, repeated in a long one
 *									<-	SUMMARY	and, if wanted, few groups
 *		GROUPS						->		a slot's worth of results each time
 *									<-	PAGES
 *		RANGES						->		of a plan of rows: of their values
 *									<-	RANGED
 *		SCATTER						->		of such a plan: a look-up table, which
 *									<-	SCATTERED	gpuscand keeps
 *		END							->		releases everything; no answer
 *
 * Visibility.  A page is one of the table's, a map page one of its visibility
 * map's, which says of `map_blocks` pages whether all of their rows are visible
 * to everybody.  Setting a bit gives the map page a new LSN; clearing one may
 * do so, and whoever changes a page clears its bit first.  So if a bit is set,
 * and the map page has the LSN that it had when the page was as it was read and
 * the bit was set, then the page has not changed since.
 *
 * A page without such a bit is settled if all of its tuples were inserted by
 * transactions that have committed, none was deleted or locked, and it has an
 * LSN, not 0 as pages that were written without WAL.  As long as
 * it has the LSN that it had then, every snapshot that takes none of these
 * transactions for running sees all of its tuples.  `newest` is the latest of
 * them, and `xmin` the first one that a snapshot may take for running; they are
 * compared as PostgreSQL compares transaction ids.
 *
 *		DICTIONARY					->		at any time
 *									<-	CODES
 *
 * After an answer with a status other than GS_OK, but for CODES, gpuscand
 * discards all messages up to END.  Malformed messages end the connection, as in
 * protocol.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PROTOCOL_REPORT_H
#define GS_PROTOCOL_REPORT_H

#include "engine/scatter.h"
#include "engine/windows.h"
#include "protocol/dictionary.h"
#include "protocol/protocol.h"

/* A table as it is stored: a new relfilenode is a new table. */
typedef struct gs_table_id
{
	uint32_t	database;		/* OID; not 0 */
	uint32_t	tablespace;
	uint32_t	relation;		/* relfilenode; not 0 */
	uint32_t	unused;
} gs_table_id;

#define GS_ATTRIBUTE_LEAST		(-6)	/* a system column */

#define GS_MAP_BLOCKS_MAX		(128 * 1024)	/* of a map page of 32 kB */

/*
 * One map page, in a slot: gs_map_size() bytes, of which the last are the bits,
 * a bit for each page, 1: all-visible.  Bits of pages behind the table's end
 * are 0.
 */
typedef struct gs_map_page
{
	uint64_t	lsn;
	uint64_t	visible[];
} gs_map_page;

/*
 * The same in MAP.  Unless the bits of all pages that the table has there are set, as
 * they mostly are, gs_map_words() words of them follow.
 */
typedef struct gs_map_part
{
	uint64_t	lsn;
	uint32_t	all;			/* 0 or 1: they are */
	uint32_t	unused;
} gs_map_part;

/* As what is a page to be held? */
typedef enum gs_page_keep
{
	GS_KEEP_NOT,
	GS_KEEP_VISIBLE,			/* its bit is set */
	GS_KEEP_SETTLED
} gs_page_keep;

/* A page whose rows are in a batch, in the order of the rows. */
typedef struct gs_page_rows
{
	uint32_t	block;
	uint32_t	rows;			/* 0 to the batch's n */
	uint64_t	lsn;
	uint32_t	keep;			/* gs_page_keep */
	uint32_t	newest;			/* of one that is settled; 0: none */
} gs_page_rows;

/* A page that is to be verified, and the LSN that it had when it was read. */
typedef struct gs_listed_page
{
	uint64_t	lsn;
	uint32_t	block;
	uint32_t	unused;
} gs_listed_page;

/*
 * Begin a report.  The first bytes of its stages follow (gs_stages_pack); as
 * many as fit in the message, at least one.
 */
typedef struct gs_msg_report
{
	gs_header	header;
	int64_t		plan_size;		/* bytes of all stages */
	int32_t		lanes;			/* wanted: 1 to GS_MAX_LANES; may get fewer */
	int32_t		unused;
} gs_msg_report;

/* The next bytes of the stages follow. */
typedef struct gs_msg_plan
{
	gs_header	header;
	int64_t		first;			/* their place; all before have been sent */
} gs_msg_plan;

typedef struct gs_msg_opened
{
	gs_header	header;
	gs_outcome	outcome;		/* if not GS_OK, nothing is granted */
	int32_t		lanes;			/* 1 to the number wanted */
	uint32_t	lacking;		/* bit i: the first stage's table i is; others have
								 * none */
	uint32_t	slot[GS_MAX_LANES];
} gs_msg_opened;

/*
 * The next table.  It ends the one before: nothing more of that can be fed or
 * kept.  No answer.
 */
typedef struct gs_msg_table
{
	gs_header	header;
	gs_table_id id;
	uint32_t	blocks;			/* pages */
	uint32_t	map_blocks;		/* pages of a map page: 64 to
								 * GS_MAP_BLOCKS_MAX */
	int32_t		keep;			/* 0 or 1: may its columns be held? If not,
								 * all is read, and there is no MAP */
	uint32_t	xmin;			/* the snapshot's */
	int16_t		attribute[GS_PLAN_COLUMNS]; /* number of each of the plan's
											 * columns: 1 or more, or, of system
											 * columns, -1 to -6; not 0 */

	/*
	 * id of the dictionary whose codes a column, an int4, has; or, of a boolean, of
	 * the one with the pattern that it tells of; 0: none
	 */
	uint64_t	dictionary[GS_PLAN_COLUMNS];

	/*
	 * what its integers stand for: the number is theirs times 10^-scale; or, of such
	 * a boolean, the pattern's code
	 */
	int16_t		scale[GS_PLAN_COLUMNS];
} gs_msg_table;

/*
 * MAP: `count` map pages from `first` on follow, a gs_map_part each.  It comes for all of them, in
 * order, and is answered once: then it is decided which pages are
 * read from what is held.  `final`: pages that would have to be verified are
 * to be read instead.  `whole`: unless there is none to be verified or read, the
 * table is forgotten, as if TABLE had not come.  So several tables can be asked for
 * at once.
 *
 * LOOK: map pages in lane 0's slot have the bits of pages whose rows this request has fed since MAP, and which
 * were the same when MAP was true, on a map page with the LSN of MAP: they are
 * held from now on.  With another LSN, none are.  Of settled pages, any that
 * are to be held.
 *
 * USABLE: gpuscand puts the bits (gs_map_words() words for each map page) of
 * pages that need not be read into lane 0's slot.
 *
 * VERIFIED: the same bits of verified pages are in lane 0's slot: these have the
 * LSN that LSNS gave.  Others that LSNS listed are not held any longer.
 */
typedef struct gs_msg_map
{
	gs_header	header;
	uint32_t	first;			/* map page, counted from 0 */
	uint32_t	count;			/* 1 or more; at most a slot's worth, of MAP
								 * what fits in the message */
	int32_t		final;			/* 0 or 1 */
	int32_t		whole;			/* 0 or 1 */
} gs_msg_map;

/*
 * List pages that are to be verified, in ascending order, in lane 0's slot: a
 * gs_listed_page each.  gs_msg_pages.verify says how many; `count` if there may be
 * more of them.
 */
typedef struct gs_msg_lsns
{
	gs_header	header;
	uint32_t	first;			/* page to begin with */
	uint32_t	count;			/* at most: 1 to a slot's worth */
} gs_msg_lsns;

typedef struct gs_msg_pages
{
	gs_header	header;
	gs_outcome	outcome;

	/* of the last MAP; of LOOK: pages that are held from now on, their rows */
	int64_t		usable;			/* pages that need not be read */
	int64_t		verify;			/* pages that must be verified first; if not
								 * 0, nothing has been decided.  Of LSNS: that
								 * are listed */
	int64_t		rows;			/* held rows that the report uses */
	int64_t		masked;			/* held rows beside these */
} gs_msg_pages;

/*
 * Rows are in a lane's slot, laid out by gs_lay_rows.
 */
typedef struct gs_msg_feed_rows
{
	gs_header	header;
	int64_t		rows_max;		/* what the layout has room for */
	int64_t		pages_max;
	int64_t		rows;			/* 0 to rows_max */
	int64_t		pages;			/* whose rows these are, all of them: 0 to
								 * pages_max.  0: rows are not to be held */
	uint64_t	nulls;			/* bit c: column c has a bitmap */
	int32_t		lane;
	int32_t		unused;
} gs_msg_feed_rows;

typedef struct gs_msg_fed
{
	gs_header	header;
	gs_outcome	outcome;
} gs_msg_fed;

/*
 * Compute.  If there are no more groups than this, and their columns fit in lane
 * 0's slot, they come with SUMMARY, as GROUPS would put all of them there.
 */
typedef struct gs_msg_finish_report
{
	gs_header	header;
	int64_t		groups_max;		/* 0 or more */
} gs_msg_finish_report;

/* What a stage has made, of which rows, and how long that took. */
typedef struct gs_stage_work
{
	int64_t		rows;			/* gs_summary */
	int64_t		groups;
	int64_t		us;				/* of the first, for rows that were held */
} gs_stage_work;

typedef struct gs_msg_summary
{
	gs_header	header;
	gs_outcome	outcome;
	int64_t		groups;			/* gs_summary */
	int64_t		rows;
	uint32_t	errors;
	uint32_t	segments;		/* batches of held rows */
	int64_t		held_bytes;		/* that they have in these columns */
	int64_t		compute_us;		/* the engine's time for them */
	int32_t		stage;			/* whose errors these are; without any, the last */
	int32_t		fetched;		/* 0 or 1: the groups are in lane 0's slot */
	gs_stage_work work[GS_STAGES_MAX];	/* up to that stage; then zeros */
} gs_msg_summary;

/*
 * Put results of groups into a lane's slot.  column -1: all columns that
 * fetch gives but wide sums, laid out by gs_lay_groups; else one.  Of rows, validity
 * is among these if `first` is a multiple of 64.
 */
typedef struct gs_msg_groups
{
	gs_header	header;
	int64_t		first;			/* counted from 0 */
	int64_t		count;			/* 1 or more; at most a slot's worth */
	int32_t		column;			/* -1, or GS_FETCH_...; */
	int32_t		lane;
} gs_msg_groups;

/*
 * A column of a table that is held: the entries of LIST_COLUMNS, which is
 * answered as LIST is.
 */
typedef struct gs_msg_column_entry
{
	gs_table_id id;
	int32_t		attribute;		/* 0: of no column is more known than which
								 * rows there are */
	int32_t		type;			/* gs_type; 0 if attribute is */
	int64_t		segments;
	int64_t		rows;			/* held */
	int64_t		masked;			/* beside these in the same segments */
	int64_t		bytes;
	int64_t		host_bytes;		/* of these, not on the device */
	int64_t		hits;			/* reports that used it */
	int64_t		last_used;		/* microseconds since 1970 */
	int32_t		devices;		/* that have some of the segments */
	int32_t		matches;		/* 1: it tells which values match a pattern */
} gs_msg_column_entry;

/*
 * A dictionary has the distinct values of a column, told apart by their bytes;
 * codes are their places, counted from 0, and never change.  Columns of codes
 * name it in TABLE.  gpuscand may lose a dictionary at any time, and with it all
 * codes; one that is made anew has another id.  Clients map its memory
 * (dictionary.h).
 *
 * Add values to a column's dictionary, and ask for their codes.  At any time, in
 * a report or not.  The values follow, packed by gs_values_put.
 *
 * The table is that of a partition's topmost parent.  If `id` is not 0, and not
 * the dictionary's, nothing is added, and no codes are sent.
 */
typedef struct gs_msg_dictionary
{
	gs_header	header;
	uint32_t	database;		/* OID; not 0 */
	uint32_t	relation;		/* OID; not 0 */
	uint64_t	id;				/* that the client knows; 0: none */
	int32_t		attribute;		/* 1 or more */
	int32_t		map;			/* 0 or 1: the memory is wanted, too */
	int32_t		count;			/* values that follow: up to
								 * GS_DICTIONARY_COUNT */
	uint32_t	type;			/* OID of the column's; if that changes, it
								 * gets another dictionary */
} gs_msg_dictionary;

/*
 * Codes follow, of the values in their order.  GS_NO_MEMORY: the next value
 * would make the dictionary too large, or there is no memory for it.  That is no
 * failure of the report.  If it was asked for, the dictionary's memfd comes along
 * (SCM_RIGHTS), whose size is GS_DICTIONARY_SIZE and cannot change.
 */
typedef struct gs_msg_codes
{
	gs_header	header;
	gs_outcome	outcome;
	uint64_t	id;				/* 0: there is no memory for any */
	int64_t		bytes;			/* of all of the dictionary's values */
	int32_t		n;				/* of the dictionary */
	int32_t		count;			/* of the codes that follow */
} gs_msg_codes;

#define GS_DICTIONARY_COUNT \
	((int32_t) ((GS_MESSAGE_MAX - sizeof(gs_msg_codes)) / sizeof(int32_t)))

/*
 * The next bytes of a look-up table that OPENED said is lacking: they are in lane
 * 0's slot.  gpuscand keeps complete tables that have a number for the connection,
 * as long as there is room, and finds them again by number and size; so a client
 * gives a table that is another one another number.  The execution begins with the
 * last part of the last table, whose answer says so.
 */
typedef struct gs_msg_lookup
{
	gs_header	header;
	int32_t		table;			/* of the first stage's plan */
	int32_t		unused;
	int64_t		first;			/* place of the bytes: all before have been sent */
	int64_t		size;			/* of this part: 1 to a slot's */
} gs_msg_lookup;

/*
 * The last stage is a plan of rows: between which integers its first values are
 * (the header alone asks).  And make a look-up table of its rows, which is kept under this
 * number as one that LOOKUP has brought; not if its rows are to have places of
 * their own, and do not.
 */
#define GS_RANGES_MAX	(GS_SCATTER_KEYS + 1)

typedef struct gs_msg_ranged
{
	gs_header	header;
	gs_outcome	outcome;
	gs_value_range range[GS_RANGES_MAX];	/* zeros behind the plan's values */
} gs_msg_ranged;

typedef struct gs_msg_scatter
{
	gs_header	header;
	uint64_t	number;			/* not 0 */
	int32_t		unique;			/* 0, or 1 if it counts those */
	int32_t		unused;
	gs_scatter	scatter;
} gs_msg_scatter;

typedef struct gs_msg_scattered
{
	gs_header	header;
	gs_outcome	outcome;
	int64_t		placed;			/* rows */
	int64_t		repeated;
} gs_msg_scattered;

/* Where a batch's parts are in a slot, in bytes. */
typedef struct gs_rows_layout
{
	size_t		pages;			/* gs_page_rows */
	size_t		values[GS_PLAN_COLUMNS];	/* one for each row */
	size_t		validity[GS_PLAN_COLUMNS];
	size_t		size;			/* of all */
} gs_rows_layout;

/*
 * Where the columns of groups are in a slot: keys, counts, two an
 * aggregate.
 */
#define GS_FETCH_COLUMNS	(GS_PLAN_KEYS + 1 + 2 * GS_PLAN_AGGREGATES)

typedef struct gs_groups_layout
{
	size_t		column[GS_FETCH_COLUMNS];	/* of wide sums and of those that
											 * the plan lacks: none */
	size_t		size;
} gs_groups_layout;

/* The 64-bit words of a map page's bits. */
static inline size_t
gs_map_words(uint32_t map_blocks)
{
	return ((size_t) map_blocks + 63) / 64;
}

/* Bytes of a gs_map_page. */
static inline size_t
gs_map_size(uint32_t map_blocks)
{
	return sizeof(gs_map_page) + gs_map_words(map_blocks) * sizeof(uint64_t);
}

/* Bytes of a map page in MAP. */
static inline size_t
gs_map_part_size(bool all, uint32_t map_blocks)
{
	return sizeof(gs_map_part) +
		(all ? 0 : gs_map_words(map_blocks) * sizeof(uint64_t));
}

/*
 * report.c.  Stages as bytes: gs_stages_pack writes gs_stages_packed_size() bytes,
 * aligned to 8; gs_stages_unpack makes stages of such, which point into them,
 * and returns how many; 0 if their number, or that of the bytes, cannot be right.
 * Whether the stages themselves are valid, gs_stages_check knows.
 */
extern size_t gs_stages_packed_size(const gs_stage *stage, int stages);
extern void gs_stages_pack(const gs_stage *stage, int stages, void *to);
extern int	gs_stages_unpack(const void *from, size_t size,
							 gs_stage stage[GS_STAGES_MAX]);

extern void gs_lay_rows(const gs_plan *plan, int64_t rows_max,
						int64_t pages_max, gs_rows_layout *layout);
extern void gs_lay_groups(const gs_plan *plan, int64_t count,
						  gs_groups_layout *layout);

/* How many fit in a slot; for rows with a page for each `rows_a_page`. */
extern int64_t gs_slot_rows(const gs_plan *plan, int rows_a_page,
							size_t slot_size);
extern int64_t gs_slot_groups(const gs_plan *plan, size_t slot_size);

/*
 * Values in a message: each is its size (4 bytes), and its bytes, filled up to
 * a multiple of 4.  put: at `at` of `size` bytes; returns where the next one
 * goes, or 0 if it does not fit.  get: the same; *bytes points into the message.
 */
extern size_t gs_values_put(void *message, size_t size, size_t at,
							const char *bytes, uint32_t length);
extern size_t gs_values_get(const void *message, size_t size, size_t at,
							const char **bytes, uint32_t *length);

#ifndef __cplusplus
GS_WIRE_SIZE(gs_table_id, 16);
GS_WIRE_SIZE(gs_page_rows, 24);
GS_WIRE_SIZE(gs_listed_page, 16);
GS_WIRE_SIZE(gs_msg_report, 24);
GS_WIRE_SIZE(gs_msg_plan, 16);
GS_WIRE_SIZE(gs_msg_opened, 264);
GS_WIRE_SIZE(gs_plan_table, 24);
GS_WIRE_SIZE(gs_msg_lookup, 32);
GS_WIRE_SIZE(gs_msg_table, 808);
GS_WIRE_SIZE(gs_msg_map, 24);
GS_WIRE_SIZE(gs_msg_lsns, 16);
GS_WIRE_SIZE(gs_msg_pages, 256);
GS_WIRE_SIZE(gs_msg_feed_rows, 56);
GS_WIRE_SIZE(gs_msg_fed, 224);
GS_WIRE_SIZE(gs_msg_finish_report, 16);
GS_WIRE_SIZE(gs_stage_work, 24);
GS_WIRE_SIZE(gs_msg_summary, 464);
GS_WIRE_SIZE(gs_finish, 12);
GS_WIRE_SIZE(gs_windows, 2984);
GS_WIRE_SIZE(gs_msg_groups, 32);
GS_WIRE_SIZE(gs_msg_ranged, 344);
GS_WIRE_SIZE(gs_msg_scatter, 144);
GS_WIRE_SIZE(gs_msg_scattered, 240);
GS_WIRE_SIZE(gs_msg_column_entry, 88);
GS_WIRE_SIZE(gs_msg_dictionary, 40);
GS_WIRE_SIZE(gs_msg_codes, 248);
#endif

#endif							/* GS_PROTOCOL_REPORT_H */
