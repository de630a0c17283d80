/*-------------------------------------------------------------------------
 *
 * report_stages.c
 *	  The stages of a report behind the first.
 *
 * A stage's groups become columns of values, in the engine's memory if it makes
 * them there (engine/relation.h), else in the host's.  The execution ends before
 * the next one begins, so that the engine has the memory of one at a time.  The
 * columns stay until all of them have been fed: if the engine finds no memory,
 * some of what is held is evicted, and the stage begins again.
 *
 * If the execution has slices (engine/devices.h), each device makes the columns of
 * its own, and computes their windows, at the same time as the others.
 *
 *-------------------------------------------------------------------------
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/cpu/engine_cpu.h"
#include "engine/devices.h"
#include "engine/relation.h"
#include "service/report_state.h"

/*
 * Rows of a batch: enough for all threads, and a multiple of 8.  In the engine's
 * memory a batch costs a wait, so it has more, but not all, since what a batch
 * takes beside grows with it; bitmaps stay aligned.
 */
#define BATCH_ROWS	(INT64_C(1) << 22)
#define ENGINE_ROWS	(INT64_C(1) << 26)

/* Groups that become values between two signs of progress. */
#define FINISHED_GROUPS	(INT64_C(1) << 18)

/*
 * The groups of the stage that has been finished, as the next one's columns; or
 * those of a slice, which a thread of its own works on.
 */
typedef struct collected
{
	gs_connection *c;
	int			device;			/* of a slice */
	const gs_plan_engine *plan_engine;
	gs_plan_run *run;			/* that has the groups */
	gs_summary	found;
	int64_t    *told;			/* when the client was; NULL: another thread does
								 * that */
	const atomic_bool *gone;	/* it knows from there then */

	gs_relation relation;
	const gs_relation_engine *engine;	/* that has it; NULL: the host does */
	gs_finish_space *space;
	void	   *memory;
	int64_t		size;			/* bytes that have been taken for these */
	gs_status	status;
	gs_error	error;			/* of windows */
} collected;

/* All of the stage: one, or as many as there are slices. */
typedef struct collection
{
	gs_connection *c;
	int			n;
	int64_t    *told;
	atomic_bool gone;			/* the client has */
	collected	part[];
} collection;

static const gs_stage *
next_stage(const gs_report *report)
{
	return &report->stage[report->at + 1];
}

/* Reckon the host's memory for the groups, then take it. */
static gs_status
prepare(collected *all)
{
	const gs_plan *plan = &next_stage(all->c->request.report)->plan;
	int64_t		groups = all->found.groups;
	int64_t		size;

	if (groups > PTRDIFF_MAX / (GS_PLAN_COLUMNS * 16))
		return GS_NO_MEMORY;
	size = (int64_t) gs_relation_size(plan->column, plan->columns, groups);
	if (!gs_execution_take(&all->c->request,
						   size + (int64_t) sizeof *all->space))
		return GS_NO_MEMORY;
	all->size = size + (int64_t) sizeof *all->space;
	all->space = malloc(sizeof *all->space);
	all->memory = gs_cpu_allocate((size_t) size + GS_STAGING_ALIGN);
	if (all->space == NULL || all->memory == NULL)
		return GS_NO_MEMORY;
	gs_relation_lay(&all->relation, plan->column, plan->columns, groups,
					(void *) gs_staging_align((uintptr_t) all->memory));
	return GS_OK;
}

static void
release(collected *all)
{
	if (all->engine != NULL)
	{
		gs_device_use(all->device);
		all->engine->release(&all->relation);
	}
	free(all->space);
	free(all->memory);
	gs_execution_give(&all->c->request, all->size);
}

/* As long as the client waits.  GS_INVALID: it has gone, and gets no answer. */
static gs_status
progress(const collected *all, gs_status status)
{
	bool		waits;

	gs_device_note(status);
	if (all->told == NULL)
	{
		gs_report_progress();
		waits = !atomic_load(all->gone);
	}
	else
	{
		gs_execution_done(all->c);
		waits = status != GS_OK || gs_report_tell_progress(all->c, all->told);
		gs_execution_busy(all->c);
	}
	return status == GS_OK && !waits ? GS_INVALID : status;
}

/* The groups, as the host finishes them: by threads, if it has their states. */
static gs_status
finish_groups(collected *all)
{
	bool		shared = all->plan_engine->relations == NULL;
	int64_t		most = shared ? FINISHED_GROUPS : GS_FINISH_GROUPS;
	const gs_report *report = all->c->request.report;
	gs_status	status = prepare(all);
	int64_t		n;

	for (int64_t at = 0; status == GS_OK && at < all->relation.rows; at += n)
	{
		n = all->relation.rows - at;
		n = n < most ? n : most;
		status = (shared ? gs_cpu_finish_groups : gs_finish_groups)
			(all->plan_engine, all->run, &report->stage[report->at].plan,
			 next_stage(report)->finish, at, n, &all->relation, all->space,
			 &all->found.errors);
		status = progress(all, status);
	}
	return status;
}

static void
collect(void *state, int device)
{
	collected  *all = &((collection *) state)->part[device];
	const gs_stage *next = next_stage(all->c->request.report);
	gs_status	status = GS_OK;

	all->engine = all->plan_engine->relations;
	if (all->engine != NULL)
		status = progress(all, all->engine->make(all->run, next,
												 &all->relation,
												 &all->found.errors));
	if (status == GS_OK && all->relation.memory == NULL)
	{
		all->engine = NULL;
		status = finish_groups(all);
	}
	all->status = status;
}

/* The client that waits for windows. */
static bool
client_waits(void *who)
{
	return progress(who, GS_OK) == GS_OK;
}

/* In host memory: what that takes beside is reckoned. */
static gs_status
sort_host_rows(collected *all, const gs_stage *stage,
			   const gs_windows_caller *caller)
{
	const gs_plan *plan = &stage->plan;
	int64_t		size = gs_windows_memory(stage->windows, plan->column,
										 plan->columns, all->relation.rows);
	gs_status	status;

	if (!gs_execution_take(&all->c->request, size))
		return GS_NO_MEMORY;
	status = gs_windows_compute(stage->windows, plan->column, &all->relation,
								caller, &all->found.errors);
	gs_execution_give(&all->c->request, size);
	return status;
}

/* The columns of windows, after the end of the execution that gave the rows. */
static void
compute_windows(void *state, int device)
{
	collected  *all = &((collection *) state)->part[device];
	const gs_stage *stage = next_stage(all->c->request.report);
	const gs_windows_caller caller = {client_waits, all};
	gs_status	status = GS_OK;

	if (all->relation.rows > 0 && all->engine == NULL)
		status = sort_host_rows(all, stage, &caller);
	else if (all->relation.rows > 0)
		status = all->engine->windows(stage, &all->relation, &caller,
									  &all->found.errors, &all->error);
	all->status = progress(all, status);
}

/* Feed so many rows of the columns, at most, from one on. */
static gs_status
feed(const collected *all, int64_t at, int64_t most)
{
	const gs_relation *relation = &all->relation;
	gs_column_data column[GS_PLAN_COLUMNS];
	int64_t		left = relation->rows - at;
	gs_batch	batch = {
		.n = left < most ? left : most,
		.column = column,
		.resident = all->engine != NULL,
		.device = all->device
	};

	for (int i = 0; i < relation->columns; i++)
	{
		column[i] = relation->column[i];
		column[i].values = (const char *) column[i].values +
			at * column[i].width;
		if (column[i].validity != NULL)
			column[i].validity += at / 8;
	}
	return gs_service.plan_engine->feed(all->c->request.report->run, &batch);
}

static void
feed_all(void *state, int device)
{
	collected  *all = &((collection *) state)->part[device];
	int64_t		most = all->engine != NULL ? ENGINE_ROWS : BATCH_ROWS;

	all->status = GS_OK;
	for (int64_t at = 0; at < all->relation.rows && all->status == GS_OK;
		 at += most)
		all->status = progress(all, feed(all, at, most));
}

/* ----------
 * All of them
 * ----------
 */

/* Work on each, at the same time if they are slices.  Errors are the report's. */
static gs_status
each(collection *all, bool parallel, void (*work) (void *state, int device))
{
	gs_report  *report = all->c->request.report;
	gs_status	status = GS_OK;

	gs_execution_busy(all->c);
	for (int i = 0; i < all->n; i++)
		all->part[i].told = parallel ? NULL : all->told;
	for (int i = 0; i < all->n && !parallel && status == GS_OK; i++)
	{
		work(all, i);
		status = all->part[i].status;
	}
	if (parallel)
		gs_report_on_devices(all->c, (UINT32_C(1) << all->n) - 1, work, all,
							 all->told, &all->gone);
	if (atomic_load(&all->gone))
		status = GS_INVALID;
	gs_execution_done(all->c);
	for (int i = 0; i < all->n; i++)
	{
		if (status == GS_OK)
			status = all->part[i].status;
		if (report->error.status == GS_OK)
			report->error = all->part[i].error;
		report->summary.errors |= all->part[i].found.errors;
	}
	return status;
}

/* Is each part in the memory of its device? */
static bool
are_resident(const collection *all)
{
	for (int i = 0; i < all->n; i++)
	{
		if (all->part[i].engine == NULL)
			return false;
	}
	return true;
}

/* Execute the stage at hand over the columns. */
static gs_status
execute(collection *all)
{
	gs_report  *report = all->c->request.report;
	gs_status	status;

	gs_execution_busy(all->c);
	status = gs_report_begin(all->c);
	gs_execution_idle(all->c);
	if (status == GS_OK)
		status = each(all, all->n > 1 && are_resident(all) &&
					  gs_plan_spreads(report->run), feed_all);
	if (status != GS_OK)
		return status;
	gs_execution_busy(all->c);
	status = gs_service.plan_engine->finish(report->run, &report->summary);
	gs_execution_done(all->c);
	return status;
}

/* What has been found, as one or in slices. */
static void
begin(collection *all, gs_connection *c, int64_t *told)
{
	gs_report  *report = c->request.report;

	all->c = c;
	all->told = told;
	for (int i = 0; i < all->n; i++)
	{
		collected  *part = &all->part[i];

		part->c = c;
		part->plan_engine = gs_service.plan_engine;
		part->run = report->run;
		part->found = report->summary;
		part->gone = &all->gone;
		if (!report->sliced)
			continue;
		part->device = i;
		part->plan_engine = gs_plan_one_device();
		part->run = gs_plan_slice_of(report->run, i, &part->found);
	}
}

gs_status
gs_report_next_stage(gs_connection *c, int64_t *told)
{
	gs_report  *report = c->request.report;
	int			n = report->sliced ? gs_service.devices : 1;
	collection *all = calloc(1, sizeof *all + (size_t) n *
							 sizeof *all->part);
	int64_t		rows = 0;
	int			restarts = 0;
	gs_status	status;

	if (all == NULL)
		return GS_NO_MEMORY;
	all->n = n;
	begin(all, c, told);
	status = each(all, all->n > 1, collect);
	for (int i = 0; i < all->n; i++)
	{
		rows += all->part[i].relation.rows;
		if (all->n == 1)
			all->part[i].device = all->part[i].relation.device;
		else
			all->part[i].relation.device = i;
	}
	if (status == GS_OK && report->summary.errors == 0 &&
		next_stage(report)->windows != NULL && rows > 0)
	{
		gs_execution_restart(c);
		report->error = (gs_error) {0};
		status = each(all, all->n > 1, compute_windows);
	}
	if (status == GS_OK && report->summary.errors != 0)
	{
		report->summary.groups = 0;
		report->summary.rows = 0;
	}
	else if (status == GS_OK)
	{
		report->at++;
		gs_execution_restart(c);
		do
			status = execute(all);
		while (status == GS_NO_MEMORY && gs_report_make_room(c, &restarts));
	}
	for (int i = 0; i < all->n; i++)
		release(&all->part[i]);
	free(all);
	return status;
}
