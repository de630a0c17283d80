/*-------------------------------------------------------------------------
 *
 * scan_lookback.cuh
 *	  Scans: finding a tile's prefix, and how the warps of a block synchronise.
 *
 * Besides the scanning warps, two warps of a block find the prefixes of its
 * tiles.  The publisher merges the totals of the scanning warps, publishes the
 * tile's aggregate, and claims the number of another tile for the block from a
 * counter, so that a slow block processes fewer tiles.  The other warp looks
 * back (lookback.cuh), 32 tiles at a time (GS_SCAN_ROWS_SINGLE_WAVE times as
 * many for small arrays).  Aggregates are published a whole stage or two before
 * they are needed, so that hardly anybody waits for them, and publishing never
 * has to wait until the block itself gets a prefix.
 *
 * With at most one tile a multiprocessor (scan_args.single_wave), one warp
 * does both, since there is nothing to do in between.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_LOOKBACK_CUH
#define GS_SCAN_LOOKBACK_CUH

#include "kernels/scan/scan_tile.cuh"

/* A kernel's constants. */
template <class S, bool HEADS>
struct scan_tuned
{
	static constexpr gs_scan_tuning of = gs_scan_tunings[S::ELEMENTS][HEADS];
	static const int WARPS = of.warps;
	static const int SINGLE_WAVE_WARPS = of.single_wave_warps;
	static const int MAX_WARPS = SINGLE_WAVE_WARPS + 1 > WARPS + 2 ?
		SINGLE_WAVE_WARPS + 1 : WARPS + 2;
	static const int DEPTH = of.depth;
	static const int AHEAD = of.ahead;
	static const int AHEAD_NULLS = of.ahead_nulls;
	static_assert(WARPS <= SINGLE_WAVE_WARPS && SINGLE_WAVE_WARPS < GS_WARP,
				  "scan_shared holds them, and one lane is for the total");
};

/* ----------
 * Merging totals
 * ----------
 */

/*
 * QUICK parts can be combined without checking for success: a failure sets
 * bits in *lost.  A sequence of such combinations is faster.
 */
template <bool QUICKLY, class P>
__device__ static inline P
combine(P a, P b, uint32_t *lost)
{
	if constexpr (QUICKLY)
		return P::combine_quickly(a, b, lost);
	else
		return P::combine(a, b);
}

/* For each lane, the total of the lanes from `start` to it. */
template <bool QUICKLY, class P>
__device__ static inline P
scan_lanes(P part, int start, int lanes, uint32_t *lost)
{
	int			lane = opaque_lane();

#pragma unroll
	for (int d = 1; d < lanes; d *= 2)
	{
		uint32_t	bits = 0;
		P			both = combine<QUICKLY>(gs_shuffle_up(part, d), part,
											&bits);

		if (lane - d >= start)
		{
			part = both;
			*lost |= bits;
		}
	}
	return part;
}

template <class P>
__device__ static __noinline__ P
scan_lanes_slowly(P part, int start)
{
	uint32_t	lost = 0;

	return scan_lanes<false>(part, start, GS_WARP, &lost);
}

/*
 * Segmented inclusive scan over a warp.  In: each lane's total from its last
 * head on, and a mask of the lanes that have a head.  Out: the total from the
 * last head in this or an earlier lane on.
 */
template <class P, bool HEADS>
__device__ static inline P
warp_scan(P part, uint32_t with_head, int lanes)
{
	/* `start` is the lane of the last head */
	uint32_t	mine = with_head & (GS_ALL_LANES >>
									(GS_WARP - 1 - opaque_lane()));
	int			start = HEADS ? GS_WARP - 1 - __clz(mine | 1) : 0;
	uint32_t	lost = 0;
	P			total = scan_lanes<P::QUICK>(part, start, lanes, &lost);

	if constexpr (P::QUICK)
	{
		if (__any_sync(GS_ALL_LANES, lost != 0))
			return scan_lanes_slowly(part, start);
	}
	return total;
}

/* A mask of the lanes before this one. */
__device__ static inline uint32_t
earlier_lanes(void)
{
	return (1u << opaque_lane()) - 1;
}

/*
 * A hardware barrier in shared memory (emulated by a counter before compute
 * capability 8.0).  A phase completes when the given number of lanes have
 * arrived, and the next one begins; callers count completed phases in `round`,
 * from 0.
 */
struct mbarrier
{
	unsigned long long word;
};

__device__ static inline uint32_t
shared_address(const void *p)
{
	return (uint32_t) __cvta_generic_to_shared(p);
}

/* Called by one thread. */
__device__ static inline void
mbarrier_init(mbarrier *b, int lanes)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("mbarrier.init.shared.b64 [%0], %1;"
				 : : "r"(shared_address(b)), "r"(lanes) : "memory");
#else
	b->word = 0;
#endif
}

/* Release semantics: those who have waited see this lane's earlier writes. */
__device__ static inline void
mbarrier_arrive(mbarrier *b)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("{\n\t"
				 ".reg .b64 state;\n\t"
				 "mbarrier.arrive.shared.b64 state, [%0];\n\t"
				 "}"
				 : : "r"(shared_address(b)) : "memory");
#else
	__threadfence_block();
	atomicAdd(&b->word, 1ull);
#endif
}

__device__ static inline void
mbarrier_wait(mbarrier *b, uint32_t round, int lanes)
{
#if __CUDA_ARCH__ >= 800
	uint32_t	open;

	do
		asm volatile("{\n\t"
					 ".reg .pred open;\n\t"
#if __CUDA_ARCH__ >= 900
					 "mbarrier.try_wait.parity.shared.b64 open, [%1], %2;\n\t"
#else
					 "mbarrier.test_wait.parity.shared.b64 open, [%1], %2;\n\t"
#endif
					 "selp.u32 %0, 1, 0, open;\n\t"
					 "}"
					 : "=r"(open)
					 : "r"(shared_address(b)), "r"(round & 1) : "memory");
	while (!open);
#else
	while (*(volatile unsigned long long *) &b->word <
		   (unsigned long long) (round + 1) * lanes)
		;
	__threadfence_block();
#endif
}

/*
 * Shared memory of a block, in rings: RING slots for tiles between the sweeps,
 * NUMBER_RING slots for tile numbers.
 *
 * The mbarriers order the access.  For the block's tile j, `claimed` completes
 * once its number and the ranks of its warps are known, `totals` once the
 * warps' totals are, `published` once these are merged, and `ready` once the
 * prefix of each warp is.
 *
 * A slot is only overwritten by lanes that have waited on an mbarrier at which
 * its readers arrive after reading.  What an mbarrier guards was written by
 * lanes that arrived there, be it one lane a warp or all of them.
 */
#define RING			4
#define NUMBER_RING		8

template <class S, bool HEADS>
struct scan_shared
{
	static const int WARPS = scan_tuned<S, HEADS>::SINGLE_WAVE_WARPS;

	mbarrier	totals[RING];
	mbarrier	published[RING];
	mbarrier	ready[RING];
	mbarrier	claimed[NUMBER_RING];
	int			tiles[NUMBER_RING];
	uint32_t	ranks[NUMBER_RING][WARPS + 1];	/* of the tile's warps */
	uint32_t	leading;

	typename S::part of_warp[RING][WARPS];
	uint32_t	warp_has_head[RING][WARPS];
	uint32_t	starts[RING];	/* the tile begins with a head */

	/*
	 * of the earlier warps in the tile, of the tile, and a mask of warps with
	 * a head
	 */
	typename S::part within[RING][WARPS];
	typename S::part total[RING];
	uint32_t	heads[RING];

	typename S::carry_type before_warp[RING][WARPS];
};

/* Set in a tile's heads if it begins with a head. */
#define STARTS			(1u << 31)

/* ----------
 * The prefix of a tile
 * ----------
 */

/*
 * The index of a tile's state.  States are 32 bytes apart, so that no two
 * share a sector of the L2 cache, which would be read by all while one is
 * written.
 */
template <class P>
__device__ static inline int64_t
tile_state_index(int64_t tile)
{
	return tile * (2 / P::WORDS);
}

/* Merge the totals of the tile's warps, and publish. */
template <class S, bool HEADS>
__device__ static inline void
publish_tile(scan_shared<S, HEADS> &shared, const scan_args &a, int tile,
			 int turn)
{
	typedef typename S::part part;
	bool		in = gs_lane() < a.warps;
	part		mine = in ? shared.of_warp[turn][gs_lane()] : S::nothing();
	uint32_t	with_head = HEADS ?
		__ballot_sync(GS_ALL_LANES,
					  in && shared.warp_has_head[turn][gs_lane()]) : 0;
	part		inclusive = warp_scan<part, HEADS>(mine, with_head,
													shared.WARPS);
	part		exclusive = gs_shuffle_up(inclusive, 1);

	if (gs_lane() == a.warps - 1)
	{
		if (tile + 1 < a.tiles)
			gs_publish(a.published,
					   tile_state_index<typename S::carry_type>(tile),
					   S::carry_of(inclusive),
					   with_head ? GS_TILE_PREFIX : GS_TILE_AGGREGATE);
		shared.total[turn] = inclusive;
		if (HEADS)
			shared.heads[turn] = with_head | (shared.starts[turn] ? STARTS : 0);
	}
	if (in)
		shared.within[turn][gs_lane()] = gs_lane() == 0 ? S::nothing() :
			exclusive;
}

template <class P>
__device__ __noinline__ P
add_tile_states_slowly(const gs_u128 *published, int tile, P start);

/*
 * The exclusive prefix of a tile, for all lanes; `start` precedes tile 0.  The
 * scanned operations commute, so lanes take tiles by turns; only what lies
 * before the last inclusive prefix (or tile with a head, which publishes one)
 * must be left out.
 *
 * SINGLE_WAVE: there is at most one tile a multiprocessor, so no tile is far
 * ahead of others, prefixes are many tiles away, and more tile states are read
 * at once.
 */
template <class P, bool SINGLE_WAVE, bool QUICKLY>
__device__ static inline P
add_tile_states(const gs_u128 *published, int tile, P start)
{
	const int	ROWS = SINGLE_WAVE ? GS_SCAN_ROWS_SINGLE_WAVE : 1;
	P			sum = P::identity();
	bool		ended = false;
	int			lanes = 0;		/* number of lanes with a non-empty sum */
	uint32_t	lost = 0;

	for (int at = tile - 1 - gs_lane(); !ended; at -= ROWS * GS_WARP)
	{
		P			value[ROWS];
		gs_tile_state state[ROWS];
		bool		blocked;

#pragma unroll
		for (int i = 0; i < ROWS; i++)
		{
			int			from = at - i * GS_WARP;

			value[i] = from == -1 ? start : P::identity();
			state[i] = from < 0 ? GS_TILE_PREFIX : GS_TILE_NOTHING;
		}
		/* until all tiles down to the last prefix have published */
		do
		{
#pragma unroll
			for (int i = 0; i < ROWS; i++)
				if (state[i] == GS_TILE_NOTHING)
					state[i] = gs_read_tile
						(published, tile_state_index<P>(at - i * GS_WARP),
						 &value[i]);
			blocked = ended = false;
#pragma unroll
			for (int i = 0; i < ROWS; i++)
			{
				uint32_t	unknown = __ballot_sync
					(GS_ALL_LANES, state[i] == GS_TILE_NOTHING);
				uint32_t	ends = __ballot_sync
					(GS_ALL_LANES, state[i] == GS_TILE_PREFIX);

				if (!ended)
					blocked |= (unknown & ((ends & (0 - ends)) - 1)) != 0;
				ended |= ends != 0;
			}
		} while (blocked);

		ended = false;
#pragma unroll
		for (int i = 0; i < ROWS; i++)
		{
			uint32_t	ends = __ballot_sync(GS_ALL_LANES,
											 state[i] == GS_TILE_PREFIX);

			if (ended || (ends != 0 && gs_lane() > __ffs(ends) - 1))
				value[i] = P::identity();
			if (!ended)
				lanes = max(lanes, ends != 0 ? __ffs(ends) : GS_WARP);
			ended |= ends != 0;
		}
#pragma unroll
		for (int d = 1; d < ROWS; d *= 2)
#pragma unroll
			for (int i = 0; i + d < ROWS; i += 2 * d)
				value[i] = combine<QUICKLY>(value[i + d], value[i], &lost);
		sum = combine<QUICKLY>(value[0], sum, &lost);
	}
	/* a constant number of steps is unrolled, so that they overlap */
#pragma unroll (SINGLE_WAVE ? 5 : 1)
	for (int d = 1; d < (SINGLE_WAVE ? GS_WARP : lanes); d *= 2)
		sum = combine<QUICKLY>(sum, gs_shuffle_xor(sum, d), &lost);
	if constexpr (QUICKLY)
	{
		if (__any_sync(GS_ALL_LANES, lost != 0))
			return add_tile_states_slowly(published, tile, start);
	}
	return gs_shuffle(sum, 0);
}

template <class P>
__device__ P
add_tile_states_slowly(const gs_u128 *published, int tile, P start)
{
	return add_tile_states<P, false, false>(published, tile, start);
}

/*
 * Claim another tile for the block, by lane 0; a number from a.tiles on means
 * none.  Where there are as many blocks as tiles, each block has one.
 */
__device__ static inline int
claim_tile(const scan_args &a, bool first)
{
	int			tile = first ? 0 : (int) a.tiles;

	if (gs_lane() == 0 && a.tiles > 1 && (first || a.tiles > gridDim.x))
		tile = (int) atomicAdd(&a.header->next, 1u);
	return tile;
}

/* Store it as the block's tile j, for all warps. */
template <class S, bool HEADS>
__device__ static inline void
announce_tile(scan_shared<S, HEADS> &shared, const scan_args &a, unsigned int j,
			  int tile)
{
	unsigned int slot = j % NUMBER_RING;

	tile = __shfl_sync(GS_ALL_LANES, tile, 0);
	if (gs_lane() == 0)
		shared.tiles[slot] = tile;
	if (has_nulls(a) && tile < a.tiles && gs_lane() <= a.warps)
		shared.ranks[slot][gs_lane()] =
			a.ranks[min((int64_t) tile * a.warps + gs_lane(),
						(a.n + GS_RANK_BLOCK - 1) / GS_RANK_BLOCK)];
}

/* The number of the block's tile j, which the publisher has claimed. */
template <class S, bool HEADS>
__device__ static inline int
number_of(scan_shared<S, HEADS> &shared, unsigned int j)
{
	if (j > 0)
		mbarrier_wait(&shared.claimed[j % NUMBER_RING],
					  (j - 1) / NUMBER_RING, GS_WARP);
	return shared.tiles[j % NUMBER_RING];
}

/* The publisher warp. */
template <class S, bool HEADS>
__device__ static inline void
publish_tiles(scan_shared<S, HEADS> &shared, const scan_args &a)
{
	typedef scan_tuned<S, HEADS> tuned;
	const unsigned int ahead = has_nulls(a) ? tuned::AHEAD_NULLS :
		tuned::AHEAD;
	unsigned int j;

	for (j = 1; j < ahead; j++)
	{
		announce_tile(shared, a, j, claim_tile(a, false));
		mbarrier_arrive(&shared.claimed[j % NUMBER_RING]);
	}
	__syncwarp();
	for (j = 0;; j++)
	{
		int			tile = shared.tiles[j % NUMBER_RING];
		int			next;

		if (tile >= a.tiles)
			break;
		mbarrier_wait(&shared.totals[j % RING], j / RING, a.warps);
		/* slow, so it overlaps with publishing the tile */
		next = claim_tile(a, false);
		publish_tile<S, HEADS>(shared, a, tile, j % RING);
		mbarrier_arrive(&shared.published[j % RING]);
		announce_tile(shared, a, j + ahead, next);
		mbarrier_arrive(&shared.claimed[(j + ahead) % NUMBER_RING]);
		__syncwarp();
	}
	/* the scanning warps look this far ahead */
	for (unsigned int k = j + ahead; k <= j + tuned::DEPTH; k++)
	{
		if (gs_lane() == 0)
			shared.tiles[k % NUMBER_RING] = (int) a.tiles;
		mbarrier_arrive(&shared.claimed[k % NUMBER_RING]);
	}
}

/*
 * Set the prefix of each warp of a tile, except those after a head, which need
 * none.
 */
template <class S, bool HEADS>
__device__ static inline void
set_before(scan_shared<S, HEADS> &shared, const scan_args &a, int tile,
		   int turn, const typename S::carry_type &before)
{
	typedef typename S::carry_type carry_type;
	uint32_t	heads = HEADS ? shared.heads[turn] & ~STARTS : 0;
	carry_type	total;

	if (gs_lane() > a.warps)
		return;
	total = S::carry_of(gs_lane() < a.warps ?
						shared.within[turn][gs_lane()] : shared.total[turn]);
	if (!HEADS || heads == 0 || gs_lane() < a.warps)
		total = carry_type::combine(before, total);
	if (gs_lane() < a.warps)
		shared.before_warp[turn][gs_lane()] = total;
	else
	{
		if (tile + 1 == a.tiles)
		{
			if (a.more)
				S::store_total(a, total);
		}
		else if (!HEADS || heads == 0)
			gs_publish(a.published, tile_state_index<carry_type>(tile), total,
					   GS_TILE_PREFIX);
	}
}

/* The exclusive prefix of a tile whose own aggregate is published. */
template <class S, bool HEADS, bool SINGLE_WAVE>
__device__ static inline typename S::carry_type
before_tile(const scan_shared<S, HEADS> &shared, const scan_args &a, int tile,
			int turn, const typename S::carry_type &start)
{
	typedef typename S::carry_type carry_type;

	if (tile == 0)
		return start;
	if (HEADS && (shared.heads[turn] & STARTS))
		return carry_type::identity();
	return add_tile_states<carry_type, SINGLE_WAVE, carry_type::QUICK>
		(a.published, tile, start);
}

/* The total of the batches before. */
template <class S>
__device__ static inline typename S::carry_type
before_chunk(const scan_args &a)
{
	typedef typename S::carry_type carry_type;

	return a.first != 0 ? carry_type::unpack(a.state->carry) :
		carry_type::identity();
}

/* The look-back warp. */
template <class S, bool HEADS>
__device__ static inline void
look_back(scan_shared<S, HEADS> &shared, const scan_args &a)
{
	const typename S::carry_type start = before_chunk<S>(a);

	for (unsigned int j = 0;; j++)
	{
		int			turn = j % RING;
		int			tile = number_of(shared, j);

		if (tile >= a.tiles)
			break;
		mbarrier_wait(&shared.published[turn], j / RING, GS_WARP);
		set_before<S, HEADS>(shared, a, tile, turn,
							 before_tile<S, HEADS, false>
							 (shared, a, tile, turn, start));
		mbarrier_arrive(&shared.ready[turn]);
	}
}

/*
 * Both in one warp, where the block has one tile.  Everything else that others
 * wait for is done before the tile's total is known.
 */
template <class S, bool HEADS>
__device__ static inline void
publish_and_look_back(scan_shared<S, HEADS> &shared, const scan_args &a)
{
	const typename S::carry_type start = before_chunk<S>(a);
	const int	tile = shared.tiles[0];

	for (int j = 1; j <= scan_tuned<S, HEADS>::DEPTH + 1; j++)
	{
		announce_tile(shared, a, j, (int) a.tiles);
		mbarrier_arrive(&shared.claimed[j]);
	}
	mbarrier_wait(&shared.totals[0], 0, a.warps);
	publish_tile<S, HEADS>(shared, a, tile, 0);
	mbarrier_arrive(&shared.published[0]);
	__syncwarp();
	set_before<S, HEADS>(shared, a, tile, 0,
						 before_tile<S, HEADS, true>
						 (shared, a, tile, 0, start));
	mbarrier_arrive(&shared.ready[0]);
}

#endif							/* GS_SCAN_LOOKBACK_CUH */
