/*-------------------------------------------------------------------------
 *
 * reserve.cu
 *	  The memory of an execution's groups: their records, which may move, and
 *	  accumulators for what does not fit the windows of sums.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/run.cuh"

/*
 * Accumulators for what does not fit the window of a sum: so many bytes that
 * every group, or every row, can have one; at most the first number, and what
 * there is, if that is at least the second.
 */
#define WIDE_BYTES		(INT64_C(1) << 30)
#define WIDE_BYTES_MIN	(INT64_C(16) << 20)

/* How many accumulators of a sum are in use, of so many. */
static cudaError_t
count_wide(gs_plan_run *run, int i, int64_t capacity, int64_t *used)
{
	*used = 0;
	if (capacity == 0)
		return cudaSuccess;
	GS_TRY(group_report(run->context, &reported_of(run)->wide[i],
						sizeof(uint32_t)));
	*used = *(uint32_t *) run->context->report;
	if (*used > capacity)
		*used = capacity;
	return cudaSuccess;
}

/* Accumulators for a float sum. */
cudaError_t
group_reserve_wide(gs_plan_run *run, int i)
{
	group_action *a = &run->layout.action[i];
	int64_t		size = (int64_t) group_wide_size(a->kind);
	int64_t		before = a->wide_capacity;
	int64_t		least = WIDE_BYTES_MIN / size;
	int64_t		capacity = WIDE_BYTES / size;
	int64_t		used;
	cudaError_t error;

	if (capacity > run->groups)
		capacity = run->groups;
	if (capacity > run->rows)
		capacity = run->rows;
	if (capacity <= before)
		return cudaSuccess;
	if (capacity < 2 * before && 2 * before < run->groups)
		capacity = 2 * before;	/* each time, what is there is copied */
	GS_TRY(count_wide(run, i, before, &used));
	for (;;)
	{
		error = group_grow(&run->wide_sums[i], capacity * size, used * size,
						   stream_of(run));
		if (error != cudaErrorMemoryAllocation || capacity / 2 < least ||
			capacity / 2 <= before)
			break;
		(void) cudaGetLastError();	/* clear the error */
		capacity /= 2;
	}
	if (error == cudaErrorMemoryAllocation && before > 0)
	{
		(void) cudaGetLastError();
		return cudaSuccess;
	}
	GS_TRY(error);
	a->wide = run->wide_sums[i].at;
	a->wide_capacity = (uint32_t) capacity;
	return cudaSuccess;
}

/* Which accumulator each group has, for so many groups. */
static cudaError_t
reserve_wide_of(gs_plan_run *run, int i, int64_t groups)
{
	group_action *a = &run->layout.action[i];

	GS_TRY(group_grow(&run->wide_of[i], groups * sizeof(uint32_t),
					  run->groups * sizeof(uint32_t), stream_of(run)));
	a->wide_of = (uint32_t *) run->wide_of[i].at;
	a->wide_count = &reported_of(run)->wide[i];
	return cudaSuccess;
}

/* Records for all groups that there are now. */
cudaError_t
group_reserve_records(gs_plan_run *run)
{
	int64_t		groups = run->keys.groups;
	size_t		size = run->layout.words * sizeof(int64_t);
	size_t		rare_size = run->layout.rare_words * sizeof(int64_t);
	int64_t		room = groups;

	if (groups <= run->groups)
		return cudaSuccess;

	/* a hash table may grow with each batch */
	if (run->groups > 0 && (size_t) groups * size > run->records.size)
		room = groups + groups / 2;
	GS_TRY(group_grow(&run->records, room * size, run->groups * size,
					  stream_of(run)));
	GS_TRY(group_grow(&run->rare, room * rare_size + 1, run->groups * rare_size,
					  stream_of(run)));
	for (int i = 0; i < run->layout.actions; i++)
	{
		if (group_adds_floats(&run->layout.action[i]))
			GS_TRY(reserve_wide_of(run, i, room));
	}
	GS_TRY(group_records_init((int64_t *) run->records.at,
							  (int64_t *) run->rare.at, run->groups, groups,
							  &run->layout, true, stream_of(run)));
	run->groups = groups;
	return cudaSuccess;
}

/* Groups have other numbers: move their records. */
cudaError_t
group_renumber(gs_plan_run *run, const uint32_t *number)
{
	int64_t		groups = run->keys.groups;
	int64_t		old = run->groups;

	GS_TRY(group_reserve(&run->moved, groups * run->layout.words *
						 sizeof(int64_t), stream_of(run)));
	GS_TRY(group_reserve(&run->moved_rare, groups * run->layout.rare_words *
						 sizeof(int64_t) + 1, stream_of(run)));
	GS_TRY(group_records_init((int64_t *) run->moved.at,
							  (int64_t *) run->moved_rare.at, 0, groups,
							  &run->layout, false, stream_of(run)));
	GS_TRY(group_records_move((int64_t *) run->records.at,
							  (int64_t *) run->moved.at, number, old,
							  run->layout.words, stream_of(run)));
	GS_TRY(group_records_move((int64_t *) run->rare.at,
							  (int64_t *) run->moved_rare.at, number, old,
							  run->layout.rare_words, stream_of(run)));
	group_swap(&run->records, &run->moved);
	group_swap(&run->rare, &run->moved_rare);
	for (int i = 0; i < run->layout.actions; i++)
	{
		if (!group_adds_floats(&run->layout.action[i]))
			continue;
		GS_TRY(group_reserve(&run->moved_wide, groups * sizeof(uint32_t),
							 stream_of(run)));
		GS_TRY(cudaMemsetAsync(run->moved_wide.at, 0,
							   groups * sizeof(uint32_t), stream_of(run)));
		GS_TRY(group_numbers_move((uint32_t *) run->wide_of[i].at,
								  (uint32_t *) run->moved_wide.at, number, old,
								  stream_of(run)));
		group_swap(&run->wide_of[i], &run->moved_wide);
		run->layout.action[i].wide_of = (uint32_t *) run->wide_of[i].at;
	}
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		if (run->layout.of_aggregate[i] < 0)
			GS_TRY(group_values_renumber(&run->values[i], number,
										 stream_of(run)));
	}
	run->groups = groups;
	return cudaSuccess;
}

void
group_free_memory(gs_plan_run *run)
{
	group_batch_free(&run->batch);
	group_rows_free(&run->found);
	group_keys_free(&run->keys);
	for (int i = 0; i < EVALUATE_OUTPUTS; i++)
	{
		group_free(&run->computed[i]);
		group_free(&run->computed_validity[i]);
	}
	for (int i = 0; i < EVALUATE_FILTERS; i++)
		group_free(&run->filter_bits[i]);
	for (int i = 0; i < GROUP_ACTIONS; i++)
	{
		group_free(&run->wide_of[i]);
		group_free(&run->wide_sums[i]);
		group_free(&run->wide_number[i]);
	}
	for (int i = 0; i < GS_PLAN_AGGREGATES; i++)
	{
		group_values_free(&run->values[i]);
		group_free(&run->states[i]);
	}
	group_free(&run->program_memory);
	group_free(&run->list);
	group_free(&run->elementary_table);
	group_free(&run->tested_bits);
	group_free(&run->row_bits);
	group_free(&run->moved);
	group_free(&run->moved_rare);
	group_free(&run->moved_wide);
	group_free(&run->rare);
	group_free(&run->reported);
	group_free(&run->records);
	group_free(&run->scratch);
}
