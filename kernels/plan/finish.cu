/*-------------------------------------------------------------------------
 *
 * finish.cu
 *	  Records of groups: their start, their carries, and the states that they
 *	  end as.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/record.cuh"

#include <cub/device/device_scan.cuh>

#define THREADS		256

static unsigned int
blocks_for(int64_t n)
{
	return (unsigned int) gs_divide_up(n, THREADS);
}

/* ----------
 * Records
 * ----------
 */

/* What is to be cleared, of groups first to groups - 1. */
typedef struct init_job
{
	int64_t    *records;
	int64_t    *rare;
	int64_t		first;
	int64_t		groups;
	int32_t		words;
	int32_t		rare_words;
	int32_t		neutrals;		/* words of a record that do not start with 0 */
	int32_t		wides;
	int32_t		neutral_word[GROUP_ACTIONS];
	int64_t		neutral[GROUP_ACTIONS];
	uint32_t   *wide_of[GROUP_ACTIONS];
} init_job;

__device__ static inline int64_t
first_value(const init_job &j, int64_t i)
{
	int			word = j.neutrals > 0 ? (int) (i % j.words) : 0;
	int64_t		value = 0;

	for (int k = 0; k < j.neutrals; k++)
	{
		if (j.neutral_word[k] == word)
			value = j.neutral[k];
	}
	return value;
}

__global__ void
init_kernel(init_job j)
{
	int64_t		thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	int64_t		threads = (int64_t) gridDim.x * THREADS;

	for (int64_t i = j.first * j.words + thread; i < j.groups * j.words;
		 i += threads)
		j.records[i] = first_value(j, i);
	for (int64_t i = j.first * j.rare_words + thread;
		 i < j.groups * j.rare_words; i += threads)
		j.rare[i] = 0;
	for (int k = 0; k < j.wides; k++)
	{
		for (int64_t g = j.first + thread; g < j.groups; g += threads)
			j.wide_of[k][g] = 0;
	}
}

cudaError_t
group_records_init(int64_t *records, int64_t *rare, int64_t first,
				   int64_t groups, const group_layout *layout,
				   bool accumulators, cudaStream_t stream)
{
	init_job	j = {records, rare, first, groups, layout->words,
		layout->rare_words};
	int			blocks;

	if (first >= groups)
		return cudaSuccess;
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];

		if (group_neutral(a->kind) != 0)
		{
			j.neutral_word[j.neutrals] = a->word;
			j.neutral[j.neutrals++] = group_neutral(a->kind);
		}
		if (accumulators && group_adds_floats(a))
			j.wide_of[j.wides++] = a->wide_of;
	}
	GS_TRY(gs_grid(gs_divide_up((groups - first) * layout->words, THREADS), 8,
				   &blocks));
	init_kernel<<<blocks, THREADS, 0, stream>>>(j);
	return gs_launched();
}

/* to[number[g]] = from[g], for records of so many words. */
template <typename T>
__global__ void
move_kernel(const T *from, T *to, const uint32_t *number, int64_t groups,
			int words)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < groups * words)
		to[(size_t) number[i / words] * words + i % words] = from[i];
}

cudaError_t
group_records_move(const int64_t *from, int64_t *to, const uint32_t *number,
				   int64_t groups, int words, cudaStream_t stream)
{
	if (words == 0)
		return cudaSuccess;
	move_kernel<<<blocks_for(groups * words), THREADS, 0, stream>>>
		(from, to, number, groups, words);
	return gs_launched();
}

cudaError_t
group_numbers_move(const uint32_t *from, uint32_t *to, const uint32_t *number,
				   int64_t groups, cudaStream_t stream)
{
	move_kernel<<<blocks_for(groups), THREADS, 0, stream>>>
		(from, to, number, groups, 1);
	return gs_launched();
}

/* ----------
 * Carries
 * ----------
 */

__global__ void
normalise_kernel(group_records g, int64_t groups, group_action a)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	int64_t    *w = g.records + i * g.words + a.word;

	if (i >= groups)
		return;
	if (group_adds_floats(&a))
	{
		int64_t    *below = g.rare + i * g.rare_words + a.rare + GROUP_BELOW;

		w[0] += *below >> GROUP_WORD_BITS;
		*below &= GROUP_WORD_MASK;
	}
	for (int i = 0; i + 1 < a.words; i++)
	{
		w[i + 1] += w[i] >> GROUP_WORD_BITS;
		w[i] &= GROUP_WORD_MASK;
	}
}

__global__ void
normalise_wide_kernel(group_action a)
{
	uint32_t	i = blockIdx.x * THREADS + threadIdx.x;

	if (i < *a.wide_count && i < a.wide_capacity)
		group_propagate(group_limbs_of(a.kind, a.wide +
						   (size_t) i * group_wide_size(a.kind)),
				  group_limbs_number(a.kind));
}

cudaError_t
group_records_normalise(const group_records *g, int64_t groups,
						const group_layout *layout, cudaStream_t stream)
{
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];

		if (!group_is_sum(a->kind))
			continue;
		normalise_kernel<<<blocks_for(groups), THREADS, 0, stream>>>
			(*g, groups, *a);
		GS_TRY(gs_launched());
		if (!group_adds_floats(a))
			continue;
		normalise_wide_kernel<<<blocks_for(a->wide_capacity), THREADS, 0,
			stream>>>(*a);
		GS_TRY(gs_launched());
	}
	return cudaSuccess;
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
	acc = group_wide_of(a, order[i]);
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
float_sum(const group_action &a, const int64_t *record, const int64_t *rare,
		  uint32_t group, gs_float_sum *sum)
{
	char	   *acc = group_wide_of(a, group);
	int64_t		limb[10] = {0};
	int64_t		below = rare[a.rare + GROUP_BELOW];
	int			first = max(a.unit - GROUP_WORD_BITS, 0) / 32;

	sum->wide = 0;
	sum->seen = group_seen_of(a.rare, a.count, record, rare);
	if (acc != NULL)
	{
		(void) compact_limbs(group_limbs_of(a.kind, acc),
							 group_limbs_number(a.kind), 0, sum);
		return;
	}
	for (int w = 0; w < a.words && a.unit != GROUP_NO_UNIT; w++)
		group_add_to_limbs(limb, first, record[a.word + w],
					 a.unit + w * GROUP_WORD_BITS);
	if (below != 0)
		group_add_to_limbs(limb, first, below, a.unit - GROUP_WORD_BITS);
	group_propagate(limb, 10);
	(void) compact_limbs(limb, 10, first, sum);
}

/* ----------
 * States
 * ----------
 */

/* Histograms, one thread for each count of so many a group. */
__global__ void
histograms_kernel(const int64_t *records, int stride, int word, int counts,
				  const uint32_t *order, int64_t n, int64_t *to)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < n * counts)
		to[i] = records[(size_t) order[i / counts] * stride + word +
						i % counts];
}

/*
 * The states of other actions.  `wide` are the inclusive counts of wide sums; NULL:
 * there are none.
 */
__global__ void
states_kernel(group_action a, group_records g, const uint32_t *order,
			  const uint32_t *wide, int64_t first,
			  int64_t n, size_t size, char *to)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	int64_t		at = first + i;
	const int64_t *record;
	const int64_t *rare;
	char	   *state = to + i * size;

	if (i >= n)
		return;
	record = g.records + (size_t) order[at] * g.words;
	rare = g.rare + (size_t) order[at] * g.rare_words;
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

				float_sum(a, record, rare, order[at], &sum);
				if (wide != NULL &&
					wide[at] > (at == 0 ? 0 : wide[at - 1]))
				{
					sum.wide = (int32_t) wide[at];
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

cudaError_t
group_states(const group_action *a, const group_records *g,
			 const uint32_t *order, const uint32_t *wide, int64_t first,
			 int64_t n, size_t size, char *to, cudaStream_t stream)
{
	int			counts = (int) (size / sizeof(int64_t));

	if (a->kind == GS_AGG_HISTOGRAM)
		histograms_kernel<<<blocks_for(n * counts), THREADS, 0, stream>>>
			(g->records, g->words, a->word, counts, order + first, n,
			 (int64_t *) to);
	else
		states_kernel<<<blocks_for(n), THREADS, 0, stream>>>
			(*a, *g, order, wide, first, n, size, to);
	return gs_launched();
}

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
	memcpy(to, group_wide_of(a, order[i]), size);
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

/* to[i] = from[order[first + i]], elements of so many words. */
__global__ void
gather_kernel(const int64_t *from, const uint32_t *order, int64_t n, int words,
			  int64_t *to)
{
	int64_t		i = (int64_t) blockIdx.x * THREADS + threadIdx.x;

	if (i < n * words)
		to[i] = from[(size_t) order[i / words] * words + i % words];
}

cudaError_t
group_gather(const int64_t *from, const uint32_t *order, int64_t n, int words,
			 int64_t *to, cudaStream_t stream)
{
	gather_kernel<<<blocks_for(n * words), THREADS, 0, stream>>>
		(from, order, n, words, to);
	return gs_launched();
}
