/*-------------------------------------------------------------------------
 *
 * range.cu
 *	  Frames that are ranges of values: these, in the order of places.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/frames.cuh"

__global__ static void
__launch_bounds__(WINDOWS_THREADS)
gather_range(const __grid_constant__ windows_places p, const void *values,
			 gs_type type, bool descending, int64_t *range)
{
	uint32_t	step = gridDim.x * WINDOWS_THREADS;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < p.n;
		 i += step)
	{
		int64_t		x = integer_of(values, type, row_of(p, i));

		range[i] = descending ? ~x : x;
	}
}

cudaError_t
windows_find_range(windows_call *c)
{
	const gs_sort_column *sort = &c->window->column[c->window->partition];
	windows_run *run = c->run;
	const gs_column_data *column = &run->relation->column[sort->column];
	unsigned int blocks;
	void	   *memory;

	GS_TRY(windows_take(run, c->places.n * sizeof(int64_t), &memory));
	GS_TRY(windows_grid(c->places.n, &blocks));
	gather_range<<<blocks, WINDOWS_THREADS, 0, windows_stream(run)>>>
		(c->places, column->values, (gs_type) run->type[sort->column],
		 sort->descending, (int64_t *) memory);
	c->range = (const int64_t *) memory;
	c->values = gs_window_range_of(c->f, (gs_type) run->type[sort->column],
								   sort->descending);
	c->range_validity = run->found[sort->column].nulls != 0 ?
		column->validity : NULL;
	return gs_launched();
}
