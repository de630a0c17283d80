/*-------------------------------------------------------------------------
 *
 * compact_rows.cuh
 *	  A warp's share of a tile, in rows of 16-byte vectors.
 *
 * A warp has a segment of a tile and processes it in rows; in a row, each lane
 * has 16 bytes of values, the widest possible load.  A lane's elements of the
 * segment are its items, and a word with one bit an item describes a subset of
 * them.  From these words the lanes of a warp compute, for all rows at once,
 * how many elements of the subset precede each element.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMPACT_ROWS_CUH
#define GS_COMPACT_ROWS_CUH

#include "kernels/common.cuh"

/* The elements of a row in one lane, and the rows of a segment. */
template <typename T>
struct shape
{
	static const int across = 16 / sizeof(T);
	static const int rows = sizeof(T) == 2 ? 4 : 8;
	static const int items = rows * across; /* of a lane: 16, 32 or 32 */
	static const int segment = items * GS_WARP; /* of a warp */
};

/* The elements of a tile, for a block of this many threads. */
template <typename T>
__host__ __device__ static inline int
tile_size(int threads)
{
	return threads * shape<T>::items;
}

/*
 * For each row of a segment: how many of its set elements are in earlier
 * lanes, and how many there are in all.  The rows are counted together, in
 * fields of a word; a row of 256 elements needs 16 bits.
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
 * Call f(item, rank) for each set item of this lane; ranks count from `first`
 * at the segment's start.
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

/* This lane's items that exist in an array of n. */
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

#endif							/* GS_COMPACT_ROWS_CUH */
