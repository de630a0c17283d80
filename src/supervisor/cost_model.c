/*-------------------------------------------------------------------------
 *
 * cost_model.c
 *	  What an operation costs on either engine, as far as arithmetic goes.
 *
 * A straight line for each engine, operation and type: a cost per call plus a
 * cost per element.  The defaults are those of one core of a server of 2024,
 * and of a GPU behind 16 lanes of PCIe 5.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "protocol/protocol.h"
#include "supervisor/cost_model.h"

/* Bytes per nanosecond to the device and back. */
#define GPU_RATE		40.0

/* Bytes per nanosecond that the device reads from its own memory. */
#define DEVICE_RATE		1000.0

/* Bytes per nanosecond of a toasted array that the server reads. */
#define FETCH_RATE		2.0

/* Nanoseconds in which the CPU sees that an element is not below the last. */
#define CHECK_NS		0.3

/* Elements of a segment, where only its head tells. */
#define HEADS_APART		10

/* What to assume until gpuscan_calibrate() has measured this host. */
void
gs_costs_default(gs_costs *costs)
{
	costs->cpu_call = 1;
	costs->gpu_small_call = 50;
	costs->gpu_call = 80;
	for (int kind = GS_NO_KIND + 1; kind < GS_KINDS; kind++)
	{
		const gs_operation *operation = gs_operation_of(kind);

		for (int type = GS_BOOL; type < GS_TYPES; type++)
		{
			gs_op		op = {.kind = kind, .type = type,
			.mask = {.type = GS_INT4}};
			int			width = gs_type_width(op.type);

			if (gs_has_mask(&op) && !gs_is_placement(kind))
				width += gs_type_width(gs_mask_type(&op));
			if (gs_has_output(&op))
				width += gs_type_width(gs_output_type(&op));
			if (gs_fetches_each(kind))
				width += gs_result_width(&op);
			costs->gpu_element[kind][type] = width / GPU_RATE;
			costs->cpu_element[kind][type] =
				type == GS_FLOAT4 || type == GS_FLOAT8 ?
				operation->float_ns : operation->other_ns;
		}
	}
}

/* Bytes of the arrays that come whole beside the elements. */
static double
whole_bytes(const gs_op *op)
{
	if (!gs_is_placement(op->kind) || !gs_has_mask(op))
		return 0;
	return (double) op->mask.elements *
		(gs_type_width(gs_mask_type(op)) +
		 (gs_has_third(op) ? gs_type_width(gs_third_type(op)) : 0));
}

void
gs_costs_estimate(const gs_costs *costs, const gs_op *op, int64_t n,
				  gs_estimate *estimate)
{
	bool		small = n * gs_type_width(op->type) <= GS_MESSAGE_MAX &&
		!gs_is_fetched(op->kind) && !gs_is_placement(op->kind);

	estimate->cpu = costs->cpu_call +
		n * costs->cpu_element[op->kind][op->type] / 1000;
	estimate->gpu = n * costs->gpu_element[op->kind][op->type] / 1000 +
		(small ? costs->gpu_small_call : costs->gpu_call);
	estimate->gpu += whole_bytes(op) / GPU_RATE / 1000;
	if (op->kind == GS_ASOF || op->kind == GS_INTERPOLATE)
		estimate->cpu += op->mask.elements * CHECK_NS / 1000;
}

/* So often moving frames read and write as many bytes as elements have. */
#define MOVING_PASSES	10

/* Bytes of results, where these are one column. */
static double
output_bytes(const gs_op *op, int64_t n)
{
	if (gs_has_output(op))
		return (double) n * gs_type_width(gs_output_type(op));
	if (gs_fetches_each(op->kind))
		return (double) n * gs_result_width(op);
	if (!gs_is_segments(op->kind))
		return 0;
	return (double) n / (op->segment.marked ? HEADS_APART : op->segment.length) *
		sizeof(int64_t);
}

/*
 * The estimate for a toasted array that the service has cached.  The CPU has
 * to read the array first; to and from the GPU go only the results.
 */
void
gs_costs_estimate_cached(const gs_costs *costs, const gs_op *op, int64_t n,
						 gs_estimate *estimate)
{
	bool		whole = gs_is_placement(op->kind);
	double		bytes = whole_bytes(op) + (double) n *
		(gs_type_width(op->type) +
		 (gs_has_mask(op) && !whole ? gs_type_width(gs_mask_type(op)) : 0));
	double		out = output_bytes(op, n);

	gs_costs_estimate(costs, op, n, estimate);
	estimate->cpu += bytes / FETCH_RATE / 1000;
	if (gs_is_moving(op->kind))
		bytes *= MOVING_PASSES;
	else if (gs_is_fetched(op->kind) && !gs_is_segments(op->kind) &&
			 op->kind != GS_TRANSPOSE)
		return;					/* computing takes much longer than moving */
	estimate->gpu = (gs_is_fetched(op->kind) ? costs->gpu_call :
					 costs->gpu_small_call) +
		(bytes / DEVICE_RATE + out / GPU_RATE) / 1000;
}
