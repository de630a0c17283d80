/*-------------------------------------------------------------------------
 *
 * record_read.cuh
 *	  What a group's record says (states.cuh), at the end.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_RECORD_READ_CUH
#define GS_GROUP_RECORD_READ_CUH

#include "kernels/plan/records.cuh"

/* ----------
 * Accumulators
 * ----------
 */

/* All limbs but the last come into [0, 2^32). */
__device__ static inline void
group_propagate(int64_t *limb, int limbs)
{
	for (int i = 0; i + 1 < limbs; i++)
	{
		limb[i + 1] += limb[i] >> 32;
		limb[i] &= INT64_C(0xffffffff);
	}
}

/* Add word * 2^position, where limb[k] counts units of 2^(32 (k + first)). */
__device__ static inline void
group_add_to_limbs(int64_t *limb, int first, int64_t word, int position)
{
	int			k = position / 32 - first;
	int			shift = position % 32;
	uint64_t	low = (uint64_t) word << shift;
	int64_t		high = shift == 0 ? word >> 63 : word >> (64 - shift);

	limb[k] += (int64_t) (low & 0xffffffffu);
	limb[k + 1] += (int64_t) (low >> 32);
	limb[k + 2] += high;
}

__device__ static inline int64_t *
group_limbs_of(int kind, char *acc)
{
	return kind == GS_AGG_SUM ? ((gs_acc *) acc)->limb :
		((gs_acc2 *) acc)->limb;
}

__host__ __device__ static inline int
group_limbs_number(int kind)
{
	return kind == GS_AGG_SUM ? GS_ACC_LIMBS : GS_ACC2_LIMBS;
}

/* A group's; NULL: it has none.  The arguments before it are the action's. */
__device__ static inline char *
group_accumulator(int kind, const uint32_t *wide_of, char *wide, uint32_t group)
{
	uint32_t	number = wide_of[group];

	return number == 0 ? NULL :
		wide + (size_t) (number - 1) * group_wide_size(kind);
}

/* Of a float sum whose rare words these are, the latter that of its count. */
__device__ static inline uint32_t
group_seen_of(int rare_word, int count, const int64_t *record,
			  const int64_t *rare)
{
	const int64_t *special = rare + rare_word;
	int64_t		addends = record[0] - rare[count];

	return (uint32_t) special[GROUP_SEEN] |
		(addends > special[GROUP_NEGATIVE_ZEROS] ?
		 GS_SEEN_NOT_NEGATIVE_ZERO : 0);
}

/* ----------
 * Sums
 * ----------
 */

/* r += word * 2^shift, in two's complement. */
template <int WORDS>
__device__ static inline void
group_add_word(uint64_t (&r)[WORDS], int64_t word, int shift)
{
	uint64_t	carry = 0;

#pragma unroll
	for (int i = 0; i < WORDS; i++)
	{
		int			at = 64 * i - shift;
		uint64_t	part = at <= -64 ? 0 : at < 0 ? (uint64_t) word << -at :
			(uint64_t) (at < 64 ? word >> at : word >> 63);
		uint64_t	with = r[i] + carry;
		uint64_t	sum = with + part;

		carry = (with < carry) | (sum < part);
		r[i] = sum;
	}
}

/* So many words has the largest sum: of squares, or products, of 64 bits. */
#define GROUP_SUM_WORDS		5

__device__ static inline gs_integer_sum
group_integer_sum(const int64_t *word, int words)
{
	gs_integer_sum r = {{0, 0, 0}};

#pragma unroll
	for (int w = 0; w < GROUP_SUM_WORDS; w++)
	{
		if (w < words)
			group_add_word(r.word, word[w], w * GROUP_WORD_BITS);
	}
	return r;
}

/*
 * A sum of floats that has no accumulator, in units of 2^*exponent: the action's
 * unit and words, but not of squares or products.
 */
__device__ static inline gs_integer_sum
group_window_sum(int unit, int rare_word, int word, int words,
				 const int64_t *record, const int64_t *rare, int *exponent)
{
	gs_integer_sum r = {{0, 0, 0}};

	*exponent = 0;
	if (unit == GROUP_NO_UNIT)
		return r;
	*exponent = GS_ACC_LOWEST + unit - GROUP_WORD_BITS;
	group_add_word(r.word, rare[rare_word + GROUP_BELOW], 0);
#pragma unroll
	for (int w = 0; w < 3; w++)
	{
		if (w < words)
			group_add_word(r.word, record[word + w], (w + 1) * GROUP_WORD_BITS);
	}
	return r;
}

#endif							/* GS_GROUP_RECORD_READ_CUH */
