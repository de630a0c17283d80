/*-------------------------------------------------------------------------
 *
 * grid.h
 *	  The lines of an even grid: origin + k width.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_GRID_H
#define GS_GRID_H

#include "exact/exact.h"

/* Lines beyond this one cannot be told apart by a double k. */
#define GS_GRID_LINES	0x1p53

typedef struct gs_line
{
	double		nearest;		/* the line, rounded */
	double		first;			/* the first double that is not below it */
} gs_line;

#ifdef __cplusplus
extern "C"
{
#endif

/*
 * Line k, a whole number, |k| <= GS_GRID_LINES.  All are finite, but for a line
 * beyond the range of double: the infinity of its sign.
 */
extern gs_line gs_grid_line(double origin, double width, double k);

#ifdef __cplusplus
}
#endif

#endif							/* GS_GRID_H */
