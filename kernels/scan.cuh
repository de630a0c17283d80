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
 * Between the last two, what comes before the tile is found, by two warps more
 * (scan_lookback.cuh).  Where there is no more than a tile for a multiprocessor
 * (scan_args.single_wave), there is shared memory for one stage, and one warp
 * more.
 *
 * A head, an element where a run starts, is a bit beside the elements.  What
 * comes before the last head of a thread, warp or tile never matters to what
 * comes after, and a tile that begins with a head needs nothing from before.
 *
 * With NULLs values are packed: a warp reads those of its elements, whose place
 * the ranks tell, and before the first pass moves them apart as its bits of the
 * bitmap say, with an element that changes nothing for a NULL.
 *
 * What is scanned is a struct S:
 *
 *		T, out					elements, results
 *		item					what a thread keeps of an element
 *		part					totals within a tile
 *		carry_type				totals of tiles, as lookback.cuh wants them
 *		ELEMENTS				which constants of tuning.h are its
 *		VALUES					are elements read at all?
 *		of(x)					item of an element
 *		absent()				element that changes nothing
 *		totals(x, note)			of the warp's items up to this thread's
 *		results(before, exclusive, note, x)
 *								of a thread, from what comes before the warp
 *								and before the thread in the warp; false if
 *								they are in shared memory already
 *		keep_total(total)		keep the array's total
 *		finish()				by a thread of each block in the end
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_CUH
#define GS_SCAN_CUH

#include "scan_lookback.cuh"

/* ----------
 * The kernel
 * ----------
 */

/* What a thread keeps of a tile from the first pass to the second. */
template <class S>
struct scan_kept : S::note
{
	typename S::part exclusive; /* of the threads before in the warp */
	uint32_t	heads;			/* of the thread, 16 bits, and as below */
};

/* Has a thread before in the warp a head?  And has any, but the first? */
#define HEAD_BEFORE		(1u << 16)
#define HEAD_BETWEEN	(1u << 17)

template <class S>
__device__ static inline void
take_elements(const S &s, const scan_args &a, const uint4 *buffer,
			  const uint4 *valid, int count, typename S::item (&x)[ITEMS])
{
	if constexpr (S::VALUES)
		share_take(s, buffer, count, x);
	else
		s.take(a, valid, count, x);
}

/*
 * Totals of a tile.  Where no element of the warp but its first is a head, the
 * work is that without heads.
 */
template <class S, bool HEADS>
__device__ static inline void
first_pass(const S &s, const scan_args &a, warp_share w,
		   uint4 *buffer, uint4 *valid, uint4 raw_heads,
		   scan_shared<S, HEADS> &shared, int turn, scan_kept<S> *kept)
{
	typename S::item x[ITEMS];
	int			count = share_count(w, a);
	uint32_t	with_head = 0;
	bool		between = false;
	uint32_t	starts = 0;		/* with a head */
	typename S::part inclusive;
	typename S::part exclusive;

	w.heads = 0;
	if (HEADS)
	{
		w.heads = share_heads(w, a, raw_heads, count);
		with_head = __ballot_sync(GS_ALL_LANES, w.heads != 0);
		starts = __shfl_sync(GS_ALL_LANES, w.heads, 0) & 1;
		between = __any_sync(GS_ALL_LANES,
							 w.heads > (lane_here() == 0 ? 1 : 0));
		kept->heads = w.heads |
			((with_head & earlier_lanes()) != 0 ? HEAD_BEFORE : 0) |
			(between ? HEAD_BETWEEN : 0);
	}
	if constexpr (S::VALUES)
	{
		if (has_nulls(a))
			share_unpack(s, w, a, buffer, valid);
	}
	take_elements(s, a, buffer, valid, count, x);
	if (HEADS && between)
		inclusive = s.template totals<HEADS>(a, w, buffer, count, with_head, x,
											 kept);
	else
		inclusive = s.template totals<false>(a, w, buffer, count, 0, x, kept);
	exclusive = gs_shuffle_up(inclusive, 1);
	kept->exclusive = gs_lane() == 0 ? S::nothing() : exclusive;

	if (gs_lane() == GS_WARP - 1)
	{
		shared.of_warp[turn][gs_warp()] = inclusive;
		if (HEADS)
			shared.warp_has_head[turn][gs_warp()] = with_head != 0;
		if (HEADS && gs_warp() == 0)
			shared.starts[turn] = starts;
		mbarrier_arrive(&shared.totals[turn]);
	}
}

/* Results of a tile, which go to `out_buffer` before they are written. */
template <class S, bool HEADS>
__device__ static inline void
second_pass(const S &s, const scan_args &a, warp_share w, uint4 *buffer,
			const uint4 *valid, uint4 *out_buffer,
			const typename S::carry_type &before_warp,
			const scan_kept<S> *kept, uint32_t leading)
{
	typename S::item x[ITEMS];
	typename S::out out[ITEMS];
	typename S::carry_type before = before_warp;
	int			count = share_count(w, a);
	bool		done;

	w.heads = HEADS ? kept->heads & 0xffff : 0;
	take_elements(s, a, buffer, valid, count, x);
	if (HEADS && ((kept->heads & HEAD_BEFORE) ||
				  (gs_lane() == 0 && (w.heads & 1))))
		before = S::carry_type::identity();
	if (HEADS && (kept->heads & HEAD_BETWEEN))
		done = s.template results<HEADS>(a, w, buffer, count, before,
										 kept->exclusive, *kept, x, out);
	else
		done = s.template results<false>(a, w, buffer, count, before,
										 kept->exclusive, *kept, x, out);
	if (done)
	{
		__syncwarp();
		share_put(out_buffer, out);
	}
	__syncwarp();
	if (w.base < a.n)
		share_write<typename S::out>(w, a, out_buffer, leading);
	__syncwarp();
}

/*
 * What comes before this warp in the block's tile j.  After a head nobody waits
 * for other blocks.  Nor does anyone run so far ahead then that `ready` could
 * open twice: `published` opens once the first warp is there too, which waits
 * for both.
 */
template <class S, bool HEADS>
__device__ static inline typename S::carry_type
before_warp(scan_shared<S, HEADS> &shared, unsigned int j)
{
	int			turn = j % RING;

	if (HEADS)
	{
		mbarrier_wait(&shared.published[turn], j / RING, GS_WARP);
		if (shared.heads[turn] & ((1u << gs_warp()) - 1))
			return S::carry_of(shared.within[turn][gs_warp()]);
	}
	mbarrier_wait(&shared.ready[turn], j / RING, GS_WARP);
	return shared.before_warp[turn][gs_warp()];
}

/* How a block's shared memory is shared out. */
template <class S, bool HEADS>
struct scan_space
{
	static const int STAGES = scan_tuned<S, HEADS>::DEPTH + 2;
	static const int KEPT = scan_tuned<S, HEADS>::DEPTH + 1;
	static const int WIDTH = sizeof(typename S::T);

	/* of elements, where packed values may fill one piece more; their bits */
	static const int ELEMENTS = S::VALUES ? GS_WARP * WIDTH + 1 : 0;
	static const int PIECES = ELEMENTS + VALID_PIECES;

	/* results lie where the elements lay, if there is room for them */
	static const bool APART = !S::VALUES || sizeof(typename S::out) > WIDTH;
	static const int OUT_PIECES = APART ? GS_WARP * sizeof(typename S::out) : 0;

	static constexpr int
	of_warp(int stages, int kept)
	{
		return (stages * PIECES + OUT_PIECES) * (int) sizeof(uint4) +
			kept * GS_WARP * (int) sizeof(scan_kept<S>);
	}
};

/* A warp's part of the block's tile j. */
template <class S, bool HEADS>
__device__ static inline warp_share
share_of(const scan_shared<S, HEADS> &shared, const scan_args &a, unsigned int j)
{
	unsigned int slot = j % RING_OF_NUMBERS;
	warp_share	w;

	w.base = ((int64_t) shared.tiles[slot] * a.warps + gs_warp()) * WARP_ITEMS;
	w.from = has_nulls(a) ? shared.ranks[slot][gs_warp()] :
		(uint32_t) w.base;
	return w;
}

/*
 * The work of all other warps: while tile i has its results, tile i + DEPTH
 * goes through the first pass, and the one after that is on its way.
 */
template <class S, bool HEADS>
__device__ static inline void
scan_tiles(const S &s, scan_shared<S, HEADS> &shared, const scan_args &a,
		   uint4 *buffers)
{
	typedef scan_space<S, HEADS> space;
	typedef scan_tuned<S, HEADS> tuned;
	const int	DEPTH = tuned::DEPTH;
	const int	STAGES = space::STAGES;
	static_assert(DEPTH < RING, "slots are free in time");
	static_assert(tuned::AHEAD > 1 && tuned::AHEAD_NULLS > 1,
				  "nobody waits for what comes later");
	static_assert(DEPTH + tuned::AHEAD < RING_OF_NUMBERS &&
				  DEPTH + tuned::AHEAD_NULLS < RING_OF_NUMBERS,
				  "numbers too");
	uint4	   *apart = buffers + (a.single_wave ? 1 : STAGES) * a.warps *
		space::PIECES;
	scan_kept<S> *all_kept = (scan_kept<S> *)
		(apart + a.warps * space::OUT_PIECES) + threadIdx.x;
	uint4		raw_next = make_uint4(0, 0, 0, 0);

	/*
	 * Stage of tile i + DEPTH + 1, and what is kept of the one before it: both 0
	 * for the first tile, since there is no other where a.single_wave.
	 */
	int			stage = STAGES - 1;
	int			keep = space::KEPT - 1;

	apart += gs_warp() * space::OUT_PIECES;
	for (int i = -DEPTH - 1;; i++)
	{
		unsigned int next = i + DEPTH;
		unsigned int last = next + 1;
		uint4		raw_heads = raw_next;
		uint4	   *mine;
		scan_kept<S> *kept;
		warp_share	w;

		if (i >= 0 && shared.tiles[i % RING_OF_NUMBERS] >= a.tiles)
			break;

		/* the copy of one tile */
		stage = stage == STAGES - 1 ? 0 : stage + 1;
		mine = buffers + (stage * a.warps + gs_warp()) * space::PIECES;
		number_of(shared, last);
		w = share_of(shared, a, last);
		share_begin<S, HEADS>
			(a, w.base, w.from, has_nulls(a) ?
			 shared.ranks[last % RING_OF_NUMBERS][gs_warp() + 1] :
			 (uint32_t) min(w.base + WARP_ITEMS, a.n),
			 mine, mine + space::ELEMENTS, &raw_next);
		copy_async_commit();
		if (i < -DEPTH)
			continue;

		/* the first pass of the one before */
		mine = buffers + ((stage == 0 ? STAGES - 1 : stage - 1) * a.warps +
						  gs_warp()) * space::PIECES;
		keep = keep == DEPTH ? 0 : keep + 1;
		kept = all_kept + keep * a.warps * GS_WARP;
		copy_async_wait();
		__syncwarp();
		w = share_of(shared, a, next);
		if (shared.tiles[next % RING_OF_NUMBERS] < a.tiles)
			first_pass<S, HEADS>(s, a, w, mine, mine + space::ELEMENTS,
								 raw_heads, shared, next % RING, kept);
		if (i < 0)
			continue;

		/* the second pass of the one DEPTH before that */
		mine = buffers + ((stage == STAGES - 1 ? 0 : stage + 1) * a.warps +
						  gs_warp()) * space::PIECES;
		kept = all_kept + (keep == DEPTH ? 0 : keep + 1) * a.warps * GS_WARP;
		second_pass<S, HEADS>(s, a, share_of(shared, a, i), mine,
							  mine + space::ELEMENTS,
							  space::APART ? apart : mine,
							  before_warp(shared, i), kept, shared.leading);
	}
}

template <class S, bool HEADS>
__global__ static void
__launch_bounds__(scan_tuned<S, HEADS>::MAX_WARPS * GS_WARP, 1)
scan_kernel(const __grid_constant__ S s, const __grid_constant__ scan_args a)
{
	extern __shared__ uint4 buffers[];
	__shared__ scan_shared<S, HEADS> shared;

	if (a.tiles == 1 && threadIdx.x == 0)
	{
		a.header->failed = 0;
		a.header->range = 0;
	}
	if (!S::is_wanted(a))
		return;
	if (gs_warp() == 0)
		tell_tile(shared, a, 0, take_tile(a, true));
	if (threadIdx.x == 0)
	{
		shared.leading = leading_nulls(a);
		for (int i = 0; i < RING; i++)
		{
			mbarrier_init(&shared.totals[i], a.warps);
			mbarrier_init(&shared.published[i], GS_WARP);
			mbarrier_init(&shared.ready[i], GS_WARP);
		}
		for (int i = 0; i < RING_OF_NUMBERS; i++)
			mbarrier_init(&shared.drawn[i], GS_WARP);
	}
	__syncthreads();
	if (gs_warp() < a.warps)
		scan_tiles<S, HEADS>(s, shared, a, buffers);
	else if (a.single_wave)
		publish_and_look_back<S, HEADS>(shared, a);
	else if (gs_warp() == a.warps)
		publish_tiles<S, HEADS>(shared, a);
	else
		look_back<S, HEADS>(shared, a);
	__syncthreads();
	if (threadIdx.x == 0)
		S::finish(a, shared.leading);
}

/*
 * Does this block report?  By each, once it has no more to do.  If what others
 * have found matters, it is the last to be through.
 */
__device__ static inline bool
reports(const scan_args &a)
{
	if (a.defers_retry || a.tiles == 1)
		return blockIdx.x == 0;
	__threadfence();
	if (atomicAdd(&a.header->done, 1u) != gridDim.x - 1)
		return false;
	__threadfence();
	return true;
}

/*
 * By who reports: the total becomes the carry.  Not earlier, since the last
 * tile, if runs start between, can be through before the first has begun.
 */
template <class CARRY>
__device__ static inline void
store_carry(const scan_args &a)
{
#pragma unroll
	for (int i = 0; i < CARRY::WORDS; i++)
		a.state->carry[i] = gs_word_load(a.state->next + i);
}

/* What the header says of results out of range. */
__device__ static inline unsigned long long
read_range(const scan_args &a)
{
	return a.defers_retry ? 0 : *(volatile unsigned long long *) &a.header->range;
}

__device__ static inline void
report(const scan_args &a, uint32_t leading, unsigned long long range)
{
	a.done->n = a.n;
	a.done->present = a.n - leading;
	a.done->overflow = range == 0 ? 0 : (int64_t) ~range;
	if (!a.sets_seen)
		return;
	if (a.has_values)
		a.state->seen = 1;
	else if (a.first == 0)
		a.state->seen = 0;
}

/* ----------
 * The host's side
 * ----------
 */

/*
 * The most warps of a block with elements, and the shared memory of each: where
 * blocks have many tiles, or one.
 */
struct scan_limit
{
	int			warps;
	int			of_warp;
};

/*
 * How a chunk is cut into tiles (scan.cu): a's warps, tiles and single_wave.  A block
 * takes `reserved_shared` bytes of shared memory too, which may make the limits less.
 */
extern cudaError_t gs_scan_tiles(int reserved_shared, scan_limit *many,
								 scan_limit *single_wave, scan_args *a);

/*
 * How many blocks of the most warps run at the same time?  The answer is kept:
 * a process has one device.
 */
template <class S, bool HEADS>
static cudaError_t
scan_blocks(const scan_limit &many, int *blocks)
{
	static int	known;
	int			each;
	int			count;

	if (known == 0)
	{
		GS_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor
			   (&each, scan_kernel<S, HEADS>, (many.warps + 2) * GS_WARP,
				many.warps * many.of_warp));
		GS_TRY(gs_grid(INT32_MAX, each, &count));
		known = count;
	}
	*blocks = known;
	return cudaSuccess;
}

/* Launch S over the chunk that a describes but for its tiles. */
template <class S, bool HEADS>
static cudaError_t
scan_launch(const S &s, scan_args *a, cudaStream_t stream)
{
	typedef scan_tuned<S, HEADS> tuned;
	typedef scan_space<S, HEADS> space;
	scan_limit	many = {tuned::WARPS,
		space::of_warp(space::STAGES, space::KEPT)};
	scan_limit	single_wave = {tuned::SINGLE_WAVE_WARPS, space::of_warp(1, 1)};
	int			blocks;

	GS_TRY(gs_scan_tiles(sizeof(scan_shared<S, HEADS>), &many, &single_wave, a));
	GS_TRY((gs_allow_shared<scan_kernel<S, HEADS>>()));
	GS_TRY((scan_blocks<S, HEADS>(many, &blocks)));
	if (blocks > a->tiles)
		blocks = (int) a->tiles;
	/* publications are the last of what is to be cleared */
	if (a->tiles > 1)
		GS_TRY(cudaMemsetAsync(a->header, 0,
							   (char *) (a->published + 2 * a->tiles) -
							   (char *) a->header, stream));
	scan_kernel<S, HEADS><<<blocks, (a->warps + (a->single_wave ? 1 : 2)) * GS_WARP,
		a->warps * (a->single_wave ? single_wave : many).of_warp, stream>>>(s, *a);
	return gs_launched();
}

template <class S>
static cudaError_t
scan_launch_any(const S &s, scan_args *a, cudaStream_t stream)
{
	return a->head_source == HEADS_NONE ? scan_launch<S, false>(s, a, stream) :
		scan_launch<S, true>(s, a, stream);
}

/* scan_float.cu: sums of floats that two or three doubles hold. */
extern cudaError_t gs_scan_floats(const gs_op *op, scan_args *a,
								  cudaStream_t stream);

/* scan_exact.cu: any sums of floats, where the above has failed. */
extern size_t gs_scan_exact_scratch_size(int64_t n);
extern cudaError_t gs_scan_exact(const gs_op *op, const scan_args &a,
								 void *scratch, cudaStream_t stream);

#endif							/* GS_SCAN_CUH */
