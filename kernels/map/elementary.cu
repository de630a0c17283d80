/*-------------------------------------------------------------------------
 *
 * elementary.cu
 *	  Roots, exponentials, logarithms, powers and decimal rounding of each
 *	  element.
 *
 * A thread tries the short way first (exact/elementary_quick.h), which decides
 * nearly every result.  For the others it calls a function, which is not inlined
 * so that the loop needs fewer registers.  What two doubles do not decide there
 * (exact/elementary_first.h, round_first.h) is left to the host.
 *
 * Exponentials and logarithms look up a table, which each block copies into
 * shared memory.
 *
 * NULLs are as in elementwise.cuh.
 *
 * Source: Ziv's rounding test (exact/elementary.c).
 * Determinism: a result depends on its element alone, and is rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include <cuda_pipeline_primitives.h>
#include <float.h>

#include "kernels/elementary_first.cuh"
#include "kernels/map/elementwise.cuh"
#include "kernels/map/undecided.cuh"

#include "exact/elementary.h"

#define THREADS		GS_MAP_THREADS

/* Blocks that stay on a multiprocessor. */
#define BLOCKS		4

/* Vectors, of 16 bytes of results, that a thread has on their way. */
#define STAGES		2

/* What a batch's kernels read and write beside the operands and results. */
struct element_batch
{
	map_batch	map;
	gs_undecided *undecided;
	const gs_elementary_table *table;

	/* GS_POWER */
	bool		pairs;			/* of two arrays; else of one and `constant`, */
	bool		constant_is_base;
	double		constant;

	/* GS_ROUND */
	int			digits;
	double		power;			/* 10^|digits|; 0: that is no double */
	double		inverse;		/* 1 / power; 0 if digits < 0, or power is 0 */
	double		about_power;	/* 10^|digits|, perhaps rounded; at most 10^308,
								 * or infinite */
	uint64_t	integer_power;	/* 10^-digits; 0: integers are rounded to 0 */
};

static __host__ __device__ constexpr bool
has_table(int kind)
{
	return kind == GS_EXP || kind == GS_LN || kind == GS_POWER;
}

static size_t
elements_state_size(const gs_op *op, int64_t)
{
	return has_table(op->kind) ? sizeof(gs_elementary_table) : 0;
}

static cudaError_t
elements_begin(const gs_op *op, int64_t, void *state, cudaStream_t stream)
{
	gs_elementary_init();
	if (!has_table(op->kind))
		return cudaSuccess;
	return cudaMemcpyAsync(state, &gs_elementary, sizeof gs_elementary,
						   cudaMemcpyHostToDevice, stream);
}

/*
 * quick: the result where that takes few instructions, else false.  of: the
 * result; GS_UNANSWERED: two doubles do not decide it.
 */
template <int kind, typename T>
struct element
{
	typedef double type;

	static __device__ __forceinline__ void
	arguments(T x, T y, const element_batch &batch, double *a, double *b)
	{
		*a = (double) x;
		*b = (double) y;
		if (kind == GS_POWER && !batch.pairs)
		{
			*b = batch.constant_is_base ? *a : batch.constant;
			*a = batch.constant_is_base ? batch.constant : *a;
		}
	}

	static __device__ __forceinline__ bool
	quick(T x, T y, const element_batch &batch, double *r)
	{
		double		a;
		double		b;

		arguments(x, y, batch, &a, &b);
		if (kind == GS_EXP)
			return exp_shortly(a, r);
		if (kind == GS_LN)
			return ln_shortly(a, r);
		if (kind == GS_POWER)
			return power_shortly(a, b, r);
		*r = sqrt(a);
		return a >= 0;
	}

	static __device__ gs_answer
	of(T x, T y, const element_batch &batch, double *r)
	{
		double		a;
		double		b;
		gs_answer	answer;
		gs_first	first;

		arguments(x, y, batch, &a, &b);
		answer = gs_answer_specially(kind, a, b, r);
		if (kind == GS_SQRT || answer != GS_UNANSWERED)
			return answer;
		if (kind == GS_EXP)
			first = exp_first(a, r);
		else if (kind == GS_LN)
			first = ln_first(a, r);
		else
			first = power_first(a, b, r);
		if (first == GS_DECIDED)
			return gs_answer_checked(kind, a, *r);
		return first == GS_UNDECIDED ? GS_UNANSWERED : GS_OUT_OF_RANGE;
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
rounded_float(T x, const element_batch &batch, T *r)
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
rounded(T x, const element_batch &batch, T *r)
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

static __device__ __forceinline__ gs_answer
rounded(float x, const element_batch &batch, float *r)
{
	return rounded_float(x, batch, r);
}

static __device__ __forceinline__ gs_answer
rounded(double x, const element_batch &batch, double *r)
{
	return rounded_float(x, batch, r);
}

template <typename T>
static __device__ __forceinline__ bool
is_rounded_shortly(T x, const element_batch &batch, T *r)
{
	return rounded(x, batch, r) == GS_ANSWERED;
}

static __device__ __forceinline__ bool
is_rounded_shortly(double x, const element_batch &batch, double *r)
{
	return batch.inverse != 0 ?
		round_to_places_shortly(x, batch.power, batch.inverse, r) :
		rounded(x, batch, r) == GS_ANSWERED;
}

template <typename T>
struct element<GS_ROUND, T>
{
	typedef T	type;

	static __device__ __forceinline__ bool
	quick(T x, T, const element_batch &batch, T *r)
	{
		return is_rounded_shortly(x, batch, r);
	}

	static __device__ gs_answer
	of(T x, T, const element_batch &batch, T *r)
	{
		return rounded(x, batch, r);
	}
};

/*
 * The result where quick() has none: by value, so that the loop's results stay
 * in registers.
 */
template <int kind, typename T>
static __device__ __noinline__ typename element<kind, T>::type
settle(T x, T y, const element_batch &batch, int64_t place)
{
	typename element<kind, T>::type r;
	gs_answer	answer = element<kind, T>::of(x, y, batch, &r);

	if (answer != GS_ANSWERED)
		gs_leave_to_host(answer, x, y, place, batch.map.done, batch.undecided);
	return r;
}

/* The result for values x and y; it has this place. */
template <int kind, typename T>
static __device__ __forceinline__ typename element<kind, T>::type
result_of(T x, T y, const element_batch &batch, int64_t place)
{
	typename element<kind, T>::type r;

	if (!element<kind, T>::quick(x, y, batch, &r))
		r = settle<kind, T>(x, y, batch, place);
	return r;
}

/*
 * Blocks stay, for the table.  A result takes long enough that vectors have to be
 * on their way meanwhile: STAGES of them, through shared memory, where a thread
 * has places of its own.
 */
template <int kind, typename T>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
elements_kernel(operand<T> a, operand<T> b,
				const __grid_constant__ element_batch batch,
				typename element<kind, T>::type *to)
{
	typedef typename element<kind, T>::type result;
	constexpr int per = (int) (16 / sizeof(result));
	typedef typename raw_bytes<per * sizeof(T)>::type bytes;
	__shared__ bytes of_a[STAGES][THREADS];
	__shared__ bytes of_b[kind == GS_POWER ? STAGES : 1][THREADS];
	const int64_t vectors = batch.map.present / per;
	const int64_t words = batch.map.bits == NULL ? 0 :
		gs_divide_up(batch.map.n, 64);
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t threads = (int64_t) gridDim.x * THREADS;
	int			stage = 0;

	auto fetch = [&](int64_t vector)
	{
		if (vector < vectors)
		{
			__pipeline_memcpy_async(&of_a[stage][threadIdx.x],
									(const bytes *) a.values + vector,
									sizeof(bytes));
			if (kind == GS_POWER && b.values != NULL)
				__pipeline_memcpy_async(&of_b[stage][threadIdx.x],
										(const bytes *) b.values + vector,
										sizeof(bytes));
		}
		__pipeline_commit();
		stage = (stage + 1) % STAGES;
	};

	for (int i = 0; i < STAGES; i++)
		fetch(thread + i * threads);
	if (has_table(kind))
	{
		copy_table(batch.table);
		__syncthreads();
	}
	/* of all lanes, or one that settles a result would go on alone */
	for (int64_t base = thread - gs_lane(); base < vectors; base += threads)
	{
		const int64_t vector = base + gs_lane();
		T			x[per];
		T			y[per];
		result		r[per];
		uint4		raw;

		__pipeline_wait_prior(STAGES - 1);
		memcpy(x, &of_a[stage][threadIdx.x], sizeof x);
		memcpy(y, &of_b[kind == GS_POWER ? stage : 0][threadIdx.x], sizeof y);
		fetch(vector + STAGES * threads);
		if (vector < vectors)
		{
#pragma unroll
			for (int k = 0; k < per; k++)
				r[k] = result_of<kind>(x[k], y[k], batch, vector * per + k);
			memcpy(&raw, &r, sizeof raw);
			__stcs((uint4 *) to + vector, raw);
		}
		__syncwarp();
	}
	/* less than 16 bytes are left */
	if (thread < batch.map.present - vectors * per)
	{
		const int64_t i = vectors * per + thread;

		to[i] = result_of<kind>(a.at(i), b.at(i), batch, i);
	}
	for (int64_t i = thread; i < words; i += threads)
		copy_bits(batch.map, i);
	if (thread == 0)
	{
		batch.map.done->n = batch.map.n;
		batch.map.done->present = batch.map.present;
	}
}

/* Powers of pairs of which some have NULLs; a warp has a block of ranks. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
powers_of_pairs(operand<T> a, operand<T> b,
				const __grid_constant__ element_batch batch,
				const uint32_t *bits, const uint32_t *ranks, double *to)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const int64_t blocks = gs_divide_up(batch.map.n, GS_RANK_BLOCK);
	const int64_t block = warp_block();
	uint32_t	out;

	copy_table(batch.table);
	__syncthreads();
	if (block >= blocks)
		return;
	walk<T>		of_a(a, block);
	walk<T>		of_b(b, block);

	out = ranks[block];
	for (int i = 0; i < words; i++)
	{
		const int64_t word = block * words + i;
		T			x;
		T			y;
		uint32_t	there;
		bool		wanted;

		if (word * GS_WARP >= batch.map.n)
			break;
		there = bits[word];
		wanted = there >> gs_lane() & 1;
		of_a.next(word, wanted, &x);
		of_b.next(word, wanted, &y);
		if (wanted)
		{
			const int64_t place = out +
				__popc(there & ((1u << gs_lane()) - 1));

			to[place] = result_of<GS_POWER>(x, y, batch, place);
		}
		out += __popc(there);
	}
	if (block == 0 && gs_lane() == 0)
	{
		batch.map.done->n = batch.map.n;
		batch.map.done->present = ranks[blocks];
	}
}

/* Pairs: their bitmap, the ranks of all, then the results. */
template <typename T>
static cudaError_t
launch_powers_of_pairs(const operand<T> &a, const operand<T> &b,
					   const element_batch &batch, const gs_device_input *in,
					   const pair_scratch *s, double *to, cudaStream_t stream)
{
	const uint64_t *validity[2];
	int64_t		blocks = gs_divide_up(gs_divide_up(in->n, 64), THREADS);

	GS_TRY(rank_arrays(in, s, validity, stream));
	find_pairs<<<(unsigned int) blocks, THREADS, 0, stream>>>
		(validity[0], validity[1], in->n, batch.map.bits);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks((const uint8_t *) batch.map.bits, in->n,
						   s->ranks[2], s->of_ranks, stream));
	blocks = gs_divide_up(gs_divide_up(in->n, GS_RANK_BLOCK),
						  THREADS / GS_WARP);
	powers_of_pairs<T><<<(unsigned int) blocks, THREADS, 0, stream>>>
		(a, b, batch, (const uint32_t *) batch.map.bits, s->ranks[2], to);
	return gs_launched();
}

static void
set_places(element_batch *batch, int digits)
{
	const int	places = abs(digits);

	batch->digits = digits;
	batch->power = gs_double_power_of_ten(places);
	if (digits >= 0 && batch->power != 0)
		batch->inverse = 1 / batch->power;
	batch->about_power = pow(10, digits < 308 ? places : 308);
	if (-digits <= GS_INTEGER_ZEROS)
		batch->integer_power = gs_integer_power_of_ten(-digits);
}

template <int kind, typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, const gs_device_output *out,
	   void *state, void *scratch, cudaStream_t stream)
{
	typedef typename element<kind, T>::type result;
	const pair_scratch s = scratch_at(scratch, in->n);
	operand<T>	a = array_operand<T>(in, false, &s);
	operand<T>	b = gs_has_mask(op) ? array_operand<T>(in, true, &s) :
		constant_operand<T>(0);
	element_batch batch = {};
	int			blocks = (int) gs_divide_up(in->n * sizeof(result),
											16 * THREADS);

	batch.map.n = in->n;
	batch.map.present = in->data.present;
	batch.map.bits = (uint64_t *) out->validity;
	batch.map.done = out->done;
	batch.undecided = out->undecided;
	batch.table = (const gs_elementary_table *) state;
	batch.pairs = gs_has_mask(op);
	batch.constant = op->power.constant;
	batch.constant_is_base = op->power.constant_is_base;
	if (kind == GS_ROUND)
		set_places(&batch, op->round.digits);
	if constexpr (kind == GS_POWER)
		if (batch.pairs &&
			(in->data.present < in->n || in->mask.present < in->n))
			return launch_powers_of_pairs<T>(a, b, batch, in, &s,
											 (double *) out->values, stream);
	if (in->data.present < in->n)
		batch.map.validity = (const uint64_t *) in->data.validity;
	GS_TRY(gs_grid(blocks, BLOCKS, &blocks));
	elements_kernel<kind, T><<<blocks, THREADS, 0, stream>>>
		(a, b, batch, (result *) out->values);
	return gs_launched();
}

template <typename T>
static cudaError_t
launch_of_kind(const gs_op *op, const gs_device_input *in,
			   const gs_device_output *out, void *state, void *scratch,
			   cudaStream_t stream)
{
	switch (op->kind)
	{
		case GS_SQRT:
			return launch<GS_SQRT, T>(op, in, out, state, scratch, stream);
		case GS_EXP:
			return launch<GS_EXP, T>(op, in, out, state, scratch, stream);
		case GS_LN:
			return launch<GS_LN, T>(op, in, out, state, scratch, stream);
		case GS_POWER:
			return launch<GS_POWER, T>(op, in, out, state, scratch, stream);
		default:
			return launch<GS_ROUND, T>(op, in, out, state, scratch, stream);
	}
}

static cudaError_t
elements_batch_of(const gs_op *op, const gs_device_input *in,
				  const gs_device_output *out, void *state, void *scratch,
				  cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch_of_kind, (op, in, out, state, scratch, stream))
}

const gs_kernels gs_elementary_kernels = {
	.name = "elementary",
	.state_size = elements_state_size,
	.scratch_size = map_scratch_size,
	.start = elements_begin,
	.batch = elements_batch_of
};
