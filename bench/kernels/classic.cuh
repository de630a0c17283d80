/*-------------------------------------------------------------------------
 *
 * classic.cuh
 *	  Textbook algorithms, in their plain form.
 *
 * Written for this benchmark, to see what each idea gains.  Each function does
 * all launches of its algorithm.  Temporary memory is the caller's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CLASSIC_CUH
#define CLASSIC_CUH

#include <cstdint>

/* classic_histogram.cu */
extern void histogram_global(const int32_t *v, int64_t n,
							 unsigned long long *counts);
extern void histogram_shared(const double *v, int64_t n, double low,
							 double high, int buckets,
							 unsigned long long *counts);
extern void add_to_all(int32_t *v, int64_t n, int32_t what);

/* classic_reduce.cu: sums of doubles, to sums[0]; sums has n / 500 more */
extern void reduce_global(double *v, int64_t n, double *sums); /* overwrites
															    * v */
extern void reduce_shared(const double *v, int64_t n, double *sums);
extern void reduce_shuffle(const double *v, int64_t n, double *sums);
extern void reduce_coarsened(const double *v, int64_t n, double *sums);

/*
 * classic_scan.cu: inclusive sums of int4 within chunks of 512, n a multiple
 * of 512
 */
extern void chunk_scan_global(const int32_t *v, int64_t n, int32_t *out);
extern void chunk_scan_shared(const int32_t *v, int64_t n, int32_t *out);
extern void chunk_scan_double_buffer(const int32_t *v, int64_t n, int32_t *out);
extern void chunk_scan_shuffle(const int32_t *v, int64_t n, int32_t *out);
extern void chunk_scan_coarsened(const int32_t *v, int64_t n, int32_t *out);

/* Inclusive sums of all; temporary: n int4 for the first, n / 500 for others */
extern void scan_hillis_steele(const int32_t *v, int64_t n, int32_t *out,
							   int32_t *temporary);
extern void scan_blelloch(const int32_t *v, int64_t n, int32_t *out,
						  int32_t *temporary);
extern void scan_fenwick(const int32_t *v, int64_t n, int32_t *out,
						 int32_t *temporary);

#endif							/* CLASSIC_CUH */
