/*-------------------------------------------------------------------------
 *
 * group_engine.cu
 *	  gs_group_cuda: the life of an execution of a plan.
 *
 * A batch's columns come to the device (group_batch.cu), what the plan
 * computes is computed (group_evaluate.cu), its rows get group numbers
 * (group_keys.cu), and are added to the records of their groups
 * (group_accumulate.cu), or, for aggregates that need the values in order,
 * collected (group_values.cu).  At the end the groups that have rows are put
 * in order, and fetch makes states of their records (group_finish.cu).
 *
 * All work is in one stream; the host waits for it where it needs a number to
 * go on: the keys' ranges if nobody gave them, how many groups a hash table
 * has.
 *
 *-------------------------------------------------------------------------
 */
#include "group_accumulate.cuh"
#include "group_finish.cuh"

#include <stdlib.h>

/*
 * Accumulators for what does not fit the window of a sum: so many bytes that
 * every group, or every row, can have one; at most the first number, and what
 * there is, if that is at least the second.
 */
#define WIDE_BYTES		(INT64_C(1) << 30)
#define WIDE_BYTES_MIN	(INT64_C(16) << 20)

/*
 * Windows of arguments that are not in memory are chosen from this many rows.
 */
#define COMPUTED_SAMPLE	4096

/* Results are fetched so many bytes at a time. */
#define FETCH_BYTES		(8 << 20)

struct gs_group_run
{
	const gs_plan *plan;
	gs_exec_context *context;
	gs_error	error;
	evaluate_program program;
	group_layout layout;
	group_keys	keys;
	group_values values[GS_PLAN_AGGREGATES];	/* of those that need them */
	bool		collects;		/* there are such */
	bool		computes_with_rows;	/* arguments, which are not in memory */
	bool		filters_with_rows;	/* ranges; of the batch, likewise the next */
	bool		is_plain;		/* what is computed with the rows */
	plain_program plain;
	int64_t		groups;			/* that have records */
	int64_t		rows_since_normalised;
	int64_t		rows;			/* of all batches */
	bool		ordered;		/* the groups of all batches so far */
	group_reported at_end;		/* if they are; else after finish */
	bool		finished;
	int64_t		results;
	int64_t		wide[GROUP_ACTIONS];	/* sums that are */

	group_batch_memory batch;
	group_memory program_memory;
	group_memory list;			/* of IN and LOOKUP */
	group_memory computed[EVALUATE_OUTPUTS];
	group_memory computed_validity[EVALUATE_OUTPUTS];
	group_memory filter_bits[EVALUATE_FILTERS];
	group_memory range_bits;
	group_memory row_bits;
	group_memory reported;		/* a group_reported */
	group_memory records;
	group_memory rare;
	group_memory moved;
	group_memory moved_rare;
	group_memory moved_wide;
	group_memory wide_of[GROUP_ACTIONS];
	group_memory wide_sums[GROUP_ACTIONS];
	group_memory wide_number[GROUP_ACTIONS];
	group_memory states[GS_PLAN_AGGREGATES];	/* of values */
	group_memory scratch;
};

static gs_status
fail(gs_group_run *run, gs_status status, const char *message)
{
	return gs_device_fail(&run->error, status, message);
}

static gs_status
outcome(gs_group_run *run, cudaError_t error)
{
	return gs_device_outcome(&run->error, error);
}

static cudaStream_t
stream_of(const gs_group_run *run)
{
	return run->context->compute;
}

/* In device memory. */
static group_reported *
reported_of(const gs_group_run *run)
{
	return (group_reported *) run->reported.at;
}

/* ----------
 * Begin
 * ----------
 */

/* The lists of IN and LOOKUP. */
static cudaError_t
send_lists(gs_group_run *run)
{
	const gs_plan *plan = run->plan;
	size_t		values = gs_aligned(plan->list_length * sizeof(gs_value));

	if (plan->list_length == 0)
		return cudaSuccess;
	GS_TRY(group_reserve(&run->list, values + plan->list_length, stream_of(run)));
	GS_TRY(cudaMemcpyAsync(run->list.at, plan->list,
						   plan->list_length * sizeof(gs_value),
						   cudaMemcpyHostToDevice, stream_of(run)));
	run->program.list = (const gs_value *) run->list.at;
	if (plan->list_nulls == NULL)
		return cudaSuccess;
	run->program.list_nulls = (const uint8_t *) run->list.at + values;
	return cudaMemcpyAsync(run->list.at + values, plan->list_nulls,
						   plan->list_length, cudaMemcpyHostToDevice,
						   stream_of(run));
}

static cudaError_t
start(gs_group_run *run)
{
	GS_TRY(gs_exec_context_acquire(&run->context));
	GS_TRY(group_reserve(&run->reported, sizeof(group_reported),
						 stream_of(run)));
	GS_TRY(cudaMemsetAsync(run->reported.at, 0, sizeof(group_reported),
						   stream_of(run)));
	run->program.errors = &reported_of(run)->errors;
	return send_lists(run);
}

static gs_status
group_begin(const gs_plan *plan, gs_group_run **result)
{
	gs_group_run *run;

	*result = NULL;
	if (gs_plan_check(plan) != GS_OK)
		return GS_INVALID;
	run = (gs_group_run *) calloc(1, sizeof *run);
	if (run == NULL)
		return GS_NO_MEMORY;
	*result = run;
	run->plan = plan;
	if (!group_program_make(plan, &run->program))
		return fail(run, GS_NO_MEMORY, "too many intermediate results");
	if (!group_layout_make(plan, &run->layout))
		return fail(run, GS_NO_MEMORY, "too many buckets");
	run->keys.job.keys = plan->keys;
	run->keys.record_size =
		(run->layout.words + run->layout.rare_words) * sizeof(int64_t);
	for (int i = 0; i < plan->aggregates; i++)
		run->collects |= run->layout.of_aggregate[i] < 0;
	run->computes_with_rows = !run->collects &&
		group_program_is_arguments(plan, &run->program) &&
		group_can_compute(&run->program);
	return outcome(run, start(run));
}

/* ----------
 * Feed
 * ----------
 */

/* Where the kernels find an operand that is a column or was computed. */
static group_column
operand_column(const gs_group_run *run, gs_operand o)
{
	group_column c;

	memset(&c, 0, sizeof c);
	if (o == GS_NOTHING)
		return c;
	if (o < GS_CONSTANT(0))
		return run->program.column[o];
	for (int i = 0; i < run->program.outputs; i++)
	{
		const evaluate_output *output = &run->program.output[i];

		if (output->of != o)
			continue;
		c.values = output->values;
		c.validity = output->validity;
		c.type = output->type;
		c.format = output->type == GS_FLOAT4 ? GROUP_FLOAT4 :
			output->width == 8 ? GROUP_WORD : output->width == 4 ? GROUP_S4 :
			output->width == 2 ? GROUP_S2 : GROUP_U1;
	}
	return c;
}

static const uint32_t *
operand_filter(const gs_group_run *run, gs_operand o)
{
	for (int i = 0; i < run->program.filters; i++)
	{
		if (run->program.filter_of[i].of == o)
			return run->program.filter_of[i].bits;
	}
	return NULL;
}

/* Send the program to the device, through pinned memory. */
static cudaError_t
send_program(gs_group_run *run)
{
	gs_pipeline_stage *stage = &run->context->stage[1];
	size_t		size = sizeof run->program;

	static_assert(sizeof run->program <= GS_BOUNCE_SIZE, "a large program");
	GS_TRY(group_reserve(&run->program_memory, size, stream_of(run)));
	GS_TRY(gs_event_wait(stage->uploaded)); /* what was there before */
	memcpy(stage->in, &run->program, size);
	GS_TRY(cudaMemcpyAsync(run->program_memory.at, stage->in, size,
						   cudaMemcpyHostToDevice, stream_of(run)));
	return cudaEventRecord(stage->uploaded, stream_of(run));
}

/* Find out which of the first n rows are in the filter's ranges. */
static cudaError_t
filter_by_ranges(gs_group_run *run, int64_t n)
{
	GS_TRY(group_reserve(&run->range_bits, group_bits_size(n),
						 stream_of(run)));
	run->program.range_rows = (uint32_t *) run->range_bits.at;
	GS_TRY(send_program(run));
	return group_evaluate_ranges((evaluate_program *) run->program_memory.at,
								 n, stream_of(run));
}

/* Evaluate all but the ranges, for the first n rows. */
static cudaError_t
evaluate_rest(gs_group_run *run, int64_t n)
{
	evaluate_program *p = &run->program;

	if (p->filter.from != FROM_NOWHERE)
	{
		GS_TRY(group_reserve(&run->row_bits, group_bits_size(n), stream_of(run)));
		p->rows = (uint32_t *) run->row_bits.at;
	}
	for (int i = 0; i < p->filters; i++)
	{
		GS_TRY(group_reserve(&run->filter_bits[i], group_bits_size(n), stream_of(run)));
		p->filter_of[i].bits = (uint32_t *) run->filter_bits[i].at;
	}
	for (int i = 0; i < p->outputs; i++)
	{
		GS_TRY(group_reserve(&run->computed[i], n * p->output[i].width, stream_of(run)));
		GS_TRY(group_reserve(&run->computed_validity[i], group_bits_size(n), stream_of(run)));
		p->output[i].values = run->computed[i].at;
		p->output[i].validity = (uint32_t *) run->computed_validity[i].at;
	}
	GS_TRY(send_program(run));
	return group_evaluate(p, (evaluate_program *) run->program_memory.at, n,
						  stream_of(run));
}

/* Are the ranges of all keys given? */
static bool
keys_are_known(const gs_plan *plan, const gs_batch *batch)
{
	for (int k = 0; k < plan->keys; k++)
	{
		gs_operand	o = plan->key[k];

		if (gs_operand_type(plan, o) == GS_BOOL)
			continue;
		if (o >= GS_CONSTANT(0) || group_is_float(plan->column[o]) ||
			batch->column[o].low > batch->column[o].high)
			return false;
	}
	return true;
}

/*
 * Compute what the plan computes; *rows are then those that count, but for
 * ranges that are looked at with the rows.  What is computed with the rows is
 * needed for a sample only.
 */
static cudaError_t
evaluate(gs_group_run *run, const gs_batch *batch, const uint32_t **rows)
{
	evaluate_program *p = &run->program;
	bool		empty = group_program_is_empty(p);
	int64_t		n = run->computes_with_rows && batch->n > COMPUTED_SAMPLE ?
		COMPUTED_SAMPLE : batch->n;

	p->mask = *rows;
	p->rows = NULL;
	for (int i = 0; i < p->ranges; i++)
		p->range[i].c = p->column[p->range[i].column];
	run->is_plain = run->computes_with_rows &&
		group_plain_make(run->plan, batch, p, &run->plain);
	run->filters_with_rows = p->ranges > 0 && !run->collects &&
		(empty || run->computes_with_rows) && !run->keys.job.hashed &&
		keys_are_known(run->plan, batch);
	if (p->ranges > 0 && !run->filters_with_rows)
	{
		GS_TRY(filter_by_ranges(run, batch->n));
		*rows = p->range_rows;
	}
	if (empty || run->is_plain)
		return cudaSuccess;
	if (run->filters_with_rows)
		GS_TRY(filter_by_ranges(run, n));
	GS_TRY(evaluate_rest(run, n));
	if (p->rows != NULL)
		*rows = p->rows;
	return cudaSuccess;
}

/* Accumulators for a float sum. */
static cudaError_t
reserve_wide(gs_group_run *run, int i)
{
	group_action *a = &run->layout.action[i];
	int64_t		size = (int64_t) group_wide_size(a->kind);
	int64_t		before = a->wide_capacity;
	int64_t		least = WIDE_BYTES_MIN / size;
	int64_t		capacity = WIDE_BYTES / size;
	cudaError_t error;

	if (capacity > run->groups)
		capacity = run->groups;
	if (capacity > run->rows)
		capacity = run->rows;
	if (capacity <= before)
		return cudaSuccess;
	if (capacity < 2 * before && 2 * before < run->groups)
		capacity = 2 * before;	/* each time, what is there is copied */
	for (;;)
	{
		error = group_grow(&run->wide_sums[i], capacity * size, before * size,
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
reserve_wide_of(gs_group_run *run, int i, int64_t groups)
{
	group_action *a = &run->layout.action[i];

	GS_TRY(group_grow(&run->wide_of[i], groups * sizeof(uint32_t),
					  run->groups * sizeof(uint32_t), stream_of(run)));
	a->wide_of = (uint32_t *) run->wide_of[i].at;
	a->wide_count = &reported_of(run)->wide[i];
	return cudaSuccess;
}

static group_records
records_of(const gs_group_run *run)
{
	group_records g = {(int64_t *) run->records.at, (int64_t *) run->rare.at,
		run->layout.words, run->layout.rare_words};

	return g;
}

/* Records for all groups that there are now. */
static cudaError_t
reserve_records(gs_group_run *run)
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

/* Exchange two pieces of memory. */
static void
swap(group_memory *a, group_memory *b)
{
	group_memory c = *a;

	*a = *b;
	*b = c;
}

/* Groups have other numbers: move their records. */
static cudaError_t
renumber(gs_group_run *run, const uint32_t *number)
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
	swap(&run->records, &run->moved);
	swap(&run->rare, &run->moved_rare);
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
		swap(&run->wide_of[i], &run->moved_wide);
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

/*
 * Find out the groups of a batch, and make room for them.  *rows are those
 * that count.
 */
static cudaError_t
find_groups(gs_group_run *run, const gs_batch *batch, const uint32_t **rows)
{
	const gs_plan *plan = run->plan;
	group_keys *keys = &run->keys;
	bool		known[GS_PLAN_KEYS];
	int64_t		low[GS_PLAN_KEYS];
	int64_t		high[GS_PLAN_KEYS];
	uint32_t   *number;

	for (int k = 0; k < plan->keys; k++)
	{
		gs_operand	o = plan->key[k];

		keys->job.column[k] = operand_column(run, o);
		known[k] = false;
		if (gs_operand_type(plan, o) == GS_BOOL)
		{
			low[k] = 0;
			high[k] = 1;
			known[k] = true;
		}
		else if (o < GS_CONSTANT(0) && !group_is_float(plan->column[o]))
		{
			low[k] = batch->column[o].low;
			high[k] = batch->column[o].high;
			known[k] = low[k] <= high[k];
		}
	}
	GS_TRY(group_keys_prepare(keys, *rows, batch->n, known, low, high,
							  &number, run->context));
	if (number != NULL)
		GS_TRY(renumber(run, number));
	if (keys->job.hashed && run->filters_with_rows)
	{
		GS_TRY(filter_by_ranges(run, batch->n));
		*rows = run->program.range_rows;
		run->filters_with_rows = false;
	}
	if (keys->job.hashed || run->collects)
		GS_TRY(group_keys_find(keys, *rows, batch->n, run->context));
	return reserve_records(run);
}

/* The slot of a computed argument; -1: it is in memory. */
static int
slot_of(const gs_group_run *run, gs_operand o)
{
	for (int i = 0; i < run->program.outputs; i++)
	{
		if (run->program.output[i].of == o)
			return run->program.output[i].operand.index;
	}
	return -1;
}

/* Let actions take computed arguments from slots instead of memory. */
static void
compute_with_rows(gs_group_run *run)
{
	bool		nulls = group_program_gives_null(&run->program);

	for (int i = 0; i < run->layout.actions; i++)
	{
		group_action *a = &run->layout.action[i];

		a->a_slot = a->of_a == GS_NOTHING ? -1 : slot_of(run, a->of_a);
		a->b_slot = a->of_b == GS_NOTHING ? -1 : slot_of(run, a->of_b);
		a->sparse = (a->a_slot < 0 ? a->a.validity != NULL : nulls) ||
			(a->of_b != GS_NOTHING &&
			 (a->b_slot < 0 ? a->b.validity != NULL : nulls));
	}
}

/* How many digits the addends of a sum have, as far as it is known. */
static int
digits_of(const gs_group_run *run, const gs_batch *batch,
		  const group_action *a)
{
	plain_interval interval;
	int			digits = 1;

	if (a->kind != GS_AGG_SUM || group_is_float(a->type))
		return a->most_digits;
	if (a->of_a < GS_CONSTANT(0))
		interval = group_plain_column((gs_type) a->type,
									  &batch->column[a->of_a]);
	else if (run->is_plain && a->a_slot >= 0)
		interval = run->plain.interval[a->a_slot];
	else
		return a->most_digits;
	while (digits < a->most_digits &&
		   (interval.low < -(INT64_C(1) << (digits * GROUP_DIGIT_BITS - 1)) ||
			interval.high >= INT64_C(1) << (digits * GROUP_DIGIT_BITS - 1)))
		digits++;
	return digits;
}

/* What the actions read, and where what is added up to. */
static cudaError_t
describe_actions(gs_group_run *run, const gs_batch *batch)
{
	group_layout *layout = &run->layout;

	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];

		a->a = operand_column(run, a->of_a);
		a->b = operand_column(run, a->of_b);
		a->filter = operand_filter(run, a->of_filter);
		a->a_slot = a->b_slot = -1;
		a->sparse = a->filter != NULL || a->a.validity != NULL ||
			a->b.validity != NULL;
		if (group_adds_floats(a))
			GS_TRY(reserve_wide(run, i));
	}
	if (run->computes_with_rows)
		compute_with_rows(run);
	for (int i = 0; i < layout->actions; i++)
		layout->action[i].digits = (int16_t)
			digits_of(run, batch, &layout->action[i]);
	return cudaSuccess;
}

static cudaError_t
accumulate(gs_group_run *run, const gs_batch *batch, const uint32_t *rows)
{
	group_layout *layout = &run->layout;
	const group_records records = records_of(run);
	int64_t		n = batch->n;
	group_job	job;
	group_accumulation g = {&job, layout, &run->keys.job, run->program.range,
		run->plain.step, &run->scratch};

	GS_TRY(describe_actions(run, batch));
	memset(&job, 0, sizeof job);
	job.sampled = run->computes_with_rows && n > COMPUTED_SAMPLE ?
		COMPUTED_SAMPLE : n;
	job.rows = rows;
	job.ranges = run->filters_with_rows ? run->program.ranges : 0;
	job.ids = run->keys.job.hashed ? (uint32_t *) run->keys.ids.at : NULL;
	job.records = (int64_t *) run->records.at;
	job.rare = (int64_t *) run->rare.at;
	job.groups = run->groups;
	job.reported = reported_of(run);
	if (run->is_plain)
		job.steps = run->plain.steps;
	else if (run->computes_with_rows)
		job.program = (evaluate_program *) run->program_memory.at;
	if (run->computes_with_rows)
		job.slots = run->program.slots;
	while (job.first < n)
	{
		if (run->rows_since_normalised > GROUP_NORMALISE_ROWS -
			GS_BATCH_ALIGN)
		{
			GS_TRY(group_records_normalise(&records, job.groups, layout,
										   stream_of(run)));
			run->rows_since_normalised = 1;
		}
		job.end = job.first + (GROUP_NORMALISE_ROWS -
							   run->rows_since_normalised) /
			GS_BATCH_ALIGN * GS_BATCH_ALIGN;
		if (job.end > n)
			job.end = n;
		run->rows_since_normalised += job.end - job.first;
		GS_TRY(group_accumulate(&g, run->context));
		job.first = job.end;
	}
	return cudaSuccess;
}

static cudaError_t
collect(gs_group_run *run, int64_t n)
{
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		const gs_aggregate *aggregate = &run->plan->aggregate[i];
		group_column column;

		if (run->layout.of_aggregate[i] >= 0)
			continue;
		column = operand_column(run, aggregate->a);
		GS_TRY(group_values_add(&run->values[i],
								(uint32_t *) run->keys.ids.at, &column,
								operand_filter(run, aggregate->filter), n,
								aggregate->kind, run->context));
	}
	return cudaSuccess;
}

/* Put the groups in order, and report on all. */
static cudaError_t
order_groups(gs_group_run *run)
{
	return group_keys_order(&run->keys, (int64_t *) run->records.at,
							run->layout.words, reported_of(run), &run->at_end,
							run->context);
}

static cudaError_t
feed(gs_group_run *run, const gs_batch *batch)
{
	const uint32_t *rows;

	GS_TRY(group_batch_place(&run->batch, run->plan, batch,
							 run->program.column, &rows, stream_of(run)));
	run->rows += batch->n;
	run->ordered = false;
	GS_TRY(evaluate(run, batch, &rows));
	GS_TRY(find_groups(run, batch, &rows));
	if (run->groups > 0)
	{
		GS_TRY(accumulate(run, batch, rows));
		GS_TRY(collect(run, batch->n));
	}

	/*
	 * The caller may reuse the batch's memory, so wait.  This may be the last
	 * batch: what finish needs is best done before.
	 */
	if (run->groups > 0 && group_keys_are_few(&run->keys) && !run->collects)
	{
		run->ordered = true;
		return order_groups(run);
	}
	return cudaStreamSynchronize(stream_of(run));
}

static gs_status
group_feed(gs_group_run *run, const gs_batch *batch)
{
	if (batch->n < 1 || batch->n > GS_PLAN_BATCH_MAX)
		return fail(run, GS_INVALID, "a batch of too many rows, or of none");
	return outcome(run, feed(run, batch));
}

/* ----------
 * Results
 * ----------
 */

/* Number the wide sums of each action that has accumulators in use. */
static cudaError_t
finish_wide(gs_group_run *run, const uint32_t *used)
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

static cudaError_t
finish_values(gs_group_run *run)
{
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		const gs_aggregate *aggregate = &run->plan->aggregate[i];

		if (run->layout.of_aggregate[i] >= 0)
			continue;
		GS_TRY(group_reserve(&run->states[i], run->groups *
							 gs_state_size(run->plan, i), stream_of(run)));
		GS_TRY(group_values_finish(&run->values[i], aggregate,
								   gs_operand_type(run->plan, aggregate->a),
								   run->groups, run->states[i].at,
								   run->context));
		GS_TRY(cudaStreamSynchronize(stream_of(run)));
		group_values_free(&run->values[i]);
	}
	return cudaSuccess;
}

static cudaError_t
finish(gs_group_run *run)
{
	group_reported *reported = &run->at_end;

	/* a plan without keys gives a group even if there were no rows */
	if (run->groups == 0 && run->plan->keys == 0)
	{
		run->keys.groups = 1;
		GS_TRY(reserve_records(run));
	}
	if (run->groups > 0 && !run->ordered)
		GS_TRY(order_groups(run));
	else if (run->groups == 0)
	{
		GS_TRY(group_report(run->context, reported_of(run), sizeof *reported));
		memcpy(reported, run->context->report, sizeof *reported);
	}
	run->results = reported->groups;
	for (int i = 0; i < run->layout.actions; i++)
		run->layout.action[i].unit = group_unit_of(reported->window[i]);
	if (reported->errors != 0 || reported->flags != 0 || run->results == 0)
		return cudaSuccess;
	GS_TRY(finish_values(run));
	return finish_wide(run, reported->wide);
}

static gs_status
group_finish(gs_group_run *run, gs_summary *summary)
{
	gs_status	status = outcome(run, finish(run));
	const group_reported *reported = &run->at_end;

	memset(summary, 0, sizeof *summary);
	if (status != GS_OK)
		return status;
	if (reported->errors == 0 && (reported->flags & GROUP_FLAG_FULL) != 0)
		return fail(run, GS_NO_MEMORY,
					"too many groups whose sums span a wide range");
	summary->errors = reported->errors;
	summary->groups = reported->errors != 0 ? 0 : reported->groups;
	summary->rows = reported->errors != 0 ? 0 : (int64_t) reported->rows;
	run->finished = true;
	return GS_OK;
}

/* Put results `first` to first + n - 1 of a column into device memory. */
static cudaError_t
make_results(gs_group_run *run, int column, int64_t first, int64_t n,
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

/* How many results a column has. */
static int64_t
column_length(const gs_group_run *run, int column)
{
	int			aggregate = (column - GS_FETCH_STATE(0)) / 2;

	if (column < GS_FETCH_STATE(0) || column == GS_FETCH_STATE(aggregate))
		return run->results;
	return run->layout.of_aggregate[aggregate] < 0 ? 0 :
		run->wide[run->layout.of_aggregate[aggregate]];
}

static gs_status
group_fetch(gs_group_run *run, int column, int64_t first, int64_t n, void *to)
{
	size_t		width = gs_fetch_width(run->plan, column);
	int64_t		at_once;

	if (!run->finished || width == 0 || first < 0 || n < 0 ||
		first > column_length(run, column) - n)
		return fail(run, GS_INVALID, "there are no such results");
	at_once = FETCH_BYTES / (int64_t) width;
	if (at_once == 0)
		at_once = 1;
	for (int64_t at = 0; at < n; at += at_once)
	{
		int64_t		some = n - at < at_once ? n - at : at_once;
		gs_status	status = outcome(run, group_reserve(&run->scratch,
														some * width, stream_of(run)));

		if (status == GS_OK)
			status = outcome(run, make_results(run, column, first + at, some,
											   width, run->scratch.at));
		if (status == GS_OK)
			status = outcome(run, cudaMemcpyAsync((char *) to + at * width,
												  run->scratch.at,
												  some * width,
												  cudaMemcpyDeviceToHost,
												  stream_of(run)));
		if (status == GS_OK)
			status = outcome(run, cudaStreamSynchronize(stream_of(run)));
		if (status != GS_OK)
			return status;
	}
	return GS_OK;
}

static const gs_error *
group_error(const gs_group_run *run)
{
	return &run->error;
}

static void
free_memory(gs_group_run *run)
{
	group_batch_free(&run->batch);
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
	group_free(&run->range_bits);
	group_free(&run->row_bits);
	group_free(&run->moved);
	group_free(&run->moved_rare);
	group_free(&run->moved_wide);
	group_free(&run->rare);
	group_free(&run->reported);
	group_free(&run->records);
	group_free(&run->scratch);
}

/*
 * Work in flight still uses memory that is about to be given back, so wait for
 * it.  What a lost device has is useless, and remains until the process ends.
 */
static void
group_end(gs_group_run *run)
{
	if (run->context != NULL && run->error.status != GS_DEVICE_LOST &&
		cudaStreamSynchronize(stream_of(run)) == cudaSuccess)
	{
		free_memory(run);
		gs_exec_context_release(run->context);
	}
	free(run);
}

extern "C" const gs_group_engine gs_group_cuda = {
	"cuda",
	group_begin,
	group_feed,
	group_finish,
	group_fetch,
	group_error,
	group_end
};
