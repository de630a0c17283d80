/*-------------------------------------------------------------------------
 *
 * map.h
 *	  The result of a plan's instruction for every row: no filter, no groups.
 *
 * The plan (group.h) has columns, constants and instructions, and neither keys
 * nor aggregates.  The rows of a batch are computed a tile at a time:
 *
 *		gs_map_begin(&plan, result, &map)
 *		gs_map_feed(map, &batch)
 *		gs_map_tile(map, at, n, &out)	at = 0, GS_MAP_TILE, and so on
 *		...								other batches
 *		gs_map_end(map)					always, even after an error
 *
 *-------------------------------------------------------------------------
 */
#ifndef GS_MAP_H
#define GS_MAP_H

#include "engine/group.h"

#define GS_MAP_TILE		1024	/* rows, but for the last tile */

typedef struct gs_map gs_map;

/* The first row of a tile whose result is an error. */
typedef struct gs_map_error
{
	uint32_t	errors;			/* bits GS_ERROR_...; 0: there is none */
	int			row;			/* in the tile */
	bool		zero;			/* the result was rounded to 0 */
} gs_map_error;

/*
 * What `result` names is wanted.  *map is set even if this fails, unless it is
 * NULL; the plan is used until the end.
 */
extern gs_status gs_map_begin(const gs_plan *plan, gs_operand result,
							  gs_map **map);

/* The batch stays where it is until the next one, or the end. */
extern gs_status gs_map_feed(gs_map *map, const gs_batch *batch);

/*
 * The results of rows `at` to at + n - 1, packed, n at most GS_MAP_TILE.  All
 * NaN are the canonical one.  out->validity is set unless all are present.
 */
extern gs_map_error gs_map_tile(gs_map *map, int64_t at, int n,
								gs_output *out);
extern void gs_map_end(gs_map *map);

#endif							/* GS_MAP_H */
