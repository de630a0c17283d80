/*-------------------------------------------------------------------------
 *
 * change.cu
 *	  The change from each element to the next as a share of the former.
 *
 * A result is NULL where either element is, and first.  Without NULLs a thread
 * has two results, whose values its neighbours read as well.  With NULLs, the
 * results' bitmap comes first; a warp then goes through the elements of a block
 * of ranks, 32 at a time: a value is found by its rank among the values, and
 * the one before it lies beside it.  A last kernel, of one thread, reports, and
 * keeps the last value for the next batch.
 *
 * What two doubles do not decide is left to the host.
 *
 * Source: Ziv's rounding test (exact/exact.h).
 * Determinism: a result depends on two elements alone, and is rounded once.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/map/undecided.cuh"

#define THREADS		256

/* Results a thread has, and blocks of a multiprocessor (tuned on an H200). */
#define ITEMS		4
#if __CUDA_ARCH__ == 750
#define BLOCKS		4			/* as many as fit */
#else
#define BLOCKS		6
#endif

/* The state of an execution. */
struct change_state
{
	gs_value	last;			/* of the element before the batch, */
	uint64_t	had;			/* if there is one, which is not NULL */
};

/* What the kernels read and write beside the values and results. */
struct change_batch
{
	int64_t		n;				/* elements */
	int64_t		present;
	const uint32_t *validity;	/* NULL: all present */
	uint64_t   *bits;			/* of the results */
	change_state *state;
	gs_done    *done;			/* value_error and undecided are 0 before */
	gs_undecided *undecided;
};

/* The layout of a batch's scratch memory, for NULLs. */
struct change_scratch
{
	uint32_t   *ranks[2];		/* of the values, and of the results */
	void	   *of_ranks;
	size_t		size;
};

static change_scratch
scratch_at(void *scratch, int64_t n)
{
	char	   *at = (char *) scratch;
	change_scratch s;

	for (int i = 0; i < 2; i++)
		s.ranks[i] = (uint32_t *) gs_part(&at, gs_bitmap_ranks_size(n));
	s.of_ranks = gs_part(&at, gs_bitmap_ranks_scratch_size(n));
	s.size = at - (char *) scratch;
	return s;
}

static size_t
change_state_size(const gs_op *, int64_t)
{
	return sizeof(change_state);
}

static size_t
change_scratch_size(const gs_op *, int64_t chunk)
{
	return scratch_at(NULL, chunk).size;
}

static cudaError_t
change_begin(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(change_state), stream);
}

/* The change; GS_UNANSWERED: two doubles do not decide it. */
static __device__ __forceinline__ gs_answer
change_of(double before, double value, double *r)
{
	/* the usual case first: it is false of NaN, infinities and division by 0 */
	return gs_change_quickly(before, value, r) ? GS_ANSWERED :
		gs_answer_change(value, before, r);
}

static __device__ __forceinline__ gs_answer
change_of(float before, float value, double *r)
{
	return change_of((double) before, (double) value, r);
}

template <typename T>
static __device__ __forceinline__ gs_answer
change_of(T before, T value, double *r)
{
	gs_answer	answer = gs_answer_change((double) value, (double) before, r);

	return answer == GS_UNANSWERED &&
		gs_change_of_integers(before, value, r) ? GS_ANSWERED : answer;
}

/* The change, at its place. */
template <typename T>
static __device__ __forceinline__ void
put(T before, T value, const change_batch &b, int64_t place, double *to)
{
	double		r;
	gs_answer	answer = change_of(before, value, &r);

	if (answer == GS_ANSWERED)
	{
		__stcs(&to[place], r);
		return;
	}
	gs_leave_to_host(answer, value, before, place, b.done, b.undecided);
}

/* A block has ITEMS * THREADS consecutive elements, none of them NULL. */
template <typename T>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
dense_kernel(const T *values, change_batch b, double *to)
{
	const int64_t start = (int64_t) blockIdx.x * ITEMS * THREADS + threadIdx.x;
	const int64_t thread = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	const bool	had = b.state->had;
	T			value[ITEMS];
	T			before[ITEMS];

#pragma unroll
	for (int j = 0; j < ITEMS; j++)
	{
		const int64_t i = start + j * THREADS;

		value[j] = i < b.n ? values[i] : T(0);
		before[j] = i > 0 && i < b.n ? values[i - 1] : T(0);
	}
#pragma unroll
	for (int j = 0; j < ITEMS; j++)
	{
		const int64_t i = start + j * THREADS;

		if (i >= b.n || (i == 0 && !had))
			continue;
		if (i == 0)
			memcpy(&before[j], &b.state->last, sizeof(T));
		put(before[j], value[j], b, had ? i : i - 1, to);
	}
	/* there are threads for all words */
	if (thread < gs_divide_up(b.n, 64))
	{
		uint64_t	word = thread == 0 && !had ? ~UINT64_C(1) : ~UINT64_C(0);

		if (b.n - 64 * thread < 64)
			word &= (UINT64_C(1) << (b.n - 64 * thread)) - 1;
		b.bits[thread] = word;
	}
}

/* Which elements and the ones before them have values? */
static __global__ void __launch_bounds__(THREADS)
find_changes(const uint64_t *validity, change_batch b)
{
	const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
	uint64_t	before;
	uint64_t	word;

	if (i >= gs_divide_up(b.n, 64))
		return;
	word = validity[i];
	before = i == 0 ? b.state->had : validity[i - 1] >> 63;
	word &= word << 1 | before;
	if (b.n - 64 * i < 64)
		word &= (UINT64_C(1) << (b.n - 64 * i)) - 1;
	b.bits[i] = word;
}

/* Elements of which some are NULL; a warp has a block of ranks. */
template <typename T>
static __global__ void __launch_bounds__(THREADS)
sparse_kernel(const T *values, change_batch b, const uint32_t *ranks,
			  const uint32_t *result_ranks, double *to)
{
	const int	words = GS_RANK_BLOCK / GS_WARP;
	const uint32_t *bits = (const uint32_t *) b.bits;
	const uint32_t below = (1u << gs_lane()) - 1;
	const int64_t blocks = gs_divide_up(b.n, GS_RANK_BLOCK);
	const int64_t block = (int64_t) blockIdx.x * (THREADS / GS_WARP) +
		gs_warp();
	uint32_t	in;
	uint32_t	out;

	if (block >= blocks)
		return;
	in = ranks[block];
	out = result_ranks[block];
	for (int i = 0; i < words; i++)
	{
		const int64_t word = block * words + i;
		uint32_t	present;
		uint32_t	changes;

		if (word * GS_WARP >= b.n)
			break;
		present = b.validity[word];
		changes = bits[word];
		if (changes >> gs_lane() & 1)
		{
			const int64_t at = in + __popc(present & below);
			T			before;

			if (at > 0)
				before = values[at - 1];
			else
				memcpy(&before, &b.state->last, sizeof(T));
			put(before, values[at], b, out + __popc(changes & below), to);
		}
		in += __popc(present);
		out += __popc(changes);
	}
}

/* One thread, after the batch's results. */
template <typename T>
static __global__ void
finish_batch(const T *values, change_batch b, const uint32_t *result_ranks)
{
	const int64_t last = b.n - 1;

	b.done->n = b.n;
	b.done->present = b.validity == NULL ? b.n - !b.state->had :
		result_ranks[gs_divide_up(b.n, GS_RANK_BLOCK)];
	b.state->had = b.validity == NULL ||
		(b.validity[last / 32] >> (last % 32) & 1);
	if (b.present > 0)
		memcpy(&b.state->last, &values[b.present - 1], sizeof(T));
}

template <typename T>
static cudaError_t
launch_sparse(const T *values, const change_batch &b, const uint8_t *validity,
			  const change_scratch *s, double *to, cudaStream_t stream)
{
	int64_t		blocks = gs_divide_up(gs_divide_up(b.n, 64), THREADS);

	find_changes<<<(unsigned int) blocks, THREADS, 0, stream>>>
		((const uint64_t *) validity, b);
	GS_TRY(gs_launched());
	GS_TRY(gs_bitmap_ranks(validity, b.n, s->ranks[0], s->of_ranks, stream));
	GS_TRY(gs_bitmap_ranks((const uint8_t *) b.bits, b.n, s->ranks[1],
						   s->of_ranks, stream));
	blocks = gs_divide_up(gs_divide_up(b.n, GS_RANK_BLOCK),
						  THREADS / GS_WARP);
	sparse_kernel<T><<<(unsigned int) blocks, THREADS, 0, stream>>>
		(values, b, s->ranks[0], s->ranks[1], to);
	return gs_launched();
}

template <typename T>
static cudaError_t
launch(const gs_device_input *in, const gs_device_output *out, void *state,
	   void *scratch, cudaStream_t stream)
{
	const change_scratch s = scratch_at(scratch, in->n);
	const T    *values = (const T *) in->data.values;
	double	   *to = (double *) out->values;
	change_batch b = {0};

	b.n = in->n;
	b.present = in->data.present;
	b.bits = (uint64_t *) out->validity;
	b.state = (change_state *) state;
	b.done = out->done;
	b.undecided = out->undecided;
	if (b.present < b.n)
	{
		b.validity = (const uint32_t *) in->data.validity;
		GS_TRY(launch_sparse<T>(values, b, in->data.validity, &s, to, stream));
	}
	else
	{
		const int64_t blocks = gs_divide_up(b.n, ITEMS * THREADS);

		dense_kernel<T><<<(unsigned int) blocks, THREADS, 0, stream>>>
			(values, b, to);
		GS_TRY(gs_launched());
	}
	finish_batch<T><<<1, 1, 0, stream>>>(values, b, s.ranks[1]);
	return gs_launched();
}

static cudaError_t
change_batch_of(const gs_op *op, const gs_device_input *in,
				const gs_device_output *out, void *state, void *scratch,
				cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch, (in, out, state, scratch, stream))
}

const gs_kernels gs_change_kernels = {
	.name = "change",
	.state_size = change_state_size,
	.scratch_size = change_scratch_size,
	.start = change_begin,
	.batch = change_batch_of
};
