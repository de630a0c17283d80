/*-------------------------------------------------------------------------
 *
 * scatter.c
 *	  What of a scatter follows from the plan alone.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/scatter.h"

static bool
is_value(const gs_plan *plan, int32_t value)
{
	return value >= 0 && value < plan->aggregates;
}

static gs_type
type_of(const gs_plan *plan, int32_t value)
{
	return gs_operand_type(plan, plan->aggregate[value].a);
}

static bool
is_key(const gs_plan *plan, int32_t value)
{
	gs_type		type;

	if (!is_value(plan, value))
		return false;
	type = type_of(plan, value);
	return type == GS_BOOL || type == GS_INT2 || type == GS_INT4 ||
		type == GS_INT8;
}

/* Does an entry have the value's bytes, or is it an integer that may be cut? */
static bool
fits(const gs_plan *plan, const gs_scatter *s)
{
	gs_type		type;

	if (s->value == -1)
		return s->width == 1 && !s->has_nulls &&
			(s->none == 0 || s->none == 1);
	if (s->counts || !is_value(plan, s->value))
		return false;
	type = type_of(plan, s->value);
	return (type != GS_FLOAT4 && type != GS_FLOAT8) ||
		s->width == gs_type_width(type);
}

bool
gs_scatter_check(const gs_plan *plan, const gs_scatter *s)
{
	int64_t		places = 1;

	if (!plan->of_rows || s->keys < 1 || s->keys > GS_SCATTER_KEYS ||
		(s->width != 1 && s->width != 2 && s->width != 4 && s->width != 8) ||
		s->has_nulls < 0 || s->has_nulls > 1 || s->none_null < 0 ||
		s->none_null > s->has_nulls || s->counts < 0 || s->counts > 1 ||
		!fits(plan, s))
		return false;
	for (int i = 0; i < s->keys; i++)
	{
		if (!is_key(plan, s->key[i]) || s->count[i] < 1 ||
			s->count[i] > GS_SCATTER_PLACES / places)
			return false;
		places *= s->count[i];
	}
	return s->places == places;
}

int64_t
gs_scatter_values(const gs_scatter *s)
{
	return ((s->places + 1) * s->width + 7) / 8 * 8;
}

int64_t
gs_scatter_size(const gs_scatter *s)
{
	return gs_scatter_values(s) +
		(s->has_nulls ? (s->places + 1 + 63) / 64 * 8 : 0);
}
