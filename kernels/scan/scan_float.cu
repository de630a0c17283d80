/*-------------------------------------------------------------------------
 *
 * scan_float.cu
 *	  Prefix sums of floats in two or three doubles.
 *
 * There are three methods; a warp uses the second or third if the one before
 * fails for it.
 *
 * Grid.  Elements of which none exceeds 2^E are cut in two: adding a large
 * enough power of two and subtracting it again rounds them to a grid, and the
 * remainder is exact.  As long as all upper (or all lower) parts and their
 * sums lie on a common grid and within 53 bits of it, plain additions are
 * exact.  In the upsweep the grid depends on the warp's elements.  In the
 * downsweep it also depends on the prefix, so that the sum of the upper parts,
 * including the prefix, is one double, and the sum of the lower ones another;
 * their sum is the correctly rounded prefix.  The method fails for an element
 * with bits below the lower grid.  The prefix may have such bits: it is enough
 * to know whether there are any (sticky).
 *
 * Chain.  A total is hi - lo, exactly: an element is added to hi, and the
 * error of that addition to lo.  A single operation, hi - lo, then gives the
 * correctly rounded prefix, provided that the addition to lo has no error.
 *
 * Long chain.  That error is added to a third double, tail, and the sum of all
 * three is rounded to nearest by way of rounding to odd (Boldo and Melquiond,
 * Emulation of FMA and correctly rounded sums, 2008).
 *
 * Totals of threads and warps are two doubles; those of tiles, and a tile's
 * prefix, are three.  Where these do not suffice, or something is not finite,
 * a total becomes NaN and poisons everything that depends on it.  A thread
 * that starts from NaN, or meets it, marks the batch as failed, and
 * scan_exact.cu redoes it.  So the results of a batch that has not failed are
 * right.
 *
 * lo is subtracted so that a sum of -0 alone is hi - lo = -0 - +0 = -0.  All
 * zero errors are then +0.
 *
 * Determinism: each result is the exact prefix, rounded once, whichever
 * method gives it.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/scan/scan.cuh"
#include "kernels/scan/scan_doubles.cuh"

/* 1.5 times the power of two with this biased exponent. */
__device__ static inline double
anchor(int exponent)
{
	return __hiloint2double(exponent << 20 | 0x80000, 0);
}

/*
 * The size of x: its upper exponent and mantissa bits, ordered like the
 * magnitudes; minus one, so that zero is -1.
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

/* The exponent of a size, biased like a double's; for zero, large. */
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

/* What the upsweep saves for the downsweep, per thread. */
struct float_upsweep_info
{
	int			top;			/* no element of the warp exceeds 2^top,
								 * biased; 0: no grid */
	int			min_exponent;	/* biased exponent of the smallest element that
								 * is not zero */
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

/* Compares like |x|; infinity and NaN are highest. */
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

/* Would rounding to double and then to F be wrong? */
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
	typedef float_upsweep_info upsweep_info;
	static const bool VALUES = true;
	static const int ELEMENTS = sizeof(F) == 8 ? GS_FLOAT8_ELEMENTS :
		GS_FLOAT4_ELEMENTS;

	/* Bits of an element after its leading one. */
	static const int DIGITS = sizeof(F) == 8 ? 52 : 23;

	/* Above this, elements may be infinite. */
	static const int MAX_TOP = sizeof(F) == 8 ? 2000 : 1023 + 128;

	__device__ static part nothing() { return part::identity(); }
	__device__ static F absent() { return (F) -0.0; }
	__device__ item of(F x) const { return x; }

	__device__ static carry_type
	carry_of(part p)
	{
		carry_type	r = {p.hi, p.lo, 0};

		return r;
	}

	__device__ static bool
	is_wanted(const scan_args &a)
	{
		return a.first == 0 || !a.state->wide;
	}

	/* ----------
	 * Upsweep
	 * ----------
	 */

	/* Add x, starting anew at a head; what lo cannot hold goes to lost. */
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
			p.hi = poison();
		return warp_scan<part, HEADS>(p, with_head, GS_WARP);
	}

	__device__ part
	totals_fallback(const uint4 *buffer, int count) const
	{
		item		x[ITEMS];

		share_load(*this, buffer, count, x);
		return chain_totals<false>(x, 0, 0);
	}

	/*
	 * Inclusive sums of upper and lower parts.  A total of zero is -0 if every
	 * element was -0.
	 */
	__device__ static part
	grid_totals(const item (&x)[ITEMS], int top)
	{
		double		upper = 0;
		double		lower = 0;
		double		a = anchor(top + 9);
		int			lane = opaque_lane();
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
		   upsweep_info *n) const
	{
		n->top = 0;
		n->min_exponent = 0;
		if constexpr (HEADS)
			return chain_totals<true>(x, w.heads, with_head);
		return totals_by_grid(buffer, count, x, n);
	}

	/* For a warp without heads. */
	__device__ part
	totals_by_grid(const uint4 *buffer, int count, const item (&x)[ITEMS],
				   upsweep_info *n) const
	{
		int			max_size = -1;
		uint32_t	min_size = UINT32_MAX;
		bool		fits;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			int			size = size_of(x[i]);

			max_size = max(max_size, size);
			min_size = min(min_size, (uint32_t) size);
		}
		max_size = warp_max(max_size);
		n->min_exponent = exponent_of(F(), min_size);
		n->top = exponent_of(F(), max_size) + 1;

		/*
		 * 512 upper parts on a grid of 2^(top - 43) have 52 bits.  Lower parts
		 * are at most half that grid, so 512 of them on one of 2^(top - 88)
		 * have 53.  Floats are upper parts on a grid of 2^(top - 44).
		 */
		fits = max_size >= 0 && n->top > 200 && n->top < MAX_TOP &&
			n->min_exponent >= n->top - (sizeof(F) == 8 ? 88 : 44) + DIGITS;
		if (__all_sync(GS_ALL_LANES, fits))
			return grid_totals(x, n->top);
		n->top = 0;
		return totals_fallback(buffer, count);
	}

	/* ----------
	 * Downsweep
	 * ----------
	 */

	/*
	 * Complete the results; all lanes call.  Makes them exclusive if wanted,
	 * where a segment's first result is +0, not -0, and checks their range.
	 */
	__device__ static void
	complete(const scan_args &a, const warp_share &w, int count, F first,
			 out (&r)[ITEMS])
	{
		int64_t		mine = w.base + gs_lane() * ITEMS;
		int			max_bits = 0;

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
			max_bits = max(max_bits, magnitude(r[i]));
		if (max_bits < (sizeof(F) == 8 ? 0x7ff00000 : 0x7f800000))
			return;
		if (a.defers_retry)
		{
			mark_failed(a);
			return;
		}
#pragma unroll
		for (int i = ITEMS - 1; i >= 0; i--)
			if (i < count && is_out_of_range(r[i]))
				record_range(a, mine + i);
	}

	/* The long chain, by all lanes; the results go to shared memory. */
	__device__ __noinline__ void
	results_of_triple(const scan_args &a, warp_share w, uint4 *buffer,
					  int count, carry_type start) const
	{
		item		x[ITEMS];
		F			first = round_triple<F>(start);
		carry_type	p = start;
		uint32_t	lost = 0;

		share_load(*this, buffer, count, x);
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
			mark_failed(a);
		complete(a, w, count, first, x);
		__syncwarp();
		share_store(buffer, x);
	}

	/* The chain; false if it fails for any lane. */
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
	 * The slower methods; the results go to shared memory.  Not inlined, since
	 * its registers would be missing elsewhere.
	 */
	__device__ __noinline__ void
	results_fallback(const scan_args &a, warp_share w, uint4 *buffer,
					 int count, carry_type start) const
	{
		item		x[ITEMS];
		out			r[ITEMS];

		share_load(*this, buffer, count, x);
		if (chain_results<false>(a, w, count, start, x, r))
		{
			__syncwarp();
			share_store(buffer, r);
		}
		else
			results_of_triple(a, w, buffer, count, start);
	}

	/*
	 * Upper parts on a grid of 2^(t - 53), with no total above 2^t; lower ones
	 * on a grid of 2^(t - 101), with no total above 2^(t - 49).  That leaves
	 * one bit below, which says that the prefix has more bits.
	 */
	__device__ static bool
	grid_results(const carry_type &start, const upsweep_info &n,
				 const double (&x)[ITEMS], double (&r)[ITEMS])
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
		int			min_result = INT32_MAX;

		if (n.top == 0 || t < 200 || t > 2040 ||
			n.min_exponent < t - 101 + DIGITS ||
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
			min_result = min(min_result, magnitude(r[i]));
		}
		/*
		 * The sticky bit is insufficient only for a result so small that more
		 * bits matter.  An earlier -0 matters only for a result of zero.
		 */
		return min_result >= (sticky != 0 ? (t - 47) << 20 :
							  gs_double_bits(start.hi) >> 63 &&
							  start.hi == 0 ? 1 : 0);
	}

	/*
	 * The sum of the warp's elements so far is one exact double, and the
	 * warp's prefix is nearly one.  The error of their sum is less than 1024
	 * units in its last place, unless the sum is smaller than the prefix by
	 * more than eight binades.  Such an error only matters if the sum is that
	 * close to halfway between two floats.
	 */
	__device__ static bool
	grid_results(const carry_type &before, const part &exclusive,
				 const upsweep_info &n, const float (&x)[ITEMS],
				 float (&r)[ITEMS])
	{
		const uint32_t MAX_ERROR = 1024;
		double		origin = before.hi - before.lo;
		int			exponent = magnitude(origin) >> 20;
		double		run = exclusive.hi;
		int			min_result = INT32_MAX;
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
			min_result = min(min_result, magnitude(sum));
			nearest = min(nearest, ((uint32_t) __double2loint(sum) -
									(UINT32_C(1) << 28) + MAX_ERROR) &
						  UINT32_C(0x1fffffff));
			r[i] = (float) sum;
		}
		return nearest > 2 * MAX_ERROR &&
			min_result >= max(exponent - 8, 1023 - 126) << 20;
	}

	__device__ static carry_type
	start_of(const carry_type &before, const part &exclusive)
	{
		return carry_type::combine(before, carry_of(exclusive));
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *buffer, int count,
			const carry_type &before, const part &exclusive,
			const upsweep_info &n, const item (&x)[ITEMS],
			out (&r)[ITEMS]) const
	{
		bool		done;

		if constexpr (HEADS)
		{
			if (chain_results<true>(a, w, count, start_of(before, exclusive),
									x, r))
				return true;
			results_of_triple(a, w, buffer, count,
							  start_of(before, exclusive));
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
	store_total(const scan_args &a, carry_type total)
	{
		if (total.hi != total.hi)
			mark_failed(a);
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
