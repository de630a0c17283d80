/*-------------------------------------------------------------------------
 *
 * engine_run.cuh
 *	  An execution of the CUDA engine, and what its files share.
 *
 * engine_cuda.cu has the story; engine_input.cu brings the input of a batch to
 * the device.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ENGINE_RUN_CUH
#define GS_ENGINE_RUN_CUH

#include "kernels/device/device.h"
#include "kernels/plan/group_op.cuh"

/* The progress of a batch with results. */
typedef enum progress
{
	STAGE_FREE,
	STAGE_FED,					/* its download has not started */
	STAGE_DOWNLOADING
} progress;

/* A batch in flight. */
typedef struct gs_device_batch
{
	gs_pipeline_stage *stage;
	char	   *in;				/* device memory */
	char	   *out;
	bool		used;			/* its events belong to this execution */
	bool		bounced_in;
	bool		bounced_out;
	bool		last;
	bool		counted;		/* the number of results is known beforehand,
								 * or they are few */
	progress	at;
	gs_output  *to;
	gs_device_input from;
	gs_device_output into;
	int64_t		n;
	size_t		bits_size;		/* of the results' bitmap, at out; may be 0 */
} gs_device_batch;

struct gs_run
{
	const gs_op *op;
	const gs_kernels *kernels;
	group_op_run *group;		/* of a plan, which has no kernels */
	gs_exec_context *context;
	gs_error	error;
	int64_t		n;				/* elements of the whole array */
	int64_t		fed;
	int64_t		present;		/* of those fed, not NULL */
	int64_t		results;		/* finished: how many can be fetched */
	int			width;			/* of an element, in bytes */
	int			mask_width;		/* of an element of the mask */
	int			out_width;		/* of a result; 0: there are none */

	int64_t		max_batch;		/* elements */
	int			depth;
	char	   *state;			/* device memory */
	char	   *scratch;
	size_t		report_size;
	bool		reported;		/* the report is enqueued */

	/* the ring of batches, indexed by feeds and waits so far */
	int64_t		feeds;
	int64_t		waits;
	gs_device_batch ring[GS_DEPTH];
};

/* The bytes of a bitmap, whole 16 of them. */
static inline size_t
gs_bitmap_size(int64_t n)
{
	return (size_t) gs_divide_up(n, 128) * 16;
}

/* engine_input.cu */
extern size_t gs_input_size(const gs_run *run, int64_t n);
extern cudaError_t gs_upload_input(gs_run *run, gs_device_batch *c,
								   const gs_input *in, gs_device_input *to);
extern cudaError_t gs_place_input(gs_run *run, gs_device_batch *c,
								  const gs_input *in, gs_device_input *to);

#endif							/* GS_ENGINE_RUN_CUH */
