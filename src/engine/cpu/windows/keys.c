/*-------------------------------------------------------------------------
 *
 * keys.c
 *	  The words that rows are sorted by (engine/sort_keys.h).
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"
#include "engine/search.h"

#define INLINE			static inline __attribute__((always_inline))

/* Integers in the order of values; equal values have the same one. */
INLINE int64_t
order_of(const void *values, gs_type type, int64_t i)
{
	if (type == GS_FLOAT8)
		return gs_search_key(((const double *) values)[i]);
	if (type == GS_FLOAT4)
	{
		float		x = ((const float *) values)[i];
		int32_t		bits;

		if (x != x)
			return INT32_MAX;
		x = x == 0 ? 0 : x;
		memcpy(&bits, &x, sizeof bits);
		return bits ^ ((bits >> 31) & INT32_MAX);
	}
	return window_integer(values, type, i);
}

static bool
is_valid(const uint8_t *validity, int64_t i)
{
	return validity[i / 8] >> i % 8 & 1;
}

INLINE void
find_range_of(const gs_column_data *column, gs_type type, int64_t n,
			  bool nulls, int64_t *low, int64_t *high)
{
	for (int64_t i = 0; i < n; i++)
	{
		int64_t		x = order_of(column->values, type, i);

		if (nulls && !is_valid(column->validity, i))
			continue;
		if (x < *low)
			*low = x;
		if (x > *high)
			*high = x;
	}
}

/* The least and the greatest; of no value low > high. */
static void
find_range(const gs_column_data *column, gs_type type, int64_t n, bool nulls,
		   int64_t *low, int64_t *high)
{
	*low = INT64_MAX;
	*high = INT64_MIN;
	switch (type)
	{
		case GS_BOOL:
			*low = 0;
			*high = 1;
			return;
		case GS_FLOAT8:
			find_range_of(column, GS_FLOAT8, n, nulls, low, high);
			return;
		case GS_FLOAT4:
			find_range_of(column, GS_FLOAT4, n, nulls, low, high);
			return;
		default:
			break;
	}
	if (column->low <= column->high)
	{
		*low = column->low;
		*high = column->high;
	}
	else if (type == GS_INT8)
		find_range_of(column, GS_INT8, n, nulls, low, high);
	else if (type == GS_INT4)
		find_range_of(column, GS_INT4, n, nulls, low, high);
	else
		find_range_of(column, GS_INT2, n, nulls, low, high);
}

/*
 * What all distances to a value are a multiple of, which is soon 1 unless there
 * is something.
 */
static void
find_step(const gs_column_data *column, int64_t n, gs_sort_found *found)
{
	const int64_t *value = column->values;
	gs_sort_step s = gs_sort_step_of(0);
	int64_t		first = 0;

	while (first < n && found->nulls && !is_valid(column->validity, first))
		first++;
	for (int64_t i = first + 1; i < n && s.step != 1; i++)
	{
		uint64_t	x = gs_sort_distance(value[i], value[first]);

		if (gs_sort_is_multiple(&s, x))
			continue;
		if (found->nulls && !is_valid(column->validity, i))
			continue;
		s = gs_sort_step_of(gs_greatest_divisor(x, s.step));
	}
	if (first == n)
		return;
	found->step = s.step;
	found->value = value[first];
}

void
cpu_window_keys(const gs_window *w, const gs_relation *relation,
				const uint8_t *type, gs_sort_keys *keys)
{
	const int64_t n = relation->rows;
	gs_sort_found found[GS_WINDOW_COLUMNS_MAX];

	memset(found, 0, sizeof found);
	for (int c = 0; c < w->columns; c++)
	{
		const gs_column_data *column = &relation->column[w->column[c].column];
		gs_type		of = (gs_type) type[w->column[c].column];

		found[c].nulls = gs_count_bits(column->validity, n) < n;
		find_range(column, of, n, found[c].nulls, &found[c].low,
				   &found[c].high);
		if (of == GS_INT8 && found[c].low < found[c].high)
			find_step(column, n, &found[c]);
	}
	gs_sort_keys_make(w, relation, type, found, keys);
}

/* Codes of a part behind those that the word has. */
INLINE void
add_codes(const gs_sort_part *part, gs_type type, const uint32_t *row,
		  int64_t at, int n, bool descending, bool nulls, uint64_t *to)
{
	gs_sort_part p = *part;
	const int	shift = p.bits & 63;
	const uint64_t keep = p.bits == 64 ? 0 : UINT64_MAX;

	/* constants where this is inlined */
	p.descending = descending;
	if (type != GS_INT8)
	{
		p.shift = 0;
		p.inverse = 1;
	}
	for (int i = 0; i < n; i++)
	{
		int64_t		from = row == NULL ? at + i : row[at + i];
		uint64_t	code = p.flag ? p.first :
			gs_sort_code(&p, order_of(p.values, type, from));

		if (nulls && !is_valid(p.validity, from))
			code = p.null;
		to[i] = ((to[i] & keep) << shift) | code;
	}
}

INLINE void
add_part_of(const gs_sort_part *p, gs_type type, const uint32_t *row, int64_t at,
			int n, uint64_t *to)
{
	if (p->validity != NULL)
		add_codes(p, type, row, at, n, p->descending, true, to);
	else if (row != NULL)
		add_codes(p, type, row, at, n, p->descending, false, to);
	else if (p->descending)
		add_codes(p, type, NULL, at, n, true, false, to);
	else
		add_codes(p, type, NULL, at, n, false, false, to);
}

static void
add_part(const gs_sort_part *p, const uint32_t *row, int64_t at, int n,
		 uint64_t *to)
{
	switch (p->type)
	{
		case GS_BOOL:
			add_part_of(p, GS_BOOL, row, at, n, to);
			break;
		case GS_INT2:
			add_part_of(p, GS_INT2, row, at, n, to);
			break;
		case GS_INT4:
			add_part_of(p, GS_INT4, row, at, n, to);
			break;
		case GS_INT8:
			add_part_of(p, GS_INT8, row, at, n, to);
			break;
		case GS_FLOAT4:
			add_part_of(p, GS_FLOAT4, row, at, n, to);
			break;
		case GS_FLOAT8:
			add_part_of(p, GS_FLOAT8, row, at, n, to);
			break;
	}
}

void
cpu_window_word(const gs_sort_keys *keys, int word, const uint32_t *row,
				int64_t at, int n, uint64_t *to)
{
	const gs_sort_word *w = &keys->word[word];

	memset(to, 0, sizeof *to * (size_t) n);
	for (int i = 0; i < w->parts; i++)
		add_part(&keys->part[w->part + i], row, at, n, to);
}

/* The codes of sorted keys, from their bit `shift` on, become values again. */
INLINE void
unpack(const gs_sort_part *p, gs_type type, int width, const void *key, int shift,
	   int64_t n, void *values, uint8_t *flags)
{
	const uint64_t mask = UINT64_MAX >> (64 - p->bits);

	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	code = gs_cpu_get_key(key, width, i) >> shift & mask;
		uint64_t	x = code - p->first;

		if (type == GS_INT8)
			x *= p->step;
		x = p->descending ? (uint64_t) p->edge - x : (uint64_t) p->edge + x;
		if (type == GS_INT8)
			((int64_t *) values)[i] = (int64_t) x;
		else if (type == GS_INT4)
			((int32_t *) values)[i] = (int32_t) x;
		else
			((int16_t *) values)[i] = (int16_t) x;
		if (p->validity != NULL)
			flags[i] = code != p->null;
	}
}

static void
unpack_part(const gs_sort_part *p, int width, const void *key, int shift,
			int64_t n, void *values, uint8_t *flags)
{
	if (p->type == GS_INT8 && width == 8)
		unpack(p, GS_INT8, 8, key, shift, n, values, flags);
	else if (p->type == GS_INT8)
		unpack(p, GS_INT8, 4, key, shift, n, values, flags);
	else if (p->type == GS_INT4 && width == 8)
		unpack(p, GS_INT4, 8, key, shift, n, values, flags);
	else if (p->type == GS_INT4)
		unpack(p, GS_INT4, 4, key, shift, n, values, flags);
	else
		unpack(p, GS_INT2, width, key, shift, n, values, flags);
}

bool
cpu_window_unpack(const gs_sort_keys *keys, const window_order *order,
				  const void *key, gs_column_data *column, uint8_t *flags)
{
	int			shift = keys->words == 1 ? keys->word[0].bits : 0;

	for (int i = 0; keys->words == 1 && i < keys->word[0].parts; i++)
	{
		const gs_sort_part *p = &keys->part[i];

		shift -= p->bits;
		if (p->values != column->values || p->type == GS_BOOL ||
			gs_is_float((gs_type) p->type))
			continue;
		unpack_part(p, order->width, key, shift, order->n,
					(void *) (uintptr_t) column->values, flags);
		if (p->validity != NULL)
			cpu_window_bits(flags, order->n,
							(uint8_t *) (uintptr_t) column->validity);
		return true;
	}
	return false;
}
