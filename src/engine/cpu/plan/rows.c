/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  Which rows of a tile count; their keys and arguments, without gaps.
 *
 * Rows that the plan's filter passes are packed first, for all keys and
 * arguments, and then for each set of arguments those that have all of these
 * and pass the aggregate's own filter.  So states are only given rows that
 * they count.  Aggregates of the same arguments share the work.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/plan/plan.h"

#include <stdlib.h>

/* The index of the output; a new one if there is none of this operand. */
static int
output_of(gs_plan_run *run, gs_operand operand)
{
	int			i = 0;

	if (operand == GS_NOTHING)
		return -1;
	while (i < run->outputs && run->output[i].operand != operand)
		i++;
	if (i == run->outputs)
	{
		run->output[i].operand = operand;
		run->output[i].type = gs_operand_type(run->plan, operand);
		run->outputs++;
	}
	return i;
}

static int
argument_of(gs_plan_run *run, const gs_aggregate *aggregate)
{
	int			a = output_of(run, aggregate->a);
	int			b = aggregate->kind == GS_AGG_PRODUCTS ?
		output_of(run, aggregate->b) : -1;
	int			filter = output_of(run, aggregate->filter);
	int			i;

	for (i = 0; i < run->arguments; i++)
	{
		const group_argument *other = &run->argument[i];

		if (other->a == a && other->b == b && other->filter == filter)
			return i;
	}
	run->argument[i].a = a;
	run->argument[i].b = b;
	run->argument[i].filter = filter;
	run->arguments++;
	return i;
}

gs_status
gs_group_plan_rows(gs_plan_run *run)
{
	const gs_plan *plan = run->plan;

	for (int i = 0; i < plan->keys; i++)
		run->keys.output[i] = output_of(run, plan->key[i]);
	for (int i = 0; i < plan->aggregates; i++)
		run->state[i].argument = plan->of_rows ?
			output_of(run, plan->aggregate[i].a) :
			argument_of(run, &plan->aggregate[i]);
	if (plan->of_rows)
	{
		gs_group_begin_blocks(run);
		return GS_OK;
	}
	for (int i = 0; i < run->outputs; i++)
	{
		if ((run->output[i].space =
			 gs_group_zeros(1, sizeof(group_space))) == NULL)
			return gs_group_no_memory(run);
	}
	for (int i = 0; i < run->arguments; i++)
	{
		group_argument *a = &run->argument[i];

		a->a_space = gs_group_zeros(1, sizeof(group_space));
		a->b_space = a->b < 0 ? NULL : gs_group_zeros(1, sizeof(group_space));
		a->group_space = gs_group_zeros(GROUP_TILE, sizeof(uint32_t));
		a->order = gs_group_zeros(GROUP_TILE, sizeof(uint64_t));
		if (a->a_space == NULL || (a->b >= 0 && a->b_space == NULL) ||
			a->group_space == NULL || a->order == NULL)
			return gs_group_no_memory(run);
	}
	return GS_OK;
}

void
gs_group_end_rows(gs_plan_run *run)
{
	for (int i = 0; i < run->outputs; i++)
		free(run->output[i].space);
	for (int i = 0; i < run->arguments; i++)
	{
		free(run->argument[i].a_space);
		free(run->argument[i].b_space);
		free(run->argument[i].group_space);
		free(run->argument[i].order);
	}
}

/* If no more than one of so many flags is 1, most eights of them have none. */
#define SPARSE		32

/* Eight flags; those behind the last one are 0. */
static inline uint64_t
eight(const uint8_t *keep, int i)
{
	uint64_t	flags;

	memcpy(&flags, keep + i, sizeof flags);
	return flags;
}

static int
count_kept(const uint8_t *keep, int n)
{
	uint64_t	sum = 0;		/* of each byte: a tile has 128 eights */
	int			count = 0;

	for (int i = 0; i < n; i += 8)
		sum += eight(keep, i);
	for (; sum != 0; sum >>= 8)
		count += (int) (sum & 0xff);
	return count;
}

/*
 * The rows whose flag is 1.  Returns their number; there is no list if that is
 * n.
 */
int
gs_group_list(uint8_t *keep, int n, uint16_t *selected)
{
	int			kept;
	int			k = 0;

	memset(keep + n, 0, (size_t) -n % 8);
	kept = count_kept(keep, n);
	if (kept == n || kept == 0)
		return kept;
	if (kept > n / SPARSE)
	{
		for (int i = 0; i < n; i++)
		{
			selected[k] = (uint16_t) i;
			k += keep[i];
		}
		return k;
	}
	for (int i = 0; i < n; i += 8)
	{
		if (eight(keep, i) == 0)
			continue;
		for (int j = i; j < i + 8; j++)
		{
			selected[k] = (uint16_t) j;
			k += keep[j];
		}
	}
	return k;
}

/* Clear flags of rows where a condition is not true; collect its errors. */
static void
keep_true(gs_plan_run *run, group_vector condition, int n, uint8_t *keep)
{
	const uint8_t *value = condition.values;
	const uint8_t *state = condition.states;
	uint8_t		errors = 0;

	if (state == NULL)
	{
		for (int i = 0; i < n; i++)
			keep[i] &= value[i];
		return;
	}
	for (int i = 0; i < n; i++)
	{
		errors |= state[i] & (uint8_t) -keep[i];
		keep[i] &= value[i] & (state[i] == 0);
	}
	run->summary.errors |= errors & GS_STATE_ERRORS;
}

/* Clear flags of rows where a value is NULL; collect errors. */
static void
keep_present(gs_plan_run *run, const uint8_t *state, int n, uint8_t *keep)
{
	uint8_t		errors = 0;

	for (int i = 0; i < n; i++)
	{
		errors |= state[i] & (uint8_t) -keep[i];
		keep[i] &= state[i] == 0;
	}
	run->summary.errors |= errors & GS_STATE_ERRORS;
}

/* Are n bits set, from `at` on, a multiple of 8? */
static bool
all_set(const uint8_t *bits, int64_t at, int n)
{
	uint8_t		all = UINT8_MAX;

	bits += at / 8;
	for (int i = 0; i < n / 8; i++)
		all &= bits[i];
	if (n % 8 > 0)
		all &= (uint8_t) (bits[n / 8] | UINT8_MAX << n % 8);
	return all == UINT8_MAX;
}

/* Does one of n rows from `at` on not count?  Few of a table's do not, mostly. */
bool
gs_group_masks(const gs_batch *batch, int64_t at, int n)
{
	return batch->rows != NULL && !all_set(batch->rows, at, n);
}

/*
 * Lists the rows that count, of n from `at` on, in run->selected.  Returns
 * their number; if that is n, there is no list.  packed: these n are among those
 * that the batch has, from `at` on, and its mask is none of them.
 */
int
gs_group_select(gs_plan_run *run, const gs_batch *batch, int64_t at, int n,
				bool packed)
{
	bool		all = packed || !gs_group_masks(batch, at, n);

	if (all && run->plan->filter == GS_NOTHING)
		return n;
	if (all)
		memset(run->keep, 1, n);
	else
		gs_cpu_bits_to_flags(batch->rows, at, n, run->keep);
	if (run->plan->filter != GS_NOTHING)
		keep_true(run, gs_group_vector(run, run->plan->filter), n, run->keep);
	return gs_group_list(run->keep, n, run->selected);
}

/* What is NULL, or an error, is as 0. */
static int64_t
integer_at(group_vector v, gs_type type, int i)
{
	if (v.states != NULL && v.states[i] != 0)
		return 0;
	return type == GS_INT2 ? ((const int16_t *) v.values)[i] :
		type == GS_INT4 ? ((const int32_t *) v.values)[i] :
		((const int64_t *) v.values)[i];
}

/* Of the rows that gs_group_select gave those of the slice; the same is returned. */
int
gs_group_select_slice(gs_plan_run *run, int n, int selected)
{
	group_vector v = gs_group_vector(run, run->by);
	gs_type		type = gs_operand_type(run->plan, run->by);
	int			k = 0;

	for (int i = 0; i < selected; i++)
	{
		int			row = selected < n ? run->selected[i] : i;

		run->selected[k] = (uint16_t) row;
		k += gs_slice_of(integer_at(v, type, row), run->slices) == run->slice;
	}
	return k;
}

#define GATHER(width, bits) \
static void \
gather##width(const void *values, const uint16_t *selected, int n, \
			  void *packed) \
{ \
	const bits *v = values; \
	bits	   *p = packed; \
\
	for (int i = 0; i < n; i++) \
		p[i] = v[selected[i]]; \
}

GATHER(1, uint8_t)
GATHER(2, gs_bits16)
GATHER(4, gs_bits32)
GATHER(8, gs_bits64)

/* The selected ones of values of so many bytes. */
void
gs_group_gather(const void *values, int width, const uint16_t *selected,
				int n, void *packed)
{
	switch (width)
	{
		case 1:
			gather1(values, selected, n, packed);
			break;
		case 2:
			gather2(values, selected, n, packed);
			break;
		case 4:
			gather4(values, selected, n, packed);
			break;
		default:
			gather8(values, selected, n, packed);
	}
}

/* The keys and arguments of the rows that count: `selected` of n. */
void
gs_group_pack(gs_plan_run *run, int n, int selected)
{
	for (int i = 0; i < run->outputs; i++)
	{
		group_output *o = &run->output[i];
		group_vector v = gs_group_vector(run, o->operand);

		if (selected < n)
		{
			gs_group_gather(v.values, gs_type_width(o->type), run->selected,
							selected, o->space->values);
			v.values = o->space->values;
			if (v.states != NULL)
			{
				gather1(v.states, run->selected, selected, o->space->states);
				v.states = o->space->states;
			}
		}
		o->vector = v;
	}
	for (int i = 0; i < run->keys.n; i++)
	{
		const uint8_t *states = run->output[run->keys.output[i]].vector.states;
		uint8_t		all = 0;

		for (int k = 0; k < selected && states != NULL; k++)
			all |= states[k];
		run->summary.errors |= all & GS_STATE_ERRORS;
	}
}

/* The rows that have these arguments; `uniform`: all n are of one group. */
void
gs_group_pack_argument(gs_plan_run *run, group_argument *a, int n,
					   bool uniform)
{
	const group_output *output = run->output;
	const group_vector none = {NULL, NULL};
	group_vector va = a->a < 0 ? none : output[a->a].vector;
	group_vector vb = a->b < 0 ? none : output[a->b].vector;
	group_rows *rows = &a->rows;
	uint8_t		keep[GROUP_TILE];
	uint16_t	kept[GROUP_TILE];

	a->ordered = false;
	a->looked = false;
	*rows = (group_rows) {n, uniform, run->group, va.values, vb.values};
	if (a->filter < 0 && va.states == NULL && vb.states == NULL)
		return;
	memset(keep, 1, n);
	if (a->filter >= 0)
		keep_true(run, output[a->filter].vector, n, keep);
	if (va.states != NULL && vb.states != NULL)
	{
		/* an error of one counts, even if the other is NULL */
		for (int i = 0; i < n; i++)
			a->a_space->states[i] = va.states[i] | vb.states[i];
		keep_present(run, a->a_space->states, n, keep);
	}
	else if (va.states != NULL || vb.states != NULL)
		keep_present(run, va.states != NULL ? va.states : vb.states, n, keep);
	rows->n = gs_group_list(keep, n, kept);
	if (rows->n == n)
		return;
	gather4(run->group, kept, rows->n, a->group_space);
	rows->group = a->group_space;
	if (a->a >= 0)
	{
		gs_group_gather(va.values, gs_type_width(output[a->a].type), kept,
						rows->n, a->a_space->values);
		rows->a = a->a_space->values;
	}
	if (a->b >= 0)
	{
		gs_group_gather(vb.values, gs_type_width(output[a->b].type), kept,
						rows->n, a->b_space->values);
		rows->b = a->b_space->values;
	}
}

/* The rows' arguments as integers in their order; once for all aggregates. */
const uint64_t *
gs_group_ordered(gs_plan_run *run, const group_state *s)
{
	group_argument *a = &run->argument[s->argument];

	if (!a->ordered)
		gs_group_order_keys(s->type, a->rows.a, a->rows.n, false, a->order);
	a->ordered = true;
	return a->order;
}
