/*-------------------------------------------------------------------------
 *
 * spread.h
 *	  An array's elements by place.
 *
 * PostgreSQL's arrays leave out what is NULL, so that where an element lies
 * depends on all before it.  The elements of an array with NULLs are spread,
 * one for each place.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SPREAD_H
#define GS_SPREAD_H

#include "call/array_iteration.h"

typedef struct gs_spread
{
	gs_type		type;
	int			width;
	int64		n;
	const char *values;
	const uint8 *bitmap;		/* NULL: none is NULL */
	char	   *own;			/* memory of our own, or NULL */
} gs_spread;

/* Of an array that is in memory, and stays there until it is closed. */
extern void gs_spread_open(gs_spread *s, const gs_array *a);
extern void gs_spread_close(gs_spread *s);

/* Is there an element at a place, counted from 0? */
static inline bool
gs_spread_has(const gs_spread *s, int64 place)
{
	return s->bitmap == NULL || (s->bitmap[place / 8] >> (place % 8)) & 1;
}

#endif							/* GS_SPREAD_H */
