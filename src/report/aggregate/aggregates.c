/*-------------------------------------------------------------------------
 *
 * aggregates.c
 *	  SQL's aggregates, made of those of the engine: which ones, of what.
 *
 * An aggregate is known by its name, if it is one of PostgreSQL's own or a
 * member of the extension.  Built-in ones whose results are the same are: those
 * of integers, whose digits are numeric's own; least and greatest values, but
 * see gs_report_cannot_show; and what is of bits and booleans.  Sums and
 * averages of floats are exact here, and rounded once, so that their digits are
 * not always those of the built-in ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "report/aggregate/aggregate_kinds.h"
#include "report/aggregate/aggregates.h"
#include "report/translate/translate_parts.h"

/* The number of an aggregate of the plan; -1: full. */
static int
add_state(gs_translation *t, int kind, gs_operand a, gs_operand b,
		  gs_operand filter)
{
	gs_aggregate aggregate;

	memset(&aggregate, 0, sizeof aggregate);
	aggregate.kind = kind;
	aggregate.a = a;
	aggregate.b = b;
	aggregate.filter = filter;
	return gs_translation_aggregate(t, &aggregate);
}

/* A figure of one of both alone. */
static bool
add_single_states(gs_translation *t, gs_operand one, gs_operand filter,
				  gs_report_aggregate *r)
{
	r->sum = add_state(t, GS_AGG_SUM, one, 0, filter);
	if (!gs_figure_has_squares(r->figure))
		return r->sum >= 0;
	r->squares = add_state(t, GS_AGG_SQUARES, one, 0, filter);
	return r->sum >= 0 && r->squares >= 0;
}

static bool
add_pair_states(gs_translation *t, const aggregate_kind *kind, gs_operand y,
				gs_operand x, gs_operand filter, gs_report_aggregate *r)
{
	gs_operand	x_is_null;
	gs_operand	y_is_null;
	gs_operand	null;

	/* of rows where both are present */
	if (!gs_put_unary(t, GS_CODE_IS_NULL, x, &x_is_null) ||
		!gs_put_unary(t, GS_CODE_IS_NULL, y, &y_is_null) ||
		!gs_put_null(t, r->type, &null) ||
		!gs_put_choose(t, y_is_null, null, x, &x) ||
		!gs_put_choose(t, x_is_null, null, y, &y))
		return false;
	r->count = add_state(t, GS_AGG_COUNT, x, 0, filter);
	if (r->count < 0 || kind->rule == GS_RULE_COUNT)
		return r->count >= 0;
	if (kind->only != GS_BOTH)
		return add_single_states(t, kind->only == GS_ONLY_Y ? y : x, filter, r);
	r->sum = add_state(t, GS_AGG_SUM, x, 0, filter);
	r->sum_y = add_state(t, GS_AGG_SUM, y, 0, filter);
	r->products = add_state(t, GS_AGG_PRODUCTS, x, y, filter);
	if (r->sum < 0 || r->sum_y < 0 || r->products < 0)
		return false;
	if (r->state != 0 || gs_figure_has_squares(r->figure))
	{
		r->squares = add_state(t, GS_AGG_SQUARES, x, 0, filter);
		r->squares_y = add_state(t, GS_AGG_SQUARES, y, 0, filter);
		if (r->squares < 0 || r->squares_y < 0)
			return false;
	}
	if (r->state == 0)
		return true;
	r->specials = add_state(t, GS_AGG_SPECIALS, x, 0, filter);
	r->specials_y = add_state(t, GS_AGG_SPECIALS, y, 0, filter);
	return r->specials >= 0 && r->specials_y >= 0;
}

/*
 * The sum of a product of decimals, or their average.  The product itself need
 * not fit into 64 bits.
 */
static bool
add_product_states(gs_translation *t, gs_operand a, gs_operand b,
				   gs_operand filter, gs_report_aggregate *r)
{
	gs_operand	present;

	/* NULL where either is */
	if (!gs_put_binary(t, GS_CODE_EQ, a, b, &present))
		return false;
	r->count = add_state(t, GS_AGG_COUNT, present, 0, filter);
	r->sum = add_state(t, GS_AGG_PRODUCTS, a, b, filter);
	return r->count >= 0 && r->sum >= 0;
}

/* The largest display scale, if it is not the same for all values. */
static bool
add_display_state(gs_translation *t, const aggregate_kind *kind, gs_operand a,
				  gs_operand filter, gs_report_aggregate *r)
{
	gs_operand	display;

	if (kind->rule == GS_RULE_COUNT || kind->rule == GS_RULE_VALUE ||
		gs_display_of(t, a) == GS_NOTHING)
		return true;
	if (!gs_put_display(t, a, &display))
		return false;
	r->display = add_state(t, GS_AGG_MAX, display, 0, filter);
	return r->display >= 0;
}

/* Does it matter whether there is a -0 that the state does not show? */
static bool
needs_specials(const aggregate_kind *kind, const gs_report_aggregate *r)
{
	return r->any_zero &&
		(kind->kind == GS_AGG_MODE || kind->kind == GS_AGG_MAX);
}

/* What a state, or a summary, has beside sums. */
static bool
add_state_states(gs_translation *t, gs_operand a, gs_operand filter,
				 gs_report_aggregate *r)
{
	if (r->rule == GS_RULE_STATS)
	{
		r->value = add_state(t, GS_AGG_MIN, a, 0, filter);
		r->greatest = add_state(t, GS_AGG_MAX, a, 0, filter);
		if (r->value < 0 || r->greatest < 0)
			return false;
	}
	if (r->type != GS_FLOAT4 && r->type != GS_FLOAT8)
		return true;
	r->specials = add_state(t, GS_AGG_SPECIALS, a, 0, filter);
	return r->specials >= 0;
}

static bool
add_states(gs_translation *t, const aggregate_kind *kind, gs_operand a,
		   gs_operand filter, gs_report_aggregate *r)
{
	if (!add_display_state(t, kind, a, filter, r))
		return false;
	r->count = add_state(t, kind->rule == GS_RULE_COUNT ? (int) kind->kind :
						 GS_AGG_COUNT, a, 0, filter);
	if (r->count < 0 || kind->rule == GS_RULE_COUNT)
		return r->count >= 0;
	if (kind->rule == GS_RULE_VALUE)
	{
		gs_operand	sorted = a;

		if (r->descending && !gs_report_put_reversed(t, a, &sorted))
			return false;

		/* false is below true */
		r->value = add_state(t, r->type == GS_BOOL && kind->kind == GS_AGG_MIN ?
							 GS_AGG_BIT_AND : kind->kind, sorted, 0, filter);
		if (needs_specials(kind, r))
		{
			r->specials = add_state(t, GS_AGG_SPECIALS, a, 0, filter);
			return r->value >= 0 && r->specials >= 0;
		}
		return r->value >= 0;
	}
	if (r->state != 0 && !add_state_states(t, a, filter, r))
		return false;
	r->sum = add_state(t, GS_AGG_SUM, a, 0, filter);
	if (kind->rule == GS_RULE_FIGURE && !gs_figure_has_squares(kind->figure))
		return r->sum >= 0;
	r->squares = add_state(t, GS_AGG_SQUARES, a, 0, filter);
	return r->sum >= 0 && r->squares >= 0;
}

/* Of a sum of x + c: those of x, or of x + d. */
static bool
add_shifted_states(gs_translation *t, gs_operand summed, gs_operand filter,
				   gs_report_aggregate *r)
{
	r->count = add_state(t, GS_AGG_COUNT, summed, 0, filter);
	r->sum = add_state(t, GS_AGG_SUM, summed, 0, filter);
	if (!r->bounded)
		return r->count >= 0 && r->sum >= 0;
	r->value = add_state(t, GS_AGG_MIN, summed, 0, filter);
	r->greatest = add_state(t, GS_AGG_MAX, summed, 0, filter);
	return r->count >= 0 && r->sum >= 0 && r->value >= 0 && r->greatest >= 0;
}

/* Does the setting allow it, and can it be computed? */
static bool
is_allowed(gs_translation *t, const known_aggregate *known,
		   const gs_report_value *value, gs_reports_choice reports)
{
	const aggregate_kind *kind = known->kind;
	int			types = kind->same;
	int			type = value->form == GS_FORM_DECIMAL ? DECIMALS :
		value->form == GS_FORM_CODE ? CODES : 1 << value->type;

	if (value->form == GS_FORM_INTERVAL)
		return true;
	if (known->gpuscan)
		types = kind->types;
	else if (reports == GS_REPORTS_ALL)
		types |= kind->rounded;
	if (types & type)
		return true;
	if (known->gpuscan || ((kind->types | kind->rounded) & type & FLOATS) == 0)
		return gs_untranslated(t, psprintf("aggregate %s is not supported for this type",
										   kind->name));
	return gs_untranslated_hint(t,
								psprintf("the last digits of %s of floats depend on the order of rows",
										 kind->name),
								kind->rounded == NONE ?
								psprintf("Use gpu_%s.", kind->name) :
								kind->types == NONE ?
								"Set gpuscan.reports = 'all'." :
								psprintf("Use gpu_%s, or set gpuscan.reports = 'all'.",
										 kind->name));
}

bool
gs_report_allows(gs_translation *t, Oid function, const gs_report_value *value,
				 gs_reports_choice reports)
{
	known_aggregate known = gs_known_aggregate(function);

	return is_allowed(t, &known, value, reports);
}

/* Where the order of codes matters, the engine gets their ranks. */
static bool
translate_argument(gs_translation *t, const known_aggregate *known,
				   const Aggref *aggref, bool descending, Expr *e,
				   gs_reports_choice reports, gs_operand *r,
				   gs_report_value *value)
{
	if (known->kind->kind == GS_AGG_DISTINCT && IsA(e, RowExpr))
	{
		*value = (gs_report_value) {.type = GS_INT8};
		return gs_report_record_put(t, (RowExpr *) e, r);
	}
	if (known->kind->kind == GS_AGG_COUNT &&
		(gs_mean_of(t, e) != NULL ||
		 (known->kind->rule == GS_RULE_COUNT &&
		  IsA(gs_resolve(t, (Node *) e), Var) &&
		  gs_codes_may_be_equal(exprType((Node *) e)))))
	{
		*value = (gs_report_value) {.type = GS_INT8};
		return gs_translate_presence(t, e, r);
	}
	if (((known->kind->types | known->kind->same) & CODES) != 0 ?
		!gs_translate_any(t, e, r) : !gs_translate(t, e, r))
		return false;
	gs_translated_value(t, e, *r, value);
	return is_allowed(t, known, value, reports) &&
		(value->form != GS_FORM_CODE || known->kind->rule == GS_RULE_COUNT ||
		 gs_report_ranks_put(t, AGGKIND_IS_ORDERED_SET(aggref->aggkind) ?
							 exprCollation((Node *) e) : aggref->inputcollid,
							 descending, e, r, value));
}

/* Is it a sum, or an average, of a product of decimals? */
static bool
translate_product(gs_translation *t, const aggregate_kind *kind,
				  const Aggref *aggref, gs_operand *factor,
				  gs_report_aggregate *r)
{
	Expr	   *product = linitial_node(TargetEntry, aggref->args)->expr;

	if (kind->rule != GS_RULE_FIGURE || gs_figure_has_squares(kind->figure) ||
		!gs_translate_product(t, product, &factor[0], &factor[1]))
		return false;
	r->type = GS_INT8;
	r->value_of.type = GS_INT8;
	r->value_of.form = GS_FORM_DECIMAL;
	r->value_of.scale = Max(gs_scale_of(t, factor[0]), 0) +
		Max(gs_scale_of(t, factor[1]), 0);
	return true;
}

/*
 * DISTINCT: what is to be computed instead of the aggregate, or NULL: nothing
 * will do.
 */
static const aggregate_kind *
of_distinct(const aggregate_kind *kind)
{
	static const aggregate_kind count = {
		"count", GS_RULE_COUNT, GS_AGG_DISTINCT, 0, ANY, ANY, NONE, GS_BOTH, NULL, 0
	};

	if (kind->rule == GS_RULE_COUNT)
		return &count;
	if (kind->rule != GS_RULE_VALUE)
		return NULL;
	switch (kind->kind)
	{
		case GS_AGG_MIN:
		case GS_AGG_MAX:
		case GS_AGG_BIT_AND:
		case GS_AGG_BIT_OR:
			return kind;
		default:
			return NULL;
	}
}

#define DISTINCT_BEFORE \
	"Group by its argument, too, in a subquery; then aggregate its groups."

/*
 * PostgreSQL's own aggregates of a group's sorted values have an order.  (NULLs
 * are not among them.)  False: it is DISTINCT or ordered in a way that matters.
 */
static bool
examine_form(gs_translation *t, const Aggref *aggref, known_aggregate *known,
			 bool *descending)
{
	const char *name = get_func_name(aggref->aggfnoid);
	bool		is_set = AGGKIND_IS_ORDERED_SET(aggref->aggkind);

	if (aggref->aggsplit != AGGSPLIT_SIMPLE || aggref->agglevelsup != 0)
		return gs_untranslated(t, "an aggregate is partial, or belongs to an outer query");
	*descending = false;
	if (is_set && !gs_report_has_usual_order(aggref, descending))
		return gs_untranslated(t, psprintf("the values of %s are not in their type's usual order",
										   name));
	if (!is_set && aggref->aggorder != NIL)
		return gs_untranslated_hint(t, psprintf("aggregate %s has ORDER BY", name),
									"Leave ORDER BY out: the result does not depend on it.");
	if (aggref->aggdistinct == NIL)
		return true;
	known->kind = list_length(aggref->args) == 1 ?
		of_distinct(known->kind) : NULL;
	return known->kind != NULL ||
		gs_untranslated_hint(t, psprintf("aggregate %s has DISTINCT", name),
							 DISTINCT_BEFORE);
}

/* count(*), and what counts as if it were. */
static bool
counts_rows(const aggregate_kind *kind, const Aggref *aggref)
{
	const TargetEntry *argument;

	if (kind->rule != GS_RULE_COUNT || kind->kind != GS_AGG_COUNT ||
		list_length(aggref->args) > 1)
		return false;
	if (aggref->args == NIL)
		return true;
	argument = linitial_node(TargetEntry, aggref->args);
	return IsA(argument->expr, Const) &&
		!((Const *) argument->expr)->constisnull;
}

/* A sum, or an average; there are no other figures of these. */
static bool
adds_intervals(const aggregate_kind *kind, const Aggref *aggref)
{
	return kind->rule == GS_RULE_FIGURE && list_length(aggref->args) == 1 &&
		exprType((Node *) linitial_node(TargetEntry, aggref->args)->expr) ==
		INTERVALOID;
}

/* A sum has a figure for each type. */
static gs_figure
figure_of(const aggregate_kind *kind, Oid type)
{
	return kind->figure != GS_FIGURE_SUM ? kind->figure :
		type == INT8OID ? GS_FIGURE_SUM_BIGINT :
		type == FLOAT4OID ? GS_FIGURE_SUM_REAL : GS_FIGURE_SUM;
}

bool
gs_report_aggregate_add(gs_translation *t, Aggref *aggref,
						gs_reports_choice reports,
						gs_report_aggregate *result)
{
	const Aggref *shown = aggref;
	known_aggregate known = gs_known_aggregate(aggref->aggfnoid);
	gs_operand	filter = GS_NOTHING;
	gs_operand	argument[2];
	gs_operand	summed;
	gs_translation_mark before;
	bool		by_value;
	bool		descending;
	bool		chooses;		/* the result from the values */
	int			n;

	if (known.partial)
	{
		aggref = gs_report_partial(shown);
		if (aggref == NULL)
			return gs_untranslated(t, "it is not clear which aggregate a partial state belongs to");
		known = gs_known_aggregate(aggref->aggfnoid);
	}
	else if (shown->aggsplit == AGGSPLIT_INITIAL_SERIAL)
	{
		aggref = copyObject(aggref);
		aggref->aggsplit = AGGSPLIT_SIMPLE;
	}
	if (known.kind == NULL)
	{
		const char *name = get_func_name(aggref->aggfnoid);

		return gs_untranslated_hint(t,
									psprintf("aggregate %s is not supported", name),
									aggref->aggdistinct != NIL ?
									DISTINCT_BEFORE : NULL);
	}
	if (!examine_form(t, aggref, &known, &descending))
		return false;
	n = gs_rule_has_parameters(known.kind->rule) ? 1 : list_length(aggref->args);
	if (known.kind->extreme != NULL && n > 1)
		return gs_untranslated(t, "an aggregate is of rows that another column chooses");
	memset(result, 0, sizeof *result);
	result->rule = known.kind->rule;
	result->figure = figure_of(known.kind, shown->aggtype);

	/* the median of times is one of them */
	if (result->rule == GS_RULE_MEDIAN && aggref->aggtype != FLOAT8OID &&
		aggref->aggtype != NUMERICOID)
		result->rule = GS_RULE_ELEMENT;
	result->result_type = shown->aggtype;
	result->count = result->value = result->sum = result->squares = -1;
	result->sum_y = result->squares_y = result->products = -1;
	result->specials = result->display = result->greatest = -1;
	result->specials_y = -1;
	for (int i = 0; i < GS_INTERVAL_PARTS; i++)
		result->part[i] = -1;
	result->gpuscan = known.gpuscan;
	get_typlenbyval(shown->aggtype, &result->length, &by_value);
	result->by_reference = !by_value;
	if (known.kind->rule == GS_RULE_STATS)
		result->state = GS_STATE_STATS;
	if (shown != aggref &&
		!gs_report_state_add(t, &known, aggref, shown->aggsplit, result))
		return false;
	if (aggref->aggfilter != NULL &&
		!gs_translate(t, aggref->aggfilter, &filter))
		return false;
	if (counts_rows(known.kind, aggref))
	{
		result->count = add_state(t, GS_AGG_COUNT, GS_NOTHING, 0, filter);
		return result->count >= 0;
	}
	if (adds_intervals(known.kind, aggref))
		return gs_report_interval_add(t, aggref, filter, result);
	before = gs_mark(t);
	if (n == 1 &&
		translate_product(t, known.kind, aggref, argument, result))
		return add_product_states(t, argument[0], argument[1], filter, result);
	for (int i = 0; i < n; i++)
	{
		TargetEntry *entry = list_nth_node(TargetEntry, aggref->args, i);

		if (!translate_argument(t, &known, aggref, descending, entry->expr,
								reports, &argument[i], &result->value_of))
			return false;
	}
	result->type = result->value_of.type;
	result->descending = descending && result->value_of.form != GS_FORM_CODE;
	chooses = result->rule == GS_RULE_VALUE ||
		gs_rule_has_parameters(result->rule);
	result->any_zero = chooses && !known.gpuscan &&
		(result->type == GS_FLOAT4 || result->type == GS_FLOAT8);
	if (chooses && !gs_equals_look_same(t, "value", argument[0]))
		return false;
	if (gs_rule_has_parameters(known.kind->rule))
		return gs_report_parameters_add(t, aggref, argument[0], filter, result);
	if (result->rule == GS_RULE_DESCRIPTION)
		return gs_equals_look_same(t, "value", argument[0]) &&
			gs_report_description_add(t, argument[0], filter, result);
	if (n == 1 &&
		gs_report_find_shifted(t, argument[0], filter, result, &summed))
	{
		gs_forget(t, &before);
		return add_shifted_states(t, summed, filter, result);
	}
	if (n == 2)
		return add_pair_states(t, known.kind, argument[0], argument[1], filter,
							   result);
	return add_states(t, known.kind, argument[0], filter, result);
}

bool
gs_report_is_gpuscan(const Aggref *aggref)
{
	known_aggregate known = gs_known_aggregate(aggref->aggfnoid);

	if (known.partial)
	{
		aggref = gs_report_partial(aggref);
		return aggref != NULL && gs_report_is_gpuscan(aggref);
	}
	return known.gpuscan;
}
