/*-------------------------------------------------------------------------
 *
 * search.cuh
 *	  Where a key lies among sorted keys.
 *
 * A monotone map assigns keys to cells.  However it rounds, an edge in a lower
 * cell is below the element, and one in a higher cell above it, so only the
 * edges in the element's own cell are compared: mostly one or none.  The edges
 * and the starts of the cells are in shared memory where they fit, else in
 * global memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_SEARCH_CUH
#define GS_SEARCH_CUH

#include <math.h>

#include "engine/engine.h"
#include "engine/search.h"

/*
 * Maps keys to cells 0 to cells - 1.  The linear map suits edges that are
 * spread evenly, the other one, by the leading bits of the keys, floats that
 * are spread evenly on a logarithmic scale.
 */
typedef struct search_map
{
	int			cells;
	int			real;			/* keys are those of floats */
	int			linear;
	double		scale;			/* > 0 */
	double		offset;
	int64_t		first;			/* lowest key */
	int64_t		last;			/* highest key */
	int			shift;
} search_map;

GS_INLINE int
search_cell(const search_map *map, int64_t key)
{
	double		t;
	int			cell;

	if (!map->linear)
	{
		key = key < map->first ? map->first : key > map->last ? map->last :
			key;
		return (int) (((uint64_t) key - (uint64_t) map->first) >> map->shift);
	}
	/* that of NaN among others */
	if (key == INT64_MAX)
		return map->cells - 1;
	t = fma(map->real ? gs_search_number(key) : (double) key, map->scale,
			map->offset);
#ifdef __CUDA_ARCH__
	cell = __double2int_rz(t);	/* saturates */
#else
	cell = t >= map->cells ? map->cells : t <= 0 ? 0 : (int) t;
#endif
	return cell < 0 ? 0 : cell >= map->cells ? map->cells - 1 : cell;
}

/* The number of edges before `first`, and of the next `few`, that count. */
GS_INLINE int
search_edges(const int64_t *edges, int first, int few, int64_t key,
			 int exclusive)
{
	while (few > 0)
	{
		int			half = few >> 1;
		int64_t		edge = edges[first + half];

		if (exclusive ? edge < key : edge <= key)
		{
			first += half + 1;
			few -= half + 1;
		}
		else
			few = half;
	}
	return first;
}

/* The number of edges whose cell is below one. */
GS_INLINE int
search_start(const search_map *map, const int64_t *edges, int n, int cell)
{
	int			first = 0;

	while (n > 0)
	{
		int			half = n >> 1;

		if (search_cell(map, edges[first + half]) < cell)
		{
			first += half + 1;
			n -= half + 1;
		}
		else
			n = half;
	}
	return first;
}

static inline double
search_edge(const gs_op *op, int i)
{
	return op->type == GS_FLOAT4 || op->type == GS_FLOAT8 ?
		gs_search_number(op->search.keys[i]) : (double) op->search.keys[i];
}

static inline search_map
search_linear_map(const gs_op *op, int cells)
{
	search_map	map = {0};
	int			first = 0;
	int			last = op->search.count - 1;
	double		width;

	/* edges may begin with -infinity, and end with infinity and NaN */
	while (first < last && !gs_is_finite(search_edge(op, first)))
		first++;
	while (first < last && !gs_is_finite(search_edge(op, last)))
		last--;
	width = search_edge(op, last) - search_edge(op, first);
	map.cells = cells;
	map.real = op->type == GS_FLOAT4 || op->type == GS_FLOAT8;
	map.scale = cells / width;
	map.offset = -search_edge(op, first) * map.scale;
	map.linear = width > 0 && map.scale > 0 && gs_is_finite(map.scale) &&
		gs_is_finite(map.offset);
	return map;
}

static inline search_map
search_bitwise_map(const gs_op *op, int cells)
{
	search_map	map = {0};

	map.cells = cells;
	map.first = op->search.keys[0];
	map.last = op->search.keys[op->search.count - 1];
	while (((uint64_t) map.last - (uint64_t) map.first) >> map.shift >=
		   (uint64_t) cells)
		map.shift++;
	return map;
}

/*
 * The expected number of edges in an element's cell, if elements are
 * distributed like edges.
 */
static inline double
search_crowding(const search_map *map, const gs_op *op)
{
	int			step = (op->search.count - 1) / 4096 + 1;
	int			before = -1;
	int			run = 0;
	double		sum = 0;

	for (int64_t i = 0; i < op->search.count; i += step)
	{
		int			cell = search_cell(map, op->search.keys[i]);

		run = cell == before ? run + 1 : 1;
		before = cell;
		sum += run;
	}
	return sum;
}

static inline search_map
search_map_of(const gs_op *op, int cells)
{
	search_map	linear = search_linear_map(op, cells);
	search_map	bitwise = search_bitwise_map(op, cells);

	if (linear.linear && search_crowding(&linear, op) <=
		search_crowding(&bitwise, op))
		return linear;
	return bitwise;
}

#endif							/* GS_SEARCH_CUH */
