/*-------------------------------------------------------------------------
 *
 * records.cu
 *	  Records of groups: their start, and their carries.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/plan/record_read.cuh"

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
