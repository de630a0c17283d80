/*-------------------------------------------------------------------------
 *
 * join.c
 *	  The joins of a query, as a fact table and dimensions.
 *
 * When the planner's hook is called, subqueries have been pulled up, and IN and
 * EXISTS have become semijoins and antijoins.  Here the join's relations are put in
 * an order: first the fact table, then relation after relation that is joined to
 * those before it by a key that tells its rows apart.  So each row of the fact
 * table has one row at most in each of them, which can be looked up.
 *
 * What stands on the inner side of an outer join, a semijoin or an antijoin is one
 * dimension; if these are several relations, PostgreSQL joins them.  So it does
 * with a dimension that only another one's rows look up: that takes a row of the
 * other one no longer than one of the fact table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "report/join.h"
#include "report/session/losses.h"
#include "report/translate/dimension.h"
#include "report/translate/lookup.h"

#define OTHER_SUBQUERY	\
	"it joins a subquery or a WITH query that cannot be read once more"

/* A join while it is examined. */
typedef struct join_search
{
	gs_report_query *q;
	List	   *units;			/* gs_join_unit, of all relations */
	List	   *clauses;		/* RestrictInfos that are not of one relation */

	/* what follows from the choice of the fact table */
	Relids		fact;
	Relids		before;			/* it, and the dimensions so far */
	List	   *used;			/* clauses that are keys */
	bool		has_put_off;	/* a unit waits, as a subquery has to be planned */
	List	   *dimensions;
	List	   *attached;		/* their units */
	List	   *conditions;
} join_search;

/* ----------
 * The relations
 * ----------
 */

/*
 * Since 16 a column is told apart by the outer joins that may have made it NULL.
 * What is translated is all above them.
 */
static Node *
above_joins(Node *node, void *root)
{
#if PG_VERSION_NUM >= 160000
	if (node == NULL)
		return NULL;
	if (IsA(node, Var))
	{
		Var		   *var = copyObject((Var *) node);

		var->varnullingrels = find_base_rel(root, var->varno)->nulling_relids;
		return (Node *) var;
	}
	return expression_tree_mutator(node, above_joins, root);
#else
	(void) root;
	return node;
#endif
}

List *
gs_join_above(PlannerInfo *root, List *expressions)
{
	return (List *) above_joins((Node *) expressions, root);
}

/* A column above all joins as these relations' own plan gives it. */
static Var *
of_relations(Var *var, Relids relids)
{
#if PG_VERSION_NUM >= 160000
	var = copyObject(var);
	var->varnullingrels = bms_int_members(var->varnullingrels, relids);
#else
	(void) relids;
#endif
	return var;
}

static gs_join_unit *
add_unit(join_search *s, JoinType kind, Relids relids)
{
	gs_report_query *q = s->q;
	gs_join_unit *unit = palloc(sizeof *unit);

	unit->kind = kind;
	unit->relids = unit->joined = relids;
	unit->grouped = NULL;
	unit->rel = bms_num_members(relids) == 1 ?
		find_base_rel(q->root, bms_singleton_member(relids)) :
		find_join_rel(q->root, relids);
	unit->source = gs_join_can_be_read_apart(q->root, relids) ? unit->rel : NULL;
	if (unit->rel == NULL)
		q->reason = "a side of an outer join is not joined by itself";
	else if (unit->source == NULL &&
			 (bms_num_members(relids) > 1 ||
			  (gs_subquery_with(q->root, unit->rel) == NULL &&
			   !gs_join_can_be_copied(q->root, unit->rel))))
		q->reason = OTHER_SUBQUERY;
	s->units = lappend(s->units, unit);
	return q->reason == NULL ? unit : NULL;
}

/* Is a special join within the inner side of another one? */
static bool
is_within(const PlannerInfo *root, const SpecialJoinInfo *join)
{
	ListCell   *cell;

	foreach(cell, root->join_info_list)
	{
		const SpecialJoinInfo *other = lfirst(cell);

		if (other != join &&
			bms_is_subset(join->syn_righthand, other->syn_righthand) &&
			!bms_equal(join->syn_righthand, other->syn_righthand))
			return true;
	}
	return false;
}

static bool
is_special(JoinType kind)
{
	return kind == JOIN_LEFT || kind == JOIN_SEMI || kind == JOIN_ANTI;
}

/* Each inner side is a unit, and so is each relation that is on none. */
static bool
find_units(join_search *s)
{
	PlannerInfo *root = s->q->root;
	Relids		inner = NULL;
	ListCell   *cell;
	int			i = -1;

	foreach(cell, root->join_info_list)
	{
		const SpecialJoinInfo *join = lfirst(cell);
		gs_join_unit *unit;

		if (!is_special(join->jointype))
			return gs_refuse(s->q, "it has a full join");
		if (is_within(root, join))
			continue;
		if (bms_overlap(join->syn_righthand, inner))
			return gs_refuse(s->q, "two outer joins have the same inner side");
		unit = add_unit(s, join->jointype, join->syn_righthand);
		if (unit == NULL)
			return false;
#if PG_VERSION_NUM >= 160000
		if (join->ojrelid != 0)
			unit->joined = bms_add_member(bms_copy(unit->relids), join->ojrelid);
#endif
		inner = bms_union(inner, join->syn_righthand);
	}
	while ((i = gs_join_next_table(root, s->q->input->relids, i)) >= 0)
	{
		if (bms_is_member(i, inner))
			continue;
		if (!add_unit(s, JOIN_INNER, bms_make_singleton(i)))
			return false;
	}
	return true;
}

/* Is it of one unit alone, whose rows PostgreSQL gives? */
static bool
is_of_one_unit(const join_search *s, Relids relids)
{
	ListCell   *cell;

	foreach(cell, s->units)
	{
		if (bms_is_subset(relids, ((gs_join_unit *) lfirst(cell))->relids))
			return true;
	}
	return false;
}

/* Since 16 there may be one for each order of two outer joins. */
static bool
is_clone(const RestrictInfo *clause)
{
#if PG_VERSION_NUM >= 160000
	return clause->is_clone;
#else
	(void) clause;
	return false;
#endif
}

static void
find_clauses(join_search *s)
{
	const PlannerInfo *root = s->q->root;
	ListCell   *cell;

	s->clauses = NIL;
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		const RelOptInfo *rel = root->simple_rel_array[i];

		if (rel == NULL || !bms_is_member(i, s->q->input->relids))
			continue;
		foreach(cell, rel->joininfo)
		{
			RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

			if (!is_clone(clause) &&
				!is_of_one_unit(s, clause->required_relids))
				s->clauses = list_append_unique_ptr(s->clauses, clause);
		}
	}
}

/* Each unit is compared with those before it, so that a member must be of one. */
static bool
is_of_joined_unit(const join_search *s, Relids relids)
{
	ListCell   *cell;

	foreach(cell, s->units)
	{
		if (bms_is_subset(relids, ((gs_join_unit *) lfirst(cell))->joined))
			return true;
	}
	return false;
}

static bool
examine_classes(const join_search *s)
{
	ListCell   *cell;
	ListCell   *lc;

	foreach(cell, s->q->root->eq_classes)
	{
		const EquivalenceClass *class = lfirst(cell);

		if (class->ec_has_const || list_length(class->ec_members) < 2)
			continue;
		if (class->ec_broken || class->ec_has_volatile)
			return gs_refuse(s->q, "its joins compare values of types that are not compared by one equality");
		foreach(lc, class->ec_members)
		{
			const EquivalenceMember *member = lfirst(lc);

			if (!member->em_is_child &&
				bms_overlap(member->em_relids, s->q->input->relids) &&
				!is_of_joined_unit(s, member->em_relids))
				return gs_refuse(s->q, "a join compares what is computed of several tables");
		}
	}
	return true;
}

/* ----------
 * The order of the dimensions
 * ----------
 */

/*
 * Which share of the fact table's rows has one of its rows?  The planner knows, if
 * it has considered to join these two; else, assume that all keys are as frequent.
 */
static double
share_of(const join_search *s, const gs_join_unit *unit)
{
	const RelOptInfo *fact = find_base_rel(s->q->root,
										   bms_singleton_member(s->fact));
	const RelOptInfo *joined = find_join_rel(s->q->root,
											 bms_union(s->fact, unit->joined));

	if (unit->kind == JOIN_LEFT)
		return 1;
	if (joined != NULL)
		return Min(joined->rows / Max(fact->rows, 1), 1);
	return unit->kind == JOIN_INNER && unit->rel->tuples > 0 ?
		Min(unit->rel->rows / unit->rel->tuples, 1) : 1;
}

static gs_dimension *
add_dimension(join_search *s, const gs_join_unit *unit, const List *keys)
{
	PlannerInfo *root = s->q->root;
	gs_dimension *dimension = palloc0(sizeof *dimension);
	ListCell   *cell;

	dimension->kind = unit->kind;
	dimension->rows_expected = unit->source->rows;
	dimension->share = share_of(s, unit);
	foreach(cell, keys)
	{
		const gs_join_pair *pair = lfirst(cell);

		dimension->outer_keys = lappend(dimension->outer_keys,
										above_joins((Node *) pair->outer, root));
		dimension->inner_keys = lappend(dimension->inner_keys,
										above_joins((Node *) pair->inner, root));
		if (pair->clause != NULL)
			s->used = lappend(s->used, (void *) pair->clause);
	}
	s->dimensions = lappend(s->dimensions, dimension);
	s->attached = lappend(s->attached, (void *) unit);
	s->before = bms_union(s->before, unit->joined);
	return dimension;
}

/* If one of its rows is to differ, join what tells it of all that have a key. */
static bool
attach_grouped(join_search *s, gs_join_unit *unit, const List *pairs,
			   const gs_join_pair *differing)
{
	gs_join_unit *grouped = gs_join_group_unit(s->q->root, unit, pairs,
											   differing);

	if (grouped == NULL)
		return gs_refuse(s->q, "a subquery of IN or EXISTS has a condition besides equality");
	(void) add_dimension(s, grouped, gs_join_grouped_pairs(grouped, pairs));
	s->used = lappend(s->used, (void *) differing->clause);
	s->conditions = lappend(s->conditions,
							gs_join_grouped_condition(grouped, unit->kind,
													  pairs, differing));

	/* what the unit's own columns are to equal later is not known of the groups */
	s->before = bms_union(s->before, unit->joined);
	return true;
}

/*
 * That the unit's rows are told apart by these is a guess: of all queries that make
 * it, whatever else they have.
 */
static uint64
hash_of_guess(PlannerInfo *root, const gs_join_unit *unit, const List *pairs)
{
	List	   *keys = NIL;
	bool		parametric;
	ListCell   *cell;

	foreach(cell, pairs)
		keys = lappend(keys, ((const gs_join_pair *) lfirst(cell))->inner);
	return gs_attempt_hash(list_make2(keys,
									  gs_join_identity(root, unit->relids)),
						   &parametric);
}

static bool
is_refuted(uint64 guess)
{
	const gs_attempt attempt = gs_dimension_attempt(guess);

	return gs_loss_known(&attempt) != NULL;
}

static bool
put_off(join_search *s)
{
	s->has_put_off = true;
	return false;
}

/*
 * Join the unit to those before it, if its rows are told apart there.  Of an inner
 * join, one key that does so is enough, and the others are conditions.
 *
 * may_plan: also if a subquery has to be planned for that; else it is put off.
 */
static bool
attach(join_search *s, gs_join_unit *unit, bool may_plan)
{
	PlannerInfo *root = s->q->root;
	List	   *pairs;
	List	   *keys;
	bool		is_outer = unit->kind == JOIN_LEFT || unit->kind == JOIN_ANTI;
	gs_join_pair *differing;
	gs_join_pair *key;
	bool		guessed = false;
	uint64		guess = 0;
	ListCell   *cell;

	if (unit->source == NULL && !may_plan)
		return put_off(s);
	pairs = keys = gs_join_pairs(root, unit, s->fact, s->before, s->clauses);
	if (unit->source == NULL)
		unit->source = gs_join_can_be_copied(root, unit->rel) ?
			gs_join_copy(root, unit->rel) :
			gs_subquery_add_with(root, unit->rel);
	if (unit->source == NULL)
		return gs_refuse(s->q, OTHER_SUBQUERY);
	foreach(cell, pairs)
	{
		const gs_join_pair *pair = lfirst(cell);

		if (!OidIsValid(pair->equality))
			return gs_refuse(s->q, "a join does not compare by its type's usual equality");
		if (is_outer && pair->clause == NULL)
			return gs_refuse(s->q, "an outer join has a condition besides equality");
	}
	if (unit->kind == JOIN_INNER || unit->kind == JOIN_LEFT)
	{
		if (!gs_join_is_unique(root, unit, pairs, &guessed))
			return gs_refuse(s->q, GS_REPEATED_KEY);
		if (guessed)
			guess = hash_of_guess(root, unit, pairs);
		if (guessed && is_refuted(guess))
			return gs_refuse(s->q, GS_REPEATED_KEY);
		key = gs_join_unique_pair(root, unit, pairs);
		if (key != NULL && unit->kind == JOIN_INNER)
			keys = list_make1(key);
	}
	else if (pairs == NIL)
		return gs_refuse(s->q, "a subquery of IN or EXISTS has no key");
	else
	{
		differing = gs_join_differing_pair(unit, s->before, s->clauses);
		if (differing != NULL && unit->grouped == NULL && !may_plan)
			return put_off(s);
		if (differing != NULL)
			return attach_grouped(s, unit, pairs, differing);
	}
	add_dimension(s, unit, keys)->guess = guess;
	foreach(cell, list_difference_ptr(pairs, keys))
		s->conditions = lappend(s->conditions,
								gs_join_condition(lfirst(cell)));
	return true;
}

static gs_join_unit *
attach_one(join_search *s, const List *left, bool may_plan)
{
	ListCell   *cell;

	foreach(cell, left)
	{
		if (attach(s, lfirst(cell), may_plan))
			return lfirst(cell);
	}
	return NULL;
}

/*
 * Attach the first unit that can be; the fact table is attached to.  Subqueries are
 * planned when all others have been found to have a place.
 */
static gs_join_unit *
attach_next(join_search *s, const List *left)
{
	gs_join_unit *next;

	s->has_put_off = false;
	next = attach_one(s, left, false);
	return next != NULL || !s->has_put_off ? next : attach_one(s, left, true);
}

/* Has one of the units of this kind one of the relations? */
static bool
has_kind(const join_search *s, JoinType kind, Relids relids)
{
	ListCell   *cell;

	foreach(cell, s->units)
	{
		const gs_join_unit *unit = lfirst(cell);

		if (unit->kind == kind && bms_overlap(unit->relids, relids))
			return true;
	}
	return false;
}

/*
 * An outer join with a condition that a column of its inner side IS NULL, although
 * the join needs it, has become an antijoin, which fulfils the condition.
 */
static bool
is_fulfilled(const join_search *s, const RestrictInfo *clause)
{
	const NullTest *test = (const NullTest *) clause->clause;

	return IsA(test, NullTest) && test->nulltesttype == IS_NULL &&
		IsA(test->arg, Var) &&
		has_kind(s, JOIN_ANTI, clause->clause_relids);
}

/* What is no key is a condition on the rows that have been found. */
static bool
add_conditions(join_search *s)
{
	ListCell   *cell;

	foreach(cell, list_difference_ptr(s->clauses, s->used))
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (is_fulfilled(s, clause))
			continue;
		if (has_kind(s, JOIN_SEMI, clause->clause_relids) ||
			has_kind(s, JOIN_ANTI, clause->clause_relids))
			return gs_refuse(s->q, "a subquery of IN or EXISTS has a condition besides equality");
		if (!clause->is_pushed_down)
			return gs_refuse(s->q, "an outer join has a condition besides equality");
		s->conditions = lappend(s->conditions, clause->clause);
	}
	return true;
}

/* All others are dimensions of this one. */
static bool
join_to(join_search *s, const gs_join_unit *fact)
{
	gs_report_query *q = s->q;
	List	   *left = list_delete_ptr(list_copy(s->units), (void *) fact);
	ListCell   *cell;

	s->fact = s->before = fact->relids;
	s->used = s->dimensions = s->attached = s->conditions = NIL;
	q->reason = NULL;
	while (left != NIL)
	{
		gs_join_unit *next = attach_next(s, left);

		if (next == NULL)
			return false;
		left = list_delete_ptr(left, next);
	}
	if (!add_conditions(s))
		return false;
	q->reason = NULL;
	q->fact = fact->rel;
	q->dimensions = s->dimensions;
	q->dimension_rels = q->dimension_sources = NIL;
	foreach(cell, s->attached)
	{
		const gs_join_unit *unit = lfirst(cell);

		q->dimension_rels = lappend(q->dimension_rels, unit->rel);
		q->dimension_sources = lappend(q->dimension_sources, unit->source);
	}
	q->conditions = (List *) above_joins((Node *) s->conditions, q->root);
	return true;
}

static gs_dimension *
dimension_of(const join_search *s, const gs_join_unit *unit)
{
	ListCell   *cell;

	foreach(cell, s->attached)
	{
		if (lfirst(cell) == unit)
			return list_nth(s->dimensions, foreach_current_index(cell));
	}
	return NULL;
}

/* The unit of an inner join whose rows alone look up this one's; NULL: none. */
static gs_join_unit *
parent_of(const join_search *s, int i)
{
	const gs_dimension *dimension = list_nth(s->dimensions, i);
	const gs_join_unit *unit = list_nth(s->attached, i);
	Relids		outer = pull_varnos(s->q->root,
									(Node *) dimension->outer_keys);
	ListCell   *cell;

	if (unit->kind != JOIN_INNER || outer == NULL)
		return NULL;
	foreach(cell, s->attached)
	{
		gs_join_unit *parent = lfirst(cell);

		if (parent->kind == JOIN_INNER && bms_is_subset(outer, parent->relids))
			return parent;
	}
	return NULL;
}

/* Does it take less if the service makes the tables of one than to read both, joined? */
static bool
is_held_apart(const join_search *s, const gs_join_unit *unit,
			  const RelOptInfo *joined)
{
	gs_dimension d = *dimension_of(s, unit);

	d.ordinary_cost = gs_report_reading_cost(joined);
	gs_report_cost_held(s->q, &d, unit->rel, unit->source);
	return OidIsValid(d.held);
}

/* Have PostgreSQL join one dimension to the other whose rows look it up. */
static bool
merge_one(join_search *s)
{
	for (int i = list_length(s->attached) - 1; i >= 0; i--)
	{
		gs_join_unit *child = list_nth(s->attached, i);
		gs_join_unit *parent = parent_of(s, i);
		Relids		both;
		RelOptInfo *rel;

		if (parent == NULL)
			continue;
		both = bms_union(parent->relids, child->relids);
		rel = find_join_rel(s->q->root, both);
		if (rel == NULL || rel->cheapest_total_path == NULL ||
			!gs_join_can_be_read_apart(s->q->root, both) ||
			is_held_apart(s, parent, rel))
			continue;
		parent->relids = parent->joined = both;
		parent->rel = parent->source = rel;
		s->units = list_delete_ptr(s->units, child);
		return true;
	}
	return false;
}

/* Its dimensions, as few as can be. */
static bool
join_to_few(join_search *s, const gs_join_unit *fact)
{
	ListCell   *cell;
	ListCell   *unit;

	do
	{
		find_clauses(s);
		if (!join_to(s, fact))
			return false;
	} while (merge_one(s));
	forboth(cell, s->dimensions, unit, s->attached)
	{
		gs_dimension *d = lfirst(cell);
		Relids		relids = ((gs_join_unit *) lfirst(unit))->source->relids;

		d->tables = gs_join_tables(s->q->root, relids, d->inner_keys);
		d->tables_read = gs_join_tables_read(s->q->root, relids);
	}
	for (int i = 0; i < list_length(s->dimensions); i++)
	{
		const gs_join_unit *parent = parent_of(s, i);

		if (parent != NULL)
			((gs_dimension *) list_nth(s->dimensions, i))->parent =
				dimension_of(s, parent);
	}
	return true;
}

/* Larger tables first. */
static int
compare_sizes(const ListCell *a, const ListCell *b)
{
	const RelOptInfo *x = ((const gs_join_unit *) lfirst(a))->rel;
	const RelOptInfo *y = ((const gs_join_unit *) lfirst(b))->rel;

	return x->tuples > y->tuples ? -1 : x->tuples < y->tuples;
}

/* Those whose rows a report can read. */
static List *
find_facts(const join_search *s)
{
	List	   *facts = NIL;
	ListCell   *cell;

	foreach(cell, s->units)
	{
		gs_join_unit *unit = lfirst(cell);

		if (unit->kind == JOIN_INNER && unit->rel->rtekind == RTE_RELATION)
			facts = lappend(facts, unit);
	}
	list_sort(facts, compare_sizes);
	return facts;
}

/* What a unit was before any was merged. */
typedef struct unit_copy
{
	gs_join_unit *unit;
	gs_join_unit was;
} unit_copy;

static List *
copy_units(const List *units)
{
	List	   *copies = NIL;
	ListCell   *cell;

	foreach(cell, units)
	{
		unit_copy  *copy = palloc(sizeof *copy);

		copy->unit = lfirst(cell);
		copy->was = *copy->unit;
		copies = lappend(copies, copy);
	}
	return copies;
}

/* Those that have been merged for one fact table are apart again for the next one. */
static void
restore_units(join_search *s, const List *copies)
{
	ListCell   *cell;

	s->units = NIL;
	foreach(cell, copies)
	{
		const unit_copy *copy = lfirst(cell);

		if (!bms_equal(copy->unit->relids, copy->was.relids))
			*copy->unit = copy->was;
		s->units = lappend(s->units, copy->unit);
	}
}

bool
gs_report_query_joins(gs_report_query *q)
{
	join_search s = {.q = q};
	List	   *units;
	ListCell   *cell;

	if (q->root->placeholder_list != NIL || q->root->hasLateralRTEs)
		return gs_refuse(q, "a join needs values of another side of it");

	/* if the report cannot be made, the ordinary plan reads all of it again */
	if (gs_report_query_is_volatile(q))
		return gs_refuse(q, "it joins, and calls a volatile function");
	if (!find_units(&s) || !examine_classes(&s))
		return false;
	units = copy_units(s.units);
	foreach(cell, find_facts(&s))
	{
		if (join_to_few(&s, lfirst(cell)))
			return true;
		restore_units(&s, units);
	}
	return q->reason != NULL ? false : gs_refuse(q, "it does not read from a table");
}

/* ----------
 * Their columns, and paths
 * ----------
 */

bool
gs_report_is_dimension(const gs_report_query *q, int varno)
{
	ListCell   *cell;
	ListCell   *rel;

	forboth(cell, q->dimensions, rel, q->dimension_rels)
	{
		JoinType	kind = ((const gs_dimension *) lfirst(cell))->kind;

		if ((kind == JOIN_INNER || kind == JOIN_LEFT) &&
			bms_is_member(varno, ((const RelOptInfo *) lfirst(rel))->relids))
			return true;
	}
	return false;
}

List *
gs_report_join_keys(const gs_report_query *q)
{
	List	   *keys = NIL;
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		const gs_dimension *dimension = lfirst(cell);

		keys = list_concat(keys, dimension->outer_keys);
		keys = list_concat(keys, dimension->inner_keys);
	}
	return keys;
}

List *
gs_report_join_identity(const gs_report_query *q)
{
	List	   *parts = gs_report_join_keys(q);
	ListCell   *cell;
	ListCell   *rel;

	forboth(cell, q->dimensions, rel, q->dimension_rels)
	{
		const gs_dimension *dimension = lfirst(cell);
		const RelOptInfo *of = lfirst(rel);

		parts = lappend(parts, list_make1_int(dimension->kind));
		parts = list_concat(parts, gs_join_identity(q->root, of->relids));
	}
	return parts;
}

void
gs_report_find_columns(gs_report_query *q, const List *expressions)
{
	List	   *all = list_concat(list_copy(expressions),
								  gs_report_join_keys(q));
	ListCell   *cell;
	ListCell   *rel;
	ListCell   *var;

	all = pull_var_clause((Node *) all, PVC_RECURSE_AGGREGATES |
						  PVC_RECURSE_WINDOWFUNCS | PVC_INCLUDE_PLACEHOLDERS);
	forboth(cell, q->dimensions, rel, q->dimension_rels)
	{
		gs_dimension *dimension = lfirst(cell);
		Relids		relids = ((const RelOptInfo *) lfirst(rel))->relids;

		foreach(var, all)
		{
			if (IsA(lfirst(var), Var) &&
				bms_is_member(((const Var *) lfirst(var))->varno, relids))
				dimension->columns = list_append_unique(dimension->columns,
														lfirst(var));
		}
	}
}

List *
gs_report_dimension_paths(const gs_report_query *q)
{
	List	   *paths = NIL;
	ListCell   *cell;
	ListCell   *rel;
	ListCell   *source;

	forthree(cell, q->dimensions, rel, q->dimension_rels,
			 source, q->dimension_sources)
	{
		const gs_dimension *dimension = lfirst(cell);
		RelOptInfo *of = lfirst(source);
		PathTarget *target = create_empty_pathtarget();
		ListCell   *column;

		foreach(column, dimension->columns)
		{
			Var		   *var = lfirst(column);

			add_column_to_pathtarget(target, (Expr *)
									 (of == lfirst(rel) ? of_relations(var, of->relids) :
									  gs_subquery_column(of, var->varattno)), 0);
		}
		paths = lappend(paths,
						create_projection_path(q->root, of,
											   of->cheapest_total_path,
											   set_pathtarget_cost_width(q->root,
																		 target)));
	}
	return paths;
}
