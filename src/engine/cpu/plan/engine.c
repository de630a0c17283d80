/*-------------------------------------------------------------------------
 *
 * engine.c
 *	  The CPU engine for plans: its interface.
 *
 * gs_engine_pause may jump out of feed, finish and fetch, to code that calls
 * end.  So whatever is allocated there is kept in the execution before a pause.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

static const group_family *
family_of(const gs_aggregate *a, gs_type type)
{
	switch (a->kind)
	{
		case GS_AGG_COUNT:
			return &gs_group_counts;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			return type == GS_FLOAT4 || type == GS_FLOAT8 ?
				&gs_group_float_sums : &gs_group_integer_sums;
		case GS_AGG_MIN:
		case GS_AGG_MAX:
			return &gs_group_extremes;
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
		case GS_AGG_BIT_XOR:
			return &gs_group_bits;
		case GS_AGG_SPECIALS:
			return &gs_group_specials;
		case GS_AGG_HISTOGRAM:
			return &gs_group_histograms;
		default:
			return &gs_group_sorted;
	}
}

static gs_status
begin_state(gs_plan_run *run, int i)
{
	group_state *s = &run->state[i];

	s->aggregate = &run->plan->aggregate[i];
	s->size = gs_state_size(run->plan, i);
	if (s->aggregate->a != GS_NOTHING)
		s->type = gs_operand_type(run->plan, s->aggregate->a);
	s->family = family_of(s->aggregate, s->type);
	return s->family->begin(run, s);
}

gs_status
gs_group_begin(const gs_plan *plan, gs_plan_run **result)
{
	gs_plan_run *run = calloc(1, sizeof *run);
	gs_status	status;

	*result = run;
	if (run == NULL)
		return GS_NO_MEMORY;
	run->plan = plan;
	if (gs_plan_check(plan) != GS_OK)
		return gs_group_fail(run, GS_INVALID, "invalid plan");
	status = gs_group_plan_rows(run);
	if (status == GS_OK)
		status = gs_group_compile(run);
	if (status == GS_OK)
		gs_group_plan_prefilter(run);
	if (status == GS_OK)
		status = gs_group_begin_keys(run);
	for (int i = 0; i < plan->aggregates && !plan->of_rows &&
		 status == GS_OK; i++)
		status = begin_state(run, i);
	return status;
}

/* Groups between the one that is fetched and the one that is prepared. */
#define AHEAD	24

#define INLINE	static inline __attribute__((always_inline))

/* Are n rows of one group? */
static bool
is_uniform(const uint32_t *group, int n)
{
	uint32_t	differ = 0;

	if (group[0] != group[n - 1])
		return false;
	for (int i = 0; i < n; i++)
		differ |= group[i] ^ group[0];
	return differ == 0;
}

/* Room in the states for the groups that there are now. */
gs_status
gs_group_grow_states(gs_plan_run *run)
{
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		group_state *s = &run->state[i];

		if (!gs_group_store_grow(run, &s->store, run->summary.groups) ||
			!gs_group_store_grow(run, &s->present, run->summary.groups))
			return gs_group_no_memory(run);
	}
	return GS_OK;
}

static gs_status
feed_tile(gs_plan_run *run, const gs_batch *batch, int64_t at, int n)
{
	int64_t		next = at + n;
	int			ahead = batch->n - next < GROUP_TILE ?
		(int) (batch->n - next) : GROUP_TILE;
	int			selected;
	bool		packed;
	bool		uniform;
	gs_status	status;

	run->worked += n;
	gs_group_load(run, at, n);
	gs_group_fetch_ahead(run, next, ahead, 0);
	n = gs_group_prefilter(run, batch, at, n, &packed);
	if (n == 0)
		return GS_OK;
	gs_group_execute(run, n);
	gs_group_fetch_ahead(run, next, ahead, 1);
	selected = gs_group_select(run, batch, at, n, packed);
	if (run->slices > 0)
		selected = gs_group_select_slice(run, n, selected);
	if (selected == 0)
		return GS_OK;
	run->summary.rows += selected;
	if (run->plan->of_rows)
		return gs_group_append(run, at, n, selected);
	gs_group_pack(run, n, selected);
	gs_group_fetch_ahead(run, next, ahead, 2);
	status = gs_group_number(run, selected);
	gs_group_fetch_ahead(run, next, ahead, 3);
	if (status == GS_OK)
		status = gs_group_grow_states(run);
	if (status != GS_OK)
		return status;
	uniform = is_uniform(run->group, selected);
	for (int i = 0; i < run->arguments; i++)
		gs_group_pack_argument(run, &run->argument[i], selected, uniform);
	for (int i = 0; i < run->plan->aggregates && status == GS_OK; i++)
	{
		group_state *s = &run->state[i];
		const group_rows *rows = &run->argument[s->argument].rows;

		if (rows->n > 0)
			status = s->family->add(run, s, rows);
	}
	return status;
}

/* Rows `at` to end - 1 of the batch that has been started. */
gs_status
gs_group_feed_rows(gs_plan_run *run, const gs_batch *batch, int64_t at,
				   int64_t end)
{
	gs_status	status = GS_OK;

	run->blocks.chunk++;
	for (; at < end && status == GS_OK; at += GROUP_TILE)
		status = feed_tile(run, batch, at, end - at < GROUP_TILE ?
						   (int) (end - at) : GROUP_TILE);
	return status;
}

static gs_status
plan_feed(gs_plan_run *run, const gs_batch *batch)
{
	gs_status	status = gs_group_check_batch(run, batch);
	int64_t		end;

	if (status != GS_OK)
		return status;
	run->blocks.base = run->rows;
	run->rows += batch->n;
	gs_group_start_batch(run, batch);
	for (int64_t at = 0; at < batch->n && status == GS_OK; at = end)
	{
		int			helpers = gs_group_helpers(run, batch->n - at);

		end = helpers > 0 || batch->n - at < gs_group_sharing.chunk ?
			batch->n : at + gs_group_sharing.chunk;
		if (helpers > 0)
			status = gs_group_share(run, batch, at, helpers);
		else
			status = gs_group_feed_rows(run, batch, at, end);
	}
	gs_group_end_batch(run);
	return status;
}

static gs_status
merge_parts(gs_plan_run *run)
{
	gs_status	status = GS_OK;

	for (int i = 0; i < GS_ENGINE_THREADS_MAX - 1 && status == GS_OK; i++)
	{
		if (run->part[i] == NULL)
			continue;
		status = gs_group_merge(run, run->part[i]);
		gs_group_end(run->part[i]);
		run->part[i] = NULL;
	}
	return status;
}

static bool
merges(const gs_plan *plan)
{
	(void) plan;
	return true;
}

/* The part's rows come behind those that there are. */
static gs_status
plan_merge(gs_plan_run *run, gs_plan_run *part)
{
	gs_status	status = merge_parts(run);

	if (status == GS_OK && merge_parts(part) != GS_OK)
		status = gs_group_fail(run, part->error.status, part->error.message);
	if (status != GS_OK)
		return status;
	for (int64_t i = 0; i < part->blocks.pieces; i++)
		part->blocks.piece[i].place += run->rows;
	run->rows += part->rows;
	return gs_group_merge(run, part);
}

static void
plan_slice(gs_plan_run *run, gs_operand by, int slices, int slice)
{
	run->by = by;
	run->slices = slices;
	run->slice = slice;
}

static gs_status
finish_states(gs_plan_run *run)
{
	gs_status	status = gs_group_grow_states(run);

	if (status == GS_OK)
		status = gs_group_sort(run);
	for (int i = 0; i < run->plan->aggregates && status == GS_OK; i++)
	{
		group_state *s = &run->state[i];

		if (s->family->finish != NULL)
			status = s->family->finish(run, s);
	}
	return status;
}

static gs_status
plan_finish(gs_plan_run *run, gs_summary *summary)
{
	gs_status	status = merge_parts(run);

	if (run->summary.errors != 0)
		run->summary.groups = run->summary.rows = 0;
	else if (status == GS_OK && run->plan->of_rows)
	{
		gs_group_order_pieces(run);
		run->summary.groups = run->summary.rows;
	}
	else if (status == GS_OK)
		status = finish_states(run);
	if (status == GS_OK)
	{
		run->finished = true;
		*summary = run->summary;
	}
	return status;
}

/* How many elements the column has. */
static int64_t
column_length(const gs_plan_run *run, int column)
{
	int			at = column - GS_FETCH_STATE(0);

	if (column < GS_FETCH_STATE(0) || at % 2 == 0)
		return run->summary.groups;
	if (run->plan->of_rows)
		return GS_VALIDITY_ROWS(run->summary.groups);
	return run->summary.groups == 0 ? 0 :
		gs_group_wide_sums(&run->state[at / 2]);
}

/* An element of a column. */
static void
fetch_one(gs_plan_run *run, int column, int64_t place, uint8_t *to)
{
	const group_keys *keys = &run->keys;
	int			at = column - GS_FETCH_STATE(0);

	if (column >= GS_FETCH_STATE(0))
	{
		group_state *s = &run->state[at / 2];

		if (at % 2 == 0)
			s->family->fetch(run, s, place, to);
		else
			gs_group_fetch_wide(run, s, place, to);
	}
	else
	{
		uint32_t	group = gs_group_at(run, place);
		uint8_t		nulls = keys->n == 0 ? 0 : keys->nulls.data[group];
		gs_value	value;

		value.i8 = 0;
		if (column == GS_FETCH_NULLS)
		{
			*to = nulls;
			return;
		}
		if (!(nulls >> column & 1))
			value = gs_group_value_of(keys->type[column],
									  ((const uint64_t *)
									   keys->stored[column].data)[group]);
		memcpy(to, &value, sizeof value);
	}
}

/*
 * Groups are in another order than memory: load what will be needed.  gcc
 * leaves out a call of a function that does nothing else.
 */
INLINE void
fetch_ahead(const gs_plan_run *run, int column, int64_t place)
{
	int			at = column - GS_FETCH_STATE(0);
	uint32_t	group;

	if (run->order == NULL || (at > 0 && at % 2 == 1))
		return;
	group = run->order[place];
	if (at >= 0)
	{
		const group_state *s = &run->state[at / 2];

		__builtin_prefetch(s->store.data + group * s->store.width);
		__builtin_prefetch(s->present.data + group * s->present.width);
	}
	else
	{
		if (column < GS_FETCH_NULLS)
			__builtin_prefetch(run->keys.stored[column].data +
							   group * sizeof(uint64_t));
		__builtin_prefetch(run->keys.nulls.data + group);
	}
}

static gs_status
plan_fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	size_t		width = gs_fetch_width(run->plan, column);
	int64_t		length;

	if (!run->finished || width == 0)
		return gs_group_fail(run, GS_INVALID, "no such results");
	length = column_length(run, column);
	if (first < 0 || n < 0 || first > length || n > length - first)
		return gs_group_fail(run, GS_INVALID, "not so many results");
	if (run->plan->of_rows)
	{
		gs_group_fetch_rows(run, column, first, n, to);
		return GS_OK;
	}
	for (int64_t i = 0; i < n; i++)
	{
		if (i % GROUP_PAUSE == 0)
			gs_cpu_pause();
		if (i + AHEAD < n)
			fetch_ahead(run, column, first + i + AHEAD);
		fetch_one(run, column, first + i, (uint8_t *) to + (size_t) i * width);
	}
	return GS_OK;
}

static const gs_error *
error(const gs_plan_run *run)
{
	return &run->error;
}

void
gs_group_end(gs_plan_run *run)
{
	if (run == NULL)
		return;
	for (int i = 0; i < GS_ENGINE_THREADS_MAX - 1; i++)
		gs_group_end(run->part[i]);
	for (int i = 0; i < GS_PLAN_AGGREGATES; i++)
	{
		group_state *s = &run->state[i];

		if (s->family != NULL && s->family->end != NULL)
			s->family->end(s);
		free(s->store.data);
		free(s->present.data);
	}
	gs_group_end_blocks(run);
	gs_group_end_keys(run);
	gs_group_end_rows(run);
	gs_group_end_program(run);
	gs_group_free_scratch(run);
	free(run->order);
	free(run->fresh);
	free(run);
}

const gs_plan_engine gs_plan_cpu = {
	.name = "cpu",
	.begin = gs_group_begin,
	.feed = plan_feed,
	.finish = plan_finish,
	.fetch = plan_fetch,
	.error = error,
	.end = gs_group_end,
	.merges = merges,
	.merge = plan_merge,
	.slice = plan_slice,
	.range = gs_group_range,
	.scatter = gs_group_scatter,
};
