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

#include "pg/settings.h"
#include "report/keeping.h"
#include "report/session/runs.h"
#include "report/stages.h"

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
	speed = Max(cost / ms, reading_speed / MEASURED_CHANGE);
	reading_speed = (reading_speed +
					 Min(speed, reading_speed * MEASURED_CHANGE)) / 2;
}

/*
 * What a report saves if it reads nothing: the planner's estimate, or, better, by what
 * the ordinary plan and reports have taken.  One report alone may have been unlucky.
 */
static double
saving_of(const gs_report_scan *scan, const gs_runs *r)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const Plan *ordinary = (Plan *) linitial(plan->custom_plans);

	/* if the report is slow for what the ordinary plan is estimated at, that is tried */
	if (r->ordinary_ms == 0)
		return r->reports < 2 ? scan->saving :
			ordinary->total_cost - r->report_ms * reading_speed;
	return r->reports < 2 ?
		scan->saving + r->ordinary_ms * reading_speed - ordinary->total_cost :
		(r->ordinary_ms - r->report_ms) * reading_speed;
}

/* Tables may have grown; a report that took twice as long may have had to wait. */
void
gs_report_note_time(const gs_report_scan *scan, double ms)
{
	gs_runs    *r = gs_runs_of(&scan->attempt);

	r->report_ms = r->reports == 0 ? ms : Min(ms, 2 * r->report_ms);
	r->reports = Min(r->reports + 1, 2);
}

/* Who insists on the engine does not wait for what the planner finds good. */
static bool
does_reading_pay(gs_report_scan *scan, const gs_runs *r, bool *reads)
{
	double		saving = saving_of(scan, r);
	double		kept = 0;
	double		not_kept = 0;
	bool		is_kept = false;
	ListCell   *cell;

	*reads = false;
	for (gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		is_kept |= s->first_cost > 0;
		if (!r->was_report)
			kept += s->first_cost;
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
			*reads = true;
		}
	}
	if (scan->few && r->ordinary_ms == 0 && gs_engine_setting != GS_ENGINE_GPU)
		return false;			/* the planner may have expected too few */
	return !is_kept ||
		(gs_engine_setting == GS_ENGINE_GPU && scan->saving > 0) ||
		kept / (1 + (double) r->runs) + not_kept < saving;
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

/* lost: the one that cannot be read */
static const char *
read_each(gs_report_scan *scan, double *cost, const gs_dimension **lost)
{
	const char *reason = NULL;

	/* the service may make a dimension's tables of those that come later */
	for (int i = list_length(scan->dimensions) - 1; i >= 0; i--)
	{
		gs_dimension *d = list_nth(scan->dimensions, i);

		if (d->rows == NULL)
			*cost += d->cost;
		if (scan->dimensions_read && d->state != NULL)
			ExecReScan(d->state);
		if (reason != NULL)
			continue;
		d->refused = d->renewed = false;
		reason = gs_dimension_read(d, &scan->css.ss.ps);
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
	double		ms = 0;

	INSTR_TIME_SET_CURRENT(start);
	for (gs_report_scan *s = scan; s != NULL && reason == NULL;
		 s = gs_stage_scan(s))
	{
		if (s != scan)
		{
			gs_report_renew_dimensions(s);
			s->dimensions_read = false;
		}
		reason = read_each(s, &cost, &lost);
	}
	gs_add_time(&ms, start);
	scan->totals.prepare_ms += ms;
	if (reason == NULL)
		note_reading(cost, ms);
	else if (!lost->service_lost)
		learn_dimension(scan, lost, reason);
	return reason;
}
