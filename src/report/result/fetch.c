/*-------------------------------------------------------------------------
 *
 * fetch.c
 *	  A report's groups, from the service.
 *
 * Groups come in slices.  A slice's states, with the wide sums behind them,
 * are in a buffer only until results have been made of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "exact/exact.h"
#include "pg/progress.h"
#include "report/result/fetch.h"
#include "report/result/merge.h"

/* What the fetching takes. */
typedef struct fetching
{
	gs_report_run *run;
	const gs_report_shape *shape;
	gs_report_buffer states;
	gs_report_groups groups;	/* those at hand */
} fetching;

/* Of an aggregate that has them. */
typedef struct wide_sums
{
	int64		first;			/* place of the first one that is here */
	int64		n;
} wide_sums;

void
gs_report_enlarge(gs_report_buffer *b, size_t size)
{
	if (b->data != NULL && size <= b->size)
		return;
	b->data = b->data == NULL ? palloc_extended(size, MCXT_ALLOC_HUGE) :
		repalloc_huge(b->data, size);
	b->size = size;
}

void
gs_report_release(gs_report_buffer *b)
{
	if (b->data != NULL)
		pfree(b->data);
	*b = (gs_report_buffer) {0};
}

/*
 * Find the wide sums among an aggregate's states.  False: the states cannot be
 * right, and would lead out of bounds.
 */
static bool
find_wide(const gs_float_sum *state, int64 n, bool squares, wide_sums *wide)
{
	int			limbs = squares ? GS_ACC2_LIMBS : GS_ACC_LIMBS;

	for (int64 i = 0; i < n; i++)
	{
		if (state[i].first < 0 || state[i].first >= limbs)
			return false;
		if (state[i].wide == 0)
			continue;
		if (wide->n == 0)
			wide->first = state[i].wide - 1;
		if (state[i].wide - 1 != wide->first + wide->n || wide->first < 0)
			return false;
		wide->n++;
	}
	return true;
}

static gs_status
wrong_results(gs_report_run *run)
{
	strlcpy(run->reason, "the service gave wrong results",
			sizeof run->reason);
	return GS_DEVICE_LOST;
}

/* Fetch the wide sums of the groups at hand behind their states. */
static gs_status
fetch_wide(fetching *f)
{
	const gs_plan *plan = f->run->groups;
	gs_report_groups *g = &f->groups;
	size_t		end = g->layout.size;
	size_t		offset[GS_PLAN_AGGREGATES];

	memset(g->wide, 0, sizeof g->wide);
	for (int a = 0; a < plan->aggregates; a++)
	{
		size_t		width = gs_fetch_width(plan, GS_FETCH_WIDE(a));
		wide_sums	wide = {0};
		gs_status	status;

		offset[a] = 0;
		if (width == 0)
			continue;
		if (!find_wide((const gs_float_sum *)
					   (f->states.data + g->layout.column[GS_FETCH_STATE(a)]),
					   g->n, plan->aggregate[a].kind != GS_AGG_SUM, &wide))
			return wrong_results(f->run);
		if (wide.n == 0)
			continue;
		offset[a] = end;
		g->wide_first[a] = wide.first;
		end += (size_t) wide.n * width;
		gs_report_enlarge(&f->states, end);
		status = gs_report_column_part(f->run, GS_FETCH_WIDE(a), wide.first,
									   wide.n, f->states.data + offset[a]);
		if (status != GS_OK)
			return status;
	}
	g->base = f->states.data;
	for (int a = 0; a < plan->aggregates; a++)
	{
		if (offset[a] != 0)
			g->wide[a] = g->base + offset[a];
	}
	return GS_OK;
}

/* Are a key's codes, which others may have made, those of values, or of rows? */
bool
gs_report_key_is_possible(const gs_report_value *key, const gs_report_groups *groups)
{
	gs_dictionary *d = key->dictionary;
	int32		most;

	if (key->of_row == NULL && key->form != GS_FORM_CODE)
		return true;
	most = gs_report_greatest_code(groups, key->place);
	if (key->of_row != NULL)
		return most < key->rows;
	if (most >= d->n)
		gs_dictionary_refresh(d);
	return most < d->n;
}

/* Take the groups that were asked for. */
static gs_status
take_groups(fetching *f, int64 first, int64 n)
{
	gs_report_groups *g = &f->groups;
	gs_status	status;

	g->plan = f->run->groups;
	g->first = first;
	g->n = n;
	gs_lay_groups(g->plan, n, &g->layout);
	gs_report_enlarge(&f->states, g->layout.size);
	status = gs_report_take_groups(f->run, n, f->states.data);
	if (status == GS_OK)
		status = fetch_wide(f);
	for (int k = 0; k < f->shape->keys && status == GS_OK; k++)
	{
		if (!gs_report_key_is_possible(&f->shape->key[k], g))
			status = wrong_results(f->run);
	}
	for (int a = 0; a < f->shape->aggregates && status == GS_OK; a++)
	{
		if (!gs_report_ranks_are_possible(&f->shape->aggregate[a], g))
			status = wrong_results(f->run);
	}
	return status;
}

/* ----------
 * Rows
 * ----------
 */

/* Values of so many rows are fetched at a time: a multiple of 64. */
#define SLICE_ROWS	65536

/* Of a value: what keys of groups have, and what the service sends. */
typedef struct row_space
{
	gs_value	key[SLICE_ROWS];
	uint8		nulls[SLICE_ROWS];
	uint64		validity[SLICE_ROWS / 64];
	char		values[SLICE_ROWS * sizeof(gs_value)];	/* then counts of means */
} row_space;

/* Loops without calls, for values of so many bytes. */
#define SPREAD(type, member) \
	for (int64 i = 0; i < n; i++) \
	{ \
		bool		valid = space->validity[i / 64] >> (i % 64) & 1; \
\
		space->nulls[i] = !valid; \
		space->key[i].i8 = 0; \
		if (valid) \
			space->key[i].member = ((const type *) space->values)[i]; \
	}

/* A boolean becomes an int2; floats are as their bits. */
static void
spread(row_space *space, int64 n, size_t width)
{
	if (width == sizeof(int64))
		SPREAD(int64, i8)
	else if (width == sizeof(int32))
		SPREAD(int32, i4)
	else if (width == sizeof(int16))
		SPREAD(int16, i2)
	else
		SPREAD(uint8, i2)
}

/* Some of a column's results; few: all columns of all rows, or NULL. */
static gs_status
fetch_part(gs_report_run *run, const char *few, int column, int64 first,
		   int64 n, void *to)
{
	gs_groups_layout layout;

	if (few == NULL)
		return gs_report_column_part(run, column, first, n, to);
	gs_lay_groups(run->groups, run->summary.groups, &layout);
	memcpy(to, few + layout.column[column],
		   n * gs_fetch_width(run->groups, column));
	return GS_OK;
}

/* *few: all that came with the summary; NULL: nothing did. */
static gs_status
take_few_rows(gs_report_run *run, char **few)
{
	int64		rows = run->summary.groups;
	gs_groups_layout layout;
	gs_status	status;

	*few = NULL;
	if (!gs_report_has_all(run))
		return GS_OK;
	gs_lay_groups(run->groups, rows, &layout);
	*few = palloc(layout.size);
	status = gs_report_ask_groups(run, 0, rows);
	return status == GS_OK ? gs_report_take_groups(run, rows, *few) : status;
}

static gs_status
fetch_value(gs_report_run *run, const char *few, const gs_row_value *of,
			int64 first, int64 n, row_space *space, gs_report_groups *groups)
{
	int			column = GS_FETCH_STATE(of->value);
	gs_status	status = fetch_part(run, few, column, first, n, space->values);

	if (status == GS_OK)
		status = fetch_part(run, few, GS_FETCH_VALIDITY(of->value), first / 64,
							(n + 63) / 64, space->validity);
	if (status != GS_OK)
		return status;
	spread(space, n, gs_fetch_width(run->groups, column));
	groups->n = n;
	groups->base = (char *) space;
	groups->layout.column[GS_FETCH_KEY(0)] = offsetof(row_space, key);
	groups->layout.column[GS_FETCH_NULLS] = offsetof(row_space, nulls);
	groups->layout.column[GS_FETCH_STATE(0)] = offsetof(row_space, values);
	return of->count < 0 ? GS_OK :
		fetch_part(run, few, GS_FETCH_STATE(of->count), first, n,
				   space->values);
}

gs_status
gs_report_fetch_rows(gs_report_run *run, const gs_report_shape *shape,
					 gs_report_result *result)
{
	gs_report_groups *groups = palloc0((shape->keys + 1) * sizeof *groups);
	row_space **space = palloc0((shape->keys + 1) * sizeof *space);
	int64		rows = run->summary.groups;
	char	   *few;
	gs_status	status = take_few_rows(run, &few);

	for (int k = 0; k < shape->keys; k++)
		space[k] = shape->needed[k] ? palloc(sizeof **space) : NULL;
	gs_progress_phase(GS_PHASE_FETCHING, rows);
	for (int64 first = 0; first < rows && status == GS_OK; first += SLICE_ROWS)
	{
		int64		n = Min(SLICE_ROWS, rows - first);

		gs_progress_done(first);
		groups[0].n = n;
		for (int k = 0; k < shape->keys && status == GS_OK; k++)
		{
			const gs_report_value *key = &shape->key[k];

			if (!shape->needed[k])
				continue;
			status = fetch_value(run, few, &shape->value[k], first, n, space[k],
								 &groups[k]);
			if (status == GS_OK && !gs_report_key_is_possible(key, &groups[k]))
				status = wrong_results(run);
		}
		if (status == GS_OK)
			(void) gs_report_result_add(result, groups);
	}
	for (int k = 0; k < shape->keys; k++)
	{
		if (space[k] != NULL)
			pfree(space[k]);
	}
	pfree(space);
	pfree(groups);
	if (few != NULL)
		pfree(few);
	return status;
}

/* ----------
 * Groups
 * ----------
 */

/* Slices of the ranges, one after the other. */
typedef struct slices
{
	const gs_group_range *range;
	int			ranges;
	int64		at;				/* in the first one */
	int64		most;			/* groups of a slice */
} slices;

/* False: there is no other one. */
static bool
next_slice(slices *s, gs_group_range *slice)
{
	if (s->ranges > 0 && s->at == s->range->n)
	{
		s->range++;
		s->ranges--;
		s->at = 0;
	}
	if (s->ranges == 0)
		return false;
	slice->first = s->range->first + s->at;
	slice->n = Min(s->most, s->range->n - s->at);
	s->at += slice->n;
	return true;
}

/* Fetch these, each while results are made of the one before. */
static gs_status
fetch_slices(fetching *f, slices *s, gs_report_result *result,
			 gs_report_groups *kept, gs_report_memory *memory, int64 *n)
{
	gs_group_range slice;
	gs_group_range next;
	bool		more = next_slice(s, &next);
	const char *reason = NULL;
	gs_status	status = GS_OK;

	if (more)
		status = gs_report_ask_groups(f->run, next.first, next.n);
	while (more && status == GS_OK)
	{
		slice = next;
		gs_progress_done(*n);
		status = take_groups(f, slice.first, slice.n);
		more = next_slice(s, &next);
		if (status == GS_OK && more)
			status = gs_report_ask_groups(f->run, next.first, next.n);
		if (status == GS_OK && kept != NULL &&
			!gs_report_keep(kept, &f->groups, memory))
			kept = NULL;
		if (status == GS_OK && result != NULL)
			reason = gs_report_result_add(result, &f->groups);
		if (reason != NULL)
		{
			strlcpy(f->run->reason, reason, sizeof f->run->reason);
			status = GS_INVALID;
		}
		*n += slice.n;
	}
	return status;
}

gs_status
gs_report_fetch(gs_report_run *run, const gs_report_shape *shape,
				const List *top, gs_report_result *result,
				gs_report_groups *kept, gs_report_memory *memory, int64 *n)
{
	fetching   *f = palloc0(sizeof *f);
	const gs_group_range all = {.n = run->summary.groups};
	gs_group_range *range = NULL;
	slices		s = {
		.range = &all,
		.ranges = all.n > 0,
		.most = gs_report_fetch_max(run)
	};
	gs_status	status = GS_OK;

	f->run = run;
	f->shape = shape;
	*n = 0;
	if (kept != NULL && !gs_report_keep_begin(kept, run->groups, all.n, memory))
		kept = NULL;
	gs_progress_phase(GS_PHASE_FETCHING, all.n);
	if (top != NIL)
		status = gs_report_find_top(run, shape, top, &range, &s.ranges);
	if (range != NULL)
		s.range = range;
	else
		s.ranges = all.n > 0;
	if (status == GS_OK)
		status = fetch_slices(f, &s, result, kept, memory, n);
	gs_report_release(&f->states);
	pfree(f);
	return status;
}
