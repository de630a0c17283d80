/*-------------------------------------------------------------------------
 *
 * device.h
 *	  What an execution of the CUDA engine works with, and where it gets it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DEVICE_H
#define GS_DEVICE_H

#include "common.cuh"
#include "cuda_engine.h"

/* Batches of one execution that may be under way. */
#define GS_DEPTH		3

/*
 * Parts of a batch that together have up to this many bytes go through pinned
 * memory of ours, in one copy: a further copy to memory just as good would
 * take longer than moving the bytes.
 */
#define GS_BOUNCE_SIZE	(64 * 1024)

/* A report up to this size is fetched with the last batch. */
#define GS_REPORT_SIZE	(16 * 1024)

/* What belongs to a batch under way. */
typedef struct gs_pipeline_stage
{
	cudaEvent_t uploaded;
	cudaEvent_t computed;
	cudaEvent_t downloaded;

	/* pinned */
	gs_done    *done;
	char	   *in;				/* GS_BOUNCE_SIZE */
	char	   *out;			/* GS_BOUNCE_SIZE */
} gs_pipeline_stage;

/* All that an execution works with; afterwards the next one has it. */
typedef struct gs_exec_context
{
	struct gs_exec_context *next;
	cudaStream_t upload;
	cudaStream_t compute;
	cudaStream_t download;
	gs_pipeline_stage		stage[GS_DEPTH];
	cudaEvent_t reported;
	char	   *report;			/* pinned; GS_REPORT_SIZE */
	char	   *pinned;			/* all pinned memory */
	char	   *memory;			/* of the device */
	size_t		size;			/* of it */
} gs_exec_context;

extern cudaError_t gs_exec_context_acquire(gs_exec_context **context);

/*
 * See to it that context->memory has at least this many bytes.  What was in it
 * is lost.
 */
extern cudaError_t gs_exec_context_reserve(gs_exec_context *context, size_t size);

/* Nothing that belongs to it is under way. */
extern void gs_exec_context_release(gs_exec_context *context);

/*
 * memory.cu: device memory, of at least so many bytes, at most limit bytes in
 * all if that is not 0.  What is given back is used by nothing under way.
 */
extern void gs_memory_open(uint64_t limit, uint64_t device_memory);
extern cudaError_t gs_memory_acquire(size_t size, char **memory);
extern void gs_memory_give(char *memory);

/*
 * Memory for what outlives an execution: gs_engine's reserve, put and release.
 */
extern void *gs_memory_reserve(size_t size);
extern gs_status gs_memory_put(void *to, const void *from, size_t size);
extern void gs_memory_release(void *memory, size_t size);

/* Wait for an event: a while by looking, then asleep. */
extern cudaError_t gs_await(cudaEvent_t event);

/* Has it come? */
extern cudaError_t gs_has_come(cudaEvent_t event, bool *come);

#endif							/* GS_DEVICE_H */
