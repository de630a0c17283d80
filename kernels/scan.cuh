/*-------------------------------------------------------------------------
 *
 * scan.cuh
 *	  Scans: how tiles are read, put together and written.
 *
 * One pass.  Blocks take tiles by a counter.  A thread owns ITEMS consecutive
 * elements, a warp WARP_ITEMS; a tile is the warps of a block.  Each tile:
 *
 *	1. Its elements lie in shared memory already, brought there by an
 *	   asynchronous copy while the tile before was worked on; the copy of the
 *	   next tile starts.
 *	2. A thread takes its elements into registers and adds them up; warps put
 *	   the totals of threads together by shuffles, and the first warp those of
 *	   the warps.
 *	3. The first warp finds what comes before the tile (lookback.cuh).
 *	4. Each thread goes over its elements again, from what comes before them,
 *	   and puts the results where its elements lay.
 *	5. Each warp writes its results, 16 bytes a lane side by side.
 *
 * A head, an element where a run starts, is a bit beside the elements.  What
 * comes before the last head of a thread, warp or tile never matters to what
 * comes after; so a tile with a head publishes a prefix without looking back,
 * and one that begins with a head never needs to look.
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
 *		total(x)				of a thread's items
 *		results(start, x)		of a thread; false if they are in shared
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
#define SCAN_THREADS	GS_SCAN_THREADS
#define SCAN_WARPS		(SCAN_THREADS / GS_WARP)
#define TILE_ITEMS		(ITEMS * SCAN_THREADS)

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
	unsigned int next;			/* tile to hand out */
	unsigned int done;			/* blocks that are through */
};

/* The state.  All zeros before the first chunk. */
struct scan_state
{
	gs_u128		carry[2];		/* the total so far, as a tile publishes it */
	gs_u128		next[2];		/* sums of floats: that after this chunk */
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
	int			row = piece / PIECES;

	return piece ^ (row * PIECES / 8 & (PIECES - 1));
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

__device__ static inline void
copy_async_wait(void)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

/* A warp's part of a tile, as one of its threads knows it. */
struct warp_share
{
	int64_t		base;			/* index in the chunk of the first element */
	uint32_t	valid;			/* which of this thread's elements have values */
	uint4		heads;			/* of this thread's elements, as read */
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
	w->heads = make_uint4(0, 0, 0, 0);
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
	if (VALUES)
	{
		const uint4 *source = (const uint4 *) a.values +
			from * (int) sizeof(T) / 16;
		int			pieces = (int) ((to * (int) sizeof(T) + 15) / 16 -
									from * (int) sizeof(T) / 16);

#pragma unroll
		for (int i = 0; i < (int) sizeof(T); i++)
		{
			int			piece = i * GS_WARP + gs_lane();

			if (piece < pieces)
				copy_async(room + place_of_piece<sizeof(T)>(piece),
						   source + piece);
		}
		if (pieces > GS_WARP * (int) sizeof(T) && gs_lane() == 0)
			copy_async(room +
					   place_of_piece<sizeof(T)>(GS_WARP * sizeof(T)),
					   source + GS_WARP * sizeof(T));
	}
	if (HEADS && mine < a.n)
	{
		if (a.head_source == HEADS_BYTES)
			w->heads = *(const uint4 *) (a.heads + mine);
		else if (a.head_source == HEADS_BITS)
			w->heads.x = ((const uint16_t *) a.heads)[mine / 16];
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
	uint32_t	bits = w.heads.x;

	if (a.head_source == HEADS_BYTES)
		bits = gather_bits(w.heads.x) | gather_bits(w.heads.y) << 4 |
			gather_bits(w.heads.z) << 8 | gather_bits(w.heads.w) << 12;
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

			piece.raw = room[place_of_piece<sizeof(T)>
							 (gs_lane() * sizeof(T) + i)];
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
		room[place_of_piece<sizeof(U)>(gs_lane() * sizeof(U) + i)] =
			piece.raw;
	}
}

/* A warp's results from shared memory to where they belong. */
template <typename U>
__device__ static inline void
share_write(const warp_share &w, const scan_args &a, const uint4 *room,
			uint32_t leading)
{
	int			count = (int) min(a.n - w.base, (int64_t) WARP_ITEMS);

	if (leading == 0)
	{
		const int	EACH = 16 / sizeof(U);
		uint4	   *to = (uint4 *) ((U *) a.out + w.base);

		/* there is room for all of the last 16 bytes */
#pragma unroll
		for (int i = 0; i < (int) sizeof(U); i++)
		{
			int			piece = i * GS_WARP + gs_lane();

			if (piece * EACH < count)
				__stcs(to + piece, room[place_of_piece<sizeof(U)>(piece)]);
		}
	}
	else
	{
		const int	EACH = 16 / sizeof(U);

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

template <class S>
struct scan_room
{
	typename S::part of_warp[SCAN_WARPS];
	uint32_t	warp_has_head[SCAN_WARPS];
	typename S::far before_warp[SCAN_WARPS];
	unsigned int first[2];
	unsigned int ticket;
};

/*
 * By the first warp: what comes before each warp of the tile, and publication.
 * starts: the tile begins with a head.
 */
template <class S, bool HEADS>
__device__ static inline void
tile_scan(scan_room<S> &room, const scan_args &a, int64_t tile, bool starts)
{
	typedef typename S::part part;
	typedef typename S::far far;
	bool		in = gs_lane() < SCAN_WARPS;
	part		mine = in ? room.of_warp[gs_lane()] : S::nothing();
	uint32_t	with_head = HEADS ?
		__ballot_sync(GS_ALL_LANES, in && room.warp_has_head[gs_lane()]) : 0;
	part		inclusive = warp_scan<S, HEADS>(mine, with_head, SCAN_WARPS);
	part		exclusive = gs_shuffle_up(inclusive, 1);
	far			total = S::far_of(gs_shuffle(inclusive, SCAN_WARPS - 1));
	far			before;

	if (gs_lane() == 0)
		exclusive = S::nothing();
	if (tile == 0)
		before = a.first == 0 ? far::identity() : far::unpack(a.state->carry);
	else
	{
		if (gs_lane() == 0)
			gs_publish(a.published, tile, total,
					   with_head ? GS_TILE_PREFIX : GS_TILE_AGGREGATE);
		if (HEADS && starts)
			before = far::identity();
		else
			before = gs_look_back<far>(a.published, tile);
	}
	if (!with_head)
	{
		total = far::combine(before, total);
		if (gs_lane() == 0 && tile + 1 < a.tiles)
			gs_publish(a.published, tile, total, GS_TILE_PREFIX);
	}
	else if (tile == 0 && gs_lane() == 0 && tile + 1 < a.tiles)
		gs_publish(a.published, tile, total, GS_TILE_PREFIX);
	if (tile + 1 == a.tiles && gs_lane() == 0)
		S::carry(a, total);
	if (in)
		room.before_warp[gs_lane()] =
			with_head & earlier_lanes() ? S::far_of(exclusive) :
			far::combine(before, S::far_of(exclusive));
}

/* ----------
 * The kernel
 * ----------
 */
template <class S, bool HEADS>
__device__ static inline void
scan_tile(const S &s, const scan_args &a, int64_t tile, const warp_share &w,
		  uint4 *buffer, scan_room<S> &room, unsigned int ticket,
		  uint32_t leading)
{
	typedef typename S::part part;
	typename S::item x[ITEMS];
	typename S::out out[ITEMS];
	int			count = share_count(w, a);
	uint32_t	heads = HEADS ? share_heads(w, a, count) : 0;
	uint32_t	with_head = HEADS ?
		__ballot_sync(GS_ALL_LANES, heads != 0) : 0;
	part		inclusive;
	part		exclusive;
	typename S::far start;

	if constexpr (S::VALUES)
		share_take(s, w, a, buffer, count, x);
	else
		s.take(w, a, count, x);
	inclusive = warp_scan<S, HEADS>(s.template total<HEADS>(x, heads),
									with_head, GS_WARP);
	exclusive = gs_shuffle_up(inclusive, 1);
	if (gs_lane() == 0)
		exclusive = S::nothing();
	if (gs_lane() == GS_WARP - 1)
	{
		room.of_warp[gs_warp()] = inclusive;
		room.warp_has_head[gs_warp()] = with_head != 0;
	}
	__syncthreads();
	/* written between these barriers, read outside them */
	if (threadIdx.x == SCAN_THREADS - 1)
		room.ticket = ticket;
	if (gs_warp() == 0)
		tile_scan<S, HEADS>(room, a, tile,
							HEADS && __shfl_sync(GS_ALL_LANES, heads & 1, 0));
	__syncthreads();

	if (HEADS && (with_head & earlier_lanes()))
		start = S::far_of(exclusive);
	else
		start = S::far::combine(room.before_warp[gs_warp()],
								S::far_of(exclusive));
	if (s.template results<HEADS>(a, w, buffer, count, heads, start, x, out))
	{
		__syncwarp();
		share_put(buffer, out);
	}
	__syncwarp();
	if (w.base < a.n)
		share_write<typename S::out>(w, a, buffer, leading);
	__syncwarp();
}

template <class S, bool HEADS>
__global__ static void
__launch_bounds__(SCAN_THREADS, GS_SCAN_BLOCKS)
scan_kernel(S s, scan_args a)
{
	typedef region<typename S::T, typename S::out> space;
	extern __shared__ uint4 buffers[];
	__shared__ scan_room<S> room;
	uint4	   *buffer = buffers + gs_warp() * space::PIECES;
	uint4	   *other = buffer + SCAN_WARPS * space::PIECES;
	uint32_t	leading = a.leading == NULL ? 0 : *a.leading;
	unsigned int tile = 0;
	unsigned int next = 1;
	warp_share	w;

	if (!S::is_wanted(a))
		return;
	if (a.tiles > 1)
	{
		if (threadIdx.x < 2)
			room.first[threadIdx.x] = atomicAdd(&a.header->next, 1u);
		__syncthreads();
		tile = min(room.first[0], room.first[1]);
		next = max(room.first[0], room.first[1]);
	}
	if (tile < a.tiles)
		share_begin<typename S::T, HEADS, S::VALUES>
			(&w, a, (int64_t) tile * TILE_ITEMS + gs_warp() * WARP_ITEMS,
			 buffer);
	while (tile < a.tiles)
	{
		warp_share	w_next;
		uint4	   *swap = buffer;
		unsigned int ticket = next;

		copy_async_wait();
		__syncwarp();
		w_next = w;
		if (next < a.tiles)
		{
			share_begin<typename S::T, HEADS, S::VALUES>
				(&w_next, a,
				 (int64_t) next * TILE_ITEMS + gs_warp() * WARP_ITEMS, other);
			if (threadIdx.x == SCAN_THREADS - 1)
				ticket = atomicAdd(&a.header->next, 1u);
		}
		scan_tile<S, HEADS>(s, a, tile, w, buffer, room, ticket, leading);
		tile = next;
		next = room.ticket;
		w = w_next;
		buffer = other;
		other = swap;
	}
	__syncthreads();
	S::finish(a, leading);
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

/* Launch S over the chunk that a describes. */
template <class S, bool HEADS>
static cudaError_t
scan_launch(const S &s, const scan_args &a, cudaStream_t stream)
{
	typedef region<typename S::T, typename S::out> space;
	const size_t room = 2 * SCAN_WARPS * space::PIECES * sizeof(uint4);
	int			blocks;

	static_assert(room <= 48 * 1024, "more would have to be asked for");
	GS_TRY(gs_grid(a.tiles, GS_SCAN_BLOCKS, &blocks));
	scan_kernel<S, HEADS><<<blocks, SCAN_THREADS, room, stream>>>(s, a);
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
extern size_t gs_scan_exact_cleared_size(int64_t tiles);
extern size_t gs_scan_exact_scratch_size(int64_t tiles);
extern cudaError_t gs_scan_exact(const gs_op *op, const scan_args &a,
								 void *scratch, cudaStream_t stream);

#endif							/* GS_SCAN_CUH */
