/*-------------------------------------------------------------------------
 *
 * look.cu
 *	  What is in columns: where their values lie, and whether there are NULLs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/windows/keys.cuh"

/* A column that is looked at. */
typedef struct look_column
{
	const void *values;
	const uint8_t *validity;	/* NULL: there are no NULLs */
	int32_t		type;			/* gs_type */
	int32_t		column;
} look_column;

typedef struct look_job
{
	windows_report *report;
	uint32_t	n;
	look_column column[GS_PLAN_COLUMNS];
} look_job;

/* What a thread has seen. */
struct looked
{
	int64_t		low = INT64_MAX;
	int64_t		high = INT64_MIN;
	gs_extent	extent = GS_NO_EXTENT;
	bool		nulls = false;
	bool		special = false;

	__device__ void
	add(const look_column &c, uint32_t i)
	{
		int64_t		x;
		double		real;

		if (!bit_of(c.validity, i))
		{
			nulls = true;
			return;
		}
		x = order_of(c.values, (gs_type) c.type, i);
		low = x < low ? x : low;
		high = x > high ? x : high;
		if (!gs_is_float((gs_type) c.type))
			return;
		real = float_of(c.values, (gs_type) c.type, i);
		if (gs_is_special(real))
			special = true;
		else
			gs_extent_add(&extent, real);
	}

	/* All threads of a warp; most have nothing new. */
	__device__ void
	tell(windows_found *found) const
	{
		long long	l = low;
		long long	h = high;
		unsigned int lowest = (unsigned int) extent.lowest;
		unsigned int end = (unsigned int) extent.end;
		bool		any_null = __any_sync(GS_ALL_LANES, nulls);
		bool		any_special = __any_sync(GS_ALL_LANES, special);

#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			l = min(l, __shfl_xor_sync(GS_ALL_LANES, l, d));
			h = max(h, __shfl_xor_sync(GS_ALL_LANES, h, d));
			lowest = min(lowest, __shfl_xor_sync(GS_ALL_LANES, lowest, d));
			end = max(end, __shfl_xor_sync(GS_ALL_LANES, end, d));
		}
		if (gs_lane() != 0)
			return;
		if (l < *(volatile long long *) &found->low)
			atomicMin(&found->low, l);
		if (h > *(volatile long long *) &found->high)
			atomicMax(&found->high, h);
		if (end > 0)
		{
			atomicMin(&found->lowest, lowest);
			atomicMax(&found->end, end);
		}
		if (any_null)
			atomicOr(&found->nulls, 1u);
		if (any_special)
			atomicOr(&found->special, 1u);
	}
};

/* A row of blocks for each column. */
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
look_kernel(const __grid_constant__ look_job j)
{
	const look_column &c = j.column[blockIdx.y];
	uint32_t	step = gridDim.x * WINDOWS_THREADS;
	looked		seen;

	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x; i < j.n;
		 i += step)
		seen.add(c, i);
	seen.tell(&j.report->column[c.column]);
}

__global__ static void
begin_looking(const __grid_constant__ look_job j)
{
	const windows_found none = {INT64_MAX, INT64_MIN, 0, UINT32_MAX, 0, 0};

	j.report->column[j.column[threadIdx.x].column] = none;
}

/* Is it known without a look? */
static bool
is_known(const gs_column_data *c, gs_type type)
{
	return !gs_is_float(type) && type != GS_BOOL && c->validity == NULL &&
		c->low <= c->high;
}

static cudaError_t
look(windows_run *run, const look_job &j, int n)
{
	const windows_report *seen = (const windows_report *) run->context->report;
	cudaStream_t stream = windows_stream(run);
	unsigned int blocks;

	static_assert(sizeof *seen <= GS_REPORT_SIZE, "a large report");
	begin_looking<<<1, (unsigned int) n, 0, stream>>>(j);
	GS_TRY(gs_launched());
	GS_TRY(windows_grid(j.n, &blocks));
	look_kernel<<<dim3(blocks, (unsigned int) n), WINDOWS_THREADS, 0,
		stream>>>(j);
	GS_TRY(gs_launched());
	GS_TRY(cudaMemcpyAsync(run->context->report, run->report, sizeof *seen,
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++)
		run->found[j.column[i].column] = seen->column[j.column[i].column];
	return cudaSuccess;
}

cudaError_t
windows_look(windows_run *run, uint64_t columns)
{
	look_job	j;
	int			n = 0;

	j.report = run->report;
	j.n = (uint32_t) run->relation->rows;
	columns &= ~run->looked;
	run->looked |= columns;
	for (int c = 0; c < run->relation->columns; c++)
	{
		const gs_column_data *column = &run->relation->column[c];

		if (!(columns >> c & 1))
			continue;
		if (is_known(column, (gs_type) run->type[c]))
		{
			run->found[c].low = column->low;
			run->found[c].high = column->high;
			continue;
		}
		j.column[n].values = column->values;
		j.column[n].validity = column->validity;
		j.column[n].type = run->type[c];
		j.column[n++].column = c;
	}
	return n > 0 ? look(run, j, n) : cudaSuccess;
}
