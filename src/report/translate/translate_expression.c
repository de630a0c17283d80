/*-------------------------------------------------------------------------
 *
 * translate_expression.c
 *	  Expressions that are made of others, as instructions.
 *
 * PostgreSQL evaluates the arguments of AND and OR from the left, and stops as
 * soon as it knows the result: an error to the left is raised, and one to the
 * right is not met.  The instructions AND and OR forgive both, so that an
 * argument that can be an error decides first whether the next one matters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "report/translate/translate_parts.h"

static bool
is_known_boolean(const gs_translation *t, gs_operand a, bool value)
{
	const gs_constant *known = gs_known_constant(t, a);

	return known != NULL && !known->null && (known->value.i2 != 0) == value;
}

static bool
is_known_null(const gs_translation *t, gs_operand a)
{
	const gs_constant *known = gs_known_constant(t, a);

	return known != NULL && known->null;
}

static bool
put_not(gs_translation *t, gs_operand a, gs_operand *r)
{
	return gs_put_unary(t, GS_CODE_NOT, a, r);
}

/* a AND b, or a OR b: `absorbing` is the value of a that decides. */
static bool
put_and_or(gs_translation *t, bool absorbing, gs_operand a, gs_operand b,
		   gs_operand *r)
{
	gs_code		code = absorbing ? GS_CODE_OR : GS_CODE_AND;
	gs_operand	decided = a;
	gs_operand	value;

	if (!gs_can_raise(t, a))
		return gs_put_binary(t, code, a, b, r);
	return (absorbing || put_not(t, a, &decided)) &&
		gs_put_binary(t, code, a, b, r) &&
		gs_put_boolean(t, absorbing, &value) &&
		gs_put_choose(t, decided, value, *r, r);
}

/* a IS TRUE, or for false a IS NOT TRUE */
static bool
put_is_true(gs_translation *t, gs_operand a, bool is, gs_operand *r)
{
	gs_operand	b;
	gs_operand	c;

	return gs_put_boolean(t, is, &b) && gs_put_boolean(t, !is, &c) &&
		gs_put_choose(t, a, b, c, r);
}

/*
 * *r, or nothing yet, AND or OR a.  quals: NULL decides, too, so that what comes
 * after it raises no error.
 */
static bool
add_argument(gs_translation *t, bool absorbing, bool quals, gs_operand a,
			 gs_operand *r)
{
	if (is_known_boolean(t, a, !absorbing))
		return true;
	if (*r == GS_NOTHING)
	{
		*r = a;
		return true;
	}
	if (quals && gs_can_raise(t, a) && !put_is_true(t, *r, true, r))
		return false;
	return put_and_or(t, absorbing, *r, a, r);
}

bool
gs_translate_condition(gs_translation *t, Expr *condition, gs_operand *r)
{
	return gs_translate(t, condition, r) &&
		(gs_operand_type(&t->plan, *r) == GS_BOOL ||
		 gs_untranslated(t, "a condition is not a boolean"));
}

/* The column that is compared with a constant, without errors; else GS_NOTHING. */
static gs_operand
compared_column(const gs_translation *t, gs_operand a)
{
	const gs_instruction *in;

	if (a < GS_RESULT(0) || gs_can_raise(t, a))
		return GS_NOTHING;
	in = &t->private->code[a - GS_RESULT(0)];
	if (in->code < GS_CODE_LT || in->code > GS_CODE_GT)
		return GS_NOTHING;
	if (in->a >= 0 && in->a < GS_CONSTANT(0) && gs_known_constant(t, in->b) != NULL)
		return in->a;
	return in->b >= 0 && in->b < GS_CONSTANT(0) &&
		gs_known_constant(t, in->a) != NULL ? in->b : GS_NOTHING;
}

/*
 * What comes after an argument that is known to decide is not looked at.  Quals that
 * limit one column, one after the other, are joined first: an engine tests them at
 * once.
 */
static bool
add_arguments(gs_translation *t, List *args, bool absorbing, bool quals,
			  gs_operand *r)
{
	gs_operand	limits = GS_NOTHING;
	gs_operand	limited = GS_NOTHING;
	ListCell   *cell;

	foreach(cell, args)
	{
		gs_operand	a;
		gs_operand	column;

		if (!gs_translate_condition(t, lfirst(cell), &a))
			return false;
		column = quals ? compared_column(t, a) : GS_NOTHING;
		if (limits != GS_NOTHING && column == limited)
		{
			if (!put_and_or(t, absorbing, limits, a, &limits))
				return false;
			continue;
		}
		if (limits != GS_NOTHING &&
			!add_argument(t, absorbing, quals, limits, r))
			return false;
		limits = column == GS_NOTHING ? GS_NOTHING : a;
		limited = column;
		if (column == GS_NOTHING &&
			!add_argument(t, absorbing, quals, a, r))
			return false;
		if (is_known_boolean(t, a, absorbing))
			break;
	}
	return limits == GS_NOTHING ||
		add_argument(t, absorbing, quals, limits, r);
}

bool
gs_add_qual(gs_translation *t, gs_operand a, gs_operand *r)
{
	return add_argument(t, false, true, a, r);
}

bool
gs_add_quals(gs_translation *t, List *quals, gs_operand *r)
{
	return add_arguments(t, quals, false, true, r);
}

static bool
translate_and_or(gs_translation *t, List *args, bool absorbing, gs_operand *r)
{
	*r = GS_NOTHING;
	return add_arguments(t, args, absorbing, false, r) &&
		(*r != GS_NOTHING || gs_put_boolean(t, !absorbing, r));
}

static bool
translate_boolean(gs_translation *t, BoolExpr *e, gs_operand *r)
{
	gs_operand	a;

	switch (e->boolop)
	{
		case AND_EXPR:
			return translate_and_or(t, e->args, false, r);
		case OR_EXPR:
			return translate_and_or(t, e->args, true, r);
		case NOT_EXPR:
			return gs_translate(t, linitial(e->args), &a) &&
				put_not(t, a, r);
	}
	return false;
}

/* a IS TRUE and others; `is`: without NOT. */
static bool
translate_boolean_test(gs_translation *t, BooleanTest *e, gs_operand *r)
{
	bool		is = e->booltesttype == IS_TRUE || e->booltesttype == IS_FALSE;
	gs_operand	a;

	if (!gs_translate(t, e->arg, &a))
		return false;
	switch (e->booltesttype)
	{
		case IS_UNKNOWN:
			return gs_put_unary(t, GS_CODE_IS_NULL, a, r);
		case IS_NOT_UNKNOWN:
			return gs_put_unary(t, GS_CODE_IS_NULL, a, &a) && put_not(t, a, r);
		case IS_FALSE:
		case IS_NOT_FALSE:
			if (!put_not(t, a, &a))
				return false;
			break;
		default:
			break;
	}
	return put_is_true(t, a, is, r);
}

static bool
translate_null_test(gs_translation *t, NullTest *e, gs_operand *r)
{
	gs_operand	a;

	if (e->argisrow)
		return gs_untranslated(t, "a row is tested for NULL");
	return gs_translate_presence(t, e->arg, &a) &&
		gs_put_unary(t, GS_CODE_IS_NULL, a, r) &&
		(e->nulltesttype == IS_NULL || put_not(t, *r, r));
}

/* rest, where a is not true, else b */
static bool
put_case(gs_translation *t, gs_operand a, gs_operand b, gs_operand *rest)
{
	if (gs_operand_type(&t->plan, b) != gs_operand_type(&t->plan, *rest))
		return gs_untranslated(t, "the results of CASE or COALESCE differ in type");
	return gs_put_choice(t, a, b, *rest, rest);
}

static bool translate_result(gs_translation *t, gs_dictionary *texts,
							 Expr *e, gs_operand *r);

/* The WHENs from the i'th on.  case_value: what they are compared with. */
static bool
translate_whens(gs_translation *t, gs_dictionary *texts, CaseExpr *e, int i,
				gs_operand case_value, gs_operand *r)
{
	gs_operand	outer = t->private->case_value;
	gs_type		type;
	CaseWhen   *when;
	gs_operand	a;
	gs_operand	b;
	bool		done;

	if (i == list_length(e->args))
	{
		if (e->defresult != NULL)
			return translate_result(t, texts, e->defresult, r);
		if (texts != NULL)
			return gs_put_null(t, GS_INT4, r);
		return gs_computed_type(e->casetype, &type) && gs_put_null(t, type, r);
	}
	when = list_nth_node(CaseWhen, e->args, i);
	if (e->arg != NULL)
		t->private->case_value = case_value;
	done = gs_translate(t, when->expr, &a);
	t->private->case_value = outer;
	if (!done)
		return false;
	if (is_known_boolean(t, a, false) || is_known_null(t, a))
		return translate_whens(t, texts, e, i + 1, case_value, r);
	if (is_known_boolean(t, a, true))
		return translate_result(t, texts, when->result, r);
	return translate_result(t, texts, when->result, &b) &&
		translate_whens(t, texts, e, i + 1, case_value, r) &&
		put_case(t, a, b, r);
}

static bool
translate_case(gs_translation *t, gs_dictionary *texts, CaseExpr *e,
			   gs_operand *r)
{
	gs_operand	case_value = GS_NOTHING;

	if (e->arg != NULL && !gs_translate(t, e->arg, &case_value))
		return false;
	return translate_whens(t, texts, e, 0, case_value, r);
}

/* The arguments from the i'th on. */
static bool
translate_coalesce(gs_translation *t, gs_dictionary *texts, CoalesceExpr *e,
				   int i, gs_operand *r)
{
	gs_operand	a;
	gs_operand	is_null;

	if (!translate_result(t, texts, list_nth(e->args, i), &a))
		return false;
	if (i == list_length(e->args) - 1 ||
		(gs_known_constant(t, a) != NULL && !is_known_null(t, a)))
	{
		*r = a;
		return true;
	}
	if (is_known_null(t, a))
		return translate_coalesce(t, texts, e, i + 1, r);
	return gs_put_unary(t, GS_CODE_IS_NULL, a, &is_null) &&
		translate_coalesce(t, texts, e, i + 1, r) &&
		gs_operand_type(&t->plan, a) == gs_operand_type(&t->plan, *r) &&
		gs_put_choice(t, is_null, *r, a, r);
}

static bool
translate_choice(gs_translation *t, gs_dictionary *texts, Expr *e,
				 gs_operand *r)
{
	return IsA(e, CaseExpr) ? translate_case(t, texts, (CaseExpr *) e, r) :
		translate_coalesce(t, texts, (CoalesceExpr *) e, 0, r);
}

bool
gs_is_choice_of_texts(const gs_translation *t, Expr *e)
{
	gs_lookup	lookup;

	return (IsA(e, CaseExpr) || IsA(e, CoalesceExpr)) &&
		gs_lookup_kind(e, t->private->by_bytes, &lookup) == NULL && lookup.form == GS_FORM_CODE;
}

/*
 * What CASE or COALESCE may choose.  texts: the dictionary of what it chooses
 * from, whose codes are the results; NULL: the results are values.
 */
static bool
translate_result(gs_translation *t, gs_dictionary *texts, Expr *e,
				 gs_operand *r)
{
	if (texts == NULL)
		return gs_translate(t, e, r);
	return gs_is_choice_of_texts(t, e) ? translate_choice(t, texts, e, r) :
		gs_put_text(t, texts, e, r);
}

/* The dictionary of the first column that may be chosen; NULL: there is none. */
static gs_dictionary *
find_dictionary(gs_translation *t, Expr *e)
{
	List	   *results = NIL;
	ListCell   *cell;
	gs_operand	code;

	if (IsA(e, CoalesceExpr))
		results = ((CoalesceExpr *) e)->args;
	else if (IsA(e, CaseExpr))
	{
		foreach(cell, ((CaseExpr *) e)->args)
			results = lappend(results, lfirst_node(CaseWhen, cell)->result);
		if (((CaseExpr *) e)->defresult != NULL)
			results = lappend(results, ((CaseExpr *) e)->defresult);
	}
	else if (!gs_has_no_column(e) && gs_translate_any(t, e, &code) &&
			 gs_is_code(t, code))
		return gs_dictionary_of(t, code);
	foreach(cell, results)
	{
		gs_dictionary *d = find_dictionary(t, lfirst(cell));

		if (d != NULL)
			return d;
	}
	return NULL;
}

/*
 * A column's codes and those of constants that it has, too: there is nothing to
 * look up, however many values there are.
 */
static bool
translate_texts_of_column(gs_translation *t, Expr *e, gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	gs_lookup	codes = {.type = GS_INT4, .form = GS_FORM_CODE};

	codes.dictionary = t->state == NULL ? NULL : find_dictionary(t, e);
	gs_forget(t, &before);
	if (codes.dictionary != NULL && codes.dictionary->id != 0 &&
		translate_choice(t, codes.dictionary, e, r) && *r >= GS_RESULT(0))
	{
		gs_describe_lookup(t, &codes, *r);
		return true;
	}
	gs_forget(t, &before);
	gs_untranslated(t, NULL);
	return false;
}

/* Conditions choose among texts, which get codes here if they have none. */
static bool
translate_texts(gs_translation *t, Expr *e, gs_operand *r)
{
	gs_dictionary *texts;
	gs_operand	code;

	if (translate_texts_of_column(t, e, r))
		return true;
	texts = gs_dictionary_make(exprType((Node *) e));
	return translate_choice(t, texts, e, &code) &&
		gs_put_texts(t, texts, code, r);
}

/*
 * Which of two equal numbers is taken must not matter.  When planning, a numeric
 * scale that is not known yet may be any but NULL's, which suits all.
 */
static bool
have_same_scale(gs_translation *t, Oid type, gs_operand a, gs_operand b)
{
	int			x = gs_scale_of(t, a);
	int			y = gs_scale_of(t, b);
	bool		suits = t->state != NULL || type != NUMERICOID ||
		is_known_null(t, a) || is_known_null(t, b);

	if ((x == y || (suits && (x == GS_ANY_SCALE || y == GS_ANY_SCALE))) &&
		gs_display_of(t, a) == GS_NOTHING && gs_display_of(t, b) == GS_NOTHING)
		return true;
	return gs_untranslated(t, "least or greatest compares numbers of different "
						   "scales");
}

static bool
translate_least(gs_translation *t, MinMaxExpr *e, gs_operand *r)
{
	gs_code		code = e->op == IS_LEAST ? GS_CODE_LEAST : GS_CODE_GREATEST;
	gs_operand	a;

	if (!gs_translate(t, linitial(e->args), r))
		return false;
	for (int i = 1; i < list_length(e->args); i++)
	{
		if (!gs_translate(t, list_nth(e->args, i), &a) ||
			gs_operand_type(&t->plan, a) != gs_operand_type(&t->plan, *r) ||
			!have_same_scale(t, e->minmaxtype, a, *r) ||
			!gs_put_binary(t, code, *r, a, r))
			return false;
	}
	return true;
}

/* Another name of the type for the same values, or codes. */
static bool
translate_relabel(gs_translation *t, RelabelType *e, gs_operand *r)
{
	gs_report_column column;
	gs_type		type;

	if (e->resulttype != BPCHAROID &&
		gs_column_form_of(e->resulttype, e->resulttypmod, e->resultcollid,
						  &column, &type) && column.form == GS_FORM_CODE)
		return gs_translate_any(t, e->arg, r) && gs_is_code(t, *r);
	if (!gs_computed_type(e->resulttype, &type))
		return gs_untranslated(t, psprintf("an expression has type %s",
										   format_type_be(e->resulttype)));
	return gs_translate(t, e->arg, r) &&
		gs_operand_type(&t->plan, *r) == type;
}

/* The i'th columns of both rows, compared by an operator. */
static bool
compare_columns(gs_translation *t, RowCompareExpr *e, int i, Oid operator,
				gs_operand *r)
{
	Expr	   *comparison = make_opclause(operator, BOOLOID, false,
										   list_nth(e->largs, i),
										   list_nth(e->rargs, i), InvalidOid,
										   list_nth_oid(e->inputcollids, i));

	/* PostgreSQL evaluates those of a dimension alone */
	set_opfuncid((OpExpr *) comparison);
	return gs_translate(t, comparison, r);
}

/*
 * Rows: where the first columns are equal, the rest decides, and is evaluated,
 * else they do.
 */
static bool
translate_row_comparison(gs_translation *t, RowCompareExpr *e, int i,
						 gs_operand *r)
{
	Oid			operator = list_nth_oid(e->opnos, i);
	Oid			left;
	Oid			right;
	int			strategy;
	gs_operand	rest;
	gs_operand	is_equal;

	if (!compare_columns(t, e, i, operator, r))
		return false;
	if (i == list_length(e->opnos) - 1)
		return true;
	get_op_opfamily_properties(operator, list_nth_oid(e->opfamilies, i), false,
							   &strategy, &left, &right);
	operator = get_opfamily_member(list_nth_oid(e->opfamilies, i), left, right,
								   BTEqualStrategyNumber);
	return OidIsValid(operator) &&
		compare_columns(t, e, i, operator, &is_equal) &&
		translate_row_comparison(t, e, i + 1, &rest) &&
		gs_put_choose(t, is_equal, rest, *r, r);
}

bool
gs_translate_compound(gs_translation *t, Expr *e, gs_operand *r)
{
	switch (nodeTag(e))
	{
		case T_FuncExpr:
			return gs_translate_function(t, ((FuncExpr *) e)->funcid,
										 ((FuncExpr *) e)->args, r);
		case T_OpExpr:
			set_opfuncid((OpExpr *) e);
			return gs_translate_function(t, ((OpExpr *) e)->opfuncid,
										 ((OpExpr *) e)->args, r);
		case T_NullIfExpr:
			set_opfuncid((OpExpr *) e);
			return gs_translate_null_if(t, (OpExpr *) e, r);
		case T_DistinctExpr:
			set_opfuncid((OpExpr *) e);
			return gs_translate_distinct(t, (OpExpr *) e, r);
		case T_ScalarArrayOpExpr:
			set_sa_opfuncid((ScalarArrayOpExpr *) e);
			return gs_translate_in(t, (ScalarArrayOpExpr *) e, r);
		case T_BoolExpr:
			return translate_boolean(t, (BoolExpr *) e, r);
		case T_BooleanTest:
			return translate_boolean_test(t, (BooleanTest *) e, r);
		case T_NullTest:
			return translate_null_test(t, (NullTest *) e, r);
		case T_CaseExpr:
		case T_CoalesceExpr:
			return gs_is_choice_of_texts(t, e) ? translate_texts(t, e, r) :
				translate_choice(t, NULL, e, r);
		case T_CaseTestExpr:
			*r = t->private->case_value;
			return *r != GS_NOTHING;
		case T_RowCompareExpr:
			return translate_row_comparison(t, (RowCompareExpr *) e, 0, r);
		case T_MinMaxExpr:
			return translate_least(t, (MinMaxExpr *) e, r);
		case T_RelabelType:
			return translate_relabel(t, (RelabelType *) e, r);
		default:
			return gs_untranslated(t, "an expression of this kind is not "
								   "supported");
	}
}
