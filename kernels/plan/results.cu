/*-------------------------------------------------------------------------
 *
 * results.cu
 *	  The end of an execution: its groups in order, the states that their
 *	  records make, and how these come to the host.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/run.cuh"

/* Results are fetched so many bytes at a time. */
#define FETCH_BYTES		(8 << 20)

/* Put the groups in order, and report on all. */
cudaError_t
group_order(gs_plan_run *run)
{
	return group_keys_order(&run->keys, (int64_t *) run->records.at,
							run->layout.words, reported_of(run), &run->at_end,
							run->context);
}

/* Number the wide sums of each action that has accumulators in use. */
static cudaError_t
finish_wide(gs_plan_run *run, const uint32_t *used)
{
	const group_records records = records_of(run);
	const uint32_t *order = (const uint32_t *) run->keys.ids.at;

	for (int i = 0; i < run->layout.actions; i++)
	{
		group_memory *number = &run->wide_number[i];

		if (!group_adds_floats(&run->layout.action[i]) || used[i] == 0)
			continue;
		GS_TRY(group_reserve(number, run->results * sizeof(uint32_t), stream_of(run)));
		GS_TRY(group_merge_wide(&run->layout.action[i], &records, order,
								run->results, (uint32_t *) number->at,
								&run->scratch, stream_of(run)));
		GS_TRY(group_report(run->context, (uint32_t *) number->at +
							run->results - 1, sizeof(uint32_t)));
		run->wide[i] = *(uint32_t *) run->context->report;
	}
	return cudaSuccess;
}

/* Does no later aggregate need the same values? */
static bool
is_last(gs_plan_run *run, int aggregate)
{
	for (int i = aggregate + 1; i < run->plan->aggregates; i++)
	{
		if (run->layout.of_aggregate[i] < 0 &&
			group_values_of(run, i) == group_values_of(run, aggregate))
			return false;
	}
	return true;
}

static cudaError_t
finish_values(gs_plan_run *run)
{
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		const gs_aggregate *aggregate = &run->plan->aggregate[i];

		if (run->layout.of_aggregate[i] >= 0)
			continue;
		GS_TRY(group_reserve(&run->states[i], run->groups *
							 gs_state_size(run->plan, i), stream_of(run)));
		GS_TRY(group_values_finish(group_values_of(run, i), aggregate,
								   gs_operand_type(run->plan, aggregate->a),
								   run->groups, run->states[i].at,
								   run->context));
		GS_TRY(cudaStreamSynchronize(stream_of(run)));
		if (is_last(run, i))
			group_values_free(group_values_of(run, i));
	}
	return cudaSuccess;
}

static cudaError_t
results_finish(gs_plan_run *run)
{
	group_reported *reported = &run->at_end;

	/* a plan without keys gives a group even if there were no rows */
	if (run->groups == 0 && run->plan->keys == 0 && !run->plan->of_rows)
	{
		run->keys.groups = 1;
		GS_TRY(group_reserve_records(run));
	}
	if (run->groups > 0 && !run->ordered)
		GS_TRY(group_order(run));
	else if (run->groups == 0)
	{
		GS_TRY(group_report(run->context, reported_of(run), sizeof *reported));
		memcpy(reported, run->context->report, sizeof *reported);
	}
	run->results = reported->groups;
	if (run->plan->of_rows)
	{
		run->results = run->found.n;
		reported->rows = (unsigned long long) run->found.n;
		return cudaSuccess;
	}
	for (int i = 0; i < run->layout.actions; i++)
		run->layout.action[i].unit = group_unit_of(reported->window[i]);
	if (reported->errors != 0 || reported->flags != 0 || run->results == 0)
		return cudaSuccess;
	GS_TRY(finish_values(run));
	return finish_wide(run, reported->wide);
}

gs_status
group_finish(gs_plan_run *run, gs_summary *summary)
{
	gs_status	status = group_outcome(run, results_finish(run));
	const group_reported *reported = &run->at_end;

	memset(summary, 0, sizeof *summary);
	if (status != GS_OK)
		return status;
	if (reported->errors == 0 && (reported->flags & GROUP_FLAG_FULL) != 0)
		return group_fail(run, GS_NO_MEMORY,
					"too many groups whose sums span a wide range");
	summary->errors = reported->errors;
	summary->groups = reported->errors != 0 ? 0 : run->results;
	summary->rows = reported->errors != 0 ? 0 : (int64_t) reported->rows;
	run->finished = true;
	return GS_OK;
}

/* Put results `first` to first + n - 1 of a column into device memory. */
static cudaError_t
make_results(gs_plan_run *run, int column, int64_t first, int64_t n,
			 size_t width, char *to)
{
	const gs_plan *plan = run->plan;
	const uint32_t *order = (const uint32_t *) run->keys.ids.at;
	const group_records g = records_of(run);
	int			aggregate;
	int			action;

	if (column < GS_FETCH_NULLS)
		return group_keys_fetch(&run->keys, column,
								gs_operand_type(plan, plan->key[column]),
								order + first, n, (gs_value *) to,
								stream_of(run));
	if (column == GS_FETCH_NULLS)
		return group_keys_fetch_nulls(&run->keys, order + first, n,
									  (uint8_t *) to, stream_of(run));
	aggregate = (column - GS_FETCH_STATE(0)) / 2;
	action = run->layout.of_aggregate[aggregate];
	if (action < 0)
		return group_gather((int64_t *) run->states[aggregate].at,
							order + first, n, (int) (width / 8),
							(int64_t *) to, stream_of(run));
	if (column == GS_FETCH_STATE(aggregate))
		return group_states(&run->layout.action[action], &g, order, run->wide[action] == 0 ?
							NULL : (uint32_t *) run->wide_number[action].at,
							first, n, width, to, stream_of(run));
	return group_wide_sums(&run->layout.action[action], &g, order,
						   run->results,
						   (uint32_t *) run->wide_number[action].at,
						   first, n, to, stream_of(run));
}

/* Is it GS_FETCH_WIDE of some aggregate? */
static bool
is_wide(int column)
{
	return column > GS_FETCH_STATE(0) &&
		(column - GS_FETCH_STATE(0)) % 2 != 0;
}

/* How many results a column has. */
static int64_t
column_length(const gs_plan_run *run, int column)
{
	int			aggregate = (column - GS_FETCH_STATE(0)) / 2;

	if (!is_wide(column))
		return run->results;
	return run->layout.of_aggregate[aggregate] < 0 ? 0 :
		run->wide[run->layout.of_aggregate[aggregate]];
}

/* Copy results from device memory, and wait for them. */
static cudaError_t
copy_results(gs_plan_run *run, void *to, size_t size)
{
	GS_TRY(cudaMemcpyAsync(to, run->scratch.at, size, cudaMemcpyDeviceToHost,
						   stream_of(run)));
	return cudaStreamSynchronize(stream_of(run));
}

/*
 * Few results are all made and copied at once, into pinned memory, since a
 * wait costs more than they do.
 */
static cudaError_t
fetch_few(gs_plan_run *run)
{
	const gs_plan *plan = run->plan;
	size_t		size = 0;

	for (int c = 0; c < GS_FETCH_STATE(plan->aggregates); c++)
	{
		run->few_at[c] = size;
		if (!is_wide(c))
			size += gs_aligned(run->results * gs_fetch_width(plan, c));
	}
	if (size > GS_BOUNCE_SIZE)
		return cudaSuccess;
	GS_TRY(group_reserve(&run->scratch, size, stream_of(run)));

	/* what is between the columns is copied, too */
	GS_TRY(cudaMemsetAsync(run->scratch.at, 0, size, stream_of(run)));
	for (int c = 0; c < GS_FETCH_STATE(plan->aggregates); c++)
	{
		size_t		width = gs_fetch_width(plan, c);

		if (!is_wide(c) && width > 0)
			GS_TRY(make_results(run, c, 0, run->results, width,
								run->scratch.at + run->few_at[c]));
	}
	GS_TRY(copy_results(run, run->context->stage[0].out, size));
	run->few = run->context->stage[0].out;
	return cudaSuccess;
}

/* Make some results of a column, and copy them. */
static cudaError_t
fetch_some(gs_plan_run *run, int column, int64_t first, int64_t n,
		   size_t width, void *to)
{
	GS_TRY(group_reserve(&run->scratch, n * width, stream_of(run)));
	GS_TRY(make_results(run, column, first, n, width, run->scratch.at));
	return copy_results(run, to, n * width);
}

static cudaError_t
fetch_many(gs_plan_run *run, int column, int64_t first, int64_t n,
		   size_t width, char *to)
{
	int64_t		at_once = width > FETCH_BYTES ? 1 : FETCH_BYTES /
		(int64_t) width;

	for (int64_t at = 0; at < n; at += at_once)
		GS_TRY(fetch_some(run, column, first + at, n - at < at_once ? n - at :
						  at_once, width, to + at * width));
	return cudaSuccess;
}

gs_status
group_fetch(gs_plan_run *run, int column, int64_t first, int64_t n, void *to)
{
	size_t		width = gs_fetch_width(run->plan, column);

	if (run->plan->of_rows)
		return group_rows_fetch(run, column, first, n, to);
	if (!run->finished || width == 0 || first < 0 || n < 0 ||
		first > column_length(run, column) - n)
		return group_fail(run, GS_INVALID, "there are no such results");
	if (n == 0)
		return GS_OK;
	if (!run->fetched)
	{
		gs_status	status = group_outcome(run, fetch_few(run));

		if (status != GS_OK)
			return status;
		run->fetched = true;
	}
	if (run->few != NULL && !is_wide(column))
	{
		memcpy(to, run->few + run->few_at[column] + first * width, n * width);
		return GS_OK;
	}
	return group_outcome(run, fetch_many(run, column, first, n, width,
										 (char *) to));
}
