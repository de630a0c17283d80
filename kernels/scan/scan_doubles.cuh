/*-------------------------------------------------------------------------
 *
 * scan_doubles.cuh
 *	  Totals of floats in two or three doubles, for scan_float.cu.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_DOUBLES_CUH
#define GS_SCAN_DOUBLES_CUH

#include "kernels/lookback.cuh"

__device__ static inline double
poison(void)
{
	return __hiloint2double(0x7ff80000, 0);
}

/* hi - lo */
struct pair_part
{
	static const bool QUICK = true;
	double		hi;
	double		lo;

	__device__ static pair_part
	identity()
	{
		pair_part	r = {-0.0, 0};

		return r;
	}

	__device__ static pair_part
	combine_quickly(pair_part a, pair_part b, uint32_t *lost)
	{
		return add_pairs(a, b, lost);
	}

	__device__ static pair_part
	combine(pair_part a, pair_part b)
	{
		uint32_t	lost = 0;
		pair_part	r = combine_quickly(a, b, &lost);

		if (lost != 0)
			r.hi = poison();
		return r;
	}
};

/* hi - lo - tail */
struct triple_part
{
	static const int WORDS = 2;
	static const bool QUICK = true;
	double		hi;
	double		lo;
	double		tail;

	__device__ static triple_part
	identity()
	{
		triple_part	r = {-0.0, 0, 0};

		return r;
	}

	/* A result that would need a tail is lost. */
	__device__ static triple_part
	combine_quickly(triple_part a, triple_part b, uint32_t *lost)
	{
		pair_part	p = {a.hi, a.lo};
		pair_part	q = {b.hi, b.lo};
		triple_part r;

		p = pair_part::combine_quickly(p, q, lost);
		*lost |= set_bits(a.tail) | set_bits(b.tail);
		r.hi = p.hi;
		r.lo = p.lo;
		r.tail = 0;
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
				r.hi = poison();
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

/* Round a triple once, to R, float or double. */
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

#endif							/* GS_SCAN_DOUBLES_CUH */
