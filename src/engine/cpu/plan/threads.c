/*-------------------------------------------------------------------------
 *
 * threads.c
 *	  A batch's rows among several threads.
 *
 * The caller's thread begins alone.  Once it knows that the rest is worth it,
 * it starts helpers, and all of them take chunks of rows until there are none
 * left.  The helpers end with the batch: their groups and states are in parts,
 * executions of the same plan, which go on with the next batch and are merged
 * by finish.
 *
 * A helper shares with others only what nobody changes: the plan, the batch,
 * and the job, whose members are atomic.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdatomic.h>

/*
 * A chunk is some tens of microseconds of work.  A thread's rows take a quarter
 * of a millisecond at least; to start it, a tenth of that.  To merge 8 bytes
 * takes about as long as a row.
 */
group_sharing gs_group_sharing = {
	.chunk = 32 * GROUP_TILE,
	.rows = 128 * 1024,
	.bytes_a_row = 8,
	.rows_a_group = 2
};

typedef struct group_job
{
	const gs_batch *batch;
	_Atomic int64_t next;		/* the first row that nobody has taken */
	_Atomic bool failed;
} group_job;

typedef struct group_helper
{
	group_job  *job;
	gs_plan_run *part;
	gs_status	status;
} group_helper;

static int64_t
most_groups(const gs_plan_run *run)
{
	int64_t		most = run->summary.groups;

	for (int i = 0; i < GS_ENGINE_THREADS_MAX - 1; i++)
	{
		if (run->part[i] != NULL && run->part[i]->summary.groups > most)
			most = run->part[i]->summary.groups;
	}
	return most;
}

/* What of a group has to be merged. */
static int64_t
bytes_of_group(const gs_plan_run *run)
{
	size_t		bytes = run->keys.n * sizeof(uint64_t);

	for (int i = 0; i < run->plan->aggregates; i++)
		bytes += run->state[i].store.width;
	return (int64_t) bytes;
}

/* Packed values cannot be read from the middle on. */
static bool
has_packed(const gs_plan_run *run)
{
	for (int i = 0; i < run->plan->columns; i++)
	{
		if (run->column[i].used && run->column[i].data->packed)
			return true;
	}
	return false;
}

/* How many helpers should share the rows that are left? */
int
gs_group_helpers(const gs_plan_run *run, int64_t left)
{
	const group_sharing *sharing = &gs_group_sharing;
	int64_t		threads = left / sharing->rows;
	int64_t		groups;

	if (threads > gs_engine_threads)
		threads = gs_engine_threads;
	if (threads < 2 || gs_engine_pause != NULL || has_packed(run))
		return 0;
	groups = most_groups(run);
	if (run->keys.n > 0 &&
		(run->worked == 0 || run->worked < groups * sharing->rows_a_group ||
		 left / threads * sharing->bytes_a_row < groups * bytes_of_group(run)))
		return 0;
	return (int) threads - 1;
}

/* Feed chunks that nobody has taken, until there are none left. */
static gs_status
work(group_job *job, gs_plan_run *run)
{
	const int64_t chunk = gs_group_sharing.chunk;
	gs_status	status = GS_OK;

	while (status == GS_OK && !atomic_load(&job->failed))
	{
		int64_t		at = atomic_fetch_add(&job->next, chunk);
		int64_t		left = job->batch->n - at;

		if (left <= 0)
			break;
		status = gs_group_feed_rows(run, job->batch, at,
									at + (left < chunk ? left : chunk));
	}
	if (status != GS_OK)
		atomic_store(&job->failed, true);
	return status;
}

static void
help(void *argument, int i)
{
	group_helper *helper = (group_helper *) argument + i;

	helper->status = work(helper->job, helper->part);
}

/* A part for a helper, which is to take so many rows; NULL: no memory. */
static gs_plan_run *
prepare_part(gs_plan_run *run, gs_plan_run **part, const gs_batch *batch,
			 int64_t rows)
{
	if (*part == NULL)
	{
		if (gs_group_begin(run->plan, part) != GS_OK)
		{
			gs_group_end(*part);
			*part = NULL;
			return NULL;
		}
		(*part)->by = run->by;
		(*part)->slices = run->slices;
		(*part)->slice = run->slice;
		for (int i = 0; i < run->plan->aggregates && !run->plan->of_rows; i++)
			gs_group_copy_window(&(*part)->state[i], &run->state[i]);
	}
	(*part)->rows += rows;
	(*part)->blocks.base = run->blocks.base;
	gs_group_start_batch(*part, batch);
	return *part;
}

/* Feed the rows from `at` on, with helpers if there are any to be had. */
gs_status
gs_group_share(gs_plan_run *run, const gs_batch *batch, int64_t at,
			   int wanted)
{
	group_helper helper[GS_ENGINE_THREADS_MAX - 1];
	group_job	job = {.batch = batch,.next = at};
	cpu_helpers helpers;
	int			taken = gs_cpu_take_helpers(wanted);
	int			n = 0;
	gs_status	status;

	for (; n < taken; n++)
	{
		helper[n].job = &job;
		helper[n].part = prepare_part(run, &run->part[n], batch,
									  (batch->n - at) / (taken + 1));
		if (helper[n].part == NULL)
			break;
	}
	gs_cpu_start_helpers(&helpers, n, help, helper);
	status = work(&job, run);
	gs_cpu_join_helpers(&helpers);
	for (int i = 0; i < helpers.n; i++)
	{
		if (status == GS_OK && helper[i].status != GS_OK)
			status = gs_group_fail(run, helper[i].status,
								   helper[i].part->error.message);
	}
	for (int i = 0; i < n; i++)
		gs_group_end_batch(helper[i].part);
	gs_cpu_give_helpers(taken);
	return status;
}
