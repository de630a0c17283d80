/*-------------------------------------------------------------------------
 *
 * table.c
 *	  The rows of one table for a report: what the service holds of it, and what
 *	  it lacks.
 *
 * freshness.c finds out which pages need not be read.  All others are
 * (table_read.c), map page by map page: first those that are all-visible, and
 * then the others.  The bits by which they are told apart are copied once more
 * before.  It does no harm if they are not those of MAP any longer.
 *
 * If there are many pages that may be kept, the report ends here: several
 * processes read them first (parallel.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xlog.h"
#include "catalog/catalog.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "storage/predicate.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "pg/progress.h"
#include "report/session/pause.h"
#include "report/table/pages.h"
#include "report/table/parallel.h"
#include "report/table/table.h"

/* Why can a report not read this table?  NULL: it can. */
static const char *
refusal(Relation relation, Snapshot snapshot)
{
	if (relation->rd_tableam != GetHeapamTableAmRoutine())
		return "the table's access method is not heap";
	if (!RelationIsScannable(relation))
		return "the materialized view has not been populated";
	if (!IsMVCCSnapshot(snapshot))
		return "the snapshot is not an MVCC snapshot";
	return NULL;
}

/*
 * Can copies of its pages be told from what the table becomes?  That takes WAL.
 * While old_snapshot_threshold is set, only reading a page tells whether the
 * snapshot is too old for it.
 * A serializable transaction must notice whoever changes a page: it locks the
 * table, and reads the page once the other one has unlocked it.  One that found
 * no such lock, and has not cleared the page's bit yet, would be overlooked.
 * A column that this transaction has added, which takes an exclusive lock, may
 * be rolled back, and another one get its number, with another default.  A
 * parallel worker does not know of its leader's locks.
 */
bool
gs_table_may_hold(Relation relation, Snapshot snapshot)
{
	if (refusal(relation, snapshot) != NULL)
		return false;
#if PG_VERSION_NUM < 170000
	if (old_snapshot_threshold >= 0)
		return false;
#endif
	return RelationNeedsWAL(relation) && !IsCatalogRelation(relation) &&
		!IsParallelWorker() &&
		!CheckForSerializableConflictOutNeeded(relation, snapshot) &&
		!CheckRelationLockedByMe(relation, AccessExclusiveLock, false);
}

/* Begin the table's part of a report. */
gs_status
gs_table_tell(gs_table_run *t)
{
	const gs_report_column *column = t->p->column;
	const RelFileLocator *place = &t->relation->rd_locator;
	gs_msg_table message = {
		.id = {
			.database = MyDatabaseId,
			.tablespace = place->spcOid,
			.relation = place->relNumber
		},
		.blocks = t->blocks,
		.map_blocks = GS_MAP_BLOCKS,
		.keep = t->keep,
		.xmin = t->scan->rs_base.rs_snapshot->xmin
	};

	for (int c = 0; c < t->run->plan->columns; c++)
	{
		message.attribute[c] = column[c].attribute;
		message.scale[c] = column[c].scale;
		if (column[c].dictionary != NULL)
			message.dictionary[c] = column[c].dictionary->id;
	}
	return gs_report_tell(t->run, &message, GS_MSG_TABLE, sizeof(message));
}

/* Set t->unusable for the pages of some map pages that must be read. */
static gs_status
find_unusable(gs_table_run *t, uint32 first, uint32 count, bool usable)
{
	gs_status	status = GS_OK;

	memset(t->unusable, 0, count * GS_MAP_WORDS * sizeof(uint64));
	if (usable)
		status = gs_batch_drain(t->run);
	if (usable && status == GS_OK)
		status = gs_table_ask_usable(t, first, count, t->unusable);
	for (uint32 i = 0; i < count; i++)
	{
		uint64	   *bits = t->unusable + i * GS_MAP_WORDS;

		for (int w = 0; w < GS_MAP_WORDS; w++)
			bits[w] = ~bits[w];
		gs_map_first_bits(bits, gs_map_pages(first + i, t->blocks));
	}
	return status;
}

/* Read what the service lacks of some map pages' pages. */
static gs_status
read_map_pages(gs_table_run *t, uint32 first, uint32 count, bool usable)
{
	gs_status	status = find_unusable(t, first, count, usable);

	for (uint32 i = 0; i < count && status == GS_OK; i++)
		status = gs_table_read_visible(t, first + i,
									   t->unusable + i * GS_MAP_WORDS);
	return status == GS_OK ?
		gs_table_read_others(t, first, count, t->unusable) : status;
}

/* Read all pages that the service lacks; usable: so many does it not lack. */
static gs_status
read_rest(gs_table_run *t, int64 usable)
{
	uint32		step = Min(gs_table_maps_max(), GS_READ_MAPS);
	const instr_time before = t->p->exchange.device;
	instr_time	waited;
	instr_time	start;
	instr_time	end;
	gs_status	status = GS_OK;

	gs_progress_phase(GS_PHASE_READING, t->blocks - usable);
	gs_table_watch(t, t->blocks - usable);
	INSTR_TIME_SET_CURRENT(start);
	t->unusable = palloc(step * GS_MAP_WORDS * sizeof(uint64));
	for (uint32 m = 0; m < t->map_pages && status == GS_OK; m += step)
		status = read_map_pages(t, m, Min(step, t->map_pages - m), usable > 0);
	pfree(t->unusable);
	INSTR_TIME_SET_CURRENT(end);
	waited = t->p->exchange.device;
	INSTR_TIME_SUBTRACT(waited, before);
	INSTR_TIME_SUBTRACT(end, start);
	INSTR_TIME_SUBTRACT(end, waited);
	t->run->stats.read_ms += INSTR_TIME_GET_MILLISEC(end);
	t->run->stats.compute_ms += INSTR_TIME_GET_MILLISEC(waited);
	return status;
}

/* How many pages may be kept that the service lacks? */
static int64
count_missing(const gs_table_run *t, int64 usable)
{
	int64		visible = 0;

	for (uint32 m = 0; m < t->map_pages; m++)
		visible += pg_popcount((const char *) t->maps[m].visible,
							   GS_MAP_WORDS * sizeof(uint64));
	return visible - usable;
}

static gs_status
add_table(gs_table_run *t)
{
	int64		usable = 0;
	gs_status	status;

	if (t->blocks == 0)
		return GS_OK;
	status = gs_table_tell(t);
	if (status == GS_OK && t->keep)
		status = gs_table_decide(t, &usable);
	gs_report_pause(GS_PAUSE_DECIDED);
	if (status == GS_OK)
		status = gs_report_complete(t->run);
	if (status != GS_OK || usable == t->blocks)
		return status;
	if (t->keep && t->run->workers > 0)
	{
		int64		missing = count_missing(t, usable);

		if (gs_parallel_pays(t->relation, missing))
		{
			t->run->missing = missing;
			return gs_report_refuse(t->run, "parallel workers are to read the "
									"table first");
		}
	}
	return read_rest(t, usable);
}

/* NULL: *reason says why the report cannot read the table. */
static gs_table_run *
open_table(gs_report_run *run, Relation relation,
		   const gs_report_column *column, Snapshot snapshot, bool keep,
		   const char **reason)
{
	gs_table_run *t = palloc0(sizeof(gs_table_run));

	*reason = refusal(relation, snapshot);
	if (*reason == NULL &&
		!gs_row_shape_init(&t->shape, relation, run->plan,
						   column, &run->odd))
		*reason = "a column is not stored as the plan expects";
	if (*reason != NULL)
	{
		pfree(t);
		return NULL;
	}
	t->run = run;
	t->p = run->private;
	t->p->column = column;
	t->relation = relation;
	t->keep = keep;
	gs_prefetch_init(&t->prefetch, relation);
	t->scan = gs_pages_open(relation, snapshot);
	t->blocks = t->scan->rs_nblocks;
	t->map_pages = gs_map_count(t->blocks);
	return t;
}

/*
 * column: as the table itself numbers them; it must stay until gs_table_close.
 * NULL: run->reason says why the report cannot read the table.
 */
gs_table_run *
gs_table_open(gs_report_run *run, Relation relation,
			  const gs_report_column *column, Snapshot snapshot, bool keep)
{
	const char *reason;
	gs_table_run *t = open_table(run, relation, column, snapshot, keep,
								 &reason);

	if (t == NULL)
		(void) gs_report_refuse(run, reason);
	return t;
}

void
gs_table_close(gs_table_run *t)
{
	gs_pages_close(t->scan);
	if (t->list != NULL)
		pfree(t->list);
	if (t->unchanged != NULL)
		pfree(t->unchanged);
	if (t->map != NULL)
	{
		pfree(t->bits);
		pfree(t->map);
	}
	pfree(t);
}

/*
 * Room for the maps of tables.  That of a large one would be memory that the process
 * has just got from the system, page by page as it is written, in each report: a few
 * are kept, for one table at a time.
 */
#define MAPS_KEPT	64

static gs_map *kept_maps;
static uint64 kept_for;			/* the report that uses them */

static gs_map *
take_maps(const gs_table_run *t)
{
	if (t->map_pages < 2 || t->map_pages > MAPS_KEPT ||
		kept_for == t->p->number)
		return palloc_extended(Max(t->map_pages, 1) * sizeof(gs_map),
							   MCXT_ALLOC_HUGE);
	if (kept_maps == NULL)
		kept_maps = MemoryContextAlloc(TopMemoryContext,
									   MAPS_KEPT * sizeof(gs_map));
	kept_for = t->p->number;	/* another one that had them has ended */
	return kept_maps;
}

static void
give_maps(gs_map *maps)
{
	if (maps == kept_maps)
		kept_for = 0;
	else
		pfree(maps);
}

static gs_status
read_table(gs_report_run *run, Relation relation,
		   const gs_report_column *column, Snapshot snapshot)
{
	gs_table_run *t = gs_table_open(run, relation, column, snapshot,
									gs_table_may_hold(relation, snapshot));
	gs_map	   *maps = NULL;
	gs_status	status;

	if (t == NULL)
		return GS_INVALID;
	if (t->keep)
		maps = t->maps = take_maps(t);
	status = add_table(t);
	gs_table_close(t);
	if (maps != NULL)
		give_maps(maps);
	return status;
}

/* In the table's own attribute numbers: a partition's may differ. */
void
gs_table_columns(Oid table, const gs_report_input *input, int columns,
				 gs_report_column *own)
{
	for (int i = 0; i < columns; i++)
	{
		own[i] = input->column[i];
		if (table != input->named && own[i].attribute > 0)
			own[i].attribute =
				get_attnum(table, get_attname(input->named,
											  own[i].attribute, false));
	}
}

gs_status
gs_report_table(gs_report_run *run, Oid table, const gs_report_input *input)
{
	Relation	relation = table_open(table, AccessShareLock);
	gs_report_column own[GS_PLAN_COLUMNS];
	gs_status	status;

	gs_table_columns(table, input, run->plan->columns, own);
	status = read_table(run, relation, own, input->snapshot);
	table_close(relation, NoLock);
	return status;
}

/* ----------
 * Several tables
 * ----------
 */

/*
 * So many are asked for before the answer to the first one comes: as few messages as
 * any socket holds.
 */
#define ASKED_MAX	4

typedef struct asked_table
{
	gs_table_run *run;
	gs_map	   *maps;
	int			place;			/* in the input's list */
	gs_report_column column[GS_PLAN_COLUMNS];
} asked_table;

typedef struct asking
{
	asked_table table[ASKED_MAX];
	int			n;
	bool	   *whole;
	int64		pages;			/* of all, and */
	int64		usable;			/* those that need not be read */
} asking;

static void
leave_asked(asked_table *a)
{
	Relation	relation = a->run->relation;

	gs_table_close(a->run);
	give_maps(a->maps);
	table_close(relation, NoLock);
}

/* Receive the oldest one's answer. */
static gs_status
receive_asked(gs_report_run *run, asking *all)
{
	asked_table *a = &all->table[0];
	gs_msg_pages answer;
	gs_status	status = gs_report_receive(run, &answer);

	if (status == GS_OK)
		all->usable += answer.usable;
	if (status == GS_OK && answer.usable == a->run->blocks)
	{
		gs_table_add_held(a->run, &answer);
		all->whole[a->place] = true;
	}
	leave_asked(a);
	all->n--;
	memmove(a, a + 1, all->n * sizeof(*a));
	return status;
}

/* Ask whether a table's pages need not be read; nothing of others is asked. */
static gs_status
ask_table(gs_report_run *run, Oid table, const gs_report_input *input,
		  int place, asking *all)
{
	asked_table *a = &all->table[all->n];
	Relation	relation = table_open(table, AccessShareLock);
	const char *reason;
	gs_status	status;

	a->run = NULL;
	all->pages += RelationGetNumberOfBlocks(relation);
	if (gs_table_may_hold(relation, input->snapshot))
	{
		gs_table_columns(table, input, run->plan->columns, a->column);
		a->run = open_table(run, relation, a->column, input->snapshot, true,
							&reason);
	}

	/* to refuse a table before others' answers have come would end the link */
	if (a->run == NULL)
	{
		table_close(relation, NoLock);
		return GS_OK;
	}
	a->place = place;
	a->maps = a->run->maps = take_maps(a->run);
	if (a->run->blocks == 0)
	{
		all->whole[place] = true;
		leave_asked(a);
		return GS_OK;
	}
	all->n++;
	status = gs_table_tell(a->run);
	if (status != GS_OK)
		return status;
	(void) gs_table_copy_map(relation, a->run->blocks, a->maps);
	return gs_table_tell_map(a->run, false, true);
}

gs_status
gs_report_whole_tables(gs_report_run *run, const gs_report_input *input,
					   bool *whole, double *held)
{
	asking	   *all = palloc0(sizeof(*all));
	gs_status	status = gs_report_opened(run);
	int			place = 0;
	ListCell   *cell;

	all->whole = whole;
	foreach(cell, input->tables)
	{
		if (status == GS_OK && all->n == ASKED_MAX)
			status = receive_asked(run, all);
		if (status != GS_OK)
			break;
		status = ask_table(run, lfirst_oid(cell), input, place++, all);
	}
	while (all->n > 0 && status == GS_OK)
		status = receive_asked(run, all);
	for (int i = 0; i < all->n; i++)
		leave_asked(&all->table[i]);
	*held = all->pages == 0 ? 1 : (double) all->usable / all->pages;
	pfree(all);
	return status;
}
