/*-------------------------------------------------------------------------
 *
 * parallel.c
 *	  Several processes read what the service lacks.
 *
 * A report that finds that the service lacks many pages that may be kept ends
 * at once.  This process, the leader, then copies the tables' visibility maps
 * into shared memory and launches parallel workers.  Each of these, and the
 * leader, is a session of the service with a report of its own, that wants
 * nothing but the columns.  They tell the service the same copies of the maps,
 * share the pages in chunks, and have those kept that have not changed, as any
 * report does: table_read.c's rule looks at nothing but the copy of the map, what
 * was known of the WAL before that, and the page.  Their rows are not computed
 * with.  When all have ended, the leader begins its report again.  That finds
 * the pages held, and reads what is left: pages that are not all-visible or
 * have changed, and what a worker has left behind.
 *
 * A process that fails softly, for lack of the service or of slots, goes no
 * further, and its last chunk is left to the report.  Errors of PostgreSQL's in
 * a worker are the leader's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/parallel.h"
#include "access/table.h"
#include "access/xact.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "pgstat.h"
#include "port/atomics.h"
#include "storage/bufmgr.h"
#include "tcop/tcopprot.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "pg/progress.h"
#include "report/table/parallel.h"
#include "report/table/table.h"

/*
 * Pages that a process takes at a time, 8 MB: so few that all end at about the
 * same time, and so many that the look after them does not count.  Of a small
 * table, each process has some.
 */
#define CHUNK_MAX			1024
#define CHUNKS_A_PROCESS	4

/*
 * After the service has kept little of what was read, for lack of memory,
 * several processes do not try again for so long.
 */
#define PAUSE_MS			(10 * 1000)

/* Keys of the shared memory. */
#define KEY_READING			UINT64CONST(0x6770750000000001)
#define KEY_BUFFER_USAGE	UINT64CONST(0x6770750000000002)
#define KEY_WAL_USAGE		UINT64CONST(0x6770750000000003)
#define KEY_QUERY			UINT64CONST(0x6770750000000004)

typedef struct shared_table
{
	Oid			table;
	BlockNumber blocks;
	BlockNumber chunk;			/* pages */
	XLogRecPtr	wal_end;		/* gs_table_run.wal_end */
	Size		maps;			/* where its maps are in gs_shared_reading */
	pg_atomic_uint64 next;		/* chunk that nobody has taken */
} shared_table;

typedef struct shared_reading
{
	/* set by the leader; dictionaries are each process's own */
	Oid			named;
	int			columns;
	uint8		type[GS_PLAN_COLUMNS];
	gs_report_column column[GS_PLAN_COLUMNS];

	int64		pages;			/* to be read, about */

	/* what all have done */
	pg_atomic_uint64 kept_pages;
	pg_atomic_uint64 kept_rows;
	pg_atomic_uint32 full;		/* the service has no room, or a column too many
								 * values: go no further */

	int			tables;
	shared_table table[FLEXIBLE_ARRAY_MEMBER];
} shared_reading;

static TimestampTz paused_until;

/* ----------
 * Reading
 * ----------
 */

/* The bits of pages from `first` to before `end`, of a word of a map page. */
static uint64
range_word(int word, BlockNumber first, BlockNumber end)
{
	BlockNumber begin = (BlockNumber) word * 64;
	BlockNumber from = Max(first, begin);
	BlockNumber to = Min(end, begin + 64);

	if (from >= to)
		return 0;
	return (UINT64_MAX >> (64 - (to - from))) << (from - begin);
}

/* Take the next chunk: pages from *first to before *end of a map page. */
static bool
take_chunk(shared_table *s, uint32 *number, BlockNumber *first,
		   BlockNumber *end)
{
	uint64		chunks = (GS_MAP_BLOCKS + s->chunk - 1) / s->chunk;
	uint64		taken = pg_atomic_fetch_add_u64(&s->next, 1);

	*number = (uint32) (taken / chunks);
	if (*number >= gs_map_count(s->blocks))
		return false;
	*first = (BlockNumber) (taken % chunks) * s->chunk;
	*end = Min(*first + s->chunk, gs_map_pages(*number, s->blocks));
	return *first < *end;
}

/* Read the pages of a chunk that the service lacks. */
static gs_status
read_chunk(gs_table_run *t, shared_reading *shared, const uint64 *usable,
		   uint32 number, BlockNumber first, BlockNumber end)
{
	const gs_report_stats *now = &t->run->stats;
	gs_report_stats before = *now;
	const uint64 *visible = t->maps[number].visible;
	uint64		bits[GS_MAP_WORDS];
	gs_status	status;
	int64		kept;

	for (int w = 0; w < GS_MAP_WORDS; w++)
		bits[w] = visible[w] & ~usable[w] & range_word(w, first, end);
	/* those of all processes */
	t->pages_read = (int64) pg_atomic_read_u64(&shared->kept_pages);
	status = gs_table_read_visible(t, number, bits);
	if (status != GS_OK)
		return status;
	kept = now->kept_pages - before.kept_pages;
	pg_atomic_fetch_add_u64(&shared->kept_pages, kept);
	pg_atomic_fetch_add_u64(&shared->kept_rows,
							now->kept_rows - before.kept_rows);
	if (kept == 0 && now->read_pages > before.read_pages)
		pg_atomic_write_u32(&shared->full, 1);
	return GS_OK;
}

/* Read chunks of a table as long as there are any. */
static gs_status
read_chunks(gs_table_run *t, shared_reading *shared, shared_table *s)
{
	uint64		usable[GS_MAP_WORDS];	/* of map page `known` */
	uint32		known = UINT32_MAX;
	uint32		number;
	BlockNumber first;
	BlockNumber end;
	gs_msg_pages answer;
	gs_status	status = gs_table_tell(t);

	if (status == GS_OK)
		status = gs_table_send_map(t, true, &answer);
	while (status == GS_OK && pg_atomic_read_u32(&shared->full) == 0 &&
		   take_chunk(s, &number, &first, &end))
	{
		if (number != known)
			status = gs_table_ask_usable(t, number, 1, usable);
		known = number;
		if (status == GS_OK)
			status = read_chunk(t, shared, usable, number, first, end);
	}
	return status;
}

static gs_status
read_table(gs_report_run *run, shared_reading *shared, shared_table *s,
		   const gs_report_input *input)
{
	Relation	relation = table_open(s->table, AccessShareLock);
	gs_report_column own[GS_PLAN_COLUMNS];
	gs_table_run *t;
	gs_status	status = GS_INVALID;

	gs_table_columns(s->table, input, shared->columns, own);
	t = gs_table_open(run, relation, own, input->snapshot, true);
	if (t != NULL)
	{
		t->blocks = s->blocks;
		t->map_pages = gs_map_count(s->blocks);
		t->maps = (gs_map *) ((char *) shared + s->maps);
		t->wal_end = s->wal_end;
		gs_table_watch(t, shared->pages);
		status = read_chunks(t, shared, s);
		gs_table_close(t);
	}
	table_close(relation, NoLock);
	return status;
}

/* Why a column's values cannot be held, as one of the processes has found. */
static const char *
find_refusal(Oid named, const gs_report_column *column, int columns)
{
	const char *reason = NULL;

	for (int i = 0; i < columns && reason == NULL; i++)
	{
		if (column[i].form == GS_FORM_CODE)
			reason = gs_dictionary_refusal(named, column[i].attribute);
	}
	return reason;
}

/* A report that wants nothing but the columns. */
static void
want_columns(uint8 *type, int columns, gs_aggregate *count, gs_stage *stage)
{
	*count = (gs_aggregate) {
		.kind = GS_AGG_COUNT,
		.a = GS_NOTHING,
		.b = GS_NOTHING,
		.filter = GS_NOTHING
	};
	*stage = (gs_stage) {
		.plan = {
			.columns = columns,
			.column = type,
			.aggregates = 1,
			.aggregate = count,
			.filter = GS_NOTHING
		}
	};
}

/* What each process does. */
static void
take_part(shared_reading *shared, const gs_report_input *input, bool queue)
{
	gs_aggregate count;
	gs_stage	stage;
	gs_report_run run;
	gs_status	status;

	want_columns(shared->type, shared->columns, &count, &stage);
	status = gs_report_begin(&run, &stage, 1, queue);
	for (int i = 0; i < shared->tables && status == GS_OK; i++)
		status = read_table(&run, shared, &shared->table[i], input);
	gs_report_end(&run);
	if (status == GS_OK)
		return;
	if (find_refusal(shared->named, shared->column, shared->columns) != NULL)
		pg_atomic_write_u32(&shared->full, 1);
	ereport(DEBUG1,
			(errmsg_internal("gpuscan reads no further: %s", run.reason)));
}

/* ----------
 * A worker
 * ----------
 */

void
gs_parallel_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	shared_reading *shared = shm_toc_lookup(toc, KEY_READING, false);
	BufferUsage *buffers = shm_toc_lookup(toc, KEY_BUFFER_USAGE, false);
	WalUsage   *wal = shm_toc_lookup(toc, KEY_WAL_USAGE, false);
	gs_report_column column[GS_PLAN_COLUMNS];
	gs_report_input input = {
		.named = shared->named,
		.column = column,
		.snapshot = GetActiveSnapshot()
	};
	const char *reason;

	debug_query_string = shm_toc_lookup(toc, KEY_QUERY, true);
	pgstat_report_activity(STATE_RUNNING, debug_query_string);
	InstrStartParallelQuery();
	memcpy(column, shared->column, sizeof(shared->column));
	if (gs_report_open_dictionaries(shared->named, column, shared->columns,
									&reason))
		take_part(shared, &input, false);
	InstrEndParallelQuery(&buffers[ParallelWorkerNumber],
						  &wal[ParallelWorkerNumber]);
}

/* ----------
 * The leader
 * ----------
 */

bool
gs_parallel_pays(Relation relation, int64 pages)
{
	return !IsParallelWorker() && pages > 0 &&
		pages >= min_parallel_table_scan_size &&
		RelationGetParallelWorkers(relation, -1) != 0 &&
		GetCurrentTimestamp() >= paused_until;
}

/* How many workers for so many pages?  As many as PostgreSQL would take. */
static int
count_workers(int64 pages, int max)
{
	int64		threshold = Max(min_parallel_table_scan_size, 1);
	int			workers = 0;

	for (; pages >= threshold && workers < max; threshold *= 3)
		workers++;
	return workers;
}

/* Those of the tables, from one on, whose pages may be kept. */
typedef struct known_tables
{
	int			n;
	Relation   *relation;
	BlockNumber *blocks;
	Size		size;			/* of what is shared */
} known_tables;

/*
 * The tables from that on of which gs_report_run.missing tells.  Returns how
 * many pages are to be read, about.
 */
static int64
find_tables(const gs_report_run *run, const gs_report_input *input,
			known_tables *k, int *max)
{
	int			n = list_length(input->tables) - run->missing_table;
	int64		pages = 0;

	k->n = 0;
	k->relation = palloc(n * sizeof(Relation));
	k->blocks = palloc(n * sizeof(BlockNumber));
	k->size = offsetof(shared_reading, table);
	for (int i = 0; i < n; i++)
	{
		Oid			table = list_nth_oid(input->tables, run->missing_table + i);
		Relation	relation = table_open(table, AccessShareLock);
		BlockNumber blocks = RelationGetNumberOfBlocks(relation);

		if (blocks == 0 || !gs_table_may_hold(relation, input->snapshot))
		{
			table_close(relation, NoLock);
			continue;
		}
		if (RelationGetParallelWorkers(relation, -1) >= 0)
			*max = Min(*max, RelationGetParallelWorkers(relation, -1));
		pages += i == 0 ? run->missing : (int64) blocks;
		k->relation[k->n] = relation;
		k->blocks[k->n++] = blocks;
		k->size = add_size(k->size, sizeof(shared_table));
		k->size = add_size(k->size, mul_size(gs_map_count(blocks),
											 sizeof(gs_map)));
	}
	k->size = MAXALIGN(k->size) + MAXIMUM_ALIGNOF;
	return pages;
}

static void
close_tables(const known_tables *k)
{
	for (int i = 0; i < k->n; i++)
		table_close(k->relation[i], NoLock);
}

/* Fill the shared memory, with the maps as they are now. */
static void
share(shared_reading *shared, const gs_plan *plan,
	  const gs_report_input *input, const known_tables *k, int processes)
{
	Size		at = MAXALIGN(offsetof(shared_reading, table) +
							  k->n * sizeof(shared_table));

	shared->named = input->named;
	shared->columns = plan->columns;
	memcpy(shared->type, plan->column, plan->columns);
	memcpy(shared->column, input->column,
		   plan->columns * sizeof(gs_report_column));
	for (int i = 0; i < plan->columns; i++)
		shared->column[i].dictionary = NULL;
	pg_atomic_init_u64(&shared->kept_pages, 0);
	pg_atomic_init_u64(&shared->kept_rows, 0);
	pg_atomic_init_u32(&shared->full, 0);
	shared->tables = k->n;
	for (int i = 0; i < k->n; i++)
	{
		shared_table *s = &shared->table[i];
		BlockNumber part = k->blocks[i] / (processes * CHUNKS_A_PROCESS);

		s->table = RelationGetRelid(k->relation[i]);
		s->blocks = k->blocks[i];
		s->chunk = Max(1, Min(part, CHUNK_MAX));
		s->maps = at;
		s->wal_end = gs_table_copy_map(k->relation[i], s->blocks,
									   (gs_map *) ((char *) shared + at));
		pg_atomic_init_u64(&s->next, 0);
		at += gs_map_count(s->blocks) * sizeof(gs_map);
	}
}

static void *
place(ParallelContext *context, uint64 key, Size size)
{
	void	   *memory = shm_toc_allocate(context->toc, size);

	shm_toc_insert(context->toc, key, memory);
	return memory;
}

/* Have `workers` of them do it.  The context has shared memory. */
static void
execute(ParallelContext *context, const gs_plan *plan,
		const gs_report_input *input, const known_tables *k, int64 pages,
		gs_report_stats *stats)
{
	int			n = context->nworkers;
	Size		query = strlen(debug_query_string ? debug_query_string : "") + 1;
	shared_reading *shared = place(context, KEY_READING, k->size);
	BufferUsage *buffers = place(context, KEY_BUFFER_USAGE,
								 n * sizeof(BufferUsage));
	WalUsage   *wal = place(context, KEY_WAL_USAGE, n * sizeof(WalUsage));

	memcpy(place(context, KEY_QUERY, query),
		   debug_query_string ? debug_query_string : "", query);
	share(shared, plan, input, k, n + 1);
	shared->pages = pages;
	LaunchParallelWorkers(context);
	if (context->nworkers_launched == 0)
		return;
	if (parallel_leader_participation)
		take_part(shared, input, true);
	WaitForParallelWorkersToFinish(context);
	for (int i = 0; i < context->nworkers_launched; i++)
		InstrAccumParallelQuery(&buffers[i], &wal[i]);
	stats->workers = context->nworkers_launched;
	stats->kept_pages = pg_atomic_read_u64(&shared->kept_pages);
	stats->kept_rows = pg_atomic_read_u64(&shared->kept_rows);
	if (stats->kept_pages == 0 && pg_atomic_read_u32(&shared->full) != 0)
		paused_until = TimestampTzPlusMilliseconds(GetCurrentTimestamp(),
												   PAUSE_MS);
}

static void
take_time(gs_report_stats *stats, instr_time start)
{
	instr_time	end;

	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	stats->read_ms += INSTR_TIME_GET_MILLISEC(end);
}

/* Read what a report has found to be missing. */
static void
read_missing(const gs_report_run *run, const gs_report_input *input,
			 gs_report_stats *stats)
{
	int			max = input->workers;
	known_tables k;
	int64		pages = find_tables(run, input, &k, &max);
	ParallelContext *context;
	instr_time	start;

	gs_progress_phase(GS_PHASE_READING, pages);
	INSTR_TIME_SET_CURRENT(start);
	EnterParallelMode();
	PushActiveSnapshot(input->snapshot);
	context = CreateParallelContext("gpuscan", "gs_parallel_worker",
									count_workers(pages, max));
	shm_toc_estimate_chunk(&context->estimator, k.size);
	shm_toc_estimate_chunk(&context->estimator,
						   mul_size(context->nworkers, sizeof(BufferUsage)));
	shm_toc_estimate_chunk(&context->estimator,
						   mul_size(context->nworkers, sizeof(WalUsage)));
	shm_toc_estimate_chunk(&context->estimator,
						   strlen(debug_query_string ? debug_query_string : "") + 1);
	shm_toc_estimate_keys(&context->estimator, 4);
	InitializeParallelDSM(context);

	/* without a segment there is memory, and no worker */
	if (context->nworkers > 0 && context->seg != NULL)
		execute(context, run->plan, input, &k, pages, stats);
	DestroyParallelContext(context);
	PopActiveSnapshot();
	ExitParallelMode();
	close_tables(&k);
	take_time(stats, start);
}

/* ----------
 * Reports
 * ----------
 */

/* Begin a report, and add its tables. */
static gs_status
read_tables(gs_report_run *run, const gs_stage *stage, int stages,
			int workers, const gs_report_input *input)
{
	gs_status	status = gs_report_begin(run, stage, stages, true);
	int			n = list_length(input->tables);
	bool	   *whole = palloc0(n * sizeof(bool));
	double		held;

	run->workers = workers;
	if (n > 1 && status == GS_OK)
		status = gs_report_whole_tables(run, input, whole, &held);
	for (int i = 0; i < n && status == GS_OK; i++)
	{
		run->missing_table = i;
		if (!whole[i])
			status = gs_report_table(run, list_nth_oid(input->tables, i), input);
	}
	pfree(whole);
	return status;
}

double
gs_report_held_share(const gs_report_input *input, uint8 *type, int columns)
{
	bool	   *whole = palloc0(list_length(input->tables) * sizeof(bool));
	double		held = 0;
	gs_aggregate count;
	gs_stage	stage;
	gs_report_run run;

	want_columns(type, columns, &count, &stage);
	if (gs_report_begin(&run, &stage, 1, false) != GS_OK ||
		gs_report_whole_tables(&run, input, whole, &held) != GS_OK)
		held = 0;
	gs_report_end(&run);
	pfree(whole);
	return held;
}

gs_status
gs_report_read(gs_report_run *run, const gs_stage *stage, int stages,
			   const gs_report_input *input)
{
	gs_report_stats stats = {0};
	gs_status	status = read_tables(run, stage, stages, input->workers,
									 input);
	const char *refusal;

	if (run->missing == 0)
		return status;
	gs_report_end(run);
	read_missing(run, input, &stats);
	refusal = find_refusal(input->named, input->column,
						   stage[0].plan.columns);
	if (refusal != NULL)
		return gs_report_refuse(run, refusal);
	status = read_tables(run, stage, stages, 0, input);

	/* for those who want to know, what was kept was not held before */
	stats.kept_pages = Min(stats.kept_pages, run->stats.held_pages);
	stats.kept_rows = Min(stats.kept_rows, run->stats.held_rows);
	run->stats.held_pages -= stats.kept_pages;
	run->stats.held_rows -= stats.kept_rows;
	run->stats.kept_pages += stats.kept_pages;
	run->stats.kept_rows += stats.kept_rows;
	run->stats.read_ms += stats.read_ms;
	run->stats.workers = stats.workers;
	return status;
}
