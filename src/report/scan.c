/*-------------------------------------------------------------------------
 *
 * scan.c
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

#include "access/table.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "pg/settings.h"
#include "report/report.h"

static PlanState *
child_of(gs_report_scan *scan)
{
	return linitial(scan->css.custom_ps);
}

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

/* How many keys and aggregates are there? */
static int
results_of(const gs_report_scan *scan)
{
	return scan->shape.keys + scan->shape.aggregates;
}

static void
begin_scan(CustomScanState *node, EState *estate, int eflags)
{
	gs_report_scan *scan = (gs_report_scan *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	List	   *relations = list_nth(plan->custom_private, GS_REPORT_RELATIONS);
	List	   *numbers = list_nth(plan->custom_private, GS_REPORT_NUMBERS);

	node->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans),
											  estate, eflags));
	scan->relation = linitial_oid(relations);
	scan->tables = list_copy_tail(relations, 1);
	scan->shape.keys = linitial_int(numbers);
	scan->shape.aggregates = lsecond_int(numbers);
	scan->shape.needed = find_needed(plan, results_of(scan));
	scan->context = AllocSetContextCreate(estate->es_query_cxt,
										  "gpuscan report",
										  ALLOCSET_DEFAULT_SIZES);
}

static bool
failed(gs_report_scan *scan, const char *reason)
{
	strlcpy(scan->run.reason, reason, sizeof scan->run.reason);
	return false;
}

static Expr *
entry(const CustomScan *plan, int i)
{
	return list_nth_node(TargetEntry, plan->custom_scan_tlist, i)->expr;
}

/* As in planning, but now the values of parameters are known. */
static bool
translate_plan(gs_report_scan *scan, gs_translation *t)
{
	CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	gs_report_shape *shape = &scan->shape;
	gs_type    *key_type = palloc(shape->keys * sizeof *key_type);
	gs_report_aggregate *aggregate = palloc(shape->aggregates *
											sizeof *aggregate);
	bool		ok;

	shape->key_type = key_type;
	shape->aggregate = aggregate;
	gs_translation_init(t, plan->custom_scan_tlist, &scan->css.ss.ps);
	ok = gs_translate_filter(t, plan->custom_exprs, &t->plan.filter);
	for (int k = 0; ok && k < shape->keys; k++)
	{
		Expr	   *key = entry(plan, k);

		ok = gs_translate_key(t, key) &&
			gs_report_type(exprType((Node *) key), &key_type[k]);
	}
	for (int a = 0; ok && a < shape->aggregates; a++)
		ok = gs_report_aggregate_add(t, castNode(Aggref,
												 entry(plan, shape->keys + a)),
									 gs_reports_setting, &aggregate[a]);
	return ok || failed(scan, t->reason != NULL ? t->reason : "it is too long");
}

/* A partition's columns may have other numbers. */
static gs_status
read_table(gs_report_scan *scan, const gs_translation *t, Oid oid,
		   Snapshot snapshot)
{
	AttrNumber	attribute[GS_PLAN_COLUMNS];
	Relation	table = table_open(oid, AccessShareLock);
	gs_status	status;

	for (int c = 0; c < t->plan.columns; c++)
		attribute[c] = oid == scan->relation ? t->attribute[c] :
			get_attnum(oid, get_attname(scan->relation, t->attribute[c],
										false));
	status = gs_report_table(&scan->run, table, attribute, snapshot);
	table_close(table, NoLock);
	return status;
}

static gs_status
execute(gs_report_scan *scan, const gs_translation *t)
{
	gs_report_run *run = &scan->run;
	ListCell   *cell;
	gs_status	status;

	status = gs_report_begin(run, &t->plan,
							 gs_engine_setting == GS_ENGINE_GPU);
	foreach(cell, scan->tables)
	{
		if (status == GS_OK)
			status = read_table(scan, t, lfirst_oid(cell),
								scan->css.ss.ps.state->es_snapshot);
	}
	if (status == GS_OK)
		status = gs_report_finish(run);
	if (status == GS_OK)
		status = gs_report_result_fetch(run, &scan->shape, &scan->result);
	gs_report_end(run);
	return status;
}

static void
add_stats(gs_report_scan *scan)
{
	gs_report_totals *totals = &scan->totals;
	gs_report_stats *to = &totals->stats;
	const gs_report_stats *from = &scan->run.stats;

	totals->reports++;
	totals->groups += scan->run.summary.groups;
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
	to->read_ms += from->read_ms;
	to->compute_ms += from->compute_ms;
}

static bool
ask_service(gs_report_scan *scan)
{
	gs_translation *t = palloc(sizeof *t);

	/* a plan may be older than the settings */
	if (gs_reports_setting == GS_REPORTS_OFF ||
		gs_engine_setting == GS_ENGINE_CPU)
		return failed(scan, "gpuscan's settings have changed");
	if (!translate_plan(scan, t))
		return false;
	if (execute(scan, t) != GS_OK)
		return false;
	add_stats(scan);
	return true;
}

static void
make_report(gs_report_scan *scan)
{
	MemoryContext old = MemoryContextSwitchTo(scan->context);

	memset(&scan->run, 0, sizeof scan->run);
	if (ask_service(scan))
		scan->source = GS_REPORT_GROUPS;
	else
	{
		scan->source = GS_REPORT_CHILD;
		scan->totals.fallbacks++;
		strlcpy(scan->totals.reason, scan->run.reason,
				sizeof scan->totals.reason);
		ereport(DEBUG1,
				(errmsg_internal("gpuscan makes no report: %s",
								 scan->run.reason)));
	}
	MemoryContextSwitchTo(old);
}

/* The child's tuples are the scan's, but for the columns behind. */
static bool
copy_child(gs_report_scan *scan, TupleTableSlot *slot)
{
	TupleTableSlot *from = ExecProcNode(child_of(scan));
	int			n = results_of(scan);

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
		gs_report_result_next(scan->result, slot->tts_values,
							  slot->tts_isnull) :
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
recheck(ScanState *node, TupleTableSlot *slot pg_attribute_unused())
{
	return !TupIsNull(next_tuple(node));
}

static TupleTableSlot *
execute_scan(CustomScanState *node)
{
	return ExecScan(&node->ss, next_tuple, recheck);
}

static void
forget(gs_report_scan *scan)
{
	if (scan->result != NULL)
		gs_report_result_free(scan->result);
	scan->result = NULL;
	scan->source = GS_REPORT_NOT_MADE;
	MemoryContextReset(scan->context);
}

/* Without new parameters the groups are the same. */
static void
rescan(CustomScanState *node)
{
	gs_report_scan *scan = (gs_report_scan *) node;
	PlanState  *child = child_of(scan);

	if (node->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(child, node->ss.ps.chgParam);
	if (scan->source == GS_REPORT_GROUPS && node->ss.ps.chgParam == NULL)
	{
		gs_report_result_rewind(scan->result);
	}
	else
	{
		if (scan->source == GS_REPORT_CHILD && child->chgParam == NULL)
			ExecReScan(child);
		forget(scan);
	}
	ExecScanReScan(&node->ss);
}

static void
end_scan(CustomScanState *node)
{
	gs_report_scan *scan = (gs_report_scan *) node;

	forget(scan);
	MemoryContextDelete(scan->context);
	ExecEndNode(child_of(scan));
}

static const CustomExecMethods exec_methods = {
	.CustomName = "GpuscanReport",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = execute_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = rescan,
	.ExplainCustomScan = gs_report_explain,
};

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
