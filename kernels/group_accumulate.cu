/*-------------------------------------------------------------------------
 *
 * group_accumulate.cu
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
 *-------------------------------------------------------------------------
 */
#include "group_add.cuh"

#include <stdlib.h>

/* Rows whose groups are looked at, and the share that makes a group hot. */
#define SAMPLE		1024
#define HOT_SHARE	64

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
 * Do the states of all groups fit?  Then as many replicas as fit, but no more
 * than the rows are worth.
 */
static bool
choose_replicas(const group_layout *layout, group_job *job, size_t max_shared,
				int64_t rows_a_block)
{
	if (job->groups > (int64_t) max_shared ||
		states_size(layout, job, job->groups, 1) > max_shared)
		return false;
	job->hot = 0;
	job->local_groups = (int32_t) job->groups;
	job->replicas = GS_WARP;
	while (states_size(layout, job, job->groups, job->replicas) > max_shared ||
		   (job->replicas > 1 &&
			job->groups * layout->replicated * job->replicas >
			4096 + rows_a_block))
		job->replicas /= 2;
	return true;
}

static int
compare_groups(const void *a, const void *b)
{
	uint32_t	x = *(const uint32_t *) a;
	uint32_t	y = *(const uint32_t *) b;

	return (x > y) - (x < y);
}

/*
 * Keep groups in shared memory that have at least one in HOT_SHARE of n sampled
 * rows, which are sorted.
 */
static void
choose_hot(const group_layout *layout, group_job *job, size_t max_shared,
		   uint32_t *sample, int n)
{
	int			places = 0;
	int			next;

	job->hot = 1;
	job->local_groups = 0;
	job->replicas = GS_WARP;
	for (int i = 0; i < 32; i++)
		job->hot_group[i] = GROUP_NONE;
	while (places < 32 &&
		   states_size(layout, job, places + 1, GS_WARP) <= max_shared)
		places++;
	qsort(sample, n, sizeof *sample, compare_groups);
	for (int i = 0; i < n && job->local_groups < places; i = next)
	{
		uint32_t	group = sample[i];

		for (next = i + 1; next < n && sample[next] == group;)
			next++;
		if (next - i < n / HOT_SHARE || group == GROUP_NONE ||
			job->hot_group[group % 32] != GROUP_NONE)
			continue;
		job->hot_group[group % 32] = group;
		job->hot_local[group % 32] = (int8_t) job->local_groups;
		job->local_group[job->local_groups++] = group;
	}
}

/* Every so many rows, the group of one; done by one block. */
__global__ void
sample_groups_kernel(const group_job *job, const group_key_job *keys,
					 uint32_t *sample)
{
	int64_t		end = job->end;
	int64_t		row;

	if (job->listed != NULL && *job->listed < end)
		end = *job->listed;
	row = job->first + (int64_t) ((double) (end - job->first) * threadIdx.x /
								  blockDim.x);
	if (row >= end)
	{
		sample[threadIdx.x] = GROUP_NONE;
		return;
	}
	if (job->list != NULL)
		row = job->list[row];
	sample[threadIdx.x] = job->ids != NULL ? job->ids[row] :
		group_dense_number(*keys, row);
}

/* What the actions do, of KINDS_... */
static int
kinds_of(const group_layout *layout)
{
	int			kinds = 0;

	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];

		if (a->kind == GS_AGG_COUNT)
			continue;
		if (a->kind == GS_AGG_MIN || a->kind == GS_AGG_MAX)
			kinds |= KINDS_EXTREMES;
		else if (a->kind == GS_AGG_SUM && group_is_float(a->type))
			kinds |= KINDS_FLOAT_SUMS;
		else if (a->kind == GS_AGG_SQUARES && group_is_float(a->type))
			kinds |= KINDS_FLOAT_SQUARES;
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
add_column(group_job *job, const group_column *c)
{
	static const int8_t width[] = {1, 2, 4, 2, 4, 8, 4};

	if (c->values == NULL || job->columns == GROUP_PREFETCHED)
		return;
	for (int i = 0; i < job->columns; i++)
	{
		if (job->column[i] == c->values)
			return;
	}
	job->column[job->columns] = c->values;
	job->width[job->columns++] = width[c->format];
}

/* Find out what the kernel reads, and whether there are bitmaps. */
static void
describe_input(const group_accumulation *g)
{
	group_job  *job = g->job;

	job->plain = 1;
	job->columns = 0;
	for (int k = 0; k < g->keys->keys && job->ids == NULL; k++)
	{
		job->plain &= g->keys->column[k].validity == NULL;
		add_column(job, &g->keys->column[k]);
	}
	for (int i = 0; i < g->layout->actions; i++)
	{
		const group_action *a = &g->layout->action[i];

		job->plain &= !a->sparse;
		if (a->kind == GS_AGG_COUNT)
			continue;
		add_column(job, &a->a);
		add_column(job, &a->b);
	}
}

/* More words of a group do not fit in any shared memory. */
#define MAX_REPLICATED	65536

/* Where the kernel's parameters are in g->device, and a copy on the host. */
typedef struct parameters
{
	char	   *host;
	size_t		size;
	group_job  *job;			/* on the device */
	group_layout *layout;
	group_key_job *keys;
	group_digit *digits;
	uint32_t   *sample;
} parameters;

static cudaError_t
make_parameters(const group_accumulation *g, parameters *p)
{
	bool		fits = g->layout->replicated <= MAX_REPLICATED;
	size_t		digits = fits ? g->layout->replicated * sizeof(group_digit) : 0;
	char	   *at = g->device->at;
	char	   *host;

	p->job = (group_job *) gs_part(&at, sizeof *g->job);
	p->layout = (group_layout *) gs_part(&at, group_layout_size(g->layout));
	p->keys = (group_key_job *) gs_part(&at, sizeof *g->keys);
	p->digits = (group_digit *) gs_part(&at, digits);
	p->sample = (uint32_t *) at;
	p->size = (size_t) (at - g->device->at);
	p->host = host = (char *) malloc(p->size);
	if (host == NULL)
		return cudaErrorMemoryAllocation;
	(void) gs_part(&host, sizeof *g->job);
	memcpy(gs_part(&host, group_layout_size(g->layout)), g->layout,
		   group_layout_size(g->layout));
	memcpy(gs_part(&host, sizeof *g->keys), g->keys, sizeof *g->keys);
	if (fits)
		describe_digits(g->layout, (group_digit *) gs_part(&host, digits));
	return cudaSuccess;
}

/* From pageable memory, which is read before this returns. */
static cudaError_t
send_parameters(const group_accumulation *g, const parameters *p,
				cudaStream_t stream)
{
	memcpy(p->host, g->job, sizeof *g->job);
	return cudaMemcpyAsync(g->device->at, p->host, p->size,
						   cudaMemcpyHostToDevice, stream);
}

static cudaError_t
accumulate(const group_accumulation *g, const parameters *p,
		   gs_exec_context *context)
{
	group_job  *job = g->job;
	int64_t		rows = job->end - job->first;
	group_launch l;
	size_t		max_shared;
	int			blocks;

	GS_TRY(group_shared_size(&max_shared));
	GS_TRY(gs_grid(gs_divide_up(rows, GROUP_TILE), 1, &blocks));
	if (!choose_replicas(g->layout, job, max_shared, rows / blocks))
	{
		GS_TRY(send_parameters(g, p, context->compute));
		sample_groups_kernel<<<1, SAMPLE, 0, context->compute>>>
			(p->job, p->keys, p->sample);
		GS_TRY(gs_launched());
		GS_TRY(group_report(context, p->sample, SAMPLE * sizeof(uint32_t)));
		choose_hot(g->layout, job, max_shared, (uint32_t *) context->report,
				   SAMPLE);
	}
	GS_TRY(send_parameters(g, p, context->compute));
	l.kinds = kinds_of(g->layout);
	l.blocks = blocks;
	l.job = p->job;
	l.layout = p->layout;
	l.keys = p->keys;
	l.digits = p->digits;
	l.stream = context->compute;
	return launch(g, &l);
}

cudaError_t
group_accumulate(const group_accumulation *g, gs_exec_context *context)
{
	parameters	p;
	cudaError_t error;

	place_replicated(g->layout);
	describe_input(g);
	error = make_parameters(g, &p);
	if (error == cudaSuccess)
		error = accumulate(g, &p, context);
	free(p.host);
	return error;
}

size_t
group_accumulate_scratch_size(const group_layout *layout)
{
	int64_t		words = 2 * ((int64_t) layout->words + layout->rare_words) + 2;

	if (words > MAX_REPLICATED)
		words = MAX_REPLICATED;
	return gs_aligned(sizeof(group_job)) +
		gs_aligned(group_layout_size(layout)) +
		gs_aligned(sizeof(group_key_job)) +
		gs_aligned(words * sizeof(group_digit)) + SAMPLE * sizeof(uint32_t);
}
