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

/* Bytes of values that one block adds up as fast as many: two tiles. */
#define GS_REDUCE_ALONE		(32 * 1024)

/*
 * Ranks: threads a block, and 16-byte pieces of the bitmap that each of them
 * takes: so many are under way, and so few blocks wait for others.  Of 2^28
 * elements with 1, 2, 4, 8 pieces 39, 28, 22, 22 us.
 */
#define GS_RANK_THREADS	512
#define GS_RANK_ROWS	4

/*
 * Histograms: threads of a block, which has a multiprocessor and its shared
 * memory for itself, and 16-byte loads of a thread on their way while as many
 * are counted: 64 KiB in flight.  2^28 float8 on an H200, share of copy: 256
 * and 4,096 buckets 104 %, 65,536 (packed counts) 82 %.
 */
#define GS_COUNT_THREADS	1024
#define GS_COUNT_VECTORS	4

/*
 * Counts are kept in shared memory, which must be cleared and added up, from
 * one value a block for so many of them on.
 */
#define GS_SHARED_MIN		8

/*
 * Given edges are searched in shared memory up to so many buckets, with so
 * many cells: 256 edges 101 % of copy.
 */
#define GS_NEAR_BUCKETS		4096
#define GS_NEAR_CELLS		4096

/*
 * Buckets beyond shared memory: threads of a block, values of a thread, and
 * from how many values on they are partitioned.  1,048,576 buckets: 37 % of
 * copy; by global atomic additions 18 %.  65,536 buckets: partitioned 42 %,
 * global 17 %, packed 82 %.
 */
#define GS_PARTITION_THREADS	512
#define GS_PARTITION_ITEMS		16
#define GS_PARTITION_MIN		(INT64_C(1) << 23)

/*
 * Compactions: threads a block (fewer where shared memory is small), blocks on
 * each multiprocessor, words from one tile's publication to the next's.  Half
 * of 2^28 float8 kept by flags on an H200, share of copy: 256 threads 94 %,
 * 128 threads and 6 blocks 85 %; 1, 2, 4 words 91, 93, 94 %, and 16 words lose
 * 5 % (with 128 threads).
 */
#define GS_COMPACT_THREADS	256
#define GS_COMPACT_BLOCKS	3
#define GS_COMPACT_SPREAD	4

/*
 * Scans, by the elements and by whether there are heads.  Sums on an H200,
 * share of copy, and what else was tried:
 *
 * int4: 88 %; ahead 3 85 %, 16 warps and depth 2 82 %.  By chunks of 512 94 %,
 * whatever the constants.
 *
 * int8: 87 %; 12 warps and depth 2 84 %.  A tenth NULL: 79 %; 12 warps and
 * depth 2 4 % less, and 2 ahead 12 %.
 *
 * float4: 64 %; depth 2 50 %.
 *
 * float8: 80 %.  By heads: 83 %; ahead 2 79 %, 12 warps 75 %.
 *
 * More than one total of a tile for each lane that looks back: 1 to 5 % less,
 * where a block has many tiles.
 *
 * test/cuda/sizes.c has the numbers of warps too.
 */
struct gs_scan_tuning
{
	int			warps;			/* of a block, with elements, at most; fewer
								 * where shared memory is small */
	int			single_wave_warps;		/* the same where there is at most one tile a
								 * multiprocessor: as registers, or lanes of
								 * the warp that looks back, allow */
	int			depth;			/* tiles of a block between the passes */
	int			ahead;			/* tiles from the one that a block publishes
								 * to the one that it takes then */
	int			ahead_nulls;	/* the same with NULLs */
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
 * Totals of tiles that a lane which looks back reads at once where there is at
 * most one tile a multiprocessor.  100,000 int4, float8 with 1, 2, 4: 5.3, 6.9; 5.0, 6.8; 5.2,
 * 7.3 us; 1,000,000 8.0, 10.8; 7.8, 10.9; 7.7, 10.8.
 */
#define GS_SCAN_ROWS_SINGLE_WAVE	2

/* Scans of floats by accumulators: what shared memory holds. */
#define GS_EXACT_BLOCKS		6

#endif							/* GS_TUNING_H */
