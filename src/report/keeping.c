/*-------------------------------------------------------------------------
 *
 * keeping.c
 *	  The rows that a report reads to keep them, and whether that pays.
 *
 * The first report over a join, over texts that have no codes, or of a few rows reads
 * what the session or the service keeps, which takes longer than the ordinary plan may.
 * It pays if that is used again.  A query is expected to run as often from now on as it
 * has since it last read such rows, and once more.  So all of its runs together have
 * never taken much longer than twice what the ordinary plans would have.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "executor/executor.h"
#include "optimizer/optimizer.h"

#include "pg/settings.h"
#include "report/keeping.h"
#include "report/session/runs.h"
#include "report/stages.h"
#include "report/translate/scales.h"

/* ----------
 * What the service holds already
 * ----------
 */

/* Pages that need not be read, of all, for reading the others to be little. */
#define HELD_SHARE	0.9

/*
 * To ask takes as long as a report, or less.  That is not worth it for a plan that takes
 * no longer than so many, for each table.
 */
#define WORTH_ASKING	20

/* Are the columns of a table held?  tables: what it consists of */
static bool
are_held(const gs_report_scan *scan, Oid named, List *tables,
		 const List *columns)
{
	gs_report_column column[GS_PLAN_COLUMNS];
	uint8		type[GS_PLAN_COLUMNS];
	const gs_report_input input = {
		.tables = tables, .named = named, .column = column,
		.snapshot = scan->css.ss.ps.state->es_snapshot
	};
	const char *reason;
	int			n = 0;
	ListCell   *cell;

	memset(column, 0, sizeof column);
	foreach(cell, columns)
	{
		const Var  *var = lfirst(cell);
		gs_type		engine_type;

		if (n == GS_PLAN_COLUMNS || var->varattno <= 0 ||
			!gs_column_form_of(var->vartype, var->vartypmod, var->varcollid,
							   &column[n], &engine_type))
			return false;
		column[n].attribute = var->varattno;
		if (column[n].assumed)
			column[n].scale = gs_scale_assumed(named, var->varattno);
		type[n++] = (uint8) engine_type;
	}
	return gs_report_open_dictionaries(named, column, n, &reason) &&
		gs_report_held_share(&input, type, n) >= HELD_SHARE;
}

/* Columns that an expression has; each once. */
static List *
columns_of(const void *expression, List *columns)
{
	return list_concat_unique(columns,
							  pull_var_clause((Node *) unconstify(void *, expression),
											  PVC_RECURSE_AGGREGATES |
											  PVC_RECURSE_WINDOWFUNCS |
											  PVC_RECURSE_PLACEHOLDERS));
}

static List *
columns_of_dimension(const gs_dimension *d)
{
	return columns_of(d->filter, columns_of(d->inner_keys,
											list_copy(d->columns)));
}

/* The others of those that the report's plan has. */
static List *
columns_of_fact(const gs_report_scan *scan)
{
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, scan->entries)
		columns = columns_of(lfirst_node(TargetEntry, cell)->expr, columns);
	foreach(cell, scan->dimensions)
		columns = list_difference(columns, columns_of_dimension(lfirst(cell)));
	return columns;
}

/* Of what it costs to read columns first: the part of those that are not held. */
static double
share_to_read(const gs_report_scan *scan)
{
	double		fact = scan->first_by_workers;
	double		dimensions = 0;
	ListCell   *cell;

	foreach(cell, scan->dimensions)
	{
		const gs_dimension *d = lfirst(cell);

		fact -= d->first_by_workers;
		if (d->first_by_workers > 0 &&
			!are_held(scan, d->held, d->held_tables, columns_of_dimension(d)))
			dimensions += d->first_by_workers;
	}
	if (fact <= 0 || (scan->tids == 0 &&
					  are_held(scan, scan->relation, scan->tables,
							   columns_of_fact(scan))))
		fact = 0;
	return (fact + dimensions) / Max(scan->first_by_workers, 1);
}

/* ----------
 * Whether it pays
 * ----------
 */

/*
 * Of the planner's units, those that have been read in a millisecond, lately: what
 * the ordinary plan and reports have taken is compared with what reading will take.
 */
static double reading_speed = GS_REPORT_COST_PER_MS;

/* Less is not measured well. */
#define MEASURED_MS		5

/* One measurement, which may have had to wait or met a wrong estimate, changes little. */
#define MEASURED_CHANGE	4

static void
note_reading(double cost, double ms)
{
	double		speed;

	if (cost <= 0 || ms < MEASURED_MS)
		return;
	ereport(DEBUG1,
			(errmsg_internal("gpuscan has read for %.0f ms what was estimated at %.0f",
							 ms, cost / reading_speed)));
	speed = Max(cost / ms, reading_speed / MEASURED_CHANGE);
	reading_speed = (reading_speed +
					 Min(speed, reading_speed * MEASURED_CHANGE)) / 2;
}

/* Of dimensions that are read each time. */
static double
reading_each_time(gs_report_scan *scan)
{
	double		cost = 0;
	ListCell   *cell;

	for (gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		foreach(cell, s->dimensions)
		{
			const gs_dimension *d = lfirst(cell);

			if (d->tables == NIL)
				cost += d->cost;
		}
	}
	return cost;
}

/*
 * What a report saves if it reads nothing: the planner's estimate, or, better, by what
 * the ordinary plan and reports have taken.  One report alone may have been unlucky.
 * What is computed of an estimated one does not take longer where reading does.
 */
static double
saving_of(gs_report_scan *scan, const gs_runs *r)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const Plan *ordinary = (Plan *) linitial(plan->custom_plans);
	double		report_ms = r->report_ms;
	double		read;

	/* if the report is slow for what the ordinary plan is estimated at, that is tried */
	if (r->ordinary_ms == 0)
		return r->reports < 2 ? scan->saving :
			ordinary->total_cost - r->report_ms * reading_speed;
	if (r->reports < 2)
	{
		read = reading_each_time(scan);
		report_ms = read / reading_speed +
			(ordinary->total_cost - scan->saving - read) / GS_REPORT_COST_PER_MS;
	}
	return (r->ordinary_ms - report_ms) * reading_speed;
}

/*
 * What the fact tables' columns took, if most rows had to be read: their statistics
 * of this execution.
 */
void
gs_report_note_reading(const gs_report_scan *scan, const gs_report_stats *before)
{
	const gs_report_stats *after = &scan->totals.stats;
	double		cost = 0;
	ListCell   *cell;

	if (after->kept_rows - before->kept_rows <=
		after->held_rows - before->held_rows)
		return;
	for (const gs_report_scan *s = scan; s != NULL;
		 s = gs_stage_scan(s))
	{
		cost += s->first_by_workers;
		foreach(cell, s->dimensions)
			cost -= ((const gs_dimension *) lfirst(cell))->first_by_workers;
	}
	note_reading(cost, after->read_ms - before->read_ms);
}

/* Tables may have grown; a report that took twice as long may have had to wait. */
void
gs_report_note_time(const gs_report_scan *scan, double ms)
{
	gs_runs    *r = gs_runs_of(&scan->attempt);

	r->report_ms = r->reports == 0 ? ms : Min(ms, 2 * r->report_ms);
	r->reports = Min(r->reports + 1, 2);
}

/*
 * What it costs to read columns before the first report; or, asked: those that the
 * service does not hold, perhaps of other sessions' reports.
 */
static double
cost_of_columns(const gs_report_scan *scan, const gs_runs *r, bool ask)
{
	double		cost = 0;

	if (r->was_report)
		return 0;
	for (const gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		/*
		 * Before the ordinary plan has been measured, it is its estimate that this is
		 * compared with, which may also be of workers, and take less time.
		 */
		if (s->first_cost > 0)
			cost += (r->ordinary_ms > 0 ? s->first_by_workers : s->first_cost) *
				(ask ? share_to_read(s) : 1);
	}
	return cost;
}

static bool
is_worth_asking(const gs_report_scan *scan)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const Plan *ordinary = (Plan *) linitial(plan->custom_plans);
	int			tables = 0;

	for (const gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
		tables += list_length(s->tables) + list_length(s->dimensions);
	return ordinary->total_cost >= WORTH_ASKING * tables * GS_REPORT_REQUEST_COST;
}

/*
 * Rows of a dimension that the session reads, in one process: whether more than these
 * are worth it is not left to estimates, of which that of groups may be far too small.
 */
#define GUESSED_ROWS	500000

/* Who insists on the engine does not wait for what the planner finds good. */
static bool
does_reading_pay(gs_report_scan *scan, const gs_runs *r, bool *reads)
{
	double		saving = saving_of(scan, r);
	double		first = cost_of_columns(scan, r, false);
	double		kept = 0;
	double		not_kept = 0;
	bool		is_kept = false;
	bool		is_guess = scan->few;	/* the planner may have expected too few */
	ListCell   *cell;

	*reads = false;
	for (gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		is_kept |= s->first_cost > 0;
		foreach(cell, s->dimensions)
		{
			gs_dimension *d = lfirst(cell);

			gs_dimension_find(d);
			if (d->tables == NIL)
				continue;		/* planning has counted it */
			is_kept = true;
			if (d->rows != NULL)
				continue;
			*(d->version != NULL ? &kept : &not_kept) += d->cost;
			is_guess |= !OidIsValid(d->held) &&
				d->plan->plan->plan_rows > GUESSED_ROWS;
			*reads = true;
		}
	}
	if (is_guess && r->ordinary_ms == 0 && gs_engine_setting != GS_ENGINE_GPU)
		return false;			/* first see how long the ordinary plan takes */
	if (!is_kept || (gs_engine_setting == GS_ENGINE_GPU && scan->saving > 0) ||
		(first + kept) / (1 + (double) r->runs) + not_kept < saving)
		return true;
	if (first <= 0 || kept / (1 + (double) r->runs) + not_kept >= saving ||
		!is_worth_asking(scan))
		return false;
	first = cost_of_columns(scan, r, true);
	return (first + kept) / (1 + (double) r->runs) + not_kept < saving;
}

bool
gs_report_waits(gs_report_scan *scan)
{
	bool		reads;

	return !does_reading_pay(scan, gs_runs_of(&scan->attempt), &reads);
}

bool
gs_report_is_time_to_read(gs_report_scan *scan, bool *first)
{
	gs_runs    *r = gs_runs_of(&scan->attempt);

	scan->waits = !does_reading_pay(scan, r, first);
	r->runs = *first && !scan->waits ? 0 : r->runs + 1;
	*first |= !r->was_report;
	r->was_report |= !scan->waits;
	return !scan->waits;
}

/* ----------
 * Reading
 * ----------
 */

/*
 * Read a dimension.  If the service makes it, of columns that it has already, that says
 * nothing about the speed of reading.
 */
static const char *
read_dimension(gs_report_scan *scan, gs_dimension *d, double *cost, double *ms)
{
	const bool	anew = d->rows == NULL;
	const char *reason;
	bool		reads_columns;
	instr_time	start;

	INSTR_TIME_SET_CURRENT(start);
	d->refused = d->renewed = false;
	reason = gs_dimension_read(d, &scan->css.ss.ps);
	reads_columns = reason == NULL && d->rows->held && d->rows->columns_read;
	if (anew && (!OidIsValid(d->held) || reads_columns))
	{
		*cost += d->cost + (reads_columns ? d->first_by_workers : 0);
		gs_add_time(ms, start);
	}
	return reason;
}

/* lost: the one that cannot be read */
static const char *
read_each(gs_report_scan *scan, double *cost, double *ms,
		  const gs_dimension **lost)
{
	const char *reason = NULL;

	/* the service may make a dimension's tables of those that come later */
	for (int i = list_length(scan->dimensions) - 1; i >= 0; i--)
	{
		gs_dimension *d = list_nth(scan->dimensions, i);

		if (scan->dimensions_read)
			ExecReScan(d->plan);
		if (reason != NULL)
			continue;
		reason = read_dimension(scan, d, cost, ms);
		if (reason != NULL)
			*lost = d;
		else if (d->guess != 0)
		{
			const gs_attempt guess = gs_dimension_attempt(d->guess);

			gs_loss_forget(&guess);
		}
	}
	scan->dimensions_read = scan->dimensions != NIL;
	return reason;
}

/*
 * Read held dimensions again, those that a dimension's tables are made of first: all
 * of them, or those that are refused.  *read: there were any.
 */
static const char *
read_held(gs_report_scan *scan, bool all, bool *read)
{
	const char *reason = NULL;

	*read = false;
	for (gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		for (int i = list_length(s->dimensions) - 1; i >= 0; i--)
		{
			gs_dimension *d = list_nth(s->dimensions, i);

			if (d->rows == NULL || !d->rows->held || reason != NULL ||
				!(all || d->refused))
				continue;
			gs_dimension_forget(d);
			if (all)
			{
				/* without room for all of them they make way for each other */
				d->refused = d->renewed;
				d->renewed = true;
			}
			reason = gs_dimension_read(d, &s->css.ss.ps);
			*read = true;
		}
	}
	return reason;
}

bool
gs_report_read_refused(gs_report_scan *scan, const char **reason)
{
	bool		read;

	*reason = read_held(scan, false, &read);
	return read && *reason == NULL;
}

const char *
gs_report_renew_held(gs_report_scan *scan)
{
	bool		read;

	return read_held(scan, true, &read);
}

/* If tables alone decide its rows, so they do here; else parameters may, too. */
static void
learn_dimension(gs_report_scan *scan, const gs_dimension *lost,
				const char *reason)
{
	const gs_attempt guess = gs_dimension_attempt(lost->guess);
	const List *tables = lost->tables != NIL ? lost->tables : gs_report_tables(scan);
	bool		passing = lost->tables == NIL && scan->parametric;

	gs_loss_learn(&scan->attempt, tables, reason, passing);
	if (lost->guess != 0)
		gs_loss_learn(&guess, tables, reason, passing);
}

const char *
gs_report_read_dimensions(gs_report_scan *scan)
{
	instr_time	start;
	const gs_dimension *lost = NULL;
	const char *reason = NULL;
	double		cost = 0;
	double		ms = 0;			/* of reading what is measured */
	double		all_ms = 0;

	INSTR_TIME_SET_CURRENT(start);
	for (gs_report_scan *s = scan; s != NULL && reason == NULL;
		 s = gs_stage_scan(s))
	{
		if (s != scan)
		{
			gs_report_renew_dimensions(s);
			s->dimensions_read = false;
		}
		reason = read_each(s, &cost, &ms, &lost);
	}
	gs_add_time(&all_ms, start);
	scan->totals.prepare_ms += all_ms;
	if (reason == NULL)
		note_reading(cost, ms);
	else if (!lost->service_lost)
		learn_dimension(scan, lost, reason);
	return reason;
}
