/*-------------------------------------------------------------------------
 *
 * values.c
 *	  States that need all of a group's values: percentiles, the mode, how many
 *	  values are different.
 *
 * The values are collected, as integers in their order (order.c), with
 * the numbers of their groups; once for all aggregates of the same argument.
 * At the end each group's values are moved together, and are sorted, or
 * selected from if nothing but percentiles is wanted.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

#define SIGN	(UINT64_C(1) << 63)

/* Values that are worked on between two pauses, at least: about 1 ms. */
#define PAUSE_INTERVAL	(INT64_C(1) << 16)

struct group_values
{
	int64_t		n;
	int64_t		room;
	uint32_t   *group;			/* of each value */
	uint64_t   *key;			/* the values; later memory to sort with */
	bool		sort;			/* selecting is not enough */

	/* finish */
	bool		moved;
	uint64_t   *sorted;			/* the values of group 0, of group 1, ... */
	int64_t    *start;			/* of each group; and the end */
	uint32_t   *counts;			/* for gs_cpu_select */
};

/* The values of an argument are the first such state's. */
static gs_status
begin_values(gs_plan_run *run, group_state *s)
{
	group_values *values;

	s->store.width = s->size;
	for (group_state *other = run->state; other < s; other++)
	{
		if (other->values != NULL && other->argument == s->argument)
			s->values = other->values;
	}
	s->owner = s->values == NULL;
	if (s->owner)
	{
		s->values = gs_group_zeros(1, sizeof *s->values);
		if (s->values == NULL)
			return gs_group_no_memory(run);
	}
	values = s->values;
	if (s->aggregate->kind != GS_AGG_PERCENTILE)
		values->sort = true;
	return GS_OK;
}

static gs_status
make_room(gs_plan_run *run, group_values *v, int64_t room)
{
	size_t		width = sizeof *v->group + sizeof *v->key;
	uint32_t   *group;
	uint64_t   *key;

	if (!gs_group_reserve((size_t) (room - v->room), width))
		return gs_group_no_memory(run);
	group = realloc(v->group, room * sizeof *group);
	if (group == NULL)
		return gs_group_no_memory(run);
	v->group = group;
	key = realloc(v->key, room * sizeof *key);
	if (key == NULL)
		return gs_group_no_memory(run);
	v->key = key;
	v->room = room;
	return GS_OK;
}

static gs_status
add_values(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	group_values *v = s->values;

	if (!s->owner)
		return GS_OK;
	if (v->n + rows->n > v->room)
	{
		gs_status	status = make_room(run, v, 2 * v->room + 8 * GROUP_TILE);

		if (status != GS_OK)
			return status;
	}
	memcpy(v->group + v->n, rows->group, rows->n * sizeof *v->group);
	gs_group_order_keys(s->type, rows->a, rows->n, false, v->key + v->n);
	v->n += rows->n;
	return GS_OK;
}

/* The part's memory is freed at once: the values may be many. */
static gs_status
merge_values(gs_plan_run *run, group_state *s, gs_plan_run *part,
			 group_state *from, const uint32_t *group)
{
	group_values *v = s->values;
	group_values *more = from->values;

	(void) part;
	if (!s->owner)
		return GS_OK;
	if (v->n + more->n > v->room)
	{
		gs_status	status = make_room(run, v, v->n + more->n);

		if (status != GS_OK)
			return status;
	}
	for (int64_t i = 0; i < more->n; i++)
		v->group[v->n + i] = group[more->group[i]];
	if (more->n > 0)
		memcpy(v->key + v->n, more->key, (size_t) more->n * sizeof *v->key);
	v->n += more->n;
	free(more->group);
	free(more->key);
	more->group = NULL;
	more->key = NULL;
	return GS_OK;
}

/* Pause after so much work. */
static void
worked(int64_t *work, int64_t more)
{
	*work += more;
	if (*work < PAUSE_INTERVAL)
		return;
	*work = 0;
	gs_cpu_pause();
}

/* Move the values of each group together. */
static gs_status
move_together(gs_plan_run *run, group_values *v)
{
	int64_t		groups = run->summary.groups;
	int64_t		most = 0;
	int64_t		work = 0;

	v->sorted = gs_group_allocate((size_t) v->n, sizeof *v->sorted);
	v->start = gs_group_long_zeros(run, (size_t) groups + 2, sizeof *v->start);
	if (v->sorted == NULL || v->start == NULL)
		return gs_group_no_memory(run);
	/* one place on, so that each group's end becomes its start */
	for (int64_t i = 0; i < v->n; i++)
	{
		v->start[v->group[i] + 2]++;
		worked(&work, 1);
	}
	for (int64_t g = 0; g < groups; g++)
	{
		most = v->start[g + 2] > most ? v->start[g + 2] : most;
		v->start[g + 2] += v->start[g + 1];
	}
	for (int64_t i = 0; i < v->n; i++)
	{
		v->sorted[v->start[v->group[i] + 1]++] = v->key[i];
		worked(&work, 1);
	}
	v->counts = gs_group_zeros(gs_cpu_select_counts(most) + 1,
							   sizeof *v->counts);
	if (v->counts == NULL || most > INT32_MAX)
		return gs_group_no_memory(run);
	v->moved = true;
	return GS_OK;
}

static cpu_keys
keys_of_group(group_values *v, int64_t group)
{
	cpu_keys	keys = {
		.width = sizeof(uint64_t),
		.n = v->start[group + 1] - v->start[group],
		.key = v->sorted + v->start[group],
		.other_key = v->key + v->start[group],
		.counts = v->counts
	};

	return keys;
}

/* The sort may have left the keys in the other memory. */
static void
put_back(group_values *v, int64_t group, const cpu_keys *keys)
{
	uint64_t   *place = v->sorted + v->start[group];

	if (keys->key != place)
		memcpy(place, keys->key, keys->n * sizeof *place);
}

static void
sort_groups(gs_plan_run *run, group_values *v)
{
	int64_t		work = 0;

	for (int64_t g = 0; g < run->summary.groups; g++)
	{
		cpu_keys	keys = keys_of_group(v, g);

		if (keys.n > 1)
		{
			gs_cpu_sort(&keys);
			put_back(v, g, &keys);
		}
		worked(&work, keys.n + 1);
	}
}

static void
find_percentile(group_state *s, int64_t group)
{
	gs_value   *result = (gs_value *) s->store.data + 2 * group;
	cpu_keys	keys = keys_of_group(s->values, group);
	double		place = s->aggregate->fraction * (double) (keys.n - 1);
	int64_t		low = (int64_t) place;
	int64_t		high = (double) low < place ? low + 1 : low;
	const uint64_t *found;

	keys.sorted = s->values->sort;
	found = gs_cpu_select(&keys, low, high - low + 1);
	result[0] = gs_group_value_of(s->type, found[0]);
	result[1] = gs_group_value_of(s->type, found[high - low]);
	if (!s->values->sort)
		put_back(s->values, group, &keys);
}

/* -0 and 0 are one value for the mode, and for what is different. */
static uint64_t
as_one_zero(const group_state *s, uint64_t key)
{
	return key == SIGN - 1 && (s->type == GS_FLOAT4 || s->type == GS_FLOAT8) ?
		SIGN : key;
}

/* The mode, and how many runs of equal values there are. */
static void
find_runs(group_state *s, int64_t group)
{
	cpu_keys	keys = keys_of_group(s->values, group);
	const uint64_t *key = keys.key;
	int64_t		runs = 0;
	int64_t		longest = 0;
	uint64_t	mode = 0;

	for (int64_t from = 0, to; from < keys.n; from = to)
	{
		uint64_t	value = as_one_zero(s, key[from]);

		to = from + 1;
		while (to < keys.n && as_one_zero(s, key[to]) == value)
			to++;
		runs++;
		if (to - from > longest)
		{
			longest = to - from;
			mode = value;
		}
	}
	if (s->aggregate->kind == GS_AGG_DISTINCT)
		((int64_t *) s->store.data)[group] = runs;
	else
		((gs_value *) s->store.data)[group] = gs_group_value_of(s->type, mode);
}

static gs_status
finish_values(gs_plan_run *run, group_state *s)
{
	group_values *v = s->values;
	int64_t		work = 0;

	if (!v->moved)
	{
		gs_status	status = move_together(run, v);

		if (status != GS_OK)
			return status;
		if (v->sort)
			sort_groups(run, v);
	}
	for (int64_t g = 0; g < run->summary.groups; g++)
	{
		int64_t		n = v->start[g + 1] - v->start[g];

		worked(&work, n + 1);
		if (n == 0)
			continue;
		if (s->aggregate->kind == GS_AGG_PERCENTILE)
			find_percentile(s, g);
		else
			find_runs(s, g);
	}
	return GS_OK;
}

static void
fetch_values(gs_plan_run *run, group_state *s, int64_t place, void *to)
{
	memcpy(to, s->store.data + gs_group_at(run, place) * s->size, s->size);
}

static void
end_values(group_state *s)
{
	if (!s->owner)
		return;
	free(s->values->group);
	free(s->values->key);
	free(s->values->sorted);
	free(s->values->start);
	free(s->values->counts);
	free(s->values);
}

const group_family gs_group_sorted = {
	.begin = begin_values,
	.add = add_values,
	.merge = merge_values,
	.finish = finish_values,
	.fetch = fetch_values,
	.end = end_values,
};
