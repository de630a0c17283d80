/*-------------------------------------------------------------------------
 *
 * plan_data.c
 *	  Random columns for plans, and their rows as batches; see plan_random.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test/common/compare.h"
#include "test/common/data.h"
#include "test/common/random.h"

static gs_value
integer_value(gs_type type, int64_t x)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (type == GS_BOOL)
		v.i2 = x & 1;
	else if (type == GS_INT2)
		v.i2 = (int16_t) x;
	else if (type == GS_INT4)
		v.i4 = (int32_t) x;
	else
		v.i8 = x;
	return v;
}

static gs_value
float_value(gs_type type, double x)
{
	gs_value	v;

	memset(&v, 0, sizeof v);
	if (type == GS_FLOAT4)
		v.f4 = (float) x;
	else
		v.f8 = x;
	return v;
}

static gs_value
integer_at_limits(gs_type type)
{
	int64_t		near = random_below(3);

	switch (random_below(3))
	{
		case 0:
			return integer_value(type, type_min(type) + near);
		case 1:
			return integer_value(type, type_max(type) - near);
		default:
			return integer_value(type, near - 1);
	}
}

/* Bits of which some are not canonical NaNs. */
static gs_value
special_float(gs_type type)
{
	static const double special[] = {
		NAN, -NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1, 5e-324, -5e-324,
		1.7976931348623157e308, -1.7976931348623157e308, 1e-45, 3.4e38
	};
	gs_value	v;

	if (one_in(8))
	{
		v = float_value(type, NAN);
		if (type == GS_FLOAT4)
			v.i4 |= (int32_t) (random_bits() & 0xfffff);
		else
			v.i8 |= (int64_t) (random_bits() & 0xfffff);
		return v;
	}
	return float_value(type, special[random_below(sizeof special /
												  sizeof *special)]);
}

gs_value
plan_random_value(gs_type type)
{
	if (type == GS_BOOL)
		return integer_value(type, random_below(2));
	if (!is_float(type))
		return one_in(8) ? integer_at_limits(type) :
			integer_value(type, random_below(21) - 10);
	if (one_in(10))
		return special_float(type);
	return float_value(type, one_in(3) ? random_uniform() :
					   (double) (random_below(21) - 10));
}

static void
fill_integers(gs_value *v, gs_type type, int64_t n)
{
	int64_t		start = one_in(3) ? (int64_t) random_bits() : random_below(100);
	int64_t		step = 1 + random_below(5);
	bool		tame = !one_in(3);
	int			kind = (int) random_below(tame ? 7 : 13);

	/* what needs large structures */
	if (n > 5000 && one_in(2))
		kind = one_in(2) ? 8 : one_in(2) ? 12 : 2;

	for (int64_t i = 0; i < n; i++)
	{
		int64_t		x;

		switch (kind)
		{
			case 0:
				x = random_below(3);
				break;
			case 1:
				x = random_below(21) - 10;
				break;
			case 2:
				x = random_below(300);
				break;
			case 3:				/* as many groups as rows */
				x = start % 1000 + i;
				break;
			case 4:				/* days */
				x = 9000 + random_below(2500);
				break;
			case 5:				/* a heavy one */
				x = one_in(2) ? 7 : random_below(1000);
				break;
			case 6:				/* grows from batch to batch */
				x = random_below(i * step + 1) - (one_in(2) ? i : 0);
				break;
			case 7:
				x = start;
				break;
			case 8:
				x = one_in(100) ? type_min(type) : (int64_t) random_bits();
				break;
			case 9:				/* cents */
				x = random_below(10000000);
				break;
			case 10:			/* whose squares just fit, or not */
				x = type_max(type) >> (type == GS_INT2 ? 8 : type == GS_INT4 ?
									   16 : 32);
				x -= random_below(3);
				break;
			case 11:			/* grows by powers */
				x = (int64_t) (random_bits() >> (63 - i * 63 / n));
				break;
			default:
				v[i] = integer_at_limits(type);
				continue;
		}
		v[i] = integer_value(type, x);
	}
}

static void
fill_common(gs_value *v, gs_type type, int64_t n)
{
	data_kind	kind = (data_kind) random_below(DATA_KINDS);

	if (type == GS_FLOAT4)
	{
		float	   *f = malloc(sizeof *f * n + 1);

		fill_float(f, n, kind);
		for (int64_t i = 0; i < n; i++)
			v[i].f4 = f[i];
		free(f);
	}
	else
	{
		double	   *f = malloc(sizeof *f * n + 1);

		fill_double(f, n, kind);
		for (int64_t i = 0; i < n; i++)
			v[i].f8 = f[i];
		free(f);
	}
}

static void
fill_floats(gs_value *v, gs_type type, int64_t n)
{
	int			wide = type == GS_FLOAT4 ? 38 : 300;
	bool		up = one_in(2);
	int			kind = (int) (one_in(8) ? 5 : random_below(one_in(2) ? 5 : 15));

	/* what needs large structures */
	if (n > 5000 && !one_in(4))
		kind = one_in(4) ? 5 : 11;

	if (kind > 12 && n > 0)
	{
		fill_common(v, type, n);
		return;
	}
	for (int64_t i = 0; i < n; i++)
	{
		double		x = 2 * random_uniform() - 1;

		switch (kind)
		{
			case 0:
				x = (double) random_below(4);
				break;
			case 1:
				x = one_in(2) ? 0.0 : one_in(2) ? -0.0 : 1;
				break;
			case 2:
				x = (double) (random_below(2001) - 1000);
				break;
			case 3:				/* prices */
				x = (double) random_below(1000000) / 100;
				break;
			case 4:
				break;
			case 5:
				x *= pow(10, (double) (random_below(2 * wide + 1) - wide));
				break;
			case 6:				/* not normal */
				x *= type == GS_FLOAT4 ? 0x1p-126 : 0x1p-1022;
				break;
			case 7:
				v[i] = special_float(type);
				continue;
			case 8:				/* pairs cancel */
				x *= pow(10, (double) (random_below(60) - 30));
				if (i % 2 == 1)
					x = -value_double(type, v[i - 1]);
				break;
			case 9:				/* whose sums are beyond the type */
				x = (type == GS_FLOAT4 ? 3e38 : 1.7e308) * (one_in(3) ? -1 : 1);
				break;
			case 10:			/* at the limits of integers */
				x = ldexp(one_in(2) ? 1 : -1, one_in(2) ? 15 : one_in(2) ? 31 :
						  63) + (double) (random_below(9) - 4) / 4;
				break;
			case 11:			/* larger, or smaller, from batch to batch */
				x = ldexp(x, (int) ((up ? i : n - i) * wide * 3 / n) -
						  (one_in(2) ? wide : 0));
				break;
			default:			/* few different, special ones among them */
				if (one_in(4))
				{
					v[i] = special_float(type);
					continue;
				}
				x = (double) random_below(5) / 4;
		}
		v[i] = float_value(type, x);
	}
}

void
plan_fill_column(plan_case *c, int column)
{
	gs_type		type = (gs_type) c->column[column];
	gs_value   *v = calloc(c->rows + 1, sizeof *v);
	bool	   *null = calloc(c->rows + 1, sizeof *null);
	null_series nulls = random_nulls(one_in(2) ? NULLS_NONE :
									 (null_pattern) random_below(NULL_PATTERNS),
									 c->rows);

	if (type == GS_BOOL)
	{
		int64_t		rarity = 1 + random_below(20);

		for (int64_t i = 0; i < c->rows; i++)
			v[i].i2 = one_in(2) || one_in(rarity);
	}
	else if (is_float(type))
		fill_floats(v, type, c->rows);
	else
		fill_integers(v, type, c->rows);
	for (int64_t i = 0; i < c->rows; i++)
		null[i] = is_null(&nulls, i);
	free(c->value[column]);
	free(c->null[column]);
	c->value[column] = v;
	c->null[column] = null;
}

/*
 * A buffer of the batch: the bytes, which end where memory does, at an address
 * that `align` divides and, often, no greater power of 2.
 */
static void *
add_buffer(plan_batch *b, const void *from, size_t size, size_t align)
{
	size_t		pad = align * (size_t) random_below(4);
	uint8_t    *to;

	if (b->memory == NULL)
	{
		to = malloc(pad + size > 0 ? pad + size : 1);
		b->buffer[b->buffers] = to;
		to += pad;
		memcpy(to, from, size);
	}
	else
	{
		to = b->memory->reserve(size + 16);
		if (to == NULL || b->memory->put(to, from, size) != GS_OK)
			abort();
		b->buffer[b->buffers] = to;
		b->size[b->buffers] = size + 16;
	}
	b->buffers++;
	return to;
}

/* Flags as bits; those beyond the last one have no meaning. */
static const uint8_t *
add_bits(plan_batch *b, const bool *flag, bool invert, int64_t n)
{
	uint8_t    *bits = malloc((n + 7) / 8);
	void	   *to;

	memset(bits, (int) (random_bits() & 0xff), (n + 7) / 8);
	for (int64_t i = 0; i < n; i++)
	{
		bits[i / 8] &= (uint8_t) ~(1u << (i % 8));
		bits[i / 8] |= (uint8_t) ((flag[i] != invert) << (i % 8));
	}
	to = add_buffer(b, bits, (n + 7) / 8, 1);
	free(bits);
	return to;
}

/* The range of integers; false if there is none. */
static bool
find_range(gs_type type, const gs_value *v, const bool *null, int64_t n,
		   int64_t *low, int64_t *high)
{
	*low = INT64_MAX;
	*high = INT64_MIN;
	for (int64_t i = 0; i < n; i++)
	{
		if (null[i])
			continue;
		*low = value_int(type, v[i]) < *low ? value_int(type, v[i]) : *low;
		*high = value_int(type, v[i]) > *high ? value_int(type, v[i]) : *high;
	}
	return *low <= *high;
}

/* A random number from a to b. */
static __int128
between(__int128 a, __int128 b)
{
	uint64_t	span = (uint64_t) (b - a);

	return one_in(2) ? a : one_in(3) ? b :
		a + (span == UINT64_MAX ? random_bits() : random_bits() % (span + 1));
}

/* The width, the base and the range that an integer column gives. */
static void
choose_form(gs_column_data *to, gs_type type, const gs_value *v,
			const bool *null, int64_t n)
{
	int64_t		low = 0;
	int64_t		high = 0;
	bool		any = find_range(type, v, null, n, &low, &high);
	int			width = 1 << random_below(4);

	if (!any)
		low = high = value_int(type, plan_random_value(type));
	to->low = 1;
	if (one_in(2))
	{
		to->low = (int64_t) between(one_in(3) ? low : type_min(type), low);
		to->high = (int64_t) between(high, one_in(3) ? high : type_max(type));
		if (one_in(2))
		{
			to->low = low;
			to->high = high;
		}
	}
	if (width < to->width)
	{
		__int128	room = ((__int128) 1 << (8 * width)) - 1;
		__int128	least = high - room;

		if (least <= low)
		{
			least = least < type_min(type) ? type_min(type) : least;
			to->base = (int64_t) (one_in(2) ? low : between(least, low));
			to->width = width;
		}
	}
}

static void
make_column(plan_batch *b, gs_column_data *to, gs_type type, const gs_value *v,
			const bool *null, int64_t n)
{
	bool		any_null = memchr(null, true, n) != NULL;
	uint8_t    *bytes;
	size_t		size = 0;

	to->packed = (int32_t) random_below(2);
	to->width = gs_type_width(type);
	if (type != GS_BOOL && !is_float(type))
		choose_form(to, type, v, null, n);
	else
		to->low = (int64_t) random_below(2);	/* means nothing */
	bytes = malloc(to->width * n);
	for (int64_t i = 0; i < n; i++)
	{
		uint64_t	x = type == GS_BOOL ? (uint64_t) v[i].i2 :
			is_float(type) ? (uint64_t) v[i].i8 :
			(uint64_t) value_int(type, v[i]) - (uint64_t) to->base;

		if (null[i] && to->packed)
			continue;
		if (null[i])
			x = random_bits();
		memcpy(bytes + size, &x, to->width);
		size += to->width;
	}
	to->values = add_buffer(b, bytes, size, to->width);
	free(bytes);
	if (any_null || one_in(3))
		to->validity = add_bits(b, null, true, n);
}

void
plan_batch_make(plan_batch *b, const plan_case *c, int64_t first, int64_t n,
				const gs_engine *memory)
{
	memset(b, 0, sizeof *b);
	b->memory = memory;
	b->batch.n = n;
	b->batch.column = b->column;
	b->batch.resident = memory != NULL;
	for (int i = 0; i < c->plan.columns; i++)
		make_column(b, &b->column[i], (gs_type) c->column[i],
					c->value[i] + first, c->null[i] + first, n);
	if (c->counts != NULL)
		b->batch.rows = add_bits(b, c->counts + first, false, n);
}

void
plan_batch_free(plan_batch *b)
{
	for (int i = 0; i < b->buffers; i++)
	{
		if (b->memory == NULL)
			free(b->buffer[i]);
		else
			b->memory->release(b->buffer[i], b->size[i]);
	}
}

bool
plan_place(plan_in_memory *p, const gs_plan *plan, const gs_engine *memory)
{
	bool		good = true;

	p->plan = *plan;
	p->memory = memory;
	if (memory == NULL)
		return true;
	p->plan.table = p->table;
	for (int i = 0; i < plan->tables; i++)
	{
		size_t		size = (size_t) plan->table[i].size * sizeof(gs_value);
		void	   *to = memory->reserve(size);

		p->table[i] = plan->table[i];
		p->table[i].value = to;
		good = good && to != NULL &&
			memory->write(to, plan->table[i].value, size) == GS_OK;
	}
	return good;
}

void
plan_unplace(plan_in_memory *p)
{
	for (int i = 0; i < p->plan.tables && p->memory != NULL; i++)
	{
		if (p->table[i].value != NULL)
			p->memory->release((void *) p->table[i].value,
							   (size_t) p->table[i].size * sizeof(gs_value));
	}
}
