/*-------------------------------------------------------------------------
 *
 * aggregate_kinds.c
 *	  Which of SQL's aggregates are known: a table of names, and a cache of the
 *	  functions that have been looked up.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/transam.h"
#include "catalog/dependency.h"
#include "catalog/pg_proc.h"
#include "commands/extension.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "report/aggregate/aggregate_kinds.h"

#define RULE(name, rule, kind, types, same) \
	{name, GS_RULE_##rule, kind, 0, types, same, NONE, GS_BOTH, NULL, 0}

#define FIGURE(name, figure, types, same, rounded) \
	{name, GS_RULE_FIGURE, 0, GS_FIGURE_##figure, types, same, rounded, GS_BOTH, NULL, 0}

/* Of pairs, but it is a figure of Y or X alone. */
#define OF_ONE(name, figure, one) \
	{name, GS_RULE_FIGURE, 0, GS_FIGURE_##figure, NONE, NONE, FLOATS, GS_ONLY_##one, NULL, 0}

/* The least value of rows where another column is least or greatest. */
#define OF_ROWS(name, extreme, compared) \
	{name, GS_RULE_VALUE, GS_AGG_MIN, 0, ANY, NONE, NONE, GS_BOTH, extreme, compared}

static const aggregate_kind kinds[] = {
	RULE("count", COUNT, GS_AGG_COUNT, BOOLEANS | VALUES, ANY),
	FIGURE("sum", SUM, VALUES, EXACT, FLOATS),
	FIGURE("avg", AVG, VALUES, EXACT, FLOATS),
	RULE("min", VALUE, GS_AGG_MIN, VALUES, ORDERED | DECIMALS),
	RULE("max", VALUE, GS_AGG_MAX, VALUES, ORDERED | DECIMALS),
	FIGURE("var_pop", VAR_POP, VALUES, EXACT, FLOATS),
	FIGURE("var_samp", VAR_SAMP, VALUES, EXACT, FLOATS),
	FIGURE("variance", VAR_SAMP, VALUES, EXACT, FLOATS),
	FIGURE("stddev_pop", STDDEV_POP, VALUES, EXACT, FLOATS),
	FIGURE("stddev_samp", STDDEV_SAMP, VALUES, EXACT, FLOATS),
	FIGURE("stddev", STDDEV_SAMP, VALUES, EXACT, FLOATS),
	RULE("bit_and", VALUE, GS_AGG_BIT_AND, INTEGERS, INTEGERS),
	RULE("bit_or", VALUE, GS_AGG_BIT_OR, INTEGERS, INTEGERS),
	RULE("bit_xor", VALUE, GS_AGG_BIT_XOR, INTEGERS, INTEGERS),
	RULE("bool_and", VALUE, GS_AGG_BIT_AND, BOOLEANS, BOOLEANS),
	RULE("every", VALUE, GS_AGG_BIT_AND, BOOLEANS, BOOLEANS),
	RULE("bool_or", VALUE, GS_AGG_BIT_OR, BOOLEANS, BOOLEANS),
	FIGURE("covar_pop", COVAR_POP, FLOATS, NONE, FLOATS),
	FIGURE("covar_samp", COVAR_SAMP, FLOATS, NONE, FLOATS),
	FIGURE("corr", CORR, FLOATS, NONE, FLOATS),
	FIGURE("regr_slope", SLOPE, FLOATS, NONE, FLOATS),
	FIGURE("regr_intercept", INTERCEPT, FLOATS, NONE, FLOATS),
	FIGURE("regr_r2", R2, FLOATS, NONE, FLOATS),
	FIGURE("regr_sxy", SXY, NONE, NONE, FLOATS),
	RULE("regr_count", COUNT, GS_AGG_COUNT, NONE, FLOATS),
	OF_ONE("regr_avgy", AVG, Y),
	OF_ONE("regr_avgx", AVG, X),
	OF_ONE("regr_syy", SXX, Y),
	OF_ONE("regr_sxx", SXX, X),
	FIGURE("weighted_avg", WEIGHTED_AVG, FLOATS, NONE, NONE),
	OF_ROWS("argmin", "min", 0),
	OF_ROWS("argmax", "max", 0),
	OF_ROWS("first", "min", 1),
	OF_ROWS("last", "max", 1),
	RULE("stats_agg", STATS, 0, NUMBERS, NONE),
	RULE("describe", DESCRIPTION, 0, VALUES, NONE),
	RULE("count_distinct", COUNT, GS_AGG_DISTINCT, VALUES, NONE),
	RULE("mode", VALUE, GS_AGG_MODE, VALUES, ORDERED | DECIMALS),
	RULE("median", MEDIAN, 0, VALUES, NONE),
	RULE("percentile_cont", PERCENTILE, 0, VALUES, FLOATS),
	RULE("percentile_disc", ELEMENT, 0, VALUES, ORDERED | DECIMALS),
	RULE("percentiles_cont", PERCENTILE, 0, VALUES, NONE),
	RULE("percentiles_disc", ELEMENT, 0, VALUES, NONE),
	RULE("histogram", HISTOGRAM, 0, VALUES, NONE)
};

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
is_member(Oid function, const char *of)
{
	Oid			extension = getExtensionOfObject(ProcedureRelationId, function);
	char	   *name;

	if (!OidIsValid(extension))
		return false;
	name = get_extension_name(extension);
	return name != NULL && strcmp(name, of) == 0;
}

/* gpu_cumsum and gpu_moving_sum are sums, too.  What is behind the prefix. */
static const char *
skip_frame(const char *name, gs_own_frame *frame)
{
	if (strncmp(name, "cum", 3) == 0)
	{
		*frame = GS_FRAME_CUMULATIVE;
		return name + 3;
	}
	if (strncmp(name, "moving_", 7) == 0)
	{
		*frame = GS_FRAME_MOVING;
		return name + 7;
	}
	return name;
}

static known_aggregate
look_up_aggregate(Oid function)
{
	known_aggregate known = {.oid = function};
	bool		built_in = function < FirstGenbkiObjectId;
	const char *name = get_func_name(function);

	if (name == NULL)
		return known;
	if (!built_in)
	{
		known.partial = strcmp(name, "worker_partial_agg") == 0 &&
			is_member(function, "citus");
		if (strncmp(name, "gpu_", 4) != 0 || !is_member(function, "gpuscan"))
			return known;
		known.gpuscan = true;
		name = skip_frame(name + 4, &known.frame);
	}
	for (int i = 0; i < (int) lengthof(kinds); i++)
	{
		if (strcmp(kinds[i].name, name) == 0)
			known.kind = &kinds[i];
	}
	return known;
}

known_aggregate
gs_known_aggregate(Oid function)
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
