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
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "engine/cpu/engine_cpu.h"
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

/* How often a stage begins again. */
#define RESTARTS	2

/* The groups of the stage that has been finished, as the next one's columns. */
typedef struct collected
{
	gs_relation relation;
	const gs_relation_engine *engine;	/* that has it; NULL: the host does */
	gs_finish_space *space;
	void	   *memory;
	int64_t		size;			/* bytes that have been taken for these */
} collected;

static const gs_stage *
next_stage(const gs_report *report)
{
	return &report->stage[report->at + 1];
}

/* Reckon the host's memory for the groups, then take it. */
static gs_status
prepare(gs_connection *c, collected *all)
{
	const gs_report *report = c->request.report;
	const gs_plan *plan = &next_stage(report)->plan;
	int64_t		groups = report->summary.groups;
	int64_t		size;

	if (groups > PTRDIFF_MAX / (GS_PLAN_COLUMNS * 16))
		return GS_NO_MEMORY;
	size = (int64_t) gs_relation_size(plan->column, plan->columns, groups);
	if (!gs_execution_take(&c->request, size + (int64_t) sizeof *all->space))
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
release(gs_connection *c, collected *all)
{
	if (all->engine != NULL)
		all->engine->release(&all->relation);
	free(all->space);
	free(all->memory);
	gs_execution_give(&c->request, all->size);
}

/* As long as the client waits.  GS_INVALID: it has gone, and gets no answer. */
static gs_status
progress(gs_connection *c, int64_t *told, gs_status status)
{
	gs_execution_done(c);
	return status == GS_OK && !gs_report_tell_progress(c, told) ?
		GS_INVALID : status;
}

/* The groups, as the host finishes them: by threads, if it has their states. */
static gs_status
finish_groups(gs_connection *c, collected *all, int64_t *told)
{
	const gs_plan_engine *engine = gs_service.plan_engine;
	bool		shared = engine->relations == NULL;
	int64_t		most = shared ? FINISHED_GROUPS : GS_FINISH_GROUPS;
	gs_report  *report = c->request.report;
	gs_status	status = prepare(c, all);
	int64_t		n;

	for (int64_t at = 0; status == GS_OK && at < all->relation.rows; at += n)
	{
		n = all->relation.rows - at;
		n = n < most ? n : most;
		gs_execution_busy(c);
		status = (shared ? gs_cpu_finish_groups : gs_finish_groups)
			(engine, report->run, &report->stage[report->at].plan,
			 next_stage(report)->finish, at, n, &all->relation, all->space,
			 &report->summary.errors);
		status = progress(c, told, status);
	}
	return status;
}

static gs_status
collect(gs_connection *c, collected *all, int64_t *told)
{
	gs_report  *report = c->request.report;
	gs_status	status;

	all->engine = gs_service.plan_engine->relations;
	if (all->engine == NULL)
		return finish_groups(c, all, told);
	gs_execution_busy(c);
	status = all->engine->make(report->run, next_stage(report), &all->relation,
							   &report->summary.errors);
	status = progress(c, told, status);
	if (status != GS_OK || all->relation.memory != NULL)
		return status;
	all->engine = NULL;
	return finish_groups(c, all, told);
}

/* The client that waits for windows. */
typedef struct waiting_client
{
	gs_connection *c;
	int64_t    *told;
} waiting_client;

static bool
client_waits(void *who)
{
	const waiting_client *client = who;
	bool		waits = progress(client->c, client->told, GS_OK) == GS_OK;

	gs_execution_busy(client->c);
	return waits;
}

/* In host memory: what that takes beside is reckoned. */
static gs_status
sort_host_rows(gs_connection *c, const gs_stage *stage,
			   const gs_windows_caller *caller, gs_relation *relation)
{
	const gs_plan *plan = &stage->plan;
	int64_t		size = gs_windows_memory(stage->windows, plan->column,
										 plan->columns, relation->rows);
	gs_status	status;

	if (!gs_execution_take(&c->request, size))
		return GS_NO_MEMORY;
	gs_execution_busy(c);
	status = gs_windows_compute(stage->windows, plan->column, relation, caller,
								&c->request.report->summary.errors);
	gs_execution_give(&c->request, size);
	return status;
}

/* The columns of windows, after the end of the execution that gave the rows. */
static gs_status
compute_windows(gs_connection *c, collected *all, int64_t *told)
{
	gs_report  *report = c->request.report;
	const gs_stage *stage = next_stage(report);
	waiting_client client = {c, told};
	const gs_windows_caller caller = {client_waits, &client};
	gs_status	status;

	gs_execution_restart(c);
	if (all->engine == NULL)
		status = sort_host_rows(c, stage, &caller, &all->relation);
	else
	{
		gs_execution_busy(c);
		report->error = (gs_error) {0};
		status = all->engine->windows(stage, &all->relation, &caller,
									  &report->summary.errors, &report->error);
	}
	return progress(c, told, status);
}

/* Feed so many rows of the columns, at most, from one on. */
static gs_status
feed(gs_connection *c, const collected *all, int64_t at, int64_t most)
{
	const gs_relation *relation = &all->relation;
	gs_column_data column[GS_PLAN_COLUMNS];
	int64_t		left = relation->rows - at;
	gs_batch	batch = {
		.n = left < most ? left : most,
		.column = column,
		.resident = all->engine != NULL,
		.device = relation->device
	};

	for (int i = 0; i < relation->columns; i++)
	{
		column[i] = relation->column[i];
		column[i].values = (const char *) column[i].values +
			at * column[i].width;
		if (column[i].validity != NULL)
			column[i].validity += at / 8;
	}
	gs_execution_busy(c);
	return gs_service.plan_engine->feed(c->request.report->run, &batch);
}

/* Execute the stage at hand over the columns. */
static gs_status
execute(gs_connection *c, const collected *all, int64_t *told)
{
	gs_report  *report = c->request.report;
	int64_t		most = all->engine != NULL ? ENGINE_ROWS : BATCH_ROWS;
	gs_status	status;

	gs_execution_busy(c);
	status = gs_report_begin(c);
	gs_execution_idle(c);
	for (int64_t at = 0; at < all->relation.rows && status == GS_OK; at += most)
		status = progress(c, told, feed(c, all, at, most));
	if (status != GS_OK)
		return status;
	gs_execution_busy(c);
	status = gs_service.plan_engine->finish(report->run, &report->summary);
	gs_execution_done(c);
	return status;
}

gs_status
gs_report_next_stage(gs_connection *c, int64_t *told)
{
	gs_report  *report = c->request.report;
	collected	all = {.size = 0};
	int			restarts = 0;
	gs_status	status = collect(c, &all, told);

	if (status == GS_OK && report->summary.errors == 0 &&
		next_stage(report)->windows != NULL && all.relation.rows > 0)
		status = compute_windows(c, &all, told);
	if (status == GS_OK && report->summary.errors != 0)
	{
		report->summary.groups = 0;
		report->summary.rows = 0;
	}
	else if (status == GS_OK)
	{
		report->at++;
		do
		{
			gs_execution_restart(c);
			status = execute(c, &all, told);
		} while (status == GS_NO_MEMORY && restarts++ < RESTARTS &&
				 gs_evict_part());
	}
	release(c, &all);
	return status;
}
