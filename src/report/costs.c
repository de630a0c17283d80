/*-------------------------------------------------------------------------
 *
 * costs.c
 *	  What reports cost, in the planner's units.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/spccache.h"

#include "pg/settings.h"
#include "report/costs.h"
#include "report/join.h"
#include "report/report.h"
#include "report/tid_fetch.h"
#include "report/windows.h"

/*
 * What a report costs, beside the request.
 *
 * The planner does not know what the service holds.  A row that is held costs
 * nothing to speak of, one that is read for the first time about a quarter of
 * what a sequential scan and an aggregation take for it.  With these shares of
 * a page's and a row's costs the first report is worth it, too.
 */
#define PAGE_SHARE		0.25
#define ROW_SHARE		0.1

/*
 * A dimension's rows are kept with their keys, and what expressions give.  They are
 * kept for the same query's next run, which may be the first report, so that this is
 * what it takes (keeping.c); and so is FIRST_TIMES that of the above.
 */
#define DIMENSION_ROW_SHARE	8
#define FIRST_TIMES		4

/*
 * Workers read, too, as many as PostgreSQL takes.  But the service takes in all of it:
 * with 8 of them it takes a quarter to half of the time, with each one no less than
 * this of a process more.
 */
#define WORKER_SHARE	0.3

/*
 * If the service makes the tables of a dimension, that takes some requests, and this
 * for each row, on a CPU.
 */
#define HELD_REQUESTS	4
#define HELD_ROW_SHARE	0.1

/*
 * Rows of pages that are not all-visible may have to be read each time.  If
 * these are more than this share of the table's, then the ordinary plan, which
 * may be parallel, may be as good.
 */
#define HIDDEN_MAX		0.5

/*
 * Grouping sets of which none has all keys are merged from a set that has, if
 * this gives no more groups: so few can be merged fast on any engine.
 */
#define HIDDEN_SET_GROUPS	8192

/* Are most pages not all-visible? */
bool
gs_report_is_hidden(const gs_report_query *q)
{
	double		pages = 0;
	double		hidden_pages = 0;
	ListCell   *cell;

	foreach(cell, q->tables)
	{
		const RelOptInfo *rel = lfirst(cell);

		pages += rel->pages;
		hidden_pages += (1 - rel->allvisfrac) * rel->pages;
	}
	return hidden_pages > HIDDEN_MAX * pages;
}

/* What it costs to read what the service then holds; and what it cannot. */
static Cost
first_cost_of(const RelOptInfo *rel)
{
	double		page_cost;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	return rel->allvisfrac * (PAGE_SHARE * page_cost * rel->pages +
							  ROW_SHARE * cpu_tuple_cost * rel->tuples);
}

/* How many times as fast is it with workers? */
static double
speed_up_of(RelOptInfo *rel)
{
	return 1 + WORKER_SHARE *
		compute_parallel_worker(rel, rel->pages, -1,
								max_parallel_workers_per_gather);
}

static Cost
hidden_cost_of(const RelOptInfo *rel)
{
	double		page_cost;

	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	return (1 - rel->allvisfrac) *
		(page_cost * rel->pages +
		 (cpu_tuple_cost + rel->baserestrictcost.per_tuple) * rel->tuples);
}

/* What it costs to read a dimension's rows. */
Cost
gs_report_reading_cost(const RelOptInfo *rel)
{
	const Path *rows = rel->cheapest_total_path;

	return rows->total_cost +
		DIMENSION_ROW_SHARE * cpu_tuple_cost * rows->rows;
}

/*
 * What it costs to have the service make a dimension's look-up tables, once it holds
 * the columns; and to read these.  To read the rows here, or a plan that finds few of
 * them, may cost less.
 */
void
gs_report_cost_held(gs_report_query *q, gs_dimension *d, RelOptInfo *rel,
					const RelOptInfo *source)
{
	Cost		cost = HELD_REQUESTS * GS_REPORT_REQUEST_COST;
	Cost		first = 0;
	Cost		by_workers = 0;
	List	   *tables;
	ListCell   *cell;

	if (!gs_join_is_held(q, d, rel, source, &tables))
		return;
	foreach(cell, tables)
	{
		RelOptInfo *table = lfirst(cell);

		first += first_cost_of(table);
		by_workers += first_cost_of(table) / speed_up_of(table);
		cost += hidden_cost_of(table) +
			HELD_ROW_SHARE * cpu_tuple_cost * table->tuples;
	}
	first *= FIRST_TIMES;
	if (gs_debug_held_rows > 0 && first + cost >= d->ordinary_cost)
	{
		gs_join_is_read(d);
		return;
	}
	d->first_cost = first;
	d->first_by_workers = FIRST_TIMES * by_workers;
	d->cost = cost;
}

/*
 * What rows cost, however many groups there are.  False, with a reason, if most
 * pages are not all-visible.
 */
bool
gs_report_cost_tables(gs_report_query *q, Path *path)
{
	bool		is_kept = gs_windows_is_of_few(q);
	Cost		cost = GS_REPORT_REQUEST_COST;
	Cost		first = 0;
	Cost		dimensions_first = 0;
	ListCell   *cell;
	ListCell   *source;
	ListCell   *dimension_rel;

	foreach(cell, q->tables)
	{
		first += first_cost_of(lfirst(cell));
		q->first_by_workers += FIRST_TIMES * first_cost_of(lfirst(cell)) /
			speed_up_of(lfirst(cell));
		cost += hidden_cost_of(lfirst(cell));
	}
	if (q->stage != NULL)
		cost = q->stage->startup_cost +
			ROW_SHARE * cpu_tuple_cost * q->stage->rows;
	if (gs_report_is_hidden(q))
	{
		q->reason = "most pages are not all-visible: VACUUM would help";
		return false;
	}
	forthree(cell, q->dimensions, source, q->dimension_sources,
			 dimension_rel, q->dimension_rels)
	{
		gs_dimension *dimension = lfirst(cell);

		dimension->cost = dimension->ordinary_cost =
			gs_report_reading_cost(lfirst(source));
		gs_report_cost_held(q, dimension, lfirst(dimension_rel), lfirst(source));
		is_kept |= OidIsValid(dimension->held);
		dimensions_first += dimension->first_cost;
		q->first_by_workers += dimension->first_by_workers;
		if (dimension->tables == NIL)
			cost += dimension->cost;
		else
			is_kept = true;
	}

	/* an execution tells whether it is time to read what is kept */
	if (is_kept)
		q->first_cost = FIRST_TIMES * first + dimensions_first;
	else if (q->stage == NULL)
		cost += first;
	path->startup_cost = path->total_cost = cost;
	return true;
}

double
gs_report_ordinary_groups(const Path *aggregation)
{
	return IsA(aggregation, AggPath) ?
		((const AggPath *) aggregation)->numGroups : aggregation->rows;
}

/* The ordinary plan's estimate, or ours of the keys. */
void
gs_report_cost_groups(const gs_report_query *q, const Path *aggregation,
					  Path *path)
{
	double		ordinary = gs_report_ordinary_groups(aggregation);
	double		groups;

	if (q->of_rows)
	{
		path->startup_cost += gs_windows_cost(q, aggregation->rows);
		path->rows = gs_windows_rows(q, aggregation->rows);
		path->total_cost = path->startup_cost + q->target->cost.startup +
			q->target->cost.per_tuple * path->rows +
			(q->by_tid == NIL ? 0 : gs_tid_fetch_cost(q));
		return;
	}
	groups = Min(ordinary, gs_report_all_groups(q));
	path->rows = clamp_row_est(aggregation->rows * groups / Max(ordinary, 1));
	path->total_cost += cpu_tuple_cost * groups + q->target->cost.startup +
		q->target->cost.per_tuple * path->rows;
}

/* Are a set's keys among those of another one, or is it the same as an earlier? */
static bool
is_covered(const List *sets, int which)
{
	const List *set = list_nth(sets, which);
	int			place = 0;
	ListCell   *cell;

	foreach(cell, sets)
	{
		const List *other = lfirst(cell);
		List	   *more = list_difference_int(set, other);

		if (place != which && more == NIL &&
			(list_length(other) > list_length(set) || place < which))
			return true;
		place++;
	}
	return false;
}

/* How many sets are not merged from others? */
static int
plan_sets(gs_report_query *q)
{
	int			n = list_length(q->sets);
	int			alone = 0;

	if (!q->merge || n < 2)
		return Max(n, 1);
	for (int i = 0; i < n; i++)
		alone += !is_covered(q->sets, i);
	q->hidden = alone > 1 &&
		gs_report_key_groups(q) <= HIDDEN_SET_GROUPS;
	return q->hidden ? 1 : alone;
}

/*
 * Each grouping set that is not merged is a report of its own, which evaluates
 * expressions anew.
 */
void
gs_report_cost_sets(gs_report_query *q, Path *path)
{
	int			sets = plan_sets(q);
	Cost		more = path->startup_cost * (sets - 1) + q->evaluation * sets;

	path->startup_cost += more;
	path->total_cost += more;
}

void
gs_report_refuse_as_dear(gs_report_query *q, const char *reason, Cost cost,
						 Cost ordinary)
{
	q->reason = reason;
	q->detail = psprintf("It is estimated at %.0f, the report at %.0f.", ordinary,
						 cost);
}

/*
 * Codes are kept.  If they make the first report dearer than the ordinary plan, an
 * execution tells whether it is time for it, as for what a join keeps.
 */
void
gs_report_cost_codes(gs_report_query *q, Path *path, Cost ordinary)
{
	q->first_by_workers += q->coding;
	if (q->first_cost > 0 || (path->total_cost < ordinary &&
							  path->total_cost + q->coding >= ordinary))
		q->first_cost += q->coding;
	else
	{
		path->startup_cost += q->coding;
		path->total_cost += q->coding;
	}
}

bool
gs_report_is_worth(gs_report_query *q, const Path *path, Cost ordinary)
{
	int			times = q->first_cost > 0 && !q->of_rows ?
		GS_REPORT_MEASURED_TIMES : 1;

	if (path->total_cost >= times * ordinary)
		gs_report_refuse_as_dear(q, "the ordinary plan costs less",
								 path->total_cost, ordinary);
	return q->reason == NULL;
}
