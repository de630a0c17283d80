/*-------------------------------------------------------------------------
 *
 * devices.h
 *	  Plans over all devices of an engine.
 *
 * An execution has one of its own on each device from which it gets rows, as if
 * they were threads.  A batch that is resident goes to its device, others to
 * the first one that has begun; finish merges all into that, and so every result
 * is that of one device.  What cannot be merged is executed on the first, which
 * reads the memory of the others.
 *
 * Threads may feed one execution at the same time if it spreads and each of them
 * has another device's batches.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DEVICES_H
#define GS_DEVICES_H

#include "engine/plan.h"

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * The engine whose executions are such ones of another.  use is gs_engine's, and
 * choose says on which device an execution begins that has had no row: it may be
 * any.  A thread that calls it has another device in use afterwards.
 */
extern const gs_plan_engine *gs_plan_devices(const gs_plan_engine *engine,
											 void (*use) (int device),
											 int (*choose) (void));
extern bool gs_plan_spreads(const gs_plan_run *run);

#ifdef __cplusplus
}
#endif

#endif							/* GS_DEVICES_H */
