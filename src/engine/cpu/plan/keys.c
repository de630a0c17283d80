/*-------------------------------------------------------------------------
 *
 * keys.c
 *	  The keys of groups, as stored.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

gs_status
gs_group_begin_keys(gs_plan_run *run)
{
	group_keys *keys = &run->keys;

	keys->n = run->plan->keys;
	keys->can_be_dense = true;
	keys->nulls.width = sizeof(uint8_t);
	for (int k = 0; k < keys->n; k++)
	{
		gs_type		type = run->output[keys->output[k]].type;

		keys->type[k] = type;
		keys->stored[k].width = sizeof(uint64_t);
		if (type == GS_FLOAT4 || type == GS_FLOAT8)
			keys->can_be_dense = false;
		keys->tile[k] = gs_group_zeros(GROUP_TILE, sizeof(uint64_t));
		if (keys->tile[k] == NULL)
			return gs_group_no_memory(run);
	}
	keys->hash = gs_group_zeros(GROUP_TILE, sizeof(uint64_t));
	keys->tile_nulls = gs_group_zeros(GROUP_TILE, sizeof(uint8_t));
	if (keys->hash == NULL || keys->tile_nulls == NULL)
		return gs_group_no_memory(run);
	keys->dense = keys->can_be_dense;
	run->summary.groups = keys->n == 0 && !run->plan->of_rows;
	return GS_OK;
}

void
gs_group_end_keys(gs_plan_run *run)
{
	group_keys *keys = &run->keys;

	for (int k = 0; k < GS_PLAN_KEYS; k++)
	{
		free(keys->stored[k].data);
		free(keys->tile[k]);
	}
	free(keys->nulls.data);
	free(keys->table);
	free(keys->entry);
	free(keys->hash);
	free(keys->tile_nulls);
}

/* A new group, with the keys of a row; there is room.  Returns its number. */
uint32_t
gs_group_new(gs_plan_run *run, int row)
{
	group_keys *keys = &run->keys;
	uint32_t	group = (uint32_t) run->summary.groups++;
	uint8_t		nulls = 0;

	for (int k = 0; k < keys->n; k++)
	{
		group_vector v = run->output[keys->output[k]].vector;
		int			width = gs_type_width(keys->type[k]);
		uint64_t	key = 0;

		if (v.states != NULL && v.states[row] != 0)
			nulls |= (uint8_t) (1u << k);
		else
			gs_group_order_keys(keys->type[k],
								(const uint8_t *) v.values + row * width, 1,
								true, &key);
		((uint64_t *) keys->stored[k].data)[group] = key;
	}
	keys->nulls.data[group] = nulls;
	return group;
}
