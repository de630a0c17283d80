/*-------------------------------------------------------------------------
 *
 * product.cuh
 *	  The tree of product.h, as a warp and a block evaluate it.
 *
 * A tile has GS_BATCH_ALIGN = 2^10 elements, and so is a block B(10, j) of the
 * tree; a thread has four consecutive elements of it, B(2, j).  In the
 * upsweep the lanes of a warp multiply in pairs and keep their value at each
 * level.  In the downsweep each lane gets the product of everything before
 * it, from the left and the largest block first: at each level, a lane in the
 * right half multiplies by the block of the left half.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PRODUCT_CUH
#define GS_PRODUCT_CUH

#include "kernels/lookback.cuh"

#define TILE_LEVEL		10
#define TILE			(1 << TILE_LEVEL)
#define EACH			4		/* elements a thread */
#define THREADS			(TILE / EACH)
#define WARPS			(THREADS / GS_WARP)
#define LANE_LEVELS		5
#define WARP_LEVELS		3
#define LEVELS			48		/* of the tree over tiles; more than any array
								 * has */

static_assert(TILE == GS_BATCH_ALIGN, "a chunk starts with a tile");
static_assert(TILE == 2 * GS_RANK_BLOCK, "a tile has two ranks");

/* A block of the tree, and whether its segment has had a value. */
typedef struct factor
{
	double		hi;
	double		lo;
	int64_t		exponent;
	int32_t		starts;
	int32_t		any;
} factor;

__host__ __device__ static inline factor
factor_of(gs_product p, bool any)
{
	factor		f = {p.hi, p.lo, p.exponent, p.starts, any};

	return f;
}

__host__ __device__ static inline gs_product
product_of(factor f)
{
	gs_product	p;

	p.hi = f.hi;
	p.lo = f.lo;
	p.exponent = f.exponent;
	p.starts = f.starts;
	return p;
}

__device__ static inline factor
nothing()
{
	return factor_of(gs_product_one(), false);
}

__device__ static inline factor
multiply(factor a, factor b)
{
	return factor_of(gs_product_multiply(product_of(a), product_of(b)),
					 b.starts ? b.any : a.any | b.any);
}

/*
 * The upsweep over 2^STEPS lanes; kept[] gets each lane's value at each
 * level.  Lane 0's result is the product of all.
 */
template <int STEPS>
__device__ static factor
upsweep(factor f, factor *kept)
{
#pragma unroll
	for (int s = 0; s < STEPS; s++)
	{
		factor		right = gs_shuffle_down(f, 1 << s);

		kept[s] = f;
		f = multiply(f, right);
	}
	return f;
}

/*
 * The downsweep: the product of everything before this lane, including
 * `before`.
 */
template <int STEPS>
__device__ static factor
downsweep(const factor *kept, factor before)
{
#pragma unroll
	for (int s = STEPS - 1; s >= 0; s--)
	{
		factor		left = gs_shuffle(kept[s], gs_lane() & ~((2 << s) - 1));

		if (gs_lane() >> s & 1)
			before = multiply(before, left);
	}
	return before;
}

__device__ static inline factor
multiply_own(const factor *e)
{
	return multiply(multiply(e[0], e[1]), multiply(e[2], e[3]));
}

/* Shared memory of a block. */
typedef struct tile_buffer
{
	factor		of_warp[WARPS];
	factor		before_warp[WARPS];
} tile_buffer;

/* The product of a tile, in thread 0. */
__device__ static factor
tile_product(const factor *e, tile_buffer *buffer)
{
	factor		kept[LANE_LEVELS];
	factor		f = upsweep<LANE_LEVELS>(multiply_own(e), kept);

	if (gs_lane() == 0)
		buffer->of_warp[gs_warp()] = f;
	__syncthreads();
	if (gs_warp() == 0)
		f = upsweep<WARP_LEVELS>(buffer->of_warp[gs_lane() % WARPS], kept);
	return f;
}

/*
 * The product of everything before this thread's elements; `before` is the
 * product of everything before the tile.
 */
__device__ static factor
tile_prefix(const factor *e, factor before, tile_buffer *buffer)
{
	factor		kept[LANE_LEVELS];
	factor		f = upsweep<LANE_LEVELS>(multiply_own(e), kept);

	if (gs_lane() == 0)
		buffer->of_warp[gs_warp()] = f;
	__syncthreads();
	if (gs_warp() == 0)
	{
		factor		kept_warps[WARP_LEVELS];

		(void) upsweep<WARP_LEVELS>(buffer->of_warp[gs_lane() % WARPS],
									 kept_warps);
		f = downsweep<WARP_LEVELS>(kept_warps, before);
		if (gs_lane() < WARPS)
			buffer->before_warp[gs_lane()] = f;
	}
	__syncthreads();
	return downsweep<LANE_LEVELS>(kept, buffer->before_warp[gs_warp()]);
}

/*
 * The blocks of all tiles so far, by level.  A level is valid if the number of
 * tiles has that bit set.
 */
typedef struct product_state
{
	factor		result;			/* of a reduction; first because it is the
								 * report */
	factor		block[LEVELS];
} product_state;

/* The product of the first n tiles. */
__device__ static factor
fold_blocks(const factor *block, int64_t n)
{
	factor		f = nothing();

	for (int k = 63 - __clzll(n | 1); k >= 0; k--)
	{
		if (n >> k & 1)
			f = multiply(f, block[k]);
	}
	return f;
}

/* ----------
 * Elements
 * ----------
 */

/* Packed elements of a batch, and their ranks. */
template <typename T>
struct packed
{
	const T    *values;
	const uint8_t *validity;	/* NULL: all present */
	const uint32_t *ranks;		/* if validity is not NULL */
};

/* A tile's bitmap, and the number of values before each of its words. */
typedef struct tile_bits
{
	uint32_t	bits[TILE / 32];
	uint32_t	rank[TILE / 32];
} tile_bits;

/* Called by a whole warp; one word a lane. */
__device__ static void
load_bits(const uint8_t *validity, const uint32_t *ranks, int64_t n,
		  int64_t tile, tile_bits *to)
{
	const int	half = GS_RANK_BLOCK / 32;
	int			lane = gs_lane();
	int64_t		first = tile * TILE + lane * 32;
	uint32_t	bits = 0;
	uint32_t	rank;

	if (first < n)
	{
		bits = ((const uint32_t *) validity)[first / 32];
		if (n - first < 32)
			bits &= (1u << (n - first)) - 1;
	}
	rank = __popc(bits);
#pragma unroll
	for (int d = 1; d < half; d *= 2)
	{
		uint32_t	earlier = __shfl_up_sync(GS_ALL_LANES, rank, d, half);

		if (lane % half >= d)
			rank += earlier;
	}
	rank -= __popc(bits);
	if (first < n)
		rank += ranks[first / GS_RANK_BLOCK];
	to->bits[lane] = bits;
	to->rank[lane] = rank;
}

/*
 * Load this thread's elements; returns a bit for each that has a value.  The
 * tile's bits come from load_bits if the array has NULLs.
 */
template <typename T>
__device__ static uint32_t
load_own(const packed<T> &from, int64_t n, int64_t tile,
		 const tile_bits *bits, T *x)
{
	struct alignas(EACH * sizeof(T) < 16 ? EACH * sizeof(T) : 16) vector
	{
		T			x[EACH];
	};
	int			at = threadIdx.x * EACH;
	int64_t		first = tile * TILE + at;
	uint32_t	valid = 0;

	if (from.validity != NULL)
	{
		uint32_t	word = bits->bits[at / 32];
		uint32_t	rank = bits->rank[at / 32] +
			__popc(word & ((1u << at % 32) - 1));

		valid = word >> at % 32 & ((1 << EACH) - 1);
#pragma unroll
		for (int i = 0; i < EACH; i++)
		{
			if (valid >> i & 1)
				x[i] = from.values[rank++];
		}
	}
	else if (first + EACH <= n)
	{
		vector		v = *(const vector *) (from.values + first);

#pragma unroll
		for (int i = 0; i < EACH; i++)
			x[i] = v.x[i];
		valid = (1 << EACH) - 1;
	}
	else
	{
#pragma unroll
		for (int i = 0; i < EACH; i++)
		{
			if (first + i < n)
			{
				x[i] = from.values[first + i];
				valid |= 1u << i;
			}
		}
	}
	return valid;
}

template <typename T>
__device__ static inline gs_product
factor_from(T x)
{
	return gs_product_from_int64(x);
}

template <>
__device__ inline gs_product
factor_from<float>(float x)
{
	return gs_product_from_double(x);
}

template <>
__device__ inline gs_product
factor_from<double>(double x)
{
	return gs_product_from_double(x);
}

#endif							/* GS_PRODUCT_CUH */
