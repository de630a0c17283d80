/*-------------------------------------------------------------------------
 *
 * move.cu
 *	  Columns from the order of rows into that of places.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/places.cuh"

template <typename T>
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
gather_values(const T *from, const uint32_t *row, uint32_t n, T *to)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < n;
		 i += step)
		to[i] = from[row[i]];
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
gather_bits(const uint8_t *from, const uint32_t *row, uint32_t n, uint32_t *to)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t at = blockIdx.x * WINDOWS_THREADS; at < n; at += step)
	{
		uint32_t	i = at + threadIdx.x;
		uint32_t	bits = __ballot_sync(GS_ALL_LANES,
										 i < n && bit_of(from, row[i]));

		if (gs_lane() == 0 && i < n)
			to[i / GS_WARP] = bits;
	}
}

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
set_bits_kernel(uint32_t *bits, uint32_t words, uint32_t n)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < words;
		 i += step)
	{
		int64_t		left = (int64_t) n - (int64_t) i * GS_WARP;

		bits[i] = left >= GS_WARP ? UINT32_MAX :
			left <= 0 ? 0 : (1u << left) - 1;
	}
}

static uint32_t
words_of(int64_t n)
{
	return (uint32_t) (gs_divide_up(n, 64) * 2);
}

cudaError_t
windows_set_bits(windows_run *run, uint32_t *bits, int64_t n)
{
	unsigned int blocks;

	GS_TRY(windows_grid(words_of(n), &blocks));
	set_bits_kernel<<<blocks, WINDOWS_THREADS, 0, windows_stream(run)>>>
		(bits, words_of(n), (uint32_t) n);
	return gs_launched();
}

template <typename T>
static cudaError_t
move_values(windows_run *run, const windows_places *p, const void *values,
			void *scratch)
{
	unsigned int blocks;

	GS_TRY(windows_grid(p->n, &blocks));
	gather_values<T><<<blocks, WINDOWS_THREADS, 0, windows_stream(run)>>>
		((const T *) values, p->row, p->n, (T *) scratch);
	GS_TRY(gs_launched());
	return cudaMemcpyAsync((void *) values, scratch, p->n * sizeof(T),
						   cudaMemcpyDeviceToDevice, windows_stream(run));
}

static cudaError_t
move_bits(windows_run *run, const windows_places *p, const uint8_t *bits,
		  void *scratch)
{
	size_t		size = words_of(p->n) * sizeof(uint32_t);
	unsigned int blocks;

	GS_TRY(windows_grid(p->n, &blocks));
	GS_TRY(cudaMemsetAsync(scratch, 0, size, windows_stream(run)));
	gather_bits<<<blocks, WINDOWS_THREADS, 0, windows_stream(run)>>>
		(bits, p->row, p->n, (uint32_t *) scratch);
	GS_TRY(gs_launched());
	return cudaMemcpyAsync((void *) bits, scratch, size,
						   cudaMemcpyDeviceToDevice, windows_stream(run));
}

cudaError_t
windows_permute(windows_run *run, int column, const windows_places *p)
{
	const gs_column_data *c = &run->relation->column[column];
	void	   *scratch;
	void	   *bits;

	GS_TRY(windows_take(run, (size_t) p->n * (size_t) c->width, &scratch));
	switch (c->width)
	{
		case 1:
			GS_TRY(move_values<uint8_t>(run, p, c->values, scratch));
			break;
		case 2:
			GS_TRY(move_values<uint16_t>(run, p, c->values, scratch));
			break;
		case 4:
			GS_TRY(move_values<uint32_t>(run, p, c->values, scratch));
			break;
		default:
			GS_TRY(move_values<uint64_t>(run, p, c->values, scratch));
			break;
	}
	if (c->validity == NULL)
		return cudaSuccess;
	GS_TRY(windows_take(run, words_of(p->n) * sizeof(uint32_t), &bits));
	return move_bits(run, p, c->validity, bits);
}
