/*-------------------------------------------------------------------------
 *
 * reduce_each.cu
 *	  Reductions of several arrays on the device at once (gs_engine.reduce).
 *
 * For an array of a megabyte, a launch and the wait for its result take ten
 * times as long as reading it.  Here one launch reduces all arrays: blockIdx.y
 * is the array, and the blocks of a row share its tiles as those of a grid do
 * in reduce.cu.  The states come back in one copy.
 *
 *-------------------------------------------------------------------------
 */
#include "kernels/device/device.h"
#include "kernels/kernels.h"
#include "kernels/reduce/reduce_launcher.cuh"
#include "kernels/reduce/reduce_merge.cuh"

/* A kernel's parameter. */
struct arrays
{
	const void *values[GS_REDUCE_ARRAYS];
	int64_t		n[GS_REDUCE_ARRAYS];	/* elements */
	int64_t		present[GS_REDUCE_ARRAYS];	/* of these, not NULL */
};

template <class R>
__global__ static void
__launch_bounds__(THREADS, R::BLOCKS)
reduce_each_kernel(R nothing, const __grid_constant__ arrays in, int width,
				   reduce_state *states)
{
	__shared__ block_acc shared_acc;
	block_acc  *acc = R::EXACT ? &shared_acc : NULL;
	reduce_state *state = states + blockIdx.y;
	R			r = own_copy(nothing);
	reduce_place place;

	memset(&place, 0, sizeof place);
	place.n = in.n[blockIdx.y];
	place.present = in.present[blockIdx.y];
	place.bytes = place.present * width;
	place.values = (const uint8_t *) in.values[blockIdx.y];

	/* a shorter array than others has no tile for this block */
	if ((int64_t) blockIdx.x * TILE * 16 >= place.bytes)
		return;
	if (R::EXACT)
	{
		for (int i = threadIdx.x; i < (int) (sizeof *acc / 4); i += THREADS)
			((uint32_t *) acc)[i] = 0;
		__syncthreads();
	}
	add_share(r, (const typename R::element *) place.values,
			  place.bytes / (int64_t) sizeof(typename R::element), acc);

	typename R::total total = block_merge(r.close(acc), nothing, acc);

	if (threadIdx.x == 0)
		total.add_to_state(state, place);
	if (R::EXACT)
		flush_acc(acc, state);
}

/* For reduce_launcher. */
struct each_launch
{
	typedef cudaError_t (*function) (const gs_op *op, int count,
									 const arrays *in, int64_t longest,
									 reduce_state *states,
									 cudaStream_t stream);

	template <class R>
	static cudaError_t
	launch(const gs_op *op, int count, const arrays *in, int64_t longest,
		   reduce_state *states, cudaStream_t stream)
	{
		const size_t buffer = R::STAGED ? STAGES * TILE * sizeof(uint4) : 0;
		const int	width = gs_type_width((gs_type) op->type);
		const int64_t tiles = gs_divide_up(longest * width, TILE * 16);
		int			resident;
		int64_t		blocks;

		if constexpr (R::NEEDS_INDEX)
			return cudaErrorNotSupported;
		else
		{
			if (buffer > 0)
				GS_TRY(gs_allow_shared<reduce_each_kernel<R>>());
			GS_TRY(gs_grid(INT64_MAX, R::BLOCKS, &resident));
			blocks = gs_divide_up(resident, count);
			if (blocks > tiles)
				blocks = tiles;
			reduce_each_kernel<R>
				<<<dim3((unsigned) blocks, (unsigned) count), THREADS, buffer,
				stream>>> (R(op), *in, width, states);
			return gs_launched();
		}
	}
};

/* Fill in the states of arrays, and copy them to the host's memory. */
static cudaError_t
compute(const gs_op *op, int count, const gs_input *in,
		gs_exec_context *context, reduce_state *states)
{
	const size_t size = count * sizeof(reduce_state);
	each_launch::function launch = reduce_launcher<each_launch>(op);
	reduce_state *on_device;
	int64_t		longest = 0;
	arrays		all;

	if (launch == NULL)
		return cudaErrorNotSupported;
	memset(&all, 0, sizeof all);
	for (int i = 0; i < count; i++)
	{
		all.values[i] = in[i].data.values;
		all.n[i] = in[i].n;
		all.present[i] = in[i].data.present;
		if (longest < in[i].data.present)
			longest = in[i].data.present;
	}
	GS_TRY(gs_exec_context_reserve(context, size));
	on_device = (reduce_state *) context->memory;
	GS_TRY(cudaMemsetAsync(on_device, 0, size, context->compute));
	if (longest > 0)
		GS_TRY(launch(op, count, &all, longest, on_device, context->compute));
	GS_TRY(cudaMemcpyAsync(states, on_device, size, cudaMemcpyDeviceToHost,
						   context->compute));
	GS_TRY(cudaEventRecord(context->reported, context->compute));
	return gs_event_wait(context->reported);
}

/* gs_engine.reduce */
gs_status
gs_reduce_each(const gs_op *op, int count, const gs_input *in,
			   gs_result *result, gs_error *error)
{
	gs_exec_context *context = NULL;
	gs_status	status;

	static_assert(GS_REDUCE_ARRAYS * sizeof(reduce_state) <= GS_BOUNCE_SIZE,
				  "the states fit a stage's pinned memory");
	status = gs_device_outcome(error, gs_exec_context_acquire(&context));
	if (status == GS_OK)
		status = gs_device_outcome
			(error, compute(op, count, in, context,
							(reduce_state *) context->stage[0].out));
	for (int i = 0; status == GS_OK && i < count; i++)
	{
		const reduce_state *states =
			(const reduce_state *) context->stage[0].out;

		memset(&result[i], 0, sizeof result[i]);
		result[i].n = in[i].n;
		result[i].present = in[i].data.present;
		gs_reduce_kernels.result(op, states + i, &result[i]);
	}
	if (context != NULL && status != GS_DEVICE_LOST &&
		cudaStreamSynchronize(context->compute) == cudaSuccess)
		gs_exec_context_release(context);
	return status;
}
