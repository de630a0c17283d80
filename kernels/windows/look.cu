/*-------------------------------------------------------------------------
 *
 * look.cu
 *	  What is in columns: where their values lie, whether there are NULLs, and
 *	  what the distances between them are multiples of.
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
	const windows_found none = {INT64_MAX, INT64_MIN, 0, UINT32_MAX};

	j.report->column[j.column[threadIdx.x].column] = none;
}

/* Is it known without a look? */
static bool
is_known(const gs_column_data *c, gs_type type)
{
	return !gs_is_float(type) && type != GS_BOOL && c->validity == NULL &&
		c->low <= c->high;
}

/* ----------
 * Steps
 * ----------
 */

/* So many values tell most steps. */
#define STEP_SAMPLE		4096

typedef struct step_job
{
	windows_report *report;
	uint32_t	n;
	int			columns;
	struct
	{
		const int64_t *values;
		const uint8_t *validity;	/* NULL: there are no NULLs */
		int			column;
		bool		looked;		/* else low and high are: */
		int64_t		low;
		int64_t		high;
	}			column[GS_WINDOW_COLUMNS_MAX];
} step_job;

/* What distances to a value are multiples of. */
struct stepping
{
	int64_t		value;
	gs_sort_step s;

	__device__ void
	add(int64_t x)
	{
		uint64_t	distance = gs_sort_distance(x, value);

		if (!gs_sort_is_multiple(&s, distance))
			s = gs_sort_step_of(gs_greatest_divisor(distance, s.step));
	}

	__device__ void
	tell(unsigned long long *step) const
	{
		unsigned long long old = *(volatile unsigned long long *) step;

		for (;;)
		{
			unsigned long long divisor = gs_greatest_divisor(s.step, old);
			unsigned long long seen;

			if (divisor == old)
				return;
			seen = atomicCAS(step, old, divisor);
			if (seen == old)
				return;
			old = seen;
		}
	}
};

/*
 * A block for each column: the step of some values.  With NULLs the least value
 * has been found, and is one that is there.
 */
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
sample_steps(const __grid_constant__ step_job j)
{
	const auto &c = j.column[blockIdx.x];
	windows_found *found = &j.report->column[c.column];
	stepping	t;

	t.value = c.validity == NULL ? c.values[0] : found->low;
	t.s = gs_sort_step_of(0);
	if (threadIdx.x == 0)
	{
		found->value = t.value;
		found->step = 0;
		if (!c.looked)
		{
			found->low = c.low;
			found->high = c.high;
			found->nulls = 0;
		}
	}
	__syncthreads();
	if (found->low >= found->high)
		return;
	for (int i = threadIdx.x; i < STEP_SAMPLE; i += WINDOWS_THREADS)
	{
		uint32_t	row = (uint32_t) ((uint64_t) i * j.n / STEP_SAMPLE);

		if (bit_of(c.validity, row))
			t.add(c.values[row]);
	}
	t.tell(&found->step);
}

/* A row of blocks for each column: the step of all. */
__global__ static void
__launch_bounds__(WINDOWS_THREADS)
find_steps(const __grid_constant__ step_job j)
{
	const auto &c = j.column[blockIdx.y];
	windows_found *found = &j.report->column[c.column];
	uint32_t	step = gridDim.x * WINDOWS_THREADS;
	stepping	t;
	uint64_t	sampled;

	t.value = found->value;
	sampled = *(volatile unsigned long long *) &found->step;
	t.s = gs_sort_step_of(sampled);
	if (found->low >= found->high)
		return;
	for (uint32_t i = blockIdx.x * WINDOWS_THREADS + threadIdx.x;
		 i < j.n && t.s.step != 1; i += step)
	{
		if (bit_of(c.validity, i))
			t.add(c.values[i]);
	}
	if (t.s.step != sampled)
		t.tell(&found->step);
}

static cudaError_t
look_for_steps(windows_run *run, const step_job &j)
{
	cudaStream_t stream = windows_stream(run);
	unsigned int blocks;

	sample_steps<<<(unsigned int) j.columns, WINDOWS_THREADS, 0, stream>>>(j);
	GS_TRY(gs_launched());
	GS_TRY(windows_long_blocks(j.n, &blocks));
	find_steps<<<dim3(blocks, (unsigned int) j.columns), WINDOWS_THREADS, 0,
		stream>>>(j);
	return gs_launched();
}

/* ----------
 * Both
 * ----------
 */

static cudaError_t
look_for_values(windows_run *run, const look_job &j, int n)
{
	cudaStream_t stream = windows_stream(run);
	unsigned int blocks;

	begin_looking<<<1, (unsigned int) n, 0, stream>>>(j);
	GS_TRY(gs_launched());
	GS_TRY(windows_long_blocks(j.n, &blocks));
	look_kernel<<<dim3(blocks, (unsigned int) n), WINDOWS_THREADS, 0,
		stream>>>(j);
	return gs_launched();
}

/* What is known, or not; returns how many columns are to be looked at. */
static int
find_columns(windows_run *run, uint64_t columns, look_job *j)
{
	int			n = 0;

	j->report = run->report;
	j->n = (uint32_t) run->relation->rows;
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
		j->column[n].values = column->values;
		j->column[n].validity = column->validity;
		j->column[n].type = run->type[c];
		j->column[n++].column = c;
	}
	return n;
}

static void
find_stepped(windows_run *run, uint64_t columns, step_job *j)
{
	j->report = run->report;
	j->n = (uint32_t) run->relation->rows;
	j->columns = 0;
	for (int c = 0; c < run->relation->columns; c++)
	{
		const gs_column_data *column = &run->relation->column[c];

		if (!(columns >> c & 1) || run->type[c] != GS_INT8)
			continue;
		auto	   &to = j->column[j->columns++];

		to.values = (const int64_t *) column->values;
		to.validity = column->validity;
		to.column = c;
		to.looked = !is_known(column, GS_INT8);
		to.low = column->low;
		to.high = column->high;
	}
}

cudaError_t
windows_look(windows_run *run, uint64_t columns, uint64_t sorted)
{
	const windows_report *seen = (const windows_report *) run->context->report;
	cudaStream_t stream = windows_stream(run);
	look_job	look;
	step_job	steps;
	int			n;

	static_assert(sizeof *seen <= GS_REPORT_SIZE, "a large report");
	n = find_columns(run, columns & ~run->looked, &look);
	find_stepped(run, sorted & ~run->stepped, &steps);
	run->looked |= columns;
	run->stepped |= sorted;
	if (n == 0 && steps.columns == 0)
		return cudaSuccess;
	if (n > 0)
		GS_TRY(look_for_values(run, look, n));
	if (steps.columns > 0)
		GS_TRY(look_for_steps(run, steps));
	GS_TRY(cudaMemcpyAsync(run->context->report, run->report, sizeof *seen,
						   cudaMemcpyDeviceToHost, stream));
	GS_TRY(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++)
		run->found[look.column[i].column] = seen->column[look.column[i].column];
	for (int i = 0; i < steps.columns; i++)
		run->found[steps.column[i].column] =
			seen->column[steps.column[i].column];
	return cudaSuccess;
}
