/*-------------------------------------------------------------------------
 *
 * moving_float.cuh
 *	  Moving frames: sums, means and standard deviations of floats.
 *
 * Prefix sums are integers of 128 bits (src/engine/moving.h), those of squares
 * of 256 bits (src/engine/moving_moments.h), in units that the batches have
 * found.  What elements that are NaN, infinite or -0 make of
 * them follows in moving_special.cuh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MOVING_FLOAT_CUH
#define GS_MOVING_FLOAT_CUH

#include "kernels/moving/moving.cuh"

/* Are all sums integers of 128 bits?  *base is the position of their unit. */
__host__ __device__ static inline bool
sums_are_wide(const moving_report *report, const frame &f, int *base)
{
	gs_extent	extent = {report->end == 0 ? INT32_MAX : (int) report->lowest,
	(int) report->end};

	return gs_wide_fits(extent, f.block_length(), base);
}

/* x in these units; of an x that is not finite anything, but always the same */
__host__ __device__ static inline gs_wide
wide_of(const moving_report *report, double x)
{
	return gs_wide_of(x, report->end == 0 ? GS_WIDE_LOWEST :
					  (int) report->lowest);
}

template <typename T, bool MEAN> struct moving_float
{
	typedef T type;
	typedef T element;
	typedef wide_sum part;
	typedef typename std::conditional<MEAN, double, T>::type result;
	static const bool extremes = false;
	static const bool floats = true;
	static const bool totals = false;
	static const bool squares = false;
	const moving_report *report;

	moving_float(const gs_op *, const moving_report *the_report) :
		report(the_report)
	{
	}

	__device__ T of(T x) const { return x; }

	/* changes no sum */
	__device__ T neutral(void) const { return (T) -0.0; }

	__host__ __device__ wide_sum
	operator()(T x) const
	{
		wide_sum	r = {wide_of(report, x)};

		return r;
	}

	__device__ bool
	finish(const frame &f, const wide_sum *ahead, const wide_sum *,
		   int64_t first, int64_t last, int64_t count, result *to) const
	{
		gs_wide		sum = difference(ahead, first, last);
		int			base;

		if (!sums_are_wide(report, f, &base))
			return true;		/* moving_complete follows */
		if constexpr (MEAN)
			*to = gs_wide_mean(sum, base, (uint32_t) count);
		else if constexpr (sizeof(T) == sizeof(float))
			*to = gs_wide_round_float(sum, base);
		else
			*to = gs_wide_round(sum, base);
		return gs_is_finite(*to);
	}
};

template <typename T> struct moving_stddev
{
	typedef T type;
	typedef T element;
	typedef wide_moments part;
	typedef double result;
	static const bool extremes = false;
	static const bool floats = true;
	static const bool totals = false;
	static const bool squares = true;
	const moving_report *report;

	moving_stddev(const gs_op *, const moving_report *the_report) :
		report(the_report)
	{
	}

	__device__ T of(T x) const { return x; }

	/* changes no sum */
	__device__ T neutral(void) const { return (T) -0.0; }

	__host__ __device__ wide_moments
	operator()(T x) const
	{
		wide_moments r = {wide_of(report, x), {{0}}};

		gs_quad_add_product(&r.squares, r.sum, r.sum, false);
		return r;
	}

	__device__ bool
	finish(const frame &f, const wide_moments *ahead, const wide_moments *,
		   int64_t first, int64_t last, int64_t count, double *to) const
	{
		wide_moments sums;
		int			base;

		if (count < 2 || !sums_are_wide(report, f, &base))
			return true;		/* moving_complete follows */
		sums = difference(ahead, first, last);
		*to = gs_wide_stddev(sums.sum, sums.squares, base, count);
		return gs_is_finite(*to);
	}
};

/* What a thread has seen of its elements. */
struct float_seen
{
	gs_extent	extent = GS_NO_EXTENT;
	bool		special = false;

	__device__ void
	add(double x)
	{
		if (gs_is_special(x))
			special = true;
		else
			gs_extent_add(&extent, x);
	}

	/* All threads of a warp. */
	__device__ void
	tell(moving_report *report) const
	{
		unsigned int lowest = (unsigned int) extent.lowest;
		unsigned int end = (unsigned int) extent.end;
		bool		any = __any_sync(GS_ALL_LANES, special);

#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			lowest = min(lowest, __shfl_xor_sync(GS_ALL_LANES, lowest, d));
			end = max(end, __shfl_xor_sync(GS_ALL_LANES, end, d));
		}
		if (gs_lane() != 0)
			return;
		if (end > 0)
		{
			atomicMin(&report->lowest, lowest);
			atomicMax(&report->end, end);
		}
		if (any)
			atomicOr(&report->special, 1u);
	}
};

#endif							/* GS_MOVING_FLOAT_CUH */
