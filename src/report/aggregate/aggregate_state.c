/*-------------------------------------------------------------------------
 *
 * aggregate_state.c
 *	  Transition states as results: what a part of a group adds to it.
 *
 * Where the rows of a group are in a report's tables and elsewhere, PostgreSQL
 * combines the states of both (partial.c).
 *
 * Where they are on several servers, Citus has each of them compute
 * worker_partial_agg(aggregate, argument), the text of the aggregate's
 * transition state, and merges these.  Its own transition function looks the
 * aggregate up for each row.  The engine's sums are exact, so a state can be
 * made of them, the same as of the rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "report/aggregate/aggregate_kinds.h"
#include "report/aggregate/aggregates.h"
#include "report/translate/translate_parts.h"
#include "state/state.h"

/* ----------
 * The aggregate
 * ----------
 */

/* Its arguments must have the very types; Citus raises an error otherwise. */
static bool
has_arguments(Oid function, const List *arguments)
{
	Oid		   *types;
	int			n;
	bool		same;
	ListCell   *cell;
	int			i = 0;

	(void) get_func_signature(function, &types, &n);
	same = n == list_length(arguments);
	foreach(cell, arguments)
	{
		same = same && exprType(lfirst(cell)) == types[i];
		i++;
	}
	pfree(types);
	return same;
}

/* The type of its state; InvalidOid: it is no ordinary aggregate. */
static Oid
state_type(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(function));
	Form_pg_aggregate form;
	Oid			type;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	form = (Form_pg_aggregate) GETSTRUCT(tuple);
	type = form->aggkind == AGGKIND_NORMAL && OidIsValid(form->aggcombinefn) ?
		form->aggtranstype : InvalidOid;
	ReleaseSysCache(tuple);
	return type;
}

static bool
may_execute(Oid function)
{
	return object_aclcheck(ProcedureRelationId, function, GetUserId(),
						   ACL_EXECUTE) == ACLCHECK_OK;
}

Aggref *
gs_report_partial(const Aggref *aggref)
{
	const Const *name;
	Node	   *argument;
	List	   *arguments;
	Aggref	   *partial;
	ListCell   *cell;

	if (list_length(aggref->args) != 2 || aggref->aggdistinct != NIL)
		return NULL;
	name = (const Const *) linitial_node(TargetEntry, aggref->args)->expr;
	argument = (Node *) lsecond_node(TargetEntry, aggref->args)->expr;
	if (!IsA(name, Const) || name->constisnull)
		return NULL;

	/* several arguments are a row */
	arguments = IsA(argument, RowExpr) ? ((RowExpr *) argument)->args :
		list_make1(argument);
	partial = makeNode(Aggref);
	*partial = *aggref;
	partial->aggfnoid = DatumGetObjectId(name->constvalue);
	partial->aggtype = state_type(partial->aggfnoid);
	if (!OidIsValid(partial->aggtype) ||
		!has_arguments(partial->aggfnoid, arguments) ||
		!may_execute(partial->aggfnoid))
		return NULL;
	partial->args = NIL;
	foreach(cell, arguments)
		partial->args = lappend(partial->args,
								makeTargetEntry(lfirst(cell),
												list_length(partial->args) + 1,
												NULL, false));
	return partial;
}

static gs_state_kind
state_kind(const aggregate_kind *kind, bool integers)
{
	if (kind->rule == GS_RULE_STATS)
		return GS_STATE_STATS;
	if (gs_figure_is_of_pairs(kind->figure))
		return GS_STATE_PAIRS;
	return gs_figure_has_squares(kind->figure) ?
		(integers ? GS_STATE_INTEGER_MOMENTS : GS_STATE_MOMENTS) :
		(integers ? GS_STATE_INTEGERS : GS_STATE_REALS);
}

static bool
is_integer(Oid type)
{
	return type == INT2OID || type == INT4OID || type == INT8OID;
}

bool
gs_equal_is_same(Oid type, Oid collation)
{
	const TypeCacheEntry *entry = lookup_type_cache(type,
													TYPECACHE_BTREE_OPFAMILY);
	Oid			function;

	if (!OidIsValid(entry->btree_opf) ||
		(type_is_collatable(type) && !OidIsValid(collation)))
		return false;
	function = get_opfamily_proc(entry->btree_opf, entry->btree_opintype,
								 entry->btree_opintype, BTEQUALIMAGE_PROC);
	return OidIsValid(function) &&
		DatumGetBool(OidFunctionCall1Coll(function, collation,
										  ObjectIdGetDatum(entry->btree_opintype)));
}

/*
 * A built-in aggregate's state is what PostgreSQL's combine function takes: the
 * result so far, or of an average of small integers the count and the sum.
 * Others are internal.
 */
static bool
is_built_in_state(const aggregate_kind *kind, const Aggref *aggref, Oid type)
{
	switch (kind->rule)
	{
		case GS_RULE_COUNT:
			return true;
		case GS_RULE_VALUE:
			return gs_equal_is_same(type, aggref->inputcollid);
		case GS_RULE_FIGURE:
			return kind->figure == GS_FIGURE_SUM ? aggref->aggtype == INT8OID :
				kind->figure == GS_FIGURE_AVG &&
				aggref->aggtype == INT8ARRAYOID;
		default:
			return false;
	}
}

bool
gs_report_state_add(gs_translation *t, const known_aggregate *known,
					const Aggref *aggref, AggSplit split,
					gs_report_aggregate *r)
{
	gs_aggregate_rule rule = known->kind->rule;
	bool		text = split == AGGSPLIT_SIMPLE;
	Oid			type = aggref->args == NIL ? InvalidOid :
		exprType((Node *) linitial_node(TargetEntry, aggref->args)->expr);
	Oid			state = state_type(aggref->aggfnoid);
	bool		is_varlena;

	/* some have all values */
	if (!OidIsValid(state) ||
		aggref->aggdistinct != NIL || gs_rule_has_parameters(rule) ||
		rule == GS_RULE_DESCRIPTION ||
		(rule == GS_RULE_COUNT && known->kind->kind != GS_AGG_COUNT) ||
		(rule == GS_RULE_VALUE && known->kind->kind == GS_AGG_MODE) ||
		(known->gpuscan && state == INTERNALOID) ||
		(!known->gpuscan && (text || !is_built_in_state(known->kind, aggref, type))))
		return gs_untranslated(t, psprintf("the state of aggregate %s is not supported",
										   get_func_name(aggref->aggfnoid)));
	if (text)
		getTypeOutputInfo(aggref->aggtype, &r->output, &is_varlena);
	if (known->gpuscan && rule != GS_RULE_COUNT && rule != GS_RULE_VALUE)
		r->state = state_kind(known->kind, is_integer(type));
	return true;
}

/* ----------
 * Its state
 * ----------
 */

static const int64 *
specials_of(const gs_report_groups *groups, int aggregate, int64 i)
{
	return (const int64 *) states(groups, aggregate) + i * GS_SPECIALS;
}

static int64
not_finite(const int64 *special)
{
	return special[GS_SPECIAL_NAN] + special[GS_SPECIAL_POSITIVE_INF] +
		special[GS_SPECIAL_NEGATIVE_INF];
}

static void
set_sum(gs_canonical *f, int w, const gs_report_groups *groups, int aggregate,
		int64 i)
{
	int64		space[GS_FLOAT_SUM_LIMBS];

	gs_canonical_set_sum(f, w, gs_report_float_sum(groups, aggregate, i, space));
}

static void
set_words(gs_canonical *f, int w, const gs_report_groups *groups, int aggregate,
		  int64 i)
{
	const gs_integer_sum *sum =
	(const gs_integer_sum *) states(groups, aggregate) + i;

	gs_canonical_set_words(f, w, sum->word);
}

/* The sums of pairs. */
static void
pair_canonical(const gs_report_aggregate *a, const gs_report_groups *groups,
			 int64 i, gs_canonical *f)
{
	f->special[GS_SPECIAL_X] = not_finite(specials_of(groups, a->specials, i));
	f->special[GS_SPECIAL_Y] = not_finite(specials_of(groups, a->specials_y, i));
	set_sum(f, GS_SUM_WINDOW, groups, a->sum, i);
	set_sum(f, GS_SQUARES_WINDOW, groups, a->squares, i);
	set_sum(f, GS_SUM_Y_WINDOW, groups, a->sum_y, i);
	set_sum(f, GS_SQUARES_Y_WINDOW, groups, a->squares_y, i);
	set_sum(f, GS_PRODUCTS_WINDOW, groups, a->products, i);
}

/* Sums, and those of squares if there are any. */
static void
sum_canonical(const gs_report_aggregate *a, const gs_report_groups *groups,
			int64 i, gs_canonical *f)
{
	void		(*set) (gs_canonical *, int, const gs_report_groups *, int,
						int64) = gs_state_is_integer(a->state) ? set_words :
		set_sum;

	if (!gs_state_is_integer(a->state))
		memcpy(f->special, specials_of(groups, a->specials, i),
			   sizeof f->special);
	set(f, GS_SUM_WINDOW, groups, a->sum, i);
	if (gs_state_has_squares(a->state))
		set(f, GS_SQUARES_WINDOW, groups, a->squares, i);
}

/* What a summary has. */
static void
stats_canonical(const gs_report_aggregate *a, const gs_report_groups *groups,
			  int64 i, int64 count, gs_canonical *f)
{
	int64		space[2][GS_FLOAT_SUM_LIMBS];
	gs_result	result;

	result.present = count;
	result.value = ((const gs_value *) states(groups, a->value))[i];
	result.greatest = ((const gs_value *) states(groups, a->greatest))[i];
	memset(result.special, 0, sizeof result.special);
	if (a->specials >= 0)
	{
		memcpy(result.special, specials_of(groups, a->specials, i),
			   sizeof result.special);
		gs_canonical_from_sums(f, a->type, &result,
							 gs_report_float_sum(groups, a->sum, i, space[0]),
							 gs_report_float_sum(groups, a->squares, i,
												 space[1]));
	}
	else
	{
		memcpy(result.isum, (const gs_integer_sum *)
			   states(groups, a->sum) + i, sizeof result.isum);
		memcpy(result.isquares, (const gs_integer_sum *)
			   states(groups, a->squares) + i, sizeof result.isquares);
		gs_canonical_from_stats(f, a->type, &result);
	}
}

Datum
gs_report_state(const gs_report_aggregate *a, const gs_report_groups *groups,
				int64 i, int64 count)
{
	gs_canonical f;

	memset(&f, 0, sizeof f);
	f.kind = a->state;
	f.n = count;
	if (count == 0)
		return PointerGetDatum(gs_state_from_canonical(&f));
	if (a->state == GS_STATE_STATS)
		stats_canonical(a, groups, i, count, &f);
	else if (a->state == GS_STATE_PAIRS)
		pair_canonical(a, groups, i, &f);
	else
		sum_canonical(a, groups, i, &f);
	return PointerGetDatum(gs_state_from_canonical(&f));
}
