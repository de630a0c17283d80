/*-------------------------------------------------------------------------
 *
 * evaluate.cu
 *	  Evaluates a plan's program for the rows of a batch.
 *
 * A warp has 32 * ROWS consecutive rows, those of lane l being l, l + 32, and
 * so on, so that a ballot makes 32 bits of a bitmap.
 *
 * What conditions of one column each say is found before (prefilter.cu).  If few
 * rows are left, and the filter is no ranges alone, a warp collects them until it has
 * 32 * ROWS, and evaluates those, so that all lanes have rows.  The bitmaps of all
 * rows are cleared before, and get single bits.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/elementary.cuh"
#include "kernels/plan/row_queue.cuh"

/* Steps that a block keeps in shared memory. */
#define EVALUATE_CACHED	32

/* Bit r: is the boolean operand true in row r?  Its errors go to *errors. */
template <int ROWS>
__device__ static uint32_t
read_filter(const evaluate_program *p, const slots<ROWS> &s,
			evaluate_operand o, const uint32_t *row, uint32_t mask,
			uint32_t active, uint32_t *errors)
{
	lane_values<ROWS> v;
	uint32_t	passes = 0;

	read_operand(p, s, o, row, mask, &v);
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	state = state_of(v.states, r);

		if ((active >> r & 1) == 0)
			continue;
		*errors |= state & GS_STATE_ERRORS;
		if (state == 0 && v.value[r] != 0)
			passes |= 1u << r;
	}
	return passes;
}

/* A thread's rows. */
template <int ROWS> struct evaluated_rows
{
	uint32_t	number[ROWS];
	uint32_t	exist;			/* mask */
	bool		in_order;		/* the warp has 32 * ROWS consecutive ones */
};

/* Write a flag of each row to a bitmap. */
template <int ROWS>
__device__ static void
write_bits(uint32_t *bits, uint32_t flags, const evaluated_rows<ROWS> &rows)
{
	if (!rows.in_order)
	{
		GROUP_EACH_ROW(ROWS, false, flags,
					   atomicOr(bits + rows.number[r] / 32,
								1u << rows.number[r] % 32))
		return;
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		uint32_t	word = __ballot_sync(GS_ALL_LANES, flags >> r & 1);

		if (gs_lane() == 0 && (rows.exist >> r & 1))
			bits[rows.number[r] / 32] = word;
	}
}

template <int ROWS>
__device__ static void
write_output(const evaluate_output &o, const lane_values<ROWS> &v,
			 const evaluated_rows<ROWS> &rows)
{
	uint32_t	present = 0;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		const uint32_t at = rows.number[r];

		if ((rows.exist >> r & 1) == 0)
			continue;
		if (state_of(v.states, r) == 0)
			present |= 1u << r;
		switch (o.width)
		{
			case 1:
				((uint8_t *) o.values)[at] = (uint8_t) v.value[r];
				break;
			case 2:
				((uint16_t *) o.values)[at] = (uint16_t) v.value[r];
				break;
			case 4:
				((uint32_t *) o.values)[at] = (uint32_t) v.value[r];
				break;
			default:
				((int64_t *) o.values)[at] = v.value[r];
		}
	}
	write_bits<ROWS>(o.validity, present, rows);
}

template <int ROWS>
__device__ static void
check_errors(const evaluate_program *p, const slots<ROWS> &s,
			 const uint32_t *row, uint32_t mask, uint32_t active,
			 uint32_t *errors)
{
	for (int i = 0; i < p->checks; i++)
	{
		lane_values<ROWS> v;
		uint32_t	rows = active;
		uint32_t	ignored = 0;

		if (p->check[i].filter.from != FROM_NOWHERE)
			rows = read_filter(p, s, p->check[i].filter, row, mask, active,
							   &ignored);
		read_operand(p, s, p->check[i].operand, row, mask, &v);
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if (rows >> r & 1)
				*errors |= state_of(v.states, r) & GS_STATE_ERRORS;
		}
	}
}

/* A block has at most so many threads. */
#define EVALUATE_THREADS	256

/* So many blocks hide each other's accesses of memory. */
#define EVALUATE_BLOCKS		2

/* Words of the bitmaps of 32 * ROWS rows from `first` on. */
template <int ROWS>
__device__ static void
clear_bits(const evaluate_program *p, int64_t first, int64_t n)
{
	const int64_t word = first / 32 + gs_lane();

	if (gs_lane() >= ROWS || word * 32 >= n)
		return;
	if (p->rows != NULL)
		p->rows[word] = 0;
	for (int i = 0; i < p->filters; i++)
		p->filter_of[i].bits[word] = 0;
	for (int i = 0; i < p->outputs; i++)
		p->output[i].validity[word] = 0;
}

/* The rows of a warp, one part of the batch after the other. */
template <int ROWS> struct evaluated_part
{
	const uint32_t *mask;
	int64_t		first;
	int64_t		n;
	int64_t		step;
	bool		collects;		/* rows, where few of a part count */
	row_queue<ROWS> queue;

	/* The next rows to evaluate, and the mask of those that count; false: none. */
	__device__ bool next(const evaluate_program *p, evaluated_rows<ROWS> *rows,
						 uint32_t *active)
	{
		while (first < n && !queue.is_full())
		{
			bool		waits;

			rows->exist = group_number_rows<ROWS>(first + gs_lane(), n, rows->number);
			*active = group_rows_with_bit<ROWS>(mask, rows->number, rows->exist);
			waits = collects && queue.put_few(rows->number, *active);
			if (waits)
				clear_bits<ROWS>(p, first, n);
			first += step;
			rows->in_order = true;
			if (!waits)
				return true;
		}
		rows->in_order = false;
		*active = rows->exist = queue.take(rows->number);
		return __any_sync(GS_ALL_LANES, rows->exist != 0);
	}
};

/*
 * The ranges of outputs that are asked for, of what a block has found: the least
 * and the greatest of output i, in group_ordered's order.  Only keys are asked for,
 * which are the first outputs.
 */
typedef struct evaluated_ranges
{
	long long	low[GS_PLAN_KEYS];
	long long	high[GS_PLAN_KEYS];
} evaluated_ranges;

/* All lanes of a warp call it. */
template <int ROWS>
__device__ static inline void
extend_range(evaluated_ranges *ranges, int i, int type,
			 const lane_values<ROWS> &v, uint32_t active)
{
	volatile long long *least = &ranges->low[i];
	volatile long long *greatest = &ranges->high[i];
	long long	low = INT64_MAX;
	long long	high = INT64_MIN;

	GROUP_EACH_ROW(ROWS, false, active, {
		const long long x = group_ordered(type, v.value[r]);

		if (state_of(v.states, r) == 0)
		{
			low = min(low, x);
			high = max(high, x);
		}
	})

	/* seldom after the first rows, unless keys ascend */
	if (!__any_sync(GS_ALL_LANES, low < *least || high > *greatest))
		return;
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
	{
		low = min(low, __shfl_xor_sync(GS_ALL_LANES, low, d));
		high = max(high, __shfl_xor_sync(GS_ALL_LANES, high, d));
	}
	if (gs_lane() == 0)
	{
		atomicMin(&ranges->low[i], low);
		atomicMax(&ranges->high[i], high);
	}
}

/* All threads of a block call these. */
__device__ static inline void
begin_ranges(evaluated_ranges *ranges)
{
	if (threadIdx.x < GS_PLAN_KEYS)
	{
		ranges->low[threadIdx.x] = INT64_MAX;
		ranges->high[threadIdx.x] = INT64_MIN;
	}
}

__device__ static inline void
end_ranges(const evaluate_program *p, const evaluated_ranges *ranges)
{
	const int	i = threadIdx.x;

	__syncthreads();
	if (i < GS_PLAN_KEYS && ranges->low[i] <= ranges->high[i])
	{
		atomicMin(p->output[i].range, ranges->low[i]);
		atomicMax(p->output[i].range + 1, ranges->high[i]);
	}
}

/* ELEMENTARY: there are such steps. */
template <int ROWS, bool ELEMENTARY>
__device__ static __forceinline__ void
evaluate_rows(const evaluate_program *p, int64_t n)
{
	extern __shared__ __align__(16) char evaluate_shared[];
	__shared__ evaluate_step steps[EVALUATE_CACHED];
	__shared__ evaluated_ranges ranges;
	const int64_t warp =
		((int64_t) blockIdx.x * blockDim.x + threadIdx.x) / GS_WARP;
	evaluated_part<ROWS> part;
	evaluated_rows<ROWS> rows;
	slots<ROWS> s;
	uint32_t	active;
	uint32_t	errors = 0;

	s.values = (int64_t *) evaluate_shared;
	s.states = (uint32_t *) (s.values + (size_t) p->slots * ROWS * blockDim.x);
	part.collects = group_collects(p);
	part.mask = group_tests(p) ? p->tested_rows : p->mask;
	part.first = warp * GS_WARP * ROWS;
	part.n = n;
	part.step = (int64_t) gridDim.x * blockDim.x * ROWS;
	part.queue.row = s.states + (size_t) p->slots * blockDim.x +
		threadIdx.x / GS_WARP * (2 * GS_WARP * ROWS);
	part.queue.rows = 0;
	begin_ranges(&ranges);
	for (int i = threadIdx.x; i < EVALUATE_CACHED && i < p->steps;
		 i += blockDim.x)
		steps[i] = p->step[i];
	if constexpr (ELEMENTARY)
		copy_table(p->elementary_table);
	__syncthreads();
	while (part.next(p, &rows, &active))
	{
		for (int i = 0; i < p->steps; i++)
		{
			const evaluate_step &step = i < EVALUATE_CACHED ? steps[i] : p->step[i];

			if constexpr (ELEMENTARY)
			{
				if (gs_code_is_elementary(step.code.code))
				{
					execute_elementary<ROWS>(p, step, s, rows.number, rows.exist);
					continue;
				}
			}
			execute_step<ROWS>(p, step, s, rows.number, rows.exist);
		}
		if (p->filter.from != FROM_NOWHERE)
			active = read_filter<ROWS>(p, s, p->filter, rows.number, rows.exist,
									   active, &errors);
		if (p->rows != NULL)
			write_bits<ROWS>(p->rows, active, rows);
		for (int i = 0; i < p->filters; i++)
			write_bits<ROWS>(p->filter_of[i].bits,
							 read_filter<ROWS>(p, s, p->filter_of[i].operand,
											   rows.number, rows.exist, active,
											   &errors),
							 rows);
		check_errors<ROWS>(p, s, rows.number, rows.exist, active, &errors);
		for (int i = 0; i < p->outputs; i++)
		{
			lane_values<ROWS> v;

			read_operand(p, s, p->output[i].operand, rows.number, rows.exist, &v);
			write_output<ROWS>(p->output[i], v, rows);
			if (p->output[i].range != NULL)
				extend_range<ROWS>(&ranges, i, p->output[i].type, v, active);
		}
	}
	end_ranges(p, &ranges);
	if (errors != 0)
		atomicOr(p->errors, errors);
}

template <int ROWS>
__global__ void
__launch_bounds__(EVALUATE_THREADS, EVALUATE_BLOCKS)
evaluate_kernel(const evaluate_program *p, int64_t n)
{
	evaluate_rows<ROWS, false>(p, n);
}

template <int ROWS>
__global__ void
__launch_bounds__(EVALUATE_THREADS, EVALUATE_BLOCKS)
evaluate_elementary_kernel(const evaluate_program *p, int64_t n)
{
	evaluate_rows<ROWS, true>(p, n);
}

/* ----------
 * Launch
 * ----------
 */

/* Shared memory of the slots, and of the rows that wait. */
template <int ROWS, int THREADS>
static size_t
evaluated_size(const evaluate_program *p)
{
	return slots_size<ROWS, THREADS>(p->slots) +
		(group_collects(p) ? 2 * ROWS * THREADS * sizeof(uint32_t) : 0);
}

template <int ROWS, int THREADS, void (*kernel) (const evaluate_program *, int64_t)>
static cudaError_t
launch(const evaluate_program *p, const evaluate_program *device, int64_t n,
	   cudaStream_t stream)
{
	size_t		shared = evaluated_size<ROWS, THREADS>(p);
	int			per_multiprocessor;
	int			grid;

	/* no more than run at once: the others' rows would all be left for the end */
	GS_TRY(gs_allow_shared<kernel>());
	GS_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
														 THREADS, shared));
	GS_TRY(gs_grid(gs_divide_up(n, THREADS * ROWS), per_multiprocessor, &grid));
	kernel<<<grid, THREADS, shared, stream>>>(device, n);
	return gs_launched();
}

static cudaError_t
evaluate_elementary(const evaluate_program *p, const evaluate_program *device,
					int64_t n, size_t max_shared, cudaStream_t stream)
{
	max_shared -= sizeof(gs_elementary_table);
	if (evaluated_size<4, EVALUATE_THREADS>(p) <= max_shared)
		return launch<4, EVALUATE_THREADS, evaluate_elementary_kernel<4>>
			(p, device, n, stream);
	if (evaluated_size<1, 64>(p) <= max_shared)
		return launch<1, 64, evaluate_elementary_kernel<1>>
			(p, device, n, stream);
	return cudaErrorMemoryAllocation;
}

cudaError_t
group_evaluate(const evaluate_program *p, const evaluate_program *device,
			   int64_t n, cudaStream_t stream)
{
	size_t		max_shared;

	GS_TRY(group_shared_size(&max_shared));
	max_shared -= EVALUATE_CACHED * sizeof(evaluate_step) +
		sizeof(evaluated_ranges);
	if (p->elementary)
		return evaluate_elementary(p, device, n, max_shared, stream);
	if (2 * evaluated_size<8, EVALUATE_THREADS>(p) <= max_shared)
		return launch<8, EVALUATE_THREADS, evaluate_kernel<8>>
			(p, device, n, stream);
	if (evaluated_size<4, EVALUATE_THREADS>(p) <= max_shared)
		return launch<4, EVALUATE_THREADS, evaluate_kernel<4>>
			(p, device, n, stream);
	if (evaluated_size<1, 64>(p) <= max_shared)
		return launch<1, 64, evaluate_kernel<1>>
			(p, device, n, stream);
	return cudaErrorMemoryAllocation;
}
