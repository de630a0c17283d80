/*-------------------------------------------------------------------------
 *
 * group_op.cu
 *	  GS_GROUP and GS_EXPRESSION, executed by the CUDA engine for plans.
 *
 * Each batch of a plan costs the host some work, so feeds are gathered in
 * device memory until there are enough rows.  A cached array is a batch of its
 * own, where it lies.
 *
 * The plan's engine relies on what it finds in the memory of a batch.  What it
 * gets is in device memory, where no other process can change it any more.
 * Bitmaps that contradict their counts make it read other values of the same
 * buffers, which have room for all rows.  Booleans other than 0 and 1 would
 * be groups that do not exist, so they are made 1.
 *
 * Where the plan is of differences (gs_prologue), the kernels of compactions and
 * of differences make them of the values, some at a time, in memory between
 * those of the input and the plan: NULLs do not count, so it gets no bitmap.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/common.cuh"
#include "kernels/plan/group_op.cuh"

#include <stdlib.h>

#include "engine/group_op.h"
#include "kernels/kernels.h"

/* Gather so many rows; a few milliseconds of the link's time. */
#define GATHER_MAX		(INT64_C(1) << 22)

#define THREADS			256

/* What has been gathered of an array. */
typedef struct gathered
{
	char	   *values;
	uint8_t    *bits;			/* written from the first NULL on */
	int			width;
	int64_t		present;		/* values */
} gathered;

/* Executions over parts of the array, one after the other; see gs_prologue. */
typedef struct prologue
{
	gs_op		filter;			/* compare 0: there is none */
	gs_op		diff;
	int			width;			/* bytes of a difference */
	int64_t		capacity;		/* values at a time */
	char	   *state;			/* of the differences */
	char	   *scratch;		/* of either */
	char	   *kept;			/* what the filter gives */
	char	   *differences;
	char	   *bits;			/* a bitmap of these, that nobody reads */
	int64_t		before;			/* values kept so far */
	bool		wrong;			/* a difference is out of range */
} prologue;

struct group_op_run
{
	const gs_op *op;
	gs_exec_context *context;
	gs_error   *error;
	gs_group_op plan;
	gs_plan_run *run;
	int64_t		capacity;		/* rows that can be gathered */
	int64_t		rows;			/* gathered */
	gathered	data;
	gathered	mask;			/* if cached: space for booleans, in values */
	prologue	prologue;		/* if op has one */
};

/* Take over what the plan's engine says of a failure. */
static gs_status
check(group_op_run *r, gs_status status)
{
	if (status != GS_OK && r->run != NULL)
	{
		*r->error = *gs_plan_cuda.error(r->run);
		r->error->status = status;
	}
	return status;
}

/* ----------
 * Begin
 * ----------
 */

static size_t
values_size(int64_t rows, int width)
{
	return gs_aligned(rows * width + 16);
}

/* Only keys can be. */
static bool
has_booleans(const group_op_run *r)
{
	return r->op->kind == GS_GROUP && r->op->mask.type == GS_BOOL;
}

/* Kernels read whole 16 bytes. */
static size_t
bits_size(int64_t rows)
{
	return gs_aligned(gs_divide_up(rows, 8) + 16);
}

static void
lay_out(gathered *g, int64_t rows, char **at)
{
	g->values = (char *) gs_part(at, values_size(rows, g->width));
	g->bits = (uint8_t *) gs_part(at, bits_size(rows));
}

/* Lay out a prologue's memory; with a null pointer, only the size is valid. */
static size_t
lay_out_prologue(prologue *p, int width, char *memory)
{
	const bool	filters = p->filter.filter.compare != 0;
	/* differences need none */
	size_t		scratch = filters ?
		gs_compact_kernels.scratch_size(&p->filter, p->capacity) : 0;
	char	   *at = memory;

	p->state = (char *) gs_part(&at, gs_diff_kernels.state_size(&p->diff, 0));
	p->scratch = (char *) gs_part(&at, scratch);
	p->kept = (char *) gs_part(&at, filters ?
							   values_size(p->capacity, width) : 0);
	p->differences = (char *) gs_part(&at, values_size(p->capacity, p->width));
	p->bits = (char *) gs_part(&at, bits_size(p->capacity));
	return at - memory;
}

static cudaError_t
reserve_for_prologue(group_op_run *r, int64_t rows)
{
	prologue   *p = &r->prologue;
	size_t		gathered = r->op->cached ? 0 :
		values_size(rows, r->data.width) + bits_size(rows);
	char	   *at;

	gs_prologue(r->op, &p->filter, &p->diff);
	p->width = gs_type_width(gs_expression_type(r->op));
	p->capacity = rows > 0 ? rows : 1;
	GS_TRY(gs_exec_context_reserve(r->context, gathered +
								   lay_out_prologue(p, r->data.width, NULL)));
	at = r->context->memory;
	if (!r->op->cached)
	{
		r->capacity = rows;
		lay_out(&r->data, rows, &at);
	}
	(void) lay_out_prologue(p, r->data.width, at);
	return gs_diff_kernels.start(&p->diff, 0, p->state, r->context->compute);
}

static cudaError_t
reserve(group_op_run *r, int64_t n)
{
	int64_t		rows = n < GATHER_MAX ? n : GATHER_MAX;
	char	   *at;

	if (gs_has_prologue(r->op))
		return reserve_for_prologue(r, rows);
	if (r->op->cached)
	{
		if (!has_booleans(r))
			return cudaSuccess;
		GS_TRY(gs_exec_context_reserve(r->context, values_size(n, 1)));
		r->mask.values = r->context->memory;
		return cudaSuccess;
	}
	r->capacity = rows;
	GS_TRY(gs_exec_context_reserve(r->context,
								   values_size(rows, r->data.width) +
								   values_size(rows, r->mask.width) +
								   2 * bits_size(rows)));
	at = r->context->memory;
	lay_out(&r->data, rows, &at);
	lay_out(&r->mask, rows, &at);
	return cudaSuccess;
}

gs_status
group_op_begin(const gs_op *op, int64_t n, gs_exec_context *context,
			   gs_error *error, group_op_run **result)
{
	group_op_run *r = (group_op_run *) calloc(1, sizeof *r);
	gs_status	status;

	*result = r;
	if (r == NULL)
		return gs_device_fail(error, GS_NO_MEMORY, "out of memory");
	r->op = op;
	r->context = context;
	r->error = error;
	r->data.width = gs_type_width((gs_type) op->type);
	r->mask.width = gs_has_mask(op) ? gs_type_width(gs_mask_type(op)) : 0;
	gs_group_op_plan(op, &r->plan);
	status = gs_plan_cuda.begin(&r->plan.plan, &r->run);
	if (status != GS_OK && r->run == NULL)
		return gs_device_fail(error, status, "");
	if (check(r, status) != GS_OK)
		return status;
	return gs_device_outcome(error, reserve(r, n));
}

/* ----------
 * Feed
 * ----------
 */

/* Bytes other than 0 become 1, four a thread. */
__global__ static void
normalise_booleans_kernel(const uint32_t *from, uint32_t *to, int64_t words)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < words)
		to[i] = __vcmpne4(from[i], 0) & 0x01010101;
}

static cudaError_t
normalise_booleans(const void *from, void *to, int64_t n, cudaStream_t stream)
{
	int64_t		words = gs_divide_up(n, 4);

	if (n == 0)
		return cudaSuccess;
	normalise_booleans_kernel<<<(unsigned int) gs_divide_up(words, THREADS),
		THREADS, 0, stream>>>((const uint32_t *) from, (uint32_t *) to, words);
	return gs_launched();
}

/* Append n elements to the `rows` gathered. */
static cudaError_t
gather(gathered *g, int64_t rows, const gs_span *span, int64_t n,
	   cudaStream_t stream)
{
	size_t		size = (size_t) gs_divide_up(n, 8);
	bool		nulls = g->present < rows;

	if (span->present > 0)
		GS_TRY(cudaMemcpyAsync(g->values + g->present * g->width,
							   span->values, span->present * g->width,
							   cudaMemcpyHostToDevice, stream));
	g->present += span->present;
	if (span->present < n)
	{
		if (!nulls && rows > 0)
			GS_TRY(cudaMemsetAsync(g->bits, 0xff, rows / 8, stream));
		return cudaMemcpyAsync(g->bits + rows / 8, span->validity, size,
							   cudaMemcpyHostToDevice, stream);
	}
	return nulls ? cudaMemsetAsync(g->bits + rows / 8, 0xff, size, stream) :
		cudaSuccess;
}

/* What has been gathered, for kernels. */
static cudaError_t
complete(gathered *g, int64_t rows, gs_span *span, cudaStream_t stream)
{
	/* they read beyond the end: the content is irrelevant, but defined */
	GS_TRY(cudaMemsetAsync(g->values + g->present * g->width, 0, 16, stream));
	if (g->present < rows)
		GS_TRY(cudaMemsetAsync(g->bits + gs_divide_up(rows, 8), 0, 16,
							   stream));
	span->values = g->values;
	span->validity = g->bits;
	span->present = g->present;
	g->present = 0;
	return cudaSuccess;
}

/* Feed rows that are in device memory, once all that writes it has ended. */
static gs_status
feed_resident(group_op_run *r, const gs_input *in)
{
	gs_group_op_batch b;
	gs_status	status;

	status = gs_device_outcome(r->error,
							   cudaStreamSynchronize(r->context->compute));
	if (status != GS_OK)
		return status;
	gs_group_op_input(r->op, in, &b);
	b.batch.resident = 1;
	return check(r, gs_plan_cuda.feed(r->run, &b.batch));
}

/* Do the kernels of a prologue's operation; *done is what they report. */
static cudaError_t
execute(group_op_run *r, const gs_kernels *kernels, const gs_op *op,
		const gs_device_input *in, char *to, gs_done *done)
{
	prologue   *p = &r->prologue;
	cudaStream_t stream = r->context->compute;
	gs_done    *pinned = r->context->stage[0].done;
	gs_device_output out = {to, (uint8_t *) p->bits, pinned};

	memset(pinned, 0, sizeof *pinned);
	GS_TRY(kernels->batch(op, in, &out, p->state, p->scratch, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	*done = *pinned;
	return done->present < 0 || done->present > in->n || done->fallback != 0 ?
		cudaErrorUnknown : cudaSuccess;
}

/* Differences of at most p->capacity values on the device; *n of them. */
static cudaError_t
subtract(group_op_run *r, const void *values, int64_t present, int64_t *n)
{
	prologue   *p = &r->prologue;
	gs_device_input in = {0};
	gs_done		done;

	*n = 0;
	in.n = in.all = in.data.present = present;
	in.data.values = values;
	if (p->filter.filter.compare != 0)
	{
		GS_TRY(execute(r, &gs_compact_kernels, &p->filter, &in, p->kept,
					   &done));
		in.n = in.all = in.data.present = done.present;
		in.data.values = p->kept;
	}
	if (in.n == 0)
		return cudaSuccess;
	in.before = p->before;
	GS_TRY(execute(r, &gs_diff_kernels, &p->diff, &in, p->differences, &done));
	p->before += in.n;
	p->wrong = done.overflow != 0;
	*n = done.present;

	/* the plan's kernels read beyond the end */
	return cudaMemsetAsync(p->differences + *n * p->width, 0, 16,
						   r->context->compute);
}

/* Feed the differences of values that are on the device. */
static gs_status
feed_differences(group_op_run *r, const gs_span *data)
{
	prologue   *p = &r->prologue;
	gs_input	in;
	gs_status	status = GS_OK;

	memset(&in, 0, sizeof in);
	in.data.values = p->differences;
	for (int64_t at = 0;
		 at < data->present && status == GS_OK && !p->wrong; at += p->capacity)
	{
		int64_t		left = data->present - at;

		status = gs_device_outcome
			(r->error, subtract(r, (const char *) data->values +
								at * r->data.width,
								left < p->capacity ? left : p->capacity,
								&in.n));
		in.data.present = in.n;
		if (status == GS_OK && in.n > 0 && !p->wrong)
			status = feed_resident(r, &in);
	}
	return status;
}

static cudaError_t
complete_all(group_op_run *r, gs_input *in)
{
	cudaStream_t stream = r->context->compute;

	in->n = r->rows;
	GS_TRY(complete(&r->data, r->rows, &in->data, stream));
	if (gs_has_mask(r->op))
		GS_TRY(complete(&r->mask, r->rows, &in->mask, stream));
	if (has_booleans(r))
		GS_TRY(normalise_booleans(r->mask.values, r->mask.values,
								  in->mask.present, stream));
	r->rows = 0;
	return cudaSuccess;
}

static gs_status
feed_gathered(group_op_run *r)
{
	gs_input	in;
	gs_status	status;

	if (r->rows == 0)
		return GS_OK;
	status = gs_device_outcome(r->error, complete_all(r, &in));
	if (status != GS_OK)
		return status;
	return gs_has_prologue(r->op) ? feed_differences(r, &in.data) :
		feed_resident(r, &in);
}

static gs_status
feed_cached(group_op_run *r, const gs_input *in)
{
	gs_input	normal = *in;
	gs_status	status;

	if (gs_has_prologue(r->op))
		return feed_differences(r, &in->data);
	if (has_booleans(r))
	{
		status = gs_device_outcome(r->error, normalise_booleans
								   (in->mask.values, r->mask.values,
									in->mask.present, r->context->compute));
		if (status != GS_OK)
			return status;
		normal.mask.values = r->mask.values;
	}
	return feed_resident(r, &normal);
}

static cudaError_t
gather_all(group_op_run *r, const gs_input *in)
{
	cudaStream_t stream = r->context->compute;

	GS_TRY(gather(&r->data, r->rows, &in->data, in->n, stream));
	if (gs_has_mask(r->op))
		GS_TRY(gather(&r->mask, r->rows, &in->mask, in->n, stream));
	r->rows += in->n;
	return cudaSuccess;
}

gs_status
group_op_feed(group_op_run *r, const gs_input *in)
{
	gs_status	status = GS_OK;

	if (r->op->cached)
		return feed_cached(r, in);
	if (in->n > r->capacity - r->rows)
		status = feed_gathered(r);
	return status != GS_OK ? status :
		gs_device_outcome(r->error, gather_all(r, in));
}

/* ----------
 * Results
 * ----------
 */

gs_status
group_op_finish(group_op_run *r, gs_result *result)
{
	gs_status	status = feed_gathered(r);
	gs_summary	summary;

	if (status != GS_OK)
		return status;
	if (gs_has_prologue(r->op) && r->prologue.wrong)
	{
		gs_expression_wrong(result);
		return GS_OK;
	}
	if (r->op->kind == GS_EXPRESSION)
		return check(r, gs_expression_finish(r->op, &gs_plan_cuda, r->run,
											 result));
	status = check(r, gs_plan_cuda.finish(r->run, &summary));
	if (status == GS_OK)
		result->results = summary.groups;
	return status;
}

gs_status
group_op_fetch(group_op_run *r, gs_column column, int64_t first, int64_t n,
			   void *to)
{
	return check(r, gs_plan_cuda.fetch(r->run,
									   gs_group_op_column(r->op, column),
									   first, n, to));
}

void
group_op_end(group_op_run *r)
{
	if (r->run != NULL)
		gs_plan_cuda.end(r->run);
	free(r);
}
