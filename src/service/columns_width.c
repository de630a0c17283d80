/*-------------------------------------------------------------------------
 *
 * columns_width.c
 *	  In how many bytes a segment has a column's integers.
 *
 * A frame of reference: what is stored is the difference from a base, in the
 * fewest of 1, 2, 4 and 8 bytes that hold it, as engines read it
 * (gs_column_data).  Rows that come first choose; rows that come later, and do
 * not fit, widen the values that are there (columns_room.c).  The base is such
 * that as much room is left below the values as above, so that values which
 * are a little beyond those seen so far seldom need this.  What is on the host
 * may have a unit, too (columns_scaled.c).
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "engine/cpu/engine_cpu.h"
#include "service/columns_table.h"

/* Values that are made narrower at a time. */
#define TILE	1024

static bool
is_integer(gs_type type)
{
	return type >= GS_INT2 && type <= GS_INT8;
}

/* The most that so many bytes hold. */
static uint64_t
greatest(int width)
{
	return UINT64_MAX >> (64 - 8 * width);
}

/* Values as they are. */
gs_encoding
gs_frame_plain(gs_type type)
{
	return (gs_encoding) {.width = gs_type_width(type)};
}

/* For the values low to high; low > high: there are none, or no integers. */
gs_encoding
gs_frame_for(gs_type type, int64_t low, int64_t high)
{
	gs_encoding	frame = gs_frame_plain(type);
	uint64_t	range = (uint64_t) high - (uint64_t) low;

	if (!is_integer(type))
		return frame;
	if (low > high)
		return (gs_encoding) {.width = 1};
	for (int width = 1; width < frame.width; width *= 2)
	{
		uint64_t	spare;
		uint64_t	below = (uint64_t) low - (uint64_t) INT64_MIN;

		if (range > greatest(width))
			continue;
		spare = (greatest(width) - range) / 2;
		return (gs_encoding) {
			.width = width,
			.base = (int64_t) ((uint64_t) low - (spare < below ? spare : below))
		};
	}
	return frame;
}

/* Are the values low to high, if any, in it? */
bool
gs_frame_holds(const gs_encoding *frame, gs_type type, int64_t low,
			   int64_t high)
{
	return frame->width == gs_type_width(type) || low > high ||
		(low >= frame->base &&
		 (uint64_t) high - (uint64_t) frame->base <= greatest(frame->width));
}

/* Store n values of a type as the frame has them, in their own memory. */
void
gs_frame_store(const gs_encoding *frame, gs_type type, char *values, int64_t n)
{
	int			width = gs_type_width(type);
	uint64_t	tile[TILE];

	if (frame->width == width)
		return;
	for (int64_t at = 0; at < n; at += TILE)
	{
		int64_t		count = n - at < TILE ? n - at : TILE;

		gs_cpu_change_width(values + at * width, width, tile, frame->width,
							count, -(uint64_t) frame->base);
		memcpy(values + at * frame->width, tile,
			   (size_t) (count * frame->width));
	}
}
