/*-------------------------------------------------------------------------
 *
 * support.c
 *	  Planner support: estimates of a call's cost and number of rows.
 *
 * COST in the SQL script is for an array of ten thousand elements.  Where the
 * planner can see the size of the array (a constant, or a column whose values
 * are stored in line), the estimate is scaled to that size.  For values stored
 * out of line, the statistics show only the width of a TOAST pointer, and the
 * declared COST stays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* The number of elements that COST is for. */
#define COST_ELEMENTS	10000

PG_FUNCTION_INFO_V1(gpuscan_support);

/* Size of an array-valued expression in bytes, or 0 if unknown. */
static double
array_bytes(PlannerInfo *root, Node *node)
{
	node = strip_implicit_coercions(node);
	if (IsA(node, Const) && !((Const *) node)->constisnull)
		return toast_raw_datum_size(((Const *) node)->constvalue);
	if (IsA(node, Var) && root != NULL)
	{
		Var		   *var = (Var *) node;
		RangeTblEntry *rte;
		int32		width;

		if (IS_SPECIAL_VARNO(var->varno) || var->varlevelsup > 0)
			return 0;
		rte = planner_rt_fetch(var->varno, root);
		if (rte->rtekind != RTE_RELATION || var->varattno <= 0)
			return 0;
		width = get_attavgwidth(rte->relid, var->varattno);
		return width > (int32) TOAST_POINTER_SIZE ? width : 0;
	}
	return 0;
}

/* Number of elements of an array-valued expression, or -1 if unknown. */
static double
array_elements(PlannerInfo *root, Node *node)
{
	Oid			element = get_element_type(exprType(node));
	double		bytes;
	int			width;

	if (IsA(node, ArrayExpr) && !((ArrayExpr *) node)->multidims)
		return list_length(((ArrayExpr *) node)->elements);
	width = get_typlen(element);
	bytes = array_bytes(root, node);
	if (width <= 0 || bytes == 0)
		return -1;
	return Max(bytes - ARR_OVERHEAD_NONULLS(1), 0) / width;
}

static double
declared_cost(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	double		result;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	result = ((Form_pg_proc) GETSTRUCT(tuple))->procost;
	ReleaseSysCache(tuple);
	return result;
}

static bool
answer_cost(SupportRequestCost *request)
{
	double		elements;
	double		cost;

	if (request->node == NULL || !IsA(request->node, FuncExpr))
		return false;
	elements = array_elements(request->root,
							  linitial(((FuncExpr *) request->node)->args));
	if (elements < 0)
		return false;
	cost = declared_cost(request->funcid) * elements / COST_ELEMENTS;
	request->startup = 0;
	request->per_tuple = Max(cost, 1) * cpu_operator_cost;
	return true;
}

/*
 * gpu_histogram_table: a row for each bucket, and two more.
 * gpuscan_plot: a row for each count.
 * gpu_group and others: no more than a row for each value.
 */
static bool
answer_rows(SupportRequestRows *request)
{
	List	   *args;
	Node	   *last;

	if (request->node == NULL || !IsA(request->node, FuncExpr))
		return false;
	args = ((FuncExpr *) request->node)->args;
	if (list_length(args) == 4)
	{
		last = estimate_expression_value(request->root, lfourth(args));
		if (!IsA(last, Const) || ((Const *) last)->constisnull)
			return false;
		request->rows =
			clamp_row_est(DatumGetInt32(((Const *) last)->constvalue) + 2.0);
		return true;
	}

	/* there is one more edge than buckets */
	last = list_length(args) == 2 ? lsecond(args) : linitial(args);
	last = estimate_expression_value(request->root, last);
	request->rows = array_elements(request->root, last);
	if (request->rows < 0)
		return false;
	request->rows = clamp_row_est(request->rows + (list_length(args) == 2));
	return true;
}

Datum
gpuscan_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	bool		answered = false;

	if (IsA(request, SupportRequestCost))
		answered = answer_cost((SupportRequestCost *) request);
	else if (IsA(request, SupportRequestRows))
		answered = answer_rows((SupportRequestRows *) request);
	PG_RETURN_POINTER(answered ? request : NULL);
}
