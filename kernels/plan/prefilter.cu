/*-------------------------------------------------------------------------
 *
 * prefilter.cu
 *	  Conditions of one column each, which rows are tested for before a plan's
 *	  program.
 *
 * A warp tests 32 * TEST_ROWS rows at a time for the first condition.  If few pass,
 * it collects them until it has as many, and tests those for the others.  What is left
 * is a bit of each row.  A row waits for memory several times, so many rows must be
 * under way, for which the slots of the program would leave no room.
 *
 * Filters that are ranges alone have a kernel of their own, which is smaller.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/row_queue.cuh"

#define TEST_ROWS		8
#define TEST_THREADS	256
#define TEST_BLOCKS		3		/* of a multiprocessor, as its registers allow */
#define RANGES_BLOCKS	8
#define TEST_PART		(TEST_ROWS * GS_WARP)

/* So many parts are not tested after one that was in vain, and after more of them. */
#define UNTESTED_FIRST	3
#define UNTESTED_MAX	15

static bool
is_integer(int type)
{
	return type == GS_INT2 || type == GS_INT4 || type == GS_INT8;
}

/* Narrow the limits by LEAST or GREATEST with a constant; false: it is neither. */
static bool
add_limit(const gs_plan *plan, const gs_instruction *code, evaluate_probe *probe)
{
	const gs_constant *k;
	int64_t		limit;

	if ((code->code != GS_CODE_LEAST && code->code != GS_CODE_GREATEST) ||
		code->b < GS_CONSTANT(0) || group_is_result(code->b))
		return false;
	k = &plan->constant[code->b - GS_CONSTANT(0)];
	if (k->null)
		return false;
	limit = group_ordered_constant(k);
	if (code->code == GS_CODE_LEAST)
		probe->most = limit < probe->most ? limit : probe->most;
	else
		probe->least = limit > probe->least ? limit : probe->least;
	return true;
}

/*
 * What leads from an operand to what it is of: casts to wider integers, and
 * limits, which are put in any order if they leave any value.
 */
static gs_operand
find_source(const gs_plan *plan, gs_operand o, evaluate_probe *probe)
{
	probe->least = INT64_MIN;
	probe->most = INT64_MAX;
	while (group_is_result(o))
	{
		const gs_instruction *code = &plan->code[o - GS_RESULT(0)];

		if (!is_integer(code->type) ||
			(code->code == GS_CODE_CAST ?
			 !is_integer(code->to) || code->to < code->type :
			 !add_limit(plan, code, probe)))
			break;
		o = code->a;
	}
	return probe->least <= probe->most ? o : GS_NOTHING;
}

/* What is found is at least 0: whether it is limited to that does not matter. */
static bool
leads_through(const gs_instruction *code, const evaluate_probe *probe)
{
	return probe->most == INT64_MAX &&
		((code->code == GS_CODE_FIND && probe->least <= 0) ||
		 (code->code == GS_CODE_LOOKUP && probe->least == INT64_MIN &&
		  is_integer(code->to)));
}

/* A row fails where this LOOKUP is false. */
static void
add_probe(const gs_plan *plan, const gs_instruction *code, evaluate_prefilter *f)
{
	evaluate_probe *probe = &f->probe[f->probes];
	gs_operand	o;

	if (code->to != GS_BOOL || f->probes == EVALUATE_PROBES)
		return;
	memset(probe, 0, sizeof *probe);
	probe->flag = *code;
	o = find_source(plan, code->a, probe);
	if (group_is_result(o) && leads_through(&plan->code[o - GS_RESULT(0)], probe))
	{
		probe->through = plan->code[o - GS_RESULT(0)];
		o = find_source(plan, probe->through.a, probe);
	}
	if (!group_is_column(o) || !is_integer(plan->column[o]))
		return;
	probe->column = o;
	probe->limited = probe->least > INT64_MIN || probe->most < INT64_MAX;
	f->probes++;
}

static void
add_conditions(const gs_plan *plan, gs_operand o, evaluate_prefilter *f)
{
	const gs_instruction *code;

	if (!group_is_result(o))
		return;
	code = &plan->code[o - GS_RESULT(0)];
	if (code->code == GS_CODE_AND)
	{
		add_conditions(plan, code->a, f);
		add_conditions(plan, code->b, f);
	}
	else if (code->code == GS_CODE_LOOKUP)
		add_probe(plan, code, f);
	else
		(void) group_ranges_add(plan, o, f->range, &f->ranges);
}

void
group_prefilter_make(const gs_plan *plan, evaluate_prefilter *f)
{
	add_conditions(plan, plan->filter, f);
}

/*
 * A comparison with NULL is not false, so that an error in the rest of the filter
 * counts: ranges are for columns without.
 */
void
group_prefilter_place(evaluate_prefilter *f, const group_column *column)
{
	f->placed = 0;
	for (int i = 0; i < f->ranges; i++)
	{
		const group_column *c = &column[f->range[i].column];
		evaluate_range range = f->range[i];

		if (c->validity != NULL)
			continue;
		f->range[i] = f->range[f->placed];
		group_range_place(&range, c);
		f->range[f->placed++] = range;
	}
	for (int i = 0; i < f->probes; i++)
		f->probe[i].c = column[f->probe[i].column];
}

/* ----------
 * Testing
 * ----------
 */

/*
 * What a LOOKUP gives for these numbers of rows, and of which of them it is known:
 * not where it is NULL or an error.
 */
template <int N>
__device__ static inline void
look_up_known(const evaluate_program *p, const gs_instruction &code, int64_t *x,
			  uint32_t *known)
{
	lane_values<N> v = {};
	int32_t		place[N];

	GROUP_EACH_ROW(N, true, 0, {
		place[r] = gs_lookup_place(x[r], code.low, code.count);
		if (place[r] < 0)
			*known &= ~(1u << r);
	})
	read_entries<N>(p, code, place, *known, &v);
	GROUP_EACH_ROW(N, true, 0, {
		x[r] = v.value[r];
		if (state_of(v.states, r) != 0)
			*known &= ~(1u << r);
	})
}

/* The mask of rows but for those that fail a probe.  STEP: as group_fetch_rows has it. */
template <int N, int STEP>
__device__ static inline uint32_t
rows_probed(const evaluate_program *p, const evaluate_probe &b,
			const uint32_t *row, uint32_t mask)
{
	uint32_t	known = group_rows_with_bit<N>(b.c.validity, row, mask);
	uint32_t	passes = 0;
	int64_t		x[N] = {};

	group_load_rows<N, STEP>(b.c.values, b.c.format, b.c.base, row, mask, x);
	if (b.limited)
	{
		GROUP_EACH_ROW(N, true, 0, {
			x[r] = x[r] < b.most ? x[r] : b.most;
			x[r] = x[r] > b.least ? x[r] : b.least;
		})
	}
	if (b.through.code == GS_CODE_FIND)
	{
		const gs_value *index = table_of(p, b.through);

		GROUP_EACH_ROW(N, false, known,
					   x[r] = gs_index_find(index, b.through.width,
											(uint64_t) b.through.low,
											b.through.count, x[r]))
	}
	else if (b.through.code == GS_CODE_LOOKUP)
		look_up_known<N>(p, b.through, x, &known);
	look_up_known<N>(p, b.flag, x, &known);
	GROUP_EACH_ROW(N, true, 0, passes |= (uint32_t) (x[r] & 1) << r)
	return mask & (passes | ~known);
}

/* The first test: all ranges, or a probe where there are none. */
template <int STEP>
__device__ static inline uint32_t
test_first(const evaluate_program *p, const evaluate_prefilter &f,
		   const uint32_t *row, uint32_t mask)
{
	return f.placed > 0 ?
		group_rows_in_ranges<TEST_ROWS, STEP>(f.range, f.placed, row, mask) :
		rows_probed<TEST_ROWS, STEP>(p, f.probe[0], row, mask);
}

/* The tests that follow the first one. */
__device__ static inline uint32_t
test_further(const evaluate_program *p, const evaluate_prefilter &f,
			 const uint32_t *row, uint32_t mask)
{
	for (int i = f.placed > 0 ? 0 : 1; i < f.probes && mask != 0; i++)
		mask = rows_probed<TEST_ROWS, 0>(p, f.probe[i], row, mask);
	return mask;
}

/* Write the bits of a part's rows; returns how many are set. */
__device__ static inline int
write_part(uint32_t *bits, const uint32_t *row, uint32_t exist, uint32_t mask)
{
	int			set = 0;

#pragma unroll
	for (int r = 0; r < TEST_ROWS; r++)
	{
		const uint32_t word = __ballot_sync(GS_ALL_LANES, mask >> r & 1);

		if (gs_lane() == 0 && (exist >> r & 1))
			bits[row[r] / 32] = word;
		set += __popc(word);
	}
	return set;
}

/* Test rows that wait, and set bits, which are 0. */
__device__ static inline void
test_waiting(const evaluate_program *p, const evaluate_prefilter &f,
			 row_queue<TEST_ROWS> *queue)
{
	uint32_t	row[TEST_ROWS];
	uint32_t	mask = queue->take(row);

	mask = test_further(p, f, row, mask);
	GROUP_EACH_ROW(TEST_ROWS, false, mask,
				   atomicOr(p->tested_rows + row[r] / 32, 1u << row[r] % 32))
}

/* The first row of a warp's first part; a grid's warps have one after the other. */
__device__ static inline int64_t
first_part(void)
{
	return ((int64_t) blockIdx.x * TEST_THREADS + threadIdx.x) / GS_WARP * TEST_PART;
}

__global__ void
__launch_bounds__(TEST_THREADS, TEST_BLOCKS)
tests_kernel(const evaluate_program *p, int64_t n)
{
	__shared__ evaluate_prefilter f;
	__shared__ uint32_t waiting[TEST_THREADS / GS_WARP][2 * TEST_PART];
	const int64_t step = (int64_t) gridDim.x * TEST_THREADS * TEST_ROWS;
	row_queue<TEST_ROWS> queue = {waiting[threadIdx.x / GS_WARP], 0};
	int			untested = 0;	/* parts, before the next one that is tested */
	int			pause = 0;		/* how many these were */
	bool		further;

	if (threadIdx.x == 0)
		f = p->prefilter;
	__syncthreads();
	further = (f.placed > 0) + f.probes > 1;
	for (int64_t first = first_part(); first < n; first += step)
	{
		uint32_t	row[TEST_ROWS];
		uint32_t	exist = group_number_rows<TEST_ROWS>(first + gs_lane(), n, row);
		uint32_t	mask = group_rows_with_bit<TEST_ROWS>(p->mask, row, exist);

		if (untested > 0)
		{
			untested--;
			write_part(p->tested_rows, row, exist, mask);
			continue;
		}
		mask = first + TEST_PART <= n ? test_first<GS_WARP>(p, f, row, mask) :
			test_first<0>(p, f, row, mask);
		if (further && queue.put_few(row, mask))
		{
			write_part(p->tested_rows, row, exist, 0);
			pause = 0;
			if (queue.is_full())
				test_waiting(p, f, &queue);
			continue;
		}
		if (further)
			mask = test_further(p, f, row, mask);
		if (write_part(p->tested_rows, row, exist, mask) <= TEST_PART / 2)
			pause = 0;
		else
			pause = pause == 0 ? UNTESTED_FIRST : UNTESTED_MAX;
		untested = pause;
	}
	while (queue.rows > 0)
		test_waiting(p, f, &queue);
}

__global__ void
ranges_kernel(const evaluate_program *p, int64_t n)
{
	__shared__ evaluate_range range[EVALUATE_RANGES];
	const int64_t step = (int64_t) gridDim.x * TEST_THREADS * TEST_ROWS;

	if (threadIdx.x < p->ranges)
		range[threadIdx.x] = p->range[threadIdx.x];
	__syncthreads();
	for (int64_t first = first_part(); first < n; first += step)
	{
		uint32_t	row[TEST_ROWS];
		uint32_t	exist = group_number_rows<TEST_ROWS>(first + gs_lane(), n, row);
		uint32_t	mask = group_rows_with_bit<TEST_ROWS>(p->mask, row, exist);

		mask = first + TEST_PART <= n ?
			group_rows_in_ranges<TEST_ROWS, GS_WARP>(range, p->ranges, row, mask) :
			group_rows_in_ranges<TEST_ROWS, 0>(range, p->ranges, row, mask);
		write_part(p->tested_rows, row, exist, mask);
	}
}

cudaError_t
group_test_rows(const evaluate_program *p, const evaluate_program *device,
				int64_t n, cudaStream_t stream)
{
	const int64_t blocks = gs_divide_up(n, TEST_THREADS * TEST_ROWS);
	int			grid;

	GS_TRY(gs_grid(blocks, p->ranges > 0 ? RANGES_BLOCKS : TEST_BLOCKS, &grid));
	if (p->ranges > 0)
		ranges_kernel<<<grid, TEST_THREADS, 0, stream>>>(device, n);
	else
		tests_kernel<<<grid, TEST_THREADS, 0, stream>>>(device, n);
	return gs_launched();
}
