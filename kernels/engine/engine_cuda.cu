/*-------------------------------------------------------------------------
 *
 * engine_cuda.cu
 *	  The CUDA engine: one execution from begin to end.
 *
 * An array of several batches goes through three streams: one uploads, one
 * computes, one downloads, so that the link is busy in both directions while
 * kernels run.  Each batch in flight has a stage (device.h): device memory for
 * its input and output, and events by which the streams wait for each other.
 * A stage is reused after the wait for its batch.  An array of one batch has
 * nothing to overlap, so it uses a single stream.
 *
 * A download of results needs their number.  If it is known beforehand, or the
 * results are few, feed enqueues the download.  Otherwise the download must
 * follow the computation: the next feed that finds the batch computed starts
 * it, or else the wait.
 *
 * An array of one batch may need the fallback (kernels.h).  The wait for it
 * learns that from the batch itself, and the input is still there.
 *
 * An array that is already on the device is used in place.  Without results to
 * download it is one batch, however large.  With results it is cut like any
 * other, and a part that starts unaligned, as values behind NULLs may, is
 * first copied to a stage, since kernels need the alignment.  A
 * gs_is_placement() is only of such arrays.
 *
 * Plans (is_plan) have no kernels of their own: group_op.cu leaves them to the
 * engine for plans.  Here it is an execution without results, whose feeds it copies.
 *
 * Counts and bitmaps of the input are not verified.  Whatever they say,
 * kernels read and write only within this execution's memory: each part of a
 * stage is large enough for all elements of a batch.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/engine/engine_run.cuh"

#include "engine/elements.h"
#include "engine/interpolate.h"

#include <stdlib.h>

/*
 * A batch has about this many bytes of elements or of results, whichever are
 * larger.
 */
#define BATCH_BYTES		(4 << 20)

/* When memory is short, batches shrink, down to this many elements. */
#define BATCH_MIN		(8 * GS_BATCH_ALIGN)

/* Those of operations that are left to the engine for plans. */
static const gs_kernels gs_plan_kernels = {};

const gs_kernels *
gs_kernels_of(const gs_op *op)
{
	static const gs_kernels *const kernels[GS_KINDS] = {
		NULL,
#define OPERATION(kind, name, family, types, arguments, output, null_result, \
				  cpu, cuda, float_ns, other_ns) \
		&gs_##cuda##_kernels,
		GS_OPERATIONS(OPERATION)
#undef OPERATION
	};

	return kernels[op->kind];
}

static bool
is_plan(const gs_op *op)
{
	return gs_kernels_of(op) == &gs_plan_kernels;
}

static gs_status
fail(gs_run *run, gs_status status, const char *message)
{
	return gs_device_fail(&run->error, status, message);
}

static gs_status
outcome(gs_run *run, cudaError_t error)
{
	return gs_device_outcome(&run->error, error);
}

/* ----------
 * Begin
 * ----------
 */

static size_t
output_size(const gs_run *run, int64_t n)
{
	if (run->out_width == 0)
		return 0;
	return gs_aligned(gs_bitmap_size(n)) + gs_aligned(n * run->out_width + 16);
}

/*
 * Can the array be one batch of any size?  Orders and other moving frames copy
 * their input anyway.
 */
static bool
may_be_whole(const gs_run *run)
{
	return run->op->cached && run->out_width == 0 &&
		!gs_is_order((gs_kind) run->op->kind) &&
		(!gs_is_moving((gs_kind) run->op->kind) ||
		 run->op->kind == GS_EWMA);
}

/* Is the array one batch that is on the device? */
static bool
is_in_place(const gs_run *run)
{
	return may_be_whole(run) && run->n <= run->max_batch;
}

/* Lay out device memory for batches of run->max_batch elements. */
static cudaError_t
reserve(gs_run *run)
{
	gs_exec_context *context = run->context;
	size_t		state = gs_aligned
		(gs_kernels_state_size(run->kernels, run->op, run->n));
	size_t		scratch = gs_aligned
		(gs_kernels_scratch_size(run->kernels, run->op, run->max_batch));
	size_t		in = is_in_place(run) && run->kernels->fetch == NULL ? 0 :
		gs_input_size(run, run->max_batch);
	size_t		out = output_size(run, run->max_batch);
	char	   *at;

	GS_TRY(gs_exec_context_reserve(context, state + scratch +
								   run->depth * (in + out)));
	at = context->memory;
	run->state = (char *) gs_part(&at, state);
	run->scratch = (char *) gs_part(&at, scratch);
	for (int i = 0; i < run->depth; i++)
	{
		run->ring[i].stage = &context->stage[i];
		run->ring[i].in = (char *) gs_part(&at, in);
		run->ring[i].out = (char *) gs_part(&at, out);
	}
	return cudaSuccess;
}

/* How to cut an array whose widest elements have so many bytes. */
static void
choose_batch(gs_run *run, int widest)
{
	run->max_batch = may_be_whole(run) ? GS_BATCH_MAX : BATCH_BYTES / widest;
	if (run->n <= run->max_batch)
		run->max_batch = gs_divide_up(run->n, GS_BATCH_ALIGN) * GS_BATCH_ALIGN;
	if (run->max_batch == 0)
		run->max_batch = GS_BATCH_ALIGN;
	run->depth = run->n <= run->max_batch ? 1 : GS_DEPTH;
}

static cudaError_t
start(gs_run *run)
{
	cudaError_t error;

	GS_TRY(gs_exec_context_acquire(&run->context));
	choose_batch(run, run->width > run->out_width ? run->width :
				 run->out_width);
	for (;;)
	{
		error = reserve(run);
		if (error != cudaErrorMemoryAllocation || run->max_batch <= BATCH_MIN)
			break;
		run->max_batch = gs_divide_up(run->max_batch / 2, GS_BATCH_ALIGN) *
			GS_BATCH_ALIGN;
		run->depth = run->n <= run->max_batch ? 1 : GS_DEPTH;
	}
	GS_TRY(error);
	return run->kernels->start == NULL ? cudaSuccess :
		run->kernels->start(run->op, run->n, run->state,
							run->context->compute);
}

static gs_status
start_group(gs_run *run)
{
	gs_status	status;

	status = outcome(run, gs_exec_context_acquire(&run->context));
	if (status != GS_OK)
		return status;
	choose_batch(run, run->width > run->mask_width ? run->width :
				 run->mask_width);
	if (run->op->cached && !is_in_place(run))
		return fail(run, GS_NO_MEMORY, "the array is too long for a batch");
	for (int i = 0; i < run->depth; i++)
		run->ring[i].stage = &run->context->stage[i];
	return group_op_begin(run->op, run->n, run->context, &run->error,
						  &run->group);
}

/* A run that fails to start must be ended; until then it has the error. */
static gs_status
cuda_begin(const gs_op *op, int64_t n, const gs_sources *, gs_run **result)
{
	gs_run	   *run;

	*result = NULL;
	/* positions have 32 bits, as in every engine */
	if (gs_op_check(op) != GS_OK || n < 0 || n > INT32_MAX)
		return GS_INVALID;
	run = (gs_run *) calloc(1, sizeof *run);
	if (run == NULL)
		return GS_NO_MEMORY;
	*result = run;
	run->op = op;
	run->n = n;
	run->width = gs_type_width((gs_type) op->type);
	run->mask_width = gs_type_width(gs_mask_type(op));
	if (is_plan(op))
		return start_group(run);
	if (gs_is_placement((gs_kind) op->kind) && n > 0 && !op->cached)
		return fail(run, GS_INVALID, "the array is not on the device");
	run->kernels = gs_kernels_of(op);
	run->report_size = gs_kernels_report_size(run->kernels, op);
	if (gs_has_output(op))
		run->out_width = gs_type_width(gs_output_type(op));
	return outcome(run, start(run));
}

static void
cuda_shape(const gs_run *run, int64_t *batch, int *depth)
{
	*batch = run->max_batch;
	*depth = run->depth;
}

/* ----------
 * Feed
 * ----------
 */

static cudaStream_t
download_stream(const gs_run *run)
{
	return run->depth > 1 ? run->context->download : run->context->compute;
}

/* Start the download of `present` values and, if wanted, of the bitmap. */
static cudaError_t
download(gs_run *run, gs_device_batch *c, int64_t present, bool bitmap)
{
	cudaStream_t stream = download_stream(run);
	char	   *values = c->out + c->bits_size;

	if (run->depth > 1)
		GS_TRY(cudaStreamWaitEvent(stream, c->stage->computed, 0));
	if (c->bounced_out)
		GS_TRY(cudaMemcpyAsync(c->stage->out, c->out,
							   c->bits_size + present * run->out_width,
							   cudaMemcpyDeviceToHost, stream));
	else
	{
		if (present > 0)
			GS_TRY(cudaMemcpyAsync(c->to->values, values,
								   present * run->out_width,
								   cudaMemcpyDeviceToHost, stream));
		if (bitmap)
			GS_TRY(cudaMemcpyAsync(c->to->validity, c->out,
								   gs_divide_up(c->stage->done->n, 8),
								   cudaMemcpyDeviceToHost, stream));
	}
	GS_TRY(cudaEventRecord(c->stage->downloaded, stream));
	c->at = STAGE_DOWNLOADING;
	return cudaSuccess;
}

/* Download a computed batch, which reports its counts. */
static cudaError_t
download_done(gs_run *run, gs_device_batch *c)
{
	const gs_done *done = c->stage->done;

	if (done->n < 0 || done->n > c->n || done->present < 0 ||
		done->present > done->n)
		return cudaErrorUnknown;
	return download(run, c, done->present, done->present < done->n);
}

/*
 * After a batch's kernels: record their end, and start the download if the
 * count is known.
 */
static cudaError_t
follow(gs_run *run, gs_device_batch *c)
{
	if (run->depth > 1 || (run->out_width > 0 && !c->counted))
		GS_TRY(cudaEventRecord(c->stage->computed, run->context->compute));
	if (run->out_width > 0)
	{
		c->at = STAGE_FED;
		if (c->counted)
			GS_TRY(download(run, c, c->n, false));
	}
	return cudaSuccess;
}

/* Start the downloads of computed batches. */
static cudaError_t
download_ready(gs_run *run)
{
	for (int64_t i = run->waits; i < run->feeds; i++)
	{
		gs_device_batch *c = &run->ring[i % run->depth];
		bool		computed;

		if (c->at != STAGE_FED)
			continue;
		GS_TRY(gs_event_is_complete(c->stage->computed, &computed));
		if (!computed)
			break;
		GS_TRY(download_done(run, c));
	}
	return cudaSuccess;
}

/* After the last batch. */
static cudaError_t
fetch_report(gs_run *run)
{
	cudaStream_t stream = run->context->compute;

	if (run->kernels->arrange != NULL)
		GS_TRY(run->kernels->arrange(run->op, run->n, run->present, run->state,
									 stream));
	if (run->report_size > 0 && run->report_size <= GS_REPORT_SIZE)
	{
		GS_TRY(cudaMemcpyAsync(run->context->report, run->state,
							   run->report_size, cudaMemcpyDeviceToHost,
							   stream));
		GS_TRY(cudaEventRecord(run->context->reported, stream));
	}
	run->reported = true;
	return cudaSuccess;
}

static cudaError_t
engine_cuda_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	gs_device_batch *c = &run->ring[run->feeds % run->depth];
	cudaStream_t stream = run->context->compute;
	const int64_t elements = gs_data_elements(run->op, in->n, run->n);
	bool		nulls = gs_gives_null(run->op, in->data.present < elements);

	GS_TRY(download_ready(run));
	c->to = out;
	c->n = in->n;
	c->last = run->fed + in->n == run->n;
	c->at = STAGE_FREE;
	if (run->op->cached)
		GS_TRY(gs_place_input(run, c, in, &c->from));
	else
		GS_TRY(gs_upload_input(run, c, in, &c->from));
	if (run->fed > 0 && elements != in->n)
		run->present = 0;		/* it is the same array */
	run->present += in->data.present;

	c->bits_size = nulls ? gs_aligned(gs_bitmap_size(in->n)) : 0;
	c->bounced_out = c->bits_size + in->n * run->out_width <= GS_BOUNCE_SIZE;
	c->counted = c->bounced_out ||
		((gs_is_scan((gs_kind) run->op->kind) ||
		  gs_is_map((gs_kind) run->op->kind)) && !nulls);
	c->into.validity = nulls ? (uint8_t *) c->out : NULL;
	c->into.values = c->out + c->bits_size;
	c->into.done = c->stage->done;
	c->into.done->fallback = 0;
	c->into.done->overflow = 0;
	c->into.done->value_error = 0;
	c->into.done->undecided = 0;
	c->into.undecided = c->stage->undecided;
	GS_TRY(run->kernels->batch(run->op, &c->from,
							   run->out_width == 0 ? NULL : &c->into,
							   run->state, run->scratch, stream));
	c->used = true;
	GS_TRY(follow(run, c));
	if (c->last)
		GS_TRY(fetch_report(run));
	return cudaSuccess;
}

/* The wait is for the copies of the input. */
static gs_status
feed_group(gs_run *run, const gs_input *in)
{
	gs_device_batch *c = &run->ring[run->feeds % run->depth];
	gs_status	status = group_op_feed(run->group, in);

	run->present += in->data.present;
	return status != GS_OK ? status :
		outcome(run, cudaEventRecord(c->stage->uploaded,
									 run->context->compute));
}

static bool
validate_span(const gs_span *span, int64_t n)
{
	return span->present >= 0 && span->present <= n &&
		(span->present == 0 || span->values != NULL) &&
		(span->present == n || span->validity != NULL);
}

static gs_status
cuda_feed(gs_run *run, const gs_input *in, gs_output *out)
{
	const gs_op *op = run->op;
	const int64_t elements = gs_data_elements(op, in->n, run->n);
	gs_status	status;

	if (is_in_place(run) && in->n < run->n)
		return fail(run, GS_INVALID, "batch is not the array");
	if (in->n < 1 || in->n > run->max_batch || in->n > run->n - run->fed ||
		run->fed % GS_BATCH_ALIGN != 0 ||
		run->feeds - run->waits >= run->depth)
		return fail(run, GS_INVALID, "batch does not fit the array");
	if (op->kind == GS_CHOOSE_EITHER && run->fed + in->n > op->mask.elements)
		return fail(run, GS_INVALID, "batch does not fit the arrays");
	if (!validate_span(&in->data, elements) ||
		(gs_has_mask(op) &&
		 !validate_span(&in->mask, gs_mask_elements(op, in->n))) ||
		(gs_has_third(op) &&
		 !validate_span(&in->third, gs_mask_elements(op, in->n))))
		return fail(run, GS_INVALID, "batch's counts are wrong");
	if (run->out_width > 0)
	{
		if (out->values == NULL ||
			(out->validity == NULL &&
			 gs_gives_null(op, in->data.present < elements)))
			return fail(run, GS_INVALID, "batch has no output buffer");
		out->n = 0;
		out->present = 0;
	}
	status = is_plan(op) ? feed_group(run, in) :
		outcome(run, engine_cuda_feed(run, in, out));
	run->feeds++;
	run->fed += in->n;
	return status;
}

/* ----------
 * Wait
 * ----------
 */

static void
set_all_present(uint8_t *validity, int64_t n)
{
	memset(validity, 0xff, (size_t) (n / 8));
	if (n % 8 != 0)
		validity[n / 8] = (uint8_t) ((1u << n % 8) - 1);
}

/* One result that they have left to the host. */
static gs_answer
decide(const gs_op *op, const gs_value *v, gs_value *result)
{
	if (op->kind != GS_INTERPOLATE)
		return gs_element(op, &v[0], &v[1], result);
	result->f8 = gs_line_between((gs_type) op->type, v[0], v[1], v[2], v[3].f8,
								 v[4].f8);
	return GS_ANSWERED;
}

/*
 * The results that the kernels have left to the host.  If a value of the batch is
 * not there, the first such is the error, unless there may be one before it that
 * the list had no place for.
 */
static gs_status
complete_values(gs_run *run, const gs_device_batch *c)
{
	const gs_done *done = c->stage->done;
	const gs_undecided *undecided = c->stage->undecided;
	const gs_output *to = c->to;
	uint64_t	first = ~done->value_error;
	int64_t		place;

	if (done->undecided > GS_UNDECIDED_MAX)
		return fail(run, GS_VALUE_ERROR, "");
	for (int64_t i = 0; i < done->undecided; i++)
	{
		gs_value	result;
		gs_answer	answer = decide(run->op, undecided[i].value, &result);
		uint64_t	error = (uint64_t) undecided[i].place << GS_ANSWER_BITS |
			answer;

		if (answer == GS_ANSWERED)
			memcpy((char *) to->values + undecided[i].place * run->out_width,
				   &result, run->out_width);
		else if (error < first)
			first = error;
	}
	if (first == UINT64_MAX)
		return GS_OK;
	place = (int64_t) (first >> GS_ANSWER_BITS);
	run->error.answer = (int32_t) (first & ((1 << GS_ANSWER_BITS) - 1));
	run->error.position = c->from.first + 1 +
		(to->present < to->n ? gs_find_bit(to->validity, place) : place);
	return fail(run, GS_VALUE_ERROR, "");
}

/*
 * The results of a batch have arrived, at the caller's or in our pinned
 * memory.
 */
static gs_status
deliver_results(gs_run *run, gs_device_batch *c)
{
	const gs_done done = *c->stage->done;
	gs_output  *to = c->to;

	if (done.overflow != 0)
	{
		if (gs_range_status(run->op) != GS_VALUE_ERROR)
			run->error.position = done.overflow;
		return fail(run, gs_range_status(run->op), "");
	}
	to->n = done.n;
	to->present = done.present;
	if (c->bounced_out)
		memcpy(to->values, c->stage->out + c->bits_size,
			   done.present * run->out_width);
	if (to->validity != NULL && done.present == done.n)
		set_all_present(to->validity, done.n);
	else if (to->validity != NULL && c->bounced_out)
		memcpy(to->validity, c->stage->out, gs_divide_up(done.n, 8));
	return complete_values(run, c);
}

/* Run the fallback for an array of one batch. */
static cudaError_t
compute_fallback(gs_run *run, gs_device_batch *c)
{
	if (run->depth > 1 || run->kernels->fallback == NULL)
		return cudaErrorUnknown;
	c->stage->done->fallback = 0;
	GS_TRY(run->kernels->fallback(run->op, &c->from, &c->into, run->state,
								  run->scratch, run->context->compute));
	return follow(run, c);
}

static cudaError_t
wait_for(gs_run *run, gs_device_batch *c)
{
	if (run->out_width == 0)
	{
		/* until the input has been copied */
		if (run->op->cached || (c->bounced_in && c->last))
			return cudaSuccess;
		return gs_event_wait(c->stage->uploaded);
	}
	for (;;)
	{
		bool		fed = c->at == STAGE_FED;

		GS_TRY(gs_event_wait(fed ? c->stage->computed : c->stage->downloaded));
		if (c->stage->done->fallback)
			GS_TRY(compute_fallback(run, c));
		else if (fed)
			GS_TRY(download_done(run, c));
		else
			return cudaSuccess;
	}
}

static gs_status
cuda_wait(gs_run *run)
{
	gs_device_batch *c = &run->ring[run->waits % run->depth];
	gs_status	status;

	if (run->error.status != GS_OK)
		return run->error.status;
	if (run->waits == run->feeds)
		return fail(run, GS_INVALID, "no feed is in flight");
	status = outcome(run, wait_for(run, c));
	run->waits++;
	c->at = STAGE_FREE;
	if (status == GS_OK && run->out_width > 0)
		status = deliver_results(run, c);
	return status;
}

/* ----------
 * Finish
 * ----------
 */

/* A large report, such as a histogram's with many buckets, is fetched here. */
static cudaError_t
get_report(gs_run *run, char **large)
{
	cudaStream_t stream = run->context->compute;

	*large = NULL;
	if (!run->reported)
		GS_TRY(fetch_report(run));
	if (run->report_size == 0)
		return cudaSuccess;
	if (run->report_size <= GS_REPORT_SIZE)
		return gs_event_wait(run->context->reported);
	*large = (char *) malloc(run->report_size);
	if (*large == NULL)
		return cudaErrorMemoryAllocation;
	GS_TRY(cudaMemcpyAsync(*large, run->state, run->report_size,
						   cudaMemcpyDeviceToHost, stream));
	return cudaStreamSynchronize(stream);
}

static gs_status
get_result(gs_run *run, gs_result *result)
{
	char	   *large;
	gs_status	status = outcome(run, get_report(run, &large));
	void	   *report = large != NULL ? large : run->context->report;

	if (status == GS_OK && run->kernels->complete != NULL)
		status = outcome(run, run->kernels->complete
						 (run->op, run->n, run->present, report, run->state,
						  run->context->compute));
	if (status == GS_OK && run->kernels->result != NULL)
		run->kernels->result(run->op, report, result);
	free(large);
	return status;
}

static gs_status
cuda_finish(gs_run *run, gs_result *result)
{
	int64_t    *counts = result->counts;
	gs_status	status;

	if (run->fed != run->n || run->waits != run->feeds)
		return fail(run, GS_INVALID, "array is not complete");
	memset(result, 0, sizeof *result);
	result->n = run->n;
	result->present = run->present;
	result->counts = counts;
	if (is_plan(run->op))
		status = group_op_finish(run->group, result);
	else
		status = get_result(run, result);
	run->results = result->results;
	if (status == GS_OK && gs_is_moving((gs_kind) run->op->kind) &&
		result->position > 0)
	{
		run->error.position = result->position;
		return fail(run, gs_range_status(run->op), "");
	}
	return status;
}

/* ----------
 * Fetch
 * ----------
 */

/* Through a batch's device memory, which is no longer in use. */
static cudaError_t
engine_cuda_fetch(gs_run *run, gs_column column, int64_t first, int64_t n, char *to)
{
	cudaStream_t stream = run->context->compute;
	int64_t		width = (int64_t) gs_column_width(run->op, column);
	int64_t		max_count = run->max_batch * run->width / width;
	char	   *buffer = run->ring[0].in;

	for (int64_t at = 0; at < n; at += max_count)
	{
		int64_t		count = n - at < max_count ? n - at : max_count;

		GS_TRY(run->kernels->fetch(run->op, run->n, run->present, column,
								  first + at, count, run->state, buffer,
								  stream));
		GS_TRY(cudaMemcpyAsync(to + at * width, buffer, count * width,
							   cudaMemcpyDeviceToHost, stream));
	}
	return cudaStreamSynchronize(stream);
}

/* Fetch from where all results lie. */
static cudaError_t
fetch_column(gs_run *run, gs_column column, int64_t first, int64_t n,
			 void *to)
{
	cudaStream_t stream = run->context->compute;
	size_t		width = gs_column_width(run->op, column);
	const char *from = (const char *)
		run->kernels->column(run->op, run->n, column, run->state);

	if (from == NULL)
		return engine_cuda_fetch(run, column, first, n, (char *) to);
	if (n > 0)
		GS_TRY(cudaMemcpyAsync(to, from + first * width, n * width,
							   cudaMemcpyDeviceToHost, stream));
	return cudaStreamSynchronize(stream);
}

static gs_status
cuda_fetch(gs_run *run, gs_column column, int64_t first, int64_t n, void *to)
{
	const int64_t rows = gs_column_rows(column, run->results);

	if (run->error.status != GS_OK)
		return run->error.status;
	if (!gs_is_fetched((gs_kind) run->op->kind) ||
		!gs_has_column(run->op, column) || first < 0 || n < 0 ||
		first > rows || n > rows - first)
		return fail(run, GS_INVALID, "results are out of range");
	if (run->op->kind == GS_GROUP)
		return group_op_fetch(run->group, column, first, n, to);
	return outcome(run, run->kernels->column != NULL ?
				   fetch_column(run, column, first, n, to) :
				   engine_cuda_fetch(run, column, first, n, (char *) to));
}

static const gs_error *
cuda_error(const gs_run *run)
{
	return &run->error;
}

/*
 * Work in flight still uses memory that is about to be released, so wait for
 * it.  A lost device does no more work: its resources are useless, and remain
 * until the process ends.
 */
static void
cuda_end(gs_run *run)
{
	gs_exec_context *context = run->context;

	if (run->group != NULL)
		group_op_end(run->group);
	if (context != NULL && run->error.status != GS_DEVICE_LOST &&
		cudaStreamSynchronize(context->compute) == cudaSuccess &&
		(run->depth <= 1 ||
		 (cudaStreamSynchronize(context->upload) == cudaSuccess &&
		  cudaStreamSynchronize(context->download) == cudaSuccess)))
		gs_exec_context_release(context);
	free(run);
}

const gs_engine gs_engine_cuda = {
	"cuda",
	NULL,
	cuda_begin,
	cuda_shape,
	cuda_feed,
	cuda_wait,
	cuda_finish,
	cuda_fetch,
	cuda_error,
	cuda_end,
	NULL,
	false,
	false,
	NULL,
	gs_memory_reserve,
	gs_memory_put,
	gs_memory_write,
	gs_memory_get,
	gs_memory_widen,
	gs_memory_scale,
	gs_memory_unscale,
	gs_memory_release,
	gs_memory_reserve_host,
	gs_memory_release,
	gs_device_use_cuda,
	NULL,
	gs_reduce_each,
	true
};
