/*-------------------------------------------------------------------------
 *
 * plan_run.c
 *	  Runs a plan on an engine; see plan_compare.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/common/random.h"

#define CANARY_SIZE		16
#define CANARY			0xc5

static _Thread_local char message[400];

static const char *
failed(const plan_target *target, const gs_plan_run *run, const char *what,
	   gs_status status)
{
	snprintf(message, sizeof message, "%s gives status %d: %s", what, status,
			 run == NULL ? "" : target->engine->error(run)->message);
	return message;
}

/* n items of a column of results, from `first` on. */
static const char *
fetch_part(const plan_target *target, const plan_case *c, gs_plan_run *run,
		   int column, int64_t first, int64_t n, size_t width, uint8_t *to)
{
	uint8_t    *part = malloc(n * width + CANARY_SIZE);
	gs_status	status;
	bool		intact = true;

	if (gs_fetch_width(&c->plan, column) != width)
	{
		free(part);
		snprintf(message, sizeof message, "column %d is %zu bytes wide", column,
				 gs_fetch_width(&c->plan, column));
		return message;
	}
	memset(part, CANARY, n * width + CANARY_SIZE);
	status = target->engine->fetch(run, column, first, n, part);
	for (int i = 0; i < CANARY_SIZE; i++)
		intact &= part[n * width + i] == CANARY;
	if (status == GS_OK)
		memcpy(to + first * width, part, n * width);
	free(part);
	if (status != GS_OK)
		return failed(target, run, "fetch", status);
	return intact ? NULL : "fetch writes beyond its results";
}

/* All of a column, in parts that overlap. */
static const char *
fetch_column(const plan_target *target, const plan_case *c, gs_plan_run *run,
			 int column, int64_t n, size_t width, void *to)
{
	int64_t		cut = n > 0 ? random_below(n + 1) : 0;
	int64_t		overlap = cut > 0 ? random_below(cut) : 0;
	const char *problem = NULL;

	if (one_in(2))
		return fetch_part(target, c, run, column, 0, n, width, to);
	problem = fetch_part(target, c, run, column, cut - overlap,
						 n - cut + overlap, width, to);
	if (problem == NULL)
		problem = fetch_part(target, c, run, column, 0, cut, width, to);
	return problem;
}

static const char *
fetch_wide(const plan_target *target, const plan_case *c, gs_plan_run *run,
		   int i, plan_result *r)
{
	const gs_float_sum *sum = (const gs_float_sum *) r->state[i];
	size_t		width = plan_is_squares(&c->plan, i) ? sizeof(gs_acc2) :
		sizeof(gs_acc);
	uint8_t    *bytes;
	const char *problem;

	for (int64_t j = 0; j < r->summary.groups; j++)
	{
		if (sum[j].wide > 0 && sum[j].wide != ++r->wides[i])
			return "wide sums are not in the order of the groups";
	}
	bytes = malloc(r->wides[i] * width + 1);
	r->wide[i] = calloc(r->wides[i] + 1, sizeof(plan_wide));
	problem = fetch_column(target, c, run, GS_FETCH_WIDE(i), r->wides[i],
						   width, bytes);
	for (int64_t j = 0; j < r->wides[i] && problem == NULL; j++)
		memcpy(&r->wide[i][j], bytes + j * width, width);
	free(bytes);
	return problem;
}

static const char *
fetch_all(const plan_target *target, const plan_case *c, gs_plan_run *run,
		  plan_result *r)
{
	int64_t		n = r->summary.groups;
	const char *problem = NULL;

	for (int k = 0; k < c->plan.keys && problem == NULL; k++)
		problem = fetch_column(target, c, run, GS_FETCH_KEY(k), n,
							   sizeof(gs_value), r->key[k]);
	if (problem == NULL && !c->plan.of_rows)
		problem = fetch_column(target, c, run, GS_FETCH_NULLS, n, 1, r->nulls);
	for (int i = 0; i < c->plan.aggregates && problem == NULL; i++)
	{
		problem = fetch_column(target, c, run, GS_FETCH_STATE(i), n,
							   plan_state_size(&c->plan, i), r->state[i]);
		if (problem == NULL && plan_is_float_sum(&c->plan, i))
			problem = fetch_wide(target, c, run, i, r);
		if (problem == NULL && c->plan.of_rows)
			problem = fetch_column(target, c, run, GS_FETCH_VALIDITY(i),
								   GS_VALIDITY_ROWS(n), sizeof(uint64_t),
								   r->validity[i]);
	}
	return problem;
}

/* Asking for what does not exist is refused. */
static const char *
fetch_nothing(const plan_target *target, const plan_case *c, gs_plan_run *run,
			  const plan_result *r)
{
	bool		of_rows = c->plan.of_rows && c->plan.aggregates > 0;
	bool		validity = of_rows && one_in(2);
	int			column = validity ? GS_FETCH_VALIDITY(0) :
		of_rows ? GS_FETCH_STATE(0) : GS_FETCH_NULLS;
	int64_t		n = r->summary.groups;
	uint64_t	space[4];
	gs_status	status;

	if (validity)
		n = GS_VALIDITY_ROWS(n);
	switch (random_below(4))
	{
		case 0:
			status = target->engine->fetch(run, column, n, 1, space);
			break;
		case 1:
			status = target->engine->fetch(run, column, -1, 1, space);
			break;
		case 2:
			status = target->engine->fetch(run,
										   GS_FETCH_STATE(c->plan.aggregates),
										   0, 1, space);
			break;
		default:
			status = target->engine->fetch(run, column, n > 0, INT64_MAX,
										   space);
	}
	return status == GS_INVALID ? NULL : "fetch gives what does not exist";
}

/* Feed rows, in batches. */
static const char *
feed_rows(const plan_target *target, const plan_case *c, gs_plan_run *run,
		  int64_t first, int64_t n, bool whole)
{
	int64_t		most = 1 + random_below(one_in(3) && n < 300 ? 3 : n + 1);
	gs_status	status;

	for (int64_t at = 0, size; at < n; at += size)
	{
		plan_batch	batch;

		size = whole ? n : 1 + random_below(most);
		size = size < n - at ? size : n - at;
		plan_batch_make(&batch, c, first + at, size,
						one_in(2) ? target->memory : NULL);
		if (target->devices > 0)
			batch.batch.device = (int32_t) random_below(target->devices);
		status = target->engine->feed(run, &batch.batch);
		plan_batch_free(&batch);
		if (status != GS_OK)
			return failed(target, run, "feed", status);
	}
	return NULL;
}

const char *
plan_feed(const plan_target *target, const plan_case *c, gs_plan_run *run)
{
	return feed_rows(target, c, run, 0, c->rows, false);
}

const char *
plan_take_results(const plan_target *target, const plan_case *c,
				  gs_plan_run *run, int64_t n, plan_result *r)
{
	const char *problem;
	gs_status	status = target->engine->finish(run, &r->summary);

	if (status != GS_OK)
		return failed(target, run, "finish", status);
	if (r->summary.errors != 0)
		return r->summary.groups == 0 && r->summary.rows == 0 ? NULL :
			"groups or rows in spite of errors";
	if (r->summary.groups < 0 || r->summary.groups > n + 1)
		return "the number of groups is impossible";
	plan_result_allocate(&c->plan, r);
	problem = fetch_all(target, c, run, r);
	if (problem == NULL && one_in(4))
		problem = fetch_nothing(target, c, run, r);
	return problem;
}

static const char *
run_rows(const plan_target *target, const plan_case *c, gs_plan_run *run,
		 int64_t first, int64_t n, bool whole, plan_result *r)
{
	const char *problem = feed_rows(target, c, run, first, n, whole);

	return problem != NULL ? problem :
		plan_take_results(target, c, run, n, r);
}

const char *
plan_run(const plan_target *target, const plan_case *c, int64_t first,
		 int64_t n, bool whole, plan_result *r)
{
	gs_plan_run *run = NULL;
	plan_in_memory placed;
	gs_status	status = !plan_place(&placed, &c->plan, target->memory) ?
		GS_NO_MEMORY : target->engine->begin(&placed.plan, &run);
	const char *problem;

	memset(r, 0, sizeof *r);
	if (status != GS_OK)
		problem = failed(target, run, "begin", status);
	else
		problem = run_rows(target, c, run, first, n, whole, r);
	if (run != NULL)
		target->engine->end(run);
	plan_unplace(&placed);
	return problem;
}
