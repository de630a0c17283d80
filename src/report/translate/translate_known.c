/*-------------------------------------------------------------------------
 *
 * translate_known.c
 *	  What has no column in it: whether its value is known when an execution
 *	  begins, and what stands for it if it is not.
 *
 * PostgreSQL evaluates such an expression, or the subquery behind a parameter,
 * when the first row needs it, if any does.  What cannot raise an error, and has
 * no effect, may as well be evaluated beforehand.  For any other a value stands
 * in that is an error of a kind of its own: if the report is made without
 * that error, then no row has needed the value; if there is no other error,
 * then some row has, and the next try may evaluate it (gs_translation.needed).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "report/translate/evaluation.h"
#include "report/translate/translate_parts.h"

/*
 * Is there a node that stands for a value of each row?  known: a CaseTestExpr
 * stands for an expression that is looked at, too.
 */
static bool
depends_on_row(Node *node, void *known)
{
	static bool yes = true;
	CaseExpr   *of_case = (CaseExpr *) node;
	ArrayCoerceExpr *coerced = (ArrayCoerceExpr *) node;
	ListCell   *cell;

	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Aggref:
		case T_GroupingFunc:
		case T_WindowFunc:
		case T_SubLink:
		case T_AlternativeSubPlan:
		case T_PlaceHolderVar:
		case T_CoerceToDomainValue:
		case T_SetToDefault:
		case T_CurrentOfExpr:
			return true;
		case T_SubPlan:
			/* others depend on it, or have parameters that do */
			return ((SubPlan *) node)->subLinkType != ARRAY_SUBLINK ||
				((SubPlan *) node)->parParam != NIL;
		case T_CaseTestExpr:
			return !*(bool *) known;
		case T_Param:
			return ((Param *) node)->paramkind != PARAM_EXTERN &&
				((Param *) node)->paramkind != PARAM_EXEC;
		case T_ArrayCoerceExpr:
			return depends_on_row((Node *) coerced->arg, known) ||
				depends_on_row((Node *) coerced->elemexpr, &yes);
		case T_CaseExpr:
			foreach(cell, of_case->args)
			{
				CaseWhen   *when = lfirst_node(CaseWhen, cell);

				if (depends_on_row((Node *) when->expr,
								   of_case->arg != NULL ? &yes : known) ||
					depends_on_row((Node *) when->result, known))
					return true;
			}
			return depends_on_row((Node *) of_case->arg, known) ||
				depends_on_row((Node *) of_case->defresult, known);
		default:
			return expression_tree_walker(node, depends_on_row, known);
	}
}

bool
gs_has_no_column(Expr *expression)
{
	bool		known = false;

	return !depends_on_row((Node *) expression, &known) &&
		!contain_volatile_functions((Node *) expression);
}

/* ----------
 * Times near now, which no arithmetic here leads out of their types
 * ----------
 */

static bool is_near_now(Expr *e);

static bool
is_among(Oid function, const Oid *functions, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		if (functions[i] == function)
			return true;
	}
	return false;
}

static bool
is_within(int64 value, int64 limit)
{
	return value > -limit && value < limit;
}

/* A constant of some years at most. */
static bool
is_short_time(Expr *e)
{
	const Const *constant = (const Const *) e;
	const Interval *interval;
	const int64 years = 100;
	const int64 days = 365 * years;

	if (!IsA(e, Const) || constant->constisnull)
		return false;
	if (constant->consttype == INT4OID)
		return is_within(DatumGetInt32(constant->constvalue), days);
	if (constant->consttype != INTERVALOID)
		return false;
	interval = DatumGetIntervalP(constant->constvalue);
	return is_within(interval->month, MONTHS_PER_YEAR * years) &&
		is_within(interval->day, days) &&
		is_within(interval->time, days * USECS_PER_DAY);
}

static bool
is_unit(Expr *e)
{
	static const char *const units[] = {
		"hour", "day", "week", "month", "quarter", "year"
	};
	const Const *constant = (const Const *) e;
	char	   *name;

	if (!IsA(e, Const) || constant->constisnull ||
		constant->consttype != TEXTOID)
		return false;
	name = TextDatumGetCString(constant->constvalue);
	for (int i = 0; i < (int) lengthof(units); i++)
	{
		if (strcmp(name, units[i]) == 0)
			return true;
	}
	return false;
}

/* What can be done to a time near now, or is one; by the OIDs of functions. */
static bool
call_is_near_now(Oid function, List *args)
{
	static const Oid now[] = {
		1299, 2647, 2648		/* now() and its like */
	};
	static const Oid cast[] = {
		1174, 1178, 2024, 2027, 2028, 2029
	};
	static const Oid shift[] = {
		1141, 1142, 1189, 1190, 2032, 2033, 2071, 2072	/* + and - */
	};
	static const Oid truncate[] = {
		1217, 2020				/* date_trunc() */
	};

	if (is_among(function, now, lengthof(now)))
		return true;
	if (is_among(function, cast, lengthof(cast)))
		return is_near_now(linitial(args));
	if (is_among(function, shift, lengthof(shift)))
		return is_near_now(linitial(args)) && is_short_time(lsecond(args));
	return is_among(function, truncate, lengthof(truncate)) &&
		is_unit(linitial(args)) && is_near_now(lsecond(args));
}

static bool
is_near_now(Expr *e)
{
	switch (nodeTag(e))
	{
		case T_SQLValueFunction:	/* current_date and its like */
			return true;
		case T_FuncExpr:
			return call_is_near_now(((FuncExpr *) e)->funcid,
									((FuncExpr *) e)->args);
		case T_OpExpr:
			set_opfuncid((OpExpr *) e);
			return call_is_near_now(((OpExpr *) e)->opfuncid,
									((OpExpr *) e)->args);
		default:
			return false;
	}
}

/* ----------
 * Values
 * ----------
 */

/* Has a parameter its value, or is there a subquery that gives it? */
static bool
has_value(const gs_translation *t, const Param *param)
{
	if (param->paramkind != PARAM_EXEC)
		return true;
	return t->state->state->es_param_exec_vals[param->paramid].execPlan == NULL;
}

bool
gs_is_known(const gs_translation *t, Expr *expression)
{
	if (IsA(expression, Const))
		return true;
	if (t->state == NULL)
		return false;
	return (IsA(expression, Param) &&
			has_value(t, (const Param *) expression)) ||
		is_near_now(expression) || list_member(t->needed, expression);
}

Datum
gs_evaluate(gs_translation *t, Expr *expression, bool *isnull)
{
	const Const *constant = (const Const *) expression;

	if (IsA(expression, Const))
	{
		*isnull = constant->constisnull;
		return constant->constvalue;
	}
	return ExecEvalExprSwitchContext(gs_prepare_expression(t->state, expression),
									 t->state->ps_ExprContext, isnull);
}

typedef struct parameter_search
{
	gs_translation *t;
	Param	   *found;
} parameter_search;

static bool
find_unknown(Node *node, void *context)
{
	parameter_search *search = context;
	bool		isnull;

	if (node == NULL)
		return false;
	if (!IsA(node, Param))
		return expression_tree_walker(node, find_unknown, context);
	if (has_value(search->t, (Param *) node))
		return false;
	if (list_member(search->t->needed, node))
	{
		(void) gs_evaluate(search->t, (Expr *) node, &isnull);
		return false;
	}
	search->found = (Param *) node;
	return true;
}

Param *
gs_unknown_parameter(gs_translation *t, Expr *expression)
{
	parameter_search search = {.t = t};

	(void) find_unknown((Node *) expression, &search);
	return search.found;
}

/*
 * A place behind the end of an empty list.  Of several expressions only the
 * first has this error: whether it is needed does not depend on the others,
 * which are divisions by zero.  If there are both errors, then some row has needed
 * the first one, unless one of its own was raised before: then the ordinary plan
 * raises that, or one of the subquery's.  If there is no other error than theirs,
 * another one is the first in the next try.
 */
bool
gs_put_unknown(gs_translation *t, Expr *expression, gs_type type,
			   gs_operand *r)
{
	gs_instruction in = {
		.code = GS_CODE_LOOKUP,
		.width = sizeof(gs_value),
		.type = GS_INT4,
		.to = type,
		.on_null = -1
	};
	gs_constant c;

	memset(&c, 0, sizeof c);
	if (t->state == NULL)
	{
		c.type = type;
		return gs_put_constant(t, c, expression, r);
	}
	if (t->unknown == NULL && !list_member(t->passed, expression))
		t->unknown = expression;
	t->more_unknown |= !equal(expression, t->unknown);
	c.type = GS_INT4;
	return gs_put_constant(t, c, NULL, &in.a) &&
		(equal(expression, t->unknown) ||
		 gs_put_binary(t, GS_CODE_DIVIDE, in.a, in.a, &in.a)) &&
		gs_put(t, in, r);
}
