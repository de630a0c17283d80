/*-------------------------------------------------------------------------
 *
 * reduce.cuh
 *	  Reductions: their building blocks, and the state.
 *
 * For each operation and element type there is a struct (reduce_integer.cuh,
 * reduce_float.cuh, reduce_extreme.cuh, stats.cuh): the total that a thread,
 * and then a block, has of its elements.
 *
 *		element					the type that is read
 *		add(x, index, acc)		add N elements, the first having this index
 *		close(acc)				the total, after the last element
 *		merge(other, acc)		add another total
 *		merge_quickly(other, lost)
 *								the same without acc, but setting bits in
 *								*lost where acc would be needed; QUICK
 *		add_to_state(state, place)
 *								add the total to the state, by one thread of
 *								each block at the same time or, if
 *								NEEDS_INDEX, of the grid
 *
 * Elements and totals may come in any order.  EXACT reductions use
 * accumulators in the block's shared memory (acc).
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_CUH
#define GS_REDUCE_CUH

#include "kernels/common.cuh"

/* The state, which is also the report.  All zeros before the first element. */
struct reduce_state
{
	unsigned int done;			/* positions: blocks that have finished this
								 * batch */
	uint64_t	best;			/* the best key so far */
	int64_t		position;		/* of best */
	uint64_t	greatest;		/* GS_STATS: the maximum's key; best is the
								 * minimum's */
	uint64_t	bits;			/* OR or XOR of all values */
	uint64_t	isum[2];
	uint64_t	isquares[3];
	gs_acc		sum;
	gs_acc2		squares;
	uint32_t	special[GS_SPECIALS];
	unsigned long long pairs;	/* GS_DOT: without NULL */
};

/*
 * The batch: what turns a value's index among its values into a position in
 * the array.
 */
struct reduce_place
{
	int64_t		first;			/* index in the array of the first element */
	int64_t		n;
	int64_t		present;
	int64_t		bytes;			/* of the values */
	const uint8_t *values;
	const uint8_t *validity;	/* NULL: all present */
	const uint32_t *ranks;
};

/* The defaults. */
struct reduce_traits
{
	static const bool EXACT = false;	/* uses block_acc */
	static const bool NEEDS_INDEX = false;	/* add uses the index */
	static const bool QUICK = false;	/* totals have merge_quickly */

	static const int BLOCKS = GS_REDUCE_BLOCKS; /* a multiprocessor */

	/*
	 * Load through shared memory: so many registers are used that few threads
	 * fit, which would have too few loads in flight with registers alone.
	 */
	static const bool STAGED = false;
};

struct heavy_traits : reduce_traits
{
	static const int BLOCKS = GS_REDUCE_HEAVY_BLOCKS;
	static const bool STAGED = true;
};

/*
 * A modifiable copy of a kernel parameter, made opaque to the compiler word by
 * word: nvcc 13.0 goes on reading a member from the parameter after the copy's
 * has changed.
 */
template <class R>
__device__ static inline R
own_copy(const R &nothing)
{
	static_assert(sizeof(R) % 4 == 0, "not made of words");
	uint32_t	word[sizeof(R) / 4];
	R			r = nothing;

	memcpy(word, &r, sizeof r);
#pragma unroll
	for (int i = 0; i < (int) (sizeof(R) / 4); i++)
		asm volatile("" : "+r"(word[i]));
	memcpy(&r, word, sizeof r);
	return r;
}

/* A block's accumulators. */
struct block_acc
{
	uint32_t	touched;
	gs_acc		sum;
	gs_acc2		squares;
	uint32_t	special[GS_SPECIALS];
};

__device__ static __noinline__ void
spill(block_acc *a, double x)
{
	a->touched = 1;
	gs_acc_atomic_add(&a->sum, x);
}

__device__ static __noinline__ void
spill_product(block_acc *a, double x, double y)
{
	a->touched = 1;
	gs_acc2_atomic_add_product(&a->squares, x, y);
}

/* ----------
 * Adding to the state, by several blocks at the same time
 * ----------
 */

/* Add a number of N words, least significant first, to one in the state. */
template <int N>
__device__ static inline void
atomic_add_words(uint64_t *to, const uint64_t (&word)[N])
{
	uint64_t	carry = 0;

#pragma unroll
	for (int i = 0; i < N; i++)
	{
		uint64_t	add = word[i] + carry;
		uint64_t	old;

		carry = add < carry;
		if (add == 0)
			continue;
		old = atomicAdd((unsigned long long *) to + i, add);
		carry += old + add < old;
	}
}

__device__ static inline void
atomic_max_key(uint64_t *best, uint64_t key)
{
	atomicMax((unsigned long long *) best, key);
}

#endif							/* GS_REDUCE_CUH */
