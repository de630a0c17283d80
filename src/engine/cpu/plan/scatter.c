/*-------------------------------------------------------------------------
 *
 * scatter.c
 *	  The rows of a plan of rows as a look-up table (engine/scatter.h), and the
 *	  ranges of their values.
 *
 * A tile of rows at a time: first each row's place, from its keys, then what goes
 * there.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include "engine/cpu/engine_cpu.h"
#include "engine/scatter.h"

/* A value of the rows of a tile. */
typedef struct tile_value
{
	gs_type		type;
	uint64_t	values[GROUP_TILE];
	uint64_t	valid[GROUP_TILE / 64]; /* a bit a row */
} tile_value;

typedef struct tile_places
{
	int64_t		place[GROUP_TILE];	/* -1: none */
} tile_places;

static void
read_value(gs_plan_run *run, int value, int64_t first, int n, tile_value *to)
{
	to->type = run->output[run->state[value].argument].type;
	gs_group_fetch_rows(run, GS_FETCH_STATE(value), first, n, to->values);
	gs_group_fetch_rows(run, GS_FETCH_VALIDITY(value), first / 64,
						GS_VALIDITY_ROWS(n), to->valid);
}

static inline bool
is_valid(const tile_value *v, int i)
{
	return v->valid[i / 64] >> (i % 64) & 1;
}

/* The integer of row i; of a float, its bits. */
static inline int64_t
integer_at(const tile_value *v, int i)
{
	switch (gs_type_width(v->type))
	{
		case 1:
			return ((const uint8_t *) v->values)[i];
		case 2:
			return ((const int16_t *) v->values)[i];
		case 4:
			return ((const int32_t *) v->values)[i];
		default:
			return (int64_t) v->values[i];
	}
}

static bool
is_possible(gs_plan_run *run)
{
	return run->finished && run->plan->of_rows;
}

gs_status
gs_group_range(gs_plan_run *run, int value, struct gs_value_range *range)
{
	bool		is_float;
	tile_value	v;
	int			n;

	if (!is_possible(run) || value < 0 || value >= run->plan->aggregates)
		return gs_group_fail(run, GS_INVALID, "no such value");
	*range = (gs_value_range) {.low = INT64_MAX,.high = INT64_MIN};
	for (int64_t at = 0; at < run->summary.rows; at += n)
	{
		int64_t		left = run->summary.rows - at;

		n = left < GROUP_TILE ? (int) left : GROUP_TILE;
		read_value(run, value, at, n, &v);
		is_float = v.type == GS_FLOAT4 || v.type == GS_FLOAT8;
		for (int i = 0; i < n; i++)
		{
			int64_t		x = is_float ? 0 : integer_at(&v, i);

			if (!is_valid(&v, i))
			{
				range->nulls++;
				continue;
			}
			range->low = x < range->low ? x : range->low;
			range->high = x > range->high ? x : range->high;
		}
	}
	return GS_OK;
}

/* Places so far, with another key's digit. */
static void
add_digit(const tile_value *v, int n, int64_t least, int64_t count,
		  tile_places *to)
{
	for (int i = 0; i < n; i++)
	{
		uint64_t	digit = (uint64_t) integer_at(v, i) - (uint64_t) least;

		to->place[i] = to->place[i] < 0 || !is_valid(v, i) ||
			digit >= (uint64_t) count ? -1 :
			to->place[i] * count + (int64_t) digit;
	}
}

static void
put_entry(void *table, int width, int64_t place, int64_t x)
{
	switch (width)
	{
		case 1:
			((int8_t *) table)[place] = (int8_t) x;
			break;
		case 2:
			((int16_t *) table)[place] = (int16_t) x;
			break;
		case 4:
			((int32_t *) table)[place] = (int32_t) x;
			break;
		default:
			((int64_t *) table)[place] = x;
	}
}

/* What places without a row have. */
static void
fill(const gs_scatter *s, void *to)
{
	int64_t		entries = gs_scatter_values(s) / s->width;
	uint8_t    *bits = (uint8_t *) to + gs_scatter_values(s);

	if (s->none == 0)
		memset(to, 0, (size_t) gs_scatter_values(s));
	for (int64_t i = 0; i < entries && s->none != 0; i++)
		put_entry(to, s->width, i, s->none);
	if (s->has_nulls)
		memset(bits, s->none_null ? 0xff : 0,
			   (size_t) (gs_scatter_size(s) - gs_scatter_values(s)));
}

/* Where there are rows; how many came where one was. */
static int64_t
put_found(const gs_scatter *s, const tile_places *places, int n, uint8_t *to)
{
	const uint8_t found = s->none == 0;
	int64_t		repeated = 0;

	for (int i = 0; i < n; i++)
	{
		int64_t		place = places->place[i];

		if (place < 0)
			continue;
		repeated += to[place] == found;
		to[place] = found;
	}
	return s->counts ? repeated : 0;
}

static void
put_values(const gs_scatter *s, const tile_places *places,
		   const tile_value *v, int n, void *to)
{
	uint8_t    *bits = (uint8_t *) to + gs_scatter_values(s);

	for (int i = 0; i < n; i++)
	{
		int64_t		place = places->place[i];
		uint8_t		bit = (uint8_t) (1 << (place & 7));

		if (place < 0)
			continue;
		put_entry(to, s->width, place, is_valid(v, i) ? integer_at(v, i) : 0);
		if (s->has_nulls)
			bits[place / 8] = (uint8_t) (is_valid(v, i) ?
										 bits[place / 8] & ~bit :
										 bits[place / 8] | bit);
	}
}

gs_status
gs_group_scatter(gs_plan_run *run, const struct gs_scatter *s, void *to,
				 int64_t *placed, int64_t *repeated)
{
	tile_places places;
	tile_value	v;
	int			n;

	*placed = *repeated = 0;
	if (!is_possible(run) || !gs_scatter_check(run->plan, s))
		return gs_group_fail(run, GS_INVALID, "no such table");
	fill(s, to);
	for (int64_t at = 0; at < run->summary.rows; at += n)
	{
		int64_t		left = run->summary.rows - at;

		n = left < GROUP_TILE ? (int) left : GROUP_TILE;
		memset(places.place, 0, (size_t) n * sizeof *places.place);
		for (int k = 0; k < s->keys; k++)
		{
			read_value(run, s->key[k], at, n, &v);
			add_digit(&v, n, s->least[k], s->count[k], &places);
		}
		for (int i = 0; i < n; i++)
			*placed += places.place[i] >= 0;
		if (s->value < 0)
		{
			*repeated += put_found(s, &places, n, to);
			continue;
		}
		read_value(run, s->value, at, n, &v);
		put_values(s, &places, &v, n, to);
	}
	return GS_OK;
}
