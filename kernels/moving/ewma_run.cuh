/*-------------------------------------------------------------------------
 *
 * ewma_run.cuh
 *	  A run of elements, whose thread goes through it by the steps of ewma.h.
 *
 * A block loads a group of runs, a run a thread, into shared memory.  Where no
 * element and no product is tiny, quick_run() does the steps, with the same bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_EWMA_RUN_CUH
#define GS_EWMA_RUN_CUH

#include "kernels/moving/ewma.cuh"

#include "exact/line.h"

#include <type_traits>

/* A thread's run, in a group's shared memory. */
typedef struct ewma_run
{
	bool		plain;			/* no element of the group is tiny but 0 */
	int64_t		first;			/* element */
	double	   *x;				/* elements, or bigints; results take their
								 * place */
	const uint32_t *gap;
} ewma_run;

/* The high word of a magnitude. */
__device__ static inline unsigned int
high_word(double x)
{
	return __double2hiint(x) & INT32_MAX;
}

/* Below 2^-800, below 2^-900 (see gs_factor_times). */
#define TINY	((1023u - 800) << 20)
#define SMALL	((1023u - 900) << 20)
#define INFINITE	(2047u << 20)

/* The high word of the greatest magnitude; all of a warp tell. */
__device__ static void
tell_greatest(unsigned int greatest, ewma_found *to)
{
#pragma unroll
	for (int d = GS_WARP / 2; d > 0; d /= 2)
		greatest = max(greatest, __shfl_xor_sync(GS_ALL_LANES, greatest, d));
	if (gs_lane() == 0 && greatest > *(volatile unsigned int *) &to->greatest)
		atomicMax(&to->greatest, greatest);
}

__host__ __device__ static constexpr bool
is_float(float)
{
	return true;
}

__host__ __device__ static constexpr bool
is_float(double)
{
	return true;
}

template <typename T>
__host__ __device__ static constexpr bool
is_float(T)
{
	return false;
}

/* Elements before the first that is not finite. */
__device__ static inline unsigned long long
count_finite(const ewma_found *f)
{
	return min(f->before_nan, min(f->before_infinity,
								  f->before_minus_infinity));
}

__device__ static inline double
scale_of(const ewma_found *f, bool floats)
{
	return floats ? gs_ewma_scale(__hiloint2double((int) f->greatest, 0)) : 1;
}

template <typename T>
__device__ static inline double
to_shared(T x)
{
	return (double) x;
}

__device__ static inline double
to_shared(int64_t x)
{
	return __longlong_as_double(x);
}

template <typename T>
__device__ static inline gs_pair
element_of(double x, double scale, T)
{
	gs_pair		r = {x * scale, 0};

	return r;
}

__device__ static inline gs_pair
element_of(double x, double, int64_t)
{
	return gs_pair_normal(__double_as_longlong(x));
}

/*
 * Tell which of a thread's elements are not finite; returns the high word of the
 * greatest magnitude of those that are.
 */
template <typename T>
__device__ static unsigned int
tell_specials(const T *values, int64_t first, int64_t end, ewma_found *to)
{
	unsigned int greatest = 0;

	for (int64_t i = first; i < end; i += THREADS)
	{
		const double x = (double) values[i];

		if (gs_is_finite(x))
			greatest = max(greatest, high_word(x));
		else
			atomicMin(x != x ? &to->before_nan : x > 0 ? &to->before_infinity :
					  &to->before_minus_infinity, (unsigned long long) i);
	}
	return greatest;
}

/*
 * Load a group, side by side, and return this thread's run.  After the last
 * element there are zeros.  FIRST: what is seen is told.
 */
template <typename T, bool GAPS, bool FIRST>
__device__ static ewma_run
load_run(const ewma_args &a, double *shared)
{
	const int	BATCH = 8;
	const T    *values = (const T *) a.s.found->values;
	const int64_t start = (int64_t) blockIdx.x * GROUP;
	const int64_t first = start + threadIdx.x;
	const int64_t end = min(start + GROUP, a.present);
	double	   *to = shared + gs_warp() * ROW + gs_lane();
	uint32_t   *gaps = (uint32_t *) (shared + THREADS * ROW);
	unsigned int greatest = 0;
	bool		tiny = false;
	ewma_run	r;

#pragma unroll 1
	for (int j = 0; j < GS_EWMA_RUN; j += BATCH)
	{
		T			x[BATCH];

#pragma unroll
		for (int k = 0; k < BATCH; k++)
		{
			const int64_t i = first + (j + k) * THREADS;

			x[k] = end == start + GROUP || i < end ? values[i] : T(0);
		}
#pragma unroll
		for (int k = 0; k < BATCH; k++)
		{
			to[(j + k) * WARPS * ROW] = to_shared(x[k]);
			if (FIRST)
			{
				greatest = max(greatest, high_word((double) x[k]));
				tiny |= x[k] != 0 && high_word((double) x[k]) < TINY;
			}
		}
	}
	for (int j = 0; GAPS && j < GS_EWMA_RUN; j++)
	{
		const int64_t i = first + j * THREADS;

		gaps[(j * WARPS + gs_warp()) * ROW + gs_lane()] =
			i >= end || i == 0 ? 1 : a.s.place[i] - a.s.place[i - 1];
	}
	if (FIRST)
	{
		if (__any_sync(GS_ALL_LANES, greatest >= INFINITE))
			greatest = tell_specials(values, first, end, a.s.found);
		tell_greatest(greatest, a.s.found);
		r.plain = !__syncthreads_or(tiny);
		if (threadIdx.x == 0)
			a.s.plain[blockIdx.x] = r.plain;
	}
	else
	{
		r.plain = !is_float(T()) || a.s.plain[blockIdx.x];
		__syncthreads();
	}
	r.first = start + threadIdx.x * GS_EWMA_RUN;
	r.x = shared + threadIdx.x * ROW;
	r.gap = gaps + threadIdx.x * ROW;
	return r;
}

/* gain x, where the gain is one double. */
template <typename T>
__device__ static inline gs_pair
gain_of(const gs_factor &gain, gs_pair x, T)
{
	gs_pair		r = {gain.hi * x.hi, 0};

	if (high_word(r.hi) < SMALL)
		return gs_factor_times(gain, x);
	r.lo = __fma_rn(gain.hi, x.hi, -r.hi);
	return r;
}

__device__ static inline gs_pair
gain_of(const gs_factor &gain, gs_pair x, int64_t)
{
	return gs_factor_times(gain, x);
}

/* The sum up to an element of a run and, if there are gaps, the block. */
struct ewma_partial
{
	gs_ewma_block block = {{1, 0}, {0, 0}, {0, 0}};

	/* Element i of the run r. */
	template <typename T, bool GAPS>
	__device__ __forceinline__ void
	add(const ewma_args &a, const ewma_run &r, int i, double scale)
	{
		gs_pair		x = element_of(r.x[i], scale, T());

		if (GAPS)
			add_step(a.adjust, r.first + i == 0 ? gs_ewma_first_step() :
					 r.gap[i] > GS_EWMA_GAPS ?
					 gs_ewma_step_of(a.alpha, a.adjust, r.gap[i]) :
					 a.s.step[r.gap[i] - 1], x);
		else
		{
			if (!a.adjust && (i > 0 || r.first > 0))
				x = gain_of(a.even.gain, x, T());
			block.sum = gs_pair_plus(gs_factor_times(a.even.keep, block.sum),
									 x);
		}
	}

	__device__ void
	add_step(bool adjust, const gs_ewma_step &step, gs_pair x)
	{
		const gs_pair one = {1, 0};

		block.sum = gs_pair_plus(gs_factor_times(step.keep, block.sum),
								 gs_factor_times(step.gain, x));
		block.keep = gs_factor_times(step.keep, block.keep);
		block.keep = gs_fast_two_sum(block.keep.hi, block.keep.lo);
		if (adjust)
			block.weight = gs_pair_plus(gs_factor_times(step.keep,
														block.weight), one);
	}
};

/* May quick_run be tried?  The same for all of a block. */
template <typename T, bool GAPS>
__device__ static inline bool
can_be_quick(const ewma_args &a, const ewma_run &r, double scale)
{
	return !GAPS && a.quick && scale == 1 &&
		!std::is_same<T, int64_t>::value && r.plain;
}

/*
 * a x, where *small does not become true.  A product of 0 is not small.
 */
__device__ static inline gs_pair
quick_times(gs_pair a, gs_pair x, bool *small)
{
	gs_pair		r = {a.hi * x.hi, 0};

	if (high_word(r.hi) < SMALL)
		*small |= x.hi != 0;
	r.lo = __fma_rn(a.hi, x.hi, -r.hi) + (a.hi * x.lo + a.lo * x.hi);
	return r;
}

/*
 * The sum of an even run, not adjusted, of a plain group's doubles; MEANS:
 * and the means, given what is before.  False: a product is small, so these
 * steps may give other bits than ewma.h's.
 */
template <bool MEANS>
__device__ static __forceinline__ bool
quick_run(const ewma_args &a, const ewma_run &r, gs_pair before, gs_pair *sum)
{
	const gs_pair keep = {a.even.keep.hi, a.even.keep.lo};
	bool		small = false;
	bool		ignored = false;

	*sum = {0, 0};
	if (MEANS)
		(void) quick_times(a.product[GS_EWMA_RUN - 1], before, &small);
#pragma unroll
	for (int i = 0; i < GS_EWMA_RUN; i++)
	{
		const double gain = i == 0 && r.first == 0 ? 1 : a.even.gain.hi;
		gs_pair		x = {gain * r.x[i], 0};

		x.lo = __fma_rn(gain, r.x[i], -x.hi);
		*sum = gs_pair_plus(quick_times(keep, *sum, &small), x);
		if (MEANS)
			r.x[i] = gs_pair_plus(quick_times(a.product[i], before, &ignored),
								  *sum).hi;
	}
	return !small;
}

#endif							/* GS_EWMA_RUN_CUH */
