/*-------------------------------------------------------------------------
 *
 * finish.c
 *	  From the states of groups to values, by several threads.
 *
 * A thread takes some groups at a time (gs_finish_groups), and has a relation of
 * its own, whose columns are the caller's but for the ranges that it finds.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"
#include "engine/finish.h"

#include <stdatomic.h>
#include <stdlib.h>

/* What the threads share. */
typedef struct finish_job
{
	const gs_plan_engine *engine;
	gs_plan_run *run;
	const gs_plan *plan;
	const gs_finish *finish;
	int64_t		end;
	_Atomic int64_t next;
} finish_job;

typedef struct finish_thread
{
	finish_job *job;
	gs_relation relation;
	gs_finish_space *space;
	uint32_t	errors;
	gs_status	status;
} finish_thread;

static void
finish_next_groups(finish_thread *t)
{
	finish_job *job = t->job;
	int64_t		at;

	while (t->status == GS_OK &&
		   (at = atomic_fetch_add(&job->next, GS_FINISH_GROUPS)) < job->end)
		t->status = gs_finish_groups(job->engine, job->run, job->plan,
									 job->finish, at, job->end - at <
									 GS_FINISH_GROUPS ? job->end - at :
									 GS_FINISH_GROUPS, &t->relation, t->space,
									 &t->errors);
}

static void
help(void *state, int helper)
{
	finish_next_groups((finish_thread *) state + 1 + helper);
}

/* A thread's ranges, errors and status become the caller's, too. */
static void
take_results(const finish_thread *t, gs_relation *relation, uint32_t *errors,
			 gs_status *status)
{
	for (int c = 0; c < relation->columns; c++)
	{
		const gs_column_data *from = &t->relation.column[c];
		gs_column_data *to = &relation->column[c];

		to->low = from->low < to->low ? from->low : to->low;
		to->high = from->high > to->high ? from->high : to->high;
	}
	*errors |= t->errors;
	if (*status == GS_OK)
		*status = t->status;
}

gs_status
gs_cpu_finish_groups(const gs_plan_engine *engine, gs_plan_run *run,
					 const gs_plan *plan, const gs_finish *finish,
					 int64_t first, int64_t n, gs_relation *relation,
					 gs_finish_space *space, uint32_t *errors)
{
	int			taken = gs_cpu_take_helpers((int) ((n - 1) / GS_FINISH_GROUPS));
	finish_thread *thread = calloc((size_t) taken + 1, sizeof *thread);
	finish_job	job = {
		.engine = engine, .run = run, .plan = plan, .finish = finish,
		.end = first + n, .next = first
	};
	gs_status	status = GS_OK;
	cpu_helpers helpers;
	int			threads = 0;

	for (; thread != NULL && threads <= taken; threads++)
	{
		thread[threads] = (finish_thread) {
			.job = &job, .relation = *relation,
			.space = threads == 0 ? space : malloc(sizeof *space)
		};
		if (thread[threads].space == NULL)
			break;
	}
	if (threads == 0)
	{
		gs_cpu_give_helpers(taken);
		return GS_NO_MEMORY;
	}
	gs_cpu_start_helpers(&helpers, threads - 1, help, thread);
	finish_next_groups(&thread[0]);
	gs_cpu_join_helpers(&helpers);
	gs_cpu_give_helpers(taken);
	for (int i = 0; i < threads; i++)
	{
		take_results(&thread[i], relation, errors, &status);
		if (i > 0)
			free(thread[i].space);
	}
	free(thread);
	return status;
}
