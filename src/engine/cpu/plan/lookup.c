/*-------------------------------------------------------------------------
 *
 * lookup.c
 *	  GS_CODE_LOOKUP over the rows of a tile: first each row's place in the list,
 *	  then what stands there.
 *
 * As other instructions it computes all rows, without branches.  Where a row has
 * no place, that is 0, and its state says so.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include "engine/arithmetic.h"

#define FIND_PLACES(suffix, type) \
static void \
find_places_##suffix(const type *a, const gs_instruction *in, int n, \
					 int32_t *restrict place, uint8_t *restrict state) \
{ \
	const int64_t low = in->low; \
	const int32_t count = in->count; \
\
	for (int i = 0; i < n; i++) \
	{ \
		int32_t		found = gs_lookup_place(a[i], low, count); \
\
		place[i] = found < 0 ? 0 : found; \
		state[i] = found < 0 ? GS_ERROR_LOOKUP : 0; \
	} \
}

FIND_PLACES(int2, int16_t)
FIND_PLACES(int4, int32_t)
FIND_PLACES(int8, int64_t)

static void
find_places(const gs_instruction *in, const void *a, int n, int32_t *place,
			uint8_t *state)
{
	switch (in->type)
	{
		case GS_INT2:
			find_places_int2(a, in, n, place, state);
			break;
		case GS_INT4:
			find_places_int4(a, in, n, place, state);
			break;
		default:
			find_places_int8(a, in, n, place, state);
	}
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

#define TAKE_VALUES(suffix, type, member) \
static void \
take_values_##suffix(const gs_value *list, const int32_t *place, int n, \
					 type *restrict to) \
{ \
	for (int i = 0; i < n; i++) \
		to[i] = (type) list[place[i]].member; \
}

TAKE_VALUES(1, uint8_t, i2)
TAKE_VALUES(2, gs_bits16, i2)
TAKE_VALUES(4, gs_bits32, i4)
TAKE_VALUES(8, gs_bits64, i8)

static void
take_values(gs_type type, const gs_value *list, const int32_t *place, int n,
			void *to)
{
	switch (gs_type_width(type))
	{
		case 1:
			take_values_1(list, place, n, to);
			break;
		case 2:
			take_values_2(list, place, n, to);
			break;
		case 4:
			take_values_4(list, place, n, to);
			break;
		default:
			take_values_8(list, place, n, to);
	}
}

void
gs_group_run_lookup(gs_plan_run *run, group_step *s, int n)
{
	const gs_instruction *in = s->in;
	const gs_value nothing = {0};
	const gs_value *list = run->plan->list + in->first;
	const uint8_t *nulls = run->plan->list_nulls;
	group_vector a = gs_group_vector(run, in->a);
	uint8_t    *state = s->space->states;
	int32_t		place[GROUP_TILE];
	uint8_t		all = 0;

	find_places(in, a.values, n, place, state);
	if (a.states != NULL)
		place_others(in, a.states, n, place, state);
	if (in->count == 0 && in->on_null < 0)
		list = &nothing;		/* there is no place, and nobody has one */
	else if (nulls != NULL)
	{
		nulls += in->first;
		for (int i = 0; i < n; i++)
			state[i] = state[i] != 0 ? state[i] :
				(uint8_t) (nulls[place[i]] * GS_STATE_NULL);
	}
	take_values((gs_type) in->to, list, place, n, s->space->values);
	for (int i = 0; i < n; i++)
		all |= state[i];
	s->vector.states = all != 0 ? state : NULL;
}
