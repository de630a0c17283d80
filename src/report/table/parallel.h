/*-------------------------------------------------------------------------
 *
 * parallel.h
 *	  Several processes read what the service lacks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_REPORT_PARALLEL_H
#define GS_REPORT_PARALLEL_H

#include "storage/dsm.h"
#include "storage/shm_toc.h"
#include "utils/rel.h"

/* Are so many pages of a table worth it? */
extern bool gs_parallel_pays(Relation relation, int64 pages);

/* What a parallel worker executes. */
extern PGDLLEXPORT void gs_parallel_worker(dsm_segment *segment,
										   shm_toc *toc);

#endif							/* GS_REPORT_PARALLEL_H */
