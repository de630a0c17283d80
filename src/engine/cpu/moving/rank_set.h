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
#ifndef CPU_RANK_SET_H
#define CPU_RANK_SET_H

#include <stddef.h>
#include <stdint.h>

#define CPU_RANK_LEVELS	6		/* 64^6 ranks */

typedef struct cpu_rank_set
{
	int			levels;
	uint64_t   *level[CPU_RANK_LEVELS];	/* the least first */
	int64_t		n;				/* members */
	int64_t		at;				/* the cursor: a member, if there are any */
	int64_t		below;			/* how many members are below it */
} cpu_rank_set;

/* The memory, in bytes, of a set of ranks below `capacity`. */
extern size_t cpu_rank_set_size(int64_t capacity);

/* An empty set in such memory, aligned for words. */
extern void cpu_rank_set_open(cpu_rank_set *s, int64_t capacity, void *memory);

/* Make a set empty. */
extern void cpu_rank_set_clear(cpu_rank_set *s);

/* A rank that is no member; one that is. */
extern void cpu_rank_set_add(cpu_rank_set *s, int64_t rank);
extern void cpu_rank_set_remove(cpu_rank_set *s, int64_t rank);

/* The rank of what is not there; with it, these do nothing. */
#define CPU_NO_RANK		UINT32_MAX

static inline void
cpu_rank_set_enter(cpu_rank_set *s, uint32_t rank)
{
	if (rank != CPU_NO_RANK)
		cpu_rank_set_add(s, rank);
}

static inline void
cpu_rank_set_leave(cpu_rank_set *s, uint32_t rank)
{
	if (rank != CPU_NO_RANK)
		cpu_rank_set_remove(s, rank);
}

/* The next member after a rank; -1: there is none. */
extern int64_t cpu_rank_set_next(const cpu_rank_set *s, int64_t rank);

/* The k-th member, counted from 0; there must be more than k. */
extern int64_t cpu_rank_set_find(cpu_rank_set *s, int64_t k);

#endif							/* CPU_RANK_SET_H */
