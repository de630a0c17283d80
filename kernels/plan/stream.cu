/*-------------------------------------------------------------------------
 *
 * stream.cu
 *	  Batches of which columns are in the host's memory (gs_engine.reserve_host).
 *
 * Kernels could read them where they are, but some read a value several times.
 * So parts of the batch are copied to the device, each one while the part before
 * it is computed: the link never waits, as long as computing is faster than it.
 * Values with a unit (gs_encoding) cross the link as they are; on the device they
 * get their full width before the part is computed, so that no kernel but
 * scaled.cu's knows of units.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/run.cuh"

/*
 * What is copied of a batch at a time: several times as long as it takes to
 * launch kernels, and little next to the batch.
 */
#define PART_BYTES	(INT64_C(16) << 20)

/* What values with a unit take on the device, at most: 8 bytes each. */
#define UNSCALED_BYTES	(INT64_C(64) << 20)

/* Parts begin at multiples of so many rows: their bitmaps are aligned, too. */
#define PART_GRAIN	(GS_CACHE_ALIGN * 8)

typedef struct stream_part
{
	gs_batch	batch;
	gs_column_data column[GS_PLAN_COLUMNS];
} stream_part;

bool
group_is_streamed(const gs_plan *plan, const gs_batch *batch)
{
	for (int c = 0; c < plan->columns && batch->resident; c++)
	{
		if (batch->column[c].on_host)
			return true;
	}
	return false;
}

static int64_t
rows_of_part(const gs_plan *plan, const gs_batch *batch)
{
	int64_t		width = 0;
	int64_t		unscaled = 0;
	int64_t		rows;

	for (int c = 0; c < plan->columns; c++)
	{
		width += batch->column[c].on_host ? batch->column[c].width : 0;
		unscaled += batch->column[c].unit != 0 ? 8 : 0;
	}
	rows = PART_BYTES / width;
	if (unscaled > 0 && rows > UNSCALED_BYTES / unscaled)
		rows = UNSCALED_BYTES / unscaled;
	rows = rows / PART_GRAIN * PART_GRAIN;
	return rows < batch->n ? rows : batch->n;
}

/* What may be read behind a column, too. */
static size_t
column_size(int width, int64_t rows)
{
	return gs_aligned((size_t) (rows * width) + 16);
}

static size_t
size_of_part(const gs_plan *plan, const gs_batch *batch, int64_t rows)
{
	size_t		size = 0;

	for (int c = 0; c < plan->columns; c++)
		size += batch->column[c].on_host ?
			column_size(batch->column[c].width, rows) : 0;
	return size;
}

static size_t
size_unscaled(const gs_plan *plan, const gs_batch *batch, int64_t rows)
{
	size_t		size = 0;

	for (int c = 0; c < plan->columns; c++)
		size += batch->column[c].unit != 0 ? column_size(8, rows) : 0;
	return size;
}

/* Begin to copy rows of a batch to the device. */
static cudaError_t
begin_part(gs_plan_run *run, const gs_batch *batch, int64_t first, int64_t n,
		   stream_part *part, char *to, cudaEvent_t copied)
{
	cudaStream_t stream = run->context->upload;

	part->batch = *batch;
	part->batch.n = n;
	part->batch.stays = 0;
	part->batch.column = part->column;
	if (batch->rows != NULL)
		part->batch.rows += first / 8;
	for (int c = 0; c < run->plan->columns; c++)
	{
		gs_column_data *column = &part->column[c];

		*column = batch->column[c];
		column->values = (const char *) column->values + first * column->width;
		if (column->validity != NULL)
			column->validity += first / 8;
		if (!column->on_host)
			continue;
		GS_TRY(cudaMemcpyAsync(to, column->values, n * column->width,
							   cudaMemcpyHostToDevice, stream));
		column->values = to;
		column->on_host = 0;
		to += column_size(column->width, n);
	}
	return cudaEventRecord(copied, stream);
}

/* Give values with a unit, which have been copied, their full width. */
static cudaError_t
unscale_part(gs_plan_run *run, stream_part *part)
{
	char	   *to = run->batch.unscaled.at;

	for (int c = 0; c < run->plan->columns; c++)
	{
		gs_column_data *column = &part->column[c];
		const gs_encoding encoding = {column->width, column->base,
			column->unit};

		if (column->unit == 0)
			continue;
		GS_TRY(gs_unscale(to, (gs_type) run->plan->column[c], column->values,
						  &encoding, part->batch.n, stream_of(run)));
		column->values = to;
		column->width = 8;
		column->base = 0;
		column->unit = 0;
		to += column_size(8, part->batch.n);
	}
	return cudaSuccess;
}

static cudaError_t
feed_parts(gs_plan_run *run, const gs_batch *batch, int64_t most)
{
	group_memory *memory = run->batch.streamed;
	cudaEvent_t copied[2] = {run->context->stage[0].downloaded,
		run->context->stage[1].downloaded};
	stream_part part[2];
	int			at = 0;

	GS_TRY(begin_part(run, batch, 0, most, &part[0], memory[0].at, copied[0]));
	for (int64_t next = most; part[at].batch.n > 0; next += most, at = !at)
	{
		int64_t		left = batch->n - next;

		/* what was there has been computed */
		part[!at].batch.n = 0;
		if (left > 0)
			GS_TRY(begin_part(run, batch, next, left < most ? left : most,
							  &part[!at], memory[!at].at, copied[!at]));
		GS_TRY(cudaStreamWaitEvent(stream_of(run), copied[at], 0));
		GS_TRY(unscale_part(run, &part[at]));
		GS_TRY(group_feed_batch(run, &part[at].batch));
	}
	return cudaSuccess;
}

cudaError_t
group_feed_streamed(gs_plan_run *run, const gs_batch *batch)
{
	int64_t		most = rows_of_part(run->plan, batch);
	size_t		size = size_of_part(run->plan, batch, most);
	cudaError_t error;

	for (int i = 0; i < (batch->n > most ? 2 : 1); i++)
		GS_TRY(group_reserve(&run->batch.streamed[i], size, stream_of(run)));
	GS_TRY(group_reserve(&run->batch.unscaled,
						 size_unscaled(run->plan, batch, most),
						 stream_of(run)));
	error = feed_parts(run, batch, most);
	if (error != cudaSuccess)
		(void) cudaStreamSynchronize(run->context->upload);
	return error;
}
