/*-------------------------------------------------------------------------
 *
 * reduce.cuh
 *	  What a reduction adds up: one struct for each operation and element type.
 *
 * Each is a total that a thread, then a block, and in the end the whole grid
 * has of its elements:
 *
 *		element					what is read
 *		add(x, index, acc)		N elements, `index` being the first one's
 *		close(acc)				the total, once a thread has added its last
 *		merge(other, acc)		a total and another
 *		settle(state, place)	and the state, by one thread of the grid
 *
 * Elements and totals come in any order.  The exact sums (EXACT) keep in
 * registers what two or three doubles hold without losing a bit, see when
 * something would be lost, and then take it to accumulators that the block has
 * in shared memory (acc).  On data of ordinary spread that is next to never.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REDUCE_CUH
#define GS_REDUCE_CUH

#include "common.cuh"

/* The state, which is its own report.  All zeros before the first element. */
struct reduce_state
{
	unsigned int done;			/* blocks that are through with this chunk */
	uint32_t	any;			/* a value has been seen */
	uint64_t	best;			/* the best key yet */
	uint64_t	greatest;		/* GS_STATS: likewise, and best the least's */
	int64_t		position;		/* of it */
	uint64_t	bits;			/* OR or XOR of all values */
	uint64_t	isum[2];
	uint64_t	isquares[3];
	gs_acc		sum;
	gs_acc2		squares;
	uint32_t	special[GS_SPECIALS];
};

/* The chunk: how a place among its values becomes a position in the array. */
struct reduce_place
{
	int64_t		first;			/* index in the array of the first element */
	int64_t		n;
	int64_t		present;
	int64_t		bytes;			/* of the values */
	const uint8_t *values;
	const uint8_t *validity;	/* NULL: all present */
	const uint32_t *ranks;
};

/* What most reductions are. */
struct reduce_traits
{
	static const bool EXACT = false;	/* uses block_acc */
	static const bool PLACED = false;	/* wants to know the index */

	static const int BLOCKS = GS_REDUCE_BLOCKS; /* on a multiprocessor */

	/*
	 * So many registers that few threads fit, which have too little under way
	 * if they load to registers only.
	 */
	static const bool STAGED = false;
};

struct heavy_traits : reduce_traits
{
	static const int BLOCKS = GS_REDUCE_HEAVY_BLOCKS;
	static const bool STAGED = true;
};

/*
 * A copy of a kernel's parameter, to be changed.  By words that the compiler
 * knows nothing of: nvcc 13.0 goes on reading a member from the parameter after
 * the copy's has changed.
 */
template <class R>
__device__ static inline R
own_copy(const R &nothing)
{
	static_assert(sizeof(R) % 4 == 0, "not made of words");
	uint32_t	word[sizeof(R) / 4];
	R			r = nothing;

	memcpy(word, &r, sizeof r);
#pragma unroll
	for (int i = 0; i < (int) (sizeof(R) / 4); i++)
		asm volatile("" : "+r"(word[i]));
	memcpy(&r, word, sizeof r);
	return r;
}

/* A block's accumulators. */
struct block_acc
{
	uint32_t	touched;
	gs_acc		sum;
	gs_acc2		squares;
	uint32_t	special[GS_SPECIALS];
};

__device__ static __noinline__ void
spill(block_acc *a, double x)
{
	a->touched = 1;
	gs_acc_atomic_add(&a->sum, x);
}

__device__ static __noinline__ void
spill_product(block_acc *a, double x, double y)
{
	a->touched = 1;
	gs_acc2_atomic_add_product(&a->squares, x, y);
}

/* ----------
 * Sums of floats
 * ----------
 */

/*
 * hi - lo.  The lesser part is kept with its sign changed, so that nothing but
 * -0 comes out as hi - lo = -0 - +0 = -0.
 */
struct exact_pair
{
	double		hi;
	double		lo;
};

/*
 * p + x, but for `lost`, which is to be subtracted.  That is exact where lost
 * is a number.  A lost of zero is +0.
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

/* Are all bits of x zero? */
__device__ static inline uint32_t
set_bits(double x)
{
	return (uint32_t) __double2hiint(x) | (uint32_t) __double2loint(x);
}

/* p + q; false if that is not exact. */
__device__ static inline bool
pair_merge(exact_pair *p, exact_pair q)
{
	gs_pair		s = gs_two_sum(p->hi, q.hi);
	gs_pair		e = gs_two_sum(p->lo, q.lo);
	gs_pair		f = gs_two_sum(e.hi, -s.lo);

	if ((set_bits(e.lo) | set_bits(f.lo)) != 0)
		return false;
	p->hi = s.hi;
	p->lo = f.hi;
	return true;
}

/* p + x for any x; what p cannot hold goes to acc. */
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
	spill(acc, x);				/* not finite, or too large to be added */
	return p;
}

__device__ static inline void
pair_settle(exact_pair p, reduce_state *state)
{
	if (gs_double_bits(p.hi) != UINT64_C(0x8000000000000000))
		gs_acc_atomic_add(&state->sum, p.hi);
	if (p.lo != 0)
		gs_acc_atomic_add(&state->sum, -p.lo);
}

struct sum_total
{
	exact_pair	p;

	__device__ void
	merge(const sum_total &other, block_acc *acc)
	{
		if (pair_merge(&p, other.p))
			return;
		p = pair_add_any(p, other.p.hi, acc);
		p = pair_add_any(p, -other.p.lo, acc);
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &)
	{
		pair_settle(p, state);
	}
};

struct sum_float8 : reduce_traits
{
	typedef double element;
	typedef sum_total total;
	static const bool EXACT = true;

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

/* Floats mostly fit one double, and their errors are mostly none. */
struct sum_float4 : reduce_traits
{
	typedef float element;
	typedef sum_total total;
	static const bool EXACT = true;

	exact_pair	p;

	__host__ __device__
	sum_float4(const gs_op *)
	{
		p.hi = -0.0;
		p.lo = 0;
	}

	template <int N>
	__device__ void
	add(const float (&x)[N], int64_t, block_acc *acc)
	{
		double		hi = p.hi;
		uint32_t	lost = 0;

#pragma unroll
		for (int i = 0; i < N; i++)
		{
			gs_pair		s = gs_two_sum(hi, (double) x[i]);

			hi = s.hi;
			lost |= set_bits(s.lo);
		}
		if (lost == 0)
		{
			p.hi = hi;
			return;
		}
#pragma unroll
		for (int i = 0; i < N; i++)
			p = pair_add_any(p, (double) x[i], acc);
	}

	__device__ sum_total
	close(block_acc *)
	{
		sum_total	t = {p};

		return t;
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

/* q + x; what q cannot hold goes to acc. */
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
		if (!pair_merge(&p, other.p))
		{
			p = pair_add_any(p, other.p.hi, acc);
			p = pair_add_any(p, -other.p.lo, acc);
		}
		q = triple_add(q, other.q.a, acc);
		q = triple_add(q, other.q.b, acc);
		q = triple_add(q, other.q.c, acc);
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &)
	{
		pair_settle(p, state);
		gs_acc2_atomic_add_product(&state->squares, q.a, 1.0);
		gs_acc2_atomic_add_product(&state->squares, q.b, 1.0);
		gs_acc2_atomic_add_product(&state->squares, q.c, 1.0);
		/* no square is -0 */
		atomicOr(&state->squares.seen, GS_SEEN_NOT_NEGATIVE_ZERO);
	}
};

/*
 * Doubles are cut into three parts of 23 bits on a common grid below 2^E, all
 * elements being less: x = h + m + l, where h is a multiple of 2^(E-23), m of
 * 2^(E-46), l of 2^(E-69).  Products of parts have up to 46 bits and units that
 * depend on E alone, so plain additions of BATCH of them are exact; then the
 * sums go to the triple.  An element that is not zero and less than 2^(E-17)
 * may have bits below the grid, and takes the slow way alone.
 */
struct moments_float8 : heavy_traits
{
	typedef double element;
	typedef moments_total total;
	static const bool EXACT = true;
	static const int LOADED = 2 * GS_REDUCE_LOADS;	/* by all lanes */
	static const int PART = 23;
	static const int BATCH = 128;
	static const int SPREAD = 3 * PART - 52;

	/* Bounds of E, biased: no square or sum of squares over- or underflows. */
	static const int MOST = 1023 + 480;
	static const int LEAST = 1023 - 400;

	moments_total t;
	double		h1, m1, l1;		/* sums of parts */
	double		hh, hm, mm, hl, ml, ll; /* of their products */
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
			return;				/* zeros, and -0 + 0 is not -0 */
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

	/* Of elements none of which is a normal number: mostly zeros. */
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
		int			most = 0;
		uint32_t	low = 0;
		int			e;

		static_assert(BATCH % N == 0, "sums would grow too long");
#pragma unroll
		for (int i = 0; i < N; i++)
			most = max(most, __double2hiint(x[i]) & 0x7fffffff);
		/* lanes that flushed at different times would part */
		if (N == LOADED)
			most = greatest_of_warp(most);
		e = (most >> 20) + 1;
		if (e > MOST || e < LEAST)
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

/* A float and its square are doubles. */
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

/* ----------
 * Sums of integers
 * ----------
 */

/* What sums of a batch of T fit, and what the sum of a whole array fits. */
template <typename T> struct integer_range;
template <> struct integer_range<int16_t>
{
	typedef int32_t batch;
	typedef int64_t sum;
};
template <> struct integer_range<int32_t>
{
	typedef int64_t batch;
	typedef int64_t sum;
};
template <> struct integer_range<int64_t>
{
	typedef __int128 batch;
	typedef __int128 sum;
};

template <typename T>
struct sum_integer : reduce_traits
{
	typedef T element;
	typedef sum_integer<T> total;
	typedef typename integer_range<T>::batch batch_sum;
	typename integer_range<T>::sum sum;

	__host__ __device__
	sum_integer(const gs_op *)
	{
		sum = 0;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t, block_acc *)
	{
		batch_sum	batch = 0;

#pragma unroll
		for (int i = 0; i < N; i++)
			batch += x[i];
		sum += batch;
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		sum += other.sum;
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &)
	{
		gs_u128		s = (gs_u128) state->isum[1] << 64 | state->isum[0];

		s += (gs_u128) (__int128) sum;
		state->isum[0] = (uint64_t) s;
		state->isum[1] = (uint64_t) (s >> 64);
	}
};

/* A sum of squares: 192 bits. */
struct wide_sum
{
	uint64_t	word[3];

	__device__ void
	add(uint64_t lo, uint64_t hi, uint64_t top)
	{
		asm("add.cc.u64 %0, %0, %3;\n\t"
			"addc.cc.u64 %1, %1, %4;\n\t"
			"addc.u64 %2, %2, %5;"
			: "+l"(word[0]), "+l"(word[1]), "+l"(word[2])
			: "l"(lo), "l"(hi), "l"(top));
	}
};

template <typename T>
struct moments_integer : reduce_traits
{
	typedef T element;
	typedef moments_integer<T> total;
	typename integer_range<T>::sum sum;
	wide_sum	squares;

	__host__ __device__
	moments_integer(const gs_op *)
	{
		sum = 0;
		squares.word[0] = squares.word[1] = squares.word[2] = 0;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t, block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
		{
			sum += x[i];
			if (sizeof(T) < 8)
			{
				int64_t		wide = x[i];

				squares.add((uint64_t) (wide * wide), 0, 0);
			}
			else
				squares.add((uint64_t) x[i] * (uint64_t) x[i],
							(uint64_t) __mul64hi(x[i], x[i]), 0);
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
		sum += other.sum;
		squares.add(other.squares.word[0], other.squares.word[1],
					other.squares.word[2]);
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &place)
	{
		sum_integer<T> plain(NULL);
		wide_sum	s;

		(void) place;
		plain.sum = sum;
		plain.settle(state, place);
		s.word[0] = state->isquares[0];
		s.word[1] = state->isquares[1];
		s.word[2] = state->isquares[2];
		s.add(squares.word[0], squares.word[1], squares.word[2]);
		state->isquares[0] = s.word[0];
		state->isquares[1] = s.word[1];
		state->isquares[2] = s.word[2];
	}
};

/* ----------
 * Extremes
 * ----------
 */

/* A key of 32 or 64 bits as 64 bits without a sign, in the same order. */
__device__ static inline uint64_t
unsigned_key(int64_t key)
{
	return (uint64_t) key ^ UINT64_C(0x8000000000000000);
}

/* The least is the greatest of the complements. */
GS_INLINE bool
is_least(const gs_op *op)
{
	return op->kind == GS_MIN || op->kind == GS_ARGMIN;
}

template <typename T>
struct extreme_value : reduce_traits
{
	typedef T element;
	typedef extreme_value<T> total;
	typedef typename gs_key<T>::type key;
	key			best;
	key			flip;			/* -1 for the least */

	__host__ __device__
	extreme_value(const gs_op *op)
	{
		flip = is_least(op) ? -1 : 0;
		best = sizeof(key) == 8 ? (key) INT64_MIN : (key) INT32_MIN;
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t, block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
			best = max(best, gs_key<T>::of(x[i]) ^ flip);
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		best = max(best, other.best);
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &)
	{
		uint64_t	mine = unsigned_key(best);

		if (mine > state->best)
			state->best = mine;
	}
};

/* The index of the element with this many values before it. */
__device__ static int64_t
element_of_value(const reduce_place &place, int64_t value)
{
	int64_t		low = 0;
	int64_t		high = (place.n + GS_RANK_BLOCK - 1) / GS_RANK_BLOCK;
	int64_t		at;
	int64_t		left;

	if (place.validity == NULL)
		return value;
	/* the last block whose rank is no more than value */
	while (high - low > 1)
	{
		int64_t		middle = (low + high) / 2;

		if (place.ranks[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	at = low * (GS_RANK_BLOCK / 8);
	for (left = value - place.ranks[low];; at++)
	{
		int			count = __popc(place.validity[at]);

		if (left < count)
			break;
		left -= count;
	}
	for (int bit = 0;; bit++)
		if (place.validity[at] >> bit & 1 && left-- == 0)
			return at * 8 + bit;
}

/* The first of the best, for which -0 equals 0. */
template <typename T>
struct extreme_place : reduce_traits
{
	typedef T element;
	typedef extreme_place<T> total;
	typedef typename gs_key<T>::type key;
	static const bool PLACED = true;
	key			best;
	key			flip;
	uint32_t	place;			/* among the values; -1: none */
	uint32_t	unused;

	__host__ __device__
	extreme_place(const gs_op *op)
	{
		flip = is_least(op) ? -1 : 0;
		best = sizeof(key) == 8 ? (key) INT64_MIN : (key) INT32_MIN;
		place = UINT32_MAX;
		unused = 0;
	}

	__device__ void
	take(key k, uint32_t at)
	{
		if (k > best || (k == best && at < place))
		{
			best = k;
			place = at;
		}
	}

	template <int N>
	__device__ void
	add(const T (&x)[N], int64_t index, block_acc *)
	{
		/* adding 0 makes -0 of a float 0 */
#pragma unroll
		for (int i = 0; i < N; i++)
			take(gs_key<T>::of(x[i] + (T) 0) ^ flip, (uint32_t) index + i);
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		take(other.best, other.place);
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &where)
	{
		uint64_t	mine = unsigned_key(best);

		if (state->position != 0 && mine <= state->best)
			return;
		state->best = mine;
		state->position = where.first + 1 + element_of_value(where, place);
	}
};

/* ----------
 * Bits
 * ----------
 */

/* OR or XOR of words of values; AND is the complement of the complements' OR. */
template <bool XOR>
struct bit_words : reduce_traits
{
	typedef uint64_t element;
	typedef bit_words<XOR> total;
	uint64_t	bits;
	uint64_t	flip;

	__host__ __device__
	bit_words(const gs_op *op)
	{
		bits = 0;
		flip = op->kind == GS_BIT_AND ? UINT64_MAX : 0;
	}

	template <int N>
	__device__ void
	add(const uint64_t (&x)[N], int64_t, block_acc *)
	{
#pragma unroll
		for (int i = 0; i < N; i++)
			bits = XOR ? bits ^ x[i] : bits | (x[i] ^ flip);
	}

	__device__ total
	close(block_acc *)
	{
		return *this;
	}

	__device__ void
	merge(const total &other, block_acc *)
	{
		bits = XOR ? bits ^ other.bits : bits | other.bits;
	}

	__device__ void
	settle(reduce_state *state, const reduce_place &place)
	{
		/* words are read whole; what bytes are left over, here */
		for (int64_t i = place.bytes / 8 * 8; i < place.bytes; i++)
			bits = XOR ?
				bits ^ (uint64_t) place.values[i] << (8 * (i % 8)) :
				bits | (uint64_t) (place.values[i] ^ (uint8_t) flip) <<
				(8 * (i % 8));
		state->bits = XOR ? state->bits ^ bits : state->bits | bits;
	}
};

#endif							/* GS_REDUCE_CUH */
