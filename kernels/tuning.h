/*-------------------------------------------------------------------------
 *
 * tuning.h
 *	  Constants found by measuring, in one place.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_TUNING_H
#define GS_TUNING_H

/* Reductions: threads a block, 16-byte loads in flight a thread, and blocks. */
#define GS_REDUCE_THREADS	256
#define GS_REDUCE_LOADS		4
#define GS_REDUCE_BLOCKS	4		/* a multiprocessor */

/*
 * Compute-heavy reductions: blocks a multiprocessor, and tiles in flight a
 * block, the current one included.
 */
#define GS_REDUCE_HEAVY_BLOCKS	2
#define GS_REDUCE_STAGES	3

/* Dot products: 16-byte loads in flight of each array a thread, and blocks. */
#define GS_DOT_LOADS	2
#define GS_DOT_BLOCKS	3		/* a multiprocessor */

/* One block reduces up to this many bytes as fast as several do: two tiles. */
#define GS_REDUCE_ALONE		(32 * 1024)

/*
 * Ranks: threads a block, and 16-byte pieces of the bitmap a thread.  More
 * pieces mean more loads in flight and fewer blocks that wait for others.
 * 2^28 elements with 1, 2, 4, 8 pieces: 39, 28, 22, 22 us.
 */
#define GS_RANK_THREADS	512
#define GS_RANK_ROWS	4

/*
 * Histograms: threads of a block, which has a multiprocessor and its shared
 * memory to itself, and 16-byte loads in flight a thread while as many are
 * counted: 64 KiB in flight.  2^28 float8 on an H200, share of copy: 256 and
 * 4,096 buckets 104 %, 65,536 (packed counts) 82 %.
 */
#define GS_COUNT_THREADS	1024
#define GS_COUNT_VECTORS	4

/*
 * Counts in shared memory have to be cleared and merged.  They are worth that
 * from one value a block for this many counts on.
 */
#define GS_SHARED_MIN		8

/*
 * Given edges are searched in shared memory up to this many buckets, with this
 * many cells: 256 edges 101 % of copy.
 */
#define GS_SHARED_EDGES_MAX		4096
#define GS_SHARED_CELLS		4096

/*
 * Positions among edges: blocks a multiprocessor, of which each needs up to
 * 48 KiB for the edges and cells.  2^28 float8 among 1,000 edges on an H200: 90 %
 * of copy.
 */
#define GS_SEARCH_BLOCKS	4

/*
 * Comparisons of one array with a range: 16-byte vectors a thread.  Not tuned yet.
 */
#define GS_COMPARE_VECTORS	2

/*
 * Counts that exceed shared memory: threads a block, values a thread, and the
 * number of values from which they are partitioned.  1,048,576 buckets: 37 %
 * of copy, with global atomic additions 18 %.  65,536 buckets: partitioned
 * 42 %,  global 17 %,  packed 82 %.
 */
#define GS_PARTITION_THREADS	512
#define GS_PARTITION_ITEMS		16
#define GS_PARTITION_MIN		(INT64_C(1) << 23)

/*
 * Groups: threads of a block, which has a multiprocessor and its shared memory
 * to itself, and rows a thread has at a time, at most 8.  Sums of 10^8 float8 by
 * 100 and by 1,000,000 groups with 1,024 threads of 4 rows: 0.66, 5.7 ms; 512
 * of 8: 0.62, 4.6.
 */
#define GS_GROUP_THREADS	512
#define GS_GROUP_ROWS		8

/*
 * Compactions: threads a block (fewer where shared memory is small), blocks a
 * multiprocessor, and the stride of tile states in words.  Half of 2^28 float8
 * kept by flags on an H200, share of copy: 256 threads 94 %, 128 threads and 6
 * blocks 85 %; strides of 1, 2, 4 words 91, 93, 94 %, of 16 words 5 % less
 * (with 128 threads).
 */
#define GS_COMPACT_THREADS	256
#define GS_COMPACT_BLOCKS	3
#define GS_COMPACT_SPREAD	4

/*
 * Scans, by the type of elements and by whether there are heads.  Sums on an
 * H200, share of copy, and what else was tried:
 *
 * int4: 88 %; ahead 3 85 %, 16 warps and depth 2 82 %.  By chunks of 512 94 %,
 * whatever the constants.
 *
 * int8: 87 %; 12 warps and depth 2 84 %.  A tenth NULL: 79 %; 12 warps and
 * depth 2 4 % less, and 2 ahead 12 %.
 *
 * float4: 64 %; depth 2 50 %.
 *
 * float8: 80 %.  With heads: 83 %; ahead 2 79 %, 12 warps 75 %.
 *
 * Reading more than one tile state per lane during look-back: 1 to 5 % less,
 * where a block has many tiles.
 *
 * test/cuda/sizes.c has the numbers of warps too.
 */
struct gs_scan_tuning
{
	int			warps;			/* scanning warps a block, at most; fewer
								 * where shared memory is small */
	int			single_wave_warps;	/* scanning warps with at most one tile a
									 * multiprocessor; limited by registers,
									 * or by the lanes of the look-back warp */
	int			depth;			/* a block's tiles between the sweeps */
	int			ahead;			/* how far ahead of the tile that it
								 * publishes a block claims the next one */
	int			ahead_nulls;	/* how far ahead where there are NULLs */
};

enum gs_scan_elements
{
	GS_NARROW_ELEMENTS,			/* shorter than 8 bytes */
	GS_WIDE_ELEMENTS,
	GS_FLOAT4_ELEMENTS,			/* sums of floats */
	GS_FLOAT8_ELEMENTS
};

static constexpr gs_scan_tuning gs_scan_tunings[][2] = {
	{{14, 31, 3, 2, 3}, {14, 15, 2, 3, 3}},
	{{9, 19, 3, 2, 3}, {14, 15, 1, 3, 3}},
	{{14, 15, 3, 2, 3}, {14, 15, 2, 3, 3}},
	{{12, 15, 2, 2, 3}, {14, 15, 1, 3, 3}}
};

/*
 * Tile states that a lane reads at once during look-back with at most one tile
 * a multiprocessor.  1, 2, 4 of them: 100,000 int4 5.3, 5.0, 5.2 us, float8
 * 6.9, 6.8, 7.3; 1,000,000 int4 8.0, 7.8, 7.7, float8 10.8, 10.9, 10.8.
 */
#define GS_SCAN_ROWS_SINGLE_WAVE	2

/*
 * Scans of floats by accumulators: blocks a multiprocessor, as many as shared
 * memory holds.
 */
#define GS_EXACT_BLOCKS		6

#endif							/* GS_TUNING_H */
