/*-------------------------------------------------------------------------
 *
 * compact.cuh
 *	  The kernel of compactions: which elements stay, and where they go.
 *
 * One pass.  A block takes a tile of elements at a time.  In a tile, a warp
 * has a segment, and takes it in rows; in a row, each lane has 16 bytes of
 * values, so loads are as wide as can be.  A lane's part of its segment is
 * described by one word, a bit an element: kept or not.  From these words the
 * lanes of a warp find, for all rows at once, how many kept elements come
 * before each (count_rows); a barrier adds the warps before, and a look-back
 * (lookback.cuh) the tiles before.
 *
 * Kept values are first put in order in shared memory, and then written from
 * there, so that neighbouring lanes write neighbouring values, in blocks of
 * memory that start where cache lines do.
 *
 * What decides (Keep) and what is moved (Payload) are parameters:
 *
 *		flag_keep		a byte an element
 *		bit_keep		a bit an element
 *		range_keep		whether the value lies in a range
 *
 *		dense_values	the values, none of which is NULL
 *		sparse_values	the values and a new bitmap of NULLs
 *		positions		the elements' positions in the array
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMPACT_CUH
#define GS_COMPACT_CUH

#include "lookback.cuh"

/* The elements of a row in one lane, and the rows of a segment. */
template <typename T>
struct shape
{
	static const int across = 16 / sizeof(T);
	static const int rows = sizeof(T) == 2 ? 4 : 8;
	static const int items = rows * across; /* of a lane: 16, 32 or 32 */
	static const int segment = items * GS_WARP; /* of a warp */
};

/* The elements of a tile, for blocks of so many threads. */
template <typename T>
__host__ __device__ static inline int
tile_size(int threads)
{
	return threads * shape<T>::items;
}

/*
 * What has been kept: elements, and those of them that are not NULL.  Two
 * counts of 31 bits, which is enough for a chunk, in one word, which adds both
 * at once and leaves two bits for the state of a tile's publication.
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
 * Publications are single words, so no fence is needed.  The clobber keeps the
 * compiler from doing something else first: others wait for this.
 */
static __device__ __forceinline__ void
publish(uint64_t *tiles, int64_t tile, kept_counts kept, gs_tile_state state)
{
	asm volatile("st.relaxed.gpu.global.u64 [%0], %1;"
				 : : "l"(tiles + tile * GS_COMPACT_SPREAD),
				 "l"(kept | (uint64_t) state << STATE_SHIFT) : "memory");
}

static __device__ __forceinline__ uint64_t
publication(const uint64_t *tiles, int tile)
{
	uint64_t	word;

	asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
				 : "=l"(word) : "l"(tiles + tile * GS_COMPACT_SPREAD)
				 : "memory");
	return word;
}

static __device__ __forceinline__ gs_tile_state
published_state(uint64_t word)
{
	return (gs_tile_state) (word >> STATE_SHIFT);
}

/*
 * For each row of a segment: how many of its elements that are set in the
 * lanes' words come before this lane's, and how many in all.  Rows are counted
 * in fields of a word, all at once; a row of 256 elements needs 16 bits.
 */
template <typename T>
struct row_counts
{
	static const int fields = shape<T>::across < 8 ? 4 : 2;
	static const int bits = 32 / fields;
	static const int words = shape<T>::rows / fields;
	uint32_t	before[words];
	uint32_t	total[words];

	__device__ static int
	field(const uint32_t *word, int row)
	{
		return word[row / fields] >> (row % fields * bits) & ((1u << bits) - 1);
	}
};

/* The bits of one row in a lane's word. */
template <typename T>
static __device__ __forceinline__ uint32_t
row_bits(uint32_t set, int row)
{
	const int	across = shape<T>::across;

	return set >> (row * across) & ((1u << across) - 1);
}

template <typename T>
static __device__ __forceinline__ row_counts<T>
count_rows(uint32_t set)
{
	const int	fields = row_counts<T>::fields;
	const int	bits = row_counts<T>::bits;
	row_counts<T> r;

#pragma unroll
	for (int i = 0; i < row_counts<T>::words; i++)
	{
		uint32_t	mine = 0;
		uint32_t	sum;

#pragma unroll
		for (int j = 0; j < fields; j++)
			mine |= __popc(row_bits<T>(set, i * fields + j)) << (j * bits);
		sum = mine;
#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			uint32_t	other = __shfl_up_sync(GS_ALL_LANES, sum, d);

			if (gs_lane() >= d)
				sum += other;
		}
		r.before[i] = sum - mine;
		r.total[i] = __shfl_sync(GS_ALL_LANES, sum, GS_WARP - 1);
	}
	return r;
}

/*
 * Call f(item, rank) for each item of this lane that is set, the rank counted
 * from first at the segment's start.
 */
template <typename T, typename F>
static __device__ __forceinline__ void
each_set(uint32_t set, const row_counts<T> &counts, int first, F f)
{
	const int	across = shape<T>::across;

#pragma unroll
	for (int row = 0; row < shape<T>::rows; row++)
	{
		int			rank = first + counts.field(counts.before, row);

#pragma unroll
		for (int i = 0; i < across; i++)
		{
			int			item = row * across + i;

			if (set >> item & 1)
				f(item, rank);
			rank += set >> item & 1;
		}
		first += counts.field(counts.total, row);
	}
}

template <typename T>
static __device__ __forceinline__ int
segment_total(const row_counts<T> &counts)
{
	int			sum = 0;

#pragma unroll
	for (int row = 0; row < shape<T>::rows; row++)
		sum += counts.field(counts.total, row);
	return sum;
}

/* The index of this lane's first element of a row, given its segment's. */
template <typename T>
static __device__ __forceinline__ int64_t
row_start(int64_t segment, int row)
{
	return segment + (row * GS_WARP + gs_lane()) * shape<T>::across;
}

/* The items of this lane that are elements of an array of n. */
template <typename T>
static __device__ __forceinline__ uint32_t
existing_items(int64_t segment, int64_t n)
{
	const int	across = shape<T>::across;
	uint32_t	set = 0;

	if (segment + shape<T>::segment <= n)
		return shape<T>::items == 32 ? ~0u : (1u << (shape<T>::items % 32)) - 1;
#pragma unroll
	for (int row = 0; row < shape<T>::rows; row++)
	{
		int64_t		left = n - row_start<T>(segment, row);

		if (left > 0)
			set |= (left >= across ? (1u << across) - 1 : (1u << left) - 1)
				<< (row * across);
	}
	return set;
}

/* A lane's items of a bitmap, row by row. */
template <typename T>
struct item_bits
{
	uint32_t	word[shape<T>::rows];

	__device__ __forceinline__ void
	load(const uint32_t *bitmap, int64_t segment, int64_t n)
	{
#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
		{
			int64_t		at = row_start<T>(segment, row);

			word[row] = at < n ? bitmap[at / 32] >> (at % 32) : 0;
		}
	}

	__device__ __forceinline__ uint32_t
	items() const
	{
		const int	across = shape<T>::across;
		uint32_t	set = 0;

#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
			set |= (word[row] & ((1u << across) - 1)) << (row * across);
		return set;
	}
};

/* The lowest bit of each of 16 bytes. */
static __device__ __forceinline__ uint32_t
flags_to_bits(uint4 flags)
{
	const uint32_t word[] = {flags.x, flags.y, flags.z, flags.w};
	uint32_t	bits = 0;

	/* a word's four bits come together at its top */
#pragma unroll
	for (int i = 0; i < 4; i++)
		bits |= ((word[i] & 0x01010101) * 0x01020408) >> 24 << (4 * i);
	return bits;
}

/* Flags are loaded by consecutive items, and their bits then sent to rows. */
template <typename T>
struct flag_keep
{
	const uint8_t *flags;

	struct loaded
	{
		uint4		vector[shape<T>::items / 16];
	};

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
		const int64_t at = segment + gs_lane() * shape<T>::items;

#pragma unroll
		for (int i = 0; i < shape<T>::items / 16; i++)
			to->vector[i] = at + 16 * i < n ?
				__ldcs((const uint4 *) (flags + at) + i) :
				make_uint4(0, 0, 0, 0);
	}

	__device__ __forceinline__ uint32_t
	items(const loaded &from, const uint4 *values) const
	{
		const int	across = shape<T>::across;
		const int	mine = gs_lane() * across;
		uint32_t	bits = 0;
		uint32_t	set = 0;

#pragma unroll
		for (int i = 0; i < shape<T>::items / 16; i++)
			bits |= flags_to_bits(from.vector[i]) << (16 * i);
#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
		{
			const int	there = row * GS_WARP * across + mine;
			uint32_t	word = __shfl_sync(GS_ALL_LANES, bits,
										   there / shape<T>::items);

			set |= (word >> (there % shape<T>::items) & ((1u << across) - 1))
				<< (row * across);
		}
		return set;
	}
};

template <typename T>
struct bit_keep
{
	const uint32_t *bits;

	typedef item_bits<T> loaded;

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
		to->load(bits, segment, n);
	}

	__device__ __forceinline__ uint32_t
	items(const loaded &from, const uint4 *values) const
	{
		return from.items();
	}
};

/* low <= value <= high, or not so; NaN is in no range. */
template <typename T>
struct range_keep
{
	T			low;
	T			high;
	bool		outside;		/* keep those that are not in the range */

	struct loaded
	{
	};

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
	}

	__device__ __forceinline__ uint32_t
	items(const loaded &from, const uint4 *values) const
	{
		uint32_t	set = 0;

#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
		{
			T			v[shape<T>::across];

			memcpy(v, &values[row], sizeof v);
#pragma unroll
			for (int i = 0; i < shape<T>::across; i++)
				set |= (uint32_t) (v[i] >= low && v[i] <= high)
					<< (row * shape<T>::across + i);
		}
		return outside ? ~set : set;
	}
};

/*
 * Payloads.  `present` is which of a lane's items are not NULL; place() puts
 * the kept ones into the tile's stage.
 */
template <typename T>
struct dense_values
{
	typedef T type;
	const T    *values;
	static const bool has_nulls = false;

	struct loaded
	{
		uint4		row[shape<T>::rows];
	};

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
		const uint4 *from = (const uint4 *) (values + segment) + gs_lane();

		if (segment + shape<T>::segment <= n)
		{
#pragma unroll
			for (int row = 0; row < shape<T>::rows; row++)
				to->row[row] = __ldcs(from + row * GS_WARP);
			return;
		}
#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
			to->row[row] = row_start<T>(segment, row) < n ?
				__ldcs(from + row * GS_WARP) : make_uint4(0, 0, 0, 0);
	}

	__device__ __forceinline__ const uint4 *
	vectors(const loaded &from) const
	{
		return from.row;
	}

	__device__ __forceinline__ uint32_t
	present(const loaded &from) const
	{
		return ~0u;
	}

	__device__ __forceinline__ void
	place(const loaded &from, int64_t segment, uint32_t set,
		  const row_counts<T> &counts, int first, T *stage) const
	{
		each_set<T>(set, counts, first, [&](int item, int rank) {
			T			v[shape<T>::across];

			memcpy(v, &from.row[item / shape<T>::across], sizeof v);
			stage[rank] = v[item % shape<T>::across];
		});
	}
};

template <typename T>
struct sparse_values
{
	typedef T type;
	const T    *values;			/* packed */
	const uint32_t *validity;
	const uint32_t *ranks;		/* gs_ranks of it */
	static const bool has_nulls = true;

	typedef item_bits<T> loaded;

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
		to->load(validity, segment, n);
	}

	__device__ __forceinline__ const uint4 *
	vectors(const loaded &from) const
	{
		return NULL;
	}

	__device__ __forceinline__ uint32_t
	present(const loaded &from) const
	{
		return from.items();
	}

	/* set is a subset of those present, whose own ranks lead to the values */
	__device__ __forceinline__ void
	place(const loaded &from, int64_t segment, uint32_t set,
		  const row_counts<T> &counts, int first, T *stage) const
	{
		const uint32_t there = present(from);
		const row_counts<T> places = count_rows<T>(there);
		const T    *packed = values + ranks[segment / GS_RANK_BLOCK];
		int			to[shape<T>::items];

		each_set<T>(set, counts, first, [&](int item, int rank) {
			to[item] = rank;
		});
		each_set<T>(there, places, 0, [&](int item, int rank) {
			if (set >> item & 1)
				stage[to[item]] = packed[rank];
		});
	}
};

struct positions
{
	typedef uint32_t type;
	uint32_t	first;			/* the position of the chunk's first element */
	static const bool has_nulls = false;

	struct loaded
	{
	};

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
	}

	__device__ __forceinline__ const uint4 *
	vectors(const loaded &from) const
	{
		return NULL;
	}

	__device__ __forceinline__ uint32_t
	present(const loaded &from) const
	{
		return ~0u;
	}

	__device__ __forceinline__ void
	place(const loaded &from, int64_t segment, uint32_t set,
		  const row_counts<uint32_t> &counts, int first, uint32_t *stage) const
	{
		const int	across = shape<uint32_t>::across;
		const uint32_t mine = this->first +
			(uint32_t) row_start<uint32_t>(segment, 0);

		each_set<uint32_t>(set, counts, first, [&](int item, int rank) {
			stage[rank] = mine + item / across * across * GS_WARP +
				item % across;
		});
	}
};

static __device__ __forceinline__ uint32_t
warp_sum(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
	return __reduce_add_sync(GS_ALL_LANES, value);
#else
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		value += __shfl_xor_sync(GS_ALL_LANES, value, d);
	return value;
#endif
}

/*
 * The sum over all tiles before this one.  As gs_look_back, for what adds up
 * in any order: lanes put their sums together only in the end.
 */
static __device__ kept_counts
look_back(const uint64_t *tiles, int64_t tile)
{
	kept_counts sum = 0;

	for (int at = (int) tile - 1 - gs_lane();; at -= GS_WARP)
	{
		/* before the first tile lies a prefix of nothing */
		uint64_t	word = (uint64_t) GS_TILE_PREFIX << STATE_SHIFT;
		unsigned	unknown;
		unsigned	ends;

		if (at >= 0)
			word = publication(tiles, at);
		/* until all tiles down to the nearest prefix are known */
		for (;;)
		{
			const gs_tile_state state = published_state(word);

			unknown = __ballot_sync(GS_ALL_LANES, state == GS_TILE_NOTHING);
			ends = __ballot_sync(GS_ALL_LANES, state == GS_TILE_PREFIX);
			if (unknown == 0 || (ends & (unknown - 1) & ~unknown) != 0)
				break;
			if (state == GS_TILE_NOTHING)
				word = publication(tiles, at);
		}
		if (ends == 0 || gs_lane() < __ffs(ends))
			sum += word & ((UINT64_C(1) << STATE_SHIFT) - 1);
		if (ends != 0)
			return kept_of(warp_sum(kept_elements(sum)),
						   warp_sum(kept_present(sum)));
	}
}

/* Where the results go. */
struct compact_output
{
	void	   *values;
	uint32_t   *validity;		/* cleared before; only for sparse_values */
	gs_done    *done;
};

/* What the blocks share; cleared before. */
struct compact_progress
{
	unsigned int *tickets;		/* how many tiles are handed out */
	uint64_t   *tiles;			/* their publications */
};

/* A tile's results, in order, until it is known where they go. */
template <typename Payload>
struct compact_stage
{
	typedef typename Payload::type T;
	T		   *values;			/* the present ones */
	uint8_t    *present;		/* of each element; only if has_nulls */

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

/* Write count values to `to` + at, every warp in blocks that are aligned. */
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

/* Write count bits; words that other tiles have a part in are shared. */
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

/*
 * A block is busy with two tiles at a time, besides loading a third: while one
 * is decided, counted and put in order, the one before is looked back for and
 * written.  So between the moment when a tile's count is published and the
 * moment when others need it lies the work on a tile, and a late one makes
 * nobody wait.  Tickets are taken a tile ahead, and whoever takes one works on
 * it, whatever may come.  A tile waits only for counts of lower tickets, and
 * the least that is not published waits for none.
 */
template <typename Keep, typename Payload>
static __global__ void __launch_bounds__(GS_COMPACT_THREADS, GS_COMPACT_BLOCKS)
compact(Keep keep, Payload payload, int64_t n, compact_output out,
		compact_progress progress)
{
	typedef typename Payload::type T;
	extern __shared__ __align__(16) char stages[];
	__shared__ struct
	{
		kept_counts warp[GS_COMPACT_THREADS / GS_WARP];
		kept_counts before;		/* of the tiles before the one to write */
		int64_t		ticket;
	}			shared;
	const bool	takes_tickets = threadIdx.x == blockDim.x - 1;
	const int	tile_length = tile_size<T>(blockDim.x);
	const int64_t tiles = gs_divide_up(n, tile_length);
	const int	within = gs_warp() * shape<T>::segment;
	typename Keep::loaded decision;
	typename Payload::loaded load;
	int64_t		tile;			/* to decide */
	int64_t		next;			/* to load */
	int64_t		last = -1;		/* to write */
	kept_counts last_total = 0;
	int			side = 0;

	if (takes_tickets)
		shared.ticket = atomicAdd(progress.tickets, 1u);
	__syncthreads();
	tile = shared.ticket;
	__syncthreads();
	if (takes_tickets)
		shared.ticket = tiles > gridDim.x ? atomicAdd(progress.tickets, 1u) :
			tiles;
	__syncthreads();
	next = shared.ticket;
	if (n == 0 && takes_tickets)
		report(out.done, 0);
	if (tile < tiles)
	{
		keep.load(&decision, tile * tile_length + within, n);
		payload.load(&load, tile * tile_length + within, n);
	}
	while (tile < tiles || last >= 0)
	{
		const int64_t segment = tile * tile_length + within;
		uint32_t	kept = 0;
		uint32_t	valued = 0;
		row_counts<T> kept_rows;
		row_counts<T> valued_rows;
		kept_counts before = 0;
		kept_counts total = 0;
		unsigned int ticket;

		if (tile < tiles)
		{
			kept = existing_items<T>(segment, n) &
				keep.items(decision, payload.vectors(load));
			valued = kept & payload.present(load);
			kept_rows = count_rows<T>(kept);
			valued_rows = kept_rows;
			if (Payload::has_nulls)
				valued_rows = count_rows<T>(valued);
			if (gs_lane() == 0)
				shared.warp[gs_warp()] =
					kept_of(segment_total<T>(kept_rows),
							segment_total<T>(valued_rows));
		}
		__syncthreads();		/* and the stage of this side is written */

		if (tile < tiles)
		{
			const compact_stage<Payload> stage(stages, tile_length, side);

			if (takes_tickets)
				ticket = next < tiles ? atomicAdd(progress.tickets, 1u) :
					(unsigned int) tiles;
#pragma unroll
			for (int i = 0; i < GS_COMPACT_THREADS / GS_WARP; i++)
			{
				if (i == gs_warp())
					before = total;
				if (i < blockDim.x / GS_WARP)
					total += shared.warp[i];
			}
			if (threadIdx.x == 0)
				publish(progress.tiles, tile, total,
						tile > 0 ? GS_TILE_AGGREGATE : GS_TILE_PREFIX);
			payload.place(load, segment, valued, valued_rows,
						  (int) kept_present(before), stage.values);
			if (Payload::has_nulls)
				each_set<T>(kept, kept_rows, (int) kept_elements(before),
							[&](int item, int rank) {
					stage.present[rank] = valued >> item & 1;
				});
			if (next < tiles)
			{
				keep.load(&decision, next * tile_length + within, n);
				payload.load(&load, next * tile_length + within, n);
			}
		}
		if (last >= 0 && gs_warp() == 0)
		{
			before = last > 0 ? look_back(progress.tiles, last) : 0;
			if (gs_lane() == 0)
			{
				publish(progress.tiles, last, before + last_total,
						GS_TILE_PREFIX);
				shared.before = before;
				if (last == tiles - 1)
					report(out.done, before + last_total);
			}
		}
		if (tile < tiles && takes_tickets)
			shared.ticket = ticket;
		__syncthreads();

		side = 1 - side;
		if (last >= 0)
		{
			const compact_stage<Payload> stage(stages, tile_length, side);

			before = shared.before;
			write_values((T *) out.values, kept_present(before), stage.values,
						 (int) kept_present(last_total));
			if (Payload::has_nulls)
				write_bits(out.validity, kept_elements(before), stage.present,
						   (int) kept_elements(last_total));
		}
		last = tile < tiles ? tile : -1;
		last_total = total;
		tile = next;
		next = shared.ticket;
	}
}

#endif							/* GS_COMPACT_CUH */
