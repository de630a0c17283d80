/*-------------------------------------------------------------------------
 *
 * ahead_scan.c
 *	  The execution: rows of the child, read some ahead, and the reductions of
 *	  their arrays, asked for at once.
 *
 * The results go to call/answers.h, where the calls find them.  An array that
 * the service has not cached has none, and its calls do what they would do
 * without this scan: load the array, or compute on the CPU.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif
#include "commands/explain.h"
#include "executor/executor.h"
#include "utils/ruleutils.h"

#include "ahead/ahead.h"
#include "array/array.h"
#include "call/answers.h"
#include "client/reductions.h"
#include "pg/settings.h"
#include "supervisor/cost.h"

/* Rows that are read ahead at most. */
#define ROWS_MAX	GS_REDUCE_ARRAYS

/* A reduction of a column. */
typedef struct ask
{
	AttrNumber	column;			/* of the child's rows */
	gs_kind		kind;
} ask;

typedef struct ahead_scan
{
	CustomScanState css;
	ScanState  *table;			/* which knows the rows' places, or NULL */
	ask		   *ask;			/* those of one column follow each other */
	int			asks;
	TupleTableSlot *slot[ROWS_MAX];
	int			rows;			/* read */
	int			given;			/* of these */
	int			wanted;			/* grows, since LIMIT may stop us soon */
	bool		ended;			/* the child has no more */
	gs_answers *answers;
	MemoryContext answers_context;
	MemoryContext context;		/* of one batch */

	/* for EXPLAIN ANALYZE */
	int64		reductions;		/* that were asked for */
	int64		answered;		/* of these, whose arrays were cached */
} ahead_scan;

/* The arrays of a column that may be cached. */
typedef struct arrays
{
	int			count;
	gs_type		type;
	struct varatt_external pointer[ROWS_MAX];
	gs_reduce_array array[ROWS_MAX];
} arrays;

static int
compare_asks(const void *a, const void *b)
{
	const ask  *x = a;
	const ask  *y = b;

	return x->column != y->column ? x->column - y->column :
		(int) x->kind - (int) y->kind;
}

/* Several functions are made of the same reduction. */
static void
find_asks(ahead_scan *scan, List *calls)
{
	ask		   *all = palloc(list_length(calls) * sizeof(ask));
	int			n = 0;
	ListCell   *cell;

	foreach(cell, calls)
	{
		const FuncExpr *call = lfirst(cell);
		const Var  *column;

		/* one that the child computes has become a column */
		if (!IsA(call, FuncExpr))
			continue;
		column = gs_ahead_argument(call);
		if (column != NULL && gs_ahead_kind(call->funcid, &all[n].kind))
			all[n++].column = column->varattno;
	}
	qsort(all, n, sizeof(ask), compare_asks);
	scan->ask = all;
	for (int i = 0; i < n; i++)
	{
		if (i == 0 || compare_asks(&all[i], &all[i - 1]) != 0)
			all[scan->asks++] = all[i];
	}
}

/* The scan of the table, below what is evaluated once. */
static ScanState *
find_table(PlanState *child)
{
	while (IsA(child, ResultState) && outerPlanState(child) != NULL)
		child = outerPlanState(child);
	switch (nodeTag(child))
	{
		case T_SeqScanState:
		case T_SampleScanState:
		case T_IndexScanState:
		case T_BitmapHeapScanState:
		case T_TidScanState:
#if PG_VERSION_NUM >= 140000
		case T_TidRangeScanState:
#endif
			return (ScanState *) child;
		default:
			return NULL;
	}
}

static void
begin_ahead(CustomScanState *node, EState *estate, int eflags)
{
	ahead_scan *scan = (ahead_scan *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	TupleDesc	columns = node->ss.ss_ScanTupleSlot->tts_tupleDescriptor;

	node->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans),
											  estate, eflags));
	scan->table = find_table(linitial(node->custom_ps));
	find_asks(scan, plan->custom_exprs);
	for (int i = 0; i < ROWS_MAX; i++)
		scan->slot[i] = ExecInitExtraTupleSlot(estate, columns, &TTSOpsVirtual);
	scan->wanted = 1;
	scan->context = AllocSetContextCreate(estate->es_query_cxt,
										  "gpuscan ahead",
										  ALLOCSET_DEFAULT_SIZES);
	scan->answers_context = AllocSetContextCreate(estate->es_query_cxt,
												  "gpuscan answers",
												  ALLOCSET_DEFAULT_SIZES);
	scan->answers = gs_answers_open(scan->answers_context);
}

/* Read rows, as far as wanted. */
static void
read_rows(ahead_scan *scan)
{
	PlanState  *child = linitial(scan->css.custom_ps);

	scan->rows = 0;
	scan->given = 0;
	while (scan->rows < scan->wanted && !scan->ended)
	{
		TupleTableSlot *row = ExecProcNode(child);

		if (TupIsNull(row))
			scan->ended = true;
		else
		{
			TupleTableSlot *copy = ExecCopySlot(scan->slot[scan->rows++], row);

			if (scan->table == NULL)
				continue;

			/* for WHERE CURRENT OF */
			copy->tts_tid = scan->table->ss_ScanTupleSlot->tts_tid;
			copy->tts_tableOid = scan->table->ss_ScanTupleSlot->tts_tableOid;
		}
	}
}

static void
find_arrays(ahead_scan *scan, AttrNumber column, arrays *found)
{
	found->count = 0;
	for (int i = 0; i < scan->rows; i++)
	{
		bool		isnull;
		Datum		value = slot_getattr(scan->slot[i], column, &isnull);
		gs_reduce_array *to = &found->array[found->count];
		gs_array	a = {0};

		if (isnull || !gs_array_open_if_identified(&a, value))
			continue;
		if (found->count == 0)
			found->type = a.type;
		if (a.n > 0 && a.n <= GS_REDUCE_ELEMENTS && a.type == found->type)
		{
			gs_array_describe(&a, &to->argument);
			to->n = a.n;
			found->pointer[found->count++] = a.pointer;
		}
		gs_array_close(&a);
	}
}

/* Would the CPU take longer for all of them than the service for the question? */
static bool
is_worth_asking(const gs_op *op, const arrays *of)
{
	gs_estimate estimate;
	double		cpu = 0;
	double		gpu = 0;

	if (gs_engine_setting != GS_ENGINE_AUTO)
		return gs_engine_setting == GS_ENGINE_GPU;
	for (int i = 0; i < of->count; i++)
	{
		gs_estimate_cached(op, of->array[i].n, &estimate);
		cpu += estimate.cpu;
		gpu = Max(gpu, estimate.gpu);
	}
	return cpu > gpu;
}

/* False if none of the arrays is cached. */
static bool
ask_service(ahead_scan *scan, const gs_op *op, const arrays *of)
{
	gs_result  *result = palloc(of->count * sizeof(gs_result));
	uint32		cached;

	if (!is_worth_asking(op, of) ||
		!gs_reductions_ask(op, of->count, of->array, &cached, result))
		return false;
	scan->reductions += of->count;
	for (int i = 0; i < of->count; i++)
	{
		if ((cached & (UINT32_C(1) << i)) == 0)
			continue;
		gs_answers_add(scan->answers, &of->pointer[i], of->type, op->kind,
					   result++);
		scan->answered++;
	}
	return cached != 0;
}

/* Ask for the reductions of all rows that were read. */
static void
ask_ahead(ahead_scan *scan)
{
	MemoryContext old = MemoryContextSwitchTo(scan->context);
	arrays	   *of = palloc(sizeof(arrays));

	for (int i = 0; i < scan->asks; i++)
	{
		gs_op		op = {.kind = scan->ask[i].kind};
		AttrNumber	column = scan->ask[i].column;

		if (i == 0 || column != scan->ask[i - 1].column)
			find_arrays(scan, column, of);
		op.type = of->type;
		if (of->count > 0 && !ask_service(scan, &op, of))
			of->count = 0;
	}
	MemoryContextSwitchTo(old);
	MemoryContextReset(scan->context);
}

static TupleTableSlot *
next_row(ahead_scan *scan)
{
	if (scan->given == scan->rows)
	{
		gs_answers_clear(scan->answers);
		read_rows(scan);
		if (scan->rows == 0)
			return NULL;

		/* for one row the calls themselves are as good */
		if (scan->rows > 1)
			ask_ahead(scan);
		scan->wanted = Min(2 * scan->wanted, ROWS_MAX);
	}
	return scan->slot[scan->given++];
}

static TupleTableSlot *
execute_ahead(CustomScanState *node)
{
	ScanState  *ss = &node->ss;
	ExprContext *context = ss->ps.ps_ExprContext;
	TupleTableSlot *row;

	ResetExprContext(context);
	row = next_row((ahead_scan *) node);
	if (row == NULL)
		return ss->ps.ps_ProjInfo == NULL ? NULL :
			ExecClearTuple(ss->ps.ps_ProjInfo->pi_state.resultslot);
	ss->ss_ScanTupleSlot = row;
	if (ss->ps.ps_ProjInfo == NULL)
		return row;
	context->ecxt_scantuple = row;
	return ExecProject(ss->ps.ps_ProjInfo);
}

static void
end_ahead(CustomScanState *node)
{
	ahead_scan *scan = (ahead_scan *) node;

	ExecEndNode(linitial(node->custom_ps));
	MemoryContextDelete(scan->answers_context);
	MemoryContextDelete(scan->context);
}

static void
rescan_ahead(CustomScanState *node)
{
	ahead_scan *scan = (ahead_scan *) node;
	PlanState  *child = linitial(node->custom_ps);

	gs_answers_clear(scan->answers);
	scan->rows = 0;
	scan->given = 0;
	scan->wanted = 1;
	scan->ended = false;
	if (node->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(child, node->ss.ps.chgParam);
	if (child->chgParam == NULL)
		ExecReScan(child);
}

static void
explain_ahead(CustomScanState *node, List *ancestors, ExplainState *es)
{
	ahead_scan *scan = (ahead_scan *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	List	   *context = set_deparse_context_plan(es->deparse_cxt, &plan->scan.plan,
												   ancestors);
	List	   *calls = NIL;
	ListCell   *cell;

	foreach(cell, plan->custom_exprs)
		calls = lappend(calls, deparse_expression(lfirst(cell), context,
												  es->verbose, false));
	ExplainPropertyList("Prefetched", calls, es);
	if (!es->analyze)
		return;
	ExplainPropertyInteger("Reductions Requested", NULL, scan->reductions, es);
	ExplainPropertyInteger("Reductions Answered", NULL, scan->answered, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "GpuscanPrefetch",
	.BeginCustomScan = begin_ahead,
	.ExecCustomScan = execute_ahead,
	.EndCustomScan = end_ahead,
	.ReScanCustomScan = rescan_ahead,
	.ExplainCustomScan = explain_ahead
};

static Node *
create_state(CustomScan *plan pg_attribute_unused())
{
	ahead_scan *scan = (ahead_scan *) newNode(sizeof(ahead_scan),
											  T_CustomScanState);

	scan->css.methods = &exec_methods;
	return (Node *) scan;
}

const CustomScanMethods gs_ahead_scan_methods = {
	.CustomName = "GpuscanPrefetch",
	.CreateCustomScanState = create_state
};
