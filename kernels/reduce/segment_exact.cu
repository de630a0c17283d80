/*-------------------------------------------------------------------------
 *
 * segment_exact.cu
 *	  Sums of floats of any spread, by accumulators: of the segments whose
 *	  sums three doubles do not hold.
 *
 * This method always works.  The values of a segment are adjacent, and a block
 * adds them: each thread has an accumulator of its own (a column of limbs in
 * shared memory).  All values are finite, since others decide the result
 * before (segment.cuh).
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/reduce/segment.cuh"
#include "kernels/reduce/segment_round.cuh"

#define THREADS		64
#define LIMBS		GS_ACC_LIMBS
#define BLOCKS		4			/* a multiprocessor, as shared memory allows */

struct exact_shared
{
	int64_t		limb[LIMBS][THREADS];
	int64_t		total[LIMBS];
	gs_digits	digits;
	bool		lost[THREADS];
	int64_t		first;			/* value, and the number behind the last */
	int64_t		end;
};

/* The index of the head that starts segment i. */
__device__ static int64_t
find_head(const segment_args &a, int64_t i)
{
	int64_t		low = 0;
	int64_t		high = gs_divide_up(a.n, GS_RANK_BLOCK) - 1;
	uint32_t	rest;

	/* the last block before which there are no more heads than i */
	while (low < high)
	{
		int64_t		middle = (low + high + 1) / 2;

		if (a.head_ranks[middle] <= i)
			low = middle;
		else
			high = middle - 1;
	}
	rest = (uint32_t) i - a.head_ranks[low];
	for (int64_t word = low * (GS_RANK_BLOCK / 32); word * 32 < a.n; word++)
	{
		uint32_t	bits = a.heads[word];

		if (rest < (uint32_t) __popc(bits))
		{
			for (; rest > 0; rest--)
				bits &= bits - 1;
			return word * 32 + __ffs(bits) - 1;
		}
		rest -= __popc(bits);
	}
	return a.n;
}

/* The number of values before element i. */
__device__ static int64_t
values_before(const segment_args &a, int64_t i)
{
	const uint32_t *word = (const uint32_t *) a.validity;
	int64_t		rank;

	if (a.validity == NULL)
		return i;
	rank = a.ranks[i / GS_RANK_BLOCK];
	if (i == a.n && i % GS_RANK_BLOCK == 0)
		return rank;			/* of all: the table goes on with it */
	for (int64_t w = i / GS_RANK_BLOCK * (GS_RANK_BLOCK / 32); w < i / 32; w++)
		rank += __popc(word[w]);
	if (i % 32 != 0)
		rank += __popc(word[i / 32] & ((1u << i % 32) - 1));
	return rank;
}

__device__ static void
add_finite(int64_t (*limb)[THREADS], double x)
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

	limb[k][threadIdx.x] += negative ? -w0 : w0;
	limb[k + 1][threadIdx.x] += negative ? -w1 : w1;
	limb[k + 2][threadIdx.x] += negative ? -w2 : w2;
}

__device__ static inline void
round_digits(const gs_digits *d, double *result)
{
	*result = gs_digits_to_double(d);
}

__device__ static inline void
round_digits(const gs_digits *d, float *result)
{
	*result = gs_digits_to_float(d);
}

/* By one thread: the result of segment i, whose count is negative. */
template <typename F, bool MEAN>
__device__ static void
put_exact(const segment_args &a, int64_t i, exact_shared *shared)
{
	int64_t		n = -a.out.counts[i];
	F			sum;

	a.out.counts[i] = n;
	gs_digits_from_limbs(&shared->digits, shared->total);
	if (MEAN)
	{
		gs_digits_divide(&shared->digits, (uint32_t) n);
		((double *) a.out.results)[i] = gs_digits_to_double(&shared->digits);
		return;
	}
	round_digits(&shared->digits, &sum);
	if (!gs_is_finite((double) sum))
	{
		sum = 0;
		segment_overflow(a.out, i);
	}
	((F *) a.out.results)[i] = sum;
}

/* By all threads. */
template <typename F, bool MEAN>
__device__ static void
reduce_exactly(const segment_args &a, int64_t segments, int64_t i,
			   exact_shared *shared)
{
	if (threadIdx.x == 0)
	{
		shared->first = values_before(a, find_head(a, i));
		shared->end = values_before(a, i + 1 < segments ?
									find_head(a, i + 1) : a.n);
	}
	for (int k = 0; k < LIMBS; k++)
		shared->limb[k][threadIdx.x] = 0;
	__syncthreads();
	for (int64_t at = shared->first + threadIdx.x; at < shared->end;
		 at += THREADS)
		add_finite(shared->limb, (double) ((const F *) a.values)[at]);
	__syncthreads();
	for (int k = threadIdx.x; k < LIMBS; k += THREADS)
	{
		int64_t		sum = 0;

		for (int t = 0; t < THREADS; t++)
			sum += shared->limb[k][t];
		shared->total[k] = sum;
	}
	__syncthreads();
	if (threadIdx.x == 0)
		put_exact<F, MEAN>(a, i, shared);
	__syncthreads();
}

template <typename F, bool MEAN>
__global__ static void
__launch_bounds__(THREADS)
exact_kernel(segment_args a)
{
	__shared__ exact_shared shared;
	int64_t		segments = a.out.header->results;

	if (!a.out.header->lost)
		return;
	for (int64_t base = (int64_t) blockIdx.x * THREADS; base < segments;
		 base += (int64_t) gridDim.x * THREADS)
	{
		int64_t		mine = base + threadIdx.x;

		shared.lost[threadIdx.x] = mine < segments && a.out.counts[mine] < 0;
		__syncthreads();
		for (int i = 0; i < THREADS; i++)
			if (shared.lost[i])
				reduce_exactly<F, MEAN>(a, segments, base + i, &shared);
		__syncthreads();
	}
}

cudaError_t
gs_segment_exact(const gs_op *op, const segment_args &a, cudaStream_t stream)
{
	bool		mean = op->kind == GS_SEGMENT_AVG;
	int			blocks;

	GS_TRY(gs_grid(gs_divide_up(a.n, THREADS), BLOCKS, &blocks));
	if (op->type == GS_FLOAT4 && mean)
		exact_kernel<float, true><<<blocks, THREADS, 0, stream>>>(a);
	else if (op->type == GS_FLOAT4)
		exact_kernel<float, false><<<blocks, THREADS, 0, stream>>>(a);
	else if (mean)
		exact_kernel<double, true><<<blocks, THREADS, 0, stream>>>(a);
	else
		exact_kernel<double, false><<<blocks, THREADS, 0, stream>>>(a);
	return gs_launched();
}
