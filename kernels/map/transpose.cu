/*-------------------------------------------------------------------------
 *
 * transpose.cu
 *	  Values column by column.
 *
 * Batches are gathered in the state, and each fetch computes the results that
 * it is asked for.  A block has a tile of rows and columns: it reads row by
 * row, and writes column by column, through shared memory, so that both are
 * coalesced.  A tile is square; if there are only few columns it has all of
 * them and more rows, and if there are only few rows the reverse, so that
 * narrow arrays fill it, too.
 *
 * Source: Ruetsch and Micikevicius, Optimizing matrix transpose in CUDA,
 * 2009.
 * Determinism: results are copies.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/common.cuh"
#include "engine/transpose.h"

#define THREADS		256
#define SIDE		64
#define TILE		(SIDE * SIDE)

/*
 * Index in shared memory: lanes that read the same row of the tile, or the
 * same column, find it in different banks, or nearly so.
 */
#define PLACE(i)	((i) + (i) / GS_WARP)

/* The tiles that hold the results of a fetch. */
typedef struct transpose_tiles
{
	gs_transposition t;
	int			rows;			/* of a tile */
	int			columns;
	int64_t		first_row;		/* of the first tile */
	int64_t		first_column;
	int64_t		across;			/* tiles side by side */
	int64_t		all;
	int64_t		first;			/* the ranks wanted */
	int64_t		end;
} transpose_tiles;

static transpose_tiles
tiles_of(gs_transposition t, int64_t first, int64_t count)
{
	const int64_t all_rows = t.full + (t.rest > 0);
	transpose_tiles s = {0};
	int64_t		last_column = gs_column_of(&t, first + count - 1);
	int64_t		first_row = 0;
	int64_t		last_row = all_rows - 1;

	s.t = t;
	s.first = first;
	s.end = first + count;
	s.rows = s.columns = SIDE;
	if (t.columns < SIDE)
	{
		s.columns = (int) t.columns;
		s.rows = TILE / s.columns;
	}
	else if (all_rows < SIDE)
	{
		s.rows = (int) all_rows;
		s.columns = TILE / s.rows;
	}
	s.first_column = gs_column_of(&t, first);
	if (s.first_column == last_column)
	{
		first_row = first - gs_column_start(&t, last_column);
		last_row = s.end - 1 - gs_column_start(&t, last_column);
	}
	s.first_row = first_row / s.rows * s.rows;
	s.first_column = s.first_column / s.columns * s.columns;
	s.across = (last_column - s.first_column) / s.columns + 1;
	s.all = s.across * ((last_row - s.first_row) / s.rows + 1);
	return s;
}

/* The rank of a value, or -1 if it is not there or not wanted. */
static __device__ __forceinline__ int64_t
wanted_rank(const transpose_tiles &s, int64_t row, int64_t column)
{
	int64_t		rank = gs_column_start(&s.t, column) + row;

	return column < s.t.columns && row * s.t.columns + column < s.t.n &&
		rank >= s.first && rank < s.end ? rank : -1;
}

template <typename T>
static __global__ void __launch_bounds__(THREADS)
transpose_kernel(const T *values, transpose_tiles s, T *to)
{
	__shared__ T tile[PLACE(TILE)];
	const uint32_t rows = s.rows;
	const uint32_t columns = s.columns;
	const int64_t first_row = s.first_row + blockIdx.x / s.across * rows;
	const int64_t first_column = s.first_column +
		blockIdx.x % s.across * columns;

	for (uint32_t i = threadIdx.x; i < rows * columns; i += THREADS)
	{
		uint32_t	r = i / columns;
		uint32_t	c = i % columns;

		if (wanted_rank(s, first_row + r, first_column + c) >= 0)
			tile[PLACE(c * rows + r)] =
				values[(first_row + r) * s.t.columns + first_column + c];
	}
	__syncthreads();
	for (uint32_t i = threadIdx.x; i < rows * columns; i += THREADS)
	{
		int64_t		rank = wanted_rank(s, first_row + i % rows,
									   first_column + i / rows);

		if (rank >= 0)
			to[rank - s.first] = tile[PLACE(i)];
	}
}

static size_t
transpose_state_size(const gs_op *op, int64_t n)
{
	return n * gs_type_width((gs_type) op->type) + 16;
}

static cudaError_t
transpose_batch(const gs_op *op, const gs_device_input *in,
				const gs_device_output *, void *state, void *,
				cudaStream_t stream)
{
	const int64_t width = gs_type_width((gs_type) op->type);

	if (in->data.present == 0)
		return cudaSuccess;
	return cudaMemcpyAsync((char *) state + in->before * width,
						   in->data.values, in->data.present * width,
						   cudaMemcpyDeviceToDevice, stream);
}

static void
transpose_result(const gs_op *, const void *, gs_result *result)
{
	result->results = result->present;
}

template <typename T>
static cudaError_t
take(const transpose_tiles &s, const void *state, void *to,
	 cudaStream_t stream)
{
	transpose_kernel<T><<<(unsigned int) s.all, THREADS, 0, stream>>>
		((const T *) state, s, (T *) to);
	return gs_launched();
}

static cudaError_t
transpose_fetch(const gs_op *op, int64_t, int64_t present, gs_column,
				int64_t first, int64_t count, void *state, void *to,
				cudaStream_t stream)
{
	transpose_tiles s;

	if (count == 0)
		return cudaSuccess;
	s = tiles_of(gs_transposition_of(present, op->transpose.columns), first,
				 count);
	switch (gs_type_width((gs_type) op->type))
	{
		case 2:
			return take<uint16_t>(s, state, to, stream);
		case 4:
			return take<uint32_t>(s, state, to, stream);
		default:
			return take<uint64_t>(s, state, to, stream);
	}
}

const gs_kernels gs_transpose_kernels = {
	.name = "transpose",
	.state_size = transpose_state_size,
	.batch = transpose_batch,
	.result = transpose_result,
	.fetch = transpose_fetch
};
