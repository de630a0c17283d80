/*-------------------------------------------------------------------------
 *
 * reduce_float.cuh
 *	  Reductions: exact sums of floats and of their squares.
 *
 * Two or three doubles in registers hold everything, without losing a bit.
 * Any bits that would be lost are detected, and go to the block's
 * accumulators.  On data of ordinary spread that hardly ever happens.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_FLOAT_CUH
#define GS_REDUCE_FLOAT_CUH

#include "kernels/reduce/reduce.cuh"

/* ----------
 * Sums of floats
 * ----------
 */

/*
 * hi - lo.  The smaller part is kept negated, so that a sum of -0 alone gives
 * hi - lo = -0 - +0 = -0.
 */
struct exact_pair
{
	double		hi;
	double		lo;
};

/*
 * p + x = result - lost, exactly where lost is a number.  A lost of zero is
 * +0.
 */
__device__ static inline exact_pair
pair_add(exact_pair p, double x, double *lost)
{
	gs_pair		s = gs_two_sum(p.hi, x);
	gs_pair		e = gs_two_sum(p.lo, -s.lo);
	exact_pair	r = {s.hi, e.hi};

	*lost = e.lo;
	return r;
}

/* p + x for any x; what the pair cannot hold goes to acc. */
__device__ static __noinline__ exact_pair
pair_add_any(exact_pair p, double x, block_acc *acc)
{
	double		lost;
	exact_pair	r = pair_add(p, x, &lost);

	if (lost == 0)
		return r;
	if (gs_is_finite(lost) && gs_is_finite(r.hi))
	{
		spill(acc, -lost);
		return r;
	}
	spill(acc, x);				/* not finite, or too large to add */
	return p;
}

/* p + q for any q. */
__device__ static inline exact_pair
pair_merge_any(exact_pair p, exact_pair q, block_acc *acc)
{
	uint32_t	lost = 0;
	exact_pair	r = add_pairs(p, q, &lost);

	if (lost == 0)
		return r;
	p = pair_add_any(p, q.hi, acc);
	return pair_add_any(p, -q.lo, acc);
}

/* `seen` is set without reading it first, so nobody waits for it. */
__device__ static inline void
add_double_to_state(gs_acc *sum, double x)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);

	atomicOr(&sum->seen, gs_seen(x));
	gs_limbs_atomic_add(sum->limb, m, position, negative);
}

/* A pair is finite: everything else has gone to an accumulator. */
__device__ static inline void
add_pair_to_state(exact_pair p, reduce_state *state)
{
	if (gs_double_bits(p.hi) != UINT64_C(0x8000000000000000))
		add_double_to_state(&state->sum, p.hi);
	if (p.lo != 0)
		add_double_to_state(&state->sum, -p.lo);
}

struct sum_total
{
	exact_pair	p;

	__device__ void
	merge(const sum_total &other, block_acc *acc)
	{
		p = pair_merge_any(p, other.p, acc);
	}

	__device__ void
	merge_quickly(const sum_total &other, uint32_t *lost)
	{
		p = add_pairs(p, other.p, lost);
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &)
	{
		add_pair_to_state(p, state);
	}
};

struct sum_float8 : reduce_traits
{
	typedef double element;
	typedef sum_total total;
	static const bool EXACT = true;
	static const bool QUICK = true;

	exact_pair	p;

	__host__ __device__
	sum_float8(const gs_op *)
	{
		p.hi = -0.0;
		p.lo = 0;
	}

	template <int N>
	__device__ void
	add(const double (&x)[N], int64_t, block_acc *acc)
	{
		exact_pair	q = p;
		uint32_t	lost = 0;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			double		rest;

			q = pair_add(q, x[i], &rest);
			lost |= set_bits(rest);
		}
		if (lost != 0)
		{
			q = p;
#pragma unroll
			for (int i = 0; i < N; i++)
				q = pair_add_any(q, x[i], acc);
		}
		p = q;
	}

	__device__ sum_total
	close(block_acc *)
	{
		sum_total	t = {p};

		return t;
	}
};

/*
 * As for doubles, except for add.  Mostly, all floats are multiples of a unit
 * large enough for one double to hold any sum of them; then plain additions to
 * hi are exact.
 */
struct sum_float4 : sum_float8
{
	typedef float element;

	/* hi is a multiple of 2^(unit - 150). */
	int			unit;
	int			unused;			/* no padding for own_copy */

	static const int NO_UNIT = 512; /* above any unit: hi is zero */

	__host__ __device__
	sum_float4(const gs_op *op) : sum_float8(op)
	{
		unit = NO_UNIT;
		unused = 0;
	}

	/* The largest valid `unit` for p.hi. */
	__device__ int
	unit_of_sum(void) const
	{
		const uint64_t leading = UINT64_C(1) << 52;
		uint64_t	bits = gs_double_bits(p.hi);
		int			exponent = (int) (bits >> 52 & 0x7ff);
		uint64_t	digits = (bits & (leading - 1)) | leading;

		return p.hi == 0 ? NO_UNIT :
			exponent - 1023 - 52 + __ffsll((long long) digits) - 1 + 150;
	}

	/* Add any four elements.  Not inlined, to save registers. */
	__device__ static __noinline__ exact_pair
	pair_add_four(exact_pair p, float a, float b, float c, float e,
				  block_acc *acc)
	{
		const double d[4] = {a, b, c, e};
		exact_pair	q = p;
		uint32_t	lost = 0;

#pragma unroll
		for (int i = 0; i < 4; i++)
		{
			double		rest;

			q = pair_add(q, d[i], &rest);
			lost |= set_bits(rest);
		}
		if (lost == 0)
			return q;
#pragma unroll
		for (int i = 0; i < 4; i++)
			p = pair_add_any(p, d[i], acc);
		return p;
	}

	template <int N>
	__device__ void
	add(const float (&x)[N], int64_t, block_acc *acc)
	{
		int			max_bits = 0;
		uint32_t	min_bits = UINT32_MAX;
		int			u;
		int			size;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			int			magnitude = __float_as_int(x[i]) & 0x7fffffff;

			/* a zero has any unit: it wraps around to the largest */
			max_bits = max(max_bits, magnitude);
			min_bits = min(min_bits, (uint32_t) magnitude - 1);
		}
		u = min(unit, (int) (min_bits >> 23));

		/* hi and any partial sum of the elements are below 2^size */
		static_assert(N <= 16, "sums would grow too long");
		size = max((__double2hiint(p.hi) >> 20 & 0x7ff) - 1022,
				   (max_bits >> 23) - 126 + 4) + 1;
		if (max_bits < 0x7f800000 && size <= u - 150 + 53)
		{
			unit = u;
#pragma unroll
			for (int i = 0; i < N; i++)
				p.hi += (double) x[i];
			return;
		}
#pragma unroll
		for (int i = 0; i < N; i++)
			if (i % 4 == 0 && i + 4 <= N)
				p = pair_add_four(p, x[i], x[i + 1], x[i + 2], x[i + 3], acc);
			else if (i >= N / 4 * 4)
				p = pair_add_any(p, x[i], acc);
		unit = unit_of_sum();
	}
};

/* Sums of absolute values. */
template <class S>
struct magnitudes_of : S
{
	__host__ __device__
	magnitudes_of(const gs_op *op) : S(op)
	{
	}

	template <int N>
	__device__ void
	add(const typename S::element (&x)[N], int64_t index, block_acc *acc)
	{
		typename S::element magnitude[N];

#pragma unroll
		for (int i = 0; i < N; i++)
			magnitude[i] = fabs(x[i]);
		S::add(magnitude, index, acc);
	}
};

/* ----------
 * Sums of floats and of their squares
 * ----------
 */

/* a + b + c, for sums of squares. */
struct exact_triple
{
	double		a;
	double		b;
	double		c;
};

/* q + x; what the triple cannot hold goes to acc. */
__device__ static inline exact_triple
triple_add(exact_triple q, double x, block_acc *acc)
{
	gs_pair		a = gs_two_sum(q.a, x);
	gs_pair		b = gs_two_sum(q.b, a.lo);
	gs_pair		c = gs_two_sum(q.c, b.lo);
	exact_triple r = {a.hi, b.hi, c.hi};

	if (c.lo != 0)
		spill_product(acc, c.lo, 1.0);
	return r;
}

struct moments_total
{
	exact_pair	p;
	exact_triple q;

	__device__ void
	merge(const moments_total &other, block_acc *acc)
	{
		p = pair_merge_any(p, other.p, acc);
		q = triple_add(q, other.q.a, acc);
		q = triple_add(q, other.q.b, acc);
		q = triple_add(q, other.q.c, acc);
	}

	__device__ void
	add_to_state(reduce_state *state, const reduce_place &)
	{
		add_pair_to_state(p, state);
		gs_acc2_atomic_add_product(&state->squares, q.a, 1.0);
		gs_acc2_atomic_add_product(&state->squares, q.b, 1.0);
		gs_acc2_atomic_add_product(&state->squares, q.c, 1.0);
		/* a square is never -0 */
		atomicOr(&state->squares.seen, GS_SEEN_NOT_NEGATIVE_ZERO);
	}
};

/*
 * Each double is cut into three parts of 23 bits on a common grid below 2^E,
 * with all elements below 2^E: x = h + m + l, where h is a multiple of
 * 2^(E-23), m of 2^(E-46), l of 2^(E-69).  Products of parts have up to 46
 * bits and units that depend on E alone, so BATCH of them add up exactly by
 * plain additions; then the sums go to the triple.  A non-zero element below
 * 2^(E-17) may have bits below the grid, and takes the slow path alone.
 */
struct moments_float8 : heavy_traits
{
	typedef double element;
	typedef moments_total total;
	static const bool EXACT = true;
	static const int LOADED = 2 * GS_REDUCE_LOADS;	/* the size of a batch that
													 * all lanes load */
	static const int PART = 23;
	static const int BATCH = 128;
	static const int SPREAD = 3 * PART - 52;

	/* Biased bounds of E: no square or sum of squares over- or underflows. */
	static const int MAX_TOP = 1023 + 480;
	static const int MIN_TOP = 1023 - 400;

	moments_total t;
	double		h1, m1, l1;		/* sums of parts */
	double		hh, hm, mm, hl, ml, ll; /* sums of their products */
	double		anchor_h;		/* adding these rounds to the grid */
	double		anchor_m;
	int			top;			/* E, biased */
	int			count;			/* elements in the sums */

	__host__ __device__
	moments_float8(const gs_op *)
	{
		t.p.hi = -0.0;
		t.p.lo = 0;
		t.q.a = t.q.b = t.q.c = 0;
		h1 = m1 = l1 = 0;
		hh = hm = mm = hl = ml = ll = 0;
		anchor_h = anchor_m = 0;
		top = 0;
		count = 0;
	}

	__device__ void
	flush(block_acc *acc)
	{
		if (count == 0)
			return;				/* -0 + 0 would not be -0 */
		t.p = pair_add_any(t.p, h1, acc);
		t.p = pair_add_any(t.p, m1, acc);
		t.p = pair_add_any(t.p, l1, acc);
		t.q = triple_add(t.q, hh, acc);
		t.q = triple_add(t.q, 2 * hm, acc);
		t.q = triple_add(t.q, mm, acc);
		t.q = triple_add(t.q, 2 * hl, acc);
		t.q = triple_add(t.q, 2 * ml, acc);
		t.q = triple_add(t.q, ll, acc);
		h1 = m1 = l1 = 0;
		hh = hm = mm = hl = ml = ll = 0;
		count = 0;
	}

	__device__ void
	set_top(int e)
	{
		top = e;
		anchor_h = __hiloint2double(((e - PART + 52) << 20) | 0x80000, 0);
		anchor_m = __hiloint2double(((e - 2 * PART + 52) << 20) | 0x80000, 0);
	}

	__device__ void
	add_part(double x)
	{
		double		h = (x + anchor_h) - anchor_h;
		double		r = x - h;
		double		m = (r + anchor_m) - anchor_m;
		double		l = r - m;

		h1 += h;
		m1 += m;
		l1 += l;
		hh = __fma_rn(h, h, hh);
		hm = __fma_rn(h, m, hm);
		mm = __fma_rn(m, m, mm);
		hl = __fma_rn(h, l, hl);
		ml = __fma_rn(m, l, ml);
		ll = __fma_rn(l, l, ll);
	}

	/* For batches without normal numbers: mostly zeros. */
	__device__ void
	add_any(double x, block_acc *acc)
	{
		t.p = pair_add_any(t.p, x, acc);
		if (x != 0)
			spill_product(acc, x, x);
	}

	template <int N>
	__device__ void
	add(const double (&x)[N], int64_t, block_acc *acc)
	{
		int			max_bits = 0;
		uint32_t	low = 0;
		int			e;

		static_assert(BATCH % N == 0, "sums would grow too long");
#pragma unroll
		for (int i = 0; i < N; i++)
			max_bits = max(max_bits, __double2hiint(x[i]) & 0x7fffffff);
		/* lanes that flush at different times would diverge for good */
		if (N == LOADED)
			max_bits = warp_max(max_bits);
		e = (max_bits >> 20) + 1;
		if (e > MAX_TOP || e < MIN_TOP)
		{
#pragma unroll
			for (int i = 0; i < N; i++)
				add_any(x[i], acc);
			return;
		}
		if (count + N > BATCH || e > top || e < top - SPREAD / 2)
		{
			flush(acc);
			if (e > top || e < top - SPREAD / 2)
				set_top(e);
		}
		count += N;
#pragma unroll
		for (int i = 0; i < N; i++)
		{
			int			hi = __double2hiint(x[i]) & 0x7fffffff;

			if (hi < (top - SPREAD) << 20 && (hi | __double2loint(x[i])) != 0)
				low |= 1u << i;
			add_part(low >> i & 1 ? 0 : x[i]);
		}
		if (low != 0)
		{
#pragma unroll
			for (int i = 0; i < N; i++)
				if (low >> i & 1)
					add_any(x[i], acc);
		}
		if (N == LOADED)
			__syncwarp();
	}

	__device__ moments_total
	close(block_acc *acc)
	{
		flush(acc);
		return t;
	}
};

/* A float and its square are exact doubles. */
struct moments_float4 : heavy_traits
{
	typedef float element;
	typedef moments_total total;
	static const bool EXACT = true;

	moments_total t;

	__host__ __device__
	moments_float4(const gs_op *)
	{
		t.p.hi = -0.0;
		t.p.lo = 0;
		t.q.a = t.q.b = t.q.c = 0;
	}

	__device__ void
	add_any(double x, block_acc *acc)
	{
		t.p = pair_add_any(t.p, x, acc);
		if (gs_is_finite(x))
			t.q = triple_add(t.q, x * x, acc);
		else
			spill_product(acc, x, x);
	}

	template <int N>
	__device__ void
	add(const float (&x)[N], int64_t, block_acc *acc)
	{
		exact_pair	p = t.p;
		gs_pair		q = {t.q.a, t.q.b};
		uint32_t	lost = 0;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			double		d = x[i];
			double		rest;
			gs_pair		e;

			p = pair_add(p, d, &rest);
			lost |= set_bits(rest);
			e = gs_two_sum(q.hi, d * d);
			q.hi = e.hi;
			e = gs_two_sum(q.lo, e.lo);
			q.lo = e.hi;
			lost |= set_bits(e.lo);
		}
		if (lost != 0)
		{
#pragma unroll
			for (int i = 0; i < N; i++)
				add_any(x[i], acc);
			return;
		}
		t.p = p;
		t.q.a = q.hi;
		t.q.b = q.lo;
	}

	__device__ moments_total
	close(block_acc *)
	{
		return t;
	}
};

#endif							/* GS_REDUCE_FLOAT_CUH */
