/*-------------------------------------------------------------------------
 *
 * stats.cuh
 *	  Moments, extremes and counts of special elements, in one pass.
 *
 * The moments are those of reduce_float.cuh and reduce_integer.cuh.  The
 * extremes cover elements that ordinary comparisons order; NaN and -0 are only
 * counted, and stats_extremes puts them where they belong.  Special elements
 * are detected by their bits.  Only vectors that contain some are processed a
 * second time, so ordinary data hardly pay for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_STATS_CUH
#define GS_STATS_CUH

#include "kernels/reduce/reduce_extreme.cuh"
#include "kernels/reduce/reduce_float.cuh"
#include "kernels/reduce/reduce_integer.cuh"

/* Bounds of all elements. */
template <typename T> struct bounds_of;
template <> struct bounds_of<int16_t>
{
	GS_INLINE int16_t least(void) { return INT16_MIN; }
	GS_INLINE int16_t greatest(void) { return INT16_MAX; }
};
template <> struct bounds_of<int32_t>
{
	GS_INLINE int32_t least(void) { return INT32_MIN; }
	GS_INLINE int32_t greatest(void) { return INT32_MAX; }
};
template <> struct bounds_of<int64_t>
{
	GS_INLINE int64_t least(void) { return INT64_MIN; }
	GS_INLINE int64_t greatest(void) { return INT64_MAX; }
};
template <> struct bounds_of<float>
{
	GS_INLINE float least(void) { return -HUGE_VALF; }
	GS_INLINE float greatest(void) { return HUGE_VALF; }
};
template <> struct bounds_of<double>
{
	GS_INLINE double least(void) { return -HUGE_VAL; }
	GS_INLINE double greatest(void) { return HUGE_VAL; }
};

/* gs_is_special, for a double's upper half or a float's bits. */
__device__ static inline bool
special_bits(uint32_t bits, uint32_t inf)
{
	return bits - inf <= UINT32_C(0x80000000) - inf ||
		bits >= (UINT32_C(0x80000000) | inf);
}

/* Can x be special?  True for doubles next to -0 too, which does no harm. */
template <typename T>
__device__ static inline bool
may_be_special(T)
{
	return false;
}

__device__ static inline bool
may_be_special(float x)
{
	return special_bits(__float_as_uint(x), 0x7f800000);
}

__device__ static inline bool
may_be_special(double x)
{
	return special_bits((uint32_t) __double2hiint(x), 0x7ff00000);
}

/*
 * The range of elements that ordinary comparisons order: least > greatest if
 * there are none.
 */
template <typename T>
struct ordered_range
{
	T			least;
	T			greatest;

	__host__ __device__
	ordered_range(void)
	{
		least = bounds_of<T>::greatest();
		greatest = bounds_of<T>::least();
	}

	__device__ void
	add(T x)
	{
		least = x < least ? x : least;
		greatest = x > greatest ? x : greatest;
	}

	__device__ void
	merge(ordered_range<T> other)
	{
		least = min(least, other.least);
		greatest = max(greatest, other.greatest);
	}
};

/* The moments M and the rest. */
template <class M>
struct stats : M
{
	typedef typename M::element T;
	ordered_range<T> range;

	struct total
	{
		typename M::total moments;
		ordered_range<T> range;

		__device__ void
		merge(const total &other, block_acc *acc)
		{
			moments.merge(other.moments, acc);
			range.merge(other.range);
		}

		__device__ void
		add_to_state(reduce_state *state, const reduce_place &place)
		{
			uint64_t	least = unsigned_key(~gs_key<T>::of(range.least));
			uint64_t	greatest = unsigned_key(gs_key<T>::of(range.greatest));

			moments.add_to_state(state, place);
			atomic_max_key(&state->best, least);
			atomic_max_key(&state->greatest, greatest);
		}
	};

	__host__ __device__
	stats(const gs_op *op) : M(op)
	{
	}

	/* An element of a vector that contains special ones. */
	__device__ void
	add_any(T x, block_acc *acc)
	{
		if (gs_is_special(x))
		{
			acc->touched = 1;
			atomicAdd(&acc->special[gs_special_of(x)], 1);
		}
		if (x == x && !(x == 0 && gs_is_special(x)))
			range.add(x);
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t index, block_acc *acc)
	{
		ordered_range<T> r = range;
		bool		any = false;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			any |= may_be_special(x[i]);
			r.add(x[i]);
		}
		if (!any)
			range = r;
		else
		{
#pragma unroll
			for (int i = 0; i < N; i++)
				add_any(x[i], acc);
		}
		M::add(x, index, acc);
	}

	__device__ total
	close(block_acc *acc)
	{
		total		t = {M::close(acc), range};

		return t;
	}
};

/* On the host: account for NaN and -0. */
template <typename T>
static void
stats_extremes(const reduce_state *state, T *least, T *greatest)
{
	typedef typename gs_key<T>::type key;
	uint32_t	zeros = state->special[GS_SPECIAL_NEGATIVE_ZERO];
	bool		others;

	*least = gs_key<T>::value((key) ~(state->best ^ INT64_MIN));
	*greatest = gs_key<T>::value((key) (state->greatest ^ INT64_MIN));
	others = *least <= *greatest;
	if (zeros > 0 && (!others || *least >= 0))
		*least = (T) -0.0;
	if (zeros > 0 && (!others || *greatest < 0))
		*greatest = (T) -0.0;
	if (state->special[GS_SPECIAL_NAN] > 0)
	{
		if (!others && zeros == 0)
			*least = (T) gs_canonical_nan();
		*greatest = (T) gs_canonical_nan();
	}
}

#endif							/* GS_STATS_CUH */
