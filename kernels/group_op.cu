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
 *-------------------------------------------------------------------------
 */
#include "common.cuh"
#include "group_op.cuh"

#include <stdlib.h>

#include "engine/group_op.h"

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

struct group_op_run
{
	const gs_op *op;
	gs_exec_context *context;
	gs_error   *error;
	gs_group_op plan;
	gs_group_run *run;
	int64_t		capacity;		/* rows that can be gathered */
	int64_t		rows;			/* gathered */
	gathered	data;
	gathered	mask;			/* if cached: space for booleans, in values */
};

/* Take over what the plan's engine says of a failure. */
static gs_status
check(group_op_run *r, gs_status status)
{
	if (status != GS_OK && r->run != NULL)
	{
		*r->error = *gs_group_cuda.error(r->run);
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
	return r->op->kind == GS_GROUP && r->op->key_type == GS_BOOL;
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

static cudaError_t
reserve(group_op_run *r, int64_t n)
{
	int64_t		rows = n < GATHER_MAX ? n : GATHER_MAX;
	char	   *at;

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
	status = gs_group_cuda.begin(&r->plan.plan, &r->run);
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
	return check(r, gs_group_cuda.feed(r->run, &b.batch));
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
	return status != GS_OK ? status : feed_resident(r, &in);
}

static gs_status
feed_cached(group_op_run *r, const gs_input *in)
{
	gs_input	normal = *in;
	gs_status	status;

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
	if (r->op->kind == GS_EXPRESSION)
		return check(r, gs_expression_finish(r->op, &gs_group_cuda, r->run,
											 result));
	status = check(r, gs_group_cuda.finish(r->run, &summary));
	if (status == GS_OK)
		result->results = summary.groups;
	return status;
}

gs_status
group_op_fetch(group_op_run *r, gs_column column, int64_t first, int64_t n,
			   void *to)
{
	return check(r, gs_group_cuda.fetch(r->run,
										gs_group_op_column(r->op, column),
										first, n, to));
}

void
group_op_end(group_op_run *r)
{
	if (r->run != NULL)
		gs_group_cuda.end(r->run);
	free(r);
}
