/*-------------------------------------------------------------------------
 *
 * scan_exact.cu
 *	  Prefix sums of floats of any spread, by accumulators.
 *
 * This method always works: every thread has an accumulator of its own (a
 * column of limbs in shared memory), and rounds it at each of its elements.
 * It runs after scan_float.cu's kernel and returns at once unless that has
 * failed; for an array of one batch it is launched only after a failure.
 *
 * Accumulators add limb by limb, so merging threads and tiles is a set of
 * independent scans of integers, one for each limb and thread.  The look-back
 * is that of lookback.cuh, except that a tile's total is too long for one
 * store: its limbs are written first, its state last.
 *
 * Infinities and NaN are flags, which are merged by OR.
 *
 * Source: the accumulator is Kulisch's (exact/exact.h).
 * Determinism: limbs are integers, which add up to the same in any order.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/scan/scan.cuh"

#define THREADS		64
#define SHARE		32			/* elements a thread */
#define EXACT_ITEMS	(THREADS * SHARE)	/* a tile */
#define LIMBS		GS_ACC_LIMBS
#define AHEAD		8			/* tiles that the look-back reads at once */

/* A published total: the flags seen are one more limb. */
struct exact_total
{
	int64_t		limb[LIMBS];
	uint64_t	seen;
};

struct exact_header
{
	unsigned int next;
	unsigned int done;			/* finished tiles */
	uint32_t	state[];		/* gs_tile_state of each */
};

struct exact_shared
{
	int64_t		limb[LIMBS][THREADS];
	uint32_t	seen[THREADS];	/* first a thread's, then those before it */
	uint32_t	has_head[THREADS];
	exact_total total;
	exact_total before;
	unsigned int tile;
	bool		wanted;
};

/* ----------
 * Rounding
 * ----------
 */

/* Limb k of an accumulator is limb[k * stride]. */
struct limb_column
{
	int64_t    *limb;
	int			stride;

	__device__ int64_t &
	operator[](int k) const
	{
		return limb[k * stride];
	}
};

/* The 64 leading bits of a sum, top * 2^exponent, and whether any follow. */
struct leading_bits
{
	uint64_t	top;			/* 0 for the sum 0 */
	int			exponent;
	bool		sticky;
	bool		negative;
};

__device__ static leading_bits
leading_of(limb_column limb)
{
	leading_bits r = {0, 0, false, false};
	int64_t		carry = 0;
	uint32_t	w2 = 0;
	uint32_t	w1 = 0;
	uint32_t	w0 = 0;
	uint32_t	below = 0;

	for (int k = 0; k < LIMBS; k++)
		carry = (limb[k] + carry) >> 32;
	r.negative = carry < 0;
	carry = 0;
	for (int k = 0; k <= LIMBS; k++)
	{
		if (k < LIMBS)
			carry += r.negative ? -limb[k] : limb[k];
		below |= w0;
		w0 = w1;
		w1 = w2;
		w2 = (uint32_t) carry;
		carry >>= 32;
		if (w2 != 0)
		{
			int			shift = __clz(w2);

			r.top = ((uint64_t) w2 << 32 | w1) << shift |
				(uint64_t) w0 << shift >> 32;
			r.sticky = below != 0 || (w0 << shift) != 0;
			r.exponent = 32 * (k - 1) + GS_ACC_LOWEST - shift;
		}
	}
	return r;
}

/* Round to nearest; infinity if out of range. */
__device__ static double
round_leading(double, leading_bits v)
{
	int			e = v.exponent + 63;
	uint64_t	sign = (uint64_t) v.negative << 63;
	uint64_t	m;
	uint64_t	rest;

	if (v.top == 0)
		return 0;
	/* subnormal: all bits fit, since there are none below 2^-1074 */
	if (e < -1022)
		return gs_bits_double(sign | v.top >> (GS_ACC_LOWEST - v.exponent));
	m = v.top >> 11;
	rest = v.top & 0x7ff;
	if (rest > 0x400 || (rest == 0x400 && (v.sticky || (m & 1))))
		m++;
	if (m >> 53)
		e++;					/* all other bits are 0 then */
	if (e > 1023)
		return gs_bits_double(sign | UINT64_C(0x7ff0000000000000));
	return gs_bits_double(sign | (uint64_t) (e + 1023) << 52 |
						  (m & UINT64_C(0xfffffffffffff)));
}

/* Rounded to a float, by way of a double rounded to odd. */
__device__ static float
round_leading(float, leading_bits v)
{
	uint64_t	m = v.top >> 11 | ((v.top & 0x7ff) != 0 || v.sticky);
	int			e = v.exponent + 63;

	if (v.top == 0)
		return 0;
	if (e > 200)
		return v.negative ? -__int_as_float(0x7f800000) :
			__int_as_float(0x7f800000);
	return (float) gs_bits_double((uint64_t) v.negative << 63 |
								  (uint64_t) (e + 1023) << 52 |
								  (m & UINT64_C(0xfffffffffffff)));
}

/* Round a sum with these flags; *over is set if it is out of range. */
template <typename F>
__device__ static F
round_sum(limb_column limb, uint32_t seen, bool *over)
{
	const uint32_t both = GS_SEEN_POSITIVE_INF | GS_SEEN_NEGATIVE_INF;
	F			r;

	if ((seen & GS_SEEN_NAN) || (seen & both) == both)
		return (F) gs_canonical_nan();
	if (seen & GS_SEEN_POSITIVE_INF)
		return __int_as_float(0x7f800000);
	if (seen & GS_SEEN_NEGATIVE_INF)
		return -__int_as_float(0x7f800000);
	if (!(seen & GS_SEEN_NOT_NEGATIVE_ZERO))
		return (F) -0.0;
	r = round_leading(F(), leading_of(limb));
	*over = !gs_is_finite((double) r);
	return r;
}

__device__ static void
add_finite(limb_column limb, double x)
{
	int			position;
	bool		negative;
	uint64_t	m = gs_split(x, &position, &negative);
	int			k = position >> 5;
	int			shift = position & 31;
	uint64_t	low = m << shift;
	int64_t		w0 = (int64_t) (low & 0xffffffffu);
	int64_t		w1 = (int64_t) (low >> 32);
	int64_t		w2 = (int64_t) ((m >> 1) >> (63 - shift));

	limb[k] += negative ? -w0 : w0;
	limb[k + 1] += negative ? -w1 : w1;
	limb[k + 2] += negative ? -w2 : w2;
}

__device__ static void
add_any(limb_column limb, uint32_t *seen, double x)
{
	*seen |= gs_seen(x);
	if (gs_is_finite(x))
		add_finite(limb, x);
}

/* ----------
 * Input from outside the tile
 * ----------
 */

/* A thread's share of the elements. */
template <typename F>
struct exact_share
{
	int64_t		first;
	int			count;
	uint32_t	valid;
	uint32_t	heads;
	const F    *values;			/* values of those elements that have one */

	__device__
	exact_share(const scan_args &a, int64_t tile)
	{
		int64_t		left;

		first = tile * EXACT_ITEMS + threadIdx.x * SHARE;
		left = a.n - first;
		count = left >= SHARE ? SHARE : left <= 0 ? 0 : (int) left;
		valid = count == SHARE ? GS_ALL_LANES : (1u << count) - 1;
		heads = 0;
		values = (const F *) a.values + first;
		if (count == 0)
			return;
		read_heads(a);
		heads &= valid;
		if (a.validity != NULL)
		{
			const uint32_t *word = (const uint32_t *) a.validity + first / 32;
			uint32_t	rank = a.ranks[first / GS_RANK_BLOCK];

			for (int i = (int) (first % GS_RANK_BLOCK / 32); i > 0; i--)
				rank += __popc(word[-i]);
			values = (const F *) a.values + rank;
			valid &= *word;
		}
	}

	__device__ void
	read_heads(const scan_args &a)
	{
		if (a.head_source == HEADS_BYTES)
		{
			for (int i = 0; i < count; i += 4)
				heads |= gather_bits(*(const uint32_t *) (a.heads + first + i))
					<< i;
		}
		else if (a.head_source == HEADS_BITS)
			heads = ((const uint32_t *) a.heads)[first / 32];
		else if (a.head_source == HEADS_EVERY)
		{
			uint32_t	after = ((uint32_t) first + a.lead) % a.every;

			for (uint32_t i = after == 0 ? 0 : a.every - after; i < SHARE;
				 i += a.every)
				heads |= 1u << i;
		}
	}
};

/* Read the total before the batch, by the first thread. */
__device__ static void
read_carry(const scan_args &a, exact_total *before)
{
	limb_column limb = {before->limb, 1};
	uint32_t	seen = 0;

	if (a.first == 0)
		return;
	if (a.state->wide)
	{
		for (int k = 0; k < LIMBS; k++)
			limb[k] = a.state->acc.limb[k];
		before->seen = a.state->acc.seen;
	}
	else
	{
		gs_u128		second = a.state->carry[1];
		gs_u128		first = a.state->carry[0];

		/* hi - lo - tail, as scan_float.cu packs them */
		add_any(limb, &seen, gs_bits_double((uint64_t) first));
		add_finite(limb, -gs_bits_double((uint64_t) second));
		add_finite(limb, -gs_bits_double
				   ((uint64_t) (uint32_t) (second >> 64) << 32 |
					(uint32_t) (first >> 64)));
		before->seen = seen;
	}
}

__device__ static uint32_t
read_state(const uint32_t *state)
{
	return *(const volatile uint32_t *) state;
}

/*
 * Add up the totals of all earlier tiles, by all threads: limb k by thread k
 * or k - THREADS, the flags by the last.  totals has an aggregate and a prefix
 * for each tile.
 */
__device__ static void
look_back(const exact_header *header, const exact_total *totals, int64_t tile,
		  exact_total *before)
{
	uint32_t	state = GS_TILE_NOTHING;

	for (int64_t at = tile - 1; state != GS_TILE_PREFIX;)
	{
		uint32_t	states[AHEAD];

#pragma unroll
		for (int i = 0; i < AHEAD; i++)
			states[i] = at >= i ? read_state(header->state + at - i) :
				(uint32_t) GS_TILE_NOTHING;
		__threadfence();
		for (int i = 0; i < AHEAD && states[i] != GS_TILE_NOTHING; i++, at--)
		{
			const exact_total *t = totals + 2 * at +
				(states[i] == GS_TILE_PREFIX);

			for (int k = threadIdx.x; k < LIMBS; k += THREADS)
				before->limb[k] += __ldcg((const long long *) t->limb + k);
			if (threadIdx.x == THREADS - 1)
				before->seen |= __ldcg((const unsigned long long *) &t->seen);
			state = states[i];
			if (state == GS_TILE_PREFIX)
				break;
		}
	}
}

/* Write a total, then its state. */
__device__ static void
publish(exact_header *header, exact_total *totals, int64_t tile,
		gs_tile_state state, const exact_total *total,
		const exact_total *before)
{
	exact_total *t = totals + 2 * tile + (state == GS_TILE_PREFIX);

	for (int k = threadIdx.x; k < LIMBS; k += THREADS)
		t->limb[k] = total->limb[k] + (before == NULL ? 0 : before->limb[k]);
	if (threadIdx.x == THREADS - 1)
		t->seen = total->seen | (before == NULL ? 0 : before->seen);
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		*(volatile uint32_t *) (header->state + tile) = state;
}

/* ----------
 * The kernel
 * ----------
 */

/* Each thread's total, from its last head on. */
template <typename F>
__device__ static void
add_share(const exact_share<F> &s, exact_shared &shared)
{
	limb_column mine = {&shared.limb[0][threadIdx.x], THREADS};
	int			from = s.heads == 0 ? 0 : 31 - __clz(s.heads);
	uint32_t	seen = 0;

	for (int k = 0; k < LIMBS; k++)
		mine[k] = 0;
	for (int i = from; i < s.count; i++)
		if (s.valid >> i & 1)
			add_any(mine, &seen,
					(double) s.values[__popc(s.valid & ((1u << i) - 1))]);
	shared.seen[threadIdx.x] = seen;
	shared.has_head[threadIdx.x] = s.heads != 0;
}

/*
 * Replace the threads' totals by exclusive prefixes; compute the tile's total.
 */
__device__ static void
scan_threads(exact_shared &shared)
{
	for (int k = threadIdx.x; k < LIMBS; k += THREADS)
	{
		int64_t		sum = 0;

		for (int t = 0; t < THREADS; t++)
		{
			int64_t		own = shared.limb[k][t];

			shared.limb[k][t] = sum;
			sum = shared.has_head[t] ? own : sum + own;
		}
		shared.total.limb[k] = sum;
		shared.before.limb[k] = 0;
	}
	if (threadIdx.x == THREADS - 1)
	{
		uint32_t	seen = 0;

		for (int t = 0; t < THREADS; t++)
		{
			uint32_t	own = shared.seen[t];

			shared.seen[t] = seen;
			seen = shared.has_head[t] ? own : seen | own;
		}
		shared.total.seen = seen;
		shared.before.seen = 0;
	}
}

/* Write each thread's results, starting from its prefix. */
template <typename F>
__device__ static void
write_results(const scan_args &a, const exact_share<F> &s, exact_shared &shared,
			  uint32_t leading)
{
	limb_column mine = {&shared.limb[0][threadIdx.x], THREADS};
	uint32_t	seen = shared.seen[threadIdx.x];
	bool		headed = false;
	uint32_t	known = GS_ALL_LANES;

	for (int t = 0; t < threadIdx.x; t++)
		headed |= shared.has_head[t] != 0;
	if (!headed)
	{
		for (int k = 0; k < LIMBS; k++)
			mine[k] += shared.before.limb[k];
		seen |= (uint32_t) shared.before.seen;
	}
	if (a.exclusive)
	{
		if (a.known != NULL && s.count > 0)
			known = ((const uint32_t *) a.known)[s.first / 32];
		known &= ~s.heads;
		if (s.first == 0 && begins_run(a))
			known &= ~1u;
	}
	for (int i = 0; i < s.count; i++)
	{
		F			r = 0;
		bool		over = false;

		if (s.heads >> i & 1)
		{
			for (int k = 0; k < LIMBS; k++)
				mine[k] = 0;
			seen = 0;
		}
		if (a.exclusive && (known >> i & 1))
			r = round_sum<F>(mine, seen, &over);
		if (s.valid >> i & 1)
			add_any(mine, &seen,
					(double) s.values[__popc(s.valid & ((1u << i) - 1))]);
		if (!a.exclusive)
			r = round_sum<F>(mine, seen, &over);
		if (over)
			record_range(a, s.first + i);
		if (s.first + i >= leading)
			((F *) a.out)[s.first + i - leading] = r;
	}
	if (a.out_validity != NULL && s.count > 0)
		((uint32_t *) a.out_validity)[s.first / 32] =
			leading <= s.first ? GS_ALL_LANES :
			leading >= s.first + SHARE ? 0 :
			GS_ALL_LANES << (leading - s.first);
}

/*
 * Turn the batch's total into the carry: three doubles if they can hold it.
 * By one thread, once all tiles have finished.
 */
__device__ static void
store_carry(const scan_args &a, const exact_total *total, exact_shared &shared)
{
	limb_column rest = {&shared.limb[0][0], THREADS};
	double		part[3];
	int64_t		carry = 0;
	uint32_t	seen = (uint32_t) __ldcg((const unsigned long long *)
										 &total->seen);
	bool		fits;

	for (int k = 0; k < LIMBS; k++)
	{
		carry += __ldcg((const long long *) total->limb + k);
		if (k < LIMBS - 1)
		{
			a.state->acc.limb[k] = rest[k] = carry & 0xffffffff;
			carry >>= 32;
		}
		else
			a.state->acc.limb[k] = rest[k] = carry;
	}
	a.state->acc.seen = seen;
	fits = !(seen & (GS_SEEN_NAN | GS_SEEN_POSITIVE_INF |
					 GS_SEEN_NEGATIVE_INF));
	for (int i = 0; i < 3 && fits; i++)
	{
		part[i] = round_leading(double (), leading_of(rest));
		fits = gs_is_finite(part[i]);
		if (fits)
			add_finite(rest, -part[i]);
	}
	fits = fits && leading_of(rest).top == 0;
	if (fits)
	{
		uint64_t	hi = gs_double_bits(seen == 0 ? -0.0 : part[0]);
		uint64_t	lo = gs_double_bits(0 - part[1]);
		uint64_t	tail = gs_double_bits(0 - part[2]);

		a.state->carry[0] = (gs_u128) (uint32_t) tail << 64 | hi;
		a.state->carry[1] = (gs_u128) (uint32_t) (tail >> 32) << 64 | lo;
	}
	a.state->wide = !fits;
}

template <typename F>
__global__ static void
__launch_bounds__(THREADS)
exact_kernel(scan_args a, exact_header *header, exact_total *totals)
{
	__shared__ exact_shared shared;
	uint32_t	leading = leading_nulls(a);

	if (threadIdx.x == 0)
		shared.wanted = a.fallback ||
			*(volatile uint32_t *) &a.header->failed ||
			(a.first != 0 && *(volatile uint32_t *) &a.state->wide);
	__syncthreads();
	if (!shared.wanted)
		return;
	for (;;)
	{
		int64_t		tile;
		bool		any_head;

		__syncthreads();
		if (threadIdx.x == 0)
			shared.tile = atomicAdd(&header->next, 1u);
		__syncthreads();
		tile = shared.tile;
		if (tile >= a.tiles)
			return;

		exact_share<F> s(a, tile);

		add_share(s, shared);
		any_head = __syncthreads_or(s.heads != 0);
		scan_threads(shared);
		__syncthreads();
		if (tile == 0)
		{
			if (threadIdx.x == 0)
				read_carry(a, &shared.before);
		}
		else
		{
			publish(header, totals, tile,
					any_head ? GS_TILE_PREFIX : GS_TILE_AGGREGATE,
					&shared.total, NULL);
			look_back(header, totals, tile, &shared.before);
		}
		__syncthreads();
		if (!any_head || tile == 0)
			publish(header, totals, tile, GS_TILE_PREFIX, &shared.total,
					any_head ? NULL : &shared.before);
		write_results(a, s, shared, leading);

		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0 &&
			atomicAdd(&header->done, 1u) == (unsigned int) a.tiles - 1)
		{
			__threadfence();
			if (a.more)
				store_carry(a, totals + 2 * (a.tiles - 1) + 1, shared);
			report(a, leading, read_range(a));
		}
	}
}

static size_t
header_size(int64_t n)
{
	return gs_aligned(sizeof(exact_header) +
					  gs_divide_up(n, EXACT_ITEMS) * sizeof(uint32_t));
}

size_t
gs_scan_exact_scratch_size(int64_t n)
{
	return header_size(n) +
		2 * gs_divide_up(n, EXACT_ITEMS) * sizeof(exact_total);
}

cudaError_t
gs_scan_exact(const gs_op *op, const scan_args &args, void *scratch,
			  cudaStream_t stream)
{
	scan_args	a = args;
	exact_header *header = (exact_header *) scratch;
	exact_total *totals = (exact_total *)
		((char *) scratch + header_size(a.n));
	int			blocks;

	a.tiles = gs_divide_up(a.n, EXACT_ITEMS);
	GS_TRY(gs_grid(a.tiles, GS_EXACT_BLOCKS, &blocks));
	GS_TRY(cudaMemsetAsync(header, 0, header_size(a.n), stream));
	if (op->type == GS_FLOAT4)
		exact_kernel<float><<<blocks, THREADS, 0, stream>>>
			(a, header, totals);
	else
		exact_kernel<double><<<blocks, THREADS, 0, stream>>>
			(a, header, totals);
	return gs_launched();
}
