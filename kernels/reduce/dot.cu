/*-------------------------------------------------------------------------
 *
 * dot.cu
 *	  Dot products of two arrays.
 *
 * Like a reduction (reduce.cu): one launch a batch, a persistent grid over
 * tiles of both arrays, totals merged across threads, warps and, by atomic
 * additions, blocks.
 *
 * Values are packed, so if one of the arrays has NULLs, an element's value is
 * found by its rank.  Then a warp goes through the elements of a block of
 * ranks, 32 at a time.
 *
 * Source, determinism: those of reduce.cu; a product is its double and its
 * error, exactly.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/reduce/dot.cuh"
#include "kernels/ranked.cuh"
#include "kernels/reduce/reduce_merge.cuh"
#include "kernels/reduce/reduce_propagate.cuh"

#define DOT_TILE	(THREADS * GS_DOT_LOADS)	/* 16-byte loads of each array */

/* Pairs of a batch without NULLs, by tiles whose turn is this block's. */
template <class R>
__device__ static void
add_pairs_of_tiles(R &r, const typename R::element *x,
				   const typename R::element *y, int64_t n, block_acc *acc)
{
	typedef typename R::element T;
	const int	EACH = 16 / sizeof(T);
	const int64_t vectors = n / EACH;
	const int64_t full = vectors / DOT_TILE * DOT_TILE;
	const int64_t step = (int64_t) gridDim.x * DOT_TILE;
	const uint4 *from_x = (const uint4 *) x;
	const uint4 *from_y = (const uint4 *) y;
	int64_t		at = (int64_t) blockIdx.x * DOT_TILE;
	vector<T>	u[GS_DOT_LOADS];
	vector<T>	v[GS_DOT_LOADS];

	for (; at < full; at += step)
	{
#pragma unroll
		for (int i = 0; i < GS_DOT_LOADS; i++)
		{
			u[i].raw = __ldcs(from_x + at + i * THREADS + threadIdx.x);
			v[i].raw = __ldcs(from_y + at + i * THREADS + threadIdx.x);
		}
#pragma unroll
		for (int i = 0; i < GS_DOT_LOADS; i++)
			r.add(u[i].x, v[i].x, acc);
	}

	/* the tail tile */
	if (at / DOT_TILE != vectors / DOT_TILE)
		return;
	for (int64_t i = at + threadIdx.x; i < vectors; i += THREADS)
	{
		u[0].raw = from_x[i];
		v[0].raw = from_y[i];
		r.add(u[0].x, v[0].x, acc);
	}
	if (vectors * EACH + threadIdx.x < n)
	{
		const T		last_x[1] = {x[vectors * EACH + threadIdx.x]};
		const T		last_y[1] = {y[vectors * EACH + threadIdx.x]};

		r.add(last_x, last_y, acc);
	}
}

template <class R>
__global__ static void
__launch_bounds__(THREADS, GS_DOT_BLOCKS)
dot_kernel(R nothing, const typename R::element *x,
		   const typename R::element *y, int64_t n, reduce_state *state)
{
	__shared__ block_acc shared_acc;
	block_acc  *acc = R::EXACT ? &shared_acc : NULL;
	R			r = own_copy(nothing);

	if (R::EXACT)
		for (int i = threadIdx.x; i < (int) (sizeof *acc / 4); i += THREADS)
			((uint32_t *) acc)[i] = 0;
	__syncthreads();
	add_pairs_of_tiles(r, x, y, n, acc);

	typename R::total total = block_merge(r.close(acc), nothing, acc);

	if (threadIdx.x == 0)
		total.add_to_state(state);
	if (R::EXACT)
		flush_acc(acc, state);
	if (blockIdx.x == 0 && threadIdx.x == 0)
		state->pairs += n;
}

template <class R>
__global__ static void
__launch_bounds__(THREADS, GS_DOT_BLOCKS)
dot_nulls_kernel(R nothing, ranked<typename R::element> x,
				 ranked<typename R::element> y, int64_t n, reduce_state *state)
{
	typedef typename R::element T;
	__shared__ block_acc shared_acc;
	block_acc  *acc = R::EXACT ? &shared_acc : NULL;
	const int64_t blocks = gs_divide_up(n, GS_RANK_BLOCK);
	const uint32_t lane_bit = (uint32_t) 1 << gs_lane();
	unsigned long long pairs = 0;
	R			r = own_copy(nothing);

	if (R::EXACT)
		for (int i = threadIdx.x; i < (int) (sizeof *acc / 4); i += THREADS)
			((uint32_t *) acc)[i] = 0;
	__syncthreads();
	for (int64_t b = (int64_t) blockIdx.x * WARPS + gs_warp(); b < blocks;
		 b += (int64_t) gridDim.x * WARPS)
	{
		uint32_t	of_x = x.first_of(b);
		uint32_t	of_y = y.first_of(b);

		for (int64_t at = b * GS_RANK_BLOCK;
			 at < n && at < (b + 1) * GS_RANK_BLOCK; at += GS_WARP)
		{
			const uint32_t in_x = x.present(at, n);
			const uint32_t in_y = y.present(at, n);

			if (in_x & in_y & lane_bit)
			{
				const T		u[1] = {x.values[of_x +
					__popc(in_x & (lane_bit - 1))]};
				const T		v[1] = {y.values[of_y +
					__popc(in_y & (lane_bit - 1))]};

				r.add(u, v, acc);
			}
			__syncwarp();
			of_x += __popc(in_x);
			of_y += __popc(in_y);
			pairs += __popc(in_x & in_y);
		}
	}

	typename R::total total = block_merge(r.close(acc), nothing, acc);

	if (threadIdx.x == 0)
		total.add_to_state(state);
	if (R::EXACT)
		flush_acc(acc, state);
	if (gs_lane() == 0)
		atomicAdd(&state->pairs, pairs);
}

/* ----------
 * The family
 * ----------
 */

static size_t
dot_state_size(const gs_op *, int64_t)
{
	return sizeof(reduce_state);
}

static size_t
dot_report_size(const gs_op *)
{
	return sizeof(reduce_state);
}

static size_t
dot_scratch_size(const gs_op *, int64_t batch)
{
	return 2 * ranks_size(batch);
}

static cudaError_t
dot_start(const gs_op *, int64_t, void *state, cudaStream_t stream)
{
	return cudaMemsetAsync(state, 0, sizeof(reduce_state), stream);
}

template <typename T> struct dot_of
{
	typedef dot_integer<T> type;
};

template <> struct dot_of<float>
{
	typedef dot_float4 type;
};

template <> struct dot_of<double>
{
	typedef dot_float8 type;
};

template <typename T>
static cudaError_t
launch(const gs_device_input *in, reduce_state *state, char *scratch,
	   cudaStream_t stream)
{
	typedef typename dot_of<T>::type R;
	const int64_t bytes = in->n * (int64_t) sizeof(T);
	int			blocks;

	if (in->data.validity != NULL || in->mask.validity != NULL)
	{
		ranked<T>	x;
		ranked<T>	y;

		GS_TRY(find_ranks(&in->data, in->n, scratch, stream, &x));
		GS_TRY(find_ranks(&in->mask, in->n, scratch + ranks_size(in->n),
						  stream, &y));
		GS_TRY(gs_grid(gs_divide_up(in->n, WARPS * GS_RANK_BLOCK),
					   GS_DOT_BLOCKS, &blocks));
		dot_nulls_kernel<R><<<blocks, THREADS, 0, stream>>>
			(R(), x, y, in->n, state);
	}
	else
	{
		GS_TRY(gs_grid(gs_divide_up(bytes, DOT_TILE * 16), GS_DOT_BLOCKS,
					   &blocks));
		dot_kernel<R><<<blocks, THREADS, 0, stream>>>
			(R(), (const T *) in->data.values, (const T *) in->mask.values,
			 in->n, state);
	}
	GS_TRY(gs_launched());
	return propagate(in, state, stream);
}

static cudaError_t
dot_batch(const gs_op *op, const gs_device_input *in,
		  const gs_device_output *, void *state, void *scratch,
		  cudaStream_t stream)
{
	GS_BY_TYPE(op->type, launch, (in, (reduce_state *) state, (char *) scratch,
								  stream))
}

static void
dot_result(const gs_op *, const void *report, gs_result *result)
{
	const reduce_state *state = (const reduce_state *) report;

	result->present = (int64_t) state->pairs;
	memcpy(result->isquares, state->isquares, sizeof result->isquares);
	result->squares = state->squares;
	gs_acc2_propagate(&result->squares);
}

const gs_kernels gs_dot_kernels = {
	.name = "dot",
	.state_size = dot_state_size,
	.report_size = dot_report_size,
	.scratch_size = dot_scratch_size,
	.start = dot_start,
	.batch = dot_batch,
	.result = dot_result
};
