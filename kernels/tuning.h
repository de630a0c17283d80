/*-------------------------------------------------------------------------
 *
 * tuning.h
 *	  The constants that were found by measuring, in one place.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_TUNING_H
#define GS_TUNING_H

/* Reductions: threads a block, 16-byte loads a thread in flight, blocks. */
#define GS_REDUCE_THREADS	256
#define GS_REDUCE_LOADS		4
#define GS_REDUCE_BLOCKS	4		/* on each multiprocessor */

/* Those with much arithmetic: blocks, and tiles under way in each and one. */
#define GS_REDUCE_HEAVY_BLOCKS	2
#define GS_REDUCE_STAGES	3

/* Bytes of values that one block adds up as fast as many. */
#define GS_REDUCE_ALONE		(128 * 1024)

/* Ranks: threads a block, each of which takes 16 bytes of the bitmap. */
#define GS_RANK_THREADS		512

/* Compactions: threads a block, blocks on each multiprocessor. */
#define GS_COMPACT_THREADS	256
#define GS_COMPACT_BLOCKS	4
#define GS_COMPACT_WINDOWS	4		/* of 32 tiles, looked at together */

/* Scans: warps of a block with elements, at most; blocks on a multiprocessor. */
#define GS_SCAN_WARPS		15
#define GS_SCAN_BLOCKS		1

/* Scans of floats by accumulators: what shared memory holds. */
#define GS_EXACT_BLOCKS		6

#endif							/* GS_TUNING_H */
