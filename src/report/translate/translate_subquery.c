/*-------------------------------------------------------------------------
 *
 * translate_subquery.c
 *	  x IN (SELECT ...), where the planner has made no join of it, as
 *	  x = ANY (ARRAY(SELECT ...)).
 *
 * That is so within OR, and for NOT IN.  Both forms give the same, also for
 * NULLs, and of the second it is known how it is translated.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/detoast.h"
#include "access/tupmacs.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "report/translate/dimension.h"
#include "report/translate/translate_parts.h"

/* The subquery's column, from whatever it is relabelled to; NULL: it is not. */
static const Param *
column_of(const SubPlan *plan, const Expr *e)
{
	const Param *param = (const Param *)
		(IsA(e, RelabelType) ? ((const RelabelType *) e)->arg : e);

	return IsA(param, Param) && param->paramkind == PARAM_EXEC &&
		list_length(plan->paramIds) == 1 &&
		param->paramid == linitial_int(plan->paramIds) ? param : NULL;
}

bool
gs_is_membership(const SubPlan *plan)
{
	const OpExpr *test = (const OpExpr *) plan->testexpr;

	return plan->subLinkType == ANY_SUBLINK && plan->parParam == NIL &&
		test != NULL && IsA(test, OpExpr) && list_length(test->args) == 2 &&
		column_of(plan, lsecond(test->args)) != NULL &&
		OidIsValid(get_array_type(plan->firstColType)) &&
		OidIsValid(get_array_type(exprType(lsecond(test->args))));
}

/* ARRAY(SELECT ...), which has no column in it. */
static Expr *
make_array(const SubPlan *plan)
{
	SubPlan    *array = copyObject(unconstify(SubPlan *, plan));

	array->subLinkType = ARRAY_SUBLINK;
	array->testexpr = NULL;
	array->paramIds = NIL;
	array->useHashTable = false;
	array->unknownEqFalse = false;
	return (Expr *) array;
}

/* x = ANY (array), of this value. */
static Expr *
make_comparison(const OpExpr *test, Datum array)
{
	const Node *column = lsecond(test->args);
	ScalarArrayOpExpr *result = makeNode(ScalarArrayOpExpr);
	Const	   *values = makeConst(get_array_type(exprType(column)), -1,
								   exprCollation(column), -1, array, false,
								   false);

	result->opno = test->opno;
	result->opfuncid = get_opcode(test->opno);
	result->useOr = true;
	result->inputcollid = test->inputcollid;
	result->args = list_make2(linitial(test->args), values);
	result->location = -1;
	return (Expr *) result;
}

/* An array has up to 1 GB, and a hash table no limit. */
#define VALUES_MAX	(1 << 24)
#define VALUES_SIZE_MAX	((Size) MaxAllocSize / 2)

/* What it takes in an array, in which no value is compressed. */
static Size
size_of(Datum value, bool isnull, const FormData_pg_attribute *column)
{
	if (isnull)
		return 0;
	return MAXIMUM_ALIGNOF + (column->attlen == -1 ?
							  toast_raw_datum_size(value) :
							  (Size) att_addlength_datum(0, column->attlen, value));
}

/*
 * The subquery's rows as an array.  False: that is too large.  What its plan needs
 * lives as long as the query: the ordinary plan may have to read it, too.
 */
static bool
evaluate(gs_translation *t, const SubPlan *plan, Datum *array)
{
	EState	   *estate = t->state->state;
	PlanState  *state = list_nth(estate->es_subplanstates, plan->plan_id - 1);
	const FormData_pg_attribute *column =
		TupleDescAttr(state->ps_ResultTupleDesc, 0);
	MemoryContext context = MemoryContextSwitchTo(estate->es_query_cxt);
	ScanDirection direction = estate->es_direction;
	ArrayBuildState *values = initArrayResult(plan->firstColType, context, true);
	const Size	size_max = Min(gs_dimension_memory(), VALUES_SIZE_MAX);
	bool		taken = true;
	Size		size = 0;
	TupleTableSlot *slot;

	estate->es_direction = ForwardScanDirection;
	ExecReScan(state);
	while (taken && (slot = ExecProcNode(state), !TupIsNull(slot)))
	{
		bool		isnull;
		Datum		value = slot_getattr(slot, 1, &isnull);

		CHECK_FOR_INTERRUPTS();
		size += size_of(value, isnull, column);
		taken = size <= size_max && values->nelems < VALUES_MAX;
		if (taken)
			(void) accumArrayResult(values, value, isnull, plan->firstColType,
									context);
	}
	estate->es_direction = direction;
	MemoryContextSwitchTo(context);
	if (taken)
		*array = makeArrayResult(values, context);
	else
		MemoryContextDelete(values->mcontext);
	return taken || gs_untranslated(t, "a subquery has too many values");
}

/*
 * The subquery is executed when a row has needed it, and not within what is
 * evaluated for each value of a column.  Planning: an array without elements stands
 * for its values.
 */
bool
gs_translate_membership(gs_translation *t, const SubPlan *plan, gs_operand *r)
{
	Expr	   *array = make_array(plan);
	Datum		values = PointerGetDatum(construct_empty_array(plan->firstColType));

	if (t->state == NULL)
		t->evaluation += plan->startup_cost + plan->per_call_cost;
	else if (!gs_is_known(t, array))
		return gs_put_unknown(t, array, GS_BOOL, r);
	if (t->state != NULL && !evaluate(t, plan, &values))
		return false;
	return gs_translate_any(t, make_comparison(castNode(OpExpr, plan->testexpr),
											   values), r);
}
