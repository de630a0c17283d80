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
 * Or it has slices, one of each device: rows of a plan of rows whose windows are
 * computed next are those of one partition, or of another.  Each device finds the
 * rows of all slices among its own, by the value of one operand; finish gathers
 * each slice on its device, where the windows of its partitions are computed.
 *
 * Threads may feed one execution at the same time if it spreads, or has slices,
 * and each of them has another device's batches.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_DEVICES_H
#define GS_DEVICES_H

#include "engine/windows.h"

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * The engine whose executions are such ones of another, on so many devices.  use
 * is gs_engine's, and choose says on which device an execution begins that has had
 * no row: it may be any.  A thread that calls it has another device in use
 * afterwards; if a device was lost, that one.
 */
extern const gs_plan_engine *gs_plan_devices(const gs_plan_engine *engine,
											 int devices,
											 void (*use) (int device),
											 int (*choose) (void));
extern const gs_plan_engine *gs_plan_one_device(void);	/* that other engine */
extern bool gs_plan_spreads(const gs_plan_run *run);

/*
 * The operand by which the rows of a plan can be cut into slices, if windows are
 * computed next: an integer that is in all of their partitions.  GS_NOTHING: there
 * is none.
 */
extern gs_operand gs_plan_slices(const gs_plan *plan, const gs_stage *next);

/* After finish, if it has no slices: the device that has all of it. */
extern int	gs_plan_device(const gs_plan_run *run);

/* Cut an execution into slices; it has had no rows. */
extern gs_status gs_plan_slice(gs_plan_run *run, gs_operand by);

/* After finish: the execution of a slice, and what it found. */
extern gs_plan_run *gs_plan_slice_of(gs_plan_run *run, int device,
									 gs_summary *summary);

#ifdef __cplusplus
}
#endif

#endif							/* GS_DEVICES_H */
