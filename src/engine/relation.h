/*-------------------------------------------------------------------------
 *
 * relation.h
 *	  Relations in the memory of an engine.
 *
 * Between two stages of a report, groups become a relation (finish.h), of which
 * window functions may compute columns (windows.h).  An engine whose memory is a
 * device's does so where the groups are, and the next stage reads the relation
 * there, as a batch that is resident.  What it does not do, the host does, with
 * the same bits.
 *
 * Columns of such a relation are neither packed nor narrow.  They are aligned to
 * GS_CACHE_ALIGN, and 16 bytes behind each may be read; so are their bitmaps,
 * which have whole words of 64 bits.  A column without NULLs may have no bitmap.
 * low and high are set for integers; low > high: they are not known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_RELATION_H
#define GS_RELATION_H

#include "engine/windows.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct gs_relation_engine
{
	/*
	 * The groups of an execution that has been finished, as columns; those of
	 * windows are all NULL.  The execution may end before the relation does.
	 * Sets bits of *errors, as gs_finish_groups.
	 *
	 * A relation of zeros: the host has to make it, and compute its windows.
	 */
	gs_status	(*make) (gs_plan_run *run, const gs_stage *next,
						 gs_relation *relation, uint32_t *errors);

	/*
	 * As gs_windows_compute.  *error tells of a failure.  The relation is to be
	 * released in any case.
	 */
	gs_status	(*windows) (const gs_stage *next, gs_relation *relation,
							const gs_windows_caller *caller, uint32_t *errors,
							gs_error *error);

	/* Nothing in flight may read it.  A relation of zeros has nothing. */
	void		(*release) (gs_relation *relation);
} gs_relation_engine;

#ifdef __cplusplus
}
#endif

#endif							/* GS_RELATION_H */
