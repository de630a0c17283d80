/*-------------------------------------------------------------------------
 *
 * reduce.cu
 *	  Reductions except products and dot products: sums, moments, extremes,
 *	  bits.
 *
 * One launch a batch.  A persistent grid that fills the device goes over the
 * values in tiles.  Totals are merged across threads, then warps, and each
 * block merges its own into the state by atomic additions.  Only positions,
 * for which there is no such addition, are merged by the last block to finish.
 * Values are packed, so NULLs play no part here; only a position is translated
 * at the end.
 *
 * Source: exact sums are Kulisch's (exact/exact.h).
 * Determinism: integers, keys, bits and limbs of fixed-point numbers merge to
 * the same in any order, and a position is the first of equals; so the grid
 * changes no bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/reduce/reduce_launcher.cuh"
#include "kernels/reduce/reduce_merge.cuh"
#include "kernels/reduce/reduce_propagate.cuh"

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

/* ----------
 * The family
 * ----------
 */

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

/* For reduce_launcher. */
struct batch_launch
{
	typedef cudaError_t (*function) (const gs_op *op, const gs_device_input *in,
									 void *state, void *scratch,
									 cudaStream_t stream);

	template <class R>
	static cudaError_t
	launch(const gs_op *op, const gs_device_input *in, void *state,
		   void *scratch, cudaStream_t stream)
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
};

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
	batch_launch::function launch = reduce_launcher<batch_launch>(op);

	if (launch == NULL)
		return cudaErrorNotSupported;
	if (in->data.present == 0)
		return in->first == 0 && starts_late(op, in->n) ?
			cudaMemsetAsync(state, 0, sizeof(reduce_state), stream) :
			cudaSuccess;
	GS_TRY(launch(op, in, state, scratch, stream));
	return propagate(in, (reduce_state *) state, stream);
}

template <typename T>
static gs_value
value_of(int64_t key)
{
	const T		element = gs_key<T>::value((typename gs_key<T>::type) key);
	gs_value	v;

	memset(&v, 0, sizeof v);
	memcpy(&v, &element, sizeof element);
	return v;
}

static gs_value
value_of_key(const gs_op *op, uint64_t best)
{
	const int64_t key = (int64_t) (best ^ UINT64_C(0x8000000000000000));

	GS_BY_TYPE(op->type, value_of, (is_minimum(op) ? ~key : key))
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

template <typename T>
static void
put_extremes(const reduce_state *state, gs_result *result)
{
	T			least;
	T			greatest;

	stats_extremes(state, &least, &greatest);
	memcpy(&result->value, &least, sizeof least);
	memcpy(&result->greatest, &greatest, sizeof greatest);
}

static void
put_stats(const gs_op *op, const reduce_state *state, gs_result *result)
{
	put_moments(state, result);
	for (int i = 0; i < GS_SPECIALS; i++)
		result->special[i] = state->special[i];
	GS_BY_TYPE(op->type, put_extremes, (state, result))
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
	.name = "reduce",
	.state_size = reduce_state_size,
	.report_size = reduce_report_size,
	.scratch_size = reduce_scratch_size,
	.start = reduce_start,
	.batch = reduce_chunk,
	.result = reduce_result
};
