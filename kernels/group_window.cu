/*-------------------------------------------------------------------------
 *
 * group_window.cu
 *	  Which windows (group_states.cuh) suit the values: found in a sample.
 *
 *-------------------------------------------------------------------------
 */
#include "group_accumulate.cuh"

#define THREADS		256
#define BLOCKS		16			/* an action */

/* The highest position (exact.h) of the addends of each action in a sample. */
__global__ void
positions_kernel(const group_layout *layout, int64_t n, int *highest)
{
	const group_action &a = layout->action[blockIdx.x];
	int			mine = -1;

	int64_t		row = (int64_t) ((double) n *
								 (blockIdx.y * THREADS + threadIdx.x) /
								 (BLOCKS * THREADS));

	if (group_adds_floats(&a) && group_bit(a.a.validity, row) &&
		group_bit(a.b.validity, row))
	{
		double		x = group_double(a.type, group_load(a.a, row));
		double		y = a.kind == GS_AGG_PRODUCTS ?
			group_double(a.type, group_load(a.b, row)) : x;
		int			position;
		int			other = 0;
		bool		negative;

		if (gs_is_finite(x) && gs_is_finite(y) && x != 0 && y != 0)
		{
			(void) gs_split(x, &position, &negative);
			if (a.kind != GS_AGG_SUM)
				(void) gs_split(y, &other, &negative);
			mine = position + other;
		}
	}
	mine = warp_max(mine);
	if (gs_lane() == 0 && mine >= 0)
		atomicMax(highest + blockIdx.x, mine);
}

/*
 * Choose the windows that are not known yet, if the sample has any values, such
 * that the highest of them fits with two bits to spare.
 */
cudaError_t
group_choose_units(group_layout *layout, int64_t n, group_memory *scratch,
				   gs_exec_context *context)
{
	char	   *at;
	int		   *highest;
	bool		needed = false;

	for (int i = 0; i < layout->actions; i++)
		needed |= group_adds_floats(&layout->action[i]) &&
			layout->action[i].unit == GROUP_NO_UNIT;
	if (!needed)
		return cudaSuccess;
	GS_TRY(group_reserve(scratch, gs_aligned(group_layout_size(layout)) +
						 layout->actions * sizeof(int), context->compute));
	at = scratch->at;
	at += gs_aligned(group_layout_size(layout));
	highest = (int *) at;
	GS_TRY(cudaMemcpyAsync(scratch->at, layout,
						   group_layout_size(layout),
						   cudaMemcpyHostToDevice, context->compute));
	GS_TRY(cudaMemsetAsync(highest, 0xff, layout->actions * sizeof(int),
						   context->compute));
	positions_kernel<<<dim3(layout->actions, BLOCKS), THREADS, 0,
		context->compute>>>
		((const group_layout *) scratch->at, n, highest);
	GS_TRY(gs_launched());
	GS_TRY(group_report(context, highest, layout->actions * sizeof(int)));
	for (int i = 0; i < layout->actions; i++)
	{
		group_action *a = &layout->action[i];
		int			position = ((int *) context->report)[i];
		int			room = a->kind == GS_AGG_SUM ? GROUP_SUM_ROOM :
			GROUP_PRODUCT_ROOM;

		if (!group_adds_floats(a) || a->unit != GROUP_NO_UNIT || position < 0)
			continue;
		a->unit = position + 2 - room;
		if (a->unit < 0)
			a->unit = 0;
		if (a->kind == GS_AGG_SUM && a->unit > GROUP_UNIT_MAX)
			a->unit = GROUP_UNIT_MAX;
	}
	return cudaSuccess;
}
