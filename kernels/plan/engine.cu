/*-------------------------------------------------------------------------
 *
 * engine.cu
 *	  gs_plan_cuda: the life of an execution of a plan.
 *
 * A batch's columns come to the device (batch.cu), rows are tested
 * (prefilter.cu), what the plan computes is computed (evaluate.cu), its
 * rows get group numbers (keys.cu), and are added to the records of their
 * groups (accumulate.cu), or, for aggregates that need the values in order,
 * collected (values.cu).  At the end the groups that have rows are put
 * in order, and fetch makes states of their records (fetch.cu).
 *
 * All work is in one stream; the host waits for it where it needs a number to
 * go on: the keys' ranges if nobody gave them, how many groups a hash table
 * has.
 *
 * Determinism: states add up exactly, in any order, and groups come in the
 * order of their keys; so neither the grid, nor a sample, nor which number a
 * group gets in a hash table changes a bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/accumulate.cuh"
#include "kernels/plan/run.cuh"

#include "exact/elementary.h"
#include "exact/elementary_table.h"

#include <stdlib.h>

/*
 * Windows of arguments that are not in memory are chosen from this many rows.
 */
#define COMPUTED_SAMPLE	4096

/* ----------
 * Begin
 * ----------
 */

static cudaError_t
send_elementary_table(gs_plan_run *run)
{
	const size_t size = sizeof gs_elementary;

	if (!run->program.elementary)
		return cudaSuccess;
	gs_elementary_init();
	GS_TRY(group_reserve(&run->elementary_table, size, stream_of(run)));
	run->program.elementary_table =
		(const gs_elementary_table *) run->elementary_table.at;
	return cudaMemcpyAsync(run->elementary_table.at, &gs_elementary, size,
						   cudaMemcpyHostToDevice, stream_of(run));
}

/* The list; tables are in our memory. */
static cudaError_t
send_lists(gs_plan_run *run)
{
	const gs_plan *plan = run->plan;
	size_t		size = plan->list_length * sizeof(gs_value);

	if (plan->list_length == 0)
		return cudaSuccess;
	GS_TRY(group_reserve(&run->list, size, stream_of(run)));
	run->program.list = (const gs_value *) run->list.at;
	return cudaMemcpyAsync(run->list.at, plan->list, size,
						   cudaMemcpyHostToDevice, stream_of(run));
}

static cudaError_t
start(gs_plan_run *run)
{
	GS_TRY(gs_exec_context_acquire(&run->context));
	GS_TRY(group_reserve(&run->reported, GROUP_REPORTED_SIZE, stream_of(run)));
	GS_TRY(cudaMemsetAsync(run->reported.at, 0, GROUP_FEW_AT, stream_of(run)));
	run->program.errors = &reported_of(run)->errors;
	GS_TRY(send_elementary_table(run));
	return send_lists(run);
}

static gs_status
group_begin(const gs_plan *plan, gs_plan_run **result)
{
	gs_plan_run *run;

	*result = NULL;
	if (gs_plan_check(plan) != GS_OK)
		return GS_INVALID;
	run = (gs_plan_run *) calloc(1, sizeof *run);
	if (run == NULL)
		return GS_NO_MEMORY;
	*result = run;
	run->plan = plan;
	if (!group_program_make(plan, &run->program))
		return group_fail(run, GS_NO_MEMORY, "too many intermediate results");
	if (!group_layout_make(plan, &run->layout))
		return group_fail(run, GS_NO_MEMORY, "too many buckets");
	run->keys.job.keys = plan->keys;
	run->keys.record_size =
		(run->layout.words + run->layout.rare_words) * sizeof(int64_t);
	run->collects = plan->of_rows;
	for (int i = 0; i < plan->aggregates; i++)
		run->collects |= run->layout.of_aggregate[i] < 0;
	if (plan->of_rows)
		group_rows_begin(run);
	run->computes_with_rows = !run->collects &&
		group_program_is_arguments(plan, &run->program) &&
		group_can_compute(&run->program);
	return group_outcome(run, start(run));
}

/* ----------
 * Feed
 * ----------
 */

group_column
group_operand_column(const gs_plan_run *run, gs_operand o)
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
operand_filter(const gs_plan_run *run, gs_operand o)
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
send_program(gs_plan_run *run)
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

/* Find out which of the first n rows pass tests. */
static cudaError_t
test_rows(gs_plan_run *run, int64_t n)
{
	GS_TRY(group_reserve(&run->tested_bits, group_bits_size(n), stream_of(run)));
	run->program.tested_rows = (uint32_t *) run->tested_bits.at;
	GS_TRY(send_program(run));
	return group_test_rows(&run->program,
						   (evaluate_program *) run->program_memory.at, n,
						   stream_of(run));
}

/* The output that is key k, no flag, and no key before it; NULL: there is none. */
static evaluate_output *
output_of_key(gs_plan_run *run, int k)
{
	evaluate_program *p = &run->program;

	for (int i = 0; i < k; i++)
	{
		if (run->plan->key[i] == run->plan->key[k])
			return NULL;
	}
	for (int i = 0; i < p->outputs; i++)
	{
		if (p->output[i].of == run->plan->key[k])
			return p->output[i].type == GS_BOOL ? NULL : &p->output[i];
	}
	return NULL;
}

/* Computed keys' ranges are found with the rows, unless they are hashed anyway. */
static cudaError_t
measure_keys(gs_plan_run *run)
{
	const int	keys = run->keys.job.hashed ? 0 : run->plan->keys;
	uint32_t	measured = 0;

	for (int i = 0; i < run->program.outputs; i++)
		run->program.output[i].range = NULL;
	for (int k = 0; k < keys; k++)
		measured |= (uint32_t) (output_of_key(run, k) != NULL) << k;
	if (measured == 0)
		return cudaSuccess;
	GS_TRY(group_keys_measure(&run->keys, measured, run->context));
	for (int k = 0; k < keys; k++)
	{
		if ((measured >> k & 1) != 0)
			output_of_key(run, k)->range =
				(long long *) run->keys.ranges.at + 2 * k;
	}
	return cudaSuccess;
}

/* Evaluate all but a filter of ranges, for the first n rows. */
static cudaError_t
evaluate_rest(gs_plan_run *run, int64_t n)
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
	GS_TRY(measure_keys(run));
	if (group_collects(p))
		GS_TRY(test_rows(run, n));
	else
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
evaluate(gs_plan_run *run, const gs_batch *batch, const uint32_t **rows)
{
	evaluate_program *p = &run->program;
	bool		empty = group_program_is_empty(p);
	int64_t		n = run->computes_with_rows && batch->n > COMPUTED_SAMPLE ?
		COMPUTED_SAMPLE : batch->n;

	p->mask = *rows;
	p->rows = NULL;
	for (int i = 0; i < p->ranges; i++)
		group_range_place(&p->range[i], &p->column[p->range[i].column]);
	group_prefilter_place(&p->prefilter, p->column);
	run->is_plain = run->computes_with_rows &&
		group_plain_make(run->plan, batch, p, &run->plain);
	run->filters_with_rows = p->ranges > 0 && !run->collects &&
		(empty || run->computes_with_rows) && !run->keys.job.hashed &&
		keys_are_known(run->plan, batch);
	if (p->ranges > 0 && !run->filters_with_rows)
	{
		GS_TRY(test_rows(run, batch->n));
		*rows = p->tested_rows;
	}
	if (empty || run->is_plain)
		return cudaSuccess;
	if (run->filters_with_rows)
		GS_TRY(test_rows(run, n));
	GS_TRY(evaluate_rest(run, n));
	if (p->rows != NULL)
		*rows = p->rows;
	return cudaSuccess;
}

/*
 * Find out the groups of a batch, and make room for them.  *rows are those
 * that count.
 */
static cudaError_t
find_groups(gs_plan_run *run, const gs_batch *batch, const uint32_t **rows)
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

		keys->job.column[k] = group_operand_column(run, o);
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
		GS_TRY(group_renumber(run, number));
	if (keys->job.hashed && run->filters_with_rows)
	{
		GS_TRY(test_rows(run, batch->n));
		*rows = run->program.tested_rows;
		run->filters_with_rows = false;
	}
	if (keys->job.hashed || run->collects)
		GS_TRY(group_keys_find(keys, *rows, batch->n, run->context));
	return group_reserve_records(run);
}

/* The slot of a computed argument; -1: it is in memory. */
static int
slot_of(const gs_plan_run *run, gs_operand o)
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
compute_with_rows(gs_plan_run *run)
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
digits_of(const gs_plan_run *run, const gs_batch *batch,
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
describe_actions(gs_plan_run *run, const gs_batch *batch)
{
	group_layout *layout = &run->layout;

	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];

		a->a = group_operand_column(run, a->of_a);
		a->b = group_operand_column(run, a->of_b);
		a->filter = operand_filter(run, a->of_filter);
		a->a_slot = a->b_slot = -1;
		a->sparse = a->filter != NULL || a->a.validity != NULL ||
			a->b.validity != NULL;
		if (group_adds_floats(a))
			GS_TRY(group_reserve_wide(run, i));
	}
	if (run->computes_with_rows)
		compute_with_rows(run);
	for (int i = 0; i < layout->actions; i++)
		layout->action[i].digits = (int16_t)
			digits_of(run, batch, &layout->action[i]);
	return cudaSuccess;
}

static cudaError_t
accumulate(gs_plan_run *run, const gs_batch *batch, const uint32_t *rows)
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
collect(gs_plan_run *run, int64_t n)
{
	for (int i = 0; i < run->plan->aggregates; i++)
	{
		const gs_aggregate *aggregate = &run->plan->aggregate[i];
		group_values *values;
		group_column column;

		if (run->layout.of_aggregate[i] >= 0)
			continue;
		values = group_values_of(run, i);
		values->sort |= aggregate->kind != GS_AGG_PERCENTILE;
		if (values != &run->values[i])
			continue;
		column = group_operand_column(run, aggregate->a);
		GS_TRY(group_values_add(values, (uint32_t *) run->keys.ids.at, &column,
								operand_filter(run, aggregate->filter), n,
								run->context));
	}
	return cudaSuccess;
}

cudaError_t
group_feed_batch(gs_plan_run *run, const gs_batch *batch)
{
	const uint32_t *rows;

	GS_TRY(group_batch_place(&run->batch, run->plan, batch,
							 run->program.column, &rows, stream_of(run)));
	run->rows += batch->n;
	run->ordered = false;
	GS_TRY(evaluate(run, batch, &rows));
	if (run->plan->of_rows)
	{
		GS_TRY(group_rows_add(run, rows, batch->n));
		return batch->stays ? cudaSuccess :
			cudaStreamSynchronize(stream_of(run));
	}
	GS_TRY(find_groups(run, batch, &rows));
	if (run->groups > 0)
	{
		GS_TRY(accumulate(run, batch, rows));
		GS_TRY(collect(run, batch->n));
	}

	if (batch->stays)
		return cudaSuccess;

	/*
	 * The caller may reuse the batch's memory, so wait.  This may be the last
	 * batch: what finish needs is best done before.
	 */
	if (run->groups > 0 && group_keys_are_few(&run->keys) && !run->collects)
	{
		run->ordered = true;
		return group_order(run);
	}
	return cudaStreamSynchronize(stream_of(run));
}

static gs_status
group_feed(gs_plan_run *run, const gs_batch *batch)
{
	cudaError_t error;

	if (batch->n < 1 || batch->n > GS_PLAN_BATCH_MAX)
		return group_fail(run, GS_INVALID, "a batch of too many rows, or of none");
	error = group_is_streamed(run->plan, batch) ?
		group_feed_streamed(run, batch) : group_feed_batch(run, batch);

	/* what has begun may still read the batch */
	if (error != cudaSuccess)
		(void) cudaStreamSynchronize(stream_of(run));
	return group_outcome(run, error);
}

static void
group_slice(gs_plan_run *run, gs_operand by, int slices, int slice)
{
	run->found.by = by;
	run->found.slices = slices;
	run->found.slice = slice;
}

static const gs_error *
group_error(const gs_plan_run *run)
{
	return &run->error;
}

/*
 * Work in flight still uses memory that is about to be given back, so wait for
 * it.  What a lost device has is useless, and remains until the process ends.
 */
static void
group_end(gs_plan_run *run)
{
	if (run->context != NULL && run->error.status != GS_DEVICE_LOST &&
		cudaStreamSynchronize(stream_of(run)) == cudaSuccess)
	{
		group_free_memory(run);
		gs_exec_context_release(run->context);
	}
	free(run);
}

extern "C" const gs_plan_engine gs_plan_cuda = {
	"cuda",
	group_begin,
	group_feed,
	group_finish,
	group_fetch,
	group_error,
	group_end,
	group_merges,
	group_merge,
	group_slice,
	&gs_relations_cuda,
	group_range,
	group_scatter
};
