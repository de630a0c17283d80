/*-------------------------------------------------------------------------
 *
 * translate_any.c
 *	  Which way an expression is translated: by instructions, a table of results, a
 *	  look-up in a dimension, or a value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"

#include "report/translate/translate_parts.h"

/*
 * Is there too little of the stack left?  PostgreSQL's own functions, which are
 * called on the way down, raise an error there; this is what they need for an
 * expression that gs_is_too_deep lets pass.
 */
#define STACK_ROOM	(256 * 1024)

static const char stack_is_short[] =
"its expressions need too much stack";

static pg_noinline bool
is_stack_short(void)
{
	volatile char room[STACK_ROOM];

	room[0] = 0;
	return stack_is_too_deep() || room[0] != 0;
}

bool
gs_is_stack_short(gs_translation *t)
{
	if (!is_stack_short())
		return false;
	gs_untranslated(t, stack_is_short);
	return true;
}

/* Levels of an expression; with more, it would be too long for a plan anyway. */
#define DEPTH_MAX	GS_PLAN_CODE

static bool
is_deeper(Node *node, void *left)
{
	bool		deeper;

	if (node == NULL)
		return false;
	if (*(int *) left == 0)
		return true;
	--*(int *) left;
	deeper = expression_tree_walker(node, is_deeper, left);
	++*(int *) left;
	return deeper;
}

bool
gs_is_too_deep(Node *expression)
{
	int			left = DEPTH_MAX;

	return is_deeper(expression, &left);
}

/*
 * An expression as instructions.  If it has no column, it is a constant if its
 * value is sure to exist, and one unknown value if it is made of such.
 */
static bool
translate_compound(gs_translation *t, Expr *expression, gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	bool		sure;

	if (!gs_translate_compound(t, expression, r))
		return false;
	if (t->state == NULL || *r < GS_RESULT(0) ||
		!gs_has_no_column(expression))
		return true;
	sure = !gs_can_raise(t, *r);
	if (!sure && t->unknown == before.unknown)
		return true;
	gs_forget(t, &before);
	return gs_put_value(t, expression, sure, r);
}

/* A table of results; leaves nothing behind if it fails but the first reason. */
static bool
translate_values(gs_translation *t, Expr *expression, gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	const char *reason;
	const char *hint;

	gs_untranslated(t, NULL);
	if (gs_translate_values(t, expression, r))
		return true;
	gs_forget(t, &before);
	reason = t->reason;
	hint = t->hint;
	if (gs_translate_of_choice(t, expression, r))
	{
		gs_untranslated(t, NULL);
		return true;
	}
	gs_forget(t, &before);
	if (reason != NULL)
		gs_untranslated_hint(t, reason, hint);
	return false;
}

/*
 * An expression that is neither a column nor a constant.  A table of results
 * takes fewer steps than conditions that choose among texts.
 */
static bool
translate_computed(gs_translation *t, Expr *expression, gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	bool		values_first = gs_is_choice_of_texts(t, expression) ||
		gs_has_short_table(t, expression);
	const char *reason;
	const char *hint;

	if (values_first && translate_values(t, expression, r))
		return true;
	reason = t->reason;
	hint = t->hint;
	gs_untranslated(t, NULL);
	if (translate_compound(t, expression, r))
		return true;
	if (!values_first || reason == NULL || t->reason == stack_is_short)
	{
		reason = t->reason;
		hint = t->hint;
	}
	gs_untranslated(t, NULL);
	gs_forget(t, &before);
	if (reason == stack_is_short)
		return gs_untranslated(t, reason);
	if (gs_has_no_column(expression) ?
		gs_put_value(t, expression, false, r) :
		gs_translate_codes(t, expression, r) ||
		(t->reason == NULL && !values_first &&
		 translate_values(t, expression, r)))
		return true;
	gs_forget(t, &before);
	return t->reason == NULL && gs_untranslated_hint(t, reason, hint);
}

/*
 * A table of all of it; or, if that cannot be, of its parts: the results of
 * coalesce(price, 0), say, differ in scale.
 */
static bool
translate_of_dimension(gs_translation *t, gs_dimension *d, Expr *expression,
					   gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	bool		in_vain = t->in_vain;
	const char *reason;

	if (gs_translate_of_dimension(t, d, expression, r))
		return true;
	if (IsA(expression, Var))
		return false;
	reason = t->reason;
	gs_forget(t, &before);
	if (translate_compound(t, expression, r))
	{
		t->in_vain = in_vain;
		gs_untranslated(t, NULL);
		return true;
	}
	gs_forget(t, &before);
	return gs_untranslated(t, reason);
}

bool
gs_translate_any(gs_translation *t, Expr *expression, gs_operand *r)
{
	gs_dimension *dimension;

	if (gs_is_stack_short(t))
		return false;
	dimension = gs_find_dimension(t, expression);
	if (dimension != NULL)
		return translate_of_dimension(t, dimension, expression, r);
	if (IsA(expression, Var))
		return gs_translate_column(t, (Var *) expression, r);
	if (IsA(expression, Const) || IsA(expression, Param))
		return gs_put_value(t, expression, false, r);
	if (IsA(expression, AlternativeSubPlan) &&
		list_length(((AlternativeSubPlan *) expression)->subplans) == 1)
		expression = linitial(((AlternativeSubPlan *) expression)->subplans);
	if (IsA(expression, SubPlan) &&
		gs_is_membership((const SubPlan *) expression))
		return gs_translate_membership(t, (const SubPlan *) expression, r);
	return translate_computed(t, expression, r);
}

/*
 * A code is no value: nothing must be computed of it.  Executing, do not make a
 * table of codes first.
 */
bool
gs_translate(gs_translation *t, Expr *expression, gs_operand *r)
{
	Oid			sql_type = exprType((Node *) expression);
	const bool	outer = t->private->by_bytes;
	gs_type		type;
	bool		done;

	if (t->state == NULL || gs_computed_type(sql_type, &type))
	{
		t->private->by_bytes |= IsA(gs_resolve(t, (Node *) expression), Var);
		done = gs_translate_any(t, expression, r);
		t->private->by_bytes = outer;
		if (!done)
			return false;
		if (!gs_is_code(t, *r))
			return true;
	}
	return gs_untranslated(t, psprintf("it computes with a column of type %s",
									   format_type_be(sql_type)));
}
