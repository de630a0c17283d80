/*-------------------------------------------------------------------------
 *
 * scan_tile.cuh
 *	  Scans: the arguments of a launch, and how tiles are read and written.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_TILE_CUH
#define GS_SCAN_TILE_CUH

#include "kernels/lookback.cuh"

#define ITEMS			16
#define WARP_ITEMS		(ITEMS * GS_WARP)

static_assert(WARP_ITEMS == GS_RANK_BLOCK, "a warp's values start at a rank");

/* Where heads come from. */
enum scan_heads
{
	HEADS_NONE,
	HEADS_BYTES,				/* a byte an element, 0 or 1 */
	HEADS_BITS,
	HEADS_EVERY					/* where (index + lead) % every is 0 */
};

/* Cleared before a batch; for a single tile, by its block. */
struct scan_header
{
	unsigned int next;			/* next tile to claim */
	unsigned int done;			/* blocks that have finished */
	uint32_t	failed;			/* sums of floats: redo this batch */
	unsigned long long range;	/* complement of the first position of a result
								 * out of range; 0: none */
};

/* Carried from batch to batch; undefined before the first. */
struct scan_state
{
	gs_u128		carry[2];		/* the total so far, packed as in a tile
								 * state */
	gs_u128		next[2];		/* the total after this batch */
	uint32_t	seen;			/* has the segment had a value? */
	uint32_t	wide;			/* sums of floats: the total is in acc */
	gs_acc		acc;
};

struct scan_args
{
	int64_t		first;			/* index in the array of the first element */
	int64_t		n;
	int			more;			/* batches follow */
	int			fallback;		/* this is the fallback */
	int			defers_retry;	/* after a failure, only done->fallback is set;
								 * all else in done is known without waiting
								 * for other blocks */
	int			warps;			/* scanning warps a block */
	int			single_wave;	/* at most one tile a multiprocessor */
	int64_t		tiles;
	const void *values;
	const uint8_t *validity;	/* NULL: all present */
	const uint32_t *ranks;
	const uint8_t *heads;
	int			head_source;
	uint32_t	every;
	uint32_t	lead;
	int			exclusive;
	const uint8_t *known;		/* results that follow a value of their
								 * segment; NULL: all, but for a segment's
								 * first if exclusive */
	void	   *out;
	uint8_t    *out_validity;	/* NULL: none */
	int			leads;			/* the first results can be NULL */
	const uint32_t *first_value;	/* index of the first element with a
									 * value; NULL: 0 */
	int			sets_seen;		/* update state->seen after this batch, .. */
	int			has_values;		/* .. which has values */
	gs_done    *done;
	scan_state *state;
	scan_header *header;
	gs_u128    *published;
};

__device__ static inline bool
has_nulls(const scan_args &a)
{
	return a.validity != NULL;
}

/* ----------
 * Tiles in shared memory
 *
 * A thread's elements are sizeof(T) pieces of 16 bytes.  In their natural
 * order, pieces of adjacent threads would conflict in the same banks, so the
 * pieces of a row are swizzled by a pattern that repeats every eight pieces.
 * ----------
 */

/*
 * The lane, made opaque to the compiler.  Otherwise it computes all addresses
 * before the loop over tiles and, for lack of registers, keeps them in local
 * memory, which takes longer to read than computing them again.
 */
__device__ static inline int
opaque_lane(void)
{
	int			lane = gs_lane();

	asm volatile("" : "+r"(lane));
	return lane;
}

template <int PIECES>
__device__ static inline int
swizzle_piece(int piece)
{
	return piece ^ (piece >> 3 & (PIECES - 1));
}

/* swizzle_piece for the number of a byte. */
template <int PIECES>
__device__ static inline uint32_t
swizzle_byte(uint32_t byte)
{
	return byte ^ (byte >> 3 & (PIECES - 1) * 16);
}

/*
 * swizzle_piece of this lane's piece where lanes have adjacent pieces in a
 * row.
 */
template <int PIECES>
__device__ static inline int
swizzle_in_row(int lane, int row)
{
	return row * GS_WARP +
		(lane ^ ((row * 4 & (PIECES - 1)) | (lane >> 3 & (PIECES - 1))));
}

/* swizzle_piece of piece i of this thread's elements. */
template <int PIECES>
__device__ static inline int
swizzle_own(int lane, int i)
{
	return lane * PIECES + (i ^ (lane * PIECES >> 3 & (PIECES - 1)));
}

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

/* Mark the end of a tile's copies. */
__device__ static inline void
copy_async_commit(void)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* Wait for all copies but those of the last commit. */
__device__ static inline void
copy_async_wait(void)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group 1;" : : : "memory");
#endif
}

/* A warp's share of a tile, as one of its threads sees it. */
struct warp_share
{
	int64_t		base;			/* index of the first element in the batch */
	uint32_t	from;			/* index of its first value among the values */
	uint32_t	heads;			/* which of this thread's elements are heads */
};

/* Pieces of a warp's part of the bitmap. */
#define VALID_PIECES	(WARP_ITEMS / 8 / 16)

/*
 * Start copying a warp's elements, which are the values from `from` to `to` -
 * 1, and their bits; read what determines the heads.
 */
template <class S, bool HEADS>
__device__ static inline void
share_begin(const scan_args &a, int64_t base, uint32_t from, uint32_t to,
			uint4 *buffer, uint4 *valid, uint4 *raw_heads)
{
	typedef typename S::T T;
	const bool	VALUES = S::VALUES;
	int			lane = opaque_lane();
	int64_t		mine = base + lane * ITEMS;

	if (base >= a.n)
		return;
	if (has_nulls(a) && lane < VALID_PIECES &&
		base + lane * 128 < a.n)
		copy_async(valid + lane,
				   (const uint4 *) (a.validity + base / 8) + lane);
	if (VALUES && !has_nulls(a) && to - from == WARP_ITEMS)
	{
		const uint4 *source = (const uint4 *) ((const T *) a.values + from) +
			lane;

#pragma unroll
		for (int i = 0; i < (int) sizeof(T); i++)
			copy_async(buffer + swizzle_in_row<sizeof(T)>(lane, i),
					   source + i * GS_WARP);
	}
	else if (VALUES)
	{
		const int	EACH = 16 / sizeof(T);
		const uint4 *source = (const uint4 *) a.values + from / EACH;
		int			pieces = (int) ((to + EACH - 1) / EACH - from / EACH);

#pragma unroll
		for (int i = 0; i <= (int) sizeof(T); i++)
		{
			int			piece = i * GS_WARP + lane;

			/* packed values stay in order until share_unpack */
			if (piece < pieces)
				copy_async(buffer + (has_nulls(a) ? piece :
									 swizzle_piece<sizeof(T)>(piece)),
						   source + piece);
		}
	}
	if (HEADS && mine < a.n)
	{
		if (a.head_source == HEADS_BYTES)
			*raw_heads = *(const uint4 *) (a.heads + mine);
		else if (a.head_source == HEADS_BITS)
			raw_heads->x = ((const uint16_t *) a.heads)[mine / 16];
	}
}

/* How many of a thread's elements are in the batch? */
__device__ static inline int
share_count(const warp_share &w, const scan_args &a)
{
	int			lane = opaque_lane();
	int64_t		left = a.n - w.base - lane * ITEMS;

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
share_heads(const warp_share &w, const scan_args &a, uint4 raw, int count)
{
	int			lane = opaque_lane();
	uint32_t	bits = raw.x;

	if (a.head_source == HEADS_BYTES)
		bits = gather_bits(raw.x) | gather_bits(raw.y) << 4 |
			gather_bits(raw.z) << 8 | gather_bits(raw.w) << 12;
	else if (a.head_source == HEADS_EVERY)
	{
		uint32_t	after = ((uint32_t) w.base + lane * ITEMS + a.lead) %
			a.every;

		bits = 0;
		for (uint32_t i = after == 0 ? 0 : a.every - after; i < ITEMS;
			 i += a.every)
			bits |= 1u << i;
	}
	return bits & ((1u << count) - 1);
}

/* Clear the bits of a warp's share from element n on; all lanes call. */
__device__ static inline void
share_clip_bits(const warp_share &w, const scan_args &a, uint32_t *bits)
{
	int			lane = opaque_lane();
	int64_t		left = a.n - w.base - lane * 32;

	if (w.base + WARP_ITEMS <= a.n)
		return;
	if (lane < WARP_ITEMS / 32 && left < 32)
		bits[lane] &= left <= 0 ? 0 : (1u << left) - 1;
	__syncwarp();
}

/*
 * Move packed values to the places of their elements and fill the gaps with
 * neutral elements; all lanes call.  Rows of 32 elements are read and written
 * side by side, and all are read before any is written.
 */
template <class S>
__device__ static inline void
share_unpack(const S &s, const warp_share &w, const scan_args &a, uint4 *buffer,
			 uint4 *valid)
{
	typedef typename S::T T;
	const int	lane = opaque_lane();
	const uint32_t *bits = (const uint32_t *) valid;
	const T    *packed = (const T *) buffer + w.from % (16 / sizeof(T));
	T			x[ITEMS];

	share_clip_bits(w, a, (uint32_t *) valid);
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
	{
		uint32_t	word = bits[i];

		x[i] = s.absent();
		if (word >> lane & 1)
			x[i] = packed[__popc(word & ((1u << lane) - 1))];
		packed += __popc(word);
	}
	__syncwarp();
#pragma unroll
	for (int i = 0; i < ITEMS; i++)
		*(T *) ((char *) buffer + swizzle_byte<sizeof(T)>
				((i * GS_WARP + lane) * (uint32_t) sizeof(T))) = x[i];
	__syncwarp();
}

/* Load a thread's elements, which have arrived and are unpacked. */
template <class S>
__device__ static inline void
share_load(const S &s, const uint4 *buffer, int count,
		   typename S::item (&x)[ITEMS])
{
	int			lane = opaque_lane();
	typedef typename S::T T;
	const int	EACH = 16 / sizeof(T);

	if (count == ITEMS)
	{
#pragma unroll
		for (int i = 0; i < (int) sizeof(T); i++)
		{
			union
			{
				uint4		raw;
				T			v[EACH];
			}			piece;

			piece.raw = buffer[swizzle_own<sizeof(T)>(lane, i)];
#pragma unroll
			for (int j = 0; j < EACH; j++)
				x[i * EACH + j] = s.of(piece.v[j]);
		}
	}
	else
	{
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			x[i] = s.of(i >= count ? s.absent() :
						*(const T *) ((const char *) buffer +
									  swizzle_byte<sizeof(T)>
									  ((lane * ITEMS + i) *
									   (uint32_t) sizeof(T))));
	}
}

/* Turn inclusive results into exclusive ones: shift by one element. */
template <typename U>
__device__ static inline void
make_exclusive(U (&out)[ITEMS], U first, U nothing, uint32_t heads)
{
#pragma unroll
	for (int i = ITEMS - 1; i >= 0; i--)
		out[i] = heads >> i & 1 ? nothing : i > 0 ? out[i - 1] : first;
}

/*
 * Store a thread's results in shared memory, from where its warp writes them.
 */
template <typename U>
__device__ static inline void
share_store(uint4 *buffer, const U (&out)[ITEMS])
{
	int			lane = opaque_lane();
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
		buffer[swizzle_own<sizeof(U)>(lane, i)] = piece.raw;
	}
}

/* Write a warp's results from shared memory to the output. */
template <typename U>
__device__ static inline void
share_write(const warp_share &w, const scan_args &a, const uint4 *buffer,
			uint32_t leading)
{
	int			lane = opaque_lane();
	const int	EACH = 16 / sizeof(U);
	int			count = (int) min(a.n - w.base, (int64_t) WARP_ITEMS);

	if (leading == 0)
	{
		uint4	   *to = (uint4 *) ((U *) a.out + w.base) + lane;

		if (count == WARP_ITEMS)
		{
#pragma unroll
			for (int i = 0; i < (int) sizeof(U); i++)
				__stcs(to + i * GS_WARP,
					   buffer[swizzle_in_row<sizeof(U)>(lane, i)]);
		}
		else
		{
			/* the output extends to whole 16 bytes */
			for (int i = 0; (i * GS_WARP + lane) * EACH < count; i++)
				__stcs(to + i * GS_WARP,
					   buffer[swizzle_in_row<sizeof(U)>(lane, i)]);
		}
	}
	else
	{
		for (int i = lane; i < count; i += GS_WARP)
			if (w.base + i >= leading)
				((U *) a.out)[w.base + i - leading] =
					((const U *) (buffer + swizzle_piece<sizeof(U)>(i / EACH)))
					[i % EACH];
	}
	if (a.out_validity != NULL)
	{
		int64_t		mine = w.base + lane * ITEMS;

		if (mine < a.n)
			((uint16_t *) a.out_validity)[mine / 16] = (uint16_t)
				(leading <= mine ? 0xffff :
				 leading >= mine + ITEMS ? 0 : 0xffff << (leading - mine));
	}
}

/*
 * Does no value of its segment precede the batch's first element?  For
 * exclusive scans without a.known, where only that element is in question.
 */
__device__ static inline bool
begins_run(const scan_args &a)
{
	return a.first == 0 || (a.known == NULL && !a.state->seen);
}

/* The number of NULL results at the beginning of the batch. */
__device__ static inline uint32_t
leading_nulls(const scan_args &a)
{
	uint32_t	found = a.first_value == NULL ? 0 : *a.first_value;

	if (!a.leads || (a.first != 0 && a.state->seen))
		return 0;
	return a.exclusive ? min(found + 1, (uint32_t) a.n) : found;
}

/* A result out of range: keep the first position. */
__device__ static inline void
record_range(const scan_args &a, int64_t index)
{
	if (a.defers_retry)
		a.done->fallback = 1;
	else
		atomicMax(&a.header->range,
				  ~(unsigned long long) (a.first + index + 1));
}

/* Sums of floats: the batch must be redone. */
__device__ static inline void
mark_failed(const scan_args &a)
{
	if (a.defers_retry)
		a.done->fallback = 1;
	else
		a.header->failed = 1;
}

#endif							/* GS_SCAN_TILE_CUH */
