/*-------------------------------------------------------------------------
 *
 * index.c
 *	  Making an index of integers.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/index.h"

#include <stdlib.h>
#include <string.h>

/* Factors are tried until no bucket has too many. */
#define FACTORS	16

int
gs_index_bits(int32_t n)
{
	int			bits = 0;

	while (bits < GS_INDEX_BITS && INT64_C(1) << bits < n)
		bits++;
	return bits;
}

int64_t
gs_index_size(int32_t n)
{
	return gs_index_starts(gs_index_bits(n)) + n;
}

/* Where buckets start, equal numbers counted. */
static void
count_numbers(const int64_t *number, int32_t n, int32_t *start, int bits,
			  uint64_t factor)
{
	int64_t		buckets = INT64_C(1) << bits;

	memset(start, 0, sizeof *start * ((size_t) buckets + 1));
	for (int32_t i = 0; i < n; i++)
		start[gs_index_bucket(number[i], factor, bits) + 1]++;
	for (int64_t b = 0; b < buckets; b++)
		start[b + 1] += start[b];
}

/* False: a bucket has too many. */
static bool
place_numbers(const int64_t *number, int32_t n, const int32_t *start, int bits,
			  uint64_t factor, gs_value *to, int32_t *row, uint8_t *used)
{
	memset(used, 0, (size_t) 1 << bits);
	for (int32_t i = 0; i < n; i++)
	{
		int64_t		b = gs_index_bucket(number[i], factor, bits);
		int32_t		at = start[b] + used[b];

		if (gs_index_place(to, start[b], used[b], number[i]) > 0)
			continue;
		if (used[b] == GS_INDEX_MOST)
			return false;
		to[at].i8 = number[i];
		row[at] = i;
		used[b]++;
	}
	return true;
}

/* Close the gaps of equal numbers; returns how many are left. */
static int32_t
close_gaps(int32_t *start, int bits, const uint8_t *used, gs_value *number,
		   int32_t *row)
{
	int64_t		buckets = INT64_C(1) << bits;
	int32_t		to = 0;

	for (int64_t b = 0; b < buckets; b++)
	{
		int32_t		from = start[b];

		start[b] = to;
		for (int i = 0; i < used[b]; i++, to++)
		{
			number[to] = number[from + i];
			row[to] = row[from + i];
		}
	}
	start[buckets] = to;
	return to;
}

int32_t
gs_index_make(const int64_t *number, int32_t n, gs_value *index, int32_t *row,
			  uint64_t *factor)
{
	int			bits = gs_index_bits(n);
	int32_t    *start = (int32_t *) index;
	gs_value   *to = index + gs_index_starts(bits);
	uint8_t    *used = malloc((size_t) 1 << bits);
	int32_t		places = -1;

	*factor = UINT64_C(0x9e3779b97f4a7c15);
	for (int i = 0; i < FACTORS && used != NULL && places < 0; i++)
	{
		/* an odd one each time */
		*factor = *factor * UINT64_C(0xd1342543de82ef95) + 2;
		index[gs_index_starts(bits) - 1].i8 = 0;
		count_numbers(number, n, start, bits, *factor);
		if (place_numbers(number, n, start, bits, *factor, to, row, used))
			places = close_gaps(start, bits, used, to, row);
	}
	free(used);
	return places;
}
