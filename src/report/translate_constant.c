/*-------------------------------------------------------------------------
 *
 * translate_constant.c
 *	  What has no column in it: constants of a plan, and lists of IN.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "engine/arithmetic.h"
#include "report/translate_parts.h"

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
		case T_SubPlan:
		case T_AlternativeSubPlan:
		case T_PlaceHolderVar:
		case T_CoerceToDomainValue:
		case T_SetToDefault:
		case T_CurrentOfExpr:
			return true;
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

/* Of an expression without a column; when planning, only a Const. */
Datum
gs_evaluate(gs_translation *t, Expr *expression, bool *isnull)
{
	const Const *constant = (const Const *) expression;

	if (IsA(expression, Const))
	{
		*isnull = constant->constisnull;
		return constant->constvalue;
	}
	return ExecEvalExprSwitchContext(ExecInitExpr(expression, t->state),
									 t->state->ps_ExprContext, isnull);
}

gs_value
gs_value_from_datum(gs_type type, Datum datum)
{
	gs_value	r;

	memset(&r, 0, sizeof r);
	switch (type)
	{
		case GS_BOOL:
			r.i2 = DatumGetBool(datum);
			break;
		case GS_INT2:
			r.i2 = DatumGetInt16(datum);
			break;
		case GS_INT4:
			r.i4 = DatumGetInt32(datum);
			break;
		case GS_INT8:
			r.i8 = DatumGetInt64(datum);
			break;
		case GS_FLOAT4:
			r.f4 = DatumGetFloat4(datum);
			break;
		case GS_FLOAT8:
			r.f8 = DatumGetFloat8(datum);
			break;
	}
	return r;
}

/* The value of an expression without a column, as a constant. */
bool
gs_put_value(gs_translation *t, Expr *expression, gs_operand *r)
{
	Oid			sql_type = exprType((Node *) expression);
	gs_constant c;
	gs_type		type;
	Datum		datum;
	bool		isnull;

	if (!gs_report_type(sql_type, &type))
		return gs_untranslated(t, psprintf("an expression has type %s",
										   format_type_be(sql_type)));
	memset(&c, 0, sizeof c);
	c.type = type;
	if (t->state == NULL && !IsA(expression, Const))
		return gs_put_constant(t, c, expression, r);
	datum = gs_evaluate(t, expression, &isnull);
	c.null = isnull;
	if (!isnull)
		c.value = gs_value_from_datum(type, datum);
	return gs_put_constant(t, c, NULL, r);
}

static int64
integer_value(gs_type type, gs_value value)
{
	switch (type)
	{
		case GS_INT4:
			return value.i4;
		case GS_INT8:
			return value.i8;
		default:
			return value.i2;
	}
}

/*
 * The value in another type of numbers; false if it is out of its range, or if
 * it is left to the engine.
 */
bool
gs_convert(gs_type from, gs_value value, gs_type to, gs_value *result)
{
	int64		integer = integer_value(from, value);

	memset(result, 0, sizeof(gs_value));
	if (from == to)
	{
		*result = value;
		return true;
	}
	if (from == GS_FLOAT4 && to == GS_FLOAT8)
	{
		result->f8 = value.f4;
		return true;
	}
	if (from == GS_FLOAT4 || from == GS_FLOAT8)
		return false;
	switch (to)
	{
		case GS_INT2:
			return gs_cast_int8_int2(integer, &result->i2) == 0;
		case GS_INT4:
			return gs_cast_int8_int4(integer, &result->i4) == 0;
		case GS_INT8:
			result->i8 = integer;
			return true;
		case GS_FLOAT4:
			return gs_cast_int8_float4(integer, &result->f4) == 0;
		case GS_FLOAT8:
			return gs_cast_int8_float8(integer, &result->f8) == 0;
		default:
			return false;
	}
}

static int
compare_values(const void *a, const void *b, void *type)
{
	const gs_value *x = a;
	const gs_value *y = b;

	switch (*(gs_type *) type)
	{
		case GS_INT4:
			return gs_compare_int4(x->i4, y->i4);
		case GS_INT8:
			return gs_compare_int8(x->i8, y->i8);
		case GS_FLOAT4:
			return gs_compare_float4(x->f4, y->f4);
		case GS_FLOAT8:
			return gs_compare_float8(x->f8, y->f8);
		default:
			return gs_compare_int2(x->i2, y->i2);
	}
}

/* Room for n more values of the plan's list. */
static gs_value *
extend_list(gs_translation *t, int n)
{
	gs_translation_private *p = t->private;
	int			needed = t->plan.list_length + n;

	if (needed > p->list_space)
	{
		p->list_space = Max(needed, 2 * p->list_space);
		p->list = p->list == NULL ? palloc(p->list_space * sizeof(gs_value)) :
			repalloc_huge(p->list, p->list_space * sizeof(gs_value));
		t->plan.list = p->list;
	}
	return p->list + t->plan.list_length;
}

/*
 * Put an array's elements into the plan's list, in ascending order, as values
 * of `type`.  Those that it cannot hold equal nothing, and are left out.
 */
static void
put_elements(gs_translation *t, ArrayType *array, gs_type type,
			 gs_instruction *in)
{
	gs_type		element_type = type;
	int16		length;
	bool		by_value;
	char		align;
	Datum	   *datums;
	bool	   *nulls;
	int			n;
	int			kept = 0;
	int			different = 0;
	gs_value   *list;

	gs_report_type(ARR_ELEMTYPE(array), &element_type);
	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align,
					  &datums, &nulls, &n);
	list = extend_list(t, n);
	for (int i = 0; i < n; i++)
	{
		if (nulls[i])
			in->list_null = 1;
		else if (gs_convert(element_type,
							gs_value_from_datum(element_type, datums[i]),
							type, &list[kept]))
			kept++;
	}
	qsort_arg(list, kept, sizeof(gs_value), compare_values, &type);
	for (int i = 0; i < kept; i++)
	{
		if (i == 0 ||
			compare_values(&list[i], &list[different - 1], &type) != 0)
			list[different++] = list[i];
	}
	in->first = t->plan.list_length;
	in->count = different;
	t->plan.list_length += different;
}

/* False, of whatever is not an error. */
static bool
put_false(gs_translation *t, gs_operand a, gs_operand *r)
{
	gs_operand	no;
	gs_operand	is_null;

	if (!gs_put_boolean(t, false, &no))
		return false;
	*r = no;
	return !gs_can_raise(t, a) ||
		(gs_put_unary(t, GS_CODE_IS_NULL, a, &is_null) &&
		 gs_put_choose(t, is_null, no, no, r));
}

/*
 * a = ANY (array).  type: in which they are compared.  Of an array without
 * elements it is false even for NULL.
 */
bool
gs_put_in(gs_translation *t, gs_operand a, Expr *array, gs_type type,
		  gs_operand *r)
{
	gs_instruction in = {.code = GS_CODE_IN};
	ArrayType  *value;
	gs_operand	null;
	Datum		datum;
	bool		isnull;

	if (!gs_has_no_column(array))
		return gs_untranslated(t, "an array is not the same for all rows");

	/* integers stay as they are: elements are made to fit */
	if (type != GS_FLOAT4 && type != GS_FLOAT8)
		type = gs_operand_type(&t->plan, a);
	if (!gs_put_cast(t, type, a, &a))
		return false;
	in.type = type;
	in.a = a;
	if (t->state == NULL && !IsA(array, Const))
		return gs_put(t, in, r);
	datum = gs_evaluate(t, array, &isnull);
	if (isnull)
		return gs_put_null(t, type, &null) &&
			gs_put_binary(t, GS_CODE_EQ, a, null, r);
	value = DatumGetArrayTypeP(datum);
	if (ArrayGetNItems(ARR_NDIM(value), ARR_DIMS(value)) == 0)
		return put_false(t, a, r);
	put_elements(t, value, type, &in);
	return gs_put(t, in, r);
}
