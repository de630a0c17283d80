/*-------------------------------------------------------------------------
 *
 * sum.cuh
 *	  Adding numbers to the sums of their groups: floats, products of floats,
 *	  integers.
 *
 * A float, or the product of two, is added as a fixed-point number if it fits
 * the window of its sum (states.cuh), else to the group's accumulator.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_SUM_CUH
#define GS_GROUP_SUM_CUH

#include "kernels/plan/block.cuh"

#define DIGIT_MASK	((1u << GROUP_DIGIT_BITS) - 1)

/* An integer in two's complement, 32 bits a word. */
template <int WORDS> struct fixed
{
	uint32_t	word[WORDS];
};

/* Digit i; of the last one the bits above, too, which repeat the sign. */
template <int WORDS>
__device__ static inline uint32_t
digit(const fixed<WORDS> &x, int i, bool last)
{
	int			at = i * GROUP_DIGIT_BITS;
	int			k = at / 32;
	uint32_t	next = k + 1 < WORDS ? x.word[k + 1] :
		(uint32_t) ((int32_t) x.word[k] >> 31);
	uint32_t	d = at % 32 == 0 ? x.word[k] :
		__funnelshift_r(x.word[k], next, at % 32);

	return last ? d : d & DIGIT_MASK;
}

__device__ static inline void
add_fixed(fixed<3> *sum, const fixed<3> &x)
{
	asm("add.cc.u32 %0, %0, %3;\n\t"
		"addc.cc.u32 %1, %1, %4;\n\t"
		"addc.u32 %2, %2, %5;" :
		"+r"(sum->word[0]), "+r"(sum->word[1]), "+r"(sum->word[2]) :
		"r"(x.word[0]), "r"(x.word[1]), "r"(x.word[2]));
}

template <add_mode MODE, int DIGITS, int WORDS>
__device__ static inline void
add_digits(const block_states &b, int replicated, int word, int32_t target,
		   const fixed<WORDS> &x)
{
	if (is_local<MODE>(target))
	{
		uint32_t   *to = replicated_word(b, target, replicated);

#pragma unroll
		for (int i = 0; i < DIGITS; i++)
			atomicAdd(to + i * replicas_of<MODE>(b),
					  digit(x, i, i == DIGITS - 1));
	}
	else
	{
		int64_t    *to = record_word(b, (uint32_t) ~target, word);

#pragma unroll
		for (int i = 0; i < DIGITS; i += 2)
		{
			if (i + 1 == DIGITS)
				add_word(to + i / 2, (int32_t) digit(x, i, true));
			else if (i + 2 == DIGITS)
				add_word(to + i / 2, digit(x, i, false) +
						 (int64_t) (1 << GROUP_DIGIT_BITS) *
						 (int32_t) digit(x, i + 1, true));
			else
				add_word(to + i / 2, digit(x, i, false) +
						 (int64_t) (1 << GROUP_DIGIT_BITS) *
						 digit(x, i + 1, false));
		}
	}
}

/* Before anybody else learns its number. */
__device__ static void
clear_accumulator(const group_action *a, uint32_t number)
{
	size_t		size = group_wide_size(a->kind);
	int64_t    *word = (int64_t *) (a->wide + (size_t) (number - 1) * size);

	for (size_t i = 0; i < size / sizeof *word; i++)
		word[i] = 0;
	__threadfence();
}

/*
 * An accumulator for a group that needs one; NULL: there are no more.  The
 * first thread that needs it gets a number, for which others wait.
 */
__device__ static char *
accumulator(const block_states &b, const group_action *a, uint32_t group)
{
	const uint32_t busy = UINT32_MAX;
	volatile uint32_t *of = a->wide_of + group;
	uint32_t	number = *of;

	if (number == 0)
		number = atomicCAS(a->wide_of + group, 0, busy);
	if (number == 0)
	{
		number = atomicAdd(a->wide_count, 1) + 1;
		if (number > a->wide_capacity)
		{
			number = 0;
			atomicOr(&b.job->reported->flags, GROUP_FLAG_FULL);
		}
		else
			clear_accumulator(a, number);
		*of = number;
	}
	while (number == busy)
		number = *of;
	return number == 0 ? NULL :
		a->wide + (size_t) (number - 1) * group_wide_size(a->kind);
}

/* Can -shift bits below the unit be added to GROUP_BELOW? */
__device__ static inline bool
fits_below(int shift, int unit)
{
	return shift >= -GROUP_WORD_BITS && unit >= GROUP_WORD_BITS;
}

/* Add the last -shift bits of an integer, which are below the unit. */
__device__ static inline void
add_below(const block_states &b, const group_action *a, uint32_t group,
		  uint64_t v, int shift)
{
	add_word(rare_word(b, group, a->rare + GROUP_BELOW),
			 (int64_t) (v << (GROUP_WORD_BITS + shift)) & GROUP_WORD_MASK);
}

/* What no window holds: NaN, infinities (`seen`), -0 (0). */
__device__ static void
add_seen(const block_states &b, const group_action *a, uint32_t group,
		 uint32_t seen)
{
	int64_t    *to = rare_word(b, group, a->rare);

	seen &= ~GS_SEEN_NOT_NEGATIVE_ZERO;
	if (seen == 0)
		add_word(to + GROUP_NEGATIVE_ZEROS, 1);
	else if ((*(volatile uint32_t *) (to + GROUP_SEEN) & seen) != seen)
		atomicOr((unsigned long long *) (to + GROUP_SEEN), seen);
}

/* Add a float that does not fit the window: x or, for products, x * y. */
__device__ static void __noinline__
add_unusual(const block_states &b, const group_action *a, uint32_t group,
			double x, double y)
{
	bool		product = a->kind != GS_AGG_SUM;
	char	   *acc;
	uint64_t	mx;
	uint64_t	my;
	int			px;
	int			py;
	bool		nx;
	bool		ny;

	if (!gs_is_finite(x) || (product && !gs_is_finite(y)))
	{
		add_seen(b, a, group, gs_seen(product ? __dmul_rn(x, y) : x));
		return;
	}
	mx = gs_split(x, &px, &nx);
	my = gs_split(y, &py, &ny);
	if (mx == 0 || (product && my == 0))
	{
		if (nx != (product && ny))
			add_seen(b, a, group, 0);
		return;
	}
	acc = accumulator(b, a, group);
	if (acc == NULL)
		return;
	if (product)
	{
		gs_limbs_atomic_add(((gs_acc2 *) acc)->limb, mx * my, px + py,
							nx != ny);
		gs_limbs_atomic_add(((gs_acc2 *) acc)->limb, __umul64hi(mx, my),
							px + py + 64, nx != ny);
	}
	else
		gs_limbs_atomic_add(((gs_acc *) acc)->limb, mx, px, nx);
}

/*
 * A float as a multiple of 2^(window - 1), of 72 bits, where window is the
 * action's unit + 1.  False, and 0, if it is not that, but may be if the bits
 * that would be lost are 0 or are added elsewhere.  The unit is such that NaN
 * and infinities are beyond.
 */
__device__ static inline bool
float_in_window(int64_t bits, int window, fixed<3> *x)
{
	int			hi = (int) (bits >> 32);
	int			shift = (int) ((uint32_t) hi << 1 >> 21) - window;
	bool		fits = (unsigned int) shift <= GROUP_SUM_ROOM;
	uint32_t	lo = fits ? (uint32_t) bits : 0;
	uint32_t	mantissa = fits ? (hi & 0xfffff) | 0x100000 : 0;
	uint32_t	sign = (uint32_t) (hi >> 31);

	x->word[0] = (lo << (shift & 31)) ^ sign;
	x->word[1] = __funnelshift_l(lo, mantissa, shift) ^ sign;
	x->word[2] = __funnelshift_l(mantissa, 0, shift) ^ sign;
	asm("add.cc.u32 %0, %0, %3;\n\t"
		"addc.cc.u32 %1, %1, 0;\n\t"
		"addc.u32 %2, %2, 0;" :
		"+r"(x->word[0]), "+r"(x->word[1]), "+r"(x->word[2]) :
		"r"((uint32_t) hi >> 31));
	return fits;
}

/* What float_in_window refuses; not 0, which adds nothing. */
template <add_mode MODE>
__device__ static void __noinline__
add_float_below(const block_states &b, const add_action &a, int32_t target,
				int64_t bits)
{
	int			exponent = (int) (bits >> 52) & 0x7ff;
	int64_t		m = (bits & INT64_C(0xfffffffffffff)) |
		INT64_C(0x10000000000000);
	int			shift = exponent - 1 - a.unit;
	bool		exact = __ffsll(m) - 1 >= -shift;
	double		v = __longlong_as_double(bits);
	fixed<3>	x;

	if (exponent == 0 || shift > 0 || (!exact && !fits_below(shift, a.unit)))
	{
		add_unusual(b, a.all, record_group<MODE>(b, target), v, v);
		return;
	}
	if (bits < 0)
		m = -m;
	if (!exact)
		add_below(b, a.all, record_group<MODE>(b, target), (uint64_t) m,
				  shift);
	m >>= -shift;
	x.word[0] = (uint32_t) m;
	x.word[1] = (uint32_t) (m >> 32);
	x.word[2] = (uint32_t) (bits >> 63);
	add_digits<MODE, 4>(b, a.replicated, a.word, target, x);
}

template <add_mode MODE, bool FULL>
__device__ static inline void
add_floats(const block_states &b, const add_action &a, const thread_rows &t,
		   uint32_t mask, const int64_t *v)
{
	const int	replicated = a.replicated;
	const int	word = a.word;
	const int	window = a.unit + 1;
	uint32_t	below = 0;

	/* without a branch: what does not fit is 0 here */
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		fixed<3>	x;

		if (!FULL && (mask >> r & 1) == 0)
			continue;
		if (!float_in_window(v[r], window, &x))
			below |= 1u << r;
		add_digits<MODE, 4>(b, replicated, word, t.target[r], x);
	}
	if (below != 0)
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if ((below >> r & 1) != 0 && v[r] != 0)
				add_float_below<MODE>(b, a, t.target[r], v[r]);
		}
	}
}

/*
 * The product of two floats as a multiple of 2^(window - 2), of 144 bits, as
 * above.
 */
template <bool SQUARE>
__device__ static inline bool
product_in_window(int64_t p, int64_t q, int window, fixed<5> *x)
{
	uint32_t	ep = (uint32_t) (p >> 52) & 0x7ff;
	uint32_t	eq = (uint32_t) (q >> 52) & 0x7ff;
	int			shift = (int) (ep + eq) - window;
	bool		fits = (unsigned int) shift <= GROUP_PRODUCT_ROOM &&
		ep - 1 < 0x7fe && eq - 1 < 0x7fe;
	uint64_t	mp = !fits ? 0 :
		((uint64_t) p & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	uint64_t	mq = ((uint64_t) q & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	uint64_t	lo = mp * mq;
	uint64_t	hi = __umul64hi(mp, mq);
	uint32_t	w0 = (uint32_t) lo;
	uint32_t	w1 = (uint32_t) (lo >> 32);
	uint32_t	w2 = (uint32_t) hi;
	uint32_t	w3 = (uint32_t) (hi >> 32);
	bool		far = shift >= 32;

	x->word[0] = far ? 0 : w0 << (shift & 31);
	x->word[1] = far ? w0 << (shift & 31) : __funnelshift_l(w0, w1, shift);
	x->word[2] = __funnelshift_l(far ? w0 : w1, far ? w1 : w2, shift);
	x->word[3] = __funnelshift_l(far ? w1 : w2, far ? w2 : w3, shift);
	x->word[4] = __funnelshift_l(far ? w2 : w3, far ? w3 : 0, shift);
	if (!SQUARE)
	{
		uint32_t	sign = (uint32_t) ((p ^ q) >> 63);

#pragma unroll
		for (int i = 0; i < 5; i++)
			x->word[i] ^= sign;
		asm("add.cc.u32 %0, %0, %5;\n\t"
			"addc.cc.u32 %1, %1, 0;\n\t"
			"addc.cc.u32 %2, %2, 0;\n\t"
			"addc.cc.u32 %3, %3, 0;\n\t"
			"addc.u32 %4, %4, 0;" :
			"+r"(x->word[0]), "+r"(x->word[1]), "+r"(x->word[2]),
			"+r"(x->word[3]), "+r"(x->word[4]) :
			"r"(sign & 1));
	}
	return fits;
}

/* What product_in_window refuses. */
template <add_mode MODE>
__device__ static void __noinline__
add_product_below(const block_states &b, const add_action &a, int32_t target,
				  int64_t p, int64_t q)
{
	int			ep = (int) (p >> 52) & 0x7ff;
	int			eq = (int) (q >> 52) & 0x7ff;
	uint64_t	mp = ((uint64_t) p & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	uint64_t	mq = ((uint64_t) q & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	int			shift = ep + eq - 2 - a.unit;
	uint64_t	lo = mp * mq;
	uint64_t	hi = __umul64hi(mp, mq);
	int			zeros = lo != 0 ? __ffsll((long long) lo) - 1 :
		64 + __ffsll((long long) hi) - 1;
	bool		exact = zeros >= -shift;
	uint64_t	carry = (p ^ q) < 0;
	uint64_t	sign = 0 - carry;
	fixed<5>	x;

	if (ep == 0 || eq == 0 || ep == 0x7ff || eq == 0x7ff || shift > 0 ||
		(!exact && !fits_below(shift, a.unit)))
	{
		add_unusual(b, a.all, record_group<MODE>(b, target),
					__longlong_as_double(p), __longlong_as_double(q));
		return;
	}
	lo = (lo ^ sign) + carry;
	hi = (hi ^ sign) + (carry != 0 && lo == 0);
	if (!exact)
		add_below(b, a.all, record_group<MODE>(b, target), lo, shift);
	if (shift <= -64)
	{
		lo = (uint64_t) ((int64_t) hi >> (-shift - 64));
		hi = sign;
	}
	else if (shift < 0)
	{
		lo = lo >> -shift | (hi << 1) << (63 + shift);
		hi = (uint64_t) ((int64_t) hi >> -shift);
	}
	x.word[0] = (uint32_t) lo;
	x.word[1] = (uint32_t) (lo >> 32);
	x.word[2] = (uint32_t) hi;
	x.word[3] = (uint32_t) (hi >> 32);
	x.word[4] = (uint32_t) sign;
	add_digits<MODE, 8>(b, a.replicated, a.word, target, x);
}

template <add_mode MODE, bool FULL, bool SQUARE>
__device__ static inline void
add_products(const block_states &b, const add_action &a, const thread_rows &t,
			 uint32_t mask, const int64_t *p, const int64_t *q)
{
	const int	replicated = a.replicated;
	const int	word = a.word;
	const int	window = a.unit + 2;
	uint32_t	below = 0;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		fixed<5>	x;

		if (!FULL && (mask >> r & 1) == 0)
			continue;
		if (!product_in_window<SQUARE>(p[r], q[r], window, &x))
			below |= 1u << r;
		add_digits<MODE, 8>(b, replicated, word, t.target[r], x);
	}
	if (below != 0)
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if (below >> r & 1)
				add_product_below<MODE>(b, a, t.target[r], p[r], q[r]);
		}
	}
}

/* An integer, or the product of two. */
template <add_mode MODE, int DIGITS>
__device__ static inline void
add_integer(const block_states &b, int replicated, int word, int32_t target,
			int64_t v)
{
	fixed<3>	x;

	x.word[0] = (uint32_t) v;
	x.word[1] = (uint32_t) (v >> 32);
	x.word[2] = (uint32_t) (v >> 63);
	add_digits<MODE, DIGITS>(b, replicated, word, target, x);
}

template <add_mode MODE>
__device__ static inline void
add_long_product(const block_states &b, int replicated, int word,
				 int32_t target, int64_t p, int64_t q)
{
	uint64_t	lo = (uint64_t) p * (uint64_t) q;
	int64_t		hi = __mul64hi(p, q);
	fixed<5>	x;

	x.word[0] = (uint32_t) lo;
	x.word[1] = (uint32_t) (lo >> 32);
	x.word[2] = (uint32_t) hi;
	x.word[3] = (uint32_t) (hi >> 32);
	x.word[4] = (uint32_t) (hi >> 63);
	add_digits<MODE, 8>(b, replicated, word, target, x);
}

/* Sums, or sums of products, whose addends have so many digits. */
template <add_mode MODE, bool FULL, bool PRODUCT, int DIGITS>
__device__ static inline void
add_integers_of(const block_states &b, const add_action &a,
				const thread_rows &t, uint32_t mask, const int64_t *x,
				const int64_t *y)
{
	const int	replicated = a.replicated;
	const int	word = a.word;

	EACH_ROW(mask, {
		add_integer<MODE, DIGITS>(b, replicated, word, t.target[r],
								  PRODUCT ? x[r] * y[r] : x[r]);
	})
}

template <add_mode MODE, bool FULL, bool PRODUCT>
__device__ static inline void
add_integers(const block_states &b, const add_action &a, const thread_rows &t,
			 uint32_t mask, const int64_t *x, const int64_t *y)
{
	if (PRODUCT && a.digits == 8)
	{
		const int	replicated = a.replicated;
		const int	word = a.word;

		EACH_ROW(mask, {
			add_long_product<MODE>(b, replicated, word, t.target[r], x[r],
								   y[r]);
		})
	}
	else if (a.digits == 1)
		add_integers_of<MODE, FULL, PRODUCT, 1>(b, a, t, mask, x, y);
	else if (a.digits == 2)
		add_integers_of<MODE, FULL, PRODUCT, 2>(b, a, t, mask, x, y);
	else if (a.digits == 3)
		add_integers_of<MODE, FULL, PRODUCT, 3>(b, a, t, mask, x, y);
	else
		add_integers_of<MODE, FULL, PRODUCT, 4>(b, a, t, mask, x, y);
}

#endif							/* GS_GROUP_SUM_CUH */
