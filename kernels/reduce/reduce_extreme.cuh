/*-------------------------------------------------------------------------
 *
 * reduce_extreme.cuh
 *	  Reductions: minimum and maximum, and their positions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_EXTREME_CUH
#define GS_REDUCE_EXTREME_CUH

#include "kernels/reduce/reduce.cuh"

/* ----------
 * Extremes
 * ----------
 */

/* A key of 32 or 64 bits as an unsigned one of 64, in the same order. */
__device__ static inline uint64_t
unsigned_key(int64_t key)
{
	return (uint64_t) key ^ UINT64_C(0x8000000000000000);
}

/* A minimum is the maximum of the complements. */
GS_INLINE bool
is_minimum(const gs_op *op)
{
	return op->kind == GS_MIN || op->kind == GS_ARGMIN;
}

template <typename T>
struct extreme_value : reduce_traits
{
	typedef T element;
	typedef extreme_value<T> total;
	typedef typename gs_key<T>::type key;
	key			best;
	key			flip;			/* -1 for a minimum */

	__host__ __device__
	extreme_value(const gs_op *op)
	{
		flip = is_minimum(op) ? -1 : 0;
		best = sizeof(key) == 8 ? (key) INT64_MIN : (key) INT32_MIN;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t, block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
			best = max(best, gs_key<T>::of(x[i]) ^ flip);
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		best = max(best, other.best);
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &)
	{
		atomic_max_key(&state->best, unsigned_key(best));
	}
};

/* The index of the element that this many values precede. */
__device__ static int64_t
element_of_value(const reduce_place &place, int64_t value)
{
	int64_t		low = 0;
	int64_t		high = (place.n + GS_RANK_BLOCK - 1) / GS_RANK_BLOCK;
	int64_t		at;
	int64_t		left;

	if (place.validity == NULL)
		return value;
	/* the last rank block whose rank is at most value */
	while (high - low > 1)
	{
		int64_t		middle = (low + high) / 2;

		if (place.ranks[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	at = low * (GS_RANK_BLOCK / 8);
	for (left = value - place.ranks[low];; at++)
	{
		int			count = __popc(place.validity[at]);

		if (left < count)
			break;
		left -= count;
	}
	for (int bit = 0;; bit++)
		if (place.validity[at] >> bit & 1 && left-- == 0)
			return at * 8 + bit;
}

/* The first of the best elements; -0 equals 0. */
template <typename T>
struct extreme_position : reduce_traits
{
	typedef T element;
	typedef extreme_position<T> total;
	typedef typename gs_key<T>::type key;
	static const bool NEEDS_INDEX = true;
	key			best;
	key			flip;
	uint32_t	place;			/* index among the values; -1: none */
	uint32_t	unused;

	__host__ __device__
	extreme_position(const gs_op *op)
	{
		flip = is_minimum(op) ? -1 : 0;
		best = sizeof(key) == 8 ? (key) INT64_MIN : (key) INT32_MIN;
		place = UINT32_MAX;
		unused = 0;
	}

	__device__ void
	consider(key k, uint32_t at)
	{
		if (k > best || (k == best && at < place))
		{
			best = k;
			place = at;
		}
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t index, block_acc *)
	{
		/* adding 0 turns -0 into 0 */
#pragma unroll
		for (int i = 0; i < N; i++)
			consider(gs_key<T>::of(x[i] + (T) 0) ^ flip,
					 (uint32_t) index + i);
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		consider(other.best, other.place);
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &where)
	{
		uint64_t	mine = unsigned_key(best);

		if (state->position != 0 && mine <= state->best)
			return;
		state->best = mine;
		state->position = where.first + 1 + element_of_value(where, place);
	}
};

#endif							/* GS_REDUCE_EXTREME_CUH */
