/*-------------------------------------------------------------------------
 *
 * diff.cu
 *	  Each element less the one before it.
 *
 * A NULL gives a NULL, and is skipped, so the kernel goes over the packed
 * values: each is read twice, by neighbouring threads, and the second time
 * comes from the cache.  A second kernel, of one warp, does what is needed once
 * a batch: it reports, finds the element of the first result out of range, and
 * keeps the last value for the next batch.
 *
 * Determinism: a result depends on two elements alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/common.cuh"

#include "engine/difference.h"

#define THREADS		256

/*
 * Results a thread has.  Of 2^28 float8 on an H200, share of copy: 2 98 %, 4 and
 * 8 96, 16 98; with a grid that stays, and 8 at a time, 84.
 */
#define ITEMS		2

/* The state of an execution. */
struct diff_state
{
	gs_value	last;			/* the last value of earlier batches */
	unsigned long long wrong;	/* index in the batch of the first value whose
								 * result is out of range; ~0: none */
};

/* What the kernels read and write beside the values and results. */
struct diff_batch
{
	int64_t		first;			/* index in the array of the first element */
	int64_t		n;				/* elements */
	int64_t		present;
	const uint64_t *validity;	/* NULL: all present */
	uint64_t   *bits;			/* NULL: no result is NULL */
	bool		begins;			/* there has been no value before */
	bool		skip;			/* the first value's result is NULL */
	diff_state *state;
	gs_done    *done;
};

static size_t
diff_state_size(const gs_op *, int64_t)
{
	return sizeof(diff_state);
}

static cudaError_t
diff_begin(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0xff, sizeof(diff_state), stream);
}

/* The type of differences. */
template <typename T>
struct difference
{
	typedef int64_t type;

	static __device__ __forceinline__ int64_t
	of(T a, T b, bool *wrong)
	{
		return gs_difference_int8(a, b, wrong);
	}
};

template <>
struct difference<float>
{
	typedef float type;

	static __device__ __forceinline__ float
	of(float a, float b, bool *wrong)
	{
		return gs_difference_float4(a, b, wrong);
	}
};

template <>
struct difference<double>
{
	typedef double type;

	static __device__ __forceinline__ double
	of(double a, double b, bool *wrong)
	{
		return gs_difference_float8(a, b, wrong);
	}
};

/* A block has ITEMS * THREADS consecutive results. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
diff_kernel(const T *values, diff_batch b,
			typename difference<T>::type *to)
{
	const int64_t start = (int64_t) blockIdx.x * ITEMS * THREADS + threadIdx.x;
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	T			value[ITEMS];
	T			before[ITEMS];

#pragma unroll
	for (int j = 0; j < ITEMS; j++)
	{
		const int64_t i = start + j * THREADS;

		value[j] = i < b.present ? values[i] : T(0);
		before[j] = i > 0 && i < b.present ? values[i - 1] : T(0);
	}
#pragma unroll
	for (int j = 0; j < ITEMS; j++)
	{
		const int64_t i = start + j * THREADS;
		bool		wrong = false;
		typename difference<T>::type result;

		if (i >= b.present || (i == 0 && b.skip))
			continue;
		if (i == 0 && !b.begins)
			memcpy(&before[j], &b.state->last, sizeof(T));
		result = difference<T>::of(value[j], before[j], &wrong);
		__stcs(&to[b.skip ? i - 1 : i], result);
		if (wrong)
			atomicMin(&b.state->wrong, (unsigned long long) i);
	}
	/* there are threads for all words */
	if (b.bits != NULL && thread < gs_divide_up(b.n, 64))
	{
		uint64_t	word = b.validity == NULL ? ~UINT64_C(0) :
			b.validity[thread];

		if (b.n - 64 * thread < 64)
			word &= (UINT64_C(1) << (b.n - 64 * thread)) - 1;
		b.bits[thread] = word;
	}
}

/* The index of a bit that is set and that `rank` others precede; a warp calls. */
static __device__ int64_t
find_bit(const uint64_t *bits, int64_t n, int64_t rank)
{
	const int64_t words = gs_divide_up(n, 64);

	for (int64_t start = 0; start < words; start += GS_WARP)
	{
		const int64_t i = start + gs_lane();
		uint64_t	word = i < words ? bits[i] : 0;
		int			up_to = __popcll(word);	/* bits, those of earlier lanes, too */
		unsigned	found;

		for (int d = 1; d < GS_WARP; d *= 2)
		{
			int			earlier = __shfl_up_sync(GS_ALL_LANES, up_to, d);

			if (gs_lane() >= d)
				up_to += earlier;
		}
		found = __ballot_sync(GS_ALL_LANES, rank < up_to);
		if (found != 0)
		{
			for (int64_t before = up_to - __popcll(word); before < rank; before++)
				word &= word - 1;
			return __shfl_sync(GS_ALL_LANES, 64 * i + __ffsll(word) - 1,
							   __ffs(found) - 1);
		}
		rank -= __shfl_sync(GS_ALL_LANES, up_to, GS_WARP - 1);
	}
	return -1;
}

/* One warp, after the batch's results. */
template <typename T>
static __global__ void
finish_batch(const T *values, diff_batch b)
{
	const unsigned long long wrong = b.state->wrong;
	int64_t		position = 0;
	int64_t		first = 0;

	if (wrong != ~0ull)
		position = b.first + 1 + (b.validity == NULL ? (int64_t) wrong :
								  find_bit(b.bits, b.n, (int64_t) wrong));
	if (b.skip && b.validity != NULL)
		first = find_bit(b.bits, b.n, 0);
	__syncwarp();
	if (gs_lane() != 0)
		return;
	if (b.skip)
		b.bits[first / 64] &= ~(UINT64_C(1) << first % 64);
	b.state->wrong = ~0ull;
	if (b.present > 0)
		memcpy(&b.state->last, &values[b.present - 1], sizeof(T));
	b.done->n = b.n;
	b.done->present = b.present - b.skip;
	b.done->overflow = position;
}

template <typename T>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, const gs_device_output *out,
	   void *state, cudaStream_t stream)
{
	const T    *values = (const T *) in->data.values;
	diff_batch	b = {0};
	int64_t		blocks;

	b.first = in->first;
	b.n = in->n;
	b.present = in->data.present;
	if (b.present < b.n)
		b.validity = (const uint64_t *) in->data.validity;
	b.bits = (uint64_t *) out->validity;
	b.begins = in->before == 0;
	b.skip = op->diff.null_first && b.begins && b.present > 0;
	b.state = (diff_state *) state;
	b.done = out->done;
	blocks = gs_divide_up(b.n, ITEMS * THREADS);
	diff_kernel<T><<<(unsigned int) blocks, THREADS, 0, stream>>>
		(values, b, (typename difference<T>::type *) out->values);
	GS_TRY(gs_launched());
	finish_batch<T><<<1, GS_WARP, 0, stream>>>(values, b);
	return gs_launched();
}

static cudaError_t
diff_batch_of(const gs_op *op, const gs_device_input *in,
			  const gs_device_output *out, void *state, void *,
			  cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch, (op, in, out, state, stream))
}

const gs_kernels gs_diff_kernels = {
	.name = "diff",
	.state_size = diff_state_size,
	.start = diff_begin,
	.batch = diff_batch_of
};
