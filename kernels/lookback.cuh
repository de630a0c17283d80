/*-------------------------------------------------------------------------
 *
 * lookback.cuh
 *	  Decoupled look-back: the prefix of a tile.
 *
 * After Merrill and Garland, Single-pass parallel prefix scan with decoupled
 * look-back (2016).  A scan runs over tiles, each the work of one block, and a
 * tile needs the total of all tiles before it, its exclusive prefix.  As soon
 * as a tile knows its own total, it publishes it as its aggregate.  Then a
 * warp walks back over the preceding tiles, 32 at a time, adding their
 * aggregates, until it meets a tile that has published its inclusive prefix.
 * Finally it publishes its own inclusive prefix.
 *
 * A counter hands out tiles in the order of their numbers.  So a tile waits
 * only for tiles of blocks that already run, and of all unfinished tiles the
 * one with the lowest number waits for none: there is no deadlock, however few
 * blocks run at a time.
 *
 * A tile state is one or two words of 128 bits.  Each is written and read
 * whole and contains the status, so no fence is needed.  Where there are two
 * words, a reader that sees different statuses reads again.
 *
 * Timing decides which aggregates and prefixes make up a tile's prefix, and so
 * in which order they are combined.  The types scanned here are associative,
 * so the result does not depend on it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_LOOKBACK_CUH
#define GS_LOOKBACK_CUH

#include "kernels/common.cuh"

enum gs_tile_state
{
	GS_TILE_NOTHING = 0,		/* the value of cleared memory */
	GS_TILE_AGGREGATE,
	GS_TILE_PREFIX
};

__device__ static inline gs_u128
gs_word_load(const gs_u128 *p)
{
	gs_u128		v;

	asm volatile("ld.relaxed.gpu.global.b128 %0, [%1];"
				 : "=q"(v) : "l"(p) : "memory");
	return v;
}

__device__ static inline void
gs_word_store(gs_u128 *p, gs_u128 v)
{
	asm volatile("st.relaxed.gpu.global.b128 [%0], %1;"
				 : : "l"(p), "q"(v) : "memory");
}

/*
 * The status is stored XORed with this fold of the rest of its word, so that a
 * reader needs the whole word.  Otherwise ptxas would split a load of which a
 * part is not needed into several shorter ones, and these could read different
 * states.
 */
__device__ static inline uint32_t
gs_fold(gs_u128 word)
{
	return (uint32_t) word ^ (uint32_t) (word >> 32) ^ (uint32_t) (word >> 64);
}

/*
 * P is the type that is scanned:
 *
 *		P::WORDS						words of a tile state
 *		P::identity()
 *		P::combine(earlier, later)
 *		p.pack(word), P::unpack(word)	all but the top 32 bits of each word
 */
template <class P>
__device__ static inline void
gs_publish(gs_u128 *tiles, int64_t tile, P value, gs_tile_state state)
{
	gs_u128		word[P::WORDS];

	value.pack(word);
#pragma unroll
	for (int i = 0; i < P::WORDS; i++)
		gs_word_store(tiles + tile * P::WORDS + i,
					  word[i] | (gs_u128) (state ^ gs_fold(word[i])) << 96);
}

template <class P>
__device__ static inline gs_tile_state
gs_read_tile(const gs_u128 *tiles, int64_t tile, P *value)
{
	gs_u128		word[P::WORDS];
	uint32_t	state;

#pragma unroll
	for (int i = 0; i < P::WORDS; i++)
		word[i] = gs_word_load(tiles + tile * P::WORDS + i);
	state = (uint32_t) (word[0] >> 96) ^ gs_fold(word[0]);
#pragma unroll
	for (int i = 1; i < P::WORDS; i++)
		if (((uint32_t) (word[i] >> 96) ^ gs_fold(word[i])) != state)
			return GS_TILE_NOTHING;
	*value = P::unpack(word);
	return (gs_tile_state) state;
}

/*
 * The exclusive prefix of a tile, for every lane of the calling warp.  Tile 0
 * publishes only an inclusive prefix.
 *
 * For ranks of values (bitmap_rank.cu), the results of running products
 * (product.cu), and NULLs among the results of scans (scan_nulls.cu).  Scans
 * have add_tile_states (scan_lookback.cuh), where tile 0 publishes an aggregate
 * first; compactions have a look_back of their own (compact.cuh).
 */
template <class P>
__device__ static inline P
gs_look_back(const gs_u128 *tiles, int64_t tile)
{
	P			before = P::identity();

	for (int64_t at = tile - 1 - gs_lane();; at -= GS_WARP)
	{
		P			value = P::identity();
		gs_tile_state state = at < 0 ? GS_TILE_PREFIX : GS_TILE_NOTHING;
		unsigned	unknown;
		unsigned	ends;

		/* until all tiles down to the nearest prefix have published */
		for (;;)
		{
			if (state != GS_TILE_PREFIX && at >= 0)
				state = gs_read_tile(tiles, at, &value);
			unknown = __ballot_sync(GS_ALL_LANES, state == GS_TILE_NOTHING);
			ends = __ballot_sync(GS_ALL_LANES, state == GS_TILE_PREFIX);
			if (unknown == 0 || (ends & (unknown - 1) & ~unknown) != 0)
				break;
		}
		if (ends != 0 && gs_lane() > __ffs(ends) - 1)
			value = P::identity();
#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			P			earlier = gs_shuffle_down(value, d);

			if (gs_lane() + d < GS_WARP)
				value = P::combine(earlier, value);
		}
		before = P::combine(gs_shuffle(value, 0), before);
		if (ends != 0)
			return before;
	}
}

/* A count. */
struct gs_count_part
{
	static const int WORDS = 1;
	uint64_t	count;

	__device__ static gs_count_part
	identity()
	{
		gs_count_part r = {0};

		return r;
	}

	__device__ static gs_count_part
	combine(gs_count_part earlier, gs_count_part later)
	{
		gs_count_part r = {earlier.count + later.count};

		return r;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = count;
	}

	__device__ static gs_count_part
	unpack(const gs_u128 *word)
	{
		gs_count_part r = {(uint64_t) word[0]};

		return r;
	}
};

#endif							/* GS_LOOKBACK_CUH */
