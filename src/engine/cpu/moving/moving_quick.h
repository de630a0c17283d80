/*-------------------------------------------------------------------------
 *
 * moving_quick.h
 *	  Standard deviations and correlations of moving frames, where doubles
 *	  decide how they round.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_MOVING_QUICK_H
#define GS_CPU_MOVING_QUICK_H

#include "engine/cpu/moving/moving.h"

/* Frames of a block; a block's sums stay in the L1 cache. */
#define QUICK_BLOCK		128

/* A sum lies in so many doubles at most. */
#define QUICK_LEVELS	3

/* Sums of x, x^2, y, y^2, x y. */
#define QUICK_SUMS		5

/*
 * Elements, times a power of 2 that makes them less than 1, and their products
 * become whole multiples of a unit, what is left over of another one, and so
 * on, until what is left is too small to matter.
 */
typedef struct quick_grid
{
	int			levels;
	double		rounder[QUICK_LEVELS];	/* 1.5 * 2^52 units */
	double		scale[2];		/* of the arrays */
	double		unscale;		/* 1 / scale[0] */
	double		error;			/* of a centred sum, over n^2 */
} quick_grid;

typedef struct cpu_quick
{
	cpu_frame	frame;
	const uint32_t *before;		/* values before each; NULL: all are */
	int			arrays;			/* 1: deviations, 2: correlations */
	bool		single;			/* elements are of type float */
	const void *element[2];		/* NULLs are zeros */

	quick_grid	grid;
	bool		specials;		/* some are NaN or infinite */
	int64_t		at;				/* the next frame; before 0, elements only enter */
	int64_t		since;			/* the last pause */
	int64_t		last_special;	/* of the elements that have entered: the last
								 * one's index and 1 */
	double		total[QUICK_SUMS][QUICK_LEVELS];
} cpu_quick;

/* Given frame to element; false if there is no quick way. */
extern bool cpu_quick_open(cpu_quick *q);

/*
 * The results of the next frames, QUICK_BLOCK but at the end: result[i] where
 * known[i] is not 0.  Returns how many there are.  A correlation of fewer than
 * two pairs is 0, and known[i] QUICK_NULL.
 */
#define QUICK_NULL		2

extern int	cpu_quick_next(cpu_quick *q, double *result, uint8_t *known);

#endif							/* GS_CPU_MOVING_QUICK_H */
