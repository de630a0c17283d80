/*-------------------------------------------------------------------------
 *
 * support.c
 *	  Planner support: estimates of a call's cost and number of rows, nested
 *	  calls that become one (chain_plan.c), and calls that become others.
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
#include "catalog/pg_statistic.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "functions/elements/chain.h"
#include "functions/elements/searchsorted.h"
#include "functions/planner/mixed.h"

/* The number of elements that COST is for. */
#define COST_ELEMENTS	10000

/* The elements of larger constants are not counted. */
#define COUNTED_BYTES	(100 * 1024)

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

static int
compare_datums(const void *a, const void *b)
{
	Datum		x = *(const Datum *) a;
	Datum		y = *(const Datum *) b;

	return x < y ? -1 : x > y;
}

/*
 * How many distinct elements a constant has that are not NULL, and how many
 * runs of equal neighbours.  False if it is not worth counting them.
 */
static bool
count_constant(Node *node, double *distinct, double *runs)
{
	ArrayType  *array;
	Datum	   *value;
	bool	   *null;
	int16		length;
	bool		by_value;
	char		align;
	int			n;
	int			kept = 0;

	if (!IsA(node, Const) || ((Const *) node)->constisnull ||
		array_bytes(NULL, node) > COUNTED_BYTES)
		return false;
	array = DatumGetArrayTypeP(((Const *) node)->constvalue);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	if (!by_value)
		return false;
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align,
					  &value, &null, &n);
	*runs = *distinct = 0;
	for (int i = 0; i < n; i++)
		*runs += i == 0 || null[i] != null[i - 1] ||
			(!null[i] && value[i] != value[i - 1]);
	for (int i = 0; i < n; i++)
	{
		if (!null[i])
			value[kept++] = value[i];
	}
	qsort(value, kept, sizeof(Datum), compare_datums);
	for (int i = 0; i < kept; i++)
		*distinct += i == 0 || value[i] != value[i - 1];
	return true;
}

/* How many distinct elements arrays of a column have, or -1 if unknown. */
static double
distinct_in_column(PlannerInfo *root, Node *node)
{
	VariableStatData data;
	AttStatsSlot slot;
	double		result = -1;

	if (root == NULL || root->simple_rel_array == NULL || !IsA(node, Var) ||
		IS_SPECIAL_VARNO(((Var *) node)->varno) ||
		((Var *) node)->varlevelsup > 0)
		return -1;
	examine_variable(root, node, 0, &data);
	if (HeapTupleIsValid(data.statsTuple) &&
		get_attstatsslot(&slot, data.statsTuple, STATISTIC_KIND_DECHIST,
						 InvalidOid, ATTSTATSSLOT_NUMBERS))
	{
		/* the average is behind the histogram */
		if (slot.nnumbers > 0)
			result = slot.numbers[slot.nnumbers - 1];
		free_attstatsslot(&slot);
	}
	ReleaseVariableStats(data);
	return result;
}

/* How many distinct elements an array has, or -1 if nothing is known of it. */
static double
distinct_elements(PlannerInfo *root, Node *node)
{
	double		distinct;
	double		runs;

	node = strip_implicit_coercions(node);
	if (count_constant(node, &distinct, &runs))
		return distinct;
	distinct = distinct_in_column(root, node);
	return distinct >= 0 ? distinct :
		Min(array_elements(root, node), DEFAULT_NUM_DISTINCT);
}

/* Runs of equal neighbours: no more than there are elements. */
static double
runs_of_elements(PlannerInfo *root, Node *node)
{
	double		distinct;
	double		runs;

	return count_constant(strip_implicit_coercions(node), &distinct, &runs) ?
		runs : array_elements(root, node);
}

/* Rows that a function returns, or -1 if nothing is known of its arguments. */
static double
rows_of(const char *function, PlannerInfo *root, List *args)
{
	Node	   *first = estimate_expression_value(root, linitial(args));
	Node	   *last = estimate_expression_value(root, llast(args));
	double		rows;

	if (strcmp(function, "gpu_rle") == 0)
		return runs_of_elements(root, first);
	if (strcmp(function, "gpuscan_plot") == 0)
		return array_elements(root, first); /* a row for each count */
	if (strcmp(function, "gpu_histogram_table") != 0)
		return distinct_elements(root, first);	/* gpu_group... */

	/* a row for each bucket, and two more; there is one more edge */
	if (list_length(args) == 2)
	{
		rows = array_elements(root, last);
		return rows < 0 ? -1 : rows + 1;
	}
	return IsA(last, Const) && !((Const *) last)->constisnull ?
		DatumGetInt32(((Const *) last)->constvalue) + 2.0 : -1;
}

static bool
answer_rows(SupportRequestRows *request)
{
	const char *function;
	double		rows;

	if (request->node == NULL || !IsA(request->node, FuncExpr))
		return false;
	function = get_func_name(request->funcid);
	if (function == NULL)
		return false;
	rows = rows_of(function, request->root, ((FuncExpr *) request->node)->args);
	if (rows < 0)
		return false;
	request->rows = clamp_row_est(rows);
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
	else if (IsA(request, SupportRequestSimplify))
	{
		FuncExpr   *call = ((SupportRequestSimplify *) request)->fcall;
		Node	   *simple = gs_mixed_simplify(call);

		if (simple == NULL)
			simple = gs_chain_simplify(call);
		PG_RETURN_POINTER(simple != NULL ? simple :
						  gs_searchsorted_simplify(call));
	}
	PG_RETURN_POINTER(answered ? request : NULL);
}
