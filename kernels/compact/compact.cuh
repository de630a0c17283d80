/*-------------------------------------------------------------------------
 *
 * compact.cuh
 *	  The kernel of compactions.
 *
 * A single pass.  A block processes one tile of elements at a time.  In a
 * tile, each warp has a segment and finds, with a few shuffles, how many kept
 * elements precede each of its own (compact_rows.cuh); a barrier adds the
 * earlier warps, and a look-back the earlier tiles, as in lookback.cuh.
 *
 * Kept values are first gathered in order in shared memory and written from
 * there, so that adjacent lanes write adjacent values, in blocks of memory
 * aligned to cache lines.
 *
 * What selects elements (Keep) and what is moved (Payload) are parameters: see
 * compact_parts.cuh.
 *
 * Source: Merrill and Garland (lookback.cuh).
 * Determinism: a kept element's place is the number of those before it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMPACT_CUH
#define GS_COMPACT_CUH

#include "kernels/compact/compact_parts.cuh"
#include "kernels/lookback.cuh"

/*
 * Counts of kept elements, and of those that are not NULL: two counts of 31
 * bits, which suffices for a batch, in one word.  An addition adds both at
 * once, and two bits are left for the status of a tile.
 */
typedef uint64_t kept_counts;

#define KEPT_BITS	31
#define KEPT_MASK	((UINT64_C(1) << KEPT_BITS) - 1)
#define STATE_SHIFT	(2 * KEPT_BITS)

static __device__ __forceinline__ kept_counts
kept_of(uint32_t elements, uint32_t present)
{
	return (uint64_t) present << KEPT_BITS | elements;
}

static __device__ __forceinline__ uint32_t
kept_elements(kept_counts kept)
{
	return (uint32_t) (kept & KEPT_MASK);
}

static __device__ __forceinline__ uint32_t
kept_present(kept_counts kept)
{
	return (uint32_t) (kept >> KEPT_BITS & KEPT_MASK);
}

/*
 * A tile state is a single word, so no fence is needed.  The clobber prevents
 * the compiler from moving other work before it: other blocks wait for this.
 */
static __device__ __forceinline__ void
publish(uint64_t *tiles, int64_t tile, kept_counts kept, gs_tile_state state)
{
	asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
				 : : "l"(tiles + tile * GS_COMPACT_SPREAD),
				 "l"(kept | (uint64_t) state << STATE_SHIFT) : "memory");
}

static __device__ __forceinline__ uint64_t
load_tile_state(const uint64_t *tiles, int tile)
{
	uint64_t	word;

	asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
				 : "=l"(word) : "l"(tiles + tile * GS_COMPACT_SPREAD)
				 : "memory");
	return word;
}

static __device__ __forceinline__ gs_tile_state
status_of(uint64_t word)
{
	return (gs_tile_state) (word >> STATE_SHIFT);
}

/*
 * The exclusive prefix of a tile.  Like gs_look_back, but for sums, whose
 * order does not matter: lanes merge their sums only at the end.
 */
static __device__ kept_counts
look_back(const uint64_t *tiles, int64_t tile)
{
	kept_counts sum = 0;

	for (int at = (int) tile - 1 - gs_lane();; at -= GS_WARP)
	{
		/* the first tile is preceded by a prefix of nothing */
		uint64_t	word = (uint64_t) GS_TILE_PREFIX << STATE_SHIFT;
		unsigned	unknown;
		unsigned	ends;

		if (at >= 0)
			word = load_tile_state(tiles, at);
		/* until all tiles down to the nearest prefix have published */
		for (;;)
		{
			const gs_tile_state state = status_of(word);

			unknown = __ballot_sync(GS_ALL_LANES, state == GS_TILE_NOTHING);
			ends = __ballot_sync(GS_ALL_LANES, state == GS_TILE_PREFIX);
			if (unknown == 0 || (ends & (unknown - 1) & ~unknown) != 0)
				break;
			if (state == GS_TILE_NOTHING)
				word = load_tile_state(tiles, at);
		}
		if (ends == 0 || gs_lane() < __ffs(ends))
			sum += word & ((UINT64_C(1) << STATE_SHIFT) - 1);
		if (ends != 0)
			return kept_of(gs_warp_sum(kept_elements(sum)),
						   gs_warp_sum(kept_present(sum)));
	}
}

/* Where the results go. */
struct compact_output
{
	void	   *values;
	uint32_t   *validity;		/* cleared before; sparse_values only */
	gs_done    *done;
};

/* What the blocks share; cleared before. */
struct compact_progress
{
	unsigned int *tickets;		/* number of tiles claimed */
	uint64_t   *tiles;			/* tile states */
};

/* A tile's results, gathered in order, until their position is known. */
template <typename Payload>
struct compact_stage
{
	typedef typename Payload::type T;
	T		   *values;			/* values that are not NULL */
	uint8_t    *present;		/* one an element; only if has_nulls */

	__host__ __device__ static int
	size(int tile)
	{
		return tile * (int) (sizeof(T) + (Payload::has_nulls ? 1 : 0));
	}

	__device__
	compact_stage(char *shared, int tile, int side)
	{
		values = (T *) (shared + side * size(tile));
		present = (uint8_t *) (values + tile);
	}
};

/* Write count values to `to` + at; every warp writes aligned blocks. */
template <typename T>
static __device__ __forceinline__ void
write_values(T *to, uint32_t at, const T *stage, int count)
{
	const int	line = 128 / sizeof(T);

	for (int i = (int) threadIdx.x - (int) (at % line); i < count;
		 i += blockDim.x)
	{
		if (i >= 0)
			__stcs(&to[at + i], stage[i]);
	}
}

/* Write count bits; words shared with other tiles are updated atomically. */
static __device__ __forceinline__ void
write_bits(uint32_t *to, uint32_t at, const uint8_t *stage, int count)
{
	const int	skip = at % GS_WARP;

	for (int i = (int) gs_warp() * GS_WARP - skip; i < count;
		 i += blockDim.x)
	{
		int			mine = i + gs_lane();
		uint32_t	word = __ballot_sync(GS_ALL_LANES, mine >= 0 &&
										 mine < count && stage[mine]);

		if (gs_lane() != 0)
			continue;
		if (i >= 0 && i + GS_WARP <= count)
			to[(at + i) / GS_WARP] = word;
		else
			atomicOr(&to[(at + i) / GS_WARP], word);
	}
}

static __device__ void
report(gs_done *done, kept_counts all)
{
	done->n = kept_elements(all);
	done->present = kept_present(all);
	done->overflow = 0;
}

/* A warp's segment after the decision. */
template <typename T>
struct decided
{
	uint32_t	kept;			/* items */
	uint32_t	valued;			/* those of them that are not NULL */
	row_counts<T> kept_rows;
	row_counts<T> valued_rows;
};

template <typename Keep, typename Payload>
static __device__ __forceinline__ decided<typename Payload::type>
decide(const Keep &keep, const typename Keep::loaded &decision,
	   const Payload &payload, const typename Payload::loaded &load,
	   int64_t segment, int64_t n)
{
	typedef typename Payload::type T;
	decided<T>	d;

	d.kept = existing_items<T>(segment, n) &
		keep.items(decision, payload.vectors(load));
	d.valued = d.kept & payload.present(load);
	d.kept_rows = count_rows<T>(d.kept);
	d.valued_rows = d.kept_rows;
	if (Payload::has_nulls)
		d.valued_rows = count_rows<T>(d.valued);
	return d;
}

/* Add up the warps' sums; *before is the sum of the earlier warps. */
static __device__ __forceinline__ kept_counts
sum_warps(const kept_counts *warp, kept_counts *before)
{
	kept_counts total = 0;

#pragma unroll
	for (int i = 0; i < GS_COMPACT_THREADS / GS_WARP; i++)
	{
		if (i == gs_warp())
			*before = total;
		if (i < blockDim.x / GS_WARP)
			total += warp[i];
	}
	return total;
}

template <typename Payload>
static __device__ __forceinline__ void
gather(const Payload &payload, const typename Payload::loaded &load,
	   int64_t segment, const decided<typename Payload::type> &d,
	   kept_counts before, const compact_stage<Payload> &stage)
{
	typedef typename Payload::type T;

	payload.place(load, segment, d.valued, d.valued_rows,
				  (int) kept_present(before), stage.values);
	if (Payload::has_nulls)
		each_set<T>(d.kept, d.kept_rows, (int) kept_elements(before),
					[&](int item, int rank) {
			stage.present[rank] = d.valued >> item & 1;
		});
}

/* Find the exclusive prefix of a tile, for the whole block.  One warp calls. */
static __device__ __forceinline__ void
find_prefix(const compact_progress &progress, int64_t tile, int64_t tiles,
			kept_counts total, kept_counts *before, gs_done *done)
{
	const kept_counts sum = tile > 0 ? look_back(progress.tiles, tile) : 0;

	if (gs_lane() != 0)
		return;
	publish(progress.tiles, tile, sum + total, GS_TILE_PREFIX);
	*before = sum;
	if (tile == tiles - 1)
		report(done, sum + total);
}

template <typename Payload>
static __device__ __forceinline__ void
write_stage(const compact_output &out, kept_counts before, kept_counts total,
			const compact_stage<Payload> &stage)
{
	write_values((typename Payload::type *) out.values, kept_present(before),
				 stage.values, (int) kept_present(total));
	if (Payload::has_nulls)
		write_bits(out.validity, kept_elements(before), stage.present,
				   (int) kept_elements(total));
}

/*
 * A block works on two tiles at a time and loads a third: while one is
 * decided, counted and gathered, the look-back for the previous one is done,
 * and it is written.  So a tile's count is published the work on a whole tile
 * before others need it, and a late one delays nobody.  Tickets are claimed a
 * tile ahead, and a block always processes the tiles that it has claimed.  A
 * tile waits only for counts of lower tickets, and the lowest unpublished one
 * waits for none, so there is no deadlock.
 */
template <typename Keep, typename Payload>
static __global__ void __launch_bounds__(GS_COMPACT_THREADS, GS_COMPACT_BLOCKS)
compact(Keep keep, Payload payload, int64_t n, compact_output out,
		compact_progress progress)
{
	typedef typename Payload::type T;
	typedef compact_stage<Payload> stage_at;
	extern __shared__ __align__(16) char stages[];
	__shared__ kept_counts warp_sums[GS_COMPACT_THREADS / GS_WARP];
	__shared__ kept_counts before_last;	/* prefix of the tile to write */
	__shared__ int64_t shared_ticket;
	const bool	takes_tickets = threadIdx.x == blockDim.x - 1;
	const int	length = tile_size<T>(blockDim.x);
	const int64_t tiles = gs_divide_up(n, length);
	const int	within = gs_warp() * shape<T>::segment;
	typename Keep::loaded decision;
	typename Payload::loaded load;
	int64_t		tile;			/* to decide */
	int64_t		next;			/* to load */
	int64_t		last = -1;		/* to write */
	kept_counts last_total = 0;
	int			side = 0;		/* the stage of the tile to decide */

	if (takes_tickets)
		shared_ticket = atomicAdd(progress.tickets, 1u);
	__syncthreads();
	tile = shared_ticket;
	__syncthreads();
	if (takes_tickets)
		shared_ticket = tiles > gridDim.x ? atomicAdd(progress.tickets, 1u) :
			tiles;
	__syncthreads();
	next = shared_ticket;
	if (n == 0 && takes_tickets)
		report(out.done, 0);
	if (tile < tiles)
	{
		keep.load(&decision, tile * length + within, n);
		payload.load(&load, tile * length + within, n);
	}
	while (tile < tiles || last >= 0)
	{
		const int64_t segment = tile * length + within;
		decided<T>	d;
		kept_counts before = 0;
		kept_counts total = 0;
		unsigned int ticket;

		if (tile < tiles)
		{
			d = decide(keep, decision, payload, load, segment, n);
			if (gs_lane() == 0)
				warp_sums[gs_warp()] =
					kept_of(segment_total<T>(d.kept_rows),
							segment_total<T>(d.valued_rows));
		}
		__syncthreads();		/* and the stage of this side has been
								 * written */

		if (tile < tiles)
		{
			if (takes_tickets)
				ticket = next < tiles ? atomicAdd(progress.tickets, 1u) :
					(unsigned int) tiles;
			total = sum_warps(warp_sums, &before);
			if (threadIdx.x == 0)
				publish(progress.tiles, tile, total,
						tile > 0 ? GS_TILE_AGGREGATE : GS_TILE_PREFIX);
			gather(payload, load, segment, d, before,
				   stage_at(stages, length, side));
			if (next < tiles)
			{
				keep.load(&decision, next * length + within, n);
				payload.load(&load, next * length + within, n);
			}
		}
		if (last >= 0 && gs_warp() == 0)
			find_prefix(progress, last, tiles, last_total, &before_last,
						out.done);
		if (tile < tiles && takes_tickets)
			shared_ticket = ticket;
		__syncthreads();

		side = 1 - side;
		if (last >= 0)
			write_stage(out, before_last, last_total,
						stage_at(stages, length, side));
		last = tile < tiles ? tile : -1;
		last_total = total;
		tile = next;
		next = shared_ticket;
	}
}

#endif							/* GS_COMPACT_CUH */
