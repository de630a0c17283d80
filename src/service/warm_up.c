/*-------------------------------------------------------------------------
 *
 * warm_up.c
 *	  The device's first reports, before anybody asks for one.
 *
 * CUDA loads kernels when they are first executed, which would make the first
 * report after a start slower.  A thread executes two small plans as soon as
 * clients are accepted, while the first one reads its table.  If it fails, so
 * will a client's report, which tells why.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <string.h>

#include "service/service.h"

#define ROWS		4096		/* more than a block's */
#define KEYS		16

static void
execute(const gs_plan *plan, const gs_batch *batch)
{
	const gs_group_engine *engine = gs_service.group_engine;
	gs_group_run *run = NULL;
	gs_summary	summary;
	gs_status	status = engine->begin(plan, &run);

	if (status == GS_OK)
		status = engine->feed(run, batch);
	if (status == GS_OK)
		(void) engine->finish(run, &summary);
	if (run != NULL)
		engine->end(run);
}

/* A sum and a count, of all rows and by a key. */
static void *
warm_up(void *unused)
{
	static int32_t keys[ROWS];
	static double values[ROWS];
	const uint8_t types[] = {GS_INT4, GS_FLOAT8};
	const gs_operand key = GS_COLUMN(0);
	const gs_aggregate aggregate[] = {
		{.kind = GS_AGG_SUM, .a = GS_COLUMN(1), .filter = GS_NOTHING},
		{.kind = GS_AGG_COUNT, .a = GS_NOTHING, .filter = GS_NOTHING}
	};
	const gs_column_data column[] = {
		{.values = keys, .width = sizeof keys[0], .high = KEYS - 1},
		{.values = values, .width = sizeof values[0], .low = 1}
	};
	const gs_batch batch = {.n = ROWS, .column = column};
	gs_plan		plan = {
		.columns = 2,
		.column = types,
		.key = &key,
		.aggregates = 2,
		.aggregate = aggregate,
		.filter = GS_NOTHING
	};

	(void) unused;
	for (int i = 0; i < ROWS; i++)
	{
		keys[i] = i % KEYS;
		values[i] = i;
	}
	execute(&plan, &batch);
	plan.keys = 1;
	execute(&plan, &batch);
	return NULL;
}

/* The CPU engine needs none; tests count what an engine does. */
void
gs_warm_up(void)
{
	pthread_t	thread;

	if (strcmp(gs_service.engine_name, "cuda") == 0 &&
		gs_service.delay == 0 && gs_service.fail_after == 0 &&
		pthread_create(&thread, NULL, warm_up, NULL) == 0)
		pthread_detach(thread);
}
