/*-------------------------------------------------------------------------
 *
 * explain.c
 *	  What EXPLAIN tells of a report: its keys, its filter and, after it was
 *	  executed, what was held, read and found to have changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif
#include "nodes/makefuncs.h"
#include "utils/ruleutils.h"

#include "report/keeping.h"
#include "report/report.h"
#include "report/stages.h"
#include "report/tid_fetch.h"
#include "report/windows.h"

/* How many relations does the query have?  Since 18 its groups are one. */
#if PG_VERSION_NUM >= 180000
#define RTABLE_SIZE(es) ((es)->rtable_size)
#else
#define RTABLE_SIZE(es) list_length((es)->rtable)
#endif

static char *
set_text(const gs_report_set *set, List *names)
{
	StringInfoData text;

	initStringInfo(&text);
	for (int k = 0; k < set->own_keys; k++)
		appendStringInfo(&text, "%s%s", k > 0 ? ", " : "",
						 (char *) list_nth(names, set->own[k]));
	return psprintf("(%s)", text.data);
}

static void
show_keys(const gs_report_scan *scan, List *context, bool prefix,
		  ExplainState *es)
{
	CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *names = NIL;
	List	   *sets = NIL;

	for (int k = 0; k < scan->shown && !scan->of_rows; k++)
	{
		TargetEntry *key = list_nth_node(TargetEntry, plan->custom_scan_tlist,
										 k);

		names = lappend(names, deparse_expression((Node *) key->expr, context,
												  prefix, true));
	}
	if (names != NIL)
		ExplainPropertyList("Group Key", names, es);
	if (gs_report_list(plan, GS_REPORT_SETS) == NIL)
		return;
	for (int s = 0; s < scan->sets; s++)
		sets = lappend(sets, set_text(&scan->set[s], names));
	ExplainPropertyList("Grouping Sets", sets, es);
}

static void
append_expressions(StringInfo text, const char *clause, const List *expressions,
				   const List *integers, List *context, bool prefix)
{
	int			i = list_length(integers) - list_length(expressions);
	ListCell   *cell;

	foreach(cell, expressions)
	{
		int			ways = integers == NIL ? 0 : list_nth_int(integers, i++);
		bool		descending = (ways & GS_WAY_DESCENDING) != 0;
		bool		nulls_first = (ways & GS_WAY_NULLS_FIRST) != 0;

		appendStringInfo(text, "%s%s%s%s",
						 cell != list_head(expressions) ? ", " :
						 text->len > 0 ? psprintf(" %s ", clause) :
						 psprintf("%s ", clause),
						 deparse_expression(lfirst(cell), context, prefix, false),
						 descending ? " DESC" : "",
						 nulls_first == descending ? "" :
						 nulls_first ? " NULLS FIRST" : " NULLS LAST");
	}
}

static void
show_windows(const gs_report_scan *scan, List *context, bool prefix,
			 ExplainState *es)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *windows = list_nth(plan->custom_exprs, GS_REPORT_WINDOWS);
	List	   *integers = gs_report_list(plan, GS_REPORT_WINDOW_INTEGERS);
	List	   *texts = NIL;
	ListCell   *window;
	ListCell   *of;

	forboth(window, windows, of, integers)
	{
		StringInfoData text;

		initStringInfo(&text);
		append_expressions(&text, "PARTITION BY",
						   list_nth(lfirst(window), GS_WINDOW_PARTITION), NIL,
						   context, prefix);
		append_expressions(&text, "ORDER BY",
						   list_nth(lfirst(window), GS_WINDOW_ORDER),
						   lfirst(of), context, prefix);
		texts = lappend(texts, text.len > 0 ? text.data : "all rows");
	}
	if (texts != NIL)
		ExplainPropertyList("Windows", texts, es);
}

/* What is read from the table, for the rows of the result alone. */
static void
show_by_tid(const gs_report_scan *scan, List *context, bool prefix,
			ExplainState *es)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *texts = NIL;
	ListCell   *cell;

	foreach(cell, gs_tid_fetched(scan->fetch))
	{
		TargetEntry *entry = list_nth_node(TargetEntry, plan->custom_scan_tlist,
										   lfirst_int(cell));

		texts = lappend(texts, deparse_expression((Node *) entry->expr, context,
												  prefix, true));
	}
	if (texts != NIL)
		ExplainPropertyList("Fetched by TID", texts, es);
}

static const char *
join_type(const gs_dimension *d)
{
	switch (d->kind)
	{
		case JOIN_LEFT:
			return "Left";
		case JOIN_SEMI:
			return "Semi";
		case JOIN_ANTI:
			return "Anti";
		default:
			return "Inner";
	}
}

static const char *
kind_of_index(const gs_dimension *d)
{
	if (d->inner_keys == NIL)
		return "none";
	switch (d->index_kind)
	{
		case GS_DIMENSION_DENSE:
			return "dense";
		case GS_DIMENSION_MAPPED:
			return "two-step";
		default:
			return "hash";
	}
}

/*
 * By which keys rows look up those of a dimension, whose plan is a child.  made: a
 * report has; then where it has found how many rows.
 */
static void
show_dimension(const gs_report_scan *scan, int i, bool made, List *context,
			   ExplainState *es)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const gs_dimension *d = list_nth(scan->dimensions, i);
	List	   *lists = list_nth(plan->custom_exprs, GS_REPORT_DIMENSIONS + i);
	StringInfoData keys;
	ListCell   *outer;
	ListCell   *inner;

	initStringInfo(&keys);
	forboth(outer, (List *) linitial(lists), inner, (List *) lsecond(lists))
		appendStringInfo(&keys, "%s%s = %s", keys.len > 0 ? ", " : "",
						 deparse_expression(lfirst(outer), context, true, false),
						 deparse_expression(lfirst(inner), context, true, false));
	if (keys.len == 0)
		appendStringInfoString(&keys, "one row");
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		if (made && d->index_within)
			appendStringInfoString(&keys, " (held)");
		else if (made)
			appendStringInfo(&keys, " (index=%s rows=%d%s%s)", kind_of_index(d),
							 d->index_rows, d->index_held ? " held" : "",
							 es->verbose && d->tested > 0 ?
							 psprintf(" test=%d", d->tested) : "");
		ExplainPropertyText(d->kind == JOIN_INNER ? "Look-up" :
							psprintf("%s Look-up", join_type(d)), keys.data, es);
		return;
	}
	ExplainOpenGroup("Look-up", NULL, true, es);
	ExplainPropertyText("Join Type", join_type(d), es);
	ExplainPropertyText("Keys", keys.data, es);
	if (made && d->index_within)
		ExplainPropertyBool("Held", true, es);
	else if (made)
	{
		ExplainPropertyText("Index", kind_of_index(d), es);
		ExplainPropertyInteger("Rows", NULL, d->index_rows, es);
		ExplainPropertyBool("Held", d->index_held, es);
		if (es->verbose && d->tested > 0)
			ExplainPropertyInteger("Test", NULL, d->tested, es);
	}
	ExplainCloseGroup("Look-up", NULL, true, es);
}

static void
show_dimensions(const gs_report_scan *scan, bool made, List *context,
				ExplainState *es)
{
	int			n = list_length(scan->dimensions);

	if (n == 0)
		return;
	ExplainOpenGroup("Look-ups", "Look-ups", false, es);
	for (int i = 0; i < n; i++)
		show_dimension(scan, i, made, context, es);
	ExplainCloseGroup("Look-ups", "Look-ups", false, es);
}

static void
show_conditions(const char *label, List *quals, const gs_report_scan *scan,
				List *context, ExplainState *es)
{
	if (quals != NIL)
		ExplainPropertyText(label,
							deparse_expression((Node *) make_ands_explicit(quals),
											   context, es->verbose ||
											   scan->dimensions != NIL, false), es);
}

/* The plan's qual, HAVING, is shown by PostgreSQL as the filter. */
static void
show_filter(const gs_report_scan *scan, bool made, List *context,
			ExplainState *es)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;

	show_conditions("Row Filter", list_nth(plan->custom_exprs, GS_REPORT_FILTER),
					scan, context, es);
	show_dimensions(scan, made, context, es);
}

/* ----------
 * Stages
 * ----------
 */

/* What a stage does, and which scans, of the query's or of subqueries, say how. */
typedef struct shown_stage
{
	const char *kind;
	const gs_report_scan *windows;	/* of what it reads; */
	const gs_report_scan *filter;
	const gs_report_scan *keys; /* NULL: it gives rows */
} shown_stage;

/*
 * The stages of a report, as gs_stage_list has them.  Windows of a subquery are
 * computed by the stage that reads its rows: *over is the subquery's scan, or NULL.
 */
static int
find_stages(const gs_report_scan *scan, shown_stage *stage,
			const gs_report_scan **over)
{
	const gs_report_scan *inner = gs_stage_scan(scan);
	const gs_report_scan *below = NULL;
	int			n = inner == NULL ? 0 : find_stages(inner, stage, &below);

	*over = scan->of_rows ? scan : NULL;
	if (!scan->of_rows && !scan->chosen_rows)
		stage[n++] = (shown_stage) {
			below != NULL ? "groups over windows" : "groups", below, scan, scan
		};
	else
		stage[n++] = (shown_stage) {
			below != NULL ? "windows" : "rows", below, scan, NULL
		};
	if (scan->chosen_rows)
		stage[n++] = (shown_stage) {"groups over windows", NULL, NULL, scan};
	return n;
}

static int
find_all_stages(const gs_report_scan *scan, shown_stage *stage)
{
	const gs_report_scan *over;
	int			n = find_stages(scan, stage, &over);

	if (over != NULL)
		stage[n++] = (shown_stage) {
			.kind = scan->few ? "values" : "windows", .windows = over
		};
	while (n < scan->totals.stages)
		stage[n++] = (shown_stage) {.kind = "values"};
	return n;
}

/* All executions together.  Rows are those that count, of which groups are made. */
static void
show_stage_work(const gs_stage_work *work, bool of_rows, ExplainState *es)
{
	double		ms = work->us / 1000.0;

	if (es->format != EXPLAIN_FORMAT_TEXT)
	{
		if (es->timing)
			ExplainPropertyFloat("Actual Time", "ms", ms, 3, es);
		ExplainPropertyInteger("Actual Rows", NULL, work->rows, es);
		if (!of_rows)
			ExplainPropertyInteger("Actual Groups", NULL, work->groups, es);
		return;
	}
	appendStringInfoString(es->str, " (actual");
	if (es->timing)
		appendStringInfo(es->str, " time=%.3f", ms);
	appendStringInfo(es->str, " rows=" INT64_FORMAT, work->rows);
	if (!of_rows)
		appendStringInfo(es->str, " groups=" INT64_FORMAT, work->groups);
	appendStringInfoChar(es->str, ')');
}

/*
 * Of the scan of a stage, which is below that of the report: the plan of each scan
 * above it may have the subqueries whose results it is compared with.
 */
static List *
context_of(const gs_report_scan *scan, const gs_report_scan *report,
		   const List *ancestors, ExplainState *es)
{
	List	   *above = list_copy(ancestors);

	for (; report != scan; report = gs_stage_scan(report))
		above = lcons(report->css.ss.ps.plan, above);
	return set_deparse_context_plan(es->deparse_cxt, scan->css.ss.ps.plan,
									above);
}

/*
 * By what it groups and filters.  What is looked up below another scan is told with
 * figures only here, since that one has not been executed by itself.
 */
static void
show_stage_details(const shown_stage *stage, const gs_report_scan *scan,
				   List *ancestors, ExplainState *es)
{
	bool		made = scan->totals.reports > 0;
	bool		prefix = RTABLE_SIZE(es) > 1 || es->verbose;

	if (es->verbose && stage->windows != NULL)
	{
		show_windows(stage->windows, context_of(stage->windows, scan, ancestors, es),
					 prefix, es);
		show_conditions("Window Filter", stage->windows->css.ss.ps.plan->qual,
						stage->windows,
						context_of(stage->windows, scan, ancestors, es), es);
	}
	if (es->verbose && stage->keys != NULL)
		show_keys(stage->keys, context_of(stage->keys, scan, ancestors, es), prefix, es);
	if (es->verbose && stage->filter != NULL)
		show_filter(stage->filter, made, context_of(stage->filter, scan, ancestors, es),
					es);
	else if (made && stage->filter != NULL && stage->filter != scan)
		show_dimensions(stage->filter, true,
						context_of(stage->filter, scan, ancestors, es), es);
	if (es->verbose && stage->keys != NULL)
		show_conditions("Filter", stage->keys->css.ss.ps.plan->qual, stage->keys,
						context_of(stage->keys, scan, ancestors, es), es);
}

static void
show_stage(const shown_stage *stage, int i, const gs_report_scan *scan,
		   List *ancestors, ExplainState *es)
{
	bool		in_text = es->format == EXPLAIN_FORMAT_TEXT;

	ExplainOpenGroup("Stage", NULL, true, es);
	if (in_text)
	{
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfo(es->str, "Stage %d: %s", i + 1, stage->kind);
	}
	else
		ExplainPropertyText("Kind", stage->kind, es);
	if (scan->totals.reports > 0)
		show_stage_work(&scan->totals.stats.stage[i], stage->keys == NULL, es);
	if (in_text)
		appendStringInfoChar(es->str, '\n');
	es->indent += in_text;
	show_stage_details(stage, scan, ancestors, es);
	es->indent -= in_text;
	ExplainCloseGroup("Stage", NULL, true, es);
}

/* In text, without figures and details, one line names the kinds. */
static void
show_stages(const gs_report_scan *scan, List *ancestors, ExplainState *es)
{
	shown_stage stage[GS_STAGES_MAX];
	int			n = find_all_stages(scan, stage);
	bool		made = scan->totals.reports > 0;
	bool		in_text = es->format == EXPLAIN_FORMAT_TEXT;
	StringInfoData kinds;

	if (n == 1 && (scan->dimensions == NIL || !made))
		return;
	if (in_text && !made && !es->verbose)
	{
		initStringInfo(&kinds);
		for (int i = 0; i < n; i++)
			appendStringInfo(&kinds, "%s%s", i > 0 ? ", " : "", stage[i].kind);
		ExplainPropertyText("Stages", kinds.data, es);
		return;
	}
	ExplainOpenGroup("Stages", "Stages", false, es);
	if (in_text)
	{
		appendStringInfoSpaces(es->str, es->indent * 2);
		appendStringInfoString(es->str, "Stages:\n");
	}
	es->indent += in_text;
	for (int i = 0; i < n; i++)
		show_stage(&stage[i], i, scan, ancestors, es);
	es->indent -= in_text;
	ExplainCloseGroup("Stages", "Stages", false, es);
}

/* ----------
 * An execution
 * ----------
 */

/* In text, what did not happen is left out. */
static void
show(const char *label, const char *unit, int64 value, ExplainState *es)
{
	if (value != 0 || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyInteger(label, unit, value, es);
}

static int64
kilobytes(double bytes)
{
	return (int64) ((bytes + 1023) / 1024);
}

static void
show_stats(const gs_report_stats *stats, ExplainState *es)
{
	int64		pages = stats->held_pages + stats->kept_pages +
	stats->read_pages;

	show("Rows Cached", NULL, stats->held_rows, es);
	show("Rows Skipped", NULL, stats->masked_rows, es);
	show("Rows Newly Cached", NULL, stats->kept_rows, es);
	show("Rows Read", NULL, stats->read_rows, es);
	show("Pages Cached", NULL, stats->held_pages, es);
	show("Pages Verified", NULL, stats->verified_pages, es);
	show("Pages Newly Cached", NULL, stats->kept_pages, es);
	show("Pages Read", NULL, stats->read_pages, es);
	show("Pages Not All-Visible", NULL, stats->hidden_pages, es);
	show("Workers Launched", NULL, stats->workers, es);
	show("Cached Size", "kB", kilobytes((double) stats->bytes), es);
	if (stats->hidden_pages * 2 > pages)
		ExplainPropertyText("Hint", "Most pages were not all-visible: VACUUM "
							"would help.", es);
}

/* Together they are the time before the first row. */
static void
show_times(const gs_report_totals *totals, ExplainState *es)
{
	const gs_report_stats *stats = &totals->stats;
	double		rest = totals->total_ms - totals->prepare_ms -
	stats->read_ms - stats->compute_ms - totals->result_ms;

	if (!es->timing)
		return;
	ExplainPropertyFloat("Prepare Time", "ms", totals->prepare_ms, 3, es);
	ExplainPropertyFloat("Read Time", "ms", stats->read_ms, 3, es);
	ExplainPropertyFloat("Compute Time", "ms", stats->compute_ms, 3, es);
	ExplainPropertyFloat("Result Time", "ms", totals->result_ms, 3, es);
	ExplainPropertyFloat("Other Time", "ms", Max(rest, 0), 3, es);
}

void
gs_report_explain(CustomScanState *node, List *ancestors, ExplainState *es)
{
	const gs_report_scan *scan = (const gs_report_scan *) node;
	const gs_report_totals *totals = &scan->totals;
	List	   *context = set_deparse_context_plan(es->deparse_cxt,
												   node->ss.ps.plan, ancestors);

	show_keys(scan, context, RTABLE_SIZE(es) > 1 || es->verbose, es);
	show_windows(scan, context, RTABLE_SIZE(es) > 1 || es->verbose, es);
	show_by_tid(scan, context, RTABLE_SIZE(es) > 1 || es->verbose, es);
	show_filter(scan, totals->reports > 0, context, es);
	show_stages(scan, ancestors, es);
	if (!es->analyze)
	{
		ExplainPropertyText("Ordinary Plan",
							gs_report_waits(unconstify(gs_report_scan *, scan)) ?
							"until reading what it keeps pays" :
							"only if the report cannot be made", es);
		return;
	}
	if (totals->reports > 0)
	{
		ExplainPropertyText("Engine", totals->engine, es);
		ExplainPropertyInteger(scan->of_rows ? "Rows" : "Groups", NULL,
							   totals->groups, es);
		if (scan->top != NIL && totals->sent < totals->groups)
			show("Groups Fetched", NULL, totals->sent, es);
		show("Heap Fetches", NULL, totals->fetches, es);
		show("Grouping Sets Merged", NULL, totals->merged, es);
		show("Earlier Attempts", NULL, totals->tries, es);
		show_stats(&totals->stats, es);
		show("Memory Usage", "kB", kilobytes(totals->memory), es);
		show("Disk Usage", "kB", kilobytes(totals->file), es);
	}
	if (totals->fallbacks > 0)
	{
		ExplainPropertyInteger("Ordinary Plans", NULL, totals->fallbacks, es);
		ExplainPropertyText("Reason", totals->reason, es);
	}
	if (totals->reports > 0 || totals->fallbacks > 0)
		show_times(totals, es);
}
