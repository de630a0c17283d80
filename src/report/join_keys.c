/*-------------------------------------------------------------------------
 *
 * join_keys.c
 *	  By which keys a dimension is joined.
 *
 * The planner has turned equalities into equivalence classes, and has kept
 * those of outer joins, which are no equivalences, as clauses.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/planmain.h"
#include "optimizer/paths.h"
#include "rewrite/rewriteManip.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "report/join.h"

/*
 * Statistics are samples: a key is taken for unique if it has at least this share
 * of different values.  If it turns out that it is not, the ordinary plan runs.
 */
#define UNIQUE_SHARE	0.9

/*
 * The member of a class that is of these relations alone; NULL: none is.  (What
 * the query is ordered by may have no relation, as count(*).)
 */
static EquivalenceMember *
member_of(const EquivalenceClass *class, Relids relids)
{
	ListCell   *cell;

	foreach(cell, class->ec_members)
	{
		EquivalenceMember *member = lfirst(cell);

		if (!member->em_is_const && !member->em_is_child &&
			!bms_is_empty(member->em_relids) &&
			bms_is_subset(member->em_relids, relids))
			return member;
	}
	return NULL;
}

/* The types' usual equality; 0: the class is of another one. */
static Oid
usual_equality(const EquivalenceClass *class, const EquivalenceMember *outer,
			   const EquivalenceMember *inner)
{
	Oid			family = lookup_type_cache(inner->em_datatype,
										   TYPECACHE_BTREE_OPFAMILY)->btree_opf;

	if (!list_member_oid(class->ec_opfamilies, family))
		return InvalidOid;
	return get_opfamily_member(family, outer->em_datatype, inner->em_datatype,
							   BTEqualStrategyNumber);
}

static gs_join_pair *
make_pair(Expr *outer, Expr *inner, Oid equality, Oid collation,
		  const RestrictInfo *clause)
{
	gs_join_pair *pair = palloc(sizeof *pair);

	pair->outer = outer;
	pair->inner = inner;
	pair->equality = equality;
	pair->collation = collation;
	pair->clause = clause;
	return pair;
}

/* Of the fact table, if it has one: what others look up takes a step more. */
static EquivalenceMember *
outer_member(const EquivalenceClass *class, Relids fact, Relids before)
{
	EquivalenceMember *member = member_of(class, fact);

	return member != NULL ? member : member_of(class, before);
}

static List *
pairs_of_classes(PlannerInfo *root, const gs_join_unit *unit, Relids fact,
				 Relids before)
{
	List	   *pairs = NIL;
	ListCell   *cell;

	foreach(cell, root->eq_classes)
	{
		const EquivalenceClass *class = lfirst(cell);
		const EquivalenceMember *outer;
		const EquivalenceMember *inner;
		Oid			equality;

		/* with a constant, each of the relations has a condition of its own */
		if (class->ec_has_const || class->ec_has_volatile ||
			!bms_overlap(class->ec_relids, unit->joined) ||
			!bms_overlap(class->ec_relids, before))
			continue;
		outer = outer_member(class, fact, before);
		inner = member_of(class, unit->joined);
		if (outer == NULL || inner == NULL)
			continue;
		equality = usual_equality(class, outer, inner);
		pairs = lappend(pairs, make_pair(outer->em_expr, inner->em_expr,
										 equality, class->ec_collation, NULL));
	}
	return pairs;
}

/*
 * Inner joins have classes only, others their own clauses.  One of an outer join may
 * say something of its outer side alone; its scope names the unit nevertheless.
 */
static bool
is_own_clause(const gs_join_unit *unit, const RestrictInfo *clause)
{
	return unit->kind != JOIN_INNER &&
		(unit->kind == JOIN_SEMI || !clause->is_pushed_down) &&
		bms_overlap(clause->required_relids, unit->relids) &&
		!bms_overlap(clause->outer_relids, unit->relids);
}

/* The clause as a pair, which are equal or differ; NULL: it is none. */
static gs_join_pair *
pair_of_clause(const gs_join_unit *unit, Relids before,
			   const RestrictInfo *clause, bool differ)
{
	const OpExpr *op = (const OpExpr *) clause->clause;
	Oid			equality;
	gs_join_pair *pair;

	if (!is_own_clause(unit, clause) || !IsA(op, OpExpr) ||
		list_length(op->args) != 2)
		return NULL;
	equality = differ ? get_negator(op->opno) : op->opno;
	if (!OidIsValid(equality))
		return NULL;
	if (bms_is_subset(clause->left_relids, before) &&
		bms_is_subset(clause->right_relids, unit->relids))
		pair = make_pair(linitial(op->args), lsecond(op->args), equality,
						 op->inputcollid, clause);
	else if (bms_is_subset(clause->right_relids, before) &&
			 bms_is_subset(clause->left_relids, unit->relids))
		pair = make_pair(lsecond(op->args), linitial(op->args),
						 get_commutator(equality), op->inputcollid, clause);
	else
		return NULL;
	return gs_dimension_is_equality(pair->equality, exprType((Node *) pair->inner)) ?
		pair : NULL;
}

static List *
pairs_of_clauses(const gs_join_unit *unit, Relids before, const List *clauses)
{
	List	   *pairs = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		gs_join_pair *pair = pair_of_clause(unit, before, lfirst(cell),
											false);

		if (pair != NULL)
			pairs = lappend(pairs, pair);
	}
	return pairs;
}

gs_join_pair *
gs_join_differing_pair(const gs_join_unit *unit, Relids before,
					   const List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		gs_join_pair *pair = pair_of_clause(unit, before, lfirst(cell), true);

		if (pair != NULL)
			return pair;
	}
	return NULL;
}

List *
gs_join_pairs(PlannerInfo *root, const gs_join_unit *unit, Relids fact,
			  Relids before, const List *clauses)
{
	return list_concat(pairs_of_classes(root, unit, fact, before),
					   pairs_of_clauses(unit, before, clauses));
}

/*
 * The relation whose columns these are; NULL: several.  What an inner unit has
 * beside it, its rows look up.
 */
static RelOptInfo *
relation_of(PlannerInfo *root, const gs_join_unit *unit, List *keys)
{
	Relids		relids = pull_varnos(root, (Node *) keys);

	return unit->kind == JOIN_INNER &&
		bms_membership(relids) == BMS_SINGLETON ?
		find_base_rel(root, bms_singleton_member(relids)) : unit->rel;
}

/* Is a column of an index compared by one of the pairs? */
static bool
has_column(const IndexOptInfo *index, int column, const List *pairs)
{
	ListCell   *cell;

	foreach(cell, pairs)
	{
		const gs_join_pair *pair = lfirst(cell);

		if (match_index_to_operand((Node *) pair->inner, column,
								   unconstify(IndexOptInfo *, index)) &&
			op_in_opfamily(pair->equality, index->opfamily[column]))
			return true;
	}
	return false;
}

static bool
is_unique_by(const IndexOptInfo *index, const List *pairs)
{
	if (!index->unique || !index->immediate ||
		(index->indpred != NIL && !index->predOK))
		return false;
	for (int i = 0; i < index->nkeycolumns; i++)
	{
		if (!has_column(index, i, pairs))
			return false;
	}
	return true;
}

bool
gs_join_has_unique_index(const RelOptInfo *rel, const List *pairs)
{
	ListCell   *cell;

	if (rel->reloptkind != RELOPT_BASEREL)
		return false;
	foreach(cell, rel->indexlist)
	{
		if (is_unique_by(lfirst(cell), pairs))
			return true;
	}
	return false;
}

/* As the planner wants it. */
static void
add_distinct_column(const gs_join_pair *pair, List **columns, List **operators)
{
	AttrNumber	number = ((const Var *) pair->inner)->varattno;
#if PG_VERSION_NUM >= 190000
	DistinctColInfo *column = palloc(sizeof *column);

	(void) operators;
	column->colno = number;
	column->opid = pair->equality;
	column->collid = pair->collation;
	*columns = lappend(*columns, column);
#else
	*columns = lappend_int(*columns, number);
	*operators = lappend_oid(*operators, pair->equality);
#endif
}

/* Of a subquery that groups: are its groups told apart by these columns? */
static bool
has_unique_groups(PlannerInfo *root, const RelOptInfo *rel, const List *pairs)
{
	List	   *columns = NIL;
	List	   *operators = NIL;
	Query	   *subquery;
	ListCell   *cell;

	if (rel->reloptkind != RELOPT_BASEREL)
		return false;
	subquery = rel->rtekind == RTE_SUBQUERY ?
		root->simple_rte_array[rel->relid]->subquery :
		gs_subquery_with(root, rel);
	foreach(cell, pairs)
	{
		const gs_join_pair *pair = lfirst(cell);

		if (!IsA(pair->inner, Var))
			return false;
		add_distinct_column(pair, &columns, &operators);
	}
	if (subquery == NULL || !query_supports_distinctness(subquery))
		return false;
#if PG_VERSION_NUM >= 190000
	return query_is_distinct_for(subquery, columns);
#else
	return query_is_distinct_for(subquery, columns, operators);
#endif
}

/* The share of rows in which none of the keys is NULL, as far as is known. */
static double
share_with_keys(PlannerInfo *root, const List *keys)
{
	double		share = 1;
	ListCell   *cell;

	foreach(cell, keys)
	{
		VariableStatData statistics;

		examine_variable(root, lfirst(cell), 0, &statistics);
		if (HeapTupleIsValid(statistics.statsTuple))
			share = Min(share, 1 - ((Form_pg_statistic)
									GETSTRUCT(statistics.statsTuple))->stanullfrac);
		ReleaseVariableStats(statistics);
	}
	return share;
}

/*
 * Has one of the columns no statistics, so that the planner assumes what it always
 * does?  (Of few rows it assumes that they differ.)
 */
static bool
has_unknown_column(PlannerInfo *root, const List *keys)
{
	ListCell   *cell;

	foreach(cell, pull_var_clause((Node *) keys, PVC_INCLUDE_PLACEHOLDERS))
	{
		VariableStatData statistics;
		bool		is_default;

		examine_variable(root, lfirst(cell), 0, &statistics);
		(void) get_variable_numdistinct(&statistics, &is_default);
		ReleaseVariableStats(statistics);
		if (is_default)
			return true;
	}
	return false;
}

bool
gs_join_is_unique(PlannerInfo *root, const gs_join_unit *unit,
				  const List *pairs, bool *guessed)
{
	List	   *keys = NIL;
	RelOptInfo *rel;
	double		values;
	ListCell   *cell;

	*guessed = false;
	if (unit->source->rows <= 1)
		return true;
	if (pairs == NIL)
		return false;
	foreach(cell, pairs)
		keys = lappend(keys, ((const gs_join_pair *) lfirst(cell))->inner);
	rel = relation_of(root, unit, keys);
	if (gs_join_has_unique_index(rel, pairs) ||
		has_unique_groups(root, rel, pairs))
		return true;
	if (unit->source != unit->rel)
	{
		/* the planner knows nothing of a WITH query's columns */
		rel = unit->source;
		keys = copyObject(keys);
		ChangeVarNodes((Node *) keys, (int) unit->rel->relid, (int) rel->relid, 0);
	}
	*guessed = has_unknown_column(root, keys);
	if (*guessed)
		return true;
#if PG_VERSION_NUM >= 140000
	values = estimate_num_groups(root, keys, rel->rows, NULL, NULL);
#else
	values = estimate_num_groups(root, keys, rel->rows, NULL);
#endif

	/* rows whose key is NULL are not found, however many there are */
	return values >= UNIQUE_SHARE * rel->rows * share_with_keys(root, keys);
}

gs_join_pair *
gs_join_unique_pair(PlannerInfo *root, const gs_join_unit *unit,
					const List *pairs)
{
	/* of groups that several keys tell apart, one of them does not */
	bool		grouped = list_length(pairs) > 1 &&
		has_unique_groups(root, unit->rel, pairs);
	ListCell   *cell;

	foreach(cell, pairs)
	{
		gs_join_pair *pair = lfirst(cell);
		List	   *one = list_make1(pair);
		bool		guessed = false;

		if ((grouped ? has_unique_groups(root, unit->rel, one) :
			 gs_join_is_unique(root, unit, one, &guessed)) && !guessed)
			return pair;
	}
	return NULL;
}

Expr *
gs_join_condition(const gs_join_pair *pair)
{
	Expr	   *condition = make_opclause(pair->equality, BOOLOID, false,
										  pair->outer, pair->inner, InvalidOid,
										  pair->collation);

	set_opfuncid((OpExpr *) condition);
	return condition;
}
