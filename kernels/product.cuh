/*-------------------------------------------------------------------------
 *
 * product.cuh
 *	  Products over the fixed tree of product.h: what scans need of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_PRODUCT_CUH
#define GS_PRODUCT_CUH

#include "scan.cuh"

/* For an array of n elements, kept from chunk to chunk. */
extern size_t gs_product_tree_size(int64_t n);

/* For a chunk of n elements. */
extern size_t gs_product_scratch_size(int64_t n);

/* Scan the chunk that a describes. */
extern cudaError_t gs_scan_products(const gs_op *op, const scan_args &a,
									void *tree, void *scratch,
									cudaStream_t stream);

#endif							/* GS_PRODUCT_CUH */
