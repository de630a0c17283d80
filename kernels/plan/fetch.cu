/*-------------------------------------------------------------------------
 *
 * fetch.cu
 *	  What the host gets of groups: keys, states, and sums that are wide.
 *
 * A launch makes several columns of results, since few results take less time
 * than a launch does.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/fetch.cuh"
#include "kernels/plan/record_read.cuh"

#include <cub/device/device_scan.cuh>

#define THREADS		256
#define BLOCKS		8			/* a multiprocessor, of each column */

static unsigned int
blocks_for(int64_t n)
{
	return (unsigned int) gs_divide_up(n, THREADS);
}

/* ----------
 * Sums of floats
 * ----------
 */

/*
 * Limbs, normalised, as a canonical sum; false: it takes more limbs than that
 * has.
 */
__device__ static bool
compact_limbs(const int64_t *limb, int limbs, int first, gs_float_sum *sum)
{
	int			lowest = 0;
	uint32_t	sign = limb[limbs - 1] < 0 ? UINT32_MAX : 0;

	while (lowest < limbs && limb[lowest] == 0)
		lowest++;
	sum->first = lowest == limbs ? 0 : lowest + first;
	for (int i = 0; i < GS_FLOAT_SUM_LIMBS; i++)
		sum->limb[i] = lowest + i < limbs ? (uint32_t) limb[lowest + i] : sign;
	if (lowest == limbs)
		return true;
	if ((sum->limb[GS_FLOAT_SUM_LIMBS - 1] >> 31 != 0) != (sign != 0))
		return false;
	for (int i = lowest + GS_FLOAT_SUM_LIMBS; i < limbs; i++)
	{
		if ((uint32_t) limb[i] != sign)
			return false;
	}

	/* the last limb is signed, and may have more than 32 bits */
	return limb[limbs - 1] == (int64_t) (int32_t) limb[limbs - 1];
}

/* Records that have an accumulator: all of the sum goes there. */
__global__ void
merge_wide_kernel(group_action a, group_records g, const uint32_t *order,
				  int64_t groups, uint32_t *number)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	char	   *acc;
	int64_t    *limb;
	int64_t    *word;
	int64_t    *below;
	gs_float_sum ignored;

	if (i >= groups)
		return;
	acc = group_accumulator(a.kind, a.wide_of, a.wide, order[i]);
	number[i] = 0;
	if (acc == NULL)
		return;
	limb = group_limbs_of(a.kind, acc);
	word = g.records + (size_t) order[i] * g.words + a.word;
	below = g.rare + (size_t) order[i] * g.rare_words + a.rare + GROUP_BELOW;
	if (a.unit != GROUP_NO_UNIT)
	{
		for (int w = 0; w < a.words; w++)
		{
			group_add_to_limbs(limb, 0, word[w], a.unit + w * GROUP_WORD_BITS);
			word[w] = 0;
		}
		if (*below != 0)
			group_add_to_limbs(limb, 0, *below, a.unit - GROUP_WORD_BITS);
		*below = 0;
	}
	group_propagate(limb, group_limbs_number(a.kind));
	number[i] = !compact_limbs(limb, group_limbs_number(a.kind), 0, &ignored);
}

cudaError_t
group_merge_wide(const group_action *a, const group_records *g,
				 const uint32_t *order, int64_t groups, uint32_t *number,
				 group_memory *scratch, cudaStream_t stream)
{
	size_t		size = 0;

	merge_wide_kernel<<<blocks_for(groups), THREADS, 0, stream>>>
		(*a, *g, order, groups, number);
	GS_TRY(gs_launched());
	GS_TRY(cub::DeviceScan::InclusiveSum(NULL, size, number, number,
										 (int) groups, stream));
	GS_TRY(group_reserve(scratch, size, stream));
	return cub::DeviceScan::InclusiveSum(scratch->at, size, number, number,
										 (int) groups, stream);
}

__device__ static void
float_sum(const group_result &a, int unit, const int64_t *record,
		  const int64_t *rare, uint32_t group, gs_float_sum *sum)
{
	char	   *acc = group_accumulator(a.kind, a.wide_of, a.wide, group);
	int64_t		limb[10] = {0};
	int64_t		below = rare[a.rare + GROUP_BELOW];
	int			first = max(unit - GROUP_WORD_BITS, 0) / 32;

	sum->wide = 0;
	sum->seen = group_seen_of(a.rare, a.count, record, rare);
	if (acc != NULL)
	{
		(void) compact_limbs(group_limbs_of(a.kind, acc),
							 group_limbs_number(a.kind), 0, sum);
		return;
	}
	for (int w = 0; w < a.words && unit != GROUP_NO_UNIT; w++)
		group_add_to_limbs(limb, first, record[a.word + w],
					 unit + w * GROUP_WORD_BITS);
	if (below != 0)
		group_add_to_limbs(limb, first, below, unit - GROUP_WORD_BITS);
	group_propagate(limb, 10);
	(void) compact_limbs(limb, 10, first, sum);
}

/* ----------
 * Results
 * ----------
 */

/* Columns of a launch, whose parameters take at most 4 kB. */
#define RESULT_COLUMNS	32

typedef struct result_job
{
	group_selection from;
	int32_t		columns;
	group_result column[RESULT_COLUMNS];
} result_job;

static_assert(sizeof(result_job) <= 4096, "too many parameters of a kernel");

/* The state of an action in a group, whose place among the results is `at`. */
__device__ static inline void
write_state(const group_selection &from, const group_result &a, int64_t at,
			uint32_t group, char *state)
{
	const int64_t *record = from.records.records +
		(size_t) group * from.records.words;
	const int64_t *rare = from.records.rare +
		(size_t) group * from.records.rare_words;

	switch (a.kind)
	{
		case GS_AGG_COUNT:
			*(int64_t *) state = record[0] - rare[a.rare];
			break;
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			if (!group_is_float(a.type))
				*(gs_integer_sum *) state =
					group_integer_sum(record + a.word, a.words);
			else
			{
				gs_float_sum sum;

				float_sum(a, group_unit_of(from.reported->window[a.window]),
						  record, rare, group, &sum);
				if (a.number != NULL &&
					a.number[at] > (at == 0 ? 0 : a.number[at - 1]))
				{
					sum.wide = (int32_t) a.number[at];
					sum.first = 0;
					for (int l = 0; l < GS_FLOAT_SUM_LIMBS; l++)
						sum.limb[l] = 0;
				}
				*(gs_float_sum *) state = sum;
			}
			break;
		case GS_AGG_SPECIALS:
			for (int w = 0; w < GS_SPECIALS; w++)
				((int64_t *) state)[w] = rare[a.rare + w];
			break;
		default:
			{
				gs_value	none;

				none.i8 = 0;
				*(gs_value *) state = record[0] == rare[a.count] ? none :
					group_value(a.type, record[a.word]);
			}
	}
}

__device__ static inline gs_value
key_value(const group_key_job &keys, uint32_t group, const group_result &c)
{
	gs_value	none;
	int64_t		key;

	none.i8 = 0;
	return group_key_of(keys, group, c.key, &key) ? group_value(c.type, key) :
		none;
}

__device__ static inline uint8_t
null_keys(const group_key_job &keys, uint32_t group)
{
	uint32_t	nulls = 0;
	int64_t		ignored;

	for (int k = 0; k < keys.keys; k++)
		nulls |= (uint32_t) !group_key_of(keys, group, k, &ignored) << k;
	return (uint8_t) nulls;
}

/* A row of blocks for each column, a thread for each result, or word of it. */
__global__ void
__launch_bounds__(THREADS)
results_kernel(const __grid_constant__ result_job j)
{
	const group_selection &from = j.from;
	const group_result &c = j.column[blockIdx.y];
	const int64_t n = from.n < 0 ? (int64_t) from.reported->groups : from.n;
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t threads = (int64_t) gridDim.x * THREADS;

	for (int64_t i = thread; i < n * c.words_each; i += threads)
	{
		const int64_t result = c.words_each == 1 ? i : i / c.words_each;
		const int64_t at = from.first + result;
		const uint32_t group = from.order[at];

		if (c.what == GROUP_RESULT_KEY)
			((gs_value *) c.to)[i] = key_value(from.keys, group, c);
		else if (c.what == GROUP_RESULT_NULLS)
			((uint8_t *) c.to)[i] = null_keys(from.keys, group);
		else if (c.what == GROUP_RESULT_WORDS)
			((int64_t *) c.to)[i] = c.source[(size_t) group * c.stride +
											 i % c.words_each];
		else
			write_state(from, c, at, group, c.to + i * c.width);
	}
	for (int64_t at = n * c.width + thread; at < c.room; at += threads)
		c.to[at] = 0;
}

cudaError_t
group_make_results(const group_selection *from, int64_t most,
				   const group_result *column, int columns, cudaStream_t stream)
{
	result_job	j;

	j.from = *from;
	for (; columns > 0; columns -= j.columns, column += j.columns)
	{
		int64_t		threads = 1;
		int			blocks;

		j.columns = columns < RESULT_COLUMNS ? columns : RESULT_COLUMNS;
		for (int c = 0; c < j.columns; c++)
		{
			j.column[c] = column[c];
			if (most * column[c].words_each > threads)
				threads = most * column[c].words_each;
		}
		GS_TRY(gs_grid(gs_divide_up(threads, THREADS), BLOCKS, &blocks));
		results_kernel<<<dim3((unsigned int) blocks, (unsigned int) j.columns),
			THREADS, 0, stream>>>(j);
		GS_TRY(gs_launched());
	}
	return cudaSuccess;
}

/* ----------
 * Wide sums
 * ----------
 */

/* Wide sums first to first + n - 1, in the order of their groups. */
__global__ void
wide_kernel(group_action a, group_records g, const uint32_t *order,
		    int64_t groups, const uint32_t *wide,
			int64_t first, int64_t n, char *to)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	size_t		size = group_wide_size(a.kind);
	int64_t		number;

	if (i >= groups || wide[i] == (i == 0 ? 0 : wide[i - 1]))
		return;
	number = (int64_t) wide[i] - 1;
	if (number < first || number >= first + n)
		return;
	to += (number - first) * size;
	memcpy(to, group_accumulator(a.kind, a.wide_of, a.wide, order[i]), size);
	*(uint32_t *) to = group_seen_of(a.rare, a.count,
									 g.records + (size_t) order[i] * g.words,
									 g.rare + (size_t) order[i] * g.rare_words);
	((int32_t *) to)[1] = 1;	/* additions, as gs_acc_propagate leaves it */
}

cudaError_t
group_wide_sums(const group_action *a, const group_records *g,
				const uint32_t *order, int64_t groups, const uint32_t *wide,
				int64_t first, int64_t n, char *to, cudaStream_t stream)
{
	wide_kernel<<<blocks_for(groups), THREADS, 0, stream>>>
		(*a, *g, order, groups, wide, first, n, to);
	return gs_launched();
}
