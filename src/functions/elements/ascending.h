/*-------------------------------------------------------------------------
 *
 * ascending.h
 *	  Ascending numbers in memory, and where a number lies among them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_ASCENDING_H
#define GS_ASCENDING_H

#include "call/array_iteration.h"

typedef struct gs_ascending
{
	const gs_number *value;		/* the array's, or the copy */
	gs_number  *copy;			/* NULL: the array has to stay open */
	int64		n;
	bool		is_float;
	int64		last;			/* the last answer */
} gs_ascending;

/*
 * Read an array of one dimension.  Errors, which call it `plural` and its
 * elements `singular`, if an element is NULL or below the one before it.
 */
extern void gs_ascending_open(gs_ascending *s, const gs_array *a,
							  const char *plural, const char *singular);

/* Finite times of values, of which there must be as many. */
extern void gs_ascending_open_times(gs_ascending *s, const gs_array *times,
									const gs_array *values);

/* The ascending numbers, in memory that may be changed. */
extern gs_number *gs_ascending_own(gs_ascending *s);
extern void gs_ascending_close(gs_ascending *s);

/* How many are not above a number?  Fast if that is near the last answer. */
extern int64 gs_ascending_count(gs_ascending *s, gs_number value);

#endif							/* GS_ASCENDING_H */
