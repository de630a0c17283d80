/*-------------------------------------------------------------------------
 *
 * cpu_map.c
 *	  The result of a plan's instruction for every row.
 *
 * An execution of the plan (cpu_group.h) that has no more than its columns and
 * instructions, and one output: the result.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/cpu_group.h"
#include "engine/map.h"

#include <stdlib.h>

#if GS_MAP_TILE > GROUP_TILE
#error "a tile of a map must be one of the program"
#endif

struct gs_map
{
	gs_operand	result;
	gs_group_run run;
};

gs_status
gs_map_begin(const gs_plan *plan, gs_operand result, gs_map **map)
{
	gs_map	   *m = calloc(1, sizeof *m);

	*map = m;
	if (m == NULL)
		return GS_NO_MEMORY;
	m->result = result;
	m->run.plan = plan;
	if (gs_plan_check(plan) != GS_OK)
		return GS_INVALID;
	m->run.outputs = 1;
	m->run.output[0].operand = result;
	return gs_group_compile(&m->run);
}

gs_status
gs_map_feed(gs_map *map, const gs_batch *batch)
{
	gs_status	status = gs_group_check_batch(&map->run, batch);

	if (status == GS_OK)
		gs_group_start_batch(&map->run, batch);
	return status;
}

/* The first error among the states, if there is one. */
static gs_map_error
find_error(gs_type type, const group_vector *v, int n)
{
	gs_map_error error = {0, 0, false};
	uint8_t		all = 0;

	for (int i = 0; i < n; i++)
		all |= v->states[i];
	if (!(all & GS_STATE_ERRORS))
		return error;
	while (!(v->states[error.row] & GS_STATE_ERRORS))
		error.row++;
	error.errors = v->states[error.row] & GS_STATE_ERRORS;
	if (type == GS_FLOAT4)
		error.zero = ((const float *) v->values)[error.row] == 0;
	else if (type == GS_FLOAT8)
		error.zero = ((const double *) v->values)[error.row] == 0;
	return error;
}

static void
make_canonical(gs_type type, void *values, int64_t n)
{
	if (type == GS_FLOAT4)
	{
		const float nan = (float) gs_canonical_nan();
		float	   *v = values;

		for (int64_t i = 0; i < n; i++)
			v[i] = v[i] != v[i] ? nan : v[i];
	}
	else if (type == GS_FLOAT8)
	{
		const double nan = gs_canonical_nan();
		double	   *v = values;

		for (int64_t i = 0; i < n; i++)
			v[i] = v[i] != v[i] ? nan : v[i];
	}
}

gs_map_error
gs_map_tile(gs_map *map, int64_t at, int n, gs_output *out)
{
	const gs_type type = gs_operand_type(map->run.plan, map->result);
	const int	width = gs_type_width(type);
	uint8_t		flags[GROUP_TILE];
	gs_map_error error = {0, 0, false};
	group_vector v;

	gs_group_load(&map->run, at, n);
	gs_group_execute(&map->run, n);
	v = gs_group_vector(&map->run, map->result);
	out->n = n;
	out->present = n;
	if (v.states == NULL)
		memcpy(out->values, v.values, (size_t) n * width);
	else
	{
		error = find_error(type, &v, n);
		for (int i = 0; i < n; i++)
			flags[i] = v.states[i] == 0;
		out->present = gs_cpu_pack(v.values, flags, n, width, out->values);
		gs_cpu_flags_to_bits(flags, n, out->validity, 0);
	}
	make_canonical(type, out->values, out->present);
	return error;
}

void
gs_map_end(gs_map *map)
{
	if (map == NULL)
		return;
	gs_group_end_program(&map->run);
	free(map);
}
