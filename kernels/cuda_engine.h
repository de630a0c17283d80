/*-------------------------------------------------------------------------
 *
 * cuda_engine.h
 *	  The CUDA engine, as a plain C program sees it.
 *
 * gs_cuda_open is called first, once, and reports whether there is a device at
 * all.  Then any number of threads may use gs_engine_cuda at the same time,
 * each for its own executions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CUDA_ENGINE_H
#define GS_CUDA_ENGINE_H

#include "engine/engine.h"
#include "engine/plan.h"

#ifdef __cplusplus
extern "C"
{
#endif

extern const gs_engine gs_engine_cuda;
extern const gs_plan_engine gs_plan_cuda;

typedef struct gs_cuda_info
{
	char		name[128];		/* of the device */
	char		driver[32];		/* version */
	char		runtime[32];	/* version of CUDA compiled with */
	uint64_t	memory_total;	/* bytes */
	uint64_t	memory_used;	/* of these, by any process */
} gs_cuda_info;

/*
 * Open a device, counted from 0.  The engine will use at most memory_limit
 * bytes of its memory (0: no limit).  On failure, message gives the reason:
 * there may be no driver or no device.
 */
extern gs_status gs_cuda_open(int device, uint64_t memory_limit,
							  gs_cuda_info *info, char *message, size_t size);

/*
 * Register memory for copies at the link's full rate, on all devices.  Batches
 * need not lie in such memory: if registration fails (GS_NO_MEMORY), copies
 * are only slower.
 */
extern gs_status gs_cuda_register(void *base, uint64_t size);
extern void gs_cuda_unregister(void *base);

/* Device memory that the engine holds, in bytes. */
extern uint64_t gs_cuda_memory_used(void);

#ifdef __cplusplus
}
#endif

#endif							/* GS_CUDA_ENGINE_H */
