/*-------------------------------------------------------------------------
 *
 * tid_fetch.c
 *	  What a report's rows show of their table that the service does not have.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/attmap.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteManip.h"
#include "utils/rel.h"
#include "utils/spccache.h"

#include "report/tid_fetch.h"
#include "report/windows.h"

/* What is computed of a row that is fetched. */
typedef struct fetched_column
{
	int			number;			/* of the scan's tuples */
	Expr	   *expression;
	bool		of_other;		/* the row whose TID the tuple has in place of it */
} fetched_column;

/* One of the tables that rows may be of. */
typedef struct fetched_table
{
	Oid			oid;
	Relation	relation;		/* NULL: no row of it has come yet */
	TupleTableSlot *slot;		/* the row itself */
	TupleTableSlot **other;		/* of each column: the other row; or NULL */
	ExprState **state;			/* of each column */
} fetched_table;

struct gs_tid_fetch
{
	gs_report_scan *scan;
	int			columns;
	fetched_column *column;
	int			tid;			/* number of the rows' TIDs; their tables follow */
	int			tables;
	fetched_table *table;		/* by OID */
	fetched_table *last;
};

/* ----------
 * Planning
 * ----------
 */

bool
gs_tid_fetchable(const gs_report_query *q, Node *expression)
{
	ListCell   *cell;

	/* a subquery needs a plan node, which open_table has not */
	if (q->stage != NULL || contain_subplans(expression))
		return false;
	foreach(cell, pull_var_clause(expression, PVC_INCLUDE_AGGREGATES |
								  PVC_INCLUDE_WINDOWFUNCS |
								  PVC_INCLUDE_PLACEHOLDERS))
	{
		const Var  *var = lfirst(cell);

		if (!IsA(var, Var) || var->varlevelsup != 0 ||
			(Index) var->varno != q->fact->relid)
			return false;
	}
	return true;
}

/* Does the function give a value of another row, or NULL? */
static bool
gives_other(const WindowFunc *call)
{
	const Const *by_default = list_length(call->args) < 3 ? NULL :
		(const Const *) lthird(call->args);

	return gs_window_chooses(call) &&
		(by_default == NULL ||
		 (IsA(by_default, Const) && by_default->constisnull));
}

bool
gs_tid_fetch_plan(gs_report_query *q, bool functions)
{
	int			number = 0;
	ListCell   *cell;

	q->by_tid = NIL;
	foreach(cell, q->keys)
	{
		if (contain_var_clause(lfirst(cell)) && gs_tid_fetchable(q, lfirst(cell)))
			q->by_tid = lappend_int(q->by_tid, number);
		number++;
	}

	/* of several tables, the other row's would have to be known, too */
	if (!functions || list_length(q->tables) > 1)
		return !functions && q->by_tid != NIL;
	functions = false;
	foreach(cell, q->aggregates)
	{
		const WindowFunc *call = lfirst_node(WindowFunc, cell);

		if (gives_other(call) && gs_tid_fetchable(q, linitial(call->args)))
		{
			q->by_tid = lappend_int(q->by_tid, number);
			functions = true;
		}
		number++;
	}
	return functions;
}

/* Pages are in no order, but some may be met again. */
Cost
gs_tid_fetch_cost(const gs_report_query *q)
{
	double		rows = gs_windows_rows(q, q->rows);
	double		pages = 0;
	double		page_cost;
	int			times = 1;
	ListCell   *cell;

	foreach(cell, q->tables)
		pages += ((const RelOptInfo *) lfirst(cell))->pages;
	foreach(cell, q->by_tid)
		times += lfirst_int(cell) >= list_length(q->keys);
	rows *= times;
	get_tablespace_page_costs(q->fact->reltablespace, &page_cost, NULL);
	return rows * cpu_tuple_cost + page_cost *
		index_pages_fetched(Max(rows, 1), (BlockNumber) Min(pages, MaxBlockNumber),
							0, q->root);
}

List *
gs_tid_columns(const List *by_tid, int tables)
{
	List	   *columns = NIL;

	if (by_tid != NIL)
		columns = list_make1(makeNullConst(INT8OID, -1, InvalidOid));
	if (by_tid != NIL && tables > 1)
		columns = lappend(columns, makeNullConst(INT4OID, -1, InvalidOid));
	return columns;
}

AttrNumber
gs_tid_attribute(const Expr *column)
{
	return exprType((const Node *) column) == INT8OID ?
		SelfItemPointerAttributeNumber : TableOidAttributeNumber;
}

/* ----------
 * Executing
 * ----------
 */

static int
compare_tables(const void *a, const void *b)
{
	Oid			x = ((const fetched_table *) a)->oid;
	Oid			y = ((const fetched_table *) b)->oid;

	return (x > y) - (x < y);
}

gs_tid_fetch *
gs_tid_fetch_begin(gs_report_scan *scan, bool *needed)
{
	const CustomScan *plan = (CustomScan *) scan->css.ss.ps.plan;
	List	   *by_tid = gs_report_list(plan, GS_REPORT_BY_TID);
	gs_tid_fetch *f;
	ListCell   *cell;

	if (by_tid == NIL)
		return NULL;
	f = palloc0(sizeof *f);
	f->scan = scan;
	f->column = palloc0(list_length(by_tid) * sizeof *f->column);
	f->tid = scan->shown + scan->functions;
	foreach(cell, by_tid)
	{
		fetched_column *c = &f->column[f->columns];
		Expr	   *expression;

		c->number = lfirst_int(cell);
		expression = list_nth_node(TargetEntry, scan->entries,
								   c->number)->expr;
		c->of_other = IsA(expression, WindowFunc);
		c->expression = !c->of_other ? expression :
			linitial(((const WindowFunc *) expression)->args);
		if (!needed[c->number])
			continue;
		f->columns++;
		if (c->of_other)
			continue;
		needed[c->number] = false;
		needed[f->tid] = true;
		if (list_length(scan->tables) > 1)
			needed[f->tid + 1] = true;
	}
	f->table = palloc0(list_length(scan->tables) * sizeof *f->table);
	foreach(cell, scan->tables)
		f->table[f->tables++].oid = lfirst_oid(cell);
	qsort(f->table, f->tables, sizeof *f->table, compare_tables);
	f->last = f->table;
	return f;
}

List *
gs_tid_fetched(const gs_tid_fetch *f)
{
	List	   *numbers = NIL;

	for (int c = 0; f != NULL && c < f->columns; c++)
		numbers = lappend_int(numbers, f->column[c].number);
	return numbers;
}

/* In the table's own attribute numbers: a partition's may differ. */
static Expr *
expression_of(const gs_tid_fetch *f, const fetched_table *t, Expr *expression)
{
	const List *vars = pull_var_clause((Node *) expression, 0);
	Relation	named;
	AttrMap    *map;
	bool		whole;

	if (t->oid == f->scan->relation || vars == NIL)
		return expression;
	named = table_open(f->scan->relation, AccessShareLock);
#if PG_VERSION_NUM >= 160000
	map = build_attrmap_by_name(RelationGetDescr(t->relation),
								RelationGetDescr(named), false);
#else
	map = build_attrmap_by_name(RelationGetDescr(t->relation),
								RelationGetDescr(named));
#endif
	table_close(named, NoLock);
	return (Expr *) map_variable_attnos((Node *) expression,
										linitial_node(Var, vars)->varno, 0, map,
										t->relation->rd_rel->reltype, &whole);
}

static void
open_table(gs_tid_fetch *f, fetched_table *t)
{
	EState	   *estate = f->scan->css.ss.ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);

	t->relation = table_open(t->oid, AccessShareLock);
	t->slot = table_slot_create(t->relation, NULL);
	t->other = palloc0(f->columns * sizeof *t->other);
	t->state = palloc0(f->columns * sizeof *t->state);
	for (int c = 0; c < f->columns; c++)
	{
		/* of no plan node: the slots are of other kinds than the scan's */
		t->state[c] = ExecInitExpr(expression_of(f, t, f->column[c].expression),
								   NULL);
		if (f->column[c].of_other)
			t->other[c] = table_slot_create(t->relation, NULL);
	}
	MemoryContextSwitchTo(old);
}

static fetched_table *
find_table(gs_tid_fetch *f, Oid oid)
{
	const fetched_table key = {.oid = oid};

	if (f->last->oid != oid)
	{
		fetched_table *t = bsearch(&key, f->table, f->tables, sizeof key,
								   compare_tables);

		if (t == NULL)
			elog(ERROR, "a report's row is of another table");
		f->last = t;
	}
	if (f->last->relation == NULL)
		open_table(f, f->last);
	return f->last;
}

static void
fetch(gs_tid_fetch *f, const fetched_table *t, int64 number,
	  TupleTableSlot *slot)
{
	ItemPointerData tid;

	gs_tid_of_number(number, &tid);
	if (!table_tuple_fetch_row_version(t->relation, &tid,
									   f->scan->css.ss.ps.state->es_snapshot,
									   slot))
		elog(ERROR, "a report's row (%u,%u) is not in \"%s\"",
			 ItemPointerGetBlockNumber(&tid), ItemPointerGetOffsetNumber(&tid),
			 RelationGetRelationName(t->relation));
	f->scan->totals.fetches++;
}

void
gs_tid_fetch_row(gs_tid_fetch *f, TupleTableSlot *slot)
{
	ExprContext *context = f->scan->css.ss.ps.ps_ExprContext;
	Datum	   *values = slot->tts_values;
	fetched_table *t;

	if (f->columns == 0)
		return;
	t = find_table(f, f->tables == 1 ? f->table->oid :
				   (Oid) DatumGetInt32(values[f->tid + 1]));
	if (!slot->tts_isnull[f->tid])
		fetch(f, t, DatumGetInt64(values[f->tid]), t->slot);
	for (int c = 0; c < f->columns; c++)
	{
		int			number = f->column[c].number;

		context->ecxt_scantuple = t->slot;
		if (f->column[c].of_other)
		{
			if (slot->tts_isnull[number])
				continue;
			fetch(f, t, DatumGetInt64(values[number]), t->other[c]);
			context->ecxt_scantuple = t->other[c];
		}
		values[number] = ExecEvalExprSwitchContext(t->state[c], context,
												   &slot->tts_isnull[number]);
	}
}

void
gs_tid_fetch_end(gs_tid_fetch *f)
{
	for (int i = 0; f != NULL && i < f->tables; i++)
	{
		fetched_table *t = &f->table[i];

		if (t->relation == NULL)
			continue;
		ExecDropSingleTupleTableSlot(t->slot);
		for (int c = 0; c < f->columns; c++)
		{
			if (t->other[c] != NULL)
				ExecDropSingleTupleTableSlot(t->other[c]);
		}
		table_close(t->relation, NoLock);
	}
}
