/*-------------------------------------------------------------------------
 *
 * group_accumulate.cu
 *	  Adds the rows of a batch to the states of their groups.
 *
 * Few groups have their states in each block's shared memory, replicated up to
 * 32 times: with a replica for each lane, no two lanes of a warp ever meet in a
 * bank, whatever the keys are.  A float is added as four digits of 18 bits, so
 * that four 32-bit additions do it, and 2^14 additions fit; rounds are counted,
 * and a counter that comes near the limit is emptied into the global record in
 * time.  Exact sums of 10^8 float8 by 100 groups take 0.33 ms on an H200, which
 * is the memory's rate; 64-bit additions in shared memory 0.45, and with one
 * group 1.9.
 *
 * Where states of all groups do not fit, rows add to the records in global
 * memory by 64-bit atomic additions, which the L2 cache executes: 3.2 ms for
 * 1,000,000 groups.  That is slow for groups that have many of the rows, so
 * these (found in a sample) are kept in shared memory as above.
 *
 *-------------------------------------------------------------------------
 */
#include "group_accumulate.cuh"

#define THREADS		1024
#define ROWS		4			/* a thread has at a time */
#define WARPS		(THREADS / GS_WARP)

/* Counters of shared memory that stay below this are safe for a while. */
#define ADDITIONS_CHECKED	(GROUP_DIGIT_ADDITIONS / 2)

/* A 192-bit integer in two's complement, for what is added to a sum. */
typedef struct wide_integer
{
	uint64_t	word[3];
} wide_integer;

/* Where a row adds. */
typedef struct target
{
	uint32_t	group;
	int32_t		local;			/* place in shared memory; -1: global */
} target;

/* A block's shared memory, and what belongs to it. */
typedef struct block_states
{
	const group_layout *layout;
	const group_job *job;
	uint32_t   *replicated;		/* [group][word][replica] */
	int64_t    *single;			/* [single][group] */
	int			replicas;
	int			replica;		/* of this thread */
	int			words;			/* replicated ones a group */
	int			groups;			/* in shared memory */
} block_states;

__device__ static inline uint32_t *
shared_word(const block_states &b, int local, int word)
{
	return b.replicated + ((size_t) local * b.words + word) * b.replicas +
		b.replica;
}

__device__ static inline int64_t *
global_word(const block_states &b, uint32_t group, int word)
{
	return b.job->records + (size_t) group * b.layout->words + word;
}

__device__ static inline void
add_word(int64_t *word, int64_t addend)
{
	atomicAdd((unsigned long long *) word, (unsigned long long) addend);
}

/* Add 1 to a counter. */
__device__ static inline void
count_one(const block_states &b, target t, int replicated, int word)
{
	if (t.local >= 0)
		atomicAdd(shared_word(b, t.local, replicated), 1u);
	else
		add_word(global_word(b, t.group, word), 1);
}

/* ----------
 * Sums
 * ----------
 */

__device__ static inline uint32_t
digit(const wide_integer &x, int i)
{
	int			at = i * GROUP_DIGIT_BITS;
	int			k = at / 64;
	int			shift = at % 64;
	uint64_t	d = x.word[k] >> shift;

	if (shift > 64 - GROUP_DIGIT_BITS && k < 2)
		d |= x.word[k + 1] << (64 - shift);
	return (uint32_t) d;
}

/* The number's `bits` bits from bit 0 on, the last one being the sign. */
template <int DIGITS>
__device__ static inline void
add_digits(const block_states &b, target t, const group_action &a,
		   const wide_integer &x)
{
	const uint32_t mask = (1u << GROUP_DIGIT_BITS) - 1;

	if (t.local >= 0)
	{
		uint32_t   *to = shared_word(b, t.local, a.replicated);

#pragma unroll
		for (int i = 0; i < DIGITS; i++)
		{
			uint32_t	d = digit(x, i);

			/* the last digit has the sign */
			if (i < DIGITS - 1)
				d &= mask;
			else if (DIGITS > 1)
				d = (uint32_t) ((int32_t) (d << (32 - GROUP_DIGIT_BITS)) >>
								(32 - GROUP_DIGIT_BITS));
			atomicAdd(to + i * b.replicas, d);
		}
	}
	else
	{
		int64_t    *to = global_word(b, t.group, a.word);

#pragma unroll
		for (int i = 0; i < (DIGITS + 1) / 2; i++)
		{
			int64_t		w = (int64_t) (digit(x, 2 * i) & mask);

			if (DIGITS == 1)
				w = (int32_t) digit(x, 0);
			else if (2 * i + 2 < DIGITS)
				w |= (int64_t) (digit(x, 2 * i + 1) & mask) << GROUP_DIGIT_BITS;
			else
				w |= (int64_t) ((int32_t) (digit(x, 2 * i + 1) <<
										   (32 - GROUP_DIGIT_BITS)) >>
								(32 - GROUP_DIGIT_BITS)) *
					(1 << GROUP_DIGIT_BITS);
			add_word(to + i, w);
		}
	}
}

__device__ static inline void
negate(wide_integer *x)
{
	uint64_t	carry = 1;

#pragma unroll
	for (int i = 0; i < 3; i++)
	{
		x->word[i] = ~x->word[i] + carry;
		carry = carry != 0 && x->word[i] == 0;
	}
}

/*
 * An accumulator for a group that needs one; NULL: there are no more.  The
 * first thread that needs it gets a number, for which others wait.
 */
__device__ static char *
accumulator(const block_states &b, const group_action &a, uint32_t group)
{
	const uint32_t busy = UINT32_MAX;
	volatile uint32_t *of = a.wide_of + group;
	uint32_t	number = *of;

	if (number == 0)
		number = atomicCAS(a.wide_of + group, 0, busy);
	if (number == 0)
	{
		number = atomicAdd(a.wide_count, 1) + 1;
		if (number > a.wide_capacity)
		{
			number = 0;
			atomicOr(b.job->flags, GROUP_FLAG_FULL);
		}
		*of = number;
	}
	while (number == busy)
		number = *of;
	return number == 0 ? NULL :
		a.wide + (size_t) (number - 1) * group_wide_size(a.kind);
}

/* What no window holds: NaN, infinities, -0. */
__device__ static void
add_seen(const block_states &b, const group_action &a, uint32_t group,
		 uint32_t seen)
{
	int64_t    *to = global_word(b, group, a.word + a.words);

	if (seen == 0)
		add_word(to + GROUP_NEGATIVE_ZEROS, 1);
	else
	{
		seen &= ~GS_SEEN_NOT_NEGATIVE_ZERO;
		if (((uint32_t) *(volatile int64_t *) (to + GROUP_SEEN) & seen) !=
			seen)
			atomicOr((unsigned long long *) (to + GROUP_SEEN), seen);
	}
}

/* Add a float that does not fit the window: `x`, or x * y. */
__device__ static void __noinline__
add_unusual(const block_states &b, const group_action &a, uint32_t group,
			double x, double y)
{
	bool		product = a.kind != GS_AGG_SUM;
	char	   *acc;

	if (!gs_is_finite(x) || (product && !gs_is_finite(y)))
	{
		add_seen(b, a, group, gs_seen(product ? __dmul_rn(x, y) : x));
		return;
	}
	if (x == 0 || (product && y == 0))
	{
		/* of a product, the sign is that of the factors' signs */
		bool		negative = signbit(x) != (product && signbit(y));

		if (negative)
			add_seen(b, a, group, 0);
		return;
	}
	acc = accumulator(b, a, group);
	if (acc == NULL)
		return;
	if (product)
	{
		uint64_t	lo;
		uint64_t	hi;
		int			px;
		int			py;
		bool		nx;
		bool		ny;
		uint64_t	mx = gs_split(x, &px, &nx);
		uint64_t	my = gs_split(y, &py, &ny);

		lo = mx * my;
		hi = __umul64hi(mx, my);
		gs_limbs_atomic_add(((gs_acc2 *) acc)->limb, lo, px + py, nx != ny);
		gs_limbs_atomic_add(((gs_acc2 *) acc)->limb, hi, px + py + 64,
							nx != ny);
	}
	else
	{
		int			position;
		bool		negative;
		uint64_t	m = gs_split(x, &position, &negative);

		gs_limbs_atomic_add(((gs_acc *) acc)->limb, m, position, negative);
	}
}

/* A float as a multiple of 2^unit, |x| < 2^71; false: it is unusual. */
__device__ static inline bool
in_window(double x, int unit, wide_integer *r)
{
	uint64_t	bits = (uint64_t) __double_as_longlong(x);
	int			exponent = (int) (bits >> 52) & 0x7ff;
	uint64_t	m = bits & UINT64_C(0xfffffffffffff);
	int			shift = max(exponent, 1) - 1 - unit;

	if (exponent != 0)
		m |= UINT64_C(0x10000000000000);
	if (shift < 0)
	{
		/* it fits if the bits that would be lost are 0 */
		if (m != 0 && __ffsll((long long) m) - 1 < -shift)
			return false;
		m = m == 0 ? 0 : m >> -shift;
		shift = 0;
	}
	if (shift > 71 - 53 || exponent == 0x7ff ||
		bits == UINT64_C(0x8000000000000000))
		return false;
	r->word[0] = m << shift;
	r->word[1] = (m >> 1) >> (63 - shift);
	r->word[2] = 0;
	if ((int64_t) bits < 0)
		negate(r);
	return true;
}

/* The same of a product, |x * y| < 2^143. */
__device__ static inline bool
product_in_window(double x, double y, int unit, wide_integer *r)
{
	uint64_t	mx;
	uint64_t	my;
	uint64_t	lo;
	uint64_t	hi;
	int			px;
	int			py;
	bool		nx;
	bool		ny;
	int			shift;

	if (!gs_is_finite(x) || !gs_is_finite(y))
		return false;
	mx = gs_split(x, &px, &nx);
	my = gs_split(y, &py, &ny);
	lo = mx * my;
	hi = __umul64hi(mx, my);
	if ((lo | hi) == 0)
	{
		r->word[0] = r->word[1] = r->word[2] = 0;
		return nx == ny;
	}
	shift = px + py - unit;
	if (shift < 0)
	{
		int			zeros = lo != 0 ? __ffsll((long long) lo) - 1 :
			64 + __ffsll((long long) hi) - 1;

		if (zeros < -shift)
			return false;
		if (shift <= -64)
		{
			lo = hi >> (-shift - 64);
			hi = 0;
		}
		else
		{
			lo = lo >> -shift | (hi << 1) << (63 + shift);
			hi >>= -shift;
		}
		shift = 0;
	}
	if (shift > 143 - 106)
		return false;
	r->word[0] = lo << shift;
	r->word[1] = hi << shift | (lo >> 1) >> (63 - shift);
	r->word[2] = (hi >> 1) >> (63 - shift);
	if (nx != ny)
		negate(r);
	return true;
}

/* The exact product of two integers. */
__device__ static inline wide_integer
integer_product(int64_t x, int64_t y)
{
	wide_integer r;

	r.word[0] = (uint64_t) x * (uint64_t) y;
	r.word[1] = (uint64_t) __mul64hi(x, y);
	r.word[2] = (uint64_t) ((int64_t) r.word[1] >> 63);
	return r;
}

template <int DIGITS>
__device__ static inline void
add_float(const block_states &b, target t, const group_action &a,
		  int64_t x, int64_t y)
{
	double		u = group_double(a.type, x);
	double		v = group_double(a.type, y);
	wide_integer sum;

	if (DIGITS == 4 ? in_window(u, a.unit, &sum) :
		product_in_window(u, v, a.unit, &sum))
		add_digits<DIGITS>(b, t, a, sum);
	else
		add_unusual(b, a, t.group, u, v);
}

/* Add the values of ROWS rows, those of `present`. */
__device__ static inline void
add_sum(const block_states &b, const target *t, const group_action &a,
		const int64_t *x, const int64_t *y, uint32_t present)
{
	bool		is_float = group_is_float(a.type);

#define EACH_ROW(statement) \
	_Pragma("unroll") \
	for (int r = 0; r < ROWS; r++) \
	{ \
		if (present >> r & 1) \
			statement; \
	}

	if (is_float && a.kind == GS_AGG_SUM)
	{
		EACH_ROW(add_float<4>(b, t[r], a, x[r], 0))
	}
	else if (is_float)
	{
		EACH_ROW(add_float<8>(b, t[r], a, x[r], y[r]))
	}
	else
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			wide_integer v;

			if ((present >> r & 1) == 0)
				continue;
			v.word[0] = (uint64_t) x[r];
			v.word[1] = v.word[2] = (uint64_t) (x[r] >> 63);
			if (a.kind != GS_AGG_SUM)
				v = integer_product(x[r], y[r]);
			switch (a.digits)
			{
				case 1:
					add_digits<1>(b, t[r], a, v);
					break;
				case 2:
					add_digits<2>(b, t[r], a, v);
					break;
				case 4:
					add_digits<4>(b, t[r], a, v);
					break;
				default:
					add_digits<8>(b, t[r], a, v);
			}
		}
	}
}

/* ----------
 * Other aggregates
 * ----------
 */

/* The least or greatest of a word and x; most x change nothing. */
__device__ static inline void
add_extreme(const block_states &b, target t, const group_action &a, int64_t x)
{
	long long  *to = (long long *) (t.local >= 0 ?
									b.single + a.single * b.groups + t.local :
									global_word(b, t.group, a.word));
	long long	now = *(volatile long long *) to;

	if (a.kind == GS_AGG_MIN ? x >= now : x <= now)
		return;
	if (a.kind == GS_AGG_MIN)
		atomicMin(to, (long long) x);
	else
		atomicMax(to, (long long) x);
}

__device__ static inline void
add_bits(const block_states &b, target t, const group_action &a, int64_t x)
{
	unsigned long long *to;
	unsigned long long now;

	if (a.kind == GS_AGG_BIT_XOR)
	{
		if (t.local >= 0)
		{
			uint32_t   *words = shared_word(b, t.local, a.replicated);

			atomicXor(words, (uint32_t) x);
			atomicXor(words + b.replicas, (uint32_t) (x >> 32));
		}
		else
			atomicXor((unsigned long long *) global_word(b, t.group, a.word),
					  (unsigned long long) x);
		return;
	}
	to = (unsigned long long *) (t.local >= 0 ?
								 b.single + a.single * b.groups + t.local :
								 global_word(b, t.group, a.word));
	now = *(volatile unsigned long long *) to;
	if (a.kind == GS_AGG_BIT_AND)
	{
		if ((now & (unsigned long long) x) != now)
			atomicAnd(to, (unsigned long long) x);
	}
	else if ((now | (unsigned long long) x) != now)
		atomicOr(to, (unsigned long long) x);
}

__device__ static inline void
add_special(const block_states &b, target t, const group_action &a, int64_t x)
{
	double		v = group_double(a.type, x);

	if (gs_is_special(v))
		add_word(global_word(b, t.group, a.word + gs_special_of(v)), 1);
}

/* The rule's own head says how it is exact. */
__device__ static inline int
bucket_of(const gs_aggregate &h, double v)
{
	plain_width_rule rule;
	bool		reversed = h.low > h.high;

	rule.bounds.flip = reversed ? INT32_MIN : 0;
	rule.bounds.buckets = h.buckets;
	rule.bounds.low = reversed ? -h.low : h.low;
	rule.bounds.high = reversed ? -h.high : h.high;
	rule.bounds.width = __dsub_rn(rule.bounds.high, rule.bounds.low);
	rule.formula = h.formula;
	return rule.bucket(v);
}

/* ----------
 * Rows
 * ----------
 */

/* The groups of a thread's rows, and where they are. */
__device__ static inline void
find_targets(const block_states &b, const group_key_job &keys, int64_t row,
			 target *t)
{
	const group_job *job = b.job;

#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int64_t		at = row + r * THREADS;

		t[r].group = GROUP_NONE;
		t[r].local = -1;
		if (at < job->end && group_bit(job->rows, at))
			t[r].group = job->ids != NULL ? __ldg(job->ids + at) :
				group_dense_number(keys, at);
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		if (t[r].group == GROUP_NONE)
			continue;
		if (!job->hot)
			t[r].local = (int32_t) t[r].group;
		else if (job->hot_group[t[r].group % 32] == t[r].group)
			t[r].local = job->hot_local[t[r].group % 32];
		count_one(b, t[r], 0, 0);
	}
}

/* Add a thread's rows to one action. */
__device__ static inline void
act(const block_states &b, const group_action &a, const target *t,
	int64_t row)
{
	int64_t		x[ROWS];
	int64_t		y[ROWS];
	bool		counts = a.kind == GS_AGG_COUNT;
	uint32_t	present = 0;

	if (counts && a.filter == NULL && a.a.validity == NULL &&
		a.b.validity == NULL)
		return;
#pragma unroll
	for (int r = 0; r < ROWS; r++)
	{
		int64_t		at = row + r * THREADS;

		if (t[r].group != GROUP_NONE &&
			counts != (group_bit(a.filter, at) &&
					   group_bit(a.a.validity, at) &&
					   group_bit(a.b.validity, at)))
			present |= 1u << r;
	}
	if (counts)
	{
		EACH_ROW(count_one(b, t[r], a.replicated, a.word))
		return;
	}
	EACH_ROW(x[r] = group_load(a.a, row + r * THREADS))
	if (a.kind == GS_AGG_PRODUCTS)
	{
		EACH_ROW(y[r] = group_load(a.b, row + r * THREADS))
	}
	else
	{
		EACH_ROW(y[r] = x[r])
	}
	switch (a.kind)
	{
		case GS_AGG_SUM:
		case GS_AGG_SQUARES:
		case GS_AGG_PRODUCTS:
			add_sum(b, t, a, x, y, present);
			break;
		case GS_AGG_MIN:
		case GS_AGG_MAX:
			EACH_ROW(add_extreme(b, t[r], a,
								 group_strictly_ordered(a.type, x[r])))
			break;
		case GS_AGG_SPECIALS:
			EACH_ROW(add_special(b, t[r], a, x[r]))
			break;
		case GS_AGG_HISTOGRAM:
			EACH_ROW({
				int			bucket = bucket_of(a.histogram,
											   group_double(a.type, x[r]));

				count_one(b, t[r], a.replicated + bucket, a.word + bucket);
			})
			break;
		default:
			EACH_ROW(add_bits(b, t[r], a, x[r]))
	}
}

/* ----------
 * A block's shared memory
 * ----------
 */

__device__ static void
clear_states(const block_states &b)
{
	int			words = b.groups * b.words * b.replicas;

	for (int i = threadIdx.x; i < words; i += THREADS)
		b.replicated[i] = 0;
	for (int i = 0; i < b.layout->actions; i++)
	{
		const group_action &a = b.layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < b.groups; g += THREADS)
			b.single[a.single * b.groups + g] = group_neutral(a.kind);
	}
	__syncthreads();
}

__device__ static inline uint32_t
group_of_local(const block_states &b, int local)
{
	return b.job->hot ? b.job->local_group[local] : (uint32_t) local;
}

__device__ static inline void
add_digit(const block_states &b, int local, int word, const group_digit &d,
		  uint32_t value)
{
	int64_t    *to = global_word(b, group_of_local(b, local), d.word);

	if (value == 0)
		return;
	if (d.is_xor)
		atomicXor((unsigned long long *) to,
				  (unsigned long long) value << d.shift);
	else
		add_word(to, (d.is_signed ? (int64_t) (int32_t) value :
					  (int64_t) value) * (INT64_C(1) << d.shift));
}

/*
 * Empty the counters to which so much has been added that a digit could
 * overflow before this is called again.
 */
__device__ static void
relieve(const block_states &b, const group_digit *digits)
{
	__syncthreads();
	for (int i = threadIdx.x; i < b.groups * b.replicas; i += THREADS)
	{
		int			local = i / b.replicas;
		uint32_t   *word = b.replicated +
			(size_t) local * b.words * b.replicas + i % b.replicas;

		if (*word < ADDITIONS_CHECKED)
			continue;
		for (int w = 0; w < b.words; w++)
		{
			add_digit(b, local, w, digits[w], word[w * b.replicas]);
			word[w * b.replicas] = 0;
		}
	}
	__syncthreads();
}

/* Add everything to the records: a warp does a row of replicas at a time. */
__device__ static void
flush_states(const block_states &b, const group_digit *digits)
{
	int			words = b.groups * b.words;
	int			per_warp = GS_WARP / b.replicas;

	__syncthreads();
	for (int first = gs_warp() * per_warp; first < words;
		 first += WARPS * per_warp)
	{
		int			i = first + gs_lane() / b.replicas;
		group_digit d = digits[i < words ? i % b.words : 0];
		uint32_t	value = i < words ?
			b.replicated[(size_t) first * b.replicas + gs_lane()] : 0;
		int64_t		sum = d.is_signed ? (int64_t) (int32_t) value :
			(int64_t) value;

		for (int delta = b.replicas / 2; delta > 0; delta /= 2)
		{
			int64_t		other = __shfl_down_sync(GS_ALL_LANES, sum, delta,
												 b.replicas);

			sum = d.is_xor ? sum ^ other : sum + other;
		}
		if (gs_lane() % b.replicas != 0 || sum == 0)
			continue;
		if (d.is_xor)
			atomicXor((unsigned long long *)
					  global_word(b, group_of_local(b, i / b.words), d.word),
					  (unsigned long long) sum << d.shift);
		else
			add_word(global_word(b, group_of_local(b, i / b.words), d.word),
					 sum * (INT64_C(1) << d.shift));
	}
	for (int i = 0; i < b.layout->actions; i++)
	{
		const group_action &a = b.layout->action[i];

		if (a.single < 0)
			continue;
		for (int g = threadIdx.x; g < b.groups; g += THREADS)
		{
			long long	value = b.single[a.single * b.groups + g];
			long long  *to = (long long *)
				global_word(b, group_of_local(b, g), a.word);

			if (value == group_neutral(a.kind))
				continue;
			if (a.kind == GS_AGG_MIN)
				atomicMin(to, value);
			else if (a.kind == GS_AGG_MAX)
				atomicMax(to, value);
			else if (a.kind == GS_AGG_BIT_AND)
				atomicAnd((unsigned long long *) to,
						  (unsigned long long) value);
			else
				atomicOr((unsigned long long *) to,
						 (unsigned long long) value);
		}
	}
}

__global__ void __launch_bounds__(THREADS, 1)
accumulate_kernel(const group_job *job, const group_layout *layout,
				  const group_key_job *keys, const group_digit *digits)
{
	extern __shared__ __align__(16) char accumulate_shared[];
	block_states b;
	int64_t		tile = (int64_t) THREADS * ROWS;
	int			rounds = 0;
	int			relief;

	b.layout = layout;
	b.job = job;
	b.replicas = job->replicas;
	b.replica = threadIdx.x % b.replicas;
	b.words = layout->replicated;
	b.groups = job->local_groups;
	b.single = (int64_t *) accumulate_shared;
	b.replicated = (uint32_t *) (b.single + layout->singles * b.groups);
	relief = ADDITIONS_CHECKED / (int) (tile / b.replicas);
	clear_states(b);
	for (int64_t first = job->first + blockIdx.x * tile; first < job->end;
		 first += gridDim.x * tile)
	{
		int64_t		row = first + threadIdx.x;
		target		t[ROWS];

		if (rounds++ == relief)
		{
			relieve(b, digits);
			rounds = 1;
		}
		find_targets(b, *keys, row, t);
		for (int i = 0; i < layout->actions; i++)
			act(b, layout->action[i], t, row);
	}
	flush_states(b, digits);
}

/* ----------
 * Launch
 * ----------
 */

/* What each replicated word adds to. */
static void
describe_digits(const group_layout *layout, group_digit *digits)
{
	memset(digits, 0, layout->replicated * sizeof(group_digit));
	for (int i = 0; i < layout->actions; i++)
	{
		const group_action *a = &layout->action[i];
		group_digit *d = digits + a->replicated;

		if (a->kind == GS_AGG_HISTOGRAM)
		{
			for (int w = 0; w < a->histogram.buckets + 3; w++)
				d[w].word = a->word + w;
		}
		else if (a->kind == GS_AGG_COUNT)
			d[0].word = a->word;
		else if (a->kind == GS_AGG_BIT_XOR)
		{
			d[0].word = d[1].word = a->word;
			d[0].is_xor = d[1].is_xor = 1;
			d[1].shift = 32;
		}
		else if (group_is_sum(a->kind))
		{
			for (int w = 0; w < a->digits; w++)
			{
				d[w].word = a->word + w / 2;
				d[w].shift = w % 2 * GROUP_DIGIT_BITS;
				d[w].is_signed = w == a->digits - 1;
			}
		}
	}
}

static cudaError_t
send_digits(const group_layout *layout, group_digit *to, cudaStream_t stream)
{
	size_t		size = layout->replicated * sizeof(group_digit);
	group_digit *digits = (group_digit *) malloc(size);
	cudaError_t error;

	if (digits == NULL)
		return cudaErrorMemoryAllocation;
	describe_digits(layout, digits);

	/* from pageable memory, which is read before this returns */
	error = cudaMemcpyAsync(to, digits, size, cudaMemcpyHostToDevice, stream);
	free(digits);
	return error;
}

/* Bytes of shared memory for so many groups. */
static size_t
states_size(const group_layout *layout, int64_t groups, int replicas)
{
	return (size_t) groups * (layout->singles * sizeof(int64_t) +
							  (size_t) layout->replicated * replicas *
							  sizeof(uint32_t));
}

/*
 * Do the states of all groups fit?  Then as many replicas as fit, but no more
 * than the rows are worth.
 */
static bool
choose_replicas(const group_layout *layout, group_job *job, size_t max_shared,
				int64_t rows_a_block)
{
	if (job->groups > (int64_t) max_shared ||
		states_size(layout, job->groups, 1) > max_shared)
		return false;
	job->hot = 0;
	job->local_groups = (int32_t) job->groups;
	job->replicas = GS_WARP;
	while (states_size(layout, job->groups, job->replicas) > max_shared ||
		   (job->replicas > 1 &&
			job->groups * layout->replicated * job->replicas >
			4096 + rows_a_block))
		job->replicas /= 2;
	return true;
}

/* Keep groups in shared memory that have many of the sampled rows. */
static void
choose_hot(const group_layout *layout, group_job *job, size_t max_shared,
		   const uint32_t *sample, int n)
{
	static const uint32_t min_share = 128;	/* of all rows, its inverse */
	int			places = 0;

	job->hot = 1;
	job->local_groups = 0;
	job->replicas = GS_WARP;
	for (int i = 0; i < 32; i++)
		job->hot_group[i] = GROUP_NONE;
	while (places < 32 &&
		   states_size(layout, places + 1, GS_WARP) <= max_shared)
		places++;
	for (int i = 0; i < n && job->local_groups < places; i++)
	{
		uint32_t	group = sample[i];
		int			same = 0;

		if (group == GROUP_NONE || job->hot_group[group % 32] != GROUP_NONE)
			continue;
		for (int k = i; k < n && k < i + n / 2; k++)
			same += sample[k] == group;
		if (same < (int) (n / min_share) || same < 3)
			continue;
		job->hot_group[group % 32] = group;
		job->hot_local[group % 32] = (int8_t) job->local_groups;
		job->local_group[job->local_groups++] = group;
	}
}

/* Every so many rows, the group of one; done by one block. */
__global__ void
sample_groups_kernel(const group_job *job, const group_key_job *keys,
					 uint32_t *sample)
{
	int64_t		row = job->first + (int64_t)
		((double) (job->end - job->first) * threadIdx.x / blockDim.x);

	sample[threadIdx.x] = !group_bit(job->rows, row) ? GROUP_NONE :
		job->ids != NULL ? job->ids[row] : group_dense_number(*keys, row);
}

#define SAMPLE		1024

cudaError_t
group_accumulate(const group_accumulation *g, gs_exec_context *context)
{
	group_job  *job = g->job;
	const group_layout *layout = g->layout;
	int64_t		rows = job->end - job->first;
	int64_t		tiles = gs_divide_up(rows, THREADS * ROWS);
	size_t		max_shared;
	int			blocks;
	char	   *device = g->device->at;
	group_job  *device_job = (group_job *) gs_part(&device, sizeof *job);
	group_layout *device_layout =
		(group_layout *) gs_part(&device, sizeof *layout);
	group_key_job *device_keys =
		(group_key_job *) gs_part(&device, sizeof *g->keys);
	group_digit *device_digits =
		(group_digit *) gs_part(&device,
								layout->replicated * sizeof(group_digit));
	uint32_t   *device_sample = (uint32_t *) device;

	GS_TRY(gs_allow_shared<accumulate_kernel>());
	GS_TRY(group_shared_size(&max_shared));
	GS_TRY(gs_grid(tiles, 1, &blocks));
	GS_TRY(cudaMemcpyAsync(device_layout, layout, sizeof *layout,
						   cudaMemcpyHostToDevice, context->compute));
	GS_TRY(cudaMemcpyAsync(device_keys, g->keys, sizeof *g->keys,
						   cudaMemcpyHostToDevice, context->compute));
	if (!choose_replicas(layout, job, max_shared, rows / blocks))
	{
		GS_TRY(cudaMemcpyAsync(device_job, job, sizeof *job,
							   cudaMemcpyHostToDevice, context->compute));
		sample_groups_kernel<<<1, SAMPLE, 0, context->compute>>>
			(device_job, device_keys, device_sample);
		GS_TRY(gs_launched());
		GS_TRY(group_report(context, device_sample,
							SAMPLE * sizeof(uint32_t)));
		choose_hot(layout, job, max_shared, (uint32_t *) context->report,
				   SAMPLE);
	}
	if (job->local_groups > 0)
		GS_TRY(send_digits(layout, device_digits, context->compute));
	GS_TRY(cudaMemcpyAsync(device_job, job, sizeof *job,
						   cudaMemcpyHostToDevice, context->compute));
	accumulate_kernel<<<blocks, THREADS,
		states_size(layout, job->local_groups, job->replicas),
		context->compute>>>(device_job, device_layout, device_keys,
							device_digits);
	return gs_launched();
}

size_t
group_accumulate_scratch_size(const group_layout *layout)
{
	return gs_aligned(sizeof(group_job)) + gs_aligned(sizeof(group_layout)) +
		gs_aligned(sizeof(group_key_job)) +
		gs_aligned(layout->replicated * sizeof(group_digit)) +
		SAMPLE * sizeof(uint32_t);
}

/* ----------
 * Units
 * ----------
 */

#define UNIT_THREADS	256
#define UNIT_ROWS		16		/* a thread */

/* The highest position (exact.h) of the addends in a sample; a block each. */
__global__ void
positions_kernel(const group_layout *layout, int64_t n, int *highest)
{
	const group_action &a = layout->action[blockIdx.x];
	int			mine = -1;

	if (group_adds_floats(&a))
	{
		for (int i = 0; i < UNIT_ROWS; i++)
		{
			int64_t		row = (int64_t) ((double) n *
										 (i * UNIT_THREADS + threadIdx.x) /
										 (UNIT_ROWS * UNIT_THREADS));
			double		x;
			double		y = 1;
			int			position;
			int			other = 0;
			bool		negative;

			if (!group_bit(a.a.validity, row) || !group_bit(a.b.validity, row))
				continue;
			x = group_double(a.type, group_load(a.a, row));
			if (a.kind == GS_AGG_PRODUCTS)
				y = group_double(a.type, group_load(a.b, row));
			else if (a.kind == GS_AGG_SQUARES)
				y = x;
			if (!gs_is_finite(x) || !gs_is_finite(y) || x == 0 || y == 0)
				continue;
			(void) gs_split(x, &position, &negative);
			if (a.kind != GS_AGG_SUM)
				(void) gs_split(y, &other, &negative);
			mine = max(mine, position + other);
		}
	}
	if (mine >= 0)
		atomicMax(highest + blockIdx.x, mine);
}

/*
 * Choose the windows that are not known yet, if the sample has any values, such
 * that the highest of them fits with two bits to spare.
 */
cudaError_t
group_choose_units(group_layout *layout, int64_t n, group_memory *scratch,
				   gs_exec_context *context)
{
	char	   *at;
	int		   *highest;
	bool		needed = false;

	for (int i = 0; i < layout->actions; i++)
		needed |= group_adds_floats(&layout->action[i]) &&
			layout->action[i].unit == GROUP_NO_UNIT;
	if (!needed)
		return cudaSuccess;
	GS_TRY(group_reserve(scratch, gs_aligned(sizeof *layout) +
						 layout->actions * sizeof(int), context->compute));
	at = scratch->at;
	at += gs_aligned(sizeof *layout);
	highest = (int *) at;
	GS_TRY(cudaMemcpyAsync(scratch->at, layout, sizeof *layout,
						   cudaMemcpyHostToDevice, context->compute));
	GS_TRY(cudaMemsetAsync(highest, 0xff, layout->actions * sizeof(int),
						   context->compute));
	positions_kernel<<<layout->actions, UNIT_THREADS, 0, context->compute>>>
		((const group_layout *) scratch->at, n, highest);
	GS_TRY(gs_launched());
	GS_TRY(group_report(context, highest, layout->actions * sizeof(int)));
	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];
		int			position = ((int *) context->report)[i];
		int			room = a->kind == GS_AGG_SUM ? 71 - 53 : 143 - 106;

		if (!group_adds_floats(a) || a->unit != GROUP_NO_UNIT || position < 0)
			continue;
		a->unit = position + 2 - room;
		if (a->unit < 0)
			a->unit = 0;
	}
	return cudaSuccess;
}
