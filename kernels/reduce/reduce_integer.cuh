/*-------------------------------------------------------------------------
 *
 * reduce_integer.cuh
 *	  Reductions: sums of integers and of their squares, bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_INTEGER_CUH
#define GS_REDUCE_INTEGER_CUH

#include "kernels/reduce/reduce.cuh"

/* ----------
 * Sums of integers
 * ----------
 */

/* Types that hold the sum of a batch of T, and of a whole array. */
template <typename T> struct integer_range;
template <> struct integer_range<int16_t>
{
	typedef int32_t batch;
	typedef int64_t sum;
};
template <> struct integer_range<int32_t>
{
	typedef int64_t batch;
	typedef int64_t sum;
};
template <> struct integer_range<int64_t>
{
	typedef __int128 batch;
	typedef __int128 sum;
};

/* MAGNITUDES: of the absolute values. */
template <typename T, bool MAGNITUDES = false>
struct sum_integer : reduce_traits
{
	typedef T element;
	typedef sum_integer<T, MAGNITUDES> total;
	typedef typename integer_range<T>::batch batch_sum;
	typename integer_range<T>::sum sum;

	__host__ __device__
	sum_integer(const gs_op *)
	{
		sum = 0;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t, block_acc *)
	{
		batch_sum	batch = 0;

#pragma unroll
		for (int i = 0; i < N; i++)
			batch += MAGNITUDES && x[i] < 0 ? -(batch_sum) x[i] :
				(batch_sum) x[i];
		sum += batch;
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		sum += other.sum;
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &)
	{
		const uint64_t word[] = {(uint64_t) sum,
			(uint64_t) ((__int128) sum >> 64)};

		atomic_add_words(state->isum, word);
	}
};

/* A sum of squares: 192 bits. */
struct wide_sum
{
	uint64_t	word[3];

	__device__ void
	add(uint64_t lo, uint64_t hi, uint64_t top)
	{
		asm("add.cc.u64 %0, %0, %3;\n\t"
			"addc.cc.u64 %1, %1, %4;\n\t"
			"addc.u64 %2, %2, %5;"
			: "+l"(word[0]), "+l"(word[1]), "+l"(word[2])
			: "l"(lo), "l"(hi), "l"(top));
	}
};

template <typename T>
struct moments_integer : reduce_traits
{
	typedef T element;
	typedef moments_integer<T> total;
	typename integer_range<T>::sum sum;
	wide_sum	squares;

	__host__ __device__
	moments_integer(const gs_op *)
	{
		sum = 0;
		squares.word[0] = squares.word[1] = squares.word[2] = 0;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t, block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
		{
			sum += x[i];
			if (sizeof(T) < 8)
			{
				int64_t		wide = x[i];

				squares.add((uint64_t) (wide * wide), 0, 0);
			}
			else
				squares.add((uint64_t) x[i] * (uint64_t) x[i],
							(uint64_t) __mul64hi(x[i], x[i]), 0);
		}
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		sum += other.sum;
		squares.add(other.squares.word[0], other.squares.word[1],
					other.squares.word[2]);
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &place)
	{
		sum_integer<T> plain(NULL);

		plain.sum = sum;
		plain.add_to_state(state, place);
		atomic_add_words(state->isquares, squares.word);
	}
};

/* ----------
 * Bits
 * ----------
 */

/*
 * OR or XOR of words of values; AND is the complement of the complements' OR.
 */
template <bool XOR>
struct bit_words : reduce_traits
{
	typedef uint64_t element;
	typedef bit_words<XOR> total;
	uint64_t	bits;
	uint64_t	flip;

	__host__ __device__
	bit_words(const gs_op *op)
	{
		bits = 0;
		flip = op->kind == GS_BIT_AND ? UINT64_MAX : 0;
	}

	template <int N>
	__device__ void
	add(const uint64_t (&x)[N], int64_t, block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
			bits = XOR ? bits ^ x[i] : bits | (x[i] ^ flip);
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		bits = XOR ? bits ^ other.bits : bits | other.bits;
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &place)
	{
		unsigned long long *to = (unsigned long long *) &state->bits;

		/* elements are whole words; the remaining bytes are added here */
		if (blockIdx.x == 0)
			for (int64_t i = place.bytes / 8 * 8; i < place.bytes; i++)
				bits = XOR ?
					bits ^ (uint64_t) place.values[i] << (8 * (i % 8)) :
					bits | (uint64_t) (place.values[i] ^ (uint8_t) flip) <<
					(8 * (i % 8));
		if (XOR)
			atomicXor(to, bits);
		else
			atomicOr(to, bits);
	}
};

#endif							/* GS_REDUCE_INTEGER_CUH */
