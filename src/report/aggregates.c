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
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "report/aggregate_rules.h"
#include "report/aggregates.h"
#include "report/translate_parts.h"

/* Types of arguments: bits. */
#define BOOLEANS	(1 << GS_BOOL)
#define INTEGERS	(1 << GS_INT2 | 1 << GS_INT4 | 1 << GS_INT8)
#define FLOATS		(1 << GS_FLOAT4 | 1 << GS_FLOAT8)
#define NUMBERS		(INTEGERS | FLOATS)
#define ANY			(BOOLEANS | NUMBERS)
#define NONE		0

typedef struct aggregate_kind
{
	const char *name;			/* gpuscan's: behind "gpu_" */
	gs_aggregate_rule rule;
	gs_aggregate_kind kind;		/* GS_RULE_VALUE */
	int			types;
	int			same;			/* types for which the built-in one has the
								 * same results */
	int			rounded;		/* and the same but for their rounding */
} aggregate_kind;

static const aggregate_kind kinds[] = {
	{"count", GS_RULE_COUNT, 0, ANY, ANY, NONE},
	{"sum", GS_RULE_SUM, 0, NUMBERS, INTEGERS, FLOATS},
	{"avg", GS_RULE_AVG, 0, NUMBERS, INTEGERS, FLOATS},
	{"min", GS_RULE_VALUE, GS_AGG_MIN, NUMBERS, NUMBERS, NONE},
	{"max", GS_RULE_VALUE, GS_AGG_MAX, NUMBERS, NUMBERS, NONE},
	{"var_pop", GS_RULE_VAR_POP, 0, NUMBERS, INTEGERS, FLOATS},
	{"var_samp", GS_RULE_VAR_SAMP, 0, NUMBERS, INTEGERS, FLOATS},
	{"variance", GS_RULE_VAR_SAMP, 0, NUMBERS, INTEGERS, FLOATS},
	{"stddev_pop", GS_RULE_STDDEV_POP, 0, NUMBERS, INTEGERS, FLOATS},
	{"stddev_samp", GS_RULE_STDDEV_SAMP, 0, NUMBERS, INTEGERS, FLOATS},
	{"stddev", GS_RULE_STDDEV_SAMP, 0, NUMBERS, INTEGERS, FLOATS},
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
	{"regr_r2", GS_RULE_R2, 0, FLOATS, NONE, NONE}
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

static bool
add_states(gs_translation *t, const aggregate_kind *kind, gs_operand a,
		   gs_operand filter, gs_report_aggregate *r)
{
	r->count = add_state(t, GS_AGG_COUNT, a, 0, filter);
	if (r->count < 0 || kind->rule == GS_RULE_COUNT)
		return r->count >= 0;
	if (kind->rule == GS_RULE_VALUE)
	{
		r->value = add_state(t, kind->kind, a, 0, filter);
		if (r->any_zero && kind->kind == GS_AGG_MAX)
		{
			r->specials = add_state(t, GS_AGG_SPECIALS, a, 0, filter);
			return r->value >= 0 && r->specials >= 0;
		}
		return r->value >= 0;
	}
	r->sum = add_state(t, GS_AGG_SUM, a, 0, filter);
	if (kind->rule == GS_RULE_SUM || kind->rule == GS_RULE_AVG)
		return r->sum >= 0;
	r->squares = add_state(t, GS_AGG_SQUARES, a, 0, filter);
	return r->sum >= 0 && r->squares >= 0;
}

/* Does the setting allow it, and can it be computed? */
static bool
is_allowed(gs_translation *t, const known_aggregate *known, gs_type type,
		   gs_reports_choice reports)
{
	const aggregate_kind *kind = known->kind;
	int			types = kind->same;

	if (known->gpuscan)
		types = kind->types;
	else if (reports == GS_REPORTS_ALL)
		types |= kind->rounded;
	if (types & 1 << type)
		return true;
	return gs_untranslated(t, psprintf((kind->rounded & 1 << type) != 0 ?
									   "%s of floats is rounded otherwise (gpuscan.reports)" :
									   "aggregate %s is not computed for this type",
									   kind->name));
}

/* count(*), and what counts as if it were. */
static bool
counts_rows(const aggregate_kind *kind, const Aggref *aggref)
{
	const TargetEntry *argument;

	if (kind->rule != GS_RULE_COUNT)
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
	int			n = list_length(aggref->args);

	if (known.kind == NULL)
		return gs_untranslated(t, psprintf("aggregate %s is not among those that "
										   "are computed",
										   get_func_name(aggref->aggfnoid)));
	if (aggref->aggdistinct != NIL || aggref->aggorder != NIL ||
		aggref->aggdirectargs != NIL || aggref->aggsplit != AGGSPLIT_SIMPLE ||
		aggref->agglevelsup != 0 || n > 2)
		return gs_untranslated(t, "an aggregate is DISTINCT or ordered");
	memset(result, 0, sizeof *result);
	result->rule = known.kind->rule;
	result->result_type = aggref->aggtype;
	result->count = result->value = result->sum = result->squares = -1;
	result->sum_y = result->squares_y = result->products = -1;
	result->specials = -1;
	if (aggref->aggfilter != NULL &&
		!gs_translate(t, aggref->aggfilter, &filter))
		return false;
	if (counts_rows(known.kind, aggref))
	{
		result->count = add_state(t, GS_AGG_COUNT, GS_NOTHING, 0, filter);
		return result->count >= 0;
	}
	for (int i = 0; i < n; i++)
	{
		TargetEntry *entry = list_nth_node(TargetEntry, aggref->args, i);

		if (!gs_translate(t, entry->expr, &argument[i]))
			return false;
		result->type = gs_operand_type(&t->plan, argument[i]);
		if (!is_allowed(t, &known, result->type, reports))
			return false;
	}
	result->any_zero = known.kind->rule == GS_RULE_VALUE && !known.gpuscan &&
		(result->type == GS_FLOAT4 || result->type == GS_FLOAT8);
	if (n == 2)
		return add_pair_states(t, argument[0], argument[1], filter, result);
	return add_states(t, known.kind, argument[0], filter, result);
}
