/*-------------------------------------------------------------------------
 *
 * scan.cuh
 *	  Scans: how tiles are put together, and the kernel.
 *
 * One pass, with one read and one write of each element.  A thread owns ITEMS
 * consecutive elements, a warp WARP_ITEMS; a tile is what the warps of a block
 * own.  A tile goes through three stages, and while a block has one tile in
 * the last, it has the next in the second, and one more in the first:
 *
 *	1. An asynchronous copy brings the elements to shared memory.
 *	2. Threads add up their elements, and warps put the totals of threads
 *	   together by shuffles.
 *	3. Each thread goes over its elements again, from what comes before them,
 *	   and puts the results where the elements lay; each warp writes its
 *	   results, 16 bytes a lane, side by side.
 *
 * Between the last two, what comes before the tile is found, by two warps more.
 * One puts the totals of warps together and publishes the tile's.  The other
 * looks back (lookback.cuh), over a window of so many tiles that it nearly
 * always has the last prefix in it.  Totals are published a whole stage before
 * they are needed, so that nobody waits for long.  A block takes a tile's number
 * from a counter when it has room for the tile; a slow one takes fewer.
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

#include "scan_tile.cuh"

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

	/* the totals of the warps before in the tile, and of the tile */
	typename S::part within[2][MOST_WARPS];
	typename S::part total[2];
	uint32_t	heads_before[2];	/* bit w: a warp before w has a head */
	uint32_t	has_head[2];
	uint32_t	starts[2];		/* the tile begins with a head */

	typename S::far before_warp[2][MOST_WARPS];

	/*
	 * The block's tiles by turns of four, each written before the third before
	 * it is ready.
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

/*
 * Who waits for whom, by hardware barriers, of which a block has 16:
 *
 *		totals		the warps have their totals: the publisher waits
 *		published	the tile's is published: the warp that looks back waits
 *		ready		what comes before is found: the warps wait, GROUP of them
 *					at one barrier, so that they need not for each other
 *
 * Tiles take turns at these too.
 */
#define GROUP				3
#define BARRIER_TOTALS		1
#define BARRIER_PUBLISHED	3
#define BARRIER_READY		5

__device__ static inline void
barrier_arrive(int barrier, int warps)
{
	asm volatile("barrier.arrive %0, %1;"
				 : : "r"(barrier), "r"(warps * GS_WARP) : "memory");
}

__device__ static inline void
barrier_wait(int barrier, int warps)
{
	asm volatile("barrier.sync %0, %1;"
				 : : "r"(barrier), "r"(warps * GS_WARP) : "memory");
}

/* Warps of a group, and the one that they wait for. */
__device__ static inline int
group_warps(const scan_args &a, int group)
{
	return min(a.warps - group * GROUP, GROUP) + 1;
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

/* Put together the totals of the tile's warps, and publish. */
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
	const int	ROWS = GS_SCAN_ROWS;	/* of 32 tiles, a window */
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
#pragma unroll
		for (int d = 1; d < ROWS; d *= 2)
#pragma unroll
			for (int i = 0; i + d < ROWS; i += 2 * d)
				value[i] = P::combine(value[i + d], value[i]);
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

/* The work of the warp that publishes. */
template <class S, bool HEADS>
__device__ static inline void
publish_tiles(scan_room<S> &room, const scan_args &a)
{
	for (unsigned int done = 0;; done++)
	{
		int			tile = room.tiles[done & 3];
		int			turn = done & 1;

		if (tile >= a.tiles)
			break;
		barrier_wait(BARRIER_TOTALS + turn, a.warps + 1);
		publish_tile<S, HEADS>(room, a, tile, turn);
		barrier_arrive(BARRIER_PUBLISHED + turn, 2);
	}
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
		barrier_wait(BARRIER_PUBLISHED + turn, 2);
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
		for (int group = 0; group * GROUP < a.warps; group++)
			barrier_arrive(BARRIER_READY + 2 * group + turn,
						   group_warps(a, group));
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
first_pass(const S &s, const scan_args &a, warp_share w,
		   const uint4 *buffer, scan_room<S> &room, int turn,
		   scan_kept<S> *kept)
{
	typename S::item x[ITEMS];
	int			count = share_count(w, a);
	uint32_t	with_head = 0;
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
	__syncwarp();
	barrier_arrive(BARRIER_TOTALS + turn, a.warps + 1);
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
		first_pass<S, HEADS>(s, a, w_next, mine, room, 0, kept);
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
			first_pass<S, HEADS>(s, a, w_next, mine + next * step, room,
								 turn ^ 1, kept + (turn ^ 1) * other);
		barrier_wait(BARRIER_READY + 2 * (gs_warp() / GROUP) + turn,
					 group_warps(a, gs_warp() / GROUP));
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
__launch_bounds__((MOST_WARPS + 2) * GS_WARP, GS_SCAN_BLOCKS)
scan_kernel(const __grid_constant__ S s, const __grid_constant__ scan_args a)
{
	extern __shared__ uint4 buffers[];
	__shared__ scan_room<S> room;

	if (!S::is_wanted(a))
		return;
	if (threadIdx.x == 0)
	{
		room.tiles[0] = a.tiles == 1 ? 0 :
			(int) atomicAdd(&a.header->next, 1u);
		room.tiles[1] = take_tile(a);
		room.tiles[2] = take_tile(a);
	}
	__syncthreads();
	if (gs_warp() == a.warps)
		publish_tiles<S, HEADS>(room, a);
	else if (gs_warp() > a.warps)
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
			   (&each, scan_kernel<S, HEADS>, (warps + 2) * GS_WARP, room));
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
	const int	threads = (a.warps + 2) * GS_WARP;
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
