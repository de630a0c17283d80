/*-------------------------------------------------------------------------
 *
 * scan_nulls.cuh
 *	  Which results of a scan are NULL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SCAN_NULLS_CUH
#define GS_SCAN_NULLS_CUH

#include "kernels/scan/scan.cuh"

/* Turn a mask into a bitmap, with NULLs as 0. */
extern cudaError_t gs_scan_mask_bits(const gs_device_span *mask, int64_t n,
									 const uint32_t *ranks, uint8_t *bits,
									 cudaStream_t stream);

/*
 * Sets a bit for each result that follows a value of its segment, which may be
 * the element itself unless the scan is exclusive.  Updates a.state->seen.
 */
extern size_t gs_scan_known_scratch_size(int64_t n);
extern cudaError_t gs_scan_known(const scan_args &a, uint8_t *known,
								 void *scratch, cudaStream_t stream);

/* Pack those of n values, each `width` bytes, whose bit in `known` is set. */
extern cudaError_t gs_scan_pack(const void *values, int width, int64_t n,
								const uint8_t *known, const uint32_t *ranks,
								void *out, gs_done *done,
								cudaStream_t stream);

#endif							/* GS_SCAN_NULLS_CUH */
