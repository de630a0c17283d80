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

#include "report/report.h"
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
kind_of_lookup(const gs_dimension *d)
{
	switch (d->kind)
	{
		case JOIN_LEFT:
			return "Left Look-up";
		case JOIN_SEMI:
			return "Semi Look-up";
		case JOIN_ANTI:
			return "Anti Look-up";
		default:
			return "Look-up";
	}
}

/* By which keys rows look up those of a dimension, whose plan is a child. */
static void
show_dimension(const gs_report_scan *scan, int i, List *context,
			   ExplainState *es)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	const gs_dimension *d = list_nth(scan->dimensions, i);
	List	   *lists = list_nth(plan->custom_exprs, GS_REPORT_DIMENSIONS + i);
	StringInfoData text;
	ListCell   *outer;
	ListCell   *inner;

	initStringInfo(&text);
	forboth(outer, (List *) linitial(lists), inner, (List *) lsecond(lists))
		appendStringInfo(&text, "%s%s = %s", text.len > 0 ? ", " : "",
						 deparse_expression(lfirst(outer), context, true, false),
						 deparse_expression(lfirst(inner), context, true, false));
	ExplainPropertyText(kind_of_lookup(d), text.len > 0 ? text.data : "one row",
						es);
}

/* The plan's qual, HAVING, is shown by PostgreSQL as the filter. */
static void
show_filter(const gs_report_scan *scan, List *context, ExplainState *es)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *quals = list_nth(plan->custom_exprs, GS_REPORT_FILTER);

	if (quals != NIL)
		ExplainPropertyText("Row Filter",
							deparse_expression((Node *) make_ands_explicit(quals),
											   context, es->verbose ||
											   scan->dimensions != NIL, false), es);
	for (int i = 0; i < list_length(scan->dimensions); i++)
		show_dimension(scan, i, context, es);
}

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
	show_filter(scan, context, es);
	if (scan->stages > 1)
		ExplainPropertyInteger("Stages", NULL, scan->stages, es);
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
