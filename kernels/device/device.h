/*-------------------------------------------------------------------------
 *
 * device.h
 *	  The resources of a CUDA execution, and where they come from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DEVICE_H
#define GS_DEVICE_H

#include "kernels/common.cuh"
#include "kernels/cuda_engine.h"

/* Batches of one execution that may be in flight. */
#define GS_DEPTH		3

/*
 * The parts of a batch with at most this many bytes in total go through pinned
 * memory of ours, in one copy: for so few bytes, each further copy takes
 * longer than moving them.
 */
#define GS_BOUNCE_SIZE	(64 * 1024)

/* Reports up to this size are fetched with the last batch. */
#define GS_REPORT_SIZE	(16 * 1024)

/* The resources of a batch in flight. */
typedef struct gs_pipeline_stage
{
	cudaEvent_t uploaded;
	cudaEvent_t computed;
	cudaEvent_t downloaded;

	/* pinned */
	gs_done    *done;
	gs_undecided *undecided;	/* GS_UNDECIDED_MAX */
	char	   *in;				/* GS_BOUNCE_SIZE */
	char	   *out;			/* GS_BOUNCE_SIZE */
} gs_pipeline_stage;

/* Everything that an execution works with; contexts are reused. */
typedef struct gs_exec_context
{
	struct gs_exec_context *next;
	int			device;
	cudaStream_t upload;
	cudaStream_t compute;		/* its kernels overtake those of */
	cudaStream_t patient;		/* this one, of any context: they take long */
	cudaStream_t download;
	gs_pipeline_stage stage[GS_DEPTH];
	cudaEvent_t reported;
	char	   *report;			/* pinned; GS_REPORT_SIZE */
	char	   *pinned;			/* all pinned memory */
	char	   *memory;			/* device memory */
	size_t		size;			/* of memory */
} gs_exec_context;

/* gs_engine.use; and the device that this thread uses. */
extern void gs_device_use_cuda(int device);
extern int	gs_device_used(void);
extern cudaError_t gs_device_set(int device);

extern cudaError_t gs_exec_context_acquire(gs_exec_context **context);

/* Grow context->memory to at least this many bytes.  Its content is lost. */
extern cudaError_t gs_exec_context_reserve(gs_exec_context *context,
										   size_t size);

/* No work that uses the context may be in flight. */
extern void gs_exec_context_release(gs_exec_context *context);

/*
 * memory.cu: pieces of the memory of the device that is used, of at least the given size, with at most
 * `limit` bytes in all if that is not 0.  When a piece is given back, no work
 * in flight may use it.
 */
extern void gs_memory_open(int device, uint64_t limit, uint64_t device_memory);
extern cudaError_t gs_memory_acquire(size_t size, char **memory);

/* The same of the host's memory, pinned; all devices read it. */
extern cudaError_t gs_memory_acquire_host(size_t size, char **memory);
extern void gs_memory_give_back(char *memory);

/*
 * Memory that outlives executions: gs_engine's reserve, put, write, get, widen,
 * scale, unscale, and release, which is release_host, too.
 */
extern void *gs_memory_reserve(size_t size);
extern void *gs_memory_reserve_host(size_t size);
extern gs_status gs_memory_put(void *to, const void *from, size_t size);
extern gs_status gs_memory_write(void *to, const void *from, size_t size);
extern gs_status gs_memory_get(void *to, const void *from, size_t size);
extern gs_status gs_memory_widen(void *to, int to_width, const void *from,
								 int from_width, int64_t n, uint64_t add);
extern gs_status gs_memory_scale(void *to, const gs_encoding *encoding,
								 gs_type type, const void *from,
								 const uint8_t *validity, int64_t n);
extern gs_status gs_memory_unscale(void *to, gs_type type, const void *from,
								   const gs_encoding *encoding, int64_t n);
extern void gs_memory_release(void *memory, size_t size);

/* reduce_each.cu: gs_engine.reduce */
extern gs_status gs_reduce_each(const gs_op *op, int count, const gs_input *in,
								gs_result *result, gs_error *error);

/* widen.cu: what gs_memory_widen launches */
extern cudaError_t gs_widen(void *to, int to_width, const void *from,
							int from_width, int64_t n, uint64_t add,
							cudaStream_t stream);

/* scaled.cu: what gs_memory_scale and gs_memory_unscale launch */
extern cudaError_t gs_scale(void *to, const gs_encoding *encoding,
							gs_type type, const void *from,
							const uint8_t *validity, int64_t n, int *misfit,
							cudaStream_t stream);
extern cudaError_t gs_unscale(void *to, gs_type type, const void *from,
							  const gs_encoding *encoding, int64_t n,
							  cudaStream_t stream);

/* Wait for an event: spin, then block. */
extern cudaError_t gs_event_wait(cudaEvent_t event);

/* Has the event completed? */
extern cudaError_t gs_event_is_complete(cudaEvent_t event, bool *complete);

/* Set an execution's error, unless it has one; either way return its status. */
extern gs_status gs_device_fail(gs_error *error, gs_status status,
								const char *message);

/* Turn the result of a CUDA call into the execution's status. */
extern gs_status gs_device_outcome(gs_error *error, cudaError_t result);

#endif							/* GS_DEVICE_H */
