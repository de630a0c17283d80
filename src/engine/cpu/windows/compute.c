/*-------------------------------------------------------------------------
 *
 * compute.c
 *	  Windows over a relation (engine/windows.h) on the CPU: from begin to end.
 *
 * Each window is sorted, and its functions computed, before the next one has the
 * same memory.  The window in whose order rows come is the last: columns are
 * brought into its order first, so that its functions read and write them where
 * they are.
 *
 * The caller is asked between steps whether it still waits; nothing jumps out.
 *
 *-------------------------------------------------------------------------
 */
#include "engine/cpu/windows/windows.h"

#include <stdlib.h>

#define ALIGNED(size)	(((size_t) (size) + 63) & ~(size_t) 63)

/* One computation. */
typedef struct computation
{
	const gs_windows *w;
	const uint8_t *type;
	gs_relation *relation;
	window_space space;
	const gs_windows_caller *caller;
	bool		stopped;		/* nobody waits any more */
	uint32_t	errors;
} computation;

static bool
goes_on(computation *c)
{
	if (!c->stopped && c->caller != NULL)
		c->stopped = !c->caller->waits(c->caller->who);
	return !c->stopped;
}

static bool
need_ranges(const gs_windows *w)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (gs_window_has_distances(&w->function[f]))
			return true;
	}
	return false;
}

static bool
need_ranking(const gs_windows *w)
{
	for (int f = 0; f < w->functions; f++)
	{
		if (w->function[f].kind >= GS_WINDOW_PERCENTILE)
			return true;
	}
	return false;
}

static void *
cut(uintptr_t *at, int64_t rows, size_t width)
{
	void	   *result = (void *) *at;

	*at += ALIGNED((size_t) rows * width);
	return result;
}

/* Cut memory, aligned; returns where it ends. */
static uintptr_t
lay_space(window_space *s, const gs_windows *w, int64_t rows, uintptr_t at)
{
	s->key = cut(&at, rows, sizeof(uint64_t));
	s->other_key = cut(&at, rows, sizeof(uint64_t));
	s->row = cut(&at, rows, sizeof(uint32_t));
	s->other_row = cut(&at, rows, sizeof(uint32_t));
	s->head = cut(&at, rows, 1);
	s->present = cut(&at, rows, 1);
	s->valid = cut(&at, rows, 1);
	if (need_ranges(w))
	{
		s->range = cut(&at, rows, sizeof(int64_t));
		s->range_null = cut(&at, rows, 1);
	}
	if (need_ranking(w))
		s->ranking = cut(&at, (int64_t) cpu_window_ranking_size(rows), 1);
	return at;
}

int64_t
gs_windows_memory(const gs_windows *w, const uint8_t *type, int columns,
				  int64_t rows)
{
	window_space s;

	(void) type;
	(void) columns;
	return (int64_t) lay_space(&s, w, rows, 0) + 64;
}

/* Ascending integers of an order's column, in which frames are ranges. */
static void
find_ranges(computation *c, window_run *r)
{
	const gs_window *window = r->window;
	const gs_sort_column *sort = &window->column[window->partition];
	const gs_column_data *column = &c->relation->column[sort->column];
	gs_type		type = (gs_type) c->type[sort->column];
	int64_t    *range = c->space.range;
	uint8_t    *null = c->space.range_null;

	for (int64_t i = 0; i < r->order.n; i++)
	{
		int64_t		row = r->order.row == NULL ? i : r->order.row[i];
		int64_t		x = window_integer(column->values, type, row);

		range[i] = sort->descending ? ~x : x;
		null[i] = !(column->validity[row / 8] >> row % 8 & 1);
	}
	r->range = range;
	r->range_null = null;
	r->values = gs_window_range_of(r->f, type, sort->descending);
}

/* Only where the second argument is not NULL, too. */
static void
find_second(const gs_column_data *column, window_run *r, uint8_t *flags)
{
	r->second = column->values;
	for (int64_t i = 0; i < r->order.n; i++)
	{
		int64_t		row = r->order.row == NULL ? i : r->order.row[i];

		flags[i] = window_is_present(r, i) &&
			(column->validity[row / 8] >> row % 8 & 1);
	}
	r->present = flags;
}

/* The argument, and what counts, in the order of places. */
static void
find_argument(computation *c, window_run *r)
{
	const gs_window_function *f = r->f;
	window_space *s = &c->space;

	if (r->type != 0)
	{
		const gs_column_data *column = &c->relation->column[f->argument];

		r->argument = column->values;
		if (r->order.row != NULL && f->kind != GS_WINDOW_COUNT)
		{
			cpu_window_gather(column->values, column->width, r->order.row,
							  r->order.n, s->other_key);
			r->argument = s->other_key;
		}
		if (cpu_window_flags(column->validity, &r->order, s->present))
			r->present = s->present;
	}
	if (f->filter != GS_NOTHING)
		cpu_window_filter(&c->relation->column[f->filter], r, s->present);
	if (f->second != GS_NOTHING)
		find_second(&c->relation->column[f->second], r, s->present);
}

static window_partition
find_partition(const window_run *r)
{
	switch (r->f->kind)
	{
		case GS_WINDOW_SHIFT:
			return cpu_window_shift;
		case GS_WINDOW_FIRST:
		case GS_WINDOW_LAST:
		case GS_WINDOW_NTH:
			return cpu_window_value;
		case GS_WINDOW_COUNT:
			return cpu_window_count;
		case GS_WINDOW_SUM:
		case GS_WINDOW_AVERAGE:
			return gs_is_float(r->type) ? cpu_window_floats :
				cpu_window_integers;
		case GS_WINDOW_MIN:
		case GS_WINDOW_MAX:
			return cpu_window_extreme;
		case GS_WINDOW_PERCENTILE:
		case GS_WINDOW_PERCENTILE_DISC:
			return cpu_window_percentile;
		case GS_WINDOW_FIGURE:
			return cpu_window_figure;
		default:
			return cpu_window_ranks;
	}
}

static int64_t
next_partition(const uint8_t *head, int64_t at, int64_t n)
{
	do
		at++;
	while (at < n && !(head[at] & HEAD_PARTITION));
	return at;
}

static void
compute_partitions(window_run *r)
{
	window_partition compute = find_partition(r);
	window_summing summing = {.found = false};
	int64_t		end;

	for (int64_t at = 0; at < r->order.n; at = end)
	{
		end = next_partition(r->order.head, at, r->order.n);
		compute(r, &summing, at, end);
	}
}

static void
compute_function(computation *c, int f, const window_order *order)
{
	const gs_window_function *function = &c->w->function[f];
	gs_column_data *column = &c->relation->column[function->result];
	window_run	r = {
		.f = function,
		.window = &c->w->window[function->window],
		.order = *order,
		.type = function->argument < 0 ? (gs_type) 0 :
		(gs_type) c->type[function->argument],
		.result = order->row == NULL ? (void *) (uintptr_t) column->values :
		c->space.key,
		.valid = gs_window_is_never_null(function) ? NULL : c->space.valid,
		.queue = c->space.other_row,
		.ranking = c->space.ranking
	};

	if (gs_window_has_distances(function))
		find_ranges(c, &r);
	find_argument(c, &r);
	compute_partitions(&r);
	cpu_window_store(column, &r);
	gs_window_set_range(function, r.type, c->relation);
	c->errors |= r.errors;
}

static void
compute_functions(computation *c, int window, const window_order *order)
{
	for (int f = 0; f < c->w->functions; f++)
	{
		if (c->w->function[f].window == window && goes_on(c))
			compute_function(c, f, order);
	}
}

/* Bring the relation into an order, which becomes that of its rows. */
static void
order_rows(computation *c, int window, const gs_sort_keys *keys,
		   window_order *order)
{
	gs_relation *relation = c->relation;
	window_space *s = &c->space;

	for (int i = 0;
		 i < relation->columns && order->row != NULL && goes_on(c); i++)
	{
		gs_column_data *column = &relation->column[i];

		if (!gs_window_computes(c->w, window, i) &&
			!cpu_window_unpack(keys, order, s->key, column, s->valid))
			cpu_window_permute(column, relation->rows, order, s->other_key,
							   s->valid);
	}
	relation->rows = order->n;
	order->row = NULL;
}

static void
compute_window(computation *c, int window)
{
	gs_relation *relation = c->relation;
	int64_t		rows = relation->rows;
	int64_t		limit = c->w->limit;
	bool		functions = gs_window_has_functions(c->w, window);
	bool		last = window == c->w->order;
	bool		limited = last && limit > 0 && limit < rows;
	bool		top = last && c->w->first > 0;
	gs_sort_keys keys;
	window_order order;

	if (!last && !functions)
		return;
	cpu_window_keys(&c->w->window[window], relation, c->type, &keys);
	if (top)
		cpu_window_sort_top(&keys, rows, c->w->first, &c->space, &order);
	else if (!limited ||
			 !cpu_window_first(&keys, rows, limit, &c->space, &order))
		cpu_window_sort(&keys, rows, functions, &c->space, &order);
	if (limited)
		order.n = limit;
	if (!goes_on(c))
		return;
	if (last)
		order_rows(c, window, &keys, &order);
	compute_functions(c, window, &order);
}

gs_status
gs_windows_compute(const gs_windows *w, const uint8_t *type,
				   gs_relation *relation, const gs_windows_caller *caller,
				   uint32_t *errors)
{
	computation c = {
		.w = w, .type = type, .relation = relation, .caller = caller
	};
	size_t		size = (size_t) gs_windows_memory(w, type, relation->columns,
												  relation->rows);
	void	   *memory;

	if (relation->rows > WINDOWS_ROWS_MAX)
		return GS_NO_MEMORY;
	memory = gs_cpu_allocate(size);
	if (memory == NULL)
		return GS_NO_MEMORY;
	(void) lay_space(&c.space, w, relation->rows,
					 ALIGNED((uintptr_t) memory));
	for (int i = 0; i < w->windows; i++)
	{
		if (i != w->order && goes_on(&c))
			compute_window(&c, i);
	}
	if (w->order >= 0 && goes_on(&c))
		compute_window(&c, w->order);
	free(memory);
	*errors |= c.errors;
	return c.stopped ? GS_INVALID : GS_OK;
}
