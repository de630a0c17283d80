/*-------------------------------------------------------------------------
 *
 * edges.c
 *	  The index of sorted edges.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/histogram/edges.h"

#include <stdlib.h>

/* More slots than edges, so that few edges share one; they fit in the cache. */
#define SLOTS_PER_EDGE	4
#define MOST_SLOTS		65536

static int
steps_of(int64_t edges)
{
	int			steps = 0;

	for (; edges > 0; edges /= 2)
		steps++;
	return steps;
}

/* Sets first[] to how many edges come before each slot, and `most`. */
static void
count_edges(gs_edge_index *index, const double *edges, int64_t n)
{
	int64_t		i = 0;

	index->most = 0;
	for (int32_t slot = 0; slot <= (int32_t) index->last; slot++)
	{
		index->first[slot] = (int32_t) i;
		while (i < n && gs_edge_slot(index, edges[i]) == slot)
			i++;
		if (i - index->first[slot] > index->most)
			index->most = i - index->first[slot];
	}
}

gs_edge_index *
gs_cpu_index_edges(const double *edges, int64_t n, int64_t elements)
{
	const int64_t slots = n < MOST_SLOTS / SLOTS_PER_EDGE ?
		n * SLOTS_PER_EDGE : MOST_SLOTS;
	int64_t		least = 0;
	int64_t		greatest = n - 1;
	gs_edge_index *index;

	while (least < n && !gs_is_finite(edges[least]))
		least++;
	while (greatest > least && !gs_is_finite(edges[greatest]))
		greatest--;
	if (least >= greatest || elements < slots + n)
		return NULL;
	index = malloc(sizeof *index + slots * sizeof *index->first);
	if (index == NULL)
		return NULL;
	index->low = edges[least];
	index->scale = slots / (edges[greatest] - edges[least]);
	index->last = slots - 1;
	/* where the width is infinite, infinities would have no slot */
	if (index->scale > 0)
		count_edges(index, edges, n);
	/* the slot costs as much as a step or two */
	if (!(index->scale > 0) || steps_of(index->most) + 2 > steps_of(n))
	{
		free(index);
		return NULL;
	}
	/* a search looks at as many edges everywhere, none beyond the last */
	for (int64_t slot = 0; slot < slots; slot++)
	{
		if (index->first[slot] > n - index->most)
			index->first[slot] = (int32_t) (n - index->most);
	}
	return index;
}
