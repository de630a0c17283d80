/*-------------------------------------------------------------------------
 *
 * report_client.h
 *	  The client's part of a report (protocol/report.h), message by message.
 *
 * Each function sends one message and receives its answer; it is false if that
 * is not the answer, or its outcome is not GS_OK.
 *
 *-------------------------------------------------------------------------
 */
#ifndef REPORT_CLIENT_H
#define REPORT_CLIENT_H

#include "harness.h"
#include "protocol/report.h"

typedef struct report_client
{
	client		c;
	const gs_plan *plan;		/* of several, the one that reads the rows */
	uint64_t	dictionary[GS_PLAN_COLUMNS];	/* of the plan's columns, for
												 * the next table */
	uint32_t	xmin;			/* of the snapshot, for the next table */
	gs_msg_table table;			/* the current one */
	gs_msg_opened opened;
	gs_msg_pages pages;			/* the last answers */
	gs_msg_summary summary;
	gs_status	status;			/* of the last answer */
	int			lane;			/* whose slot is next */
	int64_t		groups_max;		/* that are to come with SUMMARY */
	bool		whole;			/* MAP asks for all pages or none */
} report_client;

extern bool report_begin(report_client *r, const gs_plan *plan, int lanes);
extern bool report_begin_stages(report_client *r, const gs_stage *stage,
								int stages, int lanes);

/* The plan's table i, which the service lacks; begin sends all of these. */
extern bool report_lookup(report_client *r, int i, const gs_plan_table *table);

/* attribute: of the plan's columns; NULL: 1, 2, and so on */
extern void report_table(report_client *r, const gs_table_id *id,
						 uint32_t blocks, uint32_t map_blocks, bool keep,
						 const int16_t *attribute);

/* A map page is gs_map_size() bytes; all are sent, in as many parts as fit. */
extern bool report_map(report_client *r, const void *map, bool final);
extern bool report_look(report_client *r, const void *map);

/* Bits of all map pages. */
extern bool report_usable(report_client *r, uint64_t *usable);

/* All that are listed, up to `most` at a time; 0 for pages that are not. */
extern bool report_lsns(report_client *r, uint32_t most, uint64_t *lsn);
extern bool report_verified(report_client *r, uint32_t map,
							const uint64_t *bits);

/*
 * Rows of columns, as plain arrays; null[c] is NULL if none of column c is
 * NULL.  They must fit in a slot.
 */
extern bool report_rows(report_client *r, int64_t rows,
						const void *const *values, const bool *const *null,
						const gs_page_rows *page, int64_t pages);
extern int64_t report_rows_max(const report_client *r);
extern bool report_finish(report_client *r);

/* Any range of a column of results, which is in the slot afterwards. */
extern bool report_groups(report_client *r, int column, int64_t first,
						  int64_t count);
extern void report_end(report_client *r);

static inline char *
report_slot(report_client *r, int lane)
{
	return client_slot(&r->c, r->opened.slot[lane]);
}

static inline uint32_t
report_maps(const report_client *r)
{
	return (r->table.blocks + r->table.map_blocks - 1) / r->table.map_blocks;
}

#endif							/* REPORT_CLIENT_H */
