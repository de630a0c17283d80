/*-------------------------------------------------------------------------
 *
 * rank_set.h
 *	  A set of ranks, and the k-th least of them.
 *
 * A bit for each rank, and above them a bit for each word that is not zero,
 * and so on: to the next member of the set it takes as many steps as there are
 * levels, one for each factor of 64.  A cursor stays at one of the members and
 * knows how many are below, so that the k-th is found from the one that was
 * found last; in a moving frame, k moves by few places at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_RANK_SET_H
#define GS_RANK_SET_H

#include "call/array_iteration.h"

#define GS_RANK_LEVELS	6		/* 64^6 ranks */

typedef struct gs_rank_set
{
	int			levels;
	uint64	   *level[GS_RANK_LEVELS];	/* the least first */
	int64		n;				/* members */
	int64		at;				/* the cursor: a member, if there are any */
	int64		below;			/* how many members are below it */
} gs_rank_set;

/* An empty set of ranks below `capacity`. */
extern void gs_rank_set_open(gs_rank_set *s, int64 capacity);
extern void gs_rank_set_close(gs_rank_set *s);

/* Make a set empty. */
extern void gs_rank_set_clear(gs_rank_set *s);

/* A rank that is no member; one that is. */
extern void gs_rank_set_add(gs_rank_set *s, int64 rank);
extern void gs_rank_set_remove(gs_rank_set *s, int64 rank);

/* The next member after a rank; -1: there is none. */
extern int64 gs_rank_set_next(const gs_rank_set *s, int64 rank);

/* The k-th member, counted from 0; there must be more than k. */
extern int64 gs_rank_set_find(gs_rank_set *s, int64 k);

#endif							/* GS_RANK_SET_H */
