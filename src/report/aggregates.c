/*-------------------------------------------------------------------------
 *
 * aggregates.c
 *	  SQL's aggregates, made of those of the engine: which ones, of what.
 *
 * An aggregate is known by its name, if it is one of PostgreSQL's own or a
 * member of the extension.  Built-in ones whose results are the same are: those
 * of integers, whose digits are numeric's own; least and greatest values, but
 * see gs_report_depends_on_order; and what is of bits and booleans.  Sums and
 * averages of floats are exact here, and rounded once, so that their digits are
 * not always those of the built-in ones.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "nodes/nodeFuncs.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "report/aggregate_rules.h"
#include "report/aggregates.h"
#include "report/translate_parts.h"

/* Types of arguments: bits. */
#define BOOLEANS	(1 << GS_BOOL)
#define INTEGERS	(1 << GS_INT2 | 1 << GS_INT4 | 1 << GS_INT8)
#define FLOATS		(1 << GS_FLOAT4 | 1 << GS_FLOAT8)
#define NUMBERS		(INTEGERS | FLOATS)
#define DECIMALS	(1 << (GS_FLOAT8 + 1))
#define CODES		(1 << (GS_FLOAT8 + 2))
#define EXACT		(INTEGERS | DECIMALS)
#define ORDERED		(NUMBERS | CODES)
#define ANY			(BOOLEANS | NUMBERS | DECIMALS | CODES)
#define NONE		0

typedef struct aggregate_kind
{
	const char *name;			/* gpuscan's: behind "gpu_" */
	gs_aggregate_rule rule;
	gs_aggregate_kind kind;		/* GS_RULE_COUNT, GS_RULE_VALUE */
	int			types;
	int			same;			/* types for which the built-in one has the
								 * same results */
	int			rounded;		/* and the same but for their rounding */
} aggregate_kind;

static const aggregate_kind kinds[] = {
	{"count", GS_RULE_COUNT, GS_AGG_COUNT, BOOLEANS | NUMBERS, ANY, NONE},
	{"sum", GS_RULE_SUM, 0, NUMBERS, EXACT, FLOATS},
	{"avg", GS_RULE_AVG, 0, NUMBERS, EXACT, FLOATS},
	{"min", GS_RULE_VALUE, GS_AGG_MIN, NUMBERS, ORDERED | DECIMALS, NONE},
	{"max", GS_RULE_VALUE, GS_AGG_MAX, NUMBERS, ORDERED | DECIMALS, NONE},
	{"var_pop", GS_RULE_VAR_POP, 0, NUMBERS, EXACT, FLOATS},
	{"var_samp", GS_RULE_VAR_SAMP, 0, NUMBERS, EXACT, FLOATS},
	{"variance", GS_RULE_VAR_SAMP, 0, NUMBERS, EXACT, FLOATS},
	{"stddev_pop", GS_RULE_STDDEV_POP, 0, NUMBERS, EXACT, FLOATS},
	{"stddev_samp", GS_RULE_STDDEV_SAMP, 0, NUMBERS, EXACT, FLOATS},
	{"stddev", GS_RULE_STDDEV_SAMP, 0, NUMBERS, EXACT, FLOATS},
	{"bit_and", GS_RULE_VALUE, GS_AGG_BIT_AND, INTEGERS, INTEGERS, NONE},
	{"bit_or", GS_RULE_VALUE, GS_AGG_BIT_OR, INTEGERS, INTEGERS, NONE},
	{"bit_xor", GS_RULE_VALUE, GS_AGG_BIT_XOR, INTEGERS, INTEGERS, NONE},
	{"bool_and", GS_RULE_VALUE, GS_AGG_BIT_AND, BOOLEANS, BOOLEANS, NONE},
	{"every", GS_RULE_VALUE, GS_AGG_BIT_AND, BOOLEANS, BOOLEANS, NONE},
	{"bool_or", GS_RULE_VALUE, GS_AGG_BIT_OR, BOOLEANS, BOOLEANS, NONE},
	{"covar_pop", GS_RULE_COVAR_POP, 0, FLOATS, NONE, NONE},
	{"covar_samp", GS_RULE_COVAR_SAMP, 0, FLOATS, NONE, NONE},
	{"corr", GS_RULE_CORR, 0, FLOATS, NONE, NONE},
	{"regr_slope", GS_RULE_SLOPE, 0, FLOATS, NONE, NONE},
	{"regr_intercept", GS_RULE_INTERCEPT, 0, FLOATS, NONE, NONE},
	{"regr_r2", GS_RULE_R2, 0, FLOATS, NONE, NONE},
	{"stats_agg", GS_RULE_STATS, 0, NUMBERS, NONE, NONE},
	{"count_distinct", GS_RULE_COUNT, GS_AGG_DISTINCT, NUMBERS, NONE, NONE},
	{"mode", GS_RULE_VALUE, GS_AGG_MODE, NUMBERS, ORDERED, NONE},
	{"median", GS_RULE_MEDIAN, 0, NUMBERS, NONE, NONE},
	{"percentile_cont", GS_RULE_PERCENTILE, 0, NUMBERS, FLOATS, NONE},
	{"percentile_disc", GS_RULE_ELEMENT, 0, NONE, ORDERED, NONE},
	{"histogram", GS_RULE_HISTOGRAM, 0, NUMBERS, NONE, NONE}
};

/* What is known of a function. */
typedef struct known_aggregate
{
	Oid			oid;			/* the key */
	bool		gpuscan;		/* is it a member of the extension? */
	const aggregate_kind *kind; /* NULL: of no use */
} known_aggregate;

/* Of functions that have been looked at since any function changed. */
static HTAB *known_aggregates;

static void
forget_aggregates(Datum arg pg_attribute_unused(),
				  int cache pg_attribute_unused(),
				  uint32 hash pg_attribute_unused())
{
	if (known_aggregates != NULL)
		hash_destroy(known_aggregates);
	known_aggregates = NULL;
}

static HTAB *
aggregate_table(void)
{
	static bool registered;
	HASHCTL		control = {
		.keysize = sizeof(Oid),
		.entrysize = sizeof(known_aggregate)
	};

	if (!registered)
		CacheRegisterSyscacheCallback(PROCOID, forget_aggregates, (Datum) 0);
	registered = true;
	if (known_aggregates == NULL)
		known_aggregates = hash_create("gpuscan aggregates", 64, &control,
									   HASH_ELEM | HASH_BLOBS);
	return known_aggregates;
}

static bool
is_member(Oid function)
{
	Oid			extension = getExtensionOfObject(ProcedureRelationId, function);
	char	   *name;

	if (!OidIsValid(extension))
		return false;
	name = get_extension_name(extension);
	return name != NULL && strcmp(name, "gpuscan") == 0;
}

static known_aggregate
look_up_aggregate(Oid function)
{
	known_aggregate known = {.oid = function};
	bool		built_in = function < FirstGenbkiObjectId;
	char	   *name = get_func_name(function);

	if (name == NULL)
		return known;
	if (!built_in)
	{
		if (strncmp(name, "gpu_", 4) != 0 || !is_member(function))
			return known;
		known.gpuscan = true;
		name += 4;
	}
	for (int i = 0; i < (int) lengthof(kinds); i++)
	{
		if (strcmp(kinds[i].name, name) == 0)
			known.kind = &kinds[i];
	}
	return known;
}

static known_aggregate
find_aggregate(Oid function)
{
	known_aggregate *entry = hash_search(aggregate_table(), &function,
										 HASH_FIND, NULL);
	known_aggregate found;

	if (entry != NULL)
		return *entry;

	/* this may read catalogs, and the table may be gone after it */
	found = look_up_aggregate(function);
	entry = hash_search(aggregate_table(), &function, HASH_ENTER, NULL);
	*entry = found;
	return found;
}

bool
gs_report_is_gpuscan(const Aggref *aggref)
{
	return find_aggregate(aggref->aggfnoid).gpuscan;
}

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

static bool
add_pair_states(gs_translation *t, gs_operand y, gs_operand x,
				gs_operand filter, gs_report_aggregate *r)
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
	r->sum = add_state(t, GS_AGG_SUM, x, 0, filter);
	r->squares = add_state(t, GS_AGG_SQUARES, x, 0, filter);
	r->sum_y = add_state(t, GS_AGG_SUM, y, 0, filter);
	r->squares_y = add_state(t, GS_AGG_SQUARES, y, 0, filter);
	r->products = add_state(t, GS_AGG_PRODUCTS, x, y, filter);
	return r->count >= 0 && r->sum >= 0 && r->squares >= 0 && r->sum_y >= 0 &&
		r->squares_y >= 0 && r->products >= 0;
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

	if (kind->rule == GS_RULE_COUNT || gs_display_of(t, a) == GS_NOTHING)
		return true;
	if (kind->rule == GS_RULE_VALUE)
		return gs_untranslated(t, "a value's display scale is not always the same");
	if (!gs_put_display(t, a, &display))
		return false;
	r->display = add_state(t, GS_AGG_MAX, display, 0, filter);
	return r->display >= 0;
}

/* Does it matter whether there is a -0 that the state does not show? */
static bool
needs_specials(const aggregate_kind *kind, const gs_report_aggregate *r)
{
	return (r->type == GS_FLOAT4 || r->type == GS_FLOAT8) &&
		(kind->kind == GS_AGG_MODE ||
		 (kind->kind == GS_AGG_MAX && !r->gpuscan));
}

/* What a summary has beside sums. */
static bool
add_stats_states(gs_translation *t, gs_operand a, gs_operand filter,
				 gs_report_aggregate *r)
{
	r->value = add_state(t, GS_AGG_MIN, a, 0, filter);
	r->greatest = add_state(t, GS_AGG_MAX, a, 0, filter);
	if (r->type == GS_FLOAT4 || r->type == GS_FLOAT8)
	{
		r->specials = add_state(t, GS_AGG_SPECIALS, a, 0, filter);
		return r->value >= 0 && r->greatest >= 0 && r->specials >= 0;
	}
	return r->value >= 0 && r->greatest >= 0;
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
		r->value = add_state(t, kind->kind, a, 0, filter);
		if (needs_specials(kind, r))
		{
			r->specials = add_state(t, GS_AGG_SPECIALS, a, 0, filter);
			return r->value >= 0 && r->specials >= 0;
		}
		return r->value >= 0;
	}
	if (kind->rule == GS_RULE_STATS && !add_stats_states(t, a, filter, r))
		return false;
	r->sum = add_state(t, GS_AGG_SUM, a, 0, filter);
	if (kind->rule == GS_RULE_SUM || kind->rule == GS_RULE_AVG)
		return r->sum >= 0;
	r->squares = add_state(t, GS_AGG_SQUARES, a, 0, filter);
	return r->sum >= 0 && r->squares >= 0;
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

	if (known->gpuscan)
		types = kind->types;
	else if (reports == GS_REPORTS_ALL)
		types |= kind->rounded;
	if (types & type)
		return true;
	return gs_untranslated(t, psprintf((kind->rounded & type) != 0 ?
									   "%s of floats is rounded otherwise (gpuscan.reports)" :
									   "aggregate %s is not computed for this type",
									   kind->name));
}

/* Where the order of codes matters, the engine gets their ranks. */
static bool
translate_argument(gs_translation *t, const known_aggregate *known,
				   const Aggref *aggref, Expr *e,
				   gs_reports_choice reports, gs_operand *r,
				   gs_report_value *value)
{
	if ((known->kind->same & CODES) != 0 ? !gs_translate_any(t, e, r) :
		!gs_translate(t, e, r))
		return false;
	gs_translated_value(t, e, *r, value);
	return is_allowed(t, known, value, reports) &&
		(value->form != GS_FORM_CODE || known->kind->rule == GS_RULE_COUNT ||
		 gs_report_ranks_put(t, aggref, e, r, value));
}

/* Is it a sum, or an average, of a product of decimals? */
static bool
translate_product(gs_translation *t, const aggregate_kind *kind,
				  const Aggref *aggref, gs_operand *factor,
				  gs_report_aggregate *r)
{
	Expr	   *product = linitial_node(TargetEntry, aggref->args)->expr;

	if ((kind->rule != GS_RULE_SUM && kind->rule != GS_RULE_AVG) ||
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
 * PostgreSQL's own aggregates of a group's sorted values.  (Of NULLs there are
 * none.)
 */
static bool
is_ascending(const Aggref *aggref)
{
	const SortGroupClause *clause;
	TypeCacheEntry *type;

	if (list_length(aggref->aggorder) != 1 || list_length(aggref->args) != 1)
		return false;
	clause = linitial_node(SortGroupClause, aggref->aggorder);
	type = lookup_type_cache(exprType((Node *)
									  linitial_node(TargetEntry,
													aggref->args)->expr),
							 TYPECACHE_LT_OPR);
	return clause->sortop == type->lt_opr;
}

/*
 * DISTINCT: what is to be computed instead of the aggregate, or NULL: nothing
 * will do.
 */
static const aggregate_kind *
of_distinct(const aggregate_kind *kind)
{
	static const aggregate_kind count = {
		"count", GS_RULE_COUNT, GS_AGG_DISTINCT, ANY, ANY, NONE
	};

	if (kind->rule == GS_RULE_COUNT)
		return &count;
	return kind->rule == GS_RULE_VALUE && kind->kind != GS_AGG_BIT_XOR ?
		kind : NULL;
}

/* False: it is DISTINCT or ordered in a way that matters. */
static bool
examine_form(gs_translation *t, const Aggref *aggref, known_aggregate *known)
{
	bool		ok;

	if (AGGKIND_IS_ORDERED_SET(aggref->aggkind))
		ok = is_ascending(aggref);
	else
		ok = aggref->aggorder == NIL;
	if (aggref->aggdistinct != NIL)
		known->kind = of_distinct(known->kind);
	if (!ok || known->kind == NULL || aggref->aggsplit != AGGSPLIT_SIMPLE ||
		aggref->agglevelsup != 0)
		return gs_untranslated(t, "an aggregate is DISTINCT or ordered");
	return true;
}

/* count(*), and what counts as if it were. */
static bool
counts_rows(const aggregate_kind *kind, const Aggref *aggref)
{
	const TargetEntry *argument;

	if (kind->rule != GS_RULE_COUNT || kind->kind != GS_AGG_COUNT)
		return false;
	if (aggref->args == NIL)
		return true;
	argument = linitial_node(TargetEntry, aggref->args);
	return IsA(argument->expr, Const) &&
		!((Const *) argument->expr)->constisnull;
}

bool
gs_report_aggregate_add(gs_translation *t, Aggref *aggref,
						gs_reports_choice reports,
						gs_report_aggregate *result)
{
	known_aggregate known = find_aggregate(aggref->aggfnoid);
	gs_operand	filter = GS_NOTHING;
	gs_operand	argument[2];
	bool		by_value;
	int			n = list_length(aggref->args);

	if (known.kind == NULL)
		return gs_untranslated(t, psprintf("aggregate %s is not among those that "
										   "are computed",
										   get_func_name(aggref->aggfnoid)));
	if (!examine_form(t, aggref, &known))
		return false;
	if (gs_rule_has_parameters(known.kind->rule))
		n = 1;
	memset(result, 0, sizeof *result);
	result->rule = known.kind->rule;
	result->result_type = aggref->aggtype;
	result->count = result->value = result->sum = result->squares = -1;
	result->sum_y = result->squares_y = result->products = -1;
	result->specials = result->display = result->greatest = -1;
	result->gpuscan = known.gpuscan;
	get_typlenbyval(aggref->aggtype, &result->length, &by_value);
	result->by_reference = !by_value;
	if (aggref->aggfilter != NULL &&
		!gs_translate(t, aggref->aggfilter, &filter))
		return false;
	if (counts_rows(known.kind, aggref))
	{
		result->count = add_state(t, GS_AGG_COUNT, GS_NOTHING, 0, filter);
		return result->count >= 0;
	}
	if (!known.gpuscan && n == 1 &&
		translate_product(t, known.kind, aggref, argument, result))
		return add_product_states(t, argument[0], argument[1], filter, result);
	for (int i = 0; i < n; i++)
	{
		TargetEntry *entry = list_nth_node(TargetEntry, aggref->args, i);

		if (!translate_argument(t, &known, aggref, entry->expr, reports,
								&argument[i], &result->value_of))
			return false;
	}
	result->type = result->value_of.type;
	result->any_zero = known.kind->rule == GS_RULE_VALUE && !known.gpuscan &&
		(result->type == GS_FLOAT4 || result->type == GS_FLOAT8);
	if (gs_rule_has_parameters(known.kind->rule))
		return gs_report_parameters_add(t, aggref, argument[0], filter, result);
	if (n == 2)
		return add_pair_states(t, argument[0], argument[1], filter, result);
	return add_states(t, known.kind, argument[0], filter, result);
}
