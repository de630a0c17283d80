/*-------------------------------------------------------------------------
 *
 * arrays.c
 *	  Random arrays, packed as engines take them.
 *
 *-------------------------------------------------------------------------
 */
#include "check.h"

#include <math.h>

/* The validity of n elements; how many are present. */
static void
fill_validity(arena *a, gs_span *span, int64_t n, null_pattern pattern)
{
	null_series nulls = random_nulls(pattern, n);
	uint8_t    *bits;

	span->present = n;
	span->validity = NULL;
	if (pattern == NULLS_NONE)
		return;
	/* bits beyond the last element may be anything */
	bits = arena_take(a, (n + 7) / 8 + 1);
	memset(bits, 0xff, (n + 7) / 8 + 1);
	for (int64_t i = 0; i < n; i++)
	{
		if (is_null(&nulls, i))
			bits[i / 8] &= (uint8_t) ~(1u << (i % 8));
	}
	span->present = gs_count_bits(bits, n);
	span->validity = bits;
}

/* n elements of a type. */
gs_span
random_span(arena *a, gs_type type, int64_t n, data_kind kind,
			null_pattern nulls)
{
	gs_span		span;
	void	   *values;

	fill_validity(a, &span, n, nulls);
	values = arena_take(a, span.present * gs_type_width(type));
	fill_elements(values, type, span.present, kind);
	span.values = values;
	return span;
}

/* Make some of a span's floats NaN, infinite or a zero. */
void
scatter_specials(gs_span *span, gs_type type)
{
	static const double special[] = {NAN, HUGE_VAL, -HUGE_VAL, -0.0, 0.0};
	int64_t		rarity = 1 + random_below(one_in(2) ? 10 : 10000);
	bool		zeros = one_in(2);

	for (int64_t i = 0; i < span->present; i++)
	{
		double		x = special[zeros ? 3 + one_in(9) : random_below(5)];

		if (!one_in(rarity))
			continue;
		if (type == GS_FLOAT4)
			((float *) span->values)[i] = (float) x;
		else
			((double *) span->values)[i] = x;
	}
}

/* n flags, one in `density` true; 0: none. */
gs_span
random_flags(arena *a, int64_t n, int64_t density, null_pattern nulls)
{
	gs_span		span;
	uint8_t    *flags;

	fill_validity(a, &span, n, nulls);
	flags = arena_take(a, span.present);
	for (int64_t i = 0; i < span.present; i++)
		flags[i] = density > 0 && one_in(density);
	span.values = flags;
	return span;
}
