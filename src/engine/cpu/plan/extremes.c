/*-------------------------------------------------------------------------
 *
 * extremes.c
 *	  The least and the greatest value of each group.
 *
 * A state is the greatest integer in the values' order (order.c), or for
 * the least value the greatest complement.  0 is no value, except of int8.
 *
 * After some rows hardly any value changes a state.  Those that are not beyond
 * the bound, the extreme that is least extreme among all groups, change none,
 * and are left out, a block at a time.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"
#include "engine/cpu/lanes.h"

#include <float.h>

/* Values that are compared with the bound at once. */
#define BLOCK			64

/* Rows a group between two searches for the bound, which look at each group. */
#define ROWS_A_GROUP	8

static gs_status
begin_extreme(gs_plan_run *run, group_state *s)
{
	(void) run;
	s->store.width = sizeof(uint64_t);
	if (s->type == GS_INT8)
		s->present.width = sizeof(uint8_t);
	return GS_OK;
}

/*
 * Is none of n values beyond the bound?  NaN may be beyond any.  A mask is as
 * wide as a value, for the sake of vectors.
 */
#define WITHIN(suffix, type, member, mask) \
static bool \
above_##suffix(const void *values, int n, gs_value bound) \
{ \
	const type *v = values; \
	const type	low = bound.member; \
	mask		beyond = 0; \
\
	for (int i = 0; i < n; i++) \
		beyond |= v[i] >= low ? 0 : 1; \
	return beyond == 0; \
} \
\
static bool \
below_##suffix(const void *values, int n, gs_value bound) \
{ \
	const type *v = values; \
	const type	high = bound.member; \
	mask		beyond = 0; \
\
	for (int i = 0; i < n; i++) \
		beyond |= v[i] <= high ? 0 : 1; \
	return beyond == 0; \
}

WITHIN(int2, int16_t, i2, int16_t)
WITHIN(int4, int32_t, i4, int32_t)
WITHIN(int8, int64_t, i8, int64_t)
WITHIN(float4, float, f4, int32_t)

static bool
above_float8(const void *values, int n, gs_value bound)
{
	const double *v = values;
	const lanes low = {bound.f8, bound.f8};
	masks		within = {-1, -1};
	int			i;

	for (i = 0; i + 1 < n; i += 2)
		within &= load_float8(v + i) >= low;
	return (within[0] & within[1]) != 0 && (i == n || v[i] >= bound.f8);
}

static bool
below_float8(const void *values, int n, gs_value bound)
{
	const double *v = values;
	const lanes high = {bound.f8, bound.f8};
	masks		within = {-1, -1};
	int			i;

	for (i = 0; i + 1 < n; i += 2)
		within &= load_float8(v + i) <= high;
	return (within[0] & within[1]) != 0 && (i == n || v[i] <= bound.f8);
}

typedef bool (*within_bound) (const void *values, int n, gs_value bound);

static const within_bound above[GS_TYPES] = {BY_NUMBER(above)};
static const within_bound below[GS_TYPES] = {BY_NUMBER(below)};

static bool
is_within(const group_state *s, const void *values, int n)
{
	return (s->aggregate->kind == GS_AGG_MIN ? above : below)[s->type]
		(values, n, s->bound.value);
}

static void
find_bound(const gs_plan_run *run, group_state *s)
{
	const uint64_t *greatest = (const uint64_t *) s->store.data;
	const double sign = s->aggregate->kind == GS_AGG_MIN ? 1 : -1;
	uint64_t	least = UINT64_MAX;
	gs_value	value;

	for (int64_t g = 0; g < run->summary.groups; g++)
		least = greatest[g] < least ? greatest[g] : least;
	value = gs_group_value_of(s->type, s->aggregate->kind == GS_AGG_MIN ?
							  ~least : least);
	/* -0 is just below 0, though equal */
	if (s->type == GS_FLOAT8 && value.f8 == 0)
		value.f8 = sign * DBL_TRUE_MIN;
	else if (s->type == GS_FLOAT4 && value.f4 == 0)
		value.f4 = (float) sign * FLT_TRUE_MIN;
	s->bound.value = value;
	/* 0 may be a group without a value */
	s->bound.groups = least == 0 ? 0 : run->summary.groups;
	s->bound.rows = 0;
}

static void
add_rows(group_state *s, int n, const uint32_t *group, const uint64_t *key)
{
	uint64_t   *greatest = (uint64_t *) s->store.data;
	uint64_t	flip = s->aggregate->kind == GS_AGG_MIN ? UINT64_MAX : 0;

	for (int i = 0; i < n; i++)
	{
		uint64_t	k = key[i] ^ flip;

		if (k > greatest[group[i]])
			greatest[group[i]] = k;
	}
	for (int i = 0; i < n && s->type == GS_INT8; i++)
		s->present.data[group[i]] = 1;
}

/* Add the blocks in which a value is beyond the bound; false: there is none. */
static bool
add_beyond(group_state *s, const group_rows *rows)
{
	const int	width = gs_type_width(s->type);
	uint64_t	key[BLOCK];
	bool		any = false;

	for (int at = 0; at < rows->n; at += BLOCK)
	{
		const void *values = (const uint8_t *) rows->a + at * width;
		int			n = rows->n - at < BLOCK ? rows->n - at : BLOCK;

		if (is_within(s, values, n))
			continue;
		gs_group_order_keys(s->type, values, n, false, key);
		add_rows(s, n, rows->group + at, key);
		any = true;
	}
	return any;
}

static gs_status
add_extreme(gs_plan_run *run, group_state *s, const group_rows *rows)
{
	bool		changed = true;

	s->bound.rows += rows->n;
	if (s->bound.groups > 0 && s->bound.groups == run->summary.groups)
		changed = add_beyond(s, rows);
	else
		add_rows(s, rows->n, rows->group, gs_group_ordered(run, s));
	if (changed && s->bound.rows >= run->summary.groups * ROWS_A_GROUP)
		find_bound(run, s);
	return GS_OK;
}

static gs_status
merge_extremes(gs_plan_run *run, group_state *s, gs_plan_run *part,
			   group_state *from, const uint32_t *group)
{
	const uint64_t *greatest = (const uint64_t *) from->store.data;
	uint64_t   *to = (uint64_t *) s->store.data;

	(void) run;
	for (int64_t g = 0; g < part->summary.groups; g++)
	{
		if (greatest[g] > to[group[g]])
			to[group[g]] = greatest[g];
		if (s->type == GS_INT8)
			s->present.data[group[g]] |= from->present.data[g];
	}
	return GS_OK;
}

static void
fetch_extreme(gs_plan_run *run, group_state *s, int64_t place, void *to)
{
	uint32_t	group = gs_group_at(run, place);
	uint64_t	key = ((const uint64_t *) s->store.data)[group];
	bool		present = s->type == GS_INT8 ? s->present.data[group] : key != 0;
	gs_value	value;

	value.i8 = 0;
	if (present)
		value = gs_group_value_of(s->type, s->aggregate->kind == GS_AGG_MIN ?
								  ~key : key);
	memcpy(to, &value, sizeof value);
}

const group_family gs_group_extremes = {
	.begin = begin_extreme,
	.add = add_extreme,
	.merge = merge_extremes,
	.fetch = fetch_extreme,
};
