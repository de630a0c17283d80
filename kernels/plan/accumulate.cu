/*-------------------------------------------------------------------------
 *
 * accumulate.cu
 *	  Adds the rows of a batch to the states of their groups.
 *
 * Few groups have their states in each block's shared memory, replicated up to
 * 32 times: with a replica for each lane, no two lanes of a warp ever meet in a
 * bank, whatever the keys are.  A float is added as four digits of 18 bits, so
 * that four 32-bit additions do it, and 2^14 additions fit; now and then, what
 * comes near that is emptied into the global record.  Alone, this sums
 * 10^8 float8 by 100 groups in 0.33 ms on an H200, with 64-bit additions in
 * shared memory it takes 0.47, and 1.9 with one group (docs/kernels-group.md).
 *
 * Where states of all groups do not fit, rows add to the records in global
 * memory by 64-bit atomic additions, which the L2 cache executes: 3.2 ms for
 * 1,000,000 groups.  That is slow for groups that have many of the rows, so
 * these (found in a sample) are kept in shared memory as above.
 *
 * Determinism: what is added are integers, digits of fixed-point numbers and
 * limbs of accumulators, which give the same in any order.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/add.cuh"
#include "kernels/plan/sample.cuh"

#include <stdlib.h>

/*
 * Place the words of a batch in shared memory: a count that leaves nothing out
 * needs none.
 */
static void
place_replicated(group_layout *layout)
{
	layout->replicated = 1;
	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];

		a->replicated = layout->replicated;
		if (a->kind == GS_AGG_HISTOGRAM)
			layout->replicated += a->histogram.buckets + 3;
		else if (a->kind == GS_AGG_BIT_XOR)
			layout->replicated += 2;
		else if (group_is_sum(a->kind))
			layout->replicated += a->digits;
		else if (a->kind == GS_AGG_COUNT)
			layout->replicated += a->sparse;
	}
}

/*
 * Can the program be executed with the rows?  Then states of one group and one
 * replica must still fit.
 */
bool
group_can_compute(const evaluate_program *p)
{
	size_t		max_shared;

	return group_shared_size(&max_shared) == cudaSuccess &&
		2 * slots_size<ROWS, THREADS>(p->slots) <= max_shared;
}

/* What each replicated word adds to. */
static void
describe_digits(const group_layout *layout, group_digit *digits)
{
	memset(digits, 0, layout->replicated * sizeof(group_digit));
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];
		group_digit *d = digits + a->replicated;

		if (a->kind == GS_AGG_HISTOGRAM)
		{
			for (int w = 0; w < a->histogram.buckets + 3; w++)
				d[w].word = a->word + w;
		}
		else if (a->kind == GS_AGG_COUNT)
		{
			if (a->sparse)
			{
				d[0].word = a->rare;
				d[0].is_rare = 1;
			}
		}
		else if (a->kind == GS_AGG_BIT_XOR)
		{
			d[0].word = d[1].word = a->word;
			d[0].is_xor = d[1].is_xor = 1;
			d[1].shift = 32;
		}
		else if (group_is_sum(a->kind))
		{
			for (int w = 0; w < a->digits; w++)
			{
				d[w].word = a->word + w / 2;
				d[w].shift = w % 2 * GROUP_DIGIT_BITS;
				d[w].is_signed = w == a->digits - 1;
			}
		}
	}
}

/*
 * How many replicas, and for how many hot groups there is room.  If the states
 * of all groups fit, as many replicas as fit, but no more than the rows are
 * worth.
 */
static void
place_groups(const group_layout *layout, group_job *job, size_t max_shared,
			 int64_t rows_a_block)
{
	int			max = 32;

	job->replicas = GS_WARP;
	job->hot = job->groups > (int64_t) max_shared ||
		states_size(layout, job, job->groups, 1) > max_shared;
	job->hot_first = job->hot ? 0 : (int32_t) job->groups;
	job->hot_shift = 0;
	while (!job->hot && job->replicas > 1 &&
		   (states_size(layout, job, job->groups, job->replicas) >
			max_shared ||
			job->groups * layout->replicated * job->replicas >
			4096 + rows_a_block))
	{
		job->replicas /= 2;
		job->hot_shift++;
	}
	if (!job->hot && job->hot_shift == 0)
		max = 0;				/* there is a replica for each lane */
	job->hot_max = 0;
	while (job->hot_max < max &&
		   states_size(layout, job, job->hot_first +
					   ((job->hot_max + 1) << job->hot_shift),
					   job->replicas) <= max_shared)
		job->hot_max++;
	job->hots = 0;
	job->local_groups = job->hot_first;
}

/* What the actions do, of KINDS_..., and what they need to be done before. */
static int
kinds_of(const group_layout *layout, const group_job *job)
{
	int			kinds = 0;

	if (job->steps > 0)
		kinds |= KINDS_INTEGER_SUMS;
	if (job->program != NULL)
		kinds |= KINDS_PROGRAMS;
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];

		if (a->kind == GS_AGG_COUNT)
			continue;
		if (a->kind == GS_AGG_MIN || a->kind == GS_AGG_MAX)
			kinds |= KINDS_EXTREMES;
		else if (a->kind == GS_AGG_SUM)
			kinds |= group_is_float(a->type) ? KINDS_FLOAT_SUMS :
				KINDS_INTEGER_SUMS;
		else if (a->kind == GS_AGG_SQUARES && group_is_float(a->type))
			kinds |= KINDS_FLOAT_SQUARES;
		else if (a->kind == GS_AGG_HISTOGRAM)
			kinds |= KINDS_HISTOGRAMS;
		else
			kinds |= KINDS_OTHERS;
	}
	return kinds;
}

static cudaError_t
launch(const group_accumulation *g, const group_launch *l)
{
	if (g->job->hot)
		return group_launch_hot(g, l);
	return g->job->replicas == GS_WARP ? group_launch_local(g, l) :
		group_launch_packed(g, l);
}

/* A column that the kernel reads; each is fetched ahead once. */
static void
add_column(group_job *job, const void *values, int format)
{
	static const int8_t width[] = {1, 2, 4, 2, 4, 8, 4};

	if (values == NULL || job->columns == GROUP_PREFETCHED)
		return;
	for (int i = 0; i < job->columns; i++)
	{
		if (job->column[i] == values)
			return;
	}
	job->column[job->columns] = values;
	job->width[job->columns++] = width[format];
}

static void
add_argument(group_job *job, const group_column *c, int slot)
{
	if (slot < 0)
		add_column(job, c->values, c->format);
}

/*
 * Is it the sum of one column of float8 by one dense key of at most 32 bits,
 * and do all rows count?
 */
static bool
can_be_ahead(const group_accumulation *g)
{
	const group_job *job = g->job;
	const group_column *key = &g->keys->column[0];
	int			sums = 0;

	if (!job->plain || job->lead < 0 || job->rows != NULL || job->ranges > 0 ||
		job->ids != NULL || g->keys->keys != 1 || key->format >= GROUP_WORD)
		return false;
	for (int i = 0; i < g->layout->actions; i++)
	{
		const group_action *a = &g->layout->action[i];

		if (a->kind == GS_AGG_COUNT)
			continue;
		if (a->kind != GS_AGG_SUM || a->type != GS_FLOAT8 || a->a_slot >= 0)
			return false;
		sums++;
	}
	return sums == 1;
}

/* Find out what the kernel reads, and whether there are bitmaps. */
static void
describe_input(const group_accumulation *g)
{
	group_job  *job = g->job;
	int			values = 0;		/* actions that read any */

	job->plain = 1;
	job->lead = -1;
	job->columns = 0;
	for (int i = 0; i < job->ranges; i++)
		add_column(job, g->ranges[i].c.values, g->ranges[i].c.format);
	job->columns_of_ranges = job->columns;
	for (int k = 0; k < g->keys->keys && job->ids == NULL; k++)
	{
		job->plain &= g->keys->column[k].validity == NULL;
		add_column(job, g->keys->column[k].values, g->keys->column[k].format);
	}
	for (int i = 0; i < g->layout->actions; i++)
	{
		const group_action *a = &g->layout->action[i];

		job->plain &= !a->sparse;
		if (a->kind == GS_AGG_COUNT)
			continue;
		if (values++ == 0 && a->a_slot < 0)
			job->lead = i;
		add_argument(job, &a->a, a->a_slot);
		add_argument(job, &a->b, a->b_slot);
	}
	for (int i = 0; i < job->steps; i++)
	{
		add_column(job, g->steps[i].a.values, g->steps[i].a.format);
		add_column(job, g->steps[i].b.values, g->steps[i].b.format);
	}
	if (!job->plain)
		job->lead = -1;
	job->ahead = can_be_ahead(g);
}

/* More words of a group do not fit in any shared memory. */
#define MAX_REPLICATED	65536

/*
 * Where the kernels' parameters are in g->device, and a copy on the host: in
 * pinned memory, if they fit there.
 */
typedef struct parameters
{
	char	   *host;
	bool		is_pinned;
	size_t		size;
	group_input device;
} parameters;

/* A part of both copies; `from` may be NULL. */
static const void *
add_part(char **device, char **host, const void *from, size_t size)
{
	const void *to = gs_part(device, size);
	void	   *copy = gs_part(host, size);

	if (from != NULL && size > 0)
		memcpy(copy, from, size);
	return to;
}

static size_t
digits_size(const group_layout *layout)
{
	return layout->replicated > MAX_REPLICATED ? 0 :
		layout->replicated * sizeof(group_digit);
}

static size_t
parameters_size(const group_accumulation *g)
{
	return gs_aligned(sizeof *g->job) +
		gs_aligned(group_layout_size(g->layout)) +
		gs_aligned(sizeof *g->keys) +
		gs_aligned(digits_size(g->layout)) +
		gs_aligned(g->job->ranges * sizeof(evaluate_range)) +
		gs_aligned(g->job->steps * sizeof(plain_step));
}

static cudaError_t
send_parameters(const group_accumulation *g, parameters *p,
				gs_exec_context *context)
{
	gs_pipeline_stage *stage = &context->stage[0];
	char	   *device;
	char	   *host;

	p->size = parameters_size(g);
	GS_TRY(group_reserve(g->device, p->size, context->compute));
	p->is_pinned = p->size <= GS_BOUNCE_SIZE;
	p->host = p->is_pinned ? stage->in : (char *) malloc(p->size);
	if (p->host == NULL)
		return cudaErrorMemoryAllocation;
	if (p->is_pinned)
		GS_TRY(gs_event_wait(stage->uploaded)); /* what was there before */
	device = g->device->at;
	host = p->host;
	p->device.job = (const group_job *)
		add_part(&device, &host, g->job, sizeof *g->job);
	p->device.layout = (const group_layout *)
		add_part(&device, &host, g->layout, group_layout_size(g->layout));
	p->device.keys = (const group_key_job *)
		add_part(&device, &host, g->keys, sizeof *g->keys);
	if (digits_size(g->layout) > 0)
		describe_digits(g->layout, (group_digit *) host);
	p->device.digits = (const group_digit *)
		add_part(&device, &host, NULL, digits_size(g->layout));
	p->device.ranges = (const evaluate_range *)
		add_part(&device, &host, g->ranges,
				 g->job->ranges * sizeof(evaluate_range));
	p->device.steps = (const plain_step *)
		add_part(&device, &host, g->steps,
				 g->job->steps * sizeof(plain_step));
	GS_TRY(cudaMemcpyAsync(g->device->at, p->host, p->size,
						   cudaMemcpyHostToDevice, context->compute));
	return p->is_pinned ? cudaEventRecord(stage->uploaded, context->compute) :
		cudaSuccess;
}

static cudaError_t
accumulate(const group_accumulation *g, parameters *p,
		   gs_exec_context *context)
{
	group_job  *job = g->job;
	group_launch l;
	size_t		max_shared;

	GS_TRY(group_shared_size(&max_shared));
	GS_TRY(gs_grid(gs_divide_up(job->end - job->first, GROUP_TILE), 1,
				   &l.blocks));
	place_groups(g->layout, job, max_shared,
				 (job->end - job->first) / l.blocks);
	GS_TRY(send_parameters(g, p, context));
	GS_TRY(group_sample(g, &p->device, context->compute));
	l.kinds = kinds_of(g->layout, job);
	l.input = p->device;
	l.stream = context->compute;
	return launch(g, &l);
}

cudaError_t
group_accumulate(const group_accumulation *g, gs_exec_context *context)
{
	parameters	p = {};
	cudaError_t error;

	place_replicated(g->layout);
	describe_input(g);
	error = accumulate(g, &p, context);
	if (!p.is_pinned)
		free(p.host);
	return error;
}
