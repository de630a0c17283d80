/*-------------------------------------------------------------------------
 *
 * plan_groups.c
 *	  The groups of a plan's rows, from a sorted list; see plan_reference.h.
 *
 *-------------------------------------------------------------------------
 */
#include "test/common/plan_reference.h"

#include <stdlib.h>
#include <string.h>

/* A row that counts, and its keys. */
typedef struct keyed_row
{
	int64_t		row;
	gs_value	key[GS_PLAN_KEYS];
	uint8_t		nulls;
} keyed_row;

static _Thread_local const gs_plan *order_plan;

static int
compare_keys(const gs_plan *plan, const gs_value *a, uint8_t a_nulls,
			 const gs_value *b, uint8_t b_nulls)
{
	for (int k = 0; k < plan->keys; k++)
	{
		int			x = a_nulls >> k & 1;
		int			y = b_nulls >> k & 1;
		int			c = x - y;

		if (c == 0 && x == 0)
			c = plan_compare_sql(plan_type(plan, plan->key[k]), a[k], b[k]);
		if (c != 0)
			return c;
	}
	return 0;
}

static int
order_rows(const void *a, const void *b)
{
	const keyed_row *x = a;
	const keyed_row *y = b;
	int			c = compare_keys(order_plan, x->key, x->nulls, y->key,
								 y->nulls);

	return c != 0 ? c : (x->row > y->row) - (x->row < y->row);
}

int
plan_compare_groups(const gs_plan *plan, const plan_result *a, int64_t i,
					const plan_result *b, int64_t j)
{
	gs_value	x[GS_PLAN_KEYS];
	gs_value	y[GS_PLAN_KEYS];

	for (int k = 0; k < plan->keys; k++)
	{
		x[k] = a->key[k][i];
		y[k] = b->key[k][j];
	}
	return compare_keys(plan, x, a->nulls[i], y, b->nulls[j]);
}

static void *
zeroed(size_t n, size_t size)
{
	void	   *p = calloc(n + 1, size);

	if (p == NULL)
		abort();
	return p;
}

void
plan_result_allocate(const gs_plan *plan, plan_result *r)
{
	for (int k = 0; k < plan->keys; k++)
		r->key[k] = zeroed(r->summary.groups, sizeof(gs_value));
	r->nulls = zeroed(r->summary.groups, 1);
	for (int i = 0; i < plan->aggregates; i++)
	{
		r->state[i] = zeroed(r->summary.groups, plan_state_size(plan, i));
		if (plan->of_rows)
			r->validity[i] = zeroed(r->summary.groups / 64 + 1,
									sizeof(uint64_t));
	}
}

void
plan_result_free(plan_result *r)
{
	for (int k = 0; k < GS_PLAN_KEYS; k++)
		free(r->key[k]);
	free(r->nulls);
	for (int i = 0; i < GS_PLAN_AGGREGATES; i++)
	{
		free(r->state[i]);
		free(r->wide[i]);
		free(r->validity[i]);
	}
	memset(r, 0, sizeof *r);
}

/* Errors of what an aggregate reads of a row; *a and *b are its arguments. */
static uint32_t
read_arguments(const plan_case *c, const gs_aggregate *agg, int64_t row,
			   const plan_cell *result, plan_cell *a, plan_cell *b,
			   bool *counts)
{
	plan_cell	filter = plan_operand_cell(c, row, result, agg->filter);

	*counts = filter.errors == 0 && !filter.null && filter.v.i2;
	if (!*counts)
		return filter.errors;
	*a = plan_operand_cell(c, row, result, agg->a);
	*b = plan_operand_cell(c, row, result, agg->kind == GS_AGG_PRODUCTS ?
						   agg->b : GS_NOTHING);
	if (a->null || b->null)
		*counts = false;
	return a->errors | b->errors;
}

/* Rows that count, with their keys; errors are noted. */
static keyed_row *
find_rows(const plan_case *c, int64_t first, int64_t n, plan_cell *result,
		  gs_summary *summary)
{
	const gs_plan *plan = &c->plan;
	keyed_row  *rows = zeroed(n, sizeof *rows);

	for (int64_t row = first; row < first + n; row++)
	{
		keyed_row  *to = &rows[summary->rows];
		plan_cell	filter;

		if (c->counts != NULL && !c->counts[row])
			continue;
		plan_compute_row(c, row, result);
		filter = plan_operand_cell(c, row, result, plan->filter);
		summary->errors |= filter.errors;
		if (filter.errors || filter.null || !filter.v.i2)
			continue;
		summary->rows++;
		to->row = row;
		to->nulls = 0;
		for (int k = 0; k < plan->keys; k++)
		{
			plan_cell	key = plan_operand_cell(c, row, result, plan->key[k]);

			summary->errors |= key.errors;
			to->nulls |= (uint8_t) (key.null << k);
			memset(&to->key[k], 0, sizeof to->key[k]);
			if (!key.null)
				to->key[k] = plan_canonical(plan_type(plan, plan->key[k]),
											key.v, true);
		}
		for (int i = 0; i < plan->aggregates; i++)
		{
			plan_cell	a;
			plan_cell	b;
			bool		counts;

			summary->errors |= read_arguments(c, &plan->aggregate[i], row,
											  result, &a, &b, &counts);
		}
	}
	return rows;
}

/* The states of a group, that of rows from `rows` on. */
static void
finish_group(const plan_case *c, const keyed_row *rows, int64_t n,
			 plan_values *values, plan_cell *result, int64_t group,
			 plan_result *r)
{
	const gs_plan *plan = &c->plan;

	for (int i = 0; i < plan->aggregates; i++)
		values[i].n = 0;
	for (int64_t j = 0; j < n; j++)
	{
		plan_compute_row(c, rows[j].row, result);
		for (int i = 0; i < plan->aggregates; i++)
		{
			plan_cell	a;
			plan_cell	b;
			bool		counts;

			read_arguments(c, &plan->aggregate[i], rows[j].row, result, &a,
						   &b, &counts);
			if (!counts)
				continue;
			values[i].a[values[i].n] = a.v;
			values[i].b[values[i].n++] = b.v;
		}
	}
	for (int i = 0; i < plan->aggregates; i++)
	{
		uint8_t    *state = r->state[i] + plan_state_size(plan, i) * group;
		plan_wide	wide;

		if (plan->of_rows && values[i].n > 0)
			r->validity[i][group / 64] |= UINT64_C(1) << group % 64;
		if (!plan_state(plan, i, &values[i], state, &wide))
			continue;
		r->wide[i] = realloc(r->wide[i], sizeof wide * (r->wides[i] + 1));
		r->wide[i][r->wides[i]++] = wide;
		((gs_float_sum *) state)->wide = (int32_t) r->wides[i];
	}
}

/* Are rows that count of one group? */
static bool
are_together(const gs_plan *plan, const keyed_row *a, const keyed_row *b)
{
	return a == b || (!plan->of_rows &&
					  compare_keys(plan, a->key, a->nulls, b->key,
								   b->nulls) == 0);
}

void
plan_reference(const plan_case *c, int64_t first, int64_t n, plan_result *r)
{
	const gs_plan *plan = &c->plan;
	plan_cell  *result = zeroed(plan->instructions, sizeof *result);
	plan_values values[GS_PLAN_AGGREGATES];
	keyed_row  *rows;
	int64_t		longest = 0;
	int64_t		groups = plan->keys == 0 && !plan->of_rows;

	memset(r, 0, sizeof *r);
	rows = find_rows(c, first, n, result, &r->summary);
	order_plan = plan;
	qsort(rows, r->summary.rows, sizeof *rows, order_rows);
	for (int64_t i = 0, start = 0; i < r->summary.rows; i++)
	{
		if ((plan->keys > 0 || plan->of_rows) &&
			(i == 0 || !are_together(plan, &rows[i - 1], &rows[i])))
		{
			groups++;
			start = i;
		}
		longest = i + 1 - start > longest ? i + 1 - start : longest;
	}
	r->summary.groups = groups;
	plan_result_allocate(plan, r);
	for (int i = 0; i < plan->aggregates; i++)
	{
		values[i].a = zeroed(longest, sizeof(gs_value));
		values[i].b = zeroed(longest, sizeof(gs_value));
	}
	for (int64_t group = 0, at = 0, end; group < groups &&
		 r->summary.errors == 0; group++, at = end)
	{
		for (end = at; end < r->summary.rows &&
			 are_together(plan, &rows[at], &rows[end]);)
			end++;
		for (int k = 0; k < plan->keys; k++)
			r->key[k][group] = rows[at].key[k];
		r->nulls[group] = plan->keys > 0 ? rows[at].nulls : 0;
		finish_group(c, rows + at, end - at, values, result, group, r);
	}
	for (int i = 0; i < plan->aggregates; i++)
	{
		free(values[i].a);
		free(values[i].b);
	}
	free(rows);
	free(result);
}
