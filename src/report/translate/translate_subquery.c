/*-------------------------------------------------------------------------
 *
 * translate_subquery.c
 *	  x IN (SELECT ...), where the planner has made no join of it.
 *
 * That is so within OR, for NOT IN, and in what is computed of rows.  Of one column it
 * is x = ANY (ARRAY(SELECT ...)): both forms give the same, also for NULLs, and of the
 * second it is known how it is translated.  (x, y) IN (SELECT ...) is a look-up in the
 * subquery's rows, as in a dimension; what it is where that finds nothing depends on
 * NULLs on both sides.
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

/* ----------
 * Which subqueries
 * ----------
 */

/* The subquery's column, from whatever it is relabelled to; NULL: it is not. */
static const Param *
column_of(const SubPlan *plan, int column, const Expr *e)
{
	const Param *param = (const Param *)
		(IsA(e, RelabelType) ? ((const RelabelType *) e)->arg : e);

	return IsA(param, Param) && param->paramkind == PARAM_EXEC &&
		column < list_length(plan->paramIds) &&
		param->paramid == list_nth_int(plan->paramIds, column) ? param : NULL;
}

static bool
is_of_column(const SubPlan *plan, int column, const OpExpr *test)
{
	return IsA(test, OpExpr) && list_length(test->args) == 2 &&
		column_of(plan, column, lsecond(test->args)) != NULL;
}

static bool
is_of_one_column(const SubPlan *plan)
{
	const OpExpr *test = (const OpExpr *) plan->testexpr;

	return list_length(plan->paramIds) == 1 && is_of_column(plan, 0, test) &&
		OidIsValid(get_array_type(plan->firstColType)) &&
		OidIsValid(get_array_type(exprType(lsecond(test->args))));
}

/* (x, y) <> ALL (SELECT ...): x <> its first column OR y <> its second one. */
static bool
is_negated(const SubPlan *plan)
{
	return plan->subLinkType == ALL_SUBLINK;
}

static Oid
equality_of(const SubPlan *plan, const OpExpr *test)
{
	return is_negated(plan) ? get_negator(test->opno) : test->opno;
}

/* The comparisons of columns, one by one. */
static List *
tests_of(const SubPlan *plan)
{
	return ((const BoolExpr *) plan->testexpr)->args;
}

/* Are they such that rows can be looked up? */
static bool
is_of_several_columns(const SubPlan *plan)
{
	const BoolExpr *test = (const BoolExpr *) plan->testexpr;
	ListCell   *cell;

	if (!IsA(test, BoolExpr) ||
		test->boolop != (is_negated(plan) ? OR_EXPR : AND_EXPR) ||
		list_length(test->args) != list_length(plan->paramIds) ||
		list_length(test->args) > GS_DIMENSION_KEYS)
		return false;
	foreach(cell, test->args)
	{
		const OpExpr *op = lfirst(cell);
		Oid			type;

		if (!is_of_column(plan, foreach_current_index(cell), op))
			return false;
		type = exprType(lsecond(op->args));
		if (!OidIsValid(gs_dimension_key_type(type)) ||
			!OidIsValid(get_array_type(type)) ||
			!gs_dimension_is_equality(equality_of(plan, op), type))
			return false;
	}
	return true;
}

bool
gs_is_membership(const SubPlan *plan)
{
	return (plan->subLinkType == ANY_SUBLINK ||
			plan->subLinkType == ALL_SUBLINK) && plan->parParam == NIL &&
		plan->testexpr != NULL &&
		(is_of_one_column(plan) || is_of_several_columns(plan));
}

bool
gs_is_membership_of_rows(const SubPlan *plan)
{
	return gs_is_membership(plan) && IsA(plan->testexpr, BoolExpr);
}

/* ----------
 * Its values as an array
 * ----------
 */

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

/* x = ANY (array), of this value; or another comparison, with ALL. */
static Expr *
make_comparison(const OpExpr *test, Oid operator, bool any, Datum array)
{
	const Node *column = lsecond(test->args);
	ScalarArrayOpExpr *result = makeNode(ScalarArrayOpExpr);
	Const	   *values = makeConst(get_array_type(exprType(column)), -1,
								   exprCollation(column), -1, array, false,
								   false);

	result->opno = operator;
	result->opfuncid = get_opcode(operator);
	result->useOr = any;
	result->inputcollid = test->inputcollid;
	result->args = list_make2(linitial(test->args), values);
	result->location = -1;
	return (Expr *) result;
}

/* An array has up to 1 GB, and a hash table no limit. */
#define VALUES_MAX	(1 << 24)
#define VALUES_SIZE_MAX	((Size) MaxAllocSize / 2)

typedef struct collected
{
	Oid			type;
	int16		length;
	Size		size;
	ArrayBuildState *values;
} collected;

static void
begin_array(collected *c, Oid type)
{
	c->type = type;
	c->length = get_typlen(type);
	c->size = 0;
	c->values = initArrayResult(type, CurrentMemoryContext, true);
}

/* What it takes in an array, in which no value is compressed. */
static Size
size_of(Datum value, bool isnull, int16 length)
{
	if (isnull)
		return 0;
	return MAXIMUM_ALIGNOF + (length == -1 ? toast_raw_datum_size(value) :
							  (Size) att_addlength_datum(0, length, value));
}

/* False: the array is too large. */
static bool
add_to_array(collected *c, Datum value, bool isnull)
{
	c->size += size_of(value, isnull, c->length);
	if (c->size > Min(gs_dimension_memory(), VALUES_SIZE_MAX) ||
		c->values->nelems >= VALUES_MAX)
		return false;
	(void) accumArrayResult(c->values, value, isnull, c->type,
							CurrentMemoryContext);
	return true;
}

/* What the subquery's plan gives, from the beginning; with which direction before. */
static PlanState *
begin_plan(const gs_translation *t, const SubPlan *plan, ScanDirection *before)
{
	EState	   *estate = t->state->state;
	PlanState  *state = list_nth(estate->es_subplanstates, plan->plan_id - 1);

	*before = estate->es_direction;
	estate->es_direction = ForwardScanDirection;
	gs_plan_restart(state);
	return state;
}

/*
 * The subquery's rows as an array.  False: that is too large.  What its plan needs
 * lives as long as the query: the ordinary plan may have to read it, too.
 */
static bool
evaluate(gs_translation *t, const SubPlan *plan, Datum *array)
{
	EState	   *estate = t->state->state;
	MemoryContext context = MemoryContextSwitchTo(estate->es_query_cxt);
	ScanDirection direction;
	PlanState  *state = begin_plan(t, plan, &direction);
	bool		taken = true;
	collected	c;
	TupleTableSlot *slot;

	begin_array(&c, plan->firstColType);
	while (taken && (slot = ExecProcNode(state), !TupIsNull(slot)))
	{
		bool		isnull;
		Datum		value = slot_getattr(slot, 1, &isnull);

		CHECK_FOR_INTERRUPTS();
		taken = add_to_array(&c, value, isnull);
	}
	estate->es_direction = direction;
	MemoryContextSwitchTo(context);
	if (taken)
		*array = makeArrayResult(c.values, context);
	else
		MemoryContextDelete(c.values->mcontext);
	return taken || gs_untranslated(t, "a subquery has too many values");
}

static Expr *
make_null_test(Expr *arg, NullTestType type)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = arg;
	test->nulltesttype = type;
	test->location = -1;
	return (Expr *) test;
}

/* When planning, in place of what no value is known of: it depends on x, too. */
static bool
put_any_boolean(gs_translation *t, Expr *x, gs_operand *r)
{
	return gs_translate_any(t, make_null_test(x, IS_NULL), r);
}

/* Planning: an array without elements stands for its values. */
static bool
translate_value(gs_translation *t, const SubPlan *plan, gs_operand *r)
{
	const OpExpr *test = castNode(OpExpr, plan->testexpr);
	Datum		values = PointerGetDatum(construct_empty_array(plan->firstColType));

	if (t->state != NULL && !evaluate(t, plan, &values))
		return false;
	if (!gs_translate_any(t, make_comparison(test, test->opno,
											 !is_negated(plan), values), r))
		return false;
	return t->state != NULL || gs_known_constant(t, *r) == NULL ||
		put_any_boolean(t, linitial(test->args), r);
}

/* ----------
 * Its rows
 * ----------
 */

/* Of no table: columns of the subquery of this number, from 1 on. */
#define SUBQUERY_VAR	(1 << 20)

/* How many rows a subquery is taken to have when planning. */
#define ROWS_EXPECTED	1000

static Var *
make_column(const SubPlan *plan, int column)
{
	const OpExpr *test = list_nth(tests_of(plan), column);
	const Param *param = column_of(plan, column, lsecond(test->args));

	return makeVar(SUBQUERY_VAR + plan->plan_id, column + 1, param->paramtype,
				   param->paramtypmod, param->paramcollid, 0);
}

/* What is compared with the row, of the column. */
static Expr *
make_key(const SubPlan *plan, int column)
{
	const OpExpr *test = list_nth(tests_of(plan), column);
	RelabelType *relabelled;

	if (!IsA(lsecond(test->args), RelabelType))
		return (Expr *) make_column(plan, column);
	relabelled = copyObject(lsecond_node(RelabelType, test->args));
	relabelled->arg = (Expr *) make_column(plan, column);
	return (Expr *) relabelled;
}

static const char *
read_rows(const gs_translation *t, const SubPlan *plan, gs_dimension *d)
{
	EState	   *estate = t->state->state;
	MemoryContext context = MemoryContextSwitchTo(estate->es_query_cxt);
	ScanDirection direction;
	const char *reason;

	d->plan = begin_plan(t, plan, &direction);
	MemoryContextSwitchTo(context);
	reason = gs_dimension_read(d, t->state);
	estate->es_direction = direction;
	return reason;
}

/* Once a translation.  NULL, with a reason: they cannot be read. */
static gs_dimension *
dimension_of(gs_translation *t, const SubPlan *plan)
{
	gs_dimension *d = gs_dimension_of(t->dimensions, make_column(plan, 0));
	const char *reason = NULL;
	ListCell   *cell;

	if (d != NULL)
		return d;
	d = palloc0(sizeof *d);
	d->kind = JOIN_LEFT;
	d->repeats = true;
	d->share = 1;
	d->rows_expected = ROWS_EXPECTED;
	foreach(cell, tests_of(plan))
	{
		int			column = foreach_current_index(cell);

		d->columns = lappend(d->columns, make_column(plan, column));
		d->inner_keys = lappend(d->inner_keys, make_key(plan, column));
		d->outer_keys = lappend(d->outer_keys,
								linitial(lfirst_node(OpExpr, cell)->args));
	}
	if (t->state != NULL)
		reason = read_rows(t, plan, d);
	if (reason != NULL)
	{
		t->in_vain = true;
		gs_untranslated(t, reason);
		return NULL;
	}

	/* the list may be that of other translations, too */
	t->dimensions = lappend(list_copy(t->dimensions), d);
	return d;
}

/* Has a row with a NULL been read?  other: one that has it in this column, too, or -1. */
static bool
has_null(const gs_dimension *d, int column, int other)
{
	const gs_dimension_rows *rows = d->rows;

	for (int32 i = 0; i < rows->n; i++)
	{
		if (rows->null[column][i] && (other < 0 || rows->null[other][i]))
			return true;
	}
	return false;
}

/*
 * outer = ANY (what the column has, other than NULL, of all rows, or of those that have
 * NULL in the other column).  NULL: too much.
 */
static Expr *
make_search(const gs_dimension *d, const SubPlan *plan, int column,
			int other)
{
	const OpExpr *test = list_nth(tests_of(plan), column);
	const gs_dimension_rows *rows = d->rows;
	collected	c;

	begin_array(&c, list_nth_node(Var, d->columns, column)->vartype);
	for (int32 i = 0; i < rows->n; i++)
	{
		if (rows->null[column][i] || (other >= 0 && !rows->null[other][i]))
			continue;
		if (!add_to_array(&c, rows->value[column][i], false))
			return NULL;
	}
	return make_comparison(test, equality_of(plan, test), true,
						   makeArrayResult(c.values, CurrentMemoryContext));
}

/*
 * Where a column of the row is NULL: does a row of the subquery have the other
 * one, or NULL?  NULL: too much.
 */
static Expr *
make_null_outside(const gs_dimension *d, const SubPlan *plan, int column)
{
	int			other = 1 - column;
	Expr	   *outer = list_nth(d->outer_keys, column);
	Expr	   *search;

	if (has_null(d, other, -1))
		return make_null_test(outer, IS_NULL);
	search = make_search(d, plan, other, -1);
	if (search == NULL)
		return NULL;
	return make_andclause(list_make2(make_null_test(outer, IS_NULL),
									 make_orclause(list_make2(make_null_test(list_nth(d->outer_keys, other),
																			 IS_NULL),
															  search))));
}

/*
 * Of two columns: is the comparison with some row of the subquery NULL, if it is true
 * of none?  NULL, with a reason: that takes too much.
 */
static Expr *
make_unknown(gs_translation *t, const gs_dimension *d, const SubPlan *plan)
{
	List	   *any = NIL;

	for (int column = 0; column < 2; column++)
	{
		Expr	   *outside = make_null_outside(d, plan, column);
		Expr	   *inside = make_search(d, plan, column, 1 - column);

		if (outside == NULL || inside == NULL)
		{
			gs_untranslated(t, "a subquery has too many values");
			return NULL;
		}
		any = lappend(any, outside);
		if (has_null(d, 1 - column, -1))
			any = lappend(any, inside);
	}
	return has_null(d, 0, 1) ? (Expr *) makeBoolConst(true, false) :
		make_orclause(any);
}

/* Where a row has not been found: false or NULL. */
static bool
put_not_found(gs_translation *t, const gs_dimension *d, const SubPlan *plan,
			  gs_operand *r)
{
	Expr	   *unknown;
	gs_operand	where;
	gs_operand	null;

	if (list_length(d->columns) > 2)
		return gs_untranslated(t, "rows of more than two columns are compared with a subquery's, and some have NULLs");
	unknown = make_unknown(t, d, plan);
	return unknown != NULL && gs_translate_condition(t, unknown, &where) &&
		gs_put_null(t, GS_BOOL, &null) && gs_put_boolean(t, false, r) &&
		gs_put_choose(t, where, null, *r, r);
}

static bool
has_nulls(const gs_dimension *d)
{
	for (int c = 0; c < list_length(d->columns); c++)
	{
		if (has_null(d, c, -1))
			return true;
	}
	return false;
}

/*
 * The same while nothing is known of NULLs in the rows that look it up: that some have
 * one, and are not found, is an error, after which they are looked for.
 */
static bool
put_not_found_yet(gs_translation *t, const gs_dimension *d,
				  const SubPlan *plan, gs_operand *r)
{
	List	   *any = NIL;
	gs_operand	where;
	gs_operand	unknown;
	ListCell   *cell;

	foreach(cell, d->outer_keys)
		any = lappend(any, make_null_test(lfirst(cell), IS_NULL));
	return gs_translate_condition(t, make_orclause(any), &where) &&
		gs_put_unknown(t, (Expr *) plan, GS_BOOL, &unknown) &&
		gs_put_boolean(t, false, r) &&
		gs_put_choose(t, where, unknown, *r, r);
}

static bool
translate_rows(gs_translation *t, const SubPlan *plan, gs_operand *r)
{
	gs_dimension *d = dimension_of(t, plan);
	gs_operand	found;
	gs_operand	yes;
	bool		ok;

	if (d == NULL ||
		!gs_translate_condition(t, make_null_test(linitial(d->columns),
												  IS_NOT_NULL), &found))
		return false;
	if ((plan->unknownEqFalse && !is_negated(plan)) ||
		(t->state != NULL && d->rows->n == 0))
		*r = found;
	else
	{
		ok = t->state != NULL && (has_nulls(d) ||
								  gs_is_known(t, (Expr *) plan)) ?
			put_not_found(t, d, plan, r) : put_not_found_yet(t, d, plan, r);
		if (!ok || !gs_put_boolean(t, true, &yes) ||
			!gs_put_choose(t, found, yes, *r, r))
			return false;
	}
	return !is_negated(plan) || gs_put_unary(t, GS_CODE_NOT, *r, r);
}

/*
 * The subquery is executed when a row has needed it, and not within what is
 * evaluated for each value of a column.
 */
bool
gs_translate_membership(gs_translation *t, const SubPlan *plan, gs_operand *r)
{
	Expr	   *array = make_array(plan);

	if (t->state == NULL)
		t->evaluation += plan->startup_cost + plan->per_call_cost;
	else if (!gs_is_known(t, array))
		return gs_put_unknown(t, array, GS_BOOL, r);
	return IsA(plan->testexpr, BoolExpr) ? translate_rows(t, plan, r) :
		translate_value(t, plan, r);
}
