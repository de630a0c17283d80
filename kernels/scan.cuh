/*-------------------------------------------------------------------------
 *
 * scan.cuh
 *	  Scans: how tiles are read, put together and written.
 *
 * One pass, with one read and one write of each element.  A thread owns ITEMS
 * consecutive elements, a warp WARP_ITEMS; a tile is what the warps of a block
 * own.  A tile goes through three stages, and while a block has one tile in
 * the last, it has the next in the second, and one more in the first:
 *
 *	1. An asynchronous copy brings the elements to shared memory.
 *	2. Threads add up their elements; warps put the totals of threads together
 *	   by shuffles, and the last warp to have done so those of the warps.  It
 *	   publishes the tile's total.
 *	3. Each thread goes over its elements again, from what comes before them,
 *	   and puts the results where the elements lay; each warp writes its
 *	   results, 16 bytes a lane, side by side.
 *
 * What comes before a tile is found between the last two, by a warp that does
 * nothing else: decoupled look-back (lookback.cuh) over a window of so many
 * tiles that it nearly always has the last prefix in it.  Totals are published
 * a whole stage before they are needed, so that nobody waits for long.  A block
 * takes a tile's number from a counter when it has room for the tile; a slow
 * one takes fewer.
 *
 * A head, an element where a run starts, is a bit beside the elements.  What
 * comes before the last head of a thread, warp or tile never matters to what
 * comes after, and a tile that begins with a head needs nothing from before.
 *
 * With NULLs values are packed: a warp reads those of its elements, whose place
 * the ranks tell, and a thread takes them as its bits of the bitmap say, with a
 * neutral element for a NULL.
 *
 * What is scanned is a struct S:
 *
 *		T, out					elements, results
 *		item					what a thread keeps of an element
 *		part					totals within a tile
 *		far						totals of tiles, as lookback.cuh wants them
 *		VALUES					are elements read at all?
 *		of(x), neutral()		items of elements and of NULLs
 *		totals(x, note)			of the warp's items up to this thread's
 *		results(start, note, x) of a thread; false if they are in shared
 *								memory already
 *		carry(total)			keep the array's total
 *		finish()				by each block in the end
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_CUH
#define GS_SCAN_CUH

#include "lookback.cuh"

#define ITEMS			16
#define WARP_ITEMS		(ITEMS * GS_WARP)
#define MOST_WARPS		GS_SCAN_WARPS	/* of a block, with elements */
#define STAGES			3

static_assert(WARP_ITEMS == GS_RANK_BLOCK, "a warp's values start at a rank");

/* Where heads come from. */
enum scan_heads
{
	HEADS_NONE,
	HEADS_BYTES,				/* a byte an element, 0 or 1 */
	HEADS_BITS,
	HEADS_EVERY					/* where (index + lead) % every is 0 */
};

/* Zeroed before a chunk of more than one tile. */
struct scan_header
{
	unsigned int next;			/* tile to be taken */
	unsigned int done;			/* blocks that are through */
};

/* The state.  All zeros before the first chunk. */
struct scan_state
{
	gs_u128		carry[2];		/* the total so far, as a tile publishes it */
	gs_u128		next[2];		/* that after this chunk */
	unsigned long long range;	/* complement of the least position of a
								 * result out of range; 0: none */
	uint32_t	seen;			/* has the run had a value? */
	uint32_t	wide;			/* sums of floats: the total is in acc */
	uint32_t	failed;			/* sums of floats: do this chunk again */
	gs_acc		acc;
};

struct scan_args
{
	int64_t		first;			/* index in the array of the first element */
	int64_t		n;
	int			warps;			/* of a block, with elements */
	int64_t		tiles;
	const void *values;
	const uint8_t *validity;	/* NULL: all present */
	const uint32_t *ranks;
	const uint8_t *heads;
	int			head_source;
	uint32_t	every;
	uint32_t	lead;
	int			exclusive;
	const uint8_t *known;		/* results after a value of their run; NULL:
								 * all, but for the first of a run if
								 * exclusive */
	void	   *out;
	uint8_t    *out_validity;	/* NULL: not wanted */
	const uint32_t *leading;	/* results that are NULL at the beginning;
								 * NULL: 0 */
	int			sets_seen;
	gs_done    *done;
	scan_state *state;
	scan_header *header;
	gs_u128    *published;
};

/* ----------
 * Tiles in shared memory
 * ----------
 *
 * A thread's elements are sizeof(T) pieces of 16 bytes.  If they lay in a row,
 * threads side by side would meet in the same banks; so the pieces of a row
 * are exchanged by a pattern that repeats every eight 16-byte pieces.
 */
template <int PIECES>
__device__ static inline int
place_of_piece(int piece)
{
	return piece ^ (piece >> 3 & (PIECES - 1));
}

/* The same of this lane's piece where a row of lanes has pieces side by side. */
template <int PIECES>
__device__ static inline int
place_in_row(int row)
{
	return row * GS_WARP +
		(gs_lane() ^ ((row * 4 & (PIECES - 1)) |
					  (gs_lane() >> 3 & (PIECES - 1))));
}

/* The same of piece i of this thread's elements. */
template <int PIECES>
__device__ static inline int
place_of_own(int i)
{
	return gs_lane() * PIECES +
		(i ^ (gs_lane() * PIECES >> 3 & (PIECES - 1)));
}

/* Pieces of a warp's region: for packed values one more than they fill. */
template <typename T, typename U>
struct region
{
	static const int WIDTH = sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U);
	static const int PIECES = GS_WARP * WIDTH + 8;
};

__device__ static inline void
copy_async(uint4 *to, const uint4 *from)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
				 : : "r"((uint32_t) __cvta_generic_to_shared(to)), "l"(from)
				 : "memory");
#else
	*to = __ldcg(from);
#endif
}

/* The end of a tile's copies. */
__device__ static inline void
copy_async_commit(void)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* Wait for all but the last commit's. */
__device__ static inline void
copy_async_wait(void)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group 1;" : : : "memory");
#endif
}

/* A warp's part of a tile, as one of its threads knows it. */
struct warp_share
{
	int64_t		base;			/* index in the chunk of the first element */
	uint32_t	valid;			/* which of this thread's elements have values */
	uint4		raw_heads;		/* of this thread's elements, as read */
	uint32_t	heads;			/* a bit each */
};

/* Start the copy of a warp's elements, and read what belongs to them. */
template <typename T, bool HEADS, bool VALUES>
__device__ static inline void
share_begin(warp_share *w, const scan_args &a, int64_t base, uint4 *room)
{
	int64_t		mine = base + gs_lane() * ITEMS;
	int64_t		from = base;
	int64_t		to = min(base + WARP_ITEMS, a.n);

	w->base = base;
	w->valid = 0;
	w->heads = 0;
	w->raw_heads = make_uint4(0, 0, 0, 0);
	if (base >= a.n)
		return;
	if (a.validity != NULL)
	{
		if (VALUES)
		{
			from = a.ranks[base / GS_RANK_BLOCK];
			to = a.ranks[base / GS_RANK_BLOCK + 1];
		}
		if (mine < a.n)
			w->valid = ((const uint16_t *) a.validity)[mine / 16];
	}
	if (VALUES && from == base && to - from == WARP_ITEMS)
	{
		const uint4 *source = (const uint4 *) ((const T *) a.values + from) +
			gs_lane();

#pragma unroll
		for (int i = 0; i < (int) sizeof(T); i++)
			copy_async(room + place_in_row<sizeof(T)>(i), source + i * GS_WARP);
	}
	else if (VALUES)
	{
		const uint4 *source = (const uint4 *) a.values +
			from * (int) sizeof(T) / 16;
		int			pieces = (int) ((to * (int) sizeof(T) + 15) / 16 -
									from * (int) sizeof(T) / 16);

		for (int piece = gs_lane(); piece < pieces; piece += GS_WARP)
			copy_async(room + place_of_piece<sizeof(T)>(piece),
					   source + piece);
	}
	if (HEADS && mine < a.n)
	{
		if (a.head_source == HEADS_BYTES)
			w->raw_heads = *(const uint4 *) (a.heads + mine);
		else if (a.head_source == HEADS_BITS)
			w->raw_heads.x = ((const uint16_t *) a.heads)[mine / 16];
	}
}

/* Which of a thread's elements lie in the chunk? */
__device__ static inline int
share_count(const warp_share &w, const scan_args &a)
{
	int64_t		left = a.n - w.base - gs_lane() * ITEMS;

	return left >= ITEMS ? ITEMS : left <= 0 ? 0 : (int) left;
}

/* Bit 0 of each of four bytes. */
__device__ static inline uint32_t
gather_bits(uint32_t bytes)
{
	return ((bytes & 0x01010101) * 0x10204080) >> 28;
}

/* A bit for each of a thread's elements that is a head. */
__device__ static inline uint32_t
share_heads(const warp_share &w, const scan_args &a, int count)
{
	uint4		raw = w.raw_heads;
	uint32_t	bits = raw.x;

	if (a.head_source == HEADS_BYTES)
		bits = gather_bits(raw.x) | gather_bits(raw.y) << 4 |
			gather_bits(raw.z) << 8 | gather_bits(raw.w) << 12;
	else if (a.head_source == HEADS_EVERY)
	{
		uint32_t	after = ((uint32_t) w.base + gs_lane() * ITEMS + a.lead) %
			a.every;

		bits = 0;
		for (uint32_t i = after == 0 ? 0 : a.every - after; i < ITEMS;
			 i += a.every)
			bits |= 1u << i;
	}
	return bits & ((1u << count) - 1);
}

/*
 * A thread's elements.  All lanes call this; the copies have arrived.  The
 * index among the warp's values of the thread's first one goes to *place.
 */
template <class S>
__device__ static inline void
share_take(const S &s, const warp_share &w, const scan_args &a,
		   const uint4 *room, int count, typename S::item (&x)[ITEMS])
{
	typedef typename S::T T;

	if (a.validity == NULL)
	{
		const int	EACH = 16 / sizeof(T);

#pragma unroll
		for (int i = 0; i < (int) sizeof(T); i++)
		{
			union
			{
				uint4		raw;
				T			v[EACH];
			}			piece;

			piece.raw = room[place_of_own<sizeof(T)>(i)];
#pragma unroll
			for (int j = 0; j < EACH; j++)
				x[i * EACH + j] = s.of(piece.v[j]);
		}
		if (count < ITEMS)
		{
#pragma unroll
			for (int i = 0; i < ITEMS; i++)
				if (i >= count)
					x[i] = s.neutral();
		}
	}
	else
	{
		uint32_t	valid = w.valid & ((1u << count) - 1);
		int			before = __popc(valid);
		int			place;

#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			int			earlier = __shfl_up_sync(GS_ALL_LANES, before, d);

			if (gs_lane() >= d)
				before += earlier;
		}
		place = before - __popc(valid);
		if (w.base < a.n)
			place += (int) (a.ranks[w.base / GS_RANK_BLOCK] %
							(16 / sizeof(T)));
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			const int	EACH = 16 / sizeof(T);

			x[i] = s.neutral();
			if (valid >> i & 1)
			{
				x[i] = s.of(((const T *)
							 (room + place_of_piece<sizeof(T)>(place / EACH)))
							[place % EACH]);
				place++;
			}
		}
	}
}

/* Results of an exclusive scan: those of the elements before. */
template <typename U>
__device__ static inline void
make_exclusive(U (&out)[ITEMS], U first, U nothing, uint32_t heads)
{
#pragma unroll
	for (int i = ITEMS - 1; i >= 0; i--)
		out[i] = heads >> i & 1 ? nothing : i > 0 ? out[i - 1] : first;
}

/* A thread's results to shared memory, where its warp can write them. */
template <typename U>
__device__ static inline void
share_put(uint4 *room, const U (&out)[ITEMS])
{
	const int	EACH = 16 / sizeof(U);

#pragma unroll
	for (int i = 0; i < (int) sizeof(U); i++)
	{
		union
		{
			uint4		raw;
			U			v[EACH];
		}			piece;

#pragma unroll
		for (int j = 0; j < EACH; j++)
			piece.v[j] = out[i * EACH + j];
		room[place_of_own<sizeof(U)>(i)] = piece.raw;
	}
}

/* A warp's results from shared memory to where they belong. */
template <typename U>
__device__ static inline void
share_write(const warp_share &w, const scan_args &a, const uint4 *room,
			uint32_t leading)
{
	const int	EACH = 16 / sizeof(U);
	int			count = (int) min(a.n - w.base, (int64_t) WARP_ITEMS);

	if (leading == 0)
	{
		uint4	   *to = (uint4 *) ((U *) a.out + w.base) + gs_lane();

		if (count == WARP_ITEMS)
		{
#pragma unroll
			for (int i = 0; i < (int) sizeof(U); i++)
				__stcs(to + i * GS_WARP, room[place_in_row<sizeof(U)>(i)]);
		}
		else
		{
			/* there is room for all of the last 16 bytes */
			for (int i = 0; (i * GS_WARP + gs_lane()) * EACH < count; i++)
				__stcs(to + i * GS_WARP, room[place_in_row<sizeof(U)>(i)]);
		}
	}
	else
	{
		for (int i = gs_lane(); i < count; i += GS_WARP)
			if (w.base + i >= leading)
				((U *) a.out)[w.base + i - leading] =
					((const U *) (room + place_of_piece<sizeof(U)>(i / EACH)))
					[i % EACH];
	}
	if (a.out_validity != NULL)
	{
		int64_t		mine = w.base + gs_lane() * ITEMS;

		if (mine < a.n)
			((uint16_t *) a.out_validity)[mine / 16] = (uint16_t)
				(leading <= mine ? 0xffff :
				 leading >= mine + ITEMS ? 0 : 0xffff << (leading - mine));
	}
}

/*
 * Has no value of its run come before the chunk's first element?  For
 * exclusive scans without a.known, where no other element is in question.
 */
__device__ static inline bool
begins_run(const scan_args &a)
{
	return a.first == 0 || (a.known == NULL && !a.state->seen);
}

/* A result out of range: keep the least position. */
__device__ static inline void
note_range(const scan_args &a, int64_t index)
{
	atomicMax(&a.state->range, ~(unsigned long long) (a.first + index + 1));
}

/* ----------
 * Putting totals together
 * ----------
 */

/*
 * In: a lane's total, from its last head on, and a mask of the lanes that have
 * a head.  Out: the same from the last head of this and earlier lanes on.
 */
template <class S, bool HEADS>
__device__ static inline typename S::part
warp_scan(typename S::part part, uint32_t with_head, int lanes)
{
	/* the lane of the last head, from which on totals add up */
	uint32_t	mine = with_head & (GS_ALL_LANES >> (GS_WARP - 1 - gs_lane()));
	int			start = HEADS ? GS_WARP - 1 - __clz(mine | 1) : 0;

#pragma unroll
	for (int d = 1; d < lanes; d *= 2)
	{
		typename S::part earlier = gs_shuffle_up(part, d);

		if (gs_lane() - d >= start)
			part = S::combine(earlier, part);
	}
	return part;
}

/* Lanes before this one. */
__device__ static inline uint32_t
earlier_lanes(void)
{
	return (1u << gs_lane()) - 1;
}

/*
 * What the warps of a block tell each other.  There are two of each, for tiles
 * take turns.  No warp can be two tiles ahead of another: after the totals of
 * a tile it waits for what comes before the last tile, for which all warps
 * must have given their totals of that.
 */
template <class S>
struct scan_room
{
	typename S::part of_warp[2][MOST_WARPS];
	uint32_t	warp_has_head[2][MOST_WARPS];
	unsigned int arrived[2];	/* warps that have written the above */

	/* the totals of the warps before in the tile, and of the tile */
	typename S::part within[2][MOST_WARPS];
	typename S::part total[2];
	uint32_t	heads_before[2];	/* bit w: a warp before w has a head */
	uint32_t	has_head[2];
	uint32_t	starts[2];		/* the tile begins with a head */
	unsigned int known;			/* tiles of which the above is written */

	typename S::far before_warp[2][MOST_WARPS];

	/*
	 * The block's tiles by turns of four: written when the look-back of the
	 * third before starts, read when the first pass of the one before does.
	 */
	int			tiles[4];
};

/* What a thread keeps of a tile from the first pass to the second. */
template <class S>
struct scan_kept
{
	typename S::part exclusive; /* of the threads before in the warp */
	typename S::note note;
	uint32_t	valid;
	uint32_t	heads;
	uint32_t	head_before;	/* one of those threads has a head */
};

/* What is written before this by a thread is seen after it by others. */
__device__ static inline void
order_block(void)
{
	asm volatile("fence.acq_rel.cta;" : : : "memory");
}

/* By all lanes: until another warp has counted so far. */
__device__ static inline void
wait_for_count(const unsigned int *count, unsigned int so_far)
{
	uint32_t	at = (uint32_t) __cvta_generic_to_shared(count);
	unsigned int now;

	do
		asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(now) : "r"(at)
					 : "memory");
	while ((int) (now - so_far) < 0);
	order_block();
	__syncwarp();
}

/* By all lanes: count what they have written. */
__device__ static inline void
count_up(unsigned int *count)
{
	order_block();
	__syncwarp();
	if (gs_lane() == 0)
		*(volatile unsigned int *) count += 1;
}

/*
 * The warp that looks back tells the others when it is through with a tile, by
 * hardware barriers: warps that wait at one take nothing from it.  GROUP warps
 * share one, for there are 16.  Tiles take turns here too.
 */
#define GROUP			3

__device__ static inline int
group_threads(const scan_args &a, int group)
{
	return (min(a.warps - group * GROUP, GROUP) + 1) * GS_WARP;
}

__device__ static inline int
group_barrier(int group, int turn)
{
	return 1 + 2 * group + turn;
}

__device__ static inline void
tell_ready(const scan_args &a, int turn)
{
	for (int group = 0; group * GROUP < a.warps; group++)
		asm volatile("barrier.arrive %0, %1;"
					 : : "r"(group_barrier(group, turn)),
					 "r"(group_threads(a, group)) : "memory");
}

__device__ static inline void
wait_until_ready(const scan_args &a, int turn)
{
	int			group = gs_warp() / GROUP;

	asm volatile("barrier.sync %0, %1;"
				 : : "r"(group_barrier(group, turn)),
				 "r"(group_threads(a, group)) : "memory");
}

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

/*
 * By the last warp to have its total: put together those of the tile's warps,
 * and publish.
 */
template <class S, bool HEADS>
__device__ static inline void
publish_tile(scan_room<S> &room, const scan_args &a, int64_t tile, int turn)
{
	typedef typename S::part part;
	bool		in = gs_lane() < a.warps;
	part		mine = in ? room.of_warp[turn][gs_lane()] : S::nothing();
	uint32_t	with_head = HEADS ?
		__ballot_sync(GS_ALL_LANES,
					  in && room.warp_has_head[turn][gs_lane()]) : 0;
	part		inclusive = warp_scan<S, HEADS>(mine, with_head, MOST_WARPS);
	part		exclusive = gs_shuffle_up(inclusive, 1);

	if (gs_lane() == a.warps - 1)
	{
		if (tile + 1 < a.tiles)
			gs_publish(a.published, publication<typename S::far>(tile),
					   S::far_of(inclusive),
					   with_head ? GS_TILE_PREFIX : GS_TILE_AGGREGATE);
		room.total[turn] = inclusive;
		room.has_head[turn] = with_head != 0;
		room.heads_before[turn] = with_head == 0 ? 0 :
			GS_ALL_LANES << __ffs(with_head);
	}
	if (in)
		room.within[turn][gs_lane()] = gs_lane() == 0 ? S::nothing() :
			exclusive;
	count_up(&room.known);
}

/*
 * What comes before a tile, for all lanes; `start` comes before tile 0.  What is
 * scanned commutes, so lanes take tiles by turns; only what lies before the
 * last prefix (or tile with a head, which is one) must be left out.
 */
template <class P>
__device__ static inline P
add_tiles(const gs_u128 *published, int tile, P start)
{
	const int	ROWS = 5;		/* of 32 tiles, a window */
	P			sum = P::identity();
	bool		ended = false;

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
			ended |= ends != 0;
		}
		value[0] = P::combine(value[1], value[0]);
		value[2] = P::combine(value[3], value[2]);
		sum = P::combine(value[4], sum);
		value[0] = P::combine(value[2], value[0]);
		sum = P::combine(value[0], sum);
	}
#pragma unroll
	for (int d = 1; d < GS_WARP; d *= 2)
	{
		P			other = gs_shuffle_xor(sum, d);

		sum = P::combine(sum, other);
	}
	return sum;
}

/*
 * Another tile for the block, by one thread; from a.tiles on there is none.
 * Where there are as many blocks as tiles, each has one.
 */
__device__ static inline int
take_tile(const scan_args &a)
{
	return a.tiles <= gridDim.x ? (int) a.tiles :
		(int) atomicAdd(&a.header->next, 1u);
}

/* The work of the warp that looks back. */
template <class S, bool HEADS>
__device__ static inline void
look_back(scan_room<S> &room, const scan_args &a)
{
	typedef typename S::far far;
	far			start = far::identity();

	if (a.first != 0)
		start = far::unpack(a.state->carry);
	for (unsigned int done = 0;; done++)
	{
		int			tile = room.tiles[done & 3];
		int			turn = done & 1;
		int			later = 0;
		far			before = start;

		if (tile >= a.tiles)
			break;
		if (gs_lane() == 0)
			later = take_tile(a);
		wait_for_count(&room.known, done + 1);
		if (tile > 0)
			before = HEADS && room.starts[turn] ? far::identity() :
				add_tiles<far>(a.published, tile, start);
		if (gs_lane() < a.warps)
		{
			far			within = S::far_of(room.within[turn][gs_lane()]);

			room.before_warp[turn][gs_lane()] =
				HEADS && (room.heads_before[turn] >> gs_lane() & 1) ? within :
				far::combine(before, within);
		}
		if (gs_lane() == 0)
		{
			far			total = S::far_of(room.total[turn]);

			if (!HEADS || !room.has_head[turn])
				total = far::combine(before, total);
			if (tile + 1 == a.tiles)
				S::carry(a, total);
			else if (!HEADS || !room.has_head[turn])
				gs_publish(a.published, publication<far>(tile), total,
						   GS_TILE_PREFIX);
			room.tiles[(done + 3) & 3] = later;
		}
		__syncwarp();
		tell_ready(a, turn);
	}
}

/* ----------
 * The kernel
 * ----------
 */

/* The index in the chunk of a warp's first element in a tile. */
__device__ static inline int64_t
base_of(const scan_args &a, int tile)
{
	return ((int64_t) tile * a.warps + gs_warp()) * WARP_ITEMS;
}

/* Totals of a tile. */
template <class S, bool HEADS>
__device__ static inline void
first_pass(const S &s, const scan_args &a, int tile, warp_share w,
		   const uint4 *buffer, scan_room<S> &room, int turn,
		   scan_kept<S> *kept)
{
	typename S::item x[ITEMS];
	int			count = share_count(w, a);
	uint32_t	with_head = 0;
	unsigned int arrived = 0;
	typename S::part inclusive;
	typename S::part exclusive;

	if (HEADS)
	{
		w.heads = share_heads(w, a, count);
		with_head = __ballot_sync(GS_ALL_LANES, w.heads != 0);
		kept->heads = w.heads;
		kept->head_before = with_head & earlier_lanes();
	}
	kept->valid = w.valid;
	if constexpr (S::VALUES)
		share_take(s, w, a, buffer, count, x);
	else
		s.take(w, a, count, x);
	inclusive = s.template totals<HEADS>(a, w, buffer, count, with_head, x,
										 &kept->note);
	exclusive = gs_shuffle_up(inclusive, 1);
	kept->exclusive = gs_lane() == 0 ? S::nothing() : exclusive;

	if (gs_lane() == GS_WARP - 1)
	{
		room.of_warp[turn][gs_warp()] = inclusive;
		room.warp_has_head[turn][gs_warp()] = with_head != 0;
	}
	if (HEADS && threadIdx.x == 0)
		room.starts[turn] = w.heads & 1;
	order_block();
	__syncwarp();
	if (gs_lane() == 0)
		arrived = atomicInc(&room.arrived[turn], a.warps - 1);
	if (__shfl_sync(GS_ALL_LANES, arrived, 0) == a.warps - 1)
	{
		order_block();
		publish_tile<S, HEADS>(room, a, tile, turn);
	}
}

/* Results of a tile. */
template <class S, bool HEADS>
__device__ static inline void
second_pass(const S &s, const scan_args &a, int64_t base, uint4 *buffer,
			const typename S::far &before_warp, const scan_kept<S> *kept,
			uint32_t leading)
{
	typename S::item x[ITEMS];
	typename S::out out[ITEMS];
	typename S::far start = S::far_of(kept->exclusive);
	warp_share	w;
	int			count;

	w.base = base;
	w.valid = kept->valid;
	w.heads = HEADS ? kept->heads : 0;
	count = share_count(w, a);
	if constexpr (S::VALUES)
		share_take(s, w, a, buffer, count, x);
	else
		s.take(w, a, count, x);
	if (!HEADS || !kept->head_before)
		start = S::far::combine(before_warp, start);
	if (s.template results<HEADS>(a, w, buffer, count, w.heads, start,
								  kept->note, x, out))
	{
		__syncwarp();
		share_put(buffer, out);
	}
	__syncwarp();
	if (w.base < a.n)
		share_write<typename S::out>(w, a, buffer, leading);
	__syncwarp();
}

/* The work of all other warps. */
template <class S, bool HEADS>
__device__ static inline void
scan_tiles(const S &s, scan_room<S> &room, const scan_args &a, uint4 *buffers)
{
	typedef region<typename S::T, typename S::out> space;
	const int	step = a.warps * space::PIECES;
	uint32_t	leading = a.leading == NULL ? 0 : *a.leading;
	uint4	   *mine = buffers + gs_warp() * space::PIECES;
	scan_kept<S> *kept = (scan_kept<S> *) (buffers + STAGES * step) +
		threadIdx.x;
	const int	other = a.warps * GS_WARP;	/* from one of kept to the other */
	warp_share	w_next;
	warp_share	w_last;
	int			tile = room.tiles[0];
	int			tile_next = room.tiles[1];
	int			stage = 0;

	share_begin<typename S::T, HEADS, S::VALUES>
		(&w_next, a, base_of(a, tile), mine);
	copy_async_commit();
	share_begin<typename S::T, HEADS, S::VALUES>
		(&w_last, a, base_of(a, tile_next), mine + step);
	copy_async_commit();
	copy_async_wait();
	__syncwarp();
	if (tile < a.tiles)
		first_pass<S, HEADS>(s, a, tile, w_next, mine, room, 0, kept);
	for (unsigned int done = 0; tile < a.tiles; done++)
	{
		int			tile_last = room.tiles[(done + 2) & 3];
		int			next = stage == STAGES - 1 ? 0 : stage + 1;
		int			last = next == STAGES - 1 ? 0 : next + 1;
		int			turn = done & 1;

		w_next = w_last;
		share_begin<typename S::T, HEADS, S::VALUES>
			(&w_last, a, base_of(a, tile_last), mine + last * step);
		copy_async_commit();
		copy_async_wait();
		__syncwarp();
		if (tile_next < a.tiles)
			first_pass<S, HEADS>(s, a, tile_next, w_next, mine + next * step,
								 room, turn ^ 1, kept + (turn ^ 1) * other);
		wait_until_ready(a, turn);
		second_pass<S, HEADS>(s, a, base_of(a, tile), mine + stage * step,
							  room.before_warp[turn][gs_warp()],
							  kept + turn * other, leading);
		stage = next;
		tile = tile_next;
		tile_next = tile_last;
	}
}

template <class S, bool HEADS>
__global__ static void
__launch_bounds__((MOST_WARPS + 1) * GS_WARP, GS_SCAN_BLOCKS)
scan_kernel(const __grid_constant__ S s, const __grid_constant__ scan_args a)
{
	extern __shared__ uint4 buffers[];
	__shared__ scan_room<S> room;

	if (!S::is_wanted(a))
		return;
	if (threadIdx.x == 0)
	{
		room.arrived[0] = room.arrived[1] = 0;
		room.known = 0;
		room.tiles[0] = a.tiles == 1 ? 0 :
			(int) atomicAdd(&a.header->next, 1u);
		room.tiles[1] = take_tile(a);
		room.tiles[2] = take_tile(a);
	}
	__syncthreads();
	if (gs_warp() == a.warps)
		look_back<S, HEADS>(room, a);
	else
		scan_tiles<S, HEADS>(s, room, a, buffers);
	__syncthreads();
	S::finish(a, a.leading == NULL ? 0 : *a.leading);
}

/* By each block, once it has no more to do: the last one reports. */
__device__ static inline bool
is_last_block(const scan_args &a)
{
	if (a.tiles == 1)
		return true;
	__threadfence();
	return atomicAdd(&a.header->done, 1u) == gridDim.x - 1;
}

/*
 * By the last block: the total becomes the carry.  Not earlier, since the last
 * tile, if runs start between, can be through before the first has begun.
 */
template <class FAR>
__device__ static inline void
take_carry(const scan_args &a)
{
#pragma unroll
	for (int i = 0; i < FAR::WORDS; i++)
		a.state->carry[i] = gs_word_load(a.state->next + i);
}

__device__ static inline void
report(const scan_args &a, uint32_t leading)
{
	gs_done		done;

	done.n = a.n;
	done.present = a.n - leading;
	done.overflow = (int64_t) ~*(volatile unsigned long long *)
		&a.state->range;
	if (done.overflow == -1)
		done.overflow = 0;
	*a.done = done;
	if (a.sets_seen)
		a.state->seen = 1;
}

/* ----------
 * The host's side
 * ----------
 */

/* How many warps with elements the shared memory of a block holds (scan.cu). */
extern cudaError_t gs_scan_most_warps(int *warps);

/* Of a warp's elements in all stages, and what its threads keep. */
template <class S>
static constexpr size_t
room_of_warp(void)
{
	return STAGES * sizeof(uint4) *
		region<typename S::T, typename S::out>::PIECES +
		2 * GS_WARP * sizeof(scan_kept<S>);
}

/*
 * How many blocks of the most warps run at the same time?  The answer is kept:
 * a process has one device.
 */
template <class S, bool HEADS>
static cudaError_t
scan_blocks(int warps, int *blocks)
{
	const size_t room = warps * room_of_warp<S>();
	static int	known;
	int			each;
	int			count;

	if (known == 0)
	{
		GS_TRY(cudaFuncSetAttribute
			   (scan_kernel<S, HEADS>,
				cudaFuncAttributeMaxDynamicSharedMemorySize, (int) room));
		GS_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor
			   (&each, scan_kernel<S, HEADS>, (warps + 1) * GS_WARP, room));
		GS_TRY(gs_grid(INT32_MAX, each, &count));
		known = count;
	}
	*blocks = known;
	return cudaSuccess;
}

/* Launch S over the chunk that a describes. */
template <class S, bool HEADS>
static cudaError_t
scan_launch(const S &s, const scan_args &a, cudaStream_t stream)
{
	const int	threads = (a.warps + 1) * GS_WARP;
	const size_t room = a.warps * room_of_warp<S>();
	int			most;
	int			blocks;

	GS_TRY(gs_scan_most_warps(&most));
	GS_TRY((scan_blocks<S, HEADS>(most, &blocks)));
	if (blocks > a.tiles)
		blocks = (int) a.tiles;
	scan_kernel<S, HEADS><<<blocks, threads, room, stream>>>(s, a);
	return gs_launched();
}

template <class S>
static cudaError_t
scan_launch_any(const S &s, const scan_args &a, cudaStream_t stream)
{
	return a.head_source == HEADS_NONE ? scan_launch<S, false>(s, a, stream) :
		scan_launch<S, true>(s, a, stream);
}

/* scan_float.cu: sums of floats that two or three doubles hold. */
extern cudaError_t gs_scan_floats(const gs_op *op, const scan_args &a,
								  cudaStream_t stream);

/*
 * scan_exact.cu: any sums of floats, where the above has failed.  scratch
 * begins with cleared_size bytes that are zero if there is more than one tile.
 */
extern size_t gs_scan_exact_cleared_size(int64_t n);
extern size_t gs_scan_exact_scratch_size(int64_t n);
extern cudaError_t gs_scan_exact(const gs_op *op, const scan_args &a,
								 void *scratch, cudaStream_t stream);

#endif							/* GS_SCAN_CUH */
