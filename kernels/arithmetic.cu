/*-------------------------------------------------------------------------
 *
 * arithmetic.cu
 *	  One step of arithmetic for each element, or for each pair of two arrays'.
 *
 * What a step computes is arithmetic.h's, as of all engines.  Elements have no
 * part in each other's results, so a thread has 16 bytes of each array at a
 * time.  Of one array the kernel goes over the packed values, and copies the
 * bitmap.  Of two, if there are NULLs, a value is found by its rank, and so is
 * its result's place: then a warp goes through the elements of a block of
 * ranks, 32 at a time.
 *
 * On any error the operation has no results: whoever asked finds out which.
 *
 *-------------------------------------------------------------------------
 */
#include <float.h>

#include "common.cuh"

#include "engine/arithmetic.h"

#define THREADS		256

/* Loads in flight of each array, a thread. */
#define LOADS		4

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

static size_t
arithmetic_state_size(const gs_op *, int64_t)
{
	return 0;
}

static size_t
arithmetic_report_size(const gs_op *)
{
	return 0;
}

static size_t
arithmetic_scratch_size(const gs_op *op, int64_t chunk)
{
	return gs_has_mask(op) ? scratch_at(NULL, chunk).size : 0;
}

static cudaError_t
arithmetic_begin(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static __device__ __forceinline__ float
canonical(float x)
{
	return x == x ? x : (float) gs_canonical_nan();
}

static __device__ __forceinline__ double
canonical(double x)
{
	return x == x ? x : gs_canonical_nan();
}

template <typename T>
static __device__ __forceinline__ T
canonical(T x)
{
	return x;
}

/* Returns the errors. */
#define COMPUTE(suffix, type) \
static __device__ __forceinline__ uint32_t \
compute(int code, type a, type b, type *r) \
{ \
	uint32_t	errors; \
\
	switch (code) \
	{ \
		case GS_CODE_ADD: \
			errors = gs_add_##suffix(a, b, r); \
			break; \
		case GS_CODE_SUBTRACT: \
			errors = gs_subtract_##suffix(a, b, r); \
			break; \
		case GS_CODE_MULTIPLY: \
			errors = gs_multiply_##suffix(a, b, r); \
			break; \
		case GS_CODE_DIVIDE: \
			errors = gs_divide_##suffix(a, b, r); \
			break; \
		case GS_CODE_NEGATE: \
			errors = gs_negate_##suffix(a, r); \
			break; \
		default: \
			errors = gs_abs_##suffix(a, r); \
	} \
	*r = canonical(*r); \
	return errors; \
}

COMPUTE(int2, int16_t)
COMPUTE(int4, int32_t)
COMPUTE(int8, int64_t)
COMPUTE(float4, float)
COMPUTE(float8, double)

/* An operand: an array's values, or the same value for all elements. */
template <typename T>
struct operand
{
	const T    *values;			/* NULL: it is the constant */
	T			constant;
	const uint32_t *validity;	/* NULL: all present */
	const uint32_t *ranks;		/* of the validity */

	__device__ __forceinline__ void
	load(int64_t vector, T (&to)[16 / sizeof(T)]) const
	{
		uint4		raw;

		if (values == NULL)
		{
#pragma unroll
			for (int i = 0; i < (int) (16 / sizeof(T)); i++)
				to[i] = constant;
			return;
		}
		raw = __ldcs((const uint4 *) values + vector);
		memcpy(to, &raw, sizeof raw);
	}

	__device__ __forceinline__ T
	at(int64_t i) const
	{
		return values == NULL ? constant : values[i];
	}
};

/* What a batch's kernels read and write beside the operands and results. */
struct arithmetic_batch
{
	int			code;
	int64_t		n;				/* elements */
	int64_t		present;		/* values; of pairs, where there are no NULLs */
	const uint64_t *validity;	/* of one array; NULL: all present */
	uint64_t   *bits;			/* NULL: no result is NULL */
	gs_done    *done;			/* overflow is 0 before */
};

template <typename T>
static __global__ void __launch_bounds__(THREADS)
dense_kernel(operand<T> a, operand<T> b, arithmetic_batch batch, T *to)
{
	constexpr int per = (int) (16 / sizeof(T));
	const int64_t vectors = batch.present / per;
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const int64_t stride = (int64_t) gridDim.x * THREADS;
	uint32_t	errors = 0;

	for (int64_t start = (int64_t) blockIdx.x * THREADS * LOADS;
		 start < vectors; start += stride * LOADS)
	{
		T			x[LOADS][per];
		T			y[LOADS][per];

#pragma unroll
		for (int j = 0; j < LOADS; j++)
		{
			const int64_t i = start + j * THREADS + threadIdx.x;

			if (i < vectors)
			{
				a.load(i, x[j]);
				b.load(i, y[j]);
			}
		}
#pragma unroll
		for (int j = 0; j < LOADS; j++)
		{
			const int64_t i = start + j * THREADS + threadIdx.x;
			T			r[per];
			uint4		raw;

			if (i >= vectors)
				continue;
#pragma unroll
			for (int k = 0; k < per; k++)
				errors |= compute(batch.code, x[j][k], y[j][k], &r[k]);
			memcpy(&raw, r, sizeof raw);
			__stcs((uint4 *) to + i, raw);
		}
	}
	/* less than 16 bytes are left */
	if (thread < batch.present - vectors * per)
	{
		const int64_t i = vectors * per + thread;

		errors |= compute(batch.code, a.at(i), b.at(i), &to[i]);
	}
	if (batch.bits != NULL)
	{
		for (int64_t i = thread; i < gs_divide_up(batch.n, 64); i += stride)
		{
			uint64_t	word = batch.validity == NULL ? ~UINT64_C(0) :
				batch.validity[i];

			if (batch.n - 64 * i < 64)
				word &= (UINT64_C(1) << (batch.n - 64 * i)) - 1;
			batch.bits[i] = word;
		}
	}
	if (errors != 0)
		batch.done->overflow = 1;
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

/* Of 32 elements, those that are present, and the rank of this lane's. */
template <typename T>
static __device__ __forceinline__ int64_t
rank_of(const operand<T> &a, int64_t word, uint32_t *before)
{
	const uint32_t present = a.validity == NULL ? ~0u : a.validity[word];
	const uint32_t rank = *before +
		__popc(present & ((1u << gs_lane()) - 1));

	*before += __popc(present);
	return rank;
}

/* Pairs of which some have NULLs; a warp has a block of ranks. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
sparse_kernel(operand<T> a, operand<T> b, arithmetic_batch batch,
			  const uint32_t *bits, const uint32_t *ranks, T *to)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const int64_t blocks = gs_divide_up(batch.n, GS_RANK_BLOCK);
	const int64_t block = (int64_t) blockIdx.x * (THREADS / GS_WARP) +
		gs_warp();
	uint32_t	errors = 0;
	uint32_t	in_a;
	uint32_t	in_b;
	uint32_t	out;

	if (block >= blocks)
		return;
	in_a = a.validity == NULL ? (uint32_t) (block * GS_RANK_BLOCK) :
		a.ranks[block];
	in_b = b.validity == NULL ? (uint32_t) (block * GS_RANK_BLOCK) :
		b.ranks[block];
	out = ranks[block];
	for (int i = 0; i < words; i++)
	{
		const int64_t word = block * words + i;
		int64_t		at_a;
		int64_t		at_b;
		uint32_t	both;

		if (word * GS_WARP >= batch.n)
			break;
		at_a = rank_of(a, word, &in_a);
		at_b = rank_of(b, word, &in_b);
		both = bits[word];
		if (both >> gs_lane() & 1)
			errors |= compute(batch.code, a.at(at_a), b.at(at_b),
							  &to[out + __popc(both & ((1u << gs_lane()) - 1))]);
		out += __popc(both);
	}
	if (errors != 0)
		batch.done->overflow = 1;
	if (block == 0 && gs_lane() == 0)
	{
		batch.done->n = batch.n;
		batch.done->present = ranks[blocks];
	}
}

static int64_t
constant_of(const gs_value *value, int64_t)
{
	return value->i8;
}

static int32_t
constant_of(const gs_value *value, int32_t)
{
	return value->i4;
}

static int16_t
constant_of(const gs_value *value, int16_t)
{
	return value->i2;
}

static float
constant_of(const gs_value *value, float)
{
	return value->f4;
}

static double
constant_of(const gs_value *value, double)
{
	return value->f8;
}

template <typename T>
static operand<T>
operand_of(const gs_op *op, int16_t which, const gs_device_input *in,
		   const pair_scratch *s)
{
	const gs_device_span *span = which == GS_COLUMN(1) ? &in->mask : &in->data;
	operand<T>	r = {NULL, T(0), NULL, NULL};

	if (which == GS_NOTHING)
		return r;
	if (which != GS_COLUMN(0) && which != GS_COLUMN(1))
	{
		r.constant = constant_of(&op->expression.constant
								 [which - GS_CONSTANT(0)], T(0));
		return r;
	}
	r.values = (const T *) span->values;
	if (span->present < in->n)
		r.validity = (const uint32_t *) span->validity;
	r.ranks = s->ranks[which == GS_COLUMN(1)];
	return r;
}

/* Pairs: their bitmap, the ranks of all, then the results. */
template <typename T>
static cudaError_t
launch_pairs(const operand<T> &a, const operand<T> &b,
			 const arithmetic_batch &batch, const gs_device_input *in,
			 const pair_scratch *s, T *to, cudaStream_t stream)
{
	const gs_device_span *span[] = {&in->data, &in->mask};
	const uint64_t *validity[2];
	int64_t		blocks = gs_divide_up(gs_divide_up(in->n, 64), THREADS);

	for (int i = 0; i < 2; i++)
	{
		bool		nulls = span[i]->present < in->n;

		validity[i] = nulls ? (const uint64_t *) span[i]->validity : NULL;
		if (nulls)
			GS_TRY(gs_bitmap_ranks(span[i]->validity, in->n, s->ranks[i],
								   s->of_ranks, stream));
	}
	find_pairs<<<(unsigned int) blocks, THREADS, 0, stream>>>
		(validity[0], validity[1], in->n, batch.bits);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks((const uint8_t *) batch.bits, in->n, s->ranks[2],
						   s->of_ranks, stream));
	blocks = gs_divide_up(gs_divide_up(in->n, GS_RANK_BLOCK),
						  THREADS / GS_WARP);
	sparse_kernel<T><<<(unsigned int) blocks, THREADS, 0, stream>>>
		(a, b, batch, (const uint32_t *) batch.bits, s->ranks[2], to);
	return gs_launched();
}

template <typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, const gs_device_output *out,
	   void *scratch, cudaStream_t stream)
{
	const gs_step *step = &op->expression.step[0];
	const bool	pairs = gs_has_mask(op);
	const pair_scratch s = scratch_at(scratch, pairs ? in->n : 0);
	const operand<T> a = operand_of<T>(op, step->a, in, &s);
	const operand<T> b = operand_of<T>(op, step->b, in, &s);
	arithmetic_batch batch = {0};
	int			blocks;

	batch.code = step->code;
	batch.n = in->n;
	batch.present = in->data.present;
	batch.bits = (uint64_t *) out->validity;
	batch.done = out->done;
	if (pairs && (in->data.present < in->n || in->mask.present < in->n))
		return launch_pairs<T>(a, b, batch, in, &s, (T *) out->values, stream);
	if (in->data.present < in->n)
		batch.validity = (const uint64_t *) in->data.validity;
	GS_TRY(gs_grid(gs_divide_up(in->n * sizeof(T), 16 * THREADS * LOADS),
				   GS_ARITHMETIC_BLOCKS, &blocks));
	dense_kernel<T><<<blocks, THREADS, 0, stream>>>(a, b, batch,
													(T *) out->values);
	return gs_launched();
}

static cudaError_t
arithmetic_batch_of(const gs_op *op, const gs_device_input *in,
					const gs_device_output *out, void *, void *scratch,
					cudaStream_t stream)
{
	switch (op->type)
	{
		case GS_INT2:
			return launch<int16_t>(op, in, out, scratch, stream);
		case GS_INT4:
			return launch<int32_t>(op, in, out, scratch, stream);
		case GS_INT8:
			return launch<int64_t>(op, in, out, scratch, stream);
		case GS_FLOAT4:
			return launch<float>(op, in, out, scratch, stream);
		default:
			return launch<double>(op, in, out, scratch, stream);
	}
}

static cudaError_t
arithmetic_finish(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static void
arithmetic_result(const gs_op *, const void *, gs_result *)
{
}

const gs_kernels gs_arithmetic_kernels = {
	"arithmetic",
	arithmetic_state_size,
	arithmetic_report_size,
	arithmetic_scratch_size,
	arithmetic_begin,
	arithmetic_batch_of,
	arithmetic_finish,
	NULL,
	arithmetic_result
};
