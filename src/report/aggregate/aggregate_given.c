/*-------------------------------------------------------------------------
 *
 * aggregate_given.c
 *	  What groups give to a plan whose rows they are: their keys, and the results
 *	  of their aggregates, as far as these are values that the engine has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"

#include "report/aggregate/aggregate_rules.h"
#include "report/aggregate/aggregates.h"

/* When planning, a scale is not always known. */
static int
scale_of(const gs_translation *t, const gs_report_value *value)
{
	return t->state == NULL ? GS_ANY_SCALE : value->scale;
}

/* The number of an aggregate of the plan; -1: there is none. */
static int
specials_of(const gs_plan *plan, gs_operand key)
{
	for (int i = 0; i < plan->aggregates; i++)
	{
		if (plan->aggregate[i].kind == GS_AGG_SPECIALS &&
			plan->aggregate[i].a == key &&
			plan->aggregate[i].filter == GS_NOTHING)
			return i;
	}
	return -1;
}

void
gs_report_give_value(const gs_translation *t, gs_operand key, Expr *expression,
					 gs_given *given)
{
	gs_report_value value;

	memset(given, 0, sizeof *given);
	gs_translated_value(t, expression, key, &value);
	given->type = value.type;
	given->column.form = value.form;
	if (value.form == GS_FORM_DECIMAL)
		given->column.scale = scale_of(t, &value);
	if (value.form == GS_FORM_CODE && key < GS_CONSTANT(0))
		given->column = t->column[key - GS_COLUMN(0)];
	else if (value.form == GS_FORM_CODE)
	{
		given->computed_char = exprType((Node *) expression) == BPCHAROID;
		given->column.dictionary = value.dictionary;
		if (value.dictionary != NULL)
			given->column.values = value.dictionary->n;
	}
}

void
gs_report_finish_key(const gs_translation *t, int k, gs_given *given)
{
	gs_operand	key = t->plan.key[k];

	given->type = gs_operand_type(&t->plan, key);
	given->finish = (gs_finish) {
		.kind = GS_FINISH_KEY, .of = (int16) k, .count = -1, .squares = -1,
		.specials = -1
	};
	if (gs_is_float(given->type))
	{
		given->finish.zeros = 1;
		given->finish.specials = (int16) specials_of(&t->plan, key);
	}
}

void
gs_report_give_key(const gs_translation *t, int k, Expr *expression,
				   gs_given *given)
{
	gs_report_give_value(t, t->plan.key[k], expression, given);
	gs_report_finish_key(t, k, given);
}

static bool
find_figure(const gs_translation *t, const gs_report_aggregate *a,
			gs_given *given)
{
	gs_finish  *finish = &given->finish;

	finish->of = (int16) a->sum;
	finish->squares = (int16) a->squares;
	if (gs_is_float(a->type))
	{
		finish->kind = GS_FINISH_FIGURE;
		finish->figure = (uint8) a->figure;
		if (gs_figure_is_of_pairs(a->figure))
			finish->of = (int16) a->products;
		return a->result_type == FLOAT8OID || a->result_type == FLOAT4OID;
	}
	finish->kind = GS_FINISH_INTEGER;
	if (a->result_type == NUMERICOID)
	{
		given->column.form = GS_FORM_DECIMAL;
		given->column.scale = scale_of(t, &a->value_of);
	}
	return a->offset == 0 && !a->bounded && a->display < 0 &&
		(a->figure == GS_FIGURE_SUM_BIGINT || a->figure == GS_FIGURE_SUM ||
		 a->figure == GS_FIGURE_AVG) &&
		(a->result_type == INT8OID || a->result_type == NUMERICOID);
}

/* One of the argument's values; of codes, it is the rank. */
static bool
give_argument(const gs_translation *t, const gs_report_aggregate *a,
			  gs_given *given)
{
	if (a->value_of.form == GS_FORM_CODE)
	{
		given->ranked = a->value_of;
		return true;
	}
	given->column.form = a->value_of.form;
	if (a->value_of.form == GS_FORM_DECIMAL)
		given->column.scale = scale_of(t, &a->value_of);
	return a->value_of.form == GS_FORM_VALUE ||
		a->value_of.form == GS_FORM_DECIMAL;
}

static bool
find_value(const gs_translation *t, const gs_report_aggregate *a,
		   gs_given *given)
{
	gs_finish  *finish = &given->finish;

	finish->kind = GS_FINISH_VALUE;
	finish->of = (int16) a->value;
	finish->zeros = a->any_zero;
	finish->specials = (int16) a->specials;
	return !a->descending && give_argument(t, a, given);
}

static bool
has_fraction(const gs_report_aggregate *a)
{
	return a->shape == NULL && a->fractions == 1 && !a->fraction->isnull &&
		!a->descending;
}

/* One of the values; of zeros of both signs it might be the other. */
static bool
find_element(const gs_translation *t, const gs_report_aggregate *a,
			 gs_given *given)
{
	if (!has_fraction(a) || a->any_zero)
		return false;
	given->finish.kind = GS_FINISH_ELEMENT;
	given->finish.of = (int16) a->fraction->state;
	return give_argument(t, a, given);
}

/* One that is gpuscan's, and between two values; built-in ones round otherwise. */
static bool
find_percentile(const gs_report_aggregate *a, gs_given *given)
{
	if (!a->gpuscan || !has_fraction(a) || a->value_of.form != GS_FORM_VALUE || a->result_type != FLOAT8OID)
		return false;
	given->finish.kind = GS_FINISH_PERCENTILE;
	given->finish.of = (int16) a->fraction->state;
	return true;
}

/* A mean is given as its sum, given[spare - 1], and the count behind that. */
static void
give_mean(gs_given *given, int number, int spare)
{
	gs_given   *mean = &given[number - 1];
	gs_given   *count = &given[spare];

	given[spare - 1] = *mean;
	*count = (gs_given) {
		.type = GS_INT8, .finish = mean->finish
	};
	count->finish.kind = GS_FINISH_COUNT;
	count->finish.of = mean->finish.count;
	mean->sum = spare;
	mean->count = spare + 1;
	mean->refusal = GS_MEAN_REFUSAL;
}

void
gs_report_give_aggregate(const gs_translation *t,
						 const gs_report_aggregate *a, gs_given *all,
						 int number, int spare)
{
	gs_given   *given = &all[number - 1];
	bool		found = false;

	memset(given, 0, sizeof *given);
	given->finish = (gs_finish) {
		.kind = GS_FINISH_COUNT, .of = (int16) a->count,
		.count = (int16) a->count, .squares = -1, .specials = -1
	};
	if (a->state != 0 || OidIsValid(a->output))
		found = false;
	else if (a->rule == GS_RULE_COUNT)
		found = true;
	else if (a->rule == GS_RULE_VALUE)
		found = find_value(t, a, given);
	else if (a->rule == GS_RULE_FIGURE)
		found = find_figure(t, a, given);
	else if (a->rule == GS_RULE_MEDIAN || a->rule == GS_RULE_PERCENTILE)
		found = find_percentile(a, given);
	else if (a->rule == GS_RULE_ELEMENT)
		found = find_element(t, a, given);
	if (found)
		given->type = gs_finish_type(&t->plan, &given->finish);
	if (given->type == 0)
		given->refusal = "a subquery has an aggregate whose results the service does not compute with";
	else if (given->finish.kind == GS_FINISH_INTEGER &&
			 a->figure == GS_FIGURE_AVG)
		give_mean(all, number, spare);
}
