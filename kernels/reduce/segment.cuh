/*-------------------------------------------------------------------------
 *
 * segment.cuh
 *	  Segments: what the kernels that reduce them share, and the states that
 *	  they reduce to.
 *
 * A state is what is known of some elements of a segment:
 *
 *		S::T					the elements
 *		S::VALUES				are their values read?
 *		S::identity()
 *		s.add(x)				a value
 *		S::combine(a, b)		in any order
 *		s.n						values
 *		s.put(out, i)			the result of segment i; 0 without values
 *
 * Combining is exact, so no result depends on how elements are shared out.
 * Sums of floats are three doubles (scan_doubles.cuh).  Where these do not
 * hold all bits, put leaves the segment to segment_exact.cu: its count becomes
 * negative.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SEGMENT_CUH
#define GS_SEGMENT_CUH

#include "kernels/scan/scan_doubles.cuh"

#include "exact/mean.h"

struct segment_header
{
	int64_t		results;
	unsigned long long overflow;	/* the first result out of range, counted
									 * from 1; else the greatest number */
	uint32_t	lost;			/* are there sums for segment_exact.cu? */
};

/* Where the results go. */
struct segment_output
{
	segment_header *header;
	void	   *results;
	int64_t    *counts;			/* of values, of each segment; segment.cu makes
								 * validity of them */
};

/* The whole array, in device memory. */
struct segment_args
{
	int64_t		n;
	const void *values;			/* packed */
	const uint8_t *validity;	/* NULL: no NULLs */
	const uint32_t *ranks;		/* of the values; unless that is NULL */
	const uint32_t *heads;		/* a bit for each element; the first is set */
	const uint32_t *head_ranks;
	segment_output out;
	void	   *leads;			/* states of pieces (segment.cu) */
	void	   *trails;
};

extern cudaError_t gs_segment_exact(const gs_op *op, const segment_args &a,
									cudaStream_t stream);

/* Keep that result i is out of range; it is 0. */
__device__ static inline void
segment_overflow(const segment_output &out, int64_t i)
{
	atomicMin(&out.header->overflow, (unsigned long long) i + 1);
}

struct segment_count
{
	typedef uint8_t T;
	static const bool VALUES = false;
	uint32_t	n;

	__device__ static segment_count
	identity()
	{
		segment_count r = {0};

		return r;
	}

	__device__ void
	add(T)
	{
		n++;
	}

	__device__ static segment_count
	combine(segment_count a, segment_count b)
	{
		segment_count r = {a.n + b.n};

		return r;
	}

	__device__ void
	put(const segment_output &, int64_t) const
	{
	}
};

/* Sums of integers in A, int64_t or __int128. */
template <typename E, typename A, bool MEAN>
struct segment_integers
{
	typedef E	T;
	static const bool VALUES = true;
	A			sum;
	uint32_t	n;

	__device__ static segment_integers
	identity()
	{
		segment_integers r = {0, 0};

		return r;
	}

	__device__ void
	add(T x)
	{
		sum += x;
		n++;
	}

	__device__ static segment_integers
	combine(segment_integers a, segment_integers b)
	{
		segment_integers r = {a.sum + b.sum, a.n + b.n};

		return r;
	}

	__device__ void
	put(const segment_output &out, int64_t i) const
	{
		if (MEAN)
		{
			uint64_t   *to = (uint64_t *) out.results + 2 * i;

			to[0] = (uint64_t) sum;
			to[1] = (uint64_t) ((__int128) sum >> 64);
		}
		else if (sum == (int64_t) sum)
			((int64_t *) out.results)[i] = (int64_t) sum;
		else
		{
			((int64_t *) out.results)[i] = 0;
			segment_overflow(out, i);
		}
	}
};

/* Sums of floats, hi - lo - tail; NaN in hi: they are lost. */
template <typename F, bool MEAN>
struct segment_floats
{
	typedef F	T;
	static const bool VALUES = true;
	triple_part sum;			/* of the finite ones */
	uint32_t	seen;			/* GS_SEEN_... of the others */
	uint32_t	n;

	__device__ static segment_floats
	identity()
	{
		segment_floats r = {triple_part::identity(), 0, 0};

		return r;
	}

	__device__ void
	add(T value)
	{
		double		x = (double) value;
		gs_pair		s;
		gs_pair		e;

		n++;
		if (!gs_is_finite(x))
		{
			seen |= gs_seen(x);
			return;
		}
		s = gs_two_sum(sum.hi, x);
		e = gs_two_sum(sum.lo, -s.lo);
		sum.hi = s.hi;
		sum.lo = e.hi;
		if (set_bits(e.lo))
		{
			gs_pair		t = gs_two_sum(sum.tail, e.lo);

			sum.tail = t.hi;
			if (set_bits(t.lo))
				sum.hi = poison();
		}
	}

	__device__ static segment_floats
	combine(segment_floats a, segment_floats b)
	{
		segment_floats r = {triple_part::combine(a.sum, b.sum),
			a.seen | b.seen, a.n + b.n};

		return r;
	}

	__device__ void
	put(const segment_output &out, int64_t i) const
	{
		const uint32_t both = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;
		double		mean = 0;
		F			rounded = 0;
		bool		fits = true;

		if (seen != 0)
		{
			mean = (seen & GS_SEEN_NAN) || (seen & both) == both ?
				gs_canonical_nan() :
				seen & GS_SEEN_POSITIVE_INF ? HUGE_VAL : -HUGE_VAL;
			/* converting makes other NaN */
			rounded = gs_key<F>::value(gs_key<F>::of((F) mean));
		}
		else if (n == 0)
			;
		else if (MEAN)
			fits = gs_mean_of_three(sum.hi, -sum.lo, -sum.tail, (double) n,
									&mean);
		else
		{
			rounded = round_triple<F>(sum);
			fits = gs_is_finite((double) rounded);
		}
		if (!fits)
		{
			out.counts[i] = -(int64_t) n;
			out.header->lost = 1;
		}
		else if (MEAN)
			((double *) out.results)[i] = mean;
		else
			((F *) out.results)[i] = rounded;
	}
};

/* The least or greatest, by keys (common.cuh). */
template <typename E, bool MAX>
struct segment_extreme
{
	typedef E	T;
	typedef typename gs_key<E>::type key_type;
	static const bool VALUES = true;
	key_type	key;
	uint32_t	n;

	__device__ static segment_extreme
	identity()
	{
		const key_type most = sizeof(key_type) == 8 ? (key_type) INT64_MAX :
			(key_type) INT32_MAX;
		segment_extreme r = {MAX ? (key_type) (-most - 1) : most, 0};

		return r;
	}

	__device__ void
	add(T x)
	{
		const key_type other = gs_key<E>::of(x);

		key = MAX ? max(key, other) : min(key, other);
		n++;
	}

	__device__ static segment_extreme
	combine(segment_extreme a, segment_extreme b)
	{
		segment_extreme r = {MAX ? max(a.key, b.key) : min(a.key, b.key),
			a.n + b.n};

		return r;
	}

	__device__ void
	put(const segment_output &out, int64_t i) const
	{
		((E *) out.results)[i] = n == 0 ? (E) 0 : gs_key<E>::value(key);
	}
};

#endif							/* GS_SEGMENT_CUH */
