/*-------------------------------------------------------------------------
 *
 * batch.cu
 *	  A batch's columns on the device, one value a row.
 *
 * Columns that are resident and have a value for each row are used in place.
 * Others are copied to the device, and packed values are moved apart.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/engine.cuh"

#define THREADS		256

cudaError_t
group_reserve(group_memory *m, size_t size, cudaStream_t stream)
{
	if (size <= m->size)
		return cudaSuccess;
	if (m->at != NULL)
		GS_TRY(cudaStreamSynchronize(stream));	/* before it is given back */
	group_free(m);
	GS_TRY(gs_memory_acquire(size, &m->at));
	m->size = size;
	return cudaSuccess;
}

cudaError_t
group_grow(group_memory *m, size_t size, size_t kept, cudaStream_t stream)
{
	group_memory more = {NULL, 0};
	cudaError_t error;

	if (size <= m->size)
		return cudaSuccess;
	GS_TRY(group_reserve(&more, size, stream));
	error = kept == 0 ? cudaSuccess :
		cudaMemcpyAsync(more.at, m->at, kept, cudaMemcpyDeviceToDevice,
						stream);
	if (error == cudaSuccess && m->at != NULL)
		error = cudaStreamSynchronize(stream);	/* before it is given back */
	if (error != cudaSuccess)
	{
		group_free(&more);
		return error;
	}
	group_free(m);
	*m = more;
	return cudaSuccess;
}

void
group_free(group_memory *m)
{
	if (m->at != NULL)
		gs_memory_give_back(m->at);
	m->at = NULL;
	m->size = 0;
}

cudaError_t
group_report(gs_exec_context *context, const void *from, size_t size)
{
	GS_TRY(cudaMemcpyAsync(context->report, from, size,
						   cudaMemcpyDeviceToHost, context->compute));
	return cudaStreamSynchronize(context->compute);
}

cudaError_t
group_shared_size(size_t *size)
{
	int			device;
	int			max;

	GS_TRY(cudaGetDevice(&device));
	GS_TRY(cudaDeviceGetAttribute(&max,
								  cudaDevAttrMaxSharedMemoryPerBlockOptin,
								  device));
	*size = (size_t) max - GROUP_SHARED_OTHER;
	return cudaSuccess;
}

/* Move packed values apart: a warp does GS_RANK_BLOCK rows. */
template <typename T>
__global__ void
expand_kernel(const T *packed, const uint32_t *validity, int64_t n,
			  const uint32_t *ranks, T *values)
{
	int64_t		block = ((int64_t) blockIdx.x * THREADS + threadIdx.x) /
		GS_WARP;
	int64_t		first = block * GS_RANK_BLOCK;
	uint32_t	before;

	if (first >= n)
		return;
	before = ranks[block];
	for (int64_t at = first; at < n && at < first + GS_RANK_BLOCK;
		 at += GS_WARP)
	{
		uint32_t	bits = validity[at / 32];
		int64_t		row = at + gs_lane();
		uint32_t	below = bits & ((1u << gs_lane()) - 1);

		if (row < n)
			values[row] = (bits >> gs_lane() & 1) == 0 ? (T) 0 :
				packed[before + __popc(below)];
		before += __popc(bits);
	}
}

template <typename T>
static cudaError_t
expand(const void *packed, const uint32_t *validity, int64_t n,
	   const uint32_t *ranks, void *values, cudaStream_t stream)
{
	int64_t		warps = gs_divide_up(n, GS_RANK_BLOCK);

	expand_kernel<<<(unsigned int) gs_divide_up(warps * GS_WARP, THREADS),
		THREADS, 0, stream>>>((const T *) packed, validity, n, ranks,
							  (T *) values);
	return gs_launched();
}

static cudaError_t
expand_column(group_batch_memory *m, group_memory *to,
			  const gs_column_data *data, group_column *column, int64_t n,
			  cudaStream_t stream)
{
	uint32_t   *ranks;
	char	   *at;
	const void *packed = column->values;

	GS_TRY(group_reserve(to, n * data->width + 16, stream));
	GS_TRY(group_reserve(&m->ranks, gs_aligned(gs_bitmap_ranks_size(n)) +
						 gs_aligned(gs_bitmap_ranks_scratch_size(n)), stream));
	at = m->ranks.at;
	ranks = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	GS_TRY(gs_bitmap_ranks((const uint8_t *) column->validity, n, ranks, at,
						   stream));
	column->values = to->at;
	switch (data->width)
	{
		case 1:
			return expand<uint8_t>(packed, column->validity, n, ranks,
								   to->at, stream);
		case 2:
			return expand<uint16_t>(packed, column->validity, n, ranks,
									to->at, stream);
		case 4:
			return expand<uint32_t>(packed, column->validity, n, ranks,
									to->at, stream);
		default:
			return expand<uint64_t>(packed, column->validity, n, ranks,
									to->at, stream);
	}
}

/* Copy host memory to the device, with whole 16 bytes behind it. */
static cudaError_t
upload(group_memory *to, const void *from, size_t size, cudaStream_t stream)
{
	GS_TRY(group_reserve(to, gs_aligned(size + 16), stream));
	if (size == 0)
		return cudaSuccess;
	return cudaMemcpyAsync(to->at, from, size, cudaMemcpyHostToDevice, stream);
}

/*
 * Bits beyond n in the last byte are whatever they are.  Words are read whole,
 * so the bytes behind it get a value.
 */
static cudaError_t
upload_bits(group_memory *to, const uint8_t *bits, int64_t n,
			cudaStream_t stream)
{
	size_t		size = (size_t) (n + 7) / 8;
	size_t		whole = group_bits_size(n);

	GS_TRY(group_reserve(to, gs_aligned(whole + 16), stream));
	if (size < whole)
		GS_TRY(cudaMemsetAsync(to->at + size, 0, whole - size, stream));
	return cudaMemcpyAsync(to->at, bits, size, cudaMemcpyHostToDevice, stream);
}

int
group_format_of(gs_type type, int width)
{
	if (type == GS_FLOAT4)
		return GROUP_FLOAT4;
	if (width == 8)
		return GROUP_WORD;
	if (width < gs_type_width(type) || type == GS_BOOL)
		return width == 1 ? GROUP_U1 : width == 2 ? GROUP_U2 : GROUP_U4;
	return width == 2 ? GROUP_S2 : GROUP_S4;
}

static cudaError_t
place_column(group_batch_memory *m, int c, gs_type type,
			 const gs_batch *batch, group_column *column, cudaStream_t stream)
{
	const gs_column_data *data = &batch->column[c];
	bool		expanded = data->packed && data->validity != NULL;

	column->type = type;
	column->format = group_format_of(type, data->width);
	column->base = data->base;
	column->values = data->values;
	column->validity = (const uint32_t *) data->validity;
	if (!batch->resident)
	{
		int64_t		n = expanded ? gs_count_bits(data->validity, batch->n) :
			batch->n;

		GS_TRY(upload(&m->values[c], data->values, n * data->width, stream));
		column->values = m->values[c].at;
		if (data->validity != NULL)
		{
			GS_TRY(upload_bits(&m->validity[c], data->validity, batch->n,
							   stream));
			column->validity = (const uint32_t *) m->validity[c].at;
		}
	}
	return !expanded ? cudaSuccess :
		expand_column(m, &m->expanded[c], data, column, batch->n, stream);
}

/*
 * Place a batch's columns on the device, and its row mask; *rows is NULL if
 * all rows count.
 */
cudaError_t
group_batch_place(group_batch_memory *m, const gs_plan *plan,
				  const gs_batch *batch, group_column *columns,
				  const uint32_t **rows, cudaStream_t stream)
{
	for (int c = 0; c < plan->columns; c++)
		GS_TRY(place_column(m, c, (gs_type) plan->column[c], batch,
							&columns[c], stream));
	*rows = (const uint32_t *) batch->rows;
	if (batch->resident || batch->rows == NULL)
		return cudaSuccess;
	GS_TRY(upload_bits(&m->rows, batch->rows, batch->n, stream));
	*rows = (const uint32_t *) m->rows.at;
	return cudaSuccess;
}

void
group_batch_free(group_batch_memory *m)
{
	for (int c = 0; c < GS_PLAN_COLUMNS; c++)
	{
		group_free(&m->values[c]);
		group_free(&m->validity[c]);
		group_free(&m->expanded[c]);
	}
	group_free(&m->rows);
	group_free(&m->ranks);
	group_free(&m->streamed[0]);
	group_free(&m->streamed[1]);
	group_free(&m->unscaled);
}
