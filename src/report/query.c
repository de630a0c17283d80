/*-------------------------------------------------------------------------
 *
 * query.c
 *	  Which queries can be made as reports: those that filter, group and
 *	  aggregate one table, or partitions of one, by what an engine's plan can
 *	  say.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "pg/compat.h"

#include "access/table.h"
#include "access/tableam.h"
#include "catalog/catalog.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "nodes/makefuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"

#include "report/chosen_rows.h"
#include "report/costs.h"
#include "report/join.h"
#include "report/make_path.h"
#include "report/query.h"
#include "report/result/merge.h"
#include "report/result/top.h"
#include "report/session/losses.h"
#include "report/stages.h"
#include "report/tid_fetch.h"
#include "report/windows.h"
#include "report/translate/translate.h"
#include "supervisor/shared.h"

/* What a value costs, in tuples, that gets a code: as much as it takes in a hash table. */
#define CODE_COST	6

/*
 * What an instruction costs for a row, in tuples: 1 ns of one core, where the service
 * computes on the CPU (0.6 to 1.5 in TPC-H and the Star Schema Benchmark).  An
 * expression, a look-up and each of its columns is some.
 */
#define INSTRUCTION_COST	0.03
#define DEVICE_TIMES		100 /* faster */

/*
 * What it costs to find the rows that another column chooses, in tuples: on a CPU, two
 * extremes of partitions took a third of the ordinary plan's time.
 */
#define CHOSEN_ROWS_COST	1

/*
 * The visibility map can be trusted for tables whose changes are logged: these
 * give pages, and the map's, their LSNs.  Those of an unlogged table stay 0.
 * (A table of another kind, or on another server, has none.)  A materialized
 * view is such a table: it gets a new file, or its rows change.
 */
static const char *
examine_table(Oid oid)
{
	/* the parser has locked it, or whoever expanded its parent */
	Relation	relation = table_open(oid, NoLock);
	const char *reason = NULL;
	char		kind = relation->rd_rel->relkind;

	if (kind == RELKIND_FOREIGN_TABLE)
		reason = "the table is a foreign table";
	else if (kind != RELKIND_RELATION && kind != RELKIND_MATVIEW)
		reason = "it does not read from a table";
	else if (relation->rd_tableam != GetHeapamTableAmRoutine())
		reason = "the table's access method is not heap";
	else if (!RelationIsPopulated(relation))
		reason = "the materialized view has not been populated";
	else if (relation->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		reason = "the table is temporary";
	else if (relation->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED)
		reason = "the table is unlogged, so that nothing proves that its pages have not changed";
	else if (IsCatalogRelation(relation))
		reason = "the table is a system catalog";
	table_close(relation, NoLock);
	return reason;
}

/*
 * Partitions that were pruned are dummies, or absent.  Others than heap tables
 * may be aggregated beside a report.
 */
bool
gs_report_query_add_tables(gs_report_query *q, RelOptInfo *rel)
{
	RangeTblEntry *rte = planner_rt_fetch(rel->relid, q->root);
	const char *reason;

	if (rte->relkind == RELKIND_PARTITIONED_TABLE)
	{
		for (int i = 0; i < rel->nparts; i++)
		{
			RelOptInfo *part = rel->part_rels[i];

			if (part != NULL && !IS_DUMMY_REL(part) &&
				!gs_report_query_add_tables(q, part))
				return false;
		}
		return true;
	}
	if (rte->inh)
		return gs_refuse(q, "other tables inherit from the table");
	reason = examine_table(rte->relid);
	if (reason == NULL)
		q->tables = lappend(q->tables, rel);
	else if (rel == q->fact || q->distinct || q->of_rows ||
			 q->dimensions != NIL)
		return gs_refuse(q, reason);
	else
		q->others = lappend(q->others, rel);
	return true;
}

Oid
gs_report_query_table(const gs_report_query *q)
{
	return q->stage != NULL ? linitial_oid(q->relations) :
		planner_rt_fetch(q->fact->relid, q->root)->relid;
}

/* The table, or of a join the one whose rows look up the others'. */
static bool
find_fact(gs_report_query *q)
{
	q->fact = q->input;
	if (q->input->reloptkind == RELOPT_BASEREL &&
		q->input->rtekind == RTE_RELATION)
		return true;
	if (q->input->reloptkind == RELOPT_JOINREL && gs_report_query_joins(q))
		return true;
	if (q->input->reloptkind == RELOPT_BASEREL && gs_stage_find(q))
		return true;
	if (q->reason == NULL || q->input->reloptkind != RELOPT_BASEREL)
		gs_report_input_reason(q);
	else
		q->detail = GS_OVER_REPORT;
	return false;
}

bool
gs_report_query_tables(gs_report_query *q)
{
	RangeTblEntry *rte;

#if PG_VERSION_NUM >= 180000
	/* there keys are other nodes above the grouping than below */
	if (q->root->parse->groupingSets != NIL)
		return gs_refuse(q, "it has grouping sets");
#endif
	if (q->distinct && q->root->parse->hasTargetSRFs)
		return gs_refuse(q, "it uses DISTINCT and returns sets");
	if (!find_fact(q))
		return false;
	if (IS_DUMMY_REL(q->input))
		return gs_refuse(q, "there is nothing to read");
	rte = planner_rt_fetch(q->fact->relid, q->root);
	if (rte->tablesample != NULL)
		return gs_refuse(q, "it uses TABLESAMPLE");
	if (q->root->rowMarks != NIL)
		return gs_refuse(q, "it locks rows");

	/*
	 * What a filter tells must not depend on when it runs.  Rows of dimensions have
	 * passed policies before anything here sees them.
	 */
	if (q->stage != NULL ? q->root->qual_security_level > 0 :
		rte->securityQuals != NIL)
		return gs_refuse(q, "the table has row-level security");
	if (q->stage != NULL)
		return true;
	q->stages = 1 + q->of_rows;
	if (!gs_report_query_add_tables(q, q->fact))
		return false;
	if (q->tables != NIL)
	{
		/* they are planned, so nothing else may be known to refuse the query */
		if (q->others == NIL && !gs_report_is_hidden(q))
			gs_join_find_subqueries(q);
		return true;
	}
	if (q->others == NIL)
		return gs_refuse(q, "there is nothing to read");
	rte = planner_rt_fetch(linitial_node(RelOptInfo, q->others)->relid,
						   q->root);
	return gs_refuse(q, examine_table(rte->relid));
}

static bool
find_filter(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->fact->baserestrictinfo)
		q->filter = lappend(q->filter, lfirst_node(RestrictInfo, cell)->clause);
	q->filter = list_concat(gs_order_quals(q->root, q->filter),
							gs_order_quals(q->root, q->conditions));
	q->filter = gs_join_replace_subqueries(q, q->filter);
	return gs_query_is_of_columns(q, (Node *) q->filter,
						 "a condition is not computed from columns");
}

bool
gs_report_query_is_volatile(gs_report_query *q)
{
	if (!q->not_volatile)
		q->not_volatile = !contain_volatile_functions((Node *) q->root->parse);
	return !q->not_volatile;
}

/* What is computed of rows. */
static bool
examine_rows(gs_report_query *q, Node *expression)
{
	if (!q->not_volatile && contain_volatile_functions(expression))
		return gs_refuse(q, "it uses volatile functions");
	if (gs_report_subquery_reason(q, expression))
		return false;
	if (expression_returns_set(expression))
		return gs_refuse(q, "it uses a function that returns a set");
	return true;
}

/*
 * Does a column of codes have too many distinct values, as far as is known?
 * (A negative share would be of the table's rows; the planner makes it a number.)
 */
static bool
examine_codes(gs_report_query *q, Oid relation, AttrNumber attribute)
{
	VariableStatData statistics;
	Oid			type;
	int32		typmod;
	Oid			collation;
	Var		   *column;
	double		different;
	bool		is_default;

	q->reason = gs_dictionary_refusal(relation, attribute);
	q->recalled = q->reason != NULL;
	if (q->recalled)
		return false;
	get_atttypetypmodcoll(relation, attribute, &type, &typmod, &collation);
	column = makeVar(q->fact->relid, attribute, type, typmod, collation, 0);
	examine_variable(q->root, (Node *) column, 0, &statistics);
	different = get_variable_numdistinct(&statistics, &is_default);
	ReleaseVariableStats(statistics);
	if (!is_default && different > GS_DICTIONARY_MAX)
		return gs_refuse(q, GS_TOO_MANY_VALUES);
	return true;
}

static bool
can_translate_groups(gs_report_query *q, gs_translation *t)
{
	gs_report_aggregate *aggregate = palloc(list_length(q->aggregates) *
											sizeof *aggregate);
	List	   *keys = gs_stage_expressions(q, q->computed_keys);
	List	   *aggregates = gs_stage_expressions(q, q->computed_aggregates);
	ListCell   *cell;
	int			n = 0;

	if (!gs_translate_chosen_rows(t, &keys, &aggregates))
		return false;
	foreach(cell, keys)
	{
		if (!gs_translate_key(t, lfirst(cell)))
			return false;
		q->key_values[n] = gs_report_key_values(q, gs_stage_of(t, 0),
												list_nth(q->keys, n));
		n++;
	}
	n = 0;
	foreach(cell, aggregates)
	{
		if (!gs_report_aggregate_add(t, lfirst_node(Aggref, cell),
									 gs_reports_setting, &aggregate[n++]))
			return false;
	}
	q->merge = gs_report_can_merge(&t->plan, aggregate, n);
	return true;
}

/* The plan of rows, and the one that gives them with their windows. */
static bool
can_translate_rows(gs_report_query *q, gs_translation *t)
{
	gs_translation *shown = palloc(sizeof *shown);
	gs_report_rows rows;
	gs_row_value value;
	gs_report_value key;
	bool		ok;
	int			n = 0;
	ListCell   *cell;

	gs_stage_rows(q, &rows);
	gs_translation_init(shown, InvalidOid, NIL, NULL);
	ok = gs_translate_rows(t, &rows, shown);
	foreach(cell, gs_rows_shown(&rows))
	{
		n++;
		ok = ok && (lfirst(cell) == NULL ||
					gs_translate_shown(shown, n, lfirst(cell), &value, &key));
	}
	if (ok)
		return true;
	t->reason = shown->reason;
	t->hint = shown->hint;
	return false;
}

/* How many rows does the report go over? */
static double
rows_of(const gs_report_query *q)
{
	double		rows = 0;
	ListCell   *cell;

	if (q->stage != NULL)
		return q->stage->rows;
	foreach(cell, q->tables)
		rows += ((const RelOptInfo *) lfirst(cell))->tuples;
	return rows;
}

/* What the engine that the service had last takes for an instruction. */
static Cost
instruction_cost(void)
{
	bool		on_device = gs_shared_attach() == GS_SHARED_READY &&
		gs_shared_get()->on_device;

	return cpu_tuple_cost * INSTRUCTION_COST / (on_device ? DEVICE_TIMES : 1);
}

/* Can the service compute all of it? */
static bool
can_translate(gs_report_query *q)
{
	gs_translation t;
	const gs_translation *table;
	gs_operand	filter;
	Oid			relation = q->stage != NULL ? InvalidOid :
		gs_report_query_table(q);
	bool		ok;

	gs_translation_init(&t, relation, NIL, NULL);
	t.dimensions = q->dimensions;
	ok = gs_stage_plan(q, &t) &&
		gs_translate_filter(&t, gs_stage_conditions(q), &filter) &&
		(q->of_rows ? can_translate_rows(q, &t) : can_translate_groups(q, &t));
	q->coding = t.sorting;
	q->evaluation = t.evaluation + instruction_cost() * t.plan.instructions *
		rows_of(q);
	if (!q->of_rows && gs_has_chosen_rows(q->aggregates))
		q->evaluation += cpu_tuple_cost * CHOSEN_ROWS_COST * rows_of(q);
	if (!ok)
	{
		q->reason = t.reason != NULL ? t.reason : "it is too long";
		q->hint = t.hint;
		q->recalled = t.recalled;
	}
	table = gs_stage_of(&t, 0);
	for (int c = 0; c < table->plan.columns && ok && q->stage == NULL; c++)
	{
		if (table->column[c].form != GS_FORM_CODE)
			continue;
		ok = examine_codes(q, relation, table->column[c].attribute);
		if (ok)
			q->coding += gs_dictionary_missing(relation,
											   table->column[c].attribute) *
				CODE_COST * cpu_tuple_cost;
	}
	return ok;
}

/* It is another one over another report. */
static void
add_stage_to_hash(gs_report_query *q)
{
	gs_report_query inner = {0};
	bool		parametric;

	if (q->stage == NULL)
		return;
	gs_report_path_query(q->stage, &inner);
	q->hash ^= (inner.hash << 1 | inner.hash >> 63) ^
		gs_attempt_hash(list_make2(q->given, q->below_having), &parametric);
	q->parametric |= inner.parametric || parametric;
}

/* Has it been tried, and lost?  Other parameters may make it succeed. */
static bool
examine_attempt(gs_report_query *q)
{
	gs_attempt	attempt = {.relation = gs_report_query_table(q)};
	const char *known;

	q->hash = gs_attempt_hash(list_concat(list_make4(q->computed_keys,
													 q->computed_aggregates,
													 q->filter, q->sets),
										  list_make3(gs_report_join_identity(q),
													 q->windows,
													 list_make2(q->window_integers,
																q->by_tid))),
							  &q->parametric);
	add_stage_to_hash(q);
	attempt.query = q->hash;
	known = q->parametric ? NULL : gs_loss_lasting(&attempt);
	q->recalled = known != NULL;
	return !q->recalled || gs_refuse(q, pstrdup(known));
}

/* How deep are they?  Before anything else goes down there. */
static bool
examine_depth(gs_report_query *q)
{
	bool		deep = gs_is_too_deep((Node *) q->target->exprs) ||
		gs_is_too_deep((Node *) q->having) ||
		gs_is_too_deep((Node *) q->conditions);
	ListCell   *cell;

	foreach(cell, q->fact->baserestrictinfo)
		deep |= gs_is_too_deep((Node *) lfirst_node(RestrictInfo, cell)->clause);
	return !deep || gs_refuse(q, "an expression has too many levels");
}

/* A number of rows that is known when the query is planned. */
static bool
known_number(const Node *node, int64 *number)
{
	const Const *constant = (const Const *) node;

	*number = 0;
	if (node == NULL)
		return true;
	if (!IsA(node, Const) || constant->constisnull)
		return false;
	*number = DatumGetInt64(constant->constvalue);
	return true;
}

/*
 * ORDER BY an aggregate, or a key, ... LIMIT: nothing between the groups and the
 * sort drops any.
 */
static void
find_top(gs_report_query *q)
{
	const Query *query = q->root->parse;
	SortGroupClause *clause;
	Node	   *expression;
	int64		limit;
	int64		offset;
	int			place = 0;
	ListCell   *cell;

	if (q->others != NIL || query->groupingSets != NIL || q->having != NIL ||
		query->hasWindowFuncs ||
		(query->distinctClause != NIL && !q->distinct) ||
		query->hasTargetSRFs || query->sortClause == NIL ||
		query->limitCount == NULL ||
		!known_number(query->limitCount, &limit) ||
		!known_number(query->limitOffset, &offset) || limit < 1 ||
		limit > GS_TOP_MAX || offset < 0 || offset > GS_TOP_MAX - limit)
		return;
	clause = linitial_node(SortGroupClause, query->sortClause);
	expression = get_sortgroupclause_expr(clause, q->root->processed_tlist);
	foreach(cell, list_concat_copy(q->keys, q->aggregates))
	{
		bool		ties = list_length(query->sortClause) > 1 ||
			query->limitOption != LIMIT_OPTION_COUNT;

		if (equal(lfirst(cell), expression))
			q->top = list_concat(list_make3_int(place, (int) (limit + offset),
												ties),
								 list_make3_int((int) clause->sortop,
												(int) exprCollation(expression),
												clause->nulls_first));
		place++;
	}
}

/* Between its rows and its groups. */
static bool
add_window_stage(gs_report_query *q)
{
	if (q->sets != NIL)
		return gs_refuse(q, "it has grouping sets, and rows that another column chooses");
	q->stages++;
	return q->stages <= GS_STAGES_MAX ||
		gs_refuse(q, "there are too many subqueries in one another");
}

/* What is shown of rows may be fetched. */
static bool
find_rows(gs_report_query *q)
{
	const char *reason = "a row is not computed from columns";
	ListCell   *cell;

	if (!gs_windows_find(q))
		return false;
	foreach(cell, q->keys)
	{
		if (!gs_tid_fetchable(q, lfirst(cell)) &&
			!gs_query_is_of_columns(q, lfirst(cell), reason))
			return false;
	}
	return gs_query_is_of_columns(q, (Node *) q->windows, reason);
}

/* Rows of an aggregation that does not care how often they come. */
static bool
find_different_rows(gs_report_query *q)
{
	gs_windows_find_tuples(q);
	if (!gs_query_is_of_columns(q, (Node *) q->keys, "a key is not computed from columns"))
		return false;
	return list_length(q->keys) <= GS_PLAN_KEYS ||
		gs_refuse(q, "it has too many keys");
}

/* What is computed of groups, or of rows. */
static bool
find_computed(gs_report_query *q)
{
	if (q->of_rows)
		return find_rows(q);
	if (q->aggregated)
		return find_different_rows(q);
	if (!gs_query_find_parts(q))
		return false;
	find_top(q);
	if (gs_has_chosen_rows(q->aggregates) && !add_window_stage(q))
		return false;
	return list_length(q->keys) <= GS_PLAN_KEYS ||
		gs_refuse(q, "it has too many keys");
}

/* A translation has room for the longest plan, but is short-lived. */
static bool
try_translation(gs_report_query *q)
{
	MemoryContext temporary = AllocSetContextCreate(CurrentMemoryContext,
													"gpuscan translation",
													ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(temporary);
	bool		ok;

	q->reason = q->hint = NULL;
	q->recalled = false;
	ok = can_translate(q);
	MemoryContextSwitchTo(old);
	if (!ok)
	{
		q->reason = pstrdup(q->reason);
		q->hint = q->hint == NULL ? NULL : pstrdup(q->hint);
	}
	MemoryContextDelete(temporary);
	return ok;
}

/*
 * What is shown of rows comes from the service or, if that cannot be, or costs more,
 * from the table.  If even that does not do, what window functions choose does, too.
 */
static bool
translate_shown(gs_report_query *q)
{
	bool		ok;
	Cost		coding;

	q->by_tid = NIL;
	ok = try_translation(q);
	coding = q->coding;
	if (!q->of_rows || (ok && coding == 0))
		return ok;
	if (gs_tid_fetch_plan(q, false) && (!ok || gs_tid_fetch_cost(q) < coding) &&
		try_translation(q) &&
		(!ok || q->coding + gs_tid_fetch_cost(q) < coding))
		return true;
	if (!ok && gs_tid_fetch_plan(q, true))
		return try_translation(q);
	q->by_tid = NIL;			/* what has been learnt is of the last attempt */
	return ok && try_translation(q);
}

/* What a dimension is looked up by may be of no semijoin's inner side. */
static bool
examine_look_ups(gs_report_query *q)
{
	ListCell   *cell;

	foreach(cell, q->dimensions)
	{
		const gs_dimension *d = lfirst(cell);

		if (!gs_query_is_of_columns(q, (Node *) d->outer_keys,
						   "a subquery of IN or EXISTS has a condition besides equality"))
			return false;
	}
	return true;
}

bool
gs_report_query_expressions(gs_report_query *q)
{
	bool		ok;

	if (!examine_depth(q) || !find_computed(q) || !find_filter(q) ||
		!examine_look_ups(q))
		return false;

	/* the planner does not know them again in expressions over the groups */
	if (!q->of_rows && contain_subplans((Node *) q->keys))
		return gs_refuse(q, "it groups by what a subquery gives");
	q->computed_keys = gs_join_replace_subqueries(q, q->keys);
	q->computed_aggregates = gs_join_replace_subqueries(q, q->aggregates);
	if (!examine_rows(q, (Node *) q->computed_keys) ||
		!examine_rows(q, (Node *) q->filter) ||
		!examine_rows(q, (Node *) gs_report_join_keys(q)) ||
		!examine_rows(q, (Node *) q->computed_aggregates) ||
		!examine_rows(q, (Node *) q->windows))
		return false;
	gs_report_find_columns(q, list_make4(q->computed_keys,
										 q->computed_aggregates, q->filter,
										 q->windows));
	gs_join_examine_held(q);
	ok = translate_shown(q);
	if (!ok && gs_windows_unsort(q))
		ok = translate_shown(q);
	return ok && examine_attempt(q);
}
