/*-------------------------------------------------------------------------
 *
 * evaluate.cu
 *	  Evaluates a plan's program for the rows of a batch.
 *
 * A warp has 32 * ROWS consecutive rows, those of lane l being l, l + 32, and
 * so on, so that a ballot makes 32 bits of a bitmap.
 *
 * If the filter has conditions that are cheap to test (prefilter.cuh), a warp
 * tests rows for these until it has 32 * ROWS that may pass, and evaluates those.
 * The bitmaps of all rows are cleared before, and get single bits.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/elementary.cuh"
#include "kernels/plan/prefilter.cuh"

/* Steps that a block keeps in shared memory. */
#define EVALUATE_CACHED	32

/* The numbers of a lane's rows; the mask of those that there are. */
template <int ROWS>
__device__ static inline uint32_t
number_rows(int64_t row, int64_t n, uint32_t *number)
{
	uint32_t	mask = 0;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		number[r] = (uint32_t) (row + r * GS_WARP);
		if (row + r * GS_WARP < n)
			mask |= 1u << r;
	}
	return mask;
}

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

/* So many parts are not tested at most after one that was in vain. */
#define UNTESTED_MAX	15

/* The rows of a warp, one part of the batch after the other. */
template <int ROWS> struct evaluated_part
{
	const uint32_t *mask;
	int64_t		first;
	int64_t		n;
	int64_t		step;
	bool		tests;			/* for the prefilter */
	int			untested;		/* parts, before the next one that is tested */
	int			pause;			/* how many these were */
	row_queue<ROWS> queue;

	/* Of a part whose rows are given: those that may pass. */
	__device__ uint32_t test(const evaluate_program *p,
							 const evaluate_prefilter &f,
							 const uint32_t *number, uint32_t rows)
	{
		return first + GS_WARP * ROWS <= n ?
			group_rows_prefiltered<ROWS, GS_WARP>(p, f, number, rows) :
			group_rows_prefiltered<ROWS, 0>(p, f, number, rows);
	}

	/*
	 * Test the next part.  True: its rows wait, unless that would not pay, since most
	 * of them may pass.
	 */
	__device__ bool put_aside(const evaluate_program *p,
							  const evaluate_prefilter &f,
							  const uint32_t *number, uint32_t active)
	{
		uint32_t	passed;

		if (untested > 0)
		{
			untested--;
			return false;
		}
		passed = queue.put(number, test(p, f, number, active));
		if (passed > GS_WARP * ROWS / 2)
		{
			queue.rows -= passed;
			pause = 2 * pause < UNTESTED_MAX ? 2 * pause + 1 : UNTESTED_MAX;
			untested = pause;
			return false;
		}
		pause = 0;
		clear_bits<ROWS>(p, first, n);
		return true;
	}

	/* The next rows to evaluate, and the mask of those that count; false: none. */
	__device__ bool next(const evaluate_program *p, const evaluate_prefilter &f,
						 evaluated_rows<ROWS> *rows, uint32_t *active)
	{
		while (first < n && !queue.is_full())
		{
			bool		waits;

			rows->exist = number_rows<ROWS>(first + gs_lane(), n, rows->number);
			*active = group_rows_with_bit<ROWS>(mask, rows->number, rows->exist);
			waits = tests && put_aside(p, f, rows->number, *active);
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

/* ELEMENTARY: there are such steps. */
template <int ROWS, bool ELEMENTARY>
__device__ static __forceinline__ void
evaluate_rows(const evaluate_program *p, int64_t n)
{
	extern __shared__ __align__(16) char evaluate_shared[];
	__shared__ evaluate_step steps[EVALUATE_CACHED];
	__shared__ evaluate_prefilter prefilter;
	const int64_t warp =
		((int64_t) blockIdx.x * blockDim.x + threadIdx.x) / GS_WARP;
	evaluated_part<ROWS> part;
	evaluated_rows<ROWS> rows;
	slots<ROWS> s;
	uint32_t	active;
	uint32_t	errors = 0;

	s.values = (int64_t *) evaluate_shared;
	s.states = (uint32_t *) (s.values + (size_t) p->slots * ROWS * blockDim.x);
	part.mask = p->ranges > 0 ? p->range_rows : p->mask;
	part.first = warp * GS_WARP * ROWS;
	part.n = n;
	part.step = (int64_t) gridDim.x * blockDim.x * ROWS;
	part.tests = p->prefilter.placed + p->prefilter.probes > 0;
	part.untested = part.pause = 0;
	part.queue.row = s.states + (size_t) p->slots * blockDim.x +
		threadIdx.x / GS_WARP * (2 * GS_WARP * ROWS);
	part.queue.rows = 0;
	for (int i = threadIdx.x; i < EVALUATE_CACHED && i < p->steps;
		 i += blockDim.x)
		steps[i] = p->step[i];
	if (part.tests && threadIdx.x == 0)
		prefilter = p->prefilter;
	if constexpr (ELEMENTARY)
		copy_table(p->elementary_table);
	__syncthreads();
	while (part.next(p, prefilter, &rows, &active))
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
		}
	}
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
 * A filter of ranges
 * ----------
 */

#define RANGE_ROWS		8
#define RANGE_THREADS	256

__global__ void
ranges_kernel(const evaluate_program *p, int64_t n)
{
	__shared__ evaluate_range ranges[EVALUATE_RANGES];
	int64_t		warps = (int64_t) gridDim.x * RANGE_THREADS / GS_WARP;
	int64_t		warp = ((int64_t) blockIdx.x * RANGE_THREADS + threadIdx.x) /
		GS_WARP;

	if (threadIdx.x < p->ranges)
		ranges[threadIdx.x] = p->range[threadIdx.x];
	__syncthreads();
	for (int64_t first = warp * GS_WARP * RANGE_ROWS; first < n;
		 first += warps * GS_WARP * RANGE_ROWS)
	{
		evaluated_rows<RANGE_ROWS> rows;
		uint32_t	mask;

		rows.in_order = true;
		rows.exist = number_rows<RANGE_ROWS>(first + gs_lane(), n, rows.number);
		mask = group_rows_with_bit<RANGE_ROWS>(p->mask, rows.number, rows.exist);
		if (first + GS_WARP * RANGE_ROWS <= n)
			mask = group_rows_in_ranges<RANGE_ROWS, GS_WARP>(ranges, p->ranges,
															 rows.number, mask);
		else
			mask = group_rows_in_ranges<RANGE_ROWS, 0>(ranges, p->ranges,
													   rows.number, mask);
		write_bits<RANGE_ROWS>(p->range_rows, mask, rows);
	}
}

cudaError_t
group_evaluate_ranges(const evaluate_program *device, int64_t n,
					  cudaStream_t stream)
{
	int			grid;

	GS_TRY(gs_grid(gs_divide_up(n, RANGE_THREADS * RANGE_ROWS), 8, &grid));
	ranges_kernel<<<grid, RANGE_THREADS, 0, stream>>>(device, n);
	return gs_launched();
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
	const bool	tests = p->prefilter.placed + p->prefilter.probes > 0;

	return slots_size<ROWS, THREADS>(p->slots) +
		(tests ? 2 * ROWS * THREADS * sizeof(uint32_t) : 0);
}

template <int ROWS, int THREADS, void (*kernel) (const evaluate_program *, int64_t)>
static cudaError_t
launch(const evaluate_program *p, const evaluate_program *device, int64_t n,
	   size_t max_shared, cudaStream_t stream)
{
	size_t		shared = evaluated_size<ROWS, THREADS>(p);
	int64_t		blocks = gs_divide_up(n, THREADS * ROWS);
	int			per_multiprocessor = 2048 / THREADS;
	int			grid;

	GS_TRY(gs_allow_shared<kernel>());
	while (per_multiprocessor > 1 &&
		   shared * per_multiprocessor > max_shared)
		per_multiprocessor--;
	GS_TRY(gs_grid(blocks, per_multiprocessor, &grid));
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
			(p, device, n, max_shared, stream);
	if (evaluated_size<1, 64>(p) <= max_shared)
		return launch<1, 64, evaluate_elementary_kernel<1>>
			(p, device, n, max_shared, stream);
	return cudaErrorMemoryAllocation;
}

cudaError_t
group_evaluate(const evaluate_program *p, const evaluate_program *device,
			   int64_t n, cudaStream_t stream)
{
	size_t		max_shared;

	GS_TRY(group_shared_size(&max_shared));
	max_shared -= EVALUATE_CACHED * sizeof(evaluate_step) +
		sizeof(evaluate_prefilter);
	if (p->elementary)
		return evaluate_elementary(p, device, n, max_shared, stream);
	if (2 * evaluated_size<8, EVALUATE_THREADS>(p) <= max_shared)
		return launch<8, EVALUATE_THREADS, evaluate_kernel<8>>
			(p, device, n, max_shared, stream);
	if (evaluated_size<4, EVALUATE_THREADS>(p) <= max_shared)
		return launch<4, EVALUATE_THREADS, evaluate_kernel<4>>
			(p, device, n, max_shared, stream);
	if (evaluated_size<1, 64>(p) <= max_shared)
		return launch<1, 64, evaluate_kernel<1>>
			(p, device, n, max_shared, stream);
	return cudaErrorMemoryAllocation;
}
