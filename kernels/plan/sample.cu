/*-------------------------------------------------------------------------
 *
 * sample.cu
 *	  What is chosen from a sample of a batch's rows, on the device.
 *
 * Nothing of it is needed on the host, so that no one waits for it.  One block
 * does each sum of floats, another one the groups.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/sample.cuh"

#define SAMPLE_THREADS	1024
#define SAMPLE_WARPS	(SAMPLE_THREADS / GS_WARP)

/* Values that a thread looks at. */
#define SAMPLE_VALUES	4

/* Units: positions of products are at most 4090. */
#define UNITS			4096
#define UNITS_A_THREAD	(UNITS / SAMPLE_THREADS)

/* What is above the window of the best unit: so many bits to spare. */
#define SPARE_BITS		2

/* The share of rows that makes a group hot, and the fewest of the sample. */
#define HOT_SHARE		64
#define HOT_MIN			8

/* The groups of the sample are counted in a hash table. */
#define HASH_SIZE		(2 * SAMPLE_THREADS)

/*
 * If fewer rows pass a filter, their keys and arguments are not fetched ahead:
 * once enough rows have been collected, the L2 cache would not have them any
 * more.
 */
#define FEW_SHARE		2

/* Sampled row i of n, of the rows from `first` on. */
__device__ static inline int64_t
sampled_row(int64_t first, int64_t end, int i, int n)
{
	return first + (int64_t) ((double) (end - first) * i / n);
}

/* ----------
 * Windows
 * ----------
 */

/* The arguments in a row; 0 if one is NULL. */
__device__ static inline void
read_sample(const group_action &a, int64_t row, double *x, double *y)
{
	*x = *y = 0;
	if (!group_bit(a.a.validity, row) || !group_bit(a.b.validity, row))
		return;
	*x = group_double(a.type, group_load(a.a, row));
	if (a.kind == GS_AGG_PRODUCTS)
		*y = group_double(a.type, group_load(a.b, row));
}

/* From which to which unit does the window hold what is added for them? */
__device__ static bool
units_of(const group_action &a, double x, double y, int *low, int *high)
{
	int			room = a.kind == GS_AGG_SUM ? GROUP_SUM_ROOM :
		GROUP_PRODUCT_ROOM;
	uint64_t	mx;
	uint64_t	my;
	int			px;
	int			py;
	bool		negative;

	if (a.kind != GS_AGG_PRODUCTS)
		y = x;
	if (!gs_is_finite(x) || !gs_is_finite(y) || x == 0 || y == 0)
		return false;
	mx = gs_split(x, &px, &negative);
	*low = px - room;
	*high = px + __ffsll((long long) mx) - 1;
	if (a.kind != GS_AGG_SUM)
	{
		my = gs_split(y, &py, &negative);
		*low += py;
		*high += py + __ffsll((long long) my) - 1;
	}
	if (*low < 0)
		*low = 0;
	if (*high >= UNITS)
		*high = UNITS - 1;
	return true;
}

/* Each becomes the sum of those up to it; for one block. */
__device__ static void
sum_up(int *value)
{
	__shared__ int warp_sum[SAMPLE_WARPS];
	int		   *mine = value + threadIdx.x * UNITS_A_THREAD;
	int			sum = 0;
	int			before;

	for (int i = 0; i < UNITS_A_THREAD; i++)
		sum += mine[i];
	before = sum;
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		int			other = __shfl_up_sync(GS_ALL_LANES, before, d);

		if (gs_lane() >= d)
			before += other;
	}
	if (gs_lane() == GS_WARP - 1)
		warp_sum[gs_warp()] = before;
	before -= sum;
	__syncthreads();
	for (int w = 0; w < gs_warp(); w++)
		before += warp_sum[w];
	for (int i = 0; i < UNITS_A_THREAD; i++)
		mine[i] = before += mine[i];
}

/*
 * The window that holds most of the sample; of several, one with bits to spare
 * above it.
 */
__device__ static void
choose_window(const group_job &job, const group_action &a, int32_t *window)
{
	__shared__ int covers[UNITS + 1];
	__shared__ uint32_t best;	/* how many it holds * UNITS + UNITS - 1 - unit */
	uint32_t	mine = 0;
	double		x[SAMPLE_VALUES];
	double		y[SAMPLE_VALUES];

#pragma unroll
	for (int i = 0; i < SAMPLE_VALUES; i++)
		read_sample(a, sampled_row(0, job.sampled, i * SAMPLE_THREADS +
								   threadIdx.x,
								   SAMPLE_VALUES * SAMPLE_THREADS),
					&x[i], &y[i]);
	for (int i = threadIdx.x; i <= UNITS; i += SAMPLE_THREADS)
		covers[i] = 0;
	if (threadIdx.x == 0)
		best = 0;
	__syncthreads();
#pragma unroll
	for (int i = 0; i < SAMPLE_VALUES; i++)
	{
		int			low;
		int			high;

		if (!units_of(a, x[i], y[i], &low, &high))
			continue;
		atomicAdd(&covers[low], 1);
		atomicAdd(&covers[high + 1], -1);
	}
	__syncthreads();
	sum_up(covers);
	__syncthreads();
	for (int i = threadIdx.x; i < UNITS; i += SAMPLE_THREADS)
		mine = max(mine, (uint32_t) covers[i] * UNITS + UNITS - 1 - i);
	if (mine >= UNITS)
		atomicMax(&best, mine);
	__syncthreads();
	if (threadIdx.x == 0 && best >= UNITS)
	{
		int			lowest = UNITS - 1 - (int) (best % UNITS);
		int			unit = lowest;

		while (unit < lowest + SPARE_BITS && covers[unit + 1] == covers[lowest])
			unit++;
		if (a.kind == GS_AGG_SUM && unit > GROUP_UNIT_MAX)
			unit = GROUP_UNIT_MAX;
		*window = unit + 1;
	}
}

/* ----------
 * Groups
 * ----------
 */

/* Does the row count, and what is its group? */
__device__ static uint32_t
group_of_row(const group_input &in, int64_t row)
{
	if (!group_bit(in.job->rows, row))
		return GROUP_NONE;
	for (int i = 0; i < in.job->ranges; i++)
	{
		const evaluate_range &range = in.ranges[i];
		int64_t		x;

		if (!group_bit(range.c.validity, row))
			return GROUP_NONE;
		x = group_ordered(range.c.type, group_load(range.c, row));
		if (x < range.low || x > range.high)
			return GROUP_NONE;
	}
	return in.job->ids != NULL ? in.job->ids[row] :
		group_dense_number(*in.keys, row);
}

/* Count groups in a hash table; each thread has one or GROUP_NONE. */
__device__ static void
count_groups(uint32_t group, uint32_t *hashed, uint32_t *count)
{
	uint32_t	at = group * UINT32_C(0x9e3779b1) / (UINT32_MAX / HASH_SIZE + 1);

	for (int i = threadIdx.x; i < HASH_SIZE; i += SAMPLE_THREADS)
	{
		hashed[i] = GROUP_NONE;
		count[i] = 0;
	}
	__syncthreads();
	while (group != GROUP_NONE)
	{
		uint32_t	before = atomicCAS(&hashed[at], GROUP_NONE, group);

		if (before == GROUP_NONE || before == group)
		{
			atomicAdd(&count[at], 1u);
			break;
		}
		at = (at + 1) % HASH_SIZE;
	}
	__syncthreads();
}

/*
 * Give places in shared memory to groups that have so many of the rows, of
 * those that agree in their number modulo 32 the most frequent one.
 */
__device__ static void
choose_hot(const group_input &in, group_job *job)
{
	__shared__ uint32_t hashed[HASH_SIZE];
	__shared__ uint32_t count[HASH_SIZE];
	__shared__ unsigned long long candidate[GS_WARP];	/* count, group */
	int64_t		row = sampled_row(job->first, job->end, threadIdx.x,
								  SAMPLE_THREADS);
	uint32_t	group = group_of_row(in, row);
	int			counted = __syncthreads_count(group != GROUP_NONE);

	if (threadIdx.x < GS_WARP)
		candidate[threadIdx.x] = 0;
	count_groups(group, hashed, count);
	for (int i = threadIdx.x; i < HASH_SIZE; i += SAMPLE_THREADS)
	{
		if (count[i] >= HOT_MIN && count[i] * HOT_SHARE >= counted)
			atomicMax(&candidate[hashed[i] % GS_WARP],
					  (unsigned long long) count[i] << 32 | hashed[i]);
	}
	__syncthreads();
	if (threadIdx.x < GS_WARP)
	{
		uint32_t	hot = __ballot_sync(GS_ALL_LANES,
										candidate[threadIdx.x] != 0);
		int			number = __popc(hot & ((1u << threadIdx.x) - 1));
		int			hots = min(__popc(hot), job->hot_max);
		bool		is_hot = (hot >> threadIdx.x & 1) != 0 && number < hots;

		group = is_hot ? (uint32_t) candidate[threadIdx.x] : GROUP_NONE;
		job->hot_group[threadIdx.x] = group;
		job->hot_place[threadIdx.x] = (uint16_t)
			(job->hot_first + (number << job->hot_shift));
		if (is_hot)
			job->group_of_hot[number] = group;
		if (threadIdx.x == 0)
		{
			job->hots = hots;
			job->local_groups = job->hot_first + (hots << job->hot_shift);
		}
	}
	if (threadIdx.x == 0)
		job->few = job->ranges > 0 && counted < SAMPLE_THREADS / FEW_SHARE;
}

/* ----------
 * Launch
 * ----------
 */

/* Block i: action i; the last one: the groups. */
__global__ void __launch_bounds__(SAMPLE_THREADS)
sample_kernel(group_input in, group_job *job)
{
	int			i = blockIdx.x;
	const group_action *a = &in.layout->action[i];

	if (i == gridDim.x - 1)
		choose_hot(in, job);
	else if (group_adds_floats(a) && job->reported->window[i] == 0)
		choose_window(*job, *a, &job->reported->window[i]);
}

cudaError_t
group_sample(const group_accumulation *g, const group_input *input,
			 cudaStream_t stream)
{
	bool		needed = g->job->hot_max > 0 || g->job->ranges > 0;

	for (int i = 0; i < g->layout->actions; i++)
		needed |= group_adds_floats(&g->layout->action[i]);
	if (!needed)
		return cudaSuccess;
	sample_kernel<<<g->layout->actions + 1, SAMPLE_THREADS, 0, stream>>>
		(*input, (group_job *) g->device->at);
	return gs_launched();
}
