/*-------------------------------------------------------------------------
 *
 * dot.cuh
 *	  Dot products: what a thread has of its pairs.
 *
 * As for reductions (reduce.cuh), but elements come in pairs: add(x, y, acc)
 * adds N products.
 *
 * The product of two doubles is p + e, exactly, as long as p is far from
 * overflow and underflow.  Three doubles in registers hold the sum of these.
 * Bits that would be lost are detected; the products are then added again with
 * a fourth double.  What four cannot hold goes to the block's accumulators.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DOT_CUH
#define GS_DOT_CUH

#include "kernels/reduce/reduce_float.cuh"
#include "kernels/reduce/reduce_integer.cuh"

/* ----------
 * Integers
 * ----------
 */

template <typename T>
struct dot_integer : reduce_traits
{
	typedef T element;
	typedef dot_integer<T> total;
	wide_sum	sum;

	__host__ __device__
	dot_integer(void)
	{
		sum.word[0] = sum.word[1] = sum.word[2] = 0;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], const T (&y)[N], block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
		{
			int64_t		low = (int64_t) x[i] * (int64_t) y[i];
			int64_t		high = sizeof(T) < 8 ? low >> 63 :
				__mul64hi(x[i], y[i]);

			sum.add((uint64_t) low, (uint64_t) high, (uint64_t) (high >> 63));
		}
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		sum.add(other.sum.word[0], other.sum.word[1], other.sum.word[2]);
	}

	__device__ void
	add_to_state(reduce_state *state)
	{
		atomic_add_words(state->isquares, sum.word);
	}
};

/* ----------
 * Floats
 * ----------
 */

/* The sum is q + d; q.a is -0 as long as all products are. */
struct dot_total
{
	exact_triple q;
	double		d;

	__device__ void
	merge(const dot_total &other, block_acc *acc)
	{
		q = triple_add(q, other.q.a, acc);
		/* +0 would hide that all products are -0 */
		if (other.q.b != 0)
			q = triple_add(q, other.q.b, acc);
		if (other.q.c != 0)
			q = triple_add(q, other.q.c, acc);
		if (other.d != 0)
			q = triple_add(q, other.d, acc);
	}

	__device__ void
	add_to_state(reduce_state *state)
	{
		gs_acc2_atomic_add_product(&state->squares, q.a, 1.0);
		if (q.b != 0)
			gs_acc2_atomic_add_product(&state->squares, q.b, 1.0);
		if (q.c != 0)
			gs_acc2_atomic_add_product(&state->squares, q.c, 1.0);
		if (d != 0)
			gs_acc2_atomic_add_product(&state->squares, d, 1.0);
	}
};

struct dot_float : reduce_traits
{
	typedef dot_total total;
	static const bool EXACT = true;

	dot_total	t;

	__host__ __device__
	dot_float(void)
	{
		t.q.a = -0.0;
		t.q.b = t.q.c = t.d = 0;
	}

	__device__ dot_total
	close(block_acc *)
	{
		return t;
	}
};

struct dot_float8 : dot_float
{
	typedef double element;

	/*
	 * Biased exponents of p for which p + e is exact, and 2^31 products do not
	 * overflow.
	 */
	static const uint32_t LEAST = 64;
	static const uint32_t GREATEST = 1023 + 985;

	/* A product that is not within that, unless a factor is zero. */
	__device__ static inline bool
	is_extreme(double x, double y, double p)
	{
		uint32_t	exponent = (uint32_t) __double2hiint(p) >> 20 & 0x7ff;

		return exponent - LEAST > GREATEST - LEAST &&
			(exponent == 0x7ff || (x != 0 && y != 0));
	}

	/* Add any product. */
	__device__ static __noinline__ dot_total
	add_any(dot_total t, double x, double y, block_acc *acc)
	{
		gs_pair		p = gs_two_product(x, y);
		gs_pair		a;
		gs_pair		b;
		gs_pair		c;
		gs_pair		d;

		if (is_extreme(x, y, p.hi))
		{
			spill_product(acc, x, y);
			return t;
		}
		b = gs_two_sum(t.q.b, p.lo);
		c = gs_two_sum(t.q.c, b.lo);
		d = gs_two_sum(t.d, c.lo);
		if (d.lo != 0)
			spill_product(acc, d.lo, 1.0);
		a = gs_two_sum(t.q.a, p.hi);
		b = gs_two_sum(b.hi, a.lo);
		c = gs_two_sum(c.hi, b.lo);
		d = gs_two_sum(d.hi, c.lo);
		if (d.lo != 0)
			spill_product(acc, d.lo, 1.0);
		t.q.a = a.hi;
		t.q.b = b.hi;
		t.q.c = c.hi;
		t.d = d.hi;
		return t;
	}

	template <int N>
	__device__ void
	add(const double (&x)[N], const double (&y)[N], block_acc *acc)
	{
		exact_triple q = t.q;
		uint32_t	lost = 0;
		bool		extreme = false;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			gs_pair		p = gs_two_product(x[i], y[i]);
			gs_pair		a = gs_two_sum(q.a, p.hi);
			gs_pair		b = gs_two_sum(q.b, p.lo);
			gs_pair		c = gs_two_sum(q.c, b.lo);

			extreme |= is_extreme(x[i], y[i], p.hi);
			q.a = a.hi;
			lost |= set_bits(c.lo);
			b = gs_two_sum(b.hi, a.lo);
			q.b = b.hi;
			c = gs_two_sum(c.hi, b.lo);
			q.c = c.hi;
			lost |= set_bits(c.lo);
		}
		if (lost == 0 && !extreme)
		{
			t.q = q;
			return;
		}
#pragma unroll
		for (int i = 0; i < N; i++)
			t = add_any(t, x[i], y[i], acc);
	}
};

/* The product of two floats is a double. */
struct dot_float4 : dot_float
{
	typedef float element;

	__device__ static __noinline__ exact_triple
	add_any(exact_triple q, float x, float y, block_acc *acc)
	{
		double		p = (double) x * (double) y;

		if (gs_is_finite(p))
			return triple_add(q, p, acc);
		spill_product(acc, x, y);
		return q;
	}

	template <int N>
	__device__ void
	add(const float (&x)[N], const float (&y)[N], block_acc *acc)
	{
		exact_triple q = t.q;
		uint32_t	lost = 0;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			gs_pair		a = gs_two_sum(q.a, (double) x[i] * (double) y[i]);
			gs_pair		b = gs_two_sum(q.b, a.lo);

			q.a = a.hi;
			q.b = b.hi;
			lost |= set_bits(b.lo);
		}
		if (lost == 0)
		{
			t.q = q;
			return;
		}
		q = t.q;
#pragma unroll
		for (int i = 0; i < N; i++)
			q = add_any(q, x[i], y[i], acc);
		t.q = q;
	}
};

#endif							/* GS_DOT_CUH */
