/*-------------------------------------------------------------------------
 *
 * plan_stages.c
 *	  Random stages; see plan_stages.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_stages.h"
#include "test/common/plan_windows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/relation.h"
#include "exact/figures.h"
#include "test/common/random.h"

/* ----------
 * Making them
 * ----------
 */

/* An aggregate of the kind over the same values as another one; -1: none. */
static int
companion(const gs_plan *plan, int of, gs_aggregate_kind kind)
{
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (plan->aggregate[i].kind == (int32_t) kind &&
			plan->aggregate[i].a == plan->aggregate[of].a &&
			plan->aggregate[i].filter == plan->aggregate[of].filter)
			return i;
	}
	return -1;
}

/*
 * All that the groups can become; returns how many.  What figures need beside a
 * sum is added to the plan.
 */
static int
list_finishings(plan_case *c, gs_finish *to, int most)
{
	gs_plan    *plan = &c->plan;
	int			n = 0;
	int			before = plan->aggregates;

	for (int i = 0; i < before; i++)
	{
		static const gs_aggregate_kind beside[] = {
			GS_AGG_COUNT, GS_AGG_SUM, GS_AGG_SQUARES, GS_AGG_SPECIALS
		};
		bool		pairs = c->aggregate[i].kind == GS_AGG_PRODUCTS;

		for (int k = 0; k < (pairs ? 8 : 4) &&
			 plan->aggregates < GS_PLAN_AGGREGATES; k++)
		{
			gs_aggregate more = c->aggregate[i];
			int			at = plan->aggregates;

			more.kind = (int32_t) beside[k % 4];
			more.a = k < 4 ? more.a : more.b;
			if (more.a == GS_NOTHING)
				continue;
			c->aggregate[at] = more;
			plan->aggregates++;
			if (companion(plan, at, beside[k % 4]) < at ||
				gs_plan_check(plan) != GS_OK)
				plan->aggregates--;
		}
	}
	for (int16_t i = 0; i < plan->keys && n < most; i++)
		to[n++] = (gs_finish) {
			.kind = GS_FINISH_KEY, .of = i, .squares = -1, .specials = -1
		};
	for (int16_t i = 0; i < plan->aggregates; i++)
	{
		for (uint8_t kind = GS_FINISH_COUNT; kind <= GS_FINISH_ROW; kind++)
		{
			for (uint8_t f = 0; f <= GS_FIGURE_WEIGHTED_AVG && n < most; f++)
			{
				gs_finish	finish = {
					.kind = kind, .figure = f, .of = i,
					.count = (int16_t) companion(plan, i, GS_AGG_COUNT),
					.squares = (int16_t) companion(plan, i, GS_AGG_SQUARES),
					.specials = -1
				};

				if (kind == GS_FINISH_VALUE && one_in(2))
				{
					finish.zeros = 1;
					if (plan->aggregate[i].kind != GS_AGG_MIN)
						finish.specials = (int16_t)
							companion(plan, i, GS_AGG_SPECIALS);
				}
				if ((kind == GS_FINISH_FIGURE || f == 0) &&
					gs_finish_type(plan, &finish) != 0)
					to[n++] = finish;
			}
		}
	}
	return n;
}

/* A sample of what the groups of the stage before can become. */
static int
choose_finishings(plan_stages *s, int stage)
{
	static _Thread_local gs_finish all[2000];
	int			n = list_finishings(s->c[stage - 1], all, 2000);
	int			columns = n == 0 ? 0 : (int) random_below(one_in(10) ? 40 : 8);

	for (int i = 0; i < columns; i++)
		s->finish[stage][i] = all[random_below(n)];
	return columns;
}

/* Windows of so many rows are computed in a moment by the reference. */
#define WINDOW_ROWS		300

/* Windows over some columns, which get their results as more of them. */
static void
add_windows(plan_stages *s, int stage, plan_columns *rows, uint32_t *errors)
{
	plan_windows_new(&s->windows[stage], rows, s->finish[stage]);
	s->stage[stage].windows = &s->windows[stage];
	plan_windows_reference(&s->windows[stage], rows, errors);
}

/* The rows that the groups become; errors are noted. */
static void
make_rows(const plan_stages *s, int stage, const plan_result *r, int columns,
		  plan_columns *to, uint32_t *errors)
{
	const gs_plan *plan = &s->c[stage - 1]->plan;

	memset(to, 0, sizeof *to);
	to->rows = r->summary.groups;
	to->columns = columns;
	for (int c = 0; c < columns; c++)
	{
		const gs_finish *finish = &s->finish[stage][c];

		to->type[c] = (uint8_t) gs_finish_type(plan, finish);
		to->value[c] = calloc((size_t) to->rows + 1, sizeof(gs_value));
		to->null[c] = calloc((size_t) to->rows + 1, sizeof(bool));
		for (int64_t i = 0; i < to->rows; i++)
		{
			plan_cell	cell = plan_finish(plan, r, finish, i);

			*errors |= cell.errors;
			to->value[c][i] = cell.v;
			to->null[c][i] = cell.null;
		}
	}
}

/* Which ends with the first stage that has an error, and one behind it. */
static void
make_stages(plan_stages *s, int stages)
{
	for (int i = 0; s->wanted.summary.errors == 0; i++)
	{
		int			columns = i + 1 < stages ? choose_finishings(s, i + 1) : 0;
		plan_result r;
		plan_columns rows;

		plan_reference(s->c[i], 0, s->c[i]->rows, &r);
		s->stages = i + 1;
		s->last = i;
		if (i + 1 == stages || r.summary.errors != 0)
		{
			s->wanted = r;
			break;
		}
		make_rows(s, i + 1, &r, columns, &rows, &s->wanted.summary.errors);
		plan_result_free(&r);
		if (s->of_rows && s->wanted.summary.errors == 0 &&
			rows.rows <= WINDOW_ROWS && one_in(2))
			add_windows(s, i + 1, &rows, &s->wanted.summary.errors);
		s->c[i + 1] = plan_case_over(s->seed + (uint64_t) i + 1, &rows,
									 s->of_rows);
		s->stages = i + 2;
	}
}

plan_stages *
plan_stages_new(uint64_t seed, int64_t max_rows, bool of_rows)
{
	plan_stages *s = calloc(1, sizeof *s);

	s->seed = seed;
	s->of_rows = of_rows;
	s->c[0] = plan_case_new(seed, max_rows, of_rows);
	make_stages(s, one_in(20) ? GS_STAGES_MAX : 2 + (int) random_below(3));
	for (int i = 0; i < s->stages; i++)
	{
		s->stage[i].plan = s->c[i]->plan;
		s->stage[i].finish = i == 0 ? NULL : s->finish[i];
	}
	return s;
}

void
plan_stages_free(plan_stages *s)
{
	for (int i = 0; i < s->stages; i++)
		plan_case_free(s->c[i]);
	plan_result_free(&s->wanted);
	free(s);
}

bool
plan_stages_match(const plan_stages *s, int last, const plan_result *got)
{
	if (last == s->last)
		return plan_same_results(s->c[last], got, &s->wanted);
	printf("# seed %" PRIu64 ": ends with stage %d, not %d, of %d\n", s->seed,
		   last, s->last, s->stages);
	return false;
}

/* ----------
 * Running them
 * ----------
 */

/* The groups of a stage as the rows of the next. */
static const char *
collect(const plan_target *target, const plan_stages *s, int stage,
		gs_plan_run *run, gs_summary *summary, gs_relation *relation)
{
	const gs_plan *next = &s->stage[stage + 1].plan;
	size_t		size = gs_relation_size(next->column, next->columns,
										summary->groups);
	void	   *memory = aligned_alloc(64, (size + 64) & ~(size_t) 63);
	gs_finish_space *space = malloc(sizeof *space);
	gs_status	status = GS_OK;
	int64_t		n;

	/* what is not written must not matter */
	memset(memory, 0xa5, size);
	gs_relation_lay(relation, next->column, next->columns, summary->groups,
					memory);
	for (int64_t at = 0; at < summary->groups && status == GS_OK; at += n)
	{
		bool		threads = target->engine == &gs_plan_cpu && one_in(2);

		n = threads ? summary->groups :
			64 * (1 + random_below(one_in(2) ? 4 : GS_FINISH_GROUPS / 64));
		n = n < summary->groups - at ? n : summary->groups - at;
		status = (threads ? gs_cpu_finish_groups : gs_finish_groups)
			(target->engine, run, &s->stage[stage].plan, s->finish[stage + 1],
			 at, n, relation, space, &summary->errors);
	}
	if (status == GS_OK && summary->errors == 0 &&
		s->stage[stage + 1].windows != NULL)
		status = gs_windows_compute(s->stage[stage + 1].windows, next->column,
									relation, NULL, &summary->errors);
	free(space);
	if (relation->columns == 0)
		free(memory);
	return status == GS_OK ? NULL : "a relation cannot be made";
}

static const char *
feed_relation(const plan_target *target, gs_plan_run *run,
			  const gs_relation *relation)
{
	gs_batch	batch = {.n = relation->rows, .column = relation->column};

	return relation->rows == 0 ||
		target->engine->feed(run, &batch) == GS_OK ? NULL : "feed fails";
}

static void
release(const plan_target *target, gs_relation *relation)
{
	if (relation->memory != NULL)
		target->engine->relations->release(relation);
	else if (relation->columns > 0)
		free((void *) (uintptr_t) relation->column[0].values);
	memset(relation, 0, sizeof *relation);
}

/* The rows of the next stage, in the engine's memory if it makes them there. */
static const char *
make_relation(const plan_target *target, const plan_stages *s, int stage,
			  gs_plan_run *run, gs_summary *summary, gs_relation *relation)
{
	const gs_relation_engine *relations = target->engine->relations;
	gs_relation engines;
	const char *problem = collect(target, s, stage, run, summary, relation);

	if (problem != NULL || relations == NULL)
		return problem;
	problem = plan_relation_make(target, s, stage, run, relation,
								 summary->errors, &engines);
	if (problem != NULL || engines.memory == NULL)
		return problem;
	release(target, one_in(4) ? &engines : relation);
	if (engines.memory != NULL)
		*relation = engines;
	return problem;
}

/* A stage over what the one before has left, which is released. */
static const char *
run_stage(const plan_target *target, const plan_stages *s, int i,
		  gs_relation *relation, plan_result *r)
{
	gs_plan_run *run = NULL;
	plan_in_memory placed;
	const char *problem = NULL;

	if (!plan_place(&placed, &s->stage[i].plan, target->memory) ||
		target->engine->begin(&placed.plan, &run) != GS_OK)
		problem = "begin fails";
	else if (i == 0)
		problem = plan_feed(target, s->c[0], run);
	else if (relation->memory != NULL)
		problem = plan_relation_feed(target, run, relation);
	else
		problem = feed_relation(target, run, relation);
	release(target, relation);
	if (problem == NULL)
		problem = plan_take_results(target, s->c[i], run, s->c[i]->rows, r);
	if (problem == NULL && r->summary.errors == 0 && i < s->stages - 1)
		problem = make_relation(target, s, i, run, &r->summary, relation);
	if (run != NULL)
		target->engine->end(run);
	plan_unplace(&placed);
	return problem;
}

/* Run all; *last is the stage whose results these are. */
static const char *
run_stages(const plan_target *target, const plan_stages *s, int *last,
		   plan_result *r)
{
	gs_relation relation = {.rows = 0};
	const char *problem = NULL;

	if (s->stages == 1)
		return plan_run(target, s->c[0], 0, s->c[0]->rows, false, r);
	for (*last = 0;; ++*last)
	{
		problem = run_stage(target, s, *last, &relation, r);
		if (problem != NULL || r->summary.errors != 0 ||
			*last == s->stages - 1)
			break;
		plan_result_free(r);
	}
	release(target, &relation);
	return problem;
}

bool
plan_try_stages(const plan_target *target, uint64_t seed, int64_t max_rows,
				plan_tally *tally)
{
	plan_stages *s = plan_stages_new(seed, max_rows, target->of_rows);
	plan_result got = {0};
	int			last = 0;
	const char *problem;
	bool		good;

	random_seed(seed ^ 0x5eed);
	problem = gs_stages_check(s->stage, s->stages) != GS_OK ?
		"the stages are invalid" : run_stages(target, s, &last, &got);
	good = problem == NULL && plan_stages_match(s, last, &got);
	if (problem != NULL)
		printf("# seed %" PRIu64 ", stage %d: %s\n", seed, last, problem);
	tally->passed += good;
	tally->failed += !good;
	tally->errors += s->wanted.summary.errors != 0;
	tally->empty += s->wanted.summary.rows == 0;
	tally->groups += s->wanted.summary.groups;
	plan_result_free(&got);
	plan_stages_free(s);
	return good;
}
