/*-------------------------------------------------------------------------
 *
 * reduce.cu
 *	  Reductions except products: sums, moments, extremes, bits.
 *
 * One launch a batch.  A persistent grid that fills the device goes over the
 * values in tiles.  Totals are merged across threads, then warps, and each
 * block merges its own into the state by atomic additions.  Only positions,
 * for which there is no such addition, are merged by the last block to finish.
 * Values are packed, so NULLs play no part here; only a position is translated
 * at the end.
 *
 *-------------------------------------------------------------------------
 */
#include "reduce_tile.cuh"
#include "stats.cuh"

/*
 * The merged totals of the first `lanes` lanes, in lane 0.  They are first
 * merged without acc, which nearly always succeeds, and checked once at the
 * end; if that failed, they are merged again with acc.
 */
template <class R>
__device__ static inline typename R::total
warp_merge(typename R::total total, int lanes, block_acc *acc)
{
	typedef typename R::total T;

	if constexpr (R::QUICK)
	{
		T			quick = total;
		uint32_t	lost = 0;

#pragma unroll
		for (int d = lanes / 2; d > 0; d /= 2)
		{
			uint32_t	bits = 0;

			quick.merge_quickly(gs_shuffle_down(quick, d), &bits);
			lost |= gs_lane() < d ? bits : 0;
		}
		if (!__any_sync(GS_ALL_LANES, lost != 0))
			return quick;
	}
#pragma unroll
	for (int d = lanes / 2; d > 0; d /= 2)
	{
		T			other = gs_shuffle_down(total, d);

		if (gs_lane() < d)
			total.merge(other, acc);
	}
	return total;
}

/* The merged totals of a block's threads, in thread 0. */
template <class R>
__device__ static typename R::total
block_merge(typename R::total total, const R &nothing, block_acc *acc)
{
	typedef typename R::total T;
	__shared__ char buffer[WARPS * sizeof(T)] __attribute__((aligned(16)));
	T		   *of_warp = (T *) buffer;

	total = warp_merge<R>(total, GS_WARP, acc);
	__syncthreads();
	if (gs_lane() == 0)
		of_warp[gs_warp()] = total;
	__syncthreads();
	if (gs_warp() == 0)
	{
		R			r = own_copy(nothing);

		total = gs_lane() < WARPS ? of_warp[gs_lane()] : r.close(acc);
		total = warp_merge<R>(total, WARPS, acc);
	}
	return total;
}

/*
 * Add a block's accumulators to the state, once all its threads have used
 * them.
 */
__device__ static void
flush_acc(const block_acc *acc, reduce_state *state)
{
	__syncthreads();
	if (!acc->touched)
		return;
	for (int i = threadIdx.x; i < GS_ACC_LIMBS; i += THREADS)
		gs_limb_atomic_add(state->sum.limb + i, acc->sum.limb[i]);
	for (int i = threadIdx.x; i < GS_ACC2_LIMBS; i += THREADS)
		gs_limb_atomic_add(state->squares.limb + i, acc->squares.limb[i]);
	if (threadIdx.x < GS_SPECIALS)
		atomicAdd(&state->special[threadIdx.x], acc->special[threadIdx.x]);
	if (threadIdx.x == 0)
	{
		atomicOr(&state->sum.seen, acc->sum.seen);
		atomicOr(&state->squares.seen, acc->squares.seen);
	}
}

/*
 * Merge the totals of all blocks in the last block to finish; returns true in
 * that block only.
 */
template <class R>
__device__ static bool
grid_merge(typename R::total *total, const R &nothing, block_acc *acc,
		   typename R::total *of_block, reduce_state *state)
{
	__shared__ bool last;
	R			r = own_copy(nothing);

	if (gridDim.x == 1)
		return true;
	if (threadIdx.x == 0)
	{
		of_block[blockIdx.x] = *total;
		__threadfence();
		last = atomicInc(&state->done, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return false;
	__threadfence();
	*total = r.close(acc);
	for (int i = threadIdx.x; i < gridDim.x; i += THREADS)
		total->merge(of_block[i], acc);
	*total = block_merge(*total, nothing, acc);
	return true;
}

/* fresh: the state is not initialised, and this is the only block. */
template <class R>
__global__ static void
__launch_bounds__(THREADS, R::BLOCKS)
reduce_kernel(R nothing, const typename R::element *values, int64_t n,
			  reduce_place place, typename R::total *of_block,
			  reduce_state *state, bool fresh)
{
	__shared__ block_acc shared_acc;
	block_acc  *acc = R::EXACT ? &shared_acc : NULL;
	R			r = own_copy(nothing);
	bool		adds_total = true;

	if (R::EXACT)
		for (int i = threadIdx.x; i < (int) (sizeof *acc / 4); i += THREADS)
			((uint32_t *) acc)[i] = 0;
	if (fresh)
		for (int i = threadIdx.x; i < (int) (sizeof *state / 4); i += THREADS)
			((uint32_t *) state)[i] = 0;
	__syncthreads();
	add_share(r, values, n, acc);

	typename R::total total = block_merge(r.close(acc), nothing, acc);

	if constexpr (R::NEEDS_INDEX)
		adds_total = grid_merge(&total, nothing, acc, of_block, state);
	if (adds_total && threadIdx.x == 0)
		total.add_to_state(state, place);
	if (R::EXACT)
		flush_acc(acc, state);
}

/* Propagate carries before the limbs can overflow. */
__global__ static void
propagate_kernel(reduce_state *state)
{
	int64_t    *limb = threadIdx.x == 0 ? state->sum.limb :
		state->squares.limb;
	int			limbs = threadIdx.x == 0 ? GS_ACC_LIMBS : GS_ACC2_LIMBS;
	int64_t		carry = 0;

	for (int i = 0; i < limbs - 1; i++)
	{
		carry += limb[i];
		limb[i] = carry & 0xffffffff;
		carry >>= 32;
	}
	limb[limbs - 1] += carry;
}

/* ----------
 * The family
 * ----------
 */

/*
 * Elements after which carries are propagated, at the end of a batch.  An
 * element makes about one addition to a limb, two at most.
 */
#define PROPAGATE_EACH	(GS_ACC_ADDITIONS / 16)

/*
 * For a small array, the first batch initialises the state, which saves a
 * launch.  n is the array's number of elements or, which is as good, the
 * batch's.
 */
static bool
starts_late(const gs_op *op, int64_t n)
{
	return n > 0 && n * gs_type_width((gs_type) op->type) <= GS_REDUCE_ALONE;
}

template <class R>
static cudaError_t
launch(const gs_op *op, const gs_device_input *in, void *state, void *scratch,
	   cudaStream_t stream)
{
	typedef typename R::element T;
	const size_t buffer = R::STAGED ? STAGES * TILE * sizeof(uint4) : 0;
	reduce_place place;
	int64_t		elements;
	int			blocks;

	place.first = in->first;
	place.n = in->n;
	place.present = in->data.present;
	place.bytes = in->data.present * gs_type_width((gs_type) op->type);
	place.values = (const uint8_t *) in->data.values;
	place.validity = NULL;
	place.ranks = NULL;
	if (R::NEEDS_INDEX && in->data.validity != NULL)
	{
		char	   *at = (char *) scratch;
		uint32_t   *ranks = (uint32_t *)
			gs_part(&at, gs_bitmap_ranks_size(in->n));

		GS_TRY(gs_bitmap_ranks(in->data.validity, in->n, ranks, at, stream));
		at += gs_aligned(gs_bitmap_ranks_scratch_size(in->n));
		scratch = at;
		place.validity = in->data.validity;
		place.ranks = ranks;
	}
	elements = place.bytes / sizeof(T);
	if (buffer > 0)
		GS_TRY(gs_allow_shared<reduce_kernel<R>>());
	GS_TRY(gs_grid(gs_divide_up(place.bytes, TILE * 16), R::BLOCKS,
				   &blocks));
	if (place.bytes <= GS_REDUCE_ALONE)
		blocks = 1;
	reduce_kernel<R><<<blocks, THREADS, buffer, stream>>>
		(R(op), (const T *) in->data.values, elements, place,
		 (typename R::total *) scratch, (reduce_state *) state,
		 in->first == 0 && starts_late(op, in->n));
	return gs_launched();
}

typedef cudaError_t (*launcher) (const gs_op *op, const gs_device_input *in,
								 void *state, void *scratch,
								 cudaStream_t stream);

#define OF_EACH_TYPE(r) \
	{NULL, NULL, launch<r<int16_t>>, launch<r<int32_t>>, launch<r<int64_t>>, \
	 launch<r<float>>, launch<r<double>>}

/* Launchers by type. */
static const launcher extreme_values[] = OF_EACH_TYPE(extreme_value);
static const launcher extreme_positions[] = OF_EACH_TYPE(extreme_position);
static const launcher sums[] = {
	NULL, NULL, launch<sum_integer<int16_t>>, launch<sum_integer<int32_t>>,
	launch<sum_integer<int64_t>>, launch<sum_float4>, launch<sum_float8>
};
static const launcher moments[] = {
	NULL, NULL, launch<moments_integer<int16_t>>,
	launch<moments_integer<int32_t>>, launch<moments_integer<int64_t>>,
	launch<moments_float4>, launch<moments_float8>
};

static const launcher all_stats[] = {
	NULL, NULL, launch<stats<moments_integer<int16_t>>>,
	launch<stats<moments_integer<int32_t>>>,
	launch<stats<moments_integer<int64_t>>>, launch<stats<moments_float4>>,
	launch<stats<moments_float8>>
};

static launcher
launcher_of(const gs_op *op)
{
	switch (op->kind)
	{
		case GS_SUM:
			return sums[op->type];
		case GS_MOMENTS:
			return moments[op->type];
		case GS_STATS:
			return all_stats[op->type];
		case GS_MIN:
		case GS_MAX:
			return extreme_values[op->type];
		case GS_ARGMIN:
		case GS_ARGMAX:
			return extreme_positions[op->type];
		case GS_BIT_XOR:
			return launch<bit_words<true>>;
		case GS_BIT_AND:
		case GS_BIT_OR:
			return launch<bit_words<false>>;
		default:
			return NULL;
	}
}

static size_t
reduce_state_size(const gs_op *, int64_t)
{
	return sizeof(reduce_state);
}

static size_t
reduce_report_size(const gs_op *)
{
	return sizeof(reduce_state);
}

/* Only for positions: ranks, and the totals of blocks, at most one a tile. */
static size_t
reduce_scratch_size(const gs_op *op, int64_t chunk)
{
	int64_t		bytes = chunk * gs_type_width((gs_type) op->type);
	int			blocks;

	if (op->kind != GS_ARGMIN && op->kind != GS_ARGMAX)
		return 0;
	if (gs_grid(gs_divide_up(bytes, TILE * 16), GS_REDUCE_BLOCKS,
				&blocks) != cudaSuccess)
		blocks = 0;				/* the next call reports the error */
	return gs_aligned(gs_bitmap_ranks_size(chunk)) +
		gs_aligned(gs_bitmap_ranks_scratch_size(chunk)) +
		blocks * sizeof(extreme_position<double>);
}

static cudaError_t
reduce_start(const gs_op *op, int64_t n, void *state, cudaStream_t stream)
{
	return starts_late(op, n) ? cudaSuccess :
		cudaMemsetAsync(state, 0, sizeof(reduce_state), stream);
}

static cudaError_t
reduce_chunk(const gs_op *op, const gs_device_input *in,
			 const gs_device_output *, void *state, void *scratch,
			 cudaStream_t stream)
{
	launcher	launch = launcher_of(op);

	if (launch == NULL)
		return cudaErrorNotSupported;
	if (in->data.present == 0)
		return in->first == 0 && starts_late(op, in->n) ?
			cudaMemsetAsync(state, 0, sizeof(reduce_state), stream) :
			cudaSuccess;
	GS_TRY(launch(op, in, state, scratch, stream));
	if (in->first / PROPAGATE_EACH == (in->first + in->n) / PROPAGATE_EACH)
		return cudaSuccess;
	propagate_kernel<<<1, 2, 0, stream>>> ((reduce_state *) state);
	return gs_launched();
}

static cudaError_t
reduce_finish(const gs_op *, int64_t, void *, cudaStream_t)
{
	return cudaSuccess;
}

static gs_value
value_of_key(const gs_op *op, uint64_t best)
{
	int64_t		key = (int64_t) (best ^ UINT64_C(0x8000000000000000));
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (is_minimum(op))
		key = ~key;
	switch (op->type)
	{
		case GS_INT2:
			v.i2 = (int16_t) key;
			break;
		case GS_INT4:
			v.i4 = (int32_t) key;
			break;
		case GS_INT8:
			v.i8 = key;
			break;
		case GS_FLOAT4:
			v.f4 = gs_key<float>::value((int32_t) key);
			break;
		default:
			v.f8 = gs_key<double>::value(key);
			break;
	}
	return v;
}

/* Combine the values in the lanes of 64 bits. */
static gs_value
value_of_bits(const gs_op *op, uint64_t bits)
{
	int			width = 8 * gs_type_width((gs_type) op->type);
	gs_value	v;

	for (int lane = 32; lane >= width; lane /= 2)
		bits = op->kind == GS_BIT_XOR ? bits ^ bits >> lane :
			bits | bits >> lane;
	if (op->kind == GS_BIT_AND)
		bits = ~bits;
	memset(&v, 0, sizeof v);
	switch (op->type)
	{
		case GS_BOOL:
			v.i2 = (int16_t) (bits & 1);
			break;
		case GS_INT2:
			v.i2 = (int16_t) bits;
			break;
		case GS_INT4:
			v.i4 = (int32_t) bits;
			break;
		default:
			v.i8 = (int64_t) bits;
			break;
	}
	return v;
}

static void
put_moments(const reduce_state *state, gs_result *result)
{
	memcpy(result->isum, state->isum, sizeof result->isum);
	memcpy(result->isquares, state->isquares, sizeof result->isquares);
	result->sum = state->sum;
	result->squares = state->squares;
	gs_acc_propagate(&result->sum);
	gs_acc2_propagate(&result->squares);
}

static void
put_stats(const gs_op *op, const reduce_state *state, gs_result *result)
{
	gs_value   *least = &result->value;
	gs_value   *greatest = &result->greatest;

	put_moments(state, result);
	for (int i = 0; i < GS_SPECIALS; i++)
		result->special[i] = state->special[i];
	switch (op->type)
	{
		case GS_INT2:
			stats_extremes(state, &least->i2, &greatest->i2);
			break;
		case GS_INT4:
			stats_extremes(state, &least->i4, &greatest->i4);
			break;
		case GS_INT8:
			stats_extremes(state, &least->i8, &greatest->i8);
			break;
		case GS_FLOAT4:
			stats_extremes(state, &least->f4, &greatest->f4);
			break;
		default:
			stats_extremes(state, &least->f8, &greatest->f8);
			break;
	}
}

static void
reduce_result(const gs_op *op, const void *report, gs_result *result)
{
	const reduce_state *state = (const reduce_state *) report;

	switch (op->kind)
	{
		case GS_MIN:
		case GS_MAX:
			result->value = value_of_key(op, state->best);
			break;
		case GS_ARGMIN:
		case GS_ARGMAX:
			result->position = state->position;
			break;
		case GS_BIT_AND:
		case GS_BIT_OR:
		case GS_BIT_XOR:
			result->value = value_of_bits(op, state->bits);
			break;
		case GS_STATS:
			put_stats(op, state, result);
			break;
		default:
			put_moments(state, result);
			break;
	}
}

const gs_kernels gs_reduce_kernels = {
	"reduce",
	reduce_state_size,
	reduce_report_size,
	reduce_scratch_size,
	reduce_start,
	reduce_chunk,
	reduce_finish,
	NULL,
	reduce_result
};
