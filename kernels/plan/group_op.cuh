/*-------------------------------------------------------------------------
 *
 * group_op.cuh
 *	  GS_GROUP and GS_EXPRESSION, as engine_cuda.cu executes them, by
 *	  gs_plan_cuda.
 *
 * Functions that can fail return a status and set the error that begin got.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GROUP_OP_CUH
#define GS_GROUP_OP_CUH

#include "kernels/device/device.h"

typedef struct group_op_run group_op_run;

/*
 * In *run, even if this fails, unless it is NULL.  The context's memory and its
 * stream `compute` are then this execution's, until it ends.
 */
extern gs_status group_op_begin(const gs_op *op, int64_t n,
								gs_exec_context *context, gs_error *error,
								group_op_run **run);

/*
 * A batch of a valid execution; the whole array if it is cached.  Copies of
 * the input may be in flight in the stream when this returns.
 */
extern gs_status group_op_feed(group_op_run *run, const gs_input *in);
/* Sets what operations.h promises. */
extern gs_status group_op_finish(group_op_run *run, gs_result *result);
extern gs_status group_op_fetch(group_op_run *run, gs_column column,
								int64_t first, int64_t n, void *to);

/* Call this before the context is released. */
extern void group_op_end(group_op_run *run);

#endif							/* GS_GROUP_OP_CUH */
