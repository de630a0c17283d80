/*-------------------------------------------------------------------------
 *
 * tries.c
 *	  A report is made, in one try or several.
 *
 * A plan is made of what the session knows.  If the rows show that this was not
 * enough, the session learns more, and there is another try:
 *
 *	- What might raise an error when it is evaluated, such as the subquery behind
 *	  a parameter, is evaluated only if a row has needed it
 *	  (translate_known.c).
 *	- A table of what an expression gives for each of a column's values may lack
 *	  new ones (translate_values.c).
 *	- The values of a numeric column may have another scale than was assumed
 *	  (scales.h).
 *	- The service may have lost the dictionary of codes that the session knew.
 *
 * Most reports take one try.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"

#include "call/call.h"
#include "call/decimal.h"
#include "client/link.h"
#include "pg/progress.h"
#include "pg/settings.h"
#include "report/chosen_rows.h"
#include "report/keeping.h"
#include "report/report.h"
#include "report/result/fetch.h"
#include "report/result/merge.h"
#include "report/result/top.h"
#include "report/session/link_owner.h"
#include "report/stages.h"
#include "report/statement.h"
#include "report/tid_fetch.h"
#include "report/translate/evaluation.h"
#include "report/translate/lookup.h"
#include "report/translate/scales.h"
#include "report/translate/translate_parts.h"
#include "report/windows.h"
#include "supervisor/service_control.h"
#include "supervisor/shared.h"

/* Of a gs_attempt: no column's, no guess (dimension.h), and not the query itself. */
#define ATTRIBUTE_OF_VALUES	INT32_MAX

/* The fewest groups of which values come, and not states: what a stage costs. */
#define VALUES_MIN	4096

/* HAVING leaves groups out, if no more than one of so many is expected to pass. */
#define HAVING_SHARE	2

/* Others may add values as fast as this session learns them. */
#define TRIES_MAX	10

/*
 * When sets are merged: see is_merge_fast.  Five states of a group take 0.034 us to
 * be merged (one core, -O2), and up to 0.2 us if the groups have to be sorted.  That
 * is as long as some rows take on a CPU, and some thousand on a GPU, where a report
 * without rows takes 0.3 ms.
 */
#define MERGE_MIN			4096
#define CPU_MERGE_ROWS		8
#define DEVICE_MERGE_ROWS	4096

static bool
failed(gs_report_scan *scan, const char *reason)
{
	strlcpy(scan->run.reason, reason, sizeof scan->run.reason);
	return false;
}

/* Is it there only to merge others from? */
static bool
is_hidden(const gs_report_scan *scan, const gs_report_set *set)
{
	return set == scan->set + scan->sets;
}

static Expr *
entry(const gs_translation *t, int i)
{
	return list_nth_node(TargetEntry, t->tlist, i)->expr;
}

static bool
translate_groups(gs_report_scan *scan, gs_report_set *set,
				 const gs_asked *asked, gs_translation *t)
{
	gs_report_shape *shape = &set->shape;
	List	   *filter;
	List	   *keys = NIL;
	List	   *aggregates = NIL;
	gs_report_value *key = palloc(set->own_keys * sizeof *key);
	gs_report_aggregate *aggregate = palloc(scan->aggregates *
											sizeof *aggregate);
	bool		ok;

	/* an earlier try may have made it one of values */
	shape->keys = set->own_keys;
	shape->aggregates = scan->aggregates;
	shape->key = key;
	shape->aggregate = aggregate;
	shape->value = NULL;
	ok = gs_stage_begin(scan, asked, t, &filter) &&
		gs_translate_filter(t, filter, &t->plan.filter);
	for (int k = 0; k < shape->keys; k++)
		keys = lappend(keys, entry(t, set->place[k]));

	for (int a = 0; a < shape->aggregates; a++)
		aggregates = lappend(aggregates, entry(t, scan->keys + a));
	ok = ok && gs_translate_chosen_rows(t, &keys, &aggregates);

	/* rows' numbers are not in the order of what the rows have */
	ok = ok && gs_translate_keys(t, keys, scan->sets == 1 &&
								 scan->hidden == 0 && !scan->ordered, key);
	for (int a = 0; ok && a < shape->aggregates; a++)
		ok = gs_report_aggregate_add(t, list_nth_node(Aggref, aggregates, a),
									 gs_reports_setting, &aggregate[a]);
	return ok;
}

/* The values that the scan's tuples have, if they are needed. */
static bool
translate_values(gs_report_shape *shape, gs_translation *t,
				 const gs_report_rows *rows)
{
	List	   *shown = gs_rows_shown(rows);
	gs_report_value *key = palloc0(shape->keys * sizeof *key);
	gs_row_value *value = palloc0(shape->keys * sizeof *value);

	shape->key = key;
	shape->value = value;
	for (int k = 0; k < shape->keys; k++)
	{
		if (shape->needed[k] &&
			!gs_translate_shown(t, k + 1, list_nth(shown, k), &value[k],
								&key[k]))
			return false;
	}
	return true;
}

/* A plan that gives rows, and before it the one that windows are of. */
static bool
translate_rows(gs_report_scan *scan, gs_report_set *set,
			   const gs_asked *asked, gs_translation *t)
{
	gs_translation *before = palloc(sizeof *before);
	gs_report_rows rows;
	List	   *filter;

	gs_translation_init(t, InvalidOid, NIL, &scan->css.ss.ps);
	t->needed = asked->needed;
	t->passed = asked->passed;
	t->plan.of_rows = 1;
	if (!gs_stage_begin(scan, asked, before, &filter) ||
		!gs_translate_filter(before, filter, &before->plan.filter))
	{
		t->reason = before->reason;
		t->in_vain = before->in_vain;
		return false;
	}
	gs_stage_scan_rows(scan, before, &rows);
	rows.by_tid = gs_report_list((CustomScan *) scan->css.ss.ps.plan,
								 GS_REPORT_BY_TID);
	rows.tids = gs_tid_columns(rows.by_tid, list_length(scan->tables));
	return gs_translate_rows(before, &rows, t) &&
		gs_translate_filter(t, gs_stage_having(scan), &t->plan.filter) &&
		translate_values(&set->shape, t, &rows);
}

/*
 * Of groups that are to come as values: the attempt to do so.  parametric: HAVING
 * has parameters.
 */
static gs_attempt
attempt_of_values(const gs_report_scan *scan, bool *parametric)
{
	uint64		left_out = gs_attempt_hash(list_make2(scan->css.ss.ps.plan->qual,
													  scan->top), parametric);

	return (gs_attempt) {
		scan->relation, ATTRIBUTE_OF_VALUES,
		hash_combine64(scan->attempt.query, left_out)
	};
}

static bool
count_subqueries(Node *node, void *n)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((const Param *) node)->paramkind == PARAM_EXEC)
		++*(int *) n;
	return expression_tree_walker(node, count_subqueries, n);
}

/*
 * Is HAVING worth to be evaluated by the service?  A subquery of it is evaluated
 * once a group has needed that: then all is computed again.
 */
static bool
having_pays(const gs_report_scan *scan, double groups)
{
	const Plan *plan = scan->css.ss.ps.plan;
	int			subqueries = 0;

	(void) count_subqueries((Node *) plan->qual, &subqueries);
	return plan->qual != NIL && plan->plan_rows * HAVING_SHARE <= groups &&
		subqueries <= (gs_session_link.on_device ? 1 : 0);
}

static double
expected_groups(const gs_report_scan *scan)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;

	return ((Plan *) linitial(plan->custom_plans))->plan_rows;
}

/*
 * Are there so many groups, and of one set, that they should come as values?  On
 * a CPU that is slower, unless some are left out: here, states are finished while
 * the next ones come.
 */
static bool
wants_values(const gs_report_scan *scan)
{
	double		groups = expected_groups(scan);
	bool		parametric;
	gs_attempt	attempt;

	if (scan->of_rows || scan->sets > 1 || scan->hidden > 0 ||
		scan->set[0].values != NULL || scan->aggregates == 0 ||
		groups <= VALUES_MIN || scan->stages == GS_STAGES_MAX ||
		!(scan->top != NIL ?
		  (double) list_nth_int(scan->top, GS_TOP_GROUPS) * GS_TOP_SHARE <= groups :
		  gs_session_link.on_device || having_pays(scan, groups)))
		return false;
	attempt = attempt_of_values(scan, &parametric);
	return gs_loss_known(&attempt) == NULL;
}

static bool
add_values(gs_report_scan *scan, gs_report_set *set,
		   const gs_asked *asked, List *having, const List *top,
		   gs_translation **t)
{
	gs_translation *values = palloc(sizeof *values);
	List	   *shown = NIL;

	for (int i = 0; i < scan->keys + scan->aggregates; i++)
		shown = lappend(shown, entry(*t, i));
	gs_translation_init(values, InvalidOid, NIL, &scan->css.ss.ps);
	values->needed = asked->needed;
	values->passed = asked->passed;
	if (!gs_stage_add_values(*t, shown, having, top, &set->shape, values))
		return false;
	*t = values;
	return true;
}

/*
 * *t becomes the plan that gives values, if they can come as these.  The scan
 * evaluates HAVING in any case, but of fewer groups if the service has; and if not,
 * the session finds the first groups of an order (top.h).
 */
static void
translate_group_values(gs_report_scan *scan, gs_report_set *set,
					   const gs_asked *asked, gs_translation **t)
{
	List	   *having = having_pays(scan, expected_groups(scan)) ?
		gs_stage_having(scan) : NIL;

	if (!add_values(scan, set, asked, having, scan->top, t) &&
		having != NIL && gs_session_link.on_device)
		(void) add_values(scan, set, asked, NIL, NIL, t);
}

/*
 * As in planning, but now the values of parameters are known.  *t is the
 * translation of the last stage.
 */
static bool
translate_once(gs_report_scan *scan, gs_report_set *set,
			   const gs_asked *asked, gs_translation **t)
{
	instr_time	start;
	bool		ok;

	INSTR_TIME_SET_CURRENT(start);
	*t = palloc(sizeof **t);
	ok = scan->of_rows ? translate_rows(scan, set, asked, *t) :
		translate_groups(scan, set, asked, *t);
	if (ok && wants_values(scan))
		translate_group_values(scan, set, asked, t);
	gs_add_time(&scan->totals.prepare_ms, start);
	return ok || failed(scan, (*t)->reason != NULL ? (*t)->reason :
						"it is too long");
}

/* What the service cannot make of a join's tables, once that shows, is read. */
static bool
translate_plan(gs_report_scan *scan, gs_report_set *set,
			   const gs_asked *asked, gs_translation **t)
{
	const char *reason;

	while (!translate_once(scan, set, asked, t))
	{
		if (!gs_report_read_refused(scan, &reason))
			return reason == NULL ? false : failed(scan, reason);
	}
	return true;
}

/*
 * May a set of so many groups be merged from them, or is it faster to go over
 * the rows once more?  The engine's answer alone, without any row, takes as
 * long as MERGE_MIN groups.
 */
static bool
is_merge_fast(const gs_report_run *run)
{
	int64		rows_a_group = run->on_device ? DEVICE_MERGE_ROWS :
		CPU_MERGE_ROWS;

	return run->summary.groups <= MERGE_MIN + run->summary.rows / rows_a_group;
}

/* Is there a set that can be merged from the groups of this one? */
static bool
is_merged_from(const gs_report_scan *scan, const gs_report_set *set)
{
	for (int i = 0; i < scan->sets; i++)
	{
		const gs_report_set *other = &scan->set[i];

		if (other != set && other->result == NULL &&
			gs_report_set_covers(set, other))
			return true;
	}
	return false;
}

/* The groups, and their states if other sets will be merged from these. */
static gs_status
fetch(gs_report_scan *scan, gs_report_set *set)
{
	gs_report_run *run = &scan->run;
	gs_report_groups *kept = NULL;
	int64		n = run->summary.groups;
	gs_status	status;

	if (is_merge_fast(run) && is_merged_from(scan, set) &&
		gs_report_can_merge(run->groups, set->shape.aggregate,
							set->shape.aggregates))
		kept = palloc0(sizeof *kept);
	if (!is_hidden(scan, set))
		set->result = gs_report_result_begin(&set->shape, &scan->memory);
	else if (kept == NULL)
		return GS_OK;
	status = set->shape.value != NULL ?
		gs_report_fetch_rows(run, &set->shape, set->result) :
		gs_report_fetch(run, &set->shape, scan->top, set->result, kept,
						&scan->memory, &n);
	if (status == GS_OK)
		scan->totals.sent += n;
	if (set->result != NULL)
		gs_report_result_finish(set->result);
	if (kept != NULL && kept->base != NULL)
		set->groups = kept;
	return status;
}

static gs_status
execute(gs_report_scan *scan, gs_report_set *set, const gs_translation *t)
{
	gs_report_run *run = &scan->run;
	gs_report_input input = {
		.tables = scan->tables,
		.named = scan->relation,
		.column = gs_stage_of(t, 0)->column,
		.snapshot = scan->css.ss.ps.state->es_snapshot,
		.workers = max_parallel_workers_per_gather
	};

	/* one more of values; and groups that are kept need all */
	gs_stage   *stage = palloc0((scan->stages + 1) * sizeof *stage);
	instr_time	start;
	gs_status	status;

	status = gs_report_read(run, stage, gs_stage_list(t, stage), &input);
	if (status == GS_OK)
		status = gs_report_finish(run);
	if (status == GS_OK)
	{
		INSTR_TIME_SET_CURRENT(start);
		status = fetch(scan, set);
		gs_add_time(&scan->totals.result_ms, start);
	}
	gs_report_end(run);
	return status;
}

static void
add_times(gs_report_scan *scan)
{
	scan->totals.stats.read_ms += scan->run.stats.read_ms;
	scan->totals.stats.compute_ms += scan->run.stats.compute_ms;
	scan->totals.stats.workers = Max(scan->totals.stats.workers,
									 scan->run.stats.workers);
}

/* Of a try that was not the last one, only the time counts. */
static void
add_try(gs_report_scan *scan)
{
	scan->totals.tries++;
	add_times(scan);
}

static void
add_stats(gs_report_scan *scan)
{
	gs_report_totals *totals = &scan->totals;
	gs_report_stats *to = &totals->stats;
	const gs_report_stats *from = &scan->run.stats;

	totals->on_device = scan->run.on_device;
	strlcpy(totals->engine, scan->run.engine, sizeof totals->engine);
	to->held_rows += from->held_rows;
	to->held_pages += from->held_pages;
	to->masked_rows += from->masked_rows;
	to->verified_pages += from->verified_pages;
	to->kept_rows += from->kept_rows;
	to->kept_pages += from->kept_pages;
	to->read_rows += from->read_rows;
	to->read_pages += from->read_pages;
	to->hidden_pages += from->hidden_pages;
	to->bytes += from->bytes;
	for (int i = 0; i < GS_STAGES_MAX; i++)
	{
		to->stage[i].rows += from->stage[i].rows;
		to->stage[i].groups += from->stage[i].groups;
		to->stage[i].us += from->stage[i].us;
	}
	totals->stages = Max(totals->stages, scan->run.stages);
	add_times(scan);
}

/* Count, and warn of, what no setting and no expression is the reason of. */
static void
tell_failure(const gs_report_scan *scan, gs_status status)
{
	if (status == GS_INVALID)
		return;
	pg_atomic_fetch_add_u64(&gs_shared_get()->fallbacks, 1);
	if (status == GS_DEVICE_LOST && !gs_link_dismissed() &&
		gs_may_warn_of_loss())
		ereport(WARNING,
				errcode(ERRCODE_SYSTEM_ERROR),
				errmsg("the service was lost during a report, falling back to "
					   "the ordinary plan"),
				errdetail_internal("%s", scan->run.reason));
}

/* Have the service tell which values columns have now. */
static gs_status
read_ranges(gs_report_scan *scan, const gs_translation *t, bool *grown)
{
	gs_report_stats before = scan->run.stats;
	gs_status	status;

	status = gs_ranges_read(&scan->run, t, scan->tables,
							scan->css.ss.ps.state->es_snapshot, grown);

	/* this is often what first reads the columns; add_try has the rest */
	add_times(scan);
	scan->run.stats = before;
	return status;
}

/* A row had no place in the plan's tables: can they be longer now? */
static bool
has_grown(gs_report_scan *scan, const gs_translation *t)
{
	bool		grown = false;

	if (t->ranges.n > 0 && read_ranges(scan, t, &grown) != GS_OK)
		return false;
	for (int c = 0; c < t->plan.columns; c++)
	{
		gs_dictionary *d = t->column[c].dictionary;

		if (t->column[c].form != GS_FORM_CODE)
			continue;
		gs_dictionary_refresh(d);
		grown |= d->n > t->column[c].values;
	}
	return grown;
}

/*
 * A value has another scale than its numeric column was assumed to have.  Twice
 * in a report: they are different.  Or it is none of an integer times a scale.
 * learned: columns that were tried once more.
 */
static bool
learn_scale(gs_report_scan *scan, const gs_report_column *column,
			List **learned)
{
	int			scale = scan->run.odd.scale;

	if (!column->assumed || scale < 0 || scale > GS_DECIMAL_DIGITS ||
		list_member_int(*learned, column->attribute))
	{
		const gs_attempt attempt = {scan->relation, column->attribute, 0};

		gs_loss_learn(&attempt, NIL, column->assumed ?
					  "a numeric column's values differ in scale or have too many digits" :
					  scan->run.odd.reason, false);
		return false;
	}
	gs_scale_learn(scan->relation, column->attribute, scale);
	*learned = lappend_int(*learned, column->attribute);
	return true;
}

/* Has a row needed what it did not find?  Other rows may have needed something else. */
static bool
is_lookup_error(const gs_report_scan *scan, const gs_translation *t)
{
	uint32		errors = scan->run.summary.errors;

	return errors == GS_ERROR_LOOKUP ||
		(errors == (GS_ERROR_LOOKUP | GS_ERROR_DIVISION) &&
		 gs_stage_of(t, scan->run.failed_stage)->more_unknown);
}

/*
 * The try has failed.  Would another one succeed?  asked: what that is to know.
 */
static bool
is_worth_another(gs_report_scan *scan, const gs_translation *t,
				 gs_status status, gs_asked *asked, List **learned)
{
	const gs_odd_value *odd = &scan->run.odd;
	const gs_translation *table = gs_stage_of(t, 0);
	const gs_translation *last = gs_stage_of(t, scan->run.failed_stage);

	if (scan->run.lacks_table)
		return gs_report_renew_held(scan) == NULL;
	if (odd->reason != NULL &&
		table->column[odd->column].form == GS_FORM_DECIMAL)
		return learn_scale(scan, &table->column[odd->column], learned);

	if (is_lookup_error(scan, t))
	{
		if (has_grown(scan, table))
			return true;
		if (last->unknown == NULL)
			return false;
		asked->needed = lappend(asked->needed, last->unknown);
		asked->passed = NIL;
		return true;
	}
	if (scan->run.summary.errors == GS_ERROR_DIVISION &&
		last->more_unknown && last->unknown != NULL)
	{
		asked->passed = lappend(asked->passed, last->unknown);
		return true;
	}

	/* a service that was told to end, or codes that it has lost */
	return (status == GS_DEVICE_LOST && gs_link_dismissed()) ||
		gs_report_codes_are_lost(table->column, table->plan.columns);
}

/*
 * Groups were to come as values, which take memory, and have 64 bits, or HAVING is
 * an error of some group.  If that has failed, states may do.
 */
static bool
values_have_failed(gs_report_scan *scan, const gs_report_set *set,
				   const gs_translation *t, gs_status status)
{
	uint32		errors = scan->run.summary.errors;
	bool		of_values = errors != 0 &&
		gs_stage_of(t, scan->run.failed_stage) == t &&
		(errors != GS_ERROR_LOOKUP || t->unknown == NULL);
	bool		parametric;
	gs_attempt	attempt;

	if (scan->of_rows || set->shape.value == NULL ||
		(status != GS_NO_MEMORY && errors != GS_ERROR_RANGE && !of_values))
		return false;
	attempt = attempt_of_values(scan, &parametric);
	gs_loss_learn(&attempt, NIL, "groups do not come as values",
				  status == GS_NO_MEMORY || scan->parametric || parametric);
	return true;
}

/* One try: the report or, if that must come first, the ranges of columns. */
static gs_status
try_once(gs_report_scan *scan, gs_report_set *set, const gs_translation *t)
{
	const gs_translation *table = gs_stage_of(t, 0);
	bool		grown;

	return table->ranges.missing ? read_ranges(scan, table, &grown) :
		execute(scan, set, t);
}

/*
 * Is there no use in trying this again soon?  If the service went away, or has
 * not begun, the next time may be better, or costs next to nothing.
 */
static void
note_loss(gs_report_scan *scan, const gs_translation *t, gs_status status)
{
	bool		tried = scan->run.begun || t->in_vain;

	if (tried && status != GS_DEVICE_LOST)
		gs_loss_learn(&scan->attempt, gs_report_tables(scan), scan->run.reason,
					  status == GS_NO_MEMORY || scan->parametric);
}

static bool
make_set(gs_report_scan *scan, gs_report_set *set)
{
	gs_translation *t;
	gs_asked	asked = {NIL, NIL};
	List	   *learned = NIL;
	gs_status	status;

	gs_report_set_alone(set);
	for (int tries = 1; translate_plan(scan, set, &asked, &t); tries++)
	{
		status = try_once(scan, set, t);
		if (status == GS_OK && gs_stage_of(t, 0)->ranges.missing)
		{
			if (tries >= TRIES_MAX)
				return failed(scan, "the ranges of columns keep changing");
			continue;
		}
		if (status == GS_OK && gs_stages_absent_have_come(t))
		{
			if (tries >= TRIES_MAX)
				return failed(scan, "new values of columns keep coming");
			gs_report_free_sets(set, 1, &scan->memory);
			add_try(scan);
			continue;
		}
		if (status == GS_OK)
		{
			add_stats(scan);
			return true;
		}
		if (tries >= TRIES_MAX + list_length(asked.needed) + list_length(learned) ||
			!(values_have_failed(scan, set, t, status) ||
			  is_worth_another(scan, t, status, &asked, &learned)))
		{
			add_times(scan);
			tell_failure(scan, status);
			note_loss(scan, t, status);
			return false;
		}
		gs_report_free_sets(set, 1, &scan->memory);
		add_try(scan);
	}
	note_loss(scan, t, GS_INVALID);
	return false;
}

/* Of the sets that it can be merged from, the one with the fewest groups. */
static const gs_report_set *
find_source(const gs_report_scan *scan, const gs_report_set *set)
{
	const gs_report_set *best = NULL;

	for (int i = 0; i < scan->sets + scan->hidden; i++)
	{
		const gs_report_set *from = &scan->set[i];

		if (from->groups != NULL && gs_report_set_covers(from, set) &&
			(best == NULL || from->groups->n < best->groups->n))
			best = from;
	}
	return best;
}

static bool
make_or_merge(gs_report_scan *scan, gs_report_set *set)
{
	const gs_report_set *from = find_source(scan, set);
	instr_time	start;
	const char *reason;

	INSTR_TIME_SET_CURRENT(start);
	if (from == NULL || !gs_report_set_merge(set, from, &scan->memory))
	{
		if (!make_set(scan, set))
			return false;
		if (!is_hidden(scan, set))
			scan->totals.groups += scan->run.summary.groups;
		return true;
	}
	reason = gs_report_set_results(set, &scan->memory);
	gs_add_time(&scan->totals.result_ms, start);
	if (reason != NULL)
	{
		gs_loss_learn(&scan->attempt, gs_report_tables(scan), reason,
					  scan->parametric);
		return failed(scan, reason);
	}
	scan->totals.groups += set->groups->n;
	scan->totals.merged++;
	return true;
}

/* Sets with more keys come first. */
static bool
make(gs_report_scan *scan)
{
	for (int keys = scan->keys; keys >= 0; keys--)
	{
		for (int i = scan->sets + scan->hidden - 1; i >= 0; i--)
		{
			if (scan->set[i].own_keys == keys &&
				!make_or_merge(scan, &scan->set[i]))
				return false;
		}
	}
	gs_report_free_groups(scan->set, scan->sets + scan->hidden, &scan->memory);
	scan->current = 0;
	scan->totals.memory = Max(scan->totals.memory, scan->memory.peak);
	scan->totals.file = Max(scan->totals.file, scan->memory.file);
	scan->totals.reports++;
	gs_loss_forget(&scan->attempt);
	gs_shared_count(scan->totals.on_device ?
					GS_REPORTS_GPU : GS_REPORTS_SERVICE);
	return true;
}

/*
 * If the service does not run, wait for its start, but no longer than the
 * ordinary plan may take, and not at all if the start will take longer.  So what is
 * asked first takes twice that plan's time at the worst, and usually a part of it:
 * what is read is held from then on.
 */
static void
await_service(const gs_report_scan *scan)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const Plan *ordinary = (Plan *) linitial(plan->custom_plans);
	double		timeout = gs_response_timeout * 1000.0;
	double		patience = ordinary->total_cost / GS_REPORT_COST_PER_MS;
	const char *reason;

	if (gs_engine_setting == GS_ENGINE_GPU || patience > timeout)
		patience = timeout;
	else if (gs_session_link.fd == PGINVALID_SOCKET &&
			 gs_shared_attach() == GS_SHARED_READY &&
			 patience < gs_service_start_left())
		patience = 0;
	if (!gs_link_is_owned())
		(void) gs_link_acquire((int) patience, &reason);
}

/*
 * The ordinary plan evaluates a condition without columns first, and may be done.
 */
static bool
may_have_rows(gs_report_scan *scan)
{
	PlanState  *state = &scan->css.ss.ps;
	bool		isnull;
	ListCell   *cell;

	foreach(cell, list_nth(((CustomScan *) state->plan)->custom_exprs,
						   GS_REPORT_FILTER))
	{
		Expr	   *condition = lfirst(cell);

		if (gs_has_no_column(condition) &&
			(!DatumGetBool(ExecEvalExprSwitchContext(gs_prepare_expression(state, condition),
													 state->ps_ExprContext,
													 &isnull)) || isnull))
			return false;
	}
	return true;
}

bool
gs_report_make(gs_report_scan *scan)
{
	volatile bool made = false;
	double		before = scan->totals.total_ms;
	const gs_report_stats stats = scan->totals.stats;
	bool		first;
	instr_time	start;
	const char *known;

	/* a plan may be older than the settings */
	if (gs_reports_setting == GS_REPORTS_OFF ||
		gs_engine_setting == GS_ENGINE_CPU)
		return failed(scan, "gpuscan's settings have changed");
	known = gs_loss_known(&scan->attempt);
	if (known != NULL)
		return failed(scan, psprintf("as found before: %s", known));
	if (scan->few && !scan->read_whole && gs_statement_is_partial())
		return failed(scan, "only some of its rows are wanted");
	for (gs_report_scan *s = scan; s != NULL; s = gs_stage_scan(s))
	{
		if (!may_have_rows(s))
			return failed(scan, "a condition without columns does not hold");
	}
	INSTR_TIME_SET_CURRENT(start);
	if (!gs_dictionaries_are_held())
		gs_dimensions_trim();
	if (!gs_report_is_time_to_read(scan, &first))
		return failed(scan, "reading what it keeps does not pay yet");
	gs_progress_begin(GS_WORK_REPORT, scan->relation);
	gs_progress_phase(GS_PHASE_STARTING, 0);
	await_service(scan);
	gs_add_time(&scan->totals.prepare_ms, start);
	gs_dictionaries_trim();
	if (!gs_dictionaries_are_held())
		gs_lookups_trim();
	gs_dictionaries_hold();
	PG_TRY();
	{
		known = gs_report_read_dimensions(scan);
		made = known == NULL ? make(scan) : failed(scan, known);
	}
	PG_FINALLY();
	{
		gs_dictionaries_release();
	}
	PG_END_TRY();
	gs_progress_end();
	gs_add_time(&scan->totals.total_ms, start);
	if (made)
		gs_report_note_reading(scan, &stats);
	if (made && !first)
		gs_report_note_time(scan, scan->totals.total_ms - before);
	return made;
}
