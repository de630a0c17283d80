/*-------------------------------------------------------------------------
 *
 * triangle.h
 *	  Which of many points makes the largest triangle with two others?
 *
 * Areas are compared exactly; of points with the same area the first is taken.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_TRIANGLE_H
#define GS_TRIANGLE_H

#include "exact/exact.h"

/* Coordinates are finite. */
typedef struct gs_point
{
	double		x;
	double		y;
} gs_point;

typedef struct gs_triangle
{
	gs_point	a;
	gs_point	c;
	double		width;			/* from a to c; rounded */
	double		height;
	bool		any;			/* has there been a point? */
	gs_point	best;
	double		area;			/* twice that of the best; rounded */
	double		error;			/* which is so far away from it at most */
} gs_triangle;

#ifdef __cplusplus
extern "C"
{
#endif

/* Two corners. */
extern void gs_triangle_open(gs_triangle *t, gs_point a, gs_point c);

/* Is the triangle with this point larger than with any before? */
extern bool gs_triangle_grow(gs_triangle *t, gs_point b);

#ifdef __cplusplus
}
#endif

#endif							/* GS_TRIANGLE_H */
