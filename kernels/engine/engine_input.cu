/*-------------------------------------------------------------------------
 *
 * engine_input.cu
 *	  The input of a batch, on its way to the device or where it is there.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/engine/engine_run.cuh"

static size_t
span_size(int64_t n, int width)
{
	return gs_aligned(n * width + 16) + gs_aligned(gs_bitmap_size(n) + 16);
}

/*
 * The device memory of a stage's input; kernels read whole 16 bytes.  What
 * comes whole with each batch is used where it is.
 */
size_t
gs_input_size(const gs_run *run, int64_t n)
{
	const bool	placement = gs_is_placement((gs_kind) run->op->kind);
	size_t		size = 0;

	if (!placement || gs_has_mask(run->op))
		size += span_size(n, run->width);
	if (!placement && gs_has_mask(run->op))
		size += span_size(n, run->mask_width);
	return size;
}

static cudaStream_t
upload_stream(const gs_run *run)
{
	return run->depth > 1 ? run->context->upload : run->context->compute;
}

/* One part of a batch's input: its source and destination. */
typedef struct part
{
	const void *from;
	size_t		size;
	size_t		at;				/* offset in the batch's device memory */
} part;

typedef struct input_layout
{
	part		part[4];
	int			parts;
	size_t		size;
} input_layout;

static const void *
add_part(input_layout *layout, const void *from, size_t size, char *base)
{
	part	   *p = &layout->part[layout->parts++];

	p->from = from;
	p->size = size;
	p->at = layout->size;
	layout->size += gs_aligned(size + 16);
	return base + p->at;
}

static void
add_span(input_layout *layout, const gs_span *span, int64_t n, int width,
		 char *base, gs_device_span *to)
{
	to->present = span->present;
	to->values = add_part(layout, span->values, span->present * width, base);
	if (span->present < n)
		to->validity = (const uint8_t *)
			add_part(layout, span->validity, gs_divide_up(n, 8), base);
}

/* From the host. */
cudaError_t
gs_upload_input(gs_run *run, gs_device_batch *c, const gs_input *in,
				gs_device_input *to)
{
	cudaStream_t stream = upload_stream(run);
	input_layout layout;

	memset(&layout, 0, sizeof layout);
	memset(to, 0, sizeof *to);
	to->first = run->fed;
	to->n = in->n;
	to->all = run->n;
	to->before = run->present;
	add_span(&layout, &in->data, in->n, run->width, c->in, &to->data);
	if (gs_has_mask(run->op))
		add_span(&layout, &in->mask, in->n, run->mask_width, c->in,
				 &to->mask);

	/* the wait for a batch without results does not cover its computation */
	if (run->depth > 1 && c->used)
		GS_TRY(cudaStreamWaitEvent(stream, c->stage->computed, 0));
	c->bounced_in = layout.size <= GS_BOUNCE_SIZE;
	for (int i = 0; i < layout.parts; i++)
	{
		part	   *p = &layout.part[i];

		if (p->size == 0)
			continue;
		if (c->bounced_in)
		{
			memcpy(c->stage->in + p->at, p->from, p->size);
			continue;
		}
		/*
		 * kernels read beyond the end: the content is irrelevant, but defined
		 */
		GS_TRY(cudaMemsetAsync(c->in + p->at + p->size / 16 * 16, 0, 16,
							   stream));
		GS_TRY(cudaMemcpyAsync(c->in + p->at, p->from, p->size,
							   cudaMemcpyHostToDevice, stream));
	}
	if (c->bounced_in)
		GS_TRY(cudaMemcpyAsync(c->in, c->stage->in, layout.size,
							   cudaMemcpyHostToDevice, stream));
	if (run->depth > 1 || !c->bounced_in || !c->last)
		GS_TRY(cudaEventRecord(c->stage->uploaded, stream));
	if (run->depth > 1)
		GS_TRY(cudaStreamWaitEvent(run->context->compute, c->stage->uploaded,
								   0));
	return cudaSuccess;
}

/* A part on the device: in place if it is aligned, else copied to *buffer. */
static cudaError_t
align_part(const void *from, size_t size, char **buffer, cudaStream_t stream,
		   const void **to)
{
	*to = from;
	if ((uintptr_t) from % GS_DEVICE_ALIGN == 0 || size == 0)
		return cudaSuccess;
	*to = *buffer;
	*buffer += gs_aligned(size + 16);
	GS_TRY(cudaMemsetAsync((char *) *to + size / 16 * 16, 0, 16, stream));
	return cudaMemcpyAsync((char *) *to, from, size, cudaMemcpyDeviceToDevice,
						   stream);
}

/* A span of a batch of n elements, or a whole array of another number. */
static cudaError_t
place_span(const gs_span *span, int64_t n, bool whole, int width,
		   char **buffer, cudaStream_t stream, gs_device_span *to)
{
	const void *bits = NULL;

	to->present = span->present;
	if (whole)
	{
		to->values = span->values;
		to->validity = span->present < n ? span->validity : NULL;
		return cudaSuccess;
	}
	GS_TRY(align_part(span->values, span->present * width, buffer, stream,
					  &to->values));
	if (span->present < n)
		GS_TRY(align_part(span->validity, gs_divide_up(n, 8), buffer, stream,
						  &bits));
	to->validity = (const uint8_t *) bits;
	return cudaSuccess;
}

/* Of an array that is on the device. */
cudaError_t
gs_place_input(gs_run *run, gs_device_batch *c, const gs_input *in,
			   gs_device_input *to)
{
	const gs_op *op = run->op;
	const bool	placement = gs_is_placement((gs_kind) op->kind);
	cudaStream_t stream = run->context->compute;
	char	   *buffer = c->in;

	memset(to, 0, sizeof *to);
	to->first = run->fed;
	to->n = in->n;
	to->all = run->n;
	to->before = run->present;
	GS_TRY(place_span(&in->data, gs_data_elements(op, in->n, run->n),
					  placement && !gs_has_mask(op), run->width, &buffer,
					  stream, &to->data));
	if (gs_has_mask(op))
		GS_TRY(place_span(&in->mask, gs_mask_elements(op, in->n), placement,
						  run->mask_width, &buffer, stream, &to->mask));
	if (gs_has_third(op))
		GS_TRY(place_span(&in->third, gs_mask_elements(op, in->n), true, 0,
						  &buffer, stream, &to->third));
	return cudaSuccess;
}
