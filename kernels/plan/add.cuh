/*-------------------------------------------------------------------------
 *
 * add.cuh
 *	  Adding a value to the state of its group, in shared or global memory.
 *
 * All functions handle the ROWS rows that a thread has at a time; of those,
 * bit r of a mask says whether row r takes part.  What depends on the action
 * alone is decided once, before the loop over the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ADD_CUH
#define GS_GROUP_ADD_CUH

#include "kernels/plan/sum.cuh"

/* Most values change nothing. */
template <bool MIN>
__device__ static inline void
add_extreme(long long *to, long long v)
{
	long long	now = *(volatile long long *) to;

	if (MIN && v < now)
		atomicMin(to, v);
	if (!MIN && v > now)
		atomicMax(to, v);
}

template <add_mode MODE, bool FULL, bool MIN>
__device__ static inline void
add_extremes(const block_states &b, const add_action &a, const thread_rows &t,
			 uint32_t mask, const int64_t *x)
{
	const int	type = a.type;
	const int	single = b.single + a.single;
	const int	word = a.word;

	EACH_ROW(mask, {
		long long	v = group_strictly_ordered(type, x[r]);

		if (is_local<MODE>(t.target[r]))
			add_extreme<MIN>((long long *) group_shared_words() + single +
							 t.target[r], v);
		else
			add_extreme<MIN>((long long *)
							 record_word(b, (uint32_t) ~t.target[r], word),
							 v);
	})
}

__device__ static inline void
add_flags(unsigned long long *to, bool conjunction, unsigned long long v)
{
	unsigned long long now = *(volatile unsigned long long *) to;

	if (conjunction && (now & v) != now)
		atomicAnd(to, v);
	if (!conjunction && (now | v) != now)
		atomicOr(to, v);
}

template <add_mode MODE>
__device__ static inline void
add_bits(const block_states &b, const add_action &a, int32_t target, int64_t x)
{
	unsigned long long v = (unsigned long long) x;
	bool		conjunction = a.kind == GS_AGG_BIT_AND;

	if (a.kind == GS_AGG_BIT_XOR && is_local<MODE>(target))
	{
		uint32_t   *words = replicated_word(b, target, a.replicated);

		atomicXor(words, (uint32_t) v);
		atomicXor(words + replicas_of<MODE>(b), (uint32_t) (v >> 32));
	}
	else if (a.kind == GS_AGG_BIT_XOR)
		atomicXor((unsigned long long *)
				  record_word(b, (uint32_t) ~target, a.word), v);
	else if (is_local<MODE>(target))
		add_flags((unsigned long long *) group_shared_words() + b.single +
				  a.single + target, conjunction, v);
	else
		add_flags((unsigned long long *)
				  record_word(b, (uint32_t) ~target, a.word), conjunction, v);
}

template <add_mode MODE>
__device__ static inline void
add_special(const block_states &b, const add_action &a, int32_t target,
			int64_t x)
{
	double		v = __longlong_as_double(x);

	if (gs_is_special(v))
		add_word(rare_word(b, record_group<MODE>(b, target),
						   a.rare + gs_special_of(v)), 1);
}

template <add_mode MODE, bool FULL, typename RULE>
__device__ static inline void
add_buckets_of(const block_states &b, const RULE rule, const add_action &a,
			   const thread_rows &t, uint32_t mask, const int64_t *x)
{
	const int	replicated = a.replicated;
	const int	word = a.word;

	EACH_ROW(mask, {
		int			bucket = rule.bucket(__longlong_as_double(x[r]));

		count_one<MODE>(b, t.target[r],
						replicated + bucket * replicas_of<MODE>(b),
						word + bucket);
	})
}

/* How it is exact, histogram_bucket.cuh says. */
template <add_mode MODE, bool FULL>
__device__ static inline void
add_buckets(const block_states &b, const add_action &a, const thread_rows &t,
			uint32_t mask, const int64_t *x)
{
	const bool	is_float = group_is_float(a.type);
	int64_t		v[ROWS];

#pragma unroll
	for (int r = 0; r < ROWS; r++)
		v[r] = is_float ? x[r] : __double_as_longlong((double) x[r]);
	if (a.all->is_ordinary)
		add_buckets_of<MODE, FULL>(b, a.all->rule, a, t, mask, v);
	else
		add_buckets_of<MODE, FULL>(b, a.all->plain_rule, a, t, mask, v);
}

/* The rows in which a computed argument has a value. */
__device__ static inline uint32_t
rows_with_value(const block_states &b, int slot, uint32_t mask)
{
	uint32_t	states;

	if (slot < 0)
		return mask;
	states = b.slots.states[slot * THREADS + threadIdx.x];
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		if (state_of(states, r) != 0)
			mask &= ~(1u << r);
	}
	return mask;
}

/* The rows in which an action's arguments are present and its filter true. */
template <int KINDS>
__device__ static inline uint32_t
rows_of_action(const block_states &b, const add_action &a,
			   const thread_rows &t)
{
	uint32_t	mask = t.counted;

	if (!a.sparse)
		return mask;
	mask = group_rows_with_bit<ROWS>(a.filter, t.row, mask);
	mask = group_rows_with_bit<ROWS>(a.a_validity, t.row, mask);
	mask = group_rows_with_bit<ROWS>(a.b_validity, t.row, mask);
	if ((KINDS & KINDS_PROGRAMS) != 0 && b.job->program != NULL)
	{
		mask = rows_with_value(b, a.a_slot, mask);
		mask = rows_with_value(b, a.b_slot, mask);
	}
	return mask;
}

/* The values of an argument. */
template <int KINDS, bool FULL>
__device__ static inline void
read_argument(const block_states &b, const void *values, int format,
			  int64_t base, int slot, const thread_rows &t, uint32_t mask,
			  int64_t *x)
{
	if ((KINDS & KINDS_COMPUTED) != 0 && slot >= 0)
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			x[r] = *slot_value(b, slot, r);
		if ((KINDS & KINDS_PROGRAMS) != 0 && format == GROUP_WIDENED)
			widen_floats(x);
		return;
	}
	group_load_rows<ROWS, FULL ? THREADS : 0>(values, format, base, t.row,
											  mask, x);
}

/* What is left out of a count. */
template <add_mode MODE, int KINDS, bool FULL>
__device__ static inline void
count_left_out(const block_states &b, const add_action &a,
			   const thread_rows &t)
{
	uint32_t	with;

	if (FULL || !a.sparse)
		return;
	with = t.counted & ~rows_of_action<KINDS>(b, a, t);
	EACH_ROW(with, {
		if (is_local<MODE>(t.target[r]))
			atomicAdd(replicated_word(b, t.target[r], a.replicated), 1u);
		else
			add_word(rare_word(b, (uint32_t) ~t.target[r], a.rare), 1);
	})
}

/*
 * Add rows to one action; *mask and x stay for the next one, and if they are
 * `loaded`, they are there already.
 */
template <add_mode MODE, int KINDS, bool FULL>
__device__ static inline void
act(const block_states &b, const add_action &a, bool loaded,
	const thread_rows &t, uint32_t *mask, int64_t *x)
{
	if (a.kind == GS_AGG_COUNT)
	{
		count_left_out<MODE, KINDS, FULL>(b, a, t);
		return;
	}
	if (!a.again && !loaded)
	{
		*mask = FULL ? t.counted : rows_of_action<KINDS>(b, a, t);
		read_argument<KINDS, FULL>(b, a.a, a.a_format, a.a_base, a.a_slot, t,
								   *mask, x);
	}
	if (KINDS == KINDS_HISTOGRAMS ||
		((KINDS & KINDS_HISTOGRAMS) != 0 && a.kind == GS_AGG_HISTOGRAM))
	{
		add_buckets<MODE, FULL>(b, a, t, *mask, x);
	}
	else if (KINDS == KINDS_FLOAT_SUMS ||
		((KINDS & KINDS_FLOAT_SUMS) != 0 && a.kind == GS_AGG_SUM &&
		 group_is_float(a.type)))
	{
		add_floats<MODE, FULL>(b, a, t, *mask, x);
	}
	else if ((KINDS & KINDS_FLOAT_SQUARES) != 0 &&
			 a.kind == GS_AGG_SQUARES && group_is_float(a.type))
	{
		add_products<MODE, FULL, true>(b, a, t, *mask, x, x);
	}
	else if ((KINDS & KINDS_EXTREMES) != 0 && a.kind == GS_AGG_MIN)
		add_extremes<MODE, FULL, true>(b, a, t, *mask, x);
	else if ((KINDS & KINDS_EXTREMES) != 0 && a.kind == GS_AGG_MAX)
		add_extremes<MODE, FULL, false>(b, a, t, *mask, x);
	else if ((KINDS & KINDS_INTEGER_SUMS) != 0 && a.kind == GS_AGG_SUM)
		add_integers<MODE, FULL, false>(b, a, t, *mask, x, x);
	else if ((KINDS & KINDS_OTHERS) == 0)
		;
	else if (a.kind == GS_AGG_PRODUCTS)
	{
		int64_t		y[ROWS];

		read_argument<KINDS, FULL>(b, a.b, a.b_format, a.b_base, a.b_slot, t,
								   *mask, y);
		if (!group_is_float(a.type))
			add_integers<MODE, FULL, true>(b, a, t, *mask, x, y);
		else
			add_products<MODE, FULL, false>(b, a, t, *mask, x, y);
	}
	else if (group_is_sum(a.kind))
		add_integers<MODE, FULL, true>(b, a, t, *mask, x, x);
	else if (a.kind == GS_AGG_SPECIALS)
	{
		EACH_ROW(*mask, add_special<MODE>(b, a, t.target[r], x[r]))
	}
	else
	{
		EACH_ROW(*mask, add_bits<MODE>(b, a, t.target[r], x[r]))
	}
}

#endif							/* GS_GROUP_ADD_CUH */
