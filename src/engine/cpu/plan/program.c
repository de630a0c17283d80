/*-------------------------------------------------------------------------
 *
 * program.c
 *	  A plan's instructions, over the rows of a tile.
 *
 * Every instruction computes all rows of a tile, also those that do not count:
 * nothing depends on the values, so that the loops have no branches.  What is
 * computed of a value that is NULL is never seen.
 *
 * Results share memory: that of a result is given to another one after its
 * last use.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"
#include "engine/elements.h"
#include "exact/elementary.h"

#include <stdlib.h>

static const uint8_t no_states[GROUP_TILE];

static const uint8_t *
states_of(group_vector v)
{
	return v.states == NULL ? no_states : v.states;
}

group_vector
gs_group_vector(const gs_plan_run *run, gs_operand operand)
{
	if (operand >= GS_RESULT(0))
		return run->step[operand - GS_RESULT(0)].vector;
	if (operand >= GS_CONSTANT(0))
		return run->constant[operand - GS_CONSTANT(0)];
	return run->column[operand].vector;
}

/*
 * The states of a strict instruction's result: in the step's space there are
 * errors, if any.
 */
static void
set_strict_states(group_step *s, const uint8_t *a, const uint8_t *b,
				  bool errors, int n)
{
	uint8_t    *r = s->space->states;

	s->vector.states = errors ? r : NULL;
	if (a == NULL && b == NULL)
		return;
	if (a == NULL || b == NULL)
	{
		a = a == NULL ? b : a;
		b = a;
	}
	if (!errors)
		memset(r, 0, n);
	for (int i = 0; i < n; i++)
	{
		uint8_t		state = a[i] | b[i];

		r[i] = state != 0 ? state : r[i];
	}
	s->vector.states = r;
}

static void
run_strict(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	group_vector b = {NULL, NULL};
	uint32_t	errors;

	if (gs_code_operands(s->in->code) > 1)
		b = gs_group_vector(run, s->in->b);
	errors = s->loop(a.values, b.values, n, s->space->values, s->space->states);
	set_strict_states(s, a.states, b.states, errors != 0, n);
}

static void
run_and_or(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	group_vector b = gs_group_vector(run, s->in->b);
	const uint8_t *x = a.values;
	const uint8_t *y = b.values;
	const uint8_t *sx = states_of(a);
	const uint8_t *sy = states_of(b);
	uint8_t    *restrict r = (uint8_t *) s->space->values;
	uint8_t    *restrict states = s->space->states;

	s->vector.states = NULL;
	if (a.states == NULL && b.states == NULL)
	{
		if (s->in->code == GS_CODE_AND)
		{
			for (int i = 0; i < n; i++)
				r[i] = x[i] & y[i];
		}
		else
		{
			for (int i = 0; i < n; i++)
				r[i] = x[i] | y[i];
		}
		return;
	}
	s->vector.states = states;
	if (s->in->code == GS_CODE_AND)
	{
		for (int i = 0; i < n; i++)
			states[i] = (uint8_t) gs_and(x[i], sx[i], y[i], sy[i], &r[i]);
	}
	else
	{
		for (int i = 0; i < n; i++)
			states[i] = (uint8_t) gs_or(x[i], sx[i], y[i], sy[i], &r[i]);
	}
}

static void
run_is_null(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	uint8_t    *r = (uint8_t *) s->space->values;

	s->vector.states = NULL;
	if (a.states == NULL)
	{
		memset(r, 0, n);
		return;
	}
	for (int i = 0; i < n; i++)
		s->space->states[i] = (uint8_t) gs_is_null(a.states[i], &r[i]);
	s->vector.states = s->space->states;
}

static void
run_choose(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	group_vector b = gs_group_vector(run, s->in->b);
	group_vector c = gs_group_vector(run, s->in->c);
	const uint8_t *sa = states_of(a);
	const uint8_t *sb = states_of(b);
	const uint8_t *sc = states_of(c);
	uint8_t    *choice = s->space->states;	/* and then the states */

	for (int i = 0; i < n; i++)
		choice[i] = gs_chooses_b(((const uint8_t *) a.values)[i], sa[i]);
	gs_group_choose((gs_type) s->in->type, choice, b.values, c.values, n,
					s->space->values);
	s->vector.states = NULL;
	if (a.states == NULL && b.states == NULL && c.states == NULL)
		return;
	for (int i = 0; i < n; i++)
		choice[i] = (uint8_t) gs_choose_state(sa[i], choice[i] ? sb[i] : sc[i]);
	s->vector.states = choice;
}

static void
run_extreme(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	group_vector b = gs_group_vector(run, s->in->b);
	const uint8_t *sa = states_of(a);
	const uint8_t *sb = states_of(b);
	uint8_t    *choice = s->space->states;	/* and then the states */

	gs_group_extreme_of(s->in->code, (gs_type) s->in->type)
		(a.values, sa, b.values, sb, n, choice);
	gs_group_choose((gs_type) s->in->type, choice, b.values, a.values, n,
					s->space->values);
	s->vector.states = NULL;
	if (a.states == NULL && b.states == NULL)
		return;
	for (int i = 0; i < n; i++)
		choice[i] = (uint8_t) gs_least_state(sa[i], sb[i]);
	s->vector.states = choice;
}

/* b is a constant that is not NULL. */
static void
run_limit(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	const gs_constant *b = &run->plan->constant[s->in->b - GS_CONSTANT(0)];
	uint8_t    *states = s->space->states;
	uint8_t		all = 0;

	s->limit(a.values, a.states, b->value, n, s->space->values);
	for (int i = 0; i < n && a.states != NULL; i++)
	{
		states[i] = (uint8_t) gs_least_state(a.states[i], 0);
		all |= states[i];
	}
	s->vector.states = all != 0 ? states : NULL;
}

static void
run_check(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	group_vector b = gs_group_vector(run, s->in->b);
	group_vector c = gs_group_vector(run, s->in->c);
	uint32_t	errors = gs_group_check_of((gs_type) s->in->type)
		(a.values, b.values, c.values, n, s->space->values, s->space->states);

	const uint8_t *sa = states_of(a);
	const uint8_t *sb = states_of(b);
	const uint8_t *sc = states_of(c);
	uint8_t    *r = s->space->states;

	s->vector.states = errors != 0 ? r : NULL;
	if (a.states == NULL && b.states == NULL && c.states == NULL)
		return;
	for (int i = 0; i < n; i++)
	{
		uint8_t		state = sa[i] | sb[i] | sc[i];

		r[i] = state != 0 ? state : r[i];
	}
	s->vector.states = r;
}

static void
run_search(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);

	gs_group_places_of((gs_type) s->in->type)
		(a.values, run->plan->list + s->in->first, s->in->count, n,
		 (int32_t *) s->space->values);
	set_strict_states(s, a.states, NULL, false, n);
}

static void
run_find(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);

	gs_group_find(run->plan, s->in, a.values, n, (int32_t *) s->space->values);
	set_strict_states(s, a.states, NULL, false, n);
}

static void
run_in(gs_plan_run *run, group_step *s, int n)
{
	group_vector a = gs_group_vector(run, s->in->a);
	uint8_t    *r = (uint8_t *) s->space->values;

	gs_group_search_of((gs_type) s->in->type)
		(a.values, run->plan->list + s->in->first, s->in->count, n, r);
	if (s->in->list_null)
	{
		for (int i = 0; i < n; i++)
			s->space->states[i] = (uint8_t) ((r[i] ^ 1) * GS_STATE_NULL);
	}
	set_strict_states(s, a.states, NULL, s->in->list_null, n);
}

void
gs_group_set_value(gs_type type, void *values, int i, gs_value value)
{
	switch (gs_type_width(type))
	{
		case 1:
			((uint8_t *) values)[i] = (uint8_t) value.i2;
			break;
		case 2:
			((gs_bits16 *) values)[i] = (uint16_t) value.i2;
			break;
		case 4:
			((gs_bits32 *) values)[i] = (uint32_t) value.i4;
			break;
		default:
			((gs_bits64 *) values)[i] = (uint64_t) value.i8;
	}
}

typedef void (*step_function) (gs_plan_run *run, group_step *s, int n);

static step_function
function_of(const gs_instruction *in)
{
	switch (in->code)
	{
		case GS_CODE_AND:
		case GS_CODE_OR:
			return run_and_or;
		case GS_CODE_IS_NULL:
			return run_is_null;
		case GS_CODE_CHOOSE:
			return run_choose;
		case GS_CODE_LEAST:
		case GS_CODE_GREATEST:
			return run_extreme;
		case GS_CODE_IN:
			return run_in;
		case GS_CODE_SEARCH:
			return run_search;
		case GS_CODE_CHECK:
			return run_check;
		case GS_CODE_LOOKUP:
			return gs_group_run_lookup;
		case GS_CODE_FIND:
			return run_find;
		default:
			return run_strict;
	}
}

/* The last instruction that uses each result: -1, none; NEVER_FREE, others. */
#define NEVER_FREE	GS_PLAN_CODE

typedef struct uses
{
	int			last[GS_PLAN_CODE];
	bool		constant[GS_PLAN_CONSTANTS];
} uses;

static void
use(gs_plan_run *run, uses *u, gs_operand operand, int by)
{
	if (operand == GS_NOTHING)
		return;
	if (operand < GS_CONSTANT(0))
		run->column[operand].used = true;
	else if (operand < GS_RESULT(0))
		u->constant[operand - GS_CONSTANT(0)] = true;
	else if (u->last[operand - GS_RESULT(0)] < by)
		u->last[operand - GS_RESULT(0)] = by;
}

/* From the last instruction to the first: those without use are left out. */
static void
find_uses(gs_plan_run *run, uses *u)
{
	const gs_plan *plan = run->plan;

	for (int i = 0; i < plan->instructions; i++)
		u->last[i] = -1;
	use(run, u, plan->filter, NEVER_FREE);
	for (int i = 0; i < run->outputs; i++)
		use(run, u, run->output[i].operand, NEVER_FREE);
	for (int i = plan->instructions - 1; i >= 0; i--)
	{
		const gs_instruction *in = &plan->code[i];

		if (u->last[i] < 0)
			continue;
		use(run, u, in->a, i);
		if (gs_code_operands(in->code) > 1)
			use(run, u, in->b, i);
		if (gs_code_operands(in->code) > 2)
			use(run, u, in->c, i);
	}
}

/* A vector of the constant. */
static gs_status
expand_constant(gs_plan_run *run, int k)
{
	const gs_constant *c = &run->plan->constant[k];
	const gs_value zero = {0};
	group_space *space = gs_group_zeros(1, sizeof *space);

	if (space == NULL)
		return gs_group_no_memory(run);
	run->constant_space[k] = space;
	for (int i = 0; i < GROUP_TILE; i++)
		gs_group_set_value((gs_type) c->type, space->values, i,
				  c->null ? zero : c->value);
	memset(space->states, c->null ? GS_STATE_NULL : 0, GROUP_TILE);
	run->constant[k].values = space->values;
	run->constant[k].states = c->null ? space->states : NULL;
	return GS_OK;
}

static group_loop
loop_of(const gs_plan *plan, const gs_instruction *in)
{
	group_loop	by_constant = NULL;

	if (gs_code_operands(in->code) == 2 && in->b >= GS_CONSTANT(0) &&
		in->b < GS_RESULT(0))
		by_constant = gs_group_divide_by_constant(in, &plan->constant[in->b -
																	  GS_CONSTANT(0)]);
	return by_constant != NULL ? by_constant : gs_group_loop_of(in);
}

static group_limit
limit_of(const gs_plan *plan, const gs_instruction *in)
{
	if ((in->code != GS_CODE_LEAST && in->code != GS_CODE_GREATEST) ||
		in->b < GS_CONSTANT(0) || in->b >= GS_RESULT(0) ||
		plan->constant[in->b - GS_CONSTANT(0)].null)
		return NULL;
	return gs_group_limit_of(in->code, (gs_type) in->type);
}

/*
 * Give results their memory.  An instruction's is taken before that of its
 * operands is free, so that no loop reads what it writes.
 */
static gs_status
place_results(gs_plan_run *run, const uses *u)
{
	group_space *vacant[GS_PLAN_CODE];
	int			vacancies = 0;

	for (int i = 0; i < run->plan->instructions; i++)
	{
		group_step *s = &run->step[i];

		if (u->last[i] < 0)
			continue;
		if (vacancies == 0)
		{
			group_space *space = gs_group_zeros(1, sizeof *space);

			if (space == NULL)
				return gs_group_no_memory(run);
			run->space[run->spaces++] = space;
			vacant[vacancies++] = space;
		}
		s->in = &run->plan->code[i];
		if (gs_code_is_elementary(s->in->code))
			gs_elementary_init();
		s->run = function_of(s->in);
		if (s->run == run_strict)
			s->loop = loop_of(run->plan, s->in);
		s->limit = limit_of(run->plan, s->in);
		if (s->limit != NULL)
			s->run = run_limit;
		s->space = vacant[--vacancies];
		s->vector.values = s->space->values;
		for (int k = 0; k < i; k++)
		{
			if (u->last[k] == i)
				vacant[vacancies++] = run->step[k].space;
		}
	}
	return GS_OK;
}

/* After gs_group_plan_rows, which says what is used. */
gs_status
gs_group_compile(gs_plan_run *run)
{
	const gs_plan *plan = run->plan;
	uses		u = {{0}, {0}};
	gs_status	status = GS_OK;

	find_uses(run, &u);
	for (int i = 0; i < plan->columns && status == GS_OK; i++)
	{
		group_column *c = &run->column[i];

		c->type = (gs_type) plan->column[i];
		if (c->used && (c->space = gs_group_zeros(1, sizeof *c->space)) == NULL)
			status = gs_group_no_memory(run);
	}
	for (int i = 0; i < plan->constants && status == GS_OK; i++)
	{
		if (u.constant[i])
			status = expand_constant(run, i);
	}
	return status == GS_OK ? place_results(run, &u) : status;
}

void
gs_group_execute(gs_plan_run *run, int n)
{
	for (int i = 0; i < run->plan->instructions; i++)
	{
		if (run->step[i].run != NULL)
			run->step[i].run(run, &run->step[i], n);
	}
}

void
gs_group_end_program(gs_plan_run *run)
{
	for (int i = 0; i < GS_PLAN_COLUMNS; i++)
		free(run->column[i].space);
	for (int i = 0; i < GS_PLAN_CONSTANTS; i++)
		free(run->constant_space[i]);
	for (int i = 0; i < run->spaces; i++)
		free(run->space[i]);
}
