/*-------------------------------------------------------------------------
 *
 * scan.cuh
 *	  Scans: the kernel.
 *
 * A single pass with one read and one write an element.  A thread owns ITEMS
 * consecutive elements, a warp WARP_ITEMS; a tile is what the scanning warps
 * of a block own.  A tile goes through three stages, and while a block has one
 * tile in the last stage, it has the next in the second and another in the
 * first:
 *
 * 1. An asynchronous copy brings the elements to shared memory.
 * 2. Upsweep: threads reduce their elements, and warps merge the threads'
 *    totals by shuffles.
 * 3. Downsweep: each thread scans its elements again, starting from its
 *    prefix, and stores the results in place of the elements; each warp writes
 *    its results, 16 bytes a lane, side by side.
 *
 * Between these, two further warps find the prefix of the tile: the spine, by
 * look-back (scan_lookback.cuh).  With at most one tile a multiprocessor
 * (scan_args.single_wave) there is shared memory for a single stage, and one
 * further warp.
 *
 * A head, an element where a segment starts, is a bit beside the elements.
 * What precedes the last head of a thread, warp or tile never affects what
 * follows, and a tile that begins with a head needs no prefix.
 *
 * With NULLs, values are packed.  A warp reads the values of its elements,
 * which it finds by the ranks, and before the upsweep spreads them out by
 * its bits of the bitmap, with a neutral element for each NULL.
 *
 * What is scanned is a struct S:
 *
 *		T, out					types of elements and results
 *		item					what a thread keeps of an element
 *		part					totals within a tile
 *		carry_type				totals of tiles, as lookback.cuh scans them
 *		ELEMENTS				selects its constants in tuning.h
 *		VALUES					are elements read at all?
 *		of(x)					item of an element
 *		absent()				neutral element
 *		totals(x, info)			of the warp's items up to this thread's
 *		results(before, exclusive, info, x)
 *								of a thread, from the warp's prefix and the
 *								thread's within the warp; false if they are
 *								in shared memory already
 *		store_total(total)		store the array's total
 *		finish()				by one thread of each block at the end
 *
 * Source: Merrill and Garland, Single-pass parallel prefix scan with
 * decoupled look-back, 2016 (lookback.cuh).
 * Determinism: totals combine exactly, whatever the order, so neither the
 * grid nor timing changes a bit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_CUH
#define GS_SCAN_CUH

#include "kernels/scan/scan_lookback.cuh"

/* ----------
 * The kernel
 * ----------
 */

/* What a thread saves from a tile's upsweep for its downsweep. */
template <class S>
struct scan_saved : S::upsweep_info
{
	typename S::part exclusive; /* total of the earlier threads in the warp */
	uint32_t	heads;			/* the thread's heads in 16 bits, and the flags
								 * below */
};

/*
 * Does an earlier thread of the warp have a head?  Does any thread, apart from
 * the warp's first element?
 */
#define HEAD_BEFORE		(1u << 16)
#define HEAD_BETWEEN	(1u << 17)

template <class S>
__device__ static inline void
load_elements(const S &s, const scan_args &a, const uint4 *buffer,
			  const uint4 *valid, int count, typename S::item (&x)[ITEMS])
{
	if constexpr (S::VALUES)
		share_load(s, buffer, count, x);
	else
		s.load(a, valid, count, x);
}

/*
 * The upsweep.  If no element of the warp but its first is a head, it is
 * done as without heads.
 */
template <class S, bool HEADS>
__device__ static inline void
upsweep(const S &s, const scan_args &a, warp_share w,
		   uint4 *buffer, uint4 *valid, uint4 raw_heads,
		   scan_shared<S, HEADS> &shared, int turn, scan_saved<S> *saved)
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
							 w.heads > (opaque_lane() == 0 ? 1 : 0));
		saved->heads = w.heads |
			((with_head & earlier_lanes()) != 0 ? HEAD_BEFORE : 0) |
			(between ? HEAD_BETWEEN : 0);
	}
	if constexpr (S::VALUES)
	{
		if (has_nulls(a))
			share_unpack(s, w, a, buffer, valid);
	}
	load_elements(s, a, buffer, valid, count, x);
	if (HEADS && between)
		inclusive = s.template totals<HEADS>(a, w, buffer, count, with_head, x,
											 saved);
	else
		inclusive = s.template totals<false>(a, w, buffer, count, 0, x, saved);
	exclusive = gs_shuffle_up(inclusive, 1);
	saved->exclusive = gs_lane() == 0 ? S::nothing() : exclusive;

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

/* The downsweep.  Results go to `out_buffer` before they are written. */
template <class S, bool HEADS>
__device__ static inline void
downsweep(const S &s, const scan_args &a, warp_share w, uint4 *buffer,
			const uint4 *valid, uint4 *out_buffer,
			const typename S::carry_type &before_warp,
			const scan_saved<S> *saved, uint32_t leading)
{
	typename S::item x[ITEMS];
	typename S::out out[ITEMS];
	typename S::carry_type before = before_warp;
	int			count = share_count(w, a);
	bool		done;

	w.heads = HEADS ? saved->heads & 0xffff : 0;
	load_elements(s, a, buffer, valid, count, x);
	if (HEADS && ((saved->heads & HEAD_BEFORE) ||
				  (gs_lane() == 0 && (w.heads & 1))))
		before = S::carry_type::identity();
	if (HEADS && (saved->heads & HEAD_BETWEEN))
		done = s.template results<HEADS>(a, w, buffer, count, before,
										 saved->exclusive, *saved, x, out);
	else
		done = s.template results<false>(a, w, buffer, count, before,
										 saved->exclusive, *saved, x, out);
	if (done)
	{
		__syncwarp();
		share_store(out_buffer, out);
	}
	__syncwarp();
	if (w.base < a.n)
		share_write<typename S::out>(w, a, out_buffer, leading);
	__syncwarp();
}

/*
 * The prefix of this warp in the block's tile j.  After a head, a warp does
 * not wait for other blocks.  Even so, no warp gets far enough ahead to
 * confuse two phases of `ready`: `published` completes only once the first
 * warp, which waits for both, has arrived too.
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

/* The layout of a block's shared memory. */
template <class S, bool HEADS>
struct scan_space
{
	static const int STAGES = scan_tuned<S, HEADS>::DEPTH + 2;
	static const int SAVED = scan_tuned<S, HEADS>::DEPTH + 1;
	static const int WIDTH = sizeof(typename S::T);

	/* of elements (packed values may span one piece more) and their bits */
	static const int ELEMENTS = S::VALUES ? GS_WARP * WIDTH + 1 : 0;
	static const int PIECES = ELEMENTS + VALID_PIECES;

	/* results replace the elements if they fit there */
	static const bool APART = !S::VALUES || sizeof(typename S::out) > WIDTH;
	static const int OUT_PIECES = APART ? GS_WARP * sizeof(typename S::out) : 0;

	static constexpr int
	of_warp(int stages, int saved)
	{
		return (stages * PIECES + OUT_PIECES) * (int) sizeof(uint4) +
			saved * GS_WARP * (int) sizeof(scan_saved<S>);
	}
};

/* A warp's part of the block's tile j. */
template <class S, bool HEADS>
__device__ static inline warp_share
share_of(const scan_shared<S, HEADS> &shared, const scan_args &a,
		 unsigned int j)
{
	unsigned int slot = j % NUMBER_RING;
	warp_share	w;

	w.base = ((int64_t) shared.tiles[slot] * a.warps + gs_warp()) * WARP_ITEMS;
	w.from = has_nulls(a) ? shared.ranks[slot][gs_warp()] :
		(uint32_t) w.base;
	return w;
}

/*
 * The scanning warps: while tile i is in the downsweep, tile i + DEPTH is in
 * the upsweep, and the one after that is being copied.
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
	static_assert(DEPTH < RING, "a slot is free before its reuse");
	static_assert(tuned::AHEAD > 1 && tuned::AHEAD_NULLS > 1,
				  "no warp waits for a number that is claimed later");
	static_assert(DEPTH + tuned::AHEAD < NUMBER_RING &&
				  DEPTH + tuned::AHEAD_NULLS < NUMBER_RING,
				  "a number's slot is free before its reuse");
	uint4	   *apart = buffers + (a.single_wave ? 1 : STAGES) * a.warps *
		space::PIECES;
	scan_saved<S> *all_saved = (scan_saved<S> *)
		(apart + a.warps * space::OUT_PIECES) + threadIdx.x;
	uint4		raw_next = make_uint4(0, 0, 0, 0);

	/*
	 * The stage of tile i + DEPTH + 1, and the saved slot of the tile before
	 * it.  Both are 0 for the first tile, which is the only one if
	 * a.single_wave.
	 */
	int			stage = STAGES - 1;
	int			keep = space::SAVED - 1;

	apart += gs_warp() * space::OUT_PIECES;
	for (int i = -DEPTH - 1;; i++)
	{
		unsigned int next = i + DEPTH;
		unsigned int last = next + 1;
		uint4		raw_heads = raw_next;
		uint4	   *mine;
		scan_saved<S> *saved;
		warp_share	w;

		if (i >= 0 && shared.tiles[i % NUMBER_RING] >= a.tiles)
			break;

		/* copy a tile */
		stage = stage == STAGES - 1 ? 0 : stage + 1;
		mine = buffers + (stage * a.warps + gs_warp()) * space::PIECES;
		number_of(shared, last);
		w = share_of(shared, a, last);
		share_begin<S, HEADS>
			(a, w.base, w.from, has_nulls(a) ?
			 shared.ranks[last % NUMBER_RING][gs_warp() + 1] :
			 (uint32_t) min(w.base + WARP_ITEMS, a.n),
			 mine, mine + space::ELEMENTS, &raw_next);
		copy_async_commit();
		if (i < -DEPTH)
			continue;

		/* upsweep of the tile before */
		mine = buffers + ((stage == 0 ? STAGES - 1 : stage - 1) * a.warps +
						  gs_warp()) * space::PIECES;
		keep = keep == DEPTH ? 0 : keep + 1;
		saved = all_saved + keep * a.warps * GS_WARP;
		copy_async_wait();
		__syncwarp();
		w = share_of(shared, a, next);
		if (shared.tiles[next % NUMBER_RING] < a.tiles)
			upsweep<S, HEADS>(s, a, w, mine, mine + space::ELEMENTS,
								 raw_heads, shared, next % RING, saved);
		if (i < 0)
			continue;

		/* downsweep of the tile DEPTH before that */
		mine = buffers + ((stage == STAGES - 1 ? 0 : stage + 1) * a.warps +
						  gs_warp()) * space::PIECES;
		saved = all_saved + (keep == DEPTH ? 0 : keep + 1) * a.warps * GS_WARP;
		downsweep<S, HEADS>(s, a, share_of(shared, a, i), mine,
							  mine + space::ELEMENTS,
							  space::APART ? apart : mine,
							  before_warp(shared, i), saved, shared.leading);
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
		announce_tile(shared, a, 0, claim_tile(a, true));
	if (threadIdx.x == 0)
	{
		shared.leading = leading_nulls(a);
		for (int i = 0; i < RING; i++)
		{
			mbarrier_init(&shared.totals[i], a.warps);
			mbarrier_init(&shared.published[i], GS_WARP);
			mbarrier_init(&shared.ready[i], GS_WARP);
		}
		for (int i = 0; i < NUMBER_RING; i++)
			mbarrier_init(&shared.claimed[i], GS_WARP);
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
 * Does this block report?  Every block calls this when it has finished.  If
 * the failures of others matter, the last block to finish reports.
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
 * The reporting block turns the total into the carry.  Not earlier: with
 * heads, the last tile can finish before the first has begun.
 */
template <class CARRY>
__device__ static inline void
store_carry(const scan_args &a)
{
#pragma unroll
	for (int i = 0; i < CARRY::WORDS; i++)
		a.state->carry[i] = gs_word_load(a.state->next + i);
}

/* The header's record of results out of range. */
__device__ static inline unsigned long long
read_range(const scan_args &a)
{
	return a.defers_retry ? 0 :
		*(volatile unsigned long long *) &a.header->range;
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
 * The limit of scanning warps a block, and the shared memory of each: for
 * blocks with many tiles, or with one.
 */
struct scan_limit
{
	int			warps;
	int			of_warp;
};

/*
 * Cut a batch into tiles (scan.cu): set a's warps, tiles and single_wave.  A
 * block also needs `reserved_shared` bytes of shared memory, which may reduce
 * the limits.
 */
extern cudaError_t gs_scan_tiles(int reserved_shared, scan_limit *many,
								 scan_limit *single_wave, scan_args *a);

/*
 * How many blocks with the most warps are resident at a time?  The answer is
 * cached, as a process has one device.
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

/* Launch S over the batch that a describes, except for its tiles. */
template <class S, bool HEADS>
static cudaError_t
scan_launch(const S &s, scan_args *a, cudaStream_t stream)
{
	typedef scan_tuned<S, HEADS> tuned;
	typedef scan_space<S, HEADS> space;
	scan_limit	many = {tuned::WARPS,
		space::of_warp(space::STAGES, space::SAVED)};
	scan_limit	single_wave = {tuned::SINGLE_WAVE_WARPS, space::of_warp(1, 1)};
	int			threads;
	int			blocks;

	GS_TRY(gs_scan_tiles(sizeof(scan_shared<S, HEADS>), &many, &single_wave,
						 a));
	GS_TRY((gs_allow_shared<scan_kernel<S, HEADS>>()));
	GS_TRY((scan_blocks<S, HEADS>(many, &blocks)));
	if (blocks > a->tiles)
		blocks = (int) a->tiles;
	/* the tile states are the last part to clear */
	if (a->tiles > 1)
		GS_TRY(cudaMemsetAsync(a->header, 0,
							   (char *) (a->published + 2 * a->tiles) -
							   (char *) a->header, stream));
	threads = (a->warps + (a->single_wave ? 1 : 2)) * GS_WARP;
	scan_kernel<S, HEADS><<<blocks, threads,
		a->warps * (a->single_wave ? single_wave : many).of_warp, stream>>>
		(s, *a);
	return gs_launched();
}

template <class S>
static cudaError_t
scan_launch_any(const S &s, scan_args *a, cudaStream_t stream)
{
	return a->head_source == HEADS_NONE ? scan_launch<S, false>(s, a, stream) :
		scan_launch<S, true>(s, a, stream);
}

/* scan_float.cu: sums of floats that fit in two or three doubles. */
extern cudaError_t gs_scan_floats(const gs_op *op, scan_args *a,
								  cudaStream_t stream);

/* scan_exact.cu: any sums of floats, where scan_float.cu has failed. */
extern size_t gs_scan_exact_scratch_size(int64_t n);
extern cudaError_t gs_scan_exact(const gs_op *op, const scan_args &a,
								 void *scratch, cudaStream_t stream);

#endif							/* GS_SCAN_CUH */
