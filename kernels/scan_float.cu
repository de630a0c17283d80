/*-------------------------------------------------------------------------
 *
 * scan_float.cu
 *	  Prefix sums of floats, as two or three doubles.
 *
 * A total is hi - lo, exactly: an element is added to hi, and the error of that
 * addition to lo; hi - lo, one operation, is then the correctly rounded prefix.
 * The error of an addition to lo should be zero.  If it is not, the thread goes
 * over its elements again with a third double, tail, and rounds the sum of all
 * three to nearest by way of rounding to odd (Boldo and Melquiond, Emulation of
 * FMA and correctly rounded sums, 2008).  Totals of threads and warps are two
 * doubles, those of tiles, and what comes before a tile, three.
 *
 * Where that is not enough, or something is not finite, a total becomes NaN,
 * which taints all that rests on it; a thread that starts from NaN, or comes
 * upon it, marks the chunk as failed, and scan_exact.cu does it again.  So what
 * is written for a chunk that has not failed is right.
 *
 * lo has the sign that it has so that a sum of nothing but -0 is hi - lo =
 * -0 - +0 = -0.  All errors that are zero are +0 then.
 *
 *-------------------------------------------------------------------------
 */
#include "scan.cuh"

__device__ static inline uint32_t
set_bits(double x)
{
	return (uint32_t) __double2hiint(x) | (uint32_t) __double2loint(x);
}

__device__ static inline double
tainted(void)
{
	return __hiloint2double(0x7ff80000, 0);
}

/* hi - lo */
struct pair_part
{
	double		hi;
	double		lo;

	__device__ static pair_part
	identity()
	{
		pair_part	r = {-0.0, 0};

		return r;
	}

	__device__ static pair_part
	combine(pair_part a, pair_part b)
	{
		gs_pair		s = gs_two_sum(a.hi, b.hi);
		gs_pair		e = gs_two_sum(a.lo, b.lo);
		gs_pair		f = gs_two_sum(e.hi, -s.lo);
		pair_part	r = {set_bits(e.lo) | set_bits(f.lo) ? tainted() : s.hi,
			f.hi};

		return r;
	}
};

/* hi - lo - tail */
struct triple_part
{
	static const int WORDS = 2;
	double		hi;
	double		lo;
	double		tail;

	__device__ static triple_part
	identity()
	{
		triple_part	r = {-0.0, 0, 0};

		return r;
	}

	__device__ static triple_part
	combine(triple_part a, triple_part b)
	{
		gs_pair		s = gs_two_sum(a.hi, b.hi);
		gs_pair		e = gs_two_sum(a.lo, b.lo);
		gs_pair		f = gs_two_sum(e.hi, -s.lo);
		triple_part r = {s.hi, f.hi, 0};

		if (set_bits(e.lo) | set_bits(f.lo) | set_bits(a.tail) |
			set_bits(b.tail))
		{
			gs_pair		t = gs_two_sum(a.tail, b.tail);
			gs_pair		u = gs_two_sum(t.hi, e.lo);
			gs_pair		v = gs_two_sum(u.hi, f.lo);

			r.tail = v.hi;
			if (set_bits(t.lo) | set_bits(u.lo) | set_bits(v.lo))
				r.hi = tainted();
		}
		return r;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		uint64_t	third = gs_double_bits(tail);

		word[0] = (gs_u128) (uint32_t) third << 64 | gs_double_bits(hi);
		word[1] = (gs_u128) (uint32_t) (third >> 32) << 64 |
			gs_double_bits(lo);
	}

	__device__ static triple_part
	unpack(const gs_u128 *word)
	{
		triple_part r = {gs_bits_double((uint64_t) word[0]),
			gs_bits_double((uint64_t) word[1]),
			gs_bits_double((uint64_t) (uint32_t) (word[1] >> 64) << 32 |
						   (uint32_t) (word[0] >> 64))};

		return r;
	}
};

__device__ static inline double
round_to(double, double x)
{
	return x;
}

__device__ static inline float
round_to(float, double x)
{
	return (float) x;
}

/* A triple rounded once, where R is float or double. */
template <typename R>
__device__ static R
round_triple(triple_part p)
{
	gs_pair		u;
	gs_pair		t;

	if (p.lo == 0 && p.tail == 0)
		return round_to(R(), p.hi);
	u = gs_two_sum(-p.lo, -p.tail);
	t = gs_two_sum(p.hi, u.hi);
	u.hi = t.lo;
	t.lo = gs_round_to_odd(u);
	return round_to(R(), sizeof(R) == 8 ? t.hi + t.lo : gs_round_to_odd(t));
}

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
	typedef triple_part far;
	static const bool VALUES = true;

	__device__ static part nothing() { return part::identity(); }
	__device__ static part combine(part a, part b) { return part::combine(a, b); }
	__device__ static item neutral() { return (F) -0.0; }
	__device__ item of(F x) const { return x; }

	__device__ static far
	far_of(part p)
	{
		far			r = {p.hi, p.lo, 0};

		return r;
	}

	__device__ static bool
	is_wanted(const scan_args &a)
	{
		return a.first == 0 || !a.state->wide;
	}

	/* Add x, from a head on if that is one; false if lo is not enough. */
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

	/* The same where lo is 0 and stays 0. */
	template <bool HEADS>
	__device__ static void
	step_single(double &hi, F x, bool head, uint32_t &lost)
	{
		gs_pair		s;

		if (HEADS && head)
			hi = -0.0;
		s = gs_two_sum(hi, (double) x);
		hi = s.hi;
		lost |= set_bits(s.lo);
	}

	template <bool HEADS>
	__device__ part
	total(const item (&x)[ITEMS], uint32_t heads) const
	{
		part		p = nothing();
		uint32_t	lost = 0;

		if (sizeof(F) == 4)
		{
#pragma unroll
			for (int i = 0; i < ITEMS; i++)
				step_single<HEADS>(p.hi, x[i], heads >> i & 1, lost);
			if (lost == 0)
				return p;
			p = nothing();
			lost = 0;
		}
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			step<HEADS>(p, x[i], heads >> i & 1, lost);
		if (lost != 0)
			p.hi = tainted();
		return p;
	}

	/*
	 * By all lanes: exclusive scans' results, the first of a run being +0, not
	 * -0; and results out of range.
	 */
	__device__ static void
	complete(const scan_args &a, const warp_share &w, int count,
			 uint32_t heads, F first, out (&r)[ITEMS])
	{
		int64_t		mine = w.base + gs_lane() * ITEMS;
		int			most = 0;

		if (a.exclusive)
		{
			make_exclusive(r, mine == 0 && begins_run(a) ? (F) 0 : first,
						   (F) 0, heads);
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
		if (most >= (sizeof(F) == 8 ? 0x7ff00000 : 0x7f800000))
		{
#pragma unroll
			for (int i = ITEMS - 1; i >= 0; i--)
				if (i < count && is_out_of_range(r[i]))
					note_range(a, mine + i);
		}
	}

	/* With three doubles, by all lanes; the results go to shared memory. */
	__device__ __noinline__ void
	results_of_triple(const scan_args &a, const warp_share &w, uint4 *room,
					  int count, uint32_t heads, far start) const
	{
		item		x[ITEMS];
		F			first = round_triple<F>(start);
		far			p = start;
		uint32_t	lost = 0;

		share_take(*this, w, a, room, count, x);
#pragma unroll 1
		for (int i = 0; i < ITEMS; i++)
		{
			gs_pair		s;
			gs_pair		e;
			gs_pair		t;

			if (heads >> i & 1)
				p = far::identity();
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
			a.state->failed = 1;
		complete(a, w, count, heads, first, x);
		__syncwarp();
		share_put(room, x);
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *room, int count,
			uint32_t heads, far start, const item (&x)[ITEMS],
			out (&r)[ITEMS]) const
	{
		part		p = {start.hi, start.lo};
		uint32_t	lost = set_bits(start.tail);

		if (sizeof(F) == 4 &&
			__all_sync(GS_ALL_LANES, (lost | set_bits(start.lo)) == 0))
		{
#pragma unroll
			for (int i = 0; i < ITEMS; i++)
			{
				step_single<HEADS>(p.hi, x[i], heads >> i & 1, lost);
				r[i] = round_to(F(), p.hi);
			}
			if (__all_sync(GS_ALL_LANES, lost == 0))
			{
				complete(a, w, count, heads, round_to(F(), start.hi), r);
				return true;
			}
			p.hi = start.hi;
			lost = 0;
		}
#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			double		d;

			step<HEADS>(p, x[i], heads >> i & 1, lost);
			d = p.hi - p.lo;
			lost |= rounds_twice(F(), d, p.lo);
			r[i] = round_to(F(), d);
		}
		lost |= rounds_twice(F(), start.hi - start.lo, start.lo);
		if (__any_sync(GS_ALL_LANES, lost != 0))
		{
			results_of_triple(a, w, room, count, heads, start);
			return false;
		}
		complete(a, w, count, heads, round_to(F(), start.hi - start.lo), r);
		return true;
	}

	__device__ static void
	carry(const scan_args &a, far total)
	{
		if (total.hi != total.hi)
			a.state->failed = 1;
		total.pack(a.state->next);
	}

	__device__ static void
	finish(const scan_args &a, uint32_t leading)
	{
		if (threadIdx.x != 0 || !is_last_block(a))
			return;
		if (*(volatile uint32_t *) &a.state->failed)
			a.state->range = 0;	/* an infinite prefix may be right */
		else
		{
			take_carry<far>(a);
			report(a, leading);
		}
	}
};

cudaError_t
gs_scan_floats(const gs_op *op, const scan_args &a, cudaStream_t stream)
{
	return op->type == GS_FLOAT4 ?
		scan_launch_any(scan_float<float>(), a, stream) :
		scan_launch_any(scan_float<double>(), a, stream);
}
