/*-------------------------------------------------------------------------
 *
 * multiset.h
 *	  Values in order, which come and go: those of a moving frame.
 *
 * Adding, removing and finding one takes a time that grows with the logarithm
 * of how many distinct values there are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MULTISET_H
#define GS_MULTISET_H

#include "call/array_iteration.h"

typedef struct gs_multiset_node gs_multiset_node;

typedef struct gs_multiset
{
	MemoryContext context;		/* of all memory that belongs to it */
	gs_type		type;
	bool		decimals;		/* numbers are Datums of numeric */

	/*
	 * Equal values are the same: -0 and 0, 1 and 1.00.  Else -0 is below 0, and
	 * 1 is below 1.00.
	 */
	bool		by_value;
	gs_multiset_node *node;
	uint32		capacity;
	uint32		used;			/* nodes that have ever been in use */
	uint32		unused;			/* a list of those that no longer are */
	uint32		root;
	uint32		distinct;		/* nodes in use */
} gs_multiset;

extern gs_multiset *gs_multiset_new(MemoryContext context, gs_type type,
									bool decimals, bool by_value);

/* Values of numeric are copied. */
extern void gs_multiset_add(gs_multiset *m, gs_number value);
extern void gs_multiset_remove(gs_multiset *m, gs_number value);
extern int64 gs_multiset_count(const gs_multiset *m);

/* The value of a rank, counted from 0; of numeric, it is the multiset's own. */
extern gs_number gs_multiset_at(const gs_multiset *m, int64 rank);

/* The least of the most frequent values; there is at least one. */
extern gs_number gs_multiset_mode(const gs_multiset *m);

/*
 * The first of the values of numeric that equal this one, of which there is at
 * least one: it has the fewest decimal places.
 */
extern gs_number gs_multiset_first_equal(const gs_multiset *m, gs_number value,
										 int64 *rank);

/* A percentile, as order.c finds it in an array; there is at least one value. */
extern Datum gs_multiset_percentile(const gs_multiset *m, double fraction,
									bool discrete);

#endif							/* GS_MULTISET_H */
