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

/* ----------
 * Columns of results
 * ----------
 */

/* Is it GS_FETCH_WIDE of some aggregate? */
static bool
is_wide(int column)
{
	return column > GS_FETCH_STATE(0) &&
		(column - GS_FETCH_STATE(0)) % 2 != 0;
}

static void
describe_action(const gs_plan_run *run, int action, group_result *r)
{
	const group_action *a = &run->layout.action[action];

	r->what = GROUP_RESULT_STATE;
	r->type = a->type;
	r->kind = a->kind;
	r->word = a->word;
	r->words = a->words;
	r->rare = a->rare;
	r->count = a->count;
	r->window = action;
	r->wide_of = a->wide_of;
	r->wide = a->wide;
	r->number = run->wide[action] == 0 ? NULL :
		(const uint32_t *) run->wide_number[action].at;
}

/* A column but wide sums, to be made in so many bytes. */
static group_result
describe_column(const gs_plan_run *run, int column, char *to, size_t room)
{
	const gs_plan *plan = run->plan;
	int			aggregate = (column - GS_FETCH_STATE(0)) / 2;
	int			action = column < GS_FETCH_STATE(0) ? -1 :
		run->layout.of_aggregate[aggregate];
	group_result r;

	memset(&r, 0, sizeof r);
	r.width = (int32_t) gs_fetch_width(plan, column);
	r.words_each = 1;
	r.to = to;
	r.room = (int64_t) room;
	if (column < GS_FETCH_NULLS)
	{
		r.what = GROUP_RESULT_KEY;
		r.key = column;
		r.type = gs_operand_type(plan, plan->key[column]);
	}
	else if (column == GS_FETCH_NULLS)
		r.what = GROUP_RESULT_NULLS;
	else if (action < 0 || run->layout.action[action].kind == GS_AGG_HISTOGRAM)
	{
		r.what = GROUP_RESULT_WORDS;
		r.words_each = r.width / (int32_t) sizeof(int64_t);
		r.stride = action < 0 ? r.words_each : run->layout.words;
		r.source = action < 0 ? (const int64_t *) run->states[aggregate].at :
			(const int64_t *) run->records.at + run->layout.action[action].word;
	}
	else
		describe_action(run, action, &r);
	return r;
}

/* Make columns of n results from `first` on, or (-1) of all, at most `most`. */
static cudaError_t
make_results(const gs_plan_run *run, int64_t first, int64_t n, int64_t most,
			 const group_result *column, int columns)
{
	group_selection from;

	from.keys = run->keys.job;
	from.records = records_of(run);
	from.order = (const uint32_t *) run->keys.ids.at;
	from.reported = reported_of(run);
	from.first = first;
	from.n = n;
	return group_make_results(&from, most, column, columns, stream_of(run));
}

/* ----------
 * Few results
 *
 * All columns of few results are made at once, behind what is reported, and come with
 * that, since a wait costs more than they do.
 * ----------
 */

/*
 * Make them for n groups, or (-1) those that are reported, at most `most`.  *size: what
 * they take, with the report; 0: that would be too much.
 */
static cudaError_t
make_few(gs_plan_run *run, int64_t n, int64_t most, size_t *size)
{
	const gs_plan *plan = run->plan;
	group_result column[GS_FETCH_STATE(GS_PLAN_AGGREGATES)];
	int			columns = 0;
	size_t		at = GROUP_FEW_AT;

	*size = 0;
	for (int c = 0; c < GS_FETCH_STATE(plan->aggregates); c++)
	{
		size_t		room = is_wide(c) ? 0 :
			gs_aligned(most * gs_fetch_width(plan, c));

		run->few_at[c] = at;
		if (room > GROUP_REPORTED_SIZE - at)
			return cudaSuccess;
		if (room > 0)
			column[columns++] = describe_column(run, c, run->reported.at + at,
												room);
		at += room;
	}
	*size = at;
	return make_results(run, 0, n, most, column, columns);
}

/* Copy the report and results behind it, and wait for them. */
static cudaError_t
copy_few(gs_plan_run *run, size_t size)
{
	GS_TRY(cudaMemcpyAsync(run->context->stage[0].out, run->reported.at, size,
						   cudaMemcpyDeviceToHost, stream_of(run)));
	return cudaStreamSynchronize(stream_of(run));
}

/*
 * Are results final that were made before anything was known of the report?  Not if
 * sums have accumulators, which come to them later, or after an error.
 */
static bool
is_final(const gs_plan_run *run)
{
	const group_reported *reported = &run->at_end;

	for (int i = 0; i < run->layout.actions; i++)
	{
		if (reported->wide[i] != 0)
			return false;
	}
	return reported->errors == 0 && reported->flags == 0;
}

/* Put the groups in order, and report on all. */
cudaError_t
group_order(gs_plan_run *run)
{
	int64_t    *records = (int64_t *) run->records.at;
	size_t		size = 0;

	run->few = NULL;
	if (!group_keys_are_few(&run->keys))
		return group_keys_order(&run->keys, records, run->layout.words,
								reported_of(run), &run->at_end, run->context);
	GS_TRY(group_keys_order_few(&run->keys, records, run->layout.words,
								reported_of(run), stream_of(run)));
	if (!run->collects)
		GS_TRY(make_few(run, -1, run->keys.groups, &size));
	GS_TRY(copy_few(run, size > 0 ? size : GROUP_FEW_AT));
	memcpy(&run->at_end, run->context->stage[0].out, sizeof run->at_end);
	if (size > 0 && is_final(run))
		run->few = run->context->stage[0].out;
	return cudaSuccess;
}

/* ----------
 * Finish
 * ----------
 */

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

/* ----------
 * Fetch
 * ----------
 */

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

/* Few results of which no report has come with them. */
static cudaError_t
fetch_few(gs_plan_run *run)
{
	size_t		size;

	GS_TRY(make_few(run, run->results, run->results, &size));
	if (size == 0)
		return cudaSuccess;
	GS_TRY(copy_few(run, size));
	run->few = run->context->stage[0].out;
	return cudaSuccess;
}

/* Make some results of a column, and copy them. */
static cudaError_t
fetch_some(gs_plan_run *run, int column, int64_t first, int64_t n,
		   size_t width, void *to)
{
	const group_records g = records_of(run);
	int			action;
	group_result result;

	GS_TRY(group_reserve(&run->scratch, n * width, stream_of(run)));
	if (is_wide(column))
	{
		action = run->layout.of_aggregate[(column - GS_FETCH_STATE(0)) / 2];
		GS_TRY(group_wide_sums(&run->layout.action[action], &g,
							   (const uint32_t *) run->keys.ids.at, run->results,
							   (const uint32_t *) run->wide_number[action].at,
							   first, n, run->scratch.at, stream_of(run)));
	}
	else
	{
		result = describe_column(run, column, run->scratch.at, 0);
		GS_TRY(make_results(run, first, n, n, &result, 1));
	}
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
	if (!run->fetched && run->few == NULL)
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
