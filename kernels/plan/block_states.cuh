/*-------------------------------------------------------------------------
 *
 * block_states.cuh
 *	  The states in a block's shared memory: cleared, relieved before they
 *	  overflow, and added to the records at the end.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_BLOCK_STATES_CUH
#define GS_GROUP_BLOCK_STATES_CUH

#include "kernels/plan/block.cuh"

/* Counters of shared memory that stay below this are safe for a while. */
#define ADDITIONS_CHECKED	(GROUP_DIGIT_ADDITIONS / 2)


/* Copy whole words of global to shared memory. */
__device__ static void
copy_words(void *to, const void *from, size_t size)
{
	for (size_t i = threadIdx.x; i < size / sizeof(uint32_t); i += THREADS)
		((uint32_t *) to)[i] = ((const uint32_t *) from)[i];
}

__device__ static void
read_keys(const group_key_job *from, add_key *keys)
{
	for (int k = threadIdx.x; k < from->keys; k += THREADS)
	{
		add_key		key;

		key.values = from->column[k].values;
		key.validity = from->column[k].validity;
		key.base = from->column[k].base;
		key.format = from->column[k].format;
		key.type = from->column[k].type;
		key.low = (uint64_t) from->dense.low[k];
		key.size = (uint32_t) from->dense.size[k];
		key.stride = (uint32_t) from->dense.stride[k];
		keys[k] = key;
	}
}

/* Extremes compare a float4 as it is. */
__device__ static inline int8_t
format_of(const group_action *a, const group_column &c)
{
	return c.format != GROUP_FLOAT4 || a->kind == GS_AGG_MIN ||
		a->kind == GS_AGG_MAX ? (int8_t) c.format : GROUP_WIDENED;
}

__device__ static void
read_actions(const group_layout *layout, const group_job *job,
			 add_action *actions)
{
	for (int i = threadIdx.x; i < layout->actions; i += THREADS)
	{
		const group_action *from = &layout->action[i];
		add_action	a;

		a.a = from->a.values;
		a.b = from->b.values;
		a.a_validity = from->a_slot < 0 ? from->a.validity : NULL;
		a.b_validity = from->b_slot < 0 ? from->b.validity : NULL;
		a.filter = from->filter;
		a.a_base = from->a.base;
		a.b_base = from->b.base;
		a.all = from;
		a.word = from->word;
		a.rare = from->rare;
		a.replicated = from->replicated * job->replicas;
		a.single = from->single * job->local_groups;
		a.unit = group_unit_of(job->reported->window[i]);
		a.kind = (int8_t) from->kind;
		a.type = (int8_t) from->type;
		a.a_format = format_of(from, from->a);
		a.b_format = format_of(from, from->b);
		a.digits = (int8_t) from->digits;
		a.a_slot = (int16_t) from->a_slot;
		a.b_slot = (int16_t) from->b_slot;
		a.sparse = (int8_t) from->sparse;
		a.again = (int8_t) from->again;
		actions[i] = a;
	}
}

__device__ static void
clear_states(const block_states &b, int replicated,
			 const group_layout *layout, int groups)
{
	for (int i = threadIdx.x; i < groups * b.group_words; i += THREADS)
		group_shared[replicated + i] = 0;
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action &a = layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < groups; g += THREADS)
			group_shared_words()[b.single + a.single * groups + g] =
				group_neutral(a.kind);
	}
	__syncthreads();
}

__device__ static inline int64_t *
digit_target(const block_states &b, uint32_t group, const group_digit &d)
{
	return d.is_rare ? rare_word(b, group, d.word) :
		record_word(b, group, d.word);
}

/* Add to a record's word what shared memory has for it. */
__device__ static inline void
add_digit(int64_t *to, const group_digit &d, int64_t value)
{
	if (value == 0)
		return;
	if (d.is_xor)
		atomicXor((unsigned long long *) to,
				  (unsigned long long) value << d.shift);
	else
		add_word(to, value * (INT64_C(1) << d.shift));
}

__device__ static inline int64_t
digit_value(const group_digit &d, uint32_t value)
{
	return d.is_signed ? (int64_t) (int32_t) value : (int64_t) value;
}

/* The sum, or exclusive or, of a warp's values. */
__device__ static inline int64_t
warp_total(const group_digit &d, int64_t value)
{
#pragma unroll
	for (int lane = GS_WARP / 2; lane > 0; lane /= 2)
	{
		int64_t		other = __shfl_xor_sync(GS_ALL_LANES, value, lane);

		value = d.is_xor ? value ^ other : value + other;
	}
	return value;
}

/*
 * Empty the 32 replicas of groups, if one of them needs it.  A warp does a
 * group and adds up first: additions to one place in global memory wait for
 * each other.
 */
template <add_mode MODE>
__device__ static void
relieve_warps(const block_states &b, int replicated,
			  const group_digit *digits, int groups)
{
	for (int local = gs_warp(); local < groups; local += THREADS / GS_WARP)
	{
		uint32_t   *word = group_shared + replicated +
			local * b.group_words + gs_lane();
		uint32_t	group = record_group<MODE>(b, local);

		if (!__any_sync(GS_ALL_LANES, *word >= ADDITIONS_CHECKED))
			continue;
		for (int w = 0; w * GS_WARP < b.group_words; w++)
		{
			const group_digit d = digits[w];
			int64_t		value = warp_total(d, digit_value(d, word[w * GS_WARP]));

			word[w * GS_WARP] = 0;
			if (gs_lane() == 0)
				add_digit(digit_target(b, group, d), d, value);
		}
	}
}

/* Empty replicas, each if it needs it. */
template <add_mode MODE>
__device__ static void
relieve_each(const block_states &b, int replicated,
			 const group_digit *digits, int groups)
{
	for (int i = threadIdx.x; i < groups * b.replicas; i += THREADS)
	{
		int			local = i / b.replicas;
		uint32_t   *word = group_shared + replicated +
			local * b.group_words + i % b.replicas;
		uint32_t	group = record_group<MODE>(b, local);

		if (*word < ADDITIONS_CHECKED)
			continue;
		for (int w = 0; w * b.replicas < b.group_words; w++)
		{
			add_digit(digit_target(b, group, digits[w]), digits[w],
					  digit_value(digits[w], word[w * b.replicas]));
			word[w * b.replicas] = 0;
		}
	}
}

/*
 * Empty the counters to which so much has been added that a digit could
 * overflow before this is called again.
 */
template <add_mode MODE>
__device__ static void
relieve(const block_states &b, int replicated,
		const group_digit *digits, int groups)
{
	__syncthreads();
	if (MODE == ADD_PACKED)
		relieve_each<MODE>(b, replicated, digits, groups);
	else
		relieve_warps<MODE>(b, replicated, digits, groups);
	__syncthreads();
}

/* When counters are looked at, and what then needs to be known. */
typedef struct relief
{
	const group_digit *digits;
	int			replicated;		/* in 32-bit words of shared memory */
	int			groups;
	int			every;			/* so many tiles */
	int			tiles;			/* since the last time */
	uint32_t	seen;			/* counts before additions, OR-ed */
} relief;

/* Make room for the additions of another tile. */
template <add_mode MODE>
__device__ static inline void
make_room(const block_states &b, relief *r)
{
	if (r->tiles++ < r->every)
		return;
	if (MODE != ADD_PACKED || __syncthreads_or(r->seen >= ADDITIONS_CHECKED))
		relieve<MODE>(b, r->replicated, r->digits, r->groups);
	r->seen = 0;
	r->tiles = 1;
}

/*
 * Add all replicas to the records.  A thread does a word; it starts with such
 * a replica that no two lanes meet in a bank.
 */
template <add_mode MODE>
__device__ static void
flush_replicated(const block_states &b, int replicated,
				 const group_digit *digits, int groups)
{
	int			words = b.group_words / b.replicas;
	int			start = gs_lane() * b.replicas / GS_WARP;

	for (int i = threadIdx.x; i < groups * words; i += THREADS)
	{
		const uint32_t *word = group_shared + replicated + i * b.replicas;
		const group_digit d = digits[i % words];
		int64_t		sum = 0;

		for (int k = 0; k < b.replicas; k++)
		{
			int64_t		value =
				digit_value(d, word[(start + k) & (b.replicas - 1)]);

			sum = d.is_xor ? sum ^ value : sum + value;
		}
		add_digit(digit_target(b, record_group<MODE>(b, i / words), d), d,
				  sum);
	}
}

template <add_mode MODE>
__device__ static void
flush_singles(const block_states &b, const group_layout *layout, int groups)
{
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action &a = layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < groups; g += THREADS)
		{
			long long	value = group_shared_words()[b.single +
													 a.single * groups + g];
			long long  *to = (long long *)
				record_word(b, record_group<MODE>(b, g), a.word);

			if (value == group_neutral(a.kind))
				continue;
			if (a.kind == GS_AGG_MIN)
				atomicMin(to, value);
			else if (a.kind == GS_AGG_MAX)
				atomicMax(to, value);
			else if (a.kind == GS_AGG_BIT_AND)
				atomicAnd((unsigned long long *) to,
						  (unsigned long long) value);
			else
				atomicOr((unsigned long long *) to,
						 (unsigned long long) value);
		}
	}
}

#endif							/* GS_GROUP_BLOCK_STATES_CUH */
