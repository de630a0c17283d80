/*-------------------------------------------------------------------------
 *
 * merge.c
 *	  Merges the groups and states of two executions of a plan.
 *
 * The part's keys are looked up like those of rows, a tile at a time.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

/* The keys of a part's groups, as if rows had them. */
static void
load_keys(gs_plan_run *run, const gs_plan_run *part, int64_t at, int n)
{
	const group_keys *keys = &part->keys;

	for (int k = 0; k < keys->n; k++)
	{
		group_output *o = &run->output[run->keys.output[k]];
		const uint64_t *stored = (const uint64_t *) keys->stored[k].data + at;

		for (int i = 0; i < n; i++)
		{
			bool		null = keys->nulls.data[at + i] >> k & 1;

			gs_group_set_value(o->type, o->space->values, i,
							   gs_group_value_of(o->type, stored[i]));
			o->space->states[i] = null ? GS_STATE_NULL : 0;
		}
		o->vector.values = o->space->values;
		o->vector.states = o->space->states;
	}
}

/* The numbers in `run` of a part's groups. */
static gs_status
number_groups(gs_plan_run *run, const gs_plan_run *part, uint32_t *group)
{
	const int64_t groups = part->summary.groups;
	gs_status	status = GS_OK;

	for (int64_t at = 0; at < groups && status == GS_OK; at += GROUP_TILE)
	{
		int			n = groups - at < GROUP_TILE ? (int) (groups - at) :
			GROUP_TILE;

		load_keys(run, part, at, n);
		status = gs_group_number(run, n);
		if (status == GS_OK)
			memcpy(group + at, run->group, n * sizeof *group);
	}
	return status;
}

/* Add what a part has to an execution. */
gs_status
gs_group_merge(gs_plan_run *run, gs_plan_run *part)
{
	uint32_t   *group;
	gs_status	status;

	run->summary.rows += part->summary.rows;
	run->summary.errors |= part->summary.errors;
	if (run->summary.errors != 0)
		return GS_OK;
	if (run->plan->of_rows)
		return gs_group_merge_blocks(run, part);
	run->scratch[0] = group =
		gs_group_allocate((size_t) part->summary.groups, sizeof *group);
	if (group == NULL)
		return gs_group_no_memory(run);
	/* states that have had no rows may have no memory yet */
	status = gs_group_grow_states(part);
	if (status != GS_OK)
		return gs_group_no_memory(run);
	status = number_groups(run, part, group);
	if (status == GS_OK)
		status = gs_group_grow_states(run);
	for (int i = 0; i < run->plan->aggregates && status == GS_OK; i++)
		status = run->state[i].family->merge(run, &run->state[i], part,
											 &part->state[i], group);
	gs_group_free_scratch(run);
	return status;
}
