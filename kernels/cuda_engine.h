/*-------------------------------------------------------------------------
 *
 * cuda_engine.h
 *	  The CUDA engine, for a process that wants to own a device.
 *
 * gs_cuda_open comes first, once; then gs_engine_cuda serves any number of
 * threads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CUDA_ENGINE_H
#define GS_CUDA_ENGINE_H

#include "../src/engine.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct gs_cuda_info
{
	char		name[128];		/* of the device */
	char		driver[32];		/* the CUDA version that it supports */
	uint64_t	memory_total;	/* bytes */
} gs_cuda_info;

/*
 * Take a device, by number.  The engine's executions will hold no more than
 * memory_limit bytes of its memory together; 0: no limit but the device's.
 * On failure message says why.
 */
extern gs_status gs_cuda_open(int device, uint64_t memory_limit,
							  gs_cuda_info *info, char *message, size_t size);

/* Make host memory known to the device, so that copies run at full rate. */
extern gs_status gs_cuda_register(void *base, size_t size);

/* Bytes of device memory that executions hold. */
extern uint64_t gs_cuda_memory_used(void);

extern const gs_engine gs_engine_cuda;

#ifdef __cplusplus
}
#endif

#endif							/* GS_CUDA_ENGINE_H */
