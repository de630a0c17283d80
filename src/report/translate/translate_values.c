/*-------------------------------------------------------------------------
 *
 * translate_values.c
 *	  Any expression over one column of few distinct values, as a table of its
 *	  results.
 *
 * PostgreSQL evaluates the expression once for each value that the column can
 * have: those of its dictionary, or all integers or days of a range.  The plan
 * gets the results, and looks up the one for each row.  A value that the table
 * lacks is an error of the plan (GS_ERROR_LOOKUP), after which the report is
 * made once more, with a longer table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

#include "report/translate/like.h"
#include "report/translate/translate_parts.h"

/* A range of integers of which all are evaluated is no longer than this. */
#define RANGE_MAX	(1 << 18)

/*
 * Of values of a dictionary, for which there is a table: a second or two of
 * evaluation, and up to 32 MB.
 */
#define TABLE_MAX	(1 << 22)

/* ----------
 * The expression
 * ----------
 */

typedef struct replacement
{
	const gs_translation *t;
	Node	   *stand_in;		/* of the column; NULL: a Var of the slot */
	const Expr *choice;			/* in place of a column, or NULL */
	Var		   *var;			/* the column */
	bool		failed;			/* it is not the only one */
} replacement;

/* What a Var of the scan's tuples stands for. */
Node *
gs_resolve(const gs_translation *t, Node *node)
{
	const Var  *var = (const Var *) node;

	while (IsA(node, Var) && var->varno == INDEX_VAR && t->tlist != NIL)
	{
		node = (Node *) list_nth_node(TargetEntry, t->tlist,
									  var->varattno - 1)->expr;
		var = (const Var *) node;
	}
	return node;
}

/* What stands for it in the slot. */
static Var *
make_slot_var(const Expr *e)
{
	const Node *node = (const Node *) e;

	return makeVar(OUTER_VAR, 1, exprType(node), exprTypmod(node),
				   exprCollation(node), 0);
}

static Node *
replace_column(Node *node, void *context)
{
	replacement *r = context;
	Var		   *var;

	if (node == NULL)
		return NULL;
	if (r->choice != NULL && equal(node, r->choice))
		return r->stand_in != NULL ? r->stand_in :
			(Node *) make_slot_var(r->choice);
	if (!IsA(node, Var))
		return expression_tree_mutator(node, replace_column, context);
	node = gs_resolve(r->t, node);
	if (!IsA(node, Var))
		return replace_column(node, context);
	var = (Var *) node;
	if (var->varattno <= 0 || var->varlevelsup != 0 ||
		gs_dimension_of(r->t->dimensions, var) != NULL ||
		(r->var != NULL && r->var->varattno != var->varattno))
		r->failed = true;
	r->var = var;
	return r->stand_in != NULL ? r->stand_in :
		(Node *) make_slot_var((Expr *) var);
}

/* The column, if it is the only thing in the expression that rows have. */
static Var *
find_column(const gs_translation *t, Expr *expression)
{
	replacement r = {.t = t, .stand_in = makeBoolConst(false, true)};
	Node	   *without = replace_column((Node *) expression, &r);

	return r.failed || r.var == NULL || !gs_has_no_column((Expr *) without) ?
		NULL : r.var;
}

typedef struct choice_search
{
	const gs_translation *t;
	Expr	   *found;
} choice_search;

static bool
find_choice_in(Node *node, void *context)
{
	choice_search *search = context;

	if (node == NULL)
		return false;
	node = gs_resolve(search->t, node);
	if (!gs_is_choice_of_texts(search->t, (Expr *) node))
		return expression_tree_walker(node, find_choice_in, context);
	search->found = (Expr *) node;
	return true;
}

/* A choice among texts, if it is the only thing in the expression that rows have. */
static Expr *
find_choice(const gs_translation *t, Expr *expression)
{
	choice_search search = {.t = t};
	replacement r = {.t = t, .stand_in = makeBoolConst(false, true)};
	Node	   *without;

	if (gs_is_choice_of_texts(t, expression) ||
		!find_choice_in((Node *) expression, &search))
		return NULL;
	r.choice = search.found;
	without = replace_column((Node *) expression, &r);
	return r.var != NULL || !gs_has_no_column((Expr *) without) ? NULL :
		search.found;
}

/* ----------
 * The values
 * ----------
 */

static bool
is_time(Oid type)
{
	return type == TIMESTAMPOID || type == TIMESTAMPTZOID;
}

/* Are there more values from d->low to high? */
static bool
has_more(const gs_domain *d, int64 high, uint64 most)
{
	return (uint64) high - (uint64) d->low >= (uint64) d->step * (most - 1);
}

/* Have steps begin where the expression's result may change. */
static bool
align_steps(gs_translation *t, gs_domain *d, int64 high)
{
	if (d->var->vartype == TIMESTAMPTZOID)
		d->step = gs_granule_in_zone(d->step, d->low, high);
	if (d->step == 0)
		return gs_untranslated(t, "the time zone changes within a minute");
	if (has_more(d, high, RANGE_MAX))
		return gs_untranslated(t, "a column's values are too far apart");
	d->low -= (d->low % d->step + d->step) % d->step;
	return true;
}

/* The values are those of a range of integers, or of times. */
static bool
find_steps(gs_translation *t, Expr *expression, AttrNumber attribute,
		   gs_domain *d)
{
	Oid			type = d->var->vartype;
	gs_column_range range;
	int64		high;
	int64		least;
	int64		most;

	if (is_time(type))
		d->step = gs_granule(t, expression, type);
	else if (type != INT2OID && type != INT4OID && type != INT8OID &&
			 type != DATEOID)
		d->step = 0;
	if (d->step == 0)
		return gs_untranslated(t, psprintf("an expression is not supported, "
										   "and its column of type %s has "
										   "too many values",
										   format_type_be(type)));
	if (t->given != NULL)
		return gs_untranslated(t, "an expression of a subquery's results is not supported");
	if (!(t->state == NULL ?
		  gs_ranges_guess(t->relation, attribute, &range) :
		  gs_ranges_find(&t->ranges, t->relation, attribute, &range)))
		return true;
	if (range.high < range.low)
	{
		if (!range.infinite)
			return true;
		range.low = range.high = 0; /* the infinite ones are behind some place */
	}
	d->low = range.low;
	high = range.high;
	if (has_more(d, high, RANGE_MAX))
		return gs_untranslated(t, "a column's values are too far apart");
	if (is_time(type) && !align_steps(t, d, high))
		return false;
	d->n = (int32) ((high - d->low) / d->step) + 1;
	d->infinite = range.infinite;
	if (!d->infinite)
		return true;
	gs_infinities(type, &least, &most);
	if (high > most - 3 * d->step)
		return gs_untranslated(t, "a column's values are too far apart");
	d->n += 2;
	return true;
}

/* The infinite times take the two places behind the others. */
static bool
put_infinite_places(gs_translation *t, const gs_domain *d, gs_operand *operand)
{
	const gs_operand time = *operand;
	gs_type		type = gs_operand_type(&t->plan, time);
	int64		ends[2];

	gs_infinities(d->var->vartype, &ends[0], &ends[1]);
	for (int i = 0; i < 2; i++)
	{
		int64		at = d->low + (d->n - 2 + i) * d->step;
		gs_operand	end;
		gs_operand	place;
		gs_operand	is_end;

		if (!gs_put_number(t, type, ends[i], &end) ||
			!gs_put_number(t, type, at, &place) ||
			!gs_put_binary(t, GS_CODE_EQ, time, end, &is_end) ||
			!gs_put_choose(t, is_end, place, *operand, operand))
			return false;
	}
	return true;
}

/*
 * A table that is this short takes fewer steps than the functions of a time, and
 * is made soon.
 */
#define SHORT_TABLE		(1 << 16)

bool
gs_has_short_table(const gs_translation *t, Expr *expression)
{
	gs_domain	d = {.step = 1};
	gs_column_range range;

	if (!gs_is_of_times(expression) || t->given != NULL)
		return false;
	d.var = find_column(t, expression);
	if (d.var == NULL)
		return false;
	if (is_time(d.var->vartype))
		d.step = gs_granule(t, expression, d.var->vartype);
	else if (d.var->vartype != DATEOID)
		return false;
	if (d.step <= 0 ||
		!gs_ranges_guess(t->relation, d.var->varattno, &range) ||
		range.high < range.low)
		return false;
	d.low = range.low;
	return !range.infinite && !has_more(&d, range.high, SHORT_TABLE);
}

/* Of a dictionary. */
bool
gs_has_few_values(gs_translation *t, int32 n)
{
	if (n <= TABLE_MAX)
		return true;
	t->in_vain = true;
	return gs_untranslated(t, "a column has more than 4,194,304 distinct values, and "
						   "an expression needs a table of them");
}

static bool
find_domain(gs_translation *t, Expr *expression, const Var *var,
			gs_domain *d, gs_operand *operand)
{
	const gs_report_column *column;
	const bool	outer = t->private->by_bytes;
	bool		is_code;
	bool		done;

	memset(d, 0, sizeof *d);
	d->var = var;
	d->step = 1;
	t->private->by_bytes = true;	/* each has a result of its own */
	done = gs_translate_any(t, (Expr *) var, operand);
	t->private->by_bytes = outer;
	if (!done)
		return false;
	is_code = gs_is_code(t, *operand);
	column = is_code ? NULL : &t->column[*operand];
	if (var->vartype == BOOLOID)
	{
		d->n = 2;
		return gs_put_bool_to_int4(t, *operand, operand);
	}
	if (!is_code && column->form == GS_FORM_VALUE)
		return find_steps(t, expression, column->attribute, d) &&
			(!d->infinite || put_infinite_places(t, d, operand));
	if (!is_code)
		return false;			/* what computes with numeric has the reason */
	if (gs_leaks((Node *) expression))
		return gs_untranslated(t, "a function that is not built in might "
							   "reveal values of other rows");
	d->dictionary = gs_dictionary_of(t, *operand);
	if (*operand < GS_CONSTANT(0))
		d->n = t->column[*operand - GS_COLUMN(0)].values;
	else if (d->dictionary != NULL)
		d->n = d->dictionary->n;
	d->listed = d->n > RANGE_MAX && exprType((Node *) expression) == BOOLOID;
	return gs_has_few_values(t, d->n);
}

/* The values are texts of the query, or of columns, which conditions choose. */
static bool
find_texts(gs_translation *t, Expr *expression, Expr *choice, gs_domain *d,
		   gs_operand *operand)
{
	memset(d, 0, sizeof *d);
	d->var = make_slot_var(choice);
	d->step = 1;
	if (gs_leaks((Node *) expression))
		return gs_untranslated(t, "a function that is not built in might "
							   "reveal values of other rows");
	if (!gs_translate_any(t, choice, operand))
		return false;
	d->dictionary = gs_dictionary_of(t, *operand);
	d->n = d->dictionary == NULL ? 0 : d->dictionary->n;
	return gs_has_few_values(t, d->n);
}

/* ----------
 * All of it
 * ----------
 */

static bool
contains(Node *node, void *param)
{
	return node != NULL &&
		(equal(node, param) || expression_tree_walker(node, contains, param));
}

/* What PostgreSQL always evaluates, in this order; NIL: it is not known. */
static List *
arguments_of(Expr *expression)
{
	switch (nodeTag(expression))
	{
		case T_FuncExpr:
			return ((FuncExpr *) expression)->args;
		case T_OpExpr:
		case T_DistinctExpr:
			return ((OpExpr *) expression)->args;
		case T_ScalarArrayOpExpr:
			return ((ScalarArrayOpExpr *) expression)->args;
		case T_RelabelType:
			return list_make1(((RelabelType *) expression)->arg);
		default:
			return NIL;
	}
}

/*
 * Whoever evaluates the expression needs the parameter's value, if that is not
 * a choice of the expression, and if what it evaluates before raises no error.
 */
static bool
put_need(gs_translation *t, Expr *expression, Param *param, gs_operand *r)
{
	ListCell   *cell;

	foreach(cell, arguments_of(expression))
	{
		Expr	   *arg = lfirst(cell);
		gs_operand	before;

		if (equal(arg, param))
			return true;
		if (contains((Node *) arg, param))
			return put_need(t, arg, param, r);
		if (IsA(arg, Const) || IsA(arg, Var))
			continue;
		if (!gs_translate_any(t, arg, &before) ||
			!gs_put_unary(t, GS_CODE_IS_NULL, before, &before) ||
			!gs_put_choose(t, before, *r, *r, r))
			return false;
	}
	return gs_untranslated(t, "a subquery is evaluated for some rows only");
}

bool
gs_put_need(gs_translation *t, Expr *expression, Param *param,
			gs_lookup *lookup, gs_operand *r)
{
	if (!gs_put_unknown(t, (Expr *) param, lookup->type, r) ||
		!put_need(t, expression, param, r))
		return false;
	if (lookup->form == GS_FORM_CODE)
		lookup->dictionary = gs_dictionary_make(exprType((Node *) expression));
	gs_describe_lookup(t, lookup, *r);
	return true;
}

static bool
put_values(gs_translation *t, Expr *expression, const Expr *choice,
		   const gs_domain *d, gs_operand operand, gs_operand *r)
{
	replacement by_slot = {.t = t, .choice = choice};
	gs_lookup	lookup;

	t->reason = gs_lookup_get(t->state,
							  (Expr *) replace_column((Node *) expression,
													  &by_slot),
							  d, &lookup);
	t->in_vain |= t->reason != NULL;
	return t->reason == NULL && gs_put_lookup(t, d, operand, &lookup, r);
}

void
gs_add_evaluation(gs_translation *t, Expr *expression, double times)
{
	QualCost	cost;

	cost_qual_eval_node(&cost, (Node *) expression, NULL);
	t->evaluation += times * (cpu_tuple_cost + cost.per_tuple);
}

/* choice: what there is in place of the column, or NULL */
static bool
translate_table(gs_translation *t, Expr *expression, const Var *var,
				Expr *choice, gs_operand *r)
{
	Param	   *unknown;
	gs_lookup	lookup;
	gs_domain	d;
	gs_operand	operand;
	bool		done;

	t->reason = gs_lookup_kind(expression, t->private->by_bytes, &lookup);
	if (t->reason != NULL)
		return false;
	unknown = t->state == NULL ? NULL : gs_unknown_parameter(t, expression);
	if (unknown != NULL)
		return gs_put_need(t, expression, unknown, &lookup, r);
	done = (choice == NULL ? find_domain(t, expression, var, &d, &operand) :
			find_texts(t, expression, choice, &d, &operand)) &&
		(t->state == NULL ?
		 gs_put_lookup(t, &d, operand, &lookup, r) :
		 put_values(t, expression, choice, &d, operand, r));

	if (done && t->state == NULL)
		gs_add_evaluation(t, expression, d.n);

	/* a value that has no place yet may be one that raises an error */
	if (done && contain_leaked_vars((Node *) expression))
		t->private->raises[*r - GS_RESULT(0)] = true;
	return done;
}

/* ----------
 * Patterns
 * ----------
 */

/*
 * Has a column too many values for a table of them, as far as is known, or so many
 * that have no codes that to give them some would take longer than to compare them?
 */
static bool
has_many_values(const gs_translation *t, const Var *var)
{
	double		expected = gs_dictionary_expected(t->relation, var->varattno);

	return expected > TABLE_MAX ||
		gs_dictionary_missing(t->relation, var->varattno) > expected / 2 ||
		gs_dictionary_refusal(t->relation, var->varattno) != NULL;
}

/*
 * LIKE, or the like, of a column of very many texts: the service holds which rows
 * match.  Another pattern has the table read again, so that a table of results is
 * better where there are codes.
 */
static bool
translate_match(gs_translation *t, const gs_like *like, const Var *var,
				gs_operand *r)
{
	size_t		size;
	const char *pattern = gs_like_bytes(like, &size);

	return gs_put_match(t, var->varattno, pattern, size, r) &&
		(!gs_like_is_negated(like) || gs_put_unary(t, GS_CODE_NOT, *r, r));
}

bool
gs_translate_values(gs_translation *t, Expr *expression, gs_operand *r)
{
	const gs_translation_mark before = gs_mark(t);
	bool		in_vain = t->in_vain;
	Var		   *var = find_column(t, expression);
	const gs_like *like;

	if (var == NULL || IsA(expression, RelabelType))
		return false;
	like = t->given != NULL ? NULL : gs_like_of(expression);
	if ((like == NULL || !has_many_values(t, var)) &&
		translate_table(t, expression, var, NULL, r))
		return true;
	if (like == NULL)
		return false;
	gs_forget(t, &before);
	gs_untranslated(t, NULL);
	t->in_vain = in_vain;
	return translate_match(t, like, var, r);
}

bool
gs_translate_of_choice(gs_translation *t, Expr *expression, gs_operand *r)
{
	Expr	   *choice = find_choice(t, expression);

	return choice != NULL && !IsA(expression, RelabelType) &&
		translate_table(t, expression, NULL, choice, r);
}
