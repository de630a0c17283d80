/*-------------------------------------------------------------------------
 *
 * lookup.c
 *	  GS_CODE_LOOKUP over the rows of a tile: first each row's place in the
 *	  table, then what stands there; and GS_CODE_FIND.
 *
 * As other instructions it computes all rows, without branches.  Where a row has
 * no place, that is 0, and its state says so.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include "engine/arithmetic.h"
#include "engine/index.h"

/*
 * A key's distance from the lowest one, without its sign, is below `count` where there
 * is a place.  Keys beyond those of its type would be taken for others then: where the
 * table has places for such, each key is compared.
 *
 * Returns whether there is a row without a place; then all have a state.
 */
#define SETTLE_PLACES(target, name) \
static target bool \
name(int32_t *restrict place, uint8_t *restrict state, int n) \
{ \
	for (int i = 0; i < n; i++) \
	{ \
		state[i] = place[i] < 0 ? GS_ERROR_LOOKUP : 0; \
		place[i] = place[i] < 0 ? 0 : place[i]; \
	} \
	return true; \
}

#define FIND_PLACES(target, lanes, suffix, type, unsigned_type) \
static target bool \
find_places_##suffix##_##lanes(const void *keys, const gs_instruction *in, int n, \
							   int32_t *restrict place, uint8_t *restrict state) \
{ \
	const type *restrict a = keys; \
	const unsigned_type low = (unsigned_type) in->low; \
	const unsigned_type count = (unsigned_type) in->count; \
	int32_t		all = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		unsigned_type distance = (unsigned_type) a[i] - low; \
\
		place[i] = (int32_t) distance | -(int32_t) (distance >= count); \
		all |= place[i]; \
	} \
	return all < 0 && settle_places_##lanes(place, state, n); \
}

#define FIND_BY_LANES(target, lanes) \
SETTLE_PLACES(target, settle_places_##lanes) \
FIND_PLACES(target, lanes, int4, int32_t, uint32_t) \
FIND_PLACES(target, lanes, int8, int64_t, uint64_t)

FIND_BY_LANES(, 2)

#ifdef GROUP_WIDER_LANES
FIND_BY_LANES(GROUP_WIDER_LANES, 4)
#endif

/* Keys of any value, and tables of any. */
#define FIND_ANY_PLACES(suffix, type) \
static bool \
find_any_places_##suffix(const type *a, const gs_instruction *in, int n, \
						 int32_t *restrict place, uint8_t *restrict state) \
{ \
	int32_t		all = 0; \
\
	for (int i = 0; i < n; i++) \
	{ \
		place[i] = gs_lookup_place(a[i], in->low, in->count); \
		all |= place[i]; \
	} \
	return all < 0 && settle_places_2(place, state, n); \
}

FIND_ANY_PLACES(int2, int16_t)
FIND_ANY_PLACES(int4, int32_t)
FIND_ANY_PLACES(int8, int64_t)

/* Are all places those of keys of the type? */
static bool
are_keys(const gs_instruction *in, int64_t least, int64_t most)
{
	return in->low >= least && in->low <= most - in->count;
}

static bool
find_places(const gs_instruction *in, const void *a, int n, int32_t *place,
			uint8_t *state)
{
#ifdef GROUP_WIDER_LANES
	const bool	wide = gs_cpu_lanes() >= 4;
#endif

	if (in->type == GS_INT2)
		return find_any_places_int2(a, in, n, place, state);
	if (in->type == GS_INT4)
	{
		if (!are_keys(in, INT32_MIN, INT32_MAX))
			return find_any_places_int4(a, in, n, place, state);
#ifdef GROUP_WIDER_LANES
		if (wide)
			return find_places_int4_4(a, in, n, place, state);
#endif
		return find_places_int4_2(a, in, n, place, state);
	}
	if (!are_keys(in, INT64_MIN, INT64_MAX))
		return find_any_places_int8(a, in, n, place, state);
#ifdef GROUP_WIDER_LANES
	if (wide)
		return find_places_int8_4(a, in, n, place, state);
#endif
	return find_places_int8_2(a, in, n, place, state);
}

/* Rows whose operand is NULL, or an error. */
static void
place_others(const gs_instruction *in, const uint8_t *a, int n,
			 int32_t *place, uint8_t *state)
{
	bool		null_has_place = in->on_null >= 0;

	for (int i = 0; i < n; i++)
	{
		if (a[i] == 0)
			continue;
		place[i] = 0;
		state[i] = a[i];
		if (a[i] == GS_STATE_NULL && null_has_place)
		{
			place[i] = in->on_null;
			state[i] = 0;
		}
	}
}

#define TAKE_VALUES(suffix, type, width, entry) \
static void \
take_values_##suffix##_##width(const void *table, const int32_t *place, \
							   int n, void *result) \
{ \
	const entry *from = table; \
	type	   *restrict to = result; \
\
	for (int i = 0; i < n; i++) \
		to[i] = (type) from[place[i]]; \
}

#define TAKE_FROM_ALL(suffix, type) \
	TAKE_VALUES(suffix, type, 1, int8_t) \
	TAKE_VALUES(suffix, type, 2, int16_t) \
	TAKE_VALUES(suffix, type, 4, int32_t) \
	TAKE_VALUES(suffix, type, 8, int64_t)

TAKE_FROM_ALL(1, uint8_t)
TAKE_FROM_ALL(2, gs_bits16)
TAKE_FROM_ALL(4, gs_bits32)
TAKE_FROM_ALL(8, gs_bits64)

typedef void (*take_function) (const void *table, const int32_t *place, int n,
							   void *result);

/* By the widths of results and of entries: 1, 2, 4, 8. */
#define FROM_ALL(suffix) \
	{take_values_##suffix##_1, take_values_##suffix##_2, \
	take_values_##suffix##_4, take_values_##suffix##_8}

static const take_function take_functions[4][4] = {
	FROM_ALL(1), FROM_ALL(2), FROM_ALL(4), FROM_ALL(8)
};

static int
log_of_width(int width)
{
	return width >= 8 ? 3 : width / 2;
}

static void
take_values(const gs_instruction *in, const void *table, const int32_t *place,
			int n, void *to)
{
	take_functions[log_of_width((int) gs_type_width((gs_type) in->to))]
		[log_of_width(in->width)] (table, place, n, to);
	if (in->to != GS_BOOL)
		return;
	for (int i = 0; i < n; i++)
		((uint8_t *) to)[i] &= 1;
}

/* Which of the entries are NULL?  Returns whether any is, or has a state. */
static bool
take_nulls(const uint8_t *nulls, const int32_t *place, int n, bool has_states,
		   uint8_t *restrict state)
{
	uint8_t		all = 0;

	if (!has_states)
	{
		for (int i = 0; i < n; i++)
		{
			state[i] = (uint8_t) (gs_lookup_null(nulls, place[i]) * GS_STATE_NULL);
			all |= state[i];
		}
		return all != 0;
	}
	for (int i = 0; i < n; i++)
		state[i] = state[i] != 0 ? state[i] :
			(uint8_t) (gs_lookup_null(nulls, place[i]) * GS_STATE_NULL);
	return true;
}

static const gs_value *
table_of(const gs_plan *plan, const gs_instruction *in)
{
	return in->first < 0 ? plan->table[GS_TABLE(in->first)].value :
		plan->list + in->first;
}

void
gs_group_run_lookup(gs_plan_run *run, group_step *s, int n)
{
	const gs_instruction *in = s->in;
	const gs_value nothing = {0};
	const gs_value *table = table_of(run->plan, in);
	const uint8_t *nulls = in->list_null ?
		(const uint8_t *) (table + gs_lookup_values(in)) : NULL;
	group_vector a = gs_group_vector(run, in->a);
	uint8_t    *state = s->space->states;
	int32_t		place[GROUP_TILE];
	bool		has_states = find_places(in, a.values, n, place, state);

	if (a.states != NULL)
	{
		if (!has_states)
			memset(state, 0, sizeof s->space->states);
		place_others(in, a.states, n, place, state);
		has_states = true;
	}
	if (gs_lookup_entries(in) == 0)
		table = &nothing;		/* there is no place, and nobody has one */
	else if (nulls != NULL)
		has_states = take_nulls(nulls, place, n, has_states, state);
	take_values(in, table, place, n, s->space->values);
	s->vector.states = has_states ? state : NULL;
}

/* ----------
 * GS_CODE_FIND
 * ----------
 */

/* Rows that are on the way to what they look for, which is in no cache. */
#define FOUND_AT_ONCE	64

/*
 * Each way is taken by all of some rows before the next: the processor waits for
 * the memory of many at a time.
 */
#define FIND(suffix, type) \
static void \
find_some_##suffix(const gs_value *index, const gs_instruction *in, \
				   const type *a, int n, int32_t *restrict place) \
{ \
	const gs_value *number = index + gs_index_starts(in->width); \
	const int32_t *start = (const int32_t *) index; \
	int64_t		bucket[FOUND_AT_ONCE]; \
	int			length[FOUND_AT_ONCE]; \
\
	for (int i = 0; i < n; i++) \
	{ \
		bucket[i] = gs_index_bucket(a[i], (uint64_t) in->low, in->width); \
		__builtin_prefetch(&start[bucket[i]]); \
	} \
	for (int i = 0; i < n; i++) \
	{ \
		length[i] = gs_index_range(index, in->count, bucket[i], &place[i]); \
		__builtin_prefetch(length[i] > 0 ? &number[place[i]] : number); \
	} \
	for (int i = 0; i < n; i++) \
		place[i] = gs_index_place(number, place[i], length[i], a[i]); \
} \
\
static void \
find_##suffix(const gs_value *index, const gs_instruction *in, const void *a, \
			  int n, int32_t *restrict place) \
{ \
	for (int i = 0; i < n; i += FOUND_AT_ONCE) \
		find_some_##suffix(index, in, (const type *) a + i, \
						   n - i < FOUND_AT_ONCE ? n - i : FOUND_AT_ONCE, \
						   place + i); \
}

FIND(int2, int16_t)
FIND(int4, int32_t)
FIND(int8, int64_t)

void
gs_group_find(const gs_plan *plan, const gs_instruction *in, const void *a,
			  int n, int32_t *place)
{
	const gs_value *index = table_of(plan, in);

	if (in->type == GS_INT2)
		find_int2(index, in, a, n, place);
	else if (in->type == GS_INT4)
		find_int4(index, in, a, n, place);
	else
		find_int8(index, in, a, n, place);
}
