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
 * memory that start where cache lines do.  Between the two lies the look-back,
 * and to have it cost nothing, the next tile's values are loaded during it.
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
	static const int segment = items * GS_WARP;
	static const int warps = GS_COMPACT_THREADS / GS_WARP;
	static const int tile = segment * warps;
};

/* What a tile has kept: elements, and those of them that are not NULL. */
struct kept_part
{
	static const int WORDS = 1;
	uint32_t	kept;
	uint32_t	present;

	__device__ static kept_part
	identity()
	{
		kept_part	r = {0, 0};

		return r;
	}

	__device__ static kept_part
	combine(kept_part earlier, kept_part later)
	{
		kept_part	r = {earlier.kept + later.kept,
						 earlier.present + later.present};

		return r;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = (uint64_t) present << 32 | kept;
	}

	__device__ static kept_part
	unpack(const gs_u128 *word)
	{
		kept_part	r = {(uint32_t) word[0], (uint32_t) (word[0] >> 32)};

		return r;
	}
};

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

/* As many flags as a lane has elements in a row. */
template <int bytes> struct flags_of;
template <> struct flags_of<2> { typedef uint16_t type; };
template <> struct flags_of<4> { typedef uint32_t type; };
template <> struct flags_of<8> { typedef uint64_t type; };

static __device__ __forceinline__ uint32_t
flags_to_bits(uint16_t flags)
{
	return (flags & 1) | (flags >> 7 & 2);
}

static __device__ __forceinline__ uint32_t
flags_to_bits(uint32_t flags)
{
	/* the four bits come together at the top */
	return ((flags & 0x01010101) * 0x01020408) >> 24;
}

static __device__ __forceinline__ uint32_t
flags_to_bits(uint64_t flags)
{
	return flags_to_bits((uint32_t) flags) |
		flags_to_bits((uint32_t) (flags >> 32)) << 4;
}

template <typename T>
struct flag_keep
{
	typedef typename flags_of<shape<T>::across>::type flags_type;
	const uint8_t *flags;

	struct loaded
	{
		flags_type	row[shape<T>::rows];
	};

	__device__ __forceinline__ void
	load(loaded *to, int64_t segment, int64_t n) const
	{
#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
		{
			int64_t		at = row_start<T>(segment, row);

			to->row[row] = at < n ?
				__ldcs((const flags_type *) (flags + at)) : 0;
		}
	}

	__device__ __forceinline__ uint32_t
	items(const loaded &from, const uint4 *values) const
	{
		uint32_t	set = 0;

#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
			set |= flags_to_bits(from.row[row]) << (row * shape<T>::across);
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
#pragma unroll
		for (int row = 0; row < shape<T>::rows; row++)
		{
			int64_t		at = row_start<T>(segment, row);

			to->row[row] = at < n ? __ldcs((const uint4 *) (values + at)) :
				make_uint4(0, 0, 0, 0);
		}
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
	gs_u128    *tickets;		/* tiles handed out, in the first word */
	gs_u128    *tiles;			/* their publications */
};

template <typename Payload>
struct compact_shared
{
	typedef typename Payload::type T;
	T			values[shape<T>::tile]; /* the present ones */
	uint8_t		present[Payload::has_nulls ? shape<T>::tile : 1];
	kept_part	warp[shape<T>::warps];
	kept_part	before;			/* of the tiles before this one */
	int64_t		ticket;
};

/* Write count values to `to` + at, every warp in blocks that are aligned. */
template <typename T>
static __device__ __forceinline__ void
write_values(T *to, uint32_t at, const T *stage, int count)
{
	const int	line = 128 / sizeof(T);

	for (int i = (int) threadIdx.x - (int) (at % line); i < count;
		 i += GS_COMPACT_THREADS)
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
		 i += GS_COMPACT_THREADS)
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
report(gs_done *done, kept_part all)
{
	done->n = all.kept;
	done->present = all.present;
	done->overflow = 0;
}

/*
 * A block holds the ticket of the tile in work and that of the next.  So a
 * tile may wait for one that another block has not begun, but that one's
 * block works on an earlier tile: the least tile in work waits for none.
 */
template <typename Keep, typename Payload>
static __global__ void __launch_bounds__(GS_COMPACT_THREADS, GS_COMPACT_BLOCKS)
compact(Keep keep, Payload payload, int64_t n, compact_output out,
		compact_progress progress)
{
	typedef typename Payload::type T;
	__shared__ compact_shared<Payload> shared;
	unsigned int *counter = (unsigned int *) progress.tickets;
	const bool	takes_tickets = threadIdx.x == GS_COMPACT_THREADS - 1;
	const int64_t tiles = gs_divide_up(n, shape<T>::tile);
	const int	within = gs_warp() * shape<T>::segment;
	typename Keep::loaded decision;
	typename Payload::loaded load;
	int64_t		tile;
	int64_t		next;

	if (takes_tickets)
		shared.ticket = atomicAdd(counter, 1u);
	__syncthreads();
	tile = shared.ticket;
	__syncthreads();
	if (takes_tickets)
		shared.ticket = tiles > gridDim.x ? atomicAdd(counter, 1u) : tiles;
	__syncthreads();
	next = shared.ticket;
	if (n == 0 && takes_tickets)
		report(out.done, kept_part::identity());
	if (tile < tiles)
	{
		keep.load(&decision, tile * shape<T>::tile + within, n);
		payload.load(&load, tile * shape<T>::tile + within, n);
	}
	while (tile < tiles)
	{
		const int64_t segment = tile * shape<T>::tile + within;
		const uint32_t kept = existing_items<T>(segment, n) &
			keep.items(decision, payload.vectors(load));
		const row_counts<T> kept_counts = count_rows<T>(kept);
		const uint32_t valued = kept & payload.present(load);
		row_counts<T> valued_counts = kept_counts;
		kept_part	before = kept_part::identity();
		kept_part	total;
		unsigned int ticket;

		if (Payload::has_nulls)
			valued_counts = count_rows<T>(valued);
		if (gs_lane() == 0)
		{
			shared.warp[gs_warp()].kept = segment_total<T>(kept_counts);
			shared.warp[gs_warp()].present = segment_total<T>(valued_counts);
		}
		__syncthreads();		/* and the last tile is written */

		if (takes_tickets)
			ticket = atomicAdd(counter, 1u);
		total = before;
#pragma unroll
		for (int i = 0; i < shape<T>::warps; i++)
		{
			if (i == gs_warp())
				before = total;
			total = kept_part::combine(total, shared.warp[i]);
		}
		if (threadIdx.x == 0 && tile > 0)
			gs_publish(progress.tiles, tile, total, GS_TILE_AGGREGATE);
		payload.place(load, segment, valued, valued_counts,
					  (int) before.present, shared.values);
		if (Payload::has_nulls)
			each_set<T>(kept, kept_counts, (int) before.kept,
						[&](int item, int rank) {
				shared.present[rank] = valued >> item & 1;
			});
		if (next < tiles)
		{
			keep.load(&decision, next * shape<T>::tile + within, n);
			payload.load(&load, next * shape<T>::tile + within, n);
		}
		if (gs_warp() == 0)
		{
			before = kept_part::identity();
			if (tile > 0)
				before = gs_look_back<kept_part>(progress.tiles, tile);
			if (gs_lane() == 0)
			{
				kept_part	all = kept_part::combine(before, total);

				gs_publish(progress.tiles, tile, all, GS_TILE_PREFIX);
				shared.before = before;
				if (tile == tiles - 1)
					report(out.done, all);
			}
		}
		if (takes_tickets)
			shared.ticket = ticket;
		__syncthreads();

		before = shared.before;
		write_values((T *) out.values, before.present, shared.values,
					 (int) total.present);
		if (Payload::has_nulls)
			write_bits(out.validity, before.kept, shared.present,
					   (int) total.kept);
		tile = next;
		next = shared.ticket;
	}
}

#endif							/* GS_COMPACT_CUH */
