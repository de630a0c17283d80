/*-------------------------------------------------------------------------
 *
 * scan_lookback.cuh
 *	  Scans: what comes before a tile, and how the warps of a block meet.
 *
 * Two warps of a block find what comes before its tiles.  One, the publisher,
 * puts the totals of warps together, publishes the tile's, and takes the block
 * another tile's number from a counter; a slow block takes fewer.  The other
 * looks back (lookback.cuh), over a window of so many tiles that it nearly
 * always has the last prefix in it.  Totals are published a whole stage or two
 * before they are needed, so that nobody waits for long, and never later
 * because the block itself has to wait for something.
 *
 * Where there is at most one tile a multiprocessor (scan_args.single_wave), one warp
 * does both: there is nothing to do in between.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_LOOKBACK_CUH
#define GS_SCAN_LOOKBACK_CUH

#include "scan_tile.cuh"

/* The constants of a kernel. */
template <class S, bool HEADS>
struct scan_tuned
{
	static constexpr gs_scan_tuning of = gs_scan_tunings[S::ELEMENTS][HEADS];
	static const int WARPS = of.warps;
	static const int SINGLE_WAVE_WARPS = of.single_wave_warps;
	static const int MAX_WARPS = SINGLE_WAVE_WARPS + 1 > WARPS + 2 ? SINGLE_WAVE_WARPS + 1 :
		WARPS + 2;
	static const int DEPTH = of.depth;
	static const int AHEAD = of.ahead;
	static const int AHEAD_NULLS = of.ahead_nulls;
	static_assert(WARPS <= SINGLE_WAVE_WARPS && SINGLE_WAVE_WARPS < GS_WARP,
				  "scan_shared has room, and a lane more is for the total");
};

/* ----------
 * Putting totals together
 * ----------
 */

/*
 * Parts that are QUICK can be combined without a look at whether that succeeds:
 * if not, bits are set in *lost.  Many in a row then take less time.
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

/* For each lane the total of those from `start` to it. */
template <bool QUICKLY, class P>
__device__ static inline P
scan_lanes(P part, int start, int lanes, uint32_t *lost)
{
	int			lane = lane_here();

#pragma unroll
	for (int d = 1; d < lanes; d *= 2)
	{
		uint32_t	bits = 0;
		P			both = combine<QUICKLY>(gs_shuffle_up(part, d), part, &bits);

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
 * In: a lane's total, from its last head on, and a mask of the lanes that have
 * a head.  Out: the same from the last head of this and earlier lanes on.
 */
template <class P, bool HEADS>
__device__ static inline P
warp_scan(P part, uint32_t with_head, int lanes)
{
	/* the lane of the last head, from which on totals add up */
	uint32_t	mine = with_head & (GS_ALL_LANES >>
									(GS_WARP - 1 - lane_here()));
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

/* Lanes before this one. */
__device__ static inline uint32_t
earlier_lanes(void)
{
	return (1u << lane_here()) - 1;
}

/*
 * A gate opens when so many lanes have arrived at it, over and over.  The
 * callers' rounds count the openings from 0.
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

/* By one thread. */
__device__ static inline void
mbarrier_init(mbarrier *g, int lanes)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("mbarrier.init.shared.b64 [%0], %1;"
				 : : "r"(shared_address(g)), "r"(lanes) : "memory");
#else
	g->word = 0;
#endif
}

/* What this lane did before is seen by those who have waited. */
__device__ static inline void
mbarrier_arrive(mbarrier *g)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("{\n\t"
				 ".reg .b64 state;\n\t"
				 "mbarrier.arrive.shared.b64 state, [%0];\n\t"
				 "}"
				 : : "r"(shared_address(g)) : "memory");
#else
	__threadfence_block();
	atomicAdd(&g->word, 1ull);
#endif
}

__device__ static inline void
mbarrier_wait(mbarrier *g, uint32_t round, int lanes)
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
					 : "r"(shared_address(g)), "r"(round & 1) : "memory");
	while (!open);
#else
	while (*(volatile unsigned long long *) &g->word <
		   (unsigned long long) (round + 1) * lanes)
		;
	__threadfence_block();
#endif
}

/*
 * What the warps of a block tell each other, in turns of RING tiles.
 *
 * Tile j of a block: its number, and where the values of its warps are, are
 * known once `drawn` is open; the warps' totals once `totals` is; those put
 * together once `published` is; what comes before each warp once `ready` is.
 *
 * A slot is written again only by those who have waited at a gate that its
 * readers arrive at later than they have read.  What is behind a gate was
 * written by lanes that have arrived there, be it one of a warp or all.
 */
#define RING			4
#define RING_OF_NUMBERS	8

template <class S, bool HEADS>
struct scan_shared
{
	static const int WARPS = scan_tuned<S, HEADS>::SINGLE_WAVE_WARPS;

	mbarrier		totals[RING];
	mbarrier		published[RING];
	mbarrier		ready[RING];
	mbarrier		drawn[RING_OF_NUMBERS];
	int			tiles[RING_OF_NUMBERS];
	uint32_t	ranks[RING_OF_NUMBERS][WARPS + 1];	/* of its warps */
	uint32_t	leading;

	typename S::part of_warp[RING][WARPS];
	uint32_t	warp_has_head[RING][WARPS];
	uint32_t	starts[RING];	/* the tile begins with a head */

	/* of the warps before in the tile, of the tile, and which have a head */
	typename S::part within[RING][WARPS];
	typename S::part total[RING];
	uint32_t	heads[RING];

	typename S::carry_type before_warp[RING][WARPS];
};

/* Among a tile's heads: it begins with one. */
#define STARTS			(1u << 31)

/* ----------
 * What comes before a tile
 * ----------
 */

/*
 * A tile's place among publications: 32 bytes apart, so that those of two tiles
 * are not in one sector of the L2 cache, which all read while one is written.
 */
template <class P>
__device__ static inline int64_t
publication(int64_t tile)
{
	return tile * (2 / P::WORDS);
}

/* Put together the totals of the tile's warps, and publish. */
template <class S, bool HEADS>
__device__ static inline void
publish_tile(scan_shared<S, HEADS> &shared, const scan_args &a, int tile, int turn)
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
			gs_publish(a.published, publication<typename S::carry_type>(tile),
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
add_tiles_slowly(const gs_u128 *published, int tile, P start);

/*
 * What comes before a tile, for all lanes; `start` comes before tile 0.  What is
 * scanned commutes, so lanes take tiles by turns; only what lies before the
 * last prefix (or tile with a head, which is one) must be left out.
 *
 * SINGLE_WAVE, where there is at most one tile a multiprocessor: nobody is far ahead of
 * others, so that prefixes are carry_type away, and many totals are read.
 */
template <class P, bool SINGLE_WAVE, bool QUICKLY>
__device__ static inline P
add_tiles(const gs_u128 *published, int tile, P start)
{
	const int	ROWS = SINGLE_WAVE ? GS_SCAN_ROWS_SINGLE_WAVE : 1;
	P			sum = P::identity();
	bool		ended = false;
	int			lanes = 0;		/* that have something in sum */
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
		/* until all down to the last prefix are known */
		do
		{
#pragma unroll
			for (int i = 0; i < ROWS; i++)
				if (state[i] == GS_TILE_NOTHING)
					state[i] = gs_read_tile
						(published, publication<P>(at - i * GS_WARP),
						 &value[i]);
			blocked = ended = false;
#pragma unroll
			for (int i = 0; i < ROWS; i++)
			{
				uint32_t	unknown = __ballot_sync(GS_ALL_LANES,
													state[i] == GS_TILE_NOTHING);
				uint32_t	ends = __ballot_sync(GS_ALL_LANES,
												 state[i] == GS_TILE_PREFIX);

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
	/* a known number of steps are unrolled, and under way at the same time */
#pragma unroll (SINGLE_WAVE ? 5 : 1)
	for (int d = 1; d < (SINGLE_WAVE ? GS_WARP : lanes); d *= 2)
		sum = combine<QUICKLY>(sum, gs_shuffle_xor(sum, d), &lost);
	if constexpr (QUICKLY)
	{
		if (__any_sync(GS_ALL_LANES, lost != 0))
			return add_tiles_slowly(published, tile, start);
	}
	return gs_shuffle(sum, 0);
}

template <class P>
__device__ P
add_tiles_slowly(const gs_u128 *published, int tile, P start)
{
	return add_tiles<P, false, false>(published, tile, start);
}

/*
 * Take another tile for the block; from a.tiles on there is none.  Where there
 * are as many blocks as tiles, each has one.  For lane 0.
 */
__device__ static inline int
take_tile(const scan_args &a, bool first)
{
	int			tile = first ? 0 : (int) a.tiles;

	if (gs_lane() == 0 && a.tiles > 1 && (first || a.tiles > gridDim.x))
		tile = (int) atomicAdd(&a.header->next, 1u);
	return tile;
}

/* Tell it, as the block's tile j. */
template <class S, bool HEADS>
__device__ static inline void
tell_tile(scan_shared<S, HEADS> &shared, const scan_args &a, unsigned int j,
		  int tile)
{
	unsigned int slot = j % RING_OF_NUMBERS;

	tile = __shfl_sync(GS_ALL_LANES, tile, 0);
	if (gs_lane() == 0)
		shared.tiles[slot] = tile;
	if (has_nulls(a) && tile < a.tiles && gs_lane() <= a.warps)
		shared.ranks[slot][gs_lane()] =
			a.ranks[min((int64_t) tile * a.warps + gs_lane(),
						(a.n + GS_RANK_BLOCK - 1) / GS_RANK_BLOCK)];
}

/* The number of the block's tile j, which another warp has taken. */
template <class S, bool HEADS>
__device__ static inline int
number_of(scan_shared<S, HEADS> &shared, unsigned int j)
{
	if (j > 0)
		mbarrier_wait(&shared.drawn[j % RING_OF_NUMBERS],
				  (j - 1) / RING_OF_NUMBERS, GS_WARP);
	return shared.tiles[j % RING_OF_NUMBERS];
}

/* The work of the warp that publishes. */
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
		tell_tile(shared, a, j, take_tile(a, false));
		mbarrier_arrive(&shared.drawn[j % RING_OF_NUMBERS]);
	}
	__syncwarp();
	for (j = 0;; j++)
	{
		int			tile = shared.tiles[j % RING_OF_NUMBERS];
		int			next;

		if (tile >= a.tiles)
			break;
		mbarrier_wait(&shared.totals[j % RING], j / RING, a.warps);
		/* it takes long, so it is under way while the tile is published */
		next = take_tile(a, false);
		publish_tile<S, HEADS>(shared, a, tile, j % RING);
		mbarrier_arrive(&shared.published[j % RING]);
		tell_tile(shared, a, j + ahead, next);
		mbarrier_arrive(&shared.drawn[(j + ahead) % RING_OF_NUMBERS]);
		__syncwarp();
	}
	/* the others look so far ahead */
	for (unsigned int k = j + ahead; k <= j + tuned::DEPTH; k++)
	{
		if (gs_lane() == 0)
			shared.tiles[k % RING_OF_NUMBERS] = (int) a.tiles;
		mbarrier_arrive(&shared.drawn[k % RING_OF_NUMBERS]);
	}
}

/*
 * What comes before each warp of a tile.  Those after a head do not ask.
 */
template <class S, bool HEADS>
__device__ static inline void
set_before(scan_shared<S, HEADS> &shared, const scan_args &a, int tile, int turn,
		   const typename S::carry_type &before)
{
	typedef typename S::carry_type carry_type;
	uint32_t	heads = HEADS ? shared.heads[turn] & ~STARTS : 0;
	carry_type			total;

	if (gs_lane() > a.warps)
		return;
	total = S::carry_of(gs_lane() < a.warps ? shared.within[turn][gs_lane()] :
					  shared.total[turn]);
	if (!HEADS || heads == 0 || gs_lane() < a.warps)
		total = carry_type::combine(before, total);
	if (gs_lane() < a.warps)
		shared.before_warp[turn][gs_lane()] = total;
	else
	{
		if (tile + 1 == a.tiles)
		{
			if (a.more)
				S::keep_total(a, total);
		}
		else if (!HEADS || heads == 0)
			gs_publish(a.published, publication<carry_type>(tile), total,
					   GS_TILE_PREFIX);
	}
}

/* What comes before a tile, once its own total is published. */
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
	return add_tiles<carry_type, SINGLE_WAVE, carry_type::QUICK>(a.published, tile, start);
}

/* What comes before the chunk. */
template <class S>
__device__ static inline typename S::carry_type
before_chunk(const scan_args &a)
{
	typedef typename S::carry_type carry_type;

	return a.first != 0 ? carry_type::unpack(a.state->carry) : carry_type::identity();
}

/* The work of the warp that looks back. */
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
 * The work of both where the block has one tile, by one warp.  All that others
 * wait for for other reasons is done before the tile's total is known.
 */
template <class S, bool HEADS>
__device__ static inline void
publish_and_look_back(scan_shared<S, HEADS> &shared, const scan_args &a)
{
	const typename S::carry_type start = before_chunk<S>(a);
	const int	tile = shared.tiles[0];

	for (int j = 1; j <= scan_tuned<S, HEADS>::DEPTH + 1; j++)
	{
		tell_tile(shared, a, j, (int) a.tiles);
		mbarrier_arrive(&shared.drawn[j]);
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
