/*-------------------------------------------------------------------------
 *
 * scan_integer.cuh
 *	  Scans, for scan.cuh: sums of integers; extremes, bits and counts of any
 *	  type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_INTEGER_CUH
#define GS_SCAN_INTEGER_CUH

#include "kernels/scan/scan.cuh"

/* A total of 32 or 64 bits, type I, and how two of them combine. */
template <typename I, class OP>
struct plain_part
{
	static const int WORDS = 1;
	static const bool QUICK = false;
	I			v;

	__device__ static plain_part
	identity()
	{
		plain_part	r = {OP::neutral()};

		return r;
	}

	__device__ static plain_part
	combine(plain_part a, plain_part b)
	{
		plain_part	r = {OP::apply(a.v, b.v)};

		return r;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = (uint64_t) v;
	}

	__device__ static plain_part
	unpack(const gs_u128 *word)
	{
		plain_part	r = {(I) (uint64_t) word[0]};

		return r;
	}
};

template <typename I>
struct op_sum
{
	__device__ static I neutral() { return 0; }
	__device__ static I apply(I a, I b) { return a + b; }
};

template <typename I>
struct op_greatest
{
	__device__ static I
	neutral()
	{
		return sizeof(I) == 8 ? (I) INT64_MIN : (I) INT32_MIN;
	}
	__device__ static I apply(I a, I b) { return max(a, b); }
};

template <typename I>
struct op_or
{
	__device__ static I neutral() { return 0; }
	__device__ static I apply(I a, I b) { return a | b; }
};

template <typename I>
struct op_xor
{
	__device__ static I neutral() { return 0; }
	__device__ static I apply(I a, I b) { return a ^ b; }
};

/* The end of a scan that never fails; RANGED: results can be out of range. */
template <class CARRY, bool RANGED>
struct infallible_scan
{
	__device__ static void
	store_total(const scan_args &a, CARRY total)
	{
		total.pack(a.state->next);
	}

	__device__ static void
	finish(const scan_args &a, uint32_t leading)
	{
		if (!reports(a))
			return;
		if (a.more)
			store_carry<CARRY>(a);
		report(a, leading, RANGED ? read_range(a) : 0);
	}
};

/* What the upsweep saves for the downsweep: nothing. */
struct no_upsweep_info
{
};

/*
 * What all of these scans share.  D provides of(), result() and the types; I
 * is the type of totals, K that of items.
 */
template <class D, typename T_, typename K, typename I, typename OUT, class OP>
struct plain_scan : infallible_scan<plain_part<I, OP>, false>
{
	typedef T_	T;
	typedef K	item;
	typedef OUT out;
	typedef plain_part<I, OP> part;
	typedef part carry_type;
	typedef no_upsweep_info upsweep_info;
	static const bool VALUES = true;
	static const int ELEMENTS = sizeof(T) == 8 ? GS_WIDE_ELEMENTS :
		GS_NARROW_ELEMENTS;

	__device__ static part nothing() { return part::identity(); }
	__device__ static carry_type carry_of(part p) { return p; }
	__device__ static bool is_wanted(const scan_args &) { return true; }

	template <bool HEADS>
	__device__ part
	totals(const scan_args &, const warp_share &w, const uint4 *, int,
		   uint32_t with_head, const item (&x)[ITEMS], upsweep_info *) const
	{
		part		p = nothing();

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			if (HEADS && (w.heads >> i & 1))
				p = nothing();
			p.v = OP::apply(p.v, (I) x[i]);
		}
		return warp_scan<part, HEADS>(p, with_head, GS_WARP);
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *, int,
			const carry_type &before, const part &exclusive,
			const upsweep_info &, const item (&x)[ITEMS],
			out (&r)[ITEMS]) const
	{
		const D    &d = *static_cast<const D *>(this);
		carry_type	start = carry_type::combine(before, exclusive);
		I			v = start.v;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			if (HEADS && (w.heads >> i & 1))
				v = OP::neutral();
			v = OP::apply(v, (I) x[i]);
			r[i] = d.result(v);
		}
		if (a.exclusive)
			make_exclusive(r, d.result(start.v), (out) 0, w.heads);
		return true;
	}
};

template <typename T>
struct scan_sum : plain_scan<scan_sum<T>, T, int32_t, int64_t, int64_t,
							 op_sum<int64_t>>
{
	scan_sum(const gs_op *) {}
	__device__ T absent() const { return 0; }
	__device__ int32_t of(T x) const { return x; }
	__device__ int64_t result(int64_t v) const { return v; }
};

/* Counts the elements that have values, without reading them. */
struct scan_count : plain_scan<scan_count, int64_t, int32_t, int64_t, int64_t,
							   op_sum<int64_t>>
{
	static const bool VALUES = false;

	scan_count(const gs_op *) {}
	__device__ int64_t result(int64_t v) const { return v; }

	__device__ void
	load(const scan_args &a, const uint4 *valid, int count,
		 int32_t (&x)[ITEMS]) const
	{
		uint32_t	bits = a.validity == NULL ? GS_ALL_LANES :
			((const uint16_t *) valid)[opaque_lane()];

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
			x[i] = i < count ? bits >> i & 1 : 0;
	}
};

/* A minimum is the maximum of the complements. */
template <typename T>
struct scan_extreme : plain_scan<scan_extreme<T>, T, typename gs_key<T>::type,
								 typename gs_key<T>::type, T,
								 op_greatest<typename gs_key<T>::type>>
{
	typedef typename gs_key<T>::type key;
	key			flip;

	scan_extreme(const gs_op *op)
	{
		flip = op->kind == GS_SCAN_MIN ? -1 : 0;
	}
	__device__ T
	absent() const
	{
		return flip ? gs_key<T>::last() : gs_key<T>::first();
	}
	__device__ key of(T x) const { return gs_key<T>::of(x) ^ flip; }
	__device__ T result(key v) const { return gs_key<T>::value(v ^ flip); }
};

/* AND is the complement of the complements' OR. */
template <typename T, typename WORD, class OP = op_or<WORD>>
struct scan_bits : plain_scan<scan_bits<T, WORD, OP>, T, WORD, WORD, T, OP>
{
	WORD		flip;

	scan_bits(const gs_op *op)
	{
		flip = op->kind != GS_SCAN_BIT_AND ? 0 : op->type == GS_BOOL ? 1 :
			(WORD) -1;
	}
	__device__ T absent() const { return (T) flip; }
	__device__ WORD of(T x) const { return (WORD) x ^ flip; }
	__device__ T result(WORD v) const { return (T) (v ^ flip); }
};

/* A total of int8 elements, in 128 bits, of which 96 are needed. */
struct wide_part
{
	static const int WORDS = 1;
	static const bool QUICK = false;
	uint64_t	lo;
	int64_t		hi;

	__device__ static wide_part
	identity()
	{
		wide_part	r = {0, 0};

		return r;
	}

	__device__ static wide_part
	combine(wide_part a, wide_part b)
	{
		asm("add.cc.u64 %0, %0, %2;\n\t"
			"addc.u64 %1, %1, %3;"
			: "+l"(a.lo), "+l"(a.hi) : "l"(b.lo), "l"(b.hi));
		return a;
	}

	__device__ void
	add(int64_t x)
	{
		wide_part	b = {(uint64_t) x, x >> 63};

		*this = combine(*this, b);
	}

	/* Is it in int8's range? */
	__device__ bool
	fits() const
	{
		return hi == (int64_t) lo >> 63;
	}

	__device__ void
	pack(gs_u128 *word) const
	{
		word[0] = (gs_u128) (uint32_t) hi << 64 | lo;
	}

	__device__ static wide_part
	unpack(const gs_u128 *word)
	{
		wide_part	r = {(uint64_t) word[0], (int32_t) (word[0] >> 64)};

		return r;
	}
};

struct scan_sum_int8 : infallible_scan<wide_part, true>
{
	typedef int64_t T;
	typedef int64_t item;
	typedef int64_t out;
	typedef wide_part part;
	typedef wide_part carry_type;
	typedef no_upsweep_info upsweep_info;
	static const bool VALUES = true;
	static const int ELEMENTS = GS_WIDE_ELEMENTS;

	scan_sum_int8(const gs_op *) {}

	__device__ static part nothing() { return part::identity(); }
	__device__ static carry_type carry_of(part p) { return p; }
	__device__ static int64_t absent() { return 0; }
	__device__ static bool is_wanted(const scan_args &) { return true; }
	__device__ item of(int64_t x) const { return x; }

	template <bool HEADS>
	__device__ part
	totals(const scan_args &, const warp_share &w, const uint4 *, int,
		   uint32_t with_head, const item (&x)[ITEMS], upsweep_info *) const
	{
		part		p = nothing();

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			if (HEADS && (w.heads >> i & 1))
				p = nothing();
			p.add(x[i]);
		}
		return warp_scan<part, HEADS>(p, with_head, GS_WARP);
	}

	/* Find the first result that is out of range, if there is one. */
	__device__ __noinline__ void
	search_range(const scan_args &a, warp_share w, const uint4 *buffer,
				 int count, wide_part v) const
	{
		item		x[ITEMS];

		share_load(*this, buffer, count, x);
		for (int i = 0; i < count; i++)
		{
			wide_part	before = w.heads >> i & 1 ? nothing() : v;

			v = before;
			v.add(x[i]);
			if (!(a.exclusive ? before : v).fits())
			{
				record_range(a, w.base + gs_lane() * ITEMS + i);
				return;
			}
		}
	}

	template <bool HEADS>
	__device__ bool
	results(const scan_args &a, const warp_share &w, uint4 *buffer,
			int count, const carry_type &before, const part &exclusive,
			const upsweep_info &, const item (&x)[ITEMS], out (&r)[ITEMS]) const
	{
		carry_type	start = carry_type::combine(before, exclusive);
		int64_t		v = (int64_t) start.lo;
		uint64_t	over = start.fits() ? 0 : UINT64_MAX;

#pragma unroll
		for (int i = 0; i < ITEMS; i++)
		{
			int64_t		y = x[i];

			if (HEADS && (w.heads >> i & 1))
				v = 0;
			r[i] = (int64_t) ((uint64_t) v + (uint64_t) y);
			/* overflow: the signs of both addends differ from the sum's */
			over |= (uint64_t) ((v ^ r[i]) & (y ^ r[i]));
			v = r[i];
		}
		if (__any_sync(GS_ALL_LANES, over >> 63))
			search_range(a, w, buffer, count, start);
		if (a.exclusive)
			make_exclusive(r, (int64_t) start.lo, (int64_t) 0, w.heads);
		return true;
	}
};

#endif							/* GS_SCAN_INTEGER_CUH */
