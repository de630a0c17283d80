/*-------------------------------------------------------------------------
 *
 * elementary.cu
 *	  Roots, exponentials, logarithms, powers and decimal rounding of each
 *	  element.
 *
 * Nearly every result is decided by two doubles (exact/elementary_first.h,
 * round_first.h).  What is not goes into the batch's list, and the host, which
 * has the second step, puts the results in their places: there are few, each
 * would keep a warp for half a millisecond, and the results go to the host
 * anyway.  If there are more than the list holds, the operation has no results,
 * as on an error.
 *
 * Exponentials and logarithms look up tables, which each block copies into
 * shared memory; so their blocks stay for many elements.
 *
 * NULLs are as in arithmetic.cu.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>

#include "common.cuh"

#include "engine/elements.h"
#include "exact/elementary.h"
#include "exact/elementary_table.h"
#include "exact/round_first.h"

#define THREADS		256

/* Blocks that stay on a multiprocessor, where there is a table to copy. */
#define BLOCKS		4

/* The table, where a kernel has copied it. */
static __shared__ gs_elementary_table the_table;

#define TARGET			__device__
#define QUICK(name)		name
#define PRODUCT			gs_two_product
#define MULTIPLY_ADD	__fma_rn
#define TABLE			the_table
#include "exact/elementary_first.h"

/* What a batch's kernels read and write beside the operands and results. */
struct element_batch
{
	int64_t		n;				/* elements */
	int64_t		present;		/* values; of pairs, where there are no NULLs */
	const uint64_t *validity;	/* of one array; NULL: all present */
	uint64_t   *bits;			/* NULL: no result is NULL */
	gs_done    *done;			/* overflow and undecided are 0 before */
	gs_undecided *undecided;
	const gs_elementary_table *table;

	/* GS_POWER */
	bool		pairs;			/* of two arrays; else of one and `constant`, */
	bool		constant_is_base;
	double		constant;

	/* GS_ROUND */
	int			digits;
	double		power;			/* 10^|digits|; 0: that is no double */
	double		about_power;	/* the same, but for roundings; at most 10^308,
								 * or infinite */
	uint64_t	integer_power;	/* 10^-digits; 0: integers are rounded to 0 */
};

/* The layout of a batch's scratch memory, for pairs with NULLs. */
struct pair_scratch
{
	uint32_t   *ranks[3];		/* of the arrays, and of the results */
	void	   *of_ranks;
	size_t		size;
};

static pair_scratch
scratch_at(void *scratch, int64_t n)
{
	char	   *at = (char *) scratch;
	pair_scratch s;

	for (int i = 0; i < 3; i++)
		s.ranks[i] = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.of_ranks = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.size = at - (char *) scratch;
	return s;
}

static bool
has_table(const gs_op *op)
{
	return op->kind == GS_EXP || op->kind == GS_LN || op->kind == GS_POWER;
}

static size_t
elements_state_size(const gs_op *op, int64_t)
{
	return has_table(op) ? sizeof(gs_elementary_table) : 0;
}

static size_t
elements_report_size(const gs_op *)
{
	return 0;
}

static size_t
elements_scratch_size(const gs_op *op, int64_t chunk)
{
	return gs_has_mask(op) ? scratch_at(NULL, chunk).size : 0;
}

static cudaError_t
elements_begin(const gs_op *op, int64_t, void *state, cudaStream_t stream)
{
	gs_elementary_init();
	if (!has_table(op))
		return cudaSuccess;
	return cudaMemcpyAsync(state, &gs_elementary, sizeof gs_elementary,
						   cudaMemcpyHostToDevice, stream);
}

static __device__ __forceinline__ gs_answer
answer_first(gs_first first, int kind, double x, double result)
{
	if (first == GS_DECIDED)
		return gs_answer_checked(kind, x, result);
	return first == GS_UNDECIDED ? GS_UNANSWERED : GS_OUT_OF_RANGE;
}

/* The result for x, or for x and y; GS_UNANSWERED: it is not decided. */
template <int kind, typename T>
struct element
{
	typedef double type;

	static __device__ __forceinline__ gs_answer
	of(T x, T y, const element_batch &batch, double *r)
	{
		double		a = (double) x;
		double		b = (double) y;
		gs_answer	answer;
		gs_first	first;

		if (kind == GS_POWER && !batch.pairs)
		{
			b = batch.constant_is_base ? a : batch.constant;
			a = batch.constant_is_base ? batch.constant : a;
		}
		answer = gs_answer_specially(kind, a, b, r);
		if (kind == GS_SQRT || answer != GS_UNANSWERED)
			return answer;
		if (kind == GS_EXP)
			first = exp_first(a, r);
		else if (kind == GS_LN)
			first = ln_first(a, r);
		else
			first = power_first(a, b, r);
		return answer_first(first, kind, a, *r);
	}
};

static __device__ __forceinline__ gs_answer
set_rounded(gs_pair pair, double *r)
{
	*r = pair.hi;
	return gs_is_finite(*r) ? GS_ANSWERED : GS_OUT_OF_RANGE;
}

static __device__ __forceinline__ gs_answer
set_rounded(gs_pair pair, float *r)
{
	*r = (float) gs_round_to_odd(pair);
	return gs_is_finite(*r) ? GS_ANSWERED : GS_OUT_OF_RANGE;
}

template <typename T>
static __device__ __forceinline__ gs_answer
round_float(T x, const element_batch &batch, T *r)
{
	const double d = x;
	double		clear;
	gs_pair		pair;

	*r = x == x ? x : (T) gs_canonical_nan();
	if (!gs_is_finite(d))
		return GS_ANSWERED;
	if (gs_round_is_clear(d, batch.digits, &clear))
	{
		*r = (T) clear;
		return GS_ANSWERED;
	}
	if (gs_round_keeps(d, batch.digits, batch.about_power))
		return GS_ANSWERED;
	if (batch.digits < 0 && gs_round_vanishes(d, batch.about_power))
	{
		*r = copysign(T(0), x);
		return GS_ANSWERED;
	}
	if (!gs_round_quickly(d, batch.digits, batch.power, &pair))
		return GS_UNANSWERED;
	return set_rounded(pair, r);
}

template <typename T>
static __device__ __forceinline__ gs_answer
round_integer(T x, const element_batch &batch, T *r)
{
	int64_t		rounded = 0;

	*r = x;
	if (batch.digits >= 0)
		return GS_ANSWERED;
	if (batch.integer_power != 0 &&
		!gs_round_integer(x, batch.integer_power, &rounded))
		return GS_OUT_OF_RANGE;
	*r = (T) rounded;
	return *r == rounded ? GS_ANSWERED : GS_OUT_OF_RANGE;
}

template <typename T>
struct element<GS_ROUND, T>
{
	typedef T	type;

	static __device__ __forceinline__ gs_answer
	of(T x, T, const element_batch &batch, T *r)
	{
		return round_integer(x, batch, r);
	}
};

template <>
struct element<GS_ROUND, float>
{
	typedef float type;

	static __device__ __forceinline__ gs_answer
	of(float x, float, const element_batch &batch, float *r)
	{
		return round_float(x, batch, r);
	}
};

template <>
struct element<GS_ROUND, double>
{
	typedef double type;

	static __device__ __forceinline__ gs_answer
	of(double x, double, const element_batch &batch, double *r)
	{
		return round_float(x, batch, r);
	}
};

/* So many values, which are read at once. */
template <typename T, int n>
struct alignas(n * sizeof(T)) pack
{
	T			v[n];
};

/*
 * The result for values x and y, at its place.  On an error, and where the list
 * is full, overflow is set.
 */
template <int kind, typename T, typename R>
static __device__ __forceinline__ void
put(T x, T y, const element_batch &batch, int64_t place, R *r)
{
	gs_answer	answer = element<kind, T>::of(x, y, batch, r);

	if (answer == GS_ANSWERED)
		return;
	if (answer == GS_UNANSWERED)
	{
		const unsigned long long at = atomicAdd
			((unsigned long long *) &batch.done->undecided, 1ull);

		if (at < GS_UNDECIDED_MAX)
		{
			gs_undecided *u = &batch.undecided[at];

			u->place = place;
			memcpy(&u->x, &x, sizeof x);
			memcpy(&u->y, &y, sizeof y);
			return;
		}
	}
	batch.done->overflow = 1;
}

static __device__ void
copy_table(const gs_elementary_table *from)
{
	const uint64_t *word = (const uint64_t *) from;

	for (int i = threadIdx.x; i < (int) (sizeof the_table / 8); i += THREADS)
		((uint64_t *) &the_table)[i] = word[i];
	__syncthreads();
}

/*
 * A thread has 16 bytes of results at a time.  The grid covers all of them, but
 * where blocks have a table, which stay.
 */
template <int kind, typename T>
static __global__ void __launch_bounds__(THREADS)
dense_kernel(const T *a, const T *b, element_batch batch,
			 typename element<kind, T>::type *to)
{
	typedef typename element<kind, T>::type result;
	constexpr int per = (int) (16 / sizeof(result));
	const int64_t vectors = batch.present / per;
	const int64_t words = batch.bits == NULL ? 0 : gs_divide_up(batch.n, 64);
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t threads = (int64_t) gridDim.x * THREADS;

	if (kind == GS_EXP || kind == GS_LN || kind == GS_POWER)
		copy_table(batch.table);
	for (int64_t i = thread; i < vectors; i += threads)
	{
		const pack<T, per> x = ((const pack<T, per> *) a)[i];
		pack<T, per> y = x;
		pack<result, per> r;
		uint4		raw;

		if (kind == GS_POWER && batch.pairs)
			y = ((const pack<T, per> *) b)[i];
#pragma unroll
		for (int k = 0; k < per; k++)
			put<kind>(x.v[k], y.v[k], batch, i * per + k, &r.v[k]);
		memcpy(&raw, &r, sizeof raw);
		__stcs((uint4 *) to + i, raw);
	}
	/* less than 16 bytes are left */
	if (thread < batch.present - vectors * per)
	{
		const int64_t i = vectors * per + thread;

		put<kind>(a[i], kind == GS_POWER && batch.pairs ? b[i] : a[i], batch, i,
				  &to[i]);
	}
	for (int64_t i = thread; i < words; i += threads)
	{
		uint64_t	word = batch.validity == NULL ? ~UINT64_C(0) :
			batch.validity[i];

		if (batch.n - 64 * i < 64)
			word &= (UINT64_C(1) << (batch.n - 64 * i)) - 1;
		batch.bits[i] = word;
	}
	if (thread == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = batch.present;
	}
}

/* Which pairs have both values? */
static __global__ void __launch_bounds__(THREADS)
find_pairs(const uint64_t *a, const uint64_t *b, int64_t n, uint64_t *bits)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	uint64_t	word;

	if (i >= gs_divide_up(n, 64))
		return;
	word = (a == NULL ? ~UINT64_C(0) : a[i]) & (b == NULL ? ~UINT64_C(0) : b[i]);
	if (n - 64 * i < 64)
		word &= (UINT64_C(1) << (n - 64 * i)) - 1;
	bits[i] = word;
}

/* An array of a pair. */
template <typename T>
struct sparse_array
{
	const T    *values;
	const uint32_t *validity;	/* NULL: all present */
	const uint32_t *ranks;		/* of the validity */

	/* The values before a block of ranks */
	__device__ __forceinline__ uint32_t
	before(int64_t block) const
	{
		return validity == NULL ? (uint32_t) (block * GS_RANK_BLOCK) :
			ranks[block];
	}

	/* Of 32 elements, the place of this lane's value. */
	__device__ __forceinline__ int64_t
	place(int64_t word, uint32_t *passed) const
	{
		const uint32_t present = validity == NULL ? ~0u : validity[word];
		const uint32_t rank = *passed +
			__popc(present & ((1u << gs_lane()) - 1));

		*passed += __popc(present);
		return rank;
	}
};

/* Powers of pairs of which some have NULLs; a warp has a block of ranks. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
sparse_kernel(sparse_array<T> a, sparse_array<T> b, element_batch batch,
			  const uint32_t *bits, const uint32_t *ranks, double *to)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const int64_t blocks = gs_divide_up(batch.n, GS_RANK_BLOCK);
	const int64_t block = (int64_t) blockIdx.x * (THREADS / GS_WARP) +
		gs_warp();
	uint32_t	in_a;
	uint32_t	in_b;
	uint32_t	out;

	copy_table(batch.table);
	if (block >= blocks)
		return;
	in_a = a.before(block);
	in_b = b.before(block);
	out = ranks[block];
	for (int i = 0; i < words; i++)
	{
		const int64_t word = block * words + i;
		int64_t		at_a;
		int64_t		at_b;
		uint32_t	both;

		if (word * GS_WARP >= batch.n)
			break;
		at_a = a.place(word, &in_a);
		at_b = b.place(word, &in_b);
		both = bits[word];
		if (both >> gs_lane() & 1)
		{
			const int64_t place = out +
				__popc(both & ((1u << gs_lane()) - 1));

			put<GS_POWER>(a.values[at_a], b.values[at_b], batch, place,
						  &to[place]);
		}
		out += __popc(both);
	}
	if (block == 0 && gs_lane() == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = ranks[blocks];
	}
}

/* Pairs: their bitmap, the ranks of all, then the results. */
template <typename T>
static cudaError_t
launch_pairs(const element_batch &batch, const gs_device_input *in,
			 const pair_scratch *s, double *to, cudaStream_t stream)
{
	const gs_device_span *span[] = {&in->data, &in->mask};
	sparse_array<T> array[2];
	int64_t		blocks = gs_divide_up(gs_divide_up(in->n, 64), THREADS);

	for (int i = 0; i < 2; i++)
	{
		bool		nulls = span[i]->present < in->n;

		array[i].values = (const T *) span[i]->values;
		array[i].validity = nulls ? (const uint32_t *) span[i]->validity : NULL;
		array[i].ranks = s->ranks[i];
		if (nulls)
			GS_TRY(gs_bitmap_ranks(span[i]->validity, in->n, s->ranks[i],
								   s->of_ranks, stream));
	}
	find_pairs<<<(unsigned int) blocks, THREADS, 0, stream>>>
		((const uint64_t *) array[0].validity,
		 (const uint64_t *) array[1].validity, in->n, batch.bits);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks((const uint8_t *) batch.bits, in->n, s->ranks[2],
						   s->of_ranks, stream));
	blocks = gs_divide_up(gs_divide_up(in->n, GS_RANK_BLOCK),
						  THREADS / GS_WARP);
	sparse_kernel<T><<<(unsigned int) blocks, THREADS, 0, stream>>>
		(array[0], array[1], batch, (const uint32_t *) batch.bits, s->ranks[2],
		 to);
	return gs_launched();
}

template <int kind, typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, const gs_device_output *out,
	   void *state, void *scratch, cudaStream_t stream)
{
	typedef typename element<kind, T>::type result;
	const bool	pairs = gs_has_mask(op);
	const T    *a = (const T *) in->data.values;
	const T    *b = (const T *) in->mask.values;
	element_batch batch = {0};
	int			blocks = (int) gs_divide_up(in->n * sizeof(result),
											16 * THREADS);

	batch.n = in->n;
	batch.present = in->data.present;
	batch.bits = (uint64_t *) out->validity;
	batch.done = out->done;
	batch.undecided = out->undecided;
	batch.table = (const gs_elementary_table *) state;
	batch.pairs = pairs;
	batch.constant = op->bound;
	batch.constant_is_base = op->exclusive;
	batch.digits = (int) op->ibound;
	if (kind == GS_ROUND)
	{
		batch.power = gs_double_power_of_ten(abs(batch.digits));
		batch.about_power = pow(10, batch.digits < 0 ? -batch.digits :
								batch.digits < 308 ? batch.digits : 308);
		if (-batch.digits <= GS_INTEGER_ZEROS)
			batch.integer_power = gs_integer_power_of_ten(-batch.digits);
	}
	if (kind == GS_POWER && pairs &&
		(in->data.present < in->n || in->mask.present < in->n))
	{
		const pair_scratch s = scratch_at(scratch, in->n);

		return launch_pairs<T>(batch, in, &s, (double *) out->values, stream);
	}
	if (in->data.present < in->n)
		batch.validity = (const uint64_t *) in->data.validity;
	if (has_table(op))
		GS_TRY(gs_grid(blocks, BLOCKS, &blocks));
	dense_kernel<kind, T><<<blocks, THREADS, 0, stream>>>(a, b, batch,
														 (result *) out->values);
	return gs_launched();
}

template <int kind>
static cudaError_t
launch_of_type(const gs_op *op, const gs_device_input *in,
			   const gs_device_output *out, void *state, void *scratch,
			   cudaStream_t stream)
{
	switch (op->type)
	{
		case GS_INT2:
			return launch<kind, int16_t>(op, in, out, state, scratch, stream);
		case GS_INT4:
			return launch<kind, int32_t>(op, in, out, state, scratch, stream);
		case GS_INT8:
			return launch<kind, int64_t>(op, in, out, state, scratch, stream);
		case GS_FLOAT4:
			return launch<kind, float>(op, in, out, state, scratch, stream);
		default:
			return launch<kind, double>(op, in, out, state, scratch, stream);
	}
}

static cudaError_t
elements_batch_of(const gs_op *op, const gs_device_input *in,
				  const gs_device_output *out, void *state, void *scratch,
				  cudaStream_t stream)
{
	switch (op->kind)
	{
		case GS_SQRT:
			return launch_of_type<GS_SQRT>(op, in, out, state, scratch, stream);
		case GS_EXP:
			return launch_of_type<GS_EXP>(op, in, out, state, scratch, stream);
		case GS_LN:
			return launch_of_type<GS_LN>(op, in, out, state, scratch, stream);
		case GS_POWER:
			return launch_of_type<GS_POWER>(op, in, out, state, scratch, stream);
		default:
			return launch_of_type<GS_ROUND>(op, in, out, state, scratch, stream);
	}
}

static cudaError_t
elements_finish(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static void
elements_result(const gs_op *, const void *, gs_result *)
{
}

const gs_kernels gs_elementary_kernels = {
	"elementary",
	elements_state_size,
	elements_report_size,
	elements_scratch_size,
	elements_begin,
	elements_batch_of,
	elements_finish,
	NULL,
	elements_result
};
