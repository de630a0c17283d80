/*-------------------------------------------------------------------------
 *
 * bucket.h
 *	  Buckets of equal width, the same as those of width_bucket.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_BUCKET_H
#define GS_BUCKET_H

#include "engine/engine.h"

extern gs_bucket_formula gs_server_formula(void);
extern void gs_check_buckets(double low, double high, int32 buckets);

/* Raise an error unless edges ascend strictly. */
extern void gs_check_edges(const double *edges, int64 n);

/* Does the server's formula overflow in this range? */
extern bool gs_range_is_wide(double low, double high, int32 buckets);

/*
 * The bucket of x; 0 if x is outside of all buckets.  The bounds are finite and
 * differ, and there is a bucket.
 */
extern int32 gs_bucket_of(double x, double low, double high, int32 buckets);

/*
 * The first double of bucket i + 1: its minimum; if low > high, its maximum.
 */
extern double gs_bucket_edge(double low, double high, int32 buckets, int32 i);

/* The edges of a wide range, for GS_HISTOGRAM_EDGES. */
extern double *gs_wide_edges(double low, double high, int32 buckets);

#endif							/* GS_BUCKET_H */
