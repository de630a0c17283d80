/*-------------------------------------------------------------------------
 *
 * histogram_time.h
 *	  Bounds of histograms that are times.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_HISTOGRAM_TIME_H
#define GS_HISTOGRAM_TIME_H

#include "array/array.h"

/* A bound, infinite if the time is; an error if a double does not hold it. */
extern double gs_bound_from_time(Oid type, Datum time);

/* Is it finite, and does a double hold it? */
extern bool gs_time_is_bound(Oid type, Datum time);

/* Edges that have been opened, checked. */
extern const double *gs_edges_from_times(gs_array *edges);

/* The time at a bound: the first that is not below it, the last not above. */
extern Datum gs_time_from_bound(Oid type, double bound, bool last);

#endif							/* GS_HISTOGRAM_TIME_H */
