/*-------------------------------------------------------------------------
 *
 * compact_parts.cuh
 *	  What selects the elements of a compaction, and what is moved.
 *
 *		flag_keep		a byte an element
 *		bit_keep		a bit an element
 *		range_keep		whether the value lies in a range
 *
 *		dense_values	the values, none of which is NULL
 *		sparse_values	the values and a new bitmap of NULLs
 *		positions		the elements' positions in the array
 *
 * A Keep loads what it needs of a segment and later says which items stay.  A
 * Payload loads what it needs, says which items are not NULL, and stores the
 * kept ones in the tile's stage.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_COMPACT_PARTS_CUH
#define GS_COMPACT_PARTS_CUH

#include "kernels/compact/compact_rows.cuh"

/* The lowest bit of each of 16 bytes. */
static __device__ __forceinline__ uint32_t
flags_to_bits(uint4 flags)
{
	const uint32_t word[] = {flags.x, flags.y, flags.z, flags.w};
	uint32_t	bits = 0;

	/* the four bits of a word meet at its top */
#pragma unroll
	for (int i = 0; i < 4; i++)
		bits |= ((word[i] & 0x01010101) * 0x01020408) >> 24 << (4 * i);
	return bits;
}

/*
 * Lanes load the flags of consecutive items; shuffles then bring the bits into
 * rows.
 */
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

/* low <= value <= high, or the opposite; NaN is in no range. */
template <typename T>
struct range_keep
{
	T			low;
	T			high;
	bool		outside;		/* keep values outside the range */

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
	const uint32_t *ranks;		/* gs_bitmap_ranks of it */
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

	/* set is a subset of the present items, whose ranks locate the values */
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
	uint32_t	first;			/* the position of the batch's first element */
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

#endif							/* GS_COMPACT_PARTS_CUH */
