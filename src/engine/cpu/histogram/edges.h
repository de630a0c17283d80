/*-------------------------------------------------------------------------
 *
 * edges.h
 *	  Searches among sorted edges.
 *
 * Several elements are searched in step and without branches, so that their
 * loads overlap.  An index tells each where to begin: it divides what lies
 * between the least and the greatest edge into slots of one width, and an
 * element is searched among the edges of its slot alone.  Rounded or not, a
 * greater number never has a lesser slot, so edges of other slots need no look.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_CPU_EDGES_H
#define GS_CPU_EDGES_H

#include "engine/cpu/engine_cpu.h"
#include "engine/cpu/lanes.h"

/* Elements in step. */
#define GS_IN_STEP	8

/* Arrays of n elements are padded to so many. */
static inline int
gs_padded(int n)
{
	return (n + GS_IN_STEP - 1) / GS_IN_STEP * GS_IN_STEP;
}

typedef struct gs_edge_index
{
	double		low;			/* the least edge */
	double		scale;			/* slots in a unit */
	double		last;			/* slot */
	int64_t		most;			/* edges of a slot, at most */
	int32_t		first[];		/* by slot: where the search begins */
} gs_edge_index;

/*
 * The index of n ascending edges, for the search of so many elements; NaN is
 * above all.  To be freed.  NULL: no memory, or not worth it.
 */
extern gs_edge_index *gs_cpu_index_edges(const double *edges, int64_t n,
										 int64_t elements);

/* NaN has the last one. */
ALWAYS_INLINE int32_t
gs_edge_slot(const gs_edge_index *index, double x)
{
	double		slot = (x - index->low) * index->scale;

	slot = slot < index->last ? slot : index->last;
	return (int32_t) (slot > 0 ? slot : 0);
}

/* Where the searches for n elements begin. */
static inline void
gs_edge_starts(const gs_edge_index *index, const double *x, int n,
			   int32_t *place)
{
	for (int i = 0; i < n; i++)
		place[i] = index->first[gs_edge_slot(index, x[i])];
}

#define GS_IS_AT_MOST(edge, x)	((edge) <= (x))
#define GS_IS_BELOW(edge, x)	((edge) < (x))

/*
 * Defines name(edges, left, x, n, place); `counts` is one of these.  The edges before place[i], and up to
 * `left` after it, are the ones that may count for x[i]: it becomes how many do.
 */
#define DEFINE_SEARCH(name, type, counts) \
static void \
name(const type *edges, int64_t left, const type *x, int n, int32_t *place) \
{ \
	if (left == 1) \
	{ \
		for (int i = 0; i < n; i++) \
			place[i] += counts(edges[place[i]], x[i]); \
		return; \
	} \
	for (int i = 0; i < n; i += GS_IN_STEP) \
	{ \
		const type *from[GS_IN_STEP]; \
		int64_t		step; \
\
		for (int j = 0; j < GS_IN_STEP; j++) \
			from[j] = edges + place[i + j]; \
		for (int64_t most = left; most > 0; most -= step) \
		{ \
			step = (most + 1) / 2; \
			for (int j = 0; j < GS_IN_STEP; j++) \
				from[j] += -(int64_t) counts(from[j][step - 1], x[i + j]) & \
					step; \
		} \
		for (int j = 0; j < GS_IN_STEP; j++) \
			place[i + j] = (int32_t) (from[j] - edges); \
	} \
}

#endif							/* GS_CPU_EDGES_H */
