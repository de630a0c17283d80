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

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

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

/*
 * Whatever is prepared for execution joins the subqueries of its plan; this one does
 * not live as long as that.
 */
static Datum
evaluate(gs_translation *t, Expr *array)
{
	List	   *subqueries = t->state->subPlan;
	Datum		values;
	bool		isnull;

	t->state->subPlan = NIL;
	values = gs_evaluate(t, array, &isnull);
	t->state->subPlan = subqueries;
	return datumCopy(values, false, -1);
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
	if (t->state != NULL)
		values = evaluate(t, array);
	return gs_translate_any(t, make_comparison(castNode(OpExpr, plan->testexpr),
											   values), r);
}
