/*-------------------------------------------------------------------------
 *
 * keys.c
 *	  Words of up to 64 bits, in whose order rows are sorted.
 *
 * A column's values become unsigned integers from 0 on, NULL one of them, and
 * several columns share a word, as far as there are bits.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

#define INLINE			static inline __attribute__((always_inline))

/* Integers in the order of values; equal values have the same one. */
INLINE int64_t
order_of(const void *values, gs_type type, int64_t i)
{
	if (type == GS_FLOAT8)
	{
		double		x = ((const double *) values)[i];

		return gs_cpu_key(x == 0 ? 0 : x);
	}
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

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
	while (b != 0)
	{
		uint64_t	rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void
set_step(key_part *p, uint64_t step)
{
	uint64_t	odd;

	p->step = step;
	p->shift = __builtin_ctzll(step);
	odd = step >> p->shift;
	p->inverse = odd;			/* as to its last 3 bits; then twice as many */
	for (int bits = 3; bits < 64; bits *= 2)
		p->inverse *= 2 - odd * p->inverse;
}

/* Of a multiple of the step. */
INLINE uint64_t
divide(const key_part *p, uint64_t x)
{
	return (x >> p->shift) * p->inverse;
}

/*
 * Times are often whole seconds, or days: find what all distances are a multiple
 * of, which is soon 1 otherwise.  The edges become values that are.
 */
static void
find_step(key_part *p, int64_t n, int64_t *low, int64_t *high)
{
	const int64_t *value = p->column->values;
	int64_t		first = 0;
	uint64_t	step = 0;
	uint64_t	most = 0;		/* what a multiple may be divided to */

	while (first < n && p->nulls && !is_valid(p->column->validity, first))
		first++;
	for (int64_t i = first + 1; i < n && step != 1; i++)
	{
		uint64_t	x = (uint64_t) value[i] - (uint64_t) value[first];

		if (value[i] < value[first])
			x = -x;
		if ((x << (63 - p->shift) << 1) == 0 && divide(p, x) <= most)
			continue;
		if (p->nulls && !is_valid(p->column->validity, i))
			continue;
		step = greatest_divisor(x, step);
		if (step == 0)
			continue;
		set_step(p, step);
		most = UINT64_MAX / step;
	}
	if (step <= 1)
	{
		set_step(p, 1);
		return;
	}
	*low += (int64_t) (((uint64_t) value[first] - (uint64_t) *low) % step);
	*high -= (int64_t) (((uint64_t) *high - (uint64_t) value[first]) % step);
}

/*
 * The parts of a column: one, or two where its values leave no code for NULL.
 * Returns how many; none, if all rows are equal.
 */
static int
make_parts(const gs_sort_column *sort, const gs_relation *relation,
		   gs_type type, key_part *part)
{
	const gs_column_data *column = &relation->column[sort->column];
	key_part	p = {
		.column = column, .type = type, .descending = sort->descending,
		.nulls = gs_count_bits(column->validity,
							   relation->rows) < relation->rows
	};
	int64_t		low;
	int64_t		high;
	uint64_t	last;

	find_range(column, type, relation->rows, p.nulls, &low, &high);
	if (low > high)
		low = high = 0;
	set_step(&p, 1);
	if (type == GS_INT8 && low < high)
		find_step(&p, relation->rows, &low, &high);
	p.edge = sort->descending ? high : low;
	last = ((uint64_t) high - (uint64_t) low) / p.step;
	if (p.nulls && last == UINT64_MAX)
	{
		part[1] = p;
		part[1].bits = 64;
		p.flag = true;
		last = 0;
	}
	if (p.nulls)
	{
		p.null = sort->nulls_first ? 0 : last + 1;
		p.first = sort->nulls_first;
		last++;
	}
	p.bits = gs_cpu_bit_length(last);
	part[0] = p;
	return p.flag ? 2 : p.bits > 0;
}

/* Put a part in the last word, or in a new one. */
static void
place_part(window_keys *keys, int part, bool partition)
{
	int			bits = keys->part[part].bits;
	key_word   *word;

	if (keys->words == 0 || keys->word[keys->words - 1].bits + bits > 64)
	{
		word = &keys->word[keys->words++];
		memset(word, 0, sizeof *word);
		word->part = part;
	}
	word = &keys->word[keys->words - 1];
	word->parts++;
	word->bits += bits;
	if (!partition)
		word->order_bits += bits;
}

void
cpu_window_keys(const gs_window *w, const gs_relation *relation,
				const uint8_t *type, window_keys *keys)
{
	int			parts = 0;

	keys->words = 0;
	for (int c = 0; c < w->columns; c++)
	{
		const gs_sort_column *sort = &w->column[c];
		int			end = parts + make_parts(sort, relation,
											 (gs_type) type[sort->column],
											 &keys->part[parts]);

		for (; parts < end; parts++)
			place_part(keys, parts, c < w->partition);
	}
}

/* Codes of a part behind those that the word has. */
INLINE void
add_codes(const key_part *p, gs_type type, const uint32_t *row, int64_t at,
		  int n, bool descending, bool nulls, uint64_t *to)
{
	const int	shift = p->bits & 63;
	const uint64_t keep = p->bits == 64 ? 0 : UINT64_MAX;

	for (int i = 0; i < n; i++)
	{
		int64_t		from = row == NULL ? at + i : row[at + i];
		uint64_t	x = (uint64_t) order_of(p->column->values, type, from);
		uint64_t	code = descending ? (uint64_t) p->edge - x :
			x - (uint64_t) p->edge;

		if (type == GS_INT8)
			code = divide(p, code);
		if (p->flag)
			code = 0;
		code += p->first;
		if (nulls && !is_valid(p->column->validity, from))
			code = p->null;
		to[i] = ((to[i] & keep) << shift) | code;
	}
}

INLINE void
add_part_of(const key_part *p, gs_type type, const uint32_t *row, int64_t at,
			int n, uint64_t *to)
{
	if (p->nulls)
		add_codes(p, type, row, at, n, p->descending, true, to);
	else if (row != NULL)
		add_codes(p, type, row, at, n, p->descending, false, to);
	else if (p->descending)
		add_codes(p, type, NULL, at, n, true, false, to);
	else
		add_codes(p, type, NULL, at, n, false, false, to);
}

static void
add_part(const key_part *p, const uint32_t *row, int64_t at, int n,
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
cpu_window_word(const window_keys *keys, int word, const uint32_t *row,
				int64_t at, int n, uint64_t *to)
{
	const key_word *w = &keys->word[word];

	memset(to, 0, sizeof *to * (size_t) n);
	for (int i = 0; i < w->parts; i++)
		add_part(&keys->part[w->part + i], row, at, n, to);
}

/* The codes of sorted keys, from their bit `shift` on, become values again. */
INLINE void
unpack(const key_part *p, gs_type type, int width, const void *key, int shift,
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
		if (p->nulls)
			flags[i] = code != p->null;
	}
}

static void
unpack_part(const key_part *p, int width, const void *key, int shift,
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
cpu_window_unpack(const window_keys *keys, const window_order *order,
				  const void *key, gs_column_data *column, uint8_t *flags)
{
	int			shift = keys->words == 1 ? keys->word[0].bits : 0;

	for (int i = 0; keys->words == 1 && i < keys->word[0].parts; i++)
	{
		const key_part *p = &keys->part[i];

		shift -= p->bits;
		if (p->column != column || p->type == GS_BOOL || gs_is_float(p->type))
			continue;
		unpack_part(p, order->width, key, shift, order->n,
					(void *) (uintptr_t) column->values, flags);
		if (p->nulls)
			cpu_window_bits(flags, order->n,
							(uint8_t *) (uintptr_t) column->validity);
		return true;
	}
	return false;
}
