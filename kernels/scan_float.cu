/*-------------------------------------------------------------------------
 *
 * scan_float.cu
 *	  Prefix sums of floats, as two or three doubles.
 *
 * Three ways, the second and third for warps that the one before fails for.
 *
 * By a grid.  Elements of which none is greater than 2^E are cut in two: adding
 * a large enough power of two and taking it away again rounds them to a grid,
 * and what is left is exact.  Sums of either part then need no care, as long as
 * all lie on a common grid and within 53 bits of it: plain additions are exact.
 * In the first pass the grid is the warp's.  In the second it is set by what
 * comes before too, so that the sum of the upper parts, which includes that, is
 * one double, and the sum of the lower ones another; their sum is the correctly
 * rounded prefix.  An element with bits below the lower grid makes the way
 * impassable; a total that comes from before may have some, of which no more
 * need be known than whether there are any (sticky).
 *
 * By chains.  A total is hi - lo, exactly: an element is added to hi, and the
 * error of that addition to lo; hi - lo, one operation, is then the correctly
 * rounded prefix, provided that the addition to lo has no error.
 *
 * By longer chains.  That error is added to a third double, tail, and the sum
 * of all three rounded to nearest by way of rounding to odd (Boldo and
 * Melquiond, Emulation of FMA and correctly rounded sums, 2008).
 *
 * Totals of threads and warps are two doubles, those of tiles, and what comes
 * before a tile, three.  Where that is not enough, or something is not finite,
 * a total becomes NaN, which taints all that rests on it; a thread that starts
 * from NaN, or comes upon it, marks the chunk as failed, and scan_exact.cu does
 * it again.  So what is written for a chunk that has not failed is right.
 *
 * lo has the sign that it has so that a sum of nothing but -0 is hi - lo =
 * -0 - +0 = -0.  All errors that are zero are +0 then.
 *
 *-------------------------------------------------------------------------
 */
#include "scan.cuh"
#include "scan_doubles.cuh"

/* The power of two with this biased exponent, and half of it more. */
__device__ static inline double
anchor(int exponent)
{
	return __hiloint2double(exponent << 20 | 0x80000, 0);
}

/*
 * The size of x: bits of its exponent and mantissa, the exponent on top, in the
 * order of magnitudes; less one, so that zero is -1.
 */
__device__ static inline int
size_of(double x)
{
	return (int) (((uint32_t) __double2hiint(x) & 0x7fffffff) |
				  min((uint32_t) __double2loint(x), 1u)) - 1;
}

__device__ static inline int
size_of(float x)
{
	return (__float_as_int(x) & 0x7fffffff) - 1;
}

/* The exponent of a size, biased as a double's; of zero, large. */
__device__ static inline int
exponent_of(double, uint32_t size)
{
	return (int) (size >> 20);
}

__device__ static inline int
exponent_of(float, uint32_t size)
{
	return (int) (size >> 23) + (1023 - 127);
}

/* What the first pass defers_retry the second of a thread's elements. */
struct float_note
{
	int			top;			/* no element of the warp exceeds 2^top,
								 * biased; 0: no grid */
	int			least;			/* biased exponent of the least but zeros */
};

/* Is a float or double infinite or NaN? */
__device__ static inline bool
is_out_of_range(double x)
{
	return (__double2hiint(x) & 0x7ff00000) == 0x7ff00000;
}

__device__ static inline bool
is_out_of_range(float x)
{
	return (__float_as_int(x) & 0x7f800000) == 0x7f800000;
}

/* The greater of two is the one farther from zero, or not finite. */
__device__ static inline int
magnitude(double x)
{
	return __double2hiint(x) & 0x7fffffff;
}

__device__ static inline int
magnitude(float x)
{
	return __float_as_int(x) & 0x7fffffff;
}

/* Would rounding to double, and then to F, be rounding twice? */
__device__ static inline bool
rounds_twice(double, double, double)
{
	return false;
}

__device__ static inline bool
rounds_twice(float, double x, double lo)
{
	return (__double2loint(x) & 0x1fffffff) == 0x10000000 && lo != 0;
}

template <typename F>
struct scan_float
{
	typedef F	T;
	typedef F	item;
	typedef F	out;
	typedef pair_part part;
	typedef triple_part carry_type;
	typedef float_note note;
	static const bool VALUES = true;
	static const int ELEMENTS = sizeof(F) == 8 ? GS_FLOAT8_ELEMENTS :
		GS_FLOAT4_ELEMENTS;

	/* Bits of an element below its leading one. */
	static const int DIGITS = sizeof(F) == 8 ? 52 : 23;

	/* Beyond it an element may be infinite. */
	static const int MAX_TOP = sizeof(F) == 8 ? 2000 : 1023 + 128;

	__device__ static part nothing() { return part::identity(); }
	__device__ static F absent() { return (F) -0.0; }
	__device__ item of(F x) const { return x; }

	__device__ static carry_type
	carry_of(part p)
	{
		carry_type			r = {p.hi, p.lo, 0};

		return r;
	}

	__device__ static bool
	is_wanted(const scan_args &a)
	{
		return a.first == 0 || !a.state->wide;
	}

	/* ----------
	 * First pass
	 * ----------
	 */

	/* Add x, from a head on if that is one; what lo loses goes to lost. */
	template <bool HEADS>
	__device__ static void
	step(part &p, F x, bool head, uint32_t &lost)
	{
		gs_pair		s;
		gs_pair		e;

		if (HEADS && head)
			p = nothing();
		s = gs_two_sum(p.hi, (double) x);
		e = gs_two_sum(p.lo, -s.lo);
		p.hi = s.hi;
		p.lo = e.hi;
		lost |= set_bits(e.lo);
	}

	template <bool HEADS>
	__device__ static part
	chain_totals(const item (&x)[ITEMS], uint32_t heads, uint32_t with_head)
	{
		part		p = nothing();
		uint32_t	lost = 0;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			step<HEADS>(p, x[i], heads >> i & 1, lost);
		if (lost != 0)
			p.hi = tainted();
		return warp_scan<part, HEADS>(p, with_head, GS_WARP);
	}

	__device__ part
	totals_fallback(const uint4 *buffer, int count) const
	{
		item		x[ITEMS];

		share_take(*this, buffer, count, x);
		return chain_totals<false>(x, 0, 0);
	}

	/*
	 * Sums of upper and lower parts up to this thread's.  A total of zero is
	 * -0 if there is nothing but -0.
	 */
	__device__ static part
	grid_totals(const item (&x)[ITEMS], int top)
	{
		double		upper = 0;
		double		lower = 0;
		double		a = anchor(top + 9);
		int			lane = lane_here();
		gs_pair		s;
		part		p;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			double		d = x[i];

			if constexpr (sizeof(F) == 8)
			{
				double		h = (d + a) - a;

				lower += d - h;
				d = h;
			}
			upper += d;
		}
#pragma unroll
		for (int d = 1; d < GS_WARP; d *= 2)
		{
			double		u = __shfl_up_sync(GS_ALL_LANES, upper, d);
			double		l = sizeof(F) == 8 ?
				__shfl_up_sync(GS_ALL_LANES, lower, d) : 0;

			if (lane >= d)
			{
				upper += u;
				lower += l;
			}
		}
		s = gs_two_sum(upper, lower);
		p.hi = s.hi;
		p.lo = 0 - s.lo;
		if (__any_sync(GS_ALL_LANES, p.hi == 0))
		{
			bool		other = false;
			uint32_t	others;

#pragma unroll
			for (int i = 0; i < ITEMS; i++)
				other |= gs_seen((double) x[i]) != 0;
			others = __ballot_sync(GS_ALL_LANES, other);
			if ((others & (earlier_lanes() << 1 | 1)) == 0)
				p.hi = -0.0;
		}
		return p;
	}

	template <bool HEADS>
	__device__ part
	totals(const scan_args &, const warp_share &w, const uint4 *buffer,
		   int count, uint32_t with_head, const item (&x)[ITEMS],
		   note *n) const
	{
		n->top = 0;
		n->least = 0;
		if constexpr (HEADS)
			return chain_totals<true>(x, w.heads, with_head);
		return totals_by_grid(buffer, count, x, n);
	}

	/* A warp without heads. */
	__device__ part
	totals_by_grid(const uint4 *buffer, int count, const item (&x)[ITEMS],
				   note *n) const
	{
		int			most = -1;
		uint32_t	least = UINT32_MAX;
		bool		fits;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			int			size = size_of(x[i]);

			most = max(most, size);
			least = min(least, (uint32_t) size);
		}
		most = greatest_of_warp(most);
		n->least = exponent_of(F(), least);
		n->top = exponent_of(F(), most) + 1;

		/*
		 * 512 upper parts on a grid of 2^(top - 43) have 52 bits.  Lower parts
		 * are at most half that grid, so 512 of them on one of 2^(top - 88)
		 * have 53.  Floats are upper parts on a grid of 2^(top - 44).
		 */
		fits = most >= 0 && n->top > 200 && n->top < MAX_TOP &&
			n->least >= n->top - (sizeof(F) == 8 ? 88 : 44) + DIGITS;
		if (__all_sync(GS_ALL_LANES, fits))
			return grid_totals(x, n->top);
		n->top = 0;
		return totals_fallback(buffer, count);
	}

	/* ----------
	 * Second pass
	 * ----------
	 */

	/*
	 * By all lanes: exclusive scans' results, the first of a run being +0, not
	 * -0; and results out of range.
	 */
	__device__ static void
	complete(const scan_args &a, const warp_share &w, int count, F first,
			 out (&r)[ITEMS])
	{
		int64_t		mine = w.base + gs_lane() * ITEMS;
		int			most = 0;

		if (a.exclusive)
		{
			make_exclusive(r, mine == 0 && begins_run(a) ? (F) 0 : first,
						   (F) 0, w.heads);
			if (a.known != NULL && mine < a.n)
			{
				uint32_t	known = ((const uint16_t *) a.known)[mine / 16];

#pragma unroll
				for (int i = 0; i < ITEMS; i++)
					if (!(known >> i & 1))
						r[i] = 0;
			}
		}
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			most = max(most, magnitude(r[i]));
		if (most < (sizeof(F) == 8 ? 0x7ff00000 : 0x7f800000))
			return;
		if (a.defers_retry)
		{
			note_failure(a);
			return;
		}
#pragma unroll
		for (int i = ITEMS - 1; i >= 0; i--)
			if (i < count && is_out_of_range(r[i]))
				note_range(a, mine + i);
	}

	/* With three doubles, by all lanes; the results go to shared memory. */
	__device__ __noinline__ void
	results_of_triple(const scan_args &a, warp_share w, uint4 *buffer,
					  int count, carry_type start) const
	{
		item		x[ITEMS];
		F			first = round_triple<F>(start);
		carry_type			p = start;
		uint32_t	lost = 0;

		share_take(*this, buffer, count, x);
#pragma unroll 1
		for (int i = 0; i < ITEMS; i++)
		{
			gs_pair		s;
			gs_pair		e;
			gs_pair		t;

			if (w.heads >> i & 1)
				p = carry_type::identity();
			s = gs_two_sum(p.hi, (double) x[i]);
			e = gs_two_sum(p.lo, -s.lo);
			t = gs_two_sum(p.tail, e.lo);
			p.hi = s.hi;
			p.lo = e.hi;
			p.tail = t.hi;
			lost |= set_bits(t.lo);
			x[i] = round_triple<F>(p);
		}
		if (lost != 0 || start.hi != start.hi)
			note_failure(a);
		complete(a, w, count, first, x);
		__syncwarp();
		share_put(buffer, x);
	}

	/* With two; false if that is not enough for all lanes. */
	template <bool HEADS>
	__device__ static bool
	chain_results(const scan_args &a, const warp_share &w, int count,
				  carry_type start, const item (&x)[ITEMS], out (&r)[ITEMS])
	{
		part		p = {start.hi, start.lo};
		uint32_t	lost = set_bits(start.tail);

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			double		d;

			step<HEADS>(p, x[i], w.heads >> i & 1, lost);
			d = p.hi - p.lo;
			lost |= rounds_twice(F(), d, p.lo);
			r[i] = round_to(F(), d);
		}
		lost |= rounds_twice(F(), start.hi - start.lo, start.lo);
		if (__any_sync(GS_ALL_LANES, lost != 0))
			return false;
		complete(a, w, count, round_to(F(), start.hi - start.lo), r);
		return true;
	}

	/*
	 * In a way that takes longer; the results go to shared memory.  Not inlined,
	 * since the registers are missing elsewhere.
	 */
	__device__ __noinline__ void
	results_fallback(const scan_args &a, warp_share w, uint4 *buffer, int count,
				  carry_type start) const
	{
		item		x[ITEMS];
		out			r[ITEMS];

		share_take(*this, buffer, count, x);
		if (chain_results<false>(a, w, count, start, x, r))
		{
			__syncwarp();
			share_put(buffer, r);
		}
		else
			results_of_triple(a, w, buffer, count, start);
	}

	/*
	 * On a grid of 2^(t - 53) for upper parts, where no total exceeds 2^t, and
	 * of 2^(t - 101) for lower ones, where no total exceeds 2^(t - 49); that
	 * leaves a bit below, which says that what comes before has more bits.
	 */
	__device__ static bool
	grid_results(const carry_type &start, const note &n, const double (&x)[ITEMS],
				 double (&r)[ITEMS])
	{
		gs_pair		s = gs_two_sum(start.hi, -start.lo);
		int			t = max((__double2hiint(s.hi) >> 20 & 0x7ff) + 1,
							n.top + 4) + 2;
		double		a = anchor(t - 1);
		double		b = anchor(t - 49);
		double		upper = (s.hi + a) - a;
		gs_pair		rest = gs_two_sum(s.hi - upper, s.lo);
		double		lower = (rest.hi + b) - b;
		gs_pair		below = gs_two_sum(rest.lo, -start.tail);
		double		sticky = (rest.hi - lower) + below.hi;
		int			least = INT32_MAX;

		if (n.top == 0 || t < 200 || t > 2040 || n.least < t - 101 + DIGITS ||
			below.lo != 0 || magnitude(below.hi) >= (t - 103) << 20)
			return false;
		if (sticky != 0)
			lower += __hiloint2double((t - 102) << 20 |
									  (__double2hiint(sticky) & INT32_MIN), 0);
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			double		h = (x[i] + a) - a;

			lower += x[i] - h;
			upper += h;
			r[i] = upper + lower;
			least = min(least, magnitude(r[i]));
		}
		/*
		 * The bit below decides nothing where more than it is asked for; nor
		 * does it matter that -0 came before, but to a result of zero.
		 */
		return least >= (sticky != 0 ? (t - 47) << 20 :
						 gs_double_bits(start.hi) >> 63 && start.hi == 0 ? 1 :
						 0);
	}

	/*
	 * The sum of the warp's elements so far is one double, without error, and
	 * what comes before the warp is nearly one.  The sum of both is then off by
	 * less than 1024 of its last places, if it is not less than that by more
	 * than eight binades, which does not matter unless it is so close to the
	 * middle between two floats.
	 */
	__device__ static bool
	grid_results(const carry_type &before, const part &exclusive, const note &n,
				 const float (&x)[ITEMS], float (&r)[ITEMS])
	{
		const uint32_t FAR_OFF = 1024;
		double		origin = before.hi - before.lo;
		int			exponent = magnitude(origin) >> 20;
		double		run = exclusive.hi;
		int			least = INT32_MAX;
		uint32_t	nearest = UINT32_MAX;

		if (n.top == 0 || exponent == 0x7ff ||
			(before.tail != 0 &&
			 magnitude(before.tail) >> 20 > exponent - 52))
			return false;
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			double		sum;

			run += (double) x[i];
			sum = origin + run;
			least = min(least, magnitude(sum));
			nearest = min(nearest, ((uint32_t) __double2loint(sum) -
									(UINT32_C(1) << 28) + FAR_OFF) &
						  UINT32_C(0x1fffffff));
			r[i] = (float) sum;
		}
		return nearest > 2 * FAR_OFF &&
			least >= max(exponent - 8, 1023 - 126) << 20;
	}

	__device__ static carry_type
	start_of(const carry_type &before, const part &exclusive)
	{
		return carry_type::combine(before, carry_of(exclusive));
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *buffer, int count,
			const carry_type &before, const part &exclusive, const note &n,
			const item (&x)[ITEMS], out (&r)[ITEMS]) const
	{
		bool		done;

		if constexpr (HEADS)
		{
			if (chain_results<true>(a, w, count, start_of(before, exclusive),
									x, r))
				return true;
			results_of_triple(a, w, buffer, count, start_of(before, exclusive));
			return false;
		}
		if constexpr (sizeof(F) == 8)
			done = grid_results(start_of(before, exclusive), n, x, r);
		else
			done = grid_results(before, exclusive, n, x, r);
		if (!__all_sync(GS_ALL_LANES, done))
		{
			results_fallback(a, w, buffer, count, start_of(before, exclusive));
			return false;
		}
		complete(a, w, count, a.exclusive ?
				 round_triple<F>(start_of(before, exclusive)) : 0, r);
		return true;
	}

	__device__ static void
	keep_total(const scan_args &a, carry_type total)
	{
		if (total.hi != total.hi)
			note_failure(a);
		total.pack(a.state->next);
	}

	__device__ static void
	finish(const scan_args &a, uint32_t leading)
	{
		if (!reports(a))
			return;
		if (!a.defers_retry && *(volatile uint32_t *) &a.header->failed)
		{
			a.header->range = 0;	/* an infinite prefix may be right */
			return;
		}
		if (a.more)
		{
			store_carry<carry_type>(a);
			a.state->wide = 0;
		}
		report(a, leading, read_range(a));
	}
};

cudaError_t
gs_scan_floats(const gs_op *op, scan_args *a, cudaStream_t stream)
{
	return op->type == GS_FLOAT4 ?
		scan_launch_any(scan_float<float>(), a, stream) :
		scan_launch_any(scan_float<double>(), a, stream);
}
