/*-------------------------------------------------------------------------
 *
 * group_add.cuh
 *	  Adding a value to the state of its group, in shared or global memory.
 *
 * All functions handle the ROWS rows that a thread has at a time; of those,
 * bit r of a mask says whether row r takes part.  What depends on the action
 * alone is decided once, before the loop over the rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_ADD_CUH
#define GS_GROUP_ADD_CUH

#include "group_accumulate.cuh"
#include "group_execute.cuh"

#ifndef THREADS
#define THREADS		512
#endif
#ifndef ROWS
#define ROWS		8			/* a thread has at a time */
#endif
#define WARPS		(THREADS / GS_WARP)

#define GROUP_TILE	(THREADS * ROWS)

/* FULL: all rows take part, whatever the mask. */
#define EACH_ROW(mask, statement)	GROUP_EACH_ROW(ROWS, FULL, mask, statement)

/*
 * Where states are.  Kernels are compiled for each, and for what their actions
 * do, since tests of either in the loops would cost as much as the work.
 */
typedef enum add_mode
{
	ADD_LOCAL,					/* all in shared memory, in 32 replicas */
	ADD_PACKED,					/* likewise, in fewer replicas */
	ADD_HOT						/* some in shared memory, in 32 replicas; the
								 * others in global memory */
} add_mode;

#define KINDS_FLOAT_SUMS	1	/* and counts, always */
#define KINDS_FLOAT_SQUARES	2
#define KINDS_EXTREMES		4
#define KINDS_INTEGER_SUMS	8	/* not of products */
#define KINDS_OTHERS		16	/* and arguments may be computed */
#define KINDS_FLOATS	(KINDS_FLOAT_SUMS | KINDS_FLOAT_SQUARES | \
						 KINDS_EXTREMES)
#define KINDS_ALL		(KINDS_FLOATS | KINDS_INTEGER_SUMS | \
						 KINDS_OTHERS)

/* What a launch needs beside the accumulation: parameters on the device. */
typedef struct group_launch
{
	int			kinds;			/* KINDS_... of the actions */
	int			blocks;
	const group_job *job;
	const group_layout *layout;
	const group_key_job *keys;
	const group_digit *digits;
	cudaStream_t stream;
} group_launch;

extern cudaError_t group_launch_local(const group_accumulation *g,
									  const group_launch *l);
extern cudaError_t group_launch_packed(const group_accumulation *g,
									   const group_launch *l);
extern cudaError_t group_launch_hot(const group_accumulation *g,
									const group_launch *l);

/* What adding reads of an action; a copy for each block, in shared memory. */
typedef struct add_action
{
	const void *a;
	const void *b;
	const uint32_t *a_validity;
	const uint32_t *b_validity;
	const uint32_t *filter;
	int64_t		a_base;
	int64_t		b_base;
	const group_action *all;	/* in global memory */
	int32_t		word;
	int32_t		rare;
	int32_t		replicated;		/* times replicas */
	int32_t		single;			/* times groups */
	int32_t		unit;
	int8_t		kind;
	int8_t		type;
	int8_t		a_format;
	int8_t		b_format;
	int8_t		digits;
	int8_t		sparse;			/* are there bitmaps? */
	int8_t		again;			/* the values of the action before */
	int16_t		a_slot;			/* computed with the rows; -1: in memory */
	int16_t		b_slot;
} add_action;

/* The same of a key, of dense groups. */
typedef struct add_key
{
	const void *values;
	const uint32_t *validity;
	int64_t		base;
	uint64_t	low;
	uint32_t	size;
	uint32_t	stride;
	int32_t		format;
	int32_t		type;
} add_key;

/*
 * A block's shared memory.  States are found by their places in it, not by
 * pointers, from which the compiler could not tell that they are in shared
 * memory: it then adds by way of global memory's path, which takes longer.
 */
extern __shared__ __align__(16) uint32_t group_shared[];

__device__ static inline int64_t *
group_shared_words(void)
{
	return (int64_t *) group_shared;
}

/* What belongs to it. */
typedef struct block_states
{
	const group_job *job;		/* a copy in shared memory */
	int32_t		replicated;		/* [group][word][replica], from this thread's
								 * replica on; in 32-bit words */
	int32_t		single;			/* [single][group]; in 64-bit words */
	int64_t    *records;
	int64_t    *rare;
	int32_t		replicas;
	int32_t		group_words;	/* replicated ones of a group, times replicas */
	int32_t		record_words;
	int32_t		rare_words;
	slots<ROWS> slots;
} block_states;

/*
 * A thread's rows.  target[r] is a group's place in shared memory or, less
 * than 0, the complement of a group that is in global memory only.
 */
typedef struct thread_rows
{
	uint32_t	counted;		/* mask of those that have a group */
	uint32_t	row[ROWS];
	int32_t		target[ROWS];
} thread_rows;

/* How many replicas there are. */
template <add_mode MODE>
__device__ static inline int
replicas_of(const block_states &b)
{
	return MODE == ADD_PACKED ? b.replicas : GS_WARP;
}

/* The group whose record it is. */
template <add_mode MODE>
__device__ static inline uint32_t
record_group(const block_states &b, int32_t target)
{
	if (MODE == ADD_HOT)
		return target < 0 ? (uint32_t) ~target : b.job->local_group[target];
	return (uint32_t) target;
}

template <add_mode MODE>
__device__ static inline bool
is_local(int32_t target)
{
	return MODE != ADD_HOT || target >= 0;
}

__device__ static inline int64_t *
record_word(const block_states &b, uint32_t group, int word)
{
	return b.records + (size_t) group * b.record_words + word;
}

__device__ static inline int64_t *
rare_word(const block_states &b, uint32_t group, int word)
{
	return b.rare + (size_t) group * b.rare_words + word;
}

__device__ static inline void
add_word(int64_t *word, int64_t addend)
{
	atomicAdd((unsigned long long *) word, (unsigned long long) addend);
}

/* Where a group's replicated words are; `word` is times replicas. */
__device__ static inline uint32_t *
replicated_word(const block_states &b, int32_t target, int word)
{
	return group_shared + b.replicated + target * b.group_words + word;
}

template <add_mode MODE>
__device__ static inline void
count_one(const block_states &b, int32_t target, int replicated, int word)
{
	if (is_local<MODE>(target))
		atomicAdd(replicated_word(b, target, replicated), 1u);
	else
		add_word(record_word(b, (uint32_t) ~target, word), 1);
}

/* Floats as float8; what is exact for a float4. */
__device__ static inline void
widen_floats(int type, int64_t *x)
{
	if (type != GS_FLOAT4)
		return;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
		x[r] = __double_as_longlong(__int_as_float((int) x[r]));
}

/* ----------
 * Sums
 * ----------
 */

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
			atomicOr(b.job->flags, GROUP_FLAG_FULL);
		}
		*of = number;
	}
	while (number == busy)
		number = *of;
	return number == 0 ? NULL :
		a->wide + (size_t) (number - 1) * group_wide_size(a->kind);
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
 * action's unit + 1.  False if it is not that, but may be if the bits that
 * would be lost are 0.  The unit is such that NaN and infinities are beyond.
 */
__device__ static inline bool
float_in_window(int64_t bits, int window, fixed<3> *x)
{
	int			hi = (int) (bits >> 32);
	uint32_t	lo = (uint32_t) bits;
	uint32_t	mantissa = (hi & 0xfffff) | 0x100000;
	int			shift = (int) ((uint32_t) hi << 1 >> 21) - window;
	uint32_t	sign = (uint32_t) (hi >> 31);

	x->word[0] = (lo << (shift & 31)) ^ sign;
	x->word[1] = __funnelshift_l(lo, mantissa, shift) ^ sign;
	x->word[2] = __funnelshift_l(mantissa, 0, shift) ^ sign;
	asm("add.cc.u32 %0, %0, %3;\n\t"
		"addc.cc.u32 %1, %1, 0;\n\t"
		"addc.u32 %2, %2, 0;" :
		"+r"(x->word[0]), "+r"(x->word[1]), "+r"(x->word[2]) :
		"r"((uint32_t) hi >> 31));
	return (unsigned int) shift <= GROUP_SUM_ROOM;
}

/* What float_in_window refuses. */
template <add_mode MODE>
__device__ static void __noinline__
add_float_below(const block_states &b, const add_action &a, int32_t target,
				int64_t bits)
{
	int			exponent = (int) (bits >> 52) & 0x7ff;
	uint64_t	m = ((uint64_t) bits & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	int			shift = exponent - 1 - a.unit;
	double		v = __longlong_as_double(bits);
	fixed<3>	x;

	if (bits == 0)
		return;					/* 0 adds nothing */
	if (exponent == 0 || shift > 0 || __ffsll((long long) m) - 1 < -shift)
	{
		add_unusual(b, a.all, record_group<MODE>(b, target), v, v);
		return;
	}
	m >>= -shift;
	if (bits < 0)
		m = -m;
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

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		fixed<3>	x;

		if (!FULL && (mask >> r & 1) == 0)
			continue;
		if (float_in_window(v[r], window, &x))
			add_digits<MODE, 4>(b, replicated, word, t.target[r], x);
		else
			below |= 1u << r;
	}
	if (below != 0)
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			if (below >> r & 1)
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
	uint64_t	mp = ((uint64_t) p & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	uint64_t	mq = ((uint64_t) q & UINT64_C(0xfffffffffffff)) |
		UINT64_C(0x10000000000000);
	int			shift = (int) (ep + eq) - window;
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
	return (unsigned int) shift <= GROUP_PRODUCT_ROOM && ep - 1 < 0x7fe &&
		eq - 1 < 0x7fe;
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
	uint64_t	carry = (p ^ q) < 0;
	uint64_t	sign = 0 - carry;
	fixed<5>	x;

	if (ep == 0 || eq == 0 || ep == 0x7ff || eq == 0x7ff || shift > 0 ||
		zeros < -shift)
	{
		add_unusual(b, a.all, record_group<MODE>(b, target),
					__longlong_as_double(p), __longlong_as_double(q));
		return;
	}
	if (shift <= -64)
	{
		lo = hi >> (-shift - 64);
		hi = 0;
	}
	else if (shift < 0)
	{
		lo = lo >> -shift | (hi << 1) << (63 + shift);
		hi >>= -shift;
	}
	lo = (lo ^ sign) + carry;
	hi = (hi ^ sign) + (carry != 0 && lo == 0);
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
		if (product_in_window<SQUARE>(p[r], q[r], window, &x))
			add_digits<MODE, 8>(b, replicated, word, t.target[r], x);
		else
			below |= 1u << r;
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

/* Sums, or sums of products. */
template <add_mode MODE, bool FULL, bool PRODUCT>
__device__ static inline void
add_integers(const block_states &b, const add_action &a, const thread_rows &t,
			 uint32_t mask, const int64_t *x, const int64_t *y)
{
	const int	replicated = a.replicated;
	const int	word = a.word;
	const int	digits = a.digits;

	if (PRODUCT && digits == 8)
	{
		EACH_ROW(mask, add_long_product<MODE>(b, replicated, word,
											  t.target[r], x[r], y[r]))
		return;
	}

	/* others fit a word */
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int64_t		v = PRODUCT ? x[r] * y[r] : x[r];

		if (!FULL && (mask >> r & 1) == 0)
			continue;
		if (digits == 1)
			add_integer<MODE, 1>(b, replicated, word, t.target[r], v);
		else if (digits == 2)
			add_integer<MODE, 2>(b, replicated, word, t.target[r], v);
		else
			add_integer<MODE, 4>(b, replicated, word, t.target[r], v);
	}
}

/* ----------
 * Other aggregates
 * ----------
 */

/* Most values change nothing. */
template <bool MIN>
__device__ static inline void
add_extreme(long long *to, long long v)
{
	long long	now = *(volatile long long *) to;

	if (MIN && v < now)
		atomicMin(to, v);
	if (!MIN && v > now)
		atomicMax(to, v);
}

template <add_mode MODE, bool FULL, bool MIN>
__device__ static inline void
add_extremes(const block_states &b, const add_action &a, const thread_rows &t,
			 uint32_t mask, const int64_t *x)
{
	const int	type = a.type;
	const int	single = b.single + a.single;
	const int	word = a.word;

	EACH_ROW(mask, {
		long long	v = group_strictly_ordered(type, x[r]);

		if (is_local<MODE>(t.target[r]))
			add_extreme<MIN>((long long *) group_shared_words() + single +
							 t.target[r], v);
		else
			add_extreme<MIN>((long long *)
							 record_word(b, (uint32_t) ~t.target[r], word),
							 v);
	})
}

__device__ static inline void
add_flags(unsigned long long *to, bool conjunction, unsigned long long v)
{
	unsigned long long now = *(volatile unsigned long long *) to;

	if (conjunction && (now & v) != now)
		atomicAnd(to, v);
	if (!conjunction && (now | v) != now)
		atomicOr(to, v);
}

template <add_mode MODE>
__device__ static inline void
add_bits(const block_states &b, const add_action &a, int32_t target, int64_t x)
{
	unsigned long long v = (unsigned long long) x;
	bool		conjunction = a.kind == GS_AGG_BIT_AND;

	if (a.kind == GS_AGG_BIT_XOR && is_local<MODE>(target))
	{
		uint32_t   *words = replicated_word(b, target, a.replicated);

		atomicXor(words, (uint32_t) v);
		atomicXor(words + replicas_of<MODE>(b), (uint32_t) (v >> 32));
	}
	else if (a.kind == GS_AGG_BIT_XOR)
		atomicXor((unsigned long long *)
				  record_word(b, (uint32_t) ~target, a.word), v);
	else if (is_local<MODE>(target))
		add_flags((unsigned long long *) group_shared_words() + b.single +
				  a.single + target, conjunction, v);
	else
		add_flags((unsigned long long *)
				  record_word(b, (uint32_t) ~target, a.word), conjunction, v);
}

template <add_mode MODE>
__device__ static inline void
add_special(const block_states &b, const add_action &a, int32_t target,
			int64_t x)
{
	double		v = __longlong_as_double(x);

	if (gs_is_special(v))
		add_word(rare_word(b, record_group<MODE>(b, target),
						   a.rare + gs_special_of(v)), 1);
}

/* How it is exact, histogram_bucket.cuh says. */
template <add_mode MODE, bool FULL>
__device__ static inline void
add_buckets(const block_states &b, const add_action &a, const thread_rows &t,
			uint32_t mask, const int64_t *x)
{
	plain_width_rule rule = a.all->rule;
	int			type = a.type;

	EACH_ROW(mask, {
		int			bucket = rule.bucket(type == GS_FLOAT4 || type == GS_FLOAT8 ?
										 __longlong_as_double(x[r]) :
										 (double) x[r]);

		count_one<MODE>(b, t.target[r], a.replicated + bucket * replicas_of<MODE>(b),
					   a.word + bucket);
	})
}

/* The rows in which a computed argument has a value. */
__device__ static inline uint32_t
rows_with_value(const block_states &b, int slot, uint32_t mask)
{
	uint32_t	states;

	if (slot < 0)
		return mask;
	states = b.slots.states[slot * THREADS + threadIdx.x];
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		if (state_of(states, r) != 0)
			mask &= ~(1u << r);
	}
	return mask;
}

/* The rows in which an action's arguments are present and its filter true. */
template <int KINDS>
__device__ static inline uint32_t
rows_of_action(const block_states &b, const add_action &a,
			   const thread_rows &t)
{
	uint32_t	mask = t.counted;

	if (!a.sparse)
		return mask;
	mask = group_rows_with_bit<ROWS>(a.filter, t.row, mask);
	mask = group_rows_with_bit<ROWS>(a.a_validity, t.row, mask);
	mask = group_rows_with_bit<ROWS>(a.b_validity, t.row, mask);
	if ((KINDS & KINDS_OTHERS) != 0)
	{
		mask = rows_with_value(b, a.a_slot, mask);
		mask = rows_with_value(b, a.b_slot, mask);
	}
	return mask;
}

/* The values of an argument. */
template <int KINDS, bool FULL>
__device__ static inline void
read_argument(const block_states &b, const void *values, int format,
			  int64_t base, int slot, const thread_rows &t, uint32_t mask,
			  int64_t *x)
{
	if ((KINDS & KINDS_OTHERS) != 0 && slot >= 0)
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			x[r] = b.slots.values[(slot * ROWS + r) * THREADS + threadIdx.x];
		return;
	}
	group_load_rows<ROWS, FULL>(values, format, base, t.row, mask, x);
}

/* What is left out of a count. */
template <add_mode MODE, int KINDS, bool FULL>
__device__ static inline void
count_left_out(const block_states &b, const add_action &a,
			   const thread_rows &t)
{
	uint32_t	with;

	if (FULL || !a.sparse)
		return;
	with = t.counted & ~rows_of_action<KINDS>(b, a, t);
	EACH_ROW(with, {
		if (is_local<MODE>(t.target[r]))
			atomicAdd(replicated_word(b, t.target[r], a.replicated), 1u);
		else
			add_word(rare_word(b, (uint32_t) ~t.target[r], a.rare), 1);
	})
}

/* Add rows to one action; *mask and x stay for the next one. */
template <add_mode MODE, int KINDS, bool FULL>
__device__ static inline void
act(const block_states &b, const add_action &a, const thread_rows &t,
	uint32_t *mask, int64_t *x)
{
	if (a.kind == GS_AGG_COUNT)
	{
		count_left_out<MODE, KINDS, FULL>(b, a, t);
		return;
	}
	if (!a.again)
	{
		*mask = FULL ? t.counted : rows_of_action<KINDS>(b, a, t);
		read_argument<KINDS, FULL>(b, a.a, a.a_format, a.a_base, a.a_slot, t,
								   *mask, x);
		if (a.kind != GS_AGG_MIN && a.kind != GS_AGG_MAX)
			widen_floats(a.type, x);
	}
	if ((KINDS & ~KINDS_FLOAT_SUMS) == 0 ||
		((KINDS & KINDS_FLOAT_SUMS) != 0 && a.kind == GS_AGG_SUM &&
		 group_is_float(a.type)))
	{
		add_floats<MODE, FULL>(b, a, t, *mask, x);
	}
	else if ((KINDS & KINDS_FLOAT_SQUARES) != 0 &&
			 a.kind == GS_AGG_SQUARES && group_is_float(a.type))
	{
		add_products<MODE, FULL, true>(b, a, t, *mask, x, x);
	}
	else if ((KINDS & KINDS_EXTREMES) != 0 &&
			 a.kind == GS_AGG_MIN)
		add_extremes<MODE, FULL, true>(b, a, t, *mask, x);
	else if ((KINDS & KINDS_EXTREMES) != 0 && a.kind == GS_AGG_MAX)
		add_extremes<MODE, FULL, false>(b, a, t, *mask, x);
	else if ((KINDS & KINDS_INTEGER_SUMS) != 0 && a.kind == GS_AGG_SUM)
		add_integers<MODE, FULL, false>(b, a, t, *mask, x, x);
	else if ((KINDS & KINDS_OTHERS) == 0)
		;
	else if (a.kind == GS_AGG_PRODUCTS)
	{
		int64_t		y[ROWS];

		read_argument<KINDS, FULL>(b, a.b, a.b_format, a.b_base, a.b_slot, t,
								   *mask, y);
		widen_floats(a.type, y);
		if (!group_is_float(a.type))
			add_integers<MODE, FULL, true>(b, a, t, *mask, x, y);
		else
			add_products<MODE, FULL, false>(b, a, t, *mask, x, y);
	}
	else if (group_is_sum(a.kind))
		add_integers<MODE, FULL, true>(b, a, t, *mask, x, x);
	else if (a.kind == GS_AGG_HISTOGRAM)
		add_buckets<MODE, FULL>(b, a, t, *mask, x);
	else if (a.kind == GS_AGG_SPECIALS)
	{
		EACH_ROW(*mask, add_special<MODE>(b, a, t.target[r], x[r]))
	}
	else
	{
		EACH_ROW(*mask, add_bits<MODE>(b, a, t.target[r], x[r]))
	}
}

/* Bytes of shared memory for so many groups. */
static inline size_t
states_size(const group_layout *layout, const group_job *job, int64_t groups,
			int replicas)
{
	return slots_size<ROWS, THREADS>(job->slots) + layout->actions * sizeof(add_action) +
		(size_t) groups * (layout->singles * sizeof(int64_t) +
						   (size_t) layout->replicated * replicas *
						   sizeof(uint32_t));
}

#endif							/* GS_GROUP_ADD_CUH */
