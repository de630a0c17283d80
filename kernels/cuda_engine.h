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
	int			devices;		/* before: that are to be opened; 0: all that are
								 * idle enough.  Then: that are open */
	int			device[GS_DEVICES_MAX]; /* their numbers; the same one several
										 * times: as many logical devices */
	char		left_out[256];	/* why devices are not; empty: none is */
	char		name[128];		/* of all devices */
	char		driver[32];		/* version */
	char		runtime[32];	/* version of CUDA compiled with */
	uint64_t	memory_total;	/* bytes, of all */
	uint64_t	memory_used;	/* of these, by any process */
} gs_cuda_info;

/*
 * Open devices; in the engine, they have numbers from 0.  It will use at most
 * memory_limit bytes of each one's memory (0: no limit).  Those that cannot be
 * opened, or cannot read the first one's memory, are left out.  If that are all,
 * message gives the reason: there may be no driver or no device.
 */
extern gs_status gs_cuda_open(uint64_t memory_limit, gs_cuda_info *info,
							  char *message, size_t size);

/*
 * Register memory for copies at the link's full rate, on all devices.  Batches
 * need not lie in such memory: if registration fails (GS_NO_MEMORY), copies
 * are only slower.
 */
extern gs_status gs_cuda_register(void *base, uint64_t size);
extern void gs_cuda_unregister(void *base);

/* Memory of all devices that the engine holds, in bytes. */
extern uint64_t gs_cuda_memory_used(void);

#ifdef __cplusplus
}
#endif

#endif							/* GS_CUDA_ENGINE_H */
