/*-------------------------------------------------------------------------
 *
 * report_scan.c
 *	  The execution of reports: a custom scan that asks the service, and takes
 *	  the ordinary plan, its child, where the service cannot do it.
 *
 * The first call makes the whole report: it evaluates parameters, reads what
 * the service lacks, and fetches all groups.  From then on nothing can fail
 * but what PostgreSQL computes of the groups, so the child never has to take
 * over in the middle.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "report/chosen_rows.h"
#include "report/report.h"
#include "report/session/runs.h"
#include "report/stages.h"
#include "report/statement.h"
#include "report/tid_fetch.h"
#include "supervisor/shared.h"

/* Which keys and aggregates do the projection and HAVING read? */
static bool *
find_needed(const CustomScan *plan, int entries)
{
	bool	   *needed = palloc0(entries * sizeof *needed);
	Bitmapset  *used = NULL;

	pull_varattnos((Node *) plan->scan.plan.targetlist, INDEX_VAR, &used);
	pull_varattnos((Node *) plan->scan.plan.qual, INDEX_VAR, &used);
	for (int i = 0; i < entries; i++)
		needed[i] = bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber,
								  used);
	return needed;
}

/* How many keys, aggregates and GROUPING()s are there, with TIDs? */
static int
results_of(const gs_report_scan *scan)
{
	return scan->keys + scan->aggregates + scan->groupings;
}

/* What stands for a column of the scan's tuples, in place of it. */
static Node *
resolve(Node *node, void *tlist)
{
	const Var  *var = (const Var *) node;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && var->varno == INDEX_VAR)
		return copyObject((Node *) list_nth_node(TargetEntry, (List *) tlist,
												 var->varattno - 1)->expr);
	return expression_tree_mutator(node, resolve, tlist);
}

/* ----------
 * Plans below
 * ----------
 */

static PlanState *
child_of(const gs_report_scan *scan)
{
	return linitial(scan->css.custom_ps);
}

/*
 * A subquery's plan belongs to all plans of the statement that have the subquery.
 * Another one, or a report, may have executed it, and left it at its end.  (Those of
 * WITH keep their rows.)
 */
static bool
restart_subqueries(PlanState *state, void *context)
{
	ListCell   *cell;

	foreach(cell, list_concat_copy(state->initPlan, state->subPlan))
	{
		const SubPlanState *subquery = lfirst_node(SubPlanState, cell);

		if (subquery->subplan->subLinkType != CTE_SUBLINK)
			gs_plan_restart(subquery->planstate);
	}
	return planstate_tree_walker(state, restart_subqueries, context);
}

/*
 * One of the scan's plans begins later than the statement: as the statement's user, even
 * if another one fetches its rows.
 */
static void
begin_late(gs_report_scan *scan, int which, int eflags)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	EState	   *estate = scan->css.ss.ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);
	PlanState  *state;
	Oid			user;
	int			context;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(scan->user, scan->security_context);
	state = ExecInitNode(list_nth(plan->custom_plans, which), estate, eflags);
	SetUserIdAndSecContext(user, context);
	(void) restart_subqueries(state, NULL);
	lfirst(list_nth_cell(scan->css.custom_ps, which)) = state;
	MemoryContextSwitchTo(old);
}

/*
 * Until it is needed, there is only what EXPLAIN shows of the child, since a hash table
 * for many groups takes longer than the report.  That stays, since of several scans of
 * a WITH query the first that has begun keeps its rows.
 */
static void
prepare_child(gs_report_scan *scan)
{
	if (scan->shown_child != NULL)
		return;
	scan->shown_child = child_of(scan);
	begin_late(scan, 0, scan->eflags);
}

static int
dimension_eflags(int eflags)
{
	return eflags & ~(EXEC_FLAG_REWIND | EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK);
}

/*
 * The scan of a subquery whose groups another scan reads is only shown, and its
 * parameters are not told when they change.  So its dimensions begin anew.
 */
void
gs_report_renew_dimensions(gs_report_scan *scan)
{
	for (int i = 0; i < list_length(scan->dimensions); i++)
	{
		gs_dimension *d = list_nth(scan->dimensions, i);

		ExecEndNode(d->plan);
		begin_late(scan, i + 1, dimension_eflags(scan->eflags &
												 ~EXEC_FLAG_EXPLAIN_ONLY));
		d->plan = list_nth(scan->css.custom_ps, i + 1);
	}
}

static double
rows_of(const List *tables)
{
	double		rows = 0;
	ListCell   *cell;

	foreach(cell, tables)
	{
		HeapTuple	tuple = SearchSysCache1(RELOID,
											ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(tuple))
			continue;
		rows += Max(((Form_pg_class) GETSTRUCT(tuple))->reltuples, 0);
		ReleaseSysCache(tuple);
	}
	return rows;
}

/* Of halves of 32 bits, the high one first. */
static uint64
hash_at(const List *list, int i)
{
	return (uint64) (uint32) list_nth_int(list, i) << 32 |
		(uint32) list_nth_int(list, i + 1);
}

gs_attempt
gs_report_attempt(const CustomScan *plan)
{
	return (gs_attempt) {
		.relation = linitial_oid(gs_report_list(plan, GS_REPORT_RELATIONS)),
		.query = hash_at(gs_report_list(plan, GS_REPORT_HASH), GS_REPORT_HASH_HIGH)
	};
}

static void
begin_dimensions(gs_report_scan *scan, EState *estate, int eflags)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *kinds = gs_report_list(plan, GS_REPORT_JOIN_KINDS);
	List	   *held = gs_report_list(plan, GS_REPORT_JOIN_HELD);
	List	   *costs = gs_report_list(plan, GS_REPORT_COSTS);
	double		rows = kinds == NIL ? 0 : rows_of(scan->tables);

	scan->saving = list_nth_int(costs, GS_REPORT_SAVING);
	scan->first_cost = list_nth_int(costs, GS_REPORT_FIRST_COST);
	scan->first_by_workers = list_nth_int(costs, GS_REPORT_FIRST_BY_WORKERS);
	for (int i = 0; i < list_length(kinds); i++)
	{
		List	   *lists = (List *) resolve(list_nth(plan->custom_exprs,
													  GS_REPORT_DIMENSIONS + i),
											 scan->entries);
		gs_dimension *d = palloc0(sizeof *d);

		d->kind = (JoinType) list_nth_int(kinds, i);
		d->outer_keys = linitial(lists);
		d->inner_keys = lsecond(lists);
		d->columns = lthird(lists);
		d->filter = lfourth(lists);
		if (list_nth(held, i) != NIL)
		{
			d->held = linitial_oid(list_nth(held, i));
			d->held_tables = list_copy_tail(list_nth(held, i), 1);
		}
		d->tables = list_nth(gs_report_list(plan, GS_REPORT_JOIN_TABLES), i);
		d->tables_read = list_nth(gs_report_list(plan, GS_REPORT_JOIN_TABLES_READ),
								  i);
		d->cost = list_nth_int(costs, GS_REPORT_READING + i);
		d->guess = hash_at(costs, GS_REPORT_READING + list_length(kinds) + 2 * i);
		d->share = list_nth_int(costs, GS_REPORT_READING + 3 * list_length(kinds) + i) /
			(double) GS_DIMENSION_SHARES;
		d->first_by_workers = list_nth_int(costs, GS_REPORT_READING +
										   5 * list_length(kinds) + i);
		d->outer_rows = rows;
		if (list_nth_int(costs, GS_REPORT_READING + 4 * list_length(kinds) + i) >= 0)
			d->parent = list_nth(scan->dimensions,
								 list_nth_int(costs, GS_REPORT_READING +
											  4 * list_length(kinds) + i));
		d->plan = ExecInitNode(list_nth(plan->custom_plans, i + 1), estate,
							   dimension_eflags(eflags));
		scan->css.custom_ps = lappend(scan->css.custom_ps, d->plan);
		scan->dimensions = lappend(scan->dimensions, d);
	}
	gs_dimensions_relate(scan->dimensions);
}

/*
 * Since 18 EXPLAIN names a window function's window, which it finds in a WindowAgg
 * alone: here it meets calls of the functions in their place, and the entries that
 * a report is made of are kept behind the private lists.  The plan may be executed
 * again; nothing else reads these of it.
 */
static void
hide_window_functions(CustomScan *plan)
{
#if PG_VERSION_NUM >= 180000
	MemoryContext old;
	List	   *shown = NIL;
	ListCell   *cell;

	if (list_length(plan->custom_private) > GS_REPORT_ENTRIES)
		return;
	old = MemoryContextSwitchTo(GetMemoryChunkContext(plan));
	foreach(cell, plan->custom_scan_tlist)
	{
		TargetEntry *entry = copyObject(lfirst_node(TargetEntry, cell));
		const WindowFunc *f = (const WindowFunc *) entry->expr;

		if (IsA(f, WindowFunc))
			entry->expr = (Expr *) makeFuncExpr(f->winfnoid, f->wintype, f->args,
												f->wincollid, f->inputcollid,
												COERCE_EXPLICIT_CALL);
		shown = lappend(shown, entry);
	}
	plan->custom_private = lappend(plan->custom_private,
								   plan->custom_scan_tlist);
	plan->custom_scan_tlist = shown;
	MemoryContextSwitchTo(old);
#else
	(void) plan;
#endif
}

/*
 * What the scan's tuples are; but keys and aggregates with subqueries are translated
 * from others.
 */
static List *
find_entries(const CustomScan *plan)
{
	List	   *tuples = list_length(plan->custom_private) > GS_REPORT_ENTRIES ?
		gs_report_list(plan, GS_REPORT_ENTRIES) : plan->custom_scan_tlist;
	List	   *computed = list_nth(plan->custom_exprs, GS_REPORT_COMPUTED);
	List	   *entries = list_copy(tuples);
	ListCell   *cell;

	if (computed == NIL)
		return tuples;
	computed = (List *) resolve((Node *) computed, tuples);
	computed = list_concat_copy(linitial(computed), lsecond(computed));
	foreach(cell, computed)
	{
		int			i = foreach_current_index(cell);

		lfirst(list_nth_cell(entries, i)) =
			makeTargetEntry(lfirst(cell), (AttrNumber) (i + 1), NULL, false);
	}
	return entries;
}

static List *
aggregates_of(const gs_report_scan *scan)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *aggregates = NIL;

	for (int a = 0; a < scan->aggregates; a++)
		aggregates = lappend(aggregates,
							 list_nth_node(TargetEntry, plan->custom_scan_tlist,
										   scan->keys + a)->expr);
	return aggregates;
}

static void
begin_scan(CustomScanState *node, EState *estate, int eflags)
{
	gs_report_scan *scan = (gs_report_scan *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	List	   *relations = gs_report_list(plan, GS_REPORT_RELATIONS);
	List	   *counts = gs_report_list(plan, GS_REPORT_COUNTS);
	List	   *hash = gs_report_list(plan, GS_REPORT_HASH);
	bool	   *needed;

	if (list_nth_int(counts, GS_REPORT_OF_ROWS) != 0)
		hide_window_functions(plan);

	scan->eflags = eflags;
	GetUserIdAndSecContext(&scan->user, &scan->security_context);

	/* from now on the tables are in use */
	node->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans),
											  estate,
											  eflags | EXEC_FLAG_EXPLAIN_ONLY));
	scan->entries = find_entries(plan);
	scan->relation = linitial_oid(relations);
	scan->tables = list_copy_tail(relations, 1);
	begin_dimensions(scan, estate, eflags);
	scan->shown = list_nth_int(counts, GS_REPORT_KEYS);
	scan->functions = list_nth_int(counts, GS_REPORT_AGGREGATES);
	scan->of_rows = list_nth_int(counts, GS_REPORT_OF_ROWS) != 0;
	scan->order = list_nth_int(counts, GS_REPORT_ORDER);
	scan->first = list_nth_int(counts, GS_REPORT_FIRST);
	scan->limit = list_nth_int(counts, GS_REPORT_LIMIT);
	scan->read_whole = list_nth_int(counts, GS_REPORT_READ_WHOLE) != 0;
	scan->few = scan->of_rows &&
		list_nth(plan->custom_exprs, GS_REPORT_WINDOWS) == NIL;
	scan->tids = list_length(gs_tid_columns(gs_report_list(plan, GS_REPORT_BY_TID),
											list_length(scan->tables)));
	scan->keys = scan->shown +
		(scan->of_rows ? scan->functions + scan->tids : 0);
	scan->aggregates = scan->of_rows ? 0 : scan->functions;
	scan->groupings = list_nth_int(counts, GS_REPORT_GROUPING_CALLS);
	scan->hidden = list_nth_int(counts, GS_REPORT_HIDDEN_SETS);
	scan->stages = list_nth_int(counts, GS_REPORT_STAGES);
	scan->chosen_rows = !scan->of_rows &&
		gs_has_chosen_rows(aggregates_of(scan));
	scan->ordered = list_nth_int(counts, GS_REPORT_ORDERED) != 0;
	scan->top = gs_report_list(plan, GS_REPORT_TOP);
	scan->attempt = gs_report_attempt(plan);
	scan->parametric = list_nth_int(hash, GS_REPORT_HASH_PARAMETERS) != 0;
	needed = find_needed(plan, results_of(scan));
	scan->fetch = gs_tid_fetch_begin(scan, needed);
	scan->set = gs_report_make_sets(gs_report_list(plan, GS_REPORT_SETS),
									gs_report_list(plan, GS_REPORT_GROUPINGS),
									scan->hidden != 0, scan->keys, scan->aggregates,
									needed, &scan->sets);
	scan->context = AllocSetContextCreate(estate->es_query_cxt,
										  "gpuscan report",
										  ALLOCSET_DEFAULT_SIZES);
	gs_statement_add_scan(scan, estate, eflags);
}

static void
free_report(gs_report_scan *scan)
{
	gs_report_free_sets(scan->set, scan->sets + scan->hidden, &scan->memory);
	MemoryContextReset(scan->context);
}

static void
make_report(gs_report_scan *scan)
{
	MemoryContext old = MemoryContextSwitchTo(scan->context);
	bool		made;

	memset(&scan->run, 0, sizeof scan->run);
	gs_report_memory_init(&scan->memory);
	made = gs_report_make(scan);
	MemoryContextSwitchTo(old);
	if (made)
		scan->source = GS_REPORT_GROUPS;
	else
	{
		/* what has been lost must not take memory beside the ordinary plan's */
		free_report(scan);
		prepare_child(scan);
		scan->source = GS_REPORT_CHILD;
		scan->totals.fallbacks++;
		gs_shared_count(GS_REPORTS_ORDINARY);
		strlcpy(scan->totals.reason, scan->run.reason,
				sizeof scan->totals.reason);
		ereport(DEBUG1,
				(errmsg_internal("gpuscan makes no report: %s",
								 scan->run.reason)));
	}
}

/* The next group, of this or the next set. */
static bool
next_group(gs_report_scan *scan, TupleTableSlot *slot)
{
	while (!gs_report_set_next(&scan->set[scan->current], slot->tts_values,
							   slot->tts_isnull))
	{
		if (scan->current + 1 == scan->sets)
			return false;
		scan->current++;
	}
	if (scan->fetch != NULL)
		gs_tid_fetch_row(scan->fetch, slot);
	return true;
}

static TupleTableSlot *
next_of_child(gs_report_scan *scan)
{
	instr_time	start;
	instr_time	end;
	TupleTableSlot *slot;

	if (!scan->waits)
		return ExecProcNode(child_of(scan));
	INSTR_TIME_SET_CURRENT(start);
	slot = ExecProcNode(child_of(scan));
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	scan->child_ms += INSTR_TIME_GET_MILLISEC(end);
	return slot;
}

/* The child's tuples are the scan's, but for the columns behind. */
static bool
copy_child(gs_report_scan *scan, TupleTableSlot *slot)
{
	TupleTableSlot *from = next_of_child(scan);
	int			n = results_of(scan) - scan->tids;

	if (TupIsNull(from))
		return false;
	slot_getallattrs(from);
	memcpy(slot->tts_values, from->tts_values, n * sizeof(Datum));
	memcpy(slot->tts_isnull, from->tts_isnull, n * sizeof(bool));
	return true;
}

static TupleTableSlot *
next_tuple(ScanState *node)
{
	gs_report_scan *scan = (gs_report_scan *) node;
	TupleTableSlot *slot = node->ss_ScanTupleSlot;

	if (scan->source == GS_REPORT_NOT_MADE)
	{
		/* what is not needed, and the columns behind, stay NULL */
		memset(slot->tts_isnull, true,
			   slot->tts_tupleDescriptor->natts * sizeof(bool));
		make_report(scan);
	}
	ExecClearTuple(slot);
	if (scan->source == GS_REPORT_GROUPS ?
		next_group(scan, slot) :
		copy_child(scan, slot))
		ExecStoreVirtualTuple(slot);
	return slot;
}

/*
 * Where a row is checked again because it was updated meanwhile (EvalPlanQual),
 * servers before 13.23, 14.20, 15.15, 16.11, 17.7 and 18.1 call this for a
 * subquery's scan that has no relation, instead of the function above.
 */
static bool
recheck(ScanState *node, TupleTableSlot *slot)
{
	next_tuple(node);
	return !TTS_EMPTY(slot);
}

static TupleTableSlot *
execute_scan(CustomScanState *node)
{
	return ExecScan(&node->ss, next_tuple, recheck);
}

static void
forget(gs_report_scan *scan)
{
	free_report(scan);
	scan->source = GS_REPORT_NOT_MADE;
	if (scan->waits)
		gs_runs_of(&scan->attempt)->ordinary_ms = scan->child_ms;
	scan->waits = false;
	scan->child_ms = 0;
}

/* Without new parameters the groups are the same. */
static void
rescan(CustomScanState *node)
{
	gs_report_scan *scan = (gs_report_scan *) node;
	ListCell   *cell;

	if (node->ss.ps.chgParam != NULL)
	{
		foreach(cell, node->custom_ps)
			UpdateChangedParamSet(lfirst(cell), node->ss.ps.chgParam);
	}
	if (scan->source == GS_REPORT_GROUPS && node->ss.ps.chgParam == NULL)
	{
		gs_report_rewind_sets(scan->set, scan->sets);
		scan->current = 0;
	}
	else
	{
		if (scan->source == GS_REPORT_CHILD && child_of(scan)->chgParam == NULL)
			ExecReScan(child_of(scan));
		forget(scan);
	}
	ExecScanReScan(&node->ss);
}

static void
end_scan(CustomScanState *node)
{
	gs_report_scan *scan = (gs_report_scan *) node;
	ListCell   *cell;

	forget(scan);
	gs_tid_fetch_end(scan->fetch);
	MemoryContextDelete(scan->context);
	foreach(cell, node->custom_ps)
		ExecEndNode(lfirst(cell));
	ExecEndNode(scan->shown_child);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "GpuscanReport",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = execute_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = gs_report_explain,
};

bool
gs_report_is_scan(const PlanState *state)
{
	return IsA(state, CustomScanState) &&
		((const CustomScanState *) state)->methods == &exec_methods;
}

static Node *
create_state(CustomScan *plan pg_attribute_unused())
{
	gs_report_scan *scan = palloc0(sizeof *scan);

	NodeSetTag(scan, T_CustomScanState);
	scan->css.methods = &exec_methods;
	return (Node *) scan;
}

const CustomScanMethods gs_report_scan_methods = {
	.CustomName = "GpuscanReport",
	.CreateCustomScanState = create_state,
};
