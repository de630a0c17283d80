/*-------------------------------------------------------------------------
 *
 * columns_scaled.c
 *	  Values of 8 bytes on the host, as numbers of a unit (engine/scaled.h).
 *
 * What streams from the host takes as long as it has bytes, so floats that are
 * decimal numbers of few digits, or binary fractions, are held there in 1, 2 or 4,
 * and so are integers that are multiples, such as times of whole seconds.  On
 * the device all values are as kernels read them.
 *
 * The rows that come first choose the unit, or those that would make integers take
 * 8 bytes; rows that are no multiples of it make all of the segment's values
 * plain again, and those out of range make them wider first (columns_room.c).
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/engine_cpu.h"
#include "service/columns_table.h"

/*
 * Decimal digits, and bits of measuring instruments.  Values are fractions of the
 * least one that fits, or multiples of the greatest: both give the smallest
 * numbers.
 */
static const int64_t units[] = {
	1, 10, 64, 100, 1000, 1024, 10000, 65536, 100000, 1000000
};

#define UNITS	((int) (sizeof units / sizeof *units))

/* Values that change at a time, a multiple of 8. */
#define TILE	1024

static bool
find_range(gs_type type, int64_t unit, const gs_column_data *data,
		   int64_t first, int64_t n, int64_t *low, int64_t *high)
{
	return gs_cpu_scaled_range(type, unit, data->values, data->validity,
							   first, n, low, high);
}

/* Numbers of a unit, low to high; false: they take 8 bytes. */
static bool
frame_numbers(int64_t unit, int64_t low, int64_t high, gs_encoding *scaled)
{
	*scaled = gs_frame_for(GS_INT8, low, high);
	scaled->unit = unit;
	return scaled->width < 8;
}

/*
 * For n rows from `first` on, which take `plain` without a unit; false: that is
 * as good.
 */
bool
gs_scaled_for(gs_type type, const gs_encoding *plain,
			  const gs_column_data *data, int64_t first, int64_t n,
			  gs_encoding *scaled)
{
	if (plain->width < 8)
		return false;
	for (int i = 0; i < UNITS; i++)
	{
		int64_t		unit = units[type == GS_FLOAT8 ? i : UNITS - 1 - i];
		int64_t		low;
		int64_t		high;

		if (find_range(type, unit, data, first, n, &low, &high))
			return low <= high && frame_numbers(unit, low, high, scaled);
	}
	return false;
}

/*
 * The same for integers that were plain so far and take 8 bytes from now on, with
 * those that are there: low to high.
 */
bool
gs_scaled_with(gs_type type, const gs_encoding *plain,
			   const gs_column_data *data, int64_t first, int64_t n,
			   int64_t low, int64_t high, gs_encoding *scaled)
{
	return type == GS_INT8 &&
		gs_scaled_for(type, plain, data, first, n, scaled) &&
		frame_numbers(scaled->unit, low / scaled->unit, high / scaled->unit,
					  scaled);
}

/* Make n integers on the host those of a unit; false: some are none. */
bool
gs_scaled_change(const gs_values *plain, int64_t n, const gs_encoding *scaled,
				 char *to)
{
	const int	width = plain->frame.width;
	uint64_t	tile[TILE];

	for (int64_t at = 0; at < n; at += TILE)
	{
		int64_t		count = n - at < TILE ? n - at : TILE;

		gs_cpu_change_width(plain->memory + at * width, width, tile, 8, count,
							(uint64_t) plain->frame.base);
		if (!gs_cpu_scale(to + at * scaled->width, scaled, GS_INT8, tile,
						  plain->bits == NULL ? NULL : plain->bits + at / 8,
						  0, count))
			return false;
	}
	return true;
}

/* Are these rows in it? */
bool
gs_scaled_holds(const gs_encoding *scaled, gs_type type,
				const gs_column_data *data, int64_t first, int64_t n)
{
	const gs_encoding numbers = {.width = scaled->width,.base = scaled->base};
	int64_t		low;
	int64_t		high;

	return find_range(type, scaled->unit, data, first, n, &low, &high) &&
		gs_frame_holds(&numbers, GS_INT8, low, high);
}

/*
 * Make it hold these rows, and all that it could hold; false: no other width does
 * with this unit.
 */
bool
gs_scaled_widen(gs_encoding *scaled, gs_type type, const gs_column_data *data,
				int64_t first, int64_t n)
{
	int64_t		least = scaled->base;
	int64_t		most = least + (int64_t) (UINT64_MAX >>
										  (64 - 8 * scaled->width));
	int64_t		low;
	int64_t		high;

	return find_range(type, scaled->unit, data, first, n, &low, &high) &&
		frame_numbers(scaled->unit, low < least ? low : least,
					  high > most ? high : most, scaled);
}
